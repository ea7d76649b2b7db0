//! Tuples of up to twelve elements.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::shape::Shape;
use crate::encode::structure::Structure;
use crate::format::heading::TupleOf;
use crate::tree::family::Family;
use crate::tree::rebuild::{Rebuild, Source, shift_leaf};
use crate::tree::traits::{Build, MapTree, Read, Visit, Write, ZipPrefix, build_fixed};
use crate::treedef::cursor::Siblings;

macro_rules! count {
    () => { 0 };
    ($first:ident $($rest:ident)*) => { 1 + count!($($rest)*) };
}

macro_rules! tuple {
    ($($T:ident $O:ident $t:ident $o:ident),*) => {
        impl<$($T: Structure),*> Structure for ($($T,)*) {
            const SHAPE: &'static Shape = &Shape::Tuple(&[$($T::SHAPE),*]);

            #[inline]
            fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
                if let Some(def) = Self::TREEDEF {
                    return out.subtree(def);
                }
                let ($($t,)*) = self;
                out.node(&TupleOf(count!($($T)*)), |out| {
                    $($t.describe(out)?;)*
                    let _ = out;
                    Ok(())
                })
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                let (($($t,)*), ($($o,)*)) = (self, other);
                true $(&& $t.alike($o))*
            }
        }

        impl<K: Family, $($T: Read<K>),*> Read<K> for ($($T,)*) {
            #[inline]
            fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
            where
                K: 'a,
            {
                if let Some(leaves) = Self::LEAVES
                    && let Some(slots) = visit.room(leaves)?
                {
                    self.fill_slots::<V>(slots);
                    return Ok(());
                }
                let ($($t,)*) = self;
                $($t.walk(depth, visit)?;)*
                let _ = depth;
                Ok(())
            }

            #[inline]
            fn fill_slots<'a, V: Visit<'a, K>>(&'a self, slots: &mut [V::Slot])
            where
                K: 'a,
            {
                let ($($t,)*) = self;
                $(
                    let Some((mine, slots)) = slots.split_at_mut_checked($T::LEAVES.unwrap_or(0)) else { return };
                    $t.fill_slots::<V>(mine);
                )*
                let _ = slots;
            }
        }

        impl<K: Family, $($T: Write<K>),*> Write<K> for ($($T,)*) {
            #[inline]
            fn walk_mut<'a, E: From<Error>>(
                &'a mut self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: 'a,
            {
                let ($($t,)*) = self;
                $($t.walk_mut(depth, visit)?;)*
                let _ = (depth, visit);
                Ok(())
            }
        }

        impl<K: Family, $($T: Build<K>),*> Build<K> for ($($T,)*) {
            #[inline]
            fn take_leaves<E: From<Error>>(
                self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
            ) -> Result<(), E> {
                let ($($t,)*) = self;
                $($t.take_leaves(depth, visit)?;)*
                let _ = (depth, visit);
                Ok(())
            }

            #[inline]
            fn build<S: Source<K>>(rebuild: &mut Rebuild<'_, K, S>, list: &mut Siblings) -> Result<Self, Error> {
                if let Some(value) = build_fixed(rebuild, list)? {
                    return Ok(value);
                }
                #[allow(unused_mut)]
                let mut children = rebuild.begin_with(list, &TupleOf(count!($($T)*)))?;
                let value = ($($T::build(rebuild, &mut children)?,)*);
                rebuild.end(children)?;
                Ok(value)
            }

            #[inline]
            fn from_leaves<S: Source<K>>(leaves: &[K::Owned]) -> Result<Self, Error> {
                let short = Error::WrongLeaf { leaf: 0 };
                let at = 0usize;
                $(
                    let (mine, leaves) = leaves.split_at_checked($T::LEAVES.unwrap_or(0)).ok_or(short)?;
                    let $t = shift_leaf($T::from_leaves::<S>(mine), at)?;
                    let at = at.wrapping_add(mine.len());
                )*
                let _ = (short, leaves, at);
                Ok(($($t,)*))
            }
        }

        impl<K: Family, M, $($T: MapTree<K, M>),*> MapTree<K, M> for ($($T,)*) {
            type Output = ($($T::Output,)*);

            #[inline]
            fn map_owned(
                self,
                depth: &mut Depth,
                map: &mut impl FnMut(K::Owned) -> M,
            ) -> Result<Self::Output, Error> {
                let ($($t,)*) = self;
                let _ = (&depth, &map);
                Ok(($($t.map_owned(depth, map)?,)*))
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
                let ($($t,)*) = self;
                let _ = (&depth, &map);
                Ok(($($t.map_ref(depth, map)?,)*))
            }
        }

        impl<K: Family, J: Family, $($O: Read<J>, $T: ZipPrefix<K, J, $O>),*> ZipPrefix<K, J, ($($O,)*)> for ($($T,)*) {
            #[inline]
            fn zip_leaves<'a, 'o>(
                &'a self,
                other: &'o ($($O,)*),
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
            ) -> Result<(), Error>
            where
                K: 'a,
                J: 'o,
            {
                depth.pass();
                let ($($t,)*) = self;
                let ($($o,)*) = other;
                $($t.zip_leaves($o, depth, visit)?;)*
                let _ = (depth, visit);
                Ok(())
            }
        }
    };
}

tuple!();
tuple!(A A2 a a2);
tuple!(A A2 a a2, B B2 b b2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2,
    L L2 l l2);
tuple!(A A2 a a2, B B2 b b2, C C2 c c2, D D2 d d2, E1 E2 e e2, F F2 f f2, G G2 g g2, H H2 h h2, I I2 i i2, J1 J2 j j2,
    L L2 l l2, M1 M2 m m2);
