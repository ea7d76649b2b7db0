//! Makes trees of `hashbrown::HashMap`, `indexmap::IndexMap` and `std::collections::HashMap`: dictionaries.

use alloc::vec::Vec;
use core::convert::identity;
use core::hash::{BuildHasher, Hash};

use crate::format::to_value::MapKey;
use crate::tree::containers::entries::container;

/// Returns the entries in a list, in the order of their keys if they are to be sorted.
fn list<Q: Ord, T>(entries: impl Iterator<Item = (Q, T)>, sort: bool) -> Vec<(Q, T)> {
    let mut list = Vec::from_iter(entries);
    if sort {
        list.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    }
    list
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
            /// The map keeps its entries in no order or in that of their insertion, so each call that reads it allocates a list of pointers to its entries and sorts
            /// the list. A call that takes the map by value sorts a list of the entries. No other typed tree allocates
            /// when it is read.
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
