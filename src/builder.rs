//! Writes a treedef in one left-to-right pass into the caller's bytes.
//!
//! A leaf writes nothing: a run is a counter that is flushed when something else comes. When a composite child ends,
//! its bytes are compared with those of the sibling before it; if they are equal the child is truncated away and the
//! repeat at the tail grows by one. Nothing ever moves.
//!
//! The leaves and nodes of the whole tree are added with a check. Every other counter stands for a part of them, so its
//! arithmetic wraps: it cannot overflow, unless a [`Frame`] comes back to another builder than its own.

use crate::error::Error;
use crate::fingerprint;
use crate::head::{self, Head};
use crate::heading::Heading;
use crate::show::debug_struct;
use crate::treedef::TreeDef;

/// Writes one treedef into a slice of bytes, node by node in preorder.
///
/// Every method is one event; [`Builder::begin`] gives a [`Frame`] that [`Builder::end`] takes back, so open levels
/// stand with the caller: on its stack where it recurses, in its own array where it does not. The methods without
/// generics are `const`.
///
/// While it writes, the builder needs room for the result and for one more unit of each nested repeat that is open at
/// once.
///
/// # Examples
///
/// ```
/// use treedef::{Builder, TupleOf};
///
/// // ((*, *), (*, *), None)
/// let mut bytes = [0; 16];
/// let mut builder = Builder::new(&mut bytes);
/// let root = builder.begin(&TupleOf(3))?;
/// for _ in 0..2 {
///     let pair = builder.begin(&TupleOf(2))?;
///     builder.leaves(2)?;
///     builder.end(pair)?;
/// }
/// builder.none()?;
/// builder.end(root)?;
/// assert_eq!(builder.finish()?.as_bytes(), [0x23, 0x22, 0x01, 0xA0, 0x02, 0xC0]);
/// # Ok::<(), treedef::Error>(())
/// ```
pub struct Builder<'b> {
    bytes: &'b mut [u8],
    at: usize,
    run: u32,
    leaves: u32,
    nodes: u32,
    list: List,
    /// Which node is open: the nodes counted when it had begun. 0 outside the root.
    open: u32,
    /// What went wrong last; the first [`Error::Full`] or [`Error::TooLarge`] stays, because behind it the bytes and the
    /// counters are no longer one structure.
    error: Option<Error>,
}

