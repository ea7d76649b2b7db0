//! A line that damages frames in both directions, the same ones for the same seed.

use std::collections::VecDeque;
use std::io;

use fastrand::Rng;

use crate::client::Wire;

/// A line with noise on it.
pub struct Noisy<W> {
    pub wire: W,
    /// One frame of this many is damaged; 0 for none.
    every: u8,
    dice: Rng,
    /// The bytes of a frame that is still coming in, and what became of those before.
    coming: Vec<u8>,
    came: VecDeque<u8>,
}

impl<W: Wire> Noisy<W> {
    pub fn new(wire: W, every: u8, seed: u64) -> Self {
        Self { wire, every, dice: Rng::with_seed(seed), coming: Vec::new(), came: VecDeque::new() }
    }

    /// What becomes of a frame.
    fn damage(&mut self, mut frame: Vec<u8>) -> Vec<u8> {
        let (dice, len) = (&mut self.dice, frame.len());
        if self.every == 0 || len == 0 || dice.u8(..self.every) > 0 {
            return frame;
        }
        let at = dice.usize(..len);
        match dice.u8(..6) {
            0 => (0..dice.u8(1..=5)).for_each(|_| frame[dice.usize(..len)] ^= 1 << dice.u8(..8)),
            1 => drop(frame.remove(at)),
            2 => frame.truncate(at),
            3 => frame.clear(),
            4 => frame.extend_from_within(..),
            _ => drop(frame.splice(at..at, (0..dice.u8(1..60)).map(|_| dice.u8(..)))),
        }
        frame
    }
}

impl<W: Wire> Wire for Noisy<W> {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let frame = self.damage(frame.to_vec());
        self.wire.send(&frame)
    }

    fn receive(&mut self) -> io::Result<Option<u8>> {
        while self.came.is_empty() {
            let Some(byte) = self.wire.receive()? else { return Ok(None) };
            self.coming.push(byte);
            if byte == 0 {
                let frame = std::mem::take(&mut self.coming);
                self.came = self.damage(frame).into();
            }
        }
        Ok(self.came.pop_front())
    }
}
