//! Makes trees of tuples of up to twelve elements.

use crate::base::error::Error;
use crate::encode::constant::const_def;
use crate::encode::depth::Depth;
use crate::encode::schema::{Schema, Schemas};
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::format::heading;
use crate::tree::build::{Rebuild, TreeBuild};
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::{TreeWalk, VisitLanes};
use crate::tree::walk_path::WalkPath;
use crate::treedef::cursor::Siblings;

macro_rules! count {
    () => { 0 };
    ($first:ident $($rest:ident)*) => { 1 + count!($($rest)*) };
}

/// Makes nested pairs of the elements of a tuple: `(a, (b, ()))`.
macro_rules! nested {
    () => { () };
    ($first:ident $($rest:ident)*) => { ($first, nested!($($rest)*)) };
}

macro_rules! tuple {
    ($($T:ident $O:ident $t:ident $o:ident),*) => { const _: () = {
        /// Separates the trees of all lanes into those of each element.
        #[inline]
        #[allow(clippy::unused_unit)]
        fn split<'a, L_: Lanes, $($T),*>(trees: Trees<'a, L_, ($($T,)*)>) -> ($(Trees<'a, L_, $T>,)*) {
            let rest = L_::map(trees, |($($t,)*)| nested!($($t)*), |($($t,)*)| nested!($($t)*));
            $(let ($t, rest) = L_::unzip(rest);)*
            let _ = rest;
            ($($t,)*)
        }

        impl<$($T: Structure),*> Structure for ($($T,)*) {
            const SCHEMA: &'static Schema = &Schema::Tuple(Schemas::new(&[$($T::SCHEMA),*]));

            #[inline]
            fn describe(&self, out: &mut Writer<'_>) {
                if const { Self::TREEDEF.is_some() } {
                    return out.subtree_of(const_def::<Self>());
                }
                let ($($t,)*) = self;
                out.node(&heading::Tuple(count!($($T)*)), |out| {
                    $($t.describe(out);)*
                    let _ = out;
                });
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                let (($($t,)*), ($($o,)*)) = (self, other);
                true $(&& $t.alike($o))*
            }
        }

        impl<K: LeafTypes, $($T: TreeWalk<K>),*> TreeWalk<K> for ($($T,)*) {
            #[inline]
            fn walk_lanes<'a, L_: Lanes, X: From<Error>>(
                trees: Trees<'a, L_, Self>,
                depth: &mut Depth,
                visit: &mut impl VisitLanes<'a, K, L_, X>,
            ) -> Result<(), X>
            where
                K: 'a,
                Self: 'a,
            {
                L_::count_nodes(depth, 1);
                let ($($t,)*) = split::<L_, $($T),*>(trees);
                let (level, mut indices) = (WalkPath::level(visit.path()), 0..usize::MAX);
                $(
                    WalkPath::index(visit.path(), level, indices.next().unwrap_or_default());
                    $T::walk_lanes::<L_, X>($t, depth, visit)?;
                )*
                let _ = (level, &mut indices);
                Ok(())
            }
        }

        impl<K: Leaf, $($T: TreeRead<K>),*> TreeRead<K> for ($($T,)*) {}

        impl<K: LeafTypes, $($T: TreeWrite<K>),*> TreeWrite<K> for ($($T,)*) {}

        impl<K: LeafTypes, $($T: TreeBuild<K>),*> TreeBuild<K> for ($($T,)*) {
            const BUILDS_FROM_LEAVES: bool = Self::TREEDEF.is_some() $(&& $T::BUILDS_FROM_LEAVES)*;

            #[inline]
            fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                let ($($t,)*) = self;
                $($t.take_leaves(visit);)*
                let _ = visit;
            }


            #[inline]
            fn build<'d, R_: Rebuild<'d, K>>(rebuild: &mut R_, list: &mut Siblings) -> Option<Self> {
                #[allow(unused_mut)]
                let mut children = rebuild.begin_with(list, &heading::Tuple(count!($($T)*)))?;
                let value = ($(rebuild.child::<$T>(&mut children)?,)*);
                rebuild.end(children)?;
                Some(value)
            }
        }

        impl<K: Leaf, M, $($T: MapTree<K, M>),*> MapTree<K, M> for ($($T,)*) {
            type Output = ($($T::Output,)*);

            #[inline]
            fn map_lanes<'a, L_: Lanes, X: From<Error>>(
                trees: Trees<'a, L_, Self>,
                depth: &mut Depth,
                map: &mut impl VisitLanes<'a, K, L_, X, M>,
            ) -> Result<Self::Output, X>
            where
                K: 'a,
                Self: 'a,
            {
                L_::count_nodes(depth, 1);
                let ($($t,)*) = split::<L_, $($T),*>(trees);
                let (level, mut indices) = (WalkPath::level(map.path()), 0..usize::MAX);
                $(
                    WalkPath::index(map.path(), level, indices.next().unwrap_or_default());
                    let $t = $T::map_lanes::<L_, X>($t, depth, map)?;
                )*
                let _ = (level, &mut indices);
                Ok(($($t,)*))
            }
        }

        impl<K: Leaf, J: Leaf, $($O: TreeRead<J>, $T: ZipPrefix<K, J, $O>),*> ZipPrefix<K, J, ($($O,)*)> for ($($T,)*) {
            #[inline]
            fn zip_lanes<'p, 'a, P: Lanes, L_: Lanes, X: From<Error>>(
                prefix: Trees<'p, P, Self>,
                trees: Trees<'a, L_, ($($O,)*)>,
                pairing: &mut Pairing,
                visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L_, J>) -> Result<(), X>,
            ) -> Result<(), X>
            where
                K: 'p,
                J: 'a,
                ($($O,)*): 'a,
                Self: 'p,
            {
                pairing.count_node::<L_>();
                let (($($t,)*), ($($o,)*)) = (split::<P, $($T),*>(prefix), split::<L_, $($O),*>(trees));
                $($T::zip_lanes::<P, L_, X>($t, $o, pairing, visit)?;)*
                let _ = visit;
                Ok(())
            }
        }
    }; };
}

tuple!();
tuple!(A A2 a a2);
tuple!(A A2 a a2, B B2 b b2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2,
    L L2 l l2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2,
    L L2 l l2, M1 M2 m m2);
