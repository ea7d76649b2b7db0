//! Implements `defmt::Format` for treedefs, paths, differences, call keys and trees. Errors and kinds derive it.
//!
//! The device sends bytes and numbers. It makes no text and links nothing of `core::fmt`. The types that are texts
//! (`Explanation`, `Summary`, `KeyStr` ..) have no `Format`. Logging them with `defmt::Display2Format` links
//! `core::fmt` and the code of the text.
//!
//! This file calls `format` only on implementations by hand. The implementations of derives and numbers panic in
//! `format`; they are for `write!`.

use defmt::{Format, Formatter, write};

use crate::cache::difference::KeyDifference;
use crate::cache::key::CallKey;
use crate::cache::part::{Part, Parts};
use crate::cache::shape_dtype::{Dim, ShapeDtype};
use crate::dynamic::view::View;
use crate::format::child_key::ChildKey;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::{BigInt, Value, ValueTuple};
use crate::text::differences::LINES;
use crate::text::{PathExplanation, Summary};
use crate::tree::migrate::change::{Migration, Why};
use crate::treedef::difference::Difference;
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::nodes::NodeAt;
use crate::treedef::treedef::TreeDef;

/// Formats the kind of the root, the number of leaves, the fingerprint and the bytes: `TreeDef(Dict, 12 leaves, 0x1f..,
/// [62, 04, ..])`.
impl Format for TreeDef<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "TreeDef({}, {=usize} leaves, {=u64:#x}, {=[u8]:02x})",
            self.kind(),
            self.num_leaves(),
            self.fingerprint(),
            self.as_bytes()
        );
    }
}

/// Formats the kind, the type name and the number of children: `Leaf`, `Dict(2)`, `Struct motor::Pid(3)`.
impl Format for Head<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{}", self.kind());
        if matches!(self.kind(), Kind::Leaf | Kind::None) {
            return;
        }
        if let Some(name) = self.type_name() {
            write!(f, " {=str}", name);
        }
        write!(f, "({=usize})", self.num_children());
    }
}

/// Formats the entries one after the other: `[1]['bias'].gain`.
impl Format for KeyPath<'_, '_> {
    fn format(&self, f: Formatter<'_>) {
        self.entries().for_each(|entry| entry.format(f));
    }
}

impl Format for KeyEntry<'_> {
    fn format(&self, f: Formatter<'_>) {
        match *self {
            KeyEntry::Index(index) => write!(f, "[{=u32}]", index),
            KeyEntry::Key(key) => write!(f, "[{}]", key),
            KeyEntry::Attr(name) => write!(f, ".{=str}", name),
            KeyEntry::FlatIndex(index) => write!(f, "[<flat index {=u32}>]", index),
            KeyEntry::Raw(text) => write!(f, "{=str}", text),
            KeyEntry::Some => {}
        }
    }
}

/// Formats the entry of the child.
impl Format for ChildKey<'_> {
    fn format(&self, f: Formatter<'_>) {
        KeyEntry::from(*self).format(f);
    }
}

/// Formats the value as Python prints it, except that strings are not escaped, and that bytes and integers above 64
/// bits are hexadecimal.
impl Format for Value<'_> {
    fn format(&self, f: Formatter<'_>) {
        match *self {
            Value::None => write!(f, "None"),
            Value::Bool(true) => write!(f, "True"),
            Value::Bool(false) => write!(f, "False"),
            Value::Int(int) => write!(f, "{=i64}", int),
            Value::BigInt(int) => int.format(f),
            Value::Float(float) => write!(f, "{=f64}", float),
            Value::Float32(float) => write!(f, "{=f32}", float),
            Value::Str(text) => write!(f, "'{=str}'", text),
            Value::Bytes(bytes) => write!(f, "{=[u8]:02x}", bytes),
            Value::Opaque(text) => write!(f, "{=str}", text),
            Value::Tuple(tuple) => tuple.format(f),
        }
    }
}

/// Formats the integer as hexadecimal: `-0x8000000000000001`.
impl Format for BigInt<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=str}0x", if self.is_negative() { "-" } else { "" });
        self.magnitude().iter().rev().for_each(|byte| write!(f, "{=u8:02x}", byte));
    }
}

/// Formats a comma after each value: `(1,'a',)`.
impl Format for ValueTuple<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "(");
        let mut elements = self.elements();
        while elements.next(|value| write!(f, "{},", value)).is_some() {}
        write!(f, ")");
    }
}

/// Formats the indices of its leaves, and the node: `leaves 1..3: TreeDef(Tuple, ..)`.
impl Format for Found<'_> {
    fn format(&self, f: Formatter<'_>) {
        let leaves = self.leaves();
        write!(f, "leaves {=usize}..{=usize}: {}", leaves.start, leaves.end, self.treedef());
    }
}

/// Formats the path, the kind of the difference and both sides: `at ['a']: Metadata, expected Dict(1), found Dict(1),
/// missing ['x'], unexpected ['y']`.
impl Format for Difference<'_> {
    fn format(&self, f: Formatter<'_>) {
        let (expected, found) = self.heads();
        match self.path() {
            root if root.is_silent() => write!(f, "at the root: "),
            path => write!(f, "at {}: ", path),
        }
        write!(f, "{}, expected {}, found {}", self.kind(), expected, found);
        self.missing().for_each(|entry| write!(f, ", missing {}", entry));
        self.unexpected().for_each(|entry| write!(f, ", unexpected {}", entry));
    }
}

