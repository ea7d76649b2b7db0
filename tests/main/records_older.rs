//! Records of other versions of a type: what is loaded, what is counted, and that damage is an error or a value.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::num::NonZero;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use treedef::algebra::{Migrated, Migration, migrate_typed};
use treedef::head::Struct;
use treedef::record::{
    LoadError, OlderLeaf, RecordLeaf, RecordLeaves, load, load_older, load_older_reported,
    load_older_with, save,
};
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{Leaf, Tree, TreeDef, TreeDefBox, Value, View, flatten, schema_of};

mod v1 {
    use std::collections::BTreeMap;

    use treedef::{Meta, Tree};

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Unit {
        Volt,
        Amp,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Torque { max: f32 },
        Steps(Vec<u8>),
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Channel")]
    pub(super) struct Channel {
        pub(super) gain: i16,
        pub(super) note: Option<Option<u8>>,
        #[tree(meta)]
        pub(super) unit: Unit,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Chain")]
    pub(super) struct Chain {
        pub(super) value: u16,
        pub(super) next: Option<Box<Chain>>,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings", meta(version = 1))]
    pub(super) struct Settings {
        pub(super) name: String,
        pub(super) mode: Mode,
        pub(super) channels: Vec<Channel>,
        pub(super) pairs: [(u8, bool); 2],
        pub(super) table: BTreeMap<String, u32>,
        pub(super) chain: Chain,
        pub(super) retries: u32,
    }
}

mod v2 {
    use std::collections::BTreeMap;
    use std::num::NonZero;

    use treedef::Tree;

    use super::v1::{Chain, Unit};

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        #[tree(alias = "Steps")]
        Trace(Vec<u16>),
        Off,
        Torque {
            max: f64,
        },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Channel")]
    pub(super) struct Channel {
        #[tree(default = 0.5)]
        pub(super) offset: f32,
        #[tree(default = "new ".repeat(20))]
        pub(super) label: String,
        pub(super) gain: i64,
        pub(super) note: Option<Option<u8>>,
        #[tree(meta)]
        pub(super) unit: Unit,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings", meta(version = 2))]
    pub(super) struct Settings {
        pub(super) channels: Vec<Channel>,
        pub(super) pairs: [(u8, bool); 3],
        #[tree(alias = "table")]
        pub(super) limits: BTreeMap<String, u64>,
        pub(super) mode: Mode,
        pub(super) name: heapless::String<6>,
        pub(super) chain: Chain,
        pub(super) retries: NonZero<u8>,
    }
}

fn chain(values: &[u16]) -> v1::Chain {
    let (value, rest) = values.split_first().unwrap();
    let next = (!rest.is_empty()).then(|| Box::new(chain(rest)));
    v1::Chain { value: *value, next }
}

fn old() -> v1::Settings {
    let channel = |gain, note, unit| v1::Channel { gain, note, unit };
    v1::Settings {
        name: "left".to_owned(),
        mode: v1::Mode::Steps(vec![1, 200, 3]),
        channels: vec![
            channel(-300, None, v1::Unit::Amp),
            channel(5, Some(None), v1::Unit::Volt),
            channel(6, Some(Some(7)), v1::Unit::Volt),
        ],
        pairs: [(1, true), (2, false)],
        table: BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 70_000)]),
        chain: chain(&[1, 2, 3]),
        retries: 9,
    }
}

fn defaults() -> v2::Settings {
    v2::Settings {
        channels: vec![],
        pairs: [(8, true), (8, true), (9, true)],
        limits: BTreeMap::new(),
        mode: v2::Mode::Off,
        name: heapless::String::new(),
        chain: chain(&[0]),
        retries: NonZero::new(3).unwrap(),
    }
}

/// What a record is under the newer type: the value, the counts, and the reports.
fn load_old(old: &v1::Settings) -> (v2::Settings, Migrated, Vec<String>) {
    let (record, schema) = (save(old).unwrap(), schema_of::<v1::Settings>());
    let (mut texts, room, own) = (Vec::new(), &mut [0; 4096], defaults());
    let report = |report: Migration<'_>| texts.push(report.to_string());
    let loaded = load_older_reported(&record, schema, &own, &[], room, |_| {}, report);
    assert_eq!(load_older(&record, schema, &own, &[], room), loaded);
    let (tree, migrated) = loaded.unwrap();
    (tree, migrated, texts)
}

#[test]
fn a_record_of_an_older_version_keeps_all_that_has_a_place() {
    let (tree, migrated, texts) = load_old(&old());
    let channel =
        |gain, note, unit| v2::Channel { offset: 0.5, label: "new ".repeat(20), gain, note, unit };
    let expected = v2::Settings {
        channels: vec![
            channel(-300, None, v1::Unit::Amp),
            channel(5, Some(None), v1::Unit::Volt),
            channel(6, Some(Some(7)), v1::Unit::Volt),
        ],
        pairs: [(1, true), (2, false), (9, true)],
        limits: BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 70_000)]),
        mode: v2::Mode::Trace(vec![1, 200, 3]),
        name: "left".try_into().unwrap(),
        chain: chain(&[1, 2, 3]),
        retries: NonZero::new(9).unwrap(),
    };
    assert_eq!(tree, expected);
    assert_eq!((migrated.lost, migrated.replaced, migrated.dropped), (0, 0, 0), "{texts:#?}");
    // The version is a constant of the type, so that of the record is lost.
    assert_eq!(migrated.lost_meta, 1);
    assert!(texts.contains(&"moved .table to .limits".to_owned()), "{texts:#?}");
    assert!(texts.contains(&"new .channels[0].label".to_owned()), "{texts:#?}");
    let converted = "converted .channels[0].gain: int16 was stored, and it is int64 now";
    assert!(texts.contains(&converted.to_owned()), "{texts:#?}");
}

