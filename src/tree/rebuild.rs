//! The rebuilds: from a slice of leaves, from an iterator of leaves, and of trees whose structure is known.

use crate::base::bytes::small;
use crate::base::error::Error;
use crate::base::slices::Pieces;
use crate::encode::constant::const_def;
use crate::encode::schema::Schema;
use crate::format::head::{Head, Kind};
use crate::format::heading::HeadSpec;
use crate::tree::build::{BuildSteps, Rebuild, TreeBuild, take_next_leaf};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::reading::{Asked, Copies, NO_CHOICES, Reading};
use crate::tree::vector::Vector;
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

/// Rebuilds a tree from clones of the leaves in a slice.
pub(crate) struct FromSlice<'d, 'l, O> {
    pub(crate) reading: Reading<'d>,
    rest: &'l [O],
}

/// Rebuilds a tree from the leaves of an iterator.
pub(crate) struct FromIter<'d, I> {
    pub(crate) reading: Reading<'d>,
    pub(crate) leaves: I,
}

/// Rebuilds a tree whose structure is known, from clones of exactly its leaves.
pub(crate) struct FromKnown<'r, 'd, 'l, O> {
    reading: Option<&'r mut Reading<'d>>,
    rest: &'l [O],
    /// How many leaves after `rest` the position in the treedef has passed already. Errors subtract them.
    after: usize,
    /// The number of the next choice, or [`NO_CHOICES`].
    next_choice: usize,
}

/// Whether a `T` is built from exactly its leaves, after one comparison of bytes.
const fn is_built_from_leaves<K: LeafTypes, T: TreeBuild<K>>() -> bool {
    T::BUILDS_FROM_LEAVES && !matches!(T::SCHEMA, Schema::Leaf(..))
}

impl<'d, 'l, O> FromSlice<'d, 'l, O> {
    pub(crate) const fn new(def: TreeDef<'d>, leaves: &'l [O]) -> Self {
        Self { reading: Reading::new(def), rest: leaves }
    }

    /// Appends the copies of the last element, which begins at the node `node`. What was read for it is known for them.
    // Not inlined: where elements are rebuilt inside one another, its values are no part of each frame.
    #[inline(never)]
    fn fill_copies<K, T, C>(
        &mut self,
        list: &mut Siblings,
        (node, before): (u32, usize),
        elements: &mut C,
        full: Error,
    ) -> Option<()>
    where
        K: LeafTypes<Owned = O>,
        O: Clone,
        T: TreeBuild<K>,
        C: Vector<T>,
    {
        // Copies of a tree with too many choices are read like any other element.
        let Some(next_choice) = self.reading.first_choice(before) else { return Some(()) };
        let (cursor, start, rest) = (self.reading.cursor, *list, self.rest);
        let nodes = self.reading.node().wrapping_sub(node);
        let Some(Copies { count, leaves }) = self.reading.copies(list, node) else {
            return Some(());
        };
        self.reading.repeat_choices(before, count);
        let all = self.rest.split_off(..count.checked_mul(leaves)?)?;
        let (reading, mut begun) = (&mut self.reading, 0u32);
        let filled = elements.fill(Pieces::new(all, leaves), |rest| {
            begun = begun.wrapping_add(1);
            let mut known = FromKnown { reading: Some(&mut *reading), rest, after: 0, next_choice };
            T::build(&mut known, &mut Siblings::root())
        });
        match filled {
            Some(true) => Some(()),
            Some(false) => Rebuild::<K>::fail(self, full),
            None => {
                *list = start;
                let made = begun.checked_sub(1)?;
                self.rest = rest.get(leaves.checked_mul(made as usize)?..)?;
                self.reading.read_copy((cursor, list), made, (nodes, small(leaves)));
                self.refuse::<K, T>(list)
            }
        }
    }

    /// Reads a copy that was refused, so that the error names its place. If it is not refused now, its steps depend on its
    /// leaves.
    #[cold]
    #[inline(never)]
    fn refuse<K, T>(&mut self, list: &mut Siblings) -> Option<()>
    where
        K: LeafTypes<Owned = O>,
        O: Clone,
        T: TreeBuild<K>,
    {
        let mismatch = Rebuild::<K>::mismatch(self);
        let _ = T::build(self, list);
        Rebuild::<K>::fail(self, mismatch)
    }
}

