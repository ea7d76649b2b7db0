//! The walk over an object: the structure goes to a sink, the leaves to where they are kept.
//!
//! A leaf is only counted; the sink hears of a run when something else comes. So a flat list costs what writing its
//! leaves costs.

use core::cmp::Ordering;

use crate::dynamic::node::Node;
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object, Steps, Take};
use crate::dynamic::record::{Hears, Recorder};
use crate::dynamic::rule::Rule;
use crate::dynamic::trail::{Step, Trail};
use crate::error::Error;
use crate::head::Head;
use crate::heading::{DictKind, DictOf, Entry, Heading};
use crate::sink::Depth;
use crate::value::Value;

/// Where the leaves of a walk go.
pub(crate) trait Leaves<I> {
    /// Whether [`Leaves::rewind`] is all that it takes for leaves not to have been.
    const REWINDS: bool;

    /// Takes a leaf.
    fn put(&mut self, item: I);

    /// The leaves so far.
    fn count(&self) -> usize;

    /// Forgets the leaves behind the first `count`.
    fn rewind(&mut self, count: usize);
}

/// What a slot keeps of a leaf: the leaf itself, a copy of what a reference refers to, or the leaf in an `Option`.
///
/// Where the leaves are [`Node`]s, an `Option` of what they hold keeps that, and of any other node `None`.
#[diagnostic::on_unimplemented(
    message = "a slot of type `{Self}` keeps no leaf of type `{I}`",
    label = "slots of this type",
    note = "a leaf `L` goes into slots of `L` or `Option<L>`, a leaf `&L` also, as a copy, into slots of `L`",
    note = "with a predicate or with `None` as a leaf, leaves are objects: those of a `Node<L>` go into slots of `&Node<L>`, \
            `Option<&Node<L>>`, `Node<L>` or `Option<L>`"
)]
pub trait Keep<I>: Sized {
    /// Keeps `item`.
    fn keep(item: I) -> Self;
}

impl<T> Keep<T> for T {
    #[inline]
    fn keep(item: T) -> T {
        item
    }
}

impl<T: Clone> Keep<&T> for T {
    #[inline]
    fn keep(item: &T) -> T {
        item.clone()
    }
}

impl<T> Keep<T> for Option<T> {
    #[inline]
    fn keep(item: T) -> Option<T> {
        Some(item)
    }
}

/// The leaf of a node that is one; of `None`, and of a subtree that a predicate calls a leaf, `None`.
impl<'n, L: Clone> Keep<&'n Node<'n, L>> for Option<L> {
    fn keep(node: &'n Node<'n, L>) -> Self {
        node.as_leaf().cloned()
    }
}

/// Keeps leaves in a slice; those that find no room there are counted.
pub(crate) struct Slots<'s, T> {
    slots: &'s mut [T],
    count: usize,
}

impl<'s, T> Slots<'s, T> {
    pub(crate) const fn new(slots: &'s mut [T]) -> Self {
        Self { slots, count: 0 }
    }
}

impl<I, T: Keep<I>> Leaves<I> for Slots<'_, T> {
    const REWINDS: bool = true;

    #[inline]
    fn put(&mut self, item: I) {
        if let Some(slot) = self.slots.get_mut(self.count) {
            *slot = T::keep(item);
        }
        self.count = self.count.saturating_add(1);
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.count = count;
    }
}

/// Counts leaves.
#[derive(Default)]
pub(crate) struct Counter(usize);

impl<I> Leaves<I> for Counter {
    const REWINDS: bool = true;

    #[inline]
    fn put(&mut self, _: I) {
        self.0 = self.0.saturating_add(1);
    }

    #[inline]
    fn count(&self) -> usize {
        self.0
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.0 = count;
    }
}

/// Shows leaves to a closure and counts them.
pub(crate) struct Each<F> {
    pub(crate) visit: F,
    pub(crate) count: usize,
}

impl<I, F: FnMut(I)> Leaves<I> for Each<F> {
    /// What was shown was seen.
    const REWINDS: bool = false;

    #[inline]
    fn put(&mut self, item: I) {
        self.count = self.count.saturating_add(1);
        (self.visit)(item);
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn rewind(&mut self, count: usize) {
        self.count = count;
    }
}

/// A walk in progress.
pub(crate) struct Walk<'w, S: ?Sized, R, K> {
    sink: &'w mut S,
    rule: &'w mut R,
    leaves: K,
    /// Leaves the sink has heard of.
    told: usize,
    depth: Depth,
}

