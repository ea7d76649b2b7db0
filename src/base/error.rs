//! Defines the error of most functions: what went wrong, where, and how much room was missing.

use core::convert::Infallible;
use core::fmt;

use crate::base::show::{Counted, sentences};

/// Why a treedef could not be written, matched, flattened or rebuilt.
///
/// Small and `Copy`; it holds positions and numbers, never text. A method makes it a sentence with the key path, from what is at hand:
///
/// | at hand | method | sentence |
/// |---|---|---|
/// | both treedefs | [`explain`](Error::explain) | `at [1]['a']: expected a tuple of 2, found a list of 3` |
/// | both trees, as of [`over`](crate::over()), or a tree and a treedef | [`explain_trees`](Error::explain_trees) | the same |
/// | the type that was to be rebuilt, and the treedef | [`explain_type`](Error::explain_type) | the same |
/// | one treedef | [`explain_at`](Error::explain_at) | `structure differs at [1]` |
/// | a treedef that was searched by a path | [`explain_path`](Error::explain_path) | `no [2] (byte 10) at ['layers']: has [0], [1]` |
/// | a type that was searched by a path | [`explain_path_of`](Error::explain_path_of) | `no kd at [1]: has kp, ki` |
/// | the keys of a dictionary that was refused | [`explain_keys`](Error::explain_keys) | `keys 1 and 'a' cannot be ordered` |
/// | the [`Object`](crate::Object) with such a dictionary | [`explain_object`](Error::explain_object) | `at [1]: keys 1 and 'a' cannot be ordered` |
///
/// Bytes that are refused have [`DecodeError::explain`](crate::DecodeError::explain).
///
/// # Examples
///
/// ```
/// use treedef::{Error, matches, structure_into, treedef};
///
/// assert_eq!(structure_into(&[1.0f32; 3], &mut [0; 1]), Err(Error::Full { room: 1 }));
/// let error = matches(&(1.0f32, None::<f32>), treedef!((*, *))).unwrap_err();
/// assert_eq!(error, Error::Mismatch { node: 2 });
/// assert_eq!(error.to_string(), "structure differs from the expected one at node 2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Error {
    /// The caller's bytes are too few for the treedef. [`structure_bound`](crate::encode::structure_bound) gives a
    /// number that is enough.
    Full {
        /// Bytes given.
        room: usize,
    },
    /// The caller's bytes are too few for something whose length is known: a head, a string, a copy of a treedef.
    BufferFull {
        /// Bytes needed, exact.
        needed: usize,
        /// Bytes given.
        room: usize,
    },
    /// The caller's slice holds too few leaves.
    LeavesFull {
        /// Leaves in the tree.
        needed: usize,
        /// Leaves the slice holds.
        room: usize,
    },
    /// The caller's slab holds too few nodes.
    NodesFull {
        /// Nodes needed, exact.
        needed: usize,
        /// Nodes the slab holds.
        room: usize,
    },
    /// Bytes, leaves or nodes would be more than `u32::MAX`.
    TooLarge,
    /// The tree is deeper than the bound the caller gave or the function states.
    TooDeep {
        /// The bound.
        limit: u32,
    },
    /// A dictionary of an object holds more entries out of order than can be sorted on the stack
    /// ([`MAX_UNSORTED_KEYS`](crate::dynamic::MAX_UNSORTED_KEYS)). Entries in the order of their keys have no such
    /// limit. With the feature `alloc`, this error means that the heap has no room to sort them.
    TooManyKeys {
        /// Entries of the map.
        needed: usize,
        /// Entries the scratch holds.
        room: usize,
    },
    /// The caller's bytes are too few for a call key, or the key is longer than the cache keeps.
    CallKeyFull {
        /// Bytes needed, exact.
        needed: usize,
        /// Bytes given.
        room: usize,
    },
    /// A table holds no more entries.
    TableFull {
        /// Entries it holds.
        room: usize,
    },
    /// Two keys of one dictionary have no order in Python, such as `1` and `'a'`.
    Unordered {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// Two keys of one sorted dictionary are equal in value, such as `1` and `True`, or become equal keys of the map
    /// that is rebuilt from them.
    DuplicateKey {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// The keys of a dictionary were not in sorted order.
    UnsortedKeys {
        /// Index of the first of the two keys.
        first: u32,
        /// Index of the second.
        second: u32,
    },
    /// A node got more or fewer children or keys than it announced.
    Arity {
        /// The number that was announced, or that the open node lacks.
        expected: usize,
        /// The number of these that came, or that were to come.
        found: usize,
    },
    /// A key or a value of the structure differed each time it was read.
    ValueChanged,
    /// A value inside the treedef nests deeper than [`MAX_VALUE_DEPTH`](crate::format::MAX_VALUE_DEPTH).
    ValueTooDeep,
    /// The structure differs from the expected one.
    Mismatch {
        /// Index of the differing node in the expected treedef, in preorder with repeats written out.
        node: u32,
    },
    /// One of several trees that are walked together differs from the first.
    TreesDiffer {
        /// Index of the differing node in the first tree, in preorder with repeats written out.
        node: u32,
        /// Index of the tree that differs.
        tree: u32,
    },
    /// A container of fixed capacity is too small for the children that a treedef gives it.
    ///
    /// [`Error::explain_at`] reads the number of children from the treedef.
    Capacity {
        /// Index of the container in the treedef, in preorder with repeats written out.
        node: u32,
        /// Children the container holds.
        room: usize,
    },
    /// A treedef is not a prefix of another one, or a tree of [`over`](crate::over()) no prefix of the first: they differ where the
    /// prefix has no leaf.
    NotPrefix {
        /// Index of the differing node in the prefix, in preorder with repeats written out.
        node: u32,
        /// Index of the prefix among the trees of a walk. `0` if the prefix is a treedef.
        tree: u32,
    },
    /// Two treedefs have no common suffix: they differ where neither has a leaf.
    NoCommonSuffix {
        /// Index of the differing node in the first, in preorder with repeats written out.
        node: u32,
    },
    /// A node is replaced twice: by itself both times, or once with a node around it.
    Overlap {
        /// Index of the node, in preorder with repeats written out.
        node: u32,
    },
    /// The entries of a path, or the text that [`KeyPath::keystr`](crate::KeyPath::keystr) writes, lead to no node.
    NotFound {
        /// Index of the last node that the path reached, in preorder with repeats written out.
        node: u32,
        /// The first part of the path that leads nowhere: a byte offset in its text, or the index of an entry.
        at: u32,
    },
    /// A path that a person types leads to no node. [`Error::explain_path`] and [`Error::explain_path_of`] say what is there.
    UnknownPath {
        /// The byte of the text from which on it leads nowhere; the text before it leads to a node. It is the length of
        /// the text if that node is no leaf, where a leaf is wanted.
        at: u32,
    },
    /// A text is no path or pattern: a bracket or quote is not closed, or a name is missing.
    UnreadablePath {
        /// The byte of the text from which on it cannot be read.
        at: u32,
    },
    /// The leaves ended before the tree was complete.
    TooFewLeaves {
        /// Leaves of the treedef.
        expected: usize,
        /// Leaves given.
        found: usize,
    },
    /// Leaves were left over.
    TooManyLeaves {
        /// Leaves of the treedef.
        expected: usize,
        /// Leaves given, or one more than expected if they are given one by one.
        found: usize,
    },
    /// The leaves of a tree take another number of bytes than are given.
    LeafBytes {
        /// The bytes of the leaves.
        expected: usize,
        /// The bytes given.
        found: usize,
    },
    /// A leaf of a tree with several leaf types has another type than its field; or it is no number or `bool` where
    /// leaves are bytes, or cannot have these bytes.
    WrongLeaf {
        /// Index of the leaf.
        leaf: u32,
    },
    /// A tree has leaves, and none of the type that [`Over::only`](crate::tree::Over::only) names, or of
    /// [`Over::types`](crate::tree::Over::types).
    NoLeafOfType,
    /// Stored [choices](crate::tree::choices) are not those of a value of the type.
    WrongChoices {
        /// The number of bytes before the first that cannot be.
        at: usize,
    },
    /// An [`Object`](crate::Object) cannot be opened, for a reason of its own model.
    Unsupported,
    /// Two nodes have too many names that changed their places, or that one of them lacks, to be matched by name: more than 2^26 names
    /// would be read. Nodes of up to 2896 names can always be matched.
    TooManyNames,
}

sentences!(Error {
    Full { room }: "treedef does not fit the {room} bytes of the buffer";
    BufferFull { needed, room }: "{needed} bytes are needed, the buffer holds {room}";
    LeavesFull { needed, room }: "tree has {needed} leaves, the slice holds {room}";
    NodesFull { needed, room }: "tree has {needed} nodes, the slab holds {room}";
    TooLarge: "treedef would exceed 4294967295 bytes, nodes or leaves";
    TooDeep { limit }: "tree is nested deeper than {limit} levels";
    TooManyKeys { needed, room }:
        "map has {needed} unsorted entries, at most {room} can be sorted: give them in the order of their keys";
    CallKeyFull { needed, room }: "call key needs {needed} bytes, the buffer holds {room}";
    TableFull { room }: "table is full, it holds {room} entries";
    Unordered { first, second }: "the keys at {first} and {second} cannot be ordered";
    DuplicateKey { first, second }: "the keys at {first} and {second} are equal";
    UnsortedKeys { first, second }: "the keys at {first} and {second} are not in sorted order";
    Arity { expected, found }:
        "node announced {expected} and got {found}",
        expected = Counted(expected, " child or key", " children or keys");
    ValueChanged: "a key or a value changed while the structure was written";
    ValueTooDeep: "value nests tuples deeper than 32 levels";
    Mismatch { node }: "structure differs from the expected one at node {node}";
    TreesDiffer { node, tree }: "tree {tree} differs from the first at node {node}";
    Capacity { node, room }:
        "node {node} has more children than the {room} that its container holds";
    NotPrefix { node, tree }: "{prefix}, they differ at node {node} of the prefix", prefix = NoPrefix(tree);
    NoCommonSuffix { node }: "treedefs have no common suffix, they differ at node {node}";
    NotFound { node, at }:
        "path leads to no child of node {node}, at byte or entry {at} of the path";
    UnknownPath { at }: "unknown path: it leads nowhere from its byte {at} on, or ends there at no leaf";
    UnreadablePath { at }: "path or pattern cannot be read from its byte {at} on";
    Overlap { node }: "node {node} is given twice, or is inside another given node";
    TooFewLeaves { expected, found }:
        "too few leaves, expected {expected}, got {found}";
    TooManyLeaves { expected, found }:
        "too many leaves, expected {expected}, got at least {found}";
    LeafBytes { expected, found }: "the leaves take {expected} bytes, got {found}";
    WrongLeaf { leaf }: "leaf {leaf} has the wrong type for its place";
    NoLeafOfType: "the tree has leaves, and none of the type that was asked for";
    WrongChoices { at }: "the choices are not those of a value of the type, from byte {at} on";
    Unsupported: "object cannot be opened as a tree";
    TooManyNames: "too many names changed their places in a node";
});

/// Says which of several trees is no prefix. A treedef has no number.
struct NoPrefix(u32);

impl fmt::Display for NoPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("treedef is no prefix of the other"),
            tree => write!(f, "tree {tree} is no prefix of the first"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence(f)
    }
}

