//! The laws hold for a right implementation by hand, and each mistake of one breaks a law.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::test_runner::{TestCaseError, TestCaseResult};
use treedef::container::{
    Depth, Fields, Lanes, Leaves, Pairing, Schema, Schemas, Sink, Source, Trees, VisitLanes,
    WalkPath,
};
use treedef::encode::structure_bound;
use treedef::format::FromValue;
use treedef::head::head_into;
use treedef::tree::{
    HasSchema, LeafAs, LeafTypes, MapTree, NoLeaves, TreeBuild, TreeRead, TreeWalk, TreeWrite,
    ZipPrefix,
};
use treedef::{Error, Kind, TreeDef, head, structure_into, treedef};
use treedef_proptest::laws;

/// A pair of floats by hand, with the mistake that has this number; 0 is none.
#[derive(Clone, Debug)]
struct Pair<const MISTAKE: u8, const FIXED: bool>(f32, f32);

const NONE: u8 = 0;
const WALK_LANES_SWAPS: u8 = 3;
const WALK_SWAPS: u8 = 27;
const WALK_LANES_SKIPS: u8 = 4;
const TAKE_SWAPS: u8 = 5;
const BUILD_SWAPS: u8 = 6;
const FIXED_BUT_BEGINS_NOTHING: u8 = 7;
const BUILD_TAKES_ANY_TREE: u8 = 8;
const BUILD_LEAVES_CHILDREN: u8 = 9;
const DESCRIBE_SAYS_MORE: u8 = 13;
const DESCRIBE_BREAKS_ITS_WORD: u8 = 14;
const DESCRIBE_CHANGES: u8 = 15;
const LEAVES_ARE_THREE: u8 = 16;
const SCHEMA_IS_A_LIST: u8 = 17;
const WALK_LANES_COUNTS_ONE: u8 = 24;
const WALK_SLICES_SWAPS: u8 = 25;
const WALK_LANES_NAMES_ONE: u8 = 26;

/// Makes one description differ from the next.
static DESCRIBED: AtomicUsize = AtomicUsize::new(0);

impl<const MISTAKE: u8, const FIXED: bool> Pair<MISTAKE, FIXED> {
    /// The fields, in the wrong order for this mistake.
    fn fields(&self, swapped_by: u8) -> [&f32; 2] {
        if MISTAKE == swapped_by { [&self.1, &self.0] } else { [&self.0, &self.1] }
    }

    /// The pair of these, in the wrong order for this mistake.
    fn of(first: f32, second: f32, swapped_by: u8) -> Self {
        if MISTAKE == swapped_by { Self(second, first) } else { Self(first, second) }
    }
}

/// Both leaves of each pair.
fn parts<'a, L: Lanes, const MISTAKE: u8, const FIXED: bool>(
    pairs: Trees<'a, L, Pair<MISTAKE, FIXED>>,
) -> L::Each<(&'a f32, &'a f32), (&'a mut f32, &'a mut f32)> {
    L::map(pairs, |Pair(first, second)| (first, second), |Pair(first, second)| (first, second))
}

impl<const MISTAKE: u8, const FIXED: bool> HasSchema for Pair<MISTAKE, FIXED> {
    const SCHEMA: &'static Schema = match (FIXED, MISTAKE) {
        (false, _) => &Schema::Unknown,
        (true, SCHEMA_IS_A_LIST) => &Schema::Array(2, &Schema::Leaf("number", None, false)),
        (true, _) => &Schema::Tuple(Schemas::new(&[
            &Schema::Leaf("number", None, false),
            &Schema::Leaf("number", None, false),
        ])),
    };
    const LEAVES: Option<usize> = match MISTAKE {
        LEAVES_ARE_THREE => Some(3),
        _ => Self::SCHEMA.num_leaves(),
    };
}

