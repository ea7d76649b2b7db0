//! Values inside a treedef: dictionary keys, static data, aux data.
//!
//! One encoding serves them all, so that a treedef can be parsed, printed and compared without the types that wrote
//! it. A value is a tag byte and its payload; the module documentation of [`crate::format`] holds the table.

use core::cmp::Ordering;

use crate::base::error::DecodeErrorKind as Fault;
use crate::format::reader::Input;
use crate::format::varint::{self, Varint};

/// Tuples inside values nest at most this deep, so that reading one needs a bounded stack on every machine.
pub const MAX_VALUE_DEPTH: usize = 32;

pub(crate) const NONE: u8 = 0;
pub(crate) const FALSE: u8 = 1;
pub(crate) const TRUE: u8 = 2;
pub(crate) const INT: u8 = 3;
pub(crate) const BIG_INT: u8 = 4;
pub(crate) const FLOAT: u8 = 5;
pub(crate) const STR: u8 = 6;
pub(crate) const BYTES: u8 = 7;
pub(crate) const TUPLE: u8 = 8;
pub(crate) const OPAQUE: u8 = 9;
pub(crate) const FLOAT32: u8 = 10;

/// A dictionary key, a static field or the aux data of a custom node.
///
/// The kinds are those that Python programs use as keys and metadata, and `f32` for Rust. Equality is that of the
/// encoding: `Int(1)`, `Bool(true)` and `Float(1.0)` are three values (`DIFFERENCE`: Python calls them equal), floats
/// compare by their bits. [`Value::compare`] is Python's order.
///
/// # Examples
///
/// ```
/// use core::cmp::Ordering;
/// use treedef::Value;
///
/// assert_eq!(Value::Int(2).compare(Value::Float(2.5)), Some(Ordering::Less));
/// assert_eq!(Value::Int(1).compare(Value::Str("a")), None);
/// assert_eq!(Value::Int(1).compare(Value::Bool(true)), Some(Ordering::Equal));
/// assert_ne!(Value::Int(1), Value::Bool(true));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Python's `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer beyond 64 bits.
    BigInt(BigInt<'a>),
    /// A 64-bit float.
    Float(f64),
    /// A string.
    Str(&'a str),
    /// A byte string.
    Bytes(&'a [u8]),
    /// A tuple of values.
    Tuple(Tuple<'a>),
    /// The text of a value that has no encoding of its own: it prints as it stands and equals only itself.
    Opaque(&'a str),
    /// A 32-bit float.
    Float32(f32),
}

/// An integer beyond 64 bits: a sign and a magnitude, low byte first, without zeros at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BigInt<'a> {
    negative: bool,
    magnitude: &'a [u8],
}

impl<'a> BigInt<'a> {
    /// Takes a sign and a magnitude, low byte first; `None` if the number fits `i64` or the last byte is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::BigInt;
    ///
    /// assert!(BigInt::new(false, &[0, 0, 0, 0, 0, 0, 0, 128]).is_some()); // 2^63
    /// assert!(BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 128]).is_none()); // -2^63 is an i64
    /// ```
    pub const fn new(negative: bool, magnitude: &'a [u8]) -> Option<Self> {
        let big = match magnitude {
            [.., 0] => false,
            [low @ .., last] if magnitude.len() == 8 => {
                *last > 128 || *last == 128 && (!negative || !all_zero(low))
            }
            _ => magnitude.len() > 8,
        };
        if big { Some(Self { negative, magnitude }) } else { None }
    }

    /// Whether the number is below zero.
    pub const fn is_negative(self) -> bool {
        self.negative
    }

    /// The magnitude, low byte first.
    pub const fn magnitude(self) -> &'a [u8] {
        self.magnitude
    }
}

const fn all_zero(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        if *first != 0 {
            return false;
        }
        rest = tail;
    }
    true
}

/// The elements of a tuple inside a value: given as a slice, or read from a treedef.
#[derive(Clone, Copy)]
pub struct Tuple<'a>(Elements<'a>);

#[derive(Clone, Copy)]
enum Elements<'a> {
    Slice(&'a [Value<'a>]),
    Encoded { count: u32, bytes: &'a [u8] },
}

impl<'a> Tuple<'a> {
    /// Takes the elements.
    pub const fn new(elements: &'a [Value<'a>]) -> Self {
        Self(Elements::Slice(elements))
    }

    /// Takes the encodings of so many values, none of which nests too deep.
    #[cfg(feature = "alloc")]
    pub(crate) const fn encoded(count: u32, bytes: &'a [u8]) -> Self {
        Self(Elements::Encoded { count, bytes })
    }

    /// The number of elements.
    pub const fn len(self) -> usize {
        match self.0 {
            Elements::Slice(values) => values.len(),
            Elements::Encoded { count, .. } => count as usize,
        }
    }

    /// Whether there are no elements.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The elements in order.
    pub fn iter(self) -> impl Iterator<Item = Value<'a>> + Clone {
        self.values()
    }

    fn values(self) -> Values<'a> {
        match self.0 {
            Elements::Slice(given) => Values { given, left: 0, bytes: &[] },
            Elements::Encoded { count, bytes } => Values::new(count, bytes),
        }
    }
}

