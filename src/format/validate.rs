//! Checks bytes from outside, in one pass without recursion; accepts the canonical form only.
//!
//! A child with children needs a [`Level`] only if siblings follow it, because the next sibling is compared with its
//! bytes. A chain of single children needs none, however deep.

use core::cmp::Ordering;

use crate::base::bytes::less;
use crate::base::decode_error::{DecodeError, DecodeErrorKind as Fault};
use crate::base::levels::{self, Level, Levels};
use crate::format::head::{
    ChildKey, DICT, ESCAPE, EXT, EXT_CUSTOM, EXT_DICT_INT, EXT_NONE, EXT_SOME, Kind, LEAVES, LIST,
    SAME, STRUCT, TUPLE, form_of, kind_of,
};
use crate::format::keys::Form;
use crate::format::reader::{Input, is_ascii, is_utf8};
use crate::format::value::Value;

/// The number of lists that may wait in `TreeDef::from_bytes` and other scans; equal on every machine.
///
/// A list waits while one of its children is read that has siblings after it. The room takes 1 kB of stack.
///
/// # Examples
///
/// ```
/// use treedef::TreeDef;
/// use treedef::format::MAX_PENDING;
///
/// /// `((.. ((*, *), *) .., *), *)`, with `LEN / 2` tuples.
/// fn nested<const LEN: usize>() -> [u8; LEN] {
///     let mut bytes = [0x00; LEN];
///     bytes[..LEN / 2].fill(0x22);
///     bytes[LEN / 2] = 0x01;
///     bytes
/// }
///
/// assert!(TreeDef::from_bytes(&nested::<{ 2 * MAX_PENDING }>()).is_ok());
/// assert!(TreeDef::from_bytes(&nested::<{ 2 * MAX_PENDING + 4 }>()).is_err());
/// ```
pub const MAX_PENDING: usize = 64;

/// A stack of waiting lists; it is empty again after a valid treedef.
pub(crate) trait Pending {
    /// The number of levels for which there is room.
    fn room(&self) -> usize;

    /// Pushes a level; `false` if there is no room.
    fn push(&mut self, level: Level) -> bool;

    /// Pops the level that was pushed last.
    fn pop(&mut self) -> Option<Level>;
}

/// Room for `D` levels; none is initialised before it is used.
impl<const D: usize> Pending for Levels<Level, D> {
    fn room(&self) -> usize {
        D
    }

    #[inline]
    fn push(&mut self, level: Level) -> bool {
        Levels::push(self, level).is_ok()
    }

    #[inline]
    fn pop(&mut self) -> Option<Level> {
        Levels::pop(self)
    }
}

/// Room for [`MAX_PENDING`] levels.
#[inline]
pub(crate) fn pending() -> Levels<Level, MAX_PENDING> {
    levels::empty()
}

/// Levels in a slice of the caller.
pub(crate) struct Lent<'l> {
    levels: &'l mut [Level],
    depth: usize,
}

impl<'l> Lent<'l> {
    pub(crate) const fn new(levels: &'l mut [Level]) -> Self {
        Self { levels, depth: 0 }
    }
}

impl Pending for Lent<'_> {
    fn room(&self) -> usize {
        self.levels.len()
    }

    fn push(&mut self, level: Level) -> bool {
        let Some(slot) = self.levels.get_mut(self.depth) else { return false };
        *slot = level;
        self.depth = self.depth.wrapping_add(1);
        true
    }

    fn pop(&mut self) -> Option<Level> {
        self.depth = self.depth.checked_sub(1)?;
        self.levels.get(self.depth).copied()
    }
}

/// Sizes of a validated treedef.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) bytes: usize,
    pub(crate) leaves: u32,
    pub(crate) nodes: u32,
}

