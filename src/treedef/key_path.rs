//! Defines a path as a slice of its entries.

use core::iter::Copied;
use core::ops::Deref;
use core::slice;

use crate::format::entry::KeyEntry;

/// The entries from the root to a node, as JAX's `KeyPath`; it prints as [`KeyPath::keystr`].
///
/// It is a slice with a `Display`, and `Copy`. It can be read as a slice, or iterated over, for example by
/// [`TreeDef::find`](crate::TreeDef::find). [`Over::paths`](crate::tree::Over::paths) and
/// [`View::for_each_with_path`](crate::View::for_each_with_path) pass one for each leaf, and [`KeyPath::new`] makes one from entries of the caller.
///
/// [`TreeDef::find_keystr`](crate::TreeDef::find_keystr) and [`TreeDef::find_str`](crate::TreeDef::find_str) find the node
/// of a text, and [`PathPattern::matches`](crate::path::PathPattern::matches) compares a path with a pattern such as
/// `layers[*].bias`. The module [`path`](mod@crate::path) lists the other types of paths.
///
/// # Examples
///
/// ```
/// use treedef::{KeyEntry, View, treedef};
///
/// let view = View::new(treedef!([*, {"b": *, "w": (*, *)}]), &[1, 2, 3, 4])?;
/// view.for_each_with_path(|path, leaf| {
///     assert_eq!(view.find(path).unwrap().as_leaf(), Some(leaf));
///     if *leaf == 2 {
///         assert_eq!(path[0], KeyEntry::Index(1));
///         assert_eq!(path.last(), Some(&KeyEntry::Key("b".into())));
///         assert_eq!(path.to_string(), "[1]['b']");
///         assert_eq!(path.keystr_simple("/"), "1/b");
///     }
/// })?;
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias("PyTreeAccessor", "keystr"))]
pub struct KeyPath<'p, 'a>(pub(crate) &'p [KeyEntry<'a>]);

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
        Self(entries)
    }

    /// The entries from the root to the node; none for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, KeyPath};
    ///
    /// let path = [KeyEntry::Key("w".into()), KeyEntry::Index(1)];
    /// assert!(KeyPath::new(&path).entries().eq(path));
    /// ```
    pub fn entries(&self) -> Copied<slice::Iter<'p, KeyEntry<'a>>> {
        self.0.iter().copied()
    }
}

impl<'a> Deref for KeyPath<'_, 'a> {
    type Target = [KeyEntry<'a>];

    fn deref(&self) -> &[KeyEntry<'a>] {
        self.0
    }
}

impl<'p, 'a> IntoIterator for KeyPath<'p, 'a> {
    type Item = KeyEntry<'a>;
    type IntoIter = Copied<slice::Iter<'p, KeyEntry<'a>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries()
    }
}
