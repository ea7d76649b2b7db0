//! One front for what is done with the leaves of typed trees: `over(trees)`, then what is shown, then what is done.
//!
//! - `trees`: the trees of a walk; `pick`: which of their leaves are shown; `paths`: whether paths are;
//! - `beside`: what is shown beside the leaves; `follow`: the leaves of other trees; `prefix`: structs that are prefixes of others;
//! - `outcome`: what closures can return;
//! - `walk_kind`: what comes of all places, of a walk and of a map;
//! - `methods`: what is done with the leaves; `runs`: with slices of them; `visit`: with those of several types; `explained`: errors with a path.

mod beside;
#[cfg(feature = "alloc")]
mod explained;
mod follow;
mod methods;
mod outcome;
mod paths;
mod pick;
mod prefix;
mod runs;
pub(crate) mod trees;
mod visit;
mod walk_kind;

use core::marker::PhantomData;

use crate::tree::leaf_types::LeafTypes;
use crate::tree::over::beside::{Items, OtherTree};
use crate::tree::over::paths::{NoPaths, WithPaths};
use crate::tree::over::pick::{All, Of, Only, Types};

#[cfg(feature = "alloc")]
pub use explained::Explained;
pub use outcome::Outcome;
pub use visit::Visit;

/// Begins a walk over the leaves of one tree, or of several trees of one structure.
///
/// `trees` is `&tree`, `&mut tree`, or a tuple of two to six of these, all to one type. `&` is read, `&mut` is changed in place. A
/// parameter `p: &mut T` moves into it; reborrow it if it is used again: `over((&mut *p, g))`.
///
/// Then comes what is shown, in any order, and last what is done:
///
/// | shown are | by |
/// |---|---|
/// | all leaves, which have one type | nothing |
/// | the leaves of one type, whatever others there are | [`only::<f32>()`](Over::only) |
/// | all leaves as items of a set | [`of::<Set>()`](Over::of), with [`leaf_types!`](crate::leaf_types) or [`leaf_trait!`](crate::leaf_trait) |
/// | the leaves of some types, to a generic function | [`types::<(f32, f64)>()`](Over::types), with [`visit`](Over::visit) |
/// | their paths | [`paths()`](Over::paths) |
/// | the leaves of a mask, or another tree of the same structure | [`with(&mask)`](Over::with) |
/// | those of a prefix, for all leaves below | [`under(&rates)`](Over::under) |
/// | one item for each leaf | [`with_leaves(items)`](Over::with_leaves) |
/// | slices of leaves that are next to each other in memory | [`runs()`](Over::runs) |
///
/// | what is done | by |
/// |---|---|
/// | a closure is called, and can change leaves | [`for_each`](Over::for_each) |
/// | a new tree is made | [`map`](Over::map), [`try_map`](Over::try_map) |
/// | one value is made of all | [`fold`](Over::fold), [`count`](Over::count) |
/// | the structures are compared before anything changes | [`check()?`](Over::check), then another |
/// | the same, and an error says where and what | [`explained()?`](Over::explained), then another (feature `alloc`) |
///
/// The closure gets *one* argument: the leaf of one tree, or a tuple with a leaf of each, `|(p, g)|`. What is added by `with`, `under` and
/// `with_leaves` comes after it, as by `Iterator::zip`: `|(x, on)|`, `|((p, g), on)|`. With `paths` a path comes before: `|path, x|`.
///
/// The trees must have one structure: equal lengths, keys, variants and fields with `#[tree(meta)]`, and `Some` at the same places. The
/// structures are compared during the walk, without a heap; of lists whose elements have a constant structure, only the lengths. If a walk
/// ends in an error, the leaves before that place are already changed.
///
/// A slice is beside a vector or an array: `&[f32]` beside a `Vec<f32>`. Both are walked as slices.
///
/// `DIFFERENCE`: where the first tree has a leaf, `jax.tree.map` gives its function a whole subtree of the other trees. Use
/// [`flatten_up_to`](crate::flatten_up_to) for that.
///
/// # Examples
///
/// Adam, over any tree of floats:
///
/// ```
/// use treedef::{Error, Tree, over};
///
/// fn adam<T: Tree<f32>>(p: &mut T, g: &T, m: &mut T, v: &mut T, rate: f32) -> Result<(), Error> {
///     over((p, g, m, v)).for_each(|(p, g, m, v)| {
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
/// One tree in place, a new tree of two, and one value of two:
///
/// ```
/// use treedef::over;
///
/// let (mut a, b) = ((1.0f32, [2.0f32, 3.0]), (4.0f32, [5.0f32, 6.0]));
/// over(&mut a).for_each(|x| *x += 1.0)?;
/// assert_eq!(a, (2.0, [3.0, 4.0]));
/// assert_eq!(over((&a, &b)).map(|(a, b)| f64::from(a + b))?, (6.0, [8.0, 10.0]));
/// assert_eq!(over((&a, &b)).fold(0.0, |dot, (a, b)| dot + a * b)?, 47.0);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// If a tree differs, the error names the node and the tree. [`Over::explained`] says before the walk what differs; after it, so does
/// [`Error::explain_trees`](crate::Error::explain_trees) without a heap:
///
/// ```
/// use treedef::{Error, over};
///
/// let (params, gradient) = ((1.0f32, Some(2.0f32)), (0.5f32, None));
/// let error = over((&params, &gradient)).for_each(|_| ()).unwrap_err();
/// assert_eq!(error, Error::TreesDiffer { node: 2, tree: 1 });
/// let text = error.explain_trees(&params, &gradient).to_string();
/// assert_eq!(text, "at [1]: expected a leaf, found None");
/// ```
#[must_use = "does nothing before `for_each`, `map`, `fold`, `count` or `visit`"]
#[doc(alias("tree_map", "multimap"))]
pub const fn over<L>(trees: L) -> Over<L> {
    Over { trees, pick: All, paths: NoPaths, beside: () }
}

