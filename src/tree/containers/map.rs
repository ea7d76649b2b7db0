//! Makes trees of maps: dictionaries with the children in the order of their keys.

use core::cell::Cell;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::list::{describe_elements, next_unlike};
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::format::head::Head;
use crate::format::to_value::{FromValue, ToValue};
use crate::tree::lanes::{Lanes, Trees};

/// Describes a map whose entries come in the order of their keys.
pub(crate) fn describe_entries<'m, Q, T>(
    out: &mut Writer<'_>,
    entries: impl ExactSizeIterator<Item = (&'m Q, &'m T)> + Clone,
) where
    Q: ToValue + 'm,
    T: Structure + 'm,
{
    let node = out.begin_keys(entries.len(), entries.clone().map(|(key, _)| key));
    if node.is_open() {
        describe_elements(out, entries.map(|(_, value)| value), next_unlike);
        out.end(node);
    }
}

/// The error for the key at `second`: an earlier key became the same key of the map.
#[cold]
pub(crate) fn doubled<Q: FromValue + Eq>(head: &Head<'_>, second: u32) -> Error {
    let key = |index: u32| head.keys().nth(index as usize).and_then(Q::from_value);
    let (key, mut before) = (key(second), (0..second).zip(head.keys().map(Q::from_value)));
    let first = before.find(|(_, other)| *other == key);
    Error::DuplicateKey { first: first.map_or(second, |(index, _)| index), second }
}

/// The entries, which come in the order of their keys or are not to be sorted.
pub(crate) fn as_they_come<I>(entries: I, _sort: bool) -> I {
    entries
}

/// The entries of maps with the same keys: the key of the first map, and the value of each.
#[inline]
pub(crate) fn together<L: Lanes, Q, R, W>(entries: L::Each<(Q, R), (Q, W)>) -> (Q, L::Each<R, W>) {
    let (keys, values) = L::unzip(entries);
    (L::first_value(keys), values)
}

/// Checks that maps have the same keys, and counts their node. Returns whether they have their keys in one order.
#[inline]
pub(crate) fn begin_maps<M, L: Lanes>(
    maps: &Trees<'_, L, M>,
    depth: &mut Depth,
    compare: impl Fn(&M, &M) -> Keys + Copy,
) -> Result<bool, Error> {
    let in_one_order = Cell::new(true);
    L::same_node::<M>(maps, depth, |map, first| {
        let keys = compare(first, map);
        in_one_order.set(in_one_order.get() && keys == Keys::InOneOrder);
        keys != Keys::Differ
    })?;
    Ok(in_one_order.get())
}

/// How the keys of two maps compare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keys {
    /// As the keys of maps that are sorted, and of most that were made alike.
    InOneOrder,
    Same,
    Differ,
}

macro_rules! compare_keys {
    ($one:expr, $other:expr) => {
        match $one.len() == $other.len() {
            true if $one.keys().eq($other.keys()) => Keys::InOneOrder,
            true if $one.keys().all(|key| $other.contains_key(key)) => Keys::Same,
            _ => Keys::Differ,
        }
    };
}
pub(crate) use compare_keys;

