//! Places that moved, in a record: what aliases lead to.
//!
//! [`aliases`](crate::tree::migrate::aliases) has the patterns, and `by_alias` the same for stored treedefs.

use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::record::older::place::{ByPath, Place, Task};
use crate::record::older::stored::{At, Children, Node, What};
use crate::tree::migrate::aliases::{Pattern, Stars, after_star};
use crate::tree::migrate::by_alias::{is_clear, is_name, is_path, unscoped};
use crate::tree::migrate::walk::is_renamed;
use crate::treedef::pattern::{after, begins_segment, open as open_segment};
use crate::treedef::segment::Segment;

/// The bits of all aliases.
const ALL: u32 = u32::MAX;

pub(super) static BY_PATH: ByPath = ByPath {
    aliases: |task, place| task.aliases_at(place),
    stored: |task, place| task.stored(place),
    is_around: |task, place| task.is_around(place),
    old_index: |task, stored, fields, name| {
        let (own, mut found) = (stored.type_name().unwrap_or_default(), None);
        task.any(ALL, &mut |from, to| {
            let from = unscoped(own, from);
            if is_name(fields.name, to, name) && !fields.fields.contains(&from) {
                found = stored.head.position(from);
            }
            found.is_some()
        });
        found
    },
    is_renamed: |task, names| task.any(ALL, &mut |from, to| is_renamed(names, [from, to])),
    goes: |task, place| task.goes(place),
    has_left: |task, place| {
        let has_leaves = |at: At<'_>| at.pass().is_some_and(|end| end.leaves != at.leaves);
        // What an alias gave the place was not there before.
        place.stored.is_some_and(has_leaves)
            && task.stored(&Place { stored: None, ..*place }).is_none()
            && task.has_left(place)
    },
};

/// The node that the first alias of a field leads to which is stored.
pub(super) fn by_field<'v>(
    around: At<'v>,
    pairs: &'static [(&'static str, &'static str)],
    field: &str,
) -> Option<At<'v>> {
    let mut own = pairs.iter().filter(|(_, name)| *name == field);
    own.find_map(|(old, _)| find(old.as_bytes(), around, &[]))
}

/// The rest of a pattern that begins with the path of a place. What its `*`s are is appended.
#[inline(never)]
fn follow<'t, 'v>(
    pattern: &'t str,
    place: &Place<'_, 'v>,
    stars: &mut Stars<'v>,
) -> Option<Pattern<'t>> {
    let Some(up) = place.up else { return Some(pattern.as_bytes()) };
    let rest = follow(pattern, up, stars)?;
    match (place.name, after_star(rest)) {
        (KeyEntry::Some, _) => Some(rest),
        (name, Some(rest)) => {
            stars.push(name).ok()?;
            Some(rest)
        }
        (name, None) => after(rest, name),
    }
}

/// Whether a pattern begins with the path of a place, and goes on or not.
fn begins(pattern: &str, place: &Place<'_, '_>, goes_on: bool) -> bool {
    follow(pattern, place, &mut Stars::new()).is_some_and(|rest| rest.is_empty() != goes_on)
}

/// The place around this one that a pattern leads to.
fn around<'p, 'v>(pattern: &str, place: &Place<'p, 'v>) -> Option<&'p Place<'p, 'v>> {
    let mut up = place.up;
    while let Some(here) = up {
        if begins(pattern, here, false) {
            return Some(here);
        }
        up = here.up;
    }
    None
}

