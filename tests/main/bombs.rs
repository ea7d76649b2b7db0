//! A few bytes or a value without size can stand for billions of nodes: what does not need each of them does not go
//! through them.

use core::fmt::Debug;
use core::ops::Range;
use std::time::{Duration, Instant};

use treedef::diff::Difference;
use treedef::dynamic::unflatten_len;
use treedef::encode::structure_bound;
use treedef::{Error, KeyPath, TreeDef, TreeDefBuf, View, flatten_up_to};

/// A list of `count` children that `child` adds.
fn list(count: usize, child: TreeDef<'_>) -> Result<TreeDefBuf<32>, Error> {
    TreeDefBuf::build(|builder| {
        let list = builder.begin_list(count);
        builder.subtree(child);
        builder.repeat(count - 1);
        builder.end(list)
    })
}

#[test]
fn the_last_of_a_billion_children_is_found_at_once() -> Result<(), Error> {
    let pair = TreeDefBuf::<8>::tuple(&[TreeDef::LEAF; 2])?;
    for child in [TreeDef::LEAF, pair.as_treedef()] {
        let def = list(1 << 30, child)?;
        let def = def.as_treedef();
        assert_eq!(def.child((1 << 30) - 1), Some(child));
        assert_eq!(def.child(1 << 30), None);
        assert_eq!(def.child(usize::MAX), None);
        let mut children = def.children();
        assert_eq!((children.nth(1 << 29), children.len()), (Some(child), (1 << 29) - 1));
    }
    Ok(())
}

#[test]
fn a_child_is_the_one_that_iteration_finds() -> Result<(), treedef::DecodeError> {
    // [*, *, (*, *), (*, *), (*, *), None, *, [*]]
    let bytes = [0x48, 0x01, 0x22, 0x01, 0xA1, 0x02, 0xC0, 0x00, 0x41, 0x00];
    let def = TreeDef::from_bytes(&bytes)?;
    let one_by_one = |skip: usize, then: usize| {
        let mut children = def.children();
        for _ in 0..skip {
            children.next();
        }
        for _ in 0..then {
            children.next();
        }
        children.next().map(|child| (child, child.num_leaves()))
    };
    for skip in 0..9 {
        for then in 0..9 {
            let mut children = def.children();
            for _ in 0..skip {
                children.next();
            }
            let found = children.nth(then).map(|child| (child, child.num_leaves()));
            assert_eq!(found, one_by_one(skip, then), "{skip} {then}");
            let rest = children.len();
            assert_eq!(children.count(), rest);
        }
    }
    Ok(())
}

/// The most leaves that a list can have: with the list they are `u32::MAX` nodes.
const MOST: usize = u32::MAX as usize - 1;

/// Checks that an iterator over `count` items goes to any of them at once; `key` makes them comparable.
#[track_caller]
fn at_once<I: Iterator + Clone, K: PartialEq + Debug>(
    items: I,
    count: usize,
    key: impl Fn(I::Item) -> K,
) {
    let begin = Instant::now();
    let (least, most) = items.size_hint();
    assert!(least <= count && most.is_none_or(|most| count <= most));
    assert_eq!(items.clone().count(), count);
    let last = items.clone().nth(count - 1).map(&key);
    assert!(last.is_some());
    assert_eq!(items.clone().last().map(&key), last);
    assert!(items.clone().nth(count).is_none() && items.clone().nth(usize::MAX).is_none());
    // From the middle on, and from a place that is in the middle of something.
    for passed in [count / 2, count / 3 + 1] {
        let mut rest = items.clone();
        assert!(rest.nth(passed - 1).is_some());
        assert_eq!(rest.clone().count(), count - passed);
        assert_eq!(rest.clone().nth(count - passed - 1).map(&key), last);
        assert!(rest.nth(count - passed).is_none() && rest.next().is_none());
    }
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
}

/// Checks that `nth`, `count` and `last` of an iterator find what single steps find.
#[track_caller]
fn as_single_steps<I: Iterator + Clone, K: PartialEq + Debug>(
    items: I,
    key: impl Fn(I::Item) -> K,
) {
    let mut all = vec![];
    for item in items.clone() {
        all.push(key(item));
    }
    let mut rest = items;
    for skipped in 0..=all.len() {
        let all = &all[skipped..];
        let (least, most) = rest.size_hint();
        assert!(least <= all.len() && most.is_none_or(|most| all.len() <= most));
        assert_eq!(rest.clone().count(), all.len());
        assert_eq!(rest.clone().last().map(&key).as_ref(), all.last());
        for n in 0..all.len() + 2 {
            let mut rest = rest.clone();
            assert_eq!(rest.nth(n).map(&key).as_ref(), all.get(n), "{skipped} {n}");
            assert_eq!(rest.next().map(&key).as_ref(), all.get(n + 1), "{skipped} {n}");
            assert_eq!(rest.count(), all.len().saturating_sub(n + 2), "{skipped} {n}");
        }
        rest.next();
    }
}

/// The index of the leaf that a path leads to.
fn leaf_of(path: KeyPath<'_, '_>) -> Option<usize> {
    path.found()?.as_leaf()
}

/// What the iterators over differences are compared by.
fn place(one: Result<Difference<'_>, Error>) -> Result<(usize, Range<usize>), Error> {
    one.map(|one| (one.path().found().unwrap().node(), one.found_leaves()))
}

