//! Makes trees of `hashbrown::HashMap`, `indexmap::IndexMap` and `std::collections::HashMap`: dictionaries.

use alloc::vec::Vec;
use core::convert::identity;
use core::hash::{BuildHasher, Hash};

use crate::format::to_value::MapKey;
use crate::format::value::Value;
use crate::tree::containers::entries::container;

/// Returns the entries in a list, in the order of their keys if they are to be sorted.
fn list<Q: MapKey, T>(entries: impl Iterator<Item = (Q, T)>, sort: bool) -> Vec<(Q, T)> {
    let list = Vec::from_iter(entries);
    if sort { sorted(list) } else { list }
}

/// Sorts entries by their keys.
///
/// Most texts differ in the first five bytes after those that all have. So words of these bytes and an index are sorted, which takes a
/// fifth of the time, and the keys only if two words have the same bytes.
fn sorted<Q: MapKey, T>(mut list: Vec<(Q, T)>) -> Vec<(Q, T)> {
    const INDEX: u64 = (1 << 24) - 1;
    let mut is_tied = true;
    if let Some(shared) = shared(&list)
        && list.len() as u64 <= INDEX
    {
        let words = list.iter().zip(0u64..).map(|((key, _), index)| {
            key.with_value(|key| {
                front(text(&key).and_then(|text| text.get(shared..))) & !INDEX | index
            })
        });
        let mut words = Vec::from_iter(words);
        words.sort_unstable();
        let next = words.iter().skip(1);
        is_tied = words.iter().zip(next).any(|(one, next)| one ^ next <= INDEX);
        let mut entries = Vec::from_iter(list.into_iter().map(Some));
        let take = |word| entries.get_mut((word & INDEX) as usize)?.take();
        list = words.into_iter().filter_map(take).collect();
    }
    if is_tied {
        list.sort_unstable_by(|(key, _), (other, _)| key.cmp(other));
    }
    list
}

/// The number of bytes with which all keys begin; `None` if not all are texts.
fn shared<Q: MapKey, T>(list: &[(Q, T)]) -> Option<usize> {
    let ((first, _), others) = list.split_first()?;
    first.with_value(|first| {
        let both =
            |shared, (key, _): &(Q, T)| key.with_value(|key| Some(common(shared, text(&key)?)));
        Some(others.iter().try_fold(text(&first)?, both)?.len())
    })
}

/// What both begin with.
fn common<'b>(one: &'b [u8], other: &[u8]) -> &'b [u8] {
    if other.starts_with(one) {
        return one;
    }
    let mut pairs = (0..usize::MAX).zip(one.iter().zip(other));
    let differs = pairs.find(|(_, (one, other))| one != other);
    one.get(..differs.map_or(other.len(), |(at, _)| at)).unwrap_or(one)
}

/// The bytes of a text.
const fn text<'v>(key: &Value<'v>) -> Option<&'v [u8]> {
    if let Value::Str(text) = key { Some(text.as_bytes()) } else { None }
}

/// The first eight bytes as a number of the same order.
fn front(bytes: Option<&[u8]>) -> u64 {
    let bytes = bytes.unwrap_or_default();
    let front = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut front = [0; 8];
        front.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        front
    });
    u64::from_be_bytes(front)
}

/// Iterates over the entries of a list.
fn again<Q: Copy, T: Copy>(
    list: &[(Q, T)],
) -> impl ExactSizeIterator<Item = (Q, T)> + Clone + use<'_, Q, T> {
    list.iter().copied()
}

macro_rules! hash_map {
    ($HashMap:ident) => {
        container! {
            @impl
            /// A dictionary. Its keys are sorted.
            ///
            /// The map keeps its entries in no order or in that of their insertion, so each call that reads it allocates lists of pointers
            /// to its entries and of words by which it sorts these. A call that takes the map by value sorts a list of the entries. No
            /// other typed tree allocates when it is read.
            [Q: MapKey + Hash, H: BuildHasher] [H: Default] $HashMap<[Q,] T [, H]>, key: Q, list: false, room: [],
            iter: |map, sort| list(map.iter(), sort), iter_mut: |map, sort| list(map.iter_mut(), sort), again: again,
            zipped: list, into_iter: |map| list(map.into_iter(), true).into_iter().map(|(_, tree)| tree),
            count: |map| map.len(), keys: |map| map.keys(), has: |map, key| map.contains_key(key),
            empty: $HashMap::default(), insert: |map, key, tree| drop(map.insert(key, tree)), finish: identity
        }
    };
}

#[cfg(feature = "hashbrown")]
use hashbrown::HashMap as HashbrownMap;
#[cfg(feature = "hashbrown")]
hash_map!(HashbrownMap);

#[cfg(feature = "std")]
use std::collections::HashMap as StdMap;
#[cfg(feature = "std")]
hash_map!(StdMap);

#[cfg(feature = "indexmap")]
use indexmap::IndexMap;
#[cfg(feature = "indexmap")]
hash_map!(IndexMap);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_sorted(
            before in "[ab\u{0}]{0,3}",
            keys in prop::collection::vec("[ab\u{0}é]{0,8}", 0..40),
        ) {
            let mut keys = Vec::from_iter(keys.into_iter().map(|key| before.clone() + &key));
            let sorted = list(keys.iter().map(|key| (key, ())), true);
            let sorted = Vec::from_iter(sorted.into_iter().map(|(key, ())| key.clone()));
            keys.sort_unstable();
            prop_assert_eq!(sorted, keys);
        }
    }
}
