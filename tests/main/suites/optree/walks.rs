//! `test_ops.py`: nodes after their children.

use treedef::dynamic::{fold, fold_len};
use treedef::{Error, Kind, TreeDef, Value};

use crate::suites::model::{Tree, flatten, flatten_nones, map, py, try_unflatten, unflatten};

fn tree() -> Tree {
    py!({"b": 2, "a": 1, "c": {"f": None, "e": 3, "g": 4}})
}

/// Nodes in the order in which they are visited: kind, keys, number of children.
fn visit(def: TreeDef<'static>, leaves: Vec<Tree>) -> (Vec<Tree>, Vec<(Kind, String, usize)>) {
    let (mut visited, mut nodes) = (Vec::new(), Vec::new());
    let mut stack = vec![None; fold_len(def).unwrap()];
    fold(
        def,
        leaves,
        &mut stack,
        |leaf| visited.push(leaf),
        |head, children| {
            let keys = head.keys().filter_map(Value::as_str).collect::<String>();
            nodes.push((head.kind(), keys, children.count()));
            Ok::<_, Error>(())
        },
    )
    .unwrap();
    (visited, nodes)
}

#[test]
fn walk() {
    let (leaves, def) = flatten(&tree());
    let (visited, nodes) = visit(def, leaves);
    assert!(visited.iter().map(Tree::int).eq(1..5));
    let (inner, outer) = ((Kind::Dict, "efg".into(), 3), (Kind::Dict, "abc".into(), 3));
    assert_eq!(nodes, [(Kind::None, String::new(), 0), inner.clone(), outer.clone()]);

    let (leaves, def) = flatten_nones(&tree());
    let (visited, nodes) = visit(def, leaves);
    assert_eq!(visited, [py!(1), py!(2), py!(3), py!(None), py!(4)]);
    assert_eq!(nodes, [inner, outer]);
}

/// A node is handed over rebuilt.
#[test]
fn traverse() {
    for (leaves, def) in [flatten(&tree()), flatten_nones(&tree())] {
        let expected = leaves.len();
        let fewer = leaves[1..].to_vec();
        let error = Error::TooFewLeaves { expected, found: expected - 1 };
        assert_eq!(try_unflatten(def, fewer), Err(error));
        let error = Error::TooManyLeaves { expected, found: expected + 1 };
        assert_eq!(try_unflatten(def, [leaves.as_slice(), &[py!(0)]].concat()), Err(error));
        assert_eq!(unflatten(def, leaves), tree());
    }
    let more = map(&tree(), |leaf| (leaf.int() + 1).into());
    assert_eq!(more, py!({"a": 2, "b": 3, "c": {"e": 4, "f": None, "g": 5}}));
    let (leaves, def) = flatten_nones(&tree());
    let wrapped =
        unflatten(def, leaves.into_iter().map(|leaf| crate::suites::model::tuple([leaf])));
    assert_eq!(wrapped, py!({"a": (1,), "b": (2,), "c": {"e": (3,), "f": (None,), "g": (4,)}}));
}
