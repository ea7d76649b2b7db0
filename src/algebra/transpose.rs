//! A tree of trees turned inside out.

use crate::algebra::compose::Compose;
use crate::base::error::Error;
use crate::dynamic::view::View;
use crate::encode::write::matches;
use crate::treedef::treedef::TreeDef;

/// Turns a tree of structure `outer` over `inner` into one of `inner` over `outer`, as `jax.tree.transpose`: writes its
/// leaves to the front of `leaves` and gives its structure, to be written by [`structure_into`](crate::structure_into).
///
/// Where the inner structure is not known it is that of the first part: `flatten_up_to(outer, tree)?.next()`.
///
/// Linear in the bytes and the leaves. Twice, with the structures exchanged, it gives the tree back; of a tree without
/// leaves only what `inner` has is left, so that `[(), ()]` as `[*, *]` of `()` becomes `()`.
///
/// `DIFFERENCE`: JAX and optree only count the leaves, and so turn a flat list into a list of tuples; here the
/// structure of `tree` has to be `outer.compose(inner)`.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node of `tree` that is another in `outer.compose(inner)`; [`Error::LeavesFull`];
/// [`Error::TooFewLeaves`] if `outer` has no leaves and `inner` has, since the tree then says nothing of them;
/// [`Error::TooDeep`] if more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels of `outer` are pending, which nothing
/// raises. To write what it gives, more than as many levels of `inner` take
/// [`structure_into_with`](crate::encode::structure_into_with).
///
/// # Examples
///
/// ```
/// use treedef::algebra::transpose;
/// use treedef::{Error, TreeDef, View, structure_into, treedef};
///
/// let tree = View::new(treedef!([(*, *), (*, *), (*, *)]), &[1, 2, 3, 4, 5, 6])?;
/// let (mut leaves, mut bytes) = ([0; 6], [0; 16]);
/// let def = transpose(treedef!([*, *, *]), treedef!((*, *)), tree, &mut leaves)?;
/// assert_eq!(structure_into(&def, &mut bytes)?, treedef!(([*, *, *], [*, *, *])));
/// assert_eq!(leaves, [1, 3, 5, 2, 4, 6]);
///
/// let error = transpose(treedef!([*, *]), treedef!((*, *, *)), tree, &mut leaves).unwrap_err();
/// assert_eq!(error, Error::Mismatch { node: 0 });
///
/// // An outer list whose length is known at run time.
/// let (batch, mut bytes) = ([TreeDef::LEAF; 3], [0; 4]);
/// let outer = structure_into(batch.as_slice(), &mut bytes)?;
/// transpose(outer, treedef!((*, *)), tree, &mut leaves)?;
/// assert_eq!(leaves, [1, 3, 5, 2, 4, 6]);
///
/// // Without leaves the outer structure is nowhere in the result.
/// let empty = View::new(treedef!([(), ()]), &[])?;
/// let def = transpose(treedef!([*, *]), treedef!(()), empty, &mut leaves)?;
/// assert_eq!(structure_into(&def, &mut bytes)?, treedef!(()));
/// # Ok::<(), Error>(())
/// ```
pub fn transpose<'a, L: Clone>(
    outer: TreeDef<'a>,
    inner: TreeDef<'a>,
    tree: View<'_, L>,
    leaves: &mut [L],
) -> Result<Compose<'a>, Error> {
    matches(&outer.compose(inner), tree.treedef())?;
    let (rows, columns) = (outer.num_leaves(), inner.num_leaves());
    if rows == 0 && columns > 0 {
        return Err(Error::TooFewLeaves { expected: columns, found: 0 });
    }
    let (needed, room) = (tree.leaves().len(), leaves.len());
    let Some(slots) = leaves.get_mut(..needed) else {
        return Err(Error::LeavesFull { needed, room });
    };
    turn(tree.leaves(), columns, slots);
    Ok(inner.compose(outer))
}

/// Makes a tree of structure `inner` of each leaf and turns the whole inside out, as optree's `tree_transpose_map`:
/// writes the leaves of the result to the front of `leaves` and gives its structure, `inner` over that of `tree`.
///
/// `map` writes the leaves of one inner tree into the slice it is given, which is as long as `inner` has leaves; an
/// inner tree that is not known to have this structure is flattened with
/// [`flatten_expected`](crate::tree::flatten_expected), which checks it. All inner trees are in `rows`, one after the
/// other, before they are turned.
///
/// # Errors
///
/// Those of `map`; [`Error::LeavesFull`] if one of the slices holds fewer leaves than the result;
/// [`Error::TooFewLeaves`] if `inner` has none, and so nothing of `tree` would be left; [`Error::TooLarge`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::transpose_map;
/// use treedef::tree::flatten_expected;
/// use treedef::{View, structure_into, treedef, treedef_of};
///
/// let tree = View::new(treedef!({"a": *, "b": *}), &[1.0f32, 2.0])?;
/// let (mut rows, mut leaves, mut bytes) = ([0.0f32; 4], [0.0; 4], [0; 32]);
/// let def = transpose_map(tree, treedef_of::<(f32, f32)>(), &mut rows, &mut leaves, |leaf, row| {
///     flatten_expected(&(*leaf, leaf * 10.0), treedef_of::<(f32, f32)>(), row).map(drop)
/// })?;
/// assert_eq!(structure_into(&def, &mut bytes)?, treedef!(({"a": *, "b": *}, {"a": *, "b": *})));
/// assert_eq!(leaves, [1.0, 2.0, 10.0, 20.0]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn transpose_map<'a, L, M: Clone>(
    tree: View<'a, L>,
    inner: TreeDef<'a>,
    rows: &mut [M],
    leaves: &mut [M],
    mut map: impl FnMut(&L, &mut [M]) -> Result<(), Error>,
) -> Result<Compose<'a>, Error> {
    let (count, columns) = (tree.leaves().len(), inner.num_leaves());
    if columns == 0 {
        return Err(Error::TooFewLeaves { expected: 1, found: 0 });
    }
    let needed = count.checked_mul(columns).ok_or(Error::TooLarge)?;
    let room = rows.len().min(leaves.len());
    let (Some(rows), Some(leaves)) = (rows.get_mut(..needed), leaves.get_mut(..needed)) else {
        return Err(Error::LeavesFull { needed, room });
    };
    for (leaf, row) in tree.leaves().iter().zip(rows.chunks_exact_mut(columns)) {
        map(leaf, row)?;
    }
    turn(rows, columns, leaves);
    Ok(inner.compose(tree.treedef()))
}

/// Copies a matrix of `columns` columns, row by row, into one as large, column by column.
fn turn<L: Clone>(matrix: &[L], columns: usize, turned: &mut [L]) {
    let rows = matrix.len().checked_div(columns).unwrap_or(0);
    let mut from = matrix;
    for column in turned.chunks_exact_mut(rows.max(1)) {
        for (slot, leaf) in column.iter_mut().zip(from.iter().step_by(columns.max(1))) {
            slot.clone_from(leaf);
        }
        from = from.get(1..).unwrap_or(&[]);
    }
}
