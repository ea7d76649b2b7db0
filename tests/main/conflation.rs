//! Structures that other libraries take for the same differ here: in bytes, in fingerprint and as keys of a table.
//!
//! What each of those libraries answers is tested in `benches/peers/tests/conflation.rs` and shown by
//! `benches/peers/python_keys.py`; `benches/README.md` has the table.
#![cfg(all(feature = "derive", feature = "std"))]

use std::collections::{BTreeMap, HashMap, HashSet};

use treedef::tree::Structure;
use treedef::{Tree, TreeDef, structure_into, treedef_of};

/// No two are equal, and a table finds for each what was stored for it. Fingerprints of so few differ as well.
fn assert_distinct(defs: &[TreeDef<'_>]) {
    let table: HashMap<_, _> = defs.iter().zip(0..).collect();
    for (def, index) in defs.iter().zip(0..) {
        assert_eq!(table.get(def), Some(&index), "{def}");
    }
    let fingerprints: HashSet<_> = defs.iter().map(TreeDef::fingerprint).collect();
    assert_eq!(fingerprints.len(), defs.len());
}

/// The structure of a value, in memory that stays.
fn structure<T: Structure>(tree: &T) -> TreeDef<'static> {
    structure_into(tree, vec![0; 256].leak()).expect("room")
}

/// `postcard-schema` 0.2.5 and `postcard-schema-ng` 0.4.1 hash tags without arities and give all three the same key.
#[test]
fn nestings_of_tuples() {
    assert_distinct(&[
        treedef_of::<((u8, u16), u32)>(),
        treedef_of::<((u8,), u16, u32)>(),
        treedef_of::<((u8, u16, u32),)>(),
    ]);
}

/// The same crates give both the same key, though the values are written differently on the wire.
#[test]
fn options_around_tuples() {
    let two = |pair: Option<(u8,)>| structure(&(pair, 2u16));
    let one = |pair: Option<(u8, u16)>| structure(&(pair,));
    assert_distinct(&[two(Some((1,))), one(Some((1, 2))), two(None), one(None)]);
}

/// nuvec-core 0.5.0 lists the leaves, so that a container without one leaves no trace.
#[test]
fn containers_without_leaves() {
    let lists: [Vec<Vec<f32>>; 5] =
        [vec![vec![0.5], vec![]], vec![vec![0.5]], vec![vec![], vec![]], vec![vec![]], vec![]];
    assert_distinct(&lists.each_ref().map(structure));
}

#[derive(Tree)]
struct Meters {
    length: f32,
}

#[derive(Tree)]
struct Feet {
    length: f32,
}

/// JAX 0.10 and 0.11 take dataclasses of one shape for equal: `tree.structure(Meters(1.)) == tree.structure(Feet(1.))`.
#[test]
fn types_of_one_shape() {
    assert_distinct(&[treedef_of::<Meters>(), treedef_of::<Feet>(), treedef_of::<(f32,)>()]);
    assert_eq!(Meters { length: 1.0 }.length, Feet { length: 1.0 }.length);
}

/// JAX hashes no keys: each of 3000 such dicts has the same hash, and a table of them is searched from end to end.
#[test]
fn dicts_of_one_shape() {
    let dicts = (0..3000).map(|i| {
        let z = ("z".to_string(), vec![0.5f32; 2]);
        structure(&BTreeMap::from([(format!("k{i}"), vec![0.5]), z]))
    });
    assert_distinct(&dicts.collect::<Vec<_>>());
}
