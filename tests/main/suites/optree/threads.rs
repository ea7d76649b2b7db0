//! `concurrent/test_threading.py`: several threads at one tree and one treedef.

use std::sync::Mutex;
use std::thread;

use treedef::{Path, TreeDef};

use super::trees::{Case, cases};
use crate::suites::model::{Tree, flatten, flatten_nones, unflatten};
use crate::support::optree_text::{codify, text};

const THREADS: usize = 4;

/// Sees that several threads at once get from every tree what one alone gets.
fn concurrently<R: PartialEq + std::fmt::Debug + Sync>(work: impl Fn(&Case) -> R + Sync) {
    let cases = cases();
    let expected: Vec<R> = cases.iter().map(&work).collect();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| assert_eq!(cases.iter().map(&work).collect::<Vec<_>>(), expected));
        }
    });
}

fn flat(case: &Case) -> (Vec<Tree>, TreeDef<'static>) {
    if case.none_is_leaf { flatten_nones(&case.tree) } else { flatten(&case.tree) }
}

/// What every leaf is, with its place as a text.
fn with_place(case: &Case, place: impl Fn(Path<'_>) -> String) -> Vec<(String, Tree)> {
    let (leaves, def) = flat(case);
    def.paths().map(place).zip(leaves).collect()
}

#[test]
fn tree_flatten_unflatten_thread_safe() {
    concurrently(|case| {
        let (leaves, def) = flat(case);
        assert_eq!((&leaves, def), (&case.leaves, case.def));
        unflatten(def, leaves)
    });
}

#[test]
fn tree_flatten_with_path_thread_safe() {
    concurrently(|case| with_place(case, |path| path.keystr().to_string()));
}

#[test]
fn tree_flatten_with_accessor_thread_safe() {
    concurrently(|case| {
        let leaves = with_place(case, |path| codify("t", path.entries()));
        assert!(leaves.iter().map(|(code, _)| code).eq(case.codify));
        leaves
    });
}

#[test]
fn treespec_string_representation() {
    concurrently(|case| {
        let text = text(case.def, false);
        assert_eq!(text, format!("PyTreeSpec({})", case.text));
        (text, case.def.to_string())
    });
}

#[test]
fn treespec_pickle_roundtrip() {
    concurrently(|case| {
        let bytes = case.def.as_bytes().to_vec();
        assert_eq!(TreeDef::from_bytes(&bytes), Ok(case.def));
        bytes
    });
}

/// One iterator for all: each leaf goes to one thread, and to each they come in order. An iterator is borrowed mutably
/// while it works, so they take turns.
#[test]
fn tree_iter_thread_safe() {
    for case in cases() {
        let paths = Mutex::new(case.def.paths());
        let next = || paths.lock().unwrap().next().and_then(|path| path.as_leaf());
        let take = || std::iter::from_fn(next).collect::<Vec<_>>();
        let taken: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(take)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(taken.iter().all(|leaves| leaves.is_sorted()));
        let mut all = taken.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..case.leaves.len()));
    }
}
