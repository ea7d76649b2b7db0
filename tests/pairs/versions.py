#!/usr/bin/env python3
"""Writes `versions.rs`: pairs of types, of which the second is a later version of the first. With two arguments it writes other pairs: the
number of the first one, and how many.

Each pair begins as a record of random fields. The later version has edits of all kinds: fields, variants and meta fields are renamed,
dropped, added and in another order, and types are wrapped, unwrapped and replaced. Names that a field had are its aliases. Further aliases
are paths, from what only the older version has to what only the later one has, each end once and none a part of another.

`compare.rs` loads values of the first type as the second one, and says what `record!` and `choice!` are.
"""

import copy
import random
import sys
from dataclasses import dataclass, field

PAIRS = 8
LEAVES = ["u8", "u16", "i32", "i64", "f32", "f64", "bool", "String"]
KEYS = ["u8", "i16", "String"]
LISTS = ["Vec<{}>", "heapless::Vec<{}, 2>", "[{}; 2]", "[{}; 3]"]
MAPS = [f"BTreeMap<{key}, {{}}>" for key in KEYS]


@dataclass
class Leaf:
    name: str


@dataclass
class Holder:
    """A type with one parameter, as `Vec<{}>`."""

    form: str
    inside: object


@dataclass
class Group:
    """A tuple."""

    parts: list


@dataclass
class Field:
    name: str
    type: object = None
    aliases: list = field(default_factory=list)
    attributes: list = field(default_factory=list)


@dataclass
class Record:
    """A struct, or a variant of a choice."""

    name: str
    fields: list
    version: int = 0
    aliases: list = field(default_factory=list)


@dataclass
class Choice:
    """An enum."""

    name: str
    variants: list


