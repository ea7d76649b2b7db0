//! The laws hold for a right implementation by hand, and each mistake of one breaks a law.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::test_runner::TestCaseError;
use treedef::container::{
    Depth, Lanes, Leaves, Pairing, Rebuild, Schema, Schemas, Siblings, Trees, VisitLanes, WalkPath,
};
use treedef::encode::structure_bound;
use treedef::tree::{MapTree, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite, ZipPrefix};
use treedef::{Error, Kind, Tree, Writer, head, structure_into};
use treedef_proptest::laws;

/// A pair of floats by hand, with the mistake that has this number; 0 is none.
#[derive(Clone, Debug)]
struct Pair<const MISTAKE: u8, const FIXED: bool>(f32, f32);

const NONE: u8 = 0;
const WALK_LANES_SWAPS: u8 = 3;
const WALK_LANES_SKIPS: u8 = 4;
const TAKE_SWAPS: u8 = 5;
const BUILD_SWAPS: u8 = 6;
const FIXED_BUT_ASKS: u8 = 7;
const BUILD_TAKES_ANY_HEAD: u8 = 8;
const BUILD_LEAVES_CHILDREN: u8 = 9;
const MAP_LANES_SWAPS: u8 = 10;
const ZIP_STOPS: u8 = 12;
const DESCRIBE_SAYS_MORE: u8 = 13;
const DESCRIBE_BREAKS_ITS_WORD: u8 = 14;
const DESCRIBE_CHANGES: u8 = 15;
const LEAVES_ARE_THREE: u8 = 16;
const SCHEMA_IS_A_LIST: u8 = 17;
const ZIP_SWAPS: u8 = 19;
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

impl<const MISTAKE: u8, const FIXED: bool> Structure for Pair<MISTAKE, FIXED> {
    const SCHEMA: &'static Schema = match (FIXED, MISTAKE) {
        (false, _) => &Schema::Unknown,
        (true, SCHEMA_IS_A_LIST) => &Schema::Array(2, &Schema::Leaf("number", None)),
        (true, _) => &Schema::Tuple(Schemas::new(&[
            &Schema::Leaf("number", None),
            &Schema::Leaf("number", None),
        ])),
    };
    const LEAVES: Option<usize> = match MISTAKE {
        LEAVES_ARE_THREE => Some(3),
        _ => Self::SCHEMA.num_leaves(),
    };

    fn describe(&self, out: &mut Writer<'_>) {
        let children = match MISTAKE {
            DESCRIBE_SAYS_MORE => 3,
            DESCRIBE_CHANGES => 2 + DESCRIBED.fetch_add(1, Ordering::Relaxed),
            _ => 2,
        };
        let said = if MISTAKE == DESCRIBE_BREAKS_ITS_WORD { 3 } else { children };
        out.node(&head::Tuple(said), |out| out.leaves(children));
    }
}

impl<const MISTAKE: u8, const FIXED: bool> TreeWalk<f32> for Pair<MISTAKE, FIXED> {
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        pairs: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, f32, L, E>,
    ) -> Result<(), E> {
        L::count_nodes(depth, if MISTAKE == WALK_LANES_COUNTS_ONE { 1 } else { 3 });
        let (first, second) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
        let (first, second) =
            if MISTAKE == WALK_LANES_SWAPS { (second, first) } else { (first, second) };
        let level = WalkPath::level(visit.path());
        WalkPath::index(visit.path(), level, 0);
        visit.leaf(first)?;
        if MISTAKE != WALK_LANES_NAMES_ONE {
            WalkPath::index(visit.path(), level, 1);
        }
        if MISTAKE != WALK_LANES_SKIPS {
            visit.leaf(second)?;
        }
        Ok(())
    }

    fn walk_slices<'a, L: Lanes, E: From<Error>>(
        lists: Trees<'a, L, [Self]>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, f32, L, E>,
    ) -> Result<(), E> {
        let pairs = L::iter(L::map(lists, |list| list.iter(), |list| list.iter_mut()));
        if MISTAKE != WALK_SLICES_SWAPS {
            return Self::walk_elements::<L, E>(pairs, depth, visit);
        }
        let level = WalkPath::level(visit.path());
        for (index, pairs) in pairs.enumerate() {
            WalkPath::index(visit.path(), level, index);
            L::count_nodes(depth, 3);
            let (first, second) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
            let level = WalkPath::level(visit.path());
            WalkPath::index(visit.path(), level, 0);
            visit.leaf(second)?;
            WalkPath::index(visit.path(), level, 1);
            visit.leaf(first)?;
        }
        Ok(())
    }
}

