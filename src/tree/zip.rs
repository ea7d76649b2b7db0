//! Calls a function with the leaves of several trees, place by place.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::base::error::Error;
use crate::base::try_error::UserError;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Mut, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::reduce::Folded;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::TreeWalk;

/// Combines several trees of one type, to be walked together, as `jax.tree.map(f, tree, *rest)`.
///
/// `trees` is a tuple of one to six references, all to one type: `&tree` is read, `&mut tree` is changed in place. The
/// operations are [`for_each`](Zip#method.for_each), [`map`](Zip#method.map) to a new tree and
/// [`reduce`](Zip#method.reduce), each also as `try_..`. The closure receives the leaves of one
/// place. [`Zip::with`] adds one tree with leaves of another type, [`Zip::under`] one prefix; these have a `map` with
/// the feature `alloc`.
///
/// The trees must have one structure: equal lengths, keys, variants and fields with `#[tree(meta)]`, and `Some` at the same
/// places. The structures are compared during the walk, without a heap; of lists whose elements have a constant structure,
/// only the lengths.
/// If a walk ends in an error, the leaves before that place are already changed.
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
pub const fn zip<L>(trees: L) -> Zip<L> {
    Zip { trees }
}

/// Several trees of one type, from [`zip`].
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let (a, b) = ([1.0f32, 2.0], [3.0f32, 4.0]);
/// assert_eq!(zip((&a, &b)).map(|a, b| a * b), Ok([3.0, 8.0]));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "does nothing before `for_each`, `map` or `reduce`"]
pub struct Zip<L> {
    pub(super) trees: L,
}

/// Several trees of one type and another tree, from [`Zip::with`] or [`Zip::under`].
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let (values, mask) = ([1.0f32, 2.0], [true, false]);
/// let kept = zip((&values,)).with(&mask).reduce(0.0, |sum, x, keep| if *keep { sum + x } else { sum });
/// assert_eq!(kept, Ok(1.0));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "does nothing before `for_each` or `reduce`"]
pub struct ZipWith<L, C> {
    trees: L,
    further: C,
    prefix: bool,
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
    pub fn with<C>(self, tree: C) -> ZipWith<L, C> {
        ZipWith { trees: self.trees, further: tree, prefix: false }
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
    pub fn under<P: ?Sized>(self, prefix: &P) -> ZipWith<L, &P> {
        ZipWith { trees: self.trees, further: prefix, prefix: true }
    }
}

/// A reference to a tree `T` of `L` leaves: `&T`, or `&mut T` if its leaves can be changed. [`zip`](crate::zip()) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a `{T}`",
    note = "the trees of a `zip` have one type and are given as `&tree` or `&mut tree`",
    note = "add a tree with leaves of another type by `.with(&mask)`, a prefix by `.under(&rates)`"
)]
pub trait Lane<'a, L: LeafTypes, T: ?Sized + 'a>: Sized {
    /// [`Ref`] or [`Mut`].
    type Mode: Lanes;

    /// The tree.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::container::Lane;
    ///
    /// let tree = [1.0f32, 2.0];
    /// assert_eq!(Lane::<f32, [f32; 2]>::tree(&tree), &tree);
    /// ```
    fn tree(self) -> Trees<'a, Self::Mode, T>;
}

impl<'a, L: LeafTypes, T: TreeWalk<L> + ?Sized> Lane<'a, L, T> for &'a T {
    type Mode = Ref;

    #[inline]
    fn tree(self) -> &'a T {
        self
    }
}

impl<'a, L: LeafTypes, T: TreeWrite<L> + ?Sized> Lane<'a, L, T> for &'a mut T {
    type Mode = Mut;

    #[inline]
    fn tree(self) -> &'a mut T {
        self
    }
}

/// Makes nested pairs, as [`Lanes`] needs them.
macro_rules! nested {
    ($a:expr) => { $a };
    ($a:expr, $($rest:expr),+) => { ($a, nested!($($rest),+)) };
}
macro_rules! nested_pattern {
    ($a:ident) => { $a };
    ($a:ident $($rest:ident)+) => { ($a, nested_pattern!($($rest)+)) };
}
macro_rules! nested_mode {
    ($A:ident) => { $A::Mode };
    ($A:ident $($Rest:ident)+) => { ($A::Mode, nested_mode!($($Rest)+)) };
}
pub(super) use {nested, nested_mode, nested_pattern};

