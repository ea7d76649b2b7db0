//! Arrays of the caller: their elements and nothing else.

use core::fmt;
use core::ops::Range;

use super::half::{Bf16, F16};
use super::number::{Element, Number};
use crate::base::dtype::Dtype;
use crate::base::show::show_by_debug;
use crate::leaf;

/// Defines both array types for all dtypes.
macro_rules! arrays {
    ($($dtype:ident($element:ty),)*) => {
        /// The elements of an array that is read, row by row; the shape stays with the caller.
        ///
        /// Made by `from` a slice or array of the dtype's element type. It is a leaf, so that trees can hold arrays of
        /// several dtypes.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::Dtype;
        /// use treedef::ravel::ArrayRef;
        ///
        /// let weights = [[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
        /// let array = ArrayRef::from(weights.as_flattened());
        /// assert_eq!((array.dtype(), array.len()), (Dtype::Float32, 6));
        /// assert_eq!(array.get(4..6), Some(ArrayRef::from(&[5.0f32, 6.0])));
        /// assert_eq!(<&[f32]>::try_from(array).map(|slice| slice[0]), Ok(1.0));
        /// ```
        #[derive(Clone, Copy, PartialEq)]
        #[non_exhaustive]
        pub enum ArrayRef<'a> {
            $(#[doc = concat!("Elements of [`Dtype::", stringify!($dtype), "`].")]
            $dtype(&'a [$element]),)*
        }

        /// The elements of an array that is written.
        ///
        /// Made by `from` a slice or array of the dtype's element type.
        #[derive(PartialEq)]
        #[non_exhaustive]
        pub enum ArrayMut<'a> {
            $(#[doc = concat!("Elements of [`Dtype::", stringify!($dtype), "`].")]
            $dtype(&'a mut [$element]),)*
        }

        $(impl Typed for $element {
            const DTYPE: Dtype = Dtype::$dtype;
        }

        impl<'a> From<&'a [$element]> for ArrayRef<'a> {
            fn from(elements: &'a [$element]) -> Self {
                Self::$dtype(elements)
            }
        }

        impl<'a, const N: usize> From<&'a [$element; N]> for ArrayRef<'a> {
            fn from(elements: &'a [$element; N]) -> Self {
                Self::$dtype(elements)
            }
        }

        /// Gives the array back where its dtype is another.
        impl<'a> TryFrom<ArrayRef<'a>> for &'a [$element] {
            type Error = ArrayRef<'a>;

            fn try_from(array: ArrayRef<'a>) -> Result<Self, ArrayRef<'a>> {
                match array {
                    ArrayRef::$dtype(elements) => Ok(elements),
                    _ => Err(array),
                }
            }
        }

        impl<'a> From<&'a mut [$element]> for ArrayMut<'a> {
            fn from(elements: &'a mut [$element]) -> Self {
                Self::$dtype(elements)
            }
        }

        impl<'a, const N: usize> From<&'a mut [$element; N]> for ArrayMut<'a> {
            fn from(elements: &'a mut [$element; N]) -> Self {
                Self::$dtype(elements)
            }
        })*
    };
}

arrays! {
    Bool(bool),
    Uint8(u8),
    Uint16(u16),
    Uint32(u32),
    Uint64(u64),
    Int8(i8),
    Int16(i16),
    Int32(i32),
    Int64(i64),
    Bfloat16(Bf16),
    Float16(F16),
    Float32(f32),
    Float64(f64),
    Complex64([f32; 2]),
    Complex128([f64; 2]),
}

leaf!(impl ['a,] ArrayRef<'a>);

/// The elements of an array of whatever dtype, as one expression for every type.
macro_rules! elements {
    ($array:ident of $self:expr, $elements:ident => $result:expr) => {
        match $self {
            $array::Bool($elements) => $result,
            $array::Uint8($elements) => $result,
            $array::Uint16($elements) => $result,
            $array::Uint32($elements) => $result,
            $array::Uint64($elements) => $result,
            $array::Int8($elements) => $result,
            $array::Int16($elements) => $result,
            $array::Int32($elements) => $result,
            $array::Int64($elements) => $result,
            $array::Bfloat16($elements) => $result,
            $array::Float16($elements) => $result,
            $array::Float32($elements) => $result,
            $array::Float64($elements) => $result,
            $array::Complex64($elements) => $result,
            $array::Complex128($elements) => $result,
        }
    };
}

impl<'a> ArrayRef<'a> {
    /// The type of the elements.
    pub const fn dtype(&self) -> Dtype {
        elements!(ArrayRef of self, elements => dtype_of(elements))
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        elements!(ArrayRef of self, elements => elements.len())
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements of this range; `None` if it is not inside.
    pub fn get(&self, range: Range<usize>) -> Option<Self> {
        Some(elements!(ArrayRef of self, elements => elements.get(range)?.into()))
    }

    /// One element as a number.
    fn number(&self, index: usize) -> Option<Number> {
        Some(elements!(ArrayRef of self, elements => elements.get(index)?.number()))
    }
}

impl ArrayMut<'_> {
    /// The type of the elements.
    pub const fn dtype(&self) -> Dtype {
        elements!(ArrayMut of self, elements => dtype_of(elements))
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        elements!(ArrayMut of self, elements => elements.len())
    }

    /// Whether there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same elements to be read.
    pub fn as_ref(&self) -> ArrayRef<'_> {
        elements!(ArrayMut of self, elements => (&**elements).into())
    }

    /// The same elements for a shorter time.
    pub fn reborrow(&mut self) -> ArrayMut<'_> {
        elements!(ArrayMut of self, elements => (&mut **elements).into())
    }

    /// The elements of this range; `None` if it is not inside.
    pub fn get_mut(&mut self, range: Range<usize>) -> Option<ArrayMut<'_>> {
        Some(elements!(ArrayMut of self, elements => elements.get_mut(range)?.into()))
    }

    /// Writes the elements of `from`, converted where the dtypes differ, as far as both arrays go.
    pub(super) fn assign<'a>(&mut self, from: &ArrayRef<'a>) {
        elements!(ArrayMut of self, elements => assign(elements, from));
    }
}

/// The dtype of an element type.
trait Typed {
    const DTYPE: Dtype;
}

const fn dtype_of<T: Typed>(_: &[T]) -> Dtype {
    T::DTYPE
}

/// A `memcpy` where the dtypes are equal; else one decision by dtype for each element: the code of a loop for every
/// pair of dtypes would be 225 loops.
fn assign<'a, T: Element>(to: &mut [T], from: &ArrayRef<'a>)
where
    &'a [T]: TryFrom<ArrayRef<'a>>,
{
    if let Ok(from) = <&[T]>::try_from(*from) {
        return match from.len() == to.len() {
            true => to.copy_from_slice(from),
            false => to.iter_mut().zip(from).for_each(|(to, from)| *to = *from),
        };
    }
    for (to, index) in to.iter_mut().zip(0..from.len()) {
        if let Some(number) = from.number(index) {
            *to = T::of(number);
        }
    }
}

/// The dtype and the number of elements, `float32[6]`: elements can be many.
impl fmt::Debug for ArrayRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.dtype(), crate::base::show::Shown(self.len()))
    }
}

impl fmt::Debug for ArrayMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_ref(), f)
    }
}

show_by_debug!([] ArrayRef<'_>, [] ArrayMut<'_>);
