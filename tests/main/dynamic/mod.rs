//! Trees of run time: literals, nodes, options, views, slabs, folds, and models of other crates.

use std::cell::Cell;
use std::cmp::Ordering;

use proptest::prelude::*;
use treedef::dynamic::{
    Flatten, MAX_UNSORTED_KEYS, Open, fold, fold_len, unflatten_into, unflatten_len,
};
use treedef::encode::{Level, MAX_DEPTH};
use treedef::head::{ChildKey, DictKind};
use treedef::{
    Error, Head, KeyEntry, KeyPath, Kind, Node, Object, TreeDef, Value, View, Writer, head, tree,
    treedef,
};

mod depth;
mod folds;
pub(crate) mod json;
mod literals;
mod models;
mod nodes;
mod options;
mod repeats;
mod slabs;
mod views;

/// Flattens a node and hands bytes and leaves over.
#[track_caller]
fn check(tree: &Node<'_, i32>, bytes: &[u8], leaves: &[i32]) {
    let (mut buffer, mut slots) = ([0xA5; 256], [0; 64]);
    let (def, count) = Flatten::new().flatten_into(tree, &mut buffer, &mut slots).unwrap();
    assert_eq!(def.as_bytes(), bytes);
    assert_eq!(slots[..count], *leaves);
    assert_eq!(TreeDef::from_bytes(bytes), Ok(def));
    let mut slots = [0; 64];
    assert_eq!(Flatten::new().flatten_expected(tree, def, &mut slots), Ok(count));
    assert_eq!(slots[..count], *leaves);
    assert_eq!(Flatten::new().matches(tree, def), Ok(()));
}

/// A model of its own: entries in the order they were written.
#[derive(Clone, Debug, PartialEq)]
enum Config {
    Null,
    Number(i64),
    List(Vec<Config>),
    Map(Vec<(String, Config)>),
    Table(Vec<(i64, Config)>),
}

impl Object for &Config {
    type Leaf = i64;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self {
            Config::Null => open.none(),
            Config::Number(number) => open.leaf(*number),
            Config::List(items) => open.list(items),
            Config::Map(map) => open.dict(map.iter().map(|(key, value)| (key.as_str(), value))),
            Config::Table(map) => open.dict(map.iter().map(|(key, value)| (*key, value))),
        }
    }
}

/// The way back for [`Config`].
fn rebuild(def: TreeDef<'_>, leaves: &[i64]) -> Result<Config, Error> {
    let mut stack = vec![None; fold_len(def)?];
    fold(def, leaves.iter().copied(), &mut stack, Config::Number, |head, children| {
        Ok(match (head.kind(), head.keys().next()) {
            (Kind::None, _) => Config::Null,
            (Kind::Dict, None | Some(Value::Str(_))) => {
                let keys = head.keys().map(|key| key.as_str().unwrap_or_default().to_owned());
                Config::Map(keys.zip(children).collect())
            }
            (Kind::Dict, _) => {
                let key = |key: Value<'_>| if let Value::Int(key) = key { key } else { 0 };
                Config::Table(head.keys().map(key).zip(children).collect())
            }
            _ => Config::List(children.collect()),
        })
    })
}

fn config() -> impl Strategy<Value = Config> {
    let leaf = prop_oneof![
        1 => Just(Config::Null),
        4 => (0i64..100).prop_map(Config::Number),
        1 => Just(Config::List(Vec::new())),
    ];
    leaf.prop_recursive(6, 80, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Config::List),
            // Repeats.
            (inner.clone(), 1usize..40).prop_map(|(unit, count)| Config::List(vec![unit; count])),
            prop::collection::btree_map("[a-c]{0,2}", inner.clone(), 0..5)
                .prop_map(|map| map.into_iter().collect::<Vec<_>>())
                .prop_shuffle()
                .prop_map(Config::Map),
            prop::collection::btree_map(-3i64..3, inner, 1..4)
                .prop_map(|map| map.into_iter().collect::<Vec<_>>())
                .prop_shuffle()
                .prop_map(Config::Table),
        ]
    })
}

/// As it comes back: entries in the order of their keys.
fn in_order(config: &Config) -> Config {
    match config {
        Config::List(items) => Config::List(items.iter().map(in_order).collect()),
        Config::Map(map) => {
            let mut map: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), in_order(value))).collect();
            map.sort_by(|(a, _), (b, _)| a.cmp(b));
            Config::Map(map)
        }
        Config::Table(map) => {
            let mut map: Vec<_> = map.iter().map(|(key, value)| (*key, in_order(value))).collect();
            map.sort_by_key(|(key, _)| *key);
            Config::Table(map)
        }
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn every_way_of_reading_and_writing_agrees(config in config()) {
        let options = Flatten::new();
        let room = options.structure_bound(&config).unwrap();
        let count = options.num_leaves(&config).unwrap();
        let (mut bytes, mut leaves) = (vec![0; room], vec![0; count]);
        let (def, written) = options.flatten_into(&config, &mut bytes, &mut leaves).unwrap();
        prop_assert_eq!(written, count);
        prop_assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
        let short = def.as_bytes().len() - 1;
        let full = Error::Full { room: short };
        let mut short = vec![0; short];
        prop_assert_eq!(options.structure_into(&config, &mut short), Err(full));

        let mut again = vec![-1; count];
        prop_assert_eq!(options.flatten_expected(&config, def, &mut again), Ok(count));
        prop_assert_eq!(&again, &leaves);
        prop_assert_eq!(rebuild(def, &leaves).unwrap(), in_order(&config));

        let view = View::new(def, &leaves).unwrap();
        // Views are not compared with their siblings before they are written, so that they need more room.
        let needed = options.structure_bound(view).unwrap();
        prop_assert!(needed >= room);
        let (mut room_for_view, mut again) = (vec![0; needed], vec![-1; count]);
        prop_assert_eq!(options.flatten_into(view, &mut room_for_view, &mut again), Ok((def, count)));
        prop_assert_eq!(&again, &leaves);

        let mut slab = vec![Node::None; unflatten_len(def)];
        let tree = unflatten_into(def, &leaves, &mut slab).unwrap();
        let (mut room_for_tree, mut again) = (vec![0; room], vec![-1; count]);
        prop_assert_eq!(options.flatten_into(&tree, &mut room_for_tree, &mut again), Ok((def, count)));
        prop_assert_eq!(&again, &leaves);
        // Nodes that repeat their sibling are not written, so that they need less room.
        let needed = options.structure_bound(&tree).unwrap();
        prop_assert!((def.as_bytes().len()..=room).contains(&needed));
        let mut just_enough = vec![0; needed];
        prop_assert_eq!(options.structure_into(&tree, &mut just_enough), Ok(def));
        prop_assert_eq!(options.matches(&tree, def), Ok(()));

        let whole = options.none_is_leaf();
        let nones = def.nodes().filter(|node| node.unwrap().head.kind() == Kind::None).count();
        prop_assert_eq!(whole.num_leaves(&config), Ok(count + nones));
    }
}
