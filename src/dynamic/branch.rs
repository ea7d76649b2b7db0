//! The walk over nodes, if no predicate decides what is a leaf, and `None` is none. It takes fewer steps than the walk over
//! objects: all children are in a slice, and their variants show what they are.
//!
//! Leaves are written before the next node begins, and a node that is known to be unlike the one before is not compared
//! with it again.

use crate::dynamic::flatten::Walk;
use crate::dynamic::leaves::Leaves;
use crate::dynamic::node::{Keyed, Node, OneLevel};
use crate::dynamic::object::Object;
use crate::dynamic::rule::Rule;
use crate::encode::encoder::Encode;
use crate::encode::output::Unit;
use crate::format::head::Head;

/// Walks over a node that is neither a leaf nor `None`, the next child of `list`. The leaves before it are written.
#[inline(always)]
pub(super) fn walk_next<'n, L, E, R, K>(
    branch: &'n Node<'n, L>,
    walk: &mut Walk<'_, E, R, K>,
    list: &mut E::List,
    levels: u32,
) -> bool
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
{
    let node = walk.out.open(list);
    walk_branch(branch, walk, levels) && walk.out.close(list, node, walk.leaves.count())
}

/// Walks over the head and the children of a node.
#[inline(never)]
fn walk_branch<'n, L, E, R, K>(
    branch: &'n Node<'n, L>,
    walk: &mut Walk<'_, E, R, K>,
    levels: u32,
) -> bool
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
{
    let head = OneLevel(branch);
    // Each arm knows what the head is.
    let children = match branch {
        Node::Keyed(keyed) => {
            if head.permuted().is_some() {
                return walk_permuted(branch, keyed, walk, levels);
            }
            if !walk.head(&head, levels) {
                return false;
            }
            keyed.__children
        }
        Node::Tuple(children) | Node::List(children) => {
            if !walk.head(&head, levels) {
                return false;
            }
            children
        }
        _ => {
            if !walk.head(&head, levels) {
                return false;
            }
            head.children()
        }
    };
    let (below, mut from) = (levels.wrapping_sub(1), walk.leaves.count());
    let (mut list, mut children, mut before) = (E::list(from), children.iter(), None);
    loop {
        let other = walk.leaves.put_leaves(&mut children, |child| match child {
            Node::Leaf(leaf) => Some(R::leaf(child, leaf)),
            _ => None,
        });
        let leaves = walk.leaves.count();
        if leaves != from {
            if !walk.out.flush(&mut list, leaves) {
                return false;
            }
            before = None;
        }
        let Some(mut child) = other else { return true };
        if let Some(sibling) = before {
            if !child.__can_repeat(sibling) {
                walk.out.unlike(&mut list);
            } else if walk.compares::<&Node<'n, L>>(&mut list, below) {
                // A variable of its own, so that `children` stays in registers.
                let mut rest = children;
                let found = walk.copies(child, &mut rest, (sibling, Unit::LEAF), &mut list);
                children = rest;
                from = walk.leaves.count();
                match found {
                    Some(Some(other)) => child = other,
                    Some(None) => continue,
                    None => return false,
                }
                if let Node::Leaf(leaf) = child {
                    walk.leaves.put(R::leaf(child, leaf));
                    continue;
                }
            }
        }
        if let Node::None = child {
            if !walk.out.head(&Head::NONE) {
                return false;
            }
            walk.out.unlike(&mut list);
            (before, from) = (None, walk.leaves.count());
            continue;
        }
        if !walk_next(child, walk, &mut list, below) {
            return false;
        }
        from = walk.leaves.count();
        if K::REWINDS {
            before = Some(child);
        }
    }
}

/// As [`walk_branch`], for children that are not in the order of the keys.
#[inline(never)]
fn walk_permuted<'n, L, E, R, K>(
    branch: &'n Node<'n, L>,
    keyed: &'n Keyed<'n, L>,
    walk: &mut Walk<'_, E, R, K>,
    levels: u32,
) -> bool
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
{
    if !walk.head(&OneLevel(branch), levels) {
        return false;
    }
    let (mut list, below) = (E::list(walk.leaves.count()), levels.wrapping_sub(1));
    for child in keyed.children() {
        let done = match child {
            Node::Leaf(leaf) => {
                walk.leaves.put(R::leaf(child, leaf));
                true
            }
            Node::None => walk.none(child, &mut list),
            _ => {
                walk.out.flush(&mut list, walk.leaves.count())
                    && walk_next(child, walk, &mut list, below)
            }
        };
        if !done {
            return false;
        }
    }
    walk.out.flush(&mut list, walk.leaves.count())
}
