//! Reads node heads: the first byte of an item, its count, and where its block is.
//!
//! What is in the block depends on the kind: the files of `heading` read it.

use crate::base::attempt::attempt;
use crate::base::bytes::{after, first};
use crate::format::reader::{Input, read_run};
use crate::format::varint::{self, Front};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// How the names of the children are written in the block of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Keys that are strings.
    Str,
    /// Keys that are integers.
    Int,
    /// Keys of any types, as values with their tags.
    Typed,
    /// Names of fields.
    Field,
    /// The keys of a custom node.
    Child,
    /// Nothing: children have positions.
    Position,
    /// Nothing: a custom node without keys.
    Flat,
    /// Nothing: the child of a `Some`.
    Some,
}

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

    /// The head of `Some`.
    pub(crate) const SOME: Head<'static> =
        Head { bytes: &[EXT << 5 | EXT_SOME, 1, 0], block: 3, arity: 1 };

    /// Reads the head at the front of a treedef, or of bytes that a [`HeadSpec`](crate::head::HeadSpec) wrote.
    pub(crate) const fn trusted(bytes: &'a [u8]) -> Self {
        match read_item(bytes) {
            Some((Item::Node(head), _)) => head,
            _ => Head::LEAF,
        }
    }

    /// The head at the front of `bytes` with a block of `block` bytes, before `rest`.
    #[inline(always)]
    const fn before(rest: &[u8], bytes: &'a [u8], block: usize, arity: u32) -> Self {
        let len = bytes.len().wrapping_sub(rest.len());
        let bytes = first(bytes, len);
        #[expect(clippy::cast_possible_truncation, reason = "a byte and two numbers are before it")]
        let block = len.wrapping_sub(block) as u32;
        Self { bytes, block, arity }
    }

    /// The encoded bytes: those of [`TreeDef::as_bytes`](crate::TreeDef::as_bytes) up to the first child.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of children.
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

    /// The kind of the node.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        kind_of(self.first())
    }

    /// How the names of the children are written. A custom node may have none.
    pub(crate) const fn form(&self) -> Form {
        form_of(self.first())
    }

    /// Whether the entries of the children are their positions.
    pub(crate) const fn has_positions(&self) -> bool {
        match self.kind() {
            Kind::Tuple | Kind::List => true,
            Kind::Custom => self.names().is_empty(),
            _ => false,
        }
    }

    /// The block's payload.
    pub(crate) const fn block(&self) -> &'a [u8] {
        after(self.bytes, self.block as usize)
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
            Kind::NamedTuple | Kind::Struct | Kind::Custom => Input::new(self.block()).text(),
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
}

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

/// How a head with this first byte writes the names of the children. A custom node may have none.
pub(crate) const fn form_of(first: u8) -> Form {
    match tag_of(first) {
        (DICT, _) | (EXT, EXT_ORDERED | EXT_DEFAULT) => Form::Str,
        (EXT, EXT_DICT_INT | EXT_ORDERED_INT | EXT_DEFAULT_INT) => Form::Int,
        (EXT, EXT_DICT_TYPED | EXT_ORDERED_TYPED | EXT_DEFAULT_TYPED) => Form::Typed,
        (STRUCT, _) | (EXT, EXT_NAMED_TUPLE) => Form::Field,
        (EXT, EXT_CUSTOM) => Form::Child,
        (EXT, EXT_SOME) => Form::Some,
        _ => Form::Position,
    }
}

/// Reads the item at the front, which was checked before: neither the children of a node nor the contents of its block.
pub(crate) const fn read_item(bytes: &[u8]) -> Option<(Item<'_>, &[u8])> {
    let (first, rest) = attempt!(bytes.split_first());
    let (kind, low) = tag_of(*first);
    let (count, rest) = match (kind, low) {
        (EXT, EXT_NONE) => return Some((Item::Node(Head::NONE), rest)),
        (EXT, EXT_SOME..=EXT_CUSTOM) => attempt!(varint::read_u32(rest)),
        (EXT.., _) => return None,
        (_, ESCAPE) => {
            let (more, rest) = attempt!(varint::read_u32(rest));
            (attempt!(more.checked_add(ESCAPE as u32)), rest)
        }
        _ => (low as u32, rest),
    };
    Some(match kind {
        LEAVES => (Item::Leaves(attempt!(count.checked_add(1))), rest),
        TUPLE | LIST => (Item::Node(Head::before(rest, bytes, 0, count)), rest),
        SAME => {
            let (leaves, rest) = attempt!(varint::read_u32(rest));
            (Item::Same { copies: attempt!(count.checked_add(1)), leaves }, rest)
        }
        _ => {
            let (block, rest) = attempt!(read_run(rest));
            (Item::Node(Head::before(rest, bytes, block.len(), count)), rest)
        }
    })
}

/// A kind with its count: a whole tuple or list head, or the start of a dict or struct head.
pub(crate) const fn kind_and_count(kind: u8, count: usize) -> Front {
    match count.checked_sub(ESCAPE as usize) {
        Some(more) => Front::of([kind << 5 | ESCAPE]).then_number(more as u64),
        None => {
            let [low, ..] = count.to_le_bytes();
            Front::of([kind << 5 | low])
        }
    }
}

/// Reads the count of an item of this kind from the front: of a run of leaves, or the copies of a repeat. There are none of 0, so it is
/// stored less one; of another kind it is one more than the number of children.
pub(crate) const fn read_count(bytes: &[u8], kind: u8) -> Option<(u32, &[u8])> {
    let (first, rest) = attempt!(bytes.split_first());
    match first.wrapping_sub(kind << 5) {
        ESCAPE => {
            let (more, rest) = attempt!(varint::read_u32(rest));
            Some((attempt!(more.checked_add(32)), rest))
        }
        low if low < ESCAPE => Some(((low as u32).wrapping_add(1), rest)),
        // Another kind.
        _ => None,
    }
}
