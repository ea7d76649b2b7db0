//! The steps of a description that keeps what went wrong, for the code of this crate's containers and of derived types.
//!
//! They have no result that each caller would have to pass on. After the first error, the nodes that follow are not begun.

use crate::base::error::Error;
use crate::encode::describe::{Describe, Opened};
use crate::encode::encoder::Encode;
use crate::format::head::Head;
use crate::format::heading::HeadSpec;
use crate::treedef::treedef::TreeDef;

/// A node that was begun, and the number of nodes that were open then.
pub struct Begun<E: Encode>(Opened<E>, u32);

impl<E: Encode> Describe<'_, E> {
    /// Keeps an error of the describer.
    #[cold]
    pub(crate) fn note(&mut self, error: Error) {
        let _ = self.fail::<()>(error);
    }

    /// The first error.
    #[doc(hidden)]
    pub const fn outcome(&self) -> Result<(), Error> {
        match self.failed {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Begins a node, unless something went wrong.
    #[doc(hidden)]
    #[inline(never)]
    pub fn begin_in<H: HeadSpec>(&mut self, head: &H) -> Option<Begun<E>> {
        if self.failed.is_some() {
            return None;
        }
        match self.begin(head) {
            Ok(node) => Some(Begun(node, self.depth.num_open())),
            Err(_) => None,
        }
    }

    /// Ends a node that [`Describe::begin_in`] began.
    #[doc(hidden)]
    #[inline(never)]
    pub fn end_in(&mut self, Begun(node, open): &Begun<E>) {
        if self.failed.is_some() {
            return;
        }
        let _ = match self.depth.num_open() == *open {
            true => {
                self.depth.leave();
                self.close(node)
            }
            // A node inside was begun and not ended, because its describer ignored its error.
            false => self.missing(),
        };
    }

    /// As [`Describe::leaves`] of one leaf.
    #[doc(hidden)]
    #[inline(never)]
    pub fn leaf_in(&mut self) {
        let _ = self.leaves(1);
    }

    /// As [`Describe::none`].
    #[inline(never)]
    pub(crate) fn none_in(&mut self) {
        let _ = self.leaf_node(&Head::NONE);
    }

    /// Describes a node whose children are leaves, as [`Describe::node`] in fewer steps.
    #[inline(never)]
    pub(crate) fn node_of_leaves<H: HeadSpec>(&mut self, head: &H) {
        let _ = match self.depth.enter() {
            Ok(()) => {
                self.depth.leave();
                self.leaf_node(head)
            }
            Err(error) => self.fail(error),
        };
    }

    /// As [`Describe::repeat`].
    pub(crate) fn repeat_in(&mut self, count: usize) {
        let _ = self.repeat(count);
    }

    /// As [`Describe::subtree`].
    #[doc(hidden)]
    #[inline(always)]
    pub fn subtree_in(&mut self, def: TreeDef<'_>) {
        self.add_subtree_in(def, def.node_count());
    }

    #[inline(never)]
    fn add_subtree_in(&mut self, def: TreeDef<'_>, nodes: u32) {
        let _ = self.add_subtree(def, nodes);
    }
}
