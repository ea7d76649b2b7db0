//! Questions to one tree or two, which add nothing to the pool.

use std::cmp::Ordering;

use treedef::algebra::{combine, filter, partition};
use treedef::dynamic::{Flatten, fold, fold_len, unflatten_into, unflatten_len};
use treedef::{Error, Kind, TreeDef, View, broadcast_prefix, flatten_up_to, matches};

use super::operations::{Choices, Entry, leaves_to_none, write};
use crate::bridge::{self, Style, Typed};
use crate::support::algebra::{Relation, Tree};
use crate::support::decode::decode;
use crate::support::def::Def;
use crate::support::node_of;

/// The parts of a tree below the leaves of a prefix, and the leaves of the prefix for each leaf below.
pub(super) fn flatten_up_to_agrees(prefix: &Entry, full: &Entry) {
    let (ours, theirs) = (prefix.def(), full.def());
    let parts = flatten_up_to(ours, full.view());
    let check = ours.check_prefix_of(theirs);
    let is_prefix = |one: &Entry, other: &Entry| one.tree.flatten_up_to(&other.tree).is_some();
    let order = match (is_prefix(prefix, full), is_prefix(full, prefix)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    };
    assert_eq!(ours.prefix_cmp(theirs), Ok(order));
    let Some(expected) = prefix.tree.flatten_up_to(&full.tree) else {
        let node = prefix.tree.first_difference(&full.tree, Relation::Prefix).unwrap();
        let error = Error::NotPrefix { node, tree: 0 };
        assert_eq!((parts.err(), check), (Some(error), Err(error)));
        return;
    };
    assert_eq!(check, Ok(()));
    let parts = parts.unwrap();
    assert_eq!(parts.len(), expected.len());
    for (part, expected) in parts.zip(&expected) {
        assert_eq!(part.treedef().as_bytes(), expected.encode());
        assert_eq!(part.leaves(), expected.leaves());
    }
    let mut leaves = vec![0; full.leaves.len()];
    assert_eq!(broadcast_prefix(prefix.view(), theirs, &mut leaves), Ok(leaves.len()));
    assert_eq!(leaves, prefix.tree.broadcast(&full.tree).unwrap().leaves());
}

/// Leaves that a prefix of marks selects, and the way back.
pub(super) fn partition_agrees(prefix: &Entry, full: &Entry, choices: &mut Choices) {
    let Some(parts) = prefix.tree.flatten_up_to(&full.tree) else { return };
    let marks: Vec<_> = prefix.leaves.iter().map(|_| choices.below(2) == 0).collect();
    let spec = View::new(prefix.def(), &marks).unwrap();
    let (view, count) = (full.view(), full.leaves.len());
    let mask = parts.iter().zip(&marks).flat_map(|(part, mark)| vec![*mark; part.leaves().len()]);
    let mask: Vec<_> = mask.collect();
    let mut grown = vec![false; count];
    assert_eq!(broadcast_prefix(spec, full.def(), &mut grown), Ok(count));
    assert_eq!(grown, mask);
    let [mut selected, mut others, mut alone] = [(); 3].map(|()| vec![Some(7); count]);
    assert_eq!(partition(view, spec, &mut selected, &mut others), Ok(count));
    let expected = |mark: bool| {
        let leaves = full.leaves.iter().zip(&mask);
        leaves.map(|(leaf, selects)| (*selects == mark).then_some(*leaf)).collect::<Vec<_>>()
    };
    assert_eq!((&selected, &others), (&expected(true), &expected(false)));
    assert_eq!(filter(view, spec, &mut alone), Ok(count));
    assert_eq!(alone, selected);
    for parts in [[&*selected, &*others], [&*others, &*selected]] {
        let mut whole = vec![None; count];
        assert_eq!(combine(&parts, &mut whole), Ok(count));
        assert!(whole.into_iter().eq(full.leaves.iter().copied().map(Some)));
    }
    leaves_to_none(full, &mask);
}

/// The text of the path to a node, entry by entry.
fn keystr(mut def: TreeDef<'_>, path: &[usize]) -> String {
    let entries = path.iter().map(|&child| {
        let entry = def.head().entries().nth(child).unwrap().to_string();
        def = def.child(child).unwrap();
        entry
    });
    entries.collect()
}

/// All places at which two trees differ, in each relation.
pub(super) fn differences_agree(first: &Entry, second: &Entry) {
    let (expected, found) = (first.def(), second.def());
    assert_eq!(expected == found, first.tree.def() == second.tree.def());
    for (differences, relation) in [
        (expected.differences(found), Relation::Equal),
        (expected.prefix_errors(found), Relation::Prefix),
        (expected.common_suffix_errors(found), Relation::Common),
    ] {
        let places = first.tree.differences(&second.tree, relation);
        assert_eq!(differences.clone().count(), places.len());
        let last = differences.clone().last().and_then(|last| last.unwrap().path().found());
        let last_place = places.last().map(|path| first.tree.before(path).0);
        assert_eq!(last.map(|last| last.node()), last_place);
        for (difference, path) in differences.zip(&places) {
            let difference = difference.unwrap();
            let place = difference.path().found().unwrap();
            assert!(place.indices().eq(path.iter().copied()));
            assert_eq!(place.node(), first.tree.before(path).0);
            assert_eq!(expected.node_path(place.node()), Some(difference.path()));
            assert_eq!(difference.path().to_string(), keystr(expected, path));
            assert_ne!(difference.expected().head(), difference.found().head());
            for (entry, part, leaves) in [
                (first, difference.expected(), difference.expected_leaves()),
                (second, difference.found(), difference.found_leaves()),
            ] {
                let (tree, start) = (entry.tree.at(path).unwrap(), entry.tree.before(path).1);
                assert_eq!(part.as_bytes(), tree.encode());
                assert_eq!(leaves, start..start + tree.leaves().len());
            }
        }
    }
}

