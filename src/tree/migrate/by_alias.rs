//! What a walk goes by, and what aliases do in it: they give places what is stored elsewhere, and save that from being lost.

use crate::encode::schema::{Fields, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::tree::migrate::alias_texts::{self, covers, is_type_renamed, scope_len};
use crate::tree::migrate::aliases::{
    Cursors, Pattern, Stars, after_star, before_star, find, follow, step,
};
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::checked::{has_name, leads};
use crate::tree::migrate::children::Node;
use crate::tree::migrate::node::{Own, Step, StoredNode, is_container};
use crate::tree::migrate::room::count_stored;
use crate::treedef::names::{text, with_text};
use crate::treedef::pattern::{after, open};
use crate::treedef::segment::Segment;
use crate::treedef::treedef::TreeDef;

/// An old path and a new one.
pub(crate) type Alias<'w> = (&'w str, &'w str);

/// What is stored for a place, and whether that is by an alias.
type StoredFor<N> = (Option<N>, bool);

/// What is done with a stored node that an alias gives a place: the alias, the node, and what its `*`s are.
type Below<'l, 'd, N> = dyn FnMut(&str, &str, N, &Stars<'d>) -> bool + 'l;

/// Calls a function with the stored nodes that aliases give parts which the value lacks.
type WithoutPlace<'d, N> = fn(&Task<'_, 'd, N>, &Step<'_, 'd>, Option<N>, &mut dyn FnMut(N));

/// What is done with a stored node that is lost, or of which only parts are.
pub(crate) type Lose<'l, N> = dyn FnMut(N, bool) + 'l;

/// What a walk goes by: the roots of what is stored and of the defaults, and aliases.
#[derive(Clone, Copy)]
pub(crate) struct Task<'m, 'd, N: StoredNode<'d>> {
    pub(crate) pairs: &'m [Alias<'m>],
    /// What a [`Matching`](super::change::Matching) says.
    pub(crate) in_any_kind: bool,
    pub(crate) lengths_of_defaults: bool,
    pub(crate) keep_places: bool,
    pub(crate) stored: N,
    /// What is stored for the root of the type: `stored`, unless an alias of the root, as `("model", "")`, gives it a part of that.
    pub(crate) top: N,
    pub(crate) defaults: N,
    pub(crate) cursors: &'m Cursors<'d, N>,
    /// What the type can have besides the defaults, if it is known.
    pub(crate) schema: Option<&'m Schema>,
    /// What is done with the aliases of the load, if there are any.
    pub(crate) by_alias: Option<&'m ByAlias<'d, N>>,
    /// What is done with the aliases at the fields of the type, if it has any.
    pub(crate) by_field: Option<&'m ByField<'d, N>>,
}

