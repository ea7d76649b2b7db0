//! What a tree tells about its structure, and who listens.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::builder::{Builder, Frame};
use crate::format::heading::Heading;
use crate::treedef::mismatch::nodes_in_common;
use crate::treedef::treedef::TreeDef;

/// The depth that typed and dynamic trees may have where the caller gives no bound of its own; equal on every machine.
///
/// Nested types count as well as nested values, and only a recursive type can reach it without being written so. What
/// has which bound, and how to raise it: the module [`depth`](mod@crate::depth).
pub const MAX_DEPTH: u32 = 64;

/// Receives a structure node by node, in preorder.
///
/// A tree describes itself once, in [`Structure::describe`](crate::Structure::describe); whether its structure is then
/// written, bounded in length or compared with an expected one is the sink's affair.
pub trait Sink {
    /// What stands between the beginning and the end of a node.
    type Frame;

    /// So many leaves, one after the other.
    ///
    /// # Errors
    ///
    /// As the sink has them; a [`Builder`] has [`Error::Arity`] and [`Error::TooLarge`].
    fn leaves(&mut self, count: usize) -> Result<(), Error>;

    /// A `None`.
    ///
    /// # Errors
    ///
    /// As the sink has them.
    fn none(&mut self) -> Result<(), Error>;

    /// Begins a node; its children follow, then [`Sink::end`].
    ///
    /// # Errors
    ///
    /// As the sink has them; all have [`Error::TooDeep`].
    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Self::Frame, Error>;

    /// Begins the last child of a node where nothing is left to do at its end: then there is no frame, the end of the
    /// node outside is its end as well, and it counts as no level. Where a frame is given it is as from
    /// [`Sink::begin`].
    ///
    /// Only for describers that hold their levels themselves; chains of any depth then take none.
    ///
    /// # Errors
    ///
    /// As [`Sink::begin`].
    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Self::Frame>, Error> {
        self.begin(heading).map(Some)
    }

    /// Allows so many levels from here on, if they are more than are allowed already.
    ///
    /// For describers that hold their levels themselves, and so do not need the sink to bound their recursion.
    fn allow(&mut self, levels: u32);

    /// Ends the node that gave `frame`.
    ///
    /// # Errors
    ///
    /// As the sink has them, such as [`Error::Arity`].
    fn end(&mut self, frame: Self::Frame) -> Result<(), Error>;

    /// A node; `children` describes its children to the same sink.
    ///
    /// `?` is written out, so that unoptimised programs keep the frames small that recursion holds.
    ///
    /// # Errors
    ///
    /// As [`Sink::begin`] and [`Sink::end`], and those of `children`.
    #[inline]
    #[expect(clippy::question_mark, reason = "written out, it holds less stack")]
    fn node<H: Heading>(
        &mut self,
        heading: &H,
        children: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let frame = match self.begin(heading) {
            Ok(frame) => frame,
            Err(error) => return Err(error),
        };
        match children(self) {
            Ok(()) => self.end(frame),
            Err(error) => Err(error),
        }
    }

    /// So many more copies of the child described last.
    ///
    /// # Errors
    ///
    /// As the sink has them.
    fn repeat(&mut self, count: usize) -> Result<(), Error>;

    /// A child whose structure is known as a whole.
    ///
    /// # Errors
    ///
    /// As the sink has them.
    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error>;
}

/// A treedef and its number of nodes.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    pub(crate) def: TreeDef<'a>,
    pub(crate) nodes: u32,
}

debug_struct!([] Image<'_> { def, nodes });

impl<'a> Image<'a> {
    /// Takes the number of nodes from `def`, which counts them if it does not know them.
    pub const fn new(def: TreeDef<'a>) -> Self {
        Self { def, nodes: def.node_count() }
    }

    /// The treedef.
    pub const fn treedef(&self) -> TreeDef<'a> {
        self.def
    }
}

/// Counts open levels against a bound, so that no input overflows the stack.
#[derive(Clone, Copy)]
pub struct Depth {
    open: u32,
    limit: u32,
    nodes: u32,
}

debug_struct!([] Depth { open, limit });

impl Depth {
    /// Allows `limit` levels.
    pub const fn new(limit: u32) -> Self {
        Self { open: 0, limit, nodes: 0 }
    }

    /// Goes one level down.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] where the bound is reached.
    #[inline]
    pub const fn enter(&mut self) -> Result<(), Error> {
        if self.open >= self.limit {
            return Err(Error::TooDeep { limit: self.limit });
        }
        self.open = self.open.wrapping_add(1);
        Ok(())
    }

    /// Allows `levels` levels from here on, if they are more than are allowed already.
    pub const fn allow(&mut self, levels: u32) {
        let limit = self.open.saturating_add(levels);
        if limit > self.limit {
            self.limit = limit;
        }
    }

