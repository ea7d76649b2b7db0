//! `TreeTest`: functions of the leaves of several trees.

use treedef::{Kind, TreeDef};

use crate::suites::model::{
    Tree, flatten, flatten_where, list, map, map_pairs, parts, path_tuple, py, tuple, unflatten,
};
use crate::suites::trees::an_object_2;

#[test]
fn tree_map() {
    let (x, y) = (py!(((1, 2), (3, 4, 5))), py!((([3], None), ({"foo": "bar"}, 7, [5, 6]))));
    let expected = py!((((1, [3]), (2, None)), ((3, {"foo": "bar"}), (4, 7), (5, [5, 6]))));
    assert_eq!(map_pairs(flatten(&x), flatten(&y)), Ok(expected));
}

fn lists(tree: &Tree) -> (Vec<Tree>, TreeDef<'static>) {
    flatten_where(tree, |tree| tree.is(Kind::List))
}

#[test]
fn tree_map_with_is_leaf_argument() {
    let (x, y) = (py!(((1, 2), [3, 4, 5])), py!((([3], None), ({"foo": "bar"}, 7, [5, 6]))));
    let expected = py!((((1, [3]), (2, None)), ([3, 4, 5], ({"foo": "bar"}, 7, [5, 6]))));
    assert_eq!(map_pairs(lists(&x), flatten(&y)), Ok(expected));
}

#[test]
fn tree_map_with_path_multiple_trees() {
    let tree = |first: i64, cin: [i64; 3], last: i64| {
        let cin = list(cin.map(Tree::from));
        let y = crate::suites::model::dict([("cin".into(), cin), ("bar".into(), Tree::None)]);
        list([an_object_2(first.into(), y, "constantdef".into()), last.into()])
    };
    let (one, two) = (tree(12, [1, 4, 10], 5), tree(2, [2, 2, 2], 2));
    let (leaves, def) = flatten(&one);
    let others = parts(def, flatten(&two)).unwrap();
    let mut places = Vec::new();
    let sums = def.paths().zip(leaves).zip(others).map(|((path, a), b)| {
        places.push(path.keystr().to_string());
        Tree::from(a.int() + b.int())
    });
    assert_eq!(unflatten(def, sums), map(&one, |a| (a.int() + 2).into()));
    assert_eq!(places, ["[0]x", "[0]y['cin'][0]", "[0]y['cin'][1]", "[0]y['cin'][2]", "[1]"]);
}

/// The first entry of the path, the leaf of the first tree and what the second has there.
fn numbered(x: (Vec<Tree>, TreeDef<'static>), y: &Tree) -> Tree {
    let (leaves, def) = x;
    let others = parts(def, flatten(y)).unwrap();
    let first = |path| path_tuple(path).children()[0].clone();
    let rows = def.paths().zip(leaves).zip(others);
    unflatten(def, rows.map(|((path, x), y)| tuple([first(path), x, y])))
}

#[test]
fn tree_map_with_path_with_is_leaf_argument() {
    let (x, y) = (py!(((1, 2), [3, 4, 5])), py!((([3], 0), ([0], 7, [5, 6]))));
    let expected = py!((((0, 1, [3]), (0, 2, 0)), (1, [3, 4, 5], ([0], 7, [5, 6]))));
    assert_eq!(numbered(lists(&x), &y), expected);
}

/// The same, with a predicate that is told the path.
#[test]
fn tree_map_with_path_with_is_leaf_with_path_argument() {
    let (x, y) = (py!(((1, 2), [3, 4, 5])), py!((([3], 0), ([0], 7, [5, 6]))));
    let options = || {
        treedef::dynamic::Flatten::new().is_leaf_at(
            |trail: treedef::dynamic::Trail<'_>, tree: &Tree| {
                trail.len() == 1 && tree.is(Kind::List)
            },
        )
    };
    let mut leaves = vec![&x; options().num_leaves(&x).unwrap()];
    let (def, _) = options().flatten_into(&x, vec![0; 32].leak(), &mut leaves).unwrap();
    let expected = py!((((0, 1, [3]), (0, 2, 0)), (1, [3, 4, 5], ([0], 7, [5, 6]))));
    assert_eq!(numbered((leaves.into_iter().cloned().collect(), def), &y), expected);
}
