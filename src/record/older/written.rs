//! The leaves of a value that is made of a record: their bytes, and which stored leaf each of them is.

use crate::base::error::Error;
use crate::record::bytes::RecordWriter;
use crate::record::older::stored::Stored;
use crate::tree::migrate::change::Migrated;

/// Leaves are written from the front of the room. From its end, each has where it ends and the index of its stored leaf.
pub(super) struct Written<'b> {
    room: &'b mut [u8],
    len: usize,
    count: usize,
    /// The number of bytes that are needed.
    needed: usize,
}

/// The bytes that a leaf has at the end of the room.
const ENTRY: usize = 8;

/// The index of a leaf that was not stored.
const NOWHERE: u32 = u32::MAX;

impl<'b> Written<'b> {
    pub(super) const fn new(room: &'b mut [u8]) -> Self {
        Self { room, len: 0, count: 0, needed: 0 }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The position of the entry of the last of `count` leaves.
    fn entry(&self, count: usize) -> Option<usize> {
        self.room.len().checked_sub(count.checked_mul(ENTRY)?)
    }

    /// The room for the next leaf.
    fn slots(&mut self) -> &mut [u8] {
        let end = self.entry(self.count.saturating_add(1)).unwrap_or(0);
        self.room.get_mut(self.len..end).unwrap_or_default()
    }

    /// Writes the next leaf. It is no leaf of the value before it is kept.
    pub(super) fn writer(&mut self) -> RecordWriter<'_> {
        RecordWriter::new(self.slots())
    }

    /// The leaf that was written, which has `len` bytes, if there was room for it.
    pub(super) fn next(&mut self, len: usize) -> Option<&[u8]> {
        self.slots().get(..len)
    }

    /// Keeps the leaf that was written, which has `len` bytes. One without room is counted.
    #[inline(never)]
    pub(super) fn keep(&mut self, len: usize, stored: Option<usize>) {
        self.len = self.len.saturating_add(len);
        self.count = self.count.saturating_add(1);
        self.needed = self.needed.max(self.len.saturating_add(self.count.saturating_mul(ENTRY)));
        let index = stored.and_then(|index| u32::try_from(index).ok()).unwrap_or(NOWHERE);
        let numbers = [u32::try_from(self.len).unwrap_or(u32::MAX), index];
        let at = self.entry(self.count).unwrap_or(self.room.len());
        let (slots, _) = self.room.get_mut(at..).unwrap_or_default().as_chunks_mut();
        slots.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number.to_le_bytes());
    }

    /// Writes a leaf that has these bytes.
    pub(super) fn push(&mut self, leaf: &[u8], stored: Option<usize>) {
        self.writer().all(leaf);
        self.keep(leaf.len(), stored);
    }

    /// Takes back all leaves but the first ones.
    pub(super) fn truncate(&mut self, count: usize) {
        let end = self.entry(count).and_then(|at| self.room.get(at..)?.first_chunk());
        let len = end.filter(|_| count > 0).map_or(0, |end| u32::from_le_bytes(*end) as usize);
        (self.len, self.count) = (len.min(self.len), count.min(self.count));
    }

    /// The bytes of all leaves, and the counts with that of the stored leaves among them. A stored leaf that is there twice counts once.
    pub(super) fn finish(
        self,
        stored: &Stored<'_>,
        counts: Migrated,
    ) -> Result<(&'b [u8], Migrated), Error> {
        let Self { room, len, count, needed } = self;
        // A bit for each stored node, after the leaves.
        let (marks, most) = (stored.num_nodes.div_ceil(8), room.len());
        let needed = needed.saturating_add(marks);
        let (leaves, rest) = room.split_at_mut_checked(len).unwrap_or_default();
        if needed > most {
            return Err(Error::BufferFull { needed, room: most });
        }
        let (marks, rest) = rest.split_at_mut_checked(marks).unwrap_or_default();
        marks.fill(0);
        let at = rest.len().wrapping_sub(count.wrapping_mul(ENTRY));
        let (entries, _) = rest.get(at..).unwrap_or_default().as_chunks::<ENTRY>();
        let mut moved = 0usize;
        for [_, _, _, _, index @ ..] in entries {
            let index = u32::from_le_bytes(*index);
            let (slot, bit) = (marks.get_mut((index >> 3) as usize), 1u8 << (index & 7));
            if let Some(slot) = slot
                && *slot & bit == 0
            {
                *slot |= bit;
                moved = moved.wrapping_add(1);
            }
        }
        let lost = stored.num_leaves.saturating_sub(moved);
        Ok((leaves, Migrated { moved, lost, ..counts }))
    }
}
