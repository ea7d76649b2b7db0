//! Older names that stand at a type: of fields, variants, meta fields, values of meta fields, and of the type itself.

use std::collections::BTreeMap;

use treedef::algebra::{Migrated, Migration, aliases, migrate_typed};
use treedef::encode::fits;
use treedef::{Tree, TreeDefBox, View, flatten, head, schema_of, unflatten};

/// What older programs stored.
mod older {
    use treedef::{Meta, Tree};

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Window {
        Hanning,
        Flat(u8),
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Gains")]
    pub(super) struct Gains {
        pub(super) p: f32,
        pub(super) i: f32,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Mode")]
    pub(super) enum Mode {
        Idle,
        Loop { gain: f32 },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Axis")]
    pub(super) struct Axis {
        pub(super) gains: Gains,
        pub(super) mode: Mode,
        pub(super) taps: Vec<f32>,
        #[tree(meta)]
        pub(super) chan: u8,
        #[tree(meta)]
        pub(super) window: Window,
    }
}

/// What the program has.
mod newer {
    use treedef::{Meta, Tree};

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Window {
        #[tree(alias = "Hanning", alias = "Hamming")]
        Hann,
        #[tree(alias = "Flat")]
        Even(u8),
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "ctl::Mode", alias = "Mode")]
    pub(super) enum Mode {
        #[tree(alias = "Idle")]
        Off,
        #[tree(alias = "Loop")]
        Pid {
            #[tree(alias = "gain")]
            kp: f32,
        },
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Joint", alias = "Axis", alias = "axis::Axis")]
    pub(super) struct Joint {
        #[tree(alias = "p", alias = "gains.p")]
        pub(super) kp: f32,
        #[tree(alias = "gains.i")]
        pub(super) ki: f32,
        #[tree(alias = "mode")]
        pub(super) state: Mode,
        #[tree(alias = "taps")]
        pub(super) filter: Vec<f32>,
        #[tree(default = 0.5)]
        pub(super) trim: f32,
        #[tree(meta, alias = "chan")]
        pub(super) channel: u8,
        #[tree(meta, alias = "win")]
        pub(super) window: Window,
    }
}

fn load<O: Tree<f32>, T: Tree<f32>>(stored: &O, defaults: &T) -> (T, Migrated, Vec<String>) {
    let (def, leaves) = flatten(stored).unwrap();
    let (view, mut texts) = (View::new(&def, &leaves).unwrap(), Vec::new());
    let push = |report: Migration<'_>| texts.push(report.to_string());
    let (tree, migrated) = migrate_typed(view, defaults, &[], push).unwrap();
    assert_eq!(migrated.moved + migrated.lost, leaves.len());
    (tree, migrated, texts)
}

fn axis(chan: u8, window: older::Window) -> older::Axis {
    let gains = older::Gains { p: 1.0, i: 2.0 };
    older::Axis { gains, mode: older::Mode::Loop { gain: 3.0 }, taps: vec![4.0, 5.0], chan, window }
}

fn joint(channel: u8, window: newer::Window) -> newer::Joint {
    let (state, filter) = (newer::Mode::Pid { kp: 3.0 }, vec![4.0, 5.0]);
    newer::Joint { kp: 1.0, ki: 2.0, state, filter, trim: 0.5, channel, window }
}

#[test]
fn older_names_at_a_type_lose_nothing() {
    use newer::Window;
    let stored = axis(7, older::Window::Hanning);
    let moved = [
        "moved .gains.p to .kp",
        "moved .gains.i to .ki",
        "moved .mode to .state",
        "moved .mode.gain to .state.kp",
        "moved .taps to .filter",
    ];
    // In a list without defaults, too.
    for (stored, at) in
        [(vec![stored.clone()], "[0]"), (vec![axis(7, older::Window::Hanning)], "[0]")]
    {
        let (tree, migrated, texts) = load(&stored, &Vec::<newer::Joint>::new());
        assert_eq!(tree, [joint(7, Window::Hann)]);
        assert!(migrated.is_complete(), "{migrated} {texts:?}");
        let moved = moved.map(|text| {
            let (from, to) = text.trim_start_matches("moved ").split_once(" to ").unwrap();
            format!("moved {at}{from} to {at}{to}")
        });
        assert!(moved.iter().all(|text| texts.contains(text)), "{texts:#?}");
        assert!(!texts.iter().any(|text| text.starts_with("lost")), "{texts:#?}");
    }
    // Names of variants with data, and a variant without fields.
    let mut idle = axis(8, older::Window::Flat(3));
    idle.mode = older::Mode::Idle;
    let (tree, migrated, _) = load(&idle, &joint(0, Window::Hann));
    assert_eq!((tree.state, tree.window, tree.channel), (newer::Mode::Off, Window::Even(3), 8));
    assert!(migrated.is_complete());
}

#[test]
fn older_names_are_in_neither_key_nor_bytes() {
    #[derive(Tree)]
    #[tree(name = "S")]
    struct Plain {
        a: f32,
    }
    #[derive(Tree)]
    #[tree(name = "S", alias = "T")]
    struct Aliased {
        #[tree(alias = "b")]
        a: f32,
    }
    assert_eq!(schema_of::<Plain>(), schema_of::<Aliased>());
    let plain = flatten::<f32, _>(&Plain { a: 1.0 }).unwrap();
    assert_eq!(plain, flatten::<f32, _>(&Aliased { a: 1.0 }).unwrap());
    // What is no migration reads the own names alone.
    let (def, leaves) = flatten(&axis(7, older::Window::Hanning)).unwrap();
    assert!(fits::<newer::Joint>(&def).is_err());
    assert!(unflatten::<f32, newer::Joint>(&def, &leaves).is_err());
}

/// One node with other children than the type has.
fn node(children: &[(&str, f32)]) -> BTreeMap<String, f32> {
    children.iter().map(|(name, leaf)| ((*name).to_owned(), *leaf)).collect()
}

#[test]
fn an_own_name_goes_before_older_ones_and_these_in_their_order() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Was")]
    struct Was<A, B> {
        a: A,
        b: B,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Was")]
    struct Now {
        #[tree(alias = "a", alias = "b")]
        c: f32,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Was")]
    struct Both {
        #[tree(alias = "a")]
        b: f32,
    }
    // The second alias is not needed, so what it leads to is lost.
    let (tree, migrated, texts) = load(&Was { a: 1.0f32, b: 2.0f32 }, &Now { c: 0.0 });
    assert_eq!((tree.c, migrated.moved, migrated.lost), (1.0, 1, 1));
    assert_eq!(texts, ["moved .a to .c", "lost .b"]);
    // Nor is an alias where the own name is stored.
    let (tree, migrated, texts) = load(&Was { a: 1.0f32, b: 2.0f32 }, &Both { b: 0.0 });
    assert_eq!((tree.b, migrated.lost, texts), (2.0, 1, vec!["lost .a".to_owned()]));
    // An alias that leads to another kind moves nothing.
    let (tree, migrated, _) = load(&Was { a: vec![1.0f32], b: 2.0f32 }, &Now { c: 9.0 });
    assert_eq!((tree.c, migrated.moved, migrated.lost, migrated.replaced), (9.0, 0, 2, 1));
}

#[test]
fn what_is_beside_a_part_that_moved_is_lost() {
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Root")]
    struct Root<T> {
        group: T,
        rest: f32,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Group")]
    struct Group {
        list: Vec<f32>,
        map: BTreeMap<String, f32>,
        #[tree(meta)]
        unit: u8,
    }
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Group")]
    struct Empty {}
    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Root")]
    struct Flat {
        #[tree(alias = "group.list[1]")]
        second: f32,
        #[tree(alias = "group.map['b']")]
        b: f32,
        #[tree(alias = "group.nothing")]
        none: f32,
        #[tree(alias = "group")]
        empty: Empty,
        rest: f32,
    }
    let map = node(&[("a", 3.0), ("b", 4.0), ("c", 5.0)]);
    let stored = Root { group: Group { list: vec![1.0, 2.0], map, unit: 9 }, rest: 6.0 };
    let flat = |second, b, rest| Flat { second, b, none: 8.0, empty: Empty {}, rest };
    let (tree, migrated, texts) = load(&stored, &flat(0.0, 0.0, 0.0));
    assert_eq!(tree, flat(2.0, 4.0, 6.0));
    assert_eq!((migrated.moved, migrated.lost, migrated.lost_meta, migrated.new), (3, 3, 1, 1));
    let expected = [
        "moved .group.list[1] to .second",
        "moved .group.map['b'] to .b",
        "new .none",
        "moved .group to .empty",
        "changed .empty: unexpected meta field unit",
        "lost the meta field unit = 9 of .group",
        "lost .group.list[0]",
        "lost .group.map['a']",
        "lost .group.map['c']",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn of_children_of_one_older_name_the_first_moves() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "S", alias = "T")]
    struct Now {
        #[tree(alias = "a")]
        b: f32,
    }
    let fields = &["a", "T", "a", "a"];
    let def = TreeDefBox::build(|out| {
        out.node(&head::Struct { name: "T", fields, meta: &[] }, |out| out.leaves(4));
    })
    .unwrap();
    let (stored, mut lost) = (View::new(&def, &[1.0f32, 2.0, 3.0, 4.0]).unwrap(), 0);
    let (tree, migrated) = migrate_typed(stored, &Now { b: 0.0 }, &[], |report| {
        lost += usize::from(report.to_string() == "lost .T");
    })
    .unwrap();
    assert_eq!((tree, migrated.moved, migrated.lost), (Now { b: 1.0 }, 1, 3));
    // A name of the type is none of a field.
    assert_eq!(lost, 1);
}

#[test]
fn aliases_to_places_of_a_type_compile_and_move_leaves() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "app::Level")]
    enum Level {
        Off,
        On { gain: Option<f32> },
    }
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "app::Now")]
    struct Now {
        levels: Vec<Level>,
        few: heapless::Vec<f32, 4>,
        pair: (f32, [f32; 2]),
        names: BTreeMap<String, Option<Level>>,
        next: Option<Box<Now>>,
        #[tree(name = "a/b")]
        slash: f32,
    }
    const ALIASES: &[(&str, &str)] = aliases!(
        Now,
        [
            ("x", "pair[0]"),
            ("y", ".pair[1].1"),
            ("list[*]", "few[*]"),
            ("z", "few[3]"),
            ("levels[*].On.gain", "levels[*].gain"),
            ("all", ""),
            ("k", "names['a.b'].gain"),
            ("m", r#"names["a[']"]"#),
            ("q", r"names['it\']s'].gain"),
            ("k[*]", "names[*].gain"),
            ("n", "names.any.gain"),
            ("n", "*"),
            ("d", "next.next.anything"),
            ("s", "a/b"),
            // Pairs of names at any node.
            ("amount", "gain"),
            ("app::Level.amount", "gain"),
            ("amount", "app::Level.gain"),
            ("amount", "app::Level::On.gain"),
            ("old::Level", "app::Level"),
            ("old", "app"),
            // A string key.
            ("left", "right"),
        ]
    );
    #[derive(Tree)]
    #[tree(name = "app::Now")]
    struct Older {
        x: f32,
        y: f32,
        list: [f32; 1],
        s: f32,
    }
    let older = Older { x: 1.0, y: 2.0, list: [3.0], s: 4.0 };
    let (def, leaves) = flatten(&older).unwrap();
    let empty = || Now {
        levels: vec![],
        few: [0.0].into_iter().collect(),
        pair: (0.0, [0.0; 2]),
        names: BTreeMap::new(),
        next: None,
        slash: 0.0,
    };
    let stored = View::new(&def, &leaves).unwrap();
    let (now, migrated) = migrate_typed(stored, &empty(), ALIASES, |_| {}).unwrap();
    assert_eq!((now.pair, now.slash, migrated.moved), ((1.0, [0.0, 2.0]), 4.0, 4));
    assert_eq!(now.few, [3.0]);
}
