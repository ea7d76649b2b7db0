//! The walk over an object: the structure goes to an encoder, the leaves to where they are kept.
//!
//! A leaf is only counted; the encoder gets a run when something else comes. So a flat list costs what writing its
//! leaves costs.

use core::cmp::Ordering;
use core::iter;
use core::marker::PhantomData;

use crate::base::error::Error;
use crate::dynamic::node::Node;
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object, Open};
use crate::dynamic::rule::Rule;
use crate::dynamic::trail::{Laid, Step, Trail};
use crate::encode::encoder::Encode;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::heading::{DictKind, DictOf, Entry, Heading};
use crate::format::value::Value;

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

/// Keeps leaves in slots; those that have no room are only counted.
#[inline]
pub(crate) fn keep_in<I, T: Keep<I>>(slots: &mut [T]) -> impl FnMut(usize, I) {
    |index, item| {
        if let Some(slot) = slots.get_mut(index) {
            *slot = T::keep(item);
        }
    }
}

/// A walk in progress.
///
/// `leaf` takes each leaf with its index. `AGAIN` says that it may get another leaf under an index that it had before:
/// then leaves are handed over while a node is compared with the sibling before it, and once more if it differs.
pub(crate) struct Walk<'w, E, R, F, const AGAIN: bool> {
    out: &'w mut E,
    rule: &'w mut R,
    leaf: F,
    /// The leaves so far.
    count: usize,
    /// The levels that there may be.
    limit: u32,
}

impl<'w, E: Encode, R, F, const AGAIN: bool> Walk<'w, E, R, F, AGAIN> {
    /// Walks over `object`, the next child of `list`, at most `limit` levels deep, and gives the number of its leaves;
    /// `usize::MAX` says that there are as many or more.
    pub(crate) fn run<O>(
        object: O,
        out: &'w mut E,
        list: &mut E::List,
        rule: &'w mut R,
        leaf: F,
        limit: u32,
    ) -> Result<usize, Error>
    where
        O: Object,
        R: Rule<O>,
        F: FnMut(usize, R::Item),
    {
        let mut walk = Self { out, rule, leaf, count: 0, limit };
        let done = walk.root(object, list);
        if done { Ok(walk.count) } else { Err(walk.out.error(walk.count)) }
    }

    /// Goes over the object that the walk is for.
    #[inline]
    fn root<O>(&mut self, object: O, list: &mut E::List) -> bool
    where
        O: Object,
        R: Rule<O>,
        F: FnMut(usize, R::Item),
    {
        let item = self.rule.whole(object, Trail(None));
        item.map(|item| self.put(item)).is_some() || {
            let (trail, levels) = (R::Trail::from(Trail(None)), self.limit);
            object.__walk(At { walk: self, list, object, trail, levels })
        }
    }

    /// Takes a leaf.
    #[inline]
    fn put<I>(&mut self, item: I)
    where
        F: FnMut(usize, I),
    {
        (self.leaf)(self.count, item);
        self.count = self.count.saturating_add(1);
    }

    /// Goes over a child of `list` that is not known to be a leaf. `before` is the one that was before it.
    ///
    /// For a node of the same structure as the sibling right before it nothing is written or compared as bytes. Looking
    /// in vain costs no more than the smaller of the two, as comparing their bytes does.
    #[inline(always)]
    fn child<O>(
        &mut self,
        child: O,
        before: &mut Option<O>,
        list: &mut E::List,
        trail: R::Trail<'_>,
        levels: u32,
    ) -> bool
    where
        O: Object,
        R: Rule<O>,
        F: FnMut(usize, R::Item),
    {
        if !R::ASKS
            && AGAIN
            && let Some(before) = before.replace(child)
            && let Some(done) = self.copy(child, before, list)
        {
            return done;
        }
        child.__walk(At { walk: self, list, object: child, trail, levels })
    }

    /// Passes a child that is a copy of the sibling `before`; `None` where it is not found to be one.
    #[inline(never)]
    fn copy<O>(&mut self, child: O, before: O, list: &mut E::List) -> Option<bool>
    where
        O: Object,
        R: Rule<O>,
        F: FnMut(usize, R::Item),
    {
        let start = self.count;
        if !self.out.may_copy(list, start) {
            return None;
        }
        let mut branches = 0u32;
        let alike = child.__repeats(before, &mut |object, leaf| match leaf {
            Some(leaf) => self.put(R::leaf(object, leaf)),
            // The node before has as many, and those were counted with a check.
            None => branches = branches.wrapping_add(1),
        });
        if alike {
            return Some(self.out.copy(list, branches, self.count));
        }
        self.count = start;
        None
    }

