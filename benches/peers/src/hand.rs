//! What one writes without a crate: an enum of structures with derived `Hash` and `Eq`, and a `std` `HashMap`.

use std::collections::HashMap;
use std::hint::black_box;

use treedef::leaves_into;
use treedef::tree::TreeRead;

use crate::value::{self, Value};
use crate::{Call, plain};

/// The structure of a value of maps. It borrows the keys.
#[derive(PartialEq, Eq, Hash)]
enum Structure<'v> {
    Leaf,
    List(Vec<Structure<'v>>),
    Dict(Vec<(&'v str, Structure<'v>)>),
}

/// Writes the leaves to the front of `leaves` and makes the structure.
fn flatten<'v>(value: &'v Value, leaves: &mut std::slice::IterMut<'_, f32>) -> Structure<'v> {
    match value {
        Value::Leaf(leaf) => {
            *leaves.next().expect("room") = *leaf;
            Structure::Leaf
        }
        Value::List(children) => {
            Structure::List(children.iter().map(|child| flatten(child, leaves)).collect())
        }
        Value::Dict(map) => {
            let entry = |(key, child)| (String::as_str(key), flatten(child, leaves));
            Structure::Dict(map.iter().map(entry).collect())
        }
    }
}

fn look_up(values: Vec<Value>) -> Call {
    let values: &'static [Value] = values.leak();
    let mut leaves = vec![0.0; 1741];
    let keys = values.iter().map(|value| flatten(value, &mut leaves.iter_mut()));
    let cache: HashMap<_, _> = keys.zip(0usize..).collect();
    Box::new(move || {
        for (index, value) in black_box(values).iter().enumerate() {
            let key = flatten(value, &mut black_box(&mut leaves).iter_mut());
            assert_eq!(cache.get(&key), Some(&index));
        }
    })
}

pub(crate) fn gpt() -> Call {
    look_up(vec![value::gpt(12)])
}

pub(crate) fn state_maps() -> Call {
    look_up(vec![value::state()])
}

pub(crate) fn renamed() -> Call {
    look_up(value::renamed())
}

/// The structure of a type, a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fixed {
    Leaf,
    Tuple(&'static [Fixed]),
    Array(usize, &'static Fixed),
    Struct(&'static str, &'static [(&'static str, Fixed)]),
}

use Fixed::{Array, Leaf, Struct, Tuple};

const PID: Fixed = Struct("Pid", &[("kp", Leaf), ("ki", Leaf), ("kd", Leaf)]);
const LIMITS: Fixed = Struct("Limits", &[("current", Leaf), ("speed", Leaf)]);
const MOTOR: Fixed = Struct(
    "Motor",
    &[
        ("speed", PID),
        ("current", PID),
        ("limits", LIMITS),
        ("pole_pairs", Leaf),
        ("dt", Leaf),
        ("phase", Tuple(&[Leaf, Leaf])),
    ],
);
const AFFINE: Fixed = Struct("Affine", &[("b", Leaf), ("w", Leaf)]);
const NORM: Fixed = Struct("Norm", &[("b", Leaf), ("g", Leaf)]);
const PAIR: Fixed = Tuple(&[AFFINE, AFFINE]);
const BLOCK: Fixed =
    Struct("Block", &[("attn", PAIR), ("ln_1", NORM), ("ln_2", NORM), ("mlp", PAIR)]);
const GPT: Fixed =
    Struct("Gpt", &[("h", Array(48, &BLOCK)), ("ln_f", NORM), ("wpe", Leaf), ("wte", Leaf)]);
const STATE: Fixed = Struct("State", &[("step", Leaf), ("params", GPT), ("mu", GPT), ("nu", GPT)]);

/// Copies the leaves, as fast as field by field, and looks up a constant.
fn typed<T: TreeRead<f32> + 'static>(tree: T, key: Fixed) -> Call {
    let cache = HashMap::from([(key, 7)]);
    let mut leaves = vec![0.0f32; 1741];
    Box::new(move || {
        let count = leaves_into(black_box(&tree), black_box(&mut leaves));
        assert!(count.is_ok());
        assert_eq!(black_box(&cache).get(black_box(&key)), Some(&7));
    })
}

pub(crate) fn motor() -> Call {
    typed(plain::Motor::default(), MOTOR)
}

pub(crate) fn state() -> Call {
    typed(plain::State::default(), STATE)
}
