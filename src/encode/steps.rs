//! The steps of a description that keeps what went wrong, for the code of this crate's containers and of derived types.
//!
//! They have no result that each caller would have to pass on. After the first error, the nodes that follow are not begun.
//!
//! Each step first tries the *usual case*: nothing goes wrong, heads and runs of leaves are short, and no sibling is equal.
//! It is all in one function that calls no other, so that it saves no registers: a call in a branch that is never taken
//! would cost 14 instructions for each step. In other cases the step is taken again from its beginning, *slowly*, by the
//! functions that handle every case and note errors. On Cortex-M, where code is worth more, these take all steps.

use crate::base::error::Error;
use crate::encode::describe::{Describe, Opened};
use crate::encode::encoder::Encode;
use crate::encode::output::Unit;
use crate::format::head::{self, Head};
use crate::format::heading::{HeadSpec, Known, KnownHead};
use crate::treedef::treedef::TreeDef;

/// The largest number of leaves that the usual case of [`Describe::node_of_leaves`] has. Their run is one byte.
const MOST_LEAVES: u32 = head::ESCAPE as u32;

/// A node that was begun.
pub struct Begun<E: Encode>(Opened<E>);

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
        if E::TRIES && H::__KNOWN {
            match self.try_begin(&KnownHead::of(head)?) {
                Some(node) => Some(Begun(node)),
                None => self.begin_slowly(head),
            }
        } else {
            self.begin_any(head)
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_slowly<H: HeadSpec>(&mut self, head: &H) -> Option<Begun<E>> {
        self.begin_known(&KnownHead::of(head)?)
    }

    #[inline(never)]
    fn begin_known(&mut self, head: &KnownHead<'_>) -> Option<Begun<E>> {
        self.begin_any(head)
    }

    #[inline]
    fn begin_any<H: HeadSpec>(&mut self, head: &H) -> Option<Begun<E>> {
        match self.failed {
            None => self.begin_node(head).map(Begun),
            Some(_) => None,
        }
    }

    /// Ends a node that [`Describe::begin_in`] began.
    #[doc(hidden)]
    #[inline(never)]
    pub fn end_in(&mut self, node: &Begun<E>) {
        if !E::TRIES {
            self.end_any(node);
        } else if self.failed.is_some() || !self.try_end(&node.0) {
            self.end_slowly(node);
        }
    }

    #[cold]
    #[inline(never)]
    fn end_slowly(&mut self, node: &Begun<E>) {
        self.end_any(node);
    }

    #[inline]
    fn end_any(&mut self, Begun(node): &Begun<E>) {
        if self.failed.is_none() {
            self.depth.leave();
            let _ = self.close(node);
        }
    }

    /// As [`Describe::leaves`] of one leaf.
    #[doc(hidden)]
    #[inline(never)]
    pub fn leaf_in(&mut self) {
        match (self.left.checked_sub(1), self.leaves.checked_add(1)) {
            (Some(left), Some(leaves)) => {
                (self.left, self.leaves, self.unit) = (left, leaves, Unit::LEAF);
            }
            _ => self.no_leaf(),
        }
    }

    #[cold]
    #[inline(never)]
    fn no_leaf(&mut self) {
        self.note(match self.left {
            0 => Error::Arity { expected: 0, found: 1 },
            _ => Error::TooLarge,
        });
    }

    /// As [`Describe::none`].
    #[inline(never)]
    pub(crate) fn none_in(&mut self) {
        if !E::TRIES {
            self.leaf_node(&Head::NONE);
        } else if self.try_node_of_leaves(&KnownHead::NONE).is_none() {
            self.none_slowly();
        }
    }

    #[cold]
    #[inline(never)]
    fn none_slowly(&mut self) {
        self.leaf_node(&KnownHead::NONE);
    }

    /// Describes a node whose children are leaves, as [`Describe::node`] in fewer steps.
    #[inline(never)]
    pub(crate) fn node_of_leaves<H: HeadSpec>(&mut self, head: &H) {
        if E::TRIES && H::__KNOWN {
            if let Some(known) = KnownHead::of(head)
                && (self.depth.is_full() || self.try_node_of_leaves(&known).is_none())
            {
                self.node_of_leaves_slowly(head);
            }
        } else {
            self.any_node_of_leaves(head);
        }
    }

    #[cold]
    #[inline(never)]
    fn node_of_leaves_slowly<H: HeadSpec>(&mut self, head: &H) {
        if let Some(head) = KnownHead::of(head) {
            self.any_node_of_leaves(&head);
        }
    }

    #[inline]
    fn any_node_of_leaves<H: HeadSpec>(&mut self, head: &H) {
        match self.depth.enter() {
            Ok(()) => {
                self.depth.leave();
                self.leaf_node(head);
            }
            Err(error) => self.note(error),
        }
    }

    /// As [`Describe::repeat`].
    pub(crate) fn repeat_in(&mut self, count: usize) {
        let _ = self.repeat(count);
    }

    /// As [`Describe::subtree`].
    #[inline(never)]
    pub(crate) fn subtree_in(&mut self, def: &TreeDef<'_>) {
        let _ = self.add_subtree(*def, def.node_count());
    }

    /// Describes `count` children of one structure.
    #[inline(never)]
    pub(crate) fn copies_in(&mut self, def: &TreeDef<'_>, count: usize) {
        if let Some(copies) = count.checked_sub(1) {
            self.subtree_in(def);
            self.repeat_in(copies);
        }
    }

    /// Begins a node, in the usual case.
    ///
    /// The head is passed first, because the counts would otherwise be kept in registers meanwhile. If they do not allow
    /// the node, the slow step finds that before it looks at the head.
    #[inline(always)]
    fn try_begin(&mut self, head: &KnownHead<'_>) -> Option<Opened<E>> {
        if self.failed.is_some() {
            return None;
        }
        let children = u32::try_from(head.children).ok()?;
        let node = self.try_head(head)?;
        let left = self.left.checked_sub(1)?;
        self.depth.enter().ok()?;
        let (list, leaves) = (self.list, self.leaves);
        let branches = self.encode.branches().wrapping_sub(1);
        (self.left, self.unit) = (children, Unit::LEAF);
        self.list = E::list(leaves as usize);
        Some(Opened { node, list, left, leaves, branches })
    }

    /// Ends a node, in the usual case.
    #[inline(always)]
    fn try_end(&mut self, node: &Opened<E>) -> bool {
        let leaves = self.leaves as usize;
        if self.left != 0 || !self.encode.try_flush(&mut self.list, leaves) {
            return false;
        }
        let mut list = node.list;
        if !self.encode.try_close(&mut list, node.node, leaves) {
            return false;
        }
        self.depth.leave();
        let leaves = self.leaves.wrapping_sub(node.leaves);
        let branches = self.encode.branches().wrapping_sub(node.branches);
        self.unit = Unit { leaves, branches };
        (self.list, self.left) = (list, node.left);
        true
    }

    /// Describes a node whose children are leaves, in the usual case. The head is first, as in [`Describe::try_begin`].
    #[inline(always)]
    fn try_node_of_leaves(&mut self, head: &KnownHead<'_>) -> Option<()> {
        let children = u32::try_from(head.children).ok().filter(|n| *n <= MOST_LEAVES)?;
        if self.leaves > u32::MAX - MOST_LEAVES {
            return None;
        }
        let node = self.try_head(head)?;
        self.left = self.left.checked_sub(1)?;
        let mut list = E::list(self.leaves as usize);
        self.leaves = self.leaves.wrapping_add(children);
        self.unit = Unit { leaves: children, branches: 1 };
        let leaves = self.leaves as usize;
        if !self.encode.try_flush(&mut list, leaves)
            || !self.encode.try_close(&mut self.list, node, leaves)
        {
            self.end_node_of_leaves(node, list);
        }
        Some(())
    }

    #[cold]
    #[inline(never)]
    fn end_node_of_leaves(&mut self, node: E::Node, mut list: E::List) {
        let leaves = self.leaves as usize;
        if !self.encode.flush(&mut list, leaves) || !self.encode.close(&mut self.list, node, leaves)
        {
            let _ = self.fail_here::<()>();
        }
    }

    /// Passes the leaves before a node and its head, in the usual case.
    #[inline(always)]
    fn try_head(&mut self, head: &KnownHead<'_>) -> Option<E::Node> {
        if !self.encode.try_flush(&mut self.list, self.leaves as usize) {
            return None;
        }
        match head.known {
            Known::Bytes(bytes) => self.encode.try_head(&mut self.list, bytes),
            Known::Counted(kind, count) => {
                let count = u8::try_from(count).ok().filter(|n| *n < head::ESCAPE)?;
                self.encode.try_head(&mut self.list, &[kind << 5 | count])
            }
        }
    }
}
