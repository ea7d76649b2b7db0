//! Trees with leaves of any types, of which a program wants those of one type, or all numbers as bytes.

use core::any::Any;

use crate::base::attempt::attempt;
use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::encode::schema::{Record, Schema};
use crate::encode::structure::Structure;
use crate::tree::flatten::keep_into;
use crate::tree::lanes::Ref;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::mixed;
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
    type Run<'a> = ();

    fn cloned(_: &dyn Any) {}
}

impl<T: 'static> LeafAs<AnyLeaves> for T {
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

    #[inline]
    fn run<'a>(_: &'a [T])
    where
        AnyLeaves: 'a,
    {
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
    keep_into::<AnyLeaves, _, Ref, _>(tree, leaves, <dyn Any>::downcast_ref, || tree.num_leaves())
}

/// A leaf as little-endian bytes, and back.
macro_rules! numbers {
    ($($(#[$feature:meta])? $number:ty)*) => {
        /// Calls `put` with the bytes of a number; `None` if the leaf is none.
        #[inline]
        fn bytes_of<R>(leaf: &dyn Any, put: impl FnOnce(&[u8]) -> R) -> Option<R> {
            if let Some(flag) = leaf.downcast_ref::<bool>() {
                return Some(put(&[(*flag).into()]));
            }
            $(
                $(#[$feature])?
                if let Some(number) = leaf.downcast_ref::<$number>() {
                    return Some(put(&number.to_le_bytes()));
                }
            )*
            None
        }

        /// Sets a leaf to the number at the front of the bytes, and returns the bytes after it. `None` if the leaf is no number,
        /// or if there are too few bytes.
        #[inline]
        fn set_from<'b>(leaf: &mut dyn Any, bytes: &'b [u8]) -> Option<&'b [u8]> {
            if let Some(flag) = leaf.downcast_mut::<bool>() {
                let (byte, rest) = bytes.split_first()?;
                *flag = *byte == 1;
                return Some(rest);
            }
            $(
                $(#[$feature])?
                if let Some(number) = leaf.downcast_mut::<$number>() {
                    let (front, rest) = bytes.split_first_chunk()?;
                    *number = <$number>::from_le_bytes(*front);
                    return Some(rest);
                }
            )*
            None
        }
    };
}
numbers! {
    f32 f64 u8 u16 u32 u64 i8 i16 i32 i64
    #[cfg(feature = "half")] half::f16
    #[cfg(feature = "half")] half::bf16
}

/// The number of bytes that [`write_leaves`] needs for a type whose values all have the same number of leaves: a constant.
///
/// Another type does not compile here, and one with a leaf that is no number. A buffer for the largest value of a type with options
/// has the bytes of its leaves times [`max_leaves`](crate::tree::max_leaves).
///
/// # Examples
///
/// ```
/// use treedef::tree::leaf_bytes;
///
/// const LEN: usize = leaf_bytes::<([f32; 2], u8)>();
/// assert_eq!(LEN, 9);
/// ```
#[must_use]
pub const fn leaf_bytes<T: Structure>() -> usize {
    const {
        match T::SCHEMA.leaf_bytes() {
            Some(bytes) => bytes,
            None => panic!(
                "the leaves of this type are not always as many, or one of them is no number"
            ),
        }
    }
}

impl Schema {
    /// The sum of the sizes of all leaves, if they are numbers and the type determines how many there are.
    const fn leaf_bytes(&self) -> Option<usize> {
        let mut children = match self {
            Schema::Leaf(_, Some(dtype)) => return Some(dtype.size()),
            Schema::Array(count, of) => return attempt!(of.leaf_bytes()).checked_mul(*count),
            Schema::Tuple(children) | Schema::Struct(Record { children, .. }) => {
                children.as_slice()
            }
            _ => return None,
        };
        let mut sum = 0usize;
        while let [first, others @ ..] = children {
            sum = sum.saturating_add(attempt!(first.leaf_bytes()));
            children = others;
        }
        Some(sum)
    }
}

/// Writes all leaves of a tree as little-endian bytes, without gaps, and returns the number of bytes. The leaves are numbers,
/// `bool`s (one byte, 0 or 1) and floats of `half`, also of different types. Numbers of `fixed` are first
/// [mapped](fn@crate::map) to their bits.
///
/// [`leaf_bytes`] is the number of bytes as a constant. The bytes do not say what they are. For a frame both sides compare the
/// [schemas](crate::schema_of) of their types first. They are read into a value of the same structure: if the type has options,
/// variants or lists, write the treedef beside them, and store one record for each leaf instead, as the example of
/// [`migrate_typed_with`](crate::algebra::migrate_typed_with), which makes the value.
///
/// # Errors
///
/// [`Error::WrongLeaf`] for a leaf of another type, and [`Error::BufferFull`] with the number of bytes that are needed.
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::{leaf_bytes, read_leaves, write_leaves};
///
/// let settings = ([1.5f32, -2.0], 7u16, true);
/// let mut bytes = [0; leaf_bytes::<([f32; 2], u16, bool)>()];
/// assert_eq!(write_leaves(&settings, &mut bytes), Ok(11));
/// assert_eq!(bytes[8..], [7, 0, 1]);
///
/// let mut read = ([0.0f32; 2], 0u16, false);
/// read_leaves(&mut read, &bytes)?;
/// assert_eq!(read, settings);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn write_leaves(
    tree: &(impl TreeWalk<AnyLeaves> + ?Sized),
    bytes: &mut [u8],
) -> Result<usize, Error> {
    let (needed, room) = (checked_len(tree, &[])?, bytes.len());
    let mut rest = bytes.get_mut(..needed).ok_or(Error::BufferFull { needed, room })?;
    mixed::for_each::<AnyLeaves>(tree, |leaf| {
        bytes_of(leaf, |bytes| {
            if let Some(target) = rest.split_off_mut(..bytes.len()) {
                copy(target, bytes);
            }
        });
    })?;
    Ok(needed)
}

/// The number of bytes of all leaves, which are numbers. The bytes that are there for a `bool` are 0 or 1.
fn checked_len(tree: &(impl TreeWalk<AnyLeaves> + ?Sized), bytes: &[u8]) -> Result<usize, Error> {
    let (mut len, mut index) = (0usize, 0u32);
    mixed::try_for_each::<AnyLeaves, Error>(tree, |leaf| {
        let wrong = Error::WrongLeaf { leaf: index };
        if leaf.is::<bool>() && bytes.get(len).is_some_and(|byte| *byte > 1) {
            return Err(wrong);
        }
        let bytes = bytes_of(leaf, <[u8]>::len).ok_or(wrong)?;
        (len, index) = (len.saturating_add(bytes), index.wrapping_add(1));
        Ok(())
    })?;
    Ok(len)
}

/// Sets all leaves of a tree to little-endian bytes, as [`write_leaves`] writes them. The structure of the tree stays as it is, so
/// compare it with that of the tree that was written.
///
/// [`write_leaves`] has an example.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] and [`Error::TooManyLeaves`], in bytes, if the leaves take another number of bytes;
/// [`Error::WrongLeaf`] for a leaf of another type, and if the byte of a `bool` is neither 0 nor 1. Then no leaf has changed.
/// [`Error::TooDeep`] from recursive types.
pub fn read_leaves(
    tree: &mut (impl TreeWrite<AnyLeaves> + ?Sized),
    bytes: &[u8],
) -> Result<(), Error> {
    Error::check_count(checked_len(tree, bytes)?, bytes.len())?;
    let mut rest = bytes;
    mixed::for_each_mut::<AnyLeaves>(tree, |leaf| rest = set_from(leaf, rest).unwrap_or(rest))
}
