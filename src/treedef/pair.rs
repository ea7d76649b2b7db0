//! Reads two treedefs side by side, in one preorder pass.
//!
//! The walk reads the next child of both sides, compares the two heads, and reports one [`PairEvent`]. For example,
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
//! - both sides are before the next child of the innermost lists, or `ahead` is a step that comes first;
//! - both innermost lists have the same number of remaining children, unless the walk was sent into nodes that differ. Then
//!   the caller passes over the children that only one side has;
//! - lists whose last child was entered on both sides are not kept, so a chain of last children needs one level.
//!
//! If both repeat the child that was read last, the copies are one event. So the cost is linear in the bytes if the
//! repeats of both are at the same places; otherwise in the nodes of the smaller treedef with repeats written out.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::head::{Head, LEAF_BYTES};
use crate::format::validate::{MAX_PENDING, TOO_MANY_PENDING};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::path::{Path, UNKNOWN};
use crate::treedef::spot::Spot;
use crate::treedef::steps::FirstSteps;
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
pub(crate) enum PairEvent<'f, 's> {
    /// Nodes with the same head; their children follow.
    Enter(Head<'f>),
    /// Leaves.
    Leaf,
    /// A leaf of the first, and this node of the second, with its subtree.
    LeftLeaf(TreeDef<'s>),
    /// A leaf of the second, and this node of the first, with its subtree.
    RightLeaf(TreeDef<'f>),
    /// Two nodes that do not match: the bytes that begin with each. The nodes below are passed over, unless the walk is
    /// sent [into](Pair::enter) these two.
    Differ { first: &'f [u8], second: &'s [u8] },
    /// This many more copies of the last children, with the events that these had.
    Repeat(u32),
}

/// The places of the children that a [`PairEvent`] is about, in the first and in the second treedef.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairSpot {
    pub(crate) first: Spot,
    pub(crate) second: Spot,
}

impl PairSpot {
    /// The index of the node in `first`, in preorder with repeats written out. The node is no leaf.
    pub(crate) fn node(self, first: TreeDef<'_>) -> u32 {
        let path = Path::of_node(first, UNKNOWN, self.first, false);
        u32::try_from(path.node()).unwrap_or(u32::MAX)
    }
}

/// One of the two treedefs during a walk.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    cursor: Cursor<'a>,
    /// The innermost open list.
    list: Siblings,
    /// The place of the node that is read next. It is moved after the node is entered or passed over.
    spot: Spot,
}

impl<'a> Side<'a> {
    const fn new(def: TreeDef<'a>) -> Self {
        Self { cursor: Cursor::new(def), list: Siblings::root(), spot: Spot::ROOT }
    }

    /// This side at the first child of the node that was read last, which has the head `head`.
    pub(crate) const fn at_children(self, head: &Head<'_>) -> Self {
        Self { cursor: self.cursor, list: Siblings::of(head), spot: self.spot.after_head() }
    }

    /// This side for its next child alone. After that child, the caller sends the side back to where it was before. The list
    /// counts one child more, so no walk ends it.
    pub(crate) const fn for_one(self) -> Self {
        Self { list: self.list.one_and_back(), ..self }
    }

    /// The bytes that begin with the node that was read last. `leaf` says whether the node is a leaf.
    fn last_node(&self, leaf: bool) -> &'a [u8] {
        if leaf { LEAF_BYTES } else { self.cursor.last_node(&self.list) }
    }

    /// Passes over all nodes below the node that was read last, and returns that node. `leaf` says whether it is a leaf.
    fn pass(&mut self, leaf: bool) -> TreeDef<'a> {
        let (node, tail) = self.cursor.take_node(&self.list, leaf);
        self.spot = self.spot.after(1, node.leaf_count(), tail);
        node
    }

    /// Passes over the next child, and returns it.
    pub(crate) fn skip(&mut self) -> TreeDef<'a> {
        match self.cursor.next(&mut self.list) {
            Some(head) => self.pass(head == Head::LEAF),
            None => TreeDef::NONE,
        }
    }

    /// Passes over `count` copies of the last child, which has `leaves` leaves.
    fn skip_copies(&mut self, count: u32, leaves: u32) {
        self.cursor.skip_repeats(&mut self.list, count, (0, leaves));
        // Only nodes with leaves are repeated, so the rank stays that of the node after the last child.
        self.spot = self.spot.after(count, leaves, self.spot.rank);
    }
}

