//! Moves stored leaves of an old structure to a new one.

use core::convert::Infallible;
use core::fmt::Display;

use crate::base::error::Error;
use crate::dynamic::view::View;
use crate::format::entry::KeyEntry;
use crate::format::head::{Head, Kind};
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::change::{Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::{Children, Node, index_of};
use crate::tree::migrate::node::{Both, Own, Place, StoredNode, is_container};
use crate::tree::migrate::typed::{OfTrees, of_trees};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{is_sorted, without};
use crate::treedef::treedef::TreeDef;

/// Moves the leaves of a stored tree into the leaves of a newer structure.
///
/// `leaves` holds the defaults of the new leaves before the call, and the new leaves after it. `report` is called with
/// each place where the structures differ, in the order of the new structure; what is lost comes after the other children of
/// its node. Leaves without a report were moved. The result counts.
///
/// The new structure decides what there is: an option that is `None` in it stays `None`, and vectors and maps keep their
/// elements and keys. `migrate_typed` asks the type instead, so that what was stored decides.
///
/// A leaf is moved if all nodes around it have the same kinds, type names and key entries in both structures. So a
/// value of one enum variant never lands in another variant. A structure does not know the types of its leaves: if they
/// have several types, by [`leaf_types!`](crate::leaf_types), use [`migrate_with`] to refuse a leaf whose type changed.
/// In detail:
///
/// - Fields and keys are matched by name, in any order. Elements of tuples, lists and arrays are matched by index: if an
///   array became longer or shorter, the elements that both have are moved.
/// - Two nodes that only differ in meta fields or other data keep their children, and are reported as
///   [`Changed`](Migration::Changed). Each stored meta field that the new node has not, or with another value, is reported as
///   [`LostMeta`](Migration::LostMeta).
/// - A value that becomes optional, or no longer is, keeps its leaves: nodes of kind `Some` are looked through.
///
/// `matching` are aliases: an array of pairs of an old path and a new one, as [`TreeDef::find_str`] reads them; `*` in both is
/// any index or key, the same in both. The empty path is the root. If the old and the new path are names without `.`, `/` and
/// `[`, the name is matched at every node, and it can be that of a field, a string key or a type; `app::Pid.kp` is a field of one
/// type. [`aliases!`](crate::algebra::aliases) does not compile if a new path leads nowhere in a type. [`Migration::Unused`] says which aliases
/// are reported because they lead nowhere. A [`Matching`] says more, for files whose format has fewer kinds of nodes. In detail:
///
/// - An alias also works backwards: then the stored tree is newer than the structure.
/// - It does nothing where both of its paths are stored. So two aliases that swap `a` and `b` are legal: a tree that has both keeps
///   them where they are, and one that has only one of them moves it to the other place.
/// - A name that is matched at every node does nothing where the new node still has a field of the old name. If `gain` became `kp`, and
///   another field is called `gain` now, `("gain", "kp")` leaves what is stored to the new `gain`. The path `(".gain", ".kp")` moves
///   it, and the new `gain` has its default.
/// - An old path can have several new ones. Each place gets what is stored, and [`Migrated::moved`] counts it once. If a place has
///   several aliases, the first whose old path is stored is used; the nodes of the others keep their own places, or are lost.
/// - If only the new path has a `*`, all elements get what is stored. If the old path has more of them than the new one, the alias
///   does nothing: it does not say which element the place gets.
/// - A path has at most four `*`s. An alias with more does nothing.
/// - Aliases do not chain: each leads from an old path straight to the newest one. If `p` became `kp`, and later `kp` became `gain`,
///   they are `("p", "gain")` and `("kp", "gain")`.
/// - What is left of a node of which a part has moved is lost, and reported.
/// - Meta fields are no places, so they have no such aliases: one that was renamed is lost, and the new one has its default. At a type,
///   `#[tree(alias = "..")]` gives them one, for `migrate_typed`.
///
/// | what changed | alias |
/// |---|---|
/// | a field was renamed, wherever it is | `("kp", "gain")` |
/// | a field of one type was renamed | `("app::Pid.kp", "gain")` |
/// | a field of the root was renamed | `(".kp", ".gain")` |
/// | a value moved | `("x", "loops.first")` |
/// | values of each element moved | `("motor[*].kp", "motor[*].pid.kp")` |
/// | a field was wrapped in a struct of one field, or unwrapped | `("rate", "rate.hz")`, `("rate.hz", "rate")` |
/// | a part became the whole, or the whole became a part | `("model", "")`, `("", "model")` |
/// | a type was renamed | `("old_crate::Pid", "control::Pid")` |
/// | an enum or a module was renamed, with all names in it | `("app::Mode", "control::State")` |
/// | a variant was renamed, with its full names | `("app::Mode::Speed", "app::Mode::Velocity")` |
/// | a field was renamed in all variants of an enum | `("app::Mode.kp", "gain")` |
///
/// An ordered dictionary or a custom node can have two children of one name. Which of them is moved is then not specified,
/// and the loss of the other may have no report.
///
/// Takes one pass over both structures, and a scan of each child that has siblings after it. A child whose place in its node
/// changed, and one that only one of the structures has, costs a scan of the names of the other node, unless the names are
/// sorted. In the worst case these are all pairs of names of both nodes, each some 20 to 100 ns on x86-64: 0.1 s if 1000 names
/// are unlike 1000 others, 40 s for 20 000, 13 s for 20 000 in another order. It needs many names on both sides: 30 000 stored
/// fields and 12 new ones take 10 ms. So if both structures are from outside, first compare [`TreeDef::num_nodes`] of both, or
/// the length of their bytes, with what you expect. Each alias costs a comparison with each path, some 2 µs. Without the
/// feature `alloc`, one with a `*`, and any alias that is a path into a list, also costs a scan of the list from its start for each
/// element, unless the elements are equal: 0.1 s for 1000 elements that differ, 30 s for 16 000.
///
/// A level takes some 1.6 kB of stack on x86-64 and 1 kB on a Cortex-M; without optimisation about twice as much.
///
/// # Errors
///
/// [`Error::LeavesFull`] if there are fewer `leaves` than the new structure has, and nothing is moved.
/// [`Error::TooDeep`] if the new structure has more than 64 levels. Then only the leaves before that place were moved.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::algebra::migrate;
/// use treedef::{Tree, TreeDef, View, flatten_into, unflatten};
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Filter")]
/// enum Filter { Low { hz: f32 }, High { hz: f32 } }
///
/// #[derive(Tree)]
/// #[tree(name = "app::Config")]
/// struct OldConfig { kp: f32, limits: [f32; 2], filter: Filter, trim: f32 }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Config")]
/// struct Config { limits: [f32; 3], gain: f32, filter: Filter, kd: f32 }
///
/// // What the old program stored.
/// let config = OldConfig { kp: 2.0, limits: [-1.0, 1.0], filter: Filter::Low { hz: 10.0 }, trim: 0.5 };
/// let (mut bytes, mut stored) = ([0; 128], [0.0f32; 8]);
/// let (old, count) = flatten_into(&config, &mut bytes, &mut stored)?;
/// let stored = View::new(old, &stored[..count])?;
///
/// // What the new program makes of it.
/// let defaults = Config { limits: [9.0; 3], gain: 1.0, filter: Filter::High { hz: 9000.0 }, kd: 0.25 };
/// let (mut bytes, mut leaves) = ([0; 128], [0.0f32; 8]);
/// let (new, count) = flatten_into(&defaults, &mut bytes, &mut leaves)?;
/// let mut texts = Vec::new();
/// let migrated = migrate(stored, new, &mut leaves, &[("kp", "gain")], |report| texts.push(report.to_string()))?;
///
/// let expected = Config { limits: [-1.0, 1.0, 9.0], gain: 2.0, filter: Filter::High { hz: 9000.0 }, kd: 0.25 };
/// assert_eq!((unflatten(new, &leaves[..count]), migrated.moved), (Ok(expected), 3));
/// assert_eq!(texts, [
///     "new .limits[2]",
///     "moved .kp to .gain",
///     "replaced .filter: variant Filter::Low was stored, and there is variant Filter::High now",
///     "new .kd",
///     "lost .trim",
/// ]);
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn migrate<'a, 'm, L: Clone>(
    old: View<'a, L>,
    new: impl Into<TreeDef<'a>>,
    leaves: &mut [L],
    matching: impl Into<Matching<'m>>,
    report: impl FnMut(Migration<'_>),
) -> Result<Migrated, Error> {
    let new = new.into();
    // The usual case needs no walk, and has no limit of levels.
    if old.treedef() == new
        && let Some(leaves) = leaves.get_mut(..new.num_leaves())
    {
        leaves.iter_mut().zip(old.leaves()).for_each(|(leaf, stored)| leaf.clone_from(stored));
        return Ok(Migrated { moved: leaves.len(), ..Migrated::default() });
    }
    let copy = |stored: &L, leaf: &mut L, _: KeyPath<'_, '_>| {
        leaf.clone_from(stored);
        Ok::<(), Infallible>(())
    };
    migrate_with(old, new, leaves, matching, copy, report)
}

/// As [`migrate`], for stored leaves of another type, or leaves of several types.
///
/// `take` moves a stored leaf to a new one, which holds the default and has this path. If the leaf does not fit, because its
/// type or its shape changed, `take` returns why. That is reported as [`Replaced`](Migration::Replaced).
///
/// # Errors
///
/// As [`migrate`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::migrate_with;
/// use treedef::{KeyPath, View, treedef};
///
/// // Records with the tag of a type, as a device stores them.
/// let (old, stored) = (treedef!({"gain": *, "rate": *}), [('f', "1.5"), ('f', "2.5")]);
/// let (new, mut leaves) = (treedef!({"gain": *, "rate": *}), [(0.0, 'f'), (100.0, 'i')]);
/// let take = |record: &(char, &str), leaf: &mut (f64, char), _: KeyPath<'_, '_>| match record.1.parse() {
///     Ok(value) if record.0 == leaf.1 => {
///         leaf.0 = value;
///         Ok(())
///     }
///     _ => Err(format!("{}, expected {}", record.0, leaf.1)),
/// };
/// let mut texts = Vec::new();
/// let migrated = migrate_with(View::new(old, &stored)?, new, &mut leaves, &[], take, |report| {
///     texts.push(report.to_string());
/// })?;
/// assert_eq!((migrated.moved, leaves), (1, [(1.5, 'f'), (100.0, 'i')]));
/// assert_eq!(texts, ["refused ['rate']: f, expected i"]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Leaves of several types. One that was a count is a float now, so it keeps its default:
///
/// ```
/// use treedef::algebra::migrate_with;
/// use treedef::{KeyPath, View, treedef};
///
/// treedef::leaf_types! {
///     struct Param { owned Leaf, read LeafRef, write LeafMut, Float(f32), Count(u32) }
/// }
///
/// let (old, stored) = (treedef!({"gain": *, "rate": *}), [Leaf::Float(1.5), Leaf::Count(50)]);
/// let (new, mut leaves) = (treedef!({"gain": *, "rate": *}), [Leaf::Float(0.0), Leaf::Float(100.0)]);
/// let take = |stored: &Leaf, leaf: &mut Leaf, _: KeyPath<'_, '_>| match leaf.set(stored) {
///     true => Ok(()),
///     false => Err("it has another type"),
/// };
/// migrate_with(View::new(old, &stored)?, new, &mut leaves, &[], take, |_| {})?;
/// assert_eq!(leaves, [Leaf::Float(1.5), Leaf::Float(100.0)]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn migrate_with<'a, 'm, S, L, R: Display>(
    old: View<'a, S>,
    new: impl Into<TreeDef<'a>>,
    leaves: &mut [L],
    matching: impl Into<Matching<'m>>,
    mut take: impl FnMut(&S, &mut L, KeyPath<'_, '_>) -> Result<(), R>,
    mut report: impl FnMut(Migration<'_>),
) -> Result<Migrated, Error> {
    let new = new.into();
    Error::check_room(new.num_leaves(), leaves.len())?;
    let mut take = |walk: &mut OfTrees<'_, '_, 'a>, place: &Place<'_, 'a, Node<'a>>| {
        let [stored, leaf] = [place.stored, place.default].map(|node| node?.leaf());
        let (Some(stored), Some(leaf)) = (stored, leaf) else { return false };
        let leaves = (old.leaves().get(stored as usize), leaves.get_mut(leaf as usize));
        let (Some(stored), Some(leaf)) = leaves else { return true };
        match take(stored, leaf, walk.reports.path_of(&place.step)) {
            Ok(()) => walk.count_moved(),
            Err(why) => walk.refused(place, Why::Leaf(&why)),
        }
        true
    };
    let (defs, cursors) = ([old.treedef(), new], &Cursors::new());
    let mut walk = of_trees(matching.into(), defs, None, None, cursors, &mut report);
    let whole = walk.whole();
    let mut moving = Moving { cursor: Cursor::new(new), walk, take: &mut take };
    let moved = moving.tree(&mut Siblings::root(), &whole);
    moving.walk.finish(&whole, moved)
}

/// Moves the leaf of a place; `false` unless it is a leaf in both structures.
type Take<'a, 't> = dyn FnMut(&mut OfTrees<'_, '_, 'a>, &Place<'_, 'a, Node<'a>>) -> bool + 't;

/// A walk over the new structure.
struct Moving<'a, 't, 'm, 'w> {
    cursor: Cursor<'a>,
    walk: OfTrees<'m, 'w, 'a>,
    take: &'t mut Take<'a, 't>,
}

impl<'a> Moving<'a, '_, '_, '_> {
    /// Moves the leaves of the next child of `own` in the new structure, which has this place.
    fn tree(&mut self, own: &mut Siblings, place: &Place<'_, 'a, Node<'a>>) -> Option<()> {
        self.walk.check_levels(place)?;
        let head = self.cursor.next(own)?;
        if head == Head::LEAF {
            if place.stored.is_some()
                && !(self.take)(&mut self.walk, place)
                && self.walk.refused_or_moved_away(place, Why::Differs(head))
            {
                self.walk.count_new(&place.step);
            }
        } else if place.stored.is_none() && self.walk.task.by_alias.is_none() {
            let _ = self.cursor.take_node(own, false);
        } else {
            let slot = &mut None;
            let (place, both) = self.begin(head, place, slot)?;
            let mut own = Siblings::of(&head);
            let has = |name: KeyEntry<'_>| head.index_of(name).is_some();
            let type_name = head.type_name().unwrap_or_default();
            let names = Own { type_name, has: &has, aliases: &[] };
            for name in head.entries() {
                let child = self.walk.next(&place, both, name, Some(&names));
                self.tree(&mut own, &child)?;
            }
            let _ = self.cursor.end(&own);
            self.end(&head, &place, both, &names);
        }
        Some(())
    }

    /// Begins the node with this head at a place, or at its default alone if another node is stored there.
    #[inline(never)]
    fn begin<'p, 'b>(
        &mut self,
        head: Head<'a>,
        place: &Place<'p, 'a, Node<'a>>,
        slot: &'b mut Option<Both<'a, Node<'a>>>,
    ) -> Option<(Place<'p, 'a, Node<'a>>, &'b mut Both<'a, Node<'a>>)> {
        *slot = self.begin_at(head, place);
        if slot.is_some() {
            return Some((*place, slot.as_mut()?));
        }
        // An alias can give its default a part.
        let counts_new = self.walk.refused_or_moved_away(place, Why::Differs(head));
        let mut alone = Place { counts_new, ..place.default_alone() };
        self.walk.note_new(place, &mut alone);
        Some((alone, slot.insert(self.begin_at(head, &alone)?)))
    }

    /// The same; `None` if another node is stored there.
    fn begin_at(
        &mut self,
        head: Head<'a>,
        place: &Place<'_, 'a, Node<'a>>,
    ) -> Option<Both<'a, Node<'a>>> {
        let walk = &mut self.walk;
        let in_any_kind = walk.in_any_kind();
        let default = place.default.map(|node| children(node, &head));
        let stored = place.stored.map(|node| children(node, &head));
        let is_own = |old: &Head<'a>| match (old.type_name(), head.type_name()) {
            _ if head.kind() == Kind::Some => true,
            _ if in_any_kind => is_container(old.kind()),
            _ if *old == head => true,
            _ if old.kind() != head.kind() => false,
            (Some(old), Some(new)) => old == new || walk.task.was_called(old, new),
            (old, new) => old == new,
        };
        if let Some(open) = &stored {
            if !is_own(&open.head) {
                return None;
            }
            let node = place.stored?;
            if open.head != head {
                walk.reports.compare_heads(&walk.task, (node, &place.step), head, true);
                for field in open.head.meta_fields() {
                    if !head.meta_fields().any(|own| own == field) {
                        walk.lose_meta(node, field);
                    }
                }
            }
        }
        Some(Both { stored, default, has_first: false, index: None })
    }

    /// Ends the node with this head: what is stored under other names is lost.
    #[inline(never)]
    fn end(
        &mut self,
        head: &Head<'a>,
        place: &Place<'_, 'a, Node<'a>>,
        both: &mut Both<'a, Node<'a>>,
        own: &Own<'_>,
    ) {
        let Some(open) = &both.stored else { return };
        let (stored, in_any_kind) = (open.head, self.walk.in_any_kind());
        if head.kind() == Kind::Some {
            return;
        }
        let is_sorted = is_sorted(&stored) && is_sorted(head);
        let lost = without(stored.entries(), head.entries(), is_sorted, u32::MAX).flatten();
        let mut lost = lost.filter(|name| !in_any_kind || index_of(head, *name, true).is_none());
        self.walk.end_names(place, both, own, &mut lost);
    }
}

/// The children of a node for that with this head.
fn children<'a>(node: Node<'a>, head: &Head<'a>) -> Children<'a> {
    match (head.kind(), node.head().kind()) {
        (Kind::Some, Kind::Some) => Children::of(node),
        (Kind::Some, _) => Children::only(node),
        _ => Children::of(node.inside_some()),
    }
}
