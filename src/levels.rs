//! The levels that a walk has open, the outermost first: a stack with an upper bound.

/// Room for `D` levels, of which those that are open are written, and no others.
pub(crate) type Levels<T, const D: usize> = heapless::Vec<T, D>;

/// No level yet.
///
/// Made by a pointer to the function: one that the compiler sees through at once, at opt-level 3, it takes for a
/// constant, which it keeps in flash and copies.
#[inline]
pub(crate) fn none<T, const D: usize>() -> Levels<T, D> {
    (Levels::new as fn() -> Levels<T, D>)()
}
