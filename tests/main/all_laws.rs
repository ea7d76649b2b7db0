//! All laws of a tree type that has a schema.
#![cfg(any(feature = "alloc", feature = "derive"))]

use std::fmt::Debug;

use proptest::test_runner::TestCaseResult;
use treedef::tree::{MapTree, ZipPrefix};
use treedef::{Leaf, Tree};
use treedef_proptest::laws;

/// Checks the laws of each tree type, and those of choices.
pub(crate) fn check<L, T>(value: &T, fresh: impl Fn(usize) -> L) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + MapTree<L, L, Output = T> + ZipPrefix<L, L, T> + Clone,
{
    laws::check(value, fresh)?;
    laws::check_choices::<L, T>(value)
}
