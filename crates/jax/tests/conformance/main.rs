//! Compares with JAX's recorded answers about protos, artifacts and raveled arrays.
//!
//! The corpus, its description and its reader are in the package `treedef`. The test `conformance` of that package
//! checks the other families of recorded answers.

use serde_json::Value as Json;
use support::corpus::{Read, Tree, each, string};
use support::harness::{Outcome, run_family};
use support::library::{Stated, state};

#[path = "../../../../tests/support/mod.rs"]
mod support;

mod export;

mod proto;

mod ravel;

/// Runs a family whose check returns nothing if it passes.
fn family(name: &str, check: impl Fn(&Json) -> Read<()> + Sync) {
    run_family(name, |line| check(line).map_or_else(Outcome::Failed, |()| Outcome::Passed));
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, theirs: T) -> Read<()> {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: ours {ours:?}, theirs {theirs:?}")) }
}

/// Compares if the line has an answer.
fn where_given(expect: &Json, name: &str, check: impl FnOnce(&Json) -> Read<()>) -> Read<()> {
    expect.get(name).map_or(Ok(()), check)
}

fn strings(json: &Json) -> Read<Vec<String>> {
    each(json, string)
}

fn stated(json: &Json) -> Read<Stated> {
    state(&Tree::read(json)?, false).map_err(|error| error.to_string())
}
