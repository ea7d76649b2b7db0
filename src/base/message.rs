//! Makes texts at compile time: of errors that the compiler reports, and names of types.

use core::str::from_utf8;

use crate::base::bytes::{copy, first};

/// A text of at most 256 bytes that is made at compile time.
pub struct Message {
    bytes: [u8; 256],
    len: usize,
}

impl Message {
    /// The parts one after the other, as far as they fit.
    pub(crate) const fn new(mut parts: &[&str]) -> Self {
        let mut message = Self { bytes: [0; 256], len: 0 };
        while let [part, rest @ ..] = parts {
            if let Some((_, free)) = message.bytes.split_at_mut_checked(message.len)
                && let Some((target, _)) = free.split_at_mut_checked(part.len())
            {
                copy(target, part.as_bytes());
                message.len = message.len.saturating_add(part.len());
            }
            parts = rest;
        }
        message
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match from_utf8(first(&self.bytes, self.len)) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// The name of a text type with room for `N` bytes: `str<8>`.
pub(crate) struct TextType<const N: usize>;

impl<const N: usize> TextType<N> {
    const LEN: usize = match N.checked_ilog10() {
        Some(digits) => digits as usize + 6,
        None => 6,
    };

    #[expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "the compiler evaluates it, and refuses an index outside"
    )]
    const BYTES: [u8; 25] = {
        let mut bytes = *b"str<00000000000000000000>";
        let (mut at, mut left) = (Self::LEN - 1, N);
        bytes[at] = b'>';
        while left > 0 {
            at -= 1;
            bytes[at] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        bytes
    };

    pub(crate) const NAME: &'static str = match from_utf8(first(&Self::BYTES, Self::LEN)) {
        Ok(name) => name,
        Err(_) => "str",
    };

    /// What follows the first `<`: `8>`.
    pub(crate) const ROOM: &'static str = match Self::NAME.split_at_checked(4) {
        Some((_, room)) => room,
        None => "",
    };
}
