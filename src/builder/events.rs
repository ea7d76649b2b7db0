//! The events of a builder as they are told by walks: `false` where [`Builder::error`] says what went wrong.
//!
//! A flag is passed on in a register, where a [`Result`] of an [`Error`] is copied from frame to frame.

use crate::builder::encode::part;
use crate::builder::{Builder, Frame, List};
use crate::error::Error;
use crate::fingerprint;
use crate::head::{self, Head};
use crate::treedef::TreeDef;

impl Builder<'_> {
    /// Adds `count` leaves.
    #[inline]
    pub(crate) const fn add_leaves(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        if count > 0 {
            self.run = self.run.wrapping_add(count);
            self.list.unit_end = 0;
        }
        self.count(count, count)
    }

    /// Adds a `None`.
    pub(super) const fn add_none(&mut self) -> bool {
        let frame = self.open();
        self.is_open() && self.put(Head::NONE.as_bytes()) && self.enter(0) && self.close(&frame)
    }

    /// Ends the node that has this frame.
    pub(crate) const fn close(&mut self, frame: &Frame) -> bool {
        if self.list.left != 0 || self.open != frame.nodes.wrapping_add(1) {
            return self.missing();
        }
        if !self.flush() {
            return false;
        }
        let start = frame.start as usize;
        let leaves = self.leaves.wrapping_sub(frame.leaves);
        self.open = frame.outer;
        self.list = List {
            left: frame.left,
            copies: 0,
            unit_leaves: leaves,
            unit_nodes: self.nodes.wrapping_sub(frame.nodes),
            unit: start,
            unit_end: self.at,
        };
        // A repeat of the sibling stands between its end and this node.
        let (unit, end) = (frame.unit as usize, frame.same as usize);
        if leaves > 0
            && end != 0
            && end.wrapping_sub(unit) == self.at.wrapping_sub(start)
            && fingerprint::equal_words(
                part(self.bytes, unit, end),
                part(self.bytes, start, self.at),
            )
        {
            self.list.unit = unit;
            self.list.unit_end = end;
            self.list.copies = match head::read_count(part(self.bytes, end, start), head::SAME) {
                Some((copies, _)) => copies,
                None => 0,
            };
            return self.put_copies(1);
        }
        true
    }

    /// Whether the child that was added last is a node that can be repeated.
    pub(crate) const fn may_copy(&self) -> bool {
        self.list.unit_end != 0 && self.list.unit_leaves > 0
    }

    /// Adds `count` more copies of it.
    pub(crate) const fn copy(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        let leaves = self.list.unit_leaves.checked_mul(count);
        let nodes = self.list.unit_nodes.checked_mul(count);
        match (leaves, nodes) {
            (Some(leaves), Some(nodes)) => {
                self.count(leaves, nodes) && (count == 0 || self.put_copies(count))
            }
            _ => self.too_large(),
        }
    }

    /// Adds `count` more copies of the child that was added last.
    pub(super) const fn add_copies(&mut self, count: usize) -> bool {
        if self.list.unit_end == 0 {
            return self.add_leaves(count);
        }
        if self.list.unit_leaves == 0 {
            return self.repeat_leafless(count, self.list.unit, self.list.unit_end);
        }
        self.copy(count)
    }

    /// Leafless nodes are never folded: zero-leaf copies would be a bomb.
    const fn repeat_leafless(&mut self, count: usize, unit: usize, end: usize) -> bool {
        let len = end.saturating_sub(unit);
        let Some(copies) = self.take(count) else { return false };
        let Some(needed) = len.checked_mul(copies as usize) else {
            return self.too_large();
        };
        let needed = self.at.saturating_add(needed);
        if needed > u32::MAX as usize {
            return self.too_large();
        }
        let room = self.bytes.len();
        if needed > room {
            return self.fail(Error::Full { needed, room });
        }
        match self.list.unit_nodes.checked_mul(copies) {
            Some(nodes) if self.count(0, nodes) => {}
            _ => return self.too_large(),
        }
        let Some((before, mut free)) = self.bytes.split_at_mut_checked(self.at) else {
            return true;
        };
        let copy = part(before, unit, end);
        let mut left = copies;
        while let Some(fewer) = left.checked_sub(1) {
            left = fewer;
            let Some((target, rest)) = free.split_at_mut_checked(copy.len()) else { return true };
            target.copy_from_slice(copy);
            free = rest;
        }
        self.at = needed;
        true
    }

    /// Adds a treedef of so many nodes.
    pub(super) const fn add_subtree(&mut self, def: TreeDef<'_>, nodes: u32) -> bool {
        if def.is_leaf() {
            return self.add_leaves(1);
        }
        let frame = self.open();
        // The root is counted already.
        self.is_open()
            && self.put(def.as_bytes())
            && self.count(small(def.num_leaves()), nodes.saturating_sub(1))
            && self.enter(0)
            && self.close(&frame)
    }

    /// Begins a node; its head follows in pieces, and then [`Builder::enter`].
    pub(crate) const fn open(&mut self) -> Frame {
        if !self.is_spoiled() {
            self.error = None;
        }
        // What has no room now has none for the head either, and there it is seen.
        let _ = self.flush();
        let List { left, unit, unit_end, .. } = self.list;
        let frame = Frame {
            start: small(self.at),
            unit: small(unit),
            same: small(unit_end),
            left: left.wrapping_sub(1),
            leaves: self.leaves,
            nodes: self.nodes,
            outer: self.open,
        };
        if self.take(1).is_some() && self.count(0, 1) {
            self.open = self.nodes;
        }
        frame
    }

    /// Whether the node could be begun.
    #[inline]
    pub(super) const fn is_open(&self) -> bool {
        self.error.is_none()
    }

    /// Goes on with so many children of the node whose head is written.
    #[inline]
    pub(crate) const fn enter(&mut self, children: usize) -> bool {
        if children > u32::MAX as usize {
            return self.too_large();
        }
        self.list.left = small(children);
        self.list.unit_end = 0;
        true
    }

    /// Whether the root and all below it are there.
    pub(super) const fn is_complete(&mut self) -> bool {
        self.list.left == 0 && self.open == 0 || self.missing()
    }

    /// Takes `count` children from the open node.
    #[inline]
    const fn take(&mut self, count: usize) -> Option<u32> {
        let left = self.list.left;
        if count > left as usize {
            self.too_many(count);
            return None;
        }
        let count = small(count);
        self.list.left = left.wrapping_sub(count);
        Some(count)
    }

    /// Counts leaves and nodes, of which the tree may hold no more than a `u32` counts.
    #[inline]
    pub(super) const fn count(&mut self, leaves: u32, nodes: u32) -> bool {
        match (self.leaves.checked_add(leaves), self.nodes.checked_add(nodes)) {
            (Some(leaves), Some(nodes)) => {
                self.leaves = leaves;
                self.nodes = nodes;
                true
            }
            _ => self.too_large(),
        }
    }

    /// Notes what went wrong.
    #[cold]
    #[inline(never)]
    pub(crate) const fn fail(&mut self, error: Error) -> bool {
        if !self.is_spoiled() {
            self.error = Some(error);
        }
        false
    }

    /// What went wrong.
    #[cold]
    pub(crate) const fn error(&self) -> Error {
        match self.error {
            Some(error) => error,
            None => Error::TooLarge,
        }
    }

    /// Whether what was written so far can no longer become a treedef.
    pub(super) const fn is_spoiled(&self) -> bool {
        matches!(self.error, Some(Error::Full { .. } | Error::TooLarge))
    }

    /// What is missing: children, or else the end of a node inside.
    #[cold]
    #[inline(never)]
    pub(super) const fn missing(&mut self) -> bool {
        let left = self.list.left as usize;
        self.fail(Error::Arity { expected: if left == 0 { 1 } else { left }, found: 0 })
    }

    /// More children come than are missing.
    #[cold]
    #[inline(never)]
    const fn too_many(&mut self, found: usize) -> bool {
        self.fail(Error::Arity { expected: self.list.left as usize, found })
    }

    /// A count or an offset does not fit.
    #[cold]
    #[inline(never)]
    pub(super) const fn too_large(&mut self) -> bool {
        self.fail(Error::TooLarge)
    }
}

/// Counts that were checked to fit before.
pub(super) const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}
