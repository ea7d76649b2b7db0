//! Stored trees loaded under newer types: what stays, what gets its default, and what is said of it.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use treedef::algebra::{
    LeafPlace, Matching, Migrated, Migration, migrate_typed, migrate_typed_with,
};
use treedef::cache::Dtype;
use treedef::tree::{TreeBuild, TreeWalk, mixed};
use treedef::{Error, Tree, View, flatten, head, treedef};
use treedef_proptest::treedefs;

/// The first versions of all types.
mod old {
    use std::collections::BTreeMap;

    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Calibration")]
    pub(super) struct Calibration {
        pub(super) offset: f32,
        pub(super) scale: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Pid { kp: f32, ki: f32 },
        Home { speed: f32 },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings")]
    pub(super) struct Settings {
        pub(super) calibration: Option<Calibration>,
        pub(super) mode: Mode,
        pub(super) curve: Vec<f32>,
        pub(super) names: BTreeMap<String, f32>,
        pub(super) rate: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Motor")]
    pub(super) struct Motor {
        pub(super) kp: f32,
        pub(super) ki: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Width")]
    pub(super) struct Width {
        pub(super) value: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Robot")]
    pub(super) struct Robot {
        pub(super) motor: [Motor; 2],
        pub(super) x: f32,
        pub(super) distance: f32,
        pub(super) width: Width,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Point")]
    pub(super) struct Point {
        pub(super) x: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Path")]
    pub(super) struct Path {
        pub(super) points: Vec<Point>,
        pub(super) limits: [f32; 3],
        pub(super) nested: Option<Option<f32>>,
        #[tree(meta)]
        pub(super) channel: u8,
    }
}

/// Later versions.
mod new {
    use std::collections::BTreeMap;

    use treedef::Tree;

