//! The choices of a treedef, which is read as a type asks for them.
//!
//! In `[(*, None), (*, *)]` a list of pairs begins the list, which has two elements; then each pair, whose head is compared, steps over
//! a leaf, and finds a `None` or a leaf for its option. The type says how many children a node has, so the position is all there is.
//!
//! A child that a repeat announces is read at the sibling that it copies. Then the position goes on after the repeat. So there are the
//! [`Copies`] of the innermost open node; what they are in the nodes around is kept by the frames of the children, as an [`Outer`].

use core::mem;

use crate::base::bytes::{equal_words, small};
use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Fields, Schema, is_literal};
use crate::encode::writer::Writer;
use crate::format::head::{self, Head, Item, Kind, read_count, read_item};
use crate::format::heading::MetaFields;
use crate::format::value::Value;
use crate::format::varint::read_u32;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// Fewer copies are read as other elements.
const FEW: usize = 4;

/// The choices of the element of a list that is read, for its copies: those are built of choices, and not read.
struct Log {
    choices: [u8; MAX_CHOICES],
    /// How many choices are kept; [`LOST`] if there were more, or one was no small number.
    len: usize,
    /// Whether an element is kept. Lists in it keep no elements of their own.
    is_open: bool,
}

/// Elements with more choices are read again for each copy.
const MAX_CHOICES: usize = 64;

const LOST: usize = usize::MAX;

/// The choices of an element, and how many there are.
pub(crate) type OfElement = ([u8; MAX_CHOICES], usize);

/// The position in a treedef.
pub(crate) struct Reading<'d> {
    bytes: &'d [u8],
    at: u32,
    /// The number of leaves before `at` that are left, of a run or of a tree that was stepped over.
    run: u32,
    /// The nodes that are open.
    depth: u32,
    copies: Copies,
    given: Given<'d>,
    /// Where the node begins that `given` belongs to, or the last tree that was stepped over; `None` if that is a leaf of a run.
    begun: Option<u32>,
    log: Log,
    failed: Option<NotRead>,
}

/// Where the copies of a child are read, of the innermost open node.
#[derive(Clone, Copy)]
struct Copies {
    /// Where the last child begins that is no leaf.
    unit: u32,
    /// The copies of it that are left, and where to go on after them.
    left: u32,
    resume: u32,
}

/// What a node has beside its choice, which is asked for before its children.
enum Given<'d> {
    Nothing,
    /// Meta fields, and what the schema says of them.
    Meta(MetaFields<'d>, &'static [(&'static str, Value<'static>)]),
    /// The keys of a dictionary.
    Keys(Head<'d>),
}

/// Why nothing more is read.
#[derive(Clone, Copy)]
enum NotRead {
    /// The next node is another one.
    Node,
    /// The next child is not this tree.
    Constant(&'static TreeDef<'static>),
    /// The next node has more children than there is room for.
    Capacity(usize),
    TooDeep,
}

/// What is kept while a child is read.
pub(crate) struct Outer {
    /// Where the last child begins that is no leaf, once this one is read.
    unit: u32,
    depth: u32,
    /// As in [`Copies`], if this child is a copy.
    copies: u32,
    resume: u32,
}

impl<'d> Reading<'d> {
    pub(crate) const fn new(def: TreeDef<'d>) -> Self {
        Self {
            bytes: def.as_bytes(),
            at: 0,
            run: 0,
            depth: 0,
            copies: Copies { unit: 0, left: 0, resume: 0 },
            given: Given::Nothing,
            begun: None,
            log: Log { choices: [0; _], len: 0, is_open: false },
            failed: None,
        }
    }

