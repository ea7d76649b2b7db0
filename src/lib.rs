//! Pytrees without a heap and without `std`.
//!
//! A *pytree* is a value made of containers and leaves. *Flattening* it gives a flat list of leaves and a *treedef*,
//! the structure without the leaves. *Unflattening* rebuilds the value from both. In this crate a treedef is a short
//! string of bytes, and leaves are copied to and from slices of the caller. The core has no heap, no panic and no unsafe.
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
//! If the type alone decides the structure, the treedef is a constant:
//!
//! ```
//! use treedef::{TreeDef, treedef_of};
//!
//! const PAIR: TreeDef<'static> = treedef_of::<(f32, [f32; 2])>();
//! assert_eq!(PAIR.to_string(), "PyTreeDef((*, [*, *]))");
//! assert_eq!(PAIR.as_bytes(), [0x22, 0x00, 0x42, 0x01]);
//! ```
//!
//! A buffer that is too small, a tree that is too deep and a treedef of another structure are an [`Error`].
//! [`structure_bound`](encode::structure_bound) gives a number of bytes that is always enough for a treedef, and
//! [`num_leaves`](tree::Structure::num_leaves) the number of leaves.
//!
//! # Where to look
//!
//! | to | use |
//! |---|---|
//! | learn it from the start | [The idea in five minutes](mod@guide), and a page for each way to use the crate |
//! | get an answer to a common question | the [`faq`](mod@guide::faq): why is `Some` invisible, how large is a buffer |
//! | make a type a tree | [`#[derive(Tree)]`][derive-tree]; [`Tree`](trait@Tree) lists the types that are trees |
//! | make a type a leaf, or part of the structure | [`#[derive(Leaf)]`][derive-leaf] or [`leaf!`]; [`#[derive(Meta)]`][derive-meta] |
//! | flatten and rebuild | [`flatten_into`], [`structure_into`], [`leaves_into`], [`unflatten`]; `flatten` and `structure` with the feature `alloc` |
//! | work on leaves | [`map`], [`for_each`], [`for_each_mut`], [`reduce`]; with paths [`map_with_path`]; the module [`tree`](mod@tree) has more |
//! | work on several trees at once | [`zip`]; [`flatten_up_to`] and [`broadcast_prefix`] for prefixes |
//! | look into a structure | [`TreeDef`], its [`Head`], [`Path`] and [`KeyEntry`]; `{}` prints JAX's text |
//! | find a node, see what differs | [`TreeDef::find_str`], [`TreeDef::differences`], [`Error::explain`], [`Error::explain_trees`] |
//! | read what an older program stored | `algebra::migrate_typed` (feature `alloc`) loads it under the newer type, [`migrate_typed_with`](algebra::migrate_typed_with) without a heap |
//! | build trees at run time | [`Node`], [`View`], [`tree!`], [`treedef!`]; [`Object`] for values of another crate |
//! | read bytes from outside | [`TreeDef::from_bytes`] |
//! | keep structures | [`TreeDefBuf`], [`Arena`]; `TreeDefBox` with the feature `alloc` |
//! | make structures of structures | [`TreeDef::compose`], [`TreeDef::replace`] and the module [`algebra`] |
//! | find compiled code by structure | [`CallKey`], [`Cache`] and the module [`cache`] |
//! | write a container by hand | [`tree::Structure`], which has an example |
//! | write a treedef by hand | [`Writer`] |
//! | look up a name of JAX or optree | [`mod@names`] |
//! | know the bytes, or how deep trees may be | [`mod@format`], [`mod@depth`] |
#![doc = include_str!("docs/front.md")]
#![doc = ""] // The links that follow must not continue a paragraph.
#![cfg_attr(feature = "derive", doc = include_str!("docs/links.md"))]
#![cfg_attr(not(feature = "derive"), doc = include_str!("docs/links_without_derive.md"))]
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
// order, because rustfmt sorts neighbours. The first lines of a folder's `mod.rs` are its map.
mod base;

pub mod format;

mod treedef;

pub mod encode;

pub mod text;

pub mod tree;

pub mod dynamic;

pub mod algebra;

pub mod cache;

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

/// The parts of a path, and the node at its end.
///
/// [`Path::entries`], [`Path::indices`] and [`Head::entries`] return iterators; [`TreeDef::find`], [`TreeDef::find_at`]
/// and [`TreeDef::find_str`] return the node.
pub mod path {
    pub use crate::format::entry::Entries;
    pub use crate::leaf_index;
    pub use crate::text::leaf_path::{leaf_index_of, leaf_path_of};
    pub use crate::treedef::find::Found;
    pub use crate::treedef::path::{PathEntries, PathIndices};
}

/// What a container that is written by hand names: a type of another crate in a newtype, or a type that
/// [`Tree`](trait@crate::Tree) cannot be derived for.
///
/// [`tree::Structure`] has the first example, and the guide to [`containers`](mod@crate::guide::containers) the others. The traits
/// to implement are in [`tree`](mod@crate::tree); here is what their methods receive and call.
///
/// | to | there is |
/// |---|---|
/// | describe a type | [`container::Schema`], [`container::Schemas`], [`container::Record`]; [`Writer`] for a value |
/// | walk over trees | [`container::Lanes`] with [`container::Ref`] and [`container::Mut`], [`container::Trees`], [`container::Leaves`], [`container::Depth`], [`container::VisitLanes`], [`container::Pairing`] |
/// | rebuild one | [`container::Rebuild`], [`container::Siblings`] |
pub mod container {
    pub use crate::base::try_error::UserError;
    pub use crate::encode::depth::Depth;
    pub use crate::encode::schema::{Record, Schema, Schemas};
    pub use crate::tree::build::Rebuild;
    pub use crate::tree::lanes::{Lanes, Leaves, Mut, Ref, Trees};
    pub use crate::tree::pairing::Pairing;
    pub use crate::tree::walk::VisitLanes;
    pub use crate::tree::walk_path::WalkPath;
    pub use crate::tree::zip_trees::{Beside, Lane, ZipTrees};
    pub use crate::treedef::cursor::Siblings;
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
    pub use crate::tree::derive_support::*;
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
#[cfg(feature = "alloc")]
pub use encode::treedef_box::TreeDefBox;
pub use encode::treedef_buf::TreeDefBuf;
pub use encode::write::{matches, structure_into};
pub use encode::writer::Writer;
pub use format::entry::KeyEntry;
pub use format::head::{Head, Kind};
pub use format::value::Value;
pub use tree::each::{for_each, for_each_mut, map};
pub use tree::flatten::{flatten_into, leaves_into, unflatten};
#[cfg(feature = "alloc")]
pub use tree::flatten_on_heap::{flatten, structure};
pub use tree::reduce::reduce;
pub use tree::traits::Leaf;
pub use tree::traits::Tree;
pub use tree::with_path::{for_each_with_path, map_with_path};
pub use tree::zip::zip;
pub use treedef::key_path::KeyPath;
pub use treedef::path::Path;
pub use treedef::treedef::TreeDef;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_leaf.md")]
pub use treedef_derive::Leaf;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_meta.md")]
pub use treedef_derive::Meta;
#[cfg(feature = "derive")]
#[doc = include_str!("docs/derive_tree.md")]
pub use treedef_derive::Tree;

/// The examples of the README are tests.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../README.md")]
struct Readme;
