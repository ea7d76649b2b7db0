//! The runner of the conformance corpus drops no line, and the rules by which this crate differs from JAX explain just the
//! lines they are meant for.

use crate::support;

use serde_json::Value as Json;
use std::collections::BTreeMap;
use support::corpus::{Read, Tree, integer, member, read_raised};
use support::harness::{Outcome, run_family, run_lines};
use support::rules::{jax_dataclass_bug, jax_equal, python_equal_but_distinct, strictly_equal};

/// Passed if `check` finds nothing wrong.
fn outcome(check: impl FnOnce() -> Read<()>) -> Outcome {
    check().map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// An error where something does not hold.
fn ensure(holds: bool, what: &str) -> Read<()> {
    if holds { Ok(()) } else { Err(what.into()) }
}

#[test]
fn one_rule_explains_each_equality_that_is_not_strict() {
    let mut explained = BTreeMap::new();
    let tally = run_family("equality", |line| {
        outcome(|| {
            let (a, b) = (Tree::read(member(line, "a")?)?, Tree::read(member(line, "b")?)?);
            let expect = member(line, "expect")?;
            if let Some(error) = expect.get("error") {
                read_raised(error)?;
                return ensure(
                    a.leaves().is_err() || b.leaves().is_err(),
                    "no key is out of order",
                );
            }
            let (equal, strict) = (expect["equal"] == true, strictly_equal(&a, &b));
            let rules = [python_equal_but_distinct(&a, &b), jax_dataclass_bug(&a, &b)];
            *explained.entry((equal, strict, rules)).or_insert(0) += 1;
            ensure(equal == jax_equal(&a, &b), "equality")?;
            let rules = rules.into_iter().filter(|holds| *holds).count();
            ensure(rules == usize::from(equal && !strict), "rules")?;
            // Texts and hashes tell the two rules apart, as the corpus says.
            let texts_differ = expect["a_treedef"] != expect["b_treedef"];
            ensure(!python_equal_but_distinct(&a, &b) || texts_differ, "texts")?;
            ensure(!equal || (expect["hash_equal"] == true) != jax_dataclass_bug(&a, &b), "hashes")
        })
    });
    if tally.is_some() && std::env::var_os("TREEDEF_CONFORMANCE").is_none() {
        let strict = explained[&(true, true, [false, false])];
        let python = explained[&(true, false, [true, false])];
        let dataclass = explained[&(true, false, [false, true])];
        assert_eq!((strict, python, dataclass), (80, 11, 11));
    }
}

#[test]
fn each_committed_file_has_the_lines_of_the_manifest() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let manifest: Json =
        serde_json::from_slice(&std::fs::read(directory.join("MANIFEST.json")).unwrap()).unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            let (name, text) =
                (path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
            let tally = run_lines(&text, |_| Outcome::Passed);
            let about = &manifest["files"][name];
            assert_eq!(
                (integer(&about["bytes"]), integer(&about["lines"])),
                (Ok(text.len() as i64), Ok(tally.passed as i64))
            );
            files += 1;
        }
    }
    assert!(files >= 7);
}

#[test]
fn no_line_is_dropped() {
    let text = b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n\n{\"id\":\n\xff\n{\"id\":\"c\"}\n{\"id\":\"d\"}\n{\"id\":\"e\"}";
    let tally = run_lines(text, |line| match line["id"].as_str() {
        Some("a") => Outcome::Passed,
        Some("b") => Outcome::Different("spelling"),
        Some("c") => Outcome::Skipped("colour"),
        Some("d") => Outcome::Failed("wrong".into()),
        _ => panic!("no such letter"),
    });
    assert_eq!((tally.total(), tally.passed, tally.different(), tally.skipped()), (8, 1, 1, 1));
    let report = tally.report("letters");
    let mut lines = report.lines();
    assert_eq!(lines.next(), Some("letters: 1 passed, 1 different, 5 failed, 1 skipped"));
    assert_eq!(lines.next(), Some("  1 different: spelling"));
    assert_eq!(lines.next(), Some("  1 skipped: colour"));
    assert!(lines.next().unwrap().starts_with("  failed: line 3: unreadable"));
    assert!(lines.next().unwrap().starts_with("  failed: line 4: unreadable"));
    assert!(lines.next().unwrap().starts_with("  failed: line 5: unreadable"));
    assert_eq!(lines.next(), Some("  failed: d: wrong"));
    assert_eq!(lines.next(), Some("  failed: e: panic: no such letter"));
    assert_eq!(run_lines(b"", |_| Outcome::Passed).total(), 0);
}
