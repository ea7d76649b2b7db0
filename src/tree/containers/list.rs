//! Makes trees of lists without a fixed length: slices, and vectors through a macro.

use crate::base::attempt::{done, ok};
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::encode::list::{alike_elements, describe_list};
use crate::encode::schema::Schema;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::{TreeWalk, VisitLanes, each};

impl<T: Structure> Structure for [T] {
    const SCHEMA: &'static Schema = &Schema::List(None, T::SCHEMA);

    #[inline]
    fn describe(&self, out: &mut Writer<'_>) {
        describe_list(self, out);
    }

    #[inline]
    fn alike(&self, other: &Self) -> bool {
        alike_elements(self, other)
    }
}

impl<K: LeafTypes, T: TreeWalk<K>> TreeWalk<K> for [T] {
    #[inline]
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        lists: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a,
    {
        ok!(begin_lists::<T, L, E>(&lists, depth));
        T::walk_slices::<L, E>(lists, depth, visit)
    }
}

impl<K: Leaf, T: TreeRead<K>> TreeRead<K> for [T] {}

impl<K: LeafTypes, T: TreeWrite<K>> TreeWrite<K> for [T] {}

impl<K: Leaf, J: Leaf, O: TreeRead<J>, T: ZipPrefix<K, J, O>> ZipPrefix<K, J, [O]> for [T] {
    #[inline]
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        lists: Trees<'a, L, [O]>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'p,
        J: 'a,
        O: 'a,
        Self: 'p,
    {
        done!(begin_zip::<T, O, P, L, E>(&prefix, &lists, pairing));
        zip_elements::<K, J, T, O, P, L, E>(prefix, lists, pairing, visit)
    }
}

/// Checks that the lists of a [`Pairing`] have one length, and counts their node.
#[inline]
pub(crate) fn begin_zip<T, O, P: Lanes, L: Lanes, E: From<Error>>(
    prefix: &Trees<'_, P, [T]>,
    lists: &Trees<'_, L, [O]>,
    pairing: &mut Pairing,
) -> Result<(), E> {
    let len = L::first::<[O]>(lists).len();
    ok!(L::require::<[O]>(lists, pairing.depth(), |list| list.len() == len).map_err(E::from));
    ok!(pairing.check::<L>(P::first::<[T]>(prefix).len() == len).map_err(E::from));
    pairing.count_node::<L>();
    Ok(())
}

/// Checks that lists have one length, and counts their node.
#[inline]
pub(crate) fn begin_lists<T, L: Lanes, E: From<Error>>(
    lists: &Trees<'_, L, [T]>,
    depth: &mut Depth,
) -> Result<(), E> {
    let len = L::first::<[T]>(lists).len();
    ok!(L::require::<[T]>(lists, depth, |list| list.len() == len).map_err(E::from));
    L::count_nodes(depth, 1);
    Ok(())
}

/// Walks over the elements of a list and of the lists of a [`Pairing`], all of one length, as
/// [`TreeWalk::walk_slices`] does.
#[inline]
pub(crate) fn zip_elements<'p, 'a, K, J, T, O, P, L, E>(
    prefix: Trees<'p, P, [T]>,
    lists: Trees<'a, L, [O]>,
    pairing: &mut Pairing,
    visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L, J>) -> Result<(), E>,
) -> Result<(), E>
where
    K: Leaf + 'p,
    J: Leaf + 'a,
    T: ZipPrefix<K, J, O> + 'p,
    O: TreeRead<J> + 'a,
    P: Lanes,
    L: Lanes,
    E: From<Error>,
{
    // A function of its own, so that its values are no part of the frames of a recursive type, which has no constant structure.
    if const { T::TREEDEF.is_some() && O::TREEDEF.is_some() } {
        return zip_const::<K, J, T, O, P, L, E>(prefix, lists, pairing, visit);
    }
    let mut elements = each::<T, P>(prefix).zip(each::<O, L>(lists));
    #[expect(
        clippy::while_let_on_iterator,
        reason = "`for` takes more of each frame, for a second iterator"
    )]
    while let Some((prefix, trees)) = elements.next() {
        done!(T::zip_lanes::<P, L, E>(prefix, trees, pairing, visit));
    }
    Ok(())
}

/// As [`zip_elements`], for elements of constant structure. If they cannot differ, their nodes are counted at once.
#[inline]
fn zip_const<'p, 'a, K, J, T, O, P, L, E>(
    prefix: Trees<'p, P, [T]>,
    lists: Trees<'a, L, [O]>,
    pairing: &mut Pairing,
    visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L, J>) -> Result<(), E>,
) -> Result<(), E>
where
    K: Leaf + 'p,
    J: Leaf + 'a,
    T: ZipPrefix<K, J, O> + 'p,
    O: TreeRead<J> + 'a,
    P: Lanes,
    L: Lanes,
    E: From<Error>,
{
    let len = L::first::<[O]>(&lists).len();
    let elements = each::<T, P>(prefix).zip(each::<O, L>(lists));
    if pairing.is_settled::<T, O>() {
        let mut unread = *pairing;
        for (prefix, trees) in elements {
            ok!(T::zip_lanes::<P, L, E>(prefix, trees, &mut unread, visit));
        }
        pairing.count_all_nodes::<T, O, L>(len);
        return Ok(());
    }
    for (prefix, trees) in elements {
        ok!(T::zip_lanes::<P, L, E>(prefix, trees, pairing, visit));
    }
    Ok(())
}

