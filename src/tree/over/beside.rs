//! What a walk shows beside the leaves of its trees: items, and other trees.

use core::ops::Deref;

use crate::base::error::Error;
#[cfg(feature = "alloc")]
use crate::encode::treedef_box::TreeDefBox;
use crate::tree::lanes::{Lanes, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
#[cfg(feature = "alloc")]
use crate::tree::over::follow::Follow;
use crate::tree::over::follow::beside_first;
use crate::tree::over::paths::{NeedsFeatureAlloc, Paths};
use crate::tree::over::trees::{Lane, OverTrees, Place};
use crate::tree::over::walk_kind::WalkKind;
use crate::tree::pairing::Pairing;
use crate::tree::structure::count_leaves;
#[cfg(feature = "alloc")]
use crate::tree::structure::structure_of;
use crate::tree::traits::{Leaf, ZipPrefix};
use crate::tree::walk::TreeWalk;

/// What a walk over the trees `L` shows beside their leaves. `J` are the leaf types of other trees.
pub trait Joined<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>, P: Paths, J>: Sized {
    /// `()` if a tree can be added.
    type CanAddTree;

    /// `()` if trees can be mapped.
    type CanMap;

    /// What is beside the leaves, if that is nothing.
    const NOTHING: Option<fn() -> Self::Beside> = None;

    /// The number of other trees.
    const TREES: u32 = 0;

    /// What is beside the leaves.
    type Beside;

    /// The leaves, and what is beside them.
    type With<X>;

    /// Adds what is beside them to leaves.
    fn with<X>(leaves: X, beside: Self::Beside) -> Self::With<X>;

    /// Compares the structures of other trees with that of the first tree.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`], [`Error::NotPrefix`].
    fn compare(&self, first: &L::Tree) -> Result<(), Error>;

    /// The structure of the other tree that has an index among all trees.
    #[cfg(feature = "alloc")]
    fn structure(&self, index: u32) -> Option<TreeDefBox>;

    /// Calls `f` for each place.
    ///
    /// # Errors
    ///
    /// Those of the structures, and of `f`.
    fn walk<W: WalkKind<'a, K, L, P>>(
        self,
        trees: L,
        f: impl FnMut(P::Shown<'_>, Place<'a, K, L>, Self::Beside) -> Result<W::Made, W::Stop>,
    ) -> Result<W::Out, W::Stop>;
}

impl<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>, P: Paths> Joined<'a, K, L, P, ()> for () {
    const NOTHING: Option<fn()> = Some(|| ());

    type CanAddTree = ();
    type CanMap = ();
    type Beside = ();
    type With<X> = X;

    #[inline]
    fn with<X>(leaves: X, (): ()) -> X {
        leaves
    }

    #[inline]
    fn compare(&self, _: &L::Tree) -> Result<(), Error> {
        Ok(())
    }

    #[cfg(feature = "alloc")]
    fn structure(&self, _: u32) -> Option<TreeDefBox> {
        None
    }

    #[inline]
    fn walk<W: WalkKind<'a, K, L, P>>(
        self,
        trees: L,
        mut f: impl FnMut(P::Shown<'_>, Place<'a, K, L>, ()) -> Result<W::Made, W::Stop>,
    ) -> Result<W::Out, W::Stop> {
        W::walk(trees, |path, leaves| f(path, leaves, ()))
    }
}

/// One item for each leaf, after what came before: from [`Over::with_leaves`](crate::tree::Over::with_leaves).
#[derive(Clone, Copy, Debug)]
pub struct Items<B, I> {
    pub(super) before: B,
    pub(super) items: I,
}

