"""What values of Python become in the bytes: no two that are unequal become one, and what has no form is refused.

NumPy adds its scalars where it is installed. `VALUES` is the number of random values, `SEED` where they begin.
"""

import collections
import collections.abc
import contextlib
import dataclasses
import enum
import importlib.util
import itertools
import math
import os
import random
import re
import threading
import time
import types
import unittest

import treedef
from treedef import LEAF, Float32, Opaque, Static, call_key, node, plain

VALUES, SEED = (int(os.environ.get(name, number)) for name, number in {"VALUES": 2000, "SEED": 1}.items())
HAVE_NUMPY = bool(importlib.util.find_spec("numpy"))
if HAVE_NUMPY:
    import numpy as np


class Missing:
    """Without state, as the object that Equinox writes in the place of what is missing."""

    def __bool__(self):
        return False

    def __repr__(self):
        return "1"


class Other(Missing):
    """Its objects print what those of `Missing` print."""


class Slot:
    __slots__ = ("value",)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 2


Point = collections.namedtuple("Point", "x y")


class Spec(tuple):
    pass


class Frozen(collections.abc.Mapping):
    """A mapping that is no dict, as that of Flax."""

    def __init__(self, items):
        self.items_of_it = dict(items)

    def __getitem__(self, key):
        return self.items_of_it[key]

    def __iter__(self):
        return iter(self.items_of_it)

    def __len__(self):
        return len(self.items_of_it)

    def __eq__(self, other):
        return isinstance(other, Frozen) and self.items_of_it == other.items_of_it

    def __hash__(self):
        return hash(frozenset(self.items_of_it.items()))


class Sized(dict):
    """A dict that has more than its items, and is equal if it is all equal."""

    size = 0

    def __eq__(self, other):
        return dict.__eq__(self, other) and self.size == other.size


class Unit(tuple):
    unit = ""

    def __eq__(self, other):
        return tuple.__eq__(self, other) and self.unit == other.unit

    __hash__ = tuple.__hash__


class Made(tuple):
    """What makes it counts."""

    def __new__(cls, *parts):
        return tuple.__new__(cls, parts)


class Equal:
    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


class Derived(Equal):
    pass


class Hidden:
    """What it has cannot be seen."""

    __dict__ = property(lambda self: {})


class Number(int):
    pass


class OfThread(threading.local):
    """Without a `__dict__` of its own, and with data of C."""


class Kept(Frozen):
    """A mapping of which its class makes another one."""

    def __init__(self, items):
        super().__init__({**dict(items), "more": len(dict(items))})


class Subset(frozenset):
    pass


class Pair(complex):
    pass


class Turned(tuple):
    def __iter__(self):
        return iter(self[::-1])


def local():
    class Base:
        pass

    return Base


class OfLocal(local()):
    pass


class Twin(tuple):
    pass


HIDDEN, Twin = Twin, type("Twin", (tuple,), {"__module__": __name__})


def relu():
    pass


def tanh():
    pass


NAMES = {relu: "relu", tanh: "tanh"}
# Classes whose objects are made again.
CLASSES = [collections.OrderedDict, collections.defaultdict, collections.Counter, collections.UserDict]
CLASSES += [collections.ChainMap, types.MappingProxyType, time.struct_time]
CLASSES += [Point, Spec, Made, Frozen, Sized, Unit, Missing, Other, Slot, Color, Level]
MISSING, OTHER, SLOT = Missing(), Other(), Slot()
ORDERED = collections.OrderedDict


