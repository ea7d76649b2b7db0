//! Converts elements between dtypes through a number.

use half::{bf16, f16};

/// An element in the widest form of its kind. With it each dtype needs only two conversions, instead of one for every
/// other dtype.
#[derive(Clone, Copy)]
pub enum Number {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer or a boolean.
    Unsigned(u64),
    /// A float.
    Float(f64),
    /// The real and imaginary part of a complex number.
    Complex([f64; 2]),
}

/// The conversions of an element.
pub trait Convert: Copy + PartialEq + 'static {
    /// Returns the element as a number, exactly.
    fn number(self) -> Number;

    /// Converts a number to this type; see [`Array::convert`](super::Array::convert).
    fn of(number: Number) -> Self;
}

/// Converts a number with `as`: integers wrap and floats saturate, as in XLA.
macro_rules! by_as {
    ($number:expr) => {
        match $number {
            Number::Signed(value) => value as Self,
            Number::Unsigned(value) => value as Self,
            Number::Float(value) | Number::Complex([value, _]) => value as Self,
        }
    };
}

macro_rules! primitive {
    ($kind:ident: $($type:ty)*) => {$(
        impl Convert for $type {
            fn number(self) -> Number {
                Number::$kind(self.into())
            }

            fn of(number: Number) -> Self {
                by_as!(number)
            }
        }
    )*};
}
primitive!(Signed: i8 i16 i32 i64);
primitive!(Unsigned: u8 u16 u32 u64);
primitive!(Float: f32 f64);

impl Convert for bool {
    fn number(self) -> Number {
        Number::Unsigned(self.into())
    }

    fn of(number: Number) -> Self {
        match number {
            Number::Signed(value) => value != 0,
            Number::Unsigned(value) => value != 0,
            Number::Float(value) | Number::Complex([value, _]) => value != 0.0,
        }
    }
}

macro_rules! halves {
    ($($type:ty)*) => {$(
        impl Convert for $type {
            fn number(self) -> Number {
                Number::Float(self.into())
            }

            fn of(number: Number) -> Self {
                Self::from_f32(f32::of(number))
            }
        }
    )*};
}
halves!(f16 bf16);

macro_rules! complex {
    ($($part:ty)*) => {$(
        impl Convert for [$part; 2] {
            fn number(self) -> Number {
                Number::Complex(self.map(f64::from))
            }

            fn of(number: Number) -> Self {
                let imaginary = match number {
                    Number::Complex([_, imaginary]) => imaginary,
                    _ => 0.0,
                };
                [Convert::of(number), imaginary as $part]
            }
        }
    )*};
}
complex!(f32 f64);
