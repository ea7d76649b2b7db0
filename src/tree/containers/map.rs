//! Maps: dictionaries with the children in the order of their keys, whatever order the map keeps.

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::{Structure, describe_elements};
use crate::format::head::Head;
use crate::format::heading::{DictKind, DictOf};
use crate::format::to_value::{FromValue, ToValue};
use crate::tree::family::Family;
use crate::tree::traits::{Read, ZipPrefix};

/// Describes a map whose entries come in the order of their keys.
pub(crate) fn describe_entries<'m, Q, T, E>(
    out: &mut Describe<'_, E>,
    entries: impl ExactSizeIterator<Item = (&'m Q, &'m T)> + Clone,
) -> Result<(), Error>
where
    Q: ToValue + 'm,
    T: Structure + 'm,
    E: Encode,
{
    let heading = DictOf::new(DictKind::Sorted, entries.clone().map(|(key, _)| key));
    out.node(&heading, |out| describe_elements(out, entries.map(|(_, value)| value)))
}

/// The error that the key at `second` becomes one that the map got before.
#[cold]
pub(crate) fn doubled<Q: FromValue + Eq>(head: &Head<'_>, second: u32) -> Error {
    let key = |index: u32| head.keys().nth(index as usize).and_then(Q::from_value);
    let (key, mut before) = (key(second), (0..second).zip(head.keys().map(Q::from_value)));
    let first = before.find(|(_, other)| *other == key);
    Error::DuplicateKey { first: first.map_or(second, |(index, _)| index), second }
}

/// Zips two maps whose entries come in the order of their keys.
pub(crate) fn zip_entries<'a, 'o, K, J, Q, T, O>(
    mine: impl ExactSizeIterator<Item = (&'a Q, &'a T)> + Clone,
    theirs: impl ExactSizeIterator<Item = (&'o Q, &'o O)> + Clone,
    depth: &mut Depth,
    visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
) -> Result<(), Error>
where
    K: Family + 'a,
    J: Family + 'o,
    Q: Eq + 'a + 'o,
    T: ZipPrefix<K, J, O> + 'a,
    O: Read<J> + 'o,
{
    let same = mine.clone().map(|(key, _)| key).eq(theirs.clone().map(|(key, _)| key));
    if !same {
        return Err(depth.mismatch());
    }
    depth.pass();
    mine.zip(theirs).try_for_each(|((_, mine), (_, theirs))| mine.zip_leaves(theirs, depth, visit))
}

