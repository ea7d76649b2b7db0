//! Reads two treedefs side by side, in one preorder pass.
//!
//! The walk reads the next child of both sides, compares the two heads, and reports one [`Event`]. For example,
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
//! Between two events:
//!
//! - both cursors are before the next child of the innermost lists, or `ahead` says what has to be done first;
//! - both innermost lists have equally many children to come, unless the walk was sent into nodes that differ. Then
//!   the caller passes over the children that only one side has;
//! - lists whose last child was entered on both sides are not kept, so a chain of last children takes one level.
//!
//! If both repeat the child that was read last, the copies are one event. So the cost is linear in the bytes if the
//! repeats of both are at the same places; otherwise in the nodes of the smaller treedef with repeats written out.

use crate::base::bytes::equal;
use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::head::{Head, LEAF_BYTES};
use crate::format::validate::MAX_PENDING;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::route::{Route, Step};
use crate::treedef::scan::{Skipped, skip};
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// Which nodes match in addition to nodes with equal heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// No others.
    Equal,
    /// A leaf of the first matches any node of the second.
    Prefix,
    /// A leaf of either matches any node of the other.
    Common,
}

/// What two treedefs have at the same place.
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
    /// Two nodes that do not match: the bytes from each of them on. The nodes below are passed over, unless the walk is
    /// sent [into](Pair::enter) these two.
    Differ { first: &'f [u8], second: &'s [u8] },
    /// This many more copies of the last children, with the events that these had.
    Repeat(u32),
}

/// The place of the children that an [`Event`] is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The index of the node in the first treedef, in preorder with repeats written out.
    pub(crate) node: u32,
    /// The position of the node in the first treedef.
    pub(crate) first: Spot,
    /// The number of leaves before the node in the second treedef.
    pub(crate) second: u32,
}

/// A walk over two treedefs, at most [`MAX_PENDING`] levels deep.
///
/// A level is open while siblings follow on either side.
#[derive(Clone)]
pub(crate) struct Pair<'f, 's> {
    first: Cursor<'f>,
    second: Cursor<'s>,
    relation: Relation,
    /// Whether copies on both sides are one event.
    keep_runs: bool,
    /// The innermost open lists.
    lists: Lists,
    /// The number of pairs of lists that are open.
    depth: usize,
    /// The lists around the innermost.
    outer: Levels<Lists, MAX_PENDING>,
    ahead: Ahead,
    /// The number of lists, from the outermost on, whose last child has a difference in it.
    unlike: usize,
    place: Place,
    /// The number of nodes of the first that were read up to its last leaf.
    up_to_leaf: u32,
}

/// What has to be done before the next children are read.
#[derive(Clone, Copy)]
enum Ahead {
    Nothing,
    /// Open lists with these numbers of children, if there is room. If the last child of the innermost lists was read
    /// on both sides, the new lists take their level.
    Open(u32, u32),
    /// Pass over what is below the nodes that were read last. `leaf` says whether each is a leaf.
    Pass {
        leaf: (bool, bool),
    },
}

/// One open list of each side: 40 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lists {
    first: Siblings,
    second: Siblings,
    /// The number of nodes of the first before the last child.
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
}

impl<'f, 's> Pair<'f, 's> {
    /// Starts at the roots; copies on both sides are one event.
    pub(crate) fn new(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self::of((first, second), relation, true)
    }

    /// Starts at the roots; copies are read one by one.
    pub(crate) fn without_runs(
        first: TreeDef<'f>,
        second: TreeDef<'s>,
        relation: Relation,
    ) -> Self {
        Self::of((first, second), relation, false)
    }

