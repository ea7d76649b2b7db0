//! The algebra on bytes against its definitions on plain trees, and its bounds.

use std::cmp::Ordering;

use proptest::prelude::*;
use treedef::algebra::{
    Change, broadcast_common, combine_in_place, filter, partition, partition_in_place,
    replace_nones, transpose, transpose_map,
};
use treedef::encode::{Level, structure_bound};
use treedef::format::DecodeErrorKind;
use treedef::{
    Error, TreeDef, View, Writer, broadcast_prefix, flatten_up_to, structure_into, treedef,
};
use treedef_proptest::{AnyTreeDef, neighbours, prefix_pairs, transposable, treedefs};

use crate::programs::{compare, read, write};
use crate::reference_exhaustive::{PLAIN, structures};
use crate::support::algebra::Tree;
use crate::support::decode::decode;
use crate::support::def::Def;

#[test]
fn a_tree_without_leaves_is_not_transposed() {
    // There is no tree that shows the inner structure. A map has a function for it, as in optree.
    let (pair, none) = (treedef!((*, *)), treedef!([(), ()]));
    let tree = View::<i32>::new(none, &[]).unwrap();
    let error = Error::TooFewLeaves { expected: 2, found: 0 };
    assert_eq!(transpose(none, pair, tree, &mut []).err(), Some(error));
    let turned = transpose_map(tree, pair, &mut [0], &mut [0], |_, _| Ok(())).unwrap();
    let bytes = &mut [0; 16];
    assert_eq!(structure_into(&turned, bytes), Ok(treedef!(([(), ()], [(), ()]))));
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn every_two_small_structures_do_as_the_model() {
    let defs = structures(4, &PLAIN);
    assert_eq!(defs.len(), 4 + 8 + 48 + 352);
    let trees: Vec<_> = defs.iter().map(Tree::of).collect();
    for (choice, a) in (0..).zip(&trees) {
        for b in &trees {
            compare(&[a, b], choice);
        }
    }
}

/// Trees that repeat themselves at several levels, so that copies line up or not.
fn repetitive() -> impl Strategy<Value = Def> {
    let leaf = prop_oneof![4 => Just(Def::Leaf), 1 => Just(Def::None)];
    leaf.prop_recursive(4, 60, 6, |inner| {
        let units = prop::collection::vec((inner, 1usize..4), 1..4);
        (units, any::<bool>()).prop_map(|(units, list)| {
            let children: Vec<Def> = units
                .into_iter()
                .flat_map(|(unit, count)| std::iter::repeat_n(unit, count))
                .collect();
            if list { Def::List(children) } else { Def::Tuple(children) }
        })
    })
}

/// The first tree with some of its leaves grown, so that it is likely to relate to the second.
fn grown(tree: &Tree, with: &Tree, every: u32) -> Tree {
    tree.numbered(0)
        .map(&mut |leaf| if leaf % every == 0 { with.clone() } else { Tree::Leaf(leaf) })
}

fn plain(any: &AnyTreeDef) -> Tree {
    Tree::of(&decode(any.as_treedef().as_bytes()).unwrap())
}

proptest! {
    // Each case does all operations.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases / 2,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn repetitive_structures_do_as_the_model(
        base in repetitive(), with in repetitive(), every in 1u32..5, other in 1u32..5, choice: u32,
    ) {
        let (base, with) = (Tree::of(&base), Tree::of(&with));
        let (a, b) = (grown(&base, &with, every), grown(&base, &with, other));
        for pair in [[&a, &b], [&base, &a], [&a, &base], [&with, &a]] {
            compare(&pair, choice);
        }
    }

    #[test]
    fn neighbours_do_as_the_model((a, b) in neighbours(), choice: u32) {
        let (a, b) = (plain(&a), plain(&b));
        compare(&[&a, &b], choice);
        compare(&[&a, &a], choice);
    }

    #[test]
    fn prefixes_do_as_the_model((prefix, full) in prefix_pairs(), choice: u32) {
        let (prefix, full) = (plain(&prefix), plain(&full));
        prop_assert!(prefix.flatten_up_to(&full).is_some());
        compare(&[&prefix, &full], choice);
        compare(&[&full, &prefix], choice);
    }

    #[test]
    fn compositions_do_as_the_model((outer, inner, both) in transposable(), choice: u32) {
        let (outer, inner) = (plain(&outer), plain(&inner));
        prop_assert_eq!(outer.compose(&inner), plain(&both));
        compare(&[&outer, &inner], choice);
    }

    #[test]
    fn any_structures_do_as_the_model(
        a in treedefs(), b in treedefs(), c in treedefs(), choice: u32,
    ) {
        let total: usize = [&a, &b, &c].iter().map(|def| def.as_treedef().as_bytes().len()).sum();
        let (a, b, c) = (plain(&a), plain(&b), plain(&c));
        compare(&[&a, &b, &c], choice);
        // Several, with equal neighbours.
        if total < 150 {
            let list = |parts: [&Tree; 6]| {
                Tree::node(Def::List(Vec::new()), parts.map(Tree::clone).into())
            };
            compare(&[&list([&a, &a, &b, &c, &c, &a]), &list([&a, &b, &b, &c, &a, &a])], choice);
        }
    }
}

