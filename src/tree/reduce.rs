//! Computes one value from all leaves.
//!
//! A slice of leaves is a tree, so these functions also work on the leaves of a [`View`](crate::View).

use core::cmp::Ordering;
use core::ops::Add;

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::depth::Depth;
use crate::tree::each::{Stop, try_for_each};
use crate::tree::lanes::Ref;
use crate::tree::leaf_types::{CloneLeaves, Leaf, LeafItem, LeafTypes};
use crate::tree::traits::TreeRead;

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
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn reduce<'a, K, R, A, T>(
    tree: &'a T,
    initial: A,
    mut f: impl FnMut(A, R) -> A,
) -> Result<A, Error>
where
    K: LeafTypes<Ref<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    try_reduce(tree, initial, |value, leaf: R| Ok::<_, Error>(f(value, leaf)))
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
pub fn try_reduce<'a, K, R, A, E, T>(
    tree: &'a T,
    initial: A,
    mut f: impl FnMut(A, R) -> Result<A, E>,
) -> Result<A, E>
where
    K: LeafTypes<Ref<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    E: From<Error>,
    T: TreeRead<K> + ?Sized,
{
    let mut folded = Folded(Some(initial));
    try_for_each(tree, |leaf: R| folded.step(|value| f(value, leaf)))?;
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

    /// Returns the value at the end. It is `Some`, because every successful step puts it back.
    #[inline]
    pub(crate) fn value<E: From<Error>>(self) -> Result<X, E> {
        self.0.ok_or(Error::TooFewLeaves { expected: 0, found: 0 }.into())
    }
}

/// Combines clones of the leaves pairwise, as `jax.tree.reduce_associative`. Returns `None` for a tree without leaves.
///
/// The leaves are split into halves, the first half rounded down, and each half is reduced in the same way: five leaves
/// give `((1+2)+(3+(4+5)))`. A float sum has a rounding error of log2(n) additions instead of n. The stack holds one
/// leaf and one number for each of [`usize::BITS`] levels. For JAX's `identity` call `unwrap_or(identity)` on the
/// result.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::reduce_associative;
///
/// let tree = (1u32, [2u32, 3], (4u32, 5u32));
/// let halves = reduce_associative(&tree, |a: u32, b: u32| (a + b) * 10)?;
/// assert_eq!(halves, Some(((1 + 2) * 10 + (3 + (4 + 5) * 10) * 10) * 10));
/// assert_eq!(reduce_associative(&(), |a: u32, b: u32| a + b)?.unwrap_or(0), 0);
/// # Ok::<(), Error>(())
/// ```
pub fn reduce_associative<K, L, T>(
    tree: &T,
    mut f: impl FnMut(L, L) -> L,
) -> Result<Option<L>, Error>
where
    K: CloneLeaves<Owned = L>,
    L: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    let mut halves = Halves::of(tree.num_leaves()?);
    let mut push = |leaf: K::Ref<'_>| {
        halves.push(K::cloned(leaf), &mut f);
        Ok::<_, Error>(())
    };
    T::walk_lanes::<Ref, _>(tree, &mut Depth::default(), &mut push)?;
    Ok(halves.result)
}

/// A reduction by halves that receives the leaves one by one.
struct Halves<L> {
    /// The splits around the next leaf, the outermost first.
    open: Levels<Split<L>, { usize::BITS as usize }>,
    result: Option<L>,
}

/// A range of leaves that is split into two halves.
struct Split<L> {
    /// The left half, once it is one value.
    left: Option<L>,
    /// The number of leaves in the right half.
    right: usize,
}

impl<L> Halves<L> {
    fn of(leaves: usize) -> Self {
        let mut halves = Self { open: levels::empty(), result: None };
        halves.split(leaves);
        halves
    }

    /// Splits a range of `leaves` leaves until its first leaf is alone.
    fn split(&mut self, mut leaves: usize) {
        while leaves > 1 {
            let left = leaves >> 1;
            // There is room: each split halves the number, and there is a level for each of its bits.
            let _ = self.open.push(Split { left: None, right: leaves.saturating_sub(left) });
            leaves = left;
        }
    }

    /// Takes the next leaf and combines the halves that it completes.
    fn push(&mut self, leaf: L, f: &mut impl FnMut(L, L) -> L) {
        let mut value = leaf;
        while let Some(split) = self.open.last_mut() {
            let Some(left) = split.left.take() else {
                split.left = Some(value);
                let right = split.right;
                return self.split(right);
            };
            value = f(left, value);
            self.open.pop();
        }
        self.result = Some(value);
    }
}

