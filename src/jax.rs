//! The bridge to the files of JAX: structures that Python wrote, or is to read, without Python.
//!
//! JAX keeps a structure outside a process as a protocol buffer, from `PyTreeDef.serialize_using_proto`:
//! [`proto_into`] writes it and [`treedef_from_proto`] reads it.

mod proto;

pub use proto::{
    PROTO_KEYS, ProtoError, ProtoErrorKind, ProtoFrame, ProtoKey, ProtoLevel, ProtoNode,
    proto_into, proto_into_with, proto_len, proto_len_with, proto_nodes_len, treedef_from_proto,
    treedef_from_proto_len, treedef_from_proto_len_with, treedef_from_proto_with,
};
