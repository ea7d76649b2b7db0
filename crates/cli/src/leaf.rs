//! Describes the leaves of a tree: types, shapes and sizes, as far as a file has them.

use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

use treedef::cache::{Dtype, ShapeDtype};
use treedef_jax::{Aval, Dim};

use crate::style::plain;

/// A leaf that was read.
#[derive(Clone)]
pub(crate) struct Leaf {
    /// The type, which equal leaves share.
    pub(crate) kind: Rc<Type>,
    /// The value, if the file has one that is worth a line: a scalar of JSON.
    pub(crate) value: Option<Box<str>>,
    /// The name in the file, if it is not made of the keys with the separator of the file between them.
    pub(crate) name: Option<Box<str>>,
}

impl From<Type> for Leaf {
    fn from(kind: Type) -> Self {
        Self { kind: kind.into(), value: None, name: None }
    }
}

/// The types of the leaves of a file, each once.
#[derive(Default)]
pub(crate) struct Types(HashSet<Rc<Type>>);

impl Types {
    /// Returns a leaf that shares its type with equal ones.
    pub(crate) fn leaf(&mut self, kind: Type) -> Leaf {
        let kind = self.0.get(&kind).cloned().unwrap_or_else(|| {
            let kind = Rc::new(kind);
            self.0.insert(kind.clone());
            kind
        });
        Leaf { kind, value: None, name: None }
    }

    /// Returns a leaf with a value.
    pub(crate) fn scalar(&mut self, kind: &str, value: impl fmt::Display) -> Leaf {
        Leaf { value: Some(value.to_string().into()), ..self.leaf(Type::named(kind)) }
    }
}

/// The type of a leaf. `Display` writes it as JAX does, but shorter: `f32[768,2304]`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Type {
    /// The type of an element, in the short form of JAX (`f32`, `bf16`, `i64`, `f8_e4m3fn`), or of a scalar, in Python's
    /// words.
    pub(crate) dtype: String,
    /// The bits of an element, if they are known.
    pub(crate) bits: Option<u64>,
    /// The shape of an array; `None` for other leaves.
    pub(crate) shape: Option<Vec<Size>>,
    /// Whether the dtype is weak, as that of a Python number in JAX, if the file says it.
    weak: Option<bool>,
    /// The kind of memory, and how devices divide the array beside the sizes, if the file says it: `host`, and `V:j` or
    /// `P('X', None)`.
    pub(crate) memory: Option<Box<str>>,
    axes: Option<Box<str>>,
    /// Whether `dtype` is the name of a class, such as `jax.Array`, whose elements may have any dtype.
    is_class: bool,
}

/// The dtype of a leaf of which only the name is known.
const UNKNOWN: &str = "?";

/// The dtype of objects of Python in an array of NumPy.
pub(crate) const OBJECT: &str = "object";

/// One size of a shape.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Size {
    Known(u64),
    /// A size that is divided among the devices of a mesh, and the axes of the mesh.
    Sharded(u64, String),
    /// A dimension of an exported function that a call decides.
    Symbol(String),
}

