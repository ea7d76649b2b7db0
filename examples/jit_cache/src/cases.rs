//! The calls of the story: arguments of five structures, each with an optimiser.

use crate::calls::{Arguments, Typed};
use crate::models::{Activation, Fill, Gpt2, TrainState, Value, mlp, motor, pairs};
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

/// A call that is made many times.
pub struct Case {
    /// What it is, for people.
    pub name: &'static str,
    /// The arguments.
    pub arguments: Box<dyn Arguments>,
    /// The static argument.
    pub optimizer: Optimizer,
}

/// Leaves of the largest arguments, and some.
pub const MOST_LEAVES: usize = 640;

/// Plain descent.
pub const SGD: Optimizer = Optimizer::Sgd { rate: 0.1 };

/// Descent with momentum.
pub const MOMENTUM: Optimizer = Optimizer::Momentum { rate: 0.01, decay: 0.9 };

/// The five of them.
pub fn all() -> Vec<Case> {
    let case = |name, arguments, optimizer| Case { name, arguments, optimizer };
    vec![
        case("motor: nested tuples", controller(3), SGD),
        case("layers: list of pairs", layers(3), MOMENTUM),
        case("MLP: derived struct", perceptron(Activation::Relu), MOMENTUM),
        case("train state of an MLP", train_state(), Optimizer::ADAM),
        case("GPT-2 small: dictionary", gpt2(Gpt2::SMALL), Optimizer::ADAM),
    ]
}

/// A controller with a table of so many phases.
pub fn controller(phases: usize) -> Box<dyn Arguments> {
    let mut random = random();
    Box::new(Typed((motor(phases, &mut random), motor(phases, &mut random))))
}

/// A list of so many layers.
pub fn layers(layers: usize) -> Box<dyn Arguments> {
    let mut random = random();
    let tree = |fill: Fill<'_>| pairs(layers, 24, fill);
    Box::new(Typed(((tree(&mut random), tree(&mut Tensor::zeros)), tree(&mut random))))
}

/// A perceptron.
pub fn perceptron(activation: Activation) -> Box<dyn Arguments> {
    let mut random = random();
    let tree = |fill: Fill<'_>| mlp(&[17, 64, 64, 6], activation, fill);
    Box::new(Typed(((tree(&mut random), tree(&mut Tensor::zeros)), tree(&mut random))))
}

/// A perceptron with what Adam keeps.
pub fn train_state() -> Box<dyn Arguments> {
    let mut random = random();
    let tree = |fill: Fill<'_>| mlp(&[17, 64, 64, 6], Activation::Tanh, fill);
    let state = TrainState {
        params: tree(&mut random),
        mu: tree(&mut Tensor::zeros),
        nu: tree(&mut Tensor::zeros),
        step: Tensor::zeros(&[]),
    };
    Box::new(Typed((state, tree(&mut random))))
}

/// A GPT-2 with what Adam keeps.
pub fn gpt2(model: Gpt2) -> Box<dyn Arguments> {
    let mut random = random();
    let state = Value::Tuple(vec![
        model.params(&mut random),
        model.params(&mut Tensor::zeros),
        model.params(&mut Tensor::zeros),
        Value::Leaf(Tensor::zeros(&[])),
    ]);
    Box::new(Value::Tuple(vec![state, model.params(&mut random)]))
}

/// Makes tensors of numbers in -1..1 that are the same in every run.
pub fn random() -> impl FnMut(&[usize]) -> Tensor {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |shape| {
        Tensor::from_fn(shape, |_| {
            // xorshift64
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
    }
}
