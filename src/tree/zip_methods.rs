//! The methods of zips that visit leaves, and those that make new trees.

use core::ops::Deref;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::pairing::Pairing;
use crate::tree::reduce::Folded;
use crate::tree::traits::{Leaf, MapTree, TreeRead, ZipPrefix};
use crate::tree::walk::TreeWalk;
use crate::tree::with_path::WithPath;
use crate::tree::zip::{Zip, ZipOnly};
#[cfg(feature = "alloc")]
use crate::tree::zip_further::Follow;
use crate::tree::zip_further::beside_first;
use crate::tree::zip_trees::{Lane, ZipTrees, nested, nested_mode, nested_pattern, nested_ref};
use crate::treedef::key_path::KeyPath;

/// The methods of a zip: the generic parameters, the leaf types of the trees, how the leaves of one place become those that a closure
/// receives, the bounds, and the trees.
macro_rules! methods {
    (
        [$(#[$heap:meta])*] [$($P:tt)*] $K:ty, |$leaves:ident| $filtered:expr, where [$($bounds:tt)*] $this:ident
        ($A:ident $a:ident $(, $B:ident $b:ident)*) ($($C:ident $c:ident $J:ident $U:ident),*)
        ($($leaf:ident: $Leaf:ty),*)
    ) => {
        /// Compares the structures of the trees, and changes nothing: a walk after it does not stop half-way for another structure.
        ///
        /// It comes last before the walk: after `with` and `under`, whose trees it compares too, and after `only`.
        ///
        /// An optimised build compares lengths, keys, variants and meta fields, and visits no leaf.
        ///
        /// # Errors
        ///
        /// As `for_each`.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::{Error, zip};
        ///
        /// let (mut params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
        /// let refused = zip((&mut params, &gradient)).check().and_then(|zip| zip.for_each(|p, g| *p -= g));
        /// assert_eq!((refused, params.0), (Err(Error::TreesDiffer { node: 2, tree: 1 }), 1.0));
        ///
        /// let gradient = (0.5, Some(1.0));
        /// zip((&mut params, &gradient)).check()?.for_each(|p, g| *p -= g)?;
        /// assert_eq!(params, (0.5, Some(1.0)));
        /// # Ok::<(), Error>(())
        /// ```
        #[inline]
        pub fn check<'a, $($P)*>($this) -> Result<Self, Error>
        where
            $($bounds)*
        {
            let (($a, $($b,)*), ($($c,)*)) = (&$this.trees, &$this.further);
            let trees = nested!($a.peek() $(, $b.peek())*);
            ok!(<T as TreeWalk<$K>>::walk_lanes::<nested_ref!($A $($B)*), Error, _>(trees, &mut Depth::default(), &mut |_| Ok(())));
            let (first, index) = ($a.peek(), <nested_ref!($A $($B)*)>::COUNT);
            $(
                ok!(beside_first::<$K, T, $J, $U, Ref>($c.0.peek(), $c.1, first, index, |_| ()));
                let index = index.saturating_add(1);
            )*
            let _ = (first, index);
            Ok($this)
        }

        /// Calls `visit` once for each leaf of the first tree, with the leaf at the same place of every other tree. A
        /// leaf of a prefix is shown again for each leaf below it.
        ///
        /// # Errors
        ///
        /// [`Error::TreesDiffer`] at the first node where a tree differs from the first tree, [`Error::NotPrefix`] where
        /// a prefix does not fit above it; the leaves before it were visited, unless `check` was called before.
        /// [`Error::TooDeep`] from recursive types.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::zip;
        ///
        /// let (mut params, gradient) = ([1.0f32, 2.0], [0.5f32, 1.0]);
        /// zip((&mut params, &gradient)).for_each(|p, g| *p -= 0.5 * g)?;
        /// assert_eq!(params, [0.75, 1.5]);
        /// # Ok::<(), treedef::Error>(())
        /// ```
        #[inline]
        pub fn for_each<'a, $($P)*>($this, mut visit: impl FnMut($($Leaf),*)) -> Result<(), Error>
        where
            $($bounds)*
        {
            $this.try_for_each(|$($leaf),*| {
                visit($($leaf),*);
                Ok::<_, Error>(())
            })
        }

        /// As `for_each`, but stops at the first error of `visit`.
        ///
        /// # Errors
        ///
        /// The first error of `visit`, and those of `for_each`, converted by `From`; the leaves before were visited. `check`
        /// finds those of `for_each` before anything changes.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::{Error, zip};
        ///
        /// let (mut counts, steps) = ([1u8, 250], [2u8, 10]);
        /// let added = zip((&mut counts, &steps)).try_for_each(|count, step| {
        ///     *count = count.checked_add(*step).ok_or(Error::TooLarge)?;
        ///     Ok::<_, Error>(())
        /// });
        /// assert_eq!((added, counts), (Err(Error::TooLarge), [3, 250]));
        /// ```
        #[inline]
        pub fn try_for_each<'a, $($P)* E>(
            $this,
            mut visit: impl FnMut($($Leaf),*) -> Result<(), E>,
        ) -> Result<(), E>
        where
            $($bounds)*
            E: UserError,
        {
            let (($a, $($b,)*), ($($c,)*)) = ($this.trees, $this.further);
            let trees = nested!($a.tree() $(, $b.tree())*);
            let mut each = |$leaves: Leaves<'a, nested_mode!($A $($B)*), $K> $(, $c: Trees<'a, $C::Mode, $J>)*| match $filtered {
                Some(nested_pattern!($a $($b)*)) => visit($($leaf),*),
                None => Ok(()),
            };
            walk!(trees, each, $K, T, E, [nested_mode!($A $($B)*)] $([$C $c $J $U])*)
        }

        /// Calls `f` with `initial`, or what it returned last, and the leaves that `for_each` shows together; returns the
        /// last result.
        ///
        /// # Errors
        ///
        /// As `for_each`.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::zip;
        ///
        /// let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
        /// assert_eq!(zip((&a, &b)).reduce(0.0, |dot, a, b| dot + a * b), Ok(11.0));
        /// ```
        #[inline]
        pub fn reduce<'a, X, $($P)*>($this, initial: X, mut f: impl FnMut(X, $($Leaf),*) -> X) -> Result<X, Error>
        where
            $($bounds)*
        {
            $this.try_reduce(initial, |x, $($leaf),*| Ok::<_, Error>(f(x, $($leaf),*)))
        }

        /// As `reduce`, but stops at the first error of `f`.
        ///
        /// # Errors
        ///
        /// The first error of `f`, and those of `for_each`.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::{Error, zip};
        ///
        /// let (counts, sizes) = ([2u8, 100], [3u8, 4]);
        /// let sum = zip((&counts, &sizes)).try_reduce(0u8, |sum, n, size| {
        ///     n.checked_mul(*size).and_then(|bytes| sum.checked_add(bytes)).ok_or(Error::TooLarge)
        /// });
        /// assert_eq!(sum, Err(Error::TooLarge));
        /// ```
        #[inline]
        pub fn try_reduce<'a, X, $($P)* E>(
            $this,
            initial: X,
            mut f: impl FnMut(X, $($Leaf),*) -> Result<X, E>,
        ) -> Result<X, E>
        where
            $($bounds)*
            E: UserError,
        {
            let mut folded = Folded(Some(initial));
            $this.try_for_each(|$($leaf),*| folded.step(|x| f(x, $($leaf),*)))?;
            folded.value()
        }

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
        $(#[$heap])*
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
        $(#[$heap])*
        #[inline]
        pub fn try_for_each_with_path<'a, $($P)* E>(
            $this,
            mut visit: impl FnMut(KeyPath<'_, '_>, $($Leaf),*) -> Result<(), E>,
        ) -> Result<(), E>
        where
            $($bounds)*
            E: UserError,
        {
            let (($a, $($b,)*), ($($c,)*)) = ($this.trees, $this.further);
            let trees = nested!($a.tree() $(, $b.tree())*);
            follow!(trees, 0, $K, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])*);
            <T as TreeWalk<$K>>::walk_lanes::<nested_mode!($A $($B)*), E, _>(
                trees,
                &mut Depth::default(),
                &mut WithPath::new(|path: KeyPath<'_, '_>, $leaves| {
                    $(let $c = $c.next()?;)*
                    match $filtered {
                        Some(nested_pattern!($a $($b)*)) => visit(path, $($leaf),*),
                        None => Ok(()),
                    }
                }),
            )
        }
    };
}

