//! Splits the leaves of a tree into two groups, and combines them again. The treedef stays the same.

use crate::algebra::prefix::{hand_out, spread};
use crate::base::error::Error;
use crate::dynamic::view::View;
use crate::treedef::treedef::TreeDef;

/// Writes the leaves of `tree` that `spec` selects to `selected`, and the others to `others`. Each leaf keeps its
/// index; the slot in the other slice becomes `None`. Returns the number of leaves.
///
/// This is `equinox.partition` and optree's `tree_partition`, but both halves keep the treedef of `tree`: missing
/// leaves are `None` in the slices only. `spec` is a prefix of `tree`: one `bool` selects all leaves below it. To
/// select leaves by a predicate, make a spec with the structure of `tree`.
///
/// Costs the same as [`flatten_up_to`](crate::flatten_up_to), and a clone for each leaf. Takes 6 kB of stack. [`combine`] is the inverse.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of) for the spec; [`Error::LeavesFull`] if one of the
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
#[doc(alias = "tree_partition")]
pub fn partition<L: Clone>(
    tree: View<'_, L>,
    spec: View<'_, bool>,
    selected: &mut [Option<L>],
    others: &mut [Option<L>],
) -> Result<usize, Error> {
    let room = selected.len().min(others.len());
    let selected = selected.get_mut(..room).unwrap_or_default();
    let count = filter(tree, spec, selected)?;
    for ((leaf, selected), other) in tree.leaves().iter().zip(&*selected).zip(others) {
        *other = if selected.is_none() { Some(leaf.clone()) } else { None };
    }
    Ok(count)
}

/// Writes the leaves of `tree` that `spec` selects to `leaves`, each to its index, and `None` for the others, as
/// `equinox.filter`. Returns the number of leaves.
///
/// This is the first half of [`partition`]. [`TreeDef::leaves_to_none`](crate::TreeDef::leaves_to_none) makes a
/// structure in which the other leaves are `None`.
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
    let selected = spread(spec, tree.treedef())?;
    let needed = Error::check_room(tree.leaves().len(), leaves.len())?;
    hand_out(selected, tree.leaves().iter().zip(leaves), |selects, (leaf, slot)| {
        *slot = if *selects { Some(leaf.clone()) } else { None };
    });
    Ok(needed)
}

/// Undoes [`partition`], like `equinox.combine`: `leaves[i]` becomes the first `Some` at the index `i` of the parts, and
/// `None` if no part has one. Returns the length of a part.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] if a part is shorter than the first, [`Error::TooManyLeaves`] if it is longer;
/// [`Error::LeavesFull`] if `leaves` is shorter than a part.
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
    let expected = parts.first().map_or(0, |part| part.len());
    for part in parts {
        Error::check_count(expected, part.len())?;
    }
    Error::check_room(expected, leaves.len())?;
    let slots = leaves.get_mut(..expected).unwrap_or_default();
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

/// Moves the leaves that `spec` does not select from `leaves` to `others`, as [`partition`], but without a clone. Each leaf
/// keeps its index; its slot becomes `None`. Returns the number of leaves.
///
/// `leaves` belong to `def`, as from `into_leaves`, each in a `Some`. [`combine_in_place`] is the
/// inverse.
///
/// # Errors
///
/// As [`TreeDef::check_prefix_of`] for the spec; [`Error::TooFewLeaves`] and [`Error::TooManyLeaves`] if `leaves` do not have
/// the number of `def`; [`Error::LeavesFull`] if `others` is too short. Nothing is moved then.
///
/// # Examples
///
/// A model is taken apart and put together again; its arrays are moved, and never cloned:
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use treedef::algebra::{combine_in_place, partition_in_place};
/// use treedef::tree::{AsLeaf, into_leaves, unflatten_from};
/// use treedef::{View, treedef};
///
/// struct Array(Vec<f32>);
///
/// let model = (AsLeaf(Array(vec![1.0; 4])), [AsLeaf(Array(vec![2.0; 8])), AsLeaf(Array(vec![3.0; 2]))]);
/// let (def, leaves) = into_leaves(model)?;
/// let mut trained: Vec<_> = leaves.into_iter().map(Some).collect();
/// let mut frozen: Vec<_> = trained.iter().map(|_| None).collect();
///
/// let spec = View::new(treedef!((*, *)), &[true, false])?;
/// partition_in_place(&def, spec, &mut trained, &mut frozen)?;
/// assert!(trained[0].is_some() && trained[1].is_none() && frozen[1].is_some());
///
/// combine_in_place(&mut trained, &mut frozen)?;
/// let (bias, [weights, _]): (AsLeaf<Array>, [AsLeaf<Array>; 2]) =
///     unflatten_from(&def, trained.into_iter().flatten())?;
/// assert_eq!((bias.0.0.len(), weights.0.0.len()), (4, 8));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn partition_in_place<'d, L>(
    def: impl Into<TreeDef<'d>>,
    spec: View<'_, bool>,
    leaves: &mut [Option<L>],
    others: &mut [Option<L>],
) -> Result<usize, Error> {
    let def = def.into();
    let selected = spread(spec, def)?;
    Error::check_count(def.num_leaves(), leaves.len())?;
    Error::check_room(leaves.len(), others.len())?;
    hand_out(selected, leaves.iter_mut().zip(others), |selects, (leaf, other)| {
        *other = if *selects { None } else { leaf.take() };
    });
    Ok(def.num_leaves())
}

/// Moves the leaves of `others` to the slots of `leaves` that are `None`, as [`combine`], but without a clone: the
/// reverse of [`partition_in_place`]. Returns the number of leaves.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] and [`Error::TooManyLeaves`] if `others` do not have as many slots as `leaves`. Nothing is moved
/// then.
pub fn combine_in_place<L>(
    leaves: &mut [Option<L>],
    others: &mut [Option<L>],
) -> Result<usize, Error> {
    Error::check_count(leaves.len(), others.len())?;
    for (leaf, other) in leaves.iter_mut().zip(others) {
        if leaf.is_none() {
            *leaf = other.take();
        }
    }
    Ok(leaves.len())
}
