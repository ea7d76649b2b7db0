//! The leaves of a tree as bytes, and back.

use core::any::Any;

use crate::base::attempt::ok;
use crate::base::bytes::equal_words;
use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::message::Message;
use crate::encode::depth::Depth;
use crate::encode::max_sizes::{larger, number_len};
use crate::encode::schema::{Schema, each_inside};
use crate::encode::structure::HasSchema;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::{Mut, Ref};
use crate::tree::leaf_form::LeafForm;
use crate::tree::traits::TreeWrite;
use crate::tree::walk::{TreeWalk, VisitLanes};

/// The largest number of bytes that [`write_leaves`] needs for a value of a type: a constant. It is exact if all values of the type
/// have the same leaves.
///
/// A type without a bound does not compile here, such as one that holds a `Vec`, and one with a leaf type that [`write_leaves`] does
/// not write.
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
pub const fn leaf_bytes<T: HasSchema>() -> usize {
    const {
        match bound::<T>() {
            usize::MAX => panic!("the leaves of this type have no bound"),
            bytes => bytes,
        }
    }
}

/// The largest sum of the sizes of all leaves; `usize::MAX` if there is no bound. It is called at compile time, and refuses a leaf
/// type without bytes.
#[expect(clippy::panic, reason = "it is called at compile time")]
const fn bound<T: HasSchema + ?Sized>() -> usize {
    match T::SCHEMA.leaf_bytes(None) {
        Ok(bytes) => bytes,
        Err(name) => {
            let reason = "` has no dtype, so it is not written as bytes";
            panic!("{}", Message::new(&["the leaf type `", name, reason]).as_str())
        }
    }
}

impl Schema {
    /// The largest sum of the sizes of all leaves; `usize::MAX` if there is no bound. With `in_records` it is the size in records, and these
    /// are the leaf types of the program.
    ///
    /// # Errors
    ///
    /// The name of the first leaf type without a size. Outside of records that is one without a dtype: a leaf has a dtype exactly if it has
    /// bytes.
    pub(crate) const fn leaf_bytes(
        &self,
        in_records: Option<&[(&str, usize)]>,
    ) -> Result<usize, &'static str> {
        let count = match self {
            Schema::Leaf(name, dtype, _) => {
                let bytes = match (in_records, dtype) {
                    (Some(own), _) => max_in_record(name, own),
                    (None, Some(dtype)) => Some(dtype.size()),
                    (None, None) => None,
                };
                return match bytes {
                    Some(bytes) => Ok(bytes),
                    None => Err(name),
                };
            }
            Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => return Ok(usize::MAX),
            // A list without elements has no leaves.
            Schema::Array(0, _) | Schema::List(Some(0), _) | Schema::Map(Some(0), ..) => {
                return Ok(0);
            }
            Schema::Array(count, _)
            | Schema::List(Some(count), _)
            | Schema::Map(Some(count), ..) => *count,
            Schema::List(None, _) | Schema::Map(None, ..) => usize::MAX,
            Schema::Optional(_) | Schema::Tuple(_) | Schema::Struct(_) | Schema::Enum(..) => 1,
        };
        let mut bytes = 0usize;
        each_inside!(self, child => {
            let own = ok!(child.leaf_bytes(in_records));
            bytes = match self {
                Schema::Enum(..) => larger(bytes, own),
                _ => bytes.saturating_add(own),
            };
        });
        Ok(bytes.saturating_mul(count))
    }
}

/// The largest number of bytes that a leaf of this type has in a record; `None` if it is a type of the program that is not among `own`.
const fn max_in_record(name: &str, mut own: &[(&str, usize)]) -> Option<usize> {
    while let [(one, bytes), others @ ..] = own {
        if equal_words(one.as_bytes(), name.as_bytes()) {
            return Some(number_len(*bytes).saturating_add(*bytes));
        }
        own = others;
    }
    LeafForm::of(name.as_bytes()).max_len(name.as_bytes())
}

/// Writes all leaves of a tree as little-endian bytes, without gaps, and returns the number of bytes.
///
/// The leaves are numbers, `NonZero` integers, `bool`s (one byte, 0 or 1), floats of `half` and numbers of `fixed`, which are written as their
/// integer; also of different types. A type whose [`SCHEMA`](HasSchema::SCHEMA) has another leaf type does not compile here.
///
/// [`leaf_bytes`] is the largest number of bytes as a constant. The bytes do not say what they are. For a frame both sides compare the
/// [schemas](crate::schema_of) of their types first. They are read into a value of the same structure: if the type has options,
/// variants or lists, write the treedef beside them, and store one record for each leaf instead, as the example of
/// [`migrate_typed_with`](crate::algebra::migrate_typed_with), which makes the value.
///
/// # Errors
///
/// [`Error::BufferFull`] with the number of bytes that are needed. [`Error::WrongLeaf`] for a leaf of another type in a container
/// without a schema. [`Error::TooDeep`] from recursive types.
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
///
/// ```compile_fail
/// // A `char` has no bytes.
/// treedef::tree::write_leaves(&(1.0f32, 'm'), &mut [0; 8]);
/// ```
pub fn write_leaves<T: TreeWalk + ?Sized>(tree: &T, bytes: &mut [u8]) -> Result<usize, Error> {
    let (needed, room) = (checked_len(tree, &[])?, bytes.len());
    let rest = bytes.get_mut(..needed).ok_or(Error::BufferFull { needed, room })?;
    T::walk_lanes::<Ref, Error, _>(tree, &mut Depth::default(), &mut Write(rest))?;
    Ok(needed)
}

