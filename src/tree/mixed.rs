//! Operations on trees whose leaves have several types.
//!
//! [`leaf_types!`](crate::leaf_types) declares a set of leaf types. The functions here do what those of the same name do for
//! leaves of one type, and name the set first: `mixed::flatten::<Signal>(&tree)`. A leaf is shown as an item of the set,
//! an enum. The compiler refuses a tree with a leaf that the set does not have.
//!
//! Here are the functions that copy leaves, flatten, rebuild, and find one leaf. To call a closure with each leaf, begin with
//! [`over`](crate::over()) and name the set: [`over(&tree).of::<Signal>()`](crate::tree::Over::of). Maps need one leaf type:
//! [`map_of`](crate::tree::map_of) maps the leaves of one type.
//!
//! # Examples
//!
//! ```
//! use treedef::over;
//! use treedef::tree::mixed;
//!
//! treedef::leaf_types! {
//!     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
//! }
//!
//! let mut tree = (1.5f32, [2u32, 3]);
//! over(&mut tree).of::<Signal>().for_each(|leaf| match leaf {
//!     ValueMut::Float(gain) => *gain *= 2.0,
//!     ValueMut::Count(count) => *count += 1,
//! })?;
//! assert_eq!(tree, (3.0, [3, 4]));
//!
//! let (mut bytes, mut values) = ([0; 8], [const { Value::Count(0) }; 3]);
//! let (def, _) = mixed::flatten_into::<Signal>(&tree, &mut bytes, &mut values)?;
//! assert_eq!(mixed::unflatten::<Signal, _>(def, &values), Ok(tree));
//! # Ok::<(), treedef::Error>(())
//! ```

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::structure::structure_into;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::TreeDefBox;
use crate::tree::build::TreeBuild;
use crate::tree::choices::build_chosen;
use crate::tree::flatten::{clone_into_tree, move_into_tree};
#[cfg(feature = "alloc")]
use crate::tree::flatten_on_heap::flatten_all;
use crate::tree::lanes::{Mut, Ref};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::one_leaf::{index_of, one_leaf};
use crate::tree::slots::keep_into;
use crate::tree::structure::{ByLeaves, count_leaves};
use crate::tree::traits::TreeWrite;
use crate::tree::walk::TreeWalk;
use crate::treedef::treedef::TreeDef;

/// As [`treedef::leaves_into`](crate::leaves_into).
///
/// # Errors
///
/// [`Error::LeavesFull`] with the number of leaves; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let mut values = [const { Value::Count(0) }; 3];
/// assert_eq!(mixed::leaves_into::<Signal>(&(1.5f32, [2u32, 3]), &mut values), Ok(3));
/// assert_eq!(values, [Value::Float(1.5), Value::Count(2), Value::Count(3)]);
/// ```
#[inline]
pub fn leaves_into<K: LeafTypes<Owned: Clone>>(
    tree: &(impl TreeWalk<K> + ?Sized),
    leaves: &mut [K::Owned],
) -> Result<usize, Error> {
    keep_into::<K, _, _, true>(tree, leaves, K::cloned, || count_leaves::<K, _>(tree))
}

/// As [`treedef::flatten_into`](crate::flatten_into). The [module](self) has an example.
///
/// # Errors
///
/// As [`treedef::flatten_into`](crate::flatten_into).
#[inline]
pub fn flatten_into<'b, K: LeafTypes<Owned: Clone>>(
    tree: &(impl TreeWalk<K> + ?Sized),
    bytes: &'b mut [u8],
    leaves: &mut [K::Owned],
) -> Result<(TreeDef<'b>, usize), Error> {
    let def = ok!(structure_into(&ByLeaves::<K, _>::new(tree), bytes));
    let needed = || Ok(def.num_leaves());
    Ok((def, keep_into::<K, _, _, false>(tree, leaves, K::cloned, needed)?))
}