/// A map type.
///
/// `list` puts entries in the order of their keys, `entries` goes through that list as often as asked; both do nothing
/// for a map that is in order. `insert` gives an `Err` where the map holds `room` entries already, else the value that
/// it displaces.
macro_rules! map {
    (
        $(#[$doc:meta])*
        [$($generics:tt)*] $map:ident<Q, T $(, $param:ident)*>, key: [$($key:tt)*], room: $room:expr,
        list: $list:path, entries: $entries:path, insert: $insert:path
    ) => {
        $(#[$doc])*
        impl<Q: $($key)*, T: Structure $($generics)*> Structure for $map<Q, T $(, $param)*> {
            fn describe<E__: Encode>(&self, out: &mut Describe<'_, E__>) -> Result<(), Error> {
                let list = $list(self.iter());
                describe_entries(out, $entries(&list))
            }

            // Without the sorting that a description needs.
            fn num_leaves(&self) -> Result<usize, Error> {
                match T::LEAVES {
                    Some(leaves) => leaves.checked_mul(self.len()).ok_or(Error::TooLarge),
                    None => self.values().try_fold(0usize, |sum, value| {
                        sum.checked_add(value.num_leaves()?).ok_or(Error::TooLarge)
                    }),
                }
            }
        }

        impl<K: Family, Q: $($key)*, T: Read<K> $($generics)*> Read<K> for $map<Q, T $(, $param)*> {
            fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
            where
                K: 'a,
            {
                $list(self.iter()).into_iter().try_for_each(|(_, value)| value.walk(depth, visit))
            }
        }

        impl<K: Family, Q: $($key)*, T: Write<K> $($generics)*> Write<K> for $map<Q, T $(, $param)*> {
            fn walk_mut<'a, E: From<Error>>(
                &'a mut self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Mut<'a>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: 'a,
            {
                $list(self.iter_mut()).into_iter().try_for_each(|(_, value)| value.walk_mut(depth, visit))
            }
        }

        impl<K: Family, Q: FromValue + $($key)*, T: Build<K> $($generics)*> Build<K> for $map<Q, T $(, $param)*>
        where
            Self: Default,
        {
            fn take_leaves<E: From<Error>>(
                self,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
            ) -> Result<(), E> {
                $list(self.into_iter()).into_iter().try_for_each(|(_, value)| value.take_leaves(depth, visit))
            }

            fn build<S__: Source<K>>(
                rebuild: &mut Rebuild<'_, K, S__>,
                list: &mut Siblings,
            ) -> Result<Self, Error> {
                let (mismatch, full) = (rebuild.mismatch(), rebuild.full($room));
                let (head, mut children) = rebuild.begin(list, Kind::Dict)?;
                let mut map = Self::default();
                for (index, key) in (0..head.arity()).zip(head.keys()) {
                    let key = Q::from_value(key).ok_or(mismatch)?;
                    let value = T::build(rebuild, &mut children)?;
                    let displaced = $insert(&mut map, key, value).map_err(|_| full)?;
                    displaced.map_or(Ok(()), |_| Err(doubled::<Q>(&head, index)))?;
                }
                rebuild.end(children)?;
                Ok(map)
            }
        }

        impl<K: Family, M, Q: Clone + $($key)*, T: MapTree<K, M> $($generics)*> MapTree<K, M>
            for $map<Q, T $(, $param)*>
        where
            $map<Q, T::Output $(, $param)*>: Default,
        {
            type Output = $map<Q, T::Output $(, $param)*>;

            fn map_owned(
                self,
                depth: &mut Depth,
                map: &mut impl FnMut(K::Owned) -> M,
            ) -> Result<Self::Output, Error> {
                // One that is mapped has room for as many.
                let (full, mut mapped) = (depth.mismatch(), Self::Output::default());
                for (key, value) in $list(self.into_iter()) {
                    $insert(&mut mapped, key, value.map_owned(depth, map)?).map_err(|_| full)?;
                }
                Ok(mapped)
            }

            fn map_ref<'a>(
                &'a self,
                depth: &mut Depth,
                map: &mut impl FnMut(K::Ref<'a>) -> M,
            ) -> Result<Self::Output, Error>
            where
                K: 'a,
            {
                let (full, mut mapped) = (depth.mismatch(), Self::Output::default());
                for (key, value) in $list(self.iter()) {
                    $insert(&mut mapped, key.clone(), value.map_ref(depth, map)?).map_err(|_| full)?;
                }
                Ok(mapped)
            }
        }

        impl<K: Family, J: Family, O: Read<J>, Q: $($key)*, T: ZipPrefix<K, J, O> $($generics)*>
            ZipPrefix<K, J, $map<Q, O $(, $param)*>> for $map<Q, T $(, $param)*>
        {
            fn zip_leaves<'a, 'o>(
                &'a self,
                other: &'o $map<Q, O $(, $param)*>,
                depth: &mut Depth,
                visit: &mut impl FnMut(K::Ref<'a>, J::Ref<'o>) -> Result<(), Error>,
            ) -> Result<(), Error>
            where
                K: 'a,
                J: 'o,
            {
                let (mine, theirs) = ($list(self.iter()), $list(other.iter()));
                zip_entries::<K, J, Q, T, O>($entries(&mine), $entries(&theirs), depth, visit)
            }
        }
    };
}
pub(crate) use map;
