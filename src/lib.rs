//! Pytrees without a heap.
#![no_std]
#![forbid(unsafe_code)]

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
