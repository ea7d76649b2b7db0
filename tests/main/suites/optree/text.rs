//! `test_treespec.py`: text.

use super::trees::cases;
use crate::suites::model::{named, py, structure};
use crate::support::optree_text;

#[test]
fn treespec_string_representation() {
    for case in cases() {
        let mode = if case.none_is_leaf { ", NoneIsLeaf" } else { "" };
        let expected = format!("PyTreeSpec({}{mode})", case.text);
        assert_eq!(optree_text::text(case.def, case.none_is_leaf), expected);
    }
}

fn text(tree: &crate::suites::model::Tree) -> String {
    optree_text::text(structure(tree), false)
}

/// The names of the slots without a name are what the model says they are.
#[test]
fn treespec_structseq_unnamed_field_string_representation() {
    let fields = ["st_mode", "<unnamed@7>", "<unnamed@8>"];
    let tree = named("os.stat_result", &fields, [py!(1), py!(2), py!(3)]);
    assert_eq!(text(&tree), "PyTreeSpec(os.stat_result(st_mode=*, <unnamed@7>=*, <unnamed@8>=*))");
}

#[test]
fn treespec_with_empty_tuple_string_representation() {
    assert_eq!(text(&py!(())), "PyTreeSpec(())");
}

#[test]
fn treespec_with_single_element_tuple_string_representation() {
    assert_eq!(text(&py!((1,))), "PyTreeSpec((*,))");
}

#[test]
fn treespec_with_empty_list_string_representation() {
    assert_eq!(text(&py!([])), "PyTreeSpec([])");
}

#[test]
fn treespec_with_empty_dict_string_representation() {
    assert_eq!(text(&py!({})), "PyTreeSpec({})");
}
