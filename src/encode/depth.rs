//! Bounds the levels of a tree, and counts the nodes that a walk passed.

use crate::base::error::Error;
use crate::base::show::debug_struct;

/// The depth that typed and dynamic trees may have unless the caller gives another bound; equal on every machine.
///
/// Nested types count as well as nested values. The module [`depth`](mod@crate::depth) lists all bounds and how to
/// raise them.
pub const MAX_DEPTH: u32 = 64;

/// The progress of a walk: the open levels, against a bound, so that no input overflows the stack; and the number of nodes
/// that it passed, which errors name.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::container::Depth;
///
/// let mut depth = Depth::new(1);
/// assert_eq!(depth.enter(), Ok(()));
/// assert_eq!(depth.enter(), Err(Error::TooDeep { limit: 1 }));
/// depth.leave();
/// assert_eq!(depth.enter(), Ok(()));
/// ```
#[derive(Clone, Copy)]
pub struct Depth {
    open: u32,
    pub(super) limit: u32,
    nodes: u32,
}

debug_struct!([] Depth { open, limit });

impl Depth {
    /// Allows `limit` levels.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::Depth;
    ///
    /// assert_eq!(Depth::new(0).enter(), Err(Error::TooDeep { limit: 0 }));
    /// ```
    #[must_use]
    pub const fn new(limit: u32) -> Self {
        Self { open: 0, limit, nodes: 0 }
    }

    /// Goes one level down. [`Depth`] has an example.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] at the bound.
    #[inline]
    pub const fn enter(&mut self) -> Result<(), Error> {
        if self.open >= self.limit {
            return Err(Error::TooDeep { limit: self.limit });
        }
        self.open = self.open.wrapping_add(1);
        Ok(())
    }

    /// Counts nodes that were passed, for the position in an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::Depth;
    ///
    /// let mut depth = Depth::default();
    /// depth.count_nodes(3);
    /// assert_eq!(depth.mismatch(), Error::Mismatch { node: 3 });
    /// ```
    #[inline]
    pub const fn count_nodes(&mut self, nodes: u32) {
        self.nodes = self.nodes.wrapping_add(nodes);
    }

    /// The error for a next node that is not the expected one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::Depth;
    ///
    /// assert_eq!(Depth::default().mismatch(), Error::Mismatch { node: 0 });
    /// ```
    #[inline]
    #[must_use]
    pub const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.nodes }
    }

    /// The error for a next node at which the tree with index `tree` differs from the first of several.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::Depth;
    ///
    /// assert_eq!(Depth::default().differs(2), Error::TreesDiffer { node: 0, tree: 2 });
    /// ```
    #[cold]
    #[must_use]
    pub const fn differs(&self, tree: u32) -> Error {
        Error::TreesDiffer { node: self.nodes, tree }
    }

    /// Goes one level up. [`Depth`] has an example.
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
