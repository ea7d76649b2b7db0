//! Writes Python's `repr` of strings, bytes, floats and big integers, and reads floats, with no heap and no panic.
//!
//! core's own formatters of floats and escaped strings can panic in some builds, and its list of printable characters
//! changes with the compiler. Here nothing panics in any build, and the list is that of Unicode 14.0.
//! Writers are `dyn`, so that a program links each function once.

use core::fmt::{self, Write};

use printable::RUNS;
use shortest::{Decimal, shortest};

mod printable;

mod read_float;

mod shortest;

pub(crate) use read_float::{read_float, read_float32};

/// Longest magnitude, in bytes, that is written in decimal: the stack holds its digits.
const DECIMAL_BYTES: usize = 256;

/// The bound of one chunk of decimal digits: the largest power of ten that, times 256, fits `u32`.
const CHUNK: u32 = 10_000_000;

/// Chunks that hold `DECIMAL_BYTES`: 2048 bits are 617 digits, seven a chunk.
const CHUNKS: usize = 89;

/// Writes the `repr` of a `str`: in single quotes, or in double quotes if it holds a single and no
/// double quote; what is not printable in Unicode 14.0 is escaped.
///
/// A character costs a scan of the table up to its run: one step for ASCII, about 600 for CJK.
pub(crate) fn string(f: &mut dyn Write, text: &str) -> fmt::Result {
    let quote = quote(text.as_bytes());
    f.write_char(quote)?;
    let mut rest = text;
    loop {
        // What is ASCII and needs no escape is written in one piece.
        let is_plain = |c| matches!(c, ' '..='~') && !matches!(c, '\'' | '"' | '\\');
        let run = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(run).unwrap_or_default();
        f.write_str(run)?;
        let mut characters = after.chars();
        let Some(c) = characters.next() else { break };
        character(f, c, quote, is_printable(c))?;
        rest = characters.as_str();
    }
    f.write_char(quote)
}

/// Writes the `repr` of a `bytes`: `b'...'`, quotes as for a string, everything but printable
/// ASCII escaped.
pub(crate) fn bytes(f: &mut dyn Write, bytes: &[u8]) -> fmt::Result {
    let quote = quote(bytes);
    write!(f, "b{quote}")?;
    for &byte in bytes {
        character(f, char::from(byte), quote, matches!(byte, b' '..=b'~'))?;
    }
    f.write_char(quote)
}

/// Writes the `repr` of a `float`: the fewest digits that read back to the same value, with an
/// exponent from 1e16 upwards and below 1e-4. Every NaN is `nan`.
///
/// Costs time in proportion to the exponent, and about 1 kB of stack.
pub(crate) fn float(f: &mut dyn Write, value: f64) -> fmt::Result {
    binary(f, value.is_sign_negative(), value.to_bits(), 52, 0x7ff)
}

/// Writes the fewest digits that read back to the same value as an `f32`, laid out as by [`float`].
pub(crate) fn float32(f: &mut dyn Write, value: f32) -> fmt::Result {
    binary(f, value.is_sign_negative(), u64::from(value.to_bits()), 23, 0xff)
}

