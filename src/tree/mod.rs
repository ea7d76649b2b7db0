//! Rust types as trees: more operations, and the traits that make up [`Tree`](trait@crate::Tree). What the methods of these
//! traits receive is in the module [`container`](mod@crate::container).
//!
//! | to | use |
//! |---|---|
//! | write leaves into a tree that exists | [`leaves_from`] |
//! | flatten in other ways | [`flatten_expected`], [`refs_into`], [`muts_into`], [`unflatten_from`] |
//! | move leaves out of a tree | `into_leaves` and `map_from` (feature `alloc`) |
//! | read and change the leaves of one or more trees, map and fold them, with paths, masks and prefixes | [`over`](crate::over()), which returns an [`Over`] |
//! | load and store leaves by name | [`try_unflatten_from`], which has an example; [`Over::paths`] |
//! | stop at an error | closures that return a `Result`: [`Outcome`]; [`TryError`] keeps an error of another crate |
//! | iterate over leaves | collect references in [`Over::for_each`]; [`refs_into`] and [`muts_into`]; [`leaf()`] of each index |
//! | work on runs of leaves at once | [`Over::runs`] |
//! | use the leaves of one type, whatever others there are | [`Over::only`], [`map_of`]; in generic code [`TreeWrite`] |
//! | use those of several types | [`Over::of`] with [`leaf_types!`](crate::leaf_types) or [`leaf_trait!`](crate::leaf_trait); [`Over::types`] with [`Visit`] |
//! | write all leaves as bytes, and read them | [`write_leaves`], [`read_leaves`], [`leaf_bytes`] |
//! | flatten and rebuild trees with leaves of several types, or of another crate | [`mixed`], [`AsLeaf`] |
//! | bind generic code | [`TreeRead`] to read, [`TreeWrite`] to change in place, [`MapTree`] to map, [`ZipPrefix`] for a prefix |
//! | write a container by hand | [`container!`](crate::container!) for a list or a dictionary; otherwise [`TreeWalk`] with [`HasSchema`], [`TreeRead`], [`TreeWrite`] and [`TreeBuild`]; the guide to [`containers`](mod@crate::guide::containers) |
//! | keep or compare the structure of a value as few bytes | the module [`choices`] |
//!
//! In the signatures `L` is the type of the leaves. The compiler finds it by the type of the tree.
//!
//! # Partition, filter, combine
//!
//! For `equinox.partition` map the tree to leaves that are options, each in an [`AsLeaf`], because an `Option` alone is a
//! container:
//!
//! ```
//! use treedef::tree::AsLeaf;
//! use treedef::{Error, KeyPath, over};
//!
//! let net = (1.0f32, [2.0f32, 3.0]);
//! let is_selected = |path: KeyPath<'_, '_>, leaf: &f32| path.len() == 2 && *leaf > 2.0;
//! let part = |wanted| {
//!     over(&net).paths().map(|path, leaf| AsLeaf((is_selected(path, leaf) == wanted).then_some(*leaf)))
//! };
//! let (selected, others) = (part(true)?, part(false)?);
//! assert_eq!(others, (AsLeaf(Some(1.0)), [AsLeaf(Some(2.0)), AsLeaf(None)]));
//!
//! let combined = over((&selected, &others)).map(|(a, b): (&AsLeaf<Option<f32>>, _)| a.0.or(b.0).unwrap_or_default())?;
//! assert_eq!(combined, net);
//!
//! // Without `AsLeaf`, what is not selected is no leaf of the result: `equinox.filter`, for trees whose leaves are in no options. What is
//! // in one becomes an option of an option, which has a node `Some` that JAX has not.
//! let filtered = over(&net).paths().map(|path, leaf| is_selected(path, leaf).then_some(*leaf))?;
//! assert_eq!(filtered, (None, [None, Some(3.0)]));
//! assert_eq!(over(&filtered).fold(0.0, |sum, x| sum + x)?, 3.0);
//! # Ok::<(), Error>(())
//! ```
//!
//! To change some leaves of a tree in place no partition is needed: [`Over::with`] adds a tree of `bool` as a mask.
//! `stack`, `stack_with` and `unstack` in [`algebra`](crate::algebra) turn a list of trees into a tree of lists and back (feature
//! `alloc`).

