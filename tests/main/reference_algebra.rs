//! The reference of the algebra, on structures small enough to be worked out by hand.

use crate::support;

use support::algebra::{
    Difference, Part, Relation, broadcast, common_suffix, compose, differences, flatten_up_to,
    is_prefix, leaf_paths, paths, replace_at, same_node, subtree_at, transpose,
};
use support::def::{Def, Keys};

/// The bytes of a structure and back: what is written in the tests is what the library reads.
fn read(bytes: &[u8]) -> Def {
    support::decode::decode(bytes).unwrap()
}

fn leaf() -> Def {
    Def::Leaf
}

fn pair(a: Def, b: Def) -> Def {
    Def::Tuple(vec![a, b])
}

fn list(children: &[Def]) -> Def {
    Def::List(children.to_vec())
}

fn dict(key: &str, child: Def) -> Def {
    Def::Dict { keys: Keys::Str(vec![key.into()]), children: vec![child] }
}

#[test]
fn each_leaf_becomes_the_inner_structure() {
    // [*, (*, None)] of {"a": *}.
    let outer = list(&[leaf(), pair(leaf(), Def::None)]);
    let composed = compose(&outer, &dict("a", leaf()));
    assert_eq!(composed, list(&[dict("a", leaf()), pair(dict("a", leaf()), Def::None)]));
    assert_eq!(compose(&leaf(), &outer), outer);
    assert_eq!(compose(&outer, &leaf()), outer);
    assert_eq!(
        read(&compose(&pair(leaf(), leaf()), &Def::None).encode()),
        pair(Def::None, Def::None)
    );
}

#[test]
fn a_prefix_has_leaves_where_the_full_tree_has_anything() {
    let full = pair(list(&[leaf(), leaf()]), dict("a", Def::None));
    for prefix in [leaf(), pair(leaf(), leaf()), pair(leaf(), dict("a", leaf())), full.clone()] {
        assert!(is_prefix(&prefix, &full), "{prefix:?}");
    }
    let no_prefixes = [
        Def::None,
        list(&[leaf(), leaf()]),
        Def::Tuple(vec![leaf(); 3]),
        pair(leaf(), dict("b", leaf())),
        pair(list(&[leaf(), list(&[])]), leaf()),
    ];
    for other in no_prefixes {
        assert!(!is_prefix(&other, &full), "{other:?}");
    }
}

#[test]
fn the_common_suffix_takes_the_deeper_of_both_at_each_place() {
    let (a, b) = (pair(leaf(), list(&[leaf()])), pair(dict("a", leaf()), leaf()));
    assert_eq!(common_suffix(&a, &b), Ok(pair(dict("a", leaf()), list(&[leaf()]))));
    let c = pair(leaf(), list(&[Def::None]));
    assert_eq!(common_suffix(&a, &c), Ok(c.clone()));
    let d = pair(leaf(), list(&[list(&[])]));
    let parted = Difference { path: vec![1, 0], left: &Def::None, right: &list(&[]) };
    assert_eq!(common_suffix(&c, &d), Err(parted));
}

#[test]
fn differences_come_from_left_to_right_and_end_where_they_are() {
    let a = pair(list(&[leaf()]), dict("a", leaf()));
    let b = pair(list(&[Def::None]), dict("b", list(&[])));
    let paths = |relation| -> Vec<_> {
        differences(&a, &b, relation).into_iter().map(|found| found.path).collect()
    };
    assert_eq!(paths(Relation::Equal), [vec![0, 0], vec![1]]);
    assert_eq!(paths(Relation::Prefix), [vec![1]]);
}

#[test]
fn parts_of_a_full_tree_are_spans_of_its_leaves() {
    let prefix = pair(leaf(), list(&[leaf(), leaf()]));
    let full = pair(list(&[leaf(), leaf()]), list(&[Def::None, leaf()]));
    let (front, none, back) = (list(&[leaf(), leaf()]), Def::None, leaf());
    let parts = vec![
        Part { def: &front, leaves: 0..2 },
        Part { def: &none, leaves: 2..2 },
        Part { def: &back, leaves: 2..3 },
    ];
    assert_eq!(flatten_up_to(&prefix, &full), Ok(parts));
    assert_eq!(broadcast(&prefix, &full), Ok(vec![0, 0, 2]));
    let error = flatten_up_to(&full, &prefix).unwrap_err();
    assert_eq!((error.path, error.left, error.right), (vec![0], &front, &back));
}

#[test]
fn a_transposed_tree_has_its_leaves_column_by_column() {
    let (outer, inner) = (pair(leaf(), leaf()), list(&[leaf(), leaf(), leaf()]));
    let tree = pair(inner.clone(), inner.clone());
    let (transposed, leaves) = transpose(&outer, &inner, &tree).unwrap();
    assert_eq!(transposed, list(&[outer.clone(), outer.clone(), outer.clone()]));
    assert_eq!(leaves, [0, 3, 1, 4, 2, 5]);
    assert_eq!(transpose(&inner, &outer, &tree), None);
}

#[test]
fn paths_lead_to_what_can_be_replaced() {
    let tree = pair(leaf(), list(&[leaf(), Def::None]));
    assert_eq!(paths(&tree), [vec![], vec![0], vec![1], vec![1, 0], vec![1, 1]]);
    assert_eq!(leaf_paths(&tree), [vec![0], vec![1, 0]]);
    assert_eq!(subtree_at(&tree, &[1, 1]), Some(&Def::None));
    assert_eq!(subtree_at(&tree, &[0, 0]), None);
    let replaced = pair(leaf(), list(&[leaf(), dict("a", leaf())]));
    assert_eq!(replace_at(&tree, &[1, 1], &dict("a", leaf())), Some(replaced));
    assert_eq!(replace_at(&tree, &[2], &leaf()), None);
    assert!(same_node(&tree, &pair(Def::None, Def::None)) && !same_node(&tree, &leaf()));
}
