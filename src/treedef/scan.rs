//! Scans the node at the front of some bytes, to find its end or to count its nodes.
//!
//! To find the end, only the number of remaining nodes is kept: a head subtracts one and adds its children. For example,
//! `[(*, *), (*, *), *]` is encoded as a list of 3, a tuple of 2, 2 leaves, a repeat of 1, and a leaf:
//!
//! ```text
//! remaining: 1   list of 3   3   tuple of 2   4   2 leaves   2   1 copy   1   leaf   0: the end
//! ```
//!
//! To count nodes, the nodes of a copy have to be known, so the list that waits for a child keeps the number of nodes
//! before it.

use crate::base::attempt::attempt;
use crate::format::head::{Item, read_item};
use crate::format::validate::MAX_PENDING;
use crate::treedef::spot::Spot;

/// What a scan of a node finds.
pub(crate) struct Skipped<'a> {
    pub(crate) leaves: u32,
    /// The number of nodes after its last leaf; without a leaf, of all its nodes.
    pub(crate) tail: u32,
    /// The bytes that follow it.
    pub(crate) rest: &'a [u8],
}

/// Steps over the node at the front in one flat scan without a stack.
pub(crate) const fn skip(bytes: &[u8]) -> Option<Skipped<'_>> {
    skip_before(bytes, Spot::END)
}

/// As [`skip`], but reads the node only up to `goal`, and returns `None`, if the goal is in it. The spot is counted from the node.
pub(crate) const fn skip_before(bytes: &[u8], goal: Spot) -> Option<Skipped<'_>> {
    let (mut rest, mut pending, mut leaves, mut tail) = (bytes, 1u32, 0u32, 0u32);
    while pending > 0 {
        if goal.is_before(Spot { leaf: leaves, rank: tail }) {
            return None;
        }
        let Some((item, after)) = read_item(rest) else { return None };
        rest = after;
        match item {
            Item::Leaves(count) => {
                pending = attempt!(pending.checked_sub(count));
                leaves = attempt!(leaves.checked_add(count));
                tail = 0;
            }
            // The last copy has the tail of the node that it copies, which has leaves.
            Item::Same { copies, leaves: unit } => {
                pending = attempt!(pending.checked_sub(copies));
                leaves = attempt!(leaves.checked_add(attempt!(copies.checked_mul(unit))));
            }
            Item::Node(head) => {
                pending = attempt!(attempt!(pending.checked_sub(1)).checked_add(head.arity()));
                tail = attempt!(tail.checked_add(1));
            }
        }
    }
    Some(Skipped { leaves, tail, rest })
}

/// Counts the nodes of the node at the front with all its descendants, repeats written out.
///
/// One flat scan if no node is repeated. Otherwise one more with [`MAX_PENDING`] levels, and if these are too few, one
/// that needs none.
pub(crate) const fn count_nodes(bytes: &[u8]) -> u32 {
    let (mut rest, mut left, mut nodes) = (bytes, 1u32, 0u32);
    while left > 0
        && let Some((item, after)) = read_item(rest)
    {
        rest = after;
        let (count, below) = match item {
            Item::Leaves(count) => (count, 0),
            Item::Node(head) => (1, head.arity()),
            Item::Same { .. } => {
                return match count_with_levels(bytes) {
                    Some(nodes) => nodes,
                    None => count_without_levels(bytes),
                };
            }
        };
        nodes = nodes.saturating_add(count);
        left = left.saturating_sub(count).saturating_add(below);
    }
    nodes
}

/// Counts in one pass that keeps the lists that wait, to know where a repeated node began; `None` if too many lists
/// wait.
#[inline(never)]
const fn count_with_levels(mut bytes: &[u8]) -> Option<u32> {
    let mut levels = [(0u32, 0u32); MAX_PENDING];
    let (mut depth, mut left, mut nodes) = (0usize, 1u32, 0u32);
    while let Some((item, rest)) = read_item(bytes) {
        bytes = rest;
        match item {
            Item::Leaves(count) => {
                nodes = attempt!(nodes.checked_add(count));
                left = attempt!(left.checked_sub(count));
            }
            Item::Same { .. } => return None,
            Item::Node(head) => {
                left = attempt!(left.checked_sub(1));
                if head.arity() > 0 {
                    if left > 0 {
                        let (_, free) = attempt!(levels.split_at_mut_checked(depth));
                        *attempt!(free.first_mut()) = (left, nodes);
                        depth = depth.saturating_add(1);
                    }
                    left = head.arity();
                }
                nodes = attempt!(nodes.checked_add(1));
            }
        }
        while left == 0 {
            let Some(up) = depth.checked_sub(1) else { return Some(nodes) };
            depth = up;
            let (_, level) = attempt!(levels.split_at_checked(up));
            let (siblings, before) = *attempt!(level.first());
            left = siblings;
            if let Some((Item::Same { copies, .. }, rest)) = read_item(bytes) {
                bytes = rest;
                left = attempt!(left.checked_sub(copies));
                let more = attempt!(nodes.saturating_sub(before).checked_mul(copies));
                nodes = attempt!(nodes.checked_add(more));
            }
        }
    }
    None
}

