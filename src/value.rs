//! Values inside a treedef: dictionary keys, static data, aux data.
//!
//! One encoding serves them all, so that a treedef can be parsed, printed and compared without the types that wrote
//! it. A value is a tag byte and its payload; the module documentation of [`crate::format`] holds the table.

use core::cmp::Ordering;

use crate::varint::{self, Varint};

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

    fn compare(self, other: Self) -> Ordering {
        match (self.negative, other.negative) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (negative, _) => {
                let (a, b) = (self.magnitude, other.magnitude);
                let order = a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()));
                if negative { order.reverse() } else { order }
            }
        }
    }

    /// Compares with a float that is not NaN, exactly.
    fn compare_float(self, float: f64) -> Ordering {
        let negative = float < 0.0;
        if float.is_infinite() || self.negative != negative {
            return if negative { Ordering::Greater } else { Ordering::Less };
        }
        let bits = float.to_bits();
        let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0).saturating_sub(1075);
        let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
        // Below 2^63 in magnitude every float is nearer to zero than any big integer.
        let order = if exponent <= 10 {
            Ordering::Greater
        } else {
            magnitude_against(self.magnitude, mantissa, exponent.unsigned_abs())
        };
        if negative { order.reverse() } else { order }
    }
}

/// Compares a magnitude with `mantissa << shift`; the mantissa has 53 bits.
fn magnitude_against(magnitude: &[u8], mantissa: u64, shift: u64) -> Ordering {
    let high = magnitude.last().map_or(0, |b| u64::from(8u32.saturating_sub(b.leading_zeros())));
    let bits = (magnitude.len() as u64).saturating_sub(1).saturating_mul(8).saturating_add(high);
    bits.cmp(&shift.saturating_add(53)).then_with(|| {
        let mut order = Ordering::Equal;
        for (i, byte) in (0u64..).zip(magnitude) {
            let at = i.saturating_mul(8);
            let theirs = match (shift.checked_sub(at), at.saturating_sub(shift)) {
                (Some(8..), _) => 0,
                (Some(up), _) => mantissa.unbounded_shl(u32::try_from(up).unwrap_or(64)) & 255,
                (None, down) => mantissa.unbounded_shr(u32::try_from(down).unwrap_or(64)) & 255,
            };
            order = u64::from(*byte).cmp(&theirs).then(order);
        }
        order
    })
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
        let (slice, count, bytes): (&'a [Value<'a>], _, _) = match self.0 {
            Elements::Slice(values) => (values, 0, [].as_slice()),
            Elements::Encoded { count, bytes } => ([].as_slice(), count, bytes),
        };
        slice.iter().copied().chain(Values::new(count, bytes))
    }
}

/// Reads a number of encoded values one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Values<'a> {
    left: u32,
    bytes: &'a [u8],
}

impl<'a> Values<'a> {
    pub(crate) const fn new(left: u32, bytes: &'a [u8]) -> Self {
        Self { left, bytes }
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (value, rest) = Value::read(self.bytes).ok()?;
        self.bytes = rest;
        Some(value)
    }
}

