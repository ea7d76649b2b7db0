//! Keeps the lists of children that a scan of stored items has open.
//!
//! A scan reads the bytes once, from the first to the last; a repeat is one item. A list waits while one of its
//! children is read, because a repeat of that child may follow. A list whose last child is read does not wait, so
//! chains take no room. `[(*, *), (*, *), *]` is encoded as five items:
//!
//! - `list of 3`: [`enter`](Lists::enter) 3 children; the root is the last child of its list, so nothing waits;
//! - `tuple of 2`: enter 2 children; the list waits, with 2 to come;
//! - `2 leaves`: [`pass`](Lists::pass) 2; [`leave`](Lists::leave) returns what was kept with the list;
//! - `1 copy`: pass 1;
//! - `1 leaf`: pass 1; no list waits, and the scan [is done](Lists::is_done).

use crate::base::levels::{self, Levels};
use crate::format::head::{Item, read_item};
use crate::format::validate::MAX_PENDING;

/// The open lists of a scan; `T` is what a scan keeps while a list waits.
pub(crate) struct Lists<T> {
    /// The number of children to come in the innermost list.
    left: u32,
    /// The lists around it that wait.
    waiting: Levels<(u32, T), MAX_PENDING>,
}

/// More than [`MAX_PENDING`] lists wait.
pub(crate) struct TooManyPending;

impl<T> Lists<T> {
    /// The list whose only child is the root.
    pub(crate) fn new() -> Self {
        Self { left: 1, waiting: levels::empty() }
    }

    /// Passes `count` copies, or children without children.
    pub(crate) const fn pass(&mut self, count: u32) {
        self.left = self.left.saturating_sub(count);
    }

    /// Enters the next child, which has this number of children. If siblings follow it, [`Lists::leave`] returns `kept`
    /// at its end.
    pub(crate) fn enter(&mut self, children: u32, kept: T) -> Result<(), TooManyPending> {
        self.pass(1);
        if children > 0 {
            if self.left > 0 {
                self.waiting.push((self.left, kept)).map_err(|_| TooManyPending)?;
            }
            self.left = children;
        }
        Ok(())
    }

    /// Whether the next child is the last of its list, so that the list will not wait for it.
    pub(crate) const fn is_last(&self) -> bool {
        self.left <= 1
    }

    /// Leaves the innermost list at its end, and returns what was kept with the list that waits for it.
    pub(crate) fn leave(&mut self) -> Option<T> {
        if self.left > 0 {
            return None;
        }
        let (left, kept) = self.waiting.pop()?;
        self.left = left;
        Some(kept)
    }

    /// Whether all children of all lists were passed.
    pub(crate) const fn is_done(&self) -> bool {
        self.left == 0
    }
}

/// Returns how many lists of children are open at once where they are nested deepest; at most one more than `limit`.
///
/// In one scan, which reads repeats once.
pub(crate) fn depth(bytes: &[u8], limit: u32) -> u32 {
    // Kept with each list that waits: the number of lists around its open child.
    let mut lists = Lists::<u32>::new();
    let (mut around, mut deepest, mut rest) = (0u32, 0, bytes);
    while let Some((item, after)) = read_item(rest) {
        rest = after;
        match item {
            Item::Leaves(count) => lists.pass(count),
            Item::Same { copies, .. } => lists.pass(copies),
            Item::Node(head) => {
                // More lists than that wait only where more are open.
                if around > limit || lists.enter(head.arity(), around).is_err() {
                    return limit.saturating_add(1);
                }
                if head.arity() > 0 {
                    around = around.saturating_add(1);
                    deepest = deepest.max(around);
                }
            }
        }
        if let Some(before) = lists.leave() {
            around = before;
        }
    }
    deepest
}
