//! Flattens typed trees to owned treedefs and vectors of leaves.

use alloc::vec::Vec;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::treedef_box::{TreeDefBox, structure};
use crate::tree::build::TreeBuild;
use crate::tree::flatten::unflatten_from;
use crate::tree::leaf_sink::{VisitLeaves, visit_leaves};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::structure::ByLeaves;
use crate::tree::traits::{Leaf, MapTree, TreeRead};
use crate::tree::walk::TreeWalk;

/// Returns the structure of `tree` and clones of its leaves, as `jax.tree.flatten`.
///
/// Both are on the heap. [`unflatten`](crate::unflatten) is the inverse; [`flatten_into`](crate::flatten_into) needs no heap.
///
/// # Errors
///
/// As [`structure_into`](crate::structure_into), but for [`Error::Full`]. [`Error::LeavesFull`] if a container by hand visits
/// more leaves than its structure has.
///
/// # Examples
///
/// ```
/// use treedef::{flatten, unflatten};
///
/// let params = (vec![1.0f32, 2.0], Some(3.0f32));
/// let (def, leaves) = flatten(&params)?;
/// assert_eq!(def.to_string(), "PyTreeDef(([*, *], *))");
/// assert_eq!(leaves, [1.0, 2.0, 3.0]);
///
/// let doubled: Vec<f32> = leaves.iter().map(|leaf| 2.0 * leaf).collect();
/// let doubled: (Vec<f32>, Option<f32>) = unflatten(&def, &doubled)?;
/// assert_eq!(doubled, (vec![2.0, 4.0], Some(6.0)));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias = "tree_flatten")]
pub fn flatten<L, T>(tree: &T) -> Result<(TreeDefBox, Vec<L>), Error>
where
    L: Leaf + Clone,
    T: TreeRead<L> + ?Sized,
{
    flatten_all::<L, T>(tree)
}

/// As [`flatten`], for any leaf types.
pub(crate) fn flatten_all<K, T>(tree: &T) -> Result<(TreeDefBox, Vec<K::Owned>), Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeWalk<K> + ?Sized,
{
    let def = ok!(structure(&ByLeaves::<K, _>::new(tree)));
    let room = def.as_treedef().num_leaves();
    let push = Push { leaves: Vec::with_capacity(room), more: 0 };
    let Push { leaves, more } = ok!(visit_leaves::<K, T, _, false>(tree, push));
    // A container by hand may give some that its structure does not have.
    ok!(Error::check_room(leaves.len().saturating_add(more), room));
    Ok((def, leaves))
}

/// Returns the structure of `tree` and its leaves by value. Nothing is cloned, except a value in an `Rc` or `Arc` that has
/// other owners.
///
/// [`unflatten_from`](crate::tree::unflatten_from) moves the leaves to a tree again.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types; the errors of a map's keys. The tree is dropped.
///
/// # Examples
///
/// ```
/// use treedef::tree::{into_leaves, unflatten_from};
///
/// let names = (String::from("a"), [String::from("b"), String::from("c")]);
/// let (def, leaves): (_, Vec<String>) = into_leaves(names)?;
/// assert_eq!((def.to_string().as_str(), leaves.as_slice()), ("PyTreeDef((*, [*, *]))", ["a", "b", "c"].map(String::from).as_slice()));
///
/// let longer = leaves.into_iter().map(|name| name + "!");
/// let (first, _): (String, [String; 2]) = unflatten_from(&def, longer)?;
/// assert_eq!(first, "a!");
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn into_leaves<L, T>(tree: T) -> Result<(TreeDefBox, Vec<L>), Error>
where
    L: Leaf,
    T: TreeRead<L> + TreeBuild<L>,
{
    let def = ok!(structure(&tree));
    let mut leaves = Vec::with_capacity(def.as_treedef().num_leaves());
    tree.take_leaves(&mut |leaf| leaves.push(leaf));
    Ok((def, leaves))
}

/// As [`map`](crate::map), but takes `tree` by value, and `map` gets the leaves by value.
///
/// Fields with `#[tree(skip)]` are lost with the tree, so they get their defaults in the result; [`map`](crate::map) copies
/// them. The leaves are kept in a vector between the two trees.
///
/// # Errors
///
/// As [`into_leaves`].
///
/// # Examples
///
/// ```
/// let names = (String::from("a"), [String::from("b")]);
/// let longer = treedef::tree::map_from(names, |name: String| name + "!")?;
/// assert_eq!(longer, (String::from("a!"), [String::from("b!")]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn map_from<L, M, T>(
    tree: T,
    map: impl FnMut(L) -> M,
) -> Result<<T as MapTree<L, M>>::Output, Error>
where
    L: Leaf,
    M: Leaf,
    T: TreeRead<L> + TreeBuild<L> + MapTree<L, M, Output: TreeBuild<M>>,
{
    let (def, leaves) = ok!(into_leaves(tree));
    unflatten_from(&def, leaves.into_iter().map(map))
}

/// A visitor that appends a clone of each leaf to a vector, which has room for all leaves of the structure. The vector does not grow,
/// so each leaf is a store, without a call.
struct Push<O> {
    leaves: Vec<O>,
    /// The number of leaves for which there is no room.
    more: usize,
}

impl<O> Push<O> {
    #[inline]
    fn has_room(&mut self, count: usize) -> bool {
        let has_room = count <= self.leaves.capacity().wrapping_sub(self.leaves.len());
        if !has_room {
            self.more = self.more.saturating_add(count);
        }
        has_room
    }
}

impl<'a, K: LeafTypes<Owned: Clone> + 'a> VisitLeaves<'a, K> for Push<K::Owned> {
    #[inline]
    fn leaf(&mut self, leaf: K::Ref<'a>) {
        if self.has_room(1) {
            self.leaves.push(K::cloned(leaf));
        }
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        if self.has_room(run.len()) {
            self.leaves.extend(run.iter().map(|leaf| K::cloned(T::by_ref(leaf))));
        }
    }
}
