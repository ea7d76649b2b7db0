//! The typed workloads with plain `f32` leaves.

use std::collections::BTreeMap;

use postcard_schema::Schema;
use treedef::Tree;

use crate::value::RENAMED;

/// The gains of a controller.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Pid {
    kp: f32,
    ki: f32,
    kd: f32,
}

/// What a motor may do.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Limits {
    current: f32,
    speed: f32,
}

/// The configuration of a motor: 12 leaves.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Motor {
    speed: Pid,
    current: Pid,
    limits: Limits,
    pole_pairs: f32,
    dt: f32,
    phase: (f32, f32),
}

/// A matrix and what is added.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Affine {
    b: f32,
    w: f32,
}

/// A normalisation.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Norm {
    b: f32,
    g: f32,
}

/// A layer of a transformer: 12 leaves.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct Block {
    attn: (Affine, Affine),
    ln_1: Norm,
    ln_2: Norm,
    mlp: (Affine, Affine),
}

/// The parameters of a transformer of 48 layers: 580 leaves.
#[derive(Clone, Copy, Tree, Schema)]
pub(crate) struct Gpt {
    h: [Block; 48],
    ln_f: Norm,
    wpe: f32,
    wte: f32,
}

impl Default for Gpt {
    fn default() -> Self {
        let leaf = f32::default;
        Self {
            h: std::array::from_fn(|_| Block::default()),
            ln_f: Norm::default(),
            wpe: leaf(),
            wte: leaf(),
        }
    }
}

/// The state of its training with Adam: 1741 leaves.
#[derive(Clone, Copy, Default, Tree, Schema)]
pub(crate) struct State {
    step: f32,
    params: Gpt,
    mu: Gpt,
    nu: Gpt,
}

/// The parameters of a transformer of any number of layers.
#[derive(Tree)]
pub(crate) struct Layers {
    h: BTreeMap<String, Block>,
    ln_f: Norm,
    wpe: f32,
    wte: f32,
}

/// Those of GPT-2 small: 148 leaves.
pub(crate) fn layers() -> Layers {
    let h = (0..12).map(|layer| (layer.to_string(), Block::default())).collect();
    Layers { h, ln_f: Norm::default(), wpe: 0.5, wte: 0.5 }
}

/// A layer of 6 leaves.
#[derive(Clone, Default, Tree)]
pub(crate) struct Rank {
    w: [f32; 4],
    b: f32,
    s: f32,
}

/// A layer whose scale can be missing.
#[derive(Clone, Tree)]
pub(crate) struct Scaled {
    w: [f32; 4],
    b: f32,
    s: Option<f32>,
}

impl Default for Scaled {
    fn default() -> Self {
        Self { w: [0.5; 4], b: 0.5, s: Some(0.5) }
    }
}

/// Dicts of one shape that differ in a key: 3 leaves each.
pub(crate) fn renamed() -> impl Iterator<Item = BTreeMap<String, Vec<f32>>> {
    (0..RENAMED).map(|i| [(format!("k{i}"), vec![0.5]), ("z".into(), vec![0.5; 2])].into())
}
