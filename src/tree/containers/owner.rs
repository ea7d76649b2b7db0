//! Makes trees of the types that own one value, which have its structure: `Wrapping` and `Saturating`, and the pointers `Box`, `Rc` and
//! `Arc`.
//!
//! A tree is a value, however it is stored. So a value with other owners is cloned before its leaves are changed or
//! taken out, as by `Rc::make_mut`, and the other owners see no change. If it has no other owner, nothing is cloned. A
//! walk that can change leaves clones each such value when it reaches it, before it is known whether a leaf changes.

#[cfg(feature = "alloc")]
use alloc::borrow::ToOwned;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
#[cfg(feature = "alloc")]
use alloc::rc::Rc;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
use core::num::{Saturating, Wrapping};

/// Implements the traits for an owner `$Owner` of one value, of the size `$Size`, under the bounds `$bound`. `$read` returns the value of
/// a `&$Owner`. `$write` returns that of a `&mut $Owner`, and so does `$value`, if the value is cloned for it under `$take_bound`;
/// `$take` moves the value out, and `$new` makes an owner.
macro_rules! owner {
    (
        $Owner:ident$(::$new:ident)?, [$($Size:tt)*], where [$($bound:tt)*], other: [$($other_bound:tt)*],
        |$tree:ident| $read:expr, $write:expr, take: [$($take_bound:tt)*], $value:expr, |$owned:ident| $take:expr
    ) => {
        const _: () = {
            use $crate::tree::containers::reference::pointer;
            use $crate::tree::derive_support::*;

            pointer!([] $Owner<T>, $Owner<O>, [$($Size)*], |$tree| $read, $write, where [$($bound)*], other: [$($other_bound)*]);

            impl<K: LeafTypes, T: TreeWrite<K> + $($Size)*> TreeWrite<K> for $Owner<T> where $($bound)* {}

            impl<K: LeafTypes, T: TreeBuild<K> + $($take_bound)*> TreeBuild<K> for $Owner<T> {
                const NEVER_FAILS: bool = T::NEVER_FAILS;

                fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                    let $owned = self;
                    $take.take_leaves(visit);
                }

                fn answer(question: &mut Question<'_, K>) -> bool {
                    T::answer(question)
                }

                fn build<'d, S_: Source<'d, K>>(from: &mut S_) -> Result<Self, S_::Error> {
                    from.child().map($Owner$(::$new)?)
                }
            }

            impl<K: Leaf, M, T: MapTree<K, M> + $($take_bound)*> MapTree<K, M> for $Owner<T> {
                type Output = $Owner<T::Output>;

                fn map_lanes<'a, L: Lanes, E: From<Error>>(
                    trees: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    map: &mut impl VisitLanes<'a, K, L, E, M>,
                ) -> Result<Self::Output, E>
                where
                    K: 'a,
                {
                    let trees = L::map(trees, |$tree| $read, |$tree| $value);
                    T::map_lanes::<L, E>(trees, depth, map).map($Owner$(::$new)?)
                }
            }
        };
    };
}

owner!(Wrapping, [Sized], where [], other: [], |tree| &tree.0, Some(&mut tree.0), take: [Sized], &mut tree.0, |owned| owned.0);
owner!(Saturating, [Sized], where [], other: [], |tree| &tree.0, Some(&mut tree.0), take: [Sized], &mut tree.0, |owned| owned.0);
#[cfg(feature = "alloc")]
owner!(
    Box::new, [?Sized], where [], other: [], |tree| &**tree, Some(&mut **tree), take: [Sized], &mut **tree, |owned| *owned
);

/// Makes a tree of a shared pointer. The function `$unshare` returns its value, which has no other owner afterwards.
#[cfg(feature = "alloc")]
macro_rules! shared {
    ($Owner:ident, $unshare:ident) => {
        owner!(
            $Owner::new, [?Sized], where [T: ToOwned, $Owner<T>: From<T::Owned>,], other: [O: ToOwned, $Owner<O>: From<O::Owned>,],
            |tree| &**tree, $unshare(tree), take: [Clone], $Owner::make_mut(tree), |owned| $Owner::unwrap_or_clone(owned)
        );

        fn $unshare<T: ToOwned + ?Sized>(pointer: &mut $Owner<T>) -> Option<&mut T>
        where
            $Owner<T>: From<T::Owned>,
        {
            if $Owner::get_mut(pointer).is_none() {
                *pointer = $Owner::from((**pointer).to_owned());
            }
            $Owner::get_mut(pointer)
        }
    };
}
#[cfg(feature = "alloc")]
shared!(Rc, unshare_rc);
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
shared!(Arc, unshare_arc);
