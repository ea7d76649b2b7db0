//! Matches the children of two nodes by their names: keys, fields and child keys.
//!
//! Sorted names are merged in one pass. Other names are matched in the order of the first node. For example, the first
//! node has `gain, ff, limit` and the second `limit, gain, kd`:
//!
//! ```text
//! gain    is in both, but not the next one of the second: its child is read at its own place
//! ff      is in the first alone
//! limit   is in both, one beside the other
//! gain    is passed over, because its child was read before
//! kd      is in the second alone
//! ```
//!
//! Which child belongs to which depends on the names of the two nodes alone, not on the order of the walk.

use core::cmp::Ordering;

use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;

/// The number of names that are read in search of names that changed their place in a node. Two nodes of `n` names need up to `2 * n`
/// steps, each with two searches of up to `2 * n` names, so nodes of up to 2896 names are compared in any order.
const MAX_READ: u32 = 1 << 26;

/// The remaining names of two nodes.
#[derive(Clone)]
pub(crate) struct Names<'a> {
    first: Head<'a>,
    second: Head<'a>,
    ours: Entries<'a>,
    pub(crate) theirs: Entries<'a>,
    /// Whether the names of both are sorted.
    sorted: bool,
    /// The number of names that may still be read in a search.
    to_read: u32,
}

/// Which child is next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The next child of both.
    Both,
    /// The next child of the first, and the child of the second with this index, which is not the next one.
    Far { index: u32 },
    /// The next child of the first, which the second lacks.
    First,
    /// The next child of the second. The first lacks it, unless it `belongs` to an earlier or later child of the first.
    Second { belongs: bool },
    /// Unknown: too many names would be read.
    TooMany,
}

impl<'a> Names<'a> {
    pub(crate) fn of(first: Head<'a>, second: Head<'a>) -> Self {
        let sorted = is_sorted(&first) && is_sorted(&second);
        let (ours, theirs) = (first.entries(), second.entries());
        Self { first, second, ours, theirs, sorted, to_read: MAX_READ }
    }

    /// Steps over the next names; `None` if there are no more, and after [`Next::TooMany`].
    pub(crate) fn next(&mut self) -> Option<Next> {
        if self.to_read == 0 {
            return None;
        }
        let (mut ours, mut theirs) = (self.ours.clone(), self.theirs.clone());
        let next = match (ours.next(), theirs.next()) {
            (None, None) => return None,
            (Some(name), Some(other)) if name == other => Next::Both,
            (Some(name), Some(other)) if self.sorted && is_before(other, name) => {
                Next::Second { belongs: self.first_of(other).is_some() }
            }
            (Some(name), other) => self.next_of_first(name, other),
            (None, Some(other)) => Next::Second { belongs: self.first_of(other).is_some() },
        };
        if self.to_read == 0 {
            return Some(Next::TooMany);
        }
        if !matches!(next, Next::Second { .. }) {
            self.ours = ours;
        }
        if !matches!(next, Next::First | Next::Far { .. }) {
            self.theirs = theirs;
        }
        Some(next)
    }

    /// Which child is next, if the next child of the first has this name and the next child of the second has another.
    fn next_of_first(&mut self, name: KeyEntry<'_>, other: Option<KeyEntry<'_>>) -> Next {
        let Some(index) = self.second_of(name) else { return Next::First };
        if index == self.theirs.index() {
            return Next::Both;
        }
        // These names are not sorted. Of two that changed places, the one that is farther from its counterpart is read alone:
        // `is_near` says that the counterpart of the first is fewer names ahead in the second than the one at `other` is in the
        // first.
        let (here, there) = (self.ours.index(), self.theirs.index());
        let is_near =
            |other: u32| index > there && index.wrapping_sub(there) < other.wrapping_sub(here);
        match other.map(|other| self.first_of(other)) {
            Some(None) => Next::Second { belongs: false },
            Some(Some(other)) if other < here || is_near(other) => Next::Second { belongs: true },
            _ => Next::Far { index },
        }
    }

    /// The index of the child of the second that belongs to the next child of the first, which has this name.
    fn second_of(&mut self, name: KeyEntry<'_>) -> Option<u32> {
        self.find(name, self.second, (self.first, self.ours.index()))
    }

    /// The index of the child of the first that the next child of the second belongs to, which has this name.
    fn first_of(&mut self, name: KeyEntry<'_>) -> Option<u32> {
        self.find(name, self.first, (self.second, self.theirs.index()))
    }