/// What aliases do. It is called through this table, which a walk has if there are aliases, so that a program without aliases does not
/// link it.
pub(crate) struct ByAlias<'d, N: StoredNode<'d>> {
    /// Which of the aliases of a place are about it or a part of it, as bits.
    pub(crate) about: fn(&Task<'_, 'd, N>, &Step<'_, 'd>) -> u32,
    /// What is stored for a place: by an alias, otherwise `by_name`, unless an alias gives that to another place.
    pub(crate) stored: fn(&Task<'_, 'd, N>, &Step<'_, 'd>, by_name: Option<N>) -> StoredFor<N>,
    /// Whether an alias gives a place a stored node, and a value that is made of what is stored has a place for neither of its paths.
    pub(crate) is_apart: fn(&Task<'_, 'd, N>, &Step<'_, 'd>) -> bool,
    /// A stored node that an alias gives a place below this one.
    pub(crate) below: fn(&Task<'_, 'd, N>, &Step<'_, 'd>) -> Option<N>,
    /// Calls the function with each stored node from elsewhere that aliases give places below this one alone, where the value lacks these:
    /// it has this default, or nothing.
    pub(crate) without_place: WithoutPlace<'d, N>,
    /// The index that the child of this name has in a stored node. No child there has that name.
    pub(crate) old_index: fn(&Task<'_, 'd, N>, &N::Open, &Own<'_>, KeyEntry<'_>) -> Option<u32>,
    /// Whether the child of a stored node with this name has another name now.
    pub(crate) is_renamed: fn(&Task<'_, 'd, N>, &N::Open, &Own<'_>, KeyEntry<'_>) -> bool,
    /// Whether a node of the first type name was one of the second name.
    pub(crate) is_type_renamed: fn(&Task<'_, 'd, N>, [&str; 2]) -> bool,
    /// Calls `lost` with each part of a stored node that no alias gives another place, and with the nodes around the parts that
    /// have one: the flag says which is a whole part.
    pub(crate) lose: fn(&Task<'_, 'd, N>, N, &Step<'_, 'd>, lost: &mut Lose<'_, N>),
    /// Whether an alias has no place in the type; or, with a step, whether it is about that place or a part of it, and nothing that it
    /// leads to is stored.
    pub(crate) is_unused: fn(&Task<'_, 'd, N>, Alias<'_>, Option<&Step<'_, 'd>>) -> bool,
    /// The number of different stored leaves among those of the value, which are here by their indices. Aliases can give a leaf several
    /// places.
    pub(crate) count: fn(&mut [u32]) -> usize,
}

impl<'d, N: StoredNode<'d> + 'd> ByAlias<'d, N> {
    /// The table of a load without reports, which only records have: they count leaves in another way.
    pub(crate) const UNREPORTED: &'d Self = &Self {
        is_apart: |_, _| false,
        is_renamed: |_, _, _, _| false,
        is_unused: |_, _, _| false,
        count: |_| 0,
        ..*Self::ALL
    };

    pub(crate) const ALL: &'d Self = &Self {
        about: |task, step| task.about(step),
        stored: |task, step, by_name| task.stored(step, by_name),
        is_apart: |task, step| {
            task.any(Some(step.aliases), &mut |from, to| {
                let mut stars = Stars::new();
                // What is in the place around is not counted, if that is replaced.
                let is_inside = |up| follow(from, up, &mut Stars::new()).is_some();
                follow(to, step, &mut stars).is_some_and(<[u8]>::is_empty)
                    && !step.up.is_some_and(is_inside)
                    && task.find(from, &stars).is_some()
                    && ![from, to].iter().any(|path| task.is_place(path, &stars))
            })
        },
        below: |task, step| {
            let mut given = None;
            task.below(step, &mut Stars::new(), &mut |_, _, node, _| {
                given = Some(node);
                true
            });
            given
        },
        without_place: |task, step, default, lost| {
            task.below(step, &mut Stars::new(), &mut |from, to, node, stars| {
                // The node has another place, or this default has that place. Of places that are lacking, the first one counts.
                let is_kept = &mut |_: &str, other: &str, of: N, stars: &Stars<'d>| {
                    let mut above = Stars::new();
                    let rest = follow(other, step, &mut above);
                    of == node
                        && rest.is_none_or(|rest| {
                            let left = stars.get(above.len()..).unwrap_or_default();
                            let find = |default| find(rest, default, left, task.cursors);
                            N::HAS_KINDS && (other < to || default.and_then(find).is_some())
                        })
                };
                let is_inside = follow(from, step, &mut Stars::new()).is_some();
                if !is_inside && !task.below(&Step::ROOT, &mut stars.clone(), is_kept) {
                    lost(node);
                }
                false
            });
        },
        old_index: |task, stored, own, name| task.old_index(stored, own, name),
        is_renamed: |task, stored, own, name| task.is_renamed(stored, own, name),
        is_type_renamed: |task, names| {
            let names = names.map(str::as_bytes);
            task.any(None, &mut |from, to| is_type_renamed(names, [from, to].map(str::as_bytes)))
        },
        lose: |task, node, step, lost| {
            if !step.is_moved {
                return task.lose(node, step, lost);
            }
            let mut is_lost = true;
            node.at_path(task.stored, step, &mut |step| {
                is_lost = false;
                task.lose(node, step, lost);
            });
            if is_lost {
                lost(node, true);
            }
        },
        is_unused: |task, alias, step| task.is_unused(alias, step),
        count: count_stored,
    };
}

