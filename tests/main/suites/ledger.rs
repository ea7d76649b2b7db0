//! Holds `tests/README.md`, the list of both suites, to the tests here and to the size of the suites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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
    /// A path of a test in backquotes, or why there is none, which may name other tests and files.
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

/// The tests of a file and of the files of its modules, by path from the root of this program.
fn tests(file: &Path, module: &str, found: &mut BTreeSet<String>) {
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line
            .trim_start_matches("pub(crate) ")
            .strip_prefix("mod ")
            .and_then(|line| line.strip_suffix(';'))
        {
            let folder = if module.is_empty() {
                file.parent().unwrap().into()
            } else {
                file.with_extension("")
            };
            let inner =
                if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") };
            tests(&folder.join(name).with_extension("rs"), &inner, found);
        }
        if line == "#[test]" {
            let line = lines.next().unwrap();
            let name = line.strip_prefix("fn ").and_then(|line| line.split_once('(')).unwrap().0;
            assert!(found.insert(format!("{module}::{name}")));
        }
    }
}

#[test]
fn every_test_of_the_suites_is_here_or_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let rows = rows(&text);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut named = BTreeSet::new();
    for row in &rows {
        *counts.entry(row.list).or_default() += 1;
        // Two helpers of the suite have one name.
        assert!(names.insert((row.list, row.test)) || row.test == "test_fn", "{} twice", row.test);
        assert!(!row.here.trim().is_empty(), "{}: neither a test nor a reason", row.test);
        for name in row.here.split('`').skip(1).step_by(2) {
            if ["jax::", "optree::", "treedef_jax::"].iter().any(|root| name.starts_with(root)) {
                named.insert(name.to_owned());
            } else if let Some(path) = name.strip_prefix("tests/") {
                assert!(root.join(path).exists(), "{}: there is no {name}", row.test);
            }
        }
    }
    assert_eq!(counts, BTreeMap::from(LISTS), "other tests are listed than the suites have");

    let mut found = BTreeSet::new();
    tests(&root.join("main/suites/mod.rs"), "", &mut found);
    assert!(found.remove("ledger::every_test_of_the_suites_is_here_or_has_a_reason"));
    // Protos and arrays are those of another package.
    let mut of_jax = BTreeSet::new();
    tests(&root.join("../crates/jax/tests/main/suites/mod.rs"), "", &mut of_jax);
    assert!(!of_jax.is_empty());
    found.extend(of_jax.iter().map(|test| format!("treedef_jax::{test}")));
    let missing: Vec<_> = named.difference(&found).collect();
    assert!(missing.is_empty(), "listed, but there are no such tests: {missing:?}");
    let unlisted: Vec<_> = found.difference(&named).collect();
    assert!(unlisted.is_empty(), "tests that the list does not name: {unlisted:?}");
}
