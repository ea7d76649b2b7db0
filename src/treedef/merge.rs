//! Matches the children of two nodes by their names: keys, fields and child keys.
//!
//! There is no memory for all names, so names without an order are searched in blocks of 64: one pass over the names of
//! the other node finds which names of a block it has. `n` names among `m` others cost at most `n * m / 64` reads of a
//! name. Names in the same order on both sides are read once each, without blocks. (Names with equal hashes, chosen on
//! purpose, cost up to `n * m` reads.)
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

/// The number of names in a block: one for each bit of a `u64`.
const BLOCK: usize = 64;

/// How many names ahead is searched for one of two names that changed places.
const NEAR: usize = 16;

/// The names to come on one side, and which of the next ones the other side has.
#[derive(Clone)]
struct Side<I> {
    names: I,
    /// The number of names to come in the block.
    left: usize,
    /// A bit for each of them, the lowest for the next one: whether the other side has the name.
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
        self.passed();
    }

    /// Counts a name that was stepped over.
    const fn passed(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.shared >>= 1;
    }

    /// Whether the next name is among `others`, which are read once for each block, up to the last name of the block.
    fn is_shared(&mut self, others: impl Iterator<Item = KeyEntry<'a>>) -> bool {
        if self.left == 0 {
            self.left = BLOCK;
            self.shared = shared(&self.names, others);
        }
        self.shared & 1 == 1
    }
}

/// Which of the next 64 names are among `others`: a bit for each name, the lowest for the first one.
///
/// The names are in a table by the last bits of their hashes, which takes 0.8 kB of stack.
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
    // If `others` have the order of the names, each is compared with one name, because the search goes on from the last
    // hit.
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
    // `add` never fails, so neither does this.
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
    /// Nodes of one kind and one type name.
    Types,
    /// All nodes, and the content of a `Some` with a node that is not in a `Some`: only the paths of the children
    /// count.
    Paths,
    /// As [`Match::Paths`]. The names of the second that are in another order are not passed over until the first has
    /// no more, because the caller searches for their children.
    Sources,
}

/// Two nodes whose children are matched by their names.
///
/// Sorted names are merged in one pass. Other names are matched in their order. If two names changed places, the names
/// up to the nearer one are passed over, or both if neither is near.
#[derive(Clone)]
pub(crate) struct Merge<'a> {
    first: Side<Entries<'a>>,
    second: Side<Entries<'a>>,
    order: Order,
}

/// Which of two different names is passed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The lesser one.
    Sorted,
    /// The one that the other side lacks, or that is farther from its counterpart.
    Aligned,
    /// The first.
    Searched,
}

