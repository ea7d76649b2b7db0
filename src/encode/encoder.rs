//! Who receives a structure: bytes that are written or compared, a bound of their number, or nobody.

use crate::base::error::Error;
use crate::encode::output::Unit;
use crate::format::heading::HeadSpec;
use crate::treedef::treedef::TreeDef;

/// Receives a structure node by node, in preorder; `false` where [`Encode::error`] says what went wrong.
///
/// Trees speak to a [`Describe`](crate::tree::Describe), which holds one of these. The trait is sealed: there are the
/// bytes of a treedef, written or compared with an expected one, a bound of how many they can become, and one that
/// counts leaves alone.
///
/// Leaves are not passed one by one. Each call that follows leaves gets their number, counted from the first leaf of
/// the tree. What an encoder has to know of a list of siblings lies with the caller, mostly in the stack frame of a
/// recursion. An answer is a flag, because a flag stays in a register, where a [`Result`] of an [`Error`] is copied
/// from frame to frame.
pub trait Encode: sealed::Sealed {
    /// Whether heads are looked at. If not, keys are neither checked nor counted, which is most of the work over a map.
    #[doc(hidden)]
    const HEADS: bool;

    /// What it has to know of the siblings before.
    #[doc(hidden)]
    type List: Copy;

    /// Where the open node begins.
    #[doc(hidden)]
    type Node: Copy;

    /// The list of children that begins after `leaves` leaves.
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

    /// What ends a node that was begun after a flush, in three words: for describers that keep their levels themselves.
    #[doc(hidden)]
    fn pack(list: Self::List, node: Self::Node) -> [u32; 3];

    /// What was packed of a node that was begun after `leaves` leaves. Of the list it has what the end of the node
    /// needs.
    #[doc(hidden)]
    fn unpack(words: [u32; 3], leaves: u32) -> (Self::List, Self::Node);

    /// Ends a node.
    #[doc(hidden)]
    fn close(&mut self, list: &mut Self::List, node: Self::Node, leaves: usize) -> bool;

    /// Adds a whole treedef with `branches` nodes that are no leaves; it is no leaf itself. `leaves` counts its own.
    #[doc(hidden)]
    fn subtree(
        &mut self,
        list: &mut Self::List,
        def: TreeDef<'_>,
        branches: u32,
        leaves: usize,
    ) -> bool;

    /// Adds `count` copies of the node before, of which `unit` is one. The leaves of those that it takes are added to
    /// `leaves`.
    #[doc(hidden)]
    fn repeat(&mut self, list: &mut Self::List, unit: Unit, count: u32, leaves: &mut u32) -> bool;

    /// Whether a copy of the node before can come next, after `leaves` leaves; if not, it has to be passed as a node.
    #[doc(hidden)]
    fn may_copy(&self, list: &mut Self::List, leaves: usize) -> bool;

    /// Adds one copy of the node before, which [`Encode::may_copy`] allowed: it has leaves, and `branches` nodes that
    /// are no leaves.
    #[doc(hidden)]
    fn copy(&mut self, list: &mut Self::List, branches: u32, leaves: usize) -> bool;

    /// The nodes so far that are no leaves.
    #[doc(hidden)]
    fn branches(&self) -> u32;

    /// After a subtree, or where there is none a copy, was refused because another treedef is expected: the bytes that
    /// are expected and those that came instead.
    #[doc(hidden)]
    fn refused<'a>(
        &'a self,
        _list: &Self::List,
        _subtree: Option<&'a [u8]>,
    ) -> Option<(&'a [u8], &'a [u8])> {
        None
    }

    /// Notes what the caller found wrong.
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

/// Nothing is encoded: the walk is for its leaves.
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

    fn may_copy(&self, (): &mut (), _: usize) -> bool {
        false
    }

    fn copy(&mut self, (): &mut (), _: u32, _: usize) -> bool {
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
