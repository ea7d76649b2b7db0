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
//! Each [`Merge`] in `merges` belongs to the lists of its depth. It is removed when their last child is read.

use core::ops::Range;

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::head::{Head, Kind};
use crate::treedef::merge::{Match, Merge, Next, same_children};
use crate::treedef::pair::{Event, Pair, Relation};
use crate::treedef::treedef::TreeDef;

/// The number of nested nodes with different names that a walk enters. More than two are rare.
const NESTED: usize = 8;

/// A walk over two treedefs that can be sent into nodes that differ.
#[derive(Clone)]
pub(crate) struct Deep<'a> {
    pair: Pair<'a, 'a>,
    /// Open nodes with different names, the innermost last, each with the number of lists that are open with it.
    merges: Levels<(usize, Merge<'a>), NESTED>,
}

impl<'a> Deep<'a> {
    /// Starts at the roots.
    pub(crate) fn new(first: TreeDef<'a>, second: TreeDef<'a>, relation: Relation) -> Self {
        Self { pair: Pair::new(first, second, relation), merges: levels::empty() }
    }

    /// The walk itself.
    pub(crate) const fn pair(&self) -> &Pair<'a, 'a> {
        &self.pair
    }

    /// As [`Pair::next_with`]. Copies in lists whose children are matched by name are always read one by one, because
    /// they can have different names.
    pub(crate) fn next_with(
        &mut self,
        keep_runs: impl Fn(usize, bool) -> bool,
        some: impl Fn(usize, u32, u32) -> u32,
    ) -> Option<Result<Event<'a, 'a>, Error>> {
        loop {
            if let Err(error) = self.pair.settle()? {
                return Some(Err(error));
            }
            let merge = self.merges.last_mut().filter(|(depth, _)| *depth == self.pair.depth());
            let Some((_, merge)) = merge else { return self.pair.read(keep_runs, some).map(Ok) };
            let next = merge.next();
            let last = match next {
                Next::Both => (1, 1),
                Next::First => (1, 0),
                Next::Second => (0, 1),
            };
            if self.pair.left() == last {
                self.merges.pop();
            }
            match next {
                Next::Both => return self.pair.read(|_, _| false, some).map(Ok),
                Next::First => self.pair.skip_first(),
                Next::Second => self.pair.skip_second(),
            }
        }
    }

    /// Goes into the nodes of the last event, an [`Event::Differ`], if children of both match.
    pub(crate) fn enter(&mut self, first: &'a [u8], second: &'a [u8], by: Match) {
        let (first, second) = (Head::trusted(first), Head::trusted(second));
        let inside = [&first, &second].map(|head| by == Match::Paths && head.kind() == Kind::Some);
        match inside {
            [true, false] => self.pair.enter_first(second == Head::LEAF),
            [false, true] => self.pair.enter_second(first == Head::LEAF),
            _ if first.arity() == 0 || second.arity() == 0 => {}
            _ if same_children(&first, &second, by) => {
                let _ = self.pair.enter(first.arity(), second.arity());
            }
            _ if self.merges.is_full() => {}
            _ => {
                if let Some(merge) = Merge::of(&first, &second, by) {
                    let depth = self.pair.enter(first.arity(), second.arity());
                    let _ = self.merges.push((depth, merge));
                }
            }
        }
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
                Ok(Event::Differ { first, second }) => walk.enter(first, second, Match::Paths),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
