//! What is done at each place of the trees, and what comes of all of it: leaves are visited, or a new tree is made.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::outcome::Outcome;
use crate::tree::over::paths::{Paths, Visitor};
use crate::tree::over::trees::{OverTrees, Place};
use crate::tree::traits::{Leaf, MapTree};
use crate::tree::walk::TreeWalk;

/// How trees are walked: leaves are visited, or a new tree is made.
pub trait WalkKind<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>, P: Paths> {
    /// What comes of each place.
    type Made;

    /// What comes of all places.
    type Out;

    /// What stops the walk.
    type Stop: From<Error>;

    /// The same walk, but one that the function can stop, also if a closure cannot.
    type Stopping: WalkKind<'a, K, L, P, Made = Self::Made, Out = Self::Out, Stop = Self::Stop>;

    /// What comes of all places, if no new tree is made.
    const NOTHING: Option<fn() -> Self::Out> = None;

    /// Calls `visit` for each place.
    ///
    /// # Errors
    ///
    /// Those of the structures, and of `visit`.
    fn walk(
        trees: L,
        visit: impl FnMut(P::Shown<'_>, Place<'a, K, L>) -> Result<Self::Made, Self::Stop>,
    ) -> Result<Self::Out, Self::Stop>;
}

/// Leaves are visited by a function that returns an `R`. It returns an error only if `R` can stop a walk.
pub(super) struct Visits<R>(PhantomData<R>);

impl<'a, K, L, P, R> WalkKind<'a, K, L, P> for Visits<R>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    R: Outcome,
{
    type Made = ();
    type Out = ();
    type Stop = R::Stop;
    type Stopping = Visits<Result<(), R::Stop>>;

    const NOTHING: Option<fn()> = Some(|| ());

    #[inline]
    fn walk(
        trees: L,
        mut visit: impl FnMut(P::Shown<'_>, Place<'a, K, L>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        if const { !R::CAN_STOP && !P::ARE_SHOWN } {
            // Nothing stops it: one tree that is read is walked with a sink.
            return Ok(trees.for_all(|leaves| {
                let _ = P::with_path(&mut P::new(), |path| visit(path, leaves));
            })?);
        }
        <L::Tree as TreeWalk<K>>::walk_lanes::<L::Modes, R::Stop, _>(
            trees.trees(),
            &mut Depth::default(),
            &mut Visitor::<P, _>::new(visit),
        )
    }
}

/// Leaves become those of a new tree, until an error.
pub(super) struct Maps<M, E>(PhantomData<(M, E)>);

impl<'a, K, L, P, M, E> WalkKind<'a, K, L, P> for Maps<M, E>
where
    K: Leaf + 'a,
    L: OverTrees<'a, K, Tree: MapTree<K, M>>,
    P: Paths,
    E: From<Error>,
{
    type Made = M;
    type Out = <L::Tree as MapTree<K, M>>::Output;
    type Stop = E;
    type Stopping = Self;

    #[inline]
    fn walk(
        trees: L,
        map: impl FnMut(P::Shown<'_>, Place<'a, K, L>) -> Result<M, E>,
    ) -> Result<Self::Out, E> {
        <L::Tree as MapTree<K, M>>::map_lanes::<L::Modes, E>(
            trees.trees(),
            &mut Depth::default(),
            &mut Visitor::<P, _>::new(map),
        )
    }
}
