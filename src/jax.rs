//! The bridge to the files of JAX: structures that Python wrote, or is to read, without Python.
//!
//! JAX keeps a structure outside a process in two forms. A protocol buffer, from `PyTreeDef.serialize_using_proto`:
//! [`proto_into`] writes it and [`treedef_from_proto`] reads it. And the artifacts of `jax.export`, which hold the
//! structures of a compiled function's arguments and results: [`Exported`] reads them.

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
    PROTO_KEYS, ProtoError, ProtoErrorKind, ProtoFrame, ProtoKey, ProtoLevel, ProtoNode,
    proto_into, proto_into_with, proto_len, proto_len_with, proto_nodes_len, treedef_from_proto,
    treedef_from_proto_len, treedef_from_proto_len_with, treedef_from_proto_with,
};