/// A walk that has not begun, from [`over`].
#[must_use = "does nothing before `for_each`, `map`, `fold`, `count` or `visit`"]
#[derive(Clone, Copy, Debug)]
pub struct Over<L, S = All, P = NoPaths, B = ()> {
    trees: L,
    pick: S,
    paths: P,
    beside: B,
}

/// What is shown.
impl<L, S, P, B> Over<L, S, P, B> {
    #[inline]
    fn picking<S2>(self, pick: S2) -> Over<L, S2, P, B> {
        Over { trees: self.trees, pick, paths: self.paths, beside: self.beside }
    }

    #[inline]
    fn joining<B2>(self, join: impl FnOnce(B) -> B2) -> Over<L, S, P, B2> {
        Over { trees: self.trees, pick: self.pick, paths: self.paths, beside: join(self.beside) }
    }

    /// Shows the leaves of the type `N`, and passes over others, of any types that are `'static`.
    ///
    /// If the tree has leaves and none of them is shown, `for_each` returns [`Error::NoLeafOfType`](crate::Error::NoLeafOfType), so that
    /// a program that names the wrong type does not pass over everything in silence. [`or_none`](Over::or_none) allows it; `fold` and
    /// `count` always do.
    ///
    /// In generic code the bound is [`TreeWrite`](crate::tree::TreeWrite), or
    /// [`TreeWalk`](crate::tree::TreeWalk) if nothing is changed. `map` does not pass over leaves: before it `only` names the
    /// leaf type of a tree that has one.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let mut model = ([1.0f32, 2.0], 7u64);
    /// over((&mut model, &([3.0, 4.0], 1))).only::<f32>().for_each(|(weight, other)| *weight += other)?;
    /// assert_eq!(model, ([4.0, 6.0], 7));
    ///
    /// let wrong = over(&mut model).only::<f64>().for_each(|weight| *weight = 0.0);
    /// assert_eq!(wrong, Err(Error::NoLeafOfType));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// Masks, rates and prefixes have a leaf, or one above it, for the other leaves too:
    ///
    /// ```
    /// use treedef::over;
    ///
    /// let mut model = ([1.0f32, 2.0], 7u64);
    /// over(&mut model).under(&(0.5f32, 0.0)).only::<f32>().for_each(|(weight, rate)| *weight *= rate)?;
    /// assert_eq!(model, ([0.5, 1.0], 7));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn only<N: 'static>(self) -> Over<L, Only<N>, P, B> {
        self.picking(Only { may_be_none: false, leaf: PhantomData })
    }

    /// Shows all leaves as items of the set `N`, of [`leaf_types!`](crate::leaf_types) or [`leaf_trait!`](crate::leaf_trait).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::over;
    ///
    /// treedef::leaf_types! {
    ///     struct Signal { owned Value, read ValueRef, write ValueMut, Float(f32), Count(u32) }
    /// }
    ///
    /// let mut tree = (1.5f32, [2u32, 3]);
    /// over(&mut tree).of::<Signal>().for_each(|leaf| match leaf {
    ///     ValueMut::Float(gain) => *gain *= 2.0,
    ///     ValueMut::Count(count) => *count += 1,
    /// })?;
    /// assert_eq!(tree, (3.0, [3, 4]));
    ///
    /// let mut text = String::new();
    /// over(&tree).of::<Signal>().paths().for_each(|path, leaf| text += &format!("{path} = {leaf}; "))?;
    /// assert_eq!(text, "[0] = 3.0; [1][0] = 3; [1][1] = 4; ");
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn of<N: LeafTypes>(self) -> Over<L, Of<N>, P, B> {
        self.picking(Of(PhantomData))
    }

    /// Shows the leaves of the types of a tuple, of one to eight types, to a generic function: [`visit`](Over::visit). Before it,
    /// [`check()?`](Over::check) and `explained()?` compare the trees.
    ///
    /// # Examples
    ///
    /// [`Visit`] has an example.
    pub fn types<N>(self) -> Over<L, Types<N>, P, B> {
        self.picking(Types(PhantomData))
    }

    /// Adds one item for each leaf, in order; also for those that [`only`](Over::only) passes over. The closure gets it after the leaves.
    ///
    /// If there are fewer items than leaves, or more, the walk fails with [`Error::TooFewLeaves`](crate::Error::TooFewLeaves) or
    /// [`Error::TooManyLeaves`](crate::Error::TooManyLeaves). The leaves that have an item were shown then. The leaves are counted before
    /// the walk, which ends at the first one without an item. A type that determines the number of its leaves takes no pass for that.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let mut params = (1.0f32, 7u8, [2.0f32, 3.0]);
    /// let keep = [true, false, false, true];
    /// over(&mut params).only::<f32>().with_leaves(keep).for_each(|(p, keep)| *p *= f32::from(keep))?;
    /// assert_eq!(params, (1.0, 7, [0.0, 3.0]));
    ///
    /// let short = over(&params).only::<f32>().with_leaves([1, 2]).for_each(|_| ());
    /// assert_eq!(short, Err(Error::TooFewLeaves { expected: 4, found: 2 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn with_leaves<I: IntoIterator>(self, items: I) -> Over<L, S, P, Items<B, I::IntoIter>> {
        self.joining(|before| Items { before, items: items.into_iter() })
    }
}

