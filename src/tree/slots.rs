//! Visits the leaves of a tree, each with its slot in a slice.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk::{TreeWalk, VisitLanes, each, num_leaves};

/// A visitor that calls `visit` with each leaf and the next slot: a `Cell` where leaves are kept, or a new leaf.
pub(crate) struct InSlots<'s, S, F> {
    pub(crate) slots: &'s [S],
    pub(crate) visit: F,
}

/// Says that a slot is missing. Callers replace the zeros.
const FULL: Error = Error::LeavesFull { needed: 0, room: 0 };

impl<'a, 's, K, L, S, F> VisitLanes<'a, K, L, Error> for InSlots<'s, S, F>
where
    K: LeafTypes + 'a,
    L: Lanes,
    F: Fn(Leaves<'a, L, K>, &'s S) + Copy,
{
    #[inline]
    fn leaf(&mut self, leaf: Leaves<'a, L, K>) -> Result<(), Error> {
        let slot = self.slots.split_off_first();
        (self.visit)(leaf, ok!(slot.ok_or(FULL)));
        Ok(())
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: Trees<'a, L, [T]>) -> Result<(), Error> {
        let slots = ok!(self.slots.split_off(..L::first::<[T]>(&run).len()).ok_or(FULL));
        for (slot, leaf) in slots.iter().zip(each::<T, L>(run)) {
            (self.visit)(L::leaf::<K, T>(leaf), slot);
        }
        Ok(())
    }

    #[inline]
    fn fixed<T>(&mut self, list: Trees<'a, L, [T]>, _: &mut Depth) -> Result<(), Error>
    where
        T: TreeWalk<K> + 'a,
    {
        let count = const { num_leaves::<T>() };
        // Trees without leaves need no slots.
        let Some(all) = count.checked_mul(L::first::<[T]>(&list).len()) else { return Err(FULL) };
        let mut slots = ok!(self.slots.split_off(..all).ok_or(FULL));
        // Pieces of a constant length. Not `chunks_exact`: where an optimiser for size makes that a function of its own, it can
        // panic because of a length of 0.
        macro_rules! pieces_of {
            ($($count:literal)*) => {
                $(if const { num_leaves::<T>() == $count } {
                    for (slots, tree) in slots.as_chunks::<$count>().0.iter().zip(each::<T, L>(list)) {
                        visit_all::<K, T, L, S>(tree, slots, self.visit);
                    }
                    return Ok(());
                })*
            };
        }
        pieces_of!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        for tree in each::<T, L>(list) {
            let slots = ok!(slots.split_off(..count).ok_or(FULL));
            visit_all::<K, T, L, S>(tree, slots, self.visit);
        }
        Ok(())
    }
}

/// Visits the leaves of a tree that has as many as there are slots. A tree of fixed shape is not recursive, so this cannot
/// be too deep.
#[inline]
pub(crate) fn visit_all<'a, 's, K, T, L, S>(
    tree: Trees<'a, L, T>,
    slots: &'s [S],
    visit: impl Fn(Leaves<'a, L, K>, &'s S) + Copy,
) where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized + 'a,
    L: Lanes,
{
    let _ =
        T::walk_lanes::<L, Error, _>(tree, &mut Depth::default(), &mut InSlots { slots, visit });
}
