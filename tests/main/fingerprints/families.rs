//! Families of byte strings that are alike in a way that fast hashes stumble over.

use super::statistics::Random;
use std::collections::BTreeSet;

/// A name and distinct byte strings.
pub(crate) type LeafTypes = (&'static str, BTreeSet<Vec<u8>>);

/// All families.
pub(crate) fn all() -> Vec<LeafTypes> {
    let mut random = Random(7);
    let mut bases: Vec<Vec<u8>> =
        [1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 64, 100].map(|len| random.bytes(len)).into();
    bases.extend([vec![0; 8], vec![0; 24], vec![0; 48], vec![0xFF; 40], b"params".repeat(5)]);
    vec![
        ("only the length differs", lengths()),
        ("zeros behind", padded(&mut random)),
        ("one byte differs", bases.iter().flat_map(|base| one_byte(base)).collect()),
        ("two bits differ", bases.iter().flat_map(|base| two_bits(base)).collect()),
        ("few bits set", few_bits()),
        ("words permuted", permuted(&random.bytes(64), 8)),
        ("blocks permuted", permuted(&random.bytes(128), 16)),
        ("parts repeated", repeated(&mut random)),
        ("prefixes, suffixes and what lies between", parts_of(&random.bytes(400))),
        ("parts of a text", parts_of(&text())),
        ("numbers at each place", numbers()),
        ("numbered names", (0..100_000).map(|i| format!("layer_{i}").into_bytes()).collect()),
        ("two words that are both counted", pairs_of_words()),
    ]
}

/// One byte value, as often as wanted.
fn lengths() -> BTreeSet<Vec<u8>> {
    let bytes = [0, 0x01, 0x20, 0x80, 0xFF];
    bytes.iter().flat_map(|byte| (0..=2000).map(|len| vec![*byte; len])).collect()
}

/// Random strings with up to 64 zeros behind.
fn padded(random: &mut Random) -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::new();
    for len in 0..=300 {
        let mut bytes = random.bytes(len);
        for _ in 0..=64 {
            all.insert(bytes.clone());
            bytes.push(0);
        }
    }
    all
}

/// Every other value of every byte.
fn one_byte(base: &[u8]) -> Vec<Vec<u8>> {
    let changed = |i: usize, change: u8| {
        let mut bytes = base.to_vec();
        bytes[i] ^= change;
        bytes
    };
    (0..base.len()).flat_map(|i| (0..=255).map(move |change| changed(i, change))).collect()
}

/// Every pair of bits in the first 32 bytes, flipped.
pub(crate) fn two_bits(base: &[u8]) -> Vec<Vec<u8>> {
    let bits = base.len().min(32) * 8;
    let flipped = |i: usize, j: usize| {
        let mut bytes = base.to_vec();
        bytes[i / 8] ^= 1 << (i % 8);
        bytes[j / 8] ^= 1 << (j % 8);
        bytes
    };
    (0..bits).flat_map(|i| (0..i).map(move |j| flipped(i, j))).collect()
}

/// Up to two bits in zeros, up to three in a short string.
fn few_bits() -> BTreeSet<Vec<u8>> {
    let mut all = BTreeSet::from([vec![0; 6]]);
    for _ in 0..3 {
        let more = all.iter().flat_map(|bytes| {
            (0..48).map(|i| {
                let mut bytes = bytes.clone();
                bytes[i / 8] |= 1 << (i % 8);
                bytes
            })
        });
        all = more.collect();
    }
    all.extend([16, 17, 23, 32, 40].into_iter().flat_map(|len| two_bits(&vec![0; len])));
    all
}

/// All orders of eight parts.
fn permuted(bytes: &[u8], part: usize) -> BTreeSet<Vec<u8>> {
    let parts: Vec<&[u8]> = bytes.chunks(part).collect();
    let mut orders = vec![vec![]];
    for i in 0..parts.len() {
        let longer = |order: &Vec<usize>| {
            (0..=order.len()).map({
                let order = order.clone();
                move |at| {
                    let mut order = order.clone();
                    order.insert(at, i);
                    order
                }
            })
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let joined = |order: Vec<usize>| order.into_iter().flat_map(|i| parts[i]).copied().collect();
    orders.into_iter().map(joined).collect()
}

/// Strings of up to 33 bytes, up to 40 times one after the other.
fn repeated(random: &mut Random) -> BTreeSet<Vec<u8>> {
    let units: Vec<_> = (1..=33).flat_map(|len| [random.bytes(len), random.sparse(len)]).collect();
    units.iter().flat_map(|unit| (1..=40).map(|times| unit.repeat(times))).collect()
}

/// Everything between two places.
fn parts_of(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let n = bytes.len();
    (0..=n).flat_map(|end| (0..=end).map(move |start| bytes[start..end].to_vec())).collect()
}

/// The bytes of a dict as it is typical: short names and few heads.
fn text() -> Vec<u8> {
    let names = ["bias", "kernel", "scale", "mean", "var", "embedding", "attn", "mlp"];
    let names = (0..48).map(|i| format!("{}_{}", names[i % names.len()], i / names.len()));
    names.flat_map(|name| [&[name.len() as u8], name.as_bytes()].concat()).take(400).collect()
}

/// The numbers below 2^12 at each place of 40 bytes, low byte first and high byte first.
fn numbers() -> BTreeSet<Vec<u8>> {
    let number = |at: usize, digits: [u8; 2]| {
        let mut bytes = vec![0; 40];
        bytes[at..at + 2].copy_from_slice(&digits);
        bytes
    };
    let each = |n: u16| {
        (0..=38).flat_map(move |at| [number(at, n.to_le_bytes()), number(at, n.to_be_bytes())])
    };
    (0..1 << 12).flat_map(each).collect()
}

/// Both words of the only block count, from 0 and from 2^64 downwards.
fn pairs_of_words() -> BTreeSet<Vec<u8>> {
    let words = || (0..150u64).chain((1..=150).map(|i| 0u64.wrapping_sub(i)));
    let pair = |a: u64| words().map(move |b| [a.to_le_bytes(), b.to_le_bytes()].concat());
    words().flat_map(pair).collect()
}
