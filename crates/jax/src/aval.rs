//! Reads abstract values: the dtypes and shapes of arrays.

use std::fmt;

use treedef::cache::Dtype;

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

/// One dimension of a shape.
///
/// An artifact stores each dimension as text. A text that is a number of 64 bits is read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dim<'a> {
    /// A size that is known.
    Size(u64),
    /// A size that is known when the function is called: a name or an expression, such as `2*b`.
    Symbolic(&'a str),
}

impl<'a> Dim<'a> {
    fn read(text: &'a str) -> Self {
        // `parse` also takes a sign, which JAX does not write.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).map_or(Self::Symbolic(text), Self::Size)
    }
}

impl fmt::Display for Dim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => size.fmt(f),
            Self::Symbolic(text) => f.write_str(text),
        }
    }
}

/// The dtype and shape of an array of an exported function, as JAX's `ShapedArray`. `Display` prints JAX's `str(aval)`.
///
/// It differs from [`ShapeDtype`](treedef::cache::ShapeDtype), the type in call keys: a dimension can be an expression
/// that has a value only in a call. [`Aval::sizes`] returns the dimensions for a `ShapeDtype`.
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
        Ok(Self { dtype, shape: shape.into_iter().map(Dim::read).collect() })
    }

    /// Returns the dimensions, if all are known and fit a `usize`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::ShapeDtype;
    /// use treedef_jax::Exported;
    ///
    /// let artifact = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sgd_step.jax_export"));
    /// let exported = Exported::from_bytes(artifact)?;
    /// let kernel = exported.in_avals().nth(1).expect("seven inputs");
    /// let sizes = kernel.sizes().expect("no symbolic dimension");
    /// assert_eq!(ShapeDtype::new(kernel.dtype, &sizes).to_string(), "float32[3,2]");
    /// # Ok::<(), treedef_jax::ExportError>(())
    /// ```
    #[must_use]
    pub fn sizes(&self) -> Option<Vec<usize>> {
        let size = |dim: &Dim<'_>| match dim {
            Dim::Size(size) => usize::try_from(*size).ok(),
            Dim::Symbolic(_) => None,
        };
        self.shape.iter().map(size).collect()
    }
}

impl fmt::Display for Aval<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<_> = self.shape.iter().map(Dim::to_string).collect();
        write!(f, "{}[{}]", self.dtype, dims.join(","))
    }
}
