//! Mismatches that were once missed or named at another node.

use treedef::{Error, TreeDef, matches};

/// Asserts that a tree differs from a treedef at this node.
macro_rules! differs {
    ($tree:expr, $bytes:expr, $node:expr) => {
        let expected = TreeDef::from_bytes(&$bytes).unwrap();
        assert_eq!(matches(&$tree, expected), Err(Error::Mismatch { node: $node }));
    };
}

#[test]
fn a_leaf_behind_a_node_is_not_that_node_again() {
    // (None, *, *)
    differs!((None::<f32>, None::<f32>, 1.0f32), [0x23, 0xC0, 0x01], 2);
    // (None, (*,), *)
    differs!((None::<f32>, (1.0f32,), (1.0f32,)), [0x23, 0xC0, 0x21, 0x00, 0x00], 4);
}

#[test]
fn a_repeat_that_fails_names_the_node_inside() {
    // [[*], [None]]
    differs!([[1.0f32], [2.0]][..], [0x42, 0x41, 0x00, 0x41, 0xC0], 4);
    // [[[*]], [[*]], [[None]]]
    let expected = [0x43, 0x41, 0x41, 0x00, 0xA0, 0x01, 0x41, 0x41, 0xC0];
    differs!([[[1.0f32]]; 3][..], expected, 9);
}
