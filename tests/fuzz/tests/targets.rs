//! The targets on the seeds and on what was found, and the lists that they have to be complete by.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use left_out::compare_with_api;
// What the code is built with calls it.
use libfuzzer_sys as _;
use treedef_fuzz::{guard, imports, keys, migration, operations, paths, reading, typed, verdicts};

#[path = "../../../benches/growth/left_out.rs"]
mod left_out;
#[path = "../../support/public.rs"]
mod public;

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 8] = [
    ("verdicts", verdicts),
    ("reading", reading),
    ("imports", imports),
    ("keys", keys),
    ("paths", paths),
    ("operations", operations),
    ("typed", typed),
    ("migration", migration),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a target on the files of a folder.
fn run(target: Target, folder: &Path) -> usize {
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    for file in &files {
        eprintln!("{}", file.display());
        target(&fs::read(file).unwrap());
    }
    files.len()
}

#[test]
fn the_targets_hold_for_the_seeds() {
    let folder = env::temp_dir().join(format!("treedef-fuzz-seeds-{}", std::process::id()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds.py");
    assert!(Command::new("python3").arg(script).arg(&folder).status().unwrap().success());
    for (name, target) in TARGETS {
        assert!(run(target, &folder.join(name)) >= 30, "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// With a folder in `FUZZ_FOUND` for each target, as `artifacts`: what was found there.
#[test]
fn what_was_found_is_mended() {
    let Some(folder) = env::var_os("FUZZ_FOUND") else { return };
    for (name, target) in TARGETS {
        run(target, &Path::new(&folder).join(name));
    }
}

#[test]
fn a_key_that_prints_with_an_escape_is_found_by_its_keystr() {
    paths(b"\x07b\x04\x01\0\x01b\xc0b\x04\x01\0\x01b\xc0\0\0");
}

/// The target `reading` does all rows of the growth bench.
#[test]
fn every_public_function_is_a_row_or_is_left_out() {
    assert_eq!(compare_with_api(&root()), [""; 0]);
}

/// What the targets do not check: an iterator that cannot be cloned, paths, whose iterators are others, and keys that only a build has.
const NOT_CLONED: [&str; 3] = ["FoldChildren", "KeyPath", "Keys"];

#[test]
fn every_public_iterator_keeps_the_laws() {
    let api = fs::read_to_string(root().join("tests/golden/public-api.txt")).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/targets");
    let sources: String = ["reading.rs", "keys.rs", "paths.rs"]
        .map(|file| fs::read_to_string(folder.join(file)).unwrap())
        .concat();
    let iterators = api.lines().filter_map(|line| {
        let path = line.strip_prefix("pub type treedef::")?.split_once("::Item = ")?.0;
        path.split(['<', ' ']).next()?.rsplit("::").next()
    });
    let mut names: Vec<_> = iterators.filter(|name| *name != "NoPredicate").collect();
    assert!(names.len() >= 12, "{names:?}");
    names.retain(|name| !sources.contains(&format!("(\"{name}\",")) && !NOT_CLONED.contains(name));
    assert_eq!(names, [""; 0]);
}

#[test]
fn the_guard_finds_what_is_kept_and_what_is_too_large() {
    let limits = |heap, keeps| guard::Limits { time: 200, stack: 128 << 10, heap, keeps };
    let keep = |bytes: usize| _ = black_box(vec![0u8; black_box(bytes)]).leak();
    // One run in some number is on a thread of its own, where nothing is counted as kept.
    guard::check(b"", &limits(1 << 20, false), || drop(black_box(vec![0u8; 1 << 20])));
    let panics = |limits: guard::Limits, run: &(dyn Fn() + Sync)| {
        let run = std::panic::AssertUnwindSafe(run);
        std::panic::catch_unwind(|| guard::check(b"", &limits, *run)).is_err()
    };
    assert!(panics(limits(1 << 20, false), &|| drop(black_box(vec![0u8; (1 << 20) + 1]))));
    assert!(panics(limits(1 << 20, false), &|| keep(100)));
    assert!(!panics(limits(1 << 20, true), &|| keep(100)));
    assert!(panics(limits(0, false), &|| {
        // Other programs may have the processors most of the time.
        let start = (guard::on_processor(), Instant::now());
        let ran = || Some(guard::on_processor()?.saturating_sub(start.0?));
        while ran().unwrap_or(start.1.elapsed()) < Duration::from_millis(400) {}
    }));
}
