//! Pytrees without a heap.
#![no_std]
#![forbid(unsafe_code)]
// Shipped code has no reachable panic; `no_std-check` proves it for a linked program.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation
    )
)]

mod error;

mod varint;

mod value;

mod head;

mod validate;

mod fingerprint;

mod heading;

mod treedef;

mod traverse;

mod path;

mod order;

mod builder;

pub use builder::{Builder, Frame};
pub use error::{DecodeError, DecodeErrorKind, Error};
pub use head::{ChildKey, ChildKeys, Head, Keys, Kind, Statics};
pub use heading::{
    CustomOf, DictKind, DictOf, Heading, ListOf, NamedTupleOf, SomeOf, StructOf, TupleOf,
};
pub use path::{Entries, KeyEntry, Path, PathEntries};
pub use traverse::{Children, Cursor, NODES_DEPTH, NodeAt, Nodes, Siblings};
pub use treedef::TreeDef;
pub use validate::{Level, MAX_PENDING};
pub use value::{BigInt, MAX_VALUE_DEPTH, Tuple, Value};
