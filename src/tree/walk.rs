//! Walks over the leaves of one tree, or of several together: what a tree does, and what receives the leaves.

use crate::base::attempt::{done, ok};
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::structure::Structure;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk_path::WalkPath;

/// The methods that visit the leaves of a tree.
///
/// They are apart from [`TreeRead`](crate::tree::TreeRead) because leaves can also be visited as items of another type:
/// [`KeyLeaves`](crate::cache::KeyLeaves) visits leaves of any number of types. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be read as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeWalk<K: LeafTypes>: Structure {
    /// Calls `visit` with the leaves of one tree, or of several together: one call for each place, with one leaf of
    /// each tree.
    ///
    /// `L` says which trees are read and which are changed. The trees must have one structure. An implementation
    /// compares what the type does not fix (lengths, keys, variants, meta fields) before it visits the children. It
    /// counts each of its own nodes, before its children: [`Lanes::same_node`] does both. It names each child with [`WalkPath`], for
    /// the functions with paths; [`TreeWalk::walk_elements`] does it for a list. [`Structure`] has an example.
    ///
    /// A type that only borrows its leaves returns `None` from the `write` closure of [`Lanes::split`]. That closure is
    /// never called, since the type does not implement [`TreeWrite`](crate::tree::TreeWrite).
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a;

    /// Calls `visit` with the leaves of the elements of a list, or of several lists of one length. [`Structure`] has an example.
    ///
    /// # Errors
    ///
    /// As [`TreeWalk::walk_lanes`].
    // Always, for a frame less at each level of a tree in a program without optimisation; so below.
    #[inline(always)]
    fn walk_elements<'a, L: Lanes, E: From<Error>>(
        mut elements: impl Iterator<Item = Trees<'a, L, Self>>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: Sized + 'a,
    {
        let (level, mut index) = (WalkPath::level(visit.path()), 0usize);
        // Not `for`, which takes more of each frame, for a second iterator.
        while let Some(trees) = elements.next() {
            WalkPath::index(visit.path(), level, index);
            index = index.wrapping_add(1);
            done!(Self::walk_lanes::<L, E>(trees, depth, visit));
        }
        Ok(())
    }

    /// Calls `visit` with the leaves of the elements of several slices of one length, as [`TreeWalk::walk_lanes`].
    ///
    /// A leaf type gives the slices to [`VisitLanes::run`], and a type with a fixed number of leaves gives them to
    /// [`VisitLanes::fixed`]. Containers by hand leave it as it is.
    ///
    /// # Errors
    ///
    /// As [`TreeWalk::walk_lanes`].
    #[inline(always)]
    fn walk_slices<'a, L: Lanes, E: From<Error>>(
        lists: Trees<'a, L, [Self]>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: Sized + 'a,
    {
        match const { Self::LEAVES } {
            Some(_) => visit.fixed::<Self>(lists, depth),
            None => Self::walk_elements::<L, E>(each::<Self, L>(lists), depth, visit),
        }
    }
}

/// Receives the leaves of a tree that is read or changed, or of several trees together.
///
/// Every closure that takes [`Leaves`] is a visitor. A visitor of another type can take slices at once: leaves that are
/// next to each other in memory, and trees that all have the same number of leaves.
///
/// # Examples
///
/// A visitor that fills each array with one call:
///
/// ```
/// use treedef::Error;
/// use treedef::container::{Depth, Mut, VisitLanes};
/// use treedef::tree::{LeafAs, TreeWalk};
///
/// struct Fill(f32);
///
/// impl<'a> VisitLanes<'a, f32, Mut, Error> for Fill {
///     fn leaf(&mut self, leaf: &'a mut f32) -> Result<(), Error> {
///         *leaf = self.0;
///         Ok(())
///     }
///
///     fn run<T>(&mut self, run: &'a mut [T]) -> Result<(), Error>
///     where
///         T: LeafAs<f32> + 'a,
///     {
///         if let Some(floats) = T::run_mut(run) {
///             floats.fill(self.0);
///         }
///         Ok(())
///     }
/// }
///
/// let mut tree = (1.0f32, [2.0f32, 3.0]);
/// <(f32, [f32; 2])>::walk_lanes::<Mut, Error>(&mut tree, &mut Depth::default(), &mut Fill(9.0))?;
/// assert_eq!(tree, (9.0, [9.0, 9.0]));
/// # Ok::<(), Error>(())
/// ```
pub trait VisitLanes<'a, K: LeafTypes + 'a, L: Lanes, E: From<Error>, M = ()>: Sized {
    /// Visits the leaves of one place, one of each tree. [`VisitLanes`] has an example. In a map it makes the leaf of the new tree,
    /// an `M`.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E>;

