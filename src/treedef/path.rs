//! Where a leaf or a node stands: the entries on the way from the root.

use core::iter::FusedIterator;

use crate::base::lazy::Lazy;
use crate::base::levels::{self, Levels};
use crate::base::show::{debug_enum, debug_struct};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::format::validate::MAX_PENDING;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// The path of one leaf: a treedef and an index, 24 bytes, no strings; it prints as [`Path::keystr`].
///
/// For one leaf out of many: its entries are found without a stack, each by a scan of its node up to the end of the
/// child that leads on. Below last children that is one scan for all entries, in a tree that is deep through first
/// children one scan for each level. The paths of all leaves come in one pass from
/// [`View::for_each_with_path`](crate::View::for_each_with_path) and [`for_each_with_path`](crate::for_each_with_path),
/// as [`KeyPath`](crate::KeyPath)s.
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

    /// The paths of all leaves in order, each to be read by itself, at any depth.
    ///
    /// Going through them is free, and so are `nth`, `count` and `last`; the entries of each are found by a scan from the root, so those of all leaves cost
    /// leaves times bytes. [`View::for_each_with_path`](crate::View::for_each_with_path) finds them in one pass.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let def = treedef!([*, {"a": (*, *)}]);
    /// assert_eq!(def.paths().nth(2).map(|path| path.to_string()).as_deref(), Some("[1]['a'][1]"));
    ///
    /// // All of them, linear: a treedef is a tree of leaves that are nothing.
    /// let mut lengths = vec![];
    /// View::bare(def).for_each_with_path(|path, ()| lengths.push(path.len()))?;
    /// assert_eq!(lengths, [1, 3, 3]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn paths(
        &self,
    ) -> impl ExactSizeIterator<Item = Path<'a>> + DoubleEndedIterator + FusedIterator + Clone + use<'a>
    {
        let def = *self;
        Lazy::new(0..def.num_leaves(), move |leaf| Path::of(def, leaf))
    }
}

impl<'a> Path<'a> {
    /// The path of a leaf that is known to be there.
    pub(crate) fn of(def: TreeDef<'a>, leaf: usize) -> Self {
        Self { def, leaf: u32::try_from(leaf).unwrap_or(0) }
    }
}

/// The path of one node, a leaf or not; it prints as [`Path::keystr`].
///
/// What [`Error::explain_at`](crate::Error::explain_at) and [`Difference::path`](crate::Difference::path) name. Its
/// entries are found in one scan for each level, whatever the depth, without a stack.
#[derive(Clone, Copy)]
pub struct NodePath<'a> {
    def: TreeDef<'a>,
    node: u32,
    spot: Spot,
}

/// A node by the leaves before it, and the nodes between the last of them and it.
///
/// Unlike the index of a node it is found in flat scans: leafless nodes are never repeated.
#[derive(Clone, Copy)]
struct Spot {
    leaf: u32,
    rank: u32,
}

impl<'a> TreeDef<'a> {
    /// The path of the node with this index in preorder with repeats written out, as in
    /// [`Error::Mismatch`](crate::Error::Mismatch).
    ///
    /// One pass up to the node, and once more through the repeated siblings that it is in, with 2 kB of stack. `None`
    /// if there are fewer nodes, or if more than [`MAX_PENDING`](crate::MAX_PENDING) levels are pending.
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
        Some(NodePath { def: *self, node, spot: Spot::of(self.as_bytes(), node)? })
    }
}

impl<'a> NodePath<'a> {
    /// The path of a node that is known to be there; the root's where too many levels are pending.
    pub(crate) fn trusted(def: TreeDef<'a>, node: u32) -> Self {
        let spot = Spot::of(def.as_bytes(), node).unwrap_or(Spot { leaf: 0, rank: 0 });
        Self { def, node, spot }
    }

    /// The path of the node of `def` with this index, before which so many leaves stand, and between the last of them
    /// and it so many nodes.
    pub(crate) const fn of(def: TreeDef<'a>, node: u32, leaf: u32, rank: u32) -> Self {
        Self { def, node, spot: Spot { leaf, rank } }
    }

    /// The index of the node in preorder with repeats written out.
    pub const fn node(&self) -> usize {
        self.node as usize
    }

    /// The entries from the root to the node; none for the root.
    pub const fn entries(&self) -> PathEntries<'a> {
        PathEntries { bytes: self.def.as_bytes(), below: Below::Node(self.spot) }
    }

    /// Whether no entry of the path prints anything.
    pub(crate) fn is_silent(&self) -> bool {
        self.entries().all(|entry| entry == KeyEntry::Some)
    }

    /// The indices of the children on the way, for [`TreeDef::find_at`].
    pub const fn indices(&self) -> PathIndices<'a> {
        PathIndices { entries: self.entries() }
    }
}

