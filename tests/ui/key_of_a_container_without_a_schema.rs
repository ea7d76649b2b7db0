//~ the key of this type is not its own: a container by hand in `app::Robot` has no `SCHEMA`, and can be any tree
//~ the key of this type is not its own: a container by hand in this type has no `SCHEMA`, and can be any tree
//~# 2

use treedef::container::{Depth, Lanes, Sink, Trees, VisitLanes};
use treedef::tree::{HasSchema, LeafTypes, TreeWalk};

struct Queue(Vec<f32>);

impl HasSchema for Queue {}

impl<K: LeafTypes> TreeWalk<K> for Queue
where
    f32: treedef::tree::LeafAs<K>,
{
    fn walk<'a, S: Sink<'a, K>>(&'a self, out: &mut S)
    where
        K: 'a,
    {
        self.0.walk(out);
    }

    fn walk_lanes<'a, L: Lanes, E: From<treedef::Error>, V: VisitLanes<'a, K, L, E>>(
        queues: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut V,
    ) -> Result<(), E>
    where
        K: 'a,
    {
        let inner = L::map(queues, |queue| &queue.0, |queue| &mut queue.0);
        <Vec<f32> as TreeWalk<K>>::walk_lanes::<L, E, V>(inner, depth, visit)
    }
}

struct Robot;

impl HasSchema for Robot {
    const SCHEMA: &'static treedef::container::Schema = &treedef::container::Schema::Struct(&treedef::container::Fields {
        name: "app::Robot",
        head: None,
        is_named: true,
        fields: &["queue"],
        children: treedef::container::Schemas::new(&[Queue::SCHEMA]),
        meta: &[],
        aliases: &[],
    });
}

const _: () = treedef::encode::assert_key::<Robot>();
const _: () = treedef::encode::assert_key::<(f32, Queue)>();
