//! Turns `None` into leaves, and leaves into `None`.

use crate::algebra::edit::{Change, EACH, edit};
use crate::algebra::transform::Transform;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::format::head::{Head, Kind};
use crate::tree::structure::written;
use crate::treedef::treedef::TreeDef;

/// A function for [`TreeDef::transform`] without captures.
pub(super) type Rule<'a> = fn(Head<'a>) -> Result<Change<'a>, Error>;

impl<'a> TreeDef<'a> {
    /// Replaces each `None` of this structure by a leaf, as optree's `none_is_leaf`.
    ///
    /// The result is a [`Structure`], as for [`TreeDef::transform`].
    ///
    /// # Errors
    ///
    /// Writing, bounding or matching the result can fail with [`Error::TooLarge`], and with [`Error::TooDeep`] if this
    /// structure has more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{structure_into, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let def = structure_into(&treedef!([*, None, (None,)]).nones_as_leaves(), &mut bytes)?;
    /// assert_eq!(def, treedef!([*, *, (*,)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn nones_as_leaves(self) -> Transform<'a, Rule<'a>> {
        let rule: Rule<'a> = |head| {
            Ok(match head.kind() {
                Kind::None => Change::Subtree(TreeDef::LEAF),
                _ => Change::Keep,
            })
        };
        self.transform(rule)
    }

    /// Replaces each leaf of this structure whose mark in `kept` is `false` by `None`, as `equinox.filter` does.
    ///
    /// The result is a [`Structure`]. Copies can lose different leaves, so each is read by itself: the cost is
    /// proportional to the nodes with repeats written out. The result can be longer than this treedef, because nodes
    /// without leaves are not repeated. [`structure_bound`](crate::encode::structure_bound) is always enough.
    ///
    /// [`partition`](crate::algebra::partition) does not need this structure: it keeps the treedef and marks the
    /// leaves.
    ///
    /// # Errors
    ///
    /// Writing, bounding or matching the result fails with [`Error::TooFewLeaves`] or [`Error::TooManyLeaves`] if the
    /// number of marks is not the number of leaves, and with [`Error::TooDeep`] if this structure has more than
    /// [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{structure_into, treedef};
    ///
    /// let mut bytes = [0; 8];
    /// let def = structure_into(&treedef!([*, (*, *)]).leaves_to_none(&[true, false, true]), &mut bytes)?;
    /// assert_eq!(def, treedef!([*, (None, *)]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub const fn leaves_to_none(self, kept: &'a [bool]) -> LeavesToNone<'a> {
        LeavesToNone { def: self, kept }
    }
}

/// A treedef in which `None` replaces some leaves; see [`TreeDef::leaves_to_none`].
///
/// # Examples
///
/// ```
/// use treedef::{matches, treedef};
///
/// let kept = treedef!((*, *)).leaves_to_none(&[true, false]);
/// assert_eq!(matches(&kept, treedef!((*, None))), Ok(()));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct LeavesToNone<'a> {
    def: TreeDef<'a>,
    kept: &'a [bool],
}

debug_struct!([] LeavesToNone<'_> { def });

written!([] LeavesToNone<'_>, |nones, out| {
    if let Err(error) = Error::check_count(nones.def.num_leaves(), nones.kept.len()) {
        return out.fail(error);
    }
    let mut kept = nones.kept.iter();
    edit::<EACH>(nones.def, out, |head| {
        Ok(match head.kind() {
            Kind::Leaf if kept.next() == Some(&false) => Change::Subtree(TreeDef::NONE),
            _ => Change::Keep,
        })
    });
});

/// Writes the leaves of `tree`, and `sentinel` for each `None`, to the front of `leaves`, as optree's
/// `tree_replace_nones`. Returns their number.
///
/// The structure of these leaves is [`TreeDef::nones_as_leaves`]. The cost is one step for each node, with repeats
/// written out.
///
/// # Errors
///
/// [`Error::LeavesFull`] with the number of leaves and `None`s, [`Error::TooLarge`], and [`Error::TooDeep`] if `tree` has
/// more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels. Nothing is written then.
///
/// # Examples
///
/// ```
/// use treedef::algebra::replace_nones;
/// use treedef::{View, treedef};
///
/// let tree = View::new(treedef!([*, None, (None, *)]), &[1, 2])?;
/// let mut leaves = [0; 4];
/// assert_eq!(replace_nones(tree, &9, &mut leaves)?, 4);
/// assert_eq!(leaves, [1, 9, 9, 2]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias = "tree_replace_nones")]
pub fn replace_nones<L: Clone>(
    tree: View<'_, L>,
    sentinel: &L,
    leaves: &mut [L],
) -> Result<usize, Error> {
    let def = tree.treedef();
    let needed = Error::check_room(def.nones_as_leaves().num_leaves()?, leaves.len())?;
    let (mut old, mut free) = (tree.leaves().iter(), leaves.iter_mut());
    let mut out = Writer::count_leaves();
    edit::<EACH>(def, &mut out, |head| {
        let leaf = match head.kind() {
            Kind::Leaf => old.next(),
            Kind::None => Some(sentinel),
            _ => None,
        };
        if let Some(leaf) = leaf
            && let Some(slot) = free.next()
        {
            slot.clone_from(leaf);
        }
        Ok(Change::Keep)
    });
    out.finish_leaves().map(|_| needed)
}
