//! Loads the values of pairs of versions, and compares what becomes of them with what is kept. The variable `PAIRS` is the file of the pairs,
//! which `versions.py` writes; `.ci/long pairs` says how.

use std::collections::BTreeMap;
use std::path::Path;

use treedef::Tree;

#[macro_use]
#[path = "../compare.rs"]
mod compare;

use compare::{Answer, Make, Random, answer, check};

include!(env!("PAIRS"));

fn main() {
    let answers: Vec<_> = PAIRS.iter().map(|pair| pair()).collect();
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &answers);
    println!("{} pairs: as kept", answers.len());
}
