//! What can be wrong with an artifact, and where.

use core::fmt;

use crate::base::show::{Counted, Shown, children, debug_enum, debug_struct};

/// Why bytes are not an artifact of `jax.export`.
///
/// # Examples
///
/// ```
/// use treedef::jax::{ExportErrorKind, Exported};
///
/// let error = Exported::from_bytes(&[60, 0, 0, 0, 1, 2, 3]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ExportErrorKind::OutOfBounds, 60));
/// let text = "no artifact of jax.export, or cut off: offset or length leads outside at byte 60";
/// assert_eq!(error.to_string(), text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ExportError {
    kind: ExportErrorKind,
    at: u32,
}

debug_struct!([] ExportError { kind, at });

impl ExportError {
    pub(super) const fn new(kind: ExportErrorKind, at: u32) -> Self {
        Self { kind, at }
    }

    /// What is wrong.
    pub const fn kind(&self) -> ExportErrorKind {
        self.kind
    }

    /// Where: the byte offset of the table, vector, string or number that is refused.
    pub const fn offset(&self) -> usize {
        self.at as usize
    }
}

/// What is wrong with bytes that are not an artifact of `jax.export`.
///
/// A reader that meets several faults reports the first one on its way, not the one that stands first in the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ExportErrorKind {
    /// More than `u32::MAX` bytes; FlatBuffers end at half of that.
    TooLarge,
    /// An offset or a length leads outside of the bytes.
    OutOfBounds,
    /// The list of a table's fields has no length that such a list can have.
    BadTable,
    /// A string that is not UTF-8.
    NotUtf8,
    /// A table lacks a field that it must have.
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
    /// A node has another number of children than of keys; a leaf or `None` may have none.
    Arity {
        /// The number of keys.
        expected: u32,
        /// The number of children.
        found: u32,
    },
    /// Keys of a dict that are not in sorted order.
    UnsortedKeys {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Two equal keys of one dictionary.
    DuplicateKey {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// The keys of an ordered dictionary are not a JSON list of strings.
    BadKeys,
    /// An ordered dictionary with more keys than are compared, in no sorted order.
    TooManyKeys {
        /// The bound, [`MAX_ORDERED_KEYS`](super::MAX_ORDERED_KEYS).
        limit: u32,
    },
    /// A tree is nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    TooDeep {
        /// The bound.
        limit: u32,
    },
    /// Trees and abstract values describe more than the bytes can hold, because they share tables or strings.
    Shared,
    /// Another number of abstract values than of leaves.
    AvalCount {
        /// The number of leaves.
        expected: u32,
        /// The number of abstract values.
        found: u32,
    },
    /// The index of an abstract value or of an input is too large, or not above the one before it.
    BadIndex {
        /// The index.
        index: u32,
    },
}

debug_enum!(ExportErrorKind {
    TooLarge,
    OutOfBounds,
    BadTable,
    NotUtf8,
    MissingField { field },
    UnknownNode(kind),
    UnknownAval(kind),
    UnknownDtype(dtype),
    Arity { expected, found },
    UnsortedKeys { first, second },
    DuplicateKey { first, second },
    BadKeys,
    TooManyKeys { limit },
    TooDeep { limit },
    Shared,
    AvalCount { expected, found },
    BadIndex { index },
});

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ExportErrorKind as K;
        match self.kind {
            K::TooLarge => f.write_str("artifact has more than 4294967295 bytes"),
            K::OutOfBounds => {
                f.write_str("no artifact of jax.export, or cut off: offset or length leads outside")
            }
            K::BadTable => {
                f.write_str("no artifact of jax.export: table has no list of its fields")
            }
            K::NotUtf8 => f.write_str("string is not utf-8"),
            K::MissingField { field } => write!(f, "table lacks field {}", Shown(field)),
            K::UnknownNode(kind) => write!(f, "node kind {} is unknown", Shown(kind)),
            K::UnknownAval(kind) => write!(f, "abstract value kind {} is unknown", Shown(kind)),
            K::UnknownDtype(dtype) => write!(f, "element type {} is unknown", Shown(dtype)),
            K::Arity { expected, found } => {
                write!(f, "node has {} for {}", children(found), Counted(expected, " key", " keys"))
            }
            K::UnsortedKeys { first, second } => {
                write!(
                    f,
                    "the keys at {} and {} are not in sorted order",
                    Shown(first),
                    Shown(second)
                )
            }
            K::DuplicateKey { first, second } => {
                write!(f, "the keys at {} and {} are equal", Shown(first), Shown(second))
            }
            K::BadKeys => f.write_str("keys are not a JSON list of strings"),
            K::TooManyKeys { limit } => {
                write!(f, "ordered dictionary has more than {} unsorted keys", Shown(limit))
            }
            K::TooDeep { limit } => {
                write!(f, "tree is nested deeper than {} levels", Shown(limit))
            }
            K::Shared => f.write_str("tables are shared, so that they describe too much"),
            K::AvalCount { expected, found } => {
                write!(f, "{} abstract values for {} leaves", Shown(found), Shown(expected))
            }
            K::BadIndex { index } => write!(f, "index {} is out of place", Shown(index)),
        }?;
        write!(f, " at byte {}", Shown(self.at))
    }
}

impl core::error::Error for ExportError {}
