//! Plans an upgrade while the program is compiled: for each place of the new type, where its value is in a record of the stored version.
//!
//! This is where names are read, so the program has none. What a plan says is what `tree/migrate` does with the same schemas and aliases,
//! as far as these decide it. What only a stored value decides does not compile.

use crate::base::attempt::ok;
use crate::base::bytes::equal_words;
use crate::base::message::Message;
use crate::encode::schema::{Fields, Schema, is_literal};
use crate::record::kind::{Conversion, takes_all};
use crate::record::page_node::{Node, each_below, each_child};
use crate::record::upgrade::aliases::{Found, Here, Names};
use crate::record::upgrade::steps::{
    FROM_HERE, FROM_ROOT, HAS_MOVED, LEVELS, MAY_REFUSE, NEVER, NOWHERE, PLAN_DEFAULT,
    PLAN_DEFAULT_OPTION, PLAN_ENUM, PLAN_FIELDS, PLAN_INSIDE, PLAN_LEAF, PLAN_LEAF_INSIDE,
    PLAN_LIST, PLAN_MAP, PLAN_OPTION, PLAN_OTHER, PLAN_OTHER_LEAF, PLAN_SAME, Steps, or_any,
};
use crate::tree::leaf_form::LeafForm;

/// The place of an element or of a field of a variant, which no path of an alias leads to: no name is this.
const IN_ELEMENT: Here<'static> = Here { name: b"[", up: None };

/// Where a place is.
#[derive(Clone, Copy)]
struct Spot<'h> {
    path: Option<&'h Here<'h>>,
    /// Whether the defaults have it: they can lack an element, a variant, and what is in an option.
    has_default: bool,
    /// Whether it gets something by another path or name than its own, or is in such a place.
    is_moved: bool,
    level: usize,
}

impl Spot<'_> {
    /// The spot of what is in an option here.
    const fn in_option(self) -> Self {
        Self { has_default: false, ..self.deeper() }
    }

    /// The spot of what is one level deeper.
    const fn deeper(self) -> Self {
        Self { level: self.level.saturating_add(1), ..self }
    }

    /// The spot of an element here, or of a field of a variant.
    const fn element(self, has_default: bool) -> Self {
        let has_default = self.has_default && has_default;
        Self { path: Some(&IN_ELEMENT), has_default, ..self.deeper() }
    }
}

/// A part of the new type: its schema, and the node of that in its page.
#[derive(Clone, Copy)]
struct Own {
    schema: &'static Schema,
    node: Node<'static>,
}

impl Own {
    /// The only child.
    const fn inside(self, schema: &'static Schema) -> Self {
        Self { schema, node: self.node.inside() }
    }

    /// The plan of a place for which nothing is stored.
    const fn default(self) -> u8 {
        if self.schema.is_nullable() { PLAN_DEFAULT_OPTION } else { PLAN_DEFAULT }
    }
}

/// Where a field is stored.
struct Source<'p> {
    node: Option<Node<'p>>,
    /// Whether it was elsewhere or had another name.
    is_moved: bool,
    /// Whether the way to it goes through an option, which can be `None`.
    is_optional: bool,
}

/// What is planned.
pub(super) struct Planner<'p> {
    pub(super) names: Names<'p>,
    pub(super) out: Steps<'p>,
    /// The positions of the page whose values have a place, as bits.
    taken: [u64; 128],
    /// Whether the type is asked while a record is loaded.
    pub(super) asks: bool,
    /// Whether a leaf gets other bytes.
    pub(super) converts: bool,
}

const INTO_OTHERS: &str =
    "an alias leads into an enum, a list, a tuple, a map or an option of options";

const fn refused<T>(why: &str) -> Result<T, Message> {
    Err(Message::new(&[why, ": `load_older` reads it"]))
}

impl<'p> Planner<'p> {
    pub(super) const fn new(names: Names<'p>, out: Steps<'p>) -> Self {
        Self { names, out, taken: [0; 128], asks: false, converts: false }
    }

