//! Calls a function with the leaves of several trees and the path of their place.

#[cfg(feature = "alloc")]
use core::ops::Deref;

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::{Lanes, Trees};
#[cfg(feature = "alloc")]
use crate::tree::traits::ZipPrefix;
use crate::tree::traits::{Leaf, MapTree, TreeRead};
use crate::tree::walk::TreeWalk;
use crate::tree::with_path::WithPath;
use crate::tree::zip::{Zip, ZipOnly};
#[cfg(feature = "alloc")]
use crate::tree::zip_further::Follow;
use crate::tree::zip_methods::{follow, maps};
use crate::tree::zip_trees::{Lane, ZipTrees, nested, nested_mode, nested_pattern};
use crate::treedef::key_path::KeyPath;

/// The methods that visit leaves with their path: the generic parameters, the leaves that a closure receives, the bounds, and what
/// `try_for_each_with_path` does.
macro_rules! visits {
    (
        [$($P:tt)*] ($($leaf:ident: $Leaf:ty),*) where [$($bounds:tt)*]
        $this:ident, $visit:ident $walk:block
    ) => {
        /// As `for_each`, with the path of each place as the first argument of `visit`.
        ///
        /// Keys of dictionaries are those of the first tree.
        ///
        /// # Errors
        ///
        /// As `for_each`, and as [`for_each_with_path`](crate::for_each_with_path).
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::{KeyEntry, zip};
        ///
        /// let (mut params, gradient) = ((1.0f32, [2.0f32]), (0.5f32, [0.5f32]));
        /// zip((&mut params, &gradient)).for_each_with_path(|path, p, g| {
        ///     let is_frozen = path.first() == Some(&KeyEntry::Index(0));
        ///     *p -= if is_frozen { 0.0 } else { *g };
        /// })?;
        /// assert_eq!(params, (1.0, [1.5]));
        /// # Ok::<(), treedef::Error>(())
        /// ```
        #[inline]
        pub fn for_each_with_path<'a, $($P)*>(
            $this,
            mut visit: impl FnMut(KeyPath<'_, '_>, $($Leaf),*),
        ) -> Result<(), Error>
        where
            $($bounds)*
        {
            $this.try_for_each_with_path(|path: KeyPath<'_, '_>, $($leaf),*| {
                visit(path, $($leaf),*);
                Ok::<_, Error>(())
            })
        }

        /// As `for_each_with_path`, but stops at the first error of `visit`.
        ///
        /// # Errors
        ///
        /// The first error of `visit`, and those of `for_each_with_path`; the leaves before were visited.
        ///
        /// # Examples
        ///
        /// A gradient that is no number is named, before it reaches the next weights:
        ///
        /// ```
        /// use treedef::tree::TryError;
        /// use treedef::zip;
        ///
        /// let (mut params, gradient) = ([1.0f32, 2.0, 3.0], [0.5f32, f32::NAN, 0.5]);
        /// let stopped = zip((&mut params, &gradient)).try_for_each_with_path(|path, p, g| {
        ///     if g.is_nan() {
        ///         return Err(TryError::User(path.to_string()));
        ///     }
        ///     Ok(*p -= g)
        /// });
        /// assert_eq!(stopped, Err(TryError::User("[1]".to_string())));
        /// assert_eq!(params, [0.5, 2.0, 3.0]);
        /// ```
        #[inline]
        pub fn try_for_each_with_path<'a, $($P)* E>(
            $this,
            mut $visit: impl FnMut(KeyPath<'_, '_>, $($Leaf),*) -> Result<(), E>,
        ) -> Result<(), E>
        where
            $($bounds)*
            E: UserError,
        $walk
    };
}

