//! Writes the bytes of a treedef from left to right, or compares them with the expected ones.
//!
//! To *pass* bytes means to write them, or to find that the expected bytes are equal. Both take the same steps, so a
//! program holds the code once. If a treedef is expected, a copy of a node that is not announced is compared with the
//! bytes of that node: the position goes back to them for every copy.
//!
//! - `put` passes the parts of a head;
//! - `receive` implements the encoder.

use core::mem::replace;

use crate::base::bytes::{copy, equal_words};
use crate::base::error::Error;
use crate::base::target::{Never, SMALL_CODE};
use crate::encode::arithmetic::{part, small, sum};
use crate::format::head;
use crate::treedef::treedef::TreeDef;

mod put;
mod receive;

/// A position in the bytes of a treedef. If a method returns `false`, [`Output::error`] says what went wrong.
///
/// If `W` is [`Never`], it never writes; if `E` is, nothing is expected.
#[derive(Debug)]
pub(crate) struct Output<'b, W = (), E = ()> {
    bytes: Bytes<'b, W, E>,
    at: usize,
    /// The number of nodes that were passed, without leaves.
    pub(super) branches: u32,
    /// What went wrong, unless it is a difference to the expected bytes.
    error: Option<Error>,
}

#[derive(Debug)]
enum Bytes<'b, W, E> {
    /// The bytes before the position are written.
    Written(&'b mut [u8], W),
    /// The bytes before the position were compared, and were equal.
    Expected(&'b [u8], E),
}

/// The state of a list of siblings: what precedes the position in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListState {
    /// The number of leaves before the current run of leaves.
    pub(crate) run_start: usize,
    /// Where the node before the position begins.
    pub(crate) unit: u32,
    /// 0 if the child before the position is not a node with leaves. Otherwise, for a writer: where the bytes of that
    /// node end. If a treedef is expected: the number of its copies that follow, plus one, or 0 if none do.
    pub(crate) end: u32,
}

impl ListState {
    /// The state of a list that begins after `run_start` leaves.
    #[inline]
    pub(crate) const fn new(run_start: usize) -> Self {
        Self { run_start, unit: 0, end: 0 }
    }
}

/// The number of leaves and branches of a child, or up to a position. A leaf has no branches.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub(crate) leaves: u32,
    pub(crate) branches: u32,
}

impl Unit {
    pub(crate) const LEAF: Self = Self { leaves: 1, branches: 0 };

    /// Whether these are the counts.
    pub(crate) const fn is(self, branches: u32, leaves: usize) -> bool {
        self.branches == branches && self.leaves as usize == leaves
    }

    /// These counts without others, which are not larger.
    pub(crate) const fn without(self, other: Self) -> Self {
        Self {
            leaves: self.leaves.wrapping_sub(other.leaves),
            branches: self.branches.wrapping_sub(other.branches),
        }
    }
}

/// An output that writes.
pub(crate) type Writer<'b> = Output<'b, (), Never>;

/// An output that compares.
pub(crate) type Comparer<'b> = Output<'b, Never, ()>;

impl<'b, E> Output<'b, (), E> {
    /// Starts to write at the front of `bytes`.
    #[inline]
    pub(crate) const fn written(bytes: &'b mut [u8]) -> Self {
        // No treedef has more bytes, so offsets fit `u32`.
        let most = u32::MAX as usize;
        let len = if bytes.len() > most { most } else { bytes.len() };
        let bytes = match bytes.split_at_mut_checked(len) {
            Some((bytes, _)) => bytes,
            None => &mut [],
        };
        Self::new(Bytes::Written(bytes, ()))
    }
}

impl<'b, W> Output<'b, W, ()> {
    /// Starts to compare with `def`.
    pub(crate) const fn expected(def: TreeDef<'b>) -> Self {
        Self::new(Bytes::Expected(def.as_bytes(), ()))
    }

    /// The output that replaces another one while user code runs. If that code panics and the panic is caught, this one
    /// stays, and no treedef can be finished.
    pub(super) const fn spoiled() -> Self {
        let mut output = Self::new(Bytes::Expected(&[], ()));
        output.error = Some(Error::ValueChanged);
        output
    }
}