impl<const MISTAKE: u8, const FIXED: bool> TreeRead<f32> for Pair<MISTAKE, FIXED> {}

impl<const MISTAKE: u8, const FIXED: bool> TreeWrite<f32> for Pair<MISTAKE, FIXED> {}

impl<const MISTAKE: u8, const FIXED: bool> TreeBuild<f32> for Pair<MISTAKE, FIXED> {
    const BUILDS_FROM_LEAVES: bool = FIXED;

    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.fields(TAKE_SWAPS).into_iter().for_each(|leaf| visit(*leaf));
    }

    fn build<'d, R: Rebuild<'d, f32>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        let mut children = if FIXED && MISTAKE != FIXED_BUT_ASKS {
            rebuild.begin_with(list, &head::Tuple(2))?
        } else {
            let kind = match (MISTAKE, rebuild.peek(list)) {
                (BUILD_TAKES_ANY_HEAD, Some(head)) => head.kind(),
                _ => Kind::Tuple,
            };
            rebuild.begin(list, kind)?.1
        };
        let first = rebuild.leaf(&mut children)?;
        let second = rebuild.leaf(&mut children)?;
        if MISTAKE != BUILD_LEAVES_CHILDREN {
            rebuild.end(children)?;
        }
        Some(Self::of(first, second, BUILD_SWAPS))
    }
}

impl<const MISTAKE: u8, const FIXED: bool> MapTree<f32, f32> for Pair<MISTAKE, FIXED> {
    type Output = Self;

    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        pairs: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl VisitLanes<'a, f32, L, E, f32>,
    ) -> Result<Self, E> {
        L::count_nodes(depth, 3);
        let (first, second) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
        let level = WalkPath::level(map.path());
        WalkPath::index(map.path(), level, 0);
        let first = map.leaf(first)?;
        WalkPath::index(map.path(), level, 1);
        let second = map.leaf(second)?;
        Ok(Self::of(first, second, MAP_LANES_SWAPS))
    }
}

impl<const MISTAKE: u8, const FIXED: bool> ZipPrefix<f32, f32, Self> for Pair<MISTAKE, FIXED> {
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        pairs: Trees<'a, L, Self>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Leaves<'p, P, f32>, Leaves<'a, L, f32>) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..3).for_each(|_| pairing.count_node::<L>());
        let (first, second) = P::unzip(parts::<P, MISTAKE, FIXED>(prefix));
        let (other, another) = L::unzip(parts::<L, MISTAKE, FIXED>(pairs));
        let (other, another) =
            if MISTAKE == ZIP_SWAPS { (another, other) } else { (other, another) };
        visit(first, other)?;
        if MISTAKE == ZIP_STOPS { Ok(()) } else { visit(second, another) }
    }
}

/// A ring of floats that is read from the oldest, at `head`; its mistake is an order: that of the memory.
/// What is built begins at the front, where both orders are one.
#[derive(Clone, Debug)]
struct Ring<const MISTAKE: u8> {
    head: usize,
    items: Vec<f32>,
}

