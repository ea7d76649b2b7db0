//! Flattens typed trees and rebuilds them.

use core::cell::Cell;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::encode::structure::{Structure, matches, structure_into};
use crate::tree::build::TreeBuild;
use crate::tree::build::from_treedef::{
    InSlice, build_known, build_without_errors, never_fails, read_tree,
};
use crate::tree::build::leaves::{Moved, Stopped};
use crate::tree::lanes::Mut;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::slots::{InSlots, keep_into};
use crate::tree::structure::count_leaves;
use crate::tree::traits::{Leaf, TreeRead, TreeWrite};
use crate::tree::walk::TreeWalk;
use crate::treedef::treedef::TreeDef;

/// Clones the leaves of `tree` into the front of `leaves` and returns their number, as `jax.tree.leaves`.
///
/// For a type of fixed shape this compiles to the copies that you would write by hand.
///
/// # Errors
///
/// [`Error::LeavesFull`] with the number of leaves; [`Error::TooDeep`]. If the shape of the type depends on the value,
/// some slots may be written before the error.
///
/// # Examples
///
/// ```
/// use treedef::{Error, leaves_into};
///
/// let mut leaves = [0.0f32; 4];
/// assert_eq!(leaves_into(&(1.0f32, [2.0f32, 3.0]), &mut leaves)?, 3);
/// assert_eq!(leaves, [1.0, 2.0, 3.0, 0.0]);
///
/// let error = leaves_into(&(8.0f32, [9.0f32; 4].as_slice()), &mut leaves).unwrap_err();
/// assert_eq!(error, Error::LeavesFull { needed: 5, room: 4 });
/// assert_eq!(leaves, [8.0, 2.0, 3.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
#[inline]
#[doc(alias("tree_leaves", "tree_iter", "ravel_pytree", "tree_ravel"))]
pub fn leaves_into<L, T>(tree: &T, leaves: &mut [L]) -> Result<usize, Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + ?Sized,
{
    keep_into::<L, T, L, true>(tree, leaves, L::clone, || tree.num_leaves())
}

/// Writes references to the leaves of `tree` to the front of `leaves` and returns their number.
///
/// # Errors
///
/// As [`leaves_into`].
///
/// # Examples
///
/// ```
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let mut leaves = [None; 3];
/// assert_eq!(treedef::tree::refs_into(&tree, &mut leaves)?, 3);
/// assert_eq!(leaves, [Some(&1.0f32), Some(&2.0), Some(&3.0)]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn refs_into<'a, L, T>(tree: &'a T, leaves: &mut [Option<&'a L>]) -> Result<usize, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    keep_into::<L, T, _, true>(tree, leaves, Some, || tree.num_leaves())
}

/// Writes mutable references to the leaves of `tree` to the front of `leaves` and returns their number.
///
/// # Errors
///
/// As [`leaves_into`], but nothing is written if the slice is too small.
///
/// # Examples
///
/// ```
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// let mut leaves = [const { None::<&mut f32> }; 3];
/// treedef::tree::muts_into(&mut tree, &mut leaves)?;
/// for leaf in leaves.into_iter().flatten() {
///     *leaf *= 10.0;
/// }
/// assert_eq!(tree, (10.0, [20.0, 30.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn muts_into<'a, L, T>(
    tree: &'a mut T,
    leaves: &mut [Option<&'a mut L>],
) -> Result<usize, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    let (needed, room) = (tree.num_leaves()?, leaves.len());
    let Some(leaves) = leaves.get_mut(..needed) else {
        return Err(Error::LeavesFull { needed, room });
    };
    let slots = Cell::from_mut(leaves).as_slice_of_cells();
    let mut visit =
        InSlots { slots, visit: |leaf, slot: &Cell<Option<&'a mut L>>| slot.set(Some(leaf)) };
    ok!(<T as TreeWalk<L>>::walk_lanes::<Mut, Error, _>(tree, &mut Depth::default(), &mut visit));
    Ok(needed)
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

/// Writes the structure of `tree` into `bytes` and clones its leaves into `leaves`, as `jax.tree.flatten`.
///
/// # Errors
///
/// [`Error::Full`] if `bytes` are too few: [`structure_bound`](crate::encode::structure_bound) says how many are enough.
/// [`Error::LeavesFull`] with the number of leaves if `leaves` are too few; the structure is written by then.
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::{flatten_into, unflatten};
///
/// type Params = ([f32; 2], Option<f32>);
/// let params: Params = ([1.0, 2.0], Some(3.0));
/// let (mut bytes, mut leaves) = ([0; 8], [0.0f32; 4]);
/// let (def, count) = flatten_into(&params, &mut bytes, &mut leaves)?;
/// assert_eq!((def.as_bytes(), count), ([0x22, 0x42, 0x01, 0x00].as_slice(), 3));
///
/// let again: Params = unflatten(def, &leaves[..count])?;
/// assert_eq!(again, params);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_flatten")]
pub fn flatten_into<'b, L, T>(
    tree: &T,
    bytes: &'b mut [u8],
    leaves: &mut [L],
) -> Result<(TreeDef<'b>, usize), Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + ?Sized,
{
    let def = ok!(structure_into(tree, bytes));
    let needed = || Ok(def.num_leaves());
    Ok((def, keep_into::<L, T, L, false>(tree, leaves, L::clone, needed)?))
}

/// Compares the structure of `tree` with an expected treedef, then clones the leaves. The structure is not written.
///
/// # Errors
///
/// As [`matches()`], before a leaf is written; then as [`leaves_into`].
///
/// # Examples
///
/// ```
/// use treedef::tree::flatten_expected;
/// use treedef::{Error, TreeDef};
///
/// let expected = TreeDef::from_bytes(&[0x43, 0x02]).unwrap(); // [*, *, *]
/// let mut leaves = [0.0f32; 3];
/// flatten_expected([1.0f32, 2.0, 3.0].as_slice(), expected, &mut leaves)?;
/// assert_eq!(leaves, [1.0, 2.0, 3.0]);
/// assert_eq!(flatten_expected(&(1.0f32, 2.0f32, 3.0f32), expected, &mut leaves), Err(Error::Mismatch { node: 0 }));
/// # Ok::<(), Error>(())
/// ```
#[inline]
#[doc(alias = "tree_leaves_checked")]
pub fn flatten_expected<'d, L, T>(
    tree: &T,
    expected: impl Into<TreeDef<'d>>,
    leaves: &mut [L],
) -> Result<usize, Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + ?Sized,
{
    let expected = expected.into();
    ok!(matches(tree, expected));
    keep_into::<L, T, L, false>(tree, leaves, L::clone, || Ok(expected.num_leaves()))
}

