//! Loads a stored tree under a newer version of its type.

#[cfg(feature = "alloc")]
use core::convert::Infallible;
use core::fmt::Display;

use crate::base::error::Error;
use crate::base::exact_size::count;
use crate::dynamic::view::View;
use crate::tree::build::TreeBuild;
#[cfg(feature = "alloc")]
use crate::tree::flatten_on_heap::flatten;
use crate::tree::leaf_types::LeafTypes;
use crate::tree::migrate::change::{LeafPlace, Matching, Migrated, Migration, Why};
use crate::tree::migrate::children::Node;
use crate::tree::migrate::node::Place;
use crate::tree::migrate::typed::{Load, OfTrees};
#[cfg(feature = "alloc")]
use crate::tree::traits::{Leaf, Tree};
use crate::treedef::treedef::TreeDef;

/// Loads a stored tree under a newer version of its type. The type says what there may be, the stored structure says what
/// there is, and `defaults` fill what is new.
///
/// Lengths of lists, keys of maps, variants of enums, options and meta fields are as they were stored, also if `defaults` have more
/// elements or keys, or `Some` where `None` is stored: that is no report. [`Matching::lengths_of_defaults`] gives lists the lengths
/// that `defaults` have. To keep more of them, as when a file has some of the layers of a model, load by name:
/// a map of the defaults with [`paths`](crate::tree::Over::paths). In detail:
///
/// - A field that is not stored has its default: that of the same place in `defaults`. In an element of a list it is that of
///   the element with the same index, or of the first one; if that is another variant, no other element is tried. In a value of a map
///   likewise, by its key. Where `defaults` have none, as in a list that is empty there, it is that of the attribute `#[tree(default)]`, or
///   `None` for an option.
/// - What is stored and has no place in the type is lost.
/// - Where the type cannot have what is stored, that place alone has its default: a container has no room, an enum has no
///   such variant, a leaf is refused. If the place has no default, the place around it has. A field that is an
///   option is `None` where neither `defaults` nor `#[tree(default)]` have something for it.
/// - An element of a list or a map loses itself, not its list: one that cannot be made, as of a variant that the type lacks, and one with
///   a key that the map cannot have, are [dropped](Migration::Dropped), and the elements after it move up. With
///   [`Matching::keep_places`] the place of such an element has the first one of `defaults`. A leaf that is refused and has a default
///   is no such element. In an array, the place has the default with its index.
/// - Fields and keys are matched by name, in any order; elements of tuples, arrays and lists by index.
/// - Meta fields keep their stored values if their type takes them. Constants are those of the type. Each stored meta field that
///   the value has not, or with another value, is reported as [`LostMeta`](Migration::LostMeta).
/// - Where a field, a meta field, a variant or a type has no stored name, it is found by those of `#[tree(alias = "..")]` at it, in
///   their order. Of a field, an alias can be a path in the node that the field is in, as `gains.p`. It is reported as
///   [`Moved`](Migration::Moved). What is left of a node of which a part has moved is lost.
/// - A value that becomes optional, or no longer is, keeps its leaves.
/// - An alias also leads into a struct that neither what is stored nor `defaults` have, as one in which the values of a list are wrapped.
///   Its other fields need `#[tree(default)]`. An option that is not stored is `Some` if an alias gives it a part. An alias
///   changes no stored variant, length, key or `None`.
/// - Fields with `#[tree(skip)]` are those of their `Default`: what `defaults` have there is no part of the tree.
///
/// `report` is called for each place that differs. Leaves without a report were moved. The result counts. If a place turns out to
/// have no default, reports of what is below it came before that of the place, and only the place is counted.
///
/// `matching` are aliases, or say more, as in [`migrate`](crate::algebra::migrate). A tree that cannot be built from what is
/// stored is built again from its default, so each is built at most twice.
///
/// Aliases cost what [`migrate`](crate::algebra::migrate) says: without the feature `alloc`, those with a `*` take a time that grows
/// with the square of the length of a list whose elements differ. Each name of a struct costs a scan of the names of the stored one, and the reverse, if
/// its place changed or only one of them has it. So what strangers store costs at most its names times those of your struct:
/// 30 000 stored fields and 12 own ones take 10 ms on x86-64. Names of maps are sorted, and need no scan.
/// [`migrate`](crate::algebra::migrate) has more figures. Each leaf of `defaults` is cloned once, also where it is not needed. A level
/// takes some 5 kB of stack on x86-64, twice as much without optimisation.
///
/// # Errors
///
/// [`Error::Mismatch`], [`Error::WrongLeaf`] and others if even `defaults` cannot be rebuilt;
/// [`Error::TooDeep`] from trees of more than 64 levels.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use std::collections::BTreeMap;
/// use treedef::algebra::migrate_typed;
/// use treedef::{Tree, View, flatten};
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Mode")]
/// enum Mode { Off, Pid { kp: f32, ki: f32 } }
///
/// #[derive(Tree)]
/// #[tree(name = "app::Settings")]
/// struct OldSettings { offset: Option<f32>, mode: Mode, curve: Vec<f32>, names: BTreeMap<String, f32>, rate: f32 }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Settings")]
/// struct Settings { offset: Option<f32>, mode: Mode, curve: Vec<f32>, names: BTreeMap<String, f32>, loops: Loops }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Loops")]
/// struct Loops { rate: f32, gain: f32 }
///
/// // What the old program stored.
/// let (offset, mode) = (Some(0.5), Mode::Pid { kp: 2.0, ki: 3.0 });
/// let (curve, names) = (vec![4.0, 5.0], BTreeMap::from([("a".into(), 6.0)]));
/// let old = OldSettings { offset, mode, curve, names, rate: 50.0 };
/// let (def, leaves) = flatten(&old)?;
///
/// // What the new program makes of it.
/// let loops = Loops { rate: 1.0, gain: 0.25 };
/// let defaults = Settings { offset: None, mode: Mode::Off, curve: vec![], names: BTreeMap::new(), loops };
/// let mut reports = Vec::new();
/// let stored = View::new(&def, &leaves)?;
/// let (settings, migrated) = migrate_typed(stored, &defaults, &[("rate", "loops.rate")], |report| {
///     reports.push(report.to_string());
/// })?;
///
/// assert_eq!(settings.mode, Mode::Pid { kp: 2.0, ki: 3.0 });
/// assert_eq!(settings.curve, [4.0, 5.0]);
/// assert_eq!(settings.loops, Loops { rate: 50.0, gain: 0.25 });
/// assert!(migrated.is_complete());
/// assert_eq!(reports, ["moved .rate to .loops.rate", "new .loops.gain"]);
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// Names that a type had before are attributes of it, and an element of which the type knows nothing loses only itself:
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::algebra::{Matching, migrate_typed};
/// use treedef::{Tree, View, flatten};
///
/// #[derive(Tree, Clone, Debug, PartialEq)]
/// #[tree(name = "app::Layer")]
/// enum OldLayer { Linear { w: f32 }, Norm { scale: f32 } }
///
/// #[derive(Tree, Clone, Debug, PartialEq)]
/// #[tree(name = "app::Layer")]
/// enum Layer {
///     #[tree(alias = "Linear")]
///     Dense {
///         #[tree(alias = "w")]
///         weight: f32,
///     },
/// }
///
/// let old = vec![OldLayer::Linear { w: 1.0 }, OldLayer::Norm { scale: 2.0 }, OldLayer::Linear { w: 3.0 }];
/// let (def, leaves) = flatten(&old)?;
/// let stored = View::new(&def, &leaves)?;
/// let dense = |weight| Layer::Dense { weight };
/// let defaults = vec![dense(0.0)];
///
/// let (layers, migrated) = migrate_typed(stored, &defaults, &[], |_| {})?;
/// assert_eq!(layers, [dense(1.0), dense(3.0)]);
/// assert_eq!((migrated.moved, migrated.lost, migrated.dropped), (2, 1, 1));
///
/// let (layers, _) = migrate_typed(stored, &defaults, Matching::new(&[]).keep_places(), |_| {})?;
/// assert_eq!(layers, [dense(1.0), dense(0.0), dense(3.0)]);
///
/// // A model whose configuration says how many layers there are.
/// let defaults = vec![dense(0.0), dense(0.0), dense(0.0), dense(0.5)];
/// let matching = Matching::new(&[]).lengths_of_defaults();
/// let (layers, migrated) = migrate_typed(stored, &defaults, matching, |_| {})?;
/// assert_eq!(layers, [dense(1.0), dense(0.0), dense(3.0), dense(0.5)]);
/// assert_eq!((migrated.new, migrated.replaced), (1, 1));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn migrate_typed<'m, L, T>(
    stored: View<'_, L>,
    defaults: &T,
    matching: impl Into<Matching<'m>>,
    report: impl FnMut(Migration<'_>),
) -> Result<(T, Migrated), Error>
where
    L: Leaf + Clone,
    T: Tree<L>,
{
    let (def, leaves) = flatten(defaults)?;
    let defaults = View::new(&def, &leaves)?;
    let take = |leaf: &L, _: LeafPlace<'_, L>| Ok::<_, Infallible>(leaf.clone());
    migrate_typed_with::<L, _, _, _>(
        stored.treedef(),
        stored.leaves(),
        defaults,
        matching,
        take,
        report,
    )
}

