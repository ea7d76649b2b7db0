//! Pairs the arrays of the leaves of two structures by the paths of the leaves.

use core::iter;
use core::ops::Range;

use super::difference::KeyDifference;
use super::key::CallKey;
use super::part::{Part, Parts};
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::Head;
use crate::treedef::deep::{ChildOf, Deep};
use crate::treedef::pair::{PairEvent, Relation, all_alike};
use crate::treedef::treedef::TreeDef;

/// The rest of a key.
#[derive(Clone)]
pub(super) struct Side<'a> {
    parts: Parts<'a>,
    /// The number of parts before it.
    pub(super) read: u32,
}

debug_struct!([] Side<'_> { read });

impl<'a> Side<'a> {
    pub(super) const fn new(key: CallKey<'a>) -> Self {
        Self { parts: key.parts(), read: 0 }
    }

    /// Returns the next part.
    pub(super) fn peek(&self) -> Option<Part<'a>> {
        self.clone().next().map(|(_, part)| part)
    }

    /// Whether one of the next named parts has this name. Looks at 16 parts, so that a comparison of keys is linear.
    pub(super) fn names(&self, name: &str) -> bool {
        self.parts
            .clone()
            .take(16)
            .any(|part| matches!(part, Part::Named { name: other, .. } if other == name))
    }

    /// Takes the arrays of the leaves of `def`, if exactly that number of arrays comes next.
    pub(super) fn arrays_of(&mut self, def: TreeDef<'a>) -> Option<Leaves<'a>> {
        let leaves = Leaves { def, next: 0, arrays: self.clone(), first: self.clone() };
        let is_array = |part| matches!(part, Some(Part::Array(_)));
        let all = (0..def.leaf_count()).all(|_| is_array(self.next().map(|(_, part)| part)));
        (all && !is_array(self.peek())).then_some(leaves)
    }
}

impl<'a> Iterator for Side<'a> {
    /// A part with its index.
    type Item = (u32, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (index, part) = (self.read, self.parts.next()?);
        self.read = index.saturating_add(1);
        Some((index, part))
    }
}

/// The arrays of the leaves of a structure.
#[derive(Clone)]
pub(super) struct Leaves<'a> {
    def: TreeDef<'a>,
    first: Side<'a>,
    /// The next leaf, and its array with those after it.
    next: u32,
    arrays: Side<'a>,
}

impl<'a> Leaves<'a> {
    /// The index of the array of a leaf in the key, and the array. Costs a scan from the array before, or of all arrays up
    /// to this one if it comes before.
    fn array(&mut self, leaf: u32) -> Option<(u32, Part<'a>)> {
        if leaf < self.next {
            (self.next, self.arrays) = (0, self.first.clone());
        }
        let passed = leaf.saturating_sub(self.next);
        self.next = leaf.saturating_add(1);
        self.arrays.nth(passed as usize)
    }
}

/// Compares the arrays of the leaves of two structures: first each expected array with the found one at the same path, then
/// the found arrays without a counterpart.
///
/// Paths are compared without [`Some`](crate::Kind::Some) and without the kinds of nodes.
#[derive(Clone)]
pub(super) struct Arrays<'a> {
    expected: Leaves<'a>,
    found: Leaves<'a>,
    /// The walk over both structures; `None` if they are equal.
    walk: Option<Deep<'a>>,
    /// The remaining leaves of the last step. Leaves of both structures belong together.
    leaves: (Range<u32>, Range<u32>),
    /// Whether this is the second walk, for found arrays without a counterpart.
    unexpected: bool,
}

impl<'a> Arrays<'a> {
    pub(super) fn new(expected: Leaves<'a>, found: Leaves<'a>) -> Self {
        let equal = expected.def == found.def;
        let walk = (!equal).then(|| by_path(expected.def, found.def));
        let all = if equal { 0..expected.def.leaf_count() } else { 0..0 };
        Self { expected, found, walk, leaves: (all.clone(), all), unexpected: false }
    }

    /// Compares the arrays of the next leaf. Returns `None` after the last.
    pub(super) fn compare(&mut self) -> Option<KeyDifference<'a>> {
        loop {
            let (expected, found) = (self.leaves.0.next(), self.leaves.1.next());
            let leaf = match (expected, found) {
                (Some(leaf), _) => (self.expected.def, leaf),
                (None, Some(leaf)) => (self.found.def, leaf),
                (None, None) if self.step() => continue,
                (None, None) => return None,
            };
            let expected = expected.and_then(|leaf| self.expected.array(leaf));
            let found = found.and_then(|leaf| self.found.array(leaf));
            let (index, _) = expected.or(found)?;
            let [expected, found] = [expected, found].map(|array| array.map(|(_, part)| part));
            return Some(KeyDifference { index, expected, found, leaf: Some(leaf) });
        }
    }

    /// Finds the next leaves. Returns `false` after both walks.
    fn step(&mut self) -> bool {
        let Some(walk) = &mut self.walk else { return false };
        match (next_leaves(walk), self.unexpected) {
            (Ok(Some(next)), false) if next.paired => self.leaves = (next.expected, next.found),
            (Ok(Some(next)), false) => self.leaves.0 = next.expected,
            (Ok(Some(next)), true) if next.paired => {}
            (Ok(Some(next)), true) => self.leaves.1 = next.found,
            (_, true) => return false,
            // The first walk gives the leaves that pair, and those that only the expected side has; it ends, also at an error. The
            // second one gives those that only the found side has.
            (_, false) => {
                *walk = by_path(self.expected.def, self.found.def);
                self.unexpected = true;
            }
        }
        true
    }
}

/// A walk for [`next_leaves`].
fn by_path<'a>(expected: TreeDef<'a>, found: TreeDef<'a>) -> Deep<'a> {
    Deep::new(expected, found, Relation::Equal)
}

/// The leaves of the next children of both, or of one side alone.
struct NextLeaves {
    expected: Range<u32>,
    found: Range<u32>,
    /// Whether the leaves of both belong together.
    paired: bool,
}

/// Takes a step of a walk.
fn next_leaves(walk: &mut Deep<'_>) -> Result<Option<NextLeaves>, Error> {
    let Some(step) = walk.step(all_alike).transpose()? else { return Ok(None) };
    let (place, mut end, mut paired) = (walk.pair.place(), walk.pair.leaves(), false);
    match step {
        ChildOf::Both(PairEvent::Differ { first, second })
            if !walk.enter(Head::trusted(first), Head::trusted(second)) =>
        {
            let [ours, theirs] = [first, second].map(|node| TreeDef::front(node).leaf_count());
            end = (end.0.wrapping_add(ours), end.1.wrapping_add(theirs));
        }
        ChildOf::Both(_) => paired = true,
        _ => {}
    }
    let (expected, found) = (place.first.leaf..end.0, place.second.leaf..end.1);
    Ok(Some(NextLeaves { expected, found, paired }))
}

/// Whether the walk over two structures comes to its end.
pub(super) fn can_be_walked(expected: TreeDef<'_>, found: TreeDef<'_>) -> bool {
    let mut walk = by_path(expected, found);
    expected == found
        || iter::from_fn(|| next_leaves(&mut walk).transpose()).all(|leaves| leaves.is_ok())
}
