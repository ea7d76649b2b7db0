//! Defines sets of leaf types, and how a leaf is seen as an item of a set. A single leaf type is a set of one.

use crate::base::dtype::Dtype;
use crate::format::value::Value;

/// The leaf types of a tree: a single [`Leaf`](trait@crate::Leaf) type, or a marker type from [`leaf_types!`](crate::leaf_types), whose
/// items are enums with a variant for each leaf type.
///
/// # Examples
///
/// ```
/// use treedef::tree::{LeafTypes, TreeBuild};
///
/// /// Takes the last leaf out of a tree, whatever its leaf types are.
/// fn into_last<K: LeafTypes, T: TreeBuild<K>>(tree: T) -> Option<K::Owned> {
///     let mut last = None;
///     tree.take_leaves(&mut |leaf| last = Some(leaf));
///     last
/// }
///
/// assert_eq!(into_last::<f32, _>((1.0f32, [2.0f32, 3.0])), Some(3.0));
/// ```
pub trait LeafTypes {
    /// Whether there is one leaf type, so that no leaf has another one.
    #[doc(hidden)]
    const IS_ONE_TYPE: bool = false;

    /// A leaf taken out.
    type Owned;
    /// A leaf read in place.
    type Ref<'a>
    where
        Self: 'a;
    /// A leaf changed in place.
    type Mut<'a>
    where
        Self: 'a;

    /// Calls `give` with the value of a leaf that types with more room have, too. Only sets of `leaf_types!` have any.
    #[doc(hidden)]
    fn value(_: &Self::Owned, _: &mut dyn FnMut(Value<'_>)) {}

    /// Clones a leaf out of a tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::LeafTypes;
    ///
    /// assert_eq!(f32::cloned(&1.0), 1.0);
    /// ```
    fn cloned(leaf: Self::Ref<'_>) -> Self::Owned
    where
        Self::Owned: Clone;
}

/// A set of leaf types that has the leaf type `T`: its leaves can be seen as items of the set.
///
/// A leaf type is a set of itself. A set of [`leaf_types!`](crate::leaf_types) holds those that it lists,
/// [`AnyLeaves`](crate::tree::AnyLeaves) all that are `'static`, [`KeyLeaves`](crate::cache::KeyLeaves) all that can be a part
/// of a key, [`NoLeaves`] all. A library implements it for a set of its own, for example for every type with a trait of
/// its own: `impl<T: Weight> Holds<T> for Weights`.
///
/// # Examples
///
/// ```
/// use treedef::tree::{Holds, LeafTypes};
///
/// fn there_and_back<K: Holds<f32>>(leaf: f32) -> Option<f32> {
///     K::leaf(K::owned(leaf))
/// }
///
/// assert_eq!(there_and_back::<f32>(1.0), Some(1.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "a tree of `{Self}` leaves cannot hold a `{T}`",
    label = "this tree holds a `{T}`",
    note = "mark a field that is no leaf with `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`",
    note = "for leaves of several types, declare them with `treedef::leaf_types!`, `{T}` among them",
    note = "if `{Self}` is a leaf type, to use its leaves of a tree that has others, call `over(..).only::<{Self}>()`, or `treedef::tree::map_of` to map them"
)]
pub trait Holds<T>: LeafTypes {
    /// The dtype, if the type is a number, `bool` or a float of `half`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    /// use treedef::tree::Holds;
    ///
    /// assert_eq!(<f32 as Holds<f32>>::DTYPE, Some(Dtype::Float32));
    /// ```
    const DTYPE: Option<Dtype> = None;

    /// The item for an owned leaf. [`Holds`] has an example.
    fn owned(leaf: T) -> Self::Owned;

    /// The leaf in an item, or `None` if it has another type. [`Holds`] has an example.
    fn leaf(item: Self::Owned) -> Option<T>;

    /// The leaf in an item, or the leaf with the value of one of another type.
    #[doc(hidden)]
    #[must_use]
    fn with_value_of(item: Self::Owned) -> Option<T> {
        Self::leaf(item)
    }

