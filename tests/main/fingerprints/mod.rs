//! The fingerprint is as good as its documentation says: each bit counts, no part hides another, and it has one value everywhere.
//!
//! The function is compiled into this test, because it hashes any bytes and treedefs are only some. A test that passes on
//! it must fail on `reference::weak`, where that is not good enough.

#[path = "../../../src/format/fingerprint.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test uses its part")]
mod fingerprint;

use crate::support;

mod reference;

mod statistics;

use reference::STEP;
use statistics::{BitCounts, Random, equal_pairs, from_half};
use support::corpus::{Tree, member};
use support::harness::{Outcome, run_family};
use support::library::state;
use treedef::TreeDef;

/// A hash to be judged.
type Hash = fn(&[u8]) -> u64;

/// How many standard deviations are too many. Ten million normal numbers stay below 5.5; the samples never change, so
/// that what passes once passes for ever.
const TOO_FAR: f64 = 6.0;

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

/// The bytes of the model structures of the corpus.
fn models() -> Vec<Vec<u8>> {
    let mut models = Vec::new();
    run_family("models", |line| {
        let tree = member(line, "tree").and_then(Tree::read).unwrap();
        models.push(state(&tree, false).unwrap().bytes);
        Outcome::Passed
    });
    models
}

#[test]
fn other_machines_compute_the_same() {
    let mut random = Random(3);
    let random: Vec<_> = (0..=300).map(|len| random.bytes(len)).collect();
    let models = models();
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
}
