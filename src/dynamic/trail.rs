//! Defines the path of an object that a predicate can read.

use core::fmt;

use crate::base::show::list;
use crate::format::entry::KeyEntry;

/// The path entries from the root to an object, for the predicate of
/// [`Flatten::is_leaf_at`](crate::dynamic::Flatten::is_leaf_at).
///
/// The entries are in the stack frames of the walk, which reads the keys of each node once.
///
/// # Examples
///
/// ```
/// use treedef::dynamic::{Flatten, Trail};
/// use treedef::{KeyEntry, Node, tree};
///
/// // Everything below the second level, or inside `frozen`, is one leaf.
/// let whole = |path: Trail<'_>, _: &Node<i32>| path.len() == 2 || path.get(0) == Some(KeyEntry::Key("frozen".into()));
/// let tree = tree!({"frozen": [1, 2], "live": [3, [4, 5]]});
/// assert_eq!(Flatten::new().is_leaf_at(whole).num_leaves(&tree)?, 3);
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Trail<'t>(pub(crate) Option<&'t Step<'t>>);

/// One entry, and a link to the entries above it.
pub(crate) struct Step<'t> {
    up: Trail<'t>,
    len: usize,
    entry: Option<KeyEntry<'t>>,
}

impl<'t> Trail<'t> {
    /// The number of entries: the depth of the object.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{Node, tree};
    ///
    /// let children = Flatten::new().is_leaf_at(|path: Trail<'_>, _: &Node<i32>| path.len() == 1);
    /// assert_eq!(children.num_leaves(&tree!([[1, 2], [3, 4]])), Ok(2));
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.map_or(0, |step| step.len)
    }

    /// Whether the object is the root: the trail has no entries.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{Node, tree};
    ///
    /// let below_root = Flatten::new().is_leaf_at(|path: Trail<'_>, _: &Node<i32>| !path.is_empty());
    /// assert_eq!(below_root.num_leaves(&tree!([[1, 2], [3, 4]])), Ok(2));
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the entry with this index, counted from the root.
    ///
    /// It takes a step for each entry below this one, so the last entry takes constant time.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{KeyEntry, Node, tree};
    ///
    /// let frozen = |path: Trail<'_>, _: &Node<i32>| path.get(0) == Some(KeyEntry::Key("frozen".into()));
    /// let tree = tree!({"frozen": [1, 2], "live": [3, 4]});
    /// assert_eq!(Flatten::new().is_leaf_at(frozen).num_leaves(&tree), Ok(3));
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<KeyEntry<'t>> {
        let above = self.len().checked_sub(index)?.checked_sub(1)?;
        self.steps().nth(above)?.entry
    }

    /// Iterates over the entries from the root to the object. Each costs one [`Trail::get`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{Node, tree};
    ///
    /// // A key on the way begins with an underscore.
    /// let private = |path: Trail<'_>, _: &Node<i32>| path.entries().any(|entry| entry.to_string().starts_with("['_"));
    /// let tree = tree!({"_cache": {"a": 1, "b": 2}, "w": [3, 4]});
    /// assert_eq!(Flatten::new().is_leaf_at(private).num_leaves(&tree), Ok(3));
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        let trail = *self;
        (0..trail.len()).filter_map(move |index| trail.get(index))
    }

    /// Iterates over the entries from the object to the root. Each takes one step.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::dynamic::{Flatten, Trail};
    /// use treedef::{KeyEntry, Node, tree};
    ///
    /// let frozen = |path: Trail<'_>, _: &Node<i32>| path.upwards().next() == Some(KeyEntry::Key("frozen".into()));
    /// let tree = tree!([{"frozen": [1, 2], "live": [3, 4]}]);
    /// assert_eq!(Flatten::new().is_leaf_at(frozen).num_leaves(&tree), Ok(3));
    /// ```
    pub fn upwards(&self) -> impl Iterator<Item = KeyEntry<'t>> + use<'t> {
        self.steps().filter_map(|step| step.entry)
    }

    fn steps(&self) -> impl Iterator<Item = &'t Step<'t>> + use<'t> {
        core::iter::successors(self.0, |step| step.up.0)
    }
}

impl<'t> Step<'t> {
    #[inline]
    pub(crate) fn new(up: Trail<'t>, entry: Option<KeyEntry<'t>>) -> Self {
        Self { up, len: up.len().wrapping_add(1), entry }
    }
}

impl fmt::Debug for Trail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.entries())
    }
}