/// Nodes in preorder, and children.
pub(super) fn nodes_agree(entry: &Entry) {
    let (def, paths) = (entry.def(), entry.tree.paths());
    assert_eq!((def.num_leaves(), def.num_nodes()), (entry.tree.leaves().len(), paths.len()));
    assert_eq!(def.nodes().count(), paths.len());
    for (node, path) in def.nodes().zip(&paths) {
        let (node, expected) = (node.unwrap(), entry.tree.at(path).unwrap());
        assert_eq!((node.depth, node.head.num_children()), (path.len(), expected.children().len()));
    }
    assert!(
        def.children().map(|child| child.as_bytes().to_vec()).eq(entry
            .tree
            .children()
            .iter()
            .map(|child| child.encode()))
    );
}

/// The path of each node leads to it, by indices and by entries.
pub(super) fn paths_agree(entry: &Entry, choices: &mut Choices) {
    let (def, paths) = (entry.def(), entry.tree.paths());
    let leaves = paths.iter().filter(|path| entry.tree.at(path).unwrap().is_leaf());
    let places = def.paths().map(|path| path.found().unwrap());
    assert!(places.map(|place| place.indices().collect::<Vec<_>>()).eq(leaves.cloned()));
    let node = choices.below(paths.len());
    let (path, expected) = (&paths[node], entry.tree.at(&paths[node]).unwrap());
    let found = def.find_at(path.iter().copied()).unwrap();
    assert_eq!((found.node(), found.treedef().as_bytes()), (node, expected.encode().as_slice()));
    assert_eq!(entry.leaves[found.leaves()], expected.leaves());
    let by_index = def.node_path(node).unwrap();
    assert!(by_index.found().unwrap().indices().eq(path.iter().copied()));
    // Entries lead to it unless one of them is also that of an earlier child, as a key that an ordered dict has twice.
    let hidden = (0..path.len()).any(|depth| {
        let parent = def.find_at(path[..depth].iter().copied()).unwrap().treedef();
        let entries: Vec<_> = parent.head().entries().collect();
        entries[..path[depth]].contains(&entries[path[depth]])
    });
    let by_entries = def.find(by_index.entries()).map(|found| found.node());
    assert_eq!(by_entries == Ok(node), !hidden);
    let outside = [path.as_slice(), &[expected.children().len()]].concat();
    assert_eq!(def.find_at(outside), None);
}

/// A tree put together from structure and leaves, in each model of trees.
pub(super) fn rebuilt_agree(entry: &Entry) {
    let def = entry.def();
    let mut slab = vec![treedef::Node::None; unflatten_len(def)];
    let node = unflatten_into(def, &entry.leaves, &mut slab).unwrap();
    let mut leaves = vec![0; entry.leaves.len()];
    let mut bytes = vec![0xA5; Flatten::new().structure_bound(&node).unwrap()];
    let written = Flatten::new().flatten_into(&node, &mut bytes, &mut leaves);
    assert_eq!((written, &leaves), (Ok((def, leaves.len())), &entry.leaves));
    let mut leaves = vec![0; entry.leaves.len()];
    let mut bytes = vec![0xA5; Flatten::new().structure_bound(entry.view()).unwrap()];
    let written = Flatten::new().flatten_into(entry.view(), &mut bytes, &mut leaves);
    assert_eq!((written, &leaves), (Ok((def, leaves.len())), &entry.leaves));
    let mut seen = Vec::new();
    assert_eq!(Flatten::new().for_each(&node, |leaf| seen.push(*leaf)), Ok(()));
    assert_eq!(seen, entry.leaves);
    let mut stack = vec![None; fold_len(def).unwrap()];
    let tree = fold(def, entry.leaves.iter().copied(), &mut stack, Tree::Leaf, |head, children| {
        let head = match head.kind() {
            Kind::None => Def::None,
            _ => decode(&node_of(&head, &vec![TreeDef::LEAF; head.num_children()])?).unwrap(),
        };
        Ok::<_, Error>(Tree::node(head, children.collect()))
    });
    assert_eq!(tree.as_ref(), Ok(&entry.tree));
}

/// What all encoders make of a structure, compared with itself and with another one.
pub(super) fn encoders_agree(first: &Entry, second: &Entry) {
    for (ours, theirs) in [(first, second), (second, first)] {
        let def = ours.tree.def();
        assert_eq!(bridge::build(&def), ours.bytes);
        let node = theirs.tree.first_difference(&ours.tree, Relation::Equal);
        let expected = node.map_or(Ok(()), |node| Err(Error::Mismatch { node }));
        for style in Style::ALL {
            let typed = Typed(&def, style);
            assert_eq!(write(&typed).as_deref(), Ok(ours.bytes.as_slice()), "{style:?}");
            assert_eq!(matches(&typed, theirs.def()), expected, "{style:?}");
        }
    }
}
