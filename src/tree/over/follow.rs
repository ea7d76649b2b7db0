//! Trees beside those of a walk, with leaves of other types, or prefixes.

#[cfg(feature = "alloc")]
use alloc::vec::{self, Vec};

use crate::base::error::Error;
#[cfg(feature = "alloc")]
use crate::tree::flatten_on_heap::push_lanes;
use crate::tree::lanes::{Lanes, Leaves, Ref, Trees};
use crate::tree::leaf_types::LeafTypes;
use crate::tree::pairing::Pairing;
use crate::tree::traits::{Leaf, ZipPrefix};
use crate::tree::walk::TreeWalk;

/// Walks over another tree and the first of the trees, and shows the leaves of the other one, whose index among all trees is
/// `index`.
pub(super) fn beside_first<'p, K, T, J, U, P>(
    other: Trees<'p, P, U>,
    is_prefix: bool,
    first: &T,
    index: u32,
    mut visit: impl FnMut(Trees<'p, P, J>),
) -> Result<(), Error>
where
    K: LeafTypes,
    J: Leaf + 'p,
    T: TreeWalk<K> + ?Sized,
    U: ZipPrefix<J, K, T> + ?Sized + 'p,
    P: Lanes,
{
    let mut visit = |leaf, _: Leaves<'_, Ref, K>| {
        visit(leaf);
        Ok(())
    };
    U::zip_lanes::<P, Ref, Error>(other, first, &mut Pairing::new(is_prefix), &mut visit).map_err(
        |error| match error {
            Error::TreesDiffer { node, tree: 1 } => Error::TreesDiffer { node, tree: index },
            Error::NotPrefix { node, tree: _ } => Error::NotPrefix { node, tree: index },
            error => error,
        },
    )
}

/// The leaves of another tree, for the leaves of the first tree one after the other.
#[cfg(feature = "alloc")]
pub(super) struct Follow<'p, P: Lanes, J: 'p> {
    leaves: vec::IntoIter<Trees<'p, P, J>>,
    is_prefix: bool,
    /// The number of leaves of the first tree below each leaf of a prefix.
    counts: vec::IntoIter<usize>,
    /// The leaf of a prefix that is shown, and how often still.
    leaf: Option<Trees<'p, P, J>>,
    left: usize,
}

#[cfg(feature = "alloc")]
impl<'p, P: Lanes, J: Leaf + 'p> Follow<'p, P, J> {
    /// Begins before the first leaf of `other`, with the arguments of [`beside_first`].
    pub(super) fn new<K, T, U>(
        other: Trees<'p, P, U>,
        is_prefix: bool,
        first: &T,
        index: u32,
    ) -> Result<Self, Error>
    where
        K: LeafTypes,
        T: TreeWalk<K> + ?Sized,
        U: ZipPrefix<J, K, T> + ?Sized + 'p,
    {
        let (mut leaves, mut counts) = (Vec::new(), Vec::new());
        if is_prefix {
            let (mut last, mut count) = (core::ptr::null::<J>(), 0usize);
            beside_first::<K, T, J, U, P>(other, true, first, index, |leaf| {
                let this = core::ptr::from_ref(P::first::<J>(&leaf));
                // Leaves of a size of zero can be at one address: they are one value.
                if this != last {
                    leaves.push(leaf);
                    counts.extend((count > 0).then_some(count));
                    (last, count) = (this, 0);
                }
                count = count.wrapping_add(1);
            })?;
            counts.push(count);
        } else {
            beside_first::<K, T, J, U, Ref>(P::first::<U>(&other), false, first, index, |_| ())?;
            leaves = push_lanes::<J, U, P>(other)?;
        }
        let (leaves, counts) = (leaves.into_iter(), counts.into_iter());
        Ok(Self { leaves, is_prefix, counts, leaf: None, left: 0 })
    }

    /// The leaf for the next leaf of the first tree. There is always one, as both walks visit the same leaves.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Trees<'p, P, J>, Error> {
        let missing = Error::TooFewLeaves { expected: 0, found: 0 };
        if !self.is_prefix {
            return self.leaves.next().ok_or(missing);
        }
        if self.left == 0 {
            self.leaf = self.leaves.next();
            self.left = self.counts.next().unwrap_or(0);
        }
        self.left = self.left.wrapping_sub(1);
        P::take_or_copy::<J>(&mut self.leaf).ok_or(missing)
    }
}
