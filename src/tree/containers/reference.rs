//! References and pointers: no structure of their own. `PhantomData`: an empty tuple.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::heading::TupleOf;
use crate::tree::family::Family;
use crate::tree::rebuild::{Rebuild, Source};
use crate::tree::traits::{Build, MapTree, Read, Visit, Write, ZipPrefix};
use crate::treedef::cursor::Siblings;

/// A pointer that is read as what it points to: `$Pointer<T>` and, for the other side of a zip, `$Pointer<O>`.
macro_rules! pointer {
    ([$($life:lifetime,)?] $pointer:ty, $other:ty) => {
        impl<$($life,)? T: Structure + ?Sized> Structure for $pointer {
            const SHAPE: &'static Shape = T::SHAPE;

            const NULLABLE: bool = T::NULLABLE;

            #[inline]
            fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
                (**self).describe(out)
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                (**self).alike(other)
            }
        }

        impl<$($life,)? K: Family, T: Read<K> + ?Sized> Read<K> for $pointer {
            #[inline]
            fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
            where
                K: 'a,
            {
                (**self).walk(depth, visit)
            }

            #[inline]
            fn fill_slots<'a, V: Visit<'a, K>>(&'a self, slots: &mut [V::Slot])
            where
                K: 'a,
            {
                (**self).fill_slots::<V>(slots);
            }
        }

        impl<$($life,)? K: Family, J: Family, O: Read<J> + ?Sized, T: ZipPrefix<K, J, O> + ?Sized>
            ZipPrefix<K, J, $other> for $pointer
        {
            #[inline]
            fn zip_leaves<'a, 'o>(
                &'a self,
                other: &'o $other,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
            ) -> Result<(), Error>
            where
                K: 'a,
                J: 'o,
            {
                (**self).zip_leaves(&**other, depth, visit)
            }
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use pointer;

/// A pointer through which leaves can also be changed.
macro_rules! pointer_mut {
    ([$($life:lifetime,)?] $pointer:ty) => {
        impl<$($life,)? K: Family, T: Write<K> + ?Sized> Write<K> for $pointer {
            #[inline]
            fn walk_mut<'a, E: From<Error>>(
                &'a mut self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: 'a,
            {
                (**self).walk_mut(depth, visit)
            }
        }
    };
}
#[cfg(feature = "alloc")]
pub(crate) use pointer_mut;

pointer!(['p,] &'p T, &'p O);
pointer!(['p,] &'p mut T, &'p mut O);
pointer_mut!(['p,] &'p mut T);

impl<T: ?Sized> Structure for PhantomData<T> {
    const SHAPE: &'static Shape = &Shape::Tuple(&[]);

    #[inline]
    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        out.node(&TupleOf(0), |_| Ok(()))
    }
}

impl<K: Family, T: ?Sized> Read<K> for PhantomData<T> {
    #[inline]
    fn walk<'a, V: Visit<'a, K>>(&'a self, _: &mut Depth, _: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        Ok(())
    }

    #[inline]
    fn fill_slots<'a, V: Visit<'a, K>>(&'a self, _: &mut [V::Slot])
    where
        K: 'a,
    {
    }
}

impl<K: Family, T: ?Sized> Write<K> for PhantomData<T> {
    #[inline]
    fn walk_mut<'a, E: From<Error>>(
        &'a mut self,
        _: &mut Depth,
        _: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        Ok(())
    }
}

impl<K: Family, T: ?Sized> Build<K> for PhantomData<T> {
    #[inline]
    fn take_leaves<E: From<Error>>(
        self,
        _: &mut Depth,
        _: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        Ok(())
    }

    #[inline]
    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error> {
        let children = rebuild.begin_with(list, &TupleOf(0))?;
        rebuild.end(children)?;
        Ok(PhantomData)
    }

    #[inline]
    fn from_leaves<S: Source<K>>(_: &[K::Owned]) -> Result<Self, Error> {
        Ok(PhantomData)
    }
}

impl<K: Family, M, T: ?Sized> MapTree<K, M> for PhantomData<T> {
    type Output = Self;

    #[inline]
    fn map_owned(self, _: &mut Depth, _: &mut impl FnMut(K::Owned) -> M) -> Result<Self, Error> {
        Ok(self)
    }

    #[inline]
    fn map_ref<'a>(
        &'a self,
        _: &mut Depth,
        _: &mut impl FnMut(K::Ref<'a>) -> M,
    ) -> Result<Self, Error>
    where
        K: 'a,
    {
        Ok(PhantomData)
    }
}

impl<K: Family, J: Family, T: ?Sized, O: ?Sized> ZipPrefix<K, J, PhantomData<O>>
    for PhantomData<T>
{
    #[inline]
    fn zip_leaves<'a, 'o>(
        &'a self,
        _: &'o PhantomData<O>,
        depth: &mut Depth,
        _: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
    ) -> Result<(), Error>
    where
        K: 'a,
        J: 'o,
    {
        depth.pass();
        Ok(())
    }
}
