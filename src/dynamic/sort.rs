//! Sorts the entries of a dictionary by their keys: few of them on the stack, more on the heap if there is one.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::base::error::Error;
#[cfg(feature = "alloc")]
use crate::base::heap_sort::heap_sort;
use crate::format::heading::{Dict, DictKind, HeadSpec};
use crate::format::value::Value;

/// The largest number of entries that [`Open::dict`](crate::dynamic::Open::dict) sorts on the stack. It sorts more only
/// with the feature `alloc`.
pub const MAX_UNSORTED_KEYS: usize = 64;

/// An entry of a dictionary: its key, its index among the entries as they were given, and its child if that is kept.
pub(super) type Sorted<'k, O> = (Value<'k>, u32, O);

/// The keys in their order, in a table of the caller.
pub(super) fn sort_on_stack<'t, 'k>(
    count: usize,
    keys: impl Iterator<Item = Value<'k>>,
    table: &'t mut [Sorted<'k, ()>; MAX_UNSORTED_KEYS],
) -> Result<&'t [Sorted<'k, ()>], Error> {
    let too_many = Error::TooManyKeys { needed: count, room: MAX_UNSORTED_KEYS };
    let table = table.get_mut(..count).ok_or(too_many)?;
    for ((slot, key), index) in table.iter_mut().zip(keys).zip(0..u32::MAX) {
        *slot = (key, index, ());
    }
    // By insertion. Keys without an order stay adjacent, and the check finds them.
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
    check(table)?;
    Ok(table)
}

/// The entries in the order of their keys.
#[cfg(feature = "alloc")]
pub(super) fn sort_on_heap<'k, D: Into<Value<'k>>, O>(
    count: usize,
    entries: impl Iterator<Item = (D, O)>,
) -> Result<Vec<Sorted<'k, O>>, Error> {
    let mut table = Vec::new();
    let too_many = Error::TooManyKeys { needed: count, room: MAX_UNSORTED_KEYS };
    table.try_reserve_exact(count).map_err(|_| too_many)?;
    for ((key, child), index) in entries.take(count).zip(0..u32::MAX) {
        table.push((key.into(), index, child));
    }
    if table.len() != count {
        return Err(Error::Arity { expected: count, found: table.len() });
    }
    // Equal keys keep their order, and keys without an order any: the check finds the neighbours that do not increase.
    heap_sort(&mut table, |a, b| {
        a.0.compare(b.0).is_some_and(|keys| keys.then(a.1.cmp(&b.1)).is_gt())
    });
    check(&table)?;
    Ok(table)
}

/// Checks that sorted keys increase. An error has the indices of the keys as they were given.
///
/// They are checked even where no head is written: without an order of the keys the leaves have no order.
fn check<O>(table: &[Sorted<'_, O>]) -> Result<(), Error> {
    let keys = table.iter().map(|(key, ..)| *key);
    Dict::new(DictKind::Sorted, keys).check(true).map_err(|mut error| {
        if let Error::DuplicateKey { first, second } | Error::Unordered { first, second } =
            &mut error
        {
            let [a, b] = [*first, *second]
                .map(|index| table.get(index as usize).map_or(index, |(_, given, _)| *given));
            (*first, *second) = (a.min(b), a.max(b));
        }
        error
    })
}