    /// A clone of the leaf in an item; what `wrong` returns for one of another type.
    ///
    /// # Errors
    ///
    /// That of `wrong`.
    #[doc(hidden)]
    #[inline(always)]
    fn cloned_leaf<E>(item: &Self::Owned, wrong: impl FnOnce() -> Result<T, E>) -> Result<T, E>
    where
        Self::Owned: Clone,
    {
        Self::leaf(item.clone()).map_or_else(wrong, Ok)
    }

    /// Clones of the leaves in items, of a set of one type. Cloned as a whole, a long array takes no time to compile.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn cloned_leaves<const N: usize>(_: &[Self::Owned]) -> Option<[T; N]>
    where
        Self::Owned: Clone,
    {
        None
    }

    /// Reads a leaf from the front of those of a record; `None` if no leaf has these bytes. Only the set of records reads any.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    fn stored(_: &mut &[u8]) -> Option<T> {
        None
    }

    /// The item for a leaf that is read in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Holds;
    ///
    /// assert_eq!(<f32 as Holds<f32>>::by_ref(&1.0), &1.0);
    /// ```
    fn by_ref<'a>(leaf: &'a T) -> Self::Ref<'a>
    where
        Self: 'a;

    /// The item for a leaf that is changed in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Holds;
    ///
    /// assert_eq!(<f32 as Holds<f32>>::by_mut(&mut 1.0), &mut 1.0);
    /// ```
    fn by_mut<'a>(leaf: &'a mut T) -> Self::Mut<'a>
    where
        Self: 'a;

    /// The slice as leaves of one type; `None` if the set has several leaf types.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Holds;
    ///
    /// assert_eq!(<f32 as Holds<f32>>::run(&[1.0, 2.0]), Some([1.0, 2.0].as_slice()));
    /// ```
    #[inline]
    #[must_use]
    fn run(_: &[T]) -> Option<&[Self]>
    where
        Self: Sized,
    {
        None
    }

    /// As [`Holds::run`], to be changed in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Holds;
    ///
    /// assert_eq!(<f32 as Holds<f32>>::run_mut(&mut [1.0, 2.0]), Some([1.0, 2.0].as_mut_slice()));
    /// ```
    #[inline]
    #[must_use]
    fn run_mut(_: &mut [T]) -> Option<&mut [Self]>
    where
        Self: Sized,
    {
        None
    }
}

/// A leaf type that the set `K` [`Holds`]: the same bound, with the leaf type in front.
///
/// Never implemented by hand. Bounds of trees name this trait because a bound `K: Holds<T>` hides from the compiler what the
/// items of a single leaf type `K` are.
///
/// # Examples
///
/// ```
/// use treedef::tree::LeafAs;
///
/// fn item<T: LeafAs<f32>>(leaf: T) -> f32 {
///     T::owned(leaf)
/// }
///
/// assert_eq!(item(1.0f32), 1.0);
/// ```
pub trait LeafAs<K: LeafTypes>: Sized {
    /// As [`Holds::DTYPE`].
    const DTYPE: Option<Dtype>;

    /// As [`Holds::owned`].
    fn owned(leaf: Self) -> K::Owned;

    /// As [`Holds::leaf`].
    fn leaf(item: K::Owned) -> Option<Self>;

    /// The set itself, for its hidden methods.
    #[doc(hidden)]
    type Set: Holds<Self, Owned = K::Owned>;

    /// As [`Holds::by_ref`].
    fn by_ref<'a>(leaf: &'a Self) -> K::Ref<'a>
    where
        K: 'a;

    /// As [`Holds::by_mut`].
    fn by_mut<'a>(leaf: &'a mut Self) -> K::Mut<'a>
    where
        K: 'a;

    /// As [`Holds::run`].
    fn run(leaves: &[Self]) -> Option<&[K]>
    where
        K: Sized;

    /// As [`Holds::run_mut`].
    fn run_mut(leaves: &mut [Self]) -> Option<&mut [K]>
    where
        K: Sized;
}

impl<K: Holds<T>, T> LeafAs<K> for T {
    const DTYPE: Option<Dtype> = K::DTYPE;

    #[inline(always)]
    fn owned(leaf: T) -> K::Owned {
        K::owned(leaf)
    }

    #[inline(always)]
    fn leaf(item: K::Owned) -> Option<T> {
        K::leaf(item)
    }

    type Set = K;

