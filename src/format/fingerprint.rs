//! Hashes byte strings by words, with the same result on every machine.
//!
//! The hash has 64 bits and never changes. The page `format` of the documentation defines it. Its state is two words.
//! It reads a block of 16 bytes as two words, combines each with one word of the state, and multiplies:
//!
//! ```text
//! x, y   = first xor state.0, second xor state.1
//! state  = (low((x + y)·y), x - high((x + y)·y))
//! ```
//!
//! # Why this mix
//!
//! A block changes the state by exclusive or, then the same function of `x` and `y` follows for every block. So all
//! blocks forget equally much of the state, and that function forgets little.
//!
//! - For a given `y`, different `x` give different states. Let `y` be `odd·2^k`. Then `low` determines all but the
//!   highest `k` bits of `x`. Add `t·2^(64-k)` to `x`, with `t` between 1 and `2^k - 1`. This adds `t·odd` to `high`,
//!   or `t·odd - y` where `x + y` passes `2^64`. So it adds `t·(2^(64-k) - odd)` to the difference, or that plus `y`.
//!   The factor is odd, so the number has fewer zeros at its end than `y` has: it is not zero. If `y` is zero, the
//!   state is `(0, x)`.
//! - For a given `x`, at most two values of `y` give one state. State and `x` determine the product, which grows with
//!   `y` except where `x + y` passes `2^64`.
//!
//! The lowest bits of `low` depend on no higher bits. If the next factor were `low` alone, they would be multiplied by
//! themselves in each block, and equal blocks in a row could turn them all into zeros. But both factors of the next
//! product contain the difference, which contains `high`.
//!
//! Simpler mixes fail. With `low xor high` as a state of one word, a factor of 0 or `2^64 - 1` forgets the other
//! factor; if one factor does not depend on the state, keys with a certain block collide whatever precedes it. In a
//! chain of `(state xor word)·constant` the highest bit of a word changes only the highest bit of the state, and the
//! next word can undo that.
//!
//! The hash has no key, so collisions can be computed. Look-ups by fingerprint are confirmed byte by byte.
//!
//! Two other implementations agree, one in Python and one as a big-endian machine loads words. `tests/golden` holds values of
//! structures and of lengths from 0 up. What no test repeats, because the function never changes: each bit of inputs of 1 to
//! 300 bytes flips each output bit in half of the cases; no value of a word and no row of equal blocks hides its neighbours;
//! buckets fill evenly from the low bits, the high bits and both together; a million treedefs, and families of similar byte
//! strings, have no collision of 64 bits and as many of 32 as chance expects.

/// The first 64 bits of the fraction of pi.
const START: u64 = 0x243f_6a88_85a3_08d3;

/// 2^64 divided by the golden ratio, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The 64-bit fingerprint of a byte string.
///
/// It is `const`, so the fingerprint of a constant structure is computed at compile time.
pub(crate) const fn of(bytes: &[u8]) -> u64 {
    let mut state = (START ^ (bytes.len() as u64).wrapping_mul(STEP), STEP);
    let last = if let (Some((_, before)), Some(last)) = (bytes.split_last(), bytes.last_chunk()) {
        // One byte less holds all blocks but the last one.
        let (blocks, _) = before.as_chunks();
        state = mix_all(state, blocks);
        words(last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (word(first), word(last))
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
    let (x, y) = mix(state, last);
    let (low, high) = product(x.wrapping_add(y), y);
    low ^ high
}

/// The state after `blocks`. Inlined, because a call passes its two results through memory.
#[expect(clippy::inline_always, reason = "a call costs as much as a block")]
#[inline(always)]
const fn mix_all(mut state: (u64, u64), mut blocks: &[[u8; 16]]) -> (u64, u64) {
    // Unrolled: fewer turns of the loop, no moves between registers. Firmware gets the shorter loop below.
    if cfg!(target_pointer_width = "64") {
        while let [a, b, c, d, e, f, g, h, after @ ..] = blocks {
            state = mix_four(mix_four(state, [a, b, c, d]), [e, f, g, h]);
            blocks = after;
        }
        if let [a, b, c, d, after @ ..] = blocks {
            state = mix_four(state, [a, b, c, d]);
            blocks = after;
        }
        return match blocks {
            [] => state,
            [a] => mix(state, words(a)),
            [a, b] => mix(mix(state, words(a)), words(b)),
            // There are no more than three.
            [a, b, c, ..] => mix(mix(mix(state, words(a)), words(b)), words(c)),
        };
    }
    while let [block, after @ ..] = blocks {
        state = mix(state, words(block));
        blocks = after;
    }
    state
}

/// The two words of a block.
const fn words(block: &[u8; 16]) -> (u64, u64) {
    // There are two.
    if let ([first, last], _) = block.as_chunks::<8>() { (word(first), word(last)) } else { (0, 0) }
}

/// The first word of `bytes`, which has one. Not inlined where it is put together of eight bytes, as on a Cortex-M0, which has no atomic
/// operations either.
#[cfg_attr(not(target_has_atomic = "ptr"), inline(never))]
const fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}

/// The state after four blocks.
const fn mix_four(state: (u64, u64), [a, b, c, d]: [&[u8; 16]; 4]) -> (u64, u64) {
    mix(mix(mix(mix(state, words(a)), words(b)), words(c)), words(d))
}

/// The state after a block.
const fn mix(state: (u64, u64), block: (u64, u64)) -> (u64, u64) {
    let (x, y) = (block.0 ^ state.0, block.1 ^ state.1);
    let (low, high) = product(x.wrapping_add(y), y);
    (low, x.wrapping_sub(high))
}

/// The low and the high half of a product.
const fn product(a: u64, b: u64) -> (u64, u64) {
    // One instruction on 64-bit machines, a call of a slow function on others.
    if cfg!(target_pointer_width = "64") { product_whole(a, b) } else { product_by_parts(a, b) }
}

/// [`product`] by one wide multiplication.
#[expect(clippy::cast_possible_truncation, reason = "the low half")]
const fn product_whole(a: u64, b: u64) -> (u64, u64) {
    let product = (a as u128).wrapping_mul(b as u128);
    (product as u64, (product >> 64) as u64)
}

/// [`product`] by four multiplications of 32 bits by 32.
const fn product_by_parts(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = u32::MAX as u64;
    let (a_low, a_high, b_low, b_high) = (a & LOW, a >> 32, b & LOW, b >> 32);
    // No sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) is 2^64 - 1.
    let low = a_low.wrapping_mul(b_low);
    let middle = a_high.wrapping_mul(b_low).wrapping_add(low >> 32);
    let other = a_low.wrapping_mul(b_high).wrapping_add(middle & LOW);
    let high = a_high.wrapping_mul(b_high).wrapping_add(middle >> 32).wrapping_add(other >> 32);
    (other << 32 | low & LOW, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_multiply_agree() {
        let edges = [0, 1, 2, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX];
        for (a, b) in edges.into_iter().flat_map(|a| edges.map(|b| (a, b))) {
            assert_eq!(product_whole(a, b), product_by_parts(a, b), "{a:x} {b:x}");
        }
        let (mut a, mut b) = (START, STEP);
        for _ in 0..100_000 {
            let product = product_whole(a, b);
            assert_eq!(product, product_by_parts(a, b), "{a:x} {b:x}");
            (a, b) = (b ^ product.0 ^ product.1, a.wrapping_add(STEP));
        }
    }
}
