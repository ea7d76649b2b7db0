//! Reads node heads: the head byte, its count, and the block with keys, names and meta fields.

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::show::{debug_enum, show_by_debug};
pub use crate::format::child_key::{ChildKey, ChildKeys};
use crate::format::keys::Form;
pub use crate::format::keys::{Keys, MetaFields};
use crate::format::value::{Value, read_run, read_str, skip_value};
use crate::format::varint;

pub(crate) const LEAVES: u8 = 0;
pub(crate) const TUPLE: u8 = 1;
pub(crate) const LIST: u8 = 2;
pub(crate) const DICT: u8 = 3;
pub(crate) const STRUCT: u8 = 4;
pub(crate) const SAME: u8 = 5;
pub(crate) const EXT: u8 = 6;

pub(crate) const EXT_NONE: u8 = 0;
pub(crate) const EXT_SOME: u8 = 1;
pub(crate) const EXT_DICT_INT: u8 = 2;
pub(crate) const EXT_DICT_TYPED: u8 = 3;
pub(crate) const EXT_ORDERED: u8 = 4;
pub(crate) const EXT_ORDERED_INT: u8 = 5;
pub(crate) const EXT_ORDERED_TYPED: u8 = 6;
pub(crate) const EXT_DEFAULT: u8 = 7;
pub(crate) const EXT_DEFAULT_INT: u8 = 8;
pub(crate) const EXT_DEFAULT_TYPED: u8 = 9;
pub(crate) const EXT_NAMED_TUPLE: u8 = 10;
pub(crate) const EXT_CUSTOM: u8 = 11;

/// The low five bits if the rest of the count is in a varint.
pub(crate) const ESCAPE: u8 = 31;

/// The encoding of one leaf.
pub(crate) const LEAF_BYTES: &[u8] = &[0x00];

/// The kind of a node.
///
/// # Examples
///
/// ```
/// use treedef::{Kind, treedef};
///
/// let def = treedef!({"b": None, "w": [*, *]});
/// let kinds = def.children().map(|child| child.kind());
/// assert!(kinds.eq([Kind::None, Kind::List]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Kind {
    /// A leaf.
    Leaf,
    /// Python's `None`: a node without children.
    None,
    /// Rust's `Some` around a child that can itself be `None`.
    Some,
    /// A tuple.
    Tuple,
    /// A list.
    List,
    /// A dictionary with sorted keys.
    Dict,
    /// A dictionary that keeps the order of its keys.
    OrderedDict,
    /// A dictionary with sorted keys and a default factory.
    DefaultDict,
    /// A named tuple.
    NamedTuple,
    /// A struct, a dataclass or an enum variant.
    Struct,
    /// A custom node: type name, aux data, optional child keys.
    Custom,
}

debug_enum!(Kind {
    Leaf,
    None,
    Some,
    Tuple,
    List,
    Dict,
    OrderedDict,
    DefaultDict,
    NamedTuple,
    Struct,
    Custom
});

/// One stored item.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    /// This many adjacent leaves.
    Leaves(u32),
    /// `copies` more of the node before, each with `leaves` leaves.
    Same { copies: u32, leaves: u32 },
    /// A node; its children follow.
    Node(Head<'a>),
}

/// The head of a node: its kind, its number of children, its keys, names and meta fields.
///
/// It borrows the encoded bytes; its methods parse them when they are called.
///
/// # Examples
///
/// ```
/// use treedef::{Kind, TreeDef, Value};
///
/// // {'a': *, 'b': *}
/// let def = TreeDef::from_bytes(&[0x62, 4, 1, b'a', 1, b'b', 0x01])?;
/// let head = def.head();
/// assert_eq!((head.kind(), head.num_children()), (Kind::Dict, 2));
/// assert!(head.keys().eq([Value::Str("a"), Value::Str("b")]));
/// # Ok::<(), treedef::DecodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head<'a> {
    bytes: &'a [u8],
    block: u32,
    arity: u32,
}

impl<'a> Head<'a> {
    /// The head of a leaf.
    pub(crate) const LEAF: Self = Self { bytes: LEAF_BYTES, block: 1, arity: 0 };

