//! `TreeTest`: a structure laid over a tree that goes on below its leaves.

use treedef::{Error, View, broadcast_prefix};

use crate::suites::model::{Tree, flatten, list, parts, py, structure, tuple, unflatten, write};
use crate::suites::trees::{a_tuple, a_tuple_2, an_object, jax_flat_cache, jax_trees};

#[test]
fn roundtrip_with_flatten_up_to() {
    for row in jax_trees() {
        let def = structure(&row.tree);
        assert_eq!(unflatten(def, parts(def, flatten(&row.tree)).unwrap()), row.tree);
    }
}

#[test]
fn flatten_up_to() {
    let atoms = |tree: Tree| Vec::from_iter(tree.children().into_iter().cloned());
    let cases = [
        (
            list([py!((1, 2)), py!(None), a_tuple(py!(3), py!(7))]),
            list([py!(({"foo": 7}, (3, 4))), py!(None), a_tuple(py!((11, 9)), py!(None))]),
            py!([{"foo": 7}, (3, 4), (11, 9), None]),
        ),
        (py!([1]), py!([{"a": 7}]), py!([{"a": 7}])),
        (py!([1]), py!([[7]]), py!([[7]])),
        (py!([1]), py!([(7,)]), py!([(7,)])),
        (py!((1, 2)), py!(({"a": 7}, {"a": 8})), py!([{"a": 7}, {"a": 8}])),
        (py!((1,)), py!(([7],)), py!([[7]])),
        (py!((1,)), py!(((7,),)), py!([(7,)])),
        (py!({"a": 1, "b": (2, 3)}), py!({"a": [7], "b": ([8], (9,))}), py!([[7], [8], (9,)])),
        (py!({"a": 1}), py!({"a": (7,)}), py!([(7,)])),
        (py!({"a": 1}), py!({"a": {"a": 7}}), py!([{"a": 7}])),
        (py!(None), py!(None), py!([])),
    ];
    for (prefix, full, expected) in cases {
        assert_eq!(parts(structure(&prefix), flatten(&full)), Ok(atoms(expected)));
    }
}

/// What is no prefix, and the node of the prefix at which it is seen; JAX says the kind there.
#[test]
fn flatten_up_to_errors() {
    let top = [
        (py!([1, 2]), py!([7])),
        (py!((1,)), py!((7, 8))),
        (py!({"a": 1}), py!({"a": 7, "b": 8})),
        (py!({"a": 1}), py!({"b": 7})),
        (py!(None), py!([2])),
        (an_object(py!([1]), py!((2,)), "z".into()), py!(([1], (2,), {"a": [1]}))),
        (a_tuple(py!(1), py!(2)), py!((1, 2))),
        (a_tuple(py!(1), py!(2)), a_tuple_2(py!(1), py!(2))),
    ];
    let one_each = || [py!([1]), py!((1,)), py!({"a": 1})];
    let others = || [py!([7]), py!((7,)), py!({"a": 7}), py!(7)];
    let mut cases: Vec<_> = top.into();
    for (i, prefix) in one_each().into_iter().enumerate() {
        for (j, full) in others().into_iter().enumerate() {
            if i != j {
                cases.push((prefix.clone(), full));
            }
        }
    }
    let wraps: [fn(Tree) -> Tree; 4] = [
        |tree| tree,
        |tree| list([tree]),
        |tree| tuple([tree]),
        |tree| crate::suites::model::dict([("a".into(), tree)]),
    ];
    for (level, wrap) in wraps.into_iter().enumerate() {
        for (prefix, full) in &cases {
            let (prefix, full) = (wrap(prefix.clone()), wrap(full.clone()));
            let error = parts(structure(&prefix), flatten(&full)).unwrap_err();
            assert_eq!(
                error,
                Error::NotPrefix { node: u32::from(level > 0) },
                "{prefix:?} {full:?}"
            );
        }
    }
}

fn turned(outer: &Tree, inner: &Tree, nested: &Tree) -> Result<Tree, Error> {
    let (leaves, def) = flatten(nested);
    let mut out = leaves.clone();
    let (outer, inner) = (structure(outer), structure(inner));
    let turned = treedef::algebra::transpose(outer, inner, View::new(def, &leaves)?, &mut out)?;
    Ok(unflatten(write(&turned), out))
}

