//! Compiled code computes what plain Rust computes, bit for bit.

use treedef::cache::CacheStats;

use super::{arrays, jit, step, with_moment, with_two_moments};
use crate::calls::{Arguments, Caller, Jit, Typed};
use crate::cases;
use crate::check::compare;
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

fn assert_equal(jit: &mut Jit, arguments: &dyn Arguments, optimizer: &Optimizer, steps: usize) {
    let found = compare(jit, arguments, optimizer, steps).expect("it compiles");
    assert!(found.elements > 0);
    assert_eq!((found.unequal, found.max_error), (0, 0.0), "{optimizer:?}");
}

#[test]
fn every_case_equals_plain_rust_bit_for_bit() {
    let mut jit = jit();
    for case in cases::all() {
        assert_equal(&mut jit, &*case.arguments, &case.optimizer, 20);
    }
    assert_eq!(jit.compiled(), 5);
}

#[test]
fn every_optimizer_equals_plain_rust_with_every_number() {
    let mut jit = jit();
    let numbers = [0.0, -0.0, 1.0, 0.1, -2.5, 1e-30];
    for rate in numbers {
        assert_equal(&mut jit, &Typed(arrays(1, 13)), &Optimizer::Sgd { rate }, 3);
        for decay in numbers {
            let momentum = Optimizer::Momentum { rate, decay };
            assert_equal(&mut jit, &Typed(with_moment()), &momentum, 3);
            let adam =
                Optimizer::Adam { rate, beta1: 0.9, beta2: decay.abs() / 4.0, epsilon: 1e-3 };
            assert_equal(&mut jit, &Typed(with_two_moments()), &adam, 3);
        }
    }
    let keys = numbers.len() * (1 + 2 * numbers.len());
    // Adam sees 0 and -0 as one number here, as it gets their absolute value.
    assert_eq!(jit.compiled(), keys - numbers.len());
}

#[test]
fn adam_counts_steps() {
    let arguments = Typed(with_two_moments());
    let (mut jit, mut caller) = (jit(), Caller::default());
    for _ in 0..300 {
        step(&mut jit, &mut caller, &arguments, &Optimizer::ADAM).expect("it compiles");
    }
    assert_eq!(arguments.0.0.step.to_vec(), [300.0]);
    assert_eq!(jit.stats(), CacheStats { hits: 299, misses: 1, evictions: 0 });
}

#[test]
fn one_tensor_may_stand_in_two_places() {
    let [state, gradient] = [1.0, 0.25].map(|number| Tensor::from_fn(&[6], |_| number));
    let tied = Typed(((&state, &state), (&gradient, &gradient)));
    let mut jit = jit();
    step(&mut jit, &mut Caller::default(), &tied, &Optimizer::Sgd { rate: 1.0 }).expect("it runs");
    assert_eq!(state.to_vec(), [0.5; 6]);
}