/// Lists around each other: a child on the given sides of the inner list.
fn nested(depth: usize, before: bool, after: bool) -> Vec<u8> {
    let mut bytes = vec![0; 4 * depth + 8];
    let mut builder = Writer::new(&mut bytes);
    builder.set_max_depth(u32::MAX);
    let mut frames = Vec::new();
    for _ in 0..depth {
        frames.push(builder.begin_list(1 + usize::from(before) + usize::from(after)));
        builder.leaves(usize::from(before));
    }
    builder.leaves(1);
    for frame in frames.into_iter().rev() {
        builder.leaves(usize::from(after));
        builder.end(frame);
    }
    let len = builder.finish().unwrap().as_bytes().len();
    bytes.truncate(len);
    bytes
}

#[test]
fn chains_of_any_depth_are_compared_and_no_deep_copy_is_edited() {
    let deep = Err(Error::TooDeep { limit: 64 });
    for before in [false, true] {
        let bytes = nested(100_000, before, false);
        let def = TreeDef::from_bytes(&bytes).unwrap();
        assert_eq!(write(&def.compose(TreeDef::LEAF)), deep);
        assert_eq!(write(&def.transform(|_| Ok(Change::Keep))), deep);
        assert_eq!(write(&def.common_suffix(def)), deep);
        assert_eq!(def.prefix_cmp(def), Ok(Some(Ordering::Equal)));
        let keep = vec![true; def.num_leaves()];
        assert_eq!(write(&def.leaves_to_none(&keep)), deep);
        let full = View::new(def, &keep).unwrap();
        assert_eq!(flatten_up_to(def, full).unwrap().count(), def.num_leaves());
    }
}

#[test]
fn deeper_trees_with_siblings_behind_say_so() {
    let bytes = nested(1000, false, true);
    let mut levels = vec![Level::default(); 1001];
    let def = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap();
    let deep = Err(Error::TooDeep { limit: 64 });
    assert_eq!(structure_bound(&def.compose(def)), deep);
    assert_eq!(structure_bound(&def.common_suffix(def)), deep);
    let deeper = nested(1001, false, true);
    let deeper = TreeDef::from_bytes_with(&deeper, &mut levels).unwrap();
    assert_eq!(def.check_prefix_of(deeper), Err(Error::TooDeep { limit: 64 }));
    assert_eq!(def.check_prefix_of(def), Ok(()));
}

#[test]
fn a_composition_is_as_deep_as_both_parts() {
    let comb = nested(40, false, true);
    let both = write(&read(&comb).compose(read(&comb))).unwrap();
    assert_eq!(
        TreeDef::from_bytes(&both).map_err(|error| error.kind()),
        Err(DecodeErrorKind::TooDeep { limit: 64 })
    );
    assert_eq!(read(&both).num_leaves(), 41 * 41);
}

#[test]
fn every_leaf_of_the_same_structure_is_a_part_at_any_depth() {
    let bytes = nested(65, true, true);
    let mut levels = [Level::default(); 66];
    let def = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap();
    let numbers: Vec<usize> = (0..def.num_leaves()).collect();
    let full = View::new(def, &numbers).unwrap();
    let mut parts = flatten_up_to(def, full).unwrap();
    for number in &numbers {
        assert_eq!(parts.len(), numbers.len() - number);
        let part = parts.next().unwrap();
        assert_eq!((part.treedef(), part.leaves()), (TreeDef::LEAF, [*number].as_slice()));
    }
    assert_eq!(parts.size_hint(), (0, Some(0)));
    assert!(parts.next().is_none());

    assert_eq!(def.prefix_cmp(def), Ok(Some(Ordering::Equal)));
}

