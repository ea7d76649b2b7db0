//! `test_ops.py`: transposes and partitions.

use treedef::algebra::{combine, partition, transpose_map};
use treedef::{Error, TreeDef, View};

use super::trees::cases;
use super::types::optree_flat_cache;
use crate::suites::model::{
    Tree, dict, flatten, flatten_nones, list, parts, path_tuple, py, structure, tuple, unflatten,
    write,
};
use crate::support::optree_text::codify;

type Flat = (Vec<Tree>, TreeDef<'static>);

fn turned(outer: TreeDef<'static>, inner: &Tree, (leaves, def): Flat) -> Result<Tree, Error> {
    let mut out = leaves.clone();
    let view = View::new(def, &leaves)?;
    let turned = treedef::algebra::transpose(outer, structure(inner), view, &mut out)?;
    Ok(unflatten(write(&turned), out))
}

#[test]
fn tree_transpose() {
    for case in cases() {
        let nested = case.leaves.iter().map(|x| list([x.clone(), x.clone(), x.clone()]));
        let nested = unflatten(case.def, nested);
        let nested = if case.none_is_leaf { flatten_nones(&nested) } else { flatten(&nested) };
        let result = turned(case.def, &py!([1, 1, 1]), nested);
        if case.leaves.is_empty() {
            assert_eq!(result, Err(Error::TooFewLeaves { expected: 3, found: 0 }));
        } else {
            assert_eq!(result, Ok(list([case.tree.clone(), case.tree.clone(), case.tree])));
        }
    }
}

#[test]
fn tree_transpose_mismatch_outer() {
    let outer = structure(&py!({"a": 1, "b": 2, "c": 3}));
    let result = turned(outer, &py!([1, 2]), flatten(&py!({"a": [1, 2], "b": [3, 4]})));
    assert_eq!(result, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn tree_transpose_mismatch_inner() {
    let outer = structure(&py!({"a": 1, "b": 2}));
    let result = turned(outer, &py!([1, 2, 3]), flatten(&py!({"a": [1, 2], "b": [3, 4]})));
    assert_eq!(result, Err(Error::Mismatch { node: 1 }));
}

/// `DIFFERENCE`: optree counts leaves alone; here the aux data of the outer node is compared.
#[test]
fn tree_transpose_with_custom_object() {
    let outer = structure(&optree_flat_cache(&py!({"a": 1, "b": 2})));
    let other = optree_flat_cache(&py!({"a": [3, 4], "b": [5, 6]}));
    assert_eq!(turned(outer, &py!([1, 2]), flatten(&other)), Err(Error::Mismatch { node: 0 }));
    let nested = unflatten(outer, [py!([3, 4]), py!([5, 6])]);
    let expected = [(3, 5), (4, 6)].map(|(a, b)| unflatten(outer, [Tree::from(a), Tree::from(b)]));
    assert_eq!(turned(outer, &py!([1, 2]), flatten(&nested)), Ok(list(expected)));
}

/// Makes a dictionary of a leaf, of what the second tree has there, and of what `place` says of it.
fn mapped(x: Flat, y: Flat, place: Option<fn(treedef::Path<'_>) -> Tree>) -> Result<Tree, Error> {
    let (leaves, def) = x;
    let pairs: Vec<_> = leaves.into_iter().zip(parts(def, y)?).collect();
    let inner = if place.is_some() { py!({"a": 0, "b": 1, "p": 2}) } else { py!({"a": 0, "b": 1}) };
    let inner = structure(&inner);
    let tree = View::new(def, &pairs)?;
    let mut rows = vec![Tree::None; pairs.len() * inner.num_leaves()];
    let (mut out, mut paths) = (rows.clone(), def.paths());
    let turned = transpose_map(tree, inner, &mut rows, &mut out, |(a, b): &(Tree, Tree), row| {
        let path = paths.next().unwrap();
        match (place, row) {
            (None, [x, y]) => (*x, *y) = (a.clone(), b.clone()),
            (Some(place), [x, y, p]) => (*x, *y, *p) = (a.clone(), b.clone(), place(path)),
            _ => panic!("a row is as long as the inner tree"),
        }
        Ok(())
    })?;
    Ok(unflatten(write(&turned), out))
}

fn x() -> Tree {
    py!(((1, 2, None), (3, 4, 5)))
}

fn dict3(items: [(&'static str, Tree); 3]) -> Tree {
    dict(items.map(|(key, tree)| (key.into(), tree)))
}

fn transpose_maps(flat: fn(&Tree) -> Flat, none_is_leaf: bool) {
    for y in [
        py!(((6, [None], None), ({"foo": "bar"}, 7, [8, 9]))),
        py!((([6], None, None), ({"foo": "bar"}, 7, [8, 9]))),
    ] {
        let expected = dict([("a".into(), x()), ("b".into(), y.clone())]);
        assert_eq!(mapped(flat(&x()), flat(&y), None), Ok(expected));
    }
    let y = py!(((6, [None], 7), ({"foo": "bar"}, 8, [9, 0])));
    let result = mapped(flat(&x()), flat(&y), None);
    if none_is_leaf {
        assert_eq!(result, Ok(dict([("a".into(), x()), ("b".into(), y)])));
    } else {
        assert_eq!(result, Err(Error::NotPrefix { node: 4 }));
    }
    // An inner tree without leaves leaves nothing.
    let leaves = [1];
    let one = View::new(TreeDef::LEAF, &leaves).unwrap();
    let result = transpose_map(one, structure(&py!(())), &mut [0; 4], &mut [0; 4], |_, _| Ok(()));
    assert_eq!(result.err(), Some(Error::TooFewLeaves { expected: 1, found: 0 }));
}

fn transpose_maps_with_place(
    flat: fn(&Tree) -> Flat,
    none: Option<Tree>,
    place: fn(treedef::Path<'_>) -> Tree,
    places: [Tree; 5],
) {
    let y = py!((([6], None, None), ({"foo": "bar"}, 7, [8, 9])));
    let [a, b, c, d, e] = places;
    let none = none.unwrap_or(Tree::None);
    let p = tuple([tuple([a, b, none]), tuple([c, d, e])]);
    let expected = dict3([("p", p), ("a", x()), ("b", y.clone())]);
    assert_eq!(mapped(flat(&x()), flat(&y), Some(place)), Ok(expected));
}

fn code(path: treedef::Path<'_>) -> Tree {
    Tree::from(&*codify("t", path.entries()).leak())
}

fn indices() -> [Tree; 5] {
    [py!((0, 0)), py!((0, 1)), py!((1, 0)), py!((1, 1)), py!((1, 2))]
}

fn codes() -> [Tree; 5] {
    ["t[0][0]", "t[0][1]", "t[1][0]", "t[1][1]", "t[1][2]"].map(Tree::from)
}

#[test]
fn tree_transpose_map() {
    transpose_maps(flatten, false);
}

#[test]
fn tree_transpose_map_with_path() {
    transpose_maps_with_place(flatten, None, path_tuple, indices());
}

#[test]
fn tree_transpose_map_with_accessor() {
    transpose_maps_with_place(flatten, None, code, codes());
}

#[test]
fn tree_transpose_map_none_is_leaf() {
    transpose_maps(flatten_nones, true);
}

#[test]
fn tree_transpose_map_with_path_none_is_leaf() {
    transpose_maps_with_place(flatten_nones, Some(py!((0, 2))), path_tuple, indices());
}

#[test]
fn tree_transpose_map_with_accessor_none_is_leaf() {
    transpose_maps_with_place(flatten_nones, Some(py!("t[0][2]")), code, codes());
}

/// Both halves keep the treedef, whatever stands for what is missing.
fn halves(tree: &Tree, selects: impl Fn(&Tree) -> bool, fill: &Tree) -> (Tree, Tree) {
    let (leaves, def) = flatten(tree);
    let spec: Vec<bool> = leaves.iter().map(selects).collect();
    let none = vec![None; leaves.len()];
    let (mut left, mut right, mut whole) = (none.clone(), none.clone(), none);
    let (tree, spec) = (View::new(def, &leaves).unwrap(), View::new(def, &spec).unwrap());
    assert_eq!(partition(tree, spec, &mut left, &mut right), Ok(leaves.len()));
    assert_eq!(combine(&[&left, &right], &mut whole), Ok(leaves.len()));
    assert!(whole.into_iter().flatten().eq(leaves.iter().cloned()));
    let filled =
        |half: Vec<Option<Tree>>| half.into_iter().map(|leaf| leaf.unwrap_or(fill.clone()));
    (unflatten(def, filled(left)), unflatten(def, filled(right)))
}

#[test]
fn tree_partition() {
    let tree = py!({"x": 7, "y": (42, 64)});
    for fill in [py!(None), py!("object"), py!(()), py!((1, 2, 3)), py!([1, (2, 3)])] {
        let (left, right) = halves(&tree, |x| x.int() > 10, &fill);
        assert_eq!(left, dict([("x".into(), fill.clone()), ("y".into(), py!((42, 64)))]));
        let missing = tuple([fill.clone(), fill]);
        assert_eq!(right, dict([("x".into(), py!(7)), ("y".into(), missing)]));
    }
}

#[test]
fn tree_partition_with_no_leaves() {
    for tree in
        [py!(()), py!([]), py!({}), py!({"a": [], "b": ()}), py!([(), {}]), py!({"a": None})]
    {
        let never = |_: &Tree| panic!("there is no leaf");
        assert_eq!(halves(&tree, never, &py!(0)), (tree.clone(), tree));
    }
    let (left, right) = halves(&py!([1, 2, 3]), |x| x.int() > 1, &py!(None));
    assert_eq!((left, right), (py!([None, 2, 3]), py!([1, None, None])));
}
