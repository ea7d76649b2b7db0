//! Walks over an object: describes its structure to a writer and gives its leaves to a receiver.
//!
//! Leaves are only counted during the walk. The writer gets them as one run at the next node, so a flat list costs
//! little more than writing its leaves.

use core::iter;
use core::marker::PhantomData;

use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::dynamic::leaves::Leaves;
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object, Open};
use crate::dynamic::rule::Rule;
use crate::dynamic::sort::{as_given, sort};
#[cfg(feature = "alloc")]
use crate::dynamic::sort_on_heap::visit_on_heap;
use crate::dynamic::trail::{Step, Trail};
use crate::encode::writer::Writer;
use crate::format::entry::KeyEntry;
use crate::format::heading::{self, DictKind, Entry, HeadSpec};
use crate::format::value::Value;

/// A walk in progress. What goes wrong is kept by the writer.
pub(crate) struct Walk<'w, 'b, R, K> {
    pub(super) out: &'w mut Writer<'b>,
    rule: &'w mut R,
    pub(super) leaves: K,
    /// The number of leaves in the writer before the walk.
    before: usize,
    /// The number of nodes, without leaves, in a child that may repeat its previous sibling.
    branches: u32,
    /// Whether the walk met a dictionary with unsorted keys. Then the entries of two objects can be equal and in another
    /// order than their leaves, so objects are no more compared.
    pub(super) unsorted: bool,
}

impl<'w, 'b, R, K> Walk<'w, 'b, R, K> {
    /// Walks over `object`, the next child in `out`, at most `limit` levels deep, and returns the number of its leaves.
    #[cfg_attr(target_arch = "arm", inline(never))]
    pub(crate) fn run<O>(
        object: O,
        out: &'w mut Writer<'b>,
        rule: &'w mut R,
        leaves: K,
        limit: u32,
    ) -> usize
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let (before, levels) = (out.num_leaves(), out.allow(limit));
        let mut walk = Walk { out, rule, leaves, before, branches: 0, unsorted: false };
        match walk.rule.whole(object, Trail(None)) {
            Some(item) => walk.leaves.put(item),
            None => {
                object.__walk(At { walk: &mut walk, trail: Trail(None) });
            }
        }
        // The root can be a leaf.
        let leaves = walk.num_leaves();
        walk.out.leaves(leaves.wrapping_sub(walk.out.num_leaves()));
        walk.out.allow_again(levels);
        walk.leaves.count()
    }

    /// The number of leaves of the whole tree so far. The writer does not know those since the last node.
    #[inline(always)]
    fn num_leaves<I>(&self) -> usize
    where
        K: Leaves<I>,
    {
        self.before.wrapping_add(self.leaves.count())
    }

    /// Whether the child equals its sibling `before`, the last node. Then its leaves are received, and it has to be added as a
    /// repeat.
    #[inline(always)]
    fn repeats<O>(&mut self, child: O, before: O) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let start = self.leaves.count();
        self.branches = 0;
        let alike = child.__repeats(before, self, |walk, object, leaf| match leaf {
            Some(leaf) => walk.leaves.put(R::leaf(object, leaf)),
            // This cannot overflow: `before` has the same number of nodes, and they were counted with a check.
            None => walk.branches = walk.branches.wrapping_add(1),
        });
        let leaves = self.leaves.count().wrapping_sub(start);
        let repeats = alike && self.out.child_before().is(self.branches, leaves);
        if !repeats {
            self.leaves.rewind(start);
        }
        repeats
    }

    /// Adds the child, which repeats the sibling `before`, and those that follow it, up to one that is not known to be a
    /// repeat, which is returned: the child itself, if no copy is expected. Nothing is written or compared as bytes.
    ///
    /// If a child is no repeat, the comparison costs no more than the smaller of the two, as a comparison of bytes would.
    #[inline(never)]
    fn copies<O>(
        &mut self,
        child: O,
        rest: &mut impl Iterator<Item = O>,
        before: O,
        received: usize,
    ) -> Option<O>
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let (most, mut copies) = (self.out.most_copies(), 1u32);
        if most == 0 {
            self.leaves.rewind(received);
            return Some(child);
        }
        let other = loop {
            match rest.next() {
                Some(next) if copies < most && self.repeats(next, before) => {
                    copies = copies.wrapping_add(1);
                }
                other => break other,
            }
        };
        self.out.repeat(copies as usize);
        other
    }

    /// Puts the head of a dictionary with its keys sorted, and stores their order.
    #[inline(never)]
    fn put_unsorted<'k>(
        &mut self,
        start: u32,
        (needed, keys): (usize, impl Iterator<Item = Value<'k>>),
        order: &mut [u8; MAX_UNSORTED_KEYS],
    ) -> Option<u32> {
        let room = MAX_UNSORTED_KEYS;
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
        let spec = heading::Dict::new(DictKind::Sorted, table.iter().map(|(key, _)| *key));
        // The head is checked even where it is not written: without an order of the keys the leaves have no order.
        if let Err(error) = spec.check() {
            let given = |index: u32| order.get(index as usize).map(|at| u32::from(*at));
            self.out.fail(as_given(error, given));
            return None;
        }
        self.out.put_head(start, &spec)
    }

    /// Adds an object that is `None`. It can count as a leaf, which is given to the receiver.
    #[cfg_attr(target_arch = "arm", inline(never))]
    #[cfg_attr(not(target_arch = "arm"), inline)]
    pub(super) fn none<O>(&mut self, object: O)
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        match self.rule.none(object) {
            Some(item) => self.leaves.put(item),
            None => {
                self.out.none_after(self.num_leaves());
            }
        }
    }
}