    #[inline(always)]
    fn by_ref<'a>(leaf: &'a T) -> K::Ref<'a>
    where
        K: 'a,
    {
        K::by_ref(leaf)
    }

    #[inline(always)]
    fn by_mut<'a>(leaf: &'a mut T) -> K::Mut<'a>
    where
        K: 'a,
    {
        K::by_mut(leaf)
    }

    #[inline(always)]
    fn run(leaves: &[T]) -> Option<&[K]>
    where
        K: Sized,
    {
        K::run(leaves)
    }

    #[inline(always)]
    fn run_mut(leaves: &mut [T]) -> Option<&mut [K]>
    where
        K: Sized,
    {
        K::run_mut(leaves)
    }
}

/// The set of all leaf types, for a walk that reads no leaf: what is asked is the structure.
///
/// # Examples
///
/// A tree with leaves of any types has a structure:
///
/// ```
/// use treedef::tree::{NoLeaves, TreeWalk};
/// use treedef::{Error, structure_into};
///
/// fn num_nodes<T: TreeWalk<NoLeaves>>(tree: &T) -> Result<usize, Error> {
///     Ok(structure_into(tree, &mut [0; 64])?.num_nodes())
/// }
///
/// assert_eq!(num_nodes(&(1.0f32, [true, false]))?, 5);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NoLeaves;

/// Names [`NoLeaves`] in the bounds of a trait with a leaf type: a bound that did not depend on that type would be an error of its own
/// for each field that is no tree.
pub trait HasNone {
    /// [`NoLeaves`].
    type Set: LeafTypes;
}

impl<L: ?Sized> HasNone for L {
    type Set = NoLeaves;
}

impl LeafTypes for NoLeaves {
    type Owned = ();
    type Ref<'a> = ();
    type Mut<'a> = ();

    fn cloned((): ()) {}
}

impl<T> Holds<T> for NoLeaves {
    #[inline]
    fn owned(_: T) {}

    #[inline]
    fn leaf((): ()) -> Option<T> {
        None
    }

    #[inline]
    fn by_ref<'a>(_: &'a T)
    where
        Self: 'a,
    {
    }

    #[inline]
    fn by_mut<'a>(_: &'a mut T)
    where
        Self: 'a,
    {
    }
}

