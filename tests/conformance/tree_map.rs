//! Mapping over several trees: the leaves of the first with the parts of the others that they stand for.

use serde_json::Value as Json;

use super::messages::{JAX, differences, normal};
use super::predicate::holds;
use super::prefix::{PYTHON_EQUAL, STRICT, UNORDERED, about_keys, check_ours, parts};
use super::rebuild::rebuild;
use super::structure_ops::flattened_by;
use super::support::corpus::{Read, Tree, each, member, read_answer};
use super::support::harness::Outcome;
use super::support::library::{Stated, state};
use super::{leaf_item, outcomes, same, same_tree, say, string};
use treedef::View;

#[test]
fn tree_map() {
    outcomes("tree_map", check);
}

fn check(line: &Json) -> Read<Outcome> {
    let trees = each(member(line, "trees")?, Tree::read)?;
    let (first, rest) = trees.split_first().ok_or("no tree")?;
    let expect = member(line, "expect")?;
    if trees.iter().any(|tree| tree.leaves().is_err()) {
        let refused = trees.iter().map(|tree| state(tree, false).is_err()).collect::<Vec<_>>();
        same("refused", refused, trees.iter().map(|tree| tree.leaves().is_err()).collect())?;
        return Ok(if about_keys(expect) { Outcome::Passed } else { UNORDERED });
    }
    // The leaves of the first tree can be whole trees, those of the others count as they are.
    let (own, leaves): (_, Vec<Tree>) = match line.get("is_leaf") {
        Some(name) => {
            let name = string(name)?;
            let (own, leaves) = flattened_by(&name, first)?;
            (own, leaves.into_iter().cloned().collect())
        }
        None => {
            let own = state(first, false).map_err(say)?;
            let leaves: Vec<_> = own.leaves.iter().flatten().copied().map(Tree::Leaf).collect();
            (own, leaves)
        }
    };
    let name = line.get("is_leaf").map(string).transpose()?;
    let prefix = cut(first, name.as_deref())?;
    let rest_defs =
        rest.iter().map(|tree| state(tree, false).map_err(say)).collect::<Read<Vec<_>>>()?;
    let numbered = Stated { bytes: own.bytes, leaves: vec![None; leaves.len()] };
    for (tree, stated) in rest.iter().zip(&rest_defs) {
        let (ours, theirs) = (differences(&prefix, tree, STRICT), differences(&prefix, tree, JAX));
        check_ours(&numbered, stated, &ours, false)?;
        if ours.is_empty() != theirs.is_empty() {
            return Ok(Outcome::Different(PYTHON_EQUAL));
        }
        if let Some(at) = theirs.first() {
            let raised = read_answer(expect)?.err().ok_or("no error")?;
            // With a predicate JAX looks for the place as if there were none, and stops at the first difference of that.
            let place = match name {
                Some(_) => {
                    differences(first, tree, JAX).first().map(|at| at.prefix_error("tree_map tree"))
                }
                None => Some(at.prefix_error("tree_map tree")),
            };
            same("error", place, Some(normal(&raised.message)))?;
            return Ok(Outcome::Passed);
        }
    }
    let mut calls: Vec<Vec<Tree>> = leaves.into_iter().map(|leaf| vec![leaf]).collect();
    for stated in &rest_defs {
        let full = View::new(stated.treedef(), &stated.leaves).map_err(say)?;
        for (call, part) in calls.iter_mut().zip(parts(numbered.treedef(), full)?) {
            let leaves = part.leaves().iter().flatten().copied().map(Tree::Leaf);
            call.push(rebuild(part.treedef(), leaves).map_err(say)?);
        }
    }
    let theirs =
        each(member(expect, "ok")?, |call| each(call, |item| leaf_item(item, Tree::read)))?;
    same("number of calls", calls.len(), theirs.len())?;
    for (ours, theirs) in calls.iter().zip(&theirs) {
        same("number of arguments", ours.len(), theirs.len())?;
        ours.iter()
            .zip(theirs)
            .try_for_each(|(ours, theirs)| same_tree("argument", ours, theirs))?;
    }
    let text = string(member(expect, "result_treedef")?)?;
    same("result_treedef", numbered.treedef().to_string(), text)?;
    Ok(Outcome::Passed)
}

/// The tree with a leaf in place of whatever the predicate holds of.
fn cut(tree: &Tree, predicate: Option<&str>) -> Read<Tree> {
    let Some(name) = predicate else { return Ok(tree.clone()) };
    if holds(name, tree)? {
        return Ok(Tree::Leaf(0));
    }
    let mut tree = tree.clone();
    for child in tree.children_mut() {
        *child = cut(child, predicate)?;
    }
    Ok(tree)
}
