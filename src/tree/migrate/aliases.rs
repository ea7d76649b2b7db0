//! Places that moved: paths in an old structure and in a new one.
//!
//! A path is matched with names, segment by segment, as [`TreeDef::find_str`] reads it. A `*` is any index or key, and the
//! same one in both paths. For `("motor[*].kp", "motor[*].pid.kp")` and the place `.motor[1].pid.kp`:
//!
//! ```text
//! pattern       motor   [*]     .pid   .kp
//! path          motor   [1]     pid    kp       so * is 1
//! searched      .motor[1].kp
//! ```

use core::cell::Cell;

use crate::encode::schema::{Fields, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::tree::migrate::children::{Children, Node};
use crate::treedef::find_str::child;
use crate::treedef::pattern::{after, begins_segment, open};
use crate::treedef::segment::Segment;

/// What the `*`s of a path are.
pub(crate) type Stars<'d> = heapless::Vec<KeyEntry<'d>, 4>;

/// A pattern, or what is left of it. Bytes take less code than texts.
pub(crate) type Pattern<'t> = &'t [u8];

/// What is left of a pattern after its first segment, if that is a `*`.
pub(crate) fn after_star(pattern: Pattern<'_>) -> Option<Pattern<'_>> {
    let ([b'[', b'*', b']', rest @ ..] | [b'.' | b'/', b'*', rest @ ..] | [b'*', rest @ ..]) =
        pattern
    else {
        return None;
    };
    begins_segment(rest).then_some(rest)
}

/// Whether a pattern leads to the place with this path, and what its `*`s are then.
pub(crate) fn leads_to<'d>(pattern: &str, path: &[KeyEntry<'d>]) -> Option<Stars<'d>> {
    let (rest, stars) = follow(pattern, path)?;
    rest.is_empty().then_some(stars)
}

