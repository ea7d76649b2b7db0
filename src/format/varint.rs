//! Encodes integers to base 128, low digit first, so that every value has exactly one spelling.
//!
//! `value = sum of ((b_i & 127) + (1 if i > 0 else 0)) << 7i`; the last byte is below 128. Because one is added to
//! every digit but the first, there is no overlong form to refuse.

use crate::base::attempt::attempt;
use crate::base::bytes::first;

/// The bytes that an item or a value begins with: its tags, and the number after them.
///
/// ```text
/// a list of 128             0x5F, then 97       5F 61
/// a string of 300 bytes     the tag 6, then 300 06 AC 01
/// ```
#[derive(Clone, Copy)]
pub(crate) struct Front {
    bytes: [u8; Self::MAX],
    len: usize,
}

impl Front {
    /// Two tags and the longest spelling of a `u64`.
    const MAX: usize = 12;

    /// The spelling of a number alone.
    pub(crate) const fn number(value: u64) -> Self {
        Self::of([]).then_number(value)
    }

    /// These bytes, as far as they fit.
    pub(crate) const fn of<const N: usize>(bytes: [u8; N]) -> Self {
        let mut front = Self { bytes: [0; Self::MAX], len: 0 };
        if let Some(slots) = front.bytes.first_chunk_mut() {
            *slots = bytes;
            front.len = N;
        }
        front
    }

    /// A number after the bytes.
    pub(crate) const fn then_number(mut self, mut value: u64) -> Self {
        if let Some((_, mut free)) = self.bytes.split_at_mut_checked(self.len) {
            while let Some((slot, rest)) = free.split_first_mut() {
                self.len = self.len.wrapping_add(1);
                if value < 128 {
                    *slot = low7(value);
                    break;
                }
                *slot = low7(value) | 128;
                value = next(value);
                free = rest;
            }
        }
        self
    }

    /// The bytes.
    pub(crate) const fn as_bytes(&self) -> &[u8] {
        first(&self.bytes, self.len)
    }
}

/// The lowest seven bits.
pub(crate) const fn low7(value: u64) -> u8 {
    let [low, ..] = value.to_le_bytes();
    low & 127
}

/// What is left of a value of at least 128 after its first byte is written.
pub(crate) const fn next(value: u64) -> u64 {
    (value >> 7).wrapping_sub(1)
}

/// The number of bytes that spell `value`: 1 to 10.
pub(crate) const fn len(mut value: u64) -> usize {
    let mut len = 1usize;
    while value >= 128 {
        (value, len) = (next(value), len.wrapping_add(1));
    }
    len
}

/// Reads a `u32` from the front; `None` if the bytes end or the value is above `u32::MAX`.
#[inline]
pub(crate) const fn read_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    if let [first, rest @ ..] = bytes
        && *first < 128
    {
        return Some((*first as u32, rest));
    }
    read_long_u32(bytes)
}

/// [`read_u32`] for spellings of any length. Not inlined, so that callers inline little code for the short form.
#[inline(never)]
const fn read_long_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    match read_u64(bytes) {
        #[expect(clippy::cast_possible_truncation, reason = "it fits")]
        Some((value, rest)) if value <= u32::MAX as u64 => Some((value as u32, rest)),
        _ => None,
    }
}

/// Reads a `u64` from the front; `None` if the bytes end or the value is above `u64::MAX`.
pub(crate) const fn read_u64(mut bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut value, mut unit, mut i) = (0u64, 1u64, 0u32);
    while let Some((first, rest)) = bytes.split_first() {
        let digit = ((*first & 127) as u64).wrapping_add((i > 0) as u64);
        // The tenth digit has room for one bit, and no digit follows it.
        if i > 8 && (i > 9 || digit > 1) {
            return None;
        }
        value = attempt!(value.checked_add(digit.wrapping_mul(unit)));
        if *first < 128 {
            return Some((value, rest));
        }
        (bytes, unit, i) = (rest, unit << 7, i.wrapping_add(1));
    }
    None
}

