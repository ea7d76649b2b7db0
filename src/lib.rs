//! Pytrees without a heap and without `std`.
//!
//! A *pytree* is a value made of containers and leaves. *Flattening* it gives a flat list of leaves and a *treedef*,
//! the structure without the leaves; *unflattening* goes back. Here a treedef is a short string of bytes, leaves go to
//! and come from slices of the caller, and nothing allocates, panics or is unsafe.
//!
//! ```
//! use treedef::{TreeDef, flatten_into, treedef_of, unflatten};
//!
//! type Params = ([f32; 3], Option<f32>);
//! let params: Params = ([1.0, 2.0, 3.0], None);
//! let (mut bytes, mut leaves) = ([0; 16], [0.0f32; 4]);
//! let (def, count) = flatten_into(&params, &mut bytes, &mut leaves)?;
//! assert_eq!(def.to_string(), "PyTreeDef(([*, *, *], None))");
//! assert_eq!(leaves[..count], [1.0, 2.0, 3.0]);
//! assert_eq!(unflatten::<f32, Params>(def, &leaves[..count])?, params);
//!
//! const POINT: TreeDef<'static> = treedef_of::<[f32; 3]>();
//! assert_eq!(POINT.as_bytes(), [0x43, 0x02]);
//! # Ok::<(), treedef::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to | use |
//! |---|---|
//! | make a type of yours a tree | `#[derive(Tree)]` with the attributes it lists; [`leaf!`], [`Whole`], [`leaf_family!`] for leaves, [`ToValue`] for data of the structure and keys of maps |
//! | flatten and rebuild it | `flatten` and `structure` with the feature `alloc`; [`flatten_into`], [`structure_into`], [`leaves_into`], [`refs_into`], [`muts_into`], [`take_into`], [`unflatten`], [`unflatten_from`] |
//! | work on leaves in place | [`for_each`], [`for_each_mut`], [`for_each_run`], [`map`], [`map_from`]; [`try_for_each`] and the others in `try_` stop at an error |
//! | work on several trees at once: an optimiser, a mask, rates for subtrees | [`zip`] |
//! | write generic code | the bound [`Tree<f32>`](Tree), or [`Read<f32>`](Read) for trees whose leaves can only be borrowed |
//! | fold leaves | [`reduce`], [`try_reduce`], [`reduce_associative`], [`sum`], [`min`], [`max`], [`all`], [`any`] |
//! | name the leaves on the way | [`for_each_with_path`], [`for_each_mut_with_path`], [`map_with_path`], [`View::for_each_with_path`] |
//! | lay arrays in one vector | [`TreeDef::arrays`]; arrays of several dtypes: `ravel` of the crate `treedef-jax` |
//! | check a structure on every call | [`matches()`], [`flatten_expected`], [`treedef_of`], [`TreeDef::fingerprint`] |
//! | read bytes from outside | [`TreeDef::from_bytes`]; [`TreeDef::from_plain_bytes`], smaller, for the plain kinds |
//! | look into a structure | [`TreeDef`], [`Head`], [`Path`], [`KeyPath`], [`KeyEntry`]; `{}` prints JAX's text, `{:#}` draws |
//! | write a tree down, or make one at run time | [`tree!`], [`treedef!`], [`Node`], [`View`], [`unflatten_into`], [`fold()`] |
//! | flatten objects of another model | [`Object`], [`Options`] |
//! | cache compiled code by structure | [`CallKey`], [`KeyWriter`], [`ShapeDtype`], [`Cache`], [`CallSite`]; `GrowingCache` with the feature `hashbrown` |
//! | compare structures by number | the page [`names`](mod@names#caches) has a function of five lines |
//! | keep structures | [`TreeDefBuf`], with the feature `alloc` `TreeDefBox`, [`Arena`] and `bumpalo::Bump` through [`Store`], [`Builder`] by hand |
//! | make structures of structures | [`TreeDef::compose`], [`TreeDef::transform`], [`TreeDef::common_suffix`], [`TreeDef::replace`], [`NodeOf`], [`from_paths`] |
//! | bring leaves under another structure | [`flatten_up_to`], [`broadcast_prefix`], [`broadcast_common`], [`transpose`](fn@transpose), [`partition`], [`combine`] |
//! | find a node by its path | [`TreeDef::find`], [`TreeDef::find_str`], [`View::find`] |
//! | bring stored leaves under a newer structure | the paths of the new one, each looked up in the old: [`TreeDef::find`] has an example |
//! | see what differs | [`TreeDef::differences`], [`TreeDef::prefix_errors`], [`Differences::summary`] |
//! | say why a cache missed | [`CallKey::differences`], [`KeyDifferences::summary`] |
//! | exchange structures with JAX, read what `jax.export` wrote | the crate `treedef-jax` |
//! | look a name of JAX or optree up | the module [`mod@names`] |
//! | understand an error | [`Error::explain`], [`Error::explain_path`], [`DecodeError::explain`] |
//! | read the bytes | the module [`mod@format`] |
//! | know how deep trees may be | the module [`mod@depth`] |
//! | test a tree type of yours | `strategies`, with the feature `proptest`: generated trees, and `laws::check` |
//!
//! The rest ([`Structure`], [`Write`], [`Build`], [`Describe`], [`Rebuild`], [`Shape`] ..) is what derives and hand-written
//! containers are made of.
#![no_std]
#![forbid(unsafe_code)]
// Shipped code has no reachable panic; `no_std-check` proves it for a linked program.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "std")]
extern crate std;

