//! Two treedefs read side by side, in one preorder pass.
//!
//! Where both repeat the child just read, the copies are told as a number and not walked through; so two treedefs whose
//! repeats line up cost their bytes, others the expanded nodes of the smaller.
//!
//! A deep walk also goes into nodes that differ, as far as both have children under the same keys.

use crate::base::error::Error;
use crate::base::levels::{self, Level, Levels};
use crate::format::head::Head;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::merge::{Merge, Next, same_children};
use crate::treedef::treedef::TreeDef;

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
    /// Nodes with the same head; their children follow.
    Enter(Head<'f>),
    /// Leaves.
    Leaf,
    /// A leaf of the first, and this node of the second with all below it.
    Under(TreeDef<'s>),
    /// A leaf of the second, and this node of the first with all below it.
    Over(TreeDef<'f>),
    /// Two nodes that may not stand beside each other, with all below them. Where the walk goes into them, what both
    /// have under the same keys follows.
    Differ { first: TreeDef<'f>, second: TreeDef<'s> },
    /// So many more times what was told of the children told last; never where they differ.
    Repeat(u32),
}

/// Where the children stand that an [`Event`] is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The index of the node in the first treedef, in preorder with repeats written out.
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
pub(crate) const PAIR_DEPTH: usize = crate::format::validate::MAX_PENDING;

/// A walk over two treedefs.
///
/// A [deep](Pair::deepen) one goes into nodes that differ: into such with the same keys wherever they are, into
/// others where they stand in less than `M` of their like. With `M` = 0 there is no deep walk, nor the code of it.
#[derive(Clone)]
pub(crate) struct Pair<'f, 's, L = Levels<Lists, PAIR_DEPTH>, const M: usize = 0> {
    first: Cursor<'f>,
    second: Cursor<'s>,
    relation: Relation,
    /// Whether copies that line up are told as a number.
    folds: bool,
    /// The innermost open lists.
    lists: Lists,
    /// How many pairs of lists are open.
    depth: usize,
    /// Those around the innermost.
    outer: L,
    /// The children of the lists that are opened next, if there is room.
    opened: Option<(u32, u32)>,
    /// In how many of the lists, from the outermost on, something differed in the last child.
    unlike: usize,
    /// Whether the walk goes into nodes that differ.
    deep: bool,
    /// Open nodes with different keys, each with the number of lists that are open with it.
    merges: Levels<(usize, Merge), M>,
    place: Place,
    /// The nodes of the first that were read up to its last leaf.
    up_to_leaf: u32,
}

/// One open list of each side: 36 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lists {
    first: Siblings,
    second: Siblings,
    /// The nodes of the first before the last child.
    node: u32,
}

impl Lists {
    const fn of((first, second): (u32, u32)) -> Self {
        let (first, second) = (Siblings::new(first), Siblings::new(second));
        Self { first, second, node: 0 }
    }

    /// These lists in two levels, in a walk that goes into no nodes that differ: there both have as many children left.
    pub(crate) const fn pack(self) -> [Level; 2] {
        let [_, unit, copies, resume] = self.second.pack();
        [Level(self.first.pack()), Level([self.node, unit, copies, resume])]
    }

    /// The lists that were packed.
    pub(crate) const fn unpack([Level(first), Level(second)]: [Level; 2]) -> Self {
        let ([left, ..], [node, unit, copies, resume]) = (first, second);
        let second = Siblings::unpack([left, unit, copies, resume]);
        Self { first: Siblings::unpack(first), second, node }
    }
}

/// Where a walk keeps the lists around the innermost: a stack.
pub(crate) trait Outer {
    /// How many lists there may be with the innermost.
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

impl<'f, 's, const D: usize, const M: usize> Pair<'f, 's, Levels<Lists, D>, M> {
    /// Starts at the roots; copies are told as numbers.
    pub(crate) fn new(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self::on(levels::empty(), (first, second), relation, true)
    }

    /// The same, with copies walked through one by one.
    pub(crate) fn written_out(first: TreeDef<'f>, second: TreeDef<'s>, relation: Relation) -> Self {
        Self::on(levels::empty(), (first, second), relation, false)
    }
}

impl<'f, 's, L: Outer, const M: usize> Pair<'f, 's, L, M> {
    /// Starts at the roots, with a place for open lists; if it `folds`, copies are reported as numbers.
    pub(crate) fn on(
        outer: L,
        (first, second): (TreeDef<'f>, TreeDef<'s>),
        relation: Relation,
        folds: bool,
    ) -> Self {
        Self {
            first: Cursor::new(first),
            second: Cursor::new(second),
            relation,
            folds,
            lists: Lists::of((1, 1)),
            depth: 0,
            outer,
            opened: Some((1, 1)),
            unlike: 0,
            deep: false,
            merges: levels::empty(),
            place: Place { node: 0, rank: 0, first: 0, second: 0 },
            up_to_leaf: 0,
        }
    }

    /// Goes into nodes that differ from here on.
    pub(crate) const fn deepen(&mut self) {
        self.deep = true;
    }

    /// Where the children of the last event stand, or of a repeat the children it repeats, whose rank is not known.
    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Where the next children are.
    const fn next_place(&self) -> Place {
        let node = self.first.num_nodes_read();
        let rank = node.wrapping_sub(self.up_to_leaf);
        let (first, second) = (self.first.num_leaves_read(), self.second.num_leaves_read());
        Place { node, rank, first, second }
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

    /// What is next; `None` when both are read.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] where more levels are open than there is room for.
    pub(crate) fn next(&mut self) -> Option<Result<Event<'f, 's>, Error>> {
        let folds = self.folds;
        self.next_with(|_, alike| folds && alike, |_, count, _| count)
    }

    /// As [`Pair::next`], with other rules for copies that line up.
    ///
    /// `folds(list, alike)` says whether copies in the list with this index are reported as a number; `alike` means that
    /// nothing differed in the last child. `some(list, count, leaves)` says how many of `count` copies are, each of
    /// which has `leaves` leaves in the first treedef.
    #[inline]
    pub(crate) fn next_with(
        &mut self,
        folds: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Event<'f, 's>, Error>> {
        loop {
            if let Some(children) = self.opened.take() {
                let room = self.outer.room();
                if self.depth >= room {
                    self.depth = 0;
                    let limit = u32::try_from(room).unwrap_or(u32::MAX);
                    return Some(Err(Error::TooDeep { limit }));
                }
                if self.depth > 0 {
                    self.outer.push(self.lists);
                }
                self.lists = Lists::of(children);
                self.depth = self.depth.saturating_add(1);
            }
            let depth = self.depth;
            let outer = depth.checked_sub(1)?;
            let merges = self.align();
            let here = self.next_place();
            let lists = &mut self.lists;
            // Copies may stand under different keys.
            if !merges
                && folds(outer, self.unlike < depth)
                && let Some((ours, first)) = self.first.repeats(&lists.first)
                && let Some((theirs, second)) = self.second.repeats(&lists.second)
                && let count @ 1.. = some(outer, ours.min(theirs), first)
            {
                let nodes = here.node.wrapping_sub(lists.node);
                self.place = Place {
                    node: lists.node,
                    rank: 0,
                    first: here.first.wrapping_sub(first),
                    second: here.second.wrapping_sub(second),
                };
                self.up_to_leaf = self.up_to_leaf.wrapping_add(nodes.wrapping_mul(count));
                self.first.skip_repeats(&mut lists.first, count, (nodes, first));
                self.second.skip_repeats(&mut lists.second, count, (0, second));
                return Some(Ok(Event::Repeat(count)));
            }
            lists.node = here.node;
            self.unlike = self.unlike.min(outer);
            let heads = (self.first.next(&mut lists.first), self.second.next(&mut lists.second));
            let (Some(first), Some(second)) = heads else {
                self.close_merge();
                self.depth = outer;
                if let Some(lists) = self.outer.pop() {
                    self.lists = lists;
                }
                continue;
            };
            self.place = here;
            return Some(Ok(self.compare(first, second)));
        }
    }

    /// Tells of two nodes, and opens a level where their children are to be told.
    fn compare(&mut self, first: Head<'f>, second: Head<'s>) -> Event<'f, 's> {
        if first == second {
            if first == Head::LEAF {
                self.up_to_leaf = self.first.num_nodes_read();
                return Event::Leaf;
            }
            if first.arity() > 0 {
                self.open((first.arity(), second.arity()));
            }
            return Event::Enter(first);
        }
        let (mut ours_behind, mut theirs_behind) = (self.first, self.second);
        let (ours, tail) = ours_behind.take_node(&self.lists.first, &first);
        let (theirs, _) = theirs_behind.take_node(&self.lists.second, &second);
        let event = match self.relation {
            Relation::Prefix | Relation::Common if ours.is_leaf() => Event::Under(theirs),
            Relation::Common if theirs.is_leaf() => Event::Over(ours),
            _ => {
                self.unlike = self.depth;
                let event = Event::Differ { first: ours, second: theirs };
                if M > 0 && self.deep && self.go_into(&first, &second) {
                    return event;
                }
                event
            }
        };
        (self.first, self.second) = (ours_behind, theirs_behind);
        self.count_passed(ours, tail);
        event
    }

    /// Counts what is below a node of the first that was stepped over.
    fn count_passed(&mut self, node: TreeDef<'f>, tail: u32) {
        if node.is_leaf() {
            self.up_to_leaf = self.first.num_nodes_read();
            return;
        }
        self.first.count_nodes(node.node_count().wrapping_sub(1));
        if node.num_leaves() > 0 {
            self.up_to_leaf = self.first.num_nodes_read().wrapping_sub(tail);
        }
    }

    /// Opens a level for children, that of the list they are in if they end it on both sides.
    fn open(&mut self, children: (u32, u32)) {
        if self.lists.first.is_done() && self.lists.second.is_done() {
            self.lists = Lists::of(children);
            self.close_merge();
        } else {
            self.opened = Some(children);
        }
    }
}

impl<'f, 's, L: Outer, const M: usize> Pair<'f, 's, L, M> {
    /// Opens two nodes that differ if both have children under the same keys.
    fn go_into(&mut self, first: &Head<'f>, second: &Head<'s>) -> bool {
        if first.arity() == 0 || second.arity() == 0 {
            return false;
        }
        let mut merge = None;
        if !same_children(first, second) {
            if !self.merges.is_full() {
                let at = (self.lists.first.unit(), self.lists.second.unit());
                merge = Merge::of(first, second, at);
            }
            if merge.is_none() {
                return false;
            }
        }
        self.open((first.arity(), second.arity()));
        let open = self.depth.saturating_add(self.opened.iter().len());
        // There is room: that was seen before.
        merge.is_none_or(|merge| self.merges.push((open, merge)).is_ok())
    }

    /// The merge of the innermost list, if its children are matched by their keys.
    fn merge(&mut self) -> Option<&mut Merge> {
        let (depth, merge) = self.merges.last_mut()?;
        (*depth == self.depth).then_some(merge)
    }

    /// Ends the merge of the innermost list, if it has one.
    fn close_merge(&mut self) {
        if self.merge().is_some() {
            self.merges.pop();
        }
    }

    /// Steps over the children of the innermost list that only one side has, up to one that both have; `false` if its
    /// children are not matched by their keys.
    fn align(&mut self) -> bool {
        loop {
            let (first, second) = (self.first, self.second);
            let Some(merge) = self.merge() else { return false };
            let next = merge.next(&first, &second);
            let lists = &mut self.lists;
            match next {
                None | Some(Next::Both) => return true,
                Some(Next::First) => {
                    let Some(head) = self.first.next(&mut lists.first) else { return true };
                    let (node, tail) = self.first.take_node(&lists.first, &head);
                    self.count_passed(node, tail);
                }
                Some(Next::Second) => {
                    let Some(head) = self.second.next(&mut lists.second) else { return true };
                    self.second.take_node(&lists.second, &head);
                }
            }
        }
    }
}
