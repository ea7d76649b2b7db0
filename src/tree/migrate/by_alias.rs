//! What aliases do in a walk: they give places what is stored elsewhere, and save that from being lost.

use crate::base::levels;
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::tree::migrate::aliases::{
    Cursors, In, Stars, find, follow, leads_around, leads_into, leads_to,
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

/// The aliases of a walk, the stored structure, and the root of the defaults: the places that the type has.
#[derive(Clone, Copy)]
pub(crate) struct Aliases<'d, 'w> {
    pub(crate) pairs: &'w [Alias<'w>],
    pub(crate) stored: TreeDef<'d>,
    /// What is stored for the root of the type.
    pub(crate) top: Node<'d>,
    pub(crate) defaults: Node<'d>,
    pub(crate) cursors: &'w Cursors<'d>,
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
    ) -> Stored<'d>,
    /// A stored node that an alias gives a place below the one with this path.
    pub(crate) below: for<'d> fn(&Aliases<'d, '_>, &[KeyEntry<'d>]) -> Option<Node<'d>>,
    /// The index that the child of this name has in the first node, which is stored. No child there has that name.
    pub(crate) old_index: for<'d> fn(&Aliases<'d, '_>, [&Head<'d>; 2], KeyEntry<'d>) -> Option<u32>,
    /// Whether the child of the first node with this name has another name in the second one.
    pub(crate) is_renamed: for<'d> fn(&Aliases<'d, '_>, [&Head<'d>; 2], KeyEntry<'d>) -> bool,
    /// Whether an alias is about the place with this path or a part of it, and nothing that it leads to is stored. Without a path,
    /// whether the type has no place of the alias.
    pub(crate) is_unused: fn(&Aliases<'_, '_>, Alias<'_>, Option<&[KeyEntry<'_>]>) -> bool,
    /// Calls `lost` with each part of a stored node that no alias gives another place, and with the nodes around the parts that
    /// have one: the flag says which is a whole part.
    pub(crate) lose: for<'d> fn(&Aliases<'d, '_>, Node<'d>, lost: &mut Lose<'d, '_>),
}

