//! Makes trees of the containers of `heapless`: `Vec` and `Deque` are lists, the maps are dictionaries.
//!
//! When a tree is rebuilt, too many children for a container are `Error::Capacity`. A string that is too long for its
//! type, as a key or meta field, is `Error::Mismatch`.

use core::convert::identity;
use core::hash::{BuildHasher, Hash};

use heapless::index_map::IndexMap;
use heapless::{Deque, LinearMap, Vec};

use crate::base::slices::reverse;
use crate::format::to_value::MapKey;
use crate::tree::containers::entries::container;
use crate::tree::containers::list::vector;
use crate::tree::vector::Vector;

/// Returns the elements in order. They are popped from the reversed vector, because the owning iterator of a `Vec`
/// indexes when it is dropped, which can panic.
fn elements<T, const N: usize>(mut vector: Vec<T, N>) -> impl Iterator<Item = T> {
    reverse(&mut vector);
    core::iter::from_fn(move || vector.pop())
}

impl<T, const N: usize> Vector<T> for Vec<T, N> {
    #[inline]
    fn add(&mut self, element: T) -> bool {
        self.push(element).is_ok()
    }
}

vector!([, const N: usize] Vec<T, N>, room: N, owned: elements);

impl<T, const N: usize> Vector<T> for Deque<T, N> {
    #[inline]
    fn add(&mut self, element: T) -> bool {
        self.push_back(element).is_ok()
    }
}

/// Returns the elements in order.
fn popped<T, const N: usize>(mut deque: Deque<T, N>) -> impl Iterator<Item = T> {
    core::iter::from_fn(move || deque.pop_front())
}

vector!(@deque [, const N: usize] Deque<T, N>, room: N, owned: popped);

/// The entries of a map, sorted by key in reverse: they are popped from the end, as in [`elements`].
struct List<Q, T, const N: usize>(Vec<(Q, T), N>);

/// Sorts the entries of a map with the capacity `N` by key, always: a list of the entries of several maps would take more stack.
fn list<Q: Ord, T, const N: usize>(
    mut entries: impl Iterator<Item = (Q, T)>,
    _sort: bool,
) -> List<Q, T, N> {
    let mut list = Vec::new();
    for entry in &mut entries {
        // A map holds no more than its capacity.
        let _ = list.push(entry);
        sink_down(&mut list);
    }
    // The iterator is empty, so there is nothing to drop.
    core::mem::forget(entries);
    reverse(&mut list);
    List(list)
}

/// Moves the last entry to its place among the entries before it, which are sorted.
///
/// The sorts of `core` can panic if an `Ord` contradicts itself.
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

/// Iterates over the entries of a list. It can be called repeatedly.
fn again<Q: Copy, T: Copy, const N: usize>(
    list: &List<Q, T, N>,
) -> impl ExactSizeIterator<Item = (Q, T)> + Clone + use<'_, Q, T, N> {
    list.0.iter().rev().copied()
}

container! {
    @impl
    /// A dictionary. Its keys are sorted.
    ///
    /// The map keeps its entries in another order, so each call that reads it sorts a list of pointers on the stack:
    /// two words for each entry of the capacity `N`. A call that takes the map by value sorts the entries themselves.
    /// Sorting `n` keys takes `n` comparisons if they were inserted in order, and `n² / 2` at worst. Nothing is
    /// allocated.
    [Q: MapKey, const N: usize] [] LinearMap<[Q,] T [, N]>, key: Q, list: false, room: [N],
    iter: |map, sort| list::<_, _, N>(map.iter(), sort), iter_mut: |map, sort| list::<_, _, N>(map.iter_mut(), sort), again: again,
    into_iter: |map| list::<_, _, N>(map.into_iter(), true).map(|(_, tree)| tree),
    count: |map| map.len(), keys: |map| map.keys(), has: |map, key| map.contains_key(key),
    // There is room: entries that have none are not given.
    empty: LinearMap::new(), insert: |map, key, tree| drop(map.insert(key, tree)), finish: identity
}

container! {
    @impl
    /// A dictionary. Its keys are sorted, at the cost of a [`LinearMap`].
    [Q: MapKey + Hash, H: BuildHasher, const N: usize] [H: Default] IndexMap<[Q,] T [, H, N]>, key: Q, list: false, room: [N],
    iter: |map, sort| list::<_, _, N>(map.iter(), sort), iter_mut: |map, sort| list::<_, _, N>(map.iter_mut(), sort), again: again,
    into_iter: |map| list::<_, _, N>(map.into_iter(), true).map(|(_, tree)| tree),
    count: |map| map.len(), keys: |map| map.keys(), has: |map, key| map.contains_key(key),
    empty: IndexMap::default(), insert: |map, key, tree| drop(map.insert(key, tree)), finish: identity
}