impl<L, N, P, B> Over<L, Only<N>, P, B> {
    /// Allows that no leaf has the type of [`only`](Over::only).
    ///
    /// # Examples
    ///
    /// ```
    /// let mut model = ([1.0f32, 2.0], 7u64);
    /// treedef::over(&mut model).only::<f64>().or_none().for_each(|x| *x = 0.0)?;
    /// assert_eq!(model, ([1.0, 2.0], 7));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn or_none(self) -> Self {
        self.picking(Only { may_be_none: true, leaf: PhantomData })
    }
}

impl<L, S, B> Over<L, S, NoPaths, B> {
    /// Shows the path of each place, as the first argument of the closure: as `jax.tree_util.tree_map_with_path`.
    ///
    /// The names come from the types and the keys from the values of the first tree, in one pass: no treedef is needed. Takes 4 kB of
    /// stack, and 2 kB more below dictionaries. A leaf that is more than [`MAX_DEPTH`](crate::encode::MAX_DEPTH) levels below the root is
    /// [`Error::TooDeep`](crate::Error::TooDeep). Beside a tree of `with` or `under` paths need the feature `alloc`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, over};
    ///
    /// let (mut params, gradient) = ((1.0f32, [2.0f32]), (0.5f32, [0.5f32]));
    /// over((&mut params, &gradient)).paths().for_each(|path, (p, g)| {
    ///     let is_frozen = path.first() == Some(KeyEntry::Index(0));
    ///     *p -= if is_frozen { 0.0 } else { *g };
    /// })?;
    /// assert_eq!(params, (1.0, [1.5]));
    ///
    /// assert_eq!(over(&params).paths().map(|path, _| path.len())?, (1, [2]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[doc(alias(
        "tree_flatten_with_path",
        "tree_leaves_with_path",
        "tree_map_with_path",
        "with_path"
    ))]
    pub fn paths(self) -> Over<L, S, WithPaths, B> {
        Over { trees: self.trees, pick: self.pick, paths: WithPaths, beside: self.beside }
    }
}

