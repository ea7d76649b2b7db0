//! Stores treedefs and the nodes of dynamic trees in a `bumpalo::Bump`.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::base::error::Error;
use crate::dynamic::node::Node;
use crate::dynamic::slab::{unflatten_into, unflatten_len};
use crate::encode::structure::{Structure, structure_into};
use crate::treedef::treedef::TreeDef;

/// Writes the structure of `tree` as [`structure_into`](crate::structure_into), into a `Bump`. A treedef is a tree of its own
/// structure, so this also copies treedefs.
///
/// The treedef is written in place, into a buffer that doubles until it is large enough and then shrinks to its length.
/// If the buffer has to move to another chunk of the `Bump`, its old bytes are free again only after a reset.
///
/// # Errors
///
/// As [`structure_into`](crate::structure_into); [`Error::Full`] if the `Bump` reaches a limit or the heap is exhausted.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::integrations::structure_in;
///
/// let mut bump = Bump::new();
/// let def = structure_in(&bump, &[1.0f32; 3])?;
/// assert_eq!(def.as_bytes(), [0x43, 0x02]);
/// bump.reset();
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn structure_in<'b, T: Structure + ?Sized>(
    bump: &'b Bump,
    tree: &T,
) -> Result<TreeDef<'b>, Error> {
    // Enough for a treedef of a few nodes.
    let (mut bytes, mut more) = (Vec::new_in(bump), 64);
    loop {
        // The `Bump` has a limit or the heap is exhausted: the remaining bytes have to be enough.
        let last = bytes.try_reserve_exact(more).is_err();
        if last {
            more = bump.chunk_capacity();
            more = bytes.try_reserve_exact(more).map_or(0, |()| more);
        }
        let len = bytes.len().saturating_add(more);
        bytes.resize(len, 0);
        match structure_into(tree, &mut bytes).map(|def| (def.as_bytes().len(), def.sizes())) {
            Ok((kept, sizes)) => {
                bytes.truncate(kept);
                bytes.shrink_to_fit();
                return Ok(TreeDef::of_sizes(bytes.into_bump_slice(), sizes));
            }
            Err(Error::Full { room }) if room == len && !last => more = len.max(1),
            Err(error) => return Err(error),
        }
    }
}

/// Rebuilds a tree as [`unflatten_into`], with its nodes in a `Bump`: one allocation of the exact size.
///
/// # Errors
///
/// As [`unflatten_into`]; [`Error::NodesFull`] if the `Bump` reaches a limit or the heap is exhausted.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::dynamic::Flatten;
/// use treedef::integrations::unflatten_in;
/// use treedef::treedef;
///
/// let bump = Bump::new();
/// let tree = unflatten_in(&bump, treedef!([(*, *), (*, *)]), &[1, 2, 3, 4])?;
/// let mut leaves = [0; 4];
/// Flatten::new().leaves_into(&tree, &mut leaves)?;
/// assert_eq!(leaves, [1, 2, 3, 4]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn unflatten_in<'b, L: Copy>(
    bump: &'b Bump,
    def: impl Into<TreeDef<'b>>,
    leaves: &[L],
) -> Result<Node<'b, L>, Error> {
    let def = def.into();
    // Checked before the allocation, because a treedef of a few bytes can have many nodes.
    Error::check_count(def.num_leaves(), leaves.len())?;
    let needed = unflatten_len(def);
    let full = |_| Error::NodesFull { needed, room: 0 };
    let slab = bump.try_alloc_slice_fill_copy(needed, Node::None).map_err(full)?;
    unflatten_into(def, leaves, slab)
}