const RING_WALK_LANES: u8 = 1;
const RING_TAKE: u8 = 2;
const RING_MAP_LANES: u8 = 3;
const RING_ZIP: u8 = 5;
const RING_WALK_LANES_DO_NOT_COMPARE: u8 = 7;
const RING_MAP_LANES_DO_NOT_COMPARE: u8 = 8;
const RING_ZIP_DOES_NOT_COMPARE: u8 = 9;
const RING_MAP_LANES_NAME_THE_NEXT: u8 = 10;
const RING_ALIKE_TO_ALL: u8 = 11;
const RING_SCHEMA_HOLDS_TWO: u8 = 12;

impl<const MISTAKE: u8> Ring<MISTAKE> {
    /// Where a walk begins.
    fn start(&self, mistake: u8) -> usize {
        if MISTAKE == mistake { 0 } else { self.head }
    }

    fn leaves(&self, mistake: u8) -> impl Iterator<Item = &f32> {
        let (newer, older) = self.items.split_at(self.start(mistake));
        older.iter().chain(newer)
    }

    fn leaves_mut(&mut self, mistake: u8) -> impl Iterator<Item = &mut f32> {
        let start = self.start(mistake);
        let (newer, older) = self.items.split_at_mut(start);
        older.iter_mut().chain(newer)
    }
}

/// Compares the lengths of the rings, and counts their nodes.
fn same_len<L: Lanes, const MISTAKE: u8>(
    rings: &Trees<'_, L, Ring<MISTAKE>>,
    depth: &mut Depth,
    mistake: u8,
) -> Result<(), Error> {
    let len = L::first::<Ring<MISTAKE>>(rings).items.len();
    if MISTAKE != mistake {
        L::require::<Ring<MISTAKE>>(rings, depth, |ring| ring.items.len() == len)?;
    }
    L::count_nodes(depth, len as u32 + 1);
    Ok(())
}

impl<const MISTAKE: u8> Structure for Ring<MISTAKE> {
    const SCHEMA: &'static Schema = match MISTAKE {
        RING_SCHEMA_HOLDS_TWO => &Schema::List(Some(2), f32::SCHEMA),
        _ => &Schema::Unknown,
    };

    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(self.items.len()), |out| out.leaves(self.items.len()));
    }

    fn alike(&self, _: &Self) -> bool {
        MISTAKE == RING_ALIKE_TO_ALL
    }
}

impl<const MISTAKE: u8> TreeWalk<f32> for Ring<MISTAKE> {
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, f32, L, E>,
    ) -> Result<(), E> {
        same_len::<L, MISTAKE>(&rings, depth, RING_WALK_LANES_DO_NOT_COMPARE)?;
        let leaves = L::map(
            rings,
            |ring| ring.leaves(RING_WALK_LANES),
            |ring| ring.leaves_mut(RING_WALK_LANES),
        );
        let level = WalkPath::level(visit.path());
        for (index, leaves) in L::iter(leaves).enumerate() {
            WalkPath::index(visit.path(), level, index);
            visit.leaf(leaves)?;
        }
        Ok(())
    }
}

impl<const MISTAKE: u8> TreeRead<f32> for Ring<MISTAKE> {}

impl<const MISTAKE: u8> TreeWrite<f32> for Ring<MISTAKE> {}

impl<const MISTAKE: u8> TreeBuild<f32> for Ring<MISTAKE> {
    fn take_leaves(self, visit: &mut impl FnMut(f32)) {
        self.leaves(RING_TAKE).copied().for_each(visit);
    }

    fn build<'d, R: Rebuild<'d, f32>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        let (_, mut children) = rebuild.begin(list, Kind::List)?;
        let mut items = Vec::new();
        while rebuild.peek(&children).is_some() {
            items.push(rebuild.leaf(&mut children)?);
        }
        rebuild.end(children)?;
        Some(Self { head: 0, items })
    }
}