impl<'b, W, E> Output<'b, W, E> {
    const fn new(bytes: Bytes<'b, W, E>) -> Self {
        Self { bytes, at: 0, branches: 0, error: None }
    }

    /// The position.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a former position, after `branches` branches.
    pub(super) const fn rewind(&mut self, at: usize, branches: u32) {
        (self.at, self.branches) = (at, branches);
    }

    /// Takes the complete treedef, which has `leaves` leaves.
    #[inline]
    pub(crate) const fn finish(&mut self, leaves: usize) -> Result<TreeDef<'b>, Error> {
        match sum(self.branches, leaves) {
            Some(nodes) => Ok(TreeDef::trusted(self.take_passed(), small(leaves)).counted(nodes)),
            None => Err(Error::TooLarge),
        }
    }

    /// Takes the bytes up to the position.
    #[inline]
    #[expect(clippy::mem_replace_with_default, reason = "`take` is not `const`")]
    pub(super) const fn take_passed(&mut self) -> &'b [u8] {
        let bytes: &'b [u8] = match &mut self.bytes {
            Bytes::Written(bytes, _) => &*replace(bytes, &mut []),
            Bytes::Expected(bytes, _) => replace(bytes, &[]),
        };
        part(bytes, 0, self.at)
    }

    /// The bytes from `at` on.
    const fn from(&self, at: u32) -> &[u8] {
        part(self.all(), at as usize, self.all().len())
    }

    /// All bytes, passed or not.
    const fn all(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Written(bytes, _) => bytes,
            Bytes::Expected(bytes, _) => bytes,
        }
    }

    /// Ends the run of leaves, if there is one, after `leaves` leaves.
    #[inline]
    pub(crate) const fn flush(&mut self, list: &mut ListState, leaves: usize) -> bool {
        let count = leaves.wrapping_sub(list.run_start);
        if count == 0 {
            return true;
        }
        list.run_start = leaves;
        list.end = 0;
        self.put_head(head::LEAVES, count.wrapping_sub(1))
    }

    /// Begins a node and returns its position. Its head follows in pieces, then [`Output::enter`].
    #[inline]
    pub(crate) const fn open(&mut self, list: &mut ListState) -> u32 {
        if let Bytes::Expected(_, _) = self.bytes {
            self.go_to_copy(list);
        }
        small(self.at)
    }

    /// Goes to where the bytes of the next child begin: for an expected copy, to the node that it copies.
    const fn go_to_copy(&mut self, list: &mut ListState) {
        if self.sees_copy(list) {
            list.end = list.end.wrapping_sub(1);
            self.at = list.unit as usize;
        }
    }

    /// Ends the node that begins at `start`, after `leaves` leaves. A writer replaces it by a repeat if it equals the
    /// node before it.
    #[inline]
    pub(crate) const fn close(&mut self, list: &mut ListState, start: u32, leaves: usize) -> bool {
        let own = leaves.wrapping_sub(list.run_start);
        list.run_start = leaves;
        if own == 0 {
            // A node without leaves cannot be repeated.
            (list.unit, list.end) = (start, 0);
            return true;
        }
        let mut end = 1;
        if let Bytes::Written(_, _) = self.bytes {
            // Between the end of the node before and this node there can be a repeat.
            end = small(self.at);
            if list.end != 0 && list.end.wrapping_sub(list.unit) == end.wrapping_sub(start) {
                return self.close_similar(list, start, own);
            }
        } else if list.end != 0 && list.unit == start {
            return self.pass_copies(list);
        }
        (list.unit, list.end) = (start, end);
        true
    }

    /// As [`Output::close`] for a writer, after a node of the same length: apart, so that other nodes save few registers.
    #[inline(never)]
    const fn close_similar(&mut self, list: &mut ListState, start: u32, own: usize) -> bool {
        if let Some((passed, _)) = self.all().split_at_checked(self.at)
            && let Some((passed, node)) = passed.split_at_checked(start as usize)
            && let Some((passed, _)) = passed.split_at_checked(list.end as usize)
            && let Some((_, before)) = passed.split_at_checked(list.unit as usize)
            && equal_words(before, node)
        {
            self.at = start as usize;
            return self.write_copies(list, 1, own);
        }
        (list.unit, list.end) = (start, small(self.at));
        true
    }

    /// The largest number of copies of the node before that can be next, after `leaves` leaves.
    #[inline]
    pub(crate) const fn most_copies(&self, list: &mut ListState, leaves: usize) -> u32 {
        match self.bytes {
            _ if list.run_start != leaves || list.end == 0 => 0,
            Bytes::Written(_, _) => u32::MAX,
            Bytes::Expected(_, _) if self.sees_copy(list) => list.end.wrapping_sub(1),
            Bytes::Expected(_, _) => 0,
        }
    }

    /// Passes a whole treedef, which is not a leaf, with `branches` nodes other than leaves. `leaves` includes its own.
    pub(super) const fn subtree(
        &mut self,
        list: &mut ListState,
        def: TreeDef<'_>,
        branches: u32,
        leaves: usize,
    ) -> bool {
        let start = self.open(list);
        if !self.put(def.as_bytes()) {
            return false;
        }
        self.branches = self.branches.saturating_add(branches);
        self.close(list, start, leaves)
    }

    /// Passes `count` copies of the node before, which has the counts `unit`, or fewer if fewer are expected. Adds the
    /// leaves of those that it passed to `leaves`.
    pub(super) const fn repeat(
        &mut self,
        list: &mut ListState,
        unit: Unit,
        count: u32,
        leaves: &mut u32,
    ) -> bool {
        if unit.leaves == 0 {
            return self.repeat_leafless(list, unit, count);
        }
        let some = self.copies_of(list, count);
        let (Some(own), Some(branches)) =
            (unit.leaves.checked_mul(some), unit.branches.checked_mul(some))
        else {
            return self.fail(Error::TooLarge);
        };
        match (leaves.checked_add(own), self.branches.checked_add(branches)) {
            (Some(sum), Some(branches)) => (*leaves, self.branches) = (sum, branches),
            _ => return self.fail(Error::TooLarge),
        }
        list.run_start = *leaves as usize;
        (some == 0 || self.put_copies(list, some, unit.leaves as usize)) && some == count
    }

    /// Passes copies without leaves. They are never stored as a repeat, because a few bytes could then be any number of
    /// nodes without leaves.
    #[inline(never)]
    const fn repeat_leafless(&mut self, list: &mut ListState, unit: Unit, count: u32) -> bool {
        let end = small(self.at);
        let some = self.put_again(list.unit, end, count);
        self.branches = self.branches.saturating_add(unit.branches.saturating_mul(some));
        // The last copy is now the node before the position.
        list.unit = small(self.at).wrapping_sub(end.wrapping_sub(list.unit));
        some == count
    }

    /// How many of `count` copies of the node before can be next.
    const fn copies_of(&self, list: &mut ListState, count: u32) -> u32 {
        match self.bytes {
            Bytes::Expected(_, _) if !self.sees_copy(list) => 0,
            Bytes::Expected(_, _) if list.end <= count => list.end.wrapping_sub(1),
            _ => count,
        }
    }

    /// Whether a copy of the node before is expected next.
    #[inline]
    const fn sees_copy(&self, list: &mut ListState) -> bool {
        if !SMALL_CODE && list.end == 1 && self.byte_at(self.at) >> 5 != head::SAME {
            list.end = 0;
        }
        list.end != 0 && self.reads_copy(list)
    }

    /// As [`Output::sees_copy`] after a node with leaves. Reads the number of copies at the first one.
    #[inline(never)]
    const fn reads_copy(&self, list: &mut ListState) -> bool {
        if list.end == 1 {
            let (copies, _) = self.count_at(head::SAME);
            list.end = if copies == 0 { 0 } else { copies.saturating_add(1) };
        }
        list.end > 1
    }

    /// Goes on after the repeat of a node, if no copy of it is left.
    #[cfg_attr(target_arch = "arm", inline(never))]
    const fn pass_copies(&mut self, list: &ListState) -> bool {
        if list.end == 1 {
            let (_, leaves) = self.count_at(head::SAME);
            let (_, rest) = self.varint_at(leaves);
            self.at = rest;
        }
        true
    }

    /// The number of leaves or copies in the item at the position, and where its count ends; 0 if the item has another
    /// kind.
    const fn count_at(&self, kind: u8) -> (u32, usize) {
        let here = self.at.wrapping_add(1);
        match self.byte_at(self.at).wrapping_sub(kind << 5) {
            head::ESCAPE => {
                let (more, end) = self.varint_at(here);
                (more.wrapping_add(32), end)
            }
            low if low < head::ESCAPE => ((low as u32).wrapping_add(1), here),
            // Another kind.
            _ => (0, self.at),
        }
    }

    /// The number at a position, and where it ends.
    const fn varint_at(&self, mut at: usize) -> (u32, usize) {
        let (mut value, mut shift, mut more) = (0u32, 0u32, 0u32);
        loop {
            let byte = self.byte_at(at) as u32;
            at = at.wrapping_add(1);
            value = value.wrapping_add((byte & 127).wrapping_add(more).wrapping_shl(shift));
            if byte < 128 {
                return (value, at);
            }
            (shift, more) = (shift.wrapping_add(7), 1);
        }
    }

    /// The byte at a position. After the end, a byte that is neither a run nor a repeat, and that ends a varint.
    #[inline]
    const fn byte_at(&self, at: usize) -> u8 {
        match self.all().split_at_checked(at) {
            Some((_, [byte, ..])) => *byte,
            _ => 0x7F,
        }
    }

    /// Passes `more` copies of the node before, which can be next. Each has `leaves` leaves.
    #[inline]
    const fn put_copies(&mut self, list: &mut ListState, more: u32, leaves: usize) -> bool {
        if let Bytes::Written(_, _) = self.bytes {
            return self.write_copies(list, more, leaves);
        }
        list.end = list.end.wrapping_sub(more);
        self.pass_copies(list)
    }

    /// Passes `more` copies of the node before, each with `leaves` leaves: the position is at the end of that node, or of
    /// the repeat that follows it. There is one repeat for all copies.
    const fn write_copies(&mut self, list: &ListState, more: u32, leaves: usize) -> bool {
        let after = replace(&mut self.at, list.end as usize);
        let mut copies = 0;
        if self.at < after {
            if !SMALL_CODE && self.add_copies(more) {
                self.at = after;
                return true;
            }
            (copies, _) = self.count_at(head::SAME);
        }
        // There are fewer copies than leaves, whose number fits `u32`.
        self.put_head(head::SAME, copies.wrapping_add(more).wrapping_sub(1) as usize)
            && self.put_varint(leaves)
    }

    /// Adds `more` to the number of copies in the repeat at the position, if its lowest digit has room for them.
    const fn add_copies(&mut self, more: u32) -> bool {
        let Bytes::Written(bytes, _) = &mut self.bytes else { return false };
        let Some((_, [first, second, ..])) = bytes.split_at_mut_checked(self.at) else {
            return false;
        };
        let (room, digit) = match *first & head::ESCAPE {
            head::ESCAPE => (!*second & 127, second),
            low => ((head::ESCAPE - 1).wrapping_sub(low), first),
        };
        let fits = more <= room as u32;
        if fits {
            let [more, ..] = more.to_le_bytes();
            *digit = digit.wrapping_add(more);
        }
        fits
    }

    /// Passes one byte.
    pub(crate) const fn put_byte(&mut self, byte: u8) -> bool {
        if self.has_room(1) { self.passes_byte(byte) } else { self.full(1) }
    }

    /// As [`Output::put_byte`], but notes no error.
    #[inline]
    const fn passes_byte(&mut self, byte: u8) -> bool {
        let at = self.at;
        if at >= self.all().len() {
            return false;
        }
        let done = match &mut self.bytes {
            Bytes::Written(bytes, _) => match bytes.split_at_mut_checked(at) {
                Some((_, [slot, ..])) => {
                    *slot = byte;
                    true
                }
                _ => false,
            },
            Bytes::Expected(bytes, _) => {
                matches!(bytes.split_at_checked(at), Some((_, [own, ..])) if *own == byte)
            }
        };
        if done {
            self.at = at.wrapping_add(1);
        }
        done
    }

    /// Passes bytes.
    pub(crate) const fn put(&mut self, piece: &[u8]) -> bool {
        let at = self.at;
        if !self.has_room(piece.len()) {
            return self.full(piece.len());
        }
        let done = match &mut self.bytes {
            Bytes::Written(bytes, _) => {
                if let Some((_, free)) = bytes.split_at_mut_checked(at)
                    && let Some((target, _)) = free.split_at_mut_checked(piece.len())
                {
                    copy(target, piece);
                    true
                } else {
                    false
                }
            }
            Bytes::Expected(bytes, _) => {
                if let Some((_, rest)) = bytes.split_at_checked(at)
                    && let Some((own, _)) = rest.split_at_checked(piece.len())
                {
                    equal_words(own, piece)
                } else {
                    false
                }
            }
        };
        if done {
            self.at = at.wrapping_add(piece.len());
        }
        done
    }

    /// Whether there is room for `more` bytes.
    const fn has_room(&self, more: usize) -> bool {
        match self.all().len().checked_sub(self.at) {
            Some(room) => more <= room,
            None => false,
        }
    }

    /// Passes the bytes `from..to` again, up to `times` times, and returns how many times succeeded.
    const fn put_again(&mut self, from: u32, to: u32, times: u32) -> u32 {
        let (from, to) = (from as usize, to as usize);
        let (len, mut done) = (to.saturating_sub(from), 0u32);
        while done < times {
            let well = match &mut self.bytes {
                Bytes::Written(bytes, _) => {
                    let Some((before, free)) = bytes.split_at_mut_checked(self.at) else { break };
                    let unit = part(before, from, to);
                    match free.split_at_mut_checked(unit.len()) {
                        Some((target, _)) => {
                            copy(target, unit);
                            true
                        }
                        None => false,
                    }
                }
                Bytes::Expected(bytes, _) => {
                    let end = self.at.saturating_add(len);
                    equal_words(part(bytes, self.at, end), part(bytes, from, to))
                }
            };
            if !well {
                let left = times.wrapping_sub(done) as usize;
                self.full(len.saturating_mul(left));
                break;
            }
            self.at = self.at.wrapping_add(len);
            done = done.wrapping_add(1);
        }
        done
    }

    /// Notes that `more` bytes have no room, or are more than are expected.
    #[cold]
    #[inline(never)]
    const fn full(&mut self, more: usize) -> bool {
        if let Bytes::Written(bytes, _) = &self.bytes {
            let (needed, room) = (self.at.saturating_add(more), bytes.len());
            let large = needed > u32::MAX as usize;
            return self.fail(if large { Error::TooLarge } else { Error::Full { room } });
        }
        false
    }

    /// Notes what went wrong. The first [`Error::Full`] or [`Error::TooLarge`] stays, because after it the bytes and
    /// the counters are no longer one structure.
    #[cold]
    #[inline(never)]
    pub(crate) const fn fail(&mut self, error: Error) -> bool {
        if !self.is_spoiled() {
            self.error = Some(error);
        }
        false
    }

    /// The error, after `leaves` leaves.
    #[cold]
    pub(crate) const fn error(&self, leaves: usize) -> Error {
        match self.error {
            Some(error) => error,
            None => Error::Mismatch { node: self.branches.wrapping_add(small(leaves)) },
        }
    }

    /// Whether nothing went wrong.
    #[inline]
    pub(super) const fn is_well(&self) -> bool {
        self.error.is_none()
    }

    /// Whether what was written so far can no longer become a treedef.
    pub(super) const fn is_spoiled(&self) -> bool {
        matches!(self.error, Some(Error::Full { .. } | Error::TooLarge | Error::ValueChanged))
    }

    /// Forgets the error, unless it spoils what was written.
    #[inline]
    pub(super) const fn forgive(&mut self) {
        if !self.is_spoiled() {
            self.error = None;
        }
    }
}
