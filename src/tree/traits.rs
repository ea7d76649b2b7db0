//! Defines what a tree of one leaf type can do: be read, changed in place, mapped, walked beside others.
//!
//! What it does in a walk is in `walk.rs`, what it does to be taken apart and built in `build/mod.rs`.
//!
//! The methods avoid the names of standard methods. Arrays and `Option` implement these traits, and a method of an
//! imported trait would be found before the method of the slice: `fill` would hide `<[T]>::fill`.

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::structure::HasSchema;
use crate::tree::any_leaves::AnyLeaves;
use crate::tree::build::TreeBuild;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::{HasNone, Holds, LeafTypes};
use crate::tree::pairing::Pairing;
use crate::tree::walk::{TreeWalk, VisitLanes};

/// A type whose values are leaves.
///
/// Declare it with [`leaf!`](crate::leaf) or `#[derive(Leaf)]`, never by hand: they also implement the tree traits.
/// Numbers, `NonZero` integers, `bool`, `char`, `Duration`, IP addresses, `String` (feature `alloc`) and `heapless::String` are leaf types. A leaf is a tree of itself, so in generic code the bound `L: Leaf` is
/// enough to read, change and, with `Clone`, rebuild trees of `L`.
///
/// # Examples
///
/// ```
/// use treedef::{Error, Leaf, TreeDef, unflatten};
///
/// fn pair<L: Leaf + Clone>(def: TreeDef<'_>, leaves: &[L]) -> Result<[L; 2], Error> {
///     unflatten(def, leaves)
/// }
///
/// assert_eq!(pair(treedef::treedef!([*, *]), &[1.0, 2.0])?, [1.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a leaf type",
    note = "where it is `AnyLeaves`, as of a `T: Tree` in generic code, name the leaf type: `over(..).only::<f32>()`",
    note = "for a type of your own, write `treedef::leaf!({Self});` or `#[derive(treedef::Leaf)]`",
    note = "wrap a type of another crate: `treedef::tree::AsLeaf<{Self}>`"
)]
pub trait Leaf: Tree<Self> {}

impl<L: Leaf> LeafTypes for L {
    const IS_ONE_TYPE: bool = true;

    type Owned = L;
    type Ref<'a>
        = &'a L
    where
        L: 'a;
    type Mut<'a>
        = &'a mut L
    where
        L: 'a;

    #[inline]
    fn cloned(leaf: &L) -> L
    where
        L: Clone,
    {
        leaf.clone()
    }
}

impl<L: Leaf> Holds<L> for L {
    const DTYPE: Option<Dtype> = L::SCHEMA.dtype();

    #[inline]
    fn owned(leaf: L) -> L {
        leaf
    }

    #[inline]
    fn leaf(item: L) -> Option<L> {
        Some(item)
    }

    #[inline(always)]
    fn cloned_leaf<E>(item: &L, _: impl FnOnce() -> Result<L, E>) -> Result<L, E>
    where
        L: Clone,
    {
        Ok(item.clone())
    }

    #[inline(always)]
    fn cloned_leaves<const N: usize>(items: &[L]) -> Option<[L; N]>
    where
        L: Clone,
    {
        items.first_chunk().cloned()
    }

