//! Defines what a typed tree can do: be read, changed in place, taken apart and rebuilt, mapped, zipped.
//!
//! The methods avoid the names of standard methods. Arrays and `Option` implement these traits, and a method of an
//! imported trait would be found before the method of the slice: `fill` would hide `<[T]>::fill`.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::encode::structure::Structure;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::{Leaf, LeafTypes};
use crate::tree::pairing::{Pairing, count_all_nodes};
use crate::tree::rebuild::Rebuild;
use crate::tree::source::{NextOnly, Source};
use crate::tree::visit::{VisitLanes, each};
use crate::treedef::cursor::Siblings;

/// A tree whose leaves are all of one type `L`, and which can be read, changed in place, taken apart and rebuilt.
///
/// This is the bound of generic code: `fn sgd<P: Tree<f32>>(params: &mut P, ..)`. Code that maps uses the bound
/// [`MapTree`], which names the type of the result. Code that reads a tree beside its prefix uses [`ZipPrefix`]. The
/// operations are free functions, such as [`leaves_into`](crate::leaves_into), [`unflatten`](crate::unflatten) and
/// [`map`](crate::map). `#[derive(Tree)]` writes the implementation.
///
/// A type whose leaves have several types is a tree as well, but no `Tree<L>`. Its operations are those of a set of leaf
/// types, which [`leaf_types!`](crate::leaf_types) declares.
///
/// Trees that only borrow their leaves (`&T`, slices) do not implement `Tree`. They can be read: use the bound
/// [`TreeRead<K>`](TreeRead).
///
/// # Which types are trees
///
/// | type | what it is in a treedef |
/// |---|---|
/// | numbers, `bool`, `char`, `heapless::String`, `String` (`alloc`), types declared by [`leaf!`](crate::leaf), [`AsLeaf<T>`](crate::tree::AsLeaf) | a leaf |
/// | types with `#[derive(Tree)]` | a struct |
/// | tuples of up to 12 elements (use a struct for more) | a tuple |
/// | `[T; N]`, `heapless::Vec<T, N>`, `Vec` (feature `alloc`) | a list |
/// | `heapless::LinearMap`, `heapless::IndexMap` (`FnvIndexMap`), `BTreeMap` (`alloc`), `HashMap` (`std`, `hashbrown`) | a dictionary, its keys in sorted order |
/// | `Option<T>` | `None`, or its value; `Some` is a node only if `T` itself can be `None` |
/// | `PhantomData` | an empty tuple |
/// | `Box<T>`, `Rc<T>`, `Arc<T>` (`alloc`) | its value |
/// | `[T]`, `&T`, `&mut T` | a list for `[T]`, the target for `&T` and `&mut T`; they cannot be rebuilt |
///
/// A tree is a value, however it is stored. So a value in an `Rc` or `Arc` with other owners is cloned before its leaves
/// are changed in place or taken out, as by `Rc::make_mut`: the other owners see no change. An operation that can change
/// leaves clones each such value that it reaches, even if it then changes none of its leaves. What an `Rc` or `Arc` holds
/// has to be `Clone` for that, or a slice of such elements.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use std::rc::Rc;
///
/// let mut model = (Rc::new([1.0f32, 2.0]), 3.0f32);
/// let snapshot = model.clone();
/// treedef::for_each_mut(&mut model, |x| *x *= 2.0)?;
/// assert_eq!((*model.0, *snapshot.0), ([2.0, 4.0], [1.0, 2.0]));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Containers of `heapless` need no feature. They are flattened with their current elements. Rebuilding one from a
/// treedef with more children than its capacity is [`Error::Capacity`]. The leaves of a map always come in the order of
/// its keys, and a rebuilt map has its entries inserted in that order. [`LinearMap`](heapless::LinearMap) and
/// [`IndexMap`](heapless::IndexMap) keep another order, so each call sorts pointers to the entries on the stack: two
/// words for each entry of the capacity, and n² / 2 comparisons at worst.
///
/// ```
/// use heapless::index_map::FnvIndexMap;
/// use heapless::{LinearMap, Vec};
/// use treedef::{flatten_into, unflatten};
///
/// let mut gains = FnvIndexMap::<&str, f32, 4>::new();
/// let _ = (gains.insert("kp", 1.0), gains.insert("kd", 2.0));
/// let taps = Vec::<f32, 8>::from_iter([3.0, 4.0]);
/// let (mut bytes, mut leaves) = ([0; 32], [0.0f32; 4]);
/// let (def, _) = flatten_into(&(gains, taps), &mut bytes, &mut leaves)?;
/// assert_eq!(def.to_string(), "PyTreeDef(({'kd': *, 'kp': *}, [*, *]))");
/// assert_eq!(leaves, [2.0, 1.0, 3.0, 4.0]);
///
/// // A rebuilt map owns its keys. The list of two elements does not fit a vector of one.
/// type Key = heapless::String<4>;
/// let (map, list): (LinearMap<Key, f32, 2>, Vec<f32, 2>) = unflatten(def, &leaves)?;
/// assert_eq!((map.iter().map(|(_, gain)| *gain).collect::<Vec<_, 2>>(), list), ([2.0, 1.0].into(), [3.0, 4.0].into()));
/// let error = unflatten::<f32, (LinearMap<Key, f32, 2>, Vec<f32, 1>)>(def, &leaves).unwrap_err();
/// assert_eq!(error.explain_at(def).to_string(), "[1] has 2 children, its container holds 1");
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// # Examples
///
/// ```
/// use treedef::tree::MapTree;
/// use treedef::{Error, Tree, for_each_mut, map};
///
/// fn scale<P: Tree<f32>>(params: &mut P, by: f32) -> Result<(), Error> {
///     for_each_mut(params, |x| *x *= by)
/// }
///
/// fn scaled<P: MapTree<f32, f32, Output = P>>(params: &P, by: f32) -> Result<P, Error> {
///     map(params, |x| x * by)
/// }
///
/// let mut params = (1.0f32, [2.0f32]);
/// scale(&mut params, 2.0)?;
/// assert_eq!(scaled(&params, 2.0)?, (4.0, [8.0]));
/// # Ok::<(), Error>(())
/// ```
pub trait Tree<L: Leaf>: TreeRead<L> + TreeWrite<L> + TreeBuild<L> {}

