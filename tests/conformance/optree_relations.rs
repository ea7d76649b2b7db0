//! Operations of optree on two or more trees: prefixes, broadcasts, common suffixes, maps.
//!
//! For optree dictionaries of any kind go together if their keys do, in any order, and deques of any two bounds; here,
//! as for JAX, they are different nodes. Optree's relation is ours on the same trees with plain dictionaries, and its
//! parts and leaves are ours where the second tree has the dictionaries of the first; of the trees as they stand, ours
//! is what the strict rule says.

use std::cmp::Ordering;

use serde_json::Value as Json;

use super::messages::{Difference, Manner, OPTREE, differences, normal, uncommon};
use super::optree::{none_is_leaf, read};
use super::optree_messages::adapt;
use super::optree_text::text;
use super::prefix::{PYTHON_EQUAL, STRICT, UNORDERED, as_raised, check_ours, parts};
use super::rebuild::rebuild;
use super::support::corpus::{
    Raised, Read, Tree, each, integer, member, read_answer, read_raised, string,
};
use super::support::harness::Outcome;
use super::support::library::{Stated, state};
use super::support::rules::python_equal_but_distinct;
use super::{leaf_item, same, same_tree, say, written};
use treedef::algebra::broadcast_common;
use treedef::encode::structure_bound;
use treedef::{Error, TreeDef, View, broadcast_prefix};

/// What a leaf list holds for a leaf that may be `None`.
pub(super) fn tree_leaf(leaf: &Option<i64>) -> Tree {
    leaf.map_or(Tree::None, Tree::Leaf)
}

/// A leaf that may be `None`.
fn optional(json: &Json) -> Read<Option<i64>> {
    if json.is_null() { Ok(None) } else { integer(json).map(Some) }
}

/// How optree and how we compare the trees of a line.
fn manners(line: &Json) -> Read<(Manner, Manner)> {
    let none_is_leaf = none_is_leaf(line)?;
    Ok((Manner { none_is_leaf, ..OPTREE }, Manner { none_is_leaf, ..STRICT }))
}

/// A tree of a line with its structure.
type Side = (Tree, Stated);

/// Two trees of a line; `None` where one has keys without an order of ours.
pub(super) fn sides(line: &Json, names: [&str; 2]) -> Read<Option<[Side; 2]>> {
    let none_is_leaf = none_is_leaf(line)?;
    let side = |name: &str| {
        let tree = read(member(line, name)?)?;
        match state(&tree, none_is_leaf) {
            Ok(stated) => Ok(Some((tree, stated))),
            Err(Error::Unordered { .. }) if tree.leaves().is_err() => Ok(None),
            Err(error) => Err(say(error)),
        }
    };
    Ok(side(names[0])?.zip(side(names[1])?).map(|(a, b)| [a, b]))
}

pub(super) fn relations(line: &Json, expect: &Json) -> Read<Outcome> {
    let Some([(a, left), (b, right)]) = sides(line, ["a", "b"])? else { return Ok(UNORDERED) };
    let none_is_leaf = none_is_leaf(line)?;
    for (name, stated) in [("a", &left), ("b", &right)] {
        let text = text(stated.treedef(), none_is_leaf);
        same(name, text, string(member(expect, name)?)?)?;
    }
    let equal = left.treedef() == right.treedef();
    if python_equal_but_distinct(&a, &b) {
        same("two types", equal, false)?;
        return Ok(Outcome::Different(PYTHON_EQUAL));
    }
    same("eq", Some(equal), member(expect, "eq")?.as_bool())?;
    if let Some(hashes) = expect.get("hash_eq") {
        let fingerprints = left.treedef().fingerprint() == right.treedef().fingerprint();
        same("hash_eq", Some(fingerprints), hashes.as_bool())?;
    }
    // Our own relation is the strict rule's, and equal structures are prefixes of each other.
    let strict = Manner { none_is_leaf, ..STRICT };
    let holds = [differences(&a, &b, strict), differences(&b, &a, strict)].map(|at| at.is_empty());
    let order = prefix_order(&left, &right)?;
    same(
        "the strict rule",
        holds,
        [order.is_some_and(Ordering::is_le), order.is_some_and(Ordering::is_ge)],
    )?;
    same("equal and both prefixes", equal, order == Some(Ordering::Equal))?;
    // Values that Python takes for one make prefixes of what is none here.
    let (loose, exact) = (manners(line)?.0, Manner { loose: true, ..strict });
    let places =
        |manner| [differences(&a, &b, manner), differences(&b, &a, manner)].map(|at| at.len());
    if places(loose) != places(exact) {
        return Ok(Outcome::Different(PYTHON_EQUAL));
    }
    // Optree's is ours on the same trees with one kind of dictionaries and without bounds of deques.
    let [plain_a, plain_b] = [a, b].map(|tree| state(&plain(tree), none_is_leaf));
    let order = prefix_order(&plain_a.map_err(say)?, &plain_b.map_err(say)?)?;
    for (name, ours) in [
        ("le", order.is_some_and(Ordering::is_le)),
        ("lt", order == Some(Ordering::Less)),
        ("ge", order.is_some_and(Ordering::is_ge)),
        ("gt", order == Some(Ordering::Greater)),
    ] {
        same(name, Some(ours), member(expect, name)?.as_bool())?;
    }
    Ok(Outcome::Passed)
}

