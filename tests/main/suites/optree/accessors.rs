//! Paths and accessors: `test_ops.py` and `test_accessors.py`.

use treedef::dynamic::{Flatten, Trail};
use treedef::{KeyEntry, View};

use super::trees::cases;
use crate::suites::model::{Tree, flatten_where, py, structure, tuple};
use crate::support::optree_text::codify;

/// Every path, applied to the tree, gives the leaf; as code it is what the suite says.
#[test]
fn paths_and_accessors() {
    for case in cases() {
        let view = View::new(case.def, &case.leaves).unwrap();
        let codes = case.def.paths().map(|path| codify("t", path.entries()));
        assert!(codes.eq(case.codify.iter().copied()), "{}", case.text);
        for (path, leaf) in view.leaves_with_path() {
            let found = path.entries().try_fold(view, |view, entry| view.entry(entry));
            assert_eq!(found.and_then(|found| found.as_leaf()), Some(leaf));
        }
    }
}

#[test]
fn paths_and_accessors_with_is_leaf() {
    for case in cases() {
        for is_leaf in super::flattening::is_leaf_functions() {
            let (leaves, def) = flatten_where(&case.tree, is_leaf);
            let view = View::new(def, &leaves).unwrap();
            for (path, leaf) in view.leaves_with_path() {
                let found = path.entries().try_fold(view, |view, entry| view.entry(entry));
                assert_eq!(found.and_then(|found| found.as_leaf()), Some(leaf));
            }
        }
    }
}

/// Entries are equal where class and key are; a position is not the key `0`.
#[test]
fn pytree_accessor_equal_hash() {
    let entries = [
        KeyEntry::Index(0),
        KeyEntry::Key(treedef::Value::Int(0)),
        KeyEntry::Key("a".into()),
        KeyEntry::Attr("a"),
        KeyEntry::Raw("a"),
        KeyEntry::FlatIndex(0),
    ];
    for (i, one) in entries.iter().enumerate() {
        for (j, other) in entries.iter().enumerate() {
            assert_eq!(one == other, i == j);
        }
    }
}

#[test]
fn pytree_accessor_not_equal_is_the_negation_of_equal() {
    for case in cases() {
        let paths = crate::suites::model::paths(case.def);
        for (i, one) in paths.iter().enumerate() {
            for (j, other) in paths.iter().enumerate() {
                assert_eq!(one == other, i == j);
                assert_eq!(one != other, i != j);
            }
        }
    }
}

/// A path is its entries, so that one inside another is found by them in turn.
#[test]
fn pytree_accessor_add() {
    let tree = tuple([py!({"a": [1, 2]}), py!(3)]);
    let (leaves, def) = crate::suites::model::flatten(&tree);
    let view = View::new(def, &leaves).unwrap();
    let upper = [KeyEntry::Index(0), KeyEntry::Key("a".into())];
    let lower = [KeyEntry::Index(1)];
    let whole = upper.iter().chain(&lower).try_fold(view, |view, entry| view.entry(*entry));
    let part = upper.iter().try_fold(view, |view, entry| view.entry(*entry)).unwrap();
    let rest = lower.iter().try_fold(part, |view, entry| view.entry(*entry));
    assert_eq!(whole, rest);
    assert_eq!(whole.and_then(|leaf| leaf.as_leaf()), Some(&py!(2)));
}

/// Parts of a path are parts of its entries.
#[test]
fn pytree_accessor_getitem() {
    let def = structure(&py!([{"a": (1, 2)}]));
    let path = def.path(1).unwrap();
    let entries = Vec::from_iter(path.entries());
    let expected = [KeyEntry::Index(0), KeyEntry::Key("a".into()), KeyEntry::Index(1)];
    assert_eq!(entries, expected);
    assert_eq!(path.entries().nth(1), Some(expected[1]));
    assert!(path.entries().skip(1).eq(expected[1..].iter().copied()));
    // The same from inside a walk, in both directions.
    let mut seen = None;
    let tree = py!([{"a": (1, 2)}]);
    let options = Flatten::new().is_leaf_at(|trail: Trail<'_>, tree: &Tree| {
        if *tree == py!(2) {
            let (down, up) = (Vec::from_iter(trail.entries()), Vec::from_iter(trail.upwards()));
            seen = Some((down == expected, up.iter().rev().eq(&expected), trail.get(3).is_none()));
        }
        false
    });
    assert_eq!(options.num_leaves(&tree), Ok(2));
    assert_eq!(seen, Some((true, true, true)));
}

/// The child of a custom node without keys is found by its position and is written so.
#[test]
fn flattened_entry_call() {
    let tree = crate::suites::trees::special(py!(1), py!(2));
    let (leaves, def) = crate::suites::model::flatten(&tree);
    let view = View::new(def, &leaves).unwrap();
    let second = view.entry(KeyEntry::FlatIndex(1)).and_then(|leaf| leaf.as_leaf());
    assert_eq!(second, Some(&py!(2)));
    assert_eq!(view.entry(KeyEntry::Index(1)), None);
    assert_eq!(codify("t", def.path(1).unwrap().entries()), "t[<flat index 1>]");
}

#[test]
fn getattr_entry_codify_non_identifier_name() {
    let tree = crate::suites::model::named("Odd", &["a b", "class"], [py!(1), py!(2)]);
    let codes = structure(&tree).paths().map(|path| codify("x", path.entries()));
    assert!(
        codes.collect::<Vec<_>>().iter().map(String::as_str).eq(["getattr(x, 'a b')", "x.class"])
    );
}
