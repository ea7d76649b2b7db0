//! Reads, writes and compares values inside a treedef: dictionary keys, meta fields, aux data.
//!
//! All have one encoding, so a treedef can be parsed, printed and compared without the types that wrote it. A value is
//! a tag byte and its payload; the documentation of [`crate::format`] has the table.

use core::cmp::Ordering;

use crate::base::attempt::attempt;
use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::format::number::Number;
use crate::format::reader::Input;
use crate::format::tuple::ValueTuple;
use crate::format::varint::{self, Varint};

/// The number of levels that tuples inside a value may nest, so that reading a value needs a bounded stack.
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

/// A dictionary key, a meta field or the aux data of a custom node.
///
/// The kinds are those that Python programs use as keys and metadata, and `f32` for Rust. Two values are equal if their
/// encodings are: `Int(1)`, `Bool(true)` and `Float(1.0)` differ (`DIFFERENCE`: Python calls them equal), and floats
/// are compared by their bits. [`Value::compare`] is Python's order.
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
    Tuple(ValueTuple<'a>),
    /// The text of a value that has no encoding of its own: it prints without quotes and equals only itself.
    Opaque(&'a str),
    /// A 32-bit float.
    Float32(f32),
}

/// An integer beyond 64 bits: a sign and a magnitude, low byte first, without zeros at the end.
///
/// # Examples
///
/// ```
/// use treedef::Value;
/// use treedef::format::BigInt;
///
/// let number = BigInt::new(false, &[0, 0, 0, 0, 0, 0, 0, 0, 1]).map(Value::BigInt);
/// assert_eq!(number.map(|number| number.to_string()).as_deref(), Some("18446744073709551616")); // 2^64
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BigInt<'a> {
    negative: bool,
    magnitude: &'a [u8],
}

impl<'a> BigInt<'a> {
    /// The integer with this sign and magnitude, low byte first; `None` if the number fits `i64` or the last byte is
    /// zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// assert!(BigInt::new(false, &[0, 0, 0, 0, 0, 0, 0, 128]).is_some()); // 2^63
    /// assert!(BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 128]).is_none()); // -2^63 is an i64
    /// ```
    #[must_use]
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
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// let number = BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 0, 1]); // -2^64
    /// assert_eq!(number.map(BigInt::is_negative), Some(true));
    /// ```
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.negative
    }

    /// The magnitude, low byte first.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::format::BigInt;
    ///
    /// let number = BigInt::new(true, &[2, 0, 0, 0, 0, 0, 0, 0, 1]); // -2^64 - 2
    /// assert_eq!(number.map(|number| number.magnitude()[0]), Some(2));
    /// ```
    #[must_use]
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
    #[must_use]
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
        Some(Value::Tuple(ValueTuple::encoded(count, bytes)))
    }

    /// Steps over the elements of a tuple and all tuples inside them, without recursion.
    #[inline(never)]
    fn skip_elements(count: u32, input: &mut Input<'a>) -> Option<()> {
        // The remaining elements of the tuples around the current one.
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

    /// Reads what follows the tag of a value other than a tuple.
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

    /// Passes the encoding to `put` in pieces, element by element, with one stack frame for each level of tuples.
    ///
    /// It reads the value once. [`Stop::Changed`] also means that tuples nest too deep, which was checked before.
    pub(crate) fn pieces(&self, put: &mut Put<'_>) -> Result<(), Stop> {
        self.pieces_within(MAX_VALUE_DEPTH, put)
    }

    fn pieces_within(&self, levels: usize, put: &mut Put<'_>) -> Result<(), Stop> {
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
                let below = levels.checked_sub(1).ok_or(Stop::Changed)?;
                let (mut elements, mut left) = (t.elements(), t.len());
                while let Some(done) = elements.next(|value| value.pieces_within(below, put)) {
                    done?;
                    left = left.checked_sub(1).ok_or(Stop::Changed)?;
                }
                if left == 0 { Ok(()) } else { Err(Stop::Changed) }
            }
        }
    }

    /// The length of the encoding; `None` if tuples nest deeper than [`MAX_VALUE_DEPTH`].
    pub(crate) fn encoded_len(&self) -> Option<usize> {
        let mut len = 0usize;
        let counted = self.pieces(&mut |piece| {
            len = len.saturating_add(piece.len());
            Ok(())
        });
        counted.is_ok().then_some(len)
    }

    /// Whether tuples nest deeper than [`MAX_VALUE_DEPTH`]; deeper levels are not read.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.encoded_len().is_none()
    }

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

    /// As [`Value::compare`], for values that were read from bytes.
    pub(super) fn compare_read(self, other: Value<'_>) -> Option<Ordering> {
        self.compare_within::<true>(MAX_VALUE_DEPTH, other)
    }

    fn compare_within<const HELD: bool>(self, levels: usize, other: Value<'_>) -> Option<Ordering> {
        match (self, other) {
            (Value::None, Value::None) => Some(Ordering::Equal),
            (Value::Str(a), Value::Str(b)) => Some(a.cmp(b)),
            (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
            (Value::Opaque(a), Value::Opaque(b)) => (a == b).then_some(Ordering::Equal),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let below = levels.checked_sub(1)?;
                let differ = a.differ::<HELD, _>(b, |x, y| {
                    let order = x.compare_within::<HELD>(below, y);
                    (order != Some(Ordering::Equal)).then_some(order)
                });
                differ.unwrap_or_else(|| Some(a.len().cmp(&b.len())))
            }
            _ => Some(Number::of(self)?.compare(Number::of(other)?)),
        }
    }

    fn equals_within(self, levels: usize, other: Value<'_>) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::BigInt(a), Value::BigInt(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Float32(a), Value::Float32(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) | (Value::Opaque(a), Value::Opaque(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) => levels.checked_sub(1).is_some_and(|below| {
                let differ =
                    |x: Value<'_>, y: Value<'_>| (!x.equals_within(below, y)).then_some(());
                a.len() == b.len() && a.differ::<false, _>(b, differ).is_none()
            }),
            _ => false,
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

