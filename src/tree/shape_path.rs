//! Finds the leaf for a path that a person types in the shape of a type, without a treedef.
//!
//! If a type determines its structure, its [`Shape`] has all names. They lie in flash as constants, so nothing is
//! decoded: this takes a third of the instructions of [`TreeDef::find_str`](crate::TreeDef::find_str), which reads
//! trees of every kind. Both find the same leaf. `axis[1].kp` in a `Robot`:
//!
//! ```text
//! text          shape                       segment    child    leaves before it
//! axis[1].kp    Struct axis, period         name       0        0
//! [1].kp        List of 2                   number     1        0 + 1 * 2
//! .kp           Struct ki, kp               name       1        2 + 1
//!               Leaf                        the end             3
//! ```

use crate::base::error::Error;
use crate::encode::shape::{Shape, leaves_of};
use crate::treedef::segment::{Segment, unknown_path};

/// The index of the leaf at a path in a type whose structure is constant.
///
/// # Errors
///
/// [`Error::UnknownPath`] with the byte from which the path leads nowhere, or with the length of the path if it leads to
/// a node that is no leaf.
pub(crate) fn leaf_at(mut shape: &Shape, path: &str) -> Result<usize, Error> {
    let (mut rest, mut leaf) = (path.as_bytes(), 0);
    while !rest.is_empty() {
        let at = path.len().wrapping_sub(rest.len());
        (shape, rest) = child(shape, rest, at == 0, &mut leaf).ok_or(unknown_path(at))?;
    }
    match shape {
        Shape::Leaf(_) => Ok(leaf),
        _ => Err(unknown_path(path.len())),
    }
}

/// The child that the segment at the front of the text leads to, and the text after the segment. Adds the leaves before
/// the child to `leaf`.
#[inline(always)]
fn child<'s, 't>(
    shape: &'s Shape,
    text: &'t [u8],
    is_first: bool,
    leaf: &mut usize,
) -> Option<(&'s Shape, &'t [u8])> {
    let mut segment = Segment::open(text, is_first)?;
    let (index, rest) = match shape {
        Shape::Struct { fields, .. } => {
            let (mut names, mut index) = (*fields, 0u32);
            while let [name, rest @ ..] = names
                && !segment.is_all(index, name.as_bytes(), false)
            {
                (names, index) = (rest, index.wrapping_add(1));
            }
            segment.end()?
        }
        _ => segment.index()?,
    };
    let index = usize::try_from(index).ok()?;
    let (before, child) = match shape {
        Shape::Struct { children, .. } | Shape::Tuple(children) => {
            let (before, children) = children.as_slice().split_at_checked(index)?;
            (leaves_of(before)?, *children.first()?)
        }
        Shape::List(count, of) if index < *count => (index.wrapping_mul(of.num_leaves()?), *of),
        _ => return None,
    };
    *leaf = leaf.wrapping_add(before);
    Some((child, rest))
}
