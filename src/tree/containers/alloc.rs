//! Makes trees of the containers of `alloc`: `Vec` and `VecDeque` are lists, and `BTreeMap` is a dictionary.

use alloc::collections::btree_map;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem::take;

use crate::base::attempt::attempt;
use crate::format::to_value::MapKey;
use crate::tree::containers::list::vector;
use crate::tree::containers::map::{as_they_come, map};
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

/// Returns the entries again: the map keeps them in order.
fn again<'m, Q, T>(entries: &btree_map::Iter<'m, Q, T>) -> btree_map::Iter<'m, Q, T> {
    entries.clone()
}

map! {
    /// A dictionary. Its keys are sorted, as in the map.
    [] BTreeMap<Q, T>, key: [MapKey], room: usize::MAX,
    list: as_they_come, zipped: as_they_come, entries: again,
    insert: |map, key, value| Ok::<_, Infallible>(BTreeMap::insert(map, key, value)),
    // Sorted entries make a map faster than one insertion after the other.
    made: Vec, add: |list, key, value| { Vec::push(list, (key, value)); Ok::<_, Infallible>(()) }, finish: BTreeMap::from_iter
}
