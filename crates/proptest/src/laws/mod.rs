//! The laws of a tree type: what the operations of `treedef` rely on and the compiler does not check.
//!
//! `#[derive(Tree)]` keeps them. An implementation by hand keeps them if its methods agree on the leaves, their order and
//! number, and the structure. [`check`] checks all laws but those of choices, which a type without a schema does not have:
//! [`check_choices`] does.
//!
//! | law | broken by, for example |
//! |---|---|
//! | a structure is described the same each time, in exactly the bytes it asks for | a description that depends on a counter |
//! | the bytes are a treedef, and the value matches it and no other | a name or key that the described head leaves out |
//! | `LEAVES`, `TREEDEF` and `num_leaves` are those of the described structure | a `SCHEMA` with a field too few |
//! | the treedef of each value fits its type, so `max_leaves` and `max_bytes` are enough | a `SCHEMA` with a smaller capacity |
//! | every way to read gives the same leaves in the same order | `walk_lanes` that gives a run backwards |
//! | a walk and a map name the children as the structure does | `walk_lanes` or `map_lanes` without `WalkPath` |
//! | leaves are changed and taken out in that order too | a ring whose `walk_lanes` or `take_leaves` begins at the front of its memory |
//! | what is built has the structure and the leaves it was built from | `build` that swaps two fields |
//! | the choices of two values are equal exactly if their structures are | `walk` that gives a head and not the choice of it |
//! | too few, too many leaves and the treedef of another structure are errors | `build` that reads no head |
//! | walked together, trees of two structures are an error, at the first node that differs | `walk_lanes` or `zip_lanes` that compares lengths and no keys, or no meta field |
//! | in a list, elements are described and read one after the other | `walk_slices` that skips an element, `walk_lanes` that takes two values of other lengths for one |
//! | a map keeps the structure; two maps one after the other are one | `map_lanes` that drops a field |
//! | of [`check_choices`]: choices that are read from a structure are those of its value, and say the structure; with the leaves they make the value | `walk` that gives a choice that the `SCHEMA` does not have |
//! | zipped with itself, by `with` and by `under`, each leaf of a tree meets itself | `zip_lanes` that stops early |
//!
//! Values of other structures are built from treedefs that differ a little from that of the value. One child is left out, or
//! one bit differs: in the first 64 bytes, or in the last 64 bytes of the first head, which has the keys and the meta fields.
//! So check a container by itself, with at least two entries. Meta fields and keys that are enums get no other variant.
//!
//! Operations that change or consume a value are checked on copies of the given value, and on values that are rebuilt
//! from its structure. These can differ in what the structure does not contain, such as the place in memory where a
//! ring buffer begins.
//!
//! Each function returns a [`TestCaseError`] that names the broken law and shows both sides. So `?` ends a case of
//! `proptest!`, and `unwrap` fails a test without it.
//!
//! # Containers by hand
//!
//! A container by hand is checked in the states that it can be in, as this queue, once with its front in the middle of its memory:
//!
//! ```
//! use std::collections::VecDeque;
//! use treedef_proptest::laws;
//!
//! #[derive(Clone)]
//! struct Queue<T>(VecDeque<T>);
//!
//! treedef::container! {
//!     list Queue<T>,
//!     iter: |queue| queue.0.iter(),
//!     iter_mut: |queue| queue.0.iter_mut(),
//!     into_iter: |queue| queue.0.into_iter(),
//!     from_iter: |trees| Queue(trees.collect()),
//! }
//!
//! let mut queue = Queue(VecDeque::from([(1.0f32, 2.0f32), (3.0, 4.0)]));
//! laws::check(&queue, |i| i as f32).unwrap();
//! queue.0.rotate_left(1);
//! queue.0.push_back((5.0, 6.0));
//! laws::check(&queue, |i| i as f32).unwrap();
//! ```
//!
//! [`TestCaseError`]: https://docs.rs/proptest/latest/proptest/test_runner/enum.TestCaseError.html