    /// The head of `None`.
    pub(crate) const NONE: Head<'static> = Head { bytes: &[EXT << 5], block: 1, arity: 0 };

    /// Reads the head at the front of a treedef, or of bytes that a [`HeadSpec`](crate::head::HeadSpec) wrote.
    pub(crate) const fn trusted(bytes: &'a [u8]) -> Self {
        match read_item(bytes) {
            Ok((Item::Node(head), _)) => head,
            _ => Head::LEAF,
        }
    }

    /// The head of `Some`.
    pub(crate) const SOME: Head<'static> =
        Head { bytes: &[EXT << 5 | EXT_SOME, 1, 0], block: 3, arity: 1 };

    /// The encoded bytes. [`TreeDef::as_bytes`](crate::TreeDef::as_bytes) has an example.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of children. [`Head`] has an example.
    #[must_use]
    pub const fn num_children(&self) -> usize {
        self.arity as usize
    }

    pub(crate) const fn arity(&self) -> u32 {
        self.arity
    }

    /// The first byte.
    const fn first(&self) -> u8 {
        match self.bytes {
            [first, ..] => *first,
            [] => LEAVES,
        }
    }

    /// The kind of the node. [`Head`] has an example.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        kind_of(self.first())
    }

    /// How the keys are written; `None` for kinds without dictionary keys.
    pub(crate) const fn form(&self) -> Option<Form> {
        form_of(self.first())
    }

    /// The block's payload.
    pub(crate) const fn block(&self) -> &'a [u8] {
        match self.bytes.split_at_checked(self.block as usize) {
            Some((_, block)) => block,
            None => &[],
        }
    }

    /// The type name of a struct, named tuple or custom node, with its path; `None` for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    ///
    /// // Pid(gain=*)
    /// let def = TreeDef::from_bytes(&[0x81, 9, 3, b'P', b'i', b'd', 4, b'g', b'a', b'i', b'n', 0x00])?;
    /// assert_eq!(def.head().type_name(), Some("Pid"));
    /// assert!(def.head().fields().eq(["gain"]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    #[must_use]
    pub fn type_name(&self) -> Option<&'a str> {
        match self.kind() {
            Kind::NamedTuple | Kind::Struct | Kind::Custom => Some(read_str(self.block())?.0),
            _ => None,
        }
    }

    /// The bytes of the type name.
    pub(crate) const fn type_name_bytes(&self) -> &'a [u8] {
        match (self.kind(), read_run(self.block())) {
            (Kind::NamedTuple | Kind::Struct | Kind::Custom, Some((name, _))) => name,
            _ => &[],
        }
    }

    /// The default factory of a default dictionary, as Python prints it; `None` for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::head::{Dict, DictKind, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let head = head_into(&Dict::new(DictKind::Default("<class 'list'>"), ["a"]), &mut bytes)?;
    /// assert_eq!(head.factory(), Some("<class 'list'>"));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn factory(&self) -> Option<&'a str> {
        match self.kind() {
            Kind::DefaultDict => Some(read_str(self.block())?.0),
            _ => None,
        }
    }

    /// The block after its leading name, if the kind has one.
    pub(crate) const fn body(&self) -> &'a [u8] {
        match self.kind() {
            Kind::NamedTuple | Kind::Struct | Kind::Custom | Kind::DefaultDict => {
                match read_run(self.block()) {
                    Some((_, body)) => body,
                    None => &[],
                }
            }
            _ => self.block(),
        }
    }

    /// The keys of a dictionary, in the order of its children; empty for every other kind. [`Head`] has an example.
    pub fn keys(&self) -> Keys<'a> {
        match self.form() {
            Some(form) => Keys { form, left: self.arity, bytes: self.body() },
            None => Keys { form: Form::Str, left: 0, bytes: &[] },
        }
    }

    /// The field names of a struct or named tuple; empty for every other kind. [`Head::type_name`] has an example.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.names().filter_map(|name| match name {
            Value::Str(name) => Some(name),
            _ => None,
        })
    }

    /// The field names as keys.
    pub(crate) fn names(&self) -> Keys<'a> {
        match self.kind() {
            Kind::NamedTuple | Kind::Struct => self.strings(),
            _ => Keys { form: Form::Str, left: 0, bytes: &[] },
        }
    }

    /// The keys or field names of a node that has strings for them.
    pub(crate) fn strings(&self) -> Keys<'a> {
        Keys { form: Form::Str, left: self.arity, bytes: self.body() }
    }

    /// The meta fields of a struct, each with its name; empty for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::head::{Struct, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let layer = Struct { name: "Dense", fields: &["w", "b"], meta: &[("units", Value::Int(64))] };
    /// let head = head_into(&layer, &mut bytes)?;
    /// assert!(head.meta_fields().eq([("units", Value::Int(64))]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn meta_fields(&self) -> MetaFields<'a> {
        if self.kind() != Kind::Struct {
            return MetaFields { bytes: &[] };
        }
        MetaFields { bytes: self.names().after_strings() }
    }

    /// The aux data of a custom node; `None` for every other kind.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    /// use treedef::head::{ChildKey, Custom, head_into};
    ///
    /// let mut bytes = [0; 32];
    /// let keys = [ChildKey::Attr("left"), ChildKey::Index(1)];
    /// let node = Custom { name: "Pair", aux: Value::Int(7), children: 2, child_keys: Some(&keys) };
    /// let head = head_into(&node, &mut bytes)?;
    /// assert_eq!(head.aux(), Some(Value::Int(7)));
    /// assert!(head.child_keys().is_some_and(|found| found.eq(keys)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn aux(&self) -> Option<Value<'a>> {
        match self.kind() {
            Kind::Custom => Some(Value::read(self.body()).ok()?.0),
            _ => None,
        }
    }

    /// The keys that a custom node gives its children; `None` if it gives none. [`Head::aux`] has an example.
    #[must_use]
    pub const fn child_keys(&self) -> Option<ChildKeys<'a>> {
        match (self.kind(), skip_value(self.body())) {
            (Kind::Custom, Some(bytes @ [_, ..])) => Some(ChildKeys::resume(self.arity, bytes)),
            _ => None,
        }
    }
}