/// How two structures stand in the prefix relation, which each of its forms says alike.
fn prefix_order(left: &Stated, right: &Stated) -> Read<Option<Ordering>> {
    let (left, right) = (left.treedef(), right.treedef());
    let order = left.prefix_cmp(right).map_err(say)?;
    same("turned around", right.prefix_cmp(left).map_err(say)?, order.map(Ordering::reverse))?;
    for (prefix, full, order) in [(left, right, order), (right, left, order.map(Ordering::reverse))]
    {
        let holds = order.is_some_and(Ordering::is_le);
        same("checked", prefix.check_prefix_of(full).is_ok(), holds)?;
    }
    Ok(order)
}

/// The tree with ordered dicts in place of all dictionaries, whose equal keys are in one order, and deques without a
/// bound.
fn plain(mut tree: Tree) -> Tree {
    for child in tree.children_mut() {
        *child = plain(std::mem::replace(child, Tree::None));
    }
    match tree {
        Tree::Dict(mut items)
        | Tree::OrderedDict(mut items)
        | Tree::DefaultDict { mut items, .. } => {
            // Keys of an ordered dict need not compare.
            items.sort_by_key(|(key, _)| key.to_bytes());
            Tree::OrderedDict(items)
        }
        Tree::Deque { children, .. } => Tree::Deque { maxlen: None, children },
        other => other,
    }
}

pub(super) fn prefix(line: &Json, expect: &Json) -> Read<Outcome> {
    let Some([(a, prefix), (b, full)]) = sides(line, ["prefix", "full"])? else {
        return Ok(UNORDERED);
    };
    let (loose, strict) = manners(line)?;
    check_ours(&prefix, &full, &differences(&a, &b, strict), none_is_leaf(line)?)?;
    let theirs = differences(&a, &b, loose);
    let adapted = adapt(&a, &b, loose);
    let full = state(&adapted, none_is_leaf(line)?).map_err(say)?;
    let texts = theirs.iter().map(|at| at.optree_prefix_error("in_axes")).collect();
    let recorded = each(member(expect, "prefix_errors")?, |text| Ok(normal(&string(text)?)))?;
    same("prefix_errors", texts, recorded)?;
    if !theirs.is_empty() {
        for name in ["flatten_up_to", "broadcast_prefix", "tree"] {
            check_last(&theirs, read_answer(member(expect, name)?)?.err())?;
        }
        return Ok(Outcome::Passed);
    }
    if !differences(&a, &adapted, strict).is_empty() {
        return Ok(Outcome::Different(PYTHON_EQUAL));
    }
    let own = View::new(prefix.treedef(), &prefix.leaves).map_err(say)?;
    let full = View::new(full.treedef(), &full.leaves).map_err(say)?;
    let ok = |name: &str| member(member(expect, name)?, "ok");
    let ours = parts(own.treedef(), full)?;
    let theirs = each(ok("flatten_up_to")?, |part| each(part, optional))?;
    same("flatten_up_to", ours.iter().map(|part| part.leaves().to_vec()).collect(), theirs)?;
    let mut leaves = vec![None; full.leaves().len()];
    broadcast_prefix(own, full.treedef(), &mut leaves).map_err(say)?;
    same("broadcast_prefix", &leaves, &each(ok("broadcast_prefix")?, optional)?)?;
    let tree = rebuild(full.treedef(), leaves.iter().map(tree_leaf)).map_err(say)?;
    same_tree("tree", &tree, &read(ok("tree")?)?)?;
    Ok(Outcome::Passed)
}

