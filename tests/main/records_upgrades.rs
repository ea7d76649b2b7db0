//! Upgrades: what a plan says is what `load_older` does; what has no plan is refused; damage is an error or a value.

use std::collections::BTreeMap;
use std::fmt::Debug;

use treedef::__private::{MOST_PLANNED, Planned};
use treedef::record::{
    LoadError, RecordLeaves, Upgrade, load_older, record_key, save, save_into, upgrade,
};
use treedef::tree::HasSchema;
use treedef::tree::{TreeBuild, TreeWalk};
use treedef::{Tree, schema_of};

mod v1 {
    use std::collections::BTreeMap;

    use treedef::{Meta, Tree};

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Unit {
        Volt,
        Amp,
    }

    #[derive(Tree, Debug)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Torque { max: f32, trim: u16 },
        Trace(Vec<u16>),
    }

    #[derive(Tree, Debug)]
    #[tree(name = "Channel")]
    pub(super) struct Channel {
        pub(super) gain: i16,
        pub(super) name: String,
        #[tree(meta)]
        pub(super) unit: Unit,
    }

    #[derive(Tree, Debug)]
    #[tree(name = "Settings", meta(version = 1))]
    pub(super) struct Settings {
        pub(super) hours: u32,
        pub(super) modes: Vec<Mode>,
        pub(super) channels: BTreeMap<u8, Channel>,
        pub(super) limit: Option<u8>,
        pub(super) pair: (u16, [i32; 2]),
        pub(super) rate: i16,
    }
}

mod v2 {
    use std::collections::BTreeMap;

    use treedef::{Meta, Tree};