#[test]
fn leaves_are_taken_apart_at_any_depth_or_none_is_written() {
    let mut levels = [Level::default(); 67];
    let [bytes, other] = [65, 66].map(|depth| nested(depth, true, true));
    let [def, other] =
        [&bytes, &other].map(|bytes| TreeDef::from_bytes_with(bytes, &mut levels).unwrap());
    let numbers: Vec<usize> = (0..other.num_leaves()).collect();
    let marks: Vec<bool> = numbers.iter().map(|number| number % 3 == 0).collect();
    let count = def.num_leaves();
    let tree = View::new(def, &numbers[..count]).unwrap();
    let spec = View::new(def, &marks[..count]).unwrap();

    let (mut selected, mut others) = (vec![None; count], vec![None; count]);
    assert_eq!(partition(tree, spec, &mut selected, &mut others), Ok(count));
    let chosen = |wanted: bool| {
        let leaves = numbers.iter().zip(&marks).take(count);
        leaves.map(move |(leaf, mark)| (*mark == wanted).then_some(*leaf)).collect::<Vec<_>>()
    };
    assert_eq!((&selected, &others), (&chosen(true), &chosen(false)));
    let mut alone = vec![None; count];
    assert_eq!(filter(tree, spec, &mut alone), Ok(count));
    assert_eq!(alone, selected);
    let mut grown = vec![false; count];
    assert_eq!(broadcast_prefix(spec, def, &mut grown), Ok(count));
    assert_eq!(grown, marks[..count]);

    let deeper = View::new(other, &numbers).unwrap();
    let deep = Err(Error::TooDeep { limit: 64 });
    let (mut selected, mut others) = (vec![Some(7); count + 2], vec![Some(7); count + 2]);
    assert_eq!(partition(deeper, spec, &mut selected, &mut others), deep);
    assert_eq!(filter(deeper, spec, &mut selected), deep);
    let few = vec![Some(7); count - 1];
    let full = Err(Error::LeavesFull { needed: count, room: count - 1 });
    assert_eq!(partition(tree, spec, &mut selected, &mut few.clone()), full);
    assert_eq!(filter(tree, spec, &mut selected[1..count]), full);
    assert!(selected.iter().chain(&others).all(|slot| *slot == Some(7)));
    let mut grown = vec![true; count + 2];
    assert_eq!(broadcast_prefix(spec, other, &mut grown), deep);
    assert!(grown.iter().all(|mark| *mark));
}

#[test]
fn leaves_that_cannot_be_cloned_are_moved_apart_and_together() {
    #[derive(Debug, PartialEq)]
    struct Once(u8);

    let def = treedef!((*, [*, *], {"a": *}));
    let all = || (0..4).map(Once).map(Some).collect::<Vec<_>>();
    let nothing = || (0..4).map(|_| None::<Once>).collect::<Vec<_>>();
    let numbers = |slots: &[Option<Once>]| {
        slots.iter().map(|slot| slot.as_ref().map(|once| once.0)).collect::<Vec<_>>()
    };
    // What was in the other slice is replaced.
    let (mut leaves, mut others) = (all(), all());
    let spec = View::new(treedef!((*, *, *)), &[true, false, true]).unwrap();
    assert_eq!(partition_in_place(def, spec, &mut leaves, &mut others), Ok(4));
    assert_eq!(numbers(&leaves), [Some(0), None, None, Some(3)]);
    assert_eq!(numbers(&others), [None, Some(1), Some(2), None]);
    assert_eq!(combine_in_place(&mut leaves, &mut others), Ok(4));
    assert_eq!((leaves, others), (all(), nothing()));

    // Nothing is moved after an error.
    let (mut leaves, mut others) = (all(), nothing());
    let longer = View::new(treedef!((*, [*], *)), &[true; 3]).unwrap();
    let refused = partition_in_place(def, longer, &mut leaves, &mut others);
    assert_eq!(refused, Err(Error::NotPrefix { node: 2, tree: 0 }));
    let few = Err(Error::TooFewLeaves { expected: 4, found: 3 });
    assert_eq!(partition_in_place(def, spec, &mut leaves[..3], &mut others), few);
    let many = Err(Error::TooManyLeaves { expected: 4, found: 5 });
    let mut five: Vec<_> = (0..5).map(Once).map(Some).collect();
    assert_eq!(partition_in_place(def, spec, &mut five, &mut others), many);
    let full = Err(Error::LeavesFull { needed: 4, room: 2 });
    assert_eq!(partition_in_place(def, spec, &mut leaves, &mut others[..2]), full);
    assert_eq!(combine_in_place(&mut others, &mut leaves[..3]), few);
    assert_eq!(combine_in_place(&mut others, &mut five), many);
    assert_eq!((leaves, others), (all(), nothing()));
}

