// The bytes of a treedef: numbers, values, heads, validation, fingerprint.
//
// - `varint`: integers of variable length;
// - `reader`: reads bytes from the front; `pieces`: passes bytes on;
// - `value`: values in a treedef; `value_bytes`: their encoding; `value_order`: how they are compared;
// - `to_value`: Rust types that become keys and meta fields, and are read back;
// - `head`: the head byte of a node, its count and where its block is;
// - `child_key`: the key that a custom node gives a child; `entry`: the names of children as entries of a path;
// - `keys`: the keys of a dictionary that is built;
// - `heading`: the heads of each kind: how they are written, read and checked, one file for each kind;
// - `validate`: checks bytes from outside;
// - `fingerprint`: the hash of the bytes.

#![doc = include_str!("../docs/format.md")]

pub(crate) mod child_key;
pub(crate) mod entry;
pub(crate) mod fingerprint;
pub(crate) mod head;
pub(crate) mod heading;
pub(crate) mod keys;
pub(crate) mod pieces;
pub(crate) mod reader;
pub(crate) mod to_value;
pub(crate) mod validate;
pub(crate) mod value;
pub(crate) mod value_bytes;
mod value_order;
pub(crate) mod varint;

pub use crate::base::decode_error::DecodeErrorKind;
pub use to_value::{FromValue, MapKey, ToValue};
pub use validate::MAX_PENDING;
pub use value::{BigInt, Elements, MAX_VALUE_DEPTH, ValueTuple};

/// The version of the byte format. A new kind of node raises it; older readers refuse such bytes by kind and
/// offset.
///
/// # Examples
///
/// ```
/// use treedef::format::VERSION;
///
/// let file = [VERSION, 0x22, 0x01]; // a version, and (*, *)
/// assert_eq!(file.split_first(), Some((&1, [0x22, 0x01].as_slice())));
/// ```
pub const VERSION: u8 = 1;
