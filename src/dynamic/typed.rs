//! Nodes and views inside typed trees.

use crate::base::error::Error;
use crate::dynamic::node::{Node, OneLevel};
use crate::dynamic::object::Object;
use crate::dynamic::view::View;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::tree::family::{Accepts, Family, Leaf};
use crate::tree::traits::{Read, Visit};

impl<L> Structure for Node<'_, L> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        let children = match self {
            Node::Leaf(_) => return out.leaves(1),
            Node::None => return out.none(),
            Node::Keyed(keyed) => {
                return out.node(&OneLevel(self), |out| describe(keyed.children(), out));
            }
            _ => OneLevel(self).children(),
        };
        out.node(&OneLevel(self), |out| describe(children.iter(), out))
    }
}

/// Describes siblings: adjacent leaves as a run, a node that is as the one before it as its repeat.
fn describe<'n, L: 'n, E: Encode>(
    nodes: impl Iterator<Item = &'n Node<'n, L>>,
    out: &mut Describe<'_, E>,
) -> Result<(), Error> {
    let (mut run, mut before) = (0usize, None);
    for node in nodes {
        if let Node::Leaf(_) = node {
            (run, before) = (run.saturating_add(1), None);
            continue;
        }
        out.leaves(core::mem::take(&mut run))?;
        match before.replace(node) {
            Some(before) if node.__repeats(before, &mut (), |(), _, _| ()) => out.repeat(1)?,
            _ => node.describe(out)?,
        }
    }
    out.leaves(run)
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
}

impl<L> Structure for View<'_, L> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        out.subtree(self.treedef())
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
}