class Maker:
    """Makes and edits types. All that is random comes from `random()`, which is the same in each version of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random
        self.names = 0

    def below(self, count):
        return int(self.random() * count)

    def one_of(self, things):
        return things[self.below(len(things))]

    def is_so(self, percent):
        return self.below(100) < percent

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def leaf(self):
        return Leaf(self.one_of(LEAVES))

    def type(self, levels):
        kind = self.below(10)
        if levels == 0 or kind < 3:
            return self.leaf()
        if kind < 5:
            return Holder("Option<{}>", self.type(levels - 1))
        if kind < 7:
            return Holder(self.one_of(LISTS + MAPS), self.type(levels - 1))
        if kind < 8:
            return Group([self.type(levels - 1) for _ in range(1 + self.below(3))])
        return self.record(levels - 1) if kind < 9 else self.choice(levels - 1)

    def field(self, levels):
        return Field(self.name("f"), self.type(levels))

    def meta_field(self):
        return Field(self.name("m"), Leaf(self.one_of(KEYS)), attributes=["meta"])

    def record(self, levels):
        fields = [self.field(levels) for _ in range(1 + self.below(4))]
        if self.is_so(30):
            fields.append(self.meta_field())
        return Record(self.name("S"), fields, self.below(3))

    def choice(self, levels):
        variants = []
        for _ in range(1 + self.below(3)):
            fields = [self.field(levels) for _ in range(self.below(3))]
            variants.append(Record(self.name("V"), fields))
        return Choice(self.name("E"), variants)

    def rename(self, named, letter):
        if self.is_so(75):
            named.aliases.append(named.name)
        named.name = self.name(letter)

    def edit(self, old):
        """The later version of a type."""
        if self.is_so(6):
            return self.type(1)
        if self.is_so(6):
            return Holder(self.one_of(["Option<{}>", "Vec<{}>"]), old)
        new = copy.copy(old)
        match new:
            case Leaf():
                return self.leaf() if self.is_so(20) else new
            case Holder():
                new.inside = self.edit(old.inside)
                if self.is_so(15):
                    return new.inside
                alike = [forms for forms in (LISTS, MAPS) if new.form in forms]
                if alike and self.is_so(25):
                    new.form = self.one_of(alike[0])
            case Group():
                new.parts = [self.edit(part) for part in old.parts]
                if self.is_so(30):
                    new.parts.append(self.type(1))
                elif self.is_so(30) and len(new.parts) > 1:
                    new.parts.pop()
            case Record():
                return self.edit_record(new)
            case Choice():
                new.variants = [self.edit_record(copy.copy(variant)) for variant in old.variants]
                if self.is_so(20):
                    new.variants.insert(0, Record(self.name("V"), []))
                elif self.is_so(20) and len(new.variants) > 1:
                    new.variants.pop(0)
        return new

    def edit_record(self, record):
        old, record.fields = record.fields, []
        for own in copy.deepcopy(old):
            edits = self.below(10)
            if edits == 0:
                continue
            if edits == 1:
                self.rename(own, own.name[0])
            elif own.attributes:
                own.type = Leaf(self.one_of(KEYS)) if edits < 4 else own.type
            else:
                own.type = self.edit(own.type)
            record.fields.insert(self.below(len(record.fields) + 1) if self.is_so(10) else len(record.fields), own)
        if self.is_so(40):
            new = self.field(1) if self.is_so(80) else self.meta_field()
            if isinstance(new.type, Leaf) and not new.attributes and self.is_so(50):
                new.attributes.append("default")
            record.fields.insert(self.below(len(record.fields) + 1), new)
        if self.is_so(15):
            record.version = self.below(3)
        if self.is_so(10):
            self.rename(record, record.name[0])
        return record

    def path_aliases(self, old, new):
        """Pairs of paths: fields of `old` that `new` lacks, and the other way round."""
        old, new = dict(paths(old)), dict(paths(new))
        had = {alias for own in new.values() for alias in own.aliases}
        gone = [path for path, own in old.items() if path not in new and own.name not in had]
        added = [path for path, own in new.items() if path not in old and not own.aliases]
        aliases = []
        for _ in range(2):
            pair = [self.one_of(ends) for ends in (gone, added) if ends]
            if len(pair) == 2 and not any(overlap(*ends) for alias in aliases for ends in zip(pair, alias)):
                aliases.append(pair)
        return aliases


def paths(type, path=""):
    """The fields of records and what is in them, with their paths: not those in variants, elements and tuples."""
    if isinstance(type, Holder) and type.form == "Option<{}>":
        yield from paths(type.inside, path)
    if isinstance(type, Record):
        for own in type.fields:
            if "meta" not in own.attributes:
                here = f"{path}.{own.name}".lstrip(".")
                yield here, own
                if not own.aliases:
                    yield from paths(own.type, here)


def overlap(one, other):
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def attributes(items):
    return f"#[tree({', '.join(items)})] " if items else ""


def aliases(named):
    # A name that was given back is no older one.
    return [f'alias = "{alias}"' for alias in named.aliases if alias != named.name]


def fields(record, types):
    """The fields of a struct or a variant. The types in them are added to `types`."""
    lines = [f"{attributes(own.attributes[:1] + aliases(own))}{own.name}: {rust(own.type, types)}" for own in record.fields]
    return f"{{ {', '.join(lines)} }}" if lines else "{}"


def rust(type, types):
    """The name of a type. Those in it are added to `types`."""
    match type:
        case Leaf(name):
            return name
        case Holder(form, inside):
            return form.format(rust(inside, types))
        case Group(parts):
            return f"({''.join(f'{rust(part, types)}, ' for part in parts).rstrip()})"
        case Record():
            version = [f"meta(version = {type.version})"] if type.version else []
            head = attributes([f'name = "{type.name}"', *version, *aliases(type)])
            types[type.name] = f"record! {{ {head}{type.name} {fields(type, types)} }}"
        case Choice():
            variants = [f"{attributes(aliases(own))}{own.name} {fields(own, types)}" for own in type.variants]
            types[type.name] = f'choice! {{ #[tree(name = "{type.name}")] {type.name} {{ {", ".join(variants)} }} }}'
    return type.name


def main(first=0, count=PAIRS):
    lines, pairs = ["// Written by `versions.py`."], []
    for index in range(int(first), int(first) + int(count)):
        maker = Maker(index)
        old = maker.record(3)
        old.fields += [Field(maker.name("f"), maker.record(1)), maker.field(1)]
        new = maker.edit_record(copy.copy(old))
        for version, type in (("old", old), ("new", new)):
            types = {}
            rust(type, types)
            lines += [f"mod {version}_{index} {{ use super::*;", *types.values()]
            lines[-1] += " }"
        ends = ", ".join(f'("{gone}", "{added}")' for gone, added in maker.path_aliases(old, new))
        pairs.append(f"{index}: old_{index}::{old.name}, new_{index}::{new.name}, [{ends}];")
    lines += ["pairs! {", *pairs, "}"]
    print("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
