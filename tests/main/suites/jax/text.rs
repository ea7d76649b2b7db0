//! `TreeTest`: text and counts.

use crate::suites::model::{flatten, flatten_where, keystrs, py, structure};
use crate::suites::trees::jax_trees;
use treedef::Kind;

#[test]
fn string_representation() {
    for row in jax_trees() {
        let (leaves, def) = flatten(&row.tree);
        assert_eq!(def.to_string(), format!("PyTreeDef({})", row.text));
        assert_eq!((def.num_leaves(), def.num_nodes()), (row.num_leaves, row.num_nodes));
        assert_eq!((leaves.len(), def.nodes().count()), (row.num_leaves, row.num_nodes));
        assert_eq!(keystrs(def), row.paths);
    }
    // The same with tuples as leaves.
    let text = |index: usize| {
        let tree = &jax_trees()[index].tree;
        flatten_where(tree, |tree| tree.is(Kind::Tuple)).1.to_string()
    };
    assert_eq!(text(1), "PyTreeDef(*)");
    assert_eq!(text(3), "PyTreeDef([*])");
    assert_eq!(text(15), "PyTreeDef(CustomNode(ADataclass[()], [*, *]))");
}

#[test]
fn tree_def_with_empty_dict_string_representation() {
    assert_eq!(structure(&py!({})).to_string(), "PyTreeDef({})");
}