impl Size {
    /// Reads a size as JAX writes it: `8`, `8@X`, or `3*b`.
    fn from_text(text: &str) -> Option<Self> {
        if let Some((size, axes)) = text.split_once('@') {
            return Some(Self::Sharded(size.parse().ok()?, plain(axes)));
        }
        if let Ok(size) = text.parse() {
            return Some(Self::Known(size));
        }
        // Numbers and names, but no `1e3`.
        let is_word = |word: &str| {
            let is_name = !word.starts_with(|c: char| c.is_ascii_digit());
            is_name || word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_operator = |c: char| "+-*^(), ".contains(c);
        let is_symbol = text.chars().all(|c| c.is_alphanumeric() || c == '_' || is_operator(c))
            && text.split(is_operator).all(is_word);
        (is_symbol && text.contains(char::is_alphabetic)).then(|| Self::Symbol(text.into()))
    }

    /// Returns the size, or the text of one that a call decides.
    pub(crate) fn value(&self) -> Result<u64, &str> {
        match self {
            Self::Known(size) | Self::Sharded(size, _) => Ok(*size),
            Self::Symbol(text) => Err(text),
        }
    }
}

impl Type {
    /// The type of a leaf about which a file says nothing but its type's name.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            dtype: name.into(),
            bits: None,
            shape: None,
            weak: None,
            memory: None,
            axes: None,
            is_class: false,
        }
    }

    /// The type of a leaf of which only the name is known.
    pub(crate) fn unknown() -> Self {
        Self::named(UNKNOWN)
    }

    /// The type of a leaf of which the class is known, and perhaps the shape.
    pub(crate) fn of_class(name: String, shape: Option<Vec<u64>>) -> Self {
        let shape = shape.map(|shape| shape.into_iter().map(Size::Known).collect());
        Self { shape, is_class: true, ..Self::named(&name) }
    }

    /// The type of an array. `bits` is the size of an element, if it is known.
    pub(crate) fn array(
        dtype: String,
        bits: Option<u64>,
        shape: impl Iterator<Item = u64>,
    ) -> Self {
        let shape = Some(shape.map(Size::Known).collect());
        Self { bits, shape, ..Self::named(&dtype) }
    }

    fn of_dtype(dtype: Dtype, shape: Vec<Size>) -> Self {
        let (bits, shape) = (Some(dtype.size() as u64 * 8), Some(shape));
        Self { bits, shape, ..Self::named(&short(dtype.name())) }
    }

    /// Reads the text of a type as JAX or PyTorch writes it: `float32[768,2304]`, `f32[768,2304]`,
    /// `torch.float32[768, 2304]`, or `ShapeDtypeStruct(shape=(768, 2304), dtype=float32)`; or a dtype before a tuple.
    ///
    /// A tilde is a weak type. These marks of JAX are no other type: `ShapedArray(..)`, `Ref{..}` for what can be changed,
    /// `<host>` for the kind of memory, and `{V:j}` for the axes along which devices differ.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        if let Some(fields) = text.strip_prefix(WRAPPERS[0]) {
            return Self::from_fields(fields.strip_suffix(')')?);
        }
        if let Some(start) = WRAPPERS.iter().find(|start| text.starts_with(**start)) {
            let inside = text.get(start.len()..)?.strip_suffix([')', '}'])?;
            let (inside, is_weak) = match inside.strip_suffix(", weak_type=True") {
                Some(inside) => (inside, true),
                None => (inside, false),
            };
            let kind = Self::from_text(inside)?;
            return Some(Self { weak: kind.weak.map(|weak| weak || is_weak), ..kind });
        }
        let (weak, text) = text.strip_prefix('~').map_or((false, text), |text| (true, text));
        let (weak, text) = match text.strip_prefix("torch.") {
            Some(text) => (None, text),
            None => (Some(weak), text),
        };
        let split = text.strip_suffix('}').and_then(|text| text.rsplit_once('{'));
        let (text, axes) = split.map_or((text, None), |(text, axes)| (text, Some(axes)));
        // As Equinox prints an array of NumPy.
        let text = text.strip_suffix("(numpy)").unwrap_or(text);
        let brackets = text.strip_suffix(']').and_then(|text| text.split_once('['));
        // A tuple of one size has a comma.
        let is_tuple = |(_, sizes): &(_, &str)| sizes.is_empty() || sizes.contains(',');
        let tuple = || text.strip_suffix(')')?.split_once('(').filter(is_tuple);
        let (name, sizes) = brackets.or_else(tuple)?;
        let kind = Self::from_parts(name.trim_end(), sizes, weak)?;
        Some(Self { axes: axes.map(|axes| plain(axes).into()), ..kind })
    }

    /// Reads the fields of a `ShapeDtypeStruct`. Of a sharding the specification is kept, otherwise its name.
    fn from_fields(fields: &str) -> Option<Self> {
        let (sizes, rest) = fields.strip_prefix("shape=(")?.split_once("), dtype=")?;
        let (rest, sharding) = match rest.split_once(", sharding=") {
            Some((rest, sharding)) => (rest, Some(sharding)),
            None => (rest, None),
        };
        let (name, more) = rest.split_once(',').unwrap_or((rest, ""));
        let kind = Self::from_parts(name, sizes, Some(more.contains("weak_type=True")))?;
        let axes = sharding.filter(|sharding| !sharding.starts_with("None")).map(|sharding| {
            let spec = sharding.split_once("spec=").and_then(|(_, spec)| spec.split_once('('));
            let name = sharding.split('(').next().unwrap_or_default();
            let text = spec.map_or(name.to_owned(), |(_, rest)| {
                let mut depth = 1i32;
                let end = rest.find(|c| {
                    depth += i32::from(c == '(') - i32::from(c == ')');
                    depth == 0
                });
                let axes = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                format!("P({})", axes.trim_end_matches(','))
            });
            plain(&text).into()
        });
        Some(Self { axes, ..kind })
    }

    fn from_parts(name: &str, sizes: &str, weak: Option<bool>) -> Option<Self> {
        // `key<fry>` is a dtype itself.
        let (dtype, memory) = match long(name) {
            Some(dtype) => (dtype, None),
            None => {
                let (name, memory) = name.strip_suffix('>')?.rsplit_once('<')?;
                (long(name)?, Some(plain(memory).into()))
            }
        };
        let mut shape = Vec::new();
        for size in items(sizes).map(str::trim).filter(|size| !size.is_empty()) {
            shape.push(Size::from_text(size)?);
        }
        Some(Self { weak, memory, ..Self::of_dtype(dtype, shape) })
    }

    /// Whether a text that is no type looks like one: it begins as the name of a dtype, and ends as an array does.
    pub(crate) fn is_like(text: &str) -> bool {
        let name = text.strip_prefix('~').unwrap_or(text);
        let name = name.strip_prefix("torch.").unwrap_or(name);
        let is_dtype = SHORT.iter().any(|(long, short)| {
            let has_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
            name.starts_with(long) || name.strip_prefix(short).is_some_and(has_digit)
        });
        let is_dtype = is_dtype || name.starts_with("bool") || name.starts_with("key<");
        WRAPPERS.iter().any(|start| text.starts_with(start))
            || is_dtype && name.contains('[') && name.ends_with([']', '}'])
    }

    /// Returns dtype and shape, if the call key of a function has them.
    pub(crate) fn key(&self) -> Option<(Dtype, Vec<usize>)> {
        let sizes = self.shape.as_ref()?.iter();
        let shape = sizes.map(|size| usize::try_from(size.value().ok()?).ok());
        Some((long(&self.dtype)?, shape.collect::<Option<_>>()?))
    }

    /// Whether the dtype is known.
    pub(crate) fn has_dtype(&self) -> bool {
        self.is_known() && !self.is_class
    }

    /// Whether anything is known.
    pub(crate) fn is_known(&self) -> bool {
        self.dtype != UNKNOWN
    }

    /// Whether the dtype is known to be weak.
    pub(crate) fn is_weak(&self) -> bool {
        self.weak == Some(true)
    }

    /// Whether dtype and shape are those of another type. A file that does not say whether dtypes are weak has no others.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_same_weak = self.weak.zip(other.weak).is_none_or(|(ours, theirs)| ours == theirs);
        let is_same_dtype = self.is_class || other.is_class || self.dtype == other.dtype;
        is_same_dtype && is_same_weak && self.has_shape_of(other)
    }

    /// Returns the text of the dtype: `f32`, or `weak f32`.
    pub(crate) fn dtype_text(&self) -> String {
        format!("{}{}", if self.is_weak() { "weak " } else { "" }, self.dtype)
    }

    /// Whether the shape is that of another type, however it is divided among devices. That of a class may be any.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        if [self, other].iter().any(|kind| kind.is_class && kind.shape.is_none()) {
            return true;
        }
        match (&self.shape, &other.shape) {
            (Some(ours), Some(theirs)) => {
                ours.iter().map(Size::value).eq(theirs.iter().map(Size::value))
            }
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        }
    }

    /// Returns the text of the shape; empty if there is none.
    pub(crate) fn shape_text(&self) -> String {
        let Some(shape) = &self.shape else { return String::new() };
        let sizes: Vec<_> = shape.iter().map(Size::to_string).collect();
        format!("[{}]", sizes.join(","))
    }

    /// Returns how devices divide the array, if the file says it.
    pub(crate) fn sharding(&self) -> Option<String> {
        let is_sharded = |size: &Size| matches!(size, Size::Sharded(..));
        let has_axes = self.shape.iter().flatten().any(is_sharded).then(|| self.shape_text());
        let axes = self.axes.as_ref().map(|axes| format!("{{{axes}}}"));
        [has_axes, axes].into_iter().flatten().reduce(|shape, axes| shape + &axes)
    }

    /// Whether the elements are objects of Python, or records of such: each may be anything.
    pub(crate) fn has_objects(&self) -> bool {
        self.bits.is_none() && (self.dtype == OBJECT || self.dtype.contains(":object"))
    }

    /// Returns the number of elements, or `None` if it is not known or too large for any memory.
    pub(crate) fn elements(&self) -> Option<u64> {
        if self.has_objects() {
            return None;
        }
        let mut sizes = self.shape.as_ref()?.iter().map(Size::value);
        sizes.try_fold(1u64, |product, size| product.checked_mul(size.ok()?))
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
        let shape = array.shape().map(Size::from).collect();
        Self { weak: Some(array.is_weak()), ..Self::of_dtype(array.dtype(), shape) }
    }
}

