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

use crate::base::attempt::attempt;
use crate::encode::schema::{Record, Schema};
use crate::format::entry::KeyEntry;
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
    let (mut rest, mut node, mut stars) = (pattern.as_bytes(), root, stars.iter());
    while !rest.is_empty() {
        let is_whole = rest.len() == pattern.len();
        let mut children = Children::of(node.inside_some());
        let head = children.head;
        let (index, after) = match after_star(rest, is_whole) {
            Some(after) => match stars.next().and_then(|star| head.index_of(*star)) {
                Some(index) => (index, after),
                None if is_alike => (0, after),
                None => return None,
            },
            None => child(Segment::open(rest, is_whole)?, &head)?,
        };
        (node, rest) = (attempt!(children.child(index)), after);
    }
    Some(node)
}

/// Whether a pattern leads somewhere in the values of a type. What the type does not say can be anything.
pub(crate) fn is_in(pattern: &str, schema: &Schema) -> bool {
    leads_into(pattern.as_bytes(), true, schema)
}

fn leads_into(pattern: Pattern<'_>, is_whole: bool, schema: &Schema) -> bool {
    match schema {
        Schema::Unknown | Schema::Recursive(_) | Schema::Map(..) => return true,
        Schema::Optional(of) => return leads_into(pattern, is_whole, of),
        _ if pattern.is_empty() => return true,
        _ => {}
    }
    let (records, others) = schema.parts();
    let leads = |child: &Schema, after: Option<Pattern<'_>>| {
        let after = after.or_else(|| after_star(pattern, is_whole));
        after.is_some_and(|rest| leads_into(rest, false, child))
    };
    let in_record = |record: &Record| {
        let mut fields = record.fields.iter().zip(record.children.as_slice());
        fields.any(|(name, child)| leads(child, after(pattern, is_whole, KeyEntry::Attr(name))))
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

/// Whether a pattern leads to a node around the place with this path.
pub(crate) fn leads_around(pattern: &str, path: &[KeyEntry<'_>]) -> bool {
    (0..path.len()).any(|len| path.get(..len).is_some_and(|up| leads_to(pattern, up).is_some()))
}
