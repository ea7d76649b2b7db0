//! Compares keys at compile time.

use core::cmp::Ordering;

use crate::base::error::Error;

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

/// Checks that strings strictly increase by their bytes.
pub(crate) const fn strictly_increase(mut keys: &[&str]) -> Result<(), Error> {
    let mut first = 0u32;
    while let [a, rest @ ..] = keys {
        let second = first.saturating_add(1);
        if let [b, ..] = rest {
            match compare(a.as_bytes(), b.as_bytes()) {
                Ordering::Less => {}
                Ordering::Equal => return Err(Error::DuplicateKey { first, second }),
                Ordering::Greater => return Err(Error::UnsortedKeys { first, second }),
            }
        }
        (first, keys) = (second, rest);
    }
    Ok(())
}
