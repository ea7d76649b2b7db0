//! Abstract values: what is known of an array without its elements.

use core::fmt;

use super::export_error::{ExportError, ExportErrorKind as Fault};
use super::flatbuffer::{Budget, Strings, Table, Vector};
use crate::base::dtype::Dtype;
use crate::base::python;
use crate::base::show::{list, show_by_debug};

/// The fields of an abstract value in the schema.
const KIND: u8 = 0;
const SHAPE: u8 = 1;
const DTYPE: u8 = 2;

/// The kind of an array, the only one that JAX writes.
const ARRAY: u8 = 0;

macro_rules! dtypes {
    ($($number:literal $variant:ident $name:literal)*) => {
        /// The type of an array's elements.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum ElementType {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl ElementType {
            /// The type with this number in the schema.
            const fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            const fn jax_name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

// The numbers are those of `DType` in `jax/_src/export/serialization.fbs`.
dtypes! {
    0 Bool "bool"
    1 Int8 "int8"
    2 Int16 "int16"
    3 Int32 "int32"
    4 Int64 "int64"
    5 Uint8 "uint8"
    6 Uint16 "uint16"
    7 Uint32 "uint32"
    8 Uint64 "uint64"
    9 Float16 "float16"
    10 Float32 "float32"
    11 Float64 "float64"
    12 Complex64 "complex64"
    13 Complex128 "complex128"
    14 Bfloat16 "bfloat16"
    15 Int4 "int4"
    16 Uint4 "uint4"
    17 Float8E4m3b11fnuz "float8_e4m3b11fnuz"
    18 Float8E4m3fn "float8_e4m3fn"
    19 Float8E4m3fnuz "float8_e4m3fnuz"
    20 Float8E5m2 "float8_e5m2"
    21 Float8E5m2fnuz "float8_e5m2fnuz"
    22 Float0 "float0"
    23 Float8E4m3 "float8_e4m3"
    24 Float8E3m4 "float8_e3m4"
    25 Float8E8m0fnu "float8_e8m0fnu"
    26 Float4E2m1fn "float4_e2m1fn"
    27 KeyFry "key<fry>"
    28 KeyRbg "key<rbg>"
    29 KeyUnsafeRbg "key<unsafe_rbg>"
}

impl ElementType {
    /// JAX's name of the type, such as `float32`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::jax::ElementType;
    ///
    /// assert_eq!(ElementType::Bfloat16.name(), "bfloat16");
    /// assert_eq!(ElementType::KeyFry.to_string(), "key<fry>");
    /// ```
    pub const fn name(self) -> &'static str {
        self.jax_name()
    }

    /// The type to compute with; `None` for those that this crate has no numbers of.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Dtype, jax::ElementType};
    ///
    /// assert_eq!(ElementType::Bfloat16.dtype(), Some(Dtype::Bfloat16));
    /// assert_eq!(ElementType::KeyFry.dtype(), None);
    /// ```
    pub fn dtype(self) -> Option<Dtype> {
        Dtype::from_name(self.name())
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

show_by_debug!([] ElementType);

/// One dimension of a shape.
///
/// An artifact holds each dimension as text; what is a number of 64 bits is read as one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dim<'a> {
    /// A size that is known.
    Size(u64),
    /// A size that is known when the function is called: a name or an expression, such as `2*b`.
    Symbolic(&'a str),
}

impl<'a> Dim<'a> {
    fn read(text: &'a str) -> Self {
        let size = text.bytes().try_fold(0u64, |size, digit| {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
            size.checked_mul(10)?.checked_add(digit.into())
        });
        match size {
            Some(size) if !text.is_empty() => Self::Size(size),
            _ => Self::Symbolic(text),
        }
    }
}

impl fmt::Display for Dim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Size(size) => python::natural(f, size),
            Self::Symbolic(text) => f.write_str(text),
        }
    }
}

impl fmt::Debug for Dim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

