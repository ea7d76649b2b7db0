//! A walk through a stored structure and that of the defaults: what all of its containers share.
//!
//! It knows neither the type nor the leaves, so a program has its functions once.

use crate::base::error::Error;
use crate::base::levels;
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_alias::Aliases;
use crate::tree::migrate::by_field::Pairs;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why, is_elsewhere};
use crate::tree::migrate::children::Place;
use crate::tree::migrate::children::{Children, Node};
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::treedef::TreeDef;

/// The error that a stored node is none that the type can have.
pub(crate) const MISMATCH: Error = Error::Mismatch { node: 0 };

/// What all containers share: both structures, the path, and what was found.
pub(crate) struct Walk<'d, 'w> {
    /// The stored structure.
    pub(crate) def: TreeDef<'d>,
    pub(crate) aliases: Aliases<'d, 'w, Node<'d>>,
    pub(crate) matching: Matching<'w>,
    pub(crate) report: &'w mut dyn FnMut(Migration<'_>),
    pub(crate) path: PathLevels<'d>,
    error: Option<Error>,
    /// The stored node that the error is about.
    part: Option<Node<'d>>,
    /// The meta field that the error is about, and what is stored for it.
    meta: Option<(&'static str, Option<Value<'d>>)>,
    /// The last child that is not stored and has no default, with the node that it is missing in; or the last leaf that was
    /// refused and has none.
    pub(crate) missing: Option<(Node<'d>, Option<KeyEntry<'d>>)>,
    /// The length of the path of the last leaf that was refused and has no default. It is reported.
    refused: Option<usize>,
    /// What was found so far.
    pub(crate) counts: Migrated,
}

