// The bytes of a treedef: numbers, values, heads, validation, fingerprint.
//
// - `varint`: integers of variable length;
// - `reader`: reads bytes from outside, and keeps the offset for errors;
// - `value`: values in a treedef, as bytes and as Rust types;
// - `tuple`: tuples inside values: borrowed values, encoded bytes or Rust data;
// - `number`: the order of numbers;
// - `to_value`: Rust types that become keys and meta fields, and are read back;
// - `const_order`: the order of keys at compile time;
// - `child_key`: the keys that a custom node gives its children;
// - `head`: the head byte of a node, its count and its block; `keys`: what the block holds;
// - `outline`: as much of an item as a scan needs that reads no names;
// - `entry`: the entry of a path that leads to a child;
// - `heading`: writes heads, one file for each kind that has keys or names;
// - `validate`: checks bytes from outside;
// - `fingerprint`: the hash of the bytes, and their equality.
//
// Imports from `base`.

#![doc = include_str!("../docs/format.md")]

mod child_key;
pub(crate) mod const_order;
pub(crate) mod entry;
pub(crate) mod fingerprint;
pub(crate) mod head;
pub(crate) mod heading;
pub(crate) mod keys;
mod number;
pub(crate) mod outline;
pub(crate) mod reader;
pub(crate) mod to_value;
pub(crate) mod tuple;
pub(crate) mod validate;
pub(crate) mod value;
pub(crate) mod varint;

pub use crate::base::decode_error::DecodeErrorKind;
pub use to_value::{FromValue, MapKey, ToValue};
pub use tuple::{Elements, ValueTuple};
pub use validate::MAX_PENDING;
pub use value::{BigInt, MAX_VALUE_DEPTH, Stop};

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