impl<'a, K, L, P, J, B, I> Joined<'a, K, L, P, J> for Items<B, I>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths,
    B: Joined<'a, K, L, P, J>,
    I: Iterator,
{
    const TREES: u32 = B::TREES;

    type CanAddTree = NeedsFeatureAlloc;
    type CanMap = B::CanMap;
    type Beside = (B::Beside, I::Item);
    type With<X> = (B::With<X>, I::Item);

    #[inline]
    fn with<X>(leaves: X, (before, item): Self::Beside) -> Self::With<X> {
        (B::with(leaves, before), item)
    }

    #[inline]
    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        self.before.compare(first)
    }

    #[cfg(feature = "alloc")]
    fn structure(&self, index: u32) -> Option<TreeDefBox> {
        self.before.structure(index)
    }

    #[inline]
    fn walk<W: WalkKind<'a, K, L, P>>(
        self,
        trees: L,
        mut f: impl FnMut(P::Shown<'_>, Place<'a, K, L>, Self::Beside) -> Result<W::Made, W::Stop>,
    ) -> Result<W::Out, W::Stop> {
        // Counted before, so that the walk can end at the first leaf without an item: such a loop can be vectorised.
        let expected = count_leaves::<K, L::Tree>(trees.first())?;
        let (mut items, mut found) = (self.items, 0usize);
        let out =
            self.before.walk::<W::Stopping>(trees, |path, leaves, before| match items.next() {
                Some(item) => {
                    found = found.wrapping_add(1);
                    f(path, leaves, (before, item))
                }
                None => Err(Error::TooFewLeaves { expected, found }.into()),
            })?;
        // No `count` of the rest: it can be endless.
        let given = found.saturating_add(items.next().is_some().into());
        Error::check_count(expected, given)?;
        Ok(out)
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

impl<'a, K, L, P, B, C, J0, J> Joined<'a, K, L, P, (J0, J)> for OtherTree<B, C>
where
    K: LeafTypes + 'a,
    L: OverTrees<'a, K, Tree: TreeWalk<K>>,
    P: Paths<CanAddTree = ()>,
    B: Joined<'a, K, L, P, J0, CanAddTree = ()>,
    J: Leaf + 'a,
    C: Deref<Target: ZipPrefix<J, K, L::Tree> + 'a> + Lane<'a, J, <C as Deref>::Target>,
{
    const TREES: u32 = B::TREES.saturating_add(1);

    type CanAddTree = NeedsFeatureAlloc;
    type CanMap = NeedsFeatureAlloc;
    type Beside = (B::Beside, Trees<'a, C::Mode, J>);
    type With<X> = (B::With<X>, Trees<'a, C::Mode, J>);

    #[inline]
    fn with<X>(leaves: X, (before, other): Self::Beside) -> Self::With<X> {
        (B::with(leaves, before), other)
    }

    fn compare(&self, first: &L::Tree) -> Result<(), Error> {
        self.before.compare(first)?;
        let (other, index) = (self.tree.peek(), L::Modes::COUNT.saturating_add(B::TREES));
        beside_first::<K, L::Tree, J, C::Target, Ref>(other, self.is_prefix, first, index, |_| ())
    }

    #[cfg(feature = "alloc")]
    fn structure(&self, index: u32) -> Option<TreeDefBox> {
        match index.checked_sub(L::Modes::COUNT) {
            Some(index) if index == B::TREES => structure_of::<J, _>(self.tree.peek()),
            _ => self.before.structure(index),
        }
    }

    #[inline]
    fn walk<W: WalkKind<'a, K, L, P>>(
        self,
        trees: L,
        mut f: impl FnMut(P::Shown<'_>, Place<'a, K, L>, Self::Beside) -> Result<W::Made, W::Stop>,
    ) -> Result<W::Out, W::Stop> {
        if const { !P::ARE_SHOWN }
            && let (Some(before), Some(nothing)) = const { (B::NOTHING, W::NOTHING) }
        {
            // Both are walked at once, without a heap.
            let mut visit = |other, leaves: Place<'a, K, L>| {
                P::with_path(&mut P::new(), |path| f(path, leaves, (before(), other))).map(drop)
            };
            return C::Target::zip_lanes::<C::Mode, L::Modes, W::Stop>(
                self.tree.tree(),
                trees.trees(),
                &mut Pairing::new(self.is_prefix),
                &mut visit,
            )
            .map(|()| nothing());
        }
        #[cfg(feature = "alloc")]
        {
            let (other, index) = (self.tree.tree(), L::Modes::COUNT.saturating_add(B::TREES));
            let (prefix, first) = (self.is_prefix, trees.first());
            let mut follow =
                Follow::<C::Mode, J>::new::<K, L::Tree, C::Target>(other, prefix, first, index)?;
            self.before
                .walk::<W>(trees, |path, leaves, before| f(path, leaves, (before, follow.next()?)))
        }
        #[cfg(not(feature = "alloc"))]
        Err(Error::Unsupported.into())
    }
}
