//! The children of an open node: how many are missing, and where the node before the next child is.

/// The children of the innermost open node, in four words that are copied together.
#[derive(Clone, Copy)]
pub(super) struct Children {
    /// Identifies the node: the number of nodes other than leaves after it was begun. 0 outside the root. Or [`Children::PUT`].
    pub(super) open: u32,
    /// The number of children that are missing.
    pub(super) left: u32,
    /// Where the bytes of the node before begin. If they are counted: their number.
    start: u32,
    /// What has to be known of the child before, to repeat it. 0 if it is not a node with leaves. Otherwise:
    ///
    /// | bytes are | it is |
    /// |---|---|
    /// | written | where the bytes of the node end |
    /// | compared | 1 + the number of its copies that follow; 1 if that was not read yet |
    /// | counted | 1 + the number of its copies |
    end: u32,
}

impl Children {
    /// Is in the place of `open` as long as the head of a node was put, and the node was neither entered nor ended. If that
    /// is the end, because an object panics, no tree is complete.
    pub(super) const PUT: u32 = u32::MAX;

    /// The `end` of a node with leaves, where no bytes are written.
    pub(super) const NO_COPIES: u32 = 1;

    /// `left` children, which are all missing.
    pub(super) const fn new(open: u32, left: u32) -> Self {
        Self { open, left, start: 0, end: 0 }
    }

    /// What they are after the next child, which is a node with this `start` and `end`.
    pub(super) const fn after_node(self, start: u32, end: u32) -> Self {
        Self { open: self.open, left: self.left.wrapping_sub(1), start, end }
    }

    /// What they are after the next child, which is a copy of the node before.
    pub(super) const fn after_copy(self) -> Self {
        self.after_node(self.start, self.end)
    }

    /// The node before has this `start` and `end`.
    pub(super) const fn set_node(&mut self, start: u32, end: u32) {
        (self.start, self.end) = (start, end);
    }

    /// Forgets the node before, which cannot be repeated: leaves follow it, or it has none.
    pub(super) const fn forget_node(&mut self) {
        self.end = 0;
    }

    /// Whether the child before is a node with leaves.
    pub(super) const fn has_node_before(&self) -> bool {
        self.end != 0
    }

    /// Where the node before begins; if bytes are counted, their number.
    pub(super) const fn node_start(&self) -> u32 {
        self.start
    }

    /// The start of the node before is now `start`: what was put last is a copy of it.
    pub(super) const fn move_node(&mut self, start: u32) {
        self.start = start;
    }

    /// Where the written bytes of the node before end.
    pub(super) const fn node_end(&self) -> u32 {
        self.end
    }

    /// Whether the child before is a node with leaves of which `len` bytes are written.
    pub(super) const fn has_node_of_len(&self, len: u32) -> bool {
        self.end != 0 && self.end.wrapping_sub(self.start) == len
    }

    /// Whether no expected copy of the node before is left, or their number was not read yet.
    pub(super) const fn copies_unread(&self) -> bool {
        self.end == Self::NO_COPIES
    }

    /// The number of expected copies of the node before was read.
    pub(super) const fn read_copies(&mut self, copies: u32) {
        self.end = if copies == 0 { 0 } else { copies.saturating_add(1) };
    }

    /// The number of expected copies of the node before.
    pub(super) const fn copies_left(&self) -> u32 {
        self.end.saturating_sub(1)
    }

    /// Passes expected copies of the node before.
    pub(super) const fn pass_copies(&mut self, count: u32) {
        self.end = self.end.wrapping_sub(count);
    }

    /// Counts `more` copies of the node before. Returns how often the node was there, and how often it is now.
    pub(super) const fn count_copies(&mut self, more: u32) -> (u32, u32) {
        let before = self.end;
        self.end = before.saturating_add(more);
        (before, self.end)
    }
}
