//! The fingerprint twice more, from its description, and a hash that is not good enough.

/// Where the state starts: 64 bits of the fraction of pi.
const START: u64 = 0x243F_6A88_85A3_08D3;
/// What changes the first word of a block: the next 64 bits.
const MASK: u64 = 0x1319_8A2E_0370_7344;
/// 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

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
pub(crate) fn big_endian(bytes: &[u8]) -> u64 {
    let load = |part: &[u8]| {
        let mut padded = [0; 8];
        padded[..part.len()].copy_from_slice(part);
        u64::from_be_bytes(padded).swap_bytes()
    };
    let fold = |a: u64, b: u64| {
        // The halves of the product lie in memory the other way round.
        let product = (u128::from(a) * u128::from(b)).to_be_bytes();
        let half = |at| u64::from_be_bytes(std::array::from_fn(|i| product[at + i]));
        half(0) ^ half(8)
    };
    let start = START ^ (bytes.len() as u64).wrapping_mul(STEP);
    let mix = |state, [first, second]: [&[u8]; 2]| fold(load(first) ^ MASK, load(second) ^ state);
    fold(blocks(bytes).into_iter().fold(start, mix), STEP)
}

/// A number as its eight digits to the base 256, the lowest first.
type Digits = [u8; 8];

/// By digits, as on paper: no machine word is ever loaded.
pub(crate) fn by_digits(bytes: &[u8]) -> u64 {
    let constant = |n: u64| std::array::from_fn(|i| (n >> (8 * i)) as u8);
    let pad = |part: &[u8]| std::array::from_fn(|i| part.get(i).copied().unwrap_or(0));
    let low = |digits: [u8; 16]| -> Digits { std::array::from_fn(|i| digits[i]) };
    let fold = |a, b| {
        let product = multiply(a, b);
        std::array::from_fn(|i| product[i] ^ product[i + 8])
    };
    let (start, mask, step) = (constant(START), constant(MASK), constant(STEP));
    let length = constant(bytes.len() as u64);
    let mut state = xor(start, low(multiply(length, step)));
    for [first, second] in blocks(bytes) {
        state = fold(xor(pad(first), mask), xor(pad(second), state));
    }
    fold(state, step).iter().rev().fold(0, |n, digit| n << 8 | u64::from(*digit))
}

/// Digit by digit.
fn xor(a: Digits, b: Digits) -> Digits {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// Long multiplication.
fn multiply(a: Digits, b: Digits) -> [u8; 16] {
    let mut product = [0; 16];
    for (i, x) in a.into_iter().enumerate() {
        let mut carry = 0;
        for (j, y) in b.into_iter().enumerate() {
            let sum = u16::from(product[i + j]) + u16::from(x) * u16::from(y) + carry;
            (product[i + j], carry) = (sum as u8, sum >> 8);
        }
        product[i + 8] = carry as u8;
    }
    product
}

/// The chain of rotation, exclusive or and multiplication that many fast hashes are: what must fail the tests.
pub(crate) fn weak(bytes: &[u8]) -> u64 {
    let (words, tail) = bytes.as_chunks::<8>();
    let rest = tail.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain([rest]);
    let start = (bytes.len() as u64).wrapping_mul(STEP);
    let hash = words.fold(start, |hash, word| (hash.rotate_left(23) ^ word).wrapping_mul(STEP));
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ hash >> 32
}
