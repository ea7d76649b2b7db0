//! Compares two treedefs also below nodes that differ, if both nodes have children with the same names.
//!
//! This is a [`Pair`] that can be sent into the two nodes of an [`Event::Differ`]. For example, `{"a": *, "b": [*, *]}`
//! and `{"b": [*, None], "c": *}`:
//!
//! ```text
//! Differ   the dicts: the walk is sent into them, and their keys are merged
//!          'a' is passed over, which only the first has
//! Enter    the lists at ['b']
//! Leaf     ['b'][0]
//! Differ   ['b'][1]
//!          'c' is passed over, which only the second has
//! ```
//!
//! Each [`Merge`] in `merges` belongs to the lists of its depth. It is removed when their last child is read. Lists
//! without a merge are matched by position, and the end of the longer one is passed over.

use core::ops::Range;

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::treedef::merge::{Match, Merge, Next, same_children};
use crate::treedef::pair::{Event, Pair, Relation};
use crate::treedef::treedef::TreeDef;

/// The number of nested nodes with different names that a walk enters. More than two are rare.
pub(crate) const NESTED: usize = 8;

/// A walk over two treedefs that can be sent into nodes that differ. `T` is kept with each merge.
#[derive(Clone)]
pub(crate) struct Deep<'a, T = ()> {
    pub(crate) pair: Pair<'a, 'a>,
    merges: Levels<Named<'a, T>, NESTED>,
}

/// Open nodes with different names.
#[derive(Clone)]
struct Named<'a, T> {
    /// The number of lists that are open with the children of these nodes.
    depth: usize,
    merge: Merge<'a>,
    with: T,
}

