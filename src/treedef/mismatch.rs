//! The first node at which two nodes differ, in one pass over their bytes.
//!
//! Up to there the bytes are the same, and copies are counted, not walked through: a few bytes can stand for billions
//! of nodes that do not differ.

use crate::base::levels::{self, Levels};
use crate::format::head::{Item, read_item};
use crate::format::validate::MAX_PENDING;

/// An open list: the children behind the open one, where that one begins, and how many nodes stand before it.
struct Level<'a> {
    left: u32,
    unit: &'a [u8],
    before: u32,
}

/// How many nodes, in preorder with repeats written out, the nodes at the front of `one` and `other` have in common
/// before the first that differs.
///
/// Where more than [`MAX_PENDING`] levels are pending it is the first node of that depth.
#[cold]
#[inline(never)]
pub(crate) fn nodes_in_common<'a>(mut one: &'a [u8], mut other: &'a [u8]) -> u32 {
    let mut levels: Levels<Level<'a>, MAX_PENDING> = levels::empty();
    let (mut left, mut nodes) = (1u32, 0u32);
    loop {
        let unit = one;
        let (Ok((mine, my_rest)), Ok((theirs, their_rest))) = (read_item(one), read_item(other))
        else {
            return nodes;
        };
        match (mine, theirs) {
            (Item::Leaves(mine), Item::Leaves(theirs)) => {
                nodes = nodes.wrapping_add(mine.min(theirs));
                if mine != theirs {
                    return nodes;
                }
                left = left.saturating_sub(mine);
            }
            (Item::Node(mine), Item::Node(theirs)) if mine == theirs => {
                left = left.saturating_sub(1);
                if mine.arity() > 0 {
                    if left > 0 && levels.push(Level { left, unit, before: nodes }).is_err() {
                        return nodes;
                    }
                    left = mine.arity();
                }
                nodes = nodes.wrapping_add(1);
            }
            _ => return nodes,
        }
        (one, other) = (my_rest, their_rest);
        while left == 0 {
            let Some(Level { left: behind, unit, before }) = levels.pop() else { return nodes };
            left = behind;
            let (mine, my_rest) = copies(one);
            let (theirs, their_rest) = copies(other);
            let each = nodes.wrapping_sub(before);
            nodes = nodes.wrapping_add(each.wrapping_mul(mine.min(theirs)));
            left = left.saturating_sub(mine.min(theirs));
            // Where one has more copies, its next child is the unit, and what the other has there is another node.
            one = if mine > theirs { unit } else { my_rest };
            other = if theirs > mine { unit } else { their_rest };
        }
    }
}

/// The copies at the front, and what follows them.
fn copies(bytes: &[u8]) -> (u32, &[u8]) {
    match read_item(bytes) {
        Ok((Item::Same { copies, .. }, rest)) => (copies, rest),
        _ => (0, bytes),
    }
}
