//! Defines the encoders, which receive a structure: to write or compare bytes, to bound their number, or to count
//! leaves.

use crate::base::error::Error;
use crate::encode::output::Unit;
use crate::format::heading::HeadSpec;
use crate::format::to_value::ToValue;
use crate::treedef::treedef::TreeDef;

/// Receives a structure node by node, in preorder. If a method returns `false`, [`Encode::error`] says what went wrong.
///
/// A tree describes itself to a [`Describe`](crate::tree::Describe), which holds an encoder. The trait is sealed. Its
/// types write the bytes of a treedef, compare them with an expected treedef, bound their number, or only count leaves.
/// [`Describe`](crate::tree::Describe) has an example.
///
/// Leaves are not passed one by one. Each call after leaves gets their number, counted from the first leaf of the tree.
/// The caller keeps the state of each list of siblings, usually in the stack frame of a recursion. Methods return a
/// flag, because a flag stays in a register; a [`Result`] with an [`Error`] would be copied from frame to frame.
pub trait Encode: sealed::Sealed {
    /// Whether heads are read. If not, keys are neither checked nor counted, which saves most of the work for a map.
    #[doc(hidden)]
    const HEADS: bool;

    /// Whether the methods that try the usual case can succeed. They call no other function, so that the steps of a
    /// description save no registers.
    #[doc(hidden)]
    const TRIES: bool = false;

    /// The state of a list of siblings.
    #[doc(hidden)]
    type List: Copy;

    /// The place where an open node begins.
    #[doc(hidden)]
    type Node: Copy;

    /// The state of a list of children that begins after `leaves` leaves.
    #[doc(hidden)]
    fn list(leaves: usize) -> Self::List;

    /// Ends a run of leaves, if there is one.
    #[doc(hidden)]
    fn flush(&mut self, list: &mut Self::List, leaves: usize) -> bool;

    /// Begins a node; its head follows.
    #[doc(hidden)]
    fn open(&mut self, list: &mut Self::List) -> Self::Node;

    /// The head of the node that was begun. Its keys are checked first.
    #[doc(hidden)]
    fn head<H: HeadSpec>(&mut self, head: &H) -> bool;

    /// Stores in three words what the end of a node needs that was begun after a flush, for describers that keep their
    /// own levels.
    #[doc(hidden)]
    fn pack(list: Self::List, node: Self::Node) -> [u32; 3];

    /// Reads what was packed of a node that was begun after `leaves` leaves. The list has only the state that the end
    /// of the node needs.
    #[doc(hidden)]
    fn unpack(words: [u32; 3], leaves: u32) -> (Self::List, Self::Node);

    /// Ends a node.
    #[doc(hidden)]
    fn close(&mut self, list: &mut Self::List, node: Self::Node, leaves: usize) -> bool;

    /// As [`Encode::flush`], if the run is short and can be passed. Otherwise `false`, and nothing changed.
    #[doc(hidden)]
    #[inline]
    fn try_flush(&mut self, _list: &mut Self::List, _leaves: usize) -> bool {
        false
    }

    /// As [`Encode::open`] and [`Encode::head`] of a head with these bytes, if they are few and can be passed. Otherwise
    /// `None`, and nothing changed.
    #[doc(hidden)]
    #[inline]
    fn try_head(&mut self, _list: &mut Self::List, _head: &[u8]) -> Option<Self::Node> {
        None
    }

    /// As [`Encode::close`], if it is clear that the node is no copy of the one before. Otherwise `false`, and nothing
    /// changed.
    #[doc(hidden)]
    #[inline]
    fn try_close(&mut self, _list: &mut Self::List, _node: Self::Node, _leaves: usize) -> bool {
        false
    }

    /// Adds a whole treedef, which is not a leaf, with `branches` nodes other than leaves. `leaves` includes its own.
    #[doc(hidden)]
    fn subtree(
        &mut self,
        list: &mut Self::List,
        def: TreeDef<'_>,
        branches: u32,
        leaves: usize,
    ) -> bool;

    /// Adds `count` copies of the node before, which has the counts `unit`. Adds the leaves of the copies that it
    /// accepts to `leaves`.
    #[doc(hidden)]
    fn repeat(&mut self, list: &mut Self::List, unit: Unit, count: u32, leaves: &mut u32) -> bool;

    /// Writes or compares the head of a plain dictionary with `count` text keys that can come next, and returns where it
    /// ends. The node begins afterwards, with this head. `None` if the head is another one, or if it is unknown. No
    /// leaves wait to be written.
    #[doc(hidden)]
    #[inline]
    fn ahead(
        &mut self,
        _list: &mut Self::List,
        _count: usize,
        _keys: impl Iterator<Item: ToValue>,
    ) -> Option<u32> {
        None
    }

