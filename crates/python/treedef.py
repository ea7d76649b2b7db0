"""The treedefs and call keys of the Rust crate `treedef`: the same bytes, texts and fingerprints, in Python.

A treedef is the structure of a tree of containers: all but its leaves. Equal structures have equal bytes, on every
machine and in both languages. So a Python program reads what firmware sends, and a JAX process finds the code that a
Rust process has compiled, if both write the same key.

    >>> d = from_bytes(bytes([0x62, 4, 1, 97, 1, 98, 0x00, 0x22, 0x01]))
    >>> print(d, d.num_leaves, list(d.paths()))
    PyTreeDef({'a': *, 'b': (*, *)}) 3 ["['a']", "['b'][0]", "['b'][1]"]
    >>> key = call_key(d, Array("float32", (3,)), Static("relu"))
    >>> print(key, hex(key.fingerprint()))
    PyTreeDef({'a': *, 'b': (*, *)}), float32[3], 'relu' 0xcc1fd6d1d3976539

Values inside a treedef or key are None, bool, int, float, str, bytes, tuples of these, `Float32`, and `Opaque`. Compare
treedefs and keys, and not the values in them: for Python `1 == True == 1.0`, but in a key they are three values.
The page `format` of the crate's documentation defines the bytes.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import dataclasses
import decimal
import enum
import fractions
import ipaddress
import itertools
import re
import reprlib
import struct
import sys
import types
from collections import OrderedDict, defaultdict, deque
from typing import Any, Callable, Generator, Iterable, Iterator, Mapping, NamedTuple, Sequence

__all__ = ["LEAF", "NONE", "Array", "CallKey", "DecodeError", "Difference", "Float32", "Named", "Opaque", "Record"]
__all__ += ["Static", "TreeDef", "call_key", "fingerprint", "from_bytes", "from_jax", "from_optree", "key_of_call"]
__all__ += ["name_of", "node", "plain", "read_frame", "read_record", "to_jax", "to_optree"]
Names = Mapping[Any, str]  # The names in the bytes of objects, and by texts of places and classes; `plain` has both.
Steps = Generator[Any, Any, Any]  # What `_unrolled` runs.
MAX, INT64 = 2**32 - 1, range(-(2**63), 2**63)
MAX_PENDING, MAX_VALUE_DEPTH, MAX_TEXT_DEPTH, MAX_RECORD_NODES = 64, 32, 1024, 1_000_000
# The largest number of bytes of choices that are unfolded.
MAX_RECORD_BYTES = 2**28
DTYPES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128 "
    "int4 uint4 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float0 float8_e4m3 "
    "float8_e3m4 float8_e8m0fnu float4_e2m1fn key<fry> key<rbg> key<urbg>"
).split()
# The kinds of nodes: the first byte without the count, for each form of keys; what the block has; the text.
KINDS: dict[str, tuple[Sequence[int], str, str]] = {
    "leaf": ([0x00], "", "*"),
    "tuple": ([0x20], "", "({0})"),
    "list": ([0x40], "", "[{0}]"),
    "dict": ([0x60, 0xC2, 0xC3], "sorted keys", "{{{0}}}"),
    "struct": ([0x80], "name, keys, meta", "CustomNode({short}[{meta}], [{0}])"),
    "repeat": ([0xA0], "", ""),
    "none": ([0xC0], "", "None"),
    "some": ([0xC1], "nothing", "Some({0})"),
    "ordered_dict": (range(0xC4, 0xC7), "keys", "CustomNode(OrderedDict[{keys}], [{0}])"),
    "default_dict": (range(0xC7, 0xCA), "name, sorted keys", "CustomNode(defaultdict[({name}, {keys})], [{0}])"),
    "named_tuple": ([0xCA], "name, keys", "CustomNode(namedtuple[{short}], [{0}])"),
    "custom": ([0xCB], "name, aux value, child keys", "CustomNode({short}[{meta}], [{0}])"),
}
HEADS = {head: (kind, form) for kind, (heads, _, _) in KINDS.items() for form, head in enumerate(heads)}
DICTS: dict[str, Any] = {"dict": dict, "ordered_dict": OrderedDict, "default_dict": defaultdict}
CLASSES = {"leaf": None, "none": type(None), "tuple": tuple, "list": list, **DICTS}
CHILD_KEYS = ("attr", "key", "index", "raw")
TOO_LARGE, BLOCK = f"more than {MAX} bytes, nodes or leaves", "block does not end where its length says"
NODE, PART = "bytes end before the node", "bytes end before the part"


@dataclasses.dataclass(frozen=True)
class Opaque:
    """The text or name of a value that the bytes have no form for. It prints without quotes."""

    text: str

    def __repr__(self) -> str:
        return self.text


class Float32(float):
    """A 32-bit float, as the `f32` of Rust. It prints the fewest digits that read back.

    >>> Float32(0.1), float(Float32(0.1))
    (0.1, 0.10000000149011612)
    """

    bits: bytes

    def __new__(cls, value: float, bits: bytes = b"") -> Float32:
        bits = bits or struct.pack("<f", value)
        self = super().__new__(cls, *struct.unpack("<f", bits))
        self.bits = bits
        return self

    def __repr__(self) -> str:
        # Above a power of two there is more room than below it, so what is further away can be the one that reads back.
        for digits, near in itertools.product(range(9), (self, self * (1 + 2**-25))):
            text = f"{near:.{digits}e}"
            if ctypes.c_float(float(text)).value == self:
                return repr(float(text))
        return repr(float(self))


class DecodeError(ValueError):
    """Bytes that are no treedef or no call key. `offset` is the byte at which the refused item begins."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what, offset)
        self.what, self.offset = what, offset

    def __str__(self) -> str:
        return f"{self.what} at byte {self.offset}{' is complete' * (self.what in (NODE, PART))}"


