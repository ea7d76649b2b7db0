//! Makes trees of the containers of `alloc`: `Vec` is a list, and `BTreeMap` a dictionary.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::mem::take;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::limits::Limits;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::to_value::{FromValue, MapKey};
use crate::tree::containers::list::vector;
use crate::tree::containers::map::{describe_entries, doubled, map, values};
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::rebuild::{Rebuild, Source, Vector};
use crate::tree::traits::{MapTree, TreeBuild, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::visit::{Visit, VisitLanes};
use crate::treedef::cursor::Siblings;

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
        full: Error,
        mut build: impl FnMut(&T, I) -> Result<T, Error>,
    ) -> Result<(), Error> {
        let mut filled = with_more_room(self, given.len());
        let last = filled.len().saturating_sub(1);
        for leaves in given {
            let Some(template) = filled.get(last) else { break };
            let element = build(template, leaves)?;
            if !filled.put(element) {
                return Err(full);
            }
        }
        *self = filled;
        Ok(())
    }

    #[inline]
    fn elements(&self) -> &[T] {
        self
    }
}

/// Takes the elements out of `vector`, with room for `count` more.
///
/// The result was never borrowed, as it would be for a call of `reserve`. So the loop that fills it keeps it in registers.
#[inline]
fn with_more_room<T>(vector: &mut Vec<T>, count: usize) -> Vec<T> {
    let old = take(vector);
    if old.capacity().saturating_sub(old.len()) >= count {
        return old;
    }
    let room = old.len().saturating_add(count.max(old.len()));
    let mut moved = Vec::with_capacity(room);
    for element in old {
        moved.put(element);
    }
    moved
}

vector!([] Vec<T>, room: usize::MAX, owned: Vec::into_iter);

/// Returns the entries again: the map keeps them in order.
fn again<'m, Q, T>(entries: &btree_map::Iter<'m, Q, T>) -> btree_map::Iter<'m, Q, T> {
    entries.clone()
}

/// Adds an entry and returns the value that it replaces.
fn insert<Q: Ord, T>(map: &mut BTreeMap<Q, T>, key: Q, value: T) -> Result<Option<T>, Infallible> {
    Ok(map.insert(key, value))
}

map! {
    /// A dictionary. Its keys are sorted, as in the map.
    [] BTreeMap<Q, T>, key: [MapKey], room: usize::MAX,
    list: core::convert::identity, entries: again, insert: insert
}
