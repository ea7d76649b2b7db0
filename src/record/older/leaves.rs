//! The leaves of the value that is made of a record: their bytes, which stored leaf each of them is, and how a stored leaf becomes one.

use crate::base::error::Error;
use crate::format::value::Value;
use crate::record::bytes::RecordWriter;
use crate::record::kind::Conversion;
use crate::record::leaf::RecordLeaves;
use crate::record::older::stored::{LeafBytes, Stored};
use crate::tree::migrate::change::{Migrated, Why};
use crate::tree::migrate::making::OfType;
use crate::tree::migrate::node::{Place, StoredNode};
use crate::tree::migrate::question::{About, Ask, OfDefault};
use crate::tree::migrate::reports::{Event, Reports};
use crate::tree::migrate::room::NOWHERE;
use crate::tree::migrate::walk::Walk;

/// The leaves of the value, and what is known of its type.
pub(super) struct LeavesOf<'b, F, C> {
    pub(super) ask: Ask<RecordLeaves>,
    pub(super) written: Written<'b>,
    /// The stored leaf, or one of the defaults, which the flag says.
    pub(super) leaf: F,
    /// Converts the leaf of a place, of the first type, to the second one, and returns how many bytes were written.
    pub(super) convert: C,
}

impl<'v, N, R, F, C> OfType<'v, N, R> for LeavesOf<'_, F, C>
where
    N: StoredNode<'v>,
    R: Reports<'v, N>,
    F: Fn(N::Leaf, bool) -> Option<LeafBytes<'v>>,
    C: FnMut(&Place<'_, 'v, N>, [&str; 2], &[u8], RecordWriter<'_>) -> usize,
{
    fn len(&self) -> usize {
        self.written.count()
    }

    fn truncate(&mut self, len: usize) {
        self.written.truncate(len);
    }

    fn take(
        &mut self,
        walk: &mut Walk<'_, 'v, N, R>,
        way: &[u32],
        place: &Place<'_, 'v, N>,
        leaf: N::Leaf,
        to: &'static str,
    ) -> bool {
        let Some(LeafBytes { index, of, bytes }) = (self.leaf)(leaf, false) else { return false };
        let (types, ask, at) = ([of, to], self.ask, Some(index));
        let is_own = |written: &mut Written<'_>, len: usize| {
            written.next(len).is_none_or(|leaf| ask(way, About::Stored(leaf)))
        };
        let mut out = self.written.writer();
        let conversion = Conversion::of(of.as_bytes(), to.as_bytes());
        let mut len = conversion.and_then(|to| to.write(bytes, &mut out)).map(|()| out.leaves);
        len = len.filter(|len| is_own(&mut self.written, *len));
        if len.is_none() {
            let converted = (self.convert)(place, types, bytes, self.written.writer());
            len = Some(converted).filter(|len| *len > 0 && is_own(&mut self.written, *len));
        }
        if let Some(len) = len {
            self.written.keep(len, at);
            if let (Some(node), true) = (place.stored, R::REPORTS && of != to) {
                walk.reports.report(&walk.task, &place.step, Event::Converted(node, types));
            }
            return true;
        }
        walk.refused_leaf(place, R::because(Why::LeafType(types)));
        false
    }

    fn take_default(&mut self, _: &[u32], leaf: N::Leaf) -> bool {
        let Some(LeafBytes { bytes, .. }) = (self.leaf)(leaf, true) else { return false };
        self.written.writer().all(bytes);
        self.written.keep(bytes.len(), None);
        true
    }

    fn takes_value(
        &mut self,
        way: &[u32],
        index: u32,
        value: Option<Value<'_>>,
        give: &mut dyn FnMut(&Value<'_>),
    ) -> bool {
        (self.ask)(way, About::Value(index, value, give))
    }

    fn has_default(&mut self, way: &[u32], index: u32, choice: Option<&mut dyn FnMut(u8)>) -> bool {
        let Some(choice) = choice else { return (self.ask)(way, About::Default(index, None)) };
        let take = &mut |part: OfDefault<'_, RecordLeaves>| match part {
            OfDefault::Choice(byte) => choice(byte),
            OfDefault::Leaf(leaf) => {
                let mut out = self.written.writer();
                leaf.save(&mut out);
                let len = out.leaves;
                self.written.keep(len, None);
            }
        };
        (self.ask)(way, About::Default(index, Some(take)))
    }
}

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
