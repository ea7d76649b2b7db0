//! How many levels a tree may have.

use crate::base::error::Error;
use crate::base::show::debug_struct;

/// The depth that typed and dynamic trees may have where the caller gives no bound of its own; equal on every machine.
///
/// Nested types count as well as nested values, and only a recursive type can reach it without being written so. What
/// has which bound, and how to raise it: the module [`depth`](mod@crate::depth).
pub const MAX_DEPTH: u32 = 64;

/// Counts open levels against a bound, so that no input overflows the stack.
#[derive(Clone, Copy)]
pub struct Depth {
    open: u32,
    pub(super) limit: u32,
    nodes: u32,
}

debug_struct!([] Depth { open, limit });

impl Depth {
    /// Allows `limit` levels.
    #[must_use]
    pub const fn new(limit: u32) -> Self {
        Self { open: 0, limit, nodes: 0 }
    }

    /// Goes one level down.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] where the bound is reached.
    #[inline]
    pub const fn enter(&mut self) -> Result<(), Error> {
        if self.open >= self.limit {
            return Err(Error::TooDeep { limit: self.limit });
        }
        self.open = self.open.wrapping_add(1);
        Ok(())
    }

    /// Allows `levels` levels from here on, if they are more than are allowed already.
    pub const fn allow(&mut self, levels: u32) {
        let limit = self.open.saturating_add(levels);
        if limit > self.limit {
            self.limit = limit;
        }
    }

    /// The levels that are open.
    #[inline]
    pub(super) const fn num_open(&self) -> u32 {
        self.open
    }

    /// Counts nodes that were passed, for the place in an error.
    #[inline]
    pub const fn pass(&mut self, nodes: u32) {
        self.nodes = self.nodes.wrapping_add(nodes);
    }

    /// The error that the node to be passed next is not the expected one.
    #[inline]
    #[must_use]
    pub const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.nodes }
    }

    /// The error that a tree differs from the first of several at the node to be passed next.
    #[cold]
    #[must_use]
    pub const fn differs(&self, tree: u32) -> Error {
        Error::TreesDiffer { node: self.nodes, tree }
    }

    /// Comes back one level.
    #[inline]
    pub const fn leave(&mut self) {
        self.open = self.open.saturating_sub(1);
    }
}

impl Default for Depth {
    /// Allows [`MAX_DEPTH`] levels.
    fn default() -> Self {
        Self::new(MAX_DEPTH)
    }
}
