//! Checks bytes from outside, in one pass without recursion; accepts the canonical form only.
//!
//! A child with children needs a [`Level`] only if siblings follow it, because the next sibling is compared with its
//! bytes. A chain of single children needs none, however deep.

use crate::base::decode_error::{DecodeError, DecodeErrorKind as Fault};
use crate::base::error::Error;
use crate::base::levels::Level;
use crate::format::head::{
    DICT, ESCAPE, EXT, EXT_CUSTOM, EXT_DICT_INT, EXT_NONE, EXT_SOME, Kind, LEAVES, LIST, SAME,
    STRUCT, TUPLE, form_of, kind_of,
};
use crate::format::heading::block::Block;
use crate::format::heading::{custom, dict, record};
use crate::format::reader::Input;

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

/// The error of scans in which more lists wait.
#[expect(clippy::cast_possible_truncation, reason = "it is 64")]
pub(crate) const TOO_MANY_PENDING: Error = Error::TooDeep { limit: MAX_PENDING as u32 };

/// Enough levels for nearly all treedefs. They are cleared first, which takes longer than most treedefs.
const FEW: usize = 8;

/// Calls `check` with room for a few waiting lists, and if they are more, again with room for [`MAX_PENDING`].
pub(crate) fn with_pending<T>(
    check: impl Fn(&mut [Level]) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    match check(&mut [Level::default(); FEW]) {
        Err(error) if matches!(error.kind(), Fault::TooDeep { .. }) => with_all_pending(check),
        checked => checked,
    }
}

// Not inlined, so that the room is no part of the usual frame.
#[cold]
#[inline(never)]
fn with_all_pending<T>(
    check: impl Fn(&mut [Level]) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    check(&mut [Level::default(); MAX_PENDING])
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
#[inline(never)]
pub(crate) fn validate<const PLAIN: bool>(
    bytes: &[u8],
    levels: &mut [Level],
) -> Result<Sizes, DecodeError> {
    let input = Input { rest: bytes, fault: Fault::Truncated };
    let (from, depth, leaves, nodes) = (0, 0, 0, 0);
    let mut reader = Reader::<PLAIN> { bytes, input, from, levels, depth, leaves, nodes };
    if !reader.tree() {
        let at = bytes.len().wrapping_sub(reader.from);
        return Err(DecodeError::new(reader.input.fault, at));
    }
    let len = bytes.len().wrapping_sub(reader.input.rest.len());
    if u32::try_from(len).is_err() {
        return Err(DecodeError::new(Fault::TooLarge, len));
    }
    Ok(Sizes { bytes: len, leaves: reader.leaves, nodes: reader.nodes })
}

/// Reads item after item. If a method returns `false` or `None`, [`Input::fault`] says what is wrong, and `from` where.
struct Reader<'a, 'l, const PLAIN: bool> {
    bytes: &'a [u8],
    /// The unread bytes.
    input: Input<'a>,
    /// Where the current item, or what is wrong in its block, begins, in bytes before the end.
    from: usize,
    /// The waiting lists, of which there are `depth`.
    levels: &'l mut [Level],
    depth: usize,
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

impl<'a, const PLAIN: bool> Reader<'a, '_, PLAIN> {
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
                let Some(depth) = self.depth.checked_sub(1) else { return true };
                self.depth = depth;
                let Some(Level([start, siblings, leaves, nodes])) = self.levels.get(depth).copied()
                else {
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
        let Some(level) = self.levels.get_mut(self.depth) else {
            let limit = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
            return self.fail(Fault::TooDeep { limit });
        };
        *level = Level([start, left, self.leaves, nodes]);
        self.depth = self.depth.wrapping_add(1);
        true
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
        let Some(len) = self.input.number() else { return false };
        // A length that does not fit `usize` is longer than any slice.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let Some(bytes) = self.input.take(len) else { return false };
        if first == EXT << 5 | EXT_SOME && count != 1 {
            return self.fail(Fault::Arity { found: count });
        }
        let mut block = Block::new(bytes);
        let is_valid = check_block::<PLAIN>(&mut block, first, count) && {
            block.begin();
            block.is_at_end()
        };
        if !is_valid {
            self.input.fault = block.input.fault;
            self.from = self.input.rest.len().wrapping_add(block.from);
        }
        is_valid
    }

    /// Notes what is wrong and returns `false`.
    fn fail(&mut self, fault: Fault) -> bool {
        self.input.fault = fault;
        false
    }
}

/// Checks the contents of a block, except that nothing follows them. Not inlined, so that items without a block save fewer
/// registers.
#[inline(never)]
fn check_block<const PLAIN: bool>(block: &mut Block<'_, PLAIN>, first: u8, count: u32) -> bool {
    match (first >> 5, first & ESCAPE) {
        (DICT, _) => dict::check_texts(block, count, false),
        (STRUCT, _) => block.names(count) && record::check_meta(block),
        (_, EXT_SOME) => true,
        _ => PLAIN || check_other_block(block, first, count),
    }
}

/// Checks the contents of a block of a kind that is not plain.
fn check_other_block<const PLAIN: bool>(
    block: &mut Block<'_, PLAIN>,
    first: u8,
    count: u32,
) -> bool {
    let kind = kind_of(first);
    match kind {
        Kind::NamedTuple => block.names(count),
        Kind::Custom => custom::check(block, count),
        _ if kind == Kind::DefaultDict && !block.names(0) => false,
        _ => dict::check_keys(block, form_of(first), count, kind == Kind::OrderedDict),
    }
}
