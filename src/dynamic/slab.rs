//! Unflattens into nodes in a slab of the caller.

use core::slice::{Iter, from_mut, from_ref};

use crate::base::error::Error;
use crate::dynamic::node::{Keyed, Label, Node};
use crate::encode::depth::MAX_DEPTH;
use crate::format::head::{Head, Kind};
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree as nodes, like `jax.tree.unflatten`. Keys and names are borrowed from the treedef, the leaves are
/// cloned.
///
/// Returns the root. The slab holds all other nodes; what the treedef stores as a repeat has nodes of its own there. The
/// slab is borrowed as long as the tree lives. A [`View`](crate::View) needs no nodes, and `integrations::unflatten_in`
/// takes a `bumpalo::Bump`. The function uses 4 kB of stack, for at most [`MAX_DEPTH`] levels, and 110 bytes more for
/// each level inside what is stored as a repeat.
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
            Event::Leave((head, children)) => node(&head, children),
        };
        let (cursor, list) = nodes.position();
        let left = list.left();
        let (copies, _) = cursor.take_copies(list, 0).unwrap_or_default();
        let Some((_, children)) = nodes.data() else {
            root = made;
            continue;
        };
        // The children from this one on.
        let here = children.len().checked_sub(left).and_then(|next| next.checked_sub(1));
        let rest = here.and_then(|here| children.get_mut(here..)).ok_or(full)?;
        let (first, rest) = rest.split_first_mut().ok_or(full)?;
        *first = made;
        for copy in rest.iter_mut().take(copies as usize) {
            copy_all(from_ref(first), from_mut(copy), &mut free, &mut leaves).ok_or(full)?;
        }
    }
    Ok(root)
}

/// Copies nodes that were rebuilt before to `slots`, with nodes from `free` below them and the leaves that come next.
///
/// A repeat is rebuilt so, because its bytes need not be read again. Of `[(*, *), (*, *)]` the first tuple is read. The
/// second has its slot in the list; this function takes two nodes from `free` for its children, and fills them with the
/// leaves 2 and 3. The recursion goes as deep as the first tuple, which is at most [`MAX_DEPTH`].
fn copy_all<'a, L: Clone>(
    nodes: &[Node<'a, L>],
    slots: &mut [Node<'a, L>],
    free: &mut &'a mut [Node<'a, L>],
    leaves: &mut Iter<'_, L>,
) -> Option<()> {
    for (node, slot) in nodes.iter().zip(slots) {
        let mut list = |children: &[Node<'a, L>]| {
            let slots = free.split_off_mut(..children.len())?;
            copy_all(children, slots, free, leaves)?;
            Some(&*slots)
        };
        *slot = match node {
            Node::Leaf(_) => Node::Leaf(leaves.next()?.clone()),
            Node::None => Node::None,
            Node::Some(child) => Node::Some(list(from_ref(child))?.first()?),
            Node::Tuple(children) => Node::Tuple(list(children)?),
            Node::List(children) => Node::List(list(children)?),
            Node::Keyed(keyed) => {
                Node::Keyed(Keyed { __label: keyed.__label, __children: list(keyed.__children)? })
            }
        };
    }
    Some(())
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

fn node<'a, L>(head: &Head<'a>, children: &'a [Node<'a, L>]) -> Node<'a, L> {
    match (head.kind(), children) {
        (Kind::Some, [child]) => Node::Some(child),
        (Kind::Tuple, _) => Node::Tuple(children),
        (Kind::List, _) => Node::List(children),
        _ => Node::Keyed(Keyed { __label: Label::sorted(head.as_bytes()), __children: children }),
    }
}
