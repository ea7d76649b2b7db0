//! Makes a value of a type from a record of another version: its choices and its leaves.
//!
//! This walks the schema of the type. At each place it takes what is stored there, otherwise what the defaults have. Names decide,
//! as in [`migrate_typed`](crate::algebra::migrate_typed()): its walk gives the same value and the same counts, and reports of each
//! place, but needs both structures as treedefs. Here nodes are found in the stored bytes, so that it is small.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::levels::Levels;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::read::Around;
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::record::kind::with_value_of;
use crate::record::older::place::{ByPath, ConvertLeaf, Place, Task};
use crate::record::older::stored::{At, Children};
use crate::record::older::written::Written;
use crate::tree::migrate::aliases::Step;
use crate::tree::migrate::by_alias::Aliases;
use crate::tree::migrate::change::Migrated;
use crate::tree::migrate::making::inner;
use crate::tree::migrate::question::About;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::migrate::walk::MISMATCH;
use crate::tree::walk_path::LEVELS;

/// A value that is made.
pub(super) struct Making<'m, 'v, 'r, 'b> {
    pub(super) task: Task<'m, 'v>,
    pub(super) convert: Option<&'m mut ConvertLeaf<'m>>,
    pub(super) choices: &'m mut ChoiceBytes<'r>,
    pub(super) leaves: &'m mut Written<'b>,
    pub(super) way: Levels<u32, LEVELS>,
    pub(super) counts: Migrated,
    pub(super) error: Option<Error>,
}

/// The stored node of a place and that of its default, with their children.
pub(super) struct Both<'v> {
    pub(super) stored: Option<Children<'v>>,
    pub(super) default: Option<Children<'v>>,
}

/// The index of a child that a node does not have.
pub(super) const NONE: usize = usize::MAX;

/// A position in the value that is made: the numbers of bytes of choices and of leaves, the length of the way, and the counts.
#[derive(Clone, Copy)]
pub(super) struct Position {
    choices: usize,
    leaves: usize,
    way: usize,
    counts: Migrated,
}

