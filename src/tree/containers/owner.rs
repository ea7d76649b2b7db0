//! Makes trees of the pointers that own their value, which have its structure: `Box`, `Rc` and `Arc`.
//!
//! A tree is a value, however it is stored. So a value with other owners is cloned before its leaves are changed or
//! taken out, as by [`Rc::make_mut`], and the other owners see no change. If it has no other owner, nothing is cloned. A
//! walk that can change leaves clones each such value when it reaches it, before it is known whether a leaf changes.

use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::tree::build::{Rebuild, TreeBuild};
use crate::tree::containers::reference::pointer;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::{TreeWalk, VisitLanes};
use crate::treedef::cursor::Siblings;

/// Implements the traits for an owner `$Owner` whose value satisfies `$bound`. `$write` returns the value of a `&mut $Owner`, and
/// `$take` moves the value out.
macro_rules! owner {
    ($Owner:ident, bound: [$($bound:tt)*], take: [$($take_bound:tt)*], |$tree:ident| $write:expr, |$owned:ident| $take:expr) => {
        pointer!([] $Owner<T>, $Owner<O>, |$tree| Some($write), where [T: $($bound)*,], other: [O: $($bound)*,]);

        impl<K: LeafTypes, T: TreeWrite<K> + $($bound)* + ?Sized> TreeWrite<K> for $Owner<T> {}

        impl<K: LeafTypes, T: TreeBuild<K> + $($take_bound)*> TreeBuild<K> for $Owner<T> {
            const IS_FIXED: bool = T::IS_FIXED;

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
                map: &mut impl FnMut(Trees<'a, L, K>) -> Result<M, E>,
            ) -> Result<Self::Output, E>
            where
                K: 'a,
                Self: 'a,
            {
                let trees = L::map(trees, |tree| &**tree, |$tree| $write);
                T::map_lanes::<L, E>(trees, depth, map).map($Owner::new)
            }
        }
    };
}

owner!(Box, bound: [Structure], take: [Sized], |tree| &mut **tree, |owned| *owned);
owner!(Rc, bound: [CopyOnWrite], take: [Clone], |tree| CopyOnWrite::rc(tree), |owned| Rc::unwrap_or_clone(owned));
#[cfg(target_has_atomic = "ptr")]
owner!(Arc, bound: [CopyOnWrite], take: [Clone], |tree| CopyOnWrite::arc(tree), |owned| Arc::unwrap_or_clone(owned));

/// A value that can be cloned to give a shared pointer a value of its own: any `T: Clone`, and a slice of them.
pub trait CopyOnWrite {
    /// The value of `pointer`, which has no other owner afterwards.
    fn rc(pointer: &mut Rc<Self>) -> &mut Self;

    /// As [`CopyOnWrite::rc`].
    #[cfg(target_has_atomic = "ptr")]
    fn arc(pointer: &mut Arc<Self>) -> &mut Self;
}

macro_rules! unshare {
    ($($value:ty),*) => {$(
        impl<T: Clone> CopyOnWrite for $value {
            fn rc(pointer: &mut Rc<Self>) -> &mut Self {
                Rc::make_mut(pointer)
            }

            #[cfg(target_has_atomic = "ptr")]
            fn arc(pointer: &mut Arc<Self>) -> &mut Self {
                Arc::make_mut(pointer)
            }
        }
    )*};
}
unshare!(T, [T]);
