"""The treedefs and call keys of the Rust crate `treedef`: the same bytes, texts and fingerprints, in Python.

A treedef is the structure of a tree of containers: all but its leaves. Equal structures have equal bytes, on every machine
and in both languages. So a Python program reads what firmware sends, and a JAX process finds the code that a Rust process
has compiled, if both write the same key.

    >>> d = from_bytes(bytes([0x62, 4, 1, 97, 1, 98, 0x00, 0x22, 0x01]))
    >>> print(d, d.num_leaves, list(d.paths()))
    PyTreeDef({'a': *, 'b': (*, *)}) 3 ["['a']", "['b'][0]", "['b'][1]"]
    >>> key = call_key(d, Array("float32", (3,)), Static("relu"))
    >>> print(key, hex(key.fingerprint()))
    PyTreeDef({'a': *, 'b': (*, *)}), float32[3], 'relu' 0xcc1fd6d1d3976539

Treedefs and keys are equal if their bytes are. Compare these, and not the values inside: for Python `1 == True == 1.0`, so
that `Static(1) == Static(True)`, but as parts of a key they are three values.

    >>> call_key(1) == call_key(True)
    False

Values inside a treedef or key are None, bool, int, float, str, bytes, tuples of these, `Float32`, and `Opaque`: the text or
name of any other value. The page `format` of the crate's documentation defines the bytes. The file needs the standard library
alone; `from_jax`, `to_jax` and `key_of_call` import `jax`, and `from_optree` and `to_optree` import `optree`.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import ctypes
import dataclasses
import decimal
import enum
import itertools
import struct
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence, Tuple

MAX = 2**32 - 1
MAX_PENDING, MAX_VALUE_DEPTH, MAX_TEXT_DEPTH = 64, 32, 1024
DTYPES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128 int4 uint4 "
    "float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float0 float8_e4m3 float8_e3m4 "
    "float8_e8m0fnu float4_e2m1fn key<fry> key<rbg> key<unsafe_rbg>"
).split()
# The kinds of nodes by their numbers, and the subkinds of kind 6. Dictionaries have three forms of keys.
KINDS = "leaf tuple list dict struct".split()
SUBKINDS = ["none", "some", "dict", "dict", *["ordered_dict"] * 3, *["default_dict"] * 3, "named_tuple", "custom"]
DICTS, NAMED = ("dict", "ordered_dict", "default_dict"), ("default_dict", "named_tuple", "struct", "custom")
TEXTS = {"leaf": "*", "none": "None", "some": "Some({})", "list": "[{}]", "dict": "{{{}}}"}
HEADS = {"ordered_dict": "OrderedDict[{keys}]", "default_dict": "defaultdict[({name}, {keys})]"}
HEADS["named_tuple"] = "namedtuple[{short}]"
BLOCK, TOO_LARGE = "block does not end where its length says", f"more than {MAX} bytes, nodes or leaves"


class Opaque(str):
    """The text of a value that the bytes have no form for. It prints without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


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
        exact = decimal.Decimal(float(self))
        for digits in range(9 if exact.is_finite() else 0):
            unit = decimal.Decimal(1).scaleb(exact.adjusted() - digits)
            # Above a power of two there is more room than below it, so what is further away can be the one that reads back.
            for way in decimal.ROUND_HALF_EVEN, decimal.ROUND_UP:
                near = float(exact.quantize(unit, way))
                if ctypes.c_float(near).value == self:
                    return repr(near)
        return repr(float(self))


class DecodeError(ValueError):
    """Bytes that are no treedef or no call key. `offset` is the byte at which the refused item begins."""

    def __init__(self, what: str, offset: int) -> None:
        complete = " is complete" if what.startswith("bytes end") else ""
        super().__init__(f"{what} at byte {offset}{complete}")
        self.what, self.offset = what, offset

    def __reduce__(self) -> Any:
        return DecodeError, (self.what, self.offset)


class _Bytes:
    """What is its bytes: a part of `_data`."""

    __slots__ = ("_data", "_start", "_end")
    _data: bytes
    _start: int
    _end: int

    def to_bytes(self) -> bytes:
        """Returns the bytes, which `from_bytes` of the Rust type reads."""
        return self._data[self._start : self._end]

    def fingerprint(self) -> int:
        """Returns `fingerprint(self.to_bytes())`."""
        return fingerprint(self.to_bytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())