/// The position of a walk: the next child of the open node.
pub struct At<'t, 'w, 'b, R, K> {
    pub(super) walk: &'t mut Walk<'w, 'b, R, K>,
    trail: Trail<'t>,
}

impl<R, K> At<'_, '_, '_, R, K> {
    /// Opens an object through [`Object::open`].
    #[inline]
    pub(crate) fn open<O>(self, object: O)
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let Self { walk, trail } = self;
        let at = At { walk: &mut *walk, trail };
        if let Err(error) = object.open(Opening { at, object }) {
            walk.out.fail(error);
        }
    }

    /// Handles an object that is a leaf.
    #[inline]
    pub(crate) fn take<O>(self, object: O, leaf: O::Leaf)
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        self.walk.leaves.put(R::leaf(object, leaf));
    }

    /// Handles an object that is a node. Its children are the items of `first`, then those of the iterators that `more`
    /// returns.
    #[inline(always)]
    pub(crate) fn enter<O, H: HeadSpec + Entry, I: Iterator<Item = O>>(
        self,
        spec: &H,
        first: impl FnOnce() -> I,
        more: impl FnMut() -> Option<I>,
    ) where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let leaves = self.walk.num_leaves();
        if let Some(start) = self.walk.out.start(leaves, spec) {
            self.children(start, (spec.arity(), spec), first, more);
        }
    }

    /// Handles the children of the node at `start`, whose head was put.
    #[inline(always)]
    pub(super) fn children<O, I: Iterator<Item = O>>(
        self,
        start: u32,
        (arity, spec): (usize, &impl Entry),
        first: impl FnOnce() -> I,
        mut more: impl FnMut() -> Option<I>,
    ) where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let Self { walk, trail: up } = self;
        let place = walk.out.place(start);
        // Constants, so that a walk without paths has no code for them.
        let mut entries = if const { R::TRAIL } { Some(spec.entries()) } else { None };
        let mut entry = None;
        // With small code objects are not compared, and where a predicate asks, it is asked for every object.
        let compares = const { !SMALL_CODE && K::REWINDS && !R::ASKS };
        let (mut before, mut children, mut is_entered) = (None::<O>, first(), false);
        loop {
            let Walk { rule, leaves, .. } = &mut *walk;
            let other = leaves.put_leaves(&mut children, |child| {
                if const { R::TRAIL } {
                    entry = entries.as_mut().and_then(Iterator::next);
                }
                let step = if const { R::TRAIL } { Some(Step::new(up, entry)) } else { None };
                rule.whole(child, Trail(step.as_ref()))
                    .or_else(|| child.as_leaf().map(|leaf| R::leaf(child, leaf)))
            });
            let Some(mut child) = other else {
                let Some(next) = more() else { break };
                children = next;
                continue;
            };
            if compares {
                is_entered = before.is_some();
            }
            if !is_entered {
                is_entered = true;
                if !walk.out.enter(arity) {
                    return;
                }
            } else if compares
                && let Some(sibling) = before
                && !walk.unsorted
                && walk.out.is_after_node(walk.num_leaves())
            {
                let received = walk.leaves.count();
                if walk.repeats(child, sibling) {
                    let other = if size_of::<I>() > size_of::<[usize; 4]>() {
                        // Child by child: a long iterator stays where it is.
                        walk.copies(child, &mut iter::empty(), sibling, received)
                    } else {
                        // A variable of its own, so that `children` stays in registers.
                        let mut rest = children;
                        let found = walk.copies(child, &mut rest, sibling, received);
                        children = rest;
                        found
                    };
                    match other {
                        Some(other) => child = other,
                        None => continue,
                    }
                }
            }
            if compares {
                before = Some(child);
            }
            let step = if const { R::TRAIL } { Some(Step::new(up, entry)) } else { None };
            let trail = Trail(step.as_ref());
            child.__walk(At { walk: &mut *walk, trail });
            if !walk.out.is_well() {
                return;
            }
        }
        let leaves = walk.num_leaves();
        walk.out.end_at(&place, leaves, arity);
    }
}

