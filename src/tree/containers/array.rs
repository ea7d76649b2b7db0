//! Makes trees of arrays: lists of fixed length.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::base::slices::try_array_of;
use crate::encode::depth::Depth;
use crate::encode::structure::HasSchema;
use crate::tree::build::{Source, TreeBuild};
use crate::tree::containers::list::list;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::migrate::question::Question;
use crate::tree::traits::{Leaf, MapTree};
use crate::tree::walk::VisitLanes;
use crate::tree::walk_path::WalkPath;

list!([, const N: usize] [T; N], [O; N], Schema::Array(N, T::SCHEMA));

impl<K: LeafTypes, T: TreeBuild<K>, const N: usize> TreeBuild<K> for [T; N] {
    #[inline]
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.into_iter().for_each(|element| element.take_leaves(visit));
    }

    fn answer(question: &mut Question<'_, K>) -> bool {
        T::answer(question)
    }

    const NEVER_FAILS: bool = T::NEVER_FAILS;

    #[inline]
    fn build<'d, S: Source<'d, K>>(from: &mut S) -> Result<Self, S::Error> {
        ok!(from.begin(Self::SCHEMA));
        T::build_array(from)
    }
}

impl<K: Leaf, M, T: MapTree<K, M>, const N: usize> MapTree<K, M> for [T; N] {
    type Output = [T::Output; N];

    const NEVER_FAILS: bool = T::NEVER_FAILS;

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
