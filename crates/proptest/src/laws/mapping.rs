//! Checks the laws of maps and of trees that are walked together.

use std::fmt::Debug;

use proptest::test_runner::TestCaseResult;
use treedef::tree::{MapTree, ZipPrefix};
use treedef::{Error, Leaf, Tree, map, matches, over};

use super::observe::{both, described, leaves_of, paths_of, treedef};
use super::others::built;
use super::report::{done, equal, same};

/// The largest number of different leaves that the mapped functions look up one by one.
const MOST_VALUES: usize = 64;

/// Checks the laws of [`MapTree`]: a map keeps the structure and names the children as the structure does, mapping the
/// identity changes nothing, and two maps in a row equal one map of the composed functions.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::mapping(&(1.0f32, [2.0f32]), |i| i as f32).unwrap();
/// ```
pub fn mapping<L, T>(value: &T, fresh: impl Fn(usize) -> L) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + MapTree<L, L, Output = T> + Clone,
{
    let law = "a map keeps the structure and the order, and two maps one after the other are one";
    let count = leaves_of::<L, T>(value)?.len();
    let table: Vec<_> = (0..MOST_VALUES.min(count + 2)).map(fresh).collect();
    let leaves: Vec<_> = table.iter().cycle().take(count).cloned().collect();
    // Functions of the leaf alone: each returns the leaf that is one or two places later in the table.
    let ahead = |leaf: &L, by: usize| {
        let at = table.iter().position(|other| other == leaf).unwrap_or(0);
        table.iter().cycle().nth(at + by).unwrap_or(leaf).clone()
    };
    for tree in both(value, &leaves)? {
        let bytes = described(&tree)?;
        let def = treedef(&bytes)?;

        let once = done(law, "map", map(&tree, |leaf: &L| ahead(leaf, 1)))?;
        let twice = done(law, "map", map(&once, |leaf: &L| ahead(leaf, 2)))?;
        let fused = done(law, "map", map(&tree, |leaf: &L| ahead(&ahead(leaf, 1), 2)))?;
        let unchanged = done(law, "map", map(&tree, L::clone))?;
        let images = |by: usize| leaves.iter().map(|leaf| ahead(leaf, by)).collect::<Vec<_>>();
        let (first, both) =
            (images(1), leaves.iter().map(|leaf| ahead(&ahead(leaf, 1), 2)).collect());
        let wanted: [(&str, &T, Vec<L>); 4] = [
            ("map of the identity", &unchanged, leaves.clone()),
            ("map of f", &once, first),
            ("map of g after map of f", &twice, both),
            ("map of g after f", &fused, leaves_of::<L, T>(&twice)?),
        ];
        for (how, tree, leaves) in wanted {
            let found = described(tree)?;
            equal(law, (how, treedef(&found)?), ("of", def))?;
            same(law, (how, &leaves_of::<L, T>(tree)?), ("wanted", &leaves))?;
        }

        let law = "a map names the children as the structure does";
        let mut paths = Vec::new();
        let mapped = over(&tree).paths().map(|path, leaf: &L| {
            paths.push(path.to_string());
            leaf.clone()
        });
        done(law, "map_with_path", mapped)?;
        same(law, ("map_with_path", &paths), ("described", &paths_of(&tree)?))?;
    }
    unequal(value, &leaves, |one, other| {
        [(
            "zip .. map",
            over((one, other)).map(|(leaf, _): (&L, _)| leaf.clone()).map(drop),
            Wanted::Same,
        )]
    })
}

