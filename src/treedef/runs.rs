//! Iterates over the children of a node, with equal neighbours in one step.
//!
//! `[*, *, (*, *), (*, *), (*, *)]` is encoded as a list of 5, a run of 2 leaves, a tuple, and a repeat of 2. Its runs:
//!
//! - 2 leaves;
//! - 1 tuple;
//! - 2 copies of the tuple before.
//!
//! So the cost is linear in the bytes, not in the children, which can be billions.

use crate::base::attempt::attempt;
use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::treedef::scan::{skip, skip_before};
use crate::treedef::spot::Spot;
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
    pub(crate) const fn of(head: &Head<'_>, bytes: &'a [u8]) -> Self {
        let rest = match bytes.split_at_checked(head.as_bytes().len()) {
            Some((_, rest)) => rest,
            None => &[],
        };
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
    pub(crate) const fn peek(&self) -> Option<&'a [u8]> {
        match read_item(self.rest) {
            Ok((Item::Leaves(_), _)) => Some(LEAF_BYTES),
            Ok((Item::Same { .. }, _)) => Some(self.unit),
            Ok((Item::Node(_), _)) => Some(self.rest),
            Err(_) => None,
        }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    #[inline]
    fn next(&mut self) -> Option<Run<'a>> {
        self.next_run()
    }
}

impl<'a> Runs<'a> {
    /// As `next`, also in `const`.
    #[inline]
    pub(crate) const fn next_run(&mut self) -> Option<Run<'a>> {
        self.next_run_by::<false>(Spot::ROOT)
    }

    /// As [`Runs::next_run`]; `None` if the node at `goal` is inside the next run, which counts from that run on.
    #[inline]
    pub(crate) const fn next_run_before(&mut self, goal: Spot) -> Option<Run<'a>> {
        self.next_run_by::<true>(goal)
    }

    #[inline(always)]
    const fn next_run_by<const STOPS: bool>(&mut self, goal: Spot) -> Option<Run<'a>> {
        if self.left == 0 {
            return None;
        }
        let Ok((item, after)) = read_item(self.rest) else { return None };
        let (item, bytes, count, leaves, rest) = match item {
            Item::Leaves(count) => {
                self.tail = 0;
                (RunOf::Leaves, LEAF_BYTES, count, 1, after)
            }
            Item::Same { copies, leaves } => (RunOf::Copies, self.unit, copies, leaves, after),
            Item::Node(_) => {
                let node =
                    attempt!(if STOPS { skip_before(self.rest, goal) } else { skip(self.rest) });
                (self.unit, self.tail) = (self.rest, node.tail);
                (RunOf::Node, self.rest, 1, node.leaves, node.rest)
            }
        };
        self.rest = rest;
        self.left = attempt!(self.left.checked_sub(count));
        Some(Run { bytes, count, leaves, tail: self.tail, item })
    }
}
