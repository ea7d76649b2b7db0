//! The fingerprint is as good as its documentation says: it spreads, it does not collide, and it has one value everywhere.
//!
//! The function is compiled into this test, because it hashes any bytes and treedefs are only some. A test that passes on
//! it must fail on `reference::weak`, where that is not good enough.

#[path = "../../../src/format/fingerprint.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test uses its part")]
mod fingerprint;

use crate::support;

mod families;

mod reference;

mod statistics;

mod treedefs;

use reference::STEP;
use statistics::{BitCounts, Random, equal_pairs, expected_pairs, from_half, unevenness};
use support::def::Def;
use treedef::TreeDef;

/// A hash to be judged.
type Hash = fn(&[u8]) -> u64;

/// How many standard deviations are too many. Ten million normal numbers stay below 5.5; the samples never change, so
/// that what passes once passes for ever.
const TOO_FAR: f64 = 6.0;

/// The same for sums that are only nearly normal: chi-square with few degrees of freedom has a longer tail.
const TOO_UNEVEN: f64 = 6.0;

/// What an input looks like before a bit is flipped.
type Base = fn(&mut Random, usize) -> Vec<u8>;

/// Flips each bit of `rounds` inputs of a length. Worst distance from one half, in standard deviations: of one output bit
/// for one input bit, and of all output bits, or one half of them, for one input bit.
fn avalanche(hash: Hash, base: Base, len: usize, rounds: usize) -> (f64, f64) {
    let mut random = Random(len as u64);
    let mut flips = vec![BitCounts::default(); len * 8];
    for _ in 0..rounds {
        let mut bytes = base(&mut random, len);
        let before = hash(&bytes);
        for (bit, flips) in flips.iter_mut().enumerate() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            flips.add(before ^ hash(&bytes));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
    // Of short inputs there are not so many that differ in a bit.
    let pairs = 256f64.powi(len as i32) / 2.0;
    let samples = 1.0 / (1.0 / rounds as f64 + 1.0 / pairs);
    let worst = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.max(c), b.max(d));
    flips.iter().map(|flips| from_half(&flips.shares(), samples)).fold((0.0, 0.0), worst)
}

/// Runs [`avalanche`] over `lens`, with about as many flips for each, and prints the worst.
fn check_avalanche(lens: impl Iterator<Item = usize>, flips: usize) {
    let (mut bit, mut mean) = ((0.0, 0), (0.0, 0));
    for len in lens {
        // Too short, and sparse inputs are the same few again and again.
        let bases = [Random::bytes as Base, Random::sparse].into_iter();
        for base in bases.take(if len < 8 { 1 } else { 2 }) {
            let worst = avalanche(fingerprint::of, base, len, flips / (len * 8));
            bit = if worst.0 > bit.0 { (worst.0, len) } else { bit };
            mean = if worst.1 > mean.0 { (worst.1, len) } else { mean };
        }
    }
    println!("avalanche: worst bit {bit:.2?}, worst mean {mean:.2?} (standard deviations, length)");
    assert!(bit.0 < TOO_FAR && mean.0 < TOO_FAR);
}

#[test]
fn every_input_bit_flips_every_output_bit_half_of_the_time() {
    check_avalanche((1..=34).chain((41..=300).step_by(37)), 200_000);
}

#[test]
#[ignore = "about a minute"]
fn every_input_bit_of_every_length_flips_every_output_bit_half_of_the_time() {
    check_avalanche(1..=300, 400_000);
}