/// Implements the tree traits for a map type.
///
/// `list` sorts the entries by key if its argument says so, and `entries` iterates over that list, if needed repeatedly; for
/// a sorted map both just iterate. `zipped` sorts the entries of maps in one order, which then need not be sorted one by one,
/// unless `list` sorts always. `insert` adds an entry and returns the value that it replaces, or `Err` if the map already holds
/// `room` entries. A map of trees puts its entries into a `made`, by `add`, of which `finish` makes the map.
macro_rules! map {
    (
        $(#[$doc:meta])*
        [$($generics:tt)*] $map:ident<Q, T $(, $param:ident)*>, key: [$($key:tt)*], room: $room:expr,
        list: $list:path, zipped: $zipped:path, entries: $entries:path, insert: $insert:expr,
        made: $Made:ident, add: $add:expr, finish: $finish:expr
    ) => {
        const _: () = {
            use $crate::base::attempt::{done, ok};
            use $crate::format::head::Kind;
            use $crate::tree::containers::map::{
                Keys, begin_maps, compare_keys, describe_entries, doubled, together,
            };
            use $crate::tree::derive_support::*;

            $(#[$doc])*
            impl<Q: $($key)*, T: Structure $($generics)*> Structure for $map<Q, T $(, $param)*> {
                const SCHEMA: &'static Schema =
                    &Schema::Map(Schema::room($room), Q::TYPE, T::SCHEMA);

                fn describe(&self, out: &mut Writer<'_>) {
                    let list = $list(self.iter(), true);
                    describe_entries(out, $entries(&list));
                }
            }

            /// The keys of maps with the same keys, which are in one order or not, and the value that each map has there.
            // A function, so that the iterators of the single maps are no part of each frame of a recursion.
            #[inline]
            fn entries<'a, Q: $($key)* + 'a, T: 'a, L: Lanes $($generics)*>(
                maps: Trees<'a, L, $map<Q, T $(, $param)*>>,
                alike: bool,
            ) -> impl Iterator<Item = (&'a Q, Trees<'a, L, T>)> {
                let lists = L::map(maps, |map| $list(map.iter(), !alike).into_iter(), |map| $list(map.iter_mut(), !alike).into_iter());
                $zipped(L::iter(lists).map(|entries| together::<L, _, _, _>(entries)), alike).into_iter()
            }

            /// The same for the maps of a [`Pairing`].
            #[inline]
            fn pairs<'p, 'a, Q: $($key)* + 'p + 'a, T: 'p, O: 'a, P: Lanes, L: Lanes $($generics)*>(
                prefix: Trees<'p, P, $map<Q, T $(, $param)*>>,
                maps: Trees<'a, L, $map<Q, O $(, $param)*>>,
                alike: bool,
            ) -> impl Iterator<Item = (&'p Q, (Trees<'p, P, T>, Trees<'a, L, O>))> {
                let prefix = P::map(prefix, |map| $list(map.iter(), !alike).into_iter(), |map| $list(map.iter_mut(), !alike).into_iter());
                let maps = L::map(maps, |map| $list(map.iter(), !alike).into_iter(), |map| $list(map.iter_mut(), !alike).into_iter());
                let entries = P::iter(prefix).zip(L::iter(maps)).map(|(own, others)| {
                    let ((key, own), (_, trees)) = (together::<P, _, _, _>(own), together::<L, _, _, _>(others));
                    (key, (own, trees))
                });
                $zipped(entries, alike).into_iter()
            }

            impl<K: LeafTypes, Q: $($key)*, T: TreeWalk<K> $($generics)*> TreeWalk<K> for $map<Q, T $(, $param)*> {
                fn walk_lanes<'a, L: Lanes, E: From<Error>>(
                    maps: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    visit: &mut impl VisitLanes<'a, K, L, E>,
                ) -> Result<(), E>
                where
                    K: 'a,
                {
                    let alike = begin_maps::<Self, L>(&maps, depth, |one, other| compare_keys!(one, other))?;
                    let mut entries = entries::<Q, T, L $(, $param)*>(maps, alike);
                    let level = WalkPath::level(visit.path());
                    // Not `for`, which takes more of each frame, and no closure, which is one more frame.
                    while let Some((key, trees)) = entries.next() {
                        WalkPath::key(visit.path(), level, key);
                        done!(T::walk_lanes::<L, E>(trees, depth, visit));
                    }
                    Ok(())
                }
            }

            impl<K: Leaf, Q: $($key)*, T: TreeRead<K> $($generics)*> TreeRead<K> for $map<Q, T $(, $param)*> {}

            impl<K: LeafTypes, Q: $($key)*, T: TreeWrite<K> $($generics)*> TreeWrite<K> for $map<Q, T $(, $param)*> {}

            impl<K: LeafTypes, Q: FromValue + $($key)*, T: TreeBuild<K> $($generics)*> TreeBuild<K> for $map<Q, T $(, $param)*>
            where
                Self: Default,
            {
                fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                    $list(self.into_iter(), true).into_iter().for_each(|(_, value)| value.take_leaves(visit));
                }


                fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
                    let (mismatch, full) = (rebuild.mismatch(), rebuild.full($room));
                    let (head, mut children) = rebuild.begin(list, Kind::Dict)?;
                    let mut map = Self::default();
                    let (mut keys, mut index) = (head.keys(), 0u32);
                    // Not `for`, which takes more of each frame, for a second iterator.
                    while let Some(key) = keys.next() {
                        let Some(key) = rebuild.key::<Q>(key) else { return rebuild.fail(mismatch) };
                        let value = rebuild.child(&mut children)?;
                        match ($insert)(&mut map, key, value) {
                            Ok(None) => {}
                            Ok(Some(_)) => return rebuild.fail(doubled::<Q>(&head, index)),
                            Err(_) => return rebuild.fail(full),
                        }
                        index = index.wrapping_add(1);
                    }
                    rebuild.end(children)?;
                    Some(map)
                }
            }

            impl<K: Leaf, M, Q: Clone + $($key)*, T: MapTree<K, M> $($generics)*> MapTree<K, M>
                for $map<Q, T $(, $param)*>
            where
                $map<Q, T::Output $(, $param)*>: Default,
            {
                type Output = $map<Q, T::Output $(, $param)*>;

                fn map_lanes<'a, L: Lanes, E: From<Error>>(
                    maps: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    map: &mut impl VisitLanes<'a, K, L, E, M>,
                ) -> Result<Self::Output, E>
                where
                    K: 'a,
                {
                    let alike = begin_maps::<Self, L>(&maps, depth, |one, other| compare_keys!(one, other))?;
                    let mut entries = entries::<Q, T, L $(, $param)*>(maps, alike);
                    let (level, mut made) = (WalkPath::level(map.path()), $Made::default());
                    while let Some((key, trees)) = entries.next() {
                        WalkPath::key(map.path(), level, key);
                        let value = ok!(T::map_lanes::<L, E>(trees, depth, map));
                        // There is room: the entries were those of a map with the same capacity.
                        ok!(($add)(&mut made, key.clone(), value).map_err(|_| E::from(Error::TooLarge)));
                    }
                    Ok(($finish)(made))
                }
            }

            impl<K: Leaf, J: LeafTypes, O: TreeWalk<J>, Q: $($key)*, T: ZipPrefix<K, J, O> $($generics)*>
                ZipPrefix<K, J, $map<Q, O $(, $param)*>> for $map<Q, T $(, $param)*>
            {
                fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
                    prefix: Trees<'p, P, Self>,
                    maps: Trees<'a, L, $map<Q, O $(, $param)*>>,
                    pairing: &mut Pairing,
                    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
                ) -> Result<(), E>
                where
                    K: 'p,
                    J: 'a,
                {
                    let alike = begin_maps::<$map<Q, O $(, $param)*>, L>(&maps, pairing.depth(), |one, other| compare_keys!(one, other))?;
                    let keys = compare_keys!(L::first::<$map<Q, O $(, $param)*>>(&maps), P::first::<Self>(&prefix));
                    pairing.check::<L>(keys != Keys::Differ)?;
                    pairing.count_own_if(true);
                    let alike = alike && keys == Keys::InOneOrder;
                    let mut entries = pairs::<Q, T, O, P, L $(, $param)*>(prefix, maps, alike);
                    while let Some((_, (own, trees))) = entries.next() {
                        done!(T::zip_lanes::<P, L, E>(own, trees, pairing, visit));
                    }
                    Ok(())
                }
            }
        };
    };
}
pub(crate) use map;
