//! What cannot be compiled or run says why, and loses nothing.

use treedef::cache::{CacheStats, KeyWriter};
use treedef::{CallKey, Error, treedef};

use super::{jit, key_of_shapes, step};
use crate::calls::{Arguments, Caller, ROOM, Typed};
use crate::cases::{MOMENTUM, SGD, layers};
use crate::error::CallError;
use crate::jit::{Compiler, Table};
use crate::models::pairs;
use crate::optimizer::Optimizer;
use crate::tensor::Tensor;

/// Arguments that cannot be compiled, and what is said of them.
fn failures() -> Vec<(Box<dyn Arguments>, Optimizer, &'static str)> {
    let zeros = || Tensor::zeros(&[3]);
    let list = |length| (0..length).map(|_| zeros()).collect::<Vec<_>>();
    vec![
        (
            Box::new(Typed((zeros(), Tensor::int_zeros(&[3])))),
            SGD,
            "cannot compile for PyTreeDef((*, *)): [1] is int32[3], and kernels are of float32",
        ),
        (
            Box::new(Typed((zeros(), Tensor::zeros(&[4])))),
            SGD,
            "cannot compile for PyTreeDef((*, *)): [1] has 4 elements, not 3",
        ),
        (
            Box::new(Typed((list(2), list(3)))),
            SGD,
            "cannot compile for PyTreeDef(([*, *], [*, *, *])): the structure of the gradients is not that of the parameters: \
             1 difference; expected 2 leaves, found 3:\n  at the root: expected a list of 2, found a list of 3",
        ),
        (
            Box::new(Typed(((list(2), list(1)), list(2)))),
            MOMENTUM,
            "cannot compile for PyTreeDef((([*, *], [*]), [*, *])): the structure of the first moments is not that of the parameters: \
             1 difference; expected 2 leaves, found 1:\n  at the root: expected a list of 2, found a list of 1",
        ),
        (
            Box::new(Typed((list(2), list(2)))),
            MOMENTUM,
            "cannot compile for PyTreeDef(([*, *], [*, *])): the state is no tuple or struct of 2",
        ),
        (
            Box::new(Typed(((zeros(), zeros(), zeros(), (zeros(),)), zeros()))),
            Optimizer::ADAM,
            "cannot compile for PyTreeDef(((*, *, *, (*,)), *)): the number of steps is no leaf",
        ),
        (
            Box::new(Typed(((zeros(), zeros(), zeros(), zeros()), zeros()))),
            Optimizer::ADAM,
            "cannot compile for PyTreeDef(((*, *, *, *), *)): [0][3] has 3 elements, not 1",
        ),
        (
            Box::new(Typed([zeros(), zeros(), zeros()])),
            SGD,
            "cannot compile for PyTreeDef([*, *, *]): the arguments are not a pair of state and gradients",
        ),
    ]
}

#[test]
fn a_failure_says_what_is_wrong_and_loses_nothing() {
    let (mut jit, mut caller) = (jit(), Caller::default());
    let good = layers(3);
    step(&mut jit, &mut caller, &*good, &MOMENTUM).expect("it compiles");
    for (arguments, optimizer, text) in failures() {
        // Twice: that it failed is not kept either.
        for _ in 0..2 {
            let (known, before) = (jit.compiled(), jit.stats());
            let error = step(&mut jit, &mut caller, &*arguments, &optimizer).expect_err(text);
            assert_eq!(error.to_string(), text);
            let after = CacheStats { misses: before.misses + 1, ..before };
            assert_eq!((jit.compiled(), jit.stats()), (known, after));
        }
        // What was compiled is still there, and the compiler goes on.
        let hits = jit.stats().hits;
        step(&mut jit, &mut caller, &*good, &MOMENTUM).expect("it is there");
        assert_eq!(jit.stats().hits, hits + 1);
    }
}

#[test]
fn keys_that_are_no_calls_are_refused() {
    let mut compiler = Compiler::new().expect("a compiler for this machine");
    let mut refuse = |key: CallKey<'_>| match compiler.compile(key, |_, _| ()) {
        Err(CallError::Unsupported { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let pair = treedef!((*, *));
    assert_eq!(refuse(CallKey::of(pair)), "a key without an array for each leaf");
    let mut bytes = [0; 32];
    let mut key = KeyWriter::new(&mut bytes);
    key.leaves([Tensor::zeros(&[1])]).treedef(pair);
    assert_eq!(refuse(key.finish().expect("room")), "a key without a structure");
    let mut bytes = [0; 32];
    let mut key = KeyWriter::new(&mut bytes);
    key.treedef(pair).leaves([Tensor::zeros(&[1]), Tensor::zeros(&[1])]).meta(&0.1f32);
    assert_eq!(refuse(key.finish().expect("room")), "a key without an optimiser");
}

#[test]
fn a_key_that_does_not_fit_is_an_error() {
    let arguments = Typed((pairs(500, 1, &mut Tensor::zeros), pairs(500, 1, &mut Tensor::zeros)));
    let (mut jit, mut leaves) = (jit(), [None; 2000]);
    let error = Caller::default().step(&mut jit, &arguments, &mut leaves, &SGD);
    let Err(CallError::Tree(Error::CallKeyFull { needed, room })) = error else {
        panic!("{error:?}")
    };
    assert!(needed > room && room <= ROOM, "{needed} in {room}");
    assert_eq!(jit.compiled(), 0);
}

#[test]
fn a_kernel_refuses_other_arrays() {
    let pair = key_of_shapes(treedef!((*, *)), &[&[3], &[3]], &SGD);
    let kernel = jit().find(pair).expect("it compiles");
    let run = |leaves: &[Tensor]| match kernel.run(leaves, &mut Table::default()) {
        Ok(()) => None,
        Err(CallError::WrongArray { leaf, expected, found }) => Some((leaf, expected, found)),
        Err(other) => panic!("{other}"),
    };
    let zeros = |length: usize| Tensor::zeros(&[length]);
    // The compiler that made it is gone; its code is not.
    assert_eq!(run(&[zeros(3), zeros(3)]), None);
    assert_eq!(run(&[zeros(3), zeros(4)]), Some((1, Some(3), Some(4))));
    assert_eq!(run(&[zeros(3), zeros(0)]), Some((1, Some(3), Some(0))));
    assert_eq!(run(&[zeros(3)]), Some((1, Some(3), None)));
    assert_eq!(run(&[zeros(3), zeros(3), zeros(3)]), Some((2, None, Some(3))));
    assert_eq!(run(&[zeros(3), Tensor::int_zeros(&[3])]), Some((1, Some(3), None)));
}
