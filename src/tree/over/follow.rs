//! Trees beside those of a walk, with leaves of other types, or prefixes.

#[cfg(feature = "alloc")]
use alloc::vec::{self, Vec};

use crate::base::error::Error;
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
    /// Each with the number of leaves of the first tree that it is shown for: with one, or with those below a leaf of a prefix.
    leaves: vec::IntoIter<(Trees<'p, P, J>, usize)>,
    /// The leaf that is shown, and how often still.
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
        let mut leaves: Vec<(Trees<'p, P, J>, usize)> = Vec::new();
        beside_first::<K, T, J, U, P>(other, is_prefix, first, index, |leaf| {
            let this = core::ptr::from_ref(P::first::<J>(&leaf));
            match leaves.last_mut() {
                // Leaves of a size of zero can be at one address: they are one value.
                Some((last, count)) if is_prefix && core::ptr::eq(P::first::<J>(last), this) => {
                    *count = count.wrapping_add(1);
                }
                _ => leaves.push((leaf, 1)),
            }
        })?;
        Ok(Self { leaves: leaves.into_iter(), leaf: None, left: 0 })
    }

    /// The leaf for the next leaf of the first tree. There is always one, unless a container by hand visits too few.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Trees<'p, P, J>, Error> {
        if self.left == 0 {
            (self.leaf, self.left) =
                self.leaves.next().map_or((None, 1), |(leaf, left)| (Some(leaf), left));
        }
        self.left = self.left.wrapping_sub(1);
        P::take_or_copy::<J>(&mut self.leaf).ok_or(Error::TooFewLeaves { expected: 0, found: 0 })
    }
}