impl From<&Aval<'_>> for Type {
    fn from(aval: &Aval<'_>) -> Self {
        Self::of_dtype(aval.dtype, aval.shape.iter().copied().map(Size::from).collect())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dtype_text())?;
        if let Some(memory) = &self.memory {
            write!(f, "<{memory}>")?;
        }
        f.write_str(&self.shape_text())?;
        self.axes.iter().try_for_each(|axes| write!(f, "{{{axes}}}"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(size) => size.fmt(f),
            Self::Sharded(size, axes) => write!(f, "{size}@{axes}"),
            Self::Symbol(text) => f.write_str(text),
        }
    }
}

/// What JAX writes around a type, and after it a bracket.
const WRAPPERS: [&str; 4] = ["ShapeDtypeStruct(", "ShapedArray(", "Ref{", "AbstractRef{"];

/// Splits a text at commas. A comma inside parentheses is part of an item: `8@(X,Y)`, `max(b, 2)`.
fn items(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
}

/// The beginnings of the names of dtypes, and JAX's short forms.
const SHORT: [(&str, &str); 5] =
    [("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")];

/// Returns the short form of a dtype's name.
fn short(name: &str) -> String {
    let found = SHORT.iter().find_map(|(long, short)| Some((short, name.strip_prefix(long)?)));
    found.map_or_else(|| name.into(), |(short, rest)| format!("{short}{rest}"))
}

