//! The source of trees that can always be built: exactly their leaves.

use core::array;

use crate::base::error::Error;
use crate::base::never::{Never, never};
use crate::encode::schema::Schema;
use crate::format::keys::Keys;
use crate::format::value::Value;
use crate::tree::build::leaves::is_leaf;
use crate::tree::build::{Place, Source, TreeBuild};
use crate::tree::leaf_types::{Holds, LeafAs, LeafTypes};
use crate::tree::vector::Vector;
use crate::tree::walk::num_leaves;
use crate::treedef::treedef::TreeDef;

/// Exactly the leaves of a tree that [never fails](TreeBuild::NEVER_FAILS), in a set of one leaf type. `spare` is one of them, where the
/// compiler cannot find that there is another.
pub(crate) struct FromLeaves<'l, O> {
    pub(crate) leaves: &'l [O],
    pub(crate) spare: &'l O,
}

impl<'l, O> FromLeaves<'l, O> {
    /// The leaves of a child, which are the next `count`.
    #[inline(always)]
    fn split(&mut self, count: usize) -> Self {
        match self.leaves.split_at_checked(count) {
            Some((leaves, rest)) => {
                self.leaves = rest;
                Self { leaves, spare: self.spare }
            }
            None => Self { leaves: self.leaves, spare: self.spare },
        }
    }
}

impl<'d, K: LeafTypes<Owned: Clone>> Source<'d, K> for FromLeaves<'_, K::Owned> {
    type Error = Never;

    #[inline(always)]
    fn begin(&mut self, _: &'static Schema) -> Result<usize, Never> {
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'d>, Never> {
        never()
    }

    fn keys(&mut self, _: usize) -> Result<Keys<'d>, Never> {
        never()
    }

    fn tree(&mut self) -> Result<TreeDef<'d>, Never> {
        never()
    }

    #[inline(always)]
    fn leaf<T: LeafAs<K>>(&mut self) -> Result<T, Never> {
        let Self { leaves, spare } = self.split(1);
        <T::Set>::cloned_leaf(leaves.first().unwrap_or(spare), never)
    }

    #[inline(always)]
    fn child<T: TreeBuild<K>>(&mut self) -> Result<T, Never> {
        if const { is_leaf::<T>() } {
            return T::build(self);
        }
        T::build(&mut self.split(const { num_leaves::<T>() }))
    }

    fn elements<T: TreeBuild<K>, C: Vector<T>>(&mut self, _: usize, _: usize) -> Result<C, Never> {
        never()
    }

    #[inline(always)]
    fn array<T: TreeBuild<K>, const N: usize>(&mut self) -> Result<[T; N], Never> {
        let count = const { num_leaves::<T>() };
        Ok(array::from_fn(|index| {
            // By index: for what is left of a slice, the compiler would check each leaf.
            let from = index.wrapping_mul(count);
            let leaves = self.leaves.get(from..from.wrapping_add(count)).unwrap_or(&[]);
            match T::build(&mut FromLeaves { leaves, spare: self.spare }) {
                Ok(element) => element,
                Err(never) => match never {},
            }
        }))
    }

    #[inline(always)]
    fn leaf_array<T: LeafAs<K>, const N: usize>(&mut self) -> Result<[T; N], Never> {
        match <T::Set>::cloned_leaves(self.leaves) {
            Some(leaves) => Ok(leaves),
            None => Ok(array::from_fn(|_| match <T::Set>::cloned_leaf(self.spare, never) {
                Ok(leaf) => leaf,
                Err(never) => match never {},
            })),
        }
    }

    fn refuse<T>(&mut self, _: Place) -> Result<T, Never> {
        never()
    }

    fn fail<T>(&mut self, _: Error) -> Result<T, Never> {
        never()
    }
}
