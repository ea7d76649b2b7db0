//! `defmt::Format` for what programs log: treedefs, paths, keys. Errors and kinds derive it.
//!
//! The device sends bytes and numbers; no text is made there and nothing of `core::fmt` is linked.

use defmt::{Format, Formatter, write};

use crate::entry::KeyEntry;
use crate::head::Head;
use crate::key_path::KeyPath;
use crate::path::Path;
use crate::treedef::TreeDef;
use crate::treedef_buf::TreeDefBuf;
use crate::value::Value;

/// Kind of the root, leaves, fingerprint, bytes: `TreeDef(Dict, 12 leaves, 0x1f.., [62, 04, ..])`.
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

impl<const N: usize> Format for TreeDefBuf<N> {
    fn format(&self, f: Formatter<'_>) {
        self.as_treedef().format(f);
    }
}

/// Kind and number of children: `Dict(2)`.
impl Format for Head<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "{}({=usize})", self.kind(), self.num_children());
    }
}

/// The entries one after the other: `[1]['bias'].gain`.
impl Format for Path<'_> {
    fn format(&self, f: Formatter<'_>) {
        self.entries().for_each(|entry| entry.format(f));
    }
}

/// As a [`Path`].
impl Format for KeyPath<'_, '_> {
    fn format(&self, f: Formatter<'_>) {
        self.iter().for_each(|entry| entry.format(f));
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

/// As Python prints it, but strings are not escaped, and bytes and integers beyond 64 bits are hexadecimal.
impl Format for Value<'_> {
    fn format(&self, f: Formatter<'_>) {
        match *self {
            Value::None => write!(f, "None"),
            Value::Bool(true) => write!(f, "True"),
            Value::Bool(false) => write!(f, "False"),
            Value::Int(int) => write!(f, "{=i64}", int),
            Value::BigInt(int) => {
                write!(f, "{=str}0x", if int.is_negative() { "-" } else { "" });
                int.magnitude().iter().rev().for_each(|byte| write!(f, "{=u8:02x}", byte));
            }
            Value::Float(float) => write!(f, "{=f64}", float),
            Value::Float32(float) => write!(f, "{=f32}", float),
            Value::Str(text) => write!(f, "'{=str}'", text),
            Value::Bytes(bytes) => write!(f, "{=[u8]:02x}", bytes),
            Value::Opaque(text) => write!(f, "{=str}", text),
            Value::Tuple(tuple) => {
                write!(f, "(");
                tuple.iter().for_each(|value| write!(f, "{},", value));
                write!(f, ")");
            }
        }
    }
}
