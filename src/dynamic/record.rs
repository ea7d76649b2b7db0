//! Who listens to a walk over an object.
//!
//! As a [`Sink`](crate::Sink), but an event answers with a flag and what went wrong is kept: a flag stays in a
//! register, where a [`Result`] of an [`Error`] is copied from frame to frame at each level of a recursion. And no
//! method is generic, so that one walk serves all who have the same frames: a program has its code once.

use crate::builder::{Builder, Frame};
use crate::error::Error;
use crate::matcher::Matcher;
use crate::measure::{Measure, Outer};

/// Receives a structure node by node; `false` where [`Recorder::error`] says what went wrong, and then no more is told.
pub(crate) trait Recorder {
    /// What stands between the beginning and the end of a node.
    type Frame;

    /// So many leaves, at least one.
    fn leaves(&mut self, count: usize) -> bool;

    /// Begins a node; its head follows.
    fn open(&mut self) -> Self::Frame;

    /// A piece of the head of the node that was begun.
    fn piece(&mut self, piece: &[u8]) -> bool;

    /// Goes on with so many children, which follow.
    fn enter(&mut self, children: usize) -> bool;

    /// Ends the node with this frame.
    fn end(&mut self, frame: &Self::Frame) -> bool;

    /// Whether a copy of the node that has just ended can stand next; else it is to be told as a node.
    fn may_copy(&mut self) -> bool;

    /// One more copy of the node that has just ended, which [`Recorder::may_copy`].
    fn copy(&mut self) -> bool;

    /// Notes what the teller found wrong.
    fn fail(&mut self, error: Error) -> bool;

    /// What went wrong.
    fn error(&self) -> Error;
}

/// Whether a recorder is told the heads of nodes. Apart from [`Recorder`], of which there can be objects.
pub(crate) trait Hears {
    /// Else keys are neither checked nor counted, which is most of the work over a map.
    const HEADS: bool;
}

impl Hears for dyn Recorder<Frame = Frame> + '_ {
    const HEADS: bool = true;
}

impl Hears for Measure {
    const HEADS: bool = true;
}

impl Hears for Nobody {
    const HEADS: bool = false;
}

impl Recorder for Builder<'_> {
    type Frame = Frame;

    fn leaves(&mut self, count: usize) -> bool {
        self.add_leaves(count)
    }

    fn open(&mut self) -> Frame {
        Builder::open(self)
    }

    fn piece(&mut self, piece: &[u8]) -> bool {
        self.put_piece(piece)
    }

    fn enter(&mut self, children: usize) -> bool {
        Builder::enter(self, children)
    }

    fn end(&mut self, frame: &Frame) -> bool {
        self.close(frame)
    }

    fn may_copy(&mut self) -> bool {
        Builder::may_copy(self)
    }

    fn copy(&mut self) -> bool {
        Builder::copy(self, 1)
    }

    fn fail(&mut self, error: Error) -> bool {
        Builder::fail(self, error)
    }

    fn error(&self) -> Error {
        Builder::error(self)
    }
}

impl Recorder for Matcher<'_> {
    type Frame = Frame;

    fn leaves(&mut self, count: usize) -> bool {
        self.pass_leaves(count)
    }

    fn open(&mut self) -> Frame {
        Matcher::open(self)
    }

    fn piece(&mut self, piece: &[u8]) -> bool {
        self.pass_piece(piece)
    }

    fn enter(&mut self, children: usize) -> bool {
        self.begin_children(children)
    }

    fn end(&mut self, frame: &Frame) -> bool {
        self.leave(frame)
    }

    fn may_copy(&mut self) -> bool {
        self.sees_copy()
    }

    fn copy(&mut self) -> bool {
        self.pass_copy();
        true
    }

    fn fail(&mut self, error: Error) -> bool {
        Matcher::fail(self, error)
    }

    fn error(&self) -> Error {
        Matcher::error(self)
    }
}

impl Recorder for Measure {
    type Frame = Outer;

    fn leaves(&mut self, count: usize) -> bool {
        let added = self.add_leaves(count);
        self.keep(added)
    }

    fn open(&mut self) -> Outer {
        self.outer()
    }

    fn piece(&mut self, piece: &[u8]) -> bool {
        self.put(piece);
        true
    }

    fn enter(&mut self, _: usize) -> bool {
        let entered = self.begin_children();
        self.keep(entered)
    }

    fn end(&mut self, outer: &Outer) -> bool {
        self.close(*outer);
        true
    }

    fn may_copy(&mut self) -> bool {
        self.can_repeat()
    }

    fn copy(&mut self) -> bool {
        let added = self.add_copies(1);
        self.keep(added)
    }

    fn fail(&mut self, error: Error) -> bool {
        self.keep(Err(error))
    }

    fn error(&self) -> Error {
        self.error
    }
}

/// Nobody listens: the walk is for its leaves.
pub(crate) struct Nobody(Error);

impl Nobody {
    pub(crate) const fn new() -> Self {
        Self(Error::TooLarge)
    }
}

impl Recorder for Nobody {
    type Frame = ();

    fn leaves(&mut self, _: usize) -> bool {
        true
    }

    fn open(&mut self) {}

    fn piece(&mut self, _: &[u8]) -> bool {
        true
    }

    fn enter(&mut self, _: usize) -> bool {
        true
    }

    fn end(&mut self, (): &()) -> bool {
        true
    }

    fn may_copy(&mut self) -> bool {
        false
    }

    fn copy(&mut self) -> bool {
        true
    }

    fn fail(&mut self, error: Error) -> bool {
        self.0 = error;
        false
    }

    fn error(&self) -> Error {
        self.0
    }
}