/// Which child is next.
pub(crate) enum Next<'a> {
    /// A child that both have.
    Both,
    /// A child of the first with this name, which is not beside a child of the second.
    First(KeyEntry<'a>),
    /// A child of the second with this name, which is not beside a child of the first.
    Second(KeyEntry<'a>),
}

impl<'a> Merge<'a> {
    /// Matches the children of two nodes; `None` with [`Match::Types`] if the types differ, or if only one of the nodes
    /// has names for its children.
    pub(crate) fn of(first: &Head<'a>, second: &Head<'a>, by: Match) -> Option<Self> {
        if by == Match::Types && (!same_name(first, second) || counted(first) || counted(second)) {
            return None;
        }
        let order = match by {
            _ if is_sorted(first) && is_sorted(second) => Order::Sorted,
            Match::Sources => Order::Searched,
            _ => Order::Aligned,
        };
        let (first, second) = (Side::new(first.entries()), Side::new(second.entries()));
        Some(Self { first, second, order })
    }

    /// The index of the next child of the second side.
    pub(crate) const fn second_index(&self) -> u32 {
        self.second.names.index()
    }

    /// Steps over a name of the second side, and returns it.
    pub(crate) fn step_second(&mut self) -> Option<KeyEntry<'a>> {
        self.second.passed();
        self.second.names.next()
    }

    /// Steps over the next names of both, if the two are found equal without decoding them.
    #[inline]
    pub(crate) fn take_same(&mut self) -> bool {
        let same = self.first.names.take_same(&mut self.second.names);
        if same {
            self.first.passed();
            self.second.passed();
        }
        same
    }

    /// Steps over a name of one side or of both; `None` if there are no more names.
    pub(crate) fn next(&mut self) -> Option<Next<'a>> {
        if self.take_same() {
            return Some(Next::Both);
        }
        let (mut first, mut second) = (self.first.names.clone(), self.second.names.clone());
        let next = match (first.next(), second.next()) {
            (None, None) => return None,
            (Some(ours), None) => Next::First(ours),
            (None, Some(theirs)) => Next::Second(theirs),
            (Some(ours), Some(theirs)) if ours == theirs => Next::Both,
            (Some(ours), Some(theirs)) => {
                let first_is_next = match self.order {
                    Order::Sorted => is_before(ours, theirs),
                    Order::Searched => true,
                    Order::Aligned => self.align(ours, theirs),
                };
                if first_is_next { Next::First(ours) } else { Next::Second(theirs) }
            }
        };
        if !matches!(next, Next::Second(_)) {
            self.first.names = first;
            self.first.passed();
        }
        if !matches!(next, Next::First(_)) {
            self.second.names = second;
            self.second.passed();
        }
        Some(next)
    }

    /// Decides which of two different names is passed over; `true` if it is that of the first.
    fn align(&mut self, ours: KeyEntry<'a>, theirs: KeyEntry<'a>) -> bool {
        let (mine, others) = (self.first.names.clone(), self.second.names.clone());
        if !self.first.is_shared(others.clone()) {
            return true;
        }
        if !self.second.is_shared(mine.clone()) {
            return false;
        }
        for (mine, other) in mine.zip(others).take(NEAR) {
            if other == ours {
                return false;
            }
            if mine == theirs {
                return true;
            }
        }
        // Neither is near: the next step passes over the second name.
        self.second.shared &= !1;
        true
    }
}

/// The `names` that `others` lack. One pass over both if they are `sorted`, otherwise one for each block.
pub(crate) fn without<'a, I, J>(names: I, others: J, sorted: bool) -> Without<I, J>
where
    I: Iterator<Item = KeyEntry<'a>> + Clone,
    J: Iterator<Item = KeyEntry<'a>> + Clone,
{
    // `Iterator::count` can overflow.
    let one_more = |count: usize, _| count.saturating_add(1);
    let left = others.size_hint().1.unwrap_or_else(|| others.clone().fold(0, one_more));
    Without { names: Side::new(names), others: Side::new(others.cycle()), left, sorted }
}

/// Names that others lack; from [`without`].
#[derive(Clone)]
pub(crate) struct Without<I, J> {
    names: Side<I>,
    /// The other names in a cycle: the search for a block begins where the last one ended.
    others: Side<Cycle<J>>,
    /// The number of other names; if they are sorted, of those to come.
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
                // A block that was begun is used up first.
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
    one.kind() == other.kind() && one.type_name_bytes() == other.type_name_bytes()
}

/// Whether two nodes of one kind have equal data: meta fields, aux data, default factory.
pub(crate) fn same_data(one: &Head<'_>, other: &Head<'_>) -> bool {
    match one.kind() {
        Kind::Struct => one.names().after_strings() == other.names().after_strings(),
        Kind::Custom => one.aux() == other.aux(),
        Kind::DefaultDict => one.factory() == other.factory(),
        _ => true,
    }
}

/// Whether the children of two nodes that differ have the same names, in the same order. If the names are positions,
/// one of the nodes can have more children.
pub(crate) fn same_children(first: &Head<'_>, second: &Head<'_>, by: Match) -> bool {
    (by != Match::Types || same_name(first, second))
        && match counted(first) && counted(second) {
            // There can be billions of positions, and they are all equal if the first is.
            true => first.entries().next() == second.entries().next(),
            false => {
                first.arity() == second.arity() && {
                    let (mut ours, mut theirs) = (first.entries(), second.entries());
                    while ours.take_same(&mut theirs) {}
                    ours.eq(theirs)
                }
            }
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