    /// Plans the whole value. `own` is the page of the type.
    ///
    /// # Errors
    ///
    /// What has no plan.
    pub(super) const fn whole(&mut self, own: Node<'static>) -> Result<(), Message> {
        ok!(self.names.check());
        let spot = Spot { path: None, has_default: true, is_moved: false, level: 0 };
        let Names { schema, stored, .. } = &self.names;
        ok!(self.node(Own { schema, node: own }, Some(*stored), spot));
        Ok(())
    }

    /// Notes that a stored node has a place, or all that is in it.
    const fn take(&mut self, node: Node<'_>, is_whole: bool, field: &str) -> Result<(), Message> {
        each_below!(node, node => {
            let Some((_, [word, ..])) = self.taken.split_at_mut_checked(node.at >> 6) else {
                return refused("the schema is above 8192 bytes");
            };
            let bit = 1 << (node.at & 63);
            if *word & bit != 0 {
                let why = "` has another place, too: `load_older` gives it both";
                return Err(Message::new(&["what is stored for `", field, why]));
            }
            *word |= bit;
            if !is_whole {
                return Ok(());
            }
        });
        Ok(())
    }

    /// Plans a place. Returns whether its value can be impossible to make where there is no default.
    const fn node(
        &mut self,
        own: Own,
        stored: Option<Node<'p>>,
        spot: Spot<'_>,
    ) -> Result<bool, Message> {
        if spot.level > LEVELS {
            return refused("the type has too many levels");
        }
        let is_below = ok!(self.names.given_below(spot.path)).is_some();
        let moved = if is_below { HAS_MOVED } else { 0 };
        let Some(stored) = stored else {
            return match own.schema {
                _ if !is_below => {
                    self.out.byte(own.default());
                    Ok(true)
                }
                Schema::Optional(of) if !of.is_nullable() => {
                    self.out.byte(PLAN_OPTION | moved);
                    self.out.byte(0);
                    self.node(own.inside(of), None, spot.in_option())
                }
                Schema::Struct(fields) => {
                    self.fields(fields, (own.node, moved), [0, 0], None, spot)
                }
                _ => refused(INTO_OTHERS),
            };
        };
        if is_below {
            if !matches!(own.schema, Schema::Struct(_) | Schema::Optional(_)) {
                return refused(INTO_OTHERS);
            }
            if stored.is(b"an option") && ok!(self.names.can_stay(spot.path)).is_some() {
                return refused(
                    "an alias leads into a stored option from a path that is still there",
                );
            }
        }
        if !is_below && ok!(self.same(own.node, stored)) {
            return Ok(false);
        }
        let (kind, is_leaf) = (stored.name(), matches!(own.schema, Schema::Leaf(..)));
        match (own.schema, kind) {
            (Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown, _) => {
                refused("a type contains itself, or has a container without a schema")
            }
            (Schema::Optional(Schema::Optional(_)), _) => {
                refused("a type has an option of options")
            }
            (Schema::Optional(of), _) => {
                let is_option = stored.is(b"an option");
                self.out.byte(PLAN_OPTION | moved);
                self.out.byte(is_option as u8);
                let stored = if is_option { stored.inside() } else { stored };
                self.node(own.inside(of), Some(stored), spot.in_option())
            }
            (_, b"an option") => {
                ok!(self.stays(stored, spot));
                self.out.byte(if is_leaf { PLAN_LEAF_INSIDE } else { PLAN_INSIDE | moved });
                ok!(self.node(own, Some(stored.inside()), spot.deeper()));
                Ok(true)
            }
            (Schema::Leaf(to, ..), b"a leaf") => Ok(self.leaf(stored.leaf(), to.as_bytes())),
            (Schema::Struct(fields), _)
                if stored.is_struct() && self.names.is_called(kind, fields) =>
            {
                self.fields(fields, (own.node, moved), [0, 0], Some(stored), spot)
            }
            (Schema::Tuple(children), b"") => {
                self.tuple(children.as_slice(), own.node, stored, spot)
            }
            (Schema::Enum(_, variants), b"an enum") => {
                self.variants(variants, own.node, stored, spot)
            }
            (Schema::Array(..) | Schema::List(..), b"an array" | b"a list") => {
                self.list(own, stored, spot)
            }
            (Schema::Map(room, key, of), b"a map") => {
                if !equal_words(stored.note(b"key"), key.as_bytes()) {
                    return refused("the keys of a map have another type now");
                }
                self.asks = true;
                self.out.byte(PLAN_MAP);
                self.out.number(or_any(*room));
                ok!(self.node(own.inside(of), Some(stored.inside()), spot.element(false)));
                Ok(true)
            }
            _ => {
                ok!(self.stays(stored, spot));
                if self.is_variant(own.schema, stored) {
                    return refused("a struct was a variant, or is one now");
                }
                self.out.byte(if is_leaf { PLAN_OTHER_LEAF } else { PLAN_OTHER | moved });
                if !is_leaf {
                    ok!(self.node(own, None, spot.deeper()));
                }
                Ok(true)
            }
        }
    }

