//! Prefixes: parts of a tree by the leaves of a prefix, leaves repeated over them, and where a tree is no prefix.
//!
//! JAX's `flatten_up_to` walks from right to left and says what is wrong at the right-most place; ours names the first
//! place in preorder. So JAX's message is that of the last place, and ours has to be the first.

use serde_json::Value as Json;

use super::messages::{Contrast, Difference, JAX, Manner, by_treedef, differences, normal};
use super::support::corpus::{Raised, Read, Tree, each, integer, member, read_answer, read_raised};
use super::support::harness::Outcome;
use super::support::library::{Stated, state};
use super::{outcomes, same, say, string};
use treedef::diff::DifferenceKind;
use treedef::{Error, TreeDef, View, broadcast_prefix, flatten_up_to};

/// As this crate compares: a value of another type is another value.
pub(super) const STRICT: Manner = Manner { equal: |a, b| a == b, ..JAX };

/// Why we say otherwise than JAX where it compares values as Python does.
pub(super) const PYTHON_EQUAL: &str = "Python takes two types for one value";

#[test]
fn prefix() {
    outcomes("prefix", |line| {
        let (prefix, full) =
            (Tree::read(member(line, "prefix")?)?, Tree::read(member(line, "full")?)?);
        let expect = member(line, "expect")?;
        let (Ok(prefix_def), Ok(full_def)) = (state(&prefix, false), state(&full, false)) else {
            // Both refuse keys that do not compare, whichever of the trees has them.
            same("prefix", state(&prefix, false).is_err(), prefix.leaves().is_err())?;
            same("full", state(&full, false).is_err(), full.leaves().is_err())?;
            let names =
                ["flatten_up_to", "prefix_errors", "broadcast_prefix", "broadcast_by_treedef"];
            let refused = names.iter().all(|name| about_keys(&expect[name]));
            return Ok(if refused { Outcome::Passed } else { UNORDERED });
        };
        let (ours, theirs) =
            (differences(&prefix, &full, STRICT), differences(&prefix, &full, JAX));
        check_ours(&prefix_def, &full_def, &ours, false)?;
        check_theirs(&prefix, &full, &theirs, expect)?;
        if ours.is_empty() != theirs.is_empty() {
            return Ok(Outcome::Different(PYTHON_EQUAL));
        }
        if ours.is_empty() {
            check_parts(&prefix_def, &full_def, expect)?;
        }
        Ok(Outcome::Passed)
    });
}

/// Why we say nothing where Python finds another difference first, or does not look at the keys.
pub(super) const UNORDERED: Outcome =
    Outcome::Different("keys that do not compare have no order here");

/// Whether this is Python's answer to keys that it cannot compare.
pub(super) fn about_keys(answer: &Json) -> bool {
    let compared = |raised: &Raised| raised.message.starts_with("'<' not supported between");
    let sorting = "Comparator raised exception while sorting pytree dictionary keys.";
    let raised = answer.get("error").and_then(|error| read_raised(error).ok());
    raised.is_some_and(|raised| {
        let cause = raised.cause.as_deref();
        compared(&raised) || raised.message == sorting && cause.is_some_and(compared)
    })
}

/// All forms of the question answer as the differences say, and name the first of them.
pub(super) fn check_ours(
    prefix: &Stated,
    full: &Stated,
    found: &[Difference<'_>],
    none_is_leaf: bool,
) -> Read<()> {
    let (def, numbers) = (prefix.treedef(), &prefix.leaves);
    let own = View::new(def, numbers).map_err(say)?;
    let full = View::new(full.treedef(), &full.leaves).map_err(say)?;
    let mut leaves = vec![None; full.leaves().len()];
    let answers = [
        def.check_prefix_of(full.treedef()),
        flatten_up_to(def, full).map(drop),
        broadcast_prefix(own, full.treedef(), &mut leaves).map(drop),
    ];
    for answer in answers {
        let place = answer.err().map(|error| place(def, error)).transpose()?;
        same("the first place", place, found.first().map(Difference::keystr))?;
    }
    let told: Result<Vec<_>, _> = def.prefix_errors(full.treedef()).collect();
    let told = told.map_err(say)?;
    same("prefix errors", told.len(), found.len())?;
    for (told, found) in told.iter().zip(found) {
        same("place", told.path().to_string(), found.keystr())?;
        let kind = match found.contrast {
            Contrast::Types => DifferenceKind::Type,
            Contrast::Lengths => DifferenceKind::Length,
            Contrast::Children => DifferenceKind::Children,
            Contrast::Metadata => DifferenceKind::Metadata,
        };
        same("kind", python_kind(told), kind)?;
        let sides = [(told.expected(), found.prefix), (told.found(), found.full)];
        for (ours, theirs) in sides {
            let theirs = state(theirs, none_is_leaf).map_err(say)?;
            same("side", ours, theirs.treedef())?;
        }
    }
    Ok(())
}

/// What two nodes differ in for Python: the child keys of a custom node belong to its type there, and are its data
/// here.
pub(super) fn python_kind(difference: &treedef::diff::Difference<'_>) -> DifferenceKind {
    let keys = |def: TreeDef<'_>| -> Option<Vec<String>> {
        let keys = def.head().child_keys()?;
        Some(keys.map(|key| format!("{key:?}")).collect())
    };
    let sides = (keys(difference.expected()), keys(difference.found()));
    match (difference.kind(), sides) {
        (DifferenceKind::Children | DifferenceKind::Metadata, (Some(ours), Some(theirs)))
            if ours != theirs
                && difference.expected().head().type_name() != Some("collections.deque") =>
        {
            DifferenceKind::Type
        }
        (kind, _) => kind,
    }
}