    use super::old;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings")]
    pub(super) struct WithGain {
        pub(super) calibration: Option<old::Calibration>,
        pub(super) mode: old::Mode,
        pub(super) curve: Vec<f32>,
        pub(super) names: BTreeMap<String, f32>,
        pub(super) rate: f32,
        pub(super) gain: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Pid { ki: f32, kd: f32, kp: f32 },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum ModeWithDefault {
        Off,
        Pid {
            ki: f32,
            #[tree(default = 0.125)]
            kd: f32,
            kp: f32,
        },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Settings")]
    pub(super) struct Settings<M> {
        pub(super) mode: M,
        pub(super) curve: heapless::Vec<f32, 2>,
        pub(super) timing: Timing,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Timing")]
    pub(super) struct Timing {
        pub(super) rate: f32,
        pub(super) calibration: Option<old::Calibration>,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pid")]
    pub(super) struct Pid {
        pub(super) kp: f32,
        pub(super) ki: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Motor")]
    pub(super) struct Motor {
        pub(super) pid: Pid,
        pub(super) temperature: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Robot")]
    pub(super) struct Robot {
        pub(super) motor: [Motor; 3],
        pub(super) first: First,
        pub(super) distance: Meters,
        pub(super) width: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "First")]
    pub(super) struct First {
        pub(super) x: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Meters")]
    pub(super) struct Meters(pub(super) f32);

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Point")]
    pub(super) struct Point {
        pub(super) x: f32,
        pub(super) y: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Path")]
    pub(super) struct Path {
        pub(super) limits: [f32; 4],
        pub(super) points: Vec<Point>,
        pub(super) nested: Option<f32>,
        #[tree(meta)]
        pub(super) channel: u16,
        #[tree(meta)]
        pub(super) group: u16,
    }
}

/// What a value is under another type: the tree, the counts, and the reports as text. Every leaf is moved, or lost in a report.
fn load<'m, O: Tree<f32>, T: Tree<f32>>(
    stored: &O,
    defaults: &T,
    matching: impl Into<Matching<'m>>,
) -> (T, Migrated, Vec<String>) {
    let (def, leaves) = flatten(stored).unwrap();
    let (mut texts, mut lost) = (Vec::new(), Vec::new());
    let view = View::new(&def, &leaves).unwrap();
    let (tree, migrated) = migrate_typed(view, defaults, matching, |report| {
        texts.push(report.to_string());
        match report {
            Migration::Lost(stored)
            | Migration::Replaced { stored, .. }
            | Migration::Dropped { stored, .. } => lost.extend(stored.leaves()),
            _ => {}
        }
    })
    .unwrap();
    lost.sort_unstable();
    lost.dedup();
    assert_eq!((migrated.moved + migrated.lost, migrated.lost), (leaves.len(), lost.len()));
    (tree, migrated, texts)
}

fn settings() -> old::Settings {
    old::Settings {
        calibration: Some(old::Calibration { offset: 0.5, scale: 1.5 }),
        mode: old::Mode::Pid { kp: 2.0, ki: 3.0 },
        curve: vec![4.0, 5.0, 6.0],
        names: BTreeMap::from([("a".to_owned(), 7.0)]),
        rate: 9.0,
    }
}

#[test]
fn a_new_field_leaves_all_others_as_they_were() {
    let defaults = new::WithGain {
        calibration: None,
        mode: old::Mode::Off,
        curve: vec![],
        names: BTreeMap::new(),
        rate: 1.0,
        gain: 0.5,
    };
    let (tree, migrated, texts) = load(&settings(), &defaults, &[]);
    let old::Settings { calibration, mode, curve, names, rate } = settings();
    assert_eq!(tree, new::WithGain { calibration, mode, curve, names, rate, gain: 0.5 });
    assert_eq!((migrated.moved, migrated.new, texts), (9, 1, vec!["new .gain".to_owned()]));
    // The other way round, the field is lost.
    let (back, migrated, texts) = load(&tree, &settings(), &[]);
    assert_eq!(back, settings());
    assert_eq!((migrated.lost, texts), (1, vec!["lost .gain".to_owned()]));
}

fn moved<M>(mode: M) -> new::Settings<M> {
    let timing = new::Timing { rate: -4.0, calibration: None };
    new::Settings { mode, curve: heapless::Vec::new(), timing }
}

const TIMING: [(&str, &str); 2] = [("rate", "timing.rate"), ("calibration", "timing.calibration")];

#[test]
fn what_the_type_refuses_alone_has_its_default() {
    let defaults = moved(new::Mode::Pid { ki: -1.0, kd: -2.0, kp: -3.0 });
    let (tree, migrated, texts) = load(&settings(), &defaults, &TIMING);
    assert_eq!(tree.mode, new::Mode::Pid { ki: 3.0, kd: -2.0, kp: 2.0 });
    assert_eq!(tree.timing, new::Timing { rate: 9.0, calibration: settings().calibration });
    assert!(tree.curve.is_empty());
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced, migrated.new), (5, 4, 1, 1));
    let curve = "replaced .curve: a list of 3 was stored, and there is room for 2";
    let timing = ["moved .rate to .timing.rate", "moved .calibration to .timing.calibration"];
    assert_eq!(texts, ["new .mode.kd", curve, timing[0], timing[1], "lost .names"]);

    // A variant that the type lacks, and one whose new field has no default.
    let home = old::Settings { mode: old::Mode::Home { speed: 1.0 }, ..settings() };
    let (tree, _, texts) = load(&home, &moved(new::Mode::Off), &TIMING);
    assert_eq!(tree.mode, new::Mode::Off);
    let text = "replaced .mode: variant Mode::Home was stored, and the type has variants Off, Pid";
    assert_eq!(texts[0], text);
    let (tree, _, texts) = load(&settings(), &moved(new::Mode::Off), &TIMING);
    assert_eq!(tree.mode, new::Mode::Off);
    let text = "replaced .mode: variant Mode::Pid was stored, and .mode.kd has no default";
    assert_eq!(texts[0], text);
    // With an attribute it has one.
    let (tree, _, texts) = load(&settings(), &moved(new::ModeWithDefault::Off), &TIMING);
    assert_eq!(tree.mode, new::ModeWithDefault::Pid { ki: 3.0, kd: 0.125, kp: 2.0 });
    assert_eq!(texts[0], "new .mode.kd");
    // A variant without leaves counts, too.
    let off = old::Settings { mode: old::Mode::Off, ..settings() };
    let only_pid = moved(new::Timing { rate: 0.0, calibration: None });
    let (_, migrated, texts) = load(&off, &only_pid, &TIMING);
    assert_eq!(migrated.replaced, 2);
    assert!(texts[0].starts_with("replaced .mode: variant Mode::Off was stored"), "{texts:?}");
}

#[test]
fn elements_that_grew_have_the_default_of_their_place() {
    let points = [1.0, 2.0, 3.0].map(|x| old::Point { x }).to_vec();
    let limits = [10.0, 11.0, 12.0];
    let stored = old::Path { points, limits, nested: Some(Some(14.0)), channel: 7 };
    let point = |x, y| new::Point { x, y };
    let defaults = new::Path {
        limits: [-1.0; 4],
        points: vec![point(0.0, -5.0), point(0.0, -6.0)],
        nested: None,
        channel: 1,
        group: 2,
    };
    let (tree, migrated, texts) = load(&stored, &defaults, &[]);
    // The first element has the default of the others.
    assert_eq!(tree.points, [point(1.0, -5.0), point(2.0, -6.0), point(3.0, -5.0)]);
    assert_eq!((tree.limits, tree.nested), ([10.0, 11.0, 12.0, -1.0], Some(14.0)));
    // Meta fields that were stored stay, in their new type.
    assert_eq!((tree.channel, tree.group, migrated.lost), (7, 2, 0));
    let new = ["new .limits[3]", "new .points[0].y", "new .points[1].y", "new .points[2].y"];
    assert_eq!(texts, new);
    // Without an element there is no default, so none can be made.
    let (tree, migrated, texts) = load(&stored, &new::Path { points: vec![], ..defaults }, &[]);
    assert_eq!((tree.points, migrated.dropped, migrated.lost), (vec![], 3, 3));
    let text = "dropped .points[0]: a struct Point was stored, and .points[0].y has no default";
    assert_eq!((texts.len(), texts[1].as_str()), (4, text));
}

/// Types whose meta fields change.
mod meta {
    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Ident")]
    pub(super) struct Ident {
        #[tree(meta)]
        pub(super) serial: u32,
        #[tree(meta)]
        pub(super) name: String,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis", meta(version = 1))]
    pub(super) struct Axis {
        pub(super) kp: f32,
        #[tree(meta)]
        pub(super) channel: u8,
        #[tree(meta)]
        pub(super) label: String,
    }

    /// The version and the type of the label differ, the channel is gone, the unit is new.
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis", meta(version = 2))]
    pub(super) struct NewAxis {
        pub(super) kp: f32,
        #[tree(meta)]
        pub(super) unit: u8,
        #[tree(meta)]
        pub(super) label: u32,
    }

    #[derive(Tree)]
    #[tree(name = "Single")]
    pub(super) struct Single(pub(super) f32, #[tree(meta)] pub(super) u8);

    /// Without meta fields.
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis")]
    pub(super) struct Plain {
        pub(super) kp: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Robot")]
    pub(super) struct Robot<A> {
        pub(super) axis: A,
        pub(super) ident: Ident,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Robot")]
    pub(super) struct Axes<A> {
        pub(super) axis: A,
    }
}

#[test]
fn stored_meta_fields_that_the_tree_has_not_are_reported() {
    use meta::{Axes, Axis, Ident, NewAxis, Plain, Robot};

    let axis = |channel| Axis { kp: 1.0, channel, label: "x".into() };
    let ident = Ident { serial: 7, name: "r".into() };
    let robot = Robot { axis: axis(3), ident: ident.clone() };
    let of_axis = |fields: &[&str]| -> Vec<String> {
        fields.iter().map(|field| format!("lost the meta field {field} of .axis")).collect()
    };
    // Fields that are gone, constants with another value, and values that the type does not take.
    let plain = Robot { axis: Plain { kp: 0.0 }, ident: Ident { serial: 0, name: String::new() } };
    let (tree, migrated, texts) = load(&robot, &plain, &[]);
    assert_eq!(tree, Robot { axis: Plain { kp: 1.0 }, ident: ident.clone() });
    assert_eq!((migrated.lost, migrated.lost_meta, migrated.is_complete()), (0, 3, false));
    assert_eq!(migrated.to_string(), "1 moved, 0 lost, 0 replaced, 0 new, 3 meta fields lost");
    let all = of_axis(&["version = 1", "channel = 3", "label = 'x'"]);
    assert!(texts[0].starts_with("changed .axis: "), "{texts:?}");
    assert_eq!(texts[1..], all);
    let new_axis = NewAxis { kp: 0.0, unit: 4, label: 5 };
    let newer = Robot { axis: new_axis.clone(), ident: plain.ident.clone() };
    let (tree, migrated, texts) = load(&robot, &newer, &[]);
    assert_eq!(tree, Robot { axis: NewAxis { kp: 1.0, ..new_axis }, ident: ident.clone() });
    assert_eq!((migrated.lost_meta, &texts), (3, &all));
    // The same type gets all of them, whatever the defaults are; another kind gets none.
    let default = Robot { axis: axis(9), ident: plain.ident.clone() };
    let (tree, migrated, texts) = load(&robot, &default, &[]);
    assert_eq!((tree, migrated, texts), (robot.clone(), counts(1), vec![]));
    let any = Matching::new(&[]).in_any_kind();
    let (tree, migrated, texts) = load(&meta::Single(1.0, 2), &[0.0], any);
    assert_eq!((tree, migrated.lost_meta), ([1.0], 1));
    assert_eq!(texts, ["lost the meta field 1 = 2 of the root"]);

    // A node without a place is lost with its meta fields, also one without leaves.
    let (tree, migrated, texts) = load(&robot, &Axes { axis: axis(9) }, &[]);
    assert_eq!(tree, Axes { axis: axis(3) });
    assert_eq!((migrated.lost, migrated.lost_meta, migrated.is_complete()), (0, 2, false));
    assert_eq!(texts, ["lost .ident"]);
    // Those of equal elements count once.
    let axes = vec![axis(1), axis(2), axis(2), axis(2)];
    let (_, migrated, texts) = load(&(1.0f32, axes.clone()), &(2.0f32,), &[]);
    assert_eq!((migrated.lost, migrated.lost_meta, texts), (4, 6, vec!["lost [1]".to_owned()]));
    let (_, migrated, texts) = load(&Axes { axis: axes }, &Axes { axis: [0.0; 0] }, &[]);
    assert_eq!((migrated.lost, migrated.lost_meta, texts.len()), (4, 12, 4));
    // Around a part that an alias moves, fields are lost one by one.
    let (tree, migrated, texts) = load(&robot, &Axes { axis: 0.0f32 }, &[("axis.kp", "axis")]);
    assert_eq!((tree.axis, migrated.moved, migrated.lost_meta), (1.0, 1, 5));
    let moved = ["moved .axis.kp to .axis".to_owned()];
    assert_eq!(texts, [&moved, all.as_slice(), &["lost .ident".to_owned()]].concat());
    let (tree, migrated, texts) = load(&robot, &1.0f32, &[("axis.kp", "")]);
    assert_eq!((tree, migrated.lost_meta), (1.0, 5));
    assert_eq!(texts[1..], [all.as_slice(), &["lost .ident".to_owned()]].concat());
    // A place with its default counts as such alone.
    let replaced = (Axes { axis: (0.0f32, 0.0f32) }, 1.0f32);
    let (_, migrated, _) = load(&(Axes { axis: vec![axis(1)] }, 2.0f32), &replaced, &[]);
    assert_eq!((migrated.replaced, migrated.lost_meta), (1, 0));
}

fn new_motor(kp: f32, ki: f32) -> new::Motor {
    new::Motor { pid: new::Pid { kp, ki }, temperature: -3.0 }
}

/// What an old program stored, and the defaults of a new one.
fn robots() -> (old::Robot, new::Robot) {
    let motor = |kp, ki| old::Motor { kp, ki };
    let stored = old::Robot {
        motor: [motor(1.0, 2.0), motor(3.0, 4.0)],
        x: 5.0,
        distance: 6.0,
        width: old::Width { value: 7.0 },
    };
    let defaults = new::Robot {
        motor: std::array::from_fn(|_| new_motor(-1.0, -2.0)),
        first: new::First { x: -4.0 },
        distance: new::Meters(-5.0),
        width: -6.0,
    };
    (stored, defaults)
}

#[test]
fn places_move_along_paths_in_both_directions() {
    let (stored, defaults) = robots();
    let aliases = [
        ("motor[*].kp", "motor[*].pid.kp"),
        ("motor[*].ki", "motor[*].pid.ki"),
        ("x", "first.x"),
        ("distance", "distance.0"),
        ("width.value", "width"),
    ];
    let (tree, migrated, texts) = load(&stored, &defaults, &aliases);
    assert_eq!(tree.motor, [new_motor(1.0, 2.0), new_motor(3.0, 4.0), new_motor(-1.0, -2.0)]);
    assert_eq!((tree.first.x, tree.distance.0, tree.width), (5.0, 6.0, 7.0));
    assert!(migrated.is_complete());
    assert!(texts.contains(&"moved .motor[1].ki to .motor[1].pid.ki".to_owned()), "{texts:?}");
    // The old program reads what the new one stored; the third motor has no place.
    let (back, _, texts) = load(&tree, &stored, &aliases);
    assert_eq!(back, stored);
    let lost: Vec<_> = texts.iter().filter(|text| text.starts_with("lost")).collect();
    let lost_of_third = ["lost .motor[2].pid.kp", "lost .motor[2].pid.ki"];
    assert_eq!(lost.len(), 5, "{texts:?}");
    assert!(lost_of_third.iter().all(|text| lost.contains(&&(*text).to_owned())), "{texts:?}");
    // What is left of a value of which a part has its place is lost.
    let wide = (old::Motor { kp: 1.0, ki: 2.0 }, 3.0f32);
    let (whole, _, texts) = load(&wide, &(9.0f32, 9.0f32), &[("[0].kp", "[0]")]);
    assert_eq!(
        (whole, texts),
        ((1.0, 3.0), vec!["moved [0].kp to [0]".into(), "lost [0].ki".into()])
    );
    // Between programs of one version the aliases do nothing.
    assert_eq!(load(&tree, &defaults, &aliases), (tree.clone(), counts(12), vec![]));
    assert_eq!(load(&stored, &stored, &aliases), (stored.clone(), counts(7), vec![]));
    // A whole becomes a part, and a part the whole.
    let pair = (1.0f32, stored.clone());
    let (tree, _, texts) = load(&stored, &pair, &[("", "[1]")]);
    assert_eq!(
        (tree, texts),
        (pair.clone(), vec!["new [0]".into(), "moved the root to [1]".into()])
    );
    let (tree, _, texts) = load(&pair, &stored, &[("[1]", "")]);
    assert_eq!((tree, texts), (stored, vec!["moved [1] to the root".into(), "lost [0]".into()]));
}

#[test]
fn a_type_that_moved_to_another_module_is_reported_with_both_names() {
    mod v1 {
        #[derive(treedef::Tree)]
        #[tree(name = "app::v1::Point")]
        pub(super) struct Point(pub(super) f32);
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "app::v2::Point")]
    struct Point(f32);

    let (point, _, texts) = load(&v1::Point(1.0), &Point(2.0), &[]);
    let text = "replaced the root: app::v1::Point was stored, and there is app::v2::Point now: name the type, or add an alias";
    assert_eq!((point, texts), (Point(2.0), vec![text.to_owned()]));
    let alias = [("app::v1::Point", "app::v2::Point")];
    assert_eq!(load(&v1::Point(1.0), &Point(2.0), &alias).0, Point(1.0));
}

#[test]
fn an_alias_that_leads_nowhere_is_reported() {
    let (stored, defaults) = robots();
    let unused = |aliases: &[(&str, &str)]| {
        let (.., texts) = load(&stored, &defaults, aliases);
        texts.into_iter().filter(|text| text.contains("alias")).collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    for (alias, is_unused) in [
        (("motor[*].kp", "motor[*].pid.kp"), false),
        // Pairs of names at any node, with the name of their type or without, and of types: one of the names is in the type.
        (("kp", "ki"), false),
        (("Pid.kp", "gain"), false),
        (("Speed", "Robot"), false),
        // In the old path, in the new path, and in both.
        (("y", "first.x"), true),
        (("x", "first.z"), true),
        (("motor[*].kp", "motor[*].pid.kd"), true),
        // With a `*`, what is not stored here can be stored at another place.
        (("motor[*].k", "motor[*].pid.kp"), false),
        (("motor[9].kp", "motor[9].pid.kp"), true),
        (("xx", "first.xx"), true),
        (("Pid.kd", "Pid.gain"), true),
        (("app::Pid.kd", "gain"), true),
        ((".y", ".z"), true),
        (("gain", "amount"), true),
        (("width", "width[0]"), false),
        (("speed", "distance.1"), true),
    ] {
        let text = format!("the alias {} to {} leads nowhere", alias.0, alias.1);
        let found = unused(&[alias]);
        match is_unused {
            true => assert!(found.contains(&text), "{alias:?}: {found:?}"),
            false => assert_eq!(found, nothing),
        }
    }
    // A place that is not there can be there in another value of the type.
    let calibration = ("calibration.shift", "calibration.offset");
    let (mode, curve) = (("mode.gain", "mode.kp"), ("curve[*].value", "curve[*]"));
    let aliases = [calibration, mode, curve, ("names.a", "names['b']")];
    let (curve, names) = (vec![], BTreeMap::new());
    let empty = old::Settings { calibration: None, mode: old::Mode::Off, curve, names, rate: 1.0 };
    let (.., texts) = load(&empty, &empty, &aliases);
    assert_eq!(texts, nothing);
}

/// Structs in elements, options and variants that the defaults lack.
mod wrapped {
    use std::collections::BTreeMap;

    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis")]
    pub(super) struct Axis<T> {
        pub(super) gain: T,
        pub(super) limit: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pid")]
    pub(super) struct Pid {
        pub(super) kp: f32,
        #[tree(default = 0.25)]
        pub(super) kd: f32,
    }

    /// Its field has a default as a whole, and a part without one.
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis")]
    pub(super) struct Whole {
        #[tree(default = [100.0, 200.0])]
        pub(super) gain: [f32; 2],
        pub(super) limit: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode<T> {
        Off,
        On { gain: T },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Robot")]
    pub(super) struct Robot<T> {
        pub(super) axes: Vec<Axis<T>>,
        pub(super) spare: Option<Axis<T>>,
        pub(super) named: BTreeMap<String, Axis<T>>,
        pub(super) mode: Mode<T>,
    }

    pub(super) const ALIASES: [(&str, &str); 4] = [
        ("axes[*].gain", "axes[*].gain.kp"),
        ("spare.gain", "spare.gain.kp"),
        ("named[*].gain", "named[*].gain.kp"),
        ("mode.gain", "mode.gain.kp"),
    ];
}

#[test]
fn an_option_that_is_nowhere_is_none() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Layer")]
    struct Old {
        weight: f32,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Layer")]
    struct Layer {
        weight: f32,
        adapter: Option<[f32; 2]>,
        nested: Option<Option<f32>>,
    }

    let stored = vec![Old { weight: 1.0 }, Old { weight: 2.0 }];
    let layer = |weight| Layer { weight, adapter: None, nested: None };
    let (loaded, migrated, texts) = load(&stored, &Vec::<Layer>::new(), &[]);
    assert_eq!(loaded, [layer(1.0), layer(2.0)]);
    assert_eq!((migrated.moved, migrated.new, migrated.is_complete()), (2, 4, true));
    assert_eq!(texts[..2], ["new [0].adapter", "new [0].nested"]);
}

#[test]
fn a_place_is_wrapped_where_the_defaults_have_none() {
    use wrapped::{Axis, Mode, Pid, Robot};

    fn robot<T: Clone>(gain: impl Fn(f32) -> T) -> Robot<T> {
        let axis = |x: f32| Axis { gain: gain(x), limit: -x };
        let named = BTreeMap::from([("a".to_owned(), axis(4.0))]);
        let (axes, mode) = (vec![axis(1.0), axis(2.0)], Mode::On { gain: gain(5.0) });
        Robot { axes, spare: Some(axis(3.0)), named, mode }
    }
    let (stored, wrapped) = (robot(|x| x), robot(|kp| Pid { kp, kd: 0.25 }));
    let empty = Robot { axes: vec![], spare: None, named: BTreeMap::new(), mode: Mode::Off };
    let (loaded, migrated, texts) = load(&stored, &empty, &wrapped::ALIASES);
    assert_eq!(loaded, wrapped);
    assert_eq!((migrated.moved, migrated.new, migrated.is_complete()), (9, 5, true));
    assert_eq!(texts[..2], ["moved .axes[0].gain to .axes[0].gain.kp", "new .axes[0].gain.kd"]);
    // Back, the newer field is lost.
    let older = Robot::<f32> { axes: vec![], spare: None, named: BTreeMap::new(), mode: Mode::Off };
    let (loaded, migrated, _) = load(&wrapped, &older, &wrapped::ALIASES);
    assert_eq!((loaded, migrated.moved, migrated.lost), (stored, 9, 5));

    // A default of the whole field is not mixed with what is stored for a part of it.
    let stored = vec![Axis { gain: 1.0, limit: 2.0 }];
    let (loaded, migrated, texts) =
        load(&stored, &Vec::<wrapped::Whole>::new(), &[("[*].gain", "[*].gain[0]")]);
    assert_eq!(loaded, [wrapped::Whole { gain: [100.0, 200.0], limit: 2.0 }]);
    assert_eq!((migrated.moved, migrated.lost), (1, 1), "{texts:?}");
    // A list has another name, and its elements are wrapped.
    let (stored, aliases) = ((vec![1.0f32, 2.0],), [("[0]", "[1]"), ("[0][*]", "[1][*].kp")]);
    let (loaded, migrated, _) = load(&stored, &(9.0f32, Vec::<Pid>::new()), &aliases);
    assert_eq!(
        (loaded.1, migrated.replaced),
        ([1.0, 2.0].map(|kp| Pid { kp, kd: 0.25 }).into(), 0)
    );
}

#[test]
fn aliases_do_nothing_where_the_value_has_no_place_for_them() {
    use wrapped::{Axis, Mode, Pid, Robot};

    // The same version again, with empty defaults.
    let axis = |x: f32| Axis { gain: Pid { kp: x, kd: 0.5 }, limit: -x };
    let named = BTreeMap::from([("a".to_owned(), axis(4.0))]);
    let mode = Mode::On { gain: Pid { kp: 5.0, kd: 0.5 } };
    let robot = Robot { axes: vec![axis(1.0), axis(2.0)], spare: Some(axis(3.0)), named, mode };
    let empty = Robot { axes: vec![], spare: None, named: BTreeMap::new(), mode: Mode::Off };
    let (loaded, migrated, texts) = load(&robot, &empty, &wrapped::ALIASES);
    assert_eq!((loaded, migrated, texts), (robot, counts(14), vec![]));

    // Other options, lengths and variants than the aliases are for.
    type Stored = (f32, Option<[f32; 1]>, Vec<f32>);
    let aliases = [("[0]", "[1][0]"), ("[0]", "[2][3]")];
    let stored: Stored = (1.0, None, vec![2.0]);
    let (loaded, migrated, _) = load(&stored, &(-1.0, None, vec![]), &aliases);
    assert_eq!((loaded, migrated), (stored, counts(2)));

    // What is stored as `None` is no part of a wrapped value, and an alias without a source changes no default.
    fn axes<T>(gain: T) -> Vec<Axis<T>> {
        vec![Axis { gain, limit: 3.0 }]
    }
    let none: Vec<Axis<Option<f32>>> = axes(None);
    let wrapped: Vec<Axis<Option<Pid>>> = vec![];
    for defaults in [&wrapped, &axes(Some(Pid { kp: 1.0, kd: 2.0 }))] {
        let (loaded, migrated, _) = load(&none, defaults, &[("[*].gain", "[*].gain.kp")]);
        assert_eq!((loaded, migrated), (axes(None), counts(1)));
    }
    let (loaded, ..) =
        load(&(None::<f32>, 2.0f32), &((Some(1.0f32),), 3.0f32), &[("[0]", "[0][0]")]);
    assert_eq!(loaded, ((None,), 2.0));
    let some: Vec<Axis<Option<f32>>> = axes(Some(2.0));
    let (loaded, migrated, _) = load(&some, &wrapped, &[("[*].gain", "[*].gain.kp")]);
    assert_eq!((&loaded[0].gain, migrated.moved), (&Some(Pid { kp: 2.0, kd: 0.25 }), 2));
    let (loaded, migrated, texts) =
        load(&none, &Vec::<wrapped::Whole>::new(), &[("[*].g", "[*].gain[0]")]);
    assert_eq!((loaded.len(), migrated.moved, migrated.replaced), (1, 1, 1), "{texts:?}");
}

#[test]
fn a_place_of_another_kind_whose_leaves_all_moved_is_complete() {
    use parts::Room;

    let gains = |kp| old::Mode::Pid { kp, ki: 2.0 };
    let stored = Room { v: (1.0f32, 2.0f32), o: 3.0f32, m: 4.0f32 };
    let defaults = Room { v: gains(0.0), o: 0.0f32, m: 0.0f32 };
    let (tree, migrated, texts) = load(&stored, &defaults, &[("v[0]", "v.kp"), ("v[1]", "v.ki")]);
    assert_eq!((tree.v, migrated), (gains(1.0), counts(4)));
    assert_eq!(texts, ["moved .v[0] to .v.kp", "moved .v[1] to .v.ki"]);
    // One that stays is lost with its place.
    let (def, leaves) = flatten(&stored).unwrap();
    let view = View::new(&def, &leaves).unwrap();
    let (tree, migrated) = migrate_typed(view, &defaults, &[("v[0]", "v.kp")], |_| {}).unwrap();
    let kept = old::Mode::Pid { kp: 1.0, ki: 2.0 };
    assert_eq!((tree.v, migrated.is_complete()), (kept, false));
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced), (3, 1, 1));
    // One that moves to two places is lost at none.
    let stored = Room { v: (1.0f32,), o: 3.0f32, m: 4.0f32 };
    let (tree, migrated, _) = load(&stored, &defaults, &[("v[0]", "v.kp"), ("v[0]", "v.ki")]);
    assert_eq!((tree.v, migrated), (old::Mode::Pid { kp: 1.0, ki: 1.0 }, counts(3)));
}

#[test]
fn what_an_alias_cannot_give_to_the_value_is_lost() {
    // A list has the stored length, whatever the defaults have.
    let stored = (vec![1.0f32, 2.0, 3.0], vec![old::Point { x: 4.0 }]);
    let defaults = ([0.0f32; 0], vec![new::Point { x: 0.0, y: -1.0 }; 3]);
    let (loaded, migrated, texts) = load(&stored, &defaults, &[("[0][*]", "[1][*].y")]);
    assert_eq!((loaded.1, migrated.lost), (vec![new::Point { x: 4.0, y: 1.0 }], 2));
    assert_eq!(texts, ["lost [0][1]", "lost [0][2]", "moved [0][0] to [1][0].y"]);
    // So has one that is stored under another path.
    let stored = (vec![old::Motor { kp: 1.0, ki: 2.0 }; 2],);
    let aliases = [("[0]", "[1]"), ("[0][*].kp", "[1][*].pid.kp"), ("[0][*].ki", "[1][*].pid.ki")];
    let (loaded, migrated, _) = load(&stored, &(9.0f32, vec![new_motor(-1.0, -2.0)]), &aliases);
    assert_eq!((loaded.1, migrated.lost), (vec![new_motor(1.0, 2.0); 2], 0));
    // With the length of the defaults an alias gives it more, and so it does where the default is there alone.
    let by = [("[1]", "[0][1]")];
    let matching = Matching::new(&by).lengths_of_defaults();
    let (loaded, migrated, _) = load(&(vec![1.0f32], 2.0f32), &(vec![0.0f32; 2],), matching);
    assert_eq!((loaded.0, migrated), (vec![1.0, 2.0], counts(2)));
    let (loaded, migrated, _) = load(&(1.0f32, 2.0f32), &(vec![0.0f32; 2],), &by);
    assert_eq!((loaded.0, migrated.moved, migrated.lost), (vec![0.0, 2.0], 1, 1));
}

#[test]
fn what_a_poorer_format_has_too_much_is_lost() {
    let any = Matching::new(&[]).in_any_kind();
    let stored = old::Calibration { offset: 1.0, scale: 2.0 };
    let (loaded, migrated, texts) = load(&stored, &vec![-1.0f32], any);
    assert_eq!((loaded, migrated.lost), (vec![-1.0, -1.0], 2), "{texts:?}");
}

/// The counts if all leaves were moved.
fn counts(moved: usize) -> Migrated {
    let mut counts = Migrated::default();
    counts.moved = moved;
    counts
}

#[test]
fn kinds_can_be_those_of_a_poorer_format() {
    let map = |pairs: &[(&str, f32)]| -> BTreeMap<String, f32> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
    };
    let any = Matching::new(&[]).in_any_kind();
    // A struct as a dictionary, a tuple as a list, a list as a dictionary of its positions.
    let calibration = old::Calibration { offset: 0.0, scale: 0.0 };
    let (tree, migrated, texts) = load(&map(&[("offset", 1.0), ("scale", 2.0)]), &calibration, any);
    assert_eq!(tree, old::Calibration { offset: 1.0, scale: 2.0 });
    assert_eq!((migrated, texts), (counts(2), vec![]));
    let (tree, migrated, _) = load(&vec![1.0, 2.0], &(0.0, 0.0), any);
    assert_eq!((tree, migrated), ((1.0, 2.0), counts(2)));
    let (tree, migrated, _) = load(&map(&[("0", 1.0), ("1", 2.0)]), &vec![0.0], any);
    assert_eq!((tree, migrated), (vec![1.0, 2.0], counts(2)));
    let (tree, _, texts) = load(&map(&[("0", 1.0), ("x", 2.0)]), &[0.0; 1], any);
    assert_eq!((tree, texts), ([1.0], vec!["lost ['x']".to_owned()]));
    // Whole numbers that were stored as texts.
    let numbers = BTreeMap::from([(-1i32, 1.0f32), (20, 2.0)]);
    let texts = map(&[("-1", 1.0), ("20", 2.0)]);
    let (tree, migrated, _) = load(&texts, &BTreeMap::<i32, f32>::new(), any);
    assert_eq!((&tree, migrated), (&numbers, counts(2)));
    let (tree, migrated, _) = load(&map(&[("020", 2.0)]), &numbers, any);
    assert_eq!((tree.len(), migrated.dropped), (0, 1));
    // Without the rule, nothing of it fits.
    let (_, migrated, _) = load(&vec![1.0, 2.0], &(0.0, 0.0), &[]);
    assert_eq!((migrated.moved, migrated.replaced), (0, 1));
}

/// Enums whose variants have meta fields or not, in an order of their own.
mod enums {
    use treedef::Tree;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Pid {
            kp: f32,
            kd: f32,
        },
        Home {
            kd: f32,
            #[tree(meta)]
            axis: u8,
        },
        Lead {
            kp: f32,
            #[tree(meta)]
            axis: u8,
        },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "ctl::State")]
    pub(super) enum State {
        Off,
        Home {
            distance: f32,
            #[tree(meta)]
            axis: u8,
        },
        Pid {
            gain: f32,
            kd: f32,
        },
    }
}

#[test]
fn a_value_without_a_variant_of_its_name_is_of_the_variant_of_the_default() {
    use enums::Mode;

    let any = Matching::new(&[]).in_any_kind();
    let dict = |pairs: &[(&str, f32)]| -> BTreeMap<String, f32> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
    };
    // A dictionary has no name.
    let stored = dict(&[("kd", 1.0), ("kp", 2.0)]);
    let (home, lead) = (Mode::Home { kd: 8.0, axis: 3 }, Mode::Lead { kp: 9.0, axis: 4 });
    for (default, expected, lost) in [
        (Mode::Off, Mode::Off, &["lost ['kd']", "lost ['kp']"][..]),
        (Mode::Pid { kp: 7.0, kd: 6.0 }, Mode::Pid { kp: 2.0, kd: 1.0 }, &[]),
        (home.clone(), Mode::Home { kd: 1.0, axis: 3 }, &["lost ['kp']"]),
        (lead.clone(), Mode::Lead { kp: 2.0, axis: 4 }, &["lost ['kd']"]),
    ] {
        let (mode, _, texts) = load(&stored, &default, any);
        assert_eq!(
            (mode, &*texts),
            (expected, &*lost.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>())
        );
    }
    // A variant that the type has stays, and gets no defaults of another one.
    for stored in [Mode::Off, Mode::Pid { kp: 1.0, kd: 2.0 }, home.clone(), lead] {
        for default in [Mode::Off, Mode::Pid { kp: 3.0, kd: 4.0 }, home.clone()] {
            let (mode, _, texts) = load(&stored, &default, any);
            assert_eq!((mode, texts), (stored.clone(), vec![]));
        }
    }
    #[derive(Tree, Clone)]
    #[tree(name = "Mode::Pid")]
    struct Pid {
        kp: f32,
    }
    let (mode, migrated, texts) = load(&Pid { kp: 1.0 }, &home, any);
    let text = "replaced the root: variant Mode::Pid was stored, and .kd has no default";
    assert_eq!((mode, migrated.replaced, texts), (home.clone(), 1, vec![text.to_owned()]));
    // One that it lacks is of the variant of the default, as values of other kinds are.
    let rest = old::Mode::Home { speed: 5.0 };
    let (mode, migrated, _) = load(&rest, &new::Mode::Pid { ki: 1.0, kd: 2.0, kp: 3.0 }, any);
    assert_eq!(mode, new::Mode::Pid { ki: 1.0, kd: 2.0, kp: 3.0 });
    assert_eq!((migrated.lost, migrated.is_complete()), (1, false));
    // Without a default it is of the first one.
    let (modes, ..) = load(&vec![dict(&[])], &Vec::<Mode>::new(), any);
    assert_eq!(modes, [Mode::Off]);
}

#[test]
fn an_alias_of_an_enum_is_one_of_its_variants() {
    use enums::{Mode, State};

    let aliases = [("Mode", "ctl::State"), ("Mode.kp", "gain"), ("Mode::Home.kd", "distance")];
    let (off, pid) = (State::Off, State::Pid { gain: 7.0, kd: 6.0 });
    let home = |distance, axis| State::Home { distance, axis };
    for (stored, default, expected) in [
        (Mode::Off, pid.clone(), off.clone()),
        (Mode::Pid { kp: 1.0, kd: 2.0 }, off, State::Pid { gain: 1.0, kd: 2.0 }),
        (Mode::Home { kd: 3.0, axis: 5 }, home(8.0, 9), home(3.0, 5)),
    ] {
        let (state, migrated, texts) = load(&stored, &default, &aliases);
        assert_eq!((state, migrated.is_complete()), (expected.clone(), true), "{texts:?}");
        // Backwards.
        let (back, ..) = load(&expected, &stored, &aliases);
        assert_eq!(back, stored);
    }
    // A variant that only the older type has.
    let (state, _, texts) = load(&Mode::Lead { kp: 1.0, axis: 2 }, &pid, &aliases);
    let text = "replaced the root: variant Mode::Lead was stored, and the type has variants Off, Home, Pid";
    assert_eq!((state, texts), (pid, vec![text.to_owned()]));
    // A name that only begins as another one is no part of it.
    let (_, migrated, _) = load(&Mode::Off, &State::Off, &[("Mod", "ctl::Stat")]);
    assert_eq!(migrated.replaced, 1);
}

#[test]
fn leaves_come_from_an_iterator_and_can_be_refused() {
    let (stored, records) = (treedef!({"a": *, "b": [*, *]}), [(0, 1), (0, 2), (1, 3)]);
    let defaults = BTreeMap::from([("a".to_owned(), vec![]), ("b".to_owned(), vec![9])]);
    let (def, leaves) = flatten::<i32, _>(&defaults).unwrap();
    let defaults = View::new(&def, &leaves).unwrap();
    let mut texts = Vec::new();
    let take = |(tag, value): (i32, i32), place: LeafPlace<'_, i32>| match tag {
        0 => Ok(value),
        _ => Err(format!("{} has the tag {tag}", place.path)),
    };
    let report = |report: Migration<'_>| texts.push(report.to_string());
    let (tree, migrated): (BTreeMap<String, Vec<i32>>, _) =
        migrate_typed_with::<i32, _, _, _>(stored, records, defaults, &[], take, report).unwrap();
    assert_eq!(tree, BTreeMap::from([("b".to_owned(), vec![2, 9])]));
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced, migrated.dropped), (1, 2, 1, 1));
    for (count, error) in [
        (2, Error::TooFewLeaves { expected: 3, found: 2 }),
        (4, Error::TooManyLeaves { expected: 3, found: 4 }),
    ] {
        let leaves = std::iter::repeat_n(0, count);
        let take = |leaf, _: LeafPlace<'_, i32>| Ok::<_, &str>(leaf);
        let report = |_: Migration<'_>| panic!("nothing is loaded");
        let loaded: Result<(BTreeMap<String, Vec<i32>>, _), _> =
            migrate_typed_with::<i32, _, _, _>(stored, leaves, defaults, &[], take, report);
        assert_eq!(loaded.unwrap_err(), error);
    }
    let a = "dropped ['a']: a leaf was stored, and the type has a list";
    assert_eq!(texts, [a, "refused ['b'][1]: ['b'][1] has the tag 1"]);
}

treedef::leaf_types! {
    struct Setting {
        owned Value, read ValueRef, write ValueMut,
        Float(f32), Double(f64), Count(u16), Own(Percent), Foreign(Duration),
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Percent(u8);

treedef::leaf!(Percent);

/// Leaves of several types, of which one is a type of another crate.
#[derive(Tree, Debug, PartialEq)]
#[tree(name = "Gains")]
struct Gains {
    gain: f64,
    pair: [f64; 2],
    curve: Vec<f64>,
    duty: Percent,
    #[tree(leaf)]
    pause: Duration,
    count: u16,
}

#[test]
fn the_function_for_leaves_is_told_what_the_place_has() {
    let defaults = Gains {
        gain: 1.0,
        pair: [2.0; 2],
        curve: vec![],
        duty: Percent(5),
        pause: Duration::ZERO,
        count: 7,
    };
    let (def, leaves) = mixed::flatten::<Setting>(&defaults).unwrap();
    let defaults = View::new(&def, &leaves).unwrap();
    let fields = &["gain", "pair", "curve", "duty", "pause", "count"];
    let stored = treedef::TreeDefBox::build(|out| {
        out.node(&head::Struct { name: "Gains", fields, meta: &[] }, |out| {
            out.leaves(1);
            out.node(&head::List(2), |out| out.leaves(2));
            out.node(&head::List(1), |out| out.leaves(1));
            out.leaves(3);
        });
    })
    .unwrap();
    let mut places = Vec::new();
    let take = |stored: f32, place: LeafPlace<'_, Value>| {
        assert_eq!(place.stored.path().to_string(), place.path.to_string());
        places.push((place.path.to_string(), place.dtype, place.default.cloned()));
        match (place.dtype, place.default) {
            (Some(Dtype::Float64), _) => Ok(Value::Double(stored.into())),
            (None, Some(Value::Own(_))) => Ok(Value::Own(Percent(9))),
            _ => Err("refused"),
        }
    };
    let values = [0.5, 1.5, 2.5, 3.5, 0.0, 0.0, 0.0];
    let (gains, migrated): (Gains, _) =
        migrate_typed_with::<Setting, _, _, _>(&stored, values, defaults, &[], take, |_| {})
            .unwrap();
    let Gains { gain, pair, curve, duty, count, .. } = gains;
    assert_eq!((gain, pair, curve), (0.5, [1.5, 2.5], vec![3.5]));
    assert_eq!((duty, count, migrated.moved), (Percent(9), 7, 5));
    let double = |path: &str, default: Option<f64>| {
        (path.to_owned(), Some(Dtype::Float64), default.map(Value::Double))
    };
    assert_eq!(
        places,
        [
            double(".gain", Some(1.0)),
            double(".pair[0]", Some(2.0)),
            double(".pair[1]", Some(2.0)),
            double(".curve[0]", None),
            (".duty".to_owned(), None, Some(Value::Own(Percent(5)))),
            (".pause".to_owned(), None, Some(Value::Foreign(Duration::ZERO))),
            (".count".to_owned(), Some(Dtype::Uint16), Some(Value::Count(7))),
        ]
    );
}

treedef::leaf_types! {
    struct Wide {
        owned WideLeaf, read WideRef, write WideMut,
        Byte(u8), Short(i16), Long(u64), Huge(u128), Set(std::num::NonZero<u32>), Single(f32), Double(f64), Flag(bool),
        Letter(char), Tag(heapless::String<4>), Name(heapless::String<8>), Text(String), Pause(Duration), Duty(Percent),
    }
}

#[test]
fn a_leaf_keeps_its_value_in_another_type_that_has_it() {
    use std::num::NonZero;

    fn load<S, T>(stored: &S, defaults: &T) -> (T, usize, Vec<String>)
    where
        S: TreeWalk<Wide>,
        T: TreeBuild<Wide> + TreeWalk<Wide>,
    {
        let (def, leaves) = mixed::flatten::<Wide>(stored).unwrap();
        let (own, own_leaves) = mixed::flatten::<Wide>(defaults).unwrap();
        let (defaults, mut texts) = (View::new(&own, &own_leaves).unwrap(), vec![]);
        let take = |leaf, _: LeafPlace<'_, _>| Ok::<_, Error>(leaf);
        let report = |report: Migration<'_>| texts.push(report.to_string());
        let made = migrate_typed_with(&def, leaves, defaults, &[], take, report);
        let (tree, migrated) = made.unwrap();
        (tree, migrated.moved, texts)
    }
    fn kept<S, T>(stored: S, default: T) -> Option<T>
    where
        (S,): TreeWalk<Wide>,
        (T,): TreeBuild<Wide> + TreeWalk<Wide>,
    {
        let ((leaf,), moved, texts) = load(&(stored,), &(default,));
        assert_eq!(moved, 1 - texts.len());
        (moved == 1).then_some(leaf)
    }
    let text = |text: &str| -> heapless::String<8> { text.try_into().unwrap() };

    assert_eq!(kept(200u8, 0u64), Some(200));
    assert_eq!((kept(200u8, 0i16), kept(-3i16, 0u64), kept(-3i16, 0u8)), (Some(200), None, None));
    assert_eq!((kept(u64::MAX, 0i16), kept(u64::MAX, 0u128)), (None, None));
    assert_eq!((kept(255u64, 0u8), kept(256u64, 0u8)), (Some(255), None));
    assert_eq!(kept(7u8, NonZero::<u32>::MIN), NonZero::new(7));
    assert_eq!(
        (kept(0u8, NonZero::<u32>::MIN), kept(NonZero::new(9u32).unwrap(), 0u8)),
        (None, Some(9))
    );
    assert_eq!((kept(0.1f32, 0.0f64), kept(0.5f64, 0.0f32)), (Some(0.1f32.into()), None));
    assert_eq!(kept(text("left"), String::new()).as_deref(), Some("left"));
    assert_eq!(kept(text("left"), heapless::String::<4>::new()).as_deref(), Some("left"));
    assert_eq!(kept(text("right"), heapless::String::<4>::new()), None);
    assert_eq!(kept("right".to_owned(), text("")), Some(text("right")));
    // A value of another kind.
    assert_eq!((kept(1u8, false), kept(true, 0u8), kept(1u8, 0.0f32)), (None, None, None));
    assert_eq!((kept('a', String::new()), kept(text("a"), 'b')), (None, None));
    assert_eq!((kept(1u8, Percent(0)), kept(Duration::ZERO, 0u64)), (None, None));

    // An array that grew keeps its front.
    let (pair, .., texts) = load(&[1.5f32, 2.5], &[0.0f64, 0.0, 9.0]);
    assert_eq!((pair, texts), ([1.5, 2.5, 9.0], vec!["new [2]".to_owned()]));
}

/// A channel whose field has a default of its own, and one without.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Channel")]
struct Channel {
    offset: f32,
    #[tree(default = 1.0)]
    scale: f32,
}

#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Plain")]
struct Plain {
    offset: f32,
    scale: f32,
}

fn load_without_13<T: Tree<f32>>(stored: &T, defaults: &T) -> (T, Migrated, Vec<String>) {
    load_without_13_as(stored, defaults)
}

/// Loads leaves of which 13 is refused.
fn load_without_13_as<S: Tree<f32>, T: Tree<f32>>(
    stored: &S,
    defaults: &T,
) -> (T, Migrated, Vec<String>) {
    let (def, leaves) = flatten(stored).unwrap();
    let (own, own_leaves) = flatten(defaults).unwrap();
    let defaults = View::new(&own, &own_leaves).unwrap();
    let take = |leaf: &f32, _: LeafPlace<'_, f32>| match *leaf {
        13.0 => Err("unlucky"),
        leaf => Ok(leaf),
    };
    let mut texts = Vec::new();
    let report = |report: Migration<'_>| texts.push(report.to_string());
    let made = migrate_typed_with::<f32, T, _, _>(&def, &leaves, defaults, &[], take, report);
    let (tree, migrated) = made.unwrap();
    (tree, migrated, texts)
}

#[test]
fn a_refused_leaf_has_the_default_of_its_field_or_of_what_is_around_it() {
    let channel = |scale| Channel { offset: 2.0, scale };
    let (tree, migrated, texts) =
        load_without_13(&vec![channel(3.0), channel(13.0)], &Vec::<Channel>::new());
    assert_eq!(tree, [channel(3.0), channel(1.0)]);
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced), (3, 1, 1));
    assert_eq!(texts, ["refused [1].scale: unlucky"]);
    // A default of the defaults goes first.
    let (tree, ..) = load_without_13(&vec![channel(13.0)], &vec![channel(7.0)]);
    assert_eq!(tree, [channel(7.0)]);
    // Without any, its element is dropped.
    let plain = |scale| Plain { offset: 2.0, scale };
    let (tree, migrated, texts) =
        load_without_13(&(vec![plain(3.0), plain(13.0)], 5.0f32), &(vec![], 6.0));
    assert_eq!(tree, (vec![plain(3.0)], 5.0));
    assert_eq!((migrated.moved, migrated.lost, migrated.dropped), (3, 2, 1));
    let element = "dropped [0][1]: a struct Plain was stored, and [0][1].scale has no default";
    assert_eq!(texts, ["refused [0][1].scale: unlucky", element]);
    // A refused leaf inside what is replaced for another reason is no place of its own.
    let list = |count| vec![channel(13.0); count];
    let room: (heapless::Vec<Channel, 1>, f32) = (heapless::Vec::new(), 0.0);
    let (_, migrated, _) = load_without_13_as(&(list(2), 5.0f32), &room);
    assert_eq!((migrated.moved, migrated.lost, migrated.replaced), (1, 4, 1));
    // An option is the place itself.
    let (tree, migrated, texts) = load_without_13(&(Some(13.0f32), 5.0f32), &(None, 6.0));
    assert_eq!(tree, (None, 5.0));
    assert_eq!((migrated.replaced, texts), (1, vec!["refused [0]: unlucky".to_owned()]));
}

/// Types whose parts have less room, or need what is not stored.
mod parts {
    use treedef::Tree;