class TreeDef(_Bytes):
    """A structure. `from_bytes`, `node`, `from_jax` and `from_optree` make it, and nothing changes it.

    - `kind`: leaf, none, some, tuple, list, dict, ordered_dict, default_dict, named_tuple, struct or custom.
    - `items`: the children, each with the number of its adjacent copies: a few bytes can be a billion leaves.
    - `keys`: of a dictionary; the names of fields; of a custom node its child keys, or None if it gives none. A child key is
      `("attr", name)`, `("key", value)`, `("index", number)` or `("raw", text)`.
    - `name`: of the type, such as `robot::Gains`; of a default dict the text of its factory.
    - `meta`: of a struct the `(name, value)` of its meta fields; of a custom node its aux value.
    - `num_leaves`, `num_nodes`: with all copies.
    """

    __slots__ = ("kind", "items", "keys", "name", "meta", "num_leaves", "num_nodes", "_body")

    def __init__(self, kind: str, data: bytes, start: int) -> None:
        self.kind, self.name = kind, ""
        self.keys: Any = ()
        self.meta: Any = ()
        self.items: tuple[tuple[TreeDef, int], ...] = ()
        self.num_leaves, self.num_nodes = int(kind == "leaf"), 1
        self._data, self._start, self._body, self._end = data, start, start + 1, start + 1

    def __str__(self) -> str:
        """Returns the text of JAX, with all copies of a node. For the bytes of strangers take `repr`, which is short."""
        return f"PyTreeDef({_fold(self, _parts, lambda node, texts: _text(node, texts, False), MAX_TEXT_DEPTH)})"

    def __repr__(self) -> str:
        return f"PyTreeDef({_fold(self, _parts, lambda node, texts: _text(node, texts, True), MAX_TEXT_DEPTH)})"

    def paths(self) -> Iterator[str]:
        """Yields the path of each leaf, as `jax.tree_util.keystr`.

        >>> million = from_bytes(bytes.fromhex("5fa1833c 1fa0833c"))
        >>> million, next(million.paths())
        (PyTreeDef([1000000 × *]), '[0]')
        """
        return (path for path, _ in _walk(lambda node: None if node.kind == "leaf" else _children(node), self))

    def differences(self, found: TreeDef) -> Iterator[Difference]:
        """Yields the places where `found` differs, from left to right. Nothing below such a place is compared.

        >>> print(*node("list", [LEAF, LEAF]).differences(node("list", [LEAF, NONE])))
        at [1]: expected leaf, found none
        """
        return (Difference(path, *sides) for path, sides in _walk(_pairs, self, found))


LEAF, NONE = TreeDef("leaf", b"\0", 0), TreeDef("none", b"\xc0", 0)


class Difference(NamedTuple):
    """A place where two structures differ: its path, and the two nodes there."""

    path: str
    expected: TreeDef
    found: TreeDef

    def __str__(self) -> str:
        return f"at {self.path or 'the root'}: expected {_words(self.expected)}, found {_words(self.found)}"


def _walk(enter: Callable, *root: TreeDef) -> Iterator[tuple[str, list[TreeDef]]]:
    """Yields what `enter` has no children for, with its path. There is no recursion, so a tree can be of any depth."""
    way: list[str] = []
    stack: list[Iterator[Any]] = [iter([("", *root)])]
    while stack:
        for entry, *found in stack[-1]:
            if (inner := enter(*found)) is not None:
                way.append(entry)
                stack.append(inner)
                break
            yield "".join(way) + entry, found
        else:
            stack.pop()
            del way[-1:]


def _entry(node: TreeDef, index: int) -> str:
    """The entry of a child, as `keystr` prints it."""
    if node.kind == "some":
        return ""
    if not node.keys:
        return f"[<flat index {index}>]" if node.kind == "custom" else f"[{index}]"
    tag, key = node.keys[index] if node.kind == "custom" else ("key" if node.kind in DICTS else "attr", node.keys[index])
    return f"[{_show(key)}]" if tag in ("key", "index") else f".{key}" if tag == "attr" else key


def _children(node: TreeDef) -> Iterator[tuple[str, TreeDef]]:
    """The children, each with its entry."""
    index = itertools.count()
    return ((_entry(node, next(index)), child) for child, count in node.items for _ in range(count))


def _pairs(ours: TreeDef, theirs: TreeDef) -> Iterator[tuple[str, TreeDef, TreeDef]] | None:
    """The pairs of children of two nodes with one head, without copies that both have; None if the heads differ."""
    heads = [node._data[node._start : node._body] for node in (ours, theirs)]
    return _pairs_of(ours, [*ours.items], [*theirs.items]) if heads[0] == heads[1] else None


def _pairs_of(node: TreeDef, ours: list, theirs: list) -> Iterator[tuple[str, TreeDef, TreeDef]]:
    index, ours, theirs = 0, ours[::-1], theirs[::-1]
    while ours:
        (one, count), (other, many) = ours.pop(), theirs.pop()
        both = min(count, many)
        ours += [(one, count - both)] * (count > both)
        theirs += [(other, many - both)] * (many > both)
        if both == 1 or one != other:
            yield from ((_entry(node, at), one, other) for at in range(index, index + both))
        index += both


def _parts(node: TreeDef) -> list[TreeDef]:
    """The children, without their copies."""
    return [child for child, _ in node.items]


def _fold(root: Any, parts: Callable, combine: Callable, levels: int | None = None) -> Any:
    """Calls `combine(node, results of its parts)` from the bottom up, without recursion, down to some levels."""
    stack: list[tuple[Any, Iterator, list]] = [(root, iter(parts(root)), [])]
    while True:
        node, rest, done = stack[-1]
        for child in rest:
            if levels is not None and len(stack) >= levels and child.items:
                done.append("…")
            else:
                stack.append((child, iter(parts(child)), []))
                break
        else:
            stack.pop()
            result = combine(node, done)
            if not stack:
                return result
            stack[-1][2].append(result)


def _show(value: Any) -> str:
    """`repr`, also of integers that are longer than Python prints."""
    try:
        return repr(value)
    except ValueError:
        if type(value) is tuple:
            return f"({', '.join(map(_show, value))}{',' * (len(value) == 1)})"
        return f"{decimal.Decimal(value):f}"


