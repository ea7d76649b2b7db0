//! The children of a node: parts of its bytes.

use core::iter::FusedIterator;

use crate::base::show::debug_struct;
use crate::format::head::{Item, read_item};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// The children of a node as treedefs, in order; see [`TreeDef::children`].
#[derive(Clone)]
pub struct Children<'a> {
    rest: &'a [u8],
    left: u32,
    leaves: u32,
    unit: TreeDef<'a>,
    copies: u32,
    /// Leaves of the children that are still to come.
    below: u32,
}

debug_struct!([] Children<'_> { left });

impl<'a> TreeDef<'a> {
    /// The children of the root, as `jax.tree_util.treedef_children`: sub-slices of the bytes.
    ///
    /// A child costs a scan of its bytes; copies of a repeated child share them and cost nothing, and the last child is
    /// what is left. `count` costs nothing, `nth` and `last` a scan of the children that are passed, with each run of
    /// equal children in one step: a few bytes can be a list of billions. There is no way back from the end, because
    /// where a child begins is known only from those before it.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::TreeDef;
    ///
    /// // [(*, *), (*, *), *]
    /// let def = TreeDef::from_bytes(&[0x43, 0x22, 0x01, 0xA0, 0x02, 0x00])?;
    /// let pair = TreeDef::from_bytes(&[0x22, 0x01])?;
    /// assert!(def.children().eq([pair, pair, TreeDef::LEAF]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn children(&self) -> Children<'a> {
        let head = self.head();
        let rest = self.as_bytes().get(head.as_bytes().len()..).unwrap_or(&[]);
        let (left, below) = (head.arity(), self.leaves());
        Children { rest, left, leaves: 0, unit: TreeDef::LEAF, copies: 0, below }
    }

    /// The child with this index, as optree's `PyTreeSpec.child`; `None` if there are fewer.
    pub fn child(&self, index: usize) -> Option<TreeDef<'a>> {
        self.children().nth(index)
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = TreeDef<'a>;

    fn next(&mut self) -> Option<TreeDef<'a>> {
        self.left = self.left.checked_sub(1)?;
        let child = self.child()?;
        self.below = self.below.saturating_sub(child.leaves());
        Some(child)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }

    /// Steps over runs and copies without going through them: a few bytes can stand for billions.
    fn nth(&mut self, mut n: usize) -> Option<TreeDef<'a>> {
        if n >= self.left as usize {
            self.left = 0;
            return None;
        }
        loop {
            let next = self.next()?;
            let Some(more) = n.checked_sub(1) else { return Some(next) };
            n = more;
            let (same, each) = match self.leaves {
                0 => (&mut self.copies, self.unit.leaves()),
                _ => (&mut self.leaves, 1),
            };
            let some = (*same).min(u32::try_from(n).unwrap_or(u32::MAX));
            *same = same.wrapping_sub(some);
            self.left = self.left.saturating_sub(some);
            self.below = self.below.saturating_sub(each.saturating_mul(some));
            n = n.saturating_sub(some as usize);
        }
    }

    fn count(self) -> usize {
        self.left as usize
    }

    fn last(mut self) -> Option<TreeDef<'a>> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl ExactSizeIterator for Children<'_> {}

impl FusedIterator for Children<'_> {}

impl<'a> Children<'a> {
    /// The number of leaves of the children that are still to come.
    pub(crate) const fn num_leaves(&self) -> usize {
        self.below as usize
    }

    /// The child that is next; it is taken from `left` already.
    fn child(&mut self) -> Option<TreeDef<'a>> {
        if let Some(leaves) = self.leaves.checked_sub(1) {
            self.leaves = leaves;
            return Some(TreeDef::LEAF);
        }
        if let Some(copies) = self.copies.checked_sub(1) {
            self.copies = copies;
            return Some(self.unit);
        }
        match read_item(self.rest).ok()? {
            (Item::Leaves(count), rest) => {
                self.rest = rest;
                self.leaves = count.checked_sub(1)?;
                Some(TreeDef::LEAF)
            }
            (Item::Same { copies, .. }, rest) => {
                self.rest = rest;
                self.copies = copies.checked_sub(1)?;
                Some(self.unit)
            }
            // A chain is read once, not once a level.
            (Item::Node(_), _) if self.left == 0 => Some(TreeDef::trusted(self.rest, self.below)),
            (Item::Node(_), _) => {
                let node = skip(self.rest)?;
                let bytes = self.rest.get(..self.rest.len().checked_sub(node.rest.len())?)?;
                self.unit = TreeDef::trusted(bytes, node.leaves);
                self.rest = node.rest;
                Some(self.unit)
            }
        }
    }
}
