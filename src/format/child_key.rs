//! Reads and writes the keys that a custom node gives its children.

use core::iter::FusedIterator;

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::show::{debug_enum, debug_struct};
use crate::format::reader::Input;
use crate::format::value::{Put, Stop, Value, put_run};
use crate::format::varint;

/// The keys of a custom node's children, from [`Head::child_keys`](crate::Head::child_keys).
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::head::{ChildKey, Custom, head_into};
///
/// let keys = [ChildKey::Attr("left"), ChildKey::Attr("right")];
/// let node = Custom { name: "Pair", aux: Value::None, children: 2, child_keys: Some(&keys) };
/// let mut bytes = [0; 32];
/// let head = head_into(&node, &mut bytes)?;
/// assert!(head.child_keys().is_some_and(|found| found.eq(keys)));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct ChildKeys<'a> {
    left: u32,
    bytes: &'a [u8],
}

debug_struct!([] ChildKeys<'_> { left });

impl<'a> ChildKeys<'a> {
    /// The last `left` keys, which `bytes` begin with.
    pub(crate) const fn resume(left: u32, bytes: &'a [u8]) -> Self {
        Self { left, bytes }
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.bytes
    }
}

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

debug_enum!(ChildKey<'_> { Attr(name), Key(key), Index(index), Raw(text) });

impl<'a> ChildKey<'a> {
    /// Reads one child key from the front.
    fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let mut input = Input::new(bytes);
        Some((Self::take(&mut input)?, input.rest))
    }

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
        match *self {
            ChildKey::Attr(name) => {
                put(&[0])?;
                put_run(name.as_bytes(), put)
            }
            ChildKey::Key(key) => {
                put(&[1])?;
                key.pieces(put)
            }
            ChildKey::Index(index) => {
                put(&[2])?;
                put(varint::Varint::new(u64::from(index)).as_bytes())
            }
            ChildKey::Raw(text) => {
                put(&[3])?;
                put_run(text.as_bytes(), put)
            }
        }
    }
}

impl<'a> Iterator for ChildKeys<'a> {
    type Item = ChildKey<'a>;

    fn next(&mut self) -> Option<ChildKey<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (key, rest) = ChildKey::read(self.bytes)?;
        self.bytes = rest;
        Some(key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for ChildKeys<'_> {}

impl FusedIterator for ChildKeys<'_> {}
