//! What is said: the host's requests and the device's replies.

/// The leaves of a tree as they travel: `f32`, four bytes each, little end first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves<'a>(pub &'a [u8]);

impl<'a> Leaves<'a> {
    /// Writes the leaves into `bytes`; `None` if there are not four for each.
    pub fn pack(leaves: &[f32], bytes: &'a mut [u8]) -> Option<Self> {
        let bytes = bytes.get_mut(..leaves.len().checked_mul(4)?)?;
        let (chunks, _) = bytes.as_chunks_mut();
        for (chunk, leaf) in chunks.iter_mut().zip(leaves) {
            *chunk = leaf.to_le_bytes();
        }
        Some(Self(bytes))
    }

    /// Reads them into `leaves`; `None` if there are more or fewer.
    pub fn unpack(self, leaves: &mut [f32]) -> Option<()> {
        let (chunks, []) = self.0.as_chunks() else { return None };
        if chunks.len() != leaves.len() {
            return None;
        }
        for (leaf, chunk) in leaves.iter_mut().zip(chunks) {
            *leaf = f32::from_le_bytes(*chunk);
        }
        Some(())
    }
}

/// What the host asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// What structure the device has. Answered with [`Reply::Structure`] whatever its number is: a host that starts
    /// anew does not know the last one.
    Hello,
    /// The leaves of the structure with this fingerprint. Answered with [`Reply::Leaves`].
    Read {
        /// The structure the host speaks of.
        fingerprint: u64,
    },
    /// To take these leaves. Answered with [`Reply::Leaves`]: those that are now in force.
    Write {
        /// The structure they are of.
        fingerprint: u64,
        /// All its leaves.
        leaves: Leaves<'a>,
    },
    /// To run control steps. Answered with [`Reply::Leaves`] after the last.
    Run {
        /// How many.
        steps: u32,
    },
    /// What the device has counted. Answered with [`Reply::Counters`].
    Count,
    /// To end the program. Answered with [`Reply::Counters`].
    Stop,
}

/// What the device answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Its structure: the only message with names in it.
    Structure {
        /// The fingerprint of the treedef, which stands for it from here on.
        fingerprint: u64,
        /// The bytes of the treedef.
        treedef: &'a [u8],
    },
    /// Its leaves.
    Leaves {
        /// The structure they are of.
        fingerprint: u64,
        /// All its leaves.
        leaves: Leaves<'a>,
    },
    /// What it has counted.
    Counters(Counters),
    /// It did nothing.
    Refused(Refusal),
}

/// Why the device did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request speaks of another structure than the device's.
    OtherStructure {
        /// The fingerprint of the device's.
        device: u64,
    },
    /// The bytes of the leaves are not those of the structure's leaves.
    Length {
        /// Bytes of all leaves.
        expected: u32,
        /// Bytes that came.
        found: u32,
    },
    /// A leaf is infinite or no number.
    NotFinite {
        /// The index of the leaf.
        leaf: u32,
    },
    /// The steps would keep the device from answering for too long.
    TooManySteps {
        /// The most that one request may ask for.
        most: u32,
    },
    /// The message is none of this version of the protocol.
    Unknown,
}

/// What the device has counted since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames that were damaged, cut off or too long, and left without an answer.
    pub damaged: u32,
    /// Requests that came again, and were answered again but not done again.
    pub repeated: u32,
    /// Requests that were refused.
    pub refused: u32,
    /// Writes that were taken.
    pub taken: u32,
}

impl<'a> Request<'a> {
    /// Bytes of the longest request about a structure with so many leaves.
    pub const fn max_len(leaves: usize) -> usize {
        1 + 8 + 4 * leaves
    }

    /// Writes the message to the front of `bytes`, and answers its length; `None` if it does not fit.
    pub fn write(&self, bytes: &mut [u8]) -> Option<usize> {
        let mut out = Out { bytes, len: 0 };
        match self {
            Request::Hello => out.put(&[0x01])?,
            Request::Read { fingerprint } => out.put(&[0x02])?.put(&fingerprint.to_le_bytes())?,
            Request::Write { fingerprint, leaves } => {
                out.put(&[0x03])?.put(&fingerprint.to_le_bytes())?.put(leaves.0)?
            }
            Request::Run { steps } => out.put(&[0x04])?.put(&steps.to_le_bytes())?,
            Request::Count => out.put(&[0x05])?,
            Request::Stop => out.put(&[0x06])?,
        };
        Some(out.len)
    }

