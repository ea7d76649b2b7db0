//! Trees of trees turned inside out, by JAX and by optree.
//!
//! Both count leaves only. Where the numbers agree and the structures do not, they turn the tree all the same, and ours
//! names the first node that is another: the line differs.

use serde_json::Value as Json;

use super::messages::{JAX, Manner, OPTREE, differences};
use super::optree::{none_is_leaf, read};
use super::optree_messages::adapt;
use super::optree_relations::tree_leaf;
use super::optree_text::text;
use super::prefix::{PYTHON_EQUAL, STRICT, UNORDERED, about_keys, check_last, check_ours};
use super::rebuild::rebuild;
use super::support::algebra::{self, Relation};
use super::support::corpus::{Raised, Read, Tree, integer, member, read_answer, read_raised};
use super::support::decode::decode;
use super::support::harness::Outcome;
use super::support::library::{Model, Stated, state};
use super::{outcomes, same, same_tree, say, string, written};
use treedef::algebra::{combine, partition, transpose, transpose_map};
use treedef::dynamic::Flatten;
use treedef::{Error, TreeDef, View, flatten_up_to};

/// Why we say otherwise.
const DIFFERENT: Outcome = Outcome::Different("only the number of leaves agrees");

/// Why we turn what optree does not.
const EMPTY: Outcome = Outcome::Different("optree turns no tree without leaves");

