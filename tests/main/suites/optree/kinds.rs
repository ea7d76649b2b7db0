//! `test_typing.py` and the entries of each kind from `test_accessors.py`.

use std::collections::BTreeSet;

use treedef::{KeyEntry, Value};

use super::trees::trees;
use super::types::{custom_tuple, deque, my_dataclass, my_dict, struct_time};
use crate::suites::model::{defaultdict, ordered, py, structure};
use crate::support::optree_text::entries;

/// Every kind of optree but the one of Python 3.15 has one here; a deque is a custom node, a struct sequence a named
/// tuple.
#[test]
fn pytreekind_enum() {
    let kinds: BTreeSet<_> =
        trees().iter().map(|row| format!("{:?}", structure(&row.tree).kind())).collect();
    let expected = [
        "Custom",
        "DefaultDict",
        "Dict",
        "Leaf",
        "List",
        "NamedTuple",
        "None",
        "OrderedDict",
        "Tuple",
    ];
    assert!(kinds.iter().eq(expected), "{kinds:?}");
}

#[test]
fn namedtuple_fields() {
    let def = structure(&custom_tuple(py!(1), py!(2)));
    assert!(def.head().fields().eq(["foo", "bar"]));
    assert_eq!(def.head().type_name(), Some("CustomTuple"));
    assert_eq!(structure(&py!((1, 2))).head().fields().count(), 0);
}

#[test]
fn structseq_fields() {
    let def = structure(&struct_time(py!([1, 2, 3, 4, 5, 6, 7, 8, 9])));
    let fields = Vec::from_iter(def.head().fields());
    assert_eq!((fields.len(), fields[0], fields[8]), (9, "tm_year", "tm_isdst"));
}

/// The class of an entry follows the kind of its node.
#[test]
fn auto_entry_new_dispatch() {
    let pair = || [("a", py!(1)), ("b", py!(2))];
    let key = KeyEntry::Key(Value::Str("a"));
    let cases = [
        (py!((1, 2)), KeyEntry::Index(0)),
        (py!([1, 2]), KeyEntry::Index(0)),
        (py!({"a": 1, "b": 2}), key),
        (ordered(pair()), key),
        (defaultdict("<class 'int'>", pair()), key),
        (my_dict("['a', 'b']", pair()), key),
        (custom_tuple(py!(1), py!(2)), KeyEntry::Attr("foo")),
        (my_dataclass([py!(1), py!(2), py!(3), py!(4)]), KeyEntry::Attr("alpha")),
        (deque(None, [py!(1)]), KeyEntry::Index(0)),
        (crate::suites::trees::special(py!(1), py!(2)), KeyEntry::FlatIndex(0)),
    ];
    for (tree, entry) in cases {
        assert_eq!(structure(&tree).head().entries().next(), Some(entry), "{tree:?}");
    }
    // As optree writes it, an item of a deque has a position and so has a field of a named tuple.
    for tree in [deque(None, [py!(1)]), custom_tuple(py!(1), py!(2))] {
        let def = structure(&tree);
        let path = def.path(0).unwrap();
        assert_eq!(entries(def, path.indices()), Some(vec![KeyEntry::Index(0)]));
    }
}