debug_struct!([] Builder<'_> { at, leaves, nodes });

/// The state of one item list.
#[derive(Clone, Copy, Debug)]
struct List {
    /// Children still missing.
    left: u32,
    /// More copies of the last composite child, already written as a repeat.
    copies: u32,
    /// Leaves and nodes of one copy of the last composite child.
    unit_leaves: u32,
    unit_nodes: u32,
    /// Where the last composite child stands; empty where the last item is none.
    unit: usize,
    unit_end: usize,
}

impl List {
    const fn of(left: u32) -> Self {
        Self { left, copies: 0, unit_leaves: 0, unit_nodes: 0, unit: 0, unit_end: 0 }
    }
}

/// An open node of a [`Builder`]; give it back to the same builder with [`Builder::end`], innermost first.
///
/// A builder refuses a frame that is not its innermost; it cannot see that a frame comes from another builder, and then
/// writes what is no treedef.
#[derive(Clone, Copy)]
#[must_use = "a node that is begun has to be ended"]
pub struct Frame {
    // Callers that recurse hold one frame a level, so it is short: what can be read off the bytes is not kept. A matcher has
    // the same frames, so that the walks for both are one.
    /// Where its head stands; to a matcher, where the list outside goes on behind copies.
    pub(crate) start: u32,
    /// Where the composite sibling right before it stands, and where it ends and its copies so far are told; where there is
    /// none, the latter is 0. To a matcher, where the last unit of the list outside stands, and copies still to come.
    pub(crate) unit: u32,
    pub(crate) same: u32,
    /// Children that the node outside still misses.
    pub(crate) left: u32,
    pub(crate) leaves: u32,
    pub(crate) nodes: u32,
    /// The node outside.
    pub(crate) outer: u32,
}

debug_struct!([] Frame { start, leaves, nodes });

impl<'b> Builder<'b> {
    /// Starts a treedef at the front of `bytes`.
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        // No treedef has more bytes, so that offsets fit.
        let most = u32::MAX as usize;
        let len = if bytes.len() > most { most } else { bytes.len() };
        let (bytes, _) = match bytes.split_at_mut_checked(len) {
            Some(parts) => parts,
            None => return Self::new(&mut []),
        };
        Self { bytes, at: 0, run: 0, leaves: 0, nodes: 0, list: List::of(1), open: 0, error: None }
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the open node has fewer children left, [`Error::TooLarge`].
    #[inline]
    pub const fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let done = self.add_leaves(count);
        self.answer(done)
    }

    /// Adds a `None`.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`].
    pub const fn none(&mut self) -> Result<(), Error> {
        let done = self.add_none();
        self.answer(done)
    }

    /// Begins a node with the children that `heading` announces.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`], and what is wrong with the heading's keys.
    #[inline]
    pub fn begin<H: Heading>(&mut self, heading: &H) -> Result<Frame, Error> {
        heading.check()?;
        let frame = self.open();
        let done = self.is_open()
            && heading.pieces(&mut |piece| self.piece(piece)).is_ok()
            && self.enter(heading.arity());
        self.begun(done, frame)
    }

    /// Begins a node whose end is that of the open node; `false`, and nothing is done, if it needs a frame.
    ///
    /// It needs none where it is the last child and no sibling with leaves stands directly before it, which it could repeat.
    pub(crate) fn begin_last<H: Heading>(&mut self, heading: &H) -> Result<bool, Error> {
        let repeats = self.list.unit_end != 0 && self.list.unit_leaves > 0;
        if self.list.left != 1 || repeats || self.open == 0 {
            return Ok(false);
        }
        heading.check()?;
        let done = self.flush()
            && self.count(0, 1)
            && heading.pieces(&mut |piece| self.piece(piece)).is_ok()
            && self.enter(heading.arity());
        self.answer(done).map(|()| true)
    }

    /// Begins a tuple, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    pub const fn begin_tuple(&mut self, children: usize) -> Result<Frame, Error> {
        self.begin_counted(head::TUPLE, children)
    }

    /// Begins a list, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    pub const fn begin_list(&mut self, children: usize) -> Result<Frame, Error> {
        self.begin_counted(head::LIST, children)
    }

    /// Begins a dictionary with string keys in sorted order, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    pub const fn begin_dict(&mut self, keys: &[&str]) -> Result<Frame, Error> {
        if let Err(error) = check_strings(keys) {
            return Err(error);
        }
        let frame = self.open();
        let done = self.is_open()
            && self.put_head(head::DICT, keys.len())
            && self.put_varint(strings_len(keys))
            && self.put_strings(keys)
            && self.enter(keys.len());
        self.begun(done, frame)
    }

    /// Begins a struct without static fields, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    pub const fn begin_struct(&mut self, name: &str, fields: &[&str]) -> Result<Frame, Error> {
        let frame = self.open();
        let done = self.is_open()
            && self.put_head(head::STRUCT, fields.len())
            && self.put_varint(strings_len(&[name]).saturating_add(strings_len(fields)))
            && self.put_strings(&[name])
            && self.put_strings(fields)
            && self.enter(fields.len());
        self.begun(done, frame)
    }

    /// Begins a node with a head that is already encoded, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`]; [`Error::Arity`] for the head of a leaf, which [`Builder::leaves`] adds.
    pub const fn begin_head(&mut self, head: &Head<'_>) -> Result<Frame, Error> {
        if let Err(error) = crate::heading::no_leaf(head) {
            return Err(error);
        }
        self.begin_encoded(head.as_bytes(), head.num_children())
    }

    /// Begins a node whose head has these bytes.
    pub(crate) const fn begin_encoded(
        &mut self,
        head: &[u8],
        children: usize,
    ) -> Result<Frame, Error> {
        let frame = self.open();
        let done = self.is_open() && self.put(head) && self.enter(children);
        self.begun(done, frame)
    }

    /// Ends the node that gave `frame`, and folds it into its predecessor if it repeats it.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if children are missing or another node was begun last, [`Error::Full`], [`Error::TooLarge`].
    #[inline]
    pub const fn end(&mut self, frame: Frame) -> Result<(), Error> {
        let done = self.close(&frame);
        self.answer(done)
    }

    /// Adds `count` more copies of the child that was added last: without writing, comparing or visiting them where it
    /// has leaves.
    ///
    /// # Errors
    ///
    /// As [`Builder::leaves`], and [`Error::Full`].
    pub const fn repeat(&mut self, count: usize) -> Result<(), Error> {
        let done = self.add_copies(count);
        self.answer(done)
    }

    /// Adds a whole treedef as one child.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`].
    pub const fn subtree(&mut self, def: TreeDef<'_>) -> Result<(), Error> {
        self.splice(def, small(def.num_nodes()))
    }

    /// Adds a treedef whose nodes are counted already.
    #[inline]
    pub(crate) const fn splice(&mut self, def: TreeDef<'_>, nodes: u32) -> Result<(), Error> {
        let done = self.add_subtree(def, nodes);
        self.answer(done)
    }

    /// The treedef, complete.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the tree is not complete, [`Error::Full`]. An [`Error::Full`] or [`Error::TooLarge`] of an
    /// earlier event once more, if the caller went on behind it.
    pub const fn finish(mut self) -> Result<TreeDef<'b>, Error> {
        let done = !self.is_spoiled() && self.is_complete() && self.flush();
        if let Err(error) = self.answer(done) {
            return Err(error);
        }
        let bytes: &'b [u8] = self.bytes;
        Ok(TreeDef::trusted(part(bytes, 0, self.at), self.leaves).counted(self.nodes))
    }

    /// The leaves counted so far.
    pub const fn num_leaves(&self) -> usize {
        self.leaves as usize
    }

    /// The bytes written so far.
    pub(crate) const fn len(&self) -> usize {
        self.at
    }

    /// The nodes counted so far.
    pub(crate) const fn num_nodes(&self) -> u32 {
        self.nodes
    }
}

