//! What a walk shows beside the leaves of its trees: items, and other trees.

use core::array;
use core::iter::Fuse;
use core::ops::Deref;

use crate::base::error::Error;
use crate::base::never::Never;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
#[cfg(feature = "alloc")]
use crate::tree::over::follow::Follow;
use crate::tree::over::follow::beside_first;
use crate::tree::over::outcome::Outcome;
#[cfg(not(feature = "alloc"))]
use crate::tree::over::paths::NoPaths;
use crate::tree::over::paths::{Paths, Visitor};
use crate::tree::over::trees::{Lane, LeavesOf, OverTrees};
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, ZipPrefix};
use crate::tree::walk::{TreeWalk, VisitLanes};

/// What a walk over the trees `L` shows beside their leaves. `J` are the leaf types of other trees.
#[diagnostic::on_unimplemented(
    message = "this walk needs the feature `alloc`, or other trees do not fit",
    note = "without a heap, one tree is added by `with` or `under`, for `for_each`, `fold` and `count` without paths"
)]
pub trait Joined<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>, P: Paths, J>: Sized {
    /// Whether nothing is beside the leaves.
    const IS_NONE: bool = false;

    /// The number of other trees.
    const TREES: u32;

    /// The leaves, and what is beside them.
    type With<X>;

    /// The leaves, if nothing is beside them.
    fn alone<X>(_: X) -> Option<Self::With<X>> {
        None
    }

    /// Replaces the leaves by what `f` makes of them.
    fn exchange<X, Y>(with: Self::With<X>, f: impl FnOnce(X) -> Option<Y>)
    -> Option<Self::With<Y>>;

    /// Compares the structures of other trees with that of the first tree.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`], [`Error::NotPrefix`].
    fn compare(&self, first: &L::Tree) -> Result<(), Error>;

