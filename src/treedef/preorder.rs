//! Walks over the nodes of a treedef in preorder, with repeats written out.
//!
//! A walk over `[*, (None, *), *]` reports these events:
//!
//! - `Enter` the list, which the caller [opens](Preorder::open): its children are next;
//! - `Enter` the leaf, which has no children, so the caller need not open it;
//! - `Enter` the tuple; the caller opens it too, so the innermost open list now has its two children;
//! - `Enter` the `None` and the leaf;
//! - `Leave` the tuple, with the data that it was opened with, after its last child;
//! - `Enter` the last leaf, and `Leave` the list.
//!
//! A caller that [skips](Preorder::skip) the tuple gets no events of its children and no `Leave`.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::Head;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// A walk with room for `D` open nodes, with data of the caller for each.
#[derive(Clone)]
pub(crate) struct Preorder<'a, T, const D: usize> {
    cursor: Cursor<'a>,
    /// The list that contains the root, or with which the walk began. It belongs to no open node.
    first: Siblings,
    /// The remaining children of each open node, and its data.
    open: Levels<(Siblings, T), D>,
}

/// An event of a walk.
pub(crate) enum Event<'a, T> {
    /// A node. If it has children, it has to be opened or skipped before the next event.
    Enter(Head<'a>),
    /// The end of the children of the node that was opened with this data.
    Leave(T),
}

impl<'a, T, const D: usize> Preorder<'a, T, D> {
    /// Starts before the root.
    pub(crate) fn new(def: TreeDef<'a>) -> Self {
        Self { cursor: Cursor::new(def), first: Siblings::root(), open: levels::empty() }
    }

    /// The next event; `None` at the end.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Event<'a, T>> {
        let (cursor, list) = self.position();
        match cursor.next(list) {
            Some(head) => Some(Event::Enter(head)),
            None => self.open.pop().map(|(_, data)| Event::Leave(data)),
        }
    }

    /// As [`Preorder::next`], but steps over the copies of the child that was read last before, and returns their number too.
    pub(crate) fn next_other(&mut self) -> Option<(u32, Event<'a, T>)> {
        let (cursor, list) = self.position();
        let copies = cursor.take_copies(list, 0).map_or(0, |(copies, _)| copies);
        Some((copies, self.next()?))
    }

    /// As [`Preorder::next`], with the number of equal neighbours that are one event: if not `keep_runs`, each is one.
    pub(crate) fn next_run(&mut self, keep_runs: bool) -> Option<(Event<'a, T>, u32)> {
        let event = self.next()?;
        let (cursor, list) = self.position();
        let copies = match event {
            _ if !keep_runs => None,
            Event::Enter(Head::LEAF) => cursor.take_copies(list, 1).map(|(copies, _)| copies),
            Event::Enter(_) => cursor.take_copies_ahead(list),
            Event::Leave(_) => None,
        };
        Some((event, copies.unwrap_or(0).saturating_add(1)))
    }

    /// Goes on with the children of the node that was entered last.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if `D` nodes are open.
    pub(crate) fn open(&mut self, head: &Head<'_>, data: T) -> Result<(), Error> {
        let limit = u32::try_from(D).unwrap_or(u32::MAX);
        self.open.push((Siblings::of(head), data)).map_err(|_| Error::TooDeep { limit })
    }

    /// As [`Preorder::open`], but if the node is the last child, it replaces the node around it, which then
    /// gets no `Leave`. So a chain of last children needs room for one node.
    pub(crate) fn open_last(&mut self, head: &Head<'_>, data: T) -> Result<(), Error> {
        match self.open.last_mut() {
            Some(level) if level.0.is_done() => {
                *level = (Siblings::of(head), data);
                Ok(())
            }
            _ => self.open(head, data),
        }
    }

    /// Steps over the children of the node that was entered last, which has this head. Returns that node, and the
    /// number of nodes after its last leaf.
    pub(crate) fn skip(&mut self, head: &Head<'a>) -> (TreeDef<'a>, u32) {
        let (cursor, list) = self.position();
        cursor.take_node(list, *head == Head::LEAF)
    }

    /// The innermost list.
    pub(crate) fn list(&self) -> &Siblings {
        self.open.last().map_or(&self.first, |(list, _)| list)
    }

    /// The number of open nodes.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The data of the innermost open node.
    pub(crate) fn data(&mut self) -> Option<&mut T> {
        self.open.last_mut().map(|(_, data)| data)
    }

    /// The position in the bytes, and the innermost list.
    pub(crate) fn position(&mut self) -> (&mut Cursor<'a>, &mut Siblings) {
        (&mut self.cursor, self.open.last_mut().map_or(&mut self.first, |(list, _)| list))
    }

    /// The position in the bytes.
    pub(crate) const fn cursor(&self) -> &Cursor<'a> {
        &self.cursor
    }

    /// Ends the walk.
    pub(crate) fn end(&mut self) {
        self.first = Siblings::default();
        self.open.clear();
    }
}

/// Where the head of an open node is, and which of its keys remain: 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    head: u32,
    /// Where the next key begins; where the head ends, if it has no more keys.
    next: u32,
}

/// Walks that read the keys of each node once, from the first to the last.
impl<'a, const D: usize> Preorder<'a, Keys, D> {
    /// The keys of the node that was entered last, which has this head, for [`Preorder::open`].
    pub(crate) fn keys(&self, head: &Head<'_>) -> Keys {
        let at = self.list().unit();
        Keys { head: at, next: end_of(head, at).wrapping_sub(head.entries().rest()) }
    }

    /// The head of the node that was opened with these keys.
    pub(crate) fn head(&self, keys: Keys) -> Head<'a> {
        self.cursor.head_at(keys.head)
    }

    /// Steps over the key of the child that was read last, and returns its entry; `None` if no node is open.
    pub(crate) fn entry(&mut self) -> Option<KeyEntry<'a>> {
        self.child(1)?.1.next()
    }

    /// Steps over the keys of the `count` children that were read last. Returns the head of their parent, and the entries from
    /// the first of these children on; `None` if no node is open.
    ///
    /// The head is read again, but not the keys that were stepped over before.
    pub(crate) fn child(&mut self, count: u32) -> Option<(Head<'a>, Entries<'a>)> {
        let (list, keys) = self.open.last_mut()?;
        let parent = self.cursor.head_at(keys.head);
        let end = end_of(&parent, keys.head);
        let left = u32::try_from(list.left()).ok()?;
        let index = parent.arity().checked_sub(left)?.checked_sub(count)?;
        let entries = parent.entries_at(index, end.wrapping_sub(keys.next));
        let mut after = entries.clone();
        after.nth(count.checked_sub(1)? as usize);
        keys.next = end.wrapping_sub(after.rest());
        Some((parent, entries))
    }

    /// A new walk over the children of the node that was entered last, for more open nodes than one walk has room for.
    /// [`Preorder::after`] goes on after it.
    pub(crate) fn inside(&self, head: &Head<'_>, keys: Keys) -> Self {
        let mut inner =
            Self { cursor: self.cursor, first: Siblings::default(), open: levels::empty() };
        let _ = inner.open(head, keys);
        inner
    }

    /// Goes on after a walk from [`Preorder::inside`] that is at its end.
    pub(crate) const fn after(&mut self, inner: &Self) {
        self.cursor = inner.cursor;
    }
}

/// Where a head ends that begins at `at`.
fn end_of(head: &Head<'_>, at: u32) -> u32 {
    at.wrapping_add(u32::try_from(head.as_bytes().len()).unwrap_or(u32::MAX))
}
