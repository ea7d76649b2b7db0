//! A head of each kind, for nodes of any children.

use crate::support::def::{ChildKey, Def};
use crate::support::value::Value;

/// Makes a node of children, where the kind can have so many.
pub(super) type Head = fn(Vec<Def>) -> Option<Def>;

/// A head of each kind, some of them twice with another block.
pub(super) const EACH_KIND: [Head; 18] = [
    |children| Some(Def::Tuple(children)),
    |children| Some(Def::List(children)),
    |children| <[Def; 1]>::try_from(children).ok().map(|[child]| Def::Some(Box::new(child))),
    |children| Def::dict(keyed(children, |i| Value::Str(format!("k{i}")))).ok(),
    |children| Def::dict(keyed(children, |i| Value::Str("k".repeat(i)))).ok(),
    |children| Def::dict(keyed(children, |i| Value::Int(3 - i as i64))).ok(),
    |children| Def::dict(keyed(children, |i| Value::F64(i as f64))).ok(),
    |children| Some(Def::ordered_dict(keyed(children, |i| Value::Str(format!("k{}", 9 - i))))),
    |children| Some(Def::ordered_dict(keyed(children, |_| Value::Str("k".into())))),
    |children| Some(Def::ordered_dict(keyed(children, |i| Value::Int(3 - i as i64)))),
    |children| {
        let key = |i| if i == 0 { Value::None } else { Value::Int(1) };
        Some(Def::ordered_dict(keyed(children, key)))
    },
    |children| Def::default_dict("None", keyed(children, |i| Value::Str(format!("k{i}")))).ok(),
    |children| Def::default_dict("None", keyed(children, |i| Value::Int(i as i64))).ok(),
    |children| Def::default_dict("None", keyed(children, |i| Value::Bytes(vec![b'b'; i]))).ok(),
    |children| Some(Def::NamedTuple { name: "N".into(), fields: names(&children), children }),
    |children| {
        Some(Def::Struct { name: "N".into(), fields: names(&children), meta: Vec::new(), children })
    },
    |children| {
        let meta = vec![("s".into(), Value::Bool(true))];
        Some(Def::Struct { name: "N".into(), fields: names(&children), meta, children })
    },
    |children| {
        let child_keys = names(&children).into_iter().map(ChildKey::Raw).collect();
        let child_keys = Some(child_keys).filter(|keys: &Vec<_>| !keys.is_empty());
        Some(Def::Custom { name: "N".into(), aux: Value::None, child_keys, children })
    },
];

/// Children with keys that follow from their positions.
fn keyed(children: Vec<Def>, key: fn(usize) -> Value) -> Vec<(Value, Def)> {
    children.into_iter().enumerate().map(|(i, child)| (key(i), child)).collect()
}

/// A name for each child.
fn names(children: &[Def]) -> Vec<String> {
    (0..children.len()).map(|i| i.to_string()).collect()
}
