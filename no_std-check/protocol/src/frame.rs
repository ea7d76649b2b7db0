//! Bodies in a stream of bytes: found again behind anything, and recognised as whole.

use cobs::{DecodeResult, DecoderState};
use crc::{CRC_32_ISCSI, Crc, NoTable};

use crate::AROUND;

/// CRC-32C: finds any five flipped bits of a body (Koopman's Hamming distance of 6 up to 5243 bits). Where stuffing is hit,
/// more of the body changes; of such damage one in 2^32 passes. Bit by bit: a control line is slow, and a table costs 1 kB of flash.
const CHECKSUM: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISCSI);

/// The bytes on the line for a body of `len` bytes.
pub const fn stuffed_len(len: usize) -> usize {
    cobs::max_encoding_length(len).saturating_add(2)
}

/// The body of a frame that is to be sent: at most `N` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Body<N> {
    /// Makes a body of the request's number and a message that `write` puts into the bytes it gets, answering how many;
    /// `None` if `N` is too small.
    pub fn new(number: u16, write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<Self> {
        let mut bytes = [0; N];
        let (head, rest) = bytes.split_first_chunk_mut()?;
        *head = number.to_le_bytes();
        let end = write(rest)?.checked_add(head.len())?;
        let (covered, rest) = bytes.split_at_mut_checked(end)?;
        let checksum = CHECKSUM.checksum(covered).to_le_bytes();
        *rest.first_chunk_mut()? = checksum;
        Some(Self { bytes, len: end.checked_add(checksum.len())? })
    }

    /// Stuffs the body into `line`, between two zero bytes: the first keeps damage before the frame out of it.
    ///
    /// `None` if `line` has fewer than [`stuffed_len`] bytes.
    pub fn stuff<'l>(&self, line: &'l mut [u8]) -> Option<&'l [u8]> {
        let (before, rest) = line.split_first_mut()?;
        *before = 0;
        // `cobs` writes both zero bytes too, but its index of the last is a panic that the compiler cannot rule out.
        let len = cobs::try_encode(self.bytes.get(..self.len)?, rest).ok()?;
        *rest.get_mut(len)? = 0;
        line.get(..len.checked_add(2)?)
    }
}

/// Why what stood between two zero bytes is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is cut off.
    Cut,
    /// It is longer than any frame for this receiver.
    TooLong,
    /// It is shorter than its checksum, or the checksum is another.
    Checksum,
}

/// Finds frames with bodies of at most `N` bytes in a stream.
///
/// Whatever came before, the frame behind the next zero byte is received.
#[derive(Debug)]
pub struct Receiver<const N: usize> {
    bytes: [u8; N],
    /// The bytes so far, also those that did not fit.
    len: usize,
    state: DecoderState,
}

impl<const N: usize> Default for Receiver<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Receiver<N> {
    /// A receiver that has seen nothing.
    pub const fn new() -> Self {
        Self { bytes: [0; N], len: 0, state: DecoderState::Idle }
    }

    /// Takes the next byte of the stream, and answers a request's number and its message where the byte ends a frame.
    pub fn push(&mut self, byte: u8) -> Option<Result<(u16, &[u8]), Fault>> {
        match self.state.feed(byte) {
            Ok(DecodeResult::NoData) => None,
            Ok(DecodeResult::DataStart) => {
                self.len = 0;
                None
            }
            Ok(DecodeResult::DataContinue(byte)) => {
                if let Some(free) = self.bytes.get_mut(self.len) {
                    *free = byte;
                }
                self.len = self.len.saturating_add(1);
                None
            }
            Ok(DecodeResult::DataComplete) => {
                let Some(body) = self.bytes.get(..self.len) else {
                    return Some(Err(Fault::TooLong));
                };
                Some(open(body).ok_or(Fault::Checksum))
            }
            Err(_) => Some(Err(Fault::Cut)),
        }
    }
}

/// The number and the message of a body with the right checksum.
fn open(body: &[u8]) -> Option<(u16, &[u8])> {
    let (covered, checksum) = body.split_last_chunk()?;
    let (number, message) = covered.split_first_chunk()?;
    (CHECKSUM.checksum(covered) == u32::from_le_bytes(*checksum))
        .then_some((u16::from_le_bytes(*number), message))
}

