"""Bytes, texts, fingerprints and keys that never change, and what is refused."""

import collections
import contextlib
import copy
import dataclasses
import decimal
import doctest
import enum
import fractions
import functools
import ipaddress
import pathlib
import pickle
import subprocess
import sys
import unittest
from unittest import mock

import recorded
import treedef
from treedef import LEAF, NONE, Array, CallKey, Float32, Named, Opaque, Static, call_key, from_bytes, node
from treedef import read_frame, read_record

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


def leaf(name):
    return node("struct", name="a leaf", meta=[("type", name)])


def of(container, child, **meta):
    return node("struct", [child], ["of"], container, [*meta.items()])


CHAIN = [leaf("uint16"), of("an option", node("struct", name="a recursion", meta=[("to", "app::Chain")]))]
MODES = [node("struct", name="app::Mode::Off"), node("struct", [leaf("float32")], ["max"], "app::Mode::Torque")]
MODES.append(node("struct", [of("a list", leaf("uint8"))], ["0"], "app::Mode::Steps"))
PAGE = {
    "name": leaf("alloc::string::String"),
    "mode": node("struct", MODES, ["Off", "Torque", "Steps"], "an enum"),
    "trim": of("an option", of("an option", leaf("int16"))),
    "limits": of("an array", leaf("float32"), room=2),
    "curve": of("a list", node("tuple", [leaf("uint16"), leaf("bool")]), room=4),
    "table": of("a map", leaf("uint32"), key="str", room=None),
    "by": of("a map", of("an option", node("tuple")), key="value", room=None),
    "chain": node("struct", CHAIN, ["value", "next"], "app::Chain"),
}
META = [("version", 1), ("unit", Opaque("Unit")), ("id", Opaque("u8"))]
PAGE = node("struct", PAGE.values(), PAGE, "app::Settings", META)
RECORD = """
    E1 9E E3 4C 70 9E 56 96 13 23
    07 61 78 69 73 20 C3 A9  00 00 C0 3F  00 00 80 BF 00 00 80 3F  AC 02 01 02 00  01 F0 A2 04  01 02
    06 03 41 6D 70 03 0E  01  01 00  02  02 06 01 61 06 01 62  02 08 02 03 02 03 01 08 02 03 04 03 00 00 01  01 00
"""


def with_key(page, body):
    return b"\xe1" + page.fingerprint().to_bytes(8, "little") + body