/// As [`treedef::flatten`](crate::flatten).
///
/// # Errors
///
/// As [`treedef::flatten`](crate::flatten).
///
/// # Examples
///
/// ```
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let (def, leaves) = treedef::tree::mixed::flatten::<Signal>(&(1.5f32, vec![2u32, 3]))?;
/// assert_eq!(def.to_string(), "PyTreeDef((*, [*, *]))");
/// assert_eq!(leaves, [Value::Float(1.5), Value::Count(2), Value::Count(3)]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn flatten<K: LeafTypes<Owned: Clone>>(
    tree: &(impl TreeWalk<K> + ?Sized),
) -> Result<(TreeDefBox, Vec<K::Owned>), Error> {
    flatten_all::<K, _>(tree)
}

/// As [`treedef::unflatten`](crate::unflatten). Each leaf must have the type of its place.
///
/// # Errors
///
/// As [`treedef::unflatten`](crate::unflatten); [`Error::WrongLeaf`] with the index of a leaf of another type.
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
/// use treedef::{Error, treedef};
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let def = treedef!((*, *));
/// let built = mixed::unflatten::<Signal, _>(def, &[Value::Float(0.5), Value::Count(2)]);
/// assert_eq!(built, Ok((0.5f32, 2u32)));
/// let refused = mixed::unflatten::<Signal, (f32, u32)>(def, &[Value::Float(0.5), Value::Float(2.0)]);
/// assert_eq!(refused, Err(Error::WrongLeaf { leaf: 1 }));
/// ```
#[inline]
pub fn unflatten<'d, K: LeafTypes<Owned: Clone>, T: TreeBuild<K>>(
    def: impl Into<TreeDef<'d>>,
    leaves: &[K::Owned],
) -> Result<T, Error> {
    clone_into_tree::<K, T>(def.into(), leaves)
}

/// As [`choices::unflatten`](crate::tree::choices::unflatten). Each leaf must have the type of its place.
///
/// # Errors
///
/// As [`choices::unflatten`](crate::tree::choices::unflatten); [`Error::WrongLeaf`] with the index of a leaf of another type.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let (some, none) = ([1], [0]);
/// let built = mixed::unflatten_choices::<Signal, _>(&some, &[Value::Float(0.5), Value::Count(2)]);
/// assert_eq!(built, Ok((Some(0.5f32), 2u32)));
/// let built = mixed::unflatten_choices::<Signal, _>(&none, &[Value::Count(2)]);
/// assert_eq!(built, Ok((None::<f32>, 2u32)));
/// let refused = mixed::unflatten_choices::<Signal, (Option<f32>, u32)>(&none, &[Value::Float(0.5)]);
/// assert_eq!(refused, Err(Error::WrongLeaf { leaf: 0 }));
/// ```
pub fn unflatten_choices<K: LeafTypes<Owned: Clone>, T: TreeBuild<K>>(
    choices: &[u8],
    leaves: &[K::Owned],
) -> Result<T, Error> {
    build_chosen::<K, T>(choices, leaves)
}

/// As [`treedef::tree::unflatten_from`](crate::tree::unflatten_from): the leaves come from an iterator.
///
/// # Errors
///
/// As [`unflatten`].
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let values = [Value::Float(0.5), Value::Count(2)];
/// let built = mixed::unflatten_from::<Signal, _>(treedef::treedef!((*, *)), values);
/// assert_eq!(built, Ok((0.5f32, 2u32)));
/// ```
pub fn unflatten_from<'d, K: LeafTypes, T: TreeBuild<K>>(
    def: impl Into<TreeDef<'d>>,
    leaves: impl IntoIterator<Item = K::Owned>,
) -> Result<T, Error> {
    move_into_tree::<K, T>(def.into(), leaves.into_iter())
}

/// As [`treedef::tree::leaf`](crate::tree::leaf()).
///
/// # Errors
///
/// [`Error::TooFewLeaves`] if there is no leaf with this index; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// assert_eq!(mixed::leaf::<Signal>(&(1.5f32, [2u32, 3]), 2), Ok(ValueRef::Count(&3)));
/// ```
#[inline]
pub fn leaf<'a, K: LeafTypes + 'a>(
    tree: &'a (impl TreeWalk<K> + ?Sized),
    index: usize,
) -> Result<K::Ref<'a>, Error> {
    one_leaf::<K, _, Ref>(tree, index)
}

