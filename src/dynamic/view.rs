//! A treedef and its leaves, read as a tree.

use core::fmt;
use core::iter::FusedIterator;

use crate::base::both::Both;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::object::{Object, Open};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::tree::with_path::KeyPaths;
use crate::treedef::children::Children;
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

/// A tree that is a treedef and a slice of leaves: what `jax.tree.unflatten` makes, without making anything.
///
/// Five words, `Copy`. A child is a view of a part of the bytes and a part of the leaves; going to a child scans the
/// bytes of the siblings before it. A view is an [`Object`] and a [`Structure`](crate::tree::Structure), so everything
/// that flattens takes it.
///
/// # Examples
///
/// ```
/// use treedef::{View, treedef};
///
/// let leaves = [1.0, 2.0, 3.0];
/// let view = View::new(treedef!({"layers": [*, *], "scale": *}), &leaves)?;
/// assert_eq!(view.get("scale").and_then(|scale| scale.as_leaf()), Some(&3.0));
/// let layers = view.get("layers").unwrap();
/// assert_eq!(layers.leaves(), [1.0, 2.0]);
/// assert_eq!(layers.child(1).and_then(|layer| layer.as_leaf()), Some(&2.0));
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct View<'a, L> {
    def: TreeDef<'a>,
    leaves: &'a [L],
}

impl<'a, L> View<'a, L> {
    /// Takes a treedef and exactly its leaves.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewLeaves`], [`Error::TooManyLeaves`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, View, treedef};
    ///
    /// let error = View::new(treedef!((*, *)), &[1]).unwrap_err();
    /// assert_eq!(error, Error::TooFewLeaves { expected: 2, found: 1 });
    /// ```
    pub const fn new(def: TreeDef<'a>, leaves: &'a [L]) -> Result<Self, Error> {
        let (expected, found) = (def.num_leaves(), leaves.len());
        if found < expected {
            Err(Error::TooFewLeaves { expected, found })
        } else if found > expected {
            Err(Error::TooManyLeaves { expected, found })
        } else {
            Ok(Self { def, leaves })
        }
    }

    /// Takes leaves that are known to be as many as the treedef has.
    #[cfg(feature = "proptest")]
    pub(crate) const fn trusted(def: TreeDef<'a>, leaves: &'a [L]) -> Self {
        Self { def, leaves }
    }

