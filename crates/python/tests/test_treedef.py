"""Bytes, texts, fingerprints and keys that never change, and what is refused."""

import collections
import copy
import dataclasses
import decimal
import doctest
import enum
import functools
import pathlib
import pickle
import subprocess
import sys
import unittest

import recorded
import treedef
from treedef import LEAF, NONE, Array, CallKey, Float32, Named, Opaque, Static, call_key, from_bytes, node

FOLDER = pathlib.Path(__file__).resolve().parents[1]
GOLDEN = FOLDER.parents[1] / "tests/golden"


def golden(name):
    """The fields of each line of a file."""
    lines = (GOLDEN / name).read_text().splitlines()
    return [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]


def parsed(text):
    """Two hex digits a byte; `6B*130` is 130 of them."""
    parts = (token.partition("*") for token in text.split())
    return b"".join(bytes.fromhex(byte) * int(times or 1) for byte, _, times in parts)


def rewritten(d):
    children = [rewritten(child) for child, count in d.items for _ in range(count)]
    return node(d.kind, children, d.keys, d.name, d.meta)


class Golden(unittest.TestCase):
    def test_structures(self):
        for name, data, fingerprint in golden("structures.txt"):
            data = parsed(data)
            d = from_bytes(data)
            self.assertEqual((d.to_bytes(), f"{d.fingerprint():016x}"), (data, fingerprint), name)
            self.assertEqual(rewritten(d).to_bytes(), data, name)

    def test_fingerprints_of_every_length(self):
        for length, fingerprint in golden("lengths.txt"):
            data = bytes((13 + 167 * i) % 256 for i in range(int(length)))
            self.assertEqual(f"{treedef.fingerprint(data):016x}", fingerprint, length)

    def test_keys(self):
        params = node("dict", [LEAF, LEAF], ["b", "w"])
        floats = [Array("float32", shape) for shape in ((3,), (2, 3), (2,))]
        gains = node("struct", [LEAF, LEAF], ["kp", "ki"], "robot::Gains", [("dt", Float32(0.5)), ("units", "Nm")])
        keys = {
            "train": call_key(node("tuple", [params, LEAF]), *floats, Named("train", True)),
            "gains": call_key(gains, Array("float32", ("batch", 3)), Array("float64")),
            "static": call_key(LEAF, Array("float32", weak=True), True, "relu", (-1, 2.5), None, Opaque("tanh"), b"gpu:0"),
        }
        for name, data in golden("keys.txt"):
            self.assertEqual(keys[name].to_bytes().hex(" ").upper(), data, name)
            self.assertEqual(CallKey.from_bytes(bytes.fromhex(data)), keys[name])
        self.assertEqual(keys["train"].to_bytes().hex(), recorded.SHARED_KEY)