/// Rebuilds a tree from its treedef and clones of `leaves`, as `jax.tree.unflatten`.
///
/// Lengths, keys, variants and meta fields come from the treedef. No constructor of the type runs. For a type of constant
/// structure this compiles to one comparison of bytes and the copies that you would write by hand.
///
/// # Errors
///
/// [`Error::Mismatch`] with the index of a node of `def` if `def` is no treedef of this type; [`Error::explain_at`]
/// turns the index into a key path. [`Error::Capacity`] with such an index if a container of fixed capacity
/// (`heapless`) is too small for its children in `def`. [`Error::DuplicateKey`] if two keys of a dictionary become
/// equal keys of the map. [`Error::TooFewLeaves`], [`Error::TooManyLeaves`], [`Error::WrongLeaf`], [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// use treedef::{Error, treedef_of, unflatten};
///
/// type Pair = (f32, [f32; 2]);
/// assert_eq!(unflatten(treedef_of::<Pair>(), &[1.0f32, 2.0, 3.0]), Ok((1.0, [2.0, 3.0])));
/// let missing = Error::TooFewLeaves { expected: 3, found: 1 };
/// assert_eq!(unflatten::<f32, Pair>(treedef_of::<Pair>(), &[1.0]), Err(missing));
/// ```
#[inline(always)]
#[doc(alias = "tree_unflatten")]
pub fn unflatten<'d, L, T>(def: impl Into<TreeDef<'d>>, leaves: &[L]) -> Result<T, Error>
where
    L: Leaf + Clone,
    T: TreeBuild<L>,
{
    clone_into_tree::<L, T>(def.into(), leaves)
}

/// [`unflatten`] without the conversion, which would keep the compiler from the comparison with a constant.
///
/// Inlined, so that an image whose treedefs are constants has no code that reads treedefs.
#[inline(always)]
pub(crate) fn clone_into_tree<K, T>(def: TreeDef<'_>, leaves: &[K::Owned]) -> Result<T, Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    // Not by `Error::check_count`: its result would take the place where the caller wants the tree, which would then be copied there.
    let (expected, found) = (def.num_leaves(), leaves.len());
    if found != expected {
        return Err(Error::wrong_count(expected, found));
    }
    // Without an error beside it, the compiler writes the fields of the tree where the caller wants them. If the leaves are
    // wrong, `read_slice` finds how.
    if let Some(constant) = T::TREEDEF
        && constant == def
    {
        // A small tree is made faster beside the place of the result, a large one would be copied there.
        let is_direct = const { never_fails::<K, T>() && size_of::<T>() > 1024 };
        if is_direct && let Some(spare) = leaves.first() {
            return Ok(build_without_errors::<K, T>(leaves, spare));
        }
        if !is_direct && let Ok(tree) = build_beside::<K, T>(leaves) {
            return Ok(tree);
        }
        // Such a tree is always built, so this is not reached. The compiler may not find that; it would then link `read_slice` also where
        // `def` is a constant.
        if const { K::IS_ONE_TYPE && T::NEVER_FAILS } {
            return Err(Error::Mismatch { node: 0 });
        }
    }
    read_slice::<K, T>(def, leaves)
}

