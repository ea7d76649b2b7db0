//! Makes trees of the containers of `alloc`: `Vec` and `VecDeque` are lists, and `BTreeMap` is a dictionary.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::mem::take;

use crate::base::attempt::attempt;
use crate::format::to_value::MapKey;
use crate::tree::containers::entries::container;
use crate::tree::containers::list::vector;
use crate::tree::vector::Vector;

impl<T> Vector<T> for Vec<T> {
    fn with_room(count: usize) -> Self {
        Self::with_capacity(count)
    }

    #[inline]
    fn add(&mut self, element: T) -> bool {
        self.push(element);
        true
    }

    #[inline]
    fn put(&mut self, element: T) -> bool {
        let room = self.len() < self.capacity();
        if room {
            self.push(element);
        }
        room
    }

    #[inline]
    fn fill<I>(
        &mut self,
        given: impl ExactSizeIterator<Item = I>,
        mut build: impl FnMut(I) -> Option<T>,
    ) -> Option<bool> {
        self.reserve(given.len());
        // The vector that is filled was never borrowed, as `self` is for the call of `reserve`. So it stays in registers.
        let mut filled = take(self);
        // The room is counted, so that the compiler knows that each element has some.
        let room = filled.len()..filled.capacity();
        for (leaves, _) in given.zip(room) {
            if !filled.put(attempt!(build(leaves))) {
                return Some(false);
            }
        }
        *self = filled;
        Some(true)
    }
}

vector!([] Vec<T>, room: usize::MAX, owned: Vec::into_iter);

impl<T> Vector<T> for VecDeque<T> {
    fn with_room(count: usize) -> Self {
        Self::with_capacity(count)
    }

    #[inline]
    fn add(&mut self, element: T) -> bool {
        self.push_back(element);
        true
    }
}

vector!(@deque [] VecDeque<T>, room: usize::MAX, owned: VecDeque::into_iter);

container! {
    @impl
    /// A dictionary. Its keys are sorted, as in the map.
    [Q: MapKey] [] BTreeMap<[Q,] T []>, key: Q, list: false, room: [],
    iter: |map, _sort| map.iter(), iter_mut: |map, _sort| map.iter_mut(), again: Clone::clone,
    into_iter: |map| map.into_values(),
    count: |map| map.len(), keys: |map| map.keys(), has: |map, key| map.contains_key(key),
    // Sorted entries make a map faster than one insertion after the other.
    empty: Vec::new(), insert: |entries, key, tree| entries.push((key, tree)), finish: BTreeMap::from_iter
}
