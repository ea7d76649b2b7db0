//! Makes treedefs that are similar to another one.

use alloc::vec;
use alloc::vec::Vec;

use ::proptest::test_runner::TestCaseError;

use super::report::done;
use crate::encode::builder::Builder;
use crate::format::head::Kind;
use crate::treedef::treedef::TreeDef;

/// Returns treedefs that differ from this one: a leaf, `None`, the treedef in a list, its children in other nodes or
/// with one more child, and treedefs that differ in one bit.
pub(super) fn others(def: TreeDef<'_>) -> Vec<Vec<u8>> {
    let bytes = def.as_bytes();
    let mut others = vec![TreeDef::LEAF.as_bytes().to_vec(), vec![0xC0]];
    others.extend(list(def, 1));
    let groups = [(Kind::Tuple, 0), (Kind::List, 0), (Kind::Tuple, 1), (Kind::List, 1)];
    others.extend(groups.iter().filter_map(|(kind, more)| regrouped(def, *kind, *more)));
    // The first bytes have the heads that matter most.
    for at in 0..bytes.len().min(64) {
        for bit in 0..8 {
            let mut other = bytes.to_vec();
            other.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            others.push(other);
        }
    }
    others.retain(|other| other != bytes && TreeDef::from_bytes(other).is_ok());
    others
}

/// Returns the children in a tuple or list, with `more` copies of `None` after them, which do not change the number of
/// leaves.
fn regrouped(def: TreeDef<'_>, kind: Kind, more: usize) -> Option<Vec<u8>> {
    let count = def.num_children() + more;
    let mut bytes = vec![0; 16 + 2 * def.as_bytes().len()];
    let mut builder = Builder::new(&mut bytes);
    let frame = match kind {
        Kind::List => builder.begin_list(count),
        _ => builder.begin_tuple(count),
    };
    let frame = frame.ok()?;
    def.children().try_for_each(|child| builder.subtree(child)).ok()?;
    (0..more).try_for_each(|_| builder.none()).and_then(|()| builder.end(frame)).ok()?;
    builder.finish().ok().map(|def| def.as_bytes().to_vec())
}

/// Encodes a list of `count` copies of `def`.
pub(super) fn list(def: TreeDef<'_>, count: usize) -> Result<Vec<u8>, TestCaseError> {
    let mut bytes = vec![0; 16 + 2 * def.as_bytes().len()];
    let mut builder = Builder::new(&mut bytes);
    let built = builder.begin_list(count).and_then(|frame| {
        (0..count).try_for_each(|_| builder.subtree(def))?;
        builder.end(frame)
    });
    let built = built.and_then(|()| builder.finish()).map(|def| def.as_bytes().to_vec());
    done("a treedef fits into a list", "Builder", built)
}
