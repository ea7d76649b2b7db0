"""Writes printable.rs: python3 src/base/python/printable.py > src/base/python/printable.rs"""

import unicodedata

# Texts must not change with the machine that ran this script.
assert unicodedata.unidata_version == "14.0.0", unicodedata.unidata_version

UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
WIDTH = 100  # of a line: rustfmt's default


def printable(code):
    return code == 0x20 or unicodedata.category(chr(code)) not in UNPRINTABLE


def runs():
    """Lengths of the alternating runs; the first is unprintable, the last, also unprintable, is left out."""
    start, state = 0, False
    for code in range(0x110000):
        if printable(code) != state:
            yield code - start
            start, state = code, not state
    assert not state


def septets(value, last=True):
    """Seven bits a byte, big end first; the top bit says that more follow."""
    if value >= 128:
        yield from septets(value >> 7, False)
    yield value & 127 | (0 if last else 128)


table = [byte for run in runs() for byte in septets(run)]
lines, line = [], "   "
for byte in table:
    item = f" {byte},"
    if len(line) + len(item) > WIDTH:
        lines.append(line)
        line = "   "
    line += item
lines.append(line)

print("//! Which characters Python 3.11 prints as they are (Unicode 14.0). Written by `printable.py`.")
print()
print("/// Lengths of the runs of unprintable and printable code points in turn, from U+0000 on: seven bits")
print("/// a byte, big end first, the top bit says that more follow. What follows the last run is unprintable.")
print("#[rustfmt::skip]")
print(f"pub(super) static RUNS: [u8; {len(table)}] = [")
print("\n".join(lines))
print("];")
