//! Checks texts and values in a block that comes from outside.

use core::str::from_utf8;

use crate::base::decode_error::DecodeErrorKind as Fault;
use crate::format::reader::{Input, is_utf8};
use crate::format::value::Value;

/// The payload of a block. Where a method returns `None`, [`Input::fault`] says what is wrong, and `from` where.
///
/// `PLAIN` is a const parameter, so that a program that reads only plain kinds has no code for values.
pub(crate) struct Block<'a, const PLAIN: bool> {
    /// The unread bytes.
    pub(crate) input: Input<'a>,
    /// Where the current name, key or value begins, in bytes before the end of the block.
    pub(crate) from: usize,
    /// Whether all bytes are ASCII, so that all text is UTF-8.
    ascii: bool,
}

impl<'a, const PLAIN: bool> Block<'a, PLAIN> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { input: Input::new(bytes), from: 0, ascii: bytes.is_ascii() }
    }

    /// Whether all bytes are read.
    pub(crate) const fn is_at_end(&self) -> bool {
        self.input.rest.is_empty()
    }

    /// Notes that what is read next begins here.
    pub(crate) const fn begin(&mut self) {
        self.from = self.input.rest.len();
    }

    /// Reads a length, and that many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'a [u8]> {
        self.begin();
        let run = self.input.run()?;
        // Values hold a `str`, so core's check is in the program if there are values.
        let utf8 = self.ascii || if PLAIN { is_utf8(run) } else { from_utf8(run).is_ok() };
        if utf8 { Some(run) } else { self.input.fail(Fault::NotUtf8) }
    }

    /// Reads `more + 1` names.
    pub(crate) fn names(&mut self, more: u32) -> Option<()> {
        (0..=more).try_for_each(|_| self.text().map(drop))
    }

    /// Reads a value.
    pub(crate) fn value(&mut self) -> Option<()> {
        self.begin();
        Value::take(&mut self.input).map(drop)
    }
}
