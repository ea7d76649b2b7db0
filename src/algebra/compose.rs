//! Replaces each leaf by a tree.

use crate::algebra::edit::{Change, TOGETHER, edit};
use crate::base::show::debug_struct;
use crate::format::head::Kind;
use crate::tree::structure::written;
use crate::treedef::treedef::TreeDef;

/// A treedef in which another treedef replaces each leaf; see [`TreeDef::compose`].
///
/// # Examples
///
/// ```
/// use treedef::{matches, treedef};
///
/// let pairs = treedef!([*, *]).compose(treedef!((*, *)));
/// assert_eq!(matches(&pairs, treedef!([(*, *), (*, *)])), Ok(()));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct Compose<'a> {
    outer: TreeDef<'a>,
    inner: TreeDef<'a>,
}

debug_struct!([] Compose<'_> { outer, inner });

impl<'a> TreeDef<'a> {
    /// Replaces each leaf of this structure by `inner`, as `PyTreeDef.compose`.
    ///
    /// Nothing is written yet: the result is a [`Structure`](crate::tree::Structure), for [`structure_into`](crate::structure_into),
    /// [`structure_bound`](crate::encode::structure_bound), [`matches()`](crate::matches) and arenas. If `self` has `n`
    /// nodes and `l` leaves, and `inner` has `m` nodes and `k` leaves, the result has `l * k` leaves and `n - l + l *
    /// m` nodes.
    ///
    /// Takes one pass over the bytes of `self`, and repeats stay repeats. But a node without leaves cannot be repeated:
    /// if `inner` has no leaves, such as `None`, each copy is written out, and a treedef of a few bytes can need
    /// gigabytes. [`structure_bound`](crate::encode::structure_bound) computes the size without writing.
    ///
    /// # Errors
    ///
    /// Writing, bounding or matching the result can fail with [`Error::TooLarge`](crate::Error::TooLarge), and with
    /// [`Error::TooDeep`](crate::Error::TooDeep) if `self` has more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels.
    /// `inner` can have any depth.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::encode::structure_bound;
    /// use treedef::{structure_into, treedef};
    ///
    /// let (outer, inner) = (treedef!([*, (*,)]), treedef!({"a": *, "b": *}));
    /// let composed = outer.compose(inner);
    /// let mut bytes = [0; 32];
    /// let def = structure_into(&composed, &mut bytes)?;
    /// assert_eq!(def.to_string(), "PyTreeDef([{'a': *, 'b': *}, ({'a': *, 'b': *},)])");
    /// assert_eq!(structure_bound(&composed)?, def.as_bytes().len());
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn compose(self, inner: TreeDef<'a>) -> Compose<'a> {
        Compose { outer: self, inner }
    }
}

written!([] Compose<'_>, |compose, out| {
    let inner = compose.inner;
    edit::<TOGETHER>(compose.outer, out, |head| {
        Ok(if head.kind() == Kind::Leaf { Change::Subtree(inner) } else { Change::Keep })
    });
});
