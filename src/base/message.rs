//! Makes the texts of errors that the compiler reports.

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
