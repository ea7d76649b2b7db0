//! Visits a treedef in preorder together with the keys, for texts: any depth on a bounded stack.

use core::fmt;

use crate::base::levels::{self, Levels};
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::Head;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// Texts of treedefs are exact down to this depth; a node with children that stands deeper is written `…`.
///
/// JAX itself cannot flatten trees that are nested deeper than about 1000.
pub const MAX_TEXT_DEPTH: usize = 1024;

/// Levels in one frame of the machine's stack, 768 bytes: stack use follows the depth of the tree.
const SEGMENT: usize = 32;

/// Where a visited node stands.
pub(crate) struct Place<'a> {
    /// The head of the parent; `None` at the root.
    pub(crate) parent: Option<Head<'a>>,
    /// The key entries of the parent's children, from this one on.
    pub(crate) entries: Entries<'a>,
    /// The index among the parent's children.
    pub(crate) index: u32,
    /// How many adjacent equal children the visit stands for.
    pub(crate) count: u32,
    /// Whether no sibling follows.
    pub(crate) last: bool,
    /// Levels below the root.
    pub(crate) depth: usize,
}

/// What is done with the nodes of a treedef.
pub(crate) trait Visitor<'a> {
    /// Whether adjacent equal siblings are visited once, with their number, or each for itself.
    fn folds(&self) -> bool;

    /// Before the children of a node.
    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result;

    /// Behind the children of a node.
    fn leave(&mut self, head: &Head<'a>) -> fmt::Result;

    /// Instead of both for a node with children below [`MAX_TEXT_DEPTH`].
    fn cut(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result;
}

/// Visits all nodes of `def`.
///
/// Every child costs a constant amount besides its own bytes, however many keys stand before its own.
pub(crate) fn walk<'a>(def: TreeDef<'a>, visitor: &mut dyn Visitor<'a>) -> fmt::Result {
    let mut walker = Walker { cursor: Cursor::new(def), visitor };
    let mut root = Siblings::root();
    let Some(head) = walker.cursor.next(&mut root) else { return Ok(()) };
    let entries = Head::LEAF.entries();
    let place = Place { parent: None, entries, index: 0, count: 1, last: true, depth: 0 };
    walker.visitor.enter(&place, &head)?;
    if head.num_children() == 0 {
        return walker.visitor.leave(&head);
    }
    walker.segment(Level::of(&head, 0), 0)
}

/// One open node: 24 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    children: Siblings,
    /// Where the head stands.
    head: u32,
    /// The bytes at the end of the head that hold the keys to come.
    keys: u32,
}

impl Level {
    /// The node with this head, which stands at `at`.
    pub(crate) fn of(head: &Head<'_>, at: u32) -> Self {
        Self { children: Siblings::of(head), head: at, keys: head.entries().rest() }
    }

    /// Reads the next child, and its key: `None` behind the last.
    ///
    /// Costs a constant amount besides the bytes of both, as the head of the node is read again and its keys are not.
    pub(crate) fn next<'a>(&mut self, cursor: &mut Cursor<'a>) -> Option<(Head<'a>, KeyEntry<'a>)> {
        let parent = cursor.head_at(self.head);
        let left = u32::try_from(self.children.left()).unwrap_or(0);
        let head = cursor.next(&mut self.children)?;
        let mut entries = parent.entries_at(parent.arity().saturating_sub(left), self.keys);
        let entry = entries.next()?;
        self.keys = entries.rest();
        Some((head, entry))
    }

    /// Where the child stands that was read last, if it is no leaf.
    pub(crate) const fn last(&self) -> u32 {
        self.children.unit()
    }
}

/// What the next thing in a level is.
enum Step {
    /// A node without children, or one that was cut.
    Closed,
    /// A node whose children come next.
    Open(Level),
    /// The end of the level.
    End,
}

struct Walker<'a, 'v> {
    cursor: Cursor<'a>,
    visitor: &'v mut dyn Visitor<'a>,
}

impl Walker<'_, '_> {
    /// Visits what is below `first`, `depth` levels below the root; itself again for every [`SEGMENT`] levels.
    fn segment(&mut self, first: Level, depth: usize) -> fmt::Result {
        let mut levels: Levels<Level, SEGMENT> = levels::empty();
        let mut opened = Some(first);
        loop {
            if let Some(level) = opened
                && levels.push(level).is_err()
            {
                self.segment(level, depth.saturating_add(SEGMENT))?;
            }
            let below = depth.saturating_add(levels.len());
            let Some(level) = levels.last_mut() else { return Ok(()) };
            opened = match self.step(level, below)? {
                Step::Closed => None,
                Step::Open(level) => Some(level),
                Step::End => {
                    levels.pop();
                    None
                }
            };
        }
    }

    /// Visits the next child of `level`, `depth` levels below the root.
    #[inline(never)]
    fn step(&mut self, level: &mut Level, depth: usize) -> Result<Step, fmt::Error> {
        let parent = self.cursor.head_at(level.head);
        let left = u32::try_from(level.children.left()).unwrap_or(0);
        let index = parent.arity().saturating_sub(left);
        let next = if self.visitor.folds() {
            self.cursor.next_run(&mut level.children)
        } else {
            self.cursor.next(&mut level.children).map(|head| (head, 1))
        };
        let Some((head, count)) = next else {
            self.visitor.leave(&parent)?;
            return Ok(Step::End);
        };
        let entries = parent.entries_at(index, level.keys);
        let mut behind = entries.clone();
        behind.nth(count.saturating_sub(1) as usize);
        level.keys = behind.rest();
        let last = level.children.left() == 0;
        let place = Place { parent: Some(parent), entries, index, count, last, depth };
        if head.num_children() == 0 {
            self.visitor.enter(&place, &head)?;
            self.visitor.leave(&head)?;
            return Ok(Step::Closed);
        }
        if depth >= MAX_TEXT_DEPTH {
            self.visitor.cut(&place, &head)?;
            self.cursor.skip_children(&level.children).ok_or(fmt::Error)?;
            return Ok(Step::Closed);
        }
        self.visitor.enter(&place, &head)?;
        Ok(Step::Open(Level::of(&head, level.children.unit())))
    }
}
