//! Nodes and views inside typed trees.

use crate::dynamic::flatten::{Counter, Walk};
use crate::dynamic::node::Node;
use crate::dynamic::options::Plain;
use crate::dynamic::view::View;
use crate::error::Error;
use crate::family::{Accepts, Family, Leaf};
use crate::shape::Shape;
use crate::sink::{Depth, Image, Sink};
use crate::structure::Structure;
use crate::tree::{Read, Visit};

impl<L> Structure for Node<'_, L> {
    const SHAPE: &'static Shape = &Shape::Varies;
    const NULLABLE: bool = true;

    fn describe<S: Sink>(&self, sink: &mut S) -> Result<(), Error> {
        Walk::run(self, sink, &mut Plain, Counter::default()).map(drop)
    }
}

impl<K: Family + Accepts<L>, L> Read<K> for Node<'_, L> {
    fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        let children = match self {
            Node::Leaf(leaf) => return visit.leaf(K::by_ref(leaf)),
            Node::None => return Ok(()),
            Node::Some(child) => core::slice::from_ref(*child),
            Node::Tuple(children) | Node::List(children) => children,
            Node::Keyed(_) => &[],
        };
        depth.enter()?;
        for child in children {
            child.walk(depth, visit)?;
        }
        if let Node::Keyed(keyed) = self {
            for child in keyed.children() {
                child.walk(depth, visit)?;
            }
        }
        depth.leave();
        Ok(())
    }

    fn fill<'a, V: Visit<'a, K>>(&'a self, _: &mut [V::Slot])
    where
        K: 'a,
    {
    }
}

impl<L> Structure for View<'_, L> {
    const SHAPE: &'static Shape = &Shape::Varies;
    const NULLABLE: bool = true;

    fn describe<S: Sink>(&self, sink: &mut S) -> Result<(), Error> {
        sink.fixed(Image::new(self.treedef()))
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(self.leaves().len())
    }
}

impl<K: Family + Accepts<L>, L: Leaf + Read<K>> Read<K> for View<'_, L> {
    fn walk<'a, V: Visit<'a, K>>(&'a self, depth: &mut Depth, visit: &mut V) -> Result<(), V::Error>
    where
        K: 'a,
    {
        L::walk_slice(self.leaves(), depth, visit)
    }

    fn fill<'a, V: Visit<'a, K>>(&'a self, _: &mut [V::Slot])
    where
        K: 'a,
    {
    }
}
