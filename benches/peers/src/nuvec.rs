//! `nuvec-core`: trees of arrays; the structure is a list of the paths of the leaves. Its leaves are counted references,
//! which it clones.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

use nuvec_core::tree::Tree;
use nuvec_core::{Array, array};

use crate::value::{self, Value};
use crate::{Call, plain};

/// A value of maps.
#[derive(Clone, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
enum Dynamic {
    Leaf(Array),
    List(Vec<Dynamic>),
    Dict(BTreeMap<String, Dynamic>),
}

fn dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Leaf(leaf) => Dynamic::Leaf(array![*leaf]),
        Value::List(children) => Dynamic::List(children.iter().map(dynamic).collect()),
        Value::Dict(map) => {
            Dynamic::Dict(map.iter().map(|(key, value)| (key.clone(), dynamic(value))).collect())
        }
    }
}

fn look_up<T: Tree>(trees: Vec<T>) -> Call {
    let cache: HashMap<_, _> = trees.iter().map(Tree::def).zip(0usize..).collect();
    Box::new(move || {
        for (index, tree) in black_box(&trees).iter().enumerate() {
            black_box(tree.leaves());
            assert_eq!(cache.get(&tree.def()), Some(&index));
        }
    })
}

pub(crate) fn motor() -> Call {
    look_up(vec![Motor::default()])
}

pub(crate) fn state() -> Call {
    look_up(vec![State::default()])
}

pub(crate) fn layered() -> Call {
    let h = (0..12).map(|layer| (layer.to_string(), Block::default())).collect();
    look_up(vec![Layers { h, ln_f: Norm::default(), wpe: array![0.5], wte: array![0.5] }])
}

pub(crate) fn renamed_typed() -> Call {
    let list = |leaves: Vec<f32>| leaves.iter().map(|leaf| array![*leaf]).collect();
    let dict = |dict: BTreeMap<String, Vec<f32>>| -> BTreeMap<String, Vec<Array>> {
        dict.into_iter().map(|(key, leaves)| (key, list(leaves))).collect()
    };
    look_up(plain::renamed().map(dict).collect())
}

pub(crate) fn gpt() -> Call {
    look_up(vec![dynamic(&value::gpt(12))])
}

pub(crate) fn state_maps() -> Call {
    look_up(vec![dynamic(&value::state())])
}

pub(crate) fn renamed() -> Call {
    look_up(value::renamed().iter().map(dynamic).collect())
}

/// The structure of a hundred layers with an option.
pub(crate) fn structure_of_options() -> Call {
    let layer =
        || Scaled { w: std::array::from_fn(|_| array![0.5]), b: array![0.5], s: Some(array![0.5]) };
    let layers: Vec<Scaled> = (0..100).map(|_| layer()).collect();
    Box::new(move || {
        black_box(black_box(&layers).def());
    })
}

/// A layer whose scale can be missing.
#[derive(Clone, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Scaled {
    w: [Array; 4],
    b: Array,
    s: Option<Array>,
}

/// The gains of a controller.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Pid {
    kp: Array,
    ki: Array,
    kd: Array,
}

/// What a motor may do.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Limits {
    current: Array,
    speed: Array,
}

/// The configuration of a motor: 12 leaves.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Motor {
    speed: Pid,
    current: Pid,
    limits: Limits,
    pole_pairs: Array,
    dt: Array,
    phase: (Array, Array),
}

/// A matrix and what is added.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Affine {
    b: Array,
    w: Array,
}

/// A normalisation.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Norm {
    b: Array,
    g: Array,
}

/// A layer of a transformer: 12 leaves.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Block {
    attn: (Affine, Affine),
    ln_1: Norm,
    ln_2: Norm,
    mlp: (Affine, Affine),
}

/// The parameters of a transformer of 48 layers: 580 leaves.
#[derive(Clone, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Gpt {
    h: [Block; 48],
    ln_f: Norm,
    wpe: Array,
    wte: Array,
}

impl Default for Gpt {
    fn default() -> Self {
        let leaf = Array::default;
        Self {
            h: std::array::from_fn(|_| Block::default()),
            ln_f: Norm::default(),
            wpe: leaf(),
            wte: leaf(),
        }
    }
}

/// The state of its training with Adam: 1741 leaves.
#[derive(Clone, Default, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct State {
    step: Array,
    params: Gpt,
    mu: Gpt,
    nu: Gpt,
}

/// The parameters of a transformer of any number of layers.
#[derive(Clone, nuvec_macros::Tree)]
#[tree(crate = "nuvec_core")]
struct Layers {
    h: BTreeMap<String, Block>,
    ln_f: Norm,
    wpe: Array,
    wte: Array,
}
