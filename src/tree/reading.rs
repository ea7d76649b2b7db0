//! Reads the nodes of a treedef for a rebuild.
//!
//! A [`Reading`] knows neither the type of the leaves nor where they come from, so a program has its functions once. Its
//! steps return an option. If a step returns `None`, the reading keeps the error, until [`Reading::outcome`] hands it out.
//! So code that is compiled for each type has no error of 24 bytes to pass on from step to step.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::show::debug_struct;
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::encode::writer::Writer;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::format::pieces::Stop;
use crate::treedef::cursor::{Cursor, Siblings};
use crate::treedef::treedef::TreeDef;

/// The position in the treedef, the number of its leaves, the depth that is allowed, and the first error.
pub struct Reading<'d> {
    pub(crate) cursor: Cursor<'d>,
    depth: Depth,
    num_leaves: usize,
    failed: Option<Error>,
    /// What a value has and its type leaves open: the length of each list, whether there is an option, which variant, and where
    /// other heads begin. It is noted for the elements of lists, so that the copies of an element are built without reading them.
    choices: [(Asked, u32); MAX_CHOICES],
    /// How many `choices` are noted, for the element that is read and those that it is in; [`NO_CHOICES`] outside of lists, and if there
    /// are too many.
    noted: usize,
}

/// The step that a choice belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Where the head of the next node begins.
    Head,
    /// The length of the next list.
    Length,
    /// Whether the next child is a `None`.
    IsNone,
    /// Which of some heads the next node has.
    Variant,
    /// What the next child is, which is not read.
    Next,
}

/// Trees with more choices are read again for each copy.
const MAX_CHOICES: usize = 16;

/// Choices are not noted, or not needed.
pub(crate) const NO_CHOICES: usize = usize::MAX;

/// The choice of [`Reading::peek`] if the next child is a leaf, and if there is none.
const LEAF_IS_NEXT: u32 = u32::MAX;
const NONE_IS_LEFT: u32 = u32::MAX - 1;

/// The copies of a node that was read: how many, and the leaves of each.
pub(crate) struct Copies {
    pub(crate) count: usize,
    pub(crate) leaves: usize,
}

