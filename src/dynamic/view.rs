//! Defines views: a treedef and its leaves, read as a tree.

use core::fmt;
use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::exact_size::exact_size;
use crate::base::show::{debug_struct, list};
use crate::dynamic::key_paths::KeyPaths;
use crate::dynamic::object::{Object, Open};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::children::Children;
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// A tree that consists of a treedef and a slice of leaves. It does the work of `jax.tree.unflatten` without building a
/// tree.
///
/// A view takes five words and is `Copy`. A child is a view of a part of the bytes and a part of the leaves. Finding a
/// child scans the bytes of the siblings before it. A view is an [`Object`], so [`Flatten`](crate::dynamic::Flatten)
/// accepts it. The functions on typed trees accept its parts: the treedef is a [`Structure`](crate::tree::Structure), and
/// a slice of leaves is a tree.
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
    /// Makes a view of a treedef and its leaves, whose number must match.
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
    pub fn new(def: impl Into<TreeDef<'a>>, leaves: &'a [L]) -> Result<Self, Error> {
        let def = def.into();
        Error::check_count(def.num_leaves(), leaves.len())?;
        Ok(Self { def, leaves })
    }

    /// Returns the treedef.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!({"b": *, "w": (*, *)}), &[1, 2, 3])?;
    /// assert_eq!(view.get("w").map(|w| w.treedef()), Some(treedef!((*, *))));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }

    /// Returns all leaves, in order.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!({"b": *, "w": (*, *)}), &[1, 2, 3])?;
    /// assert_eq!(view.get("w").map(|w| w.leaves()), Some([2, 3].as_slice()));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn leaves(&self) -> &'a [L] {
        self.leaves
    }

    /// Returns the leaf, if the root is a leaf.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!({"b": *, "w": (*, *)}), &[1, 2, 3])?;
    /// assert_eq!(view.get("b").and_then(|b| b.as_leaf()), Some(&1));
    /// assert_eq!(view.get("w").and_then(|w| w.as_leaf()), None);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub const fn as_leaf(&self) -> Option<&'a L> {
        match self.leaves {
            [leaf] if self.def.is_leaf() => Some(leaf),
            _ => None,
        }
    }

    /// Returns the head of the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Value, View, treedef};
    ///
    /// let view = View::new(treedef!({"b": *, "w": (*, *)}), &[1, 2, 3])?;
    /// assert!(view.head().keys().eq(["b", "w"].map(Value::from)));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    #[doc(alias("flatten_one_level", "flatten_one_level_with_keys", "tree_flatten_one_level"))]
    pub fn head(&self) -> Head<'a> {
        self.def.head()
    }

    /// Returns the kind of the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Kind, View, treedef};
    ///
    /// let view = View::new(treedef!({"w": [*, *]}), &[1, 2])?;
    /// assert_eq!(view.kind(), Kind::Dict);
    /// assert_eq!(view.get("w").map(|w| w.kind()), Some(Kind::List));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.def.kind()
    }

    /// Iterates over the children, in order.
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

    /// Returns the child with this index, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{View, treedef};
    ///
    /// let view = View::new(treedef!([*, (*, *)]), &[1, 2, 3])?;
    /// assert_eq!(view.child(0).and_then(|child| child.as_leaf()), Some(&1));
    /// assert_eq!(view.child(1).map(|child| child.leaves()), Some([2, 3].as_slice()));
    /// assert!(view.child(2).is_none());
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn child(&self, index: usize) -> Option<View<'a, L>> {
        self.children().nth(index)
    }

    /// Returns the child with this dictionary key, or the field with this name, if there is one.
    ///
    /// Keys are compared by their bytes: `1` is not `True`. If an ordered dictionary has a key twice, the first is
    /// found.
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

    /// Returns the child that this entry leads to, if there is one.
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

    /// Returns the node that the entries lead to, as [`TreeDef::find`].
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

    /// Returns the node that the text of a path leads to, as [`TreeDef::find_str`].
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

    /// Calls `visit` with every leaf and its path, in order, as `jax.tree.leaves_with_path`.
    ///
    /// Takes one pass over the treedef, with repeats written out, so the cost of a leaf does not depend on the size of
    /// the tree. Takes 5 kB of stack. If only a treedef is known, use [`View::bare`].
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if a node is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root. Then
    /// nothing is visited; [`TreeDef::paths`] works at any depth.
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
        let mut paths = KeyPaths::new(self.def)?;
        self.leaves.iter().for_each(|leaf| visit(paths.next(), leaf));
        Ok(())
    }

    /// Returns the node that was found in the treedef of this view.
    fn found(&self, found: Found<'a>) -> View<'a, L> {
        let leaves = self.leaves.get(found.leaves()).unwrap_or_default();
        View { def: found.treedef(), leaves }
    }

    /// Returns the part of the tree with this treedef, whose first leaf has the index `first`.
    pub(crate) fn part(&self, def: TreeDef<'a>, first: u32) -> Option<View<'a, L>> {
        let start = first as usize;
        let leaves = self.leaves.get(start..start.checked_add(def.num_leaves())?)?;
        Some(View { def, leaves })
    }
}

impl<'a> View<'a, ()> {
    /// Makes a view whose leaves are `()`, to use operations on trees with a treedef alone.
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
        // A slice for the largest number of leaves. It takes no memory, because `()` has size zero.
        const UNITS: &[()] = &[(); u32::MAX as usize];
        Self { def, leaves: UNITS.get(..def.num_leaves()).unwrap_or(UNITS) }
    }
}

// Implemented by hand: derives would require `Clone` and `Copy` of the leaves, although only a reference is copied.
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
        write!(f, "View {{ def: {:?}, leaves: ", self.def)?;
        list(f, self.leaves)?;
        f.write_str(" }")
    }
}

/// An iterator over the children of a [`View`].
///
/// # Examples
///
/// ```
/// use treedef::{View, treedef};
///
/// let view = View::new(treedef!([*, (*, *)]), &[1, 2, 3])?;
/// assert!(view.children().map(|child| child.leaves().len()).eq([1, 2]));
/// # Ok::<(), treedef::Error>(())
/// ```
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
        self.nth(0)
    }

    exact_size!(self => self.defs.len());

    fn nth(&mut self, n: usize) -> Option<View<'a, L>> {
        let def = self.defs.nth(n)?;
        let rest = self.leaves.len().checked_sub(self.defs.num_leaves())?;
        let (before, rest) = self.leaves.split_at_checked(rest)?;
        self.leaves = rest;
        let leaves = before.get(before.len().checked_sub(def.num_leaves())?..)?;
        Some(View { def, leaves })
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
            // By reference, because each move of the iterator would take its size on the stack at every level.
            _ => open.node(&head, &mut self.children()),
        }
    }

    fn as_leaf(self) -> Option<&'a L> {
        View::as_leaf(&self)
    }

    /// Views are not compared: their children are found by reading the bytes again at each level.
    #[inline]
    fn is_like(self, _: Self, _: &mut impl FnMut(Self, Option<&'a L>)) -> Option<bool> {
        Some(false)
    }
}
