//! Makes a value of a type from a stored value that differs from what the type has now: its choices and its leaves.
//!
//! This walks the schema of the type. At each place it takes what is stored there, and otherwise what the defaults have. For a type
//! with the fields `gain` and `curve`:
//!
//! ```text
//! stored     rate: *, curve: [*, *]
//! defaults   gain: *, curve: []
//!
//! the schema       stored        defaults     so the value has
//! a struct         root          root
//! the field gain   -             .gain        the default leaf, which is reported as new
//! the field curve  .curve        .curve
//! a list           2 children    0 children   the length 2, which is a choice
//! an element       .curve[0]     -            the stored leaf
//! an element       .curve[1]     -            the stored leaf
//! the end                                     a report that rate is lost
//! ```
//!
//! A tree that cannot be made from what is stored is made again, from its default alone. Only the innermost tree with a default is:
//! so each is made at most twice, however deep it lies.
//!
//! Nothing here depends on the type. What the schema does not say, and the leaves, [`OfType`] knows. A program has it once for all
//! records, without reports, and once for all treedefs, with reports.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::levels::Levels;
use crate::encode::schema::Around;
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::tree::migrate::change::{Migrated, Why};
use crate::tree::migrate::children::integer;
use crate::tree::migrate::node::{Both, Place, StoredNode};
use crate::tree::migrate::reports::Reports;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::migrate::walk::{MISMATCH, Walk, first_child};
use crate::tree::walk_path::LEVELS;

/// What is known of the type of the value besides its schema, and the leaves that are made. A part of the type has a way, as
/// [`Question`](super::question::Question) has it.
pub(crate) trait OfType<'v, N: StoredNode<'v>, R> {
    /// The number of leaves that were made.
    fn len(&self) -> usize;

    /// Takes back all leaves but the first ones, of this number.
    fn truncate(&mut self, len: usize);

    /// Makes a stored leaf that of a place, which has a leaf of the type with this name. If the place does not take it, that is counted,
    /// and the answer is `false`.
    fn take(
        &mut self,
        walk: &mut Walk<'_, 'v, N, R>,
        way: &[u32],
        place: &Place<'_, 'v, N>,
        leaf: N::Leaf,
        to: &'static str,
    ) -> bool;

    /// The same for a leaf of the defaults, which is not counted.
    fn take_default(&mut self, way: &[u32], leaf: N::Leaf) -> bool;

