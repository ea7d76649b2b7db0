//! Walks over an object: describes its structure to a writer and hands its leaves over.
//!
//! Leaves are only counted during the walk. The writer gets them as one run at the next node, so a flat list costs
//! little more than writing its leaves.

use core::marker::PhantomData;

use crate::base::error::Error;
use crate::base::target::SMALL_CODE;
use crate::dynamic::alike::alike;
use crate::dynamic::object::{Object, Open, Opened};
use crate::dynamic::predicate::Predicate;
#[cfg(feature = "alloc")]
use crate::dynamic::sort::sort_on_heap;
use crate::dynamic::sort::{MAX_UNSORTED_KEYS, sort_on_stack};
use crate::dynamic::trail::{Step, Trail};
use crate::encode::depth::MAX_DEPTH;
use crate::encode::writer::Writer;
use crate::format::entry::KeyEntry;
use crate::format::heading::{Dict, DictKind, Entry, HeadSpec};
use crate::format::value::Value;

/// A walk in progress. What goes wrong is kept by the writer.
pub(crate) struct Walk<'w, 'b, O, P, K> {
    out: &'w mut Writer<'b>,
    predicate: &'w mut P,
    /// The type of the objects.
    of: PhantomData<O>,
    none_is_leaf: bool,
    /// Called with each leaf and its index. Leaves of a child that turns out to be no repeat are forgotten, and their
    /// indices come again.
    keep: K,
    /// The number of leaves so far.
    count: usize,
    /// The number of leaves in the writer before the walk.
    leaves_before: usize,
    /// Whether the walk met a dictionary with unsorted keys. Then the entries of two objects can be equal and in another
    /// order than their leaves, so objects are no more compared.
    is_unsorted: bool,
}

