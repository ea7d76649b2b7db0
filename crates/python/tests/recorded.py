"""The recorded answers of JAX and optree in `tests/conformance`, and the trees of their notation.

`structure` makes the structure of a tree without JAX, and `live` the tree itself, whose classes it registers.
"""

import collections
import json
import pathlib

import treedef
from treedef import LEAF, NONE, node

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "tests/conformance"
FACTORIES = {"None": None, **{cls.__name__: cls for cls in (int, float, list, dict, set, str, tuple, bool)}}
# The key of the page "Sharing keys with Python", which a test of the crate has too.
SHARED_KEY = "226204016201770100e20b0103e20b020203e20b0102e605747261696e02"


def lines(name):
    """The lines of a file, and those of `more/`."""
    files = [FOLDER / f"{name}.jsonl", FOLDER / f"more/{name}.jsonl"]
    return [json.loads(line) for file in files if file.exists() for line in file.read_text().splitlines()]


def key(notation):
    [(tag, value)] = notation.items()
    if tag == "tuple":
        return tuple(map(key, value))
    read = {
        "str": str,
        "int": int,
        "bigint": int,
        "bool": bool,
        "float": float,
        "none": lambda _: None,
        "bytes": bytes.fromhex,
    }
    return read[tag](value)


def scalar(value):
    return treedef.Opaque(value["text"]) if isinstance(value, dict) else value


def structure(notation):
    """The structure of a tree. Raises `ValueError` if its keys have no order."""
    [(tag, value)] = notation.items()
    if tag in ("leaf", "none"):
        return LEAF if tag == "leaf" else NONE
    if tag in ("tuple", "list"):
        return node(tag, map(structure, value))
    if tag in ("dict", "default_dict"):
        items = {key(name): child for name, child in (value if tag == "dict" else value["items"])}
        try:
            keys = sorted(items)
        except TypeError as error:
            raise ValueError(str(error)) from error
        factory = "" if tag == "dict" else str(FACTORIES[value["factory"] or "None"])
        return node(tag, [structure(items[name]) for name in keys], keys, factory)
    if tag == "ordered_dict":
        items = {key(name): child for name, child in value}
        return node(tag, map(structure, items.values()), list(items))
    if tag == "static":
        return node("custom", name="corpus::Static", meta=scalar(value))
    if tag == "deque":
        children = list(map(structure, value["children"]))
        return node("custom", children, [("index", i) for i in range(len(children))], "collections::deque", value["maxlen"])
    children, name = list(map(structure, value["children"])), f"corpus::{value['name']}"
    if tag in ("namedtuple", "structseq"):
        return node("named_tuple", children, value["fields"], name)
    if tag == "dataclass":
        return node(
            "struct", children, value["data_fields"], name, list(zip(value["meta_fields"], map(scalar, value["meta"])))
        )
    kind = {"dict": "key"}.get(value.get("key_kind"), value.get("key_kind") or "attr")
    keys = [(kind, name) for name in value["key_names"]] if value["with_keys"] else None
    return node("custom", children, keys, name, scalar(value["aux"]))


def parts(d):
    """All that a structure has, as lists that can be compared."""
    children = [parts(child) for child, count in d.items for _ in range(count)]
    keys = d.keys if d.kind == "custom" else list(d.keys)
    return [d.kind, keys, d.name, d.meta, children]


class Classes:
    """The classes of recorded trees, registered once, and their names. Recorded texts are values of the trees."""

    def __init__(self):
        self.made, self.names = {}, {}

    def scalar(self, value):
        value = scalar(value)
        if isinstance(value, treedef.Opaque):
            self.names[value] = value.text
        return value

    def get(self, tag, value, register):
        parts = ("name", "fields", "data_fields", "meta_fields", "variant", "with_keys", "key_names", "key_kind")
        ident = json.dumps([tag, *(value.get(part) or None for part in parts)])
        if ident not in self.made:
            if tag == "namedtuple":
                made = collections.namedtuple(value["name"], value["fields"])
            elif tag == "dataclass":
                import dataclasses

                made = dataclasses.make_dataclass(value["name"], value["data_fields"] + value["meta_fields"])
            else:

                def init(self, aux, children):
                    self.aux, self.children = aux, list(children)

                made = type(value["name"], (), {"__init__": init})
            made.__module__ = f"corpus{len(self.made)}"
            register(tag, made, value)
            self.made[ident] = made
            self.names[made] = treedef.name_of(made)
        return self.made[ident]


def live(notation, classes, register):
    """The tree itself. `register(tag, class, notation)` registers a class that is made for it."""
    [(tag, value)] = notation.items()
    build = lambda child: live(child, classes, register)
    if tag == "leaf":
        return value
    if tag == "none":
        return None
    if tag in ("tuple", "list"):
        return (tuple if tag == "tuple" else list)(map(build, value))
    if tag == "dict":
        return {key(name): build(child) for name, child in value}
    if tag == "ordered_dict":
        return collections.OrderedDict((key(name), build(child)) for name, child in value)
    if tag == "default_dict":
        items = {key(name): build(child) for name, child in value["items"]}
        return collections.defaultdict(FACTORIES[value["factory"] or "None"], items)
    if tag == "deque":
        return collections.deque(map(build, value["children"]), value["maxlen"])
    if tag not in ("namedtuple", "dataclass", "custom"):
        raise KeyError(tag)
    cls = classes.get(tag, value, register)
    children = list(map(build, value["children"]))
    if tag == "custom":
        return cls(classes.scalar(value["aux"]), children)
    return cls(*children, *map(classes.scalar, value.get("meta", ())))
