//! Pytrees without a heap and without `std`.
//!
//! A *pytree* is a value made of containers and leaves. *Flattening* it gives a flat list of leaves and a *treedef*,
//! the structure without the leaves. *Unflattening* rebuilds the value from both. In this crate a treedef is a short
//! string of bytes, and leaves are copied to and from slices of the caller. The core has no heap, no panic and no unsafe.
//! It is for
//!
//! - **firmware** that keeps nested parameters or state, stores them, and exchanges them as one flat array;
//! - **a JIT compiler or a cache** that finds what is stored for a structure, in a hot loop and without allocation;
//! - **a Rust program beside JAX**: the text of a treedef, its key paths and its rules are JAX's.
//!
#![doc = include_str!("docs/flow.svg")]
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use treedef::{Tree, flatten_into, unflatten};
//!
//! #[derive(Tree, Debug, PartialEq)]
//! struct Layer { weights: [f32; 3], bias: Option<f32> }
//!
//! let layer = Layer { weights: [1.0, 2.0, 3.0], bias: None };
//! let (mut bytes, mut leaves) = ([0; 64], [0.0f32; 4]);
//! let (def, count) = flatten_into(&layer, &mut bytes, &mut leaves)?;
//! assert_eq!(leaves[..count], [1.0, 2.0, 3.0]);
//! assert_eq!(def.path(2).map(|path| path.to_string()).as_deref(), Some(".weights[2]"));
//! assert_eq!(unflatten(def, &leaves[..count]), Ok(layer));
//! # }
//! # Ok::<(), treedef::Error>(())
//! ```
//!
//! A buffer that is too small, a tree that is too deep and a treedef of another structure are an [`Error`]; the
//! [`faq`](mod@guide::faq) says how large a buffer must be. If the type alone decides the structure, the treedef is a constant:
//! [`treedef_of`].
#![doc = include_str!("docs/front.md")]
#![doc = ""] // The links that follow must not continue a paragraph.
#![cfg_attr(all(feature = "alloc", feature = "derive"), doc = include_str!("docs/links.md"))]
#![cfg_attr(not(all(feature = "alloc", feature = "derive")), doc = include_str!("docs/links_elsewhere.md"))]
// For links from the pages of other crates that are made without these.
#![doc(html_root_url = "https://docs.rs/treedef/latest")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Shipped code has no reachable panic; `no_std-check` proves it for linked programs at opt-level 3, `s` and `z`.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::disallowed_methods
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "std")]
extern crate std;

// `CONTRIBUTING.md` says where something new goes.
//
// The folders are declared from bottom to top: each imports only from those declared before it. The blank lines keep the
// order, because rustfmt sorts neighbours. The map of a folder is in the comments before the `mod` lines of its `mod.rs`.
mod base;

pub mod format;

mod treedef;

pub mod encode;

pub mod text;

pub mod tree;

#[doc(alias("load", "postcard", "save"))]
pub mod record;

pub mod dynamic;

pub mod algebra;

pub mod cache;

#[doc(alias = "serde")]
pub mod integrations;

mod docs;

/// Heads of nodes: the kind, keys, names and meta fields of a node, without its children.
///
/// [`Head`] is a head that is read from a treedef, [`head::MetaFields`] a part of it. The types that implement
/// [`head::HeadSpec`] are heads to write: [`Writer::node`] takes them. Some have names of the standard library, so import the
/// module and write `head::Some`.
pub mod head {
    pub use crate::format::child_key::ChildKey;
    pub use crate::format::heading::{
        Custom, Dict, DictKind, Entry, HeadSpec, List, MetaFields, NamedTuple, Some, Struct, Tuple,
        head_into, head_len,
    };
}

/// Iterators over the nodes of a treedef, and their items.
///
/// [`TreeDef::children`] and [`TreeDef::nodes`] return them.
pub mod nodes {
    pub use crate::treedef::children::Children;
    pub use crate::treedef::nodes::{NodeAt, Nodes};
}

/// Paths that are kept, patterns of paths, the parts of a path, and the node at its end.
///
/// A path is the entries from the root to a node. Walks over trees and treedefs give a [`KeyPath`], which borrows them. A
/// `KeyPathBuf` (feature `alloc`) is made of it, or of a text, and keeps them in a text of its own. Both have `entries()` and print
/// JAX's text. [`TreeDef::find`] and [`PathPattern::matches`](path::PathPattern::matches) take a [`KeyPath`] or any entries.
pub mod path {
    pub use crate::format::entry::Entries;
    #[cfg(feature = "alloc")]
    pub use crate::text::key_path_buf::KeyPathBuf;
    pub use crate::text::leaf_path::{leaf_index_of, leaf_path_of};
    pub use crate::treedef::find::Found;
    pub use crate::treedef::key_path::PathEntries;
    pub use crate::treedef::pattern::PathPattern;
    pub use crate::{leaf_index, path_pattern};
}

