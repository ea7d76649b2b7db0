//! Defines what has a structure, and writes structures into buffers of the caller, bounds their length, and compares them.

use crate::base::bytes::first;
use crate::base::error::Error;
use crate::encode::const_bytes::{MAX_CONST_BYTES, encode, in_buckets, take};
use crate::encode::schema::Schema;
use crate::encode::writer::Writer;
use crate::format::validate::Sizes;
use crate::treedef::treedef::TreeDef;

/// What a type says of the structure of all its values: its schema, and what follows from it at compile time.
///
/// `#[derive(Tree)]` implements it for structs and enums, [`leaf!`](crate::leaf) for leaf types. The containers of Rust
/// and `heapless` implement it, and [`container!`](crate::container!) does for a list or a dictionary of another crate.
///
/// Of the constants, a type overrides only [`NULLABLE`](HasSchema::NULLABLE), if it has no schema and its value can be a `None` itself.
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
    const TREEDEF: Option<TreeDef<'static>> = Constant::<Self>::DEF;

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
    /// Written once, because the compiler takes long for it. A program holds only what [`Constant::BYTES`] takes of it.
    const WRITTEN: Option<([u8; MAX_CONST_BYTES], Sizes)> = encode(T::SCHEMA);

    const BYTES: &'static [u8] = match Self::WRITTEN {
        Some((bytes, (len, _))) => in_buckets!(len, take(&bytes)),
        None => &[],
    };

    const DEF: Option<TreeDef<'static>> = match Self::WRITTEN {
        Some((_, (len, sizes))) => Some(TreeDef::of_sizes(first(Self::BYTES, len), sizes)),
        None => None,
    };
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
        out.finish_leaves()
    }
}

/// Writes the structure of `tree` into `bytes`, as `jax.tree.structure`.
///
/// If the type determines the structure, it is a copy of a constant. [`treedef_of`](crate::treedef_of) then gives the
/// treedef without a buffer.
///
/// One pass over the tree, which also compares neighbouring nodes to find equal ones. At worst, if neighbours on every
/// level differ only at their ends, it compares `n log n` nodes for a tree of `n`.
///
/// # Errors
///
/// [`Error::Full`] with the length of `bytes` ([`structure_bound`] gives a length that is enough); [`Error::TooDeep`];
/// [`Error::TooLarge`]; the errors of a map's keys. After an error the contents of `bytes` are unspecified.
///
/// # Examples
///
/// ```
/// use treedef::{Error, structure_into};
///
/// let mut bytes = [0; 8];
/// let def = structure_into(&(1.0f32, [2.0f32, 3.0], None::<f32>), &mut bytes)?;
/// assert_eq!(def.as_bytes(), [0x23, 0x00, 0x42, 0x01, 0xC0]);
///
/// let error = structure_into(&(1.0f32, [2.0f32, 3.0]), &mut [0; 2]).unwrap_err();
/// assert_eq!(error, Error::Full { room: 2 });
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "tree_structure")]
pub fn structure_into<'b, T: Structure + ?Sized>(
    tree: &T,
    bytes: &'b mut [u8],
) -> Result<TreeDef<'b>, Error> {
    // `dyn`, so that a program has the rest once, and not for each type of tree.
    let describe: &mut dyn FnMut(&mut Writer<'b>) = &mut |out| tree.describe(out);
    written(bytes, describe)
}

/// The treedef that `describe` writes into `bytes`.
pub(crate) fn written<'b>(
    bytes: &'b mut [u8],
    describe: impl FnOnce(&mut Writer<'b>),
) -> Result<TreeDef<'b>, Error> {
    let own = bytes.as_ptr();
    let mut out = Writer::new(bytes);
    describe(&mut out);
    let def = out.take()?;
    // User code that borrows the writer can replace it by another one.
    if def.as_bytes().as_ptr() != own {
        return Err(Error::Arity { expected: 1, found: 0 });
    }
    Ok(def)
}

/// A number of bytes that is always enough for [`structure_into`], and at most what the structure takes with all
/// repeats written out.
///
/// One pass that counts heads and runs of leaves as they are written. It counts a repeat only for nodes that are known
/// to be equal, such as the elements of an array whose type determines their structure; of other nodes, only elements
/// of slices and vectors and dynamic nodes are compared. So the treedef can be far shorter. With a heap,
/// `structure` needs 2 kB, or at most twice the bytes of the treedef.
///
/// # Errors
///
/// As [`structure_into`], but never [`Error::Full`].
///
/// # Examples
///
/// ```
/// use treedef::encode::structure_bound;
/// use treedef::structure_into;
///
/// let tree = [Some([1.0f32, 2.0]), Some([3.0, 4.0]), None];
/// let mut bytes = [0; 16];
/// let enough = structure_bound(&tree)?;
/// let def = structure_into(&tree, &mut bytes[..enough])?;
/// // Of the second list only a repeat is left.
/// assert_eq!((enough, def.as_bytes()), (6, [0x43, 0x42, 0x01, 0xA0, 0x02, 0xC0].as_slice()));
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn structure_bound<T: Structure + ?Sized>(tree: &T) -> Result<usize, Error> {
    let mut out = Writer::count();
    tree.describe(&mut out);
    out.finish_len()
}

/// Checks that `tree` has the expected structure, without writing it. Costs as [`structure_into`].
///
/// The node in the error is one of `expected`, the second argument. In [`TreeDef::differences`] the receiver is the
/// expected structure.
///
/// # Errors
///
/// [`Error::Mismatch`] with the first node that differs.
///
/// # Examples
///
/// ```
/// use treedef::{Error, matches, treedef};
///
/// let expected = treedef!((*, [*, *]));
/// assert_eq!(matches(&(1.0f32, [2.0f32, 3.0]), expected), Ok(()));
/// assert_eq!(matches(&(1.0f32, [2.0f32]), expected), Err(Error::Mismatch { node: 2 }));
///
/// // A treedef is a tree too.
/// assert_eq!(matches(&treedef!((*, *)), expected), Err(Error::Mismatch { node: 2 }));
/// ```
// Always inlined: where `expected` is the constant of the type, the compiler compares, and links no code for it.
#[inline(always)]
pub fn matches<'d, T: Structure + ?Sized>(
    tree: &T,
    expected: impl Into<TreeDef<'d>>,
) -> Result<(), Error> {
    let expected = expected.into();
    if T::TREEDEF == Some(expected) {
        return Ok(());
    }
    let mut out = Writer::compare(expected);
    tree.describe(&mut out);
    out.take().map(drop)
}
