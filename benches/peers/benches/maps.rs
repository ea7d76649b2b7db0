//! What a hit costs in the maps that take call keys, in instructions and nanoseconds.
//!
//! `cargo bench --ignore-rust-version --manifest-path benches/peers/Cargo.toml --bench maps` prints the table of the guide to
//! call keys. A map has 1000 keys of one length, and each is looked up once, in another order than they came. The key is
//! there already, with its fingerprint; the last row is what that costs.

use std::collections::HashMap;
use std::hash::Hasher;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use callgrind::{chosen, count, counted};
use treedef::cache::{ByFingerprint, Dtype, FingerprintHasher, FingerprintState, KeyBox};
use treedef::{Cache, CallKey};

#[path = "../../callgrind/mod.rs"]
mod callgrind;

/// Bytes of the keys: of a call with two arrays and a flag, of a layer, of a model.
const LENGTHS: [usize; 3] = [45, 200, 630];

/// The keys in a map.
const KEYS: usize = 1000;

/// Looks all keys up.
type LookUp = Box<dyn FnMut(&[CallKey<'static>])>;

/// Makes a map of keys.
type Fill = fn(&[CallKey<'static>]) -> LookUp;

const MAPS: [(&str, Fill); 9] = [
    ("`Cache`, without a heap", |keys| {
        let mut cache = Box::new(Cache::<KeyBox, usize, KEYS>::new());
        keys.iter().enumerate().for_each(|(at, key)| drop(cache.insert(*key, at)));
        hits(move |key| *cache.get(*key).expect("it is there"))
    }),
    ("`hashbrown::HashMap<KeyBox, V>`", |keys| {
        let map: hashbrown::HashMap<KeyBox, _> = entries(keys, |key| key.into());
        hits(move |key| map[key])
    }),
    ("`hashbrown::HashMap<ByFingerprint<KeyBox>, V, FingerprintState>`", |keys| {
        let map: hashbrown::HashMap<ByFingerprint<KeyBox>, _, FingerprintState> =
            entries(keys, |key| (&ByFingerprint::from(*key)).into());
        hits(move |key| map[&ByFingerprint::from(*key)])
    }),
    ("`indexmap::IndexMap<KeyBox, V>`", |keys| {
        let map: indexmap::IndexMap<KeyBox, _> = entries(keys, |key| key.into());
        hits(move |key| map[key])
    }),
    ("`std::collections::HashMap<KeyBox, V>`", |keys| {
        let map: HashMap<KeyBox, _> = entries(keys, |key| key.into());
        hits(move |key| map[key.as_bytes()])
    }),
    ("`quick_cache::sync::Cache<KeyBox, V>`", |keys| {
        let cache = quick_cache::sync::Cache::new(2 * KEYS);
        keys.iter().enumerate().for_each(|(at, key)| cache.insert(KeyBox::from(key), at));
        hits(move |key| cache.get(key).expect("it is there"))
    }),
    ("`moka::sync::Cache<KeyBox, V>`", |keys| {
        let cache = moka::sync::Cache::new(2 * KEYS as u64);
        keys.iter().enumerate().for_each(|(at, key)| cache.insert(KeyBox::from(key), at));
        hits(move |key| cache.get(key).expect("it is there"))
    }),
    ("`moka` by `ByFingerprint`", |keys| {
        let cache = moka::sync::Cache::builder()
            .max_capacity(2 * KEYS as u64)
            .build_with_hasher(FingerprintState::default());
        for (at, key) in keys.iter().enumerate() {
            cache.insert(ByFingerprint::<KeyBox>::from(&ByFingerprint::from(*key)), at);
        }
        hits(move |key| cache.get(&ByFingerprint::from(*key)).expect("it is there"))
    }),
    ("the fingerprint of the key", |_| {
        hits(|key| {
            let mut hasher = FingerprintHasher::default();
            hasher.write(key.as_bytes());
            hasher.finish() as usize
        })
    }),
];

fn entries<K, M: FromIterator<(K, usize)>>(
    keys: &[CallKey<'static>],
    own: impl Fn(&CallKey<'static>) -> K,
) -> M {
    keys.iter().enumerate().map(|(at, key)| (own(key), at)).collect()
}

fn hits(mut hit: impl FnMut(&CallKey<'static>) -> usize + 'static) -> LookUp {
    Box::new(move |keys| {
        for key in keys {
            black_box(hit(black_box(key)));
        }
    })
}

/// A key of this length: the name of a function, a number that tells it from the others, arrays, and bytes.
fn key(number: usize, len: usize) -> CallKey<'static> {
    let build = |pad: usize| {
        let key = KeyBox::build(|key| {
            key.meta("train").meta(&(number as u16));
            for array in 0..(len - 30) / 5 {
                key.array(Dtype::Float32, false, &[64, 1 + array % 100]);
            }
            key.bytes(&[0; 64][..pad]);
        });
        Vec::from(key.expect("a key"))
    };
    let bytes = build(len - build(0).len());
    assert_eq!(bytes.len(), len);
    CallKey::from_bytes(bytes.leak()).expect("a key")
}

/// The keys of a case as they go into the map, and as they are looked up.
fn keys(len: usize) -> [Vec<CallKey<'static>>; 2] {
    let known: Vec<_> = (0..KEYS).map(|number| key(number, len)).collect();
    // Other memory than that of the known keys, and a step that has no divisor in common with their number.
    let called = (0..KEYS).map(|at| key(at * 387 % KEYS, len)).collect();
    [known, called]
}

/// Prepares the case with this index.
fn prepare(index: usize) -> impl FnMut() {
    let [known, called] = keys(LENGTHS[index % LENGTHS.len()]);
    let mut look_up = MAPS[index / LENGTHS.len()].1(&known);
    look_up(&called);
    move || look_up(&called)
}

fn main() -> ExitCode {
    if let Some(index) = chosen() {
        counted(&mut prepare(index));
        return ExitCode::SUCCESS;
    }
    println!("| map | 45 bytes | 200 bytes | 630 bytes |\n|---|---|---|---|");
    for (at, (name, _)) in MAPS.iter().enumerate() {
        print!("| {name} ");
        for index in at * LENGTHS.len()..(at + 1) * LENGTHS.len() {
            let Some(instructions) = count(index) else {
                println!("not counted; is valgrind installed?");
                return ExitCode::FAILURE;
            };
            let (mut call, mut best, start) = (prepare(index), Duration::MAX, Instant::now());
            while start.elapsed() < Duration::from_millis(300) {
                let start = Instant::now();
                call();
                best = best.min(start.elapsed());
            }
            let time = best.as_nanos() / KEYS as u128;
            print!("| {}, {time} ns ", instructions / KEYS as u64);
        }
        println!("|");
    }
    ExitCode::SUCCESS
}
