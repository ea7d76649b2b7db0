//! A line that damages every third frame, in both directions, the same ones for the same seed.

use std::fmt;
use std::io;

use fastrand::Rng;

use crate::wire::Wire;

/// A line with noise on it.
#[derive(Debug)]
pub struct Noisy<W> {
    wire: W,
    dice: Rng,
    /// The bytes of a frame that is still coming in.
    coming: Vec<u8>,
    damage: Damage,
}

/// What was done to frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Went through.
    pub intact: u32,
    /// Had one to five bits flipped.
    pub flipped: u32,
    /// Lost their end.
    pub cut: u32,
    /// Came twice.
    pub doubled: u32,
    /// Did not come at all.
    pub lost: u32,
    /// Had random bytes before them.
    pub dirty: u32,
}

impl Damage {
    /// Frames that were not left as they were.
    pub fn total(&self) -> u32 {
        self.flipped + self.cut + self.doubled + self.lost + self.dirty
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { intact, flipped, cut, doubled, lost, dirty } = self;
        write!(
            f,
            "{intact} intact, {flipped} with flipped bits, {cut} cut off, {doubled} doubled, "
        )?;
        write!(f, "{lost} lost, {dirty} behind random bytes")
    }
}

impl<W: Wire> Noisy<W> {
    /// Puts noise on a line.
    pub fn new(wire: W, seed: u64) -> Self {
        let dice = Rng::with_seed(seed);
        Self { wire, dice, coming: Vec::new(), damage: Damage::default() }
    }

    /// What was done so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// The line without noise.
    pub fn into_wire(self) -> W {
        self.wire
    }

    /// What becomes of a frame.
    fn pass(&mut self, frame: &[u8]) -> Vec<u8> {
        let mut out = frame.to_vec();
        let counter = match self.dice.u8(0..15) {
            0 if !frame.is_empty() => {
                for _ in 0..self.dice.u8(1..=5) {
                    out[self.dice.usize(..frame.len())] ^= 1 << self.dice.u8(..8);
                }
                &mut self.damage.flipped
            }
            1 => {
                out.truncate(self.dice.usize(..=frame.len()));
                &mut self.damage.cut
            }
            2 => {
                out.extend_from_slice(frame);
                &mut self.damage.doubled
            }
            3 => {
                out.clear();
                &mut self.damage.lost
            }
            4 => {
                let count = self.dice.usize(1..60);
                out.splice(..0, std::iter::repeat_with(|| self.dice.u8(..)).take(count));
                &mut self.damage.dirty
            }
            _ => &mut self.damage.intact,
        };
        *counter += 1;
        out
    }
}

impl<W: Wire> Wire for Noisy<W> {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let frame = self.pass(frame);
        self.wire.send(&frame)
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let bytes = self.wire.receive()?;
            if bytes.is_empty() {
                return Ok(bytes);
            }
            let mut passed = Vec::new();
            for byte in bytes {
                self.coming.push(byte);
                // The zero byte that ends a frame, not the one before it.
                if byte == 0 && self.coming.len() > 1 {
                    let frame = std::mem::take(&mut self.coming);
                    passed.extend(self.pass(&frame));
                }
            }
            if !passed.is_empty() {
                return Ok(passed);
            }
        }
    }
}
