//! Sorts the keys of a dictionary together with their indices.

use core::cmp::Ordering;

use crate::base::error::Error;
use crate::format::value::Value;

/// Converts the indices in an error about two keys, from sorted keys to the entries as the object gave them. `given`
/// returns the index of the entry for each sorted key.
pub(crate) fn as_given(error: Error, given: impl Fn(u32) -> Option<u32>) -> Error {
    let pair = |first: u32, second: u32| {
        let given = |index: u32| given(index).unwrap_or(index);
        let (first, second) = (given(first), given(second));
        (first.min(second), first.max(second))
    };
    match error {
        Error::DuplicateKey { first, second } => {
            let (first, second) = pair(first, second);
            Error::DuplicateKey { first, second }
        }
        Error::Unordered { first, second } => {
            let (first, second) = pair(first, second);
            Error::Unordered { first, second }
        }
        other => other,
    }
}

/// Sorts by insertion. Keys without an order stay adjacent, and the check of the head finds them.
pub(crate) fn sort(table: &mut [(Value<'_>, u8)]) {
    for end in 2..=table.len() {
        let mut rest = table.get_mut(..end).unwrap_or_default();
        while let Some((new, before)) = rest.split_last_mut() {
            let Some(old) = before.last_mut() else { break };
            if old.0.compare(new.0) != Some(Ordering::Greater) {
                break;
            }
            core::mem::swap(old, new);
            rest = before;
        }
    }
}
