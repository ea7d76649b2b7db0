//! Defines paths: the entries on the way from the root to a node.

use core::iter::from_fn;

use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::spot::Spot;
use crate::treedef::steps::{FirstSteps, Step};
use crate::treedef::treedef::TreeDef;

/// The path of a node of a treedef; it prints as [`Path::keystr`].
///
/// A path is a treedef, the place of a node in it, and up to 12 remembered steps on the way. It does not store its
/// entries. An entry whose step is not remembered is found by a scan of its node, up to the node that the path leads to.
/// A last child is not scanned, so a chain is read once. Paths from a walk ([`TreeDef::paths`],
/// [`TreeDef::nodes`], [`TreeDef::node_path`]) remember the first 12 steps. Paths from a look-up
/// ([`TreeDef::path`], [`Found::path`](crate::path::Found::path)) remember none.
///
/// As the key paths of `jax.tree_util`, but entries are found when they are read. The module [`path`](mod@crate::path) lists
/// the other types of paths.
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, treedef};
///
/// let def = treedef!([*, {"a": *, "b": (*, *)}]);
/// let path = def.path(3).expect("it has 4 leaves");
/// assert_eq!(path.to_string(), "[1]['b'][1]");
/// assert!(path.entries().eq([KeyEntry::Index(1), KeyEntry::Key("b".into()), KeyEntry::Index(1)]));
/// ```
#[derive(Clone, Copy)]
pub struct Path<'a> {
    def: TreeDef<'a>,
    spot: Spot,
    /// The index of the node in preorder, or [`UNKNOWN`].
    node: u32,
    steps: FirstSteps,
}

/// Greater than every index of a node.
pub(crate) const UNKNOWN: u32 = u32::MAX;

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
    #[must_use]
    pub fn path(&self, leaf: usize) -> Option<Path<'a>> {
        (leaf < self.num_leaves()).then(|| Path::of_leaf(*self, leaf))
    }
}

impl<'a> Path<'a> {
    /// The path of the leaf with this index, which exists.
    pub(crate) fn of_leaf(def: TreeDef<'a>, leaf: usize) -> Self {
        let leaf = u32::try_from(leaf).unwrap_or(0);
        Self { def, spot: Spot::of_leaf(leaf), node: UNKNOWN, steps: FirstSteps::NONE }
    }

    /// The path of the node with this index, which is at `spot`.
    pub(crate) const fn of_node(def: TreeDef<'a>, node: u32, spot: Spot, is_leaf: bool) -> Self {
        let spot = if is_leaf { Spot::of_leaf(spot.leaf) } else { spot };
        Self { def, spot, node, steps: FirstSteps::NONE }
    }

    /// The path with the steps that a walk remembers.
    pub(crate) const fn with_steps(mut self, steps: FirstSteps) -> Self {
        self.steps = steps;
        self
    }

    /// The index of the leaf that the path leads to; `None` if it leads to another node.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": *, "b": (*, *)}]);
    /// assert_eq!(def.path(3).map(|path| path.as_leaf()), Some(Some(3)));
    /// assert_eq!(def.node_path(4).map(|path| path.as_leaf()), Some(None));
    /// ```
    #[must_use]
    pub const fn as_leaf(&self) -> Option<usize> {
        if self.spot.rank == Spot::LAST { Some(self.spot.leaf as usize) } else { None }
    }

    /// The index of the node in preorder with repeats written out, as [`TreeDef::node_path`] takes it.
    ///
    /// A path from [`TreeDef::node_path`], [`TreeDef::find`] or a walk over the nodes stores it. Other paths, as those of
    /// leaves and of differences, find it by a pass over the bytes before the node, each time.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": *, "b": (*, *)}]);
    /// assert_eq!(def.path(3).map(|path| path.node()), Some(6));
    /// ```
    #[must_use]
    pub fn node(&self) -> usize {
        if self.node != UNKNOWN {
            return self.node as usize;
        }
        let mut way = PathCursor::<true>::new(self.def);
        let mut entries = self.entries();
        while let Some((head, index, _)) = entries.step()
            && way.down(&head, index).is_some()
        {}
        way.node as usize
    }

    /// The entries from the root to the node; none for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, treedef};
    ///
    /// let path = treedef!({"w": [*, *]}).path(1).ok_or("no such leaf")?;
    /// assert!(path.entries().eq([KeyEntry::Key("w".into()), KeyEntry::Index(1)]));
    /// # Ok::<(), &str>(())
    /// ```
    pub const fn entries(&self) -> PathEntries<'a> {
        PathEntries { path: *self, depth: 0, way: PathCursor::new(self.def) }
    }

    /// Whether the path prints nothing.
    pub(crate) fn is_silent(&self) -> bool {
        self.entries().all(|entry| entry == KeyEntry::Some)
    }

    /// The indices of the children on the way, which [`TreeDef::find_at`] takes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": *, "b": (*, *)}]);
    /// assert!(def.path(3).is_some_and(|path| path.indices().eq([1, 1, 1])));
    /// ```
    pub fn indices(&self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        let mut entries = self.entries();
        from_fn(move || entries.step().map(|(_, index, _)| index as usize))
    }
}

impl<'a> IntoIterator for Path<'a> {
    type Item = KeyEntry<'a>;
    type IntoIter = PathEntries<'a>;

    fn into_iter(self) -> PathEntries<'a> {
        self.entries()
    }
}

/// The entries of a [`Path`].
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let def = treedef!([*, {"a": *, "b": (*, *)}]);
/// assert_eq!(def.path(3).map(|path| path.entries().count()), Some(3));
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct PathEntries<'a> {
    path: Path<'a>,
    /// The number of levels from the root to the current node.
    depth: u32,
    /// The current node. Its spot is that of the root up to the last remembered step.
    way: PathCursor<'a, false>,
}

debug_struct!([] PathEntries<'_> { depth });

impl<'a> PathEntries<'a> {
    /// Goes one step down. Returns the head of the node that it leaves, the index of the child that it goes to, and the number of
    /// bytes from the key of this child to the end of the head, if that is known.
    fn step(&mut self) -> Option<(Head<'a>, u32, Option<u32>)> {
        let (Item::Node(head), _) = read_item(self.way.bytes)? else { return None };
        if self.way.spot == self.path.spot {
            return None;
        }
        let step = self.path.steps.get(self.depth);
        let index = match step {
            Some(step) => self.jump(&head, step)?,
            None => self.way.toward(&head, self.path.spot)?,
        };
        self.depth = self.depth.saturating_add(1);
        Some((head, index, step.map(|step| step.keys)))
    }

    /// Goes to the child by a step that is remembered.
    fn jump(&mut self, head: &Head<'_>, step: Step) -> Option<u32> {
        self.way.bytes = match step.child {
            0 => LEAF_BYTES,
            child => self.path.def.as_bytes().get(child as usize..)?,
        };
        // Where the child is, is only known of the last one.
        let (known, end) = self.path.steps.end();
        if self.depth.wrapping_add(1) == known {
            self.way.spot = end;
        }
        head.arity().checked_sub(step.after)?.checked_sub(1)
    }
}

impl<'a> Iterator for PathEntries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        match self.step()? {
            (head, index, Some(keys)) => head.entries_at(index, keys).next(),
            (head, index, None) => head.entries().nth(index as usize),
        }
    }
}
