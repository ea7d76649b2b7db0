//! Defines the part of a tree that does not depend on the types of its leaves.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::encode::const_bytes::{in_buckets, size_of_schema, take};
use crate::encode::schema::Schema;
use crate::encode::writer::Writer;
use crate::format::validate::Sizes;
use crate::treedef::treedef::TreeDef;

/// A type that can describe its structure as a tree.
///
/// `#[derive(Tree)]` implements it for structs and enums, [`leaf!`](crate::leaf) for leaf types. The containers of Rust
/// and `heapless` implement it.
///
/// A container that is written by hand is a [`Tree`](crate::Tree) if it implements [`Structure`],
/// [`TreeWalk`](crate::tree::TreeWalk) and [`TreeBuild`](crate::tree::TreeBuild), and the traits without methods
/// [`TreeRead`](crate::tree::TreeRead) and [`TreeWrite`](crate::tree::TreeWrite). It needs [`MapTree`](crate::tree::MapTree) and
/// [`ZipPrefix`](crate::tree::ZipPrefix) only to be mapped, or zipped with trees of another type. All methods have to
/// agree on the order of the leaves. The guide to [`containers`](mod@crate::guide::containers) has more examples.
///
/// The constants are right as they are, but for [`NULLABLE`](Structure::NULLABLE) of a type whose value can be a `None` itself.
/// [`SCHEMA`](Structure::SCHEMA) says what the values of the type can be. All that is known at compile time follows from it. It has to
/// agree with [`describe`](Structure::describe).
///
/// # Examples
///
/// A container of another crate, in a newtype, because both the type and the traits are foreign:
///
/// ```
/// use treedef::container::{Depth, Lanes, Rebuild, Siblings, Trees, VisitLanes};
/// use treedef::tree::{LeafTypes, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite};
/// use treedef::{Error, Kind, Leaf, Writer, flatten_into, head, treedef, unflatten, zip};
///
/// struct Queue<T>(std::collections::VecDeque<T>);
///
/// impl<T: Structure> Structure for Queue<T> {
///     fn describe(&self, out: &mut Writer<'_>) {
///         out.node(&head::List(self.0.len()), |out| self.0.iter().for_each(|tree| tree.describe(out)));
///     }
/// }
///
/// impl<K: LeafTypes, T: TreeWalk<K>> TreeWalk<K> for Queue<T> {
///     // Walks over one queue, or over several together, which must have one length. The queue is one node: children count
///     // themselves.
///     fn walk_lanes<'a, L: Lanes, E: From<Error>>(
///         queues: Trees<'a, L, Self>,
///         depth: &mut Depth,
///         visit: &mut impl VisitLanes<'a, K, L, E>,
///     ) -> Result<(), E> where K: 'a {
///         L::same_node::<Self>(&queues, depth, |queue, first| queue.0.len() == first.0.len())?;
///         let trees = L::iter(L::map(queues, |queue| queue.0.iter(), |queue| queue.0.iter_mut()));
///         T::walk_elements::<L, E>(trees, depth, visit)
///     }
/// }
///
/// impl<K: Leaf, T: TreeRead<K>> TreeRead<K> for Queue<T> {}
///
/// impl<K: LeafTypes, T: TreeWrite<K>> TreeWrite<K> for Queue<T> {}
///
/// impl<K: LeafTypes, T: TreeBuild<K>> TreeBuild<K> for Queue<T> {
///     fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
///         self.0.into_iter().for_each(|tree| tree.take_leaves(visit));
///     }
///
///     fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
///         // Only for a `FromIterator` that keeps all elements in order.
///         rebuild.collect(list, Kind::List).map(Self)
///     }
/// }
///
/// let queue = Queue([(1.0f32, 2.0f32), (3.0, 4.0)].into());
/// let (mut bytes, mut leaves) = ([0; 8], [0.0; 4]);
/// let (def, _) = flatten_into(&queue, &mut bytes, &mut leaves)?;
/// assert_eq!((def, leaves), (treedef!([(*, *), (*, *)]), [1.0, 2.0, 3.0, 4.0]));
///
/// let mut sum: Queue<(f32, f32)> = unflatten(def, &leaves)?;
/// zip((&mut sum, &queue)).for_each(|a, b| *a += b)?;
/// assert_eq!(sum.0, [(2.0, 4.0), (6.0, 8.0)]);
/// # Ok::<(), Error>(())
/// ```
///
/// Its tests check the rest, for values in every state that it can be in:
/// `treedef_proptest::laws::check_tree(&queue, |i| i as f32).unwrap()`, of the crate `treedef-proptest`, for a queue that is
/// `Clone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree",
    label = "neither a container of trees nor a leaf type",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf",
    note = "for a type of another crate, write `treedef::tree::AsLeaf<{Self}>` to make it a leaf, or use `#[tree(leaf)]` and `treedef::leaf_types!`",
    note = "`Vec`, `String`, `Box`, `Rc`, `BTreeMap` need the feature `alloc` of treedef, hash maps `std` or `hashbrown`, arrays of `ndarray` and floats of `half` features of these names",
    note = "a borrowed text is a leaf as `treedef::tree::AsLeaf<&'static str>`",
    note = "a tuple has at most 12 elements: write a struct for more",
    note = "mark a field that is part of the structure with `#[tree(meta)]`, one that is no part of the tree with `#[tree(skip)]`"
)]
pub trait Structure {
    /// What all values can be. A container by hand has that of what it is written as, for example
    /// `&Schema::List(None, T::SCHEMA)`.
    const SCHEMA: &'static Schema = &Schema::Unknown;

