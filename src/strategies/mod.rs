//! `proptest`: strategies that generate structures and trees, and the laws that a tree type of yours obeys.
//!
//! | strategy | generates |
//! |---|---|
//! | [`treedefs`] | treedefs of every kind with every form of keys |
//! | [`trees`], [`leaves_of`] | trees with leaf values; the leaves that a treedef asks for |
//! | [`equal_pairs`], [`neighbours`] | treedefs that are equal, or differ in one edit |
//! | [`prefix_pairs`], [`common_suffix_pairs`] | a prefix and its full tree; two trees and their common suffix |
//! | [`transposable`] | two treedefs and their composition |
//! | [`mutated`], [`malformed`] | bytes that may be, or are not, a treedef |
//!
//! Each has a form `.._of` that takes a [`Size`], where it makes sense. Failures shrink to the smallest tree that
//! fails: whatever is around the failure goes, with the children, keys, names and meta fields that it does not
//! need.
//!
//! [`laws::check`] asks a tree type of yours for all that the operations of this crate rely on.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "generators run in tests, on small numbers of their own"
)]

// - `size`: how large generated structures are;
// - `datum`, `head`, `model`: values, heads and whole structures as a plain model; `shrink`: smaller ones;
// - `treedef`, `tree`, `pair`, `bytes`: the strategies, which encode the model;
// - `laws`: what a tree type has to obey.
//
// Imports from all folders above: `base` to `algebra`.
mod bytes;
mod datum;
mod head;
pub mod laws;
mod model;
mod pair;
mod shrink;
mod size;
mod tree;
mod treedef;

pub use bytes::{malformed, mutated};
pub use pair::{
    common_suffix_pairs, common_suffix_pairs_of, equal_pairs, neighbours, neighbours_of,
    prefix_pairs, prefix_pairs_of, transposable, transposable_of,
};
pub use size::Size;
pub use tree::{AnyTree, leaves_of, trees, trees_of};
pub use treedef::{AnyTreeDef, treedefs, treedefs_of};