    #[inline]
    fn by_ref<'a>(leaf: &'a L) -> &'a L
    where
        L: 'a,
    {
        leaf
    }

    #[inline]
    fn by_mut<'a>(leaf: &'a mut L) -> &'a mut L
    where
        L: 'a,
    {
        leaf
    }

    #[inline]
    fn run(leaves: &[L]) -> Option<&[L]> {
        Some(leaves)
    }

    #[inline]
    fn run_mut(leaves: &mut [L]) -> Option<&mut [L]> {
        Some(leaves)
    }
}

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
/// | numbers, also as `NonZero`, `bool`, `char`, `Duration`, `Ipv4Addr`, `Ipv6Addr`, `heapless::String`, `String` (`alloc`), types declared by [`leaf!`](crate::leaf), [`AsLeaf<T>`](crate::tree::AsLeaf) | a leaf |
/// | types with `#[derive(Tree)]` | a struct |
/// | tuples of up to 12 elements (use a struct for more) | a tuple |
/// | `[T; N]`, `heapless::Vec<T, N>`, `heapless::Deque<T, N>`, `Vec`, `VecDeque` (feature `alloc`), `ArrayVec` (`arrayvec`), `SmallVec` (`smallvec`) | a list |
/// | `heapless::LinearMap`, `heapless::IndexMap` (`FnvIndexMap`), `BTreeMap` (`alloc`), `HashMap` (`std`, `hashbrown`), `IndexMap` (`indexmap`) | a dictionary, its keys in sorted order |
/// | `Option<T>` | `None`, or its value; `Some` is a node only if `T` itself can be `None` |
/// | `PhantomData` | an empty tuple |
/// | `Range<T>`, and no other range | a struct `Range` with the fields `start` and `end` |
/// | a list or dictionary of another crate in a newtype, declared by [`container!`](crate::container!) | a list or a dictionary |
/// | `Wrapping<T>`, `Saturating<T>`, `Box<T>`, `Rc<T>`, `Arc<T>` (the last three with `alloc`) | its value |
/// | `[T]`, `&T`, `&mut T` | a list for `[T]`, the target for `&T` and `&mut T`; they cannot be rebuilt |
/// | `Box<[T]>`, `Rc<[T]>`, `Arc<[T]>` (`alloc`) | a list; its leaves are read and changed in place, but it cannot be rebuilt or mapped |
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
/// treedef::over(&mut model).for_each(|x| *x *= 2.0)?;
/// assert_eq!((*model.0, *snapshot.0), ([2.0, 4.0], [1.0, 2.0]));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// The leaves of a deque are two runs, because its elements lie in two slices. A treedef does not say where it begins, nor that it is a
/// deque (`DIFFERENCE`: optree has a node of its own for a deque, with its `maxlen`; JAX has none).
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
/// use treedef::{Error, Tree, map, over};
///
/// fn scale<P: Tree<f32>>(params: &mut P, by: f32) -> Result<(), Error> {
///     over(params).for_each(|x| *x *= by)
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
#[doc(alias = "pytree")]
pub trait Tree<L: Leaf>: TreeRead<L> + TreeWrite<L> + TreeBuild<L> {}

impl<L: Leaf, T: TreeRead<L> + TreeWrite<L> + TreeBuild<L>> Tree<L> for T {}

/// A tree whose leaves are all of one type `L`, and can be read in order.
///
/// `L` is a leaf type. The bound asks for less, here and in [`MapTree`] and [`ZipPrefix`], because the compiler then checks derived
/// types faster.
///
/// The trait has no methods of its own: [`TreeWalk`] has them. A type implements it for one leaf type at most, so the
/// compiler finds `L` by the type of the tree, and the closures of [`over(..).for_each`](crate::tree::Over#method.for_each) and others need no types.
///
/// # Examples
///
/// A function that only reads its tree also accepts slices and references with this bound:
///
/// ```
/// use treedef::tree::TreeRead;
/// use treedef::{Error, over};
///
/// fn squares<T: TreeRead<f32> + ?Sized>(tree: &T) -> Result<f32, Error> {
///     over(tree).fold(0.0, |sum, x| sum + x * x)
/// }
///
/// assert_eq!(squares(&(1.0f32, [2.0f32, 3.0]))?, 14.0);
/// assert_eq!(squares([3.0f32, 4.0].as_slice())?, 25.0);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree of `{L}` leaves",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "a type of another crate is a leaf as `treedef::tree::AsLeaf<{Self}>`",
    note = "mark a field that is no leaf with `#[tree(meta)]` (part of the structure) or `#[tree(skip)]`",
    note = "for leaves of several types, declare them with `treedef::leaf_types!`, and call `over(..).of::<Set>()`",
    note = "to use the `{L}` leaves of a tree that has others, call `over(..).only::<{L}>()`, or `treedef::tree::map_of` to map them",
    note = "in generic code, add the bound `treedef::Tree<f32>`, with your leaf type for `f32`"
)]
pub trait TreeRead<L: LeafTypes>: TreeWalk<L> + TreeWalk<<L as HasNone>::Set> {}

