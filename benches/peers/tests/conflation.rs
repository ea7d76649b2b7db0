//! Which different structures the peers take for the same. The library's `tests/main/conflation.rs` shows each pair to differ
//! there. A test that fails here means that a peer has been mended.

use std::collections::HashMap;

use nuvec_core::tree::Tree;
use nuvec_core::{Array, array};

/// The keys that both versions of `postcard-schema` give to types.
macro_rules! postcard_keys {
    ($($type:ty),+) => {(
        [$(postcard_schema::key::Key::for_path::<$type>("")),+],
        [$(postcard_schema_ng::key::Key::for_path::<$type>("")),+],
    )};
}

#[test]
fn postcard_schema_tells_types_apart_at_all() {
    let (old, new) = postcard_keys!((u8, u16), (u16, u8));
    assert_ne!(old[0], old[1]);
    assert_ne!(new[0], new[1]);
}

#[test]
fn postcard_schema_conflates_nestings_of_tuples() {
    let (old, new) = postcard_keys!(((u8, u16), u32), ((u8,), u16, u32), ((u8, u16, u32),));
    assert_eq!(old, [old[0]; 3]);
    assert_eq!(new, [new[0]; 3]);
}

#[test]
fn postcard_schema_conflates_options() {
    let (old, new) = postcard_keys!((Option<(u8,)>, u16), (Option<(u8, u16)>,));
    assert_eq!(old, [old[0]; 2]);
    assert_eq!(new, [new[0]; 2]);
}

fn leaf() -> Array {
    array![0.5]
}

#[test]
fn nuvec_tells_lengths_apart_at_all() {
    assert_ne!(vec![leaf()].def(), vec![leaf(), leaf()].def());
}

#[test]
fn nuvec_conflates_containers_without_leaves() {
    let none = Vec::<Array>::new;
    assert_eq!(vec![vec![leaf()], none()].def(), vec![vec![leaf()]].def());
    assert_eq!(vec![none(), none()].def(), vec![none()].def());
}

#[test]
fn a_table_of_nuvec_answers_for_another_structure() {
    let table = HashMap::from([(vec![vec![leaf()]].def(), "compiled for one list")]);
    let found = table.get(&vec![vec![leaf()], vec![]].def());
    assert_eq!(found, Some(&"compiled for one list"));
}
