//! Floats of 16 bits: their bits, and the way to `f32` and back.

use crate::base::show::debug_struct;

/// A `float16`, IEEE 754 in 16 bits: storage, no arithmetic.
///
/// Equality is that of the bits.
///
/// # Examples
///
/// ```
/// use treedef::ravel::F16;
///
/// assert_eq!(F16::from_f32(1.5).to_bits(), 0x3E00);
/// assert_eq!(F16::from_bits(0x3E00).to_f32(), 1.5);
/// assert_eq!(F16::from_f32(70_000.0).to_f32(), f32::INFINITY);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(transparent)]
pub struct F16 {
    bits: u16,
}

debug_struct!([] F16 { bits });

impl F16 {
    /// The number with these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self { bits }
    }

    /// The bits.
    pub const fn to_bits(self) -> u16 {
        self.bits
    }

    /// The nearest number, of two the even one.
    pub const fn from_f32(value: f32) -> Self {
        let bits = value.to_bits();
        let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7FFF_FFFF);
        let half = if magnitude > 0x7F80_0000 {
            // NaN: the front of its payload, and quiet.
            0x7E00 | magnitude >> 13 & 0x3FF
        } else if magnitude >= 0x4780_0000 {
            // 65536 and above. What lies between the largest number and it comes out right below.
            0x7C00
        } else if magnitude >= 0x3880_0000 {
            // 2^-14, the least normal number: another bias of the exponent, 13 bits less of the fraction.
            shift_to_even(magnitude.wrapping_sub(112 << 23), 13)
        } else if magnitude >= 0x3300_0000 {
            // 2^-25, half of the least number: a fraction with its leading one, in units of 2^-24.
            let fraction = magnitude & 0x7F_FFFF | 0x80_0000;
            shift_to_even(fraction, 126_u32.wrapping_sub(magnitude >> 23))
        } else {
            0
        };
        Self { bits: low(sign | half) }
    }

    /// The same number; a NaN keeps its bits as the front of the wider fraction.
    pub const fn to_f32(self) -> f32 {
        let (sign, magnitude) = ((self.bits as u32 & 0x8000) << 16, self.bits as u32 & 0x7FFF);
        match magnitude {
            // Below 2^-14 the fraction counts units of 2^-24; both steps are exact.
            0..0x400 => {
                let value = magnitude as f32 * f32::from_bits(0x3380_0000);
                f32::from_bits(value.to_bits() | sign)
            }
            0x400..0x7C00 => f32::from_bits((magnitude << 13).wrapping_add(112 << 23) | sign),
            _ => f32::from_bits(magnitude << 13 | 0x7F80_0000 | sign),
        }
    }
}

/// A `bfloat16`, the upper half of an `f32`: storage, no arithmetic.
///
/// Equality is that of the bits.
///
/// # Examples
///
/// ```
/// use treedef::ravel::Bf16;
///
/// assert_eq!(Bf16::from_f32(1.5).to_bits(), 0x3FC0);
/// assert_eq!(Bf16::from_f32(257.0).to_f32(), 256.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(transparent)]
pub struct Bf16 {
    bits: u16,
}

debug_struct!([] Bf16 { bits });

impl Bf16 {
    /// The number with these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self { bits }
    }

    /// The bits.
    pub const fn to_bits(self) -> u16 {
        self.bits
    }

    /// The nearest number, of two the even one.
    pub const fn from_f32(value: f32) -> Self {
        let bits = value.to_bits();
        Self {
            bits: match bits & 0x7FFF_FFFF > 0x7F80_0000 {
                // NaN: the front of its payload, and quiet.
                true => low(bits >> 16 | 0x40),
                false => low(shift_to_even(bits, 16)),
            },
        }
    }

    /// The same number.
    pub const fn to_f32(self) -> f32 {
        f32::from_bits((self.bits as u32) << 16)
    }
}

/// `value / 2^by` rounded to the nearest integer, of two the even one; a carry out of a fraction raises the exponent,
/// which is what rounding up means there. `by` is 1 to 31.
const fn shift_to_even(value: u32, by: u32) -> u32 {
    let half = 1_u32.wrapping_shl(by.wrapping_sub(1));
    let odd = value.wrapping_shr(by) & 1;
    // Infinity and what is below it leave room for the sum.
    value.wrapping_add(half.wrapping_sub(1)).wrapping_add(odd).wrapping_shr(by)
}

/// The lower 16 bits.
const fn low(bits: u32) -> u16 {
    (bits & 0xFFFF) as u16
}