class Records(unittest.TestCase):
    def test_golden_records(self):
        addresses = [ipaddress.IPv4Address("192.168.0.1"), ipaddress.IPv6Address("::1")]
        expected = {
            "integers": [200, -2, 300, -300, 70_000, -2, 2**63, -(2**63), 2**128 - 1, -1, 5, -5],
            "other leaves": [True, "é", 1.0, -2.5, decimal.Decimal("1.5"), *addresses, 300, "p1"],
            "fixed-point and half": [fractions.Fraction(-1), fractions.Fraction(7, 256), 1.5, 1.5],
            "choices": [7, 1, 2, 3, 4],
            "132 choices": [9] * 65,
        }
        for name, body, page, key in golden("records.txt"):
            page = from_bytes(parsed(page))
            self.assertEqual(f"{page.fingerprint():016x}", key, name)
            record = read_record(with_key(page, parsed(body)), page)
            self.assertEqual(record.leaves, expected.pop(name), name)
        self.assertEqual(expected, {})

    def test_a_record_has_structure_and_leaves(self):
        record = read_record(parsed(RECORD), PAGE)
        text = (
            "PyTreeDef(CustomNode(Settings[(1, 'Amp', 7)], [*, CustomNode(Torque[()], [*]), Some(None), [*, *], "
            "[(*, *), (*, *)], {'a': *, 'b': *}, {(1, -1): None, (2, 0): ()}, "
            "CustomNode(Chain[()], [*, CustomNode(Chain[()], [*, None])])]))"
        )
        self.assertEqual(str(record.structure), text)
        expected = {".name": "axis é", ".mode.max": 1.5, ".limits[0]": -1.0, ".limits[1]": 1.0}
        expected |= {".curve[0][0]": 300, ".curve[0][1]": True, ".curve[1][0]": 2, ".curve[1][1]": False}
        expected |= {".table['a']": 1, ".table['b']": 70_000, ".chain.value": 1, ".chain.next.value": 2}
        self.assertEqual(record.paths(), expected)

    def test_a_record_can_have_its_page(self):
        record, page = parsed(RECORD), PAGE.to_bytes()
        data = b"\xe2" + bytes([len(record)]) + record + page
        self.assertEqual(read_record(data), read_record(record, PAGE))
        self.assertEqual(read_record(data, PAGE), read_record(record, PAGE))
        self.assertRaisesRegex(ValueError, "no page", read_record, record)
        for size in range(len(data)):
            self.assertRaises(ValueError, read_record, data[:size])
        for bit in range(8 * len(data)):
            damaged = bytearray(data)
            damaged[bit // 8] ^= 1 << bit % 8
            with contextlib.suppress(ValueError):
                read_record(bytes(damaged))

    def test_equal_elements_of_a_record_can_be_folded(self):
        page = of("a list", of("an array", of("an option", leaf("uint8")), room=3))
        key = "46 A7 EE DD 7C 9C F0 6C"
        self.assertEqual(page.fingerprint().to_bytes(8, "little"), parsed(key))
        leaves, choices = "01 02 03 04", "05 00 00 00 00 00 00 00 00 00 01 01 00 01 01 00"
        folded = "05  00 00 01  00 00 01  01  01 01 00 00  01 01 00 00  00"
        record = read_record(parsed(f"E1 {key} 10 {leaves} {choices}"), page)
        again = read_record(parsed(f"E3 {key} 11 {leaves} {folded}"), page)
        self.assertEqual(again, record)
        self.assertEqual(list(record.paths()), ["[3][0]", "[3][1]", "[4][0]", "[4][1]"])
        for wrong in folded[:-2] + "01", folded[:-2], "05  00 00 01  00 00 01  04":
            size = len(parsed(wrong))
            data = parsed(f"E3 {key} {size:02X} {leaves} {wrong}")
            self.assertRaises(ValueError, read_record, data, page)

    def test_damaged_records_are_refused_or_are_values(self):
        records = [(parsed(RECORD), PAGE)]
        for _, body, page, _ in golden("records.txt"):
            page = from_bytes(parsed(page))
            records.append((with_key(page, parsed(body)), page))
        for data, page in records:
            for size in range(len(data)):
                self.assertRaises(ValueError, read_record, data[:size], page)
            for bit in range(8 * len(data)):
                damaged = bytearray(data)
                damaged[bit // 8] ^= 1 << bit % 8
                with contextlib.suppress(ValueError):
                    read_record(damaged, page)
            other = bytearray(page.to_bytes())
            for bit in range(8 * len(other)):
                other[bit // 8] ^= 1 << bit % 8
                with contextlib.suppress(ValueError):
                    found = from_bytes(other)
                    read_record(with_key(found, data[9:]), found)
                other[bit // 8] ^= 1 << bit % 8

    def test_what_is_wrong_has_a_byte(self):
        record = parsed(RECORD)
        other = leaf("bool")
        key = f"{PAGE.fingerprint():#018x}, and the page has the key {other.fingerprint():#018x}"
        faults = [
            (b"", "bytes end before the part at byte 0 is complete"),
            (b"\xe4" + record[1:], "record does not begin with E1 or E3 at byte 0"),
            (record[:9], "bytes end before the part at byte 9 is complete"),
            (record[:9] + b"\x7f" + record[10:], "record has 127 bytes of choices at byte 9"),
            (record[:32] + b"\x02" + record[33:], "leaf is no bool at byte 32"),
            (record[:48] + b"\x03" + record[49:], "choice 3 of an enum at byte 48"),
            (record[:49] + b"\x02" + record[50:], "choice 2 of an option at byte 49"),
            (record[:51] + b"\x05" + record[52:], "choice 5 of a length at byte 51"),
            (record[:41] + b"\0" + record[41:], "bytes follow the leaves at byte 41"),
        ]
        for data, fault in faults:
            with self.assertRaises(ValueError, msg=fault) as raised:
                read_record(data, PAGE)
            self.assertEqual(str(raised.exception), fault)
        with self.assertRaises(ValueError) as raised:
            read_record(record, other)
        self.assertEqual(str(raised.exception), f"record is of the type with the key {key}")

    def test_leaves_that_no_value_has_are_refused(self):
        for name, data, fault in [
            ("bool", "02", "leaf is no bool"),
            ("uint16", "80 80 04", "leaf is no uint16"),
            ("uint32", "81 80 80 80 80 00", "number has more than 32 bits"),
            ("NonZero<int8>", "00", "leaf is no NonZero<int8>"),
            ("char", "80 B0 03", "leaf is no char"),
            ("Duration", "00 80 94 EB DC 03", "leaf is no Duration"),
            ("str<2>", "03 61 61 61", "leaf is no str<2>"),
            ("str<2>", "01 FF", "string is not utf-8"),
        ]:
            with self.assertRaises(ValueError) as raised:
                read_record(with_key(leaf(name), b"\0" + parsed(data)), leaf(name))
            self.assertEqual(str(raised.exception), f"{fault} at byte 10")
        record = read_record(with_key(leaf("app::Date"), b"\0\2\1\xff"), leaf("app::Date"))
        self.assertEqual(record.leaves, [b"\1\xff"])
        self.assertEqual(read_record(with_key(page := of("an array", leaf("bool"), room="x"), b"\0"), page).leaves, [])
        for page in (LEAF, node("list"), node("struct", name="an option"), CHAIN[1], node("none")):
            with self.assertRaises(ValueError) as raised:
                read_record(with_key(page, b"\1\1"), page)
            self.assertIn("page is no schema: it has ", str(raised.exception))
        many = of("a list", node("tuple"))
        with self.assertRaises(ValueError) as raised, mock.patch.object(treedef, "MAX_RECORD_NODES", 1000):
            read_record(with_key(many, b"\5\xff\xff\xff\xff\x0f"), many)
        self.assertEqual(str(raised.exception), "record of more than 1000 nodes at byte 10")


class Frames(unittest.TestCase):
    def test_golden_frames(self):
        axis = [4.0, 1.0, 3]
        expected = {
            "leaves": [200, 300, 70_000, 2**63, True, 300, -2, -300, -2, -(2**63), 1.0, -2.5],
            "idle": [*axis, *axis, 4],
            "running": [1.0, 13.0, 25.0, 1, 13.0, 1.0, 13.0, 1.0, 13],
            "132 choices": [9] * 65,
            "fixed-point and half": [fractions.Fraction(-1), fractions.Fraction(7, 256), 1, 1, 1.5, 1.5],
        }
        for name, frame, page in golden("frames.txt"):
            frame, page = parsed(frame), from_bytes(parsed(page))
            read = read_frame(frame, page)
            self.assertEqual(read.leaves, expected.pop(name), name)
            self.assertEqual(read_frame(frame[1:], page, is_body=True), read)
            if name == "idle":
                self.assertEqual(list(read.paths())[-2:], [".axes[1].load", ".tick"])
        self.assertEqual(expected, {})

    def test_damaged_frames_are_refused_or_are_values(self):
        for _, frame, page in golden("frames.txt"):
            frame, page = parsed(frame), from_bytes(parsed(page))
            for size in range(len(frame)):
                self.assertRaises(ValueError, read_frame, frame[:size], page)
            self.assertRaises(ValueError, read_frame, frame + b"\0", page)
            for bit in range(8 * len(frame)):
                damaged = bytearray(frame)
                damaged[bit // 8] ^= 1 << bit % 8
                with contextlib.suppress(ValueError):
                    read_frame(damaged, page)
                    self.assertGreaterEqual(bit, 8)
            other = bytearray(page.to_bytes())
            for bit in range(8 * len(other)):
                other[bit // 8] ^= 1 << bit % 8
                with contextlib.suppress(ValueError):
                    read_frame(frame[1:], from_bytes(other), is_body=True)
                other[bit // 8] ^= 1 << bit % 8

    def test_pages_without_choices_have_no_number(self):
        empty = of("an array", of("an option", leaf("bool")), room=0)
        self.assertEqual(read_frame(b"", empty, is_body=True).leaves, [])
        one = node("struct", [node("struct", [leaf("int8")], ["0"], "app::One")], ["One"], "an enum")
        self.assertEqual(read_frame(b"\7", one, is_body=True).leaves, [7])
        self.assertRaises(ValueError, read_frame, b"\7", of("an option", leaf("int8")), True)
        for name in ("usize", "u128", "char", "str<8>", "app::Date"):
            self.assertRaises(ValueError, read_frame, b"\1" * 16, leaf(name), True)


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
