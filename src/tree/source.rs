//! Gives a rebuild its leaves: from a slice, an iterator or a function.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::encode::arithmetic::small;
use crate::tree::leaf_types::LeafTypes;

/// Where leaves come from: a slice whose leaves are cloned, or an iterator. Only this crate makes one.
///
/// [`Rebuild`](crate::container::Rebuild) takes leaves from it, and the code of a container passes it on. The guide to
/// [`containers`](crate::guide::containers) has an example.
pub trait Source<K: LeafTypes> {
    /// Whether [`Source::chunk`] returns leaves as long as enough of them are left.
    #[doc(hidden)]
    const SLICED: bool = false;

    /// Whether a type with a fixed treedef takes its leaves at once, by
    /// [`TreeBuild::from_leaves`](crate::tree::TreeBuild::from_leaves).
    #[doc(hidden)]
    const AT_ONCE: bool = true;

    /// A source that copies leaves as this one does. Sources that copy in the same way have the same type here, so that
    /// [`TreeBuild::from_leaves`](crate::tree::TreeBuild::from_leaves) is compiled once for them.
    #[doc(hidden)]
    type Copies: Source<K>;

    /// Takes the next leaf; `None` if none is left. The guide to [`containers`](crate::guide::containers) has an example.
    fn next(&mut self) -> Option<K::Owned>;

    /// The next `count` leaves as a slice, if the source is a slice and has that number left.
    #[doc(hidden)]
    fn chunk(&mut self, _count: usize) -> Option<&[K::Owned]> {
        None
    }

    /// The last `again` leaves that were taken, and the next `count` leaves, as [`Source::chunk`].
    #[doc(hidden)]
    fn chunk_after(&mut self, _again: usize, _count: usize) -> Option<&[K::Owned]> {
        None
    }

    /// Notes why a tree was not built: because of `error`, or if that is `None`, because of the leaf before the last `left`
    /// leaves of the last chunk.
    #[doc(hidden)]
    fn refuse(&mut self, _left: usize, _error: Option<Error>) {}

    /// Clones a leaf from a slice that [`Source::chunk`] returned.
    #[doc(hidden)]
    fn copy(_leaf: &K::Owned) -> Option<K::Owned> {
        None
    }
}

/// Clones leaves from a slice.
#[derive(Debug)]
pub(crate) struct Slice<'l, O> {
    all: &'l [O],
    rest: &'l [O],
}

impl<'l, O> Slice<'l, O> {
    pub(crate) const fn new(leaves: &'l [O]) -> Self {
        Self { all: leaves, rest: leaves }
    }
}

impl<K: LeafTypes<Owned = O>, O: Clone> Source<K> for Slice<'_, O> {
    const SLICED: bool = true;

    type Copies = Self;

    #[inline]
    fn next(&mut self) -> Option<O> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first.clone())
    }

    #[inline]
    fn chunk(&mut self, count: usize) -> Option<&[O]> {
        let (chunk, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(chunk)
    }

    #[inline]
    fn chunk_after(&mut self, again: usize, count: usize) -> Option<&[O]> {
        let taken = self.all.len().checked_sub(self.rest.len())?;
        self.rest = self.rest.get(count..)?;
        self.all.get(taken.checked_sub(again)?..)?.get(..again.checked_add(count)?)
    }

    #[inline]
    fn copy(leaf: &O) -> Option<O> {
        Some(leaf.clone())
    }
}

/// Clones leaves from a chunk of the source `S`.
pub(crate) struct Part<'l, O, S> {
    rest: &'l [O],
    /// The leaves of the last chunk that were not taken.
    not_taken: usize,
    /// Why a tree was not built, if not because of a leaf.
    refused: Option<Error>,
    source: PhantomData<fn() -> S>,
}

impl<'l, O, S> Part<'l, O, S> {
    #[inline]
    pub(crate) const fn new(leaves: &'l [O]) -> Self {
        Self { rest: leaves, not_taken: 0, refused: None, source: PhantomData }
    }

