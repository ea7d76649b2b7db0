//! Makes trees of references, which have the structure of their target.

use crate::tree::leaf_types::LeafTypes;
use crate::tree::traits::TreeWrite;

/// Implements reading for a type `$pointer`, as the target that it holds, whose size is `$Size`. `$other` is the type of the other trees of
/// a walk over several trees. `$read` returns the target of a `&$pointer`. `$write` returns the target of a `&mut $pointer`, or `None` if it cannot be
/// changed. `where` has the bounds of the target, and `other` those of the other target.
macro_rules! pointer {
    (
        [$($life:lifetime,)?] $pointer:ty, $other:ty, [$($Size:tt)*], |$tree:ident| $read:expr, $write:expr
        $(, where [$($bound:tt)*], other: [$($other_bound:tt)*])?
    ) => {
        const _: () = {
            use $crate::tree::derive_support::*;

            impl<$($life,)? T: HasSchema + $($Size)*> HasSchema for $pointer
            where
                $($($bound)*)?
            {
                const SCHEMA: &'static Schema = T::SCHEMA;

                const NULLABLE: bool = T::NULLABLE;
            }

            impl<$($life,)? K: LeafTypes, T: TreeWalk<K> + $($Size)*> TreeWalk<K> for $pointer
            where
                $($($bound)*)?
            {
                #[inline]
                fn walk<'a, S_: Sink<'a, K>>(&'a self, out: &mut S_)
                where
                    K: 'a,
                {
                    let $tree = self;
                    T::walk($read, out);
                }

                #[inline]
                fn walk_lanes<'a, L: Lanes, E: From<Error>, V_: VisitLanes<'a, K, L, E>>(
                    trees: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    visit: &mut V_,
                ) -> Result<(), E>
                where
                    K: 'a,
                {
                    match L::split::<$pointer, _, _>(trees, depth, |$tree| Some($read), |$tree| $write) {
                        Ok(trees) => T::walk_lanes::<L, E, V_>(trees, depth, visit),
                        Err(error) => Err(error.into()),
                    }
                }
            }

            impl<$($life,)? K: Leaf, T: TreeRead<K> + $($Size)*> TreeRead<K> for $pointer
            where
                $($($bound)*)?
            {
            }

            impl<$($life,)? K: Leaf, J: LeafTypes, O: $($Size)*, T: ZipPrefix<K, J, O> + $($Size)*>
                ZipPrefix<K, J, $other> for $pointer
            where
                $($($bound)* $($other_bound)*)?
            {
                #[inline]
                fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
                    prefix: Trees<'p, P, Self>,
                    trees: Trees<'a, L, $other>,
                    pairing: &mut Pairing,
                    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
                ) -> Result<(), E>
                where
                    K: 'p,
                    J: 'a,
                {
                    let depth = pairing.depth();
                    let prefix = P::split::<$pointer, _, _>(prefix, depth, |$tree| Some($read), |$tree| $write)?;
                    let trees = L::split::<$other, _, _>(trees, depth, |$tree| Some($read), |$tree| $write)?;
                    T::zip_lanes::<P, L, E>(prefix, trees, pairing, visit)
                }
            }
        };
    };
}
pub(super) use pointer;

pointer!(['r,] &'r T, &'r O, [?Sized], |tree| &**tree, { let _ = tree; None });
pointer!(['r,] &'r mut T, &'r mut O, [?Sized], |tree| &**tree, Some(&mut **tree));

impl<K: LeafTypes, T: TreeWrite<K> + ?Sized> TreeWrite<K> for &mut T {}
