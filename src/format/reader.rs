//! Reads lengths and bytes from the front, and notes what is wrong with bytes from outside.

use crate::base::attempt::attempt;
use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::format::varint;

/// Reads a length and that many bytes.
pub(crate) const fn read_run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = attempt!(varint::read_u32(bytes));
    // Where an address has fewer bits than a length, what does not fit is not there either.
    rest.split_at_checked(if len as u64 > usize::MAX as u64 { usize::MAX } else { len as usize })
}

/// The bytes that are left to read.
///
/// Each method returns `None` if it cannot read, and `fault` says why. An `Option` stays in registers; a [`Result`]
/// with a fault would be copied from frame to frame.
#[derive(Clone)]
pub(crate) struct Input<'a> {
    /// The unread bytes, up to the end of the block.
    pub(crate) rest: &'a [u8],
    /// What is wrong. Before anything is wrong: the fault to report if the bytes end.
    pub(crate) fault: Fault,
}

impl<'a> Input<'a> {
    /// Reads the payload of a block, or a part of one.
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest, fault: Fault::BlockLength }
    }

    /// Notes what is wrong and returns `None`.
    pub(crate) fn fail<T>(&mut self, fault: Fault) -> Option<T> {
        self.fault = fault;
        None
    }

    /// Reads one byte.
    #[inline]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    /// Reads a number of 32 bits.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let (number, rest) = varint::read_u32(self.rest)?;
        self.rest = rest;
        Some(number)
    }

    /// Reads a number of 64 bits.
    pub(crate) fn long_number(&mut self) -> Option<u64> {
        let (number, rest) = varint::read_u64(self.rest)?;
        self.rest = rest;
        Some(number)
    }

    /// Reads a signed number of 64 bits.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        self.long_number().map(varint::unzigzag)
    }

    /// Reads `len` bytes.
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (run, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(run)
    }

    /// Reads a length, and that many bytes.
    pub(crate) fn run(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.number()?).ok()?;
        self.take(len)
    }

    /// Reads a length, and that many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        self.text_of(len)
    }

    /// Reads `len` bytes of UTF-8.
    pub(crate) fn text_of(&mut self, len: usize) -> Option<&'a str> {
        match core::str::from_utf8(self.take(len)?) {
            Ok(text) => Some(text),
            Err(_) => self.fail(Fault::NotUtf8),
        }
    }
}

/// Whether bytes are UTF-8, in half the code of [`core::str::from_utf8`].
pub(crate) fn is_utf8(bytes: &[u8]) -> bool {
    // The bits of a code point so far, its missing bytes, and the least code point of its length.
    let (mut code, mut missing, mut least) = (0u32, 0u32, 0u32);
    for byte in bytes {
        let byte = u32::from(*byte);
        if missing > 0 {
            code = code << 6 | byte & 0x3f;
            missing = missing.wrapping_sub(1);
            let whole = missing == 0;
            if byte >> 6 != 2 || whole && (code < least || char::from_u32(code).is_none()) {
                return false;
            }
        } else if byte > 0x7f {
            (missing, least) = match byte {
                0xc0..=0xdf => (1, 0x80),
                0xe0..=0xef => (2, 0x800),
                0xf0..=0xf7 => (3, 0x1_0000),
                _ => return false,
            };
            code = byte & 0x3f >> missing;
        }
    }
    missing == 0
}

#[cfg(test)]
mod tests {
    use super::is_utf8;

    #[test]
    fn the_same_strings_are_utf8_as_for_core() {
        const EDGES: [u8; 8] = [0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xe1, 0xff];
        let agree = |bytes: &[u8]| {
            assert_eq!(is_utf8(bytes), core::str::from_utf8(bytes).is_ok(), "{bytes:02x?}");
        };
        for first in 0..=255 {
            agree(&[first]);
            for second in 0..=255 {
                agree(&[first, second]);
                for third in EDGES {
                    agree(&[first, second, third]);
                    for fourth in EDGES {
                        agree(&[first, second, third, fourth]);
                        agree(&[0x41, first, second, third, fourth]);
                    }
                }
            }
        }
    }
}
