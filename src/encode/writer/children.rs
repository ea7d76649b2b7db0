//! The children of an open node: how many are missing, and what is known of the node before the next child, to repeat it.
//!
//! `[(*, *), (*, *)]` has the bytes `0x42 0x22 0x01 0xA0 0x02`: a list of 2, a tuple of 2, its 2 leaves, and a repeat of the tuple:
//! one more copy, of 2 leaves. These are the children of the list; while a tuple is open, they are in its [`NodeStart`](super::NodeStart):
//!
//! | after | `left` | written: `start_or_len`, `end_or_copies` | compared |
//! |---|---|---|---|
//! | the head of the list | 2 | 0, 0: there is no node before | 0, 0 |
//! | the first tuple | 1 | 1, 3: its bytes are `1..3` | 1, 1: it begins at 1; how many copies follow was not read |
//! | the head of the second tuple | 1 | 1, 3; its bytes are put at `3..` | 1, 1: one copy was read and passed; the position is again 1 |
//! | the second tuple | 0 | 1, 3: it equals `1..3`, so the position is 3 again, and the repeat is put there | 1, 1: no copy is left, so the position goes after the repeat |

/// The children of the innermost open node, in four words that are copied together.
#[derive(Clone, Copy)]
pub(super) struct Children {
    /// Identifies the node: the number of nodes other than leaves after it was begun. 0 outside the root. Or [`Children::PUT`].
    pub(super) open: u32,
    /// The number of children that are missing.
    pub(super) left: u32,
    /// Where the bytes of the node before begin. If they are counted: their number.
    pub(super) start_or_len: u32,
    /// What has to be known of the child before, to repeat it. [`Children::NO_NODE`] if it is not a node with leaves. Otherwise:
    ///
    /// | bytes are | it is |
    /// |---|---|
    /// | written | where the bytes of the node end |
    /// | compared | 1 + the number of its copies that follow; 1 if that was not read yet |
    /// | counted | 1 + the number of its copies |
    pub(super) end_or_copies: u32,
}

impl Children {
    /// Is in the place of `open` as long as the head of a node was put, and the node was neither entered nor ended. If that
    /// is the end, because an object panics, no tree is complete.
    pub(super) const PUT: u32 = u32::MAX;

    /// The `end_or_copies` after a child that cannot be repeated: a leaf, or a node without leaves.
    pub(super) const NO_NODE: u32 = 0;

    /// The `end_or_copies` of a node with leaves, where no bytes are written.
    pub(super) const NO_COPIES: u32 = 1;

    /// `left` children, which are all missing.
    pub(super) const fn new(open: u32, left: u32) -> Self {
        Self { open, left, start_or_len: 0, end_or_copies: Self::NO_NODE }
    }

    /// What they are after the next child, which is a node with these `start_or_len` and `end_or_copies`.
    pub(super) const fn after_node(self, start_or_len: u32, end_or_copies: u32) -> Self {
        Self { left: self.left.wrapping_sub(1), start_or_len, end_or_copies, ..self }
    }

    /// What they are after the next child, which is a copy of the node before.
    pub(super) const fn after_copy(self) -> Self {
        Self { left: self.left.wrapping_sub(1), ..self }
    }

    /// Whether the child before is a node with leaves.
    pub(super) const fn has_node_before(&self) -> bool {
        self.end_or_copies != Self::NO_NODE
    }

    /// Where bytes are compared: whether no copy of the node before is left, or their number was not read yet.
    pub(super) const fn copies_unread(&self) -> bool {
        self.end_or_copies == Self::NO_COPIES
    }
}