impl<K: LeafTypes, const MISTAKE: u8, const FIXED: bool> TreeWalk<K> for Pair<MISTAKE, FIXED>
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        // Leaves that are described and not visited.
        let more = match MISTAKE {
            DESCRIBE_SAYS_MORE => 1,
            DESCRIBE_CHANGES => DESCRIBED.fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        let said = if MISTAKE == DESCRIBE_BREAKS_ITS_WORD { 3 } else { 2 + more };
        if let Some(node) = out.begin(&head::Tuple(said)) {
            self.fields(WALK_SWAPS).into_iter().for_each(|leaf| out.leaf(f32::by_ref(leaf)));
            if more > 0 {
                out.unknown(&|out| out.leaves(more));
            }
            out.end(node);
        }
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        pairs: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        L::count_nodes(depth, if MISTAKE == WALK_LANES_COUNTS_ONE { 1 } else { 3 });
        let (first, second) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
        let (first, second) =
            if MISTAKE == WALK_LANES_SWAPS { (second, first) } else { (first, second) };
        let level = WalkPath::level(visit.path());
        WalkPath::index(visit.path(), level, 0);
        visit.leaf_of::<f32>(first)?;
        if MISTAKE != WALK_LANES_NAMES_ONE {
            WalkPath::index(visit.path(), level, 1);
        }
        if MISTAKE != WALK_LANES_SKIPS {
            visit.leaf_of::<f32>(second)?;
        }
        Ok(())
    }

    fn walk_slices<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        lists: Trees<'a, L, [Self]>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let pairs = L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()));
        if MISTAKE != WALK_SLICES_SWAPS {
            return visit.elements::<Self>(pairs, depth);
        }
        let level = WalkPath::level(visit.path());
        for (index, pairs) in pairs.enumerate() {
            WalkPath::index(visit.path(), level, index);
            L::count_nodes(depth, 3);
            let (first, second) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
            let level = WalkPath::level(visit.path());
            WalkPath::index(visit.path(), level, 0);
            visit.leaf_of::<f32>(second)?;
            WalkPath::index(visit.path(), level, 1);
            visit.leaf_of::<f32>(first)?;
        }
        Ok(())
    }
}

impl<const MISTAKE: u8, const FIXED: bool> TreeRead<f32> for Pair<MISTAKE, FIXED> {}

impl<const MISTAKE: u8, const FIXED: bool> TreeWrite<f32> for Pair<MISTAKE, FIXED> {}

impl<const MISTAKE: u8, const FIXED: bool> TreeBuild<f32> for Pair<MISTAKE, FIXED> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.fields(TAKE_SWAPS).into_iter().for_each(|leaf| visit(*leaf));
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        if !FIXED {
            let is_pair = from.tree()? == treedef!((*, *));
            if !is_pair && MISTAKE != BUILD_TAKES_ANY_TREE {
                return from.refuse(from.place());
            }
        } else if MISTAKE != FIXED_BUT_BEGINS_NOTHING {
            from.begin(Self::SCHEMA)?;
        }
        let first = from.leaf()?;
        let second = if MISTAKE == BUILD_LEAVES_CHILDREN { first } else { from.leaf()? };
        Ok(Self::of(first, second, BUILD_SWAPS))
    }
}

/// A struct of a meta field and a map, whose floats are a ring in memory: that of the first key is at `head`. Its mistake is
/// the order of the memory, or a comparison that is left out. What is built begins at the front, where both orders are one.
#[derive(Clone, Debug)]
struct Ring<const MISTAKE: u8> {
    digits: u8,
    keys: Vec<u32>,
    head: usize,
    items: Vec<f32>,
}

const RING_WALK: u8 = 1;
const RING_TAKE: u8 = 2;
const RING_MAP: u8 = 3;
const RING_ZIP: u8 = 5;
const RING_ZIP_STOPS: u8 = 6;
const RING_MAP_NAMES_NO_KEYS: u8 = 10;
const RING_SCHEMA_IS_A_LIST: u8 = 12;
// Where a comparison is left out, and which: the mistake is the sum.
const IN_WALK: u8 = 20;
const IN_MAP: u8 = 30;
const IN_ZIP: u8 = 40;
const IN_PREFIX: u8 = 50;
const IN_STRUCTURE: u8 = 60;
const META: u8 = 1;
const LEN: u8 = 2;
const KEYS: u8 = 3;

