//! Arrays of several sizes and dtypes as one flat vector, and back.
//!
//! As `jax.flatten_util.ravel_pytree`, into memory of the caller. A tree whose leaves are numbers of one type needs
//! none of this: [`leaves_into`](crate::leaves_into) is its ravel, [`unflatten`](crate::unflatten) its unravel and
//! [`TreeDef::arrays`](crate::TreeDef::arrays) its table of offsets.
//!
//! # Examples
//!
//! ```
//! use treedef::ravel::{ArrayRef, Span, ravel_into};
//!
//! // The leaves of a tree, in order: weights, and a counter.
//! let leaves = [ArrayRef::from(&[1.5f32, 2.5, 3.5]), ArrayRef::from(&[7i32])];
//! let (mut flat, mut spans) = ([0.0f32; 4], [Span::default(); 2]);
//! let ravel = ravel_into(&leaves, &mut flat, &mut spans)?;
//! assert_eq!(flat, [1.5, 2.5, 3.5, 7.0]);
//! assert_eq!(ravel.spans()[1].range(), 3..4);
//!
//! let (mut weights, mut count) = ([0.0f32; 3], [0i32]);
//! let mut arrays = [(&mut weights).into(), (&mut count).into()];
//! ravel.unravel_into(&flat.map(|x| x * 2.0), &mut arrays)?;
//! assert_eq!((weights, count), ([3.0, 5.0, 7.0], [14]));
//! # Ok::<(), treedef::Error>(())
//! ```

use core::ops::Range;

use crate::base::dtype::Dtype;
use crate::base::error::Error;
use crate::base::show::debug_struct;

mod half;

mod number;

mod array;

pub use array::{ArrayMut, ArrayRef};
pub use half::{Bf16, F16};

/// Where the elements of one array stand in the flat vector, and the dtype they have outside.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Span {
    /// The index of its first element.
    pub offset: usize,
    /// The number of its elements.
    pub len: usize,
    /// The dtype of the array.
    pub dtype: Dtype,
}

debug_struct!([] Span { offset, len, dtype });

impl Span {
    /// The indices of its elements.
    pub const fn range(&self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.len)
    }
}

/// No elements: what a table holds before it is written.
impl Default for Span {
    fn default() -> Self {
        Self { offset: 0, len: 0, dtype: Dtype::Float32 }
    }
}

/// How arrays lie in a flat vector: their spans and the dtype they have together.
///
/// It borrows the table that it wrote and can be used for any number of vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ravel<'s> {
    spans: &'s [Span],
    dtype: Dtype,
    len: usize,
    mixed: bool,
}

