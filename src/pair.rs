//! Two treedefs read side by side, in one preorder pass.
//!
//! Where both repeat the child just read, the copies are told as a number and not walked through; so two treedefs whose
//! repeats line up cost their bytes, others the expanded nodes of the smaller.

use crate::cursor::{Cursor, Siblings};
use crate::error::Error;
use crate::head::Head;
use crate::treedef::{TreeDef, count_nodes_to};

/// Which nodes may stand beside each other besides nodes with one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// None.
    Equal,
    /// A leaf of the first beside anything of the second.
    Prefix,
    /// A leaf of either beside anything of the other.
    Common,
}

/// What two treedefs have at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'f, 's> {
    /// Nodes with the same head; their children follow, then [`Event::Leave`].
    Enter(Head<'f>),
    /// All children of the node entered last were told.
    Leave,
    /// Leaves.
    Leaf,
    /// A leaf of the first, and this node of the second with all below it.
    Under(TreeDef<'s>),
    /// A leaf of the second, and this node of the first with all below it.
    Over(TreeDef<'f>),
    /// Two nodes that may not stand beside each other, with all below them.
    Differ { first: TreeDef<'f>, second: TreeDef<'s> },
    /// So many more times what was told of the children told last; never where they differ.
    Repeat(u32),
}

/// Where the children stand that an [`Event`] is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The index of the node in the first treedef, in preorder with repeats written out; `u32::MAX` behind a part whose
    /// nodes cannot be counted, as it is too deep.
    pub(crate) node: u32,
    /// The nodes of the first treedef between its last leaf and this node.
    pub(crate) rank: u32,
    /// The index of the first leaf in the first treedef that is not before it.
    pub(crate) first: u32,
    /// The same in the second.
    pub(crate) second: u32,
}

/// The levels that walks over two treedefs have room for.
///
/// A level counts while siblings follow, so it is what [`TreeDef::from_bytes`] needs at most.
pub(crate) const PAIR_DEPTH: usize = crate::validate::MAX_PENDING;

/// A walk over two treedefs.
#[derive(Clone)]
pub(crate) struct Pair<'f, 's, const D: usize = PAIR_DEPTH> {
    first: Cursor<'f>,
    second: Cursor<'s>,
    relation: Relation,
    /// Whether copies that line up are told as a number.
    folds: bool,
    /// Nodes that differed so far.
    differ: u32,
    levels: [Level; D],
    depth: usize,
    /// Nodes that have ended and were not told so yet.
    ended: u32,
    place: Place,
    /// The nodes of the first that were read up to its last leaf.
    up_to_leaf: u32,
    /// Whether nodes of the first were stepped over that could not be counted.
    uncounted: bool,
}

/// One open list of each side.
#[derive(Clone, Copy, Default)]
struct Level {
    first: Siblings,
    second: Siblings,
    /// Where the last child begins.
    start: Place,
    /// What [`Pair::differ`] was there.
    differ: u32,
    /// How many nodes end with this list: chains share a level.
    ends: u32,
    /// Whether a child has ended whose repeats were not looked at.
    fresh: bool,
}

impl Level {
    const fn of(children: u32, ends: u32) -> Self {
        let start = Place { node: 0, rank: 0, first: 0, second: 0 };
        let (first, second) = (Siblings::new(children), Siblings::new(children));
        Self { first, second, start, differ: 0, ends, fresh: false }
    }
}

impl<'f, 's, const D: usize> Pair<'f, 's, D> {
    /// Starts at the roots; copies are told as numbers.
    pub(crate) fn new(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        let mut levels = [Level::default(); D];
        if let Some(root) = levels.first_mut() {
            *root = Level::of(1, 0);
        }
        let (first, second) = (Cursor::new(first), Cursor::new(second));
        Self {
            first,
            second,
            relation,
            folds: true,
            differ: 0,
            levels,
            depth: 1,
            ended: 0,
            place: Place::default(),
            up_to_leaf: 0,
            uncounted: false,
        }
    }

    /// The same, with copies walked through one by one.
    pub(crate) fn written_out(self) -> Self {
        Self { folds: false, ..self }
    }

    /// Where the children of the last event stand, or of a repeat the children it repeats.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Where the next children stand, its node counted without those that could not be.
    const fn next_place(&self) -> Place {
        let node = self.first.num_nodes_read();
        // Both are short of the uncounted nodes.
        let rank = node.wrapping_sub(self.up_to_leaf);
        let (first, second) = (self.first.num_leaves_read(), self.second.num_leaves_read());
        Place { node, rank, first, second }
    }

    /// Whether the node entered last is the last child on both sides, and shares the level of its parent.
    pub(crate) fn shares_level(&self) -> bool {
        self.levels.get(self.depth.wrapping_sub(1)).is_some_and(|level| level.ends > 1)
    }

    /// The leaves of the first that were read or stepped over.
    pub(crate) const fn first_leaves(&self) -> usize {
        self.first.num_leaves_read() as usize
    }

    /// What is next; `None` when both are read.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] where more levels are open than there is room for.
    pub(crate) fn next(&mut self) -> Option<Result<Event<'f, 's>, Error>> {
        loop {
            let here = self.next_place();
            if let Some(ended) = self.ended.checked_sub(1) {
                self.ended = ended;
                return Some(Ok(Event::Leave));
            }
            let Some(level) = self.levels.get_mut(self.depth.checked_sub(1)?) else {
                self.depth = 0;
                let limit = u32::try_from(D).unwrap_or(u32::MAX);
                return Some(Err(Error::TooDeep { limit }));
            };
            if self.folds && core::mem::take(&mut level.fresh) && self.differ == level.differ {
                let mut count = self.first.repeats(&level.first);
                if count > 0 {
                    count = count.min(self.second.repeats(&level.second));
                }
                if count > 0 {
                    self.place = level.start;
                    let nodes = here.node.wrapping_sub(level.start.node);
                    self.up_to_leaf = self.up_to_leaf.wrapping_add(nodes.wrapping_mul(count));
                    let leaves = self.first.num_leaves_read().wrapping_sub(level.start.first);
                    self.first.skip_repeats(&mut level.first, count, (nodes, leaves));
                    let leaves = self.second.num_leaves_read().wrapping_sub(level.start.second);
                    self.second.skip_repeats(&mut level.second, count, (0, leaves));
                    return Some(Ok(Event::Repeat(count)));
                }
            }
            level.start = here;
            level.fresh = true;
            level.differ = self.differ;
            let heads = (self.first.next(&mut level.first), self.second.next(&mut level.second));
            let (Some(first), Some(second)) = heads else {
                self.ended = level.ends;
                self.depth = self.depth.saturating_sub(1);
                continue;
            };
            self.place = here;
            if self.uncounted {
                self.place.node = u32::MAX;
            }
            return Some(Ok(self.compare(first, second)));
        }
    }

    /// Tells of two nodes, and opens a level where their children are to be told.
    fn compare(&mut self, first: Head<'f>, second: Head<'s>) -> Event<'f, 's> {
        let Some(level) = self.levels.get_mut(self.depth.saturating_sub(1)) else {
            return Event::Leave;
        };
        if first == second {
            if first == Head::LEAF {
                self.up_to_leaf = self.first.num_nodes_read();
                return Event::Leaf;
            }
            if first.arity() == 0 {
                self.ended = 1;
            } else if level.first.is_done() && level.second.is_done() {
                *level = Level::of(first.arity(), level.ends.saturating_add(1));
            } else {
                let inner = self.levels.get_mut(self.depth);
                if let Some(inner) = inner {
                    *inner = Level::of(first.arity(), 1);
                }
                self.depth = self.depth.saturating_add(1);
            }
            return Event::Enter(first);
        }
        let (ours, tail) = self.first.take_node(&level.first, &first);
        let (theirs, _) = self.second.take_node(&level.second, &second);
        let nodes = count_nodes_to::<D>(ours.as_bytes());
        self.uncounted |= nodes.is_none();
        self.first.count_nodes(nodes.unwrap_or(1).wrapping_sub(1));
        if ours.num_leaves() > 0 {
            self.up_to_leaf = self.first.num_nodes_read().wrapping_sub(tail);
        }
        match self.relation {
            Relation::Prefix | Relation::Common if ours.is_leaf() => Event::Under(theirs),
            Relation::Common if theirs.is_leaf() => Event::Over(ours),
            _ => {
                self.differ = self.differ.wrapping_add(1);
                Event::Differ { first: ours, second: theirs }
            }
        }
    }
}