    /// The bytes of the next child, unless it is a leaf of a run that has begun.
    #[inline]
    fn next(&self) -> &'d [u8] {
        match self.run {
            0 => self.bytes.get(self.at as usize..).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Whether all is read.
    pub(crate) const fn is_done(&self) -> bool {
        self.run == 0 && self.at as usize == self.bytes.len()
    }

    #[cold]
    fn fail<T>(&mut self, failed: NotRead) -> Option<T> {
        self.failed.get_or_insert(failed);
        None
    }

    /// Begins a child that may be no leaf.
    // Not inlined, as the others that are called for each node: a program has the code of a child once for each type.
    #[inline(never)]
    pub(crate) fn enter(&mut self) -> Outer {
        let kind = self.next().first().map_or(head::LEAVES, |byte| byte >> 5);
        if self.copies.left > 0 || kind == head::SAME {
            return self.enter_copy();
        }
        let unit = if kind == head::LEAVES { self.copies.unit } else { self.at };
        Outer { unit, depth: self.depth, copies: 0, resume: 0 }
    }

    /// Begins a child that a repeat announces.
    #[cold]
    #[inline(never)]
    fn enter_copy(&mut self) -> Outer {
        if self.copies.left == 0
            && let Some((copies, rest)) = read_count(self.next(), head::SAME)
            && let Some((_, rest)) = read_u32(rest)
        {
            self.copies.left = copies;
            self.copies.resume = small(self.bytes.len().saturating_sub(rest.len()));
            self.at = self.copies.unit;
        }
        let Copies { unit, left: copies, resume } = self.copies;
        // The children of the copy have copies of their own.
        self.copies.left = 0;
        Outer { unit, depth: self.depth, copies, resume }
    }

    /// Ends the child that was begun.
    #[inline(never)]
    pub(crate) const fn leave(&mut self, outer: Outer) {
        (self.copies.unit, self.depth) = (outer.unit, outer.depth);
        if outer.copies > 0 {
            self.leave_copy(outer);
        }
    }

    #[cold]
    #[inline(never)]
    const fn leave_copy(&mut self, outer: Outer) {
        self.copies.left = outer.copies.wrapping_sub(1);
        self.copies.resume = outer.resume;
        self.at = if self.copies.left == 0 { outer.resume } else { outer.unit };
    }

    /// Steps over a leaf.
    #[inline]
    pub(crate) fn leaf(&mut self) -> Option<()> {
        if let Some(run) = self.run.checked_sub(1) {
            self.run = run;
            return Some(());
        }
        match self.bytes.get(self.at as usize) {
            Some(byte) if *byte < head::ESCAPE => {
                (self.at, self.run) = (self.at.wrapping_add(1), u32::from(*byte));
                Some(())
            }
            _ => self.long_run(),
        }
    }

    /// Steps over the first leaf of a run of more than 31.
    #[inline(never)]
    fn long_run(&mut self) -> Option<()> {
        let Some((count, rest)) = read_count(self.next(), head::LEAVES) else {
            return self.fail(NotRead::Node);
        };
        self.at = small(self.bytes.len().saturating_sub(rest.len()));
        self.run = count.wrapping_sub(1);
        Some(())
    }

    /// Steps over `count` leaves.
    pub(crate) fn leaves(&mut self, count: usize) -> Option<()> {
        let mut left = small(count);
        while left > 0 {
            self.leaf()?;
            let run = self.run.min(left.wrapping_sub(1));
            (self.run, left) = (self.run.wrapping_sub(run), left.wrapping_sub(run).wrapping_sub(1));
        }
        Some(())
    }

    /// Steps over these bytes, if they are next.
    #[inline]
    fn take(&mut self, bytes: &[u8]) -> bool {
        let is_next = self.next().get(..bytes.len()).is_some_and(|front| equal_words(front, bytes));
        if is_next {
            self.at = self.at.wrapping_add(small(bytes.len()));
        }
        is_next
    }

    /// Steps over the next child, which has to be this tree.
    #[inline]
    pub(crate) fn constant(&mut self, def: &'static TreeDef<'static>) -> Option<()> {
        if def.is_leaf() {
            return self.leaf();
        }
        let (bytes, unit) = (def.as_bytes(), self.at);
        // In the usual case its bytes are next.
        if self.copies.left == 0 && self.take(bytes) {
            self.copies.unit = unit;
            return Some(());
        }
        let outer = self.enter();
        if !self.take(bytes) {
            return self.fail(NotRead::Constant(def));
        }
        self.leave(outer);
        Some(())
    }

    /// Steps over `count` of this tree, which has leaves, if they are next and all but the first are announced as copies. Otherwise
    /// it reads nothing.
    pub(crate) fn constants(&mut self, def: &TreeDef<'_>, count: usize) -> bool {
        if def.is_leaf() {
            let before = (self.at, self.run);
            if self.leaves(count).is_some() {
                return true;
            }
            // They are read one by one, so that those before the other node are counted.
            (self.at, self.run, self.failed) = (before.0, before.1, None);
            return false;
        }
        let (bytes, before) = (def.as_bytes(), self.at);
        let copies = small(count.saturating_sub(1));
        if count == 0 {
            return true;
        }
        if !self.take(bytes) {
            return false;
        }
        match read_count(self.next(), head::SAME) {
            // One element has no copies; what follows is none of it.
            _ if copies == 0 => return true,
            Some((found, rest)) if found == copies => {
                if let Some((_, rest)) = read_u32(rest) {
                    self.at = small(self.bytes.len().saturating_sub(rest.len()));
                    return true;
                }
            }
            _ => {}
        }
        self.at = before;
        false
    }

    /// Counts a node that is begun.
    #[inline]
    fn open(&mut self) -> Option<()> {
        self.depth = self.depth.wrapping_add(1);
        match self.depth > MAX_DEPTH {
            true => self.fail(NotRead::TooDeep),
            false => Some(()),
        }
    }

    /// Reads what the next child has of what this schema leaves open. A node is begun.
    #[inline(always)]
    pub(crate) fn begin(&mut self, schema: &'static Schema) -> Option<usize> {
        match schema {
            Schema::Optional(of) if !of.is_nullable() => Some(self.begin_option()),
            Schema::Struct(Fields { head: Some(head), meta: [], .. }) => self.begin_head(head),
            Schema::Tuple(children) => self.begin_counted(head::TUPLE, children.as_slice().len()),
            Schema::Array(count, _) => self.begin_counted(head::LIST, *count),
            Schema::List(room, _) => self.begin_list(*room),
            Schema::Enum(_, variants) => self.begin_variant(variants),
            _ => self.begin_other(schema),
        }
    }

    #[inline(never)]
    fn begin_head(&mut self, head: &Head<'_>) -> Option<usize> {
        if !self.take(head.as_bytes()) {
            return self.fail(NotRead::Node);
        }
        self.open()?;
        Some(0)
    }

    #[inline(never)]
    fn begin_option(&mut self) -> usize {
        let is_some = usize::from(!self.take(Head::NONE.as_bytes()));
        self.note(is_some);
        is_some
    }

    #[inline(never)]
    fn begin_variant(&mut self, variants: &'static [Fields]) -> Option<usize> {
        for (index, fields) in (0..usize::MAX).zip(variants) {
            let is_own = match fields {
                Fields { head: Some(head), meta: [], .. } => self.take(head.as_bytes()),
                _ => self.take_fields(fields),
            };
            if is_own {
                if variants.len() > 1 {
                    self.note(index);
                }
                self.open()?;
                return Some(index);
            }
        }
        self.fail(NotRead::Node)
    }

    /// Begins a tuple or list with this number of children.
    #[inline(never)]
    fn begin_counted(&mut self, kind: u8, count: usize) -> Option<usize> {
        let next = self.next();
        // The count of other items is one larger than what they store.
        match read_count(next, kind) {
            Some((more, rest)) if more.wrapping_sub(1) as usize == count => {
                self.at = small(self.bytes.len().saturating_sub(rest.len()));
                self.open()?;
                Some(count)
            }
            _ => self.fail(NotRead::Node),
        }
    }

    #[inline(never)]
    fn begin_list(&mut self, room: Option<usize>) -> Option<usize> {
        let Some((more, rest)) = read_count(self.next(), head::LIST) else {
            return self.fail(NotRead::Node);
        };
        let count = more.wrapping_sub(1) as usize;
        self.check_room(room, count)?;
        self.at = small(self.bytes.len().saturating_sub(rest.len()));
        self.note(count);
        self.open()?;
        Some(count)
    }

    fn check_room(&mut self, room: Option<usize>, count: usize) -> Option<()> {
        match room {
            Some(room) if room < count => self.fail(NotRead::Capacity(room)),
            _ => Some(()),
        }
    }

    #[inline(never)]
    fn begin_other(&mut self, schema: &'static Schema) -> Option<usize> {
        let choice = match schema {
            Schema::Struct(fields) if self.take_fields(fields) => 0,
            Schema::Optional(_) if self.take(Head::NONE.as_bytes()) => {
                self.note(0);
                return Some(0);
            }
            Schema::Optional(_) if self.take(Head::SOME.as_bytes()) => {
                self.note(1);
                1
            }
            Schema::Map(room, ..) => {
                let head = self.next_head().filter(|head| head.kind() == Kind::Dict);
                let Some(head) = head else { return self.fail(NotRead::Node) };
                let count = head.num_children();
                self.check_room(*room, count)?;
                self.give(&head, Given::Keys(head));
                count
            }
            _ => return self.fail(NotRead::Node),
        };
        self.open()?;
        Some(choice)
    }

    fn next_head(&self) -> Option<Head<'d>> {
        match read_item(self.next())? {
            (Item::Node(head), _) => Some(head),
            _ => None,
        }
    }

