//! Reads floats: the first 19 decimal digits to the nearest float, with no heap and no panic.
//!
//! Few digits with a small exponent are two exact floats, so one multiplication or division rounds once, as Clinger found ("How
//! to Read Floating Point Numbers Accurately", 1990). All other numbers are divided as exact integers, bit by bit. `core` has
//! tables instead, of 6 kB on a Cortex-M3, and a reachable panic.

use core::cmp::Ordering;

use super::shortest::Big;

/// Another digit after a number below this one fits 64 bits. Digits that do not fit are zeros.
const MOST_DIGITS: u64 = 1_000_000_000_000_000_000;

/// More than the exponent of every float. Numbers that are this small are 0 also as an `f32`, whose divisor can lose upper bits: what
/// is left of it, a multiple of a large power of two, is still larger than the number.
const MOST: i32 = 400;

/// A number: `digits` · 10^`exponent`.
struct Number {
    is_negative: bool,
    digits: u64,
    exponent: i32,
}

impl Number {
    /// Reads `-1.5e-3`: digits, of which some can follow a point, and an exponent.
    fn of(text: &[u8]) -> Option<Self> {
        let (is_negative, mut rest) = sign(text);
        let mut number = Self { is_negative, digits: 0, exponent: 0 };
        let (mut has_digit, mut has_point) = (false, false);
        while let [byte, after @ ..] = rest {
            rest = after;
            match byte {
                b'0'..=b'9' if number.digits < MOST_DIGITS => {
                    number.digits = number.digits.wrapping_mul(10).wrapping_add(digit(*byte));
                    number.exponent = number.exponent.wrapping_sub(has_point.into());
                }
                b'0'..=b'9' => number.exponent = number.exponent.wrapping_add((!has_point).into()),
                b'.' if !has_point => {
                    has_point = true;
                    continue;
                }
                b'e' | b'E' if has_digit => {
                    let (is_negative, digits) = sign(rest);
                    let exponent = digits.iter().try_fold(0u64, |exponent, byte| {
                        let is_digit = byte.is_ascii_digit();
                        is_digit.then(|| exponent.saturating_mul(10).saturating_add(digit(*byte)))
                    });
                    let exponent = i32::try_from(exponent?.min(1 << 20)).ok()?;
                    let exponent = if is_negative { exponent.wrapping_neg() } else { exponent };
                    number.exponent = number.exponent.saturating_add(exponent);
                    return (!digits.is_empty()).then_some(number);
                }
                _ => return None,
            }
            has_digit = true;
        }
        has_digit.then_some(number)
    }

    /// The bits of the nearest float of `width` bits of fraction, whose exponent is below `top`; `None` if it is too large.
    #[cold]
    #[inline(never)]
    fn bits(&self, width: u32, top: u32) -> Option<u64> {
        if self.digits == 0 || self.exponent < -MOST {
            return Some(0);
        }
        if self.exponent > MOST {
            return None;
        }
        // The value is `rest` / `one` · 2^(`field` - the bias): of 10^n, 2^n is in the exponent.
        let (mut rest, mut one) = (Big::new(self.digits, 0), Big::new(1, width));
        for _ in 0..self.exponent.unsigned_abs() {
            if self.exponent < 0 { one.multiply(5) } else { rest.multiply(5) }
        }
        let bias = (top >> 1).saturating_add(width).cast_signed();
        let mut field = self.exponent.saturating_add(bias);
        while field < 1 || rest.compare(&one.plus(&one)) != Ordering::Less {
            one.multiply(2);
            field = field.saturating_add(1);
        }
        while field > 1 && rest.compare(&one) == Ordering::Less {
            rest.multiply(2);
            field = field.saturating_sub(1);
        }
        let mut mantissa = 0u64;
        for _ in 0..=width {
            mantissa <<= 1;
            if rest.compare(&one) != Ordering::Less {
                rest.subtract(&one);
                mantissa |= 1;
            }
            rest.multiply(2);
        }
        // Halfway it is the even one. A mantissa that gets one bit more carries into the exponent.
        let half = if mantissa & 1 == 1 { Ordering::Equal } else { Ordering::Greater };
        let is_up = rest.compare(&one) >= half;
        let exponent = u64::from(field.unsigned_abs().saturating_sub(1)).unbounded_shl(width);
        let bits = exponent.wrapping_add(mantissa).wrapping_add(u64::from(is_up));
        (bits < u64::from(top).unbounded_shl(width)).then_some(bits)
    }
}

/// Whether a number is negative, and what follows its sign.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

