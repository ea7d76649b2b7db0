//! `TreeTest`: leaves with their paths.

use treedef::dynamic::{Flatten, Trail};
use treedef::{KeyEntry, Kind, View};

use crate::suites::model::{
    Tree, defaultdict, flatten, keystrs, list, named, ordered, paths, py, structure, unflatten,
};
use crate::suites::trees::{
    a_tuple, a_tuple_2, an_object_2, integer_dict, jax_trees_with_keypath, leaves, special,
    special_with_keys,
};

/// The leaves of a flattening whose predicate sees the path, with their paths.
fn leaves_with_path_where(
    tree: &Tree,
    is_leaf: impl Fn(usize, &Tree) -> bool,
) -> Vec<(String, Tree)> {
    let options =
        || Flatten::new().is_leaf_at(|trail: Trail<'_>, tree: &Tree| is_leaf(trail.len(), tree));
    let mut leaves = vec![tree; options().num_leaves(tree).unwrap()];
    let mut bytes = vec![0; options().structure_bound(tree).unwrap()];
    let (def, _) = options().flatten_into(tree, &mut bytes, &mut leaves).unwrap();
    keystrs(def).into_iter().zip(leaves.into_iter().cloned()).collect()
}

#[test]
fn roundtrip_with_path() {
    let bare = leaves().into_iter().map(|leaf| (leaf, [""].as_slice()));
    for (tree, texts) in jax_trees_with_keypath().into_iter().chain(bare) {
        let (leaves, def) = flatten(&tree);
        assert_eq!(keystrs(def), texts, "{tree:?}");
        let view = View::new(def, &leaves).unwrap();
        assert_eq!(unflatten(def, view.leaves_with_path().map(|(_, leaf)| leaf.clone())), tree);
    }
}

fn count_to_ten() -> Tree {
    list([integer_dict((0..10).map(|i| (i, i.into())))])
}

#[test]
fn tree_map_with_path() {
    let (leaves, def) = flatten(&count_to_ten());
    let zeros = def.paths().zip(leaves).map(|(path, leaf)| {
        let entries: Vec<_> = path.entries().collect();
        let [KeyEntry::Index(index), KeyEntry::Key(treedef::Value::Int(key))] = entries[..] else {
            panic!("{entries:?}")
        };
        Tree::from(leaf.int() - key + i64::from(index))
    });
    assert_eq!(unflatten(def, zeros), list([integer_dict((0..10).map(|i| (i, py!(0))))]));
}

#[test]
fn tree_leaves_with_path() {
    let (leaves, def) = flatten(&count_to_ten());
    for (i, (leaf, path)) in (0..10).zip(leaves.iter().zip(paths(def))) {
        assert_eq!(path, [KeyEntry::Index(0), KeyEntry::Key(i.into())]);
        assert_eq!(leaf.int(), i);
    }
    assert_eq!(leaves.len(), 10);
}

#[test]
fn key_str() {
    let inner = a_tuple(py!(12), py!({"cin": [1, 4, 10], "bar": None}));
    let def = structure(&list([inner, py!("array")]));
    assert_eq!(
        keystrs(def),
        ["[0].foo", "[0].bar['cin'][0]", "[0].bar['cin'][1]", "[0].bar['cin'][2]", "[1]"]
    );
    let simple = def.paths().map(|path| path.keystr_simple("/").to_string());
    assert!(simple.eq(["0/foo", "0/bar/cin/0", "0/bar/cin/1", "0/bar/cin/2", "1"]));
}

/// Empty containers and `None` are leaves where the predicate says so.
#[test]
fn flatten_with_path_with_is_leaf_argument() {
    let empty = || named("EmptyTuple", &[], []);
    let tree = treedef_dict([
        ("a", py!(1)),
        ("sub", list([py!("array"), a_tuple(py!(()), py!([None]))])),
        ("obj", an_object_2(empty(), py!(0), "constantdef".into())),
    ]);
    let found = leaves_with_path_where(&tree, |_, tree| tree.children().is_empty());
    let expected = [
        ("['a']", py!(1)),
        ("['obj']x", empty()),
        ("['obj']y", py!(0)),
        ("['sub'][0]", py!("array")),
        ("['sub'][1].foo", py!(())),
        ("['sub'][1].bar[0]", py!(None)),
    ];
    assert_eq!(found, expected.map(|(path, leaf)| (path.to_owned(), leaf)));
}

fn treedef_dict<const N: usize>(entries: [(&'static str, Tree); N]) -> Tree {
    crate::suites::model::dict(entries.map(|(key, tree)| (key.into(), tree)))
}

#[test]
fn tree_flatten_with_path_with_is_leaf_with_path_argument() {
    let deep = || integer_dict([(4, py!(4)), (5, py!(5))]);
    let tree = crate::suites::model::tuple([py!((1, 2)), list([py!(3), deep()])]);
    let found = leaves_with_path_where(&tree, |depth, _| depth >= 2);
    let expected = [("[0][0]", py!(1)), ("[0][1]", py!(2)), ("[1][0]", py!(3)), ("[1][1]", deep())];
    assert_eq!(found, expected.map(|(path, leaf)| (path.to_owned(), leaf)));
}

#[test]
fn tree_flatten_with_path_builtin() {
    let (leaves, def) = flatten(&py!((1, {"a": 2, "b": 3})));
    let (first, second) = (KeyEntry::Index(0), KeyEntry::Index(1));
    let key = |key: &'static str| KeyEntry::Key(key.into());
    assert_eq!(paths(def), [vec![first], vec![second, key("a")], vec![second, key("b")]]);
    assert_eq!(leaves, [1, 2, 3].map(Tree::from));
}

#[test]
fn tree_flatten_with_path_custom() {
    let inner = treedef_dict([("foo", special_with_keys(py!(2), py!(3))), ("bar", py!(None))]);
    let object = an_object_2(py!(12), inner, "constantdef".into());
    let (leaves, def) = flatten(&list([object, py!(5)]));
    let (index, foo) = (KeyEntry::Index, KeyEntry::Key("foo".into()));
    let (x, y) = (KeyEntry::Raw("x"), KeyEntry::Raw("y"));
    assert_eq!(
        paths(def),
        [
            vec![index(0), x],
            vec![index(0), y, foo, KeyEntry::Attr("x")],
            vec![index(0), y, foo, KeyEntry::Attr("y")],
            vec![index(1)],
        ]
    );
    assert_eq!(leaves, [12, 2, 3, 5].map(Tree::from));
}

fn entries() -> [(&'static str, Tree); 3] {
    [("b", py!(2)), ("a", py!(1)), ("c", py!({"b": 2, "a": 1}))]
}

#[test]
fn flatten_with_path_default_dict() {
    let tree = defaultdict("<class 'int'>", entries());
    let (leaves, def) = flatten(&tree);
    assert_eq!(keystrs(def), ["['a']", "['b']", "['c']['a']", "['c']['b']"]);
    assert_eq!(leaves, [1, 2, 1, 2].map(Tree::from));
    assert_eq!(unflatten(def, leaves), tree);
}

#[test]
fn flatten_with_path_ordered_dict() {
    let tree = ordered(entries());
    let (leaves, def) = flatten(&tree);
    assert_eq!(keystrs(def), ["['b']", "['a']", "['c']['a']", "['c']['b']"]);
    assert_eq!(leaves, [2, 1, 1, 2].map(Tree::from));
    assert!(def.head().keys().eq(["b", "a", "c"].map(treedef::Value::from)));
    assert_eq!(unflatten(def, leaves), tree);
}

#[test]
fn py_tree_without_keys_isnt_treated_as_leaf() {
    let def = structure(&special(py!([1, 2]), py!([3, 4])));
    assert_eq!(keystrs(def).len(), 4);
    assert_eq!(keystrs(def)[0], "[<flat index 0>][0]");
}

/// A class that Python would take for a named tuple is what the model says it is: here one child and aux data.
#[test]
fn named_tuple_registered_without_keys_isnt_treated_as_leaf() {
    let tree = crate::suites::model::custom("ATuple2", "hi".into(), None, [py!(1)]);
    assert_eq!(keystrs(structure(&tree)), ["[<flat index 0>]"]);
    assert_eq!(structure(&a_tuple_2(py!(1), py!("hi"))).kind(), Kind::NamedTuple);
}
