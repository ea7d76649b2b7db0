//! Mismatches that were once missed or named at another node.

use treedef::{Builder, Error, TreeDef, matches, structure_into};

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

#[test]
fn a_mismatch_behind_billions_of_copies_is_named_at_once() -> Result<(), Error> {
    // 2^30 leaves, in a few bytes.
    let (mut bytes, mut changed) = ([0; 64], [0; 256]);
    let mut builder = Builder::new(&mut bytes);
    let lists = [(); 5].map(|()| builder.begin_list(64));
    builder.leaves(64)?;
    for (level, list) in lists.into_iter().rev().enumerate() {
        if level > 0 {
            builder.repeat(63)?;
        }
        builder.end(list?)?;
    }
    let def = builder.finish()?;
    let last = def.find_at([63; 5]).unwrap();
    let node = u32::try_from(last.node().unwrap()).unwrap();
    let other = structure_into(&def.replace([(last, TreeDef::NONE)])?, &mut changed)?;
    assert_eq!(matches(&def, other), Err(Error::Mismatch { node }));
    assert_eq!(matches(&other, def), Err(Error::Mismatch { node }));
    assert_eq!(matches(&def.compose(TreeDef::LEAF), other), Err(Error::Mismatch { node }));
    assert_eq!(matches(&(def, other), other), Err(Error::Mismatch { node: 0 }));
    Ok(())
}

#[test]
fn a_mismatch_below_a_long_chain_is_named() {
    let chain = |end: u8| [vec![0x41; 1000], vec![end]].concat();
    let (leaf, none) = (chain(0x00), chain(0xC0));
    let (leaf, none) = (TreeDef::from_bytes(&leaf).unwrap(), TreeDef::from_bytes(&none).unwrap());
    assert_eq!(matches(&leaf, none), Err(Error::Mismatch { node: 1000 }));
}
