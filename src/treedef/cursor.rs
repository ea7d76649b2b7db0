//! Reads nodes in preorder, with repeats written out; the caller keeps a [`Siblings`] for each open node.
//!
//! `[(*, *), (*, *), *]` is encoded as a list of 3, a tuple of 2, 2 leaves, a repeat of 1, and a leaf:
//!
//! - the siblings of the root return the list of 3, and the caller makes siblings for its children;
//! - these return the tuple and remember where it begins; the siblings in the tuple return 2 leaves and then `None`;
//! - the siblings in the list find the repeat, remember where it ends, go back to the tuple and return it again;
//! - after the copy they go on after the repeat, and return the leaf.
//!
//! The nodes and leaves of a treedef fit `u32`, which was checked when it was made. So the counters use wrapping
//! arithmetic and cannot overflow.

use crate::base::show::debug_struct;
use crate::format::head::{self, Head, Item, read_count, read_item};
use crate::format::varint::read_u32;
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// A position in a treedef.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: u32,
    /// The number of remaining leaves in the current run.
    run: u32,
    /// The number of nodes read so far.
    nodes: u32,
    /// The number of leaves read so far.
    leaves: u32,
}

debug_struct!([] Cursor<'_> { at, nodes, leaves });

/// The remaining children of a node that was begun: 16 bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Siblings {
    left: u32,
    /// Where the last child other than a leaf begins.
    unit: u32,
    /// The number of its remaining copies.
    copies: u32,
    /// Where to go on after the copies; 0 if the cursor is not in a repeat.
    resume: u32,
}

debug_struct!([] Siblings { left });

impl Siblings {
    /// Takes the next child from the list: a node that begins at `at`, or a copy of the node there.
    #[inline]
    const fn pass(&mut self, at: u32) {
        match self.copies.checked_sub(1) {
            Some(copies) => self.copies = copies,
            None => (self.unit, self.resume) = (at, 0),
        }
    }

    /// The children of `head`, which was just read.
    #[inline]
    pub(crate) const fn of(head: &Head<'_>) -> Self {
        Self::new(head.arity())
    }

    /// `left` children.
    pub(crate) const fn new(left: u32) -> Self {
        Self { left, unit: 0, copies: 0, resume: 0 }
    }

    /// The list whose only child is the root.
    pub(crate) const fn root() -> Self {
        Self::new(1)
    }

    /// The next child of this list, and the way back to another list, which counts as a child too.
    ///
    /// The reader goes back when it reaches the way back, so this child is never read. Until then the list has a remaining child,
    /// so no walk ends the node.
    pub(crate) const fn one_and_back(self) -> Self {
        Self { left: 2, ..self }
    }

    /// Whether all children are read, and the next item in the bytes follows the last of them.
    pub(crate) const fn is_done(&self) -> bool {
        self.left == 0 && self.resume == 0
    }

    /// Where the last child other than a leaf begins.
    pub(crate) const fn unit(&self) -> u32 {
        self.unit
    }

    /// The number of remaining children.
    pub(crate) const fn left(&self) -> usize {
        self.left as usize
    }
}

impl<'a> Cursor<'a> {
    /// Starts before the root.
    pub(crate) const fn new(def: TreeDef<'a>) -> Self {
        Self { bytes: def.as_bytes(), at: 0, run: 0, nodes: 0, leaves: 0 }
    }

    /// The index of the node to be read next, in preorder with repeats written out.
    pub(crate) const fn num_nodes_read(&self) -> u32 {
        self.nodes
    }

    /// The index of the leaf to be read next.
    pub(crate) const fn num_leaves_read(&self) -> u32 {
        self.leaves
    }

