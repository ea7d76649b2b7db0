//! JAX's treedef proto: the schema, and its two directions.
//!
//! ```text
//! enum Type    { INVALID = 0; LEAF = 1; LIST = 2; NONE = 3; TUPLE = 4; DICT = 5; }
//! message Keys { repeated uint32 str_id = 1; }
//! message Node { uint32 arity = 1; Type type = 2; Keys dict_keys = 3; }
//! message Tree { repeated Node nodes = 1; repeated string interned_strings = 2; }
//! ```
//!
//! Nodes stand in post-order with repeats written out; a key is the index of an interned string.

mod fault;

mod names;

mod wire;

mod write;

mod table;

mod read;

pub use fault::{ProtoError, ProtoErrorKind};
pub use names::ProtoKey;
pub use read::{Proto, ProtoFrame};
pub use table::ProtoNode;
pub use write::{PROTO_KEYS, ProtoLevel, proto_into, proto_into_with, proto_len};

/// The numbers of the fields.
const NODES: u32 = 1;
const STRINGS: u32 = 2;
const ARITY: u32 = 1;
const TYPE: u32 = 2;
const DICT_KEYS: u32 = 3;
const STR_ID: u32 = 1;

/// The numbers of the node types.
const LEAF: u32 = 1;
const LIST: u32 = 2;
const NONE: u32 = 3;
const TUPLE: u32 = 4;
const DICT: u32 = 5;
