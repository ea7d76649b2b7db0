//! Orders numbers by exact value, whatever their type.

use core::cmp::Ordering;

use crate::format::value::Value;

/// A number as a sign and the digits of its magnitude to base 256, so that numbers of every type are compared exactly.
///
/// A number with more digits before the point is greater; if the counts are equal, the highest digit that differs
/// decides. For example, with `.` for the point, from the least to the greatest:
///
/// ```text
/// value                         digits before the point   high                 low
/// 258, an integer      1 2      POINT + 2                 01 02 00 00 .. 00
/// 258.5, a float       1 2.128  POINT + 2                 01 02 80 00 .. 00
/// 2^64, a big integer  1 0 .. 0 POINT + 9                 01 00 00 00 .. 00    (its zero is left out)
/// 2^64 + 1             1 0 .. 1 POINT + 9                 01 00 00 00 .. 00    01
/// ```
///
/// Below zero the order is reversed: -258.5 comes before -258.
#[derive(Clone, Copy)]
pub(super) struct Number<'a> {
    negative: bool,
    /// The digits before the point and [`Number::POINT`]; 0 for the number zero.
    digits: usize,
    /// The eight highest digits.
    high: u64,
    /// The digits below them, lowest first, without zeros at the low end.
    low: &'a [u8],
}

impl<'a> Number<'a> {
    /// Base-256 digits after the point down to the lowest bit of the smallest float, 2^-1074: 1074 / 8, rounded up.
    const POINT: u32 = 135;

    /// Converts a value; `None` if it is not a number or is NaN.
    pub(super) fn of(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(Self::scaled(false, u64::from(b), Self::POINT << 3)),
            Value::Int(i) => Some(Self::scaled(i < 0, i.unsigned_abs(), Self::POINT << 3)),
            Value::Float(f) => Self::float(f),
            Value::Float32(f) => Self::float(f.into()),
            Value::BigInt(big) => {
                let (mut low, high) = big.magnitude().split_last_chunk()?;
                while let [0, rest @ ..] = low {
                    low = rest;
                }
                // No slice is so long that this overflows.
                let digits = big.magnitude().len().wrapping_add(Self::POINT as usize);
                let high = u64::from_le_bytes(*high);
                Some(Self { negative: big.is_negative(), digits, high, low })
            }
            _ => None,
        }
    }

    /// A float by its bits: a sign, 11 bits of exponent, 52 of fraction.
    fn float(f: f64) -> Option<Self> {
        let (negative, bits) = (f.is_sign_negative(), f.to_bits());
        let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        match (u32::try_from(exponent).ok()?, fraction) {
            (0x7ff, 0) => Some(Self { negative, digits: usize::MAX, high: 0, low: &[] }),
            (0x7ff, _) => None,
            // The lowest bit of a fraction is 2^(exponent - 1075). Subnormal numbers have the exponent of the smallest
            // normal ones, and no hidden bit.
            (0, fraction) => Some(Self::scaled(negative, fraction, 6)),
            (exponent, _) => {
                Some(Self::scaled(negative, fraction | 1 << 52, exponent.wrapping_add(5)))
            }
        }
    }

    /// `magnitude * 2^(exponent - 8 * POINT)`. If `exponent` is not a multiple of eight, the magnitude has at most 57
    /// bits.
    #[inline(never)]
    fn scaled(negative: bool, magnitude: u64, exponent: u32) -> Self {
        if magnitude == 0 {
            return Self { negative: false, digits: 0, high: 0, low: &[] };
        }
        let magnitude = magnitude.wrapping_shl(exponent & 7);
        let zeros = magnitude.leading_zeros() >> 3;
        let digits = (exponent >> 3).wrapping_add(8).wrapping_sub(zeros) as usize;
        Self { negative, digits, high: magnitude.wrapping_shl(zeros << 3), low: &[] }
    }

    pub(super) fn compare(self, other: Number<'_>) -> Ordering {
        let order = self.digits.cmp(&other.digits).then(self.high.cmp(&other.high));
        let order = order.then_with(|| self.low.iter().rev().cmp(other.low.iter().rev()));
        match (self.negative, other.negative) {
            (false, false) => order,
            (true, true) => order.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}
