//! A number of bytes that is always enough for a structure, counted without writing it.

use crate::base::error::Error;
use crate::encode::sink::{Depth, Image, Sink};
use crate::format::head;
use crate::format::heading::Heading;
use crate::format::varint;
use crate::treedef::treedef::TreeDef;

/// A sink that counts heads and runs as they come, and announced copies as one repeat.
///
/// A writer is never after the place that is counted here. Until it folds a node into the one before it, both count the
/// same bytes. Then it goes back by the node and writes at most as many bytes: the first repeat of a node is no longer
/// than that node (both end in a number of leaves, and a node has a head and a run before it), and each further copy
/// makes the repeat at most one byte longer.
///
/// For example, `[(*, *), (*, *), (*, *)]` is written as `43 22 01 A1 02`. Described tuple by tuple it counts as
/// `43 22 01 22 01 22 01`, and as it is written where two copies are announced.
#[derive(Debug)]
pub(crate) struct Bound {
    bytes: usize,
    /// Leaves that came since the last node.
    run: u32,
    leaves: u32,
    nodes: u32,
    /// The child that came last.
    last: Unit,
    depth: Depth,
    error: Error,
}

/// A child that announced copies repeat.
#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    /// 0 for a leaf, and before the first child.
    bytes: usize,
    leaves: u32,
    nodes: u32,
    /// Announced copies so far.
    copies: u32,
}

/// What is counted where a node begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    bytes: usize,
    leaves: u32,
    nodes: u32,
}

/// The bytes of a kind and a count.
const fn head_len(count: u32) -> usize {
    match count.checked_sub(head::ESCAPE as u32) {
        Some(more) => varint::len(more as u64).wrapping_add(1),
        None => 1,
    }
}

/// The bytes of a repeat of this many copies of this many leaves each.
const fn repeat_len(copies: u32, leaves: u32) -> usize {
    match copies.checked_sub(1) {
        Some(count) => head_len(count).wrapping_add(varint::len(leaves as u64)),
        None => 0,
    }
}

impl Bound {
    /// Counts from nothing, at most `limit` levels deep.
    pub(crate) const fn new(limit: u32) -> Self {
        Self {
            bytes: 0,
            run: 0,
            leaves: 0,
            nodes: 0,
            last: Unit { bytes: 0, leaves: 0, nodes: 0, copies: 0 },
            depth: Depth::new(limit),
            error: Error::TooLarge,
        }
    }

    /// The number of bytes. No treedef has more than `u32::MAX`, however many were counted.
    pub(crate) fn finish(mut self) -> usize {
        self.flush();
        self.bytes.min(u32::MAX as usize)
    }

    /// Notes what went wrong.
    pub(crate) const fn note(&mut self, error: Error) -> bool {
        self.error = error;
        false
    }

    /// What went wrong in a walk.
    pub(crate) const fn error(&self) -> Error {
        self.error
    }

    /// Counts nodes of a walk that are no leaves.
    pub(crate) const fn add_branches(&mut self, count: u32) {
        self.nodes = self.nodes.saturating_add(count);
    }

    /// The nodes of a walk that are no leaves.
    pub(crate) const fn branches(&self) -> u32 {
        self.nodes
    }

    /// Counts bytes.
    pub(crate) const fn put(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Counts a kind and its count, or a run of one leaf more than `count`.
    pub(crate) const fn put_head(&mut self, count: u32) {
        self.put(head_len(count));
    }

    /// Counts `more` copies after `copies` of a node of this many leaves.
    pub(crate) const fn put_copies(&mut self, copies: u32, more: u32, leaves: u32) {
        let all = repeat_len(copies.saturating_add(more), leaves);
        self.put(all.saturating_sub(repeat_len(copies, leaves)));
    }

    /// Ends the run of leaves, if there is one.
    fn flush(&mut self) {
        if let Some(more) = self.run.checked_sub(1) {
            self.put_head(more);
            self.run = 0;
        }
    }

    /// Counts a head, and goes on with the children.
    fn put_heading<H: Heading>(&mut self, heading: &H) -> Result<(), Error> {
        heading.pieces(&mut |piece| {
            self.put(piece.len());
            Ok::<_, Error>(())
        })?;
        self.last = Unit::default();
        self.count(0, 1)
    }

    fn count(&mut self, leaves: u32, nodes: u32) -> Result<(), Error> {
        self.leaves = self.leaves.checked_add(leaves).ok_or(Error::TooLarge)?;
        self.nodes = self.nodes.checked_add(nodes).ok_or(Error::TooLarge)?;
        Ok(())
    }

    const fn start(&self) -> Start {
        Start { bytes: self.bytes, leaves: self.leaves, nodes: self.nodes }
    }

    /// Ends the node that began at `start`.
    fn close(&mut self, start: Start) {
        self.flush();
        self.last = Unit {
            bytes: self.bytes.saturating_sub(start.bytes),
            leaves: self.leaves.saturating_sub(start.leaves),
            nodes: self.nodes.saturating_sub(start.nodes),
            copies: 0,
        };
    }
}

impl Sink for Bound {
    type Frame = Start;

    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let count = u32::try_from(count).map_err(|_| Error::TooLarge)?;
        if count > 0 {
            self.count(count, count)?;
            self.run = self.run.saturating_add(count);
            self.last = Unit::default();
        }
        Ok(())
    }

    fn none(&mut self) -> Result<(), Error> {
        self.fixed(Image { def: TreeDef::NONE, nodes: 1 })
    }

    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Start, Error> {
        heading.check()?;
        self.depth.enter()?;
        self.flush();
        let start = self.start();
        self.put_heading(heading)?;
        Ok(start)
    }

    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Start>, Error> {
        // As a builder, which takes a frame to compare the node with the one before it.
        if self.last.leaves > 0 {
            return self.begin(heading).map(Some);
        }
        heading.check()?;
        self.flush();
        self.put_heading(heading)?;
        Ok(None)
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    fn end(&mut self, start: Start) -> Result<(), Error> {
        self.depth.leave();
        self.close(start);
        Ok(())
    }

    fn repeat(&mut self, count: usize) -> Result<(), Error> {
        let Unit { bytes, leaves, nodes, copies } = self.last;
        if bytes == 0 {
            return self.leaves(count);
        }
        let more = u32::try_from(count).map_err(|_| Error::TooLarge)?;
        let all = |each: u32| each.checked_mul(more).ok_or(Error::TooLarge);
        self.count(all(leaves)?, all(nodes)?)?;
        if leaves > 0 {
            self.put_copies(copies, more, leaves);
            self.last.copies = copies.saturating_add(more);
            return Ok(());
        }
        // Copies without leaves are written out.
        let bytes = bytes.checked_mul(count).filter(|bytes| u32::try_from(*bytes).is_ok());
        self.put(bytes.ok_or(Error::TooLarge)?);
        Ok(())
    }

    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error> {
        if image.def.is_leaf() {
            return self.leaves(1);
        }
        self.flush();
        let start = self.start();
        self.put(image.def.as_bytes().len());
        self.count(image.def.leaves(), image.nodes)?;
        self.close(start);
        Ok(())
    }
}