def _text(node: TreeDef, texts: list[str], folded: bool) -> str:
    """The text of a node, from those of its children. Folded it has each copy once."""
    pieces, names = [], map(_show, node.keys if node.kind == "dict" else ())
    for (child, count), text in zip(node.items, texts):
        is_folded = folded and count > (8 if child.kind == "leaf" else 1)
        if node.kind != "dict":
            pieces += [f"{count} × {text}"] if is_folded else [text] * count
        elif folded and child.kind != "leaf":
            pieces.append(f"{', '.join(itertools.islice(names, count))}: {text}")
        else:
            pieces += [f"{name}: {text}" for name in itertools.islice(names, count)]
    inner = ", ".join(pieces)
    if node.kind in TEXTS:
        return TEXTS[node.kind].format(inner)
    if node.kind == "tuple":
        return f"({inner},)" if [count for _, count in node.items] == [1] else f"({inner})"
    meta = tuple([value for _, value in node.meta]) if node.kind == "struct" else node.meta
    meta = meta if type(meta) is str else _show(meta)
    short, keys = node.name.rsplit("::", 1)[-1], _show(node.keys) if node.kind in DICTS else ""
    head = HEADS.get(node.kind, "{short}[{meta}]").format(short=short, keys=keys, name=node.name, meta=meta)
    return f"CustomNode({head}, [{inner}])"


def _words(node: TreeDef) -> str:
    """What the head of a node has."""
    count = sum(copies for _, copies in node.items)
    parts = [node.kind.replace("_", " "), node.name, f"of {count}" if node._body - node._start > 1 or count else ""]
    parts += [f"with {_show(node.keys)}" if node.keys else "", f"meta {_show(node.meta)}" if node.meta != () else ""]
    return " ".join(filter(None, parts))


def _count(children: int) -> str:
    return "1 child" if children == 1 else f"{children} children"


