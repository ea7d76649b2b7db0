//! Two treedefs read side by side, in one preorder pass.
//!
//! The walk reads the next child of both sides, compares the two heads, and reports one [`Event`]. Of
//! `[(*, *), (*, *), None]` and `[(*, *), (*, None), None]`:
//!
//! ```text
//! Enter    the lists of 3
//! Enter    the tuples at [0]
//! Leaf     [0][0], and Repeat(1) for [0][1]
//! Enter    the tuples at [1]: only one of the treedefs repeats the child before
//! Leaf     [1][0], and Differ for [1][1]
//! Enter    None
//! ```
//!
//! What holds between two events:
//!
//! - both cursors are before the next child of the innermost lists, or `ahead` says what is to be done first;
//! - both lists have equally many children to come, unless the walk was sent into nodes that differ;
//! - lists whose last child was entered on both sides are gone, so that a chain of last children takes one level.
//!
//! Where both repeat the child that was read last, the copies are one event. So two treedefs whose repeats line up cost
//! their bytes, others the expanded nodes of the smaller.

use crate::base::error::Error;
use crate::base::levels::{self, Level, Levels};
use crate::format::head::{Head, LEAF_BYTES};
use crate::format::validate::MAX_PENDING;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::route::{Route, Step};
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// Which nodes match besides nodes with one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// None.
    Equal,
    /// A leaf of the first matches anything of the second.
    Prefix,
    /// A leaf of either matches anything of the other.
    Common,
}

/// What two treedefs have at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'f, 's> {
    /// Nodes with the same head; their children follow.
    Enter(Head<'f>),
    /// Leaves.
    Leaf,
    /// A leaf of the first, and this node of the second with all below it.
    LeftLeaf(TreeDef<'s>),
    /// A leaf of the second, and this node of the first with all below it.
    RightLeaf(TreeDef<'f>),
    /// Two nodes that do not match: the bytes from each of them on. What is below them is passed over, unless the walk
    /// is sent [into](Pair::enter) them.
    Differ { first: &'f [u8], second: &'s [u8] },
    /// This many more times the events of the last children, in which nothing differs.
    Repeat(u32),
}

/// Where the children are that an [`Event`] is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The index of the node in the first treedef, in preorder with repeats written out.
    pub(crate) node: u32,
    /// Where the node is in the first treedef.
    pub(crate) first: Spot,
    /// The index of the first leaf in the second treedef that is not before the node.
    pub(crate) second: u32,
}

/// A walk over two treedefs, with room for [`MAX_PENDING`] levels unless it is given another place for them.
///
/// A level counts while siblings follow on either side.
#[derive(Clone)]
pub(crate) struct Pair<'f, 's, L = Levels<Lists, MAX_PENDING>> {
    first: Cursor<'f>,
    second: Cursor<'s>,
    relation: Relation,
    /// Whether copies that line up are one event.
    keep_runs: bool,
    /// The innermost open lists.
    lists: Lists,
    /// The number of pairs of lists that are open.
    depth: usize,
    /// The lists around the innermost.
    outer: L,
    ahead: Ahead,
    /// The number of lists, from the outermost on, in whose last child something differed.
    unlike: usize,
    place: Place,
    /// The nodes of the first that were read up to its last leaf.
    up_to_leaf: u32,
}

/// What is to be done before the next children are read.
#[derive(Clone, Copy)]
enum Ahead {
    Nothing,
    /// To open lists with these numbers of children, if there is room. Lists whose last child was read on both sides
    /// have done their part, and give their level to the new ones.
    Open(u32, u32),
    /// To pass over what is below the nodes that were read last; each is a leaf or not.
    Pass {
        leaf: (bool, bool),
    },
}

/// One open list of each side: 40 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lists {
    first: Siblings,
    second: Siblings,
    /// The nodes of the first before the last child.
    node: u32,
    /// The number of nodes around the children.
    around: u32,
}

impl Lists {
    const fn of(first: u32, second: u32, around: u32) -> Self {
        let (first, second) = (Siblings::new(first), Siblings::new(second));
        Self { first, second, node: 0, around }
    }

    /// Whether the last child was read on both sides.
    const fn are_done(&self) -> bool {
        self.first.is_done() && self.second.is_done()
    }

    /// These lists in two levels, without the number of nodes around them, in a walk that is sent into no nodes that
    /// differ: there both have equally many children left.
    pub(crate) const fn pack(self) -> [Level; 2] {
        let [_, unit, copies, resume] = self.second.pack();
        [Level(self.first.pack()), Level([self.node, unit, copies, resume])]
    }

    /// The lists that were packed.
    pub(crate) const fn unpack([Level(first), Level(second)]: [Level; 2]) -> Self {
        let ([left, ..], [node, unit, copies, resume]) = (first, second);
        let second = Siblings::unpack([left, unit, copies, resume]);
        Self { first: Siblings::unpack(first), second, node, around: 0 }
    }
}

/// Where a walk keeps the lists around the innermost: a stack.
pub(crate) trait Outer {
    /// The number of lists for which there is room, with the innermost.
    fn room(&self) -> usize;

