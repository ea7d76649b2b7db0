//! Handles the events of a builder. If a method returns `false`, [`Builder::error`] says what went wrong.
//!
//! A flag stays in a register; a [`Result`] with an [`Error`] would be copied from frame to frame.

use crate::base::error::Error;
use crate::encode::arithmetic::small;
use crate::encode::builder::{Builder, List, OpenNode};
use crate::encode::output::{ListState, Output, Unit};
use crate::format::head::Head;
use crate::treedef::treedef::TreeDef;

impl Builder<'_> {
    /// Adds `count` leaves.
    #[inline]
    pub(super) const fn add_leaves(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        if count > 0 {
            self.list.unit = Unit::LEAF;
        }
        self.count(count, 0)
    }

    /// Adds a `None`.
    pub(super) const fn add_none(&mut self) -> bool {
        let frame = self.open();
        self.was_begun()
            && self.output.put(Head::NONE.as_bytes())
            && self.enter(0)
            && self.close(&frame)
    }

    /// Ends the node that has this frame.
    pub(super) const fn close(&mut self, frame: &OpenNode) -> bool {
        if self.list.left != 0 || self.open != frame.branches.wrapping_add(1) {
            return self.missing();
        }
        if !self.flush() {
            return false;
        }
        self.open = frame.outer;
        let leaves = self.leaves.wrapping_sub(frame.leaves);
        let branches = self.output.branches.wrapping_sub(frame.branches);
        let state =
            ListState { run_start: frame.leaves as usize, unit: frame.unit, end: frame.end };
        self.list = List { left: frame.left, state, unit: Unit { leaves, branches } };
        self.output.close(&mut self.list.state, frame.start, self.leaves as usize)
    }

    /// Adds an object as a child: `walk` describes it, starting with this list, and returns the number of its leaves.
    ///
    /// After an error other than a full buffer, the builder is as before.
    pub(crate) fn add_object(
        &mut self,
        walk: impl FnOnce(&mut Output<'_>, &mut ListState) -> Result<usize, Error>,
    ) -> Result<usize, Error> {
        self.output.forgive();
        if self.output.is_spoiled() || self.take(1).is_none() {
            return Err(self.error());
        }
        let (at, before) = (self.output.at(), self.output.branches);
        let base = self.leaves as usize;
        // The walk counts leaves from its own first one, and its node has no sibling to repeat.
        let mut outside = ListState::new(self.list.state.run_start.wrapping_sub(base));
        let mut output = core::mem::replace(&mut self.output, Output::spoiled());
        let walked = walk(&mut output, &mut outside);
        self.output = output;
        let leaves = match walked {
            Ok(leaves) => leaves,
            Err(error) => {
                self.output.rewind(at, before);
                self.list.left = self.list.left.wrapping_add(1);
                return Err(error);
            }
        };
        let unit =
            Unit { leaves: small(leaves), branches: self.output.branches.wrapping_sub(before) };
        if leaves > u32::MAX as usize || !self.count(unit.leaves, 0) {
            self.too_large();
            return Err(Error::TooLarge);
        }
        self.list.unit = unit;
        if unit.branches == 0 {
            return Ok(leaves);
        }
        let state = &mut self.list.state;
        if state.run_start != base {
            // A run of leaves lies before it.
            *state = ListState::new(base);
        }
        match self.output.close(state, outside.unit, base.wrapping_add(leaves)) {
            true => Ok(leaves),
            false => Err(self.error()),
        }
    }

    /// Adds `count` more copies of the child that was added last.
    pub(crate) const fn add_copies(&mut self, count: usize) -> bool {
        if self.list.unit.branches == 0 {
            return self.add_leaves(count);
        }
        let Some(count) = self.take(count) else { return false };
        let List { state, unit, .. } = &mut self.list;
        self.output.repeat(state, *unit, count, &mut self.leaves)
    }

    /// Adds a treedef.
    pub(crate) const fn add_subtree(&mut self, def: TreeDef<'_>) -> bool {
        if def.is_leaf() {
            return self.add_leaves(1);
        }
        if self.take(1).is_none() || !self.flush() {
            return false;
        }
        let leaves = def.leaves();
        let branches = def.node_count().wrapping_sub(leaves);
        let Some(after) = self.leaves.checked_add(leaves) else { return self.too_large() };
        if !self.output.subtree(&mut self.list.state, def, branches, after as usize) {
            return false;
        }
        self.leaves = after;
        self.list.unit = Unit { leaves, branches };
        true
    }

    /// Writes the leaves since the last node as one run.
    #[inline]
    pub(super) const fn flush(&mut self) -> bool {
        self.output.flush(&mut self.list.state, self.leaves as usize) || self.refused()
    }

    /// Begins a node; its head follows in pieces, and then [`Builder::enter`].
    pub(super) const fn open(&mut self) -> OpenNode {
        self.output.forgive();
        // `was_begun` finds out what went wrong.
        let _ = self.flush() && self.take(1).is_some();
        let start = self.output.open(&mut self.list.state);
        let List { left, state: ListState { unit, end, .. }, .. } = self.list;
        let (leaves, branches) = (self.leaves, self.output.branches);
        OpenNode { start, unit, end, left, leaves, branches, outer: self.open }
    }

    /// Whether the node could be begun.
    #[inline]
    pub(super) const fn was_begun(&self) -> bool {
        self.output.is_well()
    }

    /// Goes on with the `children` of the node whose head was written.
    #[inline]
    pub(super) const fn enter(&mut self, children: usize) -> bool {
        if children > u32::MAX as usize {
            return self.too_large();
        }
        self.list = List::of(small(children), self.leaves);
        let done = self.count(0, 1);
        self.open = self.output.branches;
        done
    }

    /// Whether the root and all nodes below it were added.
    pub(super) const fn complete(&mut self) -> bool {
        self.list.left == 0 && self.open == 0 || self.missing()
    }

    /// Subtracts `count` from the children that the open node lacks.
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

    /// Counts leaves and branches. Their sum has to fit `u32`.
    #[inline]
    const fn count(&mut self, leaves: u32, branches: u32) -> bool {
        match (self.leaves.checked_add(leaves), self.output.branches.checked_add(branches)) {
            (Some(leaves), Some(branches)) if leaves.checked_add(branches).is_some() => {
                self.leaves = leaves;
                self.output.branches = branches;
                true
            }
            _ => self.too_large(),
        }
    }

    /// Notes what went wrong.
    #[cold]
    const fn fail(&mut self, error: Error) -> bool {
        self.output.fail(error)
    }

    /// What went wrong.
    #[cold]
    pub(crate) const fn error(&self) -> Error {
        self.output.error(self.leaves as usize)
    }

    /// Notes that leaves are not expected, or have no room.
    #[cold]
    #[inline(never)]
    const fn refused(&mut self) -> bool {
        self.fail(self.error())
    }

    /// Notes that children are missing, or if none are, the end of a node inside.
    #[cold]
    #[inline(never)]
    pub(super) const fn missing(&mut self) -> bool {
        let left = self.list.left as usize;
        self.fail(Error::Arity { expected: if left == 0 { 1 } else { left }, found: 0 })
    }

    /// Notes that there are more children than are missing.
    #[cold]
    #[inline(never)]
    const fn too_many(&mut self, found: usize) -> bool {
        self.fail(Error::Arity { expected: self.list.left as usize, found })
    }

    /// Notes that a count or an offset does not fit.
    #[cold]
    #[inline(never)]
    pub(super) const fn too_large(&mut self) -> bool {
        self.fail(Error::TooLarge)
    }
}
