//! What every iterator keeps, whatever it goes over.

use std::fmt::Debug;

/// The number of items that are looked at. There can be billions.
const SEEN: usize = 8;

/// Compares each way to go through an iterator with single steps.
pub(crate) fn laws<I: Iterator<Item: Debug> + Clone>(name: &str, iterator: I) {
    let show = |item: Option<I::Item>| item.map(|item| format!("{item:?}"));
    let mut rest = iterator.clone();
    let seen: Vec<_> = rest.by_ref().take(SEEN).map(|item| format!("{item:?}")).collect();
    let (low, high) = iterator.size_hint();
    assert!(high.is_none_or(|high| low <= high && high >= seen.len()), "{name}: {low}, {high:?}");
    for n in 0..=seen.len() {
        let mut some = iterator.clone();
        let item = show(some.nth(n));
        if n < seen.len() {
            assert_eq!(item.as_ref(), seen.get(n), "{name}.nth({n})");
        }
        if n + 1 < seen.len() {
            assert_eq!(show(some.next()).as_ref(), seen.get(n + 1), "{name} after nth({n})");
        }
    }
    if seen.len() < SEEN {
        assert!(low <= seen.len(), "{name}: at least {low}");
        assert_eq!(iterator.clone().count(), seen.len(), "{name}.count()");
        assert_eq!(show(iterator.clone().last()).as_ref(), seen.last(), "{name}.last()");
        assert_eq!(show(iterator.clone().nth(usize::MAX)), None, "{name}.nth(usize::MAX)");
        assert!(rest.next().is_none() && rest.next().is_none(), "{name} goes on after its end");
    }
}

/// The same from behind.
pub(crate) fn laws_from_behind<I>(name: &str, iterator: I)
where
    I: DoubleEndedIterator<Item: Debug> + ExactSizeIterator + Clone,
{
    laws(name, iterator.clone());
    if iterator.len() < SEEN {
        laws(name, iterator.clone().rev());
        let mut items: Vec<_> = iterator.clone().rev().map(|item| format!("{item:?}")).collect();
        items.reverse();
        assert!(iterator.map(|item| format!("{item:?}")).eq(items), "{name}.rev()");
    }
}
