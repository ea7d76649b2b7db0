//! The dynamic workloads: trees of maps as one would write them without a crate.

use std::collections::BTreeMap;

/// A tree that is known at run time.
#[derive(Clone)]
pub(crate) enum Value {
    Leaf(f32),
    List(Vec<Value>),
    Dict(BTreeMap<String, Value>),
}

fn dict<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Dict(entries.map(|(key, value)| (key.into(), value)).into())
}

fn affine() -> Value {
    dict([("b", Value::Leaf(0.5)), ("w", Value::Leaf(0.5))])
}

fn norm() -> Value {
    dict([("b", Value::Leaf(0.5)), ("g", Value::Leaf(0.5))])
}

fn block() -> Value {
    dict([
        ("attn", dict([("c_attn", affine()), ("c_proj", affine())])),
        ("ln_1", norm()),
        ("ln_2", norm()),
        ("mlp", dict([("c_fc", affine()), ("c_proj", affine())])),
    ])
}

/// The parameters of a transformer of so many layers; with 12 they are those of GPT-2 small: 148 leaves, 259 nodes.
pub(crate) fn gpt(layers: usize) -> Value {
    let h = (0..layers).map(|layer| (layer.to_string(), block())).collect();
    let wte = Value::Leaf(0.5);
    dict([("h", Value::Dict(h)), ("ln_f", norm()), ("wpe", wte.clone()), ("wte", wte)])
}

/// The state of training 48 layers with Adam: 1741 leaves.
pub(crate) fn state() -> Value {
    let parts = ["mu", "nu", "params"].map(|part| (part, gpt(48)));
    let [mu, nu, params] = parts;
    dict([mu, nu, params, ("step", Value::Leaf(0.5))])
}

/// The number of dicts of one shape.
pub(crate) const RENAMED: usize = 3000;

/// Dicts of one shape that differ in a key: 3 leaves each.
pub(crate) fn renamed() -> Vec<Value> {
    let z = || Value::List(vec![Value::Leaf(0.5); 2]);
    (0..RENAMED).map(|i| dict([(&format!("k{i}"), Value::Leaf(0.5)), ("z", z())])).collect()
}
