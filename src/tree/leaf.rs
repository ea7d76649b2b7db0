//! Declares leaf types: [`leaf!`](crate::leaf), and [`AsLeaf`] around a type of another crate.

use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};
use core::num::NonZero;
use core::time::Duration;

use crate::base::attempt::attempt;
use crate::base::dtype::Dtype;
use crate::base::message::TextType;
use crate::encode::structure::HasSchema;

/// Declares leaf types: a tree holds a value of such a type as one leaf.
///
/// Generic types name their parameters first, each followed by a comma, and bounds last: `where [E: Copy]`.
///
/// A type of another crate cannot be declared: put [`AsLeaf`](crate::tree::AsLeaf) around it. The compiler's errors say
/// so by the name of a type parameter, `WrapForeignTypeInAsLeaf`.
///
/// # Examples
///
/// ```
/// struct Tensor {
///     shape: [usize; 2],
/// }
/// struct View<'v>(&'v [f32]);
/// struct Cell<E>(E);
/// struct Small<E: Copy>(E);
///
/// treedef::leaf!(Tensor);
/// treedef::leaf!(impl ['v,] View<'v>);
/// treedef::leaf!(impl [E,] Cell<E>);
/// treedef::leaf!(impl [E,] Small<E> where [E: Copy]);
///
/// let tree = (View(&[1.0]), [View(&[2.0, 3.0]), View(&[])]);
/// let mut floats = 0;
/// treedef::over(&tree).for_each(|view: &View<'_>| floats += view.0.len())?;
/// assert_eq!(floats, 3);
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! leaf {
    // Implements traits for the leaf type `$leaf`: first those without a parameter, then those of any leaf types `$K`.
    //
    // All impls come out of one repetition, so that the errors for a type of another crate have one place in the source,
    // and the compiler prints them once.
    (
        @impl $leaf:ty; $K:ident
        $([$($generics:tt)*] [$($bounds:tt)*] $plain:path {$($items:tt)*})*;
        $([$($kind_generics:tt)*] [$($more:tt)*] [$($kind_bounds:tt)*] $kind:path {$($kind_items:tt)*})*
    ) => {
        $(
            #[automatically_derived]
            #[allow(unused_qualifications)]
            impl<$($generics)*> $plain for $leaf where $($bounds)* { $($items)* }
        )*
        $(
            #[automatically_derived]
            #[allow(unused_qualifications)]
            impl<$($kind_generics)* $K: $crate::tree::LeafTypes, $($more)*> $kind for $leaf
            where
                $($kind_bounds)*
            {
                $($kind_items)*
            }
        )*
    };
    // Numbers of the library: a leaf has a dtype exactly if it says its bytes.
    (@numbers $($leaf:ident as $dtype:ident),+ $(,)?) => {
        $($crate::leaf!(@number [] $leaf, $crate::cache::Dtype::name($crate::cache::Dtype::$dtype), $dtype);)+
    };
    (@number [$($generics:tt)*] $leaf:ty, $name:expr, $dtype:ident) => {
        $crate::leaf! {
            @leaf K, [$($generics)*] $leaf where [], $name, Some($crate::cache::Dtype::$dtype), false, {
                #[inline]
                fn leaf_to_le(leaf: &Self, bytes: &mut [u8]) {
                    if let Some(bytes) = bytes.first_chunk_mut() {
                        *bytes = leaf.to_le_bytes();
                    }
                }

                #[inline]
                fn leaf_from_le(bytes: &[u8]) -> Option<Self> {
                    bytes.first_chunk().map(|bytes| Self::from_le_bytes(*bytes))
                }
            }
        }
    };
    // In the library, the parameter for the leaf types has a short name.
    (@library [$($generics:tt)*] $leaf:ty $(where [$($bounds:tt)*])?) => {
        $crate::leaf! {
            @leaf K, [$($generics)*] $leaf where [$($($bounds)*)?], ::core::stringify!($leaf), None,
            $crate::leaf!(@is_shared [$($generics)*]), {}
        }
    };
    (@library $($leaf:ty),+) => {
        $($crate::leaf!(@library [] $leaf);)+
    };
    (impl [$($generics:tt)*] $leaf:ty $(where [$($bounds:tt)*])?) => {
        $crate::leaf!(impl [$($generics)*] $leaf where [$($($bounds)*)?] as ::core::stringify!($leaf));
    };
    (impl [$($generics:tt)*] $leaf:ty where [$($bounds:tt)*] as $name:expr) => {
        $crate::leaf! {
            @leaf WrapForeignTypeInAsLeaf, [$($generics)*] $leaf where [$($bounds)*], $name,
            ::core::option::Option::None, $crate::leaf!(@is_shared [$($generics)*]), {}
        }
    };
    // Whether types that differ in a parameter other than a lifetime share the name, which is written once.
    (@is_shared [$($life:lifetime $(: $longer:lifetime $(+ $other:lifetime)*)?),* $(,)?]) => { false };
    (@is_shared [$($generics:tt)*]) => { true };
    (
        @leaf $K:ident, [$($generics:tt)*] $leaf:ty where [$($bounds:tt)*], $name:expr, $dtype:expr, $is_shared:expr,
        {$($bytes:tt)*}
    ) => {
        $crate::leaf! {
            @impl $leaf; $K
            [$($generics)*] [$($bounds)*] $crate::Leaf {}
            [$($generics)*] [$($bounds)*] $crate::tree::TreeRead<Self> {}
            [$($generics)*] [$($bounds)*] $crate::tree::HasSchema {
                const SCHEMA: &'static $crate::container::Schema = &$crate::container::Schema::Leaf($name, $dtype, $is_shared);

                $($bytes)*
            }
            [$($generics)* $K] [$($bounds)*] $crate::tree::MapTree<Self, $K> {
                type Output = $K;

                const NEVER_FAILS: ::core::primitive::bool = true;

                #[inline]
                fn map_lanes<'trees__, WalkLanes__: $crate::container::Lanes, WalkError__: ::core::convert::From<$crate::Error>>(
                    trees: $crate::container::Trees<'trees__, WalkLanes__, Self>,
                    depth: &mut $crate::container::Depth,
                    map: &mut impl $crate::container::VisitLanes<'trees__, Self, WalkLanes__, WalkError__, $K>,
                ) -> ::core::result::Result<$K, WalkError__>
                {
                    WalkLanes__::count_nodes(depth, 1);
                    map.leaf(trees)
                }
            }
            [$($generics)* $K: $crate::tree::LeafTypes, OtherTree__: $crate::tree::TreeWalk<$K> + ?::core::marker::Sized] [$($bounds)*] $crate::tree::ZipPrefix<Self, $K, OtherTree__> {
                #[inline]
                fn zip_lanes<'prefix__, 'trees__, PrefixLanes__: $crate::container::Lanes, WalkLanes__: $crate::container::Lanes, WalkError__: ::core::convert::From<$crate::Error>>(
                    prefix: $crate::container::Trees<'prefix__, PrefixLanes__, Self>,
                    trees: $crate::container::Trees<'trees__, WalkLanes__, OtherTree__>,
                    pairing: &mut $crate::container::Pairing,
                    visit: &mut impl ::core::ops::FnMut(
                        $crate::container::Trees<'prefix__, PrefixLanes__, Self>,
                        $crate::container::Leaves<'trees__, WalkLanes__, $K>,
                    ) -> ::core::result::Result<(), WalkError__>,
                ) -> ::core::result::Result<(), WalkError__>
                where
                    $K: 'trees__,
                {
                    $crate::__private::zip_leaf::<Self, $K, OtherTree__, PrefixLanes__, WalkLanes__, WalkError__>(prefix, trees, pairing, visit)
                }
            }
            ;
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeWalk<$K> {
                #[inline]
                fn walk<'trees__, WalkSink__: $crate::container::Sink<'trees__, $K>>(&'trees__ self, out: &mut WalkSink__)
                where
                    $K: 'trees__,
                {
                    out.leaf(<Self as $crate::tree::LeafAs<$K>>::by_ref(self));
                }

                #[inline]
                fn walk_all<'trees__, WalkSink__: $crate::container::Sink<'trees__, $K>>(
                    leaves: &'trees__ [Self],
                    out: &mut WalkSink__,
                )
                where
                    $K: 'trees__,
                {
                    out.run::<Self>(leaves);
                }

                #[inline]
                fn walk_lanes<
                    'trees__,
                    WalkLanes__: $crate::container::Lanes,
                    WalkError__: ::core::convert::From<$crate::Error>,
                    Visitor__: $crate::container::VisitLanes<'trees__, $K, WalkLanes__, WalkError__>,
                >(
                    trees: $crate::container::Trees<'trees__, WalkLanes__, Self>,
                    depth: &mut $crate::container::Depth,
                    visit: &mut Visitor__,
                ) -> ::core::result::Result<(), WalkError__>
                where
                    $K: 'trees__,
                {
                    WalkLanes__::count_nodes(depth, 1);
                    visit.leaf_of::<Self>(trees)
                }

                #[inline]
                fn walk_slices<
                    'trees__,
                    WalkLanes__: $crate::container::Lanes,
                    WalkError__: ::core::convert::From<$crate::Error>,
                    Visitor__: $crate::container::VisitLanes<'trees__, $K, WalkLanes__, WalkError__>,
                >(
                    lists: $crate::container::Trees<'trees__, WalkLanes__, [Self]>,
                    depth: &mut $crate::container::Depth,
                    visit: &mut Visitor__,
                ) -> ::core::result::Result<(), WalkError__>
                where
                    $K: 'trees__,
                {
                    $crate::__private::count_leaf_nodes::<WalkLanes__, Self>(&lists, depth);
                    visit.run::<Self>(lists)
                }
            }
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeWrite<$K> {}
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeBuild<$K> {
                #[inline]
                fn take_leaves(self, visit: &mut impl ::core::ops::FnMut($K::Owned)) {
                    visit(<Self as $crate::tree::LeafAs<$K>>::owned(self));
                }

                fn answer(question: &mut $crate::__private::Question<'_, $K>) -> ::core::primitive::bool {
                    question.leaf::<Self>()
                }

                const NEVER_FAILS: ::core::primitive::bool = true;

                #[inline]
                fn build<'def__, Source__: $crate::container::Source<'def__, $K>>(
                    from: &mut Source__,
                ) -> ::core::result::Result<Self, Source__::Error> {
                    from.leaf()
                }

                #[inline]
                fn build_array<'def__, Source__: $crate::container::Source<'def__, $K>, const COUNT__: ::core::primitive::usize>(
                    from: &mut Source__,
                ) -> ::core::result::Result<[Self; COUNT__], Source__::Error> {
                    from.leaf_array()
                }
            }
        }
    };
    ($($leaf:ty),+ $(,)?) => {
        $($crate::leaf!(impl [] $leaf);)+
    };
}