class _Reader:
    """Reads `data` up to `end`. `start` is where the current item begins, and `missing` the fault if the bytes end."""

    __slots__ = ("data", "at", "end", "start", "missing")

    def __init__(self, data: bytes, at: int, end: int, missing: str) -> None:
        self.data, self.at, self.end, self.start, self.missing = data, at, end, at, missing

    def fail(self, what: str) -> Any:
        raise DecodeError(what, self.start)

    def take(self, count: int) -> bytes:
        if count > self.end - self.at:
            self.fail(self.missing)
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self, largest: int = MAX) -> int:
        total = shift = 0
        while True:
            byte = self.byte()
            total += (byte & 127) + (shift > 0) << shift
            shift += 7
            if byte < 128 and total <= largest:
                return total
            if byte < 128 or shift == 70:
                self.fail(self.missing)

    def integer(self) -> int:
        number = self.number(2**64 - 1)
        return number >> 1 ^ -(number & 1)

    def run(self) -> bytes:
        return self.take(self.number())

    def text(self, size: int | None = None) -> str:
        try:
            return self.take(self.number() if size is None else size).decode()
        except UnicodeDecodeError:
            return self.fail("string is not utf-8")

    def begin(self) -> _Reader:
        self.start = self.at
        return self

    def value(self, levels: int = MAX_VALUE_DEPTH) -> Any:
        tag = self.byte()
        if tag == 4:
            sign, magnitude = self.byte(), self.run()
            value = int.from_bytes(magnitude, "little") * (1 - 2 * sign)
            if sign > 1 or magnitude[-1:] == b"\0" or -(2**63) <= value < 2**63:
                self.fail("integer is not in its shortest form")
            return value
        if tag == 8:
            if levels == 0:
                self.fail(f"value nests tuples deeper than {MAX_VALUE_DEPTH} levels")
            return tuple([self.value(levels - 1) for _ in range(self.number())])
        return SCALARS[tag](self) if tag < len(SCALARS) else self.fail(f"value tag {tag} is unknown")

    def child_key(self) -> tuple[str, Any]:
        tag = self.begin().byte()
        if tag > 3:
            self.fail(f"child key kind {tag} is unknown")
        name = ("attr", "key", "index", "raw")[tag]
        return name, self.value() if tag == 1 else self.number() if tag == 2 else self.text()

    def meta_fields(self) -> Iterator[tuple[str, Any]]:
        while self.at < self.end:
            yield self.begin().text(), self.begin().value()

    def keys(self, count: int, form: int, is_sorted: bool) -> tuple:
        """Keys of a dictionary or names of fields: strings, integers or values, which are the forms 0, 1 and 2."""
        first, found, read = self.at, [], (self.text, self.integer, self.value)[form]
        for second in range(count):
            self.begin()
            found.append(read())
            if second and is_sorted and (order := _order(*found[-2:])) != -1:
                self.fail(f"the keys at {second - 1} and {second} {ORDERS[order]}")
        if form and (not count or form == 2 and _form(found) < 2):
            self.start = first
            self.fail("keys are in a wider form than they need")
        return tuple(found)

    def block(self, node: TreeDef, form: int, count: int) -> None:
        """Reads the block of a node, whose keys have this form."""
        size = self.number()
        inside = _Reader(self.data, self.at, self.at + size, BLOCK)
        self.take(size)
        if node.kind == "some" and count != 1:
            self.fail(f"node kind does not allow {_count(count)}")
        if node.kind in NAMED:
            node.name = inside.begin().text()
        if node.kind == "custom":
            node.meta, node.keys = inside.begin().value(), None
            if inside.at < inside.end:
                node.keys = tuple([inside.child_key() for _ in range(count)])
        elif node.kind != "some":
            node.keys = inside.keys(count, form, node.kind in ("dict", "default_dict"))
        if node.kind == "struct":
            node.meta = tuple(inside.meta_fields())
        if inside.at < inside.end:
            inside.begin().fail(BLOCK)

    def part(self) -> Any:
        """Reads a part of a call key."""
        self.missing = "bytes end before the part"
        tag = self.begin().byte()
        if tag == 0xE0:
            return self.run()
        if tag in (0xE1, 0xE6):
            return Static(self.value()) if tag == 0xE1 else Named(self.text(), self.value())
        if 0xE2 <= tag <= 0xE5:
            code, is_symbolic = self.byte(), tag > 0xE3
            shape: list[int | str] = []
            if code >= len(DTYPES):
                self.fail(f"dtype code {code} is unknown")
            for _ in range(self.number()):
                size = self.number(2**64 - 1)
                is_size = not is_symbolic or not size
                shape.append(self.text(size - 1) if not is_size else self.number(2**64 - 1) if is_symbolic else size)
            if any(isinstance(size, str) for size in shape) != is_symbolic:
                self.fail("array has no symbolic dimension")
            return Array(DTYPES[code], tuple(shape), tag % 2 == 1)
        self.at, self.missing = self.start, "bytes end before the node"
        return self.tree()

    def tree(self) -> TreeDef:
        """Reads a treedef, without recursion. `left` children of the innermost open node are still to come."""
        opened: list[tuple[TreeDef, list, int]] = []
        items: list[tuple[TreeDef, int]] = []
        left, pending, leaves, nodes = 1, 0, 0, 0
        # The child before: its bytes, if it may not come again; its leaves, if it may be repeated; whether it is leaves.
        unit, unit_leaves, is_run = b"", 0, False
        while True:
            if unit and self.data.startswith(unit, self.at, self.end):
                self.begin().fail("node equals its previous sibling and is not written as a repeat")
            kind, name, form, count = self.begin().head()
            if kind in (0, 5):
                stated, count = self.number() if kind == 5 else 1, count + 1
                if count > MAX:
                    self.fail(TOO_LARGE)
                if kind == 0 and is_run:
                    self.fail("two runs of leaves are adjacent")
                if kind == 5 and not unit_leaves:
                    self.fail("repeat does not follow a node with leaves")
                if kind == 5 and unit_leaves != stated:
                    self.fail(f"repeat states {stated} leaves, its unit has {unit_leaves}")
                if count > left:
                    self.fail(f"item encodes {_count(count)}, the node lacks {left}")
                node, copies = (LEAF, 0) if kind == 0 else items.pop()
                items.append((node, copies + count))
                left, leaves, nodes = left - count, leaves + node.num_leaves * count, nodes + node.num_nodes * count
                unit, unit_leaves, is_run = unit if kind == 5 else b"", 0, kind == 0
            else:
                node = TreeDef(name, self.data, self.start)
                if name not in ("tuple", "list", "none"):
                    self.block(node, form, count)
                node._body = node._end = self.at
                left, nodes, unit, unit_leaves, is_run = left - 1, nodes + 1, b"", 0, False
            if max(leaves, nodes) > MAX:
                self.fail(TOO_LARGE)
            if kind not in (0, 5) and not count:
                items.append((node, 1))
            elif kind not in (0, 5):
                pending += left > 0
                if pending > MAX_PENDING:
                    self.fail(f"more than {MAX_PENDING} levels are pending")
                node.num_leaves, node.num_nodes = -leaves, 1 - nodes
                opened.append((node, items, left))
                items, left = [], count
            while left == 0 and opened:
                node, outer, left = opened.pop()
                node.items, node._end = tuple(items), self.at
                node.num_leaves, node.num_nodes = node.num_leaves + leaves, node.num_nodes + nodes
                items, is_run = outer, False
                items.append((node, 1))
                if left:
                    pending, unit_leaves = pending - 1, node.num_leaves
                    unit = node.to_bytes() if unit_leaves else b""
            if left == 0:
                return items[0][0]

    def head(self) -> tuple[int, str, int, int]:
        """Reads the number of a kind, its name, the form of its keys, and the count."""
        first = self.byte()
        kind, low = first >> 5, first & 31
        if kind == 7 or kind == 6 and low >= len(SUBKINDS):
            self.fail("node kind 7 is unknown" if kind == 7 else f"extension subkind {low} is unknown")
        if kind == 6:
            name = SUBKINDS[low]
            return kind, name, low - SUBKINDS.index(name) + (name == "dict"), self.number() if low else 0
        count = low + self.number() if low == 31 else low
        return kind, KINDS[kind] if kind < 5 else "", 0, count if count <= MAX else self.fail(TOO_LARGE)


