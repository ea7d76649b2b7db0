//! Reads and writes JAX's files as treedefs, without Python.
//!
//! JAX stores structures in two formats. `PyTreeDef.serialize_using_proto` makes a protocol buffer, which
//! [`read_proto`] reads and [`write_proto`] writes. `jax.export` makes artifacts with the structures and the abstract
//! values of a compiled function's arguments and results, which [`Exported`] reads. Both return owned treedefs
//! ([`TreeDefBox`](treedef::TreeDefBox)). The module `ravel`, with the default feature of this name, implements
//! `jax.flatten_util.ravel_pytree`.
//!
//! # Bytes from outside
//!
//! Files are checked completely. An error names what is wrong and the byte offset. No file makes a reader panic, recurse
//! without bound, or take more time and memory than a constant for each of its bytes: nothing is allocated for a count
//! that a file announces, only for what it holds.
//!
//! This crate reads the two wire formats itself. `prost` does not report the byte at which a message is wrong, and
//! builds its own messages first. FlatBuffers readers need generated code with `unsafe`, and do not bound the work for
//! tables that share tables.
#![forbid(unsafe_code)]
// A panic that a file can reach would be a bug of the reader.
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

#[cfg(feature = "ravel")]
pub mod ravel;

pub use aval::Aval;
pub use export::Exported;
pub use export_error::{ExportError, ExportErrorKind};
pub use proto::{MAX_KEY_BYTES, read_proto, write_proto};
pub use proto_error::{ProtoError, ProtoErrorKind, WriteProtoError};
pub use treedef::cache::Dim;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
