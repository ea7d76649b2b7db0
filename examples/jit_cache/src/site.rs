//! A place of a program that calls with arguments of one type.

use std::rc::Rc;

use treedef::cache::{KeyLeaves, Known};
use treedef::format::ToValue;
use treedef::tree::{TreeRead, TreeWalk, refs_into};

use crate::calls::Jit;
use crate::cases::MOST_LEAVES;
use crate::error::CallError;
use crate::jit::{Kernel, Table};
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

/// Calls with arguments of type `T`: their code is found by what the type leaves open, the arrays and the optimiser. Only a call that is
/// not found here makes its key, by which the table of all finds code that other places have compiled.
pub struct Site<T> {
    known: Known<T, Rc<Kernel>, 8, 1024>,
    table: Table,
}

impl<T: TreeWalk<KeyLeaves> + TreeRead<Tensor>> Site<T> {
    /// A place that has not called yet.
    pub fn new() -> Self {
        Self { known: Known::new(), table: Table::default() }
    }

    /// The code of a call, compiled if it is nowhere.
    pub fn find(
        &mut self,
        jit: &mut Jit,
        arguments: &T,
        optimizer: &Optimizer,
    ) -> Result<&mut Rc<Kernel>, CallError> {
        let known = &mut self.known;
        optimizer.with_value(|optimizer| {
            known.get_or_insert_with((arguments, optimizer), |key| jit.find(key))
        })
    }

    /// A step: finds the code, and runs it.
    pub fn step(
        &mut self,
        jit: &mut Jit,
        arguments: &T,
        optimizer: &Optimizer,
    ) -> Result<(), CallError> {
        let mut leaves = [None; MOST_LEAVES];
        let count = refs_into(arguments, &mut leaves)?;
        let kernel = Rc::clone(self.find(jit, arguments, optimizer)?);
        kernel.run(leaves[..count].iter().copied().flatten(), &mut self.table)
    }

    /// Calls that were found here, and those that were not.
    pub fn counts(&self) -> (usize, usize) {
        (self.known.stats().hits, self.known.stats().misses)
    }
}