/// What a container that is written by hand names: a type of another crate in a newtype, or a type that
/// [`Tree`](trait@crate::Tree) cannot be derived for.
///
/// [`container!`](crate::container!) writes all of it for a list or a dictionary. The guide to
/// [`containers`](mod@crate::guide::containers) has examples of the others. The traits to implement are in
/// [`tree`](mod@crate::tree); here is what their methods receive and call.
///
/// | to | there is |
/// |---|---|
/// | describe a type | [`container::Schema`], [`container::Schemas`], [`container::Fields`] |
/// | walk over one tree | [`container::Sink`]; [`Writer`] is one |
/// | walk over several | [`container::Lanes`] with [`container::Ref`] and [`container::Mut`], [`container::Trees`], [`container::Leaves`], [`container::Depth`], [`container::VisitLanes`], [`container::Pairing`] |
/// | build one | [`container::Source`] |
pub mod container {
    pub use crate::base::try_error::UserError;
    pub use crate::encode::depth::Depth;
    pub use crate::encode::schema::{Fields, Schema, Schemas};
    pub use crate::format::keys::Keys;
    pub use crate::tree::build::{Place, Source};
    pub use crate::tree::lanes::{Lanes, Leaves, Mut, Ref, Trees};
    pub use crate::tree::pairing::Pairing;
    pub use crate::tree::walk::{Sink, VisitLanes};
    pub use crate::tree::walk_path::WalkPath;
}

/// The places where two treedefs differ.
///
/// [`TreeDef::differences`], [`TreeDef::prefix_errors`] and [`TreeDef::common_suffix_errors`] return an iterator of them.
/// Each is a [`diff::Difference`]: a path, a kind of difference, and what each treedef has there.
pub mod diff {
    pub use crate::treedef::difference::{Difference, DifferenceKind};
    pub use crate::treedef::differences::Differences;
}

/// What the code of macros and derives calls.
#[doc(hidden)]
pub mod __private {
    pub use crate::dynamic::literal::*;
    pub use crate::record::upgrade::planned::{MOST_PLANNED, Planned};
    pub use crate::tree::derive_support::*;
    pub use crate::tree::migrate::checked::lead_into;
    pub use crate::treedef::constant_pattern::path_pattern;
    pub use crate::treedef::leaf_index::leaf_index;
}

pub use algebra::prefix::{broadcast_prefix, flatten_up_to};
pub use base::decode_error::DecodeError;
pub use base::error::Error;
pub use cache::key::CallKey;
pub use cache::table::Cache;
pub use docs::{depth, guide, names};
pub use dynamic::node::Node;
pub use dynamic::object::Object;
pub use dynamic::view::View;
pub use encode::arena::Arena;
pub use encode::constant::treedef_of;
pub use encode::schema_of::schema_of;
pub use encode::structure::{matches, structure_into};
#[cfg(feature = "alloc")]
pub use encode::treedef_box::{TreeDefBox, structure};
pub use encode::treedef_buf::TreeDefBuf;
pub use encode::writer::Writer;
pub use format::entry::KeyEntry;
pub use format::head::{Head, Kind};
pub use format::value::Value;
pub use tree::flatten::{flatten_into, leaves_into, unflatten};
#[cfg(feature = "alloc")]
pub use tree::flatten_on_heap::flatten;
pub use tree::map::map;
#[doc(alias("adam", "optimizer", "zip"))]
pub use tree::over::over;
pub use tree::traits::Leaf;
// What people search for is an alias where the item is exported; `.ci/measure` has a list.
#[doc(alias("Box", "HashMap", "Option", "Vec"))]
pub use tree::traits::Tree;
pub use treedef::key_path::KeyPath;
pub use treedef::treedef::TreeDef;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_leaf.md")]
pub use treedef_derive::Leaf;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_meta.md")]
pub use treedef_derive::Meta;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_tree.md")]
#[doc(alias("derive", "enum", "struct"))]
pub use treedef_derive::Tree;

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../README.md")]
struct Readme;
