//! Checks the laws of describing a structure.

use proptest::test_runner::{TestCaseError, TestCaseResult};
use treedef::encode::fits;
use treedef::tree::{HasSchema, NoLeaves, Structure, TreeWalk};
use treedef::{Error, TreeDef, matches, structure_into};

use super::observe::{described, treedef};
use super::others::{list, others};
use super::report::equal;

/// Checks the laws of [`Structure`]: every description gives the same treedef, and the constants of the type agree with it.
///
/// So buffers of [`max_leaves`](treedef::tree::max_leaves) and [`max_bytes`](treedef::tree::max_bytes) have room for each value:
/// both follow from the [`SCHEMA`](HasSchema::SCHEMA), which the treedef [fits](treedef::encode::fits).
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::structure(&(1.0f32, Some("leaf".len()))).unwrap();
/// ```
pub fn structure<T: TreeWalk<NoLeaves>>(value: &T) -> TestCaseResult {
    let law = "a structure is described the same each time, within its bound";
    let bytes = described(value)?;
    let def = treedef(&bytes)?;
    let again = described(value)?;
    equal(law, ("first", def), ("second", treedef(&again)?))?;
    if let Some(room) = bytes.len().checked_sub(1) {
        let mut short = vec![0; room];
        let found = structure_into(value, &mut short);
        equal(law, ("one byte less", found), ("wanted", Err(Error::Full { room })))?;
    }

    let law = "the number of leaves and the constants are those of the described structure";
    let count = def.num_leaves();
    equal(law, ("num_leaves", value.num_leaves()), ("described", Ok(count)))?;
    if let Some(leaves) = T::LEAVES {
        equal(law, ("LEAVES", leaves), ("described", count))?;
    }
    if let Some(constant) = T::TREEDEF {
        equal(law, ("TREEDEF", constant), ("described", def))?;
    }

    fitting::<T>(def)?;

    let law = "a value matches its own treedef and no other";
    equal(law, ("its own", matches(value, def)), ("wanted", Ok(())))?;
    for other in others(def) {
        let other = treedef(&other)?;
        let found = matches(value, other).is_err();
        equal(law, (&format!("matches refuses {other} for {def}"), found), ("wanted", true))?;
    }

    let law = "in a list, elements are described one after the other";
    let pair = described(&[value, value])?;
    equal(law, ("described", treedef(&pair)?), ("wanted", treedef(&list(&[def, def])?)?))
}

/// Checks that a value of the type can have this treedef, by its `SCHEMA`.
pub(super) fn fitting<T: HasSchema>(def: TreeDef<'_>) -> TestCaseResult {
    fits::<T>(def).map_err(|error| {
        let law = "the treedef of each value fits its type, by the `SCHEMA`";
        let why = error.explain_type::<T>(def);
        TestCaseError::fail(format!("{law}\n  described: {def}\n  fits: {why}"))
    })
}
