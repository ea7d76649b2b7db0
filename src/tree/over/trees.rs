//! The trees of a walk: one, or several beside each other.

use core::ops::Deref;

use crate::base::error::Error;
use crate::base::fronts::each_front;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Mut, Ref, Trees};
use crate::tree::leaf_sink::visit_leaves;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::traits::TreeWrite;
use crate::tree::walk::TreeWalk;

/// What [`over`](crate::over()) takes: `&tree`, `&mut tree`, or a tuple of these. They are walked with the leaf types `K`.
#[diagnostic::on_unimplemented(
    message = "`over` takes `&tree`, `&mut tree`, or a tuple of two to six of these, all of one type",
    label = "not trees that can be walked as `{K}`",
    note = "a mask or another tree with other leaves is added by `.with(&mask)`, a prefix by `.under(&rates)`"
)]
pub trait OverTrees<'a, K: LeafTypes>: Sized {
    /// The type of the trees. Slices beside vectors and arrays are walked as slices.
    type Tree: ?Sized + 'a;

    /// Which of them are read, and which are changed.
    type Modes: Lanes;

    /// One value for each tree as a closure gets them: alone, or in a tuple. An `R` for each that is read, a `W` for each that is
    /// changed.
    type Flat<R, W>;

    /// The trees as a walk takes them.
    fn trees(self) -> Trees<'a, Self::Modes, Self::Tree>;

    /// The first tree.
    fn first(&self) -> &Self::Tree;

    /// The tree with an index.
    #[cfg(feature = "alloc")]
    fn at(&self, index: u32) -> Option<&Self::Tree> {
        (index == 0).then_some(self.first())
    }

    /// Takes the values out of nested pairs.
    fn flat<R, W>(each: <Self::Modes as Lanes>::Each<R, W>) -> Self::Flat<R, W>;

    /// Compares the structures of the trees.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; [`Error::TooDeep`] from recursive types.
    #[inline]
    fn compare(&self) -> Result<(), Error>
    where
        Self::Tree: TreeWalk<K>,
    {
        // One tree has its own structure, but can be too deep.
        let (tree, depth) = (self.first(), &mut Depth::default());
        Self::Tree::walk_lanes::<Ref, Error, _>(tree, depth, &mut |_| Ok(()))
    }

    /// Calls `visit` with the leaves of each place.
    ///
    /// # Errors
    ///
    /// As [`OverTrees::compare`].
    #[inline]
    fn for_all(self, mut visit: impl FnMut(Place<'a, K, Self>)) -> Result<(), Error>
    where
        K: 'a,
        Self::Tree: TreeWalk<K>,
    {
        let mut visit = |leaves: Place<'a, K, Self>| {
            visit(leaves);
            Ok(())
        };
        <Self::Tree as TreeWalk<K>>::walk_lanes::<Self::Modes, Error, _>(
            self.trees(),
            &mut Depth::default(),
            &mut visit,
        )
    }
}

/// The leaves of one place of the trees `L`, as a walk with the leaf types `K` shows them.
pub(super) type Place<'a, K, L> = Leaves<'a, <L as OverTrees<'a, K>>::Modes, K>;

/// What a closure gets for each place of the trees `L`, which are walked with the leaf types `K`: a leaf of the type `N` of each tree.
pub(super) type LeavesOf<'a, L, K, N> = <L as OverTrees<'a, K>>::Flat<&'a N, &'a mut N>;

impl<'a, K: LeafTypes, T: ?Sized + 'a> OverTrees<'a, K> for &'a T {
    type Tree = T;
    type Modes = Ref;
    type Flat<R, W> = R;

    #[inline]
    fn trees(self) -> &'a T {
        self
    }

    #[inline]
    fn first(&self) -> &T {
        self
    }

    #[inline]
    fn flat<R, W>(each: R) -> R {
        each
    }

    #[inline]
    fn for_all(self, visit: impl FnMut(K::Ref<'a>)) -> Result<(), Error>
    where
        K: 'a,
        T: TreeWalk<K>,
    {
        visit_leaves::<K, _, _, true>(self, visit).map(drop)
    }
}

impl<'a, K: LeafTypes, T: TreeWrite<K> + ?Sized + 'a> OverTrees<'a, K> for &'a mut T {
    type Tree = T;
    type Modes = Mut;
    type Flat<R, W> = W;

    #[inline]
    fn trees(self) -> &'a mut T {
        self
    }

    #[inline]
    fn first(&self) -> &T {
        self
    }

    #[inline]
    fn flat<R, W>(each: W) -> W {
        each
    }
}

/// A tree that can be beside an `O`: one of the same type, or a slice beside a vector or an array.
#[diagnostic::on_unimplemented(
    message = "a tree of the type `{O}` is beside a `{Self}` in `over`",
    note = "the trees of `over` have one type and are given as `&tree` or `&mut tree`",
    note = "add a tree with leaves of another type by `.with(&mask)`, a prefix by `.under(&rates)`"
)]
pub trait WalkedWith<O: ?Sized> {
    /// The type that both are walked as.
    type Tree: ?Sized;
}

impl<T: ?Sized> WalkedWith<T> for T {
    type Tree = T;
}

