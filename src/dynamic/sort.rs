//! Keys of a dictionary, sorted with their places.

use core::cmp::Ordering;

use crate::base::error::Error;
use crate::dynamic::object::MAX_UNSORTED_KEYS;
use crate::format::value::Value;

/// The error about two keys with their indices among the entries as the object gave them, where `order` has these
/// indices in the order of the keys.
pub(crate) fn as_given(error: Error, order: &[u8; MAX_UNSORTED_KEYS]) -> Error {
    let pair = |first: u32, second: u32| {
        let given = |index: u32| order.get(index as usize).map_or(index, |at| u32::from(*at));
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

/// Sorts by insertion. Keys without an order stay side by side, for the heading to find.
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