/// A walk over two treedefs, at most [`MAX_PENDING`] levels deep.
///
/// A level is open while siblings follow on either side.
#[derive(Clone)]
pub(crate) struct Pair<'f, 's> {
    pub(crate) first: Side<'f>,
    pub(crate) second: Side<'s>,
    relation: Relation,
    /// The number of nodes around the next children.
    around: u32,
    /// The open lists around the innermost, each with the number of nodes around its children.
    outer: Levels<(Siblings, Siblings, u32), { MAX_PENDING - 1 }>,
    ahead: Ahead,
    /// The number of outermost lists whose last child differs, or has a difference below it.
    unlike: usize,
    place: PairSpot,
}

/// A step that is due before the next children are read.
#[derive(Clone, Copy)]
enum Ahead {
    Nothing,
    /// Open lists with these numbers of children, if there is room. If the last child of the innermost lists was read
    /// on both sides, the new lists replace them.
    Open(u32, u32),
    /// Pass over all nodes below the two nodes that were read last. Each bool says whether that node is a leaf.
    Pass(bool, bool),
}

impl<'f, 's> Pair<'f, 's> {
    /// Starts at the roots.
    pub(crate) fn new(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self {
            first: Side::new(first),
            second: Side::new(second),
            relation,
            around: 0,
            outer: levels::empty(),
            ahead: Ahead::Nothing,
            unlike: 0,
            place: PairSpot::default(),
        }
    }

    /// The next event; `None` when both treedefs are read. Copies in which nothing differs are one event.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if there is no room for a level. No event follows it.
    pub(crate) fn next(&mut self) -> Option<Result<PairEvent<'f, 's>, Error>> {
        self.next_with(all_alike)
    }

    /// As [`Pair::next`], with another rule for copies: see [`Pair::read`].
    #[inline]
    pub(crate) fn next_with(
        &mut self,
        copies: impl Fn(usize, bool, u32, u32) -> u32,
    ) -> Option<Result<PairEvent<'f, 's>, Error>> {
        match self.settle()? {
            Ok(()) => self.read(copies).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }

    /// The places of the children of the last event; for a repeat, of the first copies.
    pub(crate) const fn place(&self) -> PairSpot {
        self.place
    }

    /// The numbers of leaves that were read or passed over, in the first treedef and in the second.
    pub(crate) const fn leaves(&self) -> (u32, u32) {
        (self.first.spot.leaf, self.second.spot.leaf)
    }

    /// The numbers of remaining children in the innermost lists.
    pub(crate) const fn left(&self) -> (usize, usize) {
        (self.first.list.left(), self.second.list.left())
    }

    /// The index of the innermost list, which the last event was about.
    pub(crate) fn list(&self) -> usize {
        self.outer.len()
    }

    /// Adds the step to the node of the last event to `steps`, which are steps in the first treedef, whose bytes are `bytes`.
    /// `is_leaf` says whether the node is a leaf there.
    pub(crate) fn remember(&self, steps: &mut FirstSteps, bytes: &[u8], is_leaf: bool) {
        if let Some(parent) = self.around.checked_sub(1) {
            steps.pass(bytes, parent, &self.first.list, is_leaf, self.place.first);
        }
    }
}

/// The rule of [`Pair::next`] for copies.
pub(crate) const fn all_alike(_list: usize, alike: bool, count: u32, _leaves: u32) -> u32 {
    if alike { count } else { 0 }
}

/// The rule for copies that are read one by one.
pub(crate) const fn one_by_one(_list: usize, _alike: bool, _count: u32, _leaves: u32) -> u32 {
    0
}

/// The two halves of a step, `settle` and `read`, and what a deep comparison does between them.
impl<'f, 's> Pair<'f, 's> {
    /// Does the step that is `ahead`: opens lists or passes over nodes. Then closes lists that were read to their end. `None` if no
    /// list is left.
    ///
    /// # Errors
    ///
    /// As [`Pair::next`].
    #[inline]
    pub(crate) fn settle(&mut self) -> Option<Result<(), Error>> {
        match self.ahead {
            Ahead::Nothing => {}
            Ahead::Open(first, second) => {
                let lists = (self.first.list, self.second.list, self.around);
                (self.first.list, self.second.list) = (Siblings::new(first), Siblings::new(second));
                let is_chained = lists.0.is_done() && lists.1.is_done();
                if !is_chained && self.outer.push(lists).is_err() {
                    // The walk is at its end.
                    (self.first.list, self.second.list) = Default::default();
                    self.ahead = Ahead::Nothing;
                    self.outer.clear();
                    return Some(Err(TOO_MANY_PENDING));
                }
                self.around = self.around.wrapping_add(1);
            }
            Ahead::Pass(first, second) => {
                self.first.pass(first);
                self.second.pass(second);
            }
        }
        self.ahead = Ahead::Nothing;
        while self.left() == (0, 0) {
            // Goes on after the copies at the end of a list.
            self.first.cursor.end(&self.first.list);
            self.second.cursor.end(&self.second.list);
            (self.first.list, self.second.list, self.around) = self.outer.pop()?;
        }
        Some(Ok(()))
    }