/// Optree's message is about the last of the differences.
fn check_last(found: &[Difference<'_>], raised: Option<Raised>) -> Read<()> {
    let ours = found.last().map(Difference::optree_flatten_up_to);
    let message = raised.map(|raised| raised.message);
    same("flatten_up_to", ours.as_deref().map(as_raised), message.as_deref())
}

pub(super) fn common(line: &Json, expect: &Json) -> Read<Outcome> {
    let Some([(a, left), (b, right)]) = sides(line, ["a", "b"])? else { return Ok(UNORDERED) };
    let (loose, strict) = manners(line)?;
    check_uncommon(&left, &right, uncommon(&a, &b, strict).first())?;
    // Optree walks from right to left.
    if let Some(at) = uncommon(&a, &b, loose).last() {
        for name in ["leaves", "trees", "common_suffix"] {
            let raised = read_raised(member(member(expect, name)?, "error")?)?;
            same(name, at.common_suffix(), raised.message)?;
        }
        return Ok(Outcome::Passed);
    }
    let adapted = adapt(&a, &b, loose);
    if !uncommon(&a, &adapted, strict).is_empty() {
        return Ok(Outcome::Different(PYTHON_EQUAL));
    }
    let right = state(&adapted, none_is_leaf(line)?).map_err(say)?;
    let first = View::new(left.treedef(), &left.leaves).map_err(say)?;
    let second = View::new(right.treedef(), &right.leaves).map_err(say)?;
    let suffix = first.treedef().common_suffix(second.treedef());
    let suffix = written(&suffix)?;
    let def = suffix.treedef();
    let theirs = string(member(expect, "common_suffix")?)?;
    same("common_suffix", text(def, none_is_leaf(line)?), theirs)?;
    let (mut ours, mut theirs) = (vec![None; def.num_leaves()], vec![None; def.num_leaves()]);
    let count = broadcast_common(first, second, &mut ours, &mut theirs).map_err(say)?;
    same("leaves written", count, def.num_leaves())?;
    for (name, leaves) in [("a", ours), ("b", theirs)] {
        let recorded = each(member(member(expect, "leaves")?, name)?, optional)?;
        same("leaves", &leaves, &recorded)?;
        let tree = rebuild(def, leaves.iter().map(tree_leaf)).map_err(say)?;
        // In optree each tree keeps its own dictionaries.
        let recorded = |name: &str| read(member(member(expect, "trees")?, name)?);
        same_tree("trees", &tree, &adapt(&recorded("a")?, &recorded(name)?, loose))?;
    }
    Ok(Outcome::Passed)
}

/// Two structures have a common suffix, or both forms name the first place where they have not.
fn check_uncommon(left: &Stated, right: &Stated, found: Option<&Difference<'_>>) -> Read<()> {
    let first = View::new(left.treedef(), &left.leaves).map_err(say)?;
    let second = View::new(right.treedef(), &right.leaves).map_err(say)?;
    let error = structure_bound(&first.treedef().common_suffix(second.treedef())).err();
    let place = match error {
        Some(Error::NoCommonSuffix { node }) => first.treedef().node_path(node as usize),
        Some(error) => return Err(say(error)),
        None => None,
    };
    let place = place.map(|path| path.to_string());
    same("the first place", place, found.map(Difference::keystr))?;
    let broadcast = broadcast_common(first, second, &mut [], &mut []).err();
    match error {
        Some(_) => same("broadcast_common", broadcast, error),
        None => Ok(()),
    }
}

pub(super) fn tree_map(line: &Json, expect: &Json) -> Read<Outcome> {
    let trees = each(member(line, "trees")?, read)?;
    let none_is_leaf = none_is_leaf(line)?;
    if trees.iter().any(|tree| tree.leaves().is_err()) {
        let refused = |tree| matches!(state(tree, none_is_leaf), Err(Error::Unordered { .. }));
        same("refused", trees.iter().any(refused), true)?;
        return Ok(UNORDERED);
    }
    let stated = |tree| state(tree, none_is_leaf).map_err(say);
    let stated = trees.iter().map(stated).collect::<Read<Vec<_>>>()?;
    let first = stated.first().ok_or("no tree")?;
    let (loose, strict) = manners(line)?;
    let mut adapted = Vec::new();
    for (tree, other) in trees.iter().zip(&stated).skip(1) {
        check_ours(first, other, &differences(&trees[0], tree, strict), none_is_leaf)?;
        let other = adapt(&trees[0], tree, loose);
        let theirs = differences(&trees[0], tree, loose);
        if !theirs.is_empty() {
            check_last(&theirs, read_answer(expect)?.err())?;
            return Ok(Outcome::Passed);
        }
        if !differences(&trees[0], &other, strict).is_empty() {
            return Ok(Outcome::Different(PYTHON_EQUAL));
        }
        adapted.push(state(&other, none_is_leaf).map_err(say)?);
    }
    let def: TreeDef<'_> = first.treedef();
    let mut calls: Vec<Vec<Tree>> = first.leaves.iter().map(|leaf| vec![tree_leaf(leaf)]).collect();
    for other in &adapted {
        let full = View::new(other.treedef(), &other.leaves).map_err(say)?;
        for (call, part) in calls.iter_mut().zip(parts(def, full)?) {
            let leaves = part.leaves().iter().map(tree_leaf);
            call.push(rebuild(part.treedef(), leaves).map_err(say)?);
        }
    }
    let theirs = each(member(expect, "ok")?, |call| each(call, |item| leaf_item(item, read)))?;
    same("number of calls", calls.len(), theirs.len())?;
    for (ours, theirs) in calls.iter().zip(&theirs) {
        same("number of arguments", ours.len(), theirs.len())?;
        ours.iter()
            .zip(theirs)
            .try_for_each(|(ours, theirs)| same_tree("argument", ours, theirs))?;
    }
    same("result", text(def, none_is_leaf), string(member(expect, "result")?)?)?;
    Ok(Outcome::Passed)
}
