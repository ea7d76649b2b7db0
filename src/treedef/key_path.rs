//! Defines a path: the entries from the root to a node.

use crate::base::exact_size::count;
use crate::base::show::debug_struct;
use crate::format::entry::KeyEntry;
use crate::treedef::path::{FoundEntries, Path};

/// The entries from the root to a node, as JAX's `KeyPath`; it prints as [`KeyPath::keystr`].
///
/// Walks over trees ([`Over::paths`](crate::tree::Over::paths), [`View::for_each_with_path`](crate::View::for_each_with_path))
/// pass one for each leaf, which has its entries in a slice, for the time of the call. Treedefs have one for each node
/// ([`TreeDef::paths`](crate::TreeDef::paths), [`Found::path`](crate::path::Found::path), [`Difference::path`](crate::diff::Difference::path)): its
/// entries are found in the treedef when they are read. Paths with equal entries are equal, wherever they are from.
///
/// A path of a treedef is the place of a node, and up to 12 remembered steps on the way: some 200 bytes. An entry whose step is
/// not remembered is found by a scan of its node, up to the node that the path leads to. A last child is not scanned, so a
/// chain is read once. Paths from a walk over a treedef ([`TreeDef::paths`](crate::TreeDef::paths),
/// [`TreeDef::nodes`](crate::TreeDef::nodes), [`TreeDef::node_path`](crate::TreeDef::node_path)) remember the first 12 steps. Paths
/// from a look-up ([`TreeDef::path`](crate::TreeDef::path), [`Found::path`](crate::path::Found::path)) remember none.
///
/// [`TreeDef::find`](crate::TreeDef::find) finds the node of a path, [`TreeDef::find_keystr`](crate::TreeDef::find_keystr) and
/// [`TreeDef::find_str`](crate::TreeDef::find_str) that of a text, and
/// [`PathPattern::matches`](crate::path::PathPattern::matches) compares a path with a pattern such as `layers[*].bias`. The module
/// [`path`](mod@crate::path) has paths to keep.
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, KeyPath, over, treedef};
///
/// let is_wanted = |path: KeyPath<'_, '_>| path.len() > 1 && path.last() == Some(KeyEntry::Index(0));
///
/// let def = treedef!([*, (*, *)]);
/// let texts = def.paths().filter(|path| is_wanted(*path)).map(|path| path.to_string());
/// assert!(texts.eq(["[1][0]"]));
///
/// let mut paths = def.paths();
/// over(&(1.0f32, [2.0f32, 3.0])).paths().for_each(|path, leaf| {
///     assert_eq!(Some(path), paths.next());
///     assert_eq!(is_wanted(path), *leaf == 2.0);
/// })?;
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[doc(alias("PyTreeAccessor", "keystr"))]
pub struct KeyPath<'p, 'a> {
    rest: Rest<'p, 'a>,
    /// Takes the next entry. As a pointer, it links the reader of treedefs only into programs that have a path of one.
    next: for<'r, 'q, 'k> fn(&'r mut Rest<'q, 'k>) -> Option<KeyEntry<'k>>,
}

/// The entries that are not read yet.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "there is no heap for what is large")]
enum Rest<'p, 'a> {
    /// In memory.
    Held(&'p [KeyEntry<'a>]),
    /// In a treedef.
    Found(FoundEntries<'a>),
}

impl<'a> KeyPath<'a, 'a> {
    /// The path of a node of a treedef.
    pub(crate) const fn of_node(path: Path<'a>) -> Self {
        Self { rest: Rest::Found(path.entries()), next: next_found }
    }
}

