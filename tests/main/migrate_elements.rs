//! What a migration does with the elements of lists and maps: those that cannot be made, and how many there are.

use std::collections::BTreeMap;

use treedef::algebra::{Matching, Migrated, migrate_typed};
use treedef::format::{FromValue, MapKey, ToValue};
use treedef::{Tree, Value, View, flatten, treedef};

/// Stored by a newer program.
mod newer {
    use treedef::{Meta, Tree};

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Layer")]
    pub(super) enum Layer {
        Dense { w: f32 },
        Norm { scale: f32, shift: f32 },
    }

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Unit {
        Watt,
        Lumen,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Sensor")]
    pub(super) struct Sensor {
        pub(super) gain: f32,
        #[tree(meta)]
        pub(super) unit: Unit,
    }
}

/// What the program has.
mod older {
    use treedef::{Meta, Tree};

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Layer")]
    pub(super) enum Layer {
        Dense { w: f32 },
    }

    #[derive(Meta, Clone, Copy, Debug, PartialEq)]
    pub(super) enum Unit {
        Watt,
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Sensor")]
    pub(super) struct Sensor {
        pub(super) gain: f32,
        #[tree(meta)]
        pub(super) unit: Unit,
    }
}

fn load<O: Tree<f32>, T: Tree<f32>>(
    stored: &O,
    defaults: &T,
    matching: Matching<'_>,
) -> (T, Migrated, Vec<String>) {
    let (def, leaves) = flatten(stored).unwrap();
    let (view, mut texts) = (View::new(&def, &leaves).unwrap(), Vec::new());
    let push = |report: treedef::algebra::Migration<'_>| texts.push(report.to_string());
    let (tree, migrated) = migrate_typed(view, defaults, matching, push).unwrap();
    assert_eq!(migrated.moved + migrated.lost, leaves.len());
    (tree, migrated, texts)
}

const PLAIN: Matching<'_> = Matching::new(&[]);

fn dense(w: f32) -> older::Layer {
    older::Layer::Dense { w }
}

/// A list whose second element has a variant that the type lacks.
fn layers() -> Vec<newer::Layer> {
    use newer::Layer;
    vec![Layer::Dense { w: 1.0 }, Layer::Norm { scale: 2.0, shift: 3.0 }, Layer::Dense { w: 4.0 }]
}

const NORM: &str = "variant Layer::Norm was stored, and the type has variant Dense";

#[test]
fn an_element_that_cannot_be_made_loses_itself() {
    let (tree, migrated, texts) = load(&layers(), &vec![dense(9.0)], PLAIN);
    assert_eq!(tree, [dense(1.0), dense(4.0)]);
    assert_eq!((migrated.moved, migrated.lost, migrated.dropped), (2, 2, 1));
    assert!(!migrated.is_complete());
    assert_eq!(texts, [format!("dropped [1]: {NORM}")]);
    // So do the first ones, the last ones, and all of them.
    let norm = || layers()[1].clone();
    for (stored, expected) in [
        (vec![norm(), norm(), layers()[0].clone()], vec![dense(1.0)]),
        (vec![layers()[2].clone(), norm()], vec![dense(4.0)]),
        (vec![norm()], vec![]),
    ] {
        assert_eq!(load(&stored, &vec![dense(9.0)], PLAIN).0, expected);
    }
    // The length of the list needs fewer bytes then.
    let long: Vec<_> = (0..200).map(|_| layers()).collect::<Vec<_>>().concat();
    let (tree, migrated, _) = load(&long, &vec![dense(9.0)], PLAIN);
    assert_eq!((tree.len(), migrated.dropped), (400, 200));
    let (tree, ..) = load(&long[..300].to_vec(), &Vec::<older::Layer>::new(), PLAIN);
    assert_eq!(tree.len(), 200);
    let tail: Vec<_> = long[..150].iter().map(|_| norm()).chain([layers()[0].clone()]).collect();
    assert_eq!(
        load(&(tail, 5.0f32), &(vec![dense(9.0)], 0.0f32), PLAIN).0,
        (vec![dense(1.0)], 5.0)
    );
}

#[test]
fn an_element_that_an_alias_moves_away_loses_no_other_one() {
    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "New")]
    struct New {
        y: f32,
        xs: Vec<f32>,
    }

    let stored = treedef!({"xs": {"0": *, "1": *, "2": *}});
    let (view, defaults) =
        (View::new(stored, &[1.0, 2.0, 3.0]).unwrap(), New { xs: vec![], y: 0.0 });
    let matching = Matching::new(&[("xs.1", "y")]).in_any_kind();
    let (tree, migrated) = migrate_typed(view, &defaults, matching, |_| {}).unwrap();
    assert_eq!(tree, New { xs: vec![1.0, 3.0], y: 2.0 });
    assert_eq!((migrated.moved, migrated.lost, migrated.dropped), (3, 0, 1));
}

