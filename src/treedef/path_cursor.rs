//! Goes down from the root of a treedef, from child to child.

use crate::base::attempt::attempt;
use crate::base::error::Error;
use crate::format::head::{
    ESCAPE, Head, Item, Kind, LEAF_BYTES, LEAVES, SAME, read_item, read_item_inline, tag_of,
};
use crate::treedef::scan::count_nodes;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node on the way from the root along a path. If `COUNTS`, the nodes before it are counted.
#[derive(Clone, Copy)]
pub(crate) struct PathCursor<'a, const COUNTS: bool> {
    pub(super) root: TreeDef<'a>,
    /// The bytes from the node on; other nodes may follow it.
    pub(super) bytes: &'a [u8],
    pub(super) spot: Spot,
    pub(super) node: u32,
}

impl<'a> PathCursor<'a, true> {
    /// The index of the node.
    pub(crate) const fn node(&self) -> usize {
        self.node as usize
    }

    /// The error for a path that leads nowhere from its byte or entry `at` on.
    #[cold]
    pub(crate) fn not_found(&self, at: usize) -> Error {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        Error::NotFound { node: self.node, at }
    }
}

impl<'a, const COUNTS: bool> PathCursor<'a, COUNTS> {
    pub(crate) const fn new(root: TreeDef<'a>) -> Self {
        Self { root, bytes: root.as_bytes(), spot: Spot::ROOT, node: 0 }
    }

    /// The bytes from the node on; other nodes may follow it. Those of a leaf are [`LEAF_BYTES`].
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) const fn head(&self) -> Head<'a> {
        Head::trusted(self.bytes)
    }

    /// Goes to the child with this index, where the node has this head; stays where there is none.
    ///
    /// One flat pass over the items before the child. `before` is the number of children to pass, `inside` the number
    /// of nodes to come of the child that is passed. To child 3 of `[(*, [*]), (*, [*]), *, None]`:
    ///
    /// ```text
    /// item        before   inside   leaf
    ///             3        0        0
    /// tuple of 2  2        2        0
    /// leaf        2        1        1
    /// list of 1   2        1        1
    /// leaf        2        0        2
    /// 1 copy      1        0        4
    /// leaf        0        0        5
    /// None: the child
    /// ```
    pub(crate) const fn down(&mut self, head: &Head<'_>, index: u32) -> Option<()> {
        let (_, rest) = attempt!(self.bytes.split_at_checked(head.as_bytes().len()));
        if index >= head.arity() {
            return None;
        }
        self.children(rest);
        self.child(index)
    }

    /// Steps over the head of the node, to its children, which begin at `children`. One of the children has to be
    /// entered next, by [`PathCursor::child`].
    #[inline(always)]
    pub(crate) const fn children(&mut self, children: &'a [u8]) {
        (self.bytes, self.spot) = (children, self.spot.after_head());
        if COUNTS {
            self.node = self.node.saturating_add(1);
        }
    }

    /// Goes from the first child of a node to the child with this index, which exists.
    #[inline(always)]
    pub(crate) const fn child(&mut self, index: u32) -> Option<()> {
        if index > 0 {
            attempt!(self.pass::<false>(index, Spot::END));
        } else if let [0..=ESCAPE, ..] = self.bytes {
            self.bytes = LEAF_BYTES;
        }
        Some(())
    }

    /// Goes to the child in which the node at `goal` is, where the node has this head and `goal` is in the node. Returns the
    /// index of the child. A last child is not read, so a chain is read once and not once for each level.
    pub(crate) fn toward(&mut self, head: &Head<'_>, goal: Spot) -> Option<u32> {
        self.children(self.bytes.get(head.as_bytes().len()..)?);
        self.pass::<true>(head.arity().checked_sub(1)?, goal)
    }

    /// Goes from the first child of a node to the child with this index. If `BY_SPOT`, to the child before it in which the
    /// node at `goal` is. Returns the index of the child.
    #[inline(never)]
    const fn pass<const BY_SPOT: bool>(&mut self, index: u32, goal: Spot) -> Option<u32> {
        let (mut rest, mut spot, mut node) = (self.bytes, self.spot, self.node);
        let (mut before, mut inside) = (index, 0u32);
        // The child that was passed last, where it is, and its number of nodes.
        let (mut unit, mut start, mut nodes) = (rest, spot, 1u32);
        let bytes = loop {
            if BY_SPOT && goal.is_before(spot) {
                (before, spot) = (before.wrapping_add(1), start);
                break unit;
            }
            if before == 0 && inside == 0 {
                break match tag_of(*attempt!(rest.first())) {
                    (LEAVES, _) => LEAF_BYTES,
                    (SAME, _) => unit,
                    _ => rest,
                };
            }
            // Where nodes are counted, their count takes longer than a head: the smaller code reads it.
            let (item, after) =
                attempt!(if COUNTS { read_item(rest) } else { read_item_inline(rest) });
            let (bytes, count, leaves, tail, each) = match item {
                Item::Node(head) => {
                    if inside == 0 {
                        (before, inside, unit) = (before.wrapping_sub(1), 1, rest);
                        start = spot;
                        if COUNTS {
                            nodes = count_nodes(rest);
                            node = attempt!(node.checked_add(nodes));
                        }
                    }
                    inside = inside.wrapping_sub(1).wrapping_add(head.arity());
                    (rest, spot) = (after, spot.after_head());
                    continue;
                }
                Item::Leaves(count) => (LEAF_BYTES, count, 1, 0, 1),
                Item::Same { copies, leaves } => (unit, copies, leaves, spot.rank, nodes),
            };
            let mut passed = count;
            if inside > 0 {
                inside = inside.wrapping_sub(count);
            } else {
                if before < count {
                    passed = before;
                }
                if BY_SPOT {
                    passed = spot.count_before(goal, passed, leaves, tail);
                }
                before = before.wrapping_sub(passed);
                if COUNTS {
                    node = attempt!(node.checked_add(attempt!(passed.checked_mul(each))));
                }
            }
            spot = spot.after(passed, leaves, tail);
            if passed < count {
                break bytes;
            }
            rest = after;
        };
        (self.bytes, self.spot, self.node) = (bytes, spot, node);
        Some(index.wrapping_sub(before))
    }

    /// The head of the node; of a `Some` that of what is in it, as deep as it is: that node is then the current one.
    pub(crate) const fn skip_some(&mut self) -> Head<'a> {
        loop {
            let head = self.head();
            if !matches!(head.kind(), Kind::Some) || self.down(&head, 0).is_none() {
                return head;
            }
        }
    }
}
