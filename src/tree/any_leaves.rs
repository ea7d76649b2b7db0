//! Trees with leaves of any types, of which a program wants those of one type.

use core::any::Any;

use crate::base::error::Error;
use crate::tree::leaf_types::{Holds, LeafTypes};
use crate::tree::mixed;
use crate::tree::slots::keep_into;
use crate::tree::structure::count_leaves;
use crate::tree::traits::TreeWrite;
use crate::tree::walk::TreeWalk;

/// The leaf types of a tree with leaves of any types that are `'static`.
///
/// Code of a library that has never seen a model uses the bound `T: TreeWalk<AnyLeaves>` to read it, and
/// `T: TreeWrite<AnyLeaves>` to change it in place. The functions [`for_each_of`], [`for_each_mut_of`], [`map_of`],
/// [`refs_of_into`] and [`Zip::only`](crate::tree::Zip::only) then take the leaves of one type, and pass over the others.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::tree::{AnyLeaves, TreeWrite};
/// use treedef::{Error, Tree, zip};
///
/// /// A step of gradient descent, for models that also have counters and flags.
/// fn step<T>(model: &mut T, gradients: &T, rate: f32) -> Result<(), Error>
/// where
///     T: TreeWrite<AnyLeaves>,
/// {
///     zip((model, gradients)).only::<f32>().for_each(|weight, gradient| *weight -= rate * gradient)
/// }
///
/// #[derive(Tree, Debug, PartialEq)]
/// struct Model { weights: [f32; 2], steps: u64, is_frozen: bool }
///
/// let mut model = Model { weights: [1.0, 2.0], steps: 7, is_frozen: false };
/// let gradients = Model { weights: [2.0, 4.0], steps: 0, is_frozen: true };
/// step(&mut model, &gradients, 0.5)?;
/// assert_eq!(model, Model { weights: [0.0, 0.0], steps: 7, is_frozen: false });
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AnyLeaves;

impl LeafTypes for AnyLeaves {
    /// Leaves are not taken out.
    type Owned = ();
    type Ref<'a> = &'a dyn Any;
    type Mut<'a> = &'a mut dyn Any;

    fn cloned(_: &dyn Any) {}
}

impl<T: 'static> Holds<T> for AnyLeaves {
    #[inline]
    fn owned(_: T) {}

    #[inline]
    fn leaf((): ()) -> Option<T> {
        None
    }

    #[inline]
    fn by_ref<'a>(leaf: &'a T) -> &'a dyn Any
    where
        AnyLeaves: 'a,
    {
        leaf
    }

    #[inline]
    fn by_mut<'a>(leaf: &'a mut T) -> &'a mut dyn Any
    where
        AnyLeaves: 'a,
    {
        leaf
    }
}

/// Calls `visit` with every leaf of the type `L`, in order; leaves of other types are passed over.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::for_each_of;
///
/// let model = ([1.0f32, 2.0], 7u64, true);
/// let mut sum = 0.0;
/// for_each_of::<f32>(&model, |weight| sum += weight)?;
/// assert_eq!(sum, 3.0);
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_of<'a, L: 'static>(
    tree: &'a (impl TreeWalk<AnyLeaves> + ?Sized),
    mut visit: impl FnMut(&'a L),
) -> Result<(), Error> {
    mixed::for_each::<AnyLeaves>(tree, |leaf| leaf.downcast_ref().map_or((), &mut visit))
}

/// As [`for_each_of`], to change the leaves in place.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::for_each_mut_of;
///
/// let mut model = ([1.0f32, 2.0], 7u64, true);
/// for_each_mut_of::<f32>(&mut model, |weight| *weight *= 0.5)?;
/// assert_eq!(model, ([0.5, 1.0], 7, true));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
pub fn for_each_mut_of<'a, L: 'static>(
    tree: &'a mut (impl TreeWrite<AnyLeaves> + ?Sized),
    mut visit: impl FnMut(&'a mut L),
) -> Result<(), Error> {
    mixed::for_each_mut::<AnyLeaves>(tree, |leaf| leaf.downcast_mut().map_or((), &mut visit))
}

/// Makes a copy of a tree in which each leaf of the type `L` is what `map` returned for it.
///
/// The type of the tree stays, so this works on a struct with fields of several leaf types. The tree is cloned first: leaves of
/// other types, meta fields and skipped fields are those of the clone.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// `jax.tree.map(jnp.zeros_like, model)`, for the floats of a model:
///
/// ```
/// use treedef::tree::map_of;
///
/// let model = ([1.0f32, 2.0], 7u64, true);
/// assert_eq!(map_of(&model, |_: &f32| 0.0)?, ([0.0, 0.0], 7, true));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias = "tree_map_only")]
pub fn map_of<L: 'static, T: TreeWrite<AnyLeaves> + Clone>(
    tree: &T,
    mut map: impl FnMut(&L) -> L,
) -> Result<T, Error> {
    let mut mapped = tree.clone();
    for_each_mut_of(&mut mapped, |leaf| *leaf = map(leaf))?;
    Ok(mapped)
}

/// Writes one slot for each leaf to the front of `leaves`, and returns the number of leaves: a reference if the leaf is of the type
/// `L`, otherwise `None`.
///
/// So the slots with a reference are a mask, and all references are the leaves of this type. Each slot has the index of its leaf,
/// as in [`leaf()`](crate::tree::leaf()) and in [`TreeDef::paths`](crate::TreeDef::paths).
///
/// # Errors
///
/// As [`refs_into`](crate::tree::refs_into).
///
/// # Examples
///
/// ```
/// use treedef::tree::refs_of_into;
///
/// let model = ([1.0f32, 2.0], 7u64, 3.0f32);
/// let mut leaves = [None; 4];
/// assert_eq!(refs_of_into(&model, &mut leaves), Ok(4));
/// assert_eq!(leaves, [Some(&1.0f32), Some(&2.0), None, Some(&3.0)]);
/// assert_eq!(leaves.map(|leaf| leaf.is_some()), [true, true, false, true]);
/// assert_eq!(leaves.iter().flatten().map(|leaf| **leaf).sum::<f32>(), 6.0);
/// ```
pub fn refs_of_into<'a, L: 'static>(
    tree: &'a (impl TreeWalk<AnyLeaves> + ?Sized),
    leaves: &mut [Option<&'a L>],
) -> Result<usize, Error> {
    keep_into::<AnyLeaves, _, _, true>(tree, leaves, <dyn Any>::downcast_ref, || {
        count_leaves::<AnyLeaves, _>(tree)
    })
}
