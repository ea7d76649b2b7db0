//! `StaticTest`: treedefs as keys of a cache of compiled code.

use std::collections::HashMap;

use treedef::format::ValueTuple;
use treedef::{Meta, Tree, TreeDefBuf, Value, matches, structure_into};

use crate::suites::model::{self, py, structure, tuple};
use crate::suites::trees::static_value;

/// How often a function is compiled for these arguments: once for each structure.
fn traces(arguments: impl IntoIterator<Item = model::Tree>) -> usize {
    let (mut cache, mut traces) = (HashMap::new(), 0);
    for tree in arguments {
        cache.entry(structure(&tuple([py!(1), tree]))).or_insert_with(|| traces += 1);
    }
    traces
}

/// A static integer, tuple and dictionary with a number inside.
fn meta(number: i64, opaque: &str) -> [model::Tree; 3] {
    let pair = [Value::Int(number), Value::None];
    [
        static_value("StaticInt", Value::Int(number)),
        static_value("StaticTuple", Value::Tuple(ValueTuple::new(&pair))),
        static_value("StaticDict", Value::Opaque(opaque)),
    ]
}

#[derive(Clone, Tree)]
struct Model {
    x: f32,
    #[tree(meta)]
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Meta)]
enum Mode {
    Fast,
    Exact,
}

#[test]
fn trace_just_once_with_same_static() {
    for (a, b) in meta(2, "{'foo': 2}").into_iter().zip(meta(2, "{'foo': 2}")) {
        assert_eq!(traces([a, b]), 1);
    }
    // The same with a derived type: the leaf is no part of the structure, meta fields is.
    let first = TreeDefBuf::<64>::structure(&Model { x: 1.0, mode: Mode::Fast }).unwrap();
    assert!(matches(&Model { x: 3.0, mode: Mode::Fast }, &first).is_ok());
}

#[test]
fn trace_twice_with_different_static() {
    for (a, b) in meta(2, "{'foo': 2}").into_iter().zip(meta(4, "{'foo': 4}")) {
        assert_eq!(traces([a, b]), 2);
    }
    let first = TreeDefBuf::<64>::structure(&Model { x: 1.0, mode: Mode::Fast }).unwrap();
    assert!(matches(&Model { x: 1.0, mode: Mode::Exact }, &first).is_err());
}

/// What all values of a type share is the same aux data; `BlackBox` is equal to every other.
#[test]
fn trace_just_once_if_static_looks_constant() {
    #[derive(Tree)]
    struct BlackBox {
        #[tree(skip)]
        value: i64,
    }
    let (mut a, mut b) = ([0; 64], [0; 64]);
    let (two, one) = (BlackBox { value: 2 }, BlackBox { value: 1 });
    assert_eq!(structure_into(&two, &mut a), structure_into(&one, &mut b));
    assert_eq!(two.value + one.value, 3);
    let boxes = [2, 1].map(|_| static_value("BlackBox", Value::None));
    assert_eq!(traces(boxes), 1);
}

/// `DIFFERENCE`: there is one registry, the types. Treedefs are equal as bytes wherever they come from, and those of
/// two types of one shape are not.
#[test]
fn compare_pytreedef_with_registries() {
    #[derive(Tree)]
    struct Other {
        x: f32,
    }
    let model = TreeDefBuf::<64>::structure(&Model { x: 1.0, mode: Mode::Fast }).unwrap();
    let again = treedef::TreeDef::from_bytes(model.as_ref()).unwrap();
    assert_eq!(again, model.as_treedef());
    let other = TreeDefBuf::<64>::structure(&Other { x: 1.0 }).unwrap();
    assert_ne!(other.as_treedef(), model.as_treedef());
    assert!(Other { x: 1.0 }.x > 0.0);
}
