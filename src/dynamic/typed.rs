//! Makes nodes and views usable inside typed trees.

use crate::base::error::Error;
use crate::dynamic::node::{Node, OneLevel, is_same};
use crate::dynamic::view::View;
use crate::encode::depth::Depth;
use crate::encode::describe::Describe;
use crate::encode::encoder::Encode;
use crate::encode::structure::Structure;
use crate::tree::lanes::{Lanes, Trees};
use crate::tree::leaf_types::{Leaf, LeafAs, LeafOf, LeafTypes};
use crate::tree::traits::{TreeRead, TreeWalk};
use crate::tree::visit::VisitLanes;

impl<L> Structure for Node<'_, L> {
    const NULLABLE: bool = true;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        match self {
            Node::Leaf(_) => out.leaves(1),
            Node::None => out.none(),
            Node::Keyed(keyed) => {
                out.node(&OneLevel::of(self), |out| describe(keyed.children(), out))
            }
            _ => {
                let level = OneLevel::of(self);
                out.node(&level, |out| describe(level.children.iter(), out))
            }
        }
    }
}

/// Describes siblings: adjacent leaves as a run, and a node that equals the previous one as a repeat.
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
            Some(before) if is_same(node, before, &mut (), |(), _| ()) => out.repeat(1)?,
            _ => node.describe(out)?,
        }
    }
    out.leaves(run)
}

impl<K: LeafTypes, T: LeafAs<K>> TreeWalk<K> for Node<'_, T> {
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        nodes: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a,
    {
        let first = L::first::<Self>(&nodes);
        L::same::<Self>(&nodes, depth, |node| same_head(first, node))?;
        if let Node::Leaf(_) = first {
            L::pass(depth, 1);
            let leaf = |node: &'a Self| if let Node::Leaf(leaf) = node { Some(leaf) } else { None };
            return visit.leaf(L::leaf::<K, T>(L::split::<Self, _, _>(
                nodes,
                depth,
                leaf,
                |_| None,
            )?));
        }
        // The children of a node are shared references, so they can only be read.
        let none = |_: &'a mut Self| None::<core::iter::Empty<&'a mut Self>>;
        let nodes = L::split::<Self, _, _>(nodes, depth, |node| Some(children(node)), none)?;
        L::pass(depth, 1);
        depth.enter()?;
        for nodes in L::iter(nodes) {
            <Self as TreeWalk<K>>::walk_lanes::<L, E>(nodes, depth, visit)?;
        }
        depth.leave();
        Ok(())
    }
}

impl<K: LeafTypes, T: LeafOf<K>> TreeRead<K> for Node<'_, T> {}

/// Whether two nodes have the same head.
fn same_head<T>(first: &Node<'_, T>, other: &Node<'_, T>) -> bool {
    match (first, other) {
        (Node::Leaf(_), Node::Leaf(_))
        | (Node::None, Node::None)
        | (Node::Some(_), Node::Some(_)) => true,
        (Node::Tuple(first), Node::Tuple(other)) | (Node::List(first), Node::List(other)) => {
            first.len() == other.len()
        }
        (Node::Keyed(first), Node::Keyed(other)) => first.head() == other.head(),
        _ => false,
    }
}

/// Iterates over the children of a node.
fn children<'a, 'n, T>(node: &'a Node<'n, T>) -> impl Iterator<Item = &'a Node<'n, T>> {
    let (list, keyed) = match node {
        Node::Leaf(_) | Node::None => (&[][..], None),
        Node::Some(child) => (core::slice::from_ref(*child), None),
        Node::Tuple(children) | Node::List(children) => (*children, None),
        Node::Keyed(keyed) => (&[][..], Some(keyed)),
    };
    let keyed = keyed.into_iter().flat_map(|keyed| keyed.children());
    list.iter().chain(keyed.map(|child| -> &'a Node<'n, T> { child }))
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

impl<K: LeafTypes, T: Leaf + LeafOf<K> + TreeRead<K>> TreeRead<K> for View<'_, T> {}

impl<K: LeafTypes, T: Leaf + LeafAs<K> + TreeWalk<K>> TreeWalk<K> for View<'_, T> {
    fn walk_lanes<'a, L: Lanes, E: From<Error>>(
        views: Trees<'a, L, Self>,
        depth: &mut Depth,
        visit: &mut impl VisitLanes<'a, K, L, E>,
    ) -> Result<(), E>
    where
        K: 'a,
        Self: 'a,
    {
        let def = L::first::<Self>(&views).treedef();
        L::same::<Self>(&views, depth, |view| view.treedef() == def)?;
        L::pass(depth, def.node_count());
        // The leaves of a view are a shared slice, so they can only be read.
        let none = |_: &'a mut Self| None::<core::iter::Empty<&'a mut T>>;
        let leaves = L::split::<Self, _, _>(views, depth, |view| Some(view.leaves().iter()), none)?;
        L::iter(leaves).try_for_each(|leaf| visit.leaf(L::leaf::<K, T>(leaf)))
    }
}
