//! `test_ops.py`: trees grown to the structure of another.

use treedef::algebra::broadcast_common;
use treedef::{Error, KeyEntry, Kind, TreeDef, Value, View, broadcast_prefix};

use crate::suites::model::{
    Leaf, Tree, flatten, flatten_nones, flatten_where, list, paths, py, tuple, unflatten, write,
};
use crate::support::optree_text::codify;

type Flat = (Vec<Tree>, TreeDef<'static>);

/// The leaves of a prefix, spread over a full tree, and that tree of them.
fn spread(flat: fn(&Tree) -> Flat, prefix: &Tree, full: &Tree) -> Result<(Vec<Tree>, Tree), Error> {
    let ((leaves, def), (_, full)) = (flat(prefix), flat(full));
    let mut out = vec![Tree::None; full.num_leaves()];
    let count = broadcast_prefix(View::new(def, &leaves)?, full, &mut out)?;
    assert_eq!(count, full.num_leaves());
    Ok((out.clone(), unflatten(full, out)))
}

/// Prefix, full tree and the result of the two modes; `None` where there is no `None`. `DIFFERENCE`: an ordered
/// dictionary is no prefix of another kind, so the suite's trees have plain ones.
fn prefixes() -> Vec<(Tree, Tree, Tree, Option<Tree>)> {
    let mixed = || py!([4, 5, {"a": 6, "b": 7, "c": (None, 8)}]);
    let inner = || py!([(5, 6), {"c": (None, 9), "a": 7, "b": 8}]);
    vec![
        (py!(1), py!([2, 3, 4]), py!([1, 1, 1]), None),
        (py!([1, 2, 3]), py!([4, 5, 6]), py!([1, 2, 3]), None),
        (py!([1, 2, 3]), py!([4, 5, (6, 7)]), py!([1, 2, (3, 3)]), None),
        (
            py!([1, 2, 3]),
            mixed(),
            py!([1, 2, {"a": 3, "b": 3, "c": (None, 3)}]),
            Some(py!([1, 2, {"a": 3, "b": 3, "c": (3, 3)}])),
        ),
        (
            py!([1, {"b": 3, "c": 4, "a": 2}]),
            inner(),
            py!([(1, 1), {"b": 3, "c": (None, 4), "a": 2}]),
            Some(py!([(1, 1), {"b": 3, "c": (4, 4), "a": 2}])),
        ),
    ]
}

#[test]
fn tree_broadcast_prefix() {
    for (prefix, full, expected, nones) in prefixes() {
        let nones = nones.unwrap_or_else(|| expected.clone());
        assert_eq!(spread(flatten, &prefix, &full).map(|both| both.1), Ok(expected));
        assert_eq!(spread(flatten_nones, &prefix, &full).map(|both| both.1), Ok(nones));
    }
    let error = spread(flatten, &py!([1, 2, 3]), &py!([4, 5, 6, 7]));
    assert_eq!(error, Err(Error::NotPrefix { node: 0 }));
}

#[test]
fn broadcast_prefix_leaves() {
    for (prefix, full, expected, nones) in prefixes() {
        let nones = nones.unwrap_or_else(|| expected.clone());
        let leaves = |flat| spread(flat, &prefix, &full).map(|both| both.0);
        assert_eq!(leaves(flatten), Ok(flatten(&expected).0));
        assert_eq!(leaves(flatten_nones), Ok(flatten_nones(&nones).0));
    }
}

/// Both trees, grown: their leaves side by side and the structure they have.
fn grown(
    (a, first): Flat,
    (b, second): Flat,
) -> Result<(Vec<Tree>, Vec<Tree>, TreeDef<'static>), Error> {
    let common = first.common_suffix(second);
    let count = treedef::encode::structure_bound(&common).map(|_| write(&common).num_leaves())?;
    let (mut ours, mut theirs) = (vec![Tree::None; count], vec![Tree::None; count]);
    let (one, other) = (View::new(first, &a)?, View::new(second, &b)?);
    assert_eq!(broadcast_common(one, other, &mut ours, &mut theirs), Ok(count));
    Ok((ours, theirs, write(&common)))
}

fn commons() -> Vec<(Tree, Tree, Tree, Tree)> {
    vec![
        (py!(1), py!([2, 3, 4]), py!([1, 1, 1]), py!([2, 3, 4])),
        (py!([1, 2, 3]), py!([4, 5, 6]), py!([1, 2, 3]), py!([4, 5, 6])),
        (py!([1, 2, 3]), py!([4, 5, (6, 7)]), py!([1, 2, (3, 3)]), py!([4, 5, (6, 7)])),
        (
            py!([1, (2, 3), 4]),
            py!([5, 6, (7, 8)]),
            py!([1, (2, 3), (4, 4)]),
            py!([5, (6, 6), (7, 8)]),
        ),
        (
            py!([1, (2, 3), 4]),
            py!([5, 6, {"a": 7, "b": 8, "c": (None, 9)}]),
            py!([1, (2, 3), {"a": 4, "b": 4, "c": (None, 4)}]),
            py!([5, (6, 6), {"a": 7, "b": 8, "c": (None, 9)}]),
        ),
        (
            py!([1, {"b": 4, "c": 5, "a": (2, 3)}]),
            py!([(6, 7), {"c": (None, 0), "a": 8, "b": 9}]),
            py!([(1, 1), {"b": 4, "c": (None, 5), "a": (2, 3)}]),
            py!([(6, 7), {"c": (None, 0), "a": (8, 8), "b": 9}]),
        ),
    ]
}

#[test]
fn tree_broadcast_common() {
    for (a, b, ours, theirs) in commons() {
        let (left, right, def) = grown(flatten(&a), flatten(&b)).unwrap();
        assert_eq!((unflatten(def, left), unflatten(def, right)), (ours, theirs));
    }
    let error = grown(flatten(&py!([1, 2, 3])), flatten(&py!([1, 2, 3, 4]))).unwrap_err();
    assert_eq!(error, Error::NoCommonSuffix { node: 0 });
}

#[test]
fn broadcast_common_leaves() {
    for (a, b, ours, theirs) in commons() {
        let (left, right, _) = grown(flatten(&a), flatten(&b)).unwrap();
        assert_eq!((left, right), (flatten(&ours).0, flatten(&theirs).0));
    }
    // With `None` as a leaf it takes what the other has, and is what the other gets.
    let (a, b) = (py!([1, (2, 3), 4]), py!([5, 6, {"a": 7, "b": 8, "c": (None, 9)}]));
    let (left, right, _) = grown(flatten_nones(&a), flatten_nones(&b)).unwrap();
    assert_eq!(left, [1, 2, 3, 4, 4, 4, 4].map(Tree::from));
    assert_eq!(right, [py!(5), py!(6), py!(6), py!(7), py!(8), py!(None), py!(9)]);
}

/// Tuples of the leaves of both trees, grown.
fn map(flat: impl Fn(&Tree) -> Flat, x: &Tree, y: &Tree) -> Result<Tree, Error> {
    let (a, b, def) = grown(flat(x), flat(y))?;
    Ok(unflatten(def, a.into_iter().zip(b).map(|(a, b)| tuple([a, b]))))
}

fn x() -> Tree {
    py!(((1, 2, None), (3, (4, [5]), 6)))
}

fn y() -> Tree {
    py!((([7], None, None), ({"foo": "bar"}, 8, [9, 10])))
}

fn y_with_eight() -> Tree {
    py!((([7], None, 8), ({"foo": "bar"}, 9, [10, 11])))
}

/// The product of four trees in every order.
#[test]
fn tree_broadcast_map() {
    let expected =
        py!((([(1, 7)], None, None), ({"foo": (3, "bar")}, ((4, 8), [(5, 8)]), [(6, 9), (6, 10)])));
    assert_eq!(map(flatten, &x(), &y()), Ok(expected));
    let expected = py!((([(1, 7)], None, None), ({"foo": (3, "bar")}, ((4, 9), [(5, 9)]), [(6, 10), (6, 11)])));
    assert_eq!(map(flatten, &x(), &y_with_eight()), Ok(expected));

    // `DIFFERENCE`: an ordered dictionary does not go with a plain one, so both are plain.
    let trees = [
        py!([(1, 2, 3), 4, 5, {"y": 7, "x": 6}]),
        py!([8, [9, 10, 11], 12, {"x": 13, "y": 14}]),
        py!(15),
        py!([16, 17, {"a": 18, "b": 19, "c": 20}, 21]),
    ];
    let product = |one: &Tree, other: &Tree| {
        let (a, b, def) = grown(flatten(one), flatten(other)).unwrap();
        unflatten(def, a.iter().zip(&b).map(|(a, b)| Tree::from(a.int() * b.int())))
    };
    let expected = list([
        py!((1920, 3840, 5760)),
        py!([9180, 10200, 11220]),
        py!({"a": 16200, "b": 17100, "c": 18000}),
        py!({"y": 30870, "x": 24570}),
    ]);
    let mut orders = 0;
    for a in 0..4 {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                let d = 6 - a - b - c;
                let result =
                    [b, c, d].iter().fold(trees[a].clone(), |tree, i| product(&tree, &trees[*i]));
                assert_eq!(result, expected);
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 24);
}

/// Where the leaves of the common suffix stand.
fn places(
    flat: impl Fn(&Tree) -> Flat,
    place: impl Fn(treedef::Path<'_>) -> String,
) -> Vec<String> {
    let (_, _, def) = grown(flat(&x()), flat(&y())).unwrap();
    def.paths().map(place).collect()
}

fn keystr(path: treedef::Path<'_>) -> String {
    path.keystr().to_string()
}

fn code(path: treedef::Path<'_>) -> String {
    codify("t", path.entries())
}

const PATHS: [&str; 6] =
    ["[0][0][0]", "[1][0]['foo']", "[1][1][0]", "[1][1][1][0]", "[1][2][0]", "[1][2][1]"];

/// The places with `None` as a leaf: two more.
fn with_nones() -> Vec<&'static str> {
    let mut paths = Vec::from(PATHS);
    paths.splice(1..1, ["[0][1]", "[0][2]"]);
    paths
}

#[test]
fn tree_broadcast_map_with_path() {
    assert_eq!(places(flatten, keystr), PATHS);
}

#[test]
fn tree_broadcast_map_with_accessor() {
    assert_eq!(places(flatten, code), PATHS.map(|path| format!("t{path}")));
}

#[test]
fn tree_broadcast_map_none_is_leaf() {
    let inner = |last: Tree| {
        let (a, b) = (py!([(1, 7)]), tuple([py!(2), py!(None)]));
        tuple([a, b, tuple([py!(None), last])])
    };
    let rest = py!(({"foo": (3, "bar")}, ((4, 8), [(5, 8)]), [(6, 9), (6, 10)]));
    assert_eq!(map(flatten_nones, &x(), &y()), Ok(tuple([inner(py!(None)), rest])));
    let rest = py!(({"foo": (3, "bar")}, ((4, 9), [(5, 9)]), [(6, 10), (6, 11)]));
    assert_eq!(map(flatten_nones, &x(), &y_with_eight()), Ok(tuple([inner(py!(8)), rest])));
}

#[test]
fn tree_broadcast_map_with_path_none_is_leaf() {
    assert_eq!(places(flatten_nones, keystr), with_nones());
}

#[test]
fn tree_broadcast_map_with_accessor_none_is_leaf() {
    let expected: Vec<_> = with_nones().iter().map(|path| format!("t{path}")).collect();
    assert_eq!(places(flatten_nones, code), expected);
}

fn lists(tree: &Tree) -> Flat {
    flatten_where(tree, |tree| tree.is(Kind::List))
}

#[test]
fn tree_broadcast_map_with_is_leaf() {
    let expected =
        py!((((1, [7]), None, None), ({"foo": (3, "bar")}, ((4, 8), ([5], 8)), (6, [9, 10]))));
    assert_eq!(map(lists, &x(), &y()), Ok(expected));
    let expected =
        py!((((1, [7]), None, None), ({"foo": (3, "bar")}, ((4, 9), ([5], 9)), (6, [10, 11]))));
    assert_eq!(map(lists, &x(), &y_with_eight()), Ok(expected));
}

#[test]
fn tree_broadcast_map_with_is_leaf_none_is_leaf() {
    let flat = |tree: &Tree| flatten_where(tree, |tree| tree.is(Kind::List) || tree.is(Kind::None));
    let expected = py!((((1, [7]), (2, None), (None, 8)), ({"foo": (3, "bar")}, ((4, 9), ([5], 9)), (6, [10, 11]))));
    assert_eq!(map(flat, &x(), &y_with_eight()), Ok(expected));
}

/// What the predicates of the following tests see are the trees of the caller, before anything is broadcast.
fn grown_where(is_leaf: impl Fn(&Tree) -> bool, a: Tree, b: Tree) -> (Tree, Tree) {
    let (a, b) = (flatten_where(&a, &is_leaf), flatten_where(&b, &is_leaf));
    let (ours, theirs, def) = grown(a, b).unwrap();
    (unflatten(def, ours), unflatten(def, theirs))
}

#[test]
fn tree_broadcast_common_does_not_apply_is_leaf_to_internal_sentinel() {
    let mixed = |tree: &Tree| {
        tree.is(Kind::List) && !tree.children().iter().all(|child| matches!(child, Tree::Leaf(_)))
    };
    let both = |a, b| grown_where(mixed, a, b);
    assert_eq!(both(py!(1), py!([2, 3])), (py!([1, 1]), py!([2, 3])));
    assert_eq!(both(py!(1), py!([2, (3, 4)])), (py!(1), py!([2, (3, 4)])));
    assert_eq!(both(py!({"a": 1}), py!({"a": [2, 3]})), (py!({"a": [1, 1]}), py!({"a": [2, 3]})));
    assert_eq!(
        both(py!({"a": 1}), py!({"a": [2, (3, 4)]})),
        (py!({"a": 1}), py!({"a": [2, (3, 4)]}))
    );
    // A predicate that reads the leaves.
    let negative = |tree: &Tree| matches!(tree, Tree::Leaf(_)) && tree.int() < 0;
    let both = |a, b| grown_where(negative, a, b);
    assert_eq!(both(py!(1), py!([2, 3])), (py!([1, 1]), py!([2, 3])));
    assert_eq!(both(py!([1]), py!([(2, 3)])), (py!([(1, 1)]), py!([(2, 3)])));
    assert_eq!(both(py!([1, 1]), py!([[2], [3, 4]])), (py!([[1], [1, 1]]), py!([[2], [3, 4]])));
}

/// A tuple of integers.
fn is_shape(tree: &Tree) -> bool {
    let is_int = |child: &&Tree| matches!(child, Tree::Leaf(Leaf(Value::Int(_))));
    tree.is(Kind::Tuple) && tree.children().iter().all(is_int)
}

/// What is grown may be a leaf to the predicate again.
#[test]
fn tree_broadcast_common_value_dependent_is_leaf_is_lossy() {
    let (ours, theirs) = grown_where(is_shape, py!([5]), py!([(1, "x")]));
    assert_eq!((&ours, theirs), (&py!([(5, 5)]), py!([(1, "x")])));
    assert_eq!(flatten_where(&ours, is_shape).0, [py!((5, 5))]);
    let (ours, theirs) = grown_where(is_shape, py!([5]), py!([[1, 2]]));
    assert_eq!((&ours, theirs), (&py!([[5, 5]]), py!([[1, 2]])));
    assert_eq!(flatten_where(&ours, is_shape).0, [py!(5), py!(5)]);
    let (a, b) = (py!([(5, 5), (1.0, 2)]), py!([(2, "x"), 3]));
    let (ours, theirs) = grown_where(is_shape, a, b);
    assert_eq!(ours, py!([((5, 5), (5, 5)), (1.0, 2)]));
    assert_eq!(theirs, py!([(2, "x"), (3, 3)]));
}

/// As `tree_broadcast_map`: pairs at the paths of the common structure.
#[test]
fn tree_broadcast_map_does_not_reapply_is_leaf_to_broadcast_subtrees() {
    let (a, b) = (flatten_where(&py!([5]), is_shape), flatten_where(&py!([(1, "x")]), is_shape));
    let (ours, theirs, def) = grown(a, b).unwrap();
    let pairs = ours.into_iter().zip(theirs).map(|(x, y)| list([x, y]));
    assert_eq!(unflatten(def, pairs), py!([([5, 1], [5, "x"])]));
    let index = KeyEntry::Index;
    assert_eq!(paths(def), [[index(0), index(0)], [index(0), index(1)]]);
    assert!(def.paths().map(|path| codify("t", path.entries())).eq(["t[0][0]", "t[0][1]"]));
}

#[test]
fn tree_broadcast_map_unchanged_for_structural_predicates() {
    let sum = |a: Flat, b: Flat| {
        let (ours, theirs, def) = grown(a, b).unwrap();
        unflatten(def, ours.iter().zip(&theirs).map(|(x, y)| Tree::from(x.int() + y.int())))
    };
    let (x, y) = (flatten(&py!([1, 2])), flatten(&py!([[3, 4], [5, 6]])));
    assert_eq!(sum(x, y), py!([[4, 5], [7, 8]]));
    let first = sum(flatten(&py!([1])), flatten(&py!([[2, 3]])));
    assert_eq!(sum(flatten(&first), flatten(&py!([[4, 5]]))), py!([[7, 9]]));
    let is_pair = |tree: &Tree| tree.is(Kind::List) && tree.children().len() == 2;
    let (ours, theirs) = grown_where(is_pair, py!([1]), py!([[2, 3]]));
    assert_eq!((ours, theirs), (py!([1]), py!([[2, 3]])));
}
