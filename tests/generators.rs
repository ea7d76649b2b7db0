//! The strategies reach every corner of the format often enough.
#![cfg(feature = "proptest")]

mod support;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use support::decode::{decode, validate};
use support::def::{ChildKey, Def, Keys};
use support::value::Value;
use treedef::strategies::{Size, malformed, mutated, neighbours, treedefs, treedefs_of};
use treedef::{Kind, TreeDef};

/// The properties that a tree can have and that are counted.
const CORNERS: [&str; 46] = [
    "leaf",
    "none",
    "tuple",
    "list",
    "some",
    "dict",
    "ordered dict",
    "default dict",
    "named tuple",
    "struct",
    "custom",
    "dict, str keys",
    "dict, int keys",
    "dict, typed keys",
    "ordered dict, str keys",
    "ordered dict, int keys",
    "ordered dict, typed keys",
    "default dict, str keys",
    "default dict, int keys",
    "default dict, typed keys",
    "key None",
    "key bool",
    "key int",
    "key big int",
    "key float",
    "key str",
    "key bytes",
    "key tuple",
    "static None",
    "static bool",
    "static int",
    "static big int",
    "static float",
    "static str",
    "static bytes",
    "static tuple",
    "static opaque",
    "static float32",
    "child key attr",
    "child key dict",
    "child key seq",
    "child key raw",
    "same inside same",
    "leafless siblings",
    "31 children",
    "key over 127 bytes",
];

/// What kind of value it is.
fn tag(value: &Value) -> &'static str {
    match value {
        Value::None => "None",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int",
        Value::Big { .. } => "big int",
        Value::F64(_) => "float",
        Value::Str(_) => "str",
        Value::Bytes(_) => "bytes",
        Value::Tuple(_) => "tuple",
        Value::Opaque(_) => "opaque",
        Value::F32(_) => "float32",
    }
}

/// The corners of one node, without its children's.
fn corners_of_node(def: &Def, found: &mut BTreeSet<String>) {
    let (kind, keys) = match def {
        Def::Leaf => ("leaf", None),
        Def::None => ("none", None),
        Def::Tuple(_) => ("tuple", None),
        Def::List(_) => ("list", None),
        Def::Some(_) => ("some", None),
        Def::Dict { keys, .. } => ("dict", Some(keys)),
        Def::OrderedDict { keys, .. } => ("ordered dict", Some(keys)),
        Def::DefaultDict { keys, .. } => ("default dict", Some(keys)),
        Def::NamedTuple { .. } => ("named tuple", None),
        Def::Struct { statics, .. } => {
            found.extend(statics.iter().map(|(_, value)| format!("static {}", tag(value))));
            ("struct", None)
        }
        Def::Custom { child_keys, .. } => {
            found.extend(child_keys.iter().flatten().map(|key| match key {
                ChildKey::Attr(_) => "child key attr".into(),
                ChildKey::Dict(_) => "child key dict".into(),
                ChildKey::Seq(_) => "child key seq".into(),
                ChildKey::Raw(_) => "child key raw".into(),
            }));
            ("custom", None)
        }
    };
    found.insert(kind.into());
    if let Some(keys) = keys.filter(|_| !def.children().is_empty()) {
        let form = match keys {
            Keys::Str(_) => "str",
            Keys::Int(_) => "int",
            Keys::Typed(_) => "typed",
        };
        found.insert(format!("{kind}, {form} keys"));
        for key in keys.values() {
            found.insert(format!("key {}", tag(&key)));
            if matches!(key, Value::Str(text) if text.len() > 127) {
                found.insert("key over 127 bytes".into());
            }
        }
    }
    if def.children().len() >= 31 {
        found.insert("31 children".into());
    }
    if def.children().windows(2).any(|pair| pair.iter().all(|child| child.leaves() == 0)) {
        found.insert("leafless siblings".into());
    }
}