#[test]
fn a_leaf_that_has_no_value_in_the_new_type_is_refused() {
    let mut old = old();
    (old.name, old.retries) = ("too long".to_owned(), 0);
    let (tree, migrated, texts) = load_old(&old);
    assert_eq!((tree.name.as_str(), tree.retries.get()), ("", 3));
    assert_eq!((migrated.lost, migrated.replaced), (2, 2));
    let name = "refused .name: alloc::string::String was stored, and str<6> has no such value";
    let retries = "refused .retries: uint32 was stored, and NonZero<u8> has no such value";
    assert!([name, retries].iter().all(|text| texts.contains(&(*text).to_owned())), "{texts:#?}");
    old.retries = 256;
    assert_eq!(load_old(&old).0.retries.get(), 3);
    old.retries = 255;
    assert_eq!(load_old(&old).0.retries.get(), 255);
}

/// Loads a `u` as a `T`.
fn as_type<U, T>(leaf: U, default: T) -> Option<T>
where
    U: TreeWalk<RecordLeaves>,
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
{
    let record = save(&leaf).unwrap();
    let loaded = load_older(&record, schema_of::<U>(), &default, &[], &mut [0; 512]);
    let (tree, migrated) = loaded.unwrap();
    migrated.is_complete().then_some(tree)
}

#[test]
fn a_leaf_keeps_its_value_or_is_refused() {
    let near = |bits: u32| [-1, 0, 1].map(|more| (1i128 << bits) + more);
    for number in (0..127).flat_map(near).flat_map(|number| [number, -number]) {
        macro_rules! all {
            ($($U:ty),*) => {$(
                <$U>::try_from(number).into_iter().for_each(|leaf| {
                    all!(@to leaf: u8, i8, u16, i32, u64, i64, usize, isize, u128, i128);
                });
            )*};
            (@to $leaf:ident: $($T:ty),*) => {$(
                assert_eq!(as_type($leaf, 0 as $T), <$T>::try_from(number).ok(), "{number}");
            )*};
        }
        all!(u8, i8, u16, i32, u64, i64, isize, u128, i128);
    }
    assert_eq!((as_type(u128::MAX, 1u128), as_type(u128::MAX, 0i128)), (Some(u128::MAX), None));
    assert_eq!(as_type(0u8, NonZero::<u16>::MIN), None);
    assert_eq!(as_type(NonZero::new(5u16).unwrap(), 0u8), Some(5));
    assert_eq!(as_type(1.5f32, 0.0f64), Some(1.5));
    assert_eq!(as_type(1.5f64, 0.0f32), None);
    assert_eq!(as_type(1u32, 0.0f32), None);
    assert_eq!((as_type(true, 0u8), as_type('a', 0u32)), (None, None));
    let of_two = |text: &str| as_type(text.to_owned(), heapless::String::<2>::new());
    assert_eq!((of_two("ab").as_deref(), of_two("abc")), (Some("ab"), None));
    assert_eq!(as_type((Some(3u16),), (Some(0u32),)), Some((Some(3),)));
}

#[test]
fn a_newer_record_loads_under_the_older_type() {
    let (tree, ..) = load_old(&old());
    let record = save(&tree).unwrap();
    let aliases = [("limits", "table")];
    let (back, migrated) =
        load_older(&record, schema_of::<v2::Settings>(), &old(), &aliases, &mut [0; 4096]).unwrap();
    assert_eq!((back.channels, back.table, back.chain), (old().channels, old().table, old().chain));
    // The older type knows no variant of this name, and no offsets and labels.
    assert_eq!((back.mode, back.name.as_str()), (old().mode, "left"));
    assert_eq!((migrated.replaced, migrated.lost), (1, 3 + 2 * 3 + 2));
}

#[test]
fn a_function_converts_leaves_of_other_types() {
    let record = save(&(-40i16, 2u8, 7u8)).unwrap();
    let schema = schema_of::<(i16, u8, u8)>();
    let mut places = Vec::new();
    let convert = |leaf: &mut OlderLeaf<'_>| {
        places.push(format!("{} {} {} {}", leaf.path, leaf.stored, leaf.from, leaf.to));
        match (leaf.from, leaf.get::<i16>()) {
            ("int16", Some(celsius)) => {
                leaf.set(&celsius);
                // The last one counts.
                leaf.set(&(f32::from(celsius) + 273.15));
            }
            // No `bool` has this byte, so it is refused all the same.
            _ => leaf.set(&9u8),
        }
    };
    let loaded =
        load_older_with(&record, schema, &(0.0f32, true, 0u8), &[], &mut [0; 192], convert);
    let (tree, migrated) = loaded.unwrap();
    assert_eq!(tree, (233.15, true, 7));
    assert_eq!((migrated.moved, migrated.replaced), (2, 1));
    assert_eq!(places, ["[0] [0] int16 float32", "[1] [1] uint8 bool"]);
}

#[test]
fn an_older_type_name_is_no_alias_of_a_field() {
    #[derive(treedef::Tree)]
    #[tree(name = "Inner", meta(version = 1))]
    struct Inner {
        gain: u8,
    }

    #[derive(treedef::Tree)]
    #[tree(name = "Outer")]
    struct Old {
        kept: u8,
        extra: Inner,
    }

    #[derive(treedef::Tree, Debug, PartialEq)]
    #[tree(name = "Outer", alias = "extra")]
    struct New {
        kept: u8,
    }

    let record = save(&Old { kept: 5, extra: Inner { gain: 7 } }).unwrap();
    let (new, migrated) = load_both::<Old, _>(&record, &New { kept: 0 }).unwrap();
    assert_eq!((new.kept, migrated.lost, migrated.lost_meta), (5, 1, 1));
}

