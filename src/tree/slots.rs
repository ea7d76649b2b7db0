//! Visits the leaves of a tree, each with its slot in a slice.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::Mut;
use crate::tree::leaf_sink::{VisitLeaves, visit_leaves};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk::{TreeWalk, VisitLanes, num_leaves};

/// Calls a macro with the numbers of leaves for which slots come in pieces of a constant length. Not `chunks_exact`: where an optimiser
/// for size makes that a function of its own, it can panic because of a length of 0.
macro_rules! pieces {
    ($pieces_of:ident) => {
        $pieces_of!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    };
}

/// Keeps the leaves of a tree in a slice and returns their number. If the slice is too small, `needed` says which number
/// is enough: a caller that has the treedef need not count the leaves of the tree. `BOUNDED` is that of [`visit_leaves`].
#[inline]
pub(crate) fn keep_into<'a, K, T, S, const BOUNDED: bool>(
    tree: &'a T,
    slots: &mut [S],
    keep: impl Fn(K::Ref<'a>) -> S + Copy,
    needed: impl FnOnce() -> Result<usize, Error>,
) -> Result<usize, Error>
where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized,
{
    let room = slots.len();
    if const { T::LEAVES.is_some() } {
        // The compiler knows how many slots there are.
        let count = const { num_leaves::<T>() };
        let Some(slots) = slots.get_mut(..count) else {
            return Err(Error::LeavesFull { needed: count, room });
        };
        let _ = visit_leaves::<K, T, _, false>(tree, Keep { slots, is_full: false, keep });
        return Ok(count);
    }
    let kept = ok!(visit_leaves::<K, T, _, BOUNDED>(tree, Keep { slots, is_full: false, keep }));
    match kept.is_full {
        true => Err(Error::LeavesFull { needed: ok!(needed()), room }),
        false => Ok(room.saturating_sub(kept.slots.len())),
    }
}

/// A visitor that keeps each leaf in the next slot.
struct Keep<'s, S, F> {
    slots: &'s mut [S],
    /// Whether leaves have no slot. Then no slot is left.
    is_full: bool,
    keep: F,
}

impl<'s, S, F> Keep<'s, S, F> {
    /// The slots of the next `count` leaves.
    #[inline]
    fn next(&mut self, count: usize) -> Option<&'s mut [S]> {
        let slots = self.slots.split_off_mut(..count);
        if slots.is_none() {
            self.slots = &mut [];
            self.is_full = true;
        }
        slots
    }
}

impl<'a, K, S, F> VisitLeaves<'a, K> for Keep<'_, S, F>
where
    K: LeafTypes + 'a,
    F: Fn(K::Ref<'a>) -> S + Copy,
{
    #[inline]
    fn leaf(&mut self, leaf: K::Ref<'a>) {
        match self.slots.split_off_first_mut() {
            Some(slot) => *slot = (self.keep)(leaf),
            None => self.is_full = true,
        }
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a [T]) {
        let keep = self.keep;
        if let Some(slots) = self.next(run.len()) {
            for (slot, leaf) in slots.iter_mut().zip(run) {
                *slot = keep(T::by_ref(leaf));
            }
        }
    }

    #[inline]
    fn fixed<T: TreeWalk<K> + 'a, I: Iterator<Item = &'a T>>(&mut self, trees: I) -> Option<I> {
        let (count, keep) = (const { num_leaves::<T>() }, self.keep);
        let (len, most) = trees.size_hint();
        if most != Some(len) {
            return Some(trees);
        }
        let mut slots = self.next(count.saturating_mul(len))?;
        macro_rules! pieces_of {
            ($($count:literal)*) => {
                $(if const { num_leaves::<T>() == $count } {
                    for (slots, tree) in slots.as_chunks_mut::<$count>().0.iter_mut().zip(trees) {
                        let _ = visit_leaves::<K, T, _, false>(tree, Keep { slots, is_full: false, keep });
                    }
                    return None;
                })*
            };
        }
        pieces!(pieces_of);
        for tree in trees {
            let slots = slots.split_off_mut(..count)?;
            let _ = visit_leaves::<K, T, _, false>(tree, Keep { slots, is_full: false, keep });
        }
        None
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.is_full
    }
}

/// A visitor that calls `visit` with each leaf that is changed and the next slot: a `Cell` where references are kept, or a new leaf.
pub(crate) struct InSlots<'s, S, F> {
    pub(crate) slots: &'s [S],
    pub(crate) visit: F,
}

/// Says that a slot is missing. Callers have counted the leaves.
const FULL: Error = Error::LeavesFull { needed: 0, room: 0 };

impl<'a, 's, K, S, F> VisitLanes<'a, K, Mut, Error> for InSlots<'s, S, F>
where
    K: LeafTypes + 'a,
    F: Fn(K::Mut<'a>, &'s S) + Copy,
{
    #[inline]
    fn leaf(&mut self, leaf: K::Mut<'a>) -> Result<(), Error> {
        let slot = self.slots.split_off_first();
        (self.visit)(leaf, ok!(slot.ok_or(FULL)));
        Ok(())
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: &'a mut [T]) -> Result<(), Error> {
        let slots = ok!(self.slots.split_off(..run.len()).ok_or(FULL));
        for (slot, leaf) in slots.iter().zip(run) {
            (self.visit)(T::by_mut(leaf), slot);
        }
        Ok(())
    }

    #[inline]
    fn fixed<T>(&mut self, list: &'a mut [T], _: &mut Depth) -> Result<(), Error>
    where
        T: TreeWalk<K> + 'a,
    {
        let count = const { num_leaves::<T>() };
        // Trees without leaves need no slots.
        let Some(all) = count.checked_mul(list.len()) else { return Err(FULL) };
        let mut slots = ok!(self.slots.split_off(..all).ok_or(FULL));
        let visit = self.visit;
        // A tree of fixed shape is not recursive, so this cannot be too deep.
        let visit_all = |tree: &'a mut T, slots| {
            let mut visit = InSlots { slots, visit };
            let _ = T::walk_lanes::<Mut, Error, _>(tree, &mut Depth::default(), &mut visit);
        };
        macro_rules! pieces_of {
            ($($count:literal)*) => {
                $(if const { num_leaves::<T>() == $count } {
                    for (slots, tree) in slots.as_chunks::<$count>().0.iter().zip(list) {
                        visit_all(tree, slots);
                    }
                    return Ok(());
                })*
            };
        }
        pieces!(pieces_of);
        for tree in list {
            visit_all(tree, ok!(slots.split_off(..count).ok_or(FULL)));
        }
        Ok(())
    }
}
