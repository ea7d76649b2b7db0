//! Makes trees of tuples of up to twelve elements, and of `PhantomData`, an empty tuple.

macro_rules! count {
    () => { 0 };
    ($first:ident $($rest:ident)*) => { 1 + count!($($rest)*) };
}

/// Makes nested pairs of the elements of a tuple: `(a, (b, ()))`.
macro_rules! nested {
    () => { () };
    ($first:ident $($rest:ident)*) => { ($first, nested!($($rest)*)) };
}

/// Implements the tree traits for tuples, or with `@of` for a type that has their elements: as `fields`, or as `others` if it is
/// another tree in a zip.
macro_rules! tuple {
    ($($T:ident $O:ident $t:ident $o:ident),*) => {
        tuple!(@of [] ($($T,)*), [] ($($O,)*), ($($T::Output,)*), ($($t,)*), ($($o,)*); $($T $O $t $o),*);
    };
    (
        @of [$($G:ident)?] $Tuple:ty, [$($H:ident)?] $Other:ty, $Output:ty, $fields:tt, $others:tt;
        $($T:ident $O:ident $t:ident $o:ident),*
    ) => { const _: () = {
        use crate::encode::constant::const_def;
        use crate::format::heading;
        use crate::tree::derive_support::*;

        /// Separates the trees of all lanes into those of each element.
        #[inline]
        #[allow(clippy::unused_unit)]
        fn split<'a, L_: Lanes, $($G: ?Sized,)? $($T),*>(trees: Trees<'a, L_, $Tuple>) -> ($(Trees<'a, L_, $T>,)*) {
            let rest = L_::map(trees, |$fields| nested!($($t)*), |$fields| nested!($($t)*));
            $(let ($t, rest) = L_::unzip(rest);)*
            let _ = rest;
            ($($t,)*)
        }

        impl<$($G: ?Sized,)? $($T: Structure),*> Structure for $Tuple {
            const SCHEMA: &'static Schema = &Schema::Tuple(Schemas::new(&[$($T::SCHEMA),*]));

            #[inline]
            fn describe(&self, out: &mut Writer<'_>) {
                if const { Self::TREEDEF.is_some() } {
                    return out.subtree_of(const_def::<Self>());
                }
                let $fields = self;
                out.node(&heading::Tuple(count!($($T)*)), |out| {
                    $($t.describe(out);)*
                    let _ = out;
                });
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                let ($fields, $others) = (self, other);
                true $(&& $t.alike($o))*
            }
        }

        impl<K: LeafTypes, $($G: ?Sized,)? $($T: TreeWalk<K>),*> TreeWalk<K> for $Tuple {
            #[inline]
            fn walk_lanes<'a, L_: Lanes, X: From<Error>>(
                trees: Trees<'a, L_, Self>,
                depth: &mut Depth,
                visit: &mut impl VisitLanes<'a, K, L_, X>,
            ) -> Result<(), X>
            where
                K: 'a,
            {
                L_::count_nodes(depth, 1);
                let ($($t,)*) = split::<L_, $($G,)? $($T),*>(trees);
                let (level, mut indices) = (WalkPath::level(visit.path()), 0..usize::MAX);
                $(
                    WalkPath::index(visit.path(), level, indices.next().unwrap_or_default());
                    $T::walk_lanes::<L_, X>($t, depth, visit)?;
                )*
                let _ = (level, &mut indices);
                Ok(())
            }
        }

        impl<K: Leaf, $($G: ?Sized,)? $($T: TreeRead<K>),*> TreeRead<K> for $Tuple {}

        impl<K: LeafTypes, $($G: ?Sized,)? $($T: TreeWrite<K>),*> TreeWrite<K> for $Tuple {}

        impl<K: LeafTypes, $($G: ?Sized,)? $($T: TreeBuild<K>),*> TreeBuild<K> for $Tuple {
            const BUILDS_FROM_LEAVES: bool = Self::TREEDEF.is_some() $(&& $T::BUILDS_FROM_LEAVES)*;

            #[inline]
            fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                let $fields = self;
                $($t.take_leaves(visit);)*
                let _ = visit;
            }


            #[inline]
            fn build<'d, R_: Rebuild<'d, K>>(rebuild: &mut R_, list: &mut Siblings) -> Option<Self> {
                #[allow(unused_mut)]
                let mut children = rebuild.begin_with(list, &heading::Tuple(count!($($T)*)))?;
                $(let $t = rebuild.child::<$T>(&mut children)?;)*
                rebuild.end(children)?;
                Some($fields)
            }
        }

        impl<K: Leaf, M, $($G: ?Sized,)? $($T: MapTree<K, M>),*> MapTree<K, M> for $Tuple {
            type Output = $Output;

            #[inline]
            fn map_lanes<'a, L_: Lanes, X: From<Error>>(
                trees: Trees<'a, L_, Self>,
                depth: &mut Depth,
                map: &mut impl VisitLanes<'a, K, L_, X, M>,
            ) -> Result<Self::Output, X>
            where
                K: 'a,
            {
                L_::count_nodes(depth, 1);
                let ($($t,)*) = split::<L_, $($G,)? $($T),*>(trees);
                let (level, mut indices) = (WalkPath::level(map.path()), 0..usize::MAX);
                $(
                    WalkPath::index(map.path(), level, indices.next().unwrap_or_default());
                    let $t = $T::map_lanes::<L_, X>($t, depth, map)?;
                )*
                let _ = (level, &mut indices);
                Ok($fields)
            }
        }

        impl<K: Leaf, J: LeafTypes, $($G: ?Sized,)? $($H: ?Sized,)? $($O: TreeWalk<J>, $T: ZipPrefix<K, J, $O>),*> ZipPrefix<K, J, $Other> for $Tuple {
            #[inline]
            fn zip_lanes<'p, 'a, P: Lanes, L_: Lanes, X: From<Error>>(
                prefix: Trees<'p, P, Self>,
                trees: Trees<'a, L_, $Other>,
                pairing: &mut Pairing,
                visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L_, J>) -> Result<(), X>,
            ) -> Result<(), X>
            where
                K: 'p,
                J: 'a,
            {
                pairing.count_node::<L_>();
                let (($($t,)*), ($($o,)*)) = (split::<P, $($G,)? $($T),*>(prefix), split::<L_, $($H,)? $($O),*>(trees));
                $($T::zip_lanes::<P, L_, X>($t, $o, pairing, visit)?;)*
                let _ = visit;
                Ok(())
            }
        }
    }; };
}

tuple!();
tuple!(@of [T] PhantomData<T>, [O] PhantomData<O>, Self, PhantomData, PhantomData;);
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
