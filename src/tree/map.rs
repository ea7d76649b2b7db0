//! Makes new trees of the leaves of one tree.

use crate::base::error::Error;
use crate::tree::over::over;
use crate::tree::traits::{Leaf, MapTree, TreeWrite};

/// Makes a tree of the same structure whose leaves are the results of `map`, as `jax.tree.map`.
///
/// A result that is no leaf type changes the structure: `()` is an empty tuple, `None` a node without leaves, an array a list. So
/// does a function that returns `None` in JAX. [`AsLeaf`](crate::tree::AsLeaf) around the result keeps it a leaf.
///
/// Fields with `#[tree(meta)]` and `#[tree(skip)]` are copied. The leaves can become another type, but all of them the same
/// one. So a struct with fields of two leaf types cannot be mapped: [`map_of`](crate::tree::map_of) maps the leaves of one type,
/// and keeps the others. To map several trees, with paths or with a function that can fail, begin with [`over`](crate::over()).
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// let tree = (1.5f32, [2.5f32, 3.5]);
/// assert_eq!(treedef::map(&tree, |x| *x as i64)?, (1, [2, 3]));
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// ```
/// use treedef::tree::AsLeaf;
/// use treedef::{map, structure_into, treedef};
///
/// let (tree, mut bytes) = ([4.0f32, -4.0], [0; 8]);
/// let positive = |x: &f32| (*x > 0.0).then_some(*x);
/// assert_eq!(structure_into(&map(&tree, positive)?, &mut bytes)?, treedef!([*, None]));
/// assert_eq!(structure_into(&map(&tree, |x| AsLeaf(positive(x)))?, &mut bytes)?, treedef!([*, *]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_map")]
pub fn map<'a, L, M, T>(
    tree: &'a T,
    map: impl FnMut(&'a L) -> M,
) -> Result<<T as MapTree<L, M>>::Output, Error>
where
    L: Leaf + 'a,
    T: MapTree<L, M>,
{
    over(tree).map(map)
}

/// Makes a copy of a tree in which each leaf of the type `L` is what `map` returned for it.
///
/// The type of the tree stays, so this works on a struct with fields of several leaf types. The tree is cloned first: leaves of
/// other types, meta fields and skipped fields are those of the clone.
///
/// # Errors
///
/// [`Error::NoLeafOfType`] if the tree has leaves, and none of the type `L`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// `jax.tree.map(jnp.zeros_like, model)`, for the floats of a model:
///
/// ```
/// use treedef::tree::map_of;
///
/// let model = ([1.0f32, 2.0], 7u64, true);
/// assert_eq!(map_of(&model, |_: &f32| 0.0)?, ([0.0, 0.0], 7, true));
/// # Ok::<(), treedef::Error>(())
/// ```
#[doc(alias = "tree_map_only")]
pub fn map_of<L: 'static, T: TreeWrite + Clone>(
    tree: &T,
    mut map: impl FnMut(&L) -> L,
) -> Result<T, Error> {
    let mut mapped = tree.clone();
    over(&mut mapped).only::<L>().for_each(|leaf| *leaf = map(leaf))?;
    Ok(mapped)
}
