//! Models and state as programs hold them: as nodes with encoded heads, and as `serde_json` values.
//!
//! The bare visitors only write leaves: they read no keys and describe no structure.

use std::hint::black_box;

use serde_json::{Map, Value, json};
use treedef::dynamic::{Flatten, Open};
use treedef::{Error, Node, Object, TreeDef};

use crate::{Case, case, dict, head, visit};

/// The nodes of a JSON value.
fn node(value: &Value) -> Node<'static, f32> {
    match value {
        Value::Null => Node::None,
        Value::Array(items) => Node::List(items.iter().map(node).collect::<Vec<_>>().leak()),
        Value::Object(map) => {
            let keys: Vec<_> = map.keys().map(String::as_str).collect();
            dict(head(&keys), &map.values().map(node).collect::<Vec<_>>())
        }
        _ => Node::Leaf(0.5),
    }
}

/// A JSON value as an object whose leaves are numbers.
#[derive(Clone, Copy)]
struct Json<'v>(&'v Value);

impl Object for Json<'_> {
    type Leaf = f64;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Value::Null => open.none(),
            Value::Array(items) => open.list(items.iter().map(Json)),
            Value::Object(map) => {
                open.dict(map.iter().map(|(key, value)| (key.as_str(), Json(value))))
            }
            leaf => open.leaf(number(leaf)),
        }
    }
}

/// The number of a leaf.
fn number(leaf: &Value) -> f64 {
    leaf.as_f64().unwrap_or(0.0)
}

/// A visitor that only writes leaves, as `visit` for nodes.
#[inline(never)]
fn visit_json(value: &Value, out: &mut [f64], at: &mut usize) {
    let mut child = |value: &Value| match value {
        Value::Null => {}
        node @ (Value::Array(_) | Value::Object(_)) => visit_json(node, out, at),
        leaf => {
            if let Some(slot) = out.get_mut(*at) {
                *slot = number(leaf);
            }
            *at += 1;
        }
    };
    match value {
        Value::Array(items) => items.iter().for_each(child),
        Value::Object(map) => map.values().for_each(child),
        leaf => child(leaf),
    }
}

/// The cases of nodes: a bare visitor, and flatten and match with the ratios that they may reach.
pub(crate) fn node_cases(
    [visitor, flatten, matched]: [&'static str; 3],
    [most, most_match]: [f64; 2],
    value: &Value,
) -> [Case; 3] {
    let tree = node(value);
    let mut leaves = [(); 3].map(|()| vec![0f32; 4000]);
    let flat = Flatten::new().flatten_into(&tree, vec![0; 1 << 15].leak(), &mut leaves[0]);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(&tree, def).is_ok());
    let [mut out, mut out2, mut out3] = leaves;
    let mut bytes = vec![0u8; 1 << 15];
    [
        case(visitor, None, move || {
            black_box(visit(black_box(&tree), black_box(&mut out), &mut 0));
        }),
        case(flatten, Some((visitor, most)), move || {
            let tree = black_box(&tree);
            let flat = Flatten::new().flatten_into(tree, &mut bytes, black_box(&mut out2));
            black_box(flat.is_ok());
        }),
        case(matched, Some((visitor, most_match)), move || {
            let (tree, def) = (black_box(&tree), black_box(def));
            let flat = Flatten::new().flatten_expected(tree, def, black_box(&mut out3));
            black_box(flat.is_ok());
        }),
    ]
}

/// As [`node_cases`], for a JSON value.
pub(crate) fn json_cases(
    [visitor, flatten, matched]: [&'static str; 3],
    [most, most_match]: [f64; 2],
    value: Value,
) -> [Case; 3] {
    let value: &'static Value = Box::leak(Box::new(value));
    let mut leaves = [(); 3].map(|()| vec![0f64; 4000]);
    let flat = Flatten::new().flatten_into(Json(value), vec![0; 1 << 15].leak(), &mut leaves[0]);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(Json(value), def).is_ok());
    let [mut out, mut out2, mut out3] = leaves;
    let mut bytes = vec![0u8; 1 << 15];
    [
        case(visitor, None, move || visit_json(black_box(value), black_box(&mut out), &mut 0)),
        case(flatten, Some((visitor, most)), move || {
            let value = Json(black_box(value));
            let flat = Flatten::new().flatten_into(value, &mut bytes, black_box(&mut out2));
            black_box(flat.is_ok());
        }),
        case(matched, Some((visitor, most_match)), move || {
            let (value, def) = (Json(black_box(value)), black_box(def));
            let flat = Flatten::new().flatten_expected(value, def, black_box(&mut out3));
            black_box(flat.is_ok());
        }),
    ]
}

