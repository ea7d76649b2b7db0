//! The events of a builder: `false` where [`Builder::error`] says what went wrong.
//!
//! A flag is passed on in a register, where a [`Result`] of an [`Error`] is copied from frame to frame.

use crate::base::error::Error;
use crate::encode::builder::bits::small;
use crate::encode::builder::tape::{Marks, Tape};
use crate::encode::builder::{Builder, Frame, List};
use crate::format::head::Head;
use crate::treedef::treedef::TreeDef;

impl Builder<'_> {
    /// Adds `count` leaves.
    #[inline]
    pub(super) const fn add_leaves(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        if count > 0 {
            self.list.unit_branches = 0;
        }
        self.count(count, 0)
    }

    /// Adds a `None`.
    pub(super) const fn add_none(&mut self) -> bool {
        let frame = self.open();
        self.was_begun()
            && self.tape.put(Head::NONE.as_bytes())
            && self.enter(0)
            && self.close(&frame)
    }

    /// Ends the node that has this frame.
    pub(super) const fn close(&mut self, frame: &Frame) -> bool {
        if self.list.left != 0 || self.open != frame.branches.wrapping_add(1) {
            return self.missing();
        }
        if !self.flush() {
            return false;
        }
        self.open = frame.outer;
        let leaves = self.leaves.wrapping_sub(frame.leaves);
        let mut marks = Marks { told: frame.leaves as usize, unit: frame.unit, end: frame.end };
        let done = self.tape.close(&mut marks, frame.start, self.leaves as usize);
        self.list.left = frame.left;
        self.follow(marks, leaves, self.tape.branches.wrapping_sub(frame.branches));
        done
    }

    /// Goes on behind a node of so many leaves and branches.
    const fn follow(&mut self, marks: Marks, leaves: u32, branches: u32) {
        let (left, unit_end) = (self.list.left, small(self.tape.at()));
        self.list = List { left, marks, unit_leaves: leaves, unit_branches: branches, unit_end };
    }

    /// Adds an object as a child: `walk` passes it, from these marks on, and gives its leaves.
    ///
    /// Where it fails for another reason than want of room, the builder is as before.
    pub(crate) fn add_object(
        &mut self,
        walk: impl FnOnce(&mut Tape<'_>, &mut Marks) -> Result<usize, Error>,
    ) -> Result<usize, Error> {
        self.tape.forgive();
        if self.tape.is_spoiled() || self.take(1).is_none() {
            return Err(self.error());
        }
        let (at, before) = (self.tape.at(), self.tape.branches);
        let (base, mut marks) = (self.leaves as usize, self.list.marks);
        // The walk counts from its first leaf on, and behind nothing that its node could repeat.
        let mut outside = Marks::new(marks.told.wrapping_sub(base));
        let leaves = match walk(&mut self.tape, &mut outside) {
            Ok(leaves) => leaves,
            Err(error) => {
                self.tape.rewind(at, before);
                self.list.left = self.list.left.wrapping_add(1);
                return Err(error);
            }
        };
        let branches = self.tape.branches.wrapping_sub(before);
        if leaves > u32::MAX as usize || !self.count(small(leaves), 0) {
            self.too_large();
            return Err(Error::TooLarge);
        }
        if branches == 0 {
            self.follow(marks, 1, 0);
            return Ok(leaves);
        }
        if marks.told != base {
            // A run of leaves stood before it.
            marks = Marks::new(base);
        }
        let done = self.tape.close(&mut marks, outside.unit, base.wrapping_add(leaves));
        self.follow(marks, small(leaves), branches);
        if done { Ok(leaves) } else { Err(self.error()) }
    }

    /// Adds `count` more copies of the node that was added last.
    const fn copy(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        // As many as stand there, where others are expected.
        let some = self.tape.copies_of(&mut self.list.marks, count);
        let List { unit_leaves, unit_branches, .. } = self.list;
        let (Some(leaves), Some(branches)) =
            (unit_leaves.checked_mul(some), unit_branches.checked_mul(some))
        else {
            return self.too_large();
        };
        if !self.count(leaves, branches) {
            return false;
        }
        self.list.marks.told = self.leaves as usize;
        let unit = unit_leaves as usize;
        (some == 0 || self.tape.put_copies(&mut self.list.marks, some, unit)) && some == count
    }

    /// Adds `count` more copies of the child that was added last.
    pub(crate) const fn add_copies(&mut self, count: usize) -> bool {
        if self.list.unit_branches == 0 {
            return self.add_leaves(count);
        }
        if self.list.unit_leaves == 0 {
            return self.repeat_leafless(count);
        }
        self.copy(count)
    }

    /// Leafless nodes are never folded: zero-leaf copies would be a bomb.
    #[inline(never)]
    const fn repeat_leafless(&mut self, count: usize) -> bool {
        let Some(copies) = self.take(count) else { return false };
        let List { marks, unit_branches, unit_end, .. } = self.list;
        let some = self.tape.put_again(marks.unit, unit_end, copies);
        self.count(0, unit_branches.saturating_mul(some)) && some == copies
    }

    /// Adds a treedef of so many nodes.
    pub(crate) const fn add_subtree(&mut self, def: TreeDef<'_>, nodes: u32) -> bool {
        if def.is_leaf() {
            return self.add_leaves(1);
        }
        if self.take(1).is_none() || !self.flush() {
            return false;
        }
        let (start, leaves) = (self.tape.open(&mut self.list.marks), small(def.num_leaves()));
        let branches = nodes.wrapping_sub(leaves);
        if !self.tape.put(def.as_bytes()) || !self.count(leaves, branches) {
            return false;
        }
        let done = self.tape.close(&mut self.list.marks, start, self.leaves as usize);
        self.follow(self.list.marks, leaves, branches);
        done
    }

    /// Writes the leaves since the last node as one run.
    #[inline]
    pub(super) const fn flush(&mut self) -> bool {
        self.tape.flush(&mut self.list.marks, self.leaves as usize) || self.refused()
    }

    /// Begins a node; its head follows in pieces, and then [`Builder::enter`].
    pub(super) const fn open(&mut self) -> Frame {
        self.tape.forgive();
        // What goes wrong is seen by `was_begun`.
        let _ = self.flush() && self.take(1).is_some();
        let start = self.tape.open(&mut self.list.marks);
        let List { left, marks: Marks { unit, end, .. }, .. } = self.list;
        let (leaves, branches) = (self.leaves, self.tape.branches);
        Frame { start, unit, end, left, leaves, branches, outer: self.open }
    }

    /// Whether the node could be begun.
    #[inline]
    pub(super) const fn was_begun(&self) -> bool {
        self.tape.is_well()
    }

    /// Goes on with so many children of the node whose head is written.
    #[inline]
    pub(super) const fn enter(&mut self, children: usize) -> bool {
        if children > u32::MAX as usize {
            return self.too_large();
        }
        self.list = List::of(small(children), self.leaves);
        let done = self.count(0, 1);
        self.open = self.tape.branches;
        done
    }

    /// Whether the root and all below it are there.
    pub(super) const fn complete(&mut self) -> bool {
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

    /// Counts leaves and branches, of which together the tree may hold no more than a `u32` counts.
    #[inline]
    const fn count(&mut self, leaves: u32, branches: u32) -> bool {
        match (self.leaves.checked_add(leaves), self.tape.branches.checked_add(branches)) {
            (Some(leaves), Some(branches)) if leaves.checked_add(branches).is_some() => {
                self.leaves = leaves;
                self.tape.branches = branches;
                true
            }
            _ => self.too_large(),
        }
    }

    /// Notes what went wrong.
    #[cold]
    const fn fail(&mut self, error: Error) -> bool {
        self.tape.fail(error)
    }

    /// What went wrong.
    #[cold]
    pub(crate) const fn error(&self) -> Error {
        self.tape.error(self.leaves as usize)
    }

    /// The leaves that were told are not expected, or have no room.
    #[cold]
    #[inline(never)]
    const fn refused(&mut self) -> bool {
        self.fail(self.error())
    }

    /// The bytes that stand where a subtree or a copy is not the one that is expected; `None` where that is not what
    /// went wrong.
    #[cold]
    pub(crate) const fn unexpected(&self) -> Option<&[u8]> {
        if self.tape.is_well() { Some(self.tape.from(small(self.tape.at()))) } else { None }
    }

    /// The bytes from the node on that was added last.
    #[cold]
    pub(crate) const fn last_node(&self) -> &[u8] {
        self.tape.from(self.list.marks.unit)
    }

    /// What went wrong where this was found to be wrong: there may be leaves before it that are not expected.
    #[cold]
    pub(crate) fn error_behind_leaves(&mut self, error: Error) -> Error {
        let nodes = self.num_nodes();
        match self.flush() {
            false if self.num_nodes() < nodes => self.error(),
            _ => error,
        }
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