/// Counts at any depth: searches for a repeat after each node before it reads what is inside, so every item is counted
/// as often as it is repeated.
///
/// It reads a node once for each node around it, and once more. For example, `[[*, None], [*, None], [*, None]]`:
///
/// ```text
/// list of 3                         times 1    nodes 1
/// list of 2, a repeat follows it    times 3    nodes 4
/// leaf                              times 3    nodes 7
/// None                              times 3    nodes 10
/// 2 copies                          times 1    nodes 10
/// ```
#[cold]
#[inline(never)]
const fn count_without_levels(mut bytes: &[u8]) -> u32 {
    // The number of bytes after each repeated node that is open. Each repeat at least doubles the leaves inside it, and
    // their number fits `u32`, so fewer than 32 are open at once.
    let mut units = [0usize; 32];
    let (mut open, mut times, mut left, mut nodes) = (0usize, 1u32, 1u32, 0u32);
    while left > 0
        && let Some((item, rest)) = read_item(bytes)
    {
        match item {
            Item::Leaves(count) => {
                left = left.saturating_sub(count);
                nodes = nodes.saturating_add(count.saturating_mul(times));
            }
            Item::Same { copies, .. } => {
                left = left.saturating_sub(copies);
                open = open.saturating_sub(1);
                if let Some(outside) = times.checked_div(copies.saturating_add(1)) {
                    times = outside;
                }
            }
            Item::Node(head) => {
                left = left.saturating_sub(1);
                // A last child is never repeated: the last child of a repeated node ends where that node ends.
                if head.arity() > 0
                    && left > 0
                    && let Some(node) = skip(bytes)
                    && let Some((Item::Same { copies, .. }, _)) = read_item(node.rest)
                    && let Some((outer, [slot, ..])) = units.split_at_mut_checked(open)
                    && !matches!(outer, [.., unit] if *unit == node.rest.len())
                {
                    *slot = node.rest.len();
                    open = open.saturating_add(1);
                    times = times.saturating_mul(copies.saturating_add(1));
                }
                left = left.saturating_add(head.arity());
                nodes = nodes.saturating_add(times);
            }
        }
        bytes = rest;
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::writer::Writer;

    /// Adds one child that `random` chooses, with at most `depth` levels.
    fn add(out: &mut Writer<'_>, random: &mut u32, depth: u32) {
        let mut choose = |of: u32| {
            *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (*random >> 16) % of
        };
        let (kind, children) = (choose(6), choose(4));
        match kind {
            _ if depth == 0 => out.leaves(1),
            0 => out.leaves(1),
            1 => out.none(),
            _ => {
                let copies: usize = if choose(2) == 0 { 0 } else { 2 };
                let list = out.begin_list(children as usize * (1 + copies));
                for _ in 0..children {
                    add(out, random, depth - 1);
                    out.repeat(copies);
                }
                out.end(list);
            }
        }
    }

    #[test]
    fn nodes_are_counted_without_levels_as_with_them() {
        let (mut most, mut bytes) = (0, [0; 4096]);
        for seed in 0..20_000 {
            let (mut random, mut out) = (seed, Writer::new(&mut bytes));
            add(&mut out, &mut random, seed % 9);
            let Ok(def) = out.finish() else { continue };
            // What follows a node does not count.
            let bytes = [def.as_bytes(), &[0xA0, 1, 0x00]].concat();
            let nodes = count_without_levels(&bytes);
            assert_eq!(count_with_levels(&bytes), Some(nodes), "{def}");
            assert_eq!((def.node_count(), count_nodes(&bytes)), (nodes, nodes), "{def}");
            most = most.max(nodes);
        }
        assert!(most > 10_000, "{most}");
    }
}
