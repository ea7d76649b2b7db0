//! What is known of an array without its elements.

use core::fmt;

use crate::base::dtype::Dtype;
use crate::base::show::{Shown, show_by_debug};
use crate::format::varint;

/// An array without its elements: dtype, weak type and shape, as JAX's `ShapedArray`.
///
/// A [`CallKey`](crate::CallKey) holds them, [`KeyWriter::array`](crate::cache::KeyWriter::array) and
/// [`KeyWriter::leaves`](crate::cache::KeyWriter::leaves) write them, and [`Part::Array`](crate::cache::Part::Array) is
/// one that was read. `Display` is JAX's text.
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
    /// As varints in a call key.
    Encoded {
        rank: u32,
        bytes: &'a [u8],
    },
}

impl<'a> ShapeDtype<'a> {
    /// An array of this dtype, which is not weak, and of this shape.
    #[must_use]
    pub const fn new(dtype: Dtype, shape: &'a [usize]) -> Self {
        Self { dtype, weak: false, shape: Shape::Sizes(shape) }
    }

    /// The same array with a weak type, or without.
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

    /// Reads what follows the tag in a call key: the dtype's code, the rank and the dimensions.
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

    /// The element type.
    #[must_use]
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Whether the dtype gives way to others, as that of a Python number (JAX's `weak_type`).
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.weak
    }

    /// The number of dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        match self.shape {
            Shape::Sizes(sizes) => sizes.len(),
            Shape::Encoded { rank, .. } => rank as usize,
        }
    }

    /// The dimensions.
    pub const fn shape(&self) -> Dims<'a> {
        Dims(self.shape)
    }
}

impl PartialEq for ShapeDtype<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.dtype, self.weak) == (other.dtype, other.weak) && self.shape().eq(other.shape())
    }
}

impl Eq for ShapeDtype<'_> {}

/// As JAX: `float32[3,4]`, after `weak ` where the type is weak.
impl fmt::Display for ShapeDtype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.weak { "weak " } else { "" })?;
        f.write_str(self.dtype.name())?;
        let mut before = "[";
        for dim in self.shape() {
            write!(f, "{before}{}", Shown(dim))?;
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

show_by_debug!([] ShapeDtype<'_>);

/// The dimensions of a [`ShapeDtype`].
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Dims<'a>(Shape<'a>);

impl fmt::Debug for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::base::show::list(f, self.clone())
    }
}

impl Iterator for Dims<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match &mut self.0 {
            Shape::Sizes(sizes) => {
                let (first, rest) = sizes.split_first()?;
                *sizes = rest;
                Some(*first)
            }
            Shape::Encoded { rank, bytes } => {
                *rank = rank.checked_sub(1)?;
                let (dim, rest) = varint::read_u64(bytes)?;
                *bytes = rest;
                // A `usize` was written, on a machine whose words may be larger.
                Some(usize::try_from(dim).unwrap_or(usize::MAX))
            }
        }
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
