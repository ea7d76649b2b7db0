//! Finds the first node at which two nodes differ, in one pass over their bytes.
//!
//! Copies are counted and never written out, because a few bytes can be billions of equal nodes. For example,
//! `[(*, *), (*, *), (*, *)]` and `[(*, *), (*, *), None]`:
//!
//! ```text
//! the lists of 3     1 node in common
//! the tuples of 2    2
//! 2 leaves           4, and the lists go on after the tuple, which has 3 nodes
//! 2 copies and 1     7: one copy is in common; the first has another one there, the second None
//! tuple and None     differ: 7 nodes are in common
//! ```

use crate::format::head::{Item, read_item};
#[cfg(doc)]
use crate::format::validate::MAX_PENDING;
use crate::treedef::lists::Lists;

/// Number of leading nodes that the nodes at the front of `one` and `other` share, in preorder with repeats written out.
///
/// If more than [`MAX_PENDING`] lists wait, it returns the number of nodes up to there.
#[cold]
#[inline(never)]
pub(crate) fn nodes_in_common<'a>(mut one: &'a [u8], mut other: &'a [u8]) -> u32 {
    // Kept with each list that waits: where its open child begins in `one`, and the number of nodes before it.
    let mut lists: Lists<(&'a [u8], u32)> = Lists::new();
    let mut nodes = 0u32;
    while !lists.is_done() {
        let unit = one;
        let (Some((mine, my_rest)), Some((theirs, their_rest))) =
            (read_item(one), read_item(other))
        else {
            return nodes;
        };
        match (mine, theirs) {
            (Item::Leaves(mine), Item::Leaves(theirs)) => {
                nodes = nodes.wrapping_add(mine.min(theirs));
                if mine != theirs {
                    return nodes;
                }
                lists.pass(mine);
            }
            (Item::Node(mine), Item::Node(theirs)) if mine == theirs => {
                if lists.enter(mine.arity(), (unit, nodes)).is_err() {
                    return nodes;
                }
                nodes = nodes.wrapping_add(1);
            }
            _ => return nodes,
        }
        (one, other) = (my_rest, their_rest);
        while let Some((unit, before)) = lists.leave() {
            let (mine, my_rest) = copies(one);
            let (theirs, their_rest) = copies(other);
            let each = nodes.wrapping_sub(before);
            nodes = nodes.wrapping_add(each.wrapping_mul(mine.min(theirs)));
            lists.pass(mine.min(theirs));
            // The side with more copies has the repeated node next, and the other side a different one.
            one = if mine > theirs { unit } else { my_rest };
            other = if theirs > mine { unit } else { their_rest };
        }
    }
    nodes
}

/// The copies at the front, and what follows them.
fn copies(bytes: &[u8]) -> (u32, &[u8]) {
    match read_item(bytes) {
        Some((Item::Same { copies, .. }, rest)) => (copies, rest),
        _ => (0, bytes),
    }
}