    /// After a tree was not built: as the arguments of [`Source::refuse`].
    #[cold]
    pub(crate) const fn refusal(&self) -> (usize, Option<Error>) {
        (self.rest.len().wrapping_add(self.not_taken), self.refused)
    }

    /// Why a tree was not built from this part, which had `given` leaves, the first of them with the index `first`.
    #[cold]
    pub(crate) const fn error(&self, first: u32, given: usize) -> Error {
        match self.refusal() {
            (_, Some(error)) => error,
            // A container by hand may refuse before it takes a leaf.
            (left, None) => {
                let taken = small(given.wrapping_sub(left));
                Error::WrongLeaf { leaf: first.wrapping_add(taken.saturating_sub(1)) }
            }
        }
    }
}

impl<K: LeafTypes<Owned = O>, O, S: Source<K>> Source<K> for Part<'_, O, S> {
    const SLICED: bool = true;

    type Copies = S::Copies;

    #[inline]
    fn next(&mut self) -> Option<O> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        S::copy(first)
    }

    #[inline]
    fn chunk(&mut self, count: usize) -> Option<&[O]> {
        let (chunk, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(chunk)
    }

    fn refuse(&mut self, left: usize, error: Option<Error>) {
        (self.not_taken, self.refused) = (left, error);
    }

    #[inline]
    fn copy(leaf: &O) -> Option<O> {
        S::copy(leaf)
    }
}

/// Takes the leaves that a function returns, for a type that is read node by node although its structure is fixed.
pub(crate) struct NextOnly<'n, O>(pub(crate) &'n mut dyn FnMut() -> Option<O>);

impl<K: LeafTypes<Owned = O>, O> Source<K> for NextOnly<'_, O> {
    const AT_ONCE: bool = false;

    type Copies = Self;

    fn next(&mut self) -> Option<O> {
        (self.0)()
    }
}

/// Takes leaves from an iterator.
#[derive(Debug)]
pub(crate) struct Moved<I>(pub(crate) I);

impl<K: LeafTypes, I: Iterator<Item = K::Owned>> Source<K> for Moved<I> {
    type Copies = Self;

    #[inline]
    fn next(&mut self) -> Option<K::Owned> {
        self.0.next()
    }
}

/// Counts the leaves that are taken from a source.
pub(crate) struct Counted<'s, S> {
    source: &'s mut S,
    taken: u32,
    /// Whether the source had no leaf left.
    at_end: bool,
    /// Why a tree was not built, if not because of a leaf.
    refused: Option<Error>,
}

impl<'s, S> Counted<'s, S> {
    #[inline]
    pub(crate) const fn new(source: &'s mut S) -> Self {
        Self { source, taken: 0, at_end: false, refused: None }
    }

    /// The error for the leaf that was taken last. The first that was taken has the index `first`.
    #[cold]
    pub(crate) const fn error(&self, first: u32, expected: usize) -> Error {
        match (self.refused, self.at_end) {
            (Some(error), _) => error,
            (None, true) => {
                Error::TooFewLeaves { expected, found: first.wrapping_add(self.taken) as usize }
            }
            // A container by hand may refuse before it takes a leaf.
            (None, false) => {
                Error::WrongLeaf { leaf: first.wrapping_add(self.taken.saturating_sub(1)) }
            }
        }
    }
}

impl<K: LeafTypes, S: Source<K>> Source<K> for Counted<'_, S> {
    type Copies = S::Copies;

    #[inline]
    fn next(&mut self) -> Option<K::Owned> {
        let leaf = self.source.next();
        match leaf {
            Some(_) => self.taken = self.taken.wrapping_add(1),
            None => self.at_end = true,
        }
        leaf
    }

    fn refuse(&mut self, _: usize, error: Option<Error>) {
        self.refused = error;
    }
}
