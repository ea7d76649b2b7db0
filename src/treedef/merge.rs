//! The names that two nodes have in common: keys, fields and child keys of their children.
//!
//! There is no memory for all of them, so names without an order are looked for in blocks of 64. One pass over the
//! others says of each name of a block whether they have it. `n` names among `m` others cost `n * m / 64` reads of
//! a name, or less: names that both sides have in one order are read once each, without blocks. (Names that are chosen
//! to have one hash cost up to `n * m` reads.)
//!
//! Of `b, c, d` and `a, b, c, e`:
//!
//! ```text
//! b, a     differ; of the block b, c, d the others have b and c, of the block a, b, c, e the names b and c
//! a        is passed over, because its bit says that the first side does not have it
//! b, c     are on both sides, one beside the other
//! d, e     are passed over
//! ```

use core::cmp::Ordering;
use core::iter::Cycle;

use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Kind};
use crate::format::value::Value;
use crate::treedef::find::counted;

/// The names of a block: a bit of a `u64` for each.
const BLOCK: usize = 64;

/// How far ahead the nearer of two names that changed places is looked for.
const NEAR: usize = 16;

/// The names of one side that are to come, and which of the next ones the other side has.
#[derive(Clone)]
struct Side<I> {
    names: I,
    /// The names of the block that are to come.
    left: usize,
    /// A bit for each of them, the next one's the lowest: whether the other side has the name.
    shared: u64,
}

impl<'a, I: Iterator<Item = KeyEntry<'a>> + Clone> Side<I> {
    const fn new(names: I) -> Self {
        Self { names, left: 0, shared: 0 }
    }

    fn peek(&self) -> Option<KeyEntry<'a>> {
        self.names.clone().next()
    }

    fn step(&mut self) {
        self.names.next();
        self.left = self.left.saturating_sub(1);
        self.shared >>= 1;
    }

    /// Whether the next name is among `others`. They are read for a whole block, and up to the last name of it.
    fn is_shared(&mut self, others: impl Iterator<Item = KeyEntry<'a>>) -> bool {
        if self.left == 0 {
            self.left = BLOCK;
            self.shared = shared(&self.names, others);
        }
        self.shared & 1 == 1
    }
}

/// Which of the next 64 names are among `others`: a bit for each name, the first one's the lowest.
///
/// The names are in a table by the last bits of their hashes: 0.8 kB of stack.
#[inline(never)]
fn shared<'a, I: Iterator<Item = KeyEntry<'a>> + Clone>(
    names: &I,
    others: impl Iterator<Item = KeyEntry<'a>>,
) -> u64 {
    let (mut hashes, mut buckets) = ([0u32; BLOCK], [0u64; BLOCK]);
    let (mut all, mut bit) = (0u64, 1u64);
    for (name, slot) in names.clone().zip(&mut hashes) {
        *slot = hash(name);
        if let Some(bucket) = buckets.get_mut(*slot as usize % BLOCK) {
            *bucket |= bit;
        }
        all |= bit;
        bit <<= 1;
    }
    // Others that come in the order of the names are compared with one name each, and not with all before it.
    let (mut missing, mut rest, mut next) = (all, names.clone(), 0usize);
    for other in others {
        let hash = hash(other);
        let mut alike = buckets.get(hash as usize % BLOCK).map_or(0, |bucket| bucket & missing);
        while alike != 0 {
            let index = alike.trailing_zeros() as usize;
            let bit = 1u64.wrapping_shl(alike.trailing_zeros());
            alike ^= bit;
            if hashes.get(index) != Some(&hash) {
                continue;
            }
            let ahead = index.checked_sub(next).unwrap_or_else(|| {
                rest = names.clone();
                index
            });
            if rest.nth(ahead) == Some(other) {
                missing ^= bit;
            }
            next = index.saturating_add(1);
        }
        if missing == 0 {
            break;
        }
    }
    all ^ missing
}

/// A hash that equal names share: FNV-1a of their bytes.
fn hash(name: KeyEntry<'_>) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
        Ok(())
    };
    // Never an error, as `add` gives none.
    let _ = match name {
        KeyEntry::Attr(text) | KeyEntry::Raw(text) | KeyEntry::Key(Value::Str(text)) => {
            add(text.as_bytes())
        }
        KeyEntry::Key(key) => key.pieces(&mut add),
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => add(&index.to_le_bytes()),
        KeyEntry::Some => Ok(()),
    };
    hash
}

/// Which nodes that differ are compared child by child.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// Nodes of one type, if it names its children or they only differ in data.
    Types,
    /// All nodes, and what is in a `Some` beside what is in none: the paths of the children count and nothing besides.
    Paths,
}

/// Two nodes whose children are matched by their names.
///
/// Sorted names are merged in one pass. Others are matched in the order in which they are: of names that changed places,
/// those up to the nearer one are passed over, or both if neither is near.
#[derive(Clone)]
pub(crate) struct Merge<'a> {
    first: Side<Entries<'a>>,
    second: Side<Entries<'a>>,
    sorted: bool,
}

/// Which child is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// One that both have.
    Both,
    /// One that is passed over in the first.
    First,
    /// One that is passed over in the second.
    Second,
}

