//! Walks over runs of leaves.

use core::slice;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafAs;
use crate::tree::over::Over;
use crate::tree::over::outcome::Outcome;
use crate::tree::over::pick::All;
use crate::tree::over::trees::OverTrees;
use crate::tree::traits::{Leaf, TreeRead};
use crate::tree::walk::{TreeWalk, VisitLanes};

/// A walk over runs.
#[derive(Clone, Copy, Debug)]
pub struct Runs;

impl<L> Over<L> {
    /// Shows runs of leaves: slices of leaves that are next to each other in memory, as for DMA transfers and `memcpy`.
    ///
    /// An array or vector of leaves is one run; a leaf outside of these is a run of one. Several trees have runs of equal lengths.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// // Received bytes fill a tree, array by array.
    /// let (mut tree, mut received) = (([0u8; 4], 0u8, [0u8; 2]), [1, 2, 3, 4, 5, 6, 7].as_slice());
    /// over(&mut tree).runs().for_each(|run| {
    ///     let (bytes, rest) = received.split_at(run.len());
    ///     run.copy_from_slice(bytes);
    ///     received = rest;
    /// })?;
    /// assert_eq!(tree, ([1, 2, 3, 4], 5, [6, 7]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn runs(self) -> Over<L, All, Runs> {
        Over { trees: self.trees, pick: self.pick, paths: Runs, beside: () }
    }
}

/// What is done with [`runs`](Over::runs).
impl<L> Over<L, All, Runs> {
    /// Calls `visit` with each run, or a tuple with the run of each tree.
    ///
    /// # Errors
    ///
    /// As [`for_each`](Over#method.for_each) with leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let (mut params, gradient) = (([1.0f32; 64], 2.0f32), ([0.5f32; 64], 1.0f32));
    /// let mut lengths = vec![];
    /// over((&mut params, &gradient)).runs().for_each(|(p, g)| {
    ///     p.iter_mut().zip(g).for_each(|(p, g)| *p -= g);
    ///     lengths.push(p.len());
    /// })?;
    /// assert_eq!((params, lengths), (([0.5; 64], 1.0), vec![64, 1]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[inline]
    pub fn for_each<'a, K, R>(
        self,
        mut visit: impl FnMut(L::Flat<&'a [K], &'a mut [K]>) -> R,
    ) -> R::Walked
    where
        K: Leaf + 'a,
        L: OverTrees<'a, K, Tree: TreeRead<K>>,
        R: Outcome,
    {
        R::walked(<L::Tree as TreeWalk<K>>::walk_lanes::<L::Modes, R::Stop, _>(
            self.trees.trees(),
            &mut Depth::default(),
            &mut EachRun(|runs| visit(L::flat(runs)).step()),
        ))
    }
}

/// A visitor that receives leaves as runs.
struct EachRun<F>(F);

impl<'a, K, L, E, F> VisitLanes<'a, K, L, E> for EachRun<F>
where
    K: Leaf + 'a,
    L: Lanes,
    E: From<Error>,
    F: FnMut(Trees<'a, L, [K]>) -> Result<(), E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<(), E> {
        (self.0)(L::map(leaves, slice::from_ref, slice::from_mut))
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, runs: Trees<'a, L, [T]>) -> Result<(), E> {
        // A leaf type holds itself alone, so there are always runs.
        match L::all(L::map(runs, T::run, T::run_mut)) {
            Ok(runs) => (self.0)(runs),
            Err(_) => Ok(()),
        }
    }
}
