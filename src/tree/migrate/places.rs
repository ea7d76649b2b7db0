//! Goes through a stored structure and that of the defaults, while a type asks for what it needs.
//!
//! It knows neither the type nor the leaves, so a program has its functions once.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::tree::migrate::aliases::{Stars, find, find_alike, is_below, leads_below, leads_to};
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::{Children, Node, index_of, number};
use crate::treedef::cursor::Siblings;
use crate::treedef::find::counted;
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{is_sorted, same_data, same_type, text, with_text, without};
use crate::treedef::treedef::TreeDef;

/// How the place that a path leads to is found.
type Find<'d> = fn(&str, Node<'d>, &Stars<'_>) -> Option<Node<'d>>;

/// The number of levels of a path.
const LEVELS: usize = MAX_DEPTH as usize;

/// The next tree: where it is in both structures.
#[derive(Clone, Copy)]
pub(crate) struct Place<'d> {
    pub(crate) stored: Option<Node<'d>>,
    pub(crate) default: Option<Node<'d>>,
    /// The length of the path of the node around it.
    depth: usize,
    /// Whether what is below it and not stored is reported.
    reports: bool,
    /// Whether a container asked for it as a child. Otherwise the container reads it by itself.
    is_child: bool,
}

/// The node that a type has at a place: its names.
#[derive(Clone)]
pub(crate) struct Own<'d> {
    kind: Kind,
    /// The head with these names, unless they are positions.
    head: Option<Head<'d>>,
    names: Entries<'d>,
    /// Whether the tree gets the data of this head: meta fields, aux data, a default factory. Otherwise it gets those that are
    /// stored.
    has_data: bool,
}

/// A node that is being built.
struct Frame<'d> {
    own: Own<'d>,
    stored: Option<Children<'d>>,
    default: Option<Children<'d>>,
    /// Whether its names are those of the stored node, as the keys of a map. Then a child without a default has that of the
    /// first child.
    is_as_stored: bool,
    reports: bool,
    /// The length of the path to come back to, if the container reads the node by itself.
    back: Option<usize>,
}

/// What a child of a container leaves as it was.
pub(crate) struct Around<'d> {
    frame: Option<Frame<'d>>,
    outer: Option<Frame<'d>>,
    name: Option<KeyEntry<'d>>,
    /// The counts before.
    moved: usize,
    new: usize,
}

/// The position in both structures, and what was found.
pub(crate) struct Places<'d, 'w> {
    root: TreeDef<'d>,
    /// The root of the defaults: the places that the type has.
    defaults: Node<'d>,
    matching: Matching<'w>,
    report: &'w mut dyn FnMut(Migration<'_>),
    path: Levels<KeyEntry<'d>, LEVELS>,
    next: Option<Place<'d>>,
    frame: Option<Frame<'d>>,
    /// The node around the current one, if one container reads both.
    outer: Option<Frame<'d>>,
    error: Option<Error>,
    /// Whether only a part of what is stored is loaded, by an alias.
    is_part: bool,
    /// The last child that is not stored and has no default.
    missing: Option<KeyEntry<'d>>,
    pub(crate) moved: usize,
    pub(crate) new: usize,
    pub(crate) replaced: usize,
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

    /// Whether nothing of it is stored, also not below it.
    pub(crate) fn is_new(&self) -> bool {
        self.stored.is_none() && !self.reports
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

    /// A node with the names of this head, and its own data.
    pub(crate) fn with_names_of(head: Head<'d>) -> Self {
        Self { has_data: false, ..Self::of(head) }
    }

    /// A node of `count` children that have positions.
    pub(crate) fn positions(kind: Kind, count: usize) -> Self {
        Self { kind, head: None, names: Entries::positions(count), has_data: false }
    }
}

