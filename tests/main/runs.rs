//! Runs of leaves are slices of the tree itself, the same to be read and to be changed.
#![cfg(all(feature = "derive", feature = "alloc"))]

use std::collections::BTreeMap;

use treedef::tree::{AsLeaf, TreeRead, TreeWrite};
use treedef::{Leaf, Tree, TreeDef, over, treedef_of};

/// Where each run begins, and the number of its leaves.
type Places<L> = Vec<(*const L, usize)>;

/// The runs of a tree that are read, if those that are changed are the same.
#[track_caller]
fn runs<L: Leaf, T: TreeRead<L> + TreeWrite<L> + ?Sized>(tree: &mut T) -> Places<L> {
    let (mut read, mut changed) = (Places::new(), Places::new());
    over(&*tree).runs().for_each(|run: &[L]| read.push((run.as_ptr(), run.len()))).unwrap();
    over(tree).runs().for_each(|run: &mut [L]| changed.push((run.as_ptr(), run.len()))).unwrap();
    assert_eq!(read, changed);
    read
}

fn lengths<L: Leaf, T: TreeRead<L> + TreeWrite<L> + ?Sized>(tree: &mut T) -> Vec<usize> {
    runs::<L, T>(tree).into_iter().map(|(_, length)| length).collect()
}

#[derive(Tree, Clone)]
struct Layer {
    weights: [[f32; 3]; 2],
    bias: Vec<f32>,
    scale: f32,
    taps: heapless::Vec<f32, 4>,
    last: Option<Box<[f32; 2]>>,
    named: BTreeMap<String, Vec<f32>>,
    none: [f32; 0],
}

fn layer() -> Layer {
    Layer {
        weights: [[1.0; 3]; 2],
        bias: vec![2.0; 5],
        scale: 3.0,
        taps: heapless::Vec::from_iter([4.0, 5.0]),
        last: Some(Box::new([6.0, 7.0])),
        named: [("b".into(), vec![8.0; 2]), ("a".into(), vec![9.0; 3])].into(),
        none: [],
    }
}

#[test]
fn arrays_and_vectors_are_runs() {
    let mut layer = layer();
    assert_eq!(lengths::<f32, _>(&mut layer), [3, 3, 5, 1, 2, 2, 3, 2, 0]);
    assert_eq!(runs::<f32, _>(&mut layer)[2], (layer.bias.as_ptr(), 5));
    let mut floats = [1.0f32, 2.0, 3.0];
    assert_eq!(runs::<f32, [f32]>(floats.as_mut_slice()), [(floats.as_ptr(), 3)]);
    assert_eq!(lengths::<f32, _>(&mut [Some(1.0f32), None, Some(2.0)]), [1, 1]);
    assert_eq!(lengths::<AsLeaf<[f32; 2]>, _>(&mut [AsLeaf([1.0f32, 2.0]); 4]), [4]);
}

#[test]
fn runs_are_changed_in_place() {
    let (mut layers, mut next) = ((layer(), [layer(), layer()]), 0.0);
    over(&mut layers)
        .runs()
        .for_each(|run: &mut [f32]| {
            for leaf in run {
                *leaf = next;
                next += 1.0;
            }
        })
        .unwrap();
    let mut expected = 0.0;
    over(&layers)
        .for_each(|leaf: &f32| {
            assert_eq!(*leaf, expected);
            expected += 1.0;
        })
        .unwrap();
    assert_eq!(expected, 63.0);
}

#[test]
fn the_leaves_of_a_run_are_counted_as_nodes() {
    let (first, mut second) = (([1.0f32; 3], vec![1.0f32]), ([1.0f32; 3], vec![1.0f32; 2]));
    let differs = over((&first, &mut second)).for_each(|_| ());
    const DEF: TreeDef<'static> = treedef_of::<[f32; 3]>();
    // The tuple, the array and its leaves are before the vectors.
    let node = u32::try_from(1 + DEF.nodes().count()).unwrap();
    assert_eq!(differs, Err(treedef::Error::TreesDiffer { node, tree: 1 }));
}
