//! Does what some methods of slices and arrays in core do, which can panic where an optimiser for size does not inline them.

use core::array;
use core::mem::swap;

use crate::base::attempt::{attempt, ok};
use crate::base::never::{cannot_be, never};

/// The pieces of a slice that have `len` elements each. What is left at the end is no piece, and there is none if `len` is 0.
///
/// Core's `chunks_exact` panics if the length is 0.
pub(crate) struct Pieces<'s, T> {
    rest: &'s [T],
    len: usize,
}

impl<'s, T> Pieces<'s, T> {
    #[inline]
    pub(crate) const fn new(slice: &'s [T], len: usize) -> Self {
        Self { rest: slice, len }
    }
}

impl<'s, T> Iterator for Pieces<'s, T> {
    type Item = &'s [T];

    #[inline]
    fn next(&mut self) -> Option<&'s [T]> {
        let (piece, rest) = self.rest.split_at_checked(self.len)?;
        self.rest = rest;
        if piece.is_empty() { None } else { Some(piece) }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.rest.len().checked_div(self.len).unwrap_or(0);
        (count, Some(count))
    }
}

impl<T> ExactSizeIterator for Pieces<'_, T> {}

/// Reverses the order of the items. Core's `reverse` indexes.
pub(crate) fn reverse<T>(items: &mut [T]) {
    let mut rest = items;
    while let [first, between @ .., last] = rest {
        swap(first, last);
        rest = between;
    }
}

/// An array of what `next` returns, in this order; `None` at its first `None`.
///
/// The array is filled as a `heapless::Vec`, because that needs neither unsafe code nor a panic.
// Not by way of `try_array_of`: an optimiser for size then keeps the array twice.
#[inline]
pub(crate) fn array_of<T, const N: usize>(mut next: impl FnMut() -> Option<T>) -> Option<[T; N]> {
    let mut elements = heapless::Vec::<T, N>::new();
    for _ in 0..N {
        elements.push(attempt!(next())).ok()?;
    }
    into_array(elements)
}

/// The array of all elements.
#[inline]
fn into_array<T, const N: usize>(elements: heapless::Vec<T, N>) -> Option<[T; N]> {
    /// In the function that fills a long array, the optimiser would take a time that is quadratic in its length.
    #[inline(never)]
    fn of_long<T, const N: usize>(elements: heapless::Vec<T, N>) -> Option<[T; N]> {
        elements.into_array().ok()
    }

    if const { N <= 16 && size_of::<[T; N]>() <= 1024 } {
        elements.into_array().ok()
    } else {
        of_long(elements)
    }
}

/// As [`array_of`], but stops at the first error of `next`, which is called with the index of the element. `short` makes an
/// error that is never returned.
#[inline]
pub(crate) fn try_array_of<T, E, const N: usize>(
    mut next: impl FnMut(usize) -> Result<T, E>,
    short: impl FnOnce() -> E,
) -> Result<[T; N], E> {
    if const { cannot_be::<E>() } {
        // Each element is written where it stays.
        return Ok(array::from_fn(|index| match next(index).or_else(|_| never()) {
            Ok(element) => element,
            Err(never) => match never {},
        }));
    }
    let mut elements = heapless::Vec::<T, N>::new();
    for index in 0..N {
        let _ = elements.push(ok!(next(index)));
    }
    into_array(elements).ok_or_else(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_one_length_and_the_rest_is_none() {
        let pieces = Pieces::new(&[1, 2, 3, 4, 5], 2);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.eq([[1, 2], [3, 4]]));
        assert_eq!(Pieces::new(&[1, 2], 0).next(), None);
        assert_eq!(Pieces::new(&[1, 2], 3).next(), None);
    }

    #[test]
    fn items_are_reversed_whatever_their_number() {
        for count in 0..=4 {
            let mut items = [0, 1, 2, 3];
            let expected = items.map(|i| if i < count { count - 1 - i } else { i });
            if let Some(items) = items.get_mut(..count) {
                reverse(items);
            }
            assert_eq!(items, expected, "{count}");
        }
    }
}
