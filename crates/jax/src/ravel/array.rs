//! Defines the elements of arrays.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use half::{bf16, f16};
use treedef::cache::Dtype;
use treedef::leaf;

use super::number::{Convert, Number};

/// The type of the elements of an array: a number or `bool` of one of the dtypes. It cannot be implemented for other
/// types.
pub trait Element: Convert {
    /// Its dtype.
    const DTYPE: Dtype;

    /// The elements of an array of this dtype.
    #[doc(hidden)]
    fn slice<'a>(array: &'a Array<'_>) -> Option<&'a [Self]>;
}

/// Defines [`Array`], and `elements!`, which evaluates one expression for the elements of every dtype.
macro_rules! arrays {
    ($dollar:tt $($dtype:ident($element:ty),)*) => {
        /// The elements of an array, row by row, borrowed or owned; the shape stays with the caller.
        ///
        /// Make it with `Array::from` a slice, an array or a vector. It is a leaf type, so a tree can hold arrays of
        /// several dtypes.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::cache::Dtype;
        /// use treedef_jax::ravel::Array;
        ///
        /// let weights = [[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
        /// let array = Array::from(weights.as_flattened());
        /// assert_eq!((array.dtype(), array.len()), (Dtype::Float32, 6));
        /// assert_eq!(array.get(4..6), Some(Array::from(vec![5.0f32, 6.0])));
        /// assert_eq!(array.as_slice::<f32>().map(|slice| slice[0]), Some(1.0));
        /// assert_eq!(array.as_slice::<i32>(), None);
        /// ```
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Array<'a> {
            $(#[doc = concat!("Elements of [`Dtype::", stringify!($dtype), "`].")]
            $dtype(Cow<'a, [$element]>),)*
        }

        macro_rules! elements {
            ($dollar array:expr, $dollar elements:ident => $dollar result:expr) => {
                match $dollar array {
                    $(Array::$dtype($dollar elements) => $dollar result,)*
                }
            };
        }

        impl<'a> Array<'a> {
            /// Joins the elements of all arrays, converted to `dtype`. Returns `None` if `dtype` has no [`Element`].
            fn joined(arrays: &[Self], dtype: Dtype) -> Option<Array<'static>> {
                match dtype {
                    $(Dtype::$dtype => Some(join::<$element>(arrays).into()),)*
                    _ => None,
                }
            }
        }

        $(impl Element for $element {
            const DTYPE: Dtype = Dtype::$dtype;

            fn slice<'a>(array: &'a Array<'_>) -> Option<&'a [Self]> {
                if let Array::$dtype(elements) = array { Some(elements) } else { None }
            }
        }

        impl<'a> From<&'a [$element]> for Array<'a> {
            fn from(elements: &'a [$element]) -> Self {
                Self::$dtype(Cow::Borrowed(elements))
            }
        }

        impl<'a, const N: usize> From<&'a [$element; N]> for Array<'a> {
            fn from(elements: &'a [$element; N]) -> Self {
                Self::$dtype(Cow::Borrowed(elements))
            }
        }

        impl From<Vec<$element>> for Array<'_> {
            fn from(elements: Vec<$element>) -> Self {
                Self::$dtype(Cow::Owned(elements))
            }
        })*
    };
}

arrays! { $
    Bool(bool),
    Uint8(u8),
    Uint16(u16),
    Uint32(u32),
    Uint64(u64),
    Int8(i8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    Bfloat16(bf16),
    Float16(f16),
    Float32(f32),
    Float64(f64),
    Complex64([f32; 2]),
    Complex128([f64; 2]),
}

leaf!(impl ['a,] Array<'a>);

impl<'a> Array<'a> {
    /// Returns the dtype of the elements.
    #[must_use]
    pub fn dtype(&self) -> Dtype {
        fn dtype_of<T: Element>(_: &[T]) -> Dtype {
            T::DTYPE
        }
        elements!(self, elements => dtype_of(elements))
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        elements!(self, elements => elements.len())
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements, if they have the type `T`.
    #[must_use]
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::slice(self)
    }

    /// Borrows the elements in a range, or returns `None` if the range is not inside.
    #[must_use]
    pub fn get(&self, range: Range<usize>) -> Option<Array<'_>> {
        Some(elements!(self, elements => elements.get(range)?.into()))
    }

    /// Converts the elements to another dtype, as `jax.lax.convert_element_type` on a CPU. Returns `None` if `dtype`
    /// has no [`Element`].
    ///
    /// Integers wrap. A float that becomes an integer is truncated and clamped to the bounds, and NaN becomes zero.
    /// Floats round to the nearest, half floats through `f32`. A complex number becomes its real part, except as
    /// another complex number. Every number except zero becomes `true`. `DIFFERENCE`: subnormal numbers are kept; XLA
    /// on a CPU reads them as zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    /// use treedef_jax::ravel::Array;
    ///
    /// let floats = Array::from(&[-1.5f32, 300.0, f32::NAN]);
    /// assert_eq!(floats.convert(Dtype::Uint8), Some(Array::from(&[0u8, 255, 0])));
    /// // As in JAX, a number with a zero real part is false.
    /// let complex = Array::from(&[[0.0f32, 1.0], [2.0, 0.0]]);
    /// assert_eq!(complex.convert(Dtype::Bool), Some(Array::from(&[false, true])));
    /// ```
    #[must_use]
    pub fn convert(self, dtype: Dtype) -> Option<Array<'a>> {
        if self.dtype() == dtype { Some(self) } else { Self::joined(&[self], dtype) }
    }

    /// Joins the elements of all arrays, converted to `dtype`, which has an [`Element`].
    pub(super) fn concatenate(arrays: &[Self], dtype: Dtype) -> Array<'static> {
        Self::joined(arrays, dtype).unwrap_or(Array::Float32(Cow::Borrowed(&[])))
    }

    /// Iterates over the elements as numbers. Each element takes one decision by dtype; a loop for every pair of dtypes
    /// would be 225 loops.
    fn numbers(&self) -> Box<dyn Iterator<Item = Number> + '_> {
        elements!(self, elements => Box::new(elements.iter().map(|element| element.number())))
    }
}

fn join<T: Element>(arrays: &[Array<'_>]) -> Vec<T> {
    let mut joined = Vec::with_capacity(arrays.iter().map(Array::len).sum());
    for array in arrays {
        match array.as_slice::<T>() {
            Some(elements) => joined.extend_from_slice(elements),
            None => joined.extend(array.numbers().map(T::of)),
        }
    }
    joined
}

/// Prints the dtype and the number of elements, `float32[6]`, since there can be many elements.
impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.dtype(), self.len())
    }
}
