//! The container by hand in the documentation of `treedef::tree::Structure` keeps the laws. It is copied from there.

use std::collections::VecDeque;

use treedef::container::{Depth, Lanes, Rebuild, Siblings, Trees, VisitLanes};
use treedef::tree::{LeafTypes, Structure, TreeBuild, TreeRead, TreeWalk, TreeWrite};
use treedef::{Error, Kind, Leaf, Writer, head};
use treedef_proptest::laws;

#[derive(Clone, Debug, PartialEq)]
struct Queue<T>(VecDeque<T>);

impl<T: Structure> Structure for Queue<T> {
    fn describe(&self, out: &mut Writer<'_>) {
        out.node(&head::List(self.0.len()), |out| {
            self.0.iter().for_each(|tree| tree.describe(out));
        });
    }
}

impl<K: LeafTypes, T: TreeWalk<K>> TreeWalk<K> for Queue<T> {
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        queues: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let len = L::first::<Self>(&queues).0.len();
        L::require::<Self>(&queues, depth, |queue| queue.0.len() == len)?;
        L::count_nodes(depth, 1);
        let trees = L::iter(L::map(queues, |queue| queue.0.iter(), |queue| queue.0.iter_mut()));
        T::walk_elements::<L, E>(trees, depth, visit)
    }
}

impl<K: Leaf, T: TreeRead<K>> TreeRead<K> for Queue<T> {}

impl<K: LeafTypes, T: TreeWrite<K>> TreeWrite<K> for Queue<T> {}

impl<K: LeafTypes, T: TreeBuild<K>> TreeBuild<K> for Queue<T> {
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.0.into_iter().for_each(|tree| tree.take_leaves(visit));
    }

    fn build<'d, R: Rebuild<'d, K>>(rebuild: &mut R, list: &mut Siblings) -> Option<Self> {
        rebuild.collect(list, Kind::List).map(Self)
    }
}

#[test]
fn the_documented_container_keeps_the_laws() {
    laws::check_tree(&Queue(VecDeque::from([(1.0f32, 2.0f32)])), |i| i as f32).unwrap();
}
