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
use crate::base::bytes::equal;
use crate::encode::schema::{Record, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::tree::migrate::children::{Children, Node, decimal};
use crate::treedef::find::counted;

/// What the `*`s of a path are.
pub(crate) type Stars<'d> = heapless::Vec<KeyEntry<'d>, 4>;

/// A pattern, or what is left of it. Bytes take less code than texts.
type Pattern<'t> = &'t [u8];

/// The first segment of a path.
#[derive(Clone, Copy)]
struct Segment<'t> {
    /// What follows `.`, `[` or `['`, with all after it.
    text: Pattern<'t>,
    /// What closes it.
    close: &'static [u8],
}

impl<'t> Segment<'t> {
    /// The first segment; the path `is_whole` if no segment was read before.
    fn of(path: Pattern<'t>, is_whole: bool) -> Option<Self> {
        let (text, close): (_, &[u8]) = match path {
            [b'[', b'\'', text @ ..] => (text, b"']"),
            [b'[', b'"', text @ ..] => (text, b"\"]"),
            [b'[', text @ ..] => (text, b"]"),
            [b'.' | b'/', text @ ..] => (text, b""),
            text if is_whole => (text, b""),
            _ => return None,
        };
        Some(Self { text, close })
    }

    /// The path after this segment, if the segment is `name`.
    fn after(self, name: &[u8]) -> Option<Pattern<'t>> {
        let rest = after(after(self.text, name)?, self.close)?;
        begins_segment(rest).then_some(rest)
    }

    /// The path after this segment, if the segment is a `*`.
    fn after_star(self) -> Option<Pattern<'t>> {
        match self.text {
            [b'*', ..] if self.close.len() < 2 => self.after(b"*"),
            _ => None,
        }
    }

    /// The number that this segment is, and the path after it.
    fn number(self) -> Option<(u32, Pattern<'t>)> {
        let end = self.text.iter().position(|digit| !digit.is_ascii_digit());
        let (digits, _) = self.text.split_at_checked(end.unwrap_or(self.text.len()))?;
        Some((decimal(digits)?, self.after(digits)?))
    }

    /// The path after this segment, if it leads to the child with this name.
    fn after_entry(self, entry: KeyEntry<'_>) -> Option<Pattern<'t>> {
        let number = match entry {
            KeyEntry::Attr(name) | KeyEntry::Raw(name) | KeyEntry::Key(Value::Str(name)) => {
                // Fields have no index, and the key '2' is no number in brackets.
                return if self.close == b"]" { None } else { self.after(name.as_bytes()) };
            }
            KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => i64::from(index),
            KeyEntry::Key(Value::Int(key)) => key,
            _ => return None,
        };
        let (found, rest) = self.number()?;
        (i64::from(found) == number && self.close.len() < 2).then_some(rest)
    }
}

/// What follows `start` in `bytes`.
#[inline(never)]
fn after<'t>(bytes: &'t [u8], start: &[u8]) -> Option<&'t [u8]> {
    let (front, rest) = bytes.split_at_checked(start.len())?;
    // Most names differ in their first byte.
    (front.first() == start.first() && equal(front, start)).then_some(rest)
}

/// Whether a path ends here, or goes on with another segment.
const fn begins_segment(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'.' | b'/' | b'[', ..])
}

/// Whether a pattern leads to the place with this path, and what its `*`s are then.
pub(crate) fn leads_to<'d>(pattern: &str, path: &[KeyEntry<'d>]) -> Option<Stars<'d>> {
    // Most aliases are about other places, and their last byte shows it.
    if let Some(KeyEntry::Attr(name) | KeyEntry::Key(Value::Str(name))) = path.last()
        && let (Some(end), Some(last)) = (pattern.as_bytes().last(), name.as_bytes().last())
        && end != last
        && !matches!(end, b']' | b'*')
    {
        return None;
    }
    let mut stars = Stars::new();
    follow(pattern, path, &mut stars)?.is_empty().then_some(stars)
}

