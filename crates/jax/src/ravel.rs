//! Converts arrays of several sizes and dtypes to one flat vector, and back, as `jax.flatten_util.ravel_pytree`.
//!
//! The arrays are the leaves of a tree, in order; its treedef puts them back in their places. For a tree whose leaves
//! are numbers of one type, use [`leaves_into`](treedef::leaves_into) and [`unflatten`](treedef::unflatten()) instead.
//!
//! # Examples
//!
//! ```
//! use treedef_jax::ravel::{Array, ravel};
//!
//! // Weights, and a counter.
//! let (flat, layout) = ravel(&[Array::from(&[1.5f32, 2.5, 3.5]), Array::from(&[7i32])]);
//! assert_eq!(flat, Array::from(&[1.5f32, 2.5, 3.5, 7.0]));
//! assert_eq!(layout.spans()[1].range(), 3..4);
//!
//! let doubled = Array::from(&[3.0f32, 5.0, 7.0, 14.0]);
//! let parts = layout.unravel(&doubled)?;
//! assert_eq!(parts, [Array::from(&[3.0f32, 5.0, 7.0]), Array::from(&[14i32])]);
//! # Ok::<(), treedef_jax::ravel::RavelError>(())
//! ```

use std::error::Error;
use std::fmt;
use std::ops::Range;

use treedef::cache::Dtype;

mod number;

mod array;

mod promotion;

pub use array::{Array, Element};
pub use promotion::result_type;

/// The place of one array in the flat vector, and its dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// The index of its first element.
    pub offset: usize,
    /// The number of its elements.
    pub len: usize,
    /// The dtype of the array.
    pub dtype: Dtype,
}

impl Span {
    /// The indices of its elements.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.len)
    }
}

/// The layout of arrays in a flat vector: their spans and their common dtype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ravel {
    spans: Vec<Span>,
    dtype: Dtype,
    len: usize,
}