debug_struct!([] Ravel<'_> { spans, dtype, len, mixed });

impl<'s> Ravel<'s> {
    /// Lays out arrays of these dtypes and numbers of elements one behind the other; a span for each goes to the front
    /// of `spans`.
    ///
    /// The vector has the dtype of [`Dtype::promote_all`]; `float32` where there are no arrays.
    ///
    /// # Errors
    ///
    /// [`Error::LeavesFull`] with the number of arrays if `spans` has room for fewer; [`Error::TooLarge`] if the
    /// elements are more than `usize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Dtype;
    /// use treedef::ravel::{Ravel, Span};
    ///
    /// let mut spans = [Span::default(); 2];
    /// let ravel = Ravel::new([(Dtype::Bfloat16, 6), (Dtype::Float16, 1)], &mut spans)?;
    /// assert_eq!((ravel.dtype(), ravel.len()), (Dtype::Float32, 7));
    /// assert_eq!(ravel.spans()[1].offset, 6);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn new(
        arrays: impl IntoIterator<Item = (Dtype, usize)>,
        spans: &'s mut [Span],
    ) -> Result<Self, Error> {
        let (mut count, mut len) = (0_usize, 0_usize);
        for (dtype, size) in arrays {
            let offset = len;
            len = offset.checked_add(size).ok_or(Error::TooLarge)?;
            if let Some(span) = spans.get_mut(count) {
                *span = Span { offset, len: size, dtype };
            }
            count = count.checked_add(1).ok_or(Error::TooLarge)?;
        }
        let room = spans.len();
        let spans = spans.get(..count).ok_or(Error::LeavesFull { needed: count, room })?;
        let mut dtypes = spans.iter().map(|span| span.dtype);
        let dtype = Dtype::promote_all(dtypes.clone()).unwrap_or(Dtype::Float32);
        Ok(Self { spans, dtype, len, mixed: dtypes.any(|own| own != dtype) })
    }

    /// The spans of the arrays, in their order.
    pub const fn spans(&self) -> &'s [Span] {
        self.spans
    }

    /// The dtype that the arrays have together.
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The number of elements of all arrays.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the elements of `arrays` to the front of `flat`, converted where the dtypes differ.
    ///
    /// A `memcpy` for each array of the vector's dtype; for every other a step for each element that looks at both
    /// dtypes. Conversions are those of `jax.lax.convert_element_type` on a CPU: integers wrap, floats become the
    /// nearest integer towards zero inside the bounds and NaN zero, floats round to the nearest, half floats by way of
    /// `f32`, imaginary parts are dropped, and what is not zero is true. A promotion loses nothing but bits of integers
    /// that become floats, and of those the ones a float has no room for. `DIFFERENCE`: subnormal numbers stay what
    /// they are; XLA on a CPU takes them, and gives them, for zero.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewLeaves`], [`Error::TooManyLeaves`]; [`Error::WrongLeaf`] with the index of an array that has
    /// another dtype or number of elements than its span; [`Error::WrongDtype`] and [`Error::FlatLength`] if `flat` has
    /// another dtype or is too short. Nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Error;
    /// use treedef::ravel::{ArrayRef, Ravel, Span};
    ///
    /// let arrays = [ArrayRef::from(&[1i32, 2]), ArrayRef::from(&[true])];
    /// let mut spans = [Span::default(); 2];
    /// let layout = arrays.iter().map(|array| (array.dtype(), array.len()));
    /// let ravel = Ravel::new(layout, &mut spans)?;
    /// let mut flat = [0i32; 3];
    /// ravel.ravel_into(&arrays, &mut flat)?;
    /// assert_eq!(flat, [1, 2, 1]);
    ///
    /// let error = ravel.ravel_into(&arrays, &mut [0i32; 2]).unwrap_err();
    /// assert_eq!(error, Error::FlatLength { expected: 3, found: 2 });
    /// # Ok::<(), Error>(())
    /// ```
    pub fn ravel_into<'a>(
        &self,
        arrays: &[ArrayRef<'_>],
        flat: impl Into<ArrayMut<'a>>,
    ) -> Result<(), Error> {
        self.write(arrays, &mut flat.into())
    }

    fn write(&self, arrays: &[ArrayRef<'_>], flat: &mut ArrayMut<'_>) -> Result<(), Error> {
        self.check(arrays.iter().copied(), |span| span.dtype)?;
        self.check_dtype(flat.dtype())?;
        if flat.len() < self.len {
            return Err(Error::FlatLength { expected: self.len, found: flat.len() });
        }
        for (array, span) in arrays.iter().zip(self.spans) {
            if let Some(mut place) = flat.get_mut(span.range()) {
                place.assign(array);
            }
        }
        Ok(())
    }

    /// The parts of `flat` that belong to the arrays, in their order: borrowed, in the dtype of `flat`.
    ///
    /// As the second result of `ravel_pytree`: where all arrays have one dtype, `flat` may have any other; where they
    /// differ, it must have theirs together. `DIFFERENCE`: nothing is converted back to the arrays' own dtypes;
    /// [`Ravel::unravel_into`] does that, in memory of the caller.
    ///
    /// # Errors
    ///
    /// [`Error::WrongDtype`]; [`Error::FlatLength`] if `flat` has more or fewer elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Dtype;
    /// use treedef::ravel::{ArrayRef, Ravel, Span};
    ///
    /// let mut spans = [Span::default(); 2];
    /// let ravel = Ravel::new([(Dtype::Float32, 2), (Dtype::Float32, 1)], &mut spans)?;
    /// let gradient = [0.5f32, 0.25, 4.0];
    /// let parts = ravel.unravel(&gradient)?;
    /// assert!(parts.eq([ArrayRef::from(&[0.5f32, 0.25]), ArrayRef::from(&[4.0f32])]));
    /// # Ok::<(), treedef::Error>(())
    /// ```
    pub fn unravel<'a>(&self, flat: impl Into<ArrayRef<'a>>) -> Result<Parts<'s, 'a>, Error> {
        let flat = flat.into();
        self.check_flat(&flat)?;
        Ok(Parts { spans: self.spans, flat })
    }

    /// Writes the parts of `flat` into the arrays, converted back to the dtype each of them has.
    ///
    /// As the second result of `ravel_pytree`; conversions and costs are those of [`Ravel::ravel_into`]. Where all
    /// arrays have one dtype, `flat` and `arrays` may have any other.
    ///
    /// # Errors
    ///
    /// [`Error::WrongDtype`]; [`Error::FlatLength`] if `flat` has more or fewer elements; [`Error::TooFewLeaves`],
    /// [`Error::TooManyLeaves`]; [`Error::WrongLeaf`] with the index of an array of another dtype or length. Nothing is
    /// written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Dtype, Error};
    /// use treedef::ravel::{Ravel, Span};
    ///
    /// let mut spans = [Span::default(); 2];
    /// let ravel = Ravel::new([(Dtype::Float32, 2), (Dtype::Bool, 1)], &mut spans)?;
    /// let (mut gains, mut enabled) = ([0.0f32; 2], [false]);
    /// let mut arrays = [(&mut gains).into(), (&mut enabled).into()];
    /// ravel.unravel_into(&[0.5f32, 0.25, 1.0], &mut arrays)?;
    ///
    /// let error = ravel.unravel_into(&[1i32, 2, 3], &mut arrays).unwrap_err();
    /// assert_eq!(error, Error::WrongDtype { expected: Dtype::Float32, found: Dtype::Int32 });
    /// let error = ravel.unravel_into(&[1.0f32; 4], &mut arrays).unwrap_err();
    /// assert_eq!(error, Error::FlatLength { expected: 3, found: 4 });
    /// assert_eq!((gains, enabled), ([0.5, 0.25], [true]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn unravel_into<'a>(
        &self,
        flat: impl Into<ArrayRef<'a>>,
        arrays: &mut [ArrayMut<'_>],
    ) -> Result<(), Error> {
        self.read(&flat.into(), arrays)
    }

    fn read(&self, flat: &ArrayRef<'_>, arrays: &mut [ArrayMut<'_>]) -> Result<(), Error> {
        self.check_flat(flat)?;
        let own = |span: &Span| if self.mixed { span.dtype } else { flat.dtype() };
        self.check(arrays.iter().map(ArrayMut::as_ref), own)?;
        for (array, span) in arrays.iter_mut().zip(self.spans) {
            if let Some(part) = flat.get(span.range()) {
                array.assign(&part);
            }
        }
        Ok(())
    }

    /// Sees that the arrays are those of the spans.
    fn check<'a>(
        &self,
        arrays: impl ExactSizeIterator<Item = ArrayRef<'a>>,
        dtype: impl Fn(&Span) -> Dtype,
    ) -> Result<(), Error> {
        let (expected, found) = (self.spans.len(), arrays.len());
        if found < expected {
            return Err(Error::TooFewLeaves { expected, found });
        }
        if found > expected {
            return Err(Error::TooManyLeaves { expected, found });
        }
        let mut leaf = 0_u32;
        for (array, span) in arrays.zip(self.spans) {
            if array.len() != span.len || array.dtype() != dtype(span) {
                return Err(Error::WrongLeaf { leaf });
            }
            leaf = leaf.saturating_add(1);
        }
        Ok(())
    }

    fn check_flat(&self, flat: &ArrayRef<'_>) -> Result<(), Error> {
        // With one dtype everywhere the vector's decides.
        if self.mixed {
            self.check_dtype(flat.dtype())?;
        }
        match flat.len() == self.len {
            true => Ok(()),
            false => Err(Error::FlatLength { expected: self.len, found: flat.len() }),
        }
    }

    fn check_dtype(&self, found: Dtype) -> Result<(), Error> {
        match found == self.dtype {
            true => Ok(()),
            false => Err(Error::WrongDtype { expected: self.dtype, found }),
        }
    }
}

