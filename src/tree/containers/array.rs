//! Makes trees of arrays: lists of fixed length.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::slices::try_array_of;
use crate::encode::constant::const_def;
use crate::encode::depth::Depth;
use crate::encode::list::{alike_elements, describe_list};
use crate::encode::schema::Schema;
use crate::encode::structure::Structure;
use crate::encode::writer::Writer;
use crate::format::heading;
use crate::tree::build::{Rebuild, TreeBuild};
use crate::tree::containers::list::zip_elements;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, MapTree, TreeRead, TreeWrite, ZipPrefix};
use crate::tree::walk::{TreeWalk, VisitLanes};
use crate::tree::walk_path::WalkPath;
use crate::treedef::cursor::Siblings;

impl<T: Structure, const N: usize> Structure for [T; N] {
    const SCHEMA: &'static Schema = &Schema::Array(N, T::SCHEMA);

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

impl<K: LeafTypes, T: TreeWalk<K>, const N: usize> TreeWalk<K> for [T; N] {
    #[inline]
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        arrays: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a,
    {
        L::count_nodes(depth, 1);
        let lists = L::map(arrays, Self::as_slice, Self::as_mut_slice);
        T::walk_slices::<L, E>(lists, depth, visit)
    }
}

impl<K: Leaf, T: TreeRead<K>, const N: usize> TreeRead<K> for [T; N] {}

impl<K: LeafTypes, T: TreeWrite<K>, const N: usize> TreeWrite<K> for [T; N] {}

impl<K: LeafTypes, T: TreeBuild<K>, const N: usize> TreeBuild<K> for [T; N] {
    const BUILDS_FROM_LEAVES: bool = T::BUILDS_FROM_LEAVES && Self::TREEDEF.is_some();

    #[inline]
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.into_iter().for_each(|element| element.take_leaves(visit));
    }

    #[inline]
    fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        let mut children = attempt!(rebuild.begin_with(list, &heading::List(N)));
        let value = attempt!(T::build_array(rebuild, &mut children));
        attempt!(rebuild.end(children));
        Some(value)
    }
}

impl<K: Leaf, M, T: MapTree<K, M>, const N: usize> MapTree<K, M> for [T; N] {
    type Output = [T::Output; N];

    #[inline]
    fn map_lanes<'a, L: Lanes, E: From<Error>>(
        arrays: Trees<'a, L, Self>,
        depth: &mut Depth,
        map: &mut impl VisitLanes<'a, K, L, E, M>,
    ) -> Result<Self::Output, E>
    where
        K: 'a,
        Self: 'a,
    {
        L::count_nodes(depth, 1);
        let mut elements = L::iter(L::map(arrays, |array| array.iter(), |array| array.iter_mut()));
        let short = Error::Arity { expected: N, found: 0 };
        let level = WalkPath::level(map.path());
        try_array_of(
            |index| {
                WalkPath::index(map.path(), level, index);
                T::map_lanes::<L, E>(elements.next().ok_or(short)?, depth, map)
            },
            || short.into(),
        )
    }
}

impl<K: Leaf, J: Leaf, O: TreeRead<J>, T: ZipPrefix<K, J, O>, const N: usize>
    ZipPrefix<K, J, [O; N]> for [T; N]
{
    #[inline]
    fn zip_lanes<'p, 'a, P: Lanes, L: Lanes, E: From<Error>>(
        prefix: Trees<'p, P, Self>,
        arrays: Trees<'a, L, [O; N]>,
        pairing: &mut Pairing,
        visit: &mut impl FnMut(Trees<'p, P, K>, Trees<'a, L, J>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        K: 'p,
        J: 'a,
        O: 'a,
        Self: 'p,
    {
        pairing.count_node::<L>();
        let prefix = P::map(prefix, |array| array.as_slice(), |array| array.as_mut_slice());
        let lists = L::map(arrays, |array| array.as_slice(), |array| array.as_mut_slice());
        zip_elements::<K, J, T, O, P, L, E>(prefix, lists, pairing, visit)
    }
}
