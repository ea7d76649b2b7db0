"""Adds the fingerprints that `structures.txt` still lacks, and checks the others.

A second implementation of the fingerprint, from its description: words of eight bytes, low byte first, then the rest as
one more word (zero if there is none), are mixed into a state that starts with the length; two shifts and a
multiplication end it.

    python3 tests/golden/fingerprint.py
"""

import pathlib

GOLDEN = 0x9E3779B97F4A7C15
FINAL = 0xD6E8FEB86659FD93
MASK = (1 << 64) - 1


def fingerprint(data: bytes) -> int:
    state = len(data) * GOLDEN & MASK
    whole = len(data) // 8 * 8
    chunks = [data[i : i + 8] for i in range(0, whole, 8)] + [data[whole:]]
    for chunk in chunks:
        rotated = (state << 23 | state >> 41) & MASK
        state = (rotated ^ int.from_bytes(chunk, "little")) * GOLDEN & MASK
    state = (state ^ state >> 32) * FINAL & MASK
    return state ^ state >> 32


def parse(text: str) -> bytes:
    """Two hex digits a byte; `6B*130` is 130 of them."""
    out = b""
    for token in text.split():
        byte, _, times = token.partition("*")
        out += bytes.fromhex(byte) * int(times or 1)
    return out


path = pathlib.Path(__file__).with_name("structures.txt")
lines = []
for line in path.read_text().splitlines():
    if line and not line.startswith("#"):
        fields = [field.strip() for field in line.split("|")]
        computed = f"{fingerprint(parse(fields[1])):016x}"
        assert fields[2:] in ([], [computed]), f"{line}: {computed}"
        line = " | ".join([*fields[:2], computed])
    lines.append(line)
path.write_text("\n".join(lines) + "\n")