impl<L: Leaf, T: TreeRead<L> + TreeWrite<L> + TreeBuild<L>> Tree<L> for T {}

/// The methods that visit the leaves of a tree.
///
/// They are apart from [`TreeRead`] because leaves can also be visited as items of another type:
/// [`KeyLeaves`](crate::cache::KeyLeaves) visits leaves of any number of types. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be read as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeWalk<K: LeafTypes>: Structure {
    /// Calls `visit` with the leaves of one tree, or of several together: one call for each place, with one leaf of
    /// each tree.
    ///
    /// `L` says which trees are read and which are changed. The trees must have one structure. An implementation
    /// compares what the type does not fix (lengths, keys, variants, meta fields) before it visits the children. It
    /// counts each of its own nodes with [`Lanes::count_nodes`], before its children. [`Structure`] has an example.
    ///
    /// A type that only borrows its leaves returns `None` from the `write` closure of [`Lanes::split`]. That closure is
    /// never called, since the type does not implement [`TreeWrite`].
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a;

    /// Calls `visit` with the leaves of the elements of several slices of one length, as [`TreeWalk::walk_lanes`].
    ///
    /// A leaf type gives the slices to [`VisitLanes::run`], and a type with a fixed number of leaves gives them to
    /// [`VisitLanes::fixed`].
    ///
    /// # Errors
    ///
    /// As [`TreeWalk::walk_lanes`].
    #[inline]
    fn walk_slices<'a, L: Lanes, E: From<Error>>(
        lists: Trees<'a, L, [Self]>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: Sized + 'a,
    {
        if const { Self::LEAVES.is_none() } {
            for trees in each::<Self, L>(lists) {
                ok!(Self::walk_lanes::<L, E>(trees, depth, visit));
            }
            return Ok(());
        }
        if const { Self::TREEDEF.is_none() } {
            return visit.fixed::<Self>(lists, depth);
        }
        // Elements with a fixed treedef cannot differ. So their nodes are counted at once, and not in this `Depth`.
        count_all_nodes::<Self, L>(depth, L::first::<[Self]>(&lists).len());
        visit.fixed::<Self>(lists, &mut Depth::default())
    }
}

/// A tree whose leaves are all of one type `L`, and can be read in order.
///
/// The trait has no methods of its own: [`TreeWalk`] has them. A type implements it for one leaf type at most, so the
/// compiler finds `L` by the type of the tree, and the closures of [`for_each`](crate::for_each) and others need no types.
///
/// # Examples
///
/// A function that only reads its tree also accepts slices and references with this bound:
///
/// ```
/// use treedef::tree::TreeRead;
/// use treedef::{Error, reduce};
///
/// fn squares<T: TreeRead<f32> + ?Sized>(tree: &T) -> Result<f32, Error> {
///     reduce(tree, 0.0, |sum, x| sum + x * x)
/// }
///
/// assert_eq!(squares(&(1.0f32, [2.0f32, 3.0]))?, 14.0);
/// assert_eq!(squares([3.0f32, 4.0].as_slice())?, 25.0);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree of `{L}` leaves",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "mark a field that is no leaf with `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`",
    note = "for leaves of several types, declare them with `treedef::leaf_types!`, and call `treedef::tree::mixed`",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeRead<L: Leaf>: TreeWalk<L> {}

