//! The algebra on bytes against its definitions on plain trees, and its laws.

use crate::support;

use std::cmp::Ordering;

use proptest::prelude::*;
use support::algebra as plain;
use support::decode::decode;
use support::def::Def;
use treedef::algebra::{
    Change, broadcast_common, combine, combine_in_place, filter, partition, partition_in_place,
    replace_nones, transpose, transpose_map,
};
use treedef::encode::{Level, structure_bound};
use treedef::format::DecodeErrorKind;
use treedef::tree::Structure;
use treedef::{
    Error, Kind, TreeDef, View, Writer, broadcast_prefix, flatten_up_to, matches, structure_into,
    treedef,
};
use treedef_proptest::{AnyTreeDef, neighbours, prefix_pairs, transposable, treedefs};

/// All structures of up to so many nodes, of leaves, `None`, tuples and lists.
fn all(nodes: usize) -> Vec<Def> {
    let mut exact: Vec<Vec<Def>> = vec![vec![]];
    for count in 1..=nodes {
        let mut defs = Vec::new();
        if count == 1 {
            defs.extend([Def::Leaf, Def::None]);
        }
        for children in sequences(&exact, count - 1) {
            defs.push(Def::Tuple(children.clone()));
            defs.push(Def::List(children));
        }
        exact.push(defs);
    }
    exact.concat()
}

/// All sequences of structures with so many nodes together.
fn sequences(exact: &[Vec<Def>], nodes: usize) -> Vec<Vec<Def>> {
    if nodes == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for first in 1..=nodes {
        for rest in sequences(exact, nodes - first) {
            for def in &exact[first] {
                all.push([std::slice::from_ref(def), rest.as_slice()].concat());
            }
        }
    }
    all
}

/// Reads a treedef of any depth: a composition is as deep as both of its parts together.
fn read(bytes: &[u8]) -> TreeDef<'_> {
    TreeDef::from_bytes_with(bytes, &mut vec![Level::default(); 1000]).unwrap()
}

/// Writes a structure into exactly the bytes of its bound.
fn write(structure: &impl Structure) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0xA5; structure_bound(structure)?];
    let def = structure_into(structure, &mut bytes)?;
    assert_eq!(structure.num_leaves()?, def.num_leaves());
    matches(structure, def)?;
    let mut levels = vec![Level::default(); 1000];
    let whole = TreeDef::from_bytes_with(def.as_bytes(), &mut levels).unwrap();
    let len = def.as_bytes().len();
    assert_eq!((whole, whole.num_nodes()), (def, def.num_nodes()));
    let room = len - 1;
    let error = structure_into(structure, &mut vec![0xA5; room]).unwrap_err();
    assert_eq!(error, Error::Full { room });
    bytes.truncate(len);
    Ok(bytes)
}

/// What a plain relation says, as an order.
fn plain_order(a: &Def, b: &Def) -> Option<Ordering> {
    match (plain::is_prefix(a, b), plain::is_prefix(b, a)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        (false, false) => None,
    }
}

/// Everything that two structures can be asked, against the definitions.
fn compare(a: &Def, b: &Def) {
    let (a_bytes, b_bytes) = (a.encode(), b.encode());
    let (first, second) = (read(&a_bytes), read(&b_bytes));
    let what = || format!("{first} and {second}");

    assert_eq!(first.prefix_cmp(second), Ok(plain_order(a, b)), "{}", what());
    let prefix = first.check_prefix_of(second);
    assert_eq!(prefix.is_ok(), plain::is_prefix(a, b), "{}", what());

    let numbers: Vec<usize> = (0..second.num_leaves()).collect();
    let full = View::new(second, &numbers).unwrap();
    let parts = flatten_up_to(first, full).map(Vec::from_iter);
    match plain::flatten_up_to(a, b) {
        Ok(expected) => {
            let parts = parts.unwrap();
            assert_eq!(parts.len(), expected.len());
            for (part, expected) in parts.iter().zip(&expected) {
                assert_eq!(part.treedef().as_bytes(), expected.def.encode(), "{}", what());
                assert!(part.leaves().iter().copied().eq(expected.leaves.clone()), "{}", what());
            }
            let leaves: Vec<usize> = (100..100 + first.num_leaves()).collect();
            let mut grown = vec![0; second.num_leaves()];
            let view = View::new(first, &leaves).unwrap();
            assert_eq!(broadcast_prefix(view, second, &mut grown), Ok(grown.len()));
            let expected = plain::broadcast(a, b).unwrap();
            assert!(grown.iter().map(|leaf| leaf - 100).eq(expected), "{}", what());
        }
        Err(difference) => {
            let node = node_at(a, &difference.path);
            assert_eq!(parts.unwrap_err(), Error::NotPrefix { node, tree: 0 }, "{}", what());
            assert_eq!(prefix, Err(Error::NotPrefix { node, tree: 0 }));
        }
    }

    let common = write(&first.common_suffix(second));
    match plain::common_suffix(a, b) {
        Ok(expected) => {
            assert_eq!(common.as_deref(), Ok(expected.encode().as_slice()), "{}", what());
            check_common(first, second, read(&expected.encode()));
        }
        Err(difference) => {
            let node = node_at(a, &difference.path);
            assert_eq!(common, Err(Error::NoCommonSuffix { node }), "{}", what());
        }
    }

    let composed = write(&first.compose(second));
    assert_eq!(composed.as_deref(), Ok(plain::compose(a, b).encode().as_slice()), "{}", what());
}

