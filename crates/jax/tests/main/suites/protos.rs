//! `PyTreeTest` and `StaticTest`: structures through JAX's proto.

use treedef::{TreeDef, TreeDefBox, Value, head, treedef};
use treedef_jax::{WriteProtoError, read_proto, write_proto};

/// There and back through JAX's proto.
fn through_proto(def: TreeDef<'_>) -> Result<TreeDefBox, WriteProtoError> {
    Ok(read_proto(&write_proto(def)?).unwrap())
}

#[test]
fn serialize_deserialize_no_pickle() {
    let def = treedef!(({"a": *, "b": *}, [*, (*, *), None]));
    assert_eq!(through_proto(def), Ok(def.into()));
}

#[test]
fn serialize_treedef() {
    let def = treedef!([*, [*], (*,), {"a": *, "b": *}]);
    assert_eq!(through_proto(def), Ok(def.into()));
}

/// JAX falls back on pickle for a named tuple; the proto has none, and the bytes of the treedef have.
#[test]
fn serialize_with_fallback() {
    let def = TreeDefBox::build(|builder| {
        let dict = builder.begin_dict(&["a"]);
        let tuple = builder.begin(&head::NamedTuple { name: "ATuple", fields: &["foo", "bar"] });
        builder.leaves(2);
        builder.end(tuple);
        builder.end(dict)
    })
    .unwrap();
    let def = def.as_treedef();
    assert_eq!(through_proto(def), Err(WriteProtoError::UserDefinedNode { node: 1 }));
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
}

#[test]
fn registered_type() {
    let def = TreeDefBox::build(|builder| {
        let list = builder.begin(&head::List(1));
        let aux = Value::Int(3);
        let object = head::Custom { name: "AnObject2", aux, children: 2, child_keys: None };
        let object = builder.begin(&object);
        builder.leaves(2);
        builder.end(object);
        builder.end(list)
    })
    .unwrap();
    let def = def.as_treedef();
    assert_eq!(through_proto(def), Err(WriteProtoError::UserDefinedNode { node: 1 }));
    assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
}