/// A tree whose leaves can be changed in place: it borrows none of them by `&`.
///
/// The trait has no methods. It promises that [`TreeWalk::walk_lanes`] accepts trees in lanes of
/// [`Mut`](crate::container::Mut). `K` is a leaf type, with [`TreeRead`] beside it, or a set of
/// [`leaf_types!`](crate::leaf_types).
///
/// # Examples
///
/// ```
/// use treedef::tree::{TreeRead, TreeWrite};
/// use treedef::{Error, for_each_mut};
///
/// fn clamp<T: TreeRead<f32> + TreeWrite<f32> + ?Sized>(tree: &mut T) -> Result<(), Error> {
///     for_each_mut(tree, |x| *x = x.clamp(-1.0, 1.0))
/// }
///
/// let mut values = [2.0f32, 0.5, -3.0];
/// clamp(values.as_mut_slice())?;
/// assert_eq!(values, [1.0, 0.5, -1.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be changed in place as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeWrite<K: LeafTypes>: TreeWalk<K> {}

/// A tree that can be taken apart and put together again from a treedef and leaves. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree whose leaves can be rebuilt as `{K}`",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeBuild<K: LeafTypes>: Structure + Sized {
    /// Calls `visit` with every leaf by value, in order. It is called only for a tree that was described, so it needs no
    /// bound for the depth. The guide to [`containers`](crate::guide::containers) has an example.
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned));

    /// Rebuilds the next child of `list`, or returns `None`: then `rebuild` keeps the error, as it does for its own methods.
    /// The guide to [`containers`](crate::guide::containers) has an example.
    fn build<S: Source<K>>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Option<Self>;

    /// Whether [`TreeBuild::build_like`] can take this tree, with all below it, as a template. The guide to
    /// [`containers`](crate::guide::containers) has an example.
    #[inline]
    fn is_template(&self) -> bool {
        false
    }

    /// Rebuilds a tree of the same structure as `template` from the leaves that come next; `None` as from
    /// [`TreeBuild::from_leaves`].
    ///
    /// The copies of a child that a treedef repeats are built like the first of them, so that its bytes are read once.
    /// It is called where [`TreeBuild::is_template`] is true. The guide to [`containers`](crate::guide::containers) has
    /// an example.
    #[inline]
    fn build_like<S: Source<K>>(template: &Self, leaves: &mut S) -> Option<Self> {
        let _ = (template, leaves);
        None
    }

    /// Rebuilds a value of a type with a fixed treedef from the leaves that come next; `None` if one of them is of another
    /// type, or if there are too few. It is called only if [`Structure::TREEDEF`] is `Some`.
    ///
    /// It has to take the leaves in order and stop at the first that is wrong, so that the error names it.
    /// The default reads the treedef again, and passes on what [`TreeBuild::build`] refuses. The guide to [`containers`](crate::guide::containers) has an example.
    #[inline]
    fn from_leaves<S: Source<K>>(leaves: &mut S) -> Option<Self> {
        let source = NextOnly(&mut || leaves.next());
        let mut rebuild = Rebuild::new(Self::TREEDEF?, source, MAX_DEPTH);
        let tree = Self::build(&mut rebuild, &mut Siblings::root());
        match rebuild.outcome(tree) {
            Ok(tree) => Some(tree),
            Err(Error::WrongLeaf { .. } | Error::TooFewLeaves { .. }) => None,
            Err(error) => {
                leaves.refuse(0, Some(error));
                None
            }
        }
    }
}

/// Whether [`build_fixed`] can rebuild a `T` from the source `S`: the type determines its structure. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[must_use]
pub const fn is_fixed<K: LeafTypes, T: TreeBuild<K>, S: Source<K>>() -> bool {
    T::TREEDEF.is_some() && S::AT_ONCE
}

/// Rebuilds the next child of `list` at once, without reading its nodes one by one. To be called only where [`is_fixed`] is
/// true, in an `if const`, so that the code for other types is not compiled. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[inline]
pub fn build_fixed<K, T, S>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Option<T>
where
    K: LeafTypes,
    T: TreeBuild<K>,
    S: Source<K>,
{
    rebuild.build_fixed(list)
}