/// A list of 256 points.
fn points() -> Value {
    json!(vec![json!({"x": 0.5, "y": 0.5, "z": 0.5}); 256])
}

/// 64 dictionaries, each in the one before.
fn deep() -> Value {
    (0..64).fold(json!(0.5), |inner, level| json!({format!("level {level}"): inner, "other": 0.5}))
}

/// A tree of about 600 nodes from a generator of numbers: lists and dictionaries of up to five children, some `None`.
fn random() -> Value {
    fn grow(state: &mut u64, levels: u32) -> Value {
        let mut draw = |below: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*state >> 33) % below
        };
        match draw(if levels == 0 { 5 } else { 12 }) {
            0 => Value::Null,
            1..5 => json!(0.5),
            kind => {
                let keys: Vec<_> = (0..1 + draw(5)).map(|i| format!("{i}{}", draw(20))).collect();
                match kind {
                    5..8 => keys.iter().map(|_| grow(state, levels - 1)).collect(),
                    _ => {
                        let entries = keys.into_iter().map(|key| (key, grow(state, levels - 1)));
                        Value::Object(entries.collect::<Map<_, _>>())
                    }
                }
            }
        }
    }
    let state = &mut 7;
    (0..60).map(|_| grow(state, 6)).collect()
}

/// An optimiser of 48 layers that trains two of the parameters of each: the moments of the others are `None`.
fn masked() -> Value {
    let moments = || {
        let layer = |i: usize| {
            let frozen = if i.is_multiple_of(2) { Value::Null } else { json!(0.5) };
            let affine = json!({"bias": frozen, "kernel": 0.5});
            (format!("layer_{i}"), json!({"attn": affine, "mlp": affine, "norm": null}))
        };
        Value::Object((0..48).map(layer).collect())
    };
    json!([{"count": 0, "mu": moments(), "nu": moments()}, null])
}

/// A configuration: settings of many kinds, most of them once.
fn config() -> Value {
    json!({
        "data": {"batch_size": 32, "shuffle": true, "sources": [
            {"path": "a", "weight": 0.7}, {"path": "b", "weight": 0.3, "limit": 1000}]},
        "logging": {"every": 50, "to": ["console", "file"], "level": "info"},
        "model": {"heads": 12, "layers": 12, "width": 768, "dropout": 0.1, "activation": "gelu",
            "rope": {"base": 10000.0, "scaling": null}},
        "optimizer": {"name": "adamw", "betas": [0.9, 0.95], "eps": 1e-8, "weight_decay": 0.1,
            "schedule": {"warmup": 2000, "decay": "cosine", "final": 0.1}},
        "seed": 7,
        "checkpoints": {"every": 1000, "keep": 3, "path": "out"},
    })
}

/// The parameters of a ResNet-50, as flax names them.
fn resnet() -> Value {
    serde_json::from_str(include_str!("../../examples/data/resnet50.json")).unwrap_or(Value::Null)
}

/// A train state of 48 layers with AdamW.
fn state() -> Value {
    let text = include_str!("../../examples/data/train_state_48_layers_adamw.json");
    serde_json::from_str(text).unwrap_or(Value::Null)
}

pub(crate) fn cases() -> Vec<Case> {
    let cases = [
        node_cases(named!("nodes points"), [1.52, 1.48], &points()),
        node_cases(named!("nodes depth 64"), [2.43, 2.75], &deep()),
        node_cases(named!("nodes random"), [2.3, 2.45], &random()),
        node_cases(named!("nodes masked"), [2.67, 2.25], &masked()),
        node_cases(named!("nodes resnet50"), [2.03, 1.97], &resnet()),
        json_cases(named!("json config"), [4.03, 3.52], config()),
        json_cases(named!("json random"), [4.09, 3.86], random()),
        json_cases(named!("json resnet50"), [3.75, 3.33], resnet()),
        json_cases(named!("json state"), [2.3, 2.26], state()),
    ];
    cases.into_iter().flatten().collect()
}
