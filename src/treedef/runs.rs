//! Iterates over the children of a node, with equal neighbours in one step.
//!
//! `[*, *, (*, *), (*, *), (*, *)]` is encoded as a list of 5, a run of 2 leaves, a tuple, and a repeat of 2. Its runs:
//!
//! - 2 leaves;
//! - 1 tuple;
//! - 2 copies of the tuple before.
//!
//! So the cost is linear in the bytes, not in the children, which can be billions.

use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::treedef::scan::{Skipped, skip};
use crate::treedef::treedef::TreeDef;

/// Equal neighbours among the children of a node.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    /// The bytes from one of the children on.
    pub(crate) bytes: &'a [u8],
    pub(crate) count: u32,
    /// The number of leaves of each of the children.
    pub(crate) leaves: u32,
    /// The number of nodes after the last leaf of each of the children.
    pub(crate) tail: u32,
    pub(crate) item: RunOf,
}

/// What a run is encoded as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunOf {
    Leaves,
    /// One node.
    Node,
    /// Copies of the node in the run before.
    Copies,
}

/// The runs of a node's children.
#[derive(Clone)]
pub(crate) struct Runs<'a> {
    /// The bytes from the next child on.
    rest: &'a [u8],
    /// The number of children to come.
    left: u32,
    /// The bytes from the node on that was read last, and the number of nodes after its last leaf.
    unit: &'a [u8],
    tail: u32,
}

impl<'a> Runs<'a> {
    /// The children of the node with this head, which `bytes` begin with.
    #[inline]
    pub(crate) fn of(head: &Head<'_>, bytes: &'a [u8]) -> Self {
        let rest = bytes.get(head.as_bytes().len()..).unwrap_or(&[]);
        Self { rest, left: head.arity(), unit: &[], tail: 0 }
    }

    /// The number of children to come.
    pub(crate) const fn left(&self) -> u32 {
        self.left
    }

    /// The node that was read last, without the bytes that follow it.
    pub(crate) fn node(&self, run: &Run<'a>) -> Option<TreeDef<'a>> {
        let len = run.bytes.len().checked_sub(self.rest.len())?;
        Some(TreeDef::trusted(run.bytes.get(..len)?, run.leaves))
    }

    /// If the next child is the last and not a leaf, takes it and returns the bytes from it on, without a scan for its
    /// end.
    pub(crate) fn take_last_node(&mut self) -> Option<&'a [u8]> {
        if self.left != 1 || !matches!(read_item(self.rest), Ok((Item::Node(_), _))) {
            return None;
        }
        self.left = 0;
        Some(self.rest)
    }

    /// The bytes from the next child on, without a scan for its end. A copy has the bytes of the child that it copies.
    #[inline]
    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        match read_item(self.rest).ok()?.0 {
            Item::Leaves(_) => Some(LEAF_BYTES),
            Item::Same { .. } => Some(self.unit),
            Item::Node(_) => Some(self.rest),
        }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        self.next_by(skip)
    }
}

impl<'a> Runs<'a> {
    /// As `next`, with `skip` to find the end of a node. If `skip` returns `None`, nothing is read.
    #[inline]
    pub(crate) fn next_by(
        &mut self,
        skip: impl FnOnce(&'a [u8]) -> Option<Skipped<'a>>,
    ) -> Option<Run<'a>> {
        if self.left == 0 {
            return None;
        }
        let (item, after) = read_item(self.rest).ok()?;
        let (item, bytes, count, leaves, rest) = match item {
            Item::Leaves(count) => {
                self.tail = 0;
                (RunOf::Leaves, LEAF_BYTES, count, 1, after)
            }
            Item::Same { copies, leaves } => (RunOf::Copies, self.unit, copies, leaves, after),
            Item::Node(_) => {
                let node = skip(self.rest)?;
                (self.unit, self.tail) = (self.rest, node.tail);
                (RunOf::Node, self.rest, 1, node.leaves, node.rest)
            }
        };
        self.rest = rest;
        self.left = self.left.checked_sub(count)?;
        Some(Run { bytes, count, leaves, tail: self.tail, item })
    }
}
