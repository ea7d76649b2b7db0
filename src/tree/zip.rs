//! Calls a function with the leaves of several trees, place by place.

use core::ops::Deref;

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Ref, Trees};
use crate::tree::pairing::Pairing;
use crate::tree::reduce::Folded;
use crate::tree::traits::{Leaf, MapTree, TreeRead, ZipPrefix};
#[cfg(feature = "alloc")]
use crate::tree::zip_further::Follow;
use crate::tree::zip_further::beside_first;
use crate::tree::zip_trees::{Lane, ZipTrees, nested, nested_mode, nested_pattern, nested_ref};

/// Combines several trees of one type, to be walked together, as `jax.tree.map(f, tree, *rest)`.
///
/// `trees` is a tuple of one to six references, all to one type: `&tree` is read, `&mut tree` is changed in place. The
/// operations are [`for_each`](Zip#method.for_each), [`map`](Zip#method.map) to a new tree and
/// [`reduce`](Zip#method.reduce), each also as `try_..`. The closure receives the leaves of one
/// place. [`Zip::with`] adds a tree with leaves of another type, [`Zip::under`] a prefix; a `map` after these, and more than one of
/// them, need the feature `alloc`.
///
/// The trees must have one structure: equal lengths, keys, variants and fields with `#[tree(meta)]`, and `Some` at the same
/// places. The structures are compared during the walk, without a heap; of lists whose elements have a constant structure,
/// only the lengths.
/// If a walk ends in an error, the leaves before that place are already changed: [`check`](Zip#method.check) compares the trees first.
///
/// A slice is beside a vector or an array: `&[f32]` beside a `Vec<f32>`. Both are walked as slices.
///
/// `DIFFERENCE`: where the first tree has a leaf, `jax.tree.map` gives its function a whole subtree of the other trees.
/// Use [`flatten_up_to`](crate::flatten_up_to) for that.
///
/// # Examples
///
/// Adam, over any tree of floats:
///
/// ```
/// use treedef::{Error, Tree, zip};
///
/// fn adam<T: Tree<f32>>(p: &mut T, g: &T, m: &mut T, v: &mut T, rate: f32) -> Result<(), Error> {
///     zip((p, g, m, v)).for_each(|p, g, m, v| {
///         *m = 0.9 * *m + 0.1 * g;
///         *v = 0.999 * *v + 0.001 * g * g;
///         *p -= rate * *m / (v.sqrt() + 1e-8);
///     })
/// }
///
/// let (mut params, gradient) = ((1.0f32, [2.0f32, 3.0]), (0.5f32, [0.5f32, -1.0]));
/// let (mut m, mut v) = ((0.0, [0.0; 2]), (0.0, [0.0; 2]));
/// adam(&mut params, &gradient, &mut m, &mut v, 0.1)?;
/// assert!(params.0 < 1.0 && params.1[1] > 3.0);
/// # Ok::<(), Error>(())
/// ```
///
/// A new tree, and one value:
///
/// ```
/// use treedef::zip;
///
/// let (a, b) = ((1.0f32, [2.0f32, 3.0]), (4.0f32, [5.0f32, 6.0]));
/// assert_eq!(zip((&a, &b)).map(|a, b| f64::from(a + b))?, (5.0, [7.0, 9.0]));
/// assert_eq!(zip((&a, &b)).reduce(0.0, |dot, a, b| dot + a * b)?, 32.0);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// If a tree differs, the error names the node and the tree, and [`Error::explain_trees`] says what differs:
///
/// ```
/// use treedef::{Error, zip};
///
/// let (params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
/// let error = zip((&params, &gradient)).for_each(|_, _| ()).unwrap_err();
/// assert_eq!(error, Error::TreesDiffer { node: 2, tree: 1 });
/// let text = error.explain_trees(&params, &gradient).to_string();
/// assert_eq!(text, "at [1]: expected a leaf, found None");
/// ```
#[must_use = "does nothing before `for_each`, `map` or `reduce`"]
#[doc(alias("tree_map", "multimap"))]
pub const fn zip<L: ZipTrees>(trees: L) -> Zip<L> {
    Zip { trees, further: () }
}

/// Several trees of one type, from [`zip`], and up to three further trees, from [`Zip::with`] and [`Zip::under`].
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
/// assert_eq!(zip((&a, &b)).map(|a, b| a * b), Ok([3.0, 8.0]));
/// ```
///
/// A mask and a rate for each layer, in one pass. More than one further tree needs the feature `alloc`: the heap holds a reference
/// for each leaf of the second and the third.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use treedef::zip;
///
/// let mut layers = ([1.0f32, 2.0], [3.0f32, 4.0]);
/// let (is_trained, rates) = (([true, false], [true, true]), (0.5f32, 2.0f32));
/// zip((&mut layers,)).with(&is_trained).under(&rates).for_each(|x, trained, rate| {
///     if *trained {
///         *x *= rate;
///     }
/// })?;
/// assert_eq!(layers, ([0.5, 2.0], [6.0, 8.0]));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Zip<L, C = ()> {
    pub(super) trees: L,
    /// Each further tree, and whether it is a prefix.
    further: C,
}

