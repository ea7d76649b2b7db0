//! Checks the laws of building a value and of taking it apart.

use alloc::format;
use alloc::vec::Vec;
use core::fmt::Debug;

use ::proptest::test_runner::TestCaseResult;

use super::observe::{described, leaves_of, treedef};
use super::others::others;
use super::report::{done, equal, same};
use crate::base::error::Error;
use crate::encode::depth::{Depth, MAX_DEPTH};
use crate::tree::flatten::{take_into, unflatten, unflatten_from};
use crate::tree::lanes::Mut;
use crate::tree::leaf_types::{CloneLeaves, LeafItem};
use crate::tree::rebuild::Rebuild;
use crate::tree::source::NextOnly;
use crate::tree::traits::{Tree, TreeBuild};
use crate::treedef::cursor::Siblings;
use crate::treedef::treedef::TreeDef;

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
/// treedef::strategies::laws::building::<f32, _>(&Some(1.0f32), &[2.0]).unwrap();
/// ```
pub fn building<K, T>(value: &T, leaves: &[K::Owned]) -> TestCaseResult
where
    K: CloneLeaves<Owned: LeafItem<LeafTypes = K> + Clone + PartialEq + Debug>,
    T: Tree<K> + Clone,
{
    let law = "what is built has the structure and the leaves it was built from";
    let bytes = described(value)?;
    let def = treedef(&bytes)?;
    let copied: T = done(law, "unflatten", unflatten(def, leaves))?;
    let moved: T = done(law, "unflatten_from", unflatten_from(def, leaves.to_vec()))?;
    // A type of fixed structure takes its leaves at once, unless it is inside a container that reads node by node.
    let mut next = leaves.iter().cloned();
    let source = NextOnly(&mut || next.next());
    let read = T::build(&mut Rebuild::<K, _>::new(def, source, MAX_DEPTH), &mut Siblings::root());
    let read = done(law, "build", read)?;
    for (how, tree) in [("unflatten", &copied), ("unflatten_from", &moved), ("build", &read)] {
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

    copies::<K, T>(value, leaves)?;
    wrong_numbers::<K, T>(def, leaves)?;
    other_structures::<K, T>(def, leaves)
}

/// Checks that the copies of an element, which are built like it, get their own leaves: in a list of pairs.
fn copies<K, T>(value: &T, leaves: &[K::Owned]) -> TestCaseResult
where
    K: CloneLeaves<Owned: LeafItem<LeafTypes = K> + Clone + PartialEq + Debug>,
    T: Tree<K>,
{
    let law = "the copies of an element are built like it, from their own leaves";
    let bytes = described(&[(value, value), (value, value), (value, value)])?;
    let def = treedef(&bytes)?;
    let leaves: Vec<_> = core::iter::repeat_n(leaves, 6).flatten().cloned().collect();
    let copied: Vec<(T, T)> = done(law, "unflatten", unflatten(def, &leaves))?;
    let moved: Vec<(T, T)> = done(law, "unflatten_from", unflatten_from(def, leaves.clone()))?;
    for (how, list) in [("unflatten", copied), ("unflatten_from", moved)] {
        same(law, (how, &leaves_of::<K, Vec<(T, T)>>(&list)?), ("from", &leaves))?;
    }
    Ok(())
}

/// Checks that leaves are changed and taken out in the order in which they are read.
fn taking<K, T>(mut tree: T) -> TestCaseResult
where
    K: CloneLeaves<Owned: LeafItem<LeafTypes = K> + Clone + PartialEq + Debug>,
    T: Tree<K>,
{
    let law = "leaves are changed and taken out in the order in which they are read";
    let leaves = leaves_of::<K, T>(&tree)?;
    let mut count = 0usize;
    let each = T::walk_lanes::<Mut, Error>(&mut tree, &mut Depth::default(), &mut |_| {
        count += 1;
        Ok(())
    });
    done(law, "walk_lanes", each)?;
    equal(law, ("leaves to change", count), ("leaves to read", leaves.len()))?;
    let mut taken: Vec<_> = leaves.iter().map(|_| None).collect();
    done(law, "take_into", take_into(tree, &mut taken))?;
    let taken: Vec<_> = taken.into_iter().flatten().collect();
    same(law, ("take_into", &taken), ("for_each", &leaves))
}

/// Checks that one leaf too few and one leaf too many are errors.
fn wrong_numbers<K, T>(def: TreeDef<'_>, leaves: &[K::Owned]) -> TestCaseResult
where
    K: CloneLeaves<Owned: LeafItem<LeafTypes = K> + Clone + PartialEq + Debug>,
    T: Tree<K>,
{
    let law = "too few and too many leaves are errors";
    let (expected, Some((last, fewer))) = (leaves.len(), leaves.split_last()) else {
        return Ok(());
    };
    let error = |found| match found < expected {
        true => Err(Error::TooFewLeaves { expected, found }),
        false => Err(Error::TooManyLeaves { expected, found }),
    };
    let more = [leaves, core::slice::from_ref(last)].concat();
    for leaves in [fewer, &more] {
        let (how, wanted) = (format!("{} leaves", leaves.len()), ("wanted", error(leaves.len())));
        let copied = unflatten::<K::Owned, T>(def, leaves).map(drop);
        equal(law, (&format!("unflatten with {how}"), copied), wanted)?;
        let moved = unflatten_from::<K::Owned, _, T>(def, leaves.to_vec()).map(drop);
        equal(law, (&format!("unflatten_from with {how}"), moved), wanted)?;
    }
    Ok(())
}

/// Checks that building from a similar treedef is an error, or returns a value with that treedef.
fn other_structures<K, T>(def: TreeDef<'_>, leaves: &[K::Owned]) -> TestCaseResult
where
    K: CloneLeaves<Owned: LeafItem<LeafTypes = K> + Clone + PartialEq + Debug>,
    T: TreeBuild<K>,
{
    let law = "what is built has the structure it was built from, or there is an error";
    for other in others(def) {
        let other = treedef(&other)?;
        if other.num_leaves() > 2 * leaves.len() + 1 {
            continue;
        }
        let leaves: Vec<_> = leaves.iter().cycle().take(other.num_leaves()).cloned().collect();
        if let Ok(tree) = unflatten_from::<K::Owned, _, T>(other, leaves) {
            let found = described(&tree)?;
            equal(law, ("built", treedef(&found)?), ("from", other))?;
        }
    }
    Ok(())
}
