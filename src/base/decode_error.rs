//! Defines the error of bytes that are no treedef or no call key: what is wrong with them, and at which byte.

use core::fmt;

use crate::base::show::{children, debug_struct, sentences};

/// Why bytes are not a treedef, or not a [`CallKey`](crate::CallKey).
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
/// use treedef::format::DecodeErrorKind;
///
/// // [*, {'a': *}], of which the last two bytes are lost.
/// let error = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2]).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::Truncated, 2));
/// assert_eq!(error.to_string(), "bytes end before the node at byte 2 is complete");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DecodeError {
    kind: DecodeErrorKind,
    at: u32,
}

debug_struct!([] DecodeError { kind, at });

impl DecodeError {
    pub(crate) fn new(kind: DecodeErrorKind, at: usize) -> Self {
        Self { kind, at: u32::try_from(at).unwrap_or(u32::MAX) }
    }

    /// What is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    /// use treedef::format::DecodeErrorKind;
    ///
    /// // A leaf, and a byte after it.
    /// let error = TreeDef::from_bytes(&[0x00, 0x00]).unwrap_err();
    /// assert_eq!(error.kind(), DecodeErrorKind::Trailing);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> DecodeErrorKind {
        self.kind
    }

    /// The byte offset of the item, key, value or part that is refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    ///
    /// // A leaf, and a byte after it.
    /// let error = TreeDef::from_bytes(&[0x00, 0x00]).unwrap_err();
    /// assert_eq!(error.offset(), 1);
    /// ```
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at as usize
    }

    /// The error with an offset that is greater by `before` bytes: for bytes that follow a header of the caller, so that the
    /// offset is that in the whole record.
    ///
    /// [`DecodeError::explain`] needs the error as it was, with the bytes of the treedef or key alone.
    ///
    /// # Examples
    ///
    /// A record is a version, the length of the treedef, and the treedef:
    ///
    /// ```
    /// use treedef::{DecodeError, TreeDef};
    ///
    /// fn structure(record: &[u8]) -> Result<TreeDef<'_>, DecodeError> {
    ///     let (&[_version, len], rest) = record.split_first_chunk().unwrap_or((&[0, 0], &[]));
    ///     let def = rest.get(..len.into()).unwrap_or(rest);
    ///     TreeDef::from_bytes(def).map_err(|error| error.after(2))
    /// }
    ///
    /// // (*, *), and a list of 2 of which the second child is lost.
    /// assert_eq!(structure(&[1, 2, 0x22, 0x01])?.num_leaves(), 2);
    /// let error = structure(&[1, 2, 0x42, 0x00]).unwrap_err();
    /// assert_eq!(error.to_string(), "bytes end before the node at byte 4 is complete");
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    #[must_use]
    pub fn after(self, before: usize) -> Self {
        Self::new(self.kind, self.offset().saturating_add(before))
    }
}