impl<const MISTAKE: u8> Ring<MISTAKE> {
    fn entries(&self, mistake: u8) -> impl Iterator<Item = (&u32, &f32)> {
        let (after, first) = self.items.split_at(if MISTAKE == mistake { 0 } else { self.head });
        self.keys.iter().zip(first.iter().chain(after))
    }

    fn entries_mut(&mut self, mistake: u8) -> impl Iterator<Item = (&u32, &mut f32)> {
        let (after, first) =
            self.items.split_at_mut(if MISTAKE == mistake { 0 } else { self.head });
        self.keys.iter().zip(first.iter_mut().chain(after))
    }

    fn same_meta(&self, other: &Self, place: u8) -> bool {
        MISTAKE == place + META || self.digits == other.digits
    }

    fn same_keys(&self, other: &Self, place: u8) -> bool {
        (MISTAKE == place + LEN || self.keys.len() == other.keys.len())
            && (MISTAKE == place + KEYS || self.keys.iter().zip(&other.keys).all(|(a, b)| a == b))
    }

    /// Calls `with` with the head of the struct. A long name hides the meta field after the bytes that are changed from the
    /// front on.
    fn with_head<R>(digits: u8, with: impl FnOnce(&head::Struct<'_>) -> R) -> R {
        let meta = [("digits", treedef::Value::Int(digits.into()))];
        let name: &str = if MISTAKE == IN_WALK + META { &"Ring".repeat(20) } else { "Ring" };
        with(&head::Struct { name, fields: &["items"], meta: &meta })
    }
}

impl<const MISTAKE: u8> Ring<MISTAKE> {
    /// The meta field and the keys of a tree; `None` if it is not that of a ring.
    fn read(tree: TreeDef<'_>) -> Option<(u8, Vec<u32>)> {
        let digits = u8::from_value(tree.head().meta_fields().next()?.1)?;
        let items = tree.child(0)?;
        let is_ring =
            Self::with_head(digits, |head| head_into(head, &mut [0; 128]) == Ok(tree.head()));
        let is_map =
            items.head().kind() == Kind::Dict && items.children().all(|leaf| leaf.is_leaf());
        let keys = items.head().keys().map(u32::from_value).collect::<Option<_>>()?;
        (is_ring && is_map).then_some((digits, keys))
    }
}

/// Compares the rings, and counts their nodes.
fn same_nodes<L: Lanes, const MISTAKE: u8>(
    rings: &Trees<'_, L, Ring<MISTAKE>>,
    depth: &mut Depth,
    place: u8,
) -> Result<(), Error> {
    L::same_node::<Ring<MISTAKE>>(rings, depth, |ring, first| ring.same_meta(first, place))?;
    L::same_node::<Ring<MISTAKE>>(rings, depth, |ring, first| ring.same_keys(first, place))?;
    L::count_nodes(depth, L::first::<Ring<MISTAKE>>(rings).keys.len() as u32);
    Ok(())
}

impl<const MISTAKE: u8> HasSchema for Ring<MISTAKE> {
    const SCHEMA: &'static Schema = match MISTAKE {
        RING_SCHEMA_IS_A_LIST => &Schema::List(None, f32::SCHEMA),
        _ => &Schema::Unknown,
    };
}

impl<const MISTAKE: u8> Ring<MISTAKE> {
    /// Walks over rings, with the mistakes of `place`.
    fn walk_together<'a, K, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
        place: u8,
    ) -> Result<(), E>
    where
        K: LeafTypes + 'a,
        f32: LeafAs<K>,
    {
        same_nodes::<L, MISTAKE>(&rings, depth, place)?;
        let entries =
            L::map(rings, |ring| ring.entries(RING_WALK), |ring| ring.entries_mut(RING_WALK));
        let field = WalkPath::level(visit.path());
        WalkPath::field(visit.path(), field, "items");
        let level = WalkPath::level(visit.path());
        for entries in L::iter(entries) {
            let (keys, leaves) = L::unzip(entries);
            WalkPath::key(visit.path(), level, L::first_value(keys));
            visit.leaf_of::<f32>(leaves)?;
        }
        Ok(())
    }
}