impl<'d, 'w> Walk<'d, 'w> {
    pub(crate) fn new(
        stored: TreeDef<'d>,
        default: TreeDef<'d>,
        schema: Option<&'w Schema>,
        matching: Matching<'w>,
        report: &'w mut dyn FnMut(Migration<'_>),
        cursors: &'w Cursors<'d, Node<'d>>,
    ) -> Self {
        let (top, defaults) = (Node::root(stored), Node::root(default));
        let pairs = matching.aliases;
        Self {
            def: stored,
            aliases: Aliases { pairs, stored: top, top, defaults, cursors, schema },
            matching,
            report,
            path: levels::empty(),
            error: None,
            part: None,
            meta: None,
            missing: None,
            refused: None,
            counts: Migrated::default(),
        }
    }

    /// The place of the whole tree. Reports the aliases that have no place in its type.
    pub(crate) fn whole(&mut self) -> Place<'d> {
        self.report_unused(true);
        let default = Some(self.aliases.defaults);
        let stored = self.stored(Some(self.aliases.top));
        self.aliases.top = stored.unwrap_or(self.aliases.top);
        Place { stored, default, reports: true }
    }

    pub(crate) fn path(&self) -> KeyPath<'_, 'd> {
        KeyPath::new(&self.path)
    }

    /// Keeps an error, unless an earlier one is kept.
    #[cold]
    pub(crate) fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.error.get_or_insert(error);
        None
    }

    /// Keeps an error about a stored node, unless an earlier one is kept.
    #[cold]
    pub(crate) fn fail_at<T>(&mut self, stored: Option<Node<'d>>, error: Error) -> Option<T> {
        if self.error.is_none() {
            self.part = stored;
            // What is wrong with a node that is stored came after what is missing around it.
            self.missing = self.missing.filter(|_| stored.is_none());
        }
        self.fail(error)
    }

    /// Keeps the error that a stored node has a meta field that its type does not take, or lacks one.
    pub(crate) fn fail_meta<T>(
        &mut self,
        stored: Option<Node<'d>>,
        name: &'static str,
        value: Option<Value<'d>>,
    ) -> Option<T> {
        if self.error.is_none() {
            self.meta = Some((name, value));
        }
        self.fail_at(stored, MISMATCH)
    }

    pub(crate) fn report_moved(&mut self, node: Node<'d>) {
        let (stored, at) = (node.found(self.def), KeyPath::new(&self.path));
        (self.report)(Migration::Moved { stored, at });
    }

    /// Counts the leaves of a stored node that has no place, and reports its parts, unless the node `is_reported`.
    pub(crate) fn lose(&mut self, node: Node<'d>, is_reported: bool) {
        let Some(by_alias) = self.matching.by_alias else {
            return self.lose_whole(node, is_reported);
        };
        (by_alias.lose)(&{ self.aliases }, self.def, node, &mut |node, is_whole| match is_whole {
            true => self.lose_whole(node, is_reported),
            false if is_reported => {}
            false => {
                let node = node.inside_some();
                node.head().meta_fields().for_each(|field| self.lose_meta(node, field));
            }
        });
    }

    /// The same for a node of which nothing has a place.
    fn lose_whole(&mut self, node: Node<'d>, is_reported: bool) {
        let (found, counts) = (node.found(self.def), &mut self.counts);
        counts.lost = counts.lost.saturating_add(found.treedef().num_leaves());
        if !is_reported {
            counts.lost_meta = counts.lost_meta.saturating_add(node.count_meta());
            (self.report)(Migration::Lost(found));
        }
    }

    /// Reports a meta field of a stored node that the tree does not have.
    pub(crate) fn lose_meta(&mut self, node: Node<'d>, (name, value): (&'d str, Value<'d>)) {
        self.counts.lost_meta = self.counts.lost_meta.saturating_add(1);
        (self.report)(Migration::LostMeta { stored: node.found(self.def), name, value });
    }

    /// A stored node that an alias gives a place below the current path.
    pub(crate) fn below(&self) -> Option<Node<'d>> {
        self.matching.by_alias.and_then(|by| (by.below)(&self.aliases, &self.path))
    }

    /// Goes on after a child that is neither stored nor in the defaults: it needs neither.
    pub(crate) fn take_missing(&mut self) {
        self.missing = None;
        self.report_new();
    }

    pub(crate) fn report_new(&mut self) {
        self.counts.new = self.counts.new.saturating_add(1);
        (self.report)(Migration::New(KeyPath::new(&self.path)));
        self.report_unused(false);
    }

    /// Reports the aliases that lead nowhere: before the walk those that have no place in the type, then those to the current path.
    fn report_unused(&mut self, is_before: bool) {
        let Some(by_alias) = self.matching.by_alias else { return };
        let (aliases, Self { report, path, .. }) = (self.aliases, self);
        let path = (!is_before).then_some(&path[..]);
        for &(from, to) in aliases.pairs {
            if (by_alias.is_unused)(&aliases, (from, to), path) {
                report(Migration::Unused { from, to });
            }
        }
    }

    /// The stored node for the current path: by an alias, or by its name.
    pub(crate) fn stored(&mut self, by_name: Option<Node<'d>>) -> Option<Node<'d>> {
        let Some(by_alias) = self.matching.by_alias else { return by_name };
        let (stored, is_moved) = (by_alias.stored)(&self.aliases, &self.path, by_name);
        if let (Some(node), true) = (stored, is_moved) {
            self.report_moved(node);
            // It is a part of the node that was here. Of the root, the end of the tree says so.
            if let Some(around) = by_name.filter(|node| !node.is_root()) {
                self.lose(around, false);
            }
        }
        stored
    }

    /// Goes back from a child to its node.
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Whether the type of a node has this name, or another one by an alias: of the type, or of the enum that it is a variant of.
    pub(crate) fn has_name(&self, head: &Head<'_>, name: Option<&str>, aliases: Pairs) -> bool {
        let (Some(old), Some(new)) = (head.type_name(), name) else {
            return head.type_name() == name;
        };
        let is_pair = |&(from, to): &(&str, &str)| {
            is_renamed([old, new], [from, to]) || is_renamed([old, new], [to, from])
        };
        old == new || aliases.contains(&(old, "")) || self.matching.aliases.iter().any(is_pair)
    }

    /// Ends the tree: what is stored around the part that was loaded is lost. Returns the counts, if the tree was made. A tree that has
    /// a default and was not made is no value of the type.
    pub(crate) fn finish(
        &mut self,
        whole: &Place<'d>,
        made: Option<()>,
    ) -> Result<Migrated, Error> {
        made.ok_or(self.error.unwrap_or(MISMATCH))?;
        if !whole.stored.is_some_and(|node| node.is_root()) {
            self.lose(Node::root(self.def), false);
        }
        // A leaf that aliases give several places was counted at each; of children of one name, only one can be reported.
        let count = self.def.num_leaves();
        let lost = self.counts.lost.max(count.saturating_sub(self.counts.moved)).min(count);
        Ok(Migrated { moved: count.saturating_sub(lost), lost, ..self.counts })
    }

    /// Counts a leaf that was moved.
    pub(crate) fn count_moved(&mut self) {
        self.counts.moved = self.counts.moved.saturating_add(1);
    }

    /// Why a child could not be built.
    pub(crate) fn why(&mut self, place: &Place<'d>) -> Why<'d> {
        let (part, meta) = (self.part.take(), self.meta.take());
        if let (Some(node), Some((name, value)), None) = (part, meta, self.missing) {
            self.error = None;
            return Why::Meta { stored: node.found(self.def), name, value };
        }
        let part = part.filter(|part| place.stored != Some(*part));
        let part = part.map(|node| node.found(self.def));
        let room = match self.error.take() {
            Some(Error::Capacity { room, .. }) => Some(room),
            _ => None,
        };
        match (room, self.missing.take(), part) {
            (Some(room), _, None) => Why::Room(room),
            (None, Some((node, child)), _) => Why::Missing { stored: node.found(self.def), child },
            (room, _, Some(stored)) => Why::Part { stored, room },
            _ => match (place.default, place.stored) {
                (Some(now), Some(old)) if is_elsewhere(&old.head(), &now.head()) => {
                    Why::Differs(now.head())
                }
                _ => Why::Structure,
            },
        }
    }

    /// Reports that what is stored for the current path, an element, is not in the value.
    pub(crate) fn drop_element(&mut self, place: &Place<'d>, why: Why<'d>) {
        self.counts.dropped = self.counts.dropped.saturating_add(1);
        let Some(node) = place.stored else { return };
        if self.refused.take() != Some(self.path.len()) {
            let (stored, at) = (node.found(self.def), KeyPath::new(&self.path));
            (self.report)(Migration::Dropped { stored, at, why });
        }
        self.lose(node, true);
    }

    /// Reports that the current path has its default, unless it is that of a leaf whose refusal was reported.
    pub(crate) fn replaced(&mut self, place: &Place<'d>, why: Why<'d>, is_whole: bool) {
        if self.refused.take() == Some(self.path.len()) {
            self.counts.replaced = self.counts.replaced.saturating_add(1);
            return;
        }
        // What an alias gave a part of a default that is a whole is replaced.
        let place = Place { stored: place.stored.or_else(|| self.below()), ..*place };
        match is_whole {
            true => self.refused(&place, why),
            false => self.refused_node(&place, why),
        }
    }

    /// Reports that the stored leaf at the current path was refused. If it has no default, what is around it gets one.
    pub(crate) fn refused_leaf(&mut self, place: &Place<'d>, why: Why<'_>) {
        let replaced = self.counts.replaced;
        self.refused(place, why);
        if place.default.is_none_or(|node| node.inside_some().as_leaf().is_none()) {
            self.counts.replaced = replaced;
            (self.missing, self.refused) =
                (place.stored.map(|node| (node, None)), Some(self.path.len()));
        }
    }

    /// Reports that the current path has its default, or what aliases gave it. Where they gave all leaves that are stored under this path
    /// another place, nothing but its meta fields is lost.
    pub(crate) fn refused_node(&mut self, place: &Place<'d>, why: Why<'_>) {
        if let (Some(by_alias), Some(node)) = (self.matching.by_alias, place.stored)
            && self.is_own(node)
        {
            let mut is_lost = node.found(self.def).treedef().num_leaves() == 0;
            (by_alias.lose)(&{ self.aliases }, self.def, node, &mut |_, is_whole| {
                is_lost |= is_whole
            });
            if !is_lost {
                return self.lose(node, false);
            }
        }
        self.refused(place, why);
    }

    /// Whether a node is stored under the current path.
    fn is_own(&self, node: Node<'d>) -> bool {
        let child = |at: Option<Node<'d>>, name: &_| Children::of(at?).find(*name, false);
        self.path.iter().fold(Some(Node::root(self.def)), child) == Some(node)
    }

    /// Reports that the current path has its default.
    pub(crate) fn refused(&mut self, place: &Place<'d>, why: Why<'_>) {
        self.counts.replaced = self.counts.replaced.saturating_add(1);
        let Some(node) = place.stored else { return };
        let (stored, at) = (node.found(self.def), KeyPath::new(&self.path));
        (self.report)(Migration::Replaced { stored, at, why });
        self.report_unused(false);
        // Without aliases no leaf is moved twice, so those that are lost need no count. A node that an alias gave this place can
        // have others.
        if self.matching.by_alias.is_some() && self.is_own(node) {
            self.lose(node, true);
        }
    }
}

/// Whether a name is `from` where the other is `to`, or both are names in these, as those of the variants of an enum.
pub(crate) fn is_renamed([old, new]: [&str; 2], [from, to]: [&str; 2]) -> bool {
    let (Some(old), Some(new)) = (old.strip_prefix(from), new.strip_prefix(to)) else {
        return false;
    };
    old == new && (old.is_empty() || old.starts_with("::"))
}
