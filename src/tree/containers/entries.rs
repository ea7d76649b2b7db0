//! Makes trees of containers by their iterators: [`container!`](crate::container!), for lists and dictionaries of other crates. The
//! maps of this crate are declared by it, too.
//!
//! Both kinds have *entries*, each a key and a tree. The key of an entry of a list is `false`, and nothing reads it.

use core::cell::Cell;

use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::format::heading::List;
use crate::format::keys::Keys;
use crate::format::to_value::{FromValue, MapKey, ToValue};
use crate::format::value::Value;
use crate::tree::build::{Place, Source};
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::walk::Sink;
use crate::tree::walk_path::WalkPath;

/// A container that is walked entry by entry.
pub trait Entries: Sized {
    /// What an entry of a dictionary is found by.
    type Key: MapKey;
    /// What an entry holds.
    type Tree;
    /// Whether it is a list, not a dictionary.
    const IS_LIST: bool;
    /// The number of entries that it can have, or `usize::MAX`.
    const ROOM: usize;

    /// The entries, in the order of their keys if `sort`.
    fn read(&self, sort: bool) -> impl Iterator<Item = (&Self::Key, &Self::Tree)>;

    /// As [`Entries::read`], to be changed in place.
    fn write(&mut self, sort: bool) -> impl Iterator<Item = (&Self::Key, &mut Self::Tree)>;

    /// Sorts entries of several containers that [`Entries::read`] gave unsorted, all in one order, if `sort`.
    fn zipped<'a, X>(
        entries: impl Iterator<Item = (&'a Self::Key, X)>,
        _sort: bool,
    ) -> impl Iterator<Item = (&'a Self::Key, X)>
    where
        Self: 'a,
    {
        entries
    }

    /// The number of entries.
    fn count(&self) -> usize;

    /// The keys in any order.
    fn keys(&self) -> impl Iterator<Item = &Self::Key>;

    /// Whether there is an entry with this key; `false` for a container that always has its keys in order.
    fn has(&self, key: &Self::Key) -> bool;
}

/// How the keys of two containers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// The same keys, and iterators give them in the same order.
    InOneOrder,
    /// The same keys, which iterators give in another order.
    Same,
    /// Other keys, or another number of entries.
    Differ,
}

/// Compares the keys of two containers, or the lengths of two lists.
#[inline]
pub fn compare<C: Entries, D: Entries<Key = C::Key>>(one: &C, other: &D) -> KeyOrder {
    match one.count() == other.count() {
        true if C::IS_LIST || one.keys().eq(other.keys()) => KeyOrder::InOneOrder,
        true if one.keys().all(|key| other.has(key)) => KeyOrder::Same,
        _ => KeyOrder::Differ,
    }
}

/// Checks that containers have the same keys, and counts their node. Returns whether they have their keys in one order.
///
/// # Errors
///
/// [`Error::TreesDiffer`].
#[inline]
pub fn begin_entries<C: Entries, L: Lanes>(
    all: &Trees<'_, L, C>,
    depth: &mut Depth,
) -> Result<bool, Error> {
    let in_one_order = Cell::new(true);
    L::same_node::<C>(all, depth, |one, first| {
        let keys = compare(first, one);
        in_one_order.set(in_one_order.get() && keys == KeyOrder::InOneOrder);
        keys != KeyOrder::Differ
    })?;
    Ok(in_one_order.get())
}

/// The keys of containers with the same keys, which are in one order or not, and the tree that each container has there.
// A function, so that the iterators of the single containers are no part of each frame of a recursion.
#[inline]
pub fn entries<'a, C: Entries + 'a, L: Lanes>(
    all: Trees<'a, L, C>,
    in_one_order: bool,
) -> impl Iterator<Item = (&'a C::Key, Trees<'a, L, C::Tree>)> {
    let sort = !in_one_order;
    let entries = L::iter(L::map(all, |one| one.read(sort), |one| one.write(sort)));
    let entries = entries.map(|entry| {
        let (keys, trees) = L::unzip(entry);
        (L::first_value(keys), trees)
    });
    // Entries in one order were not sorted one by one, so they are sorted together.
    C::zipped(entries, in_one_order)
}

/// Checks that the partner of a walk has the keys that are compared, and counts its node.
///
/// # Errors
///
/// Those of [`Pairing::check`].
#[inline]
pub fn check_partner<L: Lanes>(pairing: &mut Pairing, keys: KeyOrder) -> Result<(), Error> {
    pairing.check::<L>(keys != KeyOrder::Differ)?;
    pairing.count_partner_if(true);
    Ok(())
}

