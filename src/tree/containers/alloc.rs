//! `alloc`: `Vec` is a list, `BTreeMap` a dictionary, `Box` is what it holds; `String` is a key, and static data as
//! `Vec` and `Box<[T]>` are.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::key::{BuildKey, Key};
use crate::format::statics::Static;
use crate::format::value::{Tuple, Value};
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
    [] BTreeMap<Q, T>, key: [Key + Ord], room: usize::MAX,
    list: core::convert::identity, entries: again, insert: insert
}

impl Key for String {
    #[inline]
    fn with_key<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        self.as_str().with_key(lend)
    }
}

impl BuildKey for String {
    fn from_key(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Str(key) => Some(key.into()),
            _ => None,
        }
    }
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

impl Static for String {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend(Value::Str(self))
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Str(text) => Some(Self::from(text)),
            _ => None,
        }
    }
}

/// Lends the tuple of the values of `elements`, written one behind the other: no frame of the stack for each.
fn lend_slice<T: Static, R>(elements: &[T], lend: impl FnOnce(Value<'_>) -> R) -> R {
    let mut bytes = Vec::new();
    for element in elements {
        if !append(&mut bytes, element) {
            // What is too deep by itself is refused where it is used, as the whole would be.
            return element.with_value(lend);
        }
    }
    // More elements than this are more bytes than a treedef holds.
    let count = u32::try_from(elements.len()).unwrap_or(u32::MAX);
    lend(Value::Tuple(Tuple::encoded(count, &bytes)))
}

/// Appends the encoding of the value of `element`, if it is not too deep; `false` if it is.
fn append<T: Static>(bytes: &mut Vec<u8>, element: &T) -> bool {
    element.with_value(|value| {
        let Ok(()) = value.pieces::<Infallible>(&mut |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        });
        !value.is_too_deep()
    })
}

impl<T: Static> Static for Vec<T> {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend_slice(self, lend)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Tuple(tuple) => tuple.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl<T: Static> Static for Box<[T]> {
    fn with_value<R>(&self, lend: impl FnOnce(Value<'_>) -> R) -> R {
        lend_slice(self, lend)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        Vec::from_value(value).map(Vec::into_boxed_slice)
    }
}
