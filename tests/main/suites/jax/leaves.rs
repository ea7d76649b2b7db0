//! `TreeTest`: what counts as a leaf.

use treedef::Kind;
use treedef::dynamic::Flatten;

use crate::suites::model::{Tree, flatten, flatten_where, py};
use crate::suites::trees::{jax_trees, leaves};

fn never(_: &Tree) -> bool {
    false
}

fn always(_: &Tree) -> bool {
    true
}

fn is_tuple(tree: &Tree) -> bool {
    tree.is(Kind::Tuple)
}

fn is_list(tree: &Tree) -> bool {
    tree.is(Kind::List)
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
}

#[test]
fn structure_is_leaf() {
    let x = py!([(1, 2), (3, 4), (5, 6)]);
    let count =
        |tree: &Tree, is_leaf: fn(&Tree) -> bool| flatten_where(tree, is_leaf).1.num_leaves();
    assert_eq!([never, is_tuple, is_list, always].map(|is_leaf| count(&x, is_leaf)), [6, 3, 1, 1]);
    assert_eq!(count(&py!([[[(1,)], [[(2,)], {"a": (3,)}]]]), is_tuple), 3);
}

#[test]
fn all_leaves_with_trees() {
    for row in jax_trees() {
        let (leaves, _) = flatten(&row.tree);
        assert_eq!(Flatten::new().all_leaves(&leaves), Ok(true));
        assert_eq!(Flatten::new().all_leaves([&row.tree]), Ok(false));
    }
}

#[test]
fn all_leaves_with_leaves() {
    for leaf in leaves() {
        assert_eq!(Flatten::new().all_leaves([&leaf]), Ok(true));
    }
}

fn is_bare_leaf(tree: &Tree) -> bool {
    Flatten::new().all_leaves([tree]).unwrap()
}

#[test]
fn all_leaves_with_trees_and_custom_is_leaf() {
    for row in jax_trees() {
        assert_eq!(Flatten::new().is_leaf(is_bare_leaf).all_leaves([&row.tree]), Ok(false));
    }
}

#[test]
fn all_leaves_with_leaves_and_custom_is_leaf() {
    for leaf in leaves() {
        assert_eq!(Flatten::new().is_leaf(is_bare_leaf).all_leaves([&leaf]), Ok(true));
    }
}

/// Tuples that are leaves are joined from left to right.
#[test]
fn tree_reduce_with_is_leaf_argument() {
    let tree = py!([(1, 2), [(3, 4), (5, 6)]]);
    let mut joined: Option<Vec<i64>> = None;
    Flatten::new()
        .is_leaf(is_tuple)
        .for_each(&tree, |leaf: &Tree| {
            let numbers = leaf.children().into_iter().map(Tree::int);
            joined.get_or_insert_default().extend(numbers);
        })
        .unwrap();
    assert_eq!(joined.as_deref(), Some([1, 2, 3, 4, 5, 6].as_slice()));
}
