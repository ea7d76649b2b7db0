//! Turns a list of typed trees into a tree of lists, and back.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::encode::structure::matches;
use crate::encode::treedef_box::structure;
use crate::tree::build::TreeBuild;
use crate::tree::flatten::unflatten_from;
use crate::tree::lanes::Ref;
use crate::tree::over::over;
use crate::tree::traits::{Leaf, MapTree, TreeRead};
use crate::treedef::treedef::TreeDef;

/// Makes a tree of lists from a list of trees: the leaf at each place becomes the list of the leaves that the trees have
/// there. Returns `None` without trees.
///
/// This is `jax.tree.map(lambda *leaves: list(leaves), *trees)`. The trees have one structure. Leaves are cloned.
/// [`unstack`] is the inverse. [`over`](crate::over()) works on up to six trees without a heap.
///
/// The type of the leaves changes, so a struct has it as a parameter: a `[Row<f32>]` becomes a `Row<Vec<f32>>`. Another struct of lists
/// is built by [`unflatten`](crate::unflatten()) from what [`transpose`](crate::algebra::transpose()) makes, if both structs have one
/// `#[tree(name = "..")]` and the same fields.
///
/// # Errors
///
/// [`Error::TreesDiffer`] with a node of the first tree and the index of the tree that differs there;
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::algebra::stack;
///
/// let steps = [(1.0f32, vec![2.0f32]), (3.0, vec![4.0]), (5.0, vec![6.0])];
/// let lists = stack(&steps)?;
/// assert_eq!(lists, Some((vec![1.0, 3.0, 5.0], vec![vec![2.0, 4.0, 6.0]])));
///
/// let longer = [(1.0f32, vec![2.0f32]), (3.0, vec![4.0, 5.0])];
/// assert_eq!(stack(&longer), Err(Error::TreesDiffer { node: 2, tree: 1 }));
/// # Ok::<(), Error>(())
/// ```
pub fn stack<L, T>(trees: &[T]) -> Result<Option<T::Output>, Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + MapTree<L, Vec<L>>,
{
    stack_with(trees, |leaves| leaves.iter().copied().cloned().collect())
}