/// Where an error says that a tree is no prefix.
fn place(prefix: TreeDef<'_>, error: Error) -> Read<String> {
    let Error::NotPrefix { node, .. } = error else { return Err(say(error)) };
    let path = prefix.node_path(node as usize).ok_or("no such node")?;
    Ok(path.to_string())
}

/// What was recorded is what the differences make.
fn check_theirs(prefix: &Tree, full: &Tree, found: &[Difference<'_>], expect: &Json) -> Read<()> {
    let texts = |name: &str| found.iter().map(|at| at.prefix_error(name)).collect::<Vec<_>>();
    let theirs = each(member(expect, "prefix_errors")?, read_raised)?;
    let theirs = theirs.iter().map(|raised| normal(&raised.message)).collect();
    same("prefix_errors", texts("in_axes"), theirs)?;
    let raised = |name: &str| read_answer(member(expect, name)?).map(Result::err);
    let theirs = raised("broadcast_prefix")?.map(|raised| normal(&raised.message));
    let first = texts("broadcast_prefix prefix_tree").into_iter().next();
    same("broadcast_prefix", first, theirs)?;
    check_last(found, raised("flatten_up_to")?)?;
    let theirs = raised("broadcast_by_treedef")?.map(|raised| raised.message);
    let (path, ours) = by_treedef(prefix, full).unzip();
    same("broadcast_by_treedef", ours, theirs)?;
    let first = found.first().map(Difference::path);
    let below = path.map(|path| first.as_ref().is_some_and(|first| path.starts_with(first)));
    same("the place is the first, or below it", below.unwrap_or(first.is_none()), true)
}

/// JAX's message is about the last of the differences.
pub(super) fn check_last(found: &[Difference<'_>], raised: Option<Raised>) -> Read<()> {
    let message = raised.map(|raised| raised.message);
    // A hint follows where the prefix has `None`.
    let message = message.as_ref().and_then(|text| text.split("\n\nIn previous releases").next());
    let ours = found.last().map(Difference::flatten_up_to);
    same("flatten_up_to", ours.as_deref().map(as_raised), message)
}

/// What is left of a message that C++ raises: it ends at the first NUL.
pub(super) fn as_raised(message: &str) -> &str {
    message.split('\0').next().unwrap_or_default()
}

/// The parts, and the leaves of the prefix repeated over them.
fn check_parts(prefix: &Stated, full: &Stated, expect: &Json) -> Read<()> {
    let own = View::new(prefix.treedef(), &prefix.leaves).map_err(say)?;
    let full = View::new(full.treedef(), &full.leaves).map_err(say)?;
    let theirs = each(member(member(expect, "flatten_up_to")?, "ok")?, |part| {
        let text = string(member(part, "treedef")?)?;
        let leaves = each(member(part, "leaves")?, |leaf| integer(leaf).map(Some))?;
        Ok((leaves, format!("PyTreeDef({text})")))
    })?;
    let ours = parts(own.treedef(), full)?;
    let ours = ours.iter().map(|part| (part.leaves().to_vec(), part.treedef().to_string()));
    same("flatten_up_to", ours.collect(), theirs)?;
    let mut leaves = vec![None; full.leaves().len()];
    let count = broadcast_prefix(own, full.treedef(), &mut leaves).map_err(say)?;
    same("leaves written", count, leaves.len())?;
    for name in ["broadcast_prefix", "broadcast_by_treedef"] {
        let theirs = each(member(member(expect, name)?, "ok")?, |leaf| integer(leaf).map(Some))?;
        same(name, &leaves, &theirs)?;
    }
    Ok(())
}

/// The parts of a tree by the leaves of a prefix.
pub(super) fn parts<'a, L: PartialEq + std::fmt::Debug>(
    prefix: TreeDef<'_>,
    full: View<'a, L>,
) -> Read<Vec<View<'a, L>>> {
    let parts = flatten_up_to(prefix, full).map_err(say)?;
    same("number of parts", parts.len(), prefix.num_leaves())?;
    Ok(parts.collect())
}