pub(crate) static BY_ALIAS: ByAlias = ByAlias {
    stored: |aliases, path, by_name| aliases.stored(path, by_name),
    below: |aliases, path| aliases.below(path),
    old_index: |aliases, heads, name| aliases.old_index(heads, name),
    is_renamed: |aliases, heads, name| aliases.is_renamed(heads, name),
    is_unused: |aliases, (from, to), path| {
        let either = |is: &dyn Fn(&str) -> bool| is(from) || is(to);
        // Names at any node, with that of their type or without, are not checked.
        let is_of_type = |byte| byte == b':' || u8::is_ascii_uppercase(&byte);
        let has_place = |one: &str| match aliases.schema {
            Some(schema) => leads_into(one.as_bytes(), schema, In::Any, aliases.cursors),
            None => find(one.as_bytes(), aliases.defaults, &[], aliases.cursors).is_some(),
        };
        let is_known = from.bytes().any(is_of_type) || !is_path(from, to) || either(&has_place);
        let Some(path) = path else { return !is_known };
        // A `*` can lead to another place, where it is used.
        is_known
            && !either(&|one| one.contains('*'))
            && either(&|one| follow(one, path).is_some_and(|(rest, _)| rest.len() < one.len()))
            && !either(&|one| aliases.find(one, &Stars::new()).is_some())
    },
    lose: |aliases, node, lost| {
        let (mut path, own) = (levels::empty(), node.found(aliases.stored).path());
        match own.entries().try_for_each(|entry| path.push(entry)) {
            Ok(()) => aliases.lose(node, &mut path, lost),
            Err(_) => lost(node, true),
        }
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
        find(path.as_bytes(), Node::root(self.stored), stars, self.cursors)
    }

    /// The stored node that an alias gives a place below the one with this path.
    fn below(&self, path: &[KeyEntry<'d>]) -> Option<Node<'d>> {
        let mut given = None;
        self.any(true, &mut |from, to| {
            let Some((rest, stars)) = follow(to, path) else { return false };
            if !rest.is_empty() && is_clear(from, to) {
                let node = self.find(from, &stars).filter(|_| self.is_place(to, &stars));
                given = node.filter(|node| node.head().kind() != Kind::None);
            }
            given.is_some()
        });
        given
    }

    fn stored(&self, path: &[KeyEntry<'d>], by_name: Option<Node<'d>>) -> Stored<'d> {
        let (mut given, mut is_part) = (None, false);
        self.any(true, &mut |from, to| {
            let Some((rest, stars)) = follow(to, path) else { return false };
            if rest.is_empty() {
                given = self.given(from, to, &stars, Some(path));
            } else {
                // Where the list around it was renamed, the node has another path than this one.
                is_part |= is_clear(from, to)
                    && leads_to(from, path).is_none()
                    && self.find(from, &stars) == by_name
                    && self.is_place(to, &stars);
            }
            given.is_some()
        });
        let goes = &mut |from, to| self.moves(from, to, path) && leads_around(to, path).is_none();
        let own = by_name.filter(|_| given.is_none() && !is_part && !self.any(true, goes));
        (given.or(own), given.is_some())
    }

    /// The node that an alias gives a place, unless what is stored under the new path stays there. `path` is that of the place, if
    /// it can be around the old path.
    fn given(
        &self,
        from: &str,
        to: &str,
        stars: &Stars<'d>,
        path: Option<&[KeyEntry<'_>]>,
    ) -> Option<Node<'d>> {
        let node = self.find(from, stars).filter(|_| is_clear(from, to))?;
        let default = find(to.as_bytes(), self.defaults, stars, self.cursors);
        let here = self.find(to, stars);
        let is_wrapper =
            path.and_then(|path| follow(from, path)).is_some_and(|(rest, _)| !rest.is_empty());
        let stays = match (here, default.filter(|node| node.head().kind() != Kind::None)) {
            (here, _) if !is_wrapper => here.is_some(),
            // A wrapper stays if it is that of the default, or one in the type.
            (Some(here), Some(default)) => {
                let (here, default) = (here.head(), default.head());
                let has_common = here.entries().any(|name| default.index_of(name).is_some());
                same_type(&here, &default) && (here.arity() == 0 || has_common)
            }
            _ => self.is_place(from, stars),
        };
        (!stays).then_some(node)
    }

    /// Whether the node at a path goes from `from` to `to`: the value has that place, and this is the first alias that gives it a
    /// node.
    #[inline(never)]
    fn moves(&self, from: &str, to: &str, path: &[KeyEntry<'d>]) -> bool {
        let Some(stars) = leads_to(from, path) else { return false };
        let (around, mut first) = (leads_around(to, path), from);
        let is_given = self.any(true, &mut |other, same| {
            first = other;
            same == to && self.given(other, to, &stars, around).is_some()
        });
        is_given && first == from && self.is_place(to, &stars)
    }

    /// Whether a pattern leads to a place of the value.
    fn is_place(&self, pattern: &str, stars: &Stars<'d>) -> bool {
        let Some(schema) = self.schema else {
            return find(pattern.as_bytes(), self.defaults, stars, self.cursors).is_some();
        };
        let elsewhere = |left| {
            let (around, mut stored) = (pattern.get(..pattern.len().checked_sub(left)?)?, None);
            self.any(false, &mut |old, new| {
                stored = if new == around { self.find(old, stars) } else { None };
                stored.is_some()
            });
            stored
        };
        let nodes = [Some(self.top), Some(self.defaults)];
        leads_into(pattern.as_bytes(), schema, In::One(nodes, stars, &elsewhere), self.cursors)
    }

    fn old_index(&self, [stored, now]: [&Head<'_>; 2], name: KeyEntry<'_>) -> Option<u32> {
        let (shown, mut found) = (text(name)?, None);
        let [old_type, own_type] = [stored, now].map(|head| head.type_name().unwrap_or_default());
        self.any(false, &mut |from, to| {
            let from = with_text(name, unscoped(old_type, from));
            if is_name(own_type, to, shown) && now.index_of(from).is_none() {
                found = stored.index_of(from);
            }
            found.is_some()
        });
        found
    }

    fn is_renamed(&self, heads: [&Head<'d>; 2], name: KeyEntry<'d>) -> bool {
        let ([stored, now], Some(shown)) = (heads, text(name)) else { return false };
        let [old_type, own_type] = [stored, now].map(|head| head.type_name().unwrap_or_default());
        self.any(false, &mut |from, to| {
            let new = with_text(name, unscoped(own_type, to));
            is_name(old_type, from, shown)
                && now.index_of(new).is_some()
                && stored.index_of(new).is_none()
                && self.old_index(heads, new).is_some_and(|old| stored.index_of(name) == Some(old))
        })
    }

    /// Calls `lost` with each part of the stored node at this path that no alias gives another place, as [`ByAlias`] says.
    fn lose(&self, node: Node<'d>, path: &mut PathLevels<'d>, lost: &mut Lose<'d, '_>) {
        if self.any(true, &mut |from, to| self.moves(from, to, path)) {
            return;
        }
        let mut children = Children::of(node);
        let along = &mut |from, to| follow(from, path).is_some() && is_clear(from, to);
        if children.head.arity() == 0 || !self.any(true, along) {
            return lost(node, true);
        }
        lost(node, false);
        for (index, name) in (0..children.head.arity()).zip(children.head.entries()) {
            let Some(child) = children.child(index) else { return };
            if path.push(name).is_err() {
                lost(child, true);
                continue;
            }
            self.lose(child, path, lost);
            let _ = path.pop();
        }
    }
}

/// Whether an alias says which of the elements a place gets: a place with fewer `*`s than the old path does not.
pub(crate) fn is_clear(from: &str, to: &str) -> bool {
    let ends = |byte: &u8| matches!(byte, b'.' | b'/' | b'[' | b']');
    let add = |stars: usize, part: &[u8]| stars.wrapping_add((part == b"*").into());
    let stars = |path: &str| path.as_bytes().split(ends).fold(0, add);
    stars(from) <= stars(to)
}

/// Whether an alias is a pair of paths from the root. Otherwise it is a pair of names at any node.
pub(crate) fn is_path(from: &str, to: &str) -> bool {
    let is_path =
        |text: &str| text.is_empty() || text.bytes().any(|byte| matches!(byte, b'.' | b'/' | b'['));
    is_path(from) || is_path(to)
}

/// Whether an alias has the name of a child of a node of this type.
pub(crate) fn is_name(own: &str, alias: &str, name: &str) -> bool {
    alias.ends_with(name) && unscoped(own, alias) == name
}

/// A name without the type name of its node and a dot; or without that of the enum that the node is a variant of.
pub(crate) fn unscoped<'n>(own: &str, name: &'n str) -> &'n str {
    let mut bytes = (0..usize::MAX).zip(own.bytes().zip(name.bytes()));
    let differs = bytes.find(|(_, (own, other))| own != other);
    let common = differs.map_or(own.len(), |(at, _)| at);
    let (rest, field) = (own.get(common..), name.get(common..));
    let is_scope = common > 0 && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    field.and_then(|field| field.strip_prefix('.')).filter(|_| is_scope).unwrap_or(name)
}