class Values(unittest.TestCase):
    def test_values_that_python_takes_for_equal_are_three(self):
        keys = {call_key(value) for value in (1, True, 1.0, Float32(1))}
        self.assertEqual(len(keys), 4)
        self.assertEqual(len({node("ordered_dict", [LEAF], [key]) for key in (1, True, 1.0)}), 3)

    def test_bytes_and_a_static_argument_of_bytes_are_two_parts(self):
        self.assertNotEqual(call_key(b"a"), call_key(Static(b"a")))
        self.assertEqual(CallKey.from_bytes(call_key(b"a", Static(b"a")).to_bytes()).parts, (b"a", Static(b"a")))

    def test_floats_keep_their_bits(self):
        data = bytes.fromhex("cb00070143 0a0100a0ff".replace(" ", ""))
        self.assertEqual(rewritten(from_bytes(data)).to_bytes(), data)
        self.assertEqual(
            [repr(Float32(x)) for x in (0.1, -0.0, 1e10, float("inf"))], ["0.1", "-0.0", "10000000000.0", "inf"]
        )

    def test_long_integers_print(self):
        d = node("custom", name="C", meta=(10**5000, "a"))
        self.assertEqual(str(d), f"PyTreeDef(CustomNode(C[(1{'0' * 5000}, 'a')], []))")
        self.assertEqual(list(node("dict", [LEAF], [10**5000]).paths()), [f"[1{'0' * 5000}]"])

    def test_what_has_no_bytes_is_refused(self):
        for wrong in (lambda: call_key([1]), lambda: call_key(object()), lambda: call_key(Array("float31"))):
            self.assertRaises(ValueError, wrong)
        for keys in (["b", "a"], ["a", "a"], ["a", 1], [True, 1], [Opaque("a"), Opaque("b")], [0.0, float("nan")]):
            self.assertRaises(ValueError, node, "dict", [LEAF, LEAF], keys)
        for keys in (["a"], ["a", "b", "c"]):
            self.assertRaises(ValueError, node, "dict", [LEAF, LEAF], keys)
        with self.assertRaisesRegex(ValueError, "^the keys 1 and 'a' cannot be ordered$"):
            node("dict", [LEAF, LEAF], [1, "a"])
        self.assertRaises(ValueError, node, "struct", [LEAF, LEAF], ["a"], "S", [("b", 0)])
        self.assertRaises(ValueError, node, "some", [LEAF, LEAF])
        for what, given in (
            ("children", ("leaf", [LEAF])),
            ("keys", ("tuple", [LEAF], ["a"])),
            ("name", ("dict", [LEAF], ["a"], "D")),
            ("meta", ("tuple", [LEAF], (), "", [("b", 0)])),
        ):
            with self.assertRaises(ValueError) as caught:
                node(*given)
            self.assertEqual(str(caught.exception), f"a {given[0]} has no {what}")

    def test_a_wrong_dimension_or_child_is_named(self):
        for wrong in (-3, 2**64, None, 2.5):
            with self.assertRaisesRegex(ValueError, f"^dimension or index {wrong} is not an integer from 0 to"):
                call_key(Array("float32", (2, wrong)))
        self.assertRaisesRegex(ValueError, "index -1 is not", node, "custom", [LEAF], [("index", -1)], "C")
        self.assertEqual(call_key(Array("int8", (2**64 - 1,))).parts, (Array("int8", (2**64 - 1,)),))
        self.assertRaisesRegex(TypeError, "^a child is a TreeDef, not 1$", node, "list", [LEAF, 1])

    def test_an_empty_name_of_a_type_is_a_name(self):
        self.assertEqual(node("struct", [LEAF], ["b"]).to_bytes().hex(), "810300016200")

    def test_a_star_imports_no_module(self):
        found = {}
        exec("from treedef import *", found)
        self.assertEqual([name for name, value in found.items() if isinstance(value, type(treedef))], [])
        self.assertIs(found["from_bytes"], from_bytes)

    def test_parts_that_differ(self):
        one, other = call_key(LEAF, Array("int8"), 1, b"a", 0.5), call_key(NONE, Array("int8"), True, Static(b"a"))
        differences = [(0, "PyTreeDef(*)", "PyTreeDef(None)"), (2, "1", "True"), (3, "b'a'", "b'a'"), (4, "0.5", "")]
        self.assertEqual(list(one.differences(other)), differences)
        self.assertEqual(list(one.differences(one)), [])

    def test_names(self):
        self.assertEqual(treedef.plain((1, int, "a")), (1, Opaque("<class 'int'>"), "a"))
        self.assertEqual(treedef.plain(len, {len: "len"}), Opaque("len"))
        self.assertRaisesRegex(ValueError, "needs a name", treedef.plain, (1, len))

    def test_a_static_argument_has_an_exact_text_or_a_name(self):
        color = enum.Enum("Color", {"RED": 1, "CRIMSON": 1}, module="paint")
        self.assertEqual(treedef.plain(color.CRIMSON), Opaque("paint::Color.RED"))
        self.assertEqual(treedef.plain(color), Opaque("<class 'paint.Color'>"))
        level = enum.IntFlag("Level", ["LOW", "HIGH"], module="paint")
        self.assertEqual(treedef.plain((level.LOW,)), (Opaque("paint::Level.LOW"),))
        mode, point = dataclasses.make_dataclass("Mode", ["number"], frozen=True), collections.namedtuple("Point", "x y")
        values = [mode(3), functools.partial(print), object(), Exception("a"), level(0), decimal.Decimal(1)]
        for value in values:
            self.assertRaisesRegex(ValueError, "needs a name: its text may be that of others", treedef.plain, value)
            self.assertRaisesRegex(ValueError, "needs a name", treedef.plain, ("relu", (value,)))
        for value in (mode([1]), [1, 2], {1, 2}, bytearray(b"a")):
            self.assertRaisesRegex(ValueError, "has no hash and so no name: write a tuple", treedef.plain, ("a", value))
        self.assertEqual(treedef.plain((mode(3), Float32(1)), {mode(3): "mode 3"}), (Opaque("mode 3"), Float32(1)))
        self.assertEqual(treedef.plain((point(1, 2), 1j), {point(1, 2): "a", 1j: "b"}), (Opaque("a"), Opaque("b")))

    def test_an_empty_symbol_is_a_symbol(self):
        key = treedef.CallKey.from_bytes(bytes([0xE4, 11, 1, 1]))
        self.assertEqual(treedef.call_key(*key.parts), key)

    def test_a_class_inside_a_function_needs_a_name(self):
        class Local:
            pass

        self.assertRaises(ValueError, treedef.name_of, Local)

    def test_errors_have_an_offset(self):
        for data, offset in (("", 0), ("4200", 2), ("0000", 1), ("42000061", 2), ("620401620161", 4)):
            with self.assertRaises(ValueError) as caught:
                from_bytes(bytes.fromhex(data))
            self.assertEqual(caught.exception.offset, offset, data)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(str(again), "the keys at 0 and 1 are not increasing at byte 4")
        self.assertEqual((type(again), again.offset), (type(caught.exception), 4))

    def test_an_empty_key_and_a_key_of_a_treedef(self):
        self.assertEqual((call_key().to_bytes(), call_key(NONE).to_bytes()), (b"", NONE.to_bytes()))

    def test_treedefs_are_values(self):
        d = node("list", [LEAF, NONE])
        self.assertEqual({d: 1}[from_bytes(d.to_bytes())], 1)
        for same in (copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
            self.assertEqual((same, str(same)), (d, str(d)))
        key, deep = call_key(d, True), from_bytes(b"\x21" * 50_000 + b"\0")
        self.assertEqual(pickle.loads(pickle.dumps((key, deep))), (key, deep))


class Readme(unittest.TestCase):
    def test_host_reads_the_frames_of_the_device(self):
        run = subprocess.run(
            [sys.executable, "examples/host.py", "examples/drive.bin"], cwd=FOLDER, capture_output=True, text=True
        )
        shown = (FOLDER / "README.md").read_text().split("examples/drive.bin\n", 1)[1].split("```", 1)[0]
        self.assertEqual((run.stdout, run.stderr), (shown, ""))


def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite(treedef))
    tests.addTests(doctest.DocFileSuite(str(FOLDER / "README.md"), module_relative=False))
    return tests


if __name__ == "__main__":
    unittest.main()
