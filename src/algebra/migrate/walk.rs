//! Walks over a new structure and an old one.
//!
//! This is a [`Deep`] walk over the new structure and the old one. The old side can leave its place to read a child that
//! has another place or another name there. For example, the new fields `gain, ff, limit` and the old fields
//! `limit, kp, kd`, with the alias `("kp", "gain")`:
//!
//! ```text
//! gain    is not in the old node, but its alias kp is: the old side passes over limit, the source of a later child
//! ff      is new
//! limit   the old side goes back there, and then to kd again
//! kd      is passed over, and lost
//! ```
//!
//! Nodes that are equal with all below them are passed over at once. To find them, a node is read to its end. That can be in
//! vain at each level of a deep tree, so the bytes that are read are paid with a credit: a look that succeeds adds its
//! bytes, one that fails takes them off, and without credit the walk goes into the node.
//!
//! The walk itself moves nothing. It returns ranges of leaves, so it does not depend on their type.

use crate::algebra::migrate::Migration;
use crate::algebra::migrate::names::Origin;
use crate::base::error::Error;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind, LEAF_BYTES};
use crate::treedef::cursor::Siblings;
use crate::treedef::deep::{Deep, NESTED, Step};
use crate::treedef::diff::{Difference, front};
use crate::treedef::find::Found;
use crate::treedef::merge::{Match, is_sorted, same_data, same_name};
use crate::treedef::pair::{Event, Place, Relation};
use crate::treedef::path::UNKNOWN;
use crate::treedef::scan::skip;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// The credit at the start, in bytes: enough for the first nodes of a model.
const FIRST_CREDIT: u32 = 256;

/// What each pair of equal heads adds to the credit.
const CREDIT: u32 = 4;

/// What a walk finds.
pub(super) enum Output {
    /// `count` leaves that both have, from these indices on.
    Leaves { old: u32, new: u32, count: u32 },
    /// The caller takes it from [`Walk::report`].
    Report,
}

/// The place of the last children, whose index is not known.
fn place<'a>(deep: &Deep<'a, Origin<'a>>) -> Place {
    Place { node: UNKNOWN, ..deep.pair().place() }
}

/// A walk over a new structure, which is the first of the pair, and an old one.
pub(super) struct Walk<'a, 't> {
    old: TreeDef<'a>,
    new: TreeDef<'a>,
    aliases: &'t [(&'t str, &'t str)],
    /// `None` if both are equal, and after an error.
    deep: Option<Deep<'a, Origin<'a>>>,
    /// The number of leaves to move, if both are equal.
    all: Option<u32>,
    /// The place of the next node of the old structure.
    spot: Spot,
    /// The number of bytes that may be read to find out whether two nodes are equal.
    credit: u32,
    /// The number of open nodes for which the old side left its place.
    away: usize,
    /// The child of the old node to which the old side goes, over the children before it, and whether it is renamed.
    ahead: Option<(u32, bool)>,
    /// What was found at a renamed child whose new name was reported.
    renamed: Option<Event<'a, 'a>>,
    /// What is reported with the last output. It is kept here because it is much larger than an output.
    pub(super) report: Option<Migration<'a>>,
}

impl<'a, 't> Walk<'a, 't> {
    pub(super) fn new(
        old: TreeDef<'a>,
        new: TreeDef<'a>,
        aliases: &'t [(&'t str, &'t str)],
    ) -> Self {
        let deep = (old != new).then(|| Deep::new(new, old, Relation::Equal));
        let all = deep.is_none().then_some(new.leaves());
        let (spot, ahead, renamed, report) = (Spot::ROOT, None, None, None);
        let (credit, away) = (FIRST_CREDIT, 0);
        Self { old, new, aliases, deep, all, spot, credit, away, ahead, renamed, report }
    }

    /// The next output; `None` at the end. An error is the last one.
    pub(super) fn next(&mut self) -> Option<Result<Output, Error>> {
        loop {
            match self.step()? {
                Ok(None) => {}
                Ok(Some(output)) => return Some(Ok(output)),
                Err(error) => {
                    self.deep = None;
                    return Some(Err(error));
                }
            }
        }
    }

    /// Reports a place.
    fn report(&mut self, place: Migration<'a>) -> Option<Output> {
        self.report = Some(place);
        Some(Output::Report)
    }