    /// The bytes from `at` on.
    pub(crate) fn bytes_from(&self, at: u32) -> &'a [u8] {
        self.bytes.get(at as usize..).unwrap_or(&[])
    }

    /// Where `rest` begins, which is the end of the bytes.
    pub(crate) fn offset(&self, rest: &[u8]) -> u32 {
        u32::try_from(self.bytes.len().saturating_sub(rest.len())).unwrap_or(u32::MAX)
    }

    /// Reads the next child of `list`; `None` at the end.
    ///
    /// All children of a node have to be read before its next sibling.
    #[inline]
    pub(crate) fn next(&mut self, list: &mut Siblings) -> Option<Head<'a>> {
        let Some(left) = list.left.checked_sub(1) else {
            if list.resume != 0 {
                self.at = list.resume;
                list.resume = 0;
            }
            return None;
        };
        list.left = left;
        self.nodes = self.nodes.checked_add(1)?;
        if let Some(run) = self.run.checked_sub(1) {
            self.run = run;
            self.leaves = self.leaves.checked_add(1)?;
            return Some(Head::LEAF);
        }
        let here = self.seek(list)?;
        let (item, rest) = read_item(here)?;
        self.at = self.offset(rest);
        match item {
            Item::Leaves(count) => {
                self.run = count.checked_sub(1)?;
                self.leaves = self.leaves.checked_add(1)?;
                Some(Head::LEAF)
            }
            Item::Node(head) => Some(head),
            Item::Same { .. } => None,
        }
    }

    /// Goes to where the bytes of the next child of `list` begin, and returns the bytes from there. A copy has the
    /// bytes of the child that it copies.
    #[inline]
    fn seek(&mut self, list: &mut Siblings) -> Option<&'a [u8]> {
        self.at = self.child(list)?;
        let here = self.bytes_from(self.at);
        if here.first()? >> 5 != head::LEAVES {
            list.pass(self.at);
        } else {
            list.resume = 0;
        }
        Some(here)
    }

    /// Where the bytes of the next child of `list` begin. If it is the first copy of a node, this reads the number of
    /// copies, which changes `list` in the same way however often it is called.
    #[inline]
    fn child(&self, list: &mut Siblings) -> Option<u32> {
        if list.copies == 0 {
            let at = if list.resume == 0 { self.at } else { list.resume };
            if self.bytes_from(at).first()? >> 5 != head::SAME {
                return Some(at);
            }
            self.open_copies(list)?;
        }
        Some(list.unit)
    }

    /// Reads the next item, which repeats the child of `list` that was read last.
    #[cold]
    fn open_copies(&self, list: &mut Siblings) -> Option<()> {
        let (copies, rest) = read_count(self.bytes_from(self.at), head::SAME)?;
        let (_, rest) = read_u32(rest)?;
        list.resume = self.offset(rest);
        list.copies = copies;
        Some(())
    }

    /// Reads the next child of `list` if it is a leaf. Otherwise it reads nothing, so that a mismatch is reported at
    /// that child.
    pub(crate) fn take_leaf(&mut self, list: &mut Siblings) -> bool {
        let Some(left) = list.left.checked_sub(1) else { return false };
        if self.run == 0 {
            let at = if list.resume == 0 { self.at } else { list.resume };
            let leaves = read_count(self.bytes_from(at), head::LEAVES);
            // A list in copies goes back to its unit, which is no leaf.
            let Some((run, rest)) = leaves.filter(|_| list.copies == 0) else { return false };
            (self.at, self.run, list.resume) = (self.offset(rest), run, 0);
        }
        list.left = left;
        self.run = self.run.wrapping_sub(1);
        self.nodes = self.nodes.wrapping_add(1);
        self.leaves = self.leaves.wrapping_add(1);
        true
    }

    /// Reads the leaves that follow in the run of the last child of `list`, and returns their number.
    #[inline]
    pub(crate) const fn take_rest_of_run(&mut self, list: &mut Siblings) -> u32 {
        let run = self.run;
        list.left = list.left.wrapping_sub(run);
        self.nodes = self.nodes.wrapping_add(run);
        self.leaves = self.leaves.wrapping_add(run);
        self.run = 0;
        run
    }

    /// Where the next child of `list` begins. There is none at the end of the list, and for a leaf of a run that has begun.
    fn next_child(&self, list: &mut Siblings) -> Option<u32> {
        if list.left > 0 && self.run == 0 { self.child(list) } else { None }
    }

    /// Whether the next child of `list` begins at `at`; if that is `None`, whether it is a leaf of a run that has begun.
    pub(crate) fn is_at(&self, list: &Siblings, at: Option<u32>) -> bool {
        match at {
            None => self.run > 0,
            Some(at) => self.next_child(&mut { *list }) == Some(at),
        }
    }

    /// Reads the next child of `list` if it is `None`, and says whether it is. Otherwise it reads nothing.
    pub(crate) fn take_none(&mut self, list: &mut Siblings) -> bool {
        let is_none = |at: &u32| self.bytes_from(*at).first() == Head::NONE.as_bytes().first();
        let Some(at) = self.next_child(list).filter(is_none) else { return false };
        list.pass(at);
        list.left = list.left.wrapping_sub(1);
        self.at = at.wrapping_add(1);
        self.nodes = self.nodes.wrapping_add(1);
        true
    }

    /// Goes on after `list`. Returns `false` if the list has remaining children.
    #[inline]
    pub(crate) const fn end(&mut self, list: &Siblings) -> bool {
        if list.resume != 0 {
            self.at = list.resume;
        }
        list.left == 0
    }

    /// The bytes that begin with the node that was read last from `list`.
    pub(crate) fn last_node(&self, list: &Siblings) -> &'a [u8] {
        self.bytes_from(list.unit)
    }

    /// The head that begins at `at`.
    pub(crate) fn head_at(&self, at: u32) -> Head<'a> {
        Head::trusted(self.bytes_from(at))
    }

    /// After a child was read to its end: how many of the next children of `list` are copies of it according to a repeat, and
    /// the leaves of each; `None` if none are.
    pub(crate) fn repeats(&self, list: &Siblings) -> Option<(u32, u32)> {
        if list.left == 0 {
            return None;
        }
        if self.run > 0 {
            return Some((self.run.min(list.left), 1));
        }
        // Copies are read at the child that they copy, so the next item is the repeat, also after a copy.
        let (copies, rest) = read_count(self.bytes_from(self.at), head::SAME)?;
        let left = if list.resume == 0 { copies } else { list.copies };
        let (leaves, _) = read_u32(rest)?;
        (left > 0).then_some((left, leaves))
    }

    /// Steps over `count` of the children that [`Cursor::repeats`] returned; each has `nodes` nodes and `leaves`
    /// leaves.
    pub(crate) fn skip_repeats(
        &mut self,
        list: &mut Siblings,
        count: u32,
        (nodes, leaves): (u32, u32),
    ) {
        if self.run > 0 {
            self.run = self.run.saturating_sub(count);
        } else {
            if list.copies == 0 {
                let _ = self.open_copies(list);
            }
            list.copies = list.copies.saturating_sub(count);
        }
        list.left = list.left.saturating_sub(count);
        self.nodes = self.nodes.wrapping_add(nodes.wrapping_mul(count));
        self.leaves = self.leaves.wrapping_add(leaves.wrapping_mul(count));
    }

    /// Steps over all that [`Cursor::repeats`] finds after a child with `nodes` nodes. Returns their number and the leaves of
    /// each.
    pub(crate) fn take_copies(&mut self, list: &mut Siblings, nodes: u32) -> Option<(u32, u32)> {
        let (count, leaves) = self.repeats(list)?;
        self.skip_repeats(list, count, (nodes, leaves));
        Some((count, leaves))
    }

    /// Takes the copies of the node that was read last from `list` before the walk comes to them, and returns their number.
    ///
    /// It scans a node that has siblings after it.
    pub(crate) fn take_copies_ahead(&self, list: &mut Siblings) -> Option<u32> {
        if list.left == 0 {
            return None;
        }
        let (copies, rest) = read_count(skip(self.last_node(list))?.rest, head::SAME)?;
        let (_, rest) = read_u32(rest)?;
        (list.left, list.resume) = (list.left.checked_sub(copies)?, self.offset(rest));
        Some(copies)
    }

    /// Steps over what is below the node that was read last from `list`, and returns that node and the number of nodes
    /// after its last leaf. `leaf` says whether it is a leaf. Its leaves count as read, the nodes below it do not.
    pub(crate) fn take_node(&mut self, list: &Siblings, leaf: bool) -> (TreeDef<'a>, u32) {
        if leaf {
            return (TreeDef::LEAF, 0);
        }
        let from = self.last_node(list);
        let Some(node) = skip(from) else { return (TreeDef::NONE, 1) };
        self.at = self.offset(node.rest);
        self.leaves = self.leaves.wrapping_add(node.leaves);
        (TreeDef::scanned(from, &node), node.tail)
    }

    /// Counts nodes below a node that [`Cursor::take_node`] stepped over.
    pub(crate) const fn count_below(&mut self, nodes: u32) {
        self.nodes = self.nodes.wrapping_add(nodes);
    }

    /// Goes back before the node that was read last from `list`, to read it again from another list. `leaf` says
    /// whether it is a leaf.
    pub(crate) const fn take_back(&mut self, list: &Siblings, leaf: bool) {
        self.nodes = self.nodes.wrapping_sub(1);
        if leaf {
            self.leaves = self.leaves.wrapping_sub(1);
            self.run = self.run.wrapping_add(1);
        } else {
            self.at = list.unit;
        }
    }
}
