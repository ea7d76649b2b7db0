//! The lists of children that a scan of stored items has open.
//!
//! A scan reads the bytes once, from the first to the last; a repeat is one item in it. A list waits while its child is
//! read, to meet the repeat that may follow the child; a list whose last child is read has nothing to wait for, so that
//! chains take no room. `[(*, *), (*, *), *]` is encoded as five items:
//!
//! - `list of 3`: [`enter`](Lists::enter) 3 children; the root is the last child of its list, nothing waits;
//! - `tuple of 2`: enter 2 children; the list waits, with 2 to come;
//! - `2 leaves`: [`pass`](Lists::pass) 2; [`leave`](Lists::leave) gives back what waited with the list;
//! - `1 copy`: pass 1;
//! - `1 leaf`: pass 1; nothing is left to leave, and the scan [is done](Lists::is_done).

use crate::base::levels::{self, Levels};
use crate::format::validate::MAX_PENDING;

/// The open lists of a scan; `T` is what a scan keeps while a list waits.
pub(crate) struct Lists<T> {
    /// Children to come in the innermost list.
    left: u32,
    /// The lists around it that have children to come.
    waiting: Levels<(u32, T), MAX_PENDING>,
}

/// More than [`MAX_PENDING`] lists wait.
pub(crate) struct TooManyPending;

impl<T> Lists<T> {
    /// The list of the root alone.
    pub(crate) fn new() -> Self {
        Self { left: 1, waiting: levels::empty() }
    }

    /// Passes `count` children that have no children, or copies.
    pub(crate) const fn pass(&mut self, count: u32) {
        self.left = self.left.saturating_sub(count);
    }

    /// Enters the next child, which has `children`; `kept` is given back after the last of them, if siblings follow.
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

    /// Leaves the innermost list at its end, for the next list that waits.
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
