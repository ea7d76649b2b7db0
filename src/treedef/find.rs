//! Finds the node that a path leads to, by its entries or by child indices.

use core::ops::Range;

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::format::head::{Form, Head, Kind};
use crate::format::value::Value;
use crate::treedef::key_path::KeyPath;
use crate::treedef::path::{Path, UNKNOWN};
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::scan::skip;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node of a treedef and its place, from [`TreeDef::find`], [`TreeDef::find_at`], [`TreeDef::find_str`] or
/// [`Nodes::found`](crate::nodes::Nodes::found).
///
/// It borrows the bytes; `found.treedef()` is a sub-slice of them.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let found = treedef!({"a": *, "b": (*, *)}).find_str("b")?;
/// assert_eq!(found.treedef(), treedef!((*, *)));
/// assert_eq!((found.leaves(), found.node()), (1..3, 2));
/// assert_eq!(found.path().to_string(), "['b']");
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Found<'a> {
    root: TreeDef<'a>,
    def: TreeDef<'a>,
    spot: Spot,
    /// The index of the node in preorder; [`UNKNOWN`] where the look-up did not count.
    node: u32,
}

debug_struct!([] Found<'_> { root, def });

/// The same place in equal treedefs, however it was found.
impl PartialEq for Found<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.root, self.spot) == (other.root, other.spot)
    }
}

impl Eq for Found<'_> {}

impl<'a> Found<'a> {
    /// A node at this spot of `root`. `node` is its index, or [`UNKNOWN`].
    pub(crate) const fn at(root: TreeDef<'a>, def: TreeDef<'a>, spot: Spot, node: u32) -> Self {
        Self { root, def, spot, node }
    }

    /// The treedef that was searched.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": (*, *)});
    /// assert_eq!(def.find_str("b")?.root(), def);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn root(&self) -> TreeDef<'a> {
        self.root
    }

    /// The node and everything below it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": (*, *)});
    /// assert_eq!(def.find_str("b")?.treedef(), treedef!((*, *)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }

    /// The index of the leaf, if the node is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": (*, *)});
    /// assert_eq!(def.find_str("['b'][1]")?.as_leaf(), Some(2));
    /// assert_eq!(def.find_str("['b']")?.as_leaf(), None);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn as_leaf(&self) -> Option<usize> {
        if self.def.is_leaf() { Some(self.spot.leaf as usize) } else { None }
    }

    /// The indices of the node's leaves in the whole tree. If it has none, an empty range at the leaf that follows.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let leaves = [1, 2, 3, 4];
    /// let found = treedef!({"a": *, "b": (*, *), "c": *}).find_str("['b']")?;
    /// assert_eq!(leaves.get(found.leaves()), Some([2, 3].as_slice()));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn leaves(&self) -> Range<usize> {
        self.spot.leaf as usize..(self.spot.leaf as usize).saturating_add(self.def.num_leaves())
    }

    /// The index of the node in preorder with repeats written out, as [`TreeDef::node_path`] takes it.
    ///
    /// [`TreeDef::find_str`] does not count nodes: the index of its node is found when it is asked for, by a pass over the bytes
    /// before the node.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": (*, *), "b": *});
    /// assert_eq!(def.find_str("b")?.node(), 4);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn node(&self) -> usize {
        self.place().node()
    }

    /// The position of the node for a scan.
    pub(crate) const fn spot(&self) -> Spot {
        self.spot
    }

    /// Where a scan is after the node.
    pub(crate) const fn end(&self) -> Spot {
        match skip(self.def.as_bytes()) {
            Some(node) => self.spot.after(1, node.leaves, node.tail),
            None => self.spot,
        }
    }

    /// The path of the node, whose entries are searched from the root. In a loop over [`TreeDef::nodes`],
    /// [`Nodes::path`](crate::nodes::Nodes::path) costs less.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": (*, *)});
    /// assert_eq!(def.find_str("b/1")?.path().to_string(), "['b'][1]");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn path(&self) -> KeyPath<'a, 'a> {
        KeyPath::of_node(self.place())
    }

    /// The indices of the children on the way, which [`TreeDef::find_at`] takes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": *, "b": (*, *)}]);
    /// assert!(def.find_str("[1].b")?.indices().eq([1, 1]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn indices(&self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.place().indices()
    }

    const fn place(&self) -> Path<'a> {
        Path::of_node(self.root, self.node, self.spot, self.def.is_leaf())
    }
}

