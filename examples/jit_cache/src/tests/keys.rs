//! Keys tell apart what needs other code, and say what changed.

use std::collections::HashSet;
use std::rc::Rc;

use treedef::cache::CacheStats;
use treedef::format::ToValue;
use treedef::{CallKey, structure_into, treedef};

use super::{jit, key_of, key_of_shapes, with_moment, with_two_moments};
use crate::calls::{ROOM, Typed};
use crate::cases::{self, MOMENTUM, MOST_LEAVES, SGD, layers};
use crate::explain::{explain, nearest};
use crate::models::{Activation, Gpt2, mlp, pairs};
use crate::optimizer::Optimizer;
use crate::site::Site;
use crate::tensor::Tensor;

/// Everything that the code depends on makes another key, and each of them compiles.
#[test]
fn keys_differ_where_code_must() {
    let pair = treedef!((*, *));
    let mut keys = vec![
        // Shapes, also those of equally many elements.
        key_of_shapes(pair, &[&[6], &[6]], &SGD),
        key_of_shapes(pair, &[&[2, 3], &[2, 3]], &SGD),
        key_of_shapes(pair, &[&[3, 2], &[3, 2]], &SGD),
        key_of_shapes(pair, &[&[6, 1], &[6, 1]], &SGD),
        key_of_shapes(pair, &[&[], &[]], &SGD),
        key_of_shapes(pair, &[&[0], &[0]], &SGD),
        // Structures of the same leaves.
        key_of_shapes(treedef!(([*], [*])), &[&[6], &[6]], &SGD),
        key_of_shapes(treedef!(((*), (*))), &[&[7], &[7]], &SGD),
        key_of_shapes(treedef!(({"a": *}, {"a": *})), &[&[6], &[6]], &SGD),
        key_of_shapes(treedef!(({"b": *}, {"b": *})), &[&[6], &[6]], &SGD),
        key_of_shapes(treedef!(([*, *], [*, *])), &[[6].as_slice(); 4], &SGD),
        key_of_shapes(treedef!(([[*], *], [[*], *])), &[[6].as_slice(); 4], &SGD),
        key_of_shapes(treedef!(([*, [*]], [*, [*]])), &[[6].as_slice(); 4], &SGD),
    ];
    // Each number of each optimiser, down to the last bit, and the same numbers of another one.
    let next = |number: f32| f32::from_bits(number.to_bits() + 1);
    let Optimizer::Adam { rate, beta1, beta2, epsilon } = Optimizer::ADAM else { unreachable!() };
    let momentum = |rate, decay| Optimizer::Momentum { rate, decay };
    let adam = |rate, beta1, beta2, epsilon| Optimizer::Adam { rate, beta1, beta2, epsilon };
    let moment = Typed(with_moment());
    let moments = Typed(with_two_moments());
    keys.extend([
        key_of_shapes(pair, &[&[6], &[6]], &Optimizer::Sgd { rate: next(0.1) }),
        key_of_shapes(pair, &[&[6], &[6]], &Optimizer::Sgd { rate: -0.1 }),
        key_of(&moment, &momentum(0.1, 0.9)),
        key_of(&moment, &momentum(next(0.1), 0.9)),
        key_of(&moment, &momentum(0.1, next(0.9))),
        key_of(&moment, &momentum(0.9, 0.1)),
        key_of(&moments, &Optimizer::ADAM),
        key_of(&moments, &adam(next(rate), beta1, beta2, epsilon)),
        key_of(&moments, &adam(rate, next(beta1), beta2, epsilon)),
        key_of(&moments, &adam(rate, beta1, next(beta2), epsilon)),
        key_of(&moments, &adam(rate, beta1, beta2, next(epsilon))),
    ]);
    let distinct: HashSet<_> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());

    let mut jit = jit();
    for key in &keys {
        jit.find(*key).expect("it compiles");
    }
    assert_eq!(jit.compiled(), keys.len());
    for key in &keys {
        jit.find(*key).expect("it is there");
    }
    let all = keys.len();
    assert_eq!(jit.stats(), CacheStats { hits: all, misses: all, evictions: 0 });
}

#[test]
fn the_dtype_and_static_data_are_in_the_key() {
    let floats = Typed((Tensor::zeros(&[3]), Tensor::zeros(&[3])));
    let integers = Typed((Tensor::zeros(&[3]), Tensor::int_zeros(&[3])));
    assert_ne!(key_of(&floats, &SGD), key_of(&integers, &SGD));
    let [relu, tanh] = [Activation::Relu, Activation::Tanh].map(cases::perceptron);
    assert_ne!(key_of(&*relu, &MOMENTUM), key_of(&*tanh, &MOMENTUM));
}

