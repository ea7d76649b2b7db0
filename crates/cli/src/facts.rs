//! What is said below a tree: of a model its tensors, of a treedef its bytes and fingerprints.

use std::collections::{BTreeMap, HashSet};
use std::iter;

use crate::leaf::{Leaf, Type};
use crate::model::Sizes;
use crate::source::TreeOf;
use crate::style::{bytes, grouped, percent};

/// A name and a text.
pub(crate) type Fact = (&'static str, String);

/// Returns what the owner of a model wants to know: the number of tensors, the largest, and the dtypes. Nothing if the file has
/// only a structure.
pub(crate) fn of_model(part: &TreeOf) -> Vec<Fact> {
    let Some(leaves) = part.leaves.as_deref().filter(|leaves| !leaves.is_empty()) else {
        return Vec::new();
    };
    let mut dtypes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut kinds: HashSet<&Type> = HashSet::new();
    for leaf in leaves {
        *dtypes.entry(&leaf.kind.dtype).or_default() += 1;
        kinds.insert(&leaf.kind);
    }
    let are_tensors = leaves.iter().all(|leaf| leaf.kind.shape.is_some());
    let name = if are_tensors { "tensors" } else { "leaves" };
    let s = if kinds.len() == 1 { "" } else { "s" };
    let types = format!(", of {} type{s}", grouped(kinds.len() as u64));
    let mut dtypes: Vec<_> = dtypes.into_iter().collect();
    dtypes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let dtypes: Vec<_> =
        dtypes.iter().map(|(dtype, count)| format!("{} × {dtype}", grouped(*count))).collect();
    let largest = largest(part, leaves).map(|text| ("largest", text));
    let counts = [(name, grouped(leaves.len() as u64) + &types)].into_iter();
    counts.chain(largest).chain([("dtypes", dtypes.join(", "))]).collect()
}

/// Describes the first of the leaves with the most bytes, or with the most elements if no bytes are known.
fn largest(part: &TreeOf, leaves: &[Leaf]) -> Option<String> {
    let size = |leaf: &Leaf| (leaf.kind.bytes(), leaf.kind.elements());
    let most = leaves.iter().map(size).max().filter(|(_, elements)| elements.is_some())?;
    let at = leaves.iter().position(|leaf| size(leaf) == most)?;
    let sum = part.sizes().0;
    let (amount, share) = match most {
        (Some(most), _) => (bytes(most), percent(most, sum.bytes)),
        (None, elements) => {
            let elements = elements.unwrap_or(0);
            (format!("{} parameters", grouped(elements)), percent(elements, sum.parameters))
        }
    };
    let also = leaves.iter().filter(|leaf| size(leaf) == most).count() as u64 - 1;
    let also = if also > 0 { format!(", and {} as large", grouped(also)) } else { String::new() };
    Some(format!("{amount}  {share}  {}  {}{also}", part.name(at)?, leaves[at].kind))
}

/// Returns what is known of the treedef: the counts of its nodes, its bytes, and its fingerprints.
pub(crate) fn of_treedef(part: &TreeOf, sizes: Sizes) -> Vec<Fact> {
    let levels = if sizes.depth == 1 { "level" } else { "levels" };
    let nodes = if sizes.nodes == 1 { "node" } else { "nodes" };
    let counts = format!(
        "{} of {} {nodes}, {} {levels} deep",
        grouped(sizes.leaves),
        grouped(sizes.nodes),
        sizes.depth
    );
    let len = part.def.as_treedef().as_bytes().len() as u64;
    let plain = match sizes.plain == len {
        true => String::new(),
        false => format!(", {} with repeats written out", grouped(sizes.plain)),
    };
    let of_def = format!("{:016x} of the structure", part.def.as_treedef().fingerprint());
    let typed = part.call_key().map(|print| format!("{print:016x} of structure and types"));
    let prints = iter::once(of_def).chain(typed).map(|print| ("fingerprint", print));
    let texts = [("leaves", counts), ("treedef", format!("{} bytes{plain}", grouped(len)))];
    texts.into_iter().chain(prints).collect()
}