// *Fixed* means that the type determines the number of leaves (`LEAVES`), *constant* that it determines the whole structure
// (`TREEDEF`).
//
// Type parameters: `T` is a tree or the type of elements, `K` its set of leaf types, `L` the lanes of a walk, in public functions the one
// leaf type; `M` the leaf type of a new tree, `J` that of another tree in the walk, `O` that tree or its elements, `E` an error.
//
// - `leaf_types`: sets of leaf types; `leaf_trait`: those over a trait; `leaf`: declares one leaf type;
// - `lanes`: several trees of one type, walked together;
// - `pairing`: one more tree in a walk, with other leaves or as a prefix;
// - `vector`: what vectors have in common;
// - `any_leaves`: trees with leaves of any types, of which those of one type are visited; `leaf_bytes`: their leaves as bytes; `leaf_form`: what those of a record are;
// - `walk`: what a tree does in a walk, and what receives its leaves; `leaf_sink`: the leaves of one tree alone;
// - `structure`: the structure of a tree by its walk, and the number of its leaves; `choices`: what its type leaves open, as bytes, which
//   `stream` receives;
// - `build`: what a tree does to be built, and the three sources of its choices and leaves: a treedef, choices, leaves alone;
// - `migrate`: a tree that was stored under an older version of its type;
// - `traits`: a tree of one leaf type, and what can be done with it: read, write in place, map, walk beside others;
// - `containers`: the types that are trees, one file for each group;
// - `flatten`: trees to leaves and back; `slots`: the leaves in slots of the caller; `flatten_on_heap`: what it returns where there is a
//   heap;
// - `over`: what is done with the leaves of one or several trees; `map`: maps of one tree; `walk_path`: the path of a walk;
// - `one_leaf`: one leaf by its index or path;
// - `mixed`: the same for trees with leaves of several types;
// - `derive_support`: called by the code of derives and macros.

mod any_leaves;
pub(crate) mod build;
pub mod choices;
pub(crate) mod containers;
// Macros and derives reach into it.
pub(crate) mod derive_support;
pub(crate) mod flatten;
#[cfg(feature = "alloc")]
pub(crate) mod flatten_on_heap;
pub(crate) mod lanes;
pub(crate) mod leaf;
mod leaf_bytes;
pub(crate) mod leaf_form;
pub(crate) mod leaf_sink;
pub(crate) mod leaf_trait;
pub(crate) mod leaf_types;
pub(crate) mod map;
pub(crate) mod migrate;
pub mod mixed;
pub(crate) mod one_leaf;
pub(crate) mod over;
pub(crate) mod pairing;
mod slots;
pub(crate) mod stream;
pub(crate) mod structure;
pub(crate) mod traits;
pub(crate) mod vector;
pub(crate) mod walk;
pub(crate) mod walk_path;

pub use crate::base::try_error::TryError;
pub use crate::encode::const_bytes::MAX_CONST_BYTES;
pub use crate::encode::max_sizes::{max_bytes, max_leaves, max_path_len};
pub use crate::encode::structure::{HasSchema, Structure};
pub use any_leaves::AnyLeaves;
pub use build::TreeBuild;
pub use flatten::{
    flatten_expected, leaves_from, muts_into, refs_into, try_unflatten_from, unflatten_from,
};
#[cfg(feature = "alloc")]
pub use flatten_on_heap::{into_leaves, map_from};
pub use leaf::AsLeaf;
pub use leaf_bytes::{leaf_bytes, read_leaves, write_leaves};
pub use leaf_types::{Holds, LeafAs, LeafTypes, NoLeaves};
pub use map::map_of;
pub use one_leaf::{find_leaf, find_leaf_mut, leaf, leaf_mut};
#[cfg(feature = "alloc")]
pub use over::Explained;
pub use over::{Outcome, Over, Visit};
pub use traits::{MapTree, TreeRead, TreeWrite, ZipPrefix};
pub use walk::TreeWalk;
