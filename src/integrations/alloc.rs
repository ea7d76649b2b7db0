//! `alloc`: `Vec` is a list, `Box` is what it holds.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::containers::list::vector;
use crate::containers::reference::{pointer, pointer_mut};
use crate::error::Error;
use crate::family::Family;
use crate::head::Kind;
use crate::rebuild::{Rebuild, Source};
use crate::shape::Shape;
use crate::sink::{Depth, Sink};
use crate::structure::Structure;
use crate::traverse::Siblings;
use crate::tree::{Build, MapTree, Read, Visit, Write, ZipPrefix};

/// Appends; the vector grows as elements are read, never on the word of a treedef.
fn push<T>(vector: &mut Vec<T>, element: T, _: usize) -> Result<(), Error> {
    vector.push(element);
    Ok(())
}

vector!([] Vec<T>, push);

pointer!([] Box<T>, Box<O>);
pointer_mut!([] Box<T>);

impl<K: Family, T: Build<K>> Build<K> for Box<T> {
    fn take<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        (*self).take(depth, visit)
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
