//! Makes trees of arrays: lists of fixed length.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::base::slices::{array_of, try_array_of};
use crate::encode::depth::Depth;
use crate::encode::structure::HasSchema;
use crate::format::heading;
use crate::tree::build::{Rebuild, TreeBuild};
use crate::tree::containers::list::list;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::traits::{Leaf, MapTree};
use crate::tree::walk::VisitLanes;
use crate::tree::walk_path::WalkPath;
use crate::treedef::cursor::Siblings;

list!([, const N: usize] [T; N], [O; N], Schema::Array(N, T::SCHEMA));

impl<K: LeafTypes, T: TreeBuild<K>, const N: usize> TreeBuild<K> for [T; N] {
    const BUILDS_FROM_LEAVES: bool = T::BUILDS_FROM_LEAVES && Self::TREEDEF.is_some();

    #[inline]
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.into_iter().for_each(|element| element.take_leaves(visit));
    }

    #[inline]
    fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        let mut children = attempt!(rebuild.begin_with(list, &heading::List(N)));
        let value = attempt!(array_of(|| rebuild.child(&mut children)));
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
