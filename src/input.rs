//! Bytes that are read from the front, by whoever has to say what is wrong with them.

use crate::error::DecodeErrorKind as Fault;
use crate::varint;

/// What is left to read.
///
/// Each answer is `None` where the bytes do not have what is asked for; then `fault` says why. So answers stay in
/// registers, where a [`Result`] of a fault would be copied from frame to frame.
pub(crate) struct Input<'a> {
    /// The bytes up to where the reader may go.
    pub(crate) rest: &'a [u8],
    /// What is wrong; until something is, what it means if the bytes end.
    pub(crate) fault: Fault,
}

impl<'a> Input<'a> {
    /// The payload of a block, or a part of one.
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest, fault: Fault::BlockLength }
    }

    /// Notes what is wrong.
    pub(crate) fn fail<T>(&mut self, fault: Fault) -> Option<T> {
        self.fault = fault;
        None
    }

    /// One byte.
    #[inline]
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    /// A number of 32 bits.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let (number, rest) = varint::read_u32(self.rest)?;
        self.rest = rest;
        Some(number)
    }

    /// A signed number of 64 bits.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        let (raw, rest) = varint::read_u64(self.rest)?;
        self.rest = rest;
        Some(varint::unzigzag(raw))
    }

    /// So many bytes.
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (run, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(run)
    }

    /// A length and so many bytes.
    pub(crate) fn run(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.number()?).ok()?;
        self.take(len)
    }

    /// A length and so many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let run = self.run()?;
        match core::str::from_utf8(run) {
            Ok(text) => Some(text),
            Err(_) => self.fail(Fault::NotUtf8),
        }
    }
}
