//! Where the leaves of trees that are built come from, and why one is not built.

use crate::base::error::Error;
use crate::encode::schema::Schema;
use crate::encode::structure::HasSchema;
use crate::tree::build::TreeBuild;
use crate::tree::leaf_types::{LeafAs, LeafTypes};
use crate::tree::vector::Vector;
use crate::tree::walk::num_leaves;

/// The error of sources that can fail: they keep what is wrong.
#[derive(Debug)]
pub(crate) struct Kept;

/// Where leaves of a set `K` come from.
pub(crate) trait LeafSource<K: LeafTypes> {
    /// Whether they are in a slice. Then trees are built from a part of it at once, by the other methods.
    const IN_SLICE: bool = false;

    /// The next leaf.
    fn next(&mut self) -> Option<K::Owned>;

    /// The next leaf, which is a `T`.
    #[inline]
    fn leaf<T: LeafAs<K>>(&mut self) -> Option<T> {
        self.next().and_then(T::leaf)
    }

    /// How many leaves are left at most, as far as that is known.
    fn left(&self) -> usize {
        usize::MAX
    }

    /// For how many of these elements room is reserved, each of which has a leaf or is small.
    fn to_reserve(&self, count: usize) -> usize {
        if Self::IN_SLICE { count.min(self.left()) } else { 0 }
    }

    /// A tree of constant structure from the next leaves.
    fn constant<T: TreeBuild<K>>(&mut self) -> Result<T, Stopped> {
        Err(Stopped::default())
    }

    /// A vector of `count` trees of constant structure. Without room the error is `None`.
    fn constants<T: TreeBuild<K>, C: Vector<T>>(&mut self, _: usize) -> Result<C, Option<Stopped>> {
        Err(None)
    }

    /// Appends `count` trees that have the same choices, and `leaves` leaves each.
    fn copies<T: TreeBuild<K>, C: Vector<T>>(
        &mut self,
        _choices: &[u8],
        (_count, _leaves): (usize, usize),
        _elements: &mut C,
    ) -> Result<(), Option<Stopped>> {
        Err(None)
    }
}

/// Leaves of an iterator.
pub(crate) struct Moved<I>(pub(crate) I);

impl<K: LeafTypes, I: Iterator<Item = K::Owned>> LeafSource<K> for Moved<I> {
    #[inline]
    fn next(&mut self) -> Option<K::Owned> {
        self.0.next()
    }
}

/// Why a value of known choices could not be built, and at which leaf.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stopped {
    pub(crate) why: Why,
    /// How many leaves there are after the last that was taken. If a value was refused, how many there are from the first leaf of the
    /// tree on that it is in.
    pub(crate) left: usize,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Why {
    /// The last leaf that was taken is of another type.
    #[default]
    Leaf,
    Refused,
    Error(Error),
}

impl Stopped {
    /// The same for the tree around: what could not be built is a part of `count` leaves, after which there are `after` others.
    pub(crate) const fn within(self, count: usize, after: usize) -> Self {
        let own = if let Why::Refused = self.why { count } else { self.left };
        Self { left: own.wrapping_add(after), ..self }
    }
}

/// How a source that can fail makes children: of constant structure, if the leaves are in a slice, from exactly their leaves.
macro_rules! children {
    () => {
        #[inline]
        fn child<T: TreeBuild<K>>(&mut self) -> Result<T, Kept> {
            if const { crate::tree::build::leaves::is_leaf::<T>() } {
                return T::build(self);
            }
            match const { L::IN_SLICE && T::TREEDEF.is_some() } {
                true => self.constant(),
                false => self.inside(),
            }
        }

        #[inline]
        fn leaf_array<T: LeafAs<K>, const N: usize>(&mut self) -> Result<[T; N], Kept> {
            crate::base::slices::try_array_of(|_| self.leaf(), || Kept)
        }
    };
}
pub(crate) use children;

/// Whether a `T` is a leaf, which no repeat announces.
pub(crate) const fn is_leaf<T: HasSchema>() -> bool {
    matches!(T::SCHEMA, Schema::Leaf(..))
}

/// Whether vectors of a `T` are built from exactly their leaves.
pub(crate) const fn is_chunk<T: HasSchema>() -> bool {
    T::TREEDEF.is_some() && num_leaves::<T>() > 0
}
