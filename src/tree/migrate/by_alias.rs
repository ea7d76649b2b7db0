//! What aliases do in a walk: they give places what is stored elsewhere, and save that from being lost.

use crate::base::levels::{self, Levels};
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::Schema;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::tree::migrate::aliases::{Stars, find, follow, is_in, leads_around, leads_to, steps};
use crate::tree::migrate::children::{Children, Node};
use crate::treedef::names::{same_type, text, with_text};
use crate::treedef::treedef::TreeDef;

/// An old path and a new one.
type Alias<'w> = (&'w str, &'w str);

/// What is stored for a place, and whether that is by an alias: then also whether another place has it before, which counts its
/// leaves.
type Stored<'d> = (Option<Node<'d>>, Option<bool>);

/// A child that has another name, and whether another place has it before.
type Renamed<'d> = Option<(Node<'d>, bool)>;

/// A path.
pub(crate) type Steps<'d> = Levels<KeyEntry<'d>, { MAX_DEPTH as usize }>;

/// What is done with a stored node that is lost, or of which only parts are.
pub(crate) type Lose<'d, 'l> = dyn FnMut(Node<'d>, bool) + 'l;

/// The aliases of a walk, the stored structure, and that of the defaults.
pub(crate) struct Aliases<'d, 'w> {
    pub(crate) pairs: &'w [Alias<'w>],
    pub(crate) stored: TreeDef<'d>,
    pub(crate) defaults: TreeDef<'d>,
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
    /// Whether an alias leads to a place below the one with this path.
    pub(crate) leads_below: fn(&Aliases<'_, '_>, &[KeyEntry<'_>]) -> bool,
    /// The child of a stored node that has this name in a new node with this head, and whether another place has it before. No
    /// child of the stored node has that name.
    pub(crate) renamed: for<'d> fn(
        &Aliases<'d, '_>,
        &mut Children<'d>,
        now: &Head<'d>,
        KeyEntry<'d>,
    ) -> Renamed<'d>,
    /// Whether the child of the first node with this name has another name in the second one.
    pub(crate) is_renamed: for<'d> fn(&Aliases<'d, '_>, [&Head<'d>; 2], KeyEntry<'d>) -> bool,
    /// Whether a type has a place of an alias, or the alias is about names.
    pub(crate) is_known: fn(Alias<'_>, &Schema) -> bool,
    /// Whether an alias is about a new place, and nothing that it leads to is stored.
    pub(crate) is_unused: fn(&Aliases<'_, '_>, Alias<'_>, &[KeyEntry<'_>]) -> bool,
    /// Calls `lost` with each part of a stored node that no alias gives another place, and with the nodes around the parts that
    /// have one: the flag says which is a whole part. The places that aliases give are found as by [`find`].
    pub(crate) lose:
        for<'d> fn(&Aliases<'d, '_>, Node<'d>, is_alike: bool, lost: &mut Lose<'d, '_>),
}

pub(crate) static BY_ALIAS: ByAlias = ByAlias {
    stored: |aliases, path, by_name, default| aliases.stored(path, by_name, default),
    leads_below: |aliases, path| aliases.any(true, &mut |_, _, to| is_below(to, path)),
    renamed: |aliases, children, now, name| {
        let heads = [&children.head.clone(), now];
        let index = aliases.old_index(heads, name)?;
        let old = heads[0].entries().nth(index as usize)?;
        let node = children.child(index)?;
        let is_copy = aliases.new_name(heads, old) != Some(name);
        Some((node, is_copy || aliases.is_elsewhere(node, usize::MAX)))
    },
    is_renamed: |aliases, heads, name| aliases.new_name(heads, name).is_some(),
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
        // A `*` can lead to another place, where it is used.
        !either(&|one| one.contains('*'))
            && either(&|one| leads_to(one, path).is_some())
            && !either(&|one| aliases.find(one, &Stars::new()).is_some())
    },
    lose: |aliases, node, is_alike, lost| {
        let mut path = levels::empty();
        match node.put_path(aliases.stored, &mut path) {
            Some(()) => aliases.lose(node, &mut path, is_alike, lost),
            None => lost(node, true),
        }
    },
};

impl<'d, 'w> Aliases<'d, 'w> {
    /// Calls `test` with each alias and its backwards form, until it is true; the first argument counts them. If
    /// `only_paths`, those that are paths from the root; names at any node can be any of them.
    #[inline(never)]
    fn any(&self, only_paths: bool, test: &mut dyn FnMut(usize, &'w str, &'w str) -> bool) -> bool {
        let pairs = self.pairs.iter().filter(|(from, to)| !only_paths || is_path(from, to));
        let mut index = 0usize;
        for &(from, to) in pairs {
            if test(index, from, to) || test(index.saturating_add(1), to, from) {
                return true;
            }
            index = index.saturating_add(2);
        }
        false
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
        let (mut stored, mut is_copy) = (by_name, None);
        self.any(true, &mut |before, from, to| {
            if let Some(stars) = leads_to(to, path)
                && let Some(node) = self.find(from, &stars)
                // What is stored under the new path is there already. A node that was unwrapped has the path of its wrapper.
                && match is_below(from, path) {
                    true => !fits(by_name, default),
                    false => self.find(to, &stars).is_none(),
                }
            {
                let is_elsewhere = self.is_elsewhere(node, before);
                is_copy = Some(is_elsewhere || self.is_repeated(node, (from, to), path, &stars));
                stored = Some(node);
                return true;
            }
            if stored.is_some()
                && self.moves(from, to, path, true).is_some()
                && !leads_around(to, path)
            {
                stored = None;
            }
            false
        });
        (stored, is_copy)
    }

