//! Writes a structure into a buffer of the caller, bounds its length, or compares it with a treedef.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::levels::Level;
use crate::encode::bound::Bound;
use crate::encode::describe::{Describe, compare, describe, describe_by};
use crate::encode::encoder::LeavesOnly;
use crate::encode::output::Writer;
use crate::encode::structure::Structure;
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
pub fn structure_into<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    let mut output = Writer::written(bytes);
    let leaves = ok!(describe(tree, &mut output, &mut []));
    output.finish(leaves)
}

/// As [`structure_into`], with the caller's levels for the structures of structures in `tree`.
///
/// The result of [`TreeDef::compose`] and the other operations needs a stack of levels while it is written. It is kept
/// in `levels`; if that is empty, it is a local array for [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels of depth. Each
/// operation documents how many of `levels` it needs for each level of depth. Operations that are written one after the
/// other use the same `levels`; typed trees need none.
///
/// # Errors
///
/// As [`structure_into`]; [`Error::TooDeep`] has the number of levels of depth that had room.
///
/// # Examples
///
/// ```
/// use treedef::encode::{Level, structure_into_with};
/// use treedef::{Error, treedef};
///
/// // Two nodes are open at once, so that two levels of depth are enough: two levels for each.
/// let pairs = treedef!([[*, None], None]).compose(treedef!((*, *)));
/// let mut bytes = [0; 16];
/// let def = structure_into_with(&(pairs, pairs), &mut bytes, &mut [Level::default(); 4])?;
/// assert_eq!(def, treedef!(([[(*, *), None], None], [[(*, *), None], None])));
///
/// let error = structure_into_with(&pairs, &mut [0; 16], &mut [Level::default(); 2]).unwrap_err();
/// assert_eq!(error, Error::TooDeep { limit: 1 });
/// # Ok::<(), Error>(())
/// ```
pub fn structure_into_with<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
    levels: &mut [Level],
) -> Result<TreeDef<'b>, Error> {
    structure_by(&mut |out| tree.describe_in(out), bytes, levels)
}

/// As [`structure_into_with`]. It knows no type of tree, so a program has it once.
pub(crate) fn structure_by<'b>(
    describe_in: &mut dyn FnMut(&mut Describe<'_, Writer<'b>>),
    bytes: &'b mut [u8],
    levels: &mut [Level],
) -> Result<TreeDef<'b>, Error> {
    let mut output = Writer::written(bytes);
    let leaves = ok!(describe_by(describe_in, &mut output, levels));
    output.finish(leaves)
}

/// A number of bytes that is always enough for [`structure_into`], and at most what the structure takes with all
/// repeats written out.
///
/// One pass that counts heads and runs of leaves as they are written. It counts a repeat only for nodes that are known
/// to be equal, such as the elements of an array whose type determines their structure; of other nodes, only elements
/// of slices and vectors and dynamic nodes are compared. So the treedef can be far shorter. With a heap,
/// `TreeDefBox::structure` needs 2 kB, or at most twice the bytes of the treedef.
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
    let mut bound = Bound::new();
    let leaves = ok!(describe(tree, &mut bound, &mut []));
    bound.finish(leaves)
}

/// As [`structure_bound`], with the caller's levels.
///
/// # Errors
///
/// As [`structure_into_with`], but never [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::encode::{Level, structure_bound_with};
/// use treedef::{Error, treedef};
///
/// let def = treedef!([[*, None], None]);
/// let same = def.compose(treedef!(*));
/// assert_eq!(structure_bound_with(&same, &mut [Level::default(); 4])?, def.as_bytes().len());
/// # Ok::<(), Error>(())
/// ```
pub fn structure_bound_with<T: Structure + ?Sized>(
    tree: &T,
    levels: &mut [Level],
) -> Result<usize, Error> {
    let mut bound = Bound::new();
    let leaves = ok!(describe(tree, &mut bound, levels));
    bound.finish(leaves)
}

/// As [`Structure::num_leaves`], with the caller's levels. Costs as [`structure_bound`].
///
/// # Errors
///
/// As [`structure_bound_with`].
///
/// # Examples
///
/// ```
/// use treedef::encode::{Level, num_leaves_with};
/// use treedef::{Error, treedef};
///
/// let kept = treedef!([[*, None], *]).leaves_to_none(&[true, false]);
/// assert_eq!(num_leaves_with(&kept, &mut [Level::default(); 8]), Ok(1));
/// ```
pub fn num_leaves_with<T: Structure + ?Sized>(
    tree: &T,
    levels: &mut [Level],
) -> Result<usize, Error> {
    match T::LEAVES {
        Some(leaves) => Ok(leaves),
        None => describe(tree, &mut LeavesOnly::new(), levels),
    }
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
    compare(tree, expected, &mut [])
}

/// As [`matches()`], with the caller's levels.
///
/// # Errors
///
/// As [`matches()`] and [`structure_bound_with`].
///
/// # Examples
///
/// ```
/// use treedef::encode::{Level, matches_with};
/// use treedef::treedef;
///
/// let def = treedef!([[*, None], None]);
/// let leaves = def.nones_as_leaves();
/// assert_eq!(matches_with(&leaves, treedef!([[*, *], *]), &mut [Level::default(); 4]), Ok(()));
/// ```
pub fn matches_with<T: Structure + ?Sized>(
    tree: &T,
    expected: TreeDef<'_>,
    levels: &mut [Level],
) -> Result<(), Error> {
    if T::TREEDEF == Some(expected) {
        return Ok(());
    }
    compare(tree, expected, levels)
}