#[test]
fn iterators_go_to_what_single_steps_find() {
    use crate::properties::law;
    use treedef_proptest::{Size, neighbours_of, prefix_pairs_of};

    let check = |def: TreeDef<'_>, other: TreeDef<'_>| {
        let view = View::bare(def);
        as_single_steps(def.children(), |child| child);
        as_single_steps(view.children(), |child| (child.treedef(), child.leaves().len()));
        as_single_steps(def.head().entries(), |entry| entry);
        as_single_steps(def.paths(), leaf_of);
        as_single_steps(def.paths().rev(), leaf_of);
        as_single_steps(def.nodes(), |node| node);
        for differences in [def.differences(other), def.prefix_errors(other)] {
            as_single_steps(differences.clone(), place);
            as_single_steps(differences.clone().deep(), place);
        }
        for full in [def, other] {
            if let Ok(parts) = flatten_up_to(def, View::bare(full)) {
                as_single_steps(parts, |part| part.treedef());
            }
        }
    };
    let size = Size { depth: 4, children: 5, nodes: 14 };
    law(300, (neighbours_of(size), prefix_pairs_of(size)), |(neighbours, pair)| {
        for (one, other) in [neighbours, pair] {
            let (one, other) = (one.as_treedef(), other.as_treedef());
            check(one, other);
            let copies = [one, other].map(|def| {
                let twice = TreeDefBuf::<8192>::list(&[def; 2]).unwrap();
                TreeDefBuf::<16384>::tuple(&[twice.as_treedef(), twice.as_treedef()]).unwrap()
            });
            check(copies[0].as_treedef(), copies[1].as_treedef());
        }
    });
}

#[test]
fn no_iterator_goes_through_what_a_few_bytes_claim() -> Result<(), Error> {
    let one = TreeDefBuf::<8>::list(&[TreeDef::LEAF])?;
    let pair = TreeDefBuf::<8>::tuple(&[TreeDef::LEAF, TreeDef::NONE])?;
    let leaves = list(MOST, TreeDef::LEAF)?;
    let leaves = leaves.as_treedef();
    assert_eq!((leaves.num_nodes(), unflatten_len(leaves)), (MOST + 1, MOST));
    for (def, children) in [
        (leaves, MOST),
        (list(MOST / 2, one.as_treedef())?.as_treedef(), MOST / 2),
        (list(MOST / 3, pair.as_treedef())?.as_treedef(), MOST / 3),
        (list(2, list(MOST / 8, pair.as_treedef())?.as_treedef())?.as_treedef(), 2),
    ] {
        let view = View::bare(def);
        let (nodes, leaves) = (def.num_nodes(), def.num_leaves());
        at_once(def.children(), children, |child| child);
        at_once(view.children(), children, |child| (child.treedef(), child.leaves().len()));
        at_once(def.head().entries(), children, |entry| entry);
        at_once(def.paths(), leaves, leaf_of);
        at_once(def.nodes(), nodes, |node| node);
        assert!(view.get("x").is_none());
        let mut back = def.paths().rev();
        assert_eq!(back.nth(leaves / 2).and_then(leaf_of), Some(leaves - 1 - leaves / 2));
        assert_eq!(back.len(), leaves - 1 - leaves / 2);
        assert_eq!(def.paths().next_back().and_then(leaf_of), Some(leaves - 1));
    }
    Ok(())
}

#[test]
fn no_iterator_over_parts_goes_through_what_a_few_bytes_claim() -> Result<(), Error> {
    let one = TreeDefBuf::<8>::list(&[TreeDef::LEAF])?;
    let pair = TreeDefBuf::<8>::tuple(&[TreeDef::LEAF; 2])?;
    let (short, long) = (list(MOST / 2, TreeDef::LEAF)?, list(MOST / 2, one.as_treedef())?);
    let (short, long) = (short.as_treedef(), long.as_treedef());
    at_once(flatten_up_to(short, View::bare(long))?, MOST / 2, |part| part.treedef());
    at_once(flatten_up_to(short, View::bare(short))?, MOST / 2, |part| part.treedef());
    let shorter = list(1 << 20, TreeDefBuf::<8>::tuple(&[TreeDef::LEAF; 3])?.as_treedef())?;
    let longer = [one.as_treedef(), TreeDef::LEAF, pair.as_treedef()];
    let longer = list(1 << 20, TreeDefBuf::<8>::tuple(&longer)?.as_treedef())?;
    let (shorter, longer) = (shorter.as_treedef(), longer.as_treedef());
    at_once(flatten_up_to(shorter, View::bare(longer))?, 3 << 20, |part| part.treedef());

    at_once(short.differences(long), MOST / 2, place);
    at_once(long.differences(short), MOST / 2, place);
    at_once(shorter.differences(longer), 2 << 20, place);
    at_once(shorter.differences(longer).deep(), 2 << 20, place);
    Ok(())
}

#[test]
fn a_vector_of_billions_of_empty_tuples_is_bounded_at_once() {
    assert_eq!(structure_bound(vec![(); 4_000_000_000].as_slice()), Ok(4_000_000_006));
    assert_eq!(structure_bound(vec![(); usize::MAX].as_slice()), Err(Error::TooLarge));
}

#[test]
fn leafless_copies_are_bounded_as_they_are_written() -> Result<(), Error> {
    for count in 0..40 {
        let units = vec![(); count + 1];
        let (some, more) = (&units[..count], &units[..]);
        let pairs = [(some, 1.0f32), (some, 1.0), (more, 1.0)];
        let mut bytes = [0; 256];
        let enough = structure_bound(&pairs)?;
        let def = treedef::structure_into(&pairs, &mut bytes[..enough])?;
        let room = def.as_bytes().len() - 1;
        let full = treedef::structure_into(&pairs, &mut bytes[..room]);
        assert_eq!(full, Err(Error::Full { room }));
    }
    Ok(())
}
