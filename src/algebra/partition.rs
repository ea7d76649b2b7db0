//! Leaves taken apart and put together again, under one treedef.

use crate::dynamic::view::View;
use crate::error::Error;
use crate::pair::{Event, Pair, Relation};

/// Takes the leaves of `tree` apart: those that `spec` selects go to `selected`, the others to `others`, each to its
/// own index, and the place in the other slice is `None`. Gives the number of leaves.
///
/// As `equinox.partition` and optree's `tree_partition`, but the treedef stays as it is: both halves have the structure
/// of `tree`, with leaves that are marked as missing. `spec` is a prefix of `tree`: one `bool` stands for all leaves
/// below it. A predicate on leaves is a spec of the same structure.
///
/// One step for each node of the spec, with repeats written out, a scan of the bytes that `tree` has for each of its
/// leaves, and a copy for each leaf. Takes 6 kB of stack. [`combine`] is the way back.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of) about the spec; [`Error::LeavesFull`] if one of the
/// slices is too short. Nothing is written then.
///
/// # Examples
///
/// ```
/// use treedef::{View, combine, partition, treedef};
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
    spec.treedef().check_prefix_of(tree.treedef())?;
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    select(tree, spec, selected)?;
    for ((leaf, selected), other) in tree.leaves().iter().zip(&*selected).zip(others) {
        *other = if selected.is_none() { Some(leaf.clone()) } else { None };
    }
    Ok(needed)
}

/// Writes the leaves of `tree` that `spec` selects to their own index of `leaves`, and `None` to the others; as
/// `equinox.filter`. Gives the number of leaves.
///
/// As [`partition`] with one half. The structure in which the others are `None` too is
/// [`TreeDef::masked`](crate::TreeDef::masked).
///
/// # Errors
///
/// As [`partition`].
///
/// # Examples
///
/// ```
/// use treedef::{View, filter, treedef};
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
    spec.treedef().check_prefix_of(tree.treedef())?;
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    select(tree, spec, leaves)?;
    Ok(needed)
}

/// Writes the leaves that a spec selects, which is known to be a prefix, where there is room for all.
fn select<L: Clone>(
    tree: View<'_, L>,
    spec: View<'_, bool>,
    leaves: &mut [Option<L>],
) -> Result<(), Error> {
    let (prefix, full) = (spec.treedef(), tree.treedef());
    let mut pair: Pair<'_, '_> = Pair::written_out(prefix, full, Relation::Prefix);
    while let Some(event) = pair.next() {
        let place = pair.place();
        let count = match event? {
            Event::Leaf => 1,
            Event::Under(def) => def.num_leaves(),
            _ => continue,
        };
        let selects = spec.leaves().get(place.first as usize).is_some_and(|selects| *selects);
        let from = place.second as usize;
        let span = from..from.saturating_add(count);
        let (Some(slots), Some(below)) = (leaves.get_mut(span.clone()), tree.leaves().get(span))
        else {
            continue;
        };
        for (slot, leaf) in slots.iter_mut().zip(below) {
            *slot = if selects { Some(leaf.clone()) } else { None };
        }
    }
    Ok(())
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
/// use treedef::combine;
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