    /// Whether a value can be [`Kind::None`](crate::Kind::None) itself, so that `Some` of it has to differ from
    /// `None`.
    const NULLABLE: bool = Self::SCHEMA.is_nullable();

    /// The number of leaves, if the type determines it.
    const LEAVES: Option<usize> = Self::SCHEMA.num_leaves();

    /// The treedef, if the type determines it and it fits [`MAX_CONST_BYTES`](crate::tree::MAX_CONST_BYTES).
    const TREEDEF: Option<TreeDef<'static>> = constant::<Self>();

    /// Describes the structure of this value to `out`, as one child of the node that is open there: a leaf, a `None`, or a
    /// node with its children, each of which describes itself. [`Structure`] has an example.
    ///
    /// It has no result: `out` keeps the first error, and ignores what follows. A value without a valid structure passes
    /// its error to [`Writer::fail`]. The description has to be the same each time, because some operations ask for it twice.
    fn describe(&self, out: &mut Writer<'_>);

    /// Whether `other` has the same structure, found more cheaply than by describing both. `false` means that the
    /// structures may differ.
    ///
    /// Lists compare neighbouring elements by it, and describe only the first of those that are alike. It needs no
    /// bound for the depth, because `other` is always a value that was described before.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Structure;
    ///
    /// assert!([1.0f32, 2.0].alike(&[3.0, 4.0]));
    /// assert!(!Some(1.0f32).alike(&None));
    /// ```
    #[inline]
    fn alike(&self, other: &Self) -> bool {
        let _ = other;
        Self::TREEDEF.is_some()
    }

    /// The number of leaves of this value.
    ///
    /// A constant if the type determines it. Otherwise the value is described to a writer that only counts leaves.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] from recursive types; [`Error::TooLarge`]; the errors of a map's keys.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Structure;
    ///
    /// assert_eq!((1.0f32, Some(2.0f32)).num_leaves(), Ok(2));
    /// assert_eq!((1.0f32, None::<f32>).num_leaves(), Ok(1));
    /// ```
    #[inline]
    fn num_leaves(&self) -> Result<usize, Error> {
        if let Some(leaves) = Self::LEAVES {
            return Ok(leaves);
        }
        let mut out = Writer::count_leaves();
        self.describe(&mut out);
        out.finish_count().map(|(_, leaves)| leaves)
    }

    /// Writes a leaf to as many bytes as its dtype has, the lowest first. A leaf without a dtype writes nothing.
    #[doc(hidden)]
    #[inline]
    fn leaf_to_le(_: &Self, _: &mut [u8]) {}

    /// The leaf of the bytes that [`Structure::leaf_to_le`] writes; `None` if no value has them.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn leaf_from_le(_: &[u8]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Structure + ?Sized> Constant<T> {
    const SIZE: Option<Sizes> = size_of_schema(T::SCHEMA);

    const BYTES: &'static [u8] = match Self::SIZE {
        Some((len, _)) => in_buckets!(len, take(T::SCHEMA)),
        None => &[],
    };
}

const fn constant<T: Structure + ?Sized>() -> Option<TreeDef<'static>> {
    let (len, sizes) = attempt!(Constant::<T>::SIZE);
    let (bytes, _) = attempt!(Constant::<T>::BYTES.split_at_checked(len));
    Some(TreeDef::of_sizes(bytes, sizes))
}

/// A treedef is a structure, and so are tuples, arrays, slices and maps of treedefs: `structure_into(&(a, b), &mut
/// bytes)` does what `jax.tree_util.treedef_tuple` does.
///
/// # Examples
///
/// ```
/// use treedef::{structure_into, treedef};
///
/// let (pair, leaf) = (treedef!((*, *)), treedef!(*));
/// let mut bytes = [0; 8];
/// assert_eq!(structure_into(&(pair, leaf), &mut bytes)?, treedef!(((*, *), *)));
/// assert_eq!(structure_into(&[pair, pair], &mut bytes)?, treedef!([(*, *), (*, *)]));
/// # Ok::<(), treedef::Error>(())
/// ```
impl Structure for TreeDef<'_> {
    const NULLABLE: bool = true;

    fn describe(&self, out: &mut Writer<'_>) {
        out.subtree(*self);
    }

    fn alike(&self, other: &Self) -> bool {
        self == other
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(TreeDef::num_leaves(self))
    }
}
