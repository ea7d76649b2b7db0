//! Holds `tests/README.md`, the list of both suites, to what it names here and to the size of the suites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// The lists and how many tests the suite has in each: JAX 0.10.2 and what its main branch added up to August 2026,
/// optree 0.20.0, each test function counted once whatever its parameters.
const LISTS: [(&str, usize); 25] = [
    // tests/tree_util_test.py
    ("TreeTest", 60),
    ("TreeKeyTest", 5),
    ("StaticTest", 6),
    ("RavelUtilTest", 9),
    ("TreePrefixErrorsTest", 20),
    ("TreeAliasTest", 23),
    ("RegistrationTest", 9),
    ("FlatTreeTest", 1),
    // jaxlib/pytree_test.py
    ("PyTreeTest", 9),
    // optree's tests/: 386 in all
    ("test_ops.py", 97),
    ("test_treespec.py", 70),
    ("test_prefix_errors.py", 17),
    ("test_accessors.py", 14),
    ("test_typing.py", 14),
    ("test_utils.py", 5),
    ("test_registry.py", 48),
    ("test_functools.py", 17),
    ("test_dataclasses.py", 34),
    ("test_attrs.py", 37),
    ("test_shortcut.py", 5),
    ("test_jax.py", 3),
    ("test_numpy.py", 3),
    ("test_torch.py", 4),
    ("test_imports.py, test_subinterpreters.py", 8),
    ("test_threading.py", 10),
];

/// A row of the list.
struct Row<'a> {
    list: &'a str,
    test: &'a str,
    /// What checks its rule, or why nothing does.
    here: &'a str,
}

/// The rows of the tables below the headings of `LISTS`.
fn rows(text: &str) -> Vec<Row<'_>> {
    let (mut list, mut rows) = ("", Vec::new());
    for line in text.lines() {
        if line.starts_with('#') {
            list = line.strip_prefix("### `").and_then(|name| name.strip_suffix('`')).unwrap_or("");
        } else if let Some(cells) =
            line.strip_prefix("| `").and_then(|line| line.strip_suffix(" |"))
            && !list.is_empty()
        {
            let (test, here) = cells.split_once("` | ").unwrap_or_else(|| panic!("no row: {line}"));
            rows.push(Row { list, test, here });
        }
    }
    rows
}

/// Whether there is a test of this path, which is from `main/` or from the suites of `treedef_jax`.
fn is_test(root: &Path, path: &str) -> bool {
    let (folder, path) = match path.strip_prefix("treedef_jax::") {
        Some(path) => (root.join("../crates/jax/tests/main/suites"), path),
        None => (root.join("main"), path),
    };
    let (module, name) = path.rsplit_once("::").unwrap_or_else(|| panic!("no module: {path}"));
    let file = module.replace("::", "/");
    [format!("{file}.rs"), format!("{file}/mod.rs")].iter().any(|file| {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        let mut tests = text.split("#[test]").skip(1);
        tests.any(|test| test.trim_start().starts_with(&format!("fn {name}(")))
    })
}

/// The operations that a recorded family has lines of.
fn operations(root: &Path, family: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root.join(format!("conformance/{family}.jsonl")))
        .unwrap_or_else(|error| panic!("{family}: {error}"));
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    lines.filter_map(|line| line["op"].as_str().map(String::from)).collect()
}

#[test]
fn every_test_of_the_suites_is_covered_or_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut families = BTreeMap::new();
    for Row { list, test, here } in rows(&text) {
        *counts.entry(list).or_default() += 1;
        // Two helpers of the suite have one name.
        assert!(names.insert((list, test)) || test == "test_fn", "{test} twice");
        assert!(!here.trim().is_empty(), "{test}: neither covered nor a reason");
        let parts: Vec<_> = here.split('`').collect();
        let mut family = "";
        for pair in parts.chunks_exact(2) {
            let [before, name] = *pair else { unreachable!() };
            if before.ends_with("recorded family ") {
                family = name;
                families.entry(name).or_insert_with(|| operations(&root, name));
            } else if before == ": " {
                assert!(families[family].contains(name), "{test}: {family} has no {name}");
            } else if before.ends_with("test ") {
                assert!(is_test(&root, name), "{test}: there is no {name}");
            } else if let Some(path) = name.strip_prefix("tests/") {
                assert!(root.join(path).exists(), "{test}: there is no {name}");
            }
        }
    }
    assert_eq!(counts, BTreeMap::from(LISTS), "other tests are listed than the suites have");
}
