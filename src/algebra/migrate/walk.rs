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
use crate::treedef::merge::{Match, is_sorted};
use crate::treedef::pair::{Event, Relation};
use crate::treedef::path::UNKNOWN;
use crate::treedef::scan::skip;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// What a walk finds.
#[expect(clippy::large_enum_variant, reason = "there is no heap, and one output at a time")]
pub(super) enum Output<'a> {
    /// `count` leaves that both have, from these indices on.
    Leaves {
        old: u32,
        new: u32,
        count: u32,
    },
    Report(Migration<'a>),
}

/// A walk over a new structure, which is the first of the pair, and an old one.
pub(super) struct Walk<'a, 't> {
    old: TreeDef<'a>,
    new: TreeDef<'a>,
    aliases: &'t [(&'t str, &'t str)],
    /// `None` if both are equal, and after an error.
    deep: Option<Deep<'a, Origin<'a>>>,
    /// The place of the next node of the old structure.
    spot: Spot,
    /// The number of open nodes for which the old side left its place.
    away: usize,
    /// The child of the old node to which the old side goes, over the children before it, and whether it is renamed.
    ahead: Option<(u32, bool)>,
    /// An output after the last one.
    next: Option<Output<'a>>,
}

impl<'a, 't> Walk<'a, 't> {
    pub(super) fn new(
        old: TreeDef<'a>,
        new: TreeDef<'a>,
        aliases: &'t [(&'t str, &'t str)],
    ) -> Self {
        let all = Output::Leaves { old: 0, new: 0, count: new.leaves() };
        let (deep, next) = match old == new {
            true => (None, Some(all)),
            false => (Some(Deep::new(new, old, Relation::Equal)), None),
        };
        Self { old, new, aliases, deep, spot: Spot::ROOT, away: 0, ahead: None, next }
    }

    /// The next output; `None` at the end. An error is the last one.
    pub(super) fn next(&mut self) -> Option<Result<Output<'a>, Error>> {
        loop {
            if let Some(output) = self.next.take() {
                return Some(Ok(output));
            }
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

    /// Takes a step. Its output comes before `self.next`.
    fn step(&mut self) -> Option<Result<Option<Output<'a>>, Error>> {
        if self.away > 0
            && let Err(error) = self.come_back()?
        {
            return Some(Err(error));
        }
        if let Some((index, renamed)) = self.ahead {
            return self.go_to(index, renamed);
        }
        let step = self.deep.as_mut()?.step(|_, alike| alike, |_, count, _| count)?;
        match step {
            Ok(Step::Both(event)) => Some(self.both(event)),
            Ok(Step::First(name)) => self.new_child(name),
            Ok(Step::Second(name)) => Some(Ok(self.old_child(name))),
            Err(error) => Some(Err(error)),
        }
    }

