//! Lists whose length the value decides: slices here, vectors by the macro.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::{Structure, alike_elements, describe_elements};
use crate::format::heading::ListOf;
use crate::tree::family::Family;
use crate::tree::traits::{Read, Visit, Write};

impl<T: Structure> Structure for [T] {
    #[inline]
    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        out.node(&ListOf(self.len()), |out| describe_elements(out, self.iter()))
    }

    #[inline]
    fn alike(&self, other: &Self) -> bool {
        alike_elements(self, other)
    }
}

impl<K: Family, T: Read<K>> Read<K> for [T] {
    #[inline]
    fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        T::walk_slice(self, depth, visit)
    }
}

impl<K: Family, T: Write<K>> Write<K> for [T] {
    #[inline]
    fn walk_mut<'a, E: From<Error>>(
        &'a mut self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        for element in self {
            element.walk_mut(depth, visit)?;
        }
        Ok(())
    }
}

/// A vector type: it derefs to a slice and holds `room` elements, `new` and `push` fill it, `owned` takes it apart;
/// `push` gives an `Err` where there is no room.
macro_rules! vector {
    ([$($generics:tt)*] $vector:ident<T $(, $param:ident)?>, $room:expr, $push:expr, $owned:expr) => {
        impl<T: Structure $($generics)*> Structure for $vector<T $(, $param)?> {
            #[inline]
            fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
                self.as_slice().describe(out)
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                self.as_slice().alike(other.as_slice())
            }
        }

        impl<K: Family, T: Read<K> $($generics)*> Read<K> for $vector<T $(, $param)?> {
            #[inline]
            fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
            where
                K: 'a,
            {
                T::walk_slice(self.as_slice(), depth, visit)
            }
        }

        impl<K: Family, T: Write<K> $($generics)*> Write<K> for $vector<T $(, $param)?> {
            #[inline]
            fn walk_mut<'a, E: From<Error>>(
                &'a mut self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: 'a,
            {
                self.as_mut_slice().walk_mut(depth, visit)
            }
        }

        impl<K: Family, T: Build<K> $($generics)*> Build<K> for $vector<T $(, $param)?> {
            #[inline]
            fn take_leaves<E: From<Error>>(
                self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
            ) -> Result<(), E> {
                for element in $owned(self) {
                    element.take_leaves(depth, visit)?;
                }
                Ok(())
            }

            fn build<S: Source<K>>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Result<Self, Error> {
                let full = rebuild.full($room);
                let (head, mut children) = rebuild.begin(list, Kind::List)?;
                let mut elements = Self::new();
                for _ in 0..head.num_children() {
                    $push(&mut elements, T::build(rebuild, &mut children)?).map_err(|_| full)?;
                }
                rebuild.end(children)?;
                Ok(elements)
            }
        }

        impl<K: Family, M, T: MapTree<K, M> $($generics)*> MapTree<K, M> for $vector<T $(, $param)?> {
            type Output = $vector<T::Output $(, $param)?>;

            fn map_owned(
                self,
                depth: &mut Depth,
                map: &mut impl FnMut(K::Owned) -> M,
            ) -> Result<Self::Output, Error> {
                // One that is mapped has room for as many.
                let (full, mut elements) = (depth.mismatch(), $vector::new());
                for element in $owned(self) {
                    $push(&mut elements, element.map_owned(depth, map)?).map_err(|_| full)?;
                }
                Ok(elements)
            }

            fn map_ref<'a>(
                &'a self,
                depth: &mut Depth,
                map: &mut impl FnMut(K::Ref<'a>) -> M,
            ) -> Result<Self::Output, Error>
            where
                K: 'a,
            {
                let (full, mut elements) = (depth.mismatch(), $vector::new());
                for element in self {
                    $push(&mut elements, element.map_ref(depth, map)?).map_err(|_| full)?;
                }
                Ok(elements)
            }
        }

        impl<K: Family, J: Family, O: Read<J>, T: ZipPrefix<K, J, O> $($generics)*> ZipPrefix<K, J, $vector<O $(, $param)?>>
            for $vector<T $(, $param)?>
        {
            fn zip_leaves<'a, 'o>(
                &'a self,
                other: &'o $vector<O $(, $param)?>,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
            ) -> Result<(), Error>
            where
                K: 'a,
                J: 'o,
            {
                if self.len() != other.len() {
                    return Err(depth.mismatch());
                }
                depth.pass();
                for (mine, theirs) in self.iter().zip(other.iter()) {
                    mine.zip_leaves(theirs, depth, visit)?;
                }
                Ok(())
            }
        }
    };
}
pub(crate) use vector;