#[test]
fn an_alias_of_an_element_goes_by_what_another_one_gives_that_element() {
    #[derive(Tree)]
    #[tree(name = "Robot")]
    struct Older {
        motors: [(Option<OlderPid>,); 2],
        kp: [f32; 2],
    }

    #[derive(Tree, Clone)]
    #[tree(name = "Pid")]
    struct OlderPid {
        ki: f32,
    }

    #[derive(Tree, Debug, PartialEq)]
    #[tree(name = "Robot")]
    struct Robot {
        motors: [((), Option<Pid>); 2],
    }

    #[derive(Tree, Clone, Debug, PartialEq)]
    #[tree(name = "Pid")]
    struct Pid {
        kp: f32,
        ki: f32,
    }

    let aliases = [("motors[*][0]", "motors[*][1]"), ("kp[*]", "motors[*][1].kp")];
    let defaults = Robot { motors: [((), None), ((), None)] };
    for (index, other) in [(0, 1), (1, 0)] {
        let mut stored = Older { motors: [(None,), (None,)], kp: [1.0, 2.0] };
        stored.motors[index].0 = Some(OlderPid { ki: 3.0 });
        let mut expected = Robot { motors: [((), None), ((), None)] };
        expected.motors[index].1 = Some(Pid { kp: stored.kp[index], ki: 3.0 });
        let (tree, migrated, texts) = load(&stored, &defaults, Matching::new(&aliases));
        assert_eq!((tree, migrated.moved, migrated.lost), (expected, 2, 1));
        let lost: Vec<_> = texts.iter().filter(|text| text.starts_with("lost ")).collect();
        assert_eq!(lost, [&format!("lost .kp[{other}]")], "{texts:?}");
    }
}

#[test]
fn an_element_that_cannot_be_made_keeps_its_place_if_asked_to() {
    let keep = PLAIN.keep_places();
    let (tree, migrated, texts) = load(&layers(), &vec![dense(9.0), dense(8.0)], keep);
    assert_eq!(tree, [dense(1.0), dense(9.0), dense(4.0)]);
    assert_eq!((migrated.lost, migrated.replaced, migrated.dropped), (2, 1, 0));
    assert_eq!(texts, [format!("replaced [1]: {NORM}")]);
    // Where the defaults have none, it is dropped.
    let (tree, migrated, _) = load(&layers(), &Vec::<older::Layer>::new(), keep);
    assert_eq!((tree.len(), migrated.dropped), (2, 1));
}

#[test]
fn an_element_of_an_array_that_cannot_be_made_is_that_of_the_defaults() {
    let stored: [newer::Layer; 3] = layers().try_into().unwrap();
    let defaults = [dense(7.0), dense(8.0), dense(9.0)];
    let (tree, migrated, texts) = load(&stored, &defaults, PLAIN);
    assert_eq!(tree, [dense(1.0), dense(8.0), dense(4.0)]);
    assert_eq!((migrated.replaced, texts), (1, vec![format!("replaced [1]: {NORM}")]));
}

#[test]
fn an_element_of_a_map_that_cannot_be_made_loses_itself_and_its_key() {
    let stored: BTreeMap<String, _> =
        ["a", "b", "c"].map(str::to_owned).into_iter().zip(layers()).collect();
    let defaults = BTreeMap::from([("z".to_owned(), dense(9.0))]);
    let (tree, migrated, texts) = load(&stored, &defaults, PLAIN);
    assert_eq!(tree, BTreeMap::from([("a".to_owned(), dense(1.0)), ("c".to_owned(), dense(4.0))]));
    assert_eq!((migrated.lost, migrated.dropped), (2, 1));
    assert_eq!(texts, [format!("dropped ['b']: {NORM}")]);
    let (tree, ..) = load(&stored, &defaults, PLAIN.keep_places());
    assert_eq!(tree.len(), 3);
    assert_eq!(tree["b"], dense(9.0));
}

#[test]
fn a_key_that_the_map_cannot_have_is_dropped_with_its_element() {
    let stored = BTreeMap::from([(-1i32, 1.0f32), (7, 2.0), (255, 3.0), (300, 4.0)]);
    let (tree, migrated, texts) = load(&stored, &BTreeMap::<u8, f32>::new(), PLAIN);
    assert_eq!(tree, BTreeMap::from([(7u8, 2.0), (255, 3.0)]));
    assert_eq!((migrated.moved, migrated.lost, migrated.dropped), (2, 2, 2));
    let why = "a leaf was stored, and the map has no such key";
    assert_eq!(texts, [format!("dropped [-1]: {why}"), format!("dropped [300]: {why}")]);
    // There is no place for it, whatever the defaults are.
    let (tree, ..) = load(&stored, &BTreeMap::from([(1u8, 9.0f32)]), PLAIN.keep_places());
    assert_eq!(tree, BTreeMap::from([(7u8, 2.0), (255, 3.0)]));
    // Room is needed for what is kept.
    type Two = heapless::index_map::FnvIndexMap<u8, f32, 2>;
    let (tree, migrated, _) = load(&stored, &Two::new(), PLAIN);
    assert_eq!((tree.len(), migrated.dropped, migrated.replaced), (2, 2, 0));
}