impl<'w, S: Recorder + Hears + ?Sized, R, K> Walk<'w, S, R, K> {
    /// Walks over `object`, at most so many levels deep, and gives the number of its leaves.
    #[inline(never)]
    pub(crate) fn run<O>(
        object: O,
        sink: &'w mut S,
        rule: &'w mut R,
        leaves: K,
        limit: u32,
    ) -> Result<usize, Error>
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let mut walk = Walk { sink, rule, told: 0, leaves, depth: Depth::new(limit) };
        if walk.child(object, &mut None, Trail(None)) && walk.flush::<R::Item>() {
            // A count that has reached its end may be more.
            return if walk.told < usize::MAX { Ok(walk.told) } else { Err(Error::TooLarge) };
        }
        Err(walk.sink.error())
    }

    /// Goes over a child. `before` is the sibling before it, unless that is a leaf.
    ///
    /// For a node of the same structure as that one nothing is written or compared as bytes. Looking in vain costs no
    /// more than the smaller of the two, as comparing their bytes does.
    #[inline]
    fn child<O>(&mut self, child: O, before: &mut Option<O>, trail: Trail<'_>) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        if let Some(item) = self.rule.whole(child, trail) {
            self.leaves.put(item);
            return true;
        }
        // Without a call: the recursion turns in what is not a leaf.
        if let Some(leaf) = child.__as_leaf() {
            *before = None;
            self.leaves.put(R::leaf(child, leaf));
            return true;
        }
        if !R::ASKS && K::REWINDS {
            let (before, count) = (before.replace(child), self.leaves.count());
            if let Some(before) = before
                && self.sink.may_copy()
            {
                if child.__repeats(before, self) {
                    self.told = self.leaves.count();
                    return self.sink.copy();
                }
                self.leaves.rewind(count);
            }
        }
        child.__tell(At { walk: self, trail })
    }

    /// Begins a node.
    #[inline]
    fn begin<H: Heading>(&mut self, heading: &H) -> bool {
        let check = |()| if S::HEADS { heading.check() } else { Ok(()) };
        if let Err(error) = self.depth.enter().and_then(check) {
            return self.sink.fail(error);
        }
        if !S::HEADS {
            return true;
        }
        let mut piece = |piece: &[u8]| if self.sink.piece(piece) { Ok(()) } else { Err(()) };
        heading.pieces(&mut piece).is_ok() && self.sink.enter(heading.arity())
    }

    /// Begins a dictionary with its keys sorted and notes their order.
    #[inline(never)]
    fn begin_unsorted<'k>(
        &mut self,
        keys: impl ExactSizeIterator<Item = Value<'k>>,
        order: &mut [u8; MAX_UNSORTED_KEYS],
    ) -> bool {
        let (needed, room) = (keys.len(), MAX_UNSORTED_KEYS);
        let mut table = [(Value::None, 0u8); MAX_UNSORTED_KEYS];
        let Some(table) = table.get_mut(..needed) else {
            return self.sink.fail(Error::TooManyKeys { needed, room });
        };
        for ((slot, key), index) in table.iter_mut().zip(keys).zip(0..u8::MAX) {
            *slot = (key, index);
        }
        sort(table);
        for (slot, (_, index)) in order.iter_mut().zip(&*table) {
            *slot = *index;
        }
        self.begin(&DictOf::new(DictKind::Sorted, table.iter().map(|(key, _)| *key)))
    }

    /// Ends the node that was begun.
    #[inline]
    fn end<I>(&mut self, frame: &S::Frame) -> bool
    where
        K: Leaves<I>,
    {
        self.depth.leave();
        self.flush() && self.sink.end(frame)
    }

    #[inline]
    fn flush<I>(&mut self) -> bool
    where
        K: Leaves<I>,
    {
        let count = self.leaves.count();
        let run = count.wrapping_sub(self.told);
        self.told = count;
        run == 0 || self.sink.leaves(run)
    }
}

impl<O, S, R, K> Take<O> for Walk<'_, S, R, K>
where
    O: Object,
    S: ?Sized,
    R: Rule<O>,
    K: Leaves<R::Item>,
{
    #[inline]
    fn take(&mut self, object: O, leaf: O::Leaf) {
        self.leaves.put(R::leaf(object, leaf));
    }
}

