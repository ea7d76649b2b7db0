//! Defines the part of a tree that does not depend on the types of its leaves.

use core::mem::replace;
use core::slice;

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::message::Message;
use crate::base::target::SMALL_CODE;
use crate::encode::limits::Limits;
use crate::encode::schema::Schema;
use crate::encode::shape::{Shape, Size, size_of_shape, take};
use crate::encode::writer::Writer;
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
/// The others save work: [`SHAPE`](Structure::SHAPE) if the type alone decides the structure, [`LIMITS`](Structure::LIMITS) if it
/// bounds it. They have to agree with [`describe`](Structure::describe).
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
///         L::require::<Self>(&queues, depth, |queue| queue.0.len() == L::first::<Self>(&queues).0.len())?;
///         L::count_nodes(depth, 1);
///         let mut trees = L::iter(L::map(queues, |queue| queue.0.iter(), |queue| queue.0.iter_mut()));
///         trees.try_for_each(|trees| T::walk_lanes::<L, E>(trees, depth, visit))
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
    /// The structure as far as the type determines it.
    const SHAPE: &'static Shape = &Shape::Varies;

    /// What all values can be, for [`schema_of`](crate::schema_of). A container by hand has that of what it is written as, for
    /// example `&Schema::List(None, T::SCHEMA)`.
    const SCHEMA: &'static Schema = &Schema::Unknown;

    /// Whether a value can be [`Kind::None`](crate::Kind::None) itself, so that `Some` of it has to differ from
    /// `None`.
    const NULLABLE: bool = false;

    /// The number of leaves, if the type determines it.
    const LEAVES: Option<usize> = Self::SHAPE.num_leaves();

    /// The treedef, if the type determines it and it fits [`MAX_CONST_BYTES`](crate::tree::MAX_CONST_BYTES).
    const TREEDEF: Option<TreeDef<'static>> = constant::<Self>();

    /// The largest sizes of any value, as far as the type bounds them.
    const LIMITS: Limits = Limits { leaves: Self::LEAVES, ..Limits::NONE };

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
}

/// The bytes that `make::<N>` makes, of which `len` are used. There is one array for each range of lengths, because the
/// length of an array cannot depend on a type parameter. Only the arm that is taken reaches the program.
macro_rules! in_buckets {
    ($len:expr, $make:ident $arguments:tt) => {
        in_buckets!($len, $make $arguments, 1 2 3 4 6 8 12 16 20 24 28 32 40 48 56 64 72 80 88 96 104 112 120 128 144
            160 176 192 208 224 240 256 320 384 448 512 768 1024 2048 4096)
    };
    ($len:expr, $make:ident $arguments:tt, $($n:literal)*) => {
        match $len {
            0 => &[],
            $(1..=$n => &$make::<$n> $arguments,)*
            _ => &$make::<{ $crate::encode::shape::MAX_CONST_BYTES }> $arguments,
        }
    };
}
pub(crate) use in_buckets;

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Structure + ?Sized> Constant<T> {
    const SIZE: Option<Size> = size_of_shape(T::SHAPE);

    const BYTES: &'static [u8] = match Self::SIZE {
        Some((len, _)) => in_buckets!(len, take(T::SHAPE)),
        None => &[],
    };
}

const fn constant<T: Structure + ?Sized>() -> Option<TreeDef<'static>> {
    let (len, sizes) = attempt!(Constant::<T>::SIZE);
    let (bytes, _) = attempt!(Constant::<T>::BYTES.split_at_checked(len));
    Some(TreeDef::of_sizes(bytes, sizes))
}

/// The treedef of a type of fixed structure, in the memory of the program, for functions that are compiled once.
#[inline]
pub(crate) const fn fixed_def<T: Structure + ?Sized>() -> &'static TreeDef<'static> {
    const {
        &match T::TREEDEF {
            Some(def) => def,
            None => TreeDef::NONE,
        }
    }
}

/// The treedef of a type that determines its structure: a constant, without work at run time.
///
/// A type whose structure depends on the value (an enum, `Option`, `Vec`, a meta field that is not a constant) does not
/// compile here; use [`structure_into`](crate::structure_into).
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
///
/// const PAIR: TreeDef<'static> = treedef::treedef_of::<(f32, [f32; 2])>();
/// assert_eq!(PAIR.as_bytes(), [0x22, 0x00, 0x42, 0x01]);
/// const FINGERPRINT: u64 = PAIR.fingerprint();
/// assert_eq!(FINGERPRINT, TreeDef::from_bytes(&[0x22, 0x00, 0x42, 0x01])?.fingerprint());
/// # Ok::<(), treedef::DecodeError>(())
/// ```
#[must_use]
pub const fn treedef_of<T: Structure>() -> TreeDef<'static> {
    const {
        match T::TREEDEF {
            Some(def) => def,
            None => panic!("{}", why_not_const(T::SHAPE).as_str()),
        }
    }
}