/// The number of bytes of all leaves. The bytes that are there are those of leaves.
fn checked_len<T: TreeWalk + ?Sized>(tree: &T, bytes: &[u8]) -> Result<usize, Error> {
    const { bound::<T>() };
    let mut check = Check { bytes, len: 0, index: 0 };
    T::walk_lanes::<Ref, Error, _>(tree, &mut Depth::default(), &mut check)?;
    Ok(check.len)
}

/// The number of bytes of a leaf.
fn size_of_leaf<T: HasSchema>() -> Option<usize> {
    T::SCHEMA.dtype().map(Dtype::size)
}

/// Counts the bytes of the leaves, and checks those that are there.
struct Check<'b> {
    bytes: &'b [u8],
    /// The bytes of the leaves that were visited.
    len: usize,
    /// The number of these leaves.
    index: u32,
}

impl<'a> VisitLanes<'a, AnyLeaves, Ref, Error> for Check<'_> {
    fn leaf(&mut self, _: &'a dyn Any) -> Result<(), Error> {
        Err(Error::WrongLeaf { leaf: self.index })
    }

    fn leaf_of<T: HasSchema>(&mut self, _: &'a T) -> Result<(), Error> {
        let wrong = Error::WrongLeaf { leaf: self.index };
        let end = self.len.saturating_add(size_of_leaf::<T>().ok_or(wrong)?);
        if self.bytes.get(self.len..end).is_some_and(|bytes| T::leaf_from_le(bytes).is_none()) {
            return Err(wrong);
        }
        (self.len, self.index) = (end, self.index.wrapping_add(1));
        Ok(())
    }
}

/// Writes the bytes of leaves to the front of these.
struct Write<'b>(&'b mut [u8]);

impl<'a> VisitLanes<'a, AnyLeaves, Ref, Error> for Write<'_> {
    fn leaf(&mut self, _: &'a dyn Any) -> Result<(), Error> {
        Ok(())
    }

    fn leaf_of<T: HasSchema>(&mut self, leaf: &'a T) -> Result<(), Error> {
        if let Some(size) = size_of_leaf::<T>()
            && let Some(target) = self.0.split_off_mut(..size)
        {
            T::leaf_to_le(leaf, target);
        }
        Ok(())
    }
}

/// Reads leaves from the front of these bytes.
struct Read<'b>(&'b [u8]);

impl<'a> VisitLanes<'a, AnyLeaves, Mut, Error> for Read<'_> {
    fn leaf(&mut self, _: &'a mut dyn Any) -> Result<(), Error> {
        Ok(())
    }

    fn leaf_of<T: HasSchema>(&mut self, leaf: &'a mut T) -> Result<(), Error> {
        if let Some(size) = size_of_leaf::<T>()
            && let Some(read) = self.0.split_off(..size).and_then(T::leaf_from_le)
        {
            *leaf = read;
        }
        Ok(())
    }
}

/// Sets all leaves of a tree to little-endian bytes, as [`write_leaves`] writes them. The structure of the tree stays as it is, so
/// compare it with that of the tree that was written.
///
/// [`write_leaves`] has an example.
///
/// # Errors
///
/// [`Error::LeafBytes`] if the leaves take another number of bytes;
/// [`Error::WrongLeaf`] if the byte of a `bool` is neither 0 nor 1, if a `NonZero` would be 0, and for a leaf of another type in a container without a
/// schema. Then no leaf has changed. [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```compile_fail
/// // A `char` has no bytes.
/// treedef::tree::read_leaves(&mut (1.0f32, 'm'), &[0; 8]);
/// ```
pub fn read_leaves<T: TreeWrite + ?Sized>(tree: &mut T, bytes: &[u8]) -> Result<(), Error> {
    let (expected, found) = (checked_len(tree, bytes)?, bytes.len());
    if found != expected {
        return Err(Error::LeafBytes { expected, found });
    }
    T::walk_lanes::<Mut, Error, _>(tree, &mut Depth::default(), &mut Read(bytes))
}
