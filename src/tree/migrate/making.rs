//! Makes a value of a type from a stored structure that differs from what the type has now: its choices and its leaves.
//!
//! This walks the schema of the type. At each place it takes what the stored structure has there, and otherwise what the structure
//! of the defaults has. For a type with the fields `gain` and `curve`:
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
//! Nothing here depends on the type or its leaves, so a program has these functions once. What the schema does not say,
//! [`Typed`] knows.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::depth::MAX_DEPTH;
use crate::encode::read::Around;
use crate::encode::schema::{Fields, Schema, is_constant};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::both::{Both, Own, is_container};
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::Place;
use crate::tree::migrate::children::integer;
use crate::tree::migrate::room::ChoiceBytes;
use crate::tree::migrate::walk::{MISMATCH, Walk};
use crate::tree::walk_path::LEVELS;
use crate::treedef::treedef::TreeDef;

/// The way from the root to a part, as [`Question`](super::question::Question) has it.
type Way = Levels<u32, LEVELS>;

/// What is asked about a part of the type.
pub(crate) enum Ask<'q, 'd, 'w> {
    /// Whether the leaf of a place is appended: the stored one with the first index, which is reported if it is refused; without one,
    /// that with the second index in the defaults. It is not if the place has a leaf of another type. The text is the name of the leaf
    /// type.
    Leaf(&'q mut Walk<'d, 'w>, &'q Place<'d>, [Option<u32>; 2], &'static str),
    /// Whether the meta field with this index takes a value, or a map such a key. The function receives it as the type has it. Without
    /// a value, a meta field that is a constant gives its own.
    Value(u32, Option<Value<'q>>, &'q mut dyn FnMut(&Value<'_>)),
    /// Whether the field with this index has a default of its own. A function receives its choices, and its leaves are appended.
    Default(u32, Option<&'q mut dyn FnMut(u8)>),
    /// Takes back all leaves but the first ones, of this number.
    Keep(usize),
}

/// Knows the type of the value, and collects its leaves. Says `None` for no, otherwise the number of leaves so far. The part has this
/// way, as [`Question`](super::question::Question) has it.
pub(crate) type Typed<'t, 'd> =
    dyn for<'q, 'w> FnMut(&'q [u32], Ask<'q, 'd, 'w>) -> Option<usize> + 't;

/// A value that is made.
struct Making<'m, 't, 'r, 'w> {
    walk: Walk<'t, 'w>,
    typed: &'m mut Typed<'m, 't>,
    choices: &'m mut ChoiceBytes<'r>,
    /// The number of leaves.
    leaves: usize,
    way: Way,
}

/// Makes a value of a schema from a stored structure and that of the defaults: its choices, and the leaves that `typed` collects.
///
/// # Errors
///
/// That of the place that cannot be made, because the defaults are no value of the schema.
pub(crate) fn make<'d>(
    schema: &'static Schema,
    [stored, defaults]: [TreeDef<'d>; 2],
    matching: Matching<'_>,
    report: &mut dyn FnMut(Migration<'_>),
    typed: &mut Typed<'_, 'd>,
    choices: &mut ChoiceBytes<'_>,
) -> Result<Migrated, Error> {
    let cursors = &Cursors::new();
    let mut walk = Walk::new(stored, defaults, Some(schema), matching, report, cursors);
    let whole = walk.whole();
    let mut making = Making { walk, typed, choices, leaves: 0, way: levels::empty() };
    let made = making.tree(&Around { schema, outer: None, levels: 0 }, &whole);
    making.walk.finish(&whole, made)
}

impl<'d> Making<'_, 'd, '_, '_> {
    /// How much of the value is made: the numbers of bytes of choices and of leaves, and the length of the way.
    fn position(&self) -> [usize; 3] {
        [self.choices.len(), self.leaves, self.way.len()]
    }

    /// Takes back what was made after a position.
    fn go_back(&mut self, [choices, leaves, way]: [usize; 3]) {
        self.choices.truncate(choices);
        self.leaves = (self.typed)(&[], Ask::Keep(leaves)).unwrap_or(0);
        self.way.truncate(way);
    }

    /// Makes the tree at a place, from its default alone if it cannot be made from what is stored.
    fn tree(&mut self, nested: &Around<'_>, place: &Place<'d>) -> Option<()> {
        let (start, before, mut why) = (self.position(), self.walk.counts, None);
        loop {
            let at = if why.is_none() { *place } else { place.default_alone() };
            if self.node(nested, &at).is_some() {
                match why {
                    Some(why) => self.walk.replaced(place, why, false),
                    // All parts of a place that is not stored came by aliases, or have defaults of their own.
                    None if place.is_missing() => self.walk.missing = None,
                    None => {}
                }
                return Some(());
            }
            self.go_back(start);
            self.walk.counts = before;
            // Where nothing is stored and that is not reported yet, an alias gave it a part.
            let is_default = place.stored.is_none() && !place.reports;
            if why.is_some() || place.default.is_none() || is_default {
                return None;
            }
            why = Some(self.walk.why(place));
        }
    }

    /// Makes the part at a place. A leaf has no parts, so it is not made twice.
    fn part(&mut self, nested: &Around<'_>, place: &Place<'d>) -> Option<()> {
        match nested.schema {
            Schema::Leaf(name, ..) => self.leaf(name, place),
            _ => self.tree(nested, place),
        }
    }

    /// Makes the next child of a node.
    fn child(&mut self, nested: &Around<'_>, both: &mut Both<'d>) -> Option<()> {
        let place = self.walk.next(both)?;
        let made = self.part(nested, &place);
        self.walk.leave();
        made
    }

    /// Makes the tree at a place, from what is stored or from its default alone.
    fn node(&mut self, nested: &Around<'_>, place: &Place<'d>) -> Option<()> {
        match nested.schema {
            Schema::Leaf(name, ..) => self.leaf(name, place),
            Schema::Optional(of) => self.option(&inner(nested, of), place),
            Schema::Map(room, _, of) => self.map(*room, &inner(nested, of), place),
            Schema::Struct(record) => self.record(nested, record, (0, 0), place),
            Schema::Enum(_, variants) => self.variant(nested, variants, place),
            Schema::Tuple(schemas) => self.tuple(nested, schemas.as_slice(), place),
            Schema::Array(count, of) => {
                let own = Own::positions(Kind::List, *count);
                self.array(&inner(nested, of), own, *count, place)
            }
            Schema::List(room, of) => self.list(&inner(nested, of), *room, place),
            Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => {
                self.walk.fail_at(place.stored, MISMATCH)
            }
        }
    }

    /// Makes a tuple.
    #[inline(never)]
    fn tuple(
        &mut self,
        nested: &Around<'_>,
        schemas: &[&'static Schema],
        place: &Place<'d>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin(place, Own::positions(Kind::Tuple, schemas.len()), slot)?;
        self.fields(nested, schemas, 0, both)
    }

    /// Makes a node whose `count` children all have to be there.
    #[inline(never)]
    fn array(
        &mut self,
        of: &Around<'_>,
        own: Own<'d>,
        count: usize,
        place: &Place<'d>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin(place, own, slot)?;
        for _ in 0..count {
            self.child(of, both)?;
        }
        self.walk.end(both);
        Some(())
    }

    /// Makes a list of any length: the stored one, or that of the default.
    #[inline(never)]
    fn list(&mut self, of: &Around<'_>, room: Option<usize>, place: &Place<'d>) -> Option<()> {
        let heads = place.heads().map(|head| head.filter(|head| head.kind() == Kind::List));
        let of_default = heads[0].filter(|_| self.walk.matching.lengths_of_defaults);
        let count = match of_default {
            Some(head) => head.num_children(),
            None => place.inside()?.head().num_children(),
        };
        let is_as_stored = of_default.is_none();
        let own = Own { is_as_stored, ..Own::positions(Kind::List, count) };
        let slot = &mut None;
        let both = self.walk.begin(place, own, slot)?;
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(count);
        for _ in 0..count {
            let is_made = match is_as_stored {
                true => self.element(of, both)?,
                false => self.child(of, both).map(|()| true)?,
            };
            made = made.saturating_add(is_made.into());
            self.check_room(room, made, both)?;
        }
        self.choices.change_number(start, count, made);
        self.walk.end(both);
        Some(())
    }

    /// Makes the next element of a list or a map; `false` if it cannot be made and was dropped.
    fn element(&mut self, of: &Around<'_>, both: &mut Both<'d>) -> Option<bool> {
        let place = self.walk.next(both)?;
        let (start, before) = (self.position(), self.walk.counts);
        let can_be_dropped = place.stored.is_some();
        let mut made = match of.schema {
            Schema::Leaf(name, ..) => self.leaf(name, &place),
            _ if can_be_dropped => self.node(of, &place),
            _ => self.tree(of, &place),
        };
        let mut is_made = made.is_some();
        if !is_made && can_be_dropped {
            self.go_back(start);
            self.walk.counts = before;
            let why = self.walk.why(&place);
            let first = both.first_default().filter(|_| self.walk.matching.keep_places);
            let default = Place { default: first, ..place }.default_alone();
            is_made = first.is_some() && self.part(of, &default).is_some();
            match is_made {
                true => self.walk.replaced(&place, why, true),
                false => {
                    self.go_back(start);
                    self.walk.counts = before;
                    self.walk.drop_element(&place, why);
                }
            }
            made = Some(());
        }
        self.walk.leave();
        made.map(|()| is_made)
    }

    /// Checks that there is room for this number of elements.
    fn check_room(&mut self, room: Option<usize>, made: usize, both: &Both<'d>) -> Option<()> {
        match room {
            Some(room) if made > room => {
                self.walk.fail_at(both.node(), Error::Capacity { node: 0, room })
            }
            _ => Some(()),
        }
    }

    /// Makes an option. One that is neither stored nor in the defaults is `None`.
    #[inline(never)]
    fn option(&mut self, of: &Around<'_>, place: &Place<'d>) -> Option<()> {
        let is_here = place.stored.is_some() || !place.reports;
        let is_none = match place.stored.or(place.default) {
            None if is_here => {
                self.walk.take_missing();
                true
            }
            // An option that is not stored is there if an alias gives it a part.
            node => is_here && node.is_some_and(|node| node.head().kind() == Kind::None),
        };
        self.choices.number((!is_none).into());
        if is_none {
            return Some(());
        }
        // What is in an option has no default where that is a `None`.
        let default = place.default.filter(|node| node.head().kind() != Kind::None);
        let place = Place { default, ..*place };
        if !of.schema.is_nullable() {
            return self.part(of, &place);
        }
        self.array(of, Own::of(Head::SOME), 1, &place)
    }

    /// Makes a map: the keys come before all elements.
    #[inline(never)]
    fn map(&mut self, room: Option<usize>, of: &Around<'_>, place: &Place<'d>) -> Option<()> {
        let head = place.inside()?.head();
        if head.kind() != Kind::Dict {
            return self.walk.fail_at(place.stored, MISMATCH);
        }
        let slot = &mut None;
        let both = self.walk.begin(place, Own { is_as_stored: true, ..Own::of(head) }, slot)?;
        let count = head.num_children();
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(count);
        let (first_key, mut is_changed) = (self.choices.len(), false);
        for key in head.keys() {
            let choices = &mut *self.choices;
            let give = &mut |own: &Value<'_>| {
                is_changed |= *own != key;
                choices.value(own);
            };
            takes_key(self.typed, &self.way, self.walk.matching.in_any_kind, key, give);
        }
        if self.way.push(0).is_err() {
            return self.walk.fail_at(both.node(), Error::TooDeep { limit: MAX_DEPTH });
        }
        let keys_end = self.choices.len();
        let (mut next_key, mut kept_end) = (first_key, first_key);
        for key in head.keys() {
            let way = self.way.get(..self.way.len().saturating_sub(1)).unwrap_or(&[]);
            let in_any_kind = self.walk.matching.in_any_kind;
            if !takes_key(self.typed, way, in_any_kind, key, &mut |_| {}) {
                let place = self.walk.next(both)?;
                self.walk.drop_element(&place, Why::Key);
                self.walk.leave();
                // The default has only keys that the type takes.
                if place.stored.is_none() {
                    return self.walk.fail(MISMATCH);
                }
                continue;
            }
            let key = next_key..self.choices.after_value(next_key);
            next_key = key.end;
            if self.element(of, both)? {
                kept_end = self.choices.move_front(key, kept_end);
                made = made.saturating_add(1);
            }
            self.check_room(room, made, both)?;
        }
        self.way.pop();
        self.choices.remove(kept_end, keys_end.saturating_sub(kept_end));
        // Keys that are as they are stored differ.
        if is_changed && let Some((first, second)) = self.choices.doubled(first_key, small(made)) {
            return self.walk.fail_at(None, Error::DuplicateKey { first, second });
        }
        self.choices.change_number(start, count, made);
        self.walk.end(both);
        Some(())
    }

    /// Makes a value of an enum: the variant whose name the node has.
    ///
    /// A node without such a name can be a variant in a format of fewer kinds. Then it is that of the default, or the first one.
    #[inline(never)]
    fn variant(
        &mut self,
        nested: &Around<'_>,
        variants: &'static [Fields],
        place: &Place<'d>,
    ) -> Option<()> {
        let (walk, in_any_kind) = (&self.walk, self.walk.matching.in_any_kind);
        // Those without meta fields go first: a node without a name is one of these.
        let ordered = || {
            [false, true].into_iter().flat_map(|with_meta| {
                let all = variants.iter().zip(0..u32::MAX);
                all.filter(move |(variant, _)| variant.meta.is_empty() != with_meta)
            })
        };
        let named = |head: Option<Head<'d>>| {
            let head = head.filter(|head| head.kind() == Kind::Struct || in_any_kind)?;
            ordered().find(|(variant, _)| walk.has_name(&head, Some(variant.name), variant.aliases))
        };
        let [default, stored] = place.heads();
        let first = stored.or(default);
        let mut found = named(first);
        if found.is_none() && in_any_kind && first.is_some_and(|head| is_container(&head)) {
            found = named(default).or_else(|| ordered().next());
        }
        let Some((variant, index)) = found else {
            return self.walk.fail_at(place.stored, MISMATCH);
        };
        if variants.len() > 1 {
            self.choices.number(index as usize);
        }
        let (mut fields, mut meta) = (0u32, 0u32);
        for before in variants.iter().take(index as usize) {
            fields = fields.saturating_add(small(before.fields.len()));
            meta = meta.saturating_add(small(before.meta.len()));
        }
        self.record(nested, variant, (fields, meta), place)
    }

    /// Makes a struct, or a variant whose first field and meta field have these indices.
    fn record(
        &mut self,
        nested: &Around<'_>,
        record: &'static Fields,
        (first, first_meta): (u32, u32),
        place: &Place<'d>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.begin_record(record, first_meta, place, slot)?;
        self.fields(nested, record.children.as_slice(), first, both)
    }

    /// Begins a struct, and writes its meta fields.
    // Not inlined, as the other parts that come before or after the children of a node: what they keep is no part of each frame of the
    // recursion.
    #[inline(never)]
    fn begin_record<'b>(
        &mut self,
        record: &'static Fields,
        first_meta: u32,
        place: &Place<'d>,
        slot: &'b mut Option<Both<'d>>,
    ) -> Option<&'b mut Both<'d>> {
        let (heads, has_data) = (place.heads(), record.constants().is_some());
        let [default, stored] = heads;
        // A head with the constants is one that is there.
        let is_own = |head: &Head<'_>| match has_data {
            true => record.has(head),
            false => {
                head.type_name() == Some(record.name)
                    && head.fields().eq(record.fields.iter().copied())
            }
        };
        let is_there = || [default, stored].into_iter().flatten().find(is_own);
        let known = record.head.filter(|_| record.meta.is_empty() || !has_data);
        let Some(head) = known.or_else(is_there).or(record.head) else {
            return self.walk.fail_at(place.stored, MISMATCH);
        };
        let constants = record.constants().unwrap_or_default();
        let own = Own { has_data, constants, aliases: record.aliases, ..Own::of(head) };
        let both = self.walk.begin(place, own, slot)?;
        if !has_data {
            self.meta(heads, record, first_meta, both)?;
        }
        Some(both)
    }

    /// Writes the meta fields of a struct: each as it is stored, or as the default has it. Reports those that are lost: of the stored
    /// ones, the first 32 are looked at.
    #[inline(never)]
    fn meta(
        &mut self,
        [default, stored]: [Option<Head<'d>>; 2],
        record: &'static Fields,
        first: u32,
        both: &Both<'d>,
    ) -> Option<()> {
        let mut taken = 0u32;
        for ((name, constant), index) in record.meta.iter().zip(first..u32::MAX) {
            let mut is_taken = |value: Option<Value<'_>>| match value {
                Some(value) if is_constant(constant) => value == *constant,
                value => {
                    let choices = &mut *self.choices;
                    let give = &mut |own: &Value<'_>| choices.value(own);
                    (self.typed)(&self.way, Ask::Value(index, value, give)).is_some()
                }
            };
            // The own name goes before older ones, and what is stored before the default.
            let heads = [(stored, true), (stored, false), (default, true)];
            let mut fields = heads.iter().flat_map(|(head, is_own)| {
                let fields = (0..u32::MAX).zip(head.iter().flat_map(|head| head.meta_fields()));
                fields.filter(move |(_, (found, _))| match is_own {
                    true => found == name,
                    false => record.aliases.contains(&(*found, *name)),
                })
            });
            let first = fields.clone().next();
            match fields.find(|(_, (_, value))| is_taken(Some(*value))) {
                // It can be that of the default.
                Some((at, field)) => {
                    let is_stored =
                        |head: &Head<'d>| head.meta_fields().any(|other| other == field);
                    taken |=
                        u32::from(stored.is_some_and(|head| is_stored(&head))).unbounded_shl(at);
                }
                None if is_constant(constant) || is_taken(None) => {}
                None => {
                    let value = first.map(|(_, (_, value))| value);
                    return self.walk.fail_meta(both.node(), name, value);
                }
            }
        }
        let Some(node) = both.node() else { return Some(()) };
        for (at, field) in (0..32u32).zip(stored.iter().flat_map(|head| head.meta_fields())) {
            if taken.unbounded_shr(at) & 1 == 0 {
                self.walk.lose_meta(node, field);
            }
        }
        Some(())
    }

    /// Makes the fields of a struct or a tuple, of which the first has this index, and ends it.
    fn fields(
        &mut self,
        nested: &Around<'_>,
        schemas: &[&'static Schema],
        first: u32,
        both: &mut Both<'d>,
    ) -> Option<()> {
        for (schema, index) in schemas.iter().zip(first..u32::MAX) {
            let place = self.walk.next(both)?;
            let made = self.field(&inner(nested, schema), index, &place);
            self.walk.leave();
            made?;
        }
        self.walk.end(both);
        Some(())
    }

    /// Makes a field, which can have a default of its own.
    fn field(&mut self, nested: &Around<'_>, index: u32, place: &Place<'d>) -> Option<()> {
        let start = self.position();
        let is_missing = place.is_missing() && !place.reports;
        let has_default = |making: &mut Self| {
            making.go_back(start);
            (making.typed)(&making.way, Ask::Default(index, None)).is_some()
        };
        if !is_missing || !has_default(self) {
            if self.way.push(index).is_err() {
                return self.walk.fail(Error::TooDeep { limit: MAX_DEPTH });
            }
            if self.part(nested, place).is_some() {
                self.way.pop();
                return Some(());
            }
            // A part of the defaults that does not fit is an error.
            let is_usable = place.stored.is_some() || place.default.is_none();
            if is_missing || !has_default(self) || !is_usable {
                return None;
            }
            let why = self.walk.why(place);
            self.walk.replaced(place, why, true);
        } else {
            self.walk.take_missing();
        }
        let choice = &mut |byte| self.choices.push(byte);
        self.leaves = (self.typed)(&self.way, Ask::Default(index, Some(choice)))?;
        Some(())
    }

    /// Makes a leaf.
    fn leaf(&mut self, name: &'static str, place: &Place<'d>) -> Option<()> {
        let [stored, default] = place.leaves();
        if stored.is_some() {
            if self.take_leaf(name, place, [stored, default]).is_some() {
                self.walk.count_moved();
                return Some(());
            }
        } else if place.stored.is_some() && default.is_some() {
            self.walk.refused_node(place, Why::Structure);
        }
        if default.is_some() && self.take_leaf(name, place, [None, default]).is_some() {
            return Some(());
        }
        if stored.is_none() && place.stored.is_some() {
            return self.walk.fail_at(place.stored, MISMATCH);
        }
        self.walk.fail(Error::WrongLeaf { leaf: default? })
    }

    fn take_leaf(
        &mut self,
        name: &'static str,
        place: &Place<'d>,
        leaves: [Option<u32>; 2],
    ) -> Option<()> {
        let ask = Ask::Leaf(&mut self.walk, place, leaves, name);
        self.leaves = (self.typed)(&self.way, ask)?;
        Some(())
    }
}

/// Whether the map with this way takes a key. The function receives it as the type of the map has it.
fn takes_key(
    typed: &mut Typed<'_, '_>,
    way: &[u32],
    in_any_kind: bool,
    key: Value<'_>,
    give: &mut dyn FnMut(&Value<'_>),
) -> bool {
    if typed(way, Ask::Value(0, Some(key), give)).is_some() {
        return true;
    }
    // The key can be the text of a number.
    let number = key.as_str().filter(|_| in_any_kind).and_then(integer);
    number.is_some_and(|number| typed(way, Ask::Value(0, Some(Value::Int(number)), give)).is_some())
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