/// What is wrong with bytes that are not a treedef, or not a [`CallKey`](crate::CallKey).
///
/// If there are several faults, a reader reports the first in the bytes.
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
/// use treedef::format::DecodeErrorKind;
///
/// // {'b': *, 'a': *}, whose keys are not sorted.
/// let error = TreeDef::from_bytes(&[0x62, 4, 1, b'b', 1, b'a', 0x01]).unwrap_err();
/// assert_eq!(error.kind(), DecodeErrorKind::KeyOrder { first: 0, second: 1 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The bytes end inside a node, or a length or count exceeds what follows.
    Truncated,
    /// The bytes end inside a part of a call key other than a treedef, or its length or rank exceeds what follows.
    TruncatedPart,
    /// Bytes follow the treedef.
    Trailing,
    /// A head byte of a kind this version does not know.
    UnknownKind(u8),
    /// An extension head of a subkind this version does not know.
    UnknownSubkind(u8),
    /// A node of a kind that is not plain, or a meta field, in what
    /// [`TreeDef::from_plain_bytes`](crate::TreeDef::from_plain_bytes) reads.
    NotPlain,
    /// A value tag this version does not know.
    UnknownValue(u8),
    /// A child key of a kind this version does not know.
    UnknownChildKey(u8),
    /// A dtype code in a call key that this version does not know.
    UnknownDtype(u8),
    /// An array in a call key in the form for symbolic dimensions, without one.
    ArrayForm,
    /// A string that is not UTF-8.
    NotUtf8,
    /// A big integer that fits 64 bits or ends in a zero byte.
    BadInteger,
    /// Tuples nest deeper than [`MAX_VALUE_DEPTH`](crate::format::MAX_VALUE_DEPTH) inside a value.
    ValueTooDeep,
    /// A block that does not end where its length says.
    BlockLength,
    /// Keys that are not strictly increasing.
    KeyOrder {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Keys that Python cannot order.
    Unordered {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Keys of a sorted dictionary that are equal in value.
    DuplicateKey {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Keys in a general form, all of which fit a shorter form.
    KeyForm,
    /// A count of children that the kind does not allow.
    Arity {
        /// The number of children.
        found: u32,
    },
    /// More children than the node announced.
    TooManyChildren {
        /// Children still missing.
        left: u32,
        /// Number of children that the item encodes.
        found: u32,
    },
    /// Two runs of leaves side by side.
    AdjacentLeaves,
    /// A repeat that does not follow directly after a node with leaves.
    RepeatWithoutUnit,
    /// A repeat that states another number of leaves than the node that it repeats has.
    RepeatLeaves {
        /// Leaves of the unit.
        expected: u32,
        /// Leaves stated.
        found: u32,
    },
    /// A node that equals the sibling before it and is not written as a repeat.
    Unfolded,
    /// More than `u32::MAX` bytes, nodes or leaves.
    TooLarge,
    /// More lists wait for the end of a child than the reader has room for.
    TooDeep {
        /// The number of lists for which it has room.
        limit: u32,
    },
}

sentences!(DecodeErrorKind {
    Truncated: "bytes end before the node";
    TruncatedPart: "bytes end before the part";
    Trailing: "bytes follow the treedef";
    UnknownKind(kind): "node kind {kind} is unknown";
    UnknownSubkind(subkind): "extension subkind {subkind} is unknown";
    NotPlain: "node or meta field is not plain";
    UnknownValue(tag): "value tag {tag} is unknown";
    UnknownChildKey(kind): "child key kind {kind} is unknown";
    UnknownDtype(code): "dtype code {code} is unknown";
    ArrayForm: "array has no symbolic dimension";
    NotUtf8: "string is not utf-8";
    BadInteger: "integer is not in its shortest form";
    ValueTooDeep: "value nests tuples deeper than 32 levels";
    BlockLength: "block does not end where its length says";
    KeyOrder { first, second }: "the keys at {first} and {second} are not increasing";
    Unordered { first, second }: "the keys at {first} and {second} cannot be ordered";
    DuplicateKey { first, second }: "the keys at {first} and {second} are equal";
    KeyForm: "keys are in a wider form than they need";
    Arity { found }: "node kind does not allow {found}", found = children(found);
    TooManyChildren { left, found }:
        "item encodes {found}, the node lacks {left}",
        found = children(found);
    AdjacentLeaves: "two runs of leaves are adjacent";
    RepeatWithoutUnit: "repeat does not follow a node with leaves";
    RepeatLeaves { expected, found }: "repeat states {found} leaves, its unit has {expected}";
    Unfolded: "node equals its previous sibling and is not written as a repeat";
    TooLarge: "more than 4294967295 bytes, nodes or leaves";
    TooDeep { limit }: "more than {limit} levels are pending";
});

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.sentence(f)?;
        write!(f, " at byte {}", self.at)?;
        match self.kind {
            DecodeErrorKind::Truncated | DecodeErrorKind::TruncatedPart => {
                f.write_str(" is complete")
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for DecodeError {}
