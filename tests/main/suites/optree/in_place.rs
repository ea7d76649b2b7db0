//! `test_ops.py`: leaves changed where they stand, in the slice of the caller.

use treedef::{Error, KeyEntry, View};

use crate::suites::model::{Tree, flatten, flatten_nones, parts, py, unflatten};
use crate::support::optree_text::codify;

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
    visits_in_key_order(none_is_leaf, |path| codify("", path.entries()), CODE);
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

/// Counters that are moved on by what a second tree has at their place, times `factor` of the place.
fn counts_up(factor: impl Fn(treedef::Path<'_>) -> i64, expected: Tree) {
    let (mut leaves, def) = flatten(&py!(((1, 2, None), (3, 4, 5))));
    let steps = parts(def, flatten(&py!(((3, 0, None), (5, 7, 6))))).unwrap();
    for ((path, leaf), step) in def.paths().zip(&mut leaves).zip(steps) {
        *leaf = (leaf.int() + step.int() * factor(path)).into();
    }
    assert_eq!(unflatten(def, leaves), expected);
    let error = parts(def, flatten(&py!(((3, 0, 4), (5, 7, 6)))));
    assert_eq!(error, Err(Error::NotPrefix { node: 4 }));
}

#[test]
fn tree_map_inplace() {
    counts_up(|_| 1, py!(((4, 2, None), (8, 11, 11))));
    // The same with a typed tree, where it stands.
    let mut counters = ((1i64, 2i64, None::<i64>), [3i64, 4, 5]);
    let mut steps = [3, 0, 5, 7, 6].into_iter();
    treedef::for_each_mut(&mut counters, |count: &mut i64| *count += steps.next().unwrap())
        .unwrap();
    assert_eq!(counters, ((4, 2, None), [8, 11, 11]));
}

/// One more than the sum of the positions on the way.
fn sum(path: treedef::Path<'_>) -> i64 {
    let position = |entry| if let KeyEntry::Index(index) = entry { i64::from(index) } else { 0 };
    1 + path.entries().map(position).sum::<i64>()
}

#[test]
fn tree_map_with_path_inplace() {
    counts_up(sum, py!(((4, 2, None), (13, 25, 29))));
}

#[test]
fn tree_map_with_accessor_inplace() {
    let digits = |path: treedef::Path<'_>| {
        let code = codify("", path.entries());
        assert_eq!(code.len(), 6, "two positions in brackets");
        1 + code.chars().filter_map(|c| c.to_digit(10)).map(i64::from).sum::<i64>()
    };
    counts_up(digits, py!(((4, 2, None), (13, 25, 29))));
}
