//! Compares a structure with an expected treedef while it is described, writing nothing.

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
        }
    }

    /// Sees that the whole treedef was described.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.list.left() == 0 { Ok(()) } else { Err(self.mismatch()) }
    }

    const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.cursor.num_nodes_read() }
    }

    /// Steps over the head of `heading` and goes on with its children.
    #[inline]
    fn enter<H: Heading>(&mut self, heading: &H) -> Result<Outer, Error> {
        let (nodes, leaves) = (self.cursor.num_nodes_read(), self.cursor.num_leaves_read());
        let here = self.mismatch();
        self.cursor.take_head(&mut self.list, heading).ok_or(here)?;
        let children = u32::try_from(heading.arity()).map_err(|_| here)?;
        let list = core::mem::replace(&mut self.list, Siblings::new(children));
        Ok(Outer { list, nodes, leaves })
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

/// What is kept of the list outside while children are compared: it and what was read before.
#[derive(Debug)]
pub(crate) struct Outer {
    list: Siblings,
    nodes: u32,
    leaves: u32,
}

impl Sink for Matcher<'_> {
    type Frame = Outer;

    #[inline]
    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let count = u32::try_from(count).map_err(|_| self.mismatch())?;
        if count == 0 {
            return Ok(());
        }
        self.last = Last::LEAF;
        if self.cursor.take_leaves(&mut self.list, count) { Ok(()) } else { Err(self.mismatch()) }
    }

    #[inline]
    fn none(&mut self) -> Result<(), Error> {
        self.fixed(Image { def: TreeDef::NONE, nodes: 1 })
    }

    #[inline]
    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Outer, Error> {
        heading.check()?;
        self.depth.enter()?;
        self.enter(heading)
    }

    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Outer>, Error> {
        heading.check()?;
        let outer = self.enter(heading)?;
        if outer.list.is_done() {
            return Ok(None);
        }
        self.depth.enter()?;
        Ok(Some(outer))
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    #[inline]
    fn end(&mut self, outer: Outer) -> Result<(), Error> {
        if !self.cursor.close(&self.list) {
            return Err(self.mismatch());
        }
        self.list = outer.list;
        self.depth.leave();
        self.passed(outer.nodes, outer.leaves);
        Ok(())
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