/// Returns the short form of a dtype's name, and the bits of an element.
pub(crate) fn of_name(name: &str) -> Option<(String, u64)> {
    Dtype::from_name(name).map(|dtype| (short(dtype.name()), dtype.size() as u64 * 8))
}

/// Returns the dtype with this name, which may be in the short form.
fn long(name: &str) -> Option<Dtype> {
    Dtype::from_name(name).or_else(|| {
        SHORT.iter().find_map(|(long, short)| {
            Dtype::from_name(&format!("{long}{}", name.strip_prefix(short)?))
        })
    })
}

/// The dtypes of safetensors files with the bits of an element. The names are those of PyTorch in capitals.
const SAFETENSORS: [(&str, u64); 22] = [
    ("BOOL", 8),
    ("F4", 4),
    ("F6_E2M3", 6),
    ("F6_E3M2", 6),
    ("U8", 8),
    ("I8", 8),
    ("F8_E5M2", 8),
    ("F8_E4M3", 8),
    ("F8_E8M0", 8),
    ("F8_E4M3FNUZ", 8),
    ("F8_E5M2FNUZ", 8),
    ("I16", 16),
    ("U16", 16),
    ("F16", 16),
    ("BF16", 16),
    ("I32", 32),
    ("U32", 32),
    ("F32", 32),
    ("C64", 64),
    ("F64", 64),
    ("I64", 64),
    ("U64", 64),
];

/// Returns the dtype of a tensor of a safetensors file, and the bits of an element if it is known.
pub(crate) fn of_safetensors(name: &str) -> (String, Option<u64>) {
    let bits = SAFETENSORS.iter().find(|(known, _)| *known == name).map(|(_, bits)| *bits);
    let dtype = match name {
        // The only floats whose names lack what JAX adds: no infinities (`fn`), no sign (`u`).
        "F4" => "f4_e2m1fn".into(),
        "F6_E2M3" | "F6_E3M2" | "F8_E4M3" => name.to_lowercase() + "fn",
        "F8_E8M0" => "f8_e8m0fnu".into(),
        other => plain(&other.to_lowercase()),
    };
    (dtype, bits)
}