    /// Reads the head of the next node if it is that of these fields, and says whether it is.
    #[inline(never)]
    fn take_fields(&mut self, fields: &'static Fields) -> bool {
        let Some(head) = self.next_head().filter(|head| fields.has(head)) else { return false };
        let len = self.log.len;
        self.give(&head, Given::Meta(head.meta_fields(), fields.meta));
        if fields.constants().is_some() {
            self.log.len = len;
        }
        true
    }

    /// Steps over the head of a node that gives more than a choice.
    fn give(&mut self, head: &Head<'_>, given: Given<'d>) {
        (self.begun, self.given, self.log.len) = (Some(self.at), given, LOST);
        self.at = self.at.wrapping_add(small(head.as_bytes().len()));
    }

    /// The value of the next meta field that is no constant of the type.
    pub(crate) fn value(&mut self) -> Option<Value<'d>> {
        let Given::Meta(fields, known) = &mut self.given else { return None };
        loop {
            let (((_, own), rest), (_, value)) = (known.split_first()?, fields.next()?);
            *known = rest;
            if !is_literal(own) {
                return Some(value);
            }
        }
    }

    /// The head of the dictionary that was begun last.
    pub(crate) const fn keys(&self) -> Option<Head<'d>> {
        match &self.given {
            Given::Keys(head) => Some(*head),
            _ => None,
        }
    }

    /// Steps over the next child, whatever it is, but for its leaves, which come next.
    pub(crate) fn tree(&mut self) -> Option<TreeDef<'d>> {
        let outer = self.enter();
        let next = self.next();
        (self.begun, self.log.len) = ((self.run == 0).then_some(self.at), LOST);
        let mut tree = TreeDef::LEAF;
        if next.first().is_some_and(|byte| byte >> 5 != head::LEAVES) {
            let Some(node) = skip(next) else { return self.fail(NotRead::Node) };
            self.at = small(self.bytes.len().saturating_sub(node.rest.len()));
            tree = TreeDef::scanned(next, &node);
            self.run = small(tree.num_leaves());
        }
        self.leave(outer);
        Some(tree)
    }

    /// Whether copies of the child that was read last follow, of `left` children.
    #[inline]
    pub(crate) fn is_repeated(&self, left: usize) -> bool {
        let is_repeat = |byte: &u8| *byte >> 5 == head::SAME;
        left >= FEW && self.copies.left == 0 && self.next().first().is_some_and(is_repeat)
    }

    /// Begins to keep the choices of elements, if these are in no other that is kept. The result is whether it does.
    #[inline]
    pub(crate) const fn open_log(&mut self) -> bool {
        !mem::replace(&mut self.log.is_open, true)
    }

    /// Begins the next element that is kept.
    #[inline]
    pub(crate) const fn clear_log(&mut self) {
        self.log.len = 0;
    }

    #[inline]
    pub(crate) const fn close_log(&mut self) {
        self.log.is_open = false;
    }

    /// Steps over the copies of the element that was read last. The result is their number, the number of leaves of each, and their
    /// choices; `None` if these are not known, or it is better to read the copies.
    pub(crate) fn take_copies(&mut self) -> Option<(usize, usize, OfElement)> {
        let (count, rest) = read_count(self.next(), head::SAME)?;
        let (leaves, rest) = read_u32(rest)?;
        // Their number is known by their leaves.
        if leaves == 0 || (count as usize) < FEW || self.log.len > MAX_CHOICES {
            return None;
        }
        self.at = small(self.bytes.len().saturating_sub(rest.len()));
        Some((count as usize, leaves as usize, (self.log.choices, self.log.len)))
    }

    /// Keeps a choice of the element that is read.
    #[inline]
    fn note(&mut self, choice: usize) {
        self.log.len = match (self.log.choices.get_mut(self.log.len), u8::try_from(choice)) {
            (Some(slot), Ok(choice)) if choice < 128 => {
                *slot = choice;
                self.log.len.wrapping_add(1)
            }
            _ => LOST,
        };
    }

    /// Where the node begins that meta fields or keys were given of, or the last tree; `None` if that is a leaf of a run.
    pub(crate) const fn begun(&self) -> Option<u32> {
        self.begun
    }

    /// Where the last child begins that is no leaf.
    pub(crate) const fn unit(&self) -> u32 {
        self.copies.unit
    }

    /// The index of the node that begins at `at`, after `leaves` leaves; without `at`, that of a leaf of a run that has begun.
    #[cold]
    #[inline(never)]
    pub(crate) fn node(&self, at: Option<u32>, leaves: usize) -> u32 {
        let def = TreeDef::trusted(self.bytes, 0);
        let mut nodes = Preorder::<(), { MAX_DEPTH as usize }>::new(def);
        loop {
            let (cursor, list) = nodes.position();
            let node = cursor.num_nodes_read();
            let is_here = cursor.num_leaves_read() as usize == leaves && cursor.is_at(list, at);
            match nodes.next() {
                Some(Event::Enter(_)) if is_here => return node,
                Some(Event::Enter(head)) if head != Head::LEAF => {
                    if nodes.open(&head, ()).is_err() {
                        return node;
                    }
                }
                Some(_) => {}
                None => return node,
            }
        }
    }

    /// The error at this position, after `leaves` leaves.
    #[cold]
    pub(crate) fn error(&self, leaves: usize) -> Error {
        let node = self.node((self.run == 0).then_some(self.at), leaves);
        match self.failed {
            None | Some(NotRead::Node) => Error::Mismatch { node },
            Some(NotRead::Capacity(room)) => Error::Capacity { node, room },
            Some(NotRead::TooDeep) => Error::TooDeep { limit: MAX_DEPTH },
            Some(NotRead::Constant(def)) => {
                let mut out = Writer::compare(TreeDef::trusted(self.next(), 0));
                out.subtree(*def);
                let in_common = match out.outcome() {
                    Err(Error::Mismatch { node }) => node,
                    _ => 0,
                };
                Error::Mismatch { node: node.wrapping_add(in_common) }
            }
        }
    }
}