/// Flips each pair of bits in adjacent words: the worst distance from one half of an output bit, and of the mean of all
/// or of half of the bits, over all pairs, and how many pairs left the hash as it was.
fn adjacent(hash: Hash, len: usize, rounds: usize) -> (f64, f64, usize) {
    let mut random = Random(len as u64);
    let (mut flips, mut unchanged) = (BitCounts::default(), 0);
    let pairs = (0..len * 8).flat_map(|i| (i + 1..len * 8).map(move |j| (i, j)));
    let pairs: Vec<_> = pairs.filter(|(i, j)| i / 64 + 1 == j / 64).collect();
    for _ in 0..rounds {
        let mut bytes = random.bytes(len);
        let before = hash(&bytes);
        for (i, j) in &pairs {
            bytes[i / 8] ^= 1 << (i % 8);
            bytes[j / 8] ^= 1 << (j % 8);
            let change = before ^ hash(&bytes);
            bytes[i / 8] ^= 1 << (i % 8);
            bytes[j / 8] ^= 1 << (j % 8);
            unchanged += usize::from(change == 0);
            flips.add(change);
        }
    }
    let (bit, mean) = from_half(&flips.shares(), (rounds * pairs.len()) as f64);
    (bit, mean, unchanged)
}

#[test]
fn two_bits_in_adjacent_words_flip_every_output_bit_half_of_the_time() {
    for len in [10, 16, 20, 24, 32, 33, 40, 64] {
        let (bit, mean, unchanged) = adjacent(fingerprint::of, len, 16);
        println!(
            "adjacent words, {len} bytes: bit {bit:.2}, mean {mean:.2}, unchanged {unchanged}"
        );
        assert!(bit < TOO_FAR && mean < TOO_FAR && unchanged == 0, "{len}");
    }
}

/// The ways in which tables take buckets from a hash: so many bits, from here upwards. `hashbrown` takes the bucket from
/// the low bits and a tag from the highest seven; tables of fixed size scale the high bits.
fn unevenness_of(hashes: &[u64], what: &str) -> f64 {
    // At least eight to a bucket, and no more buckets than a large cache has.
    let bits = (hashes.len() / 8).checked_ilog2().unwrap_or(0).min(16);
    let mut worst = 0.0;
    let mut judge = |how: &str, bits: u32, bucket: &dyn Fn(u64) -> u64| {
        let uneven = unevenness(hashes.iter().map(|hash| bucket(*hash) as usize), 1 << bits);
        println!("{what}: {how}, {bits} bits: {uneven:.2}");
        worst = f64::max(worst, uneven.abs());
    };
    let low = |bits: u32| move |hash: u64| hash & ((1 << bits) - 1);
    judge("low bits", bits, &low(bits));
    judge("high bits", bits, &|hash| hash >> (64 - bits));
    judge("low bits of the high half", bits, &|hash| low(bits)(hash >> 32));
    if bits > 7 {
        judge("tag", 7, &|hash| hash >> 57);
        judge("tag and low bits", bits, &|hash| hash >> 57 << (bits - 7) | low(bits - 7)(hash));
    }
    worst
}

/// Buckets and collisions of distinct inputs: all that a table sees of a hash.
fn check_hashes(hashes: &[u64], what: &str) {
    let uneven = unevenness_of(hashes, what);
    assert!(uneven < TOO_UNEVEN, "{what}: {uneven}");
    assert_eq!(equal_pairs(hashes.to_vec()), 0, "{what}: collisions of 64 bits");
    let expected = expected_pairs(hashes.len());
    for (half, shift) in [("low", 0), ("high", 32), ("middle", 16)] {
        let part = hashes.iter().map(|hash| hash >> shift & u64::from(u32::MAX)).collect();
        let pairs = equal_pairs(part);
        println!(
            "{what}: {} inputs, {half} 32 bits: {pairs} pairs, {expected:.1} expected",
            hashes.len()
        );
        // Five standard deviations of Poisson's distribution, and room for its tail where few are expected.
        let room = 5.0 * expected.sqrt() + 4.0;
        assert!((pairs as f64 - expected).abs() < room, "{what}: {half} 32 bits: {pairs} pairs");
    }
}

