//! Records of pairs of versions, which `tests/pairs/versions.py` writes: all ways to load them give the same value and the same counts, and
//! those that are kept. `.ci/long pairs` has more pairs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use treedef::Tree;
use treedef::algebra::Migrated;

#[macro_use]
#[path = "../pairs/compare.rs"]
mod compare;

use compare::{Answer, Make, Random, answer, check};

include!("../pairs/versions.rs");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs")
}

#[test]
fn all_ways_load_the_same_and_what_is_kept() {
    let answers: Vec<_> = PAIRS.iter().map(|pair| pair()).collect();
    check(&folder(), &answers);
    assert!(answers.iter().filter(|answer| answer.has_upgrade).count() > 6);
    // All that can happen to a leaf does.
    let all = |count: fn(&Migrated) -> usize| answers.iter().map(|own| count(&own.counts)).sum();
    let counts: [usize; 6] = [
        all(|own| own.moved),
        all(|own| own.lost),
        all(|own| own.lost_meta),
        all(|own| own.replaced),
        all(|own| own.new),
        all(|own| own.dropped),
    ];
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn the_script_writes_the_pairs() {
    let written = Command::new("python3").arg(folder().join("versions.py")).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let kept = std::fs::read_to_string(folder().join("versions.rs")).unwrap();
    assert!(written.stdout == kept.as_bytes(), "write it again: versions.py >versions.rs");
}
