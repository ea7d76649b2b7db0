//! The nodes of a treedef in preorder, as an iterator.

use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::base::show::debug_struct;
use crate::format::head::Head;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// The nodes of a treedef in preorder with repeats written out; see [`TreeDef::nodes`].
///
/// `D` levels of 16 bytes stand in it.
#[derive(Clone)]
pub struct Nodes<'a, const D: usize> {
    cursor: Cursor<'a>,
    /// The list that holds the root alone, which is no level.
    root: Siblings,
    levels: Levels<Siblings, D>,
    /// The list that is opened next, if there is room.
    opened: Option<Siblings>,
}

debug_struct!([const D: usize] Nodes<'_, D> { cursor });

/// A node that [`Nodes`] yields.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeAt<'a> {
    /// The head of the node.
    pub head: Head<'a>,
    /// How many levels it stands below the root.
    pub depth: usize,
    /// The index of the first leaf that is not before it.
    pub leaf: usize,
}

debug_struct!([] NodeAt<'_> { head, depth, leaf });

/// The levels that [`TreeDef::nodes`] has room for: 1 kB of stack.
pub const NODES_DEPTH: usize = 64;

impl<'a> TreeDef<'a> {
    /// The nodes in preorder, leaves included and repeats written out.
    ///
    /// `count`, `nth` and `last` step over copies together, so that they cost the bytes and not the nodes.
    ///
    /// # Errors
    ///
    /// An item is [`Error::TooDeep`], and the last one, behind a node with children that has [`NODES_DEPTH`] of them
    /// around it; then use [`TreeDef::nodes_with_depth`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Kind, TreeDef};
    ///
    /// let def = TreeDef::from_bytes(&[0x42, 0x22, 0x01, 0x00])?; // [(*, *), *]
    /// let kinds = def.nodes().map(|node| node.map(|node| node.head.kind()));
    /// assert!(kinds.eq([Kind::List, Kind::Tuple, Kind::Leaf, Kind::Leaf, Kind::Leaf].map(Ok)));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    pub fn nodes(&self) -> Nodes<'a, NODES_DEPTH> {
        self.nodes_with_depth()
    }

    /// As [`TreeDef::nodes`] with room for `D` levels of 16 bytes each, which nodes with children are.
    pub fn nodes_with_depth<const D: usize>(&self) -> Nodes<'a, D> {
        Nodes {
            cursor: Cursor::new(*self),
            root: Siblings::root(),
            levels: levels::empty(),
            opened: None,
        }
    }
}

impl<'a, const D: usize> Nodes<'a, D> {
    /// How many nodes were read or stepped over.
    pub(crate) const fn num_read(&self) -> u32 {
        self.cursor.num_nodes_read()
    }

    /// The innermost list that is open.
    fn list(&self) -> &Siblings {
        self.levels.last().unwrap_or(&self.root)
    }

    /// The bytes from the node on that was given last; it is no leaf.
    pub(crate) fn last_node(&self) -> &'a [u8] {
        self.cursor.last_node(self.list())
    }

    /// Steps over all below the node that was given last, which with them is `def`.
    pub(crate) fn skip_below(&mut self, def: TreeDef<'a>) -> Option<()> {
        self.opened = None;
        let list = self.levels.last().unwrap_or(&self.root);
        self.cursor.pass_children(list, def.node_count().saturating_sub(1), def.leaves())
    }
}

impl<'a, const D: usize> Nodes<'a, D> {
    /// Steps over at most `limit` items and gives their number; `is_item` says whether a node is one, and may step over
    /// what is below it. A leaf is always an item, and so is an error.
    ///
    /// Copies are stepped over together, as soon as one of them was read from its begin: what it holds is then known.
    /// So the cost grows with the bytes, and not with the nodes. Of `[(*, *), (*, *), (*, *), (*, *)]`, with leaves for
    /// items:
    ///
    /// ```text
    /// list
    /// tuple          before[0] = 0
    /// leaf           done = 1
    /// 1 more leaf    done = 2
    /// 3 more tuples, each of 2 - before[0] items: done = 8
    /// ```
    pub(crate) fn pass(
        &mut self,
        limit: usize,
        mut is_item: impl FnMut(&mut Self, &NodeAt<'a>) -> bool,
    ) -> usize {
        // The items and nodes before the last child with children, of every list in which one was read here.
        let mut before: [Option<(usize, u32)>; D] = [None; D];
        let mut done = 0usize;
        while done < limit {
            self.leave_ended();
            let depth = self.levels.len();
            if self.opened.is_none()
                && let Some(list) = self.levels.last_mut()
                && let Some((copies, leaves)) = self.cursor.repeats(list)
            {
                let known = match depth.checked_sub(1).and_then(|list| before.get(list)) {
                    _ if self.cursor.is_in_run() => Some((1, 1)),
                    Some(Some((items, nodes))) => {
                        let nodes = self.cursor.num_nodes_read().wrapping_sub(*nodes);
                        Some((done.saturating_sub(*items), nodes))
                    }
                    _ => None,
                };
                if let Some((items, nodes)) = known {
                    let room = limit.saturating_sub(done).checked_div(items).unwrap_or(usize::MAX);
                    let some = copies.min(u32::try_from(room).unwrap_or(u32::MAX));
                    if some > 0 {
                        self.cursor.skip_repeats(list, some, (nodes, leaves));
                        done = done.saturating_add(items.saturating_mul(some as usize));
                        continue;
                    }
                }
            }
            match self.next() {
                None => break,
                Some(Err(_)) => done = done.saturating_add(1),
                Some(Ok(node)) => {
                    if self.opened.is_some()
                        && let Some(list) = node.depth.checked_sub(1)
                        && let Some(slot) = before.get_mut(list)
                    {
                        *slot = Some((done, self.num_read().wrapping_sub(1)));
                    }
                    done = done.saturating_add(usize::from(is_item(self, &node)));
                }
            }
        }
        done
    }

    /// Leaves the lists that are read to their end.
    fn leave_ended(&mut self) {
        while self.opened.is_none()
            && let Some(list) = self.levels.last_mut()
            && list.left() == 0
        {
            // Goes on behind the copies that stand at the end of the list.
            let _ = self.cursor.next(list);
            self.levels.pop();
        }
    }
}

impl<'a, const D: usize> Iterator for Nodes<'a, D> {
    type Item = Result<NodeAt<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(list) = self.opened.take()
                && self.levels.push(list).is_err()
            {
                self.levels.clear();
                return Some(Err(Error::TooDeep { limit: u32::try_from(D).unwrap_or(u32::MAX) }));
            }
            let (depth, leaf) = (self.levels.len(), self.cursor.num_leaves_read() as usize);
            let list = self.levels.last_mut().unwrap_or(&mut self.root);
            let Some(head) = self.cursor.next(list) else {
                self.levels.pop()?;
                continue;
            };
            if head.arity() > 0 {
                self.opened = Some(Siblings::of(&head));
            }
            return Some(Ok(NodeAt { head, depth, leaf }));
        }
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.pass(n, |_, _| true) < n { None } else { self.next() }
    }

    fn count(mut self) -> usize {
        self.pass(usize::MAX, |_, _| true)
    }

    fn last(mut self) -> Option<Self::Item> {
        let count = self.clone().count();
        self.nth(count.checked_sub(1)?)
    }
}

impl<const D: usize> FusedIterator for Nodes<'_, D> {}
