//! Defines what the vectors of all crates have in common where they are rebuilt or mapped.

use crate::base::attempt::{attempt, ok};
use crate::base::error::Error;

/// A vector of elements that are rebuilt or mapped.
pub trait Vector<T>: Default {
    /// Makes a vector for `count` elements.
    fn with_room(_count: usize) -> Self {
        Self::default()
    }

    /// Appends an element. Returns `false` if there is no room.
    fn add(&mut self, element: T) -> bool;

    /// As [`Vector::add`], in room that [`Vector::with_room`] made. The vector does not grow, so the compiler can keep its
    /// parts in registers.
    #[inline]
    fn put(&mut self, element: T) -> bool {
        self.add(element)
    }

    /// Appends the elements that `build` makes, each from the leaves that are its item of `given`. A vector may
    /// make room for all of them at once, because their leaves are given. The result is `None` if `build` made no element,
    /// and `Some(false)` if there is no room.
    #[inline]
    fn fill<I>(
        &mut self,
        given: impl ExactSizeIterator<Item = I>,
        mut build: impl FnMut(I) -> Option<T>,
    ) -> Option<bool> {
        for leaves in given {
            if !self.add(attempt!(build(leaves))) {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Appends an element that was made, in room that [`Vector::with_room`] made. `full` is the error if there is none. A
/// function of its own, so that its values are no part of the frames of a recursive type.
#[inline]
pub(crate) fn put<T, E: From<Error>>(
    elements: &mut impl Vector<T>,
    made: Result<T, E>,
    full: Error,
) -> Result<(), E> {
    match elements.put(ok!(made)) {
        true => Ok(()),
        false => Err(full.into()),
    }
}