    /// Plans a place that is stored as it is, if it is.
    const fn same(&mut self, own: Node<'_>, stored: Node<'p>) -> Result<bool, Message> {
        if !is_same(own, stored) || ok!(self.names.goes(stored)) {
            return Ok(false);
        }
        // The node itself was taken before.
        each_child!(stored, child => ok!(self.take(child, true, "a part")));
        self.out.byte(PLAN_SAME);
        Ok(true)
    }

    /// Checks that aliases leave something of a stored node that its place may refuse, and take no meta fields and no keys out of it: what is
    /// counted then depends on what is stored.
    const fn stays(&self, stored: Node<'p>, spot: Spot<'_>) -> Result<(), Message> {
        let is_gone = !spot.is_moved && ok!(self.names.goes_whole(stored));
        each_child!(stored, child => if is_gone || has_meta(child) && ok!(self.names.goes(child)) {
            return refused("aliases give parts of a struct to other places, and its own may refuse it");
        });
        Ok(())
    }

    /// Whether a stored struct has the name of a variant, or a variant that of the struct.
    const fn is_variant(&self, schema: &'static Schema, stored: Node<'p>) -> bool {
        match schema {
            Schema::Enum(_, variants) => {
                stored.is_struct() && self.named(stored.name(), variants).is_some()
            }
            Schema::Struct(fields) if stored.is(b"an enum") => {
                each_child!(stored, one => if self.names.is_called(one.name(), fields) { return true });
                false
            }
            _ => false,
        }
    }

    /// Plans a leaf of another type, by the names of both.
    const fn leaf(&mut self, from: &[u8], to: &[u8]) -> bool {
        let (is_asked, mut how) = (!takes_all(from, to), NEVER);
        if let Some(Conversion(conversion)) = Conversion::of(from, to) {
            how = if is_asked { conversion | MAY_REFUSE } else { conversion };
            self.asks |= is_asked;
            self.converts |= conversion != Conversion::COPY.0;
        }
        self.out.byte(PLAN_LEAF);
        self.out.byte(how);
        is_asked || how == NEVER
    }

    /// Plans a list or an array.
    const fn list(&mut self, own: Own, stored: Node<'p>, spot: Spot<'_>) -> Result<bool, Message> {
        let (fixed, room, of) = match own.schema {
            Schema::Array(count, of) => (Some(*count), None, *of),
            Schema::List(room, of) => (None, *room, *of),
            _ => return Ok(true),
        };
        let own = own.inside(of);
        self.out.byte(PLAN_LIST);
        self.out.number(or_any(fixed));
        self.out.number(or_any(room));
        self.out.byte(own.default());
        // An array can lack an element, and a list can have one too many.
        let (most, is_array) = (or_any(stored.room()), stored.is(b"an array"));
        let can_lack = fixed.is_some() && !(is_array && most >= or_any(fixed));
        let can_fail = ok!(self.node(own, Some(stored.inside()), spot.element(fixed.is_some())));
        Ok(can_fail || can_lack || most > or_any(room))
    }