    /// Keeps one more pair of lists; fewer than [`Outer::room`] are kept.
    fn push(&mut self, lists: Lists);

    /// Gives the last one back.
    fn pop(&mut self) -> Option<Lists>;
}

impl<const D: usize> Outer for Levels<Lists, D> {
    fn room(&self) -> usize {
        D
    }

    fn push(&mut self, lists: Lists) {
        let _ = Levels::push(self, lists);
    }

    fn pop(&mut self) -> Option<Lists> {
        Levels::pop(self)
    }
}

impl<'f, 's> Pair<'f, 's> {
    /// Starts at the roots; copies that line up are one event.
    pub(crate) fn new(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self::on(levels::empty(), (first, second), relation, true)
    }

    /// Starts at the roots; copies are walked through one by one.
    pub(crate) fn expanded(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self::on(levels::empty(), (first, second), relation, false)
    }
}

impl<'f, 's, L: Outer> Pair<'f, 's, L> {
    /// Starts at the roots, with a place for open lists; if it `keep_runs`, copies that line up are one event.
    pub(crate) fn on(
        outer: L,
        (first, second): (TreeDef<'f>, TreeDef<'s>),
        relation: Relation,
        keep_runs: bool,
    ) -> Self {
        Self {
            first: Cursor::new(first),
            second: Cursor::new(second),
            relation,
            keep_runs,
            lists: Lists::of(1, 1, 0),
            depth: 1,
            outer,
            ahead: Ahead::Nothing,
            unlike: 0,
            place: Place::default(),
            up_to_leaf: 0,
        }
    }

    /// Where the children of the last event are; for a repeat the children that it repeats, without their rank.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Where the next children are.
    fn next_place(&self) -> Place {
        let node = self.first.num_nodes_read();
        let rank = node.wrapping_sub(self.up_to_leaf);
        let first = Spot { leaf: self.first.num_leaves_read(), rank };
        Place { node, first, second: self.second.num_leaves_read() }
    }

    /// The index of the list that the last event was about.
    pub(crate) const fn list(&self) -> usize {
        self.depth.saturating_sub(1)
    }

    /// Where the lists around the innermost are.
    pub(crate) const fn outer(&mut self) -> &mut L {
        &mut self.outer
    }

    /// The leaves of the first that were read or stepped over.
    pub(crate) const fn first_leaves(&self) -> usize {
        self.first.num_leaves_read() as usize
    }

    /// The next event; `None` when both are read.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`], and nothing after it, where more levels are open than there is room for.
    pub(crate) fn next(&mut self) -> Option<Result<Event<'f, 's>, Error>> {
        let keep_runs = self.keep_runs;
        self.next_with(|_, alike| keep_runs && alike, |_, count, _| count)
    }

