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
        if SMALL_CODE {
            return self.end_at(&node.place, self.num_leaves(), children);
        }
        if let Some(has_run) = self.count_entered(&node.place, self.num_leaves(), children) {
            self.close_counted(&node.place, has_run);
        }
    }

    /// Ends the node that begins at `place`, and whose last leaf has number `leaves`. If it was not entered, its `children` should all
    /// be leaves; if they are not, it is entered now, which finds out what is wrong.
    #[inline(never)]
    pub(crate) const fn end_at(&mut self, place: &NodeStart, leaves: usize, children: usize) {
        // Small code ends both kinds of nodes in one place.
        if !SMALL_CODE && self.children.open != Children::PUT {
            if let Some(has_run) = self.count_entered(place, leaves, children) {
                self.close_counted(place, has_run);
            }
            return;
        }
        let ends = match self.children.open {
            Children::PUT => self.count_unentered(leaves, children),
            _ => self.count_entered(place, leaves, children),
        };
        match ends {
            Some(has_run) => self.close_counted(place, has_run),
            None if self.children.open == Children::PUT => self.end_other(place, leaves, children),
            None => {}
        }
    }

    /// Counts a node that was not entered, and returns whether it ends with leaves; `None` if its `children` are not the leaves
    /// up to number `leaves`.
    #[inline(always)]
    const fn count_unentered(&mut self, leaves: usize, children: usize) -> Option<bool> {
        match (self.run_start as usize).checked_add(children) {
            Some(sum) if sum == leaves && sum <= u32::MAX as usize => {}
            _ => return None,
        }
        self.sum.leaves = small(leaves);
        self.sum.branches = self.sum.branches.wrapping_add(1);
        self.before = Counts { leaves: small(children), branches: 1 };
        Some(children > 0)
    }

    /// Counts a node that was entered, and returns whether it ends with leaves; `None` after an error.
    #[inline(always)]
    const fn count_entered(
        &mut self,
        place: &NodeStart,
        leaves: usize,
        children: usize,
    ) -> Option<bool> {
        let has_run = self.run_start as usize != leaves;
        if has_run && !self.count_to(leaves) {
            return None;
        }
        // After an error there is no open node.
        if self.children.left != 0 || self.children.open == 0 {
            self.missing(children);
            return None;
        }
        self.levels = self.levels.wrapping_add(1);
        self.before = Counts {
            leaves: self.sum.leaves.wrapping_sub(place.leaves),
            branches: self.sum.branches.wrapping_sub(self.children.open).wrapping_add(1),
        };
        Some(has_run)
    }

    /// Ends a node that was counted.
    #[inline(always)]
    const fn close_counted(&mut self, place: &NodeStart, has_run: bool) {
        if !has_run || self.put_run() || SMALL_CODE && self.end_long_run() {
            self.close(place);
        } else if !SMALL_CODE {
            self.close_after_run(place);
        }
    }

    /// As [`Writer::close`], after a run of leaves that is long, or that is refused.
    #[cold]
    #[inline(never)]
    const fn close_after_run(&mut self, place: &NodeStart) {
        if self.end_long_run() {
            self.close(place);
        }
    }

    /// As [`Writer::end_at`], for a node that was not entered, and whose leaves are not its children.
    #[cold]
    #[inline(never)]
    const fn end_other(&mut self, place: &NodeStart, leaves: usize, children: usize) {
        if self.enter(children) {
            self.end_at(place, leaves, children);
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