    /// Reads the next child of both innermost lists, or copies on both sides. Each list has a remaining child.
    ///
    /// The next `count` children of both are copies of the last child. `copies(list, alike, count, leaves)` decides how many of
    /// them are one event. `list` is the index of the list, `alike` means that nothing differed in the last child, and that
    /// child has `leaves` leaves in the first treedef.
    #[inline]
    pub(crate) fn read(
        &mut self,
        copies: impl Fn(usize, bool, u32, u32) -> u32,
    ) -> Option<PairEvent<'f, 's>> {
        let list = self.list();
        self.place = PairSpot { first: self.first.spot, second: self.second.spot };
        if let Some((ours, first)) = self.first.cursor.repeats(&self.first.list)
            && let Some((theirs, second)) = self.second.cursor.repeats(&self.second.list)
            && let count @ 1.. = copies(list, self.unlike <= list, ours.min(theirs), first)
        {
            self.first.skip_copies(count, first);
            self.second.skip_copies(count, second);
            return Some(PairEvent::Repeat(count));
        }
        self.unlike = self.unlike.min(list);
        let first = self.first.cursor.next(&mut self.first.list)?;
        let second = self.second.cursor.next(&mut self.second.list)?;
        Some(self.compare(first, second))
    }

    /// Passes over the next child of the first alone.
    pub(crate) fn skip_first(&mut self) {
        self.place = PairSpot { first: self.first.spot, second: self.second.spot };
        let _ = self.first.skip();
    }

    /// Passes over the next child of the second alone.
    pub(crate) fn skip_second(&mut self) {
        self.place = PairSpot { first: self.first.spot, second: self.second.spot };
        let _ = self.second.skip();
    }

    /// Passes over the copies of the child that was passed over last, on the side that has more remaining children.
    pub(crate) fn skip_copies(&mut self) {
        if let Some((count, leaves)) = self.first.cursor.repeats(&self.first.list) {
            self.first.skip_copies(count, leaves);
        } else if let Some((count, leaves)) = self.second.cursor.repeats(&self.second.list) {
            self.second.skip_copies(count, leaves);
        }
    }

    /// Sends the walk into the two nodes of the last event, which have `first` and `second` children. Returns the index of the list
    /// of these children.
    pub(crate) fn enter(&mut self, first: u32, second: u32) -> usize {
        self.first.spot = self.first.spot.after_head();
        self.second.spot = self.second.spot.after_head();
        self.open(first, second)
    }

    fn open(&mut self, first: u32, second: u32) -> usize {
        self.ahead = Ahead::Open(first, second);
        let chained = self.first.list.is_done() && self.second.list.is_done();
        self.outer.len().saturating_add(usize::from(!chained))
    }

    /// Sends the walk into the node of the first that was read last, which has one child. The node of the second is
    /// read again; `leaf` says whether it is a leaf.
    pub(crate) fn enter_first(&mut self, leaf: bool) {
        self.first.spot = self.first.spot.after_head();
        self.second.cursor.take_back(&self.second.list, leaf);
        self.open(1, 1);
    }

    /// As [`Pair::enter_first`], into the node of the second.
    pub(crate) fn enter_second(&mut self, leaf: bool) {
        self.second.spot = self.second.spot.after_head();
        self.first.cursor.take_back(&self.first.list, leaf);
        self.open(1, 1);
    }

    /// Compares two nodes that were just read.
    fn compare(&mut self, first: Head<'f>, second: Head<'s>) -> PairEvent<'f, 's> {
        let (ours, theirs) = (first == Head::LEAF, second == Head::LEAF);
        if first == second && !ours {
            match first.arity() {
                // Nothing follows, so no list is opened.
                0 => {
                    self.first.spot = self.first.spot.after_head();
                    self.second.spot = self.second.spot.after_head();
                }
                children => _ = self.enter(children, children),
            }
            return PairEvent::Enter(first);
        }
        match self.relation {
            _ if ours && theirs => {
                self.first.pass(true);
                self.second.pass(true);
                PairEvent::Leaf
            }
            Relation::Prefix | Relation::Common if ours => {
                self.first.pass(true);
                PairEvent::LeftLeaf(self.second.pass(false))
            }
            Relation::Common if theirs => {
                self.second.pass(true);
                PairEvent::RightLeaf(self.first.pass(false))
            }
            _ => {
                self.unlike = self.list().saturating_add(1);
                self.ahead = Ahead::Pass(ours, theirs);
                let (first, second) = (self.first.last_node(ours), self.second.last_node(theirs));
                PairEvent::Differ { first, second }
            }
        }
    }
}