/// The parts of a flat vector that [`Ravel::unravel`] yields.
#[derive(Clone)]
pub struct Parts<'s, 'a> {
    spans: &'s [Span],
    flat: ArrayRef<'a>,
}

debug_struct!([] Parts<'_, '_> { spans, flat });

impl<'a> Iterator for Parts<'_, 'a> {
    type Item = ArrayRef<'a>;

    fn next(&mut self) -> Option<ArrayRef<'a>> {
        let (span, rest) = self.spans.split_first()?;
        self.spans = rest;
        self.flat.get(span.range())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.spans.len(), Some(self.spans.len()))
    }
}

impl ExactSizeIterator for Parts<'_, '_> {}

/// Writes arrays as one vector to the front of `flat` and their table of offsets to the front of `spans`, as
/// `jax.flatten_util.ravel_pytree`.
///
/// [`Ravel::new`] and [`Ravel::ravel_into`] in one; the first alone tells the dtype and length that `flat` needs.
/// `DIFFERENCE`: JAX takes the dtype of the vector from the arrays; here the caller provides the vector and another
/// dtype is an error. No structure is part of it: a treedef gives the arrays their names.
///
/// # Errors
///
/// [`Error::LeavesFull`] with the number of arrays if `spans` has room for fewer; [`Error::WrongDtype`] and
/// [`Error::FlatLength`] if `flat` has another dtype than [`Dtype::promote_all`] or is too short.
///
/// # Examples
///
/// ```
/// use treedef::ravel::{ArrayRef, Span, ravel_into};
/// use treedef::{Dtype, Error, View, treedef};
///
/// let leaves = [ArrayRef::from(&[7u8]), ArrayRef::from(&[1.5f32, 2.5])];
/// let (mut flat, mut spans) = ([0.0f32; 3], [Span::default(); 2]);
/// let ravel = ravel_into(&leaves, &mut flat, &mut spans)?;
/// assert_eq!(flat, [7.0, 1.5, 2.5]);
///
/// // A tree of spans names the parts.
/// let spans = View::new(treedef!({"step": *, "w": *}), ravel.spans())?;
/// let w = spans.get("w").and_then(|span| span.as_leaf()).unwrap();
/// assert_eq!(flat[w.range()], [1.5, 2.5]);
///
/// let error = ravel_into(&leaves, &mut [0u8; 3], &mut [Span::default(); 2]).unwrap_err();
/// assert_eq!(error, Error::WrongDtype { expected: Dtype::Float32, found: Dtype::Uint8 });
/// # Ok::<(), Error>(())
/// ```
pub fn ravel_into<'a, 's>(
    arrays: &[ArrayRef<'_>],
    flat: impl Into<ArrayMut<'a>>,
    spans: &'s mut [Span],
) -> Result<Ravel<'s>, Error> {
    let ravel = Ravel::new(arrays.iter().map(|array| (array.dtype(), array.len())), spans)?;
    ravel.ravel_into(arrays, flat)?;
    Ok(ravel)
}
