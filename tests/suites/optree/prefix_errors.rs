//! `test_prefix_errors.py`: the errors of a prefix, the prefix test and flattening up to the prefix agree.

use treedef::{DifferenceKind as Kind, Value};

use crate::jax::prefix_errors::{errors, texts};
use crate::model::{custom, defaultdict, named, ordered, py, structure};
use crate::trees::jax_trees;
use crate::trees::special;

#[test]
fn different_types() {
    errors(&py!((1, 2)), &py!([1, 2]), &[(Kind::Type, "")]);
    errors(&py!({"a": 1}), &py!([1]), &[(Kind::Type, "")]);
    // optree takes dictionaries of any kind for prefixes of each other; here they are different types.
    errors(&py!({"a": 1}), &ordered([("a", py!(1))]), &[(Kind::Type, "")]);
    errors(&py!({"a": 1}), &defaultdict("<class 'int'>", [("a", py!(1))]), &[(Kind::Type, "")]);
}

#[test]
fn different_types_nested() {
    errors(&py!(((1,), (2,))), &py!(([3], (4,))), &[(Kind::Type, "[0]")]);
    errors(&py!({"a": 1, "b": (2,)}), &py!({"a": 1, "b": [2]}), &[(Kind::Type, "['b']")]);
}

#[test]
fn different_types_multiple() {
    let expected = [(Kind::Type, "[0]"), (Kind::Type, "[1]")];
    errors(&py!(((1,), (2,))), &py!(([3], [4])), &expected);
}

#[test]
fn different_num_children() {
    errors(&py!((1,)), &py!((2, 3)), &[(Kind::Length, "")]);
    errors(&py!([1]), &py!([2, 3]), &[(Kind::Length, "")]);
    errors(&py!({"hi": 1}), &py!({"hi": 2, "bye": 3}), &[(Kind::Children, "")]);
}

#[test]
fn different_num_children_nested() {
    errors(&py!([[1]]), &py!([[2, 3]]), &[(Kind::Length, "[0]")]);
}

#[test]
fn different_num_children_multiple() {
    let expected = [(Kind::Length, "[0]"), (Kind::Length, "[1]")];
    errors(&py!([[1], [2]]), &py!([[3, 4], [5, 6]]), &expected);
}

#[test]
fn different_metadata() {
    errors(&py!({1: 2}), &py!({3: 4}), &[(Kind::Metadata, "")]);
    let of = |aux| custom("MyTree", Value::Str(aux), None, [py!(1)]);
    errors(&of("old"), &of("new"), &[(Kind::Metadata, "")]);
    let text = "at the root: expected aux data 'old', found 'new'";
    assert_eq!(texts(&of("old"), &of("new")), [text]);
}

#[test]
fn different_metadata_heterogeneous_keys() {
    let (prefix, full) = (py!({1: 2}), py!({"a": 2}));
    errors(&prefix, &full, &[(Kind::Metadata, "")]);
    assert_eq!(texts(&prefix, &full), ["at the root: missing key 1 and unexpected key 'a'"]);
}

#[test]
fn different_metadata_nested() {
    errors(&py!([{1: 2}]), &py!([{3: 4}]), &[(Kind::Metadata, "[0]")]);
}

#[test]
fn different_metadata_multiple() {
    let expected = [(Kind::Metadata, "[0]"), (Kind::Metadata, "[1]")];
    errors(&py!([{1: 2}, {3: 4}]), &py!([{3: 4}, {5: 6}]), &expected);
}

#[test]
fn standard_dictionary() {
    // The order in which a dictionary was filled is no difference; that of an ordered one is.
    for row in jax_trees() {
        errors(&row.tree, &row.tree, &[]);
        errors(&py!(1), &row.tree, &[]);
    }
    errors(&py!({"b": 1, "a": (2,)}), &py!({"a": (2,), "b": 1}), &[]);
    let (one, other) = ([("a", py!(1)), ("b", py!(2))], [("b", py!(2)), ("a", py!(1))]);
    errors(&ordered(one), &ordered(other), &[(Kind::Metadata, "")]);
}

#[test]
fn namedtuple() {
    let of = |bar| named("ATuple", &["foo", "bar"], [py!(1), bar]);
    errors(&of(py!((2, [3]))), &of(py!((2, (3,)))), &[(Kind::Type, ".bar[1]")]);
}

#[test]
fn structseq() {
    let fields = ["tm_year", "tm_mon", "tm_mday"];
    let of = |month| named("time.struct_time", &fields, [py!(1), month, py!(3)]);
    errors(&of(py!((2, [3]))), &of(py!((2, (3,)))), &[(Kind::Type, ".tm_mon[1]")]);
}

#[test]
fn fallback() {
    let (prefix, full) = (special(py!(1), py!([2])), special(py!(3), py!(4)));
    errors(&prefix, &full, &[(Kind::Type, "[<flat index 1>]")]);
}

#[test]
fn no_errors() {
    errors(&py!((1, 2)), &py!(((11, 12, 13), 2)), &[]);
}

#[test]
fn no_errors_for_custom_node_with_value_dependent_entries() {
    // Entries that depend on values are no structure, so the nodes have none.
    let of = |x, y| custom("MyTree", Value::None, None, [x, y]);
    errors(&of(py!(1), py!(2)), &of(py!(3), py!((4, 5))), &[]);
    assert_eq!(structure(&of(py!(1), py!(2))), structure(&of(py!(2), py!(1))));
}

#[test]
fn different_structure_no_children() {
    errors(&py!({}), &py!({"a": []}), &[(Kind::Children, "")]);
}