/// Returns the sum of the leaves, as `optree.tree_sum`, or zero (the default of the type) without leaves.
///
/// The type of the result is the leaf type.
///
/// Adds from left to right with the `+` of the leaf type. If that panics on overflow, as it does for integers in a
/// build with overflow checks, so does this function: use [`reduce`] with `wrapping_add` to avoid it. For many floats
/// [`reduce_associative`] is more exact.
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
pub fn sum<L, T>(tree: &T) -> Result<L, Error>
where
    L: Leaf + Clone + Default + Add<Output = L>,
    T: TreeRead<L> + ?Sized,
{
    reduce(tree, L::default(), |sum, leaf: &L| sum + leaf.clone())
}

/// Returns the least leaf, as `optree.tree_min`: the first of equal ones, or `None` without leaves.
///
/// `DIFFERENCE`: NaN is the result only if all leaves are NaN, as with [`f32::min`]. With Python's `min` the result
/// depends on the position of the NaN. The same holds for any leaf that is not equal to itself.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let least = treedef::tree::min(&(f32::NAN, [2.0f32, 3.0]))?;
/// assert_eq!(least, Some(&2.0));
/// assert_eq!(treedef::tree::min::<f32, _>(&()), Ok(None));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn min<L, T>(tree: &T) -> Result<Option<&L>, Error>
where
    L: Leaf + PartialOrd,
    T: TreeRead<L> + ?Sized,
{
    extreme(tree, Ordering::Less)
}

/// Returns the greatest leaf, as `optree.tree_max`: the first of equal ones, or `None` without leaves.
///
/// `DIFFERENCE`: NaN is treated as in [`min`].
///
/// The result is a reference into the tree; call [`Option::copied`] for the value.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let greatest = treedef::tree::max(&(1.0f32, [3.0f32, f32::NAN]))?;
/// assert_eq!(greatest, Some(&3.0));
/// assert_eq!(treedef::tree::max(&[1.0f32, 2.0])?.copied(), Some(2.0));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn max<L, T>(tree: &T) -> Result<Option<&L>, Error>
where
    L: Leaf + PartialOrd,
    T: TreeRead<L> + ?Sized,
{
    extreme(tree, Ordering::Greater)
}

/// Returns the first leaf that has the order `wanted` to all other leaves.
#[inline]
fn extreme<L, T>(tree: &T, wanted: Ordering) -> Result<Option<&L>, Error>
where
    L: Leaf + PartialOrd,
    T: TreeRead<L> + ?Sized,
{
    let number = |leaf: &L| leaf.partial_cmp(leaf).is_some();
    let beats = |leaf: &L, best: &L| match leaf.partial_cmp(best) {
        Some(order) => order == wanted,
        None => number(leaf) && !number(best),
    };
    reduce(tree, None, |best, leaf| match best {
        Some(best) if !beats(leaf, best) => Some(best),
        _ => Some(leaf),
    })
}

/// Whether `holds` is true for all leaves, as `jax.tree.all`. Stops at the first leaf for which it is false.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::all;
///
/// let gradient = (1.0f32, [2.0f32, f32::NAN]);
/// assert!(!all(&gradient, |x| x.is_finite())?);
/// assert!(all(&(), |flag: &bool| *flag)?); // no leaf says what the leaves are
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn all<'a, K, R, T>(tree: &'a T, mut holds: impl FnMut(R) -> bool) -> Result<bool, Error>
where
    K: LeafTypes<Ref<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    let stopped = try_for_each(tree, |leaf: R| if holds(leaf) { Ok(()) } else { Err(Stop::Found) });
    match stopped {
        Ok(()) => Ok(true),
        Err(Stop::Found) => Ok(false),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Whether `holds` is true for at least one leaf, as `optree.tree_any`. Stops at the first such leaf.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.0f32, [2.0f32, f32::NAN]);
/// assert!(treedef::tree::any(&tree, |x| x.is_nan())?);
/// assert!(!treedef::tree::any(&(), |flag: &bool| *flag)?);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn any<'a, K, R, T>(tree: &'a T, mut holds: impl FnMut(R) -> bool) -> Result<bool, Error>
where
    K: LeafTypes<Ref<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    all(tree, |leaf: R| !holds(leaf)).map(|none| !none)
}
