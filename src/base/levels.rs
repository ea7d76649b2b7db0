//! The levels that a walk has open, the outermost first: a stack with an upper bound.

/// Room for `D` levels, of which those that are open are written, and no others.
pub(crate) type Levels<T, const D: usize> = heapless::Vec<T, D>;

/// A stack without levels.
///
/// It is made through a pointer to the function: seen through at opt-level 3, an empty stack becomes a constant of its
/// full size, kept in flash and copied.
#[inline]
pub(crate) fn empty<T, const D: usize>() -> Levels<T, D> {
    (Levels::new as fn() -> Levels<T, D>)()
}