/// What is wrong with the bytes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    End,
    Tag(u8),
    Utf8,
    Integer,
    Deep,
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
    pub(crate) fn read(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        let [TUPLE, rest @ ..] = bytes else { return Self::read_scalar(bytes) };
        let (count, start) = varint::read_u32(rest).ok_or(Malformed::End)?;
        let rest = Self::skip_elements(count, start)?;
        let bytes = start.get(..start.len().saturating_sub(rest.len())).unwrap_or(start);
        Ok((Value::Tuple(Tuple(Elements::Encoded { count, bytes })), rest))
    }

    /// Steps over the elements of a tuple, with those inside them, without recursion.
    fn skip_elements(count: u32, start: &'a [u8]) -> Result<&'a [u8], Malformed> {
        // What is left of the tuples around the current one.
        let mut levels = [0; MAX_VALUE_DEPTH - 1];
        let (mut depth, mut left, mut rest) = (0usize, count, start);
        loop {
            while left == 0 {
                let Some(up) = depth.checked_sub(1) else { return Ok(rest) };
                depth = up;
                left = levels.get(up).copied().unwrap_or(0);
            }
            left = left.saturating_sub(1);
            if let [TUPLE, after @ ..] = rest {
                *levels.get_mut(depth).ok_or(Malformed::Deep)? = left;
                depth = depth.saturating_add(1);
                (left, rest) = varint::read_u32(after).ok_or(Malformed::End)?;
            } else {
                rest = Self::read_scalar(rest)?.1;
            }
        }
    }

    /// Reads one value that is no tuple.
    fn read_scalar(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        let (&tag, rest) = bytes.split_first().ok_or(Malformed::End)?;
        Ok(match tag {
            NONE => (Value::None, rest),
            FALSE => (Value::Bool(false), rest),
            TRUE => (Value::Bool(true), rest),
            INT => {
                let (raw, rest) = varint::read_u64(rest).ok_or(Malformed::End)?;
                (Value::Int(varint::unzigzag(raw)), rest)
            }
            BIG_INT => {
                let (sign, rest) = rest.split_first().ok_or(Malformed::End)?;
                let (magnitude, rest) = read_run(rest).ok_or(Malformed::End)?;
                let big = BigInt::new(*sign == 1, magnitude).filter(|_| *sign <= 1);
                (Value::BigInt(big.ok_or(Malformed::Integer)?), rest)
            }
            FLOAT => {
                let (bits, rest) = rest.split_first_chunk().ok_or(Malformed::End)?;
                (Value::Float(f64::from_le_bytes(*bits)), rest)
            }
            FLOAT32 => {
                let (bits, rest) = rest.split_first_chunk().ok_or(Malformed::End)?;
                (Value::Float32(f32::from_le_bytes(*bits)), rest)
            }
            STR => {
                let (text, rest) = read_str(rest)?;
                (Value::Str(text), rest)
            }
            OPAQUE => {
                let (text, rest) = read_str(rest)?;
                (Value::Opaque(text), rest)
            }
            BYTES => {
                let (run, rest) = read_run(rest).ok_or(Malformed::End)?;
                (Value::Bytes(run), rest)
            }
            other => return Err(Malformed::Tag(other)),
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
            (Value::Opaque(a), Value::Opaque(b)) if a == b => Some(Ordering::Equal),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let below = levels.checked_sub(1)?;
                for (x, y) in a.iter().zip(b.iter()) {
                    let order = x.compare_within(below, y)?;
                    if order.is_ne() {
                        return Some(order);
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            _ => Number::of(self)?.compare(Number::of(other)?),
        }
    }

    /// Whether both are one key: `1`, `True` and `1.0` are, and so is NaN and itself, which a path could not tell apart.
    pub(crate) fn same_key(self, other: Value<'_>) -> bool {
        match (self, other) {
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.same_key(y))
            }
            _ => self == other || self.compare(other) == Some(Ordering::Equal),
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

/// The numeric side of a value.
#[derive(Clone, Copy)]
enum Number<'a> {
    Int(i64),
    Big(BigInt<'a>),
    Float(f64),
}

impl<'a> Number<'a> {
    fn of(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Bool(b) => Some(Number::Int(i64::from(b))),
            Value::Int(i) => Some(Number::Int(i)),
            Value::BigInt(b) => Some(Number::Big(b)),
            Value::Float(f) => Some(Number::Float(f)),
            Value::Float32(f) => Some(Number::Float(f64::from(f))),
            _ => None,
        }
    }

    fn compare(self, other: Number<'_>) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
            (Number::Big(a), Number::Big(b)) => Some(a.compare(b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
            (_, Number::Float(f)) | (Number::Float(f), _) if f.is_nan() => None,
            (Number::Int(_), Number::Big(b)) => {
                Some(if b.negative { Ordering::Greater } else { Ordering::Less })
            }
            (Number::Int(i), Number::Float(f)) => Some(compare_int_float(i, f)),
            (Number::Big(b), Number::Float(f)) => Some(b.compare_float(f)),
            (a, b) => b.compare(a).map(Ordering::reverse),
        }
    }
}

/// Compares exactly; the float is not NaN.
fn compare_int_float(int: i64, float: f64) -> Ordering {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if float >= TWO_63 {
        return Ordering::Less;
    }
    if float < -TWO_63 {
        return Ordering::Greater;
    }
    // In this range the cast truncates, and the truncated value is exact as a float again.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    let (whole, back) = (float as i64, (float as i64) as f64);
    int.cmp(&whole).then(back.partial_cmp(&float).unwrap_or(Ordering::Equal))
}

/// Reads a length and that many bytes.
pub(crate) fn read_run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = varint::read_u32(bytes)?;
    rest.split_at_checked(usize::try_from(len).ok()?)
}

/// Reads a length and that many bytes of UTF-8.
pub(crate) fn read_str(bytes: &[u8]) -> Result<(&str, &[u8]), Malformed> {
    let (run, rest) = read_run(bytes).ok_or(Malformed::End)?;
    Ok((core::str::from_utf8(run).map_err(|_| Malformed::Utf8)?, rest))
}

/// Hands over a length and the bytes.
pub(crate) fn put_run<E>(
    run: &[u8],
    put: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    put(Varint::new(run.len() as u64).as_bytes())?;
    put(run)
}