/// A step of a walk.
pub(crate) enum Step<'a> {
    /// The same place in both.
    Both(Event<'a, 'a>),
    /// The next child of the first has no counterpart here. Its name, if the children have names. The caller passes over
    /// it by [`Deep::skip_first`], or finds a counterpart.
    First(Option<KeyEntry<'a>>),
    /// The next child of the second has no counterpart here. The caller passes over it by [`Deep::skip_second`].
    Second(Option<KeyEntry<'a>>),
}

impl<'a, T> Deep<'a, T> {
    /// Starts at the roots.
    pub(crate) fn new(first: TreeDef<'a>, second: TreeDef<'a>, relation: Relation) -> Self {
        Self { pair: Pair::new(first, second, relation), merges: levels::empty() }
    }

    /// The walk itself.
    pub(crate) const fn pair(&self) -> &Pair<'a, 'a> {
        &self.pair
    }

    /// As [`Pair::next_with`]: passes over all children that only one side has. Copies in lists whose children are
    /// matched by name are always read one by one, because they can have different names.
    pub(crate) fn next_with(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Event<'a, 'a>, Error>> {
        loop {
            match self.step(&keep_runs, &some)? {
                Ok(Step::Both(event)) => return Some(Ok(event)),
                Ok(Step::First(Some(_))) => drop(self.skip_first()),
                Ok(Step::Second(Some(_))) => drop(self.skip_second()),
                Ok(Step::First(None) | Step::Second(None)) => self.pair.skip_longer(),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// The next step.
    #[inline]
    pub(crate) fn step(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Step<'a>, Error>> {
        if let Err(error) = self.pair.settle()? {
            return Some(Err(error));
        }
        let Some(Named { merge, .. }) = self.named() else {
            return Some(Ok(match self.pair.left() {
                (0, _) => Step::Second(None),
                (_, 0) => Step::First(None),
                _ => Step::Both(self.pair.read(keep_runs, some)?),
            }));
        };
        Some(Ok(match merge.next()? {
            Next::Both => Step::Both(self.read_both()?),
            Next::First(name) => Step::First(Some(name)),
            Next::Second(name) => Step::Second(Some(name)),
        }))
    }

    /// The innermost open nodes, if their children are matched by name.
    fn named(&mut self) -> Option<&mut Named<'a, T>> {
        self.merges.last_mut().filter(|named| named.depth == self.pair.depth())
    }

    /// What is kept with the innermost open nodes, if their children are matched by name.
    pub(crate) fn here(&mut self) -> Option<&mut T> {
        self.named().map(|named| &mut named.with)
    }

    /// The index of the next child of the second, if the children are matched by name.
    pub(crate) fn next_of_second(&mut self) -> Option<u32> {
        self.named().map(|named| named.merge.second_index())
    }

    /// After a [`Step::First`]: reads the child of the first together with the next child of the second, which has
    /// another name.
    pub(crate) fn take_second(&mut self) -> Option<Event<'a, 'a>> {
        self.step_second();
        self.read_both()
    }

    /// Steps over the name of the next child of the second, and returns it. The caller then passes over the child.
    pub(crate) fn step_second(&mut self) -> Option<KeyEntry<'a>> {
        self.named()?.merge.step_second()
    }

    /// Reads the next child of both, whose names were passed.
    fn read_both(&mut self) -> Option<Event<'a, 'a>> {
        self.pop_before((1, 1));
        self.pair.read(|_, _| false, |_, count, _| count)
    }

    /// After leaves: steps over the next leaves of both that match, and returns their number.
    pub(crate) fn take_leaves(&mut self) -> u32 {
        let mut count = self.pair.leaves_in_runs();
        if self.named().is_none() {
            self.pair.take_leaves(count);
            return count;
        }
        let mut taken = 0u32;
        while count > 0 && self.named().is_some_and(|named| named.merge.take_same()) {
            self.pop_before((1, 1));
            self.pair.take_leaves(1);
            (count, taken) = (count.wrapping_sub(1), taken.wrapping_add(1));
        }
        taken
    }

    /// Passes over the next child of the first, as [`Pair::skip_first`].
    pub(crate) fn skip_first(&mut self) -> TreeDef<'a> {
        self.pop_before((1, 0));
        self.pair.skip_first()
    }

    /// Passes over the next child of the second, as [`Pair::skip_second`].
    pub(crate) fn skip_second(&mut self) -> (TreeDef<'a>, u32) {
        self.pop_before((0, 1));
        self.pair.skip_second()
    }

    /// Removes the merge if the children to come, these numbers, are the last. The lists in the last children take the
    /// level of these lists.
    pub(crate) fn pop_before(&mut self, last: (usize, usize)) {
        if self.pair.left() == last && self.named().is_some() {
            self.merges.pop();
        }
    }

    /// Goes into the nodes of the last event, an [`Event::Differ`], which have these heads, if children of both match.
    /// `with` is kept if the children are matched by name. Returns `false` if there is no room for that.
    pub(crate) fn enter(&mut self, first: Head<'a>, second: Head<'a>, by: Match, with: T) -> bool {
        let inside = [&first, &second].map(|head| by != Match::Types && head.kind() == Kind::Some);
        match inside {
            [true, false] => self.pair.enter_first(second == Head::LEAF),
            [false, true] => self.pair.enter_second(first == Head::LEAF),
            _ if first.arity() == 0 || second.arity() == 0 => {}
            _ if same_children(&first, &second, by) => {
                let _ = self.pair.enter(first.arity(), second.arity());
            }
            _ if self.merges.is_full() => return false,
            _ => {
                if let Some(merge) = Merge::of(&first, &second, by) {
                    let depth = self.pair.enter(first.arity(), second.arity());
                    let _ = self.merges.push(Named { depth, merge, with });
                }
            }
        }
        true
    }
}

/// The pairs of leaves that two treedefs have at the same path, by their indices. Both indices increase.
///
/// Paths are compared without [`Some`](Kind::Some) and without the kinds of nodes. Leaves under keys that changed
/// places in an ordered node, or below [`NESTED`] nodes with different names, are not found.
#[derive(Clone)]
pub(crate) struct LeafPairs<'a> {
    /// The walk over both, if the treedefs differ.
    walk: Option<Deep<'a>>,
    /// The leaves to come, if they are equal.
    same: Range<u32>,
}

impl<'a> LeafPairs<'a> {
    pub(crate) fn of(first: TreeDef<'a>, second: TreeDef<'a>) -> Self {
        let walk = (first != second).then(|| Deep::new(first, second, Relation::Equal));
        Self { walk, same: 0..first.leaves() }
    }
}

impl Iterator for LeafPairs<'_> {
    type Item = Result<(u32, u32), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(walk) = &mut self.walk else {
            return self.same.next().map(|leaf| Ok((leaf, leaf)));
        };
        loop {
            match walk.next_with(|_, _| false, |_, count, _| count)? {
                Ok(Event::Leaf) => {
                    let place = walk.pair.place();
                    return Some(Ok((place.first.leaf, place.second)));
                }
                Ok(Event::Differ { first, second }) => {
                    let (first, second) = (Head::trusted(first), Head::trusted(second));
                    walk.enter(first, second, Match::Paths, ());
                }
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