    /// Begins a node in `list`, behind so many leaves.
    #[inline(always)]
    fn begin<H: Heading>(
        &mut self,
        list: &mut E::List,
        heading: &H,
        leaves: usize,
        levels: u32,
    ) -> Option<E::Node> {
        if !self.out.flush(list, leaves) {
            return None;
        }
        let node = self.out.open(list);
        if levels == 0 {
            self.out.fail(Error::TooDeep { limit: self.limit });
            return None;
        }
        if self.out.head(heading) { Some(node) } else { None }
    }

    /// Begins a dictionary with its keys sorted and notes their order.
    #[inline(never)]
    fn begin_unsorted<'k>(
        &mut self,
        list: &mut E::List,
        keys: impl ExactSizeIterator<Item = Value<'k>>,
        order: &mut [u8; MAX_UNSORTED_KEYS],
        leaves: usize,
        levels: u32,
    ) -> Option<E::Node> {
        // What stands before is told before the keys are looked at.
        if !self.out.flush(list, leaves) {
            return None;
        }
        let (needed, room) = (keys.len(), MAX_UNSORTED_KEYS);
        let mut table = [(Value::None, 0u8); MAX_UNSORTED_KEYS];
        let Some(table) = table.get_mut(..needed) else {
            self.out.fail(Error::TooManyKeys { needed, room });
            return None;
        };
        for ((slot, key), index) in table.iter_mut().zip(keys).zip(0..u8::MAX) {
            *slot = (key, index);
        }
        sort(table);
        for (slot, (_, index)) in order.iter_mut().zip(&*table) {
            *slot = *index;
        }
        let heading = DictOf::new(DictKind::Sorted, table.iter().map(|(key, _)| *key));
        // Also for sinks that take no heads: keys without an order give the leaves none.
        if let Err(error) = heading.check() {
            self.out.fail(as_given(error, order));
            return None;
        }
        self.begin(list, &heading, leaves, levels)
    }

    /// Ends a node of `list`, whose children are `inner`.
    #[inline(always)]
    fn end(&mut self, list: &mut E::List, node: E::Node, inner: &mut E::List) -> bool {
        self.out.flush(inner, self.count) && self.out.close(list, node, self.count)
    }
}

/// An object whose turn it is, and the list that it is in.
pub struct At<'t, 'w, O, E: Encode, R, F, T, const AGAIN: bool> {
    walk: &'t mut Walk<'w, E, R, F, AGAIN>,
    list: &'t mut E::List,
    object: O,
    trail: T,
    levels: u32,
}

impl<O, E, R, F, T, const AGAIN: bool> At<'_, '_, O, E, R, F, T, AGAIN>
where
    T: Laid,
    O: Object,
    E: Encode,
    R: Rule<O>,
    F: FnMut(usize, R::Item),
{
    /// Has the object opened, of a model that has no quicker way.
    #[inline]
    pub(crate) fn open(self) -> bool {
        let Self { walk, list, object, trail, levels } = self;
        let opened = object.open(At { walk: &mut *walk, list, object, trail, levels });
        opened.unwrap_or_else(|error| walk.out.fail(error))
    }

    /// The object is a leaf.
    #[inline]
    pub(crate) fn take(self, leaf: O::Leaf) -> bool {
        self.walk.put(R::leaf(self.object, leaf));
        true
    }

    /// Whether the object, which is `None`, is taken for a leaf.
    #[inline]
    pub(crate) fn takes_none(&mut self) -> bool {
        let item = self.walk.rule.none(self.object);
        item.map(|item| self.walk.put(item)).is_some()
    }

    /// A `None` is never too deep: it may enter one level, its own. Nothing can be inside it.
    #[inline]
    pub(crate) const fn within_none(&mut self) {
        self.levels = 1;
    }

    /// The object is a node. Its children come from the iterator of `first`, and then from those that `more` gives. Where
    /// they are `counted`, they are known to be as many as the heading says.
    #[inline(always)]
    pub(crate) fn enter<H: Heading + Entry, I: Iterator<Item = O>>(
        self,
        heading: &H,
        first: impl FnOnce() -> I,
        mut more: impl FnMut() -> Option<I>,
        counted: bool,
    ) -> bool {
        let Self { walk, list: outer, trail: up, levels, .. } = self;
        let count = walk.count;
        let Some(node) = walk.begin(outer, heading, count, levels) else { return false };
        let mut list = E::list(count);
        let below = levels.wrapping_sub(1);
        let up = up.trail();
        let (mut index, mut before, mut children) = (0u32, None, first());
        loop {
            // The count is in a register on the way over leaves.
            let Walk { rule, leaf: put, count, .. } = &mut *walk;
            let mut leaves = *count;
            let other = children.find(|child| {
                let step = Step { up, node: heading, index };
                index = index.wrapping_add(1);
                let item = rule
                    .whole(*child, Trail(if R::TRAIL { Some(&step) } else { None }))
                    .or_else(|| child.__as_leaf().map(|leaf| R::leaf(*child, leaf)));
                let Some(item) = item else { return true };
                put(leaves, item);
                leaves = leaves.saturating_add(1);
                false
            });
            *count = leaves;
            let Some(child) = other else {
                let Some(next) = more() else { break };
                children = next;
                continue;
            };
            let step = Step { up, node: heading, index: index.wrapping_sub(1) };
            let trail = Trail(if R::TRAIL { Some(&step) } else { None });
            if !walk.child(child, &mut before, &mut list, trail.into(), below) {
                return false;
            }
        }
        if E::HEADS && !counted {
            let (expected, found) = (heading.arity(), index as usize);
            if expected != found {
                return walk.out.fail(Error::Arity { expected, found });
            }
        }
        walk.end(outer, node, &mut list)
    }
}

