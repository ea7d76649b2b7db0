//! How large generated trees get.

/// How large generated trees get.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef::strategies::{Size, treedefs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(def in treedefs_of(small))| {
///     prop_assert!(def.as_treedef().num_nodes() <= 20);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The most levels below the root.
    pub depth: u32,
    /// About the most children of one node.
    pub children: usize,
    /// The most nodes, repeats written out.
    pub nodes: usize,
}

impl Default for Size {
    /// Deep enough for [`MAX_DEPTH`](crate::encode::MAX_DEPTH) and no deeper, with counts that need more than a head
    /// byte.
    fn default() -> Self {
        Self { depth: 60, children: 200, nodes: 2000 }
    }
}