@dataclasses.dataclass(frozen=True)
class _Bytes:
    """What is equal if its bytes are."""

    _data: memoryview

    def to_bytes(self) -> bytes:
        """Returns the bytes, which `from_bytes` of the Rust type reads."""
        return bytes(self._data)

    def fingerprint(self) -> int:
        """Returns `fingerprint(self.to_bytes())`."""
        return fingerprint(self.to_bytes())

    def __reduce__(self) -> Any:
        return from_bytes if isinstance(self, TreeDef) else CallKey.from_bytes, (self.to_bytes(),)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class TreeDef(_Bytes):
    """A structure. `from_bytes`, `node`, `from_jax` and `from_optree` make it, and nothing changes it.

    - `kind`: leaf, none, some, tuple, list, dict, ordered_dict, default_dict, named_tuple, struct or custom.
    - `name`: of the type, such as `robot::Gains`; of a default dict the text of its factory.
    - `keys`: of a dictionary; the names of fields; of a custom node its child keys, or None if it gives none. A child
      key is `("attr", name)`, `("key", value)`, `("index", number)` or `("raw", text)`.
    - `meta`: of a struct the `(name, value)` of its meta fields; of a custom node its aux value.
    - `items`: the children, each with the number of its adjacent copies: a few bytes can be a billion leaves.
    - `num_leaves`, `num_nodes`: with all copies.
    """

    _head: memoryview
    kind: str
    name: str
    keys: Any
    meta: Any
    items: tuple[tuple[TreeDef, int], ...]
    num_leaves: int
    num_nodes: int

    @classmethod
    def from_bytes(cls, data: bytes) -> TreeDef:
        r"""Reads a treedef. It takes the same bytes as `TreeDef::from_bytes` of the Rust crate, and refuses the same.

        >>> from_bytes(b"\x22\x00")
        Traceback (most recent call last):
        treedef.DecodeError: bytes end before the node at byte 2 is complete
        """
        reader = _Reader(data)
        found = reader.tree()
        reader.begin().check(reader.at == reader.end, "bytes follow the treedef")
        return found

    def __str__(self) -> str:
        """Returns the text of JAX, with all copies. For the bytes of strangers take `repr`, which is short."""
        return f"PyTreeDef({_unrolled(self._text(False))})"

    def __repr__(self) -> str:
        return f"PyTreeDef({_unrolled(self._text(True))})"

    def paths(self) -> Iterator[str]:
        """Yields the path of each leaf, as `jax.tree_util.keystr`.

        >>> million = from_bytes(bytes.fromhex("5fa1833c 1fa0833c"))
        >>> million, next(million.paths())
        (PyTreeDef([1000000 × *]), '[0]')
        """
        return (place.path for place in self._walk(self, lambda one, _: one.kind == "leaf", False))

    def differences(self, found: TreeDef) -> Iterator[Difference]:
        """Yields the places where `found` differs, from left to right. Nothing below such a place is compared.

        >>> print(*node("list", [LEAF, LEAF]).differences(node("list", [LEAF, NONE])))
        at [1]: expected leaf, found none
        """
        return self._walk(found, lambda one, other: one._head != other._head, True)

    def _walk(self, found: TreeDef, is_end: Callable, skips: bool) -> Iterator[Difference]:
        """Yields the pairs of nodes that are ends, with their paths. A tree can be of any depth."""
        way, stack = [""], [iter([("", self, found)])]
        while stack:
            for entry, one, other in stack[-1]:
                if not is_end(one, other):
                    way.append(entry)
                    stack.append(one._pairs(other, skips))
                    break
                yield Difference("".join(way) + entry, one, other)
            else:
                stack.pop()
                way.pop()

    def _pairs(self, found: TreeDef, skips: bool) -> Iterator[tuple[str, TreeDef, TreeDef]]:
        """The pairs of children, each with its entry; if it `skips`, without copies that both have."""
        index, left, right = 0, [*self.items[::-1]], [*found.items[::-1]]
        while left:
            (one, count), (other, many) = left.pop(), right.pop()
            both = min(count, many)
            left += [(one, count - both)] * (count > both)
            right += [(other, many - both)] * (many > both)
            if not skips or both == 1 or one != other:
                yield from ((self._entry(at), one, other) for at in range(index, index + both))
            index += both

    def _entry(self, index: int) -> str:
        """The entry of a child, as `keystr` prints it."""
        if not self.keys:
            return {"some": "", "custom": f"[<flat index {index}>]"}.get(self.kind, f"[{index}]")
        key = self.keys[index]
        tag, key = key if self.kind == "custom" else ("key" if self.kind in DICTS else "attr", key)
        return f"[{_show(key)}]" if tag in ("key", "index") else f".{key}" if tag == "attr" else key

    def _text(self, folded: bool, levels: int = MAX_TEXT_DEPTH) -> Steps:
        """The text. Folded it has each copy once."""
        pieces: list[str] = []
        names = map(_show, self.keys if self.kind == "dict" else ())
        for child, count in self.items:
            text = (yield child._text(folded, levels - 1)) if levels > 1 or not child.items else "…"
            if self.kind == "dict":
                labels = [*itertools.islice(names, count)]
                labels = [", ".join(labels)] if folded and child.kind != "leaf" else labels
                pieces += [f"{label}: {text}" for label in labels]
            else:
                is_once = folded and count > (8 if child.kind == "leaf" else 1)
                pieces += [f"{count} × {text}"] if is_once else [text] * count
        inner = ", ".join(pieces) + "," * (self.kind == "tuple" and [count for _, count in self.items] == [1])
        meta = tuple([value for _, value in self.meta]) if self.kind == "struct" else self.meta
        parts = {"short": self.name.rsplit("::", 1)[-1], "meta": meta if type(meta) is str else _show(meta)}
        return KINDS[self.kind][2].format(inner, name=self.name, keys=_show(self.keys), **parts)

    def _words(self) -> str:
        """What the head has."""
        count = sum(count for _, count in self.items)
        words = [self.kind.replace("_", " "), self.name, f"of {count}" * (self.kind not in ("leaf", "none"))]
        words += [f"with {_show(self.keys)}" * bool(self.keys), f"meta {_show(self.meta)}" * (self.meta != ())]
        return " ".join(filter(None, words))


class Difference(NamedTuple):
    """A place where two structures differ: its path, and the two nodes there."""

    path: str
    expected: TreeDef
    found: TreeDef

    def __str__(self) -> str:
        return f"at {self.path or 'the root'}: expected {self.expected._words()}, found {self.found._words()}"


def _unrolled(generator: Steps) -> Any:
    """Returns the result of a generator that yields others and is sent their results: recursion to any depth."""
    stack, result = [generator], None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as end:
            stack.pop()
            result = end.value
    return result


def _show(value: Any) -> str:
    """`repr`, also of integers that are longer than Python prints."""
    if type(value) is tuple:
        return f"({', '.join(map(_show, value))}{',' * (len(value) == 1)})"
    return f"{decimal.Decimal(value):f}" if type(value) is int else repr(value)


