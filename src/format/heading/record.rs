//! Writes the heads of named tuples and structs.

use super::sealed::Sealed;
use super::{Entry, HeadSpec, put_block, put_count};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head;
use crate::format::value::{Put, Stop, Value, put_run};
use crate::format::varint::Varint;

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

debug_struct!([] NamedTuple<'_> { name, fields });

impl Sealed for NamedTuple<'_> {}

impl HeadSpec for NamedTuple<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(&[head::EXT << 5 | head::EXT_NAMED_TUPLE])?;
        put(Varint::new(self.fields.len() as u64).as_bytes())?;
        put_block(put, |out| put_names(self.name, self.fields, out))
    }
}

impl Entry for NamedTuple<'_> {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        self.fields.iter().map(|name| KeyEntry::Attr(name))
    }
}

fn put_names(name: &str, fields: &[&str], put: &mut Put<'_>) -> Result<(), Stop> {
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

debug_struct!([] Struct<'_> { name, fields, meta });

impl Sealed for Struct<'_> {}

impl HeadSpec for Struct<'_> {
    fn arity(&self) -> usize {
        self.fields.len()
    }

    fn check(&self) -> Result<(), Error> {
        match self.meta.iter().any(|(_, value)| value.is_too_deep()) {
            true => Err(Error::ValueTooDeep),
            false => Ok(()),
        }
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put_count(head::STRUCT, self.fields.len(), put)?;
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
