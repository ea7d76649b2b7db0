//! Structures into bytes, or compared with bytes.
//!
//! - `builder`: writes bytes, or compares what is written with expected bytes;
//! - `sink`: the receivers that a tree describes its structure to;
//! - `structure`: the trait of what has a structure;
//! - `shape`: structures that are known at compile time;
//! - `count`: the number of leaves, without writing;
//! - `bound`: a number of bytes that is always enough, without writing;
//! - `write`: a structure into a buffer of the caller;
//! - `treedef_buf`, `treedef_box`: a treedef that owns its bytes, in place or on the heap;
//! - `arena`: room for treedefs that are made at run time.
//!
//! Imports from `base`, `format` and `treedef`.

pub(crate) mod arena;
pub(crate) mod bound;
pub(crate) mod builder;
pub(crate) mod count;
pub(crate) mod shape;
pub(crate) mod sink;
pub(crate) mod structure;
#[cfg(feature = "alloc")]
pub(crate) mod treedef_box;
pub(crate) mod treedef_buf;
pub(crate) mod write;