/// The events as they are told by walks: `false` where [`Builder::error`] says what went wrong. A flag is passed on in a
/// register, where a [`Result`] of an [`Error`] is copied from frame to frame.
impl Builder<'_> {
    /// Adds `count` leaves.
    #[inline]
    pub(crate) const fn add_leaves(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        if count > 0 {
            self.run = self.run.wrapping_add(count);
            self.list.unit_end = 0;
        }
        self.count(count, count)
    }

    /// Adds a `None`.
    const fn add_none(&mut self) -> bool {
        let frame = self.open();
        self.is_open() && self.put(Head::NONE.as_bytes()) && self.enter(0) && self.close(&frame)
    }

    /// Ends the node that has this frame.
    pub(crate) const fn close(&mut self, frame: &Frame) -> bool {
        if self.list.left != 0 || self.open != frame.nodes.wrapping_add(1) {
            return self.missing();
        }
        if !self.flush() {
            return false;
        }
        let start = frame.start as usize;
        let leaves = self.leaves.wrapping_sub(frame.leaves);
        self.open = frame.outer;
        self.list = List {
            left: frame.left,
            copies: 0,
            unit_leaves: leaves,
            unit_nodes: self.nodes.wrapping_sub(frame.nodes),
            unit: start,
            unit_end: self.at,
        };
        // A repeat of the sibling stands between its end and this node.
        let (unit, end) = (frame.unit as usize, frame.same as usize);
        if leaves > 0
            && end != 0
            && end.wrapping_sub(unit) == self.at.wrapping_sub(start)
            && fingerprint::equal_words(
                part(self.bytes, unit, end),
                part(self.bytes, start, self.at),
            )
        {
            self.list.unit = unit;
            self.list.unit_end = end;
            self.list.copies = match head::read_count(part(self.bytes, end, start), head::SAME) {
                Some((copies, _)) => copies,
                None => 0,
            };
            return self.put_copies(1);
        }
        true
    }

    /// Whether the child that was added last is a node that can be repeated.
    pub(crate) const fn may_copy(&self) -> bool {
        self.list.unit_end != 0 && self.list.unit_leaves > 0
    }

    /// Adds `count` more copies of it.
    pub(crate) const fn copy(&mut self, count: usize) -> bool {
        let Some(count) = self.take(count) else { return false };
        let leaves = self.list.unit_leaves.checked_mul(count);
        let nodes = self.list.unit_nodes.checked_mul(count);
        match (leaves, nodes) {
            (Some(leaves), Some(nodes)) => {
                self.count(leaves, nodes) && (count == 0 || self.put_copies(count))
            }
            _ => self.too_large(),
        }
    }

    /// Adds `count` more copies of the child that was added last.
    const fn add_copies(&mut self, count: usize) -> bool {
        if self.list.unit_end == 0 {
            return self.add_leaves(count);
        }
        if self.list.unit_leaves == 0 {
            return self.repeat_leafless(count, self.list.unit, self.list.unit_end);
        }
        self.copy(count)
    }

    /// Leafless nodes are never folded: zero-leaf copies would be a bomb.
    const fn repeat_leafless(&mut self, count: usize, unit: usize, end: usize) -> bool {
        let len = end.saturating_sub(unit);
        let Some(copies) = self.take(count) else { return false };
        let Some(needed) = len.checked_mul(copies as usize) else {
            return self.too_large();
        };
        let needed = self.at.saturating_add(needed);
        if needed > u32::MAX as usize {
            return self.too_large();
        }
        let room = self.bytes.len();
        if needed > room {
            return self.fail(Error::Full { needed, room });
        }
        match self.list.unit_nodes.checked_mul(copies) {
            Some(nodes) if self.count(0, nodes) => {}
            _ => return self.too_large(),
        }
        let Some((before, mut free)) = self.bytes.split_at_mut_checked(self.at) else {
            return true;
        };
        let copy = part(before, unit, end);
        let mut left = copies;
        while let Some(fewer) = left.checked_sub(1) {
            left = fewer;
            let Some((target, rest)) = free.split_at_mut_checked(copy.len()) else { return true };
            target.copy_from_slice(copy);
            free = rest;
        }
        self.at = needed;
        true
    }

    /// Adds a treedef of so many nodes.
    const fn add_subtree(&mut self, def: TreeDef<'_>, nodes: u32) -> bool {
        if def.is_leaf() {
            return self.add_leaves(1);
        }
        let frame = self.open();
        // The root is counted already.
        self.is_open()
            && self.put(def.as_bytes())
            && self.count(small(def.num_leaves()), nodes.saturating_sub(1))
            && self.enter(0)
            && self.close(&frame)
    }

    /// Notes what went wrong.
    #[cold]
    #[inline(never)]
    pub(crate) const fn fail(&mut self, error: Error) -> bool {
        if !self.is_spoiled() {
            self.error = Some(error);
        }
        false
    }

    /// What went wrong.
    #[cold]
    pub(crate) const fn error(&self) -> Error {
        match self.error {
            Some(error) => error,
            None => Error::TooLarge,
        }
    }

    /// Whether what was written so far can no longer become a treedef.
    const fn is_spoiled(&self) -> bool {
        matches!(self.error, Some(Error::Full { .. } | Error::TooLarge))
    }

    /// Whether the root and all below it are there.
    const fn is_complete(&mut self) -> bool {
        self.list.left == 0 && self.open == 0 || self.missing()
    }

    #[inline]
    const fn answer(&self, done: bool) -> Result<(), Error> {
        if done { Ok(()) } else { Err(self.error()) }
    }

    #[inline]
    const fn begun(&self, done: bool, frame: Frame) -> Result<Frame, Error> {
        if done { Ok(frame) } else { Err(self.error()) }
    }

    /// What is missing: children, or else the end of a node inside.
    #[cold]
    #[inline(never)]
    const fn missing(&mut self) -> bool {
        let left = self.list.left as usize;
        self.fail(Error::Arity { expected: if left == 0 { 1 } else { left }, found: 0 })
    }

    /// More children come than are missing.
    #[cold]
    #[inline(never)]
    const fn too_many(&mut self, found: usize) -> bool {
        self.fail(Error::Arity { expected: self.list.left as usize, found })
    }

    #[cold]
    #[inline(never)]
    const fn too_large(&mut self) -> bool {
        self.fail(Error::TooLarge)
    }

    /// Takes `count` children from the open node.
    #[inline]
    const fn take(&mut self, count: usize) -> Option<u32> {
        let left = self.list.left;
        if count > left as usize {
            self.too_many(count);
            return None;
        }
        let count = small(count);
        self.list.left = left.wrapping_sub(count);
        Some(count)
    }

    #[inline]
    const fn count(&mut self, leaves: u32, nodes: u32) -> bool {
        match (self.leaves.checked_add(leaves), self.nodes.checked_add(nodes)) {
            (Some(leaves), Some(nodes)) => {
                self.leaves = leaves;
                self.nodes = nodes;
                true
            }
            _ => self.too_large(),
        }
    }

    /// Begins a node; its head follows in pieces, and then [`Builder::enter`].
    pub(crate) const fn open(&mut self) -> Frame {
        if !self.is_spoiled() {
            self.error = None;
        }
        // What has no room now has none for the head either, and there it is seen.
        let _ = self.flush();
        let List { left, unit, unit_end, .. } = self.list;
        let frame = Frame {
            start: small(self.at),
            unit: small(unit),
            same: small(unit_end),
            left: left.wrapping_sub(1),
            leaves: self.leaves,
            nodes: self.nodes,
            outer: self.open,
        };
        if self.take(1).is_some() && self.count(0, 1) {
            self.open = self.nodes;
        }
        frame
    }

    /// Whether the node could be begun.
    #[inline]
    const fn is_open(&self) -> bool {
        self.error.is_none()
    }

    #[inline]
    pub(crate) const fn enter(&mut self, children: usize) -> bool {
        if children > u32::MAX as usize {
            return self.too_large();
        }
        self.list.left = small(children);
        self.list.unit_end = 0;
        true
    }

    const fn begin_counted(&mut self, kind: u8, children: usize) -> Result<Frame, Error> {
        let frame = self.open();
        let done = self.is_open() && self.put_head(kind, children) && self.enter(children);
        self.begun(done, frame)
    }

    #[inline]
    const fn flush(&mut self) -> bool {
        let Some(count) = self.run.checked_sub(1) else { return true };
        self.run = 0;
        self.put_head(head::LEAVES, count as usize)
    }

    /// Writes the repeat behind the last unit anew, with more copies.
    const fn put_copies(&mut self, more: u32) -> bool {
        self.list.copies = self.list.copies.wrapping_add(more);
        self.at = self.list.unit_end;
        self.put_head(head::SAME, self.list.copies.wrapping_sub(1) as usize)
            && self.put_varint(self.list.unit_leaves as usize)
    }

    const fn put_head(&mut self, kind: u8, count: usize) -> bool {
        let Some(more) = count.checked_sub(head::ESCAPE as usize) else {
            // Below 31.
            #[expect(clippy::cast_possible_truncation)]
            let low = count as u8;
            return self.put_byte(kind << 5 | low);
        };
        self.put_byte(kind << 5 | head::ESCAPE) && self.put_varint(more)
    }

    /// Most are one byte, and none is worth the call that copies a slice.
    const fn put_varint(&mut self, mut value: usize) -> bool {
        while value >= 128 {
            let [low, ..] = value.to_le_bytes();
            if !self.put_byte(low | 128) {
                return false;
            }
            value = (value >> 7).wrapping_sub(1);
        }
        let [last, ..] = value.to_le_bytes();
        self.put_byte(last)
    }

    const fn put_byte(&mut self, byte: u8) -> bool {
        if let Some((_, [slot, ..])) = self.bytes.split_at_mut_checked(self.at) {
            *slot = byte;
            self.at = self.at.wrapping_add(1);
            return true;
        }
        self.full(1)
    }

    const fn put_strings(&mut self, mut strings: &[&str]) -> bool {
        while let [first, rest @ ..] = strings {
            if !self.put_varint(first.len()) || !self.put(first.as_bytes()) {
                return false;
            }
            strings = rest;
        }
        true
    }

    #[inline]
    fn piece(&mut self, piece: &[u8]) -> Result<(), ()> {
        if self.put(piece) { Ok(()) } else { Err(()) }
    }

    /// A piece of the head of the node that was opened.
    pub(crate) const fn put_piece(&mut self, piece: &[u8]) -> bool {
        self.is_open() && self.put(piece)
    }

    #[inline]
    const fn put(&mut self, piece: &[u8]) -> bool {
        if let Some((_, free)) = self.bytes.split_at_mut_checked(self.at)
            && let Some((target, _)) = free.split_at_mut_checked(piece.len())
        {
            target.copy_from_slice(piece);
            self.at = self.at.wrapping_add(piece.len());
            return true;
        }
        self.full(piece.len())
    }

    /// There is no room for so many bytes.
    #[cold]
    #[inline(never)]
    const fn full(&mut self, more: usize) -> bool {
        let (needed, room) = (self.at.saturating_add(more), self.bytes.len());
        if needed > u32::MAX as usize {
            return self.too_large();
        }
        self.fail(Error::Full { needed, room })
    }
}

