//! Computes one value from all leaves.
//!
//! A slice of leaves is a tree, so these functions also work on the leaves of a [`View`](crate::View).

use core::ops::Add;

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::tree::each::{for_each, try_for_each};
use crate::tree::traits::{Leaf, TreeRead};

/// Folds the leaves from left to right, starting with `initial`, as `jax.tree.reduce` with an initializer.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// assert_eq!(treedef::reduce(&tree, 10.0, |sum, x| sum + x)?, 16.0);
/// assert!(treedef::reduce(&tree, true, |all, x| all && x.is_finite())?);
/// assert_eq!(treedef::reduce(&tree, f32::NEG_INFINITY, |max, x| max.max(*x))?, 3.0);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias("tree_reduce", "reduce_associative", "tree_all", "tree_any", "tree_max", "tree_min"))]
pub fn reduce<'a, L, A, T>(
    tree: &'a T,
    initial: A,
    mut f: impl FnMut(A, &'a L) -> A,
) -> Result<A, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    let mut folded = Folded(Some(initial));
    for_each(tree, |leaf| folded.replace(|value| f(value, leaf)))?;
    folded.value()
}

/// As [`reduce`], but stops at the first error of `f`.
///
/// # Errors
///
/// The first error of `f`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::try_reduce;
///
/// let add = |sum: u8, x: &u8| sum.checked_add(*x).ok_or(Error::TooLarge);
/// assert_eq!(try_reduce(&(1u8, [2u8, 3]), 0, add), Ok(6));
/// assert_eq!(try_reduce(&(1u8, [2u8, 255]), 0, add), Err(Error::TooLarge));
/// ```
#[inline]
pub fn try_reduce<'a, L, A, E, T>(
    tree: &'a T,
    initial: A,
    mut f: impl FnMut(A, &'a L) -> Result<A, E>,
) -> Result<A, E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + ?Sized,
{
    let mut folded = Folded(Some(initial));
    try_for_each(tree, |leaf| folded.step(|value| f(value, leaf)))?;
    folded.value()
}

/// The value of a reduction. It is `None` only during a call of the function.
pub(crate) struct Folded<X>(pub(crate) Option<X>);

impl<X> Folded<X> {
    /// Replaces the value by the result of `f`.
    #[inline]
    pub(crate) fn step<E>(&mut self, f: impl FnOnce(X) -> Result<X, E>) -> Result<(), E> {
        self.0 = match self.0.take() {
            Some(value) => Some(f(value)?),
            None => None,
        };
        Ok(())
    }

    /// Replaces the value by the result of `f`, which always has one.
    #[inline]
    pub(crate) fn replace(&mut self, f: impl FnOnce(X) -> X) {
        self.0 = self.0.take().map(f);
    }

    /// Returns the value at the end. It is `Some`, because every successful step puts it back.
    #[inline]
    pub(crate) fn value<E: From<Error>>(self) -> Result<X, E> {
        self.0.ok_or(Error::TooFewLeaves { expected: 0, found: 0 }.into())
    }
}

/// Returns the sum of the leaves, as `optree.tree_sum`, or zero (the default of the type) without leaves.
///
/// The type of the result is the leaf type.
///
/// Adds from left to right with the `+` of the leaf type. If that panics on overflow, as it does for integers in a
/// build with overflow checks, so does this function: use [`reduce`] with `wrapping_add` to avoid it.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// assert_eq!(treedef::tree::sum(&(1.0f32, [2.0f32, 3.0]))?, 6.0);
/// assert_eq!(treedef::tree::sum(&[0.0f32; 0]), Ok(0.0));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "it is the caller's `+`")]
#[doc(alias = "tree_sum")]
pub fn sum<L, T>(tree: &T) -> Result<L, Error>
where
    L: Leaf + Clone + Default + Add<Output = L>,
    T: TreeRead<L> + ?Sized,
{
    reduce(tree, L::default(), |sum, leaf| sum + leaf.clone())
}