impl<O, E, R, F, T, const AGAIN: bool> Open<O> for At<'_, '_, O, E, R, F, T, AGAIN>
where
    T: Laid,
    O: Object,
    E: Encode,
    R: Rule<O>,
    F: FnMut(usize, R::Item),
{
    type Output = bool;

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<bool, Error> {
        Ok(self.take(leaf))
    }

    #[inline]
    fn none(mut self) -> Result<bool, Error> {
        if self.takes_none() {
            return Ok(true);
        }
        self.within_none();
        Ok(self.enter(&Head::NONE, iter::empty, || None, true))
    }

    #[inline]
    fn node<H: Heading + Entry>(
        self,
        heading: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        Ok(self.enter(heading, || children.into_iter(), || None, false))
    }

    #[inline]
    fn dict<'k, D, I>(self, entries: I) -> Result<bool, Error>
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        let entries = entries.into_iter();
        Ok(match DictOf::if_sorted(entries.clone().map(key_of)) {
            Some(heading) => self.enter(&heading, || entries.map(child_of), || None, false),
            None => visit_unsorted(self.walk, self.list, entries, self.trail.trail(), self.levels),
        })
    }
}

fn key_of<'k, D: Into<Value<'k>>, O>((key, _): (D, O)) -> Value<'k> {
    key.into()
}

fn child_of<D, O>((_, child): (D, O)) -> O {
    child
}

/// Keys in the order in which a dictionary shows its entries.
struct Written<'k, I>(I, PhantomData<Value<'k>>);

impl<'k, I: Iterator<Item = Value<'k>> + Clone> Entry for Written<'k, I> {
    fn entry(&self, index: u32) -> Option<KeyEntry<'_>> {
        self.0.clone().nth(index as usize).map(KeyEntry::Key)
    }
}

/// Visits the entries of a dictionary in the order of their keys.
///
/// Apart from the others, so that only frames of unsorted dictionaries hold the order.
#[inline(never)]
fn visit_unsorted<'k, O, E, R, F, D, I, const AGAIN: bool>(
    walk: &mut Walk<'_, E, R, F, AGAIN>,
    list: &mut E::List,
    entries: I,
    up: Trail<'_>,
    levels: u32,
) -> bool
where
    O: Object,
    E: Encode,
    R: Rule<O>,
    F: FnMut(usize, R::Item),
    D: Into<Value<'k>> + 'k,
    I: ExactSizeIterator<Item = (D, O)> + Clone,
{
    let mut order = [0u8; MAX_UNSORTED_KEYS];
    let keys = entries.clone().map(key_of);
    let written = Written(keys.clone(), PhantomData);
    let count = walk.count;
    let Some(node) = walk.begin_unsorted(list, keys, &mut order, count, levels) else {
        return false;
    };
    let (mut inner, below) = (E::list(count), levels.wrapping_sub(1));
    let (expected, mut found) = (entries.len(), 0usize);
    for index in order.iter().take(expected) {
        let Some(child) = entries.clone().map(child_of).nth(usize::from(*index)) else { break };
        let step = Step { up, node: &written, index: u32::from(*index) };
        let trail = Trail(if R::TRAIL { Some(&step) } else { None });
        if let Some(item) = walk.rule.whole(child, trail) {
            walk.put(item);
        } else if !walk.child(child, &mut None, &mut inner, trail.into(), below) {
            return false;
        }
        found = found.wrapping_add(1);
    }
    if found != expected {
        return walk.out.fail(Error::Arity { expected, found });
    }
    walk.end(list, node, &mut inner)
}

/// The error about two keys with their indices among the entries as the object gave them, where `order` has these
/// indices in the order of the keys.
fn as_given(error: Error, order: &[u8; MAX_UNSORTED_KEYS]) -> Error {
    let pair = |first: u32, second: u32| {
        let given = |index: u32| order.get(index as usize).map_or(index, |at| u32::from(*at));
        let (first, second) = (given(first), given(second));
        (first.min(second), first.max(second))
    };
    match error {
        Error::DuplicateKey { first, second } => {
            let (first, second) = pair(first, second);
            Error::DuplicateKey { first, second }
        }
        Error::Unordered { first, second } => {
            let (first, second) = pair(first, second);
            Error::Unordered { first, second }
        }
        other => other,
    }
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
