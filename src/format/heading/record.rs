//! The heads of named tuples and structs: a type name, field names, and meta fields.

use core::iter::FusedIterator;

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{self, Form, Head, Kind, kind_and_count};
use crate::format::heading::block::Block;
use crate::format::heading::spec::{Entry, HeadSpec};
use crate::format::pieces::{Put, Stop, put_block, put_run};
use crate::format::reader::{Input, read_run};
use crate::format::value::Value;
use crate::format::varint::Front;

/// The head of a named tuple.
///
/// # Examples
///
/// ```
/// use treedef::Writer;
/// use treedef::head::NamedTuple;
///
/// let head = NamedTuple { name: "Point", fields: &["x", "y"] };
/// let mut bytes = [0; 32];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head, |out| out.leaves(2));
/// assert_eq!(out.finish()?.path(1).map(|path| path.to_string()).as_deref(), Some(".y"));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct NamedTuple<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The names of the fields in the type's order.
    pub fields: &'a [&'a str],
}

debug_struct!([] NamedTuple<'_> { name as Text, fields as Texts });

impl HeadSpec for NamedTuple<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        let front = Front::of([head::EXT << 5 | head::EXT_NAMED_TUPLE]);
        put(front.then_number(self.fields.len() as u64).as_bytes())?;
        put_block(put, |out| put_names(self.name, self.fields, out))
    }
}

impl Entry for NamedTuple<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        self.fields.iter().map(|name| KeyEntry::Attr(name))
    }
}

pub(crate) fn put_names(name: &str, fields: &[&str], put: &mut Put<'_>) -> Result<(), Stop> {
    put_run(name.as_bytes(), put)?;
    fields.iter().try_for_each(|field| put_run(field.as_bytes(), put))
}

/// The head of a struct, a dataclass or an enum variant.
///
/// # Examples
///
/// ```
/// use treedef::head::Struct;
/// use treedef::{Value, Writer};
///
/// let head = Struct { name: "Pid", fields: &["gain"], meta: &[("axis", Value::Int(2))] };
/// let mut bytes = [0; 32];
/// let mut out = Writer::new(&mut bytes);
/// out.node(&head, |out| out.leaves(1));
/// assert!(out.finish()?.head().fields().eq(["gain"]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Struct<'a> {
    /// The type name with its path; text shows what follows the last `::`.
    pub name: &'a str,
    /// The names of the fields that hold trees, in the type's order.
    pub fields: &'a [&'a str],
    /// The meta fields with their values.
    pub meta: &'a [(&'a str, Value<'a>)],
}

debug_struct!([] Struct<'_> { name as Text, fields as Texts, meta as Named });

impl HeadSpec for Struct<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn check(&self, _: bool) -> Result<(), Error> {
        match self.meta.iter().any(|(_, value)| value.is_too_deep()) {
            true => Err(Error::ValueTooDeep),
            false => Ok(()),
        }
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(kind_and_count(head::STRUCT, self.fields.len()).as_bytes())?;
        put_block(put, |out| {
            put_names(self.name, self.fields, out)?;
            self.meta.iter().try_for_each(|(name, value)| {
                put_run(name.as_bytes(), out)?;
                value.pieces(out)
            })
        })
    }
}

impl Entry for Struct<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        self.fields.iter().map(|name| KeyEntry::Attr(name))
    }
}

impl<'a> Head<'a> {
    /// The field names of a struct or named tuple, whose name is its [`type_name`](Head::type_name); empty for every other kind.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let entries = match self.form() {
            Form::Field => self.entries(),
            _ => Entries::NONE,
        };
        entries.filter_map(|entry| match entry {
            KeyEntry::Attr(name) => Some(name),
            _ => None,
        })
    }

    /// The meta fields of a struct, each with its name; empty for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::head::{Struct, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let layer = Struct { name: "Dense", fields: &["w", "b"], meta: &[("units", Value::Int(64))] };
    /// let head = head_into(&layer, &mut bytes)?;
    /// assert!(head.meta_fields().eq([("units", Value::Int(64))]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn meta_fields(&self) -> MetaFields<'a> {
        MetaFields { bytes: self.meta() }
    }

    /// The meta fields of a struct, as they are written: what follows the names of the fields.
    pub(crate) const fn meta(&self) -> &'a [u8] {
        let (mut bytes, mut left) = match self.kind() {
            Kind::Struct => (self.names(), self.arity()),
            _ => return &[],
        };
        while left > 0 {
            let Some((_, rest)) = read_run(bytes) else { return &[] };
            (bytes, left) = (rest, left.wrapping_sub(1));
        }
        bytes
    }
}

/// The meta fields of a struct, from [`Head::meta_fields`](crate::Head::meta_fields).
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct MetaFields<'a> {
    bytes: &'a [u8],
}

debug_struct!([] MetaFields<'_> {});

impl<'a> Iterator for MetaFields<'a> {
    type Item = (&'a str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut input = Input::new(self.bytes);
        let (name, value) = (input.text()?, Value::take(&mut input)?);
        self.bytes = input.rest;
        Some((name, value))
    }
}

impl FusedIterator for MetaFields<'_> {}

/// Checks the meta fields in a block from outside, which are what is left of it.
pub(crate) fn check_meta<const PLAIN: bool>(block: &mut Block<'_, PLAIN>) -> Option<()> {
    while !block.is_at_end() {
        if PLAIN {
            block.begin();
            return block.input.fail(Fault::NotPlain);
        }
        block.names(0)?;
        block.value()?;
    }
    Some(())
}
