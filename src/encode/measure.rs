//! The bytes a structure needs, without writing it.

use crate::base::error::Error;
use crate::encode::builder::encode::{head_bytes, repeat_bytes};
use crate::encode::sink::{Depth, Image, Sink};
use crate::format::heading::Heading;

/// A sink that runs the arithmetic of a builder and compares siblings by a 62-bit hash of their bytes in place of the
/// bytes.
///
/// A wrong guess makes a size wrong, never a structure: sizes only tell a caller how much to provide. Siblings of n bytes
/// that nobody made to collide have the same hash at most n^2 times in 2^62.
#[derive(Debug)]
pub(crate) struct Measure {
    mark: Mark,
    peak: usize,
    run: u32,
    leaves: u32,
    nodes: u32,
    list: List,
    depth: Depth,
    /// What went wrong in a walk.
    pub(crate) error: Error,
}

/// A position in the bytes that would be written, and the hash of everything before it.
///
/// Where a position saturates, what is needed has saturated with it, which is all that a measure tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    at: usize,
    hash: Hash,
}

/// What a list of siblings knows of the node before the position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct List {
    copies: u32,
    unit_leaves: u32,
    unit_nodes: u32,
    unit: Mark,
    unit_end: Mark,
}

/// The list outside, and where the node in it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outer {
    before: List,
    start: Mark,
    leaves: u32,
    nodes: u32,
}

/// A polynomial whose coefficients are bytes, at two points modulo [`PRIME`]: two hashes that have to agree.
///
/// Two lanes of 31 bits are nearly as strong as one of 62, and their products fit 64 bits, which small machines multiply
/// without a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hash(u32, u32);

/// The Mersenne prime 2^31 - 1.
const PRIME: u32 = (1 << 31) - 1;

impl Hash {
    const ONE: Self = Self(1, 1);
    /// The points, chosen at random among the primitive roots: their powers return after 2^31 - 2 bytes and not before.
    const POINTS: Self = Self(0x32e8_2e9b, 0x5122_0469);

    /// `self * factor + more`.
    fn times_plus(self, factor: Self, more: Self) -> Self {
        let lane = |a: u32, b: u32, c: u32| {
            // Residues are below 2^31, so the product has 62 bits, its halves 31, and their sum one more.
            let sum = u64::from(a).wrapping_mul(u64::from(b)).wrapping_add(u64::from(c));
            #[expect(clippy::cast_possible_truncation, reason = "31 bits each")]
            let (low, high) = (sum as u32 & PRIME, (sum >> 31) as u32);
            let folded = low.wrapping_add(high);
            folded.checked_sub(PRIME).unwrap_or(folded)
        };
        Self(lane(self.0, factor.0, more.0), lane(self.1, factor.1, more.1))
    }

    /// The hash that gives zero when it is added.
    fn negated(self) -> Self {
        Self(PRIME.wrapping_sub(self.0), PRIME.wrapping_sub(self.1))
    }

    /// The points to this power.
    #[inline(never)]
    fn power(mut exponent: usize) -> Self {
        let (mut base, mut result) = (Self::POINTS, Self::ONE);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times_plus(base, Self::default());
            }
            base = base.times_plus(base, Self::default());
            exponent >>= 1;
        }
        result
    }
}

impl Mark {
    fn put(&mut self, piece: &[u8]) {
        for byte in piece {
            let digit = u32::from(*byte).wrapping_add(1);
            self.hash = self.hash.times_plus(Hash::POINTS, Hash(digit, digit));
        }
        self.at = self.at.saturating_add(piece.len());
    }

    /// The hash of the bytes from `start` to here.
    fn since(self, start: Mark) -> Hash {
        let factor = Hash::power(self.at.saturating_sub(start.at));
        start.hash.times_plus(factor.negated(), self.hash)
    }
}

/// The error of bytes that were measured because `room` was too few. A measure can be wrong: then more are needed than
/// there were all the same.
pub(crate) fn short_of(needed: usize, room: usize) -> Error {
    Error::Full { needed: needed.max(room.saturating_add(1)), room }
}

impl Measure {
    pub(crate) fn new(limit: u32) -> Self {
        Self {
            mark: Mark::default(),
            peak: 0,
            run: 0,
            leaves: 0,
            nodes: 0,
            list: List::default(),
            depth: Depth::new(limit),
            error: Error::TooLarge,
        }
    }

    /// The bytes that a builder needs while it writes, and those of the result.
    pub(crate) fn finish(mut self) -> (usize, usize) {
        self.flush();
        (self.peak, self.mark.at)
    }

    /// Notes what went wrong.
    pub(crate) const fn note(&mut self, error: Error) -> bool {
        self.error = error;
        false
    }

