//! `test_ops.py`: there and back, order, limits.

use treedef::dynamic::Flatten;
use treedef::encode::MAX_DEPTH;
use treedef::{Error, Kind, TreeDef, Value, View};

use super::trees::{cases, trees};
use super::types::custom_tuple;
use crate::suites::model::{
    Tree, dict, flatten, flatten_nones, flatten_where, list, parts, py, structure, try_unflatten,
    unflatten,
};
use crate::suites::trees::leaves;
use crate::support::optree_text::text;

/// `DIFFERENCE`: the bound is that of the caller, [`MAX_DEPTH`] by default, and optree's is 1000.
#[test]
fn max_depth() {
    let mut tree = py!([1]);
    for _ in 1..MAX_DEPTH {
        tree = list([tree]);
    }
    let (leaves, def) = flatten(&tree);
    assert_eq!((leaves.len(), def.num_nodes()), (1, MAX_DEPTH as usize + 1));
    assert_eq!(def.paths().map(|path| path.entries().count()).max(), Some(MAX_DEPTH as usize));
    let deeper = list([tree]);
    let error = Error::TooDeep { limit: MAX_DEPTH };
    assert_eq!(Flatten::new().structure_bound(&deeper), Err(error));
    assert_eq!(Flatten::new().num_leaves(&deeper), Err(error));
    assert_eq!(Flatten::new().for_each(&deeper, drop), Err(error));
    assert_eq!(Flatten::new().max_depth(MAX_DEPTH + 1).num_leaves(&deeper), Ok(1));
}

#[test]
fn roundtrip() {
    for case in cases() {
        assert_eq!(unflatten(case.def, case.leaves), case.tree);
    }
    for leaf in leaves() {
        let (leaves, def) = flatten(&leaf);
        assert_eq!(def, TreeDef::LEAF);
        assert_eq!(unflatten(def, leaves), leaf);
    }
}

#[test]
fn flatten_order() {
    let trees = [
        list((0..10).map(Tree::from)),
        py!([[0, 1], (2, [3, 4]), {"a": 5, "b": (6,)}, [[7]], 8, 9]),
        py!((((((0, 1), 2), 3), [4, {"z": 6, "y": 5}]), [7, [8, [9]]])),
    ];
    for tree in &trees {
        for leaves in [flatten(tree).0, flatten_nones(tree).0] {
            assert!(leaves.iter().map(Tree::int).eq(0..10));
        }
    }
}

/// `DIFFERENCE`: keys that Python cannot order are an error, where optree falls back to the names of their types; the
/// order of insertion is not kept.
#[test]
fn flatten_dict_order() {
    let numbers = dict([(Value::Float(3.0), py!(3)), (Value::Int(2), py!(2))]);
    assert_eq!(flatten(&numbers).0, [py!(2), py!(3)]);
    let mixed = dict([("a".into(), py!(1)), (Value::Int(2), py!(2))]);
    let error = Flatten::new().structure_bound(&mixed).unwrap_err();
    assert_eq!(error, Error::Unordered { first: 0, second: 1 });

    let (leaves, def) = flatten(&py!({"b": 2, "a": 1, "c": {"f": None, "e": 3, "g": 4}}));
    assert_eq!(def, structure(&py!({"a": 1, "b": 2, "c": {"e": 3, "f": None, "g": 4}})));
    assert!(leaves.iter().map(Tree::int).eq(1..5));
    assert_eq!(text(def, false), "PyTreeSpec({'a': *, 'b': *, 'c': {'e': *, 'f': None, 'g': *}})");
    let restored = TreeDef::from_bytes(def.as_bytes()).unwrap();
    assert_eq!((restored, restored.to_string()), (def, def.to_string()));
    let Tree::Dict(entries) = unflatten(restored, leaves) else { panic!("no dictionary") };
    assert!(entries.into_iter().map(|(key, _)| key).eq(["a", "b", "c"].map(Value::from)));
}

#[test]
fn tree_unflatten_mismatch_number_of_leaves() {
    for case in cases() {
        let (expected, def) = (case.leaves.len(), case.def);
        assert_eq!(expected, def.num_leaves());
        if let [fewer @ .., _] = case.leaves.as_slice() {
            let error = Error::TooFewLeaves { expected, found: expected - 1 };
            assert_eq!(try_unflatten(def, fewer.to_vec()), Err(error));
            assert_eq!(View::new(def, fewer).unwrap_err(), error);
        }
        let more = [case.leaves.as_slice(), &[py!(0)]].concat();
        let error = Error::TooManyLeaves { expected, found: expected + 1 };
        assert_eq!(View::new(def, &more).unwrap_err(), error);
        assert_eq!(try_unflatten(def, more), Err(error));
    }
}