/// Reads a number of encoded values one after the other, behind those that are given.
#[derive(Clone, Debug)]
pub(crate) struct Values<'a> {
    given: &'a [Value<'a>],
    left: u32,
    bytes: &'a [u8],
}

impl<'a> Values<'a> {
    pub(crate) const fn new(left: u32, bytes: &'a [u8]) -> Self {
        Self { given: &[], left, bytes }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        if let Some((value, rest)) = self.given.split_first() {
            self.given = rest;
            return Some(*value);
        }
        self.left = self.left.checked_sub(1)?;
        let mut input = Input::new(self.bytes);
        let value = Value::take(&mut input)?;
        self.bytes = input.rest;
        Some(value)
    }
}

impl<'a> Value<'a> {
    /// The text, if the value is a string.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::Value;
    ///
    /// assert_eq!(Value::from("w").as_str(), Some("w"));
    /// assert_eq!(Value::Int(1).as_str(), None);
    /// ```
    pub const fn as_str(self) -> Option<&'a str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Reads one value from the front and returns what follows it.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Fault> {
        let mut input = Input::new(bytes);
        match Self::take(&mut input) {
            Some(value) => Ok((value, input.rest)),
            None => Err(input.fault),
        }
    }

    /// Reads one value.
    pub(crate) fn take(input: &mut Input<'a>) -> Option<Self> {
        let tag = input.byte()?;
        if tag != TUPLE {
            return Self::take_scalar(tag, input);
        }
        let count = input.number()?;
        let start = input.rest;
        Self::skip_elements(count, input)?;
        let len = start.len().saturating_sub(input.rest.len());
        let bytes = start.get(..len).unwrap_or(start);
        Some(Value::Tuple(Tuple(Elements::Encoded { count, bytes })))
    }

    /// Steps over the elements of a tuple, with those inside them, without recursion.
    #[inline(never)]
    fn skip_elements(count: u32, input: &mut Input<'a>) -> Option<()> {
        // What is left of the tuples around the current one.
        let mut levels = [0; MAX_VALUE_DEPTH - 1];
        let (mut depth, mut left) = (0usize, count);
        loop {
            while left == 0 {
                let Some(up) = depth.checked_sub(1) else { return Some(()) };
                depth = up;
                left = levels.get(up).copied().unwrap_or(0);
            }
            left = left.wrapping_sub(1);
            let tag = input.byte()?;
            if tag == TUPLE {
                let Some(level) = levels.get_mut(depth) else {
                    return input.fail(Fault::ValueTooDeep);
                };
                *level = left;
                depth = depth.wrapping_add(1);
                left = input.number()?;
            } else {
                Self::take_scalar(tag, input)?;
            }
        }
    }

    /// Reads what follows the tag of a value that is no tuple.
    fn take_scalar(tag: u8, input: &mut Input<'a>) -> Option<Self> {
        Some(match tag {
            NONE => Value::None,
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            INT => Value::Int(input.integer()?),
            BIG_INT => {
                let sign = input.byte()?;
                let magnitude = input.run()?;
                match BigInt::new(sign == 1, magnitude) {
                    Some(big) if sign <= 1 => Value::BigInt(big),
                    _ => return input.fail(Fault::BadInteger),
                }
            }
            FLOAT => Value::Float(f64::from_le_bytes(*input.take(8)?.first_chunk()?)),
            FLOAT32 => Value::Float32(f32::from_le_bytes(*input.take(4)?.first_chunk()?)),
            STR => Value::Str(input.text()?),
            OPAQUE => Value::Opaque(input.text()?),
            BYTES => Value::Bytes(input.run()?),
            other => return input.fail(Fault::UnknownValue(other)),
        })
    }

    /// Hands the encoding over in pieces; what nests deeper than is allowed is left out.
    pub(crate) fn pieces<E>(&self, put: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.pieces_within(MAX_VALUE_DEPTH, put)
    }

    fn pieces_within<E>(
        &self,
        levels: usize,
        put: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match *self {
            Value::None => put(&[NONE]),
            Value::Bool(b) => put(&[if b { TRUE } else { FALSE }]),
            Value::Int(i) => {
                put(&[INT])?;
                put(Varint::new(varint::zigzag(i)).as_bytes())
            }
            Value::BigInt(b) => {
                put(&[BIG_INT, u8::from(b.negative)])?;
                put_run(b.magnitude, put)
            }
            Value::Float(f) => {
                put(&[FLOAT])?;
                put(&f.to_le_bytes())
            }
            Value::Float32(f) => {
                put(&[FLOAT32])?;
                put(&f.to_le_bytes())
            }
            Value::Str(s) => {
                put(&[STR])?;
                put_run(s.as_bytes(), put)
            }
            Value::Bytes(b) => {
                put(&[BYTES])?;
                put_run(b, put)
            }
            Value::Opaque(s) => {
                put(&[OPAQUE])?;
                put_run(s.as_bytes(), put)
            }
            Value::Tuple(t) => {
                put(&[TUPLE])?;
                put(Varint::new(t.len() as u64).as_bytes())?;
                match t.0 {
                    Elements::Slice(values) => match levels.checked_sub(1) {
                        Some(below) => values.iter().try_for_each(|v| v.pieces_within(below, put)),
                        None => Ok(()),
                    },
                    Elements::Encoded { bytes, .. } => put(bytes),
                }
            }
        }
    }

    /// Whether tuples nest deeper in it than is allowed; found without going deeper.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.is_deeper_than(MAX_VALUE_DEPTH)
    }

    fn is_deeper_than(&self, levels: usize) -> bool {
        match (self, levels.checked_sub(1)) {
            (Value::Tuple(tuple), Some(below)) => tuple.iter().any(|v| v.is_deeper_than(below)),
            (Value::Tuple(_), None) => true,
            _ => false,
        }
    }

    /// Python's order: numbers by exact value whatever their type, strings by code point, byte strings, tuples element
    /// by element.
    ///
    /// `None` where Python raises `TypeError` (`1` beside `'a'`) or has no answer (NaN). Equal means equal in value:
    /// `1`, `True` and `1.0` are the same key to Python. `None` also where tuples nest deeper than [`MAX_VALUE_DEPTH`].
    pub fn compare(self, other: Value<'_>) -> Option<Ordering> {
        self.compare_within(MAX_VALUE_DEPTH, other)
    }

    fn compare_within(self, levels: usize, other: Value<'_>) -> Option<Ordering> {
        match (self, other) {
            (Value::None, Value::None) => Some(Ordering::Equal),
            (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
            (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
            (Value::Opaque(a), Value::Opaque(b)) => (a == b).then_some(Ordering::Equal),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let below = levels.checked_sub(1)?;
                let (mut one, mut two) = (a.values(), b.values());
                while let (Some(x), Some(y)) = (one.next(), two.next()) {
                    let order = x.compare_within(below, y)?;
                    if order.is_ne() {
                        return Some(order);
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            _ => Some(Number::of(self)?.compare(Number::of(other)?)),
        }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::BigInt(a), Value::BigInt(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Float32(a), Value::Float32(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) | (Value::Opaque(a), Value::Opaque(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) => a.len() == b.len() && a.iter().eq(b.iter()),
            _ => false,
        }
    }
}

impl Eq for Value<'_> {}

macro_rules! from {
    ($($from:ty => $variant:ident),* $(,)?) => {$(
        impl<'a> From<$from> for Value<'a> {
            fn from(value: $from) -> Self {
                Value::$variant(value.into())
            }
        }
    )*};
}
from!(bool => Bool, i8 => Int, i16 => Int, i32 => Int, i64 => Int, u8 => Int, u16 => Int, u32 => Int,
    f32 => Float32, f64 => Float, &'a str => Str, &'a [u8] => Bytes);

/// A number as a sign and the digits of its magnitude to base 256, so that numbers of every type are compared exactly.
///
/// More digits before the point are more; of as many, the higher digits decide. For example, in digits with `.` for the
/// point, from the least to the greatest:
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
    /// The digits that the lowest bit of the smallest float, 2^-1074, is behind the point: 1074 / 8, rounded up.
    const POINT: u32 = 135;

    /// The number that a value is; `None` for what is none and for NaN.
    fn of(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(Self::scaled(false, u64::from(b), Self::POINT << 3)),
            Value::Int(i) => Some(Self::scaled(i < 0, i.unsigned_abs(), Self::POINT << 3)),
            Value::Float(f) => Self::float(f),
            Value::Float32(f) => Self::float(f.into()),
            Value::BigInt(big) => {
                let (mut low, high) = big.magnitude.split_last_chunk()?;
                while let [0, rest @ ..] = low {
                    low = rest;
                }
                // No slice is so long that this overflows.
                let digits = big.magnitude.len().wrapping_add(Self::POINT as usize);
                let high = u64::from_le_bytes(*high);
                Some(Self { negative: big.negative, digits, high, low })
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
            // The lowest bit of a fraction is 2^(exponent - 1075). Numbers below the normal ones have the exponent of
            // the lowest of those, and no hidden bit.
            (0, fraction) => Some(Self::scaled(negative, fraction, 6)),
            (exponent, _) => {
                Some(Self::scaled(negative, fraction | 1 << 52, exponent.wrapping_add(5)))
            }
        }
    }

    /// `magnitude * 2^(exponent - 8 * POINT)`; where `exponent` is no multiple of eight, the magnitude has at most 57 bits.
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

/// Reads a length and that many bytes.
pub(crate) fn read_run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = varint::read_u32(bytes)?;
    rest.split_at_checked(usize::try_from(len).ok()?)
}

/// Reads a length and that many bytes of UTF-8.
pub(crate) fn read_str(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (run, rest) = read_run(bytes)?;
    Some((core::str::from_utf8(run).ok()?, rest))
}

/// Hands over a length and the bytes.
pub(crate) fn put_run<E>(
    run: &[u8],
    put: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    put(Varint::new(run.len() as u64).as_bytes())?;
    put(run)
}
