//! The derives of the `treedef` crate; use them through its feature `derive`.
