//! `alloc`: `Vec` is a list, `BTreeMap` a dictionary, `Box` is what it holds.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::to_value::{FromValue, MapKey};
use crate::tree::containers::list::vector;
use crate::tree::containers::map::{describe_entries, doubled, map, zip_entries};
use crate::tree::containers::reference::{pointer, pointer_mut};
use crate::tree::family::Family;
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{Build, MapTree, Read, Visit, Write, ZipPrefix};
use crate::treedef::cursor::Siblings;

/// Appends; the vector grows as elements are read, never on the word of a treedef.
fn push<T>(vector: &mut Vec<T>, element: T) -> Result<(), Infallible> {
    vector.push(element);
    Ok(())
}

vector!([] Vec<T>, usize::MAX, push, Vec::into_iter);

/// The entries again; the map keeps them in order.
fn again<'m, Q, T>(entries: &btree_map::Iter<'m, Q, T>) -> btree_map::Iter<'m, Q, T> {
    entries.clone()
}

/// Adds an entry and gives the value it displaces.
fn insert<Q: Ord, T>(map: &mut BTreeMap<Q, T>, key: Q, value: T) -> Result<Option<T>, Infallible> {
    Ok(map.insert(key, value))
}

map! {
    /// A dictionary with its keys in sorted order, which is the map's own.
    [] BTreeMap<Q, T>, key: [MapKey], room: usize::MAX,
    list: core::convert::identity, entries: again, insert: insert
}

pointer!([] Box<T>, Box<O>);
pointer_mut!([] Box<T>);

impl<K: Family, T: Build<K>> Build<K> for Box<T> {
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

    fn from_leaves<S: Source<K>>(leaves: &[K::Owned]) -> Result<Self, Error> {
        T::from_leaves::<S>(leaves).map(Box::new)
    }
}

impl<K: Family, M, T: MapTree<K, M>> MapTree<K, M> for Box<T> {
    type Output = Box<T::Output>;

    fn map_owned(
        self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Owned) -> M,
    ) -> Result<Self::Output, Error> {
        (*self).map_owned(depth, map).map(Box::new)
    }

    fn map_ref<'a>(
        &'a self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Ref<'a>) -> M,
    ) -> Result<Self::Output, Error>
    where
        K: 'a,
    {
        (**self).map_ref(depth, map).map(Box::new)
    }
}
