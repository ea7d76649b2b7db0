//! Walks over an object: describes its structure to an encoder and gives its leaves to a receiver.
//!
//! Leaves are only counted during the walk. The encoder gets them as one run at the next node, so a flat list costs
//! little more than writing its leaves.

use core::iter;
use core::mem::replace;

use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::dynamic::leaves::Leaves;
use crate::dynamic::object::{MAX_UNSORTED_KEYS, Object, Open};
use crate::dynamic::rule::Rule;
use crate::dynamic::sort::{as_given, sort};
#[cfg(feature = "alloc")]
use crate::dynamic::sort_on_heap::visit_on_heap;
use crate::dynamic::trail::{Laid, Step, Trail};
use crate::encode::arithmetic::small;
use crate::encode::encoder::Encode;
use crate::encode::output::Unit;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::heading::{self, DictKind, Entry, HeadSpec};
use crate::format::value::Value;

/// A walk in progress.
pub(crate) struct Walk<'w, E, R, K> {
    pub(super) out: &'w mut E,
    rule: &'w mut R,
    pub(super) leaves: K,
    /// The number of levels that are allowed.
    limit: u32,
    /// The number of nodes, without leaves, in a child that may repeat its previous sibling.
    pub(super) branches: u32,
    /// The largest number of copies for [`Walk::copies`], then the number of children that it took.
    taken: u32,
    /// Whether the walk met a dictionary with unsorted keys. Then the entries of two objects can be equal and in another
    /// order than their leaves, so objects are no more compared.
    pub(super) unsorted: bool,
}

