//! How many bytes a structure can need, without writing it or comparing its siblings.

use crate::base::error::Error;
use crate::encode::encoder::{Encode, sealed::Sealed};
use crate::encode::output::Unit;
use crate::format::head;
use crate::format::heading::{HeadSpec, head_len};
use crate::format::varint;
use crate::treedef::treedef::TreeDef;

/// Counts heads and runs of leaves as they are written, and announced copies as one repeat.
///
/// A writer never needs more room. Until it folds a node into the one before it, both count the same bytes. Then it
/// goes back by the node and writes at most as many bytes: the first repeat of a node is no longer than that node,
/// because both end in a number of leaves, and a node has a head and a run before it; each further copy makes the
/// repeat at most one byte longer.
///
/// For example, `[(*, *), (*, *), (*, *)]` is written as `43 22 01 A1 02`. Described tuple by tuple it counts as
/// `43 22 01 22 01 22 01`, and as it is written where two copies are announced.
#[derive(Debug)]
pub(crate) struct Bound {
    bytes: usize,
    branches: u32,
    error: Error,
}

/// What the bound knows of a list of siblings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundList {
    /// The leaves where the current run of leaves begins.
    run_start: usize,
    /// The leaves of the node before; 0 where it cannot be repeated.
    unit: u32,
    /// Its announced copies.
    copies: u32,
    /// Its bytes, without the copies.
    len: usize,
}

impl Bound {
    pub(crate) const fn new() -> Self {
        Self { bytes: 0, branches: 0, error: Error::TooLarge }
    }

    /// The number of bytes. No treedef has more than `u32::MAX`, however many were counted.
    pub(crate) fn finish(self) -> usize {
        self.bytes.min(u32::MAX as usize)
    }

    const fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Makes the repeat of the node before one of `more` copies more.
    fn add_copies(&mut self, list: &mut BoundList, more: u32) {
        let len = |copies: u32| match copies.checked_sub(1) {
            Some(count) => head_len_of(count).saturating_add(varint::len(list.unit.into())),
            None => 0,
        };
        let before = len(list.copies);
        list.copies = list.copies.saturating_add(more);
        self.add(len(list.copies).saturating_sub(before));
    }
}

/// The bytes of a kind with its count.
const fn head_len_of(count: u32) -> usize {
    match count.checked_sub(head::ESCAPE as u32) {
        Some(more) => varint::len(more as u64).saturating_add(1),
        None => 1,
    }
}

impl Sealed for Bound {}

impl Encode for Bound {
    const HEADS: bool = true;

    type List = BoundList;
    /// The bytes before it.
    type Node = usize;

    fn list(leaves: usize) -> BoundList {
        BoundList { run_start: leaves, unit: 0, copies: 0, len: 0 }
    }

    fn flush(&mut self, list: &mut BoundList, leaves: usize) -> bool {
        if let Some(last) = leaves.wrapping_sub(list.run_start).checked_sub(1) {
            let Ok(last) = u32::try_from(last) else { return self.fail(Error::TooLarge) };
            *list = Self::list(leaves);
            self.add(head_len_of(last));
        }
        true
    }

    fn open(&mut self, _: &mut BoundList) -> usize {
        self.bytes
    }

    fn head<H: HeadSpec>(&mut self, head: &H) -> bool {
        if let Err(error) = head.check() {
            return self.fail(error);
        }
        self.branches = self.branches.saturating_add(1);
        self.add(head_len(head));
        true
    }

    /// A number of bytes that does not fit is above all bounds, and so is what is counted after it.
    fn pack(_: BoundList, start: usize) -> [u32; 3] {
        [u32::try_from(start).unwrap_or(u32::MAX), 0, 0]
    }

    /// The end of a node makes its list again, from the leaves alone.
    fn unpack([start, ..]: [u32; 3], leaves: u32) -> (BoundList, usize) {
        (Self::list(leaves as usize), start as usize)
    }

    fn close(&mut self, list: &mut BoundList, start: usize, leaves: usize) -> bool {
        let Ok(unit) = u32::try_from(leaves.wrapping_sub(list.run_start)) else {
            return self.fail(Error::TooLarge);
        };
        let len = self.bytes.saturating_sub(start);
        *list = BoundList { run_start: leaves, unit, copies: 0, len };
        true
    }

    fn subtree(
        &mut self,
        list: &mut BoundList,
        def: TreeDef<'_>,
        branches: u32,
        leaves: usize,
    ) -> bool {
        let start = self.bytes;
        self.add(def.as_bytes().len());
        self.branches = self.branches.saturating_add(branches);
        self.close(list, start, leaves)
    }

    fn repeat(&mut self, list: &mut BoundList, unit: Unit, count: u32, leaves: &mut u32) -> bool {
        let Some(after) = unit.leaves.checked_mul(count).and_then(|more| leaves.checked_add(more))
        else {
            return self.fail(Error::TooLarge);
        };
        self.branches = self.branches.saturating_add(unit.branches.saturating_mul(count));
        (*leaves, list.run_start) = (after, after as usize);
        match unit.leaves {
            // Copies without leaves are written out.
            0 => self.add(list.len.saturating_mul(count as usize)),
            _ if count > 0 => self.add_copies(list, count),
            _ => {}
        }
        true
    }

    fn may_copy(&self, list: &mut BoundList, leaves: usize) -> bool {
        list.run_start == leaves && list.unit > 0
    }

    fn copy(&mut self, list: &mut BoundList, branches: u32, leaves: usize) -> bool {
        list.run_start = leaves;
        self.branches = self.branches.saturating_add(branches);
        self.add_copies(list, 1);
        true
    }

    fn branches(&self) -> u32 {
        self.branches
    }

    fn fail(&mut self, error: Error) -> bool {
        self.error = error;
        false
    }

    fn error(&self, _: usize) -> Error {
        self.error
    }
}
