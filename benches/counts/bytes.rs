//! Bytes from outside, call keys, and what a hit in a cache costs.

use std::hint::black_box;

use hashbrown::HashMap;
use treedef::cache::{ByFingerprint, Dtype, FingerprintState, KeyBox, KeyWriter};
use treedef::dynamic::Flatten;
use treedef::{CallKey, TreeDef, treedef};

use super::objects::{Handle, Value, dict, gpt2_values, unlike_values};
use super::{Row, each, row};

/// The treedef of a value, in leaked memory.
fn def_of(value: &Value) -> TreeDef<'static> {
    let mut leaves = vec![0f32; 2000];
    let flat = Flatten::new().flatten_into(Handle(value), vec![0; 8192].leak(), &mut leaves);
    flat.map_or(TreeDef::LEAF, |(def, _)| def)
}

/// A row of bytes from outside: instructions for each byte.
fn validated(name: &'static str, promise: f64, value: &Value) -> Row {
    let bytes = def_of(value).as_bytes();
    each(name, promise, bytes.len(), move || {
        black_box(TreeDef::from_bytes(black_box(bytes)).is_ok());
    })
}

/// A train state of GPT-2 small: parameters, and an optimiser with two moments.
fn train_state() -> Value {
    let adam = dict([("count", Value::Number(0.0)), ("mu", gpt2_values()), ("nu", gpt2_values())]);
    dict([
        ("opt_state", Value::List(vec![adam])),
        ("params", gpt2_values()),
        ("step", Value::Number(0.0)),
    ])
}

/// 64 dictionaries, each in the one before.
fn deep() -> Value {
    (0..64).fold(Value::Number(0.5), |inner, level| {
        dict([(format!("level {level}"), inner), ("other".into(), Value::Number(0.5))])
    })
}

/// An array of a program's own: its shape and the type of its elements.
struct Array {
    dtype: Dtype,
    shape: Vec<usize>,
}

/// The arrays of GPT-2 small in the order of its leaves.
fn arrays() -> Vec<Array> {
    let shapes: [&[usize]; 12] = [
        &[2304],
        &[768, 2304],
        &[768],
        &[768, 768],
        &[768],
        &[768],
        &[768],
        &[768],
        &[3072],
        &[768, 3072],
        &[768],
        &[3072, 768],
    ];
    let rest: [&[usize]; 4] = [&[768], &[768], &[1024, 768], &[50_257, 768]];
    let array = |shape: &[usize]| Array { dtype: Dtype::Float32, shape: shape.to_vec() };
    (0..12).flat_map(|_| shapes).chain(rest).map(array).collect()
}

/// Writes the bytes of a key: the treedef, then type, rank and sizes of each array.
fn key_by_hand(def: TreeDef<'_>, arrays: &[Array], out: &mut [u8]) -> Option<usize> {
    let def = def.as_bytes();
    out.get_mut(..def.len())?.copy_from_slice(def);
    let mut at = def.len();
    let mut put = |byte: u8| {
        *out.get_mut(at)? = byte;
        at += 1;
        Some(())
    };
    for array in arrays {
        put(0xE2)?;
        put(array.dtype as u8)?;
        put(u8::try_from(array.shape.len()).ok()?)?;
        for size in &array.shape {
            let mut size = *size;
            while size >= 128 {
                put(size as u8 | 128)?;
                size = (size >> 7) - 1;
            }
            put(size as u8)?;
        }
    }
    Some(at)
}

pub(super) fn rows() -> Vec<Row> {
    let def = def_of(&gpt2_values());
    let [a, b] = std::array::from_fn(|_| arrays());
    let (mut out, mut out2) = (vec![0u8; 2048], vec![0u8; 2048]);
    let state = def_of(&train_state());
    let copy = TreeDef::from_bytes(state.as_bytes().to_vec().leak()).unwrap_or(TreeDef::LEAF);
    vec![
        validated("state: validate, a byte", 32.0, &train_state()),
        validated("unlike: validate, a byte", 32.0, &unlike_values()),
        validated("depth 64: validate, a byte", 48.0, &deep()),
        row(
            "treedefs: ==",
            1.1,
            move || {
                black_box(black_box(state.as_bytes()) == black_box(copy.as_bytes()));
            },
            move || {
                black_box(black_box(state) == black_box(copy));
            },
        ),
        row(
            "key of 148 arrays",
            2.0,
            move || {
                black_box(key_by_hand(black_box(def), black_box(&a), &mut out));
            },
            move || {
                let mut key = KeyWriter::new(&mut out2);
                key.treedef(black_box(def));
                for array in black_box(&b) {
                    key.array(array.dtype, false, &array.shape);
                }
                black_box(key.finish().is_ok());
            },
        ),
    ]
}