#[test]
fn a_meta_field_around_a_part_that_takes_the_place_of_its_node_is_lost() {
    #[derive(treedef::Tree)]
    #[tree(name = "Wrapper")]
    struct Wrapper {
        #[tree(meta)]
        unit: u8,
        gain: f32,
    }

    let record = save(&(Wrapper { unit: 3, gain: 2.5 },)).unwrap();
    let (schema, aliases) = (schema_of::<(Wrapper,)>(), &[("[0].gain", "[0]")]);
    let (new, migrated) = load_older(&record, schema, &(0.0f32,), aliases, &mut [0; 128]).unwrap();
    assert_eq!((new, migrated.moved, migrated.lost_meta), ((2.5,), 1, 1));
}

/// Loads a value of an older version as a record and as a treedef, which is the same.
fn load_in_two_ways<U, T>(
    old: &U,
    defaults: &T,
    aliases: &[(&str, &str)],
) -> (T, Migrated, Vec<String>)
where
    U: Tree<f32> + TreeWalk<RecordLeaves>,
    T: Tree<f32> + TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + PartialEq + Debug,
{
    let (record, (def, leaves)) = (save(old).unwrap(), flatten(old).unwrap());
    let short = load_older(&record, schema_of::<U>(), defaults, aliases, &mut [0; 4096]).unwrap();
    let mut texts = Vec::new();
    let report = |report: Migration<'_>| texts.push(report.to_string());
    let stored = View::new(&def, &leaves).unwrap();
    assert_eq!(migrate_typed(stored, defaults, aliases, report).unwrap(), short);
    (short.0, short.1, texts)
}