/// The child that the first segment of a pattern leads to, and the rest. The `*` of the segment is the next of `stars`, and the first
/// child if there is none.
#[inline(never)]
fn step<'t, 'v>(
    pattern: Pattern<'t>,
    at: At<'v>,
    stars: &mut &[KeyEntry<'_>],
) -> Option<(At<'v>, Pattern<'t>)> {
    let node = at.open()?;
    let has_positions = matches!(node.what, What::List | What::Tuple);
    let mut found = None;
    if let Some(rest) = after_star(pattern) {
        let index = match stars.split_off_first() {
            None => Some(0),
            Some(KeyEntry::Index(index)) if has_positions => Some(*index as usize),
            Some(star) => node.index_of(*star),
        };
        found = index.map(|index| (index, rest));
    } else if has_positions {
        let (index, rest) = open_segment(pattern)?.index()?;
        found = begins_segment(rest).then_some((index as usize, rest));
    } else {
        // The longest name that the pattern begins with.
        for (name, index) in node.entries().zip(0..usize::MAX) {
            if let Some(rest) = after(pattern, name)
                && found.is_none_or(|(_, longer): (usize, Pattern<'_>)| rest.len() < longer.len())
            {
                found = Some((index, rest));
            }
        }
    }
    let (index, rest) = found?;
    Some((Children::of(node).child(index)?, rest))
}

/// The node that a pattern leads to, with these `*`s.
fn find<'v>(
    mut pattern: Pattern<'_>,
    mut at: At<'v>,
    mut stars: &[KeyEntry<'_>],
) -> Option<At<'v>> {
    while !pattern.is_empty() {
        (at, pattern) = step(pattern, at, &mut stars)?;
    }
    Some(at)
}

/// Whether a pattern leads to a place of the value of a schema that is made of the stored node and the default.
fn has_place(
    schema: &Schema,
    pattern: Pattern<'_>,
    nodes: [Option<At<'_>>; 2],
    stars: &[KeyEntry<'_>],
) -> bool {
    let [stored, default] = nodes;
    if let Schema::Optional(of) = schema {
        let is_none = stored.and_then(At::open).is_some_and(|node| node.what == What::None);
        return !is_none && has_place(of, pattern, nodes, stars);
    }
    let mut left = stars;
    let below = nodes.map(|at| {
        left = stars;
        step(pattern, at?, &mut left)
    });
    let nodes = below.map(|below| Some(below?.0));
    match schema {
        Schema::Recursive(_) | Schema::Pointer(_) | Schema::Unknown => {
            return default.is_some_and(|at| find(pattern, at, stars).is_some());
        }
        _ if pattern.is_empty() => return true,
        // A list has the stored elements, and a map the stored keys.
        Schema::List(_, of) | Schema::Map(_, _, of) => {
            let below = if stored.is_some() { below[0] } else { below[1] };
            return below.is_some_and(|(_, rest)| has_place(of, rest, nodes, left));
        }
        _ => {}
    }
    let (records, others) = schema.parts();
    let (star, rest_of) = (after_star(pattern), stars.get(1..).unwrap_or(&[]));
    let leads = |child: &Schema, name| {
        let is_other = star.is_some() && stars.first().is_some_and(|star| *star != name);
        let rest = star.filter(|_| !is_other).or_else(|| after(pattern, name));
        let stars = if star.is_some() { rest_of } else { stars };
        rest.is_some_and(|rest| has_place(child, rest, nodes, stars))
    };
    // The variant is the stored one, or that of the default if the enum has none of that name.
    let named = |at: Option<At<'_>>| {
        let name = at?.open()?.type_name()?;
        records.iter().find(|record| record.is_called(name)).map(|record| record.name)
    };
    let variant = named(stored).or_else(|| named(default));
    for record in records {
        let is_other = matches!(schema, Schema::Enum(..)) && variant != Some(record.name);
        for (name, child) in record.fields.iter().zip(record.children.as_slice()) {
            if !is_other && leads(child, KeyEntry::Attr(name)) {
                return true;
            }
        }
    }
    // The elements of an array have one schema.
    let asked = open_segment(pattern).and_then(Segment::index).map_or(0, |(index, _)| index);
    let count = if let Schema::Array(count, _) = schema { *count } else { usize::MAX };
    let is_tuple = matches!(schema, Schema::Tuple(_));
    (asked as usize) < count
        && others.iter().zip(0..u32::MAX).any(|(child, index)| {
            leads(child, KeyEntry::Index(if is_tuple { index } else { asked }))
        })
}

/// Whether two nodes are of one type, and have a name in common.
fn is_alike(one: &Node<'_>, other: &Node<'_>) -> bool {
    let has_common = || one.entries().any(|name| other.entries().any(|own| own == name));
    one.what == other.what
        && one.type_name() == other.type_name()
        && (one.count == 0 || has_common())
}

impl<'v> Task<'_, 'v> {
    /// Calls `test` with each alias of these bits and its backwards form, until it is true. The last bit is that of all others, too.
    #[inline(never)]
    fn any(&self, bits: u32, test: &mut dyn FnMut(&str, &str) -> bool) -> bool {
        let mut pairs = self.aliases.iter().zip(0..u32::MAX);
        pairs.any(|(&(from, to), index)| {
            bits >> index.min(31) & 1 == 1 && (test(from, to) || test(to, from))
        })
    }

    /// The aliases of which a path begins with that of a place. Names at any node are none of them.
    fn aliases_at(&self, place: &Place<'_, 'v>) -> u32 {
        let pairs = self.aliases.iter().zip(0..u32::MAX);
        let begins = |path: &str| follow(path, place, &mut Stars::new()).is_some();
        pairs.fold(0, |bits, (&(from, to), index)| {
            let bit = 1u32 << index.min(31);
            let is_here = place.aliases & bit != 0 && is_path(from, to);
            if is_here && (begins(from) || begins(to)) { bits | bit } else { bits }
        })
    }

    /// Whether a pattern leads to a place of the value.
    fn has_place(&self, pattern: &str, stars: &[KeyEntry<'_>]) -> bool {
        let nodes = [self.stored.root(), self.defaults.root()].map(Some);
        has_place(self.own_type.schema, pattern.as_bytes(), nodes, stars)
    }

    /// What is stored where a pattern leads to.
    fn find(&self, pattern: &str, stars: &[KeyEntry<'_>]) -> Option<At<'v>> {
        find(pattern.as_bytes(), self.stored.root(), stars)
    }

    fn stored(&self, place: &Place<'_, 'v>) -> Option<At<'v>> {
        let (by_name, mut given, mut is_part) = (place.stored, None, false);
        self.any(place.aliases, &mut |from, to| {
            let mut stars = Stars::new();
            let Some(rest) = follow(to, place, &mut stars) else { return false };
            if rest.is_empty() {
                given = self.given(from, to, &stars, Some(place));
            } else {
                // Where the list around it was renamed, the node has another path than this one.
                is_part |= by_name.is_some()
                    && place.up.is_some()
                    && is_clear(from, to)
                    && !begins(from, place, false)
                    && self.find(from, &stars) == by_name
                    && self.has_place(to, &stars);
            }
            given.is_some()
        });
        let goes =
            &mut |from: &str, to: &str| around(to, place).is_none() && self.moves(from, to, place);
        let own = by_name.filter(|_| given.is_none() && !is_part && !self.any(place.aliases, goes));
        given.or(own)
    }

    fn is_around(&self, place: &Place<'_, 'v>) -> bool {
        self.any(place.aliases, &mut |from, to| {
            let mut stars = Stars::new();
            let rest = follow(to, place, &mut stars);
            let node = |at: At<'v>| at.open().filter(|node| node.what != What::None);
            rest.is_some_and(|rest| !rest.is_empty())
                && is_clear(from, to)
                && self.has_place(to, &stars)
                && self.find(from, &stars).and_then(node).is_some()
        })
    }

    /// The node that an alias gives a place, unless what is stored under the new path stays there. `place` is the place, if it can be
    /// around the old path.
    #[inline(never)]
    fn given(
        &self,
        from: &str,
        to: &str,
        stars: &Stars<'v>,
        place: Option<&Place<'_, 'v>>,
    ) -> Option<At<'v>> {
        let node = self.find(from, stars).filter(|_| is_clear(from, to))?;
        let here = self.find(to, stars);
        let is_wrapper = place.is_some_and(|place| begins(from, place, true));
        let stays = if is_wrapper {
            let default = find(to.as_bytes(), self.defaults.root(), stars).and_then(At::open);
            match (here, default.filter(|node| node.what != What::None)) {
                // A wrapper stays if it is that of the default, or one in the type.
                (Some(here), Some(default)) => {
                    here.open().is_some_and(|here| is_alike(&here, &default))
                }
                _ => self.has_place(from, stars),
            }
        } else {
            here.is_some()
        };
        (!stays).then_some(node)
    }

    /// Whether the node at a path goes from `from` to `to`: the value has that place, and this is the first alias that gives it a
    /// node.
    #[inline(never)]
    fn moves(&self, from: &str, to: &str, place: &Place<'_, 'v>) -> bool {
        let mut stars = Stars::new();
        if follow(from, place, &mut stars).is_none_or(|rest| !rest.is_empty()) {
            return false;
        }
        let (up, mut is_first) = (around(to, place), false);
        self.any(ALL, &mut |other, same| {
            let is_given = same == to && self.given(other, to, &stars, up).is_some();
            is_first |= is_given && other == from;
            is_given
        });
        is_first && self.has_place(to, &stars)
    }

    /// Whether an alias gives the node that is stored under this path another place.
    fn goes(&self, place: &Place<'_, 'v>) -> bool {
        self.any(place.aliases, &mut |from, to| self.moves(from, to, place))
    }

    /// Whether aliases give all parts of a stored node another place than this one.
    fn has_left(&self, place: &Place<'_, 'v>) -> bool {
        if self.goes(place) {
            return true;
        }
        let Some(node) = place.stored.and_then(At::open) else { return false };
        let along = &mut |from: &str, to: &str| begins(from, place, true) && is_clear(from, to);
        if node.count == 0 || !self.any(place.aliases, along) {
            return false;
        }
        let mut children = Children::of(node);
        node.entries().zip(0..usize::MAX).all(|(name, index)| {
            let stored = children.child(index);
            self.has_left(&Place { stored, name, up: Some(place), ..*place })
        })
    }
}