impl<const MISTAKE: u8> Ring<MISTAKE> {
    fn give<'a, K, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: LeafTypes + 'a,
        f32: LeafAs<K>,
    {
        out.value(&treedef::Value::Int(self.digits.into()));
        let Some(node) = Self::with_head(self.digits, |head| out.begin(head)) else {
            return;
        };
        if let Some(map) = out.begin_keys(self.keys.len(), self.keys.iter()) {
            self.entries(RING_WALK).for_each(|(_, leaf)| out.leaf(f32::by_ref(leaf)));
            out.end(map);
        }
        out.end(node);
    }
}

impl<const MISTAKE: u8> TreeWalk<f32> for Ring<MISTAKE> {
    fn walk<'a, S: Sink<'a, f32>>(&'a self, out: &mut S) {
        self.give::<f32, S>(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, f32, L, E>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E> {
        Self::walk_together::<f32, L, E, V>(rings, depth, visit, IN_WALK)
    }
}

impl<const MISTAKE: u8> TreeWalk<NoLeaves> for Ring<MISTAKE> {
    fn walk<'a, S: Sink<'a, NoLeaves>>(&'a self, out: &mut S) {
        self.give::<NoLeaves, S>(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, NoLeaves, L, E>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E> {
        Self::walk_together::<NoLeaves, L, E, V>(rings, depth, visit, IN_STRUCTURE)
    }
}

impl<const MISTAKE: u8> TreeRead<f32> for Ring<MISTAKE> {}

impl<const MISTAKE: u8> TreeWrite<f32> for Ring<MISTAKE> {}

impl<const MISTAKE: u8> TreeBuild<f32> for Ring<MISTAKE> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.entries(RING_TAKE).for_each(|(_, leaf)| visit(*leaf));
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let (tree, place) = (from.tree()?, from.place());
        let Some((digits, keys)) = Self::read(tree) else { return from.refuse(place) };
        let items = keys.iter().map(|_| from.leaf()).collect::<Result<_, _>>()?;
        Ok(Self { digits, keys, head: 0, items })
    }
}

impl<const MISTAKE: u8> MapTree<f32, f32> for Ring<MISTAKE> {
    type Output = Self;

    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl VisitLanes<'a, f32, L, E, f32>,
    ) -> Result<Self, E> {
        same_nodes::<L, MISTAKE>(&rings, depth, IN_MAP)?;
        let Self { digits, keys, .. } = L::first::<Self>(&rings).clone();
        let entries =
            L::map(rings, |ring| ring.entries(RING_MAP), |ring| ring.entries_mut(RING_MAP));
        let field = WalkPath::level(map.path());
        WalkPath::field(map.path(), field, "items");
        let level = WalkPath::level(map.path());
        let items = L::iter(entries).map(|entries| {
            let (keys, leaves) = L::unzip(entries);
            if MISTAKE != RING_MAP_NAMES_NO_KEYS {
                WalkPath::key(map.path(), level, L::first_value(keys));
            }
            map.leaf(leaves)
        });
        Ok(Self { digits, keys, head: 0, items: items.collect::<Result<_, E>>()? })
    }
}

impl<const MISTAKE: u8> ZipPrefix<f32, f32, Self> for Ring<MISTAKE> {
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        rings: Trees<'a, L, Self>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Leaves<'p, P, f32>, Leaves<'a, L, f32>) -> Result<(), E>,
    ) -> Result<(), E> {
        same_nodes::<L, MISTAKE>(&rings, &mut { *pairing.depth() }, IN_ZIP)?;
        let (own, first) = (P::first::<Self>(&prefix), L::first::<Self>(&rings));
        pairing.check::<L>(own.same_meta(first, IN_PREFIX))?;
        pairing.count_node::<L>();
        pairing.check::<L>(own.same_keys(first, IN_PREFIX))?;
        (0..=own.keys.len()).for_each(|_| pairing.count_node::<L>());
        let prefix = P::map(prefix, |ring| ring.entries(u8::MAX), |ring| ring.entries_mut(u8::MAX));
        let rings = L::map(rings, |ring| ring.entries(RING_ZIP), |ring| ring.entries_mut(RING_ZIP));
        let stop = if MISTAKE == RING_ZIP_STOPS { 1 } else { usize::MAX };
        P::iter(prefix)
            .zip(L::iter(rings))
            .take(stop)
            .try_for_each(|(own, others)| visit(P::unzip(own).1, L::unzip(others).1))
    }
}

