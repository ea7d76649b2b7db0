//! Defines a treedef that borrows its validated bytes.

use crate::base::bytes::{equal_as_bytes, first};
use crate::base::decode_error::{DecodeError, DecodeErrorKind as Fault};
use crate::base::levels::Level;
use crate::format::fingerprint;
use crate::format::head::{Head, Kind, LEAF_BYTES};
use crate::format::validate::{Sizes, validate, with_pending};
use crate::treedef::scan::{Skipped, count_nodes, skip};

/// The structure of a tree without its leaves: a short string of bytes in canonical form.
///
/// As `jax.tree_util.PyTreeDef`. Two treedefs are equal exactly if their bytes are equal, and that is exactly if the
/// structures have the same kinds, arities, keys, type names and meta fields in the same order. So the bytes are a
/// cache key. `Eq`, `Ord` and `Hash` use the bytes, and `Borrow<[u8]>` looks a treedef up in a map with byte strings as
/// keys.
///
/// A `TreeDef` borrows its bytes: it is a slice and two counts, and is `Copy`. A subtree is a sub-slice.
///
/// `DIFFERENCE`: the hash of JAX ignores keys and aux data. JAX takes `1` and `True` for the same key and, up to 0.11,
/// two dataclasses with the same fields for the same type.
///
/// # Examples
///
/// ```
/// use treedef::{Kind, TreeDef, treedef};
///
/// let def = treedef!({"bias": *, "layers": [(*, *), None]});
/// assert_eq!((def.kind(), def.num_leaves(), def.num_nodes()), (Kind::Dict, 3, 7));
/// assert_eq!(def.path(1).map(|path| path.to_string()).as_deref(), Some("['layers'][0][0]"));
/// assert_eq!(def.to_string(), "PyTreeDef({'bias': *, 'layers': [(*, *), None]})");
///
/// // What is stored or sent are the bytes. They are checked when they come back.
/// assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
/// ```
#[derive(Clone, Copy)]
#[doc(alias("PyTreeDef", "PyTreeSpec", "TreeSpec", "treespec"))]
pub struct TreeDef<'a> {
    bytes: &'a [u8],
    leaves: u32,
    /// 0 if they are not counted, as in a part of a treedef.
    nodes: u32,
}

impl<'a> TreeDef<'a> {
    /// The treedef of a single leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, treedef};
    ///
    /// assert_eq!(TreeDef::LEAF, treedef!(*));
    /// ```
    #[doc(alias = "treespec_leaf")]
    pub const LEAF: TreeDef<'static> = TreeDef::of_sizes(LEAF_BYTES, (1, 1));

    /// The treedef of `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, treedef};
    ///
    /// assert_eq!(TreeDef::NONE, treedef!(None));
    /// ```
    #[doc(alias = "treespec_none")]
    pub const NONE: TreeDef<'static> = TreeDef::of_sizes(Head::NONE.as_bytes(), (0, 1));

