//! The nodes that a type has, in a stored structure and in that of the defaults: goes from a node to its children.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::tree::migrate::by_field::Pairs;
use crate::tree::migrate::change::Migration;
use crate::tree::migrate::children::{Children, Node, Place, index_of, number};
use crate::tree::migrate::walk::{MISMATCH, Walk};
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{is_sorted, same_data, same_type, without};

/// The node that a type has at a place: its names.
pub(crate) struct Own<'d> {
    pub(crate) kind: Kind,
    /// The head with these names, unless they are positions.
    pub(crate) head: Option<Head<'d>>,
    pub(crate) names: Entries<'d>,
    /// Whether the tree gets the data of this head: meta fields, aux data, a default factory. Otherwise it gets those that are
    /// stored.
    pub(crate) has_data: bool,
    /// The meta fields that are constants of the type.
    pub(crate) constants: &'static [(&'static str, Value<'static>)],
    /// The aliases at the fields of the type.
    pub(crate) aliases: Pairs,
    /// Whether the names are those of the stored node, if there is one, as the keys of a map. Then a child without a default has that
    /// of the first child.
    pub(crate) is_as_stored: bool,
}

/// A node that a type has, in both structures.
pub(crate) struct Both<'d> {
    own: Own<'d>,
    stored: Option<Children<'d>>,
    default: Option<Children<'d>>,
    reports: bool,
}

impl<'d> Own<'d> {
    pub(crate) fn of(head: Head<'d>) -> Self {
        let names = head.entries();
        Self { head: Some(head), names, has_data: true, ..Self::positions(head.kind(), 0) }
    }

    /// A node of `count` children that have positions.
    pub(crate) fn positions(kind: Kind, count: usize) -> Self {
        let names = Entries::positions(count);
        let (constants, aliases) = (&[], &[]);
        Self { kind, head: None, names, has_data: false, constants, aliases, is_as_stored: false }
    }
}

impl<'d> Both<'d> {
    /// The first child of the default.
    pub(crate) fn first_default(&self) -> Option<Node<'d>> {
        Children::of(self.default.as_ref()?.node).child(0)
    }

    /// The stored node.
    pub(crate) fn node(&self) -> Option<Node<'d>> {
        self.stored.as_ref().map(|children| children.node)
    }
}