/// Goes to the entry with this index and this key.
#[inline]
pub fn go_to<'a, C: Entries>(
    path: Option<&mut WalkPath<'a>>,
    level: usize,
    index: &mut usize,
    key: &'a C::Key,
) {
    match C::IS_LIST {
        true => WalkPath::index(path, level, *index),
        false => WalkPath::key(path, level, key),
    }
    *index = index.wrapping_add(1);
}

/// What all containers of a type can be.
#[must_use]
pub const fn schema<C: Entries<Tree: HasSchema>>() -> Schema {
    match C::IS_LIST {
        true => Schema::List(Schema::room(C::ROOM), C::Tree::SCHEMA),
        false => Schema::Map(Schema::room(C::ROOM), C::Key::TYPE, C::Tree::SCHEMA),
    }
}

/// Begins the node of a container with `count` entries.
// A function, so that the keys are no part of each frame of a recursion.
#[inline]
pub fn begin_walk<'a, K, C, S>(
    entries: impl Iterator<Item = (&'a C::Key, &'a C::Tree)> + Clone,
    count: usize,
    out: &mut S,
) -> Option<S::Open>
where
    K: LeafTypes + 'a,
    C: Entries + 'a,
    S: Sink<'a, K>,
{
    if !C::IS_LIST {
        return out.begin_keys(count, entries.map(|(key, _)| key));
    }
    out.choice(count);
    out.begin(&List(count))
}

/// The number of entries of a container that is built, their keys, and the place of its node.
///
/// # Errors
///
/// Those of `from`.
// A function, so that what it keeps is no part of each frame of a recursion.
#[inline]
pub fn begin_build<'d, K, S, C>(from: &mut S) -> Result<(usize, Keys<'d>, Place), S::Error>
where
    K: LeafTypes,
    S: Source<'d, K>,
    C: Entries + HasSchema,
{
    let count = from.begin(C::SCHEMA)?;
    let keys = if C::IS_LIST { Keys::NONE } else { from.keys(count)? };
    Ok((count, keys, from.place()))
}

/// The next key of a container that is built; of a list, any.
pub fn read_key<'d, K, S, C>(
    from: &mut S,
    keys: &mut Keys<'d>,
    place: Place,
) -> Result<C::Key, S::Error>
where
    K: LeafTypes,
    S: Source<'d, K>,
    C: Entries<Key: FromValue>,
{
    let key = match C::IS_LIST {
        true => Value::Bool(false),
        false => match keys.next() {
            Some(key) => key,
            None => return from.refuse(place),
        },
    };
    match C::Key::from_value(key) {
        Some(key) => Ok(key),
        None => from.refuse(place),
    }
}

/// Fails at the first two keys that became one, or refuses all if there are none.
#[cold]
pub fn doubled<'d, K, S, C>(from: &mut S, keys: Keys<'d>, place: Place) -> Result<C, S::Error>
where
    K: LeafTypes,
    S: Source<'d, K>,
    C: Entries<Key: FromValue>,
{
    let keys = || (0..u32::MAX).zip(keys.clone().map(C::Key::from_value));
    for (second, key) in keys() {
        let mut before = keys().take_while(|(first, _)| *first < second);
        if let Some((first, _)) = before.find(|(_, other)| *other == key) {
            return from.fail(Error::DuplicateKey { first, second });
        }
    }
    from.refuse(place)
}

/// Makes a container of entries, up to the first error.
///
/// # Errors
///
/// Those of the entries.
#[inline]
pub fn try_make<X, E, C>(
    entries: impl Iterator<Item = Result<X, E>>,
    make: impl FnOnce(&mut dyn Iterator<Item = X>) -> C,
) -> Result<C, E> {
    let mut failed = None;
    let made =
        make(&mut entries.map_while(|entry| entry.map_err(|error| failed = Some(error)).ok()));
    failed.map_or(Ok(made), Err)
}