impl<'w, 'b, O, P, K> Walk<'w, 'b, O, P, K>
where
    O: Object,
    P: Predicate<O>,
    K: FnMut(usize, P::Item),
{
    /// A walk that has not begun.
    pub(super) fn new(
        out: &'w mut Writer<'b>,
        predicate: &'w mut P,
        none_is_leaf: bool,
        keep: K,
    ) -> Self {
        let leaves_before = out.num_leaves();
        let (of, count, is_unsorted) = (PhantomData, 0, false);
        Self { out, predicate, of, none_is_leaf, keep, count, leaves_before, is_unsorted }
    }

    /// Walks over `object`, the next child in the writer, at most `limit` levels deep, and returns the number of its
    /// leaves.
    #[cfg_attr(target_os = "none", inline(never))]
    pub(super) fn root(mut self, object: O, limit: u32) -> usize {
        let levels = self.out.swap_limits((limit, limit));
        let path = Trail(None);
        match path.is_leaf(self.predicate, object) {
            Ok(true) => self.leaf(object, None),
            Ok(false) => self.object(object, path),
            Err(error) => self.out.fail(error),
        }
        // The root can be a leaf.
        let leaves = self.num_leaves();
        self.out.leaves(leaves.wrapping_sub(self.out.num_leaves()));
        self.out.swap_limits(levels);
        self.count
    }

    /// The number of leaves of the whole tree so far. The writer does not know those since the last node.
    #[inline(always)]
    const fn num_leaves(&self) -> usize {
        self.leaves_before.wrapping_add(self.count)
    }

    /// Hands over an object that is a leaf.
    #[inline]
    fn leaf(&mut self, object: O, leaf: Option<O::Leaf>) {
        if let Some(item) = P::item(object, leaf) {
            (self.keep)(self.count, item);
            self.count = self.count.wrapping_add(1);
        }
    }

    /// Walks over an object that is no leaf by the predicate.
    #[inline(never)]
    fn object(&mut self, object: O, path: Trail<'_>) {
        match object.open(Opening { walk: &mut *self, path }) {
            Ok(Opened::Node) => {}
            Ok(Opened::Leaf(leaf)) => self.leaf(object, Some(leaf)),
            Ok(Opened::None) if const { P::ASKS } && self.none_is_leaf => self.leaf(object, None),
            Ok(Opened::None) => self.out.none_after(self.num_leaves()),
            Err(error) => self.out.fail(error),
        }
    }

    /// Walks over the children of the node at `start`, whose head is written.
    #[inline(always)]
    fn children<'e, E: Iterator<Item = KeyEntry<'e>>>(
        &mut self,
        up: Trail<'_>,
        start: u32,
        (arity, entries): (usize, impl FnOnce() -> E),
        mut children: impl Iterator<Item = O>,
    ) {
        let place = self.out.take_place(start);
        // Constants, so that a walk without paths has no code for them.
        let mut entries = if const { P::TAKES_PATH } { Some(entries()) } else { None };
        let mut entry = None;
        // With small code objects are not compared, and a predicate is asked for every object.
        let compares = const { !SMALL_CODE && !P::ASKS };
        // The last child that is no leaf.
        let mut last = None::<O>;
        loop {
            let Self { out, predicate, keep, count: kept, .. } = &mut *self;
            // A local variable, to stay in a register.
            let mut count = *kept;
            let other = children.find(|child| {
                if const { P::TAKES_PATH } {
                    entry = entries.as_mut().and_then(Iterator::next);
                }
                let step = Step { up, entry };
                let is_leaf =
                    Trail(Some(&step)).is_leaf(*predicate, *child).unwrap_or_else(|error| {
                        out.fail(error);
                        true
                    });
                let leaf = if is_leaf { None } else { child.as_leaf() };
                if !is_leaf && leaf.is_none() {
                    return true;
                }
                if let Some(item) = P::item(*child, leaf) {
                    keep(count, item);
                    // The writer finds out if there are too many.
                    count = count.wrapping_add(1);
                }
                false
            });
            *kept = count;
            let Some(child) = other else { break };
            match last {
                None => {
                    if !self.out.enter(arity) {
                        return;
                    }
                }
                Some(sibling) => {
                    if compares
                        && !self.is_unsorted
                        && self.out.can_repeat(self.num_leaves())
                        && self.repeats(child, sibling)
                    {
                        self.out.repeat(1);
                        continue;
                    }
                }
            }
            last = Some(child);
            let step = if const { P::TAKES_PATH } { Some(Step { up, entry }) } else { None };
            self.object(child, Trail(step.as_ref()));
            if !self.out.is_well() {
                return;
            }
        }
        let leaves = self.num_leaves();
        self.out.end_at(&place, leaves, arity);
    }

    /// Whether the child has the structure of its sibling, the last node that was written. Then its leaves are
    /// handed over, and it has to be added as a repeat.
    #[inline(always)]
    fn repeats(&mut self, child: O, sibling: O) -> bool {
        let (start, mut branches) = (self.count, 0u32);
        let is_alike = alike(child, sibling, MAX_DEPTH, &mut |object, leaf| match leaf {
            Some(leaf) => self.leaf(object, Some(leaf)),
            // This cannot overflow: the sibling has the same number of nodes, and they were counted with a check.
            None => branches = branches.wrapping_add(1),
        });
        let leaves = self.count.wrapping_sub(start);
        let repeats = is_alike && self.out.before.is(branches, leaves);
        if !repeats {
            self.count = start;
        }
        repeats
    }

    /// Walks over the entries of a dictionary in the order of their keys.
    ///
    /// Not inlined, so that only the frames of unsorted dictionaries hold the order.
    #[inline(never)]
    fn unsorted<'k, D, I>(&mut self, up: Trail<'_>, start: u32, entries: I)
    where
        D: Into<Value<'k>> + 'k,
        I: ExactSizeIterator<Item = (D, O)> + Clone,
    {
        self.is_unsorted = true;
        // Called once, because a second call could return another length.
        let count = entries.len();
        #[cfg(feature = "alloc")]
        if count > MAX_UNSORTED_KEYS {
            return match sort_on_heap(count, entries) {
                Ok(sorted) => {
                    let keys = sorted.iter().map(|(key, ..)| *key);
                    let dict = Dict::new(DictKind::Sorted, keys.clone());
                    if self.out.put_pieces_at(start, &dict).is_some() {
                        let children = sorted.iter().map(|(.., child)| *child);
                        self.children(up, start, (count, || keys.map(KeyEntry::Key)), children);
                    }
                }
                Err(error) => self.out.fail(error),
            };
        }
        let mut order = [0; MAX_UNSORTED_KEYS];
        let keys = entries.clone().map(key_of);
        if !self.put_unsorted(start, (count, keys), &mut order) {
            return;
        }
        let order = order.get(..count).unwrap_or_default();
        let sorted = order.iter().filter_map(|index| entries.clone().nth(usize::from(*index)));
        let keys = sorted.clone().map(key_of).map(KeyEntry::Key);
        self.children(up, start, (count, || keys), sorted.map(child_of));
    }

    /// Puts the head of a dictionary with its keys sorted, and stores their order.
    ///
    /// Not inlined, so that the keys leave the stack before the children are visited.
    #[inline(never)]
    fn put_unsorted<'k>(
        &mut self,
        start: u32,
        (count, keys): (usize, impl Iterator<Item = Value<'k>>),
        order: &mut [u8; MAX_UNSORTED_KEYS],
    ) -> bool {
        let mut table = [(Value::None, 0, ()); MAX_UNSORTED_KEYS];
        match sort_on_stack(count, keys, &mut table) {
            Ok(table) => {
                for (slot, (_, index, ())) in order.iter_mut().zip(table) {
                    *slot = u8::try_from(*index).unwrap_or(u8::MAX);
                }
                let keys = table.iter().map(|(key, ..)| *key);
                self.out.put_pieces_at(start, &Dict::new(DictKind::Sorted, keys)).is_some()
            }
            Err(error) => {
                self.out.fail(error);
                false
            }
        }
    }
}

