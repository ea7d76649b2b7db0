//! Calls a function with every leaf of one tree: to read it, to change it in place, or to map it.

use core::array;
use core::slice;

use crate::base::error::Error;
use crate::base::never::Never;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Mut, Ref};
use crate::tree::leaf_sink::{VisitLeaves, visit_leaves};
use crate::tree::leaf_types::LeafAs;
use crate::tree::mixed;
use crate::tree::slots::InSlots;
use crate::tree::structure::count_leaves;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite};
use crate::tree::walk::{TreeWalk, VisitLanes};

/// Calls `visit` with every leaf, in order.
///
/// No iterator visits the leaves of every tree: it would keep its place in each container on the way, so it would be as
/// large as the tree is deep, and each step would ask all containers where it is. A call of `visit` costs no such state.
/// Where an iterator is needed, collect references first: `tree::refs` returns a `Vec` (feature `alloc`), and
/// [`refs_into`](crate::tree::refs_into) fills a slice. If the type fixes the number of leaves,
/// [`leaf`](crate::tree::leaf()) of each index makes an iterator without memory.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let mut sum = 0.0;
/// treedef::for_each(&(1.0f32, [2.0f32, 3.0]), |x| sum += x)?;
/// assert_eq!(sum, 6.0);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_map_")]
pub fn for_each<'a, L, T>(tree: &'a T, visit: impl FnMut(&'a L)) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    mixed::for_each::<L>(tree, visit)
}

/// As [`for_each`], but stops at the first error of `visit`.
///
/// # Errors
///
/// The first error of `visit`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::try_for_each;
///
/// let mut room = 2;
/// let stopped = try_for_each(&(1.0f32, [2.0f32, 3.0]), |_| match room {
///     0 => Err(Error::LeavesFull { needed: 3, room: 2 }),
///     _ => Ok(room -= 1),
/// });
/// assert_eq!(stopped, Err(Error::LeavesFull { needed: 3, room: 2 }));
/// ```
#[inline]
pub fn try_for_each<'a, L, E, T>(
    tree: &'a T,
    mut visit: impl FnMut(&'a L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + ?Sized,
{
    <T as TreeWalk<L>>::walk_lanes::<Ref, _, _>(tree, &mut Depth::default(), &mut visit)
}

/// Calls `visit` with a mutable reference to every leaf, in order.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types; the leaves before it stay changed. To find it before anything changes, call
/// [`zip((&mut tree,)).check()`](crate::tree::Zip::check).
///
/// # Examples
///
/// ```
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// treedef::for_each_mut(&mut tree, |x| *x += 1.0)?;
/// assert_eq!(tree, (2.0, [3.0, 4.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_map_")]
pub fn for_each_mut<'a, L, T>(tree: &'a mut T, visit: impl FnMut(&'a mut L)) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    mixed::for_each_mut::<L>(tree, visit)
}

/// As [`for_each_mut`], but stops at the first error of `visit`. The leaves before it stay changed.
///
/// # Errors
///
/// The first error of `visit`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::try_for_each_mut;
///
/// let mut tree = (1u8, [255u8, 3]);
/// let stopped = try_for_each_mut(&mut tree, |x| {
///     *x = x.checked_add(1).ok_or(Error::TooLarge)?;
///     Ok(())
/// });
/// assert_eq!((stopped, tree), (Err(Error::TooLarge), (2, [255, 3])));
/// ```
#[inline]
pub fn try_for_each_mut<'a, L, E, T>(
    tree: &'a mut T,
    mut visit: impl FnMut(&'a mut L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    <T as TreeWalk<L>>::walk_lanes::<Mut, E, _>(tree, &mut Depth::default(), &mut visit)
}

/// Writes `leaves` to the leaves of a tree, in place: the inverse of [`leaves_into`](crate::leaves_into).
///
/// Fields marked `#[tree(skip)]` stay as they are; [`unflatten`](crate::unflatten) sets them to their default. Only the
/// number of leaves is compared: to know that they belong to a tree of this structure, compare treedefs or fingerprints
/// first.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] and [`Error::TooManyLeaves`], before a leaf is written; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::leaves_from;
///
/// let mut motor = (1.0f32, [2.0f32, 3.0]);
/// leaves_from(&mut motor, &[4.0, 5.0, 6.0])?;
/// assert_eq!(motor, (4.0, [5.0, 6.0]));
/// assert_eq!(leaves_from(&mut motor, &[7.0]), Err(Error::TooFewLeaves { expected: 3, found: 1 }));
/// # Ok::<(), Error>(())
/// ```
#[inline]
pub fn leaves_from<L, T>(tree: &mut T, leaves: &[L]) -> Result<(), Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    Error::check_count(count_leaves::<L, T>(tree)?, leaves.len())?;
    let visit = |leaf: &mut L, new: &L| leaf.clone_from(new);
    let mut visit = InSlots { slots: leaves, visit };
    <T as TreeWalk<L>>::walk_lanes::<Mut, Error, _>(tree, &mut Depth::default(), &mut visit)
}

/// Calls `visit` with runs of leaves, in order. A run is a slice: leaves next to each other in memory.
///
/// An array or vector of leaves is one run; a leaf outside of these is a run of one. Use it for DMA transfers or
/// `memcpy`. [`for_each_run_mut`] gives runs that can be changed.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let mut lengths = [0; 2];
/// let mut next = lengths.iter_mut();
/// treedef::tree::for_each_run(&([1.0f32; 64], 2.0f32), |run: &[f32]| {
///     next.next().map(|length| *length = run.len());
/// })?;
/// assert_eq!(lengths, [64, 1]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_run<'a, L, T>(tree: &'a T, visit: impl FnMut(&'a [L])) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    visit_leaves::<L, T, _, true>(tree, Runs(visit)).map(drop)
}

