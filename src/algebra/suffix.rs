//! Finds the smallest structure of which two structures are prefixes.

use crate::algebra::edit::keep;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::dynamic::view::View;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::tree::structure::written;
use crate::treedef::pair::{Pair, PairEvent, Relation, one_by_one};
use crate::treedef::treedef::TreeDef;

/// The common suffix of two treedefs; see [`TreeDef::common_suffix`].
///
/// # Examples
///
/// ```
/// use treedef::{matches, treedef};
///
/// let common = treedef!((*, [*, *])).common_suffix(treedef!(([*], *)));
/// assert_eq!(matches(&common, treedef!(([*], [*, *]))), Ok(()));
/// ```
#[derive(Clone, Copy)]
#[must_use = "does nothing until it is described, as by `structure_into`"]
pub struct CommonSuffix<'a> {
    first: TreeDef<'a>,
    second: TreeDef<'a>,
}

debug_struct!([] CommonSuffix<'_> { first, second });

impl<'a> TreeDef<'a> {
    /// Returns the smallest structure of which this one and `other` are both prefixes, as optree's
    /// `PyTreeSpec.broadcast_to_common_suffix`. Where one of them has a leaf, the result has the subtree of the other.
    ///
    /// The result is a [`Structure`], for [`structure_into`](crate::structure_into) and the others. It is the least
    /// upper bound in the order of [`TreeDef::prefix_cmp`]. The cost is that of `prefix_cmp` plus the bytes that are
    /// written.
    ///
    /// `DIFFERENCE`: for optree, dictionaries of different kinds with the same keys have a common suffix. Here they are
    /// different nodes.
    ///
    /// # Errors
    ///
    /// Writing, bounding or matching the result fails with [`Error::NoCommonSuffix`] and the first node that differs;
    /// with [`Error::TooLarge`]; and with [`Error::TooDeep`] if a node that both have is more than
    /// [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::encode::structure_bound;
    /// use treedef::{Error, structure_into, treedef};
    ///
    /// let mut bytes = [0; 16];
    /// let common = treedef!((*, [*, *])).common_suffix(treedef!(([*, *], *)));
    /// assert_eq!(structure_into(&common, &mut bytes)?, treedef!(([*, *], [*, *])));
    ///
    /// let none = treedef!((*, [*])).common_suffix(treedef!((*, (*,))));
    /// assert_eq!(structure_bound(&none), Err(Error::NoCommonSuffix { node: 2 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "broadcast_to_common_suffix")]
    pub const fn common_suffix(self, other: TreeDef<'a>) -> CommonSuffix<'a> {
        CommonSuffix { first: self, second: other }
    }
}

written!([] CommonSuffix<'_>, |suffix, out| {
    let (mut pair, left) =
        (Pair::new(suffix.first, suffix.second, Relation::Common), out.left_after_one());
    suffix.children(&mut pair, left, out);
});

impl CommonSuffix<'_> {
    /// Describes children until the open node lacks `left` of them.
    fn children(&self, pair: &mut Pair<'_, '_>, left: u32, out: &mut Writer<'_>) {
        while out.left() > left
            && let Some(event) = pair.next()
        {
            match event {
                Ok(PairEvent::Repeat(copies)) => out.repeat(copies as usize),
                Ok(PairEvent::Enter(head)) => {
                    keep(&head, head.num_children(), out, |out| self.children(pair, 0, out));
                }
                Ok(PairEvent::LeftLeaf(def) | PairEvent::RightLeaf(def)) => out.subtree(def),
                Ok(PairEvent::Differ { .. }) => {
                    out.fail(Error::NoCommonSuffix { node: pair.place().node(self.first) });
                }
                Ok(_) => out.leaves(1),
                Err(error) => out.fail(error),
            }
        }
    }
}

/// Broadcasts the leaves of two trees to their common suffix, as optree's `broadcast_common`: writes each leaf once for
/// every leaf of the other tree at its place, to the front of the two slices. Returns the number of leaves, which is
/// the same for both.
///
/// The structure of the leaves is [`TreeDef::common_suffix`].
///
/// The structures are compared first, as in [`TreeDef::prefix_cmp`]. Then the cost is one step for each common node,
/// with repeats written out, and two clones for each leaf.
///
/// # Errors
///
/// [`Error::NoCommonSuffix`]; [`Error::LeavesFull`] with the number of leaves if one of the slices is too short;
/// [`Error::TooLarge`]; [`Error::TooDeep`]. Nothing is written then.
///
/// # Examples
///
/// ```
/// use treedef::algebra::broadcast_common;
/// use treedef::{View, treedef};
///
/// let (first, second) = (View::new(treedef!((*, [*, *])), &[1, 2, 3])?, View::new(treedef!(([*, *], *)), &[4, 5, 6])?);
/// let (mut ours, mut theirs) = ([0; 4], [0; 4]);
/// assert_eq!(broadcast_common(first, second, &mut ours, &mut theirs)?, 4);
/// assert_eq!((ours, theirs), ([1, 1, 2, 3], [4, 5, 6, 6]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias("tree_broadcast_common", "tree_broadcast_map"))]
pub fn broadcast_common<A: Clone, B: Clone>(
    first: View<'_, A>,
    second: View<'_, B>,
    ours: &mut [A],
    theirs: &mut [B],
) -> Result<usize, Error> {
    let (def, other) = (first.treedef(), second.treedef());
    let needed = def.common_suffix(other).num_leaves()?;
    Error::check_room(needed, ours.len().min(theirs.len()))?;
    let mut pair = Pair::new(def, other, Relation::Common);
    let mut written = 0usize;
    while let Some(event) = pair.next_with(one_by_one) {
        let place = pair.place();
        let (below_ours, below_theirs) = match event? {
            PairEvent::Leaf => (1, 1),
            PairEvent::LeftLeaf(def) => (1, def.num_leaves()),
            PairEvent::RightLeaf(def) => (def.num_leaves(), 1),
            _ => continue,
        };
        let count = if below_ours == 1 { below_theirs } else { below_ours };
        let end = written.saturating_add(count);
        grow(first.leaves(), place.first.leaf, below_ours, ours.get_mut(written..end));
        grow(second.leaves(), place.second.leaf, below_theirs, theirs.get_mut(written..end));
        written = end;
    }
    Ok(needed)
}

/// Fills `slots`, if any, with the `count` leaves from index `first` on, or with clones of the single leaf there.
fn grow<L: Clone>(leaves: &[L], first: u32, count: usize, slots: Option<&mut [L]>) {
    let first = first as usize;
    let leaves = leaves.get(first..first.saturating_add(count)).unwrap_or_default();
    for (slot, leaf) in slots.unwrap_or_default().iter_mut().zip(leaves.iter().cycle()) {
        slot.clone_from(leaf);
    }
}
