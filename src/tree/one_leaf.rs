//! Finds one leaf of a tree, by its index or by a path, without a visit to all leaves.
//!
//! An index is counted down by a visitor: elements that have the same number of leaves are stepped over together. The leaf
//! 4 of `(1.0, [(2.0, 3.0), (4.0, 5.0)])`:
//!
//! ```text
//! index    visited         step
//! 4        1.0             1 leaf before it
//! 3        [(..), (..)]    2 leaves each: it is in element 3 / 2 = 1, and 3 % 2 = 1 is left
//! 1        4.0             1 leaf before it
//! 0        5.0             the leaf
//! ```

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::max_sizes::MaxSizes;
use crate::encode::structure::{Structure, structure_into};
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::structure;
use crate::text::leaf_path::leaf_at;
use crate::tree::lanes::{Lanes, Leaves, Mut, Ref, Trees, leaves};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::traits::{Leaf, TreeRead, TreeWrite};
use crate::tree::walk::{TreeWalk, VisitLanes, each, num_leaves};
use crate::treedef::segment::unknown_path;
use crate::treedef::treedef::TreeDef;

/// Returns the leaf with this index, in the order of [`over(..).for_each`](crate::tree::Over#method.for_each).
///
/// The leaves before it are not visited: a child whose type fixes the number of its leaves is stepped over, and so are
/// elements of a list that have such a type. If the whole type has a fixed shape, the cost is a comparison for each
/// field or element of a tuple on the way and a division for each list, and often nothing for an index that is a
/// constant. In a map the entries are sorted first, as for every operation.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] if the tree has no leaf with this index; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::tree::leaf;
///
/// let tree = (1.0f32, [(2.0f32, 3.0f32), (4.0, 5.0)]);
/// assert_eq!(leaf(&tree, 3), Ok(&4.0f32));
/// assert_eq!(leaf(&tree, 7), Err(Error::TooFewLeaves { expected: 8, found: 5 }));
///
/// // The leaves as an iterator.
/// let leaves = (0..5).filter_map(|index| leaf(&tree, index).ok());
/// assert!(leaves.rev().eq(&[5.0, 4.0, 3.0, 2.0, 1.0]));
/// ```
#[inline]
pub fn leaf<'a, L, T>(tree: &'a T, index: usize) -> Result<&'a L, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    one_leaf::<L, T, Ref>(tree, index)
}

/// Returns the leaf with this index, to be changed in place.
///
/// The cost is that of [`leaf`]. With an index from [`leaf_index!`](crate::leaf_index!), which is a constant, a
/// parameter is set by its path and the path is looked up by the compiler.
///
/// # Errors
///
/// As [`leaf`].
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::path::leaf_index;
/// use treedef::tree::leaf_mut;
/// use treedef::{Tree, treedef_of};
///
/// #[derive(Tree)]
/// struct Pid {
///     kp: f32,
///     ki: f32,
/// }
///
/// #[derive(Tree)]
/// struct Robot {
///     axis: [Pid; 2],
///     limit: f32,
/// }
///
/// const KI: usize = leaf_index!(treedef_of::<Robot>(), "axis[1].ki");
///
/// let pid = || Pid { kp: 1.0, ki: 0.0 };
/// let mut robot = Robot { axis: [pid(), pid()], limit: 9.0 };
/// let before = core::mem::replace(leaf_mut(&mut robot, KI).unwrap(), 0.5f32);
/// assert_eq!((before, robot.axis[1].ki), (0.0, 0.5));
/// # }
/// ```
#[inline]
pub fn leaf_mut<'a, L, T>(tree: &'a mut T, index: usize) -> Result<&'a mut L, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    one_leaf::<L, T, Mut>(tree, index)
}

/// Returns the leaf at a path that a person types, such as `axis[0].kp`. [`TreeDef::find_str`](crate::TreeDef::find_str) says
/// what a path is.
///
/// If the type determines the number of its leaves, the path is looked up in its names: no treedef is read. Otherwise, with options,
/// enums, vectors or maps, the treedef of the tree is written to the stack first, to 2 kB or to the length that the type
/// needs; if it is longer and there is the feature `alloc`, to the heap. Who has the treedef calls
/// [`TreeDef::find_str`](crate::TreeDef::find_str) and [`leaf`]. Going to the leaf costs as [`leaf`].
///
/// # Errors
///
/// [`Error::UnknownPath`] with the byte from which the path leads nowhere, or with the length of the path if it leads to
/// a node that is no leaf: [`Error::explain_path_of`] and [`Error::explain_path`] say what there is. [`Error::Full`] if the treedef
/// takes more than 2 kB, without the feature `alloc`; [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::find_leaf;
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// assert_eq!(find_leaf(&tree, "[1][0]"), Ok(&2.0f32));
/// assert_eq!(find_leaf(&(None::<f32>, [Some(4.0f32)]), "[1][0]"), Ok(&4.0f32));
///
/// let error = find_leaf(&tree, "[1]").unwrap_err();
/// assert_eq!(error.explain_path_of::<(f32, [f32; 2])>("[1]").to_string(), "no leaf at [1]: a list of 2");
/// ```
#[inline]
pub fn find_leaf<'a, L, T>(tree: &'a T, path: &str) -> Result<&'a L, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + ?Sized,
{
    leaf(tree, index_of(tree, path)?)
}

