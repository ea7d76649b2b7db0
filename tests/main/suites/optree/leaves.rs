//! `test_ops.py`: what counts as a leaf, and what is made of all leaves.

use treedef::Kind;
use treedef::dynamic::Flatten;

use super::flattening::is_leaf_functions;
use super::trees::{cases, trees};
use crate::suites::model::{Tree, flatten_nones, flatten_where, py};
use crate::suites::trees::leaves;

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
        true => Flatten::new().none_is_leaf().all_leaves(trees),
        false => Flatten::new().all_leaves(trees),
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
                Flatten::new().is_leaf(|tree: &Tree| is_leaf(tree)).all_leaves([tree])
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
            let options = Flatten::new().is_leaf(|tree: &Tree| is_leaf(tree));
            assert_eq!(options.all_leaves(&leaves), Ok(true));
        }
    }
}

/// What Python's dictionaries and tuples of numbers are in Rust: typed trees, with [`Option`] where there may be
/// `None`.
type Numbers = (i64, (i64, Option<i64>), i64);

const WITH_NONE: Numbers = (1, (2, None), 3);

/// Leaves of dynamic trees stand in a slice, so they are reduced as an iterator.
#[test]
fn tree_reduce() {
    let add = |a, b: &i64| a + b;
    let add_first = |all: Option<i64>, x: &i64| Some(all.map_or(*x, |all| add(all, x)));
    let and = |all: Option<i64>, x: &i64| all.filter(|all| *all == 0).or(Some(*x));
    assert_eq!(treedef::reduce(&(1, (2, 3)), None, add_first), Ok(Some(6)));
    assert_eq!(treedef::reduce(&WITH_NONE, None, add_first), Ok(Some(6)));
    assert_eq!(treedef::reduce(&WITH_NONE, None, and), Ok(Some(3)));
    assert_eq!(treedef::reduce(&None::<i64>, None, add_first), Ok(None));
    assert_eq!(treedef::reduce(&WITH_NONE, 10, add), Ok(16));
    // With `None` as a leaf, `x and y` ends at it.
    let tree = py!({"x": 1, "y": (2, None), "z": 3});
    let and = |a: Tree, b: Tree| if a == Tree::None { a } else { b };
    assert_eq!(flatten_nones(&tree).0.into_iter().reduce(and), Some(Tree::None));
}

/// Strings do not add up in place; they are folded.
#[test]
fn tree_sum() {
    assert_eq!(treedef::tree::sum::<i64, _>(&(1, (2, 3))), Ok(6));
    assert_eq!(treedef::tree::sum::<i64, _>(&WITH_NONE), Ok(6));
    assert_eq!(treedef::tree::sum::<i64, _>(&()), Ok(0));
    let tree = ('a', ('b', None::<char>), 'c');
    let joined =
        treedef::reduce(&tree, String::new(), |text, letter: &char| text + &letter.to_string());
    assert_eq!(joined.as_deref(), Ok("abc"));
    let (leaves, _) = flatten_where(&py!({"x": [1], "y": ([2], [None]), "z": [3]}), is_list);
    let joined = leaves.iter().flat_map(|list| list.children()).cloned();
    assert!(joined.eq([py!(1), py!(2), py!(None), py!(3)]));
}
