//! Random programs of operations on treedefs and views, beside the same operations on trees of vectors.
//!
//! A program works on a pool of trees. Each step takes trees from it, does one operation with the library and with the
//! model, compares both, and may add the result to the pool. A program that fails is made as short as it goes on
//! failing. `PROPTEST_CASES` says how many programs run.

mod operations;
mod questions;

use std::fmt;

use proptest::prelude::*;

use crate::support::algebra::Tree;
use operations::{Choices, Entry};
pub(crate) use operations::{OPERATIONS, Operation, compare, read, write};

/// One step of a program: what it does, with which trees, counted from the last one, and a number for all other
/// choices.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) operation: Operation,
    pub(crate) trees: [usize; 2],
    pub(crate) choice: u32,
}

/// On one line.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, trees: [first, second], choice } = self;
        write!(f, "{operation:?} of the trees {first} and {second} from the end, by {choice}")
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let tree = || prop_oneof![3 => 0usize..4, 1 => 0usize..40];
    let step = (prop::sample::select(OPERATIONS), tree(), tree(), any::<u32>());
    let step = step.prop_map(|(operation, first, second, choice)| Step {
        operation,
        trees: [first, second],
        choice,
    });
    prop::collection::vec(step, 0..100)
}

/// Larger results are not added to the pool.
const MOST_NODES: usize = 300;
const MOST_LEVELS: usize = 40;

/// The pool of a program that runs.
pub(crate) struct Program {
    pool: Vec<Entry>,
    /// The next leaf that is not in the pool.
    fresh: u32,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self { pool: vec![Entry::new(Tree::none()), Entry::new(Tree::Leaf(0))], fresh: 1 }
    }

    pub(crate) fn run(&mut self, step: &Step) {
        let entry = |back: usize| &self.pool[self.pool.len() - 1 - back % self.pool.len()];
        let [first, second] = step.trees.map(entry);
        let composed = first.tree.leaves().len() * second.tree.nodes();
        if composed >= 1000 && matches!(step.operation, Operation::Compose | Operation::Transpose) {
            return;
        }
        let trees: Vec<_> = step.trees.into_iter().chain(0..6).map(entry).collect();
        for tree in step.operation.run(&trees, &mut Choices(step.choice)) {
            let levels = tree.paths().iter().map(Vec::len).max().unwrap();
            if tree.nodes() <= MOST_NODES && levels <= MOST_LEVELS {
                self.pool.push(Entry::new(tree.numbered(self.fresh)));
                self.fresh += tree.leaves().len() as u32;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_do_with_treedefs_what_they_do_with_trees_of_vectors(steps in steps()) {
        let mut program = Program::new();
        for step in &steps {
            program.run(step);
        }
    }
}
