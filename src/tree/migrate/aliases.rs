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

use crate::encode::schema::{Record, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::format::varint::zigzag;
use crate::tree::migrate::children::{Children, Node};
use crate::treedef::find_str::child;
use crate::treedef::segment::Segment;

/// What the `*`s of a path are.
pub(crate) type Stars<'d> = heapless::Vec<KeyEntry<'d>, 4>;

/// A pattern, or what is left of it. Bytes take less code than texts.
type Pattern<'t> = &'t [u8];

/// What is left of a pattern after its first segment, if that leads to the child with this name. The pattern `is_whole` if no
/// segment was read before.
fn after<'t>(pattern: Pattern<'t>, is_whole: bool, name: KeyEntry<'_>) -> Option<Pattern<'t>> {
    let mut segment = Segment::open(pattern, is_whole)?;
    let number = match name {
        KeyEntry::Attr(text) | KeyEntry::Raw(text) | KeyEntry::Key(Value::Str(text)) => {
            segment.try_name(0, text.as_bytes(), matches!(name, KeyEntry::Key(_)));
            return segment.end().map(|(_, rest)| rest).filter(|rest| begins_segment(rest));
        }
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => i64::from(index),
        KeyEntry::Key(Value::Int(key)) => key,
        _ => return None,
    };
    let (found, rest) = segment.number()?;
    (found == zigzag(number) && begins_segment(rest)).then_some(rest)
}

/// What is left of a pattern after its first segment, if that is a `*`.
fn after_star(pattern: Pattern<'_>, is_whole: bool) -> Option<Pattern<'_>> {
    let rest = match pattern {
        [b'[', b'*', b']', rest @ ..] | [b'.' | b'/', b'*', rest @ ..] => rest,
        [b'*', rest @ ..] if is_whole => rest,
        _ => return None,
    };
    begins_segment(rest).then_some(rest)
}

/// Whether a path ends here, or goes on with another segment.
const fn begins_segment(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'.' | b'/' | b'[', ..])
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
        let is_whole = rest.len() == pattern.len();
        rest = match after_star(rest, is_whole) {
            Some(after) => {
                stars.push(*entry).ok()?;
                after
            }
            None => after(rest, is_whole, *entry)?,
        };
    }
    Some((rest, stars))
}

/// The node below `root` that a pattern leads to, with these `*`s. A `*` that a node lacks, or that `stars` lack, is its first
/// child if `is_alike`; otherwise it leads nowhere.
pub(crate) fn find<'d>(
    pattern: &str,
    root: Node<'d>,
    stars: &Stars<'_>,
    is_alike: bool,
) -> Option<Node<'d>> {
    let (mut rest, mut node, mut stars) = (pattern.as_bytes(), root, &stars[..]);
    while !rest.is_empty() {
        let is_whole = rest.len() == pattern.len();
        (node, rest) = step(rest, is_whole, node, &mut stars, is_alike)?;
    }
    Some(node)
}