class _Reader:
    """Reads bytes. A fault is at `start`, where the current item begins; `missing` is the fault if the bytes end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.end, self.start, self.missing = bytes(data), 0, len(data), len(data), PART
        self.leaves = self.nodes = 0
        self.check(len(data) <= MAX, TOO_LARGE)

    def check(self, is_right: bool, fault: str) -> None:
        if not is_right:
            raise DecodeError(fault, self.start)

    def begin(self) -> _Reader:
        self.start = self.at
        return self

    def take(self, count: int) -> bytes:
        self.check(count <= self.end - self.at, self.missing)
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self, largest: int = MAX) -> int:
        total, shift, byte = 0, 0, 128
        while byte >= 128 and shift < 70:
            byte = self.byte()
            total += (byte & 127) + (shift > 0) << shift
            shift += 7
        self.check(byte < 128 and total <= largest, self.missing)
        return total

    def integer(self) -> int:
        number = self.number(2**64 - 1)
        return number >> 1 ^ -(number & 1)

    def leb(self, bits: int) -> int:
        """Reads a number of a record: seven bits a byte, the lowest first."""
        total, shift, byte = 0, 0, 128
        while byte >= 128:
            byte = self.byte()
            total |= (byte & 127) << shift
            self.check(shift < bits and total < 1 << bits, f"number has more than {bits} bits")
            shift += 7
        return total

    def leaf(self, name: str) -> Any:
        """Reads a leaf of a record, of the type with this name."""
        if name in RECORD_LEAVES:
            try:
                return RECORD_LEAVES[name](self)
            except (LookupError, OverflowError, UnicodeError):
                raise DecodeError(f"leaf is no {name}", self.start) from None
        if found := INTEGER.fullmatch(name):
            is_not_zero, sign, digits, scale = found.groups()
            bits = 64 if digits == "size" else int(digits)
            number = self.byte() if bits == 8 else self.leb(max(bits, 32))
            self.check(number < 1 << bits and (number or not is_not_zero), f"leaf is no {name}")
            if sign.lower() in ("i", "int", "fixedi"):
                number = number - (number >> 7 << 8) if bits == 8 else number >> 1 ^ -(number & 1)
            return fractions.Fraction(number, 1 << int(scale)) if scale else number
        size, most = self.leb(32), re.fullmatch(r"str<(\d+)>", name)
        self.check(not most or size <= int(most[1]), f"leaf is no {name}")
        return self.text(size) if most or name == "alloc::string::String" else self.take(size)

    def text(self, size: int | None = None) -> str:
        try:
            return self.take(self.number() if size is None else size).decode()
        except UnicodeDecodeError:
            raise DecodeError("string is not utf-8", self.start) from None

    def value(self, levels: int = MAX_VALUE_DEPTH) -> Any:
        tag = self.byte()
        self.check(tag < len(SCALARS), f"value tag {tag} is unknown")
        if tag == 4:
            sign, magnitude = self.byte(), self.take(self.number())
            value = int.from_bytes(magnitude, "little") * (1 - 2 * sign)
            is_short = sign <= 1 and magnitude[-1:] != b"\0" and value not in INT64
            self.check(is_short, "integer is not in its shortest form")
            return value
        if tag == 8:
            self.check(levels > 0, f"value nests tuples deeper than {MAX_VALUE_DEPTH} levels")
            return tuple([self.value(levels - 1) for _ in range(self.number())])
        return SCALARS[tag](self)

    def keys(self, count: int, form: int, is_sorted: bool) -> tuple[Any, ...]:
        """Keys of a dictionary or names of fields: strings, integers or values, which are the forms 0, 1 and 2."""
        first, found, read = self.at, [], (self.text, self.integer, self.value)[form]
        for index in range(count):
            self.begin()
            found.append(read())
            fault = _disorder(*found[-2:]) if index and is_sorted else ""
            self.check(not fault, f"the keys at {index - 1} and {index} {fault}")
        self.start = first
        self.check(_form(found) == form, "keys are in a wider form than they need")
        return tuple(found)

    def child_key(self) -> tuple[str, Any]:
        tag = self.begin().byte()
        self.check(tag < len(CHILD_KEYS), f"child key kind {tag} is unknown")
        return CHILD_KEYS[tag], self.value() if tag == 1 else self.number() if tag == 2 else self.text()

    def block(self, kind: str, form: int, count: int) -> tuple[str, Any, Any]:
        """Reads the name, keys and meta of a node."""
        keys, meta, parts = (), [], KINDS[kind][1]  # type: Any, Any, str
        self.take(size := self.number() if parts else 0)
        self.check(kind != "some" or count == 1, f"node kind does not allow {count} children")
        self.at, self.end, self.missing = self.at - size, self.at, BLOCK
        name = self.begin().text() if "name" in parts else ""
        if "aux" in parts:
            meta = self.begin().value()
            keys = tuple([self.child_key() for _ in range(count)]) if self.at < self.end else None
        elif "keys" in parts:
            keys = self.keys(count, form, "sorted" in parts)
        while "meta" in parts and self.at < self.end:
            meta.append((self.begin().text(), self.begin().value()))
        self.begin().check(self.at == self.end, BLOCK)
        self.end, self.missing = len(self.data), NODE
        return name, keys, tuple(meta) if type(meta) is list else meta

    def head(self) -> tuple[str, int, int]:
        """Reads a kind, the form of its keys, and the count."""
        first = self.byte()
        head, count = (first, 0) if first >= 0xC0 else (first & 0xE0, first & 31)
        self.check(head < 0xE0, "node kind 7 is unknown")
        self.check(head in HEADS, f"extension subkind {head & 31} is unknown")
        count += self.number() if count == 31 or head > 0xC0 else 0
        self.check(count <= MAX, TOO_LARGE)
        return (*HEADS[head], count)

    def add(self, leaves: int, nodes: int) -> None:
        self.leaves, self.nodes = self.leaves + leaves, self.nodes + nodes
        self.check(max(self.leaves, self.nodes) <= MAX, TOO_LARGE)

    def children(self, left: int, pending: int) -> Steps:
        """Reads the next `left` children, below `pending` levels, and returns each with the number of its copies."""
        items: list[tuple[TreeDef, int]] = []
        while left:
            before, copies = items[-1] if items else (NONE, 0)
            is_unit, start = before.num_leaves > 0 and before is not LEAF, self.begin().at
            is_new = not is_unit or not self.data.startswith(before.to_bytes(), start)
            self.check(is_new, "node equals its previous sibling and is not written as a repeat")
            kind, form, count = self.head()
            if kind in ("leaf", "repeat"):
                stated, count = self.number() if kind == "repeat" else 1, count + 1
                self.check(count <= MAX, TOO_LARGE)
                self.check(kind == "repeat" or before is not LEAF, "two runs of leaves are adjacent")
                self.check(kind == "leaf" or is_unit and copies == 1, "repeat does not follow a node with leaves")
                node = before if kind == "repeat" else LEAF
                self.check(stated == node.num_leaves, f"repeat states {stated} leaves, its unit has {node.num_leaves}")
                self.check(count <= left, f"item encodes {count} child{'ren' * (count > 1)}, the node lacks {left}")
                items.append((LEAF, count) if kind == "leaf" else (items.pop()[0], 1 + count))
                self.add(node.num_leaves * count, node.num_nodes * count)
                left -= count
            else:
                parts, body = self.block(kind, form, count), self.at
                self.start, left, leaves, nodes = start, left - 1, self.leaves, self.nodes
                self.add(0, 1)
                below = pending + (count > 0 and left > 0)
                self.check(below <= MAX_PENDING, f"more than {MAX_PENDING} levels are pending")
                inner = yield self.children(count, below)
                data, sizes = memoryview(self.data)[start : self.at], (self.leaves - leaves, self.nodes - nodes)
                items.append((TreeDef(data, data[: body - start], kind, *parts, inner, *sizes), 1))
        return tuple(items)

    def tree(self) -> TreeDef:
        self.missing, self.leaves, self.nodes = NODE, 0, 0
        return _unrolled(self.children(1, 0))[0][0]

    def part(self) -> Any:
        """Reads a part of a call key."""
        self.missing = PART
        tag = self.begin().byte()
        if tag == 0xE0:
            return self.take(self.number())
        if tag == 0xE1:
            return Static(self.value())
        if tag == 0xE6:
            return Named(self.text(), self.value())
        if not 0xE2 <= tag <= 0xE5:
            self.at = self.start
            return self.tree()
        code, is_symbolic, shape = self.byte(), tag > 0xE3, []
        self.check(code < len(DTYPES), f"dtype code {code} is unknown")
        for _ in range(self.number()):
            length = self.number(2**64 - 1) if is_symbolic else 0  # Of a symbol, and one.
            shape.append(self.text(length - 1) if length else self.number(2**64 - 1))
        self.check(any(isinstance(size, str) for size in shape) == is_symbolic, "array has no symbolic dimension")
        return Array(DTYPES[code], tuple(shape), tag % 2 == 1)


# What reads values, by their tags; those of 4 and 8 are in `_Reader.value`.
SCALARS: list[Any] = [lambda r: None, lambda r: False, lambda r: True, _Reader.integer, None]
SCALARS += [lambda r: struct.unpack("<d", r.take(8))[0], _Reader.text, lambda r: r.take(r.number()), None]
SCALARS += [lambda r: Opaque(r.text()), lambda r: Float32(0, r.take(4))]


# What reads the leaves of records, by the names of their types, and the names of integers and fixed-point numbers.
RECORD_LEAVES: dict[str, Callable[[_Reader], Any]] = {
    "bool": lambda r: (False, True)[r.byte()],
    "char": lambda r: r.leb(32).to_bytes(4, "little").decode("utf-32-le"),
    "float16": lambda r: struct.unpack("<e", r.take(2))[0],
    "bfloat16": lambda r: Float32(0, b"\0\0" + r.take(2)),
    "float32": lambda r: Float32(0, r.take(4)),
    "float64": lambda r: struct.unpack("<d", r.take(8))[0],
    "Duration": lambda r: decimal.Decimal(f"{r.leb(64)}.{range(10**9)[r.leb(32)]:09}"),
    "Ipv4Addr": lambda r: ipaddress.IPv4Address(r.take(4)),
    "Ipv6Addr": lambda r: ipaddress.IPv6Address(r.take(16)),
}
INTEGER = re.compile(r"(NonZero<)?(uint|int|u|i|FixedU|FixedI)(8|16|32|64|128|size)(?:<U(\d{1,3})>)?(?(1)>)")


def _disorder(one: Any, other: Any) -> str:
    """Why two keys are not in Python's order; empty if they are."""
    with contextlib.suppress(TypeError):
        if one < other or one > other:
            return "" if one < other else "are not increasing"
    return "are equal" if one == other else "cannot be ordered"


from_bytes = TreeDef.from_bytes
LEAF = TreeDef(memoryview(b"\0"), memoryview(b"\0"), "leaf", "", (), (), (), 1, 1)
NONE = TreeDef(memoryview(b"\xc0"), memoryview(b"\xc0"), "none", "", (), (), (), 0, 1)