/// Calls `visit` with runs of leaves that can be changed in place, in order. The runs are those of [`for_each_run`].
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::for_each_run_mut;
///
/// // Received bytes fill a tree, array by array.
/// let (mut tree, mut received) = (([0u8; 4], 0u8, [0u8; 2]), [1, 2, 3, 4, 5, 6, 7].as_slice());
/// for_each_run_mut(&mut tree, |run: &mut [u8]| {
///     let (bytes, rest) = received.split_at(run.len());
///     run.copy_from_slice(bytes);
///     received = rest;
/// })?;
/// assert_eq!(tree, ([1, 2, 3, 4], 5, [6, 7]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_run_mut<'a, L, T>(
    tree: &'a mut T,
    visit: impl FnMut(&'a mut [L]),
) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    <T as TreeWalk<L>>::walk_lanes::<Mut, Error, _>(tree, &mut Depth::default(), &mut Runs(visit))
}

/// Makes a tree of the same structure whose leaves are the results of `map`, as `jax.tree.map`.
///
/// A result that is no leaf type changes the structure: `()` is an empty tuple, `None` a node without leaves, an array a list. So
/// does a function that returns `None` in JAX. [`AsLeaf`](crate::tree::AsLeaf) around the result keeps it a leaf.
///
/// Fields with `#[tree(meta)]` and `#[tree(skip)]` are copied. The leaves can become another type, but all of them the same
/// one. So a struct with fields of two leaf types cannot be mapped: [`map_of`](crate::tree::map_of) maps the leaves of one type,
/// and keeps the others.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.5f32, [2.5f32, 3.5]);
/// assert_eq!(treedef::map(&tree, |x| *x as i64)?, (1, [2, 3]));
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// ```
/// use treedef::tree::AsLeaf;
/// use treedef::{map, structure_into, treedef};
///
/// let (tree, mut bytes) = ([4.0f32, -4.0], [0; 8]);
/// let positive = |x: &f32| (*x > 0.0).then_some(*x);
/// assert_eq!(structure_into(&map(&tree, positive)?, &mut bytes)?, treedef!([*, None]));
/// assert_eq!(structure_into(&map(&tree, |x| AsLeaf(positive(x)))?, &mut bytes)?, treedef!([*, *]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_map")]
pub fn map<'a, L, M, T>(
    tree: &'a T,
    mut map: impl FnMut(&'a L) -> M,
) -> Result<<T as MapTree<L, M>>::Output, Error>
where
    L: Leaf + 'a,
    T: MapTree<L, M>,
{
    if const { T::NEVER_FAILS } {
        return match T::map_lanes::<Ref, Never>(tree, &mut Depth::default(), &mut Sure(map)) {
            Ok(mapped) => Ok(mapped),
            Err(never) => match never {},
        };
    }
    try_map(tree, |leaf| Ok::<_, Error>(map(leaf)))
}

/// As [`map`], but stops at the first error of `map`.
///
/// # Errors
///
/// The first error of `map`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::try_map;
///
/// let small = |x: &i32| u8::try_from(*x).map_err(|_| Error::TooLarge);
/// assert_eq!(try_map(&(1, [2, 3]), small), Ok((1u8, [2u8, 3])));
/// assert_eq!(try_map(&(1, [2, 300]), small), Err(Error::TooLarge));
/// ```
#[inline]
pub fn try_map<'a, L, M, E, T>(
    tree: &'a T,
    mut map: impl FnMut(&'a L) -> Result<M, E>,
) -> Result<<T as MapTree<L, M>>::Output, E>
where
    L: Leaf + 'a,
    E: UserError,
    T: MapTree<L, M>,
{
    T::map_lanes::<Ref, E>(tree, &mut Depth::default(), &mut map)
}

/// A visitor that maps leaves, and never fails.
struct Sure<F>(F);

impl<'a, K: Leaf + 'a, M, F: FnMut(&'a K) -> M> VisitLanes<'a, K, Ref, Never, M> for Sure<F> {
    #[inline]
    fn leaf(&mut self, leaf: &'a K) -> Result<M, Never> {
        Ok((self.0)(leaf))
    }

    #[inline]
    fn array<X, const N: usize>(
        &mut self,
        mut make: impl FnMut(&mut Self, usize) -> Result<X, Never>,
        _: Error,
    ) -> Result<[X; N], Never> {
        Ok(array::from_fn(|index| match make(self, index) {
            Ok(made) => made,
            Err(never) => match never {},
        }))
    }
}

/// A visitor that receives leaves as runs.
struct Runs<F>(F);

// A leaf type holds itself alone, so there is always a run.

impl<'a, K: Leaf + 'a, F: FnMut(&'a [K])> VisitLeaves<'a, K> for Runs<F> {
    const UNTIL_ERROR: bool = true;

    #[inline]
    fn leaf(&mut self, leaf: &'a K) {
        (self.0)(slice::from_ref(leaf));
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        let _ = T::run(run).map(&mut self.0);
    }
}

impl<'a, K: Leaf + 'a, F: FnMut(&'a mut [K])> VisitLanes<'a, K, Mut, Error> for Runs<F> {
    #[inline]
    fn leaf(&mut self, leaf: &'a mut K) -> Result<(), Error> {
        (self.0)(slice::from_mut(leaf));
        Ok(())
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a mut [T]) -> Result<(), Error> {
        let _ = T::run_mut(run).map(&mut self.0);
        Ok(())
    }
}
