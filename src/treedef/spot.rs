//! Addresses nodes for flat scans.
//!
//! A scan without a stack cannot count the nodes in a repeat, but it can count leaves: a repeat states the leaves of
//! its copies, and only nodes with leaves are repeated. So the address of a node is the number of leaves before it, and
//! its rank: the number of nodes between the last of those leaves and the node. In `[(*, None), [*]]`:
//!
//! ```text
//! list     leaf 0  rank 0
//! tuple    leaf 0  rank 1
//! leaf     leaf 0  rank 2
//! None     leaf 1  rank 0
//! list     leaf 1  rank 1
//! leaf     leaf 1  rank 2
//! ```
//!
//! No two nodes have the same spot, and the order of spots is preorder.

/// The address of a node: the number of leaves before it, and of nodes between the last of those leaves and the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) leaf: u32,
    pub(crate) rank: u32,
}

impl Spot {
    /// The spot of the root.
    pub(crate) const ROOT: Self = Self { leaf: 0, rank: 0 };

    /// The spot after the last node.
    pub(crate) const END: Self = Self { leaf: u32::MAX, rank: u32::MAX };

    /// The rank of a leaf that is searched: a leaf is the last of the nodes with equally many leaves before them.
    pub(crate) const LAST: u32 = u32::MAX;

    /// The spot to search for the leaf with this index.
    pub(crate) const fn of_leaf(leaf: u32) -> Self {
        Self { leaf, rank: Self::LAST }
    }

    /// The spot after the head of a node that is here.
    pub(crate) const fn after_head(self) -> Self {
        Self { leaf: self.leaf, rank: self.rank.wrapping_add(1) }
    }

    /// The spot after `count` equal neighbours, each with `leaves` leaves and `tail` nodes after the last of them.
    pub(crate) const fn after(self, count: u32, leaves: u32, tail: u32) -> Self {
        match leaves {
            // A node without leaves is never repeated.
            0 => Self { leaf: self.leaf, rank: self.rank.wrapping_add(tail) },
            _ => Self { leaf: self.leaf.wrapping_add(count.wrapping_mul(leaves)), rank: tail },
        }
    }

    /// This spot, counted from a node at `start`, which is not after it.
    pub(crate) const fn from(self, start: Self) -> Self {
        let rank = if self.leaf == start.leaf { start.rank } else { 0 };
        Self { leaf: self.leaf.wrapping_sub(start.leaf), rank: self.rank.wrapping_sub(rank) }
    }

    /// How many of `count` equal neighbours, the first of them here, end before `goal`, which is in them or after them.
    /// Each has `leaves` leaves, and `tail` nodes after its last leaf.
    pub(crate) const fn count_before(self, goal: Self, count: u32, leaves: u32, tail: u32) -> u32 {
        if !goal.is_before(self.after(count, leaves, tail)) {
            return count;
        }
        let ahead = goal.leaf.saturating_sub(self.leaf);
        match (ahead.checked_div(leaves), ahead.checked_rem(leaves)) {
            // The goal is after the last leaf of a neighbour, but still in it.
            (Some(steps @ 1..), Some(0)) if goal.rank < tail => steps.wrapping_sub(1),
            (Some(steps), _) => steps,
            // A node without leaves is alone.
            (None, _) => 0,
        }
    }

    /// Whether this is before `other` in preorder.
    pub(crate) const fn is_before(self, other: Self) -> bool {
        self.leaf < other.leaf || self.leaf == other.leaf && self.rank < other.rank
    }
}
