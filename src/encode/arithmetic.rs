//! Helps writers to count bytes and nodes.

use crate::base::bytes::{after, first};

/// `bytes[from..to]`, empty if out of range.
#[inline]
pub(crate) const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    after(first(bytes, to), from)
}

/// Converts a number that was checked to fit.
#[inline]
pub(crate) const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}

/// The number of nodes of a tree with `branches` and `leaves`; `None` if a treedef cannot have that many. `branches`
/// may have stopped at `u32::MAX`.
#[inline]
pub(crate) const fn sum(branches: u32, leaves: usize) -> Option<u32> {
    if branches == u32::MAX || leaves > u32::MAX as usize {
        return None;
    }
    branches.checked_add(small(leaves))
}