/// As `migrate_typed`, without a heap, for stored leaves of another type, or leaves of several types. `K` is the leaf type of
/// the tree, or its set of leaf types.
///
/// `leaves` are those of the stored structure, in its order; `defaults` are a value of the type and its leaves. `take` makes a
/// stored leaf that of a [place](LeafPlace), or returns why it does not fit. The place says which type of leaf it has.
/// If the stored leaves are already of the set `K`, `|leaf, _| Ok::<_, Error>(leaf)` is enough. In a set of
/// [`leaf_types!`](crate::leaf_types), a leaf keeps its value in another type where that has it: an integer of at most 64 bits in one of another width
/// or sign, with or without `NonZero`, a text in one of another capacity, and an `f32` as `f64`. Any other leaf of another type than that of its place is
/// refused all the same.
///
/// `take` is called for a stored leaf whose place has a leaf, once for each place if aliases give it several. It is not called where
/// kinds differ, as for a leaf that is a list now: that is reported as `Replaced`, or lost. A leaf that it refuses has its default,
/// and is reported with the reason. If the tree around it is then built from its default, `take` was called for leaves that are not
/// in the value.
///
/// The iterator of leaves is cloned to count them, and where the order of places changed; there it goes over the leaves before that
/// place again.
///
/// # Errors
///
/// [`Error::TooFewLeaves`] and [`Error::TooManyLeaves`] if the stored structure has another number of leaves; those of
/// `migrate_typed`.
///
/// # Examples
///
/// A device without a heap, whose records have a type. The gain was an `f32`:
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use treedef::algebra::{LeafPlace, migrate_typed_with};
/// use treedef::cache::Dtype;
/// use treedef::tree::mixed;
/// use treedef::{Tree, View, treedef_of};
///
/// treedef::leaf_types! {
///     struct Setting { owned Value, read ValueRef, write ValueMut, Float(f32), Double(f64), Count(u16) }
/// }
///
/// #[derive(Tree, Debug, PartialEq)]
/// #[tree(name = "app::Settings")]
/// struct Settings { gain: f64, curve: heapless::Vec<f32, 4>, rate: u16 }
///
/// let defaults = Settings { gain: 1.0, curve: heapless::Vec::new(), rate: 50 };
/// let (mut bytes, mut leaves) = ([0; 64], [const { Value::Count(0) }; 6]);
/// let (def, count) = mixed::flatten_into::<Setting>(&defaults, &mut bytes, &mut leaves)?;
/// let defaults = View::new(def, &leaves[..count])?;
///
/// // What an older version of the type stored: the type of a leaf, and the leaf.
/// #[derive(Tree)]
/// #[tree(name = "app::Settings")]
/// struct OldSettings { gain: f32, curve: [f32; 2] }
/// let stored = treedef_of::<OldSettings>();
/// let records = [('f', 0.5f32.to_bits()), ('f', 3.0f32.to_bits()), ('f', 4.0f32.to_bits())];
/// let take = |(tag, bits): (char, u32), place: LeafPlace<'_, Value>| match (tag, place.dtype) {
///     ('f', Some(Dtype::Float32)) => Ok(Value::Float(f32::from_bits(bits))),
///     ('f', Some(Dtype::Float64)) => Ok(Value::Double(f32::from_bits(bits).into())),
///     ('c', Some(Dtype::Uint16)) => u16::try_from(bits).map(Value::Count).map_err(|_| "too large"),
///     _ => Err("of another type"),
/// };
/// let (settings, migrated): (Settings, _) =
///     migrate_typed_with::<Setting, _, _, _>(stored, records, defaults, &[], take, |_| {})?;
/// assert_eq!((settings.gain, settings.curve.as_slice(), settings.rate), (0.5, &[3.0, 4.0][..], 50));
/// assert_eq!((migrated.moved, migrated.new), (3, 1));
/// # }
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn migrate_typed_with<'d, 'm, K, T, S, R>(
    stored: impl Into<TreeDef<'d>>,
    leaves: impl IntoIterator<Item = S, IntoIter: Clone>,
    defaults: View<'d, K::Owned>,
    matching: impl Into<Matching<'m>>,
    mut take: impl FnMut(S, LeafPlace<'_, K::Owned>) -> Result<K::Owned, R>,
    mut report: impl FnMut(Migration<'_>),
) -> Result<(T, Migrated), Error>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
    R: Display,
{
    let stored = stored.into();
    let all = leaves.into_iter();
    Error::check_count(stored.num_leaves(), count(all.clone()))?;
    let (mut rest, mut next) = (all.clone(), 0u32);
    let mut take = |walk: &mut OfTrees<'_, '_, 'd>,
                    place: &Place<'_, 'd, Node<'d>>,
                    index: u32,
                    dtype,
                    default: Option<&_>| {
        if index < next {
            (rest, next) = (all.clone(), 0);
        }
        let leaf = rest.nth(index.wrapping_sub(next) as usize);
        next = index.saturating_add(1);
        let stored = place.stored?.inside_some().found(walk.reports.def);
        let path = walk.reports.path_of(&place.step);
        match take(leaf?, LeafPlace { path, stored, dtype, default }) {
            Ok(leaf) => Some(leaf),
            Err(why) => {
                walk.refused_leaf(place, Why::Leaf(&why));
                None
            }
        }
    };
    let defaults = (defaults.treedef(), defaults.leaves());
    let (matching, take, report) = (matching.into(), &mut take, &mut report);
    Load::<K> { stored, defaults, matching, take, report }.run()
}