/// An object whose turn it is.
struct At<'t, 'w, S: ?Sized, R, K> {
    walk: &'t mut Walk<'w, S, R, K>,
    trail: Trail<'t>,
}

impl<O, S, R, K> Steps<O> for At<'_, '_, S, R, K>
where
    O: Object,
    S: Recorder + Hears + ?Sized,
    R: Rule<O>,
    K: Leaves<R::Item>,
{
    #[inline]
    fn leaf(&mut self, object: O, leaf: O::Leaf) -> bool {
        self.walk.leaves.put(R::leaf(object, leaf));
        true
    }

    /// It is no level: nothing can be inside it.
    #[inline]
    fn none(&mut self, object: O) -> bool {
        let walk = &mut *self.walk;
        if let Some(item) = walk.rule.none(object) {
            walk.leaves.put(item);
            return true;
        }
        if !walk.flush::<R::Item>() {
            return false;
        }
        let frame = walk.sink.open();
        walk.sink.piece(Head::NONE.as_bytes()) && walk.sink.enter(0) && walk.sink.end(&frame)
    }

    #[inline]
    fn node<H: Heading + Entry>(
        &mut self,
        heading: &H,
        children: impl IntoIterator<Item = O>,
    ) -> bool {
        let walk = &mut *self.walk;
        if !walk.flush::<R::Item>() {
            return false;
        }
        let frame = walk.sink.open();
        if !walk.begin(heading) {
            return false;
        }
        let mut step = Step { up: self.trail, node: heading, index: 0 };
        let mut before = None;
        for child in children {
            let trail = Trail(if R::TRAIL { Some(&step) } else { None });
            if !walk.child(child, &mut before, trail) {
                return false;
            }
            step.index = step.index.wrapping_add(1);
        }
        walk.end::<R::Item>(&frame)
    }

    fn dict<'k, D, I>(&mut self, entries: I) -> bool
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        let entries = entries.into_iter();
        let heading = DictOf::new(DictKind::Sorted, entries.clone().map(key_of));
        if heading.is_sorted() {
            self.node(&heading, entries.map(child_of))
        } else {
            visit_unsorted(self.walk, entries, self.trail)
        }
    }

    fn fail(&mut self, error: Error) -> bool {
        self.walk.sink.fail(error)
    }
}

fn key_of<'k, D: Into<Value<'k>>, O>((key, _): (D, O)) -> Value<'k> {
    key.into()
}

fn child_of<D, O>((_, child): (D, O)) -> O {
    child
}

/// Visits the entries of a dictionary in the order of their keys.
///
/// Apart from the others, so that only frames of unsorted dictionaries hold the order.
#[inline(never)]
fn visit_unsorted<'k, O, S, R, K, D, I>(
    walk: &mut Walk<'_, S, R, K>,
    entries: I,
    up: Trail<'_>,
) -> bool
where
    O: Object,
    S: Recorder + Hears + ?Sized,
    R: Rule<O>,
    K: Leaves<R::Item>,
    D: Into<Value<'k>> + 'k,
    I: ExactSizeIterator<Item = (D, O)> + Clone,
{
    let mut order = [0u8; MAX_UNSORTED_KEYS];
    if !walk.flush::<R::Item>() {
        return false;
    }
    let frame = walk.sink.open();
    let written = DictOf::new(DictKind::Ordered, entries.clone().map(key_of));
    if !walk.begin_unsorted(entries.clone().map(key_of), &mut order) {
        return false;
    }
    for index in order.iter().take(entries.len()) {
        let Some(child) = entries.clone().map(child_of).nth(usize::from(*index)) else { break };
        let step = Step { up, node: &written, index: u32::from(*index) };
        if !walk.child(child, &mut None, Trail(if R::TRAIL { Some(&step) } else { None })) {
            return false;
        }
    }
    walk.end::<R::Item>(&frame)
}

/// Sorts by insertion. Keys without an order stay side by side, for the heading to find.
fn sort(table: &mut [(Value<'_>, u8)]) {
    for end in 2..=table.len() {
        let mut rest = table.get_mut(..end).unwrap_or_default();
        while let Some((new, before)) = rest.split_last_mut() {
            let Some(old) = before.last_mut() else { break };
            if old.0.compare(new.0) != Some(Ordering::Greater) {
                break;
            }
            core::mem::swap(old, new);
            rest = before;
        }
    }
}