    pub(crate) fn put(&mut self, piece: &[u8]) {
        self.mark.put(piece);
        self.peak = self.peak.max(self.mark.at);
    }

    fn flush(&mut self) {
        if self.run > 0 {
            self.put_head(crate::format::head::LEAVES, self.run.wrapping_sub(1));
            self.run = 0;
        }
    }

    /// A kind and its count.
    pub(crate) fn put_head(&mut self, kind: u8, count: u32) {
        let (bytes, len) = head_bytes(kind, count);
        self.put(bytes.get(..len).unwrap_or(&[]));
    }

    fn count(&mut self, leaves: u32, nodes: u32) -> Result<(), Error> {
        self.leaves = self.leaves.checked_add(leaves).ok_or(Error::TooLarge)?;
        self.nodes = self.nodes.checked_add(nodes).ok_or(Error::TooLarge)?;
        Ok(())
    }

    /// So many more copies of the node before.
    pub(crate) fn put_copies(&mut self, list: &mut List, more: u32) {
        list.copies = list.copies.saturating_add(more);
        self.mark = list.unit_end;
        let (bytes, len) = repeat_bytes(list.copies.saturating_sub(1), list.unit_leaves);
        self.put(bytes.get(..len).unwrap_or(&[]));
    }

    /// What a node leaves behind while its children are measured.
    fn outer(&mut self) -> Outer {
        self.flush();
        Outer { before: self.list, start: self.mark, leaves: self.leaves, nodes: self.nodes }
    }

    /// Goes on with the children of a node whose head was measured.
    fn begin_children(&mut self) -> Result<(), Error> {
        self.list = List::default();
        self.count(0, 1)
    }

    fn add_leaves(&mut self, count: usize) -> Result<(), Error> {
        let count = u32::try_from(count).map_err(|_| Error::TooLarge)?;
        if count > 0 {
            self.count(count, count)?;
            self.run = self.run.saturating_add(count);
            self.list = List::default();
        }
        Ok(())
    }

    /// Adds copies of a node with leaves.
    fn add_copies(&mut self, copies: u32) -> Result<(), Error> {
        let leaves = self.list.unit_leaves.checked_mul(copies).ok_or(Error::TooLarge)?;
        self.count(leaves, self.list.unit_nodes.checked_mul(copies).ok_or(Error::TooLarge)?)?;
        if copies > 0 {
            let mut list = self.list;
            self.put_copies(&mut list, copies);
            self.list = list;
        }
        Ok(())
    }

    fn close(&mut self, Outer { before, start, leaves, nodes }: Outer) {
        self.flush();
        let leaves = self.leaves.saturating_sub(leaves);
        let nodes = self.nodes.saturating_sub(nodes);
        let mut list = before;
        self.end(&mut list, start, leaves);
        list.unit_nodes = nodes;
        self.list = list;
    }

    /// Ends the node that stands at `start` and has so many leaves.
    pub(crate) fn end(&mut self, list: &mut List, start: Mark, leaves: u32) {
        let unit = list.unit_end.at.saturating_sub(list.unit.at);
        if leaves > 0
            && list.unit_leaves == leaves
            && self.mark.at.saturating_sub(start.at) == unit
            && self.mark.since(start) == list.unit_end.since(list.unit)
        {
            return self.put_copies(list, 1);
        }
        *list = List {
            copies: 0,
            unit_leaves: leaves,
            unit_nodes: 0,
            unit: start,
            unit_end: self.mark,
        };
    }

    /// Counts nodes of a walk.
    pub(crate) const fn add_nodes(&mut self, nodes: u32) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// The position.
    pub(crate) const fn mark(&self) -> Mark {
        self.mark
    }

    /// The nodes so far; those of a walk that are no leaves.
    pub(crate) const fn nodes(&self) -> u32 {
        self.nodes
    }
}

impl List {
    /// Whether the node before can be repeated.
    pub(crate) const fn can_repeat(&self) -> bool {
        self.unit_leaves > 0
    }
}