/// Declares a set of leaf types, for trees with leaves of several types.
///
/// The macro makes a marker type, which implements [`LeafTypes`](crate::tree::LeafTypes), and three enums with a variant
/// for each leaf type: `owned` holds a leaf, `read` a `&` to it, and `write` a `&mut` to it. All derive `Debug` and `PartialEq`;
/// `owned` and `read` derive `Clone`, `read` also `Copy`. So the leaf types need `Clone`, `Debug` and `PartialEq`. Attributes before
/// `owned` are those of its enum: `#[derive(Copy)]`, or one of serde. Without `Copy`, write an array of it as
/// `[const { Value::Count(0) }; 3]`.
///
/// For a console: `read` implements `Display` if all leaf types do, and `write` has a method `set_str`, which sets the
/// leaf from a text if its type implements `FromStr`. [`find_leaf_mut`](crate::tree::mixed::find_leaf_mut) has an example.
/// Both read and write `f32` and `f64` with code of this crate, which cannot panic and takes 2 kB on a Cortex-M3, a sixth of
/// that of `core`. It writes the fewest digits that read back to the same float, as Python does: `1.0`, `1e-05`; it ignores
/// the width and precision of a format. It reads the nearest float, by the first 19 digits, and no number that is too large.
/// For stored leaves: `owned` has a method `set`, which takes the value of a leaf of its type alone.
/// [`migrate_with`](crate::algebra::migrate_with) has an example.
///
/// [`over(..).of::<Set>()`](crate::tree::Over::of) visits such trees, the functions of [`tree::mixed`](crate::tree::mixed) flatten and rebuild them. Other calls
/// never see it: a tree of `f32` alone is still a tree of `f32`.
///
/// [`map`](crate::map) gives all leaves one type. So a struct with fields of two leaf types cannot be mapped: change a copy,
/// or flatten it, change the leaves and rebuild it.
///
/// # Examples
///
/// ```
/// use treedef::over;
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
/// over(&tree).of::<Signal>().for_each(|leaf| match leaf {
///     ValueRef::Float(gain) => sum += gain,
///     ValueRef::Count(count) => sum += *count as f32,
/// })?;
/// assert_eq!(sum, 6.5);
///
/// // Instead of a map: change the leaves of a copy.
/// let mut next = tree;
/// over(&mut next).of::<Signal>().for_each(|leaf| match leaf {
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
        $(#[$meta])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        $vis struct $types;

        #[doc = ::core::concat!("A leaf of [`", ::core::stringify!($types), "`], taken out.")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        $(#[$owned_meta])*
        #[allow(missing_docs)]
        $vis enum $owned { $($variant($leaf)),+ }

        #[doc = ::core::concat!("A leaf of [`", ::core::stringify!($types), "`], read in place.")]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #[allow(missing_docs)]
        $vis enum $read<'a> { $($variant(&'a $leaf)),+ }

        #[doc = ::core::concat!("A leaf of [`", ::core::stringify!($types), "`], changed in place.")]
        #[derive(::core::fmt::Debug, ::core::cmp::PartialEq)]
        #[allow(missing_docs)]
        $vis enum $write<'a> { $($variant(&'a mut $leaf)),+ }

        // The lifetimes in the bounds of these two let a set have leaf types that do not satisfy them: the compiler
        // checks such bounds only where the implementation is used.
        impl<'leaf> ::core::fmt::Display for $read<'leaf>
        where
            $(&'leaf $leaf: ::core::fmt::Display),+
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $($read::$variant(leaf) => $crate::__private::write_leaf(*leaf, f)),+
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
            /// the text is no value of that type, or the type has no `FromStr`. `nan` and `inf` are values of floats: check ranges after.
            #[must_use]
            $vis fn set_str(self, text: &::core::primitive::str) -> ::core::primitive::bool {
                #[allow(unused_imports)]
                use $crate::__private::Unknown as _;
                match self {
                    $($write::$variant(leaf) => $crate::__private::Known::<$leaf>::read(text)
                        .map(|value| *leaf = value)
                        .is_some(),)+
                }
            }
        }

        impl $crate::tree::LeafTypes for $types {
            type Owned = $owned;
            type Ref<'a> = $read<'a>;
            type Mut<'a> = $write<'a>;

            fn cloned(leaf: $read<'_>) -> $owned {
                match leaf {
                    $($read::$variant(leaf) => $owned::$variant(::core::clone::Clone::clone(leaf))),+
                }
            }

            fn value(item: &$owned, give: &mut dyn ::core::ops::FnMut($crate::Value<'_>)) {
                #[allow(unused_imports)]
                use $crate::__private::Unknown as _;
                match item {
                    $($owned::$variant(leaf) => $crate::__private::Known::<$leaf>::give(leaf, give)),+
                }
            }
        }

        $(
            impl $crate::tree::Holds<$leaf> for $types {
                const DTYPE: ::core::option::Option<$crate::cache::Dtype> = {
                    #[allow(unused_imports)]
                    use $crate::__private::Unknown as _;
                    $crate::__private::Known::<$leaf>::SCHEMA.dtype()
                };

                fn owned(leaf: $leaf) -> $owned { $owned::$variant(leaf) }
                fn leaf(item: $owned) -> ::core::option::Option<$leaf> {
                    #[allow(unreachable_patterns)]
                    match item {
                        $owned::$variant(leaf) => ::core::option::Option::Some(leaf),
                        _ => ::core::option::Option::None,
                    }
                }
                fn with_value_of(item: $owned) -> ::core::option::Option<$leaf> {
                    #[allow(unused_imports)]
                    use $crate::__private::Unknown as _;
                    let mut found = ::core::option::Option::None;
                    #[allow(unreachable_patterns)]
                    match item {
                        $owned::$variant(leaf) => return ::core::option::Option::Some(leaf),
                        other => <$types as $crate::tree::LeafTypes>::value(&other, &mut |value| {
                            found = $crate::__private::Known::<$leaf>::with(value);
                        }),
                    }
                    found
                }
                fn by_ref<'a>(leaf: &'a $leaf) -> $read<'a> where Self: 'a { $read::$variant(leaf) }
                fn by_mut<'a>(leaf: &'a mut $leaf) -> $write<'a> where Self: 'a { $write::$variant(leaf) }
            }
        )+
    };
}
