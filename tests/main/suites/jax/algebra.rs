//! `TreeTest`: treedefs made of treedefs.

use treedef::{TreeDef, structure_into};

use crate::suites::model::{flatten, node_of, py, structure, tuple, unflatten, write};
use crate::suites::trees::jax_trees;

#[test]
fn treedef_tuple_from_children() {
    let def = structure(&py!(((1, 2, (3, 4)), (5,))));
    let children = Vec::from_iter(def.children());
    let again = node_of(&treedef::head::Tuple(children.len()), &children);
    assert_eq!((again.num_leaves(), again.num_nodes()), (def.num_leaves(), def.num_nodes()));
    assert_eq!(again, def);
    let [first, second] = children[..] else { panic!("two children") };
    assert_eq!(write(&(first, second)), def);
}

#[test]
fn treedef_tuple_compares_equal() {
    let leaf = TreeDef::LEAF;
    assert_eq!(structure_into(&(leaf,), &mut [0; 8]), Ok(structure(&tuple([py!(3)]))));
}

#[test]
fn compose() {
    let inner = structure(&py!(["*", "*", "*"]));
    for row in jax_trees() {
        let def = structure(&row.tree);
        let composed = write(&def.compose(inner));
        let (leaves, nodes) = (def.num_leaves(), def.num_nodes());
        assert_eq!(composed.num_leaves(), leaves * inner.num_leaves());
        assert_eq!(composed.num_nodes(), nodes - leaves + leaves * inner.num_nodes());
        let ones = vec![py!(1); composed.num_leaves()];
        assert_eq!(flatten(&unflatten(composed, ones.clone())), (ones, composed));
    }
}