impl<L> Zip<L> {
    /// Adds a tree of the same structure whose leaves can have another type, such as a mask of `bool`.
    ///
    /// Its leaf is the last argument of the closure. It is changed in place if `tree` is a `&mut`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, zip};
    ///
    /// let (mut params, mask) = ((1.0f32, [2.0f32, 3.0]), (true, [false, true]));
    /// zip((&mut params,)).with(&mask).for_each(|p, keep| *p *= f32::from(*keep))?;
    /// assert_eq!(params, (1.0, [0.0, 3.0]));
    ///
    /// // A new tree, with the feature `alloc`.
    /// # #[cfg(feature = "alloc")]
    /// assert_eq!(zip((&params,)).with(&mask).map(|p, keep| keep.then_some(*p))?, (Some(1.0), [None, Some(3.0)]));
    ///
    /// // A leaf in place of a subtree is refused: use `under`.
    /// let refused = zip((&mut params,)).with(&(true, false)).for_each(|_, _| ());
    /// assert_eq!(refused, Err(Error::TreesDiffer { node: 2, tree: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use = "does nothing before `for_each`, `map` or `reduce`"]
    pub fn with<C>(self, tree: C) -> Zip<L, ((C, bool),)> {
        Zip { trees: self.trees, further: ((tree, false),) }
    }

    /// Adds a prefix: each of its leaves is the last argument of the closure for all leaves of the subtree at its
    /// place.
    ///
    /// This works as the prefix trees of `jax.tree.broadcast`. If the prefix differs at a node that is not a leaf, the
    /// walk fails with [`Error::NotPrefix`], as [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of). A `Some`
    /// of a leaf in the prefix also fits `None` in the trees; the closure is not called there, as `None` has no leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, zip};
    ///
    /// let (mut params, rates) = ((1.0f32, [2.0f32, 3.0]), (0.5f32, 10.0f32));
    /// zip((&mut params,)).under(&rates).for_each(|p, rate| *p *= rate)?;
    /// assert_eq!(params, (0.5, [20.0, 30.0]));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// For axes as `in_axes` of `jax.vmap`, where `None` is a leaf, wrap each `Option` in
    /// [`AsLeaf`](crate::tree::AsLeaf): an `Option` alone is a container.
    ///
    /// ```
    /// use treedef::tree::AsLeaf;
    /// use treedef::{Error, zip};
    ///
    /// let in_axes = (AsLeaf(Some(0)), AsLeaf(None::<i32>));
    /// let args = (1.0f32, [2.0f32, 3.0]);
    /// let mapped = |n: u8, _: &f32, axis: &AsLeaf<Option<i32>>| n + u8::from(axis.0.is_some());
    /// assert_eq!(zip((&args,)).under(&in_axes).reduce(0, mapped)?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use = "does nothing before `for_each`, `map` or `reduce`"]
    pub fn under<P: ?Sized>(self, prefix: &P) -> Zip<L, ((&P, bool),)> {
        Zip { trees: self.trees, further: ((prefix, true),) }
    }
}

/// The methods that add one more tree to further trees.
macro_rules! adds {
    ($($C:ident $c:ident),+) => {
        #[cfg_attr(doc, doc(hidden))]
        impl<L, $($C),+> Zip<L, ($($C,)+)> {
            /// Adds one more tree, as the first.
            #[cfg(feature = "alloc")]
            #[must_use = "does nothing before `for_each`, `map` or `reduce`"]
            pub fn with<V>(self, tree: V) -> Zip<L, ($($C,)+ (V, bool))> {
                let ($($c,)+) = self.further;
                Zip { trees: self.trees, further: ($($c,)+ (tree, false)) }
            }

            /// Adds one more prefix, as the first.
            #[cfg(feature = "alloc")]
            #[must_use = "does nothing before `for_each`, `map` or `reduce`"]
            pub fn under<V: ?Sized>(self, prefix: &V) -> Zip<L, ($($C,)+ (&V, bool))> {
                let ($($c,)+) = self.further;
                Zip { trees: self.trees, further: ($($c,)+ (prefix, true)) }
            }
        }
    };
}
adds!(C c);
adds!(C c, D d);

