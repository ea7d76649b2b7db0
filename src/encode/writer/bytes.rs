//! A position in the bytes of a treedef, and what is done with bytes: they are written, compared or counted.

use core::mem::replace;

use crate::base::bytes::{copy_short, equal_words, first, part, small};
use crate::format::head;
use crate::format::value::Value;
use crate::format::varint::{low7, next};

/// What becomes of the bytes that are put.
pub(super) enum Mode<'b> {
    /// They are written here.
    Write(&'b mut [u8]),
    /// They have to be those of this treedef.
    Compare(&'b [u8]),
    /// They are counted.
    Count,
    /// Nothing: only the leaves of the tree are counted.
    CountLeaves,
}

/// The bytes before a position are put. If a method returns `false`, the bytes have no room, or are not the expected ones.
/// Then the position is still before them, or after some of them.
pub(super) struct Bytes<'b> {
    pub(super) mode: Mode<'b>,
    pub(super) at: usize,
}

impl<'b> Bytes<'b> {
    /// All bytes, put or not.
    #[inline]
    pub(super) const fn all(&self) -> &[u8] {
        match &self.mode {
            Mode::Write(bytes) => bytes,
            Mode::Compare(bytes) => bytes,
            Mode::Count | Mode::CountLeaves => &[],
        }
    }

