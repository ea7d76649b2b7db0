//! Counts the nodes of a walk over trees of one type and another tree: one with leaves of another type, or a prefix.
//! That tree is called the *partner* here.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::depth::Depth;
use crate::tree::lanes::Lanes;

/// The progress of a [`ZipPrefix::zip_lanes`](crate::tree::ZipPrefix::zip_lanes): nodes and levels, and whether the
/// partner, the tree that is walked with the others, may be a prefix. The guide to
/// [`containers`](crate::guide::containers) has an example.
#[derive(Clone, Copy)]
pub struct Pairing {
    /// Levels, and nodes of the trees.
    depth: Depth,
    /// Nodes of the partner.
    nodes: u32,
    /// Whether the partner is a prefix: whether one of its leaves can belong to a whole subtree.
    prefix: bool,
}

debug_struct!([] Pairing { depth, nodes, prefix });

impl Pairing {
    /// Starts before the roots. `prefix` says whether the partner is a prefix.
    pub(crate) fn new(prefix: bool) -> Self {
        Self { depth: Depth::default(), nodes: 0, prefix }
    }

    /// The levels and nodes of the trees. The guide to [`containers`](crate::guide::containers) has an example.
    #[inline]
    pub const fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }

    /// Counts a node that all trees have.
    /// The guide to [`containers`](crate::guide::containers) has an example.
    #[inline]
    pub fn count_node<L: Lanes>(&mut self) {
        self.nodes = self.nodes.wrapping_add(1);
        L::count_nodes(&mut self.depth, 1);
    }

    /// Counts a node of the partner, if `node`: those of the trees are counted elsewhere.
    #[inline]
    pub(crate) const fn count_partner_if(&mut self, node: bool) {
        self.nodes = self.nodes.wrapping_add(node as u32);
    }

    /// Whether the partner is a prefix: whether one of its leaves can belong to a whole subtree.
    #[inline]
    pub(crate) const fn is_prefix(&self) -> bool {
        self.prefix
    }

    /// Returns an error unless the partner `agrees` with the `L::COUNT` trees at the next node.
    /// The guide to [`containers`](crate::guide::containers) has an example.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrefix`] for a prefix, otherwise [`Error::TreesDiffer`]. The partner is the last tree in both.
    #[inline]
    pub fn check<L: Lanes>(&self, agrees: bool) -> Result<(), Error> {
        if agrees { Ok(()) } else { Err(self.differs::<L>()) }
    }

    /// The error for the next node: the partner differs from the `L::COUNT` trees.
    #[cold]
    pub(crate) const fn differs<L: Lanes>(&self) -> Error {
        match self.prefix {
            true => Error::NotPrefix { node: self.nodes, tree: L::COUNT },
            false => Error::TreesDiffer { node: self.nodes, tree: L::COUNT },
        }
    }
}
