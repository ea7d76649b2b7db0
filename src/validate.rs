//! Checks bytes from outside: one pass, no recursion, canonical form only.
//!
//! A composite child needs a [`Level`] only while more siblings follow it, because its end then has to be compared
//! with what stands behind it. A chain of single children, however deep, needs none.

use core::cmp::Ordering;

use crate::error::{DecodeError, DecodeErrorKind as Fault};
use crate::head::{ChildKey, Form, Head, Item, Keys, Kind, read_item};
use crate::show::debug_struct;
use crate::value::{Value, read_str};

/// The levels that `TreeDef::from_bytes` has room for; equal on every machine.
///
/// Counted are only lists that wait for the end of a child with more siblings to come. It takes 1 kB of stack.
pub const MAX_PENDING: usize = 64;

/// One pending level of a reader: 16 bytes.
///
/// `TreeDef::from_bytes_with` takes a slice of them for treedefs of any depth; `Level::default()` fills it.
#[derive(Clone, Copy, Default)]
pub struct Level {
    start: u32,
    left: u32,
    leaves: u32,
    nodes: u32,
}

debug_struct!([] Level { start, left, leaves, nodes });

/// Sizes of a validated treedef.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) bytes: usize,
    pub(crate) leaves: u32,
    pub(crate) nodes: u32,
}

/// Validates the treedef at the front of `bytes`.
pub(crate) fn validate(bytes: &[u8], levels: &mut [Level]) -> Result<Sizes, DecodeError> {
    let mut reader = Reader { bytes, rest: bytes, levels, depth: 0, leaves: 0, nodes: 0 };
    reader.run()?;
    let len = reader.at();
    if u32::try_from(len).is_err() {
        return Err(DecodeError::new(Fault::TooLarge, len));
    }
    Ok(Sizes { bytes: len, leaves: reader.leaves, nodes: reader.nodes })
}

struct Reader<'a, 'l> {
    bytes: &'a [u8],
    rest: &'a [u8],
    levels: &'l mut [Level],
    depth: usize,
    leaves: u32,
    nodes: u32,
}

impl<'a> Reader<'a, '_> {
    fn at(&self) -> usize {
        self.bytes.len().saturating_sub(self.rest.len())
    }

    fn fault(&self, kind: Fault) -> DecodeError {
        DecodeError::new(kind, self.at())
    }

    fn run(&mut self) -> Result<(), DecodeError> {
        let mut left = 1u32;
        let mut after_leaves = false;
        loop {
            let (item, rest) = read_item(self.rest).map_err(|kind| self.fault(kind))?;
            match item {
                Item::Leaves(count) => {
                    if after_leaves {
                        return Err(self.fault(Fault::AdjacentLeaves));
                    }
                    let Some(rest_left) = left.checked_sub(count) else {
                        return Err(self.fault(Fault::TooManyChildren { left, found: count }));
                    };
                    self.add(count, count, 1)?;
                    left = rest_left;
                    after_leaves = true;
                    self.rest = rest;
                }
                Item::Same { .. } => return Err(self.fault(Fault::RepeatWithoutUnit)),
                Item::Node(head) => {
                    check_head(&head, self.at())?;
                    let start = self.at();
                    self.add(0, 1, 1)?;
                    self.rest = rest;
                    // A list that has ended is left before the next item is read.
                    left = left.wrapping_sub(1);
                    after_leaves = false;
                    if head.arity() > 0 {
                        if left > 0 {
                            self.push(start, left)?;
                        }
                        left = head.arity();
                        continue;
                    }
                }
            }
            while left == 0 {
                let Some(up) = self.depth.checked_sub(1) else { return Ok(()) };
                self.depth = up;
                let level = self.levels.get(up).copied().unwrap_or_default();
                left = self.end_of_child(level)?;
                after_leaves = false;
            }
        }
    }

    fn push(&mut self, start: usize, left: u32) -> Result<(), DecodeError> {
        let limit = u32::try_from(self.levels.len()).unwrap_or(u32::MAX);
        let at = DecodeError::new(Fault::TooDeep { limit }, start);
        let start = u32::try_from(start).map_err(|_| self.fault(Fault::TooLarge))?;
        let slot = self.levels.get_mut(self.depth).ok_or(at)?;
        // The child's own head is already counted as one node.
        *slot = Level { start, left, leaves: self.leaves, nodes: self.nodes.saturating_sub(1) };
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// A child with more siblings to come has ended: reads its repeats and sees that the next item is another one.
    /// Gives the number of children still missing.
    fn end_of_child(&mut self, level: Level) -> Result<u32, DecodeError> {
        let leaves = self.leaves.saturating_sub(level.leaves);
        if leaves == 0 {
            return Ok(level.left);
        }
        let unit = self.bytes.get(level.start as usize..self.at()).unwrap_or(&[]);
        let mut left = level.left;
        if let Ok((Item::Same { copies, leaves: stated }, rest)) = read_item(self.rest) {
            if stated != leaves {
                let kind = Fault::RepeatLeaves { expected: leaves, found: stated };
                return Err(self.fault(kind));
            }
            left = left
                .checked_sub(copies)
                .ok_or_else(|| self.fault(Fault::TooManyChildren { left, found: copies }))?;
            self.add(leaves, self.nodes.saturating_sub(level.nodes), copies)?;
            self.rest = rest;
        }
        if left > 0 && self.rest.starts_with(unit) {
            return Err(self.fault(Fault::Unfolded));
        }
        Ok(left)
    }

    /// Counts `times` units of so many leaves and nodes.
    fn add(&mut self, leaves: u32, nodes: u32, times: u32) -> Result<(), DecodeError> {
        let sum = |old: u32, unit: u32| old.checked_add(unit.checked_mul(times)?);
        match (sum(self.leaves, leaves), sum(self.nodes, nodes)) {
            (Some(leaves), Some(nodes)) => {
                (self.leaves, self.nodes) = (leaves, nodes);
                Ok(())
            }
            _ => Err(self.fault(Fault::TooLarge)),
        }
    }
}