/// As [`treedef::tree::leaf_mut`](crate::tree::leaf_mut).
///
/// # Errors
///
/// As [`leaf`](leaf()).
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
/// }
///
/// let mut tree = (1.5f32, [2u32, 3]);
/// match mixed::leaf_mut::<Signal>(&mut tree, 2)? {
///     ValueMut::Float(gain) => *gain = 0.0,
///     ValueMut::Count(count) => *count += 1,
/// }
/// assert_eq!(tree, (1.5, [2, 4]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn leaf_mut<'a, K: LeafTypes + 'a>(
    tree: &'a mut (impl TreeWrite<K> + ?Sized),
    index: usize,
) -> Result<K::Mut<'a>, Error> {
    one_leaf::<K, _, Mut>(tree, index)
}

/// As [`treedef::tree::find_leaf`](crate::tree::find_leaf). [`find_leaf_mut`] has an example.
///
/// # Errors
///
/// As [`treedef::tree::find_leaf`](crate::tree::find_leaf).
#[inline]
pub fn find_leaf<'a, K: LeafTypes + 'a>(
    tree: &'a (impl TreeWalk<K> + ?Sized),
    path: &str,
) -> Result<K::Ref<'a>, Error> {
    one_leaf::<K, _, Ref>(tree, index_of(&ByLeaves::<K, _>::new(tree), path)?)
}

/// As [`treedef::tree::find_leaf_mut`](crate::tree::find_leaf_mut).
///
/// # Errors
///
/// As [`treedef::tree::find_leaf`](crate::tree::find_leaf).
///
/// # Examples
///
/// A console that shows and sets parameters of several types by their names:
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use core::fmt::Write;
/// use treedef::tree::mixed;
/// use treedef::Tree;
///
/// treedef::leaf_types! {
///     /// The parameters of a robot.
///     pub struct Parameter {
///         owned Value,
///         read ValueRef,
///         write ValueMut,
///         Gain(f32),
///         Period(u16),
///     }
/// }
///
/// #[derive(Tree)]
/// struct Robot {
///     kp: [f32; 2],
///     period: u16,
/// }
///
/// fn answer(robot: &mut Robot, line: &str, out: &mut impl Write) -> core::fmt::Result {
///     let (path, value) = line.split_once('=').unwrap_or((line, ""));
///     let done = match value {
///         "" => mixed::find_leaf::<Parameter>(robot, path).map(|leaf| write!(out, "{leaf}")),
///         _ => mixed::find_leaf_mut::<Parameter>(robot, path).map(|leaf| match leaf.set_str(value) {
///             true => write!(out, "ok"),
///             false => write!(out, "{value} does not fit"),
///         }),
///     };
///     done.unwrap_or_else(|error| write!(out, "{}", error.explain_path_of::<Robot>(path)))
/// }
///
/// let mut robot = Robot { kp: [1.0, 2.0], period: 10 };
/// let mut answers = heapless::String::<80>::new();
/// for line in ["kp[1]", "kp[1]=2.5", "period=-1", "kp[1]", "kp[2]=0"] {
///     answer(&mut robot, line, &mut answers).unwrap();
///     answers.push(';').unwrap();
/// }
/// assert_eq!(answers, "2.0;ok;-1 does not fit;2.5;no [2] at kp: a list of 2;");
/// # }
/// ```
#[inline]
pub fn find_leaf_mut<'a, K: LeafTypes + 'a>(
    tree: &'a mut (impl TreeWrite<K> + ?Sized),
    path: &str,
) -> Result<K::Mut<'a>, Error> {
    let index = index_of(&ByLeaves::<K, _>::new(&*tree), path)?;
    one_leaf::<K, _, Mut>(tree, index)
}
