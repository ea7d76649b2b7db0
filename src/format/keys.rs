//! Iterates over the keys of a dictionary that is built, from its head or from its choices.

use crate::base::show::debug_struct;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::Head;
use crate::format::reader::Input;
use crate::format::value::Value;

/// The keys of a dictionary that is built, in their order. The guide to [`containers`](mod@crate::guide::containers) has an example.
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Keys<'d>(Entries<'d>);

debug_struct!([] Keys<'_> {});

impl<'d> Keys<'d> {
    /// No keys.
    pub(crate) const NONE: Self = Self(Entries::NONE);

    pub(crate) fn of_head(head: Head<'d>) -> Self {
        Self(head.entries())
    }

    /// The first `count` values in `bytes`, and the bytes after them.
    pub(crate) fn of_values(count: usize, bytes: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let mut input = Input::new(bytes);
        for _ in 0..count {
            Value::take(&mut input)?;
        }
        Some((Self(Entries::of_keys(count, bytes)), input.rest))
    }
}

impl<'d> Iterator for Keys<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        match self.0.next()? {
            KeyEntry::Key(key) => Some(key),
            _ => None,
        }
    }
}
