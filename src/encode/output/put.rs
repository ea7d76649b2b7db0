//! Passes the parts of a head: kinds with their counts, lengths, strings, meta fields.

use super::{Bytes, Output};
use crate::base::bytes::{copy_short, equal_short, try_copy, try_equal};
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::encode::arithmetic::{part, small};
use crate::format::head;
use crate::format::heading::{HeadSpec, Known};
use crate::format::value::{self, Stop, Value};
use crate::format::varint::{self, Varint};

impl<W, E> Output<'_, W, E> {
    /// Replaces the error of a refused head by that of its keys, if the keys are not in order.
    #[cold]
    pub(super) fn refuse_keys<H: HeadSpec>(&mut self, head: &H) -> bool {
        if let Err(error) = head.check() {
            self.error = Some(error);
        }
        false
    }

    /// Passes a head, usually piece by piece.
    #[cfg_attr(target_arch = "arm", inline)]
    #[cfg_attr(not(target_arch = "arm"), inline(always))]
    pub(crate) fn put_heading<H: HeadSpec>(&mut self, head: &H) -> bool {
        match head.__known() {
            Some(Known::Counted(kind, count)) => return self.put_head(kind, count),
            // Most short ones are passed by `try_head` before.
            Some(Known::Bytes(bytes)) if H::__KNOWN => return self.put(bytes),
            Some(Known::Bytes(bytes)) => return self.put_short(bytes),
            None => {}
        }
        // Always known, but the compiler would keep the code below.
        if H::__KNOWN {
            return false;
        }
        if let Some(end) = head.__end() {
            self.at = end as usize;
            return true;
        }
        let start = self.at();
        let mut put = |piece: &[u8]| if self.put(piece) { Ok(()) } else { Err(Stop::Refused) };
        match head.pieces(&mut put) {
            Ok(()) => self.was_written(head, start),
            Err(Stop::Refused) => false,
            Err(Stop::Changed) => self.fail(Error::ValueChanged),
        }
    }

    /// Passes bytes, which are usually few: then it takes no call.
    #[inline]
    fn put_short(&mut self, piece: &[u8]) -> bool {
        if SMALL_CODE {
            return self.put(piece);
        }
        let (at, len) = (self.at, piece.len());
        let done = match &mut self.bytes {
            Bytes::Written(bytes, _) => bytes
                .get_mut(at..)
                .and_then(|free| free.get_mut(..len))
                .map(|slots| copy_short(slots, piece))
                .is_some(),
            Bytes::Expected(bytes, _) => {
                let own = bytes.get(at..).and_then(|rest| rest.get(..len));
                own.is_some_and(|own| equal_short(own, piece))
            }
        };
        if done {
            self.at = at.wrapping_add(len);
        }
        done || self.full(len)
    }

    /// Passes bytes without a call; `false` if they cannot be passed, or have a length that takes one. Then nothing changed.
    #[inline(always)]
    pub(super) fn try_put(&mut self, piece: &[u8]) -> bool {
        let (at, len) = (self.at, piece.len());
        let done = match &mut self.bytes {
            Bytes::Written(bytes, _) => bytes
                .get_mut(at..)
                .and_then(|free| free.get_mut(..len))
                .is_some_and(|slots| try_copy(slots, piece)),
            Bytes::Expected(bytes, _) => {
                let own = bytes.get(at..).and_then(|rest| rest.get(..len));
                own.is_some_and(|own| try_equal(own, piece))
            }
        };
        if done {
            self.at = at.wrapping_add(len);
        }
        done
    }

    /// Goes on after the head of a node.
    #[inline]
    pub(crate) const fn enter(&mut self) {
        self.branches = self.branches.wrapping_add(1);
        if self.branches == 0 {
            self.stop_counting();
        }
    }

    /// Keeps the number of branches that means too many.
    #[cold]
    #[inline(never)]
    const fn stop_counting(&mut self) {
        self.branches = u32::MAX;
    }

    /// Passes a kind and its count. Most counts are short: one byte. For Cortex-M the compiler decides what is inlined: this
    /// function at opt-level 3, but not at `s`.
    #[cfg_attr(not(target_arch = "arm"), inline)]
    pub(crate) const fn put_head(&mut self, kind: u8, count: usize) -> bool {
        if count < head::ESCAPE as usize && self.passes_byte(kind << 5 | low(count)) {
            return true;
        }
        self.put_any_head(kind, count)
    }

    /// Passes a kind and its count.
    #[inline(never)]
    const fn put_any_head(&mut self, kind: u8, count: usize) -> bool {
        let start = self.at;
        let done = match count.checked_sub(head::ESCAPE as usize) {
            None => self.put_byte(kind << 5 | low(count)),
            Some(more) => self.put_byte(kind << 5 | head::ESCAPE) && self.put_varint(more),
        };
        done || self.refuse(start, kind, count)
    }

    /// Notes that a kind and its count have no room at `start`, or are not the expected ones.
    #[cold]
    #[inline(never)]
    const fn refuse(&mut self, start: usize, kind: u8, count: usize) -> bool {
        if kind == head::LEAVES {
            self.at = start;
            let (expected, _) = self.count_at(head::LEAVES);
            // More leaves than expected are not passed, but they are already counted.
            let over = count.wrapping_add(1).saturating_sub(expected as usize);
            self.branches = self.branches.wrapping_sub(small(over));
        }
        false
    }

    /// Passes a length. Most have one byte, which takes no call unless code is worth more.
    #[inline]
    pub(crate) const fn put_varint(&mut self, value: usize) -> bool {
        !SMALL_CODE && value < 128 && self.passes_byte(low(value)) || self.put_any_varint(value)
    }

    /// Passes a length byte by byte, because copying a slice would cost a call.
    #[inline(never)]
    const fn put_any_varint(&mut self, mut value: usize) -> bool {
        if value > u32::MAX as usize {
            return self.fail(Error::TooLarge);
        }
        while value >= 128 {
            if !self.put_byte(low(value) | 128) {
                return false;
            }
            value = (value >> 7).wrapping_sub(1);
        }
        self.put_byte(low(value))
    }

    /// Passes strings, each after its length.
    pub(crate) const fn put_strings(&mut self, mut strings: &[&str]) -> bool {
        while let [first, rest @ ..] = strings {
            if !self.put_varint(first.len()) || !self.put(first.as_bytes()) {
                return false;
            }
            strings = rest;
        }
        true
    }

    /// Passes meta fields with values that [`meta_len`](crate::encode::arithmetic::meta_len) can measure.
    pub(crate) const fn put_meta(&mut self, mut meta: &[(&str, Value<'_>)]) -> bool {
        while let [(name, value), rest @ ..] = meta {
            let done = self.put_strings(&[name])
                && match value {
                    Value::None => self.put_byte(value::NONE),
                    Value::Bool(true) => self.put_byte(value::TRUE),
                    Value::Bool(false) => self.put_byte(value::FALSE),
                    Value::Int(int) => {
                        let int = Varint::new(varint::zigzag(*int));
                        self.put_byte(value::INT) && self.put(int.as_bytes())
                    }
                    Value::Float(float) => {
                        self.put_byte(value::FLOAT) && self.put(&float.to_le_bytes())
                    }
                    Value::Float32(float) => {
                        self.put_byte(value::FLOAT32) && self.put(&float.to_le_bytes())
                    }
                    Value::Str(text) => self.put_byte(value::STR) && self.put_strings(&[text]),
                    _ => false,
                };
            if !done {
                return false;
            }
            meta = rest;
        }
        true
    }

    /// Checks the written head that begins at `start`. A head that was compared needs no check.
    #[inline]
    fn was_written<H: HeadSpec>(&mut self, spec: &H, start: usize) -> bool {
        if let Bytes::Written(bytes, _) = &self.bytes
            && let Err(error) = spec.__written(part(bytes, start, self.at))
        {
            return self.fail(error);
        }
        true
    }
}

/// The lowest byte of a count.
pub(super) const fn low(count: usize) -> u8 {
    let [low, ..] = count.to_le_bytes();
    low
}