/// Two options by hand, with the mistake that has this number; 0 is none.
#[derive(Clone, Debug)]
struct Options<const MISTAKE: u8>(Option<f32>, Option<f32>);

const CHOICE_OF_ITS_OWN: u8 = 1;
const CHOICE_IS_ALWAYS_SOME: u8 = 2;
const CHOICES_BUILD_SWAPPED: u8 = 3;
const SCHEMA_HAS_ONE_LESS: u8 = 4;

impl<const MISTAKE: u8> HasSchema for Options<MISTAKE> {
    const SCHEMA: &'static Schema = match MISTAKE {
        SCHEMA_HAS_ONE_LESS => {
            &Schema::Tuple(Schemas::new(&[&Schema::Optional(f32::SCHEMA), f32::SCHEMA]))
        }
        _ => &Schema::Tuple(Schemas::new(&[
            &Schema::Optional(f32::SCHEMA),
            &Schema::Optional(f32::SCHEMA),
        ])),
    };
}

impl<K: LeafTypes, const MISTAKE: u8> TreeWalk<K> for Options<MISTAKE>
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        if MISTAKE == CHOICE_OF_ITS_OWN {
            out.choice(2);
        }
        let Some(node) = out.begin(&head::Tuple(2)) else { return };
        for option in [&self.0, &self.1] {
            let is_some = option.is_some() || MISTAKE == CHOICE_IS_ALWAYS_SOME;
            out.choice(is_some.into());
            match option {
                Some(leaf) => out.leaf(f32::by_ref(leaf)),
                None => out.none(),
            }
        }
        out.end(node);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        _: Trees<'a, L, Self>,
        _: &mut Depth,
        _: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        unreachable!("the laws of choices need one walk")
    }
}

impl<const MISTAKE: u8> TreeBuild<f32> for Options<MISTAKE> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        [self.0, self.1].into_iter().flatten().for_each(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        from.begin(Self::SCHEMA)?;
        let (first, second) = (from.child()?, from.child()?);
        Ok(if MISTAKE == CHOICES_BUILD_SWAPPED { Self(second, first) } else { Self(first, second) })
    }
}

/// A list by hand, whose walk has the mistake that has this number; 0 is none.
#[derive(Clone, Debug)]
struct List<const MISTAKE: u8>(Vec<f32>);

const LENGTH_IS_DROPPED: u8 = 1;
const LENGTH_IS_ONE_MORE: u8 = 2;
const LENGTH_IS_ALWAYS_TWO: u8 = 3;

impl<const MISTAKE: u8> HasSchema for List<MISTAKE> {
    const SCHEMA: &'static Schema = &Schema::List(None, f32::SCHEMA);
}

impl<K: LeafTypes, const MISTAKE: u8> TreeWalk<K> for List<MISTAKE>
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        match MISTAKE {
            LENGTH_IS_DROPPED => {}
            LENGTH_IS_ONE_MORE => out.choice(self.0.len() + 1),
            LENGTH_IS_ALWAYS_TWO => out.choice(2),
            _ => out.choice(self.0.len()),
        }
        let Some(node) = out.begin(&head::List(self.0.len())) else { return };
        self.0.iter().for_each(|leaf| out.leaf(f32::by_ref(leaf)));
        out.end(node);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        _: Trees<'a, L, Self>,
        _: &mut Depth,
        _: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        unreachable!("the laws of choices need one walk")
    }
}

impl<const MISTAKE: u8> TreeBuild<f32> for List<MISTAKE> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.0.into_iter().for_each(visit);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        let len = from.begin(Self::SCHEMA)?;
        (0..len).map(|_| from.leaf()).collect::<Result<_, _>>().map(Self)
    }
}

/// An enum by hand, with the mistake that has this number; 0 is none.
#[derive(Clone, Debug)]
enum Mode<const MISTAKE: u8> {
    Slow(f32),
    Fast(f32),
}

