//! The heads of tuples, lists and `Some`.

use super::sealed::Sealed;
use super::{Entry, Heading, check_count, put_count};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head;
use crate::format::value::Stop;

/// The head of a tuple.
#[derive(Clone, Copy)]
pub struct TupleOf(
    /// The number of children.
    pub usize,
);

debug_struct!([] TupleOf(0));

/// The head of a list.
#[derive(Clone, Copy)]
pub struct ListOf(
    /// The number of children.
    pub usize,
);

debug_struct!([] ListOf(0));

macro_rules! counted {
    ($($name:ident $kind:ident),*) => {$(
        impl Sealed for $name {}

        impl Heading for $name {
            fn arity(&self) -> usize {
                self.0
            }

            fn check(&self) -> Result<(), Error> {
                check_count(self.0)
            }

            #[inline]
            fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
                put_count(head::$kind, self.0, put)
            }

            #[inline]
            fn __counted(&self) -> Option<(u8, usize)> {
                Some((head::$kind, self.0))
            }
        }
    )*};
}
counted!(TupleOf TUPLE, ListOf LIST);

/// The head of a `Some` that would be mistaken for `None` without a node of its own: one child.
#[derive(Clone, Copy)]
pub struct SomeOf;

debug_struct!([] SomeOf {});

impl Sealed for SomeOf {}

impl Heading for SomeOf {
    fn arity(&self) -> usize {
        1
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn pieces(&self, put: &mut impl FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        put(&[head::EXT << 5 | head::EXT_SOME, 1, 0])
    }
}

impl Entry for TupleOf {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        Entries::positions(self.0)
    }
}

impl Entry for ListOf {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        Entries::positions(self.0)
    }
}

impl Entry for SomeOf {
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        core::iter::once(KeyEntry::Some)
    }
}