    /// Starts at the roots. If `keep_runs`, copies on both sides are one event.
    fn of(
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
            outer: levels::empty(),
            ahead: Ahead::Nothing,
            unlike: 0,
            place: Place::default(),
            up_to_leaf: 0,
        }
    }

    /// The place of the children of the last event; for a repeat, of the children that it repeats, without their rank.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// The place of the next children.
    fn next_place(&self) -> Place {
        let node = self.first.num_nodes_read();
        let rank = node.wrapping_sub(self.up_to_leaf);
        let first = Spot { leaf: self.first.num_leaves_read(), rank };
        Place { node, first, second: self.second.num_leaves_read() }
    }

    /// The numbers of leaves of both that were read or stepped over.
    pub(crate) const fn leaves(&self) -> (u32, u32) {
        (self.first.num_leaves_read(), self.second.num_leaves_read())
    }

    /// The bytes from each of the nodes on that were read last, which are not leaves.
    pub(crate) fn last_nodes(&self) -> (&'f [u8], &'s [u8]) {
        (self.first.last_node(&self.lists.first), self.second.last_node(&self.lists.second))
    }

    /// Where the second is: its position, and its innermost open list.
    pub(crate) const fn second(&self) -> (Cursor<'s>, Siblings) {
        (self.second, self.lists.second)
    }

    /// Sends the second to another place in the innermost open node. The caller sends it back before the node ends.
    pub(crate) const fn second_to(&mut self, at: Cursor<'s>, list: Siblings) {
        self.second = at;
        self.lists.second = list;
    }

    /// The index of the list that the last event was about.
    pub(crate) const fn list(&self) -> usize {
        self.depth.saturating_sub(1)
    }

    /// The number of leaves of the first that were read or stepped over.
    pub(crate) const fn first_leaves(&self) -> usize {
        self.first.num_leaves_read() as usize
    }

    /// The next event; `None` when both are read.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if there is no room for a level. It is the last item.
    pub(crate) fn next(&mut self) -> Option<Result<Event<'f, 's>, Error>> {
        let keep_runs = self.keep_runs;
        self.next_with(|_, alike| keep_runs && alike, |_, count, _| count)
    }

    /// As [`Pair::next`], with the rules for copies that [`Pair::read`] takes.
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

