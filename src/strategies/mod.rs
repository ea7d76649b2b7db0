//! Strategies for `proptest` that generate structures and trees, and the laws that a tree type has to obey.
//!
//! | strategy | generates |
//! |---|---|
//! | [`treedefs`] | treedefs of every kind with every form of keys |
//! | [`trees`], [`leaves_of`] | trees with leaf values; as many leaves as a treedef has |
//! | [`equal_pairs`], [`neighbours`] | treedefs that are equal, or differ in one edit |
//! | [`prefix_pairs`], [`common_suffix_pairs`] | a prefix and a full tree; two trees and their common suffix |
//! | [`transposable`] | two treedefs and their composition |
//! | [`mutated`], [`malformed`] | bytes that may be a treedef; bytes that are none |
//!
//! Most of them have a second form that ends in `_of` and takes a [`Size`]. A failure shrinks to the smallest tree that
//! fails: nodes around the failure are removed, and children, keys, names and meta fields that it does not need.
//!
//! [`laws::check`] checks all that the operations of this crate rely on, for a tree type of your own.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "generators run in tests, on small numbers of their own"
)]

// - `size`: the bounds of generated structures;
// - `datum`, `head`, `model`: values, heads and whole structures as a plain model; `shrink`: smaller ones;
// - `treedef`, `tree`, `pair`, `bytes`: the strategies, which encode the model;
// - `laws`: what a tree type has to obey, checked.
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