const CHOICE_IS_ANOTHER_VARIANT: u8 = 1;
const NODE_IS_ANOTHER_VARIANT: u8 = 2;
const WALK_IS_ANOTHER_VARIANT: u8 = 3;

const MODES: [head::Struct<'_>; 2] = [
    head::Struct { name: "Slow", fields: &["0"], meta: &[] },
    head::Struct { name: "Fast", fields: &["0"], meta: &[] },
];

const fn variant(name: &'static str) -> Fields {
    let children = Schemas::new(&[f32::SCHEMA]);
    Fields { name, head: None, is_named: true, fields: &["0"], children, meta: &[], aliases: &[] }
}

impl<const MISTAKE: u8> HasSchema for Mode<MISTAKE> {
    const SCHEMA: &'static Schema =
        &Schema::Enum(&["Slow", "Fast"], &[variant("Slow"), variant("Fast")]);
}

impl<K: LeafTypes, const MISTAKE: u8> TreeWalk<K> for Mode<MISTAKE>
where
    f32: LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        let (own, leaf) = match self {
            Self::Slow(leaf) => (0, leaf),
            Self::Fast(leaf) => (1, leaf),
        };
        let (choice, node) = match MISTAKE {
            CHOICE_IS_ANOTHER_VARIANT => (1 - own, own),
            NODE_IS_ANOTHER_VARIANT => (own, 1 - own),
            WALK_IS_ANOTHER_VARIANT => (1 - own, 1 - own),
            _ => (own, own),
        };
        out.choice(choice);
        let Some(node) = out.begin(&MODES[node]) else { return };
        out.leaf(f32::by_ref(leaf));
        out.end(node);
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, K, L, E>>(
        _: Trees<'a, L, Self>,
        _: &mut Depth,
        _: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        unreachable!("the laws of choices need one walk")
    }
}

impl<const MISTAKE: u8> TreeBuild<f32> for Mode<MISTAKE> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        let (Self::Slow(leaf) | Self::Fast(leaf)) = self;
        visit(leaf);
    }

    fn build<'d, S: Source<'d, f32>>(from: &mut S) -> Result<Self, S::Error> {
        match from.begin(Self::SCHEMA)? {
            0 => from.leaf().map(Self::Slow),
            _ => from.leaf().map(Self::Fast),
        }
    }
}

/// The report of the laws of choices on a list with a mistake.
fn report_list<const MISTAKE: u8>(len: usize) -> String {
    report_of(laws::check_choices::<f32, _>(&List::<MISTAKE>(vec![1.0; len])))
}

/// The report of the laws of choices on a mode with a mistake.
fn report_mode<const MISTAKE: u8>(is_fast: bool) -> String {
    let mode = if is_fast { Mode::<MISTAKE>::Fast(1.0) } else { Mode::Slow(1.0) };
    report_of(laws::check_choices::<f32, _>(&mode))
}

/// The report of the laws of choices on options with a mistake.
fn report_choices<const MISTAKE: u8>(first: Option<f32>, second: Option<f32>) -> String {
    report_of(laws::check_choices::<f32, _>(&Options::<MISTAKE>(first, second)))
}

#[test]
fn each_mistake_about_choices_breaks_a_law_of_them() {
    for (first, second) in [(Some(1.0), Some(2.0)), (None, Some(1.0)), (None, None)] {
        assert_eq!(report_choices::<NONE>(first, second), "");
    }
    for len in [0, 1, 3, 200] {
        assert_eq!(report_list::<NONE>(len), "");
    }
    assert_eq!([false, true].map(report_mode::<NONE>), ["", ""]);
    const READ: &str = "those that are read from its structure";
    const BUILT: &str = "what is built of choices";
    let (one, two) = (Some(1.0), Some(2.0));
    let mistakes = [
        (report_choices::<CHOICE_OF_ITS_OWN>(one, two), READ),
        (report_choices::<CHOICE_IS_ALWAYS_SOME>(one, None), READ),
        (report_choices::<SCHEMA_HAS_ONE_LESS>(one, two), READ),
        (report_choices::<CHOICES_BUILD_SWAPPED>(one, two), BUILT),
        (report_choices::<CHOICES_BUILD_SWAPPED>(one, None), BUILT),
        (report_list::<LENGTH_IS_DROPPED>(3), READ),
        (report_list::<LENGTH_IS_ONE_MORE>(3), READ),
        (report_list::<LENGTH_IS_ALWAYS_TWO>(3), READ),
        (report_list::<LENGTH_IS_DROPPED>(0), READ),
        (report_mode::<CHOICE_IS_ANOTHER_VARIANT>(true), READ),
        (report_mode::<NODE_IS_ANOTHER_VARIANT>(false), READ),
        (report_mode::<WALK_IS_ANOTHER_VARIANT>(false), BUILT),
        (report_mode::<WALK_IS_ANOTHER_VARIANT>(true), BUILT),
    ];
    for (report, law) in mistakes {
        println!("{report}");
        assert!(report.contains(law), "{law}: {report:?}");
    }
}

