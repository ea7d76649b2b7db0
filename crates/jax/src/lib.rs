//! JAX's files as treedefs, without Python.
//!
//! JAX keeps a structure outside a process in two forms. `PyTreeDef.serialize_using_proto` makes a protocol buffer, which
//! [`read_proto`] reads and [`write_proto`] writes. `jax.export` makes artifacts, which hold the structures and the
//! abstract values of a compiled function's arguments and results: [`Exported`] reads them. The structures that are read
//! are owned treedefs ([`TreeDefBox`](treedef::TreeDefBox)). The module [`mod@ravel`] is `jax.flatten_util.ravel_pytree`.
//!
//! # Bytes from outside
//!
//! Files are checked completely. An error names what is wrong and the byte offset. No file makes a reader panic, recurse
//! without bound, or take more time and memory than a constant for each of its bytes: nothing is allocated for a count
//! that a file announces, only for what it holds.
//!
//! The two wire formats are read by code of this crate. `prost` does not say at which byte a message goes wrong, and
//! builds messages of its own first. FlatBuffers readers need generated code with `unsafe`, and do not bound what tables
//! that share tables describe.
#![forbid(unsafe_code)]
// A reachable panic would be a fault of the file's reader.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod steps;

mod wire;

mod proto_error;

mod proto;

mod export_error;

mod flatbuffer;

mod aval;

mod exported_tree;

mod export;

pub mod ravel;

pub use aval::{Aval, Dim};
pub use export::Exported;
pub use export_error::{ExportError, ExportErrorKind};
pub use proto::{MAX_KEY_BYTES, read_proto, write_proto};
pub use proto_error::{ProtoError, ProtoErrorKind, WriteProtoError};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
