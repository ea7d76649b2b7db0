//! Tests artifacts that share tables, have wild offsets, or are cut or changed.

use std::time::{Duration, Instant};

use treedef::TreeDef;
use treedef_jax::{ExportErrorKind as Fault, Exported};

use crate::artifact::*;

/// Checks that the artifact is refused, and quickly.
fn shared(artifact: &[u8]) {
    let start = Instant::now();
    assert_eq!(Exported::from_bytes(artifact).unwrap_err().kind(), Fault::Shared);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn tables_that_share_a_child_cannot_grow_beyond_measure() {
    // 40 levels, each with the same table as its two children: 2^40 leaves in a kilobyte.
    let (mut flat, fields) = artifact(&[]);
    let mut to_child = vec![fields[IN_TREE]];
    for level in 0..=40 {
        let placed = flat.table(&[(0, 1), (1, 4)]);
        to_child.iter().for_each(|from| flat.point(*from, placed.at));
        flat.write(placed.fields[0], &[if level == 40 { LEAF } else { LIST }]);
        to_child = flat.vector_at(placed.fields[1], if level == 40 { 0 } else { 2 }, 4);
    }
    shared(&flat.0);
}

#[test]
fn tables_that_share_text_cannot_either() {
    let long = "k".repeat(1 << 18);
    let custom = |name: &str| {
        let custom = Some((name.into(), format!("[\"{long}\"]").into()));
        Node { custom, ..node(CUSTOM, &[leaf()]) }
    };
    for long in [dict(&[&long]), custom("a.B"), custom("collections.OrderedDict"), custom(&long)] {
        assert!(Exported::from_bytes(&with_tree(&long)).is_ok());
        let (mut flat, fields) = artifact(&[]);
        let list = flat.table_at(fields[IN_TREE], &[(0, 1), (1, 4)]);
        flat.write(list.fields[0], &[LIST]);
        let places = flat.vector_at(list.fields[1], 1 << 16, 4);
        let child = long.write(&mut flat, places[0]);
        places.iter().for_each(|from| flat.point(*from, child));
        shared(&flat.0);
    }
}

#[test]
fn abstract_values_that_share_a_shape_cannot_either() {
    let (mut flat, fields) = artifact(&[]);
    leaf().write(&mut flat, fields[IN_TREE]);
    let places = flat.vector_at(fields[IN_AVALS], 1 << 16, 4);
    let aval = flat.table(&[(1, 4)]);
    places.iter().for_each(|from| flat.point(*from, aval.at));
    for at in flat.vector_at(aval.fields[0], 1 << 16, 4) {
        flat.string_at(at, "1");
    }
    shared(&flat.0);
}

/// Leaves can share an abstract value. A copy for each leaf would have 2^31 dimensions in total.
#[test]
fn leaves_that_share_an_abstract_value_do_not_copy_it() {
    let (mut flat, fields) = artifact(&[(19, 4), (22, 4)]);
    node(TUPLE, &vec![leaf(); 1 << 15]).write(&mut flat, fields[IN_TREE]);
    let at = flat.vector_at(fields[5], 1, 4)[0];
    let aval = flat.table_at(at, &[(1, 4)]);
    for at in flat.vector_at(aval.fields[0], 1 << 16, 4) {
        flat.string_at(at, "1");
    }
    flat.vector_at(fields[6], 1 << 15, 4);
    let start = Instant::now();
    let exported = Exported::from_bytes(&flat.0).unwrap();
    assert!(exported.in_avals().all(|aval| aval.shape.len() == 1 << 16));
    assert_eq!(exported.in_avals().len(), 1 << 15);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn no_chain_of_tables_comes_back() {
    let (mut flat, fields) = artifact(&[]);
    let list = flat.table_at(fields[IN_TREE], &[(0, 1), (1, 4)]);
    flat.write(list.fields[0], &[LIST]);
    let child = flat.vector_at(list.fields[1], 1, 4)[0];
    let mut read = |offset: u32| {
        flat.write(child, &offset.to_le_bytes());
        Exported::from_bytes(&flat.0).map(|_| ()).map_err(|error| (error.kind(), error.offset()))
    };
    // To the list itself, if the sum wrapped.
    let back = (list.at as u32).wrapping_sub(child as u32);
    assert_eq!(read(back), Err((Fault::OutOfBounds, child)));
    assert_eq!(read(u32::MAX), Err((Fault::OutOfBounds, child)));
    // To the offset itself, which would be a table with its vtable in the same place.
    assert_eq!(read(0), Err((Fault::BadTable, child)));
}

/// Reads everything. An error must have an offset, and a success must keep its documented properties.
fn exercise(artifact: &[u8]) -> bool {
    let exported = match Exported::from_bytes(artifact) {
        Ok(exported) => exported,
        Err(error) => {
            assert!(error.offset() <= artifact.len());
            return false;
        }
    };
    let (inputs, outputs) = (exported.in_tree.as_treedef(), exported.out_tree.as_treedef());
    for def in [inputs, outputs] {
        assert!(def.as_bytes().len() <= artifact.len(), "no tree takes more than its tables");
        assert_eq!(TreeDef::from_bytes(def.as_bytes()), Ok(def));
    }
    assert_eq!(exported.in_avals().len(), inputs.num_leaves());
    assert_eq!(exported.out_avals().len(), outputs.num_leaves());
    assert!(exported.module_kept_var_idx.iter().all(|index| *index < inputs.num_leaves()));
    let _ = exported.vjp();
    true
}

fn changed(artifact: &[u8], mut change: impl FnMut(&mut dyn FnMut(usize, &[u8]))) -> [usize; 2] {
    let (mut bytes, mut counts) = (artifact.to_vec(), [0; 2]);
    change(&mut |at, new| {
        bytes[at..at + new.len()].copy_from_slice(new);
        counts[usize::from(exercise(&bytes))] += 1;
        bytes[at..at + new.len()].copy_from_slice(&artifact[at..at + new.len()]);
    });
    counts
}

#[test]
fn truncated_artifacts_are_read_or_refused() {
    for artifact in ARTIFACTS {
        let taken = (0..artifact.len()).filter(|len| exercise(&artifact[..*len]));
        // The last string ends with a zero and padding, which are never read.
        assert!(taken.min().is_none_or(|least| least + 8 > artifact.len()));
        assert!(exercise(artifact));
    }
}

/// Checks each artifact on a separate thread.
fn on_all_cores(check: impl Fn(&'static [u8]) + Sync) {
    std::thread::scope(|scope| {
        for artifact in ARTIFACTS {
            scope.spawn(|| check(artifact));
        }
    });
}

#[test]
fn artifacts_with_one_byte_changed_are_read_or_refused() {
    on_all_cores(|artifact| {
        let [refused, taken] = changed(artifact, |try_with| {
            for (at, byte) in (0..).zip(artifact) {
                let flipped = (0..8).map(|bit| byte ^ 1 << bit);
                let near = [0, 255, byte.wrapping_add(1), byte.wrapping_sub(1)];
                flipped.chain(near).for_each(|new| try_with(at, &[new]));
            }
        });
        assert!(refused > 5_000 && taken > 5_000, "{refused} refused, {taken} taken");
    });
}

#[test]
#[ignore = "exhaustive: run it with --ignored"]
fn artifacts_with_one_number_changed_are_read_or_refused() {
    on_all_cores(|artifact| {
        let len = artifact.len() as u32;
        let [refused, taken] = changed(artifact, |try_with| {
            for at in 0..artifact.len() - 3 {
                let own = u32::from_le_bytes(artifact[at..at + 4].try_into().unwrap());
                let rest = len - at as u32;
                let near = [
                    own.wrapping_add(1),
                    own.wrapping_sub(1),
                    own.wrapping_add(4),
                    own.wrapping_sub(4),
                ];
                let edges = [
                    0,
                    1,
                    4,
                    rest,
                    rest - 1,
                    rest - 4,
                    len,
                    1 << 31,
                    u32::MAX,
                    u32::MAX - 3,
                    rest / 4,
                    rest / 8,
                ];
                near.iter().chain(&edges).for_each(|new| try_with(at, &new.to_le_bytes()));
                // Back to a position that was already read.
                (4..40)
                    .step_by(4)
                    .for_each(|back| try_with(at, &(0u32.wrapping_sub(back)).to_le_bytes()));
            }
        });
        assert!(refused > 5_000 && taken > 5_000, "{refused} refused, {taken} taken");
    });
}
