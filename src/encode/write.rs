//! Writes a structure into a buffer of the caller, bounds its length, or compares it with a treedef.

use crate::base::error::Error;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::treedef::treedef::TreeDef;

/// Writes the structure of `tree` into `bytes`, as `jax.tree.structure`.
///
/// If the type determines the structure, it is a copy of a constant. [`treedef_of`](crate::treedef_of) then gives the
/// treedef without a buffer.
///
/// One pass over the tree, which also compares neighbouring nodes to find equal ones. At worst, if neighbours on every
/// level differ only at their ends, it compares `n log n` nodes for a tree of `n`.
///
/// # Errors
///
/// [`Error::Full`] with the length of `bytes` ([`structure_bound`] gives a length that is enough); [`Error::TooDeep`];
/// [`Error::TooLarge`]; the errors of a map's keys. After an error the contents of `bytes` are unspecified.
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
#[doc(alias = "tree_structure")]
pub fn structure_into<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    // `dyn`, so that a program has the rest once, and not for each type of tree.
    let describe: &mut dyn FnMut(&mut Writer<'b>) = &mut |out| tree.describe(out);
    written(bytes, describe)
}

/// The treedef that `describe` writes into `bytes`.
pub(crate) fn written<'b>(
    bytes: &'b mut [u8],
    describe: impl FnOnce(&mut Writer<'b>),
) -> Result<TreeDef<'b>, Error> {
    let own = bytes.as_ptr();
    let mut out = Writer::new(bytes);
    describe(&mut out);
    let def = out.take()?;
    // User code that borrows the writer can replace it by another one.
    if def.as_bytes().as_ptr() != own {
        return Err(Error::Arity { expected: 1, found: 0 });
    }
    Ok(def)
}

/// A number of bytes that is always enough for [`structure_into`], and at most what the structure takes with all
/// repeats written out.
///
/// One pass that counts heads and runs of leaves as they are written. It counts a repeat only for nodes that are known
/// to be equal, such as the elements of an array whose type determines their structure; of other nodes, only elements
/// of slices and vectors and dynamic nodes are compared. So the treedef can be far shorter. With a heap,
/// `structure` needs 2 kB, or at most twice the bytes of the treedef.
///
/// # Errors
///
/// As [`structure_into`], but never [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::encode::structure_bound;
/// use treedef::structure_into;
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
    let mut out = Writer::count();
    tree.describe(&mut out);
    out.finish_count().map(|(bytes, _)| bytes)
}

/// Checks that `tree` has the expected structure, without writing it. Costs as [`structure_into`].
///
/// The node in the error is one of `expected`, the second argument. In [`TreeDef::differences`] the receiver is the
/// expected structure.
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
// Always inlined: where `expected` is the constant of the type, the compiler compares, and links no code for it.
#[inline(always)]
pub fn matches<'d, T: Structure + ?Sized>(
    tree: &T,
    expected: impl Into<TreeDef<'d>>,
) -> Result<(), Error> {
    let expected = expected.into();
    if T::TREEDEF == Some(expected) {
        return Ok(());
    }
    let mut out = Writer::compare(expected);
    tree.describe(&mut out);
    out.take().map(drop)
}