impl<'d, 'w> Places<'d, 'w> {
    pub(crate) fn new(
        stored: TreeDef<'d>,
        default: TreeDef<'d>,
        matching: Matching<'w>,
        report: &'w mut dyn FnMut(Migration<'_>),
    ) -> Self {
        let mut places = Self {
            root: stored,
            defaults: Node::root(default),
            matching,
            report,
            path: levels::empty(),
            next: None,
            frame: None,
            outer: None,
            error: None,
            is_part: false,
            missing: None,
            moved: 0,
            new: 0,
            replaced: 0,
        };
        let default = Some(Node::root(default));
        let by_name = Some(Node::root(stored));
        let stored = places.by_alias(by_name, default);
        places.is_part = !stored.is_some_and(|node| node.is_root());
        places.next = Some(Place { stored, default, depth: 0, reports: true, is_child: true });
        places
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

    #[cold]
    fn mismatch<T>(&mut self) -> Option<T> {
        self.fail(Error::Mismatch { node: 0 })
    }

    /// The error for a tree that cannot be built although it has a default: that is no value of the type.
    pub(crate) fn error(&self) -> Error {
        self.error.unwrap_or(Error::Mismatch { node: 0 })
    }

    /// The place of the next child of `list`.
    pub(crate) fn place(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        match self.next.take() {
            Some(place) => Some(place),
            None => self.advance(list),
        }
    }

    /// The same, for a step that reads nothing.
    pub(crate) fn peek(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        self.next = self.place(list);
        self.next
    }

    /// Steps over the next child of `list` if it is neither stored nor in the defaults.
    pub(crate) fn take_missing(&mut self, list: &mut Siblings) -> bool {
        let Some(place) = self.peek(list) else { return false };
        let is_missing = place.stored.is_none() && place.default.is_none();
        if is_missing {
            (self.next, self.missing) = (None, None);
            self.report_new();
            self.leave(&place);
        }
        is_missing
    }

    fn report_moved(&mut self, node: Node<'d>) {
        let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
        (self.report)(Migration::Moved { stored, at });
    }

    fn report_new(&mut self) {
        self.new = self.new.saturating_add(1);
        (self.report)(Migration::New(KeyPath::new(&self.path)));
    }

    /// Goes on after a place that was a leaf or a `None`.
    pub(crate) fn leave(&mut self, place: &Place<'d>) {
        if !place.is_child {
            self.path.truncate(place.depth);
        }
    }

    /// Finds the next child of the current node in both structures.
    fn advance(&mut self, list: &mut Siblings) -> Option<Place<'d>> {
        list.take_one()?;
        let depth = self.path.len();
        let in_any_kind = self.matching.in_any_kind;
        let frame = self.frame.as_mut()?;
        let name = frame.own.names.next()?;
        let default = frame.default.as_mut().and_then(|children| {
            let named = children.find(name, in_any_kind);
            named.or_else(|| if frame.is_as_stored { children.child(0) } else { None })
        });
        let named = frame.stored.as_mut().and_then(|children| children.find(name, in_any_kind));
        let renamed = match (&mut frame.stored, named) {
            (Some(children), None) => frame
                .own
                .head
                .and_then(|now| old_name(&children.head, &now, name, self.matching))
                .and_then(|name| children.find(name, false)),
            _ => None,
        };
        let reports = frame.reports;
        if self.path.push(name).is_err() {
            return self.fail(Error::TooDeep { limit: MAX_DEPTH });
        }
        let stored = match renamed {
            Some(node) => {
                self.report_moved(node);
                renamed
            }
            None => self.by_alias(named, default),
        };
        let mut place = Place { stored, default, depth, reports, is_child: false };
        if stored.is_none() && default.is_none() {
            self.missing = Some(name);
        }
        if stored.is_none()
            && reports
            && default.is_some()
            && !self.matching.paths().any(|(_, to)| leads_below(to, &self.path))
        {
            place.reports = false;
            self.report_new();
        }
        Some(place)
    }

    /// The stored node for the current path, if an alias says so; otherwise `by_name`, unless an alias gives that to another
    /// place.
    fn by_alias(
        &mut self,
        by_name: Option<Node<'d>>,
        default: Option<Node<'d>>,
    ) -> Option<Node<'d>> {
        let root = Node::root(self.root);
        let mut stored = by_name;
        for (from, to) in self.matching.paths() {
            if let Some(stars) = leads_to(to, &self.path)
                && let Some(node) = find(from, root, &stars)
                // What is stored under the new path is there already. A node that was unwrapped has the path of its wrapper.
                && match is_below(from, to) {
                    true => !fits(by_name, default),
                    false => find(to, root, &stars).is_none(),
                }
            {
                self.report_moved(node);
                return Some(node);
            }
            if stored.is_some()
                && !is_below(from, to)
                && self.moves(from, to, &self.path, find_alike)
            {
                stored = None;
            }
        }
        stored
    }

    /// Whether the node at a path goes from `from` to `to`: the type has that place, and nothing is stored there.
    ///
    /// `find_place` finds that place in the defaults.
    fn moves(&self, from: &str, to: &str, path: &[KeyEntry<'d>], find_place: Find<'d>) -> bool {
        let Some(stars) = leads_to(from, path) else { return false };
        let is_free = || is_below(from, to) || find(to, Node::root(self.root), &stars).is_none();
        find_place(to, self.defaults, &stars).is_some() && is_free()
    }

    /// Begins the node that a type has at a place. If another one is stored there, the place keeps an error.
    pub(crate) fn begin(
        &mut self,
        place: &Place<'d>,
        own: Own<'d>,
        as_stored: bool,
    ) -> Option<Siblings> {
        let stored = match place.stored {
            Some(node) => match self.children(node, &own) {
                Some(children) => Some(children),
                None => return self.mismatch(),
            },
            None => None,
        };
        let default = place.default.and_then(|node| self.children(node, &own));
        if stored.is_none() && default.is_none() {
            return self.mismatch();
        }
        if let (Some(children), Some(now)) = (&stored, own.head)
            && children.head.kind() == now.kind()
            && (!same_type(&children.head, &now)
                || own.has_data && !same_data(&children.head, &now))
            && let Some(node) = place.stored
        {
            let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
            (self.report)(Migration::Changed { stored, at, now });
        }
        let count = u32::try_from(own.names.len()).unwrap_or(u32::MAX);
        let reports = place.reports;
        let (is_as_stored, back) =
            (as_stored && stored.is_some(), (!place.is_child).then_some(place.depth));
        let frame = Frame { own, stored, default, is_as_stored, reports, back };
        let around = self.frame.replace(frame);
        if back.is_some() && self.outer.is_some() {
            return self.fail(Error::TooDeep { limit: 2 });
        }
        if back.is_some() {
            self.outer = around;
        }
        Some(Siblings::new(count))
    }

    /// The children of a node, if it is the one that a type has.
    fn children(&self, node: Node<'d>, own: &Own<'d>) -> Option<Children<'d>> {
        if own.kind == Kind::Some {
            return Some(match node.head().kind() {
                Kind::Some => Children::of(node),
                _ => Children::only(node),
            });
        }
        let node = node.inside_some();
        let head = node.head();
        let fits = match (own.head, self.matching.in_any_kind) {
            (_, true) => !matches!(head.kind(), Kind::Leaf | Kind::None),
            (Some(own), false) => {
                own.kind() == head.kind() && self.has_name(&head, own.type_name())
            }
            (None, false) => head.kind() == own.kind,
        };
        fits.then(|| Children::of(node))
    }

    /// Whether the type of a node has this name, or another one by an alias.
    fn has_name(&self, head: &Head<'_>, name: Option<&str>) -> bool {
        let (Some(old), Some(new)) = (head.type_name(), name) else {
            return head.type_name() == name;
        };
        let is_alias =
            |&(from, to): &(&str, &str)| (from, to) == (old, new) || (to, from) == (old, new);
        old == new || self.matching.aliases.iter().any(is_alias)
    }

    /// Whether a node is a struct of this name.
    pub(crate) fn is_struct(&self, node: Node<'d>, name: Option<&str>) -> bool {
        let head = node.head();
        let is_record = head.kind() == Kind::Struct && self.has_name(&head, name);
        is_record || self.matching.in_any_kind && !matches!(head.kind(), Kind::Leaf | Kind::None)
    }

    /// Ends the current node: what is stored and has no place is lost.
    pub(crate) fn end(&mut self, list: &Siblings) -> Option<()> {
        if list.left() > 0 {
            return self.mismatch();
        }
        let mut frame = self.frame.take()?;
        if let Some(children) = frame.stored.as_mut().filter(|_| !frame.is_as_stored) {
            self.lose_others(&frame.own, children);
        }
        if let Some(depth) = frame.back {
            self.path.truncate(depth);
            self.frame = self.outer.take();
        }
        Some(())
    }

    /// Reports the stored children that have no place in the node that a type has.
    fn lose_others(&mut self, own: &Own<'d>, children: &mut Children<'d>) {
        if own.kind == Kind::Some {
            return;
        }
        let Some(head) = own.head else {
            // The names that were read are positions, and so are those of a list that is stored.
            let count = own.names.index();
            let first = if counted(&children.head) { count } else { 0 };
            let names = children.head.entries().skip(first as usize);
            for (index, name) in (first..children.head.arity()).zip(names) {
                let is_there = number(name).is_some_and(|number| number < count);
                if !is_there && let Some(node) = children.child(index) {
                    // The type has no more elements than these, so an alias gives the others no place.
                    self.lose(node, find);
                }
            }
            return;
        };
        children.restart();
        let stored = children.head;
        let is_sorted = is_sorted(&stored) && is_sorted(&head);
        for name in without(stored.entries(), head.entries(), is_sorted) {
            let is_there = || {
                let in_any_kind = self.matching.in_any_kind;
                in_any_kind && index_of(&head, name, true).is_some()
                    || self.is_renamed(&stored, &head, name)
            };
            if !is_there()
                && let Some(node) = children.find(name, false)
            {
                self.lose(node, find_alike);
            }
        }
    }

    /// Whether the stored child of this name has another name now.
    fn is_renamed(&self, stored: &Head<'d>, now: &Head<'d>, name: KeyEntry<'d>) -> bool {
        let is_alias = |(_, new): (&'w str, &'w str)| {
            let new = with_text(name, unscoped(now, new));
            now.index_of(new).is_some()
                && stored.index_of(new).is_none()
                && old_name(stored, now, new, self.matching) == Some(name)
        };
        self.matching.both_ways().any(is_alias)
    }

    /// Ends the tree: what is stored around the part that was loaded is lost. Returns the counts.
    pub(crate) fn finish(mut self) -> Migrated {
        if self.is_part {
            self.lose(Node::root(self.root), find_alike);
        }
        let Self { moved, replaced, new, .. } = self;
        Migrated { moved, lost: self.root.num_leaves().saturating_sub(moved), replaced, new }
    }

    /// Reports a stored node that has no place, but for what aliases give another place.
    fn lose(&mut self, node: Node<'d>, find_place: Find<'d>) {
        let found = node.found(self.root);
        if self.matching.aliases.is_empty() {
            return (self.report)(Migration::Lost(found));
        }
        let mut path = Levels::<KeyEntry<'d>, LEVELS>::new();
        let whole = found.path().entries().all(|entry| path.push(entry).is_ok());
        let is_moved = |(from, to): (&str, &str)| self.moves(from, to, &path, find_place);
        let aliases = self.matching.paths();
        if !whole
            || !aliases
                .clone()
                .any(|(from, _)| leads_to(from, &path).is_some() || leads_below(from, &path))
        {
            (self.report)(Migration::Lost(found));
        } else if !aliases.clone().any(is_moved) {
            let mut children = Children::of(node);
            if children.head.arity() == 0 {
                return (self.report)(Migration::Lost(found));
            }
            for index in 0..children.head.arity() {
                if let Some(child) = children.child(index) {
                    self.lose(child, find_place);
                }
            }
        }
    }

    /// Begins a child of a container at a place.
    pub(crate) fn enter(&mut self, place: &Place<'d>) -> Around<'d> {
        self.next = Some(Place { is_child: true, ..*place });
        let name = if self.path.len() > place.depth { self.path.last().copied() } else { None };
        Around {
            frame: self.frame.take(),
            outer: self.outer.take(),
            name,
            moved: self.moved,
            new: self.new,
        }
    }

    /// Goes back to a place whose tree could not be built from what is stored, to build it from its default. Returns why.
    pub(crate) fn retry(&mut self, place: &Place<'d>, around: &Around<'d>) -> Why<'d> {
        self.back(place, around);
        (self.moved, self.new) = (around.moved, around.new);
        (self.frame, self.outer) = (None, None);
        self.next = Some(Place { stored: None, reports: false, is_child: true, ..*place });
        match (self.error.take(), self.missing.take()) {
            (Some(Error::Capacity { room, .. }), _) => Why::Room(room),
            (_, Some(name)) => Why::Missing(name),
            _ => Why::Structure,
        }
    }

    /// Reports that a place has its default.
    pub(crate) fn replaced(&mut self, place: &Place<'d>, around: &Around<'d>, why: Why<'_>) {
        self.back(place, around);
        self.refused(place, why);
    }

    /// Reports that the current path has its default.
    pub(crate) fn refused(&mut self, place: &Place<'d>, why: Why<'_>) {
        self.replaced = self.replaced.saturating_add(1);
        if let Some(node) = place.stored {
            let (stored, at) = (node.found(self.root), KeyPath::new(&self.path));
            (self.report)(Migration::Replaced { stored, at, why });
        }
    }

    fn back(&mut self, place: &Place<'d>, around: &Around<'d>) {
        self.path.truncate(place.depth);
        if let Some(name) = around.name {
            let _ = self.path.push(name);
        }
    }

    /// Goes on after a child of a container.
    pub(crate) fn exit(&mut self, place: &Place<'d>, around: Around<'d>) {
        (self.frame, self.outer, self.next) = (around.frame, around.outer, None);
        if place.is_child {
            return;
        }
        self.path.truncate(place.depth);
    }
}

