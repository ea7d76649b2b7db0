//! What aliases do in a walk: they give places what is stored elsewhere, and save that from being lost.

use crate::base::levels;
use crate::encode::schema::{Record, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::tree::migrate::aliases::{
    Stars, find, follow, is_in, is_place, leads_around, leads_to, schema_at,
};
use crate::tree::migrate::children::{Children, Node};
use crate::tree::walk_path::PathLevels;
use crate::treedef::names::{same_type, text, with_text};
use crate::treedef::treedef::TreeDef;

/// An old path and a new one.
type Alias<'w> = (&'w str, &'w str);

/// What is stored for a place, and whether that is by an alias.
type Stored<'d> = (Option<Node<'d>>, bool);

/// What is done with a stored node that is lost, or of which only parts are.
pub(crate) type Lose<'d, 'l> = dyn FnMut(Node<'d>, bool) + 'l;

/// The aliases of a walk, the stored structure, and the root of the defaults.
pub(crate) struct Aliases<'d, 'w> {
    pub(crate) pairs: &'w [Alias<'w>],
    pub(crate) stored: TreeDef<'d>,
    pub(crate) defaults: Node<'d>,
    /// What the type can have besides the defaults, if it is known.
    pub(crate) schema: Option<&'w Schema>,
}

/// What aliases do. It is called through this table, which [`Matching`](super::change::Matching) has if it has aliases, so that a
/// program without aliases does not link it.
pub(crate) struct ByAlias {
    /// What is stored for a place: by an alias, otherwise `by_name`, unless an alias gives that to another place.
    pub(crate) stored: for<'d> fn(
        &Aliases<'d, '_>,
        path: &[KeyEntry<'d>],
        by_name: Option<Node<'d>>,
        default: Option<Node<'d>>,
    ) -> Stored<'d>,
    /// A stored node that an alias gives a place below the one with this path.
    pub(crate) below: for<'d> fn(&Aliases<'d, '_>, &[KeyEntry<'d>]) -> Option<Node<'d>>,
    /// The index that the child of this name has in the first node, which is stored. No child there has that name.
    pub(crate) old_index: for<'d> fn(&Aliases<'d, '_>, [&Head<'d>; 2], KeyEntry<'d>) -> Option<u32>,
    /// Whether the child of the first node with this name has another name in the second one.
    pub(crate) is_renamed: for<'d> fn(&Aliases<'d, '_>, [&Head<'d>; 2], KeyEntry<'d>) -> bool,
    /// Whether a type has a place of an alias, or the alias is about names.
    pub(crate) is_known: fn(Alias<'_>, &Schema) -> bool,
    /// Whether an alias is about a new place or a part of it, and nothing that it leads to is stored.
    pub(crate) is_unused: fn(&Aliases<'_, '_>, Alias<'_>, &[KeyEntry<'_>]) -> bool,
    /// Calls `lost` with each part of a stored node that no alias gives another place, and with the nodes around the parts that
    /// have one: the flag says which is a whole part. The places that aliases give are found as by [`find`].
    pub(crate) lose:
        for<'d> fn(&Aliases<'d, '_>, Node<'d>, is_alike: bool, lost: &mut Lose<'d, '_>),
}

pub(crate) static BY_ALIAS: ByAlias = ByAlias {
    stored: |aliases, path, by_name, default| aliases.stored(path, by_name, default),
    below: |aliases, path| {
        let mut given = None;
        aliases.any(true, &mut |from, to| {
            let Some((rest, stars)) = follow(to, path) else { return false };
            let in_type = || match aliases.schema {
                Some(schema) => is_in(to, schema),
                None => find(to, aliases.defaults, &stars, true).is_some(),
            };
            if !rest.is_empty() && in_type() {
                let node = find(from, Node::root(aliases.stored), &stars, true);
                given = node.filter(|node| node.head().kind() != Kind::None);
            }
            given.is_some()
        });
        given
    },
    old_index: |aliases, heads, name| aliases.old_index(heads, name),
    is_renamed: |aliases, heads, name| aliases.is_renamed(heads, name),
    is_known: |(from, to), schema| {
        // Names at any node, with that of their type or without, are not checked.
        let is_of_type = |byte| byte == b':' || u8::is_ascii_uppercase(&byte);
        from.bytes().any(is_of_type)
            || !is_path(from, to)
            || is_in(to, schema)
            || is_in(from, schema)
    },
    is_unused: |aliases, (from, to), path| {
        let either = |is: &dyn Fn(&str) -> bool| is(from) || is(to);
        let leads_here =
            |one: &str| follow(one, path).is_some_and(|(rest, _)| rest.len() < one.len());
        // A `*` can lead to another place, where it is used.
        !either(&|one| one.contains('*'))
            && either(&leads_here)
            && !either(&|one| aliases.find(one, &Stars::new()).is_some())
    },
    lose: |aliases, node, is_alike, lost| {
        let mut path = levels::empty();
        for entry in node.found(aliases.stored).path().entries() {
            if path.push(entry).is_err() {
                return lost(node, true);
            }
        }
        aliases.lose(node, &mut path, is_alike, lost);
    },
};

impl<'d, 'w> Aliases<'d, 'w> {
    /// Calls `test` with each alias and its backwards form, until it is true. If `only_paths`, those that are paths from the
    /// root; names at any node can be any of them.
    #[inline(never)]
    fn any(&self, only_paths: bool, test: &mut dyn FnMut(&'w str, &'w str) -> bool) -> bool {
        let mut pairs = self.pairs.iter().filter(|(from, to)| !only_paths || is_path(from, to));
        pairs.any(|&(from, to)| test(from, to) || test(to, from))
    }

