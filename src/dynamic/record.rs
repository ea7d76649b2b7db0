//! Who listens to a walk over an object.
//!
//! As a [`Sink`](crate::Sink), but what a list of siblings needs stands in the frames of the walk, an event answers
//! with a flag, and what went wrong is kept: a flag stays in a register, where a [`Result`] of an [`Error`] is copied
//! from frame to frame at each level of a recursion.

use crate::base::error::Error;
use crate::encode::builder::tape::{Marks, Tape};
use crate::encode::measure::{List, Mark, Measure};
use crate::format::head;
use crate::format::heading::Heading;

/// Receives a structure node by node; `false` where [`Recorder::error`] says what went wrong, and then no more is told.
///
/// Leaves are not told one by one: an event behind leaves comes with their number from the first leaf of the tree on.
pub(crate) trait Recorder {
    /// Whether heads are listened to; else keys are neither checked nor counted, which is most of the work over a map.
    const HEADS: bool;

    /// What it has to know of the siblings before.
    type List;

    /// What it has to know of a node that was begun.
    type Node;

    /// Begins the children of a node, behind so many leaves.
    fn list(leaves: usize) -> Self::List;

    /// Ends a run of leaves, if there is one.
    fn flush(&mut self, list: &mut Self::List, leaves: usize) -> bool;

    /// Begins a node; its head follows.
    fn open(&mut self, list: &mut Self::List) -> Self::Node;

    /// A head that is a kind and a count.
    fn counted(&mut self, kind: u8, count: usize) -> bool;

    /// A piece of the head of the node that was begun.
    fn piece(&mut self, piece: &[u8]) -> bool;

    /// Checks the head of the node that was begun, if its bytes were written.
    #[inline]
    fn was_written<H: Heading>(&mut self, _: &H, _: &Self::Node) -> bool {
        true
    }

    /// Goes on behind the head.
    fn enter(&mut self);

    /// Ends a node.
    fn close(&mut self, list: &mut Self::List, node: Self::Node, leaves: usize) -> bool;

    /// Whether a copy of the node before can stand next, behind so many leaves; else it is to be told as a node.
    fn may_copy(&self, list: &mut Self::List, leaves: usize) -> bool;

    /// One more copy of the node before, which [`Recorder::may_copy`] allowed: it has leaves, and so many nodes that
    /// are no leaves.
    fn copy(&mut self, list: &mut Self::List, branches: u32, leaves: usize) -> bool;

    /// Notes what the teller found wrong.
    fn fail(&mut self, error: Error) -> bool;

    /// What went wrong behind so many leaves.
    fn error(&self, leaves: usize) -> Error;
}

impl Recorder for Tape<'_> {
    const HEADS: bool = true;

    type List = Marks;
    type Node = u32;

    #[inline]
    fn list(leaves: usize) -> Marks {
        Marks::new(leaves)
    }

    #[inline]
    fn flush(&mut self, list: &mut Marks, leaves: usize) -> bool {
        Tape::flush(self, list, leaves)
    }

    #[inline]
    fn open(&mut self, list: &mut Marks) -> u32 {
        Tape::open(self, list)
    }

    #[inline]
    fn counted(&mut self, kind: u8, count: usize) -> bool {
        self.put_head(kind, count)
    }

    #[inline]
    fn piece(&mut self, piece: &[u8]) -> bool {
        self.put(piece)
    }

    #[inline]
    fn was_written<H: Heading>(&mut self, heading: &H, start: &u32) -> bool {
        Tape::was_written(self, heading, *start as usize)
    }

    #[inline]
    fn enter(&mut self) {
        Tape::enter(self);
    }

    #[inline]
    fn close(&mut self, list: &mut Marks, start: u32, leaves: usize) -> bool {
        Tape::close(self, list, start, leaves)
    }

    #[inline]
    fn may_copy(&self, list: &mut Marks, leaves: usize) -> bool {
        Tape::may_copy(self, list, leaves)
    }

    #[inline]
    fn copy(&mut self, list: &mut Marks, branches: u32, leaves: usize) -> bool {
        Tape::copy(self, list, branches, leaves)
    }

    fn fail(&mut self, error: Error) -> bool {
        Tape::fail(self, error)
    }

    fn error(&self, leaves: usize) -> Error {
        Tape::error(self, leaves)
    }
}

impl Recorder for Measure {
    const HEADS: bool = true;

    type List = (usize, List);
    type Node = Mark;

    fn list(leaves: usize) -> (usize, List) {
        (leaves, List::default())
    }

    fn flush(&mut self, (told, list): &mut (usize, List), leaves: usize) -> bool {
        let count = leaves.wrapping_sub(*told);
        *told = leaves;
        if count > 0 {
            let Ok(run) = u32::try_from(count) else { return self.fail(Error::TooLarge) };
            *list = List::default();
            self.put_head(head::LEAVES, run.wrapping_sub(1));
        }
        true
    }

    fn open(&mut self, _: &mut (usize, List)) -> Mark {
        self.mark()
    }

    fn counted(&mut self, kind: u8, count: usize) -> bool {
        let Ok(count) = u32::try_from(count) else { return self.fail(Error::TooLarge) };
        self.put_head(kind, count);
        true
    }

    fn piece(&mut self, piece: &[u8]) -> bool {
        self.put(piece);
        true
    }

    fn enter(&mut self) {
        self.add_nodes(1);
    }

    fn close(&mut self, (told, list): &mut (usize, List), start: Mark, leaves: usize) -> bool {
        let own = leaves.wrapping_sub(*told);
        *told = leaves;
        let Ok(own) = u32::try_from(own) else { return self.fail(Error::TooLarge) };
        self.end(list, start, own);
        true
    }

    fn may_copy(&self, (told, list): &mut (usize, List), leaves: usize) -> bool {
        *told == leaves && list.can_repeat()
    }

    fn copy(&mut self, (told, list): &mut (usize, List), branches: u32, leaves: usize) -> bool {
        *told = leaves;
        self.put_copies(list, 1);
        self.add_nodes(branches);
        true
    }

    fn fail(&mut self, error: Error) -> bool {
        self.note(error)
    }

    fn error(&self, _: usize) -> Error {
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
    const HEADS: bool = false;

    type List = ();
    type Node = ();

    fn list(_: usize) {}

    fn flush(&mut self, (): &mut (), _: usize) -> bool {
        true
    }

    fn open(&mut self, (): &mut ()) {}

    fn counted(&mut self, _: u8, _: usize) -> bool {
        true
    }

    fn piece(&mut self, _: &[u8]) -> bool {
        true
    }

    fn enter(&mut self) {}

    fn close(&mut self, (): &mut (), (): (), _: usize) -> bool {
        true
    }

    fn may_copy(&self, (): &mut (), _: usize) -> bool {
        false
    }

    fn copy(&mut self, (): &mut (), _: u32, _: usize) -> bool {
        true
    }

    fn fail(&mut self, error: Error) -> bool {
        self.0 = error;
        false
    }

    fn error(&self, _: usize) -> Error {
        self.0
    }
}
