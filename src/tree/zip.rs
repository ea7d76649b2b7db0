//! Calls a function with the leaves of several trees, place by place.

use core::marker::PhantomData;

use crate::tree::zip_trees::ZipTrees;

/// Combines several trees of one type, to be walked together, as `jax.tree.map(f, tree, *rest)`.
///
/// `trees` is a tuple of one to six references, all to one type: `&tree` is read, `&mut tree` is changed in place. A
/// parameter `p: &mut T` moves into the tuple; reborrow it if it is used again, as in `zip((&mut *p, g))`. The
/// operations are [`for_each`](Zip#method.for_each), [`map`](Zip#method.map) to a new tree and
/// [`reduce`](Zip#method.reduce), each also as `try_..`. The closure receives the leaves of one
/// place. [`Zip::with`] adds a tree with leaves of another type, [`Zip::under`] a prefix; after these, `map`, the functions with paths
/// and more than one of them need the feature `alloc`. [`Zip::only`] takes the leaves of one type.
///
/// The trees must have one structure: equal lengths, keys, variants and fields with `#[tree(meta)]`, and `Some` at the same
/// places. The structures are compared during the walk, without a heap; of lists whose elements have a constant structure,
/// only the lengths.
/// If a walk ends in an error, the leaves before that place are already changed: [`check`](Zip#method.check) compares the trees first.
///
/// The order is: further trees, the leaf type, the check, the operation, as in
/// `zip((&mut a, &b)).with(&mask).only::<f32>().check()?.for_each(..)`.
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
/// If a tree differs, the error names the node and the tree, and [`Error::explain_trees`](crate::Error::explain_trees) says what differs:
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
    pub(super) further: C,
}

/// Several trees of one type with leaves of any types, of which those of one type are visited; from [`Zip::only`].
///
/// # Examples
///
/// ```
/// use treedef::zip;
///
/// let mut model = ([1.0f32, 2.0], 7u64);
/// zip((&mut model, &([3.0, 4.0], 1))).only::<f32>().for_each(|weight, other| *weight += other)?;
/// assert_eq!(model, ([4.0, 6.0], 7));
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Masks, rates and prefixes are added before, and have a leaf, or one above it, for the other leaves too:
///
/// ```
/// use treedef::zip;
///
/// let mut model = ([1.0f32, 2.0], 7u64);
/// zip((&mut model,)).under(&(0.5f32, 0.0)).only::<f32>().for_each(|weight, rate| *weight *= rate)?;
/// assert_eq!(model, ([0.5, 1.0], 7));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ZipOnly<L, K, C = ()> {
    pub(super) trees: L,
    pub(super) further: C,
    leaf: PhantomData<K>,
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
    /// walk fails with [`Error::NotPrefix`](crate::Error::NotPrefix), as [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of). A `Some`
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

impl<L, C> Zip<L, C> {
    /// Takes the leaves of the type `K`, and passes over others. It comes after `with` and `under`, and before `check`.
    ///
    /// The trees can have leaves of any types that are `'static`: [`AnyLeaves`](crate::tree::AnyLeaves). In generic code a
    /// further tree has the bound [`ZipPrefix<f32, AnyLeaves, T>`](crate::tree::ZipPrefix).
    ///
    /// # Examples
    ///
    /// [`ZipOnly`] has an example.
    #[must_use = "does nothing before `for_each`"]
    pub fn only<K: 'static>(self) -> ZipOnly<L, K, C> {
        ZipOnly { trees: self.trees, further: self.further, leaf: PhantomData }
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
