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
use crate::treedef::find_str::{NAME, after_plain, counted, open, unknown};

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
        (shape, rest) = segment(shape, rest, at == 0, &mut leaf).ok_or(unknown(at))?;
    }
    match shape {
        Shape::Leaf(_) => Ok(leaf),
        _ => Err(unknown(path.len())),
    }
}

/// The child that the segment at the front of the text leads to, and the text after the segment. Adds the leaves before
/// the child to `leaf`.
#[inline(always)]
fn segment<'s, 't>(
    shape: &'s Shape,
    text: &'t [u8],
    is_first: bool,
    leaf: &mut usize,
) -> Option<(&'s Shape, &'t [u8])> {
    let (close, text) = open(text, is_first)?;
    let (children, index, rest) = match shape {
        Shape::Struct { fields, children, .. } if close == NAME => {
            let (index, rest) = named(fields, text)?;
            (children.as_slice(), index, rest)
        }
        Shape::Tuple(children) => {
            let (index, rest) = numbered(close, text)?;
            (children.as_slice(), index, rest)
        }
        Shape::List(count, of) => {
            let (index, rest) = numbered(close, text)?;
            if index >= *count {
                return None;
            }
            *leaf = leaf.wrapping_add(index.wrapping_mul(of.num_leaves()?));
            return Some((of, rest));
        }
        _ => return None,
    };
    let (before, children) = children.split_at_checked(index)?;
    let child = children.first()?;
    // Often the child is the first.
    if index > 0 {
        *leaf = leaf.wrapping_add(leaves_of(before)?);
    }
    Some((child, rest))
}

/// The index of the longest name at the front of the text, of equal names the first, and the text after it.
#[inline(always)]
fn named<'t>(names: &[&str], text: &'t [u8]) -> Option<(usize, &'t [u8])> {
    let start = text.first().copied().unwrap_or(0);
    // How much text follows the longest name that was found; more than there is if none was.
    let (mut left, mut found) = (usize::MAX, 0);
    for (index, name) in names.iter().enumerate() {
        // Most names differ in the first byte.
        if !matches!(name.as_bytes(), [first, ..] if *first != start)
            && let Some(after) = after_plain(text, name.as_bytes())
            && after.len() < left
        {
            (found, left) = (index, after.len());
            // No other name is longer.
            if left == 0 {
                break;
            }
        }
    }
    Some((found, text.split_at_checked(text.len().wrapping_sub(left))?.1))
}

/// The index at the front of the text, and the text after it.
#[inline(always)]
fn numbered(close: u8, text: &[u8]) -> Option<(usize, &[u8])> {
    let mut index = 0;
    let rest = counted(close, text, &mut index)?;
    Some((usize::try_from(index).ok()?, rest))
}
