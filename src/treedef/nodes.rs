//! Iterates over the nodes of a treedef in preorder.

use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Head, Kind};
use crate::format::validate::MAX_PENDING;
use crate::treedef::path::Path;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::route::{Route, Step, Steps};
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// The nodes of a treedef in preorder with repeats written out; see [`TreeDef::nodes`].
///
/// It takes 3 kB: the pending lists, and the way to the current node.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// assert_eq!(treedef!([(*, *), *]).nodes().count(), 5);
/// ```
#[derive(Clone)]
#[must_use = "iterators do nothing until they are consumed"]
pub struct Nodes<'a> {
    def: TreeDef<'a>,
    /// The data of an open node is the number of levels from the root to its children.
    walk: Preorder<'a, u32, ROOM>,
    route: Route,
    /// The node that was read last, if its children are not opened yet.
    entered: Option<Head<'a>>,
    /// The node that was read last.
    last: Option<Here<'a>>,
    /// Whether the route leads to it.
    is_remembered: bool,
    /// The number of nodes that were read after the last leaf.
    rank: u32,
}

debug_struct!([] Nodes<'_> { def });

/// Room for all pending lists, and the one that is read.
const ROOM: usize = MAX_PENDING + 1;

/// A node that [`Nodes`] yields.
///
/// # Examples
///
/// ```
/// use treedef::treedef;
///
/// let node = treedef!([*, (*, *)]).nodes().nth(2).ok_or("no such node")??;
/// assert_eq!((node.head.num_children(), node.depth, node.leaf), (2, 1, 1));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeAt<'a> {
    /// The head of the node.
    pub head: Head<'a>,
    /// The number of levels from the root to the node.
    pub depth: usize,
    /// The number of leaves before the node, which is the index of its first leaf if it has one.
    pub leaf: usize,
}

debug_struct!([] NodeAt<'_> { head, depth, leaf });

impl<'a> TreeDef<'a> {
    /// The nodes in preorder, leaves included and repeats written out.
    ///
    /// `count`, `nth` and `last` step over copies together: their cost is linear in the bytes, not in the nodes.
    ///
    /// # Errors
    ///
    /// The last item is [`Error::TooDeep`] if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.
    /// That never happens in a treedef that [`TreeDef::from_bytes`] reads.
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
    pub fn nodes(&self) -> Nodes<'a> {
        Nodes {
            def: *self,
            walk: Preorder::new(*self),
            route: Route::new(),
            entered: None,
            last: None,
            is_remembered: false,
            rank: 0,
        }
    }
}

/// A node that was read.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(crate) head: Head<'a>,
    /// The number of levels from the root.
    depth: u32,
    /// The index of the node in preorder.
    node: u32,
    pub(crate) spot: Spot,
}

impl<'a> Nodes<'a> {
    /// Opens the node that was read last, and reads the next one.
    pub(crate) fn read(&mut self) -> Option<Result<Here<'a>, Error>> {
        if let Some(head) = self.entered.take() {
            self.remember();
            let depth = self.depth().saturating_add(1);
            if self.walk.open_last(&head, depth).is_err() {
                self.walk.end();
                let limit = u32::try_from(MAX_PENDING).unwrap_or(u32::MAX);
                return Some(Err(Error::TooDeep { limit }));
            }
        }
        self.last = None;
        loop {
            let (depth, rank) = (self.depth(), self.rank);
            let cursor = self.walk.cursor();
            let (node, leaf) = (cursor.num_nodes_read(), cursor.num_leaves_read());
            let head = match self.walk.next()? {
                Event::Leave(_) => continue,
                Event::Leaf => Head::LEAF,
                Event::Enter(head) => head,
            };
            let is_leaf = head.kind() == Kind::Leaf;
            self.rank = if is_leaf { 0 } else { rank.saturating_add(1) };
            self.entered = (head.arity() > 0).then_some(head);
            let here = Here { head, depth, node, spot: Spot { leaf, rank } };
            (self.last, self.is_remembered) = (Some(here), false);
            return Some(Ok(here));
        }
    }

    /// The path of the node that `next` or `nth` returned last; `None` before the first and after the last node.
    ///
    /// It remembers steps of the walk, so reading it costs as with [`TreeDef::paths`]; [`TreeDef::node_path`] scans
    /// from the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{Kind, treedef};
    ///
    /// let mut nodes = treedef!([*, {"a": (*, *)}]).nodes();
    /// while let Some(node) = nodes.next() {
    ///     if node?.head.kind() == Kind::Tuple {
    ///         assert_eq!(nodes.path().unwrap().to_string(), "[1]['a']");
    ///     }
    /// }
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn path(&mut self) -> Option<Path<'a>> {
        let Here { head, node, spot, .. } = self.last?;
        let is_leaf = head.kind() == Kind::Leaf;
        Some(Path::of_node(self.def, node, spot, is_leaf).with_steps(self.steps()))
    }

    /// The steps to the node that was read last.
    pub(crate) fn steps(&mut self) -> Steps {
        self.remember();
        self.route.steps(self.walk.cursor().at())
    }

    /// Makes the route lead to the node that was read last.
    fn remember(&mut self) {
        if let Some(Here { head, depth, spot, .. }) = self.last
            && let Some(parent) = depth.checked_sub(1)
            && !self.is_remembered
        {
            let list = self.walk.list();
            let step = Step::to_last(list, head.kind() == Kind::Leaf, spot);
            self.route.pass(self.def.as_bytes(), parent as usize, step, list);
        }
        self.is_remembered = true;
    }

    /// The treedef.
    pub(crate) const fn def(&self) -> TreeDef<'a> {
        self.def
    }

    /// The number of levels from the root to the children of the innermost open node.
    fn depth(&mut self) -> u32 {
        self.walk.data().map_or(0, |depth| *depth)
    }

    /// The bytes from the node on that was read last, which is not a leaf.
    pub(crate) fn last_node(&self) -> &'a [u8] {
        self.walk.cursor().last_node(self.walk.list())
    }

    /// Whether there is no room for the children of the node that was read last.
    pub(crate) fn is_full(&self) -> bool {
        self.entered.is_some() && self.walk.is_full()
    }

    /// Steps over the `nodes` nodes below the node that was read last, which has this head. Returns the number of its
    /// leaves.
    pub(crate) fn skip(&mut self, head: &Head<'a>, nodes: u32) -> u32 {
        self.entered = None;
        let (def, tail) = self.walk.skip(head);
        self.walk.position().0.count_nodes(nodes);
        let before = if def.num_leaves() > 0 { 0 } else { self.rank.saturating_sub(1) };
        self.rank = before.saturating_add(tail);
        def.leaves()
    }
}

