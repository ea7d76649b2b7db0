//! Goes down from the root of a treedef, from child to child.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::format::head::{Head, Kind};
use crate::treedef::runs::Runs;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node on the way from the root along a path. If `COUNTS`, the nodes before it are counted.
#[derive(Clone, Copy)]
pub(crate) struct PathCursor<'a, const COUNTS: bool> {
    pub(super) root: TreeDef<'a>,
    /// The bytes that begin with the node; other nodes may follow it. For a leaf they are
    /// [`LEAF_BYTES`](crate::format::head::LEAF_BYTES).
    pub(super) bytes: &'a [u8],
    pub(super) spot: Spot,
    pub(super) node: u32,
}

impl<'a> PathCursor<'a, true> {
    /// The error for a path that leads nowhere from its byte or entry `at` on.
    #[cold]
    pub(crate) fn not_found(&self, at: usize) -> Error {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        Error::NotFound { node: self.node, at }
    }
}

impl<'a, const COUNTS: bool> PathCursor<'a, COUNTS> {
    pub(crate) const fn new(root: TreeDef<'a>) -> Self {
        Self { root, bytes: root.as_bytes(), spot: Spot::ROOT, node: 0 }
    }

    pub(crate) const fn head(&self) -> Head<'a> {
        Head::trusted(self.bytes)
    }

    /// Goes to the child with this index, where the node has this head; stays where there is none.
    pub(crate) const fn down(&mut self, head: &Head<'_>, index: u32) -> Option<()> {
        if index >= head.arity() {
            return None;
        }
        attempt!(self.child(head, index, Spot::END));
        Some(())
    }

    /// Goes to the child that contains the node at `goal`. The current node has this head, and contains `goal`. Returns the
    /// index of the child. A last child is not read, so a chain is read once and not once for each level.
    pub(crate) fn toward(&mut self, head: &Head<'_>, goal: Spot) -> Option<u32> {
        self.child(head, head.arity().checked_sub(1)?, goal)
    }

    /// Goes to the child with this index, or to one before it that contains the node at `goal`. Returns its index.
    const fn child(&mut self, head: &Head<'_>, index: u32, goal: Spot) -> Option<u32> {
        let mut children = Runs::<COUNTS>::of(self.bytes, head, self.spot);
        let passed = attempt!(children.seek(index, goal));
        (self.bytes, self.spot) = (children.bytes, children.spot);
        self.node = self.node.saturating_add(1).saturating_add(children.nodes);
        Some(passed)
    }

    /// The head of the node. If the node is a `Some`, the walk goes down to its value first, through every `Some`, and the head is
    /// that of the value.
    pub(crate) const fn skip_some(&mut self) -> Head<'a> {
        loop {
            let head = self.head();
            if !matches!(head.kind(), Kind::Some) || self.down(&head, 0).is_none() {
                return head;
            }
        }
    }
}