/// Words that make a product small, or a multiple of 2^64 - 1, as they are and combined with each constant.
///
/// A word of a block meets a constant in the first block, and in the rest where a hash combines it with no state.
fn weak_words(len: u64) -> Vec<u64> {
    let products = (0..64).map(|k| 1 << k).chain([0, 3, 5, 17, 257, 641, 65_537, 6_700_417]);
    let products = products.flat_map(|n: u64| [n, !n, u64::MAX / n.max(1)]);
    let constants = reference::CONSTANTS.into_iter().flat_map(|constant| {
        [constant, constant.wrapping_mul(len), constant ^ STEP.wrapping_mul(len)]
    });
    let constants: Vec<u64> = constants.chain([0]).collect();
    products.flat_map(|n| constants.clone().into_iter().map(move |constant| n ^ constant)).collect()
}

/// The pairs of equal hashes among keys that all have `word` as the first or the second word of their block `at`, and
/// count in another word.
fn equal_keys_with(hash: Hash, word: u64, blocks: usize, at: usize) -> usize {
    let words = blocks * 2;
    (at * 2..at * 2 + 2)
        .flat_map(|fixed| (0..words).map(move |counted| (fixed, counted)))
        .filter(|(fixed, counted)| fixed != counted)
        .map(|(fixed, counted)| {
            let mut key = vec![0; words * 8];
            key[fixed * 8..][..8].copy_from_slice(&word.to_le_bytes());
            let hashes = (0..128u64).map(|n| {
                let counter = n.wrapping_mul(0x0100_0000_0000_0001);
                key[counted * 8..][..8].copy_from_slice(&counter.to_le_bytes());
                hash(&key)
            });
            equal_pairs(hashes.collect())
        })
        .sum()
}

#[test]
fn no_value_of_a_word_hides_the_other_words() {
    for (blocks, at) in [(1, 0), (2, 0), (2, 1), (3, 1)] {
        let words = weak_words(blocks as u64 * 16);
        let equal =
            |hash: Hash| words.iter().map(|word| equal_keys_with(hash, *word, blocks, at)).sum();
        let found: usize = equal(fingerprint::of);
        assert_eq!(found, 0, "block {at} of {blocks}");
        let found: usize = equal(reference::blind);
        assert!(found > 0, "block {at} of {blocks}");
    }
}

/// The pairs of equal hashes among keys that differ in the first block, with equal blocks after it.
fn equal_keys_before(hash: Hash, block: [u64; 2], blocks: usize) -> usize {
    let tail = [block[0].to_le_bytes(), block[1].to_le_bytes()].concat().repeat(blocks);
    let mut random = Random(11);
    equal_pairs((0..64).map(|_| hash(&[random.bytes(16), tail.clone()].concat())).collect())
}

