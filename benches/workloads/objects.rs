//! Values of a program's own, through `Object`: described by text keys, or by heads that are encoded once.

use std::hint::black_box;

use treedef::dynamic::{Flatten, Open};
use treedef::{Error, Head, Object, TreeDef};

use super::names;
use crate::{Case, case, head};

/// A value of a program's own, as a configuration file or a checkpoint is read.
pub(super) enum Value {
    Number(f32),
    List(Vec<Value>),
    Dict(Vec<(String, Value)>),
}

/// A value whose dictionaries have their encoded heads.
pub(super) enum Headed {
    Number(f32),
    List(Vec<Headed>),
    Dict(Head<'static>, Vec<Headed>),
}

pub(super) struct Handle<'v, V = Value>(pub(super) &'v V);

impl<V> Clone for Handle<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Handle<'_, V> {}

impl Object for Handle<'_, Headed> {
    type Leaf = f32;

    fn open<O: Open<Self>>(self, open: O) -> Result<O::Output, Error> {
        match self.0 {
            Headed::Number(number) => open.leaf(*number),
            Headed::List(items) => open.list(items.iter().map(Handle)),
            Headed::Dict(head, children) => open.node(head, children.iter().map(Handle)),
        }
    }
}

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

/// The value with the heads of its dictionaries.
fn headed(value: &Value) -> Headed {
    match value {
        Value::Number(number) => Headed::Number(*number),
        Value::List(items) => Headed::List(items.iter().map(headed).collect()),
        Value::Dict(entries) => {
            let keys: Vec<_> = entries.iter().map(|(key, _)| key.as_str()).collect();
            Headed::Dict(head(&keys), entries.iter().map(|(_, value)| headed(value)).collect())
        }
    }
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

/// A list of 256 points.
fn points() -> Value {
    let point = || dict(["x", "y", "z"].map(|name| (name, Value::Number(0.5))));
    Value::List((0..256).map(|_| point()).collect())
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

/// As [`visit`], for values with heads.
#[inline(never)]
fn visit_headed(value: &Headed, out: &mut [f32], at: &mut usize) {
    let child = |value: &Headed| match value {
        Headed::Number(number) => {
            if let Some(slot) = out.get_mut(*at) {
                *slot = *number;
            }
            *at += 1;
        }
        node => visit_headed(node, out, at),
    };
    match value {
        Headed::Number(_) => [value].into_iter().for_each(child),
        Headed::List(children) | Headed::Dict(_, children) => children.iter().for_each(child),
    }
}

/// The cases of one value, of which there are three: a bare visitor, and flatten and match with the ratios that they may
/// reach.
fn value_cases<V: 'static>(
    [visitor, flatten, matched]: [&'static str; 3],
    [most, most_match]: [f64; 2],
    [a, b, c]: [V; 3],
    visit: fn(&V, &mut [f32], &mut usize),
) -> [Case; 3]
where
    for<'v> Handle<'v, V>: Object<Leaf = f32>,
{
    let (mut out, mut out2, mut out3) =
        (vec![0f32; 10_000], vec![0f32; 10_000], vec![0f32; 10_000]);
    let mut bytes = vec![0u8; 8192];
    let flat = Flatten::new().flatten_into(Handle(&c), vec![0; 8192].leak(), &mut out);
    let def = flat.map_or(TreeDef::LEAF, |(def, _)| def);
    assert!(!def.is_leaf() && Flatten::new().matches(Handle(&a), def).is_ok());
    [
        case(visitor, None, move || visit(black_box(&a), black_box(&mut out), &mut 0)),
        case(flatten, Some((visitor, most)), move || {
            let value = Handle(black_box(&b));
            let flat = Flatten::new().flatten_into(value, &mut bytes, black_box(&mut out2));
            black_box(flat.is_ok());
        }),
        case(matched, Some((visitor, most_match)), move || {
            let value = Handle(black_box(&c));
            let flat = Flatten::new().flatten_expected(value, black_box(def), black_box(&mut out3));
            black_box(flat.is_ok());
        }),
    ]
}

pub(crate) fn cases() -> Vec<Case> {
    let list = || Value::List((0..10_000).map(|_| Value::Number(0.5)).collect());
    let flat = || dict(names().into_iter().map(|name| (name, Value::Number(0.5))));
    let cases = [
        value_cases(named!("own gpt2"), [3.12, 2.99], [(); 3].map(|()| gpt2_values()), visit),
        value_cases(named!("own dict of 60"), [3.8, 3.43], [(); 3].map(|()| flat()), visit),
        value_cases(named!("own points"), [2.59, 2.6], [(); 3].map(|()| points()), visit),
        value_cases(named!("own unlike"), [6.7, 4.73], [(); 3].map(|()| unlike_values()), visit),
        value_cases(named!("own 10000"), [1.04, 1.04], [(); 3].map(|()| list()), visit),
        value_cases(
            named!("own heads: gpt2"),
            [2.27, 2.2],
            [(); 3].map(|()| headed(&gpt2_values())),
            visit_headed,
        ),
        value_cases(
            named!("own heads: points"),
            [1.95, 1.96],
            [(); 3].map(|()| headed(&points())),
            visit_headed,
        ),
        value_cases(
            named!("own heads: unlike"),
            [3.18, 2.53],
            [(); 3].map(|()| headed(&unlike_values())),
            visit_headed,
        ),
    ];
    cases.into_iter().flatten().collect()
}
