//! Adam over any tree: with clipping by the global norm, a rate for each layer, frozen leaves and a moving average.
//!
//! `cargo run --release --example optimiser`: a small network learns `sin(3 x)`. The optimiser knows nothing of it. At the
//! end of the file its steps are written out for this network, and both give the same bits.

use core::array::from_fn;
use treedef::tree::{MapTree, ZipPrefix};
use treedef::{Error, Tree, map, over};

/// The state of the optimiser: trees of the structure of the parameters.
struct Adam<P> {
    mean: P,
    square: P,
    /// A moving average of the parameters, which is used after training.
    average: P,
    steps: i32,
}

impl<P: Tree<f32> + MapTree<f32, f32, Output = P> + Clone> Adam<P> {
    fn new(params: &P) -> Result<Self, Error> {
        let zeros = map(params, |_| 0.0)?;
        Ok(Self { mean: zeros.clone(), square: zeros, average: params.clone(), steps: 0 })
    }

    /// One step with the gradient `g`. `rates` is a prefix of the parameters `p`; `trained` has their structure.
    fn step<R, M>(&mut self, p: &mut P, g: &mut P, rates: &R, trained: &M) -> Result<(), Error>
    where
        R: ZipPrefix<f32, f32, P>,
        M: ZipPrefix<bool, f32, P>,
    {
        over(&mut *g).with(trained).for_each(|(g, t)| *g *= f32::from(*t))?;
        let clip = 1.0 / over(&*g).fold(0.0, |sum, g| sum + g * g)?.sqrt().max(1.0);
        self.steps += 1;
        let rest = [0.9f32, 0.999].map(|decay| 1.0 - decay.powi(self.steps));
        over((&mut *p, &*g, &mut self.mean, &mut self.square))
            .under(rates)
            .for_each(|((p, g, m, v), rate)| adam([p, m, v], g * clip, *rate, rest))?;
        over((&mut self.average, &*p)).for_each(|(a, p)| *a += 0.02 * (p - *a))
    }
}

fn adam([p, m, v]: [&mut f32; 3], g: f32, rate: f32, rest: [f32; 2]) {
    *m += 0.1 * (g - *m);
    *v += 0.001 * (g * g - *v);
    *p -= rate * (*m / rest[0]) / ((*v / rest[1]).sqrt() + 1e-8);
}

/// A network of three layers. `Network<f32, f32, f32>` has a rate for each layer.
#[derive(Clone, Debug, PartialEq, Tree)]
struct Network<A, B, C> {
    first: A,
    second: B,
    output: C,
}

/// A layer. `Linear<bool, ..>` has a flag for each leaf.
#[derive(Clone, Debug, PartialEq, Tree)]
struct Linear<T, const IN: usize, const OUT: usize> {
    weight: [[T; IN]; OUT],
    bias: [T; OUT],
}

type Params = Network<Linear<f32, 1, 16>, Linear<f32, 16, 16>, Linear<f32, 16, 1>>;

impl<const IN: usize, const OUT: usize> Linear<f32, IN, OUT> {
    /// Weights that look random, from a linear congruential generator.
    fn new(mut seed: u32) -> Self {
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((seed >> 8) as f32 / (1 << 23) as f32 - 1.0) * (3.0 / IN as f32).sqrt()
        };
        Self { weight: [(); OUT].map(|()| [(); IN].map(|()| next())), bias: [0.0; OUT] }
    }

    fn forward(&self, x: &[f32; IN]) -> [f32; OUT] {
        from_fn(|i| (0..IN).fold(self.bias[i], |sum, j| sum + self.weight[i][j] * x[j]).tanh())
    }

    /// Adds to `sum` the gradient of this layer, whose output `y` has the gradient `dy`. Returns that of the input `x`.
    fn backward(&self, sum: &mut Self, x: [f32; IN], y: [f32; OUT], dy: [f32; OUT]) -> [f32; IN] {
        let d: [f32; OUT] = from_fn(|i| dy[i] * (1.0 - y[i] * y[i]));
        for (i, d) in d.iter().enumerate() {
            sum.bias[i] += d;
            (0..IN).for_each(|j| sum.weight[i][j] += d * x[j]);
        }
        from_fn(|j| (0..OUT).map(|i| d[i] * self.weight[i][j]).sum())
    }
}

/// The mean squared error over 32 points, and its gradient.
fn loss(net: &Params) -> Result<(f32, Params), Error> {
    let (mut sum, mut gradient) = (0.0, map(net, |_| 0.0)?);
    for i in 0..32 {
        let x = [i as f32 / 16.0 - 1.0];
        let a = net.first.forward(&x);
        let b = net.second.forward(&a);
        let y = net.output.forward(&b);
        let error = y[0] - (3.0 * x[0]).sin();
        sum += error * error / 32.0;
        let d = net.output.backward(&mut gradient.output, b, y, [error / 16.0]);
        let d = net.second.backward(&mut gradient.second, a, b, d);
        net.first.backward(&mut gradient.first, x, a, d);
    }
    Ok((sum, gradient))
}

fn main() -> Result<(), Error> {
    let start = Network { first: Linear::new(1), second: Linear::new(2), output: Linear::new(3) };
    let rates = Network { first: 0.01, second: 0.01, output: 0.003 };
    let mut trained = map(&start, |_| true)?;
    trained.first.weight[0] = [false];
    let (mut params, mut adam) = (start.clone(), Adam::new(&start)?);
    let (mut by_hand, mut hand) = (start.clone(), Adam::new(&start)?);
    for step in 0..1000 {
        let (error, mut gradient) = loss(&params)?;
        (step % 200 == 0).then(|| println!("step {step:4}: loss {error:.5}"));
        adam.step(&mut params, &mut gradient, &rates, &trained)?;
        let (_, gradient) = loss(&by_hand)?;
        step_by_hand(&mut by_hand, gradient, &mut hand);
    }
    let (error, _) = loss(&adam.average)?;
    println!("average  : loss {error:.5}");
    assert!(error < 1e-3);
    assert_eq!(params.first.weight[0], start.first.weight[0]);
    assert_eq!((params, adam.average), (by_hand, hand.average));
    Ok(())
}

/// What [`Adam::step`] does, for this network alone.
fn step_by_hand(params: &mut Params, mut gradient: Params, state: &mut Adam<Params>) {
    gradient.first.weight[0] = [0.0];
    let clip = 1.0 / leaves(&mut gradient).fold(0.0, |sum, g| sum + *g * *g).sqrt().max(1.0);
    state.steps += 1;
    let rest = [0.9f32, 0.999].map(|decay| 1.0 - decay.powi(state.steps));
    let moments = leaves(&mut state.mean).zip(leaves(&mut state.square));
    let others = leaves(&mut gradient).zip(moments).zip(leaves(&mut state.average));
    for (i, (p, ((g, (m, v)), a))) in leaves(params).zip(others).enumerate() {
        // The first two layers have 32 and 272 leaves.
        adam([p, m, v], *g * clip, if i < 304 { 0.01 } else { 0.003 }, rest);
        *a += 0.02 * (*p - *a);
    }
}

fn leaves(net: &mut Params) -> impl Iterator<Item = &mut f32> {
    let Network { first, second, output } = net;
    let first = first.weight.iter_mut().flatten().chain(&mut first.bias);
    let second = second.weight.iter_mut().flatten().chain(&mut second.bias);
    first.chain(second).chain(output.weight.iter_mut().flatten()).chain(&mut output.bias)
}
