//! Finds the fewest decimal digits that read back to the same float.
//!
//! This is the free-format algorithm of Steele and White with the interval tests of Burger and Dybvig ("Printing
//! Floating-Point Numbers Quickly and Accurately", 1996), on exact integers. It is slower than algorithms with tables
//! and far smaller, because programs with little flash rarely print floats. On Cortex-M3 the crate `zmij` takes four
//! times the code and tables, `ryu` more, and both can panic when overflow checks are on.

use core::cmp::Ordering;

/// Most digits that an `f64` needs.
const DIGITS: usize = 17;

/// 32-bit limbs of an exact integer. The largest is ten times the denominator of the smallest
/// `f64`: 4 · 10 · 2^1074 has 1080 bits.
const LIMBS: usize = 34;

/// A positive number as decimal digits.
pub(super) struct Decimal {
    /// Digits from 0 to 9; neither the first nor the last is zero.
    pub(super) digits: heapless::Vec<u8, DIGITS>,
    /// The value is `0.DIGITS` times ten to this power.
    pub(super) point: i32,
}

/// The shortest decimal that rounds to `mantissa` · 2^(`up` − `down`), the nearest to it if there
/// are several. `mantissa` is positive, one of `up` and `down` is zero.
///
/// `narrow` says that the next smaller float is only half as far away as the next larger one, as
/// is so for powers of two.
pub(super) fn shortest(mantissa: u64, up: u32, down: u32, narrow: bool) -> Decimal {
    // All four in one unit, a quarter of the distance of floats: the value is `rest / one`, and
    // what lies less than `below` under it or `above` over it rounds to it.
    let mut rest = Big::new(mantissa << 2, up);
    let mut one = Big::new(4, down);
    let mut above = Big::new(2, up);
    let mut below = Big::new(if narrow { 1 } else { 2 }, up);
    // Halfway cases round to the even mantissa, so the interval of an even one includes its ends.
    let end = if mantissa & 1 == 0 { Ordering::Equal } else { Ordering::Greater };

    // Scale until the upper end of the interval lies between a tenth and one.
    let mut point = 0_i32;
    while rest.plus(&above).compare(&one) >= end {
        one.multiply(10);
        point = point.saturating_add(1);
    }
    let mut digits = heapless::Vec::new();
    loop {
        rest.multiply(10);
        above.multiply(10);
        below.multiply(10);
        let mut digit = 0_u8;
        while rest.compare(&one) != Ordering::Less {
            rest.subtract(&one);
            digit = digit.saturating_add(1);
        }
        // Whether the digits so far read back, as they are and with the last one more.
        let lower = below.compare(&rest) >= end;
        let upper = rest.plus(&above).compare(&one) >= end;
        // If both read back, take the nearer one; if they are equally near, the even one.
        let half = if digit & 1 == 1 { Ordering::Equal } else { Ordering::Greater };
        let round_up = upper && (!lower || rest.plus(&rest).compare(&one) >= half);
        let digit = digit.saturating_add(u8::from(round_up));
        if digit == 0 && digits.is_empty() {
            point = point.saturating_sub(1);
            continue;
        }
        // No digit is lost: an interval of floats always holds a decimal of `DIGITS` digits.
        if digits.push(digit).is_err() || lower || upper {
            return Decimal { digits, point };
        }
    }
}

/// An exact integer, little end first. `LIMBS` explains why nothing exceeds it.
///
/// Its loops are never inlined: unrolled at every call they added 7 kB at `opt-level = 3`.
pub(super) struct Big([u32; LIMBS]);

impl Big {
    /// `value` · 2^`shift`.
    #[inline(never)]
    pub(super) fn new(value: u64, shift: u32) -> Self {
        let mut big = Self([0; LIMBS]);
        let halves = [(value & 0xffff_ffff) as u32, (value >> 32) as u32];
        for (limb, half) in big.0.iter_mut().zip(halves) {
            *limb = half;
        }
        // Fifteen bits at a time: the most that `multiply` takes.
        let mut left = shift;
        while let Some(fewer) = left.checked_sub(15) {
            big.multiply(1 << 15);
            left = fewer;
        }
        big.multiply(1_u16.unbounded_shl(left));
        big
    }

    /// Multiplies by a small number.
    #[inline(never)]
    pub(super) fn multiply(&mut self, by: u16) {
        let mut carry = 0_u32;
        for limb in &mut self.0 {
            // The square of the largest limb and a carry fit 64 bits.
            let product =
                u64::from(*limb).wrapping_mul(u64::from(by)).wrapping_add(u64::from(carry));
            *limb = (product & 0xffff_ffff) as u32;
            carry = (product >> 32) as u32;
        }
    }

    /// The sum of two integers.
    #[inline(never)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = Self(self.0);
        let mut carry = false;
        for (limb, &add) in sum.0.iter_mut().zip(&other.0) {
            let (partial, first) = limb.overflowing_add(add);
            let (total, second) = partial.overflowing_add(u32::from(carry));
            *limb = total;
            carry = first || second;
        }
        sum
    }

    /// Subtracts an integer that is not larger.
    #[inline(never)]
    pub(super) fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (limb, &take) in self.0.iter_mut().zip(&other.0) {
            let (partial, first) = limb.overflowing_sub(take);
            let (total, second) = partial.overflowing_sub(u32::from(borrow));
            *limb = total;
            borrow = first || second;
        }
    }

    /// Compares by value.
    #[inline(never)]
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}
