//! Reads the nodes of a treedef for a rebuild.
//!
//! A [`Reading`] knows neither the type of the leaves nor where they come from, so a program has its functions once. Its
//! steps return an option. If a step returns `None`, the reading keeps the error, until [`Reading::outcome`] hands it out.
//! So code that is compiled for each type has no error of 24 bytes to pass on from step to step.

use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::base::target::SMALL_CODE;
use crate::encode::arithmetic::small;
use crate::encode::const_head::ConstHead;
use crate::encode::depth::Depth;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::format::value::Stop;
use crate::tree::vector::Vector;
use crate::treedef::cursor::{Cursor, Next, Siblings};
use crate::treedef::treedef::TreeDef;

/// The position in the treedef, the number of its leaves, the depth that is allowed, and the first error.
pub(crate) struct Reading<'d> {
    pub(crate) cursor: Cursor<'d>,
    depth: Depth,
    pub(crate) expected: usize,
    failed: Option<Error>,
}

/// The copies of a node that was read: how many, the leaves of each, and the index of the first leaf.
pub(crate) struct Copies {
    pub(crate) count: usize,
    pub(crate) leaves: u32,
    pub(crate) first: u32,
}

/// A list that may be longer than its container: the index of its node, and the room of the container.
#[derive(Clone, Copy)]
pub(crate) struct Full {
    node: u32,
    room: usize,
}

impl Full {
    pub(crate) const fn error(self) -> Error {
        Error::Capacity { node: self.node, room: self.room }
    }
}

