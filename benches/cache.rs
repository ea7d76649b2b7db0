//! What a cache hit costs in instructions, under callgrind, as ratios to the look-up of a `u64` in `hashbrown`.
//!
//! `cargo bench --bench cache --features hashbrown` prints the table, with `-- --check` it also fails where a ratio is
//! above its bound. Each number is the mean of 64 look-ups of 64 keys, spread over the table.

use std::collections::BTreeMap;
use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Mutex;

use callgrind::{chosen, count, counted};
use hashbrown::HashMap;
use treedef::cache::{GrowingCache, KeyBox, KeyBuf, KeyWriter};
use treedef::{Cache, CallKey, Error, Tree, TreeDef, structure_into, treedef_of};

mod callgrind;

/// Look-ups in one count.
const LOOK_UPS: usize = 64;

#[derive(Clone, Copy, Default, Tree)]
struct Pid {
    kp: f32,
    ki: f32,
    kd: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Motor {
    speed: Pid,
    current: Pid,
    limits: (f32, f32),
    pole_pairs: f32,
    dt: f32,
    phase: (f32, f32),
}

#[derive(Clone, Copy, Default, Tree)]
struct Affine {
    b: f32,
    w: f32,
}

#[derive(Clone, Copy, Default, Tree)]
struct Block {
    attn: (Affine, Affine),
    ln_1: Affine,
    ln_2: Affine,
    mlp: (Affine, Affine),
}

#[derive(Clone, Copy, Tree)]
struct Gpt {
    h: [Block; 48],
    ln_f: Affine,
    wpe: f32,
    wte: f32,
}

#[derive(Clone, Copy, Tree)]
struct State {
    step: f32,
    params: Gpt,
    mu: Gpt,
    nu: Gpt,
}

const MOTOR: TreeDef<'static> = treedef_of::<Motor>();
const STATE: TreeDef<'static> = treedef_of::<State>();

/// Random numbers that are always the same.
fn random(seed: usize) -> u64 {
    (seed as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// A key of a structure and static bytes behind or before it.
fn key(def: TreeDef<'_>, bytes: &[u8], before: bool) -> CallKey<'static> {
    let mut writer = KeyWriter::new(vec![0; def.as_bytes().len() + bytes.len() + 2].leak());
    if before {
        writer.bytes(bytes).treedef(def);
    } else {
        writer.treedef(def).bytes(bytes);
    }
    writer.finish().expect("room for all")
}

/// So many keys of one structure and equal length.
fn keys(def: TreeDef<'_>, count: usize) -> Vec<CallKey<'static>> {
    (0..count).map(|i| key(def, &random(i).to_le_bytes(), true)).collect()
}

/// Every n-th of them.
fn spread<T: Copy>(keys: &[T]) -> Vec<T> {
    (0..LOOK_UPS).map(|i| keys[i * keys.len() / LOOK_UPS]).collect()
}

type Work = Box<dyn FnMut()>;

/// Looks up `u64`s in a map of so many.
fn numbers(count: usize) -> Work {
    let map: HashMap<u64, u32> = (0..count).map(|i| (random(i), 1)).collect();
    let asked = spread(&(0..count).map(random).collect::<Vec<_>>());
    Box::new(move || {
        for key in black_box(&asked) {
            black_box(map.get(black_box(key)));
        }
    })
}

/// A growing cache with these keys.
fn grown(keys: &[CallKey<'_>]) -> GrowingCache<KeyBox, u32> {
    let mut cache = GrowingCache::new();
    for key in keys {
        cache.get_or_insert_with(*key, || Ok::<_, Error>(1)).expect("room");
    }
    cache
}

/// Looks up keys whose fingerprint is known.
fn known(keys: Vec<CallKey<'static>>) -> Work {
    let (mut cache, asked) = (grown(&keys), spread(&keys));
    Box::new(move || {
        for key in black_box(&asked) {
            black_box(cache.get(black_box(*key)).is_some());
        }
    })
}

/// A treedef of so many bytes, from 134 on: a dict with one key.
fn of_len(len: usize) -> TreeDef<'static> {
    // Around the key: head, block length and key length, each of two bytes where it is 128 or more; a leaf.
    let key = "k".repeat(len - 6);
    let def = treedef::TreeDefBuf::<1024>::dict(&[&key], &[TreeDef::LEAF]).expect("room");
    let def = TreeDef::from_bytes(def.as_treedef().as_bytes().to_vec().leak()).expect("valid");
    assert_eq!(def.as_bytes().len(), len);
    def
}

/// Computes fingerprints and looks the keys up.
fn hashed(def: TreeDef<'static>) -> Work {
    let keys = keys(TreeDef::LEAF, 1000);
    let mut cache = grown(&keys);
    cache.get_or_insert_with(def.into(), || Ok::<_, Error>(1)).expect("room");
    Box::new(move || {
        for _ in 0..LOOK_UPS {
            black_box(cache.get(CallKey::of(black_box(def))).is_some());
        }
    })
}

/// Looks up a key that is the same memory.
fn constant(key: CallKey<'static>) -> Work {
    let mut cache = GrowingCache::<CallKey<'_>, u32>::new();
    for key in keys(TreeDef::LEAF, 1000).into_iter().chain([key]) {
        cache.get_or_insert_with(key, || Ok::<_, Error>(1)).expect("room");
    }
    Box::new(move || {
        for _ in 0..LOOK_UPS {
            black_box(cache.get(black_box(key)).is_some());
        }
    })
}

/// A cache that is too large for the stack.
static LARGE: Mutex<Cache<KeyBuf<24>, u32, 100_000>> = Mutex::new(Cache::new());
/// One of the same kind that is not.
static SMALL: Mutex<Cache<KeyBuf<24>, u32, 16>> = Mutex::new(Cache::new());

/// Looks up keys in a fixed cache that is full.
fn fixed<const N: usize>(cache: &'static Mutex<Cache<KeyBuf<24>, u32, N>>) -> Work {
    let (keys, mut cache) = (keys(TreeDef::LEAF, N), cache.lock().expect("not poisoned"));
    for key in &keys {
        cache.get_or_insert_with(*key, || Ok::<_, Error>(1)).expect("room");
    }
    assert_eq!((cache.len(), cache.stats().evictions), (N, 0));
    let asked = spread(&keys);
    Box::new(move || {
        for key in black_box(&asked) {
            black_box(cache.get(black_box(*key)).is_some());
        }
    })
}

/// Looks up keys in a fixed cache that holds just them.
fn fixed_known(keys: Vec<CallKey<'static>>) -> Work {
    let mut cache = Cache::<KeyBuf<96>, u32, LOOK_UPS>::new();
    for key in &keys {
        cache.get_or_insert_with(*key, || Ok::<_, Error>(1)).expect("room");
    }
    Box::new(move || {
        for key in black_box(&keys) {
            black_box(cache.get(black_box(*key)).is_some());
        }
    })
}

/// A fixed cache in which a `const` key is kept as it is.
fn fixed_constant(key: CallKey<'static>) -> Work {
    let mut cache = Cache::<CallKey<'_>, u32, 16>::new();
    cache.get_or_insert_with(key, || Ok::<_, Error>(1)).expect("room");
    Box::new(move || {
        for _ in 0..LOOK_UPS {
            black_box(cache.get(black_box(key)).is_some());
        }
    })
}

/// Writes the structure of a slice, hashes and looks it up.
fn written() -> Work {
    let tree = [Motor::default(); 100];
    let mut bytes = [0; 512];
    let def = structure_into(tree.as_slice(), &mut bytes).expect("room");
    let mut cache = grown(&[def.into()]);
    Box::new(move || {
        for _ in 0..LOOK_UPS {
            let def = structure_into(black_box(tree.as_slice()), &mut bytes).expect("room");
            black_box(cache.get(def.into()).is_some());
        }
    })
}

/// Writes the structure of nested maps of 13 dicts with 60 keys, hashes and looks it up.
fn mapped() -> Work {
    let inner = || ["b", "g", "scale", "w"].map(|key| (key.to_owned(), 0.5f32)).into();
    let tree: BTreeMap<String, BTreeMap<String, f32>> =
        (0..12).map(|layer| (format!("layer {layer}"), inner())).collect();
    let mut bytes = [0; 512];
    let def = structure_into(&tree, &mut bytes).expect("room");
    let mut cache = grown(&[def.into()]);
    Box::new(move || {
        for _ in 0..LOOK_UPS {
            let def = structure_into(black_box(&tree), &mut bytes).expect("room");
            black_box(cache.get(def.into()).is_some());
        }
    })
}

/// A case: its name, the case it is compared with and the ratio it may reach, and what makes the work.
type Case = (&'static str, Option<(&'static str, f64)>, fn() -> Work);

const CASES: &[Case] = &[
    ("empty", None, || Box::new(|| ())),
    ("u64, 16 entries", None, || numbers(16)),
    ("u64, 1000 entries", None, || numbers(1000)),
    ("u64, 100 000 entries", None, || numbers(100_000)),
    ("motor, hashed", Some(("u64, 1000 entries", 3.65)), || hashed(MOTOR)),
    ("state, hashed", Some(("u64, 1000 entries", 5.0)), || hashed(STATE)),
    ("246 bytes, hashed", Some(("u64, 1000 entries", 5.7)), || hashed(of_len(246))),
    ("motor, known hash", Some(("u64, 1000 entries", 1.9)), || known(keys(MOTOR, 1000))),
    ("state, known hash", Some(("u64, 1000 entries", 2.35)), || known(keys(STATE, 1000))),
    ("state, constant", Some(("u64, 1000 entries", 1.1)), || {
        constant(const { CallKey::of(STATE) })
    }),
    ("state, constant, fixed cache", Some(("u64, 1000 entries", 0.95)), || {
        fixed_constant(const { CallKey::of(STATE) })
    }),
    ("growing, 16 entries", None, || known(keys(MOTOR, 16))),
    ("growing, 100 000 entries", Some(("growing, 16 entries", 1.25)), || {
        known(keys(MOTOR, 100_000))
    }),
    ("fixed, 16 entries", None, || fixed(&SMALL)),
    ("fixed, 100 000 entries", Some(("fixed, 16 entries", 1.25)), || fixed(&LARGE)),
    ("random keys", None, || known(keys(MOTOR, 64))),
    ("keys unlike in the last byte", Some(("random keys", 1.25)), || {
        known((0..64).map(|i| key(MOTOR, &[0, 0, 0, 0, 0, 0, 0, i], false)).collect())
    }),
    ("fixed, random keys", None, || fixed_known(keys(MOTOR, LOOK_UPS))),
    ("fixed, keys unlike in the last byte", Some(("fixed, random keys", 1.25)), || {
        fixed_known((0..64).map(|i| key(MOTOR, &[0, 0, 0, 0, 0, 0, 0, i], false)).collect())
    }),
    ("slice of structs, written and hashed", None, written),
    ("nested maps, written and hashed", None, mapped),
];

fn main() -> ExitCode {
    if let Some(index) = chosen() {
        let Some((_, _, make)) = CASES.get(index) else { return ExitCode::FAILURE };
        counted(&mut *make());
        return ExitCode::SUCCESS;
    }
    let check = env::args().any(|arg| arg == "--check");
    let Some(empty) = count(0) else {
        println!("valgrind is not installed: nothing counted");
        return if check { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    };
    let mut seen: Vec<(&str, f64)> = Vec::new();
    let mut failed = false;
    for (index, (name, against, _)) in CASES.iter().enumerate().skip(1) {
        let Some(total) = count(index) else {
            println!("{name:36} not counted");
            failed = true;
            continue;
        };
        let each = total.saturating_sub(empty) as f64 / LOOK_UPS as f64;
        print!("{name:36}{each:8.1}");
        let peer = against.and_then(|(peer, most)| {
            let (_, instructions) = seen.iter().find(|(name, _)| *name == peer)?;
            Some((peer, each / instructions, most))
        });
        if let Some((peer, ratio, most)) = peer {
            let verdict = if ratio <= most { "" } else { "  TOO MANY" };
            print!("  {ratio:.2} of `{peer}` (at most {most}){verdict}");
            failed |= ratio > most;
        }
        println!();
        seen.push((name, each));
    }
    if check && failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