mod report;

mod observe;

mod others;

mod structure;

mod leaves;

mod building;

mod mapping;

mod choices;

pub use building::building;
pub use choices::check_choices;
pub use leaves::{reading, writing};
pub use mapping::{comparing, mapping, zipping};
pub use structure::structure;

use std::fmt::Debug;

use proptest::test_runner::TestCaseResult;

use treedef::tree::{LeafTypes, MapTree, NoLeaves, TreeBuild, TreeWalk, TreeWrite, ZipPrefix};
use treedef::{Leaf, Tree};

use self::observe::{both, leaves_of};

/// Checks all laws but those of [choices](check_choices) twice: for `value`, and for a tree of its structure with the leaves of `fresh`.
///
/// Give a value in a state that real values reach, for example a ring buffer that does not begin at its front.
///
/// `fresh` makes the leaf with a given index. Its result is the leaf type; make different leaves, so that a law can
/// find which leaf went where. Time and memory are at most proportional to the size of the value times the bytes of its
/// treedef.
///
/// # Errors
///
/// The law that does not hold, with both sides.
///
/// # Examples
///
/// ```
/// use proptest::prelude::*;
/// use treedef_proptest::laws;
///
/// proptest!(|(gains in any::<[f32; 3]>(), limit in any::<f32>())| {
///     laws::check(&(gains, [limit]), |i| i as f32)?;
/// });
/// ```
///
/// Without a strategy, for one value:
///
/// ```
/// use treedef_proptest::laws;
///
/// laws::check(&Some([1u8, 2]), |i| i as u8).unwrap();
/// ```
pub fn check<L, T>(value: &T, fresh: impl Fn(usize) -> L) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + MapTree<L, L, Output = T> + ZipPrefix<L, L, T> + Clone,
{
    check_tree(value, &fresh)?;
    mapping(value, &fresh)?;
    zipping(value, &fresh)
}

/// Checks the laws of [`Tree`](trait@treedef::Tree) alone, for types that lack [`MapTree`] or [`ZipPrefix`]. A type that has
/// one of them is also given to [`mapping`] or [`zipping`].
///
/// # Errors
///
/// As [`check`].
///
/// # Examples
///
/// ```
/// treedef_proptest::laws::check_tree(&[[1.0f32], [2.0]], |i| i as f32).unwrap();
/// ```
pub fn check_tree<L, T>(value: &T, fresh: impl Fn(usize) -> L) -> TestCaseResult
where
    L: Leaf + Clone + PartialEq + Debug,
    T: Tree<L> + Clone,
{
    check_leaf_types::<L, T>(value)?;
    let fresh: Vec<_> = (0..leaves_of::<L, T>(value)?.len()).map(fresh).collect();
    let trees: [T; 2] = both(value, &fresh)?;
    for tree in &trees {
        building::<L, T>(tree, &fresh)?;
        reading(tree)?;
    }
    writing(value, &fresh)?;
    comparing(value, &fresh)
}

/// Checks the laws of a tree with leaves of several types.
///
/// Not all is checked: runs are not, and of the leaves that can be changed in place only their number is.
///
/// # Errors
///
/// As [`check`].
///
/// # Examples
///
/// ```
/// treedef::leaf_types! {
///     struct Signal {
///         owned Value,
///         read ValueRef,
///         write ValueMut,
///         Float(f32),
///         Count(u32),
///     }
/// }
///
/// treedef_proptest::laws::check_leaf_types::<Signal, _>(&(1.5f32, [2u32, 3])).unwrap();
/// ```
pub fn check_leaf_types<K, T>(value: &T) -> TestCaseResult
where
    K: LeafTypes<Owned: Clone + PartialEq + Debug>,
    T: TreeWrite<K> + TreeBuild<K> + TreeWalk<NoLeaves> + Clone,
{
    structure(value)?;
    building::<K, T>(value, &leaves_of::<K, T>(value)?)
}
