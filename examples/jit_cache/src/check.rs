//! Compiled steps against those in plain Rust.

use crate::calls::{Arguments, Caller, Jit, ROOM};
use crate::cases::MOST_LEAVES;
use crate::error::CallError;
use crate::optimizer::Optimizer;
use crate::reference;

/// What came of the comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The numbers that were compared.
    pub elements: usize,
    /// The largest difference; not a number if there is one on one side only.
    pub max_error: f32,
    /// Numbers that are not equal bit for bit.
    pub unequal: usize,
    /// How many steps had to compile.
    pub compiled: usize,
}

/// Makes so many steps with compiled code, the same in plain Rust, and compares all that the optimiser keeps.
pub fn compare(
    jit: &mut Jit,
    arguments: &dyn Arguments,
    optimizer: &Optimizer,
    steps: usize,
) -> Result<Comparison, CallError> {
    let (mut bytes, mut leaves) = ([0; ROOM], [None; MOST_LEAVES]);
    let (def, count) = arguments.flatten(&mut bytes, &mut leaves)?;
    let gradients = def.child(1).map_or(0, |gradients| gradients.num_leaves());
    let tensors: Vec<_> = leaves[..count].iter().copied().flatten().collect();
    let mut expected: Vec<_> = tensors.iter().map(|tensor| tensor.to_vec()).collect();

    let (mut caller, before) = (Caller::default(), jit.stats().misses);
    for _ in 0..steps {
        caller.step(jit, arguments, &mut leaves, optimizer)?;
    }
    let (state, gradients) = expected.split_at_mut(count - gradients);
    for _ in 0..steps {
        reference::step(optimizer, state, gradients);
    }

    let compiled = jit.stats().misses - before;
    let mut comparison = Comparison { elements: 0, max_error: 0.0, unequal: 0, compiled };
    for (expected, tensor) in expected.iter().zip(tensors) {
        for (expected, found) in expected.iter().zip(tensor.to_vec()) {
            let error = (expected - found).abs();
            comparison.elements += 1;
            comparison.unequal += usize::from(expected.to_bits() != found.to_bits());
            if error > comparison.max_error || error.is_nan() {
                comparison.max_error = error;
            }
        }
    }
    Ok(comparison)
}
