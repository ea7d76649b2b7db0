//! `bumpalo`: a `Bump` is a store, and holds the nodes of dynamic trees.

use bumpalo::Bump;

use crate::base::error::Error;
use crate::dynamic::node::Node;
use crate::dynamic::slab::{unflatten_into, unflatten_len};
use crate::encode::arena::{Store, sealed::Sealed};
use crate::treedef::treedef::TreeDef;

impl Sealed for &Bump {}

/// A treedef is measured, then written where it stays. Where repeats are nested, the room of one more unit for each is
/// taken besides, until the `Bump` is reset.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::Store;
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
        needed: impl FnOnce() -> Result<usize, Error>,
        write: impl FnOnce(&mut [u8]) -> Result<(usize, R), Error>,
    ) -> Result<(&'b [u8], R), Error> {
        let needed = needed()?;
        // A limit of the `Bump` or the end of the heap.
        let full = |_| Error::Full { needed, room: self.chunk_capacity() };
        let bytes = self.try_alloc_slice_fill_copy(needed, 0).map_err(full)?;
        let (len, result) = write(bytes)?;
        Ok((bytes.get(..len).unwrap_or_default(), result))
    }
}

/// As [`unflatten_into`], with the nodes in a `Bump`: one piece of exactly the size they need.
///
/// # Errors
///
/// As [`unflatten_into`]; [`Error::NodesFull`] where the `Bump` has a limit or the heap ends.
///
/// # Examples
///
/// ```
/// use bumpalo::Bump;
/// use treedef::{Options, treedef, unflatten_in};
///
/// let bump = Bump::new();
/// let tree = unflatten_in(&bump, treedef!([(*, *), (*, *)]), &[1, 2, 3, 4])?;
/// let mut leaves = [0; 4];
/// Options::new().leaves_into(&tree, &mut leaves)?;
/// assert_eq!(leaves, [1, 2, 3, 4]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub fn unflatten_in<'b, L: Copy>(
    bump: &'b Bump,
    def: TreeDef<'b>,
    leaves: &[L],
) -> Result<Node<'b, L>, Error> {
    let (expected, found) = (def.num_leaves(), leaves.len());
    // Before the room is taken: a treedef of few bytes can have many nodes.
    if found < expected {
        return Err(Error::TooFewLeaves { expected, found });
    }
    let needed = unflatten_len(def);
    let full = |_| Error::NodesFull { needed, room: 0 };
    let slab = bump.try_alloc_slice_fill_copy(needed, Node::None).map_err(full)?;
    unflatten_into(def, leaves, slab)
}