#[test]
fn no_row_of_equal_blocks_hides_what_is_before_it() {
    const BLOCKS: usize = 300;
    let words = weak_words(BLOCKS as u64 * 16 + 16);
    let halves = words.iter().flat_map(|word| [[*word, 0], [*word, !0], [0, *word], [!0, *word]]);
    let pairs = words.iter().flat_map(|word| [[*word, *word], [*word, !word]]);
    let found: usize =
        halves.chain(pairs).map(|block| equal_keys_before(fingerprint::of, block, BLOCKS)).sum();
    assert_eq!(found, 0);
    assert!(equal_keys_before(reference::fading, [1, 0], BLOCKS) > 0);
    assert!(equal_keys_before(reference::blind, [reference::CONSTANTS[1], 0], 1) > 0);
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn byte_strings_that_are_alike_spread_and_do_not_collide() {
    for (what, family) in families::all() {
        let hashes: Vec<u64> = family.iter().map(|bytes| fingerprint::of(bytes)).collect();
        check_hashes(&hashes, what);
    }
}

/// Fingerprints of so many distinct treedefs, from their bytes as a user gets them.
fn check_treedefs(wanted: usize) {
    let (treedefs, near) = treedefs::distinct(wanted);
    println!("{} distinct treedefs, {near} of them neighbours of models", treedefs.len());
    assert!(near > 100_000 && treedefs.len() >= wanted);
    // That they are treedefs is no question of the fingerprint: some show it.
    for bytes in treedefs.iter().step_by(16) {
        let def = TreeDef::from_bytes(bytes).unwrap_or_else(|e| panic!("{e}: {bytes:02x?}"));
        assert_eq!(def.fingerprint(), fingerprint::of(bytes));
    }
    let hashes: Vec<u64> = treedefs.iter().map(|bytes| fingerprint::of(bytes)).collect();
    check_hashes(&hashes, "treedefs");
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn a_million_treedefs_spread_and_do_not_collide() {
    check_treedefs(1_000_000);
}

#[test]
#[ignore = "some minutes and two gigabytes"]
fn eight_million_treedefs_spread_and_do_not_collide() {
    check_treedefs(8_000_000);
}

#[test]
fn neighbours_are_assembled_as_the_format_says() {
    let def = Def::dict(vec![
        (support::value::Value::Str("a".into()), Def::Tuple(vec![Def::Leaf, Def::None])),
        (support::value::Value::Str("b".into()), Def::Tuple(vec![Def::Leaf, Def::None])),
    ]);
    for def in treedefs::models().into_iter().chain(def) {
        assert_eq!(treedefs::assembled(&def), def.encode());
    }
}

#[test]
fn other_machines_compute_the_same() {
    let mut random = Random(3);
    let random: Vec<_> = (0..=300).map(|len| random.bytes(len)).collect();
    let models: Vec<_> = treedefs::models().iter().map(Def::encode).collect();
    for bytes in random.iter().chain(&models) {
        let expected = fingerprint::of(bytes);
        assert_eq!(reference::big_endian(bytes), expected, "{bytes:02x?}");
        assert_eq!(reference::by_digits(bytes), expected, "{bytes:02x?}");
    }
    for bytes in &models {
        assert_eq!(TreeDef::from_bytes(bytes).unwrap().fingerprint(), fingerprint::of(bytes));
    }
}

#[test]
fn golden_lengths_hold() {
    let text = include_str!("../../golden/lengths.txt");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() >= 69);
    for line in lines {
        let (len, golden) = line.split_once(" | ").unwrap();
        let byte = |i: usize| (13 + 167 * i) as u8;
        let bytes: Vec<u8> = (0..len.parse().unwrap()).map(byte).collect();
        assert_eq!(format!("{:016x}", fingerprint::of(&bytes)), golden, "{len} bytes");
    }
}

#[test]
fn golden_files_agree_with_python() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/fingerprint.py");
    match std::process::Command::new("python3").arg(script).status() {
        Ok(status) => assert!(status.success()),
        // A machine without Python still compares the files with the library.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}

#[test]
fn a_weak_hash_is_refused() {
    let (bit, _) = avalanche(reference::weak, Random::bytes, 7, 3000);
    assert!(bit > TOO_FAR, "{bit}");
    let (.., unchanged) = adjacent(reference::weak, 24, 4);
    assert!(unchanged > 0);
    let hashes = |hash: Hash| -> Vec<u64> {
        let names = (0..100_000).map(|i| format!("layer_{i}"));
        names.map(|name| hash(name.as_bytes())).collect()
    };
    let two_bits = families::two_bits(&[0; 24]);
    let collisions = |hash: Hash| equal_pairs(two_bits.iter().map(|bytes| hash(bytes)).collect());
    assert!(collisions(reference::weak) > 0 && collisions(fingerprint::of) == 0);
    // What lies in the low bytes and nothing else.
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    assert!(unevenness_of(&hashes(word), "words") > TOO_UNEVEN);
    assert!(unevenness_of(&hashes(|bytes| reference::weak(bytes) >> 1), "shifted") > TOO_UNEVEN);
    // 28 bits in place of 32.
    let short = hashes(|bytes| fingerprint::of(bytes) & u64::from(u32::MAX >> 4));
    assert!(equal_pairs(short) as f64 > 2.0 * expected_pairs(100_000));
}
