//! Transposes a tree of trees: the inner structure becomes the outer one.

use crate::algebra::compose::Compose;
use crate::base::error::Error;
use crate::base::slices::Pieces;
use crate::dynamic::view::View;
use crate::encode::structure::matches;
use crate::treedef::treedef::TreeDef;

/// Turns a tree of the structure `outer.compose(inner)` into one of `inner.compose(outer)`, as `jax.tree.transpose`.
/// Writes its leaves to the front of `leaves` and returns its structure, for [`structure_into`](crate::structure_into).
///
/// If you do not know the inner structure, take that of the first part: `flatten_up_to(outer, tree)?.next()`.
///
/// The cost is linear in the bytes and the leaves. Transposing again, with the two structures swapped, restores the
/// tree, unless `inner` has no leaves: then only `inner` is left. For example, `[(), ()]`, which is `[*, *]` of `()`,
/// becomes `()`.
///
/// `DIFFERENCE`: JAX and optree only compare the number of leaves, so they also accept a flat list. Here the structure
/// of `tree` must be `outer.compose(inner)`.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node of `tree` that differs from `outer.compose(inner)`, which
/// [`Error::explain_trees`] shows; [`Error::LeavesFull`];
/// [`Error::TooFewLeaves`] if `outer` has no leaves and `inner` has, since the tree then has no inner tree;
/// [`Error::TooDeep`] if `outer` has more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels. Writing the result fails with
/// it if `inner` has more.
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
/// let (outer, inner) = (treedef!([*, *, *]), treedef!((*, None)));
/// let error = transpose(outer, inner, tree, &mut leaves).unwrap_err();
/// let text = error.explain_trees(&outer.compose(inner), &tree.treedef()).to_string();
/// assert_eq!((error, text.as_str()), (Error::Mismatch { node: 3 }, "at [0][1]: expected None, found a leaf"));
///
/// // An outer list whose length is only known at run time.
/// let (batch, mut bytes) = ([TreeDef::LEAF; 3], [0; 4]);
/// let outer = structure_into(batch.as_slice(), &mut bytes)?;
/// transpose(outer, treedef!((*, *)), tree, &mut leaves)?;
/// assert_eq!(leaves, [1, 3, 5, 2, 4, 6]);
///
/// // Without leaves, the outer structure is lost.
/// let empty = View::new(treedef!([(), ()]), &[])?;
/// let def = transpose(treedef!([*, *]), treedef!(()), empty, &mut leaves)?;
/// assert_eq!(structure_into(&def, &mut bytes)?, treedef!(()));
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "tree_transpose")]
pub fn transpose<'a, L: Clone>(
    outer: impl Into<TreeDef<'a>>,
    inner: impl Into<TreeDef<'a>>,
    tree: View<'_, L>,
    leaves: &mut [L],
) -> Result<Compose<'a>, Error> {
    let (outer, inner) = (outer.into(), inner.into());
    matches(&outer.compose(inner), tree.treedef())?;
    let (rows, columns) = (outer.num_leaves(), inner.num_leaves());
    if rows == 0 && columns > 0 {
        return Err(Error::TooFewLeaves { expected: columns, found: 0 });
    }
    Error::check_room(tree.leaves().len(), leaves.len())?;
    turn(tree.leaves(), columns, leaves);
    Ok(inner.compose(outer))
}

/// Maps each leaf to a tree of structure `inner` and transposes the result, as optree's `tree_transpose_map`. Writes
/// the leaves of the result to the front of `leaves` and returns its structure: `inner.compose` of the structure of
/// `tree`.
///
/// `map` writes the leaves of one inner tree into its second argument, a slice with one slot for each leaf of `inner`.
/// Use [`flatten_expected`](crate::tree::flatten_expected) to check the structure of an inner tree. `rows` is scratch
/// memory that holds the leaves of all inner trees.
///
/// A `tree` without leaves is no error, as in optree; [`transpose`] refuses it, because its inner structures are unknown.
///
/// # Errors
///
/// The first error of `map`; [`Error::LeavesFull`] if one of the slices holds fewer leaves than the result;
/// [`Error::TooFewLeaves`] if `inner` has no leaves, because the structure of `tree` would be lost;
/// [`Error::TooLarge`].
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
#[doc(alias = "tree_transpose_map")]
pub fn transpose_map<'a, L, M: Clone>(
    tree: View<'a, L>,
    inner: impl Into<TreeDef<'a>>,
    rows: &mut [M],
    leaves: &mut [M],
    mut map: impl FnMut(&L, &mut [M]) -> Result<(), Error>,
) -> Result<Compose<'a>, Error> {
    let inner = inner.into();
    let (count, columns) = (tree.leaves().len(), inner.num_leaves());
    if columns == 0 {
        return Err(Error::TooFewLeaves { expected: 1, found: 0 });
    }
    let needed = count.checked_mul(columns).ok_or(Error::TooLarge)?;
    Error::check_room(needed, rows.len().min(leaves.len()))?;
    let rows = rows.get_mut(..needed).unwrap_or_default();
    let mut free = &mut *rows;
    for leaf in tree.leaves() {
        map(leaf, free.split_off_mut(..columns).unwrap_or_default())?;
    }
    turn(rows, columns, leaves);
    Ok(inner.compose(tree.treedef()))
}

/// Copies a matrix with `columns` columns, stored row by row, to `turned`, stored column by column.
fn turn<L: Clone>(matrix: &[L], columns: usize, turned: &mut [L]) {
    let rows = matrix.len().checked_div(columns).unwrap_or(0);
    let mut free = turned;
    for index in 0..columns {
        let column = free.split_off_mut(..rows).unwrap_or_default();
        for (slot, row) in column.iter_mut().zip(Pieces::new(matrix, columns)) {
            if let Some(leaf) = row.get(index) {
                slot.clone_from(leaf);
            }
        }
    }
}
