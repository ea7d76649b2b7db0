//! `ryft-core`: the structure of a value is the same type with placeholders for leaves. It has no trees known at run time,
//! but maps of trees of one type.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::hint::black_box;

use ryft_core::parameters::{Parameter, Parameterized};
use ryft_macros::Parameterized;

use crate::{Call, plain};

/// What the derive expects in one place.
mod exports {
    pub(super) use ryft_core::{errors::Error, parameters::*};
}

/// The parameters of a transformer of any number of layers.
#[derive(Clone, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Layers<P: Parameter> {
    h: BTreeMap<String, Block<P>>,
    ln_f: Norm<P>,
    wpe: P,
    wte: P,
}

fn layers() -> Layers<f32> {
    let h = (0..12).map(|layer| (layer.to_string(), Block::default())).collect();
    Layers { h, ln_f: Norm::default(), wpe: 0.5, wte: 0.5 }
}

fn look_up<T>(trees: Vec<T>) -> Call
where
    T: Parameterized<f32, ParameterStructure: Eq + Hash> + 'static,
{
    let structures = trees.iter().map(T::parameter_structure);
    let cache: HashMap<_, _> = structures.zip(0usize..).collect();
    let mut leaves = vec![0.0f32; 1741];
    Box::new(move || {
        for (index, tree) in black_box(&trees).iter().enumerate() {
            for (slot, leaf) in black_box(&mut leaves).iter_mut().zip(tree.parameters()) {
                *slot = *leaf;
            }
            assert_eq!(cache.get(&tree.parameter_structure()), Some(&index));
        }
    })
}

pub(crate) fn motor() -> Call {
    look_up(vec![Motor::<f32>::default()])
}

pub(crate) fn state() -> Call {
    look_up(vec![State::<f32>::default()])
}

pub(crate) fn layered() -> Call {
    look_up(vec![layers()])
}

pub(crate) fn renamed() -> Call {
    look_up(plain::renamed().collect())
}

/// Rebuilds a hundred layers from their structure, which is consumed and so copied, and 600 leaves.
pub(crate) fn rebuild() -> Call {
    let structure = vec![Rank::<f32>::default(); 100].parameter_structure();
    let leaves = vec![0.5f32; 600];
    Box::new(move || {
        let (structure, leaves) = (black_box(&structure).clone(), black_box(&leaves));
        let layers = Vec::<Rank<f32>>::from_parameters(structure, leaves.iter().copied());
        assert_eq!(black_box(layers).ok().map(|layers| layers.len()), Some(100));
    })
}

/// A layer of 6 leaves.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Rank<P: Parameter> {
    w: [P; 4],
    b: P,
    s: P,
}

/// The gains of a controller.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Pid<P: Parameter> {
    kp: P,
    ki: P,
    kd: P,
}

/// What a motor may do.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Limits<P: Parameter> {
    current: P,
    speed: P,
}

/// The configuration of a motor: 12 leaves.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Motor<P: Parameter> {
    speed: Pid<P>,
    current: Pid<P>,
    limits: Limits<P>,
    pole_pairs: P,
    dt: P,
    phase: (P, P),
}

/// A matrix and what is added.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Affine<P: Parameter> {
    b: P,
    w: P,
}

/// A normalisation.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Norm<P: Parameter> {
    b: P,
    g: P,
}

/// A layer of a transformer: 12 leaves.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Block<P: Parameter> {
    attn: (Affine<P>, Affine<P>),
    ln_1: Norm<P>,
    ln_2: Norm<P>,
    mlp: (Affine<P>, Affine<P>),
}

/// The parameters of a transformer of 48 layers: 580 leaves.
#[derive(Clone, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct Gpt<P: Parameter> {
    h: [Block<P>; 48],
    ln_f: Norm<P>,
    wpe: P,
    wte: P,
}

impl<P: Parameter + Default> Default for Gpt<P> {
    fn default() -> Self {
        let leaf = P::default;
        Self {
            h: std::array::from_fn(|_| Block::default()),
            ln_f: Norm::default(),
            wpe: leaf(),
            wte: leaf(),
        }
    }
}

/// The state of its training with Adam: 1741 leaves.
#[derive(Clone, Default, PartialEq, Eq, Hash, Parameterized)]
#[ryft(crate = "exports")]
struct State<P: Parameter> {
    step: P,
    params: Gpt<P>,
    mu: Gpt<P>,
    nu: Gpt<P>,
}
