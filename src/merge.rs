//! The children that two nodes with different keys have in common.

use core::cmp::Ordering;

use crate::entry::{Entries, KeyEntry};
use crate::head::{Head, Kind};

/// Two nodes of one type whose children are matched by their keys, fields or child keys.
///
/// Sorted keys are merged in one pass. Others are matched in the order in which they stand: each is looked for among the
/// rest of the others, and of keys that changed places some are passed over.
#[derive(Clone, Debug)]
pub(crate) struct Merge<'f, 's> {
    first: Entries<'f>,
    second: Entries<'s>,
    sorted: bool,
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

impl<'f, 's> Merge<'f, 's> {
    /// Matches the children of two nodes; `None` if they are of different types or name no children.
    pub(crate) fn of(first: &Head<'f>, second: &Head<'s>) -> Option<Self> {
        if first.kind() != second.kind() || first.type_name() != second.type_name() {
            return None;
        }
        let sorted = match first.kind() {
            Kind::Dict | Kind::DefaultDict => true,
            Kind::OrderedDict | Kind::NamedTuple | Kind::Struct => false,
            Kind::Custom if first.child_keys().is_some() && second.child_keys().is_some() => false,
            _ => return None,
        };
        Some(Self { first: first.entries(), second: second.entries(), sorted })
    }

    /// Steps over a child of one or of both; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Next> {
        let (mut first, mut second) = (self.first.clone(), self.second.clone());
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
            self.first = first;
        }
        if next != Next::First {
            self.second = second;
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