debug_struct!([] Reading<'_> { cursor, num_leaves });

impl<'d> Reading<'d> {
    pub(crate) const fn new(def: TreeDef<'d>) -> Self {
        Self {
            cursor: Cursor::new(def),
            depth: Depth::new(MAX_DEPTH),
            num_leaves: def.num_leaves(),
            failed: None,
            choices: [(Asked::Head, 0); MAX_CHOICES],
            noted: NO_CHOICES,
        }
    }

    /// The index of the next node.
    pub(crate) const fn node(&self) -> u32 {
        self.cursor.num_nodes_read()
    }

    /// Begins to note the choices of an element of a list, and returns how many were noted before.
    #[inline]
    pub(crate) const fn start_choices(&mut self) -> usize {
        let before = self.noted;
        if before == NO_CHOICES {
            self.noted = 0;
        }
        before
    }

    /// Goes on after an element and its copies.
    #[inline]
    pub(crate) const fn end_choices(&mut self, before: usize) {
        if before == NO_CHOICES {
            self.noted = NO_CHOICES;
        }
    }

    /// The number of the first choice of an element that was read; `None` if it has too many.
    pub(crate) const fn first_choice(&self, before: usize) -> Option<usize> {
        match (self.noted, before) {
            (NO_CHOICES, _) => None,
            (_, NO_CHOICES) => Some(0),
            (_, first) => Some(first),
        }
    }

    /// Notes the choices of an element again for each of its copies, for the elements that it is in.
    pub(crate) fn repeat_choices(&mut self, before: usize, copies: usize) {
        let own = before..self.noted;
        if own.is_empty() {
            return;
        }
        for index in (0..copies).flat_map(|_| own.clone()).take(MAX_CHOICES) {
            if let Some((asked, choice)) = self.choices.get(index).copied() {
                self.note_choice(asked, choice);
            }
        }
    }

    /// The choice with this number, if it belongs to such a step.
    #[inline]
    pub(crate) fn choice(&self, number: usize, asked: Asked) -> Option<u32> {
        match self.choices.get(number) {
            Some((noted, choice)) if *noted == asked => Some(*choice),
            _ => None,
        }
    }

    /// Goes back to where the copies of an element begin, and over the first `count` of them, to read the next one. The error
    /// and the choices of these copies are forgotten.
    pub(crate) fn read_copy(
        &mut self,
        (cursor, list): (Cursor<'d>, &mut Siblings),
        count: u32,
        size: (u32, u32),
    ) {
        self.cursor = cursor;
        self.cursor.skip_repeats(list, count, size);
        self.failed = None;
        self.noted = NO_CHOICES;
    }

    /// Notes a choice of an element of a list.
    #[inline]
    fn note_choice(&mut self, asked: Asked, choice: u32) {
        self.noted = match self.choices.get_mut(self.noted) {
            Some(slot) => {
                *slot = (asked, choice);
                self.noted.wrapping_add(1)
            }
            None => NO_CHOICES,
        };
    }

    /// Keeps an error, unless an earlier one is kept.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// Keeps the error that the node `node` is not the expected one.
    #[cold]
    fn mismatch_at<T>(&mut self, node: u32) -> Option<T> {
        self.note(Error::Mismatch { node });
        None
    }

    /// Keeps the error that the leaf that was read last, but for `ahead` others, is not given or has another type.
    pub(crate) fn note_leaf(&mut self, ahead: usize, is_missing: bool) {
        let leaf = self.cursor.num_leaves_read().wrapping_sub(small(ahead)).wrapping_sub(1);
        self.note(match is_missing {
            true => Error::TooFewLeaves { expected: self.num_leaves, found: leaf as usize },
            false => Error::WrongLeaf { leaf },
        });
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
        let next = Error::Mismatch { node: self.node() };
        self.failed.take().unwrap_or(next)
    }

    /// Counts a level.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        self.depth.enter().map_err(|error| self.note(error)).ok()
    }

    /// Reads the head of the next child of `list`, which must be as expected, and begins its children.
    #[inline]
    fn begin_if(
        &mut self,
        list: &mut Siblings,
        is_expected: impl FnOnce(&Head<'d>) -> bool,
    ) -> Option<(Head<'d>, Siblings)> {
        let node = self.node();
        match self.cursor.next(list).filter(is_expected) {
            Some(head) => self.enter().map(|()| (head, Siblings::of(&head))),
            None => self.mismatch_at(node),
        }
    }

    /// Reads the head of the next child of `list`, which must be of this kind, and begins its children.
    pub(crate) fn begin(
        &mut self,
        list: &mut Siblings,
        kind: Kind,
    ) -> Option<(Head<'d>, Siblings)> {
        let begun = self.begin_if(list, |head| head.kind() == kind)?;
        self.note_choice(Asked::Head, list.unit());
        Some(begun)
    }

    /// Reads the head of the next child of `list`, which must be a list, and begins its children.
    pub(crate) fn begin_list(&mut self, list: &mut Siblings) -> Option<Siblings> {
        let Some(children) = self.cursor.take_list(list) else {
            return self.mismatch_at(self.node());
        };
        self.enter()?;
        self.note_choice(Asked::Length, small(children.left()));
        Some(children)
    }

    /// Reads a leaf, the next child of `list`, after [`Cursor::try_leaf`] did not.
    #[inline(never)]
    pub(crate) fn take_leaf_of_long_run(&mut self, list: &mut Siblings) -> Option<()> {
        match self.cursor.take_leaf_of_long_run(list) {
            true => Some(()),
            false => self.mismatch_at(self.node()),
        }
    }

    /// Reads the next child of `list` if it is a `None`, and says whether it is.
    pub(crate) fn take_none(&mut self, list: &mut Siblings) -> bool {
        let taken = self.cursor.take_none(list);
        self.note_choice(Asked::IsNone, taken.into());
        taken
    }

    /// The head of the next child of `list`, which is not read.
    pub(crate) fn peek(&mut self, list: &Siblings) -> Option<Head<'d>> {
        let (mut cursor, mut list) = (self.cursor, *list);
        let head = cursor.next(&mut list);
        let choice = match head {
            Some(head) if head.kind() == Kind::Leaf => LEAF_IS_NEXT,
            Some(_) => list.unit(),
            None => NONE_IS_LEFT,
        };
        self.note_choice(Asked::Next, choice);
        head
    }

    /// What [`Reading::peek`] returned when it noted this choice.
    pub(crate) fn peeked(&self, choice: u32) -> Option<Head<'d>> {
        match choice {
            LEAF_IS_NEXT => Some(Head::LEAF),
            NONE_IS_LEFT => None,
            at => Some(self.cursor.head_at(at)),
        }
    }

    /// Reads the head of the next child of `list`, which must equal `spec`, and begins its children.
    pub(crate) fn begin_with<H: HeadSpec>(
        &mut self,
        list: &mut Siblings,
        spec: &H,
    ) -> Option<Siblings> {
        self.begin_if(list, |head| is_spec(head, spec)).map(|(_, children)| children)
    }

    /// Reads the head of the next child of `list`, if it is one of `heads`, and returns which, or `u32::MAX`.
    pub(crate) fn begin_any(&mut self, list: &mut Siblings, heads: &[Head<'_>]) -> Option<u32> {
        let next = self.cursor.peek(list);
        let begun = heads
            .iter()
            .zip(0..u32::MAX)
            .find(|(head, _)| self.cursor.take_head(list, &next, head.as_bytes()));
        let index = begun.map_or(u32::MAX, |(_, index)| index);
        self.note_choice(Asked::Variant, index);
        if begun.is_some() {
            self.enter()?;
        }
        Some(index)
    }

    /// Reads the head of the next child of `list`, which must be `head`.
    pub(crate) fn begin_head(&mut self, list: &mut Siblings, head: &Head<'_>) -> Option<()> {
        let next = self.cursor.peek(list);
        match self.cursor.take_head(list, &next, head.as_bytes()) {
            true => self.enter(),
            false => self.mismatch_at(self.node()),
        }
    }

    /// Ends the children of a node that was begun. `None` if some of them were not read.
    pub(crate) fn end(&mut self, children: &Siblings) -> Option<()> {
        if !self.cursor.end(children) {
            return self.mismatch_at(self.node());
        }
        self.depth.leave();
        Some(())
    }

    /// Steps over the next child of `list`, which must have the structure `def`.
    pub(crate) fn take_const(&mut self, list: &mut Siblings, def: &TreeDef<'_>) -> Option<()> {
        match self.cursor.take_subtree(list, *def, def.node_count()) {
            true => Some(()),
            false => self.differs(list, *def),
        }
    }

    /// Keeps the error that the next child of `list` has not the structure `def`.
    #[cold]
    fn differs(&mut self, list: &mut Siblings, def: TreeDef<'_>) -> Option<()> {
        let expected = TreeDef::trusted(self.cursor.peek(list).bytes, 0);
        let mut out = Writer::compare(expected);
        out.subtree(def);
        let in_common = match out.outcome() {
            Err(Error::Mismatch { node }) => node,
            _ => 0,
        };
        self.mismatch_at(self.node().wrapping_add(in_common))
    }

    /// Steps over all children of `list`, if they have the structure `def` and the second is announced as a copy of the first.
    /// Otherwise it reads nothing.
    pub(crate) fn take_alike(&mut self, list: &mut Siblings, def: &TreeDef<'_>) -> bool {
        let (before, mut rest, nodes) = (self.cursor, *list, def.node_count());
        if self.cursor.take_subtree(&mut rest, *def, nodes) {
            let _ = self.cursor.take_copies(&mut rest, nodes);
            if rest.left() == 0 {
                *list = rest;
                return true;
            }
        }
        self.cursor = before;
        false
    }

    /// Steps over the copies of the child of `list` that was read last and has the index `node`, if the treedef repeats it.
    #[inline]
    pub(crate) fn copies(&mut self, list: &mut Siblings, node: u32) -> Option<Copies> {
        let nodes = self.node().wrapping_sub(node);
        let (count, leaves) = self.cursor.take_copies(list, nodes)?;
        Some(Copies { count: count as usize, leaves: leaves as usize })
    }
}

/// Whether `head` is the head that `spec` writes.
pub(crate) fn is_spec<H: HeadSpec>(head: &Head<'_>, spec: &H) -> bool {
    let mut rest = head.as_bytes();
    let pieces = spec.pieces(&mut |piece| {
        rest = rest.strip_prefix(piece).ok_or(Stop::Refused)?;
        Ok(())
    });
    pieces.is_ok() && rest.is_empty() && head.kind() != Kind::Leaf
}
