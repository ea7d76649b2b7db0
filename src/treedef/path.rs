//! Finds the entries on the way from the root of a treedef to a node.

use core::iter::from_fn;

use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Item, LEAF_BYTES, read_item};
use crate::treedef::path_cursor::PathCursor;
use crate::treedef::spot::Spot;
use crate::treedef::steps::{FirstSteps, Step};
use crate::treedef::treedef::TreeDef;

/// The place of a node of a treedef, and steps on the way to it: what a [`KeyPath`](crate::KeyPath) of a treedef has in place of its entries.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    def: TreeDef<'a>,
    spot: Spot,
    /// The index of the node in preorder, or [`UNKNOWN`].
    node: u32,
    steps: FirstSteps,
}

/// Greater than every index of a node.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl<'a> Path<'a> {
    /// The path of the leaf with this index, which exists.
    pub(crate) fn of_leaf(def: TreeDef<'a>, leaf: usize) -> Self {
        let leaf = u32::try_from(leaf).unwrap_or(0);
        Self { def, spot: Spot::of_leaf(leaf), node: UNKNOWN, steps: FirstSteps::NONE }
    }

    /// The path of the node with this index, which is at `spot`.
    pub(crate) const fn of_node(def: TreeDef<'a>, node: u32, spot: Spot, is_leaf: bool) -> Self {
        let spot = if is_leaf { Spot::of_leaf(spot.leaf) } else { spot };
        Self { def, spot, node, steps: FirstSteps::NONE }
    }

    /// The path with the steps that a walk remembers.
    pub(crate) const fn with_steps(mut self, steps: FirstSteps) -> Self {
        self.steps = steps;
        self
    }

    /// The index of the node in preorder with repeats written out. If it is not stored, it is found by a pass over the bytes
    /// before the node.
    pub(crate) fn node(&self) -> usize {
        if self.node != UNKNOWN {
            return self.node as usize;
        }
        self.way().map_or(0, |way| way.node as usize)
    }

    /// A cursor that is at the node.
    pub(crate) fn way(&self) -> Option<PathCursor<'a, true>> {
        let mut way = PathCursor::<true>::new(self.def);
        let mut entries = self.entries();
        while let Some((head, index, _)) = entries.step() {
            way.down(&head, index)?;
        }
        Some(way)
    }

    /// The entries from the root to the node.
    pub(crate) const fn entries(&self) -> FoundEntries<'a> {
        FoundEntries { path: *self, depth: 0, way: PathCursor::new(self.def) }
    }

    /// The indices of the children on the way.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        let mut entries = self.entries();
        from_fn(move || entries.step().map(|(_, index, _)| index as usize))
    }
}

/// The entries of a [`Path`].
#[derive(Clone, Copy)]
pub(crate) struct FoundEntries<'a> {
    pub(super) path: Path<'a>,
    /// The number of levels from the root to the current node.
    depth: u32,
    /// The current node. Its spot is that of the root up to the last remembered step.
    way: PathCursor<'a, false>,
}

impl<'a> FoundEntries<'a> {
    /// Goes one step down. Returns the head of the node that it leaves, the index of the child that it goes to, and the number of
    /// bytes from the key of this child to the end of the head, if that is known.
    fn step(&mut self) -> Option<(Head<'a>, u32, Option<u32>)> {
        let (Item::Node(head), _) = read_item(self.way.bytes)? else { return None };
        if self.way.spot == self.path.spot {
            return None;
        }
        let step = self.path.steps.get(self.depth);
        let index = match step {
            Some(step) => self.jump(&head, step)?,
            None => self.way.toward(&head, self.path.spot)?,
        };
        self.depth = self.depth.saturating_add(1);
        Some((head, index, step.map(|step| step.keys)))
    }

    /// Goes to the child by a step that is remembered.
    fn jump(&mut self, head: &Head<'_>, step: Step) -> Option<u32> {
        self.way.bytes = match step.child {
            0 => LEAF_BYTES,
            child => self.path.def.as_bytes().get(child as usize..)?,
        };
        // Where the child is, is only known of the last one.
        let (known, end) = self.path.steps.end();
        if self.depth.wrapping_add(1) == known {
            self.way.spot = end;
        }
        head.arity().checked_sub(step.after)?.checked_sub(1)
    }
}

impl<'a> Iterator for FoundEntries<'a> {
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        match self.step()? {
            (head, index, Some(keys)) => head.entries_at(index, keys).next(),
            (head, index, None) => head.entries().nth(index as usize),
        }
    }
}