/// Makes one tree from a list of trees: the leaf at each place is what `make` returns for the leaves that the trees have there.
/// Returns `None` without trees.
///
/// This is `jax.tree.map(lambda *leaves: make(leaves), *trees)`, such as with `jnp.stack`. The trees have one structure. Meta
/// fields and skipped fields are those of the first tree. Takes the heap for a reference to each leaf of all trees.
///
/// # Errors
///
/// As [`stack`].
///
/// # Examples
///
/// The median at each place:
///
/// ```
/// use treedef::algebra::stack_with;
///
/// let steps = [(1.0f32, [2.0f32, 9.0]), (7.0, [4.0, 5.0]), (5.0, [6.0, 7.0])];
/// let median = stack_with(&steps, |leaves| {
///     let mut list = leaves.to_vec();
///     list.sort_by(|a, b| a.total_cmp(b));
///     *list[list.len() / 2]
/// })?;
/// assert_eq!(median, Some((5.0, [4.0, 7.0])));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn stack_with<'a, L, M, T>(
    trees: &'a [T],
    mut make: impl FnMut(&[&'a L]) -> M,
) -> Result<Option<T::Output>, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + MapTree<L, M>,
{
    try_stack_with(trees, |leaves| Ok::<_, Error>(make(leaves)))
}

/// As [`stack_with`], but stops at the first error of `make`.
///
/// # Errors
///
/// The first error of `make`, and those of [`stack`].
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::algebra::try_stack_with;
///
/// // Arrays that cannot be joined, as those of different shapes.
/// let sum = |counts: &[&u8]| counts.iter().try_fold(0u8, |sum, x| sum.checked_add(**x)).ok_or(Error::TooLarge);
/// assert_eq!(try_stack_with(&[(1u8, [2u8]), (3, [4])], sum), Ok(Some((4, [6]))));
/// assert_eq!(try_stack_with(&[(1u8, [200u8]), (3, [100])], sum), Err(Error::TooLarge));
/// ```
pub fn try_stack_with<'a, L, M, E, T>(
    trees: &'a [T],
    mut make: impl FnMut(&[&'a L]) -> Result<M, E>,
) -> Result<Option<T::Output>, E>
where
    L: Leaf + 'a,
    E: UserError,
    T: TreeRead<L> + MapTree<L, M>,
{
    let Some((first, rest)) = trees.split_first() else { return Ok(None) };
    let def = structure(first)?;
    let mut leaves = Vec::new();
    over(first).for_each(|leaf| leaves.push(leaf))?;
    let count = leaves.len();
    for (other, tree) in rest.iter().zip(1..u32::MAX) {
        matches(other, &def).map_err(|error| match error {
            Error::Mismatch { node } => Error::TreesDiffer { node, tree },
            error => error,
        })?;
        over(other).for_each(|leaf| leaves.push(leaf))?;
    }
    let (mut place, mut index) = (Vec::with_capacity(trees.len()), 0usize);
    let make = &mut |_| {
        place.clear();
        place.extend(leaves.iter().skip(index).step_by(count.max(1)).copied());
        index = index.saturating_add(1);
        make(&place)
    };
    T::map_lanes::<Ref, E>(first, &mut Depth::default(), make).map(Some)
}

/// Makes a list of trees from a tree of lists: the inverse of [`stack`].
///
/// `def` is the treedef of one of the trees. `lists` has a list at the place of each leaf of `def`, all of one length,
/// which is the number of the trees. Its type can be any with that structure, such as a struct of arrays. Leaves are
/// cloned. A `def` without leaves gives no trees.
///
/// # Errors
///
/// [`Error::Mismatch`] with a node of `lists` if there is no such list, or if one has another length than the first: [`Error::explain_at`]
/// with the treedef of `lists` says where it is. The errors of [`unflatten`](crate::unflatten).
///
/// # Examples
///
/// ```
/// use treedef::algebra::unstack;
/// use treedef::{Error, treedef_of};
///
/// type Pair = (f32, f32);
/// let lists = (vec![1.0f32, 3.0], [2.0f32, 4.0]);
/// let pairs: Vec<Pair> = unstack(treedef_of::<Pair>(), &lists)?;
/// assert_eq!(pairs, [(1.0, 2.0), (3.0, 4.0)]);
///
/// let uneven = (vec![1.0f32, 3.0, 5.0], [2.0f32]);
/// let pairs: Result<Vec<Pair>, Error> = unstack(treedef_of::<Pair>(), &uneven);
/// assert_eq!(pairs, Err(Error::Mismatch { node: 5 }));
/// let def = treedef::structure(&uneven)?;
/// assert_eq!(pairs.unwrap_err().explain_at(&def).to_string(), "structure differs at [1]");
/// # Ok::<(), Error>(())
/// ```
pub fn unstack<'d, L, T, S>(def: impl Into<TreeDef<'d>>, lists: &S) -> Result<Vec<T>, Error>
where
    L: Leaf + Clone,
    T: TreeBuild<L>,
    S: TreeRead<L> + ?Sized,
{
    let def = def.into();
    let mut leaves = Vec::new();
    over(lists).for_each(|leaf| leaves.push(leaf))?;
    // The first list says how many trees there are.
    let own = structure(lists)?;
    let first = def.path(0).and_then(|path| own.as_treedef().find(path.entries()).ok());
    let count = first.map_or(0, |first| first.treedef().num_children());
    let list = structure(vec![TreeDef::LEAF; count].as_slice())?;
    matches(lists, structure(&def.compose(list.as_treedef()))?.as_treedef())?;
    let tree =
        |first| unflatten_from(def, leaves.iter().skip(first).step_by(count).copied().cloned());
    (0..count).map(tree).collect()
}