impl core::error::Error for Error {}

/// For a [`CallKey`](crate::CallKey) that a cache keeps as it is.
#[expect(
    clippy::from_over_into,
    reason = "with a second `From`, the compiler could not infer the error before a `?` that makes it this one"
)]
impl Into<Error> for Infallible {
    fn into(self) -> Error {
        match self {}
    }
}

/// So that `?` works beside `write!`. A [`fmt::Error`] says nothing: report the error before it where it matters.
impl From<Error> for fmt::Error {
    fn from(_: Error) -> Self {
        Self
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, error)
    }
}

impl Error {
    /// Checks that there are as many leaves as expected.
    #[inline]
    pub(crate) const fn check_count(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::wrong_count(expected, found)) }
    }

    /// Checks that a slice of `room` leaves holds those of a tree, and returns their number.
    pub(crate) const fn check_room(needed: usize, room: usize) -> Result<usize, Self> {
        if needed > room { Err(Self::LeavesFull { needed, room }) } else { Ok(needed) }
    }

    /// Not inlined: the compiler would join the numbers of the error with what lies at the same place after a success.
    #[cold]
    #[inline(never)]
    pub(crate) const fn wrong_count(expected: usize, found: usize) -> Self {
        match found > expected {
            true => Self::TooManyLeaves { expected, found },
            false => Self::TooFewLeaves { expected, found },
        }
    }
}
