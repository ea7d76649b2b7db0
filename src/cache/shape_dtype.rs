//! Describes arrays without their elements.

use core::fmt;

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::base::dtype::Dtype;
use crate::base::show::{debug_as_text, list, separated};
use crate::format::reader::Input;

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
#[doc(alias("ShapeDtypeStruct", "ShapedArray"))]
pub struct ShapeDtype<'a> {
    dtype: Dtype,
    weak: bool,
    pub(super) shape: Shape<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Shape<'a> {
    Sizes(&'a [usize]),
    Dims(&'a [Dim<'a>]),
    /// The dimensions as they are in a call key.
    Encoded {
        rank: u32,
        bytes: &'a [u8],
        /// Whether they are in the form that has symbols.
        is_symbolic: bool,
    },
}

impl Shape<'_> {
    const fn rank(&self) -> usize {
        match self {
            Self::Sizes(sizes) => sizes.len(),
            Self::Dims(dims) => dims.len(),
            Self::Encoded { rank, .. } => *rank as usize,
        }
    }
}

/// A dimension of an array.
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dim, Dtype, KeyWriter, ShapeDtype};
///
/// let mut bytes = [0; 32];
/// let mut key = KeyWriter::new(&mut bytes);
/// let image = [Dim::Symbolic("batch"), Dim::Size(224), Dim::ANY];
/// key.leaves([ShapeDtype::symbolic(Dtype::Float32, &image)]);
/// assert_eq!(key.finish()?.to_string(), "float32[batch,224,?]");
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "symbolic_shape")]
pub enum Dim<'a> {
    /// The code is for this size alone. It has 64 bits on every machine.
    Size(u64),
    /// The size is only known when the code runs. The text is a name or an expression of names, as the symbolic dimensions
    /// of `jax.export` (`2*batch`), or a range, as `<=8`. Two texts are two keys, whatever they mean.
    Symbolic(&'a str),
}

impl Dim<'_> {
    /// A dimension of any size, which is unrelated to the others: the symbol `?`, as StableHLO prints it.
    pub const ANY: Self = Self::Symbolic("?");

    /// The size, if the code is for one alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dim;
    ///
    /// assert_eq!((Dim::Size(3).size(), Dim::ANY.size()), (Some(3), None));
    /// ```
    #[must_use]
    pub const fn size(self) -> Option<u64> {
        match self {
            Self::Size(size) => Some(size),
            Self::Symbolic(_) => None,
        }
    }
}

impl fmt::Display for Dim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => write!(f, "{size}"),
            Self::Symbolic(symbol) => f.write_str(symbol),
        }
    }
}

