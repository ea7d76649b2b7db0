//! Why bytes are not a treedef proto.

use core::fmt;

use crate::base::show::{Counted, Shown, children, debug_enum, debug_struct};

/// Why bytes are not a treedef proto, or the caller's nodes too few for it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProtoError {
    kind: ProtoErrorKind,
    at: u32,
}

debug_struct!([] ProtoError { kind, at });

impl ProtoError {
    pub(super) fn new(kind: ProtoErrorKind, at: usize) -> Self {
        Self { kind, at: u32::try_from(at).unwrap_or(u32::MAX) }
    }

    /// What is wrong.
    pub const fn kind(&self) -> ProtoErrorKind {
        self.kind
    }

    /// Where: the byte offset of the field or integer that is refused.
    pub const fn offset(&self) -> usize {
        self.at as usize
    }
}

/// What is wrong with bytes that are not a treedef proto.
///
/// The wire and the nodes are looked at in the order of the bytes, then the number of roots, then the keys, again in
/// the order of the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ProtoErrorKind {
    /// The bytes end inside a field, or a length exceeds what follows.
    Truncated,
    /// An integer is longer than ten bytes, a tag or a length longer than five.
    Varint,
    /// The field number 0.
    FieldNumber,
    /// A wire type that protocol buffers lack.
    WireType(u8),
    /// The end of a group that is not open.
    Group,
    /// A string that is not UTF-8.
    NotUtf8,
    /// A node type that the schema lacks; 0 where the node states none.
    UnknownType(u32),
    /// A leaf or a `None` that announces children.
    Childless {
        /// Children it announces.
        found: u32,
    },
    /// Fewer nodes without a parent stand before a node than it announces children.
    TooFewChildren {
        /// Children it announces.
        expected: u32,
        /// Nodes without a parent.
        found: u32,
    },
    /// No node, or more than one, has no parent.
    Roots {
        /// Nodes without a parent.
        found: u32,
    },
    /// A dictionary with another number of keys than children, or keys on another node.
    KeyCount {
        /// Keys the node should have.
        expected: u32,
        /// Keys it has.
        found: u32,
    },
    /// A key that is no string of the proto.
    KeyOutOfRange {
        /// The index.
        id: u32,
    },
    /// Keys that are not increasing.
    KeyOrder {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Keys that are equal.
    DuplicateKey {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// More than `u32::MAX` bytes.
    TooLarge,
    /// Groups of an unknown field nest deeper than 16 levels.
    TooDeep {
        /// The bound.
        limit: u32,
    },
    /// The caller's nodes are too few.
    NodesFull {
        /// Nodes and strings of the proto, exact.
        needed: usize,
        /// Nodes the slice holds.
        room: usize,
    },
}

debug_enum!(ProtoErrorKind {
    Truncated,
    Varint,
    FieldNumber,
    WireType(kind),
    Group,
    NotUtf8,
    UnknownType(kind),
    Childless { found },
    TooFewChildren { expected, found },
    Roots { found },
    KeyCount { expected, found },
    KeyOutOfRange { id },
    KeyOrder { first, second },
    DuplicateKey { first, second },
    TooLarge,
    TooDeep { limit },
    NodesFull { needed, room },
});

impl fmt::Display for ProtoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ProtoErrorKind as K;
        match self.kind {
            K::Truncated => f.write_str("proto ends inside a field"),
            K::Varint => f.write_str("integer is too long"),
            K::FieldNumber => f.write_str("field number is 0"),
            K::WireType(kind) => write!(f, "wire type {} is unknown", Shown(kind)),
            K::Group => f.write_str("end of a group that is not open"),
            K::NotUtf8 => f.write_str("string is not utf-8"),
            K::UnknownType(kind) => write!(f, "node type {} is unknown", Shown(kind)),
            K::Childless { found } => {
                write!(f, "leaf or None announces {}", children(found))
            }
            K::TooFewChildren { expected, found } => write!(
                f,
                "node announces {} and has {} before it",
                children(expected),
                Counted(found, " node", " nodes")
            ),
            K::Roots { found } => write!(f, "{} nodes have no parent", Shown(found)),
            K::KeyCount { expected, found } => {
                write!(
                    f,
                    "node has {} instead of {}",
                    Counted(found, " key", " keys"),
                    Shown(expected)
                )
            }
            K::KeyOutOfRange { id } => {
                write!(f, "key refers to string {}, which is none", Shown(id))
            }
            K::KeyOrder { first, second } => {
                write!(f, "the keys at {} and {} are not increasing", Shown(first), Shown(second))
            }
            K::DuplicateKey { first, second } => {
                write!(f, "the keys at {} and {} are equal", Shown(first), Shown(second))
            }
            K::TooLarge => f.write_str("more than 4294967295 bytes"),
            K::TooDeep { limit } => write!(f, "more than {} groups are open", Shown(limit)),
            K::NodesFull { needed, room } => {
                write!(
                    f,
                    "proto has {} nodes and strings, the slice holds {}",
                    Shown(needed),
                    Shown(room)
                )
            }
        }?;
        write!(f, " at byte {}", Shown(self.at))
    }
}

impl core::error::Error for ProtoError {}