/// Rebuilds a list of trees of constant structure from exactly their leaves.
// Not inlined, so that the loop has the registers for itself.
#[inline(never)]
fn const_list<K, T, C>(reading: &mut Reading<'_>, leaves: &[K::Owned], full: Error) -> Option<C>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
    C: Vector<T>,
{
    // In slices of constant length, leaves are taken without a check.
    let pieces = Pieces::new(leaves, const { const_def::<T>().num_leaves() });
    let (mut list, mut after) = (C::with_room(pieces.len()), leaves.len());
    for rest in pieces {
        after = after.wrapping_sub(rest.len());
        let reading = Some(&mut *reading);
        let mut known = FromKnown { reading, rest, after, next_choice: NO_CHOICES };
        if !list.put(T::build(&mut known, &mut Siblings::root())?) {
            return Rebuild::<K>::fail(&mut known, full);
        }
    }
    Some(list)
}

impl<'d, K: LeafTypes<Owned = O>, O: Clone> BuildSteps<'d, K> for FromSlice<'d, '_, O> {
    #[inline]
    fn reading(&self) -> Option<&Reading<'d>> {
        Some(&self.reading)
    }

    #[inline]
    fn reading_mut(&mut self) -> Option<&mut Reading<'d>> {
        Some(&mut self.reading)
    }

    #[inline]
    fn next_leaf(&mut self) -> Option<O> {
        self.rest.split_off_first().cloned()
    }

    fn fill<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        list: &mut Siblings,
        elements: &mut C,
        full: Error,
    ) -> Option<()> {
        let count = list.left();
        if const { T::BUILDS_FROM_LEAVES && !matches!(T::LEAVES, Some(0)) }
            && self.reading.take_alike(list, const_def::<T>())
        {
            let all = count.checked_mul(const { const_def::<T>().num_leaves() })?;
            let leaves = self.rest.split_off(..all)?;
            *elements = const_list::<K, T, C>(&mut self.reading, leaves, full)?;
            return Some(());
        }
        *elements = C::with_room(count.min(self.rest.len()));
        // Counted, because a `build` by hand may read no child. Copies are read with the element before them.
        for _ in 0..count {
            if list.left() == 0 {
                break;
            }
            let (node, before) = (self.reading.node(), self.reading.start_choices());
            if !elements.add(self.child(list)?) {
                return Rebuild::<K>::fail(self, full);
            }
            if const { !T::BUILDS_FROM_LEAVES } && self.reading.cursor.is_repeated(list) {
                self.fill_copies::<K, T, C>(list, (node, before), elements, full)?;
            }
            self.reading.end_choices(before);
        }
        Some(())
    }
}

impl<'d, K: LeafTypes<Owned = O>, O: Clone> Rebuild<'d, K> for FromSlice<'d, '_, O> {
    #[inline]
    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        if const { !is_built_from_leaves::<K, T>() } {
            return T::build(self, list);
        }
        self.reading.take_const(list, const_def::<T>())?;
        // In a slice of constant length, leaves are taken without a check.
        let rest = self.rest.split_off(..const { const_def::<T>().num_leaves() })?;
        let reading = Some(&mut self.reading);
        T::build(&mut FromKnown { reading, rest, after: 0, next_choice: NO_CHOICES }, list)
    }
}

impl<'d, K: LeafTypes, I: Iterator<Item = K::Owned>> BuildSteps<'d, K> for FromIter<'d, I> {
    #[inline]
    fn reading(&self) -> Option<&Reading<'d>> {
        Some(&self.reading)
    }

    #[inline]
    fn reading_mut(&mut self) -> Option<&mut Reading<'d>> {
        Some(&mut self.reading)
    }

    #[inline]
    fn next_leaf(&mut self) -> Option<K::Owned> {
        self.leaves.next()
    }
}

impl<'d, K: LeafTypes, I: Iterator<Item = K::Owned>> Rebuild<'d, K> for FromIter<'d, I> {
    #[inline]
    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        T::build(self, list)
    }
}