/// The methods that make a new tree: the generic parameters, the leaves that a closure receives, the bounds, and for two methods
/// their documentation, a further argument of the closure, and what the method does whose closure can fail.
macro_rules! maps {
    ($P:tt $leaves:tt where $bounds:tt $this:ident, $f:ident $({ $($pair:tt)* })+) => {
        $(maps!(@pair $P $leaves $bounds $this $f $($pair)*);)+
    };
    (
        @pair [$($P:tt)*] ($($leaf:ident: $Leaf:ty),*) [$($bounds:tt)*] $this:ident $f:ident
        $(#[$page:meta])* fn $map:ident; $(#[$try_page:meta])* fn $try_map:ident;
        ($($path:ident: $Path:ty)?) $mapped:block
    ) => {
        $(#[$page])*
        #[inline]
        pub fn $map<'a, $($P)* N>($this, mut map: impl FnMut($($Path,)? $($Leaf),*) -> N) -> Result<T::Output, Error>
        where
            $($bounds)*
        {
            $this.$try_map(|$($path: $Path,)? $($leaf: $Leaf),*| Ok::<_, Error>(map($($path,)? $($leaf),*)))
        }

        $(#[$try_page])*
        #[inline]
        pub fn $try_map<'a, $($P)* N, E>(
            $this,
            mut $f: impl FnMut($($Path,)? $($Leaf),*) -> Result<N, E>,
        ) -> Result<T::Output, E>
        where
            $($bounds)*
            E: UserError,
        $mapped
    };
}

/// Replaces further trees by their leaves. `$before` is the number of further trees before them.
macro_rules! follow {
    ($trees:ident, $before:literal, $K:ty, $T:ident, [$Modes:ty] $([$C:ident $c:ident $J:ident $U:ident])+) => {
        let (first, index) = (<$Modes>::first::<$T>(&$trees), <$Modes>::COUNT.saturating_add($before));
        $(
            let mut $c = Follow::<$C::Mode, $J>::new::<$K, $T, $U>($c.0.tree(), $c.1, first, index)?;
            let index = index.saturating_add(1);
        )+
        let _ = index;
    };
    ($trees:ident, $before:literal, $K:ty, $T:ident, [$Modes:ty]) => {};
}

/// Visits the leaves of trees and of further trees: the first further tree is walked with the trees, the others follow.
macro_rules! walk {
    ($trees:ident, $each:ident, $K:ty, $T:ident, $E:ident, [$Modes:ty]) => {
        <$T as TreeWalk<$K>>::walk_lanes::<$Modes, $E, _>($trees, &mut Depth::default(), &mut $each)
    };
    (
        $trees:ident, $each:ident, $K:ty, $T:ident, $E:ident, [$Modes:ty]
        [$C:ident $c:ident $J:ident $U:ident] $([$D:ident $d:ident $J2:ident $U2:ident])*
    ) => {{
        follow!($trees, 1, $K, $T, [$Modes] $([$D $d $J2 $U2])*);
        $U::zip_lanes::<$C::Mode, $Modes, $E>(
            $c.0.tree(),
            $trees,
            &mut Pairing::new($c.1),
            &mut |$c, leaves| $each(leaves, $c $(, $d.next()?)*),
        )
    }};
}

/// The methods for trees `$A` with their leaves `$a`, and further trees `$C` with their leaves `$c` of the type `$J` and the tree
/// type `$U`.
macro_rules! arity {
    (
        [$(#[$page:meta])*] [$(#[$heap:meta])*]
        ($A:ident $a:ident $(, $B:ident $b:ident)*) ($($C:ident $c:ident $J:ident $U:ident),*)
    ) => {
        $(#[$page])*
        impl<$A, $($B,)* K: 'static, $($C),*> ZipOnly<($A, $($B,)*), K, ($(($C, bool),)*)> {
            methods! {
                [$(#[$heap])*] [T, $($J, $U,)*]
                AnyLeaves, |leaves| <nested_mode!($A $($B)*)>::of_type::<K>(leaves),
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
                self ($A $a $(, $B $b)*) ($($C $c $J $U),*)
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*)
            }
        }

        $(#[$page])*
        impl<$A, $($B,)* $($C),*> Zip<($A, $($B,)*), ($(($C, bool),)*)> {
            methods! {
                [$(#[$heap])*] [K, T, $($J, $U,)*] K, |leaves| Some(leaves),
                where [
                    K: Leaf + 'a,
                    T: TreeRead<K> + ?Sized + 'a,
                    ($A, $($B,)*): ZipTrees<Tree = T>,
                    $A: Lane<'a, K, T>,
                    $($B: Lane<'a, K, T>,)*
                    $($J: Leaf + 'a, $U: ZipPrefix<$J, K, T> + ?Sized + 'a, $C: Deref<Target = $U> + Lane<'a, $J, $U>,)*
                ]
                self ($A $a $(, $B $b)*) ($($C $c $J $U),*)
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*)
            }

            maps! {
                [K, T, $($J, $U,)*]
                ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)* $(, $c: Trees<'a, $C::Mode, $J>)*)
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
                self, map
                {
                    /// Makes a new tree whose leaves are the results of `map`, called with the leaves that `for_each` shows together.
                    ///
                    /// Keys, meta fields and skipped fields are those of the first tree. If there are further trees, the heap holds a
                    /// reference for each of their leaves.
                    ///
                    /// # Errors
                    ///
                    /// As `for_each`.
                    ///
                    /// # Examples
                    ///
                    /// ```
                    /// use treedef::zip;
                    ///
                    /// let (a, b) = ((1.0f32, [2.0f32]), (3.0f32, [1.0f32]));
                    /// assert_eq!(zip((&a, &b)).map(|a, b| a < b), Ok((true, [false])));
                    /// # #[cfg(feature = "alloc")]
                    /// assert_eq!(zip((&a,)).under(&2.0f32).map(|a, by| a * by), Ok((2.0, [4.0])));
                    /// ```
                    $(#[$heap])*
                    fn map;
                    /// As `map`, but stops at the first error of its closure.
                    ///
                    /// # Errors
                    ///
                    /// The first error of the closure, and those of `for_each`.
                    ///
                    /// # Examples
                    ///
                    /// ```
                    /// use treedef::{Error, zip};
                    ///
                    /// let (a, b) = ([1u8, 2], [3u8, 4]);
                    /// let minus = |a: &u8, b: &u8| a.checked_sub(*b).ok_or(Error::TooLarge);
                    /// assert_eq!(zip((&b, &a)).try_map(minus), Ok([2, 2]));
                    /// assert_eq!(zip((&a, &b)).try_map(minus), Err(Error::TooLarge));
                    /// ```
                    $(#[$heap])*
                    fn try_map;
                    () {
                        let (($a, $($b,)*), ($($c,)*)) = (self.trees, self.further);
                        let trees = nested!($a.tree() $(, $b.tree())*);
                        follow!(trees, 0, K, T, [nested_mode!($A $($B)*)] $([$C $c $J $U])*);
                        T::map_lanes::<nested_mode!($A $($B)*), E>(
                            trees,
                            &mut Depth::default(),
                            &mut |nested_pattern!($a $($b)*)| map($a, $($b,)* $($c.next()?),*),
                        )
                    }
                }
                {
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
                    $(#[$heap])*
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
                    $(#[$heap])*
                    fn try_map_with_path;
                    (path: KeyPath<'_, '_>) {
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
        }
    };
}

/// The methods for one to six trees with the further trees `$further`. `$two` is what documents those for two trees.
macro_rules! arities {
    ($two:tt $heap:tt $further:tt) => {
        arity!($two $heap (A a, B b) $further);
        arities!(@hidden $heap $further (A a) (A a, B b, D d) (A a, B b, D d, F f) (A a, B b, D d, F f, G g)
            (A a, B b, D d, F f, G g, H h));
    };
    (@hidden $heap:tt $further:tt $($trees:tt)+) => {
        $(arity!([#[cfg_attr(doc, doc(hidden))]] $heap $trees $further);)+
    };
}
arities! {
    [
        /// The methods for two trees. One to six trees, and those with further trees, have the same methods: the closure has an
        /// argument for each tree.
    ] [] ()
}
arities!([#[cfg_attr(doc, doc(hidden))]] [#[cfg(feature = "alloc")]] (C c J U));
#[cfg(feature = "alloc")]
arities!([#[cfg_attr(doc, doc(hidden))]] [] (C c J U, C1 c1 J1 U1));
#[cfg(feature = "alloc")]
arities!([#[cfg_attr(doc, doc(hidden))]] [] (C c J U, C1 c1 J1 U1, C2 c2 J2 U2));