    /// Visits the leaves of one place, which are of a leaf type. The default is [`VisitLanes::leaf`]; the operations on bytes ask the
    /// type for them.
    #[doc(hidden)]
    #[inline(always)]
    fn leaf_of<T>(&mut self, leaves: Trees<'a, L, T>) -> Result<M, E>
    where
        T: Structure + LeafAs<K> + 'a,
    {
        self.leaf(L::leaf::<K, T>(leaves))
    }

    /// The path of the walk, if the visitor reads it. [`WalkPath`] says what a container does with it. The guide to
    /// [`containers`](mod@crate::guide::containers) has an example.
    #[inline]
    fn path(&mut self) -> Option<&mut WalkPath<'a>> {
        None
    }

    /// Visits slices of leaves of one length, one of each tree. The default visits place by place. [`LeafAs::run`] and
    /// [`LeafAs::run_mut`] give a slice its type. [`VisitLanes`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    #[inline]
    fn run<T>(&mut self, runs: Trees<'a, L, [T]>) -> Result<(), E>
    where
        T: Structure + LeafAs<K> + 'a,
    {
        let level = WalkPath::level(self.path());
        for (leaves, index) in each::<T, L>(runs).zip(0..usize::MAX) {
            WalkPath::index(self.path(), level, index);
            ok!(self.leaf_of::<T>(leaves));
        }
        Ok(())
    }

    /// Visits slices of trees of one length, one of each tree. Every value of `T` has the number of leaves that
    /// [`Structure::LEAVES`](crate::tree::Structure::LEAVES) is. The default walks over tree by tree.
    ///
    /// # Errors
    ///
    /// What stops the walk, and the errors of [`TreeWalk::walk_lanes`].
    ///
    /// # Examples
    ///
    /// A visitor that counts leaves and visits none of them:
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::{Depth, Ref, VisitLanes};
    /// use treedef::tree::TreeWalk;
    ///
    /// struct Count(usize);
    ///
    /// impl<'a> VisitLanes<'a, f32, Ref, Error> for Count {
    ///     fn leaf(&mut self, _: &'a f32) -> Result<(), Error> {
    ///         self.0 += 1;
    ///         Ok(())
    ///     }
    ///
    ///     fn fixed<T>(&mut self, list: &'a [T], _: &mut Depth) -> Result<(), Error>
    ///     where
    ///         T: TreeWalk<f32> + 'a,
    ///     {
    ///         self.0 += T::LEAVES.unwrap_or(0) * list.len();
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let (tree, mut count) = (([(1.0f32, 2.0f32); 1000], 3.0f32), Count(0));
    /// TreeWalk::walk_lanes::<Ref, Error>(&tree, &mut Depth::default(), &mut count)?;
    /// assert_eq!(count.0, 2001);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn fixed<T>(&mut self, lists: Trees<'a, L, [T]>, depth: &mut Depth) -> Result<(), E>
    where
        T: TreeWalk<K> + 'a,
        Self: VisitLanes<'a, K, L, E>,
    {
        T::walk_elements::<L, E>(each::<T, L>(lists), depth, self)
    }
}

/// Iterates over the elements of lists of one length, one of each list.
#[inline]
pub(crate) fn each<'a, T: 'a, L: Lanes>(
    lists: Trees<'a, L, [T]>,
) -> L::Iter<core::slice::Iter<'a, T>, core::slice::IterMut<'a, T>> {
    L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()))
}

/// The number of leaves of a type with a fixed number of leaves.
pub(crate) const fn num_leaves<T: Structure + ?Sized>() -> usize {
    match T::LEAVES {
        Some(leaves) => leaves,
        None => 0,
    }
}

impl<'a, K, L, E, M, F> VisitLanes<'a, K, L, E, M> for F
where
    K: LeafTypes + 'a,
    L: Lanes,
    E: From<Error>,
    F: FnMut(Leaves<'a, L, K>) -> Result<M, E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E> {
        self(leaves)
    }
}
