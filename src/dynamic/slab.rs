//! Unflattens into nodes in a slab of the caller.

use crate::base::error::Error;
use crate::dynamic::node::Node;
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::Kind;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree as nodes, like `jax.tree.unflatten`. Keys and names are borrowed from the treedef, the leaves are
/// cloned.
///
/// Returns the root. The slab holds all other nodes; what the treedef stores as a repeat has nodes of its own there. The
/// slab is borrowed as long as the tree lives. A [`View`](crate::View) needs no nodes, and `integrations::unflatten_in`
/// takes a `bumpalo::Bump`. The function uses 4 kB of stack, for at most [`MAX_DEPTH`] levels.
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
    let (mut leaves, mut free, mut root) = (leaves.iter(), slab, Node::None);
    let mut nodes = Preorder::<_, { MAX_DEPTH as usize }>::new(def);
    while let Some(event) = nodes.next() {
        let made = match event {
            // There is a leaf: their number was checked before.
            Event::Leaf => leaves.next().cloned().map(Node::Leaf).ok_or(full)?,
            Event::Enter(head) if head.kind() == Kind::None => Node::None,
            Event::Enter(head) => {
                let (children, rest) =
                    free.split_at_mut_checked(head.num_children()).ok_or(full)?;
                free = rest;
                nodes.open(&head, (head, children))?;
                continue;
            }
            Event::Leave((head, children)) => Node::keyed(head, children)?,
        };
        let left = nodes.list().left();
        match nodes.data() {
            None => root = made,
            Some((_, children)) => {
                let index = children.len().wrapping_sub(left).wrapping_sub(1);
                *children.get_mut(index).ok_or(full)? = made;
            }
        }
    }
    Ok(root)
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
