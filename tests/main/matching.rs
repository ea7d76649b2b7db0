//! Mismatches that were once missed or named at another node.

use treedef::algebra::Change;
use treedef::container::{Depth, Lanes, Sink, Trees, VisitLanes};
use treedef::tree::{HasSchema, NoLeaves, Structure, TreeWalk};
use treedef::{Error, Kind, TreeDef, Writer, head, matches, structure_into, treedef};

/// Asserts that a tree differs from a treedef at this node.
macro_rules! differs {
    ($tree:expr, $bytes:expr, $node:expr) => {
        let expected = TreeDef::from_bytes(&$bytes).unwrap();
        assert_eq!(matches(&$tree, expected), Err(Error::Mismatch { node: $node }));
    };
}

#[test]
fn a_leaf_behind_a_node_is_not_that_node_again() {
    // (None, *, *)
    differs!((None::<f32>, None::<f32>, 1.0f32), [0x23, 0xC0, 0x01], 2);
    // (None, (*,), *)
    differs!((None::<f32>, (1.0f32,), (1.0f32,)), [0x23, 0xC0, 0x21, 0x00, 0x00], 4);
}

#[test]
fn a_repeat_that_fails_names_the_node_inside() {
    // [[*], [None]]
    differs!([[1.0f32], [2.0]][..], [0x42, 0x41, 0x00, 0x41, 0xC0], 4);
    // [[[*]], [[*]], [[None]]]
    let expected = [0x43, 0x41, 0x41, 0x00, 0xA0, 0x01, 0x41, 0x41, 0xC0];
    differs!([[[1.0f32]]; 3][..], expected, 9);
}

#[test]
fn a_mismatch_behind_billions_of_copies_is_named_at_once() -> Result<(), Error> {
    // 2^30 leaves, in a few bytes.
    let (mut bytes, mut changed) = ([0; 64], [0; 256]);
    let mut builder = Writer::new(&mut bytes);
    let lists = [(); 5].map(|()| builder.begin_list(64));
    builder.leaves(64);
    for (level, list) in lists.into_iter().rev().enumerate() {
        if level > 0 {
            builder.repeat(63);
        }
        builder.end(list);
    }
    let def = builder.finish()?;
    let last = def.find_at([63; 5]).unwrap();
    let node = u32::try_from(last.node()).unwrap();
    let other = structure_into(&def.replace([(last, TreeDef::NONE)])?, &mut changed)?;
    assert_eq!(matches(&def, other), Err(Error::Mismatch { node }));
    assert_eq!(matches(&other, def), Err(Error::Mismatch { node }));
    assert_eq!(matches(&def.compose(TreeDef::LEAF), other), Err(Error::Mismatch { node }));
    assert_eq!(matches(&(def, other), other), Err(Error::Mismatch { node: 0 }));
    Ok(())
}

#[test]
fn a_mismatch_below_a_long_chain_is_named_by_its_last_level() {
    let chain = |end: u8| [vec![0x41; 1000], vec![end]].concat();
    let (leaf, none) = (chain(0x00), chain(0xC0));
    let (leaf, none) = (TreeDef::from_bytes(&leaf).unwrap(), TreeDef::from_bytes(&none).unwrap());
    // Nodes after the levels of a walk are not compared one by one.
    assert_eq!(matches(&leaf, none), Err(Error::Mismatch { node: 64 }));
}

/// What a describer tells: runs and repeats in pieces, as no container of the crate does.
#[derive(Clone, Copy)]
enum Event<'e> {
    Leaves(usize),
    Repeat(usize),
    None,
    List(&'e [Event<'e>], usize),
}

use Event::{Leaves, List, Repeat};

impl HasSchema for Event<'_> {}

impl Structure for Event<'_> {
    fn describe(&self, out: &mut Writer<'_>) {
        match *self {
            Leaves(count) => out.leaves(count),
            Repeat(count) => out.repeat(count),
            Event::None => out.none(),
            List(events, count) => out.node(&head::List(count), |out| {
                events.iter().for_each(|event| event.describe(out));
            }),
        }
    }
}

const PAIR: Event<'_> = List(&[Leaves(2)], 2);

#[test]
fn leaves_that_are_told_in_pieces_are_one_run() {
    let told = List(&[Leaves(1), Leaves(0), Repeat(2), Leaves(2), Event::None], 6);
    differs!(told, [0x46, 0x03, 0xC0, 0x00], 5);
    differs!(told, [0x46, 0x05], 6);
    assert_eq!(matches(&told, treedef!([*, *, *, *, *, None])), Ok(()));
}

