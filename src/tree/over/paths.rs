//! Whether a walk has paths.

use crate::base::error::Error;
use crate::tree::lanes::{Lanes, Leaves};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::walk::VisitLanes;
use crate::tree::walk_path::WalkPath;
use crate::treedef::key_path::KeyPath;

/// Of a walk that needs a heap.
#[cfg(feature = "alloc")]
pub(super) type NeedsFeatureAlloc = ();

/// Of a walk that needs a heap. Without one, one tree is added by `with` or `under`, for `for_each`, `fold` and `count` without paths.
#[cfg(not(feature = "alloc"))]
#[derive(Debug)]
pub enum NeedsFeatureAlloc {}

/// A walk with paths, or one without.
pub trait Paths {
    /// Whether there are paths.
    const ARE_SHOWN: bool;

    /// `()` if a tree can be added to the walk.
    type CanAddTree;

    /// What is known of the path during a walk.
    type Walk<'a>;

    /// What a closure gets.
    type Shown<'p>;

    /// What a visitor gets, which has one argument.
    type Given<'p, X>;

    /// Puts what is shown before the leaves.
    fn give<X>(path: Self::Shown<'_>, leaves: X) -> Self::Given<'_, X>;

    /// Starts at the root.
    fn new<'a>() -> Self::Walk<'a>;

    /// The path of the walk.
    fn walk_path<'w, 'a>(walk: &'w mut Self::Walk<'a>) -> Option<&'w mut WalkPath<'a>>;

    /// Calls `take` with the path.
    ///
    /// # Errors
    ///
    /// That of `take`, or [`Error::TooDeep`].
    fn with_path<R, E: From<Error>>(
        walk: &mut Self::Walk<'_>,
        take: impl FnOnce(Self::Shown<'_>) -> Result<R, E>,
    ) -> Result<R, E>;
}

/// A walk without paths.
#[derive(Clone, Copy, Debug)]
pub struct NoPaths;

impl Paths for NoPaths {
    const ARE_SHOWN: bool = false;

    type CanAddTree = ();
    type Walk<'a> = ();
    type Shown<'p> = ();
    type Given<'p, X> = X;

    #[inline]
    fn give<X>((): Self::Shown<'_>, leaves: X) -> Self::Given<'_, X> {
        leaves
    }

    #[inline]
    fn new<'a>() -> Self::Walk<'a> {}

    #[inline]
    fn walk_path<'w, 'a>(_: &'w mut Self::Walk<'a>) -> Option<&'w mut WalkPath<'a>> {
        None
    }

    #[inline]
    fn with_path<R, E: From<Error>>(
        (): &mut (),
        take: impl FnOnce(()) -> Result<R, E>,
    ) -> Result<R, E> {
        take(())
    }
}

/// A walk with paths.
#[derive(Clone, Copy, Debug)]
pub struct WithPaths;

impl Paths for WithPaths {
    const ARE_SHOWN: bool = true;

    type CanAddTree = NeedsFeatureAlloc;
    type Walk<'a> = WalkPath<'a>;
    type Shown<'p> = KeyPath<'p, 'p>;
    type Given<'p, X> = (KeyPath<'p, 'p>, X);

    #[inline]
    fn give<X>(path: Self::Shown<'_>, leaves: X) -> Self::Given<'_, X> {
        (path, leaves)
    }

    fn new<'a>() -> Self::Walk<'a> {
        WalkPath::new()
    }

    #[inline]
    fn walk_path<'w, 'a>(walk: &'w mut Self::Walk<'a>) -> Option<&'w mut WalkPath<'a>> {
        Some(walk)
    }

    #[inline]
    fn with_path<R, E: From<Error>>(
        walk: &mut WalkPath<'_>,
        take: impl FnOnce(Self::Shown<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        walk.with_entries(|entries| take(KeyPath::new(entries)))
    }
}

/// A visitor that calls a function with each leaf, and with its path if there are paths.
pub(super) struct Visitor<'a, P: Paths, F> {
    walk: P::Walk<'a>,
    visit: F,
}

impl<P: Paths, F> Visitor<'_, P, F> {
    #[inline]
    pub(super) fn new(visit: F) -> Self {
        Self { walk: P::new(), visit }
    }
}

impl<'a, K, L, P, E, M, F> VisitLanes<'a, K, L, E, M> for Visitor<'a, P, F>
where
    K: LeafTypes + 'a,
    L: Lanes,
    P: Paths,
    E: From<Error>,
    F: FnMut(P::Shown<'_>, Leaves<'a, L, K>) -> Result<M, E>,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, E> {
        let Self { walk, visit } = self;
        P::with_path(walk, |path| visit(path, leaves))
    }

    #[inline]
    fn path(&mut self) -> Option<&mut WalkPath<'a>> {
        P::walk_path(&mut self.walk)
    }
}
