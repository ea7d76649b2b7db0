//! What the bytes of a stored leaf are, by the name of its leaf type, and which leaves keep their value in another type.

use crate::record::bytes::{RecordWriter, number64, take, take_bytes, take_number64};

/// What a leaf type has in a record.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind<'n> {
    /// An integer of 8 to 128 bits, or a number of `fixed`, whose scale is the text.
    Integer { is_signed: bool, bits: u32, scale: &'n [u8] },
    /// This number of bytes.
    Bytes(usize),
    /// This number of numbers.
    Numbers(u32),
    /// A text, or a leaf type of the program: a length and bytes.
    Run,
}

/// The leaf types of this crate with a name that is no pattern. One of the program cannot have such a name, because a record would not be
/// read as it was written.
pub(super) const NAMED: [(&str, Kind<'static>); 9] = [
    ("bool", Kind::Bytes(1)),
    ("float16", Kind::Bytes(2)),
    ("bfloat16", Kind::Bytes(2)),
    ("float32", Kind::Bytes(4)),
    ("Ipv4Addr", Kind::Bytes(4)),
    ("float64", Kind::Bytes(8)),
    ("Ipv6Addr", Kind::Bytes(16)),
    ("char", Kind::Numbers(1)),
    ("Duration", Kind::Numbers(2)),
];

impl<'n> Kind<'n> {
    fn of(name: &'n [u8]) -> Self {
        let named = NAMED.iter().find(|(own, _)| own.as_bytes() == name).map(|(_, kind)| *kind);
        named.or_else(|| integer(name)).unwrap_or(Self::Run)
    }

    /// Takes the bytes of a leaf from the front.
    fn take<'b>(self, bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
        let all = *bytes;
        match self {
            Self::Bytes(count) => return bytes.split_off(..count),
            Self::Integer { bits: 8, .. } => return bytes.split_off(..1),
            Self::Run => _ = take_bytes(bytes)?,
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
fn integer(name: &[u8]) -> Option<Kind<'_>> {
    let name = match name.strip_prefix(b"NonZero<") {
        Some(name) => name.strip_suffix(b">")?,
        None => name,
    };
    let prefixes: [(&[u8], bool); 6] = [
        (b"uint", false),
        (b"int", true),
        (b"FixedU", false),
        (b"FixedI", true),
        (b"u", false),
        (b"i", true),
    ];
    let mut found = prefixes.iter().filter_map(|(prefix, is_signed)| {
        let bits = name.strip_prefix(*prefix)?;
        let end = bits
            .iter()
            .take_while(|byte| **byte != b'<')
            .fold(0usize, |end, _| end.wrapping_add(1));
        let (bits, scale) = bits.split_at_checked(end)?;
        let bits = match bits {
            b"8" => 8,
            b"16" => 16,
            b"32" => 32,
            b"64" | b"size" => 64,
            b"128" => 128,
            _ => return None,
        };
        Some(Kind::Integer { is_signed: *is_signed, bits, scale })
    });
    found.next()
}

/// Takes the bytes of a leaf of the type with this name from the front.
pub(super) fn take_leaf<'b>(name: &[u8], bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    Kind::of(name).take(bytes)
}

/// Writes a leaf of the type with the name `from` as one of the type `to`, with the same value; `None` if it can have none. The range of
/// `to` is not checked.
pub(super) fn with_value_of(
    [from, to]: [&str; 2],
    mut bytes: &[u8],
    out: &mut RecordWriter<'_>,
) -> Option<()> {
    let is_text = |name: &str| name.ends_with("String") || name.starts_with("str<");
    match (Kind::of(from.as_bytes()), Kind::of(to.as_bytes())) {
        _ if from == to => out.all(bytes),
        (Kind::Run, Kind::Run) if is_text(from) && is_text(to) => out.all(bytes),
        (Kind::Bytes(4), Kind::Bytes(8)) if from == "float32" && to == "float64" => {
            out.all(&f64::from(f32::from_le_bytes(take(&mut bytes)?)).to_le_bytes());
        }
        (
            Kind::Integer { is_signed: was_signed, bits: old, scale },
            Kind::Integer { is_signed, bits, scale: same },
        ) if scale == same && old < 128 && bits < 128 => {
            let (is_negative, size) = match (was_signed, old) {
                (false, 8) => (false, u64::from(*bytes.first()?)),
                (true, 8) => {
                    let byte = bytes.first()?.cast_signed();
                    (byte < 0, byte.unsigned_abs().into())
                }
                (false, _) => (false, take_number64(&mut bytes)?),
                (true, _) => {
                    let zigzag = take_number64(&mut bytes)?;
                    (zigzag & 1 == 1, (zigzag >> 1).checked_add(zigzag & 1)?)
                }
            };
            match (is_signed, bits) {
                (false, _) if is_negative => return None,
                (false, 8) => out.byte(u8::try_from(size).ok()?),
                (false, _) => number64(size, out),
                (true, 8) => {
                    let size = i16::try_from(size).ok()?;
                    let number = if is_negative { size.wrapping_neg() } else { size };
                    out.byte(i8::try_from(number).ok()?.cast_unsigned());
                }
                (true, _) => {
                    let half = if is_negative { size.wrapping_sub(1) } else { size };
                    number64(half.checked_mul(2)? | u64::from(is_negative), out);
                }
            }
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_bytes_there_are() {
        let signed = |bits, scale| Kind::Integer { is_signed: true, bits, scale };
        assert!(Kind::of(b"int8") == signed(8, b""));
        assert!(Kind::of(b"NonZero<i64>") == signed(64, b""));
        assert!(Kind::of(b"isize") == signed(64, b""));
        assert!(Kind::of(b"FixedI16<U4>") == signed(16, b"<U4>"));
        assert!(Kind::of(b"u128") == Kind::Integer { is_signed: false, bits: 128, scale: b"" });
        for own in ["unit", "i", "u9", "int", "index16", "NonZero<f32>", "str<8>"] {
            assert!(Kind::of(own.as_bytes()) == Kind::Run, "{own}");
        }
    }
}