#[test]
fn lost_leaves_are_bounded_and_not_written() {
    // [[[.. 2^30 leaves ..]]], in a few bytes.
    let mut bytes = [0; 64];
    let mut builder = Writer::new(&mut bytes);
    let frames: Vec<_> = (0..5).map(|_| builder.begin_list(64)).collect();
    builder.leaves(64);
    for (level, frame) in frames.into_iter().rev().enumerate() {
        if level > 0 {
            builder.repeat(63);
        }
        builder.end(frame);
    }
    let def = builder.finish().unwrap();
    assert_eq!((def.as_bytes().len(), def.num_leaves()), (30, 1 << 30));
    let bare = def.compose(TreeDef::NONE);
    let enough = structure_bound(&bare).unwrap();
    assert!(enough > 1 << 30, "{enough}");
    let error = structure_into(&bare, &mut [0; 100]).unwrap_err();
    assert_eq!(error, Error::Full { room: 100 });
}

#[test]
fn more_nodes_than_fit_are_refused_by_sizes_too() {
    // 10^9 leaves, each of which becomes five nodes with one leaf.
    let mut bytes = [0; 32];
    let mut builder = Writer::new(&mut bytes);
    let list = builder.begin_list(1_000_000_000);
    builder.leaves(1_000_000_000);
    builder.end(list);
    let many = builder.finish().unwrap();
    let five = treedef!((*, None, None, None));
    for op in [many.compose(five), many.compose(treedef!(({"long key": ()}, (None, None))))] {
        assert_eq!(structure_bound(&op), Err(Error::TooLarge));
        assert_eq!(structure_into(&op, &mut [0; 100]), Err(Error::TooLarge));
    }
}

#[test]
fn deep_parts_need_no_room() {
    let bytes = nested(1000, false, true);
    let mut levels = vec![Level::default(); 1000];
    let deep = TreeDef::from_bytes_with(&bytes, &mut levels).unwrap();
    let list = [vec![0x41], bytes.clone()].concat();
    let list = TreeDef::from_bytes_with(&list, &mut levels).unwrap();
    let (leaf, part) = (TreeDef::LEAF, list.child(0).unwrap());
    assert_eq!(write(&part).unwrap(), bytes);
    assert_eq!(write(&leaf.compose(part)).unwrap(), bytes);
    assert_eq!(write(&leaf.common_suffix(part)).unwrap(), bytes);
    assert_eq!(write(&leaf.common_suffix(deep)).unwrap(), bytes);
    assert_eq!(write(&deep.common_suffix(leaf)).unwrap(), bytes);
    assert_eq!(write(&leaf.transform(|_| Ok(Change::Subtree(part)))).unwrap(), bytes);
}

#[test]
fn billions_of_leaves_that_find_no_room_are_refused_at_once() {
    const MANY: usize = 1 << 31;
    let mut bytes = [0; 16];
    let mut builder = Writer::new(&mut bytes);
    let list = builder.begin_list(MANY + 1);
    builder.none();
    builder.leaves(MANY);
    builder.end(list);
    let leaves = vec![(); MANY];
    let view = View::new(builder.finish().unwrap(), &leaves).unwrap();
    let full = |needed| Err(Error::LeavesFull { needed, room: 3 });
    assert_eq!(broadcast_common(view, view, &mut [(); 3], &mut [(); 3]), full(MANY));
    assert_eq!(replace_nones(view, &(), &mut [(); 3]), full(MANY + 1));
}
