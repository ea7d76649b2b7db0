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
    /// The first error behind which the bytes and the counters are no longer one structure.
    failed: Option<Error>,
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
    list: List,
    /// Where its head stands; callers that recurse hold one frame a level, so it is short.
    start: u32,
    leaves: u32,
    nodes: u32,
    /// The node outside.
    outer: u32,
}

debug_struct!([] Frame { start, leaves, nodes });

/// `?` for `const fn`.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

impl<'b> Builder<'b> {
    /// Starts a treedef at the front of `bytes`.
    pub const fn new(bytes: &'b mut [u8]) -> Self {
        Self { bytes, at: 0, run: 0, leaves: 0, nodes: 0, list: List::of(1), open: 0, failed: None }
    }

    /// Adds `count` leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the open node has fewer children left, [`Error::TooLarge`].
    #[inline]
    pub const fn leaves(&mut self, count: usize) -> Result<(), Error> {
        let count = attempt!(self.take(count));
        if count > 0 {
            attempt!(self.count(count, count));
            self.run = self.run.wrapping_add(count);
            self.list.unit_end = 0;
        }
        Ok(())
    }

    /// Adds a `None`.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`].
    pub const fn none(&mut self) -> Result<(), Error> {
        let none = attempt!(self.begin_head(&Head::NONE));
        self.end(none)
    }

    /// Begins a node with the children that `heading` announces.
    ///
    /// # Errors
    ///
    /// [`Error::Full`], [`Error::Arity`], [`Error::TooLarge`], and what is wrong with the heading's keys.
    #[inline]
    pub fn begin<H: Heading>(&mut self, heading: &H) -> Result<Frame, Error> {
        heading.check()?;
        let frame = self.open()?;
        heading.pieces(&mut |piece| self.put(piece))?;
        self.enter(heading.arity())?;
        Ok(frame)
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
        self.flush()?;
        self.count(0, 1)?;
        heading.pieces(&mut |piece| self.put(piece))?;
        self.enter(heading.arity())?;
        Ok(true)
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
        attempt!(check_strings(keys));
        let frame = attempt!(self.open());
        attempt!(self.put_head(head::DICT, keys.len()));
        attempt!(self.put_varint(strings_len(keys)));
        attempt!(self.put_strings(keys));
        attempt!(self.enter(keys.len()));
        Ok(frame)
    }

    /// Begins a struct without static fields, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`].
    pub const fn begin_struct(&mut self, name: &str, fields: &[&str]) -> Result<Frame, Error> {
        let frame = attempt!(self.open());
        attempt!(self.put_head(head::STRUCT, fields.len()));
        attempt!(self.put_varint(strings_len(&[name]).saturating_add(strings_len(fields))));
        attempt!(self.put_strings(&[name]));
        attempt!(self.put_strings(fields));
        attempt!(self.enter(fields.len()));
        Ok(frame)
    }

    /// Begins a node with a head that is already encoded, also in `const`.
    ///
    /// # Errors
    ///
    /// As [`Builder::begin`]; [`Error::Arity`] for the head of a leaf, which [`Builder::leaves`] adds.
    pub const fn begin_head(&mut self, head: &Head<'_>) -> Result<Frame, Error> {
        attempt!(crate::heading::no_leaf(head));
        self.begin_encoded(head.as_bytes(), head.num_children())
    }

    /// Begins a node whose head has these bytes.
    pub(crate) const fn begin_encoded(
        &mut self,
        head: &[u8],
        children: usize,
    ) -> Result<Frame, Error> {
        let frame = attempt!(self.open());
        attempt!(self.put(head));
        attempt!(self.enter(children));
        Ok(frame)
    }

    /// Ends the node that gave `frame`, and folds it into its predecessor if it repeats it.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if children are missing or another node was begun last, [`Error::Full`], [`Error::TooLarge`].
    #[inline]
    pub const fn end(&mut self, frame: Frame) -> Result<(), Error> {
        if self.list.left != 0 || self.open != frame.nodes.wrapping_add(1) {
            return Err(self.missing());
        }
        attempt!(self.flush());
        let leaves = self.leaves.wrapping_sub(frame.leaves);
        let nodes = self.nodes.wrapping_sub(frame.nodes);
        let before = frame.list;
        self.list = before;
        self.open = frame.outer;
        if leaves > 0 && before.unit_end != 0 && before.unit_leaves == leaves {
            let old = part(self.bytes, before.unit, before.unit_end);
            let new = part(self.bytes, frame.start as usize, self.at);
            if fingerprint::equal_words(old, new) {
                self.list.copies = self.list.copies.wrapping_add(1);
                return self.put_copies();
            }
        }
        self.list.copies = 0;
        self.list.unit_leaves = leaves;
        self.list.unit_nodes = nodes;
        self.list.unit = frame.start as usize;
        self.list.unit_end = self.at;
        Ok(())
    }

