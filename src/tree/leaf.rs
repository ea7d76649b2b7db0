//! Declares leaf types, and sets of leaf types for trees with leaves of several types.

use core::fmt;

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
/// treedef::for_each(&tree, |view: &View<'_>| floats += view.0.len())?;
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
    // A number of a dtype, whose part of a key the compiler knows.
    ($($leaf:ident as $dtype:ident),+ $(,)?) => {
        $($crate::leaf!(@leaf K, [] $leaf where [], ::core::option::Option::Some($crate::cache::Dtype::$dtype));)+
    };
    // In the library, the parameter for the leaf types has a short name.
    (@library [$($generics:tt)*] $leaf:ty $(where [$($bounds:tt)*])?) => {
        $crate::leaf!(@leaf K, [$($generics)*] $leaf where [$($($bounds)*)?], ::core::option::Option::None);
    };
    (@library $($leaf:ty),+) => {
        $($crate::leaf!(@library [] $leaf);)+
    };
    (impl [$($generics:tt)*] $leaf:ty $(where [$($bounds:tt)*])?) => {
        $crate::leaf! {
            @leaf WrapForeignTypeInAsLeaf, [$($generics)*] $leaf where [$($($bounds)*)?], ::core::option::Option::None
        }
    };
    (@leaf $K:ident, [$($generics:tt)*] $leaf:ty where [$($bounds:tt)*], $dtype:expr) => {
        $crate::leaf! {
            @impl $leaf; $K
            [$($generics)*] [$($bounds)*] $crate::Leaf {}
            [$($generics)*] [$($bounds)*] $crate::tree::TreeRead<Self> {}
            [$($generics)*] [$($bounds)*] $crate::tree::Structure {
                const SHAPE: &'static $crate::container::Shape = &$crate::container::Shape::Leaf($dtype);

                const SCHEMA: &'static $crate::container::Schema = &$crate::container::Schema::Leaf(
                    match $dtype {
                        ::core::option::Option::Some(dtype) => $crate::cache::Dtype::name(dtype),
                        ::core::option::Option::None => stringify!($leaf),
                    },
                );

                const LIMITS: $crate::container::Limits = $crate::container::Limits::LEAF;

                #[inline]
                fn describe(&self, out: &mut $crate::Writer<'_>) {
                    out.leaves(1);
                }
            }
            [$($generics)* $K] [$($bounds)*] $crate::tree::MapTree<Self, $K> {
                type Output = $K;

                #[inline]
                fn map_lanes<'trees, WalkLanes: $crate::container::Lanes, WalkError: ::core::convert::From<$crate::Error>>(
                    trees: $crate::container::Trees<'trees, WalkLanes, Self>,
                    depth: &mut $crate::container::Depth,
                    map: &mut impl FnMut($crate::container::Trees<'trees, WalkLanes, Self>) -> ::core::result::Result<$K, WalkError>,
                ) -> ::core::result::Result<$K, WalkError>
                where
                    Self: 'trees,
                {
                    WalkLanes::count_nodes(depth, 1);
                    map(trees)
                }
            }
            [$($generics)* $K: $crate::Leaf, OtherTree: $crate::tree::TreeRead<$K> + ?::core::marker::Sized] [$($bounds)*] $crate::tree::ZipPrefix<Self, $K, OtherTree> {
                #[inline]
                fn zip_lanes<'trees, PrefixLanes: $crate::container::Lanes, WalkLanes: $crate::container::Lanes, WalkError: ::core::convert::From<$crate::Error>>(
                    prefix: $crate::container::Trees<'trees, PrefixLanes, Self>,
                    trees: $crate::container::Trees<'trees, WalkLanes, OtherTree>,
                    pairing: &mut $crate::container::Pairing,
                    visit: &mut impl FnMut(
                        $crate::container::Trees<'trees, PrefixLanes, Self>,
                        $crate::container::Trees<'trees, WalkLanes, $K>,
                    ) -> ::core::result::Result<(), WalkError>,
                ) -> ::core::result::Result<(), WalkError>
                where
                    $K: 'trees,
                    OtherTree: 'trees,
                    Self: 'trees,
                {
                    $crate::__private::zip_leaf::<Self, $K, OtherTree, PrefixLanes, WalkLanes, WalkError>(prefix, trees, pairing, visit)
                }
            }
            ;
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeWalk<$K> {
                #[inline]
                fn walk_lanes<'trees, WalkLanes: $crate::container::Lanes, WalkError: ::core::convert::From<$crate::Error>>(
                    trees: $crate::container::Trees<'trees, WalkLanes, Self>,
                    depth: &mut $crate::container::Depth,
                    visit: &mut impl $crate::container::VisitLanes<'trees, $K, WalkLanes, WalkError>,
                ) -> ::core::result::Result<(), WalkError>
                where
                    $K: 'trees,
                    Self: 'trees,
                {
                    WalkLanes::count_nodes(depth, 1);
                    visit.leaf(WalkLanes::leaf::<$K, Self>(trees))
                }

                #[inline]
                fn walk_slices<'trees, WalkLanes: $crate::container::Lanes, WalkError: ::core::convert::From<$crate::Error>>(
                    lists: $crate::container::Trees<'trees, WalkLanes, [Self]>,
                    depth: &mut $crate::container::Depth,
                    visit: &mut impl $crate::container::VisitLanes<'trees, $K, WalkLanes, WalkError>,
                ) -> ::core::result::Result<(), WalkError>
                where
                    $K: 'trees,
                    Self: 'trees,
                {
                    $crate::__private::count_leaf_nodes::<WalkLanes, Self>(&lists, depth);
                    visit.run::<Self>(lists)
                }
            }
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeWrite<$K> {}
            [$($generics)*] [] [$leaf: $crate::tree::LeafAs<$K>, $($bounds)*] $crate::tree::TreeBuild<$K> {
                const IS_FIXED: bool = true;

                #[inline]
                fn take_leaves(self, visit: &mut impl FnMut($K::Owned)) {
                    visit(<Self as $crate::tree::LeafAs<$K>>::owned(self));
                }

                #[inline]
                fn build<'def, Rebuilding: $crate::container::Rebuild<'def, $K>>(
                    rebuild: &mut Rebuilding,
                    list: &mut $crate::container::Siblings,
                ) -> ::core::option::Option<Self> {
                    rebuild.leaf(list)
                }

                #[inline]
                fn build_array<'def, Rebuilding: $crate::container::Rebuild<'def, $K>, const COUNT: usize>(
                    rebuild: &mut Rebuilding,
                    list: &mut $crate::container::Siblings,
                ) -> ::core::option::Option<[Self; COUNT]> {
                    rebuild.leaf_array(list)
                }
            }
        }
    };
    ($($leaf:ty),+ $(,)?) => {
        $($crate::leaf!(impl [] $leaf);)+
    };
}

