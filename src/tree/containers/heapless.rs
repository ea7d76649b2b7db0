//! `heapless`: `Vec` is a list, the maps are dictionaries.
//!
//! What does not fit when a tree is rebuilt is [`Error::Capacity`]; a string that does not fit is no key or meta fields
//! of its type, and so [`Error::Mismatch`].

use core::hash::{BuildHasher, Hash};

use heapless::index_map::IndexMap;
use heapless::{LinearMap, Vec};

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::to_value::{FromValue, MapKey};
use crate::tree::containers::list::vector;
use crate::tree::containers::map::{describe_entries, doubled, map, values};
use crate::tree::family::LeafTypes;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::pairing::Pairing;
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{MapTree, TreeBuild, TreeRead, TreeWrite, Visit, ZipPrefix};
use crate::treedef::cursor::Siblings;

/// The elements in order, taken from the end of the reverse: the iterator of an owned `Vec` indexes when it is dropped.
fn elements<T, const N: usize>(mut vector: Vec<T, N>) -> impl Iterator<Item = T> {
    vector.reverse();
    core::iter::from_fn(move || vector.pop())
}

vector!([, const N: usize] Vec<T, N>, room: N, new: |_| Vec::new(), push: Vec::push, owned: elements);

/// The entries of a map in the order of their keys, the last one first in memory: it is taken apart from the end, as by
/// [`elements`].
struct List<Q, T, const N: usize>(Vec<(Q, T), N>);

/// Puts the entries of a map with the capacity `N` in the order of their keys.
fn list<Q: Ord, T, const N: usize>(mut entries: impl Iterator<Item = (Q, T)>) -> List<Q, T, N> {
    let mut list = Vec::new();
    for entry in &mut entries {
        // A map holds no more than its capacity.
        let _ = list.push(entry);
        sink_down(&mut list);
    }
    // Nothing is left in it to be dropped.
    core::mem::forget(entries);
    list.reverse();
    List(list)
}

/// Moves the last entry to its place among those before it, which are in order.
///
/// The sorts of `core` can panic where an order contradicts itself.
fn sink_down<Q: Ord, T>(mut list: &mut [(Q, T)]) {
    while let [.., before, last] = list
        && last.0 < before.0
    {
        core::mem::swap(before, last);
        list = list.split_last_mut().map_or(&mut [], |(_, rest)| rest);
    }
}

impl<Q, T, const N: usize> Iterator for List<Q, T, N> {
    type Item = (Q, T);

    fn next(&mut self) -> Option<(Q, T)> {
        self.0.pop()
    }
}

/// The entries of a list, to be gone through as often as asked.
fn again<Q: Copy, T: Copy, const N: usize>(
    list: &List<Q, T, N>,
) -> impl ExactSizeIterator<Item = (Q, T)> + Clone + use<'_, Q, T, N> {
    list.0.iter().rev().copied()
}

map! {
    /// A dictionary with its keys in sorted order.
    ///
    /// The map keeps its entries in another order. Each call that goes through it puts pointers to the entries in order
    /// first, in a list on the stack that holds as many as the map can: two words for each entry of its capacity `N`
    /// (to take the map apart, the entries themselves). It costs n comparisons where n keys were inserted in order, n²
    /// / 2 at worst; nothing is allocated, and no map is too large.
    [, const N: usize] LinearMap<Q, T, N>, key: [MapKey], room: N,
    list: list::<_, _, N>, entries: again, insert: LinearMap::insert
}

map! {
    /// A dictionary with its keys in sorted order, at the costs of a [`LinearMap`].
    [, S: BuildHasher, const N: usize] IndexMap<Q, T, S, N>, key: [MapKey + Hash], room: N,
    list: list::<_, _, N>, entries: again, insert: IndexMap::insert
}
