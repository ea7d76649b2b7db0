//! Sorts the entries of large dictionaries on the heap: those with more unsorted keys than the stack has room for.

use alloc::vec::Vec;

use crate::base::error::Error;
use crate::dynamic::flatten::{At, Leaves};
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object};
use crate::dynamic::rule::Rule;
use crate::dynamic::sort::as_given;
use crate::dynamic::trail::Laid;
use crate::encode::encoder::Encode;
use crate::format::heading::{Dict, DictKind, HeadSpec};
use crate::format::value::Value;

/// Visits the entries of a dictionary in the order of their keys. They are sorted in one list.
///
/// It is a function of its own so that only the frames of such dictionaries hold the list.
#[inline(never)]
pub(super) fn visit_on_heap<'k, O, E, R, K, T, D>(
    at: At<'_, '_, E, R, K, T>,
    entries: impl ExactSizeIterator<Item = (D, O)>,
    levels: u32,
) -> bool
where
    O: Object,
    E: Encode,
    R: Rule<O>,
    K: Leaves<R::Item>,
    T: Laid,
    D: Into<Value<'k>>,
{
    // The leaves before the dictionary are reported first.
    if !at.walk.out.flush(at.list, at.walk.leaves.count()) {
        return false;
    }
    match sorted(entries) {
        Ok(table) => {
            let spec = Dict::new(DictKind::Sorted, table.iter().map(key_of));
            at.enter(&spec, || table.iter().map(|(.., child)| *child), || None, true, levels)
        }
        Err(error) => at.walk.out.fail(error),
    }
}

/// The key, the index that it has among the entries as the object gives them, and the child.
type Entry<'k, O> = (Value<'k>, u32, O);

fn key_of<'k, O>((key, ..): &Entry<'k, O>) -> Value<'k> {
    *key
}

/// The entries in the order of their keys.
fn sorted<'k, D: Into<Value<'k>>, O>(
    entries: impl ExactSizeIterator<Item = (D, O)>,
) -> Result<Vec<Entry<'k, O>>, Error> {
    let (count, mut table) = (entries.len(), Vec::new());
    let full = Error::TooManyKeys { needed: count, room: MAX_UNSORTED_KEYS };
    table.try_reserve_exact(count).map_err(|_| full)?;
    for ((key, child), index) in entries.take(count).zip(0..u32::MAX) {
        table.push((key.into(), index, child));
    }
    if table.len() != count {
        return Err(Error::Arity { expected: count, found: table.len() });
    }
    heap_sort(&mut table);
    let given = |index: u32| table.get(index as usize).map(|(_, index, _)| *index);
    let spec = Dict::new(DictKind::Sorted, table.iter().map(key_of));
    spec.check().map_err(|error| as_given(error, given))?;
    Ok(table)
}

/// Sorts any number of entries in place, in a time that is never quadratic. Equal keys keep their order.
///
/// Core's sorts may panic if keys have no order. This one then ends in some order, in which `Dict::check` finds
/// neighbours that do not increase.
///
/// The front of the table is a heap: no key is below those at twice its index plus 1 and plus 2. So the largest is the
/// first. It changes places with the last one of the heap, which then is one shorter and has to be mended at its top:
///
/// ```text
/// 9 7 8 1 5 | heap
/// 5 7 8 1 | 9
/// 8 7 5 1 | 9 mended
/// ```
fn heap_sort<O>(table: &mut [Entry<'_, O>]) {
    for top in (0..table.len() / 2).rev() {
        mend(table, top);
    }
    let mut heap = table;
    while let Some((last, rest)) = heap.split_last_mut() {
        if let Some(first) = rest.first_mut() {
            core::mem::swap(first, last);
        }
        mend(rest, 0);
        heap = rest;
    }
}

/// Makes a heap of the part below `top`, which is one but for the key at `top`: that key sinks.
fn mend<O>(heap: &mut [Entry<'_, O>], mut top: usize) {
    loop {
        let is_greater = |a: usize, b: usize| match (heap.get(a), heap.get(b)) {
            (Some(a), Some(b)) => {
                a.0.compare(b.0).is_some_and(|keys| keys.then(a.1.cmp(&b.1)).is_gt())
            }
            _ => false,
        };
        let left = top.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let child = if is_greater(right, left) { right } else { left };
        if !is_greater(child, top) {
            return;
        }
        if let Ok([parent, child]) = heap.get_disjoint_mut([top, child]) {
            core::mem::swap(parent, child);
        }
        top = child;
    }
}
