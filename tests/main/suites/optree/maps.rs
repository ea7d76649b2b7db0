//! `test_ops.py`: functions of leaves, and of leaves with their places.

use treedef::dynamic::Flatten;
use treedef::{Error, Kind, TreeDef};

use crate::suites::model::{
    Leaf, Tree, dict, flatten, flatten_nones, flatten_where, map_pairs, map_pairs_with_path, parts,
    py, structure, tuple, unflatten, write,
};
use crate::support::optree_text::codify;

type Flat = (Vec<Tree>, TreeDef<'static>);

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
        |path| codify("t", path.entries()),
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
        Ok(if none {
            treedef::algebra::Change::Subtree(TreeDef::LEAF)
        } else {
            treedef::algebra::Change::Keep
        })
    });
    assert_eq!(write(&def), structure(&expected));
}

fn x() -> Tree {
    py!(((1, 2, None), (3, 4, 5)))
}

fn y() -> Tree {
    py!((([6], None, None), ({"foo": "bar"}, 7, [8, 9])))
}

/// The second has something where the first has `None`.
fn y_with_seven() -> Tree {
    py!((([6], None, 7), ({"foo": "bar"}, 8, [9, 10])))
}

/// `None` is a prefix of `None` alone; as a leaf it is one of everything.
fn refuses<T: std::fmt::Debug + PartialEq>(result: Result<T, Error>) {
    assert_eq!(result, Err(Error::NotPrefix { node: 4 }));
}

#[test]
fn tree_map() {
    let expected = py!((((1, [6]), (2, None), None), ((3, {"foo": "bar"}), (4, 7), (5, [8, 9]))));
    assert_eq!(map_pairs(flatten(&x()), flatten(&y())), Ok(expected));
    refuses(map_pairs(flatten(&x()), flatten(&y_with_seven())));
}

#[test]
fn tree_map_none_is_leaf() {
    let expected =
        py!((((1, [6]), (2, None), (None, None)), ((3, {"foo": "bar"}), (4, 7), (5, [8, 9]))));
    assert_eq!(map_pairs(flatten_nones(&x()), flatten_nones(&y())), Ok(expected));
    let expected =
        py!((((1, [6]), (2, None), (None, 7)), ((3, {"foo": "bar"}), (4, 8), (5, [9, 10]))));
    assert_eq!(map_pairs(flatten_nones(&x()), flatten_nones(&y_with_seven())), Ok(expected));
}

#[test]
fn tree_map_with_path() {
    let expected = py!((
        (((0, 0), 1, [6]), ((0, 1), 2, None), None),
        (((1, 0), 3, {"foo": "bar"}), ((1, 1), 4, 7), ((1, 2), 5, [8, 9]))
    ));
    assert_eq!(map_pairs_with_path(flatten(&x()), flatten(&y())), Ok(expected));
    refuses(map_pairs_with_path(flatten(&x()), flatten(&y_with_seven())));
}

#[test]
fn tree_map_with_path_none_is_leaf() {
    let expected = py!((
        (((0, 0), 1, [6]), ((0, 1), 2, None), ((0, 2), None, 7)),
        (((1, 0), 3, {"foo": "bar"}), ((1, 1), 4, 8), ((1, 2), 5, [9, 10]))
    ));
    let (x, y) = (flatten_nones(&x()), flatten_nones(&y_with_seven()));
    assert_eq!(map_pairs_with_path(x, y), Ok(expected));
}

/// The code of each leaf of the first tree, and what the second has there.
fn with_code(x: &Flat, y: Flat) -> Result<Vec<(String, Tree)>, Error> {
    let codes = x.1.paths().map(|path| codify("t", path.entries()));
    Ok(codes.zip(parts(x.1, y)?).collect())
}

#[test]
fn tree_map_with_accessor() {
    let found = with_code(&flatten(&x()), flatten(&y())).unwrap();
    let expected = [
        ("t[0][0]", py!([6])),
        ("t[0][1]", py!(None)),
        ("t[1][0]", py!({"foo": "bar"})),
        ("t[1][1]", py!(7)),
        ("t[1][2]", py!([8, 9])),
    ];
    assert_eq!(found, expected.map(|(code, tree)| (code.to_owned(), tree)));
    refuses(with_code(&flatten(&x()), flatten(&y_with_seven())));
}

