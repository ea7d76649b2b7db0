//! Defines the visitors of a walk: they receive leaves one by one, in slots or in runs.

use crate::base::error::Error;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::leaf_types::{LeafAs, LeafTypes};

/// Receives the leaves of a tree that is read, one by one or in slots.
///
/// # Examples
///
/// ```
/// use treedef::Error;
/// use treedef::encode::Depth;
/// use treedef::tree::{TreeWalk, Visit};
///
/// struct Sum(f32);
///
/// impl<'a> Visit<'a, f32> for Sum {
///     type Slot = ();
///     type Error = Error;
///
///     fn leaf(&mut self, leaf: &'a f32) -> Result<(), Error> {
///         self.0 += leaf;
///         Ok(())
///     }
///
///     fn slot(_: &'a f32) {}
/// }
///
/// let mut sum = Sum(0.0);
/// (1.0f32, [2.0f32, 3.0]).walk(&mut Depth::default(), &mut sum)?;
/// assert_eq!(sum.0, 6.0);
/// # Ok::<(), Error>(())
/// ```
pub trait Visit<'a, K: LeafTypes + 'a> {
    /// Whether the visitor keeps leaves in slots. If not, [`Visit::room`] is not called, and a program has no code that fills
    /// slots. The guide to [`containers`](crate::guide::containers) has an example.
    const SLOTS: bool = false;

    /// What the visitor keeps of a leaf.
    type Slot;

    /// What stops the walk.
    type Error: From<Error>;

    /// Visits one leaf. [`Visit`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn leaf(&mut self, leaf: K::Ref<'a>) -> Result<(), Self::Error>;

    /// Converts a leaf to the slot that is kept of it. The guide to [`containers`](crate::guide::containers) has an
    /// example.
    fn slot(leaf: K::Ref<'a>) -> Self::Slot;

    /// Returns the slots of the next `count` leaves, if the visitor keeps leaves in a slice. The caller fills them and
    /// does not visit these leaves. The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::LeavesFull`] if fewer than `count` slots are left.
    #[inline]
    fn room(&mut self, count: usize) -> Result<Option<&mut [Self::Slot]>, Self::Error> {
        let _ = count;
        Ok(None)
    }

    /// Visits a slice of leaves, as [`VisitLanes::run`]. The default fills slots, or visits leaf by leaf. [`VisitLanes`] has an
    /// example.
    ///
    /// # Errors
    ///
    /// Those of [`Visit::leaf`] and [`Visit::room`].
    #[inline]
    fn run<T: LeafAs<K>>(&mut self, run: &'a [T]) -> Result<(), Self::Error> {
        if const { Self::SLOTS }
            && let Some(slots) = self.room(run.len())?
        {
            for (slot, leaf) in slots.iter_mut().zip(run) {
                *slot = Self::slot(T::by_ref(leaf));
            }
            return Ok(());
        }
        run.iter().try_for_each(|leaf| self.leaf(T::by_ref(leaf)))
    }
}

/// Receives the leaves of a tree that is read or changed, or of several trees together.
///
/// Every closure that takes [`Leaves`] is a visitor. A visitor of another type can take runs of leaves at once.
///
/// # Examples
///
/// A visitor that fills each array with one call:
///
/// ```
/// use treedef::Error;
/// use treedef::encode::Depth;
/// use treedef::tree::lanes::Mut;
/// use treedef::tree::{LeafAs, TreeWalk, VisitLanes};
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
///         if let Ok(floats) = T::run_mut(run) {
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
pub trait VisitLanes<'a, K: LeafTypes + 'a, L: Lanes, E> {
    /// Visits the leaves of one place, one of each tree. [`VisitLanes`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<(), E>;

    /// Visits slices of leaves of one length, one of each tree. The default visits place by place. [`LeafAs::run`] and
    /// [`LeafAs::run_mut`] give a slice its type. [`VisitLanes`] has an example.
    ///
    /// # Errors
    ///
    /// What stops the walk.
    #[inline]
    fn run<T>(&mut self, runs: Trees<'a, L, [T]>) -> Result<(), E>
    where
        T: LeafAs<K> + 'a,
    {
        for leaves in L::iter(L::map(runs, |run| run.iter(), |run| run.iter_mut())) {
            self.leaf(L::leaf::<K, T>(leaves))?;
        }
        Ok(())
    }
}

/// Gives the leaves to a visitor that takes them one by one.
///
/// No closure, because a closure in [`TreeWalk::walk`](crate::tree::TreeWalk::walk) would be another type for each type of
/// tree, and the walks of all types inside that tree would be compiled again for it.
pub(crate) struct OneByOne<'v, V>(pub(crate) &'v mut V);

impl<'a, K, V> VisitLanes<'a, K, Ref, V::Error> for OneByOne<'_, V>
where
    K: LeafTypes + 'a,
    V: Visit<'a, K>,
{
    #[inline]
    fn leaf(&mut self, leaf: K::Ref<'a>) -> Result<(), V::Error> {
        self.0.leaf(leaf)
    }
}

impl<'a, K, L, E, F> VisitLanes<'a, K, L, E> for F
where
    K: LeafTypes + 'a,
    L: Lanes,
    F: FnMut(Leaves<'a, L, K>) -> Result<(), E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<(), E> {
        self(leaves)
    }
}