/// Formats the first differences: `at ['a']: Metadata, ..; at ['b']: ..; `.
impl Format for Summary<'_> {
    fn format(&self, f: Formatter<'_>) {
        self.differences.clone().take(LINES).for_each(|difference| match difference {
            Ok(difference) => write!(f, "{}; ", difference),
            Err(error) => write!(f, "{}; ", error),
        });
    }
}

/// Formats what the path has at which node, and the entries of the node: `no ['b'] at ['a']: has ['c'], `.
impl Format for PathExplanation<'_> {
    fn format(&self, f: Formatter<'_>) {
        let Some((found, at)) = self.stopped() else { return self.error.format(f) };
        let rest = self.text.get(at as usize..).unwrap_or_default();
        write!(f, "no {=str} at {}: has ", rest, found.path());
        found.treedef().head().entries().for_each(|entry| write!(f, "{}, ", entry));
    }
}

/// Formats why a stored node does not fit.
impl Format for Why<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Why::Differs(head) => write!(f, "now {}", head),
            Why::Type(_) => write!(f, "no such value"),
            Why::OtherPart => write!(f, "no default for another part"),
            Why::Missing { stored, child } => {
                write!(f, "no default for {}", stored.path());
                child.iter().for_each(|child| write!(f, "{}", child));
            }
            Why::Room(room) => write!(f, "room for {=usize}", room),
            Why::Part { stored, room, schema } => {
                write!(f, "{}: {}", stored, room.map_or(Why::Type(schema), Why::Room));
            }
            Why::Meta { stored, name, value: Some(value) } => {
                write!(f, "no such value: {=str} = {} of {}", name, value, stored.path());
            }
            Why::Meta { stored, name, value: None } => {
                write!(f, "no default for {=str} of {}", name, stored.path());
            }
            Why::Key => write!(f, "no such key"),
            Why::WrongLeaf(leaf) => write!(f, "leaf {} is of another type", leaf),
            Why::LeafType([from, to]) => {
                write!(f, "no {=str} has the value of the {=str}", to, from)
            }
            Why::Leaf(why) => write!(f, "{}", defmt::Display2Format(*why)),
        }
    }
}

/// Formats what was lost, new, moved, replaced, dropped, changed or converted: `lost ['a']`, `replaced ['a']: leaves 0..1: .., no such value`.
impl Format for Migration<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Migration::New(at) => write!(f, "new {}", at),
            Migration::Lost(stored) => write!(f, "lost {}", stored.path()),
            Migration::LostMeta { stored, name, value } => {
                write!(f, "lost {=str} = {} of {}", name, value, stored.path());
            }
            Migration::Moved { stored, at } => write!(f, "moved {} to {}", stored.path(), at),
            Migration::Replaced { stored, at, why } => {
                write!(f, "replaced {}: {}, {}", at, stored, why)
            }
            Migration::Dropped { stored, at, why } => {
                write!(f, "dropped {}: {}, {}", at, stored, why)
            }
            Migration::Changed { stored, at, .. } => write!(f, "changed {} from {}", at, stored),
            Migration::Converted { at, types: [from, to], .. } => {
                write!(f, "converted {} from {=str} to {=str}", at, from, to)
            }
            Migration::Unused { from, to } => write!(f, "unused alias {=str} to {=str}", from, to),
        }
    }
}

/// Formats the head, the depth and the index of the first leaf: `Dict(2), depth 1, leaf 3`.
impl Format for NodeAt<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{}, depth {=usize}, leaf {=usize}", self.head, self.depth, self.leaf);
    }
}

/// Formats the parts with commas between them, as [`Parts`].
impl Format for CallKey<'_> {
    fn format(&self, f: Formatter<'_>) {
        self.parts().format(f);
    }
}

impl Format for Parts<'_> {
    fn format(&self, f: Formatter<'_>) {
        self.clone().fold("", |before, part| {
            write!(f, "{=str}{}", before, part);
            ", "
        });
    }
}

impl Format for Part<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Part::TreeDef(def) => def.format(f),
            Part::Array(array) => array.format(f),
            Part::Value(value) => value.format(f),
            Part::Named { name, value } => write!(f, "{=str}={}", name, value),
            Part::Bytes(bytes) => write!(f, "{=[u8]:02x}", bytes),
        }
    }
}

/// Formats the part and both sides: `part 1 at ['w']: expected Float32[3], found Float32[4]`.
impl Format for KeyDifference<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "part {=usize}", self.index());
        if let Some(path) = self.path()
            && path.entries().next().is_some()
        {
            write!(f, " at {}", path);
        }
        write!(f, ": ");
        match (self.expected(), self.found()) {
            (Some(expected), Some(found)) => write!(f, "expected {}, found {}", expected, found),
            (Some(expected), None) => write!(f, "missing {}", expected),
            (None, Some(found)) => write!(f, "unexpected {}", found),
            (None, None) => {}
        }
    }
}

/// Formats `Float32[3,4]`, or `weak Float32[3,4]` for a weak type.
impl Format for ShapeDtype<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{=str}{}[", if self.is_weak() { "weak " } else { "" }, self.dtype());
        self.shape().fold("", |before, dim| {
            write!(f, "{=str}{}", before, dim);
            ","
        });
        write!(f, "]");
    }
}

impl Format for Dim<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Dim::Size(size) => write!(f, "{=u64}", size),
            Dim::Symbolic(symbol) => write!(f, "{=str}", symbol),
        }
    }
}

/// Formats the treedef, then the leaves: `TreeDef(..) [0.5, 12.0]`.
impl<L: Format> Format for View<'_, L> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{} {=[?]}", self.treedef(), self.leaves());
    }
}