/// The tree with `make_inner` of each leaf in its place.
fn nest(tree: &Tree, make_inner: impl Fn(Tree) -> Tree) -> Tree {
    crate::suites::model::map(tree, make_inner)
}

fn outers() -> impl Iterator<Item = Tree> {
    jax_trees().into_iter().filter(|row| row.num_leaves > 0).map(|row| row.tree)
}

#[test]
fn transpose() {
    for tree in outers() {
        let nested = nest(&tree, |x| list([x.clone(), x.clone(), x]));
        let three = list([tree.clone(), tree.clone(), tree.clone()]);
        assert_eq!(turned(&tree, &py!([1, 1, 1]), &nested), Ok(three));
    }
}

/// The inner structure is that of the first part.
#[test]
fn transpose_infer_inner_treedef() {
    let inner = |x: Tree| {
        list([x.clone(), crate::suites::model::dict([("a".into(), x.clone())]), tuple([x])])
    };
    for tree in outers() {
        let nested = nest(&tree, inner);
        let first = parts(structure(&tree), flatten(&nested)).unwrap().swap_remove(0);
        assert_eq!(turned(&tree, &first, &nested), Ok(inner(tree)));
    }
}

#[test]
fn transpose_mismatch_outer() {
    let tree = py!({"a": [1, 2], "b": [3, 4]});
    let error = turned(&py!({"a": 1, "b": 2, "c": 3}), &py!([1, 2]), &tree);
    assert_eq!(error, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn transpose_mismatch_inner() {
    let tree = py!({"a": [1, 2], "b": [3, 4]});
    let error = turned(&py!({"a": 1, "b": 2}), &py!([1, 2, 3]), &tree);
    assert_eq!(error, Err(Error::Mismatch { node: 1 }));
}

/// `DIFFERENCE`: JAX counts leaves alone, and so turns a node whose aux data is another than that of the outer
/// structure; here that is a mismatch.
#[test]
fn transpose_with_custom_object() {
    let outer = jax_flat_cache(&py!({"a": 1, "b": 2}));
    let other = jax_flat_cache(&py!({"a": [3, 4], "b": [5, 6]}));
    assert_eq!(turned(&outer, &py!([1, 2]), &other), Err(Error::Mismatch { node: 0 }));
    let (_, def) = flatten(&outer);
    let nested = unflatten(def, [py!([3, 4]), py!([5, 6])]);
    let expected = [(3, 5), (4, 6)].map(|(a, b)| unflatten(def, [Tree::from(a), Tree::from(b)]));
    assert_eq!(turned(&outer, &py!([1, 2]), &nested), Ok(list(expected)));
}

/// The leaves of a prefix in the places of the full tree's.
fn spread(prefix: &Tree, full: &Tree) -> Result<Tree, Error> {
    let (leaves, def) = flatten(prefix);
    let full = structure(full);
    let mut out = vec![Tree::None; full.num_leaves()];
    broadcast_prefix(View::new(def, &leaves)?, full, &mut out)?;
    Ok(unflatten(full, out))
}

#[test]
fn broadcast() {
    for row in jax_trees() {
        let nested = nest(&row.tree, |x| list([x.clone(), x.clone(), x]));
        assert_eq!(spread(&row.tree, &nested), Ok(nested));
    }
}

#[test]
fn broadcast_simple() {
    let full = py!((0, {"a": 0, "b": 0}, (0, 0)));
    assert_eq!(spread(&py!((1, 2, 3)), &full), Ok(py!((1, {"a": 2, "b": 2}, (3, 3)))));
    let nones = py!([None, [3, None]]);
    assert_eq!(spread(&py!([1, 2]), &nones), Ok(py!([None, [2, None]])));
}

#[test]
fn broadcast_error() {
    let cases = [
        (py!((1, 2, 3)), py!((0, {"a": 0, "b": 0})), 0),
        (py!((1, 2)), py!((0, {"a": 0, "b": 0}, (0, 0))), 0),
        (py!((1, {"a": 0})), py!((0, {"a": 0, "b": 0})), 2),
    ];
    for (prefix, full, node) in cases {
        assert_eq!(spread(&prefix, &full), Err(Error::NotPrefix { node }));
        let (leaves, def) = flatten(&full);
        let view = View::new(def, &leaves).unwrap();
        assert_eq!(
            treedef::flatten_up_to(structure(&prefix), view).err(),
            Some(Error::NotPrefix { node })
        );
    }
}
