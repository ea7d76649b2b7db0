//! Walks two iterators side by side.

use core::iter::FusedIterator;

/// Pairs the items of two iterators that have equally many.
///
/// `nth` of `core::iter::Zip` reads every item that it passes over, and a few bytes can be billions of items. Here
/// `nth`, `count` and `last` cost what they cost in the two iterators.
#[derive(Clone)]
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

impl<A: DoubleEndedIterator + ExactSizeIterator, B: DoubleEndedIterator> Iterator for Both<A, B> {
    type Item = (A::Item, B::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().zip(self.1.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth(n).zip(self.1.nth(n))
    }

    fn count(self) -> usize {
        self.0.len()
    }

    fn last(mut self) -> Option<Self::Item> {
        self.next_back()
    }
}

impl<A, B> DoubleEndedIterator for Both<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator,
    B: DoubleEndedIterator,
{
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().zip(self.1.next_back())
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        self.0.nth_back(n).zip(self.1.nth_back(n))
    }
}

impl<A, B> ExactSizeIterator for Both<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator,
    B: DoubleEndedIterator,
{
}

impl<A, B> FusedIterator for Both<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator + FusedIterator,
    B: DoubleEndedIterator + FusedIterator,
{
}