/// The law that is broken, and both sides.
fn report_of(result: TestCaseResult) -> String {
    match result {
        Ok(()) => String::new(),
        Err(TestCaseError::Fail(reason)) => reason.to_string(),
        Err(TestCaseError::Reject(reason)) => panic!("rejected: {reason}"),
    }
}

/// The report on a pair with a mistake.
fn report<const MISTAKE: u8, const FIXED: bool>() -> String {
    report_of(laws::check_tree(&Pair::<MISTAKE, FIXED>(0.0, 0.0), |i| i as f32))
}

/// The report on a ring with a mistake, whose first float is the second in memory.
fn report_ring<const MISTAKE: u8>() -> String {
    let ring = Ring::<MISTAKE> { digits: 2, keys: vec![2, 5, 9], head: 1, items: vec![0.0; 3] };
    report_of(laws::check(&ring, |i| i as f32))
}

#[test]
fn a_right_implementation_by_hand_keeps_all_laws() {
    assert_eq!(report::<NONE, false>(), "");
    assert_eq!(report::<NONE, true>(), "");
    assert_eq!(report_ring::<NONE>(), "");
}

#[test]
fn each_mistake_breaks_the_law_that_names_it() {
    const WALKED: &str = "a walk of one tree gives the leaves";
    const READ: &str = "as many leaves to read as described, and they are those copied out";
    const ORDER: &str = "in the order in which they are read";
    const BUILT: &str = "what is built has the structure";
    const MAP: &str = "a map keeps the structure and the order";
    const ZIP: &str = "a tree fits beside and above itself";
    const TWO: &str = "trees of two structures are an error";
    const NAMES: &str = "names the children as the structure does";
    const CONSTANTS: &str = "the constants are those of the described structure";
    const LIST: &str = "in a list, elements are described";
    let mistakes = [
        ("walk swaps", report::<WALK_SWAPS, false>(), WALKED),
        ("walk_lanes swaps", report::<WALK_LANES_SWAPS, false>(), WALKED),
        ("walk_lanes swaps, fixed", report::<WALK_LANES_SWAPS, true>(), WALKED),
        ("walk_lanes skips", report::<WALK_LANES_SKIPS, false>(), READ),
        ("walk_lanes skips, fixed", report::<WALK_LANES_SKIPS, true>(), READ),
        ("walk_lanes names one", report::<WALK_LANES_NAMES_ONE, false>(), NAMES),
        ("walk_slices swaps", report::<WALK_SLICES_SWAPS, false>(), WALKED),
        ("take swaps", report::<TAKE_SWAPS, false>(), ORDER),
        ("build swaps", report::<BUILD_SWAPS, false>(), BUILT),
        ("build swaps, fixed", report::<BUILD_SWAPS, true>(), BUILT),
        ("build begins nothing, fixed", report::<FIXED_BUT_BEGINS_NOTHING, true>(), BUILT),
        ("build takes any tree", report::<BUILD_TAKES_ANY_TREE, false>(), BUILT),
        ("build leaves children", report::<BUILD_LEAVES_CHILDREN, false>(), BUILT),
        ("describe says more", report::<DESCRIBE_SAYS_MORE, false>(), READ),
        ("describe says more, fixed", report::<DESCRIBE_SAYS_MORE, true>(), CONSTANTS),
        ("describe breaks its word", report::<DESCRIBE_BREAKS_ITS_WORD, false>(), "its bound"),
        ("describe changes", report::<DESCRIBE_CHANGES, false>(), "the same each time"),
        ("LEAVES are three", report::<LEAVES_ARE_THREE, false>(), CONSTANTS),
        ("LEAVES are three, fixed", report::<LEAVES_ARE_THREE, true>(), CONSTANTS),
        ("SCHEMA is a list", report::<SCHEMA_IS_A_LIST, true>(), CONSTANTS),
        ("walk_lanes counts one", report::<WALK_LANES_COUNTS_ONE, false>(), TWO),
        ("walk_lanes counts one, fixed", report::<WALK_LANES_COUNTS_ONE, true>(), TWO),
        ("ring: walk_lanes in memory order", report_ring::<RING_WALK>(), ORDER),
        ("ring: take in memory order", report_ring::<RING_TAKE>(), ORDER),
        ("ring: map_lanes in memory order", report_ring::<RING_MAP>(), MAP),
        ("ring: zip in memory order", report_ring::<RING_ZIP>(), ZIP),
        ("ring: zip stops", report_ring::<RING_ZIP_STOPS>(), ZIP),
        ("ring: walk compares no meta", report_ring::<{ IN_WALK + META }>(), TWO),
        ("ring: walk compares no lengths", report_ring::<{ IN_WALK + LEN }>(), TWO),
        ("ring: walk compares no keys", report_ring::<{ IN_WALK + KEYS }>(), TWO),
        ("ring: map compares no keys", report_ring::<{ IN_MAP + KEYS }>(), TWO),
        ("ring: zip compares no meta", report_ring::<{ IN_ZIP + META }>(), TWO),
        ("ring: zip compares no lengths", report_ring::<{ IN_ZIP + LEN }>(), TWO),
        ("ring: prefix compares no keys", report_ring::<{ IN_PREFIX + KEYS }>(), TWO),
        ("ring: map names no keys", report_ring::<RING_MAP_NAMES_NO_KEYS>(), NAMES),
        ("ring: structure compares no meta", report_ring::<{ IN_STRUCTURE + META }>(), LIST),
        ("ring: structure compares no lengths", report_ring::<{ IN_STRUCTURE + LEN }>(), LIST),
        ("ring: structure compares no keys", report_ring::<{ IN_STRUCTURE + KEYS }>(), LIST),
        ("ring: SCHEMA is a list", report_ring::<RING_SCHEMA_IS_A_LIST>(), "fits its type"),
    ];
    for (mistake, report, law) in mistakes {
        println!("{mistake}: {report}");
        assert!(report.contains(law), "{mistake} gives: {report:?}");
        assert!(report.lines().count() > 1, "{mistake} shows no sides: {report}");
    }
}

