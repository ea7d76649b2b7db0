//! The bytes a structure needs, without writing it.

use crate::builder::encode::{copies_len, head_len};
use crate::error::Error;
use crate::heading::Heading;
use crate::sink::{Depth, Image, Sink};

/// A sink that runs the arithmetic of a builder and compares siblings by a 61-bit hash of their bytes in place of the
/// bytes.
///
/// A wrong guess (one in 2^61) makes a size wrong, never a structure: sizes only tell a caller how much to provide.
#[derive(Debug)]
pub(crate) struct Measure {
    mark: Mark,
    peak: u64,
    run: u32,
    leaves: u32,
    nodes: u32,
    list: List,
    depth: Depth,
    /// What went wrong in a walk.
    pub(crate) error: Error,
}

/// A position in the bytes that would be written, and the hash of everything before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    at: u64,
    hash: u64,
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

/// The Mersenne prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;
/// An arbitrary base below the prime.
const BASE: u64 = 0x1d8a_47c6_b3f5_0e29;

/// The product of two residues. Residues are below 2^61, so no step of this module overflows.
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a).wrapping_mul(u128::from(b));
    let low = u64::try_from(product & u128::from(PRIME)).unwrap_or(0);
    let high = u64::try_from(product >> 61).unwrap_or(0);
    add(low, high)
}

fn add(a: u64, b: u64) -> u64 {
    a.wrapping_add(b) % PRIME
}

fn power(mut exponent: u64) -> u64 {
    let (mut base, mut result) = (BASE, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

impl Mark {
    fn put(&mut self, piece: &[u8]) {
        for byte in piece {
            self.hash = add(multiply(self.hash, BASE), u64::from(*byte).saturating_add(1));
        }
        self.at = self.at.saturating_add(piece.len() as u64);
    }

    /// The hash of the bytes from `start` to here.
    fn since(self, start: Mark) -> u64 {
        let before = multiply(start.hash, power(self.at.saturating_sub(start.at)));
        add(self.hash, PRIME.wrapping_sub(before))
    }
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
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        (size(self.peak), size(self.mark.at))
    }

    /// Notes what went wrong.
    pub(crate) const fn keep(&mut self, result: Result<(), Error>) -> bool {
        match result {
            Ok(()) => true,
            Err(error) => {
                self.error = error;
                false
            }
        }
    }

    pub(crate) fn put(&mut self, piece: &[u8]) {
        self.mark.put(piece);
        self.peak = self.peak.max(self.mark.at);
    }

    fn flush(&mut self) {
        if self.run > 0 {
            self.put_head(crate::head::LEAVES, self.run.wrapping_sub(1));
            self.run = 0;
        }
    }

    /// A kind and its count.
    pub(crate) fn put_head(&mut self, kind: u8, count: u32) {
        let (bytes, len) = head_len(kind, count);
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
        let (bytes, len) = copies_len(list.copies.saturating_sub(1), list.unit_leaves);
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
        self.fixed(Image { def: crate::treedef::TreeDef::NONE, nodes: 1 })
    }

    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Outer, Error> {
        heading.check()?;
        self.depth.enter()?;
        let outer = self.outer();
        heading.pieces(&mut |piece| {
            self.put(piece);
            Ok::<_, Error>(())
        })?;
        self.begin_children()?;
        Ok(outer)
    }

    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Outer>, Error> {
        if self.list.unit_leaves > 0 {
            return self.begin(heading).map(Some);
        }
        heading.check()?;
        self.flush();
        heading.pieces(&mut |piece| {
            self.put(piece);
            Ok::<_, Error>(())
        })?;
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
        let end = self.mark.at.saturating_add(len.saturating_mul(u64::from(copies)));
        if end > u64::from(u32::MAX) {
            return Err(Error::TooLarge);
        }
        // So many copies are a sum of powers of two of them.
        let mut left = copies;
        while left > 0 {
            let factor = power(len);
            if left & 1 == 1 {
                self.mark.hash = add(multiply(self.mark.hash, factor), hash);
            }
            hash = add(multiply(hash, factor), hash);
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