#[test]
fn copies_that_are_told_in_pieces_are_one_repeat() {
    let told = List(&[PAIR, Repeat(2), PAIR, Repeat(0), Repeat(1), Leaves(1)], 6);
    assert_eq!(matches(&told, treedef!([[*, *], [*, *], [*, *], [*, *], [*, *], *])), Ok(()));
    // The fifth pair is [*, None], by itself and told with the fourth.
    let expected = treedef!([[*, *], [*, *], [*, *], [*, *], [*, None], *]);
    for told in [&[PAIR, Repeat(3), PAIR, Leaves(1)], &[PAIR, Repeat(2), Repeat(2), Leaves(1)]] {
        assert_eq!(matches(&List(told, 6), expected), Err(Error::Mismatch { node: 15 }));
    }
    // A leaf and another node where copies of a pair go on.
    let expected = treedef!([[*, *], [*, *], [*, *]]);
    for told in [&[PAIR, PAIR, Leaves(1)], &[PAIR, PAIR, Event::None]] {
        assert_eq!(matches(&List(told, 3), expected), Err(Error::Mismatch { node: 7 }));
    }
}

#[test]
fn a_leafless_copy_that_is_another_names_the_node_inside() {
    let told = List(&[List(&[Event::None, Event::None], 2), Repeat(2)], 3);
    assert_eq!(matches(&told, treedef!([[None, None], [None, None], [None, None]])), Ok(()));
    assert_eq!(
        matches(&told, treedef!([[None, None], [None, None], [None, *]])),
        Err(Error::Mismatch { node: 9 })
    );
    differs!([(); 3][..], [0x43, 0x20, 0x20, 0x00], 3);
}

#[test]
fn a_mismatch_comes_before_an_error_of_the_describer_behind_it() {
    let told = treedef!([*, *, None]);
    let failing = told.transform(|head| match head.kind() {
        Kind::None => Err(Error::NoCommonSuffix { node: 3 }),
        _ => Ok(Change::Keep),
    });
    // Two leaves are told, and then the error.
    assert_eq!(matches(&failing, treedef!([*, None, None])), Err(Error::Mismatch { node: 2 }));
    for expected in [treedef!([*, *, None]), treedef!([*, *, *])] {
        assert_eq!(matches(&failing, expected), Err(Error::NoCommonSuffix { node: 3 }));
    }
}

#[test]
fn a_chain_is_as_deep_for_a_comparison_as_for_a_copy() {
    // [(*, *), [(*, *), .. *]]: the innermost tuple is one level more.
    for (levels, expected) in [(63, Ok(())), (64, Err(Error::TooDeep { limit: 64 }))] {
        let bytes = [[0x42, 0x22, 0x01].repeat(levels), vec![0x00]].concat();
        let chain = TreeDef::from_bytes(&bytes).unwrap();
        let same = chain.transform(|_| Ok(Change::Keep));
        assert_eq!(structure_into(&same, &mut [0; 4000]).map(drop), expected);
        assert_eq!(matches(&same, chain), expected);
    }
}

/// A pair that is alike only to a pair with its number, although all pairs have one structure.
struct Numbered(u8);

impl HasSchema for Numbered {}

impl TreeWalk<NoLeaves> for Numbered {
    fn walk<'a, S: Sink<'a, NoLeaves>>(&'a self, out: &mut S) {
        out.unknown(&|out| out.node(&head::Tuple(2), |out| out.leaves(2)));
    }

    fn walk_lanes<'a, L: Lanes, E: From<Error>, V: VisitLanes<'a, NoLeaves, L, E>>(
        pairs: Trees<'a, L, Self>,
        depth: &mut Depth,
        _: &mut V,
    ) -> Result<(), E> {
        L::same_node::<Self>(&pairs, depth, |pair, first| pair.0 == first.0).map_err(E::from)
    }
}

#[test]
fn elements_of_one_structure_are_one_and_copies_whatever_they_are_alike_to() {
    let pairs = treedef!([(*, *), (*, *), (*, *), (*, *), (*, *)]);
    for numbers in [[1, 2, 1, 2, 1], [1, 1, 2, 1, 1], [1, 2, 2, 1, 1], [1, 2, 1, 3, 1], [1; 5]] {
        let list = numbers.map(Numbered);
        let mut bytes = [0; 16];
        assert_eq!(structure_into(&list, &mut bytes), Ok(pairs), "{numbers:?}");
        assert_eq!(matches(&list, pairs), Ok(()), "{numbers:?}");
        let other = treedef!([(*, *), (*, *), (*, None), (*, *), (*, *)]);
        assert_eq!(matches(&list, other), Err(Error::Mismatch { node: 9 }), "{numbers:?}");
    }
}
