//! The size of generated trees.

/// The size of generated trees.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::{Size, treedefs_of};
///
/// let small = Size { depth: 3, children: 4, nodes: 20 };
/// proptest!(|(def in treedefs_of(small))| {
///     prop_assert!(def.as_treedef().num_nodes() <= 20);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The largest number of levels below the root.
    pub depth: u32,
    /// About the largest number of children of a node.
    pub children: usize,
    /// The largest number of nodes, with repeats written out.
    pub nodes: usize,
}

impl Default for Size {
    /// Allows [`MAX_DEPTH`](treedef::encode::MAX_DEPTH) levels, and counts that need more than a head byte.
    fn default() -> Self {
        Self { depth: 60, children: 200, nodes: 2000 }
    }
}