impl<'a> KeyPath<'_, 'a> {
    /// The node that a path of a treedef leads to; `None` for a path from a walk over a tree, which
    /// [`TreeDef::find`] looks up.
    ///
    /// It costs a pass over the bytes up to the node, and finds this node where others have the same entries, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (expected, found) = (treedef!([*, (*, *)]), treedef!([*, [*]]));
    /// let difference = expected.differences(found).flatten().next().ok_or("they are equal")?;
    /// let place = difference.path().found().ok_or("it is of a treedef")?;
    /// assert_eq!((place.node(), place.leaves()), (2, 1..3));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn found(&self) -> Option<Found<'a>> {
        self.place()?.way()?.found()
    }
}

impl<'a> TreeDef<'a> {
    /// The node that the entries lead to. No entries lead to the root.
    ///
    /// It takes time that is linear in the bytes, with a bounded stack. The entry [`KeyEntry::Some`] is optional before another
    /// entry; without it at the end, the path leads to the `Some`. Keys are compared by their bytes: `1` is not `True`.
    /// If several children have the same entry, it finds the first; ordered dictionaries, structs, named tuples and
    /// custom nodes can have such children. [`TreeDef::find_at`] finds every child by its index.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the first entry that leads nowhere; [`Error::explain_path`] says what is there instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{Error, KeyEntry, Value, treedef};
    ///
    /// let def = treedef!({"a": {"b": *, "d": (*, *)}});
    /// let [a, d, c] = ["a", "d", "c"].map(|key| KeyEntry::Key(Value::Str(key)));
    /// let found = def.find([a, d])?;
    /// assert_eq!((found.treedef(), found.leaves()), (treedef!((*, *)), 1..3));
    ///
    /// let mut text = heapless::String::<64>::new();
    /// let error = def.find([a, c]).unwrap_err();
    /// assert_eq!(error, Error::NotFound { node: 1, at: 1 });
    /// write!(text, "{}", error.explain_path(def, ""))?;
    /// assert_eq!(text, "nothing for entry 1 at ['a']: has ['b'], ['d']");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// A path does not name the variants of enums. To move leaves of an older structure to a newer one, use
    /// [`migrate`](crate::algebra::migrate), which compares types too.
    #[doc(alias = "accessor")]
    pub fn find<'k>(
        &self,
        entries: impl IntoIterator<Item = KeyEntry<'k>>,
    ) -> Result<Found<'a>, Error> {
        let (mut way, mut at) = (PathCursor::<true>::new(*self), 0usize);
        for entry in entries {
            let head = if entry == KeyEntry::Some { way.head() } else { way.skip_some() };
            let index = head.index_of(entry).ok_or_else(|| way.not_found(at))?;
            way.down(&head, index).ok_or_else(|| way.not_found(at))?;
            at = at.saturating_add(1);
        }
        way.found().ok_or_else(|| way.not_found(at))
    }

    /// The node that child indices lead to; `None` if there is none. The content of a `Some` is its child 0.
    ///
    /// Costs as [`TreeDef::find`], without the keys. [`Found::indices`] returns the indices of a
    /// node. In a loop over all nodes, [`Nodes::found`](crate::nodes::Nodes::found) returns each without a search.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!({"a": *, "b": [*, (*, *)]});
    /// assert_eq!(def.find_at([1, 1]).map(|found| found.leaves()), Some(2..4));
    /// assert_eq!(def.find_at([1, 2]), None);
    /// ```
    #[must_use]
    pub fn find_at(&self, indices: impl IntoIterator<Item = usize>) -> Option<Found<'a>> {
        let mut way = PathCursor::<true>::new(*self);
        for index in indices {
            way.down(&way.head(), u32::try_from(index).ok()?)?;
        }
        way.found()
    }
}

impl Head<'_> {
    /// The index of the first child that this entry leads to.
    ///
    /// A position costs nothing. A key costs a scan of the keys.
    pub(crate) fn index_of(&self, entry: KeyEntry<'_>) -> Option<u32> {
        let text = match (entry, self.kind()) {
            (KeyEntry::Attr(name), Kind::NamedTuple | Kind::Struct) => name,
            (KeyEntry::Key(Value::Str(key)), _) if self.form() == Form::Str => key,
            _ => return self.entries().index_of(entry),
        };
        self.position(text)
    }
}

impl<'a, const COUNTS: bool> PathCursor<'a, COUNTS> {
    /// The node, and where it ends.
    pub(crate) const fn found(&self) -> Option<Found<'a>> {
        let node = attempt!(skip(self.bytes));
        let def = TreeDef::scanned(self.bytes, &node);
        let node = if COUNTS { self.node } else { UNKNOWN };
        Some(Found { root: self.root, def, spot: self.spot, node })
    }

    /// The node that a whole text led to. A leaf and each `Some` around it have the same text.
    pub(crate) const fn found_by_text(self) -> Option<Found<'a>> {
        let mut inside = self;
        match inside.skip_some().kind() {
            Kind::Leaf => inside.found(),
            _ => self.found(),
        }
    }
}