/// Says why a type has no constant treedef. It names the type and its first field that is not constant.
const fn why_not_const(shape: &Shape) -> Message {
    let (quote, name, mut fields, mut children): (_, _, &[&str], &[&Shape]) = match shape {
        Shape::Struct { name, fields, children, .. } => ("`", *name, fields, children.as_slice()),
        _ => ("", "this type", &[], &[]),
    };
    while let ([_, other_fields @ ..], [child, others @ ..]) = (fields, children)
        && child.is_const()
    {
        (fields, children) = (other_fields, others);
    }
    let varies = " depends on its value (an enum, `Option`, `Vec`, a map, a meta field)";
    let what = match fields {
        _ if shape.is_const() => ["it", "", "", " is above MAX_CONST_BYTES"],
        [field, ..] => ["its field `", *field, "`", varies],
        [] => ["it", "", "", varies],
    };
    let [before, field, after, reason] = what;
    let advice = ": use structure_into, or CallKey::of_tree for a key";
    let parts =
        [quote, name, quote, " has no constant treedef: ", before, field, after, reason, advice];
    Message::new(&parts)
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

/// Describes a list with these elements.
#[inline]
pub(crate) fn describe_list<T: Structure>(elements: &[T], out: &mut Writer<'_>) {
    let list = out.begin_list(elements.len());
    if list.is_open() {
        describe_elements(out, elements.iter(), next_unlike_in_slice);
        out.end(list);
    }
}

/// Describes the elements of a list. Of neighbours that are alike it describes the first and a repeat.
///
/// `next_unlike` is [`next_unlike`] or [`next_unlike_in_slice`].
pub(crate) fn describe_elements<'a, T, I>(
    out: &mut Writer<'_>,
    mut elements: I,
    next_unlike: impl Fn(&mut I, &'a T) -> Option<&'a T>,
) where
    T: Structure + 'a,
    I: ExactSizeIterator<Item = &'a T>,
{
    if const { T::TREEDEF.is_some() } {
        return out.copies(fixed_def::<T>(), elements.len());
    }
    let mut next = elements.next();
    let mut left = elements.len();
    // Elements often alternate between two structures, as layers with and without an option. So each is compared with the
    // last two that differ, and has the bytes of the earlier one if it is alike to that.
    let (mut last, mut earlier) = (None, None);
    while let Some(element) = next {
        let from = out.position();
        // Where the last one was not described, it can equal the earlier one: values of one structure need not be alike.
        let copied = match (earlier, last) {
            (Some((other, described)), Some(_)) if element.alike(other) => out.again(described),
            _ => false,
        };
        if !copied {
            element.describe(out);
        }
        // An element that was not described to its end may be too deep to compare.
        if !out.is_well() {
            return;
        }
        next = next_unlike(&mut elements, element);
        if !SMALL_CODE && next.is_some() {
            earlier = replace(&mut last, out.described(from).map(|described| (element, described)));
        }
        let taken = left.wrapping_sub(elements.len());
        let copies = taken.wrapping_sub(usize::from(next.is_some()));
        if copies > 0 {
            out.repeat(copies);
        }
        left = left.wrapping_sub(taken);
    }
}

/// The first of the next elements that is not alike to `element`.
#[inline]
pub(crate) fn next_unlike<'a, T: Structure>(
    elements: &mut impl Iterator<Item = &'a T>,
    element: &T,
) -> Option<&'a T> {
    // No `find`, which would be one more function for each type of element.
    loop {
        let next = attempt!(elements.next());
        if !next.alike(element) {
            return Some(next);
        }
    }
}

/// As [`next_unlike`]. Asks for the end of the slice only once for four small elements, which saves a quarter of the
/// instructions if an element has one option.
#[inline]
fn next_unlike_in_slice<'a, T: Structure>(
    elements: &mut slice::Iter<'a, T>,
    element: &T,
) -> Option<&'a T> {
    if const { !SMALL_CODE && size_of::<T>() <= 64 } {
        let next = attempt!(elements.next());
        if !next.alike(element) {
            return Some(next);
        }
        pass_alike_fours(elements, element);
    }
    next_unlike(elements, element)
}

/// Steps over four elements at a time, as long as all four are alike to `element`.
#[inline]
fn pass_alike_fours<T: Structure>(elements: &mut slice::Iter<'_, T>, element: &T) {
    let mut rest = elements.as_slice();
    while let Some(([a, b, c, d], after)) = rest.split_first_chunk()
        && a.alike(element)
        && b.alike(element)
        && c.alike(element)
        && d.alike(element)
    {
        rest = after;
    }
    *elements = rest.iter();
}

/// Whether two lists have equally many elements, and elements at the same position are alike.
#[inline]
pub(crate) fn alike_elements<T: Structure>(elements: &[T], others: &[T]) -> bool {
    if elements.len() != others.len() {
        return false;
    }
    if const { T::TREEDEF.is_some() } {
        return true;
    }
    // Without `zip`, which is four functions for each type of element.
    let mut rest = others;
    for element in elements {
        let [other, after @ ..] = rest else { return false };
        if !element.alike(other) {
            return false;
        }
        rest = after;
    }
    true
}