impl<'a> Nodes<'a> {
    /// Steps over nodes until they have `limit` items or more, or to the end, and returns the number of items. `items`
    /// returns the number of items of a node, and may step over what is below it. An error is one item.
    ///
    /// When a child was read as a whole, the number of its items is known, and its copies are stepped over together. So
    /// the cost is linear in the bytes, not in the nodes. For example, `[(*, *), (*, *), (*, *), (*, *)]`, where every
    /// leaf is an item:
    ///
    /// ```text
    /// list
    /// tuple          before[1] = 0
    /// leaf           done = 1
    /// 1 more leaf    done = 2
    /// 3 more tuples, each of 2 - before[1] items: done = 8
    /// ```
    pub(crate) fn pass(
        &mut self,
        limit: usize,
        mut items: impl FnMut(&mut Self, &Here<'a>) -> usize,
    ) -> usize {
        // For every list: the items and nodes before its last child with children, if one was read here.
        let mut before: [Option<(usize, u32)>; ROOM + 1] = [None; ROOM + 1];
        let mut done = 0usize;
        while done < limit {
            while self.entered.is_none() && self.walk.list().left() == 0 && self.walk.depth() > 0 {
                // Leaves the lists that are read to their end, and goes on after their copies.
                let _ = self.walk.next();
            }
            let list = self.walk.depth();
            let (cursor, siblings) = self.walk.position();
            if self.entered.is_none()
                && let Some((copies, leaves)) = cursor.repeats(siblings)
            {
                let known = match before.get(list) {
                    _ if cursor.is_in_run() => Some((1, 1)),
                    Some(Some((items, nodes))) => {
                        let nodes = cursor.num_nodes_read().wrapping_sub(*nodes);
                        Some((done.saturating_sub(*items), nodes))
                    }
                    _ => None,
                };
                if let Some((items, nodes)) = known {
                    let room = limit.saturating_sub(done).checked_div(items).unwrap_or(usize::MAX);
                    let some = copies.min(u32::try_from(room).unwrap_or(u32::MAX));
                    if some > 0 {
                        cursor.skip_repeats(siblings, some, (nodes, leaves));
                        done = done.saturating_add(items.saturating_mul(some as usize));
                        continue;
                    }
                }
            }
            match self.read() {
                None => break,
                Some(Err(_)) => done = done.saturating_add(1),
                Some(Ok(here)) => {
                    if self.entered.is_some()
                        && let Some(slot) = before.get_mut(self.walk.depth())
                    {
                        *slot = Some((done, here.node));
                    }
                    done = done.saturating_add(items(self, &here));
                }
            }
        }
        done
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Result<NodeAt<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.read()?.map(|here| NodeAt {
            head: here.head,
            depth: here.depth as usize,
            leaf: here.spot.leaf as usize,
        }))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.pass(n, |_, _| 1) < n { None } else { self.next() }
    }

    fn count(mut self) -> usize {
        self.pass(usize::MAX, |_, _| 1)
    }

    fn last(mut self) -> Option<Self::Item> {
        let count = self.clone().count();
        self.nth(count.checked_sub(1)?)
    }
}

impl FusedIterator for Nodes<'_> {}