impl Spot {
    /// Finds the node with this index.
    fn of(bytes: &[u8], node: u32) -> Option<Self> {
        // Of each pending level the siblings that follow, the nodes before the last child and the bytes from it on.
        let mut levels: Levels<(u32, u32, &[u8]), MAX_PENDING> = levels::empty();
        let (mut left, mut rest) = (1u32, bytes);
        let (mut nodes, mut leaf, mut rank) = (0u32, 0u32, 0u32);
        loop {
            let ahead = node.checked_sub(nodes)?;
            let (item, after) = read_item(rest).ok()?;
            match item {
                Item::Leaves(0) | Item::Same { .. } => return None,
                Item::Leaves(_) | Item::Node(_) if ahead == 0 => return Some(Self { leaf, rank }),
                Item::Leaves(count) => {
                    (leaf, rank) = (leaf.checked_add(ahead.min(count))?, 0);
                    if ahead < count {
                        return Some(Self { leaf, rank });
                    }
                    (nodes, left) = (nodes.checked_add(count)?, left.checked_sub(count)?);
                }
                Item::Node(head) => {
                    left = left.checked_sub(1)?;
                    if head.arity() > 0 {
                        if left > 0 {
                            levels.push((left, nodes, rest)).ok()?;
                        }
                        left = head.arity();
                    }
                    (nodes, rank) = (nodes.checked_add(1)?, rank.checked_add(1)?);
                }
            }
            rest = after;
            while left == 0 {
                let (siblings, before, unit) = levels.pop()?;
                left = siblings;
                let Ok((Item::Same { copies, leaves }, after)) = read_item(rest) else { continue };
                let size = nodes.checked_sub(before)?;
                let steps = node.checked_sub(nodes)?.checked_div(size)?.min(copies);
                nodes = nodes.checked_add(steps.checked_mul(size)?)?;
                leaf = leaf.checked_add(steps.checked_mul(leaves)?)?;
                // Where the node is in a copy, nothing behind that copy is read.
                (left, rest) =
                    if steps < copies { (1, unit) } else { (left.checked_sub(copies)?, after) };
            }
        }
    }

    /// Steps over so many nodes with so many leaves each, and so many nodes behind the last leaf of each, as long as
    /// this one is not in them; returns how many were stepped over.
    fn step_over(&mut self, count: u32, leaves: u32, tail: u32) -> Option<u32> {
        let steps = match (self.leaf.checked_div(leaves), self.leaf.checked_rem(leaves)) {
            // Behind the last leaf of one of them, still in it or not.
            (Some(steps @ 1..), Some(0)) if self.rank < tail => steps.checked_sub(1)?,
            (Some(steps), _) => steps,
            (None, _) if self.leaf == 0 && self.rank < tail => 0,
            (None, _) => count,
        };
        let steps = steps.min(count);
        self.leaf = self.leaf.checked_sub(steps.checked_mul(leaves)?)?;
        if steps > 0 && self.leaf == 0 {
            self.rank = self.rank.checked_sub(tail)?;
        }
        Some(steps)
    }
}

impl<'a> Path<'a> {
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
    /// To the node that stands here.
    Node(Spot),
}

debug_struct!([] PathEntries<'_> { below });
debug_enum!(Below { Leaf(index), Node(spot) });
debug_struct!([] Spot { leaf, rank });

impl<'a> PathEntries<'a> {
    /// The node on the way and the index of the child that leads on.
    pub(crate) fn step(&mut self) -> Option<(Head<'a>, u32)> {
        match self.below {
            Below::Leaf(leaf) => self.step_to_leaf(leaf),
            Below::Node(spot) => self.step_to_node(spot),
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

    /// One step towards a node.
    fn step_to_node(&mut self, mut spot: Spot) -> Option<(Head<'a>, u32)> {
        if spot.leaf == 0 {
            // Steps behind the current node, unless that is the one sought.
            spot.rank = spot.rank.checked_sub(1)?;
        }
        let (Item::Node(head), mut rest) = read_item(self.bytes).ok()? else { return None };
        let (mut index, mut unit, mut tail) = (0u32, rest, 0u32);
        loop {
            // So many children, of so many leaves each.
            let (item, after) = read_item(rest).ok()?;
            let (count, leaves, next) = match item {
                Item::Leaves(count) => {
                    (unit, tail) = (LEAF_BYTES, 0);
                    (count, 1, after)
                }
                Item::Same { copies, leaves } => (copies, leaves, after),
                // The last child holds the node: a chain is read once, not once a level.
                Item::Node(_) if index.checked_add(1) == Some(head.arity()) => {
                    self.bytes = rest;
                    break;
                }
                Item::Node(_) => {
                    let node = skip(rest)?;
                    (unit, tail) = (rest, node.tail);
                    (1, node.leaves, node.rest)
                }
            };
            let steps = spot.step_over(count, leaves, tail)?;
            index = index.checked_add(steps)?;
            if steps < count {
                self.bytes = unit;
                break;
            }
            rest = next;
        }
        self.below = Below::Node(spot);
        Some((head, index))
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
