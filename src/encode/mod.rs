//! Writes structures as bytes, and compares them with bytes.
//!
//! [`structure_into`](crate::structure_into) and [`matches()`](crate::matches) are enough for most programs, and
//! [`structure_bound`] gives a number of bytes that is always enough. A [`Writer`](crate::Writer) receives the description of
//! a structure, and also writes a treedef by hand; an [`OpenNode`] is a node that it began. [`Level`]s are room
//! to read treedefs in which more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.

// - `writer`: what the structure of a tree is given to; it writes, compares or counts, also in `const`;
// - `depth`: the bound of nested levels;
// - `structure`: the traits of types that have a structure, and the functions that write or compare it;
// - `schema`: what all values of a type can be, the one description of a type. At compile time `const_bytes` and `constant` make
//   the treedef of it, `max_sizes` the largest sizes, and `schema_of` a treedef of the schema. `read` compares it with a treedef, and
//   gives the choices of that; `expand` makes the treedef of choices;
// - `treedef_buf`, `treedef_box`: treedefs that own their bytes, inline or on the heap;
// - `arena`: storage for treedefs that are made at run time.

pub(crate) mod arena;
pub(crate) mod const_bytes;
pub(crate) mod constant;
pub(crate) mod depth;
pub(crate) mod expand;
pub(crate) mod max_sizes;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod schema_of;
pub(crate) mod structure;
#[cfg(feature = "alloc")]
pub(crate) mod treedef_box;
pub(crate) mod treedef_buf;
pub(crate) mod writer;

pub use crate::base::levels::Level;
pub use depth::MAX_DEPTH;
pub use read::fits;
pub use schema_of::{assert_key, assert_named};
pub use structure::structure_bound;
pub use writer::OpenNode;