/// Receives an object and walks over its children, if it has any.
struct Opening<'t, 'w, 'b, O, P, K> {
    walk: &'t mut Walk<'w, 'b, O, P, K>,
    path: Trail<'t>,
}

impl<O, P, K> Open<O> for Opening<'_, '_, '_, O, P, K>
where
    O: Object,
    P: Predicate<O>,
    K: FnMut(usize, P::Item),
{
    type Output = Opened<O::Leaf>;

    #[inline]
    fn leaf(self, leaf: O::Leaf) -> Result<Self::Output, Error> {
        Ok(Opened::Leaf(leaf))
    }

    #[inline]
    fn none(self) -> Result<Self::Output, Error> {
        Ok(Opened::None)
    }

    #[inline]
    fn node<H: HeadSpec + Entry>(
        self,
        head: &H,
        children: impl IntoIterator<Item = O>,
    ) -> Result<Self::Output, Error> {
        let Self { walk, path } = self;
        if let Some(start) = walk.out.put_head(walk.num_leaves(), head) {
            walk.children(path, start, (head.arity(), || head.entries()), children.into_iter());
        }
        Ok(Opened::Node)
    }

    #[inline]
    fn dict<'k, D, I>(self, entries: I) -> Result<Self::Output, Error>
    where
        D: Into<Value<'k>> + 'k,
        I: IntoIterator<Item = (D, O), IntoIter: ExactSizeIterator + Clone>,
    {
        let Self { walk, path } = self;
        let entries = entries.into_iter();
        let (count, keys) = (entries.len(), entries.clone().map(key_of));
        let Some(start) = walk.out.before_head(walk.num_leaves()) else { return Ok(Opened::Node) };
        // Sorted text keys, the usual case, are read once.
        if !walk.out.put_text_keys(count, keys.clone()) {
            if !walk.out.is_well() {
                return Ok(Opened::Node);
            }
            let dict = Dict::new(DictKind::Sorted, keys.clone());
            let put = match walk.out.counts_leaves() {
                true => dict.check(true).map_err(Some),
                false => walk.out.try_pieces(&dict),
            };
            match put {
                Ok(()) if dict.arity() == count => {}
                Ok(()) => return Err(Error::Arity { expected: count, found: dict.arity() }),
                Err(None) => {
                    walk.out.refuse_head();
                    return Ok(Opened::Node);
                }
                Err(Some(error @ Error::ValueChanged)) => return Err(error),
                // What is wrong with the keys is said when they are sorted.
                Err(Some(_)) => {
                    walk.unsorted(path, start, entries);
                    return Ok(Opened::Node);
                }
            }
        }
        walk.children(path, start, (count, || keys.map(KeyEntry::Key)), entries.map(child_of));
        Ok(Opened::Node)
    }
}

fn key_of<'k, D: Into<Value<'k>>, O>((key, _): (D, O)) -> Value<'k> {
    key.into()
}

fn child_of<D, O>((_, child): (D, O)) -> O {
    child
}
