//! What device and host say to each other: messages by `postcard`, in frames that survive a line that damages bytes.
//!
//! A frame is the number of its request and a message, both by `postcard`, and their CRC-32C, little end first; stuffed by
//! `cobs`, so that the only zero byte on the line is the one that ends a frame.

use cobs::CobsDecoderHeapless;
use crc::{CRC_32_ISCSI, Crc, NoTable};
use serde::{Deserialize, Serialize};

/// Finds any five flipped bits of a frame (Koopman's Hamming distance of 6 up to 5243 bits) that do not hit the stuffing,
/// and all but one in 2^32 of other damage.
const CHECKSUM: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISCSI);

/// Bytes of the longest frame on the line: the longest schema and what is around it.
const FRAME: usize = 540;

/// The bytes of a frame on the line.
pub type Frame = heapless::Vec<u8, FRAME>;

/// The bytes of a schema.
pub type Schema = heapless::Vec<u8, 512>;

/// A value as `treedef::record::frame` sends it: more than the device has, so that it can answer a host with a larger type.
pub type Value = heapless::Vec<u8, 96>;

/// What the host asks for.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The key of the type that the host speaks of. Any other than the device's is refused.
    pub key: u64,
    /// What to do.
    pub action: Action,
}

/// What to do. The answer is the drive after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Nothing, and the answer is the key, whatever the request says about it.
    Hello,
    /// Nothing, and the answer is the schema, whatever the key of the request is.
    Schema,
    /// Nothing.
    Read,
    /// To replace the drive.
    Write(Value),
    /// To run control steps.
    Run {
        /// How many.
        steps: u32,
    },
    /// To end the program.
    Stop,
}

/// What the device answers.
pub type Reply = Result<Answer, Refusal>;

/// What the device answers to a request that it did.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Its key.
    Key(u64),
    /// The bytes of its schema: the only message with names in it.
    Schema(Schema),
    /// The drive.
    Value(Value),
}

/// Why the device did nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    #[error("its key is {0:016x}")]
    OtherKey(u64),
    #[error("the value is none of its type")]
    Damaged,
    #[error("leaf {0} is not finite")]
    NotFinite(u32),
    #[error("it runs at most {0} steps for one request")]
    TooManySteps(u32),
    #[error("it does not know the request")]
    Unknown,
}

/// Makes a frame. `None` if the message is too long for one.
pub fn frame(number: u32, message: &(impl Serialize + ?Sized)) -> Option<Frame> {
    let (mut body, mut line) = ([0; FRAME], Frame::new());
    let len = postcard::to_slice(&(number, message), &mut body).ok()?.len();
    let (covered, rest) = body.split_at_mut_checked(len)?;
    *rest.first_chunk_mut()? = CHECKSUM.checksum(covered).to_le_bytes();
    line.resize_default(FRAME).ok()?;
    let len = cobs::try_encode(body.get(..len + 4)?, &mut line).ok()?;
    *line.get_mut(len)? = 0;
    line.truncate(len + 1);
    Some(line)
}

/// Finds frames in a stream of bytes: whatever came before, the frame after the next zero byte is found.
#[derive(Debug)]
pub struct Receiver(CobsDecoderHeapless<FRAME>);

impl Default for Receiver {
    fn default() -> Self {
        Self(CobsDecoderHeapless::new())
    }
}

impl Receiver {
    /// Takes the next byte. The answer is the number and the message of the frame that it ends, if that one is whole.
    pub fn push(&mut self, byte: u8) -> Option<(u32, &[u8])> {
        let len = self.0.feed(byte).ok()??;
        let (covered, checksum) = self.0.dest().get(..len)?.split_last_chunk()?;
        if CHECKSUM.checksum(covered) != u32::from_le_bytes(*checksum) {
            return None;
        }
        postcard::take_from_bytes(covered).ok()
    }
}
