//! Writes structures as bytes, and compares them with bytes.
//!
//! [`structure_into`](crate::structure_into) and [`matches()`](crate::matches) are enough for most programs, and
//! [`structure_bound`] gives a number of bytes that is always enough. The functions that end in `_with` take [`Level`]s
//! from the caller, for structures made of structures that are deeper than [`MAX_DEPTH`]. [`Store`] is the trait that
//! arenas share. [`OpenNode`] belongs to a [`Builder`](crate::Builder).

// - `encoder`: the sealed trait of types that receive a structure, and the one that only counts leaves;
// - `output`: the bytes of a treedef, written or compared with expected ones;
// - `arithmetic`: small arithmetic of writers;
// - `bound`: counts bytes that are always enough;
// - `depth`: the bound of nested levels;
// - `describe`: what a tree calls to describe itself; it passes the calls on to an encoder;
// - `steps`: the same calls for code that does not stop at the first error;
// - `structure`: the trait of types that have a structure;
// - `limits`: the largest sizes of a type's values, at compile time;
// - `const_head`: heads of structs, encoded at compile time;
// - `shape`: structures that are known at compile time;
// - `write`: writes a structure into a buffer of the caller;
// - `builder`: writes a treedef node by node, also in `const`;
// - `treedef_buf`, `treedef_box`: treedefs that own their bytes, inline or on the heap;
// - `arena`: storage for treedefs that are made at run time.
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
pub(crate) mod limits;
pub(crate) mod output;
pub(crate) mod shape;
pub(crate) mod steps;
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
