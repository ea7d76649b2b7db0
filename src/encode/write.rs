//! A structure written into a buffer of the caller, measured, or compared with a treedef.

use crate::base::error::Error;
use crate::encode::measure::{Measure, short_of};
use crate::encode::sink::{MAX_DEPTH, Writer};
use crate::encode::structure::Structure;
use crate::treedef::treedef::TreeDef;

/// Writes the structure of `tree` into `bytes`, as `jax.tree.structure`.
///
/// A type of fixed structure is copied from flash; better still, take [`treedef_of`](crate::treedef_of) and write
/// nothing.
///
/// # Errors
///
/// [`Error::Full`] with the exact number of bytes needed; [`Error::TooDeep`]; [`Error::TooLarge`]; what is wrong with
/// the keys of a map. What `bytes` hold then is of no use: the beginning of a treedef, and what they held before.
///
/// # Examples
///
/// ```
/// use treedef::{Error, structure_into};
///
/// let mut bytes = [0; 8];
/// let def = structure_into(&(1.0f32, [2.0f32, 3.0], None::<f32>), &mut bytes)?;
/// assert_eq!(def.as_bytes(), [0x23, 0x00, 0x42, 0x01, 0xC0]);
///
/// let error = structure_into(&(1.0f32, [2.0f32, 3.0]), &mut [0; 2]).unwrap_err();
/// assert_eq!(error, Error::Full { needed: 4, room: 2 });
/// # Ok::<(), Error>(())
/// ```
pub fn structure_into<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    let room = bytes.len();
    let mut writer = Writer::new(bytes, MAX_DEPTH);
    match tree.describe(&mut writer) {
        Ok(()) => writer.builder.finish(),
        Err(error) => Err(exact(tree, error, room)),
    }
}

/// Replaces the room that was missing so far by what the whole tree needs.
#[cold]
fn exact<T: Structure + ?Sized>(tree: &T, error: Error, room: usize) -> Error {
    match (error, structure_len(tree)) {
        (Error::Full { .. }, Ok(needed)) => short_of(needed, room),
        // No buffer is large enough for this one.
        (Error::Full { .. }, Err(error)) | (error, _) => error,
    }
}

/// The bytes that [`structure_into`] needs, exactly.
///
/// It is the length of the treedef and, where repeats are nested, one more unit of each repeat that is open at once.
///
/// # Errors
///
/// As [`structure_into`], but never [`Error::Full`].
pub fn structure_len<T: Structure + ?Sized>(tree: &T) -> Result<usize, Error> {
    let mut measure = Measure::new(MAX_DEPTH);
    tree.describe(&mut measure)?;
    Ok(measure.finish().0)
}

/// Sees that `tree` has the expected structure; nothing is written.
///
/// The tree stands first and what is expected of it second; its node in the error is one of `expected`. In
/// [`TreeDef::differences`] it is the other way round: the receiver is the structure that is expected.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node that differs.
///
/// # Examples
///
/// ```
/// use treedef::{Error, matches, treedef};
///
/// let expected = treedef!((*, [*, *]));
/// assert_eq!(matches(&(1.0f32, [2.0f32, 3.0]), expected), Ok(()));
/// assert_eq!(matches(&(1.0f32, [2.0f32]), expected), Err(Error::Mismatch { node: 2 }));
///
/// // A treedef is a tree too.
/// assert_eq!(matches(&treedef!((*, *)), expected), Err(Error::Mismatch { node: 2 }));
/// ```
pub fn matches<T: Structure + ?Sized>(tree: &T, expected: TreeDef<'_>) -> Result<(), Error> {
    if let Some(image) = T::IMAGE
        && image.def == expected
    {
        return Ok(());
    }
    let mut writer = Writer::expected(expected, MAX_DEPTH);
    let described = tree.describe(&mut writer);
    writer.compared(described)
}