    /// Adds `count` more copies of the child that was added last: without writing, comparing or visiting them where it
    /// has leaves.
    ///
    /// # Errors
    ///
    /// As [`Builder::leaves`], and [`Error::Full`].
    pub const fn repeat(&mut self, count: usize) -> Result<(), Error> {
        if self.list.unit_end == 0 {
            return self.leaves(count);
        }
        let (unit, end) = (self.list.unit, self.list.unit_end);
        if self.list.unit_leaves == 0 {
            return self.repeat_leafless(count, unit, end);
        }
        let count = attempt!(self.take(count));
        if count == 0 {
            return Ok(());
        }
        let leaves = self.list.unit_leaves.checked_mul(count);
        let nodes = self.list.unit_nodes.checked_mul(count);
        match (leaves, nodes) {
            (Some(leaves), Some(nodes)) => attempt!(self.count(leaves, nodes)),
            _ => return Err(self.fail(Error::TooLarge)),
        }
        self.list.copies = self.list.copies.wrapping_add(count);
        self.put_copies()
    }

    /// Leafless nodes are never folded: zero-leaf copies would be a bomb.
    const fn repeat_leafless(
        &mut self,
        count: usize,
        unit: usize,
        end: usize,
    ) -> Result<(), Error> {
        let len = end.saturating_sub(unit);
        let copies = attempt!(self.take(count));
        let Some(needed) = len.checked_mul(copies as usize) else {
            return Err(self.fail(Error::TooLarge));
        };
        let needed = self.at.saturating_add(needed);
        if needed > u32::MAX as usize {
            return Err(self.fail(Error::TooLarge));
        }
        let room = self.bytes.len();
        if needed > room {
            return Err(self.fail(Error::Full { needed, room }));
        }
        match self.list.unit_nodes.checked_mul(copies) {
            Some(nodes) => attempt!(self.count(0, nodes)),
            None => return Err(self.fail(Error::TooLarge)),
        }
        let Some((before, mut free)) = self.bytes.split_at_mut_checked(self.at) else {
            return Ok(());
        };
        let copy = part(before, unit, end);
        let mut left = copies;
        while let Some(fewer) = left.checked_sub(1) {
            left = fewer;
            let Some((target, rest)) = free.split_at_mut_checked(copy.len()) else { return Ok(()) };
            target.copy_from_slice(copy);
            free = rest;
        }
        self.at = needed;
        Ok(())
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
        if def.is_leaf() {
            return self.leaves(1);
        }
        let frame = attempt!(self.open());
        attempt!(self.put(def.as_bytes()));
        // The root is counted already.
        attempt!(self.count(small(def.num_leaves()), nodes.saturating_sub(1)));
        self.list = List::of(0);
        self.end(frame)
    }

