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
        // The walk asks only for names that are not side by side. If the names are sorted, the old node then lacks them.
        let same = if self.sorted { None } else { self.old.index_of(name) };
        let same = same.map(|index| (index, false));
        same.or_else(|| self.by_alias(name, aliases).map(|index| (index, true)))
    }

    /// The index of the old child that an alias gives this new name. The new node has no child of the old name.
    fn by_alias(&self, name: KeyEntry<'_>, aliases: &[(&str, &str)]) -> Option<u32> {
        let text = text(name)?;
        let mut aliases = aliases.iter().filter(|(_, to)| *to == text);
        aliases.find_map(|(from, _)| {
            let from = with_text(name, self.unscoped(from));
            self.old.index_of(from).filter(|_| self.new.index_of(from).is_none())
        })
    }

    /// Whether the old child with this name and index is moved to a new child.
    ///
    /// The names of the new node are scanned first, because those of a stored node can be many.
    pub(super) fn is_moved(
        &self,
        name: KeyEntry<'_>,
        index: u32,
        aliases: &[(&str, &str)],
    ) -> bool {
        // As in `source`: if the names are sorted, the new node lacks this one.
        if !self.sorted && self.new.index_of(name).is_some() {
            return self.old.index_of(name) == Some(index);
        }
        aliases.iter().any(|(from, to)| {
            let new = with_text(name, to);
            text(name) == Some(self.unscoped(from))
                && self.new.index_of(new).is_some()
                && self.old.index_of(new).is_none()
                && self.by_alias(new, aliases) == Some(index)
        })
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
