//! The fingerprint has one value everywhere, in every release.
//!
//! The function is compiled into this test, because it hashes any bytes and treedefs are only some.

#[path = "../../src/format/fingerprint.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test uses its part")]
mod fingerprint;

use crate::support;

use support::corpus::{Tree, member};
use support::harness::{Outcome, run_family};
use support::library::state;
use treedef::TreeDef;

/// The words of the blocks as the bytes of each, at most eight and low byte first.
fn blocks(bytes: &[u8]) -> Vec<[&[u8]; 2]> {
    let n = bytes.len();
    match n {
        0..=3 => vec![[bytes, bytes]],
        4..=7 => vec![[&bytes[..4], &bytes[n - 4..]]],
        8..=15 => vec![[&bytes[..8], &bytes[n - 8..]]],
        _ => {
            let starts = (0..n - 16).step_by(16).chain([n - 16]);
            starts.map(|at| [&bytes[at..at + 8], &bytes[at + 8..at + 16]]).collect()
        }
    }
}

/// As a big-endian machine computes it: every load takes the high byte first, and the word is then turned.
fn big_endian(bytes: &[u8]) -> u64 {
    let load = |part: &[u8]| {
        let mut padded = [0; 8];
        padded[..part.len()].copy_from_slice(part);
        u64::from_be_bytes(padded).swap_bytes()
    };
    let product = |x: u64, y: u64| {
        // The halves of the product lie in memory the other way round.
        let product = (u128::from(x.wrapping_add(y)) * u128::from(y)).to_be_bytes();
        let half = |at| u64::from_be_bytes(std::array::from_fn(|i| product[at + i]));
        (half(8), half(0))
    };
    // 64 bits of the fraction of pi, and 2^64 divided by the golden ratio.
    let (start, step) = (0x243F_6A88_85A3_08D3, 0x9E37_79B9_7F4A_7C15);
    let mut state = (start ^ (bytes.len() as u64).wrapping_mul(step), step);
    for [first, second] in blocks(bytes) {
        let (x, y) = (load(first) ^ state.0, load(second) ^ state.1);
        let (low, high) = product(x, y);
        state = (low, x.wrapping_sub(high));
    }
    let (low, high) = product(state.0, state.1);
    low ^ high
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
    // Bytes that look random (xorshift), the same in every run.
    let mut state = 3u64;
    let mut random = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 56) as u8
    };
    for len in 0..=300 {
        let bytes: Vec<u8> = (0..len).map(|_| random()).collect();
        assert_eq!(big_endian(&bytes), fingerprint::of(&bytes), "{bytes:02x?}");
    }
    for bytes in models() {
        assert_eq!(big_endian(&bytes), fingerprint::of(&bytes), "{bytes:02x?}");
        assert_eq!(TreeDef::from_bytes(&bytes).unwrap().fingerprint(), fingerprint::of(&bytes));
    }
}

#[test]
fn golden_lengths_hold() {
    let text = include_str!("../golden/lengths.txt");
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