    /// Reads a message; `None` if it is no request.
    pub fn read(message: &'a [u8]) -> Option<Self> {
        let (tag, mut fields) = message.split_first()?;
        let request = match tag {
            0x01 => Request::Hello,
            0x02 => Request::Read { fingerprint: u64_of(&mut fields)? },
            0x03 => Request::Write {
                fingerprint: u64_of(&mut fields)?,
                leaves: Leaves(core::mem::take(&mut fields)),
            },
            0x04 => Request::Run { steps: u32_of(&mut fields)? },
            0x05 => Request::Count,
            0x06 => Request::Stop,
            _ => return None,
        };
        fields.is_empty().then_some(request)
    }
}

impl<'a> Reply<'a> {
    /// Bytes of the longest reply about a structure with so many bytes and leaves.
    pub const fn max_len(treedef: usize, leaves: usize) -> usize {
        let content = if treedef > 4 * leaves { treedef } else { 4 * leaves };
        // The counters are 16 bytes.
        1 + if content > 8 { 8 + content } else { 16 }
    }

    /// Writes the message to the front of `bytes`, and answers its length; `None` if it does not fit.
    pub fn write(&self, bytes: &mut [u8]) -> Option<usize> {
        let mut out = Out { bytes, len: 0 };
        match self {
            Reply::Structure { fingerprint, treedef } => {
                out.put(&[0x81])?.put(&fingerprint.to_le_bytes())?.put(treedef)?
            }
            Reply::Leaves { fingerprint, leaves } => {
                out.put(&[0x82])?.put(&fingerprint.to_le_bytes())?.put(leaves.0)?
            }
            Reply::Counters(counters) => out
                .put(&[0x83])?
                .put(&counters.damaged.to_le_bytes())?
                .put(&counters.repeated.to_le_bytes())?
                .put(&counters.refused.to_le_bytes())?
                .put(&counters.taken.to_le_bytes())?,
            Reply::Refused(Refusal::OtherStructure { device }) => {
                out.put(&[0x84])?.put(&device.to_le_bytes())?
            }
            Reply::Refused(Refusal::Length { expected, found }) => {
                out.put(&[0x85])?.put(&expected.to_le_bytes())?.put(&found.to_le_bytes())?
            }
            Reply::Refused(Refusal::NotFinite { leaf }) => {
                out.put(&[0x86])?.put(&leaf.to_le_bytes())?
            }
            Reply::Refused(Refusal::TooManySteps { most }) => {
                out.put(&[0x87])?.put(&most.to_le_bytes())?
            }
            Reply::Refused(Refusal::Unknown) => out.put(&[0x88])?,
        };
        Some(out.len)
    }

    /// Reads a message; `None` if it is no reply.
    pub fn read(message: &'a [u8]) -> Option<Self> {
        let (tag, mut fields) = message.split_first()?;
        let reply = match tag {
            0x81 => Reply::Structure {
                fingerprint: u64_of(&mut fields)?,
                treedef: core::mem::take(&mut fields),
            },
            0x82 => Reply::Leaves {
                fingerprint: u64_of(&mut fields)?,
                leaves: Leaves(core::mem::take(&mut fields)),
            },
            0x83 => Reply::Counters(Counters {
                damaged: u32_of(&mut fields)?,
                repeated: u32_of(&mut fields)?,
                refused: u32_of(&mut fields)?,
                taken: u32_of(&mut fields)?,
            }),
            0x84 => Reply::Refused(Refusal::OtherStructure { device: u64_of(&mut fields)? }),
            0x85 => Reply::Refused(Refusal::Length {
                expected: u32_of(&mut fields)?,
                found: u32_of(&mut fields)?,
            }),
            0x86 => Reply::Refused(Refusal::NotFinite { leaf: u32_of(&mut fields)? }),
            0x87 => Reply::Refused(Refusal::TooManySteps { most: u32_of(&mut fields)? }),
            0x88 => Reply::Refused(Refusal::Unknown),
            _ => return None,
        };
        fields.is_empty().then_some(reply)
    }
}