/// Makes a container of another crate a tree, in a newtype: a list, or a dictionary.
///
/// It implements [`HasSchema`](crate::tree::HasSchema), [`TreeWalk`](crate::tree::TreeWalk), [`TreeRead`](crate::tree::TreeRead),
/// [`TreeWrite`](crate::tree::TreeWrite), [`TreeBuild`](crate::tree::TreeBuild), [`MapTree`](crate::tree::MapTree) and
/// [`ZipPrefix`](crate::tree::ZipPrefix), so the container is a [`Tree`](trait@crate::Tree), can be mapped, and can be a mask or a
/// prefix in [`over`](crate::over()).
///
/// | part | is |
/// |---|---|
/// | `impl [..]` | the type and const parameters other than that of its trees (a lifetime cannot be one), with the bounds that the type and the iterators need; left out if there are none |
/// | `list Type<T>` | the type; its first parameter is that of the trees |
/// | `dict Type<Q, T>` | the type; its first parameter is that of the keys, which are [`MapKey`](crate::format::MapKey), the next that of the trees |
/// | `dict Type<T>, key: u32` | a dictionary without a parameter for its keys |
/// | `room: N` | the number of elements that there is room for; left out if there is no bound |
/// | `iter`, `iter_mut` | the trees by reference, in one order; of a dictionary the entries `(key, tree)`, in the order of their keys |
/// | `into_iter` | the same by value |
/// | `from_iter` | the container with all trees or entries of an iterator, in their order |
///
/// What `iter` returns is `Clone`. A dictionary that keeps its entries in another order sorts them in `iter`, `iter_mut` and
/// `into_iter`.
///
/// `from_iter` gets at most `room` elements; for more, [`unflatten`](crate::unflatten) returns
/// [`Error::Capacity`](crate::Error::Capacity). A dictionary in which two entries become one is
/// [`Error::DuplicateKey`](crate::Error::DuplicateKey).
///
/// # Examples
///
/// ```
/// use std::collections::VecDeque;
/// use treedef::{map, treedef, unflatten, over};
///
/// #[derive(Debug, PartialEq)]
/// struct Queue<T>(VecDeque<T>);
///
/// treedef::container! {
///     list Queue<T>,
///     iter: |queue| queue.0.iter(),
///     iter_mut: |queue| queue.0.iter_mut(),
///     into_iter: |queue| queue.0.into_iter(),
///     from_iter: |trees| Queue(trees.collect()),
/// }
///
/// let mut queue: Queue<[f32; 2]> = unflatten(treedef!([[*, *], [*, *]]), &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(map(&queue, |x| *x > 2.0)?, Queue([[false, false], [true, true]].into()));
///
/// // A rate for each element, as a prefix.
/// let rates = Queue([10.0f32, 100.0].into());
/// over(&mut queue).under(&rates).for_each(|(x, rate)| *x *= rate)?;
/// assert_eq!(queue.0, [[10.0, 20.0], [300.0, 400.0]]);
/// # Ok::<(), treedef::Error>(())
/// ```
///
/// The guide to [`containers`](mod@crate::guide::containers) has a bounded list and dictionaries.
#[macro_export]
macro_rules! container {
    (
        $(impl [$($generics:tt)*])? list $Type:ident<$T:ident $(, $after:ident)* $(,)?> $(, room: $room:expr)?,
        iter: |$read:ident| $iter:expr, iter_mut: |$write:ident| $iter_mut:expr,
        into_iter: |$own:ident| $into_iter:expr, from_iter: |$trees:pat_param| $from_iter:expr $(,)?
    ) => {
        $crate::container! {
            @impl [$($($generics)*)?] [] $Type<[] $T [$(, $after)*]>, key: d__::bool, list: true, room: [$($room)?],
            iter: |$read, _sort| d__::Iterator::map(d__::IntoIterator::into_iter($iter), |tree| (&false, tree)),
            iter_mut: |$write, _sort| d__::Iterator::map(d__::IntoIterator::into_iter($iter_mut), |tree| (&false, tree)),
            again: d__::Clone::clone, into_iter: |$own| $into_iter,
            count: |$read| d__::count($iter), keys: |_list| d__::empty(), has: |_list, _key| false,
            from_iter: |entries| {
                let $trees = d__::Iterator::map(entries, |(_, tree)| tree);
                $from_iter
            },
        }
    };
    (
        $(impl [$($generics:tt)*])? dict $Type:ident<$T:ident $(, $after:ident)* $(,)?>, key: $Q:ty $(, room: $room:expr)?,
        iter: $($iterators:tt)*
    ) => {
        $crate::container! { @dict [$($($generics)*)?] $Type<[] $T [$(, $after)*]>, $Q, [$($room)?], iter: $($iterators)* }
    };
    (
        $(impl [$($generics:tt)*])? dict $Type:ident<$Q:ident, $T:ident $(, $after:ident)* $(,)?> $(, room: $room:expr)?,
        iter: $($iterators:tt)*
    ) => {
        $crate::container! { @dict [$($($generics)*)?] $Type<[$Q,] $T [$(, $after)*]>, $Q, [$($room)?], iter: $($iterators)* }
    };
    (
        @dict [$($generics:tt)*] $Type:ident<$before:tt $T:ident $after:tt>, $Q:ty, $room:tt,
        iter: |$read:ident| $iter:expr, iter_mut: |$write:ident| $iter_mut:expr,
        into_iter: |$own:ident| $into_iter:expr, from_iter: |$entries:pat_param| $from_iter:expr $(,)?
    ) => {
        $crate::container! {
            @impl [$($generics)*] [] $Type<$before $T $after>, key: $Q, list: false, room: $room,
            iter: |$read, _sort| d__::IntoIterator::into_iter($iter),
            iter_mut: |$write, _sort| d__::IntoIterator::into_iter($iter_mut),
            again: d__::Clone::clone,
            into_iter: |$own| d__::Iterator::map(d__::IntoIterator::into_iter($into_iter), |(_, tree)| tree),
            count: |$read| d__::count($iter),
            keys: |$read| d__::Iterator::map(d__::IntoIterator::into_iter($iter), |(key, _)| key), has: |_map, _key| false,
            from_iter: |$entries| $from_iter,
        }
    };
    // `iter` and `iter_mut` sort if their second argument says so, and `zipped` sorts the entries of containers that have them in one
    // order. `again` iterates over a reference to what `iter` returns. The bounds in the second brackets are those of a new container.
    // `empty`, `insert` and `finish` take less stack than `from_iter`, which is called around the walk of each level.
    (
        @impl $(#[$doc:meta])* [$($generics:tt)*] [$($bounds:tt)*] $Type:ident<[$($before:ident,)?] $T:ident [$(, $after:ident)*]>,
        key: $Q:ty, list: $is_list:expr, room: [$($room:expr)?],
        iter: |$read:ident, $sort:ident| $iter:expr, iter_mut: |$write:ident, $sort_mut:ident| $iter_mut:expr,
        again: $again:path, $(zipped: $zipped:path,)? into_iter: |$own:ident| $into_iter:expr,
        count: |$counted:ident| $count:expr, keys: |$keyed:ident| $keys:expr, has: |$map:ident, $key:ident| $has:expr,
        $(from_iter: |$entries:pat_param| $from_iter:expr,)?
        $(empty: $empty:expr, insert: |$into:ident, $its_key:ident, $its_tree:ident| $insert:expr, finish: $finish:expr)?
    ) => {
        const _: () = {
            use $crate::__private as d__;

            impl<$T, $($generics)*> d__::Entries for $Type<$($before,)? $T $(, $after)*> {
                type Key = $Q;
                type Tree = $T;
                const IS_LIST: d__::bool = $is_list;
                const ROOM: d__::usize = match [$($room,)? d__::usize::MAX] { [room, ..] => room };

                #[inline]
                fn read(&self, $sort: d__::bool) -> impl d__::Iterator<Item = (&$Q, &$T)> { let $read = self; d__::IntoIterator::into_iter($iter) }

                #[inline]
                fn write(&mut self, $sort_mut: d__::bool) -> impl d__::Iterator<Item = (&$Q, &mut $T)> { let $write = self; d__::IntoIterator::into_iter($iter_mut) }

                $(
                    #[inline]
                    fn zipped<'walk, Item__>(
                        entries: impl d__::Iterator<Item = (&'walk $Q, Item__)>, sort: d__::bool,
                    ) -> impl d__::Iterator<Item = (&'walk $Q, Item__)> where Self: 'walk {
                        d__::IntoIterator::into_iter($zipped(entries, sort))
                    }
                )?

                #[inline]
                fn count(&self) -> d__::usize { let $counted = self; $count }

                #[inline]
                fn keys(&self) -> impl d__::Iterator<Item = &$Q> { let $keyed = self; $keys }

                #[inline]
                fn has(&self, $key: &$Q) -> d__::bool { let $map = self; $has }
            }

            $(#[$doc])*
            impl<$T: d__::HasSchema, $($generics)*> d__::HasSchema for $Type<$($before,)? $T $(, $after)*> {
                const SCHEMA: &'static d__::Schema = &d__::schema::<Self>();
            }

            impl<LeafSet__: d__::LeafTypes, $T: d__::TreeWalk<LeafSet__>, $($generics)*> d__::TreeWalk<LeafSet__>
                for $Type<$($before,)? $T $(, $after)*>
            {
                fn walk<'walk, WalkSink__: d__::Sink<'walk, LeafSet__>>(&'walk self, out: &mut WalkSink__) where LeafSet__: 'walk {
                    let ($read, $sort) = (self, true);
                    let list = $iter;
                    let node = d__::begin_walk::<LeafSet__, Self, WalkSink__>($again(&list), d__::Entries::count(self), out);
                    if let d__::Some(node) = node {
                        out.elements::<$T>(d__::Iterator::map($again(&list), |(_, tree)| tree));
                        out.end(node);
                    }
                }

                fn walk_lanes<'walk, WalkLanes__: d__::Lanes, WalkError__: d__::From<d__::Error>, Visitor__>(
                    all: d__::Trees<'walk, WalkLanes__, Self>, depth: &mut d__::Depth, visit: &mut Visitor__,
                ) -> d__::Result<(), WalkError__>
                where LeafSet__: 'walk, Visitor__: d__::VisitLanes<'walk, LeafSet__, WalkLanes__, WalkError__> {
                    let in_one_order = d__::begin_entries::<Self, WalkLanes__>(&all, depth)?;
                    let mut entries = d__::entries::<Self, WalkLanes__>(all, in_one_order);
                    let (level, mut index) = (d__::WalkPath::level(visit.path()), 0);
                    // Not `for`, which takes more of each frame, and no closure, which is one more frame.
                    while let d__::Some((key, trees)) = d__::Iterator::next(&mut entries) {
                        d__::go_to::<Self>(visit.path(), level, &mut index, key);
                        $T::walk_lanes::<WalkLanes__, WalkError__, Visitor__>(trees, depth, visit)?;
                    }
                    d__::Ok(())
                }
            }

            impl<LeafSet__: d__::Leaf, $T: d__::TreeRead<LeafSet__>, $($generics)*> d__::TreeRead<LeafSet__>
                for $Type<$($before,)? $T $(, $after)*> {}

            impl<LeafSet__: d__::LeafTypes, $T: d__::TreeWrite<LeafSet__>, $($generics)*> d__::TreeWrite<LeafSet__>
                for $Type<$($before,)? $T $(, $after)*> {}

            impl<LeafSet__: d__::LeafTypes, $T: d__::TreeBuild<LeafSet__>, $($generics)*> d__::TreeBuild<LeafSet__>
                for $Type<$($before,)? $T $(, $after)*>
            where
                $Q: d__::FromValue,
                $($bounds)*
            {
                fn take_leaves(self, visit: &mut impl d__::FnMut(LeafSet__::Owned)) {
                    let $own = self;
                    let trees = d__::IntoIterator::into_iter($into_iter);
                    d__::Iterator::for_each(trees, |tree| $T::take_leaves(tree, visit));
                }

                fn answer(question: &mut d__::Question<'_, LeafSet__>) -> d__::bool {
                    if $is_list {
                        return $T::answer(question);
                    }
                    match question.part() {
                        d__::Part::Child(_) => $T::answer(question),
                        _ => question.value(<$Q as d__::FromValue>::from_stored, |key, give| {
                            d__::ToValue::with_value(key, |key| give(&key));
                        }),
                    }
                }

                fn build<'def, Source__: d__::Source<'def, LeafSet__>>(from: &mut Source__) -> d__::Result<Self, Source__::Error> {
                    let (count, mut keys, place) = d__::begin_build::<LeafSet__, Source__, Self>(from)?;
                    let all = d__::Clone::clone(&keys);
                    $(
                        let entries = d__::Iterator::map(0..count, |_| {
                            let key = d__::read_key::<LeafSet__, Source__, Self>(from, &mut keys, place)?;
                            d__::Ok((key, from.child()?))
                        });
                        let made = d__::try_make(entries, |$entries| $from_iter)?;
                    )?
                    $(
                        let (mut $into, mut left) = ($empty, 0..count);
                        while let d__::Some(_) = d__::Iterator::next(&mut left) {
                            let $its_key = d__::read_key::<LeafSet__, Source__, Self>(from, &mut keys, place)?;
                            let $its_tree = from.child()?;
                            $insert;
                        }
                        let made = ($finish)($into);
                    )?
                    if d__::Entries::count(&made) == count {
                        return d__::Ok(made);
                    }
                    d__::doubled::<LeafSet__, Source__, Self>(from, all, place)
                }
            }

            impl<LeafSet__: d__::Leaf, NewLeaf__, $T: d__::MapTree<LeafSet__, NewLeaf__>, $($generics)*> d__::MapTree<LeafSet__, NewLeaf__>
                for $Type<$($before,)? $T $(, $after)*>
            where
                $Q: d__::Clone,
                $($bounds)*
            {
                type Output = $Type<$($before,)? $T::Output $(, $after)*>;

                fn map_lanes<'walk, WalkLanes__: d__::Lanes, WalkError__: d__::From<d__::Error>>(
                    all: d__::Trees<'walk, WalkLanes__, Self>, depth: &mut d__::Depth,
                    map: &mut impl d__::VisitLanes<'walk, LeafSet__, WalkLanes__, WalkError__, NewLeaf__>,
                ) -> d__::Result<Self::Output, WalkError__> where LeafSet__: 'walk {
                    let in_one_order = d__::begin_entries::<Self, WalkLanes__>(&all, depth)?;
                    let (level, mut index) = (d__::WalkPath::level(map.path()), 0);
                    let mut entries = d__::entries::<Self, WalkLanes__>(all, in_one_order);
                    $(
                        let made = d__::Iterator::map(entries, |(key, trees)| {
                            d__::go_to::<Self>(map.path(), level, &mut index, key);
                            let tree = $T::map_lanes::<WalkLanes__, WalkError__>(trees, depth, map);
                            tree.map(|tree| (d__::Clone::clone(key), tree))
                        });
                        d__::try_make(made, |$entries| $from_iter)
                    )?
                    $(
                        let mut $into = $empty;
                        while let d__::Some((key, trees)) = d__::Iterator::next(&mut entries) {
                            d__::go_to::<Self>(map.path(), level, &mut index, key);
                            let $its_tree = $T::map_lanes::<WalkLanes__, WalkError__>(trees, depth, map)?;
                            let $its_key = d__::Clone::clone(key);
                            $insert;
                        }
                        d__::Ok(($finish)($into))
                    )?
                }
            }

            impl<LeafSet__: d__::Leaf, OtherLeaves__: d__::LeafTypes, OtherTree__, $T, $($generics)*>
                d__::ZipPrefix<LeafSet__, OtherLeaves__, $Type<$($before,)? OtherTree__ $(, $after)*>>
                for $Type<$($before,)? $T $(, $after)*>
            where
                $T: d__::ZipPrefix<LeafSet__, OtherLeaves__, OtherTree__>,
            {
                fn zip_lanes<'own, 'walk, Own__: d__::Lanes, WalkLanes__: d__::Lanes, WalkError__: d__::From<d__::Error>>(
                    prefix: d__::Trees<'own, Own__, Self>,
                    all: d__::Trees<'walk, WalkLanes__, $Type<$($before,)? OtherTree__ $(, $after)*>>,
                    pairing: &mut d__::Pairing,
                    visit: &mut impl d__::FnMut(d__::Trees<'own, Own__, LeafSet__>, d__::Leaves<'walk, WalkLanes__, OtherLeaves__>) -> d__::Result<(), WalkError__>,
                ) -> d__::Result<(), WalkError__> where LeafSet__: 'own, OtherLeaves__: 'walk {
                    let in_one_order = d__::begin_entries::<$Type<$($before,)? OtherTree__ $(, $after)*>, WalkLanes__>(&all, pairing.depth())?;
                    let other = WalkLanes__::first::<$Type<$($before,)? OtherTree__ $(, $after)*>>(&all);
                    d__::check_partner::<WalkLanes__>(pairing, d__::compare(Own__::first::<Self>(&prefix), other))?;
                    let own = d__::entries::<Self, Own__>(prefix, true);
                    let others = d__::entries::<$Type<$($before,)? OtherTree__ $(, $after)*>, WalkLanes__>(all, in_one_order);
                    let mut pairs = d__::Iterator::zip(own, others);
                    while let d__::Some(((_, own), (_, trees))) = d__::Iterator::next(&mut pairs) {
                        $T::zip_lanes::<Own__, WalkLanes__, WalkError__>(own, trees, pairing, visit)?;
                    }
                    d__::Ok(())
                }
            }
        };
    };
}
pub(crate) use container;