/// Joins arrays to one vector and returns it with their layout, as `jax.flatten_util.ravel_pytree`.
///
/// The vector has the dtype of [`result_type`], or `float32` if there are no arrays. Elements are converted as by
/// [`Array::convert`]. The conversion is exact, except for large integers that become floats.
///
/// # Examples
///
/// ```
/// use treedef::cache::Dtype;
/// use treedef::{View, treedef};
/// use treedef_jax::ravel::{Array, ravel};
///
/// let leaves = [Array::from(&[7u8]), Array::from(&[1.5f32, 2.5])];
/// let (flat, layout) = ravel(&leaves);
/// assert_eq!(layout.dtype(), Dtype::Float32);
///
/// // A tree of spans names the parts.
/// let spans = View::new(treedef!({"step": *, "w": *}), layout.spans())?;
/// let w = spans.get("w").and_then(|span| span.as_leaf()).expect("the dict has a leaf w");
/// assert_eq!(flat.get(w.range()), Some(Array::from(&[1.5f32, 2.5])));
/// # Ok::<(), treedef::Error>(())
/// ```
#[must_use]
pub fn ravel(arrays: &[Array<'_>]) -> (Array<'static>, Ravel) {
    let (mut spans, mut len) = (Vec::new(), 0);
    for array in arrays {
        spans.push(Span { offset: len, len: array.len(), dtype: array.dtype() });
        len += array.len();
    }
    let dtype = common(&spans).unwrap_or(Dtype::Float32);
    (Array::concatenate(arrays, dtype), Ravel { spans, dtype, len })
}

fn common(spans: &[Span]) -> Option<Dtype> {
    result_type(spans.iter().map(|span| span.dtype))
}

impl Ravel {
    /// Makes the layout of arrays with these dtypes and numbers of elements.
    ///
    /// # Errors
    ///
    /// [`RavelError::NoCommonDtype`]; [`RavelError::TooLarge`] if there are more than `usize::MAX` elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    /// use treedef_jax::ravel::Ravel;
    ///
    /// let layout = Ravel::new([(Dtype::Bfloat16, 6), (Dtype::Float16, 1)])?;
    /// assert_eq!((layout.dtype(), layout.len()), (Dtype::Float32, 7));
    /// # Ok::<(), treedef_jax::ravel::RavelError>(())
    /// ```
    pub fn new(arrays: impl IntoIterator<Item = (Dtype, usize)>) -> Result<Self, RavelError> {
        let (mut spans, mut len) = (Vec::new(), 0usize);
        for (dtype, size) in arrays {
            spans.push(Span { offset: len, len: size, dtype });
            len = len.checked_add(size).ok_or(RavelError::TooLarge)?;
        }
        let dtype = match common(&spans) {
            None if spans.is_empty() => Dtype::Float32,
            dtype => dtype.ok_or(RavelError::NoCommonDtype)?,
        };
        Ok(Self { spans, dtype, len })
    }

    /// The spans of the arrays, in their order.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The common dtype of the arrays.
    #[must_use]
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The number of elements of all arrays.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Splits `flat` into the arrays, in order, as the second result of `ravel_pytree`.
    ///
    /// If all arrays have the same dtype, `flat` can have any dtype, and the parts have the dtype of `flat`. Otherwise
    /// `flat` must have the common dtype, and each part is converted back to the dtype of its array. Parts that are not
    /// converted are borrowed.
    ///
    /// # Errors
    ///
    /// [`RavelError::WrongDtype`]; [`RavelError::Length`] if `flat` has more or fewer elements. Without arrays any vector fits, as in
    /// JAX (`DIFFERENCE`: optree's `unravel` refuses one with elements).
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    /// use treedef_jax::ravel::{Array, Ravel, RavelError};
    ///
    /// let layout = Ravel::new([(Dtype::Float32, 2), (Dtype::Bool, 1)])?;
    /// let flat = Array::from(&[0.5f32, 0.25, 1.0]);
    /// let parts = layout.unravel(&flat)?;
    /// assert_eq!(parts, [Array::from(&[0.5f32, 0.25]), Array::from(&[true])]);
    ///
    /// let error = layout.unravel(&Array::from(&[1i32, 2, 3])).unwrap_err();
    /// assert_eq!(error, RavelError::WrongDtype { expected: Dtype::Float32, found: Dtype::Int32 });
    ///
    /// // Without arrays nothing is read.
    /// assert_eq!(Ravel::new([])?.unravel(&flat), Ok(vec![]));
    /// # Ok::<(), RavelError>(())
    /// ```
    pub fn unravel<'a>(&self, flat: &'a Array<'_>) -> Result<Vec<Array<'a>>, RavelError> {
        let mixed = self.spans.iter().any(|span| span.dtype != self.dtype);
        if mixed && flat.dtype() != self.dtype {
            return Err(RavelError::WrongDtype { expected: self.dtype, found: flat.dtype() });
        }
        if flat.len() != self.len && !self.spans.is_empty() {
            return Err(RavelError::Length { expected: self.len, found: flat.len() });
        }
        // Spans are inside the vector. A span with another dtype than the vector was promoted.
        let part = |span: &Span| {
            let part = flat.get(span.range())?;
            if mixed { part.convert(span.dtype) } else { Some(part) }
        };
        Ok(self.spans.iter().filter_map(part).collect())
    }
}

/// Why arrays and a flat vector do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RavelError {
    /// The vector has another number of elements than the arrays.
    Length {
        /// Elements of the arrays.
        expected: usize,
        /// Elements of the vector.
        found: usize,
    },
    /// The dtype of the vector is not the common dtype of the arrays.
    WrongDtype {
        /// The common dtype of the arrays.
        expected: Dtype,
        /// The dtype of the vector.
        found: Dtype,
    },
    /// One of the dtypes has no [`Element`], so [`result_type`] is `None`.
    NoCommonDtype,
    /// The arrays have more than `usize::MAX` elements.
    TooLarge,
}

impl fmt::Display for RavelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => {
                write!(f, "flat vector has {found} elements, the arrays have {expected}")
            }
            Self::WrongDtype { expected, found } => {
                write!(f, "flat vector is of dtype {found}, expected {expected}")
            }
            Self::NoCommonDtype => f.write_str("arrays have no common dtype"),
            Self::TooLarge => f.write_str("arrays have more elements than a vector holds"),
        }
    }
}

impl Error for RavelError {}