impl<'w, E: Encode, R, K> Walk<'w, E, R, K> {
    /// Walks over `object`, the next child of `list`, at most `limit` levels deep, and returns the number of its
    /// leaves. `usize::MAX` means this number or more.
    pub(crate) fn run<O>(
        object: O,
        out: &'w mut E,
        list: &mut E::List,
        rule: &'w mut R,
        leaves: K,
        limit: u32,
    ) -> Result<usize, Error>
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let mut walk = Self::new(out, rule, leaves, limit);
        let done = walk.root(object, list);
        walk.outcome(done)
    }

    /// The walk at its beginning.
    #[inline]
    pub(super) const fn new(out: &'w mut E, rule: &'w mut R, leaves: K, limit: u32) -> Self {
        Self { out, rule, leaves, limit, branches: 0, taken: 0, unsorted: false }
    }

    /// The number of leaves of a walk that is done, or what went wrong.
    #[inline]
    pub(super) fn outcome<I>(&self, done: bool) -> Result<usize, Error>
    where
        K: Leaves<I>,
    {
        let count = self.leaves.count();
        if done { Ok(count) } else { Err(self.out.error(count)) }
    }

    /// Walks over the root object.
    #[inline]
    pub(super) fn root<O>(&mut self, object: O, list: &mut E::List) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        // A walk that looks for copies can give leaves too early, and takes them back.
        const { assert!(K::REWINDS || !E::HEADS) };
        let item = self.rule.whole(object, Trail(None));
        item.map(|item| self.leaves.put(item)).is_some() || {
            let (trail, levels) = (R::Trail::from(Trail(None)), self.limit);
            object.__walk(At { walk: self, list, trail }, levels)
        }
    }

    /// Walks over a child of `list` that may be a node. If its siblings can be compared with it, `before` gets the child
    /// and what was before it.
    #[inline(always)]
    fn child<O>(
        &mut self,
        child: O,
        before: &mut Option<(O, Unit)>,
        list: &mut E::List,
        trail: R::Trail<'_>,
        levels: u32,
    ) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let start = self.so_far();
        let done = child.__walk(At { walk: self, list, trail }, levels);
        if E::HEADS && !R::ASKS {
            *before = Some((child, start));
        }
        done
    }

    /// The leaves and nodes so far.
    #[inline(always)]
    fn so_far<I>(&self) -> Unit
    where
        K: Leaves<I>,
    {
        Unit { leaves: small(self.leaves.count()), branches: self.out.branches() }
    }

    /// Whether the next child of `list` is compared with the node before.
    #[inline(always)]
    fn compares<I>(&mut self, list: &mut E::List) -> bool
    where
        K: Leaves<I>,
    {
        self.taken = match self.unsorted {
            true => 0,
            false => self.out.most_copies(list, self.leaves.count()),
        };
        self.taken > 0
    }

    /// Adds the child and those that follow it as repeats of the sibling `before`, up to one that is not known to be a
    /// repeat. Returns that child if there is one; `None` if the repeats were refused. Nothing is written or compared as
    /// bytes.
    ///
    /// If the child is no repeat, the comparison costs no more than the smaller of the two, as a comparison of bytes would.
    #[inline(never)]
    fn copies<O>(
        &mut self,
        mut child: O,
        rest: &mut impl Iterator<Item = O>,
        (before, unit): (O, Unit),
        list: &mut E::List,
    ) -> Option<Option<O>>
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let most = replace(&mut self.taken, 0);
        let mut start = self.leaves.count();
        let (mut copies, mut own, mut branches) = (0u32, 0usize, 0u32);
        let other = loop {
            if copies == most {
                break Some(child);
            }
            self.branches = 0;
            let alike = child.__repeats(before, self, |walk, object, leaf| match leaf {
                Some(leaf) => walk.leaves.put(R::leaf(object, leaf)),
                // This cannot overflow: `before` has the same number of nodes, and they were counted with a check.
                None => walk.branches = walk.branches.wrapping_add(1),
            });
            let leaves = self.leaves.count();
            let found = leaves.wrapping_sub(start);
            if !alike || !unit.is(self.branches, found) {
                self.leaves.rewind(start);
                break Some(child);
            }
            (start, own, copies) = (leaves, found, copies.wrapping_add(1));
            // All copies have the same number of nodes.
            branches = self.branches;
            match rest.next() {
                Some(next) => child = next,
                None => break None,
            }
        };
        if copies > 0 {
            // A child was taken after each copy, unless there was none left.
            self.taken = copies.wrapping_sub(u32::from(other.is_none()));
            let branches = branches.saturating_mul(copies);
            if !self.out.copy(list, copies, own, branches, start) {
                return None;
            }
        }
        Some(other)
    }

    /// Begins a node in `list`, after `leaves` leaves.
    #[inline(always)]
    fn begin<H: HeadSpec>(
        &mut self,
        list: &mut E::List,
        spec: &H,
        leaves: usize,
        levels: u32,
    ) -> Option<E::Node> {
        if !self.out.flush(list, leaves) {
            return None;
        }
        let node = self.out.open(list);
        if self.head(spec, levels) { Some(node) } else { None }
    }

    /// Passes the head of a node that was opened.
    #[inline(always)]
    pub(super) fn head<H: HeadSpec>(&mut self, spec: &H, levels: u32) -> bool {
        if levels == 0 { self.too_deep() } else { self.out.head(spec) }
    }

    /// Notes that a node has no level left. Apart, a Cortex-M takes 16 bytes of stack less for each level.
    #[cfg_attr(target_arch = "arm", cold, inline(never))]
    #[cfg_attr(not(target_arch = "arm"), inline(always))]
    fn too_deep(&mut self) -> bool {
        self.out.fail(Error::TooDeep { limit: self.limit })
    }

    /// Begins a dictionary with its keys sorted, and stores their order.
    #[inline(never)]
    fn begin_unsorted<'k>(
        &mut self,
        list: &mut E::List,
        (needed, keys): (usize, impl Iterator<Item = Value<'k>>),
        order: &mut [u8; MAX_UNSORTED_KEYS],
        leaves: usize,
        levels: u32,
    ) -> Option<E::Node> {
        // The leaves before the node are written before its keys are read.
        if !self.out.flush(list, leaves) {
            return None;
        }
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
        // The head is checked even for encoders without heads: without an order of the keys the leaves have no order.
        if let Err(error) = spec.check() {
            let given = |index: u32| order.get(index as usize).map(|at| u32::from(*at));
            self.out.fail(as_given(error, given));
            return None;
        }
        self.begin(list, &spec, leaves, levels)
    }

    /// Whether the object, which is `None`, counts as a leaf. If so, it is given to the receiver.
    #[inline]
    pub(super) fn takes_none<O>(&mut self, object: O) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let item = self.rule.none(object);
        item.map(|item| self.leaves.put(item)).is_some()
    }

    /// Adds an object that is `None`.
    #[inline(never)]
    pub(super) fn none<O>(&mut self, object: O, list: &mut E::List) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        self.takes_none(object) || {
            let leaves = self.leaves.count();
            let node = self.begin(list, &Head::NONE, leaves, LEVELS_OF_NONE);
            node.is_some_and(|node| self.out.close(list, node, leaves))
        }
    }

    /// Ends a node of `list` with the children `inner`.
    #[inline(always)]
    fn end<I>(&mut self, list: &mut E::List, node: E::Node, inner: &mut E::List) -> bool
    where
        K: Leaves<I>,
    {
        let leaves = self.leaves.count();
        self.out.flush(inner, leaves) && self.out.close(list, node, leaves)
    }
}