    /// The treedef, complete.
    ///
    /// # Errors
    ///
    /// [`Error::Arity`] if the tree is not complete, [`Error::Full`]. An [`Error::Full`] or [`Error::TooLarge`] of an
    /// earlier event once more, if the caller went on behind it.
    pub const fn finish(mut self) -> Result<TreeDef<'b>, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.list.left != 0 || self.open != 0 {
            return Err(self.missing());
        }
        attempt!(self.flush());
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

    /// What is missing: children, or else the end of a node inside.
    #[cold]
    const fn missing(&self) -> Error {
        let left = self.list.left as usize;
        Error::Arity { expected: if left == 0 { 1 } else { left }, found: 0 }
    }

    /// Keeps the first error, so that what was written so far never counts as a treedef.
    #[cold]
    const fn fail(&mut self, error: Error) -> Error {
        if self.failed.is_none() {
            self.failed = Some(error);
        }
        error
    }

    /// Takes `count` children from the open node.
    const fn take(&mut self, count: usize) -> Result<u32, Error> {
        let left = self.list.left;
        if count > left as usize {
            return Err(Error::Arity { expected: left as usize, found: count });
        }
        let count = small(count);
        self.list.left = left.wrapping_sub(count);
        Ok(count)
    }

    const fn count(&mut self, leaves: u32, nodes: u32) -> Result<(), Error> {
        match (self.leaves.checked_add(leaves), self.nodes.checked_add(nodes)) {
            (Some(leaves), Some(nodes)) => {
                self.leaves = leaves;
                self.nodes = nodes;
                Ok(())
            }
            _ => Err(self.fail(Error::TooLarge)),
        }
    }

    /// Flushes the run and notes where a node begins.
    const fn open(&mut self) -> Result<Frame, Error> {
        attempt!(self.take(1));
        attempt!(self.flush());
        let frame = Frame {
            list: self.list,
            start: small(self.at),
            leaves: self.leaves,
            nodes: self.nodes,
            outer: self.open,
        };
        attempt!(self.count(0, 1));
        self.open = self.nodes;
        Ok(frame)
    }

    const fn enter(&mut self, children: usize) -> Result<(), Error> {
        if children > u32::MAX as usize {
            return Err(self.fail(Error::TooLarge));
        }
        self.list = List::of(small(children));
        Ok(())
    }

    const fn begin_counted(&mut self, kind: u8, children: usize) -> Result<Frame, Error> {
        let frame = attempt!(self.open());
        attempt!(self.put_head(kind, children));
        attempt!(self.enter(children));
        Ok(frame)
    }

    const fn flush(&mut self) -> Result<(), Error> {
        let Some(count) = self.run.checked_sub(1) else { return Ok(()) };
        self.run = 0;
        self.put_head(head::LEAVES, count as usize)
    }

    /// Writes the repeat behind the last unit anew.
    const fn put_copies(&mut self) -> Result<(), Error> {
        self.at = self.list.unit_end;
        attempt!(self.put_head(head::SAME, self.list.copies.wrapping_sub(1) as usize));
        self.put_varint(self.list.unit_leaves as usize)
    }

    const fn put_head(&mut self, kind: u8, count: usize) -> Result<(), Error> {
        let Some(more) = count.checked_sub(head::ESCAPE as usize) else {
            // Below 31.
            #[expect(clippy::cast_possible_truncation)]
            let low = count as u8;
            return self.put_byte(kind << 5 | low);
        };
        attempt!(self.put_byte(kind << 5 | head::ESCAPE));
        self.put_varint(more)
    }

    /// Most are one byte, and none is worth the call that copies a slice.
    const fn put_varint(&mut self, mut value: usize) -> Result<(), Error> {
        while value >= 128 {
            let [low, ..] = value.to_le_bytes();
            attempt!(self.put_byte(low | 128));
            value = (value >> 7).wrapping_sub(1);
        }
        let [last, ..] = value.to_le_bytes();
        self.put_byte(last)
    }

    #[inline]
    const fn put_byte(&mut self, byte: u8) -> Result<(), Error> {
        let room = self.bytes.len();
        if self.at < u32::MAX as usize
            && let Some((_, [slot, ..])) = self.bytes.split_at_mut_checked(self.at)
        {
            *slot = byte;
            self.at = self.at.wrapping_add(1);
            return Ok(());
        }
        Err(self.fail(Error::Full { needed: self.at.saturating_add(1), room }))
    }

    const fn put_strings(&mut self, mut strings: &[&str]) -> Result<(), Error> {
        while let [first, rest @ ..] = strings {
            attempt!(self.put_varint(first.len()));
            attempt!(self.put(first.as_bytes()));
            strings = rest;
        }
        Ok(())
    }

    #[inline]
    const fn put(&mut self, piece: &[u8]) -> Result<(), Error> {
        let Some(end) = self.at.checked_add(piece.len()) else {
            return Err(self.fail(Error::TooLarge));
        };
        if end > u32::MAX as usize {
            return Err(self.fail(Error::TooLarge));
        }
        let room = self.bytes.len();
        if let Some((_, free)) = self.bytes.split_at_mut_checked(self.at)
            && let Some((target, _)) = free.split_at_mut_checked(piece.len())
        {
            target.copy_from_slice(piece);
            self.at = end;
            return Ok(());
        }
        Err(self.fail(Error::Full { needed: end, room }))
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
