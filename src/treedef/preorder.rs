//! Walks over the nodes of a treedef in preorder, with repeats written out.
//!
//! A walk over `[*, (None, *), *]` reports these events:
//!
//! - `Enter` the list, which the caller [opens](Preorder::open): its children are next;
//! - `Leaf`;
//! - `Enter` the tuple; the caller opens it too, so the innermost open list is now that of its two children;
//! - `Enter` the `None`, which has no children, so the caller need not open it;
//! - `Leaf`;
//! - `Leave` the tuple, with the data that it was opened with, after its last child;
//! - `Leaf`, and `Leave` the list.
//!
//! A caller that [skips](Preorder::skip) the tuple gets no events of its children and no `Leave`.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind, kind_of};
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// A walk with room for `D` open nodes, with data of the caller for each.
#[derive(Clone)]
pub(crate) struct Preorder<'a, T, const D: usize> {
    cursor: Cursor<'a>,
    /// The list that contains the root, or with which the walk began. It belongs to no open node.
    first: Siblings,
    /// The children to come of each open node, and its data.
    open: Levels<(Siblings, T), D>,
}

/// An event of a walk.
pub(crate) enum Event<'a, T> {
    /// A node other than a leaf. If it has children, it has to be opened or skipped before the next event.
    Enter(Head<'a>),
    Leaf,
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
        let list = self.open.last_mut().map_or(&mut self.first, |(list, _)| list);
        match self.cursor.next(list) {
            Some(head) => Some(Event::of(head)),
            None => self.leave(),
        }
    }

    /// As [`Preorder::next`], but equal neighbours are one event, with their number. A walk calls one of the two only.
    pub(crate) fn next_run(&mut self) -> Option<(Event<'a, T>, u32)> {
        let list = self.open.last_mut().map_or(&mut self.first, |(list, _)| list);
        match self.cursor.next_run(list) {
            Some((head, count)) => Some((Event::of(head), count)),
            None => Some((self.leave()?, 1)),
        }
    }

    fn leave(&mut self) -> Option<Event<'a, T>> {
        self.open.pop().map(|(_, data)| Event::Leave(data))
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

    /// As [`Preorder::open`], but if the node is the last child, it takes the place of the node around it, which then
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
        let list = self.open.last().map_or(&self.first, |(list, _)| list);
        self.cursor.take_node(list, *head == Head::LEAF)
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

impl<'a, T> Event<'a, T> {
    fn of(head: Head<'a>) -> Self {
        if head == Head::LEAF { Event::Leaf } else { Event::Enter(head) }
    }
}

/// Where the head of an open node is, and which of its keys are to come: 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    head: u32,
    /// Where the next key begins; where the head ends, if it has no more keys.
    next: u32,
}

/// A child of an open node, and its keys.
pub(crate) struct Child<'a> {
    /// The head of the open node.
    pub(crate) parent: Head<'a>,
    /// The index of the child.
    pub(crate) index: u32,
    /// The entries from that of the child on.
    pub(crate) entries: Entries<'a>,
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

    /// Reads the next child if it is a leaf of the same run as the last one, whose entry is `entry`, and replaces the entry.
    /// Otherwise it reads nothing and returns `false`.
    #[inline]
    pub(crate) fn next_of_run(&mut self, entry: &mut KeyEntry<'a>) -> bool {
        let Some((list, keys)) = self.open.last_mut() else { return false };
        if !self.cursor.take_leaf_of_run(list) {
            return false;
        }
        match entry {
            KeyEntry::Index(index) if is_sequence(self.cursor.bytes_from(keys.head)) => {
                *index = index.wrapping_add(1);
            }
            _ => {
                if let Some(own) = self.entry() {
                    *entry = own;
                }
            }
        }
        true
    }

    /// Steps over the key of the child that was read last, and returns its entry; `None` if no node is open.
    #[inline(never)]
    pub(crate) fn entry(&mut self) -> Option<KeyEntry<'a>> {
        self.child(1)?.entries.next()
    }

    /// Steps over the keys of the `count` children that were read last, and returns the first of these children; `None`
    /// if no node is open.
    ///
    /// The head is read again, but not the keys that were stepped over before.
    pub(crate) fn child(&mut self, count: u32) -> Option<Child<'a>> {
        let (list, keys) = self.open.last_mut()?;
        let parent = self.cursor.head_at(keys.head);
        let end = end_of(&parent, keys.head);
        let left = u32::try_from(list.left()).ok()?;
        let index = parent.arity().checked_sub(left)?.checked_sub(count)?;
        let entries = parent.entries_at(index, end.wrapping_sub(keys.next));
        let mut after = entries.clone();
        after.nth(count.checked_sub(1)? as usize);
        keys.next = end.wrapping_sub(after.rest());
        Some(Child { parent, index, entries })
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

/// Whether `bytes` begin with the head of a tuple or list, whose children have positions and no keys.
#[inline]
fn is_sequence(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| matches!(kind_of(*first), Kind::Tuple | Kind::List))
}