/// Checks the laws of trees that are walked together: a tree can be zipped with itself, as a tree and as a prefix, and
/// each leaf is paired with itself.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::zipping(&(1.0f32, [2.0f32]), |i| i as f32).unwrap();
/// ```
pub fn zipping<L, T>(value: &T, fresh: impl Fn(usize) -> L) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + ZipPrefix<L, L, T> + Clone,
{
    let law = "a tree fits beside and above itself, leaf by leaf";
    let leaves: Vec<_> = (0..leaves_of::<L, T>(value)?.len()).map(fresh).collect();
    for tree in both(value, &leaves)? {
        let mut changed = tree.clone();
        for prefix in [false, true] {
            let (mut read, mut written, mut beside) = (Vec::new(), Vec::new(), Vec::new());
            let trees = over((&tree, &mut changed));
            let trees = if prefix { trees.under(&tree) } else { trees.with(&tree) };
            let zipped = trees.for_each(|((first, second), further): ((&L, &mut L), &L)| {
                read.push(first.clone());
                written.push(second.clone());
                beside.push(further.clone());
            });
            done(law, "zip", zipped)?;
            same(law, ("leaves to read", &read), ("leaves", &leaves))?;
            same(law, ("leaves to change", &written), ("leaves", &leaves))?;
            same(law, ("leaves of the further tree", &beside), ("leaves", &leaves))?;
        }
    }
    unequal(value, &leaves, |one, other| {
        let with = over(one).with(other).for_each(|_| {});
        let under = over(one).under(other).for_each(|_| {});
        // The further tree is the first tree again: the trees differ from each other.
        let both_with = over((one, other)).with(one).for_each(|_| {});
        let both_under = over((one, other)).under(one).for_each(|_| {});
        [
            ("zip .. with", with, Wanted::Same),
            ("zip .. under", under, Wanted::Prefix),
            ("zip of both .. with", both_with, Wanted::Same),
            ("zip of both .. under", both_under, Wanted::Same),
        ]
    })
}

/// Checks that trees of two structures are not walked together, as those of a zip.
///
/// # Errors
///
/// As [`check`](super::check).
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::comparing(&Some(1.0f32), &[2.0]).unwrap();
/// ```
pub fn comparing<L, T>(value: &T, leaves: &[L]) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + Clone,
{
    unequal(value, leaves, |one, other| {
        [("zip", over((one, other)).for_each(|_| {}), Wanted::Same)]
    })
}

/// What two trees must have.
enum Wanted {
    /// One structure.
    Same,
    /// The second is a prefix of the first.
    Prefix,
}

/// Walks over `value` together with trees of the same type and of another structure, in both orders, and checks that there
/// is an error with the first node that differs. Each tree is the first of a pair with a list: if the lists differ, the
/// error has the number of nodes before them.
fn unequal<L, T, const N: usize>(
    value: &T,
    leaves: &[L],
    walk: impl Fn(&Beside<T>, &Beside<T>) -> [(&'static str, Result<(), Error>, Wanted); N],
) -> TestCaseResult
where
    L: Leaf + Clone,
    T: Tree<L> + Clone,
{
    let law =
        "walked together, trees of two structures are an error, at the first node that differs";
    let value_beside = (value.clone(), units(1));
    let own = described(value)?;
    let built = built::<L, T>(treedef(&own)?, leaves).map(|(_, other)| (other, units(1)));
    for other_beside in built.chain([(value.clone(), units(2))]) {
        for (one, other) in [(&value_beside, &other_beside), (&other_beside, &value_beside)] {
            let (bytes, different) = (described(one)?, described(other)?);
            let (def, different) = (treedef(&bytes)?, treedef(&different)?);
            for (how, found, wanted) in walk(one, other) {
                let wanted = match wanted {
                    Wanted::Same => matches(&different, def).map_err(|error| match error {
                        Error::Mismatch { node } => Error::TreesDiffer { node, tree: 1 },
                        other => other,
                    }),
                    Wanted::Prefix => different.check_prefix_of(def).map_err(|error| match error {
                        Error::NotPrefix { node, .. } => Error::NotPrefix { node, tree: 1 },
                        other => other,
                    }),
                };
                equal(law, (how, found), ("wanted", wanted))?;
            }
        }
    }
    Ok(())
}

/// Returns a list of `count` trees without leaves.
fn units(count: usize) -> heapless::Vec<(), 2> {
    std::iter::repeat_n((), count).collect()
}

/// A tree, and a list beside it.
type Beside<T> = (T, heapless::Vec<(), 2>);
