//! `test_treespec.py`: text.

use super::trees::cases;
use crate::suites::model::{named, py, structure};

#[test]
fn treespec_string_representation() {
    for case in cases() {
        let text = case.def.optree();
        if case.none_is_leaf {
            let expected = format!("PyTreeSpec({}, NoneIsLeaf)", case.text);
            assert_eq!(text.none_is_leaf().to_string(), expected);
        } else {
            assert_eq!(text.to_string(), format!("PyTreeSpec({})", case.text));
        }
    }
}

fn text(tree: &crate::suites::model::Tree) -> String {
    structure(tree).optree().to_string()
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
