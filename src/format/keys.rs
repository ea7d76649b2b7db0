//! Reads what the block of a head holds: the keys of a dictionary, and the meta fields of a struct.

use core::iter::FusedIterator;

use crate::base::bytes::equal;
use crate::base::show::debug_struct;
use crate::format::value::{Value, read_run, read_str};
use crate::format::varint;

/// How the keys of a dictionary are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Str,
    Int,
    Typed,
}

/// The keys of a dictionary, from [`Head::keys`](crate::Head::keys). [`Head`](crate::Head) has an example.
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Keys<'a> {
    pub(super) form: Form,
    pub(super) left: u32,
    pub(super) bytes: &'a [u8],
}

debug_struct!([] Keys<'_> { left });

impl<'a> Keys<'a> {
    /// The last `left` keys, which `bytes` begin with.
    pub(crate) const fn resume(form: Form, left: u32, bytes: &'a [u8]) -> Self {
        Self { form, left, bytes }
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The index of `text` among the remaining keys, which are strings. Compares bytes, without the check for UTF-8.
    pub(crate) fn position(mut self, text: &str) -> Option<u32> {
        for index in 0..self.left {
            let (run, rest) = read_run(self.bytes)?;
            if equal(run, text.as_bytes()) {
                return Some(index);
            }
            self.bytes = rest;
        }
        None
    }

    /// Steps over the next key of both, if the two are equal strings. Compares bytes, without the check for UTF-8.
    pub(crate) fn take_same(&mut self, other: &mut Keys<'_>) -> bool {
        let (Form::Str, Form::Str) = (self.form, other.form) else { return false };
        let (Some(left), Some(other_left)) = (self.left.checked_sub(1), other.left.checked_sub(1))
        else {
            return false;
        };
        match (read_run(self.bytes), read_run(other.bytes)) {
            (Some((own, rest)), Some((others, other_rest))) if equal(own, others) => {
                (self.left, self.bytes) = (left, rest);
                (other.left, other.bytes) = (other_left, other_rest);
                true
            }
            _ => false,
        }
    }

    /// The bytes after the keys, which are strings.
    pub(crate) fn after_strings(mut self) -> &'a [u8] {
        for _ in 0..self.left {
            let Some((_, rest)) = read_run(self.bytes) else { return &[] };
            self.bytes = rest;
        }
        self.bytes
    }

    /// Reads the next key.
    fn read(&mut self) -> Option<Value<'a>> {
        let (key, rest) = match self.form {
            Form::Str => {
                let (text, rest) = read_str(self.bytes)?;
                (Value::Str(text), rest)
            }
            Form::Int => {
                let (raw, rest) = varint::read_u64(self.bytes)?;
                (Value::Int(varint::unzigzag(raw)), rest)
            }
            Form::Typed => Value::read(self.bytes).ok()?,
        };
        self.bytes = rest;
        Some(key)
    }
}

impl<'a> Iterator for Keys<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.left = self.left.checked_sub(1)?;
        self.read()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Keys<'_> {}

impl FusedIterator for Keys<'_> {}

/// The meta fields of a struct, from [`Head::meta_fields`](crate::Head::meta_fields), which has an example.
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct MetaFields<'a> {
    pub(super) bytes: &'a [u8],
}

debug_struct!([] MetaFields<'_> {});

impl<'a> Iterator for MetaFields<'a> {
    type Item = (&'a str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, rest) = read_str(self.bytes)?;
        let (value, rest) = Value::read(rest).ok()?;
        self.bytes = rest;
        Some((name, value))
    }
}

impl FusedIterator for MetaFields<'_> {}
