//! The bytes of stored leaves, and which leaves keep their value in another type.

use crate::base::bytes::equal_words;
use crate::encode::max_sizes::text_room;
use crate::format::varint::{self, unzigzag, zigzag};
use crate::record::bytes::{RecordWriter, number64, take, take_bytes, take_number64};
use crate::tree::leaf_form::{LeafForm, NUMBERS, RUN};

/// Takes the bytes of a leaf that is this long from the front.
pub(super) fn take_leaf<'b>(len: u8, bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let all = *bytes;
    match (len, len & 0x1F) {
        (RUN, _) => _ = take_bytes(bytes)?,
        (NUMBERS.., count) => (0..count).try_for_each(|_| {
            *bytes = varint::skip(bytes)?;
            Some(())
        })?,
        (_, count) => _ = bytes.split_off(..usize::from(count))?,
    }
    all.get(..all.len().wrapping_sub(bytes.len()))
}

/// How a leaf becomes one of another type with the same value. Whether the type takes the value is checked for 8 bits, which have one byte;
/// in others, what loads the leaf checks it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Conversion(pub(super) u8);

impl Conversion {
    pub(super) const COPY: Self = Self(0);
    const DOUBLE: Self = Self(1);
    const HALVE: Self = Self(2);
    const FLOAT: Self = Self(3);
    /// A number to or from one of 8 bits, which is a byte and not digits of seven bits. The flags below are added.
    const BYTE: u8 = 16;
    const WAS_SIGNED: u8 = 1;
    const WAS_BYTE: u8 = 2;
    const IS_SIGNED: u8 = 4;
    const IS_BYTE: u8 = 8;

    /// From a type of the first name to one of the second; `None` if it can have none of these values.
    pub(super) const fn of(from: &[u8], to: &[u8]) -> Option<Self> {
        if equal_words(from, to) {
            return Some(Self::COPY);
        }
        match (LeafForm::of(from), LeafForm::of(to)) {
            (LeafForm::Text, LeafForm::Text) => Some(Self::COPY),
            _ if equal_words(from, b"float32") && equal_words(to, b"float64") => Some(Self::FLOAT),
            (
                LeafForm::Integer { is_signed: was_signed, bits: old, scale },
                LeafForm::Integer { is_signed, bits, scale: same },
            ) if equal_words(scale, same) => Some(match (was_signed, is_signed) {
                _ if old == 8 || bits == 8 => {
                    let was = flag(was_signed, Self::WAS_SIGNED) | flag(old == 8, Self::WAS_BYTE);
                    let is = flag(is_signed, Self::IS_SIGNED) | flag(bits == 8, Self::IS_BYTE);
                    Self(Self::BYTE | was | is)
                }
                // In each width but that of a byte, a number has the same bytes, and one with a sign is twice as large.
                (false, true) => Self::DOUBLE,
                (true, false) => Self::HALVE,
                _ => Self::COPY,
            }),
            _ => None,
        }
    }

    /// Writes a leaf that has these bytes as one of the other type.
    pub(super) fn write(self, mut bytes: &[u8], out: &mut RecordWriter<'_>) -> Option<()> {
        match self {
            Self::COPY => out.all(bytes),
            Self::DOUBLE => double(bytes, out),
            Self::HALVE => halve(bytes, out)?,
            Self::FLOAT => {
                out.all(&f64::from(f32::from_le_bytes(take(&mut bytes)?)).to_le_bytes());
            }
            Self(flags) => {
                let has = |flag| flags & flag != 0;
                let number = match (has(Self::WAS_SIGNED), has(Self::WAS_BYTE)) {
                    (false, true) => i64::from(*bytes.first()?),
                    (true, true) => i64::from(bytes.first()?.cast_signed()),
                    (false, _) => i64::try_from(take_number64(&mut bytes)?).ok()?,
                    (true, _) => unzigzag(take_number64(&mut bytes)?),
                };
                match (has(Self::IS_SIGNED), has(Self::IS_BYTE)) {
                    (false, true) => out.byte(u8::try_from(number).ok()?),
                    (true, true) => out.byte(i8::try_from(number).ok()?.cast_unsigned()),
                    (false, _) => number64(u64::try_from(number).ok()?, out),
                    (true, _) => number64(zigzag(number), out),
                }
            }
        }
        Some(())
    }
}

const fn flag(is: bool, flag: u8) -> u8 {
    if is { flag } else { 0 }
}

/// Writes a leaf as one of another type: [`Conversion::write`].
pub(super) type Convert = fn(Conversion, &[u8], &mut RecordWriter<'_>) -> Option<()>;

/// Whether a leaf type takes every value of another one: an integer of the same sign and at least as many bits, a text with at least as much
/// room, an `f32` as `f64`. Of leaf types of the program that is not known.
pub(super) const fn takes_all(from: &[u8], to: &[u8]) -> bool {
    match (LeafForm::of(from), LeafForm::of(to)) {
        (LeafForm::Run, _) | (_, LeafForm::Run) => false,
        _ if equal_words(from, to) => true,
        (LeafForm::Plain(_), LeafForm::Plain(_)) => Conversion::of(from, to).is_some(),
        (
            LeafForm::Integer { is_signed: was_signed, bits: old, .. },
            LeafForm::Integer { is_signed, bits, .. },
        ) => {
            // The bits of `usize` are those of the machine.
            was_signed == is_signed && old <= bits && !matches!(to, [b'N', ..] | [.., b'z', b'e'])
        }
        (LeafForm::Text, LeafForm::Text) => match (text_room(from), text_room(to)) {
            (_, None) => true,
            (Some(old), Some(room)) => old <= room,
            _ => false,
        },
        _ => false,
    }
}

/// Writes a number of any size, twice as large.
fn double(number: &[u8], out: &mut RecordWriter<'_>) {
    let mut carry = 0;
    for byte in number {
        let digit = (byte & 127) << 1 | carry;
        carry = digit >> 7;
        out.byte(digit & 127 | byte & 128 | carry << 7);
    }
    if carry == 1 {
        out.byte(carry);
    }
}

/// Writes half of a number of any size; `None` if it is odd.
fn halve(number: &[u8], out: &mut RecordWriter<'_>) -> Option<()> {
    if number.first()? & 1 == 1 {
        return None;
    }
    let mut rest = number;
    while let [byte, after @ ..] = rest {
        let (next, more) = match after {
            [] => (0, 0),
            // Nothing is left of a last digit that is 1.
            [1] => (1, 0),
            [next, ..] => (next & 1, 128),
        };
        out.byte((byte & 127) >> 1 | next << 6 | more);
        rest = if more == 0 { &[] } else { after };
    }
    Some(())
}
