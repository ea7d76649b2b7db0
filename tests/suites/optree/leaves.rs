//! `test_ops.py`: what counts as a leaf, and what is made of all leaves.

use treedef::{Kind, Options};

use super::flattening::is_leaf_functions;
use super::trees::{cases, trees};
use crate::model::{Tree, flatten, flatten_nones, flatten_where, py};
use crate::trees::leaves;

fn never(_: &Tree) -> bool {
    false
}

fn is_tuple(tree: &Tree) -> bool {
    tree.is(Kind::Tuple)
}

fn is_list(tree: &Tree) -> bool {
    tree.is(Kind::List)
}

fn always(_: &Tree) -> bool {
    true
}

fn is_none(tree: &Tree) -> bool {
    tree.is(Kind::None)
}

#[test]
fn flatten_is_leaf() {
    let x = py!([(1, 2), (3, 4), (5, 6)]);
    let leaves = |tree: &Tree, is_leaf: fn(&Tree) -> bool| flatten_where(tree, is_leaf).0;
    assert_eq!(leaves(&x, never), [1, 2, 3, 4, 5, 6].map(Tree::from));
    assert_eq!(leaves(&x, is_tuple), [py!((1, 2)), py!((3, 4)), py!((5, 6))]);
    assert_eq!(leaves(&x, is_list), std::slice::from_ref(&x));
    assert_eq!(leaves(&x, always), [x]);
    let y = py!([[[(1,)], [[(2,)], {"a": (3,)}]]]);
    assert_eq!(leaves(&y, is_tuple), [py!((1,)), py!((2,)), py!((3,))]);
    let z = py!([(1, 2), (3, 4), None, (5, None)]);
    assert_eq!(leaves(&z, is_tuple), [py!((1, 2)), py!((3, 4)), py!((5, None))]);
    assert_eq!(leaves(&z, is_none), [py!(1), py!(2), py!(3), py!(4), py!(None), py!(5), py!(None)]);
}

#[test]
fn structure_is_leaf() {
    let counts =
        |tree: &Tree, is_leaf: fn(&Tree) -> bool| flatten_where(tree, is_leaf).1.num_leaves();
    let x = py!([(1, 2), (3, 4), (5, 6)]);
    assert_eq!([never, is_tuple, is_list, always].map(|is_leaf| counts(&x, is_leaf)), [6, 3, 1, 1]);
    assert_eq!(counts(&py!([[[(1,)], [[(2,)], {"a": (3,)}]]]), is_tuple), 3);
    let z = py!([(1, 2), (3, 4), None, (5, None)]);
    assert_eq!([is_tuple, is_none, never].map(|is_leaf| counts(&z, is_leaf)), [3, 7, 5]);
}

fn all_leaves<'t>(none_is_leaf: bool, trees: impl IntoIterator<Item = &'t Tree>) -> bool {
    match none_is_leaf {
        true => Options::new().none_is_leaf().all_leaves(trees),
        false => Options::new().all_leaves(trees),
    }
    .unwrap()
}

#[test]
fn tree_is_leaf_with_trees() {
    for case in cases() {
        for leaf in &case.leaves {
            assert!(all_leaves(case.none_is_leaf, [leaf]), "{leaf:?}");
        }
        let bare = case.leaves == [case.tree.clone()];
        assert_eq!(all_leaves(case.none_is_leaf, [&case.tree]), bare);
        assert_eq!(case.def.is_leaf(), bare);
    }
}

#[test]
fn tree_is_leaf_with_leaves() {
    for leaf in leaves() {
        assert!(all_leaves(false, [&leaf]) && all_leaves(true, [&leaf]));
    }
}

#[test]
fn tree_is_leaf_with_is_leaf() {
    for row in trees() {
        for is_leaf in is_leaf_functions() {
            let one = |tree: &Tree| {
                Options::new().is_leaf(|tree: &Tree| is_leaf(tree)).all_leaves([tree])
            };
            let (leaves, _) = flatten_where(&row.tree, is_leaf);
            for leaf in &leaves {
                assert_eq!(one(leaf), Ok(true));
            }
            assert_eq!(one(&row.tree), Ok(leaves == [row.tree.clone()]));
        }
    }
}

