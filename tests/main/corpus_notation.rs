//! The conformance corpus is read as it was recorded: every tree, key, path and error; and the rules by which this crate
//! differs from JAX explain just the lines they are meant for.

use crate::support;

use serde_json::Value as Json;
use std::collections::BTreeMap;
use support::corpus::{
    Read, Tree, each, fnv1a64, integer, member, read_answer, read_key, read_path, read_raised,
    string,
};
use support::harness::{Outcome, run_family, run_lines};
use support::messages::{
    Difference, JAX, Manner, OPTREE, by_treedef, differences, normal, uncommon,
};
use support::rules::{jax_dataclass_bug, jax_equal, python_equal_but_distinct, strictly_equal};
use support::value::sort_keys;

/// Passed if `check` finds nothing wrong.
fn outcome(check: impl FnOnce() -> Read<()>) -> Outcome {
    check().map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

/// An error where something does not hold.
fn ensure(holds: bool, what: &str) -> Read<()> {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// The leaf order, the counts and the readable parts of an answer to flattening.
fn check_flatten(tree: &Json, expect: &Json) -> Read<()> {
    let tree = Tree::read(tree)?;
    let leaves = tree.leaves();
    if let Some(error) = expect.get("error") {
        read_raised(error)?;
        return ensure(leaves.is_err(), "keys that Python does not order were ordered");
    }
    let leaves = leaves.map_err(|keys| format!("not ordered: {keys:?}"))?;
    ensure(leaves == each(member(expect, "leaves")?, integer)?, "leaf order")?;
    ensure(tree.nodes() as i64 == integer(member(expect, "num_nodes")?)?, "node count")?;
    if let Some(paths) = expect.get("paths") {
        ensure(each(paths, read_path)?.len() == leaves.len(), "one path for each leaf")?;
    }
    Ok(())
}

#[test]
fn trees_flatten_in_pythons_order() {
    run_family("flatten", |line| {
        outcome(|| check_flatten(member(line, "tree")?, member(line, "expect")?))
    });
    run_family("models", |line| {
        outcome(|| check_flatten(member(line, "tree")?, member(line, "expect")?))
    });
    run_family("suite_trees", |line| {
        outcome(|| match line["expect"].get("jax") {
            Some(jax) => check_flatten(member(line, "tree")?, jax),
            None => Tree::read(member(line, "tree")?).map(|_| ()),
        })
    });
}

#[test]
fn limits_are_written_out_and_numbered() {
    run_family("limits", |line| {
        outcome(|| {
            let (tree, expect) = (Tree::read(member(line, "tree")?)?, member(line, "expect")?);
            let leaves = tree.leaves().map_err(|keys| format!("not ordered: {keys:?}"))?;
            let ids = leaves.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            ensure(leaves.len() as i64 == integer(member(expect, "num_leaves")?)?, "leaf count")?;
            ensure(tree.nodes() as i64 == integer(member(expect, "num_nodes")?)?, "node count")?;
            ensure(
                fnv1a64(ids.as_bytes()) == string(member(expect, "leaves_fnv1a64")?)?,
                "leaf order",
            )
        })
    });
}

#[test]
fn keys_sort_as_python_sorts_them() {
    run_family("keys", |line| {
        outcome(|| {
            let keys = each(member(line, "keys")?, read_key)?;
            let sorted = sort_keys(keys.into_iter().zip(0i64..).collect());
            match read_answer(member(&line["expect"], "sorted")?)? {
                Ok(order) => {
                    let sorted = sorted.map_err(|keys| format!("not ordered: {keys:?}"))?;
                    let order = each(order, integer)?;
                    ensure(sorted.iter().map(|(_, i)| *i).eq(order), "order")
                }
                Err(_) => ensure(sorted.is_err(), "keys that Python does not order were ordered"),
            }
        })
    });
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
fn trees_are_of_one_class_if_strictly_equal() {
    run_family("classes", |line| {
        outcome(|| {
            let trees = each(member(line, "trees")?, Tree::read)?;
            let classes = each(member(&line["expect"], "classes")?, integer)?;
            ensure(trees.len() == classes.len(), "one class for each tree")?;
            for (a, x) in trees.iter().zip(&classes) {
                for (b, y) in trees.iter().zip(&classes) {
                    ensure(strictly_equal(a, b) == (x == y), "class")?;
                }
            }
            Ok(())
        })
    });
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

#[test]
fn messages_about_prefixes_are_made_of_place_and_both_sides() {
    run_family("prefix", |line| {
        outcome(|| {
            let trees = ["prefix", "full"].map(|name| Tree::read(&line[name]));
            let [Ok(prefix), Ok(full)] = &trees else { return Err("no trees".into()) };
            let expect = &line["expect"];
            let raised = |name: &str| expect[name].get("error").map(read_raised).transpose();
            if prefix.leaves().is_err() || full.leaves().is_err() {
                // Python sorts the keys only where it finds no other difference before.
                return Ok(());
            }
            let found = differences(prefix, full, JAX);
            let theirs = each(&expect["prefix_errors"], read_raised)?;
            let theirs: Vec<_> = theirs.iter().map(|raised| normal(&raised.message)).collect();
            let ours: Vec<_> = found.iter().map(|at| at.prefix_error("in_axes")).collect();
            ensure(ours == theirs, &format!("prefix_errors: ours {ours:?}, theirs {theirs:?}"))?;
            let first = found.first().map(|at| at.prefix_error("broadcast_prefix prefix_tree"));
            let theirs = raised("broadcast_prefix")?.map(|raised| normal(&raised.message));
            ensure(first == theirs, &format!("broadcast_prefix: {first:?}, theirs {theirs:?}"))?;
            if let Some(raised) = raised("flatten_up_to")? {
                let first_line = raised.message.split("\n\nIn previous releases").next();
                let last = found.last().map(Difference::flatten_up_to);
                let said = last.as_deref() == first_line;
                ensure(said, &format!("flatten_up_to: {last:?}, theirs {first_line:?}"))?;
            }
            let ours = by_treedef(prefix, full).map(|(_, message)| message);
            let theirs = raised("broadcast_by_treedef")?.map(|raised| raised.message);
            ensure(ours == theirs, &format!("by treedef: {ours:?}, theirs {theirs:?}"))
        })
    });
}

#[test]
fn messages_of_optree_are_made_of_place_and_both_sides() {
    run_family("optree", |line| {
        let check = match line["op"].as_str() {
            Some("broadcast_prefix") => broadcast_prefix,
            Some("broadcast_common") => broadcast_common,
            Some("relations") => relations,
            _ => return Outcome::Passed,
        };
        let [a, b] = if line["op"] == "broadcast_prefix" { ["prefix", "full"] } else { ["a", "b"] };
        let manner = Manner { none_is_leaf: line["none_is_leaf"] == true, ..OPTREE };
        outcome(|| {
            let (a, b) = (Tree::read(&line[a])?, Tree::read(&line[b])?);
            match (a.leaves(), b.leaves()) {
                (Ok(_), Ok(_)) => check(&a, &b, manner, &line["expect"]),
                // Optree has an order for these keys, too.
                _ => Ok(()),
            }
        })
    });
}

fn broadcast_prefix(prefix: &Tree, full: &Tree, manner: Manner, expect: &Json) -> Read<()> {
    let found = differences(prefix, full, manner);
    let ours: Vec<_> = found.iter().map(|at| at.optree_prefix_error("in_axes")).collect();
    let theirs = each(&expect["prefix_errors"], |text| Ok(normal(&string(text)?)))?;
    ensure(ours == theirs, &format!("prefix_errors: ours {ours:?}, theirs {theirs:?}"))?;
    for name in ["flatten_up_to", "broadcast_prefix", "tree"] {
        let raised = expect[name].get("error").map(read_raised).transpose()?;
        let last = found.last().map(Difference::optree_flatten_up_to);
        let theirs = raised.map(|raised| raised.message);
        ensure(last == theirs, &format!("{name}: ours {last:?}, theirs {theirs:?}"))?;
    }
    Ok(())
}

fn broadcast_common(a: &Tree, b: &Tree, manner: Manner, expect: &Json) -> Read<()> {
    let ours = uncommon(a, b, manner).last().map(Difference::common_suffix);
    let theirs = expect["common_suffix"].get("error").map(read_raised).transpose()?;
    let theirs = theirs.map(|raised| raised.message);
    ensure(ours == theirs, &format!("common suffix: ours {ours:?}, theirs {theirs:?}"))
}

fn relations(a: &Tree, b: &Tree, manner: Manner, expect: &Json) -> Read<()> {
    let le = differences(a, b, manner).is_empty();
    let ge = differences(b, a, manner).is_empty();
    let theirs = (expect["le"] == true, expect["ge"] == true);
    ensure((le, ge) == theirs, &format!("relations: ours {:?}, theirs {theirs:?}", (le, ge)))
}
