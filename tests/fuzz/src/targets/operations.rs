//! Programs of operations on a pool of trees, beside the same on trees of vectors.

use crate::bytes::Bytes;
use crate::guard::{self, Limits};
use crate::programs::{OPERATIONS, Program, Step};

/// The model writes its trees out.
const LIMITS: Limits = Limits { time: 2000, stack: 512 << 10, heap: 64 << 20, keeps: true };

/// The bytes of a step.
const STEP: usize = 7;

/// More steps fill the pool with large trees.
const MOST: usize = 60;

/// Runs a program: each step is an operation, two trees and a number.
pub fn operations(data: &[u8]) {
    guard::check(data, &LIMITS, || {
        let mut program = Program::new();
        for step in data.chunks_exact(STEP).take(MOST) {
            let mut step = Bytes(step);
            let operation = OPERATIONS[step.below(OPERATIONS.len())];
            let trees = [step.byte().into(), step.byte().into()];
            program.run(&Step { operation, trees, choice: step.number() });
        }
    });
}