/// The position of a walk: the next child of a list.
pub struct At<'t, 'w, E: Encode, R, K, T> {
    pub(super) walk: &'t mut Walk<'w, E, R, K>,
    pub(super) list: &'t mut E::List,
    trail: T,
}

impl<E: Encode, R, K, T: Laid> At<'_, '_, E, R, K, T> {
    /// Opens an object through [`Object::open`].
    #[inline]
    pub(crate) fn open<O>(self, object: O, levels: u32) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let Self { walk, list, trail } = self;
        let at = At { walk: &mut *walk, list, trail };
        object.open(Opening { at, object, levels }).unwrap_or_else(|error| walk.out.fail(error))
    }

    /// Handles an object that is a leaf.
    #[inline]
    pub(crate) fn take<O>(self, object: O, leaf: O::Leaf) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        self.walk.leaves.put(R::leaf(object, leaf));
        true
    }

    /// Handles an object that is a node. Its children are the items of `first`, then those of the iterators that `more`
    /// returns. If `counted`, their number is known to be that of the head.
    #[inline(always)]
    pub(crate) fn enter<O, H: HeadSpec + Entry, I: Iterator<Item = O>>(
        self,
        spec: &H,
        first: impl FnOnce() -> I,
        mut more: impl FnMut() -> Option<I>,
        counted: bool,
        levels: u32,
    ) -> bool
    where
        O: Object,
        R: Rule<O>,
        K: Leaves<R::Item>,
    {
        let Self { walk, list: outer, trail: up } = self;
        let count = walk.leaves.count();
        let Some(node) = walk.begin(outer, spec, count, levels) else { return false };
        let mut list = E::list(count);
        let below = levels.wrapping_sub(1);
        let up = up.trail();
        let (mut entries, mut entry) = (T::entries(|| spec.entries()), None);
        let (mut index, mut before, mut children) = (0u32, None::<(O, Unit)>, first());
        loop {
            let Walk { rule, leaves, .. } = &mut *walk;
            let other = leaves.put_leaves(&mut children, |child| {
                index = index.wrapping_add(1);
                entry = entries.next();
                let step = if R::TRAIL { Some(Step::new(up, entry)) } else { None };
                rule.whole(child, Trail(step.as_ref()))
                    .or_else(|| child.as_leaf().map(|leaf| R::leaf(child, leaf)))
            });
            let Some(child) = other else {
                let Some(next) = more() else { break };
                children = next;
                continue;
            };
            let mut child = child;
            if !SMALL_CODE
                && let Some((sibling, start)) = before
                && walk.compares(&mut list)
            {
                // Nothing follows the sibling.
                let unit = walk.so_far().without(start);
                let found = if size_of::<I>() > size_of::<[usize; 4]>() {
                    // Child by child: a long iterator stays where it is.
                    walk.copies(child, &mut iter::empty(), (sibling, unit), &mut list)
                } else {
                    // A variable of its own, so that `children` stays in registers.
                    let mut rest = children;
                    let found = walk.copies(child, &mut rest, (sibling, unit), &mut list);
                    children = rest;
                    found
                };
                index = index.wrapping_add(walk.taken);
                match found {
                    Some(Some(other)) => child = other,
                    Some(None) => {
                        before = Some((sibling, walk.so_far().without(unit)));
                        continue;
                    }
                    None => return false,
                }
            }
            let step = if R::TRAIL { Some(Step::new(up, entry)) } else { None };
            let trail = Trail(step.as_ref());
            if !walk.child(child, &mut before, &mut list, trail.into(), below) {
                return false;
            }
        }
        if E::HEADS && !counted {
            let (expected, found) = (spec.arity(), index as usize);
            if expected != found {
                return walk.out.fail(Error::Arity { expected, found });
            }
        }
        walk.end(outer, node, &mut list)
    }
}

/// The levels for a `None`: one, its own, so that it is never too deep. Nothing can be inside it.
pub(crate) const LEVELS_OF_NONE: u32 = 1;

