//! Makes trees of tuples of up to twelve elements, of `PhantomData`, an empty tuple, and of `Range`, a struct.

use core::ops::Range;

use crate::base::fronts::each_front;
use crate::format::heading;
use crate::tree::derive_support::*;

/// Makes nested pairs of the elements of a tuple: `(a, (b, ()))`.
macro_rules! nested {
    () => { () };
    ($first:ident $($rest:ident)*) => { ($first, nested!($($rest)*)) };
}

/// Implements the tree traits for tuples, or with `@of` for a type that has their elements: as `fields`, or as `others` if it is
/// another tree in a walk. It has the schema `$schema` and the head `$head`, and `$step` names a child by its index.
macro_rules! tuple {
    ($(($T:ident $O:ident $t:ident $o:ident))*) => {
        tuple! {
            @of [$($T),*] ($($T,)*), [$($O),*] ($($O,)*), ($($T::Output,)*), [($($t,)*)], [($($o,)*)];
            Schema::Tuple(Schemas::new(&[$($T::SCHEMA),*])), heading::Tuple(<[&str]>::len(&[$(stringify!($T)),*])), WalkPath::index; $($T $O $t $o),*
        }
    };
    (
        @of [$($P:ident $(: ?$Size:ident)?),*] $Tuple:ty, [$($Q:ident $(: ?$OtherSize:ident)?),*] $Other:ty, $Output:ty,
        [$($fields:tt)*], [$($others:tt)*];
        $schema:expr, $head:expr, $step:expr; $($T:ident $O:ident $t:ident $o:ident),*
    ) => { const _: () = {

        /// Separates the trees of all lanes into those of each element.
        #[inline]
        #[allow(clippy::unused_unit)]
        fn split<'a, L_: Lanes, $($P $(: ?$Size)?),*>(trees: Trees<'a, L_, $Tuple>) -> ($(Trees<'a, L_, $T>,)*) {
            let rest = L_::map(trees, |$($fields)*| nested!($($t)*), |$($fields)*| nested!($($t)*));
            $(let ($t, rest) = L_::unzip(rest);)*
            let _ = rest;
            ($($t,)*)
        }

        impl<$($P $(: ?$Size)?),*> HasSchema for $Tuple where $($T: HasSchema),* {
            const SCHEMA: &'static Schema = &$schema;
        }

        impl<K: LeafTypes, $($P $(: ?$Size)?),*> TreeWalk<K> for $Tuple where $($T: TreeWalk<K>),* {
            #[inline]
            fn walk<'a, S_: Sink<'a, K>>(&'a self, out: &mut S_)
            where
                K: 'a,
            {
                if const { !S_::NEEDS_LEAVES && Self::TREEDEF.is_some() } {
                    return out.constant::<Self>();
                }
                let $($fields)* = self;
                if let Some(node) = out.begin(&$head) {
                    $($t.walk(out);)*
                    out.end(node);
                }
            }

            #[inline]
            fn walk_lanes<'a, L_: Lanes, X: From<Error>, V_: VisitLanes<'a, K, L_, X>>(
                trees: Trees<'a, L_, Self>,
                depth: &mut Depth,
                visit: &mut V_,
            ) -> Result<(), X>
            where
                K: 'a,
            {
                L_::count_nodes(depth, 1);
                let ($($t,)*) = split::<L_, $($P),*>(trees);
                let (level, mut indices) = (WalkPath::level(visit.path()), 0..usize::MAX);
                $(
                    ($step)(visit.path(), level, indices.next().unwrap_or_default());
                    $T::walk_lanes::<L_, X, V_>($t, depth, visit)?;
                )*
                let _ = (level, &mut indices);
                Ok(())
            }
        }

        impl<K: Leaf, $($P $(: ?$Size)?),*> TreeRead<K> for $Tuple where $($T: TreeRead<K>),* {}

        impl<K: LeafTypes, $($P $(: ?$Size)?),*> TreeWrite<K> for $Tuple where $($T: TreeWrite<K>),* {}

        impl<K: LeafTypes, $($P $(: ?$Size)?),*> TreeBuild<K> for $Tuple where $($T: TreeBuild<K>),* {
            const NEVER_FAILS: bool = true $(&& $T::NEVER_FAILS)*;

            #[inline]
            fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                let $($fields)* = self;
                $($t.take_leaves(visit);)*
                let _ = visit;
            }

            fn answer(question: &mut Question<'_, K>) -> bool {
                let Part::Child(index) = question.part() else { return false };
                let mut indices = 0..u32::MAX;
                $(if indices.next() == Some(index) {
                    return $T::answer(question);
                })*
                let _ = (index, &mut indices);
                false
            }

            #[inline]
            fn build<'d, S_: Source<'d, K>>(from: &mut S_) -> Result<Self, S_::Error> {
                from.begin(Self::SCHEMA)?;
                $(let $t = from.child::<$T>()?;)*
                Ok($($fields)*)
            }
        }

        impl<K: Leaf, M, $($P $(: ?$Size)?),*> MapTree<K, M> for $Tuple where $($T: MapTree<K, M>),* {
            type Output = $Output;

            const NEVER_FAILS: bool = true $(&& $T::NEVER_FAILS)*;

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
                let ($($t,)*) = split::<L_, $($P),*>(trees);
                let (level, mut indices) = (WalkPath::level(map.path()), 0..usize::MAX);
                $(
                    ($step)(map.path(), level, indices.next().unwrap_or_default());
                    let $t = $T::map_lanes::<L_, X>($t, depth, map)?;
                )*
                let _ = (level, &mut indices);
                Ok($($fields)*)
            }
        }

        impl<K: Leaf, J: LeafTypes, $($P $(: ?$Size)?,)* $($Q $(: ?$OtherSize)?),*> ZipPrefix<K, J, $Other> for $Tuple where $($T: ZipPrefix<K, J, $O>),* {
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
                let (($($t,)*), ($($o,)*)) = (split::<P, $($P),*>(prefix), split::<L_, $($Q),*>(trees));
                $($T::zip_lanes::<P, L_, X>($t, $o, pairing, visit)?;)*
                let _ = visit;
                Ok(())
            }
        }
    }; };
}

tuple!();
tuple!(@of [T: ?Sized] PhantomData<T>, [O: ?Sized] PhantomData<O>, Self, [PhantomData], [PhantomData];
    Schema::Tuple(Schemas::new(&[])), heading::Tuple(0), WalkPath::index;);
each_front!(tuple; [] (A A2 a a2) (B B2 b b2) (C C2 c c2) (D D2 d d2) (E1 E2 e e2) (F F2 f f2) (G G2 g g2) (H H2 h h2) (I I2 i i2)
    (J1 J2 j j2) (L L2 l l2) (M1 M2 m m2));

/// The head of a range.
const RANGE: Head<'static> =
    head_of(&struct_head::<{ struct_head_len("Range", START_END) }>("Range", START_END));

const START_END: &[&str] = &["start", "end"];

tuple! {
    @of [T] Range<T>, [O] Range<O>, Range<<T as MapTree<K, M>>::Output>,
    [Range { start: a, end: b }], [Range { start: c, end: d }];
    Schema::Struct(&Fields {
        name: "Range", head: Some(RANGE), is_named: true, fields: START_END, children: Schemas::new(&[T::SCHEMA, T::SCHEMA]), meta: &[], aliases: &[],
    }),
    Struct { name: "Range", fields: START_END, meta: &[] },
    |path, level, index| WalkPath::field(path, level, if index == 0 { "start" } else { "end" }); T O a c, T O b d
}