/// A reference to a tree that is walked as a `T` of `K` leaves: `&T`, or `&mut T` if its leaves can be changed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a tree that is walked as `{T}`",
    note = "the trees of `over` are given as `&tree` or `&mut tree`"
)]
pub trait Lane<'a, K: LeafTypes, T: ?Sized + 'a>: Sized {
    /// [`Ref`] or [`Mut`].
    type Mode: Lanes;

    /// The tree.
    fn tree(self) -> Trees<'a, Self::Mode, T>;

    /// The tree, to be read.
    fn peek(&self) -> &T;
}

/// Makes lanes of references to a `$From`, walked as a `$To`.
macro_rules! lanes {
    ([$($generics:tt)*] $From:ty => $To:ty, ($($write:tt)*)) => {
        impl<'a, K: LeafTypes, $($generics)*> Lane<'a, K, $To> for &'a $From {
            type Mode = Ref;

            #[inline]
            fn tree(self) -> &'a $To {
                self
            }

            #[inline]
            fn peek(&self) -> &$To {
                &**self
            }
        }

        impl<'a, K: LeafTypes, $($generics)*> Lane<'a, K, $To> for &'a mut $From
        where
            $($write)*: TreeWrite<K>,
        {
            type Mode = Mut;

            #[inline]
            fn tree(self) -> &'a mut $To {
                self
            }

            #[inline]
            fn peek(&self) -> &$To {
                &**self
            }
        }
    };
    // A slice beside a vector or an array.
    ([$($generics:tt)*] $From:ty) => {
        $crate::tree::over::trees::lanes!([T $($generics)*] $From => [T], (T));

        impl<T $($generics)*> WalkedWith<[T]> for $From {
            type Tree = [T];
        }

        impl<T $($generics)*> WalkedWith<$From> for [T] {
            type Tree = [T];
        }
    };
}
pub(crate) use lanes;

lanes!([T: ?Sized] T => T, (T));
lanes!([, const N: usize] [T; N]);

/// Makes nested pairs, as [`Lanes`] needs them, of expressions, types or patterns.
macro_rules! nested {
    (@first $a:tt $b:tt) => { $a };
    ([$($a:tt)*]) => { $($a)* };
    ([$($a:tt)*] $($rest:tt)+) => { ($($a)*, nested!($($rest)+)) };
}

/// The type that trees are walked as.
macro_rules! one_type {
    ($A:ident) => { $A::Target };
    ($A:ident $($B:ident)+) => { <$A::Target as WalkedWith<one_type!($($B)+)>>::Tree };
}

/// Makes tuples of references the trees of a walk.
macro_rules! tuples {
    (($A:ident $a:ident) $(($B:ident $b:ident))+) => {
        tuples!(@all [$A $a $($B $b)+] Tree = T; [] $A $($B)+);
    };
    // Each is beside those after it, and all are walked as what the first of them is walked as.
    (@all $all:tt $(Tree = $T:ident)?; [$($bounds:tt)*] $A:ident $($B:ident)+) => {
        tuples!(@all $all; [$($bounds)* $A: Deref<Target: WalkedWith<one_type!($($B)+) $(, Tree = $T)?>>,] $($B)+);
    };
    (@all [$A:ident $a:ident $($B:ident $b:ident)+]; [$($bounds:tt)*] $last:ident) => {
        impl<'a, K, T, $A, $($B),+> OverTrees<'a, K> for ($A, $($B,)+)
        where
            K: LeafTypes,
            T: ?Sized + 'a,
            $last: Deref,
            $($bounds)*
            $A: Lane<'a, K, T>,
            $($B: Lane<'a, K, T>,)+
        {
            type Tree = T;
            type Modes = nested!([$A::Mode] $([$B::Mode])+);
            type Flat<R, W> = (<$A::Mode as Lanes>::Each<R, W>, $(<$B::Mode as Lanes>::Each<R, W>,)+);

            #[inline]
            fn trees(self) -> Trees<'a, Self::Modes, T> {
                let ($a, $($b,)+) = self;
                nested!([$a.tree()] $([$b.tree()])+)
            }

            #[inline]
            fn first(&self) -> &T {
                self.0.peek()
            }

            #[cfg(feature = "alloc")]
            fn at(&self, index: u32) -> Option<&T> {
                let ($a, $($b,)+) = self;
                [$a.peek(), $($b.peek()),+].into_iter().nth(index as usize)
            }

            #[inline]
            fn flat<R, W>(nested!([$a] $([$b])+): <Self::Modes as Lanes>::Each<R, W>) -> Self::Flat<R, W> {
                ($a, $($b,)+)
            }

            #[inline]
            fn compare(&self) -> Result<(), Error>
            where
                T: TreeWalk<K>,
            {
                let ($a, $($b,)+) = self;
                let trees = nested!([$a.peek()] $([$b.peek()])+);
                T::walk_lanes::<nested!([Ref] $([nested!(@first Ref $B)])+), Error, _>(trees, &mut Depth::default(), &mut |_| Ok(()))
            }
        }
    };
}
each_front!(tuples; [(A a)] (B b) (C c) (D d) (E e) (F f));
