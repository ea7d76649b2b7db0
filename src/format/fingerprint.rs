//! Hash and equality of byte strings by words, the same on every machine.
//!
//! The hash is 64 bits wide and fixed for ever. It reads blocks of 16 bytes as two words, low byte first, and
//! multiplies one, changed by a constant, with the other, changed by the state; the two halves of the 128-bit product
//! together are the next state:
//!
//! ```text
//! fold(a, b) = low 64 bits of a·b  xor  high 64 bits of a·b
//! state      = START xor length·STEP
//! state      = fold(first xor MASK, second xor state)       for each block
//! result     = fold(state, STEP)
//! ```
//!
//! The last block is the last 16 bytes, so that it overlaps the one before where 16 does not divide the length. Shorter
//! strings are one block: 8 to 15 bytes the first 8 and the last 8, 4 to 7 bytes the first 4 and the last 4, fewer
//! the word of them all, twice. The length in the start keeps these apart.
//!
//! Why a product of two words and no chain of `(state xor word)·constant`, which multiplies as often for half of the
//! bytes: there the highest bit of a word changes the highest bit of the state and nothing else, a bit in the next word
//! takes it back, and families of byte strings have one hash whatever else is in them. `tests/fingerprints` keeps such
//! a hash as one that must fail. A factor of zero forgets what came before, with a chance of 2^-64 for each block.
//!
//! What is shown there: each bit of inputs of 1 to 300 bytes flips each output bit in half of the cases; buckets fill
//! evenly from the low bits, the high bits and both together; a million treedefs, and thirteen families of byte strings
//! that are alike, have no collision of 64 bits and as many of 32 as chance expects; two other implementations, one by
//! bytes and one as a big-endian machine loads words, agree. `tests/golden` holds values of structures and of lengths
//! from 0 up.

/// The first 64 bits of the fraction of pi.
const START: u64 = 0x243f_6a88_85a3_08d3;

/// The next 64 bits of the fraction of pi.
const MASK: u64 = 0x1319_8a2e_0370_7344;

/// 2^64 divided by the golden ratio, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The 64-bit fingerprint of a byte string.
///
/// `const`, so that fixed structures have theirs in flash. It filters; bytes decide.
pub(crate) const fn of(bytes: &[u8]) -> u64 {
    let mut state = START ^ (bytes.len() as u64).wrapping_mul(STEP);
    let last = if let (Some((_, before)), Some(last)) = (bytes.split_last(), bytes.last_chunk()) {
        // One byte less holds all blocks but the last one.
        let (mut blocks, _) = before.as_chunks();
        // Fewer turns of the loop, and no moves between registers; firmware wants the shorter code.
        while cfg!(target_pointer_width = "64")
            && let [a, b, c, d, after @ ..] = blocks
        {
            state = mix(mix(mix(mix(state, words(a)), words(b)), words(c)), words(d));
            blocks = after;
        }
        while let [block, after @ ..] = blocks {
            state = mix(state, words(block));
            blocks = after;
        }
        words(last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64)
    } else {
        let (mut word, mut rest) = (0, bytes);
        while let [before @ .., byte] = rest {
            word = word << 8 | *byte as u64;
            rest = before;
        }
        (word, word)
    };
    fold(mix(state, last), STEP)
}

/// The two words of a block.
#[expect(clippy::cast_possible_truncation, reason = "the low word")]
const fn words(block: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*block);
    (both as u64, (both >> 64) as u64)
}

/// The state after a block.
const fn mix(state: u64, (first, second): (u64, u64)) -> u64 {
    fold(first ^ MASK, second ^ state)
}

/// The halves of the 128-bit product, one upon the other.
const fn fold(a: u64, b: u64) -> u64 {
    // One instruction on 64-bit machines, a call of a slow function elsewhere.
    if cfg!(target_pointer_width = "64") { fold_whole(a, b) } else { fold_parts(a, b) }
}

/// [`fold`] by one wide multiplication.
#[expect(clippy::cast_possible_truncation, reason = "the low half")]
const fn fold_whole(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    product as u64 ^ (product >> 64) as u64
}

/// [`fold`] by four multiplications of 32 bits by 32: 26 instructions for a block on Cortex-M3.
const fn fold_parts(a: u64, b: u64) -> u64 {
    const LOW: u64 = u32::MAX as u64;
    let (a_low, a_high, b_low, b_high) = (a & LOW, a >> 32, b & LOW, b >> 32);
    // No sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) is 2^64 - 1.
    let low = a_low.wrapping_mul(b_low);
    let middle = a_high.wrapping_mul(b_low).wrapping_add(low >> 32);
    let other = a_low.wrapping_mul(b_high).wrapping_add(middle & LOW);
    let high = a_high.wrapping_mul(b_high).wrapping_add(middle >> 32).wrapping_add(other >> 32);
    (other << 32 | low & LOW) ^ high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_fold_agree() {
        let edges = [0, 1, 2, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX];
        for (a, b) in edges.into_iter().flat_map(|a| edges.map(|b| (a, b))) {
            assert_eq!(fold_whole(a, b), fold_parts(a, b), "{a:x} {b:x}");
        }
        let (mut a, mut b) = (START, MASK);
        for _ in 0..100_000 {
            let folded = fold_whole(a, b);
            assert_eq!(folded, fold_parts(a, b), "{a:x} {b:x}");
            (a, b) = (b ^ folded, a.wrapping_add(STEP));
        }
    }
}
