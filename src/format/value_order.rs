//! Compares values: by their encodings, and in Python's order.

use core::cmp::Ordering;

use crate::format::value::{MAX_VALUE_DEPTH, Value, ValueTuple};

impl Value<'_> {
    /// Python's order: numbers by exact value whatever their type, strings by code point, byte strings, tuples element
    /// by element.
    ///
    /// `None` if Python raises `TypeError` (`1 < 'a'`) or has no order (NaN), or if tuples nest deeper than
    /// [`MAX_VALUE_DEPTH`]. Equal means equal in value: `1`, `True` and `1.0` are the same key to Python.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::cmp::Ordering;
    /// use treedef::Value;
    ///
    /// assert_eq!(Value::Int(1).compare(Value::Float(1.5)), Some(Ordering::Less));
    /// assert_eq!(Value::Int(1).compare(Value::Bool(true)), Some(Ordering::Equal));
    /// assert_eq!(Value::Int(1).compare(Value::Str("a")), None);
    /// ```
    #[must_use]
    pub fn compare(self, other: Value<'_>) -> Option<Ordering> {
        self.compare_within::<false>(MAX_VALUE_DEPTH, other)
    }

    /// As [`Value::compare`], for values that were read from bytes. A program that compares no others has less code.
    pub(super) fn compare_read(self, other: Value<'_>) -> Option<Ordering> {
        self.compare_within::<true>(MAX_VALUE_DEPTH, other)
    }

    fn compare_within<const READ: bool>(self, levels: usize, other: Value<'_>) -> Option<Ordering> {
        match (self, other) {
            (Value::None, Value::None) => Some(Ordering::Equal),
            (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
            (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
            (Value::Opaque(a), Value::Opaque(b)) => (a == b).then_some(Ordering::Equal),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let below = levels.checked_sub(1)?;
                let mut order = None;
                let equal = |x: Value<'_>, y: Value<'_>| {
                    order = x.compare_within::<READ>(below, y);
                    order == Some(Ordering::Equal)
                };
                if all_pairs::<READ>(a, b, equal) { Some(a.len().cmp(&b.len())) } else { order }
            }
            _ => Some(Number::of(self)?.compare(Number::of(other)?)),
        }
    }

    fn equals_within(self, levels: usize, other: Value<'_>) -> bool {
        // The front of a tuple has its length.
        self.front().as_bytes() == other.front().as_bytes()
            && self.run() == other.run()
            && match (self, other) {
                (Value::Tuple(a), Value::Tuple(b)) => levels.checked_sub(1).is_some_and(|below| {
                    all_pairs::<false>(a, b, |x, y| x.equals_within(below, y))
                }),
                _ => true,
            }
    }
}

/// Values are equal if their encodings are. A value whose tuples nest deeper than [`MAX_VALUE_DEPTH`] has no encoding
/// and equals nothing.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.equals_within(MAX_VALUE_DEPTH, *other)
    }
}

impl Eq for Value<'_> {}

/// Whether `holds` is true for each element and the one at the same position in the other tuple, up to the shorter one's end.
fn all_pairs<const READ: bool>(
    tuple: ValueTuple<'_>,
    other: ValueTuple<'_>,
    mut holds: impl FnMut(Value<'_>, Value<'_>) -> bool,
) -> bool {
    if READ {
        return match (tuple.iter(), other.iter()) {
            (Some(one), Some(two)) => one.zip(two).all(|(x, y)| holds(x, y)),
            _ => false,
        };
    }
    let (mut one, mut two) = (tuple.elements(), other.elements());
    (0..tuple.len().min(other.len())).all(|_| {
        let mut pair_holds = false;
        one.with_next(&mut |x| two.with_next(&mut |y| pair_holds = holds(x, y)));
        pair_holds
    })
}

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
struct Number<'a> {
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
    fn of(value: Value<'a>) -> Option<Self> {
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

    fn compare(self, other: Number<'_>) -> Ordering {
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
