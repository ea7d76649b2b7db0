//! The arrays that a structure holds.
#![cfg(feature = "proptest")]

use proptest::prelude::*;
use treedef::encode::Level;
use treedef::strategies::treedefs;
use treedef::{Error, Kind, TreeDef, leaves_into, treedef, treedef_of};

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_arrays_of_a_structure_are_its_largest_rectangular_lists(any in treedefs()) {
        let def = any.as_treedef();
        let (mut model, mut node, mut leaf) = (Vec::new(), 0, 0);
        collect(def, &mut node, &mut leaf, &mut model);
        let ours: Result<Vec<_>, _> = def
            .arrays()
            .map(|array| array.map(|a| (a.path().node(), a.range(), a.shape().collect::<Vec<_>>())))
            .collect();
        prop_assert_eq!(ours, Ok(model));
    }
}

/// The shape, if the node is an array.
fn shape(def: TreeDef<'_>) -> Option<Vec<usize>> {
    if def.is_leaf() {
        return Some(Vec::new());
    }
    let mut children = def.children();
    let first = children.next().filter(|_| def.kind() == Kind::List)?;
    let mut all = vec![1 + children.len()];
    all.extend(shape(first).filter(|_| children.all(|child| child == first))?);
    Some(all)
}

type Found = (usize, std::ops::Range<usize>, Vec<usize>);

/// The arrays below a node, child by child.
fn collect(def: TreeDef<'_>, node: &mut usize, leaf: &mut usize, out: &mut Vec<Found>) {
    if let Some(shape) = shape(def) {
        out.push((*node, *leaf..*leaf + def.num_leaves(), shape));
        *node += def.num_nodes();
        *leaf += def.num_leaves();
        return;
    }
    *node += 1;
    for child in def.children() {
        collect(child, node, leaf, out);
    }
}

#[test]
fn arrays_in_repeated_nodes_come_once_for_each_copy() {
    type Layer = ([[f32; 3]; 2], [f32; 2], f32);
    let mut flat = [0.0f32; 27];
    let layers: [Layer; 3] = [([[1.0; 3]; 2], [2.0; 2], 3.0); 3];
    leaves_into(&layers, &mut flat).unwrap();
    let arrays: Vec<_> = treedef_of::<[Layer; 3]>().arrays().map(Result::unwrap).collect();
    let found: Vec<_> = arrays
        .iter()
        .map(|a| (a.path().to_string(), a.range(), a.shape().collect::<Vec<_>>()))
        .collect();
    let expected = (0..3).flat_map(|layer| {
        let start = layer * 9;
        [
            (format!("[{layer}][0]"), start..start + 6, vec![2, 3]),
            (format!("[{layer}][1]"), start + 6..start + 8, vec![2]),
            (format!("[{layer}][2]"), start + 8..start + 9, vec![]),
        ]
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
    for (array, value) in arrays.iter().zip([1.0, 2.0, 3.0].into_iter().cycle()) {
        assert!(flat[array.range()].iter().all(|x| *x == value));
    }
    assert_eq!(arrays[3].treedef(), treedef_of::<[[f32; 3]; 2]>());
}

#[test]
fn lists_without_one_shape_are_no_arrays() {
    let shapes = |def: TreeDef<'_>| -> Vec<Vec<usize>> {
        def.arrays().map(|array| array.unwrap().shape().collect()).collect()
    };
    assert_eq!(shapes(treedef!([[*, *], [*]])), [vec![2], vec![1]]);
    assert_eq!(shapes(treedef!([[*], *])), [vec![1], vec![]]);
    assert_eq!(shapes(treedef!([*, [*]])), [vec![], vec![1]]);
    assert_eq!(shapes(treedef!([[[*]]])), [[1, 1, 1]]);
    assert_eq!(shapes(treedef!([(*, *), (*, *)])), [[0usize; 0]; 4]);
    assert_eq!(shapes(treedef!([[], [[]], None])), [[0usize; 0]; 0]);
    assert_eq!(shapes(treedef!([[], *])), [[0usize; 0]]);
    assert_eq!(shapes(treedef!([[], [*, *]])), [[2]]);
    assert_eq!(shapes(TreeDef::LEAF), [[0usize; 0]]);
}

#[test]
fn a_huge_array_is_one_step() {
    let def = treedef_of::<[[f32; 65_536]; 32_768]>();
    let arrays: Vec<_> = def.arrays().map(Result::unwrap).collect();
    assert_eq!(arrays.len(), 1);
    assert_eq!(arrays[0].range(), 0..1 << 31);
    assert!(arrays[0].shape().eq([32_768, 65_536]));
}

#[test]
fn arrays_are_found_to_the_depth_that_is_stated() {
    // Tuples inside one another, with a leaf after each.
    let nested = |levels: usize| [vec![0x22; levels], vec![0x01], vec![0x00; levels - 1]].concat();
    let mut levels = [Level::default(); 65];
    let bytes = nested(65);
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next().map(|a| a.map(|a| a.path().entries().count())), Some(Ok(65)));
    assert_eq!(arrays.count(), 65);
    let bytes = nested(66);
    let mut arrays = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap().arrays();
    assert_eq!(arrays.next(), Some(Err(Error::TooDeep { limit: 64 })));
    assert_eq!(arrays.next(), None);
    // A chain takes no room.
    let bytes = [vec![0x21; 1000], vec![0x00]].concat();
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next().map(|a| a.map(|a| a.path().entries().count())), Some(Ok(1000)));
    assert_eq!(arrays.next(), None);
    // The levels of an array take no room.
    let bytes = [vec![0x41; 1000], vec![0x00]].concat();
    let mut arrays = TreeDef::from_bytes(&bytes).unwrap().arrays();
    assert_eq!(arrays.next().map(|a| a.map(|a| a.shape().count())), Some(Ok(1000)));
}
