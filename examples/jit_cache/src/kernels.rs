//! The intermediate code: what a step does to one element, without a word about structures.

use crate::optimizer::Optimizer;

/// One operand of an elementwise step: an array for each array of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What is learned.
    Parameter,
    /// The first array that the optimiser remembers: the momentum, or the mean of gradients.
    First,
    /// The second one: the mean of squares.
    Second,
    /// The gradient of the loss.
    Gradient,
}

impl Role {
    /// All of them, each at its own number; a state holds them in this order, and the gradients stand behind it.
    pub const ALL: [Self; 4] = [Self::Parameter, Self::First, Self::Second, Self::Gradient];
}

/// The result of an operation, by its position among those of [`Program::once`] and then [`Program::each`].
pub type Register = usize;

/// An operation on floats, rounded as Rust rounds: nothing is fused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A number.
    Constant(f32),
    /// The number of steps so far; only in [`Program::once`].
    Step,
    /// Keeps the number of steps; only in [`Program::once`].
    SetStep(Register),
    /// A number to the power of a whole one, by squaring; only in [`Program::once`].
    Power(Register, Register),
    /// The element of an operand; only in [`Program::each`].
    Load(Role),
    /// Writes it; only in [`Program::each`].
    Store(Role, Register),
    /// The sum.
    Add(Register, Register),
    /// The difference.
    Sub(Register, Register),
    /// The product.
    Mul(Register, Register),
    /// The quotient.
    Div(Register, Register),
    /// The square root.
    Sqrt(Register),
}

/// The code of a step.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What is done once for a call.
    pub once: Vec<Op>,
    /// What is done for each element.
    pub each: Vec<Op>,
}

impl Program {
    /// The step of an optimiser.
    pub fn of(optimizer: &Optimizer) -> Self {
        let mut program = Self::default();
        match *optimizer {
            Optimizer::Sgd { rate } => program.sgd(rate),
            Optimizer::Momentum { rate, decay } => program.momentum(rate, decay),
            Optimizer::Adam { rate, beta1, beta2, epsilon } => {
                program.adam(rate, [beta1, beta2], epsilon);
            }
        }
        program
    }

    /// Whether an operand is read.
    pub fn loads(&self, role: Role) -> bool {
        self.each.contains(&Op::Load(role))
    }

    /// Whether the number of steps is read.
    pub fn steps(&self) -> bool {
        self.once.contains(&Op::Step)
    }

    /// `p -= rate * g`
    fn sgd(&mut self, rate: f32) {
        let rate = self.constant(rate);
        let gradient = self.each(Op::Load(Role::Gradient));
        let change = self.each(Op::Mul(rate, gradient));
        self.descend(change);
    }

    /// `v = decay * v + g; p -= rate * v`
    fn momentum(&mut self, rate: f32, decay: f32) {
        let (rate, decay) = (self.constant(rate), self.constant(decay));
        let gradient = self.each(Op::Load(Role::Gradient));
        let velocity = self.each(Op::Load(Role::First));
        let kept = self.each(Op::Mul(decay, velocity));
        let velocity = self.each(Op::Add(kept, gradient));
        self.each(Op::Store(Role::First, velocity));
        let change = self.each(Op::Mul(rate, velocity));
        self.descend(change);
    }

    /// `m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * (g * g)`
    /// `p -= rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon)`
    fn adam(&mut self, rate: f32, betas: [f32; 2], epsilon: f32) {
        let (rate, epsilon) = (self.constant(rate), self.constant(epsilon));
        let (one, step) = (self.constant(1.0), self.once(Op::Step));
        let step = self.once(Op::Add(step, one));
        self.once(Op::SetStep(step));
        let [first, second] = betas.map(|beta| {
            let (decay, fresh) = (self.constant(beta), self.constant(1.0 - beta));
            let power = self.once(Op::Power(decay, step));
            (decay, fresh, self.once(Op::Sub(one, power)))
        });
        let gradient = self.each(Op::Load(Role::Gradient));
        let square = self.each(Op::Mul(gradient, gradient));
        let mean = self.running(Role::First, gradient, first);
        let scale = self.running(Role::Second, square, second);
        let root = self.each(Op::Sqrt(scale));
        let below = self.each(Op::Add(root, epsilon));
        let above = self.each(Op::Mul(rate, mean));
        let change = self.each(Op::Div(above, below));
        self.descend(change);
    }

    /// Brings a running mean up to date, and gives it corrected for its start at zero.
    fn running(
        &mut self,
        role: Role,
        value: Register,
        (decay, fresh, correction): (Register, Register, Register),
    ) -> Register {
        let mean = self.each(Op::Load(role));
        let kept = self.each(Op::Mul(decay, mean));
        let added = self.each(Op::Mul(fresh, value));
        let mean = self.each(Op::Add(kept, added));
        self.each(Op::Store(role, mean));
        self.each(Op::Div(mean, correction))
    }

    fn descend(&mut self, change: Register) {
        let parameter = self.each(Op::Load(Role::Parameter));
        let parameter = self.each(Op::Sub(parameter, change));
        self.each(Op::Store(Role::Parameter, parameter));
    }

    fn constant(&mut self, number: f32) -> Register {
        self.once(Op::Constant(number))
    }

    /// Comes before the first [`Program::each`]: registers count on from there.
    fn once(&mut self, op: Op) -> Register {
        self.once.push(op);
        self.once.len() - 1
    }

    fn each(&mut self, op: Op) -> Register {
        self.each.push(op);
        self.once.len() + self.each.len() - 1
    }
}
