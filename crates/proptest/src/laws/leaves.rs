//! Checks the laws of reading leaves and of changing them in place.

use std::fmt::Debug;
use std::slice;

use proptest::test_runner::TestCaseResult;
use treedef::tree::{TreeRead, TreeWrite, leaf, leaf_mut, muts_into, refs_into};
use treedef::{Error, Leaf, Tree, flatten_into, over};

use super::observe::{both, leaves_of, rewritten, room};
use super::report::{done, equal, same};

/// Checks the laws of reading: every way to read gives the same leaves in the same order, and their number is that of
/// the described structure.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::reading::<f32, _>(&[1.0f32, 2.0].as_slice()).unwrap();
/// ```
pub fn reading<L, T>(value: &T) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: TreeRead<L>,
{
    let law = "every way to read gives the same leaves in the same order";
    let leaves = leaves_of::<L, T>(value)?;
    let mut refs = vec![None::<&L>; leaves.len()];
    done(law, "refs_into", refs_into(value, &mut refs))?;
    let refs: Vec<_> = refs.into_iter().flatten().cloned().collect();
    same(law, ("refs_into", &refs), ("for_each", &leaves))?;
    let mut bytes = room(value)?;
    let mut flat: Vec<_> = leaves.iter().rev().cloned().collect();
    done(law, "flatten_into", flatten_into(value, &mut bytes, &mut flat))?;
    same(law, ("flatten_into", &flat), ("for_each", &leaves))?;
    let mut runs = Vec::new();
    let each = over(value).runs().for_each(|run: &[L]| runs.extend_from_slice(run));
    done(law, "for_each_run", each)?;
    same(law, ("for_each_run", &runs), ("for_each", &leaves))?;
    let mut each = Vec::new();
    done(law, "for_each", over(value).for_each(|leaf: &L| each.push(leaf.clone())))?;
    same(law, ("for_each again", &each), ("for_each", &leaves))
}

/// Checks the laws of writing in place, for the value and for a value that is built with its structure: every leaf can
/// be changed, in the order of reading, and is found by its index.
///
/// `leaves` has a new leaf for each leaf of the value.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::writing(&[1.0f32, 2.0], &[3.0, 4.0]).unwrap();
/// ```
pub fn writing<L, T>(value: &T, leaves: &[L]) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + Clone,
{
    let law = "leaves are changed in the order in which they are read";
    let reversed: Vec<_> = leaves.iter().rev().cloned().collect();
    for mut tree in both(value, leaves)? {
        let mut slots: Vec<_> = leaves.iter().map(|_| None::<&mut L>).collect();
        done(law, "muts_into", muts_into(&mut tree, &mut slots))?;
        let found: Vec<_> = slots.iter().flatten().map(|leaf| (**leaf).clone()).collect();
        same(law, ("muts_into", &found), ("for_each", leaves))?;
        let (mut list, mut runs) = ([tree.clone(), tree.clone()], Vec::new());
        let each = over(&mut list).runs().for_each(|run: &mut [L]| runs.extend_from_slice(run));
        done(law, "for_each_run_mut", each)?;
        let twice = [leaves, leaves].concat();
        same(law, ("for_each_run_mut of a list", &runs), ("for_each", &twice))?;
        found_by_index(&mut tree, leaves)?;
        rewritten(&tree, &reversed)?;
    }
    Ok(())
}

/// Checks that leaves are found by their index, and none after the last. Of many leaves it takes about 16.
fn found_by_index<L, T>(tree: &mut T, leaves: &[L]) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: TreeRead<L> + TreeWrite<L>,
{
    let law = "a leaf is found by its index";
    let (step, found) = (leaves.len().div_ceil(16).max(1), leaves.len());
    for (index, wanted) in leaves.iter().enumerate().step_by(step) {
        let read: &L = done(law, "leaf", leaf(tree, index))?;
        same(law, ("leaf", slice::from_ref(read)), ("for_each", slice::from_ref(wanted)))?;
        let changed: &mut L = done(law, "leaf_mut", leaf_mut(tree, index))?;
        same(law, ("leaf_mut", slice::from_ref(changed)), ("for_each", slice::from_ref(wanted)))?;
    }
    let few = Err(Error::TooFewLeaves { expected: found.saturating_add(1), found });
    equal(law, ("leaf after the last", leaf::<L, T>(tree, found).map(|_| ())), ("error", few))
}
