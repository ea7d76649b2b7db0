//! `TreeTest`: there and back, order, children.

use treedef::dynamic::{Flatten, fold, fold_len};
use treedef::{Error, Kind, TreeDef, Value};

use crate::suites::model::{
    Tree, defaultdict, flatten, flatten_where, list, paths, py, structure, unflatten,
};
use crate::suites::trees::{a_tuple, an_object_2, jax_trees, leaves};

fn trees() -> impl Iterator<Item = Tree> {
    jax_trees().into_iter().map(|row| row.tree)
}

#[test]
fn roundtrip() {
    for tree in trees().chain(leaves()) {
        let (leaves, def) = flatten(&tree);
        assert_eq!(unflatten(def, leaves), tree);
    }
}

#[test]
fn is_tree_node() {
    for tree in [py!(()), py!([]), py!({}), py!(None), a_tuple(py!(1), py!(2))] {
        assert!(!structure(&tree).is_leaf(), "{tree:?}");
    }
    for leaf in leaves() {
        assert!(structure(&leaf).is_leaf(), "{leaf:?}");
    }
}

#[test]
fn children() {
    let def = structure(&py!(((1, 2, 3), (4,))));
    let parts = [py!((0, 0, 0)), py!((7,))];
    assert!(def.children().eq(parts.iter().map(structure)));
}

#[test]
fn flatten_order() {
    let count = || (0..10).map(Tree::from).collect::<Vec<_>>();
    let count_in = |tree: Tree| assert_eq!(flatten(&tree).0, count());
    count_in(list(count()));
    count_in(py!([0, (1, 2, [3], [[4]]), [5, 6, 7], [[[[8]]], 9]]));
    count_in(py!([0, 1, {"b": [4, [5, 6]], "a": (2, 3), "c": 7}, 8, (9,)]));
}

#[test]
fn roundtrip_is_leaf() {
    for tree in trees() {
        let (leaves, def) = flatten_where(&tree, |tree| tree.is(Kind::Tuple));
        assert_eq!(unflatten(def, leaves), tree);
    }
}

#[test]
fn pickle_round_trip() {
    for tree in trees() {
        let (leaves, def) = flatten(&tree);
        let bytes: &'static [u8] = def.as_bytes().to_vec().leak();
        let restored = TreeDef::from_bytes(bytes).unwrap();
        assert_eq!(restored, def);
        assert_eq!(unflatten(restored, leaves), tree);
    }
}

/// `DIFFERENCE`: the error says which keys, not that some comparison failed.
#[test]
fn dict_keys_sortable() {
    let tree = Tree::Dict(vec![("a".into(), py!(1)), (Value::Int(2), py!("b"))]);
    let error = Flatten::new().structure_bound(&tree).unwrap_err();
    assert_eq!(error, Error::Unordered { first: 0, second: 1 });
}

#[test]
fn flatten_dict_key_order() {
    let (leaves, def) = flatten(&py!({"b": 2, "a": 1, "c": {"b": 2, "a": 1}}));
    assert_eq!(leaves, [1, 2, 1, 2].map(Tree::from));
    assert_eq!(def.to_string(), "PyTreeDef({'a': *, 'b': *, 'c': {'a': *, 'b': *}})");
    let Tree::Dict(entries) = unflatten(def, leaves) else { panic!("no dictionary") };
    assert!(entries.iter().map(|(key, _)| *key).eq(["a", "b", "c"].map(Value::from)));
}

#[test]
fn flatten_default_dict_key_order() {
    let inner = || py!({"b": 2, "a": 1});
    let tree = defaultdict("<class 'int'>", [("b", py!(2)), ("a", py!(1)), ("c", inner())]);
    let (leaves, def) = flatten(&tree);
    assert_eq!(leaves, [1, 2, 1, 2].map(Tree::from));
    assert!(def.head().keys().eq(["a", "b", "c"].map(Value::from)));
    assert_eq!(unflatten(def, leaves), tree);
}

/// A node is visited after its children, with its keys.
#[test]
fn walk() {
    let (leaves, def) = flatten(&py!({"b": 2, "a": 1, "c": {"b": 2, "a": 1}}));
    let (mut visited, mut nodes) = (Vec::new(), Vec::new());
    let mut stack = vec![None; fold_len(def).unwrap()];
    let leaf = |leaf: Tree| visited.push(leaf.int());
    let root = fold(def, leaves, &mut stack, leaf, |head, children| {
        let keys: Vec<_> = head.keys().filter_map(Value::as_str).collect();
        nodes.push((keys, children.count()));
        Ok::<_, Error>(())
    });
    assert_eq!(root, Ok(()));
    assert_eq!(visited, [1, 2, 1, 2]);
    assert_eq!(nodes, [(vec!["a", "b"], 2), (vec!["a", "b", "c"], 3)]);
}

fn one_level(tree: &Tree) -> Vec<Tree> {
    tree.children().into_iter().cloned().collect()
}

fn nested() -> [Tree; 2] {
    let empty = crate::suites::model::named("EmptyTuple", &[], []);
    [
        list([py!("array"), a_tuple(py!(()), py!([None]))]),
        an_object_2(empty, py!(0), "constantdef".into()),
    ]
}

/// The children of a treedef are those of the tree that it was made of; a leaf has none.
#[test]
fn flatten_one_level() {
    for tree in nested() {
        let parts = one_level(&tree);
        assert!(structure(&tree).children().eq(parts.iter().map(structure)));
        for part in parts {
            assert!(structure(&part).children().eq(one_level(&part).iter().map(structure)));
        }
    }
    assert_eq!(structure(&py!(1)).children().len(), 0);
    assert_eq!(structure(&py!(1)).num_children(), 0);
}

#[test]
fn flatten_one_level_with_keys() {
    let keys =
        |tree: &Tree| structure(tree).head().entries().map(|e| e.to_string()).collect::<Vec<_>>();
    let [sub, object] = nested();
    assert_eq!(keys(&sub), ["[0]", "[1]"]);
    // `DIFFERENCE`: JAX 0.10.2 gives both children the key of the first field.
    assert_eq!(keys(&one_level(&sub)[1]), [".foo", ".bar"]);
    assert_eq!(keys(&object), ["x", "y"]);
    assert!(keys(&py!(1)).is_empty());
}

/// Structure and leaves are the same whether paths are asked for or not.
#[test]
fn optional_flatten() {
    use treedef::head::ChildKey::Attr;
    let tree = crate::suites::model::custom(
        "FooClass",
        Value::Opaque("treedef"),
        Some(&[Attr("x"), Attr("y")]),
        [py!(1), py!(2)],
    );
    let (plain, def) = flatten(&tree);
    assert_eq!(def.to_string(), "PyTreeDef(CustomNode(FooClass[treedef], [*, *]))");
    let mut with_path = Vec::new();
    let options = Flatten::new().is_leaf_at(|trail: treedef::dynamic::Trail<'_>, tree: &Tree| {
        if tree.is(Kind::Leaf) {
            with_path.push((trail.entries().collect::<Vec<_>>().len(), tree.clone()));
        }
        false
    });
    let mut bytes = [0; 64];
    assert_eq!(options.structure_into(&tree, &mut bytes), Ok(def));
    assert!(with_path.iter().all(|(depth, _)| *depth == 1));
    assert!(with_path.into_iter().map(|(_, leaf)| leaf).eq(plain));
    assert_eq!(paths(def).len(), 2);
}
