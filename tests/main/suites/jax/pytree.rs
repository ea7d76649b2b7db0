//! `PyTreeTest` of `jaxlib/pytree_test.py`.

use treedef::{Kind, TreeDef, Value};

use crate::suites::model::{dataclass, node_of, py, structure, write};
use crate::suites::trees::{a_tuple, an_object_2, integer_dict};

/// A leaf over a pair is a pair.
#[test]
fn compose() {
    let pair = structure(&py!((1, 2)));
    let composed = write(&TreeDef::LEAF.compose(pair));
    assert_eq!(composed.num_leaves(), 2);
    assert_eq!(composed, pair);
}

/// What a node says of itself, and its children, make it again.
fn from_node_data(def: TreeDef<'static>) -> TreeDef<'static> {
    let (head, children) = (def.head(), Vec::from_iter(def.children()));
    match head.kind() {
        Kind::Leaf => TreeDef::LEAF,
        Kind::None => TreeDef::NONE,
        _ => node_of(&head, &children),
    }
}

#[test]
fn roundtrip_node_data() {
    let trees = [
        py!([1, 2]),
        py!((1, 2)),
        py!({"a": 1, "b": 2}),
        integer_dict([(1, py!(1)), (2, py!(2))]),
        py!(None),
        py!(1),
        a_tuple(py!(1), py!(2)),
        an_object_2(py!(1), py!(2), Value::Int(3)),
    ];
    for tree in trees {
        assert_eq!(from_node_data(structure(&tree)), structure(&tree));
    }
}

/// The meta fields are read back from the node and make another.
#[test]
fn dataclass_make_from_node_data() {
    let def = structure(&dataclass(
        "ADataclass",
        &["x"],
        &[("y", Value::Int(3)), ("z", Value::Str("w"))],
        [py!([1, 2])],
    ));
    let head = def.head();
    let (fields, meta) = (Vec::from_iter(head.fields()), Vec::from_iter(head.meta_fields()));
    assert_eq!((fields.as_slice(), meta.len()), (["x"].as_slice(), 2));
    let heading =
        treedef::head::Struct { name: head.type_name().unwrap(), fields: &fields, meta: &meta };
    let children = Vec::from_iter(def.children());
    assert_eq!(node_of(&heading, &children), def);
    assert_eq!(from_node_data(def), def);
}