// From the bottom to the top: each of these folders imports only from those above it in this list. The blank lines keep
// the order, because rustfmt sorts neighbours.
mod base;

pub mod format;

mod treedef;

mod encode;

mod text;

mod tree;

mod dynamic;

mod algebra;

mod cache;

#[cfg(feature = "proptest")]
pub mod strategies;

mod integrations;

mod docs;

pub use algebra::{
    Change, CommonSuffix, Compose, FlattenUpTo, FromPaths, Masked, NodeOf, Replace, Transform,
    broadcast_common, broadcast_prefix, combine, filter, flatten_up_to, from_paths, partition,
    replace_nones, transpose, transpose_map,
};
pub use base::dtype::Dtype;
pub use base::error::{DecodeError, DecodeErrorKind, Error};
pub use base::levels::Level;
pub use cache::call_site::CallSite;
pub use cache::differences::{KeyDifference, KeyDifferences, KeySummary};
pub use cache::fixed::Cache;
#[cfg(feature = "hashbrown")]
pub use cache::growing::GrowingCache;
pub use cache::key::{CallKey, KeyWriter, Signature};
pub use cache::key_buf::{CacheKey, KeyBuf};
pub use cache::part::{Part, Parts};
pub use cache::shape_dtype::{Dims, ShapeDtype};
pub use cache::stats::CacheStats;
pub use docs::{depth, names};
pub use dynamic::flatten::Keep;
pub use dynamic::fold::{FoldChildren, fold, fold_len};
#[doc(hidden)]
pub use dynamic::literal as __literal;
pub use dynamic::node::{Keyed, Label, Node};
pub use dynamic::object::{MAX_UNSORTED_KEYS, Object, Open};
pub use dynamic::options::Options;
pub use dynamic::rule::Rule;
pub use dynamic::slab::{unflatten_into, unflatten_len};
pub use dynamic::trail::Trail;
pub use dynamic::view::{View, ViewChildren};
pub use encode::arena::{Arena, Store};
pub use encode::builder::{Builder, Frame};
pub use encode::depth::{Depth, MAX_DEPTH};
pub use encode::describe::Describe;
pub use encode::encoder::Encode;
pub use encode::shape::{MAX_CONST_BYTES, Shape};
pub use encode::structure::{Structure, treedef_of};
#[cfg(feature = "alloc")]
pub use encode::treedef_box::TreeDefBox;
pub use encode::treedef_buf::TreeDefBuf;
pub use encode::write::{
    matches, matches_with, num_leaves_with, structure_bound, structure_bound_with, structure_into,
    structure_into_with,
};
pub use format::entry::{Entries, KeyEntry};
pub use format::head::{ChildKey, ChildKeys, Head, Keys, Kind, Statics};
pub use format::heading::{
    CustomOf, DictKind, DictOf, Entry, Heading, ListOf, NamedTupleOf, SomeOf, StructOf, TupleOf,
    head_into, head_len,
};
pub use format::to_value::{FromValue, MapKey, ToValue};
pub use format::tuple::Tuple;
pub use format::validate::MAX_PENDING;
pub use format::value::{MAX_VALUE_DEPTH, Value};
#[cfg(feature = "bumpalo")]
pub use integrations::bumpalo::unflatten_in;
pub use text::{DecodeExplanation, Explanation, KeyStr, KeysExplanation, PathExplanation, Summary};
#[doc(hidden)]
pub use tree::derive_support;
pub use tree::each::{
    for_each, for_each_mut, for_each_run, map, map_from, try_for_each, try_for_each_mut, try_map,
};
pub use tree::family::{Accepts, CloneFamily, Family, Item, Leaf};
#[cfg(feature = "alloc")]
pub use tree::flatten::{flatten, structure};
pub use tree::flatten::{
    flatten_expected, flatten_into, leaves_into, muts_into, refs_into, take_into, unflatten,
    unflatten_from,
};
pub use tree::lanes;
pub use tree::leaf::Whole;
pub use tree::rebuild::{Rebuild, Source, shift_leaf};
pub use tree::reduce::{all, any, max, min, reduce, reduce_associative, sum, try_reduce};
pub use tree::traits::{Build, MapTree, Read, Tree, Visit, Write, ZipPrefix, build_fixed};
pub use tree::with_path::{
    for_each_mut_with_path, for_each_with_path, map_with_path, try_for_each_mut_with_path,
    try_for_each_with_path, try_map_with_path,
};
pub use tree::zip::{Zip, zip};
pub use treedef::arrays::{ArrayAt, Arrays};
pub use treedef::children::Children;
pub use treedef::cursor::Siblings;
pub use treedef::diff::{Difference, DifferenceKind, Differences};
pub use treedef::find::Found;
pub use treedef::key_path::KeyPath;
pub use treedef::nodes::{NodeAt, Nodes};
pub use treedef::path::{Path, PathEntries, PathIndices};
pub use treedef::treedef::TreeDef;
pub use treedef::walk::MAX_TEXT_DEPTH;
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
