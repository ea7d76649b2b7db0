//! Checks the laws of building a value and of taking it apart.

use std::fmt::Debug;

use proptest::test_runner::TestCaseResult;
use treedef::container::{Depth, Mut, Schema, Source};
use treedef::tree::{HasSchema, LeafTypes, NoLeaves, TreeBuild, TreeWalk, TreeWrite, mixed};
use treedef::{Error, TreeDef};

use super::observe::{choices_of, described, leaves_of, treedef};
use super::others::{built, list};
use super::report::{done, equal, same};
use super::structure::fitting;

/// Checks the laws of building and taking apart: building returns a value with the given structure and leaves, or an
/// error; leaves are changed and taken out in the order in which they are read.
///
/// `leaves` has one leaf for each leaf of the value.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::building::<f32, _>(&Some(1.0f32), &[2.0]).unwrap();
/// ```
pub fn building<K, T>(value: &T, leaves: &[K::Owned]) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWrite<K> + TreeBuild<K> + TreeWalk<NoLeaves> + Clone,
{
    let law = "what is built has the structure and the leaves it was built from";
    let bytes = described(value)?;
    let def = treedef(&bytes)?;
    let copied: T = done(law, "unflatten", mixed::unflatten::<K, _>(def, leaves))?;
    let moved: T =
        done(law, "unflatten_from", mixed::unflatten_from::<K, _>(def, leaves.to_vec()))?;
    // A type of fixed structure takes its leaves at once, unless it is inside a container that reads node by node.
    let alone = list(&[def])?;
    let read: [Alone<T>; 1] =
        done(law, "unflatten", mixed::unflatten::<K, _>(treedef(&alone)?, leaves))?;
    let [Alone(read)] = &read;
    for (how, tree) in [("unflatten", &copied), ("unflatten_from", &moved), ("build", read)] {
        let found = described(tree)?;
        equal(law, (how, treedef(&found)?), ("from", def))?;
        same(law, (how, &leaves_of::<K, T>(tree)?), ("from", leaves))?;
    }

    let law = "in a list, elements are read one after the other";
    let pair = [copied, moved];
    let twice = [leaves, leaves].concat();
    same(law, ("read", &leaves_of::<K, [T; 2]>(&pair)?), ("wanted", &twice))?;

    pair.into_iter().try_for_each(taking::<K, T>)?;
    // The value itself is checked too: a built value can be in another state, such as a ring buffer that begins at its
    // front.
    taking::<K, T>(value.clone())?;

    wrong_numbers::<K, T>(def, leaves)?;
    other_structures::<K, T>(value, def, leaves)
}

/// A tree in a container that has only the methods it must have. If its structure is fixed, the tree is built node by node.
struct Alone<T>(T);

impl<T: HasSchema> HasSchema for Alone<T> {
    const SCHEMA: &'static Schema = T::SCHEMA;
    const NULLABLE: bool = T::NULLABLE;
    const LEAVES: Option<usize> = T::LEAVES;
    // Without it, the tree is not built from a chunk of leaves.
    const TREEDEF: Option<TreeDef<'static>> = None;
}

impl<K: LeafTypes, T: TreeBuild<K>> TreeBuild<K> for Alone<T> {
    fn take_leaves(self, visit: &mut impl FnMut(K::Owned)) {
        self.0.take_leaves(visit);
    }

    fn build<'d, S: Source<'d, K>>(from: &mut S) -> Result<Self, S::Error> {
        T::build(from).map(Self)
    }
}

/// Checks that leaves are changed and taken out in the order in which they are read.
fn taking<K, T>(mut tree: T) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWrite<K> + TreeBuild<K> + TreeWalk<NoLeaves>,
{
    let law = "leaves are changed and taken out in the order in which they are read";
    let leaves = leaves_of::<K, T>(&tree)?;
    let mut count = 0usize;
    let each = <T as TreeWalk<K>>::walk_lanes::<Mut, Error, _>(
        &mut tree,
        &mut Depth::default(),
        &mut |_| {
            count += 1;
            Ok(())
        },
    );
    done(law, "walk_lanes", each)?;
    equal(law, ("leaves to change", count), ("leaves to read", leaves.len()))?;
    let mut taken = Vec::new();
    tree.take_leaves(&mut |leaf| taken.push(leaf));
    same(law, ("take_leaves", &taken), ("for_each", &leaves))
}

/// Checks that one leaf too few and one leaf too many are errors.
fn wrong_numbers<K, T>(def: TreeDef<'_>, leaves: &[K::Owned]) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWrite<K> + TreeBuild<K>,
{
    let law = "too few and too many leaves are errors";
    let (expected, Some((last, fewer))) = (leaves.len(), leaves.split_last()) else {
        return Ok(());
    };
    let error = |found| match found < expected {
        true => Err(Error::TooFewLeaves { expected, found }),
        false => Err(Error::TooManyLeaves { expected, found }),
    };
    let more = [leaves, std::slice::from_ref(last)].concat();
    for leaves in [fewer, &more] {
        let (how, wanted) = (format!("{} leaves", leaves.len()), ("wanted", error(leaves.len())));
        let copied = mixed::unflatten::<K, T>(def, leaves).map(drop);
        equal(law, (&format!("unflatten with {how}"), copied), wanted)?;
        let moved = mixed::unflatten_from::<K, T>(def, leaves.to_vec()).map(drop);
        equal(law, (&format!("unflatten_from with {how}"), moved), wanted)?;
    }
    Ok(())
}

/// Checks that building from a similar treedef is an error, or returns a value with that treedef, which is not taken for a copy
/// of its neighbour in a list.
fn other_structures<K, T>(value: &T, def: TreeDef<'_>, leaves: &[K::Owned]) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeBuild<K> + TreeWalk<NoLeaves>,
{
    let law = "what is built has the structure it was built from, or there is an error";
    for (other, tree) in built::<K, T>(def, leaves) {
        let (other, found) = (treedef(&other)?, described(&tree)?);
        equal(law, ("built", treedef(&found)?), ("from", other))?;
        fitting::<T>(other)?;
        let law = "the choices of two values are equal exactly if their structures are";
        let same = ("choices are equal", choices_of(value) == choices_of(&tree));
        equal(law, same, ("structures are equal", def == other))?;
        let law = "in a list, elements are described one after the other";
        for (pair, wanted) in [([value, &tree], [def, other]), ([&tree, value], [other, def])] {
            let (found, wanted) = (described(&pair)?, list(&wanted)?);
            equal(law, ("described", treedef(&found)?), ("wanted", treedef(&wanted)?))?;
        }
    }
    Ok(())
}