def kinds():
    """Some values of every kind."""
    values = [None, False, True, 0, 1, -1, 2**70, 0.0, 0.5, 1.0, math.inf, Float32(0.1), "", "a", "1", "relu", b""]
    values += [b"a", (), (1,)]
    values += [((1,),), (1, 2), ("a", 1), (("a", 1),), (("a",), 1), ("x", "y"), ("<frozenset>", 1), ("<complex>", 0.0, 1.0)]
    values += [int, type(None), Color, Color.RED, Color.BLUE, Level.LOW, Level.HIGH, Level, Missing, MISSING, OTHER]
    values += [SLOT, Point]
    values += [relu, tanh, Opaque("a"), Opaque("Missing"), Opaque(""), (MISSING,), (MISSING, ("a", 1)), (int, 1, 2)]
    values += [(complex, 0, 1)]
    values += [0j, 1j, complex(1, 0), complex(0, 2), complex(2, 0), frozenset(), frozenset("a"), frozenset("ab")]
    values += [frozenset({1})]
    values += [frozenset({("a", 1)}), frozenset({frozenset()}), frozenset({MISSING}), (frozenset({1}),), (frozenset, 1)]
    values += [{}, {"a": 1}, {"a": 2}, {"b": 1}, {1: "a"}, {"a": (1,)}, {"a": {"b": 1}}, {("a", 1): ()}, {"a": 1, "b": 2}]
    values += [({"a": 1},)]
    values += [{MISSING: 1}, {"a": MISSING}, {"a": Color.RED}, (dict, ("a", 1)), {"a": None}, {None: "a"}]
    values += [ORDERED(), ORDERED(a=1), ORDERED(a=1, b=2), ORDERED(b=2, a=1), (ORDERED(a=1),), (ORDERED, ("a", 1))]
    values += [collections.defaultdict(int, a=1), collections.Counter("a"), collections.UserDict(a=1)]
    values += [collections.ChainMap({"a": 1})]
    values += [types.MappingProxyType({"a": 1}), types.MappingProxyType({}), Frozen({"a": 1}), Frozen({"a": Frozen({})})]
    values += [Point(1, 2), Point(1, (2,)), Point(2, 1), Spec((1, 2)), Spec(("a", None)), Spec(), Made(1, 2), (Point, 1, 2)]
    values += [time.gmtime(0), time.gmtime(1), (time.struct_time, *time.gmtime(0)), Spec((Point(1, 2),))]
    values += [Point(Spec((1, 2)), 0)]
    if HAVE_NUMPY:
        values += [np.bool_(True), np.int8(3), np.uint64(2**64 - 1), np.int64(-(2**63)), np.float16(0.1), np.float32(0.1)]
        values += [np.float64(0.1)]
        values += [np.longdouble(0.5), np.complex64(1j), np.complex64(0.1), np.complex128(0.1), np.dtype("float32")]
        values += [np.dtype("int8")]
        values += [np.float32, np.dtype, {np.int64(3): np.float32(0.5)}, {3: 0.5}, (np.dtype("bool"),), np.int64(1)]
        values += [Float32(0.5)]
    return values


def written(value, names=NAMES):
    return call_key(Static(plain(value, names))).to_bytes()


def back(value, names):
    """The value that the aux value of a node becomes when it is read again."""
    d = treedef.from_bytes(node("custom", [LEAF], None, "C", plain(value, NAMES)).to_bytes())
    return treedef._rebuilt(d, treedef._Names({LEAF: "C", **names}), lambda kind, cls, keys, meta, children: meta)


def are_equal(one, other):
    """What JAX asks about two aux values."""
    with contextlib.suppress(Exception):
        return bool(one == other)
    return False


def random_values(count):
    """Values that nest others, up to four levels."""
    rng, simple, hashed = random.Random(SEED), kinds(), []
    choice, pick = rng.choice, rng.randrange
    for value in simple:
        with contextlib.suppress(TypeError):
            hash(value)
            hashed.append(value)

    def parts(depth):
        return [made(depth - 1) for _ in range(pick(3))]

    def made(depth):
        if depth == 0 or pick(3) == 0:
            return choice(simple)
        mappings = [dict, ORDERED, Frozen, collections.UserDict, types.MappingProxyType]
        mappings = [lambda cls=cls: cls({choice(hashed): part for part in parts(depth)}) for cls in mappings]
        others = [lambda: tuple(parts(depth)), lambda: Spec(parts(depth)), lambda: Made(*parts(depth))]
        others += [lambda: Point(made(depth - 1), made(depth - 1))]
        others += [lambda: frozenset(choice(hashed) for _ in range(pick(4)))]
        return choice(mappings + others)()

    return [made(4) for _ in range(count)]


def known():
    """Names of all objects in `kinds`."""
    objects = [MISSING, OTHER, SLOT, Color.RED, Color.BLUE, Level.LOW, Level.HIGH]
    if HAVE_NUMPY:
        objects += [np.float32, np.dtype, *map(np.dtype, ("float32", "int8", "bool"))]
    found = {one: f"name {index}" for index, one in enumerate(CLASSES + objects)}
    return {**found, **NAMES, Opaque("a"): "a", Opaque("Missing"): "Missing"}


