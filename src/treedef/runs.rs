//! The children of a node in runs of equal neighbours, with their spots.
//!
//! The runs of `[(*, *), (*, *), *, *, None]`, whose bytes are a list of 5, a tuple of 2, 2 leaves, a repeat of 1, 2 leaves and
//! `None`:
//!
//! ```text
//! run          same   spot of its first child   leaves and tail of a child
//! the tuple    1      leaf 0  rank 1            2  0, once it is passed or asked for
//! its copy     1      leaf 2  rank 0            2  0
//! the leaves   2      leaf 4  rank 0            1  0
//! None         1      leaf 6  rank 0            0  1, once it is passed or asked for
//! ```

use crate::base::attempt::attempt;
use crate::base::bytes::after;
use crate::format::head::{Head, LEAF_BYTES, LEAVES, SAME, read_count};
use crate::format::varint::read_u32;
use crate::treedef::scan::{count_nodes, skip_before};
use crate::treedef::spot::Spot;

/// The remaining children of a node. If `COUNTS`, the nodes of the children that were passed are counted.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a, const COUNTS: bool = false> {
    /// The bytes of the next child; if its size is not known yet, also those that follow it.
    pub(crate) bytes: &'a [u8],
    /// Where the next child is.
    pub(crate) spot: Spot,
    /// The number of remaining children, and in `same` of those in this run.
    pub(crate) left: u32,
    same: u32,
    /// The leaves of the next child, and the number of nodes after the last of them.
    size: Option<(u32, u32)>,
    /// The bytes after this run; as long as the size of its child is not known, the bytes that begin with the child.
    rest: &'a [u8],
    /// The number of nodes that were passed.
    pub(crate) nodes: u32,
}

impl<'a, const COUNTS: bool> Runs<'a, COUNTS> {
    /// The children of the node at the front of `bytes`, which has this head and is at `spot`.
    pub(crate) const fn of(bytes: &'a [u8], head: &Head<'_>, spot: Spot) -> Self {
        let rest = after(bytes, head.as_bytes().len());
        let (spot, left) = (spot.after_head(), head.arity());
        Self { bytes: rest, spot, left, same: 0, size: None, rest, nodes: 0 }
    }

    /// One child, at the front of `bytes`.
    pub(crate) const fn only(bytes: &'a [u8], spot: Spot) -> Self {
        Self { bytes, spot, left: 1, same: 1, size: None, rest: &[], nodes: 0 }
    }

    /// Passes children that end before `goal`, at most `count` of them, and returns how many. The next one is then at hand;
    /// `None` if there is none.
    ///
    /// The child after the last that may be passed is not read, so the levels of a chain are not scanned for their ends.
    #[inline(never)]
    pub(crate) const fn seek(&mut self, count: u32, goal: Spot) -> Option<u32> {
        let mut to_pass = count;
        loop {
            if self.same == 0 {
                attempt!(self.load());
            }
            if to_pass == 0 {
                return Some(count);
            }
            let Some((leaves, tail)) = self.size_before(goal) else {
                return Some(count.wrapping_sub(to_pass));
            };
            let before = self.spot.count_before(goal, self.same, leaves, tail);
            let passed = if to_pass < before { to_pass } else { before };
            attempt!(self.pass(passed));
            to_pass = to_pass.wrapping_sub(passed);
            if self.same > 0 {
                return Some(count.wrapping_sub(to_pass));
            }
        }
    }

    /// How many of the next children, which are equal, end before `goal`.
    pub(crate) const fn count_before(&mut self, goal: Spot) -> Option<u32> {
        if self.same == 0 {
            attempt!(self.load());
        }
        let (leaves, tail) = attempt!(self.size());
        Some(self.spot.count_before(goal, self.same, leaves, tail))
    }

    /// The number of leaves of the next child, which is at hand, and of nodes after the last of them.
    pub(crate) const fn size(&mut self) -> Option<(u32, u32)> {
        self.size_before(Spot::END)
    }

    /// As [`Runs::size`]; `None` if `goal` is in that child and its size is not known: the child is read up to it.
    const fn size_before(&mut self, goal: Spot) -> Option<(u32, u32)> {
        if self.size.is_none() {
            let node = attempt!(skip_before(self.bytes, goal.from(self.spot)));
            let len = self.bytes.len().wrapping_sub(node.rest.len());
            (self.bytes, self.rest) = attempt!(self.bytes.split_at_checked(len));
            self.size = Some((node.leaves, node.tail));
        }
        self.size
    }

    /// Ends the children with the next one, which has this number of leaves and is the last. It is not read.
    pub(crate) const fn take_last(&mut self, leaves: u32) {
        (self.left, self.same) = (0, 0);
        self.spot = self.spot.after(1, leaves, 0);
    }

    /// Passes `count` children of this run.
    pub(crate) const fn pass(&mut self, count: u32) -> Option<()> {
        if count == 0 {
            return Some(());
        }
        let (leaves, tail) = attempt!(self.size());
        if COUNTS {
            let nodes = attempt!(count_nodes(self.bytes).checked_mul(count));
            self.nodes = attempt!(self.nodes.checked_add(nodes));
        }
        self.spot = self.spot.after(count, leaves, tail);
        (self.left, self.same) = (self.left.wrapping_sub(count), self.same.wrapping_sub(count));
        Some(())
    }

    /// Begins the next run.
    const fn load(&mut self) -> Option<()> {
        if self.left == 0 {
            return None;
        }
        if let Some((count, rest)) = read_count(self.rest, LEAVES) {
            (self.bytes, self.same, self.size, self.rest) = (LEAF_BYTES, count, Some((1, 0)), rest);
        } else if let Some((copies, rest)) = read_count(self.rest, SAME) {
            // The children are equal to the last child of the run before.
            (self.same, (_, self.rest)) = (copies, attempt!(read_u32(rest)));
        } else {
            // The head of a node is read where the node is passed.
            (self.bytes, self.same, self.size) = (self.rest, 1, None);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_read_up_to_what_is_sought_in_it() {
        // [(*, *), [*, .., and the rest is missing.
        let bytes = &[0x42, 0x22, 0x01, 0x43, 0x00];
        let mut children = Runs::<false>::of(bytes, &Head::trusted(bytes), Spot::ROOT);
        assert_eq!(children.seek(2, Spot::of_leaf(2)), Some(1));
        assert_eq!((children.bytes, children.spot), (&bytes[3..], Spot { leaf: 2, rank: 0 }));
    }
}
