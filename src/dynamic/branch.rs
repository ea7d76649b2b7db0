//! The walk over nodes, if no predicate decides what is a leaf, and `None` is none. It takes fewer steps than the walk over
//! objects: all children are in a slice, and their variants show what they are.
//!
//! Copies are looked for right after a node, by a comparison of the nodes: `[(1, 2), (3, 4), 5]` is a list in which
//! [`walk_branch`] walks over `(1, 2)`, then [`walk_copies`] finds that `(3, 4)` is a copy, and the walk goes on with `5`. So
//! no copy is written, or compared with the expected bytes, and a list of siblings needs no state but the number of leaves
//! before it.

use core::slice;

use crate::base::target::SMALL_CODE;
use crate::dynamic::flatten::{LEVELS_OF_NONE, Walk};
use crate::dynamic::leaves::Leaves;
use crate::dynamic::node::{Node, OneLevel, can_be_same, is_same, keyed_child};
use crate::dynamic::rule::Rule;
use crate::encode::encoder::Encode;
use crate::format::head::Head;

/// Walks over a node that is not a leaf, the next child of `list`.
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
    if !walk.out.flush(list, walk.leaves.count()) {
        return false;
    }
    let node = walk.out.open(list);
    walk_branch(branch, walk, levels) && walk.out.close(list, node, walk.leaves.count())
}

/// Walks over the head and the children of a node that is not a leaf.
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
    // Here, a `None` takes half the instructions. Small code handles it as other nodes.
    if !SMALL_CODE && let Node::None = branch {
        return walk.out.head(&Head::NONE);
    }
    let level = OneLevel::of(branch);
    if !walk.head(&level, if let Node::None = branch { LEVELS_OF_NONE } else { levels }) {
        return false;
    }
    let below = levels.wrapping_sub(1);
    if level.order.is_some() {
        return walk_permuted(branch, walk, below);
    }
    let (mut from, mut children) = (walk.leaves.count(), level.children.iter());
    loop {
        let other = walk.leaves.put_leaves(&mut children, |child| match child {
            Node::Leaf(leaf) => Some(R::leaf(child, leaf)),
            _ => None,
        });
        let leaves = walk.leaves.count();
        if !walk.out.flush(&mut E::list(from), leaves) {
            return false;
        }
        let Some(child) = other else { return true };
        let start = walk.out.position();
        if !walk_branch(child, walk, below) {
            return false;
        }
        from = walk.leaves.count();
        // Only a node with leaves is repeated. Copies that are expected after the last child are those of its parent.
        if E::HEADS
            && from != leaves
            && let Some(next) = children.as_slice().first()
            && can_be_same(next, child)
        {
            match walk_copies(child, children, walk, start, None) {
                Some(rest) => children = rest,
                None => return false,
            }
            from = walk.leaves.count();
        }
    }
}

/// As [`walk_branch`] after the head, for children that are not in the order of the keys and have `below` levels.
#[inline(never)]
fn walk_permuted<'n, L, E, R, K>(
    branch: &'n Node<'n, L>,
    walk: &mut Walk<'_, E, R, K>,
    below: u32,
) -> bool
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
{
    let (mut rest, mut from) = (ByKey { branch, key: 0 }, walk.leaves.count());
    loop {
        let child = rest.first();
        rest.advance();
        if let Some(child @ Node::Leaf(leaf)) = child {
            walk.leaves.put(R::leaf(child, leaf));
            continue;
        }
        let leaves = walk.leaves.count();
        if !walk.out.flush(&mut E::list(from), leaves) {
            return false;
        }
        let Some(child) = child else { return true };
        let start = walk.out.position();
        if !walk_branch(child, walk, below) {
            return false;
        }
        from = walk.leaves.count();
        if E::HEADS && from != leaves && rest.first().is_some() {
            if walk_copies(child, [].iter(), walk, start, Some(&mut rest)).is_none() {
                return false;
            }
            from = walk.leaves.count();
        }
    }
}

/// The children of a node in the order of its keys, from that for the key with index `key` on.
struct ByKey<'n, L> {
    branch: &'n Node<'n, L>,
    key: usize,
}

impl<'n, L> ByKey<'n, L> {
    #[inline]
    fn first(&self) -> Option<&'n Node<'n, L>> {
        keyed_child(self.branch, self.key)
    }

    #[inline]
    fn advance(&mut self) {
        self.key = self.key.wrapping_add(1);
    }
}

/// Walks over the copies of `branch`, a node with leaves that begins at `start`. They are the first of the siblings after it,
/// which are `children`, or `more` if these are not in the order of the keys. Returns those of `children` that are left;
/// `None` if something went wrong.
#[inline(never)]
fn walk_copies<'n, L, E, R, K>(
    branch: &'n Node<'n, L>,
    mut children: slice::Iter<'n, Node<'n, L>>,
    walk: &mut Walk<'_, E, R, K>,
    start: usize,
    mut more: Option<&mut ByKey<'n, L>>,
) -> Option<slice::Iter<'n, Node<'n, L>>>
where
    E: Encode,
    R: Rule<&'n Node<'n, L>>,
    K: Leaves<R::Item>,
{
    let (most, mut leaves) = (walk.out.next_copies(), walk.leaves.count());
    let (mut count, mut own, mut branches) = (0u32, 0usize, 0u32);
    while count < most
        && let Some(next) = children.as_slice().first().or_else(|| more.as_deref()?.first())
    {
        walk.branches = 0;
        let same = is_same(next, branch, walk, |walk, seen| match seen {
            Some((child, leaf)) => walk.leaves.put(R::leaf(child, leaf)),
            // If this overflows, `branch` has more nodes than can be counted, which is noted.
            None => walk.branches = walk.branches.wrapping_add(1),
        });
        if !same {
            walk.leaves.rewind(leaves);
            break;
        }
        own = walk.leaves.count().wrapping_sub(leaves);
        leaves = walk.leaves.count();
        count = count.wrapping_add(1);
        branches = branches.saturating_add(walk.branches);
        if children.next().is_none()
            && let Some(more) = &mut more
        {
            more.advance();
        }
    }
    if walk.out.put_copies(start, count, most, own, branches) { Some(children) } else { None }
}
