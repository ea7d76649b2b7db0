//! Defines the errors of treedef protos.

use core::error::Error;
use core::fmt;

use treedef::TreeDef;

/// Why bytes are not a treedef proto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtoError {
    kind: ProtoErrorKind,
    at: usize,
}

impl ProtoError {
    pub(crate) const fn new(kind: ProtoErrorKind, at: usize) -> Self {
        Self { kind, at }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ProtoErrorKind {
        self.kind
    }

    /// Where: the byte offset of the field or integer that is refused.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }
}

/// What is wrong with bytes that are not a treedef proto.
///
/// The wire and the nodes are checked in the order of the bytes, then the number of roots, then the keys, again in the
/// order of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtoErrorKind {
    /// The bytes end inside a field, or a length exceeds what follows.
    Truncated,
    /// An integer is longer than ten bytes, or a tag or a length is longer than five.
    Varint,
    /// The field number 0.
    FieldNumber,
    /// A wire type that protocol buffers do not have.
    WireType(u8),
    /// The end of a group that is not open.
    Group,
    /// A string that is not UTF-8.
    NotUtf8,
    /// A node type that the schema does not have; 0 if the node has none.
    UnknownType(u32),
    /// A leaf or a `None` that announces children.
    Childless {
        /// Children it announces.
        found: u32,
    },
    /// A node announces more children than there are nodes without a parent before it.
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
    /// A dictionary whose numbers of keys and children differ, or another node with keys.
    KeyCount {
        /// Keys the node should have.
        expected: u32,
        /// Keys it has.
        found: u32,
    },
    /// A key whose index is not that of a string of the proto.
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
    /// Up to this node, the keys of all dictionaries have more than [`MAX_KEY_BYTES`](crate::MAX_KEY_BYTES) bytes for
    /// each byte of the proto; or the treedef has more than `u32::MAX` bytes.
    TooLarge,
    /// Groups of an unknown field nest deeper than 16 levels.
    TooDeep {
        /// The bound.
        limit: u32,
    },
}

impl fmt::Display for ProtoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ProtoErrorKind as K;
        match self.kind {
            K::Truncated => f.write_str("proto ends inside a field"),
            K::Varint => f.write_str("integer is too long"),
            K::FieldNumber => f.write_str("field number is 0"),
            K::WireType(kind) => write!(f, "wire type {kind} is unknown"),
            K::Group => f.write_str("end of a group that is not open"),
            K::NotUtf8 => f.write_str("string is not utf-8"),
            K::UnknownType(kind) => write!(f, "node type {kind} is unknown"),
            K::Childless { found } => write!(f, "leaf or None announces children: {found}"),
            K::TooFewChildren { expected, found } => {
                write!(f, "node announces {expected} children and has {found} nodes before it")
            }
            K::Roots { found } => write!(f, "{found} nodes have no parent"),
            K::KeyCount { expected, found } => {
                write!(f, "number of keys is {found} instead of {expected}")
            }
            K::KeyOutOfRange { id } => write!(f, "key refers to string {id}, which does not exist"),
            K::KeyOrder { first, second } => {
                write!(f, "the keys at {first} and {second} are not increasing")
            }
            K::DuplicateKey { first, second } => {
                write!(f, "the keys at {first} and {second} are equal")
            }
            K::TooLarge => f.write_str("keys are too long for the bytes that use them"),
            K::TooDeep { limit } => write!(f, "more than {limit} groups are open"),
        }?;
        write!(f, " at byte {}", self.at)
    }
}

impl Error for ProtoError {}

/// Why a treedef cannot be written as a proto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteProtoError {
    /// A node that is not a leaf, `None`, tuple, list or plain dictionary.
    UserDefinedNode {
        /// Its index in preorder, repeats written out.
        node: u32,
    },
    /// A dictionary with keys that are not strings.
    KeysNotStrings {
        /// Its index in preorder, repeats written out.
        node: u32,
    },
    /// The proto would have more than 2 GiB, the limit of protocol buffers.
    TooLarge,
}

impl WriteProtoError {
    /// Explains the error with the key path of its node in `def`, the treedef that was refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    /// use treedef_jax::write_proto;
    ///
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0xC2, 1, 1, 2, 0xC0])?; // [*, {1: None}]
    /// let error = write_proto(def).unwrap_err();
    /// assert_eq!(error.to_string(), "JAX's format holds string keys only, node 2 has others");
    /// assert_eq!(error.explain(def), "JAX's format holds string keys only, others are at [1]");
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    #[must_use]
    pub fn explain(&self, def: TreeDef<'_>) -> String {
        let place = |node: u32| match def.node_path(node as usize).map(|path| path.to_string()) {
            None => format!("node {node}"),
            Some(path) if path.is_empty() => "the root".into(),
            Some(path) => path,
        };
        match *self {
            Self::UserDefinedNode { node } => {
                format!("JAX's format does not hold the user-defined node at {}", place(node))
            }
            Self::KeysNotStrings { node } => {
                format!("JAX's format holds string keys only, others are at {}", place(node))
            }
            Self::TooLarge => self.to_string(),
        }
    }
}

impl fmt::Display for WriteProtoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserDefinedNode { node } => {
                write!(f, "JAX's format does not hold the user-defined node {node}")
            }
            Self::KeysNotStrings { node } => {
                write!(f, "JAX's format holds string keys only, node {node} has others")
            }
            Self::TooLarge => f.write_str("proto would have more than 2 GiB"),
        }
    }
}

impl Error for WriteProtoError {}
