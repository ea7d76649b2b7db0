//! One element as a number, on its way from one dtype to another.

use super::half::{Bf16, F16};

/// An element in the widest form of its kind, so that each dtype states two ways and not one for every other dtype.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// Integers with a sign.
    Signed(i64),
    /// Integers without one, and booleans.
    Unsigned(u64),
    /// Floats.
    Float(f64),
    /// Real and imaginary part.
    Complex([f64; 2]),
}

/// A type that elements of arrays have.
pub(super) trait Element: Copy + 'static {
    /// The element as a number, exactly.
    fn number(self) -> Number;

    /// The number in this type, as `jax.lax.convert_element_type` on a CPU: integers wrap, a float becomes the nearest
    /// integer towards zero inside the bounds and NaN zero, floats round to the nearest, halves by way of `f32`, an
    /// imaginary part is dropped, and what is not zero is true.
    fn of(number: Number) -> Self;
}

macro_rules! integers {
    ($kind:ident: $($type:ty)*) => {$(
        impl Element for $type {
            fn number(self) -> Number {
                Number::$kind(self.into())
            }

            #[allow(
                clippy::cast_possible_truncation,
                clippy::unnecessary_cast,
                reason = "the conversion is defined so"
            )]
            fn of(number: Number) -> Self {
                match number {
                    Number::Signed(value) => value as Self,
                    Number::Unsigned(value) => value as Self,
                    Number::Float(value) | Number::Complex([value, _]) => value as Self,
                }
            }
        }
    )*};
}
integers!(Signed: i8 i16 i32 i64);
integers!(Unsigned: u8 u16 u32 u64);

impl Element for bool {
    fn number(self) -> Number {
        Number::Unsigned(self.into())
    }

    fn of(number: Number) -> Self {
        match number {
            Number::Signed(value) => value != 0,
            Number::Unsigned(value) => value != 0,
            Number::Float(value) => value != 0.0,
            Number::Complex(value) => value != [0.0, 0.0],
        }
    }
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Element for $type {
            fn number(self) -> Number {
                Number::Float(self.into())
            }

            #[allow(
                clippy::cast_possible_truncation,
                clippy::unnecessary_cast,
                reason = "the conversion is defined so"
            )]
            fn of(number: Number) -> Self {
                match number {
                    Number::Signed(value) => value as Self,
                    Number::Unsigned(value) => value as Self,
                    Number::Float(value) | Number::Complex([value, _]) => value as Self,
                }
            }
        }

        impl Element for [$type; 2] {
            fn number(self) -> Number {
                Number::Complex(self.map(f64::from))
            }

            fn of(number: Number) -> Self {
                let imaginary = match number {
                    Number::Complex([_, imaginary]) => imaginary,
                    _ => 0.0,
                };
                [Element::of(number), Element::of(Number::Float(imaginary))]
            }
        }
    )*};
}
floats!(f32 f64);

macro_rules! halves {
    ($($type:ty)*) => {$(
        impl Element for $type {
            fn number(self) -> Number {
                self.to_f32().number()
            }

            fn of(number: Number) -> Self {
                Self::from_f32(Element::of(number))
            }
        }
    )*};
}
halves!(F16 Bf16);
