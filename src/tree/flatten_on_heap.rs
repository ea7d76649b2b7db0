//! Flattens typed trees to owned treedefs and vectors of leaves.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::convert::identity;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::structure::Structure;
use crate::encode::treedef_box::TreeDefBox;
use crate::tree::lanes::Mut;
use crate::tree::leaf_types::{CloneLeaves, LeafAs, LeafItem, LeafTypes};
use crate::tree::traits::{TreeRead, TreeWrite};
use crate::tree::visit::{Visit, VisitLanes};

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
pub fn flatten<K, L, T>(tree: &T) -> Result<(TreeDefBox, Vec<L>), Error>
where
    K: CloneLeaves<Owned = L>,
    L: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    let def = ok!(TreeDefBox::structure(tree));
    let mut push = Push::<_, _, false>::new(def.as_treedef().num_leaves(), K::cloned);
    match tree.walk(&mut Depth::default(), &mut push) {
        Ok(()) => Ok((def, push.leaves)),
        Err(error) => Err(*error.0),
    }
}

/// Returns the structure of `tree` on the heap, as `jax.tree.structure`. Short for [`TreeDefBox::structure`].
///
/// # Errors
///
/// As [`structure_into`](crate::structure_into), but for [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::{structure, treedef};
///
/// let def = structure(&vec![Some(1.0f32), None])?;
/// assert_eq!(def.as_treedef(), treedef!([*, None]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn structure<T: Structure + ?Sized>(tree: &T) -> Result<TreeDefBox, Error> {
    TreeDefBox::structure(tree)
}

/// Returns references to the leaves of `tree`, as `jax.tree.leaves`.
///
/// They are on the heap; [`refs_into`](crate::tree::refs_into) needs none. With them a tree is read by iterators, in any order and beside others.
///
/// # Errors
///
/// [`Error::TooDeep`] from recursive types.
///
/// # Examples
///
/// ```
/// use treedef::tree::refs;
/// use treedef::treedef_of;
///
/// let tree = (1.0f32, [2.0f32, 3.0]);
/// let leaves = refs(&tree)?;
/// assert_eq!(leaves.iter().rev().map(|leaf| **leaf).collect::<Vec<_>>(), [3.0, 2.0, 1.0]);
///
/// let paths = treedef_of::<(f32, [f32; 2])>().paths();
/// let (largest, _) = paths.zip(leaves).max_by(|one, other| one.1.total_cmp(other.1)).unwrap();
/// assert_eq!(largest.to_string(), "[1][1]");
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn refs<'a, K, R, T>(tree: &'a T) -> Result<Vec<R>, Error>
where
    K: LeafTypes<Ref<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    T: TreeRead<K> + ?Sized,
{
    let mut push = Push::<_, _, true>::new(T::LEAVES.unwrap_or(0), identity);
    match tree.walk(&mut Depth::default(), &mut push) {
        Ok(()) => Ok(push.leaves),
        Err(error) => Err(*error.0),
    }
}

/// Returns mutable references to the leaves of `tree`.
///
/// They are on the heap; [`muts_into`](crate::tree::muts_into) needs none.
///
/// # Errors
///
/// As [`refs`].
///
/// # Examples
///
/// ```
/// use treedef::tree::muts;
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// let leaves = muts(&mut tree)?;
/// for (leaf, step) in leaves.into_iter().zip([10.0, 20.0, 30.0]) {
///     *leaf += step;
/// }
/// assert_eq!(tree, (11.0, [22.0, 33.0]));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn muts<'a, K, R, T>(tree: &'a mut T) -> Result<Vec<R>, Error>
where
    K: LeafTypes<Mut<'a> = R> + 'a,
    R: LeafItem<LeafTypes = K>,
    T: TreeWrite<K> + ?Sized,
{
    let mut push = Push::<_, _, true>::new(T::LEAVES.unwrap_or(0), identity);
    T::walk_lanes::<Mut, Error>(tree, &mut Depth::default(), &mut push)?;
    Ok(push.leaves)
}

/// An error that is passed on in a register, because each type of tree has code that passes it on.
struct Boxed(Box<Error>);

impl From<Error> for Boxed {
    #[cold]
    #[inline(never)]
    fn from(error: Error) -> Self {
        Self(Box::new(error))
    }
}

/// Appends what `keep` makes of each leaf. Without `GROWS` there has to be room for all leaves: a vector that cannot grow stays
/// in registers.
///
/// No closure, because a closure in [`flatten`] would be another type for each type of tree, and the walks of all types
/// inside that tree would be compiled again for it.
struct Push<O, F, const GROWS: bool> {
    leaves: Vec<O>,
    keep: F,
}

impl<O, F, const GROWS: bool> Push<O, F, GROWS> {
    fn new(room: usize, keep: F) -> Self {
        Self { leaves: Vec::with_capacity(room), keep }
    }

    /// Whether there is no room for `count` more leaves.
    #[inline]
    fn is_full(&self, count: usize) -> bool {
        !GROWS && self.leaves.capacity().saturating_sub(self.leaves.len()) < count
    }

    #[cold]
    fn full(&self, count: usize) -> Boxed {
        let needed = self.leaves.len().saturating_add(count);
        Error::LeavesFull { needed, room: self.leaves.capacity() }.into()
    }
}

impl<'a, K, O, F, const GROWS: bool> Visit<'a, K> for Push<O, F, GROWS>
where
    K: LeafTypes + 'a,
    F: Fn(K::Ref<'a>) -> O,
{
    type Slot = ();
    type Error = Boxed;

    #[inline]
    fn leaf(&mut self, leaf: K::Ref<'a>) -> Result<(), Boxed> {
        if self.is_full(1) {
            return Err(self.full(1));
        }
        self.leaves.push((self.keep)(leaf));
        Ok(())
    }

    fn slot(_: K::Ref<'a>) {}

    #[inline]
    fn run<T: LeafAs<K>>(&mut self, run: &'a [T]) -> Result<(), Boxed> {
        // In the words of `Vec`, so that the compiler leaves out what asks for it again.
        if !GROWS && run.len() > self.leaves.capacity().wrapping_sub(self.leaves.len()) {
            return Err(self.full(run.len()));
        }
        self.leaves.extend(run.iter().map(|leaf| (self.keep)(T::by_ref(leaf))));
        Ok(())
    }
}

impl<'a, K, O, F> VisitLanes<'a, K, Mut, Error> for Push<O, F, true>
where
    K: LeafTypes + 'a,
    F: Fn(K::Mut<'a>) -> O,
{
    #[inline]
    fn leaf(&mut self, leaf: K::Mut<'a>) -> Result<(), Error> {
        self.leaves.push((self.keep)(leaf));
        Ok(())
    }
}