/// A message that is being written.
struct Out<'b> {
    bytes: &'b mut [u8],
    len: usize,
}

impl Out<'_> {
    fn put(&mut self, piece: &[u8]) -> Option<&mut Self> {
        let end = self.len.checked_add(piece.len())?;
        self.bytes.get_mut(self.len..end)?.copy_from_slice(piece);
        self.len = end;
        Some(self)
    }
}

/// Takes the number at the front.
fn u64_of(fields: &mut &[u8]) -> Option<u64> {
    let (number, rest) = fields.split_first_chunk()?;
    *fields = rest;
    Some(u64::from_le_bytes(*number))
}

/// Takes the number at the front.
fn u32_of(fields: &mut &[u8]) -> Option<u32> {
    let (number, rest) = fields.split_first_chunk()?;
    *fields = rest;
    Some(u32::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use fastrand::Rng;

    use super::*;

    const FINGERPRINT: u64 = 0x0123_4567_89AB_CDEF;

    #[test]
    fn write_is_as_documented() {
        let mut packed = [0; 8];
        let leaves = Leaves::pack(&[1.0, -2.5], &mut packed).expect("there is room");
        let mut bytes = [0; Request::max_len(2)];
        let len = Request::Write { fingerprint: FINGERPRINT, leaves }.write(&mut bytes);
        assert_eq!(len, Some(bytes.len()));
        let expected = [
            0x03, // the tag
            0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, // the structure
            0x00, 0x00, 0x80, 0x3F, // 1.0
            0x00, 0x00, 0x20, 0xC0, // -2.5
        ];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn what_is_read_writes_the_same_bytes() {
        let mut dice = Rng::with_seed(2);
        let (mut requests, mut replies) = (0, 0);
        for _ in 0..200_000 {
            let mut message: Vec<u8> = (0..dice.usize(..24)).map(|_| dice.u8(..)).collect();
            if let Some(tag) = message.first_mut() {
                // Few of the tags that there could be have a meaning.
                *tag = (*tag % 10) | if dice.bool() { 0x80 } else { 0 };
            }
            let mut bytes = [0; 24];
            if let Some(request) = Request::read(&message) {
                let len = request.write(&mut bytes).expect("there is room");
                assert_eq!(&bytes[..len], message);
                requests += 1;
            }
            if let Some(reply) = Reply::read(&message) {
                let len = reply.write(&mut bytes).expect("there is room");
                assert_eq!(&bytes[..len], message);
                replies += 1;
            }
        }
        assert!(requests > 1000 && replies > 1000, "{requests} {replies}");
    }

    #[test]
    fn longest_messages_fit_exactly() {
        let treedef = [0; 100];
        for treedef in [&treedef[..], &treedef[..1]] {
            let mut bytes = [0; 200];
            let room = Reply::max_len(treedef.len(), 0);
            let replies = [
                Reply::Structure { fingerprint: 0, treedef },
                Reply::Counters(Counters::default()),
                Reply::Refused(Refusal::Length { expected: 0, found: 0 }),
            ];
            let longest = replies.iter().filter_map(|reply| reply.write(&mut bytes)).max();
            assert_eq!(longest, Some(room));
            assert_eq!(replies[0].write(&mut bytes[..treedef.len() + 8]), None);
        }
    }

    #[test]
    fn leaves_are_all_or_none() {
        let (mut packed, mut back) = ([0; 12], [0.0; 2]);
        assert_eq!(Leaves::pack(&[1.0; 3], &mut packed[..11]), None);
        let leaves = Leaves::pack(&[1.5, f32::MIN], &mut packed).expect("there is room");
        assert_eq!(leaves.unpack(&mut back), Some(()));
        assert_eq!(back, [1.5, f32::MIN]);
        for len in [0, 4, 7, 9, 12] {
            assert_eq!(Leaves(&packed[..len]).unpack(&mut back), None, "{len}");
        }
    }
}
