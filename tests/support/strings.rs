//! Byte strings for tests that let two readers judge the same: all short ones, and longer ones of few letters.

/// A sequence of numbers that looks random and is always the same.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// The next number, below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % bound
    }
}

/// How many strings of at most three bytes `judge` accepts.
pub(crate) fn count_short(judge: impl Fn(&[u8]) -> bool) -> usize {
    let mut accepted = usize::from(judge(&[]));
    for a in 0..=255 {
        accepted += usize::from(judge(&[a]));
        for b in 0..=255 {
            accepted += usize::from(judge(&[a, b]));
            for c in 0..=255 {
                accepted += usize::from(judge(&[a, b, c]));
            }
        }
    }
    accepted
}

/// How many prefixes of `strings` strings of these letters, each shorter than `bound` behind the head of a list, `judge`
/// accepts. A string that starts as a list is refused less often at once.
pub(crate) fn count_of_letters(
    letters: &[u8],
    mut numbers: Numbers,
    (strings, bound): (usize, usize),
    judge: impl Fn(&[u8]) -> bool,
) -> usize {
    let mut accepted = 0;
    for _ in 0..strings {
        let mut bytes = vec![0x42 + u8::try_from(numbers.below(3)).unwrap()];
        let len = numbers.below(bound);
        bytes.extend((0..len).map(|_| letters[numbers.below(letters.len())]));
        // The first complete item string in it, if there is one, ends at some prefix.
        accepted += (1..=bytes.len()).filter(|end| judge(&bytes[..*end])).count();
    }
    accepted
}
