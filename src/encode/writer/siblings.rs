//! Finds equal siblings, which are stored as repeats.
//!
//! When a child with leaves ends, its bytes are compared with those of the sibling before it. If they are equal, the child
//! is removed, and the repeat at the end grows by one. A caller that knows that the next children are equal to an earlier one
//! does not describe them: it calls `repeat`, or `copy_of` if that is not the one before. If a treedef is expected, a copy of a node is compared with the bytes
//! of that node: the position goes back to them for every copy.

use core::mem::replace;

use super::bytes::Mode;
use super::{Children, Counts, NodeStart, Writer};
use crate::base::bytes::{equal_words, part, small};
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::format::head::{self, Item, kind_and_count, read_item};

/// A child that was described: its bytes, and its leaves and other nodes.
#[derive(Clone, Copy)]
pub(crate) struct WrittenChild {
    from: u32,
    to: u32,
    unit: Counts,
}

impl Writer<'_> {
    /// Adds `count` more copies of the child that was added last, without describing them. If it has leaves, all copies
    /// are written or compared in one step.
    ///
    /// # Errors
    ///
    /// It keeps the errors of [`Writer::leaves`]; [`Error::Full`] and [`Error::Mismatch`], as [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Writer, head, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let mut out = Writer::new(&mut bytes);
    /// out.node(&head::List(1000), |out| {
    ///     out.subtree(treedef!((*, *)));
    ///     out.repeat(999);
    /// });
    /// let def = out.finish()?;
    /// assert_eq!((def.num_leaves(), def.as_bytes().len()), (2000, 9));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn repeat(&mut self, count: usize) {
        let unit = self.before;
        if unit.branches == 0 || self.run_start != self.sum.leaves {
            return self.leaves(count);
        }
        if count > self.children.left as usize {
            return self.too_many(count);
        }
        let count = small(count);
        if count == 0 {
            return;
        }
        let some = if unit.leaves == 0 { self.put_leafless(count) } else { self.copies_of(count) };
        let Some(sum) = self.sum.plus(unit, some) else { return self.fail(Error::TooLarge) };
        self.sum = sum;
        (self.children.left, self.run_start) = (self.children.left.wrapping_sub(some), sum.leaves);
        if unit.leaves > 0 && some > 0 && !self.put_copies(some) {
            return self.refuse();
        }
        if some < count {
            match self.bytes.mode {
                Mode::Compare(bytes) => {
                    let start = self.children.start_or_len as usize;
                    self.refuse_node(part(bytes, start, bytes.len()));
                }
                _ => self.refuse(),
            }
        }
    }

    /// Whether a repeat of the child before can be next, if there are `leaves` leaves so far.
    #[inline]
    pub(crate) const fn can_repeat(&mut self, leaves: usize) -> bool {
        self.children.has_node_before()
            && self.run_start as usize == leaves
            && (!self.bytes.compares() || self.look_for_copy())
    }

    /// The child that was just described, from the position `from` on: if it is a node with leaves, and neither a copy of the
    /// child before it nor after leaves. If bytes are only counted, there is none.
    #[inline]
    pub(crate) const fn last_child(&self, from: u32) -> Option<WrittenChild> {
        let is_node = self.children.start_or_len == from && self.children.has_node_before();
        if !is_node || self.run_start != self.sum.leaves {
            return None;
        }
        if let Mode::Count | Mode::CountLeaves = self.bytes.mode {
            return None;
        }
        Some(WrittenChild { from, to: self.bytes.position(), unit: self.before })
    }

    /// Adds a copy of a child that was described before, and that differs from the child before this one. If it returns `false`,
    /// the copy is not expected or has no room, and has to be described.
    #[inline(never)]
    pub(crate) const fn copy_of(&mut self, child: WrittenChild) -> bool {
        let WrittenChild { from, to, unit } = child;
        let Some(sum) = self.sum.plus(unit, 1) else { return false };
        if self.run_start != self.sum.leaves || self.children.left == 0 || self.look_for_copy() {
            return false;
        }
        let at = self.bytes.position();
        if !self.bytes.put_again(from as usize, to as usize) {
            return false;
        }
        (self.sum, self.run_start, self.before) = (sum, sum.leaves, unit);
        let end = if self.bytes.compares() { Children::NO_COPIES } else { self.bytes.position() };
        self.children = self.children.after_node(at, end);
        true
    }

    /// Whether a copy of the child before is expected next.
    #[inline(always)]
    pub(super) const fn look_for_copy(&mut self) -> bool {
        if !self.bytes.compares() || !self.children.has_node_before() {
            return false;
        }
        // The number of copies is read at the first one.
        if self.children.copies_unread() && self.bytes.byte_at(self.bytes.at) >> 5 != head::SAME {
            self.children.end_or_copies = Children::NO_NODE;
            return false;
        }
        true
    }

    /// Goes to where the bytes of an expected copy begin: to the node that it copies.
    pub(super) const fn go_to_copy(&mut self) {
        if self.copies_of(1) > 0 {
            self.children.end_or_copies = self.children.end_or_copies.wrapping_sub(1);
            self.bytes.at = self.children.start_or_len as usize;
        }
    }

    /// How many of `count` copies of the node before can be next.
    #[inline(never)]
    const fn copies_of(&mut self, count: u32) -> u32 {
        if !self.bytes.compares() {
            return count;
        }
        // The number of copies is read at the first one.
        if self.children.copies_unread() {
            let (copies, _) = self.bytes.count_at(head::SAME);
            self.children.end_or_copies =
                if copies == 0 { Children::NO_NODE } else { copies.saturating_add(1) };
        }
        let copies = self.children.end_or_copies.saturating_sub(1);
        if count < copies { count } else { copies }
    }

    /// Ends the child before, which begins at `place`. A writer replaces it by a repeat if it equals the node before it.
    #[inline(always)]
    pub(super) const fn close(&mut self, place: &NodeStart) {
        let Mode::Write(_) = &self.bytes.mode else { return self.close_unwritten(place) };
        let NodeStart { siblings, at, .. } = *place;
        let here = self.bytes.position();
        // A node without leaves cannot be repeated. Between the end of the node before and this node there can be a repeat.
        let is_leafless = self.before.leaves == 0;
        let len_before = siblings.end_or_copies.wrapping_sub(siblings.start_or_len);
        if siblings.has_node_before() && len_before == here.wrapping_sub(at) && !is_leafless {
            self.children = siblings.after_copy();
            return self.close_similar(at);
        }
        self.children = siblings.after_node(at, if is_leafless { Children::NO_NODE } else { here });
    }

    /// As [`Writer::close`], where nothing is written.
    #[cfg_attr(not(target_os = "none"), inline(never))]
    const fn close_unwritten(&mut self, place: &NodeStart) {
        let NodeStart { siblings, at, .. } = *place;
        let copies = if self.before.leaves > 0 { Children::NO_COPIES } else { Children::NO_NODE };
        self.children = siblings.after_node(at, copies);
        match &self.bytes.mode {
            Mode::Compare(_) if siblings.has_node_before() && siblings.start_or_len == at => {
                self.children = siblings.after_copy();
                self.pass_copies();
            }
            Mode::Count => self.children.start_or_len = self.bytes.position().wrapping_sub(at),
            Mode::CountLeaves => self.children.end_or_copies = Children::NO_NODE,
            _ => {}
        }
    }

    /// As [`Writer::close`] of a writer, after a node of the same length.
    #[inline(never)]
    const fn close_similar(&mut self, at: u32) {
        let children = self.children;
        if let Some((put, _)) = self.bytes.all().split_at_checked(self.bytes.at)
            && let Some((put, node)) = put.split_at_checked(at as usize)
            && let Some((put, _)) = put.split_at_checked(children.end_or_copies as usize)
            && let Some((_, before)) = put.split_at_checked(children.start_or_len as usize)
            && equal_words(before, node)
        {
            self.bytes.at = at as usize;
            if !self.write_copies(1) {
                self.refuse();
            }
            return;
        }
        self.children.start_or_len = at;
        self.children.end_or_copies = self.bytes.position();
    }

    /// Puts `more` copies of the node before, which can be next.
    const fn put_copies(&mut self, more: u32) -> bool {
        match &self.bytes.mode {
            Mode::Write(_) => return self.write_copies(more),
            Mode::Compare(_) => {
                self.children.end_or_copies = self.children.end_or_copies.wrapping_sub(more);
                self.pass_copies();
            }
            Mode::Count => {
                let before = self.children.end_or_copies;
                let after = before.saturating_add(more);
                self.children.end_or_copies = after;
                let leaves = self.before.leaves;
                let (long, short) =
                    (repeat_len(after as usize, leaves), repeat_len(before as usize, leaves));
                self.bytes.at = self.bytes.at.saturating_add(long.saturating_sub(short));
            }
            Mode::CountLeaves => {}
        }
        true
    }

    /// Writes `more` copies of the node before: the position is at the end of that node, or of the repeat that follows it.
    /// There is one repeat for all copies.
    const fn write_copies(&mut self, more: u32) -> bool {
        let after = replace(&mut self.bytes.at, self.children.end_or_copies as usize);
        let mut copies = 0;
        if self.bytes.at < after {
            if !SMALL_CODE && self.bytes.add_to_count(more) {
                self.bytes.at = after;
                return true;
            }
            (copies, _) = self.bytes.count_at(head::SAME);
        }
        // There are fewer copies than leaves, whose number fits `u32`.
        let count = copies.wrapping_add(more).wrapping_sub(1) as usize;
        self.bytes.put_kind_and_count(head::SAME, count)
            && self.bytes.put_len(self.before.leaves as usize)
    }

    /// Goes on after the repeat of a node, if no copy of it is left.
    #[inline(never)]
    const fn pass_copies(&mut self) {
        if self.children.copies_unread() {
            let (_, leaves) = self.bytes.count_at(head::SAME);
            let (_, rest) = self.bytes.varint_at(leaves);
            self.bytes.at = rest;
        }
    }

    /// Puts copies without leaves, and returns how many could be put. They are never stored as a repeat, because a few
    /// bytes could then be any number of nodes without leaves.
    #[inline(never)]
    const fn put_leafless(&mut self, count: u32) -> u32 {
        match self.bytes.mode {
            Mode::Count => {
                let len = (self.children.start_or_len as usize).saturating_mul(count as usize);
                self.bytes.at = self.bytes.at.saturating_add(len);
                return count;
            }
            Mode::CountLeaves => return count,
            Mode::Write(_) | Mode::Compare(_) => {}
        }
        let (from, to) = (self.children.start_or_len as usize, self.bytes.at);
        let len = to.wrapping_sub(from);
        let mut done = 0u32;
        while done < count && self.bytes.put_again(from, to) {
            done = done.wrapping_add(1);
        }
        if done < count && !self.bytes.compares() {
            // In 64 bits, which a `usize` of 32 bits cannot hold.
            let left = count.wrapping_sub(done) as u64;
            let needed = (self.bytes.at as u64).saturating_add((len as u64).saturating_mul(left));
            if needed > u32::MAX as u64 {
                self.fail(Error::TooLarge);
            }
        }
        // The last copy is now the node before the position.
        self.children.start_or_len = self.bytes.position().wrapping_sub(small(len));
        done
    }

    /// Notes that a whole child was refused, which begins with these bytes. Its leading nodes can be the expected ones, so
    /// it is described piece by piece.
    #[cold]
    #[inline(never)]
    pub(super) const fn refuse_node(&mut self, def: &[u8]) {
        if self.bytes.compares() && self.is_well() && self.children.left > 0 {
            self.describe_children(def, self.children.left.wrapping_sub(1));
        }
        self.refuse();
    }

    /// Describes the children at the front of `bytes`, until `left` are missing, and returns the bytes after them.
    const fn describe_children<'d>(&mut self, mut bytes: &'d [u8], left: u32) -> &'d [u8] {
        while self.children.left > left
            && let Some((item, rest)) = read_item(bytes)
        {
            bytes = rest;
            match item {
                Item::Leaves(count) => self.leaves(count as usize),
                Item::Same { copies, .. } => self.repeat(copies as usize),
                // Where no level is left, all nodes so far are the expected ones.
                Item::Node(_) if self.levels == 0 => self.refuse(),
                Item::Node(head) => {
                    let node = self.begin_encoded(head.as_bytes(), head.num_children());
                    bytes = self.describe_children(rest, 0);
                    self.end(node);
                }
            }
        }
        bytes
    }
}

/// The number of bytes of a repeat of a node with `leaves` leaves, which is there `nodes` times.
pub(crate) const fn repeat_len(nodes: usize, leaves: u32) -> usize {
    match nodes.checked_sub(2) {
        Some(count) => {
            kind_and_count(head::SAME, count).then_number(leaves as u64).as_bytes().len()
        }
        None => 0,
    }
}