SCALARS: list[Any] = [lambda r: None, lambda r: False, lambda r: True, _Reader.integer, None]
SCALARS += [lambda r: struct.unpack("<d", r.take(8))[0], _Reader.text, _Reader.run, None]
SCALARS += [lambda r: Opaque(r.text()), lambda r: Float32(0, r.take(4))]


ORDERS = {None: "cannot be ordered", 0: "are equal", 1: "are not increasing"}


def _order(one: Any, other: Any) -> int | None:
    """Python's order of two keys: -1, 0 or 1, or None if they have none."""
    if type(one) is tuple and type(other) is tuple:
        orders = (_order(x, y) for x, y in zip(one, other))
        return next((order for order in orders if order != 0), (len(one) > len(other)) - (len(one) < len(other)))
    if one is None or type(one) is Opaque or type(other) is Opaque:
        return 0 if type(one) is type(other) and one == other else None
    if type(one) is not type(other) and not (isinstance(one, (int, float)) and isinstance(other, (int, float))):
        return None
    return 0 if one == other else -1 if one < other else 1 if one > other else None


def _reader(data: bytes, missing: str) -> _Reader:
    if len(data) > MAX:
        raise DecodeError(TOO_LARGE, len(data))
    return _Reader(bytes(data), 0, len(data), missing)


def from_bytes(data: bytes) -> TreeDef:
    r"""Reads a treedef. It takes the same bytes as `TreeDef::from_bytes` of the Rust crate, and refuses the same.

    >>> from_bytes(b"\x22\x00")
    Traceback (most recent call last):
    treedef.DecodeError: bytes end before the node at byte 2 is complete
    """
    reader = _reader(data, "bytes end before the node")
    found = reader.tree()
    if reader.at < reader.end:
        reader.begin().fail("bytes follow the treedef")
    return found


BUILTIN = {"none": type(None), "tuple": tuple, "list": list, "dict": dict, "ordered_dict": collections.OrderedDict}


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value = (value >> 7) - 1
    return bytes([*out, value])


def _zigzag(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else ~(value << 1))


def _run(data: str | bytes) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return _varint(len(data)) + data


