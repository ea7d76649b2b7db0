//! Compares two treedefs also below nodes that differ, child by child, by the names of the children.
//!
//! This is a [`Pair`] that can be sent into the two nodes of a [`PairEvent::Differ`]. For example, `{"a": *, "b": [*, *]}`
//! and `{"b": [*, None], "c": *}`:
//!
//! ```text
//! Differ   the dicts: the walk is sent into them, and their names are matched
//! First    'a'
//! Enter    the lists at ['b']
//! Leaf     ['b'][0]
//! Differ   ['b'][1]
//! Second   'c'
//! ```
//!
//! Each [`OpenNames`] of `open` belongs to one list. It is removed when the last child of that list is read. Lists without
//! one are matched by position. A child of the second that is not the next one is read at its own place: the second side
//! leaves its place for it, and comes back after it.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::head::{Head, Kind};
use crate::treedef::names::{Names, Next, by_position};
use crate::treedef::pair::{Pair, PairEvent, Relation, Side, one_by_one};
use crate::treedef::treedef::TreeDef;

/// The number of nested nodes with different names that a walk enters. More than two are rare.
pub(crate) const NESTED: usize = 8;

/// A walk over two treedefs that can be sent into nodes that differ.
#[derive(Clone)]
pub(crate) struct Deep<'a> {
    pub(crate) pair: Pair<'a, 'a>,
    open: Levels<OpenNames<'a>, NESTED>,
}

/// Two open nodes with different names.
#[derive(Clone)]
struct OpenNames<'a> {
    /// The index of the list of the children of these nodes.
    list: usize,
    names: Names<'a>,
    /// The second side at its first child.
    start: Side<'a>,
    /// Where the second side continues after it left its place for a child elsewhere.
    back: Option<Side<'a>>,
}

/// The next child of a walk, and which of the nodes has it. [`Pair::place`] is its place.
pub(crate) enum ChildOf<'a> {
    /// A child of both.
    Both(PairEvent<'a, 'a>),
    /// A child of the first that the second lacks, and everything below it.
    First,
    /// A child of the second that the first lacks, and everything below it.
    Second,
}

impl<'a> Deep<'a> {
    /// Starts at the roots.
    pub(crate) fn new(first: TreeDef<'a>, second: TreeDef<'a>, relation: Relation) -> Self {
        Self { pair: Pair::new(first, second, relation), open: levels::empty() }
    }

    /// As [`Pair::next_with`]: passes over all children that only one side has.
    pub(crate) fn next_with(
        &mut self,
        copies: impl Fn(usize, bool, u32, u32) -> u32,
    ) -> Option<Result<PairEvent<'a, 'a>, Error>> {
        loop {
            match self.step(&copies)? {
                Ok(ChildOf::Both(event)) => return Some(Ok(event)),
                Ok(ChildOf::First | ChildOf::Second) if self.here().is_none() => {
                    self.pair.skip_copies()
                }
                Ok(ChildOf::First | ChildOf::Second) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// The next step. `copies` is as in [`Pair::read`]; copies in lists whose children are matched by name are always
    /// read one by one, because they can have different names.
    #[inline]
    pub(crate) fn step(
        &mut self,
        copies: impl Fn(usize, bool, u32, u32) -> u32,
    ) -> Option<Result<ChildOf<'a>, Error>> {
        loop {
            if let Err(error) = self.come_back()? {
                return Some(Err(error));
            }
            let Some(open) = self.here() else {
                return Some(Ok(match self.pair.left() {
                    (0, _) => {
                        self.pair.skip_second();
                        ChildOf::Second
                    }
                    (_, 0) => {
                        self.pair.skip_first();
                        ChildOf::First
                    }
                    _ => ChildOf::Both(self.pair.read(copies)?),
                }));
            };
            return Some(Ok(match open.names.next()? {
                Next::TooMany => return Some(Err(Error::TooManyNames)),
                Next::Both => {
                    self.close_before(1, 1);
                    ChildOf::Both(self.pair.read(one_by_one)?)
                }
                Next::Far { index } => {
                    self.go_to(index);
                    ChildOf::Both(self.pair.read(one_by_one)?)
                }
                Next::First => {
                    self.close_before(1, 0);
                    self.pair.skip_first();
                    ChildOf::First
                }
                Next::Second { belongs } => {
                    self.close_before(0, 1);
                    self.pair.skip_second();
                    if belongs {
                        continue;
                    }
                    ChildOf::Second
                }
            }));
        }
    }

    /// The innermost open nodes, if their children are matched by name.
    fn here(&mut self) -> Option<&mut OpenNames<'a>> {
        self.open.last_mut().filter(|open| open.list == self.pair.list())
    }

    /// Closes the innermost open nodes if these numbers of children, which are read next, are the last ones. The lists in
    /// the last children take the level of these lists.
    fn close_before(&mut self, first: usize, second: usize) {
        if self.pair.left() == (first, second) && self.here().is_some() {
            self.open.pop();
        }
    }

    /// Sends the second side to the child with this index: on from where it is, or, if it has passed that child, from the first child
    /// on. It remembers the place that it leaves.
    fn go_to(&mut self, index: u32) {
        let back = self.pair.second;
        let Some(open) = self.here() else { return };
        open.back = Some(back);
        let (mut side, passed) = match index.checked_sub(open.names.theirs.index()) {
            Some(ahead) => (back, ahead),
            None => (open.start, index),
        };
        for _ in 0..passed {
            side.skip();
        }
        self.pair.second = side.for_one();
    }

    /// After a child for which the second side left its place: goes back to that place. Several such children can end
    /// here, each inside the next one.
    fn come_back(&mut self) -> Option<Result<(), Error>> {
        loop {
            if let Err(error) = self.pair.settle()? {
                return Some(Err(error));
            }
            let Some(back) = self.here().and_then(|open| open.back.take()) else {
                return Some(Ok(()));
            };
            self.pair.second = back;
            self.close_before(0, 0);
        }
    }

    /// Goes into the nodes of the last event, a [`PairEvent::Differ`], which have these heads. [`Kind::Some`] around one of
    /// them is passed over. Returns `false` if one is a leaf, or if there is no room for the names of the children.
    pub(crate) fn enter(&mut self, first: Head<'a>, second: Head<'a>) -> bool {
        match (first.kind() == Kind::Some, second.kind() == Kind::Some) {
            (true, false) => self.pair.enter_first(second == Head::LEAF),
            (false, true) => self.pair.enter_second(first == Head::LEAF),
            _ if first == Head::LEAF || second == Head::LEAF => return false,
            _ if by_position(&first, &second) => _ = self.pair.enter(first.arity(), second.arity()),
            _ if self.open.is_full() => return false,
            _ => {
                let start = self.pair.second.at_children(&second);
                let list = self.pair.enter(first.arity(), second.arity());
                let names = Names::of(first, second);
                let _ = self.open.push(OpenNames { list, names, start, back: None });
            }
        }
        true
    }
}
