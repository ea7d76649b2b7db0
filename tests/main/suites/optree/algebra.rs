//! `test_treespec.py`: compose and transform.

use treedef::algebra::Change;
use treedef::encode::{MAX_DEPTH, Store, structure_bound};
use treedef::head::DictKind;
use treedef::{Arena, Error, Kind, TreeDef, head};

use super::trees::cases;
use crate::suites::model::{Tree, flatten, flatten_nones, py, structure, unflatten, write};

fn inner_trees() -> [Tree; 9] {
    [
        py!(None),
        py!("*"),
        py!(()),
        py!((None,)),
        py!(("*",)),
        py!(["*", "*", "*"]),
        py!(["*", "*", None]),
        py!({"a": "*", "b": None}),
        py!({"a": "*", "b": ("*", "*")}),
    ]
}

#[test]
fn treespec_compose_children() {
    for case in cases() {
        for inner_tree in inner_trees() {
            let flat = if case.none_is_leaf { flatten_nones } else { flatten };
            let (outer, inner) = (case.def, flat(&inner_tree).1);
            let filled = unflatten(outer, case.leaves.iter().map(|_| inner_tree.clone()));
            let expected = flat(&filled).1;
            let composed = write(&outer.compose(inner));
            assert_eq!(composed, expected);
            let transformed = write(&outer.transform(|head| {
                Ok(match head.kind() {
                    Kind::Leaf => Change::Subtree(inner),
                    _ => Change::Keep,
                })
            }));
            assert_eq!(transformed, expected);
            assert_eq!(composed.num_leaves(), outer.num_leaves() * inner.num_leaves());
            let nodes = outer.num_nodes() - outer.num_leaves();
            assert_eq!(composed.num_nodes(), nodes + outer.num_leaves() * inner.num_nodes());
            assert!(composed.children().eq(expected.children()));
            let leaves: Vec<_> = (0..).map(Tree::from).take(composed.num_leaves()).collect();
            let (again, def) = flatten(&unflatten(composed, leaves.clone()));
            assert_eq!((again, def), (leaves, composed));
        }
    }
}

/// A list with other heads for its nodes.
#[test]
fn treespec_transform() {
    let def = structure(&py!(((1, 2, 3), (4,))));
    assert_eq!(write(&def.transform(|_| Ok(Change::Keep))), def);
    let mut bytes = [0; 256];
    let arena = Arena::new(&mut bytes);
    let leaf = |inner: TreeDef<'static>| {
        move |head: treedef::Head<'static>| {
            Ok(if head.kind() == Kind::Leaf { Change::Subtree(inner) } else { Change::Keep })
        }
    };
    let inner = structure(&py!((1, [2])));
    assert_eq!(
        write(&def.transform(leaf(inner))),
        structure(&py!((((0, [1]), (2, [3]), (4, [5])), ((6, [7]),))))
    );
    let lists = def.transform(|head| match head.kind() {
        Kind::Tuple => arena.head(&head::List(head.num_children())).map(Change::Head),
        _ => Ok(Change::Keep),
    });
    assert_eq!(write(&lists), structure(&py!([[1, 2, 3], [4]])));
    let keys =
        |count| head::Dict::new(DictKind::Sorted, ["a", "b", "c", "d"].into_iter().take(count));
    let dicts = def.transform(|head| match head.kind() {
        Kind::Tuple => arena.head(&keys(head.num_children())).map(Change::Head),
        _ => Ok(Change::Keep),
    });
    assert_eq!(write(&dicts), structure(&py!({"a": {"a": 0, "b": 1, "c": 2}, "b": {"a": 3}})));
    let triple = structure(&py!([0, None, 1]));
    let both = def.transform(|head| match head.kind() {
        Kind::Tuple => arena.head(&keys(head.num_children())).map(Change::Head),
        _ => Ok(Change::Subtree(triple)),
    });
    assert_eq!(
        write(&both),
        structure(&py!({
            "a": {"a": [0, None, 1], "b": [2, None, 3], "c": [4, None, 5]},
            "b": {"a": [6, None, 7]}
        }))
    );
    let fewer = def.transform(|_| arena.head(&head::List(5)).map(Change::Head));
    assert_eq!(structure_bound(&fewer), Err(Error::Arity { expected: 2, found: 5 }));
}

/// Treedefs that are composed with themselves until they are deep: an error, not an overflow of the stack, where levels
/// have to be held. `DIFFERENCE`: paths hold none, and nodes hold none for chains of last children.
#[test]
fn treespec_deep_walk_raises_recursion_error_not_segfault() {
    let composed = |mut def: TreeDef<'static>, times: u32| {
        (0..times).for_each(|_| def = write(&def.compose(def)));
        def
    };
    let too_deep = Error::TooDeep { limit: MAX_DEPTH };
    for base in [structure(&py!([0])), structure(&py!([None, 0])), structure(&py!([0, None]))] {
        let deep = composed(base, 7);
        assert!(deep.paths().map(|path| path.entries().count()).eq([128]));
        assert!(deep.nodes().all(|node| node.is_ok()) || base == structure(&py!([0, None])));
        assert_eq!(structure_bound(&deep.common_suffix(deep)), Err(too_deep));
    }
    // On every level one more child waits.
    let waiting = composed(structure(&py!([0, None])), 7);
    assert_eq!(waiting.nodes().last(), Some(Err(too_deep)));
    assert_eq!(structure_bound(&waiting.common_suffix(waiting)), Err(too_deep));

    let (deep, shallower) =
        (composed(structure(&py!([None, 0])), 7), composed(structure(&py!([None, 0])), 5));
    assert_eq!(write(&deep.common_suffix(shallower)), deep);
    assert_eq!(write(&shallower.common_suffix(deep)), deep);
}

#[test]
fn treespec_broadcast_to_common_suffix_preserves_custom_node_entries() {
    let keys = [head::ChildKey::Attr("a"), head::ChildKey::Attr("c")];
    let vector = |a: Tree, c: Tree| {
        crate::suites::model::custom("Vector", treedef::Value::None, Some(&keys), [a, c])
    };
    let (one, other) = (structure(&vector(py!(1), py!(2))), structure(&vector(py!(3), py!(4))));
    let common = write(&one.common_suffix(other));
    assert_eq!(common, one);
    let larger = write(&one.common_suffix(structure(&vector(py!(3), py!([4, 5])))));
    let paths = larger.paths().map(|path| path.keystr().to_string());
    assert!(paths.collect::<Vec<_>>().iter().eq([".a", ".c[0]", ".c[1]"].iter()));
}
