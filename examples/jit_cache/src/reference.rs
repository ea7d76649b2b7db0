//! The steps in plain Rust, written without a look at the compiled ones.

use crate::optimizer::Optimizer;

/// One step over arrays that were flattened: the leaves of the state, and the gradients.
pub fn step(optimizer: &Optimizer, state: &mut [Vec<f32>], gradients: &[Vec<f32>]) {
    let (params, moments) = state.split_at_mut(gradients.len());
    match *optimizer {
        Optimizer::Sgd { rate } => {
            for (params, gradients) in params.iter_mut().zip(gradients) {
                for (p, g) in params.iter_mut().zip(gradients) {
                    *p -= rate * g;
                }
            }
        }
        Optimizer::Momentum { rate, decay } => {
            for ((params, velocity), gradients) in params.iter_mut().zip(moments).zip(gradients) {
                for ((p, v), g) in params.iter_mut().zip(velocity).zip(gradients) {
                    *v = decay * *v + g;
                    *p -= rate * *v;
                }
            }
        }
        Optimizer::Adam { rate, beta1, beta2, epsilon } => {
            let (mean, rest) = moments.split_at_mut(gradients.len());
            let (square, steps) = rest.split_at_mut(gradients.len());
            steps[0][0] += 1.0;
            let correction1 = 1.0 - power(beta1, steps[0][0] as u32);
            let correction2 = 1.0 - power(beta2, steps[0][0] as u32);
            for (array, params) in params.iter_mut().enumerate() {
                for (i, p) in params.iter_mut().enumerate() {
                    let (m, v) = (&mut mean[array][i], &mut square[array][i]);
                    let g = gradients[array][i];
                    *m = beta1 * *m + (1.0 - beta1) * g;
                    *v = beta2 * *v + (1.0 - beta2) * (g * g);
                    let (m, v) = (*m / correction1, *v / correction2);
                    *p -= rate * m / (v.sqrt() + epsilon);
                }
            }
        }
    }
}

/// A power by squaring. `f32::powi` may round otherwise on another machine.
fn power(mut base: f32, mut exponent: u32) -> f32 {
    let mut result = 1.0;
    while exponent != 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}