/// A tree whose leaves can be replaced by values of another type.
///
/// `M` is a parameter of the trait, so an implementation can require something of it. A struct with a fixed leaf type
/// implements the trait for that type alone. A struct with fields of two leaf types does not implement it, because
/// every leaf becomes an `M`; [`leaf_types!`](crate::leaf_types) shows what to do instead.
///
/// # Examples
///
/// ```
/// use treedef::tree::MapTree;
/// use treedef::{Error, map};
///
/// /// Whether each parameter is finite, in a tree of the same structure.
/// fn finite<P: MapTree<f32, bool>>(params: &P) -> Result<P::Output, Error> {
///     map(params, |x| x.is_finite())
/// }
///
/// assert_eq!(finite(&(1.0f32, [f32::NAN, 2.0]))?, (true, [false, true]));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the leaves of `{Self}` cannot become `{M}`",
    note = "in generic code, add the bound `treedef::tree::MapTree<f32, f32, Output = T>`, with the leaf types before and after",
    note = "a struct can change its leaf type if the leaf type is a type parameter: `struct Linear<T> {{ w: [T; 4], b: T }}`",
    note = "a map gives all leaves one type: to keep several leaf types, change a copy with `treedef::for_each_mut` or `tree::mixed`"
)]
pub trait MapTree<K: Leaf, M>: Structure {
    /// The tree with leaves of type `M`.
    type Output;

    /// Makes a new tree from the leaves of one tree, or of several trees of one structure. `L` says which of them are
    /// read and which are changed.
    ///
    /// Keys and meta fields are those of the first tree.
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`]; those of `map`; [`Error::TooDeep`] from recursive types.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::container::Depth;
    /// use treedef::tree::MapTree;
    /// use treedef::container::Ref;
    ///
    /// let (trees, mut depth) = ((&[1.0, 4.0], &[2.0, 3.0]), Depth::default());
    /// let map = &mut |(a, b): (&f32, &f32)| Ok::<_, Error>(a > b);
    /// let greater = <[f32; 2] as MapTree<f32, bool>>::map_lanes::<(Ref, Ref), _>(trees, &mut depth, map);
    /// assert_eq!(greater, Ok([false, true]));
    /// ```
    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl FnMut(Trees<'a, L, K>) -> Result<M, E>,
    ) -> Result<Self::Output, E>
    where
        K: 'a,
        Self: 'a;
}

/// A tree of the structure of `O`, or a prefix of it: one leaf of `Self` can belong to a whole subtree of `O`.
///
/// The compiler checks that the types can fit. Lengths, keys, variants and meta fields are compared at run time.
/// [`Zip::with`](crate::tree::Zip::with) and [`Zip::under`](crate::tree::Zip::under) use this trait.
///
/// # Examples
///
/// ```
/// use treedef::tree::ZipPrefix;
/// use treedef::{Error, Tree, zip};
///
/// /// Steps against the gradient where `mask` is true.
/// fn masked_step<T: Tree<f32>, M: ZipPrefix<bool, f32, T>>(p: &mut T, g: &T, mask: &M) -> Result<(), Error> {
///     zip((p, g)).with(mask).for_each(|p, g, keep| *p -= if *keep { *g } else { 0.0 })
/// }
///
/// let mut params = (1.0f32, [2.0f32, 3.0]);
/// masked_step(&mut params, &(0.5, [0.5, 0.5]), &(true, [false, true]))?;
/// assert_eq!(params, (0.5, [2.0, 2.5]));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has neither the structure of `{O}` nor that of a prefix of it",
    note = "at every place the two must have the same container, or `{Self}` must have a leaf; `None` is a container: as a leaf \
            it is `treedef::tree::AsLeaf(None)`",
    note = "in generic code, add the bound `M: treedef::tree::ZipPrefix<bool, f32, T>`, with the leaf types of `M` and `T`"
)]
pub trait ZipPrefix<K: Leaf, J: Leaf, O: TreeRead<J> + ?Sized>: TreeRead<K> {
    /// Calls `visit` with the leaves of `trees`, each with the leaf of `prefix` at the same place or above it. The
    /// guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// `P` is a single lane. An implementation counts each of its own nodes with [`Pairing::count_node`].
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`], [`Error::NotPrefix`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn zip_lanes<'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'a, P, Self>,
        trees: Trees<'a, L, O>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'a, P, K>, Trees<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
        J: 'a,
        O: 'a,
        Self: 'a;
}
