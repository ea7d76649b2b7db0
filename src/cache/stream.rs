//! Bytes of any number that are passed on block by block: they are hashed, and compared with other ones.

use crate::base::bytes::copy;
use crate::format::fingerprint;
use crate::tree::choices::Receive;

/// What receives bytes block by block. All blocks but the last have one length.
pub(super) struct Stream<'e> {
    /// The number of bytes so far.
    pub(super) len: usize,
    /// The fingerprint of one block; of several a hash of their fingerprints.
    pub(super) hash: u64,
    /// What the next bytes have to be; `None` if others came.
    expected: Option<&'e [u8]>,
}

impl<'e> Stream<'e> {
    /// Starts with the bytes that are expected.
    #[inline]
    pub(super) const fn new(expected: &'e [u8]) -> Self {
        Self { len: 0, hash: 0, expected: Some(expected) }
    }

    /// Receives a block.
    pub(super) fn pass(&mut self, block: &[u8]) {
        let hash = fingerprint::of(block);
        self.hash = match self.len {
            0 => hash,
            _ => fingerprint::of([self.hash, hash].map(u64::to_le_bytes).as_flattened()),
        };
        self.len = self.len.saturating_add(block.len());
        self.expected = self.expected.and_then(|bytes| bytes.strip_prefix(block));
    }

    /// Writes a piece to `block` after the first `at` bytes, and passes the block on where it is full. Returns the number of bytes that
    /// are in the block then.
    #[cold]
    #[inline(never)]
    pub(super) fn put(&mut self, block: &mut [u8], mut at: usize, mut piece: &[u8]) -> usize {
        while let Some(free) = block.get_mut(at..)
            && let Some((fits, rest)) = piece.split_at_checked(free.len())
            && !rest.is_empty()
        {
            copy(free, fits);
            self.pass(block);
            (at, piece) = (0, rest);
        }
        let end = at.saturating_add(piece.len());
        if let Some(target) = block.get_mut(at..end) {
            copy(target, piece);
        }
        end
    }

    /// Whether all bytes that were expected came, and no others.
    pub(super) const fn is_as_expected(&self) -> bool {
        matches!(self.expected, Some([]))
    }
}

/// Choices in a block, which is passed on each time that it is full.
pub(super) struct Blocks<'s, 'e> {
    pub(super) block: &'s mut [u8],
    /// The number of bytes in the block.
    pub(super) at: usize,
    pub(super) stream: &'s mut Stream<'e>,
}

impl Receive for Blocks<'_, '_> {
    #[inline(always)]
    fn receive(&mut self, byte: u8) -> bool {
        // Neither function receives `self`, which stays in registers.
        if let Some(slot) = self.block.get_mut(self.at) {
            *slot = byte;
            self.at = self.at.wrapping_add(1);
        } else {
            self.at = self.stream.put(self.block, self.at, &[byte]);
        }
        true
    }
}
