//! The children of a node, with equal neighbours in one step.
//!
//! `[*, *, (*, *), (*, *), (*, *)]` is encoded as a list of 5, a run of 2 leaves, a tuple, and a repeat of 2. Its runs:
//!
//! - 2 leaves;
//! - 1 tuple;
//! - 2 copies of the tuple before.
//!
//! So the cost follows the bytes, and not the children, which can be billions.

use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// Children of one node that are neighbours and equal.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    /// Each of them.
    pub(crate) child: TreeDef<'a>,
    pub(crate) count: u32,
    /// The nodes after the last leaf of each of them.
    pub(crate) tail: u32,
    /// Whether they are copies of the child before.
    pub(crate) copies: bool,
}

impl Run<'_> {
    /// The run of `count` leaves.
    const fn of_leaves(count: u32) -> Self {
        Self { child: TreeDef::LEAF, count, tail: 0, copies: false }
    }
}

/// The runs of a node's children.
#[derive(Clone)]
pub(crate) struct Runs<'a> {
    /// The bytes from the next child on.
    rest: &'a [u8],
    /// Children to come.
    left: u32,
    /// The child that a repeat would copy.
    unit: Run<'a>,
}

impl<'a> Runs<'a> {
    /// The children of the node with this head, which `bytes` begin with.
    #[inline]
    pub(crate) fn of(head: &Head<'_>, bytes: &'a [u8]) -> Self {
        let rest = bytes.get(head.as_bytes().len()..).unwrap_or(&[]);
        Self { rest, left: head.arity(), unit: Run::of_leaves(1) }
    }

    /// Children to come.
    pub(crate) const fn left(&self) -> u32 {
        self.left
    }

    /// Passes over what is left.
    pub(crate) const fn end(&mut self) {
        self.left = 0;
    }

    /// The bytes from the next child on, without a scan for its end; copies begin where the child begins that they
    /// copy.
    #[inline]
    pub(crate) fn peek(&self) -> Option<&'a [u8]> {
        match read_item(self.rest).ok()?.0 {
            Item::Leaves(_) => Some(LEAF_BYTES),
            Item::Same { .. } => Some(self.unit.child.as_bytes()),
            Item::Node(_) => Some(self.rest),
        }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        if self.left == 0 {
            return None;
        }
        let (item, after) = read_item(self.rest).ok()?;
        let (run, rest) = match item {
            Item::Leaves(count) => (Run::of_leaves(count), after),
            Item::Same { copies, .. } => (Run { count: copies, copies: true, ..self.unit }, after),
            Item::Node(_) => {
                let node = skip(self.rest)?;
                let bytes = self.rest.get(..self.rest.len().checked_sub(node.rest.len())?)?;
                let child = TreeDef::trusted(bytes, node.leaves);
                self.unit = Run { child, count: 1, tail: node.tail, copies: false };
                (self.unit, node.rest)
            }
        };
        self.rest = rest;
        self.left = self.left.checked_sub(run.count)?;
        Some(run)
    }
}
