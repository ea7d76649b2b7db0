//! What a walk shows beside the leaves of its trees: items, and other trees.

use core::array;
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
#[cfg(feature = "alloc")]
use crate::tree::over::paths::WithPaths;
use crate::tree::over::paths::{NoPaths, Paths, Visitor};
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
    /// The number of other trees.
    const TREES: u32;

    /// The leaves, and what is beside them.
    type With<X>;

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
    const TREES: u32 = 0;

    type With<X> = X;

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
    items: I,
    found: usize,
    /// Leaves without an item.
    missing: usize,
}

impl<I: Iterator> Counted<I> {
    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let item = if self.missing == 0 { self.items.next() } else { None };
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
        let more = if self.missing == 0 { self.items.next() } else { None };
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
        let mut items = Counted { items: self.items, found: 0, missing: 0 };
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
        let mut items = Counted { items: self.items, found: 0, missing: 0 };
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

/// A tree beside the others, the first one: from [`Over::with`](crate::tree::Over::with) and [`Over::under`](crate::tree::Over::under).
#[derive(Clone, Copy, Debug)]
pub struct OtherTree<C> {
    pub(super) tree: C,
    pub(super) is_prefix: bool,
}

impl<'a, K, L, C, J, U> Joined<'a, K, L, NoPaths, J> for OtherTree<C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    C: Deref<Target = U> + Lane<'a, J, U>,
    J: Leaf + 'a,
    U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
{
    const TREES: u32 = 1;

    type With<X> = (X, Trees<'a, C::Mode, J>);

    #[inline]
    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        let other = self.tree.peek();
        beside_first::<K, L::Tree, J, U, Ref>(other, self.is_prefix, first, L::Modes::COUNT, |_| ())
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut((), Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        U::zip_lanes::<C::Mode, L::Modes, R::Stop>(
            self.tree.tree(),
            trees.trees(),
            &mut Pairing::new(self.is_prefix),
            &mut |other, leaves| visit((), pick(leaves).map(|leaves| (leaves, other))),
        )
    }
}

/// One more tree after what came before.
#[derive(Clone, Copy, Debug)]
pub struct MoreTrees<B, C> {
    pub(super) before: B,
    pub(super) tree: C,
    pub(super) is_prefix: bool,
}

#[cfg(feature = "alloc")]
impl<B, C> MoreTrees<B, C> {
    /// The leaves of the tree, one for each leaf of the trees.
    #[expect(clippy::type_complexity, reason = "both parts are named by what they are")]
    fn follow<'a, K, L, P, J, J0, U>(self, trees: &L) -> Result<(B, Follow<'a, C::Mode, J>), Error>
    where
        K: LeafTypes + 'a,
        L: OverTrees<'a, K, Tree: TreeWalk<K>>,
        P: Paths,
        B: Joined<'a, K, L, P, J0>,
        C: Deref<Target = U> + Lane<'a, J, U>,
        J: Leaf + 'a,
        U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
    {
        let (first, index) = (trees.first(), L::Modes::COUNT.saturating_add(B::TREES));
        let follow = Follow::new::<K, L::Tree, U>(self.tree.tree(), self.is_prefix, first, index)?;
        Ok((self.before, follow))
    }
}

#[cfg(feature = "alloc")]
impl<'a, K, L, P, B, C, J0, J, U> Joined<'a, K, L, P, (J0, J)> for MoreTrees<B, C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    B: Joined<'a, K, L, P, J0>,
    C: Deref<Target = U> + Lane<'a, J, U>,
    J: Leaf + 'a,
    U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
{
    const TREES: u32 = B::TREES.saturating_add(1);

    type With<X> = (B::With<X>, Trees<'a, C::Mode, J>);

    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        self.before.compare(first)?;
        let (other, index) = (self.tree.peek(), L::Modes::COUNT.saturating_add(B::TREES));
        beside_first::<K, L::Tree, J, U, Ref>(other, self.is_prefix, first, index, |_| ())
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        mut visit: impl FnMut(P::Shown<'_>, Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        let (before, mut follow) = self.follow::<K, L, P, J, J0, U>(&trees)?;
        before.walk::<Result<(), R::Stop>, X>(trees, pick, |path, leaves| {
            let other = follow.next()?;
            visit(path, leaves.map(|leaves| (leaves, other)))
        })
    }
}

#[cfg(feature = "alloc")]
impl<'a, K, L, P, B, C, J0, J, U> JoinedMap<'a, K, L, P, (J0, J)> for MoreTrees<B, C>
where
    K: Leaf + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    B: JoinedMap<'a, K, L, P, J0>,
    C: Deref<Target = U> + Lane<'a, J, U>,
    J: Leaf + 'a,
    U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
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
        let (before, mut follow) = self.follow::<K, L, P, J, J0, U>(&trees)?;
        before.map(trees, |path, leaves| map(path, (leaves, follow.next()?)))
    }
}

