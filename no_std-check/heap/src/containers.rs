//! Containers on the heap as trees: there and back.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use hashbrown::HashMap;
use suite::{Case, Missing, Outcome, Report};
use treedef::encode::structure_bound;
use treedef::tree::{Structure, TreeBuild};
use treedef::{Tree, TreeDefBox, flatten, flatten_into, map, matches, over, structure, unflatten};

pub const CASES: &[Case] = &[
    ("vectors and boxes", vectors),
    ("maps by string", maps),
    ("hash maps", hash_maps),
    ("a derived tree", derived),
    ("deep boxes", boxes),
];

/// Flattens, prints, rebuilds and compares.
fn round_trip<T>(report: &mut Report<'_>, name: &str, tree: &T) -> Outcome
where
    T: Tree<f32> + TreeBuild<f32> + PartialEq,
{
    let (mut bytes, mut leaves) = (vec![0; structure_bound(tree)?], vec![0.0; tree.num_leaves()?]);
    let (def, count) = flatten_into(tree, &mut bytes, &mut leaves)?;
    report.treedef(name, def);
    let (own, list): (TreeDefBox, Vec<f32>) = flatten(tree)?;
    report.same(
        (own.as_treedef(), structure(tree)?.as_treedef(), list),
        (def, def, leaves.clone()),
    )?;
    report.leaves("leaves", &leaves);
    report.same(count, leaves.len())?;
    matches(tree, def)?;
    report.same(unflatten::<f32, T>(def, &leaves)? == *tree, true)
}

fn vectors(report: &mut Report<'_>) -> Outcome {
    round_trip(report, "empty", &Vec::<f32>::new())?;
    round_trip(report, "a vector", &vec![1.0f32, 2.0, 3.0])?;
    round_trip(report, "unlike elements", &vec![None, Some(vec![1.0f32]), Some(vec![])])?;
    round_trip(report, "a box", &Box::new((1.0f32, Box::new([2.0f32, 3.0]))))?;
    let mut rows = vec![[0.5f32; 8]; 100];
    round_trip(report, "rows", &rows)?;
    over(&mut rows).for_each(|leaf: &mut f32| *leaf *= 2.0)?;
    report.same(over(&rows).fold(0.0, |sum, x: &f32| sum + x)?, 800.0)?;
    let doubles: Vec<[f64; 8]> = map(&rows, |leaf: &f32| f64::from(*leaf))?;
    report.same(doubles.last().ok_or(Missing)?, &[1.0; 8])
}

fn maps(report: &mut Report<'_>) -> Outcome {
    let keys = ["weights", "bias", "gain", "é"].map(str::to_owned);
    let tree: BTreeMap<String, Vec<f32>> =
        keys.into_iter().zip(1u8..).map(|(key, n)| (key, vec![f32::from(n); n.into()])).collect();
    round_trip(report, "by string", &tree)?;
    let numbers: BTreeMap<i32, f32> = [(-5, 1.0), (300, 2.0)].into();
    round_trip(report, "by number", &numbers)
}

/// The order of a hash map is its hasher's; the order of the treedef and of the leaves is that of the keys.
fn hash_maps(report: &mut Report<'_>) -> Outcome {
    let keys = ["w3", "w1", "w12", "w2", "a"].map(str::to_owned);
    let tree: HashMap<String, (f32, f32)> =
        keys.into_iter().zip(1u8..).map(|(key, n)| (key, (n.into(), 0.5))).collect();
    round_trip(report, "by string", &tree)
}

#[derive(Debug, PartialEq, Tree)]
#[tree(name = "model::Layer")]
struct Layer {
    weights: Vec<[f32; 2]>,
    bias: Option<Vec<f32>>,
    scales: BTreeMap<String, f32>,
    #[tree(meta)]
    name: String,
}

fn derived(report: &mut Report<'_>) -> Outcome {
    let layer = |name: &str| Layer {
        weights: vec![[1.0, 2.0], [3.0, 4.0]],
        bias: Some(vec![0.5]),
        scales: [("in".to_owned(), 1.5), ("out".to_owned(), 2.5)].into(),
        name: name.to_owned(),
    };
    round_trip(report, "layers", &vec![layer("first"), layer("first"), layer("last")])
}

#[derive(PartialEq, Tree)]
#[tree(name = "Chain")]
struct Chain {
    value: f32,
    next: Option<Box<Chain>>,
}

fn boxes(report: &mut Report<'_>) -> Outcome {
    let chain = |levels: u8| {
        let end = Chain { value: 0.0, next: None };
        let link = |next, n: u8| Chain { value: n.into(), next: Some(Box::new(next)) };
        (1..levels).fold(end, link)
    };
    round_trip(report, "a chain", &chain(12))?;
    let error = structure_bound(&chain(100)).err().ok_or(Missing)?;
    report.fact("too deep", error);
    Ok(())
}