impl<L, S, P, B> Over<L, S, P, B> {
    /// Adds a tree of the same structure whose leaves can have another type, such as a mask of `bool`. The closure gets its leaf after the
    /// others; it is changed in place if `tree` is a `&mut`.
    ///
    /// After the first one, more trees need the feature `alloc`, as do `map` and paths: the heap holds a reference for each of their leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let (mut params, mask) = ((1.0f32, [2.0f32, 3.0]), (true, [false, true]));
    /// over(&mut params).with(&mask).for_each(|(p, keep)| *p *= f32::from(*keep))?;
    /// assert_eq!(params, (1.0, [0.0, 3.0]));
    ///
    /// // A new tree, with the feature `alloc`.
    /// # #[cfg(feature = "alloc")]
    /// assert_eq!(over(&params).with(&mask).map(|(p, keep)| keep.then_some(*p))?, (Some(1.0), [None, Some(3.0)]));
    ///
    /// // A leaf in place of a subtree is refused: use `under`.
    /// let refused = over(&mut params).with(&(true, false)).for_each(|_| ());
    /// assert_eq!(refused, Err(Error::TreesDiffer { node: 2, tree: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn with<C>(self, tree: C) -> Over<L, S, P, OtherTree<B, C>> {
        self.joining(|before| OtherTree { before, tree, is_prefix: false })
    }

    /// Adds a prefix: each of its leaves is shown for all leaves of the subtree at its place. The closure gets it after the others.
    ///
    /// This works as the prefix trees of `jax.tree.broadcast`. If the prefix differs at a node that is not a leaf, the walk fails with
    /// [`Error::NotPrefix`](crate::Error::NotPrefix), as [`TreeDef::check_prefix_of`](crate::TreeDef::check_prefix_of);
    /// [`Error::explain_trees`](crate::Error::explain_trees) takes the prefix before the tree. A `Some` of a leaf
    /// in the prefix also fits `None` in the trees; the closure is not called there, as `None` has no leaves. More than one tree, `map` and
    /// paths need the feature `alloc`, as in [`with`](Over::with).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let (mut params, rates) = ((1.0f32, [2.0f32, 3.0]), (0.5f32, 10.0f32));
    /// over(&mut params).under(&rates).for_each(|(p, rate)| *p *= rate)?;
    /// assert_eq!(params, (0.5, [20.0, 30.0]));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// A list of the prefix is for a list of its length: an array or a slice also for a vector.
    ///
    /// ```
    /// use treedef::{Error, over};
    ///
    /// let mut layers = (heapless::Vec::<[f32; 2], 4>::from([[1.0, 2.0], [3.0, 4.0]]), 5.0f32);
    /// over(&mut layers).under(&([10.0f32, 0.5], 2.0f32)).for_each(|(x, rate)| *x *= rate)?;
    /// assert_eq!(layers, (heapless::Vec::from([[10.0, 20.0], [1.5, 2.0]]), 10.0));
    /// let refused = over(&mut layers).under(&([1.0f32; 3], 1.0f32)).for_each(|_| ());
    /// assert_eq!(refused, Err(Error::NotPrefix { node: 1, tree: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// For axes as `in_axes` of `jax.vmap`, where `None` is a leaf, wrap each `Option` in [`AsLeaf`](crate::tree::AsLeaf): an `Option` alone
    /// is a container.
    ///
    /// ```
    /// use treedef::tree::AsLeaf;
    /// use treedef::{Error, over};
    ///
    /// let in_axes = (AsLeaf(Some(0)), AsLeaf(None::<i32>));
    /// let args = (1.0f32, [2.0f32, 3.0]);
    /// let mapped = over(&args).under(&in_axes).fold(0, |n, (_, axis)| n + u8::from(axis.0.is_some()))?;
    /// assert_eq!(mapped, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn under<T: ?Sized>(self, prefix: &T) -> Over<L, S, P, OtherTree<B, &T>> {
        self.joining(|before| OtherTree { before, tree: prefix, is_prefix: true })
    }
}