/// The table for treedefs. The argument only gives it its lifetime.
pub(crate) type ByAliasOfTrees = for<'d> fn(TreeDef<'d>) -> &'d ByAlias<'d, Node<'d>>;

impl<'w, 'd, N: StoredNode<'d>> Task<'w, 'd, N> {
    /// Calls `test` with each alias and its backwards form, until it is true: with those of these bits that are paths from the root, or
    /// with all, also names at any node.
    #[inline(never)]
    fn any(&self, bits: Option<u32>, test: &mut dyn FnMut(&'w str, &'w str) -> bool) -> bool {
        self.pairs.iter().zip(0..u32::MAX).any(|(&(from, to), index)| {
            let is_asked =
                bits.is_none_or(|bits| bits >> index.min(31) & 1 == 1 && is_path(from, to));
            is_asked && (test(from, to) || test(to, from))
        })
    }

    /// Calls `test` with each name that a child with this name has in a node of the first type, by an alias of the second type or any
    /// type, until it is true.
    #[inline]
    fn any_name(
        &self,
        [other, own]: [&str; 2],
        name: &str,
        mut test: impl FnMut(&str) -> bool,
    ) -> bool {
        self.any(None, &mut |from, to| unscoped(own, to) == name && test(unscoped(other, from)))
    }

    /// The index that the child of this name has in a stored node.
    fn old_index(&self, stored: &N::Open, own: &Own<'_>, name: KeyEntry<'_>) -> Option<u32> {
        let (old_type, mut found) = (N::what(stored).1.unwrap_or_default(), None);
        self.any_name([old_type, own.type_name], text(name)?, |from| {
            let from = with_text(name, from);
            if !(own.has)(from) {
                found = N::names(stored).index_of(from);
            }
            found.is_some()
        });
        found
    }

    /// Whether the child of a stored node with this name has another name now.
    fn is_renamed(&self, stored: &N::Open, own: &Own<'_>, name: KeyEntry<'_>) -> bool {
        let Some(shown) = text(name) else { return false };
        let index_of = |name: KeyEntry<'_>| N::names(stored).index_of(name);
        self.any_name([own.type_name, N::what(stored).1.unwrap_or_default()], shown, |to| {
            let new = with_text(name, to);
            (own.has)(new)
                && index_of(new).is_none()
                && self.old_index(stored, own, new).is_some_and(|old| index_of(name) == Some(old))
        })
    }

    fn is_unused(&self, (from, to): Alias<'_>, step: Option<&Step<'_, 'd>>) -> bool {
        let either = |is: &dyn Fn(&str) -> bool| is(from) || is(to);
        // Names at any node, with that of their type or without, are known if a type has one of them.
        let is_of_type = |byte| byte == b':' || u8::is_ascii_uppercase(&byte);
        let has_place = |one: &str| match self.schema {
            Some(schema) => leads(schema, one.as_bytes(), true, false),
            None => find(one.as_bytes(), self.defaults, &[], self.cursors).is_some(),
        };
        let is_name = from.bytes().any(is_of_type) || !is_path(from, to);
        let has_name = |one: &str| self.schema.is_none_or(|of| has_name(of, one.as_bytes()));
        let is_known = is_name && either(&has_name) || either(&has_place);
        let Some(step) = step else { return !is_known };
        let is_about = |one: &str| {
            follow(one, step, &mut Stars::new()).is_some_and(|rest| rest.len() < one.len())
        };
        // A `*` can lead to another place, where it is used.
        is_known
            && !either(&|one| one.contains('*'))
            && either(&is_about)
            && !either(&|one| self.find(one, &Stars::new()).is_some())
    }

    /// What is stored where a path leads to.
    fn find(&self, path: &str, stars: &[KeyEntry<'_>]) -> Option<N> {
        find(path.as_bytes(), self.stored, stars, self.cursors)
    }

    fn about(&self, step: &Step<'_, 'd>) -> u32 {
        let begins = |path: &str| follow(path, step, &mut Stars::new()).is_some();
        let pairs = self.pairs.iter().zip(0..u32::MAX);
        pairs.fold(0, |bits, (&(from, to), index)| {
            let bit = 1u32 << index.min(31);
            let is_here = step.aliases & bit != 0 && is_path(from, to);
            let is_again = || self.pairs.iter().take(index as usize).any(|it| *it == (from, to));
            let is_about = is_here && (begins(from) || begins(to));
            // What one that is there twice gives is counted once.
            if is_about && !(N::HAS_KINDS && is_again()) { bits | bit } else { bits }
        })
    }

    /// Calls `test` with each stored node that an alias gives a place below this one, until it is true: with the alias, the node and the
    /// `*`s. Of those of the old path, these are the first ones.
    #[inline(never)]
    fn below(
        &self,
        step: &Step<'_, 'd>,
        stars: &mut Stars<'d>,
        test: &mut Below<'_, 'd, N>,
    ) -> bool {
        let given = stars.len();
        self.any(Some(step.aliases), &mut |from, to| {
            stars.truncate(given);
            let is_below = follow(to, step, stars).is_some_and(|rest| !rest.is_empty());
            let give = &mut |stars: &Stars<'d>| {
                let node = self.gives(from, to, stars, None).filter(is_there);
                node.is_some_and(|node| test(from, to, node, stars))
            };
            is_below && self.any_place(self.stored, from, stars, give)
        })
    }

    fn stored(&self, step: &Step<'_, 'd>, by_name: Option<N>) -> StoredFor<N> {
        let (mut given, mut is_part) = (None, false);
        self.any(Some(step.aliases), &mut |from, to| {
            let mut stars = Stars::new();
            let Some(rest) = follow(to, step, &mut stars) else { return false };
            if rest.is_empty() {
                given = self.given(from, to, &stars, Some(step));
            } else {
                // Where the list around it was renamed, the node has another path than this one.
                is_part |= by_name.is_some()
                    && is_clear(from, to)
                    && !step.leads(from, false)
                    && self.find(from, &stars) == by_name
                    && self.is_place(to, &stars);
            }
            given.is_some()
        });
        let goes =
            &mut |from: &str, to: &str| step.around(to).is_none() && self.moves(from, to, step);
        let stays = given.is_none() && !is_part && !self.any(Some(step.aliases), goes);
        (given.or(by_name.filter(|_| stays)), given.is_some())
    }

    /// The node that an alias gives a place, unless what is stored under the new path stays there. `step` is that to the place, if
    /// it can be around the old path.
    #[inline(never)]
    fn given(
        &self,
        from: &str,
        to: &str,
        stars: &Stars<'d>,
        step: Option<&Step<'_, 'd>>,
    ) -> Option<N> {
        let node = self.find(from, stars).filter(|_| is_clear(from, to))?;
        let here = self.find(to, stars);
        let stays = if step.is_some_and(|step| step.leads(from, true)) {
            let default = find(to.as_bytes(), self.defaults, stars, self.cursors);
            match (here, default.filter(is_there)) {
                // A wrapper stays if it is that of the default, or one in the type.
                (Some(here), Some(default)) => is_alike(here, default),
                _ => self.is_place(from, stars),
            }
        } else {
            here.is_some()
        };
        (!stays).then_some(node)
    }

    /// Whether the node of a place goes from `from` to `to`.
    #[inline(never)]
    fn moves(&self, from: &str, to: &str, step: &Step<'_, 'd>) -> bool {
        let mut stars = Stars::new();
        if follow(from, step, &mut stars).is_none_or(|rest| !rest.is_empty()) {
            return false;
        }
        let around = step.around(to);
        let has_stars = |around: &&Step<'_, 'd>, stars: &Stars<'d>| {
            let mut own = Stars::new();
            follow(to, around, &mut own).is_some() && own == *stars
        };
        let gives = &mut |stars: &Stars<'d>| {
            let around = around.filter(|around| has_stars(around, stars));
            self.gives(from, to, stars, around).is_some()
        };
        let mut roots = [self.stored, self.defaults].into_iter();
        roots.any(|root| self.any_place(root, to, &mut stars, gives))
    }

    /// The stored node that an alias gives a place, if the value has that and no alias before gives it another one. `around` is the step
    /// to the place, if it can be around the old path.
    fn gives(
        &self,
        from: &str,
        to: &str,
        stars: &Stars<'d>,
        around: Option<&Step<'_, 'd>>,
    ) -> Option<N> {
        let mut given = None;
        self.any(Some(u32::MAX), &mut |other, same| {
            if same.as_bytes() == to.as_bytes()
                || !other.contains('*') && covers(same.as_bytes(), to.as_bytes())
            {
                given = self.given(other, to, stars, around);
            }
            given.is_some()
        });
        given.filter(|node| self.find(from, stars) == Some(*node) && self.is_place(to, stars))
    }

    /// Calls `test` with these `*`s of a path and any others that it has besides in a tree, until it is true. If the tree lacks a list, nothing
    /// says what its elements are, and its `*` is left out.
    fn any_place(
        &self,
        root: N,
        path: &str,
        stars: &mut Stars<'d>,
        test: &mut dyn FnMut(&Stars<'d>) -> bool,
    ) -> bool {
        let list = before_star(path.as_bytes(), stars.len())
            .and_then(|before| find(before, root, stars, self.cursors));
        let Some(list) = list.map(N::open) else { return test(stars) };
        N::names(&list).any(|name| {
            stars.push(name).is_ok() && {
                let is_found = self.any_place(root, path, stars, test);
                stars.pop();
                is_found
            }
        })
    }

    /// Whether a pattern leads to a place of the value.
    fn is_place(&self, pattern: &str, stars: &Stars<'d>) -> bool {
        let Some(schema) = self.schema else {
            return find(pattern.as_bytes(), self.defaults, stars, self.cursors).is_some();
        };
        let nodes = [Some(self.top), Some(self.defaults)];
        self.leads_into((pattern, stars), pattern.as_bytes(), schema, nodes, stars)
    }

    /// Whether what is left of a pattern leads to a place of the value of a schema that is made of a stored node and a default.
    ///
    /// Options, variants, lengths and keys are those that are stored, otherwise those of the default; an option that is not stored can
    /// be there. [`leads`] asks the same of all values of the schema.
    ///
    /// `whole` is the pattern, with what its `*`s are, and `pattern` and `stars` are what is left of both here; the nodes are what is stored
    /// here, if anything is, and the default. Where nothing is stored under this path, another alias can have given it something:
    /// that is `elsewhere`.
    fn leads_into(
        &self,
        whole: (&str, &[KeyEntry<'_>]),
        pattern: Pattern<'_>,
        schema: &Schema,
        [mut stored, default]: [Option<N>; 2],
        stars: &[KeyEntry<'_>],
    ) -> bool {
        if stored.is_none() && !pattern.is_empty() {
            stored = self.elsewhere(whole, pattern);
        }
        if let Schema::Optional(of) = schema {
            let is_none = what(stored).is_some_and(|(kind, _)| kind == Kind::None);
            return !is_none && self.leads_into(whole, pattern, of, [stored, default], stars);
        }
        let star = after_star(pattern);
        let stars_below = star.and_then(|_| stars.get(1..)).unwrap_or(stars);
        let below = |node: Option<N>| step(pattern, node?, &mut { stars }, self.cursors);
        let (stored_below, default_below) = (below(stored), below(default));
        let inside = [stored_below, default_below].map(|below| Some(below?.0));
        match schema {
            Schema::Unknown | Schema::Recursive(_) | Schema::Pointer(_) => {
                let is_there = |node| find(pattern, node, stars, self.cursors).is_some();
                return default.is_some_and(is_there);
            }
            _ if pattern.is_empty() => return true,
            // A list has the stored elements, unless it has those of the default, and a map the stored keys.
            Schema::List(_, of) | Schema::Map(_, _, of) => {
                let is_list = matches!(schema, Schema::List(..));
                let fits = what(stored).is_some_and(|(kind, _)| match kind {
                    Kind::List => is_list,
                    Kind::Dict if !is_list => true,
                    kind => is_list && self.in_any_kind && is_container(kind),
                });
                let of_default = is_list && self.lengths_of_defaults && default.is_some();
                let below = if fits && !of_default { stored_below } else { default_below };
                return below.is_some_and(|(_, rest)| {
                    self.leads_into(whole, rest, of, inside, stars_below)
                });
            }
            _ => {}
        }
        let (records, others) = schema.parts();
        let leads_inside =
            |child: &Schema, name: KeyEntry<'_>, other_name: &dyn Fn() -> Option<N>| {
                let is_other = stars.first().is_some_and(|first| *first != name);
                let rest = star.filter(|_| !is_other).or_else(|| after(pattern, name));
                rest.is_some_and(|rest| {
                    let is_elsewhere = || self.elsewhere(whole, rest).is_some();
                    let other_name = || if is_elsewhere() { None } else { other_name() };
                    let inside = [inside[0].or_else(other_name), inside[1]];
                    self.leads_into(whole, rest, child, inside, stars_below)
                })
            };
        // The variant is the stored one, or that of the default if the enum has none of that name.
        let named = |node| Some(self.named(what(node)?.1?, records)?.0.name);
        let variant = named(stored).or_else(|| named(default));
        for record in records {
            if matches!(schema, Schema::Enum(..)) && variant != Some(record.name) {
                continue;
            }
            let has = &|name: KeyEntry<'_>| matches!(name, KeyEntry::Attr(name) if record.fields.contains(&name));
            let own = &Own { type_name: record.name, has, aliases: record.aliases };
            for (name, child) in record.fields.iter().zip(record.children.as_slice()) {
                let other_name = || self.stored_name(stored?, own, name);
                if leads_inside(child, KeyEntry::Attr(name), &other_name) {
                    return true;
                }
            }
        }
        // The elements of an array have one schema.
        let asked = match (star, stars) {
            (Some(_), [KeyEntry::Index(index), ..]) => *index,
            _ => open(pattern).and_then(Segment::index).map_or(0, |(index, _)| index),
        };
        let count = if let Schema::Array(count, _) = schema { *count } else { usize::MAX };
        let is_tuple = matches!(schema, Schema::Tuple(_));
        (asked as usize) < count
            && others.iter().zip(0..u32::MAX).any(|(child, index)| {
                leads_inside(child, KeyEntry::Index(if is_tuple { index } else { asked }), &|| None)
            })
    }

    /// What is stored in a node for a field, under another name than its own.
    fn stored_name(&self, around: N, own: &Own<'_>, name: &str) -> Option<N> {
        let mut open = around.open();
        if let Some(index) = self.old_index(&open, own, KeyEntry::Attr(name)) {
            return N::child(&mut open, index);
        }
        (self.by_field?.find)(around, own.aliases, name)
    }

    /// The first of these structs or variants that a node with this type name is, or was; and its index. The own name goes before older
    /// ones.
    pub(crate) fn named<'f>(&self, name: &str, all: &'f [Fields]) -> Option<(&'f Fields, usize)> {
        let mut with_index = all.iter().zip(0..usize::MAX);
        let own = with_index.clone().find(|(fields, _)| fields.name == name);
        own.or_else(|| with_index.find(|(fields, _)| self.has_name(name, fields)))
    }

    /// Whether a node of this type name is a struct or a variant, or was one.
    pub(crate) fn has_name(&self, name: &str, fields: &Fields) -> bool {
        fields.is_called(name) || self.was_called(name, fields.name)
    }

    /// Whether a node of the first type name was one of the second name, by an alias of the load.
    pub(crate) fn was_called(&self, old: &str, new: &str) -> bool {
        self.by_alias.is_some_and(|by| (by.is_type_renamed)(self, [old, new]))
    }

    /// The node that an alias leads to from the path before what is left of a pattern.
    fn elsewhere(&self, whole: (&str, &[KeyEntry<'_>]), left: Pattern<'_>) -> Option<N> {
        let (whole, stars) = whole;
        let mut stored = None;
        self.any(Some(u32::MAX), &mut |old, new| {
            if whole.strip_prefix(new).is_some_and(|rest| rest.len() == left.len()) {
                stored = self.find(old, stars);
            }
            stored.is_some()
        });
        stored
    }

    /// Calls `lost` with each part of a stored node with this path that no alias gives another place, as [`ByAlias`] says.
    pub(crate) fn lose(&self, node: N, step: &Step<'_, 'd>, lost: &mut Lose<'_, N>) {
        if self.any(Some(step.aliases), &mut |from, to| self.moves(from, to, step)) {
            return;
        }
        let along = &mut |from: &str, to: &str| {
            let rest = follow(from, step, &mut Stars::new());
            rest.is_some_and(|rest| !rest.is_empty()) && is_clear(from, to)
        };
        let open = Some(node.open()).filter(|open| N::names(open).len() > 0);
        let Some(mut open) = open.filter(|_| self.any(Some(step.aliases), along)) else {
            return lost(node, true);
        };
        lost(node, false);
        for (name, index) in N::names(&open).zip(0..u32::MAX) {
            let Some(child) = N::child(&mut open, index) else { return };
            self.lose(child, &step.to(name), lost);
        }
    }
}

/// What a node is, and the name of its type.
fn what<'d, N: StoredNode<'d>>(node: Option<N>) -> Option<(Kind, Option<&'d str>)> {
    Some(N::what(&node?.open()))
}

/// Whether a node is no `None`.
fn is_there<'d, N: StoredNode<'d>>(node: &N) -> bool {
    what(Some(*node)).is_some_and(|(kind, _)| kind != Kind::None)
}

/// Whether two nodes are of one type, and have a name in common.
#[inline(never)]
fn is_alike<'d, N: StoredNode<'d>>(stored: N, default: N) -> bool {
    let (stored, default) = (stored.open(), default.open());
    let (names, mut own) = (N::names(&stored), N::names(&default));
    let is_one = N::what(&stored) == N::what(&default);
    let mut has_common = || own.any(|own| names.clone().index_of(own).is_some());
    is_one && (names.len() == 0 || has_common())
}

/// Whether an alias says which of the elements a place gets: a place with fewer `*`s than the old path does not.
fn is_clear(from: &str, to: &str) -> bool {
    let ends = |byte: &u8| matches!(byte, b'.' | b'/' | b'[' | b']');
    let add = |stars: usize, part: &[u8]| stars.wrapping_add((part == b"*").into());
    let stars = |path: &str| path.as_bytes().split(ends).fold(0, add);
    stars(from) <= stars(to)
}

/// Whether a pair is one of paths from the root.
fn is_path(from: &str, to: &str) -> bool {
    alias_texts::is_path(from.as_bytes(), to.as_bytes())
}

/// A name in an alias without that of the type, for a node of a type with the name `own`.
fn unscoped<'n>(own: &str, name: &'n str) -> &'n str {
    name.get(scope_len(own.as_bytes(), name.as_bytes())..).unwrap_or(name)
}
