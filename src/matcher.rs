//! Compares a structure with an expected treedef while it is described, writing nothing.

use crate::builder::Frame;
use crate::cursor::{Cursor, Siblings};
use crate::error::Error;
use crate::heading::Heading;
use crate::sink::{Depth, Image, Sink};
use crate::treedef::TreeDef;

/// A sink that stops with [`Error::Mismatch`] at the first node that is not the expected one.
#[derive(Debug)]
pub(crate) struct Matcher<'a> {
    cursor: Cursor<'a>,
    list: Siblings,
    depth: Depth,
    last: Last,
    /// The mismatch that was found where a node was to begin.
    error: Option<Error>,
}

/// The child that was matched last: where it stands and what it counts.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    start: u32,
    end: u32,
    nodes: u32,
    leaves: u32,
}

impl Last {
    const LEAF: Self = Self { start: 0, end: 0, nodes: 1, leaves: 1 };
}

impl<'a> Matcher<'a> {
    pub(crate) const fn new(expected: TreeDef<'a>, limit: u32) -> Self {
        Self {
            cursor: Cursor::new(expected),
            list: Siblings::root(),
            depth: Depth::new(limit),
            last: Last::LEAF,
            error: None,
        }
    }

    /// Sees that the whole treedef was described.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.list.left() == 0 { Ok(()) } else { Err(self.mismatch()) }
    }

    const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.cursor.num_nodes_read() }
    }

    /// Steps over so many leaves.
    fn pass_leaves(&mut self, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.cursor.take_leaves(&mut self.list, count)
    }

    /// Goes to the next child, which has to be a node; its head follows in pieces, and then its number of children.
    fn open(&mut self) -> Frame {
        let (leaves, nodes) = (self.cursor.num_leaves_read(), self.cursor.num_nodes_read());
        if !self.cursor.find_node(&mut self.list) {
            self.error = Some(self.mismatch());
        }
        let [left, unit, same, start] = self.list.parts();
        Frame { start, unit, same, left, leaves, nodes, outer: 0 }
    }

    /// Steps over a piece of its head.
    fn pass_piece(&mut self, piece: &[u8]) -> bool {
        self.error.is_none() && self.cursor.take_bytes(piece)
    }

    /// Goes on with its children.
    #[inline]
    fn begin_children(&mut self, count: usize) -> bool {
        let Ok(children) = u32::try_from(count) else { return false };
        self.cursor.count_nodes(1);
        self.list = Siblings::new(children);
        true
    }

    fn enter<H: Heading>(&mut self, heading: &H) -> Result<Frame, Error> {
        let frame = self.open();
        let piece = |done| if done { Ok(()) } else { Err(()) };
        let done = heading.pieces(&mut |bytes| piece(self.pass_piece(bytes))).is_ok()
            && self.begin_children(heading.arity());
        self.answer(done).map(|()| frame)
    }

    /// Comes back from the children of a node.
    fn leave(&mut self, frame: &Frame) -> bool {
        if !self.cursor.close(&self.list) {
            return false;
        }
        let Frame { start, unit, same, left, leaves, nodes, .. } = *frame;
        self.list = Siblings::from_parts([left, unit, same, start]);
        self.passed(nodes, leaves);
        true
    }

    /// What went wrong.
    #[cold]
    const fn error(&self) -> Error {
        match self.error {
            Some(error) => error,
            None => self.mismatch(),
        }
    }

    const fn answer(&self, done: bool) -> Result<(), Error> {
        if done { Ok(()) } else { Err(self.error()) }
    }

    /// Notes what was passed since so many nodes and leaves were read.
    fn passed(&mut self, nodes: u32, leaves: u32) {
        self.last = Last {
            start: self.list.unit(),
            end: self.cursor.offset(),
            nodes: self.cursor.num_nodes_read().wrapping_sub(nodes),
            leaves: self.cursor.num_leaves_read().wrapping_sub(leaves),
        };
    }
}

impl Sink for Matcher<'_> {
    type Frame = Frame;

    #[inline]
    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        if count == 0 {
            return Ok(());
        }
        self.last = Last::LEAF;
        let done = self.pass_leaves(count);
        self.answer(done)
    }

    #[inline]
    fn none(&mut self) -> Result<(), Error> {
        self.fixed(Image { def: TreeDef::NONE, nodes: 1 })
    }

    #[inline]
    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Frame, Error> {
        heading.check()?;
        self.depth.enter()?;
        self.enter(heading)
    }

    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Frame>, Error> {
        heading.check()?;
        let frame = self.enter(heading)?;
        // Where the list outside is read to its end, and goes on nowhere else, nothing is left to do.
        if frame.left == 0 && frame.start == 0 {
            return Ok(None);
        }
        self.depth.enter()?;
        Ok(Some(frame))
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    #[inline]
    fn end(&mut self, frame: Frame) -> Result<(), Error> {
        self.depth.leave();
        let done = self.leave(&frame);
        self.answer(done)
    }

    #[inline]
    fn repeat(&mut self, count: usize) -> Result<(), Error> {
        let count = u32::try_from(count).map_err(|_| self.mismatch())?;
        let Last { start, end, nodes, leaves } = self.last;
        if end == 0 {
            return match self.cursor.take_leaves(&mut self.list, count) {
                true => Ok(()),
                false => Err(self.mismatch()),
            };
        }
        if self.cursor.take_copies(&mut self.list, start..end, (nodes, leaves), count) {
            return Ok(());
        }
        let unit = self.cursor.between(start..end);
        let inside = self.cursor.difference(&self.list, unit);
        Err(Error::Mismatch { node: self.cursor.num_nodes_read().saturating_add(inside) })
    }

    #[inline]
    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error> {
        let (nodes, leaves) = (self.cursor.num_nodes_read(), self.cursor.num_leaves_read());
        let matched = self.cursor.take_subtree(&mut self.list, image.def, image.nodes);
        if matched && image.def.is_leaf() {
            self.last = Last::LEAF;
            return Ok(());
        }
        if !matched {
            let inside = self.cursor.difference(&self.list, image.def);
            return Err(Error::Mismatch { node: nodes.saturating_add(inside) });
        }
        self.passed(nodes, leaves);
        Ok(())
    }
}
