//! Nodes that repeat the node before them: taken as copies, without being written.

use treedef::dynamic::Flatten;
use treedef::{Error, Node, TreeDef, structure_into, tree};

/// The same entries, written in two orders: two labels of one structure.
const MIXED: Node<'static, i32> =
    tree!([{"b": 1, "a": (2, 3)}, {"a": (5, 6), "b": 4}, {"b": 7, "a": (8, 9)}]);

#[test]
fn entries_in_another_order_make_the_same_copy() -> Result<(), Error> {
    let (mut bytes, mut leaves) = ([0; 32], [0; 9]);
    let (def, count) = Flatten::new().flatten_into(&MIXED, &mut bytes, &mut leaves)?;
    // A dict, and two more of three leaves.
    let expected = [0x43, 0x62, 4, 1, b'a', 1, b'b', 0x22, 0x01, 0x00, 0xA1, 0x03];
    assert_eq!((def.as_bytes(), count), (expected.as_slice(), 9));
    assert_eq!(leaves, [2, 3, 1, 5, 6, 4, 8, 9, 7]);
    leaves.fill(0);
    Flatten::new().flatten_expected(&MIXED, def, &mut leaves)?;
    assert_eq!(leaves, [2, 3, 1, 5, 6, 4, 8, 9, 7]);
    Ok(())
}

#[test]
fn leaves_that_end_inside_a_copy_tell_the_whole_need() -> Result<(), Error> {
    let mut bytes = [0; 32];
    let def = structure_into(&MIXED, &mut bytes)?;
    for room in 0..9 {
        let full = Err(Error::LeavesFull { needed: 9, room });
        let mut leaves = vec![0; room];
        assert_eq!(Flatten::new().leaves_into(&MIXED, &mut leaves), full);
        assert_eq!(Flatten::new().flatten_expected(&MIXED, def, &mut leaves), full);
        let flat = Flatten::new().flatten_into(&MIXED, &mut [0; 32], &mut leaves).map(|_| 0);
        assert_eq!(flat, full);
    }
    Ok(())
}

#[test]
fn a_copy_that_is_not_expected_is_named_by_its_first_other_node() {
    // [(*, *), (*, *), (*, None)]: node 9 is the None.
    let expected = [0x43, 0x22, 0x01, 0xA0, 0x02, 0x22, 0x00, 0xC0];
    let expected = TreeDef::from_bytes(&expected).unwrap();
    let pairs: Node<'_, i32> = tree!([(1, 2), (3, 4), (5, 6)]);
    let found = Flatten::new().flatten_expected(&pairs, expected, &mut [0; 6]);
    assert_eq!(found, Err(Error::Mismatch { node: 9 }));
    // [(*, *), (*, *)]: the root has another number of children.
    let two = TreeDef::from_bytes(&[0x42, 0x22, 0x01, 0xA0, 0x02]).unwrap();
    let found = Flatten::new().flatten_expected(&pairs, two, &mut [0; 6]);
    assert_eq!(found, Err(Error::Mismatch { node: 0 }));
}

#[test]
fn a_node_that_repeats_only_in_part_leaves_nothing_behind() -> Result<(), Error> {
    // The second differs from the first at its last leaf, after leaves that were taken.
    let tree: Node<'_, i32> = tree!([[1, [2, 3], 4], [5, [6, 7], None], [8, [9, 10], None]]);
    let (mut bytes, mut leaves) = ([0; 32], [0; 10]);
    let (def, count) = Flatten::new().flatten_into(&tree, &mut bytes, &mut leaves)?;
    let expected = [0x43, 0x43, 0x00, 0x42, 0x01, 0x00, 0x43, 0x00, 0x42, 0x01, 0xC0, 0xA0, 0x03];
    assert_eq!((def.as_bytes(), count), (expected.as_slice(), 10));
    assert_eq!(leaves, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    Ok(())
}

#[test]
fn leaves_of_siblings_that_repeat_are_counted() {
    let tree: Node<'_, i32> = tree!(([1, 2, 3], [1, 2, 3]));
    assert_eq!(tree::Structure::num_leaves(&tree), Ok(6));
    assert_eq!(
        treedef::leaves_into(&tree, &mut [0; 5]),
        Err(Error::LeavesFull { needed: 6, room: 5 })
    );
    let tree: Node<'_, i32> = tree!((None, None, [], [], 1, {}, {}));
    assert_eq!(tree::Structure::num_leaves(&tree), Ok(1));
}