    use super::old;

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Box")]
    pub(super) struct Room<V, O, M> {
        pub(super) v: V,
        pub(super) o: O,
        pub(super) m: M,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Calibration")]
    pub(super) struct Calibration<S> {
        pub(super) offset: f32,
        pub(super) scale: f32,
        pub(super) shift: S,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Off,
        Home { speed: [f32; 2] },
    }

    pub(super) fn calibration() -> old::Calibration {
        old::Calibration { offset: 1.0, scale: 2.0 }
    }
}

#[test]
fn a_reason_names_the_part_that_does_not_fit() {
    use parts::{Calibration, Mode, Room, calibration};

    let list = |len: usize| vec![1.0f32; len];
    let modes = vec![old::Mode::Off, old::Mode::Home { speed: 1.0 }];
    let stored = Room { v: vec![list(1), list(3)], o: Some(Some(list(3))), m: modes.clone() };
    type Small = heapless::Vec<f32, 2>;
    let (v, o, m) = (Vec::<Small>::new(), None::<Option<Small>>, Vec::<Mode>::new());
    let (tree, migrated, texts) = load(&stored, &Room { v, o, m }, &[]);
    let first = Small::from_slice(&[1.0]).unwrap();
    assert_eq!(tree, Room { v: vec![first], o: None, m: vec![Mode::Off] });
    assert_eq!((migrated.moved, migrated.replaced, migrated.dropped), (1, 1, 2));
    let texts_of_room = [
        "dropped .v[1]: a list of 3 was stored, and there is room for 2",
        "replaced .o: Some was stored, and .o is a list of 3: there is room for 2",
        "dropped .m[1]: variant Mode::Home was stored, and .m[1].speed is a leaf: the type has a list of 2",
    ];
    assert_eq!(texts, texts_of_room);
    // A variant that the type lacks, and a list where it has a leaf.
    let only_off = Room { v: Vec::<f32>::new(), o: 1.0f32, m: Vec::<Option<Only>>::new() };
    let (_, _, texts) = load(&stored, &only_off, &[]);
    let texts_of_kinds = [
        "dropped .v[0]: a list of 1 was stored, and the type has a leaf",
        "dropped .v[1]: a list of 3 was stored, and the type has a leaf",
        "replaced .o: Some was stored, and the type has a leaf",
        "dropped .m[1]: variant Mode::Home was stored, and the type has variant Off",
    ];
    assert_eq!(texts, texts_of_kinds);
    // The first part that does not fit, of those below a place that has no default. It is the innermost element that is dropped.
    let deep = vec![vec![list(2)], vec![list(1), list(3)], vec![list(4)]];
    let (tree, _, texts) = load(&(deep, 1.0f32), &(Vec::<Vec<Small>>::new(), 2.0f32), &[]);
    assert_eq!(tree.0.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 0]);
    let texts_of_elements = [
        "dropped [0][1][1]: a list of 3 was stored, and there is room for 2",
        "dropped [0][2][0]: a list of 4 was stored, and there is room for 2",
    ];
    assert_eq!(texts, texts_of_elements);