impl<const MISTAKE: u8> MapTree<f32, f32> for Ring<MISTAKE> {
    type Output = Self;

    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        rings: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl VisitLanes<'a, f32, L, E, f32>,
    ) -> Result<Self, E> {
        same_len::<L, MISTAKE>(&rings, depth, RING_MAP_LANES_DO_NOT_COMPARE)?;
        let leaves = L::map(
            rings,
            |ring| ring.leaves(RING_MAP_LANES),
            |ring| ring.leaves_mut(RING_MAP_LANES),
        );
        let level = WalkPath::level(map.path());
        let after = usize::from(MISTAKE == RING_MAP_LANES_NAME_THE_NEXT);
        let items = L::iter(leaves).enumerate().map(|(index, leaves)| {
            WalkPath::index(map.path(), level, index + after);
            map.leaf(leaves)
        });
        Ok(Self { head: 0, items: items.collect::<Result<_, E>>()? })
    }
}

impl<const MISTAKE: u8> ZipPrefix<f32, f32, Self> for Ring<MISTAKE> {
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        rings: Trees<'a, L, Self>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Leaves<'p, P, f32>, Leaves<'a, L, f32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = L::first::<Self>(&rings).items.len();
        if MISTAKE != RING_ZIP_DOES_NOT_COMPARE {
            pairing.check::<L>(P::first::<Self>(&prefix).items.len() == len)?;
        }
        (0..=len).for_each(|_| pairing.count_node::<L>());
        let prefix = P::map(prefix, |ring| ring.leaves(u8::MAX), |ring| ring.leaves_mut(u8::MAX));
        let leaves = L::map(rings, |ring| ring.leaves(RING_ZIP), |ring| ring.leaves_mut(RING_ZIP));
        P::iter(prefix).zip(L::iter(leaves)).try_for_each(|(own, other)| visit(own, other))
    }
}

/// The report on a tree.
fn report_on<T>(tree: &T) -> String
where
    T: Tree<f32> + MapTree<f32, f32, Output = T> + ZipPrefix<f32, f32, T> + Clone,
{
    match laws::check(tree, |i| i as f32) {
        Ok(()) => String::new(),
        Err(TestCaseError::Fail(reason)) => reason.to_string(),
        Err(TestCaseError::Reject(reason)) => panic!("rejected: {reason}"),
    }
}

/// The report on a pair with a mistake.
fn report<const MISTAKE: u8, const FIXED: bool>() -> String {
    report_on(&Pair::<MISTAKE, FIXED>(0.0, 0.0))
}

/// The report on a ring with a mistake, whose oldest leaf is the second in memory.
fn report_ring<const MISTAKE: u8>() -> String {
    report_on(&Ring::<MISTAKE> { head: 1, items: vec![0.0; 3] })
}

#[test]
fn a_right_implementation_by_hand_keeps_all_laws() {
    assert_eq!(report::<NONE, false>(), "");
    assert_eq!(report::<NONE, true>(), "");
    assert_eq!(report_ring::<NONE>(), "");
}

