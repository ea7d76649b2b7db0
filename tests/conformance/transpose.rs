//! Trees of trees turned inside out, by JAX and by optree.
//!
//! Both count leaves only. Where the numbers agree and the structures do not, they turn the tree all the same, and ours
//! names the first node that is another: the line differs.

use serde_json::Value as Json;

use super::optree::{none_is_leaf, read};
use super::prefix::{check_one_of, check_ours};
use super::support::algebra::{self, Relation};
use super::support::corpus::{Raised, Read, Tree, integer, member, read_answer, read_raised};
use super::support::decode::decode;
use super::support::harness::Outcome;
use super::support::library::{Model, Stated, state};
use super::support::messages::{JAX, differences};
use super::support::optree_messages::uncommon;
use super::support::optree_text::text;
use super::support::rebuild::rebuild;
use super::{outcomes, same, same_tree, say, string, written};
use treedef::{
    Error, Options, TreeDef, View, combine, flatten_up_to, partition, transpose, transpose_map,
};

/// Why we say otherwise.
const DIFFERENT: Outcome = Outcome::Different("only the number of leaves agrees");

#[test]
fn transpose_of_jax() {
    outcomes("transpose", |line| {
        let trees = ["outer", "tree"].map(|name| Tree::read(&line[name]));
        let [Ok(outer_tree), Ok(tree)] = trees else { return Err("no trees".into()) };
        let (outer, stated) =
            (state(&outer_tree, false).map_err(say)?, state(&tree, false).map_err(say)?);
        let expect = member(line, "expect")?;
        let answer = match expect.get("error") {
            Some(raised) => Err(read_raised(raised)?),
            None => Ok(member(expect, "ok")?),
        };
        let (def, view) = (outer.treedef(), view(&stated)?);
        let inner = match member(line, "inner")? {
            Json::Null => {
                let found = differences(&outer_tree, &tree, JAX);
                check_ours(&outer, &stated, &found)?;
                if !found.is_empty() {
                    check_one_of(&found, answer.err())?;
                    return Ok(Outcome::Passed);
                }
                // The structure of the first part; without a part there is none.
                let Some(first) = flatten_up_to(def, view).map_err(say)?.next() else {
                    let raised = answer.err().ok_or("no error")?;
                    same("no part", raised.class, "IndexError".into())?;
                    return Ok(Outcome::Passed);
                };
                let bytes = first.treedef().as_bytes().to_vec();
                Stated { bytes, leaves: Vec::new() }
            }
            tree => state(&Tree::read(tree)?, false).map_err(say)?,
        };
        let text = |def: TreeDef<'_>| def.to_string();
        check(def, inner.treedef(), view, answer, Tree::read, text, |texts| {
            format!("Mismatch\n{}\n != \n{}", texts[1], texts[0])
        })?
        .map_or(Ok(Outcome::Passed), |result| match result {
            Ok(def) => {
                let theirs = string(member(expect, "result_treedef")?)?;
                same("result_treedef", text(def.treedef()), theirs)?;
                Ok(Outcome::Passed)
            }
            Err(different) => Ok(different),
        })
    });
}

pub(super) fn of_optree(line: &Json, expect: &Json) -> Read<Outcome> {
    let none_is_leaf = none_is_leaf(line)?;
    let side = |name: &str| state(&read(member(line, name)?)?, none_is_leaf).map_err(say);
    let (outer, inner, tree) = (side("outer")?, side("inner")?, side("tree")?);
    let answer = read_answer(expect)?;
    if let Err(raised) = &answer
        && raised.message == "Tree structures must have at least one leaf."
        && outer.treedef().num_leaves() > 0
    {
        // JAX turns such a tree, and so do we: of no leaves at all nothing has to be told.
        let def =
            transpose(outer.treedef(), inner.treedef(), view(&tree)?, &mut []).map_err(say)?;
        same("no leaves", written(&def)?.treedef(), inner.treedef())?;
        return Ok(Outcome::Different("optree turns no tree without leaves"));
    }
    let text = |def: TreeDef<'_>| text(def, none_is_leaf);
    let done =
        check(outer.treedef(), inner.treedef(), view(&tree)?, answer, read, text, |texts| {
            format!("Tree structure mismatch; expected: {}, got: {}.", texts[0], texts[1])
        })?;
    Ok(match done {
        Some(Err(different)) => different,
        _ => Outcome::Passed,
    })
}