#[test]
fn all_leaves_with_trees() {
    for case in cases() {
        assert!(all_leaves(case.none_is_leaf, &case.leaves));
        if case.leaves != [case.tree.clone()] {
            assert!(!all_leaves(case.none_is_leaf, [&case.tree]));
        }
    }
}

#[test]
fn all_leaves_with_leaves() {
    assert!(all_leaves(false, &leaves()) && all_leaves(true, &leaves()));
}

#[test]
fn all_leaves_with_is_leaf() {
    for row in trees() {
        for is_leaf in is_leaf_functions() {
            let (leaves, _) = flatten_where(&row.tree, is_leaf);
            let options = Options::new().is_leaf(|tree: &Tree| is_leaf(tree));
            assert_eq!(options.all_leaves(&leaves), Ok(true));
        }
    }
}

fn numbers(tree: &Tree) -> Vec<i64> {
    flatten(tree).0.iter().map(Tree::int).collect()
}

/// Leaves stand in a slice, so what Python reduces is an iterator here.
#[test]
fn tree_reduce() {
    assert_eq!(numbers(&py!({"x": 1, "y": (2, 3)})).into_iter().reduce(|a, b| a + b), Some(6));
    let tree = py!({"x": 1, "y": (2, None), "z": 3});
    assert_eq!(numbers(&tree).into_iter().reduce(|a, b| a + b), Some(6));
    assert_eq!(numbers(&tree).into_iter().reduce(|a, b| if a != 0 { b } else { a }), Some(3));
    // With `None` as a leaf, `x and y` ends at it; without leaves there is nothing to begin with.
    let and = |a: Tree, b: Tree| if a == Tree::None { a } else { b };
    assert_eq!(flatten_nones(&tree).0.into_iter().reduce(and), Some(Tree::None));
    assert_eq!(numbers(&py!(None)).into_iter().reduce(|a, b| a + b), None);
}

#[test]
fn tree_sum() {
    assert_eq!(numbers(&py!({"x": 1, "y": (2, 3)})).iter().sum::<i64>(), 6);
    assert_eq!(numbers(&py!({"x": 1, "y": (2, None), "z": 3})).iter().sum::<i64>(), 6);
    let (leaves, _) = flatten_where(&py!({"x": [1], "y": ([2], [None]), "z": [3]}), is_list);
    let joined = leaves.iter().flat_map(|list| list.children()).cloned();
    assert!(joined.eq([py!(1), py!(2), py!(None), py!(3)]));
}

#[test]
fn tree_max() {
    assert_eq!(numbers(&py!({})).iter().max(), None);
    assert_eq!(numbers(&py!({"x": 0, "y": (2, 1)})).iter().max(), Some(&2));
    assert_eq!(numbers(&py!({"x": 0, "y": (2, 1)})).iter().max_by_key(|x| -**x), Some(&0));
    assert_eq!(numbers(&py!({"a": None})).iter().max(), None);
    assert_eq!(flatten_nones(&py!({"a": None})).0, [py!(None)]);
}

#[test]
fn tree_min() {
    assert_eq!(numbers(&py!({})).iter().min(), None);
    assert_eq!(numbers(&py!({"x": 0, "y": (2, 1)})).iter().min(), Some(&0));
    assert_eq!(numbers(&py!({"x": 0, "y": (2, 1)})).iter().min_by_key(|x| -**x), Some(&2));
    assert_eq!(numbers(&py!(None)).iter().min(), None);
}

fn is_true(leaf: &Tree) -> bool {
    *leaf != Tree::None && leaf.int() != 0
}

#[test]
fn tree_all() {
    let with_none = py!({"x": 1, "y": (2, None), "z": 3});
    for tree in [py!({}), py!({"x": 1, "y": (2, 3)}), with_none.clone(), py!(None)] {
        assert!(flatten(&tree).0.iter().all(is_true));
    }
    assert!(!flatten_nones(&with_none).0.iter().all(is_true));
    assert!(!flatten_nones(&py!(None)).0.iter().all(is_true));
}

#[test]
fn tree_any() {
    assert!(flatten(&py!({"x": 0, "y": (2, 0)})).0.iter().any(is_true));
    for tree in [py!({}), py!({"a": None}), py!(None)] {
        assert!(!flatten(&tree).0.iter().any(is_true));
        assert!(!flatten_nones(&tree).0.iter().any(is_true));
    }
}
