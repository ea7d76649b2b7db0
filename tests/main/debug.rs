//! `Debug` and `Display` of the public types by hand: short, on one line, with numbers as they are.

use treedef::encode::Level;
use treedef::format::BigInt;
use treedef::format::{DecodeErrorKind, ValueTuple};
use treedef::head::{ChildKey, DictKind};
use treedef::tree::{AsLeaf, HasSchema};
use treedef::{Arena, Error, KeyEntry, KeyPath, Node, TreeDef, Value, View, Writer, head, treedef};

/// `[*, (*, *)]`
const DEF: &[u8] = &[0x42, 0x00, 0x22, 0x01];

#[test]
fn errors_show_their_numbers() {
    let full = Error::BufferFull { needed: 12, room: 4_294_967_295 };
    assert_eq!(format!("{full:?}"), "BufferFull { needed: 12, room: 4294967295 }");
    assert_eq!(format!("{full}"), "12 bytes are needed, the buffer holds 4294967295");
    let full = Error::Full { room: 12 };
    assert_eq!(format!("{full:?}"), "Full { room: 12 }");
    assert_eq!(format!("{full}"), "treedef does not fit the 12 bytes of the buffer");
    assert_eq!(format!("{:?}", Error::TooLarge), "TooLarge");
    let error = TreeDef::from_bytes(&[0x42, 0xFF]).unwrap_err();
    assert_eq!(format!("{error:?}"), "DecodeError { kind: UnknownKind(7), at: 1 }");
    assert_eq!(format!("{error:#?}"), format!("{error:?}"));
    assert_eq!(format!("{error}"), "node kind 7 is unknown at byte 1");
    assert_eq!(format!("{:?}", DecodeErrorKind::TooDeep { limit: 0 }), "TooDeep { limit: 0 }");
}

#[test]
fn leaves_have_the_precision_that_is_asked_for() {
    let view = View::new(treedef!([*, *]), &[1.0f32, 2.5]).unwrap();
    assert_eq!(format!("{view:.2?}"), "View { def: PyTreeDef([*, *]), leaves: [1.00, 2.50] }");
    assert_eq!(format!("{:.2?}", Node::Leaf(2.5f32)), "Leaf(2.50)");
    assert_eq!(format!("{:.2?}", AsLeaf(2.5f32)), "AsLeaf(2.50)");
}

#[test]
fn values_show_their_type_and_python_form() {
    let elements = [Value::Int(-1), Value::Float(0.1)];
    for (value, expected) in [
        (Value::None, "None"),
        (Value::Bool(true), "Bool(True)"),
        (Value::Str("it's"), r#"Str("it's")"#),
        (Value::Bytes(b"\n"), r"Bytes(b'\n')"),
        (Value::Float(0.5), "Float(0.5)"),
        (Value::Float32(0.5), "Float32(0.5)"),
        (Value::Opaque("<x>"), "Opaque(<x>)"),
        (Value::Tuple(ValueTuple::new(&elements)), "Tuple((-1, 0.1))"),
    ] {
        assert_eq!(format!("{value:?}"), expected);
    }
    let big = BigInt::new(true, &[0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(format!("{big:?}"), "Some(BigInt(-18446744073709551616))");
    assert_eq!(format!("{:?}", KeyEntry::Key(Value::Str("a"))), "Key(Str('a'))");
    assert_eq!(format!("{:?}", KeyEntry::Some), "Some");
    assert_eq!(format!("{:?}", AsLeaf(3)), "AsLeaf(3)");
}

#[test]
fn headings_and_schemas_show_all_they_hold() {
    assert_eq!(format!("{:?} {:?}", head::List(3), head::Some), "List(3) Some");
    assert_eq!(format!("{:?}", DictKind::Default("int")), "Default('int')");
    let heading = head::Struct { name: "Pid", fields: &["kp"], meta: &[("dt", Value::Int(1))] };
    let expected = "Struct { name: 'Pid', fields: ['kp'], meta: [('dt', Int(1))] }";
    assert_eq!(format!("{heading:?}"), expected);
    let keys = [ChildKey::Index(2)];
    let custom = head::Custom { name: "C", aux: Value::None, children: 1, child_keys: Some(&keys) };
    let expected = "Custom { name: 'C', aux: None, children: 1, child_keys: Some([Index(2)]) }";
    assert_eq!(format!("{custom:?}"), expected);
    let schema = <(f32, [Option<f32>; 2])>::SCHEMA;
    let leaf = "Leaf('float32', Some(Float32), false)";
    let expected = format!("Tuple([{leaf}, Array(2, Optional({leaf}))])");
    assert_eq!(format!("{schema:?}"), expected);
}

#[test]
fn views_and_walks_show_where_they_are() {
    let def = TreeDef::from_bytes(DEF).unwrap();
    assert_eq!(format!("{def:?}"), "PyTreeDef([*, (*, *)])");
    assert_eq!(format!("{:?}", def.head()), "Head(a list of 2)");
    let path = def.path(2).unwrap();
    assert_eq!(format!("{path:?}"), "KeyPath([1][1])");
    assert_eq!(format!("{:?}", path.keystr().separated_by("/")), "KeyStr([1]/[1])");
    assert_eq!(format!("{:?}", def.node_path(2)), "Some(KeyPath([1]))");
    let entries: Vec<_> = path.entries().collect();
    assert_eq!(format!("{:?}", KeyPath::new(&entries)), "KeyPath([1][1])");
    let node = def.nodes().nth(2).unwrap().unwrap();
    assert_eq!(format!("{node:?}"), "NodeAt { head: Head(a tuple of 2), depth: 1, leaf: 1 }");
    assert_eq!(format!("{:?}", def.children()), "Children { left: 2 }");
    assert_eq!(format!("{:?}", Level::default()), "Level");
    assert_eq!(format!("{:?}", Writer::new(&mut [])), "Writer { at: 0, leaves: 0, nodes: 0 }");
    assert_eq!(format!("{:?}", Arena::new(&mut [0; 7])), "Arena { remaining: 7 }");
}
