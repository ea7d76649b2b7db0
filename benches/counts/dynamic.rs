//! Models and state as programs hold them: as nodes with encoded heads, and as `serde_json` values.
//!
//! The bare visitors only write leaves: they read no keys and describe no structure.

use std::hint::black_box;

use serde_json::{Map, Value, json};
use treedef::dynamic::{Flatten, Keyed, Open, unflatten_into};
use treedef::head::{DictKind, head_into, head_len};
use treedef::{Error, Head, Node, Object, TreeDef, head};

use super::{Row, row};

/// A dict of leaked memory: the trees of these cases live as long as the program.
fn dict(head: Head<'static>, children: &[Node<'static, f32>]) -> Node<'static, f32> {
    Node::keyed(head, children.to_vec().leak()).unwrap_or(Node::None)
}

/// The head of a dict, encoded once.
fn head_of(keys: &[&str]) -> Head<'static> {
    let heading = head::Dict::new(DictKind::Sorted, keys.iter().copied());
    head_into(&heading, vec![0; head_len(&heading)].leak()).unwrap_or(TreeDef::LEAF.head())
}

/// What a visitor does that only writes leaves: leaves in the loop over the children, a call for what has children.
#[inline(never)]
fn visit(node: &Node<'_, f32>, out: &mut [f32], at: &mut usize) -> bool {
    let mut child = |child: &Node<'_, f32>| match child {
        Node::Leaf(leaf) => {
            let Some(slot) = out.get_mut(*at) else { return false };
            *slot = *leaf;
            *at += 1;
            true
        }
        Node::None => true,
        branch => visit(branch, out, at),
    };
    match node {
        Node::Leaf(_) => child(node),
        Node::None => true,
        Node::Some(only) => child(only),
        Node::Tuple(children) | Node::List(children) => children.iter().all(child),
        Node::Keyed(keyed) => keyed.children().all(child),
    }
}