class Pairs(unittest.TestCase):
    def check(self, values):
        """No two that are unequal are written as one, and each that is read again is equal."""
        found, names = collections.defaultdict(list), known()
        for value in values:
            form = plain(value, NAMES)
            found[call_key(Static(form)).to_bytes()].append(value)
            # If the form itself is a value it is written as the same bytes.
            with contextlib.suppress(ValueError):
                self.assertTrue(are_equal(plain(form, NAMES) and form, value), value)
            self.assertTrue(are_equal(back(value, names), value), value)
        for data, same in found.items():
            for one, other in itertools.combinations(same, 2):
                self.assertTrue(are_equal(one, other), (one, other, data))
        return len(found)

    def test_values_of_every_kind_differ_in_pairs(self):
        values = kinds()
        self.assertGreater(len({type(value) for value in values}), 40 if HAVE_NUMPY else 30)
        # The rest are numbers that NumPy has in several types.
        self.assertGreater(self.check(values), len(values) - 12)

    def test_random_values_differ_in_pairs(self):
        self.assertGreater(self.check(random_values(VALUES)), VALUES // 3)


class Forms(unittest.TestCase):
    """The forms, which never change."""

    def test_every_form(self):
        path, ordered = f"{__name__}.", ORDERED(b=1, a=2)
        forms = {
            MISSING: Opaque(f"<object {path}Missing>"),
            SLOT: Opaque(f"<object {path}Slot>"),
            frozenset({2, 1, "a"}): (Opaque("<frozenset>"), 1, 2, "a"),
            frozenset(): (Opaque("<frozenset>"),),
            2 - 1j: (Opaque("<complex>"), 2.0, -1.0),
            Point(1, ("a",)): (Opaque(f"<class {path}Point>"), 1, ("a",)),
            Frozen({"b": 1, "a": 2}): (Opaque(f"<mapping {path}Frozen>"), ("a", 2), ("b", 1)),
            Color.RED: Opaque(f"{__name__}::Color.RED"),
            Color: Opaque(f"<class '{path}Color'>"),
        }
        for value, form in forms.items():
            self.assertEqual(written(value), call_key(Static(form)).to_bytes(), value)
        letters = tuple("abcdefghijklmnop")
        self.assertEqual(plain(frozenset(letters))[1:], letters)
        self.assertEqual(plain(Turned((1, 2))), (Opaque(f"<class {path}Turned>"), 1, 2))
        self.assertEqual(plain({"b": 1, "a": 2}), (Opaque("<mapping builtins.dict>"), ("a", 2), ("b", 1)))
        self.assertEqual(plain(ordered), (Opaque("<mapping collections.OrderedDict>"), ("b", 1), ("a", 2)))
        # By their bytes: the zigzag of 1 is 2, that of -1 is 1; a string of one byte is before one of two.
        self.assertEqual(plain({1: 0, -1: 0, "b": 0, "aa": 0})[1:], ((-1, 0), (1, 0), ("b", 0), ("aa", 0)))
        data = bytes([0xE1, 8, 2, 9, 23]) + b"<mapping builtins.dict>" + bytes([8, 2, 6, 1, 97, 3, 2])
        self.assertEqual(call_key(Static(plain({"a": 1}))).to_bytes(), data)

    def test_all_objects_without_state_of_a_class_are_one(self):
        self.assertEqual(written(Missing()), written(MISSING))
        self.assertNotEqual(written(OTHER), written(MISSING))

    @unittest.skipUnless(HAVE_NUMPY, "numpy is not installed")
    def test_scalars_of_numpy_are_numbers(self):
        numbers = [(np.int64(3), 3), (np.uint8(3), 3), (np.bool_(True), True), (np.float64(0.1), 0.1)]
        numbers += [(np.float16(0.5), 0.5)]
        numbers += [(np.float32(0.1), Float32(0.1)), (np.longdouble(0.5), 0.5), (np.uint64(2**64 - 1), 2**64 - 1)]
        numbers += [(np.complex128(1j), 1j), (np.int8(-128), -128)]
        for value, number in numbers:
            self.assertEqual(written(value), written(number), value)
        self.assertEqual(plain(np.complex64(1j)), (Opaque("<complex>"), Float32(0), Float32(1)))
        self.assertEqual([type(part) for part in plain(np.complex64(1j))[1:]], [Float32, Float32])
        self.assertEqual(type(plain(np.float64("nan"))), float)
        third = np.longdouble(1) / 3
        refused = [np.timedelta64(1, "s"), np.timedelta64(1, "ns"), np.datetime64(1, "ns"), np.str_("a"), np.bytes_(b"a")]
        refused += [third] if float(third) != third else []
        for value in refused:
            self.assertRaisesRegex(ValueError, "needs a name", plain, value)
        self.assertRaisesRegex(ValueError, "no name", plain, np.void(b"a"))
        unit = type("Metres", (np.float64,), {"__module__": __name__, "unit": "m"})
        self.assertRaisesRegex(ValueError, "needs a name", plain, unit(1.5))


class Refused(unittest.TestCase):
    def check(self, *values):
        for value in values:
            self.assertRaisesRegex(ValueError, "needs a name|has no hash and so no name", plain, value)

    def test_objects_with_state(self):
        class Local:
            pass

        def made(cls, **attributes):
            one = cls()
            for name, value in attributes.items():
                setattr(one, name, value)
            return one

        self.check(Local(), made(Missing, size=1), made(Slot, value=None), made(Equal))
        self.check(Hidden(), Number(3), OfThread(), Derived(), OfLocal())
        self.check(object(), threading.Lock(), re.compile("a"), (one for one in ()), ..., NotImplemented, len, relu, range(3))
        self.check(type("Derived", (Local,), {})(), memoryview(b""), slice(1), iter(()))

    def test_values_with_more_than_their_parts(self):
        unit, sized = Unit((1,)), Sized(a=1)
        self.assertEqual(plain((unit, sized))[0], (Opaque(f"<class {__name__}.Unit>"), 1))
        unit.unit = sized.size = "m"
        self.check(unit, sized, types.MappingProxyType(ORDERED(b=1, a=2)), Kept({"a": 1}), Subset("a"), Pair(1, 2))
        self.check(types.SimpleNamespace(a=1), dataclasses.make_dataclass("A", ["a"], frozen=True)(1))
        nested = {}
        nested["a"] = nested
        self.assertRaisesRegex(ValueError, "32 tuples nest", plain, nested)

    def test_a_string_that_is_no_utf8(self):
        self.assertRaisesRegex(ValueError, r"^\[1\]: 'a\\ud800' needs a name", plain, (1, "a\ud800"))
        self.assertEqual(plain((1, "é\U0001f600")), (1, "é\U0001f600"))

    def test_classes_of_one_name(self):
        class Local(tuple):
            pass

        self.check(Local, Local((1,)), HIDDEN, HIDDEN((1,)), enum.Enum("Color", {"RED": 1}, module=__name__).RED)
        self.assertEqual(plain(Local, {Local: "Local"}), Opaque("Local"))

    def test_opaque_texts_that_other_values_have(self):
        texts = f"<object {__name__}.Missing>", "<class 'int'>", "<frozenset>", "float32", f"{__name__}::Color.RED"
        self.check(*map(Opaque, texts))
        self.assertEqual(plain(Opaque("float32"), {Opaque("float32"): "f"}), Opaque("f"))

    def test_tuples_that_nest_as_deep_as_bytes_can(self):
        value = 1
        for depth in range(33):
            self.assertEqual(depth < 33, bool(written(value)))
            value = (value,)
        self.assertRaisesRegex(ValueError, "^[^:]*: more than 32 tuples nest$", plain, value)
        value = 1
        for _ in range(16):  # The tuple of a mapping has those of its pairs.
            value = {"a": value}
        self.assertEqual(treedef.CallKey.from_bytes(written(value)).parts, (Static(plain(value)),))
        self.assertRaisesRegex(ValueError, "32 tuples nest", plain, {"a": value})


class Names(unittest.TestCase):
    def test_a_name_is_none_of_the_forms(self):
        for name in ("<object a.B>", "<mapping ", "<class 'int'>", "<class a.B>", "<frozenset>", "<complex>s", ""):
            self.assertRaisesRegex(ValueError, "^the name .* is ", plain, 1, {relu: name})
            self.assertRaisesRegex(ValueError, "^the name .* is ", plain, 1, {"Layer.act": name})
        self.assertEqual(plain(relu, {relu: "<function relu>"}), Opaque("<function relu>"))

    def test_a_name_that_a_value_without_one_has_is_refused_for_that(self):
        for value in (Color.RED, Opaque("a"), int) + ((np.dtype("float32"),) if HAVE_NUMPY else ()):
            text = str(plain(value))
            if not text.startswith("<"):
                self.assertRaisesRegex(ValueError, "needs a name", plain, value, {relu: text})
                self.assertEqual(plain(value, {value: text}), Opaque(text))
        self.assertRaisesRegex(ValueError, "one name", plain, 1, {relu: "a", tanh: "a"})

    def test_places_and_classes_name_what_has_no_form(self):
        value, names = {"act": relu, "sizes": (1, 2), "also": [tanh]}, {"['act']": "an act", "list": "a list"}
        self.assertEqual(plain(value, names), plain({**value, "act": Opaque("an act"), "also": Opaque("a list")}))
        # What has a form keeps it.
        more = {**names, "['sizes']": "sizes", "int": "number", "dict": "a dict"}
        self.assertEqual(plain(value, more), plain(value, names))
        self.assertEqual(plain((1, Point(2, [3])), {"[1].y": "a list"})[1][2], Opaque("a list"))
        self.assertEqual(plain((1, Point(2, [3])), {"Point": "a point"}), (1, Opaque("a point")))
        self.assertEqual(plain(relu, {"function": "other", relu: "relu"}), Opaque("relu"))

    def test_a_refusal_is_one_line_and_names_the_place(self):
        class Long:
            def __repr__(self):
                return "Long(\n" + "  a\n" * 1000 + ")"

        with self.assertRaises(ValueError) as caught:
            plain((1, {"a": Point(1, Long())}))
        message = str(caught.exception)
        self.assertTrue(message.startswith("[1]['a'].y: Long( a a") and len(message) < 160 and "\n" not in message, message)


class Back(unittest.TestCase):
    def test_what_nothing_resolves_is_named(self):
        names = {**NAMES, MISSING: "missing", Frozen: "Frozen"}
        for value in (OTHER, Point(1, 2), ORDERED(a=1), Color.RED, Color, ({"a": (OTHER,)},)):
            with self.assertRaisesRegex(ValueError, "`names` has no object with the name"):
                back(value, names)
        with self.assertRaisesRegex(ValueError, f"^`names` has no object with the name <mapping {__name__}.Sized>$"):
            back(Sized(a=1), names)
        self.assertIs(back(MISSING, names), MISSING)
        # Two objects in `names` have the text.
        self.assertRaises(ValueError, back, MISSING, {MISSING: "one", Missing(): "two"})

    def test_forms_of_strangers_are_refused(self):
        head, point = Opaque("<mapping builtins.dict>"), Opaque(f"<class {__name__}.Point>")
        forms = [(head, 1), (head, (1,)), (head, (1, 2, 3)), (head, ("a", 1), ("a", 2)), (head, (head, 1)), head, point]
        forms += [(1, head)]
        forms += [(Opaque("<frozenset>"), 1, 1), (Opaque("<frozenset>"), (head, ("a", 1))), Opaque("<frozenset>")]
        forms += [Opaque("<complex>")]
        forms += [(Opaque("<complex>"), 1.0), (Opaque("<complex>"), "1j", 0.0), (Opaque("<complex>"), "1j")]
        forms += [(Opaque("<complex>"), 1, 2, 3)]
        forms += [Opaque("<mapping a>"), (Opaque("<class a.B>"), 1), (Opaque(f"<mapping {__name__}.Point>"), 1, 2)]
        for form in forms:
            d = node("custom", [LEAF], None, "C", form)
            read = lambda kind, cls, keys, meta, children: meta
            self.assertRaises(ValueError, treedef._rebuilt, d, treedef._Names({LEAF: "C", Point: "Point"}), read)


if __name__ == "__main__":
    unittest.main()
