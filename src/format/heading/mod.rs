//! The kinds of nodes: each file writes the head of a kind, reads it, and checks it in bytes from outside.
//!
//! - `spec`: what every head that can be written has in common;
//! - `block`: reads texts and values of a block from outside;
//! - `sequence`: tuples, lists and `Some`;
//! - `dict`: dictionaries of all kinds; `text_keys`: those with text keys, in one pass;
//! - `record`: named tuples and structs;
//! - `custom`: nodes of other classes.
//!
//! A new kind gets its tag in `head`, a file here, and a line in `validate`.

pub(crate) mod block;
pub(crate) mod custom;
pub(crate) mod dict;
pub(crate) mod record;
mod sequence;
mod spec;
mod text_keys;

pub use custom::Custom;
pub use dict::{Dict, DictKind};
pub(crate) use record::put_names;
pub use record::{MetaFields, NamedTuple, Struct};
pub use sequence::{List, Some, Tuple};
pub use spec::{Entry, HeadSpec, head_into, head_len};
pub(crate) use spec::{KnownHead, count_len, no_leaf};
pub(crate) use text_keys::{read_text, text_len, write_text};
