//! Leaves taken apart and put together again, under one treedef.

use crate::algebra::prefix::{FlattenUpTo, flatten_up_to};
use crate::base::error::Error;
use crate::dynamic::view::View;

/// Takes the leaves of `tree` apart: those that `spec` selects go to `selected`, the others to `others`, each to its
/// own index, and the place in the other slice is `None`. Gives the number of leaves.
///
/// As `equinox.partition` and optree's `tree_partition`, but the treedef stays as it is: both halves have the structure
/// of `tree`, with leaves that are marked as missing. `spec` is a prefix of `tree`: one `bool` marks all leaves
/// below it. A predicate on leaves is a spec of the same structure.
///
/// Costs what [`flatten_up_to`] costs, and a copy for each leaf. Takes 6 kB of stack. [`combine`] is the way back.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of) about the spec; [`Error::LeavesFull`] if one of the
/// slices is too short. Nothing is written then.
///
/// # Examples
///
/// ```
/// use treedef::algebra::{combine, partition};
/// use treedef::{View, treedef};
///
/// let tree = View::new(treedef!({"b": *, "w": [*, *]}), &[1, 2, 3])?;
/// let trainable = View::new(treedef!({"b": *, "w": *}), &[false, true])?;
/// let (mut selected, mut others, mut whole) = ([None; 3], [None; 3], [None; 3]);
/// partition(tree, trainable, &mut selected, &mut others)?;
/// assert_eq!((selected, others), ([None, Some(2), Some(3)], [Some(1), None, None]));
/// combine(&[&selected, &others], &mut whole)?;
/// assert_eq!(whole, [Some(1), Some(2), Some(3)]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn partition<L: Clone>(
    tree: View<'_, L>,
    spec: View<'_, bool>,
    selected: &mut [Option<L>],
    others: &mut [Option<L>],
) -> Result<usize, Error> {
    let (needed, room) = (tree.leaves().len(), selected.len().min(others.len()));
    let parts = flatten_up_to(spec.treedef(), tree)?;
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    select(spec.leaves(), parts, selected);
    for ((leaf, selected), other) in tree.leaves().iter().zip(&*selected).zip(others) {
        *other = if selected.is_none() { Some(leaf.clone()) } else { None };
    }
    Ok(needed)
}

/// Writes the leaves of `tree` that `spec` selects to their own index of `leaves`, and `None` to the others; as
/// `equinox.filter`. Gives the number of leaves.
///
/// As [`partition`] with one half. The structure in which the others are `None` too is
/// [`TreeDef::leaves_to_none`](crate::TreeDef::leaves_to_none).
///
/// # Errors
///
/// As [`partition`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::filter;
/// use treedef::{View, treedef};
///
/// let tree = View::new(treedef!([*, *]), &[1, 2])?;
/// let mut leaves = [None; 2];
/// filter(tree, View::new(treedef!([*, *]), &[true, false])?, &mut leaves)?;
/// assert_eq!(leaves, [Some(1), None]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn filter<L: Clone>(
    tree: View<'_, L>,
    spec: View<'_, bool>,
    leaves: &mut [Option<L>],
) -> Result<usize, Error> {
    let (needed, room) = (tree.leaves().len(), leaves.len());
    let parts = flatten_up_to(spec.treedef(), tree)?;
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    select(spec.leaves(), parts, leaves);
    Ok(needed)
}

/// Writes the leaves that lie below a mark that selects them, where there is room for all.
fn select<L: Clone>(marks: &[bool], parts: FlattenUpTo<'_, '_, L>, mut leaves: &mut [Option<L>]) {
    for (selects, part) in marks.iter().zip(parts) {
        let below = part.leaves();
        let Some((slots, rest)) = leaves.split_at_mut_checked(below.len()) else { return };
        leaves = rest;
        for (slot, leaf) in slots.iter_mut().zip(below) {
            *slot = if *selects { Some(leaf.clone()) } else { None };
        }
    }
}

/// Puts leaves together that were taken apart: at each index the first of `parts` that has a leaf, as
/// `equinox.combine`. Gives the number of leaves.
///
/// # Errors
///
/// [`Error::TooFewLeaves`], [`Error::TooManyLeaves`] if a part is not as long as the first; [`Error::LeavesFull`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::combine;
///
/// let mut leaves = [None; 3];
/// combine(&[&[Some(1), None, None], &[Some(7), Some(2), None]], &mut leaves)?;
/// assert_eq!(leaves, [Some(1), Some(2), None]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn combine<L: Clone>(parts: &[&[Option<L>]], leaves: &mut [Option<L>]) -> Result<usize, Error> {
    let (expected, room) = (parts.first().map_or(0, |part| part.len()), leaves.len());
    for part in parts {
        let found = part.len();
        if found < expected {
            return Err(Error::TooFewLeaves { expected, found });
        }
        if found > expected {
            return Err(Error::TooManyLeaves { expected, found });
        }
    }
    let Some(slots) = leaves.get_mut(..expected) else {
        return Err(Error::LeavesFull { needed: expected, room });
    };
    slots.fill(None);
    for part in parts {
        for (slot, leaf) in slots.iter_mut().zip(*part) {
            if slot.is_none() {
                slot.clone_from(leaf);
            }
        }
    }
    Ok(expected)
}
