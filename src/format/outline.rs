//! Reads the outlines of items: how many nodes there are and how many follow, without their heads.

use crate::base::attempt::attempt;
use crate::format::head::{
    ESCAPE, EXT, EXT_CUSTOM, EXT_NONE, EXT_SOME, LEAVES, LIST, SAME, TUPLE, tag_of,
};
use crate::format::value::read_run_inline;
use crate::format::varint;

/// What a scan that reads no names needs of an item.
#[derive(Clone, Copy)]
pub(crate) enum Outline<'a> {
    /// This many adjacent leaves.
    Leaves(u32),
    /// `copies` more of the node before, each with `leaves` leaves.
    Same { copies: u32, leaves: u32 },
    /// A node with `arity` children, which follow, and the payload of its block.
    Node { arity: u32, block: &'a [u8] },
}

/// Reads the outline of the item at the front. It makes no `Head`, so it takes half the instructions of `read_item`
/// where it is inlined into a loop.
#[inline(always)]
pub(crate) const fn read_outline(bytes: &[u8]) -> Option<(Outline<'_>, &[u8])> {
    let (first, rest) = attempt!(bytes.split_first());
    let (kind, low) = tag_of(*first);
    let (count, rest) = match (kind, low) {
        (EXT, EXT_NONE) => return Some((Outline::Node { arity: 0, block: &[] }, rest)),
        (EXT, EXT_SOME..=EXT_CUSTOM) => attempt!(varint::read_u32(rest)),
        (EXT.., _) => return None,
        (_, ESCAPE) => {
            let (more, rest) = attempt!(varint::read_u32(rest));
            (attempt!(more.checked_add(ESCAPE as u32)), rest)
        }
        _ => (low as u32, rest),
    };
    Some(match kind {
        LEAVES => (Outline::Leaves(attempt!(count.checked_add(1))), rest),
        TUPLE | LIST => (Outline::Node { arity: count, block: &[] }, rest),
        SAME => {
            let (leaves, rest) = attempt!(varint::read_u32(rest));
            (Outline::Same { copies: attempt!(count.checked_add(1)), leaves }, rest)
        }
        _ => {
            let (block, rest) = attempt!(read_run_inline(rest));
            (Outline::Node { arity: count, block }, rest)
        }
    })
}