impl<'r, 'd, O> FromKnown<'r, 'd, '_, O> {
    /// Rebuilds a tree of constant structure from exactly its leaves; `None` if one of them is of another type.
    #[inline]
    pub(crate) fn build<K, T>(leaves: &[O]) -> Option<T>
    where
        K: LeafTypes<Owned = O>,
        O: Clone,
        T: TreeBuild<K>,
    {
        let mut known =
            FromKnown { reading: None, rest: leaves, after: 0, next_choice: NO_CHOICES };
        T::build(&mut known, &mut Siblings::root())
    }

    /// What was read at this step for the tree before.
    #[inline]
    fn choice(&mut self, asked: Asked) -> Option<u32> {
        let choice = self.reading.as_ref()?.choice(self.next_choice, asked);
        self.next_choice = self.next_choice.saturating_add(1);
        choice
    }
}

impl<'d, K: LeafTypes<Owned = O>, O: Clone> BuildSteps<'d, K> for FromKnown<'_, 'd, '_, O> {
    #[inline]
    fn reading(&self) -> Option<&Reading<'d>> {
        self.reading.as_deref()
    }

    #[inline]
    fn reading_mut(&mut self) -> Option<&mut Reading<'d>> {
        self.reading.as_deref_mut()
    }

    #[inline]
    fn next_leaf(&mut self) -> Option<O> {
        self.rest.split_off_first().cloned()
    }

    #[cold]
    fn leaves_ahead(&self) -> usize {
        self.after.wrapping_add(self.rest.len())
    }

    #[inline]
    fn begin_list(&mut self, _: &mut Siblings) -> Option<Siblings> {
        self.choice(Asked::Length).map(Siblings::new)
    }

    #[inline]
    fn begin_const(&mut self, _: &mut Siblings, head: &'static Head<'static>) -> Option<Siblings> {
        Some(Siblings::of(head))
    }

    #[inline]
    fn begin_any(
        &mut self,
        _: &mut Siblings,
        _: &'static [Head<'static>],
        _: &'static [&'static str],
    ) -> Option<u32> {
        self.choice(Asked::Variant)
    }

    #[inline]
    fn take_none(&mut self, _: &mut Siblings) -> bool {
        self.choice(Asked::IsNone) == Some(1)
    }
}

impl<'d, K: LeafTypes<Owned = O>, O: Clone> Rebuild<'d, K> for FromKnown<'_, 'd, '_, O> {
    #[inline]
    fn begin(&mut self, _: &mut Siblings, _: Kind) -> Option<(Head<'d>, Siblings)> {
        let at = self.choice(Asked::Head)?;
        let head = self.reading.as_ref()?.cursor.head_at(at);
        Some((head, Siblings::of(&head)))
    }

    #[inline]
    fn begin_with<H: HeadSpec>(&mut self, _: &mut Siblings, spec: &H) -> Option<Siblings> {
        u32::try_from(spec.arity()).ok().map(Siblings::new)
    }

    #[inline]
    fn peek(&mut self, _: &Siblings) -> Option<Head<'d>> {
        let at = self.choice(Asked::Next)?;
        self.reading.as_ref()?.peeked(at)
    }

    #[inline]
    fn end(&mut self, _: Siblings) -> Option<()> {
        Some(())
    }

    #[inline]
    fn leaf<T: LeafAs<K>>(&mut self, _: &mut Siblings) -> Option<T> {
        take_next_leaf(self)
    }

    #[inline]
    fn child<T: TreeBuild<K>>(&mut self, list: &mut Siblings) -> Option<T> {
        if const { !is_built_from_leaves::<K, T>() } {
            return T::build(self, list);
        }
        // In a slice of constant length, leaves are taken without a check.
        let rest = self.rest.split_off(..const { const_def::<T>().num_leaves() })?;
        let after = self.after.wrapping_add(self.rest.len());
        let reading = self.reading.as_deref_mut();
        T::build(&mut FromKnown { reading, rest, after, next_choice: NO_CHOICES }, list)
    }
}