    /// The treedef.
    #[must_use]
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }

    /// The leaves, all below this node, in order.
    #[must_use]
    pub const fn leaves(&self) -> &'a [L] {
        self.leaves
    }

    /// The leaf, if the root is one.
    #[must_use]
    pub const fn as_leaf(&self) -> Option<&'a L> {
        match self.leaves {
            [leaf] if self.def.is_leaf() => Some(leaf),
            _ => None,
        }
    }

    /// The head of the root.
    #[must_use]
    pub fn head(&self) -> Head<'a> {
        self.def.head()
    }

    /// The kind of the root.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.def.kind()
    }

    /// The children in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!([*, (*, *), None]), &[1, 2, 3])?;
    /// assert!(view.children().map(|child| child.leaves()).eq([[1].as_slice(), &[2, 3], &[]]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn children(&self) -> ViewChildren<'a, L> {
        ViewChildren { defs: self.def.children(), leaves: self.leaves }
    }

    /// The child with this index; `None` if there are fewer.
    #[must_use]
    pub fn child(&self, index: usize) -> Option<View<'a, L>> {
        self.children().nth(index)
    }

    /// The child with this dictionary key or, for a string, of this field; `None` if there is none.
    ///
    /// Keys are compared by their bytes: `1` is not `True`. Of equal keys, which an ordered dictionary can have, the
    /// first is found.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!({"b": *, "w": *}), &[1, 2])?;
    /// assert_eq!(view.get("w").and_then(|leaf| leaf.as_leaf()), Some(&2));
    /// assert!(view.get("x").is_none());
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn get<'k>(&self, key: impl Into<Value<'k>>) -> Option<View<'a, L>> {
        let (head, key) = (self.head(), key.into());
        let index = match (key, head.kind()) {
            (Value::Str(name), Kind::NamedTuple | Kind::Struct) => {
                head.index_of(KeyEntry::Attr(name))
            }
            (Value::Str(name), Kind::Custom) => {
                let entries = [KeyEntry::Key(key), KeyEntry::Attr(name)];
                entries.into_iter().filter_map(|entry| head.index_of(entry)).min()
            }
            _ => head.index_of(KeyEntry::Key(key)),
        };
        self.child(index? as usize)
    }

    /// The child that this entry leads to; `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!([*, {"w": (*, *)}]), &[1, 2, 3])?;
    /// let mut path = view.treedef().path(2).into_iter().flat_map(|path| path.entries());
    /// let leaf = path.try_fold(view, |view, entry| view.entry(entry));
    /// assert_eq!(leaf.and_then(|leaf| leaf.as_leaf()), Some(&3));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn entry(&self, entry: KeyEntry<'_>) -> Option<View<'a, L>> {
        self.child(self.head().index_of(entry)? as usize)
    }

    /// The node that the entries lead to, as [`TreeDef::find`].
    ///
    /// # Errors
    ///
    /// As [`TreeDef::find`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, Value, View, treedef};
    ///
    /// let view = View::new(treedef!([*, {"w": (*, *)}]), &[1, 2, 3])?;
    /// let path = [KeyEntry::Index(1), KeyEntry::Key(Value::Str("w"))];
    /// assert_eq!(view.find(path).unwrap().leaves(), [2, 3]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn find<'k>(
        &self,
        entries: impl IntoIterator<Item = KeyEntry<'k>>,
    ) -> Result<View<'a, L>, Error> {
        self.def.find(entries).map(|found| self.found(found))
    }

    /// The node that a text leads to, as [`TreeDef::find_str`].
    ///
    /// # Errors
    ///
    /// As [`TreeDef::find_str`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!([*, {"w": (*, *)}]), &[1, 2, 3])?;
    /// assert_eq!(view.find_str("[1]['w'][0]").unwrap().as_leaf(), Some(&2));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn find_str(&self, text: &str) -> Result<View<'a, L>, Error> {
        self.def.find_str(text).map(|found| self.found(found))
    }

    /// Calls `visit` with the path and every leaf, in order, as `jax.tree.leaves_with_path`.
    ///
    /// One pass over the treedef with repeats written out, so a leaf costs the same in a tree of any size; 4 kB of
    /// stack. Without leaves, [`View::bare`] of a treedef does it.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if a node is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root; then
    /// nothing is visited, and [`View::leaves_with_path`] goes to any depth.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!([*, {"b": *, "w": (*, *)}]), &[1, 2, 3, 4])?;
    /// let mut text = heapless::String::<64>::new();
    /// view.for_each_with_path(|path, leaf| write!(text, "{}={leaf} ", path.keystr_simple("/")).unwrap())?;
    /// assert_eq!(text, "0=1 1/b=2 1/w/0=3 1/w/1=4 ");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn for_each_with_path(
        &self,
        mut visit: impl FnMut(KeyPath<'_, 'a>, &'a L),
    ) -> Result<(), Error> {
        KeyPaths::check(self.def)?;
        let mut paths = KeyPaths::new(self.def);
        self.leaves.iter().for_each(|leaf| visit(paths.next(), leaf));
        Ok(())
    }

    /// The leaves with their paths, each to be read by itself, at any depth; it costs as [`TreeDef::paths`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, View, treedef};
    ///
    /// let view = View::new(treedef!((*, [*])), &[1, 2])?;
    /// let found = view.leaves_with_path().find(|(_, leaf)| **leaf == 2);
    /// let entries = found.into_iter().flat_map(|(path, _)| path.entries());
    /// assert!(entries.eq([KeyEntry::Index(1), KeyEntry::Index(0)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn leaves_with_path(
        &self,
    ) -> impl ExactSizeIterator<Item = (Path<'a>, &'a L)>
    + DoubleEndedIterator
    + FusedIterator
    + Clone
    + use<'a, L> {
        Both(self.def.paths(), self.leaves.iter())
    }

    /// The node that was found in the treedef of this view.
    fn found(&self, found: Found<'a>) -> View<'a, L> {
        let leaves = self.leaves.get(found.leaves()).unwrap_or_default();
        View { def: found.treedef(), leaves }
    }

    /// The part of the tree that has this treedef and whose first leaf has this index.
    pub(crate) fn part(&self, def: TreeDef<'a>, first: u32) -> Option<View<'a, L>> {
        let start = first as usize;
        let leaves = self.leaves.get(start..start.checked_add(def.num_leaves())?)?;
        Some(View { def, leaves })
    }
}

impl<'a> View<'a, ()> {
    /// The treedef as a tree whose leaves are nothing: for operations on trees where only the structure is at hand.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, flatten_up_to, treedef};
    ///
    /// let full = View::bare(treedef!([(*, *), {"a": None}]));
    /// assert_eq!(full.leaves().len(), 2);
    /// let parts = flatten_up_to(treedef!([*, *]), full)?.map(|part| part.treedef());
    /// assert!(parts.eq([treedef!((*, *)), treedef!({"a": None})]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn bare(def: TreeDef<'a>) -> Self {
        // As many as there can be, in no byte.
        const UNITS: &[()] = &[(); u32::MAX as usize];
        Self { def, leaves: UNITS.get(..def.num_leaves()).unwrap_or(UNITS) }
    }
}

