//! Sorts the entries of large dictionaries on the heap: those with more unsorted keys than the stack has room for.

use alloc::vec::Vec;

use crate::base::error::Error;
use crate::base::heap_sort::heap_sort;
use crate::dynamic::flatten::At;
use crate::dynamic::leaves::Leaves;
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object};
use crate::dynamic::rule::Rule;
use crate::dynamic::sort::as_given;
use crate::format::heading::{Dict, DictKind, HeadSpec};
use crate::format::value::Value;

/// Visits the entries of a dictionary in the order of their keys. They are sorted in one list.
///
/// It is a function of its own so that only the frames of such dictionaries hold the list.
#[inline(never)]
pub(super) fn visit_on_heap<'k, O, R, K, D>(
    at: At<'_, '_, '_, R, K>,
    start: u32,
    entries: impl ExactSizeIterator<Item = (D, O)>,
) where
    O: Object,
    R: Rule<O>,
    K: Leaves<R::Item>,
    D: Into<Value<'k>>,
{
    match sorted(entries) {
        Ok(table) => {
            let spec = Dict::new(DictKind::Sorted, table.iter().map(key_of));
            if at.walk.out.put_head(start, &spec).is_some() {
                at.children(
                    start,
                    (table.len(), &spec),
                    || table.iter().map(|(.., child)| *child),
                    || None,
                );
            }
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
    // Equal keys keep their order, and keys without an order any: `Dict::check` finds the neighbours that do not increase.
    heap_sort(&mut table, |a, b| {
        a.0.compare(b.0).is_some_and(|keys| keys.then(a.1.cmp(&b.1)).is_gt())
    });
    let given = |index: u32| table.get(index as usize).map(|(_, index, _)| *index);
    let spec = Dict::new(DictKind::Sorted, table.iter().map(key_of));
    spec.check().map_err(|error| as_given(error, given))?;
    Ok(table)
}
