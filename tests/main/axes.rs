//! A tree prefix in which `None` is a leaf: the axes of `jax.vmap`, after the examples of its documentation.

use treedef::dynamic::Flatten;
use treedef::{
    Error, KeyEntry, Node, TreeDef, View, broadcast_prefix, flatten_up_to, tree, treedef,
};

/// An axis for each leaf of the value, as `jax._src.api_util.flatten_axes`.
fn axes<const N: usize>(
    axes: &Node<'_, i32>,
    value: TreeDef<'_>,
) -> Result<[Option<i32>; N], Error> {
    let (mut bytes, mut leaves) = ([0; 64], [None; 8]);
    let (spec, count) =
        Flatten::new().none_is_leaf().flatten_into(axes, &mut bytes, &mut leaves)?;
    let mut each = [None; N];
    let spec = View::new(spec, &leaves[..count])?;
    assert_eq!(broadcast_prefix(spec, value, &mut each)?, N);
    Ok(each)
}

#[test]
fn one_axis_stands_for_a_whole_argument() {
    // vmap(f, in_axes=(0, {"a": 0, "b": 1})) and (0, None) over (x, {"a": y, "b": z}).
    let value = treedef!((*, {"a": *, "b": *}));
    assert_eq!(axes(&tree!((0, {"a": 0, "b": 1})), value), Ok([Some(0), Some(0), Some(1)]));
    assert_eq!(axes(&tree!((0, None)), value), Ok([Some(0), None, None]));
    assert_eq!(axes(&tree!((None, 0)), value), Ok([None, Some(0), Some(0)]));
    assert_eq!(axes(&tree!(0), value), Ok([Some(0); 3]));
    assert_eq!(axes(&tree!(None), value), Ok([None; 3]));
    // The documentation's (A, (B, (C, D))) with in_axes (None, (None, (0, None))) or a prefix of it.
    let value = treedef!((*, (*, (*, *))));
    assert_eq!(axes(&tree!((None, (None, (0, None)))), value), Ok([None, None, Some(0), None]));
    assert_eq!(axes(&tree!((None, (0, 1))), value), Ok([None, Some(0), Some(1), Some(1)]));
    // A None of the value has no leaf.
    assert_eq!(axes(&tree!((0, 0)), treedef!((*, None))), Ok([Some(0)]));
}

#[test]
fn axes_that_are_no_prefix_say_where() {
    // A list where the argument tuple is, which JAX advises to wrap in a tuple.
    assert_eq!(
        axes::<2>(&tree!([0, 0]), treedef!((*, *))),
        Err(Error::NotPrefix { node: 0, tree: 0 })
    );
    assert_eq!(
        axes::<3>(&tree!((0, [0])), treedef!((*, [*, *]))),
        Err(Error::NotPrefix { node: 2, tree: 0 })
    );
    assert_eq!(
        axes::<2>(&tree!((0, {"b": 0})), treedef!((*, {"a": *}))),
        Err(Error::NotPrefix { node: 2, tree: 0 })
    );
}

#[test]
fn each_argument_is_a_part() {
    let value = treedef!((*, {"a": *, "b": *}));
    let parts = flatten_up_to(treedef!((*, *)), View::bare(value)).unwrap();
    let names = parts.zip(value.head().entries()).map(|(part, entry)| (entry, part.treedef()));
    assert!(names.eq([
        (KeyEntry::Index(0), TreeDef::LEAF),
        (KeyEntry::Index(1), treedef!({"a": *, "b": *})),
    ]));
}