    /// Takes a step.
    fn step(&mut self) -> Option<Result<Option<Output>, Error>> {
        if let Some(event) = self.renamed {
            self.renamed = None;
            return Some(self.both(event));
        }
        if self.away > 0
            && let Err(error) = self.come_back()?
        {
            return Some(Err(error));
        }
        if let Some((index, renamed)) = self.ahead {
            return self.go_to(index, renamed);
        }
        let Some(deep) = &mut self.deep else {
            let count = self.all.take()?;
            return Some(Ok(Some(Output::Leaves { old: 0, new: 0, count })));
        };
        match deep.step(|_, alike| alike, |_, count, _| count)? {
            Ok(Step::Both(event)) => Some(self.both(event)),
            Ok(Step::First(name)) => self.new_child(name),
            Ok(Step::Second(name)) => Some(Ok(self.old_child(name))),
            Err(error) => Some(Err(error)),
        }
    }

    /// The same place in both: leaves are moved, and nodes that differ are compared.
    #[inline]
    fn both(&mut self, event: Event<'a, 'a>) -> Result<Option<Output>, Error> {
        let Some(deep) = &mut self.deep else { return Ok(None) };
        let old = self.spot.leaf;
        let (new, count) = match event {
            Event::Leaf => {
                let new = deep.pair().place().first.leaf;
                let is_away = deep.here().is_some_and(|origin| origin.back.is_some());
                let more = if is_away { 0 } else { deep.take_leaves() };
                (new, more.wrapping_add(1))
            }
            Event::Repeat(_) => {
                // Nothing differs in the copies, so they have equally many leaves.
                let (new, end) = deep.pair().leaves();
                let count = end.wrapping_sub(old);
                self.spot.leaf = end;
                return Ok(Some(Output::Leaves { old, new: new.wrapping_sub(count), count }));
            }
            Event::Differ { first, second } => return self.differ(first, second),
            Event::Enter(head) if head.arity() > 0 => {
                let new = deep.pair().place().first.leaf;
                self.credit = self.credit.saturating_add(CREDIT);
                let Some(node) = deep.pair.take_equal(&mut self.credit) else {
                    self.spot = self.spot.after_head();
                    return Ok(None);
                };
                self.spot = node.end(self.spot);
                return Ok(Some(Output::Leaves { old, new, count: node.leaves }));
            }
            _ => {
                self.spot = self.spot.after_head();
                return Ok(None);
            }
        };
        self.spot = self.spot.after_leaves(count);
        Ok(Some(Output::Leaves { old, new, count }))
    }

    /// Compares two nodes whose heads differ. The walk goes into them if they have one kind and one type.
    fn differ(&mut self, first: &'a [u8], second: &'a [u8]) -> Result<Option<Output>, Error> {
        let Some(deep) = &mut self.deep else { return Ok(None) };
        let (new, old) = (Head::trusted(first), Head::trusted(second));
        let place = place(deep);
        let nodes = |def| Difference::of_nodes(def, place, first, second);
        let start = (deep.pair().second().0, self.spot.after_head());
        let sorted = is_sorted(&new) && is_sorted(&old);
        let origin = Origin { new, old, sorted, start, back: None };
        match (new.kind() == Kind::Some, old.kind() == Kind::Some) {
            (false, false) | (true, true) => {}
            (_, old_is_some) => {
                if old_is_some {
                    self.spot = self.spot.after_head();
                }
                deep.enter(new, old, Match::Sources, origin);
                return Ok(None);
            }
        }
        let is_alias = |(from, to): &(&str, &str)| {
            old.type_name() == Some(from) && new.type_name() == Some(to)
        };
        let same_type = same_name(&new, &old);
        if new.kind() != old.kind() || !(same_type || self.aliases.iter().any(is_alias)) {
            if let Some(node) = skip(second) {
                self.spot = node.end(self.spot);
            }
            return Ok(self.report(Migration::Replaced(nodes(self.new))));
        }
        self.spot = self.spot.after_head();
        match (new.arity(), old.arity()) {
            (0, 0) => {}
            (first @ 0, second) | (first, second @ 0) => {
                deep.pair.enter(first, second);
            }
            _ if deep.enter(new, old, Match::Sources, origin) => {}
            _ => return Err(Error::TooDeep { limit: u32::try_from(NESTED).unwrap_or(u32::MAX) }),
        }
        let same = same_type && same_data(&new, &old);
        Ok(if same { None } else { self.report(Migration::Changed(nodes(self.new))) })
    }

