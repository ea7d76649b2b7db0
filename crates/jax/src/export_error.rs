//! Defines the errors of artifacts: what is wrong, and where.

use std::error::Error;
use std::fmt;

/// Why bytes are not an artifact of `jax.export`.
///
/// # Examples
///
/// ```
/// use treedef_jax::{ExportErrorKind, Exported};
///
/// let error = Exported::from_bytes(&[60, 0, 0, 0, 1, 2, 3]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ExportErrorKind::OutOfBounds, 0));
/// let text = "no artifact of jax.export, or cut off: offset or length points outside of the bytes at byte 0";
/// assert_eq!(error.to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportError {
    kind: ExportErrorKind,
    at: usize,
}

impl ExportError {
    pub(crate) const fn new(kind: ExportErrorKind, at: usize) -> Self {
        Self { kind, at }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ExportErrorKind {
        self.kind
    }

    /// Where: the byte offset of the table, vector, string or number that is refused.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }
}

/// What is wrong with bytes that are not an artifact of `jax.export`.
///
/// If there are several faults, the reader reports the first that it reads, which need not be the first in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportErrorKind {
    /// An offset or a length points outside of the bytes.
    OutOfBounds,
    /// The list of a table's fields has an impossible length.
    BadTable,
    /// A string that is not UTF-8.
    NotUtf8,
    /// A table has no field that is required.
    MissingField {
        /// The number of the field in the table's schema, from 0.
        field: u8,
    },
    /// A node kind that the schema does not have.
    UnknownNode(u8),
    /// An abstract value of another kind than an array.
    UnknownAval(u8),
    /// An element type that the schema does not have.
    UnknownDtype(u8),
    /// The numbers of children and keys of a node differ, or a leaf or `None` has children.
    Arity {
        /// The number of keys.
        expected: usize,
        /// The number of children.
        found: usize,
    },
    /// Keys of a dict that are not in sorted order.
    UnsortedKeys {
        /// Index of the first of the two keys.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// Two equal keys of one dictionary.
    DuplicateKey {
        /// Index of the first of the two keys.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// The keys of an ordered dictionary are not a JSON list of strings.
    BadKeys,
    /// A tree is nested deeper than [`MAX_DEPTH`](treedef::encode::MAX_DEPTH).
    TooDeep {
        /// The bound.
        limit: u32,
    },
    /// A tree takes more than the `u32::MAX` bytes that a treedef can have.
    TooLarge,
    /// Trees and abstract values describe more than the bytes can hold, because they share tables or strings.
    Shared,
    /// The numbers of abstract values and leaves differ.
    AvalCount {
        /// The number of leaves.
        expected: usize,
        /// The number of abstract values.
        found: usize,
    },
    /// The index of an abstract value or of an input is too large, or not above the one before it.
    BadIndex {
        /// The index.
        index: u32,
    },
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ExportErrorKind as K;
        match self.kind {
            K::OutOfBounds => {
                f.write_str("no artifact of jax.export, or cut off: offset or length points outside of the bytes")
            }
            K::BadTable => {
                f.write_str("no artifact of jax.export: table has no list of its fields")
            }
            K::NotUtf8 => f.write_str("string is not utf-8"),
            K::MissingField { field } => write!(f, "table lacks field {field}"),
            K::UnknownNode(kind) => write!(f, "node kind {kind} is unknown"),
            K::UnknownAval(kind) => write!(f, "abstract value kind {kind} is unknown"),
            K::UnknownDtype(dtype) => write!(f, "element type {dtype} is unknown"),
            K::Arity { expected, found } => {
                write!(f, "number of children is {found}, of keys {expected}")
            }
            K::UnsortedKeys { first, second } => {
                write!(f, "the keys at {first} and {second} are not in sorted order")
            }
            K::DuplicateKey { first, second } => {
                write!(f, "the keys at {first} and {second} are equal")
            }
            K::BadKeys => f.write_str("keys are not a JSON list of strings"),
            K::TooDeep { limit } => write!(f, "tree is nested deeper than {limit} levels"),
            K::TooLarge => f.write_str("tree takes more than 4294967295 bytes"),
            K::Shared => f.write_str("shared tables describe more than the bytes can hold"),
            K::AvalCount { expected, found } => {
                write!(f, "{found} abstract values for {expected} leaves")
            }
            K::BadIndex { index } => write!(f, "index {index} is too large or out of order"),
        }?;
        write!(f, " at byte {}", self.at)
    }
}

impl Error for ExportError {}