fn digit(byte: u8) -> u64 {
    u64::from(byte & 15)
}

macro_rules! read {
    ($(#[$doc:meta])* $name:ident, $float:ident, $bits:ident, $width:literal, $top:literal) => {
        $(#[$doc])*
        pub(crate) fn $name(text: &str) -> Option<$float> {
            let (is_negative, name) = sign(text.as_bytes());
            if let [b'a'..=b'z' | b'A'..=b'Z', ..] = name {
                let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
                let infinite = (is("inf") || is("infinity")).then_some($float::INFINITY);
                let value = if is("nan") { $float::NAN } else { infinite? };
                return Some(if is_negative { -value } else { value });
            }
            let number = Number::of(text.as_bytes())?;
            let scale = 10u32.checked_pow(number.exponent.unsigned_abs());
            let value = match (u32::try_from(number.digits), scale) {
                (Ok(digits), Some(scale)) if number.digits >> $width == 0 => {
                    let (digits, scale) = (digits as $float, scale as $float);
                    if number.exponent < 0 { digits / scale } else { digits * scale }
                }
                _ => $float::from_bits($bits::try_from(number.bits($width, $top)?).ok()?),
            };
            Some(if number.is_negative { -value } else { value })
        }
    };
}

read!(
    /// Reads an `f32`: what [`float32`](super::float32) writes, and other decimal numbers. A number that is too large is none.
    read_float32, f32, u32, 23, 0xff
);
read!(
    /// Reads an `f64`, as [`read_float32`].
    read_float, f64, u64, 52, 0x7ff
);

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;

    use super::*;

    /// Compares with `core`, which gives a number that is too large as infinite.
    fn check(text: &str) {
        let (single, double) = (text.parse::<f32>().unwrap(), text.parse::<f64>().unwrap());
        let is = |bits: Option<u64>, own: u64, is_finite: bool| bits == is_finite.then_some(own);
        let found = read_float32(text).map(|value| u64::from(value.to_bits()));
        assert!(is(found, single.to_bits().into(), single.is_finite()), "{text} as f32");
        let found = read_float(text).map(f64::to_bits);
        assert!(is(found, double.to_bits(), double.is_finite()), "{text} as f64");
    }

    #[test]
    fn floats_are_the_nearest_ones() {
        for text in [
            "0",
            "-0",
            "0.0",
            "1",
            "+1.5",
            "-1.5",
            ".5",
            "5.",
            "00012.500",
            "3.5e0",
            "1e9",
            "1e10",
            "1e-9",
            "1e-10",
            "16777216",
            "16777217",
            "16777218",
            "16777219",
            "33554435",
            "8388607.5",
            "8388608.5",
            "9007199254740993",
            "3.4028234e38",
            "3.4028235e38",
            "3.4028236e38",
            "3.5e38",
            "1e39",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "1e309",
            "1e32767",
            "1e-45",
            "7e-46",
            "7.1e-46",
            "1.1754942e-38",
            "1.1754943e-38",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1e-400",
            "1e-32768",
            "0e999",
            "0.000000000000000000000000000000000000000000000000001e20",
            "100000000000000000000000000000e-20",
            "1234567890123456789",
            "12345678901234567890",
            "0.1",
            "0.2",
            "0.3",
            "1.1",
            "2.2",
            "123456.789",
        ] {
            check(text);
        }
        let mut random = 88_172_645_463_325_252u64;
        for _ in 0..3000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let (double, single) = (f64::from_bits(random), f32::from_bits(random as u32));
            if double.is_finite() {
                check(&format!("{double:e}"));
                check(&format!("{double:.8e}"));
            }
            if single.is_finite() {
                check(&format!("{single:e}"));
                check(&format!("{single}"));
            }
        }
    }

    #[test]
    fn other_texts_are_no_floats() {
        for text in [
            "", "-", "+", ".", "e5", "1e", "1e+", "1.5.0", "0x10", "1_000", " 1", "1 ", "--1",
            "1,5", "infinit", "nan(1)", "é",
        ] {
            assert_eq!((read_float32(text), read_float(text)), (None, None), "{text}");
        }
        // As `FromStr` of floats, in any case and with a sign.
        for text in ["inf", "+INF", "infinity", "-inf", "-Infinity", "nan", "NaN", "-nan"] {
            let [read, core] =
                [read_float(text), text.parse().ok()].map(|read| read.map(f64::to_bits));
            assert_eq!(read, core, "{text}");
        }
        assert_eq!(read_float32("-inf"), Some(f32::NEG_INFINITY));
    }
}
