//! What the tests have in common.

mod failures;
mod keys;
mod numbers;

use treedef::{CallKey, TreeDef};

use crate::calls::{Arguments, Caller, Jit, ROOM, key};
use crate::cases::{MOST_LEAVES, random};
use crate::error::CallError;
use crate::models::TrainState;
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

fn jit() -> Jit {
    Jit::new(|_| ()).expect("a compiler for this machine")
}

/// The key of a call, in memory that stays.
fn key_of(arguments: &dyn Arguments, optimizer: &Optimizer) -> CallKey<'static> {
    let (mut bytes, mut leaves) = ([0; ROOM], [None; MOST_LEAVES]);
    let (def, count) = arguments.flatten(&mut bytes, &mut leaves).expect("room");
    key(def, &leaves[..count], optimizer, vec![0; ROOM].leak()).expect("room")
}

/// A key of a structure whose leaves are arrays of these shapes.
fn key_of_shapes(def: TreeDef<'_>, shapes: &[&[usize]], optimizer: &Optimizer) -> CallKey<'static> {
    let leaves: Vec<_> = shapes.iter().map(|shape| Tensor::zeros(shape)).collect();
    let leaves: Vec<_> = leaves.iter().map(Some).collect();
    key(def, &leaves, optimizer, vec![0; ROOM].leak()).expect("room")
}

fn step(
    jit: &mut Jit,
    caller: &mut Caller,
    arguments: &dyn Arguments,
    optimizer: &Optimizer,
) -> Result<(), CallError> {
    caller.step(jit, arguments, &mut [None; MOST_LEAVES], optimizer)
}

/// Arrays of all lengths from `from` up to `to`, and gradients: whole vectors, what is left of one, and nothing at all.
fn arrays(from: usize, to: usize) -> (Vec<Tensor>, Vec<Tensor>) {
    let mut random = random();
    let mut list = || (from..=to).map(|length| random(&[length])).collect();
    (list(), list())
}

fn with_moment() -> ((Vec<Tensor>, Vec<Tensor>), Vec<Tensor>) {
    let (params, gradients) = arrays(0, 13);
    ((params, arrays(0, 13).0), gradients)
}

fn with_two_moments() -> (TrainState<Vec<Tensor>>, Vec<Tensor>) {
    let (params, gradients) = arrays(0, 13);
    let zeros = || (0..=13).map(|length| Tensor::zeros(&[length])).collect();
    (TrainState { params, mu: zeros(), nu: zeros(), step: Tensor::zeros(&[]) }, gradients)
}
