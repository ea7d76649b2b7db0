//! What the fingerprint of a treedef costs, and what other fast hashes of the same bytes cost, in instructions.
//!
//! `cargo bench --ignore-rust-version --manifest-path benches/peers/Cargo.toml --bench hashes` prints the table, with
//! `-- --check` it also fails where another hash needs fewer instructions over all lengths.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::hint::black_box;
use std::process::ExitCode;

use callgrind::{chosen, count, counted};
use foldhash::fast::FixedState;
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use rustc_hash::FxHasher;
use treedef::{TreeDef, TreeDefBuf};

#[path = "../../callgrind/mod.rs"]
mod callgrind;

/// Calls in one count.
const CALLS: usize = 64;

/// Bytes of treedefs: of a pair, a small dict, a larger one, typed structs of 12 and 1741 leaves, their nested dicts.
const LENGTHS: [usize; 8] = [5, 12, 40, 86, 108, 197, 246, 1000];

/// A hash of the bytes of a treedef.
type Hash = fn(TreeDef<'_>) -> u64;

const SECRETS: RapidSecrets = RapidSecrets::seed(0);

const HASHES: [(&str, Hash); 5] = [
    ("fingerprint", |def| def.fingerprint()),
    ("rapidhash v3", |def| rapidhash_v3_seeded(def.as_bytes(), &SECRETS)),
    ("xxh3", |def| xxhash_rust::xxh3::xxh3_64(def.as_bytes())),
    ("foldhash fast", |def| by_hasher(FixedState::default(), def)),
    ("Fx", |def| by_hasher(BuildHasherDefault::<FxHasher>::default(), def)),
];

fn by_hasher(state: impl BuildHasher, def: TreeDef<'_>) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(def.as_bytes());
    hasher.finish()
}

/// A treedef of this length: a dict with one key.
fn of_len(len: usize) -> TreeDef<'static> {
    let make = |key: usize| {
        let def = TreeDefBuf::<1024>::dict(&[&"k".repeat(key)], &[TreeDef::LEAF]).expect("room");
        def.as_treedef().as_bytes().to_vec()
    };
    // Around the key there are a head, its lengths and a leaf.
    let bytes = (0..len).map(make).find(|bytes| bytes.len() == len).expect("a key that long");
    TreeDef::from_bytes(bytes.leak()).expect("a treedef")
}

/// Runs the case with this index; the one after all hashes is the loop alone.
fn run(index: usize) {
    let def = of_len(LENGTHS[index % LENGTHS.len()]);
    let hash = HASHES.get(index / LENGTHS.len()).map_or((|_| 0) as Hash, |(_, hash)| *hash);
    counted(&mut || {
        for _ in 0..CALLS {
            black_box(black_box(hash)(black_box(def)));
        }
    });
}

fn main() -> ExitCode {
    if let Some(index) = chosen() {
        run(index);
        return ExitCode::SUCCESS;
    }
    let Some(alone) = count(HASHES.len() * LENGTHS.len()) else {
        eprintln!("valgrind is needed");
        return ExitCode::FAILURE;
    };
    print!("{:16}", "bytes");
    LENGTHS.iter().for_each(|len| print!("{len:8}"));
    println!("{:>8}", "all");
    let mut totals = Vec::new();
    for (at, (name, _)) in HASHES.iter().enumerate() {
        print!("{name:16}");
        let mut total = 0.0;
        for (index, len) in LENGTHS.iter().enumerate() {
            let all = count(at * LENGTHS.len() + index).unwrap_or(u64::MAX);
            let mean = all.saturating_sub(alone) as f64 / CALLS as f64;
            print!("{mean:8.0}");
            // The longest would outweigh the rest.
            total += if *len <= 256 { mean } else { 0.0 };
        }
        println!("{total:8.0}");
        totals.push(total);
    }
    let fewest = totals.iter().copied().fold(f64::INFINITY, f64::min);
    if std::env::args().any(|arg| arg == "--check") && totals[0] > fewest {
        eprintln!("another hash needs fewer instructions than the fingerprint");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