def _varint(value: int) -> bytes:
    if not (hasattr(value, "__index__") and 0 <= value < 2**64):
        raise ValueError(f"dimension or index {_show(value)} is not an integer from 0 to 2**64 - 1")
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value = (value >> 7) - 1
    return bytes([*out, value])


def _run(data: str | bytes) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return _varint(len(data)) + data


def _value(value: Any) -> bytes:
    cls = type(value)
    if value is None or cls is bool:
        return bytes([0 if value is None else 1 + value])
    if cls is int and value in INT64:
        return b"\3" + _varint(value << 1 if value >= 0 else ~(value << 1))
    if cls is int:
        return bytes([4, value < 0]) + _run(abs(value).to_bytes((value.bit_length() + 7) // 8, "little"))
    if cls in (float, Float32):
        return b"\5" + struct.pack("<d", value) if cls is float else b"\x0a" + value.bits
    if cls is tuple:
        return b"\x08" + _varint(len(value)) + b"".join(map(_value, value))
    if cls not in (str, bytes, Opaque):
        raise ValueError(f"a {cls.__name__} is no value of a treedef or key: {value!r}")
    return {str: b"\6", bytes: b"\7", Opaque: b"\x09"}[cls] + _run(value.text if cls is Opaque else value)


def _form(keys: Sequence[Any]) -> int:
    """The narrowest form that fits all keys: strings, integers of 64 bits, values."""
    types = set(map(type, keys))
    return 0 if types <= {str} else 1 if types == {int} and all(key in INT64 for key in keys) else 2


def _head(head: int, count: int) -> bytes:
    most = 0 if head > 0xC0 else 31  # What the first byte has room for.
    return bytes([head | min(count, most)]) + (_varint(count - most) if count >= most else b"")


def _write(kind: str, children: Any, keys: Any = (), name: str = "", meta: Any = ()) -> tuple[bytes, int]:
    """The bytes of a node and the number of its leaves, from those of its children."""
    if kind in ("leaf", "none"):
        return (b"\0", 1) if kind == "leaf" else (b"\xc0", 0)
    keys, (heads, parts, _), count, leaves, items = list(keys or ()), KINDS[kind], 0, 0, b""
    for (data, unit), copies in itertools.groupby(children):
        times = len(list(copies))
        count, leaves = count + times, leaves + unit * times
        if data == b"\0":
            items += _head(0, times - 1)
        elif unit == 0 or times == 1:
            items += data * times
        else:
            items += data + _head(0xA0, times - 2) + _varint(unit)
    if len(keys) != count and (keys or "keys" in parts and kind != "custom"):
        raise ValueError(f"the number of children is {count}, that of keys {len(keys)}")
    for one, other in zip(keys, keys[1:]) if "sorted" in parts else ():
        if fault := _disorder(one, other):
            raise ValueError(f"the keys {one!r} and {other!r} {fault}")
    block, form = _run(name) if "name" in parts else b"", _form(keys) if kind in DICTS else 0
    if kind == "custom":
        payloads: Any = {"attr": _run, "key": _value, "index": _varint, "raw": _run}
        block += _value(meta) + b"".join(bytes([CHILD_KEYS.index(tag)]) + payloads[tag](key) for tag, key in keys)
    else:
        # If all keys are integers, they are written without the tag.
        block += b"".join(_run(key) if form == 0 else _value(key)[form == 1 :] for key in keys)
        block += b"".join(_run(field) + _value(value) for field, value in meta)
    return _head(heads[form], count) + (_run(block) if parts else b"") + items, leaves


def node(kind: str, children: Iterable[TreeDef] = (), keys: Any = (), name: str = "", meta: Any = ()) -> TreeDef:
    """Makes a node; the arguments are as the attributes of `TreeDef`. Keys of a dict and a default dict are in order.

    >>> print(node("struct", [LEAF, LEAF], ["kp", "ki"], "robot::Gains", [("dt", 0.5)]))
    PyTreeDef(CustomNode(Gains[(0.5,)], [*, *]))
    """
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of node")
    for child in (children := [*children]):
        if not isinstance(child, TreeDef):
            raise TypeError(f"a child is a TreeDef, not {child!r}")
    made = from_bytes(_write(kind, [(child.to_bytes(), child.num_leaves) for child in children], keys, name, meta)[0])
    for what, given in {"items": children, "keys": keys, "name": name, "meta": meta}.items():
        if given and not getattr(made, what):
            raise ValueError(f"a {kind} has no {'children' if what == 'items' else what}")
    return made


def fingerprint(data: bytes) -> int:
    r"""Returns the 64 bits by which caches filter. Equal bytes have equal fingerprints; the reverse is only likely.

    >>> hex(fingerprint(b"\x22\x01"))
    '0x1002eb78edd3302c'
    """
    low, step, size = 2**64 - 1, 0x9E3779B97F4A7C15, len(data)
    half = 8 if size >= 8 else 4 if size >= 4 else size
    a, b = 0x243F6A8885A308D3 ^ size * step & low, step
    for start in *range(0, size - 16, 16), max(size - 16, 0):
        block = data[start : start + 16]
        x = int.from_bytes(block[:half], "little") ^ a
        y = int.from_bytes(block[-half:], "little") ^ b
        product = (x + y & low) * y
        a, b = product & low, x - (product >> 64) & low
    product = (a + b & low) * b
    return product & low ^ product >> 64


class Record(NamedTuple):
    """A value that a Rust program stored. `read_record` makes it.

    A leaf is a bool, int, float, `Float32` or str, a `Decimal` of seconds, an address of `ipaddress`, a `Fraction` for
    a fixed-point number, or the bytes of a leaf type of the program. What is no leaf, such as None, the variant of an
    enum or a meta field, is in the structure.
    """

    structure: TreeDef
    leaves: list[Any]

    def paths(self) -> dict[str, Any]:
        """Returns each leaf by its path."""
        return dict(zip(self.structure.paths(), self.leaves))


def read_record(data: bytes, page: TreeDef | None = None) -> Record:
    r"""Reads a record, which `treedef::record::save` of the Rust crate wrote. `page` is `from_bytes` of the bytes of
    `schema_of` its type; a record of `save_with_page` has it. A record of another type is a `ValueError` with both keys.

    >>> page = node("tuple", [node("struct", name="a leaf", meta=[("type", name)]) for name in ("uint16", "bool")])
    >>> record = b"\xe1" + page.fingerprint().to_bytes(8, "little") + bytes([0, 0xAC, 0x02, 1])
    >>> read_record(record, page).paths()
    {'[0]': 300, '[1]': True}
    """
    if data[:1] == b"\xe2":
        front = _Reader(data[1:])
        data = front.take(front.begin().leb(64))
        page = page or from_bytes(front.data[front.at :])
    if page is None:
        raise ValueError("record has no page of its type")
    return _RecordReader(data, page).record(page)


class _RecordReader:
    """Reads a record: leaves by `front` and choices by `back`."""

    is_folded, unfolded = False, 0

    def __init__(self, data: bytes, page: TreeDef) -> None:
        self.front, self.back, self.leaves, self.nodes = _Reader(data), _Reader(data), [], 0  # type: Any, Any, Any, int
        front, back = self.front.begin(), self.back
        form = front.byte()
        front.check(form in (0xE1, 0xE3), "record does not begin with E1 or E3")
        self.is_folded = form == 0xE3
        key, own = int.from_bytes(front.begin().take(8), "little"), page.fingerprint()
        if key != own:
            raise ValueError(f"record is of the type with the key {key:#018x}, and the page has the key {own:#018x}")
        count = front.begin().leb(64)
        front.check(count <= front.end - front.at, f"record has {count} bytes of choices")
        front.end = back.at = front.end - count

    def record(self, page: TreeDef) -> Record:
        """Reads all."""
        structure = from_bytes(_unrolled(self.tree(page, ()))[0])
        for part, what in ((self.front, "leaves"), (self.back, "choices")):
            part.begin().check(part.at == part.end, f"bytes follow the {what}")
        return Record(structure, self.leaves)

    def choice(self, count: int | None, what: str) -> int:
        """Reads a choice below `count`."""
        choice = self.back.begin().leb(64)
        self.back.check(count is None or choice < count, f"choice {choice} of {what}")
        return choice

    def all(self, pages: Iterable[TreeDef], around: Any) -> Steps:
        found = []
        for page in pages:
            found.append((yield self.tree(page, around)))
        return found

    def elements(self, page: TreeDef, count: int, around: Any) -> Steps:
        """Reads elements, whose choices can be folded: after two that are equal is the number of others. The choices of
        copies are those of the first one, read again, because leaves differ."""
        found, back = [], self.back
        while len(found) < count:
            start = back.at
            found.append((yield self.tree(page, around)))
            size = back.at - start
            if not (self.is_folded and size and len(found) < count and back.data.startswith(back.data[start : back.at], back.at)):
                continue
            back.at += size
            copies = 1 + back.begin().leb(64)
            back.check(copies <= count - len(found), f"{copies} copies of an element")
            self.unfolded += copies * size
            back.check(self.unfolded <= MAX_RECORD_BYTES, f"record of more than {MAX_RECORD_BYTES} bytes of choices")
            after = back.at
            for _ in range(copies):
                back.at = start
                found.append((yield self.tree(page, around)))
            back.at = after
        return found

    def tree(self, page: TreeDef, around: Any) -> Steps:
        """Reads a value of this schema, and returns what `_write` returns. `around` is the node of the page around it,
        and what is around that."""
        self.nodes += 1
        self.back.check(self.nodes <= MAX_RECORD_NODES, f"record of more than {MAX_RECORD_NODES} nodes")
        inner, name, notes = [child for child, _ in page.items], page.name, {}  # type: Any, str, dict[str, Any]
        around = (page, around)
        if page.kind == "tuple":
            return _write("tuple", (yield self.all(inner, around)))
        if page.kind != "struct" or name in ("an option", "an array", "a list", "a map", "an enum") and not inner:
            raise ValueError(f"page is no schema: it has {page._words()}")
        notes.update(page.meta)
        room = notes.get("room") if type(notes.get("room")) is int else None
        if name == "a leaf":
            self.leaves.append(self.front.begin().leaf(str(notes.get("type"))))
            return b"\0", 1
        if name == "a recursion":
            while around := around[1]:
                one = around[0]
                if (one.items[0][0] if one.name == "an enum" else one).name == notes.get("to"):
                    return (yield self.tree(one, around[1]))
            raise ValueError("page is no schema: it has a recursion to what is not around it")
        if name == "an option":
            if self.choice(2, "an option") == 0:
                return NONE.to_bytes(), 0
            value = yield self.tree(inner[0], around)
            return _write("some", [value]) if inner[0].name == "an option" else value
        if name in ("an array", "a list"):
            count = room or 0 if name == "an array" else self.choice(None if room is None else room + 1, "a length")
            return _write("list", (yield self.elements(inner[0], count, around)))
        if name == "a map":
            keys = [self.back.begin().value() for _ in range(self.choice(None, "a map"))]
            return _write("dict", (yield self.elements(inner[0], len(keys), around)), keys)
        if name == "an enum":
            page = inner[self.choice(len(inner), "an enum") if len(inner) > 1 else 0]
        # Of a meta field that is no constant the page has its type or None.
        is_open = lambda own: own is None or type(own) is Opaque
        meta = [(field, self.back.begin().value() if is_open(own) else own) for field, own in page.meta]
        inner = yield self.all([child for child, _ in page.items], around)
        return _write("struct", inner, page.keys, page.name, meta)


def read_frame(data: bytes, page: TreeDef, is_body: bool = False) -> Record:
    r"""Reads a frame, which `treedef::record::frame::frame_into` of the Rust crate wrote, under the page of its type; with
    `is_body` one without its first byte. A frame of another type is a `ValueError`.

    >>> page = node("tuple", [node("struct", name="a leaf", meta=[("type", name)]) for name in ("uint16", "bool")])
    >>> read_frame(b"\x2c\x01\x01", page, is_body=True).paths()
    {'[0]': 300, '[1]': True}
    """
    return _FrameReader(data, page, is_body).record(page)


class _FrameReader(_RecordReader):
    """Reads a frame, which has its leaves after its choices."""

    def __init__(self, data: bytes, page: TreeDef, is_body: bool) -> None:
        self.front, self.back, self.leaves, self.nodes = _FixedReader(data), _Reader(data), [], 0
        front, own = self.front.begin(), page.fingerprint() & 255
        if not is_body and (first := front.byte()) != own:
            raise ValueError(f"frame is of a type whose key has the low byte {first:#04x}, and the page has {own:#04x}")
        count = front.begin().leb(64) if _is_open(page) else 0
        front.check(count <= front.end - front.at, f"frame has {count} bytes of choices")
        self.back.at, self.back.end = front.at, front.at + count
        front.at += count


class _FixedReader(_Reader):
    """Reads leaves of fixed width."""

    def leaf(self, name: str) -> Any:
        if name in ("bool", "float16", "bfloat16", "float32", "float64"):
            return super().leaf(name)
        found = INTEGER.fullmatch(name)
        if not found or found[3] in ("128", "size"):
            raise ValueError(f"a leaf of the type {name} has no fixed width")
        is_not_zero, sign, digits, scale = found.groups()
        data = self.take(int(digits) // 8)
        number = int.from_bytes(data, "little", signed=sign.lower() in ("i", "int", "fixedi"))
        self.check(number or not is_not_zero, f"leaf is no {name}")
        return fractions.Fraction(number, 1 << int(scale)) if scale else number


def _is_open(page: TreeDef) -> bool:
    """Whether a type leaves something open, by its page."""
    pages = [page]
    while pages:
        page = pages.pop()
        if page.name in ("an option", "a list", "a map", "a recursion") or page.name == "an enum" and len(page.items) > 1:
            return True
        meta = page.meta if page.kind == "struct" else ()
        if page.name != "an array" and any(own is None or type(own) is Opaque for _, own in meta):
            return True
        if page.name != "an array" or ("room", 0) not in meta:
            pages += [child for child, _ in page.items]
    return False


class Array(NamedTuple):
    """The type of an array, as a part of a key. A dimension is a size, or the text of a symbol.

    >>> print(Array("float32", (8, "batch")), Array("int32", weak=True))
    float32[8,batch] weak int32[]
    """

    dtype: str
    shape: tuple[Any, ...] = ()
    weak: bool = False

    def __str__(self) -> str:
        return f"{'weak ' * self.weak}{self.dtype}[{','.join(map(str, self.shape))}]"


class Static(NamedTuple):
    """A static argument, as a part of a key."""

    value: Any

    def __str__(self) -> str:
        return _show(self.value)


class Named(NamedTuple):
    """A value with a name, such as a device or a flag of the compiler, as a part of a key."""

    name: str
    value: Any

    def __str__(self) -> str:
        return f"{self.name}={_show(self.value)}"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CallKey(_Bytes):
    """The key of a call. `call_key` makes it; `parts` are what that takes."""

    parts: tuple[Any, ...]

    @classmethod
    def from_bytes(cls, data: bytes) -> CallKey:
        """Reads a key. It takes the same bytes as `CallKey::from_bytes` of the Rust crate, and refuses the same."""
        reader, parts = _Reader(data), []
        while reader.at < reader.end:
            parts.append(reader.part())
        return cls(memoryview(reader.data), tuple(parts))

    def differences(self, found: CallKey) -> Iterator[tuple[int, str, str]]:
        """Yields the index and both texts of each part that differs; a part that one key lacks has an empty text.

        >>> list(call_key(LEAF, 1, "relu").differences(call_key(LEAF, 2)))
        [(1, '1', '2'), (2, "'relu'", '')]
        """
        keys = [[call_key(part) for part in key.parts] for key in (self, found)]
        pairs = enumerate(itertools.zip_longest(*keys, fillvalue=call_key()))
        return ((index, str(one), str(other)) for index, (one, other) in pairs if one != other)

    def __str__(self) -> str:
        return ", ".join(repr(part) if isinstance(part, (TreeDef, bytes)) else str(part) for part in self.parts)

    def __repr__(self) -> str:
        return f"CallKey({self})"


def call_key(*parts: Any) -> CallKey:
    """Makes a key of treedefs, `Array`, `Static`, `Named` and bytes; every other value is a static argument.

    >>> call_key(LEAF, Array("float32", (3,)), ("relu", 2), Named("device", "cuda:0")).to_bytes().hex(" ", 1)
    '00 e2 0b 01 03 e1 08 02 06 04 72 65 6c 75 03 04 e6 06 64 65 76 69 63 65 06 06 63 75 64 61 3a 30'
    """
    out = bytearray()
    for part in parts:
        if isinstance(part, TreeDef):
            out += part.to_bytes()
        elif isinstance(part, bytes):
            out += b"\xe0" + _run(part)
        elif isinstance(part, Named):
            out += b"\xe6" + _run(part.name) + _value(part.value)
        elif not isinstance(part, Array):
            out += b"\xe1" + _value(part.value if isinstance(part, Static) else part)
        elif part.dtype not in DTYPES:
            raise ValueError(f"dtype {part.dtype} has no number")
        else:
            is_symbolic = any(isinstance(size, str) for size in part.shape)
            out += bytes([0xE2 + part.weak + 2 * is_symbolic, DTYPES.index(part.dtype)]) + _varint(len(part.shape))
            for size in part.shape:
                symbol = size.encode() if isinstance(size, str) else None
                out += b"\0" * is_symbolic + _varint(size) if symbol is None else _varint(len(symbol) + 1) + symbol
    return CallKey.from_bytes(bytes(out))


def name_of(cls: type) -> str:
    """Returns the name of a class in the bytes, if `names` gives it no other. A class inside a function needs one
    there. Two classes of one name, such as two of `__main__` in different programs, are one type in the bytes.

    >>> name_of(OrderedDict)
    'collections::OrderedDict'
    """
    if "<locals>" in cls.__qualname__:
        raise ValueError(f"{cls.__qualname__} needs a name: its text may be that of others")
    return f"{cls.__module__}.{cls.__qualname__}".replace(".", "::")


def plain(value: Any, names: Names = {}) -> Any:
    """Returns the value as the bytes have it: itself, the name that `names` gives it, or what no other value becomes.

    Classes, dtypes, members of an enum and objects without state become a text. Mappings, frozensets, complex numbers
    and subclasses of tuple become a tuple that begins with one. Every other value needs a name.

    >>> plain((1, "w", int)), plain({"a": 1j}), plain(len, {len: "len"})
    ((1, 'w', <class 'int'>), (<mapping builtins.dict>, ('a', (<complex>, 0.0, 1.0))), len)
    >>> plain((1, len))
    Traceback (most recent call last):
    ValueError: [1]: <built-in function len> needs a name: its text may be that of others

    A key of `names` is the object itself. A string is a place, as a message begins with it, or a class: it names what
    is there, or is of this class, and has no other form.

    >>> plain((1, len), {"[1]": "length"}), plain((1, len), {"builtin_function_or_method": "length"})
    ((1, length), (1, length))
    """
    return _Names(names).plain(value)


# What the texts of values begin with that are no classes, dtypes or members of an enum, or are of parts. No name does.
FORMS = ("<object ", "<mapping ", "<class ", "<frozenset>", "<complex>")
DTYPE_CLASSES = ("numpy.dtype", "jax._src.dtypes.ExtendedDType")
BRIEF = reprlib.Repr()
BRIEF.maxother = BRIEF.maxstring = 80


class _Names:
    """The names that objects have and, by their texts, places and classes."""

    def __init__(self, names: Names) -> None:
        self.places = {key: name for key, name in names.items() if type(key) is str}
        self.objects = {key: name for key, name in names.items() if type(key) is not str}
        self.taken = {*names.values()}
        if len({*self.objects.values()}) < len(self.objects):
            raise ValueError("two objects have one name")
        for name in self.taken:
            if not name or name.startswith(FORMS):
                raise ValueError(f"the name {name!r} is {'the text of a value without a name' if name else 'empty'}")

    def of_class(self, cls: type) -> str:
        """The name of the class of a node."""
        name = self.objects.get(cls) or name_of(cls)
        if any(name == other for one, other in self.objects.items() if isinstance(one, type) and one is not cls):
            raise ValueError(f"{cls.__qualname__} needs a name: {name} is that of another class")
        return name

    def of_factory(self, factory: Any) -> str:
        """The text of the factory of a default dict."""
        place = "defaultdict.default_factory"
        text = self.plain(factory, place)
        if factory is not None and (type(text) is not Opaque or text.text == "None"):
            raise _refusal(factory, place)
        return str(text)

    def plain(self, value: Any, place: str = "", labels: Sequence[Any] = (), levels: int = MAX_VALUE_DEPTH) -> Any:
        """The value at a place, as the bytes have it. `labels` are the fields that the parts of a tuple are."""
        cls = type(value)
        is_utf8 = cls is not str or value.isascii() or value == value.encode(errors="ignore").decode()
        if value is None or cls in (bool, int, float, Float32, str, bytes) and is_utf8:
            return value
        with contextlib.suppress(Exception):  # A list has no hash.
            if cls is not tuple and value in self.objects:
                return Opaque(self.objects[value])
        try:
            return self._form(value, place, labels, levels)
        except ValueError:
            name = self.places.get(place, self.places.get(cls.__qualname__))
            if name is None:
                raise
            return Opaque(name)

    def _form(self, value: Any, place: str, labels: Sequence[Any], levels: int) -> Any:
        """What a value without a name becomes."""
        cls = type(value)
        if (number := _number(value)) is not None:
            return number
        if (text := _text(value)) is not None and text not in self.taken:
            return Opaque(text)
        head, items = _parts(value)
        if items is None or text is not None:
            raise _refusal(value, place)
        is_mapping = head.startswith("<mapping ")
        levels -= 1 + is_mapping
        if levels < 0:
            raise ValueError(f"{place}{': ' * bool(place)}more than {MAX_VALUE_DEPTH} tuples nest")
        fields, parts = [*(labels or getattr(cls, "_fields", ())), *[None] * len(items)], []  # type: Any, list[Any]
        for index, (item, label) in enumerate(zip(items, fields)):
            key, one = item if is_mapping else (None, item)
            end = f"[{_brief(key)}]" if is_mapping else f".{label}" if label else f"[{index}]"
            one = self.plain(one, place + end, (), levels)
            parts.append(((self.plain(key, place, (), levels), one) if is_mapping else one, item))
        if cls is frozenset or is_mapping and not issubclass(cls, OrderedDict):
            parts.sort(key=lambda part: _value(part[0]))
        with contextlib.suppress(Exception):
            # What its parts make again, in their order, has no more than its parts.
            if not head.startswith(FORMS[1:3]) or _remade(cls, [item for _, item in parts]) == value:
                return tuple([Opaque(head)] * bool(head) + [part for part, _ in parts])
        raise _refusal(value, place)


def _brief(value: Any) -> str:
    return " ".join(BRIEF.repr(value).split())


def _refusal(value: Any, place: str) -> ValueError:
    fault = "has no hash and so no name: write a tuple, such as (1, 2), or name its place"
    with contextlib.suppress(Exception):
        hash(value)
        fault = "needs a name: its text may be that of others"
    return ValueError(f"{place}{': ' * bool(place)}{_brief(value)} {fault}")


def _path(cls: type) -> str:
    """`module.Qualname`; empty if another class can have it: inside a function, or where its module has another one."""
    found: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    is_other = isinstance(found, type) and found is not cls
    return "" if is_other or "<locals>" in cls.__qualname__ else f"{cls.__module__}.{cls.__qualname__}"


def _numpy_kind(value: Any) -> str:
    """The kind of a scalar of NumPy, such as `f`; empty if it is none."""
    is_scalar = any(base.__name__ == "generic" and base.__module__ == "numpy" for base in type(value).__mro__)
    return value.dtype.kind if is_scalar and value.dtype.type is type(value) else ""


def _number(value: Any) -> Any:
    """The number that a scalar of NumPy is; None if it is none that a value can be."""
    if (kind := _numpy_kind(value)) not in ("b", "i", "u", "f", "V"):  # The last one has `bfloat16` of another package.
        return None
    number = Float32(value) if value.dtype.name == "float32" else float(value) if kind == "f" else value.item()
    is_number = type(number) in (bool, int, float, Float32)
    return number if is_number and (number == value or value != value) else None


def _text(value: Any) -> str | None:
    """The text that a value has without a name, and no other value; None if it has none."""
    cls, path = type(value), _path(type(value))
    if cls is Opaque:  # The text of a member of an enum has `::`, and a dot after it.
        is_other = value.text.startswith(FORMS) or value.text in DTYPES or "." in value.text.partition("::")[2]
        return None if is_other else value.text
    if issubclass(cls, type):
        return type.__repr__(value) if _path(value) else None
    if any(f"{base.__module__}.{base.__qualname__}" in DTYPE_CLASSES for base in cls.__mro__):
        return str(value) if str(value) in DTYPES else None
    if path and issubclass(cls, enum.Enum) and value._name_:
        return f"{name_of(cls)}.{value._name_}"
    return f"<object {path}>" if path and _has_no_state(value) else None


def _has_no_state(value: Any) -> bool:
    """Whether a value is all that its class is: identity compares it, and neither Python nor C keeps data in it."""
    cls, slots = type(value), []
    for base in cls.__mro__[:-1]:
        hides = "__dict__" in vars(base) and type(vars(base)["__dict__"]) is not types.GetSetDescriptorType
        if hides or not base.__flags__ & 1 << 9 or "<locals>" in base.__qualname__:  # The bit: it lives on the heap.
            return False
        slots += [part for part in vars(base).values() if type(part) is types.MemberDescriptorType]
    for slot in slots:
        with contextlib.suppress(AttributeError):
            slot.__get__(value)
            return False
    pointers = len(slots) + (cls.__dictoffset__ > 0) + (cls.__weakrefoffset__ > 0)  # What is larger has data of C.
    is_small = cls.__basicsize__ <= object.__basicsize__ + pointers * struct.calcsize("P")
    return is_small and cls.__eq__ is object.__eq__ and cls is not object and not getattr(value, "__dict__", None)


def _parts(value: Any) -> tuple[str, Any]:
    """The text that the tuple of a value begins with, and the parts of the value; no parts if it has none."""
    cls = type(value)
    if cls is tuple:
        return "", [*value]
    if cls is complex or _numpy_kind(value) == "c":
        return "<complex>", [value.real, value.imag]
    if cls is frozenset:
        return "<frozenset>", [*value]
    path = _path(cls)
    if path and issubclass(cls, Mapping):
        base: Any = next((base for base in (OrderedDict, dict) if issubclass(cls, base)), cls)
        return f"<mapping {path}>", [*base.items(value)]
    if path == "jax.P":  # It was a tuple before.
        return f"<class {path}>", [*value.partitions]
    return (f"<class {path}>", [*tuple.__iter__(value)]) if path and issubclass(cls, tuple) else ("", None)


def _remade(cls: Any, parts: list[Any]) -> Any:
    """The value of a class with these parts, which are pairs if it is a mapping."""
    if issubclass(cls, dict):
        made = cls.__new__(cls)
        (OrderedDict if issubclass(cls, OrderedDict) else dict).update(made, parts)
        return made
    if issubclass(cls, Mapping):
        return cls(OrderedDict(parts))
    if issubclass(cls, tuple):
        with contextlib.suppress(TypeError):  # A struct sequence is made by its own class.
            return tuple.__new__(cls, parts)
    return cls(parts) if issubclass(cls, (tuple, frozenset)) else cls(*parts)


# The path entries of JAX and optree: the child key that each is, and the attribute that has its value.
ENTRIES = {"GetAttrKey": ("attr", "name"), "GetAttrEntry": ("attr", "entry"), "DataclassEntry": ("attr", "entry")}
ENTRIES |= {"DictKey": ("key", "key"), "MappingEntry": ("key", "entry"), "FlattenedIndexKey": ("flat", "key")}
ENTRIES |= {"SequenceKey": ("index", "idx"), "SequenceEntry": ("index", "entry"), "FlattenedEntry": ("flat", "entry")}


def _child_keys(entries: Iterable[Any], names: _Names, place: str) -> list[tuple[str, Any]] | None:
    """The child keys that a class gives, from the path entries of JAX or optree; None if it gives none."""
    keys = []
    for index, entry in enumerate(entries):
        tag, attribute = ENTRIES.get(type(entry).__name__, ("raw", ""))
        key = getattr(entry, attribute) if attribute else str(entry)
        if tag in ("flat", "attr") and key == index:
            return None
        keys.append(("key" if tag == "flat" else tag, names.plain(key, f"{place} key")))
    return keys


def _fields(one: Any, made: Callable, values: Callable, aux: Any) -> list[Any] | None:
    """The names of the fields that the parts of an aux value are, with None for what is no field, by marks in an object
    made of `one`. None if that cannot be found, as where it is no dataclass or computes its aux value."""
    with contextlib.suppress(Exception):
        marked, marks = made(one), {field.name: object() for field in dataclasses.fields(one)}
        for name, mark in marks.items():
            object.__setattr__(marked, name, mark)
        fields, found = {id(mark): name for name, mark in marks.items()}, values(marked)
        # An aux value of another length has more than the fields.
        if type(aux) is type(found) is tuple and len(aux) == len(found):
            return [fields.get(id(value)) for value in found]
    return None


def _structure(treedef: Any, names: _Names, node_data: Callable, look: Callable) -> TreeDef:
    """The structure of a treedef of JAX or optree. `node_data` has the class and the aux value of a node. For a class
    that is no container of Python, `look` has the kind, the path entries, the aux value and the fields that it has."""
    kinds = {cls: kind for kind, cls in CLASSES.items()}

    def visit(one: Any) -> Steps:
        children = []
        for child in one.children():
            children.append((yield visit(child)))
        cls, aux = node_data(one)
        if kind := kinds.get(cls):
            factory, keys = aux if kind == "default_dict" else (None, aux or ())
            place = f"{getattr(cls, '__name__', '')} key"
            return _write(kind, children, [names.plain(key, place) for key in keys], names.of_factory(factory))
        place = cls.__qualname__
        kind, entries, aux, fields = look(one, cls, aux)
        keys, name = _child_keys(entries, names, place), names.of_class(cls)
        if kind == "custom":
            return _write(kind, children, keys, name, names.plain(aux, place, fields or ()))
        meta = [(field, names.plain(value, f"{place}.{field}")) for field, value in zip(fields, aux)]
        return _write(kind, children, [key for _, key in keys or ()], name, meta)

    return from_bytes(_unrolled(visit(treedef))[0])


def _rebuilt(d: TreeDef, names: _Names, make: Callable) -> Any:
    """Calls `make` for each node, after its children, with its kind, its class or factory, keys, meta and children."""
    # The objects by their names and by the texts that they have without one; classes by what tuples begin with.
    texts: dict[Any, list[Any]] = {}
    heads: dict[str, Any] = {"<complex>": complex, "<frozenset>": frozenset}
    builtins = (type(None), bool, int, float, complex, str, bytes, tuple, list, set, frozenset, dict, Opaque(""))
    for one in dict.fromkeys((*builtins, *names.objects)):
        found = [_text(one)]
        if isinstance(one, type) and (path := _path(one)):
            found.append(name_of(one))
            heads[f"<{'mapping' if issubclass(one, Mapping) else 'class'} {path}>"] = one
        for text in found:
            texts.setdefault(text, []).append(one)
    objects = {text: found[0] for text, found in texts.items() if len(found) == 1}
    objects |= {name: one for one, name in names.objects.items()}

    def named(text: str) -> Any:
        if text not in objects:
            raise ValueError(f"`names` has no object with the name {text}")
        return objects[text]

    def restored(value: Any) -> Any:
        if type(value) is Opaque:
            return named(value.text)
        if type(value) is not tuple:
            return value
        head = value[0].text if value and type(value[0]) is Opaque else ""
        if head not in heads:
            return tuple([restored(part) for part in value])
        parts = [restored(part) for part in value[1:]]
        with contextlib.suppress(Exception):
            made = _remade(heads[head], parts)
            if len(_parts(made)[1]) == len(parts):
                return made
        raise ValueError(f"no {head} has the parts {_brief(parts)}")

    def visit(one: TreeDef) -> Steps:
        children: list[Any] = []
        for child, count in one.items:
            children += [(yield visit(child))] * count
        if one.kind == "some":
            raise ValueError("Python has no node of the kind some")
        has_class = "name" in KINDS[one.kind][1] and (one.kind, one.name) != ("default_dict", "None")
        keys = restored(one.keys) if one.kind in DICTS else ()
        return make(one.kind, named(one.name) if has_class else None, keys, restored(one.meta), children)

    return _unrolled(visit(d))


def from_jax(treedef: Any, names: Names = {}) -> TreeDef:
    """Returns the structure of a `jax.tree_util.PyTreeDef`. `names` has the names of classes and other objects.

    It takes some 60 times as long as to flatten the tree. To find the names of children, an object of each registered
    class is made, with zeros as leaves.

    DIFFERENCE: JAX compares objects without state by identity. Here those of one class are one value, because each run
    of a program makes others. And numbers that JAX takes for equal, such as `1`, `True` and `1.0`, are different.
    """
    from jax import tree_util as jt

    def look(one: Any, cls: Any, aux: Any) -> tuple[str, Iterable[Any], Any, Any]:
        if issubclass(cls, tuple) and str(one).startswith("PyTreeDef(CustomNode(namedtuple["):
            return "named_tuple", cls._fields, (), ()
        registry = jt.default_registry
        try:
            whole = one.unflatten([0] * one.num_leaves)
            entries = [entry for entry, _ in registry.flatten_one_level_with_keys(whole)[0]]
        except Exception as error:
            raise ValueError(f"{cls.__qualname__}: none can be made with zeros as leaves: {error!r}") from error
        fields = _fields(whole, copy.copy, lambda marked: registry.flatten_one_level(marked)[1], aux)
        is_struct = fields is not None and None not in fields and all(type(entry) is jt.GetAttrKey for entry in entries)
        return "struct" if is_struct else "custom", entries, aux, fields

    return _structure(treedef, _Names(names), lambda one: one.node_data() or (None, None), look)


def to_jax(d: TreeDef, names: Names = {}) -> Any:
    """Returns the structure as a `jax.tree_util.PyTreeDef`, with all copies. Its classes are registered, in `names`."""
    from jax import tree_util as jt

    def make(kind: str, cls: Any, keys: tuple[Any, ...], meta: Any, children: list[Any]) -> Any:
        if kind == "leaf":
            return jt.tree_structure(0)
        aux = {"dict": [*keys], "ordered_dict": keys, "default_dict": (cls, keys), "custom": meta}.get(kind)
        aux = tuple([value for _, value in meta]) if kind == "struct" else aux
        return jt.PyTreeDef.from_node_data_and_children(jt.default_registry, (CLASSES.get(kind, cls), aux), children)

    return _rebuilt(d, _Names(names), make)


def from_optree(spec: Any, names: Names = {}) -> TreeDef:
    """Returns the structure of an `optree.PyTreeSpec`. A deque is a custom node, a struct sequence a named tuple, and a
    dict whose keys have the order of insertion an ordered dict."""
    import optree

    def node_data(one: Any) -> tuple[Any, Any]:
        cls, aux = one.type, one.__getstate__()[0][-1][2]
        return OrderedDict if cls is dict and aux != optree.utils.total_order_sorted(aux) else cls, aux

    def look(one: Any, cls: type, aux: Any) -> tuple[str, Iterable[Any], Any, Any]:
        entries: list[Any] = [accessor[0] for accessor in one.one_level().accessors()]
        if one.kind.name in ("NAMEDTUPLE", "STRUCTSEQUENCE"):
            return "named_tuple", [entry.field for entry in entries], (), ()
        if not dataclasses.is_dataclass(cls):
            return "custom", entries, aux, None
        registered: Any = optree.register_pytree_node.get(cls, namespace=one.namespace)
        if registered is None:
            raise ValueError(f"{cls.__qualname__}: it is not registered in the namespace {one.namespace!r}")
        are_pairs = type(aux) is tuple and all(type(part) is tuple and len(part) == 2 for part in aux)
        values = lambda aux: tuple([value for _, value in aux]) if are_pairs else aux
        fields = _fields(cls, object.__new__, lambda marked: values(registered.flatten_func(marked)[1]), values(aux))
        is_named = entries and all(isinstance(key, optree.DataclassEntry) and type(key.entry) is str for key in entries)
        if is_named and are_pairs and fields == [name for name, _ in aux]:
            return "struct", entries, values(aux), fields
        return "custom", entries, aux, fields

    return _structure(spec, _Names(names), node_data, look)


def to_optree(d: TreeDef, names: Names = {}, namespace: str = "", none_is_leaf: bool = False) -> Any:
    """Returns the structure as an `optree.PyTreeSpec`, with all copies. Its classes are registered, and in `names`.
    It is that of a tree with zeros as leaves, which is made."""
    import optree

    def make(kind: str, cls: Any, keys: tuple[Any, ...], meta: Any, children: list[Any]) -> Any:
        plain_kinds = {"leaf": 0, "none": None, "tuple": tuple(children), "list": children}
        if kind in plain_kinds:
            return plain_kinds[kind]
        if kind in DICTS:
            items = zip(keys, children)
            return defaultdict(cls, items) if kind == "default_dict" else DICTS[kind](items)
        if kind == "named_tuple":
            return cls(children) if optree.is_structseq_class(cls) else cls(*children)
        if cls is deque:
            return deque(children, meta)
        entry: Any = optree.register_pytree_node.get(cls, namespace=namespace)
        return entry.unflatten_func(meta, children)

    tree = _rebuilt(d, _Names({deque: name_of(deque), **names}), make)
    return optree.tree_structure(tree, none_is_leaf=none_is_leaf, namespace=namespace)


def key_of_call(args: Any, static: Any = (), names: Names = {}) -> CallKey:
    """Returns the key of a call with the arrays `args`, a tree: its structure, the types of its leaves, what is static.

    Static arguments are a sequence, or a mapping that gives each a name. In Rust, `KeyWriter` writes the same key by
    `key.tree(&args).meta(&one)`, or `key.tree(&args).named("name", &one)`.
    """
    import jax

    if isinstance(static, (str, bytes)) or not isinstance(static, (Sequence, Mapping)):
        raise TypeError("static is a sequence of values or a mapping of names to values")
    leaves, treedef = jax.tree_util.tree_flatten(args)
    parts: list[Any] = [from_jax(treedef, names)]
    for aval in map(jax.typeof, leaves):
        dtype = "float0" if aval.dtype == jax.dtypes.float0 else str(aval.dtype)
        shape = tuple([size if type(size) is int else str(size) for size in aval.shape])
        parts.append(Array(dtype, shape, aval.weak_type))
    known, pairs = _Names(names), static.items() if isinstance(static, Mapping) else enumerate(static)  # type: Any, Any
    for name, value in pairs:
        value = known.plain(value, f"static[{name!r}]")
        parts.append(Named(name, value) if isinstance(static, Mapping) else Static(value))
    return call_key(*parts)