/// Whether a node is of the type of its default, and has a child of one of its names.
fn fits(node: Option<Node<'_>>, default: Option<Node<'_>>) -> bool {
    let (Some(node), Some(default)) = (node, default) else { return false };
    let (head, default) = (node.head(), default.head());
    let has_common = || head.entries().any(|name| default.index_of(name).is_some());
    same_type(&head, &default) && (head.arity() == 0 || has_common())
}

/// The name that the child `name` of a node has where it is stored, by the first alias for which there is one. The new node
/// has no child of that name.
fn old_name<'d, 'n>(
    stored: &Head<'d>,
    now: &Head<'d>,
    name: KeyEntry<'d>,
    matching: Matching<'n>,
) -> Option<KeyEntry<'n>>
where
    'd: 'n,
{
    let shown = text(name)?;
    matching.both_ways().find_map(|(from, to)| {
        let from = with_text(name, unscoped(stored, from));
        let is_alias = unscoped(now, to) == shown && now.index_of(from).is_none();
        (is_alias && stored.index_of(from).is_some()).then_some(from)
    })
}

/// A name without the type name of its node and a dot.
fn unscoped<'n>(head: &Head<'_>, name: &'n str) -> &'n str {
    let of_type = |own: &str| name.strip_prefix(own)?.strip_prefix('.');
    head.type_name().and_then(of_type).unwrap_or(name)
}