    /// Whether the meta field with this index takes a value, or a map such a key. The function receives it as the type has it. Without
    /// a value, a meta field that is a constant gives its own.
    fn takes_value(
        &mut self,
        way: &[u32],
        index: u32,
        value: Option<Value<'_>>,
        give: &mut dyn FnMut(&Value<'_>),
    ) -> bool;

    /// Whether the field with this index has a default of its own. A function receives its choices, and its leaves are made.
    fn has_default(&mut self, way: &[u32], index: u32, choice: Option<&mut dyn FnMut(u8)>) -> bool;
}

/// A value that is made.
pub(crate) struct Making<'m, 'v, 'r, N: StoredNode<'v>, R, T: ?Sized> {
    pub(crate) walk: Walk<'m, 'v, N, R>,
    pub(crate) of_type: &'m mut T,
    pub(crate) choices: &'m mut ChoiceBytes<'r>,
    /// The way from the root to the part that is made.
    pub(crate) way: Levels<u32, LEVELS>,
}

/// A position in the value that is made: the numbers of bytes of choices and of leaves, the length of the way, and the counts.
#[derive(Clone, Copy)]
pub(super) struct Position {
    choices: usize,
    leaves: usize,
    way: usize,
    counts: Migrated,
    meta_in_lost: usize,
}

impl<'v, N: StoredNode<'v>, R: Reports<'v, N>, T: OfType<'v, N, R> + ?Sized>
    Making<'_, 'v, '_, N, R, T>
{
    /// Makes the whole value.
    ///
    /// # Errors
    ///
    /// That of the place that cannot be made, because the defaults are no value of the schema.
    pub(crate) fn whole(&mut self, schema: &'static Schema) -> Result<Migrated, Error> {
        let place = self.walk.whole();
        let made = self.tree(&Around { schema, outer: None, levels: 0 }, &place);
        self.walk.finish(&place, made)
    }

    #[inline(never)]
    pub(super) fn position(&self) -> Position {
        let (choices, leaves, way) = (self.choices.len(), self.of_type.len(), self.way.len());
        let Walk { counts, meta_in_lost, .. } = self.walk;
        Position { choices, leaves, way, counts, meta_in_lost }
    }

    /// Takes back what was made after a position.
    #[inline(never)]
    pub(super) fn go_back(&mut self, position: &Position) {
        self.choices.truncate(position.choices);
        self.of_type.truncate(position.leaves);
        self.way.truncate(position.way);
        (self.walk.counts, self.walk.meta_in_lost) = (position.counts, position.meta_in_lost);
    }

    /// Makes the tree at a place, from its default alone if it cannot be made from what is stored.
    pub(super) fn tree(&mut self, of: &Around<'_>, place: &Place<'_, 'v, N>) -> Option<()> {
        // A leaf has no parts, so it is not made twice.
        if let Schema::Leaf(..) = of.schema {
            return self.node(of, place);
        }
        let start = self.position();
        if self.node(of, place).is_some() {
            // All parts of a place that is not stored came by aliases, or have defaults of their own.
            if place.is_missing() {
                self.walk.reports.clear_missing();
            }
            return Some(());
        }
        self.go_back(&start);
        // Where nothing is stored and that was not counted, an alias gave it a part.
        if place.default.is_none() || place.stored.is_none() && !place.counts_new {
            return None;
        }
        let why = self.walk.why(place);
        if self.node(of, &place.default_alone()).is_none() {
            self.go_back(&start);
            return None;
        }
        let given = self.walk.counts.moved.wrapping_sub(start.counts.moved);
        let all = self.of_type.len().wrapping_sub(start.leaves);
        self.walk.replaced(place, why, Some([given, all]));
        Some(())
    }

    /// Makes a node, from what is stored or from its default alone.
    fn node(&mut self, around: &Around<'_>, place: &Place<'_, 'v, N>) -> Option<()> {
        let made = match around.schema {
            Schema::Leaf(name, ..) => self.leaf(name, place),
            Schema::Optional(of) => self.option(&inner(around, of), place),
            Schema::Map(room, _, of) => self.map(*room, &inner(around, of), place),
            Schema::Struct(fields) => self.fields(around, fields, [0, 0], place),
            Schema::Enum(_, variants) => self.variant(around, variants, place),
            Schema::Tuple(schemas) => self.tuple(around, schemas.as_slice(), place),
            Schema::Array(count, of) => self.list((Some(*count), None), &inner(around, of), place),
            Schema::List(room, of) => self.list((None, *room), &inner(around, of), place),
            Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => {
                self.walk.mismatch(place)
            }
        };
        if made.is_none() {
            self.walk.reports.not_made(around.schema);
        }
        made
    }

    /// Makes a tuple.
    #[inline(never)]
    fn tuple(
        &mut self,
        of: &Around<'_>,
        schemas: &[&'static Schema],
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin(Kind::Tuple, place, slot)?;
        for (schema, index) in schemas.iter().zip(0..u32::MAX) {
            let child = self.walk.next(place, both, KeyEntry::Index(index), None);
            self.field(&inner(of, schema), index, &child)?;
        }
        self.walk.end(place, both, schemas.len());
        Some(())
    }

    /// Makes a list of this length, or one of any length: the stored one, or that of the default.
    #[inline(never)]
    fn list(
        &mut self,
        (fixed, room): (Option<usize>, Option<usize>),
        of: &Around<'_>,
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin(Kind::List, place, slot)?;
        let count = |open: &Option<N::Open>| Some(N::names(open.as_ref()?).len());
        let [stored, default] = [count(&both.stored), count(&both.default)];
        let of_default = default.filter(|_| self.walk.task.lengths_of_defaults);
        let known = fixed.or(of_default);
        let Some(count) = known.or(stored).or(default) else {
            return self.walk.mismatch(place);
        };
        both.has_first = known.is_none();
        let (start, mut made) = (self.choices.len(), 0usize);
        if fixed.is_none() {
            self.choices.number(count);
        }
        for index in 0..count {
            let name = KeyEntry::Index(small(index));
            let is_made = if known.is_some() {
                let child = self.walk.next(place, both, name, None);
                self.tree(of, &child)?;
                true
            } else {
                self.element(of, place, both, name)?
            };
            made = made.wrapping_add(is_made.into());
            self.check_room(room, made, place)?;
        }
        if fixed.is_none() {
            self.choices.change_number(start, made);
        }
        self.walk.end(place, both, count);
        Some(())
    }

    fn check_room(
        &mut self,
        room: Option<usize>,
        made: usize,
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        match room {
            Some(room) if made > room => {
                self.walk.fail_at(place.stored, None, Error::Capacity { node: 0, room })
            }
            _ => Some(()),
        }
    }

    /// Makes the next element of a list or a map; `false` if it cannot be made and was dropped.
    #[inline(never)]
    fn element(
        &mut self,
        of: &Around<'_>,
        place: &Place<'_, 'v, N>,
        both: &mut Both<'v, N>,
        name: KeyEntry<'v>,
    ) -> Option<bool> {
        let mut child = self.walk.next(place, both, name, None);
        let start = self.position();
        if child.stored.is_none() {
            if self.tree(of, &child).is_some() {
                return Some(true);
            }
            // Aliases gave its parts what is stored for it, and other parts have no default.
            child.stored = N::find(both.stored.as_mut()?, name, self.walk.in_any_kind());
            child.stored?;
        } else if self.node(of, &child).is_some() {
            return Some(true);
        }
        self.go_back(&start);
        let why = self.walk.why(&child);
        let keeps = self.walk.task.keep_places;
        let default = both.default.as_ref().filter(|_| keeps).and_then(first_child::<N>);
        let alone = Place { default, ..child }.default_alone();
        if default.is_some() && self.tree(of, &alone).is_some() {
            self.walk.replaced(&child, why, None);
            return Some(true);
        }
        self.go_back(&start);
        self.walk.drop_element(&child, why);
        Some(false)
    }

    /// Makes an option. One that is neither stored nor in the defaults is `None`.
    #[inline(never)]
    fn option(&mut self, of: &Around<'_>, place: &Place<'_, 'v, N>) -> Option<()> {
        let is_nested = of.schema.is_nullable();
        let inside = |node: Option<N>| node?.inside(is_nested);
        let (stored, default) = (inside(place.stored), inside(place.default));
        let is_none = match (place.stored, place.default) {
            (Some(_), _) => stored.is_none(),
            // One that is not stored is there if an alias gives it a part.
            _ if place.counts_new => false,
            (None, Some(_)) => default.is_none(),
            (None, None) => {
                self.walk.take_missing(&place.step);
                true
            }
        };
        self.choices.number((!is_none).into());
        if is_none {
            return Some(());
        }
        if stored.is_none() && default.is_none() && is_nested && !place.counts_new {
            return self.walk.mismatch(place);
        }
        let mut inside = Place { stored, default, ..*place };
        if is_nested {
            inside.step = place.step.to(KeyEntry::Some);
            self.walk.note_new(place, &mut inside);
        }
        self.tree(of, &inside)
    }

    /// Makes a map: the keys come before all elements.
    #[inline(never)]
    fn map(
        &mut self,
        room: Option<usize>,
        of: &Around<'_>,
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin(Kind::Dict, place, slot)?;
        let Some(open) = both.stored.as_ref().or(both.default.as_ref()) else {
            return self.walk.mismatch(place);
        };
        both.has_first = true;
        let (names, count) = (N::names(open), N::names(open).len());
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(count);
        let (first_key, mut is_changed) = (self.choices.len(), false);
        for key in names.clone().filter_map(as_key) {
            let choices = &mut *self.choices;
            let give = &mut |own: &Value<'_>| {
                is_changed |= *own != key;
                choices.value(own);
            };
            takes_key(self.of_type, &self.way, self.walk.in_any_kind(), key, give);
        }
        let keys_end = self.choices.len();
        let (mut next_key, mut kept_end) = (first_key, first_key);
        for (key, index) in names.filter_map(as_key).zip(0..u32::MAX) {
            let (name, in_any_kind) = (KeyEntry::Key(key), self.walk.in_any_kind());
            if !takes_key(self.of_type, &self.way, in_any_kind, key, &mut |_| {}) {
                // The default has only keys that the type takes.
                let Some(open) = &mut both.stored else { return self.walk.fail(MISMATCH) };
                let (stored, step) = (N::child(open, index), place.step.to(name));
                let child = Place { stored, default: None, counts_new: false, step, ..*place };
                self.walk.drop_element(&child, R::because(Why::Key));
                continue;
            }
            let slots = next_key..self.choices.after_value(next_key);
            next_key = slots.end;
            // A deeper way is refused before it is asked for.
            let _ = self.way.push(0);
            both.index = Some(index);
            let is_made = self.element(of, place, both, name)?;
            self.way.pop();
            if is_made {
                kept_end = self.choices.move_front(slots, kept_end);
                made = made.wrapping_add(1);
            }
            self.check_room(room, made, place)?;
        }
        self.choices.remove(kept_end, keys_end.saturating_sub(kept_end));
        // Keys that are as they are stored differ.
        if is_changed && let Some((first, second)) = self.choices.doubled(first_key, small(made)) {
            return self.walk.fail(Error::DuplicateKey { first, second });
        }
        self.choices.change_number(start, made);
        Some(())
    }

    /// Makes a leaf.
    #[inline(never)]
    fn leaf(&mut self, to: &'static str, place: &Place<'_, 'v, N>) -> Option<()> {
        self.walk.check_levels(place)?;
        let (stored, default) = (place.stored.and_then(N::leaf), place.default.and_then(N::leaf));
        if let Some(leaf) = stored {
            if self.of_type.take(&mut self.walk, &self.way, place, leaf, to) {
                self.walk.count_moved();
                return Some(());
            }
        } else if place.stored.is_some()
            && default.is_some()
            && self
                .walk
                .refused_or_moved_away(place, R::because(Why::Type(&Schema::Leaf("", None, false))))
        {
            self.walk.count_new(&place.step);
        }
        if let Some(leaf) = default
            && self.of_type.take_default(&self.way, leaf)
        {
            return Some(());
        }
        if stored.is_none() && place.stored.is_some() {
            return self.walk.mismatch(place);
        }
        self.walk.fail(N::wrong_leaf(default?))
    }
}

/// The key that the name of a child of a dictionary is.
const fn as_key(name: KeyEntry<'_>) -> Option<Value<'_>> {
    if let KeyEntry::Key(key) = name { Some(key) } else { None }
}

/// Whether the map with this way takes a key. The function receives it as the type of the map has it.
fn takes_key<'v, N: StoredNode<'v>, R>(
    of_type: &mut (impl OfType<'v, N, R> + ?Sized),
    way: &[u32],
    in_any_kind: bool,
    key: Value<'_>,
    give: &mut dyn FnMut(&Value<'_>),
) -> bool {
    if of_type.takes_value(way, 0, Some(key), give) {
        return true;
    }
    // The key can be the text of a number.
    let number =
        if N::HAS_KINDS { key.as_str().filter(|_| in_any_kind).and_then(integer) } else { None };
    number.is_some_and(|number| of_type.takes_value(way, 0, Some(Value::Int(number)), give))
}

/// A schema in this one. A recursive one is the schema around it that it names.
pub(crate) fn inner<'a>(outer: &'a Around<'a>, schema: &'static Schema) -> Around<'a> {
    let schema = match schema {
        Schema::Recursive(name) => Around::named(Some(outer), name).unwrap_or(&Schema::Unknown),
        Schema::Pointer(of) => of(),
        schema => schema,
    };
    Around { schema, outer: Some(outer), levels: 0 }
}
