//! What the bytes of a leaf in a record are, by the name of its leaf type.

use crate::base::attempt::attempt;
use crate::base::bytes::{equal_words, strip_prefix};
use crate::encode::max_sizes::max_text;

/// What a leaf type has in a record.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum LeafForm<'n> {
    /// An integer of 8 to 128 bits, or a number of `fixed`, whose scale is the text.
    Integer { is_signed: bool, bits: u8, scale: &'n [u8] },
    /// Another type of this crate, which is this long.
    Plain(u8),
    /// A text: a length and bytes.
    Text,
    /// A leaf type of the program: a length and bytes.
    Run,
}

// How long a leaf is, as a byte: a number of bytes, or one of these.
/// A leaf of this many numbers, added to the count.
pub(crate) const NUMBERS: u8 = 0x20;
/// A leaf that is a length and bytes.
pub(crate) const RUN: u8 = 0x40;

const CHAR: u8 = NUMBERS | 1;
const DURATION: u8 = NUMBERS | 2;

/// The leaf types of this crate with a name that is no pattern, and how long they are.
const NAMED: [(&str, u8); 9] = [
    ("bool", 1),
    ("float16", 2),
    ("bfloat16", 2),
    ("float32", 4),
    ("Ipv4Addr", 4),
    ("float64", 8),
    ("Ipv6Addr", 16),
    ("char", CHAR),
    ("Duration", DURATION),
];

impl<'n> LeafForm<'n> {
    pub(crate) const fn of(name: &'n [u8]) -> Self {
        let mut named = NAMED.as_slice();
        while let [(own, len), rest @ ..] = named {
            if equal_words(own.as_bytes(), name) {
                return Self::Plain(*len);
            }
            named = rest;
        }
        match integer(name) {
            Some(integer) => integer,
            None if equal_words(name, b"alloc::string::String") => Self::Text,
            None if strip_prefix(name, b"str<").is_some() => Self::Text,
            None => Self::Run,
        }
    }

    /// How long a leaf is, as a byte.
    pub(crate) const fn len(self) -> u8 {
        match self {
            Self::Plain(len) => len,
            Self::Integer { bits: 8, .. } => 1,
            Self::Integer { .. } => NUMBERS | 1,
            Self::Text | Self::Run => RUN,
        }
    }

    /// The largest number of bytes of a leaf with this form and name; `None` for one of the program.
    pub(crate) const fn max_len(self, name: &[u8]) -> Option<usize> {
        Some(match self {
            Self::Plain(CHAR) => 3,
            Self::Plain(DURATION) => 15,
            Self::Plain(len) => len as usize,
            Self::Integer { bits: 8, .. } => 1,
            // Each byte of a number has seven bits.
            Self::Integer { bits, .. } => (bits as usize).div_ceil(7),
            Self::Text => max_text(name),
            Self::Run => return None,
        })
    }
}

/// How names of integers and numbers of `fixed` begin, and whether these have a sign. The first one that a name begins with is meant.
const SIGNS: [(&[u8], bool); 6] = [
    (b"uint", false),
    (b"int", true),
    (b"FixedU", false),
    (b"FixedI", true),
    (b"u", false),
    (b"i", true),
];

/// What follows, and the number of bits.
const WIDTHS: [(&[u8], u8); 6] =
    [(b"8", 8), (b"16", 16), (b"32", 32), (b"64", 64), (b"size", 64), (b"128", 128)];

/// The integer or number of `fixed` with this name: `uint8`, `u128`, `NonZero<i16>`, `FixedI16<U4>`.
const fn integer(name: &[u8]) -> Option<LeafForm<'_>> {
    let name = match strip_prefix(name, b"NonZero<") {
        Some([name @ .., b'>']) => name,
        _ => name,
    };
    let (is_signed, rest) = attempt!(strip_first(name, &SIGNS));
    let (bits, scale) = attempt!(strip_first(rest, &WIDTHS));
    match scale {
        [] | [b'<', ..] => Some(LeafForm::Integer { is_signed, bits, scale }),
        _ => None,
    }
}

/// What the first of these fronts means that a name begins with, and what is left of the name.
const fn strip_first<'n, T: Copy>(
    name: &'n [u8],
    mut fronts: &[(&[u8], T)],
) -> Option<(T, &'n [u8])> {
    while let [(front, meaning), others @ ..] = fronts {
        if let Some(rest) = strip_prefix(name, front) {
            return Some((*meaning, rest));
        }
        fronts = others;
    }
    None
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