/// Validates the treedef at the front of `bytes`: of any kinds, or only of the plain ones.
///
/// `PLAIN` is a const parameter, so that a program that reads only plain kinds has no code for other keys and values.
pub(crate) fn validate<const PLAIN: bool>(
    bytes: &[u8],
    levels: &mut impl Pending,
) -> Result<Sizes, DecodeError> {
    let input = Input { rest: bytes, fault: Fault::Truncated };
    let (behind, from, leaves, nodes) = (0, 0, 0, 0);
    let ascii = false;
    let mut reader =
        Reader::<_, PLAIN> { bytes, input, behind, ascii, from, levels, leaves, nodes };
    if !reader.tree() {
        let from = reader.from.wrapping_add(reader.behind);
        return Err(DecodeError::new(reader.input.fault, bytes.len().wrapping_sub(from)));
    }
    let len = bytes.len().wrapping_sub(reader.input.rest.len());
    if u32::try_from(len).is_err() {
        return Err(DecodeError::new(Fault::TooLarge, len));
    }
    Ok(Sizes { bytes: len, leaves: reader.leaves, nodes: reader.nodes })
}

/// Reads item after item. If a method returns `false` or `None`, [`Input::fault`] says what is wrong, and `from` where.
struct Reader<'a, 'l, L, const PLAIN: bool> {
    bytes: &'a [u8],
    /// The unread bytes of the current block; outside blocks, all unread bytes.
    input: Input<'a>,
    /// Number of bytes after that block.
    behind: usize,
    /// Whether the block is ASCII, so that all text in it is UTF-8.
    ascii: bool,
    /// Where the current item, name, key or value begins, in bytes before the end of `input`.
    from: usize,
    levels: &'l mut L,
    leaves: u32,
    nodes: u32,
}

/// The child before, which a repeat can copy: its bytes, leaves and nodes. No repeat may follow if `leaves` is 0.
#[derive(Clone, Copy, Default)]
struct Unit<'a> {
    bytes: &'a [u8],
    leaves: u32,
    nodes: u32,
}

