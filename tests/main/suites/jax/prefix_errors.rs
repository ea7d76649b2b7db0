//! `TreePrefixErrorsTest`: every place where a prefix and a full tree part, with the key path and both sides.

use treedef::diff::{Difference, DifferenceKind as Kind};
use treedef::head::ChildKey;
use treedef::{KeyEntry, Value, View, flatten_up_to};

use crate::suites::model::{Tree, custom, py, structure};
use crate::suites::trees::special;

/// Sees that the errors of a prefix are of these kinds, at these places; and that the prefix test and flattening up to
/// the prefix say so, too.
#[track_caller]
pub(crate) fn errors(prefix: &Tree, full: &Tree, expected: &[(Kind, &str)]) {
    let (prefix, full) = (structure(prefix), structure(full));
    let told = |difference: Difference<'_>| (difference.kind(), difference.path().to_string());
    let errors: Vec<_> = prefix.prefix_errors(full).map(|error| told(error.unwrap())).collect();
    let expected: Vec<_> = expected.iter().map(|(kind, path)| (*kind, (*path).into())).collect();
    assert_eq!(errors, expected);
    assert_eq!(prefix.check_prefix_of(full).is_ok(), expected.is_empty());
    let leaves = vec![(); full.num_leaves()];
    let full = View::new(full, &leaves).unwrap();
    assert_eq!(flatten_up_to(prefix, full).is_ok(), expected.is_empty());
}

/// The sentences of the errors.
pub(crate) fn texts(prefix: &Tree, full: &Tree) -> Vec<String> {
    let (prefix, full) = (structure(prefix), structure(full));
    prefix.prefix_errors(full).map(|error| error.unwrap().to_string()).collect()
}

#[test]
fn different_types() {
    errors(&py!((1, 2)), &py!([1, 2]), &[(Kind::Type, "")]);
    let text = "at the root: expected a tuple of 2, found a list of 2";
    assert_eq!(texts(&py!((1, 2)), &py!([1, 2])), [text]);
}

#[test]
fn different_types_nested() {
    errors(&py!(((1,), (2,))), &py!(([3], (4,))), &[(Kind::Type, "[0]")]);
}

#[test]
fn different_types_multiple() {
    let expected = [(Kind::Type, "[0]"), (Kind::Type, "[1]")];
    errors(&py!(((1,), (2,))), &py!(([3], [4])), &expected);
}

#[test]
fn different_num_children_tuple() {
    errors(&py!((1,)), &py!((2, 3)), &[(Kind::Length, "")]);
    let text = "at the root: expected a tuple of 1, found a tuple of 2";
    assert_eq!(texts(&py!((1,)), &py!((2, 3))), [text]);
}

#[test]
fn different_num_children_list() {
    errors(&py!([1]), &py!([2, 3]), &[(Kind::Length, "")]);
}

#[test]
fn different_num_children_generic() {
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
fn different_num_children_print_key_diff() {
    let (prefix, full) = (py!({"a": 1}), py!({"a": 2, "b": 3}));
    errors(&prefix, &full, &[(Kind::Children, "")]);
    let error = structure(&prefix).prefix_errors(structure(&full)).next().unwrap().unwrap();
    assert!(error.missing().next().is_none());
    assert!(error.unexpected().eq([KeyEntry::Key(Value::Str("b"))]));
    assert_eq!(
        format!("{error:#}"),
        "at the root: unexpected key 'b'\n  \
         expected a dict with key 'a'\n  \
         found a dict with keys 'a', 'b'"
    );
}

#[test]
fn different_num_children_custom_node_with_keys() {
    let keys = [ChildKey::Attr("a"), ChildKey::Attr("b")];
    let prefix = custom("CustomNode", Value::None, Some(&keys[..1]), [py!(1)]);
    let full = custom("CustomNode", Value::None, Some(&keys), [py!(1), py!(2)]);
    errors(&prefix, &full, &[(Kind::Children, "")]);
    let error = structure(&prefix).prefix_errors(structure(&full)).next().unwrap().unwrap();
    assert!(error.unexpected().eq([KeyEntry::Attr("b")]));
    assert_eq!(
        format!("{error:#}"),
        "at the root: expected 1 child, found 2: unexpected child key b\n  \
         expected a custom node CustomNode of 1 child, aux data None, child key a\n  \
         found a custom node CustomNode of 2 children, aux data None, child keys a, b"
    );
}

#[test]
fn different_metadata() {
    errors(&py!({1: 2}), &py!({3: 4}), &[(Kind::Metadata, "")]);
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
fn fallback_keypath() {
    let (prefix, full) = (special(py!(1), py!([2])), special(py!(3), py!(4)));
    errors(&prefix, &full, &[(Kind::Type, "[<flat index 1>]")]);
    let text = "at [<flat index 1>]: expected a list of 1, found a leaf";
    assert_eq!(texts(&prefix, &full), [text]);
}

#[test]
fn no_errors() {
    errors(&py!((1, 2)), &py!(((11, 12, 13), 2)), &[]);
}

#[test]
fn different_structure_no_children() {
    errors(&py!({}), &py!({"a": []}), &[(Kind::Children, "")]);
    assert_eq!(texts(&py!({}), &py!({"a": []})), ["at the root: unexpected key 'a'"]);
}

#[test]
fn curly_braces_in_keys_no_children() {
    let (prefix, full) = (py!({"{oops}": {}}), py!({}));
    errors(&prefix, &full, &[(Kind::Children, "")]);
    assert_eq!(texts(&prefix, &full), ["at the root: missing key '{oops}'"]);
}

#[test]
fn curly_braces_in_keys_list_length() {
    let (prefix, full) = (py!({"{oops}": []}), py!({"{oops}": [{}]}));
    errors(&prefix, &full, &[(Kind::Length, "['{oops}']")]);
    let text = "at ['{oops}']: expected a list of 0, found a list of 1";
    assert_eq!(texts(&prefix, &full), [text]);
}

#[test]
fn curly_braces_in_keys_different_lengths() {
    let (prefix, full) = (py!({"{oops}": {}}), py!({"{oops}": 1}));
    errors(&prefix, &full, &[(Kind::Type, "['{oops}']")]);
    assert_eq!(
        texts(&prefix, &full),
        ["at ['{oops}']: expected a dict with no keys, found a leaf"]
    );
}

#[test]
fn curly_braces_in_keys_different_metadata() {
    let (prefix, full) = (py!({"{oops}": {"{a}": 1}}), py!({"{oops}": {"{b}": 1}}));
    errors(&prefix, &full, &[(Kind::Metadata, "['{oops}']")]);
    let text = "at ['{oops}']: missing key '{a}' and unexpected key '{b}'";
    assert_eq!(texts(&prefix, &full), [text]);
}