/// Leaves one by one, without a list of them.
#[test]
fn tree_iter() {
    for case in cases() {
        let mut visited = Vec::new();
        let visit = |leaf: &Tree| visited.push(leaf.clone());
        if case.none_is_leaf {
            Flatten::new().none_is_leaf().for_each(&case.tree, visit).unwrap();
        } else {
            Flatten::new().is_leaf(|_: &Tree| false).for_each(&case.tree, visit).unwrap();
        }
        assert_eq!(visited, case.leaves);
        let view = View::new(case.def, &case.leaves).unwrap();
        let mut iter = view.leaves().iter();
        assert!(iter.by_ref().eq(&case.leaves));
        assert_eq!(iter.next(), None);
    }
}

/// The predicates of the suite.
pub(super) fn is_leaf_functions() -> [fn(&Tree) -> bool; 8] {
    fn is_tuple(tree: &Tree) -> bool {
        tree.is(Kind::Tuple) || tree.is(Kind::NamedTuple)
    }
    fn is_list(tree: &Tree) -> bool {
        tree.is(Kind::List)
    }
    fn is_dict(tree: &Tree) -> bool {
        tree.is(Kind::Dict) || tree.is(Kind::OrderedDict) || tree.is(Kind::DefaultDict)
    }
    fn is_primitive_collection(tree: &Tree) -> bool {
        is_tuple(tree) || is_list(tree) || is_dict(tree)
    }
    fn is_none(tree: &Tree) -> bool {
        tree.is(Kind::None)
    }
    fn is_not_none(tree: &Tree) -> bool {
        !is_none(tree)
    }
    fn always(_: &Tree) -> bool {
        true
    }
    fn never(_: &Tree) -> bool {
        false
    }
    [is_tuple, is_list, is_dict, is_primitive_collection, is_none, is_not_none, always, never]
}

#[test]
fn roundtrip_is_leaf() {
    for row in trees() {
        for is_leaf in is_leaf_functions() {
            let (leaves, def) = flatten_where(&row.tree, is_leaf);
            assert_eq!(unflatten(def, leaves), row.tree);
        }
    }
}

/// One level at a time, a tree gives its leaves, its paths and itself.
#[test]
fn tree_flatten_one_level() {
    fn descend(def: TreeDef<'static>, path: &str, leaves: &mut Vec<String>) {
        if def.is_leaf() {
            assert_eq!((def.num_children(), def.head().entries().count()), (0, 0));
            return leaves.push(path.to_owned());
        }
        let head = def.head();
        assert_eq!(head.entries().count(), def.children().len());
        for (entry, child) in head.entries().zip(def.children()) {
            descend(child, &format!("{path}{entry}"), leaves);
        }
        let children = Vec::from_iter(def.children());
        if head.kind() != Kind::None {
            assert_eq!(crate::suites::model::node_of(&head, &children), def);
        }
    }
    for case in cases() {
        let mut leaves = Vec::new();
        descend(case.def, "", &mut leaves);
        assert_eq!(leaves, crate::suites::model::keystrs(case.def));
        assert_eq!(leaves.len(), case.leaves.len());
    }
}

#[test]
fn roundtrip_with_flatten_up_to() {
    for case in cases() {
        let flat = (case.leaves.clone(), case.def);
        assert_eq!(parts(case.def, flat), Ok(case.leaves.clone()));
        assert_eq!(unflatten(case.def, case.leaves), case.tree);
    }
}

fn prefix_and_full() -> (Tree, Tree) {
    (
        list([py!((1, 2)), py!(None), custom_tuple(py!(3), py!(7))]),
        list([py!(({"foo": 7}, (3, 4))), py!(None), custom_tuple(py!((11, 9)), py!(None))]),
    )
}

#[test]
fn flatten_up_to() {
    let (prefix, full) = prefix_and_full();
    let expected = vec![py!({"foo": 7}), py!((3, 4)), py!((11, 9)), py!(None)];
    assert_eq!(parts(structure(&prefix), flatten(&full)), Ok(expected));
}

#[test]
fn flatten_up_to_none_is_leaf() {
    let (prefix, full) = prefix_and_full();
    let expected = vec![py!({"foo": 7}), py!((3, 4)), py!(None), py!((11, 9)), py!(None)];
    assert_eq!(parts(flatten_nones(&prefix).1, flatten_nones(&full)), Ok(expected));
}