/// Both leaf lists grown to the common suffix are each broadcast as a prefix of it.
fn check_common(first: TreeDef<'_>, second: TreeDef<'_>, common: TreeDef<'_>) {
    let ours: Vec<usize> = (1..=first.num_leaves()).collect();
    let theirs: Vec<usize> = (1..=second.num_leaves()).collect();
    let views = (View::new(first, &ours).unwrap(), View::new(second, &theirs).unwrap());
    let count = common.num_leaves();
    let (mut grown, mut expected) =
        ((vec![0; count], vec![0; count]), (vec![0; count], vec![0; count]));
    let told = broadcast_common(views.0, views.1, &mut grown.0, &mut grown.1);
    assert_eq!(told, Ok(count), "{first} and {second}");
    broadcast_prefix(views.0, common, &mut expected.0).unwrap();
    broadcast_prefix(views.1, common, &mut expected.1).unwrap();
    assert_eq!(grown, expected, "{first} and {second}");
    if let Some(short) = count.checked_sub(1) {
        let told = broadcast_common(views.0, views.1, &mut grown.0[..short], &mut grown.1);
        assert_eq!(told, Err(Error::LeavesFull { needed: count, room: short }));
    }
}

/// The index in preorder of the node that a path of child indices leads to.
fn node_at(def: &Def, path: &[usize]) -> u32 {
    let Some((child, rest)) = path.split_first() else { return 0 };
    let before: u64 = def.children()[..*child].iter().map(Def::nodes).sum();
    1 + before as u32 + node_at(&def.children()[*child], rest)
}

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
fn every_two_small_structures_relate_as_defined() {
    let defs = all(4);
    assert_eq!(defs.len(), 4 + 8 + 48 + 352);
    for a in &defs {
        for b in &defs {
            compare(a, b);
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
fn grown(def: &Def, with: &Def, every: usize) -> Def {
    plain::map_leaves(def, &mut |leaf| if leaf % every == 0 { with.clone() } else { Def::Leaf })
}

fn known(any: &AnyTreeDef) -> Def {
    decode(any.as_treedef().as_bytes()).unwrap()
}

proptest! {
    #[test]
    fn repetitive_structures_relate_as_defined(
        base in repetitive(), with in repetitive(), every in 1usize..5, other in 1usize..5,
    ) {
        let (a, b) = (grown(&base, &with, every), grown(&base, &with, other));
        compare(&a, &b);
        compare(&base, &a);
        compare(&a, &base);
        compare(&with, &a);
    }

    #[test]
    fn structures_of_all_kinds_relate_as_defined(
        (prefix, full) in prefix_pairs(), (a, b) in neighbours(),
    ) {
        compare(&known(&prefix), &known(&full));
        compare(&known(&a), &known(&b));
    }

    #[test]
    fn transposing_twice_gives_the_tree_back((outer, inner, both) in transposable()) {
        let (outer, inner, both) = (outer.as_treedef(), inner.as_treedef(), both.as_treedef());
        let numbers: Vec<usize> = (0..both.num_leaves()).collect();
        let (mut turned, mut back) = (vec![0; numbers.len()], vec![0; numbers.len()]);
        let tree = View::new(both, &numbers).unwrap();
        prop_assume!(inner.num_leaves() > 0 && outer.num_leaves() > 0);
        let def = write(&transpose(outer, inner, tree, &mut turned)?)?;
        let (expected, leaves) = plain::transpose(
            &decode(outer.as_bytes()).unwrap(),
            &decode(inner.as_bytes()).unwrap(),
            &decode(both.as_bytes()).unwrap(),
        )
        .unwrap();
        prop_assert_eq!(&def, &expected.encode());
        prop_assert_eq!(&turned, &leaves);
        let turned = View::new(read(&def), &turned).unwrap();
        prop_assert_eq!(write(&transpose(inner, outer, turned, &mut back)?)?, both.as_bytes());
        prop_assert_eq!(back, numbers);
    }

    #[test]
    fn what_is_taken_apart_is_put_together_again(
        (prefix, full) in prefix_pairs(), choices in prop::collection::vec(any::<bool>(), 64),
    ) {
        let (prefix, full) = (prefix.as_treedef(), full.as_treedef());
        let numbers: Vec<usize> = (0..full.num_leaves()).collect();
        let spec: Vec<bool> = choices.iter().copied().cycle().take(prefix.num_leaves()).collect();
        let (tree, spec) = (View::new(full, &numbers).unwrap(), View::new(prefix, &spec).unwrap());
        let mut selected = vec![None; numbers.len()];
        let (mut others, mut whole) = (selected.clone(), selected.clone());
        partition(tree, spec, &mut selected, &mut others)?;
        let mut mask = vec![false; numbers.len()];
        broadcast_prefix(spec, full, &mut mask)?;
        for ((index, selects), (one, other)) in mask.iter().enumerate().zip(selected.iter().zip(&others)) {
            let (mine, theirs) = if *selects { (one, other) } else { (other, one) };
            prop_assert_eq!((mine, theirs), (&Some(index), &None));
        }
        combine(&[&selected, &others], &mut whole)?;
        prop_assert!(whole.iter().copied().eq(numbers.iter().copied().map(Some)));
        combine(&[&others, &selected], &mut whole)?;
        prop_assert!(whole.iter().copied().eq(numbers.iter().copied().map(Some)));
        let mut alone = vec![Some(7); numbers.len()];
        filter(tree, spec, &mut alone)?;
        prop_assert_eq!(alone, selected);

        let masked = write(&full.leaves_to_none(&mask))?;
        let plain = decode(full.as_bytes()).unwrap();
        let expected = plain::map_leaves(&plain, &mut |leaf| if mask[leaf] { Def::Leaf } else { Def::None });
        prop_assert_eq!(masked, expected.encode());
    }

    #[test]
    fn nodes_change_as_told(def in treedefs()) {
        let def = def.as_treedef();
        prop_assert_eq!(write(&def.transform(|_| Ok(Change::Keep)))?, def.as_bytes());
        let plain = decode(def.as_bytes()).unwrap();
        let pair = treedef!((*, *));
        let doubled = def.transform(|head| Ok(match head.kind() {
            Kind::Leaf => Change::Subtree(pair),
            _ => Change::Keep,
        }));
        let doubled = write(&doubled)?;
        let expected = plain::compose(&plain, &Def::Tuple(vec![Def::Leaf; 2]));
        prop_assert_eq!(doubled, expected.encode());

        let filled = write(&def.nones_as_leaves())?;
        prop_assert_eq!(filled, without_nones(&plain).encode());
        let numbers: Vec<i64> = (1..=def.num_leaves() as i64).collect();
        let mut leaves = vec![0; without_nones(&plain).leaves() as usize];
        replace_nones(View::new(def, &numbers).unwrap(), &-1, &mut leaves)?;
        let rest: Vec<i64> = leaves.iter().copied().filter(|leaf| *leaf != -1).collect();
        prop_assert_eq!(rest, numbers);
        let nones = count_nones(&plain);
        prop_assert_eq!(leaves.iter().filter(|leaf| **leaf == -1).count(), nones);
        if !matches!(plain, Def::Leaf | Def::None) {
            let one_level = support::node_of(&def.head(), &vec![TreeDef::LEAF; def.num_children()])?;
            let children = vec![Def::Leaf; plain.children().len()];
            prop_assert_eq!(one_level, plain.clone().with_children(children).encode());
        }
    }

    #[test]
    fn treedefs_are_children(a in treedefs(), b in treedefs()) {
        let (a, b) = (a.as_treedef(), b.as_treedef());
        let known = |def: TreeDef<'_>| decode(def.as_bytes()).unwrap();
        prop_assert_eq!(write(&(a, b))?, Def::Tuple(vec![known(a), known(b)]).encode());
        let list = Def::List(vec![known(a), known(a), known(b)]);
        prop_assert_eq!(write(&[a, a, b])?, list.encode());
    }
}

fn without_nones(def: &Def) -> Def {
    if *def == Def::None {
        return Def::Leaf;
    }
    let children = def.children().iter().map(without_nones).collect();
    if *def == Def::Leaf { Def::Leaf } else { def.clone().with_children(children) }
}

fn count_nones(def: &Def) -> usize {
    usize::from(*def == Def::None) + def.children().iter().map(count_nones).sum::<usize>()
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
