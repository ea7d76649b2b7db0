//! Moves stored leaves of an old structure to a new one.

use core::fmt;

use crate::base::error::Error;
use crate::base::show::debug_enum;
use crate::dynamic::view::View;
use crate::format::head::{Kind, LEAF_BYTES};
use crate::text::differences::DataDifference;
use crate::treedef::deep::{Deep, NESTED, Step};
use crate::treedef::difference::{Difference, front};
use crate::treedef::find::Found;
use crate::treedef::names::{Aliases, same_data, same_type};
use crate::treedef::pair::{Event, Relation, all_alike};
use crate::treedef::path::UNKNOWN;
use crate::treedef::treedef::TreeDef;

/// What [`migrate`] reports of one place.
///
/// Leaves without a report were moved to the place of the same path. `Display` writes one line.
///
/// # Examples
///
/// ```
/// use treedef::algebra::{Migration, migrate};
/// use treedef::{View, treedef};
///
/// let (old, new) = (treedef!({"kp": *}), treedef!({"kd": *, "kp": *}));
/// let mut leaves = [0.5, 0.0];
/// migrate(View::new(old, &[2.0])?, new, &mut leaves, &[], |report| match report {
///     Migration::New(place) => assert_eq!(place.path().to_string(), "['kd']"),
///     other => panic!("{other}"),
/// })?;
/// assert_eq!(leaves, [0.5, 2.0]);
/// # Ok::<(), treedef::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Migration<'a> {
    /// A node of the old structure that has no place in the new one. Its stored leaves are lost.
    Lost(Found<'a>),
    /// A node of the new structure that the old one lacks. Its leaves keep their defaults.
    New(Found<'a>),
    /// A node that has another name, by an alias. Its leaves were moved.
    Renamed {
        /// The node of the old structure.
        old: Found<'a>,
        /// The node of the new structure.
        new: Found<'a>,
    },
    /// Two nodes of different kinds or types, such as two variants of an enum. The stored leaves are lost, and the new
    /// ones keep their defaults. Two leaves are reported if the stored one was refused.
    ///
    /// The new node is the expected one, and the old node the found one.
    Replaced(Difference<'a>),
    /// Two nodes that differ in meta fields, aux data, a default factory or, by an alias, in the names of their types.
    /// Their leaves were moved.
    Changed(Difference<'a>),
}

debug_enum!(Migration<'_> { Lost(old), New(new), Renamed { old, new }, Replaced(nodes), Changed(nodes) });

impl fmt::Display for Migration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Migration::Lost(old) => write!(f, "lost {}", old.path()),
            Migration::New(new) => write!(f, "new {}", new.path()),
            Migration::Renamed { old, new } => {
                write!(f, "renamed {} to {}", old.path(), new.path())
            }
            Migration::Replaced(nodes) if nodes.are_leaves() => {
                write!(f, "refused the stored leaf at {}", nodes.path())
            }
            Migration::Replaced(nodes) => write!(f, "replaced {nodes}"),
            // The names of the children have reports of their own.
            Migration::Changed(nodes) => write!(f, "changed {}", DataDifference(*nodes)),
        }
    }
}

/// Moves the leaves of a stored tree into the leaves of a newer structure. Returns the number of leaves that were moved.
///
/// `leaves` holds the defaults of the new leaves before the call, and the new leaves after it. `report` is called with
/// each place where the structures differ, in the order of the new structure; leaves that are lost come where the walk
/// passes them.
///
/// A leaf is moved if all nodes around it have the same kinds, type names and key entries in both structures. So a
/// value of one enum variant never lands in another variant. A structure does not know the types of its leaves: if they
/// have several types, by [`leaf_types!`](crate::leaf_types), use [`migrate_with`] to refuse a leaf whose type changed.
/// In detail:
///
/// - Fields and keys are matched by name, in any order. Elements of tuples, lists and arrays are matched by index: if an
///   array became longer or shorter, the elements that both have are moved.
/// - Two nodes that only differ in meta fields or other data keep their children, and are reported as
///   [`Changed`](Migration::Changed).
/// - `Some` around a child that can itself be `None` is ignored.
///
/// Each of the `aliases` is an old name and the new name: of a field, of a string key, or of a type. An old field name
/// can begin with the type name and a dot, so that it is only renamed there: `("app::Pid.kp", "gain")`. An alias is
/// ignored if the old structure has the new name, or the new structure the old name, in the same node. The aliases are for
/// fields, keys and types alike, so a text that is the name of several of them renames all.
///
/// An ordered dictionary or a custom node can have two children of one name. Which of them is moved is then not specified,
/// and the loss of the other may have no report.
///
/// The new structure decides what there is. An option that is `None` in the defaults stays `None`, one that is `Some`
/// stays `Some`, and vectors and maps keep the elements and keys of the defaults: the stored leaves of all others are
/// lost. A node that moved to another place in the tree is migrated by a second call with the two parts, as in the
/// second example.
///
/// Takes one pass over both structures and 7 kB of stack. A child whose place in its node changed costs a scan of the old
/// node up to the child. It costs, as a new name and a lost one, a scan of the names of both nodes, and a comparison with
/// each alias. So two nodes of `n` and `m` shuffled fields cost up to `n * m` scans of a child.
///
/// # Errors
///
/// [`Error::LeavesFull`] if there are fewer `leaves` than the new structure has, and nothing is moved.
/// [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending, or if more than
/// eight nodes with different names are nested inside one another. Then only the leaves before that place were moved.
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
/// let moved = migrate(stored, new, &mut leaves, &[("kp", "gain")], |report| texts.push(report.to_string()))?;
///
/// let expected = Config { limits: [-1.0, 1.0, 9.0], gain: 2.0, filter: Filter::High { hz: 9000.0 }, kd: 0.25 };
/// assert_eq!((unflatten(new, &leaves[..count]), moved), (Ok(expected), 3));
/// assert_eq!(texts, [
///     "new .limits[2]",
///     "renamed .kp to .gain",
///     "replaced at .filter: expected variant Filter::High, found variant Filter::Low",
///     "new .kd",
///     "lost .trim",
/// ]);
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// `kp` moved into a new node. The second call moves that part:
///
/// ```
/// use treedef::algebra::migrate;
/// use treedef::{View, treedef};
///
/// let (old, stored) = (treedef!({"dt": *, "kp": (*, *)}), [0.5, 1.0, 2.0]);
/// let (new, mut leaves) = (treedef!({"dt": *, "pid": {"kp": (*, *)}}), [0.0; 3]);
/// migrate(View::new(old, &stored)?, new, &mut leaves, &[], |_| {})?;
///
/// let (from, to) = (old.find_str("kp")?, new.find_str("pid.kp")?);
/// let part = View::new(from.treedef(), &stored[from.leaves()])?;
/// migrate(part, to.treedef(), &mut leaves[to.leaves()], &[], |_| {})?;
/// assert_eq!(leaves, stored);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn migrate<'a, L: Clone>(
    old: View<'a, L>,
    new: impl Into<TreeDef<'a>>,
    leaves: &mut [L],
    aliases: &[(&str, &str)],
    report: impl FnMut(Migration<'a>),
) -> Result<usize, Error> {
    let copy = |stored: &L, leaf: &mut L| {
        leaf.clone_from(stored);
        true
    };
    migrate_with(old, new, leaves, aliases, copy, report)
}

/// As [`migrate`], for stored leaves of another type, or leaves of several types.
///
/// `take` moves a stored leaf to a new one, which holds the default, and returns `true`. It returns `false` if the
/// stored leaf does not fit, because the type of the leaf changed. That is reported as a
/// [`Replaced`](Migration::Replaced) leaf.
///
/// # Errors
///
/// As [`migrate`].
///
/// # Examples
///
/// ```
/// use treedef::algebra::migrate_with;
/// use treedef::{View, treedef};
///
/// // Records with the tag of a type, as a device stores them.
/// let (old, stored) = (treedef!({"gain": *, "rate": *}), [('f', "1.5"), ('f', "2.5")]);
/// let (new, mut leaves) = (treedef!({"gain": *, "rate": *}), [(0.0, 'f'), (100.0, 'i')]);
/// let take = |record: &(char, &str), leaf: &mut (f64, char)| match record.1.parse() {
///     Ok(value) if record.0 == leaf.1 => {
///         leaf.0 = value;
///         true
///     }
///     _ => false,
/// };
/// let mut texts = Vec::new();
/// let moved = migrate_with(View::new(old, &stored)?, new, &mut leaves, &[], take, |report| {
///     texts.push(report.to_string());
/// })?;
/// assert_eq!((moved, leaves), (1, [(1.5, 'f'), (100.0, 'i')]));
/// assert_eq!(texts, ["refused the stored leaf at ['rate']"]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Leaves of several types. One that was a count is a float now, so it keeps its default:
///
/// ```
/// use treedef::algebra::migrate_with;
/// use treedef::{View, treedef};
///
/// treedef::leaf_types! {
///     struct Param { owned Leaf, read LeafRef, write LeafMut, run LeafRun, Float(f32), Count(u32) }
/// }
///
/// let (old, stored) = (treedef!({"gain": *, "rate": *}), [Leaf::Float(1.5), Leaf::Count(50)]);
/// let (new, mut leaves) = (treedef!({"gain": *, "rate": *}), [Leaf::Float(0.0), Leaf::Float(100.0)]);
/// let take = |stored: &Leaf, leaf: &mut Leaf| leaf.set(stored);
/// migrate_with(View::new(old, &stored)?, new, &mut leaves, &[], take, |_| {})?;
/// assert_eq!(leaves, [Leaf::Float(1.5), Leaf::Float(100.0)]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn migrate_with<'a, S, L>(
    old: View<'a, S>,
    new: impl Into<TreeDef<'a>>,
    leaves: &mut [L],
    aliases: &[(&str, &str)],
    mut take: impl FnMut(&S, &mut L) -> bool,
    mut report: impl FnMut(Migration<'a>),
) -> Result<usize, Error> {
    let new = new.into();
    let (needed, room) = (new.num_leaves(), leaves.len());
    if needed > room {
        return Err(Error::LeavesFull { needed, room });
    }
    let mut take =
        |from: u32, to: u32| match (old.leaves().get(from as usize), leaves.get_mut(to as usize)) {
            (Some(stored), Some(leaf)) => take(stored, leaf),
            _ => false,
        };
    let mut walk = Walk { old: old.treedef(), new, take: &mut take, report: &mut report, moved: 0 };
    walk.run(aliases)?;
    Ok(walk.moved)
}

/// A walk over an old structure and a new one. It does not depend on the type of the leaves.
struct Walk<'a, 'w> {
    old: TreeDef<'a>,
    new: TreeDef<'a>,
    /// Moves the old leaf with the first index to the new leaf with the second one.
    take: &'w mut dyn FnMut(u32, u32) -> bool,
    report: &'w mut dyn FnMut(Migration<'a>),
    moved: usize,
}