// Derived, these would ask the leaves for what only the slice has to have.
impl<L> Clone for View<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for View<'_, L> {}

impl<L: PartialEq> PartialEq for View<'_, L> {
    fn eq(&self, other: &Self) -> bool {
        self.def == other.def && self.leaves == other.leaves
    }
}

impl<L: fmt::Debug> fmt::Debug for View<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View {{ def: {:?}, leaves: [", self.def)?;
        let mut before = "";
        for leaf in self.leaves {
            f.write_str(before)?;
            leaf.fmt(f)?;
            before = ", ";
        }
        f.write_str("] }")
    }
}

/// The children of a [`View`].
#[must_use = "iterators do nothing until they are consumed"]
pub struct ViewChildren<'a, L> {
    defs: Children<'a>,
    leaves: &'a [L],
}

debug_struct!([L] ViewChildren<'_, L> { defs });

impl<L> Clone for ViewChildren<'_, L> {
    fn clone(&self) -> Self {
        Self { defs: self.defs.clone(), leaves: self.leaves }
    }
}

impl<'a, L> Iterator for ViewChildren<'a, L> {
    type Item = View<'a, L>;

    fn next(&mut self) -> Option<View<'a, L>> {
        let def = self.defs.next()?;
        let (leaves, rest) = self.leaves.split_at_checked(def.num_leaves())?;
        self.leaves = rest;
        Some(View { def, leaves })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.defs.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<View<'a, L>> {
        let def = self.defs.nth(n)?;
        let rest = self.leaves.len().checked_sub(self.defs.num_leaves())?;
        let (before, rest) = self.leaves.split_at_checked(rest)?;
        self.leaves = rest;
        let leaves = before.get(before.len().checked_sub(def.num_leaves())?..)?;
        Some(View { def, leaves })
    }

    fn count(self) -> usize {
        self.defs.count()
    }

    fn last(mut self) -> Option<View<'a, L>> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl<L> ExactSizeIterator for ViewChildren<'_, L> {}

impl<L> FusedIterator for ViewChildren<'_, L> {}

impl<'a, L> Object for View<'a, L> {
    type Leaf = &'a L;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        if let Some(leaf) = self.as_leaf() {
            return open.leaf(leaf);
        }
        let head = self.head();
        match head.kind() {
            Kind::None => open.none(),
            // By reference: every move of the iterator would take its size of the stack at every level.
            _ => open.node(&head, &mut self.children()),
        }
    }

    fn __as_leaf(self) -> Option<&'a L> {
        View::as_leaf(&self)
    }
}
