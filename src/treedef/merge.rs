//! The children that two nodes with different keys have in common.

use core::cmp::Ordering;

use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::treedef::cursor::Cursor;

/// Two nodes of one type whose children are matched by their keys, fields or child keys: 28 bytes.
///
/// Sorted keys are merged in one pass. Others are matched in the order in which they stand: each is looked for among
/// the rest of the others, and of keys that changed places some are passed over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Merge {
    first: Rest,
    second: Rest,
    sorted: bool,
}

/// The children of a node that are still to be matched.
#[derive(Clone, Copy, Debug)]
struct Rest {
    /// Where the head of the node stands.
    head: u32,
    /// The index of the first of them.
    child: u32,
    /// The bytes at the end of the head that hold their keys.
    keys: u32,
}

impl Rest {
    /// All children of the node with this head, which stands at `at`.
    fn of(head: &Head<'_>, at: u32) -> Self {
        Self { head: at, child: 0, keys: head.entries().rest() }
    }

    fn entries<'a>(&self, cursor: &Cursor<'a>) -> Entries<'a> {
        cursor.head_at(self.head).entries_at(self.child, self.keys)
    }

    /// Goes on behind the child whose entry was taken last from `entries`.
    fn step(&mut self, entries: &Entries<'_>) {
        self.child = self.child.saturating_add(1);
        self.keys = entries.rest();
    }
}

/// Which child is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// One that both have.
    Both,
    /// One that the second has not.
    First,
    /// One that the first has not.
    Second,
}

impl Merge {
    /// Matches the children of two nodes, which stand so far from the start; `None` if they are of different types or
    /// name no children.
    pub(crate) fn of(first: &Head<'_>, second: &Head<'_>, at: (u32, u32)) -> Option<Self> {
        if first.kind() != second.kind() || first.type_name() != second.type_name() {
            return None;
        }
        let sorted = match first.kind() {
            Kind::Dict | Kind::DefaultDict => true,
            Kind::OrderedDict | Kind::NamedTuple | Kind::Struct => false,
            Kind::Custom if first.child_keys().is_some() && second.child_keys().is_some() => false,
            _ => return None,
        };
        Some(Self { first: Rest::of(first, at.0), second: Rest::of(second, at.1), sorted })
    }

    /// Steps over a child of one or of both, which the cursors read; `None` at the end.
    pub(crate) fn next(&mut self, first: &Cursor<'_>, second: &Cursor<'_>) -> Option<Next> {
        let (mut first, mut second) = (self.first.entries(first), self.second.entries(second));
        let next = match (first.next(), second.next()) {
            (None, None) => return None,
            (Some(_), None) => Next::First,
            (None, Some(_)) => Next::Second,
            (Some(ours), Some(theirs)) if ours == theirs => Next::Both,
            (Some(ours), Some(theirs)) if self.sorted => {
                if is_before(ours, theirs) {
                    Next::First
                } else {
                    Next::Second
                }
            }
            (Some(ours), Some(theirs)) => {
                let moved = second.clone().any(|other| other == ours);
                if moved && !first.clone().any(|other| other == theirs) {
                    Next::Second
                } else {
                    Next::First
                }
            }
        };
        if next != Next::Second {
            self.first.step(&first);
        }
        if next != Next::First {
            self.second.step(&second);
        }
        Some(next)
    }
}

/// Whether two nodes that differ have the same children: as many, and under the same names.
pub(crate) fn same_children(first: &Head<'_>, second: &Head<'_>) -> bool {
    first.kind() == second.kind()
        && first.type_name() == second.type_name()
        && first.arity() == second.arity()
        && match first.kind() {
            Kind::Custom if first.child_keys().is_none() => second.child_keys().is_none(),
            _ => first.entries().eq(second.entries()),
        }
}

/// Whether a key comes before another in the order of sorted keys.
pub(crate) fn is_before(key: KeyEntry<'_>, other: KeyEntry<'_>) -> bool {
    match (key, other) {
        (KeyEntry::Key(key), KeyEntry::Key(other)) => key.compare(other) == Some(Ordering::Less),
        (KeyEntry::FlatIndex(index), KeyEntry::FlatIndex(other)) => index < other,
        _ => false,
    }
}
