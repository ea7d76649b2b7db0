//! The static arguments: which rule, and the numbers that are compiled into the code.

use treedef::format::{FromValue, ToValue};
use treedef::{Meta, Value};

/// A rule by which a step changes parameters.
///
/// Its numbers are constants of the compiled code, so they belong to the key: another learning rate is other code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimizer {
    /// Against the gradient.
    Sgd {
        /// The step size.
        rate: f32,
    },
    /// Against a decaying sum of the gradients.
    Momentum {
        /// The step size.
        rate: f32,
        /// What is left of the sum after a step.
        decay: f32,
    },
    /// Adam, with the corrections of its two running means.
    Adam {
        /// The step size.
        rate: f32,
        /// The decay of the mean of gradients.
        beta1: f32,
        /// The decay of the mean of their squares.
        beta2: f32,
        /// What keeps the division finite.
        epsilon: f32,
    },
}

/// The names of the rules, as they stand in a key.
#[derive(Meta)]
enum Rule {
    Sgd,
    Momentum,
    Adam,
}

impl Optimizer {
    /// Adam with the numbers of its paper.
    pub const ADAM: Self = Self::Adam { rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

    /// The name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sgd { .. } => "SGD",
            Self::Momentum { .. } => "momentum",
            Self::Adam { .. } => "Adam",
        }
    }
}

/// The name of the rule and its numbers, as a tuple.
impl ToValue for Optimizer {
    fn with_value<R>(&self, take: impl FnOnce(Value<'_>) -> R) -> R {
        match *self {
            Self::Sgd { rate } => (Rule::Sgd, rate).with_value(take),
            Self::Momentum { rate, decay } => (Rule::Momentum, rate, decay).with_value(take),
            Self::Adam { rate, beta1, beta2, epsilon } => {
                (Rule::Adam, rate, beta1, beta2, epsilon).with_value(take)
            }
        }
    }
}

impl FromValue for Optimizer {
    fn from_value(value: Value<'_>) -> Option<Self> {
        if let Some((Rule::Sgd, rate)) = FromValue::from_value(value) {
            Some(Self::Sgd { rate })
        } else if let Some((Rule::Momentum, rate, decay)) = FromValue::from_value(value) {
            Some(Self::Momentum { rate, decay })
        } else if let Some((Rule::Adam, rate, beta1, beta2, epsilon)) = FromValue::from_value(value)
        {
            Some(Self::Adam { rate, beta1, beta2, epsilon })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optimizer_is_read_back_from_its_value() {
        let momentum = Optimizer::Momentum { rate: 0.1, decay: -0.0 };
        for optimizer in [Optimizer::Sgd { rate: 0.1 }, momentum, Optimizer::ADAM] {
            assert_eq!(optimizer.with_value(Optimizer::from_value), Some(optimizer));
        }
        assert_eq!(Optimizer::from_value(Value::Float32(0.1)), None);
    }
}
