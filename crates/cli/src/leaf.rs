//! Describes the leaves of a tree: types, shapes and sizes, as far as a file has them.

use std::fmt;

use treedef::cache::{Dtype, ShapeDtype};
use treedef_jax::{Aval, Dim};

use crate::style::plain;

/// A leaf that was read.
#[derive(Clone)]
pub(crate) struct Leaf {
    /// The type, which equal leaves share.
    pub(crate) kind: Type,
    /// The value, if the file has one that is worth a line: a scalar of JSON.
    pub(crate) value: Option<String>,
}

impl From<Type> for Leaf {
    fn from(kind: Type) -> Self {
        Self { kind, value: None }
    }
}

/// The type of a leaf. `Display` writes it as JAX does, but shorter: `f32[768,2304]`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Type {
    /// The type of an element, in the short form of JAX (`f32`, `bf16`, `i64`, `f8_e4m3fn`), or of a scalar, in Python's
    /// words.
    pub(crate) dtype: String,
    /// The bits of an element, if they are known.
    bits: Option<u64>,
    /// The shape of an array; `None` for other leaves.
    pub(crate) shape: Option<Vec<Size>>,
}

/// The dtype of a leaf of which only the name is known.
const UNKNOWN: &str = "?";

/// One size of a shape.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Size {
    Known(u64),
    /// A dimension of an exported function that a call decides.
    Symbol(String),
}

impl Type {
    /// The type of a leaf about which a file says nothing but its type's name.
    pub(crate) fn named(name: &str) -> Self {
        Self { dtype: name.into(), bits: None, shape: None }
    }

    /// The type of a leaf of which only the name is known.
    pub(crate) fn unknown() -> Self {
        Self::named(UNKNOWN)
    }

    /// The type of an array. `bits` is the size of an element, if it is known.
    pub(crate) fn array(
        dtype: String,
        bits: Option<u64>,
        shape: impl Iterator<Item = u64>,
    ) -> Self {
        Self { dtype, bits, shape: Some(shape.map(Size::Known).collect()) }
    }

    fn of_dtype(dtype: Dtype, shape: Vec<Size>) -> Self {
        Self { dtype: short(dtype.name()), bits: Some(dtype.size() as u64 * 8), shape: Some(shape) }
    }

    /// Reads the text of a type as JAX writes it: `float32[768,2304]` or `f32[768,2304]`. A tilde in front marks what JAX
    /// calls a weak type, which is no other dtype.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let text = text.strip_prefix('~').unwrap_or(text);
        let (name, sizes) = text.strip_suffix(']')?.split_once('[')?;
        let dtype = long(name)?;
        let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape: Result<_, _> = sizes.map(|size| size.parse().map(Size::Known)).collect();
        Some(Self::of_dtype(dtype, shape.ok()?))
    }

    /// Whether anything is known.
    pub(crate) fn is_known(&self) -> bool {
        self.dtype != UNKNOWN
    }

    /// Whether dtype and shape are those of another type.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.dtype, &self.shape) == (&other.dtype, &other.shape)
    }

    /// Returns the text of the shape; empty if there is none.
    pub(crate) fn shape_text(&self) -> String {
        let Some(shape) = &self.shape else { return String::new() };
        let sizes: Vec<_> = shape.iter().map(Size::to_string).collect();
        format!("[{}]", sizes.join(","))
    }

    /// Returns the number of elements, or `None` if it is not known or too large for any memory.
    pub(crate) fn elements(&self) -> Option<u64> {
        self.shape.as_ref()?.iter().try_fold(1u64, |product, size| match size {
            Size::Known(size) => product.checked_mul(*size),
            Size::Symbol(_) => None,
        })
    }

    /// Returns the number of bytes, or `None` if it is not known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        Some(self.elements()?.checked_mul(self.bits?)?.div_ceil(8))
    }
}

impl From<Dim<'_>> for Size {
    fn from(dim: Dim<'_>) -> Self {
        match dim {
            Dim::Size(size) => Self::Known(size),
            Dim::Symbolic(text) => Self::Symbol(plain(text)),
        }
    }
}

impl From<ShapeDtype<'_>> for Type {
    fn from(array: ShapeDtype<'_>) -> Self {
        Self::of_dtype(array.dtype(), array.shape().map(Size::from).collect())
    }
}

impl From<&Aval<'_>> for Type {
    fn from(aval: &Aval<'_>) -> Self {
        Self::of_dtype(aval.dtype, aval.shape.iter().copied().map(Size::from).collect())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape_text())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(size) => size.fmt(f),
            Self::Symbol(text) => f.write_str(text),
        }
    }
}

/// The beginnings of the names of dtypes, and JAX's short forms.
const SHORT: [(&str, &str); 5] =
    [("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")];

/// Returns the short form of a dtype's name.
fn short(name: &str) -> String {
    let found = SHORT.iter().find_map(|(long, short)| Some((short, name.strip_prefix(long)?)));
    found.map_or_else(|| name.into(), |(short, rest)| format!("{short}{rest}"))
}

/// Returns the dtype with this name, which may be in the short form.
fn long(name: &str) -> Option<Dtype> {
    Dtype::from_name(name).or_else(|| {
        SHORT.iter().find_map(|(long, short)| {
            Dtype::from_name(&format!("{long}{}", name.strip_prefix(short)?))
        })
    })
}

/// Returns the dtype of a tensor of a safetensors file. Its names are those of PyTorch in capitals.
pub(crate) fn of_safetensors(dtype: safetensors::Dtype) -> String {
    match dtype {
        // The only floats of eight bits whose names lack what JAX adds: no infinities (`fn`), no sign (`u`).
        safetensors::Dtype::F8_E4M3 => "f8_e4m3fn".into(),
        safetensors::Dtype::F8_E8M0 => "f8_e8m0fnu".into(),
        other => other.to_string().to_lowercase(),
    }
}
