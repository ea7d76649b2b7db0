//! Unflatten into nodes that stand in a slab of the caller.

use crate::base::error::Error;
use crate::dynamic::node::{Keyed, Label, Node};
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::format::head::{Head, Kind};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree as nodes, whose heads are borrowed from the treedef, as `jax.tree.unflatten`.
///
/// The slab is borrowed as long as the tree lives: safe Rust fills it once. Where that is a burden, take a
/// [`View`](crate::View), which needs no nodes, or a `bumpalo::Bump`. The children of a node stand side by side, those
/// of repeats are written out; the root is returned. At most [`MAX_DEPTH`] levels, a frame of the stack for each.
///
/// # Errors
///
/// [`Error::TooFewLeaves`], [`Error::TooManyLeaves`], [`Error::NodesFull`] with the exact need
/// ([`unflatten_len`]), [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// use treedef::{Error, Node, Options, treedef, unflatten_into};
///
/// let def = treedef!([(*, *), (*, *)]);
/// let mut slab = [Node::None; 6];
/// let tree = unflatten_into(def, &[1, 2, 3, 4], &mut slab)?;
/// let mut sum = 0;
/// Options::new().for_each(&tree, |leaf| sum += leaf)?;
/// assert_eq!(sum, 10);
///
/// let error = unflatten_into(def, &[1, 2, 3, 4], &mut [Node::None; 5]).unwrap_err();
/// assert_eq!(error, Error::NodesFull { needed: 6, room: 5 });
/// # Ok::<(), Error>(())
/// ```
pub fn unflatten_into<'a, L: Clone>(
    def: TreeDef<'a>,
    leaves: &[L],
    slab: &'a mut [Node<'a, L>],
) -> Result<Node<'a, L>, Error> {
    let (expected, found) = (def.num_leaves(), leaves.len());
    if found < expected {
        return Err(Error::TooFewLeaves { expected, found });
    }
    if found > expected {
        return Err(Error::TooManyLeaves { expected, found });
    }
    let needed = unflatten_len(def);
    let full = Error::NodesFull { needed, room: slab.len() };
    if needed > slab.len() {
        return Err(full);
    }
    let mut fill = Fill { cursor: Cursor::new(def), leaves: leaves.iter(), free: slab, full };
    let mut root = Node::None;
    fill.next(&mut Siblings::root(), &mut Depth::new(MAX_DEPTH), &mut root)?;
    Ok(root)
}

/// The exact number of nodes that [`unflatten_into`] needs in its slab: all but the root.
///
/// As [`TreeDef::num_nodes`] it is known at any depth, also where [`unflatten_into`] answers [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// assert_eq!(treedef::unflatten_len(treedef::treedef!([(*, *), (*, *)])), 6);
/// ```
pub const fn unflatten_len(def: TreeDef<'_>) -> usize {
    def.num_nodes().saturating_sub(1)
}

struct Fill<'a, 'l, L> {
    cursor: Cursor<'a>,
    leaves: core::slice::Iter<'l, L>,
    free: &'a mut [Node<'a, L>],
    full: Error,
}

impl<'a, L: Clone> Fill<'a, '_, L> {
    /// Builds the next child of `list` in `slot`.
    ///
    /// Recurses, so it keeps little: the list of the children, and the children.
    fn next(
        &mut self,
        list: &mut Siblings,
        depth: &mut Depth,
        slot: &mut Node<'a, L>,
    ) -> Result<(), Error> {
        let Some(head) = self.cursor.next(list) else { return Err(self.full) };
        let mut list = Siblings::of(&head);
        let children = match head.kind() {
            Kind::Leaf => return self.leaf(slot),
            Kind::None => {
                *slot = Node::None;
                return Ok(());
            }
            _ => self.reserve(head.num_children(), depth)?,
        };
        let mut result = Ok(());
        for slot in &mut *children {
            result?;
            result = self.next(&mut list, depth, slot);
        }
        // Reads the end of the list, where a repeat may stand.
        let _ = self.cursor.next(&mut list);
        depth.leave();
        *slot = node(&head, children);
        result
    }

    fn leaf(&mut self, slot: &mut Node<'a, L>) -> Result<(), Error> {
        // As many leaves as the treedef has were counted before.
        *slot = self.leaves.next().cloned().map(Node::Leaf).ok_or(self.full)?;
        Ok(())
    }

    fn reserve(&mut self, count: usize, depth: &mut Depth) -> Result<&'a mut [Node<'a, L>], Error> {
        depth.enter()?;
        let free = core::mem::take(&mut self.free);
        let (children, free) = free.split_at_mut_checked(count).ok_or(self.full)?;
        self.free = free;
        Ok(children)
    }
}

fn node<'a, L>(head: &Head<'a>, children: &'a [Node<'a, L>]) -> Node<'a, L> {
    match (head.kind(), children) {
        (Kind::Some, [child]) => Node::Some(child),
        (Kind::Tuple, _) => Node::Tuple(children),
        (Kind::List, _) => Node::List(children),
        _ => Node::Keyed(Keyed { __label: Label::sorted(head.as_bytes()), __children: children }),
    }
}
