//! Describes arrays without their elements.

use core::fmt;
use core::iter::from_fn;

use crate::base::dtype::Dtype;

use crate::format::varint;

/// The dtype, weak type and shape of an array, as JAX's `ShapedArray`.
///
/// It is a part of a [`CallKey`](crate::CallKey): [`KeyWriter::array`](crate::cache::KeyWriter::array) and
/// [`KeyWriter::leaves`](crate::cache::KeyWriter::leaves) write it, and it is read as
/// [`Part::Array`](crate::cache::Part::Array). `Display` prints the text of JAX.
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dtype, KeyWriter, Part, ShapeDtype};
///
/// let image = ShapeDtype::new(Dtype::Bfloat16, &[224, 224, 3]);
/// assert_eq!(image.to_string(), "bfloat16[224,224,3]");
///
/// let mut bytes = [0; 16];
/// let mut key = KeyWriter::new(&mut bytes);
/// key.leaves([image]);
/// assert!(key.finish()?.parts().eq([Part::Array(image)]));
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ShapeDtype<'a> {
    dtype: Dtype,
    weak: bool,
    pub(super) shape: Shape<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Shape<'a> {
    Sizes(&'a [usize]),
    /// The dimensions as varints in a call key.
    Encoded {
        rank: u32,
        bytes: &'a [u8],
    },
}

impl<'a> ShapeDtype<'a> {
    /// Describes an array with this dtype, which is not weak, and this shape.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// assert_eq!(ShapeDtype::new(Dtype::Float32, &[3, 4]).to_string(), "float32[3,4]");
    /// ```
    #[must_use]
    pub const fn new(dtype: Dtype, shape: &'a [usize]) -> Self {
        Self { dtype, weak: false, shape: Shape::Sizes(shape) }
    }

    /// Returns the same dtype and shape, marked as weak or not.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// let number = ShapeDtype::new(Dtype::Float32, &[]).with_weak(true);
    /// assert_eq!(number.to_string(), "weak float32[]");
    /// ```
    #[must_use]
    pub const fn with_weak(self, weak: bool) -> Self {
        Self { weak, ..self }
    }

    /// Reads the bytes after the tag in a call key: the code of the dtype, the rank and the dimensions.
    pub(super) fn read(
        dtype: Dtype,
        weak: bool,
        bytes: &'a [u8],
    ) -> Option<(ShapeDtype<'a>, &'a [u8])> {
        let (rank, start) = varint::read_u32(bytes)?;
        let mut rest = start;
        for _ in 0..rank {
            (_, rest) = varint::read_u64(rest)?;
        }
        let bytes = start.get(..start.len().checked_sub(rest.len())?)?;
        Some((Self { dtype, weak, shape: Shape::Encoded { rank, bytes } }, rest))
    }

    /// Returns the element type.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// let image = ShapeDtype::new(Dtype::Uint8, &[224, 224, 3]);
    /// assert_eq!(image.shape().product::<usize>() * image.dtype().size(), 150_528);
    /// ```
    #[must_use]
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Whether the dtype is weak (JAX's `weak_type`). A weak dtype, as that of a Python number, becomes the dtype of the
    /// other operand.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// let number = ShapeDtype::new(Dtype::Float32, &[]);
    /// assert!(!number.is_weak() && number.with_weak(true).is_weak());
    /// ```
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.weak
    }

    /// Returns the number of dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// assert_eq!(ShapeDtype::new(Dtype::Float32, &[3, 4]).rank(), 2);
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        match self.shape {
            Shape::Sizes(sizes) => sizes.len(),
            Shape::Encoded { rank, .. } => rank as usize,
        }
    }

    /// Iterates over the dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// let image = ShapeDtype::new(Dtype::Uint8, &[224, 224, 3]);
    /// assert_eq!((image.rank(), image.shape().product::<usize>()), (3, 150_528));
    /// ```
    pub const fn shape(&self) -> Dims<'a> {
        Dims(self.shape)
    }
}

impl PartialEq for ShapeDtype<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (mut ours, mut theirs) = (self.shape(), other.shape());
        (self.dtype, self.weak) == (other.dtype, other.weak)
            && from_fn(|| ours.next_written()).eq(from_fn(|| theirs.next_written()))
    }
}

impl Eq for ShapeDtype<'_> {}

/// Prints the text of JAX: `float32[3,4]`, or `weak float32[3,4]` for a weak type.
impl fmt::Display for ShapeDtype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.weak { "weak " } else { "" })?;
        f.write_str(self.dtype.name())?;
        let mut before = "[";
        for dim in self.shape() {
            write!(f, "{before}{dim}")?;
            before = ",";
        }
        f.write_str(if self.rank() == 0 { "[]" } else { "]" })
    }
}

impl fmt::Debug for ShapeDtype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An iterator over the dimensions of a [`ShapeDtype`].
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dtype, ShapeDtype};
///
/// assert!(ShapeDtype::new(Dtype::Float32, &[3, 4]).shape().eq([3, 4]));
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Dims<'a>(Shape<'a>);

impl fmt::Debug for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::base::show::list(f, self.clone())
    }
}

impl Dims<'_> {
    /// The next dimension, also if the machine that wrote it has a larger `usize`.
    fn next_written(&mut self) -> Option<u64> {
        match &mut self.0 {
            Shape::Sizes(sizes) => {
                let (first, rest) = sizes.split_first()?;
                *sizes = rest;
                Some(*first as u64)
            }
            Shape::Encoded { rank, bytes } => {
                *rank = rank.checked_sub(1)?;
                let (dim, rest) = varint::read_u64(bytes)?;
                *bytes = rest;
                Some(dim)
            }
        }
    }
}

/// A dimension that `usize` does not hold is `usize::MAX`.
impl Iterator for Dims<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.next_written().map(|dim| usize::try_from(dim).unwrap_or(usize::MAX))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.0 {
            Shape::Sizes(sizes) => sizes.len(),
            Shape::Encoded { rank, .. } => rank as usize,
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Dims<'_> {}
