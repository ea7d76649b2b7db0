//! Hits in a table of values of a known type, which are found by their choices.

use std::collections::BTreeMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::hint::black_box;
use std::rc::Rc;

use super::maps::names;
use hashbrown::HashMap;
use treedef::cache::{
    ByFingerprint, Dtype, FingerprintState, KeyBox, KeyLeaves, KeyPart, KeyWriter, Known, KnownRef,
};
use treedef::tree::TreeWalk;
use treedef::{CallKey, Error, Tree};

use super::vectors::{rules, unlike_layers};
use super::{Row, each, row};

/// An array of a program's own: its shape and the type of its elements.
struct Array {
    dtype: Dtype,
    shape: Vec<usize>,
}

treedef::leaf!(Array);

impl KeyPart for Array {
    fn write_key(&self, key: &mut KeyWriter<'_>) {
        key.array(self.dtype, false, &self.shape);
    }
}

fn array(shape: &[usize]) -> Array {
    Array { dtype: Dtype::Float32, shape: shape.to_vec() }
}

#[derive(Tree)]
struct Affine {
    bias: Array,
    kernel: Array,
}

#[derive(Tree)]
struct Norm {
    bias: Array,
    scale: Array,
}

#[derive(Tree)]
struct Block {
    attn: (Affine, Affine),
    ln_1: Norm,
    ln_2: Norm,
    mlp: (Affine, Affine),
}

#[derive(Tree)]
struct Gpt {
    h: Vec<Block>,
    ln_f: Norm,
    wpe: Array,
    wte: Array,
}

/// The parameters of GPT-2 small: 148 arrays.
fn gpt2() -> Gpt {
    let norm = || Norm { bias: array(&[768]), scale: array(&[768]) };
    let affine = |from, to| Affine { bias: array(&[to]), kernel: array(&[from, to]) };
    let block = |_| Block {
        attn: (affine(768, 2304), affine(768, 768)),
        ln_1: norm(),
        ln_2: norm(),
        mlp: (affine(768, 3072), affine(3072, 768)),
    };
    let (wpe, wte) = (array(&[1024, 768]), array(&[50_257, 768]));
    Gpt { h: (0..12).map(block).collect(), ln_f: norm(), wpe, wte }
}

/// A table with 8 calls of this type, with the value at the end.
fn table<T: TreeWalk<KeyLeaves>, const R: usize>(tree: &T) -> Known<T, u32, 8, R> {
    let mut table = Known::new();
    let stored = table.get_or_insert_with_bytes(tree, &mut [0; 16_384], |_| Ok::<_, Error>(1));
    assert_eq!(stored, Ok(&mut 1));
    assert!(table.get(tree).is_some());
    table
}

/// A hit, whose promise is a number of instructions for each of `count`.
fn hit<T: TreeWalk<KeyLeaves> + 'static>(
    name: &'static str,
    promise: f64,
    count: usize,
    tree: T,
) -> Row {
    let mut table = table::<T, 512>(&tree);
    each(name, promise, count, move || {
        black_box(table.get(black_box(&tree)).is_some());
    })
}

pub(super) fn rows() -> Vec<Row> {
    let many = || unlike_layers().into_iter().cycle().take(299).collect::<Vec<_>>();
    let (streamed, gpt2) = (many(), Rc::new(gpt2()));
    let (gpt2_too, mut bytes) = (Rc::clone(&gpt2), vec![0; 16_384]);
    let call = CallKey::of_tree(&*gpt2, &mut bytes).expect("room for the key");
    let calls: HashMap<ByFingerprint<KeyBox>, u32, FingerprintState> =
        [((&ByFingerprint::from(call)).into(), 1)].into_iter().collect();
    let in_order = names().into_iter().map(|name| (name, 0.5)).collect::<BTreeMap<_, f32>>();
    // Its order is the same in each run.
    let hashed: HashMap<_, _, BuildHasherDefault<DefaultHasher>> =
        in_order.clone().into_iter().collect();
    let mut table_in_order = table::<_, 2048>(&in_order);
    let mut table_of_hashed = table::<_, 2048>(&hashed);
    let key = KnownRef::new(&streamed).to_key().expect("a value that is not too deep");
    let map: HashMap<_, _, FingerprintState> = [(key, 1)].into_iter().collect();
    let mut table_of_arrays = table::<_, 2048>(&*gpt2);
    vec![
        hit("known: hit of rules", 900.0, 1, rules()),
        hit("known: hit of options", 1150.0, 1, unlike_layers()),
        hit("known: hit of 300 choices, a choice", 18.0, 300, many()),
        each("known: hit of 300 choices in a map, a choice", 22.0, 300, move || {
            black_box(map.get(&KnownRef::new(black_box(&streamed))).is_some());
        }),
        row(
            "known: hit of GPT-2 small, of one by `CallKey::of_tree`",
            0.9,
            move || {
                let key = CallKey::of_tree(black_box(&*gpt2), black_box(&mut bytes));
                black_box(key.is_ok_and(|key| calls.get(&ByFingerprint::from(key)).is_some()));
            },
            move || {
                black_box(table_of_arrays.get(black_box(&*gpt2_too)).is_some());
            },
        ),
        row(
            "known: hit of a hash map of 60, of one of a map in order",
            2.0,
            move || {
                black_box(table_in_order.get(black_box(&in_order)).is_some());
            },
            move || {
                black_box(table_of_hashed.get(black_box(&hashed)).is_some());
            },
        ),
    ]
}