// The two fields around a message are what `AROUND` says.
const _: () = assert!(AROUND == size_of::<u16>() + size_of::<u32>());

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use fastrand::Rng;

    use super::*;

    const LEN: usize = 64;

    fn body(number: u16, message: &[u8]) -> Body<LEN> {
        Body::new(number, |bytes| {
            bytes.get_mut(..message.len())?.copy_from_slice(message);
            Some(message.len())
        })
        .expect("the message fits")
    }

    fn frame(number: u16, message: &[u8]) -> Vec<u8> {
        let mut line = [0; stuffed_len(LEN)];
        body(number, message).stuff(&mut line).expect("the line is long enough").to_vec()
    }

    /// The whole frames in a stream, and how many others were reported.
    fn receive(receiver: &mut Receiver<LEN>, stream: &[u8]) -> (Vec<(u16, Vec<u8>)>, usize) {
        let (mut frames, mut faults) = (Vec::new(), 0);
        for byte in stream {
            match receiver.push(*byte) {
                None => {}
                Some(Ok((number, message))) => frames.push((number, message.to_vec())),
                Some(Err(_)) => faults += 1,
            }
        }
        (frames, faults)
    }

    #[test]
    fn frame_is_as_documented() {
        // The check value of CRC-32C is that of the nine digits.
        let digits = frame(u16::from_le_bytes(*b"12"), b"3456789");
        let mut expected = Vec::from([0x00, 0x0E]);
        expected.extend(b"123456789");
        expected.extend([0x83, 0x92, 0x06, 0xE3, 0x00]);
        assert_eq!(digits, expected);
    }

    #[test]
    fn frame_behind_anything_is_received() {
        let mut dice = Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut receiver = Receiver::new();
            let (rubbish, message) = (dice.usize(..3 * LEN), dice.usize(..=LEN - AROUND));
            let [rubbish, message] =
                [rubbish, message].map(|len| (0..len).map(|_| dice.u8(..)).collect::<Vec<u8>>());
            let (number, mut stream) = (dice.u16(..), rubbish);
            stream.extend(frame(number, &message));
            let (frames, _) = receive(&mut receiver, &stream);
            assert_eq!(frames, [(number, message)]);
        }
    }

    #[test]
    fn flipped_bits_are_found() {
        let whole = frame(7, b"\x03leaves");
        let bits = 8 * whole.len();
        for first in 0..bits {
            for second in first..bits {
                let mut stream = whole.clone();
                stream[first / 8] ^= 1 << (first % 8);
                if second > first {
                    stream[second / 8] ^= 1 << (second % 8);
                }
                stream.extend(frame(8, b"next"));
                let (frames, _) = receive(&mut Receiver::new(), &stream);
                // What is flipped in the zero byte before a frame does not touch the frame.
                let own = frames.iter().filter(|(_, message)| message != b"next");
                assert!(
                    own.clone().all(|own| *own == (7, b"\x03leaves".to_vec()) && first < 8),
                    "{first} {second}"
                );
                assert_eq!(frames.last(), Some(&(8, b"next".to_vec())), "{first} {second}");
            }
        }
    }

    #[test]
    fn cut_frame_is_reported_and_the_next_is_received() {
        let whole = frame(7, b"leaves\0\0");
        for len in 2..whole.len() - 1 {
            let mut stream = whole[..len].to_vec();
            stream.extend(&whole);
            let found = receive(&mut Receiver::new(), &stream);
            assert_eq!(found, (Vec::from([(7, b"leaves\0\0".to_vec())]), 1), "{len}");
        }
    }

    #[test]
    fn frame_without_a_message_is_received() {
        assert_eq!(
            receive(&mut Receiver::new(), &frame(0, b"")),
            (Vec::from([(0, Vec::new())]), 0)
        );
    }

    #[test]
    fn longer_frame_than_the_receiver_holds_is_reported() {
        let mut receiver = Receiver::<LEN>::new();
        let mut line = [0; stuffed_len(2 * LEN)];
        let long =
            Body::<{ 2 * LEN }>::new(1, |_| Some(LEN - AROUND + 1)).expect("it fits the sender");
        let faults: Vec<_> = long
            .stuff(&mut line)
            .expect("the line is long enough")
            .iter()
            .filter_map(|byte| receiver.push(*byte).map(|found| found.map(drop)))
            .collect();
        assert_eq!(faults, [Err(Fault::TooLong)]);
        assert_eq!(receive(&mut receiver, &frame(2, b"next")).0, [(2, b"next".to_vec())]);
    }

    #[test]
    fn body_that_does_not_fit_is_none() {
        assert!(Body::<{ AROUND + 3 }>::new(1, |_| Some(3)).is_some());
        assert!(Body::<{ AROUND + 3 }>::new(1, |_| Some(4)).is_none());
        assert!(body(1, b"abc").stuff(&mut [0; stuffed_len(AROUND + 3) - 1]).is_none());
    }
}