#[test]
fn meta_fields_of_a_moved_part_of_a_moved_node_are_not_lost() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Pid {
        #[tree(meta)]
        unit: u8,
        kp: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Axis")]
    struct Axis {
        pid: Pid,
        limit: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Motor")]
    struct Old {
        x: Axis,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Axis")]
    struct Rest {
        limit: f32,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Motor")]
    struct New {
        y: Rest,
        pid: Pid,
    }

    let old = Old { x: Axis { pid: Pid { unit: 3, kp: 1.0 }, limit: 2.0 } };
    let defaults = New { y: Rest { limit: 0.0 }, pid: Pid { unit: 0, kp: 0.0 } };
    let aliases = [("x", "y"), ("x.pid", "pid")];
    let (new, migrated, _) = load_in_two_ways(&old, &defaults, &aliases);
    assert_eq!(new, New { y: Rest { limit: 2.0 }, pid: Pid { unit: 3, kp: 1.0 } });
    assert_eq!((migrated.lost, migrated.lost_meta, migrated.is_complete()), (0, 0, true));

    // A node of another type, whose leaves moved.
    let (old, defaults) = ((Pid { unit: 3, kp: 1.0 },), (Rest { limit: 2.0 }, 0.0));
    let (new, migrated, _) = load_in_two_ways(&old, &defaults, &[("[0].kp", "[1]")]);
    assert_eq!(new, (Rest { limit: 2.0 }, 1.0));
    assert_eq!((migrated.lost, migrated.lost_meta, migrated.replaced), (0, 1, 0));
}

#[test]
fn keys_of_a_map_without_leaves_are_lost_with_it() {
    type Tags = BTreeMap<String, Option<()>>;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Tagged")]
    struct Old<T> {
        gain: f32,
        tags: T,
        kept: BTreeMap<u8, ()>,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Tagged")]
    struct New {
        gain: f32,
        kept: BTreeMap<u8, ()>,
    }

    let kept = BTreeMap::from([(7, ())]);
    let tags: Tags = [("a", Some(())), ("b", None)].map(|(key, tag)| (key.into(), tag)).into();
    let old = Old { gain: 1.0, tags: (tags, 2.0f32), kept: kept.clone() };
    let defaults = New { gain: 0.0, kept: BTreeMap::new() };
    let (new, migrated, texts) = load_in_two_ways(&old, &defaults, &[]);
    assert_eq!(new, New { gain: 1.0, kept: kept.clone() });
    assert_eq!(
        (migrated.lost, migrated.lost_meta, texts.as_slice()),
        (1, 2, &["lost .tags".to_owned()][..])
    );
    // Nothing is lost with an empty one.
    let old = Old { tags: Tags::new(), gain: 1.0, kept };
    assert!(load_in_two_ways(&old, &defaults, &[]).1.is_complete());
}

#[test]
fn aliases_at_fields_and_of_the_load_move_parts_of_one_node() {
    #[derive(Tree)]
    #[tree(name = "Gains")]
    struct Gains {
        p: f32,
        i: f32,
        d: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Axis")]
    struct Old {
        gains: Gains,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Gains")]
    struct Rest {
        d: f32,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Axis")]
    struct New {
        gains: Rest,
        #[tree(alias = "gains.p")]
        kp: f32,
        ki: f32,
    }

    let old = Old { gains: Gains { p: 1.0, i: 2.0, d: 3.0 } };
    let (defaults, aliases) =
        (New { gains: Rest { d: 0.0 }, kp: 0.0, ki: 0.0 }, [("gains.i", "ki")]);
    let (new, migrated, texts) = load_in_two_ways(&old, &defaults, &aliases);
    assert_eq!(new, New { gains: Rest { d: 3.0 }, kp: 1.0, ki: 2.0 });
    assert_eq!((migrated.moved, migrated.lost), (3, 0));
    assert_eq!(texts, ["moved .gains.p to .kp", "moved .gains.i to .ki"]);
}

#[test]
fn a_key_that_a_map_cannot_have_loses_itself_also_if_its_value_moved() {
    let old = (BTreeMap::from([(3u16, 1.0f32), (300, 5.0)]), 2.0f32);
    let defaults = (BTreeMap::from([(9u8, 9.0f32)]), 0.0f32, 0.0f32);
    let (new, migrated, texts) = load_in_two_ways(&old, &defaults, &[("[0][300]", "[2]")]);
    assert_eq!(new, (BTreeMap::from([(3, 1.0)]), 2.0, 5.0));
    assert_eq!((migrated.moved, migrated.lost, migrated.new, migrated.dropped), (3, 0, 0, 1));
    assert!(texts[0].starts_with("dropped [0][300]: ") && texts[1] == "moved [0][300] to [2]");
}

#[test]
fn a_long_list_whose_elements_moved_has_no_elements_of_the_defaults() {
    let old: (Vec<(f32,)>,) = ((0..8u8).map(|i| (f32::from(i),)).collect(),);
    let defaults = (vec![100.0f32; 8],);
    let (new, migrated, _) = load_in_two_ways(&old, &defaults, &[("[0][*][0]", "[0][*]")]);
    assert_eq!(new.0, (0..8u8).map(f32::from).collect::<Vec<_>>());
    assert_eq!((migrated.moved, migrated.replaced), (8, 0));
}

#[test]
fn what_is_not_in_the_value_is_reported() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Pair {
        x: f32,
        y: f32,
    }
    // Elements whose parts moved, where another part has no default.
    let gains = (vec![2.0f32, 4.0], 8.0f32);
    let aliases = &[("[0][*]", "[0][*].x")];
    let (new, migrated, texts) = load_in_two_ways(&gains, &(Vec::<Pair>::new(), 9.0f32), aliases);
    assert_eq!((new, migrated.lost, migrated.dropped), ((vec![], 8.0), 2, 2));
    assert!(texts[1].starts_with("dropped [0][0]: "), "{texts:?}");

    // An option needs no default.
    let pairs = vec![([1.0f32, 2.0], 3.0f32)];
    let (new, migrated, texts) = load_in_two_ways(&pairs, &Vec::<(Option<f32>, f32)>::new(), &[]);
    assert_eq!((new, migrated.lost, migrated.replaced), (vec![(None, 3.0)], 2, 1));
    assert!(texts.len() == 1 && texts[0].starts_with("replaced [0][0]: "), "{texts:?}");
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Gains {
        #[tree(default = Some(5.0))]
        x: Option<f32>,
        y: f32,
    }
    #[derive(Tree)]
    #[tree(name = "Pair")]
    struct Lists {
        x: Vec<f32>,
        y: f32,
    }
    let lists = vec![Lists { x: vec![1.0], y: 3.0 }];
    let (new, migrated, _) = load_in_two_ways(&lists, &Vec::<Gains>::new(), &[]);
    assert_eq!((new, migrated.replaced), (vec![Gains { x: Some(5.0), y: 3.0 }], 1));

    // The alias of a meta field is not about a leaf of that name.
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Named {
        x: f32,
        #[tree(meta, alias = "y")]
        index: i16,
    }
    let (old, defaults) = (Pair { x: 1.0, y: 2.0 }, Named { x: 0.0, index: 7 });
    let (new, migrated, texts) = load_in_two_ways(&old, &defaults, &[]);
    assert_eq!((new, migrated.lost), (Named { x: 1.0, index: 7 }, 1));
    assert_eq!(texts, ["lost .y"]);
}

#[test]
fn what_has_its_default_because_aliases_moved_all_that_was_there_is_new() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Pid {
        kp: f32,
        ki: f32,
    }
    // A leaf, a struct and an option of another kind than what is stored; another place has the stored leaves.
    let (new, migrated, texts) =
        load_in_two_ways(&([1.0f32],), &(8.0f32, 9.0f32), &[("[0][0]", "[1]")]);
    assert_eq!((new, migrated.new, migrated.is_complete()), ((8.0, 1.0), 1, true));
    assert_eq!(texts, ["new [0]", "moved [0][0] to [1]"]);
    let defaults = (None::<Pid>, 9.0f32);
    let (new, migrated, _) = load_in_two_ways(&([1.0f32],), &defaults, &[("[0][0]", "[1]")]);
    assert_eq!((new, migrated.new, migrated.is_complete()), ((None, 1.0), 1, true));
    // A part of it is stored.
    let (defaults, aliases) = (([8.0f32; 2], 9.0f32), [("[0].kp", "[0][0]"), ("[0].ki", "[1]")]);
    let (new, migrated, texts) =
        load_in_two_ways(&(Pid { kp: 1.0, ki: 2.0 },), &defaults, &aliases);
    assert_eq!((new, migrated.new, migrated.is_complete()), (([1.0, 8.0], 2.0), 1, true));
    assert_eq!(texts, ["moved [0].kp to [0][0]", "new [0]", "moved [0].ki to [1]"]);
    // All of it is.
    let (defaults, aliases) =
        ((Pid { kp: 8.0, ki: 9.0 },), [("[0][0]", "[0].kp"), ("[0][1]", "[0].ki")]);
    let (new, migrated, _) = load_in_two_ways(&([1.0f32, 2.0],), &defaults, &aliases);
    assert_eq!((new, migrated.new, migrated.is_complete()), ((Pid { kp: 1.0, ki: 2.0 },), 0, true));
}

#[test]
fn a_constant_that_did_not_change_is_not_reported() {
    mod old {
        #[derive(treedef::Tree)]
        #[tree(name = "Gains", meta(version = 7))]
        pub(super) struct Gains {
            pub(super) kp: f32,
            pub(super) ki: f32,
        }
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Gains", meta(version = 7))]
    struct Gains {
        ki: f32,
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Gains", meta(version = 8))]
    struct Later {
        ki: f32,
    }
    // No element of the defaults shows the constants.
    let old = vec![old::Gains { kp: 1.0, ki: 2.0 }];
    let (new, migrated, texts) = load_in_two_ways(&old, &Vec::<Gains>::new(), &[]);
    assert_eq!((new, migrated.lost_meta), (vec![Gains { ki: 2.0 }], 0));
    assert_eq!(texts, ["lost [0].kp"]);
    let (new, migrated, texts) = load_in_two_ways(&old, &Vec::<Later>::new(), &[]);
    assert_eq!((new, migrated.lost_meta), (vec![Later { ki: 2.0 }], 1));
    assert_eq!(texts, ["lost the meta field version = 7 of [0]", "lost [0].kp"]);
}

#[test]
fn an_alias_into_a_variant_or_a_field_that_was_renamed_goes_by_what_is_stored() {
    #[derive(Tree)]
    #[tree(name = "Mode")]
    enum Old {
        Hold { gain: f32 },
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Mode")]
    enum New {
        Keep { gain: f32 },
        Turn { rate: f32 },
    }
    // The stored variant has no such field, so the alias does nothing, whichever variant the default is.
    let (old, defaults) = ((Old::Hold { gain: 1.0 }, 5.0), (New::Turn { rate: 8.0 }, 9.0));
    let aliases = [("Mode::Hold", "Mode::Keep"), ("[1]", "[0].rate")];
    let (new, migrated, _) = load_in_two_ways(&old, &defaults, &aliases);
    assert_eq!((new, migrated.is_complete()), ((New::Keep { gain: 1.0 }, 5.0), true));

    // Of a field that has another name, too.
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Axis")]
    struct Named {
        mode: New,
    }
    #[derive(Tree)]
    #[tree(name = "Axis")]
    struct Unnamed {
        state: New,
    }
    let old = (Unnamed { state: New::Keep { gain: 1.0 } }, 5.0);
    let defaults = (Named { mode: New::Turn { rate: 8.0 } }, 9.0);
    let aliases = [("state", "mode"), ("[1]", "[0].mode.rate")];
    let (new, migrated, _) = load_in_two_ways(&old, &defaults, &aliases);
    assert_eq!((new.0.mode, new.1, migrated.is_complete()), (New::Keep { gain: 1.0 }, 5.0, true));

    // The own name of a variant goes before older ones: what moves into it is not left where it was.
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Mode")]
    enum Swapped {
        #[tree(alias = "Hold")]
        Off { gain: f32 },
        Hold {
            gain: f32,
            #[tree(default)]
            rate: f32,
        },
    }
    let (old, defaults) = ((Old::Hold { gain: 1.0 }, 5.0), (Swapped::Off { gain: 8.0 }, 9.0));
    let (new, migrated, texts) = load_in_two_ways(&old, &defaults, &[("[1]", "[0].rate")]);
    assert_eq!((new, migrated.new), ((Swapped::Hold { gain: 1.0, rate: 5.0 }, 9.0), 1));
    assert_eq!(texts, ["moved [1] to [0].rate", "new [1]"]);
}

#[test]
fn an_alias_moves_an_empty_option_and_a_leaf_twice() {
    let defaults = ((), Some(Some(1.0f32)));
    let (new, migrated, texts) =
        load_in_two_ways(&(Some(None::<f32>),), &defaults, &[("[0]", "[1]")]);
    assert_eq!((new.1, migrated.replaced), (Some(None), 0));
    assert_eq!(texts.iter().filter(|text| text.starts_with("moved")).count(), 1);

    // A leaf that is moved twice hides no loss.
    let (old, by) = ((1.0f32, 2.0f32), [("[0]", "[2]"), ("[0]", "[4]"), ("[1]", "[3]")]);
    let (record, schema) = (save(&old).unwrap(), schema_of::<(f32, f32)>());
    let (defaults, room) = (((), (), 0.0f32, [0.0f32], 0.0f32), &mut [0; 1024]);
    let short = load_older(&record, schema, &defaults, &by, room).unwrap();
    let long = load_older_reported(&record, schema, &defaults, &by, room, |_| {}, |_| {}).unwrap();
    assert_eq!((long, short.1.moved, short.1.lost), (short, 1, 1));
}

#[test]
fn a_leaf_that_an_alias_gives_the_default_of_another_variant_is_not_lost() {
    mod old {
        #[derive(treedef::Tree)]
        #[tree(name = "Mode")]
        pub(super) enum Mode {
            Pid { kp: f32 },
            Held { old: super::Part },
        }
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Mode")]
    enum Mode {
        Pid { kp: f32, kd: f32 },
        Speed { gain: f32 },
        Whole { part: Part },
    }

    // The stored variant lacks `kd`, so the default stays, and takes a leaf of the stored one.
    let (stored, defaults) = ((old::Mode::Pid { kp: 2.0 },), (Mode::Speed { gain: 1.0 },));
    let (new, migrated, texts) = load_in_two_ways(&stored, &defaults, &[("[0].kp", "[0].gain")]);
    assert_eq!(new.0, Mode::Speed { gain: 2.0 });
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced), (1, 0, 1));
    assert_eq!(
        texts.last().unwrap(),
        "replaced [0]: variant Mode::Pid was stored, and [0].kd has no default"
    );
    // Nor are meta fields of what it gives that.
    let (stored, whole) = ((stored.0, Part { x: 3.0 }), |x| Mode::Whole { part: Part { x } });
    let (new, migrated, _) = load_in_two_ways(&stored, &(whole(1.0),), &[("[1]", "[0].part")]);
    assert_eq!((new.0, migrated.lost, migrated.lost_meta), (whole(3.0), 1, 0));
    let stored = (old::Mode::Held { old: Part { x: 3.0 } }, stored.1);
    let (new, migrated, _) = load_in_two_ways(&stored, &(whole(1.0),), &[("[0].old", "[0].part")]);
    assert_eq!((new.0, migrated.lost, migrated.lost_meta), (whole(3.0), 1, 1));
}

/// A struct with a meta field.
#[derive(Tree, Debug, PartialEq)]
#[tree(name = "Part", meta(version = 2))]
struct Part {
    x: f32,
}

#[test]
fn meta_fields_of_what_an_alias_gives_a_part_of_a_replaced_place_are_lost() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Pair {
        part: Part,
        y: f32,
    }

    // A struct is no leaf, so there is no pair, although its first part could be made.
    let part = || Part { x: 1.0 };
    let old = (Some(Some(part())), part());
    let by = [("[0]", "[2].part"), ("[1]", "[2].y")];
    let (new, migrated, _) = load_in_two_ways(&old, &((), (), None::<Pair>), &by);
    assert_eq!((new.2, migrated.replaced, migrated.lost, migrated.lost_meta), (None, 1, 2, 2));
    // The default has what it can.
    let pair = |x| Pair { part: Part { x }, y: 3.0 };
    let (new, migrated, _) = load_in_two_ways(&old, &((), (), pair(2.0)), &by);
    assert_eq!((new.2, migrated.replaced, migrated.lost, migrated.lost_meta), (pair(1.0), 1, 1, 0));
    // An element that is dropped has nothing.
    let (old, by) = ((vec![Part { x: 4.0 }], part()), [("[1]", "[0][*].part")]);
    let (new, migrated, _) = load_in_two_ways(&old, &(Vec::<Pair>::new(), ()), &by);
    assert_eq!((new.0, migrated.dropped, migrated.lost, migrated.lost_meta), (vec![], 1, 2, 1));
    // Each element that has no other place is lost once.
    let old = (vec![part(), part()], part());
    let by = [("[0][*]", "[2][0][*]"), ("[0][*]", "[3][*]"), ("[1]", "[2][1]")];
    let defaults = ((), (), None::<([Part; 2], f32)>, [Part { x: 4.0 }]);
    for by in [&[by[0], by[1], by[2], by[0]][..], &by] {
        let (new, migrated, _) = load_in_two_ways(&old, &defaults, by);
        assert_eq!((new.3, migrated.moved, migrated.lost_meta), ([part()], 1, 2), "{by:?}");
    }
    // All elements of an array that neither what is stored nor the default has get it.
    let defaults = ((), None::<([Part; 2],)>);
    let (new, migrated, _) = load_in_two_ways(&(part(),), &defaults, &[("[0]", "[1][0][*]")]);
    assert_eq!((new.1, migrated.is_complete()), (Some(([part(), part()],)), true));
}

#[test]
fn meta_fields_of_a_node_whose_parts_all_moved_are_lost() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Other")]
    struct Other {
        z: f32,
    }

    // Another struct is there now; or one of that name that needs more than is stored.
    let (old, by) = ((Part { x: 1.0 },), [("[0].x", "[1]")]);
    let (new, migrated, _) = load_in_two_ways(&old, &(Other { z: 2.0 }, 0.0f32), &by);
    assert_eq!((new, migrated.lost_meta), ((Other { z: 2.0 }, 1.0), 1));
    mod now {
        #[derive(treedef::Tree, Debug, PartialEq)]
        #[tree(name = "Part")]
        pub(super) struct Part {
            pub(super) z: f32,
        }
    }
    let (new, migrated, _) = load_in_two_ways(&old, &(None::<now::Part>, 0.0f32), &by);
    assert_eq!((new, migrated.moved, migrated.lost_meta), ((None, 1.0), 1, 1));
}

#[test]
fn a_map_whose_alias_leads_nowhere_loses_its_keys() {
    let old = (None::<Part>, BTreeMap::from([(3u8, BTreeMap::<u8, f32>::new())]));
    let by = [("[1]", "[0].x")];
    let (_, migrated, texts) = load_in_two_ways(&old, &(None::<Part>,), &by);
    assert_eq!((migrated.lost_meta, texts.last().unwrap().as_str()), (1, "lost [1]"));
}

#[test]
fn errors_say_what_is_wrong() {
    let (old, schema) = (old(), schema_of::<v1::Settings>());
    let record = save(&old).unwrap();
    let load_in = |room: &mut [u8]| load_older(&record, schema, &defaults(), &[], room);
    let report_in = |room: &mut [u8]| {
        load_older_reported(&record, schema, &defaults(), &[], room, |_| {}, |_| {})
    };
    // The least room is found by what the error asks for.
    for load_in in [&load_in as &dyn Fn(&mut [u8]) -> _, &report_in] {
        let (mut room, mut tries) = (Vec::new(), 0);
        let loaded = loop {
            match load_in(&mut room) {
                Err(LoadError::NoRoom { needed, room: had }) => {
                    assert!(needed > had && had == room.len(), "{needed} {had}");
                    room.resize(needed, 0);
                    tries += 1;
                }
                loaded => break loaded.unwrap(),
            }
        };
        assert_eq!(loaded.0, load_old(&old).0);
        assert!((2..=6).contains(&tries), "{tries}");
        room.pop();
        assert!(matches!(load_in(&mut room), Err(LoadError::NoRoom { .. })));
    }
    // The schema of another version.
    let other = load_older(&record, schema_of::<v2::Settings>(), &defaults(), &[], &mut [0; 4096]);
    assert_eq!(other, Err(LoadError::OtherType { key: schema.fingerprint() }));
    assert_eq!(load::<v2::Settings>(&record).err(), other.err());
}

#[test]
fn a_list_is_no_longer_than_its_type_says() {
    type Old = (heapless::Vec<bool, 2>,);
    let mut record = save(&(heapless::Vec::<bool, 2>::from_slice(&[true; 2]).unwrap(),)).unwrap();
    let defaults = (vec![], 7u8);
    let schema = schema_of::<Old>();
    let load = |record: &[u8]| load_older(record, schema, &defaults, &[], &mut [0; 256]);
    assert_eq!(load(&record).unwrap().0, (vec![true; 2], 7));
    record.insert(10, 1);
    *record.last_mut().unwrap() = 3;
    assert_eq!(load(&record), Err(LoadError::Damaged { at: record.len() }));
}

#[test]
fn the_room_of_a_load_has_choices_of_more_than_256_bytes() {
    type List<const N: usize> = heapless::Vec<Option<u8>, N>;
    let record = save(&List::<2>::from_array([Some(3), None])).unwrap();
    let load = |room: &mut [u8]| {
        load_older(&record, schema_of::<List<2>>(), &List::<300>::new(), &[], room)
    };
    assert!(matches!(load(&mut [0; 302]), Err(LoadError::NoRoom { needed: 303.., room: 302 })));
    assert_eq!(load(&mut [0; 512]).unwrap().0, [Some(3), None]);
}

#[test]
fn a_damaged_record_of_an_older_version_is_an_error_or_a_value() {
    let (record, schema) = (save(&old()).unwrap(), schema_of::<v1::Settings>());
    let mut room = vec![0; 1 << 14];
    let load = |record: &[u8], room: &mut [u8]| load_older(record, schema, &defaults(), &[], room);
    for len in 0..record.len() {
        assert!(load(&record[..len], &mut room).is_err(), "{len}");
    }
    for bit in 0..record.len() * 8 {
        let mut flipped = record.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok((tree, _)) = load(&flipped, &mut room) {
            assert_eq!(treedef::record::load::<v2::Settings>(&save(&tree).unwrap()), Ok(tree));
        }
    }
}

/// A value loaded from a record by both functions, which give the same.
fn load_both<U, T>(record: &[u8], defaults: &T) -> Result<(T, Migrated), LoadError>
where
    U: TreeWalk<RecordLeaves>,
    T: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + PartialEq + Debug,
{
    let (schema, mut room) = (schema_of::<U>(), vec![0; 1 << 16]);
    let loaded = load_older(record, schema, defaults, &[], &mut room);
    let with_reports =
        load_older_reported(record, schema, defaults, &[], &mut room, |_| {}, |_| {});
    assert_eq!(loaded, with_reports);
    loaded
}

#[derive(treedef::Tree, Clone, Debug, PartialEq)]
#[tree(name = "Sum")]
enum Sum {
    Add { left: Box<Sum>, right: Box<Sum> },
    Number(u8),
    Minus(Box<Sum>),
}

#[test]
fn a_recursion_in_a_variant_is_one_in_the_enum() {
    let number = |number| Box::new(Sum::Number(number));
    let sum = Sum::Add { left: number(2), right: number(3) };
    let sum = Sum::Add { left: Box::new(Sum::Minus(number(1))), right: Box::new(sum) };
    let record = save(&(sum.clone(),)).unwrap();
    let loaded = load_both::<(Sum,), _>(&record, &(Sum::Number(0), 7u8)).unwrap();
    assert_eq!((loaded.0, loaded.1.moved), ((sum, 7), 3));
}

#[test]
fn a_stored_value_has_as_many_levels_as_one_of_its_type() {
    let load_chain = |links: usize| {
        let mut long = save(&(chain(&[7; 2]),)).unwrap()[..9].to_vec();
        // The length of the choices, the leaves, and for each option but the last one that it is `Some`.
        long.extend([(links % 128) as u8 | 128, (links / 128) as u8]);
        long.extend([7].repeat(links));
        long.extend([1].repeat(links - 1));
        long.push(0);
        (load::<(v1::Chain,)>(&long), load_both::<(v1::Chain,), _>(&long, &(chain(&[0]), 1u8)))
    };
    let (same, older) = load_chain(63);
    assert_eq!(older.unwrap().0.0, same.unwrap().0);
    for links in [65, 10_000] {
        assert_eq!(load_chain(links).1, Err(LoadError::Damaged { at: 11 + 2 * links }));
    }
}

#[test]
fn a_page_that_leads_around_is_an_error() {
    let recursion =
        Struct { name: "a recursion", fields: &[], meta: &[("to", "a recursion".into())] };
    let page = TreeDefBox::build(|out| {
        let node = out.begin_struct("an enum", &["only"]);
        out.node(&recursion, |_| {});
        out.end(node);
    })
    .unwrap();
    let record = empty_record(page.as_treedef());
    let loaded = load_older(&record, page.as_treedef(), &(1u8,), &[], &mut [0; 64]);
    assert_eq!(loaded.unwrap().0, (1,));
    // An array without a schema of its elements takes the next one: two of each node are in the one around it.
    let page = TreeDefBox::build(|out| {
        let array = Struct { name: "an array", fields: &[], meta: &[("room", Value::Int(1))] };
        let mut nodes = Vec::new();
        for _ in 0..30 {
            nodes.push(out.begin_struct("", &["a", "b"]));
            out.node(&array, |_| {});
        }
        out.node(&Struct { name: "", fields: &[], meta: &[] }, |_| {});
        nodes.into_iter().rev().for_each(|node| out.end(node));
    })
    .unwrap();
    let record = empty_record(page.as_treedef());
    let loaded = load_older(&record, page.as_treedef(), &(1u8,), &[], &mut [0; 64]);
    assert_eq!(loaded, Err(LoadError::Damaged { at: record.len() }));
}

/// A record without leaves and choices.
fn empty_record(schema: TreeDef<'_>) -> Vec<u8> {
    let mut record = vec![0xE1];
    record.extend(schema.fingerprint().to_le_bytes());
    record.push(0);
    record
}

#[test]
fn elements_that_take_no_bytes_take_no_time() {
    let start = Instant::now();
    // 3.6 billion elements, and 60 000.
    let page = schema_of::<([[(); 60_000]; 60_000],)>();
    let record = empty_record(page);
    let loaded = load_older(&record, page, &(vec![vec![()]],), &[], &mut [0; 64]);
    assert_eq!(loaded, Err(LoadError::Damaged { at: record.len() }));
    let page = schema_of::<([(); 60_000],)>();
    let loaded = load_older(&empty_record(page), page, &(vec![()],), &[], &mut [0; 128]);
    assert_eq!(loaded.unwrap().0.0.len(), 60_000);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_record_of_many_elements_loads_in_linear_time() {
    let convert = |leaf: &mut OlderLeaf<'_>| leaf.set(&leaf.get::<u8>().map_or(0.0, f32::from));
    let time = |count: usize| {
        let old: Vec<_> = (0..count).map(|n| (n as u16, Some(n as u8))).collect();
        let (record, schema) = (save(&old).unwrap(), schema_of::<Vec<(u16, Option<u8>)>>());
        let (mut room, start) = (vec![0; 256 + 80 * count], Instant::now());
        let defaults = vec![(0u32, None::<f32>)];
        let loaded = load_older_with(&record, schema, &defaults, &[], &mut room, convert);
        assert_eq!(loaded.unwrap().1.moved, 2 * count);
        start.elapsed()
    };
    time(100);
    let [short, long] = [1_000, 10_000].map(time);
    assert!(long < short * 40 + Duration::from_millis(100), "{short:?} {long:?}");
}

/// A leaf type whose bytes are no text.
#[derive(Leaf, Clone, Debug, PartialEq)]
#[tree(name = "app::HexString")]
struct HexString([u8; 2]);

impl RecordLeaf for HexString {
    const NAME: &'static str = "app::HexString";

    fn with_bytes<R>(&self, give: impl FnOnce(&[u8]) -> R) -> R {
        give(&self.0)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

#[test]
fn leaf_type_of_the_program_is_no_text_by_its_name() {
    let record = save(&HexString(*b"ab")).unwrap();
    let schema = schema_of::<HexString>();
    let text = |leaf: &mut OlderLeaf<'_>| {
        let HexString([high, low]) = leaf.get().unwrap();
        leaf.set(&format!("{high:x}{low:x}"));
    };
    let default = || String::from("0000");
    let refused = load_older(&record, schema, &default(), &[], &mut [0; 256]).unwrap();
    assert_eq!((refused.0, refused.1.replaced), (default(), 1));
    let converted = load_older_with(&record, schema, &default(), &[], &mut [0; 256], text).unwrap();
    assert_eq!((converted.0.as_str(), converted.1.replaced), ("6162", 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_is_an_error_or_a_schema(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        is_record in any::<bool>(),
    ) {
        let mut page = schema_of::<v1::Settings>().as_bytes().to_vec();
        changes.iter().for_each(|(at, byte)| *at.get_mut(&mut page) = *byte);
        let Ok(schema) = TreeDef::from_bytes(&page) else { return Ok(()) };
        let mut record = save(&old()).unwrap();
        record[1..9].copy_from_slice(&schema.fingerprint().to_le_bytes());
        if !is_record {
            record.truncate(9);
            record.extend(&bytes);
        }
        let aliases = [("mode.*", "chain.next.value"), ("channels[*].gain", "channels[*].offset")];
        let _ = load_older(&record, schema, &defaults(), &aliases, &mut [0; 4096]);
        let _ = load_older_reported(&record, schema, &defaults(), &aliases, &mut [0; 4096], |_| {}, |_| {});
    }

    #[test]
    fn any_tree_as_a_page_is_an_error_or_a_schema(
        page in treedef_proptest::treedefs(),
        bytes in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let schema = page.as_treedef();
        let mut record = vec![0xE1];
        record.extend(schema.fingerprint().to_le_bytes());
        record.extend(&bytes);
        let _ = load_older(&record, schema, &defaults(), &[], &mut [0; 4096]);
    }
}
