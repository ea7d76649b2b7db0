//! Why a call missed: the known key that differs least, and where it differs.

use treedef::cache::Part;
use treedef::diff::{Difference, DifferenceKind};
use treedef::{CallKey, TreeDef};

/// Lines of an explanation at most, one for each array that changed.
const LINES: usize = 4;

/// The structure of a key, which is its first part.
fn structure(key: CallKey<'_>) -> TreeDef<'_> {
    match key.parts().next() {
        Some(Part::TreeDef(def)) => def,
        _ => TreeDef::NONE,
    }
}

/// The known key that differs least from `key` and is not `key`, if there is one of the same model.
pub fn nearest<'k>(
    known: impl Iterator<Item = CallKey<'k>>,
    key: CallKey<'k>,
) -> Option<CallKey<'k>> {
    known
        .filter(|known| *known != key)
        .filter_map(|known| Some((distance(known, key)?, known)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// How much two keys differ; `None` if they are of two models, whose gradients are of different types.
fn distance(old: CallKey<'_>, new: CallKey<'_>) -> Option<usize> {
    let defs = (structure(old), structure(new));
    let first = defs.0.child(1)?.differences(defs.1.child(1)?).next().and_then(Result::ok);
    if first.is_some_and(|first| {
        first.kind() == DifferenceKind::Type && first.path().entries().next().is_none()
    }) {
        return None;
    }
    let parts = old.differences(new).map(|part| match part.expected().or(part.found()) {
        Some(Part::TreeDef(_)) => defs.0.differences(defs.1).deep().flatten().map(weight).sum(),
        // Of another structure, arrays do not correspond.
        Some(Part::Array(_)) => usize::from(defs.0 == defs.1),
        _ => 1,
    });
    Some(parts.sum())
}

/// How much a difference is: one, and the leaves that only one of the two structures has there.
fn weight(difference: Difference<'_>) -> usize {
    let (old, new) = (difference.expected().num_leaves(), difference.found().num_leaves());
    1 + match difference.kind() {
        DifferenceKind::Type => old.max(new),
        _ => old.abs_diff(new),
    }
}

/// What changed from one key to another, by the roles that their parts have here: the structure or the arrays, by the
/// paths of their leaves, and the static argument.
pub fn explain<'k>(old: CallKey<'k>, new: CallKey<'k>) -> String {
    let def = structure(new);
    let same_structure = structure(old) == def;
    let mut lines = vec![];
    for part in old.differences(new) {
        match (part.expected(), part.found()) {
            (Some(Part::TreeDef(old)), Some(Part::TreeDef(new))) => {
                lines.push(format!("structure: {}", old.differences(new).summary()));
            }
            (Some(Part::Array(old)), Some(Part::Array(new))) if same_structure => {
                // The arrays follow the structure, one for each leaf.
                let path = def.path(part.index() - 1).map(|path| path.keystr().to_string());
                lines.push(format!("at {}: {old} became {new}", path.unwrap_or_default()));
            }
            (Some(Part::Value(old)), Some(Part::Value(new))) => {
                lines.push(format!("static argument: {old} became {new}"));
            }
            _ => {}
        }
    }
    if lines.len() > LINES {
        let more = lines.split_off(LINES).len();
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}