debug_struct!([] Reading<'_> { cursor, expected });

impl<'d> Reading<'d> {
    pub(crate) fn new(def: TreeDef<'d>, limit: u32) -> Self {
        let (cursor, depth) = (Cursor::new(def), Depth::new(limit));
        Self { cursor, depth, expected: def.num_leaves(), failed: None }
    }

    /// Keeps an error, unless an earlier one is kept.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// Whether an error is kept.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Keeps the error that the node `node` is not the expected one.
    #[cold]
    pub(crate) fn unexpected(&mut self, node: u32) {
        self.note(Error::Mismatch { node });
    }

    /// Keeps the error of a tree that was not built from the last `given` leaves, with the result of
    /// [`Part::refusal`](crate::tree::source::Part::refusal).
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, (left, error): (usize, Option<Error>), given: usize) {
        // A container by hand may refuse before it takes a leaf.
        let taken = given.wrapping_sub(left).max(1);
        let leaf =
            self.cursor.num_leaves_read().wrapping_sub(small(given)).wrapping_add(small(taken));
        self.note(error.unwrap_or(Error::WrongLeaf { leaf: leaf.wrapping_sub(1) }));
    }

    /// Keeps the error that the next node is not the expected one.
    #[cold]
    pub(crate) fn mismatch(&mut self) {
        self.unexpected(self.cursor.num_nodes_read());
    }

    /// Keeps the error that the leaf with the index `found` is not given.
    #[cold]
    pub(crate) fn too_few(&mut self, found: u32) {
        self.note(Error::TooFewLeaves { expected: self.expected, found: found as usize });
    }

    /// Keeps the error that the leaf that was read last has another type.
    #[cold]
    pub(crate) fn wrong_leaf(&mut self) {
        self.note(Error::WrongLeaf { leaf: self.cursor.num_leaves_read().wrapping_sub(1) });
    }

    /// The next node, if it is a list for a container with this room.
    pub(crate) const fn list(&self, room: usize) -> Full {
        Full { node: self.cursor.num_nodes_read(), room }
    }

    /// Keeps the error that a container holds no more children.
    #[cold]
    pub(crate) fn full(&mut self, full: Full) {
        self.note(full.error());
    }

    /// Appends `element` to `elements`. Returns `false` if there is no room.
    #[inline]
    pub(crate) fn add<T>(&mut self, elements: &mut impl Vector<T>, element: T, full: Full) -> bool {
        let added = elements.add(element);
        if !added {
            self.full(full);
        }
        added
    }

    /// The number of leaves that were not read.
    pub(crate) fn leaves_left(&self) -> usize {
        self.expected.saturating_sub(self.cursor.num_leaves_read() as usize)
    }

    /// The result of all steps: the value, or the error that was kept. The reading then keeps none.
    #[inline]
    pub(crate) fn outcome<T>(&mut self, step: Option<T>) -> Result<T, Error> {
        match (step, self.failed) {
            (Some(value), None) => Ok(value),
            _ => Err(self.take_error()),
        }
    }

    #[cold]
    fn take_error(&mut self) -> Error {
        let next = Error::Mismatch { node: self.cursor.num_nodes_read() };
        self.failed.take().unwrap_or(next)
    }

    /// Counts a level.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        match self.depth.enter() {
            Ok(()) => Some(()),
            Err(error) => {
                self.note(error);
                None
            }
        }
    }

    /// Reads the head of the next child of `list`, which must be of this kind, and begins its children.
    pub(crate) fn begin(
        &mut self,
        list: &mut Siblings,
        kind: Kind,
    ) -> Option<(Head<'d>, Siblings)> {
        let node = self.cursor.num_nodes_read();
        match self.cursor.next(list) {
            Some(head) if head.kind() == kind => {
                self.enter()?;
                Some((head, Siblings::of(&head)))
            }
            _ => {
                self.unexpected(node);
                None
            }
        }
    }

    /// Reads the head of the next child of `list`, which must be a list, and begins its children.
    pub(crate) fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        let children = self.cursor.take_list(list);
        match children {
            Some(_) => self.enter()?,
            None => self.mismatch(),
        }
        children
    }

    /// Reads the head of the next child of `list`, which must equal `spec`, and begins its children.
    pub(crate) fn begin_with<H: HeadSpec>(
        &mut self,
        list: &mut Siblings,
        spec: &H,
    ) -> Option<Siblings> {
        let node = self.cursor.num_nodes_read();
        let children = self.cursor.next(list).and_then(|head| {
            let mut rest = head.as_bytes();
            let pieces = spec.pieces(&mut |piece| {
                rest = rest.strip_prefix(piece).ok_or(Stop::Refused)?;
                Ok(())
            });
            let same = pieces.is_ok() && rest.is_empty() && head.kind() != Kind::Leaf;
            same.then(|| Siblings::of(&head))
        });
        if children.is_none() {
            self.unexpected(node);
        } else {
            self.enter()?;
        }
        children
    }

    /// Reads the head of `next`, the next child of `list`, if it is `head`. Otherwise it reads nothing, and keeps no error.
    #[inline]
    pub(crate) fn begin_if(
        &mut self,
        list: &mut Siblings,
        next: &Next<'d>,
        head: &ConstHead,
    ) -> bool {
        self.cursor.take_head(list, next, head.as_bytes()) && self.enter().is_some()
    }

    /// Reads the head of the next child of `list`, which must be `head`.
    ///
    /// The usual case is in a function that calls no other, so that it saves no registers.
    pub(crate) fn begin_head(&mut self, list: &mut Siblings, head: &ConstHead) -> bool {
        if !SMALL_CODE && !self.depth.is_full() && self.cursor.try_head(list, head.as_bytes()) {
            return self.enter().is_some();
        }
        self.begin_head_in_any_form(list, head)
    }

    #[inline(never)]
    fn begin_head_in_any_form(&mut self, list: &mut Siblings, head: &ConstHead) -> bool {
        let next = self.cursor.peek(list);
        let begun = self.begin_if(list, &next, head);
        if !begun {
            self.mismatch();
        }
        begun
    }

    /// Ends the children of a node that was begun. Returns `false` if some of them were not read.
    pub(crate) fn end(&mut self, children: &Siblings) -> bool {
        let ended = self.cursor.end(children);
        match ended {
            true => self.depth.leave(),
            false => self.mismatch(),
        }
        ended
    }

    /// Steps over the next child of `list`, which must have the structure `def`. Returns the index of its first leaf.
    pub(crate) fn take_fixed(&mut self, list: &mut Siblings, def: &TreeDef<'_>) -> Option<u32> {
        let first = self.cursor.num_leaves_read();
        if self.cursor.take_subtree(list, *def, def.node_count()) {
            return Some(first);
        }
        self.differs(list, *def);
        None
    }

    /// Keeps the error that the next child of `list` has not the structure `def`.
    #[cold]
    fn differs(&mut self, list: &mut Siblings, def: TreeDef<'_>) {
        let common = self.cursor.in_common(list, def);
        self.unexpected(self.cursor.num_nodes_read().wrapping_add(common));
    }

    /// Steps over all children of `list`, if they have the structure `def` and the second is announced as a copy of the first.
    /// Returns the index of their first leaf. Otherwise it reads nothing.
    pub(crate) fn take_alike(&mut self, list: &mut Siblings, def: &TreeDef<'_>) -> Option<u32> {
        let (before, mut rest, nodes) = (self.cursor, *list, def.node_count());
        if self.cursor.take_subtree(&mut rest, *def, nodes) {
            let _ = self.cursor.take_copies(&mut rest, nodes);
            if rest.left() == 0 {
                *list = rest;
                return Some(before.num_leaves_read());
            }
        }
        self.cursor = before;
        None
    }

    /// Steps over the copies of the child of `list` that was read last and has the index `node`, if the treedef repeats it.
    #[inline]
    pub(crate) fn copies(&mut self, list: &mut Siblings, node: u32) -> Option<Copies> {
        let first = self.cursor.num_leaves_read();
        let nodes = self.cursor.num_nodes_read().wrapping_sub(node);
        let (count, leaves) = self.cursor.take_copies(list, nodes)?;
        Some(Copies { count: count as usize, leaves, first })
    }
}