/// Look-ups in one count.
const LOOK_UPS: usize = 64;

/// Random numbers that are always the same.
fn random(seed: usize) -> u64 {
    (seed as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The keys of a structure of 197 bytes after eight bytes of static data.
fn keys(def: TreeDef<'_>, count: usize) -> Vec<CallKey<'static>> {
    let key = |i| {
        let mut writer = KeyWriter::new(vec![0; def.as_bytes().len() + 10].leak());
        writer.bytes(&random(i).to_le_bytes()).treedef(def);
        writer.finish().expect("room for all")
    };
    (0..count).map(key).collect()
}

/// [`LOOK_UPS`] of them, spread over all.
fn spread<T: Copy>(keys: &[T]) -> Vec<T> {
    (0..LOOK_UPS).map(|i| keys[i * keys.len() / LOOK_UPS]).collect()
}

/// Looks up integers in a map of a thousand.
fn numbers() -> impl FnMut() {
    let map: HashMap<u64, u32> = (0..1000).map(|i| (random(i), 1)).collect();
    let asked = spread(&(0..1000).map(random).collect::<Vec<_>>());
    move || {
        for key in black_box(&asked) {
            black_box(map.get(black_box(key)));
        }
    }
}

/// A cache that grows.
type Map<K> = HashMap<ByFingerprint<K>, u32, FingerprintState>;

/// A cache with these keys.
fn map_of(keys: &[CallKey<'_>]) -> Map<KeyBox> {
    keys.iter().map(|key| ((&ByFingerprint::from(*key)).into(), 1)).collect()
}

/// Hits in a cache of a thousand keys, beside look-ups of integers.
pub(super) fn hits() -> Vec<Row> {
    // A dictionary with one key, whose treedef has 200 bytes.
    let dict = treedef::TreeDefBuf::<256>::dict(&[&"k".repeat(194)], &[TreeDef::LEAF]);
    let bytes = dict.expect("room").as_treedef().as_bytes().to_vec().leak();
    let def = TreeDef::from_bytes(bytes).expect("bytes of a treedef");
    assert_eq!(def.as_bytes().len(), 200);
    let (hashed, known, asked) = {
        let others = keys(treedef!(*), 1000);
        let mut hashed = map_of(&others);
        hashed.insert((&ByFingerprint::from(CallKey::of(def))).into(), 1);
        let keys = keys(def, 1000);
        (hashed, map_of(&keys), spread(&keys))
    };
    const KEY: CallKey<'static> = CallKey::of(treedef!([{"w": *, "b": *}, {"w": *, "b": *}]));
    let constant: Map<CallKey<'_>> =
        keys(treedef!(*), 1000).into_iter().chain([KEY]).map(|key| (key.into(), 1)).collect();
    vec![
        row("cache: hit of a key that is hashed", 5.0, numbers(), move || {
            for _ in 0..LOOK_UPS {
                black_box(hashed.get(&ByFingerprint::from(CallKey::of(black_box(def)))).is_some());
            }
        }),
        row("cache: hit of a key whose hash is known", 3.0, numbers(), move || {
            for key in black_box(&asked) {
                black_box(known.get(&ByFingerprint::from(black_box(*key))).is_some());
            }
        }),
        row("cache: hit of a constant key", 1.1, numbers(), move || {
            for _ in 0..LOOK_UPS {
                black_box(constant.get(&ByFingerprint::from(black_box(KEY))).is_some());
            }
        }),
    ]
}