#[test]
fn tree_map_with_accessor_none_is_leaf() {
    let found = with_code(&flatten_nones(&x()), flatten_nones(&y_with_seven())).unwrap();
    assert_eq!(found.len(), 6);
    assert_eq!(found[2], ("t[0][2]".to_owned(), py!(7)));
}

#[test]
fn tree_map_with_is_leaf() {
    let lists = |tree: &Tree| flatten_where(tree, |tree| tree.is(Kind::List));
    let x = py!(((1, 2, None), [3, 4, 5]));
    let expected = py!((((1, [6]), (2, None), None), ([3, 4, 5], ({"foo": "bar"}, 7, [8, 9]))));
    assert_eq!(map_pairs(lists(&x), flatten(&y())), Ok(expected));
    refuses(map_pairs(lists(&x), flatten(&y_with_seven())));
}

#[test]
fn tree_map_with_is_leaf_none_is_leaf() {
    let leaves =
        |tree: &Tree| flatten_where(tree, |tree| tree.is(Kind::List) || tree.is(Kind::None));
    let x = py!(((1, 2, None), [3, 4, 5]));
    let expected =
        py!((((1, [6]), (2, None), (None, 7)), ([3, 4, 5], ({"foo": "bar"}, 8, [9, 10]))));
    assert_eq!(map_pairs(leaves(&x), flatten_nones(&y_with_seven())), Ok(expected));
}

/// What is called for its effect is a loop over the leaves and the parts; the tree stays.
fn ignores_return(
    flat: fn(&Tree) -> Flat,
    place: fn(treedef::Path<'_>) -> String,
    expected: &[&str],
) {
    let (tree, (leaves, def)) = (x(), flat(&x()));
    let mut visited = Vec::new();
    for ((path, leaf), part) in def.paths().zip(&leaves).zip(parts(def, flat(&y())).unwrap()) {
        visited.push(place(path));
        assert_eq!(leaf == &py!(1), part == py!([6]));
    }
    assert_eq!(visited, expected);
    assert_eq!(unflatten(def, leaves), tree);
    let result = parts(def, flat(&y_with_seven()));
    if expected.len() == 5 { refuses(result) } else { assert_eq!(result.unwrap()[2], py!(7)) }
}

const PLACES: [&str; 6] = ["0/0", "0/1", "0/2", "1/0", "1/1", "1/2"];

fn slashes(path: treedef::Path<'_>) -> String {
    path.keystr_simple("/").to_string()
}

fn code(path: treedef::Path<'_>) -> String {
    codify("t", path.entries())
}

fn index(path: treedef::Path<'_>) -> String {
    path.as_leaf().unwrap().to_string()
}

#[test]
fn tree_map_ignore_return() {
    ignores_return(flatten, index, &["0", "1", "2", "3", "4"]);
    let mut visited = Vec::new();
    Flatten::new().for_each(&x(), |leaf: &Leaf| visited.push(Tree::Leaf(*leaf))).unwrap();
    assert_eq!(visited, [1, 2, 3, 4, 5].map(Tree::from));
}

#[test]
fn tree_map_ignore_return_none_is_leaf() {
    ignores_return(flatten_nones, index, &["0", "1", "2", "3", "4", "5"]);
    let mut visited = Vec::new();
    let visit = |leaf: &Tree| visited.push(leaf.clone());
    Flatten::new().none_is_leaf().for_each(&x(), visit).unwrap();
    assert_eq!(visited, [py!(1), py!(2), py!(None), py!(3), py!(4), py!(5)]);
}

#[test]
fn tree_map_with_path_ignore_return() {
    ignores_return(flatten, slashes, &["0/0", "0/1", "1/0", "1/1", "1/2"]);
}

#[test]
fn tree_map_with_path_ignore_return_none_is_leaf() {
    ignores_return(flatten_nones, slashes, &PLACES);
}

#[test]
fn tree_map_with_accessor_ignore_return() {
    let codes = ["t[0][0]", "t[0][1]", "t[1][0]", "t[1][1]", "t[1][2]"];
    ignores_return(flatten, code, &codes);
}

#[test]
fn tree_map_with_accessor_ignore_return_none_is_leaf() {
    let codes = ["t[0][0]", "t[0][1]", "t[0][2]", "t[1][0]", "t[1][1]", "t[1][2]"];
    ignores_return(flatten_nones, code, &codes);
}
