//! Structures into bytes, or compared with bytes.
//!
//! [`structure_into`](crate::structure_into) and [`matches()`](crate::matches) are enough for most programs.
//! [`structure_bound`] says how many bytes are enough. The functions in `_with` take room for the levels of trees that
//! are deeper than [`MAX_DEPTH`]. [`Store`] is what arenas have in common.

// Structures into bytes, or compared with bytes.
//
// - `encoder`: the sealed trait of those who receive a structure, and the one that counts leaves alone;
// - `output`: the bytes of a treedef, written or compared with expected ones;
// - `arithmetic`: small arithmetic of writers;
// - `bound`: how many bytes are always enough;
// - `depth`: how many levels a tree may have;
// - `describe`: what a tree speaks to, in front of an encoder;
// - `structure`: the trait of what has a structure;
// - `const_head`: heads of structs that are encoded at compile time;
// - `shape`: structures that are known at compile time;
// - `write`: a structure into a buffer of the caller;
// - `builder`: a treedef event by event, also in `const`;
// - `treedef_buf`, `treedef_box`: a treedef that owns its bytes, in place or on the heap;
// - `arena`: room for treedefs that are made at run time.
//
// Imports from `base`, `format` and `treedef`.

pub(crate) mod arena;
pub(crate) mod arithmetic;
pub(crate) mod bound;
pub(crate) mod builder;
pub(crate) mod const_head;
pub(crate) mod depth;
pub(crate) mod describe;
pub(crate) mod encoder;
pub(crate) mod output;
pub(crate) mod shape;
pub(crate) mod structure;
#[cfg(feature = "alloc")]
pub(crate) mod treedef_box;
pub(crate) mod treedef_buf;
pub(crate) mod write;

pub use crate::base::levels::Level;
pub use arena::Store;
pub use builder::OpenNode;
pub use depth::{Depth, MAX_DEPTH};
pub use write::{
    matches_with, num_leaves_with, structure_bound, structure_bound_with, structure_into_with,
};
