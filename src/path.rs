//! Where a leaf or a node stands: the entries on the way from the root.

use crate::children::skip;
use crate::entry::KeyEntry;
use crate::head::{Head, Item, LEAF_BYTES, read_item};
use crate::show::{debug_enum, debug_struct};
use crate::treedef::{TreeDef, count_nodes};

/// The path of one leaf: a treedef and an index, 24 bytes, no strings.
///
/// Its entries are found in one scan of the treedef, whatever its depth, without a stack.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    def: TreeDef<'a>,
    leaf: u32,
}

impl<'a> TreeDef<'a> {
    /// The path of the leaf with this index; `None` if there are fewer leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, TreeDef, Value};
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let path = def.path(2).into_iter().flat_map(|path| path.entries());
    /// assert!(path.eq([KeyEntry::Index(1), KeyEntry::Key(Value::Str("a")), KeyEntry::Index(1)]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn path(&self, leaf: usize) -> Option<Path<'a>> {
        let leaf = u32::try_from(leaf).ok().filter(|_| leaf < self.num_leaves())?;
        Some(Path { def: *self, leaf })
    }

    /// The paths of all leaves in order.
    ///
    /// Each path is found by its own scan; all of them together cost leaves times bytes.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = Path<'a>> + Clone + use<'a> {
        let def = *self;
        (0..def.num_leaves()).map(move |leaf| Path { def, leaf: u32::try_from(leaf).unwrap_or(0) })
    }
}

/// The path of one node, a leaf or not; it prints as [`Path::keystr`].
///
/// What [`Error::explain_at`](crate::Error::explain_at) names. Its entries are found in one scan for each level, with
/// 512 bytes of stack.
#[derive(Clone, Copy)]
pub struct NodePath<'a> {
    def: TreeDef<'a>,
    node: u32,
}

impl<'a> TreeDef<'a> {
    /// The path of the node with this index in preorder with repeats written out, as in
    /// [`Error::Mismatch`](crate::Error::Mismatch).
    ///
    /// `None` if there are fewer nodes, or if more than [`MAX_PENDING`](crate::MAX_PENDING) levels are pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let mut text = heapless::String::<32>::new();
    /// for path in def.node_path(3) {
    ///     write!(text, "{path}")?;
    /// }
    /// assert_eq!(text, "[1]['a']");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn node_path(&self, node: usize) -> Option<NodePath<'a>> {
        let node = u32::try_from(node).ok()?;
        (node < count_nodes(self.as_bytes())?).then_some(NodePath { def: *self, node })
    }
}

impl<'a> NodePath<'a> {
    /// The path of a node that is known to be there.
    pub(crate) const fn trusted(def: TreeDef<'a>, node: u32) -> Self {
        Self { def, node }
    }

    /// The index of the node.
    pub const fn node(&self) -> usize {
        self.node as usize
    }

    /// The entries from the root to the node; none for the root.
    pub const fn entries(&self) -> PathEntries<'a> {
        PathEntries { bytes: self.def.as_bytes(), below: Below::Node(self.node) }
    }

    /// The indices of the children on the way, for [`TreeDef::find_at`].
    pub const fn indices(&self) -> PathIndices<'a> {
        PathIndices { entries: self.entries() }
    }
}

impl<'a> Path<'a> {
    /// The path of a leaf that is known to be there.
    pub(crate) const fn trusted(def: TreeDef<'a>, leaf: u32) -> Self {
        Self { def, leaf }
    }

    /// The index of the leaf.
    pub const fn leaf(&self) -> usize {
        self.leaf as usize
    }

    /// The entries from the root to the leaf; none for a bare leaf.
    pub const fn entries(&self) -> PathEntries<'a> {
        PathEntries { bytes: self.def.as_bytes(), below: Below::Leaf(self.leaf) }
    }

    /// The indices of the children on the way: a path without keys, for [`TreeDef::find_at`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": *, "b": (*, *)}]);
    /// assert!(def.path(3).is_some_and(|path| path.indices().eq([1, 1, 1])));
    /// ```
    pub const fn indices(&self) -> PathIndices<'a> {
        PathIndices { entries: self.entries() }
    }
}

/// The child indices on the way, from [`Path::indices`] and [`NodePath::indices`].
#[derive(Clone)]
pub struct PathIndices<'a> {
    entries: PathEntries<'a>,
}

debug_struct!([] PathIndices<'_> { entries });

impl Iterator for PathIndices<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.entries.step().map(|(_, index)| index as usize)
    }
}