#[cfg(any(feature = "fixed", feature = "half", feature = "ndarray"))]
pub(crate) use leaf;

leaf!(
    @numbers
    f32 as Float32,
    f64 as Float64,
    i8 as Int8,
    i16 as Int16,
    i32 as Int32,
    i64 as Int64,
    u8 as Uint8,
    u16 as Uint16,
    u32 as Uint32,
    u64 as Uint64,
);
leaf!(@leaf K, [] bool where [], Dtype::Bool.name(), Some(Dtype::Bool), false, {
    #[inline]
    fn leaf_to_le(leaf: &bool, bytes: &mut [u8]) {
        if let [byte] = bytes {
            *byte = u8::from(*leaf);
        }
    }

    #[inline]
    fn leaf_from_le(bytes: &[u8]) -> Option<bool> {
        match bytes {
            [byte @ 0..=1] => Some(*byte == 1),
            _ => None,
        }
    }
});
leaf!(@library i128, isize, u128, usize, char, Duration, Ipv4Addr, Ipv6Addr);

/// Integers that are not zero have the dtype and the bytes of the integer.
macro_rules! non_zero {
    ($($int:ident)*) => {$(leaf! {
        @leaf K, [] NonZero<$int> where [], concat!("NonZero<", stringify!($int), ">"), <$int as HasSchema>::SCHEMA.dtype(), false, {
            #[inline]
            fn leaf_to_le(leaf: &Self, bytes: &mut [u8]) {
                <$int as HasSchema>::leaf_to_le(&leaf.get(), bytes);
            }

            #[inline]
            fn leaf_from_le(bytes: &[u8]) -> Option<Self> {
                NonZero::new(attempt!(<$int as HasSchema>::leaf_from_le(bytes)))
            }
        }
    })*};
}
non_zero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

leaf!(@leaf K, [const N: usize,] heapless::String<N> where [], TextType::<N>::NAME, None, false, {});
#[cfg(feature = "alloc")]
leaf!(@library alloc::string::String);

/// Makes one leaf of any `T`, even if `T` is a container or a type of another crate.
///
/// # Examples
///
/// ```
/// use treedef::tree::AsLeaf;
/// use treedef::{TreeDef, treedef_of};
///
/// assert_eq!(treedef_of::<AsLeaf<[f32; 64]>>(), TreeDef::LEAF);
/// assert_eq!(treedef_of::<[f32; 64]>().num_leaves(), 64);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AsLeaf<T>(
    /// The value.
    pub T,
);

impl<T: fmt::Debug> fmt::Debug for AsLeaf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AsLeaf(")?;
        self.0.fmt(f)?;
        f.write_str(")")
    }
}

leaf!(@library [T,] AsLeaf<T>);
