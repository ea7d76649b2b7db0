//! Ends nodes, and the whole structure.

use super::{Children, Counts, NodeStart, OpenNode, Writer};
use crate::base::attempt::ok;
use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::format::validate::Sizes;
use crate::treedef::treedef::TreeDef;

impl<'b> Writer<'b> {
    /// Ends `node`, after its children. If it equals the sibling before it, it is stored as a repeat.
    ///
    /// # Errors
    ///
    /// It keeps [`Error::Arity`] if children of `node` are missing, or if `node` is not the innermost open node;
    /// [`Error::Full`], [`Error::Mismatch`], as [`Writer::begin`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, Writer};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let pair = out.begin_tuple(2);
    /// out.leaves(1);
    /// out.end(pair);
    /// assert_eq!(out.finish(), Err(Error::Arity { expected: 1, found: 0 }));
    /// ```
    #[inline]
    pub const fn end(&mut self, node: OpenNode) {
        self.end_with_arity(&node, Self::ANY_ARITY);
    }

    /// The arity of a node for a caller that does not know it: no child of a node without children can be missing.
    const ANY_ARITY: usize = 0;

    /// As [`Writer::end`]. If children are missing, the error says how many `children` there should be, unless that is
    /// [`Writer::ANY_ARITY`].
    #[inline(never)]
    pub(crate) const fn end_with_arity(&mut self, node: &OpenNode, children: usize) {
        let open = self.children.open;
        if open != node.open || open == 0 {
            return self.missing(Self::ANY_ARITY);
        }
        // Small code has the steps once, fast code has them here too.
        if SMALL_CODE {
            return self.end_at(&node.place, self.num_leaves(), children);
        }
        if self.count_entered(&node.place, self.num_leaves(), children) {
            self.close_counted(&node.place);
        }
    }

    /// Ends the node that begins at `place`, and whose last leaf has number `leaves`. If it was not entered, its `children` have to be
    /// the leaves up to that number.
    #[inline(never)]
    pub(crate) const fn end_at(&mut self, place: &NodeStart, leaves: usize, children: usize) {
        let is_counted = match self.children.open {
            Children::PUT => self.count_unentered(leaves, children),
            _ => self.count_entered(place, leaves, children),
        };
        if is_counted {
            self.close_counted(place);
        }
    }

    /// Counts a node that was not entered; `false` after an error.
    #[inline(always)]
    const fn count_unentered(&mut self, leaves: usize, children: usize) -> bool {
        match (self.run_start as usize).checked_add(children) {
            Some(sum) if sum == leaves && sum <= u32::MAX as usize => {}
            // Too few leaves, or too many: one of these keeps the error.
            _ => {
                if self.enter(children) && self.count_to(leaves) {
                    self.missing(children);
                }
                return false;
            }
        }
        self.sum.leaves = small(leaves);
        self.sum.branches = self.sum.branches.wrapping_add(1);
        self.before = Counts { leaves: small(children), branches: 1 };
        true
    }

    /// Counts a node that was entered; `false` after an error.
    #[inline(always)]
    const fn count_entered(&mut self, place: &NodeStart, leaves: usize, children: usize) -> bool {
        if self.run_start as usize != leaves && !self.count_to(leaves) {
            return false;
        }
        // After an error there is no open node.
        if self.children.left != 0 || self.children.open == 0 {
            self.missing(children);
            return false;
        }
        self.levels = self.levels.wrapping_add(1);
        self.before = Counts {
            leaves: self.sum.leaves.wrapping_sub(place.leaves),
            branches: self.sum.branches.wrapping_sub(self.children.open).wrapping_add(1),
        };
        true
    }

    /// Ends a node that was counted. If leaves are at its end, they are put first.
    #[inline(always)]
    const fn close_counted(&mut self, place: &NodeStart) {
        let has_run = self.run_start != self.sum.leaves;
        if !has_run || self.put_run() || SMALL_CODE && self.end_long_run() {
            self.close(place);
        } else if !SMALL_CODE {
            self.close_after_long_run(place);
        }
    }

    /// As [`Writer::close`], after a run of leaves that is long, or that is refused. A function of its own, so that the usual case
    /// saves no registers.
    #[cold]
    #[inline(never)]
    const fn close_after_long_run(&mut self, place: &NodeStart) {
        if self.end_long_run() {
            self.close(place);
        }
    }

    /// The complete treedef, or the first error.
    ///
    /// # Errors
    ///
    /// The first error that was kept; [`Error::Arity`] if the tree is not complete.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Error, Writer};
    ///
    /// let mut bytes = [0; 8];
    /// let mut out = Writer::new(&mut bytes);
    /// let pair = out.begin_tuple(2);
    /// out.leaves(2);
    /// out.end(pair);
    /// assert_eq!(out.finish()?.as_bytes(), [0x22, 0x01]);
    /// assert!(matches!(Writer::new(&mut bytes).finish(), Err(Error::Arity { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub const fn finish(mut self) -> Result<TreeDef<'b>, Error> {
        self.take()
    }

    /// As [`Writer::finish`], without a copy of the writer.
    pub(crate) const fn take(&mut self) -> Result<TreeDef<'b>, Error> {
        let nodes = ok!(self.complete());
        Ok(TreeDef::of_sizes(self.bytes.take(), (self.sum.leaves, nodes)))
    }

    /// As [`Writer::take`], for a caller that keeps the bytes: the number of bytes, and what [`TreeDef::sizes`] returns.
    pub(crate) const fn finish_sizes(&mut self) -> Result<Sizes, Error> {
        let def = ok!(self.take());
        Ok((def.as_bytes().len(), def.sizes()))
    }

    /// Ends the tree, and returns the number of its bytes, at most `u32::MAX`.
    pub(crate) const fn finish_len(&mut self) -> Result<usize, Error> {
        ok!(self.complete());
        let most = u32::MAX as usize;
        Ok(if self.bytes.at > most { most } else { self.bytes.at })
    }

    /// Ends the tree, and returns the number of its leaves.
    pub(crate) const fn finish_leaves(&mut self) -> Result<usize, Error> {
        ok!(self.complete());
        Ok(self.num_leaves())
    }

    /// Ends the tree, and returns the number of its nodes.
    const fn complete(&mut self) -> Result<u32, Error> {
        if self.children.left != 0 || self.children.open != 0 {
            self.missing(Self::ANY_ARITY);
        } else if self.run_start != self.sum.leaves {
            self.end_run();
        }
        // The nodes that are no leaves may have stopped at the largest number.
        match (self.error, self.sum.branches.checked_add(self.sum.leaves)) {
            (Some(error), _) => Err(error),
            (None, Some(nodes)) if self.sum.branches != u32::MAX => Ok(nodes),
            _ => Err(Error::TooLarge),
        }
    }
}
