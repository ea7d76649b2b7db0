//! Visits the leaves of a tree, each with its slot in a slice.

use crate::base::attempt::ok;
use crate::base::error::Error;
use crate::encode::depth::Depth;
use crate::tree::lanes::{Lanes, Leaves, Trees};
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::walk::{TreeWalk, VisitLanes, each, num_leaves};

/// A slice with a slot for each leaf: `&mut [S]` where leaves are kept, `&[S]` where new leaves come from.
pub(crate) trait Slots: Sized {
    type Slot;

    /// Takes the first slots.
    fn take(&mut self, count: usize) -> Option<Self>;

    fn each(self) -> impl Iterator<Item = Self::Slot>;

    /// Pieces of a constant length. Not `chunks_exact`: where an optimiser for size makes that a function of its own, it can
    /// panic because of a length of 0.
    fn pieces<const N: usize>(self) -> impl Iterator<Item = Self>;
}

impl<'s, S> Slots for &'s mut [S] {
    type Slot = &'s mut S;

    #[inline]
    fn take(&mut self, count: usize) -> Option<Self> {
        self.split_off_mut(..count)
    }

    #[inline]
    fn each(self) -> impl Iterator<Item = &'s mut S> {
        self.iter_mut()
    }

    #[inline]
    fn pieces<const N: usize>(self) -> impl Iterator<Item = Self> {
        self.as_chunks_mut::<N>().0.iter_mut().map(|piece| piece.as_mut_slice())
    }
}

impl<'s, S> Slots for &'s [S] {
    type Slot = &'s S;

    #[inline]
    fn take(&mut self, count: usize) -> Option<Self> {
        self.split_off(..count)
    }

    #[inline]
    fn each(self) -> impl Iterator<Item = &'s S> {
        self.iter()
    }

    #[inline]
    fn pieces<const N: usize>(self) -> impl Iterator<Item = Self> {
        self.as_chunks::<N>().0.iter().map(|piece| piece.as_slice())
    }
}

/// A visitor that calls `visit` with each leaf and the next slot.
pub(crate) struct InSlots<R, F> {
    pub(crate) slots: R,
    pub(crate) visit: F,
}

/// Says that a slot is missing. Callers replace the zeros.
const FULL: Error = Error::LeavesFull { needed: 0, room: 0 };

impl<'a, K, L, R, F> VisitLanes<'a, K, L, Error> for InSlots<R, F>
where
    K: LeafTypes + 'a,
    L: Lanes,
    R: Slots,
    F: Fn(Leaves<'a, L, K>, R::Slot) + Copy,
{
    #[inline]
    fn leaf(&mut self, leaf: Leaves<'a, L, K>) -> Result<(), Error> {
        let slot = self.slots.take(1).and_then(|slots| slots.each().next());
        (self.visit)(leaf, ok!(slot.ok_or(FULL)));
        Ok(())
    }

    #[inline]
    fn run<T: LeafAs<K> + 'a>(&mut self, run: Trees<'a, L, [T]>) -> Result<(), Error> {
        let slots = ok!(self.slots.take(L::first::<[T]>(&run).len()).ok_or(FULL));
        for (slot, leaf) in slots.each().zip(each::<T, L>(run)) {
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
        let mut slots = ok!(self.slots.take(all).ok_or(FULL));
        macro_rules! pieces_of {
            ($($count:literal)*) => {
                $(if const { num_leaves::<T>() == $count } {
                    for (slots, tree) in slots.pieces::<$count>().zip(each::<T, L>(list)) {
                        visit_all::<K, T, L, R>(tree, slots, self.visit);
                    }
                    return Ok(());
                })*
            };
        }
        pieces_of!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        for tree in each::<T, L>(list) {
            let slots = ok!(slots.take(count).ok_or(FULL));
            visit_all::<K, T, L, R>(tree, slots, self.visit);
        }
        Ok(())
    }
}

/// Visits the leaves of a tree that has as many as there are slots. A tree of fixed shape is not recursive, so this cannot
/// be too deep.
#[inline]
pub(crate) fn visit_all<'a, K, T, L, R>(
    tree: Trees<'a, L, T>,
    slots: R,
    visit: impl Fn(Leaves<'a, L, K>, R::Slot) + Copy,
) where
    K: LeafTypes + 'a,
    T: TreeWalk<K> + ?Sized + 'a,
    L: Lanes,
    R: Slots,
{
    let _ = T::walk_lanes::<L, Error>(tree, &mut Depth::default(), &mut InSlots { slots, visit });
}
