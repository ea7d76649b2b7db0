//! Keeps the first error of a writer. After it the writer ignores what follows.

use super::bytes::Mode;
use super::{Children, OpenNode, Writer};
use crate::base::error::Error;
use crate::format::head;

impl Writer<'_> {
    /// Keeps `error`, if it is the first one: for a value that has no valid structure.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, Writer};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// out.fail(Error::TooLarge);
    /// out.leaves(1);
    /// assert_eq!(out.finish(), Err(Error::TooLarge));
    /// ```
    #[cold]
    #[inline(never)]
    pub const fn fail(&mut self, error: Error) {
        // More leaves than expected are an error before this one.
        let excess = self.excess(self.sum.leaves.wrapping_sub(self.run_start));
        self.note(if excess > 0 { self.mismatch(excess) } else { error });
    }

    /// As [`Writer::fail`], in the place of a node.
    #[cold]
    pub(crate) const fn fail_node(&mut self, error: Error) -> OpenNode {
        self.fail(error);
        OpenNode::NONE
    }

    /// The first error.
    pub(crate) const fn outcome(&self) -> Result<(), Error> {
        match self.error {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// How many leaves of a run are not expected at the position.
    const fn excess(&self, run: u32) -> u32 {
        if !self.bytes.compares() || run == 0 {
            return 0;
        }
        run.saturating_sub(self.bytes.count_at(head::LEAVES).0)
    }

    /// The error at a node that is not the expected one, before the last `excess` leaves.
    const fn mismatch(&self, excess: u32) -> Error {
        let node = self.num_nodes();
        Error::Mismatch { node: node.wrapping_sub(excess) }
    }

    /// Notes that a run of leaves was refused.
    #[cold]
    #[inline(never)]
    pub(super) const fn refuse_run(&mut self, run: u32) {
        let error = match &self.bytes.mode {
            Mode::Write(bytes) => Error::Full { room: bytes.len() },
            _ => self.mismatch(self.excess(run)),
        };
        self.note(error);
    }

    /// Notes that bytes were refused.
    #[cold]
    #[inline(never)]
    pub(super) const fn refuse(&mut self) {
        self.refuse_run(0);
    }

    /// Notes an error, if it is the first one.
    const fn note(&mut self, error: Error) {
        if self.error.is_none() {
            self.error = Some(error);
        }
        (self.children, self.levels) = (Children::new(0, 0), 0);
    }

    /// Notes that children are missing, or if none are, the end of a node inside. The innermost open node has `children`,
    /// or [`Writer::ANY_ARITY`].
    #[cold]
    #[inline(never)]
    pub(super) const fn missing(&mut self, children: usize) {
        let left = self.children.left as usize;
        let (expected, found) = match (children, left) {
            (0, 0) => (1, 0),
            (0, left) => (left, 0),
            _ => (children, children.saturating_sub(left)),
        };
        self.fail(Error::Arity { expected, found });
    }

    /// Notes that there are more children than are missing, or more leaves than can be counted.
    #[cold]
    #[inline(never)]
    pub(super) const fn too_many(&mut self, found: usize) {
        let expected = self.children.left as usize;
        self.fail(if found > expected {
            Error::Arity { expected, found }
        } else {
            Error::TooLarge
        });
    }
}