#[test]
fn transpose_of_jax() {
    outcomes("transpose", |line| {
        let trees = ["outer", "tree"].map(|name| Tree::read(&line[name]));
        let [Ok(outer_tree), Ok(tree)] = trees else { return Err("no trees".into()) };
        let expect = member(line, "expect")?;
        if outer_tree.leaves().is_err() || tree.leaves().is_err() {
            let refused = [&outer_tree, &tree].map(|tree| state(tree, false).is_err());
            same("refused", refused, [&outer_tree, &tree].map(|tree| tree.leaves().is_err()))?;
            return Ok(if about_keys(expect) { Outcome::Passed } else { UNORDERED });
        }
        let (outer, stated) =
            (state(&outer_tree, false).map_err(say)?, state(&tree, false).map_err(say)?);
        let answer = match expect.get("error") {
            Some(raised) => Err(read_raised(raised)?),
            None => Ok(member(expect, "ok")?),
        };
        let (def, view) = (outer.treedef(), view(&stated)?);
        let inner = match member(line, "inner")? {
            Json::Null => {
                let found = differences(&outer_tree, &tree, JAX);
                let ours = differences(&outer_tree, &tree, STRICT);
                check_ours(&outer, &stated, &ours, false)?;
                if !found.is_empty() {
                    check_last(&found, answer.err())?;
                    return Ok(Outcome::Passed);
                }
                if !ours.is_empty() {
                    return Ok(Outcome::Different(PYTHON_EQUAL));
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
            inner => {
                let inner = Tree::read(inner)?;
                if inner.leaves().is_err() {
                    same("refused", state(&inner, false).is_err(), true)?;
                    return Ok(if about_keys(expect) { Outcome::Passed } else { UNORDERED });
                }
                state(&inner, false).map_err(say)?
            }
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
    let side = |name: &str| {
        let tree = read(member(line, name)?)?;
        match state(&tree, none_is_leaf) {
            Err(Error::Unordered { .. }) if tree.leaves().is_err() => Ok(None),
            stated => stated.map(Some).map_err(say),
        }
    };
    let sides = (side("outer")?, side("inner")?, side("tree")?);
    let (Some(outer), Some(inner), Some(tree)) = sides else { return Ok(UNORDERED) };
    let answer = read_answer(expect)?;
    if let Err(raised) = &answer
        && raised.message == "Tree structures must have at least one leaf."
    {
        // JAX turns such a tree, and so do we: of no leaves at all nothing has to be told.
        let (outer, inner, tree) = (outer.treedef(), inner.treedef(), view(&tree)?);
        same("no leaves", outer.num_leaves() * inner.num_leaves(), 0)?;
        let ours = transpose(outer, inner, tree, &mut []);
        if written(&outer.compose(inner))?.treedef() != tree.treedef() {
            same("mismatch", matches!(ours, Err(Error::Mismatch { .. })), true)?;
        } else if outer.num_leaves() == 0 && inner.num_leaves() > 0 {
            let expected = inner.num_leaves();
            same("error", ours.err(), Some(Error::TooFewLeaves { expected, found: 0 }))?;
            return Ok(Outcome::Passed);
        } else {
            let turned = written(&inner.compose(outer))?;
            same("turned", written(&ours.map_err(say)?)?.treedef(), turned.treedef())?;
        }
        return Ok(EMPTY);
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
    let reference = |def: TreeDef<'_>| decode(def.as_bytes()).map(|def| algebra::Tree::of(&def));
    let (expected, found) = (reference(composed.treedef())?, reference(tree.treedef())?);
    if let Some(node) = found.first_difference(&expected, Relation::Equal) {
        same("error", ours.err(), Some(Error::Mismatch { node }))?;
        let counts = expected.leaves().len() == found.leaves().len();
        return match answer {
            Ok(_) if counts => Ok(Some(Err(DIFFERENT))),
            Ok(_) => Err("turned all the same".into()),
            // Of no leaves nothing can be told where the inner structure has some.
            Err(raised) if counts && inner.num_leaves() > 0 && expected.leaves().is_empty() => {
                same("message", raised.message, too_few(inner))?;
                Ok(Some(Err(DIFFERENT)))
            }
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
            same("message", raised.message, too_few(inner))?;
            Ok(None)
        }
    }
}

/// What JAX says where there is no leaf for the inner structure.
fn too_few(inner: TreeDef<'_>) -> String {
    format!("Too few leaves for PyTreeDef; expected {}, got 0", inner.num_leaves())
}

/// What the corpus' functions make of a leaf; `None` where Python cannot reckon with a `None`.
fn mapped(name: &str, leaf: Option<i64>) -> Option<Tree> {
    use super::support::value::Value::Str;
    let dict = |items: Vec<(&str, Tree)>| {
        Tree::Dict(items.into_iter().map(|(key, tree)| (Str(key.into()), tree)).collect())
    };
    let own = tree_leaf(&leaf);
    let number = |number: fn(i64) -> i64| leaf.map(|x| Tree::Leaf(number(x)));
    Some(match name {
        "empty" => Tree::Tuple(Vec::new()),
        "nested" => {
            let inner = dict(vec![("a", own.clone())]);
            Tree::List(vec![own.clone(), inner, Tree::Tuple(vec![own])])
        }
        "pair" => Tree::Tuple(vec![own, number(|x| x + 100)?]),
        "dict" => dict(vec![("twice", number(|x| 2 * x)?), ("same", own)]),
        "parity_shape" if leaf? % 2 == 0 => Tree::Tuple(vec![own.clone(), own]),
        "parity_shape" => Tree::List(vec![own.clone(), own]),
        other => panic!("no function {other}"),
    })
}

pub(super) fn map(stated: &Stated, line: &Json, expect: &Json) -> Read<()> {
    let (name, none_is_leaf) = (string(member(line, "func")?)?, none_is_leaf(line)?);
    let manner = Manner { none_is_leaf, ..OPTREE };
    let answer = read_answer(expect)?;
    let few = |which: &str, def: TreeDef<'_>| {
        let text = text(def, none_is_leaf);
        format!("The {which} structure must have at least one leaf. Got: {text}.")
    };
    let tree = view(stated)?;
    if stated.leaves.is_empty() && line["inner"].is_null() {
        let raised = answer.err().ok_or("no error")?;
        return same("message", raised.message, few("outer", tree.treedef()));
    }
    let made = stated.leaves.iter().map(|leaf| mapped(&name, *leaf));
    let Some(made) = made.collect::<Option<Vec<_>>>() else {
        return same("error", answer.err().map(|raised| raised.class), Some("TypeError".into()));
    };
    let inner_tree = match member(line, "inner")? {
        Json::Null => made.first().ok_or("no leaf")?.clone(),
        inner => read(inner)?,
    };
    let inner = state(&inner_tree, none_is_leaf).map_err(say)?;
    let (def, room) = (inner.treedef(), stated.leaves.len() * inner.leaves.len());
    let (mut rows, mut turned) = (vec![Tree::None; room], vec![Tree::None; room]);
    let mut rest = made.iter();
    let ours = transpose_map(tree, def, &mut rows, &mut turned, |_, row| {
        // What is made can have trees where the inner structure has leaves, and dictionaries of other kinds.
        let made = adapt(&inner_tree, rest.next().unwrap(), manner);
        let stated = state(&made, none_is_leaf)?;
        if !none_is_leaf {
            let flat = Flatten::new().flatten_expected(Model(&made), def, &mut vec![0; row.len()]);
            assert_eq!(flat.is_ok(), stated.treedef() == def, "{made:?}");
        }
        let parts = flatten_up_to(def, View::new(stated.treedef(), &stated.leaves)?)?;
        for (slot, part) in row.iter_mut().zip(parts) {
            *slot = rebuild(part.treedef(), part.leaves().iter().map(tree_leaf))?;
        }
        Ok(())
    });
    let raised = match answer {
        Ok(theirs) => {
            let result = written(&ours.map_err(say)?)?;
            let turned = rebuild(result.treedef(), turned).map_err(say)?;
            return same_tree("turned", &turned, &read(theirs)?);
        }
        Err(raised) => raised,
    };
    if def.num_leaves() == 0 {
        same("message", raised.message, few("inner", def))?;
        return same("error", ours.err(), Some(Error::TooFewLeaves { expected: 1, found: 0 }));
    }
    let last = made.iter().find_map(|made| differences(&inner_tree, made, manner).pop());
    let last = last.ok_or("all inner trees have one structure")?;
    same("message", raised.message, last.optree_flatten_up_to())?;
    same("no prefix", matches!(ours, Err(Error::NotPrefix { .. })), true)
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
        let masked = written(&tree.treedef().leaves_to_none(&marks))?;
        if let (Tree::None, masked) = (&fill, masked.treedef()) {
            same("masked", masked, state(&ours, false).map_err(say)?.treedef())?;
        }
    }
    let mut whole = vec![None; kept.len()];
    combine(&[&halves[1], &halves[0]], &mut whole).map_err(say)?;
    same("combined", whole, stated.leaves.iter().copied().map(Some).collect())
}
