//! `Option`: `None` is a node without children, `Some` is transparent where it cannot be mistaken for it.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::head::Kind;
use crate::format::heading::SomeOf;
use crate::tree::family::Family;
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{Build, MapTree, Read, Visit, Write, ZipPrefix};
use crate::treedef::cursor::Siblings;

impl<T: Structure> Structure for Option<T> {
    const NULLABLE: bool = true;

    #[inline]
    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        match self {
            None => out.none(),
            // DIFFERENCE: JAX has no `Some`; without it `Some(None)` and `None` would be one structure.
            Some(value) if T::NULLABLE => out.node(&SomeOf, |out| value.describe(out)),
            Some(value) => value.describe(out),
        }
    }

    #[inline]
    fn alike(&self, other: &Self) -> bool {
        match (self, other) {
            (None, None) => true,
            (Some(own), Some(other)) => own.alike(other),
            _ => false,
        }
    }
}

impl<K: Family, T: Read<K>> Read<K> for Option<T> {
    #[inline]
    fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        match self {
            Some(value) => value.walk(depth, visit),
            None => Ok(()),
        }
    }
}

impl<K: Family, T: Write<K>> Write<K> for Option<T> {
    #[inline]
    fn walk_mut<'a, E: From<Error>>(
        &'a mut self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        match self {
            Some(value) => value.walk_mut(depth, visit),
            None => Ok(()),
        }
    }
}

impl<K: Family, T: Build<K>> Build<K> for Option<T> {
    #[inline]
    fn take_leaves<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Some(value) => value.take_leaves(depth, visit),
            None => Ok(()),
        }
    }

    #[inline]
    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error> {
        if rebuild.peek(list).is_some_and(|head| head.kind() == Kind::None) {
            return rebuild.none(list).map(|()| None);
        }
        if !T::NULLABLE {
            return T::build(rebuild, list).map(Some);
        }
        let mut children = rebuild.begin_with(list, &SomeOf)?;
        let value = T::build(rebuild, &mut children)?;
        rebuild.end(children)?;
        Ok(Some(value))
    }
}

impl<K: Family, M, T: MapTree<K, M>> MapTree<K, M> for Option<T> {
    type Output = Option<T::Output>;

    #[inline]
    fn map_owned(
        self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Owned) -> M,
    ) -> Result<Self::Output, Error> {
        match self {
            Some(value) => value.map_owned(depth, map).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn map_ref<'a>(
        &'a self,
        depth: &mut Depth,
        map: &mut impl FnMut(K::Ref<'a>) -> M,
    ) -> Result<Self::Output, Error>
    where
        K: 'a,
    {
        match self {
            Some(value) => value.map_ref(depth, map).map(Some),
            None => Ok(None),
        }
    }
}

impl<K: Family, J: Family, O: Read<J>, T: ZipPrefix<K, J, O>> ZipPrefix<K, J, Option<O>>
    for Option<T>
{
    #[inline]
    fn zip_leaves<'a, 'o>(
        &'a self,
        other: &'o Option<O>,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
    ) -> Result<(), Error>
    where
        K: 'a,
        J: 'o,
    {
        match (self, other) {
            (None, None) => {
                depth.pass();
                Ok(())
            }
            (Some(mine), Some(theirs)) => {
                if T::NULLABLE {
                    depth.pass();
                }
                mine.zip_leaves(theirs, depth, visit)
            }
            // A leaf stands above anything, and `None` has no leaves.
            (Some(_), None) if matches!(T::SHAPE, Shape::Leaf) => {
                depth.pass();
                Ok(())
            }
            _ => Err(depth.mismatch()),
        }
    }
}