/// The receiver of [`Object::open`] in a walk.
struct Opening<'t, 'w, O, E: Encode, R, K, T> {
    at: At<'t, 'w, E, R, K, T>,
    object: O,
    levels: u32,
}

impl<O, E, R, K, T> Open<O> for Opening<'_, '_, O, E, R, K, T>
where
    T: Laid,
    O: Object,
    E: Encode,
    R: Rule<O>,
    K: Leaves<R::Item>,
{
    type Output = bool;

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<bool, Error> {
        Ok(self.at.take(self.object, leaf))
    }

    #[inline]
    fn none(self) -> Result<bool, Error> {
        Ok(self.at.walk.none(self.object, self.at.list))
    }

    #[inline]
    fn node<H: HeadSpec + Entry>(
        self,
        spec: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<bool, Error> {
        Ok(self.at.enter(spec, || children.into_iter(), || None, false, self.levels))
    }

    #[inline]
    fn dict<'k, D, I>(mut self, entries: I) -> Result<bool, Error>
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        let entries = entries.into_iter();
        let At { walk, list, .. } = &mut self.at;
        let leaves = walk.leaves.count();
        // The leaves before the node are written before its keys are read.
        if !walk.out.flush(list, leaves) {
            return Ok(false);
        }
        let (count, keys) = (entries.len(), entries.clone().map(key_of));
        let (at, levels) = (self.at, self.levels);
        // Sorted text keys, the usual case, are read once.
        Ok(match at.walk.out.ahead(at.list, count, keys.clone()) {
            Some(end) => visit_sorted(at, &heading::Ahead::new(count, keys, end), entries, levels),
            None => match heading::Dict::if_sorted(keys) {
                Some(spec) => visit_sorted(at, &spec, entries, levels),
                None => visit_unsorted(at, entries, levels),
            },
        })
    }
}

/// Visits the entries of a dictionary with this head.
#[inline]
fn visit_sorted<O, E, R, K, T, D>(
    at: At<'_, '_, E, R, K, T>,
    spec: &(impl HeadSpec + Entry),
    entries: impl Iterator<Item = (D, O)>,
    levels: u32,
) -> bool
where
    O: Object,
    E: Encode,
    R: Rule<O>,
    K: Leaves<R::Item>,
    T: Laid,
{
    at.enter(spec, || entries.map(child_of), || None, false, levels)
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
fn visit_unsorted<'k, O, E, R, K, T, D, I>(
    at: At<'_, '_, E, R, K, T>,
    entries: I,
    levels: u32,
) -> bool
where
    O: Object,
    E: Encode,
    R: Rule<O>,
    K: Leaves<R::Item>,
    T: Laid,
    D: Into<Value<'k>> + 'k,
    I: ExactSizeIterator<Item = (D, O)> + Clone,
{
    at.walk.unsorted = true;
    #[cfg(feature = "alloc")]
    if entries.len() > MAX_UNSORTED_KEYS {
        return visit_on_heap(at, entries, levels);
    }
    let At { walk, list, trail } = at;
    let up = trail.trail();
    let mut order = [0u8; MAX_UNSORTED_KEYS];
    let keys = entries.clone().map(key_of);
    let count = walk.leaves.count();
    // Called once, because a second call could return another length.
    let (expected, mut found) = (entries.len(), 0usize);
    let keys = (expected, keys);
    let Some(node) = walk.begin_unsorted(list, keys, &mut order, count, levels) else {
        return false;
    };
    let (mut inner, below) = (E::list(count), levels.wrapping_sub(1));
    for index in order.iter().take(expected) {
        let Some(child) = entries.clone().map(child_of).nth(usize::from(*index)) else { break };
        let mut step = None;
        if R::TRAIL {
            let key = entries.clone().map(key_of).nth(usize::from(*index));
            step = Some(Step::new(up, key.map(KeyEntry::Key)));
        }
        let trail = Trail(step.as_ref());
        if let Some(item) = walk.rule.whole(child, trail) {
            walk.leaves.put(item);
        } else {
            let at = At { walk: &mut *walk, list: &mut inner, trail: R::Trail::from(trail) };
            if !child.__walk(at, below) {
                return false;
            }
        }
        found = found.wrapping_add(1);
    }
    if found != expected {
        return walk.out.fail(Error::Arity { expected, found });
    }
    walk.end(list, node, &mut inner)
}