/// Writes the `repr` of an `int` of any size, given as sign and magnitude (little end first, zeros
/// at the end allowed). Decimal digits cost time quadratic in the length, and 356 bytes of stack.
///
/// `DIFFERENCE`: a magnitude above 2048 bits is written in hexadecimal (`0x…`), since its decimal
/// digits would need memory in proportion; Python writes decimal, and from 4300 digits on refuses.
pub(crate) fn big_integer(f: &mut dyn Write, negative: bool, magnitude: &[u8]) -> fmt::Result {
    let mut magnitude = magnitude;
    while let [rest @ .., 0] = magnitude {
        magnitude = rest;
    }
    if magnitude.len() <= DECIMAL_BYTES {
        return decimal(f, negative, magnitude);
    }
    let Some((first, rest)) = magnitude.split_last() else { return Ok(()) };
    write!(f, "{}0x{first:x}", if negative { "-" } else { "" })?;
    rest.iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// The quote that Python puts around these characters.
fn quote(text: &[u8]) -> char {
    // A loop in place of two calls of `contains`: smaller, and free of core's `memchr`.
    let (mut single, mut double) = (false, false);
    for byte in text {
        single |= *byte == b'\'';
        double |= *byte == b'"';
    }
    if single && !double { '"' } else { '\'' }
}

/// Writes a character of a text between `quote`s.
fn character(f: &mut dyn Write, c: char, quote: char, printable: bool) -> fmt::Result {
    match c {
        '\t' => f.write_str("\\t"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        _ if c == quote || c == '\\' => write!(f, "\\{c}"),
        _ if printable => f.write_char(c),
        _ => match u32::from(c) {
            code @ 0..=0xff => write!(f, "\\x{code:02x}"),
            code @ 0x100..=0xffff => write!(f, "\\u{code:04x}"),
            code => write!(f, "\\U{code:08x}"),
        },
    }
}

/// Whether Python prints the character as it is.
fn is_printable(c: char) -> bool {
    let mut left = u32::from(c);
    for (printable, length) in runs() {
        let Some(behind) = left.checked_sub(length) else { return printable };
        left = behind;
    }
    false
}

/// The runs of the table from U+0000 on: whether they are printable, and how long they are.
fn runs() -> impl Iterator<Item = (bool, u32)> {
    let mut length = 0;
    let mut printable = true;
    RUNS.iter().filter_map(move |&byte| {
        length = (length << 7) | u32::from(byte & 127);
        if byte >= 128 {
            return None;
        }
        printable = !printable;
        Some((printable, core::mem::take(&mut length)))
    })
}

/// Writes a binary float: sign, exponent field (`top` where all its bits are set), and a fraction of
/// `width` bits.
fn binary(f: &mut dyn Write, negative: bool, bits: u64, width: u32, top: u32) -> fmt::Result {
    let hidden = 1_u64.unbounded_shl(width);
    let fraction = bits & hidden.wrapping_sub(1);
    let field = (bits.unbounded_shr(width) & 0xffff_ffff) as u32 & top;
    if field == top && fraction > 0 {
        return f.write_str("nan");
    }
    if negative {
        f.write_char('-')?;
    }
    if field == top {
        return f.write_str("inf");
    }
    if field == 0 && fraction == 0 {
        return f.write_str("0.0");
    }
    // Subnormal numbers have the exponent of the smallest normal ones, without the hidden bit.
    let mantissa = if field == 0 { fraction } else { fraction | hidden };
    let exponent = field.max(1);
    let bias = (top >> 1).saturating_add(width);
    let (up, down) = (exponent.saturating_sub(bias), bias.saturating_sub(exponent));
    scaled(f, &shortest(mantissa, up, down, fraction == 0 && field > 1))
}

/// Lays out digits: with an exponent if they start more than four places after the point or more
/// than 16 before it.
fn scaled(f: &mut dyn Write, decimal: &Decimal) -> fmt::Result {
    let Decimal { digits, point } = decimal;
    let fixed = (-3..=16).contains(point);
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // Places are numbered from the first digit; those without a digit hold zeros.
    let (start, dot, stop) = match fixed {
        true => (point.saturating_sub(1).min(0), *point, length.max(point.saturating_add(1))),
        false => (0, 1, length),
    };
    for place in start..stop {
        if place == dot {
            f.write_char('.')?;
        }
        let digit = usize::try_from(place).ok().and_then(|place| digits.get(place));
        write!(f, "{}", digit.copied().unwrap_or(0))?;
    }
    if fixed {
        return Ok(());
    }
    let exponent = point.saturating_sub(1);
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(f, "e{sign}{:02}", exponent.unsigned_abs())
}

/// Writes a number of at most [`DECIMAL_BYTES`] in decimal.
fn decimal(f: &mut dyn Write, negative: bool, magnitude: &[u8]) -> fmt::Result {
    let mut chunks = [0u32; CHUNKS];
    for &byte in magnitude.iter().rev() {
        let mut carry = u32::from(byte);
        for chunk in &mut chunks {
            // A chunk is below CHUNK and a carry below 256, so this fits.
            let value = (*chunk << 8) | carry;
            *chunk = value % CHUNK;
            carry = value / CHUNK;
        }
    }
    let mut chunks = chunks.iter().rev().skip_while(|chunk| **chunk == 0);
    let first = chunks.next().unwrap_or(&0);
    write!(f, "{}{first}", if negative { "-" } else { "" })?;
    chunks.try_for_each(|chunk| write!(f, "{chunk:07}"))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{format, string::String, vec, vec::Vec};

    use super::*;

    /// What a function writes.
    fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
        let mut text = String::new();
        write(&mut text).expect("a string takes any text");
        text
    }

    /// FNV-1a, to compare long texts and tables with what Python gave.
    fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
        bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// Numbers without a pattern, the same in every run (xorshift).
    fn numbers() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(88_172_645_463_325_252), |&x: &u64| {
            let x = x ^ (x << 13);
            let x = x ^ (x >> 7);
            Some(x ^ (x << 17))
        })
    }

    #[test]
    fn printable_characters_are_those_of_python() {
        // Number and hash of `chr(c).isprintable()` over all code points, from Python 3.11.
        let mut table = Vec::with_capacity(0x11_0000);
        for (printable, length) in runs() {
            let start = table.len();
            table.resize(start + length as usize, printable);
            for code in [start, table.len() - 1] {
                let c = char::from_u32(code as u32);
                assert!(c.is_none_or(|c| is_printable(c) == printable), "{code:x}");
            }
        }
        table.resize(0x11_0000, false);
        assert_eq!(table.iter().filter(|&&is| is).count(), 144_516);
        assert_eq!(hash(table.into_iter().map(u8::from)), 0xbef2_72e9_32b3_5f59);
        for c in [' ', '~', '¡', 'é', '中', '😀', '\u{1fbf9}', '\u{e0100}', '\u{e01ef}'] {
            assert!(is_printable(c), "{c:?}");
        }
        for c in ['\0', '\x1f', '\x7f', '\u{a0}', '\u{ad}', '\u{378}', '\u{200b}', '\u{2028}'] {
            assert!(!is_printable(c), "{c:?}");
        }
        for c in ['\u{3000}', '\u{e000}', '\u{feff}', '\u{1fbfa}', '\u{e01f0}', char::MAX] {
            assert!(!is_printable(c), "{c:?}");
        }
    }

    #[test]
    fn strings_are_quoted_and_escaped_as_by_python() {
        for (text, expected) in [
            ("", "''"),
            ("a", "'a'"),
            (" ~", "' ~'"),
            ("a'b", r#""a'b""#),
            ("a\"b", r#"'a"b'"#),
            ("a'b\"c", r#"'a\'b"c'"#),
            ("a\\b", r"'a\\b'"),
            ("\t\n\r", r"'\t\n\r'"),
            ("\0\x1b\x7f", r"'\x00\x1b\x7f'"),
            ("\u{80}\u{a0}\u{ad}", r"'\x80\xa0\xad'"),
            ("é中😀", "'é中😀'"),
            ("\u{378}\u{200b}\u{2028}\u{3000}", r"'\u0378\u200b\u2028\u3000'"),
            ("\u{feff}\u{e000}\u{ffff}", r"'\ufeff\ue000\uffff'"),
            ("\u{1fbfa}\u{10ffff}", r"'\U0001fbfa\U0010ffff'"),
            ("\u{e0001}\u{e0100}", "'\\U000e0001\u{e0100}'"),
        ] {
            assert_eq!(written(|f| string(f, text)), expected);
        }
    }

    #[test]
    fn bytes_are_quoted_and_escaped_as_by_python() {
        for (value, expected) in [
            (&b""[..], "b''"),
            (b"a'b", r#"b"a'b""#),
            (b"a\"b", r#"b'a"b'"#),
            (b"'\"", r#"b'\'"'"#),
            (b"\\\t\n\r\0\x1f\x7f\xe9\xff ~", r"b'\\\t\n\r\x00\x1f\x7f\xe9\xff ~'"),
        ] {
            assert_eq!(written(|f| bytes(f, value)), expected);
        }
    }

    #[test]
    #[expect(clippy::excessive_precision, reason = "exact values show that they are halfway")]
    fn floats_are_written_as_by_python() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (100.0, "100.0"),
            (0.1, "0.1"),
            (4.35, "4.35"),
            (123456789.125, "123456789.125"),
            (1e15, "1000000000000000.0"),
            (9007199254740992.0, "9007199254740992.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e16, "1e+16"),
            (12345678901234567.0, "1.2345678901234568e+16"),
            (1e-4, "0.0001"),
            (0.00012345, "0.00012345"),
            (9.999e-5, "9.999e-05"),
            (1e-5, "1e-05"),
            (-1e-7, "-1e-07"),
            (9.5367431640625e-7, "9.5367431640625e-07"),
            (1e22, "1e+22"),
            (1e23, "1e+23"),
            (6.02214076e23, "6.02214076e+23"),
            (1e100, "1e+100"),
            (1e-100, "1e-100"),
            // As near to one decimal as to the next: the even one.
            (2023347301156851.25, "2023347301156851.2"),
            (809568703961025.75, "809568703961025.8"),
            // The ends of the range; a power of two, nearer to its lower neighbour.
            (5e-324, "5e-324"),
            (1e-323, "1e-323"),
            (2.225073858507201e-308, "2.225073858507201e-308"),
            (2.2250738585072014e-308, "2.2250738585072014e-308"),
            (8.98846567431158e307, "8.98846567431158e+307"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (-f64::NAN, "nan"),
        ] {
            assert_eq!(written(|f| float(f, value)), expected);
        }
    }

    #[test]
    fn single_floats_have_their_own_shortest_digits() {
        for (value, expected) in [
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (16777216.0, "16777216.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (core::f32::consts::PI, "3.1415927"),
            (f32::MAX, "3.4028235e+38"),
            (f32::MIN_POSITIVE, "1.1754944e-38"),
            (f32::from_bits(1), "1e-45"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "nan"),
        ] {
            assert_eq!(written(|f| float32(f, value)), expected);
        }
    }

    #[test]
    fn digits_read_back_and_are_as_few_as_those_of_core() {
        let digits = |text: &str| {
            let mantissa = text.split('e').next().unwrap_or("").replace(['-', '.'], "");
            mantissa.trim_start_matches('0').trim_end_matches('0').len()
        };
        // Every power of two, and any bits.
        let powers = (0..2046).map(|exponent| exponent << 52);
        for bits in powers.chain(numbers().take(3000)) {
            let value = f64::from_bits(bits);
            let text = written(|f| float(f, value));
            if value.is_finite() {
                assert_eq!(text.parse().map(f64::to_bits), Ok(bits), "{text}");
                assert_eq!(digits(&text), digits(&format!("{value:e}")), "{text}");
            }
            let bits = (bits >> 32) as u32;
            let value = f32::from_bits(bits);
            let text = written(|f| float32(f, value));
            if value.is_finite() {
                assert_eq!(text.parse().map(f32::to_bits), Ok(bits), "{text}");
                assert_eq!(digits(&text), digits(&format!("{value:e}")), "{text}");
            }
        }
    }

    #[test]
    fn big_integers_are_decimal_up_to_2048_bits() {
        let ten_to_30 = [0, 0, 0, 0x40, 0xea, 0xed, 0x74, 0x46, 0xd0, 0x9c, 0x2c, 0x9f, 0x0c, 0, 0];
        let expected = "-1000000000000000000000000000000";
        assert_eq!(written(|f| big_integer(f, true, &ten_to_30)), expected);
        assert_eq!(written(|f| big_integer(f, false, &[])), "0");

        // 2^2048 - 1, 617 digits: the hash of Python's text.
        let mut magnitude = vec![0xff; 256];
        magnitude.resize(300, 0);
        let text = written(|f| big_integer(f, false, &magnitude));
        assert!(text.starts_with("32317006071311007300714876688"), "{text}");
        assert_eq!(hash(text.bytes()), 0xab98_a290_5217_39d0);
    }

    #[test]
    fn integers_above_2048_bits_are_hexadecimal() {
        let mut magnitude = vec![0xab; 257];
        magnitude[256] = 0x01;
        let expected = format!("-0x1{}", "ab".repeat(256));
        assert_eq!(written(|f| big_integer(f, true, &magnitude)), expected);
        magnitude[256] = 0x10;
        let expected = format!("0x10{}", "ab".repeat(256));
        assert_eq!(written(|f| big_integer(f, false, &magnitude)), expected);
    }

    #[test]
    fn an_error_of_the_writer_is_passed_on() {
        /// Takes this many characters.
        struct Room(usize);

        impl Write for Room {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
                Ok(())
            }
        }

        // Each text has at least eight characters.
        for room in 0..8 {
            assert_eq!(float(&mut Room(room), -1.25e300), Err(fmt::Error));
            assert_eq!(string(&mut Room(room), "a'b\n\0"), Err(fmt::Error));
            assert_eq!(bytes(&mut Room(room), b"ab\n\0"), Err(fmt::Error));
            assert_eq!(big_integer(&mut Room(room), true, &[0xff; 257]), Err(fmt::Error));
        }
    }
}