show_by_debug!([] Head<'_>);

/// Splits a first byte into the kind and the low five bits.
pub(crate) const fn tag_of(first: u8) -> (u8, u8) {
    (first >> 5, first & ESCAPE)
}

/// The kind of a node whose head has this first byte.
pub(crate) const fn kind_of(first: u8) -> Kind {
    match tag_of(first) {
        (TUPLE, _) => Kind::Tuple,
        (LIST, _) => Kind::List,
        (DICT, _) => Kind::Dict,
        (STRUCT, _) => Kind::Struct,
        (EXT, EXT_NONE) => Kind::None,
        (EXT, EXT_SOME) => Kind::Some,
        (EXT, EXT_DICT_INT | EXT_DICT_TYPED) => Kind::Dict,
        (EXT, EXT_ORDERED | EXT_ORDERED_INT | EXT_ORDERED_TYPED) => Kind::OrderedDict,
        (EXT, EXT_DEFAULT | EXT_DEFAULT_INT | EXT_DEFAULT_TYPED) => Kind::DefaultDict,
        (EXT, EXT_NAMED_TUPLE) => Kind::NamedTuple,
        (EXT, _) => Kind::Custom,
        _ => Kind::Leaf,
    }
}

/// How a head with this first byte writes keys; `None` for kinds without dictionary keys.
pub(crate) const fn form_of(first: u8) -> Option<Form> {
    match tag_of(first) {
        (DICT, _) | (EXT, EXT_ORDERED | EXT_DEFAULT) => Some(Form::Str),
        (EXT, EXT_DICT_INT | EXT_ORDERED_INT | EXT_DEFAULT_INT) => Some(Form::Int),
        (EXT, EXT_DICT_TYPED | EXT_ORDERED_TYPED | EXT_DEFAULT_TYPED) => Some(Form::Typed),
        _ => None,
    }
}

/// Reads the item at the front: neither the children of a node nor the contents of its block.
#[inline]
pub(crate) const fn read_item(bytes: &[u8]) -> Result<(Item<'_>, &[u8]), Fault> {
    let Some((&first, rest)) = bytes.split_first() else { return Err(Fault::Truncated) };
    let (kind, low) = (first >> 5, first & ESCAPE);
    if kind > EXT {
        return Err(Fault::UnknownKind(kind));
    }
    if kind == EXT {
        return match low {
            EXT_NONE => Ok((Item::Node(Head::NONE), rest)),
            EXT_SOME..=EXT_CUSTOM => match varint::read_u32(rest) {
                Some((arity, rest)) => read_block(bytes, arity, rest),
                None => Err(Fault::Truncated),
            },
            other => Err(Fault::UnknownSubkind(other)),
        };
    }
    let (count, rest) = match low {
        ESCAPE => match varint::read_u32(rest) {
            Some((more, rest)) => match more.checked_add(ESCAPE as u32) {
                Some(count) => (count, rest),
                None => return Err(Fault::TooLarge),
            },
            None => return Err(Fault::Truncated),
        },
        low => (low as u32, rest),
    };
    match kind {
        LEAVES => match count.checked_add(1) {
            Some(count) => Ok((Item::Leaves(count), rest)),
            None => Err(Fault::TooLarge),
        },
        SAME => {
            let Some((leaves, rest)) = varint::read_u32(rest) else { return Err(Fault::Truncated) };
            match count.checked_add(1) {
                Some(copies) => Ok((Item::Same { copies, leaves }, rest)),
                None => Err(Fault::TooLarge),
            }
        }
        DICT | STRUCT => read_block(bytes, count, rest),
        _ => {
            let len = bytes.len().saturating_sub(rest.len());
            let head = match bytes.split_at_checked(len) {
                Some((head, _)) => head,
                None => bytes,
            };
            Ok((Item::Node(Head { bytes: head, block: to_u32(len), arity: count }), rest))
        }
    }
}

/// Encodes a head without a block whose count needs a varint: the bytes, and how many of them are used.
#[inline(never)]
pub(crate) const fn long_head(kind: u8, count: usize) -> ([u8; 6], usize) {
    let mut bytes = [kind << 5 | ESCAPE; 6];
    let (mut more, mut len) = (count.saturating_sub(ESCAPE as usize), 1usize);
    let [_, slots @ ..] = &mut bytes;
    let mut slots = slots.as_mut_slice();
    while let [slot, rest @ ..] = slots {
        let [low, ..] = more.to_le_bytes();
        len = len.wrapping_add(1);
        if more < 128 {
            *slot = low;
            break;
        }
        *slot = low | 128;
        more = (more >> 7).wrapping_sub(1);
        slots = rest;
    }
    (bytes, len)
}

/// Reads the count of an item of this kind from the front: of a run of leaves, or the copies of a repeat.
pub(crate) const fn read_count(bytes: &[u8], kind: u8) -> Option<(u32, &[u8])> {
    let Some((first, rest)) = bytes.split_first() else { return None };
    let (count, rest) = match first.wrapping_sub(kind << 5) {
        ESCAPE => match varint::read_u32(rest) {
            Some((more, rest)) => (more.checked_add(32), rest),
            None => return None,
        },
        low if low < ESCAPE => (Some((low as u32).wrapping_add(1)), rest),
        // Another kind.
        _ => return None,
    };
    match count {
        Some(count) => Some((count, rest)),
        None => None,
    }
}

/// Reads the length of a block and steps over its payload.
#[inline]
const fn read_block<'a>(
    bytes: &'a [u8],
    arity: u32,
    rest: &'a [u8],
) -> Result<(Item<'a>, &'a [u8]), Fault> {
    let Some((len, payload)) = varint::read_u32(rest) else { return Err(Fault::Truncated) };
    let at = bytes.len().saturating_sub(payload.len());
    // A length that does not fit `usize` is longer than any slice.
    let len = if len as u64 > usize::MAX as u64 { usize::MAX } else { len as usize };
    if let Some(end) = at.checked_add(len)
        && let Some((head, rest)) = bytes.split_at_checked(end)
    {
        return Ok((Item::Node(Head { bytes: head, block: to_u32(at), arity }), rest));
    }
    Err(Fault::Truncated)
}

/// Converts an offset inside a head, which is at most a kind byte and two varints.
const fn to_u32(at: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let at = at as u32;
    at
}