    // A default that is missing in an option, or in options of options.
    type Shifted<S> = Option<Calibration<S>>;
    fn missing<S: Tree<f32> + std::fmt::Debug + PartialEq>() {
        let stored = Room {
            v: vec![Some(calibration())],
            o: Some(calibration()),
            m: Some(Some(calibration())),
        };
        let default =
            Room { v: Vec::<Shifted<S>>::new(), o: None::<Calibration<S>>, m: None::<Shifted<S>> };
        let (_, _, texts) = load(&stored, &default, &[]);
        let texts_of_options = [
            "dropped .v[0]: a struct Calibration was stored, and .v[0].shift has no default",
            "replaced .o: a struct Calibration was stored, and .o.shift has no default",
            "replaced .m: Some was stored, and .m.shift has no default",
        ];
        assert_eq!(texts, texts_of_options);
        // An option that is an element can have that of the first element.
        let default = Room { v: vec![None::<Calibration<S>>], ..default };
        let keep = Matching::new(&[]).keep_places();
        let (tree, migrated, texts) = load(&stored, &default, keep);
        let text =
            "replaced .v[0]: a struct Calibration was stored, and .v[0].shift has no default";
        assert_eq!((tree.v, texts[0].as_str(), migrated.dropped), (vec![None], text, 0));
    }
    missing::<f32>();
    missing::<Vec<f32>>();
    missing::<old::Mode>();
}

/// An enum of one variant.
#[derive(Tree, Clone, Debug, PartialEq)]
#[tree(name = "Mode")]
enum Only {
    Off,
}

fn any_settings() -> impl Strategy<Value = old::Settings> {
    let leaf = || -100i8..100;
    let calibration = prop::option::of((leaf(), leaf())).prop_map(|pair| {
        pair.map(|(offset, scale)| old::Calibration { offset: offset.into(), scale: scale.into() })
    });
    let mode = prop_oneof![
        Just(old::Mode::Off),
        (leaf(), leaf()).prop_map(|(kp, ki)| old::Mode::Pid { kp: kp.into(), ki: ki.into() }),
        leaf().prop_map(|speed| old::Mode::Home { speed: speed.into() }),
    ];
    let curve = prop::collection::vec(leaf().prop_map(f32::from), 0..4);
    let names = prop::collection::btree_map("[a-c]{1,2}", leaf().prop_map(f32::from), 0..4);
    (calibration, mode, curve, names, leaf()).prop_map(|(calibration, mode, curve, names, rate)| {
        old::Settings { calibration, mode, curve, names, rate: rate.into() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_of_the_same_type_stays_whatever_the_defaults_are(
        stored in any_settings(), defaults in any_settings(),
    ) {
        let (tree, migrated, texts) = load(&stored, &defaults, &[]);
        prop_assert_eq!(migrated, counts(flatten::<f32, _>(&stored).unwrap().1.len()));
        prop_assert_eq!((tree, texts), (stored, vec![]));
    }

    #[test]
    fn the_newer_type_keeps_what_the_older_one_has(
        stored in any_settings(), defaults in any_settings(), gain in any::<i8>(),
    ) {
        let old::Settings { calibration, mode, curve, names, rate } = defaults;
        let defaults = new::WithGain { calibration, mode, curve, names, rate, gain: gain.into() };
        let (newer, migrated, _) = load(&stored, &defaults, &[]);
        prop_assert!(migrated.is_complete());
        prop_assert_eq!(newer.gain, f32::from(gain));
        prop_assert_eq!(load(&newer, &stored, &[]).0, stored);
    }

    #[test]
    fn any_structure_can_be_loaded(def in treedefs(), defaults in any_settings(), any_kind in any::<bool>()) {
        let def = def.as_treedef();
        prop_assume!(def.num_leaves() < 10_000);
        let leaves = vec![1.0f32; def.num_leaves()];
        let matching = Matching::new(&[("a", "mode.kp"), ("[*].x", "names[*]"), ("", "curve[0]")]);
        let matching = if any_kind { matching.in_any_kind() } else { matching };
        let view = View::new(def, &leaves).unwrap();
        let (_, migrated) = migrate_typed(view, &defaults, matching, |report| _ = report.to_string()).unwrap();
        prop_assert_eq!(migrated.moved + migrated.lost, leaves.len());
    }
}

#[test]
fn a_part_that_moved_into_a_place_that_cannot_be_made_says_so() {
    #[derive(Tree)]
    #[tree(name = "Loop")]
    struct Old {
        kp: f32,
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Pid {
        kp: f32,
        ki: f32,
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Loop")]
    struct New {
        pid: Option<Pid>,
    }
    let (tree, migrated, texts) = load(&Old { kp: 2.0 }, &New { pid: None }, &[(".kp", "pid.kp")]);
    assert_eq!((tree.pid, migrated.lost, migrated.replaced), (None, 1, 1));
    let text = "replaced .pid: .kp is a part of it, and another part of it has no default";
    assert_eq!(texts.last().map(String::as_str), Some(text));
}

#[test]
fn a_name_that_a_field_still_has_is_moved_by_paths_alone() {
    #[derive(Tree)]
    #[tree(name = "Gains")]
    struct Old {
        gain: f32,
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Gains")]
    struct New {
        kp: f32,
        gain: f32,
    }
    let stored = Old { gain: 1.0 };
    let defaults = New { kp: 0.25, gain: 0.5 };
    let (by_name, migrated, _) = load(&stored, &defaults, &[("gain", "kp")]);
    assert_eq!((by_name, migrated.moved), (New { kp: 0.25, gain: 1.0 }, 1));
    let (by_path, migrated, texts) = load(&stored, &defaults, &[(".gain", ".kp")]);
    assert_eq!((by_path, migrated.moved), (New { kp: 1.0, gain: 0.5 }, 1));
    assert_eq!(texts, ["moved .gain to .kp", "new .gain"]);
}