/// Reads a length and that many bytes.
pub(crate) const fn read_run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    read_run_inline(bytes)
}

/// [`read_run`] for the loop of a scan.
#[inline(always)]
pub(crate) const fn read_run_inline(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = attempt!(varint::read_u32(bytes));
    // Where an address has fewer bits than a length, what does not fit is not there either.
    rest.split_at_checked(if len as u64 > usize::MAX as u64 { usize::MAX } else { len as usize })
}

/// The bytes after the value at the front, which was validated before.
pub(crate) const fn skip_value(mut bytes: &[u8]) -> Option<&[u8]> {
    let mut left = 1u32;
    while let Some(after) = left.checked_sub(1) {
        let (tag, rest) = attempt!(bytes.split_first());
        left = after;
        (_, bytes) = match *tag {
            NONE | FALSE | TRUE => (rest, rest),
            INT => (rest, attempt!(varint::read_u64(rest)).1),
            FLOAT => attempt!(rest.split_at_checked(8)),
            FLOAT32 => attempt!(rest.split_at_checked(4)),
            TUPLE => {
                let (count, rest) = attempt!(varint::read_u32(rest));
                left = attempt!(left.checked_add(count));
                (rest, rest)
            }
            BIG_INT => attempt!(read_run(attempt!(rest.split_first()).1)),
            _ => attempt!(read_run(rest)),
        };
    }
    Some(bytes)
}

/// Reads a length and that many bytes of UTF-8.
pub(crate) fn read_str(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (run, rest) = read_run(bytes)?;
    Some((core::str::from_utf8(run).ok()?, rest))
}

/// Why a head or a value was not passed on to its end.
///
/// # Examples
///
/// ```
/// use treedef::format::Stop;
/// use treedef::head::{Dict, DictKind, HeadSpec};
///
/// let head = Dict::new(DictKind::Sorted, ["x", "y"]);
/// assert_eq!(head.pieces(&mut |_| Err(Stop::Refused)), Err(Stop::Refused));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stop {
    /// The receiver takes no more.
    Refused,
    /// A key or a value differs from the one that was counted or checked.
    Changed,
}

/// Receives the pieces of a value or of a block.
pub(crate) type Put<'p> = dyn FnMut(&[u8]) -> Result<(), Stop> + 'p;

/// Passes a length and the bytes to `put`.
pub(crate) fn put_run(run: &[u8], put: &mut Put<'_>) -> Result<(), Stop> {
    put(Varint::new(run.len() as u64).as_bytes())?;
    put(run)
}