#[cfg(any(feature = "half", feature = "ndarray"))]
pub(crate) use leaf;

leaf!(
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
    bool as Bool,
);
leaf!(@library i128, isize, u128, usize, char);
leaf!(@library [const N: usize,] heapless::String<N>);
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

/// Declares a set of leaf types, for trees with leaves of several types.
///
/// The macro makes a marker type, which implements [`LeafTypes`](crate::tree::LeafTypes), and four enums with a variant
/// for each leaf type: `owned` holds a leaf, `read` a `&` to it, `write` a `&mut` to it, and `run` a slice of leaves. `run` can be
/// left out, if the program has no use for slices of leaves. All derive `Debug` and `PartialEq`; `owned`, `read` and `run` derive
/// `Clone`, `read` and `run` also `Copy`. So the leaf types need `Clone`, `Debug` and `PartialEq`. Attributes before `owned` are those
/// of its enum: `#[derive(Copy)]`, or one of serde. Without `Copy`, write an array of it as `[const { Value::Count(0) }; 3]`.
///
/// For a console: `read` implements `Display` if all leaf types do, and `write` has a method `set_str`, which sets the
/// leaf from a text, if all leaf types implement `FromStr`. [`find_leaf_mut`](crate::tree::find_leaf_mut) has an example.
/// For stored leaves: `owned` has a method `set`, which takes the value of a leaf of its type alone.
/// [`migrate_with`](crate::algebra::migrate_with) has an example.
///
/// The functions of [`tree::mixed`](crate::tree::mixed) visit, flatten and rebuild such trees; they name the set. Other calls
/// never see it: a tree of `f32` alone is still a tree of `f32`.
///
/// [`map`](crate::map) gives all leaves one type. So a struct with fields of two leaf types cannot be mapped: change a copy,
/// or flatten it, change the leaves and rebuild it.
///
/// # Examples
///
/// ```
/// use treedef::tree::mixed;
///
/// treedef::leaf_types! {
///     /// The leaves of a controller.
///     pub struct Signal {
///         #[derive(Copy)]
///         owned Value,
///         read ValueRef,
///         write ValueMut,
///         Float(f32),
///         Count(u32),
///     }
/// }
///
/// let tree = (1.5f32, [2u32, 3]);
/// let mut sum = 0.0;
/// mixed::for_each::<Signal>(&tree, |leaf| match leaf {
///     ValueRef::Float(gain) => sum += gain,
///     ValueRef::Count(count) => sum += *count as f32,
/// })?;
/// assert_eq!(sum, 6.5);
///
/// // Instead of a map: change the leaves of a copy.
/// let mut next = tree;
/// mixed::for_each_mut::<Signal>(&mut next, |leaf| match leaf {
///     ValueMut::Float(gain) => *gain *= 2.0,
///     ValueMut::Count(count) => *count += 1,
/// })?;
/// assert_eq!(next, (3.0, [3, 4]));
///
/// // Or flatten, change the leaves and rebuild. Each leaf must have the type of its place.
/// let (mut bytes, mut values) = ([0; 8], [Value::Count(0); 3]);
/// let (def, _) = mixed::flatten_into::<Signal>(&next, &mut bytes, &mut values)?;
/// values[0] = Value::Float(0.5);
/// assert_eq!(mixed::unflatten::<Signal, _>(def, &values), Ok((0.5f32, [3u32, 4])));
/// values[1] = Value::Float(1.0);
/// let refused = mixed::unflatten::<Signal, (f32, [u32; 2])>(def, &values);
/// assert_eq!(refused, Err(treedef::Error::WrongLeaf { leaf: 1 }));
/// # Ok::<(), treedef::Error>(())
/// ```
#[macro_export]
macro_rules! leaf_types {
    (@run $vis:vis $types:ident () $($variant:ident($leaf:ty))+) => {};
    (@run $vis:vis $types:ident ($run:ident) $($variant:ident($leaf:ty))+) => {
        #[doc = concat!("Leaves of [`", stringify!($types), "`] side by side.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs)]
        $vis enum $run<'a> { $($variant(&'a [$leaf])),+ }
    };
    (@type () $a:lifetime) => { () };
    (@type ($run:ident) $a:lifetime) => { $run<$a> };
    (@item () $variant:ident $leaves:ident) => {{ let _ = $leaves; }};
    (@item ($run:ident) $variant:ident $leaves:ident) => { $run::$variant($leaves) };
    (
        $(#[$meta:meta])*
        $vis:vis struct $types:ident {
            $(#[$owned_meta:meta])*
            owned $owned:ident,
            read $read:ident,
            write $write:ident,
            run $run:ident,
            $($variant:ident($leaf:ty)),+ $(,)?
        }
    ) => {
        $crate::leaf_types! {
            @set ($run) [$(#[$meta])*] [$(#[$owned_meta])*]
            $vis $types $owned $read $write $($variant($leaf)),+
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $types:ident {
            $(#[$owned_meta:meta])*
            owned $owned:ident,
            read $read:ident,
            write $write:ident,
            $($variant:ident($leaf:ty)),+ $(,)?
        }
    ) => {
        $crate::leaf_types! {
            @set () [$(#[$meta])*] [$(#[$owned_meta])*]
            $vis $types $owned $read $write $($variant($leaf)),+
        }
    };
    (
        @set $run:tt [$($meta:tt)*] [$($owned_meta:tt)*]
        $vis:vis $types:ident $owned:ident $read:ident $write:ident $($variant:ident($leaf:ty)),+
    ) => {
        $($meta)*
        #[derive(Clone, Copy, Debug)]
        $vis struct $types;

        #[doc = concat!("A leaf of [`", stringify!($types), "`], taken out.")]
        #[derive(Clone, Debug, PartialEq)]
        $($owned_meta)*
        #[allow(missing_docs)]
        $vis enum $owned { $($variant($leaf)),+ }

        #[doc = concat!("A leaf of [`", stringify!($types), "`], read in place.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs)]
        $vis enum $read<'a> { $($variant(&'a $leaf)),+ }

        #[doc = concat!("A leaf of [`", stringify!($types), "`], changed in place.")]
        #[derive(Debug, PartialEq)]
        #[allow(missing_docs)]
        $vis enum $write<'a> { $($variant(&'a mut $leaf)),+ }

        $crate::leaf_types!(@run $vis $types $run $($variant($leaf))+);

        // The lifetimes in the bounds of these two let a set have leaf types that do not satisfy them: the compiler
        // checks such bounds only where the implementation is used.
        impl<'leaf> ::core::fmt::Display for $read<'leaf>
        where
            $(&'leaf $leaf: ::core::fmt::Display),+
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $($read::$variant(leaf) => ::core::fmt::Display::fmt(leaf, f)),+
                }
            }
        }

        #[allow(dead_code)]
        impl $owned {
            /// Sets the leaf to the value of another leaf of its type. Returns `false` and changes nothing if the other has
            /// another type.
            #[must_use]
            $vis fn set(&mut self, other: &Self) -> ::core::primitive::bool {
                let same = ::core::mem::discriminant(self) == ::core::mem::discriminant(other);
                if same {
                    ::core::clone::Clone::clone_from(self, other);
                }
                same
            }
        }

        #[allow(dead_code)]
        impl $write<'_> {
            /// Sets the leaf to the value of a text, by the `FromStr` of its type. Returns `false` and changes nothing if
            /// the text is no value of that type.
            #[must_use]
            $vis fn set_str<'t__>(self, text: &'t__ ::core::primitive::str) -> ::core::primitive::bool
            where
                $($crate::__private::Parsed<$leaf>: ::core::convert::From<&'t__ ::core::primitive::str>),+
            {
                match self {
                    $($write::$variant(leaf) => {
                        $crate::__private::Parsed::<$leaf>::from(text).set(leaf)
                    })+
                }
            }
        }

        impl $crate::tree::LeafTypes for $types {
            type Owned = $owned;
            type Ref<'a> = $read<'a>;
            type Mut<'a> = $write<'a>;
            type Run<'a> = $crate::leaf_types!(@type $run 'a);

            fn cloned(leaf: $read<'_>) -> $owned {
                match leaf {
                    $($read::$variant(leaf) => $owned::$variant(::core::clone::Clone::clone(leaf))),+
                }
            }
        }

        $(
            impl $crate::tree::LeafAs<$types> for $leaf {
                fn owned(leaf: $leaf) -> $owned { $owned::$variant(leaf) }
                fn leaf(item: $owned) -> ::core::option::Option<$leaf> {
                    #[allow(unreachable_patterns)]
                    match item {
                        $owned::$variant(leaf) => ::core::option::Option::Some(leaf),
                        _ => ::core::option::Option::None,
                    }
                }
                fn by_ref<'a>(leaf: &'a $leaf) -> $read<'a> where $types: 'a { $read::$variant(leaf) }
                fn by_mut<'a>(leaf: &'a mut $leaf) -> $write<'a> where $types: 'a { $write::$variant(leaf) }
                fn run<'a>(leaves: &'a [$leaf]) -> $crate::leaf_types!(@type $run 'a) where $types: 'a {
                    $crate::leaf_types!(@item $run $variant leaves)
                }
            }
        )+
    };
}
