//! Iterates over the nodes of a treedef in preorder.

use core::iter::FusedIterator;

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::format::head::{Head, Kind};
use crate::format::validate::{MAX_PENDING, TOO_MANY_PENDING};
use crate::treedef::find::Found;
use crate::treedef::key_path::KeyPath;
use crate::treedef::path::Path;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::spot::Spot;
use crate::treedef::steps::FirstSteps;
use crate::treedef::treedef::TreeDef;

/// The nodes of a treedef in preorder with repeats written out; see [`TreeDef::nodes`].
///
/// It takes 2 kB: the pending lists, and the first steps to the current node.
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
    walk: Preorder<'a, Open, ROOM>,
    /// The way to the node that was read last, or to one before it.
    steps: FirstSteps,
    /// The node that was read last, if its children are not opened yet.
    entered: Option<Head<'a>>,
    /// The node that was read last, its index, and where it is.
    last: Option<(NodeAt<'a>, u32, Spot)>,
    /// The number of nodes that were read after the last leaf.
    rank: u32,
}

debug_struct!([] Nodes<'_> { def });

/// Room for all pending lists, and the one that is read.
const ROOM: usize = MAX_PENDING + 1;

/// A node that [`Nodes`] yields. Its path, its leaves and its subtree are those of [`Nodes::path`] and [`Nodes::found`].
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
    /// [`Nodes::path`] is the path of the node that was read last, from the steps of the walk, and [`Nodes::found`] its subtree.
    /// [`Found::path`] in a loop would search each path from the root. For the leaves alone, [`TreeDef::paths`] iterates over the paths.
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
    ///
    /// let (mut nodes, mut texts) = (def.nodes(), Vec::new());
    /// while let Some(node) = nodes.next() {
    ///     texts.push(format!("{}: {:?}", nodes.path().unwrap(), node?.head.kind()));
    /// }
    /// assert_eq!(texts, [": List", "[0]: Tuple", "[0][0]: Leaf", "[0][1]: Leaf", "[1]: Leaf"]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn nodes(&self) -> Nodes<'a> {
        Nodes {
            def: *self,
            walk: Preorder::new(*self),
            steps: FirstSteps::NONE,
            entered: None,
            last: None,
            rank: 0,
        }
    }

    /// The path of the node with this index in preorder with repeats written out, as in
    /// [`Error::Mismatch`](crate::Error::Mismatch).
    ///
    /// One pass up to the node, as by [`TreeDef::nodes`], which reads the repeated siblings that contain the node twice.
    /// `None` if there are fewer nodes, or if more than [`MAX_PENDING`](crate::format::MAX_PENDING) levels are pending.
    ///
    /// # Examples
    ///
    /// ```
    /// use core::fmt::Write;
    /// use treedef::TreeDef;
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let mut text = heapless::String::<32>::new();
    /// for path in def.node_path(3) {
    ///     write!(text, "{path}")?;
    /// }
    /// assert_eq!(text, "[1]['a']");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn node_path(&self, node: usize) -> Option<KeyPath<'a, 'a>> {
        let mut nodes = self.nodes();
        nodes.nth(node)?.ok()?;
        nodes.path()
    }
}

