//! Turns a list of typed trees into a tree of lists, and back.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::treedef_box::TreeDefBox;
use crate::encode::write::matches;
use crate::tree::build::TreeBuild;
use crate::tree::flatten::unflatten_from;
use crate::tree::flatten_on_heap::flatten;
use crate::tree::lanes::Ref;
use crate::tree::traits::{Leaf, MapTree, TreeRead};
use crate::treedef::treedef::TreeDef;

/// Makes a tree of lists from a list of trees: the leaf at each place becomes the list of the leaves that the trees have
/// there. Returns `None` without trees.
///
/// This is `jax.tree.map(lambda *leaves: list(leaves), *trees)`. The trees have one structure. Leaves are cloned.
/// [`unstack`] is the inverse. [`zip`](crate::zip()) works on up to six trees without a heap.
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
///
/// One value for each list, here the median: [`flatten_up_to`](crate::flatten_up_to) has the leaves of each list as a
/// part.
///
/// ```
/// use treedef::algebra::stack;
/// use treedef::tree::unflatten_from;
/// use treedef::{View, flatten, flatten_up_to, treedef_of};
///
/// type Pair = (f32, [f32; 2]);
/// let steps: [Pair; 3] = [(1.0, [2.0, 9.0]), (7.0, [4.0, 5.0]), (5.0, [6.0, 7.0])];
/// let lists = stack(&steps)?;
/// let (def, leaves) = flatten(&lists)?;
/// let parts = flatten_up_to(treedef_of::<Pair>(), View::new(&def, &leaves)?)?;
/// let median: Pair = unflatten_from(treedef_of::<Pair>(), parts.map(|part| {
///     let mut list = part.leaves().to_vec();
///     list.sort_by(f32::total_cmp);
///     list[list.len() / 2]
/// }))?;
/// assert_eq!(median, (5.0, [4.0, 7.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn stack<L, T>(trees: &[T]) -> Result<Option<T::Output>, Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + MapTree<L, Vec<L>>,
{
    let Some((first, rest)) = trees.split_first() else { return Ok(None) };
    let (def, leaves) = flatten(first)?;
    let mut lists: Vec<Vec<L>> = leaves.into_iter().map(|leaf| vec![leaf]).collect();
    for (tree, other) in (1u32..).zip(rest) {
        matches(other, &def).map_err(|error| match error {
            Error::Mismatch { node } => Error::TreesDiffer { node, tree },
            error => error,
        })?;
        let mut places = lists.iter_mut();
        T::walk_lanes::<Ref, Error>(other, &mut Depth::default(), &mut |leaf: &L| {
            if let Some(list) = places.next() {
                list.push(leaf.clone());
            }
            Ok(())
        })?;
    }
    let mut lists = lists.into_iter();
    let list = &mut |_| Ok::<_, Error>(lists.next().unwrap_or_default());
    T::map_lanes::<Ref, Error>(first, &mut Depth::default(), list).map(Some)
}

/// Makes a list of trees from a tree of lists: the inverse of [`stack`].
///
/// `def` is the treedef of one of the trees. `lists` has a list at the place of each leaf of `def`, all of one length,
/// which is the number of the trees. Its type can be any with that structure, such as a struct of arrays. Leaves are
/// cloned. A `def` without leaves gives no trees.
///
/// # Errors
///
/// [`Error::Mismatch`] with a node of `lists` if there is no such list. The errors of [`unflatten`](crate::unflatten).
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
/// assert_eq!(pairs, Err(Error::Mismatch { node: 1 }));
/// # Ok::<(), Error>(())
/// ```
pub fn unstack<'d, L, T, S>(def: impl Into<TreeDef<'d>>, lists: &S) -> Result<Vec<T>, Error>
where
    L: Leaf + Clone,
    T: TreeBuild<L>,
    S: TreeRead<L> + ?Sized,
{
    let def = def.into();
    let (_, leaves) = flatten(lists)?;
    let count = leaves.len().checked_div(def.num_leaves()).unwrap_or(0);
    let list = TreeDefBox::structure(vec![TreeDef::LEAF; count].as_slice())?;
    matches(lists, TreeDefBox::structure(&def.compose(list.as_treedef()))?.as_treedef())?;
    let tree = |first| unflatten_from(def, leaves.iter().skip(first).step_by(count).cloned());
    (0..count).map(tree).collect()
}
