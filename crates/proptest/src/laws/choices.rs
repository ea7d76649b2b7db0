//! Checks the laws of choices.

use std::fmt::Debug;

use proptest::test_runner::{TestCaseError, TestCaseResult};
use treedef::tree::choices::{choices_into, choices_of, expand_into, has_choices};
use treedef::tree::{LeafTypes, NoLeaves, TreeBuild, TreeWalk, mixed};
use treedef::{Error, TreeDef};

use super::observe::{described, given, room, treedef};
use super::others::built;
use super::report::{done, equal, same};

/// Checks the laws of a type that has a schema: what its [choices](treedef::tree::choices) mean.
///
/// [`check`](super::check) does not ask for them, because it also takes types without a schema. For such a type this function does not
/// compile. `K` is the leaf type, or a set of leaf types.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// use treedef_proptest::laws;
///
/// let settings = (Some(1.0f32), heapless::Vec::<Option<f32>, 4>::from_array([None, Some(2.0)]));
/// laws::check(&settings, |i| i as f32).unwrap();
/// laws::check_choices::<f32, _>(&settings).unwrap();
/// ```
pub fn check_choices<K, T>(value: &T) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWalk<K> + TreeWalk<NoLeaves> + TreeBuild<K>,
{
    let bytes = described(value)?;
    let (def, leaves) = (treedef(&bytes)?, given::<K, T>(value));
    let choices = chosen(value, def)?;
    equal(CHOICES, ("has_choices", has_choices(value, &choices)), ("wanted", true))?;

    let law = "choices and the schema say the structure";
    let mut expanded = room(value)?;
    let expanded = done(law, "expand_into", expand_into::<T>(&choices, &mut expanded))?;
    equal(law, ("expand_into", expanded), ("described", def))?;

    let law = "what is built of choices has the structure and the leaves they were taken of";
    let tree: T =
        done(law, "unflatten_choices", mixed::unflatten_choices::<K, T>(&choices, &leaves))?;
    let found = described(&tree)?;
    equal(law, ("built", treedef(&found)?), ("described", def))?;
    same(law, ("built", &given::<K, T>(&tree)), ("walk", &leaves))?;

    let law = "choices are equal exactly if the structures are";
    for (bytes, tree) in built::<K, T>(def, &leaves) {
        let other = treedef(&bytes)?;
        let others = chosen(&tree, other)?;
        let is_same = ("structures are equal", def == other);
        equal(law, ("choices are equal", choices == others), is_same)?;
        equal(law, ("has_choices", has_choices(value, &others)), is_same)?;
    }
    Ok(())
}

const CHOICES: &str = "the choices of a value are those that are read from its structure";

/// The choices of a value, which are those that are read from its structure.
fn chosen<T>(value: &T, def: TreeDef<'_>) -> Result<Vec<u8>, TestCaseError>
where
    T: TreeWalk<NoLeaves>,
{
    let walked = all(|bytes| choices_into(value, bytes));
    let walked = done(CHOICES, "choices_into", walked)?;
    let read = done(CHOICES, "choices_of", all(|bytes| choices_of::<T>(def, bytes)))?;
    equal(CHOICES, ("choices_into", &walked), ("choices_of", &read))?;
    Ok(walked)
}

/// All that a function writes into a buffer that is large enough.
fn all(write: impl Fn(&mut [u8]) -> Result<usize, Error>) -> Result<Vec<u8>, Error> {
    let needed = match write(&mut []) {
        Err(Error::BufferFull { needed, .. }) => needed,
        written => written?,
    };
    let mut bytes = vec![0; needed];
    write(&mut bytes)?;
    Ok(bytes)
}
