//! A structure written into a buffer of the caller, bounded in length, or compared with a treedef.

use crate::base::error::Error;
use crate::encode::bound::Bound;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::describe::{compare, describe};
use crate::encode::output::Output;
use crate::encode::structure::Structure;
use crate::treedef::treedef::TreeDef;

/// Writes the structure of `tree` into `bytes`, as `jax.tree.structure`.
///
/// A type of fixed structure is copied from flash; better still, take [`treedef_of`](crate::treedef_of) and write
/// nothing.
///
/// # Errors
///
/// [`Error::Full`] with the length of `bytes`, and [`structure_bound`] says what is enough; [`Error::TooDeep`];
/// [`Error::TooLarge`]; what is wrong with the keys of a map. What `bytes` hold then is of no use: the beginning of a
/// treedef, and what they held before.
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
/// assert_eq!(error, Error::Full { room: 2 });
/// # Ok::<(), Error>(())
/// ```
pub fn structure_into<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    let mut output = Output::written(bytes);
    let leaves = describe(tree, &mut output, MAX_DEPTH)?;
    output.finish(leaves)
}

/// A number of bytes that is always enough for [`structure_into`], and never more than the structure takes with all
/// repeats written out.
///
/// One pass that compares no siblings: heads and runs of leaves count as they are written, and of equal nodes those
/// that are known to be equal, as the elements of an array whose type fixes their structure. The treedef can be far
/// shorter, where many equal nodes are described one by one. With a heap, `TreeDefBox::structure` takes no more than
/// twice what is needed.
///
/// # Errors
///
/// As [`structure_into`], but never [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::{structure_bound, structure_into};
///
/// let tree = [Some([1.0f32, 2.0]), Some([3.0, 4.0]), None];
/// let mut bytes = [0; 16];
/// let enough = structure_bound(&tree)?;
/// let def = structure_into(&tree, &mut bytes[..enough])?;
/// // Of the second list only a repeat is left.
/// assert_eq!((enough, def.as_bytes()), (6, [0x43, 0x42, 0x01, 0xA0, 0x02, 0xC0].as_slice()));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn structure_bound<T: Structure + ?Sized>(tree: &T) -> Result<usize, Error> {
    let mut bound = Bound::new();
    describe(tree, &mut bound, MAX_DEPTH)?;
    Ok(bound.finish())
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
    if T::TREEDEF == Some(expected) {
        return Ok(());
    }
    compare(tree, expected, MAX_DEPTH)
}
