//! What receives the bytes of choices, also of any number of them: block by block, to be hashed or compared with other ones.

use crate::base::bytes::{copy, first};
use crate::format::fingerprint;

/// What receives the bytes of choices.
pub(crate) trait Receive {
    /// Whether levels are counted, and the walk ends at an error. Without that the value is known not to be too deep.
    const BOUNDED: bool = true;

    /// Receives one byte; `false` if another one is expected.
    fn receive(&mut self, byte: u8) -> bool;
}

/// The number of bytes of a block.
pub(crate) const BLOCK: usize = 128;

/// What receives bytes block by block. All blocks but the last have one length.
pub(crate) struct Stream<'e> {
    /// The number of bytes so far.
    pub(crate) len: usize,
    /// The fingerprint of one block; of several a hash of their fingerprints.
    pub(crate) hash: u64,
    /// What the next bytes have to be; `None` if others came. Bytes that are compared are not hashed.
    expected: Option<Option<&'e [u8]>>,
}

impl<'e> Stream<'e> {
    /// Starts a hash, or a comparison with the bytes that are expected.
    #[inline]
    pub(crate) const fn new(expected: Option<&'e [u8]>) -> Self {
        let expected = if let Some(bytes) = expected { Some(Some(bytes)) } else { None };
        Self { len: 0, hash: 0, expected }
    }

    /// Receives a block.
    pub(crate) fn pass(&mut self, block: &[u8]) {
        if let Some(expected) = &mut self.expected {
            *expected = expected.and_then(|bytes| bytes.strip_prefix(block));
        } else {
            let hash = fingerprint::of(block);
            self.hash = match self.len {
                0 => hash,
                _ => fingerprint::of([self.hash, hash].map(u64::to_le_bytes).as_flattened()),
            };
        }
        self.len = self.len.saturating_add(block.len());
    }

    /// Writes a piece to `block` after the first `at` bytes, and passes the block on where it is full. Returns the number of bytes
    /// that are in the block then.
    #[cold]
    pub(crate) fn put(&mut self, block: &mut [u8], mut at: usize, mut piece: &[u8]) -> usize {
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
    #[cfg(feature = "alloc")]
    pub(crate) const fn is_as_expected(&self) -> bool {
        matches!(self.expected, Some(Some([])))
    }
}

/// Choices in a block, which is passed on each time that it is full.
pub(crate) struct Blocks<'s, 'e> {
    pub(crate) block: &'s mut [u8],
    /// The number of bytes in the block.
    pub(crate) at: usize,
    pub(crate) stream: &'s mut Stream<'e>,
}

impl Blocks<'_, '_> {
    /// Passes the last block on.
    pub(crate) fn end(self) {
        self.stream.pass(first(self.block, self.at));
    }
}

impl Receive for Blocks<'_, '_> {
    #[inline(always)]
    fn receive(&mut self, byte: u8) -> bool {
        // No call takes `self`, so that `at` is in a register.
        if let Some(slot) = self.block.get_mut(self.at) {
            *slot = byte;
            self.at = self.at.wrapping_add(1);
        } else {
            self.at = self.stream.put(self.block, self.at, &[byte]);
        }
        true
    }
}
