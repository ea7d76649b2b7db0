//! What a good hash looks like in numbers, and how far from it a sample may lie.

/// Numbers that look random (xorshift, with a constant that the fingerprint does not use), the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 33) as usize % n
    }

    /// Random bytes.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.bits() >> 56) as u8).collect()
    }

    /// Zeros, but for two random bytes at random places: input with little in it.
    pub(crate) fn sparse(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        for _ in 0..2 {
            bytes[self.below(len)] = (self.bits() >> 56) as u8;
        }
        bytes
    }
}

/// Counts for each of 64 bits in how many words it is set; the counters stand bit-sliced, so that adding is cheap.
#[derive(Clone, Default)]
pub(crate) struct BitCounts {
    planes: [u64; 32],
    words: u32,
}

impl BitCounts {
    /// Counts one word.
    pub(crate) fn add(&mut self, word: u64) {
        let mut carry = word;
        for plane in &mut self.planes {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
            if carry == 0 {
                break;
            }
        }
        self.words += 1;
    }

    /// The share of words in which each bit is set.
    pub(crate) fn shares(&self) -> [f64; 64] {
        std::array::from_fn(|bit| {
            let plane = |(i, plane): (usize, &u64)| (plane >> bit & 1) << i;
            let count: u64 = self.planes.iter().enumerate().map(plane).sum();
            count as f64 / f64::from(self.words)
        })
    }
}

/// How many standard deviations from half the shares of `samples` tosses lie: the worst one, and the mean of all, of the
/// low 32 and of the high 32.
pub(crate) fn from_half(shares: &[f64; 64], samples: f64) -> (f64, f64) {
    let deviation = |shares: &[f64]| {
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        (mean - 0.5).abs() * 2.0 * (samples * shares.len() as f64).sqrt()
    };
    let worst = shares.iter().map(|share| deviation(&[*share])).fold(0.0, f64::max);
    let (low, high) = shares.split_at(32);
    (worst, [&shares[..], low, high].map(deviation).into_iter().fold(0.0, f64::max))
}

/// How many pairs of equal numbers there are.
pub(crate) fn equal_pairs(mut numbers: Vec<u64>) -> usize {
    numbers.sort_unstable();
    numbers.chunk_by(|a, b| a == b).map(|equal| equal.len() * (equal.len() - 1) / 2).sum()
}