/// A key without capital letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lower(String);

impl ToValue for Lower {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        take(Value::Str(&self.0))
    }
}

impl FromValue for Lower {
    fn from_value(value: Value<'_>) -> Option<Self> {
        value.as_str().map(|text| Self(text.to_lowercase()))
    }
}

impl MapKey for Lower {}

#[test]
fn keys_that_become_equal_are_found_also_where_others_are_dropped() {
    let map = |last: &str| -> BTreeMap<String, newer::Layer> {
        let names = (0..150).map(|index| format!("k{index:03}")).chain([last.to_owned()]);
        names.zip(layers().into_iter().cycle()).collect()
    };
    let defaults = BTreeMap::from([(Lower("z".to_owned()), dense(9.0))]);
    // A third of the elements is dropped, so that the number of those that stay takes a byte less than before.
    let (tree, migrated, _) = load(&map("K150"), &defaults, PLAIN);
    assert_eq!((tree.len(), migrated.dropped, migrated.replaced), (101, 50, 0));
    assert!(tree.keys().all(|key| key.0.starts_with('k')));
    // `K149` and `k149` are one key: the map has its default.
    let (tree, migrated, _) = load(&map("K149"), &defaults, PLAIN);
    assert_eq!((tree, migrated.replaced), (defaults, 1));
}

#[test]
fn many_keys_are_dropped_in_one_pass() {
    let stored: BTreeMap<String, newer::Layer> =
        (0..40_000).map(|index| (format!("{index:08}"), layers()[1].clone())).collect();
    let (tree, migrated, _) = load(&stored, &BTreeMap::<String, older::Layer>::new(), PLAIN);
    assert_eq!((tree.len(), migrated.dropped), (0, 40_000));
}

#[test]
fn an_element_with_an_unknown_meta_value_says_which() {
    use newer::{Sensor, Unit};
    let stored =
        vec![Sensor { gain: 1.0, unit: Unit::Watt }, Sensor { gain: 2.0, unit: Unit::Lumen }];
    let kept = |gain| older::Sensor { gain, unit: older::Unit::Watt };
    let (tree, migrated, texts) = load(&stored, &Vec::<older::Sensor>::new(), PLAIN);
    assert_eq!(tree, [kept(1.0)]);
    assert_eq!((migrated.lost, migrated.dropped), (1, 1));
    let why = "[1] has the meta field unit = 'Lumen', which the type does not take";
    assert_eq!(texts, [format!("dropped [1]: a struct Sensor was stored, and {why}")]);
    // Where the defaults have a value for it, the element stays.
    let (tree, migrated, texts) = load(&stored, &vec![kept(0.0)], PLAIN);
    assert_eq!(tree, [kept(1.0), kept(2.0)]);
    assert_eq!((migrated.lost, migrated.lost_meta, migrated.dropped), (0, 1, 0));
    assert_eq!(texts, ["lost the meta field unit = 'Lumen' of [1]"]);
}

#[test]
fn lists_have_their_stored_length_or_that_of_the_defaults() {
    let stored = vec![1.0f32, 2.0, 3.0];
    let longer = vec![-1.0f32, -2.0, -3.0, -4.0];
    let as_defaults = PLAIN.lengths_of_defaults();
    let (tree, migrated, texts) = load(&stored, &longer, as_defaults);
    assert_eq!((tree, migrated.new), (vec![1.0, 2.0, 3.0, -4.0], 1));
    assert_eq!(texts, ["new [3]"]);
    // A list that was longer loses its end.
    let (tree, migrated, texts) = load(&stored, &vec![0.0f32], as_defaults);
    assert_eq!((tree, migrated.moved, migrated.lost), (vec![1.0], 1, 2));
    assert_eq!(texts, ["lost [1]", "lost [2]"]);
    // Without the rule, the stored length counts.
    assert_eq!(load(&stored, &longer, PLAIN).0, stored);
    assert_eq!(load(&stored, &vec![0.0f32], PLAIN).0, stored);
    // An element that cannot be made is that of the defaults, as in an array.
    let defaults = vec![dense(5.0), dense(6.0), dense(7.0), dense(8.0)];
    let (tree, migrated, _) = load(&layers(), &defaults, as_defaults);
    assert_eq!(tree, [dense(1.0), dense(6.0), dense(4.0), dense(8.0)]);
    assert_eq!((migrated.replaced, migrated.dropped, migrated.new), (1, 0, 1));
    // Lists in lists; a list that only one of both has.
    let (tree, ..) = load(&vec![vec![1.0f32], vec![2.0]], &vec![vec![8.0f32, 9.0]], as_defaults);
    assert_eq!(tree, [[1.0, 9.0]]);
    let (tree, ..) = load(&Some(stored.clone()), &None::<Vec<f32>>, as_defaults);
    assert_eq!(tree, Some(stored));
}
