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
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::tree::migrate::children::{Children, Node, decimal};
use crate::treedef::find::counted;

/// What the `*`s of a path are.
pub(crate) type Stars<'d> = heapless::Vec<KeyEntry<'d>, 4>;

/// The first segment of a path.
#[derive(Clone, Copy)]
struct Segment<'t> {
    /// What follows `.`, `[` or `['`, with all after it.
    text: &'t str,
    /// What closes it.
    close: &'t str,
}

impl<'t> Segment<'t> {
    /// The first segment; the path `is_whole` if no segment was read before.
    fn of(path: &'t str, is_whole: bool) -> Option<Self> {
        let opened = |open, close| path.strip_prefix(open).map(|text| Self { text, close });
        opened("['", "']")
            .or_else(|| opened("[\"", "\"]"))
            .or_else(|| opened("[", "]"))
            .or_else(|| opened(".", ""))
            .or_else(|| opened("/", ""))
            .or_else(|| opened("", "").filter(|_| is_whole))
    }

    /// The path after this segment, if the segment is `name`.
    fn after(self, name: &str) -> Option<&'t str> {
        let rest = self.text.strip_prefix(name)?.strip_prefix(self.close)?;
        (rest.is_empty() || rest.starts_with(['.', '/', '['])).then_some(rest)
    }

    /// The path after this segment, if the segment is a `*`.
    fn after_star(self) -> Option<&'t str> {
        if self.close.len() == 2 { None } else { self.after("*") }
    }

    /// The number that this segment is, and the path after it.
    fn number(self) -> Option<(u32, &'t str)> {
        let end = self.text.find(|digit: char| !digit.is_ascii_digit());
        let (digits, _) = self.text.split_at_checked(end.unwrap_or(self.text.len()))?;
        Some((decimal(digits)?, self.after(digits)?))
    }

    /// The path after this segment, if it leads to the child with this name.
    fn after_entry(self, entry: KeyEntry<'_>) -> Option<&'t str> {
        let number = match entry {
            KeyEntry::Attr(name) | KeyEntry::Raw(name) | KeyEntry::Key(Value::Str(name)) => {
                // Fields have no index, and the key '2' is no number in brackets.
                return self.after(name).filter(|_| self.close != "]");
            }
            KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => i64::from(index),
            KeyEntry::Key(Value::Int(key)) => key,
            _ => return None,
        };
        let (found, rest) = self.number()?;
        (i64::from(found) == number && self.close.len() < 2).then_some(rest)
    }
}

/// Whether a pattern leads to the place with this path, and what its `*`s are then.
pub(crate) fn leads_to<'d>(pattern: &str, path: &[KeyEntry<'d>]) -> Option<Stars<'d>> {
    let (rest, stars) = follow(pattern, path)?;
    rest.is_empty().then_some(stars)
}

/// Whether a pattern leads to a place below the one with this path.
pub(crate) fn leads_below(pattern: &str, path: &[KeyEntry<'_>]) -> bool {
    follow(pattern, path).is_some_and(|(rest, _)| !rest.is_empty())
}

/// The rest of a pattern that begins with this path.
fn follow<'t, 'd>(pattern: &'t str, path: &[KeyEntry<'d>]) -> Option<(&'t str, Stars<'d>)> {
    let (mut rest, mut stars) = (pattern, Stars::new());
    for entry in path.iter().filter(|entry| **entry != KeyEntry::Some) {
        let segment = Segment::of(rest, rest.len() == pattern.len())?;
        rest = match segment.after_star() {
            Some(after) => {
                stars.push(*entry).ok()?;
                after
            }
            None => segment.after_entry(*entry)?,
        };
    }
    Some((rest, stars))
}

/// The node below `root` that a pattern leads to, with these `*`s.
pub(crate) fn find<'d>(pattern: &str, root: Node<'d>, stars: &Stars<'_>) -> Option<Node<'d>> {
    search(pattern, root, stars, |_| None)
}

/// As [`find`]; a `*` that a node lacks is its first child.
pub(crate) fn find_alike<'d>(pattern: &str, root: Node<'d>, stars: &Stars<'_>) -> Option<Node<'d>> {
    search(pattern, root, stars, |head| (head.arity() > 0).then_some(0))
}

fn search<'d>(
    pattern: &str,
    root: Node<'d>,
    stars: &Stars<'_>,
    instead: fn(&Head<'d>) -> Option<u32>,
) -> Option<Node<'d>> {
    let (mut rest, mut node, mut stars) = (pattern, root, stars.iter());
    while !rest.is_empty() {
        node = node.inside_some();
        let segment = Segment::of(rest, rest.len() == pattern.len())?;
        let mut children = Children::of(node);
        let (index, after) = match segment.after_star() {
            Some(after) => {
                let head = children.head;
                (head.index_of(*stars.next()?).or_else(|| instead(&head))?, after)
            }
            None => step(&children.head, segment)?,
        };
        (node, rest) = (attempt!(children.child(index)), after);
    }
    Some(node)
}

/// The child that a segment leads to, and the path after the segment. Of two names the longer one.
fn step<'t>(head: &Head<'_>, segment: Segment<'t>) -> Option<(u32, &'t str)> {
    if counted(head) {
        return segment.number().filter(|(index, _)| *index < head.arity());
    }
    let named = (0..head.arity()).zip(head.entries());
    let found = named.filter_map(|(index, entry)| Some((index, segment.after_entry(entry)?)));
    found.reduce(|one, other| if other.1.len() < one.1.len() { other } else { one })
}

/// Whether the path `from` begins with the path `to`, and goes on.
pub(crate) fn is_below(from: &str, to: &str) -> bool {
    let rest = from.strip_prefix(to);
    rest.is_some_and(|rest| {
        !rest.is_empty() && (to.is_empty() || rest.starts_with(['.', '/', '[']))
    })
}
