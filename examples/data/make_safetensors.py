"""Writes `tiny_gpt.safetensors` and `tricky_names.safetensors` beside this script.

    pip install safetensors==0.8.0 numpy==2.4.6
    python3 make_safetensors.py
"""

import json
import struct
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

HERE = Path(__file__).resolve().parent
WIDTH, LAYERS, TOKENS, POSITIONS = 4, 2, 8, 6


def tiny_gpt():
    """A GPT-2 of two layers and width four, with the tensor names of the Hugging Face checkpoint."""
    random = np.random.default_rng(0)

    def tensor(*shape, dtype=np.float32):
        return random.normal(0.0, 0.02, shape).astype(dtype)

    tensors = {
        "transformer.wte.weight": tensor(TOKENS, WIDTH, dtype=np.float16),
        "transformer.wpe.weight": tensor(POSITIONS, WIDTH, dtype=np.float16),
        "transformer.ln_f.weight": np.ones(WIDTH, np.float32),
        "transformer.ln_f.bias": np.zeros(WIDTH, np.float32),
        "position_ids": np.arange(POSITIONS, dtype=np.int64),
        "step": np.array(1000, np.int64),
    }
    for layer in range(LAYERS):
        at = f"transformer.h.{layer}"
        for norm in ("ln_1", "ln_2"):
            tensors[f"{at}.{norm}.weight"] = np.ones(WIDTH, np.float32)
            tensors[f"{at}.{norm}.bias"] = np.zeros(WIDTH, np.float32)
        for name, rows, columns in (
            ("attn.c_attn", WIDTH, 3 * WIDTH),
            ("attn.c_proj", WIDTH, WIDTH),
            ("mlp.c_fc", WIDTH, 4 * WIDTH),
            ("mlp.c_proj", 4 * WIDTH, WIDTH),
        ):
            tensors[f"{at}.{name}.weight"] = tensor(rows, columns)
            tensors[f"{at}.{name}.bias"] = np.zeros(columns, np.float32)
    return tensors


def write_in_order(path, tensors):
    """Writes float32 tensors in the order given, which the package's own writer would sort."""
    header, data = {}, b""
    for name, values in tensors:
        block = np.asarray(values, "<f4").tobytes()
        offsets = [len(data), len(data) + len(block)]
        header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": offsets}
        data += block
    # The format wants the tensors to fill the data without gaps; it leaves the order of the header free.
    header = dict(sorted(header.items(), key=lambda item: item[1]["shape"]))
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    path = HERE / "tiny_gpt.safetensors"
    metadata = {"format": "pt", "model": "gpt2, two layers of width four"}
    save_file(tiny_gpt(), path, metadata=metadata)
    assert load_file(path).keys() == tiny_gpt().keys()

    path = HERE / "tricky_names.safetensors"
    tensors = [
        ("z.9", [1.0]),
        ("a.b", [2.0, 3.0]),
        ("a", [4.0, 5.0, 6.0]),
        ("a.b.c", [7.0]),
        ("x..y", [8.0]),
        (".first", [9.0]),
        ("last.", [10.0]),
        ("z.10", [11.0]),
        (".", [12.0]),
        ("Größe.π", [13.0]),
        ('quote".back\\slash', [14.0]),
        ("empty", []),
    ]
    write_in_order(path, tensors)
    # The package itself must take the file, so that it is tricky and not broken.
    loaded = load_file(path)
    assert {name: values.tolist() for name, values in loaded.items()} == dict(tensors)


if __name__ == "__main__":
    main()