/// The bytes after a number of any size.
pub(crate) const fn skip(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        let (first, rest) = attempt!(bytes.split_first());
        if *first < 128 {
            return Some(rest);
        }
        bytes = rest;
    }
}

/// The bytes of a choice: seven bits a byte, the lowest first.
pub(crate) fn choice_bytes(choice: usize) -> impl Iterator<Item = u8> {
    let mut left = Some(choice as u64);
    core::iter::from_fn(move || {
        let now = left?;
        left = (now >= 128).then_some(now >> 7);
        Some(low7(now) | if left.is_some() { 128 } else { 0 })
    })
}

/// Reads a choice from the front, as [`choice_bytes`] gives it.
#[inline]
pub(crate) const fn read_choice(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match bytes {
        [byte, rest @ ..] if *byte < 128 => Some((*byte as usize, rest)),
        _ => read_long_choice(bytes),
    }
}

/// As [`read_choice`], for one of several bytes.
#[cold]
const fn read_long_choice(mut bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (mut choice, mut shift) = (0usize, 0u32);
    while let [byte, rest @ ..] = bytes {
        let part = (*byte & 127) as usize;
        let shifted = attempt!(part.checked_shl(shift));
        if shifted.unbounded_shr(shift) != part {
            return None;
        }
        choice |= shifted;
        if *byte < 128 {
            return Some((choice, rest));
        }
        (bytes, shift) = (rest, shift.wrapping_add(7));
    }
    None
}

/// Maps signed to unsigned so that small magnitudes stay small.
pub(crate) const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// The inverse of [`zigzag`].
pub(crate) const fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ (value & 1).cast_signed().wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_those_of_the_format() {
        assert_eq!(Front::number(0).as_bytes(), [0]);
        assert_eq!(Front::number(127).as_bytes(), [127]);
        assert_eq!(Front::number(128).as_bytes(), [128, 0]);
        assert_eq!(Front::number(128 + 127).as_bytes(), [255, 0]);
        assert_eq!(Front::number(128 + 128).as_bytes(), [128, 1]);
        assert_eq!(Front::number(128 + (1 << 14) - 1).as_bytes(), [255, 127]);
        assert_eq!(Front::number(128 + (1 << 14)).as_bytes(), [128, 128, 0]);
    }

    #[test]
    fn every_length_boundary_round_trips() {
        let mut edge = 0u64;
        for i in 0..10 {
            for value in [edge.wrapping_sub(1), edge, edge.saturating_add(1)] {
                let spelled = Front::number(value);
                assert_eq!(read_u64(spelled.as_bytes()), Some((value, [].as_slice())));
                assert_eq!(spelled.as_bytes().len(), len(value));
                let small = u32::try_from(value).ok().map(|v| (v, [].as_slice()));
                assert_eq!(read_u32(spelled.as_bytes()), small);
            }
            edge = edge.saturating_add(1u64.checked_shl(7 * (i + 1)).unwrap_or(u64::MAX));
        }
        assert_eq!(Front::number(u64::MAX).as_bytes().len(), 10);
        assert_eq!(Front::number(u64::from(u32::MAX)).as_bytes().len(), 5);
    }

    #[test]
    fn ends_and_overflows_are_refused() {
        assert_eq!(read_u32(&[]), None);
        assert_eq!(read_u32(&[128]), None);
        assert_eq!(read_u32(&[255, 255, 255, 255, 127]), None);
        assert_eq!(read_u64(&[255, 255, 255, 255, 255, 255, 255, 255, 255, 127]), None);
        assert_eq!(read_u64(&[255; 12]), None);
    }

    #[test]
    fn zigzag_is_a_bijection() {
        for value in [0, -1, 1, -2, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!((zigzag(-1), zigzag(1), zigzag(i64::MIN)), (1, 2, u64::MAX));
    }
}
