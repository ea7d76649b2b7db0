//! `test_treespec.py`: what a treedef says of itself.

use std::hash::{BuildHasher, RandomState};

use treedef::{KeyEntry, Kind, TreeDef};

use super::trees::cases;
use crate::suites::model::{flatten_nones, node_of, py, structure};

/// `DIFFERENCE`: the mode is no part of a treedef; where there is no `None`, both are equal.
#[test]
fn treespec_equal_hash() {
    let state = RandomState::new();
    let cases = cases();
    for one in &cases {
        for other in &cases {
            let same = one.text == other.text && one.codify == other.codify;
            assert_eq!(one.def == other.def, same, "{} and {}", one.def, other.def);
            assert_eq!(state.hash_one(one.def) == state.hash_one(other.def), same);
            assert_eq!(one.def.fingerprint() == other.def.fingerprint(), same);
        }
    }
}

#[test]
fn treespec_type() {
    for case in cases() {
        assert_eq!(case.def.is_leaf(), case.def.kind() == Kind::Leaf);
        if !case.def.is_leaf() {
            assert!(case.tree.is(case.def.kind()));
        }
    }
}

/// Entries and children, level by level, give the paths of the leaves.
#[test]
fn treespec_entries() {
    fn descend<'a>(
        def: TreeDef<'a>,
        path: &mut Vec<KeyEntry<'a>>,
        paths: &mut Vec<Vec<KeyEntry<'a>>>,
    ) {
        if def.is_leaf() {
            return paths.push(path.clone());
        }
        assert_eq!(def.head().entries().count(), def.num_children());
        for (entry, child) in def.head().entries().zip(def.children()) {
            path.push(entry);
            descend(child, path, paths);
            path.pop();
        }
    }
    for case in cases() {
        let mut paths = Vec::new();
        descend(case.def, &mut Vec::new(), &mut paths);
        assert_eq!(paths, crate::suites::model::paths(case.def));
    }
}

/// The entry of a child begins the paths of its leaves.
#[test]
fn treespec_entry() {
    for case in cases() {
        let (head, count) = (case.def.head(), case.def.num_children());
        let mut leaf = 0;
        for (i, child) in case.def.children().enumerate() {
            let entry = head.entries().nth(i);
            assert!(entry.is_some());
            if child.num_leaves() > 0 {
                assert_eq!(case.def.path(leaf).unwrap().entries().next(), entry);
            }
            leaf += child.num_leaves();
        }
        assert_eq!(head.entries().nth(count), None);
    }
}

#[test]
fn treespec_children() {
    let children = |tree, parts: [_; 2]| {
        let (def, parts): (TreeDef<'_>, [TreeDef<'_>; 2]) = (tree, parts);
        assert!(def.children().eq(parts));
    };
    let pair = |a, b| [structure(&a), structure(&b)];
    children(structure(&py!(((1, 2, 3), (4,)))), pair(py!((0, 0, 0)), py!((7,))));
    children(structure(&py!(((1, 2, None), (4,)))), pair(py!((0, 0, None)), py!((7,))));
    let nones = flatten_nones(&py!(((1, 2, 3, None), (4,)))).1;
    children(nones, pair(py!((0, 0, 0, 0)), py!((7,))));
}

#[test]
fn treespec_child() {
    for case in cases() {
        let count = case.def.num_children();
        assert_eq!(case.def.children().len(), count);
        for (i, child) in case.def.children().enumerate() {
            assert_eq!(case.def.child(i), Some(child));
        }
        assert_eq!(case.def.child(count), None);
        if case.def.num_nodes() == 1 {
            assert_eq!(case.def.child(0), None);
        }
    }
}

/// The root over plain leaves: the head and as many leaves. A leaf and `None` are their own.
fn one_level(def: TreeDef<'_>) -> TreeDef<'static> {
    let leaves = vec![TreeDef::LEAF; def.num_children()];
    match def.kind() {
        Kind::Leaf => TreeDef::LEAF,
        Kind::None => TreeDef::NONE,
        _ => node_of(&def.head(), &leaves),
    }
}

#[test]
fn treespec_one_level() {
    for case in cases() {
        let (def, count) = (case.def, case.def.num_children());
        let level = one_level(def);
        if def.is_leaf() {
            continue;
        }
        assert!(!level.is_leaf());
        assert_eq!(level.head(), def.head());
        assert_eq!(one_level(level), level);
        assert_eq!((level.num_nodes(), level.num_leaves()), (count + 1, count));
        assert_eq!(level.num_children(), count);
        assert!(level.head().entries().eq(def.head().entries()));
        assert!(level.children().all(|child| child.is_leaf()));
        if def.kind() != Kind::None {
            let children = Vec::from_iter(def.children());
            assert_eq!(node_of(&level.head(), &children), def);
        }
    }
}

#[test]
fn treespec_is_one_level() {
    for case in cases() {
        let is_one_level = |def: TreeDef<'_>| {
            !def.is_leaf()
                && def.num_leaves() == def.num_children()
                && def.num_nodes() == def.num_children() + 1
        };
        let level = one_level(case.def);
        assert_eq!(is_one_level(level), !case.def.is_leaf());
        assert_eq!(is_one_level(case.def), !case.def.is_leaf() && case.def == level);
    }
}

#[test]
fn treespec_num_nodes() {
    fn count(def: TreeDef<'_>) -> usize {
        1 + def.children().map(count).sum::<usize>()
    }
    for case in cases() {
        assert_eq!(case.def.num_nodes(), case.num_nodes);
        assert_eq!(case.def.num_nodes(), count(case.def));
        assert_eq!(case.def.num_nodes(), case.def.nodes().count());
    }
}

#[test]
fn treespec_num_leaves() {
    for case in cases() {
        assert_eq!(case.def.num_leaves(), case.leaves.len());
        assert_eq!(case.def.num_leaves(), case.codify.len());
        assert_eq!(case.def.num_leaves(), case.def.paths().len());
        let below: usize = case.def.children().map(|child| child.num_leaves()).sum();
        assert_eq!(case.def.num_leaves(), if case.def.is_leaf() { 1 } else { below });
    }
}

#[test]
fn treespec_num_children() {
    for case in cases() {
        assert_eq!(case.def.num_children(), case.def.children().len());
        assert_eq!(case.def.num_children(), case.def.head().num_children());
    }
}

#[test]
fn treespec_is_leaf() {
    let none_is_leaf = flatten_nones(&py!(None)).1;
    for def in [structure(&py!(1)), none_is_leaf] {
        assert!(def.is_leaf() && def.num_nodes() == 1);
    }
    assert!(!structure(&py!((1, 2))).is_leaf() && structure(&py!((1, 2))).num_nodes() > 1);
    // What optree's `strict=False` accepts too.
    for tree in [py!(None), py!(()), py!([])] {
        assert!(!structure(&tree).is_leaf() && structure(&tree).num_nodes() == 1);
    }
}
