//! The fingerprint twice more, from its description, and a hash that is not good enough.

/// Where the state starts: 64 bits of the fraction of pi.
const START: u64 = 0x243F_6A88_85A3_08D3;
/// What changes the first word of a block in a hash that fails: the next 64 bits.
const MASK: u64 = 0x1319_8A2E_0370_7344;
/// 2^64 divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// All of them.
pub(crate) const CONSTANTS: [u64; 3] = [START, MASK, STEP];

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
    let product = |x: u64, y: u64| {
        // The halves of the product lie in memory the other way round.
        let product = (u128::from(x.wrapping_add(y)) * u128::from(y)).to_be_bytes();
        let half = |at| u64::from_be_bytes(std::array::from_fn(|i| product[at + i]));
        (half(8), half(0))
    };
    let mut state = (START ^ (bytes.len() as u64).wrapping_mul(STEP), STEP);
    for [first, second] in blocks(bytes) {
        let (x, y) = (load(first) ^ state.0, load(second) ^ state.1);
        let (low, high) = product(x, y);
        state = (low, x.wrapping_sub(high));
    }
    let (low, high) = product(state.0, state.1);
    low ^ high
}

/// A number as its eight digits to the base 256, the lowest first.
type Digits = [u8; 8];

/// By digits, as on paper: no machine word is ever loaded.
pub(crate) fn by_digits(bytes: &[u8]) -> u64 {
    let constant = |n: u64| std::array::from_fn(|i| (n >> (8 * i)) as u8);
    let pad = |part: &[u8]| std::array::from_fn(|i| part.get(i).copied().unwrap_or(0));
    let halves = |digits: [u8; 16]| -> (Digits, Digits) {
        (std::array::from_fn(|i| digits[i]), std::array::from_fn(|i| digits[i + 8]))
    };
    let product = |x, y| halves(multiply(add(x, y), y));
    let (start, step) = (constant(START), constant(STEP));
    let (length, _) = halves(multiply(constant(bytes.len() as u64), step));
    let mut state = (xor(start, length), step);
    for [first, second] in blocks(bytes) {
        let (x, y) = (xor(pad(first), state.0), xor(pad(second), state.1));
        let (low, high) = product(x, y);
        state = (low, subtract(x, high));
    }
    let (low, high) = product(state.0, state.1);
    xor(low, high).iter().rev().fold(0, |n, digit| n << 8 | u64::from(*digit))
}

/// Digit by digit; the last carry is lost.
fn add(a: Digits, b: Digits) -> Digits {
    let mut carry = 0;
    std::array::from_fn(|i| {
        let sum = u16::from(a[i]) + u16::from(b[i]) + carry;
        carry = sum >> 8;
        sum as u8
    })
}

/// By adding the complement.
fn subtract(a: Digits, b: Digits) -> Digits {
    add(a, add(b.map(|digit| !digit), [1, 0, 0, 0, 0, 0, 0, 0]))
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

/// A product of each block's words, of which the first meets a constant and the second the state: what must fail the
/// test of words that hide others.
pub(crate) fn blind(bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let start = START ^ (bytes.len() as u64).wrapping_mul(STEP);
    let mix = |state, [first, second]: [&[u8]; 2]| fold(word(first) ^ MASK, word(second) ^ state);
    fold(blocks(bytes).into_iter().fold(start, mix), STEP)
}

/// Two words of state, of which the low half of the product stays in its place: what must fail the test of equal blocks.
pub(crate) fn fading(bytes: &[u8]) -> u64 {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let mut state = (START ^ (bytes.len() as u64).wrapping_mul(STEP), MASK);
    for [first, second] in blocks(bytes) {
        let (x, y) = (word(first) ^ state.0, word(second) ^ state.1);
        let product = u128::from(x) * u128::from(y);
        state = ((product as u64).wrapping_add(x), (product >> 64) as u64 ^ y);
    }
    state.0 ^ state.1
}