/// The receiver of [`Object::open`] in a walk.
struct Opening<'t, 'w, 'b, O, R, K> {
    at: At<'t, 'w, 'b, R, K>,
    object: O,
}

impl<O, R, K> Open<O> for Opening<'_, '_, '_, O, R, K>
where
    O: Object,
    R: Rule<O>,
    K: Leaves<R::Item>,
{
    type Output = ();

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<(), Error> {
        self.at.take(self.object, leaf);
        Ok(())
    }

    #[inline]
    fn none(self) -> Result<(), Error> {
        self.at.walk.none(self.object);
        Ok(())
    }

    #[inline]
    fn node<H: HeadSpec + Entry>(
        self,
        spec: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<(), Error> {
        self.at.enter(spec, || children.into_iter(), || None);
        Ok(())
    }

    #[inline]
    fn dict<'k, D, I>(self, entries: I) -> Result<(), Error>
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        let entries = entries.into_iter();
        let (count, keys) = (entries.len(), entries.clone().map(key_of));
        let walk = &mut *self.at.walk;
        let Some(start) = walk.out.open(walk.num_leaves()) else { return Ok(()) };
        // Sorted text keys, the usual case, are read once.
        let mut put = Some(start);
        if !walk.out.put_text_keys(count, keys.clone()) {
            if !walk.out.is_well() {
                return Ok(());
            }
            let spec = heading::Dict::new(DictKind::Sorted, keys.clone());
            let sorted = match walk.out.counts_leaves() {
                true => spec.check().map_err(Some),
                false => walk.out.try_head(&spec),
            };
            put = match sorted {
                Ok(()) => put,
                Err(None) => walk.out.refuse_head(),
                Err(Some(error @ Error::ValueChanged)) => walk.out.fail_head(error),
                // What is wrong with the keys is said when they are sorted.
                Err(Some(_)) => {
                    visit_unsorted(self.at, start, entries);
                    return Ok(());
                }
            };
        }
        if put.is_some() {
            let spec = Keys(keys, PhantomData);
            self.at.children(start, (count, &spec), || entries.map(child_of), || None);
        }
        Ok(())
    }
}

/// The keys of a dictionary.
struct Keys<'k, I>(I, PhantomData<Value<'k>>);

impl<'k, I: Iterator<Item = Value<'k>> + Clone> Entry for Keys<'k, I> {
    #[expect(clippy::redundant_closure, reason = "a closure shortens the lifetime of the key")]
    fn entries(&self) -> impl Iterator<Item = KeyEntry<'_>> {
        self.0.clone().map(|key| KeyEntry::Key(key))
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
/// Not inlined, so that only the frames of unsorted dictionaries hold the order.
#[inline(never)]
fn visit_unsorted<'k, O, R, K, D, I>(at: At<'_, '_, '_, R, K>, start: u32, entries: I)
where
    O: Object,
    R: Rule<O>,
    K: Leaves<R::Item>,
    D: Into<Value<'k>> + 'k,
    I: ExactSizeIterator<Item = (D, O)> + Clone,
{
    at.walk.unsorted = true;
    #[cfg(feature = "alloc")]
    if entries.len() > MAX_UNSORTED_KEYS {
        return visit_on_heap(at, start, entries);
    }
    let At { walk, trail: up } = at;
    let mut order = [0u8; MAX_UNSORTED_KEYS];
    let keys = entries.clone().map(key_of);
    // Called once, because a second call could return another length.
    let expected = entries.len();
    if walk.put_unsorted(start, (expected, keys), &mut order).is_none() {
        return;
    }
    let place = walk.out.place(start);
    if !walk.out.enter(expected) {
        return;
    }
    for index in order.iter().take(expected) {
        let Some(child) = entries.clone().map(child_of).nth(usize::from(*index)) else { break };
        let mut step = None;
        if R::TRAIL {
            let key = entries.clone().map(key_of).nth(usize::from(*index));
            step = Some(Step::new(up, key.map(KeyEntry::Key)));
        }
        let trail = Trail(step.as_ref());
        match walk.rule.whole(child, trail) {
            Some(item) => walk.leaves.put(item),
            None => child.__walk(At { walk: &mut *walk, trail }),
        }
        if !walk.out.is_well() {
            return;
        }
    }
    let leaves = walk.num_leaves();
    walk.out.end_at(&place, leaves, expected);
}