    /// Plans a tuple.
    const fn tuple(
        &mut self,
        mut children: &'static [&'static Schema],
        own: Node<'static>,
        stored: Node<'p>,
        spot: Spot<'_>,
    ) -> Result<bool, Message> {
        self.begin(0, 0, children.len());
        self.out.byte(0);
        self.out.byte(0);
        let (mut child, mut node, mut index, mut can_fail) =
            (stored.inside(), own.inside(), 0, false);
        while let [schema, rest @ ..] = children {
            let is_there = index < stored.count();
            if is_there {
                self.out.small(index);
            } else {
                self.out.byte(NOWHERE);
            }
            let place = if is_there { Some(child) } else { None };
            can_fail |= ok!(self.child(Own { schema, node }, place, spot.element(true)));
            child = child.next();
            (node, index, children) = (node.next(), index.saturating_add(1), rest);
        }
        Ok(can_fail)
    }

    /// Begins the plan of a struct or a tuple of this number of children, the first of which has this index.
    const fn begin(&mut self, moved: u8, first: usize, count: usize) {
        self.out.byte(PLAN_FIELDS | moved);
        self.out.small(first);
        self.out.small(count);
    }

    /// Plans a child of a struct or a tuple, after where it is stored.
    const fn child(
        &mut self,
        own: Own,
        stored: Option<Node<'p>>,
        spot: Spot<'_>,
    ) -> Result<bool, Message> {
        let open = self.out.open();
        let can_fail = ok!(self.node(own, stored, spot));
        self.out.close(open, 0);
        // Only where there can be no default, the type is asked for one.
        self.asks |= can_fail && !spot.has_default;
        Ok(can_fail)
    }

    /// Plans an enum.
    const fn variants(
        &mut self,
        variants: &'static [Fields],
        own: Node<'static>,
        stored: Node<'p>,
        spot: Spot<'_>,
    ) -> Result<bool, Message> {
        let (mut can_fail, mut child, end) = (false, stored.inside(), stored.next().at);
        self.out.byte(PLAN_ENUM);
        self.out.byte((variants.len() > 1) as u8);
        while child.at < end {
            let Some((index, variant)) = self.named(child.name(), variants) else {
                self.out.byte(NOWHERE);
                self.out.number(0);
                (can_fail, child) = (true, child.next());
                continue;
            };
            self.out.small(index);
            let open = self.out.open();
            // Fields and meta fields are counted over all variants.
            let (mut node, mut before, mut first) = (own.inside(), variants, [0usize, 0usize]);
            while let [one, rest @ ..] = before
                && before.len() > variants.len().saturating_sub(index)
            {
                let [fields, meta] = first;
                first =
                    [fields.saturating_add(one.fields.len()), meta.saturating_add(one.meta.len())];
                (node, before) = (node.next(), rest);
            }
            if !ok!(self.same(node, child)) {
                let spot = spot.element(false);
                can_fail |= ok!(self.fields(variant, (node, 0), first, Some(child), spot));
            }
            self.out.close(open, 0);
            child = child.next();
        }
        Ok(can_fail)
    }

    /// The variant with this type name, and its index: one that has it goes before one that had it.
    const fn named(
        &self,
        name: &[u8],
        variants: &'static [Fields],
    ) -> Option<(usize, &'static Fields)> {
        let (mut rest, mut index, mut found) = (variants, 0usize, None);
        while let [variant, after @ ..] = rest {
            if equal_words(variant.name.as_bytes(), name) {
                return Some((index, variant));
            }
            if found.is_none() && self.names.is_called(name, variant) {
                found = Some((index, variant));
            }
            (rest, index) = (after, index.saturating_add(1));
        }
        found
    }

    /// Plans a struct or a variant whose first field and meta field have these indices.
    const fn fields(
        &mut self,
        fields: &'static Fields,
        (own, moved): (Node<'static>, u8),
        [first, first_meta]: [usize; 2],
        stored: Option<Node<'p>>,
        spot: Spot<'_>,
    ) -> Result<bool, Message> {
        self.begin(moved, first, fields.fields.len());
        let mut can_fail = ok!(self.meta(fields, own, first_meta, stored));
        let (mut names, mut children) = (fields.fields, fields.children.as_slice());
        let mut node = own.inside();
        while let ([name, other_names @ ..], [schema, others @ ..]) = (names, children) {
            let path = Some(&Here { name: name.as_bytes(), up: spot.path });
            let source = ok!(self.source(fields, name, stored, path));
            let is_moved = spot.is_moved || source.is_moved;
            let spot = Spot { path, is_moved, ..spot.deeper() };
            can_fail |= ok!(self.child(Own { schema, node }, source.node, spot));
            can_fail |= source.is_optional;
            self.asks |= source.is_optional && !spot.has_default;
            (names, children, node) = (other_names, others, node.next());
        }
        if let (true, false, Some(stored)) = (can_fail, spot.has_default, stored) {
            ok!(self.stays(stored, spot));
        }
        Ok(can_fail)
    }

    /// Writes where a field is stored.
    const fn source(
        &mut self,
        fields: &Fields,
        field: &str,
        stored: Option<Node<'p>>,
        here: Option<&Here<'_>>,
    ) -> Result<Source<'p>, Message> {
        let name = field.as_bytes();
        let (mut by_name, mut at_field) = (None, None);
        if let Some(stored) = stored {
            by_name = stored.field(name);
            if by_name.is_none()
                && let Some((index, child)) = self.names.renamed(fields, stored, name)
            {
                return self.by_index(index, child, field, true);
            }
        }
        if let Some(found) = ok!(self.names.given(here)) {
            // Where that is in an option that is `None`, the place has what it has without the alias.
            let other = match stored {
                Some(stored) if by_name.is_none() && found.is_optional => {
                    ok!(self.names.at_field(fields, stored, field)).is_some()
                }
                _ => by_name.is_some(),
            };
            if other {
                let why = "` can be in two places: `load_older` looks which";
                return Err(Message::new(&["what is stored for `", field, why]));
            }
            return self.by_way(FROM_ROOT, &found, field);
        }
        if let Some((index, child)) = by_name
            && ok!(self.names.taken(here)).is_none()
        {
            return self.by_index(index, child, field, false);
        }
        if let Some(stored) = stored {
            at_field = ok!(self.names.at_field(fields, stored, field));
        }
        if let Some(found) = at_field {
            return self.by_way(FROM_HERE, &found, field);
        }
        self.out.byte(NOWHERE);
        Ok(Source { node: None, is_moved: false, is_optional: false })
    }

    const fn by_index(
        &mut self,
        index: usize,
        child: Node<'p>,
        field: &str,
        is_moved: bool,
    ) -> Result<Source<'p>, Message> {
        self.out.small(index);
        ok!(self.take(child, false, field));
        Ok(Source { node: Some(child), is_moved, is_optional: false })
    }

    const fn by_way(
        &mut self,
        from: u8,
        found: &Found<'p>,
        field: &str,
    ) -> Result<Source<'p>, Message> {
        let mut way = found.way();
        self.out.byte(from);
        self.out.small(way.len());
        while let [index, rest @ ..] = way {
            self.out.byte(*index);
            way = rest;
        }
        let is_nested = found.node.is(b"an option") && found.node.inside().is(b"an option");
        if from == FROM_ROOT && is_nested {
            return refused("an alias moves an option of options");
        }
        ok!(self.take(found.node, false, field));
        let is_optional = found.is_optional;
        Ok(Source { node: Some(found.node), is_moved: true, is_optional })
    }

    /// Writes what becomes of the meta fields of a struct: the number of those of the type that are choices, and of the stored ones that are
    /// lost whatever they are; and for each choice its index in the type, and in what is stored.
    const fn meta(
        &mut self,
        fields: &'static Fields,
        own: Node<'static>,
        first: usize,
        stored: Option<Node<'p>>,
    ) -> Result<bool, Message> {
        let ([open, _], [_, mut lost]) = (
            own.count_meta(),
            match stored {
                Some(stored) => stored.count_meta(),
                None => [0, 0],
            },
        );
        // Of the stored ones, a migration looks at as many.
        if lost > 32 {
            return refused("a struct has more than 32 meta fields");
        }
        self.out.small(open);
        let lost_at = self.out.len;
        self.out.byte(0);
        let (mut left, mut index) = (fields.meta, first);
        while let [(name, constant), rest @ ..] = left {
            let found = match stored {
                Some(stored) => ok!(stored_meta(fields, stored, name)),
                None => None,
            };
            match (found, is_literal(constant)) {
                (None, true) => {}
                (None, false) => {
                    self.out.small(index);
                    self.out.byte(NOWHERE);
                }
                (Some((Some(at), _)), false) => {
                    self.out.small(index);
                    self.out.small(at);
                    lost = lost.saturating_sub(1);
                }
                (Some((None, value)), true) => {
                    if let Some((_, own)) = own.meta_field(name.as_bytes())
                        && equal_words(own, value)
                    {
                        lost = lost.saturating_sub(1);
                    }
                }
                _ => {
                    let why = "` was a constant, or is one now: `load_older` compares it";
                    return Err(Message::new(&["the meta field `", name, why]));
                }
            }
            (left, index) = (rest, index.saturating_add(1));
        }
        // There are at most 32.
        let [lost, ..] = lost.to_le_bytes();
        self.out.set(lost_at, lost);
        self.asks |= open > 0;
        Ok(open > 0)
    }
}