impl<'a> Nodes<'a> {
    /// Opens the node that was read last, and reads the next one.
    fn read(&mut self) -> Option<Result<NodeAt<'a>, Error>> {
        if let Some(head) = self.entered.take() {
            self.steps();
            let opened = Open { depth: self.depth().saturating_add(1), child: 0 };
            if self.walk.open_last(&head, opened).is_err() {
                self.walk.end();
                return Some(Err(TOO_MANY_PENDING));
            }
        }
        self.last = None;
        loop {
            let (depth, rank) = (self.depth(), self.rank);
            let cursor = self.walk.cursor();
            let (index, leaf) = (cursor.num_nodes_read(), cursor.num_leaves_read());
            let Event::Enter(head) = self.walk.next()? else { continue };
            if let Some(open) = self.walk.data() {
                open.child = index;
            }
            self.rank = if head.kind() == Kind::Leaf { 0 } else { rank.saturating_add(1) };
            self.entered = (head.arity() > 0).then_some(head);
            let node = NodeAt { head, depth: depth as usize, leaf: leaf as usize };
            self.last = Some((node, index, Spot { leaf, rank }));
            return Some(Ok(node));
        }
    }

    /// The path of the node that `next` or `nth` returned last; `None` before the first and after the last node.
    ///
    /// It remembers steps of the walk, so reading it costs as with [`TreeDef::paths`].
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
    pub fn path(&mut self) -> Option<KeyPath<'a, 'a>> {
        let (node, index, spot) = self.last?;
        let is_leaf = node.head.kind() == Kind::Leaf;
        let path = Path::of_node(self.def, index, spot, is_leaf).with_steps(self.steps());
        Some(KeyPath::of_node(path))
    }

    /// The node that `next` or `nth` returned last: its subtree, its index and the range of its leaves; `None` before the first and
    /// after the last node.
    ///
    /// It reads the bytes of the node and of all below it. So a loop over all nodes reads each byte once for each level that it is
    /// in; [`TreeDef::find_at`] in a loop reads what is before the node, too. [`Nodes::path`] is the path, which
    /// [`Found::path`] would search.
    ///
    /// # Examples
    ///
    /// The sum of the leaves of each node:
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let (def, leaves) = (treedef!({"a": *, "b": (*, [*])}), [1, 2, 3]);
    /// let (mut nodes, mut sums) = (def.nodes(), Vec::new());
    /// while let Some(node) = nodes.next() {
    ///     let (node, found, path) = (node?, nodes.found().unwrap(), nodes.path().unwrap());
    ///     let sum: i32 = leaves[found.leaves()].iter().sum();
    ///     sums.push(format!("{}{path}: {sum}", "  ".repeat(node.depth)));
    /// }
    /// assert_eq!(sums, [": 6", "  ['a']: 1", "  ['b']: 5", "    ['b'][0]: 2", "    ['b'][1]: 3", "      ['b'][1][0]: 3"]);
    /// # Ok::<(), treedef::Error>(())
    /// ```
    #[must_use]
    pub fn found(&self) -> Option<Found<'a>> {
        let (node, index, spot) = self.last?;
        let def = match node.head {
            Head::LEAF => TreeDef::LEAF,
            _ => TreeDef::front(self.walk.cursor().bytes_from(self.walk.list().unit())),
        };
        Some(Found::at(self.def, def, spot, index))
    }

    /// The steps to the node that was read last.
    pub(crate) fn steps(&mut self) -> FirstSteps {
        if let Some((node, _, spot)) = self.last
            && let Some(parent) = self.depth().checked_sub(1)
        {
            let (list, is_leaf) = (self.walk.list(), node.head.kind() == Kind::Leaf);
            self.steps.pass(self.def.as_bytes(), parent, list, is_leaf, spot);
        }
        self.steps
    }

    /// The treedef.
    pub(crate) const fn def(&self) -> TreeDef<'a> {
        self.def
    }

    /// The number of levels from the root to the children of the innermost open node.
    fn depth(&mut self) -> u32 {
        self.walk.data().map_or(0, |open| open.depth)
    }

    /// The numbers of nodes and of leaves that were read or stepped over.
    fn passed(&self) -> (u32, u32) {
        let cursor = self.walk.cursor();
        (cursor.num_nodes_read(), cursor.num_leaves_read())
    }

    /// Steps over nodes until the number that `count` takes from [`Nodes::passed`] is `goal`, or to the end. `None` if it
    /// came to an error.
    ///
    /// When a child was read as a whole, the numbers of its nodes and leaves are known, and its copies are stepped over
    /// together. So the cost is linear in the bytes, not in the nodes. For example, to leaf 8 of `[(*, *), (*, *), (*, *),
    /// (*, *), *]`:
    ///
    /// ```text
    /// list
    /// tuple          the child of the list that is read
    /// leaf           1
    /// 1 more leaf    2
    /// 3 more tuples, each with as many leaves as the first: 8
    /// ```
    pub(crate) fn seek(&mut self, goal: u32, count: fn((u32, u32)) -> u32) -> Option<()> {
        while let Some(left @ 1..) = goal.checked_sub(count(self.passed())) {
            while self.entered.is_none() && self.walk.list().left() == 0 && self.walk.depth() > 0 {
                // Leaves the lists that are read to their end, and goes on after their copies.
                let _ = self.walk.next();
            }
            let child = self.walk.data().map_or(0, |open| open.child);
            let (cursor, list) = self.walk.position();
            if self.entered.is_none()
                && let Some((copies, leaves)) = cursor.repeats(list)
            {
                let nodes = cursor.num_nodes_read().wrapping_sub(child);
                let some = left.checked_div(count((nodes, leaves))).unwrap_or(copies).min(copies);
                if some > 0 {
                    cursor.skip_repeats(list, some, (nodes, leaves));
                    continue;
                }
            }
            match self.read() {
                None => break,
                Some(read) => _ = read.ok()?,
            }
        }
        Some(())
    }
}

/// What a walk keeps with each open node.
#[derive(Clone, Copy)]
struct Open {
    /// The number of levels from the root to the children.
    depth: u32,
    /// The index of the child that was read last.
    child: u32,
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Result<NodeAt<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let goal = u32::try_from(n).unwrap_or(u32::MAX).saturating_add(self.passed().0);
        self.seek(goal, |(nodes, _)| nodes)?;
        self.next()
    }

    fn count(mut self) -> usize {
        let (before, _) = self.passed();
        let error = self.seek(u32::MAX, |(nodes, _)| nodes).is_none();
        let count = self.passed().0.saturating_sub(before);
        (count as usize).saturating_add(usize::from(error))
    }

    fn last(mut self) -> Option<Self::Item> {
        let count = self.clone().count();
        self.nth(count.checked_sub(1)?)
    }
}

impl FusedIterator for Nodes<'_> {}