#[test]
fn each_mistake_breaks_the_law_that_names_it() {
    const READ: &str = "as many leaves to read as described, and they are those copied out";
    const ORDER: &str = "in the order in which they are read";
    const BUILT: &str = "what is built has the structure";
    const MAP: &str = "a map keeps the structure and the order";
    const ZIP: &str = "a tree fits beside and above itself";
    const TWO: &str = "trees of two structures are an error";
    const NAMES: &str = "names the children as the structure does";
    const CONSTANTS: &str = "the constants are those of the described structure";
    let mistakes = [
        ("walk_lanes swaps", report::<WALK_LANES_SWAPS, false>(), BUILT),
        ("walk_lanes swaps, fixed", report::<WALK_LANES_SWAPS, true>(), BUILT),
        ("walk_lanes skips", report::<WALK_LANES_SKIPS, false>(), READ),
        ("walk_lanes names one", report::<WALK_LANES_NAMES_ONE, false>(), NAMES),
        ("walk_slices swaps", report::<WALK_SLICES_SWAPS, false>(), "in a list"),
        ("take swaps", report::<TAKE_SWAPS, false>(), ORDER),
        ("build swaps", report::<BUILD_SWAPS, false>(), BUILT),
        ("build swaps, fixed", report::<BUILD_SWAPS, true>(), BUILT),
        ("fixed, but asks for a head", report::<FIXED_BUT_ASKS, true>(), BUILT),
        ("build takes any head", report::<BUILD_TAKES_ANY_HEAD, false>(), BUILT),
        ("build leaves children", report::<BUILD_LEAVES_CHILDREN, false>(), BUILT),
        ("map_lanes swaps", report::<MAP_LANES_SWAPS, false>(), MAP),
        ("zip stops", report::<ZIP_STOPS, false>(), ZIP),
        ("zip swaps", report::<ZIP_SWAPS, false>(), ZIP),
        ("describe says more", report::<DESCRIBE_SAYS_MORE, false>(), READ),
        ("describe says more, fixed", report::<DESCRIBE_SAYS_MORE, true>(), CONSTANTS),
        ("describe breaks its word", report::<DESCRIBE_BREAKS_ITS_WORD, false>(), "its bound"),
        ("describe changes", report::<DESCRIBE_CHANGES, false>(), "the same each time"),
        ("LEAVES are three", report::<LEAVES_ARE_THREE, false>(), CONSTANTS),
        ("LEAVES are three, fixed", report::<LEAVES_ARE_THREE, true>(), CONSTANTS),
        ("SCHEMA is a list", report::<SCHEMA_IS_A_LIST, true>(), CONSTANTS),
        ("walk_lanes counts one", report::<WALK_LANES_COUNTS_ONE, false>(), TWO),
        ("walk_lanes counts one, fixed", report::<WALK_LANES_COUNTS_ONE, true>(), TWO),
        ("ring: walk_lanes in memory order", report_ring::<RING_WALK_LANES>(), ORDER),
        ("ring: take in memory order", report_ring::<RING_TAKE>(), ORDER),
        ("ring: map_lanes in memory order", report_ring::<RING_MAP_LANES>(), MAP),
        ("ring: zip in memory order", report_ring::<RING_ZIP>(), ZIP),
        ("ring: walk compares no lengths", report_ring::<RING_WALK_LANES_DO_NOT_COMPARE>(), TWO),
        ("ring: map_lanes compare no lengths", report_ring::<RING_MAP_LANES_DO_NOT_COMPARE>(), TWO),
        ("ring: zip compares no lengths", report_ring::<RING_ZIP_DOES_NOT_COMPARE>(), TWO),
        ("ring: map names the next", report_ring::<RING_MAP_LANES_NAME_THE_NEXT>(), NAMES),
        ("ring: alike to all", report_ring::<RING_ALIKE_TO_ALL>(), "alike have one structure"),
        ("ring: SCHEMA holds two", report_ring::<RING_SCHEMA_HOLDS_TWO>(), "fits its type"),
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
    laws::check_leaf_types::<Signal, _>(&(1.5f32, [2u32, 3], vec![f32::NAN])).unwrap();
    laws::check(&[f32::NAN, 1.0], |_| f32::NAN).unwrap();
    laws::check(&((), [0u8; 0]), |i| i as u8).unwrap();
}

#[test]
fn reading_has_room_for_copies_that_are_folded() {
    // Children that are no elements of a list are written before they are compared.
    let child = vec![Some(1.0f32), None];
    let copies = (child.clone(), child.clone(), child);
    let (len, bound) = (structure_len(&copies), structure_bound(&copies).unwrap());
    assert!(len < bound, "{len} {bound}");
    laws::reading::<f32, _>(&copies).unwrap();
    laws::check(&copies, |leaf| u16::try_from(leaf).unwrap().into()).unwrap();
}

/// The bytes of the treedef of a value.
fn structure_len<T: Structure>(value: &T) -> usize {
    let mut bytes = [0; 256];
    structure_into(value, &mut bytes).unwrap().as_bytes().len()
}