    /// The same place in both: leaves are moved, and nodes that differ are compared.
    #[inline]
    fn both(&mut self, event: Event<'a, 'a>) -> Result<Option<Output<'a>>, Error> {
        let Some(deep) = &self.deep else { return Ok(None) };
        let old = self.spot.leaf;
        let (new, count) = match event {
            Event::Leaf => (deep.pair().place().first.leaf, 1),
            Event::Repeat(_) => {
                // Nothing differs in the copies, so they have equally many leaves.
                let (new, end) = deep.pair().leaves();
                let count = end.wrapping_sub(old);
                self.spot.leaf = end;
                return Ok(Some(Output::Leaves { old, new: new.wrapping_sub(count), count }));
            }
            Event::Differ { first, second } => return self.differ(first, second),
            _ => {
                self.spot = self.spot.after_head();
                return Ok(None);
            }
        };
        self.spot = self.spot.after_leaves(1);
        Ok(Some(Output::Leaves { old, new, count }))
    }

    /// Compares two nodes whose heads differ. The walk goes into them if they have one kind and one type.
    fn differ(&mut self, first: &'a [u8], second: &'a [u8]) -> Result<Option<Output<'a>>, Error> {
        let Some(deep) = &mut self.deep else { return Ok(None) };
        let (new, old) = (Head::trusted(first), Head::trusted(second));
        let place = deep.pair().place();
        let nodes = Difference::of_nodes(self.new, place, first, second);
        let start = (deep.pair().second().0, self.spot.after_head());
        let sorted = is_sorted(&new) && is_sorted(&old);
        let origin = Origin { new, old, sorted, start, back: None };
        match (new.kind() == Kind::Some, old.kind() == Kind::Some) {
            (false, false) | (true, true) => {}
            (_, old_is_some) => {
                if old_is_some {
                    self.spot = self.spot.after_head();
                }
                deep.enter(first, second, Match::Sources, origin);
                return Ok(None);
            }
        }
        let is_alias = |(from, to): &(&str, &str)| {
            old.type_name() == Some(from) && new.type_name() == Some(to)
        };
        let same_type = new.type_name() == old.type_name();
        if new.kind() != old.kind() || !(same_type || self.aliases.iter().any(is_alias)) {
            if let Some(node) = skip(second) {
                self.spot = self.spot.after_node(&node);
            }
            return Ok(Some(Output::Report(Migration::Replaced(nodes))));
        }
        self.spot = self.spot.after_head();
        match (new.arity(), old.arity()) {
            (0, 0) => {}
            (first @ 0, second) | (first, second @ 0) => {
                deep.pair.enter(first, second);
            }
            _ if deep.enter(first, second, Match::Sources, origin) => {}
            _ => return Err(Error::TooDeep { limit: u32::try_from(NESTED).unwrap_or(u32::MAX) }),
        }
        let same = same_type
            && new.meta_fields().eq(old.meta_fields())
            && new.aux() == old.aux()
            && new.factory() == old.factory();
        Ok((!same).then_some(Output::Report(Migration::Changed(nodes))))
    }

    /// The next child of the new node has no counterpart beside it: it is new, or its source is at another place or has
    /// another name.
    fn new_child(
        &mut self,
        name: Option<KeyEntry<'a>>,
    ) -> Option<Result<Option<Output<'a>>, Error>> {
        let deep = self.deep.as_mut()?;
        let (source, sorted) = match (name, deep.here()) {
            (Some(name), Some(origin)) => (origin.source(name, self.aliases), origin.sorted),
            _ => (None, false),
        };
        let Some((index, renamed)) = source else {
            let new = deep.skip_first();
            let place = deep.pair().place();
            let found = Found::at(self.new, new, place.first, place.node);
            return Some(Ok(Some(Output::Report(Migration::New(found)))));
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
    fn go_to(&mut self, index: u32, renamed: bool) -> Option<Result<Option<Output<'a>>, Error>> {
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
    fn matched(
        &mut self,
        event: Event<'a, 'a>,
        renamed: bool,
    ) -> Result<Option<Output<'a>>, Error> {
        let Some(deep) = self.deep.as_ref().filter(|_| renamed) else { return self.both(event) };
        let place = deep.pair().place();
        let (first, second) = match event {
            Event::Leaf => (LEAF_BYTES, LEAF_BYTES),
            Event::Differ { first, second } => (first, second),
            _ => deep.pair().last_nodes(),
        };
        let new = Found::at(self.new, front(first), place.first, place.node);
        let old = Found::at(self.old, front(second), self.spot, UNKNOWN);
        self.next = self.both(event)?;
        Ok(Some(Output::Report(Migration::Renamed { old, new })))
    }

    /// The next child of the old node has no counterpart beside it: it is lost, unless it is the source of a new child.
    fn old_child(&mut self, name: Option<KeyEntry<'a>>) -> Option<Output<'a>> {
        let deep = self.deep.as_mut()?;
        let index = deep.next_of_second().and_then(|next| next.checked_sub(1));
        let is_moved = match (name, index, deep.here()) {
            (Some(name), Some(index), Some(origin)) => origin.is_moved(name, index, self.aliases),
            _ => false,
        };
        let (old, tail) = deep.skip_second();
        let found = Found::at(self.old, old, self.spot, UNKNOWN);
        self.spot = self.spot.after(1, old.leaves(), tail);
        (!is_moved).then_some(Output::Report(Migration::Lost(found)))
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
        // One more child than there is, so that the walk does not close the list before the old side has come back.
        let (cursor, _) = deep.pair().second();
        deep.pair.second_to(cursor, deep.pair().second().1.with_left(2));
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
