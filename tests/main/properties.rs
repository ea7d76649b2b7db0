//! The laws of treedefs, on generated ones: one structure, one byte string, whoever writes or reads it.

use crate::bridge;
use crate::paths::places;
use crate::support;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use support::decode::{Counts, decode, validate};
use support::def::Def;
use support::wire::put_varint;
use treedef::dynamic::{FoldChildren, fold, fold_len};
use treedef::{Error, Head, Kind, TreeDef, View};
use treedef_proptest::{mutated, neighbours, treedefs};

/// Asserts a law for `cases` generated values, always the same.
pub(crate) fn law<S: Strategy>(cases: u32, strategy: S, holds: impl Fn(S::Value)) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &[11; 16]);
    let result = TestRunner::new_with_rng(config, rng).run(&strategy, |value| {
        holds(value);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn what_the_builder_writes_is_read_back() {
    law(700, treedefs(), |any| {
        let def = any.as_treedef();
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
        let tail = [def.as_bytes(), &[0x00, 0xFF]].concat();
        assert_eq!(TreeDef::from_prefix(&tail), Ok((def, [0x00, 0xFF].as_slice())));
        for end in 0..def.as_bytes().len() {
            assert!(TreeDef::from_bytes(&def.as_bytes()[..end]).is_err());
        }
        let counts = validate(def.as_bytes()).unwrap();
        assert_eq!(
            (def.num_leaves() as u64, def.num_nodes() as u64),
            (counts.leaves, counts.nodes)
        );
    });
}

#[test]
fn builder_and_reference_write_the_same_bytes() {
    law(700, treedefs(), |any| {
        let bytes = any.as_treedef().as_bytes();
        let def = decode(bytes).unwrap();
        assert_eq!(def.encode(), bytes);
        assert_eq!(bridge::build(&def), bytes);
    });
}

#[test]
fn equal_bytes_are_equal_structures() {
    law(700, neighbours(), |(a, b)| {
        let (a, b) = (a.as_treedef(), b.as_treedef());
        let (x, y) = (decode(a.as_bytes()).unwrap(), decode(b.as_bytes()).unwrap());
        assert!(a != b && x != y);
        assert_ne!(a.fingerprint(), b.fingerprint());
        assert_eq!(a.cmp(&b), a.as_bytes().cmp(b.as_bytes()));
        // The other way: one structure, built anew, has one byte string.
        assert_eq!(
            (bridge::build(&x), bridge::build(&y)),
            (a.as_bytes().into(), b.as_bytes().into())
        );
    });
}

/// What waits at once while a node is built: for each child what waits for it and the children before it.
fn waiting(def: TreeDef<'_>) -> usize {
    let below = def.children().enumerate().map(|(before, child)| before + waiting(child));
    below.max().unwrap_or(1)
}

#[test]
fn the_stack_of_a_fold_is_as_long_as_what_waits() {
    law(700, treedefs(), |any| {
        let def = any.as_treedef();
        let len = fold_len(def).unwrap();
        assert_eq!(len, waiting(def), "{def}");
        let mut stack = vec![None; len];
        let leaves = 0..def.num_leaves();
        let count = |_: Head<'_>, children: FoldChildren<'_, usize>| Ok::<_, Error>(children.sum());
        assert_eq!(fold(def, leaves, &mut stack, |_| 1, count), Ok(def.num_leaves()), "{def}");
    });
}

#[test]
fn mutated_bytes_are_canonical_or_refused() {
    law(7000, mutated(), |bytes| {
        let verdict = validate(&bytes);
        match TreeDef::from_bytes(&bytes) {
            Ok(def) => {
                let leaves = def.num_leaves() as u64;
                let nodes = def.num_nodes() as u64;
                assert_eq!(verdict, Ok(Counts { leaves, nodes }));
                if nodes < 5000 {
                    assert_eq!(decode(&bytes).unwrap().encode(), bytes);
                }
            }
            Err(error) => {
                assert!(verdict.is_err(), "{error}, but {verdict:?}");
                assert!(error.offset() <= bytes.len(), "{error}");
            }
        }
    });
}

/// The kind of a node.
fn kind(def: &Def) -> Kind {
    match def {
        Def::Leaf => Kind::Leaf,
        Def::None => Kind::None,
        Def::Tuple(_) => Kind::Tuple,
        Def::List(_) => Kind::List,
        Def::Some(_) => Kind::Some,
        Def::Dict { .. } => Kind::Dict,
        Def::OrderedDict { .. } => Kind::OrderedDict,
        Def::DefaultDict { .. } => Kind::DefaultDict,
        Def::NamedTuple { .. } => Kind::NamedTuple,
        Def::Struct { .. } => Kind::Struct,
        Def::Custom { .. } => Kind::Custom,
    }
}

#[test]
fn nodes_children_and_paths_are_those_of_the_plain_tree() {
    law(400, treedefs(), |any| {
        let def = any.as_treedef();
        let plain = decode(def.as_bytes()).unwrap();
        let places = places(&plain);
        let nodes = def.nodes().map(|node| {
            let node = node.unwrap();
            (node.head.kind(), node.head.num_children(), node.depth, node.leaf)
        });
        assert!(nodes.eq(places.iter().map(|place| {
            (kind(place.def), place.def.children().len(), place.entries.len(), place.leaf)
        })));
        let leaves = places.iter().filter(|place| *place.def == Def::Leaf);
        let mut lent = Vec::new();
        View::bare(def).for_each_with_path(|path, ()| lent.extend(path)).unwrap();
        assert!(lent.iter().eq(leaves.flat_map(|place| &place.entries)));
        let children: Vec<_> = plain.children().iter().map(Def::encode).collect();
        assert_eq!(def.num_children(), children.len());
        assert!(def.children().map(|child| child.as_bytes().to_vec()).eq(children));
        for child in def.children() {
            assert_eq!(
                TreeDef::from_bytes(child.as_bytes()).unwrap().num_leaves(),
                child.num_leaves()
            );
        }
        assert_eq!(def.child(def.num_children()), None);
    });
}

/// The bytes of a structure with one group of equal siblings, the `at`th to end, spelled in another way.
fn misspelled(def: &Def, at: &mut usize) -> Vec<u8> {
    let encoded = def.encode();
    let mut out = TreeDef::from_bytes(&encoded).unwrap().head().as_bytes().to_vec();
    let counted = |out: &mut Vec<u8>, kind: u8, count: usize| {
        out.push(kind << 5 | count.min(31) as u8);
        if count >= 31 {
            put_varint(out, count as u64 - 31);
        }
    };
    for equal in def.children().chunk_by(|a, b| a == b) {
        let (one, mut n) = (&equal[0], equal.len());
        let unit = if *one == Def::Leaf { vec![0x00] } else { misspelled(one, at) };
        let wrong = n > 1 && *at == 0;
        *at = if n > 1 { at.wrapping_sub(1) } else { *at };
        if *one == Def::Leaf {
            if wrong {
                // One leaf, then the rest of the run.
                out.push(0x00);
                n -= 1;
            }
            counted(&mut out, 0, n - 1);
        } else if one.leaves() == 0 && !wrong {
            (0..n).for_each(|_| out.extend(&unit));
        } else {
            // A repeat of what has no leaves, or a first copy that is written out.
            out.extend(&unit);
            if wrong && one.leaves() > 0 {
                out.extend(&unit);
                n -= 1;
            }
            if n > 1 {
                counted(&mut out, 5, n - 2);
                put_varint(&mut out, one.leaves());
            }
        }
    }
    out
}

#[test]
fn other_spellings_of_a_structure_are_refused() {
    let refused = Cell::new(0);
    law(400, treedefs(), |any| {
        let def = decode(any.as_treedef().as_bytes()).unwrap();
        for at in 0..20 {
            let mut left = at;
            let bytes = misspelled(&def, &mut left);
            if left < usize::MAX - 20 {
                // There were not so many groups.
                assert_eq!(bytes, any.as_treedef().as_bytes());
                break;
            }
            assert!(
                validate(&bytes).is_err() && TreeDef::from_bytes(&bytes).is_err(),
                "{bytes:02x?}"
            );
            refused.set(refused.get() + 1);
        }
    });
    assert!(refused.get() > 300, "{}", refused.get());
}
