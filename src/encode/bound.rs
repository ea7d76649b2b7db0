//! Bounds the bytes that a structure needs, without writing it or comparing siblings.

use crate::base::error::Error;
use crate::encode::arithmetic::{small, sum};
use crate::encode::encoder::{Encode, sealed::Sealed};
use crate::encode::output::Unit;
use crate::format::heading::{HeadSpec, count_len, head_len};
use crate::format::varint;
use crate::treedef::treedef::TreeDef;

/// Counts heads and runs of leaves as they are written, and copies that a tree announces as one repeat.
///
/// A writer never needs more room. Until it replaces a node by a repeat, both count the same bytes. The first repeat of
/// a node is no longer than that node, because both state their leaves, and the node also has a head. Each further copy
/// makes the repeat at most one byte longer.
///
/// For example, `[(*, *), (*, *), (*, *)]` is written as `43 22 01 A1 02`. If it is described tuple by tuple, it counts
/// as `43 22 01 22 01 22 01`. If two copies are announced, it counts as it is written.
#[derive(Debug)]
pub(crate) struct Bound {
    bytes: usize,
    branches: u32,
    error: Error,
}

/// The state of a list of siblings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundList {
    /// The number of leaves before the current run of leaves.
    run_start: usize,
    /// The number of leaves of the node before; 0 if it cannot be repeated.
    unit: u32,
    /// The number of its announced copies.
    copies: u32,
    /// The number of its bytes, without the copies.
    len: usize,
}

impl Bound {
    pub(crate) const fn new() -> Self {
        Self { bytes: 0, branches: 0, error: Error::TooLarge }
    }

    /// The number of bytes of a structure with `leaves` leaves, at most `u32::MAX`, because no treedef has more.
    pub(crate) fn finish(self, leaves: usize) -> Result<usize, Error> {
        match sum(self.branches, leaves) {
            Some(_) => Ok(self.bytes.min(u32::MAX as usize)),
            None => Err(Error::TooLarge),
        }
    }

    const fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Adds `more` copies to the repeat of the node before.
    fn add_copies(&mut self, list: &mut BoundList, more: u32) {
        let before = repeat_len(list.copies, list.unit);
        list.copies = list.copies.saturating_add(more);
        self.add(repeat_len(list.copies, list.unit).saturating_sub(before));
    }
}

/// The number of bytes of a repeat: `count` copies of a node with `leaves` leaves.
fn repeat_len(count: u32, leaves: u32) -> usize {
    match count.checked_sub(1) {
        Some(count) => count_len(count as usize).saturating_add(varint::len(leaves.into())),
        None => 0,
    }
}

impl Sealed for Bound {}

impl Encode for Bound {
    const HEADS: bool = true;

    type List = BoundList;
    /// The number of bytes before the node.
    type Node = usize;

    fn list(leaves: usize) -> BoundList {
        BoundList { run_start: leaves, unit: 0, copies: 0, len: 0 }
    }

    fn flush(&mut self, list: &mut BoundList, leaves: usize) -> bool {
        if let Some(last) = leaves.wrapping_sub(list.run_start).checked_sub(1) {
            let Ok(last) = u32::try_from(last) else { return self.fail(Error::TooLarge) };
            *list = Self::list(leaves);
            self.add(count_len(last as usize));
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

    /// A number of bytes that does not fit exceeds every buffer, and so does every later count.
    fn pack(_: BoundList, start: usize) -> [u32; 3] {
        [u32::try_from(start).unwrap_or(u32::MAX), 0, 0]
    }

    /// The end of a node needs only the leaves of its list.
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
            // Copies without leaves are written one by one.
            0 => self.add(list.len.saturating_mul(count as usize)),
            _ if count > 0 => self.add_copies(list, count),
            _ => {}
        }
        true
    }

    fn most_copies(&self, list: &mut BoundList, leaves: usize) -> u32 {
        if list.run_start == leaves && list.unit > 0 { u32::MAX } else { 0 }
    }

    fn copy(
        &mut self,
        list: &mut BoundList,
        count: u32,
        _: usize,
        branches: u32,
        leaves: usize,
    ) -> bool {
        list.run_start = leaves;
        self.branches = self.branches.saturating_add(branches);
        self.add_copies(list, count);
        true
    }

    fn branches(&self) -> u32 {
        self.branches
    }

    fn next_copies(&mut self) -> u32 {
        u32::MAX
    }

    fn put_copies(&mut self, _: usize, count: u32, _: u32, own: usize, branches: u32) -> bool {
        self.branches = self.branches.saturating_add(branches);
        self.add(repeat_len(count, small(own)));
        true
    }

    fn fail(&mut self, error: Error) -> bool {
        self.error = error;
        false
    }

    fn error(&self, _: usize) -> Error {
        self.error
    }
}
