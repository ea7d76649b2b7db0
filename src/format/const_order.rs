//! Compares keys at compile time.

use core::cmp::Ordering;

/// The order of two byte strings, also in `const`.
pub(crate) const fn compare(mut a: &[u8], mut b: &[u8]) -> Ordering {
    loop {
        match (a, b) {
            ([], []) => return Ordering::Equal,
            ([], _) => return Ordering::Less,
            (_, []) => return Ordering::Greater,
            ([x, a_rest @ ..], [y, b_rest @ ..]) => {
                if *x < *y {
                    return Ordering::Less;
                }
                if *x > *y {
                    return Ordering::Greater;
                }
                (a, b) = (a_rest, b_rest);
            }
        }
    }
}