/// Implements the tree traits for a [`Vector`](crate::tree::vector::Vector) type that has its elements in one slice, as a
/// `VecDeque` does not. `room` is its capacity, and `owned` iterates
/// over the elements by value.
macro_rules! vector {
    (
        [$($generics:tt)*] $vector:ident<T $(, $param:ident)?>,
        room: $room:expr, owned: $owned:expr
    ) => {
        impl<T: Structure $($generics)*> Structure for $vector<T $(, $param)?> {
            const SCHEMA: &'static $crate::container::Schema =
                &$crate::container::Schema::List($crate::container::Schema::room($room), T::SCHEMA);

            #[inline]
            fn describe(&self, out: &mut Writer<'_>) {
                self.as_slice().describe(out);
            }

            #[inline]
            fn alike(&self, other: &Self) -> bool {
                self.as_slice().alike(other.as_slice())
            }
        }

        impl<K: LeafTypes, T: TreeWalk<K> $($generics)*> TreeWalk<K> for $vector<T $(, $param)?> {
            #[inline]
            fn walk_lanes<'a, L: Lanes, E: From<Error>>(
                lists: Trees<'a, L, Self>,
                depth: &mut Depth,
                visit: &mut impl VisitLanes<'a, K, L, E>,
            ) -> Result<(), E>
            where
                K: 'a,
                Self: 'a,
            {
                let lists = L::map(lists, Self::as_slice, Self::as_mut_slice);
                // Not the walk of a slice, which would be one more frame for each level of a recursive type.
                ok!($crate::tree::containers::list::begin_lists::<T, L, E>(&lists, depth));
                T::walk_slices::<L, E>(lists, depth, visit)
            }
        }

        impl<K: Leaf, T: TreeRead<K> $($generics)*> TreeRead<K> for $vector<T $(, $param)?> {}

        impl<K: LeafTypes, T: TreeWrite<K> $($generics)*> TreeWrite<K> for $vector<T $(, $param)?> {}

        impl<K: LeafTypes, T: TreeBuild<K> $($generics)*> TreeBuild<K> for $vector<T $(, $param)?> {
            #[inline]
            fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
                $owned(self).for_each(|element| element.take_leaves(visit));
            }


            fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
                let full = rebuild.full($room);
                let mut children = attempt!(rebuild.begin_list(list));
                let mut elements = Self::with_room(0);
                attempt!(rebuild.fill(&mut children, &mut elements, full));
                attempt!(rebuild.end(children));
                Some(elements)
            }
        }

        impl<K: Leaf, M, T: MapTree<K, M> $($generics)*> MapTree<K, M> for $vector<T $(, $param)?> {
            type Output = $vector<T::Output $(, $param)?>;

            fn map_lanes<'a, L: Lanes, E: From<Error>>(
                lists: Trees<'a, L, Self>,
                depth: &mut Depth,
                map: &mut impl VisitLanes<'a, K, L, E, M>,
            ) -> Result<Self::Output, E>
            where
                K: 'a,
                Self: 'a,
            {
                let mismatch = depth.mismatch();
                let lists = L::map(lists, |list| list.as_slice(), |list| list.as_mut_slice());
                ok!($crate::tree::containers::list::begin_lists::<T, L, E>(&lists, depth));
                let mut elements = Self::Output::with_room(L::first::<[T]>(&lists).len());
                let mut lists = $crate::tree::walk::each::<T, L>(lists);
                let (level, mut index) = ($crate::tree::walk_path::WalkPath::level(map.path()), 0usize);
                // Not `for`, which takes more of each frame, for a second iterator.
                while let Some(trees) = lists.next() {
                    $crate::tree::walk_path::WalkPath::index(map.path(), level, index);
                    index = index.wrapping_add(1);
                    let made = T::map_lanes::<L, E>(trees, depth, map);
                    ok!($crate::tree::vector::put(&mut elements, made, mismatch));
                }
                Ok(elements)
            }
        }

        impl<K: Leaf, J: Leaf, O: TreeRead<J>, T: ZipPrefix<K, J, O> $($generics)*> ZipPrefix<K, J, $vector<O $(, $param)?>>
            for $vector<T $(, $param)?>
        {
            #[inline]
            fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
                prefix: Trees<'p, P, Self>,
                lists: Trees<'a, L, $vector<O $(, $param)?>>,
                pairing: &mut Pairing,
                visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L, J>) -> Result<(), E>,
            ) -> Result<(), E>
            where
                K: 'p,
                J: 'a,
                O: 'a,
                Self: 'p,
            {
                let prefix = P::map(prefix, |list| list.as_slice(), |list| list.as_mut_slice());
                let lists = L::map(lists, |list| list.as_slice(), |list| list.as_mut_slice());
                $crate::base::attempt::done!($crate::tree::containers::list::begin_zip::<T, O, P, L, E>(&prefix, &lists, pairing));
                $crate::tree::containers::list::zip_elements::<K, J, T, O, P, L, E>(prefix, lists, pairing, visit)
            }
        }
    };
}
pub(crate) use vector;