/// The two halves of a step, `settle` and `read`, and what a deep comparison does between them.
impl<'f, 's> Pair<'f, 's> {
    /// Does what has to be done before children are read: opens lists or passes over nodes, and closes lists that were
    /// read to their end. `None` if no list is left.
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
                    let room = self.outer.capacity();
                    if self.depth >= room {
                        (self.depth, self.lists) = (0, Lists::of(0, 0, 0));
                        let limit = u32::try_from(room).unwrap_or(u32::MAX);
                        return Some(Err(Error::TooDeep { limit }));
                    }
                    let _ = self.outer.push(self.lists);
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
            // Goes on after the copies at the end of a list.
            let _ = self.first.next(&mut self.lists.first);
            let _ = self.second.next(&mut self.lists.second);
            self.depth = self.depth.checked_sub(1)?;
            if let Some(lists) = self.outer.pop() {
                self.lists = lists;
            }
        }
        Some(Ok(()))
    }

    /// Reads the next child of both innermost lists, which have one each, or copies on both sides.
    ///
    /// `keep_runs(list, alike)` decides whether copies in the list with this index are one event; `alike` means that
    /// nothing differed in the last child. `some(list, count, leaves)` decides how many of `count` copies that event
    /// has; each copy has `leaves` leaves in the first treedef.
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

    /// How many next children of both are leaves of the same runs as the last children.
    pub(crate) fn leaves_in_runs(&self) -> u32 {
        self.first.run().min(self.second.run())
    }

    /// Steps over the next `count` children of both, which are leaves of the same runs as the last children.
    pub(crate) fn take_leaves(&mut self, count: u32) {
        if let Some(last) = count.checked_sub(1) {
            self.lists.node = self.first.num_nodes_read().wrapping_add(last);
            self.first.skip_repeats(&mut self.lists.first, count, (1, 1));
            self.second.skip_repeats(&mut self.lists.second, count, (0, 1));
            self.up_to_leaf = self.first.num_nodes_read();
        }
    }

    /// The numbers of children to come in the innermost lists.
    pub(crate) const fn left(&self) -> (usize, usize) {
        (self.lists.first.left(), self.lists.second.left())
    }

    /// The number of open lists.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// Adds the step to the node of the last event to a route in the first, which has these bytes. `is_leaf` says
    /// whether the node is a leaf in the first.
    pub(crate) fn remember(&self, route: &mut Route, bytes: &[u8], is_leaf: bool) {
        let list = &self.lists.first;
        if let Some(parent) = self.lists.around.checked_sub(1) {
            let step = Step::to_last(list, is_leaf, self.place.first);
            route.pass(bytes, parent as usize, step, list);
        }
    }

    /// The position in the bytes of the first.
    pub(crate) const fn at(&self) -> u32 {
        self.first.at()
    }

    /// Passes over the next child of the first alone, and returns it. [`Pair::place`] is its place.
    pub(crate) fn skip_first(&mut self) -> TreeDef<'f> {
        self.place = self.next_place();
        match self.first.next(&mut self.lists.first) {
            Some(head) => self.pass_first(head == Head::LEAF),
            None => TreeDef::NONE,
        }
    }

    /// Passes over the next child of the second alone. Returns it, and the number of nodes after its last leaf.
    pub(crate) fn skip_second(&mut self) -> (TreeDef<'s>, u32) {
        match self.second.next(&mut self.lists.second) {
            Some(head) => self.second.take_node(&self.lists.second, head == Head::LEAF),
            None => (TreeDef::NONE, 0),
        }
    }

    /// Passes over the next child of the side that has more children to come, with all its copies.
    pub(crate) fn skip_longer(&mut self) {
        let here = self.next_place();
        if self.lists.second.left() == 0 {
            self.skip_first();
            let nodes = self.first.num_nodes_read().wrapping_sub(here.node);
            if let Some((count, _)) = self.first.take_copies(&mut self.lists.first, nodes) {
                self.up_to_leaf = self.up_to_leaf.wrapping_add(nodes.wrapping_mul(count));
            }
        } else {
            self.skip_second();
            let _ = self.second.take_copies(&mut self.lists.second, 0);
        }
    }

    /// After an [`Event::Enter`]: passes over the two nodes if they are equal with all below them, and returns what was
    /// passed. The nodes below are not counted, so [`Place::node`] is wrong from then on.
    ///
    /// `credit` is the number of bytes of each side that may be read to find out. A look that fails takes off what it read,
    /// and one that succeeds adds it.
    pub(crate) fn take_equal(&mut self, credit: &mut u32) -> Option<Skipped<'f>> {
        let (first, second) = self.last_nodes();
        let first = first.get(..*credit as usize).unwrap_or(first);
        let Some(node) = skip(first) else {
            *credit = 0;
            return None;
        };
        let len = first.len().saturating_sub(node.rest.len());
        let read = u32::try_from(len).unwrap_or(u32::MAX);
        if !first.get(..len).zip(second.get(..len)).is_some_and(|(a, b)| equal(a, b)) {
            *credit = credit.saturating_sub(read);
            return None;
        }
        *credit = credit.saturating_add(read);
        self.ahead = Ahead::Nothing;
        self.first.pass_below(&self.lists.first, read, node.leaves);
        self.second.pass_below(&self.lists.second, read, node.leaves);
        // The node itself was counted. What follows its last leaf is enough for the ranks of the next nodes.
        self.first.count_nodes(node.tail.saturating_sub(u32::from(node.leaves == 0)));
        if node.leaves > 0 {
            self.up_to_leaf = self.first.num_nodes_read().wrapping_sub(node.tail);
        }
        Some(node)
    }

    /// Sends the walk into the nodes of the last event, which have these numbers of children. Returns the number of
    /// lists that are then open.
    pub(crate) const fn enter(&mut self, first: u32, second: u32) -> usize {
        self.ahead = Ahead::Open(first, second);
        if self.lists.are_done() { self.depth } else { self.depth.saturating_add(1) }
    }

    /// Sends the walk into the node of the first that was read last, which has one child. The node of the second is
    /// read again; `leaf` says whether it is a leaf.
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

    /// Passes over what is below the node of the first that was read last, and counts it. `leaf` says whether the node
    /// is a leaf.
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