/// The methods of a zip: the generic parameters, the leaves that a closure receives, the bounds, and what `check` and
/// `try_for_each` do.
macro_rules! methods {
    (
        [$($P:tt)*] ($($leaf:ident: $Leaf:ty),*) where [$($bounds:tt)*]
        check $this:ident $check:block
        try_for_each $visit:ident $walk:block
    ) => {
        /// Compares the structures of the trees, and changes nothing: a walk after it does not stop half-way for another structure.
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
        $check

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
            mut $visit: impl FnMut($($Leaf),*) -> Result<(), E>,
        ) -> Result<(), E>
        where
            $($bounds)*
            E: UserError,
        $walk

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
    };
}
pub(super) use methods;

/// The methods that make a new tree: each with its documentation, the generic parameters, the arguments of the closure, the bounds,
/// and what the method does whose closure can fail.
macro_rules! maps {
    (
        $(#[$page:meta])* fn $map:ident; $(#[$try_page:meta])* fn $try_map:ident;
        [$($P:tt)*] ($($leaf:ident: $Leaf:ty),*) where [$($bounds:tt)*]
        $this:ident, $f:ident $mapped:block
    ) => {
        $(#[$page])*
        #[inline]
        pub fn $map<'a, $($P)* N>($this, mut map: impl FnMut($($Leaf),*) -> N) -> Result<T::Output, Error>
        where
            $($bounds)*
        {
            $this.$try_map(|$($leaf: $Leaf),*| Ok::<_, Error>(map($($leaf),*)))
        }

        $(#[$try_page])*
        #[inline]
        pub fn $try_map<'a, $($P)* N, E>(
            $this,
            mut $f: impl FnMut($($Leaf),*) -> Result<N, E>,
        ) -> Result<T::Output, E>
        where
            $($bounds)*
            E: UserError,
        $mapped
    };
}
pub(super) use maps;

/// Replaces further trees by their leaves. `$before` is the number of further trees before them.
macro_rules! follow {
    ($trees:ident, $before:literal, $K:ident, $T:ident, [$Modes:ty] $([$C:ident $c:ident $J:ident $U:ident])+) => {
        let (first, index) = (<$Modes>::first::<$T>(&$trees), <$Modes>::COUNT.saturating_add($before));
        $(
            let mut $c = Follow::<$C::Mode, $J>::new::<$K, $T, $U>($c.0.tree(), $c.1, first, index)?;
            let index = index.saturating_add(1);
        )+
        let _ = index;
    };
    ($trees:ident, $before:literal, $K:ident, $T:ident, [$Modes:ty]) => {};
}

/// Visits the leaves of trees and of further trees: the first further tree is walked with the trees, the others follow.
macro_rules! walk {
    ($trees:ident, $visit:ident, $K:ident, $T:ident, $E:ident, [$Modes:ty] [$($a:ident)+]) => {
        $T::walk_lanes::<$Modes, $E>($trees, &mut Depth::default(), &mut |nested_pattern!($($a)+)| $visit($($a),+))
    };
    (
        $trees:ident, $visit:ident, $K:ident, $T:ident, $E:ident, [$Modes:ty] [$($a:ident)+]
        [$C:ident $c:ident $J:ident $U:ident] $([$D:ident $d:ident $J2:ident $U2:ident])*
    ) => {{
        follow!($trees, 1, $K, $T, [$Modes] $([$D $d $J2 $U2])*);
        $U::zip_lanes::<$C::Mode, $Modes, $E>(
            $c.0.tree(),
            $trees,
            &mut Pairing::new($c.1),
            &mut |$c, nested_pattern!($($a)+)| $visit($($a,)+ $c $(, $d.next()?)*),
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
        impl<$A, $($B,)* $($C),*> Zip<($A, $($B,)*), ($(($C, bool),)*)> {
            methods! {
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
                check self {
                    let (($a, $($b,)*), ($($c,)*)) = (&self.trees, &self.further);
                    let trees = nested!($a.peek() $(, $b.peek())*);
                    ok!(T::walk_lanes::<nested_ref!($A $($B)*), Error>(trees, &mut Depth::default(), &mut |_| Ok(())));
                    let (first, index) = ($a.peek(), <nested_ref!($A $($B)*)>::COUNT);
                    $(
                        ok!(beside_first::<K, T, $J, $U, Ref>($c.0.peek(), $c.1, first, index, |_| ()));
                        let index = index.saturating_add(1);
                    )*
                    let _ = (first, index);
                    Ok(self)
                }
                try_for_each visit {
                    let (($a, $($b,)*), ($($c,)*)) = (self.trees, self.further);
                    let trees = nested!($a.tree() $(, $b.tree())*);
                    walk!(trees, visit, K, T, E, [nested_mode!($A $($B)*)] [$a $($b)*] $([$C $c $J $U])*)
                }
            }

            maps! {
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
                self, map {
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
