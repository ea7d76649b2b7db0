//! Values of a program's own, through `Object`, described by text keys.

use std::hint::black_box;

use treedef::dynamic::{Flatten, Open};
use treedef::{Error, Object, TreeDef};

use super::{Row, row};

/// A value of a program's own, as a configuration file or a checkpoint is read.
pub(super) enum Value {
    Number(f32),
    List(Vec<Value>),
    Dict(Vec<(String, Value)>),
}

#[derive(Clone, Copy)]
pub(super) struct Handle<'v>(pub(super) &'v Value);

impl Object for Handle<'_> {
    type Leaf = f32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Value::Number(number) => open.leaf(*number),
            Value::List(items) => open.list(items.iter().map(Handle)),
            Value::Dict(entries) => {
                open.dict(entries.iter().map(|(key, value)| (key.as_str(), Handle(value))))
            }
        }
    }
}

pub(super) fn dict(entries: impl IntoIterator<Item = (impl Into<String>, Value)>) -> Value {
    Value::Dict(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// The parameters of GPT-2 small: 148 leaves, 259 nodes.
pub(super) fn gpt2_values() -> Value {
    let leaf = || Value::Number(0.5);
    let affine = || dict([("bias", leaf()), ("kernel", leaf())]);
    let norm = || dict([("bias", leaf()), ("scale", leaf())]);
    let block = || {
        let attn = dict([("c_attn", affine()), ("c_proj", affine())]);
        let mlp = dict([("c_fc", affine()), ("c_proj", affine())]);
        dict([("attn", attn), ("ln_1", norm()), ("ln_2", norm()), ("mlp", mlp)])
    };
    let names = ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"];
    let h = dict(names.map(|name| (name, block())));
    dict([("h", h), ("ln_f", norm()), ("wpe", leaf()), ("wte", leaf())])
}

/// A dict of 40 dicts of which no two are alike: 240 leaves, 281 nodes.
pub(super) fn unlike_values() -> Value {
    let group = |i| dict((0..6).map(move |j| (format!("name {i:02} {j}"), Value::Number(0.5))));
    dict((0..40).map(|i| (format!("group {i:02}"), group(i))))
}

/// What a visitor does that only writes leaves: leaves in the loop over the children, a call for what has children.
#[inline(never)]
fn visit(value: &Value, out: &mut [f32], at: &mut usize) {
    let mut child = |value: &Value| match value {
        Value::Number(number) => {
            if let Some(slot) = out.get_mut(*at) {
                *slot = *number;
            }
            *at += 1;
        }
        node => visit(node, out, at),
    };
    match value {
        Value::Number(_) => child(value),
        Value::List(items) => items.iter().for_each(child),
        Value::Dict(entries) => entries.iter().for_each(|(_, value)| child(value)),
    }
}

/// The rows of a value: flatten and match, beside a bare visitor.
fn value_rows([flattened, matched]: [&'static str; 2], value: fn() -> Value) -> [Row; 2] {
    let [a, b, c, d] = [(); 4].map(|()| value());
    let [mut out, mut out2, mut out3, mut out4] = [(); 4].map(|()| vec![0f32; 1000]);
    let mut bytes = vec![0u8; 8192];
    let flat = Flatten::new().flatten_into(Handle(&c), vec![0; 8192].leak(), &mut out);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(Handle(&a), def).is_ok());
    [
        row(
            flattened,
            6.5,
            move || visit(black_box(&a), black_box(&mut out), &mut 0),
            move || {
                let value = Handle(black_box(&b));
                let flat = Flatten::new().flatten_into(value, &mut bytes, black_box(&mut out2));
                black_box(flat.is_ok());
            },
        ),
        row(
            matched,
            6.5,
            move || visit(black_box(&c), black_box(&mut out3), &mut 0),
            move || {
                let (value, def) = (Handle(black_box(&d)), black_box(def));
                let flat = Flatten::new().flatten_expected(value, def, black_box(&mut out4));
                black_box(flat.is_ok());
            },
        ),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let [unlike, matched] = value_rows(["own unlike: flatten", "own unlike: match"], unlike_values);
    vec![unlike, matched]
}