/// Builds a tree of constant structure from its leaves, as [`build_constant`](crate::tree::build::from_treedef::build_constant).
// A tree that can always be built needs no second way, but with one the compiler writes its fields where the caller wants them.
#[inline(always)]
fn build_beside<K, T>(leaves: &[K::Owned]) -> Result<T, Stopped>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    if const { never_fails::<K, T>() }
        && let Some(spare) = leaves.first()
    {
        return Ok(build_without_errors::<K, T>(leaves, spare));
    }
    build_known::<K, T>(leaves)
}

/// Reads the nodes of `def`. In a function of its own, so that a type of constant structure does not pay for its stack frame.
#[inline(never)]
fn read_slice<K, T>(def: TreeDef<'_>, leaves: &[K::Owned]) -> Result<T, Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    read_tree::<K, T, _>(def, InSlice(leaves)).map(|(tree, _)| tree)
}

/// Rebuilds a tree from its treedef and the leaves that an iterator returns.
///
/// # Errors
///
/// As [`unflatten`].
///
/// # Examples
///
/// ```
/// let def = treedef::treedef_of::<(f32, f32)>();
/// let pair: (f32, f32) = treedef::tree::unflatten_from(def, [1.0f32, 2.0])?;
/// assert_eq!(pair, (1.0, 2.0));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn unflatten_from<'d, L, I, T>(def: impl Into<TreeDef<'d>>, leaves: I) -> Result<T, Error>
where
    L: Leaf,
    I: IntoIterator<Item = L>,
    T: TreeBuild<L>,
{
    move_into_tree::<L, T>(def.into(), leaves.into_iter())
}

pub(crate) fn move_into_tree<K, T>(
    def: TreeDef<'_>,
    leaves: impl Iterator<Item = K::Owned>,
) -> Result<T, Error>
where
    K: LeafTypes,
    T: TreeBuild<K>,
{
    let (tree, mut left) = ok!(read_tree::<K, T, _>(def, Moved(leaves)));
    if left.0.next().is_some() {
        let expected = def.num_leaves();
        return Err(Error::TooManyLeaves { expected, found: expected.saturating_add(1) });
    }
    Ok(tree)
}

/// As [`unflatten_from`], but stops at the first error of `leaves`.
///
/// # Errors
///
/// The first error of `leaves`, and those of [`unflatten`].
///
/// # Examples
///
/// A model from leaves that a file stores by name. A leaf that is missing is named by the error:
///
/// ```
/// use std::collections::HashMap;
/// use treedef::tree::{TryError, try_unflatten_from};
/// use treedef::{KeyPath, TreeDef, treedef_of, over};
///
/// type Model = [(f32, [f32; 2]); 2];
/// const DEF: TreeDef<'static> = treedef_of::<Model>();
///
/// #[derive(Debug, PartialEq)]
/// struct Missing(String);
///
/// fn load(file: &HashMap<String, f32>) -> Result<Model, TryError<Missing>> {
///     let leaf = |path: KeyPath<'_, '_>| {
///         let name = path.keystr_simple(".").to_string();
///         file.get(&name).copied().ok_or(TryError::User(Missing(name)))
///     };
///     try_unflatten_from(DEF, DEF.paths().map(leaf))
/// }
///
/// let model: Model = [(1.0, [2.0, 3.0]), (4.0, [5.0, 6.0])];
/// let mut file = HashMap::new();
/// over(&model).paths().for_each(|path, leaf| {
///     file.insert(path.keystr_simple(".").to_string(), *leaf);
/// })
/// .unwrap();
/// assert_eq!(load(&file), Ok(model));
///
/// file.remove("1.1.0");
/// assert_eq!(load(&file), Err(TryError::User(Missing("1.1.0".to_string()))));
/// ```
///
/// A name of the file is one of the model if [`TreeDef::find_str`] finds a leaf whose path prints it, because a leaf has
/// several spellings: `found.as_leaf().is_some() && found.path().keystr_simple(".") == name`. To load into a tree in
/// place, without a heap, use [`Over::paths`](crate::tree::Over::paths).
pub fn try_unflatten_from<'d, L, E, I, T>(def: impl Into<TreeDef<'d>>, leaves: I) -> Result<T, E>
where
    L: Leaf,
    E: UserError,
    I: IntoIterator<Item = Result<L, E>>,
    T: TreeBuild<L>,
{
    let mut failed = None;
    let until_failed = |leaf: Result<L, E>| leaf.map_err(|error| failed = Some(error)).ok();
    let tree = unflatten_from(def, leaves.into_iter().map_while(until_failed));
    match failed {
        Some(error) => Err(error),
        None => tree.map_err(E::from),
    }
}
