//! Room for the choices and the leaves of a value that is made: on the stack, and with the feature `alloc` as much as is needed.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use core::ops::Range;

use heapless::VecView;

use crate::base::error::Error;
use crate::base::heap_sort::heap_sort;
use crate::base::slices::reverse;
use crate::format::pieces::Stop;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::{choice_bytes, low7};

/// The leaves that were made so far, in order, or which stored leaf each of them is. Without the feature `alloc`, what has no room is only
/// counted.
pub(crate) struct Leaves<'r, O> {
    stack: &'r mut VecView<O>,
    /// All of them, after they once had no room on the stack.
    #[cfg(feature = "alloc")]
    heap: Vec<O>,
    len: usize,
}

impl<'r, O> Leaves<'r, O> {
    pub(crate) const fn new(stack: &'r mut VecView<O>) -> Self {
        Self {
            stack,
            #[cfg(feature = "alloc")]
            heap: Vec::new(),
            len: 0,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len.min(self.len);
        self.stack.truncate(len);
        #[cfg(feature = "alloc")]
        self.heap.truncate(len);
    }

    pub(crate) fn push(&mut self, one: O) {
        self.len = self.len.saturating_add(1);
        #[cfg(feature = "alloc")]
        if self.stack.is_full() || !self.heap.is_empty() {
            self.heap.extend(self.stack.drain(..));
            return self.heap.push(one);
        }
        let _ = self.stack.push(one);
    }

    /// Those that have room.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [O] {
        #[cfg(feature = "alloc")]
        if !self.heap.is_empty() {
            return &mut self.heap;
        }
        self.stack
    }

    /// Takes all out.
    pub(crate) fn take(&mut self) -> Result<impl Iterator<Item = O>, Error> {
        #[cfg(not(feature = "alloc"))]
        Error::check_room(self.len, self.stack.capacity())?;
        reverse(self.stack);
        let all = core::iter::from_fn(|| self.stack.pop());
        #[cfg(feature = "alloc")]
        let all = all.chain(self.heap.drain(..));
        Ok::<_, Error>(all)
    }
}

/// In place of the index of a stored leaf: the leaf that was made is one of a default.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The number of stored leaves among those that were made, which are here by their indices. One that is there twice counts once.
pub(crate) fn count_stored(sources: &mut [u32]) -> usize {
    heap_sort(sources, |one, other| one > other);
    let (mut count, mut last) = (0usize, NOWHERE);
    for &source in &*sources {
        count = count.wrapping_add((source != last && source != NOWHERE).into());
        last = source;
    }
    count
}

/// The choices that were made so far. Without the feature `alloc`, what has no room is only counted.
pub(crate) struct ChoiceBytes<'r> {
    slots: &'r mut [u8],
    /// All of them, after they once had no room in the slots.
    #[cfg(feature = "alloc")]
    heap: Vec<u8>,
    len: usize,
}

