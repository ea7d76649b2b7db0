//! The bytes of shapes and plans, written while the program is compiled.

/// The largest number of two bytes: no capacity, or any length.
pub(super) const ANY: usize = 0xFFFF;

/// The numbers of a byte from here on have other meanings.
pub(super) const MOST: u8 = 0xF0;

/// The most indices of a way to a part of a value, and the most levels of a type.
pub(super) const LEVELS: usize = 24;

/// Bytes that are made.
pub(super) struct Steps<'m> {
    bytes: &'m mut [u8],
    /// Their number, including those that have no room.
    pub(super) len: usize,
    /// Whether a number had no room in its bytes.
    pub(super) is_too_large: bool,
}

impl<'m> Steps<'m> {
    pub(super) const fn new(bytes: &'m mut [u8]) -> Self {
        Self { bytes, len: 0, is_too_large: false }
    }

    pub(super) const fn byte(&mut self, byte: u8) {
        self.set(self.len, byte);
        self.len = self.len.saturating_add(1);
    }

    /// Replaces the byte at a place.
    pub(super) const fn set(&mut self, at: usize, byte: u8) {
        if let Some((_, rest)) = self.bytes.split_at_mut_checked(at)
            && let Some(slot) = rest.first_mut()
        {
            *slot = byte;
        }
    }

    /// Writes a number as a byte.
    pub(super) const fn small(&mut self, number: usize) {
        self.is_too_large |= number >= MOST as usize;
        let [low, ..] = number.to_le_bytes();
        self.byte(low);
    }

    /// Writes a number of two bytes, or none, as [`usize::MAX`].
    pub(super) const fn number(&mut self, number: usize) {
        self.is_too_large |= number >= ANY && number < usize::MAX;
        let [low, high, ..] = number.to_le_bytes();
        self.byte(low);
        self.byte(high);
    }

    /// The place of the length of what comes next.
    pub(super) const fn open(&mut self) -> usize {
        let at = self.len;
        self.byte(0);
        self.byte(0);
        at
    }

    /// Writes the length of what came after that place and a number of bytes.
    pub(super) const fn close(&mut self, at: usize, before: usize) {
        let len = self.len.saturating_sub(at).saturating_sub(2).saturating_sub(before);
        self.is_too_large |= len > ANY;
        let [low, high, ..] = len.to_le_bytes();
        self.set(at, low);
        self.set(at.saturating_add(1), high);
    }
}

/// A capacity or a length; `usize::MAX` without one.
pub(super) const fn or_any(number: Option<usize>) -> usize {
    match number {
        Some(number) => number,
        None => usize::MAX,
    }
}