    /// The largest number of copies of the node before that can be next, after `leaves` leaves. More have to be added as
    /// nodes.
    #[doc(hidden)]
    fn most_copies(&self, list: &mut Self::List, leaves: usize) -> u32;

    /// Adds `count` copies of the node before, at most [`Encode::most_copies`]. Each has `own` leaves, and all together
    /// have `branches` other nodes. `leaves` includes their leaves.
    #[doc(hidden)]
    fn copy(
        &mut self,
        list: &mut Self::List,
        count: u32,
        own: usize,
        branches: u32,
        leaves: usize,
    ) -> bool;

    /// Where the next node begins, for [`Encode::put_copies`].
    #[doc(hidden)]
    fn position(&self) -> usize {
        0
    }

    /// The largest number of copies that can follow the node with leaves that ends here. If a treedef is expected, it is the
    /// number in its repeat, and the position moves past it. Then the caller compares the siblings that follow with the
    /// node, and calls [`Encode::put_copies`].
    #[doc(hidden)]
    fn next_copies(&mut self) -> u32;

    /// Adds `count` copies of the node that begins at `start`, at most `most`, the result of [`Encode::next_copies`]. Each has
    /// `own` leaves, and all together have `branches` other nodes. If more copies are expected, the position goes back to the
    /// node, so that the next sibling is compared with its bytes, and a mismatch has its place.
    #[doc(hidden)]
    fn put_copies(
        &mut self,
        start: usize,
        count: u32,
        most: u32,
        own: usize,
        branches: u32,
    ) -> bool;

    /// The number of nodes so far, without leaves.
    #[doc(hidden)]
    fn branches(&self) -> u32;

    /// After a subtree, or a copy if there is no subtree, was refused because another node is expected: the expected
    /// bytes and the given ones.
    #[doc(hidden)]
    fn refused<'a>(
        &'a self,
        _list: &Self::List,
        _subtree: Option<&'a [u8]>,
    ) -> Option<(&'a [u8], &'a [u8])> {
        None
    }

    /// Notes an error that the caller found.
    #[doc(hidden)]
    fn fail(&mut self, error: Error) -> bool;

    /// What went wrong after `leaves` leaves.
    #[doc(hidden)]
    fn error(&self, leaves: usize) -> Error;
}

pub(crate) mod sealed {
    /// Implemented by the encoders of this crate.
    pub trait Sealed {}
}

/// Encodes nothing, for walks that only count leaves.
#[derive(Debug)]
pub(crate) struct LeavesOnly(Error);

impl LeavesOnly {
    pub(crate) const fn new() -> Self {
        Self(Error::TooLarge)
    }
}

impl sealed::Sealed for LeavesOnly {}

impl Encode for LeavesOnly {
    const HEADS: bool = false;

    type List = ();
    type Node = ();

    fn list(_: usize) {}

    fn flush(&mut self, (): &mut (), _: usize) -> bool {
        true
    }

    fn open(&mut self, (): &mut ()) {}

    fn head<H: HeadSpec>(&mut self, _: &H) -> bool {
        true
    }

    fn pack((): (), (): ()) -> [u32; 3] {
        [0; 3]
    }

    fn unpack(_: [u32; 3], _: u32) -> ((), ()) {
        ((), ())
    }

    fn close(&mut self, (): &mut (), (): (), _: usize) -> bool {
        true
    }

    fn subtree(&mut self, (): &mut (), _: TreeDef<'_>, _: u32, _: usize) -> bool {
        true
    }

    #[inline]
    fn repeat(&mut self, (): &mut (), unit: Unit, count: u32, leaves: &mut u32) -> bool {
        match unit.leaves.checked_mul(count).and_then(|more| leaves.checked_add(more)) {
            Some(sum) => *leaves = sum,
            None => return self.fail(Error::TooLarge),
        }
        true
    }

    fn most_copies(&self, (): &mut (), _: usize) -> u32 {
        0
    }

    fn copy(&mut self, (): &mut (), _: u32, _: usize, _: u32, _: usize) -> bool {
        true
    }

    fn next_copies(&mut self) -> u32 {
        0
    }

    fn put_copies(&mut self, _: usize, _: u32, _: u32, _: usize, _: u32) -> bool {
        true
    }

    fn branches(&self) -> u32 {
        0
    }

    fn fail(&mut self, error: Error) -> bool {
        self.0 = error;
        false
    }

    fn error(&self, _: usize) -> Error {
        self.0
    }
}