/// The path of a leaf or that of a node.
#[derive(Clone, Copy)]
pub(crate) enum AnyPath<'a> {
    Leaf(Path<'a>),
    Node(NodePath<'a>),
}

impl<'a> AnyPath<'a> {
    pub(crate) const fn entries(&self) -> PathEntries<'a> {
        match self {
            AnyPath::Leaf(path) => path.entries(),
            AnyPath::Node(path) => path.entries(),
        }
    }
}

/// The entries of a [`Path`] or [`NodePath`].
#[derive(Clone)]
pub struct PathEntries<'a> {
    /// The bytes from the current node on.
    bytes: &'a [u8],
    below: Below,
}

/// Where a path leads, counted from the current node.
#[derive(Clone, Copy)]
enum Below {
    /// To the leaf with this index below it.
    Leaf(u32),
    /// To the node with this index, itself counted.
    Node(u32),
}

debug_struct!([] PathEntries<'_> { below });
debug_enum!(Below { Leaf(index), Node(index) });

impl<'a> PathEntries<'a> {
    /// The node on the way and the index of the child that leads on.
    pub(crate) fn step(&mut self) -> Option<(Head<'a>, u32)> {
        match self.below {
            Below::Leaf(leaf) => self.step_to_leaf(leaf),
            Below::Node(node) => self.step_to_node(node.checked_sub(1)?),
        }
    }

    /// One step towards a leaf.
    fn step_to_leaf(&mut self, mut leaf: u32) -> Option<(Head<'a>, u32)> {
        let (Item::Node(head), mut rest) = read_item(self.bytes).ok()? else { return None };
        let (mut index, mut unit) = (0u32, rest);
        // The leaf is known to be below this node, so one of the items holds it.
        loop {
            let (item, after) = read_item(rest).ok()?;
            match item {
                Item::Leaves(count) => {
                    let Some(behind) = leaf.checked_sub(count) else {
                        index = index.checked_add(leaf)?;
                        leaf = 0;
                        self.bytes = LEAF_BYTES;
                        break;
                    };
                    leaf = behind;
                    index = index.checked_add(count)?;
                    rest = after;
                }
                Item::Same { copies, leaves } if u64::from(leaf) < product(copies, leaves) => {
                    index = index.checked_add(leaf.checked_div(leaves)?)?;
                    leaf = leaf.checked_rem(leaves)?;
                    self.bytes = unit;
                    break;
                }
                Item::Same { copies, leaves } => {
                    leaf = leaf.checked_sub(copies.checked_mul(leaves)?)?;
                    index = index.checked_add(copies)?;
                    rest = after;
                }
                Item::Node(_) if index.checked_add(1) == Some(head.arity()) => {
                    // The last child holds the leaf: a chain is read once, not once a level.
                    self.bytes = rest;
                    break;
                }
                Item::Node(_) => {
                    let child = skip(rest)?;
                    let Some(behind) = leaf.checked_sub(child.leaves) else {
                        self.bytes = rest;
                        break;
                    };
                    leaf = behind;
                    index = index.checked_add(1)?;
                    (unit, rest) = (rest, child.rest);
                }
            }
        }
        self.below = Below::Leaf(leaf);
        Some((head, index))
    }

    /// One step towards a node, counted behind the current one.
    fn step_to_node(&mut self, mut node: u32) -> Option<(Head<'a>, u32)> {
        let (Item::Node(head), mut rest) = read_item(self.bytes).ok()? else { return None };
        let (mut index, mut unit, mut nodes) = (0u32, rest, 0u32);
        loop {
            // So many children of so many nodes each.
            let (item, after) = read_item(rest).ok()?;
            let (count, size, bytes) = match item {
                Item::Leaves(count) => (count, 1, LEAF_BYTES),
                Item::Same { copies, .. } => (copies, nodes, unit),
                // The last child holds the node: a chain is read once, not once a level.
                Item::Node(_) if index.checked_add(1) == Some(head.arity()) => (1, u32::MAX, rest),
                Item::Node(_) => {
                    (unit, nodes) = (rest, count_nodes(rest)?);
                    (1, nodes, unit)
                }
            };
            let child = node.checked_div(size)?;
            if child < count {
                index = index.checked_add(child)?;
                self.bytes = bytes;
                self.below = Below::Node(node.checked_rem(size)?);
                return Some((head, index));
            }
            node = node.checked_sub(count.checked_mul(size)?)?;
            index = index.checked_add(count)?;
            rest = if let Item::Node(_) = item { skip(rest)?.rest } else { after };
        }
    }
}

impl<'a> Iterator for PathEntries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        let (head, index) = self.step()?;
        head.entries().nth(index as usize)
    }
}

fn product(copies: u32, leaves: u32) -> u64 {
    u64::from(copies).wrapping_mul(u64::from(leaves))
}
