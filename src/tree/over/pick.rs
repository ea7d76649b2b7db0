//! Which leaves a walk shows, and as what.

use core::marker::PhantomData;

use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::Lanes;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::trees::{LeavesOf, OverTrees, Place};
use crate::tree::traits::{Leaf, TreeRead};

/// All leaves, which have one type.
#[derive(Clone, Copy, Debug)]
pub struct All;

/// The leaves of the type `N`, whatever types the others have.
#[derive(Clone, Copy, Debug)]
pub struct Only<N> {
    pub(super) may_be_none: bool,
    pub(super) leaf: PhantomData<N>,
}

/// All leaves, as items of the set `S`.
#[derive(Clone, Copy, Debug)]
pub struct Of<S>(pub(super) PhantomData<S>);

/// The leaves of a tuple of types, for a visitor.
#[derive(Clone, Copy, Debug)]
pub struct Types<N>(pub(super) PhantomData<N>);

/// As what the trees `L` are walked: with the leaf types `K`.
pub trait WalkedAs<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>> {}

impl<'a, K: Leaf + 'a, L: OverTrees<'a, K, Tree: TreeRead<K>>> WalkedAs<'a, K, L> for All {}

impl<'a, S: LeafTypes + 'a, L: OverTrees<'a, S>> WalkedAs<'a, S, L> for Of<S> {}

impl<'a, N, L: OverTrees<'a, AnyLeaves>> WalkedAs<'a, AnyLeaves, L> for Only<N> {}

impl<'a, N, L: OverTrees<'a, AnyLeaves>> WalkedAs<'a, AnyLeaves, L> for Types<N> {}

/// Which leaves of the trees `L` a closure gets. `K` is the set that the trees are walked with.
#[diagnostic::on_unimplemented(
    message = "no closure gets the leaves of `{Self}` of `{L}`",
    note = "after `types` comes `visit` with a visitor, as `treedef::visitor!` writes it"
)]
pub trait Pick<'a, K: LeafTypes + 'a, L: OverTrees<'a, K>>: WalkedAs<'a, K, L> {
    /// Whether leaves can be passed over.
    const CAN_MISS: bool = false;

    /// What a closure gets of each place.
    type Leaves;

    /// The leaves of one place, unless they are passed over.
    fn pick(leaves: Place<'a, K, L>) -> Option<Self::Leaves>;

    /// Whether it is an error that leaves are passed over and none is shown.
    #[inline]
    fn needs_one(&self) -> bool {
        false
    }
}

impl<'a, K: Leaf + 'a, L: OverTrees<'a, K, Tree: TreeRead<K>>> Pick<'a, K, L> for All {
    type Leaves = LeavesOf<'a, L, K, K>;

    #[inline]
    fn pick(leaves: Place<'a, K, L>) -> Option<Self::Leaves> {
        Some(L::flat(leaves))
    }
}

impl<'a, S: LeafTypes + 'a, L: OverTrees<'a, S>> Pick<'a, S, L> for Of<S> {
    type Leaves = L::Flat<S::Ref<'a>, S::Mut<'a>>;

    #[inline]
    fn pick(leaves: Place<'a, S, L>) -> Option<Self::Leaves> {
        Some(L::flat(leaves))
    }
}

impl<'a, N: 'static, L: OverTrees<'a, AnyLeaves>> Pick<'a, AnyLeaves, L> for Only<N> {
    const CAN_MISS: bool = true;

    type Leaves = LeavesOf<'a, L, AnyLeaves, N>;

    #[inline]
    fn pick(leaves: Place<'a, AnyLeaves, L>) -> Option<Self::Leaves> {
        L::Modes::of_type::<N>(leaves).map(L::flat)
    }

    #[inline]
    fn needs_one(&self) -> bool {
        !self.may_be_none
    }
}

/// What leaves trees are mapped as: all leaves have the type `K`, whether it is named or not.
#[diagnostic::on_unimplemented(
    message = "`map` is for trees of one leaf type",
    note = "change leaves of several types in place by `over(&mut tree)`, or those of one type in a copy by `treedef::tree::map_of`"
)]
pub trait PickAll<K: Leaf> {}

impl<K: Leaf> PickAll<K> for All {}

impl<K: Leaf> PickAll<K> for Only<K> {}