def _value(value: Any) -> bytes:
    if value is None or type(value) is bool:
        return bytes([0 if value is None else 1 + value])
    if type(value) is int and -(2**63) <= value < 2**63:
        return b"\3" + _zigzag(value)
    if type(value) is int:
        return bytes([4, value < 0]) + _run(abs(value).to_bytes((value.bit_length() + 7) // 8, "little"))
    if type(value) is tuple:
        return b"\x08" + _varint(len(value)) + b"".join(map(_value, value))
    if type(value) in (float, Float32):
        return b"\5" + struct.pack("<d", value) if type(value) is float else b"\x0a" + value.bits
    tags: dict[Any, bytes] = {str: b"\6", bytes: b"\7", Opaque: b"\x09"}
    if type(value) not in tags:
        raise ValueError(f"a {type(value).__name__} is no value of a treedef or key: {value!r}")
    return tags[type(value)] + _run(value)


def _form(keys: Iterable[Any]) -> int:
    """The narrowest form that fits all keys: strings, integers of 64 bits, values."""
    is_integers = all(type(key) is int and -(2**63) <= key < 2**63 for key in keys)
    return 0 if all(type(key) is str for key in keys) else 1 if is_integers else 2


def _head(kind: int, count: int) -> bytes:
    return bytes([kind << 5 | count]) if count < 31 else bytes([kind << 5 | 31]) + _varint(count - 31)


Written = Tuple[bytes, int]  # The bytes of a node, and its leaves.


def _write(kind: str, children: Iterable[Written] = (), keys: Any = (), name: str = "", meta: Any = ()) -> Written:
    if kind in ("leaf", "none"):
        return (b"\x00", 1) if kind == "leaf" else (b"\xc0", 0)
    runs = [(child, len(list(copies))) for child, copies in itertools.groupby(children)]
    count, keys = sum(copies for _, copies in runs), list(keys or ())
    form = _form(keys) if kind in DICTS else 0
    if (kind in (*DICTS, "struct", "named_tuple") or keys) and len(keys) != count:
        raise ValueError(f"{_count(count)} and {len(keys)} keys")
    for one, other in zip(keys, keys[1:]) if kind in ("dict", "default_dict") else ():
        if (order := _order(one, other)) != -1:
            raise ValueError(f"the keys {one!r} and {other!r} {ORDERS[order]}")
    block = _run(name) if kind in NAMED else b""
    if kind == "custom":
        forms: Any = {"attr": (b"\0", _run), "key": (b"\1", _value), "index": (b"\2", _varint), "raw": (b"\3", _run)}
        block += _value(meta) + b"".join(forms[tag][0] + forms[tag][1](key) for tag, key in keys)
    else:
        write: Callable = (_run, _zigzag, _value)[form]
        block += b"".join(map(write, keys))
        block += b"".join(_run(field) + _value(value) for field, value in meta)
    if kind in KINDS and form == 0:
        out = _head(KINDS.index(kind), count)
    else:
        out = _head(6, SUBKINDS.index(kind) + form - (kind == "dict")) + _varint(count)
    out += b"" if kind in ("tuple", "list") else _run(block)
    for (data, leaves), copies in runs:
        if data == b"\x00":
            out += _head(0, copies - 1)
        elif leaves == 0 or copies == 1:
            out += data * copies
        else:
            out += data + _head(5, copies - 2) + _varint(leaves)
    return out, sum(leaves * copies for (_, leaves), copies in runs)


def node(kind: str, children: Iterable[TreeDef] = (), keys: Any = (), name: str = "", meta: Any = ()) -> TreeDef:
    """Makes a node; the arguments are as the attributes of `TreeDef`. Keys of a dict and a default dict are in order.

    >>> print(node("struct", [LEAF, LEAF], ["kp", "ki"], "robot::Gains", [("dt", 0.5)]))
    PyTreeDef(CustomNode(Gains[(0.5,)], [*, *]))
    """
    written = [(child.to_bytes(), child.num_leaves) for child in children]
    made = from_bytes(_write(kind, written, keys, name, meta)[0])
    for what, given in {"items": written, "keys": keys, "name": name, "meta": meta}.items():
        if given and not getattr(made, what):
            raise ValueError(f"a {kind} has no {'children' if what == 'items' else what}")
    return made


def fingerprint(data: bytes) -> int:
    r"""Returns the 64 bits by which caches filter. Equal bytes have equal fingerprints; the reverse is only likely.

    >>> hex(fingerprint(b"\x22\x01"))
    '0x1002eb78edd3302c'
    """
    low, step, size = 2**64 - 1, 0x9E3779B97F4A7C15, len(data)
    starts = [*range(0, size - 16, 16), size - 16] if size >= 16 else [0]
    half = 8 if size >= 8 else 4 if size >= 4 else size
    a, b = 0x243F6A8885A308D3 ^ size * step & low, step
    for start in starts:
        block = data[start : start + 16]
        x = int.from_bytes(block[:half], "little") ^ a
        y = int.from_bytes(block[len(block) - half :], "little") ^ b
        product = (x + y & low) * y
        a, b = product & low, x - (product >> 64) & low
    product = (a + b & low) * b
    return product & low ^ product >> 64


class Array(NamedTuple):
    """The type of an array, as a part of a key. A dimension is a size, or the text of a symbol.

    >>> print(Array("float32", (8, "batch")), Array("int32", weak=True))
    float32[8,batch] weak int32[]
    """

    dtype: str
    shape: tuple = ()
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


class CallKey(_Bytes):
    """The key of a call. `call_key` makes it; `parts` are what that takes."""

    __slots__ = ("parts",)

    def __init__(self, data: bytes) -> None:
        reader, parts = _reader(data, ""), []
        while reader.at < reader.end:
            parts.append(reader.part())
        self.parts, self._data, self._start, self._end = tuple(parts), reader.data, 0, reader.end

    @classmethod
    def from_bytes(cls, data: bytes) -> CallKey:
        """Reads a key. It takes the same bytes as `CallKey::from_bytes` of the Rust crate, and refuses the same."""
        return cls(data)

    def __str__(self) -> str:
        return ", ".join(repr(part) if isinstance(part, (TreeDef, bytes)) else str(part) for part in self.parts)

    def __repr__(self) -> str:
        return f"CallKey({self})"


def call_key(*parts: Any) -> CallKey:
    """Makes a key of treedefs, `Array`, `Static`, `Named` and bytes; every other value is a static argument.

    >>> call_key(LEAF, Array("float32", (3,)), ("relu", 2), Named("device", "cuda:0")).to_bytes().hex(" ", 1)
    '00 e2 0b 01 03 e1 08 02 06 04 72 65 6c 75 03 04 e6 06 64 65 76 69 63 65 06 06 63 75 64 61 3a 30'
    """
    return CallKey(b"".join(map(_part, parts)))


def _part(part: Any) -> bytes:
    if isinstance(part, TreeDef):
        return part.to_bytes()
    if isinstance(part, bytes):
        return b"\xe0" + _run(part)
    if isinstance(part, Named):
        return b"\xe6" + _run(part.name) + _value(part.value)
    if not isinstance(part, Array):
        return b"\xe1" + _value(part.value if isinstance(part, Static) else part)
    if part.dtype not in DTYPES:
        raise ValueError(f"dtype {part.dtype} has no number")
    symbols = [size.encode() if isinstance(size, str) else None for size in part.shape]
    is_symbolic = symbols.count(None) < len(symbols)
    marks = [b"\0" * is_symbolic if symbol is None else _varint(len(symbol) + 1) for symbol in symbols]
    sizes = [mark + (_varint(size) if symbol is None else symbol) for size, mark, symbol in zip(part.shape, marks, symbols)]
    return bytes([0xE2 + part.weak + 2 * is_symbolic, DTYPES.index(part.dtype)]) + _varint(len(sizes)) + b"".join(sizes)


# The names that classes, functions and other objects have in the bytes.
Names = Mapping[Any, str]


def name_of(cls: type) -> str:
    """Returns the name of a class in the bytes, if `names` gives it no other. A class inside a function needs one there. Two
    classes of one name, such as two of `__main__` in different programs, are one type in the bytes.

    >>> name_of(collections.OrderedDict)
    'collections::OrderedDict'
    """
    if "<locals>" in cls.__qualname__:
        raise ValueError(f"{cls.__qualname__} needs a name: its text may be that of others")
    return f"{cls.__module__}.{cls.__qualname__}".replace(".", "::")


def plain(value: Any, names: Names = {}) -> Any:
    """Returns the value as the bytes have it: itself, the name that `names` gives it, or a text that no other value has.

    Classes, dtypes and members of an enum have such a text. Other values need a name, and so a hash: a list has none.

    >>> plain((1, "w", int)), plain(len, {len: "len"})
    ((1, 'w', <class 'int'>), len)
    >>> plain(len)
    Traceback (most recent call last):
    ValueError: <built-in function len> needs a name: its text may be that of others
    """
    if value is None or type(value) in (bool, int, float, Float32, str, bytes, Opaque):
        return value
    if type(value) is tuple:
        return tuple(plain(part, names) for part in value)
    is_dtype = any(base.__name__ in ("dtype", "ExtendedDType") for base in type(value).__mro__)  # Of NumPy, and of JAX.
    text = str(value) if is_dtype and str(value) in DTYPES else None
    if issubclass(type(value), type):
        text = type.__repr__(value)
    elif isinstance(value, enum.Enum) and value._name_:
        text = f"{name_of(type(value))}.{value._name_}"
    with contextlib.suppress(TypeError):  # A list has no hash.
        text = names.get(value, text)
    if text is None:
        raise ValueError(f"{value!r} needs a name: its text may be that of others")
    return Opaque(text)


def _objects(names: Names) -> dict[str, Any]:
    """The objects by their names, and the factories of default dicts. Refuses a name that two objects have."""
    objects = {name: value for value, name in names.items()}
    if len(objects) < len(names):
        raise ValueError("two objects have one name")
    return {"None": None, **{str(cls): cls for cls in (bool, int, float, str, bytes, tuple, list, set, dict)}, **objects}


def _restored(value: Any, objects: dict[str, Any]) -> Any:
    if type(value) is tuple:
        return tuple(_restored(part, objects) for part in value)
    return objects.get(value, value) if type(value) is Opaque else value


def _object(name: str, objects: dict[str, Any]) -> Any:
    if name not in objects:
        raise ValueError(f"`names` has no object with the name {name}")
    return objects[name]


ENTRIES = {"GetAttrKey": ("attr", "name"), "DictKey": ("key", "key"), "SequenceKey": ("index", "idx")}
ENTRIES.update({"GetAttrEntry": ("attr", "entry"), "DataclassEntry": ("attr", "entry"), "SequenceEntry": ("index", "entry")})
ENTRIES.update({"MappingEntry": ("key", "entry"), "FlattenedEntry": ("flat", "entry"), "FlattenedIndexKey": ("flat", "key")})


def _child_keys(entries: Iterable[Any], names: Names) -> list[tuple[str, Any]] | None:
    """The child keys that a class gives, from the path entries of JAX or optree; None if it gives none."""
    keys: list = []
    for index, entry in enumerate(entries):
        tag, attribute = ENTRIES.get(type(entry).__name__, ("raw", ""))
        key = getattr(entry, attribute) if attribute else str(entry)
        is_flat = tag in ("flat", "attr") and key == index
        keys.append(None if is_flat else ("key" if tag == "flat" else tag, plain(key, names)))
    return None if None in keys else keys


def from_jax(treedef: Any, names: Names = {}) -> TreeDef:
    """Returns the structure of a `jax.tree_util.PyTreeDef`. `names` has the names of classes, functions and other objects.

    It takes some 60 times as long as to flatten the tree. To find the names of children, an object of each registered class
    is made, with zeros as leaves.
    """
    from jax import tree_util as jt

    _objects(names)
    kinds = {**{cls: kind for kind, cls in BUILTIN.items()}, collections.defaultdict: "default_dict"}

    def write(one: Any, children: list[Written]) -> Written:
        if (data := one.node_data()) is None:
            return _write("leaf")
        cls, aux = data
        if kind := kinds.get(cls):
            factory, keys = aux if kind == "default_dict" else (None, aux or ())
            return _write(kind, children, [plain(key, names) for key in keys], str(plain(factory, names)))
        name, whole = names.get(cls) or name_of(cls), one.unflatten([0] * one.num_leaves)
        if issubclass(cls, tuple) and str(one).startswith("PyTreeDef(CustomNode(namedtuple["):
            return _write("named_tuple", children, cls._fields, name)
        entries = [path[0] for path, _ in jt.tree_flatten_with_path(whole, is_leaf=lambda part: part is not whole)[0]]
        keys = _child_keys(entries, names)
        fields = _meta_fields(whole, keys or (), jt.default_registry.flatten_one_level)
        # An aux value of another length has more than the fields.
        if fields is None or len(fields) != len(aux):
            return _write("custom", children, keys, name, plain(aux, names))
        meta = [(field, plain(value, names)) for field, value in zip(fields, aux)]
        return _write("struct", children, [key for _, key in keys or ()], name, meta)

    return from_bytes(_fold(treedef, lambda one: one.children(), write)[0])


def _meta_fields(whole: Any, keys: Iterable[tuple[str, Any]], flatten: Callable) -> list[str] | None:
    """The fields of a dataclass that are its aux value, in order, found by marks in a copy. None if they are not."""
    if not dataclasses.is_dataclass(whole) or any(tag != "attr" for tag, _ in keys):
        return None
    rest = {field.name for field in dataclasses.fields(whole)} - {name for _, name in keys}
    marked, marks = copy.copy(whole), {id(mark): (name, mark) for name in rest for mark in [object()]}
    try:
        for name, mark in marks.values():
            object.__setattr__(marked, name, mark)
        aux = flatten(marked)[1]
    except Exception:  # The class computes its aux value.
        return None
    is_fields = type(aux) is tuple and all(id(mark) in marks for mark in aux)
    return [marks[id(mark)][0] for mark in aux] if is_fields else None


def to_jax(d: TreeDef, names: Names = {}) -> Any:
    """Returns the structure as a `jax.tree_util.PyTreeDef`, with all copies. Its classes are registered, and in `names`."""
    from jax import tree_util as jt

    objects = _objects(names)

    def build(one: TreeDef, parts: list[Any]) -> Any:
        children = [part for part, (_, count) in zip(parts, one.items) for _ in range(count)]
        if one.kind == "leaf":
            return jt.tree_structure(0)
        keys = [_restored(key, objects) for key in one.keys or ()]
        if one.kind in BUILTIN:
            data = (BUILTIN[one.kind], {"dict": keys, "ordered_dict": tuple(keys)}.get(one.kind))
        elif one.kind == "default_dict":
            data = (collections.defaultdict, (_object(one.name, objects), tuple(keys)))
        else:
            aux = tuple([value for _, value in one.meta]) if one.kind == "struct" else one.meta
            data = (_object(one.name, objects), None if one.kind == "named_tuple" else _restored(aux, objects))
        return jt.PyTreeDef.from_node_data_and_children(jt.default_registry, data, children)

    return _fold(d, _parts, build)


def from_optree(spec: Any, names: Names = {}) -> TreeDef:
    """Returns the structure of an `optree.PyTreeSpec`. A deque is a custom node, and a struct sequence a named tuple."""
    import optree

    _objects(names)

    def write(one: Any, children: list[Written]) -> Written:
        kind, cls, data = one.kind.name.lower(), one.type, one.__getstate__()[0][-1][2]
        kind = {"ordereddict": "ordered_dict", "defaultdict": "default_dict"}.get(kind, kind)
        if kind in ("leaf", "default_dict", *BUILTIN):
            keys, factory = one.entries() if kind in DICTS else (), data[0] if kind == "default_dict" else None
            return _write(kind, children, [plain(key, names) for key in keys], str(plain(factory, names)))
        name = names.get(cls) or name_of(cls)
        if kind in ("namedtuple", "structsequence"):
            fields = optree.namedtuple_fields if kind == "namedtuple" else optree.structseq_fields
            return _write("named_tuple", children, fields(cls), name)
        entries = [accessor[0] for accessor in one.one_level().accessors()]
        keys = _child_keys(entries, names)
        if keys and type(entries[0]).__name__ == "DataclassEntry":
            meta = [(field, plain(value, names)) for field, value in data]
            return _write("struct", children, [key for _, key in keys], name, meta)
        return _write("custom", children, keys, name, plain(data, names))

    return from_bytes(_fold(spec, lambda one: one.children(), write)[0])


def to_optree(d: TreeDef, names: Names = {}, namespace: str = "", none_is_leaf: bool = False) -> Any:
    """Returns the structure as an `optree.PyTreeSpec`, with all copies. Its classes are registered, and in `names`."""
    import optree

    objects = _objects(names)
    options: Any = {"none_is_leaf": none_is_leaf, "namespace": namespace}

    def build(one: TreeDef, parts: list[Any]) -> Any:
        children = [part for part, (_, count) in zip(parts, one.items) for _ in range(count)]
        if one.kind in ("leaf", "none"):
            return (optree.treespec_leaf if one.kind == "leaf" else optree.treespec_none)(**options)
        if one.kind in DICTS:
            whole: Any = dict(zip([_restored(key, objects) for key in one.keys], children))
            whole = collections.OrderedDict(whole) if one.kind == "ordered_dict" else whole
            whole = collections.defaultdict(_object(one.name, objects), whole) if one.kind == "default_dict" else whole
        elif one.kind in BUILTIN:
            whole = (tuple if one.kind == "tuple" else list)(children)
        elif one.kind == "named_tuple":
            cls = _object(one.name, objects)
            whole = cls(children) if optree.is_structseq_class(cls) else cls(*children)
        elif one.name == name_of(collections.deque):
            whole = collections.deque(children, one.meta)
        else:
            entry: Any = optree.register_pytree_node.get(_object(one.name, objects), namespace=namespace)
            whole = entry.unflatten_func(_restored(one.meta, objects), children)
        return optree.treespec_from_collection(whole, **options)

    return _fold(d, _parts, build)


def key_of_call(args: Any, static: Any = (), names: Names = {}) -> CallKey:
    """Returns the key of a call with the arrays `args`, a tree: its structure, the types of its leaves, and what is static.

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
        parts.append(Array(dtype, tuple(size if type(size) is int else str(size) for size in aval.shape), aval.weak_type))
    if isinstance(static, Mapping):
        return call_key(*parts, *(Named(name, plain(value, names)) for name, value in static.items()))
    return call_key(*parts, *(Static(plain(value, names)) for value in static))