/// A stored meta field: its index among those that are choices, if it is one, and its value.
type Meta<'p> = (Option<usize>, &'p [u8]);

/// The stored meta field of this name, or of one that it had.
const fn stored_meta<'p>(
    fields: &Fields,
    stored: Node<'p>,
    name: &str,
) -> Result<Option<Meta<'p>>, Message> {
    let (mut found, mut aliases) = (stored.meta_field(name.as_bytes()), fields.aliases);
    while let [(from, to), rest @ ..] = aliases {
        if equal_words(to.as_bytes(), name.as_bytes())
            && let Some(other) = stored.meta_field(from.as_bytes())
        {
            if found.is_some() {
                let why = "` is stored under several names: `load_older` looks which fits";
                return Err(Message::new(&["the meta field `", name, why]));
            }
            found = Some(other);
        }
        aliases = rest;
    }
    Ok(found)
}

/// Whether the records of a node are those of the type, and right for it, whatever they are: without maps, meta fields that are choices, and
/// leaf types of the program.
const fn is_same(own: Node<'_>, stored: Node<'_>) -> bool {
    if !own.equals(stored) || stored.has_values() {
        return false;
    }
    each_below!(stored, node => {
        let is_run = node.is(b"a leaf") && matches!(LeafForm::of(node.leaf()), LeafForm::Run);
        if is_run || node.is_unknown() {
            return false;
        }
    });
    true
}

/// Whether values of a node have meta fields or keys.
const fn has_meta(node: Node<'_>) -> bool {
    each_below!(node, node => {
        let [_, all] = node.count_meta();
        if all > 0 || node.is(b"a map") {
            return true;
        }
    });
    false
}