impl Sink for Measure {
    type Frame = Outer;

    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        self.add_leaves(count)
    }

    fn none(&mut self) -> Result<(), Error> {
        self.fixed(Image { def: crate::treedef::treedef::TreeDef::NONE, nodes: 1 })
    }

    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Outer, Error> {
        heading.check()?;
        self.depth.enter()?;
        let outer = self.outer();
        let pieces = heading.pieces(&mut |piece| {
            self.put(piece);
            Ok(())
        });
        pieces.map_err(|_| Error::ValueChanged)?;
        self.begin_children()?;
        Ok(outer)
    }

    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Outer>, Error> {
        if self.list.unit_leaves > 0 {
            return self.begin(heading).map(Some);
        }
        heading.check()?;
        self.flush();
        let pieces = heading.pieces(&mut |piece| {
            self.put(piece);
            Ok(())
        });
        pieces.map_err(|_| Error::ValueChanged)?;
        self.begin_children()?;
        Ok(None)
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    fn end(&mut self, outer: Outer) -> Result<(), Error> {
        self.depth.leave();
        self.close(outer);
        Ok(())
    }

    #[expect(clippy::question_mark, reason = "written out, and with `close`, it holds less stack")]
    fn node<H: Heading>(
        &mut self,
        heading: &H,
        children: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let outer = match self.begin(heading) {
            Ok(outer) => outer,
            Err(error) => return Err(error),
        };
        let result = children(self);
        self.depth.leave();
        self.close(outer);
        result
    }

    fn repeat(&mut self, count: usize) -> Result<(), Error> {
        if self.list.unit_end.at == 0 {
            return self.leaves(count);
        }
        let List { unit, unit_end, unit_leaves, unit_nodes, .. } = self.list;
        let copies = u32::try_from(count).map_err(|_| Error::TooLarge)?;
        if unit_leaves > 0 {
            return self.add_copies(copies);
        }
        self.count(0, unit_nodes.checked_mul(copies).ok_or(Error::TooLarge)?)?;
        // Leafless copies are written out; their bytes no longer matter to any comparison but that of an outer unit,
        // and there the hash of one copy, repeated, stands for them.
        let (mut len, mut hash) = (unit_end.at.saturating_sub(unit.at), unit_end.since(unit));
        let all = len.checked_mul(copies as usize).ok_or(Error::TooLarge)?;
        let end = self.mark.at.checked_add(all).ok_or(Error::TooLarge)?;
        if end > u32::MAX as usize {
            return Err(Error::TooLarge);
        }
        // So many copies are a sum of powers of two of them.
        let mut left = copies;
        while left > 0 {
            let factor = Hash::power(len);
            if left & 1 == 1 {
                self.mark.hash = self.mark.hash.times_plus(factor, hash);
            }
            hash = hash.times_plus(factor, hash);
            len = len.saturating_mul(2);
            left >>= 1;
        }
        self.mark.at = end;
        self.peak = self.peak.max(self.mark.at);
        Ok(())
    }

    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error> {
        if image.def.is_leaf() {
            return self.leaves(1);
        }
        let outer = self.outer();
        self.put(image.def.as_bytes());
        self.count(image.def.leaves(), image.nodes)?;
        self.close(outer);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Hash, Mark, Measure, PRIME};
    use crate::encode::sink::Sink;
    use crate::format::heading::ListOf;

    /// The hash of these bytes alone, by the definition.
    fn hash(bytes: impl Iterator<Item = u8> + Clone) -> Hash {
        let lane = |point: u32| {
            bytes.clone().fold(0u64, |sum, byte| {
                (sum * u64::from(point) + u64::from(byte) + 1) % u64::from(PRIME)
            })
        };
        let [first, second] = [Hash::POINTS.0, Hash::POINTS.1].map(lane);
        Hash(u32::try_from(first).unwrap(), u32::try_from(second).unwrap())
    }

    #[test]
    fn the_hash_of_a_part_is_that_of_its_bytes_alone() {
        let bytes = |from: u32, to: u32| (from..to).map(|i| (i * i / 7).to_le_bytes()[0]);
        for start in [0, 1, 2, 100, 1000] {
            for end in start..start + 300 {
                let mut marks = [Mark::default(); 2];
                bytes(0, start).for_each(|byte| marks[0].put(&[byte]));
                marks[1] = marks[0];
                bytes(start, end).for_each(|byte| marks[1].put(&[byte]));
                assert_eq!(marks[1].since(marks[0]), hash(bytes(start, end)), "{start}..{end}");
            }
        }
    }

    #[test]
    fn residues_are_below_the_prime() {
        let highest = Hash(PRIME - 1, PRIME - 1);
        assert_eq!(highest.times_plus(highest, Hash::default()), Hash::ONE);
        assert_eq!(highest.times_plus(Hash::ONE, Hash::ONE), Hash::default());
        assert_eq!(Hash::ONE.times_plus(highest, Hash(PRIME, PRIME)), highest);
    }

    #[test]
    fn leafless_copies_hash_as_if_they_were_written() {
        for copies in 0..100 {
            let mut measure = Measure::new(1);
            let frame = measure.begin(&ListOf(0)).unwrap();
            Sink::end(&mut measure, frame).unwrap();
            measure.repeat(copies).unwrap();
            assert_eq!((measure.mark.at, measure.mark.hash), {
                let written = core::iter::repeat_n(0x40, copies + 1);
                (written.clone().count(), hash(written))
            });
        }
    }
}