    /// Whether one of the first `count` aliases gives a place to a stored node, or any alias to one around it.
    #[inline(never)]
    fn is_elsewhere(&self, node: Node<'d>, count: usize) -> bool {
        let mut own: Steps<'d> = levels::empty();
        let _ = node.put_path(self.stored, &mut own);
        self.any(true, &mut |index, from, to| {
            let end = own.len().saturating_add(usize::from(index < count));
            (0..end).any(|len| {
                let Some((up, down)) = own.split_at_checked(len) else { return false };
                let place = self.moves(from, to, up, true);
                place.and_then(|place| steps(down).try_fold(place, into)).is_some()
            })
        })
    }

    /// Whether an alias gives a stored node to all places of a `*`, of which that at a path with these `stars` is not the first.
    #[inline(never)]
    fn is_repeated(
        &self,
        node: Node<'d>,
        (from, to): Alias<'_>,
        path: &[KeyEntry<'d>],
        stars: &Stars<'d>,
    ) -> bool {
        let mut own: Steps<'d> = levels::empty();
        let _ = node.put_path(self.stored, &mut own);
        let Some(used) = leads_to(from, &own).filter(|used| used.len() < stars.len()) else {
            return false;
        };
        own.clear();
        match find(to, Node::root(self.defaults), &used, true) {
            Some(first) => {
                let _ = first.put_path(self.defaults, &mut own);
                !steps(&own).eq(steps(path))
            }
            // The defaults have no element.
            None => stars.iter().skip(used.len()).any(|star| *star != KeyEntry::Index(0)),
        }
    }

    /// The place in the defaults to which the node at a path goes from `from`, if nothing is stored there.
    #[inline(never)]
    fn moves(
        &self,
        from: &str,
        to: &str,
        path: &[KeyEntry<'d>],
        is_alike: bool,
    ) -> Option<Node<'d>> {
        let stars = leads_to(from, path)?;
        let place = find(to, Node::root(self.defaults), &stars, is_alike)?;
        (leads_around(to, path) || self.find(to, &stars).is_none()).then_some(place)
    }

    fn old_index(&self, [stored, now]: [&Head<'d>; 2], name: KeyEntry<'d>) -> Option<u32> {
        let (shown, mut found) = (text(name)?, None);
        self.any(false, &mut |_, from, to| {
            let from = with_text(name, unscoped(stored, from));
            if is_name(now, to, shown) && now.index_of(from).is_none() {
                found = stored.index_of(from);
            }
            found.is_some()
        });
        found
    }

    /// The name that the child of the first node with this name has in the second one.
    fn new_name(&self, heads: [&Head<'d>; 2], name: KeyEntry<'d>) -> Option<KeyEntry<'w>> {
        let ([stored, now], shown) = (heads, text(name)?);
        let mut found = None;
        self.any(false, &mut |_, from, to| {
            let new = with_text(name, unscoped(now, to));
            let is_new = is_name(stored, from, shown)
                && now.index_of(new).is_some()
                && stored.index_of(new).is_none()
                && self.old_index(heads, new).is_some_and(|old| stored.index_of(name) == Some(old));
            if is_new {
                found = Some(new);
            }
            is_new
        });
        found
    }

    /// Calls `lost` with each part of the stored node at this path that no alias gives another place, as [`ByAlias`] says.
    fn lose(&self, node: Node<'d>, path: &mut Steps<'d>, is_alike: bool, lost: &mut Lose<'d, '_>) {
        if self.any(true, &mut |_, from, to| self.moves(from, to, path, is_alike).is_some()) {
            return;
        }
        let mut children = Children::of(node);
        let leads_along = || self.any(true, &mut |_, from, _| follow(from, path).is_some());
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

/// The child of a node with this name.
fn into<'d>(node: Node<'d>, name: &KeyEntry<'_>) -> Option<Node<'d>> {
    let mut children = Children::of(node.inside_some());
    children.child(children.head.index_of(*name)?)
}

/// Whether an alias leads to a place below the one with this path.
fn is_below(alias: &str, path: &[KeyEntry<'_>]) -> bool {
    follow(alias, path).is_some_and(|(rest, _)| !rest.is_empty())
}

/// Whether a node is of the type of its default, and has a child of one of its names.
fn fits(node: Option<Node<'_>>, default: Option<Node<'_>>) -> bool {
    let (Some(node), Some(default)) = (node, default) else { return false };
    let (head, default) = (node.head(), default.head());
    let has_common = || head.entries().any(|name| default.index_of(name).is_some());
    same_type(&head, &default) && (head.arity() == 0 || has_common())
}

/// Whether an alias has the name of a child of a node.
fn is_name(head: &Head<'_>, alias: &str, name: &str) -> bool {
    alias.ends_with(name) && unscoped(head, alias) == name
}

/// A name without the type name of its node and a dot; or without that of the enum that the node is a variant of.
fn unscoped<'n>(head: &Head<'_>, name: &'n str) -> &'n str {
    let own = head.type_name().unwrap_or_default();
    let mut common = 0usize;
    for (byte, other) in own.bytes().zip(name.bytes()) {
        if byte != other {
            break;
        }
        common = common.saturating_add(1);
    }
    let (rest, field) = (own.get(common..), name.get(common..));
    let is_scope = common > 0 && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    field.and_then(|field| field.strip_prefix('.')).filter(|_| is_scope).unwrap_or(name)
}
