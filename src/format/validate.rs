//! Checks bytes from outside, in one pass without recursion; accepts the canonical form only.
//!
//! A child with children needs a [`Level`] only if siblings follow it, because the next sibling is compared with its
//! bytes. A chain of single children needs none, however deep.

use crate::base::decode_error::{DecodeError, DecodeErrorKind as Fault};
use crate::base::error::Error;
use crate::base::levels::Level;
use crate::format::head::{
    DICT, ESCAPE, EXT, EXT_CUSTOM, EXT_DICT_INT, EXT_NONE, EXT_SOME, Kind, LEAVES, LIST, SAME,
    TUPLE, form_of, kind_of,
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

/// The number of bytes of a treedef, and its leaves and nodes.
pub(crate) type Sizes = (usize, (u32, u32));

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
    if reader.tree().is_none() {
        let at = bytes.len().wrapping_sub(reader.from);
        return Err(DecodeError::new(reader.input.fault, at));
    }
    let len = bytes.len().wrapping_sub(reader.input.rest.len());
    if u32::try_from(len).is_err() {
        return Err(DecodeError::new(Fault::TooLarge, len));
    }
    Ok((len, (reader.leaves, reader.nodes)))
}

/// Reads item after item. If a method returns `None`, [`Input::fault`] says what is wrong, and `from` where.
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
    fn tree(&mut self) -> Option<()> {
        let (mut left, mut unit) = (1u32, Unit::default());
        loop {
            self.from = self.input.rest.len();
            if !unit.bytes.is_empty() && self.input.rest.starts_with(unit.bytes) {
                return self.input.fail(Fault::Unfolded);
            }
            let first = self.input.byte()?;
            let count = self.count(first)?;
            let kind = first >> 5;
            if kind == LEAVES || kind == SAME {
                let stated = if kind == SAME { self.input.number()? } else { 1 };
                let Some(found) = count.checked_add(1) else {
                    return self.input.fail(Fault::TooLarge);
                };
                if kind == LEAVES {
                    // Only the unit of a run of leaves is one node: every other unit has a head and a leaf.
                    if unit.nodes == 1 {
                        return self.input.fail(Fault::AdjacentLeaves);
                    }
                    unit = Unit { bytes: &[], leaves: 1, nodes: 1 };
                } else if unit.leaves == 0 {
                    return self.input.fail(Fault::RepeatWithoutUnit);
                } else if unit.leaves != stated {
                    return self
                        .input
                        .fail(Fault::RepeatLeaves { expected: unit.leaves, found: stated });
                }
                let Some(rest) = left.checked_sub(found) else {
                    return self.input.fail(Fault::TooManyChildren { left, found });
                };
                self.add(unit.leaves, unit.nodes, found)?;
                left = rest;
                unit.leaves = 0;
            } else {
                self.head(first, count)?;
                self.add(0, 1, 1)?;
                (left, unit) = (left.wrapping_sub(1), Unit::default());
                if count > 0 {
                    if left > 0 {
                        self.push(left)?;
                    }
                    left = count;
                }
            }
            // Leaves a list at its end, before the next item is read.
            if left == 0 {
                let Some(depth) = self.depth.checked_sub(1) else { return Some(()) };
                self.depth = depth;
                let Level([start, siblings, leaves, nodes]) = *self.levels.get(depth)?;
                (left, unit) = (siblings, self.unit(start, leaves, nodes));
            }
        }
    }

    /// Pushes a level for the node at `from`, whose head was read and after which `left` siblings follow.
    fn push(&mut self, left: u32) -> Option<()> {
        let start = self.bytes.len().wrapping_sub(self.from);
        let Ok(start) = u32::try_from(start) else { return self.input.fail(Fault::TooLarge) };
        // The head of the child itself is already counted.
        let nodes = self.nodes.wrapping_sub(1);
        let Some(level) = self.levels.get_mut(self.depth) else {
            let limit = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
            return self.input.fail(Fault::TooDeep { limit });
        };
        *level = Level([start, left, self.leaves, nodes]);
        self.depth = self.depth.wrapping_add(1);
        Some(())
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
    fn add(&mut self, leaves: u32, nodes: u32, times: u32) -> Option<()> {
        // The largest product and `old` fit `u64` together.
        let sum = |old: u32, unit: u32| {
            let more = u64::from(unit).wrapping_mul(u64::from(times));
            u32::try_from(more.wrapping_add(u64::from(old)))
        };
        match (sum(self.leaves, leaves), sum(self.nodes, nodes)) {
            (Ok(leaves), Ok(nodes)) => {
                (self.leaves, self.nodes) = (leaves, nodes);
                Some(())
            }
            _ => self.input.fail(Fault::TooLarge),
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
    fn head(&mut self, first: u8, count: u32) -> Option<()> {
        if matches!(first >> 5, TUPLE | LIST) || first == EXT << 5 | EXT_NONE {
            return Some(());
        }
        let len = self.input.number()?;
        // A length that does not fit `usize` is longer than any slice.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let bytes = self.input.take(len)?;
        if first == EXT << 5 | EXT_SOME && count != 1 {
            return self.input.fail(Fault::Arity { found: count });
        }
        let mut block = Block::<PLAIN>::new(bytes);
        let checked = check_block(&mut block, first, count).filter(|()| {
            block.begin();
            block.is_at_end()
        });
        if checked.is_none() {
            self.input.fault = block.input.fault;
            self.from = self.input.rest.len().wrapping_add(block.from);
        }
        checked
    }
}

/// Checks the contents of a block, except that nothing follows them. Not inlined, so that items without a block save fewer
/// registers.
#[inline(never)]
fn check_block<const PLAIN: bool>(
    block: &mut Block<'_, PLAIN>,
    first: u8,
    count: u32,
) -> Option<()> {
    let kind = kind_of(first);
    match kind {
        Kind::Some => return Some(()),
        Kind::Struct => {
            block.names(count)?;
            return record::check_meta(block);
        }
        _ if first >> 5 == DICT => return dict::check_texts(block, count, false),
        // There are no other plain kinds with a block.
        _ if PLAIN => return Some(()),
        Kind::NamedTuple => return block.names(count),
        Kind::Custom => return custom::check(block, count),
        Kind::DefaultDict => block.names(0)?,
        _ => {}
    }
    dict::check_keys(block, form_of(first), count, kind == Kind::OrderedDict)
}
