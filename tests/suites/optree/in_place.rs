//! `test_ops.py`: leaves changed where they stand, in the slice of the caller.

use treedef::View;

use crate::model::{Tree, flatten, flatten_nones, py, unflatten};

/// Every leaf is handed over once, mutably, in the order of the keys, with its place.
fn visits_in_key_order(
    none_is_leaf: bool,
    place: impl Fn(treedef::Path<'_>) -> String,
    expected: [&str; 5],
) {
    let tree = py!({"b": 2, "a": 1, "c": 3, "d": None, "e": 4});
    let (mut leaves, def) = if none_is_leaf { flatten_nones(&tree) } else { flatten(&tree) };
    let mut places = Vec::new();
    for (path, leaf) in def.paths().zip(&mut leaves) {
        places.push(place(path));
        if *leaf != Tree::None {
            *leaf = (leaf.int() * 10).into();
        }
    }
    let here = expected.iter().filter(|place| none_is_leaf || !place.contains('d'));
    assert!(places.iter().eq(here));
    assert_eq!(View::new(def, &leaves).unwrap().leaves().len(), places.len());
    assert_eq!(unflatten(def, leaves), py!({"b": 20, "a": 10, "c": 30, "d": None, "e": 40}));
}

const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

const CODE: [&str; 5] = ["['a']", "['b']", "['c']", "['d']", "['e']"];

fn by_index(none_is_leaf: bool) {
    let entry = |path: treedef::Path<'_>| path.entries().next().unwrap().to_string();
    visits_in_key_order(none_is_leaf, entry, CODE);
}

fn by_path(none_is_leaf: bool) {
    visits_in_key_order(none_is_leaf, |path| path.keystr_simple("/").to_string(), KEYS);
}

fn by_accessor(none_is_leaf: bool) {
    visits_in_key_order(none_is_leaf, |path| path.codify("").to_string(), CODE);
}

#[test]
fn tree_map_inplace_key_order() {
    by_index(false);
}

#[test]
fn tree_map_with_path_inplace_key_order() {
    by_path(false);
}

#[test]
fn tree_map_with_accessor_inplace_key_order() {
    by_accessor(false);
}

#[test]
fn tree_map_inplace_key_order_none_is_leaf() {
    by_index(true);
}

#[test]
fn tree_map_with_path_inplace_key_order_none_is_leaf() {
    by_path(true);
}

#[test]
fn tree_map_with_accessor_inplace_key_order_none_is_leaf() {
    by_accessor(true);
}