    /// Takes the bytes before the position out. After that none can be put.
    pub(super) const fn take(&mut self) -> &'b [u8] {
        match replace(&mut self.mode, Mode::CountLeaves) {
            Mode::Write(bytes) => first(bytes, self.at),
            Mode::Compare(bytes) => first(bytes, self.at),
            Mode::Count | Mode::CountLeaves => &[],
        }
    }

    /// Whether bytes are compared.
    #[inline]
    pub(super) const fn compares(&self) -> bool {
        matches!(self.mode, Mode::Compare(_))
    }

    /// Puts bytes.
    #[cfg_attr(not(target_os = "none"), inline(never))]
    pub(super) const fn put(&mut self, piece: &[u8]) -> bool {
        self.put_inlined(piece)
    }

    /// As [`Bytes::put`], in the function that calls it.
    #[inline(always)]
    pub(super) const fn put_inlined(&mut self, piece: &[u8]) -> bool {
        let (at, len) = (self.at, piece.len());
        if let Mode::Write(bytes) = &mut self.mode {
            if let Some((_, free)) = bytes.split_at_mut_checked(at)
                && let Some((slots, _)) = free.split_at_mut_checked(len)
            {
                copy_short(slots, piece);
                self.at = at.wrapping_add(len);
                return true;
            }
        } else if let Mode::Compare(bytes) = &self.mode {
            if let Some((_, rest)) = bytes.split_at_checked(at)
                && let Some((own, _)) = rest.split_at_checked(len)
                && equal_words(own, piece)
            {
                self.at = at.wrapping_add(len);
                return true;
            }
        } else {
            self.at = at.saturating_add(len);
            return true;
        }
        false
    }

    /// Puts one byte: as [`Bytes::put`], in fewer steps.
    #[cfg_attr(target_os = "none", inline(never))]
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(super) const fn put_byte(&mut self, byte: u8) -> bool {
        self.put_byte_inlined(byte)
    }

    /// As [`Bytes::put_byte`], in the function that calls it.
    #[inline(always)]
    pub(super) const fn put_byte_inlined(&mut self, byte: u8) -> bool {
        let at = self.at;
        if let Mode::Write(bytes) = &mut self.mode {
            if let Some((_, [slot, ..])) = bytes.split_at_mut_checked(at) {
                *slot = byte;
                self.at = at.wrapping_add(1);
                return true;
            }
        } else if let Mode::Compare(bytes) = &self.mode {
            if let Some((_, [own, ..])) = bytes.split_at_checked(at)
                && *own == byte
            {
                self.at = at.wrapping_add(1);
                return true;
            }
        } else {
            self.at = at.saturating_add(1);
            return true;
        }
        false
    }

    /// Puts a kind and its count.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(super) const fn put_kind_and_count(&mut self, kind: u8, count: usize) -> bool {
        match count.checked_sub(head::ESCAPE as usize) {
            None => self.put_byte(kind << 5 | low(count)),
            Some(more) => self.put_byte(kind << 5 | head::ESCAPE) && self.put_len(more),
        }
    }

    /// Puts a length.
    pub(super) const fn put_len(&mut self, len: usize) -> bool {
        let mut value = len as u64;
        while value >= 128 {
            if !self.put_byte(low7(value) | 128) {
                return false;
            }
            value = next(value);
        }
        self.put_byte(low7(value))
    }

    /// Puts strings, each after its length.
    const fn put_strings(&mut self, mut strings: &[&str]) -> bool {
        while let [first, rest @ ..] = strings {
            if !self.put_len(first.len()) || !self.put(first.as_bytes()) {
                return false;
            }
            strings = rest;
        }
        true
    }

    /// Puts what is in the block of a head: strings, then meta fields; `false` also for a tuple, which `const` code cannot put.
    pub(super) const fn put_block(
        &mut self,
        name: &[&str],
        fields: &[&str],
        mut meta: &[(&str, Value<'_>)],
    ) -> bool {
        let mut done = self.put_strings(name) && self.put_strings(fields);
        while done && let [(name, value), rest @ ..] = meta {
            done = !matches!(value, Value::Tuple(_))
                && self.put_strings(&[name])
                && self.put(value.front().as_bytes())
                && self.put(value.run());
            meta = rest;
        }
        done
    }

    /// Puts the bytes `from..to` once more, which were put before.
    #[inline(always)]
    pub(super) const fn put_again(&mut self, from: usize, to: usize) -> bool {
        let (at, len) = (self.at, to.saturating_sub(from));
        if let Mode::Write(bytes) = &mut self.mode {
            let Some((before, free)) = bytes.split_at_mut_checked(at) else { return false };
            let Some((slots, _)) = free.split_at_mut_checked(len) else { return false };
            copy_short(slots, part(before, from, to));
        } else if let Mode::Compare(bytes) = self.mode {
            let Some((_, rest)) = bytes.split_at_checked(at) else { return false };
            let Some((own, _)) = rest.split_at_checked(len) else { return false };
            if !equal_words(own, part(bytes, from, to)) {
                return false;
            }
        }
        self.at = at.saturating_add(len);
        true
    }

    /// Adds `more` to the count of the item at the position, if its lowest digit has room for them.
    pub(super) const fn add_to_count(&mut self, more: u32) -> bool {
        let Mode::Write(bytes) = &mut self.mode else { return false };
        let Some((_, [first, second, ..])) = bytes.split_at_mut_checked(self.at) else {
            return false;
        };
        let (room, digit) = match *first & head::ESCAPE {
            head::ESCAPE => (!*second & 127, second),
            low => ((head::ESCAPE - 1).wrapping_sub(low), first),
        };
        let fits = more <= room as u32;
        if fits {
            let [more, ..] = more.to_le_bytes();
            *digit = digit.wrapping_add(more);
        }
        fits
    }

    /// The count of the item at the position, and where it ends; 0 if the item has another kind.
    pub(super) const fn count_at(&self, kind: u8) -> (u32, usize) {
        let here = self.at.wrapping_add(1);
        match self.byte_at(self.at).wrapping_sub(kind << 5) {
            head::ESCAPE => {
                let (more, end) = self.varint_at(here);
                (more.wrapping_add(32), end)
            }
            low if low < head::ESCAPE => ((low as u32).wrapping_add(1), here),
            // Another kind.
            _ => (0, self.at),
        }
    }

    /// The number at a position, and where it ends. What is expected was validated, so it is read without checks.
    pub(super) const fn varint_at(&self, mut at: usize) -> (u32, usize) {
        let (mut value, mut shift, mut more) = (0u32, 0u32, 0u32);
        loop {
            let byte = self.byte_at(at) as u32;
            at = at.wrapping_add(1);
            value = value.wrapping_add((byte & 127).wrapping_add(more).wrapping_shl(shift));
            if byte < 128 {
                return (value, at);
            }
            (shift, more) = (shift.wrapping_add(7), 1);
        }
    }

    /// The byte at a position. After the end, a byte that is neither a run nor a repeat, and that ends a varint.
    #[inline]
    pub(super) const fn byte_at(&self, at: usize) -> u8 {
        match self.all().split_at_checked(at) {
            Some((_, [byte, ..])) => *byte,
            _ => 0x7F,
        }
    }

    /// The position: no treedef has more bytes than fit 32 bits. If bytes are counted, only differences matter.
    #[inline]
    pub(super) const fn position(&self) -> u32 {
        small(self.at)
    }
}

/// The lowest byte of a count.
pub(super) const fn low(count: usize) -> u8 {
    let [low, ..] = count.to_le_bytes();
    low
}