    /// Without amperes.
    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Unit {
        Volt,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Torque {
            max: f64,
            #[tree(default = 7)]
            hold: u16,
            trim: u8,
        },
        Off,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Channel")]
    pub(super) struct Channel {
        #[tree(meta)]
        pub(super) unit: Unit,
        #[tree(alias = "name")]
        pub(super) label: heapless::String<4>,
        pub(super) gain: u16,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Service")]
    pub(super) struct Service {
        pub(super) hours: u32,
        pub(super) every: u16,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings", meta(version = 2))]
    pub(super) struct Settings {
        pub(super) service: Option<Service>,
        pub(super) modes: heapless::Vec<Mode, 3>,
        pub(super) channels: BTreeMap<u8, Channel>,
        pub(super) limit: u16,
        pub(super) pair: (u32, [i32; 3], bool),
        pub(super) rate: f32,
    }
}

const ALIASES: [(&str, &str); 1] = [("hours", "service.hours")];

static UPGRADE: Upgrade<v2::Settings> =
    upgrade!(v2::Settings, schema_of::<v1::Settings>().as_bytes(), ALIASES);

/// The aliases can be borrowed, as functions take them.
static BORROWED: Upgrade<v2::Settings> =
    upgrade!(v2::Settings, schema_of::<v1::Settings>().as_bytes(), &[("hours", "service.hours")],);

fn old() -> v1::Settings {
    let channel = |gain, name: &str, unit| v1::Channel { gain, name: name.to_owned(), unit };
    v1::Settings {
        hours: 70_000,
        modes: vec![
            v1::Mode::Torque { max: 0.5, trim: 3 },
            v1::Mode::Trace(vec![1, 300]),
            v1::Mode::Off,
            v1::Mode::Torque { max: 1.5, trim: 300 },
        ],
        channels: BTreeMap::from([
            (1, channel(5, "left", v1::Unit::Volt)),
            (2, channel(-5, "right", v1::Unit::Volt)),
            (9, channel(6, "x", v1::Unit::Amp)),
        ]),
        limit: Some(200),
        pair: (8, [-1, 1 << 20]),
        rate: -2,
    }
}

fn defaults() -> v2::Settings {
    let label = "def".try_into().unwrap();
    v2::Settings {
        service: None,
        modes: heapless::Vec::new(),
        channels: BTreeMap::from([(2, v2::Channel { unit: v2::Unit::Volt, label, gain: 1 })]),
        limit: 3,
        pair: (0, [4, 5, 6], true),
        rate: 0.25,
    }
}

/// Loads a record in both ways, with more than enough room.
fn in_two_ways(
    record: &[u8],
) -> [Result<(v2::Settings, treedef::algebra::Migrated), LoadError>; 2] {
    let (schema, room) = (schema_of::<v1::Settings>(), &mut [0; 4096]);
    let older = load_older(record, schema, &defaults(), &ALIASES, room);
    [UPGRADE.load(record, &defaults(), room), older]
}

#[test]
fn an_upgrade_loads_what_load_older_loads() {
    let [planned, older] = in_two_ways(&save(&old()).unwrap());
    assert_eq!(planned, older);
    assert_eq!(BORROWED.load(&save(&old()).unwrap(), &defaults(), &mut [0; 4096]), older);
    let (settings, migrated) = planned.unwrap();
    let label = |text: &str| text.try_into().unwrap();
    let channel = |text, gain| v2::Channel { unit: v2::Unit::Volt, label: label(text), gain };
    assert_eq!(
        settings,
        v2::Settings {
            // `every` has no default, so what aliases give of it is lost.
            service: None,
            // `Trace` is no variant now, and 300 is no `u8`.
            modes: [v2::Mode::Torque { max: 0.5, hold: 7, trim: 3 }, v2::Mode::Off]
                .into_iter()
                .collect(),
            channels: BTreeMap::from([
                (1, channel("left", 5)),
                (2, channel("def", 1)),
                (9, channel("x", 6))
            ]),
            limit: 200,
            pair: (8, [-1, 1 << 20, 6], true),
            rate: 0.25,
        }
    );
    assert_eq!(
        migrated.to_string(),
        "10 moved, 8 lost, 4 replaced, 3 new, 2 elements dropped, 2 meta fields lost"
    );
}

#[test]
fn damage_is_an_error_or_what_load_older_loads() {
    let record = save(&old()).unwrap();
    let mut loaded = 0;
    let mut check = |bytes: &[u8]| {
        let [planned, older] = in_two_ways(bytes);
        match planned {
            // A leaf that is stored as it is now was damaged.
            Err(LoadError::Damaged { .. }) => {}
            _ => {
                loaded += usize::from(planned.is_ok());
                assert_eq!(format!("{planned:?}"), format!("{older:?}"), "{bytes:x?}");
            }
        }
    };
    (0..record.len()).for_each(|len| check(&record[..len]));
    for bit in 0..record.len() * 8 {
        let mut damaged = record.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        check(&damaged);
    }
    assert!(loaded > 300, "{loaded}");
}

#[test]
fn the_room_that_an_error_names_is_enough() {
    let record = save(&old()).unwrap();
    let mut room = vec![];
    let load =
        |room: &mut [u8]| UPGRADE.load(&record, &defaults(), room).map(|(settings, _)| settings);
    let expected = load(&mut [0; 1024]);
    assert!(expected.is_ok());
    let mut steps = 0;
    while let Err(LoadError::NoRoom { needed, room: had }) = load(&mut room) {
        assert!(had == room.len() && needed > had);
        room.resize(needed, 0);
        steps += 1;
    }
    assert_eq!(load(&mut room), expected);
    assert!(steps <= 3, "{steps}");
}

#[test]
fn a_record_of_another_version_is_none_of_this_upgrade() {
    let record = save(&defaults()).unwrap();
    let key = record_key::<v2::Settings>();
    let loaded = UPGRADE.load(&record, &defaults(), &mut [0; 512]);
    assert_eq!(loaded.unwrap_err(), LoadError::OtherType { key });
    let loaded = UPGRADE.load(&[7], &defaults(), &mut [0; 512]);
    assert_eq!(loaded.unwrap_err(), LoadError::Form);
}

/// A leaf of another type becomes one of the other, or the default.
fn convert<A, B>(from: A, default: B) -> B
where
    A: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves>,
    B: TreeWalk<RecordLeaves> + TreeBuild<RecordLeaves> + HasSchema + Debug + PartialEq,
{
    let page = schema_of::<(A,)>().as_bytes();
    let Ok(planned) = Planned::<MOST_PLANNED>::new::<(B,)>(page, &[]) else { panic!("no plan") };
    let upgrade = Box::leak(Box::new(planned)).upgrade::<(B,)>();
    let (record, defaults) = (save(&(from,)).unwrap(), (default,));
    let loaded = upgrade.load(&record, &defaults, &mut [0; 256]).unwrap();
    let older = load_older(&record, schema_of::<(A,)>(), &defaults, &[], &mut [0; 1024]);
    assert_eq!(Ok(&loaded), older.as_ref());
    loaded.0.0
}

#[test]
fn leaves_keep_their_value_or_are_refused() {
    assert_eq!(convert(200u8, 0i16), 200);
    assert_eq!(convert(-3i8, 0i64), -3);
    assert_eq!(convert(70_000u32, 1u16), 1);
    assert_eq!(convert(700u32, 1u16), 700);
    assert_eq!(convert(-1i32, 5u32), 5);
    assert_eq!(convert(u64::MAX, 5i64), 5);
    assert_eq!(convert(1u64 << 62, 5i64), 1 << 62);
    assert_eq!(convert(0u16, std::num::NonZero::<u16>::MAX), std::num::NonZero::<u16>::MAX);
    assert_eq!(convert(1.5f32, 0.0f64), 1.5);
    assert_eq!(convert(1.5f64, 0.0f32), 0.0);
    let text = |text: &str| heapless::String::<4>::try_from(text).unwrap();
    assert_eq!(convert("ab".to_owned(), text("-")), "ab");
    assert_eq!(convert("abcde".to_owned(), text("-")), "-");
    assert_eq!(convert(text("abcd"), String::new()), "abcd");
    assert_eq!(convert(Some(5u16), 1u16), 5);
    assert_eq!(convert(None::<u16>, 1u16), 1);
    assert_eq!(convert(5u16, Some(1u32)), Some(5));
    assert_eq!(convert([1u16, 2], [7u32, 8, 9]), [1, 2, 9]);
    assert_eq!(convert(vec![1u16, 2, 3], [7u32, 8]), [1, 2]);
    assert_eq!(convert(vec![1u16, 300], vec![5u8]), [1, 5]);
    assert_eq!(convert(vec![[1u16; 2]; 3], vec![7u8]), [7; 3]);
}

/// In a map each entry has the default of its key, and an entry with another key that of the first one.
#[test]
fn entries_of_a_map_have_the_defaults_of_their_keys() {
    type Old = BTreeMap<u32, (Option<f32>,)>;
    type New = BTreeMap<u32, (Option<f32>, u32)>;
    static UPGRADE: Upgrade<New> = upgrade!(New, schema_of::<Old>().as_bytes());
    for keys in [&[0u32, 2, 3, 7][..], &[2, 3, 4, 9], &[9, 11], &[1], &[]] {
        let old: Old = keys.iter().map(|key| (*key, (Some(1.0),))).collect();
        for own in [&[2u32, 4, 7, 9][..], &[3], &[]] {
            let defaults: New = own.iter().map(|key| (*key, (None, *key))).collect();
            let default_of = |key| own.iter().find(|own| *own == key).or(own.first());
            let made = keys.iter().filter_map(|key| Some((*key, (Some(1.0), *default_of(key)?))));
            let (record, room) = (save(&old).unwrap(), &mut [0; 1024]);
            let loaded = UPGRADE.load(&record, &defaults, room).unwrap();
            assert_eq!(loaded.0, made.collect::<New>(), "{keys:?} {own:?}");
            let older = load_older(&record, schema_of::<Old>(), &defaults, &[], room);
            assert_eq!(older.unwrap(), loaded);
        }
    }
}

#[test]
fn a_field_without_a_default_in_the_defaults_has_its_own() {
    #[derive(Tree)]
    #[tree(name = "Cal")]
    struct OldCal {
        scale: f32,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Cal")]
    struct Cal {
        scale: f32,
        #[tree(default = 0.5)]
        offset: f32,
    }

    type Old = (Option<OldCal>, [OldCal; 1]);
    type New = (Option<Cal>, [Cal; 2]);
    static UPGRADE: Upgrade<New> = upgrade!(New, schema_of::<Old>().as_bytes());
    let record = save::<Old>(&(Some(OldCal { scale: 2.0 }), [OldCal { scale: 3.0 }])).unwrap();
    let defaults = || (None, [1.0, 4.0].map(|scale| Cal { scale, offset: -1.0 }));
    let loaded = UPGRADE.load(&record, &defaults(), &mut [0; 64]).unwrap();
    let cal = |scale, offset| Cal { scale, offset };
    assert_eq!(loaded.0, (Some(cal(2.0, 0.5)), [cal(3.0, -1.0), cal(4.0, -1.0)]));
    let older = load_older(&record, schema_of::<Old>(), &defaults(), &[], &mut [0; 512]);
    assert_eq!(older, Ok(loaded));
}

#[test]
fn fields_without_a_value_in_elements_have_their_own_defaults() {
    #[derive(Tree)]
    #[tree(name = "Gain")]
    struct Gain {
        kp: u8,
    }

    #[derive(Tree)]
    #[tree(name = "Axis")]
    struct OldAxis {
        id: u8,
        gain: Option<Gain>,
        scale: f64,
        names: BTreeMap<u8, ()>,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Axis")]
    struct Axis {
        id: u8,
        #[tree(alias = "gain.kp", default = 9)]
        kp: u8,
        #[tree(default = Some(5))]
        limit: Option<u8>,
        #[tree(default = 0.5)]
        scale: f32,
        names: BTreeMap<u8, ()>,
    }

    static UPGRADE: Upgrade<Vec<Axis>> =
        upgrade!(Vec<Axis>, schema_of::<Vec<OldAxis>>().as_bytes());
    let names = || BTreeMap::from([(3, ()), (4, ())]);
    let axis = |id, gain| OldAxis { id, gain, scale: 2.0, names: names() };
    let record = save(&vec![axis(1, None), axis(2, Some(Gain { kp: 7 }))]).unwrap();
    let loaded = UPGRADE.load(&record, &vec![], &mut [0; 64]).unwrap();
    let axis = |id, kp| Axis { id, kp, limit: Some(5), scale: 0.5, names: names() };
    assert_eq!(loaded.0, [axis(1, 9), axis(2, 7)]);
    let schema = schema_of::<Vec<OldAxis>>();
    let older = load_older(&record, schema, &vec![], &[], &mut [0; 1024]);
    assert_eq!(older, Ok(loaded));
}

/// Why records of the first type have no plan for the second one.
fn refusal<A: HasSchema, B: HasSchema>(aliases: &[(&str, &str)]) -> String {
    match Planned::<MOST_PLANNED>::new::<B>(schema_of::<A>().as_bytes(), aliases) {
        Ok(_) => panic!("there is a plan"),
        Err(message) => message.as_str().to_owned(),
    }
}

#[test]
fn what_only_a_stored_value_decides_is_refused() {
    #[derive(Tree)]
    #[tree(name = "Pid")]
    struct Pid {
        kp: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Drive")]
    enum Drive {
        Pid { kp: f32 },
        Off,
    }

    #[derive(Tree)]
    #[tree(name = "Robot")]
    struct Old {
        drive: Drive,
        pids: Vec<Pid>,
        main: Option<Pid>,
        spare: Pid,
    }

    #[derive(Tree)]
    #[tree(name = "Robot")]
    struct New {
        kp: f32,
        #[tree(alias = "spare.kp")]
        gain: f32,
        spare: f32,
        main: Option<Pid>,
    }

    #[derive(Tree)]
    #[tree(name = "Robot", meta(version = 1))]
    struct First {
        gain: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Robot")]
    struct Second {
        #[tree(meta)]
        version: u8,
        gain: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Unit")]
    struct TwoUnits {
        #[tree(meta)]
        unit: u8,
        #[tree(meta)]
        older: u8,
        gain: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Unit")]
    struct Unit {
        #[tree(meta, alias = "older")]
        unit: u8,
        gain: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Robot")]
    struct Chain {
        gain: f32,
        next: Option<Box<Chain>>,
    }

    let of = |aliases| refusal::<Old, New>(aliases);
    let follows = |start: &str| format!("the alias {start}: `load_older` follows it");
    assert_eq!(of(&[("pids[0].kp", "kp")]), follows("`pids[0].kp` to `kp` has an index or a `*`"));
    let through = "goes through an enum, a tuple, a list or a map";
    assert_eq!(of(&[("drive.kp", "kp")]), follows(&format!("`drive.kp` to `kp` {through}")));
    assert_eq!(of(&[("pids.kp", "kp")]), follows(&format!("`pids.kp` to `kp` {through}")));
    let both = "` are stored, in each other or one in an option: `load_older` looks which";
    let alias = "both paths of the alias `";
    assert_eq!(of(&[("spare.kp", "main.kp")]), format!("{alias}spare.kp` to `main.kp{both}"));
    for (part, whole) in [("spare.kp", "spare"), (".spare.kp", "spare"), ("spare/kp", ".spare")] {
        let message = refusal::<Old, New>(&[(part, whole)]);
        assert_eq!(message, format!("{alias}{part}` to `{whole}{both}"));
    }
    let twice = "what is stored for `gain` has another place, too: `load_older` gives it both";
    assert_eq!(of(&[("spare.kp", "kp")]), twice);
    let reads = |why: &str| format!("{why}: `load_older` reads it");
    let contains = reads("a type contains itself, or has a container without a schema");
    assert_eq!(refusal::<Chain, First>(&[]), contains);
    assert_eq!(refusal::<First, Chain>(&[]), contains);
    let pair = &[("0.1", "0")];
    let first = "the alias `0.1` to `0` goes through an enum, a tuple, a list or a map: `load_older` follows it";
    assert_eq!(refusal::<((u8, u16), u8), (u16, u8)>(pair), first);
    let root = "the alias `` to `spare` is about the root: `load_older` follows it";
    assert_eq!(refusal::<Pid, Old>(&[("", "spare")]), root);
    let variant = reads("a struct was a variant, or is one now");
    assert_eq!(refusal::<(Pid,), (Drive,)>(&[("Pid", "Drive::Pid")]), variant);
    assert_eq!(refusal::<(Drive,), (Pid,)>(&[("Drive::Pid", "Pid")]), variant);
    let several =
        "the meta field `unit` is stored under several names: `load_older` looks which fits";
    assert_eq!(refusal::<TwoUnits, Unit>(&[]), several);
    let empty = reads("elements of a list take no bytes");
    assert_eq!(refusal::<Vec<()>, Vec<f32>>(&[]), empty);
    let keys = reads("the keys of a map have another type now");
    assert_eq!(refusal::<BTreeMap<u8, f32>, BTreeMap<u16, f32>>(&[]), keys);
    let option = reads("a type has an option of options");
    assert_eq!(refusal::<Option<f32>, Option<Option<f32>>>(&[]), option);
    let constant =
        "the meta field `version` was a constant, or is one now: `load_older` compares it";
    assert_eq!(refusal::<First, Second>(&[]), constant);
    assert_eq!(refusal::<Second, First>(&[]), constant);
    let large =
        "a type is too large, has more than 239 fields, or a list of more than 65534 elements";
    assert_eq!(refusal::<[f32; 70_000], [f64; 70_000]>(&[]), reads(large));
    assert_eq!(refusal::<(f32,), (f32, [f32; 70_000])>(&[]), reads(large));
    for bytes in [&b""[..], b"\x00", b"\x81\x0E\napp::Gains\x02kp", b"\x20\x20"] {
        let message = Planned::<MOST_PLANNED>::new::<First>(bytes, &[]).map(|_| ()).unwrap_err();
        assert_eq!(message.as_str(), "these bytes are no schema page", "{bytes:x?}");
    }
}

#[test]
fn a_struct_whose_parts_moved_and_that_needs_what_is_not_stored_is_refused() {
    #[derive(Tree)]
    #[tree(name = "Part")]
    struct OldPart {
        x: f32,
    }

    #[derive(Tree)]
    #[tree(name = "Part")]
    struct Part {
        y: f32,
    }

    // Without `y` there is no part. Whether the option is new then, or replaced, depends on what else of it is stored.
    #[derive(Tree)]
    #[tree(name = "App")]
    struct OldApp {
        part: Option<OldPart>,
    }

    #[derive(Tree)]
    #[tree(name = "App")]
    struct App {
        part: Option<Part>,
        x: f32,
    }

    assert_eq!(
        refusal::<OldApp, App>(&[("part.x", "x")]),
        "aliases give parts of a struct to other places, and its own may refuse it: `load_older` reads it"
    );
    assert!(Planned::<MOST_PLANNED>::new::<App>(schema_of::<OldApp>().as_bytes(), &[]).is_ok());
}

#[test]
fn twice_the_largest_record_is_enough_room() {
    type Old = (u16, heapless::Vec<(u8, f32), 4>, Option<heapless::String<8>>);
    type New = (u32, heapless::Vec<(u16, f64), 4>, Option<heapless::String<8>>);
    const ROOM: usize = 2 * treedef::record::record_bytes::<New>();
    static UPGRADE: Upgrade<New> = upgrade!(New, schema_of::<Old>().as_bytes());
    let (pairs, text) = ([(255, 1.5); 4], heapless::String::try_from("12345678").unwrap());
    let (old, mut record) = ((65535, pairs.into_iter().collect(), Some(text.clone())), [0; 64]);
    let len = save_into::<Old>(&old, &mut record).unwrap();
    let largest: New = (u32::MAX, [(65535, 1.0); 4].into_iter().collect(), Some(text.clone()));
    let (new, migrated) = UPGRADE.load(&record[..len], &largest, &mut [0; ROOM]).unwrap();
    assert_eq!(new, (65535, [(255, 1.5); 4].into_iter().collect(), Some(text)));
    assert!(migrated.is_complete());
}

#[test]
fn where_what_is_stored_decides_what_an_alias_gives_there_is_no_plan() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Pair {
        x: u8,
        y: u8,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Mode")]
    enum Mode {
        On { x: u8 },
        Off,
    }

    #[derive(Tree)]
    #[tree(name = "Root")]
    struct Root<A, B> {
        a: A,
        b: B,
    }

    #[derive(Tree)]
    #[tree(name = "Root")]
    struct Renamed<A, B> {
        a: A,
        #[tree(alias = "b")]
        c: B,
    }

    let reads = |why: &str| format!("{why}: `load_older` reads it");
    // Below a field that has another name now.
    let into = reads("an alias leads into an enum, a list, a tuple, a map or an option of options");
    assert_eq!(refusal::<Root<u8, Mode>, Renamed<u8, Mode>>(&[("a", "c.x")]), into);
    assert_eq!(refusal::<Root<u8, (u8, u8)>, Renamed<u8, (u8, u8)>>(&[("a", "c.1")]), into);
    assert_eq!(refusal::<Root<u8, Vec<u8>>, Renamed<u8, Vec<u8>>>(&[("a", "c.1")]), into);
    type Map = BTreeMap<String, u8>;
    assert_eq!(refusal::<Root<u8, Map>, Renamed<u8, Map>>(&[("a", "c.k")]), into);
    // Where the option is `None`, `a` stays.
    let stays = reads("an alias leads into a stored option from a path that is still there");
    let aliases = &[("a", "c.y")];
    assert_eq!(refusal::<Root<u8, Option<Pair>>, Renamed<u8, Option<Pair>>>(aliases), stays);
    // Where `a` is `None`, `c.y` is what it is without the alias.
    let which = "what is stored for `y` can be in two places: `load_older` looks which";
    assert_eq!(refusal::<Root<Option<Pair>, Pair>, Renamed<u8, Pair>>(&[("a.x", "c.y")]), which);
    // And where `c.y` is an option, `a` can stay.
    assert_eq!(refusal::<Root<u8, Pair>, Renamed<u8, Pair>>(aliases), which);
    assert_eq!(
        refusal::<Root<Option<Option<u8>>, u8>, Renamed<u8, Option<Option<u8>>>>(&[("a", ".c")]),
        reads("an alias moves an option of options")
    );
}

#[test]
fn of_two_old_paths_for_one_place_the_first_moves_and_the_other_stays() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pair")]
    struct Pair {
        x: u8,
        y: u8,
    }

    #[derive(Tree)]
    #[tree(name = "Root")]
    struct Old {
        pair: Pair,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Root")]
    struct New {
        pair: Pair,
        third: u8,
    }

    const ALIASES: [(&str, &str); 2] = [("pair.x", "third"), (".pair.y", ".third")];
    static UPGRADE: Upgrade<New> = upgrade!(New, schema_of::<Old>().as_bytes(), ALIASES);
    let record = save(&Old { pair: Pair { x: 1, y: 2 } }).unwrap();
    let defaults = New { pair: Pair { x: 10, y: 11 }, third: 12 };
    let room = &mut [0; 256];
    let planned = UPGRADE.load(&record, &defaults, room);
    assert_eq!(planned, load_older(&record, schema_of::<Old>(), &defaults, &ALIASES, room));
    let (new, migrated) = planned.unwrap();
    assert_eq!(new, New { pair: Pair { x: 10, y: 2 }, third: 1 });
    assert!(migrated.is_complete());
}