impl<'p, 'a> KeyPath<'p, 'a> {
    /// The path of these entries.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, KeyPath};
    ///
    /// let path = [KeyEntry::Index(1), KeyEntry::Key("a".into()), KeyEntry::Attr("x")];
    /// assert_eq!(KeyPath::new(&path).to_string(), "[1]['a'].x");
    /// ```
    #[must_use]
    pub const fn new(entries: &'p [KeyEntry<'a>]) -> Self {
        Self { rest: Rest::Held(entries), next: next_held }
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
    #[inline]
    pub const fn entries(&self) -> PathEntries<'p, 'a> {
        PathEntries(*self)
    }

    /// The entries as a slice, for slice patterns or to go up from the leaf: of a path from a walk over a tree or from
    /// [`KeyPath::new`]. `None` for a path of a treedef, whose entries are not in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, over};
    ///
    /// let mut seconds = 0;
    /// over(&[(1.0f32, 2.0f32), (3.0, 4.0)]).paths().for_each(|path, _| {
    ///     if let Some([.., KeyEntry::Index(1)]) = path.as_slice() {
    ///         seconds += 1;
    ///     }
    /// })?;
    /// assert_eq!(seconds, 2);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn as_slice(&self) -> Option<&'p [KeyEntry<'a>]> {
        if let Rest::Held(entries) = self.rest { Some(entries) } else { None }
    }

    /// The number of entries. Of a path of a treedef it costs as much as to read them.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// assert!(treedef!([*, (*, *)]).paths().map(|path| path.len()).eq([1, 2, 2]));
    /// ```
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().map_or_else(|| count(self.entries()), <[_]>::len)
    }

    /// Whether the path is that of the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::KeyPath;
    ///
    /// assert!(KeyPath::new(&[]).is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// The first entry; `None` for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, treedef};
    ///
    /// let path = treedef!([*, {"a": *}]).path(1);
    /// assert_eq!(path.and_then(|path| path.first()), Some(KeyEntry::Index(1)));
    /// ```
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<KeyEntry<'a>> {
        self.entries().next()
    }

    /// The last entry; `None` for the root. Of a path of a treedef it costs as much as to read all.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, treedef};
    ///
    /// let is_bias = |entry| entry == Some(KeyEntry::Key("b".into()));
    /// assert_eq!(treedef!([{"b": *, "w": *}]).paths().filter(|path| is_bias(path.last())).count(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub fn last(&self) -> Option<KeyEntry<'a>> {
        self.as_slice().map_or_else(|| self.entries().last(), |entries| entries.last().copied())
    }

    /// The place of the node of a treedef.
    pub(super) const fn place(&self) -> Option<Path<'a>> {
        if let Rest::Found(entries) = &self.rest { Some(entries.path) } else { None }
    }

    /// Whether the path prints nothing.
    pub(crate) fn is_silent(&self) -> bool {
        self.entries().all(|entry| entry == KeyEntry::Some)
    }
}

/// The same entries, wherever they are.
impl PartialEq for KeyPath<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.entries().eq(other.entries())
    }
}

impl Eq for KeyPath<'_, '_> {}

impl<'p, 'a> IntoIterator for KeyPath<'p, 'a> {
    type Item = KeyEntry<'a>;
    type IntoIter = PathEntries<'p, 'a>;

    #[inline]
    fn into_iter(self) -> PathEntries<'p, 'a> {
        self.entries()
    }
}

/// The entries of a [`KeyPath`].
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
pub struct PathEntries<'p, 'a>(KeyPath<'p, 'a>);

debug_struct!([] PathEntries<'_, '_> {});

fn next_held<'a>(rest: &mut Rest<'_, 'a>) -> Option<KeyEntry<'a>> {
    if let Rest::Held(entries) = rest { entries.split_off_first().copied() } else { None }
}

fn next_found<'a>(rest: &mut Rest<'_, 'a>) -> Option<KeyEntry<'a>> {
    if let Rest::Found(entries) = rest { entries.next() } else { None }
}

impl<'a> Iterator for PathEntries<'_, 'a> {
    type Item = KeyEntry<'a>;

    #[inline]
    fn next(&mut self) -> Option<KeyEntry<'a>> {
        (self.0.next)(&mut self.0.rest)
    }
}