impl<'a> Merge<'a> {
    /// Matches the children of two nodes; `None` if they are of different types where those count, or if the children
    /// have positions and no names there.
    pub(crate) fn of(first: &Head<'a>, second: &Head<'a>, by: Match) -> Option<Self> {
        if by == Match::Types && (!same_name(first, second) || counted(first) || counted(second)) {
            return None;
        }
        let sorted = is_sorted(first) && is_sorted(second);
        let (first, second) = (Side::new(first.entries()), Side::new(second.entries()));
        Some(Self { first, second, sorted })
    }

    /// Steps over a name of one side or of both.
    pub(crate) fn next(&mut self) -> Next {
        let next = match (self.first.peek(), self.second.peek()) {
            (_, None) => Next::First,
            (None, _) => Next::Second,
            (Some(ours), Some(theirs)) if ours == theirs => Next::Both,
            (Some(ours), Some(theirs)) if self.sorted => {
                if is_before(ours, theirs) {
                    Next::First
                } else {
                    Next::Second
                }
            }
            (Some(ours), Some(theirs)) => self.align(ours, theirs),
        };
        if next != Next::Second {
            self.first.step();
        }
        if next != Next::First {
            self.second.step();
        }
        next
    }

    /// Which of two names that differ is passed over.
    fn align(&mut self, ours: KeyEntry<'a>, theirs: KeyEntry<'a>) -> Next {
        let (mine, others) = (self.first.names.clone(), self.second.names.clone());
        if !self.first.is_shared(others.clone()) {
            return Next::First;
        }
        if !self.second.is_shared(mine.clone()) {
            return Next::Second;
        }
        for (mine, other) in mine.zip(others).take(NEAR) {
            if other == ours {
                return Next::Second;
            }
            if mine == theirs {
                return Next::First;
            }
        }
        // Then the next step passes over the other one.
        self.second.shared &= !1;
        Next::First
    }
}

/// The names that `others` lack; one pass over both if they are `sorted`, otherwise by blocks.
pub(crate) fn without<'a, I, J>(names: I, others: J, sorted: bool) -> Without<I, J>
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
    J: Iterator<Item = KeyEntry<'a>> + Clone,
{
    // Core's `count` can overflow, and goes through positions one by one.
    let one_more = |count: usize, _| count.saturating_add(1);
    let left = others.size_hint().1.unwrap_or_else(|| others.clone().fold(0, one_more));
    Without { names: Side::new(names), others: Side::new(others.cycle()), left, sorted }
}

/// Names that others lack; from [`without`].
#[derive(Clone)]
pub(crate) struct Without<I, J> {
    names: Side<I>,
    /// The others, again and again: a block is looked for from where the one before it was found.
    others: Side<Cycle<J>>,
    /// The number of others; of sorted ones, of those to come.
    left: usize,
    sorted: bool,
}

impl<'a, I, J> Iterator for Without<I, J>
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
    J: Iterator<Item = KeyEntry<'a>> + Clone,
{
    type Item = KeyEntry<'a>;

    fn next(&mut self) -> Option<KeyEntry<'a>> {
        loop {
            let name = self.names.peek()?;
            let is_next = |other: KeyEntry<'a>| other == name;
            let found = if self.sorted {
                while self.left > 0
                    && self.others.peek().is_some_and(|other| is_before(other, name))
                {
                    self.others.step();
                    self.left = self.left.saturating_sub(1);
                }
                self.left > 0 && self.others.peek().is_some_and(is_next)
            } else if self.names.left == 0 && self.others.peek().is_some_and(is_next) {
                self.others.step();
                true
            } else {
                // A block that was begun is ended first.
                self.names.is_shared(self.others.names.by_ref().take(self.left))
            };
            self.names.step();
            if !found {
                return Some(name);
            }
        }
    }
}

/// Whether two nodes are of one kind and one type name.
pub(crate) fn same_name(one: &Head<'_>, other: &Head<'_>) -> bool {
    one.kind() == other.kind() && one.type_name() == other.type_name()
}

/// Whether two nodes that differ have the same children: equally many, and under the same names.
pub(crate) fn same_children(first: &Head<'_>, second: &Head<'_>, by: Match) -> bool {
    (by == Match::Paths || same_name(first, second))
        && first.arity() == second.arity()
        && match counted(first) && counted(second) {
            // Positions can be billions, and begin alike or differ from the first on.
            true => first.entries().next() == second.entries().next(),
            false => first.entries().eq(second.entries()),
        }
}

/// Whether the names of a node's children increase.
pub(crate) fn is_sorted(head: &Head<'_>) -> bool {
    matches!(head.kind(), Kind::Dict | Kind::DefaultDict) || counted(head)
}

/// Whether a name comes before another in the order of sorted names.
fn is_before(name: KeyEntry<'_>, other: KeyEntry<'_>) -> bool {
    match (name, other) {
        (KeyEntry::Key(key), KeyEntry::Key(other)) => key.compare(other) == Some(Ordering::Less),
        (KeyEntry::FlatIndex(index), KeyEntry::FlatIndex(other))
        | (KeyEntry::Index(index), KeyEntry::Index(other)) => index < other,
        _ => false,
    }
}