treedef::leaf_types! {
    /// Leaves of two types.
    struct Signal {
        owned Value,
        read ValueRef,
        write ValueMut,
        Float(f32),
        Count(u32),
    }
}

#[test]
fn leaves_of_several_types_and_those_that_equal_nothing_keep_the_laws() {
    let signals = (1.5f32, [2u32, 3], vec![f32::NAN]);
    laws::check_leaf_types::<Signal, _>(&signals).unwrap();
    laws::check_choices::<Signal, _>(&signals).unwrap();
    laws::check(&[f32::NAN, 1.0], |_| f32::NAN).unwrap();
    laws::check(&((), [0u8; 0]), |i| i as u8).unwrap();
}

#[test]
fn reading_has_room_for_copies_that_are_folded() {
    // Children that are no elements of a list are written before they are compared.
    let child = vec![Some(1.0f32), None];
    let copies = (child.clone(), child.clone(), child);
    let (mut bytes, bound) = ([0; 256], structure_bound(&copies).unwrap());
    let len = structure_into(&copies, &mut bytes).unwrap().as_bytes().len();
    assert!(len < bound, "{len} {bound}");
    laws::reading::<f32, _>(&copies).unwrap();
    laws::check(&copies, |leaf| u16::try_from(leaf).unwrap().into()).unwrap();
}
