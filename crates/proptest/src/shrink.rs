//! Shrinks trees from the root down, as long as anything simpler still fails.
//!
//! The combinators of proptest make a node smaller, but never replace it by one of its children. So they stop at trees
//! that still contain all nodes around the failure. Here each place is tried as a leaf, as one of its own children,
//! with fewer children, with the children of a child instead of that child, and with a plainer head, until none of
//! these fails any more.

use std::ops::Range;

use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;

use crate::head::Head;
use crate::model::Model;

/// A strategy whose models shrink as in this module.
#[derive(Clone, Debug)]
pub(crate) struct Shrinkable<S>(pub(crate) S);

impl<S: Strategy<Value = Model>> Strategy for Shrinkable<S> {
    type Tree = Shrinking;
    type Value = Model;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.0.new_tree(runner).map(|tree| Shrinking::new(tree.current()))
    }
}

/// A model that is being shrunk.
#[derive(Clone, Debug)]
pub(crate) struct Shrinking {
    /// The smallest model that is known to fail.
    failing: Model,
    /// The model that is tried now.
    tried: Model,
    /// The current place, and the steps to try there.
    place: usize,
    steps: std::vec::IntoIter<Step>,
    /// Whether a step since the root still failed, and so made the model smaller.
    better: bool,
    smallest: bool,
}

impl Shrinking {
    /// Starts with a generated model.
    pub(crate) fn new(model: Model) -> Self {
        let steps = steps(&model).into_iter();
        let (place, better, smallest) = (0, false, false);
        Self { failing: model.clone(), tried: model, place, steps, better, smallest }
    }

    /// Whether no step is left.
    pub(crate) const fn is_smallest(&self) -> bool {
        self.smallest
    }

    /// Starts with the steps of a place. Returns `false` if the place does not exist.
    fn go_to(&mut self, place: usize) -> bool {
        let here = self.failing.at(place).map(|model| steps(model).into_iter());
        let exists = here.is_some();
        self.place = place;
        self.steps = here.unwrap_or_default();
        exists
    }

    /// Tries the next step. At the end goes back to the model that is known to fail.
    fn next(&mut self) -> bool {
        loop {
            for step in self.steps.by_ref() {
                let mut model = self.failing.clone();
                if model.at(self.place).is_some_and(|here| step.apply(here)) {
                    self.tried = model;
                    return true;
                }
            }
            if self.go_to(self.place.saturating_add(1)) {
                continue;
            }
            // The model is the smallest if a whole round did not make it smaller.
            if !std::mem::take(&mut self.better) {
                self.smallest = true;
                self.tried.clone_from(&self.failing);
                return false;
            }
            self.go_to(0);
        }
    }
}

impl ValueTree for Shrinking {
    type Value = Model;

    fn current(&self) -> Model {
        self.tried.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.smallest {
            return false;
        }
        if self.tried != self.failing {
            self.failing.clone_from(&self.tried);
            self.better = true;
            self.go_to(self.place);
        }
        self.next()
    }

    /// The last call goes back to the failing model and returns `true`: filters need a value that they accept, and leaf
    /// values may shrink after it.
    fn complicate(&mut self) -> bool {
        if self.smallest {
            return false;
        }
        self.next();
        true
    }
}

/// A change that makes a subtree simpler.
#[derive(Clone, Debug)]
enum Step {
    /// Replace it by a leaf.
    Leaf,
    /// Replace it by a `None`.
    None,
    /// Replace it by one of its children.
    Hoist(usize),
    /// Remove some children.
    Drop(Range<usize>),
    /// Change the number of copies of a child.
    Copies(usize, usize),
    /// Replace a child by the children of the child.
    Splice(usize),
    /// Replace a child and the next one by copies of the smaller of the two, so that they shrink together.
    Merge(usize),
    /// Change or remove the marks.
    Mark(u8),
    /// Give it a plainer head.
    Head(Head),
}

/// Returns all steps for a subtree. Steps that remove the most come first.
fn steps(model: &Model) -> Vec<Step> {
    match model {
        Model::Leaf(_) => Vec::new(),
        Model::None => vec![Step::Leaf],
        Model::Marked(bits, _) => {
            let fewer = (0..8).map(|bit| bits & !(1 << bit)).filter(|fewer| fewer != bits);
            std::iter::once(0).chain(fewer).map(Step::Mark).collect()
        }
        Model::Node(head, items) => {
            let mut steps = vec![Step::Leaf, Step::None];
            steps.extend((0..items.len()).map(Step::Hoist));
            let mut piece = items.len();
            while piece > 0 {
                let starts = (0..items.len()).step_by(piece);
                steps.extend(
                    starts.map(|start| {
                        Step::Drop(start..start.saturating_add(piece).min(items.len()))
                    }),
                );
                piece /= 2;
            }
            for (i, (_, copies)) in items.iter().enumerate() {
                let fewer = [1, copies / 2, copies.saturating_sub(1)];
                let fewer = fewer.into_iter().filter(|n| (1..*copies).contains(n));
                steps.extend(fewer.map(|n| Step::Copies(i, n)));
                steps.push(Step::Splice(i));
            }
            steps.extend((1..items.len()).map(|i| Step::Merge(i - 1)));
            steps.extend(head.simpler().into_iter().map(Step::Head));
            steps
        }
    }
}

impl Step {
    /// Changes a subtree. Returns `false` if the step does not fit it.
    fn apply(self, here: &mut Model) -> bool {
        let new = match (self, &mut *here) {
            (Self::Leaf, _) => Model::Leaf(here.leaves().first().copied().unwrap_or(0)),
            (Self::None, _) => Model::None,
            (Self::Mark(0), Model::Marked(_, inner)) => {
                std::mem::replace(&mut **inner, Model::None)
            }
            (Self::Mark(fewer), Model::Marked(bits, _)) => {
                *bits = fewer;
                return true;
            }
            (Self::Head(plainer), Model::Node(head, _)) => {
                *head = plainer;
                return true;
            }
            (Self::Drop(range), Model::Node(_, items)) => {
                let fits = range.end <= items.len();
                items.drain(range.start.min(items.len())..range.end.min(items.len()));
                return fits;
            }
            (Self::Hoist(i), Model::Node(_, items)) if i < items.len() => items.swap_remove(i).0,
            (Self::Copies(i, n), Model::Node(_, items)) => {
                let Some((_, copies)) = items.get_mut(i) else { return false };
                *copies = n;
                return true;
            }
            (Self::Splice(i), Model::Node(_, items)) => {
                let Some((Model::Node(_, inner), copies)) = items.get(i).cloned() else {
                    return false;
                };
                items.splice(i..=i, vec![inner; copies].concat());
                return true;
            }
            (Self::Merge(i), Model::Node(_, items)) => {
                let Some([first, second]) = items.get(i..).and_then(|rest| rest.first_chunk())
                else {
                    return false;
                };
                let (Model::Node(..), Model::Node(..)) = (&first.0, &second.0) else {
                    return false;
                };
                let smaller = if second.0.nodes() < first.0.nodes() { second } else { first };
                let merged = (smaller.0.clone(), first.1 + second.1);
                items.splice(i..i + 2, [merged]);
                return true;
            }
            _ => return false,
        };
        *here = new;
        true
    }
}
