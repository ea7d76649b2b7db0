//! Reads and writes the bytes of a value: a tag and its payload. The documentation of [`crate::format`] has the table.

use crate::base::attempt::attempt;
use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::format::pieces::{Put, Stop};
use crate::format::reader::{Input, read_run};
use crate::format::value::{BigInt, MAX_VALUE_DEPTH, Value, ValueTuple};
use crate::format::varint::{self, Front};

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

impl<'a> Value<'a> {
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

    /// The same in line: a value whose kind its type says has no code for other kinds then.
    #[inline(always)]
    pub(crate) fn pieces_in_line(&self, put: &mut Put<'_>) -> Result<(), Stop> {
        if let Value::Tuple(_) = self {
            return self.pieces(put);
        }
        put(self.front().as_bytes())?;
        match self.run() {
            [] => Ok(()),
            run => put(run),
        }
    }

    fn pieces_within(&self, levels: usize, put: &mut Put<'_>) -> Result<(), Stop> {
        put(self.front().as_bytes())?;
        let Value::Tuple(tuple) = self else {
            return match self.run() {
                [] => Ok(()),
                run => put(run),
            };
        };
        let below = levels.checked_sub(1).ok_or(Stop::Changed)?;
        let (mut elements, mut left) = (tuple.elements(), tuple.len());
        while let Some(done) = elements.next(|value| value.pieces_within(below, put)) {
            done?;
            left = left.checked_sub(1).ok_or(Stop::Changed)?;
        }
        if left == 0 { Ok(()) } else { Err(Stop::Changed) }
    }

    /// What the encoding begins with, up to [`Value::run`] or the elements of a tuple.
    pub(crate) const fn front(&self) -> Front {
        let tag = match self {
            Value::None => return Front::of([NONE]),
            Value::Bool(value) => return Front::of([if *value { TRUE } else { FALSE }]),
            Value::Int(int) => return Front::of([INT]).then_number(varint::zigzag(*int)),
            Value::Float(float) => {
                let [a, b, c, d, e, f, g, h] = float.to_le_bytes();
                return Front::of([FLOAT, a, b, c, d, e, f, g, h]);
            }
            Value::Float32(float) => {
                let [a, b, c, d] = float.to_le_bytes();
                return Front::of([FLOAT32, a, b, c, d]);
            }
            Value::Tuple(tuple) => return Front::of([TUPLE]).then_number(tuple.len() as u64),
            Value::BigInt(big) => {
                let front = Front::of([BIG_INT, big.is_negative() as u8]);
                return front.then_number(self.run().len() as u64);
            }
            Value::Str(_) => STR,
            Value::Bytes(_) => BYTES,
            Value::Opaque(_) => OPAQUE,
        };
        Front::of([tag]).then_number(self.run().len() as u64)
    }

    /// The bytes of a string, byte string or big integer, which end the encoding; empty for every other value.
    pub(crate) const fn run(&self) -> &'a [u8] {
        match self {
            Value::Str(text) | Value::Opaque(text) => text.as_bytes(),
            Value::Bytes(bytes) => bytes,
            Value::BigInt(big) => big.magnitude(),
            _ => &[],
        }
    }

    /// Whether tuples nest deeper than [`MAX_VALUE_DEPTH`]; deeper levels are not read.
    pub(crate) fn is_too_deep(&self) -> bool {
        matches!(self, Value::Tuple(_)) && self.pieces(&mut |_| Ok(())).is_err()
    }
}

/// The bytes after the value at the front, which was validated before.
pub(crate) const fn skip_value(mut bytes: &[u8]) -> Option<&[u8]> {
    let mut left = 1u32;
    while let Some(after) = left.checked_sub(1) {
        let (tag, rest) = attempt!(bytes.split_first());
        left = after;
        (_, bytes) = match *tag {
            NONE | FALSE | TRUE => (rest, rest),
            INT => (rest, attempt!(varint::skip(rest))),
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