    /// Searches a name that is not side by side with its like among the children of `head`; it is the name of the child `index` of `own`. If
    /// the names are sorted, `head` lacks it.
    fn find(
        &mut self,
        name: KeyEntry<'_>,
        head: Head<'a>,
        (own, index): (Head<'a>, u32),
    ) -> Option<u32> {
        if self.sorted {
            return None;
        }
        // One that is found is searched in its own node, too.
        self.to_read = self.to_read.saturating_sub(head.arity().saturating_mul(2));
        let found = if self.to_read > 0 { head.index_of(name) } else { None };
        // Of two children with one name, the first one.
        found.filter(|_| own.index_of(name) == Some(index))
    }
}

/// The text of a name that an alias can have.
pub(crate) fn text(name: KeyEntry<'_>) -> Option<&str> {
    match name {
        KeyEntry::Attr(text) | KeyEntry::Raw(text) | KeyEntry::Key(Value::Str(text)) => Some(text),
        _ => None,
    }
}

/// A name of the same kind with another text.
pub(crate) fn with_text<'n>(name: KeyEntry<'_>, text: &'n str) -> KeyEntry<'n> {
    match name {
        KeyEntry::Attr(_) => KeyEntry::Attr(text),
        KeyEntry::Raw(_) => KeyEntry::Raw(text),
        _ => KeyEntry::Key(Value::Str(text)),
    }
}

/// The `names` that `others` lack. One pass over both if they are `sorted`, or in the same order; otherwise one pass
/// over the `others` for each name that is not next to the one found before. The first `searches` of these are searched; `None` says
/// that there are more.
pub(crate) fn without<'a, I, J>(
    names: I,
    others: J,
    sorted: bool,
    searches: u32,
) -> impl Iterator<Item = Option<KeyEntry<'a>>> + Clone
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
    J: Iterator<Item = KeyEntry<'a>> + Clone,
{
    let (mut others, mut is_cut) = (Searched::new(others, searches), false);
    let mut is_missing = move |name: KeyEntry<'a>| {
        if sorted {
            // The remaining names are after the last one that is too small.
            let mut after = others.rest.clone();
            while let Some(other) = after.next() {
                if !is_before(other, name) {
                    return Some(other != name);
                }
                others.rest = after.clone();
            }
            return Some(true);
        }
        Some(others.find(|other| *other == name)?.is_none())
    };
    names.filter_map(move |name| match is_missing(name) {
        Some(missing) => missing.then_some(Some(name)),
        None => (!core::mem::replace(&mut is_cut, true)).then_some(None),
    })
}

/// Items that are searched in about their order.
#[derive(Clone)]
pub(crate) struct Searched<I> {
    all: I,
    /// The items after the last one that was found.
    rest: I,
    /// The number of searches that may still be made for items that are not the next ones.
    left: u32,
}

impl<I: Iterator + Clone> Searched<I> {
    pub(crate) fn new(all: I, searches: u32) -> Self {
        Self { rest: all.clone(), all, left: searches }
    }

    /// The next item that `is_it` accepts, or the first of all; `None` if there were too many searches.
    pub(crate) fn find(&mut self, is_it: impl Fn(&I::Item) -> bool) -> Option<Option<I::Item>> {
        let mut after = self.rest.clone();
        let mut found = after.next().filter(&is_it);
        if found.is_none() {
            self.left = self.left.checked_sub(1)?;
            found = after.find(&is_it);
        }
        if found.is_none() {
            after = self.all.clone();
            found = after.find(is_it);
        }
        if found.is_some() {
            self.rest = after;
        }
        Some(found)
    }
}

/// Whether two nodes are of one kind and one type name.
pub(crate) fn same_type(one: &Head<'_>, other: &Head<'_>) -> bool {
    one.kind() == other.kind() && one.type_name() == other.type_name()
}

/// Whether two nodes of one kind have equal data: meta fields, aux data, default factory.
pub(crate) fn same_data(one: &Head<'_>, other: &Head<'_>) -> bool {
    match one.kind() {
        Kind::Struct => one.meta() == other.meta(),
        Kind::Custom => one.aux() == other.aux(),
        Kind::DefaultDict => one.factory() == other.factory(),
        _ => true,
    }
}

/// Whether the children of two nodes that differ are matched by position: their names are the same in the same order, or
/// are positions. Then one of the nodes can have more children.
pub(crate) fn by_position(first: &Head<'_>, second: &Head<'_>) -> bool {
    if first.arity() == 0 || second.arity() == 0 {
        return true;
    }
    let (mut ours, mut theirs) = (first.entries(), second.entries());
    if first.has_positions() && second.has_positions() {
        // There can be billions of positions, and they are all equal if the first is.
        return ours.next() == theirs.next();
    }
    first.arity() == second.arity() && ours.eq(theirs)
}

/// Whether the names of a node's children increase.
pub(crate) fn is_sorted(head: &Head<'_>) -> bool {
    matches!(head.kind(), Kind::Dict | Kind::DefaultDict) || head.has_positions()
}

/// Whether a name comes before another in the order of sorted names.
pub(crate) fn is_before(name: KeyEntry<'_>, other: KeyEntry<'_>) -> bool {
    match (name, other) {
        (KeyEntry::Key(key), KeyEntry::Key(other)) => key.compare(other) == Some(Ordering::Less),
        (KeyEntry::FlatIndex(index), KeyEntry::FlatIndex(other))
        | (KeyEntry::Index(index), KeyEntry::Index(other)) => index < other,
        _ => false,
    }
}
