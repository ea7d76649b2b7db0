//! A walk through a stored structure and that of the defaults: what all of its containers share.
//!
//! It knows neither the type nor the leaves, so a program has its functions once.

use crate::base::error::Error;
use crate::base::levels;
use crate::encode::schema::Schema;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::tree::migrate::by_alias::Aliases;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why, is_elsewhere};
use crate::tree::migrate::children::{Children, Node, index_of, number};
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{is_sorted, same_data, same_type, without};
use crate::treedef::treedef::TreeDef;

/// The error that a stored node is none that the type can have.
pub(crate) const MISMATCH: Error = Error::Mismatch { node: 0 };

/// The next tree: where it is in both structures.
#[derive(Clone, Copy)]
pub(crate) struct Place<'d> {
    pub(crate) stored: Option<Node<'d>>,
    pub(crate) default: Option<Node<'d>>,
    /// The length of the path of the node around it.
    pub(crate) depth: usize,
    /// Whether what is below it and not stored is reported.
    pub(crate) reports: bool,
    /// Whether a container asked for it as a child. Otherwise the container reads it by itself.
    pub(crate) is_child: bool,
}

/// The node that a type has at a place: its names.
#[derive(Clone)]
pub(crate) struct Own<'d> {
    pub(crate) kind: Kind,
    /// The head with these names, unless they are positions.
    pub(crate) head: Option<Head<'d>>,
    pub(crate) names: Entries<'d>,
    /// Whether the tree gets the data of this head: meta fields, aux data, a default factory. Otherwise it gets those that are
    /// stored.
    pub(crate) has_data: bool,
}

/// A child of a container. It is built from what is stored, and, if that fails, from its default.
pub(crate) struct Child<'d> {
    pub(crate) place: Place<'d>,
    /// Why it is built from its default.
    pub(crate) why: Option<Why<'d>>,
    /// What there was before it: the length of the path, and the counts.
    pub(crate) path: usize,
    pub(crate) before: Migrated,
}

/// What all containers share: both structures, the path, and what was found.
pub(crate) struct Walk<'d, 'w> {
    pub(crate) root: TreeDef<'d>,
    /// What is stored for the root of the type.
    top: Node<'d>,
    /// The root of the defaults: the places that the type has.
    defaults: Node<'d>,
    /// All values of the type, if there is one.
    schema: Option<&'w Schema>,
    pub(crate) matching: Matching<'w>,
    pub(crate) report: &'w mut dyn FnMut(Migration<'_>),
    pub(crate) path: PathLevels<'d>,
    error: Option<Error>,
    /// The stored node that the error is about.
    part: Option<Node<'d>>,
    /// The last child that is not stored and has no default, with the node that it is missing in; or the last leaf that was
    /// refused and has none.
    pub(crate) missing: Option<(Node<'d>, Option<KeyEntry<'d>>)>,
    /// The length of the path of the last leaf that was refused and has no default. It is reported.
    refused: Option<usize>,
    /// The last child that could not be built, and its name.
    failed: Option<(Place<'d>, KeyEntry<'d>)>,
    /// What was found so far.
    pub(crate) counts: Migrated,
}

impl<'d> Place<'d> {
    /// The node that is built: the stored one, or the default; what is in it if it is a `Some`.
    pub(crate) fn inside(&self) -> Option<Node<'d>> {
        self.stored.or(self.default).map(Node::inside_some)
    }

    /// The head of the node that is built.
    pub(crate) fn head(&self) -> Option<Head<'d>> {
        self.stored.or(self.default).map(|node| node.head())
    }

    /// Whether it is neither stored nor in the defaults.
    pub(crate) fn is_missing(&self) -> bool {
        self.stored.is_none() && self.default.is_none()
    }

    /// The heads of the default and of the stored node.
    pub(crate) fn heads(&self) -> [Option<Head<'d>>; 2] {
        [self.default, self.stored].map(|node| node.map(|node| node.inside_some().head()))
    }

    /// The indices of the stored leaf and of the default.
    pub(crate) fn leaves(&self) -> (Option<u32>, Option<u32>) {
        let leaf = |node: Option<Node<'d>>| node?.inside_some().as_leaf();
        (leaf(self.stored), leaf(self.default))
    }
}

impl<'d> Own<'d> {
    pub(crate) fn of(head: Head<'d>) -> Self {
        Self { kind: head.kind(), head: Some(head), names: head.entries(), has_data: true }
    }

