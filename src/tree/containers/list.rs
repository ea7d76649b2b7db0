//! Makes trees of lists without a fixed length: slices, and vectors through a macro.

use crate::base::attempt::done;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, ZipPrefix};
use crate::tree::walk::{TreeWalk, each};

/// Implements what the trees of all lists have in common. `$list` has elements of type `T` and `$other` of type `O`; a reference
/// to either is one to a slice.
macro_rules! list {
    ([$($generics:tt)*] $list:ty, $other:ty, $schema:expr) => {
        const _: () = {
            use $crate::base::attempt::done;
            use $crate::encode::constant::const_def;
            use $crate::encode::list::{alike_elements, describe_list};
            use $crate::tree::containers::list::{begin_lists, zip_elements};
            use $crate::tree::derive_support::*;

            impl<T: Structure $($generics)*> Structure for $list {
                const SCHEMA: &'static Schema = &$schema;

                #[inline]
                fn describe(&self, out: &mut Writer<'_>) {
                    if const { Self::TREEDEF.is_some() } {
                        out.subtree_of(const_def::<Self>());
                    } else {
                        describe_list(self, out);
                    }
                }

                #[inline]
                fn alike(&self, other: &Self) -> bool {
                    alike_elements(self, other)
                }
            }

            impl<K: LeafTypes, T: TreeWalk<K> $($generics)*> TreeWalk<K> for $list {
                #[inline]
                fn walk_lanes<'a, L: Lanes, E: From<Error>>(
                    lists: Trees<'a, L, Self>,
                    depth: &mut Depth,
                    visit: &mut impl VisitLanes<'a, K, L, E>,
                ) -> Result<(), E>
                where
                    K: 'a,
                {
                    let lists = L::map(lists, |list| list as &[T], |list| list as &mut [T]);
                    done!(begin_lists::<T, L, E>(&lists, depth));
                    T::walk_slices::<L, E>(lists, depth, visit)
                }
            }

            impl<K: Leaf, T: TreeRead<K> $($generics)*> TreeRead<K> for $list {}

            impl<K: LeafTypes, T: TreeWrite<K> $($generics)*> TreeWrite<K> for $list {}

            impl<K: Leaf, J: LeafTypes, O: TreeWalk<J>, T: ZipPrefix<K, J, O> $($generics)*> ZipPrefix<K, J, $other> for $list {
                #[inline]
                fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
                    prefix: Trees<'p, P, Self>,
                    lists: Trees<'a, L, $other>,
                    pairing: &mut Pairing,
                    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
                ) -> Result<(), E>
                where
                    K: 'p,
                    J: 'a,
                {
                    let prefix = P::map(prefix, |list| list as &[T], |list| list as &mut [T]);
                    let lists = L::map(lists, |list| list as &[O], |list| list as &mut [O]);
                    done!(begin_lists::<O, L, E>(&lists, pairing.depth()));
                    let agrees = P::first::<[T]>(&prefix).len() == L::first::<[O]>(&lists).len();
                    done!(pairing.check::<L>(agrees).map_err(E::from));
                    pairing.count_own_if(true);
                    zip_elements::<K, J, T, O, P, L, E>(prefix, lists, pairing, visit)
                }
            }
        };
    };
}
pub(crate) use list;

list!([][T], [O], Schema::List(None, T::SCHEMA));

/// Checks that lists have one length, and counts their node.
#[inline]
pub(crate) fn begin_lists<T, L: Lanes, E: From<Error>>(
    lists: &Trees<'_, L, [T]>,
    depth: &mut Depth,
) -> Result<(), E> {
    L::same_node::<[T]>(lists, depth, |list, first| list.len() == first.len()).map_err(E::from)
}

/// Walks over the elements of a list and of the lists of a [`Pairing`], all of one length, as
/// [`TreeWalk::walk_slices`] does.
#[inline]
pub(crate) fn zip_elements<'p, 'a, K, J, T, O, P, L, E>(
    prefix: Trees<'p, P, [T]>,
    lists: Trees<'a, L, [O]>,
    pairing: &mut Pairing,
    visit: &mut impl FnMut(Trees<'p, P, K>, Leaves<'a, L, J>) -> Result<(), E>,
) -> Result<(), E>
where
    K: Leaf + 'p,
    J: LeafTypes + 'a,
    T: ZipPrefix<K, J, O> + 'p,
    O: TreeWalk<J> + 'a,
    P: Lanes,
    L: Lanes,
    E: From<Error>,
{
    let mut elements = each::<T, P>(prefix).zip(each::<O, L>(lists));
    // Not `for`, which takes more of each frame, for a second iterator.
    while let Some((prefix, trees)) = elements.next() {
        done!(T::zip_lanes::<P, L, E>(prefix, trees, pairing, visit));
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
        const _: () = {
            use $crate::base::attempt::{attempt, ok};
            use $crate::tree::containers::list::begin_lists;
            use $crate::tree::derive_support::*;
            use $crate::tree::lanes::{Mut, Ref};
            use $crate::tree::vector::put;
            use $crate::tree::walk::each;
            use $crate::tree::zip_trees::{Beside, Lane};

            $crate::tree::containers::list::list! {
                [$($generics)*] $vector<T $(, $param)?>, $vector<O $(, $param)?>,
                Schema::List(Schema::room($room), T::SCHEMA)
            }

            $crate::tree::zip_trees::lanes! { [$($generics)*] $vector<T $(, $param)?> }

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
                {
                    let mismatch = depth.mismatch();
                    let lists = L::map(lists, |list| list as &[T], |list| list as &mut [T]);
                    ok!(begin_lists::<T, L, E>(&lists, depth));
                    let mut elements = Self::Output::with_room(L::first::<[T]>(&lists).len());
                    let mut lists = each::<T, L>(lists);
                    let (level, mut index) = (WalkPath::level(map.path()), 0usize);
                    // Not `for`, which takes more of each frame, for a second iterator.
                    while let Some(trees) = lists.next() {
                        WalkPath::index(map.path(), level, index);
                        index = index.wrapping_add(1);
                        let made = T::map_lanes::<L, E>(trees, depth, map);
                        ok!(put(&mut elements, made, mismatch));
                    }
                    Ok(elements)
                }
            }
        };
    };
}
pub(crate) use vector;