debug_as_text!(Dim<'_>, "{}");

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

    /// Describes an array by a [`Dim`] for each dimension, which can be symbolic. Without a symbol it equals that of
    /// [`ShapeDtype::new`].
    #[must_use]
    pub const fn symbolic(dtype: Dtype, shape: &'a [Dim<'a>]) -> Self {
        Self { dtype, weak: false, shape: Shape::Dims(shape) }
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

    /// Reads what follows the dtype in a call key: the rank and the dimensions.
    pub(super) fn take(
        dtype: Dtype,
        weak: bool,
        is_symbolic: bool,
        input: &mut Input<'a>,
    ) -> Option<Self> {
        let rank = input.number()?;
        let (start, mut has_symbol) = (input.rest, false);
        for _ in 0..rank {
            has_symbol |= take_dim(is_symbolic, input)?.size().is_none();
        }
        if has_symbol != is_symbolic {
            return input.fail(Fault::ArrayForm);
        }
        let bytes = start.get(..start.len().saturating_sub(input.rest.len()))?;
        Some(Self { dtype, weak, shape: Shape::Encoded { rank, bytes, is_symbolic } })
    }

    /// Whether a dimension is symbolic.
    #[inline]
    pub(super) fn is_symbolic(&self) -> bool {
        match self.shape {
            Shape::Sizes(_) => false,
            Shape::Dims(dims) => dims.iter().any(|dim| dim.size().is_none()),
            Shape::Encoded { is_symbolic, .. } => is_symbolic,
        }
    }

    /// Returns the element type.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dtype, ShapeDtype};
    ///
    /// let image = ShapeDtype::new(Dtype::Uint8, &[224, 224, 3]);
    /// assert_eq!((image.dtype(), image.dtype().size()), (Dtype::Uint8, 1));
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
        self.shape.rank()
    }

    /// Iterates over the dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dim, Dtype, ShapeDtype};
    ///
    /// let image = ShapeDtype::new(Dtype::Uint8, &[224, 3]);
    /// assert!(image.shape().eq([Dim::Size(224), Dim::Size(3)]));
    /// ```
    pub const fn shape(&self) -> Dims<'a> {
        Dims(self.shape)
    }

    /// The number of elements. `None` if a dimension is symbolic or the number exceeds 64 bits.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::{Dim, Dtype, ShapeDtype};
    ///
    /// assert_eq!(ShapeDtype::new(Dtype::Uint8, &[224, 224, 3]).num_elements(), Some(150_528));
    /// assert_eq!(ShapeDtype::symbolic(Dtype::Uint8, &[Dim::ANY]).num_elements(), None);
    /// ```
    #[must_use]
    pub fn num_elements(&self) -> Option<u64> {
        let is_empty = self.shape().any(|dim| dim.size() == Some(0));
        let is_known = self.shape().all(|dim| dim.size().is_some());
        match is_empty && is_known {
            true => Some(0),
            false => self.shape().try_fold(1u64, |all, dim| all.checked_mul(dim.size()?)),
        }
    }
}

impl PartialEq for ShapeDtype<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.dtype, self.weak) == (other.dtype, other.weak) && self.shape().eq(other.shape())
    }
}

impl Eq for ShapeDtype<'_> {}

/// Prints the text of JAX: `float32[3,4]`, or `weak float32[3,4]` for a weak type.
impl fmt::Display for ShapeDtype<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.weak { "weak " } else { "" })?;
        f.write_str(self.dtype.name())?;
        f.write_str("[")?;
        separated(f, ",", self.shape(), |f, dim| dim.fmt(f))?;
        f.write_str("]")
    }
}

debug_as_text!(ShapeDtype<'_>, "{}");

/// An iterator over the dimensions of a [`ShapeDtype`].
///
/// # Examples
///
/// ```
/// use treedef::cache::{Dim, Dtype, ShapeDtype};
///
/// assert!(ShapeDtype::new(Dtype::Float32, &[3, 4]).shape().eq([3, 4].map(Dim::Size)));
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Dims<'a>(Shape<'a>);

impl fmt::Debug for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.clone())
    }
}

/// Reads a dimension from a call key.
fn take_dim<'a>(is_symbolic: bool, input: &mut Input<'a>) -> Option<Dim<'a>> {
    let number = input.long_number()?;
    match number.checked_sub(1) {
        _ if !is_symbolic => Some(Dim::Size(number)),
        None => take_dim(false, input),
        Some(len) => input.text_of(usize::try_from(len).ok()?).map(Dim::Symbolic),
    }
}

impl<'a> Iterator for Dims<'a> {
    type Item = Dim<'a>;

    fn next(&mut self) -> Option<Dim<'a>> {
        match &mut self.0 {
            Shape::Sizes(sizes) => sizes.split_off_first().map(|size| Dim::Size(*size as u64)),
            Shape::Dims(dims) => dims.split_off_first().copied(),
            Shape::Encoded { rank, bytes, is_symbolic } => {
                *rank = rank.checked_sub(1)?;
                let mut input = Input::new(bytes);
                let dim = take_dim(*is_symbolic, &mut input)?;
                *bytes = input.rest;
                Some(dim)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.rank();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Dims<'_> {}
