//! Unflattens into nodes in a slab of the caller.

use crate::base::error::Error;
use crate::dynamic::node::Node;
use crate::encode::depth::Depth;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::{Head, Kind};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree as nodes, like `jax.tree.unflatten`. Keys and names are borrowed from the treedef, the leaves are
/// cloned.
///
/// Returns the root. The slab holds all other nodes; each copy of a repeat has its own nodes there. The
/// slab is borrowed as long as the tree lives. A [`View`](crate::View) needs no nodes, and `integrations::unflatten_in`
/// takes a `bumpalo::Bump`. It takes about 200 bytes of stack for each level
/// on a 64-bit machine, for at most [`MAX_DEPTH`] levels.
///
/// # Errors
///
/// [`Error::TooFewLeaves`], [`Error::TooManyLeaves`]; [`Error::NodesFull`] with the length that the slab must have,
/// which is [`unflatten_len`]; [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// use treedef::dynamic::{Flatten, unflatten_into};
/// use treedef::{Error, Node, treedef};
///
/// let def = treedef!([(*, *), (*, *)]);
/// let mut slab = [Node::None; 6];
/// let tree = unflatten_into(def, &[1, 2, 3, 4], &mut slab)?;
/// let mut sum = 0;
/// Flatten::new().for_each(&tree, |leaf| sum += leaf)?;
/// assert_eq!(sum, 10);
///
/// let error = unflatten_into(def, &[1, 2, 3, 4], &mut [Node::None; 5]).unwrap_err();
/// assert_eq!(error, Error::NodesFull { needed: 6, room: 5 });
/// # Ok::<(), Error>(())
/// ```
pub fn unflatten_into<'a, L: Clone>(
    def: impl Into<TreeDef<'a>>,
    leaves: &[L],
    slab: &'a mut [Node<'a, L>],
) -> Result<Node<'a, L>, Error> {
    let def = def.into();
    Error::check_count(def.num_leaves(), leaves.len())?;
    let needed = unflatten_len(def);
    let full = Error::NodesFull { needed, room: slab.len() };
    if needed > slab.len() {
        return Err(full);
    }
    let (mut cursor, mut root) = (Cursor::new(def), Siblings::root());
    let head = cursor.next(&mut root).ok_or(full)?;
    let mut rest = Rest { leaves, slab, depth: Depth::new(MAX_DEPTH), full };
    rest.node(&mut cursor, head)
}

/// The leaves and slots that are left.
struct Rest<'l, 'a, L> {
    leaves: &'l [L],
    slab: &'a mut [Node<'a, L>],
    depth: Depth,
    /// The error if there are too few. Both were counted before.
    full: Error,
}

impl<'a, L: Clone> Rest<'_, 'a, L> {
    /// Makes the node with this head, which was read last, and the nodes in it.
    fn node(&mut self, cursor: &mut Cursor<'a>, head: Head<'a>) -> Result<Node<'a, L>, Error> {
        match head.kind() {
            Kind::Leaf => {
                return self.leaves.split_off_first().cloned().map(Node::Leaf).ok_or(self.full);
            }
            Kind::None => return Ok(Node::None),
            _ => {}
        }
        self.depth.enter()?;
        let children = self.slab.split_off_mut(..head.num_children()).ok_or(self.full)?;
        let (mut list, mut slots) = (Siblings::of(&head), &mut *children);
        while let Some(head) = cursor.next(&mut list) {
            if head != Head::LEAF {
                let node = self.node(cursor, head)?;
                *slots.split_off_first_mut().ok_or(self.full)? = node;
                continue;
            }
            let count = cursor.take_rest_of_run(&mut list).saturating_add(1) as usize;
            let leaves = self.leaves.split_off(..count).ok_or(self.full)?;
            let slots = slots.split_off_mut(..count).ok_or(self.full)?;
            for (slot, leaf) in slots.iter_mut().zip(leaves) {
                *slot = Node::Leaf(leaf.clone());
            }
        }
        self.depth.leave();
        Node::keyed(head, children)
    }
}

/// Returns the exact number of nodes that [`unflatten_into`] needs in its slab: all but the root.
///
/// Works for trees of any depth, even if [`unflatten_into`] returns [`Error::TooDeep`].
///
/// # Examples
///
/// ```
/// assert_eq!(treedef::dynamic::unflatten_len(treedef::treedef!([(*, *), (*, *)])), 6);
/// ```
#[must_use]
pub const fn unflatten_len(def: TreeDef<'_>) -> usize {
    def.num_nodes().saturating_sub(1)
}
