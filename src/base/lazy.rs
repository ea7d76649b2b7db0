//! An iterator that makes an item only where it is asked for.

use core::iter::FusedIterator;

/// What `make` makes of each of `items`.
///
/// `core::iter::Map` calls its function for every item that is passed over, so that a range of billions is gone
/// through. Here `nth`, `count` and `last` cost what `nth`, `len` and `next_back` cost for `items`.
#[derive(Clone)]
pub(crate) struct Lazy<I, F> {
    items: I,
    make: F,
}

impl<I: Iterator, T, F: Fn(I::Item) -> T> Lazy<I, F> {
    pub(crate) const fn new(items: I, make: F) -> Self {
        Self { items, make }
    }
}

impl<I, T, F> Iterator for Lazy<I, F>
where
    I: DoubleEndedIterator + ExactSizeIterator,
    F: Fn(I::Item) -> T,
{
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.items.next().map(&self.make)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        self.items.nth(n).map(&self.make)
    }

    fn count(self) -> usize {
        self.items.len()
    }

    fn last(mut self) -> Option<T> {
        // `Iterator::last` of some adaptors goes through all items.
        self.next_back()
    }
}

impl<I, T, F> DoubleEndedIterator for Lazy<I, F>
where
    I: DoubleEndedIterator + ExactSizeIterator,
    F: Fn(I::Item) -> T,
{
    fn next_back(&mut self) -> Option<T> {
        self.items.next_back().map(&self.make)
    }

    fn nth_back(&mut self, n: usize) -> Option<T> {
        self.items.nth_back(n).map(&self.make)
    }
}

impl<I, T, F> ExactSizeIterator for Lazy<I, F>
where
    I: DoubleEndedIterator + ExactSizeIterator,
    F: Fn(I::Item) -> T,
{
}

impl<I, T, F> FusedIterator for Lazy<I, F>
where
    I: DoubleEndedIterator + ExactSizeIterator + FusedIterator,
    F: Fn(I::Item) -> T,
{
}