/// The nodes of a JSON value.
fn node(value: &Value) -> Node<'static, f32> {
    match value {
        Value::Null => Node::None,
        Value::Array(items) => Node::List(items.iter().map(node).collect::<Vec<_>>().leak()),
        Value::Object(map) => {
            let keys: Vec<_> = map.keys().map(String::as_str).collect();
            dict(head_of(&keys), &map.values().map(node).collect::<Vec<_>>())
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

/// The rows of nodes: flatten and match, beside a bare visitor.
fn node_rows([flattened, matched]: [&'static str; 2], value: &Value) -> [Row; 2] {
    let tree = node(value);
    let mut leaves = [(); 4].map(|()| vec![0f32; 4000]);
    let flat = Flatten::new().flatten_into(&tree, vec![0; 1 << 15].leak(), &mut leaves[0]);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(&tree, def).is_ok());
    let [mut out, mut out2, mut out3, mut out4] = leaves;
    let mut bytes = vec![0u8; 1 << 15];
    [
        row(
            flattened,
            4.0,
            move || {
                black_box(visit(black_box(&tree), black_box(&mut out), &mut 0));
            },
            move || {
                let tree = black_box(&tree);
                let flat = Flatten::new().flatten_into(tree, &mut bytes, black_box(&mut out2));
                black_box(flat.is_ok());
            },
        ),
        row(
            matched,
            4.0,
            move || {
                black_box(visit(black_box(&tree), black_box(&mut out3), &mut 0));
            },
            move || {
                let (tree, def) = (black_box(&tree), black_box(def));
                let flat = Flatten::new().flatten_expected(tree, def, black_box(&mut out4));
                black_box(flat.is_ok());
            },
        ),
    ]
}

/// As [`node_rows`], for a JSON value.
fn json_rows([flattened, matched]: [&'static str; 2], value: Value) -> [Row; 2] {
    let value: &'static Value = Box::leak(Box::new(value));
    let mut leaves = [(); 4].map(|()| vec![0f64; 4000]);
    let flat = Flatten::new().flatten_into(Json(value), vec![0; 1 << 15].leak(), &mut leaves[0]);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(Json(value), def).is_ok());
    let [mut out, mut out2, mut out3, mut out4] = leaves;
    let mut bytes = vec![0u8; 1 << 15];
    [
        row(
            flattened,
            4.5,
            move || visit_json(black_box(value), black_box(&mut out), &mut 0),
            move || {
                let value = Json(black_box(value));
                let flat = Flatten::new().flatten_into(value, &mut bytes, black_box(&mut out2));
                black_box(flat.is_ok());
            },
        ),
        row(
            matched,
            4.5,
            move || visit_json(black_box(value), black_box(&mut out3), &mut 0),
            move || {
                let (value, def) = (Json(black_box(value)), black_box(def));
                let flat = Flatten::new().flatten_expected(value, def, black_box(&mut out4));
                black_box(flat.is_ok());
            },
        ),
    ]
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

/// The parameters of a ResNet-50, as flax names them.
fn resnet() -> Value {
    serde_json::from_str(include_str!("../../examples/data/resnet50.json")).unwrap_or(Value::Null)
}

/// Copies a tree of nodes, with its children in `slab`.
fn copied_by_hand<'a>(
    node: &Node<'a, f32>,
    free: &mut &'a mut [Node<'a, f32>],
) -> Option<Node<'a, f32>> {
    let mut list = |children: &[Node<'a, f32>]| {
        let slots = free.split_off_mut(..children.len())?;
        for (slot, child) in slots.iter_mut().zip(children) {
            *slot = match child {
                Node::Leaf(leaf) => Node::Leaf(*leaf),
                node => copied_by_hand(node, free)?,
            };
        }
        Some(&*slots)
    };
    Some(match node {
        Node::Leaf(leaf) => Node::Leaf(*leaf),
        Node::None => Node::None,
        Node::Some(child) => Node::Some(list(core::slice::from_ref(child))?.first()?),
        Node::Tuple(children) => Node::Tuple(list(children)?),
        Node::List(children) => Node::List(list(children)?),
        Node::Keyed(keyed) => Node::Keyed(Keyed { __children: list(keyed.__children)?, ..*keyed }),
    })
}

/// Nodes that are rebuilt, beside nodes that are copied.
fn rebuilt(name: &'static str, promise: f64, tree: Node<'static, f32>) -> Row {
    let mut leaves = vec![0f32; 10_000];
    let flat = Flatten::new().flatten_into(&tree, vec![0; 1 << 15].leak(), &mut leaves);
    let (def, count) = flat.unwrap_or((TreeDef::LEAF, 0));
    leaves.truncate(count);
    let slab = || Some(vec![Node::None; 10_000].leak());
    let (mut slab, mut slab2) = (slab(), slab());
    row(
        name,
        promise,
        move || {
            let mut free = slab.take().unwrap_or_default();
            black_box(copied_by_hand(black_box(&tree), &mut free));
        },
        move || {
            let slab = slab2.take().unwrap_or_default();
            black_box(unflatten_into(black_box(def), black_box(leaves.as_slice()), slab).is_ok());
        },
    )
}

pub(super) fn rows() -> Vec<Row> {
    let [masked, _] = node_rows(["nodes masked: flatten", "nodes masked: match"], &masked());
    let [flat, matched] = node_rows(["nodes random: flatten", "nodes random: match"], &random());
    let [deep, _] = node_rows(["nodes resnet50: flatten", "nodes resnet50: match"], &resnet());
    let list = Node::List(vec![Node::Leaf(0.5); 10_000].leak());
    let [json, json_match] = json_rows(["json random: flatten", "json random: match"], random());
    vec![
        flat,
        matched,
        deep,
        json,
        json_match,
        masked,
        rebuilt("list of 10 000: unflatten_into", 1.5, list),
        rebuilt("nodes random: unflatten_into", 4.5, node(&random())),
        rebuilt("nodes resnet50: unflatten_into", 4.5, node(&resnet())),
    ]
}
