//! Element types of arrays and their promotion.

use core::fmt;

use crate::base::show::debug_enum;

/// The element type of an array, as the dtypes of JAX.
///
/// # Examples
///
/// ```
/// use treedef::Dtype;
///
/// assert_eq!((Dtype::Float32.name(), Dtype::Float32.size()), ("float32", 4));
/// assert_eq!(Dtype::from_name("bfloat16"), Some(Dtype::Bfloat16));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Dtype {
    /// `bool`.
    Bool,
    /// `u8`.
    Uint8,
    /// `u16`.
    Uint16,
    /// `u32`.
    Uint32,
    /// `u64`.
    Uint64,
    /// `i8`.
    Int8,
    /// `i16`.
    Int16,
    /// `i32`.
    Int32,
    /// `i64`.
    Int64,
    /// The upper half of an `f32`: [`Bf16`](crate::ravel::Bf16).
    Bfloat16,
    /// IEEE 754 in 16 bits: [`F16`](crate::ravel::F16).
    Float16,
    /// `f32`.
    Float32,
    /// `f64`.
    Float64,
    /// Real and imaginary part, `[f32; 2]`.
    Complex64,
    /// Real and imaginary part, `[f64; 2]`.
    Complex128,
}

debug_enum!(Dtype {
    Bool,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Int8,
    Int16,
    Int32,
    Int64,
    Bfloat16,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
});

impl Dtype {
    /// All of them.
    const ALL: [Self; 15] = [
        Self::Bool,
        Self::Uint8,
        Self::Uint16,
        Self::Uint32,
        Self::Uint64,
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::Bfloat16,
        Self::Float16,
        Self::Float32,
        Self::Float64,
        Self::Complex64,
        Self::Complex128,
    ];

    /// The name in JAX and NumPy, such as `float32`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Bfloat16 => "bfloat16",
            Self::Float16 => "float16",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Complex64 => "complex64",
            Self::Complex128 => "complex128",
        }
    }

    /// The place among all, which is its code in call keys: a new dtype stands behind the others.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// The dtype with this code.
    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The dtype with this name; `None` for every other text.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
    }

    /// The bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::Uint8 | Self::Int8 => 1,
            Self::Uint16 | Self::Int16 | Self::Bfloat16 | Self::Float16 => 2,
            Self::Uint32 | Self::Int32 | Self::Float32 => 4,
            Self::Uint64 | Self::Int64 | Self::Float64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
        }
    }

    /// The dtype that arrays of `self` and `other` have together, as `jax.numpy.promote_types` with 64-bit types
    /// enabled.
    ///
    /// It is no pairwise affair: use [`Dtype::promote_all`] for more than two.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Dtype;
    ///
    /// assert_eq!(Dtype::Uint8.promote(Dtype::Int8), Dtype::Int16);
    /// assert_eq!(Dtype::Int64.promote(Dtype::Float16), Dtype::Float16);
    /// assert_eq!(Dtype::Bfloat16.promote(Dtype::Float16), Dtype::Float32);
    /// ```
    pub const fn promote(self, other: Self) -> Self {
        least(self.upper() & other.upper())
    }

    /// The dtype that arrays of all these have together, as `jax.numpy.result_type`; `None` where there are none.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Dtype;
    ///
    /// // No integer holds both; a 16-bit float is float enough for both.
    /// let mixed = [Dtype::Int64, Dtype::Uint64, Dtype::Float16];
    /// assert_eq!(Dtype::promote_all(mixed), Some(Dtype::Float16));
    /// assert_eq!(Dtype::Int64.promote(Dtype::Uint64), Dtype::Float64);
    /// ```
    pub fn promote_all(dtypes: impl IntoIterator<Item = Self>) -> Option<Self> {
        let upper = dtypes.into_iter().map(Self::upper).reduce(|all, upper| all & upper);
        upper.map(least)
    }

    /// The dtypes that this one promotes to, itself included: one bit for each.
    ///
    /// The lattice of JAX's documentation ("type promotion semantics"). `f*` is its float of no width, which stands
    /// between the integers and the floats; its other two weak types are no bound of any dtypes. A bit stands to the
    /// left of all bits that promote to it.
    #[expect(clippy::unusual_byte_groupings, reason = "a group for each kind of number")]
    const fn upper(self) -> u16 {
        match self {
            // Columns: complex128 complex64 float64 float32 float16 bfloat16 f*, int64 to int8, uint64 to uint8, bool.
            Self::Bool => 0b1111111_1111_1111_1,
            Self::Uint8 => 0b1111111_1110_1111_0,
            Self::Uint16 => 0b1111111_1100_1110_0,
            Self::Uint32 => 0b1111111_1000_1100_0,
            Self::Uint64 => 0b1111111_0000_1000_0,
            Self::Int8 => 0b1111111_1111_0000_0,
            Self::Int16 => 0b1111111_1110_0000_0,
            Self::Int32 => 0b1111111_1100_0000_0,
            Self::Int64 => 0b1111111_1000_0000_0,
            Self::Bfloat16 => 0b1111010_0000_0000_0,
            Self::Float16 => 0b1111100_0000_0000_0,
            Self::Float32 => 0b1111000_0000_0000_0,
            Self::Float64 => 0b1010000_0000_0000_0,
            Self::Complex64 => 0b1100000_0000_0000_0,
            Self::Complex128 => 0b1000000_0000_0000_0,
        }
    }
}

/// The least dtype of a set of upper bounds: the rightmost bit, because the set holds all that its least promotes to.
const fn least(bounds: u16) -> Dtype {
    match bounds.trailing_zeros() {
        0 => Dtype::Bool,
        1 => Dtype::Uint8,
        2 => Dtype::Uint16,
        3 => Dtype::Uint32,
        4 => Dtype::Uint64,
        5 => Dtype::Int8,
        6 => Dtype::Int16,
        7 => Dtype::Int32,
        8 => Dtype::Int64,
        10 => Dtype::Bfloat16,
        11 => Dtype::Float16,
        12 => Dtype::Float32,
        // 9 is `f*`: without anything else it is the widest float.
        9 | 13 => Dtype::Float64,
        14 => Dtype::Complex64,
        _ => Dtype::Complex128,
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
