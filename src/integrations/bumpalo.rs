//! Stores treedefs and the nodes of dynamic trees in a `bumpalo::Bump`.

use bumpalo::Bump;
use bumpalo::collections::Vec;

use crate::base::error::Error;
use crate::base::sealed::Sealed;
use crate::dynamic::node::Node;
use crate::dynamic::slab::{unflatten_into, unflatten_len};
use crate::encode::arena::Store;
use crate::treedef::treedef::TreeDef;

impl Sealed for &Bump {}

/// A treedef is written in place, into a buffer that doubles until it is large enough and then shrinks to its length.
/// If the buffer has to move to another chunk of the `Bump`, its old bytes are free again only after a reset.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::encode::Store;
///
/// let mut bump = Bump::new();
/// let def = bump.structure(&[1.0f32; 3])?;
/// assert_eq!(def.as_bytes(), [0x43, 0x02]);
/// bump.reset();
/// # Ok::<(), treedef::Error>(())
/// ```
impl<'b> Store<'b> for &'b Bump {
    fn write<R>(
        self,
        room: usize,
        mut write: impl FnMut(&mut [u8]) -> Result<(usize, R), Error>,
    ) -> Result<(&'b [u8], R), Error> {
        let (mut bytes, mut more) = (Vec::new_in(self), room);
        loop {
            // The `Bump` has a limit or the heap is exhausted: the remaining bytes have to be enough.
            let last = bytes.try_reserve_exact(more).is_err();
            if last {
                more = self.chunk_capacity();
                more = bytes.try_reserve_exact(more).map_or(0, |()| more);
            }
            let len = bytes.len().saturating_add(more);
            bytes.resize(len, 0);
            match write(&mut bytes) {
                Ok((kept, result)) => {
                    bytes.truncate(kept);
                    bytes.shrink_to_fit();
                    return Ok((bytes.into_bump_slice(), result));
                }
                Err(Error::Full { room }) if room == len && !last => more = len.max(1),
                Err(error) => return Err(error),
            }
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
    let (expected, found) = (def.num_leaves(), leaves.len());
    // Checked before the allocation, because a treedef of a few bytes can have many nodes.
    if found < expected {
        return Err(Error::TooFewLeaves { expected, found });
    }
    let needed = unflatten_len(def);
    let full = |_| Error::NodesFull { needed, room: 0 };
    let slab = bump.try_alloc_slice_fill_copy(needed, Node::None).map_err(full)?;
    unflatten_into(def, leaves, slab)
}