fn view(stated: &Stated) -> Read<View<'_, Option<i64>>> {
    View::new(stated.treedef(), &stated.leaves).map_err(say)
}

/// What became of a line: nothing more to check, a structure, or that it differs.
type Checked = Option<Result<Stated, Outcome>>;

/// Turns a tree and compares it, or the error, with what was recorded.
///
/// `mismatch` makes the message of the texts of what was expected and of what came.
fn check(
    outer: TreeDef<'_>,
    inner: TreeDef<'_>,
    tree: View<'_, Option<i64>>,
    answer: Result<&Json, Raised>,
    read: impl Fn(&Json) -> Read<Tree>,
    text: impl Fn(TreeDef<'_>) -> String,
    mismatch: impl Fn([String; 2]) -> String,
) -> Read<Checked> {
    let composed = written(&outer.compose(inner))?;
    let mut leaves = vec![None; tree.leaves().len()];
    let ours = transpose(outer, inner, tree, &mut leaves);
    let reference = |def: TreeDef<'_>| decode(def.as_bytes());
    let (expected, found) = (reference(composed.treedef())?, reference(tree.treedef())?);
    let first = algebra::differences(&expected, &found, Relation::Equal).into_iter().next();
    if let Some(at) = first {
        let node = algebra::paths(&found).iter().position(|path| *path == at.path);
        let node = node.and_then(|node| u32::try_from(node).ok()).ok_or("no such node")?;
        same("error", ours.err(), Some(Error::Mismatch { node }))?;
        let counts = expected.leaves() == found.leaves();
        return match answer {
            Ok(_) if counts => Ok(Some(Err(DIFFERENT))),
            Ok(_) => Err("turned all the same".into()),
            Err(raised) => {
                let texts = [text(composed.treedef()), text(tree.treedef())];
                same("message", raised.message, mismatch(texts))?;
                Ok(None)
            }
        };
    }
    match answer {
        Ok(theirs) => {
            let def = written(&ours.map_err(say)?)?;
            let leaves = leaves.iter().map(|leaf| leaf.map_or(Tree::None, Tree::Leaf));
            let turned = rebuild(def.treedef(), leaves).map_err(say)?;
            same_tree("turned", &turned, &read(theirs)?)?;
            Ok(Some(Ok(def)))
        }
        Err(raised) => {
            // The outer structure has no leaves: nothing says what the inner ones are.
            let expected = inner.num_leaves();
            same("error", ours.err(), Some(Error::TooFewLeaves { expected, found: 0 }))?;
            let jax = format!("Too few leaves for PyTreeDef; expected {expected}, got 0");
            let said = [&jax, "Tree structures must have at least one leaf."];
            same("message", said.contains(&raised.message.as_str()), true)?;
            Ok(None)
        }
    }
}

/// What the corpus' functions make of a leaf.
fn mapped(name: &str, x: i64) -> Read<Tree> {
    use super::support::value::Value::Str;
    let leaf = Tree::Leaf;
    Ok(match name {
        "pair" => Tree::Tuple(vec![leaf(x), leaf(x + 100)]),
        "dict" => {
            Tree::Dict(vec![(Str("twice".into()), leaf(2 * x)), (Str("same".into()), leaf(x))])
        }
        "nested" => Tree::List(vec![
            leaf(x),
            Tree::Dict(vec![(Str("a".into()), leaf(x))]),
            Tree::Tuple(vec![leaf(x)]),
        ]),
        "empty" => Tree::Tuple(Vec::new()),
        "parity_shape" if x % 2 == 0 => Tree::Tuple(vec![leaf(x), leaf(x)]),
        "parity_shape" => Tree::List(vec![leaf(x), leaf(x)]),
        _ => return Err(format!("no function {name}")),
    })
}

pub(super) fn map(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    let name = string(member(line, "func")?)?;
    let leaves: Vec<i64> = stated.leaves.iter().flatten().copied().collect();
    let tree = View::new(stated.treedef(), &leaves).map_err(say)?;
    let made = leaves.iter().map(|leaf| mapped(&name, *leaf)).collect::<Read<Vec<_>>>()?;
    let inner_tree = match member(line, "inner")? {
        Json::Null => made.first().ok_or("no leaf")?.clone(),
        inner => read(inner)?,
    };
    let inner = state(&inner_tree, false).map_err(say)?;
    let (def, room) = (inner.treedef(), leaves.len() * inner.leaves.len());
    let (mut rows, mut turned) = (vec![-1; room], vec![-1; room]);
    let ours = transpose_map(tree, def, &mut rows, &mut turned, |leaf, row| {
        let made = mapped(&name, *leaf).unwrap();
        Options::new().flatten_expected(Model(&made), def, row).map(drop)
    });
    let raised = match read_answer(expect)? {
        Ok(theirs) => {
            let result = written(&ours.map_err(say)?)?;
            let turned = turned.into_iter().map(Tree::Leaf);
            let turned = rebuild(result.treedef(), turned).map_err(say)?;
            return same_tree("turned", &turned, &read(theirs)?);
        }
        Err(raised) => raised,
    };
    if def.num_leaves() == 0 {
        let text = text(def, false);
        let message = format!("The inner structure must have at least one leaf. Got: {text}.");
        same("message", raised.message, message)?;
        return same("error", ours.err(), Some(Error::TooFewLeaves { expected: 1, found: 0 }));
    }
    let other = made.iter().find_map(|made| uncommon(&inner_tree, made, JAX));
    let other = other.ok_or("all inner trees have one structure")?;
    same("message", raised.message, other.optree_flatten_up_to())?;
    same("error", ours.err(), Some(Error::Mismatch { node: 0 }))
}

pub(super) fn parts(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    let modulus = integer(member(line, "mod")?)?;
    let fill = match member(line, "fill")? {
        Json::Null => Tree::None,
        fill => Tree::Leaf(integer(fill)?),
    };
    let tree = view(stated)?;
    let left = |leaf: &Option<i64>| leaf.is_some_and(|leaf| leaf % modulus == 0);
    let kept: Vec<bool> = stated.leaves.iter().map(left).collect();
    let spec = View::new(tree.treedef(), &kept).map_err(say)?;
    let mut halves = [vec![None; kept.len()], vec![None; kept.len()]];
    let [selected, others] = &mut halves;
    let count = partition(tree, spec, selected, others).map_err(say)?;
    same("leaves written", count, kept.len())?;
    for (name, half) in ["left", "right"].into_iter().zip(&halves) {
        let leaves = half.iter().map(|leaf| match leaf {
            Some(leaf) => leaf.map_or(Tree::None, Tree::Leaf),
            None => fill.clone(),
        });
        let ours = rebuild(tree.treedef(), leaves).map_err(say)?;
        same_tree(name, &ours, &read(member(expect, name)?)?)?;
        // With `None` as a node in place of what is missing.
        let marks: Vec<bool> = half.iter().map(|leaf| matches!(leaf, Some(Some(_)))).collect();
        let masked = written(&tree.treedef().masked(&marks))?;
        if let (Tree::None, masked) = (&fill, masked.treedef()) {
            same("masked", masked, state(&ours, false).map_err(say)?.treedef())?;
        }
    }
    let mut whole = vec![None; kept.len()];
    combine(&[&halves[1], &halves[0]], &mut whole).map_err(say)?;
    same("combined", whole, stated.leaves.iter().copied().map(Some).collect())
}