    /// Reads a treedef that is all of `bytes`.
    ///
    /// One pass without recursion, which also compares neighbouring siblings: the cost is linear in the bytes. Every
    /// input gives the same result on every machine. Equal keys in an ordered dictionary and equal field names in a
    /// struct are not refused.
    ///
    /// A few bytes can be a treedef of billions of leaves, because repeats are stored once. Check
    /// [`TreeDef::num_leaves`] and [`TreeDef::num_nodes`] before work on each of them, such as printing by `{}`; `{:?}`
    /// writes each stored item once.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] says what is wrong and at which byte: not a treedef, not in canonical form, bytes left over, or
    /// more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels pending (then use [`TreeDef::from_bytes_with`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    /// use treedef::format::DecodeErrorKind;
    ///
    /// assert!(TreeDef::from_bytes(&[0x22, 0x01]).is_ok()); // (*, *)
    /// let error = TreeDef::from_bytes(&[0x22, 0x00, 0x00]).unwrap_err(); // the two leaves belong in one run
    /// assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::AdjacentLeaves, 2));
    /// ```
    #[doc(alias("pickle", "deserialize_using_proto", "untrusted"))]
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::whole(bytes, with_pending(|levels| validate::<false>(bytes, levels)))
    }

    /// Reads a treedef of the plain kinds that is all of `bytes`, for firmware that receives no others.
    ///
    /// The plain kinds are leaves, `None`, `Some`, tuples, lists, dictionaries whose keys are all strings and are
    /// sorted, and structs without meta fields, with their repeats. For these the result is that of
    /// [`TreeDef::from_bytes`], with less than a third of the machine code: a program that calls only this function has
    /// no code for other keys, meta fields and aux data.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::from_bytes`], and [`DecodeErrorKind::NotPlain`](crate::format::DecodeErrorKind::NotPlain) at the
    /// first node or meta field that is not plain. Nothing after it is checked.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    /// use treedef::format::DecodeErrorKind;
    ///
    /// // {'kd': *, 'kp': *}
    /// let def = TreeDef::from_plain_bytes(&[0x62, 6, 2, b'k', b'd', 2, b'k', b'p', 0x01])?;
    /// assert_eq!(def.num_leaves(), 2);
    ///
    /// let integers = [0x41, 0xC2, 1, 1, 14, 0x00]; // [{7: *}]
    /// assert!(TreeDef::from_bytes(&integers).is_ok());
    /// let error = TreeDef::from_plain_bytes(&integers).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (DecodeErrorKind::NotPlain, 1));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn from_plain_bytes(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        Self::whole(bytes, with_pending(|levels| validate::<true>(bytes, levels)))
    }

    /// Reads a treedef of any depth that is all of `bytes`, with the caller's levels.
    ///
    /// A treedef needs at most as many levels as it is deep.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::from_bytes`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    /// use treedef::encode::Level;
    ///
    /// // 100 lists of 2, each the first child of the one outside: [[[.., None], None], None]
    /// let mut bytes = [0x42; 201];
    /// bytes[100..].fill(0xC0);
    /// assert!(TreeDef::from_bytes(&bytes).is_err());
    /// let def = TreeDef::from_bytes_with(&bytes, &mut [Level::default(); 100])?;
    /// assert_eq!(def.num_nodes(), 201);
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn from_bytes_with(bytes: &'a [u8], levels: &mut [Level]) -> Result<Self, DecodeError> {
        Self::whole(bytes, validate::<false>(bytes, levels))
    }

    /// The treedef that is all of `bytes`, with these sizes.
    fn whole(bytes: &'a [u8], sizes: Result<Sizes, DecodeError>) -> Result<Self, DecodeError> {
        let (len, sizes) = sizes?;
        if len != bytes.len() {
            return Err(DecodeError::new(Fault::Trailing, len));
        }
        Ok(Self::of_sizes(bytes, sizes))
    }

    /// Reads a treedef from the front of `bytes` and returns what follows it.
    ///
    /// Zeroed memory reads as one leaf after the other; erased flash (`0xFF`) is never a treedef.
    ///
    /// # Errors
    ///
    /// As [`TreeDef::from_bytes`], but bytes may be left over.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    ///
    /// let (def, rest) = TreeDef::from_prefix(&[0x22, 0x01, 7, 8])?;
    /// assert_eq!((def.num_leaves(), rest), (2, [7, 8].as_slice()));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn from_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), DecodeError> {
        let (len, sizes) = with_pending(|levels| validate::<false>(bytes, levels))?;
        let (bytes, rest) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        Ok((Self::of_sizes(bytes, sizes), rest))
    }

    /// The treedef of bytes that a writer wrote or that are a node inside a treedef.
    pub(crate) const fn trusted(bytes: &'a [u8], leaves: u32) -> Self {
        Self { bytes, leaves, nodes: 0 }
    }

    /// The node at the front of `bytes`, whose end a scan has found.
    pub(crate) const fn scanned(bytes: &'a [u8], node: &Skipped<'_>) -> Self {
        let len = bytes.len().saturating_sub(node.rest.len());
        Self::trusted(first(bytes, len), node.leaves)
    }

    /// The node at the front of `bytes`, and everything below it.
    pub(crate) fn front(bytes: &'a [u8]) -> Self {
        skip(bytes).map_or(TreeDef::NONE, |node| Self::scanned(bytes, &node))
    }

    /// The number of leaves and the stored number of nodes, for [`TreeDef::of_sizes`].
    pub(crate) const fn sizes(&self) -> (u32, u32) {
        (self.leaves, self.nodes)
    }

    /// The treedef of a copy of the bytes of a treedef of these sizes.
    pub(crate) const fn of_sizes(bytes: &'a [u8], (leaves, nodes): (u32, u32)) -> Self {
        Self { bytes, leaves, nodes }
    }

    /// The encoded bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{TreeDef, treedef};
    ///
    /// let bytes = treedef!((*, [*, *])).as_bytes();
    /// assert_eq!(bytes, [0x22, 0x00, 0x42, 0x01]);
    /// assert_eq!(TreeDef::from_bytes(bytes), Ok(treedef!((*, [*, *]))));
    /// ```
    #[must_use]
    #[doc(alias("pickle", "serialize_using_proto", "treespec_dumps"))]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of leaves, as `PyTreeDef.num_leaves`. It is stored.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// assert_eq!(treedef!({"b": None, "w": [*, *]}).num_leaves(), 2);
    /// ```
    #[must_use]
    pub const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// As [`TreeDef::num_leaves`].
    pub(crate) const fn leaf_count(&self) -> u32 {
        self.leaves
    }

    /// The number of nodes, leaves and `None`s included and repeats written out, as `PyTreeDef.num_nodes`.
    ///
    /// A treedef that was read or built as a whole stores the number, and so do copies of it. The nodes of a part, such
    /// as a child, are counted by each call: in one scan if nothing is repeated in it, otherwise in two with 512 bytes
    /// of stack. A part with repeats in which more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending
    /// is read once for each level.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([(*, None), (*, None), *]);
    /// assert_eq!(def.num_nodes(), 8);
    /// assert_eq!(def.child(1).map(|child| child.num_nodes()), Some(3));
    /// ```
    #[must_use]
    #[doc(alias = "treedef_is_leaf")]
    pub const fn num_nodes(&self) -> usize {
        self.node_count() as usize
    }

    /// As [`TreeDef::num_nodes`].
    #[inline]
    pub(crate) const fn node_count(&self) -> u32 {
        if self.nodes > 0 { self.nodes } else { count_nodes(self.bytes) }
    }

    /// The head of the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Value, treedef};
    ///
    /// let def = treedef!({"a": *, "b": *});
    /// assert!(def.head().keys().eq([Value::Str("a"), Value::Str("b")]));
    /// ```
    #[must_use]
    #[doc(alias = "node_data")]
    pub const fn head(&self) -> Head<'a> {
        Head::trusted(self.bytes)
    }

    /// The kind of the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Kind, treedef};
    ///
    /// assert_eq!(treedef!({"b": *, "w": *}).kind(), Kind::Dict);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.head().kind()
    }

    /// The number of children of the root, as optree's `PyTreeSpec.num_children`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// assert_eq!(treedef!([*, (*, *)]).num_children(), 2);
    /// assert_eq!(treedef!(*).num_children(), 0);
    /// ```
    #[must_use]
    pub const fn num_children(&self) -> usize {
        self.head().num_children()
    }

    /// Whether the root is a leaf.
    ///
    /// `DIFFERENCE`: `jax.tree_util.treedef_is_leaf` is also true for `None` and empty containers. Here that is
    /// `def.num_nodes() == 1`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// assert!(treedef!(*).is_leaf());
    /// assert!(!treedef!(None).is_leaf());
    /// ```
    #[must_use]
    #[doc(alias("is_tree_node", "tree_is_leaf"))]
    pub const fn is_leaf(&self) -> bool {
        matches!(self.bytes, [0])
    }

    /// The 64-bit fingerprint of the bytes. It is the same on every machine and never changes, so it can be stored and
    /// sent. In a `const` it costs nothing at run time.
    ///
    /// Different fingerprints prove that structures differ; equal ones prove nothing, so compare the bytes too, as this
    /// crate always does. The hash has no key, so anybody can compute two treedefs with the same fingerprint. For a
    /// table that strangers fill use a seeded hash of [`as_bytes`](Self::as_bytes).
    ///
    /// It costs one wide multiplication for every 16 bytes, and one more; [`format`](crate::format) defines it. Every
    /// part of the 64 bits can be a bucket number: the low bits, the high bits, and both together as `hashbrown` uses
    /// them.
    ///
    /// As `hash(treedef)` in JAX. `DIFFERENCE`: JAX's hash ignores keys, names and meta fields, so dicts of the same
    /// size collide, and it differs in every process.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    ///
    /// const PAIR: TreeDef<'static> = treedef::treedef_of::<(f32, f32)>();
    /// const FINGERPRINT: u64 = PAIR.fingerprint();
    /// assert_eq!(FINGERPRINT, 0x1002_eb78_edd3_302c);
    ///
    /// let received = TreeDef::from_bytes(&[0x22, 0x01])?;
    /// // The fingerprint excludes most other structures. Comparing the bytes makes sure.
    /// assert!(received.fingerprint() == FINGERPRINT && received == PAIR);
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        fingerprint::of(self.bytes)
    }
}

impl<'a> From<&TreeDef<'a>> for TreeDef<'a> {
    fn from(def: &TreeDef<'a>) -> Self {
        *def
    }
}

equal_as_bytes!([] TreeDef<'_>);

impl PartialOrd for TreeDef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TreeDef<'_> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.bytes.cmp(other.bytes)
    }
}

impl AsRef<[u8]> for TreeDef<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}
