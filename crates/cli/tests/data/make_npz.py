"""Writes the `.npz` files beside this script, with numpy 2.x."""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent

np.savez(
    HERE / "arrays.npz",
    **{
        "dense/kernel": np.ones((3, 4), np.float32),
        "dense/bias": np.zeros(4, np.float16),
        "step": np.int64(3),
        "names": np.array(["a", "bc"]),
        "mask": np.ones(2, bool),
        "fortran": np.ones((2, 2), np.complex64, order="F"),
        "big_endian": np.ones(3, ">f8"),
        "record": np.zeros(2, [("shape", "<f4"), ("at", "<i2")]),
        "void": np.zeros(2, "V2"),
        "when": np.zeros(1, "M8[ns]"),
    },
)
np.savez_compressed(
    HERE / "packed.npz",
    **{"layers.0.kernel": np.ones((3, 4), np.float32), "layers.1.kernel": np.ones((3, 4), np.float32)},
)
