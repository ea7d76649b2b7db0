//! The leaves of a tree as bytes, and back.

use core::any::Any;

use crate::base::attempt::attempt;
use crate::base::bytes::copy;
use crate::base::error::Error;
use crate::encode::schema::Schema;
use crate::encode::structure::Structure;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::mixed;
use crate::tree::traits::TreeWrite;
use crate::tree::walk::TreeWalk;

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

/// The largest number of bytes that [`write_leaves`] needs for a value of a type: a constant. It is exact if all values of the type
/// have the same leaves.
///
/// A type without a bound does not compile here, such as one that holds a `Vec`, and one with a leaf that is no number.
/// [`read_leaves`] takes exactly the bytes that were written: of a buffer of this length, those that [`write_leaves`] counted.
///
/// # Examples
///
/// ```
/// use treedef::tree::leaf_bytes;
///
/// const LEN: usize = leaf_bytes::<([f32; 2], u8)>();
/// assert_eq!(LEN, 9);
/// assert_eq!(leaf_bytes::<(Option<f64>, heapless::Vec<u16, 3>)>(), 14);
/// ```
#[must_use]
pub const fn leaf_bytes<T: Structure>() -> usize {
    const {
        match T::SCHEMA.leaf_bytes() {
            Some(bytes) => bytes,
            None => panic!("the leaves of this type have no bound, or one of them is no number"),
        }
    }
}

impl Schema {
    /// The largest sum of the sizes of all leaves, if they are numbers and have a bound.
    const fn leaf_bytes(&self) -> Option<usize> {
        let count = match self {
            Schema::Leaf(_, Some(dtype)) => return Some(dtype.size()),
            Schema::Array(count, _)
            | Schema::List(Some(count), _)
            | Schema::Map(Some(count), ..) => *count,
            Schema::Optional(_) | Schema::Tuple(_) | Schema::Struct(_) | Schema::Enum(..) => 1,
            _ => return None,
        };
        let (mut records, children) = self.parts();
        let mut bytes = attempt!(sum_of_leaf_bytes(children));
        while let [record, others @ ..] = records {
            let sum = attempt!(sum_of_leaf_bytes(record.children.as_slice()));
            bytes = if sum > bytes { sum } else { bytes };
            records = others;
        }
        bytes.checked_mul(count)
    }
}

const fn sum_of_leaf_bytes(mut children: &[&Schema]) -> Option<usize> {
    let mut sum = 0usize;
    while let [first, others @ ..] = children {
        sum = attempt!(sum.checked_add(attempt!(first.leaf_bytes())));
        children = others;
    }
    Some(sum)
}

/// Writes all leaves of a tree as little-endian bytes, without gaps, and returns the number of bytes. The leaves are numbers,
/// `bool`s (one byte, 0 or 1) and floats of `half`, also of different types. Numbers of `fixed` are first
/// [mapped](fn@crate::map) to their bits.
///
/// [`leaf_bytes`] is the largest number of bytes as a constant. The bytes do not say what they are. For a frame both sides compare the
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
/// [`Error::LeafBytes`] if the leaves take another number of bytes;
/// [`Error::WrongLeaf`] for a leaf of another type, and if the byte of a `bool` is neither 0 nor 1. Then no leaf has changed.
/// [`Error::TooDeep`] from recursive types.
pub fn read_leaves(
    tree: &mut (impl TreeWrite<AnyLeaves> + ?Sized),
    bytes: &[u8],
) -> Result<(), Error> {
    let (expected, found) = (checked_len(tree, bytes)?, bytes.len());
    if found != expected {
        return Err(Error::LeafBytes { expected, found });
    }
    let mut rest = bytes;
    mixed::for_each_mut::<AnyLeaves>(tree, |leaf| rest = set_from(leaf, rest).unwrap_or(rest))
}