#[test]
fn a_miss_is_explained_by_the_nearest_key() {
    let known = [
        key_of(&*layers(3), &MOMENTUM),
        key_of(&*layers(7), &MOMENTUM),
        key_of(&*cases::controller(3), &SGD),
        key_of(&*cases::perceptron(Activation::Relu), &MOMENTUM),
        // Nearer to a perceptron with another activation by its places, and further by its leaves.
        key_of(&*cases::train_state(), &Optimizer::ADAM),
        key_of(&*cases::gpt2(Gpt2::SMALL), &Optimizer::ADAM),
    ];
    let why = |key: CallKey<'static>| {
        let nearest = nearest(known.iter().copied().chain([key]), key)?;
        Some(explain(nearest, key))
    };
    let slower = Optimizer::Momentum { rate: 0.005, decay: 0.9 };
    assert_eq!(
        why(key_of(&*layers(3), &slower)).as_deref(),
        Some("static argument: ('Momentum', 0.01, 0.9) became ('Momentum', 0.005, 0.9)")
    );
    assert_eq!(
        why(key_of(&*layers(4), &MOMENTUM)).as_deref(),
        Some(
            "structure: 3 differences; expected 18 leaves, found 24:\n  \
             at [0][0]: expected a list of 3, found a list of 4, and the same at 2 more places"
        )
    );
    assert_eq!(
        why(key_of(&*cases::controller(5), &SGD)).as_deref(),
        Some("at [0][2]: float32[3] became float32[5]\nat [1][2]: float32[3] became float32[5]")
    );
    assert_eq!(
        why(key_of(&*cases::perceptron(Activation::Tanh), &MOMENTUM)).as_deref(),
        Some(
            "structure: 3 differences:\n  at [0][0]: expected activation = 'Relu', found activation = 'Tanh', \
             and the same at 2 more places"
        )
    );
    let renamed = Gpt2 { widens: "fc_in", ..Gpt2::SMALL };
    assert_eq!(
        why(key_of(&*cases::gpt2(renamed), &Optimizer::ADAM)).as_deref(),
        Some(
            "structure: 48 differences:\n  at [0][0]['params']['transformer']['h']['0']['mlp']: missing key 'c_fc' \
             and unexpected key 'fc_in', and the same at 47 more places"
        )
    );
    // Nothing known is of this model.
    assert_eq!(why(key_of(&Typed((Tensor::zeros(&[1]), Tensor::zeros(&[1]))), &SGD)), None);
}

#[test]
fn the_structures_are_the_ones_they_are_named_after() {
    let (mut bytes, mut leaves) = ([0; ROOM], [None; MOST_LEAVES]);
    let gpt2 = cases::gpt2(Gpt2::SMALL);
    let (def, _) = gpt2.flatten(&mut bytes, &mut leaves).expect("room");
    let gradients = def.child(1).expect("two arguments");
    assert_eq!(gradients.num_leaves(), 148);
    let kernel = "['params']['transformer']['h']['11']['attn']['c_attn']['kernel']";
    assert!(gradients.find_str(kernel).is_ok());

    let tree = mlp(&[2, 3, 1], Activation::Relu, &mut Tensor::zeros);
    let mut bytes = [0; 256];
    let def = structure_into(&tree, &mut bytes).expect("room");
    assert_eq!((def.num_leaves(), def.find_str(".layers[1].bias").is_ok()), (4, true));
    assert!(Activation::Relu.with_value(|relu| relu == treedef::Value::Str("Relu")));
}

/// A place that knows the type of its arguments finds the code of a place that does not, and code of other shapes is not it.
#[test]
fn a_place_with_a_type_shares_the_code_of_all() {
    let (mut jit, mut site) = (jit(), Site::new());
    let mut random = cases::random();
    let mut pair = |width| (pairs(2, width, &mut random), pairs(2, width, &mut random));
    let (one, other) = (Typed(pair(8)), pair(9));
    let kernel = jit.find(key_of(&one, &SGD)).expect("code");
    for _ in 0..3 {
        let found = site.find(&mut jit, &one.0, &SGD).expect("code");
        assert!(Rc::ptr_eq(found, &kernel));
        let found = site.find(&mut jit, &other, &SGD).expect("code");
        assert!(!Rc::ptr_eq(found, &kernel));
        site.step(&mut jit, &other, &SGD).expect("code");
    }
    let found = site.find(&mut jit, &one.0, &Optimizer::Sgd { rate: 0.25 }).expect("code");
    assert!(!Rc::ptr_eq(found, &kernel));
    assert_eq!((site.counts(), jit.compiled()), ((7, 3), 3));
}
