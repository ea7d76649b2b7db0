//! `TreeKeyTest`: key entries by themselves.

use std::collections::HashSet;

use treedef::head::ChildKey;
use treedef::{KeyEntry, TreeDef, Value};

use crate::suites::model::{custom, list, py, structure};
use crate::suites::trees::{a_tuple, special};

#[test]
fn basic() {
    let entries = [
        (KeyEntry::Index(1), "[1]"),
        (KeyEntry::Key("foo".into()), "['foo']"),
        (KeyEntry::Attr("bar"), ".bar"),
        (KeyEntry::FlatIndex(1), "[<flat index 1>]"),
    ];
    for (i, (entry, text)) in entries.iter().enumerate() {
        assert_eq!(entry.to_string(), *text);
        for (j, (other, _)) in entries.iter().enumerate() {
            assert_eq!(entry == other, i == j);
        }
    }
    // Entries are equal where they come from equal keys, wherever these stand.
    assert_eq!(KeyEntry::from(ChildKey::Key("foo".into())), KeyEntry::Key("foo".into()));
    assert_eq!(KeyEntry::from(ChildKey::Attr("bar")), KeyEntry::Attr("bar"));
    // `DIFFERENCE`: entries have no hash; the bytes of a treedef do, and tell the two kinds of index apart.
    let keyed = custom("C", Value::None, Some(&[ChildKey::Index(0)]), [py!(1)]);
    let flat = custom("C", Value::None, None, [py!(1)]);
    let defs = HashSet::from([keyed, flat].map(|tree| structure(&tree).fingerprint()));
    assert_eq!(defs.len(), 2);
}

/// A path is bytes and an index, so it goes over a wire as these; the entries come back equal.
#[test]
fn pickle() {
    let tree = list([py!({"foo": 1}), a_tuple(py!(2), special(py!(3), py!(4)))]);
    let def = structure(&tree);
    let bytes = def.as_bytes().to_vec();
    let restored = TreeDef::from_bytes(&bytes).unwrap();
    let expected: [&[KeyEntry<'_>]; 4] = [
        &[KeyEntry::Index(0), KeyEntry::Key("foo".into())],
        &[KeyEntry::Index(1), KeyEntry::Attr("foo")],
        &[KeyEntry::Index(1), KeyEntry::Attr("bar"), KeyEntry::FlatIndex(0)],
        &[KeyEntry::Index(1), KeyEntry::Attr("bar"), KeyEntry::FlatIndex(1)],
    ];
    assert_eq!(restored.num_leaves(), expected.len());
    for (leaf, entries) in expected.into_iter().enumerate() {
        let path = restored.path(leaf).unwrap();
        assert!(path.entries().eq(entries.iter().copied()), "{}", path.keystr());
        assert!(def.path(leaf).unwrap().entries().eq(path.entries()));
    }
}