/// Checks what stands in a head's block; `at` is the head's offset, for errors.
fn check_head(head: &Head<'_>, at: usize) -> Result<(), DecodeError> {
    let block = Block { start: head.block(), at: at.saturating_add(head.block_offset()) };
    let rest = match head.kind() {
        Kind::Leaf | Kind::None | Kind::Tuple | Kind::List => return Ok(()),
        Kind::Some if head.arity() != 1 => {
            return Err(DecodeError::new(Fault::Arity { found: head.arity() }, at));
        }
        Kind::Some => block.start,
        Kind::Dict | Kind::OrderedDict => block.keys(head)?,
        Kind::DefaultDict => {
            block.str(block.start)?;
            block.keys(head)?
        }
        Kind::NamedTuple => block.names(head.arity(), block.str(block.start)?)?,
        Kind::Struct => {
            let mut rest = block.names(head.arity(), block.str(block.start)?)?;
            while !rest.is_empty() {
                rest = block.value(block.str(rest)?)?;
            }
            rest
        }
        Kind::Custom => block.child_keys(head.arity(), block.value(block.str(block.start)?)?)?,
    };
    if rest.is_empty() { Ok(()) } else { Err(block.fault(Fault::BlockLength, rest)) }
}

/// The payload of a block and its offset in the treedef.
#[derive(Clone, Copy)]
struct Block<'a> {
    start: &'a [u8],
    at: usize,
}

impl<'a> Block<'a> {
    /// A fault at the place where `rest` begins.
    fn fault(&self, kind: Fault, rest: &[u8]) -> DecodeError {
        let read = self.start.len().saturating_sub(rest.len());
        DecodeError::new(kind, self.at.saturating_add(read))
    }

    fn str(&self, rest: &'a [u8]) -> Result<&'a [u8], DecodeError> {
        read_str(rest).map(|(_, rest)| rest).map_err(|fault| self.fault(fault.into(), rest))
    }

    fn value(&self, rest: &'a [u8]) -> Result<&'a [u8], DecodeError> {
        Value::read(rest).map(|(_, rest)| rest).map_err(|fault| self.fault(fault.into(), rest))
    }

    fn names(&self, count: u32, mut rest: &'a [u8]) -> Result<&'a [u8], DecodeError> {
        for _ in 0..count {
            rest = self.str(rest)?;
        }
        Ok(rest)
    }

    fn child_keys(&self, count: u32, mut rest: &'a [u8]) -> Result<&'a [u8], DecodeError> {
        // No keys, or one for each child.
        if !rest.is_empty() {
            for _ in 0..count {
                rest = ChildKey::read(rest).map_err(|fault| self.fault(fault, rest))?.1;
            }
        }
        Ok(rest)
    }

    /// Checks the keys of a dictionary: their form, their order or distinctness.
    fn keys(&self, head: &Head<'a>) -> Result<&'a [u8], DecodeError> {
        let all = head.keys();
        let form = head.form().unwrap_or(Form::Str);
        if head.arity() == 0 && form != Form::Str {
            return Err(self.fault(Fault::KeyForm, all.rest()));
        }
        let ordered = head.kind() == Kind::OrderedDict;
        let mut keys = all.clone();
        let (mut strings, mut integers, mut sorted) = (true, true, true);
        let mut before: Option<Value<'a>> = None;
        for second in 0..head.arity() {
            let at = keys.rest();
            let key = keys.read().map_err(|fault| self.fault(fault.into(), at))?;
            strings &= matches!(key, Value::Str(_));
            integers &= matches!(key, Value::Int(_));
            if let Some(before) = before {
                let first = second.saturating_sub(1);
                let order = before.compare(key);
                sorted &= order == Some(Ordering::Less);
                if !ordered && !sorted {
                    let kind = match order {
                        None => Fault::Unordered { first, second },
                        Some(Ordering::Equal) => Fault::DuplicateKey { first, second },
                        Some(_) => Fault::KeyOrder { first, second },
                    };
                    return Err(self.fault(kind, at));
                }
            }
            before = Some(key);
        }
        if form == Form::Typed && (strings || integers) {
            return Err(self.fault(Fault::KeyForm, all.rest()));
        }
        if !sorted {
            self.distinct(all, head.arity())?;
        }
        Ok(keys.rest())
    }

    /// Sees that no two keys of an ordered dictionary are equal.
    ///
    /// Keys that are not increasing cost n^2 / 2 comparisons: there is no memory to sort in.
    fn distinct(&self, all: Keys<'a>, count: u32) -> Result<(), DecodeError> {
        let mut keys = all.clone();
        for second in 0..count {
            let at = keys.rest();
            let Some(key) = keys.next() else { break };
            let mut earlier = (0..second).zip(all.clone());
            if let Some((first, _)) = earlier.find(|(_, other)| other.same_key(key)) {
                return Err(self.fault(Fault::DuplicateKey { first, second }, at));
            }
        }
        Ok(())
    }
}
