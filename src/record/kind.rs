//! What the bytes of a stored leaf are, by the name of its leaf type, and which leaves keep their value in another type.

use crate::base::bytes::equal_words;
use crate::format::varint::{unzigzag, zigzag};
use crate::record::bytes::{RecordWriter, number64, take, take_bytes, take_number64};

/// What a leaf type has in a record.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LeafForm<'n> {
    /// An integer of 8 to 128 bits, or a number of `fixed`, whose scale is the text.
    Integer { is_signed: bool, bits: u8, scale: &'n [u8] },
    /// This number of bytes.
    Bytes(u8),
    /// This number of numbers.
    Numbers(u8),
    /// A text: a length and bytes.
    Text,
    /// A leaf type of the program: a length and bytes.
    Run,
}

/// The leaf types of this crate with a name that is no pattern, and how many bytes they have, or [`NUMBERS`] and how many numbers.
const NAMED: [(&str, u8); 9] = [
    ("bool", 1),
    ("float16", 2),
    ("bfloat16", 2),
    ("float32", 4),
    ("Ipv4Addr", 4),
    ("float64", 8),
    ("Ipv6Addr", 16),
    ("char", NUMBERS | 1),
    ("Duration", NUMBERS | 2),
];

const NUMBERS: u8 = 128;

impl<'n> LeafForm<'n> {
    pub(super) const fn of(name: &'n [u8]) -> Self {
        let mut named = NAMED.as_slice();
        while let [(own, count), rest @ ..] = named {
            if equal_words(own.as_bytes(), name) {
                return if *count < NUMBERS {
                    Self::Bytes(*count)
                } else {
                    Self::Numbers(*count ^ NUMBERS)
                };
            }
            named = rest;
        }
        match (integer(name), name) {
            (Some(integer), _) => integer,
            (None, b"alloc::string::String" | [b's', b't', b'r', b'<', ..]) => Self::Text,
            _ => Self::Run,
        }
    }

    /// Takes the bytes of a leaf from the front.
    fn take<'b>(self, bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
        let all = *bytes;
        match self {
            Self::Bytes(count) => return bytes.split_off(..usize::from(count)),
            Self::Integer { bits: 8, .. } => return bytes.split_off(..1),
            Self::Text | Self::Run => _ = take_bytes(bytes)?,
            Self::Integer { .. } => take_number(bytes)?,
            Self::Numbers(count) => (0..count).try_for_each(|_| take_number(bytes))?,
        }
        all.get(..all.len().wrapping_sub(bytes.len()))
    }
}

/// Takes a number of any size.
fn take_number(bytes: &mut &[u8]) -> Option<()> {
    while *bytes.split_off_first()? >= 128 {}
    Some(())
}

/// The integer or number of `fixed` with this name: `uint8`, `u128`, `NonZero<i16>`, `FixedI16<U4>`.
const fn integer(name: &[u8]) -> Option<LeafForm<'_>> {
    let name = match name {
        [b'N', b'o', b'n', b'Z', b'e', b'r', b'o', b'<', name @ .., b'>'] => name,
        _ => name,
    };
    let (is_signed, bits) = match name {
        [b'u', b'i', b'n', b't', bits @ ..] => (false, bits),
        [b'i', b'n', b't', bits @ ..] => (true, bits),
        [b'F', b'i', b'x', b'e', b'd', sign @ (b'U' | b'I'), bits @ ..] => (*sign == b'I', bits),
        [sign @ (b'u' | b'i'), bits @ ..] => (*sign == b'i', bits),
        _ => return None,
    };
    let (bits, scale) = match bits {
        [b'8', scale @ ..] => (8, scale),
        [b'1', b'6', scale @ ..] => (16, scale),
        [b'3', b'2', scale @ ..] => (32, scale),
        [b'6', b'4', scale @ ..] | [b's', b'i', b'z', b'e', scale @ ..] => (64, scale),
        [b'1', b'2', b'8', scale @ ..] => (128, scale),
        _ => return None,
    };
    match scale {
        [] | [b'<', ..] => Some(LeafForm::Integer { is_signed, bits, scale }),
        _ => None,
    }
}

/// Takes the bytes of a leaf of the type with this name from the front.
pub(super) fn take_leaf<'b>(name: &[u8], bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    LeafForm::of(name).take(bytes)
}

/// Writes a leaf of the type with the name `from` as one of the type `to`, with the same value; `None` if it can have none. Whether the value
/// is in the range of `to` is checked for 8 bits, which have one byte; in others, what loads the leaf checks it.
pub(super) fn with_value_of(
    [from, to]: [&str; 2],
    mut bytes: &[u8],
    out: &mut RecordWriter<'_>,
) -> Option<()> {
    if from == to {
        out.all(bytes);
        return Some(());
    }
    match (LeafForm::of(from.as_bytes()), LeafForm::of(to.as_bytes())) {
        (LeafForm::Text, LeafForm::Text) => out.all(bytes),
        (LeafForm::Bytes(4), LeafForm::Bytes(8)) if from == "float32" && to == "float64" => {
            out.all(&f64::from(f32::from_le_bytes(take(&mut bytes)?)).to_le_bytes());
        }
        (
            LeafForm::Integer { is_signed: was_signed, bits: old, scale },
            LeafForm::Integer { is_signed, bits, scale: same },
        ) if scale == same => {
            if old > 8 && bits > 8 {
                // In each width but that of a byte, a number has the same bytes, and one with a sign is twice as large.
                match (was_signed, is_signed) {
                    (false, true) => double(bytes, out),
                    (true, false) => halve(bytes, out)?,
                    _ => out.all(bytes),
                }
                return Some(());
            }
            let number = match (was_signed, old) {
                (false, 8) => i64::from(*bytes.first()?),
                (true, 8) => i64::from(bytes.first()?.cast_signed()),
                (false, _) => i64::try_from(take_number64(&mut bytes)?).ok()?,
                (true, _) => unzigzag(take_number64(&mut bytes)?),
            };
            match (is_signed, bits) {
                (false, 8) => out.byte(u8::try_from(number).ok()?),
                (true, 8) => out.byte(i8::try_from(number).ok()?.cast_unsigned()),
                (false, _) => number64(u64::try_from(number).ok()?, out),
                (true, _) => number64(zigzag(number), out),
            }
        }
        _ => return None,
    }
    Some(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_bytes_there_are() {
        let signed = |bits, scale| LeafForm::Integer { is_signed: true, bits, scale };
        assert!(LeafForm::of(b"int8") == signed(8, b""));
        assert!(LeafForm::of(b"NonZero<i64>") == signed(64, b""));
        assert!(LeafForm::of(b"isize") == signed(64, b""));
        assert!(LeafForm::of(b"FixedI16<U4>") == signed(16, b"<U4>"));
        assert!(
            LeafForm::of(b"u128") == LeafForm::Integer { is_signed: false, bits: 128, scale: b"" }
        );
        for own in ["unit", "i", "u9", "int", "index16", "NonZero<f32>", "String", "app::HexString"]
        {
            assert!(LeafForm::of(own.as_bytes()) == LeafForm::Run, "{own}");
        }
        for text in ["alloc::string::String", "str<8>"] {
            assert!(LeafForm::of(text.as_bytes()) == LeafForm::Text, "{text}");
        }
    }
}
