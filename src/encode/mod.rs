//! Writes structures as bytes, and compares them with bytes.
//!
//! [`structure_into`](crate::structure_into) and [`matches()`](crate::matches) are enough for most programs, and
//! [`structure_bound`] gives a number of bytes that is always enough. A [`Writer`](crate::Writer) receives the description of
//! a structure, and also writes a treedef by hand; an [`OpenNode`] is a node that it began. [`Level`]s are room
//! to read treedefs of more than [`MAX_DEPTH`] levels.

// - `writer`: what a tree describes itself to; it writes, compares or counts, also in `const`;
// - `arithmetic`: small arithmetic of writers;
// - `depth`: the bound of nested levels;
// - `structure`: the trait of types that have a structure; `list`: describes lists;
// - `const_bytes`: the treedef of a shape, at compile time; `constant`: that of a type;
// - `limits`: the largest sizes of values; `max_sizes`: those of a type, at compile time;
// - `const_head`: heads of structs, encoded at compile time;
// - `shape`: structures that are known at compile time; `schema`: what all values of a type can be, `schema_of`: as a treedef;
// - `write`: writes a structure into a buffer of the caller;
// - `treedef_buf`, `treedef_box`: treedefs that own their bytes, inline or on the heap;
// - `arena`: storage for treedefs that are made at run time.
//
// Imports from `base`, `format` and `treedef`.

pub(crate) mod arena;
pub(crate) mod arithmetic;
pub(crate) mod const_bytes;
pub(crate) mod const_head;
pub(crate) mod constant;
pub(crate) mod depth;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod max_sizes;
pub(crate) mod schema;
pub(crate) mod schema_of;
pub(crate) mod shape;
pub(crate) mod structure;
#[cfg(feature = "alloc")]
pub(crate) mod treedef_box;
pub(crate) mod treedef_buf;
pub(crate) mod write;
pub(crate) mod writer;

pub use crate::base::levels::Level;
pub use depth::MAX_DEPTH;
pub use schema_of::{assert_named, fits};
pub use write::structure_bound;
pub use writer::OpenNode;