    /// Calls `visit` for each place: with what `pick` makes of its leaves and what is beside them, or with `None`.
    ///
    /// # Errors
    ///
    /// Those of the structures, and of `visit`, which returns one only if `R` can stop a walk.
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        visit: impl FnMut(P::Shown<'_>, Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop>
    where
        L::Tree: TreeWalk<K>;
}

/// What a map of the trees `L` shows beside their leaves.
pub trait JoinedMap<'a, K: Leaf + 'a, L: OverTrees<'a, K>, P: Paths, J>:
    Joined<'a, K, L, P, J>
{
    /// Makes a new tree of the results of `map`.
    ///
    /// # Errors
    ///
    /// Those of the structures, and of `map`.
    fn map<M, E: From<Error>>(
        self,
        trees: L,
        map: impl FnMut(P::Shown<'_>, Self::With<LeavesOf<'a, L, K, K>>) -> Result<M, E>,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, E>
    where
        L::Tree: MapTree<K, M>;

    /// As [`JoinedMap::map`], for a function without errors.
    ///
    /// # Errors
    ///
    /// Those of the structures.
    #[inline]
    fn map_all<M>(
        self,
        trees: L,
        mut map: impl FnMut(P::Shown<'_>, Self::With<LeavesOf<'a, L, K, K>>) -> M,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, Error>
    where
        L::Tree: MapTree<K, M>,
    {
        self.map(trees, |path, leaves| Ok(map(path, leaves)))
    }
}

impl<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>, P: Paths> Joined<'a, K, L, P, ()> for () {
    const IS_NONE: bool = true;
    const TREES: u32 = 0;

    type With<X> = X;

    #[inline]
    fn alone<X>(leaves: X) -> Option<X> {
        Some(leaves)
    }

    #[inline]
    fn exchange<X, Y>(leaves: X, f: impl FnOnce(X) -> Option<Y>) -> Option<Y> {
        f(leaves)
    }

    #[inline]
    fn compare(&self, _: &L::Tree) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut(P::Shown<'_>, Option<X>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop>
    where
        L::Tree: TreeWalk<K>,
    {
        if const { !R::CAN_STOP && !P::ARE_SHOWN } {
            // Nothing stops it: one tree that is read is walked with a sink.
            return Ok(trees.for_all(|leaves| {
                let _ = P::lend(&mut P::new(), |path| visit(path, pick(leaves)));
            })?);
        }
        let visit = |path: P::Shown<'_>, leaves: Leaves<'a, L::Modes, K>| visit(path, pick(leaves));
        <L::Tree as TreeWalk<K>>::walk_lanes::<L::Modes, R::Stop, _>(
            trees.trees(),
            &mut Depth::default(),
            &mut Visitor::<P, _>::new(visit),
        )
    }
}

impl<'a, K: Leaf + 'a, L: OverTrees<'a, K>, P: Paths> JoinedMap<'a, K, L, P, ()> for () {
    #[inline]
    fn map<M, E: From<Error>>(
        self,
        trees: L,
        mut map: impl FnMut(P::Shown<'_>, LeavesOf<'a, L, K, K>) -> Result<M, E>,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, E>
    where
        L::Tree: MapTree<K, M>,
    {
        let map = |path: P::Shown<'_>, leaves: Leaves<'a, L::Modes, K>| map(path, L::flat(leaves));
        <L::Tree as MapTree<K, M>>::map_lanes::<L::Modes, E>(
            trees.trees(),
            &mut Depth::default(),
            &mut Visitor::<P, _>::new(map),
        )
    }

    #[inline]
    fn map_all<M>(
        self,
        trees: L,
        mut map: impl FnMut(P::Shown<'_>, LeavesOf<'a, L, K, K>) -> M,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, Error>
    where
        L::Tree: MapTree<K, M>,
    {
        if const { <L::Tree as MapTree<K, M>>::NEVER_FAILS && L::Modes::COUNT == 1 && !P::ARE_SHOWN }
        {
            let map = |leaves| match P::lend(&mut P::new(), |path| {
                Ok::<_, Never>(map(path, L::flat(leaves)))
            }) {
                Ok(mapped) => mapped,
                Err(never) => match never {},
            };
            let mapped = <L::Tree as MapTree<K, M>>::map_lanes::<L::Modes, Never>(
                trees.trees(),
                &mut Depth::default(),
                &mut Sure(map),
            );
            return match mapped {
                Ok(mapped) => Ok(mapped),
                Err(never) => match never {},
            };
        }
        JoinedMap::<'a, K, L, P, ()>::map(self, trees, |path, leaves| Ok(map(path, leaves)))
    }
}

/// A visitor that maps leaves, and never fails.
struct Sure<F>(F);

impl<'a, K, L, M, F> VisitLanes<'a, K, L, Never, M> for Sure<F>
where
    K: LeafTypes + 'a,
    L: Lanes,
    F: FnMut(Leaves<'a, L, K>) -> M,
{
    #[inline]
    fn leaf(&mut self, leaves: Leaves<'a, L, K>) -> Result<M, Never> {
        Ok((self.0)(leaves))
    }

    #[inline]
    fn array<X, const N: usize>(
        &mut self,
        mut make: impl FnMut(&mut Self, usize) -> Result<X, Never>,
        _: Error,
    ) -> Result<[X; N], Never> {
        Ok(array::from_fn(|index| match make(self, index) {
            Ok(made) => made,
            Err(never) => match never {},
        }))
    }
}

/// One item for each leaf, after what came before: from [`Over::with_leaves`](crate::tree::Over::with_leaves).
#[derive(Clone, Copy, Debug)]
pub struct Items<B, I> {
    pub(super) before: B,
    pub(super) items: I,
}

/// Gives one item for each leaf, and counts both.
struct Counted<I> {
    items: Fuse<I>,
    found: usize,
    /// Leaves without an item.
    missing: usize,
}

impl<I: Iterator> Counted<I> {
    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next();
        match item {
            Some(_) => self.found = self.found.wrapping_add(1),
            None => self.missing = self.missing.wrapping_add(1),
        }
        item
    }

    /// Whether there was one for each leaf, and no other.
    #[inline]
    fn end(mut self) -> Result<(), Error> {
        let expected = self.found.saturating_add(self.missing);
        let more = self.items.next();
        // No `count` of the rest: it can be endless.
        Error::check_count(expected, self.found.saturating_add(usize::from(more.is_some())))
    }
}

impl<'a, K, L, P, J, B, I> Joined<'a, K, L, P, J> for Items<B, I>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K>,
    P: Paths,
    B: Joined<'a, K, L, P, J>,
    I: Iterator,
{
    const TREES: u32 = B::TREES;

    type With<X> = (B::With<X>, I::Item);

    #[inline]
    fn exchange<X, Y>(
        (leaves, item): Self::With<X>,
        f: impl FnOnce(X) -> Option<Y>,
    ) -> Option<Self::With<Y>> {
        Some((B::exchange(leaves, f)?, item))
    }

    #[inline]
    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        self.before.compare(first)
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut(P::Shown<'_>, Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop>
    where
        L::Tree: TreeWalk<K>,
    {
        let mut items = Counted { items: self.items.fuse(), found: 0, missing: 0 };
        self.before.walk::<R, X>(trees, pick, |path, leaves| match items.next() {
            Some(item) => visit(path, leaves.map(|leaves| (leaves, item))),
            None => Ok(()),
        })?;
        Ok(items.end()?)
    }
}

impl<'a, K, L, P, J, B, I> JoinedMap<'a, K, L, P, J> for Items<B, I>
where
    K: Leaf + 'a,
    L: OverTrees<'a, K>,
    P: Paths,
    B: JoinedMap<'a, K, L, P, J>,
    I: Iterator,
{
    #[inline]
    fn map<M, E: From<Error>>(
        self,
        trees: L,
        mut map: impl FnMut(P::Shown<'_>, Self::With<LeavesOf<'a, L, K, K>>) -> Result<M, E>,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, E>
    where
        L::Tree: MapTree<K, M>,
    {
        let mut items = Counted { items: self.items.fuse(), found: 0, missing: 0 };
        let mapped = self.before.map(trees, |path, leaves| match items.next() {
            Some(item) => map(path, (leaves, item)),
            // A map stops here, so it knows of one leaf more.
            None => Err(Error::TooFewLeaves {
                expected: items.found.saturating_add(1),
                found: items.found,
            }
            .into()),
        })?;
        items.end()?;
        Ok(mapped)
    }
}

/// A tree beside the others, after what came before: from [`Over::with`](crate::tree::Over::with) and
/// [`Over::under`](crate::tree::Over::under).
#[derive(Clone, Copy, Debug)]
pub struct OtherTree<B, C> {
    pub(super) before: B,
    pub(super) tree: C,
    pub(super) is_prefix: bool,
}

impl<B, C: Deref> OtherTree<B, C> {
    /// Compares it with the first of the trees, where `index` is its own.
    fn compare_at<'a, K, T, J>(&self, first: &T, index: u32) -> Result<(), Error>
    where
        K: LeafTypes,
        T: TreeWalk<K> + ?Sized,
        J: Leaf + 'a,
        C: Lane<'a, J, C::Target>,
        C::Target: ZipPrefix<J, K, T> + 'a,
    {
        beside_first::<K, T, J, C::Target, Ref>(
            self.tree.peek(),
            self.is_prefix,
            first,
            index,
            |_| (),
        )
    }

    /// Walks over it and the trees, without a heap. There are no paths, and nothing came before.
    #[inline]
    fn walk_with<'a, K, L, J, E>(
        self,
        trees: L,
        mut visit: impl FnMut(Trees<'a, C::Mode, J>, Leaves<'a, L::Modes, K>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        J: Leaf + 'a,
        C: Lane<'a, J, C::Target>,
        C::Target: ZipPrefix<J, K, L::Tree> + 'a,
        E: From<Error>,
    {
        C::Target::zip_lanes::<C::Mode, L::Modes, E>(
            self.tree.tree(),
            trees.trees(),
            &mut Pairing::new(self.is_prefix),
            &mut visit,
        )
    }

    /// What came before, and the leaves of the tree: one for each leaf of the trees, from the heap.
    #[cfg(feature = "alloc")]
    fn follow<'a, K, L, J>(
        self,
        trees: &L,
        index: u32,
    ) -> Result<(B, Follow<'a, C::Mode, J>), Error>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        J: Leaf + 'a,
        C: Lane<'a, J, C::Target>,
        C::Target: ZipPrefix<J, K, L::Tree> + 'a,
    {
        let (tree, first) = (self.tree.tree(), trees.first());
        let follow = Follow::new::<K, L::Tree, C::Target>(tree, self.is_prefix, first, index)?;
        Ok((self.before, follow))
    }
}

#[cfg(not(feature = "alloc"))]
impl<'a, K, L, C, J> Joined<'a, K, L, NoPaths, ((), J)> for OtherTree<(), C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    J: Leaf + 'a,
    C: Deref<Target: ZipPrefix<J, K, L::Tree> + 'a> + Lane<'a, J, <C as Deref>::Target>,
{
    const TREES: u32 = 1;

    type With<X> = (X, Trees<'a, C::Mode, J>);

    #[inline]
    fn exchange<X, Y>(
        (leaves, other): Self::With<X>,
        f: impl FnOnce(X) -> Option<Y>,
    ) -> Option<Self::With<Y>> {
        Some((f(leaves)?, other))
    }

    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        Joined::<K, L, NoPaths, ()>::compare(&self.before, first)?;
        self.compare_at::<K, L::Tree, J>(first, L::Modes::COUNT)
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut((), Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        self.walk_with::<K, L, J, R::Stop>(trees, |other, leaves| {
            visit((), pick(leaves).map(|leaves| (leaves, other)))
        })
    }
}

#[cfg(feature = "alloc")]
impl<'a, K, L, P, B, C, J0, J> Joined<'a, K, L, P, (J0, J)> for OtherTree<B, C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    B: Joined<'a, K, L, P, J0>,
    J: Leaf + 'a,
    C: Deref<Target: ZipPrefix<J, K, L::Tree> + 'a> + Lane<'a, J, <C as Deref>::Target>,
{
    const TREES: u32 = B::TREES.saturating_add(1);

    type With<X> = (B::With<X>, Trees<'a, C::Mode, J>);

    #[inline]
    fn exchange<X, Y>(
        (leaves, other): Self::With<X>,
        f: impl FnOnce(X) -> Option<Y>,
    ) -> Option<Self::With<Y>> {
        Some((B::exchange(leaves, f)?, other))
    }

    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        self.before.compare(first)?;
        self.compare_at::<K, L::Tree, J>(first, L::Modes::COUNT.saturating_add(B::TREES))
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut(P::Shown<'_>, Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        if const { B::IS_NONE && !P::ARE_SHOWN } {
            return self.walk_with::<K, L, J, R::Stop>(trees, |other, leaves| {
                let leaves = pick(leaves).and_then(B::alone).map(|leaves| (leaves, other));
                P::lend(&mut P::new(), |path| visit(path, leaves))
            });
        }
        let (before, mut follow) =
            self.follow::<K, L, J>(&trees, L::Modes::COUNT.saturating_add(B::TREES))?;
        before.walk::<Result<(), R::Stop>, X>(trees, pick, |path, leaves| {
            let other = follow.next()?;
            visit(path, leaves.map(|leaves| (leaves, other)))
        })
    }
}

#[cfg(feature = "alloc")]
impl<'a, K, L, P, B, C, J0, J> JoinedMap<'a, K, L, P, (J0, J)> for OtherTree<B, C>
where
    K: Leaf + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    B: JoinedMap<'a, K, L, P, J0>,
    J: Leaf + 'a,
    C: Deref<Target: ZipPrefix<J, K, L::Tree> + 'a> + Lane<'a, J, <C as Deref>::Target>,
{
    #[inline]
    fn map<M, E: From<Error>>(
        self,
        trees: L,
        mut map: impl FnMut(P::Shown<'_>, Self::With<LeavesOf<'a, L, K, K>>) -> Result<M, E>,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, E>
    where
        L::Tree: MapTree<K, M>,
    {
        let (before, mut follow) =
            self.follow::<K, L, J>(&trees, L::Modes::COUNT.saturating_add(B::TREES))?;
        before.map(trees, |path, leaves| map(path, (leaves, follow.next()?)))
    }
}
