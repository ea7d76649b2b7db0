"""Writes seeds for the fuzz targets from the corpora of the repository: `seeds.py FOLDER`, a folder for each target."""

import hashlib
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Larger files are cut by the fuzzer anyway.
MOST = 4096


def structures():
    for line in (ROOT / "tests/golden/structures.txt").read_text().splitlines():
        parts = line.split(" | ")
        if not line.startswith("#") and len(parts) == 3:
            tokens = (token.split("*") for token in parts[1].split())
            yield b"".join(bytes.fromhex(byte) * int(*times or "1") for byte, *times in tokens)


def frames():
    """Schemas, each with the body of a frame of its type."""
    for line in (ROOT / "tests/golden/frames.txt").read_text().splitlines():
        if not line.startswith("#"):
            _, frame, schema = line.split(" | ")
            yield bytes.fromhex(schema) + bytes.fromhex(frame)[1:]


def texts():
    """Texts of paths in recorded answers."""

    def strings(answer):
        if isinstance(answer, str):
            yield answer
        for child in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
            yield from strings(child)

    found = set()
    for line in (ROOT / "tests/conformance/flatten.jsonl").read_text().splitlines():
        found.update(text for text in strings(json.loads(line)) if text[:1] in (".", "["))
    return sorted(found)[:300]


def files():
    """What each format of the target `imports` reads, with the number of the format."""
    for line in (ROOT / "tests/conformance/proto.jsonl").read_text().splitlines():
        yield 0, bytes.fromhex(json.loads(line)["bytes"])
    for file in (ROOT / "tests/conformance/jax_export").glob("*.bin"):
        yield 1, file.read_bytes()
    for number, pattern in ((2, "*.json"), (3, "*.safetensors"), (6, "*.treedef"), (8, "*.pb"), (9, "*.jax_export")):
        for file in sorted((ROOT / "examples/data").glob(pattern)):
            yield number, file.read_bytes()
    yield 2, b'{"weight_map":{"a.b":"x"},"metadata":{}}'
    yield 2, b'{"tree_metadata":{"(\'a\',)":{"key_metadata":[{"key":"a","key_type":2}]}}}'
    yield 2, b'[1,{"type":"builtins.dict","context":"[\\"a\\"]","children_spec":[{"type":null,"context":null,"children_spec":[]}]}]'
    header = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    yield 3, len(header).to_bytes(8, "little") + header + bytes(4)
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(48)
    yield 5, array
    for seed in zips(array):
        yield 4, seed


def zips(array):
    import io
    import zipfile

    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as file:
            file.writestr("a/b.npy", array)
            file.writestr("c.npy", array)
        yield out.getvalue()


def noise(count):
    """Bytes without a meaning, the same in each run."""
    return [hashlib.shake_256(bytes([seed])).digest(40 + 9 * seed) for seed in range(count)]


def seeds():
    defs = list(structures())
    pairs = [one + other for one in defs for other in defs[::7]]
    yield "verdicts", defs + noise(20)
    yield "reading", defs + pairs + [one + other + b"\x00" for one, other in zip(defs, defs[1:])] + list(frames())
    yield "imports", [bytes([number, how]) + data[:MOST] for number, data in files() for how in (0, 6)]
    yield "keys", [bytes([2, len(one) % 256]) + one + other for one, other in zip(defs, defs[3:])] + noise(20)
    yield "paths", [bytes([at % 12]) + text.encode() for at, text in enumerate(texts())] + [bytes([7]) + one + b"[0]" for one in defs]
    yield "migration", [bytes([at % 256]) + pair for at, pair in enumerate(pairs)]
    yield "operations", noise(30)
    yield "typed", noise(30)


if __name__ == "__main__":
    for target, inputs in seeds():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for data in inputs:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