impl<'r> ChoiceBytes<'r> {
    pub(crate) const fn new(slots: &'r mut [u8]) -> Self {
        Self {
            slots,
            #[cfg(feature = "alloc")]
            heap: Vec::new(),
            len: 0,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len.min(self.len);
        #[cfg(feature = "alloc")]
        self.heap.truncate(len);
    }

    pub(crate) fn push(&mut self, byte: u8) {
        let at = self.len;
        self.len = at.saturating_add(1);
        #[cfg(feature = "alloc")]
        if at >= self.slots.len() || !self.heap.is_empty() {
            if self.heap.is_empty() {
                self.heap.extend_from_slice(self.slots);
            }
            return self.heap.push(byte);
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = byte;
        }
    }

    /// Writes a number, as `Sink::choice` does.
    pub(crate) fn number(&mut self, number: usize) {
        choice_bytes(number).for_each(|byte| self.push(byte));
    }

    /// Replaces the number at a position by one that is not greater, and takes as many bytes.
    pub(crate) fn change_number(&mut self, at: usize, mut new: usize) {
        for slot in self.written_mut().get_mut(at..).unwrap_or_default() {
            let has_more = *slot & 128;
            *slot = low7(new as u64) | has_more;
            if has_more == 0 {
                return;
            }
            new >>= 7;
        }
    }

    /// The position after the value at a position.
    pub(crate) fn after_value(&self, at: usize) -> usize {
        let Some(rest) = self.all().ok().and_then(|bytes| bytes.get(at..)) else { return at };
        let mut input = Input::new(rest);
        let _ = Value::take(&mut input);
        at.saturating_add(rest.len().saturating_sub(input.rest.len()))
    }

    /// Moves bytes to a position that is not after them, and returns the position after the moved ones.
    pub(crate) fn move_front(&mut self, from: Range<usize>, to: usize) -> usize {
        let (bytes, mut end) = (self.written_mut(), to);
        for at in from {
            if let (Some(byte), true) = (bytes.get(at).copied(), at != end)
                && let Some(slot) = bytes.get_mut(end)
            {
                *slot = byte;
            }
            end = end.saturating_add(1);
        }
        end
    }

    /// Takes out `count` bytes at a position, if all bytes have room.
    pub(crate) fn remove(&mut self, at: usize, count: usize) {
        // What has no room is only counted, so its bytes cannot be moved to where there is room then.
        if self.written_mut().len() < self.len {
            return;
        }
        self.move_front(at.saturating_add(count)..self.len, at);
        self.truncate(self.len.saturating_sub(count));
    }

    /// Writes a key or the value of a meta field.
    pub(crate) fn value(&mut self, value: &Value<'_>) {
        let _ = value.pieces(&mut |piece| {
            piece.iter().for_each(|byte| self.push(*byte));
            Ok::<(), Stop>(())
        });
    }

    /// The first two of the `count` values from a position on that are one, if all have room.
    pub(crate) fn doubled(&self, from: usize, count: u32) -> Option<(u32, u32)> {
        let values = Input::new(self.all().ok()?.get(from..)?);
        let mut rest = values.clone();
        for second in 0..count {
            let value = Value::take(&mut rest)?;
            let mut before = values.clone();
            for first in 0..second {
                if Value::take(&mut before)? == value {
                    return Some((first, second));
                }
            }
        }
        None
    }

    /// What has room.
    fn written_mut(&mut self) -> &mut [u8] {
        #[cfg(feature = "alloc")]
        if !self.heap.is_empty() {
            return &mut self.heap;
        }
        let len = self.len.min(self.slots.len());
        self.slots.get_mut(..len).unwrap_or_default()
    }

    /// All choices.
    pub(crate) fn all(&self) -> Result<&[u8], Error> {
        #[cfg(feature = "alloc")]
        if !self.heap.is_empty() {
            return Ok(&self.heap);
        }
        let (needed, room) = (self.len, self.slots.len());
        self.slots.get(..needed).ok_or(Error::BufferFull { needed, room })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_that_are_taken_back_make_room() {
        let mut room = [0; 3];
        let mut choices = ChoiceBytes::new(&mut room);
        (0..5).for_each(|byte| choices.push(byte));
        choices.truncate(1);
        choices.number(300);
        assert_eq!(choices.all(), Ok(&[0, 0xAC, 2][..]));
        choices.truncate(0);
        choices.push(7);
        assert_eq!(choices.all(), Ok(&[7][..]));
        (0..4).for_each(|byte| choices.push(byte));
        #[cfg(feature = "alloc")]
        assert_eq!(choices.all(), Ok(&[7, 0, 1, 2, 3][..]));
        #[cfg(not(feature = "alloc"))]
        assert_eq!(choices.all(), Err(Error::BufferFull { needed: 5, room: 3 }));
    }

    #[test]
    fn bytes_are_taken_out_only_if_all_have_room() {
        let mut room = [0; 4];
        let mut choices = ChoiceBytes::new(&mut room);
        (0..4).for_each(|byte| choices.push(byte));
        let end = choices.move_front(2..3, 1);
        choices.remove(end, 1);
        assert_eq!((end, choices.all()), (2, Ok(&[0, 2, 3][..])));
        (4..6).for_each(|byte| choices.push(byte));
        choices.remove(0, 1);
        #[cfg(feature = "alloc")]
        assert_eq!(choices.all(), Ok(&[2, 3, 4, 5][..]));
        #[cfg(not(feature = "alloc"))]
        assert_eq!(choices.all(), Err(Error::BufferFull { needed: 5, room: 4 }));
    }

    #[test]
    fn equal_keys_are_found() {
        let mut room = [0; 32];
        let mut choices = ChoiceBytes::new(&mut room);
        choices.number(4);
        for key in [5, 300, 7, 300] {
            choices.value(&Value::Int(key));
        }
        assert_eq!((choices.doubled(1, 4), choices.doubled(1, 3)), (Some((1, 3)), None));
    }

    #[test]
    fn a_stored_leaf_that_is_there_twice_counts_once() {
        let mut room = heapless::Vec::<u32, 8>::new();
        let mut sources = Leaves::new(&mut room);
        for source in [7, NOWHERE, 0, 7, NOWHERE, 3, 0] {
            sources.push(source);
        }
        assert_eq!(count_stored(sources.as_mut_slice()), 3);
        assert_eq!(count_stored(&mut [NOWHERE]), 0);
    }

    #[test]
    fn leaves_that_are_taken_back_make_room() {
        let mut room = heapless::Vec::<u8, 2>::new();
        let mut leaves = Leaves::new(&mut room);
        (0..5).for_each(|leaf| leaves.push(leaf));
        leaves.truncate(1);
        leaves.push(9);
        assert!(leaves.take().is_ok_and(|leaves| leaves.eq([0, 9])));
        let mut room = heapless::Vec::<u8, 2>::new();
        let mut leaves = Leaves::new(&mut room);
        (0..4).for_each(|leaf| leaves.push(leaf));
        leaves.truncate(3);
        #[cfg(feature = "alloc")]
        assert!(leaves.take().is_ok_and(|leaves| leaves.eq([0, 1, 2])));
        #[cfg(not(feature = "alloc"))]
        assert_eq!(leaves.take().err(), Some(Error::LeavesFull { needed: 3, room: 2 }));
    }
}
