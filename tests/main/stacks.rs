//! A list of trees becomes a tree of lists, and the reverse; a tree is built from leaves that come with errors.
#![cfg(all(feature = "derive", feature = "alloc"))]

use std::collections::BTreeMap;

use proptest::prelude::*;
use treedef::algebra::{stack, stack_with, try_stack_with, unstack};
use treedef::tree::{AsLeaf, TreeBuild, try_unflatten_from};
use treedef::{Error, Tree, flatten, map, structure, treedef, treedef_of};

#[derive(Tree, Clone, Debug, PartialEq)]
enum Part<T> {
    Scale(T),
    Affine { weights: Vec<T>, bias: Option<T> },
    Pass,
}

#[derive(Tree, Clone, Debug, PartialEq)]
struct Net<T> {
    parts: Vec<Part<T>>,
    named: BTreeMap<String, [T; 2]>,
    #[tree(meta)]
    steps: u32,
}

fn net(at: f32, weights: usize) -> Net<f32> {
    let bias = weights.is_multiple_of(2).then_some(at + 0.5);
    let affine = Part::Affine { weights: vec![at; weights], bias };
    let named = [("b".into(), [at, -at]), ("a".into(), [at + 1.0, at + 2.0])].into();
    Net { parts: vec![Part::Scale(at), Part::Pass, affine], named, steps: 3 }
}

#[test]
fn each_place_gets_the_list_of_the_leaves_there() {
    let trees = [net(1.0, 2), net(2.0, 2), net(3.0, 2)];
    let lists = stack::<f32, _>(&trees).unwrap().unwrap();
    assert_eq!(lists.parts[0], Part::Scale(vec![1.0, 2.0, 3.0]));
    let bias = Some(vec![1.5, 2.5, 3.5]);
    assert_eq!(lists.parts[2], Part::Affine { weights: vec![vec![1.0, 2.0, 3.0]; 2], bias });
    assert_eq!(lists.named["b"], [vec![1.0, 2.0, 3.0], vec![-1.0, -2.0, -3.0]]);
    assert_eq!(lists.steps, 3);
    assert_eq!(stack::<f32, Net<f32>>(&[]), Ok(None));
}

/// One value for each place, made of the leaves of all trees there.
#[test]
fn each_place_gets_what_is_made_of_the_leaves_there() {
    let trees = [net(1.0, 2), net(2.0, 2), net(6.0, 2)];
    let mean = stack_with(&trees, |leaves| leaves.iter().copied().sum::<f32>() / 3.0).unwrap();
    assert_eq!(mean, Some(net(3.0, 2)));
    let arrays = stack_with(&trees, |leaves| AsLeaf([*leaves[0], *leaves[1], *leaves[2]]));
    assert_eq!(arrays.unwrap().unwrap().parts[0], Part::Scale(AsLeaf([1.0, 2.0, 6.0])));
    assert_eq!(stack_with(&trees[..0], |_: &[&f32]| 0.0), Ok(None));
    assert_eq!(stack_with(&[(), ()], |_: &[&f32]| 0.0), Ok(Some(())));

    let mut places = 0;
    let stopped = try_stack_with(&trees, |leaves: &[&f32]| {
        places += 1;
        if leaves.iter().any(|leaf| **leaf > 6.0) { Err(Error::TooLarge) } else { Ok(1u8) }
    });
    assert_eq!((stopped, places), (Err(Error::TooLarge), 4));
    let differs = stack_with(&[net(1.0, 2), net(1.0, 3)], |_: &[&f32]| 0.0);
    assert_eq!(differs, Err(Error::TreesDiffer { node: 6, tree: 1 }));
}

#[test]
fn a_tree_of_another_structure_is_named() {
    let mut trees = [net(1.0, 2), net(2.0, 2), net(3.0, 3)];
    let longer = Error::TreesDiffer { node: 6, tree: 2 };
    assert_eq!(stack::<f32, _>(&trees), Err(longer));
    trees[1].steps = 4;
    assert_eq!(stack::<f32, _>(&trees), Err(Error::TreesDiffer { node: 0, tree: 1 }));
}

