//! Finds the old child for a new one.
//!
//! Which child is the source of which depends on the names of the two nodes alone, not on the order of the walk:
//!
//! - `source` finds the old child for a new one: the child of that name, or of an alias if no new child has the alias;
//! - `is_moved` says whether an old child is the source of a new one.

use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::spot::Spot;

/// Two open nodes whose children have different names.
pub(super) struct Origin<'a> {
    pub(super) new: Head<'a>,
    pub(super) old: Head<'a>,
    /// Whether the names of both are sorted.
    pub(super) sorted: bool,
    /// The first child of the old node.
    pub(super) start: (Cursor<'a>, Spot),
    /// Where the old side goes on after a child that it left its place for.
    pub(super) back: Option<(Cursor<'a>, Siblings, Spot)>,
}

impl Origin<'_> {
    /// The index of the old child that is moved to the new child of this name, and whether it has another name.
    pub(super) fn source(
        &self,
        name: KeyEntry<'_>,
        aliases: &[(&str, &str)],
    ) -> Option<(u32, bool)> {
        // A child of the same name is beside it if the names are sorted.
        if !self.sorted
            && let Some(index) = self.old.index_of(name)
        {
            return Some((index, false));
        }
        let text = text(name)?;
        let mut aliases = aliases.iter().filter(|(_, to)| *to == text);
        aliases.find_map(|(from, _)| {
            let from = with_text(name, self.unscoped(from));
            let index = self.old.index_of(from)?;
            self.new.index_of(from).is_none().then_some((index, true))
        })
    }

    /// Whether the old child with this name and index is moved to a new child.
    pub(super) fn is_moved(
        &self,
        name: KeyEntry<'_>,
        index: u32,
        aliases: &[(&str, &str)],
    ) -> bool {
        let is_source_of = |new: KeyEntry<'_>| {
            self.source(new, aliases).is_some_and(|(source, _)| source == index)
                && self.new.index_of(new).is_some()
        };
        let by_alias = |(from, to): &(&str, &str)| {
            text(name) == Some(self.unscoped(from)) && is_source_of(with_text(name, to))
        };
        is_source_of(name) || aliases.iter().any(by_alias)
    }

    /// The old name of an alias, without the name of the old type and a dot.
    fn unscoped<'t>(&self, from: &'t str) -> &'t str {
        let name = self.old.type_name().and_then(|name| from.strip_prefix(name)?.strip_prefix('.'));
        name.unwrap_or(from)
    }
}

/// The text of a name that an alias can have.
fn text(name: KeyEntry<'_>) -> Option<&str> {
    match name {
        KeyEntry::Attr(text) | KeyEntry::Raw(text) | KeyEntry::Key(Value::Str(text)) => Some(text),
        _ => None,
    }
}

/// A name of the same kind with another text.
fn with_text<'t>(name: KeyEntry<'_>, text: &'t str) -> KeyEntry<'t> {
    match name {
        KeyEntry::Attr(_) => KeyEntry::Attr(text),
        KeyEntry::Raw(_) => KeyEntry::Raw(text),
        _ => KeyEntry::Key(Value::Str(text)),
    }
}
