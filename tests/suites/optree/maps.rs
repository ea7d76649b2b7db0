//! `test_ops.py`: functions of leaves, and of leaves with their places.

use treedef::{Kind, TreeDef};

use crate::model::{
    Tree, dict, flatten, flatten_nones, flatten_where, py, structure, tuple, unflatten, write,
};

#[test]
fn tree_map_with_is_leaf_none() {
    let x = py!(((1, 2, None), (3, 4, 5)));
    let wrapped = |(leaves, def): (Vec<Tree>, TreeDef<'static>)| {
        unflatten(def, leaves.into_iter().map(|leaf| tuple([leaf])))
    };
    assert_eq!(wrapped(flatten(&x)), py!((((1,), (2,), None), ((3,), (4,), (5,)))));
    let with_none = py!((((1,), (2,), (None,)), ((3,), (4,), (5,))));
    assert_eq!(wrapped(flatten_nones(&x)), with_none);
    assert_eq!(wrapped(flatten_where(&x, |tree| tree.is(Kind::None))), with_none);
}

/// A dictionary, and its leaves with what the suite expects to be said of them.
fn unsorted(none_is_leaf: bool) -> (Tree, Vec<Tree>, TreeDef<'static>, Vec<&'static str>) {
    let tree = py!({"b": 2, "a": 1, "c": 3, "d": None, "e": 4});
    let (leaves, def) = if none_is_leaf { flatten_nones(&tree) } else { flatten(&tree) };
    let keys = if none_is_leaf { vec!["a", "b", "c", "d", "e"] } else { vec!["a", "b", "c", "e"] };
    (tree, leaves, def, keys)
}

/// Leaves come in the order of the keys, and the result is the same mapping. `DIFFERENCE`: its entries stand in the
/// order of the keys too, not in that of insertion.
fn maps_in_key_order(none_is_leaf: bool) {
    let (tree, leaves, def, keys) = unsorted(none_is_leaf);
    let mut visited = Vec::new();
    let mapped = unflatten(def, leaves.into_iter().inspect(|leaf| visited.push(leaf.clone())));
    assert_eq!(mapped, tree);
    let Tree::Dict(entries) = &tree else { panic!("no dictionary") };
    let of =
        |key: &&str| entries.iter().find(|(own, _)| own.as_str() == Some(key)).unwrap().1.clone();
    assert_eq!(visited, keys.iter().map(of).collect::<Vec<_>>());
}

/// As [`maps_in_key_order`], where the function is told where the leaf stands.
fn maps_with_place_in_key_order(
    none_is_leaf: bool,
    place: impl Fn(treedef::Path<'_>) -> String,
    expected: impl Fn(&str) -> String,
) {
    let (tree, leaves, def, keys) = unsorted(none_is_leaf);
    let mut places = Vec::new();
    let tag = |place: String, leaf| tuple([Tree::from(&*place.leak()), leaf]);
    let tagged = def.paths().zip(leaves).map(|(path, leaf)| {
        places.push(place(path));
        tag(place(path), leaf)
    });
    let mapped = unflatten(def, tagged);
    assert_eq!(places, keys.iter().map(|key| expected(key)).collect::<Vec<_>>());
    let Tree::Dict(entries) = tree else { panic!("no dictionary") };
    let expected = entries.into_iter().map(|(key, leaf)| match leaf {
        Tree::None if !none_is_leaf => (key, leaf),
        leaf => (key, tag(expected(key.as_str().unwrap()), leaf)),
    });
    assert_eq!(mapped, dict(expected));
}

fn with_path(none_is_leaf: bool) {
    maps_with_place_in_key_order(
        none_is_leaf,
        |path| path.keystr_simple("/").to_string(),
        str::to_owned,
    );
}

fn with_accessor(none_is_leaf: bool) {
    maps_with_place_in_key_order(
        none_is_leaf,
        |path| path.codify("t").to_string(),
        |key| format!("t['{key}']"),
    );
}

#[test]
fn tree_map_key_order() {
    maps_in_key_order(false);
}

#[test]
fn tree_map_with_path_key_order() {
    with_path(false);
}

#[test]
fn tree_map_with_accessor_key_order() {
    with_accessor(false);
}

#[test]
fn tree_map_key_order_none_is_leaf() {
    maps_in_key_order(true);
}

#[test]
fn tree_map_with_path_key_order_none_is_leaf() {
    with_path(true);
}

#[test]
fn tree_map_with_accessor_key_order_none_is_leaf() {
    with_accessor(true);
}

/// As a tree, and as a treedef.
#[test]
fn tree_replace_nones() {
    let replaced = |tree: &Tree| {
        let (leaves, def) = flatten_nones(tree);
        let or = |leaf| if leaf == Tree::None { py!("sentinel") } else { leaf };
        unflatten(def, leaves.into_iter().map(or))
    };
    let tree = py!({"a": 1, "b": None, "c": (2, None)});
    let expected = py!({"a": 1, "b": "sentinel", "c": (2, "sentinel")});
    assert_eq!(replaced(&tree), expected);
    assert_eq!(replaced(&py!(None)), py!("sentinel"));
    let def = structure(&tree).transform(|head| {
        let none = head.kind() == Kind::None;
        Ok(if none { treedef::Change::Subtree(TreeDef::LEAF) } else { treedef::Change::Keep })
    });
    assert_eq!(write(&def), structure(&expected));
}
