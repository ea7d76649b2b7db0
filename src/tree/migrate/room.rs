//! Room for the choices and the leaves of a value that is made: on the stack, and with the feature `alloc` as much as is needed.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use heapless::VecView;

use crate::base::error::Error;
use crate::base::slices::reverse;
use crate::format::pieces::Stop;
use crate::format::reader::Input;
use crate::format::value::Value;
use crate::format::varint::low7;

/// What was made so far, in order. Without the feature `alloc`, what has no room is only counted.
pub(crate) struct Room<'r, O> {
    stack: &'r mut VecView<O>,
    /// All of it, after it once had no room on the stack.
    #[cfg(feature = "alloc")]
    heap: Vec<O>,
    len: usize,
}

/// Room for choices.
pub(crate) type ChoiceBytes<'r> = Room<'r, u8>;

impl<'r, O> Room<'r, O> {
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

impl Room<'_, u8> {
    /// Writes a number, as `Sink::choice` does.
    pub(crate) fn number(&mut self, number: usize) {
        let mut left = number as u64;
        while left >= 128 {
            self.push(low7(left) | 128);
            left >>= 7;
        }
        self.push(low7(left));
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

    /// All choices.
    pub(crate) fn all(&self) -> Result<&[u8], Error> {
        #[cfg(feature = "alloc")]
        if !self.heap.is_empty() {
            return Ok(&self.heap);
        }
        let (needed, room) = (self.len, self.stack.capacity());
        self.stack.get(..needed).ok_or(Error::BufferFull { needed, room })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_that_are_taken_back_make_room() {
        let mut room = heapless::Vec::<u8, 3>::new();
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
    fn equal_keys_are_found() {
        let mut room = heapless::Vec::<u8, 32>::new();
        let mut choices = ChoiceBytes::new(&mut room);
        choices.number(4);
        for key in [5, 300, 7, 300] {
            choices.value(&Value::Int(key));
        }
        assert_eq!((choices.doubled(1, 4), choices.doubled(1, 3)), (Some((1, 3)), None));
    }

    #[test]
    fn leaves_that_are_taken_back_make_room() {
        let mut room = heapless::Vec::<u8, 2>::new();
        let mut leaves = Room::new(&mut room);
        (0..5).for_each(|leaf| leaves.push(leaf));
        leaves.truncate(1);
        leaves.push(9);
        assert!(leaves.take().is_ok_and(|leaves| leaves.eq([0, 9])));
        let mut room = heapless::Vec::<u8, 2>::new();
        let mut leaves = Room::new(&mut room);
        (0..4).for_each(|leaf| leaves.push(leaf));
        leaves.truncate(3);
        #[cfg(feature = "alloc")]
        assert!(leaves.take().is_ok_and(|leaves| leaves.eq([0, 1, 2])));
        #[cfg(not(feature = "alloc"))]
        assert_eq!(leaves.take().err(), Some(Error::LeavesFull { needed: 3, room: 2 }));
    }
}