/// The treedef of a builder that was lent out, if it still is the one that writes at `own`: the borrower can have put
/// another one in its place.
pub(crate) fn finish_here(builder: Builder<'_>, own: *const u8) -> Result<TreeDef<'_>, Error> {
    let missing = Error::Arity { expected: 1, found: 0 };
    builder.finish().and_then(|def| match def.as_bytes().as_ptr() == own {
        true => Ok(def),
        false => Err(missing),
    })
}

/// The bytes of a head without a block, and how many of them count.
pub(crate) fn head_len(kind: u8, count: u32) -> ([u8; 6], usize) {
    copies_or_head(kind, count, None)
}

/// The bytes of a repeat, and how many of them count.
pub(crate) fn copies_len(count: u32, leaves: u32) -> ([u8; 11], usize) {
    copies_or_head(head::SAME, count, Some(leaves))
}

fn copies_or_head<const N: usize>(kind: u8, count: u32, leaves: Option<u32>) -> ([u8; N], usize) {
    let mut bytes = [0; N];
    let mut scratch = Builder::new(&mut bytes);
    // The arrays hold the longest head and the longest repeat.
    let _ = scratch.put_head(kind, count as usize);
    if let Some(leaves) = leaves {
        let _ = scratch.put_varint(leaves as usize);
    }
    let len = scratch.at;
    (bytes, len)
}

/// `bytes[from..to]`, empty if out of range.
const fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    match bytes.split_at_checked(to) {
        Some((before, _)) => match before.split_at_checked(from) {
            Some((_, part)) => part,
            None => &[],
        },
        None => &[],
    }
}

/// Counts that were checked to fit before.
const fn small(count: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation)]
    let count = count as u32;
    count
}

/// Bytes that the strings take with their lengths.
const fn strings_len(mut strings: &[&str]) -> usize {
    let mut len = 0usize;
    while let [first, rest @ ..] = strings {
        let count = crate::varint::len(first.len() as u64);
        len = len.saturating_add(count).saturating_add(first.len());
        strings = rest;
    }
    len
}

/// Sees that strings are strictly increasing by their bytes.
const fn check_strings(mut keys: &[&str]) -> Result<(), Error> {
    let mut first = 0u32;
    while let [a, rest @ ..] = keys {
        let second = first.saturating_add(1);
        if let [b, ..] = rest {
            match crate::order::compare(a.as_bytes(), b.as_bytes()) {
                core::cmp::Ordering::Less => {}
                core::cmp::Ordering::Equal => return Err(Error::DuplicateKey { first, second }),
                core::cmp::Ordering::Greater => return Err(Error::UnsortedKeys { first, second }),
            }
        }
        (first, keys) = (second, rest);
    }
    Ok(())
}