    /// The next child of the new node has no counterpart beside it: it is new, or its source is at another place or has
    /// another name.
    fn new_child(&mut self, name: Option<KeyEntry<'a>>) -> Option<Result<Option<Output>, Error>> {
        let deep = self.deep.as_mut()?;
        let (source, sorted) = match (name, deep.here()) {
            (Some(name), Some(origin)) => (origin.source(name, self.aliases), origin.sorted),
            _ => (None, false),
        };
        let Some((index, renamed)) = source else {
            let new = deep.skip_first();
            let place = place(deep);
            let found = Found::at(self.new, new, place.first, place.node);
            return Some(Ok(self.report(Migration::New(found))));
        };
        // If the names are sorted, the children on the way are the counterparts of later ones.
        if deep.next_of_second()? == index || !sorted && deep.next_of_second()? < index {
            return self.go_to(index, renamed);
        }
        let event = self.jump(index)?;
        Some(self.matched(event, renamed))
    }

    /// Goes to the child of the old node with this index, which comes later, and reads it together with the next child
    /// of the new node.
    fn go_to(&mut self, index: u32, renamed: bool) -> Option<Result<Option<Output>, Error>> {
        let deep = self.deep.as_mut()?;
        if deep.next_of_second()? < index {
            self.ahead = Some((index, renamed));
            let name = deep.step_second();
            return Some(Ok(self.old_child(name)));
        }
        self.ahead = None;
        let event = deep.take_second()?;
        Some(self.matched(event, renamed))
    }

    /// A new child and its source.
    fn matched(&mut self, event: Event<'a, 'a>, renamed: bool) -> Result<Option<Output>, Error> {
        let Some(deep) = self.deep.as_ref().filter(|_| renamed) else { return self.both(event) };
        let place = place(deep);
        let (first, second) = match event {
            Event::Leaf => (LEAF_BYTES, LEAF_BYTES),
            Event::Differ { first, second } => (first, second),
            _ => deep.pair().last_nodes(),
        };
        let new = Found::at(self.new, front(first), place.first, place.node);
        let old = Found::at(self.old, front(second), self.spot, UNKNOWN);
        self.renamed = Some(event);
        Ok(self.report(Migration::Renamed { old, new }))
    }

    /// The next child of the old node has no counterpart beside it: it is lost, unless it is the source of a new child.
    fn old_child(&mut self, name: Option<KeyEntry<'a>>) -> Option<Output> {
        let deep = self.deep.as_mut()?;
        let index = deep.next_of_second().and_then(|next| next.checked_sub(1));
        let is_moved = match (name, index, deep.here()) {
            (Some(name), Some(index), Some(origin)) => origin.is_moved(name, index, self.aliases),
            _ => false,
        };
        let (old, tail) = deep.skip_second();
        let found = Found::at(self.old, old, self.spot, UNKNOWN);
        self.spot = self.spot.after(1, old.leaves(), tail);
        if is_moved { None } else { self.report(Migration::Lost(found)) }
    }

    /// Reads the next child of the new node together with the child of the old node with this index.
    fn jump(&mut self, index: u32) -> Option<Event<'a, 'a>> {
        let deep = self.deep.as_mut()?;
        let (cursor, list) = deep.pair().second();
        let origin = deep.here()?;
        origin.back = Some((cursor, list, self.spot));
        let (old, (cursor, spot)) = (origin.old, origin.start);
        self.away = self.away.saturating_add(1);
        self.spot = spot;
        deep.pair.second_to(cursor, Siblings::of(&old));
        for _ in 0..index {
            let (node, tail) = deep.pair.skip_second();
            self.spot = self.spot.after(1, node.leaves(), tail);
        }
        let (cursor, list) = deep.pair().second();
        deep.pair.second_to(cursor, list.one_and_back());
        deep.pair.read(|_, _| false, |_, count, _| count)
    }

    /// After a child for which the old side left its place: goes back to that place. Several such children can end here,
    /// each inside the next one.
    fn come_back(&mut self) -> Option<Result<(), Error>> {
        let deep = self.deep.as_mut()?;
        loop {
            if let Err(error) = deep.pair.settle()? {
                return Some(Err(error));
            }
            let Some((cursor, list, spot)) = deep.here().and_then(|origin| origin.back.take())
            else {
                return Some(Ok(()));
            };
            deep.pair.second_to(cursor, list);
            deep.pop_before((0, 0));
            self.spot = spot;
            self.away = self.away.saturating_sub(1);
        }
    }
}