/// The child that the first segment of a pattern leads to, and the rest. The `*` of the segment is the next of `stars`, as in
/// [`find`].
fn step<'t, 'd>(
    pattern: Pattern<'t>,
    is_whole: bool,
    node: Node<'d>,
    stars: &mut &[KeyEntry<'_>],
    is_alike: bool,
) -> Option<(Node<'d>, Pattern<'t>)> {
    let mut children = Children::of(node.inside_some());
    let head = children.head;
    let (index, rest) = match after_star(pattern, is_whole) {
        Some(rest) => {
            let index = stars.split_off_first().and_then(|star| head.index_of(*star));
            (index.or(if is_alike { Some(0) } else { None })?, rest)
        }
        None => child(Segment::open(pattern, is_whole)?, &head)?,
    };
    Some((children.child(index)?, rest))
}

/// The values of a type that a pattern is followed in.
#[derive(Clone, Copy)]
enum In<'a, 'd> {
    /// All of them. What the type does not say can be anything.
    Any,
    /// The one that is built from this stored node, or where nothing is stored, with these `*`s.
    One(Option<Node<'d>>, &'a [KeyEntry<'d>]),
}

/// Whether a pattern leads somewhere in the values of a type.
pub(crate) fn is_in(pattern: &str, schema: &Schema) -> bool {
    leads_into(pattern.as_bytes(), true, schema, In::Any)
}

/// Whether a pattern leads to a place of the value that is built from a stored node. Options, variants, lengths and keys are those
/// that are stored; an option that is not stored can be there.
pub(crate) fn is_place(
    pattern: &str,
    schema: &Schema,
    stored: Node<'_>,
    stars: &Stars<'_>,
) -> bool {
    leads_into(pattern.as_bytes(), true, schema, In::One(Some(stored), stars))
}

fn leads_into(pattern: Pattern<'_>, is_whole: bool, schema: &Schema, value: In<'_, '_>) -> bool {
    let (mut node, mut below, mut rest) = (None, In::Any, None);
    if let In::One(stored, mut stars) = value {
        let found = stored.and_then(|node| step(pattern, is_whole, node, &mut stars, false));
        (node, below) = (stored, In::One(found.map(|(child, _)| child), stars));
        rest = found.map(|(_, rest)| rest);
    }
    match schema {
        Schema::Optional(of) => {
            let is_some = node.is_none_or(|node| node.head().kind() != Kind::None);
            return is_some && leads_into(pattern, is_whole, of, value);
        }
        Schema::Unknown | Schema::Recursive(_) => return matches!(value, In::Any),
        Schema::Map(..) if matches!(value, In::Any) => return true,
        _ if pattern.is_empty() => return true,
        Schema::List(_, of) | Schema::Map(_, _, of) if matches!(value, In::One(..)) => {
            return rest.is_some_and(|rest| leads_into(rest, false, of, below));
        }
        _ => {}
    }
    let (records, others) = schema.parts();
    let is_there = match (schema, value) {
        (Schema::Array(count, _), In::One(_, [KeyEntry::Index(star), ..])) => {
            (*star as usize) < *count
        }
        _ => true,
    };
    let leads = |child: &Schema, after: Option<Pattern<'_>>| {
        let after = after.or_else(|| after_star(pattern, is_whole).filter(|_| is_there));
        after.is_some_and(|rest| leads_into(rest, false, child, below))
    };
    let in_record = |record: &Record| {
        let is_other = matches!((schema, value), (Schema::Enum(..), In::One(..)))
            && node.and_then(|node| node.inside_some().head().type_name()) != Some(record.name);
        let mut fields = record.fields.iter().zip(record.children.as_slice());
        !is_other
            && fields
                .any(|(name, child)| leads(child, after(pattern, is_whole, KeyEntry::Attr(name))))
    };
    let at = |index| {
        let is_there = |at: u32| match schema {
            Schema::Tuple(_) => at == index,
            Schema::Array(count, _) => (at as usize) < *count,
            _ => true,
        };
        let (found, rest) = Segment::open(pattern, is_whole)?.index()?;
        (is_there(found) && begins_segment(rest)).then_some(rest)
    };
    records.iter().any(in_record)
        || (0u32..).zip(others).any(|(index, child)| leads(child, at(index)))
}

/// The schema of the place with this path, inside of options; `None` if it is not known.
pub(crate) fn schema_at<'s>(mut schema: &'s Schema, path: &[KeyEntry<'_>]) -> Option<&'s Schema> {
    let mut path = path.iter().filter(|entry| **entry != KeyEntry::Some);
    loop {
        while let Schema::Optional(of) = schema {
            schema = of;
        }
        let Some(entry) = path.next() else { return Some(schema) };
        let (records, others) = schema.parts();
        let index = match (schema, entry) {
            (Schema::Tuple(_), KeyEntry::Index(index)) => *index as usize,
            _ => 0,
        };
        let in_record = |record: &'s Record| {
            let mut fields = record.fields.iter().zip(record.children.as_slice());
            fields.find(|(name, _)| KeyEntry::Attr(name) == *entry).map(|(_, child)| *child)
        };
        schema = records.iter().find_map(in_record).or_else(|| others.get(index).copied())?;
    }
}

/// Whether a pattern leads to a node around the place with this path.
pub(crate) fn leads_around(pattern: &str, path: &[KeyEntry<'_>]) -> bool {
    (0..path.len()).any(|len| path.get(..len).is_some_and(|up| leads_to(pattern, up).is_some()))
}
