//! What trees that are written by hand call: sinks, rebuilds, depths.

use core::hint::black_box;

use treedef::{
    Accepts, Build, Depth, Describe, Encode, Error, Family, Kind, ListOf, Rebuild, Shape, Siblings,
    Source, Structure, TreeDef, TupleOf, build_fixed, matches, shift_leaf, structure_bound,
    structure_into, unflatten,
};

use super::{Done, keep};

/// `(*, None, [*, *])`, all of it by hand.
struct Manual<T>([T; 3]);

impl<T: Structure> Structure for Manual<T> {
    const SHAPE: &'static Shape = &Shape::Varies;

    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        let leaf = black_box(TreeDef::LEAF);
        Describe::node(out, &TupleOf(3), |out| {
            Describe::subtree(out, leaf)?;
            Describe::none(out)?;
            Describe::node(out, &ListOf(2), |out| {
                Describe::leaves(out, 1)?;
                Describe::repeat(out, 1)
            })
        })
    }

    fn num_leaves(&self) -> Result<usize, Error> {
        Ok(3)
    }
}

impl<K: Family, T: Build<K>> Build<K> for Manual<T>
where
    K: Accepts<T>,
{
    fn take_leaves<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        self.0.take_leaves(depth, visit)
    }

    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error> {
        keep(Rebuild::peek(rebuild, list));
        keep(Rebuild::mismatch(rebuild));
        keep(Rebuild::full(rebuild, black_box(3)));
        let mut children = Rebuild::begin_with(rebuild, list, &TupleOf(3))?;
        let first = Rebuild::leaf(rebuild, &mut children)?;
        Rebuild::none(rebuild, &mut children)?;
        let (head, mut pair) = Rebuild::begin(rebuild, &mut children, Kind::List)?;
        keep(head);
        let second = match build_fixed(rebuild, &mut pair)? {
            Some(second) => second,
            None => Rebuild::leaf(rebuild, &mut pair)?,
        };
        let third = Rebuild::leaf(rebuild, &mut pair)?;
        Rebuild::end(rebuild, pair)?;
        Rebuild::end(rebuild, children)?;
        Ok(Self([first, second, third]))
    }

    fn from_leaves<S: Source<K>>(leaves: &[K::Owned]) -> Result<Self, Error> {
        shift_leaf(<[T; 3]>::from_leaves::<S>(leaves), 0).map(Self)
    }
}

/// A list of numbers that keeps their sum.
struct Total(f32);

impl FromIterator<f32> for Total {
    fn from_iter<I: IntoIterator<Item = f32>>(numbers: I) -> Self {
        Self(numbers.into_iter().sum())
    }
}

impl Structure for Total {
    fn describe<E: Encode>(&self, out: &mut Describe<'_, E>) -> Result<(), Error> {
        Describe::node(out, &ListOf(1), |out| Describe::leaves(out, 1))
    }
}

impl<K: Family + Accepts<f32>> Build<K> for Total {
    fn take_leaves<E: From<Error>>(
        self,
        depth: &mut Depth,
        visit: &mut impl FnMut(K::Owned) -> Result<(), E>,
    ) -> Result<(), E> {
        <f32 as Build<K>>::take_leaves(self.0, depth, visit)
    }

    fn build<S: Source<K>>(
        rebuild: &mut Rebuild<'_, K, S>,
        list: &mut Siblings,
    ) -> Result<Self, Error> {
        Rebuild::collect(rebuild, list, Kind::List)
    }
}

/// A tree by hand, rebuilt.
pub(super) fn rebuild() -> Done {
    let mut bytes = [0; 16];
    let def = structure_into(&Manual([1.0f32; 3]), black_box(&mut bytes)).ok()?;
    let tree: Manual<f32> = unflatten(black_box(def), black_box(&[1.0f32, 2.0, 3.0])).ok()?;
    keep(tree.0);
    let def = structure_into(&[1.0f32; 3], black_box(&mut bytes)).ok()?;
    let total: Total = unflatten(black_box(def), black_box(&[1.0f32, 2.0, 3.0])).ok()?;
    keep(total.0);
    keep(shift_leaf::<()>(Err(Error::WrongLeaf { leaf: black_box(1) }), black_box(2)).err()?);
    Some(())
}

/// A tree by hand, described to every encoder.
pub(super) fn describe() -> Done {
    let tree = black_box(Manual([1.0f32; 3]));
    let mut bytes = [0; 16];
    keep(structure_bound(&tree).ok()?);
    let def = structure_into(&tree, black_box(&mut bytes)).ok()?;
    matches(&tree, black_box(def)).ok()?;
    let mut depth = Depth::new(black_box(1));
    Depth::enter(&mut depth).ok()?;
    keep(Depth::enter(&mut depth).err()?);
    Depth::pass(&mut depth);
    keep(Depth::mismatch(&depth));
    Depth::leave(&mut depth);
    Some(())
}