/// Whether one of the paths of an alias leads to the place with this path.
pub(crate) fn concerns((from, to): (&str, &str), path: &[KeyEntry<'_>]) -> bool {
    leads_to(from, path).is_some() || leads_to(to, path).is_some()
}

/// Whether a pattern leads to a place below the one with this path.
pub(crate) fn leads_below(pattern: &str, path: &[KeyEntry<'_>]) -> bool {
    follow(pattern, path, &mut Stars::new()).is_some_and(|rest| !rest.is_empty())
}

/// Whether a pattern leads to the place with this path, or below it.
pub(crate) fn leads_along(pattern: &str, path: &[KeyEntry<'_>]) -> bool {
    follow(pattern, path, &mut Stars::new()).is_some()
}

/// The rest of a pattern that begins with this path, and what its `*`s are.
fn follow<'t, 'd>(
    pattern: &'t str,
    path: &[KeyEntry<'d>],
    stars: &mut Stars<'d>,
) -> Option<Pattern<'t>> {
    let mut rest = pattern.as_bytes();
    for entry in path.iter().filter(|entry| !matches!(entry, KeyEntry::Some)) {
        let segment = Segment::of(rest, rest.len() == pattern.len())?;
        rest = match segment.after_star() {
            Some(after) => {
                stars.push(*entry).ok()?;
                after
            }
            None => segment.after_entry(*entry)?,
        };
    }
    Some(rest)
}

/// The node below `root` that a pattern leads to, with these `*`s.
pub(crate) fn find<'d>(pattern: &str, root: Node<'d>, stars: &Stars<'_>) -> Option<Node<'d>> {
    search(pattern, root, stars, false)
}

/// As [`find`]; a `*` that a node lacks, or that `stars` lack, is its first child.
pub(crate) fn find_alike<'d>(pattern: &str, root: Node<'d>, stars: &Stars<'_>) -> Option<Node<'d>> {
    search(pattern, root, stars, true)
}

fn search<'d>(
    pattern: &str,
    root: Node<'d>,
    stars: &Stars<'_>,
    or_first: bool,
) -> Option<Node<'d>> {
    let (mut rest, mut node, mut stars) = (pattern.as_bytes(), root, stars.iter());
    while !rest.is_empty() {
        node = node.inside_some();
        let segment = Segment::of(rest, rest.len() == pattern.len())?;
        let mut children = Children::of(node);
        let head = children.head;
        let (index, after) = match segment.after_star() {
            Some(after) => match stars.next().and_then(|star| head.index_of(*star)) {
                Some(index) => (index, after),
                None if or_first => (0, after),
                None => return None,
            },
            None => step(&head, segment)?,
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
    let Some(segment) = Segment::of(pattern, is_whole) else { return false };
    let (records, others) = schema.parts();
    let leads = |child: &Schema, after: Option<Pattern<'_>>| {
        let after = after.or_else(|| segment.after_star());
        after.is_some_and(|rest| leads_into(rest, false, child))
    };
    let in_record = |record: &Record| {
        let mut fields = record.fields.iter().zip(record.children.as_slice());
        fields.any(|(name, child)| leads(child, segment.after_entry(KeyEntry::Attr(name))))
    };
    let at = |index| {
        let is_there = |at: u32| match schema {
            Schema::Tuple(_) => at == index,
            Schema::Array(count, _) => (at as usize) < *count,
            _ => true,
        };
        segment.number().filter(|(at, _)| is_there(*at)).map(|(_, rest)| rest)
    };
    records.iter().any(in_record)
        || (0u32..).zip(others).any(|(index, child)| leads(child, at(index)))
}

/// The child that a segment leads to, and the path after the segment. Of two names the longer one.
fn step<'t>(head: &Head<'_>, segment: Segment<'t>) -> Option<(u32, Pattern<'t>)> {
    if counted(head) {
        return segment.number().filter(|(index, _)| *index < head.arity());
    }
    let mut found: Option<(u32, Pattern<'t>)> = None;
    for (index, entry) in (0..head.arity()).zip(head.entries()) {
        if let Some(rest) = segment.after_entry(entry)
            && found.is_none_or(|(_, other)| rest.len() < other.len())
        {
            found = Some((index, rest));
        }
    }
    found
}

/// Whether the path `from` begins with the path `to`, and goes on.
pub(crate) fn is_below(from: &str, to: &str) -> bool {
    let rest = after(from.as_bytes(), to.as_bytes());
    rest.is_some_and(|rest| !rest.is_empty() && (to.is_empty() || begins_segment(rest)))
}