    /// As [`Pair::next`], with other rules for copies that line up, as [`Pair::read`] has them.
    #[inline]
    pub(crate) fn next_with(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Event<'f, 's>, Error>> {
        match self.settle()? {
            Ok(()) => self.read(keep_runs, some).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

/// The two halves of a step, and what a deep comparison does between them.
impl<'f, 's, L: Outer> Pair<'f, 's, L> {
    /// Does what is to be done before children are read: opens a list or passes over nodes, and closes lists that were
    /// read to their end; `None` when none is left.
    ///
    /// # Errors
    ///
    /// As [`Pair::next`].
    #[inline]
    pub(crate) fn settle(&mut self) -> Option<Result<(), Error>> {
        match self.ahead {
            Ahead::Nothing => {}
            Ahead::Open(first, second) => {
                self.ahead = Ahead::Nothing;
                if !self.lists.are_done() {
                    let room = self.outer.room();
                    if self.depth >= room {
                        (self.depth, self.lists) = (0, Lists::of(0, 0, 0));
                        let limit = u32::try_from(room).unwrap_or(u32::MAX);
                        return Some(Err(Error::TooDeep { limit }));
                    }
                    self.outer.push(self.lists);
                    self.depth = self.depth.saturating_add(1);
                }
                self.lists = Lists::of(first, second, self.lists.around.wrapping_add(1));
            }
            Ahead::Pass { leaf: (first, second) } => {
                self.pass_first(first);
                self.second.take_node(&self.lists.second, second);
                self.ahead = Ahead::Nothing;
            }
        }
        while self.left() == (0, 0) {
            // Goes on after the copies that a list ended with.
            let _ = self.first.next(&mut self.lists.first);
            let _ = self.second.next(&mut self.lists.second);
            self.depth = self.depth.checked_sub(1)?;
            if let Some(lists) = self.outer.pop() {
                self.lists = lists;
            }
        }
        Some(Ok(()))
    }

    /// Reads the next child of both innermost lists, which have one each, or copies that line up.
    ///
    /// `keep_runs(list, alike)` says whether copies in the list with this index are one event; `alike` means that
    /// nothing differed in the last child. `some(list, count, leaves)` says how many of `count` copies are, each of
    /// which has `leaves` leaves in the first treedef.
    #[inline]
    pub(crate) fn read(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Event<'f, 's>> {
        let outer = self.list();
        let here = self.next_place();
        let lists = &mut self.lists;
        if keep_runs(outer, self.unlike < self.depth)
            && let Some((ours, first)) = self.first.repeats(&lists.first)
            && let Some((theirs, second)) = self.second.repeats(&lists.second)
            && let count @ 1.. = some(outer, ours.min(theirs), first)
        {
            let nodes = here.node.wrapping_sub(lists.node);
            self.place = Place {
                node: lists.node,
                first: Spot { leaf: here.first.leaf.wrapping_sub(first), rank: 0 },
                second: here.second.wrapping_sub(second),
            };
            self.up_to_leaf = self.up_to_leaf.wrapping_add(nodes.wrapping_mul(count));
            self.first.skip_repeats(&mut lists.first, count, (nodes, first));
            self.second.skip_repeats(&mut lists.second, count, (0, second));
            return Some(Event::Repeat(count));
        }
        lists.node = here.node;
        self.unlike = self.unlike.min(outer);
        let first = self.first.next(&mut lists.first)?;
        let second = self.second.next(&mut lists.second)?;
        self.place = here;
        Some(self.compare(first, second))
    }

    /// The children to come in the innermost lists.
    pub(crate) const fn left(&self) -> (usize, usize) {
        (self.lists.first.left(), self.lists.second.left())
    }

    /// The number of open lists.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// Adds the step to the node of the last event, a leaf of the first or not, to a route in the first, which has
    /// these bytes.
    pub(crate) fn remember(&self, route: &mut Route, bytes: &[u8], is_leaf: bool) {
        let list = &self.lists.first;
        if let Some(parent) = self.lists.around.checked_sub(1) {
            let step = Step::to_last(list, is_leaf, self.place.first);
            route.pass(bytes, parent as usize, step, list);
        }
    }

    /// Where the first is read on.
    pub(crate) const fn at(&self) -> u32 {
        self.first.at()
    }

    /// Passes over the next child of the first alone.
    pub(crate) fn skip_first(&mut self) {
        if let Some(head) = self.first.next(&mut self.lists.first) {
            self.pass_first(head == Head::LEAF);
        }
    }

    /// Passes over the next child of the second alone.
    pub(crate) fn skip_second(&mut self) {
        if let Some(head) = self.second.next(&mut self.lists.second) {
            self.second.take_node(&self.lists.second, head == Head::LEAF);
        }
    }

    /// Sends the walk into the nodes of the last event, which have these numbers of children; gives the number of lists
    /// that are open then.
    pub(crate) const fn enter(&mut self, first: u32, second: u32) -> usize {
        self.ahead = Ahead::Open(first, second);
        if self.lists.are_done() { self.depth } else { self.depth.saturating_add(1) }
    }

    /// Sends the walk into the node of the first that was read last, which has one child, beside the node of the
    /// second, a leaf or not, which is read again.
    pub(crate) fn enter_first(&mut self, leaf: bool) {
        self.second.take_back(&self.lists.second, leaf);
        self.enter(1, 1);
    }

    /// As [`Pair::enter_first`], into the node of the second.
    pub(crate) fn enter_second(&mut self, leaf: bool) {
        self.first.take_back(&self.lists.first, leaf);
        self.enter(1, 1);
    }

    /// Compares two nodes that were just read.
    fn compare(&mut self, first: Head<'f>, second: Head<'s>) -> Event<'f, 's> {
        if first == second {
            if first == Head::LEAF {
                self.up_to_leaf = self.first.num_nodes_read();
                return Event::Leaf;
            }
            if first.arity() > 0 {
                self.enter(first.arity(), second.arity());
            }
            return Event::Enter(first);
        }
        let (ours, theirs) = (first == Head::LEAF, second == Head::LEAF);
        match self.relation {
            Relation::Prefix | Relation::Common if ours => {
                self.pass_first(true);
                Event::LeftLeaf(self.second.take_node(&self.lists.second, theirs).0)
            }
            Relation::Common if theirs => Event::RightLeaf(self.pass_first(ours)),
            _ => {
                self.unlike = self.depth;
                self.ahead = Ahead::Pass { leaf: (ours, theirs) };
                Event::Differ {
                    first: if ours { LEAF_BYTES } else { self.first.last_node(&self.lists.first) },
                    second: if theirs {
                        LEAF_BYTES
                    } else {
                        self.second.last_node(&self.lists.second)
                    },
                }
            }
        }
    }

    /// Passes over what is below the node of the first that was read last, a leaf or not, and counts it.
    fn pass_first(&mut self, leaf: bool) -> TreeDef<'f> {
        let (node, tail) = self.first.take_node(&self.lists.first, leaf);
        if node.is_leaf() {
            self.up_to_leaf = self.first.num_nodes_read();
            return node;
        }
        self.first.count_nodes(node.node_count().wrapping_sub(1));
        if node.num_leaves() > 0 {
            self.up_to_leaf = self.first.num_nodes_read().wrapping_sub(tail);
        }
        node
    }
}
