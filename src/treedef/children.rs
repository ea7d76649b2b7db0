//! Iterates over the children of a node, which are parts of its bytes.

use core::iter::FusedIterator;

use crate::base::exact_size::exact_size;
use crate::base::show::debug_struct;
use crate::treedef::runs::Runs;
use crate::treedef::spot::Spot;
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
    runs: Runs<'a>,
    /// The number of leaves of the node.
    leaves: u32,
}

debug_struct!([] Children<'_> |own| { left: own.runs.left });

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
        let runs = Runs::of(self.as_bytes(), &self.head(), Spot::ROOT);
        Children { runs, leaves: self.leaf_count() }
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

    exact_size!(self => self.runs.left as usize);

    /// Passes over a run in one step, because a few bytes can be billions of children.
    fn nth(&mut self, n: usize) -> Option<TreeDef<'a>> {
        self.runs.seek(u32::try_from(n).unwrap_or(u32::MAX), Spot::END)?;
        // The last child ends with its parent, so the levels of a chain are not scanned for their ends.
        if self.runs.left == 1 {
            let leaves = self.leaves.saturating_sub(self.runs.spot.leaf);
            self.runs.take_last(leaves);
            return Some(TreeDef::trusted(self.runs.bytes, leaves));
        }
        let (leaves, _) = self.runs.size()?;
        let child = TreeDef::trusted(self.runs.bytes, leaves);
        self.runs.pass(1)?;
        Some(child)
    }
}

impl ExactSizeIterator for Children<'_> {}

impl FusedIterator for Children<'_> {}

impl<'a> Children<'a> {
    /// The number of leaves of the remaining children.
    pub(crate) const fn num_leaves(&self) -> usize {
        self.leaves.saturating_sub(self.runs.spot.leaf) as usize
    }
}
