//! Makes trees of the containers of `alloc`: `Vec` is a list, `BTreeMap` a dictionary, and `Box` has the structure of
//! its value.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::limits::Limits;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::to_value::{FromValue, MapKey};
use crate::tree::containers::list::vector;
use crate::tree::containers::map::{describe_entries, doubled, map, values};
use crate::tree::containers::reference::pointer;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::{Pairing, nodes_of};
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{MapTree, TreeBuild, TreeRead, TreeWrite, Visit, ZipPrefix};
use crate::treedef::cursor::Siblings;

/// Appends an element. A vector that is rebuilt grows as its elements are read: a length in a treedef alone never
/// allocates.
fn push<T>(vector: &mut Vec<T>, element: T) -> Result<(), Infallible> {
    vector.push(element);
    Ok(())
}

/// Maps elements at the front of `lists`, appends the results, and returns the iterators over the remaining elements.
///
/// A push checks for room. That costs more than mapping a small element, and it keeps the compiler from mapping several
/// at once. So small elements of a fixed structure are first collected on the stack, 32 at a time. Other elements are
/// left to the caller.
fn map_chunks<'a, K, M, T, L, E>(
    lists: Trees<'a, L, [T]>,
    out: &mut Vec<T::Output>,
    depth: &mut Depth,
    map: &mut impl FnMut(Leaves<'a, L, K>) -> Result<M, E>,
) -> Result<Trees<'a, L, [T]>, E>
where
    K: LeafTypes + 'a,
    T: MapTree<K, M> + 'a,
    L: Lanes,
    E: From<Error>,
{
    let Some(def) = T::TREEDEF.filter(|_| size_of::<T::Output>() <= 32) else { return Ok(lists) };
    let chunks = L::map(lists, |list| list.as_chunks::<32>(), |list| list.as_chunks_mut::<32>());
    let (chunks, rest) = L::unzip(chunks);
    let mut unread = Depth::default();
    for chunk in L::iter(L::map(chunks, |list| list.iter(), |list| list.iter_mut())) {
        let chunk = <[T; 32]>::map_lanes::<L, E>(chunk, &mut unread, map)?;
        out.extend(chunk);
    }
    L::pass(depth, nodes_of(def, out.len()));
    Ok(rest)
}

vector!([] Vec<T>, room: usize::MAX, new: Vec::with_capacity, push: push, owned: Vec::into_iter, chunks: map_chunks);

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

pointer!([] Box<T>, Box<O>, |tree| Some(&mut **tree));

impl<K: LeafTypes, T: TreeWrite<K> + ?Sized> TreeWrite<K> for Box<T> {}

impl<K: LeafTypes, T: TreeBuild<K>> TreeBuild<K> for Box<T> {
    fn take_leaves<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        (*self).take_leaves(depth, visit)
    }

    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error> {
        T::build(rebuild, list).map(Box::new)
    }

    fn is_template(&self) -> bool {
        (**self).is_template()
    }

    fn build_like<S: Source<K>>(
        template: &Self,
        rebuild: &mut Rebuild<'_, K, S>,
    ) -> Result<Self, Error> {
        T::build_like(template, rebuild).map(Box::new)
    }

    fn from_leaves<S: Source<K>>(leaves: &[K::Owned]) -> Result<Self, Error> {
        T::from_leaves::<S>(leaves).map(Box::new)
    }
}

impl<K: LeafTypes, M, T: MapTree<K, M>> MapTree<K, M> for Box<T> {
    type Output = Box<T::Output>;

    fn map_owned(
        self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Owned) -> M,
    ) -> Result<Self::Output, Error> {
        (*self).map_owned(depth, map).map(Box::new)
    }

    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        trees: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl FnMut(Leaves<'a, L, K>) -> Result<M, E>,
    ) -> Result<Self::Output, E>
    where
        K: 'a,
        Self: 'a,
    {
        let trees = L::map(trees, |tree| &**tree, |tree| &mut **tree);
        T::map_lanes::<L, E>(trees, depth, map).map(Box::new)
    }
}
