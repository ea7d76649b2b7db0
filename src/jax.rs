//! The bridge to the files of JAX: structures that Python wrote, or is to read, without Python.
//!
//! JAX keeps a structure outside a process in two forms. A protocol buffer, from `PyTreeDef.serialize_using_proto`:
//! [`proto_into`] writes it and [`Proto`] reads it. And the artifacts of `jax.export`, which hold the structures of a
//! compiled function's arguments and results: [`Exported`] reads them. What is read is a
//! [`Structure`](crate::Structure), as a tree is.

mod proto;

mod export_error;

mod flatbuffer;

mod aval;

mod ordered;

mod exported_tree;

mod export;

pub use aval::{Aval, Avals, Dim, Dims, ElementType};
pub use export::{Exported, KeptInputs};
pub use export_error::{ExportError, ExportErrorKind};
pub use exported_tree::ExportedTree;
pub use flatbuffer::Strings;
pub use ordered::MAX_ORDERED_KEYS;
pub use proto::{
    PROTO_KEYS, Proto, ProtoError, ProtoErrorKind, ProtoFrame, ProtoKey, ProtoLevel, ProtoNode,
    proto_into, proto_into_with, proto_len,
};
