//! Calls functions with each leaf and its path, in one pass over the tree.

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Mut, Ref};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite};
use crate::tree::walk::{TreeWalk, VisitLanes};
use crate::tree::walk_path::WalkPath;
use crate::treedef::key_path::KeyPath;

/// Calls `visit` with every leaf and its path, in order, as `jax.tree.leaves_with_path`.
///
/// The names come from the types and the keys from the values, in one pass over the tree: no treedef is needed. Takes 4 kB
/// of stack, and 2 kB more below dictionaries. For a [`View`](crate::View) use [`View::for_each_with_path`](crate::View::for_each_with_path).
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types, and at a leaf that is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels
/// below the root.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::for_each_with_path;
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let mut text = heapless::String::<32>::new();
/// for_each_with_path(&tree, |path, leaf| {
///     write!(text, "{path}={leaf} ").unwrap();
/// })?;
/// assert_eq!(text, "[0]=1 [1][0]=2 [1][1]=3 ");
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias("tree_flatten_with_path", "tree_leaves_with_path", "tree_flatten_with_accessor"))]
pub fn for_each_with_path<'a, L, T>(
    tree: &'a T,
    mut visit: impl FnMut(KeyPath<'_, '_>, &'a L),
) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    try_for_each_with_path(tree, |path, leaf| {
        visit(path, leaf);
        Ok::<_, Error>(())
    })
}

/// As [`for_each_with_path`], but stops at the first error of `visit`.
///
/// # Errors
///
/// The first error of `visit`, and those of [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::tree::try_for_each_with_path;
/// use treedef::Error;
///
/// let tree = (1.0f32, [2.0f32, f32::NAN]);
/// let mut at = 0;
/// let finite = try_for_each_with_path(&tree, |path, leaf| {
///     at = path.len();
///     if leaf.is_finite() { Ok(()) } else { Err(Error::TooLarge) }
/// });
/// assert_eq!((finite, at), (Err(Error::TooLarge), 2));
/// ```
pub fn try_for_each_with_path<'a, L, E, T>(
    tree: &'a T,
    visit: impl FnMut(KeyPath<'_, '_>, &'a L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + ?Sized,
{
    <T as TreeWalk<L>>::walk_lanes::<Ref, E, _>(
        tree,
        &mut Depth::default(),
        &mut WithPath::new(visit),
    )
}

/// Calls `visit` with a mutable reference to every leaf and its path, in order.
///
/// The costs are as in [`for_each_with_path`].
///
/// # Errors
///
/// As [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::tree::for_each_mut_with_path;
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// for_each_mut_with_path(&mut tree, |path, leaf| *leaf *= path.len() as f32)?;
/// assert_eq!(tree, (1.0, [4.0, 6.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn for_each_mut_with_path<'a, L, T>(
    tree: &'a mut T,
    mut visit: impl FnMut(KeyPath<'_, '_>, &'a mut L),
) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    try_for_each_mut_with_path(tree, |path, leaf| {
        visit(path, leaf);
        Ok::<_, Error>(())
    })
}

/// As [`for_each_mut_with_path`], but stops at the first error of `visit`. The leaves before it stay changed.
///
/// # Errors
///
/// The first error of `visit`, and those of [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::tree::try_for_each_mut_with_path;
/// use treedef::Error;
///
/// let mut tree = (1u8, [2u8, 255]);
/// let stopped = try_for_each_mut_with_path(&mut tree, |path, leaf| {
///     *leaf = leaf.checked_add(path.len() as u8).ok_or(Error::TooLarge)?;
///     Ok(())
/// });
/// assert_eq!((stopped, tree), (Err(Error::TooLarge), (2, [4, 255])));
/// ```
pub fn try_for_each_mut_with_path<'a, L, E, T>(
    tree: &'a mut T,
    visit: impl FnMut(KeyPath<'_, '_>, &'a mut L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    <T as TreeWalk<L>>::walk_lanes::<Mut, E, _>(
        tree,
        &mut Depth::default(),
        &mut WithPath::new(visit),
    )
}

/// Makes a tree of the same structure whose leaves are the results of `f`, called with each path and leaf, as
/// `jax.tree.map_with_path`.
///
/// What can be mapped is as in [`map`](crate::map()); the costs are as in [`for_each_with_path`].
///
/// # Errors
///
/// As [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::map_with_path;
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let depths = map_with_path(&tree, |path, _| path.len())?;
/// assert_eq!(depths, (1, [2, 2]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias("tree_map_with_path", "tree_map_with_accessor"))]
pub fn map_with_path<'a, L, M, T>(
    tree: &'a T,
    mut f: impl FnMut(KeyPath<'_, '_>, &'a L) -> M,
) -> Result<<T as MapTree<L, M>>::Output, Error>
where
    L: Leaf + 'a,
    T: MapTree<L, M>,
{
    try_map_with_path(tree, |path, leaf| Ok::<_, Error>(f(path, leaf)))
}

/// As [`map_with_path`], but stops at the first error of `f`.
///
/// # Errors
///
/// The first error of `f`, and those of [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::tree::try_map_with_path;
/// use treedef::Error;
///
/// let tree = (1i32, [2i32, 300]);
/// let small = try_map_with_path(&tree, |path, leaf| {
///     u8::try_from(*leaf).map_err(|_| Error::TooDeep { limit: path.len() as u32 })
/// });
/// assert_eq!(small, Err(Error::TooDeep { limit: 2 }));
/// ```
pub fn try_map_with_path<'a, L, M, E, T>(
    tree: &'a T,
    f: impl FnMut(KeyPath<'_, '_>, &'a L) -> Result<M, E>,
) -> Result<<T as MapTree<L, M>>::Output, E>
where
    L: Leaf + 'a,
    E: UserError,
    T: MapTree<L, M>,
{
    T::map_lanes::<Ref, E>(tree, &mut Depth::default(), &mut WithPath::new(f))
}

/// A visitor that calls a function with each leaf and its path.
pub(crate) struct WithPath<'a, F> {
    path: WalkPath<'a>,
    visit: F,
}

impl<F> WithPath<'_, F> {
    pub(crate) fn new(visit: F) -> Self {
        Self { path: WalkPath::new(), visit }
    }
}

impl<'a, K, L, E, M, F> VisitLanes<'a, K, L, E, M> for WithPath<'a, F>
where
    K: LeafTypes + 'a,
    L: Lanes,
    E: From<Error>,
    F: FnMut(KeyPath<'_, '_>, Leaves<'a, L, K>) -> Result<M, E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E> {
        let Self { path, visit } = self;
        path.lend(|entries| visit(KeyPath::new(entries), leaves))
    }

    #[inline]
    fn path(&mut self) -> Option<&mut WalkPath<'a>> {
        Some(&mut self.path)
    }
}