impl<'d> Walk<'d, '_> {
    /// Begins the node that a type has at a place. If another one is stored there, an error is kept.
    // It is put into a slot, because each copy of it would be in the frame of each level.
    #[inline(never)]
    pub(crate) fn begin<'b>(
        &mut self,
        place: &Place<'d>,
        own: Own<'d>,
        slot: &'b mut Option<Both<'d>>,
    ) -> Option<&'b mut Both<'d>> {
        let in_any_kind = self.matching.in_any_kind;
        let stored = place.stored.and_then(|node| self.children(node, &own, in_any_kind));
        // The default is of the type itself: another variant of an enum has no defaults for this one.
        let default = place.default.and_then(|node| self.children(node, &own, false));
        let is_nowhere = default.is_none() && !place.reports;
        if stored.is_none() && (place.stored.is_some() || is_nowhere) {
            return self.fail_at(place.stored, MISMATCH);
        }
        if let (Some(children), Some(node)) = (&stored, place.stored)
            && own.head != Some(children.head)
        {
            self.compare(node, children, &own);
        }
        Some(slot.insert(Both { own, stored, default, reports: place.reports }))
    }

    /// The children of a node, if it is the one that a type has.
    fn children(&self, node: Node<'d>, own: &Own<'d>, in_any_kind: bool) -> Option<Children<'d>> {
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
            Some(now) if now == head => true,
            Some(now) => {
                head.kind() == now.kind() && self.has_name(&head, now.type_name(), own.aliases)
            }
            None => head.kind() == own.kind,
        };
        fits.then(|| Children::of(node))
    }

    /// Reports how a stored node and its `children` differ in type and data from the node that a type has.
    fn compare(&mut self, node: Node<'d>, children: &Children<'d>, own: &Own<'d>) {
        let (stored, now) = (children.head, own.head.unwrap_or(Head::NONE));
        if stored.kind() == now.kind()
            && (!same_type(&stored, &now) || own.has_data && !same_data(&stored, &now))
        {
            let (stored, at) = (node.found(self.def), KeyPath::new(&self.path));
            (self.report)(Migration::Changed { stored, at, now });
        }
        // Where the type reads meta fields by itself, it says which it got.
        if own.has_data || own.head.is_none() {
            for field in stored.meta_fields() {
                let mut data = now.meta_fields().chain(own.constants.iter().copied());
                if !data.any(|own| own == field) {
                    self.lose_meta(children.node, field);
                }
            }
        }
    }

    /// Goes to the next child of a node. [`leave`](Walk::leave) goes back.
    #[inline(never)]
    pub(crate) fn next(&mut self, both: &mut Both<'d>) -> Option<Place<'d>> {
        let in_any_kind = self.matching.in_any_kind;
        let name = both.own.names.next()?;
        let default = both.default.as_mut().and_then(|children| {
            let named = children.find(name, in_any_kind);
            let is_as_stored = both.own.is_as_stored && both.stored.is_some();
            named.or_else(|| if is_as_stored { children.child(0) } else { None })
        });
        let named = both.stored.as_mut().and_then(|children| children.find(name, in_any_kind));
        let renamed = match (&mut both.stored, self.matching.by_alias, &both.own.head) {
            (Some(children), Some(by_alias), Some(now)) if named.is_none() => {
                let index = (by_alias.old_index)(&self.aliases, [&children.head, now], name);
                index.and_then(|index| children.child(index))
            }
            _ => None,
        };
        if self.path.push(name).is_err() {
            return self.fail(Error::TooDeep { limit: MAX_DEPTH });
        }
        let stored = match renamed {
            Some(node) => {
                self.report_moved(node);
                renamed
            }
            None => {
                let stored = self.stored(named);
                match (self.matching.by_field, &both.stored, name) {
                    (Some(by_field), Some(children), KeyEntry::Attr(name)) if stored.is_none() => {
                        let node = (by_field.find)(children.node, both.own.aliases, name);
                        if let Some(node) = node {
                            self.report_moved(node);
                        }
                        node
                    }
                    _ => stored,
                }
            }
        };
        let is_new = both.reports && stored.is_none() && self.below().is_none();
        let place = Place { stored, default, reports: both.reports && !is_new };
        if place.is_missing() {
            if let Some(node) = both.node() {
                self.missing = Some((node, Some(name)));
            }
        } else if is_new {
            self.report_new();
        }
        Some(place)
    }

    /// Ends a node: what is stored and has no place is lost.
    #[inline(never)]
    pub(crate) fn end(&mut self, both: &mut Both<'d>) {
        let (own, Some(children)) = (&both.own, &mut both.stored) else { return };
        let stored = children.head;
        let Some(head) = own.head else {
            // The names that were read are positions, and so are those of a list that is stored.
            let count = own.names.index();
            let first = if stored.has_positions() { count } else { 0 };
            let names = stored.entries().skip(first as usize);
            for (index, name) in (first..stored.arity()).zip(names) {
                let is_there = number(name).is_some_and(|number| number < count);
                if !is_there && let Some(node) = children.child(index) {
                    self.lose(node, false);
                }
            }
            return;
        };
        // The names of a map are those that are stored.
        if own.is_as_stored || own.kind == Kind::Some {
            return;
        }
        *children = Children::of(children.node);
        let is_sorted = is_sorted(&stored) && is_sorted(&head);
        let (aliases, by_alias, mut used) = (self.aliases, self.matching.by_alias, None);
        for name in without(stored.entries(), head.entries(), is_sorted, u32::MAX).flatten() {
            if (!self.matching.in_any_kind || index_of(&head, name, true).is_none())
                && by_alias.is_none_or(|by| !(by.is_renamed)(&aliases, [&stored, &head], name))
                && let Some(node) = children.find(name, false)
            {
                match self.matching.by_field {
                    Some(by_field) => {
                        let lost = &mut |node: Node<'d>, is_whole| match is_whole {
                            true => self.lose(node, false),
                            false => {
                                let fields = node.head().meta_fields();
                                fields.for_each(|field| self.lose_meta(node, field));
                            }
                        };
                        let used = *used
                            .get_or_insert_with(|| (by_field.used)(children.node, own.aliases));
                        (by_field.lose)(node, own.aliases, used, name, lost);
                    }
                    None => self.lose(node, false),
                }
            }
        }
    }
}

/// Whether a node of this kind can be taken for one of another kind: one with children.
pub(crate) const fn is_container(head: &Head<'_>) -> bool {
    !matches!(head.kind(), Kind::Leaf | Kind::None)
}
