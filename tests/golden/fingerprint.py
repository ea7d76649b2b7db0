"""Checks the golden fingerprints, and adds those that the files still lack.

A second implementation of the fingerprint, from its description. The state is two words. Blocks of 16 bytes are two
words, low byte first, and each is combined with one word of the state. The sum of the two times the second is 128 bits. Its
low half is the next first word; the first of the two minus its high half is the next second word. At the end the words of
the state are multiplied in the same way, and the halves of this product together are the fingerprint. The last block is the
last 16 bytes; shorter strings are one block of their first and last 8 or 4 bytes, or of all their bytes, twice.

    python3 tests/golden/fingerprint.py          checks
    python3 tests/golden/fingerprint.py add      adds what is missing, and checks the rest
"""

import pathlib
import sys

# 64 bits of the fraction of pi, and 2^64 divided by the golden ratio.
START = 0x243F6A8885A308D3
STEP = 0x9E3779B97F4A7C15
LOW = (1 << 64) - 1


def blocks(data: bytes) -> list[tuple[bytes, bytes]]:
    """First and second part of each block."""
    n = len(data)
    if n >= 16:
        starts = [*range(0, n - 16, 16), n - 16]
        return [(data[at : at + 8], data[at + 8 : at + 16]) for at in starts]
    part = 8 if n >= 8 else 4
    return [(data[:part], data[-part:])] if n >= part else [(data, data)]


def product(x: int, y: int) -> tuple[int, int]:
    """The low and the high half of the sum times the second."""
    whole = (x + y & LOW) * y
    return whole & LOW, whole >> 64


def fingerprint(data: bytes) -> int:
    state = START ^ len(data) * STEP & LOW, STEP
    for first, second in blocks(data):
        x = int.from_bytes(first, "little") ^ state[0]
        y = int.from_bytes(second, "little") ^ state[1]
        low, high = product(x, y)
        state = low, x - high & LOW
    low, high = product(*state)
    return low ^ high


def parse(text: str) -> bytes:
    """Two hex digits a byte; `6B*130` is 130 of them."""
    out = b""
    for token in text.split():
        byte, _, times = token.partition("*")
        out += bytes.fromhex(byte) * int(times or 1)
    return out


def pattern(length: str) -> bytes:
    """So many bytes of the pattern: each is the one before plus 167, and the first is 13."""
    return bytes((13 + 167 * i) % 256 for i in range(int(length)))


def check(name: str, column: int, read) -> None:
    """Checks the file `name`, whose lines have the input, for `read`, in `column` and then the fingerprint."""
    path = pathlib.Path(__file__).with_name(name)
    lines = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            fields = [field.strip() for field in line.split("|")]
            given, found = fields[: column + 1], fields[column + 1 :]
            computed = f"{fingerprint(read(given[column])):016x}"
            missing = found == [] and sys.argv[1:] == ["add"]
            assert missing or found == [computed], f"{name}: {line}: {computed}"
            line = " | ".join([*given, computed])
        lines.append(line)
    if sys.argv[1:] == ["add"]:
        path.write_text("\n".join(lines) + "\n")


check("structures.txt", 1, parse)
check("lengths.txt", 0, pattern)
check("records.txt", 2, parse)