// A walk over several structures has no path, and makes no new tree: the leaves of the other tree follow, as those of more trees.

#[cfg(feature = "alloc")]
impl<'a, K, L, C, J, U> Joined<'a, K, L, WithPaths, J> for OtherTree<C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    C: Deref<Target = U> + Lane<'a, J, U>,
    J: Leaf + 'a,
    U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
{
    const TREES: u32 = 1;

    type With<X> = (X, Trees<'a, C::Mode, J>);

    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        Joined::<K, L, NoPaths, J>::compare(self, first)
    }

    #[inline]
    fn walk<R: Outcome, X>(
        self,
        trees: L,
        pick: impl Fn(Leaves<'a, L::Modes, K>) -> Option<X>,
        visit: impl FnMut(<WithPaths as Paths>::Shown<'_>, Option<Self::With<X>>) -> Result<(), R::Stop>,
    ) -> Result<(), R::Stop> {
        let this = MoreTrees { before: (), tree: self.tree, is_prefix: self.is_prefix };
        Joined::<K, L, WithPaths, ((), J)>::walk::<R, X>(this, trees, pick, visit)
    }
}

#[cfg(feature = "alloc")]
impl<'a, K, L, P, C, J, U> JoinedMap<'a, K, L, P, J> for OtherTree<C>
where
    K: Leaf + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    Self: Joined<
            'a,
            K,
            L,
            P,
            J,
            With<LeavesOf<'a, L, K, K>> = (LeavesOf<'a, L, K, K>, Trees<'a, C::Mode, J>),
        >,
    C: Deref<Target = U> + Lane<'a, J, U>,
    J: Leaf + 'a,
    U: ZipPrefix<J, K, L::Tree> + ?Sized + 'a,
{
    #[inline]
    fn map<M, E: From<Error>>(
        self,
        trees: L,
        map: impl FnMut(P::Shown<'_>, Self::With<LeavesOf<'a, L, K, K>>) -> Result<M, E>,
    ) -> Result<<L::Tree as MapTree<K, M>>::Output, E>
    where
        L::Tree: MapTree<K, M>,
    {
        let this = MoreTrees { before: (), tree: self.tree, is_prefix: self.is_prefix };
        JoinedMap::<K, L, P, ((), J)>::map(this, trees, map)
    }
}

/// What trees are added to.
pub trait With: Sized {
    /// What it is with one tree more.
    type With<C>;

    /// Adds a tree.
    fn with<C>(self, tree: C, is_prefix: bool) -> Self::With<C>;
}

impl With for () {
    type With<C> = OtherTree<C>;

    #[inline]
    fn with<C>(self, tree: C, is_prefix: bool) -> OtherTree<C> {
        OtherTree { tree, is_prefix }
    }
}

/// Trees after these are walked before the others.
macro_rules! with_more {
    ($([$($generics:ident),*] $Before:ty;)+) => {$(
        impl<$($generics),*> With for $Before {
            type With<C> = MoreTrees<Self, C>;

            #[inline]
            fn with<C>(self, tree: C, is_prefix: bool) -> MoreTrees<Self, C> {
                MoreTrees { before: self, tree, is_prefix }
            }
        }
    )+};
}
with_more! {
    [B, I] Items<B, I>;
    [T] OtherTree<T>;
    [B, T] MoreTrees<B, T>;
}