impl<'v> Making<'_, 'v, '_, '_> {
    /// Makes the whole value.
    pub(super) fn whole(&mut self) -> Result<Migrated, Error> {
        let (schema, Aliases { stored, defaults, .. }) =
            (self.task.own_type.schema, self.task.aliases);
        let (stored, default) = (Some(stored), Some(defaults));
        let mut place = Place { stored, default, is_here: true, step: Step::ROOT };
        self.find(&mut place);
        self.task.aliases.top = place.stored.unwrap_or(self.task.aliases.top);
        let made = self.tree(&Around { schema, outer: None, levels: 0 }, &place);
        made.map(|()| self.counts).ok_or(self.error.unwrap_or(MISMATCH))
    }

    pub(super) fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.error.get_or_insert(error);
        None
    }

    #[inline(never)]
    pub(super) fn position(&self) -> Position {
        let (choices, leaves, way) = (self.choices.len(), self.leaves.count(), self.way.len());
        Position { choices, leaves, way, counts: self.counts }
    }

    /// Takes back what was made after a position.
    #[inline(never)]
    pub(super) fn go_back(&mut self, position: &Position) {
        self.choices.truncate(position.choices);
        self.leaves.truncate(position.leaves);
        self.way.truncate(position.way);
        self.counts = position.counts;
    }

    /// Makes the part at a place, from its default alone if it cannot be made from what is stored.
    pub(super) fn tree(&mut self, of: &Around<'_>, place: &Place<'_, 'v>) -> Option<()> {
        if let Schema::Leaf(name, ..) = of.schema {
            return self.leaf(name, place);
        }
        let start = self.position();
        if self.node(of, place).is_some() {
            return Some(());
        }
        self.go_back(&start);
        // Where nothing is stored and that was not counted, an alias gave it a part.
        if place.default.is_none() || place.stored.is_none() && !place.is_here {
            return None;
        }
        self.error = None;
        if self.node(of, &place.default_alone()).is_none() {
            self.go_back(&start);
            return None;
        }
        self.replaced(place);
        Some(())
    }

    /// Counts that a place has its default. Where aliases gave all that is stored for it a place, only meta fields are lost.
    #[inline(never)]
    pub(super) fn replaced(&mut self, place: &Place<'_, 'v>) {
        match self.task.by_path.is_some_and(|by| (by.has_left)(&self.task.aliases, place)) {
            true => self.lose(place.stored, &place.step, &|_| false),
            false => self.counts.replaced = self.counts.replaced.saturating_add(1),
        }
    }

    /// Makes a node, from what is stored or from its default alone.
    fn node(&mut self, of: &Around<'_>, place: &Place<'_, 'v>) -> Option<()> {
        match of.schema {
            Schema::Leaf(name, ..) => self.leaf(name, place),
            Schema::Optional(inside) => self.option(&inner(of, inside), place),
            Schema::Map(room, _, of_values) => self.map(*room, &inner(of, of_values), place),
            Schema::Struct(fields) => self.record(of, fields, [0, 0], place),
            Schema::Enum(_, variants) => self.variant(of, variants, place),
            Schema::Tuple(schemas) => {
                let mut both = self.begin(Kind::Tuple, place)?;
                for (schema, index) in schemas.as_slice().iter().zip(0..usize::MAX) {
                    let name = KeyEntry::Index(small(index));
                    let mut child = self.next(place, &mut both, name, [index; 2]);
                    self.find(&mut child);
                    self.field(&inner(of, schema), small(index), &child)?;
                }
                self.end(place, &mut both, schemas.as_slice().len());
                Some(())
            }
            Schema::Array(count, of_items) => {
                let mut both = self.begin(Kind::List, place)?;
                for index in 0..*count {
                    self.item(&inner(of, of_items), place, &mut both, index)?;
                }
                self.end(place, &mut both, *count);
                Some(())
            }
            Schema::List(room, of_items) => self.list(*room, &inner(of, of_items), place),
            Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => None,
        }
    }

    /// The nodes of a place. It fails if another one is stored there, or if there is none at all.
    #[inline(never)]
    pub(super) fn begin(&mut self, kind: Kind, place: &Place<'_, 'v>) -> Option<Both<'v>> {
        let default = place.default.and_then(|at| at.children(kind));
        let stored = match place.stored {
            Some(at) => Some(at.children(kind)?),
            None if default.is_none() && !place.is_here => return None,
            None => None,
        };
        Some(Both { stored, default })
    }

    /// The child of a place whose stored node and default have these indices.
    #[inline(never)]
    pub(super) fn next<'p>(
        &self,
        up: &'p Place<'p, 'v>,
        both: &mut Both<'v>,
        name: KeyEntry<'v>,
        [stored, default]: [usize; 2],
    ) -> Place<'p, 'v> {
        let child = |children: &mut Option<Children<'v>>, index| children.as_mut()?.child(index);
        let (stored, default) =
            (child(&mut both.stored, stored), child(&mut both.default, default));
        Place { stored, default, is_here: up.is_here, step: up.step.to(name) }
    }

    /// Finds what is stored for a place by aliases, and counts it if that is nothing.
    fn find(&mut self, place: &mut Place<'_, 'v>) {
        self.find_moved(place);
        self.found(place);
    }

    /// Finds what is stored for a place by aliases.
    pub(super) fn find_moved(&self, place: &mut Place<'_, 'v>) {
        let task = &self.task;
        let Some(by_path) = task.by_path.filter(|_| place.step.aliases != 0) else { return };
        place.step.aliases = (by_path.about)(&task.aliases, &place.step);
        if place.step.aliases != 0 {
            place.stored = (by_path.stored)(&task.aliases, place);
        }
    }

    /// Counts a place if nothing is stored for it.
    pub(super) fn found(&mut self, place: &mut Place<'_, 'v>) {
        let by_path = self.task.by_path.filter(|_| place.step.aliases != 0);
        let is_around = |by: &ByPath| (by.is_around)(&self.task.aliases, &place.step);
        if place.is_here && place.stored.is_none() && !by_path.is_some_and(is_around) {
            place.is_here = false;
            if place.default.is_some() {
                self.counts.new = self.counts.new.saturating_add(1);
            }
        }
    }

    /// Counts the meta fields of children that have no place: those after the first ones of a tuple or a list.
    #[inline(never)]
    fn end(&mut self, place: &Place<'_, 'v>, both: &mut Both<'v>, count: usize) {
        let Some(children) = &mut both.stored else { return };
        for index in count..children.node.count {
            let step = place.step.to(KeyEntry::Index(small(index)));
            self.lose(children.child(index), &step, &|_| false);
        }
    }

    /// Counts the meta fields in a stored node that has no place, but for those in nodes that have one.
    pub(super) fn lose(
        &mut self,
        stored: Option<At<'v>>,
        step: &Step<'_, 'v>,
        has_place: &dyn Fn(At<'v>) -> bool,
    ) {
        let Some(at) = stored.filter(|at| at.has_meta() && !has_place(*at)) else { return };
        if self.task.by_path.is_some_and(|by| (by.goes)(&self.task.aliases, step)) {
            return;
        }
        let Some(mut children) = at.open() else { return };
        for _ in children.node.meta_fields() {
            self.counts.lost_meta = self.counts.lost_meta.saturating_add(1);
        }
        let mut last = None;
        for (name, index) in children.node.entries().zip(0..usize::MAX) {
            let stored = children.child(index);
            // As for copies, the meta fields of elements that take no bytes count once.
            if stored == last {
                return;
            }
            last = stored;
            self.lose(stored, &step.to(name), has_place);
        }
    }

    /// Makes the element of an array, or of a list that has the length of the defaults.
    fn item(
        &mut self,
        of: &Around<'_>,
        place: &Place<'_, 'v>,
        both: &mut Both<'v>,
        index: usize,
    ) -> Option<()> {
        let name = KeyEntry::Index(small(index));
        let mut child = self.next(place, both, name, [index; 2]);
        self.find(&mut child);
        self.tree(of, &child)
    }

    /// Makes a list of any length: the stored one, or that of the default.
    #[inline(never)]
    fn list(&mut self, room: Option<usize>, of: &Around<'_>, place: &Place<'_, 'v>) -> Option<()> {
        let mut both = self.begin(Kind::List, place)?;
        let count = |own: &Option<Children<'_>>| own.as_ref().map(|own| own.node.count);
        let [stored, default] = [count(&both.stored), count(&both.default)];
        let of_default = default.filter(|_| self.task.lengths_of_defaults);
        let Some(count) = of_default.or(stored).or(default) else { return self.fail(MISMATCH) };
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(count);
        for index in 0..count {
            let is_made = match of_default {
                Some(_) => self.item(of, place, &mut both, index).map(|()| true)?,
                None => {
                    let name = KeyEntry::Index(small(index));
                    self.element(of, place, &mut both, name, [index; 2])?
                }
            };
            made = made.wrapping_add(is_made.into());
            self.check_room(room, made)?;
        }
        self.choices.change_number(start, count, made);
        self.end(place, &mut both, count);
        Some(())
    }

    fn check_room(&mut self, room: Option<usize>, made: usize) -> Option<()> {
        match room {
            Some(room) if made > room => self.fail(Error::Capacity { node: 0, room }),
            _ => Some(()),
        }
    }

    /// Makes the next element of a list or a map; `false` if it cannot be made and was dropped.
    #[inline(never)]
    fn element(
        &mut self,
        of: &Around<'_>,
        place: &Place<'_, 'v>,
        both: &mut Both<'v>,
        name: KeyEntry<'v>,
        indices: [usize; 2],
    ) -> Option<bool> {
        let mut child = self.next(place, both, name, indices);
        let default = both.default.as_ref().filter(|own| own.node.count > 0);
        let first = default.map(|own| own.node.first);
        if both.stored.is_some() {
            child.default = child.default.or(first);
        }
        self.find(&mut child);
        if child.stored.is_none() {
            return self.tree(of, &child).map(|()| true);
        }
        let start = self.position();
        if self.node(of, &child).is_some() {
            return Some(true);
        }
        self.go_back(&start);
        self.error = None;
        (child.stored, child.default, child.is_here) = (None, first, false);
        let keeps = self.task.keep_places && first.is_some();
        if keeps && self.tree(of, &child).is_some() {
            self.counts.replaced = self.counts.replaced.saturating_add(1);
            return Some(true);
        }
        self.go_back(&start);
        self.counts.dropped = self.counts.dropped.saturating_add(1);
        Some(false)
    }

    /// Makes an option. One that is neither stored nor in the defaults is `None`.
    #[inline(never)]
    fn option(&mut self, of: &Around<'_>, place: &Place<'_, 'v>) -> Option<()> {
        let (is_nested, mut inside) = (of.schema.is_nullable(), *place);
        inside.stored = place.stored.and_then(|at| at.inside(is_nested));
        inside.default = place.default.and_then(|at| at.inside(is_nested));
        let is_none = match (place.stored, place.default) {
            (Some(_), _) => inside.stored.is_none(),
            // One that is not stored is there if an alias gives it a part.
            _ if place.is_here => false,
            (None, Some(_)) => inside.default.is_none(),
            (None, None) => {
                self.counts.new = self.counts.new.saturating_add(1);
                true
            }
        };
        self.choices.number((!is_none).into());
        if is_none {
            return Some(());
        }
        if is_nested {
            if inside.is_missing() && !place.is_here {
                return None;
            }
            inside.step = place.step.to(KeyEntry::Some);
            self.find(&mut inside);
        }
        self.tree(of, &inside)
    }

    /// Makes a map: the keys come before all elements.
    #[inline(never)]
    fn map(&mut self, room: Option<usize>, of: &Around<'_>, place: &Place<'_, 'v>) -> Option<()> {
        let mut both = self.begin(Kind::Dict, place)?;
        let node = both.stored.as_ref().or(both.default.as_ref())?.node;
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(node.count);
        let (first_key, mut is_changed, ask) = (self.choices.len(), false, self.task.own_type.ask);
        for key in node.keys() {
            let choices = &mut *self.choices;
            let give = &mut |own: &Value<'_>| {
                is_changed |= *own != key;
                choices.value(own);
            };
            ask(&self.way, About::Value(0, Some(key), give));
        }
        let keys_end = self.choices.len();
        let (mut next_key, mut kept_end) = (first_key, first_key);
        for (key, index) in node.keys().zip(0..usize::MAX) {
            if !ask(&self.way, About::Value(0, Some(key), &mut |_| {})) {
                // The default has only keys that the type takes.
                both.stored?;
                self.counts.dropped = self.counts.dropped.saturating_add(1);
                continue;
            }
            let slots = next_key..self.choices.after_value(next_key);
            next_key = slots.end;
            let default = both.default.filter(|_| both.stored.is_some());
            let default = default.map(|own| own.node.entries().index_of(KeyEntry::Key(key)));
            let found = default.map(|found| found.map_or(NONE, |found| found as usize));
            let indices = [index, found.unwrap_or(index)];
            self.enter(0)?;
            let is_made = self.element(of, place, &mut both, KeyEntry::Key(key), indices)?;
            self.way.pop();
            if is_made {
                kept_end = self.choices.move_front(slots, kept_end);
                made = made.wrapping_add(1);
            }
            self.check_room(room, made)?;
        }
        self.choices.remove(kept_end, keys_end.saturating_sub(kept_end));
        // Keys that are as they are stored differ.
        if is_changed && let Some((first, second)) = self.choices.doubled(first_key, small(made)) {
            return self.fail(Error::DuplicateKey { first, second });
        }
        self.choices.change_number(start, node.count, made);
        Some(())
    }

    /// Adds the index of a part to the way.
    pub(super) fn enter(&mut self, index: u32) -> Option<()> {
        match self.way.push(index) {
            Ok(()) => Some(()),
            Err(_) => self.fail(Error::TooDeep { limit: MAX_DEPTH }),
        }
    }

    /// Makes a leaf.
    #[inline(never)]
    fn leaf(&mut self, to: &'static str, place: &Place<'_, 'v>) -> Option<()> {
        let leaf = |at: Option<At<'v>>| at?.open()?.node.leaf();
        let default = leaf(place.default);
        if let Some((from, bytes)) = leaf(place.stored) {
            if self.take_leaf([from, to], bytes, place) {
                return Some(());
            }
            self.counts.replaced = self.counts.replaced.saturating_add(1);
        } else if place.stored.is_some() && default.is_some() {
            self.replaced(place);
        }
        self.leaves.push(default?.1, None);
        Some(())
    }

    /// Writes a stored leaf as one of the type of its place.
    fn take_leaf(&mut self, types: [&str; 2], bytes: &[u8], place: &Place<'_, 'v>) -> bool {
        let (ask, way) = (self.task.own_type.ask, &self.way);
        let mut has_leaf = |leaf: &[u8]| ask(way, About::Stored(leaf));
        let at = place.stored.map(|at| at.leaves);
        let mut out = self.leaves.writer();
        let len = with_value_of(types, bytes, &mut out).map(|()| out.leaves);
        if len.is_some_and(|len| self.leaves.keep(len, at, &mut has_leaf)) {
            return true;
        }
        let (Some(convert), Some(stored)) = (&mut self.convert, place.stored) else { return false };
        let len = convert(&self.task, place, stored, types, bytes, self.leaves.writer());
        len > 0 && self.leaves.keep(len, at, &mut has_leaf)
    }
}