/// Returns the leaf at a path that a person types, to be changed in place.
///
/// The costs are those of [`find_leaf`]. For parameters of several types there is
/// [`mixed::find_leaf_mut`](crate::tree::mixed::find_leaf_mut), whose example is a console.
///
/// # Errors
///
/// As [`find_leaf`].
///
/// # Examples
///
/// ```
/// use treedef::tree::find_leaf_mut;
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// *find_leaf_mut(&mut tree, "[1][0]")? = 5.0;
/// assert_eq!(tree, (1.0, [5.0, 3.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[inline]
#[doc(alias = "tree_at")]
pub fn find_leaf_mut<'a, L, T>(tree: &'a mut T, path: &str) -> Result<&'a mut L, Error>
where
    L: Leaf + 'a,
    T: TreeRead<L> + TreeWrite<L> + ?Sized,
{
    let index = index_of(tree, path)?;
    leaf_mut(tree, index)
}

/// The index of the leaf at a path.
#[inline]
pub(crate) fn index_of<T: Structure + ?Sized>(tree: &T, path: &str) -> Result<usize, Error> {
    // Constants, so that a type of fixed shape has no code to write a treedef.
    if const { T::SCHEMA.num_leaves().is_some() } {
        return leaf_at(T::SCHEMA, path);
    }
    match const { MaxSizes::of(T::SCHEMA).bytes } {
        0..=128 => index_in::<128, T>(tree, path),
        129..=512 => index_in::<512, T>(tree, path),
        _ => index_in::<2048, T>(tree, path),
    }
}

/// As [`index_of`], by a treedef of at most `N` bytes.
fn index_in<const N: usize, T: Structure + ?Sized>(tree: &T, path: &str) -> Result<usize, Error> {
    let mut bytes = [0; N];
    let leaf_of = |def: TreeDef<'_>| def.find_str(path)?.as_leaf().ok_or(unknown_path(path.len()));
    match structure_into(tree, &mut bytes) {
        #[cfg(feature = "alloc")]
        Err(Error::Full { .. }) => leaf_of(structure(tree)?.as_treedef()),
        def => leaf_of(def?),
    }
}

#[inline]
pub(crate) fn one_leaf<'a, K, T, L>(
    tree: Trees<'a, L, T>,
    index: usize,
) -> Result<Leaves<'a, L, K>, Error>
where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized + 'a,
    L: Lanes,
{
    let mut nth = Nth { left: index, found: None };
    let walked = T::walk_lanes::<L, Error, _>(tree, &mut Depth::default(), &mut nth);
    if let Some(leaf) = nth.found {
        return Ok(leaf);
    }
    walked?;
    let (expected, found) = (index.saturating_add(1), index.saturating_sub(nth.left));
    Err(Error::TooFewLeaves { expected, found })
}

/// Ends the walk, since the leaf was found. Nobody sees it.
const FOUND: Error = Error::TooLarge;

/// A visitor that steps over leaves and stops at one of them.
struct Nth<X> {
    /// The number of leaves before it.
    left: usize,
    found: Option<X>,
}

impl<'a, K, L> VisitLanes<'a, K, L, Error> for Nth<Leaves<'a, L, K>>
where
    K: LeafTypes + 'a,
    L: Lanes,
{
    #[inline]
    fn leaf(&mut self, leaf: Leaves<'a, L, K>) -> Result<(), Error> {
        if let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            return Ok(());
        }
        self.found = Some(leaf);
        Err(FOUND)
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: Trees<'a, L, [T]>) -> Result<(), Error> {
        match self.left.checked_sub(L::first::<[T]>(&run).len()) {
            Some(left) => self.left = left,
            None => {
                self.found = each::<T, L>(run).nth(self.left).map(leaves::<L, K, T>);
                return Err(FOUND);
            }
        }
        Ok(())
    }

    #[inline]
    fn fixed<T>(&mut self, list: Trees<'a, L, [T]>, depth: &mut Depth) -> Result<(), Error>
    where
        T: TreeWalk<K> + 'a,
    {
        let (count, len) = (const { num_leaves::<T>() }, L::first::<[T]>(&list).len());
        // Trees without leaves have no leaf to find. The product is at most `left`, or zero.
        let skipped = self.left.checked_div(count).unwrap_or(len).min(len);
        self.left = self.left.wrapping_sub(skipped.wrapping_mul(count));
        match each::<T, L>(list).nth(skipped) {
            Some(tree) => T::walk_lanes::<L, Error, _>(tree, depth, self),
            None => Ok(()),
        }
    }
}