    /// A node of `count` children that have positions.
    pub(crate) fn positions(kind: Kind, count: usize) -> Self {
        Self { kind, head: None, names: Entries::positions(count), has_data: false }
    }
}

impl<'d, 'w> Walk<'d, 'w> {
    pub(crate) fn new(
        stored: TreeDef<'d>,
        default: TreeDef<'d>,
        schema: Option<&'w Schema>,
        matching: Matching<'w>,
        report: &'w mut dyn FnMut(Migration<'_>),
    ) -> Self {
        Self {
            root: stored,
            top: Node::root(stored),
            defaults: Node::root(default),
            schema,
            matching,
            report,
            path: levels::empty(),
            error: None,
            part: None,
            missing: None,
            refused: None,
            failed: None,
            counts: Migrated::default(),
        }
    }

    /// The whole tree, as if it were the child of a container.
    pub(crate) fn whole(&mut self) -> Child<'d> {
        let default = Some(self.defaults);
        let stored = self.stored(Some(self.top));
        self.top = stored.unwrap_or(self.top);
        let place = Place { stored, default, depth: 0, reports: true, is_child: true };
        Child { place, why: None, path: 0, before: self.counts }
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

    /// The error for a tree that cannot be built although it has a default: that is no value of the type.
    pub(crate) fn error(&self) -> Error {
        self.error.unwrap_or(MISMATCH)
    }

    pub(crate) fn report_moved(&mut self, node: Node<'d>) {
        let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
        (self.report)(Migration::Moved { stored, at });
    }

    /// Counts the leaves of a stored node that has no place, and reports its parts, unless the node `is_reported`.
    fn lose(&mut self, node: Node<'d>, is_reported: bool) {
        let Some(by_alias) = self.matching.by_alias else {
            return self.lose_whole(node, is_reported);
        };
        (by_alias.lose)(&self.aliases(), node, &mut |node, is_whole| match is_whole {
            true => self.lose_whole(node, is_reported),
            false if is_reported => {}
            false => node.head().meta_fields().for_each(|field| self.lose_meta(node, field)),
        });
    }

    /// The same for a node of which nothing has a place.
    fn lose_whole(&mut self, node: Node<'d>, is_reported: bool) {
        let (found, counts) = (node.found(self.root), &mut self.counts);
        counts.lost = counts.lost.saturating_add(found.treedef().num_leaves());
        if !is_reported {
            counts.lost_meta = counts.lost_meta.saturating_add(node.count_meta());
            (self.report)(Migration::Lost(found));
        }
    }

    /// Reports a meta field of a stored node that the tree does not have.
    pub(crate) fn lose_meta(&mut self, node: Node<'d>, (name, value): (&'d str, Value<'d>)) {
        self.counts.lost_meta = self.counts.lost_meta.saturating_add(1);
        (self.report)(Migration::LostMeta { stored: node.found(self.root), name, value });
    }

    pub(crate) fn aliases(&self) -> Aliases<'d, 'w> {
        let Self { matching, root: stored, top, defaults, schema, .. } = *self;
        Aliases { pairs: matching.aliases, stored, top, defaults, schema }
    }

    /// A stored node that an alias gives a place below the current path.
    pub(crate) fn below(&self) -> Option<Node<'d>> {
        self.matching.by_alias.and_then(|by| (by.below)(&self.aliases(), &self.path))
    }

    pub(crate) fn report_new(&mut self) {
        self.counts.new = self.counts.new.saturating_add(1);
        (self.report)(Migration::New(KeyPath::new(&self.path)));
        self.report_unused(false);
    }

    /// Reports the aliases that lead nowhere: before the walk those that have no place in the type, then those to the current path.
    pub(crate) fn report_unused(&mut self, is_before: bool) {
        let Some(by_alias) = self.matching.by_alias else { return };
        let (aliases, Self { report, path, .. }) = (self.aliases(), self);
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
        let (stored, is_moved) = (by_alias.stored)(&self.aliases(), &self.path, by_name);
        if let (Some(node), true) = (stored, is_moved) {
            self.report_moved(node);
            // It is a part of the node that was here. Of the root, the end of the tree says so.
            if let Some(around) = by_name.filter(|node| !node.is_root()) {
                self.lose(around, false);
            }
        }
        stored
    }

    /// Goes on after a place.
    pub(crate) fn leave(&mut self, place: &Place<'d>) {
        if !place.is_child {
            self.path.truncate(place.depth);
        }
    }

    /// The children of a node, if it is the one that a type has.
    pub(crate) fn children(
        &self,
        node: Node<'d>,
        own: &Own<'d>,
        in_any_kind: bool,
    ) -> Option<Children<'d>> {
        if own.kind == Kind::Some {
            return Some(match node.head().kind() {
                Kind::Some => Children::of(node),
                _ => Children::only(node),
            });
        }
        let node = node.inside_some();
        let head = node.head();
        let fits = match own.head {
            _ if in_any_kind => is_container(&head),
            // The usual case reads no names.
            Some(own) if own == head => true,
            Some(own) => own.kind() == head.kind() && self.has_name(&head, own.type_name()),
            None => head.kind() == own.kind,
        };
        fits.then(|| Children::of(node))
    }

    /// Whether the type of a node has this name, or another one by an alias: of the type, or of the enum that it is a variant of.
    pub(crate) fn has_name(&self, head: &Head<'_>, name: Option<&str>) -> bool {
        let (Some(old), Some(new)) = (head.type_name(), name) else {
            return head.type_name() == name;
        };
        let is_pair = |&(from, to): &(&str, &str)| {
            is_renamed([old, new], [from, to]) || is_renamed([old, new], [to, from])
        };
        old == new || self.matching.aliases.iter().any(is_pair)
    }

    /// Reports the stored children that have no place in the node that a type has.
    pub(crate) fn lose_others(&mut self, own: &Own<'d>, children: &mut Children<'d>) {
        if own.kind == Kind::Some {
            return;
        }
        let Some(head) = own.head else {
            // The names that were read are positions, and so are those of a list that is stored.
            let count = own.names.index();
            let first = if children.head.has_positions() { count } else { 0 };
            let names = children.head.entries().skip(first as usize);
            for (index, name) in (first..children.head.arity()).zip(names) {
                let is_there = number(name).is_some_and(|number| number < count);
                if !is_there && let Some(node) = children.child(index) {
                    self.lose(node, false);
                }
            }
            return;
        };
        *children = Children::of(children.node);
        let stored = children.head;
        let is_sorted = is_sorted(&stored) && is_sorted(&head);
        let (aliases, by_alias) = (self.aliases(), self.matching.by_alias);
        for name in without(stored.entries(), head.entries(), is_sorted, u32::MAX).flatten() {
            if (!self.matching.in_any_kind || index_of(&head, name, true).is_none())
                && by_alias.is_none_or(|by| !(by.is_renamed)(&aliases, [&stored, &head], name))
                && let Some(node) = children.find(name, false)
            {
                self.lose(node, false);
            }
        }
    }

    /// Reports how a stored node and its `children` differ in type and data from the node that a type has.
    pub(crate) fn compare(&mut self, node: Node<'d>, children: &Children<'d>, own: &Own<'d>) {
        let (stored, now) = (children.head, own.head.unwrap_or(Head::NONE));
        if stored.kind() == now.kind()
            && (!same_type(&stored, &now) || own.has_data && !same_data(&stored, &now))
        {
            let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
            (self.report)(Migration::Changed { stored, at, now });
        }
        // Where the type reads meta fields by itself, it says which it got.
        if own.has_data || own.head.is_none() {
            for field in stored.meta_fields() {
                if !now.meta_fields().any(|own| own == field) {
                    self.lose_meta(children.node, field);
                }
            }
        }
    }

    /// Ends the tree: what is stored around the part that was loaded is lost. Returns the counts.
    pub(crate) fn finish(&mut self, whole: &Child<'d>) -> Migrated {
        if !whole.place.stored.is_some_and(|node| node.is_root()) {
            self.lose(Node::root(self.root), false);
        }
        // A leaf that aliases give several places was counted at each; of children of one name, only one can be reported.
        let count = self.root.num_leaves();
        let lost = self.counts.lost.max(count.saturating_sub(self.counts.moved)).min(count);
        Migrated { moved: count.saturating_sub(lost), lost, ..self.counts }
    }

    /// Counts a leaf that was moved.
    pub(crate) fn count_moved(&mut self) {
        self.counts.moved = self.counts.moved.saturating_add(1);
    }

    /// Whether a child is done, because its tree `is_built`. Otherwise it is built again, if there is another way.
    #[inline(never)]
    pub(crate) fn finish_child(&mut self, child: &mut Child<'d>, is_built: bool) -> bool {
        let place = child.place;
        match child.why {
            // If nothing is stored here, an alias gave it a part.
            None if !is_built
                && place.default.is_some()
                && (place.stored.is_some() || place.reports) =>
            {
                self.path.truncate(child.path);
                self.counts = child.before;
                child.why = Some(self.why(&place));
                return false;
            }
            Some(why) if is_built => {
                self.path.truncate(child.path);
                self.replaced(&place, why);
            }
            _ if !is_built => {
                self.counts = child.before;
                self.fails(&place);
            }
            // All parts of a place that is not stored came by aliases, or have defaults of their own.
            _ if place.is_missing() => self.missing = None,
            _ => {}
        }
        self.leave(&place);
        true
    }

    /// Why a child could not be built.
    fn why(&mut self, place: &Place<'d>) -> Why<'d> {
        let part = self.part.take().filter(|part| place.stored != Some(*part));
        let part = part.map(|node| node.found(self.root));
        match (self.error.take(), self.missing.take(), part) {
            (Some(Error::Capacity { room, .. }), _, None) => Why::Room(room),
            (Some(Error::Capacity { room, .. }), _, Some(stored)) => {
                Why::Part { stored, room: Some(room) }
            }
            (_, Some((node, child)), _) => Why::Missing { stored: node.found(self.root), child },
            (_, None, Some(stored)) => Why::Part { stored, room: None },
            _ => match (place.default, place.stored) {
                (Some(now), Some(old)) if is_elsewhere(&old.head(), &now.head()) => {
                    Why::Differs(now.head())
                }
                _ => Why::Structure,
            },
        }
    }

    /// Remembers that the child at the current path could not be built.
    pub(crate) fn fails(&mut self, place: &Place<'d>) {
        let name = self.path.get(place.depth);
        self.failed = name.map(|name| (*place, *name));
    }

    /// Goes on after a child that could not be built from what is stored, and has no default in the defaults.
    pub(crate) fn take_refused(&mut self) -> bool {
        let is_usable =
            |(place, _): &(Place<'d>, _)| place.stored.is_some() || place.default.is_none();
        let Some((place, name)) = self.failed.take().filter(is_usable) else { return false };
        let why = self.why(&place);
        let _ = self.path.push(name);
        self.replaced(&place, why);
        self.path.truncate(place.depth);
        true
    }

    /// Reports that the current path has its default, unless it is that of a leaf whose refusal was reported.
    fn replaced(&mut self, place: &Place<'d>, why: Why<'d>) {
        if self.refused.take() == Some(self.path.len()) {
            self.counts.replaced = self.counts.replaced.saturating_add(1);
            return;
        }
        // The default is a whole, so what an alias gave a part of it is replaced.
        let stored = place.stored.or_else(|| self.below());
        self.refused(&Place { stored, ..*place }, why);
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

    /// Reports that the current path has its default.
    pub(crate) fn refused(&mut self, place: &Place<'d>, why: Why<'_>) {
        self.counts.replaced = self.counts.replaced.saturating_add(1);
        let Some(node) = place.stored else { return };
        let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
        (self.report)(Migration::Replaced { stored, at, why });
        self.report_unused(false);
        // Without aliases no leaf is moved twice, so those that are lost need no count. A node that an alias gave this place can
        // have others.
        let root = self.matching.by_alias.map(|_| Node::root(self.root));
        let child = |at: Option<Node<'d>>, name: &_| Children::of(at?).find(*name, false);
        if self.path.iter().fold(root, child) == Some(node) {
            self.lose(node, true);
        }
    }
}

/// Whether a name is `from` where the other is `to`, or both are names in these, as those of the variants of an enum.
fn is_renamed([old, new]: [&str; 2], [from, to]: [&str; 2]) -> bool {
    let (Some(old), Some(new)) = (old.strip_prefix(from), new.strip_prefix(to)) else {
        return false;
    };
    old == new && (old.is_empty() || old.starts_with("::"))
}

/// Whether a node of this kind can be taken for one of another kind: one with children.
pub(crate) const fn is_container(head: &Head<'_>) -> bool {
    !matches!(head.kind(), Kind::Leaf | Kind::None)
}