    /// Counts a node that was passed, for [`Depth::mismatch`].
    #[inline]
    pub const fn pass(&mut self) {
        self.nodes = self.nodes.wrapping_add(1);
    }

    /// The error that the node to be passed next is not the expected one.
    #[inline]
    pub const fn mismatch(&self) -> Error {
        Error::Mismatch { node: self.nodes }
    }

    /// Comes back one level.
    #[inline]
    pub const fn leave(&mut self) {
        self.open = self.open.saturating_sub(1);
    }
}

impl Default for Depth {
    /// Allows [`MAX_DEPTH`] levels.
    fn default() -> Self {
        Self::new(MAX_DEPTH)
    }
}

/// Of two nodes, how many of the first are those of the second, before one that is not.
type InCommon = fn(&[u8], &[u8]) -> u32;

/// A [`Builder`] that a tree describes itself to, to be written or to be compared.
#[derive(Debug)]
pub(crate) struct Writer<'b> {
    pub(crate) builder: Builder<'b>,
    depth: Depth,
    /// Where a treedef is expected, [`nodes_in_common`]: a program that only writes does not hold it.
    in_common: Option<InCommon>,
    /// The first error that was told: a description that goes on behind it fits no treedef.
    failed: Option<Error>,
}

impl<'b> Writer<'b> {
    /// Starts to write at the front of `bytes`.
    pub(crate) const fn new(bytes: &'b mut [u8], limit: u32) -> Self {
        Self::onto(Builder::new(bytes), limit)
    }

    const fn onto(builder: Builder<'b>, limit: u32) -> Self {
        Self { builder, depth: Depth::new(limit), in_common: None, failed: None }
    }

    /// Starts to compare with `def`.
    pub(crate) const fn expected(def: TreeDef<'b>, limit: u32) -> Self {
        let mut writer = Self::onto(Builder::expected(def), limit);
        writer.in_common = Some(nodes_in_common);
        writer
    }

    /// Whether the expected treedef is what a tree described, which it did with this result.
    pub(crate) fn compared(mut self, described: Result<(), Error>) -> Result<(), Error> {
        match (described, self.failed) {
            (Ok(()), None) => self.builder.finish().map(|_| ()),
            (Ok(()), Some(error)) => Err(error),
            (Err(error), _) => Err(self.builder.error_behind_leaves(error)),
        }
    }

    /// Notes what went wrong.
    #[cold]
    fn fail(&mut self, error: Error) -> Error {
        self.failed.get_or_insert(error);
        error
    }

    /// How many nodes of one that was told as a whole, with these bytes, are the expected ones, if it is not.
    #[cold]
    #[inline(never)]
    fn expected_inside(&self, told: &[u8]) -> u32 {
        match (self.in_common, self.builder.unexpected()) {
            (Some(in_common), Some(bytes)) => in_common(bytes, told),
            _ => 0,
        }
    }

    /// What went wrong in a node that was told as a whole, of which so many nodes are the expected ones.
    #[cold]
    fn error_behind(&mut self, nodes: u32) -> Error {
        let error = match self.builder.error() {
            Error::Mismatch { node } => Error::Mismatch { node: node.wrapping_add(nodes) },
            error => error,
        };
        self.fail(error)
    }
}

impl Sink for Writer<'_> {
    type Frame = Frame;

    #[inline]
    fn leaves(&mut self, count: usize) -> Result<(), Error> {
        self.builder.leaves(count)
    }

    #[inline]
    fn none(&mut self) -> Result<(), Error> {
        self.builder.none().map_err(|error| self.fail(error))
    }

    #[inline]
    fn begin<H: Heading>(&mut self, heading: &H) -> Result<Frame, Error> {
        self.depth.enter()?;
        self.builder.begin(heading).map_err(|error| self.fail(error))
    }

    #[inline]
    fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<Option<Frame>, Error> {
        match self.builder.begin_last(heading) {
            Ok(true) => Ok(None),
            Ok(false) => self.begin(heading).map(Some),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn allow(&mut self, levels: u32) {
        self.depth.allow(levels);
    }

    #[inline]
    fn end(&mut self, frame: Frame) -> Result<(), Error> {
        self.depth.leave();
        self.builder.end(frame).map_err(|error| self.fail(error))
    }

    #[inline]
    fn repeat(&mut self, count: usize) -> Result<(), Error> {
        if self.builder.add_copies(count) {
            return Ok(());
        }
        let inside = self.expected_inside(self.builder.last_node());
        Err(self.error_behind(inside))
    }

    #[inline]
    fn fixed(&mut self, image: Image<'_>) -> Result<(), Error> {
        if self.builder.add_subtree(image.def, image.nodes) {
            return Ok(());
        }
        let inside = self.expected_inside(image.def.as_bytes());
        Err(self.error_behind(inside))
    }
}