#[test]
fn lists_of_other_lengths_or_places_give_no_trees() {
    let def = structure(&net(0.0, 2)).unwrap();
    let lists = stack::<f32, _>(&[net(1.0, 2), net(2.0, 2)]).unwrap().unwrap();
    let trees = |lists: &Net<Vec<f32>>| unstack::<f32, Net<f32>, _>(&def, lists);
    assert_eq!(trees(&lists), Ok(vec![net(1.0, 2), net(2.0, 2)]));
    let mut uneven = lists.clone();
    uneven.parts[0] = Part::Scale(vec![1.0; 3]);
    assert_eq!(trees(&uneven), Err(Error::Mismatch { node: 10 }));
    let mut other = lists.clone();
    other.parts[1] = Part::Scale(vec![1.0; 2]);
    assert_eq!(trees(&other), Err(Error::Mismatch { node: 6 }));
    let empty = map(&net(0.0, 2), |_: &f32| Vec::<f32>::new()).unwrap();
    assert_eq!(trees(&empty), Ok(vec![]));
    assert_eq!(unstack::<f32, (), _>(treedef!(()), &()), Ok(vec![]));
    // The type of the trees is checked as always.
    type Pair = (f32, f32);
    assert_eq!(
        unstack::<f32, [f32; 2], _>(treedef_of::<Pair>(), &(vec![1.0f32], vec![2.0f32])),
        Err(Error::Mismatch { node: 0 })
    );
}

/// Without the library: the leaves of each tree, in order.
fn leaves_of(tree: &Net<f32>) -> Vec<f32> {
    flatten(tree).unwrap().1
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stacked_trees_come_back(weights in 0usize..4, count in 1usize..6, seed in any::<u16>()) {
        let trees: Vec<_> = (0..count).map(|at| net(f32::from(seed) + at as f32, weights)).collect();
        let lists = stack::<f32, _>(&trees).unwrap().unwrap();
        // The leaves of the lists are the columns of the leaves of the trees.
        let rows: Vec<_> = trees.iter().map(leaves_of).collect();
        let columns: Vec<_> = (0..rows[0].len()).flat_map(|at| rows.iter().map(move |row| row[at])).collect();
        prop_assert_eq!(flatten(&lists).unwrap().1, columns);
        let def = structure(&trees[0]).unwrap();
        prop_assert_eq!(unstack::<f32, Net<f32>, _>(&def, &lists), Ok(trees));
    }
}

#[derive(Debug, PartialEq)]
enum Refused {
    Tree(Error),
    Leaf(usize),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Tree(error)
    }
}

fn built<T: TreeBuild<f32>>(count: usize, failing: usize) -> (Result<T, Refused>, usize) {
    let def = treedef!((*, [*, *]));
    let mut asked = 0;
    let leaves = (0..count).map(|at| {
        asked += 1;
        if at == failing { Err(Refused::Leaf(at)) } else { Ok(at as f32) }
    });
    (try_unflatten_from(def, leaves), asked)
}

#[test]
fn a_tree_stops_at_the_first_leaf_that_fails() {
    type Model = (f32, [f32; 2]);
    assert_eq!(built::<Model>(3, 9), (Ok((0.0, [1.0, 2.0])), 3));
    for failing in 0..3 {
        assert_eq!(built::<Model>(3, failing), (Err(Refused::Leaf(failing)), failing + 1));
    }
    let few = Error::TooFewLeaves { expected: 3, found: 2 };
    assert_eq!(built::<Model>(2, 9), (Err(Refused::Tree(few)), 2));
    let many = Error::TooManyLeaves { expected: 3, found: 4 };
    assert_eq!(built::<Model>(5, 9), (Err(Refused::Tree(many)), 4));
    assert_eq!(built::<(f32, f32)>(3, 9).0, Err(Refused::Tree(Error::Mismatch { node: 2 })));
}