/// A tree whose leaves can be changed in place: it borrows none of them by `&`.
///
/// The trait has no methods. It promises that [`TreeWalk::walk_lanes`] accepts trees in lanes of
/// [`Mut`](crate::container::Mut). `K` is a leaf type, with [`TreeRead`] beside it, or a set of
/// [`leaf_types!`](crate::leaf_types). Without it, the tree has leaves of [any types](crate::tree::AnyLeaves), as for
/// [`Over::only`](crate::tree::Over::only).
///
/// # Examples
///
/// ```
/// use treedef::tree::{TreeRead, TreeWrite};
/// use treedef::{Error, over};
///
/// fn clamp<T: TreeRead<f32> + TreeWrite<f32> + ?Sized>(tree: &mut T) -> Result<(), Error> {
///     over(tree).for_each(|x| *x = x.clamp(-1.0, 1.0))
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
pub trait TreeWrite<K: LeafTypes = AnyLeaves>: TreeWalk<K> {}

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
    note = "a map gives all leaves one type: to map those of one type and keep the others, call `treedef::tree::map_of`, or change them in place by `over(&mut tree).only::<{K}>()`"
)]
pub trait MapTree<K: LeafTypes, M>: HasSchema {
    /// The tree with leaves of type `M`.
    type Output;

    /// Whether a map of one tree fails only if the visitor does: there are no levels to bound, and no meta fields to copy.
    #[doc(hidden)]
    const NEVER_FAILS: bool = false;

    /// Makes a new tree from the leaves of one tree, or of several trees of one structure. `L` says which of them are
    /// read and which are changed.
    ///
    /// Keys and meta fields are those of the first tree. An implementation names each child with
    /// [`WalkPath`](crate::container::WalkPath), for the functions with paths.
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
        map: &mut impl VisitLanes<'a, K, L, E, M>,
    ) -> Result<Self::Output, E>
    where
        K: 'a;
}

/// A tree of the structure of `O`, or a prefix of it: one leaf of `Self` can belong to a whole subtree of `O`.
///
/// The compiler checks that the types can fit. Lengths, keys, variants and meta fields are compared at run time.
/// [`Over::with`](crate::tree::Over::with) and [`Over::under`](crate::tree::Over::under) use this trait.
///
/// # Examples
///
/// ```
/// use treedef::tree::ZipPrefix;
/// use treedef::{Error, Tree, over};
///
/// /// Steps against the gradient where `mask` is true.
/// fn masked_step<T: Tree<f32>, M: ZipPrefix<bool, f32, T>>(p: &mut T, g: &T, mask: &M) -> Result<(), Error> {
///     over((p, g)).with(mask).for_each(|((p, g), keep)| *p -= if *keep { *g } else { 0.0 })
/// }
///
/// let mut params = (1.0f32, [2.0f32, 3.0]);
/// masked_step(&mut params, &(0.5, [0.5, 0.5]), &(true, [false, true]))?;
/// assert_eq!(params, (0.5, [2.0, 2.5]));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has neither the structure of `{O}` nor that of a prefix of it",
    note = "at every place the two must have the same container, or `{Self}` must have a leaf; an array or a slice is also beside a \
            vector; `None` is a container: as a leaf it is `treedef::tree::AsLeaf(None)`",
    note = "for a struct with fields of other types, write `treedef::prefix!`",
    note = "in generic code, add the bound `M: treedef::tree::ZipPrefix<bool, f32, T>`, with the leaf types of `M` and `T`; for `over(..).only::<f32>()` write `AnyLeaves` in place of `f32`"
)]
pub trait ZipPrefix<K: LeafTypes, J: LeafTypes, O: ?Sized>: TreeRead<K> {
    /// Calls `visit` with the leaves of `trees`, each with the leaf of `prefix` at the same place or above it. The
    /// guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// `P` is a single lane. An implementation counts each of its own nodes with [`Pairing::count_node`].
    ///
    /// # Errors
    ///
    /// [`Error::TreesDiffer`], [`Error::NotPrefix`]; those of `visit`; [`Error::TooDeep`] from recursive types.
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        trees: Trees<'a, L, O>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'p,
        J: 'a;
}
