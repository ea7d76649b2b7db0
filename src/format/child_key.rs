//! Reads and writes the key that a custom node gives a child.

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::show::debug_enum;
use crate::format::pieces::{Put, Stop, put_run};
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::Front;

/// The key that a custom node gives one of its children.
///
/// # Examples
///
/// ```
/// use treedef::head::ChildKey;
/// use treedef::{KeyEntry, KeyPath};
///
/// let keys = [ChildKey::Attr("x"), ChildKey::Key("x".into()), ChildKey::Index(1)];
/// assert_eq!(KeyPath::new(&keys.map(KeyEntry::from)).to_string(), ".x['x'][1]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChildKey<'a> {
    /// An attribute, as `jax.tree_util.GetAttrKey`.
    Attr(&'a str),
    /// A dictionary key, as `jax.tree_util.DictKey`.
    Key(Value<'a>),
    /// A position, as `jax.tree_util.SequenceKey`.
    Index(u32),
    /// Any other object; it prints without quotes or brackets.
    Raw(&'a str),
}

debug_enum!(ChildKey<'_> { Attr(name as Text), Key(key), Index(index), Raw(text as Text) });

impl<'a> ChildKey<'a> {
    /// Reads one child key.
    pub(crate) fn take(input: &mut Input<'a>) -> Option<Self> {
        Some(match input.byte()? {
            0 => ChildKey::Attr(input.text()?),
            1 => ChildKey::Key(Value::take(input)?),
            2 => ChildKey::Index(input.number()?),
            3 => ChildKey::Raw(input.text()?),
            other => return input.fail(Fault::UnknownChildKey(other)),
        })
    }

    /// Passes the encoding to `put` in pieces.
    pub(crate) fn pieces(&self, put: &mut Put<'_>) -> Result<(), Stop> {
        let (tag, text) = match *self {
            ChildKey::Attr(name) => (0, name),
            ChildKey::Raw(text) => (3, text),
            ChildKey::Key(key) => {
                put(&[1])?;
                return key.pieces(put);
            }
            ChildKey::Index(index) => {
                return put(Front::of([2]).then_number(u64::from(index)).as_bytes());
            }
        };
        put(&[tag])?;
        put_run(text.as_bytes(), put)
    }
}
