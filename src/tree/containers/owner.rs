//! Makes trees of the pointers that own their value, which have its structure: `Box`, `Rc` and `Arc`.
//!
//! A tree is a value, however it is stored. So a value with other owners is cloned before its leaves are changed or
//! taken out, as by [`Rc::make_mut`], and the other owners see no change. If it has no other owner, nothing is cloned. A
//! walk that can change leaves clones each such value when it reaches it, before it is known whether a leaf changes.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

use crate::tree::containers::reference::pointer;

/// Implements the traits for an owner `$Owner` under the bounds `$bound`. `$write` returns the value of a `&mut $Owner`, and so
/// does `$value`, if the value is cloned for it under `$take_bound`; `$take` moves the value out.
macro_rules! owner {
    (
        $Owner:ident, where [$($bound:tt)*], other: [$($other_bound:tt)*], |$tree:ident| $write:expr,
        take: [$($take_bound:tt)*], $value:expr, |$owned:ident| $take:expr
    ) => {
        const _: () = {
            use $crate::tree::derive_support::*;

            pointer!([] $Owner<T>, $Owner<O>, |$tree| $write, where [$($bound)*], other: [$($other_bound)*]);

            impl<K: LeafTypes, T: TreeWrite<K> + ?Sized> TreeWrite<K> for $Owner<T> where $($bound)* {}

            impl<K: LeafTypes, T: TreeBuild<K> + $($take_bound)*> TreeBuild<K> for $Owner<T> {
                const BUILDS_FROM_LEAVES: bool = T::BUILDS_FROM_LEAVES;

                fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                    let $owned = self;
                    $take.take_leaves(visit);
                }

                fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
                    rebuild.child(list).map(Self::new)
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
                    let trees = L::map(trees, |tree| &**tree, |$tree| $value);
                    T::map_lanes::<L, E>(trees, depth, map).map($Owner::new)
                }
            }
        };
    };
}

owner!(Box, where [], other: [], |tree| Some(&mut **tree), take: [Sized], &mut **tree, |owned| *owned);
owner!(
    Rc, where [T: ToOwned, Rc<T>: From<T::Owned>,], other: [O: ToOwned, Rc<O>: From<O::Owned>,], |tree| unshare_rc(tree),
    take: [Clone], Rc::make_mut(tree), |owned| Rc::unwrap_or_clone(owned)
);
#[cfg(target_has_atomic = "ptr")]
owner!(
    Arc, where [T: ToOwned, Arc<T>: From<T::Owned>,], other: [O: ToOwned, Arc<O>: From<O::Owned>,], |tree| unshare_arc(tree),
    take: [Clone], Arc::make_mut(tree), |owned| Arc::unwrap_or_clone(owned)
);

/// Implements a function that returns the value of a shared pointer, which has no other owner afterwards.
macro_rules! unshare {
    ($name:ident, $Owner:ident) => {
        fn $name<T: ToOwned + ?Sized>(pointer: &mut $Owner<T>) -> Option<&mut T>
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
unshare!(unshare_rc, Rc);
#[cfg(target_has_atomic = "ptr")]
unshare!(unshare_arc, Arc);
