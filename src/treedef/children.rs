//! Iterates over the children of a node, which are parts of its bytes.

use core::iter::FusedIterator;

use crate::base::show::debug_struct;
use crate::format::head::{Item, read_item};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// The children of a node as treedefs, in order; see [`TreeDef::children`].
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let def = treedef!([*, (*, *), *]);
/// assert_eq!(def.children().nth(1), Some(treedef!((*, *))));
/// assert_eq!(def.children().len(), 3);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Children<'a> {
    /// The bytes after the current run of equal neighbours.
    rest: &'a [u8],
    /// One child of the current run, and the number of its children to come.
    child: TreeDef<'a>,
    same: u32,
    /// The number of all children to come, and of their leaves.
    left: u32,
    leaves: u32,
}

debug_struct!([] Children<'_> { left });

impl<'a> TreeDef<'a> {
    /// The children of the root, as `jax.tree_util.treedef_children`: sub-slices of the bytes.
    ///
    /// A child costs a scan of its bytes. Copies of a repeated child share its bytes and cost nothing, and so does the
    /// last child. `count` costs nothing. `nth` and `last` scan the children that they pass over, each run of equal
    /// children in one step. The iterator is not double-ended, because a child is found only by the children before it.
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
    #[doc(alias("treedef_children", "is_one_level"))]
    pub fn children(&self) -> Children<'a> {
        let (head, leaves) = (self.head(), self.leaves());
        let rest = self.as_bytes().get(head.as_bytes().len()..).unwrap_or(&[]);
        Children { rest, child: TreeDef::LEAF, same: 0, left: head.arity(), leaves }
    }

    /// The child with this index, as optree's `PyTreeSpec.child`; `None` if there are fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// assert_eq!(treedef!([*, (*, None)]).child(1), Some(treedef!((*, None))));
    /// assert_eq!(treedef!([*, (*, None)]).child(2), None);
    /// ```
    #[must_use]
    pub fn child(&self, index: usize) -> Option<TreeDef<'a>> {
        self.children().nth(index)
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = TreeDef<'a>;

    fn next(&mut self) -> Option<TreeDef<'a>> {
        self.nth(0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }

    /// Passes over a run in one step, because a few bytes can be billions of children.
    fn nth(&mut self, mut n: usize) -> Option<TreeDef<'a>> {
        loop {
            let passed = self.same.min(u32::try_from(n).unwrap_or(u32::MAX));
            self.take(passed);
            n = n.saturating_sub(passed as usize);
            if self.same > 0 {
                self.take(1);
                return Some(self.child);
            }
            self.load()?;
        }
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<TreeDef<'a>> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl ExactSizeIterator for Children<'_> {}

impl FusedIterator for Children<'_> {}

impl<'a> Children<'a> {
    /// The number of leaves of the children to come.
    pub(crate) const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// Passes `count` children of the current run.
    fn take(&mut self, count: u32) {
        self.same = self.same.saturating_sub(count);
        self.left = self.left.saturating_sub(count);
        self.leaves = self.leaves.saturating_sub(self.child.leaves().saturating_mul(count));
    }

    /// Makes the next run the current one.
    fn load(&mut self) -> Option<()> {
        let (item, after) = read_item(self.rest)?;
        let (unit, mut rest) = (self.rest, after);
        match item {
            Item::Leaves(count) => (self.child, self.same) = (TreeDef::LEAF, count),
            // The current run is the child that is repeated.
            Item::Same { copies, .. } => self.same = copies,
            // The last child ends with its parent, so the levels of a chain are not scanned for their ends.
            Item::Node(_) if self.left == 1 => {
                (self.child, self.same, rest) = (TreeDef::trusted(unit, self.leaves), 1, &[]);
            }
            Item::Node(_) => {
                let node = skip(unit)?;
                (self.child, self.same) = (TreeDef::scanned(unit, &node), 1);
                rest = node.rest;
            }
        }
        self.rest = rest;
        Some(())
    }
}
