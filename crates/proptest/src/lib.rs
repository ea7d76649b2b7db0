//! Strategies of `proptest` that generate structures and trees, and the laws that a tree type has to obey.
//!
//! ```
//! use proptest::prelude::*;
//! use treedef_proptest::{laws, neighbours};
//!
//! // Treedefs that differ in one edit.
//! proptest!(|((one, other) in neighbours())| {
//!     prop_assert_ne!(one.as_treedef(), other.as_treedef());
//!     prop_assert!(one.as_treedef().differences(other.as_treedef()).next().is_some());
//! });
//!
//! // The laws, for a value of any tree type.
//! laws::check(&(1.0f32, [2.0f32, 3.0]), |i| i as f32).unwrap();
//! ```
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
//! [`laws::check`] checks all that the operations of `treedef` rely on, for a tree type of your own.
//!
//! The crate has no features, and needs none of `treedef`.
#![forbid(unsafe_code)]

// - `size`: the bounds of generated structures;
// - `datum`, `head`, `model`: values, heads and whole structures as a plain model; `shrink`: smaller ones;
// - `any_treedef`, `any_tree`, `pair`, `bytes`: the strategies, which encode the model;
// - `laws`: what a tree type has to obey, checked.
mod any_tree;
mod any_treedef;
mod bytes;
mod datum;
mod head;
pub mod laws;
mod model;
mod pair;
mod shrink;
mod size;

pub use any_tree::{AnyTree, leaves_of, trees, trees_of};
pub use any_treedef::{AnyTreeDef, treedefs, treedefs_of};
pub use bytes::{malformed, mutated};
pub use pair::{
    common_suffix_pairs, common_suffix_pairs_of, equal_pairs, neighbours, neighbours_of,
    prefix_pairs, prefix_pairs_of, transposable, transposable_of,
};
pub use size::Size;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
