//! The side of a tree that does not depend on what its leaves are.

use crate::count::Count;
use crate::error::Error;
use crate::shape::{Shape, Size, size_of_shape, take};
use crate::sink::{Image, MAX_DEPTH, Sink};
use crate::treedef::TreeDef;

/// A type that is a tree: it can describe its structure, whatever its leaves are used as.
///
/// `#[derive(Tree)]` writes it for structs and enums, [`leaf!`](crate::leaf) for leaf types; containers have it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree",
    label = "neither a container of trees nor a leaf type",
    note = "derive it for a type of yours: `#[derive(treedef::Tree)]`; for one that is a leaf, `treedef::leaf!({Self});`",
    note = "`Vec`, `Box`, `BTreeMap` need the feature `alloc` of treedef, hash maps `std` or `hashbrown`",
    note = "a type of another crate is a leaf as `treedef::Whole<{Self}>`, or with `#[tree(leaf)]` in a family",
    note = "for data that belongs to the structure, mark the field `#[tree(meta)]`; to leave it out, `#[tree(skip)]`"
)]
pub trait Structure {
    /// What the type alone says about the structure.
    const SHAPE: &'static Shape;

    /// Whether a value can be [`Kind::None`](crate::Kind::None) itself, so that `Some` of it has to be told from `None`.
    const NULLABLE: bool = false;

    /// The number of leaves, if the type fixes it.
    const LEAVES: Option<usize> = Self::SHAPE.num_leaves();

    /// The treedef and its number of nodes, if the type fixes them and they fit
    /// [`MAX_CONST_BYTES`](crate::MAX_CONST_BYTES).
    const IMAGE: Option<Image<'static>> = image::<Self>();

    /// Tells the structure of this value to a sink.
    ///
    /// # Errors
    ///
    /// Those of the sink, unchanged.
    fn describe<S: Sink>(&self, sink: &mut S) -> Result<(), Error>;

    /// The number of leaves of this value.
    ///
    /// A constant where the type fixes it; else the value describes itself to a counter.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] from recursive types, [`Error::TooLarge`], what is wrong with the keys of a map.
    #[inline]
    fn num_leaves(&self) -> Result<usize, Error> {
        if let Some(leaves) = Self::LEAVES {
            return Ok(leaves);
        }
        let mut count = Count::new(MAX_DEPTH);
        self.describe(&mut count)?;
        Ok(count.finish())
    }
}

struct Constant<T: ?Sized>(core::marker::PhantomData<T>);

impl<T: Structure + ?Sized> Constant<T> {
    const SIZE: Option<Size> = size_of_shape(T::SHAPE);

    /// One array for each range of lengths: an array's length cannot depend on a type parameter. Only the taken arm
    /// reaches the program.
    const BYTES: &'static [u8] = {
        let len = match Self::SIZE {
            Some(size) => size.bytes(),
            None => 0,
        };
        macro_rules! buckets {
            ($($n:literal)*) => {
                match len {
                    0 => &[],
                    $(1..=$n => &take::<$n>(T::SHAPE),)*
                    _ => &take::<16384>(T::SHAPE),
                }
            };
        }
        buckets!(1 2 3 4 6 8 12 16 20 24 28 32 40 48 56 64 72 80 88 96 104 112 120 128 144 160 176 192 208 224 240 256
            320 384 448 512 768 1024 2048 4096)
    };
}

const fn image<T: Structure + ?Sized>() -> Option<Image<'static>> {
    match Constant::<T>::SIZE {
        Some(size) => Some(Image { def: size.view(Constant::<T>::BYTES), nodes: size.nodes }),
        None => None,
    }
}

/// The treedef of a type whose structure is fixed: a constant, nothing is done at run time.
///
/// A type whose structure depends on the value (an enum, `Option`, `Vec`, static data) does not compile here; use
/// [`structure_into`](crate::structure_into).
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
pub const fn treedef_of<T: Structure>() -> TreeDef<'static> {
    const {
        match T::IMAGE {
            Some(image) => image.treedef(),
            None => panic!(
                "the structure of this type depends on its value, or is above MAX_CONST_BYTES: use structure_into"
            ),
        }
    }
}

/// Describes a list of `count` elements: an element of fixed structure once, with a repeat.
pub(crate) fn describe_elements<'a, T, S>(
    sink: &mut S,
    elements: impl ExactSizeIterator<Item = &'a T>,
) -> Result<(), Error>
where
    T: Structure + 'a,
    S: Sink,
{
    let Some(image) = T::IMAGE else {
        for element in elements {
            element.describe(sink)?;
        }
        return Ok(());
    };
    let Some(copies) = elements.len().checked_sub(1) else { return Ok(()) };
    sink.fixed(image)?;
    sink.repeat(copies)
}