/// The rest of a pattern that begins with this path, and what its `*`s are.
pub(crate) fn follow<'t, 'd>(
    pattern: &'t str,
    path: &[KeyEntry<'d>],
) -> Option<(Pattern<'t>, Stars<'d>)> {
    let (mut rest, mut stars) = (pattern.as_bytes(), Stars::new());
    for entry in path.iter().filter(|entry| !matches!(entry, KeyEntry::Some)) {
        rest = match after_star(rest) {
            Some(after) => {
                stars.push(*entry).ok()?;
                after
            }
            None => after(rest, *entry)?,
        };
    }
    Some((rest, stars))
}

/// Positions in the nodes whose children were found last. Places are walked in order, so most children are next to these, and are not
/// searched from the start of a long list. Without the feature `alloc` there is no room for them.
#[derive(Default)]
pub(crate) struct Cursors<'d> {
    all: [Cell<Option<Children<'d>>>; if cfg!(feature = "alloc") { 8 } else { 0 }],
    next: Cell<usize>,
}

impl<'d> Cursors<'d> {
    /// The child of a node with this index.
    fn child(&self, mut children: Children<'d>, index: u32) -> Option<Node<'d>> {
        // The first children are near.
        if index < 4 || self.all.is_empty() {
            return children.child(index);
        }
        let slot = self.all.iter().find(|slot| {
            let kept = slot.take();
            let is_here = kept.as_ref().is_some_and(|kept| kept.node == children.node);
            if is_here && let Some(kept) = kept.clone() {
                children = kept;
            }
            slot.set(kept);
            is_here
        });
        let found = children.child(index);
        let next = self.next.get();
        if slot.is_none() {
            self.next.set(next.wrapping_add(1));
        }
        let slot = slot.or_else(|| self.all.get(next.checked_rem(self.all.len())?));
        if let Some(slot) = slot {
            slot.set(Some(children));
        }
        found
    }
}

/// The node below `root` that a pattern leads to, with these `*`s. A `*` that `stars` lack is the first child.
pub(crate) fn find<'d>(
    mut pattern: Pattern<'_>,
    root: Node<'d>,
    mut stars: &[KeyEntry<'_>],
    cursors: &Cursors<'d>,
) -> Option<Node<'d>> {
    let mut node = root;
    while !pattern.is_empty() {
        (node, pattern) = step(pattern, node, &mut stars, cursors)?;
    }
    Some(node)
}

/// The child that the first segment of a pattern leads to, and the rest. The `*` of the segment is the next of `stars`, as in
/// [`find`].
fn step<'t, 'd>(
    pattern: Pattern<'t>,
    node: Node<'d>,
    stars: &mut &[KeyEntry<'_>],
    cursors: &Cursors<'d>,
) -> Option<(Node<'d>, Pattern<'t>)> {
    let children = Children::of(node.inside_some());
    let head = children.head;
    let (index, rest) = match after_star(pattern) {
        Some(rest) => (stars.split_off_first().map_or(Some(0), |star| head.index_of(*star))?, rest),
        None => child(open(pattern)?, &head).filter(|(_, rest)| begins_segment(rest))?,
    };
    Some((cursors.child(children, index)?, rest))
}

/// A stored node and a default.
type Nodes<'d> = [Option<Node<'d>>; 2];

/// The values of a type that a pattern is followed in.
#[derive(Clone, Copy)]
pub(crate) enum In<'a, 'd> {
    /// All of them. What the type does not say can be anything.
    Any,
    /// The one that is built from this stored node and this default, with these `*`s. The function finds a node that is stored under
    /// another path, by the length of the pattern below it.
    One(Nodes<'d>, &'a [KeyEntry<'d>], &'a dyn Fn(usize) -> Option<Node<'d>>),
}

/// Whether a pattern leads to a place of such values. In one value, options, variants, lengths and keys are those that are stored,
/// otherwise those of the default; an option that is not stored can be there.
pub(crate) fn leads_into<'d>(
    pattern: Pattern<'_>,
    schema: &Schema,
    mut value: In<'_, 'd>,
    cursors: &Cursors<'d>,
) -> bool {
    let (star, mut node, mut below) = (after_star(pattern), None, In::Any);
    if let In::One(nodes, stars, elsewhere) = &mut value {
        let [stored, default] = nodes;
        if stored.is_none() && !pattern.is_empty() {
            *stored = elsewhere(pattern.len());
        }
        node = stored.or(*default);
        let child =
            |node: Option<Node<'d>>| Some(step(pattern, node?, &mut { *stars }, cursors)?.0);
        let after = star.and_then(|_| stars.get(1..));
        below = In::One(nodes.map(child), after.unwrap_or(stars), *elsewhere);
    }
    match (schema, value) {
        (Schema::Optional(of), In::One([Some(stored), _], ..)) => {
            return stored.head().kind() != Kind::None && leads_into(pattern, of, value, cursors);
        }
        (Schema::Optional(of), _) => return leads_into(pattern, of, value, cursors),
        (Schema::Unknown | Schema::Recursive(_) | Schema::Map(..), In::Any) => return true,
        (Schema::Unknown | Schema::Recursive(_), In::One([_, default], stars, _)) => {
            return default.is_some_and(|node| find(pattern, node, stars, cursors).is_some());
        }
        _ if pattern.is_empty() => return true,
        (Schema::List(_, of) | Schema::Map(_, _, of), In::One(_, stars, _)) => {
            let found = node.and_then(|node| step(pattern, node, &mut { stars }, cursors));
            return found.is_some_and(|(_, rest)| leads_into(rest, of, below, cursors));
        }
        _ => {}
    }
    let (records, others) = schema.parts();
    let leads = |child: &Schema, name: KeyEntry<'_>| {
        let is_other = matches!(value, In::One(_, [first, ..], _) if *first != name);
        let rest = star.filter(|_| !is_other).or_else(|| after(pattern, name));
        rest.is_some_and(|rest| leads_into(rest, child, below, cursors))
    };
    // The variant is the stored one, or that of the default if the enum has none of that name.
    let named = |node: Option<Node<'_>>| {
        let name = node?.inside_some().head().type_name()?;
        records.iter().find(|record| record.is_called(name)).map(|record| record.name)
    };
    let variant = match (schema, value) {
        (Schema::Enum(..), In::One([stored, default], ..)) => {
            Some(named(stored).or_else(|| named(default)))
        }
        _ => None,
    };
    let in_record = |record: &Fields| {
        let is_other = variant.is_some_and(|variant| variant != Some(record.name));
        let mut fields = record.fields.iter().zip(record.children.as_slice());
        !is_other && fields.any(|(name, child)| leads(child, KeyEntry::Attr(name)))
    };
    let asked = match (star, value) {
        (Some(_), In::One(_, [KeyEntry::Index(index), ..], _)) => Some(*index),
        (Some(_), _) => Some(0),
        _ => open(pattern).and_then(Segment::index).map(|(index, _)| index),
    };
    let in_other = |(child, index): (&&Schema, u32)| {
        let index = match schema {
            Schema::Tuple(_) => Some(index),
            Schema::Array(count, _) => asked.filter(|asked| (*asked as usize) < *count),
            _ => asked,
        };
        index.is_some_and(|index| leads(child, KeyEntry::Index(index)))
    };
    records.iter().any(in_record) || others.iter().zip(0..u32::MAX).any(in_other)
}

/// The path of the node that a pattern leads to, if that is around the place with this path.
pub(crate) fn leads_around<'p, 'd>(
    pattern: &str,
    path: &'p [KeyEntry<'d>],
) -> Option<&'p [KeyEntry<'d>]> {
    let mut around = (0..path.len()).filter_map(|len| path.get(..len));
    around.find(|up| leads_to(pattern, up).is_some())
}
