//! A sort in place that cannot panic.

use core::mem::swap;

/// Sorts in place, in a time that is never quadratic; items of which none is greater may change places.
///
/// Core's sorts may panic if `is_greater` is no order. This one then ends in some order.
///
/// The front of the items is a heap: none is less than those at twice its index plus 1 and plus 2. So the greatest is
/// the first. It changes places with the last one of the heap, which then is one shorter and has to be mended at its
/// top:
///
/// ```text
/// 9 7 8 1 5 | heap
/// 5 7 8 1 | 9
/// 8 7 5 1 | 9 mended
/// ```
#[inline(never)]
pub(crate) fn heap_sort<T>(items: &mut [T], is_greater: impl Fn(&T, &T) -> bool) {
    for top in (0..items.len() / 2).rev() {
        mend(items, top, &is_greater);
    }
    let mut heap = items;
    while let Some((last, rest)) = heap.split_last_mut() {
        if let Some(first) = rest.first_mut() {
            swap(first, last);
        }
        mend(rest, 0, &is_greater);
        heap = rest;
    }
}

/// Makes a heap of the part below `top`, which is one but for the item at `top`: that item sinks.
fn mend<T>(heap: &mut [T], mut top: usize, is_greater: &impl Fn(&T, &T) -> bool) {
    loop {
        let is_greater = |a: usize, b: usize| match (heap.get(a), heap.get(b)) {
            (Some(a), Some(b)) => is_greater(a, b),
            _ => false,
        };
        let left = top.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let child = if is_greater(right, left) { right } else { left };
        if !is_greater(child, top) {
            return;
        }
        if let Ok([parent, child]) = heap.get_disjoint_mut([top, child]) {
            swap(parent, child);
        }
        top = child;
    }
}