/// The methods that both kinds of walks derive from their `try_for_each`, of the generic parameters, the leaves that the
/// closure receives, and the bounds.
macro_rules! for_each_and_reduce {
    (<$($P:tt),*> ($($leaf:ident: $Leaf:ty),*) where $($bounds:tt)*) => {
        /// Calls `visit` once for each leaf of the first tree, with the leaf at the same place of every other tree. A
        /// leaf of a prefix is shown again for each leaf below it.
        ///
        /// # Errors
        ///
        /// [`Error::TreesDiffer`] at the first node where a tree differs from the first tree, [`Error::NotPrefix`] where
        /// a prefix does not fit above it; the leaves before it were visited. [`Error::TooDeep`] from recursive types.
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
        pub fn for_each<'a, $($P),*>(self, mut visit: impl FnMut($($Leaf),*)) -> Result<(), Error>
        where
            $($bounds)*
        {
            self.try_for_each(|$($leaf),*| {
                visit($($leaf),*);
                Ok::<_, Error>(())
            })
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
        pub fn reduce<'a, X, $($P),*>(self, initial: X, mut f: impl FnMut(X, $($Leaf),*) -> X) -> Result<X, Error>
        where
            $($bounds)*
        {
            self.try_reduce(initial, |x, $($leaf),*| Ok::<_, Error>(f(x, $($leaf),*)))
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
        pub fn try_reduce<'a, X, E, $($P),*>(
            self,
            initial: X,
            mut f: impl FnMut(X, $($Leaf),*) -> Result<X, E>,
        ) -> Result<X, E>
        where
            $($bounds)*
            E: UserError,
        {
            let mut folded = Folded(Some(initial));
            self.try_for_each(|$($leaf),*| folded.step(|x| f(x, $($leaf),*)))?;
            folded.value()
        }
    };
}

macro_rules! arity {
    ($(#[$page:meta])* $A:ident $a:ident $(, $B:ident $b:ident)*) => {
        $(#[$page])*
        impl<$A, $($B),*> Zip<($A, $($B,)*)> {
            /// As `for_each`, but stops at the first error of `visit`.
            ///
            /// # Errors
            ///
            /// The first error of `visit`, and those of `for_each`, converted by `From`; the leaves before were visited.
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
            pub fn try_for_each<'a, K, T, E>(
                self,
                mut visit: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>),*) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: Leaf + 'a,
                T: TreeRead<K> + ?Sized + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                E: UserError,
            {
                let ($a, $($b,)*) = self.trees;
                T::walk_lanes::<nested_mode!($A $($B)*), E>(
                    nested!($a.tree() $(, $b.tree())*),
                    &mut Depth::default(),
                    &mut |nested_pattern!($a $($b)*)| visit($a, $($b),*),
                )
            }

            /// Makes a new tree whose leaves are the results of `map`, called with the leaves that `for_each` shows together.
            ///
            /// Keys and meta fields are those of the first tree.
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
            /// ```
            #[inline]
            pub fn map<'a, K, T, N>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>),*) -> N,
            ) -> Result<T::Output, Error>
            where
                K: Leaf + 'a,
                T: MapTree<K, N> + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
            {
                self.try_map(|$a, $($b),*| Ok::<_, Error>(map($a, $($b),*)))
            }

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
            #[inline]
            pub fn try_map<'a, K, T, N, E>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>),*) -> Result<N, E>,
            ) -> Result<T::Output, E>
            where
                K: Leaf + 'a,
                T: MapTree<K, N> + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                E: UserError,
            {
                let ($a, $($b,)*) = self.trees;
                T::map_lanes::<nested_mode!($A $($B)*), E>(
                    nested!($a.tree() $(, $b.tree())*),
                    &mut Depth::default(),
                    &mut |nested_pattern!($a $($b)*)| map($a, $($b),*),
                )
            }

            for_each_and_reduce! {
                <K, T> ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)*) where
                K: Leaf + 'a,
                T: TreeRead<K> + ?Sized + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
            }
        }

        $(#[$page])*
        impl<$A, $($B,)* C> ZipWith<($A, $($B,)*), C> {
            /// As `for_each`, but stops at the first error of `visit`.
            ///
            /// # Errors
            ///
            /// The first error of `visit`, and those of `for_each`, converted by `From`; the leaves before were visited.
            ///
            /// # Examples
            ///
            /// ```
            /// use treedef::{Error, zip};
            ///
            /// let (mut counts, steps) = ([[1u8, 2], [3, 250]], [2u8, 10]);
            /// let added = zip((&mut counts,)).under(&steps).try_for_each(|count, step| {
            ///     *count = count.checked_add(*step).ok_or(Error::TooLarge)?;
            ///     Ok::<_, Error>(())
            /// });
            /// assert_eq!((added, counts), (Err(Error::TooLarge), [[3, 4], [13, 250]]));
            /// ```
            #[inline]
            pub fn try_for_each<'a, K, J, T, U, E>(
                self,
                mut visit: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* Trees<'a, C::Mode, J>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: Leaf + 'a,
                J: Leaf + 'a,
                T: TreeRead<K> + ?Sized + 'a,
                U: ZipPrefix<J, K, T> + ?Sized + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                C: Lane<'a, J, U>,
                E: UserError,
            {
                let ($a, $($b,)*) = self.trees;
                U::zip_lanes::<C::Mode, nested_mode!($A $($B)*), E>(
                    self.further.tree(),
                    nested!($a.tree() $(, $b.tree())*),
                    &mut Pairing::new(self.prefix),
                    &mut |c, nested_pattern!($a $($b)*)| visit($a, $($b,)* c),
                )
            }

            for_each_and_reduce! {
                <K, J, T, U> ($a: Trees<'a, $A::Mode, K> $(, $b: Trees<'a, $B::Mode, K>)*, c: Trees<'a, C::Mode, J>) where
                K: Leaf + 'a,
                J: Leaf + 'a,
                T: TreeRead<K> + ?Sized + 'a,
                U: ZipPrefix<J, K, T> + ?Sized + 'a,
                $A: Lane<'a, K, T>,
                $($B: Lane<'a, K, T>,)*
                C: Lane<'a, J, U>,
            }

            /// Makes a new tree whose leaves are the results of `map`, called with the leaves that `for_each` shows together.
            ///
            /// Keys and meta fields are those of the first tree. The trees before the added one are read, so they are given
            /// as `&tree`. Takes two walks, and the heap for a reference to a leaf of the added tree for each new leaf.
            ///
            /// # Errors
            ///
            /// As `for_each`.
            ///
            /// # Examples
            ///
            /// ```
            /// # #[cfg(feature = "alloc")] {
            /// let doubled = treedef::zip((&[1.0f32, 2.0],)).with(&[true, false]).map(|x, on| if *on { 2.0 * x } else { *x });
            /// assert_eq!(doubled, Ok([2.0, 2.0]));
            /// # }
            /// ```
            #[cfg(feature = "alloc")]
            pub fn map<'a, K, J, T, U, N>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* Trees<'a, C::Mode, J>) -> N,
            ) -> Result<T::Output, Error>
            where
                K: Leaf + 'a,
                J: Leaf + 'a,
                T: MapTree<K, N> + TreeRead<K> + 'a,
                U: ZipPrefix<J, K, T> + ?Sized + 'a,
                $A: Lane<'a, K, T> + Copy,
                $($B: Lane<'a, K, T> + Copy,)*
                C: Lane<'a, J, U>,
            {
                self.try_map(|$a, $($b,)* c| Ok::<_, Error>(map($a, $($b,)* c)))
            }

            /// As `map`, but stops at the first error of its closure.
            ///
            /// # Errors
            ///
            /// The first error of the closure, and those of `for_each`. [`Zip::try_map`] has an example.
            #[cfg(feature = "alloc")]
            pub fn try_map<'a, K, J, T, U, N, E>(
                self,
                mut map: impl FnMut(Trees<'a, $A::Mode, K>, $(Trees<'a, $B::Mode, K>,)* Trees<'a, C::Mode, J>) -> Result<N, E>,
            ) -> Result<T::Output, E>
            where
                K: Leaf + 'a,
                J: Leaf + 'a,
                T: MapTree<K, N> + TreeRead<K> + 'a,
                U: ZipPrefix<J, K, T> + ?Sized + 'a,
                $A: Lane<'a, K, T> + Copy,
                $($B: Lane<'a, K, T> + Copy,)*
                C: Lane<'a, J, U>,
                E: UserError,
            {
                let zip = Zip { trees: self.trees };
                let mut further = Vec::new();
                self.try_for_each(|_, $(_: Trees<'a, $B::Mode, K>,)* c| {
                    further.push(c);
                    Ok::<_, Error>(())
                })?;
                let mut further = further.into_iter();
                // Both walks visit the leaves of the first tree.
                let found = further.len();
                let missing = Error::TooFewLeaves { expected: found.saturating_add(1), found };
                zip.try_map(|$a, $($b),*| match further.next() {
                    Some(c) => map($a, $($b,)* c),
                    None => Err(missing.into()),
                })
            }
        }
    };
}

/// The methods for other numbers of trees than two, which the documentation does not repeat.
macro_rules! as_for_two {
    ($(($($tree:tt)*))*) => { $(arity!(#[cfg_attr(doc, doc(hidden))] $($tree)*);)* };
}

arity! {
    /// The methods for two trees. One to six trees have the same methods: the closure has an argument for each tree.
    A a, B b
}
as_for_two! {
    (A a)
    (A a, B b, D d)
    (A a, B b, D d, F f4)
    (A a, B b, D d, F f4, G g)
    (A a, B b, D d, F f4, G g, H h)
}
