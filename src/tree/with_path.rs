//! Calls functions with each leaf and its path, in one pass over the treedef.

use crate::base::error::Error;
use crate::tree::each::{try_for_each, try_for_each_mut, try_map};
use crate::tree::key_paths::KeyPaths;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite};
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// Calls `visit` with every leaf and its path, in order, as `jax.tree.leaves_with_path`.
///
/// `def` is the treedef of `tree`: [`treedef_of`](crate::treedef_of) its type, or the result of
/// [`structure_into`](crate::structure_into). All paths together take one pass over the treedef, with repeats written
/// out, so the cost of a leaf does not depend on the size of the tree. Takes 5 kB of stack. For a [`View`](crate::View)
/// use [`View::for_each_with_path`](crate::View::for_each_with_path).
///
/// # Errors
///
/// [`Error::Mismatch`] if `def` is not the treedef of `tree`; [`Error::TooDeep`] from recursive types, and if a node is
/// more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root. Then nothing is visited.
///
/// # Examples
///
/// ```
/// use core::fmt::Write;
/// use treedef::{for_each_with_path, treedef_of};
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let mut text = heapless::String::<32>::new();
/// for_each_with_path(&tree, treedef_of::<(f32, [f32; 2])>(), |path, leaf| {
///     write!(text, "{path}={leaf} ").unwrap();
/// })?;
/// assert_eq!(text, "[0]=1 [1][0]=2 [1][1]=3 ");
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn for_each_with_path<'a, 'd, L, T>(
    tree: &'a T,
    def: impl Into<TreeDef<'d>>,
    mut visit: impl FnMut(KeyPath<'_, 'd>, &'a L),
) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    try_for_each_with_path(tree, def, |path, leaf| {
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
/// use treedef::{Error, treedef_of};
///
/// let tree = (1.0f32, [2.0f32, f32::NAN]);
/// let mut at = 0;
/// let finite = try_for_each_with_path(&tree, treedef_of::<(f32, [f32; 2])>(), |path, leaf| {
///     at = path.len();
///     if leaf.is_finite() { Ok(()) } else { Err(Error::TooLarge) }
/// });
/// assert_eq!((finite, at), (Err(Error::TooLarge), 2));
/// ```
pub fn try_for_each_with_path<'a, 'd, L, E, T>(
    tree: &'a T,
    def: impl Into<TreeDef<'d>>,
    mut visit: impl FnMut(KeyPath<'_, 'd>, &'a L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: From<Error>,
    T: TreeRead<L> + ?Sized,
{
    let def = def.into();
    let mut paths = KeyPaths::of(tree, def)?;
    try_for_each(tree, |leaf| visit(paths.next(), leaf))
}

/// Calls `visit` with a mutable reference to every leaf and its path, in order.
///
/// `def` and the costs are as in [`for_each_with_path`].
///
/// # Errors
///
/// As [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::tree::for_each_mut_with_path;
/// use treedef::treedef_of;
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// let def = treedef_of::<(f32, [f32; 2])>();
/// for_each_mut_with_path(&mut tree, def, |path, leaf| *leaf *= path.len() as f32)?;
/// assert_eq!(tree, (1.0, [4.0, 6.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn for_each_mut_with_path<'a, 'd, L, T>(
    tree: &'a mut T,
    def: impl Into<TreeDef<'d>>,
    mut visit: impl FnMut(KeyPath<'_, 'd>, &'a mut L),
) -> Result<(), Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    try_for_each_mut_with_path(tree, def, |path, leaf| {
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
/// use treedef::{Error, treedef_of};
///
/// let mut tree = (1u8, [2u8, 255]);
/// let def = treedef_of::<(u8, [u8; 2])>();
/// let stopped = try_for_each_mut_with_path(&mut tree, def, |path, leaf| {
///     *leaf = leaf.checked_add(path.len() as u8).ok_or(Error::TooLarge)?;
///     Ok(())
/// });
/// assert_eq!((stopped, tree), (Err(Error::TooLarge), (2, [4, 255])));
/// ```
pub fn try_for_each_mut_with_path<'a, 'd, L, E, T>(
    tree: &'a mut T,
    def: impl Into<TreeDef<'d>>,
    mut visit: impl FnMut(KeyPath<'_, 'd>, &'a mut L) -> Result<(), E>,
) -> Result<(), E>
where
    L: Leaf + 'a,
    E: From<Error>,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    let def = def.into();
    let mut paths = KeyPaths::of(tree, def)?;
    try_for_each_mut(tree, |leaf| visit(paths.next(), leaf))
}

/// Makes a tree of the same structure whose leaves are the results of `f`, called with each path and leaf, as
/// `jax.tree.map_with_path`.
///
/// What can be mapped is as in [`map`](crate::map()); `def` and the costs are as in [`for_each_with_path`].
///
/// # Errors
///
/// As [`for_each_with_path`].
///
/// # Examples
///
/// ```
/// use treedef::{map_with_path, treedef_of};
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let def = treedef_of::<(f32, [f32; 2])>();
/// let depths = map_with_path(&tree, def, |path, _| path.len())?;
/// assert_eq!(depths, (1, [2, 2]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn map_with_path<'a, 'd, L, M, T>(
    tree: &'a T,
    def: impl Into<TreeDef<'d>>,
    mut f: impl FnMut(KeyPath<'_, 'd>, &'a L) -> M,
) -> Result<<T as MapTree<L, M>>::Output, Error>
where
    L: Leaf + 'a,
    T: MapTree<L, M>,
{
    try_map_with_path(tree, def, |path, leaf| Ok::<_, Error>(f(path, leaf)))
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
/// use treedef::{Error, treedef_of};
///
/// let tree = (1i32, [2i32, 300]);
/// let small = try_map_with_path(&tree, treedef_of::<(i32, [i32; 2])>(), |path, leaf| {
///     u8::try_from(*leaf).map_err(|_| Error::TooDeep { limit: path.len() as u32 })
/// });
/// assert_eq!(small, Err(Error::TooDeep { limit: 2 }));
/// ```
pub fn try_map_with_path<'a, 'd, L, M, E, T>(
    tree: &'a T,
    def: impl Into<TreeDef<'d>>,
    mut f: impl FnMut(KeyPath<'_, 'd>, &'a L) -> Result<M, E>,
) -> Result<<T as MapTree<L, M>>::Output, E>
where
    L: Leaf + 'a,
    E: From<Error>,
    T: MapTree<L, M>,
{
    let def = def.into();
    let mut paths = KeyPaths::of(tree, def)?;
    try_map(tree, |leaf| f(paths.next(), leaf))
}
