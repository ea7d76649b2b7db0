//! Reads abstract values: the dtypes and shapes of arrays.

use std::fmt;

use treedef::cache::{Dim, Dtype, ShapeDtype};

use crate::export_error::{ExportError, ExportErrorKind as Fault};
use crate::flatbuffer::{Budget, Table};

/// The fields of an abstract value in the schema.
const KIND: u8 = 0;
const SHAPE: u8 = 1;
const DTYPE: u8 = 2;

/// The kind of an array, the only one that JAX writes.
const ARRAY: u8 = 0;

/// The dtypes by their numbers in `DType` of `jax/_src/export/serialization.fbs`.
const DTYPES: [Dtype; 30] = [
    Dtype::Bool,
    Dtype::Int8,
    Dtype::Int16,
    Dtype::Int32,
    Dtype::Int64,
    Dtype::Uint8,
    Dtype::Uint16,
    Dtype::Uint32,
    Dtype::Uint64,
    Dtype::Float16,
    Dtype::Float32,
    Dtype::Float64,
    Dtype::Complex64,
    Dtype::Complex128,
    Dtype::Bfloat16,
    Dtype::Int4,
    Dtype::Uint4,
    Dtype::Float8E4m3b11fnuz,
    Dtype::Float8E4m3fn,
    Dtype::Float8E4m3fnuz,
    Dtype::Float8E5m2,
    Dtype::Float8E5m2fnuz,
    Dtype::Float0,
    Dtype::Float8E4m3,
    Dtype::Float8E3m4,
    Dtype::Float8E8m0fnu,
    Dtype::Float4E2m1fn,
    Dtype::KeyFry,
    Dtype::KeyRbg,
    Dtype::KeyUnsafeRbg,
];

/// Reads a dimension, which an artifact stores as text. A text that is a number of 64 bits is read as a number.
fn dim(text: &str) -> Dim<'_> {
    // `parse` also takes a sign, which JAX does not write.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).map_or(Dim::Symbolic(text), Dim::Size)
}

/// The dtype and shape of an array of an exported function, as JAX's `ShapedArray`. `Display` prints JAX's `str(aval)`.
///
/// `DIFFERENCE`: memory space and sharding are not read. JAX prints them if they are not the default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Aval<'a> {
    /// The type of the elements.
    pub dtype: Dtype,
    /// The dimensions in order.
    pub shape: Vec<Dim<'a>>,
}

impl<'a> Aval<'a> {
    pub(crate) fn read(table: &Table<'a>, budget: &mut Budget) -> Result<Self, ExportError> {
        budget.spend(0, table.fault(Fault::Shared))?;
        let [kind] = table.number(KIND)?;
        if kind != ARRAY {
            return Err(table.fault(Fault::UnknownAval(kind)));
        }
        let [number] = table.number(DTYPE)?;
        let dtype = DTYPES.get(usize::from(number)).copied();
        let dtype = dtype.ok_or(table.fault(Fault::UnknownDtype(number)))?;
        let shape = budget.strings(table, SHAPE)?;
        Ok(Self { dtype, shape: shape.into_iter().map(dim).collect() })
    }

    /// The dtype and shape as a part of a call key, with its symbolic dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef_jax::Exported;
    ///
    /// let artifact = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sgd_step.jax_export"));
    /// let exported = Exported::from_bytes(artifact)?;
    /// let kernel = exported.in_avals().nth(1).expect("seven inputs");
    /// assert_eq!(kernel.as_shape_dtype().num_elements(), Some(6));
    /// # Ok::<(), treedef_jax::ExportError>(())
    /// ```
    #[must_use]
    pub fn as_shape_dtype(&self) -> ShapeDtype<'_> {
        ShapeDtype::symbolic(self.dtype, &self.shape)
    }
}

impl fmt::Display for Aval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_shape_dtype().fmt(f)
    }
}