/// Collects the corners of a tree; gives its depth and whether it holds a repeat.
fn corners(def: &Def, found: &mut BTreeSet<String>) -> (usize, bool) {
    corners_of_node(def, found);
    let (mut depth, mut repeat) = (0, false);
    for equal in def.children().chunk_by(|a, b| a == b) {
        let (below, inner) = corners(&equal[0], found);
        let folded = equal.len() > 1 && equal[0] != Def::Leaf && equal[0].leaves() > 0;
        if folded && inner {
            found.insert("same inside same".into());
        }
        (depth, repeat) = (depth.max(below + 1), repeat || folded || inner);
    }
    (depth, repeat)
}

/// So many values of a strategy, always the same.
fn samples<S: Strategy>(strategy: &S, count: usize) -> impl Iterator<Item = S::Value> {
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

#[test]
fn every_corner_occurs_in_one_tree_of_a_hundred() {
    let mut counts: BTreeMap<String, usize> = CORNERS.map(|corner| (corner.into(), 0)).into();
    let mut deep = 0;
    for any in samples(&treedefs(), 10_000) {
        let mut found = BTreeSet::new();
        let (depth, _) = corners(&decode(any.as_treedef().as_bytes()).unwrap(), &mut found);
        deep += usize::from(depth > 30);
        found.into_iter().for_each(|corner| *counts.entry(corner).or_default() += 1);
    }
    println!("{counts:?}, deeper than 30: {deep}");
    let rare: Vec<_> =
        CORNERS.iter().filter(|corner| counts[**corner] < 100).map(|c| (c, counts[*c])).collect();
    assert!(rare.is_empty() && deep >= 100, "{rare:?}, deeper than 30: {deep}");
}

#[test]
fn trees_keep_to_the_size_asked_for() {
    let size = Size { depth: 3, children: 4, nodes: 20 };
    for any in samples(&treedefs_of(size), 1000) {
        let def = any.as_treedef();
        assert!(def.num_nodes() <= 20);
        assert!(def.nodes().all(|node| node.unwrap().depth <= 3));
    }
}

/// Whether a law fails for a treedef.
type Failure = fn(TreeDef) -> bool;

#[test]
fn failures_shrink_to_small_trees() {
    let mut runner = TestRunner::deterministic();
    // A node in a list; a repeat; some leaves.
    let list: Failure =
        |def| def.kind() == Kind::List && def.num_children() == 1 && def.num_nodes() > 2;
    let repeat: Failure = |def| {
        let mut twins = def.children().filter(|child| child.num_leaves() > 0 && !child.is_leaf());
        twins.next().is_some_and(|first| twins.next() == Some(first))
    };
    let leaves: Failure = |def| def.num_leaves() >= 5;
    for (worst, bad) in [(3, list), (8, repeat), (8, leaves)] {
        let strategy = treedefs();
        let mut tree = (0..10_000)
            .map(|_| strategy.new_tree(&mut runner).unwrap())
            .find(|tree| bad(tree.current().as_treedef()))
            .unwrap();
        // As the runner does: back where the failure is lost, on where it is kept.
        let mut smallest = tree.current();
        let mut more = true;
        while more {
            more = if bad(tree.current().as_treedef()) {
                smallest = tree.current();
                tree.simplify()
            } else {
                tree.complicate()
            };
        }
        assert!(smallest.as_treedef().as_bytes().len() <= worst, "{smallest:?}");
    }
}

#[test]
fn malformed_bytes_are_refused_and_neighbours_differ() {
    assert!(samples(&malformed(), 1000).all(|bytes| validate(&bytes).is_err()));
    let good = samples(&mutated(), 1000).filter(|bytes| validate(bytes).is_ok()).count();
    assert!((30..970).contains(&good), "{good}");
    for (a, b) in samples(&neighbours(), 1000) {
        assert_ne!(a, b);
        assert_ne!(decode(a.as_treedef().as_bytes()), decode(b.as_treedef().as_bytes()));
    }
}