impl<'a> Walk<'a, '_> {
    fn run(&mut self, aliases: Aliases<'_>) -> Result<(), Error> {
        let (old, new) = (self.old, self.new);
        if old == new {
            self.take(0, 0, new.leaves());
            return Ok(());
        }
        // The new structure is the first of the two.
        let mut deep = Deep::new(new, old, Relation::Equal, aliases);
        while let Some(step) = deep.step(all_alike) {
            let step = step?;
            let place = deep.pair.place();
            let in_new = |node| Found::at(new, node, place.first, UNKNOWN);
            let in_old = |node| Found::at(old, node, place.second, UNKNOWN);
            match step {
                Step::First(node) => (self.report)(Migration::New(in_new(node))),
                Step::Second(node) => (self.report)(Migration::Lost(in_old(node))),
                Step::Both { event, renamed } => {
                    if renamed {
                        let (first, second) = match event {
                            Event::Leaf => (LEAF_BYTES, LEAF_BYTES),
                            Event::Differ { first, second } => (first, second),
                            _ => deep.pair.last_nodes(),
                        };
                        let (old, new) = (in_old(front(second)), in_new(front(first)));
                        (self.report)(Migration::Renamed { old, new });
                    }
                    match event {
                        Event::Leaf | Event::Repeat(_) => {
                            let (from, to) = (place.second.leaf, place.first.leaf);
                            self.take(from, to, deep.pair.leaves().0.wrapping_sub(to));
                        }
                        Event::Differ { first, second } => {
                            let nodes = Difference::of_nodes(new, place, first, second);
                            self.differ(&mut deep, nodes)?;
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves `count` leaves, from these indices on.
    fn take(&mut self, from: u32, to: u32, count: u32) {
        for index in 0..count {
            let (from, to) = (from.wrapping_add(index), to.wrapping_add(index));
            if (self.take)(from, to) {
                self.moved = self.moved.saturating_add(1);
            } else {
                let leaves = Difference::of_leaves(self.new, to, from);
                (self.report)(Migration::Replaced(leaves));
            }
        }
    }

    /// Compares two nodes whose heads differ, and goes into them if they have one kind and one type.
    fn differ(&mut self, deep: &mut Deep<'a, '_>, nodes: Difference<'a>) -> Result<(), Error> {
        let (new, old) = nodes.heads();
        let is_some = new.kind() == Kind::Some || old.kind() == Kind::Some;
        let is_alias = |(from, to): &(&str, &str)| {
            old.type_name() == Some(from) && new.type_name() == Some(to)
        };
        let same = same_type(&new, &old);
        let renamed = new.kind() == old.kind() && deep.aliases.iter().any(is_alias);
        if !(is_some || same || renamed) {
            (self.report)(Migration::Replaced(nodes));
        } else if !deep.enter(new, old) {
            return Err(Error::TooDeep { limit: u32::try_from(NESTED).unwrap_or(u32::MAX) });
        } else if !(is_some || same && same_data(&new, &old)) {
            (self.report)(Migration::Changed(nodes));
        }
        Ok(())
    }
}