show_by_debug!([] Dim<'_>);

/// An array without its elements: their type, and the shape. JAX's `ShapedArray`.
///
/// `Display` is JAX's `str(aval)`.
///
/// `DIFFERENCE`: memory space and sharding, which JAX prints where they are not the usual ones, are not read: they say
/// where an array is, not what it is.
#[derive(Clone, Copy)]
pub struct Aval<'a> {
    dtype: ElementType,
    shape: Vector<'a, 4>,
}

impl<'a> Aval<'a> {
    fn read(table: &Table<'a>) -> Result<Self, ExportError> {
        let [kind] = table.number(KIND)?;
        if kind != ARRAY {
            return Err(table.fault(Fault::UnknownAval(kind)));
        }
        let [dtype] = table.number(DTYPE)?;
        let dtype = ElementType::from_number(dtype);
        let dtype = dtype.ok_or(table.fault(Fault::UnknownDtype(table.number::<1>(DTYPE)?[0])))?;
        Ok(Self { dtype, shape: table.vector(SHAPE)? })
    }

    /// The type of the elements.
    pub const fn dtype(&self) -> ElementType {
        self.dtype
    }

    /// The dimensions in order.
    pub const fn shape(&self) -> Dims<'a> {
        Dims(Strings::trusted(self.shape))
    }
}

impl fmt::Display for Aval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dtype.name())?;
        f.write_str("[")?;
        let mut before = "";
        for dim in self.shape() {
            f.write_str(before)?;
            fmt::Display::fmt(&dim, f)?;
            before = ",";
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Aval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

show_by_debug!([] Aval<'_>);

/// The dimensions of a shape; see [`Aval::shape`].
#[derive(Clone, Copy)]
pub struct Dims<'a>(Strings<'a>);

impl<'a> Iterator for Dims<'a> {
    type Item = Dim<'a>;

    fn next(&mut self) -> Option<Dim<'a>> {
        self.0.next().map(Dim::read)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Dims<'_> {}

impl fmt::Debug for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, *self)
    }
}

/// Abstract values in order; see [`Exported::in_avals`](super::Exported::in_avals).
#[derive(Clone, Copy)]
pub struct Avals<'a> {
    /// Abstract values, or their places among the distinct ones.
    entries: Vector<'a, 4>,
    distinct: Option<Vector<'a, 4>>,
}

impl<'a> Avals<'a> {
    /// Takes abstract values that stand one by one.
    pub(super) fn direct(avals: Vector<'a, 4>, budget: &mut Budget) -> Result<Self, ExportError> {
        let mut rest = avals;
        while let Some(table) = rest.next_table() {
            let table = table?;
            budget.spend_table(&table)?;
            Strings::new(Aval::read(&table)?.shape, budget)?;
        }
        Ok(Self { entries: avals, distinct: None })
    }

    /// Takes the places of abstract values in `distinct`, which are checked.
    pub(super) fn indexed(
        indices: Vector<'a, 4>,
        distinct: Vector<'a, 4>,
    ) -> Result<Self, ExportError> {
        let mut rest = indices;
        loop {
            let here = rest;
            let Some(index) = rest.next_number().map(u32::from_le_bytes) else { break };
            if index >= distinct.num_left() {
                return Err(here.fault(Fault::BadIndex { index }));
            }
        }
        Ok(Self { entries: indices, distinct: Some(distinct) })
    }

    pub(super) const fn num_left(&self) -> u32 {
        self.entries.num_left()
    }
}

impl<'a> Iterator for Avals<'a> {
    type Item = Aval<'a>;

    fn next(&mut self) -> Option<Aval<'a>> {
        let table = match self.distinct {
            None => self.entries.next_table()?,
            Some(distinct) => {
                let index = self.entries.next_number().map(u32::from_le_bytes)?;
                distinct.skip(index).next_table()?
            }
        };
        Aval::read(&table.ok()?).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.entries.num_left() as usize, Some(self.entries.num_left() as usize))
    }
}

impl ExactSizeIterator for Avals<'_> {}

show_by_debug!([] Avals<'_>);

impl fmt::Debug for Avals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, *self)
    }
}