    /// What is stored where a path leads to.
    fn find(&self, path: &str, stars: &Stars<'_>) -> Option<Node<'d>> {
        find(path, Node::root(self.stored), stars, false)
    }

    fn stored(
        &self,
        path: &[KeyEntry<'d>],
        by_name: Option<Node<'d>>,
        default: Option<Node<'d>>,
    ) -> Stored<'d> {
        let mut stored = by_name;
        let is_moved = self.any(true, &mut |from, to| {
            if let Some(stars) = leads_to(to, path)
                && let Some(node) = self.find(from, &stars)
                // What is stored under the new path is there already. A node that was unwrapped has the path of its wrapper.
                && match follow(from, path).is_some_and(|(rest, _)| !rest.is_empty()) {
                    true => !self.fits(by_name, default, path),
                    false => self.find(to, &stars).is_none(),
                }
            {
                stored = Some(node);
                return true;
            }
            if stored.is_some() && self.moves(from, to, path, true) && !leads_around(to, path) {
                stored = None;
            }
            false
        });
        (stored, is_moved)
    }

    /// Whether a node is of the type of its place, and has a child of one of the names there: of its default, if that is no `None`.
    fn fits(
        &self,
        node: Option<Node<'_>>,
        default: Option<Node<'_>>,
        path: &[KeyEntry<'_>],
    ) -> bool {
        let Some(head) = node.map(|node| node.head()) else { return false };
        let default = default.map(|node| node.head()).filter(|head| head.kind() != Kind::None);
        if let Some(default) = default {
            let has_common = || head.entries().any(|name| default.index_of(name).is_some());
            return same_type(&head, &default) && (head.arity() == 0 || has_common());
        }
        self.schema.and_then(|schema| schema_at(schema, path)).is_some_and(|schema| {
            let (records, _) = schema.parts();
            let is_one = |record: &Record| head.type_name() == Some(record.name);
            let is_leaf = matches!(schema, Schema::Leaf(..));
            is_leaf == (head.kind() == Kind::Leaf)
                && (records.is_empty() || records.iter().any(is_one))
        })
    }

    /// Whether the node at a path goes from `from` to `to`: the type has that place, and nothing is stored there.
    #[inline(never)]
    fn moves(&self, from: &str, to: &str, path: &[KeyEntry<'d>], is_alike: bool) -> bool {
        let Some(stars) = leads_to(from, path) else { return false };
        let in_type = |schema| is_place(to, schema, Node::root(self.stored), &stars);
        let is_place =
            find(to, self.defaults, &stars, is_alike).is_some() || self.schema.is_some_and(in_type);
        is_place && (leads_around(to, path) || self.find(to, &stars).is_none())
    }

    fn old_index(&self, [stored, now]: [&Head<'d>; 2], name: KeyEntry<'d>) -> Option<u32> {
        let (shown, mut found) = (text(name)?, None);
        self.any(false, &mut |from, to| {
            let from = with_text(name, unscoped(stored, from));
            if is_name(now, to, shown) && now.index_of(from).is_none() {
                found = stored.index_of(from);
            }
            found.is_some()
        });
        found
    }

    fn is_renamed(&self, heads: [&Head<'d>; 2], name: KeyEntry<'d>) -> bool {
        let ([stored, now], Some(shown)) = (heads, text(name)) else { return false };
        self.any(false, &mut |from, to| {
            let new = with_text(name, unscoped(now, to));
            is_name(stored, from, shown)
                && now.index_of(new).is_some()
                && stored.index_of(new).is_none()
                && self.old_index(heads, new).is_some_and(|old| stored.index_of(name) == Some(old))
        })
    }

    /// Calls `lost` with each part of the stored node at this path that no alias gives another place, as [`ByAlias`] says.
    fn lose(
        &self,
        node: Node<'d>,
        path: &mut PathLevels<'d>,
        is_alike: bool,
        lost: &mut Lose<'d, '_>,
    ) {
        if self.any(true, &mut |from, to| self.moves(from, to, path, is_alike)) {
            return;
        }
        let mut children = Children::of(node);
        let leads_along = || self.any(true, &mut |from, _| follow(from, path).is_some());
        if children.head.arity() == 0 || !leads_along() {
            return lost(node, true);
        }
        lost(node, false);
        for (index, name) in (0..children.head.arity()).zip(children.head.entries()) {
            let Some(child) = children.child(index) else { return };
            if path.push(name).is_err() {
                lost(child, true);
                continue;
            }
            self.lose(child, path, is_alike, lost);
            let _ = path.pop();
        }
    }
}

/// Whether an alias is a pair of paths from the root. Otherwise it is a pair of names at any node.
fn is_path(from: &str, to: &str) -> bool {
    let is_path =
        |text: &str| text.is_empty() || text.bytes().any(|byte| matches!(byte, b'.' | b'/' | b'['));
    is_path(from) || is_path(to)
}

/// Whether an alias has the name of a child of a node.
fn is_name(head: &Head<'_>, alias: &str, name: &str) -> bool {
    alias.ends_with(name) && unscoped(head, alias) == name
}

/// A name without the type name of its node and a dot; or without that of the enum that the node is a variant of.
fn unscoped<'n>(head: &Head<'_>, name: &'n str) -> &'n str {
    let own = head.type_name().unwrap_or_default();
    let mut bytes = (0..usize::MAX).zip(own.bytes().zip(name.bytes()));
    let differs = bytes.find(|(_, (own, other))| own != other);
    let common = differs.map_or(own.len(), |(at, _)| at);
    let (rest, field) = (own.get(common..), name.get(common..));
    let is_scope = common > 0 && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    field.and_then(|field| field.strip_prefix('.')).filter(|_| is_scope).unwrap_or(name)
}
