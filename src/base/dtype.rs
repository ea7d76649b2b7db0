//! Names the element types of arrays.

use core::fmt;

/// Defines the enum: for each variant its name in JAX and the bytes of an element.
macro_rules! dtypes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $size:literal,)*) => {
        /// The element type of an array, as a dtype of JAX.
        ///
        /// # Examples
        ///
        /// ```
        /// use treedef::cache::Dtype;
        ///
        /// assert_eq!((Dtype::Float32.name(), Dtype::Float32.size()), ("float32", 4));
        /// assert_eq!(Dtype::from_name("bfloat16"), Some(Dtype::Bfloat16));
        /// assert_eq!(Dtype::KeyFry.to_string(), "key<fry>");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum Dtype {
            $($(#[$doc])* $variant,)*
        }

        impl Dtype {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name and the bytes of an element.
            const fn row(self) -> (&'static str, usize) {
                match self {
                    $(Self::$variant => ($name, $size),)*
                }
            }
        }
    };
}

// The position of a dtype is its code in call keys, so a new one goes to the end.
dtypes! {
    /// `bool`.
    Bool "bool" 1,
    /// `u8`.
    Uint8 "uint8" 1,
    /// `u16`.
    Uint16 "uint16" 2,
    /// `u32`.
    Uint32 "uint32" 4,
    /// `u64`.
    Uint64 "uint64" 8,
    /// `i8`.
    Int8 "int8" 1,
    /// `i16`.
    Int16 "int16" 2,
    /// `i32`.
    Int32 "int32" 4,
    /// `i64`.
    Int64 "int64" 8,
    /// The upper half of an `f32`.
    Bfloat16 "bfloat16" 2,
    /// IEEE 754 in 16 bits.
    Float16 "float16" 2,
    /// `f32`.
    Float32 "float32" 4,
    /// `f64`.
    Float64 "float64" 8,
    /// Real and imaginary part, `[f32; 2]`.
    Complex64 "complex64" 8,
    /// Real and imaginary part, `[f64; 2]`.
    Complex128 "complex128" 16,
    /// Integers of 4 bits with a sign.
    Int4 "int4" 1,
    /// Integers of 4 bits without a sign.
    Uint4 "uint4" 1,
    /// A float of 8 bits: 4 of exponent, 3 of fraction, bias 11, no infinities and no negative zero.
    Float8E4m3b11fnuz "float8_e4m3b11fnuz" 1,
    /// A float of 8 bits: 4 of exponent, 3 of fraction, no infinities.
    Float8E4m3fn "float8_e4m3fn" 1,
    /// A float of 8 bits: 4 of exponent, 3 of fraction, no infinities and no negative zero.
    Float8E4m3fnuz "float8_e4m3fnuz" 1,
    /// A float of 8 bits: 5 of exponent, 2 of fraction.
    Float8E5m2 "float8_e5m2" 1,
    /// A float of 8 bits: 5 of exponent, 2 of fraction, no infinities and no negative zero.
    Float8E5m2fnuz "float8_e5m2fnuz" 1,
    /// The type without information that JAX gives tangents of integers.
    Float0 "float0" 0,
    /// A float of 8 bits: 4 of exponent, 3 of fraction.
    Float8E4m3 "float8_e4m3" 1,
    /// A float of 8 bits: 3 of exponent, 4 of fraction.
    Float8E3m4 "float8_e3m4" 1,
    /// A power of two of 8 bits: exponent only.
    Float8E8m0fnu "float8_e8m0fnu" 1,
    /// A float of 4 bits: 2 of exponent, 1 of fraction, no infinities.
    Float4E2m1fn "float4_e2m1fn" 1,
    /// Random number keys of Threefry, two `u32`.
    KeyFry "key<fry>" 8,
    /// Random number keys of the XLA generator, four `u32`.
    KeyRbg "key<rbg>" 16,
    /// Random number keys of the XLA generator in its fast variant, four `u32`.
    KeyUnsafeRbg "key<urbg>" 16,
}

impl Dtype {
    /// The name in JAX and NumPy, such as `float32`.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    ///
    /// assert_eq!(Dtype::Bfloat16.name(), "bfloat16");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The bytes of one element in NumPy: a number of 4 bits takes one byte.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    ///
    /// assert_eq!((Dtype::Complex64.size(), Dtype::Int4.size()), (8, 1));
    /// ```
    #[must_use]
    pub const fn size(self) -> usize {
        self.row().1
    }

    /// The code in call keys.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// The dtype with this name; `None` for every other text.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::cache::Dtype;
    ///
    /// assert_eq!(Dtype::from_name("float32"), Some(Dtype::Float32));
    /// assert_eq!(Dtype::from_name("f32"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|dtype| dtype.name() == name)
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