impl<'a, L: Pending, const PLAIN: bool> Reader<'a, '_, L, PLAIN> {
    /// Reads items until no child is missing.
    fn tree(&mut self) -> bool {
        let (mut left, mut unit) = (1u32, Unit::default());
        loop {
            self.from = self.input.rest.len();
            if !unit.bytes.is_empty() && self.input.rest.starts_with(unit.bytes) {
                return self.fail(Fault::Unfolded);
            }
            let Some(first) = self.input.byte() else { return false };
            let Some(count) = self.count(first) else { return false };
            let kind = first >> 5;
            if kind == LEAVES || kind == SAME {
                let mut stated = 1;
                if kind == SAME {
                    let Some(leaves) = self.input.number() else { return false };
                    stated = leaves;
                }
                let Some(found) = count.checked_add(1) else { return self.fail(Fault::TooLarge) };
                if kind == LEAVES {
                    // Only the unit of a run of leaves is one node: every other unit has a head and a leaf.
                    if unit.nodes == 1 {
                        return self.fail(Fault::AdjacentLeaves);
                    }
                    unit = Unit { bytes: &[], leaves: 1, nodes: 1 };
                } else if unit.leaves == 0 {
                    return self.fail(Fault::RepeatWithoutUnit);
                } else if unit.leaves != stated {
                    return self.fail(Fault::RepeatLeaves { expected: unit.leaves, found: stated });
                }
                let Some(rest) = left.checked_sub(found) else {
                    return self.fail(Fault::TooManyChildren { left, found });
                };
                if !self.add(unit.leaves, unit.nodes, found) {
                    return false;
                }
                left = rest;
                unit.leaves = 0;
            } else {
                if !self.head(first, count) || !self.add(0, 1, 1) {
                    return false;
                }
                (left, unit) = (left.wrapping_sub(1), Unit::default());
                if count > 0 {
                    if left > 0 && !self.push(left) {
                        return false;
                    }
                    left = count;
                }
            }
            // Leaves a list at its end, before the next item is read.
            if left == 0 {
                let Some(Level([start, siblings, leaves, nodes])) = self.levels.pop() else {
                    return true;
                };
                (left, unit) = (siblings, self.unit(start, leaves, nodes));
            }
        }
    }

    /// Pushes a level for the node at `from`, whose head was read and after which `left` siblings follow.
    fn push(&mut self, left: u32) -> bool {
        let start = self.bytes.len().wrapping_sub(self.from);
        let Ok(start) = u32::try_from(start) else { return self.fail(Fault::TooLarge) };
        // The head of the child itself is already counted.
        let nodes = self.nodes.wrapping_sub(1);
        self.levels.push(Level([start, left, self.leaves, nodes])) || {
            let limit = u32::try_from(self.levels.room()).unwrap_or(u32::MAX);
            self.fail(Fault::TooDeep { limit })
        }
    }

    /// The child that began at `start`, after `leaves` leaves and `nodes` nodes, and ends at the position.
    fn unit(&self, start: u32, leaves: u32, nodes: u32) -> Unit<'a> {
        let end = self.bytes.len().wrapping_sub(self.input.rest.len());
        let bytes = self.bytes.get(start as usize..end).unwrap_or(&[]);
        let leaves = self.leaves.wrapping_sub(leaves);
        if leaves == 0 {
            return Unit::default();
        }
        Unit { bytes, leaves, nodes: self.nodes.wrapping_sub(nodes) }
    }

    /// Adds `times` units of `leaves` leaves and `nodes` nodes to the counts.
    fn add(&mut self, leaves: u32, nodes: u32, times: u32) -> bool {
        // The largest product and `old` fit `u64` together.
        let sum = |old: u32, unit: u32| {
            let more = u64::from(unit).wrapping_mul(u64::from(times));
            u32::try_from(more.wrapping_add(u64::from(old)))
        };
        match (sum(self.leaves, leaves), sum(self.nodes, nodes)) {
            (Ok(leaves), Ok(nodes)) => {
                (self.leaves, self.nodes) = (leaves, nodes);
                true
            }
            _ => self.fail(Fault::TooLarge),
        }
    }

    /// The count of the item with this first byte.
    fn count(&mut self, first: u8) -> Option<u32> {
        let (kind, low) = (first >> 5, first & ESCAPE);
        if kind > EXT {
            return self.input.fail(Fault::UnknownKind(kind));
        }
        if kind == EXT {
            return match low {
                EXT_NONE => Some(0),
                EXT_SOME => self.input.number(),
                EXT_DICT_INT..=EXT_CUSTOM if PLAIN => self.input.fail(Fault::NotPlain),
                EXT_DICT_INT..=EXT_CUSTOM => self.input.number(),
                _ => self.input.fail(Fault::UnknownSubkind(low)),
            };
        }
        if low < ESCAPE {
            return Some(u32::from(low));
        }
        match self.input.number()?.checked_add(u32::from(ESCAPE)) {
            None => self.input.fail(Fault::TooLarge),
            count => count,
        }
    }

    /// Checks the rest of a head: the contents of its block.
    fn head(&mut self, first: u8, count: u32) -> bool {
        if matches!(first >> 5, TUPLE | LIST) || first == EXT << 5 | EXT_NONE {
            return true;
        }
        let start = self.from;
        let Some(len) = self.input.number() else { return false };
        // A length that does not fit `usize` is longer than any slice.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let Some(block) = self.input.take(len) else { return false };
        if first == EXT << 5 | EXT_SOME && count != 1 {
            return self.fail(Fault::Arity { found: count });
        }
        let after = core::mem::replace(&mut self.input, Input::new(block)).rest;
        (self.behind, self.ascii) = (after.len(), is_ascii(block));
        if !self.block(first, count) {
            return false;
        }
        self.from = self.input.rest.len();
        if self.from > 0 {
            return false;
        }
        self.input = Input { rest: after, fault: Fault::Truncated };
        (self.behind, self.from) = (0, start);
        true
    }

    /// Checks the contents of a block, except that nothing follows them. Not inlined, so that items without a block
    /// save fewer registers.
    #[inline(never)]
    fn block(&mut self, first: u8, count: u32) -> bool {
        match (first >> 5, first & ESCAPE) {
            (DICT, _) => self.text_keys(count, false),
            (STRUCT, _) => self.names(count) && self.meta_fields(),
            (_, EXT_SOME) => true,
            _ => PLAIN || self.other_block(first, count),
        }
    }

    /// Checks the block of a kind that is not plain.
    fn other_block(&mut self, first: u8, count: u32) -> bool {
        let kind = kind_of(first);
        let fields = if kind == Kind::NamedTuple { count } else { 0 };
        if !matches!(kind, Kind::Dict | Kind::OrderedDict) && !self.names(fields) {
            return false;
        }
        match kind {
            Kind::NamedTuple => true,
            Kind::Custom => self.value() && self.child_keys(count),
            _ => {
                let ordered = kind == Kind::OrderedDict;
                match form_of(first) {
                    Some(form @ (Form::Int | Form::Typed)) => self.keys(form, count, ordered),
                    _ => self.text_keys(count, ordered),
                }
            }
        }
    }

    /// Reads the meta fields of a struct.
    fn meta_fields(&mut self) -> bool {
        while !self.input.rest.is_empty() {
            if PLAIN {
                self.from = self.input.rest.len();
                return self.fail(Fault::NotPlain);
            }
            if !self.names(0) || !self.value() {
                return false;
            }
        }
        true
    }

    /// Reads a value.
    fn value(&mut self) -> bool {
        self.from = self.input.rest.len();
        Value::take(&mut self.input).is_some()
    }

    /// Reads `more + 1` names.
    fn names(&mut self, mut more: u32) -> bool {
        loop {
            self.from = self.input.rest.len();
            if self.text().is_none() {
                return false;
            }
            let Some(left) = more.checked_sub(1) else { return true };
            more = left;
        }
    }

    /// Reads the child keys of a custom node: none, or `count`.
    fn child_keys(&mut self, count: u32) -> bool {
        if self.input.rest.is_empty() {
            return true;
        }
        for _ in 0..count {
            self.from = self.input.rest.len();
            if ChildKey::take(&mut self.input).is_none() {
                return false;
            }
        }
        true
    }

    /// Checks text keys: they increase, unless they are `ordered` by the user.
    fn text_keys(&mut self, count: u32, ordered: bool) -> bool {
        let mut before: &[u8] = &[];
        for second in 0..count {
            self.from = self.input.rest.len();
            let Some(key) = self.text() else { return false };
            // The order of UTF-8 is the order of its bytes.
            if second > 0 && !ordered && !less(before, key) {
                let order = before.cmp(key);
                if order != Ordering::Less {
                    return self.misplaced(second, Some(order));
                }
            }
            before = key;
        }
        true
    }

    /// Checks the keys of a form other than text: the form is needed, and they increase, unless they are `ordered`.
    fn keys(&mut self, form: Form, count: u32, ordered: bool) -> bool {
        let start = self.input.rest.len();
        self.from = start;
        let (mut strings, mut integers) = (true, true);
        let mut before = Value::None;
        for second in 0..count {
            self.from = self.input.rest.len();
            let key = match form {
                Form::Int => self.input.integer().map(Value::Int),
                _ => Value::take(&mut self.input),
            };
            let Some(key) = key else { return false };
            strings &= matches!(key, Value::Str(_));
            integers &= matches!(key, Value::Int(_));
            if second > 0 && !ordered {
                let order = before.compare_read(key);
                if order != Some(Ordering::Less) {
                    return self.misplaced(second, order);
                }
            }
            before = key;
        }
        if count == 0 || form == Form::Typed && (strings || integers) {
            self.from = start;
            return self.fail(Fault::KeyForm);
        }
        true
    }

    /// Notes that the key `second` does not come after the one before, and returns `false`.
    #[cold]
    fn misplaced(&mut self, second: u32, order: Option<Ordering>) -> bool {
        let first = second.wrapping_sub(1);
        self.fail(match order {
            None => Fault::Unordered { first, second },
            Some(Ordering::Equal) => Fault::DuplicateKey { first, second },
            Some(_) => Fault::KeyOrder { first, second },
        })
    }

    /// Reads a length, and that many bytes of UTF-8.
    fn text(&mut self) -> Option<&'a [u8]> {
        let run = self.input.run()?;
        // Values hold a `str`, so core's check is in the program if there are values.
        let utf8 =
            self.ascii || if PLAIN { is_utf8(run) } else { core::str::from_utf8(run).is_ok() };
        if utf8 { Some(run) } else { self.input.fail(Fault::NotUtf8) }
    }

    /// Notes what is wrong and returns `false`.
    fn fail(&mut self, fault: Fault) -> bool {
        self.input.fault = fault;
        false
    }
}
