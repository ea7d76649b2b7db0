//! Defines the part of a tree that does not depend on the types of its leaves.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::encode::const_bytes::{in_buckets, size_of_schema, take};
use crate::encode::schema::Schema;
use crate::encode::writer::Writer;
use crate::format::validate::Sizes;
use crate::treedef::treedef::TreeDef;

/// What a type says of the structure of all its values: its schema, and what follows from it at compile time.
///
/// `#[derive(Tree)]` implements it for structs and enums, [`leaf!`](crate::leaf) for leaf types. The containers of Rust
/// and `heapless` implement it, and [`container!`](crate::container!) does for a list or a dictionary of another crate.
///
/// The constants are right as they are, but for [`NULLABLE`](HasSchema::NULLABLE) of a type whose value can be a `None` itself.
/// [`SCHEMA`](HasSchema::SCHEMA) says what the values of the type can be. All that is known at compile time follows from it. It has to
/// agree with [`walk`](crate::tree::TreeWalk::walk). The guide to [`containers`](crate::guide::containers) has an example.
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
pub trait HasSchema {
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

    /// Writes a leaf to as many bytes as its dtype has, the lowest first. A leaf without a dtype writes nothing.
    #[doc(hidden)]
    #[inline]
    fn leaf_to_le(_: &Self, _: &mut [u8]) {}

    /// The leaf of the bytes that [`HasSchema::leaf_to_le`] writes; `None` if no value has them.
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

impl<T: HasSchema + ?Sized> Constant<T> {
    const SIZE: Option<Sizes> = size_of_schema(T::SCHEMA);

    const BYTES: &'static [u8] = match Self::SIZE {
        Some((len, _)) => in_buckets!(len, take(T::SCHEMA)),
        None => &[],
    };
}

const fn constant<T: HasSchema + ?Sized>() -> Option<TreeDef<'static>> {
    let (len, sizes) = attempt!(Constant::<T>::SIZE);
    let (bytes, _) = attempt!(Constant::<T>::BYTES.split_at_checked(len));
    Some(TreeDef::of_sizes(bytes, sizes))
}

/// A type that can describe its structure as a tree.
///
/// Every tree does, by its walk: all that implements [`TreeWalk`](crate::tree::TreeWalk) of
/// [`NoLeaves`](crate::tree::NoLeaves) has it. A type implements it by hand if it has a structure alone, no leaves, and is in no
/// container.
///
/// # Examples
///
/// ```
/// use treedef::tree::{HasSchema, Structure};
/// use treedef::{Writer, head, structure_into, treedef};
///
/// /// What a table with this number of rows will have.
/// struct Rows(usize);
///
/// impl HasSchema for Rows {}
///
/// impl Structure for Rows {
///     fn describe(&self, out: &mut Writer<'_>) {
///         let row = |out: &mut Writer<'_>| out.node(&head::Tuple(2), |out| out.leaves(2));
///         out.node(&head::List(self.0), |out| (0..self.0).for_each(|_| row(out)));
///     }
/// }
///
/// assert_eq!(structure_into(&Rows(2), &mut [0; 8])?, treedef!([(*, *), (*, *)]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree",
    label = "neither a container of trees nor a leaf type",
    note = "for a type of your own, write `#[derive(treedef::Tree)]`, or `treedef::leaf!({Self});` to make it a leaf"
)]
pub trait Structure: HasSchema {
    /// Describes the structure of this value to `out`, as one child of the node that is open there: a leaf, a `None`, or a
    /// node with its children, each of which describes itself.
    ///
    /// It has no result: `out` keeps the first error, and ignores what follows.
    fn describe(&self, out: &mut Writer<'_>);

    /// The number of leaves of this value.
    ///
    /// A constant if the type determines it. Otherwise leaves are counted by a walk.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] from recursive types; [`Error::TooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::tree::Structure;
    ///
    /// assert_eq!((1.0f32, Some(2.0f32)).num_leaves(), Ok(2));
    /// assert_eq!((1.0f32, None::<f32>).num_leaves(), Ok(1));
    /// ```
    fn num_leaves(&self) -> Result<usize, Error> {
        let mut out = Writer::count_leaves();
        self.describe(&mut out);
        out.finish_count().map(|(_, leaves)| leaves)
    }
}
