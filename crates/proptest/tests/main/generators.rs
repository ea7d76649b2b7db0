//! The strategies reach every corner of the format often enough.

use crate::support;

use proptest::arbitrary::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use support::algebra::Tree;
use support::decode::{decode, validate};
use support::def::{ChildKey, Def, Keys};
use support::value::Value;
use treedef_proptest::{
    AnyTreeDef, Size, common_suffix_pairs, equal_pairs, leaves_of, malformed, mutated, neighbours,
    prefix_pairs, transposable, treedefs, treedefs_of, trees,
};

/// The properties that a tree can have and that are counted.
const CORNERS: [&str; 47] = [
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
    "meta None",
    "meta bool",
    "meta int",
    "meta big int",
    "meta float",
    "meta str",
    "meta bytes",
    "meta tuple",
    "meta opaque",
    "meta float32",
    "child key attr",
    "child key dict",
    "child key seq",
    "child key raw",
    "same inside same",
    "leafless siblings",
    "31 children",
    "key over 127 bytes",
    "key twice",
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
        Def::Struct { meta, .. } => {
            found.extend(meta.iter().map(|(_, value)| format!("meta {}", tag(value))));
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
        let values = keys.values();
        if (1..values.len()).any(|end| values[..end].contains(&values[end])) {
            found.insert("key twice".into());
        }
        for key in values {
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

/// The first `count` values of a strategy, always the same.
fn samples<S: Strategy>(strategy: &S, count: usize) -> impl Iterator<Item = S::Value> {
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &[7; 16]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
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

#[test]
fn a_treedef_in_a_failure_has_its_text_and_its_bytes() {
    for any in samples(&treedefs(), 100) {
        let (shown, def) = (format!("{any:?}"), any.as_treedef());
        assert_eq!(shown, format!("{def} {:02x?}", def.as_bytes()));
    }
}

/// The plain tree of a generated treedef.
fn plain(any: &AnyTreeDef) -> Tree {
    Tree::of(&decode(any.as_treedef().as_bytes()).unwrap())
}

#[test]
fn pairs_are_what_they_are_called() {
    assert!(samples(&equal_pairs(), 100).all(|(a, b)| a == b));
    let mut proper = 0;
    for (prefix, full) in samples(&prefix_pairs(), 1000) {
        let (prefix, full) = (plain(&prefix), plain(&full));
        assert!(prefix.flatten_up_to(&full).is_some(), "{prefix:?} {full:?}");
        proper += usize::from(prefix != full && !prefix.is_leaf());
    }
    let (mut both, mut split) = (0, 0);
    for (a, b, suffix) in samples(&common_suffix_pairs(), 1000) {
        let [a, b, suffix] = [&a, &b, &suffix].map(plain);
        assert_eq!(a.common_suffix(&b), Some((suffix.clone(), suffix.clone())));
        both += usize::from(suffix != a && suffix != b);
        // One copy among equal siblings is a leaf in one of them.
        let runs = |tree: &Tree| tree.children().chunk_by(|a, b| a == b).count();
        split += usize::from(runs(&a) != runs(&suffix) && !a.is_leaf());
    }
    let mut large = 0;
    for (outer, inner, tree) in samples(&transposable(), 1000) {
        let [outer, inner, tree] = [&outer, &inner, &tree].map(plain);
        assert_eq!(outer.compose(&inner), tree);
        large +=
            usize::from(outer.leaves().len() > 1 && inner.leaves().len() > 1 && outer != inner);
    }
    let counts = [proper, both, split, large];
    println!("{counts:?}");
    assert!(counts.iter().all(|count| *count >= 100), "{counts:?}");
}

#[test]
fn trees_have_the_leaves_they_need_and_these_differ() {
    let mut unequal = 0;
    for tree in samples(&trees(any::<i32>()), 300) {
        let (view, leaves) = (tree.as_view(), tree.leaves());
        assert_eq!(view.treedef().num_leaves(), leaves.len());
        assert_eq!(view.leaves(), leaves);
        unequal += usize::from(leaves.windows(2).any(|pair| pair[0] != pair[1]));
        let given = samples(&leaves_of(tree.as_treedef(), any::<i32>()), 1).next().unwrap();
        assert_eq!(given.len(), leaves.len());
    }
    assert!(unequal > 100, "{unequal}");
}
