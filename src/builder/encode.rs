//! The bytes that a builder writes: heads, runs and repeats.

use crate::builder::Builder;
use crate::error::Error;
use crate::head;

impl Builder<'_> {
    /// Writes the leaves since the last node as one run.
    #[inline]
    pub(super) const fn flush(&mut self) -> bool {
        let Some(count) = self.run.checked_sub(1) else { return true };
        self.run = 0;
        self.put_head(head::LEAVES, count as usize)
    }

    /// Writes the repeat behind the last unit anew, with more copies.
    pub(super) const fn put_copies(&mut self, more: u32) -> bool {
        self.list.copies = self.list.copies.wrapping_add(more);
        self.at = self.list.unit_end;
        self.put_head(head::SAME, self.list.copies.wrapping_sub(1) as usize)
            && self.put_varint(self.list.unit_leaves as usize)
    }

    /// Writes a kind and its count.
    pub(super) const fn put_head(&mut self, kind: u8, count: usize) -> bool {
        let Some(more) = count.checked_sub(head::ESCAPE as usize) else {
            // Below 31.
            #[expect(clippy::cast_possible_truncation)]
            let low = count as u8;
            return self.put_byte(kind << 5 | low);
        };
        self.put_byte(kind << 5 | head::ESCAPE) && self.put_varint(more)
    }

    /// Writes a length. Most are one byte, and none is worth the call that copies a slice.
    pub(super) const fn put_varint(&mut self, mut value: usize) -> bool {
        while value >= 128 {
            let [low, ..] = value.to_le_bytes();
            if !self.put_byte(low | 128) {
                return false;
            }
            value = (value >> 7).wrapping_sub(1);
        }
        let [last, ..] = value.to_le_bytes();
        self.put_byte(last)
    }

    /// Writes strings, each behind its length.
    pub(super) const fn put_strings(&mut self, mut strings: &[&str]) -> bool {
        while let [first, rest @ ..] = strings {
            if !self.put_varint(first.len()) || !self.put(first.as_bytes()) {
                return false;
            }
            strings = rest;
        }
        true
    }

    /// Writes one byte.
    const fn put_byte(&mut self, byte: u8) -> bool {
        if let Some((_, [slot, ..])) = self.bytes.split_at_mut_checked(self.at) {
            *slot = byte;
            self.at = self.at.wrapping_add(1);
            return true;
        }
        self.full(1)
    }

    /// As [`Builder::put`], in the form that a heading tells its pieces to.
    #[inline]
    pub(super) fn piece(&mut self, piece: &[u8]) -> Result<(), ()> {
        if self.put(piece) { Ok(()) } else { Err(()) }
    }

    /// A piece of the head of the node that was opened.
    pub(crate) const fn put_piece(&mut self, piece: &[u8]) -> bool {
        self.is_open() && self.put(piece)
    }

    /// Writes bytes.
    #[inline]
    pub(super) const fn put(&mut self, piece: &[u8]) -> bool {
        if let Some((_, free)) = self.bytes.split_at_mut_checked(self.at)
            && let Some((target, _)) = free.split_at_mut_checked(piece.len())
        {
            target.copy_from_slice(piece);
            self.at = self.at.wrapping_add(piece.len());
            return true;
        }
        self.full(piece.len())
    }

    /// There is no room for so many bytes.
    #[cold]
    #[inline(never)]
    const fn full(&mut self, more: usize) -> bool {
        let (needed, room) = (self.at.saturating_add(more), self.bytes.len());
        if needed > u32::MAX as usize {
            return self.too_large();
        }
        self.fail(Error::Full { needed, room })
    }
}

/// The bytes of a head without a block, and how many of them count.
pub(crate) fn head_len(kind: u8, count: u32) -> ([u8; 6], usize) {
    copies_or_head(kind, count, None)
}

/// The bytes of a repeat, and how many of them count.
pub(crate) fn copies_len(count: u32, leaves: u32) -> ([u8; 11], usize) {
    copies_or_head(head::SAME, count, Some(leaves))
}

/// What a builder writes for a kind and a count, and for a repeat also the leaves of one copy.
fn copies_or_head<const N: usize>(kind: u8, count: u32, leaves: Option<u32>) -> ([u8; N], usize) {
    let mut bytes = [0; N];
    let mut scratch = Builder::new(&mut bytes);
    // The arrays hold the longest head and the longest repeat.
    let _ = scratch.put_head(kind, count as usize);
    if let Some(leaves) = leaves {
        let _ = scratch.put_varint(leaves as usize);
    }
    let len = scratch.at;
    (bytes, len)
}

/// `bytes[from..to]`, empty if out of range.
pub(super) const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    match bytes.split_at_checked(to) {
        Some((before, _)) => match before.split_at_checked(from) {
            Some((_, part)) => part,
            None => &[],
        },
        None => &[],
    }
}

/// Bytes that the strings take with their lengths.
pub(super) const fn strings_len(mut strings: &[&str]) -> usize {
    let mut len = 0usize;
    while let [first, rest @ ..] = strings {
        let count = crate::varint::len(first.len() as u64);
        len = len.saturating_add(count).saturating_add(first.len());
        strings = rest;
    }
    len
}