/// The methods for trees `$A` with their leaves `$a`, and further trees `$C` with their leaves `$c` of the type `$J` and the tree
/// type `$U`.
macro_rules! arity {
    (
        [$(#[$page:meta])*]
        ($A:ident $a:ident $(, $B:ident $b:ident)*) ($($C:ident $c:ident $J:ident $U:ident),*)
    ) => {
        $(#[$page])*
        impl<$A, $($B,)* $($C),*> Zip<($A, $($B,)*), ($(($C, bool),)*)> {
            visits! {
                [K, T, $($J, $U,)*]
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*)
                where [
                    K: Leaf + 'a,
                    T: TreeRead<K> + ?Sized + 'a,
                    ($A, $($B,)*): ZipTrees<Tree = T>,
                    $A: Lane<'a, K, T>,
                    $($B: Lane<'a, K, T>,)*
                    $($J: Leaf + 'a, $U: ZipPrefix<$J, K, T> + ?Sized + 'a, $C: Deref<Target = $U> + Lane<'a, $J, $U>,)*
                ]
                self, visit {
                    let (($a, $($b,)*), ($($c,)*)) = (self.trees, self.further);
                    let trees = nested!($a.tree() $(, $b.tree())*);
                    follow!(trees, 0, K, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])*);
                    T::walk_lanes::<nested_mode!($A $($B)*), E>(
                        trees,
                        &mut Depth::default(),
                        &mut WithPath::new(|path: KeyPath<'_, '_>, nested_pattern!($a $($b)*)| {
                            visit(path, $a $(, $b)* $(, $c.next()?)*)
                        }),
                    )
                }
            }

            maps! {
                /// As `map`, with the path of each place as the first argument of `map`, as `jax.tree.map_with_path(f, tree, *rest)`.
                ///
                /// # Errors
                ///
                /// As [`for_each_with_path`](Zip#method.for_each_with_path).
                ///
                /// # Examples
                ///
                /// ```
                /// use treedef::zip;
                ///
                /// let (a, b) = ((1.0f32, [2.0f32]), (3.0f32, [1.0f32]));
                /// let larger = zip((&a, &b)).map_with_path(|path, a, b| if a > b { path.len() } else { 0 });
                /// assert_eq!(larger, Ok((0, [2])));
                /// ```
                fn map_with_path;
                /// As `map_with_path`, but stops at the first error of `map`.
                ///
                /// # Errors
                ///
                /// The first error of `map`, and those of `map_with_path`.
                ///
                /// # Examples
                ///
                /// ```
                /// use treedef::tree::TryError;
                /// use treedef::zip;
                ///
                /// let (a, b) = ((8u32, [6u32]), (2u32, [0u32]));
                /// let refused = zip((&a, &b)).try_map_with_path(|path, a, b| {
                ///     a.checked_div(*b).ok_or_else(|| TryError::User(path.to_string()))
                /// });
                /// assert_eq!(refused, Err(TryError::User("[1][0]".to_string())));
                /// ```
                fn try_map_with_path;
                [K, T, $($J, $U,)*]
                (
                    path: KeyPath<'_, '_>, $a: Trees<'a, $A::Mode, K>
                    $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*
                )
                where [
                    K: Leaf + 'a,
                    T: MapTree<K, N> + 'a,
                    ($A, $($B,)*): ZipTrees<Tree = T>,
                    $A: Lane<'a, K, T>,
                    $($B: Lane<'a, K, T>,)*
                    $(
                        T: TreeRead<K>,
                        $J: Leaf + 'a,
                        $U: ZipPrefix<$J, K, T> + ?Sized + 'a,
                        $C: Deref<Target = $U> + Lane<'a, $J, $U>,
                    )*
                ]
                self, map {
                    let (($a, $($b,)*), ($($c,)*)) = (self.trees, self.further);
                    let trees = nested!($a.tree() $(, $b.tree())*);
                    follow!(trees, 0, K, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])*);
                    T::map_lanes::<nested_mode!($A $($B)*), E>(
                        trees,
                        &mut Depth::default(),
                        &mut WithPath::new(|path: KeyPath<'_, '_>, nested_pattern!($a $($b)*)| {
                            map(path, $a $(, $b)* $(, $c.next()?)*)
                        }),
                    )
                }
            }
        }

        $(#[$page])*
        impl<$A, $($B,)* K: 'static, $($C),*> ZipOnly<($A, $($B,)*), K, ($(($C, bool),)*)> {
            visits! {
                [T, $($J, $U,)*]
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*)
                where [
                    T: TreeWalk<AnyLeaves> + ?Sized + 'a,
                    ($A, $($B,)*): ZipTrees<Tree = T>,
                    $A: Lane<'a, AnyLeaves, T>,
                    $($B: Lane<'a, AnyLeaves, T>,)*
                    $(
                        $J: Leaf + 'a,
                        $U: ZipPrefix<$J, AnyLeaves, T> + ?Sized + 'a,
                        $C: Deref<Target = $U> + Lane<'a, $J, $U>,
                    )*
                ]
                self, visit {
                    let (($a, $($b,)*), ($($c,)*)) = (self.trees, self.further);
                    let trees = nested!($a.tree() $(, $b.tree())*);
                    follow!(trees, 0, AnyLeaves, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])*);
                    T::walk_lanes::<nested_mode!($A $($B)*), E>(
                        trees,
                        &mut Depth::default(),
                        &mut WithPath::new(|path: KeyPath<'_, '_>, leaves| {
                            $(let $c = $c.next()?;)*
                            match <nested_mode!($A $($B)*)>::of_type::<K>(leaves) {
                                Some(nested_pattern!($a $($b)*)) => visit(path, $a $(, $b)* $(, $c)*),
                                None => Ok(()),
                            }
                        }),
                    )
                }
            }
        }
    };
}

/// The methods for one to six trees with the further trees `$further`.
macro_rules! arities {
    ($two:tt $further:tt) => {
        arity!($two (A a, B b) $further);
        arities!(@hidden $further (A a) (A a, B b, D d) (A a, B b, D d, F f) (A a, B b, D d, F f, G g)
            (A a, B b, D d, F f, G g, H h));
    };
    (@hidden $further:tt $($trees:tt)+) => {
        $(arity!([#[cfg_attr(doc, doc(hidden))]] $trees $further);)+
    };
}
arities!([]());
#[cfg(feature = "alloc")]
arities!([#[cfg_attr(doc, doc(hidden))]] (C c J U));
#[cfg(feature = "alloc")]
arities!([#[cfg_attr(doc, doc(hidden))]] (C c J U, C1 c1 J1 U1));
#[cfg(feature = "alloc")]
arities!([#[cfg_attr(doc, doc(hidden))]] (C c J U, C1 c1 J1 U1, C2 c2 J2 U2));
