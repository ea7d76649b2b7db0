//! Makes treedefs that are similar to another one, and trees of them.

use proptest::test_runner::TestCaseError;
use treedef::tree::{TreeBuild, unflatten_from};
use treedef::{Kind, Leaf, TreeDef, Writer};

use super::observe::described;
use super::report::done;

/// The largest number of children that are replaced.
const MOST_CHILDREN: usize = 16;

/// Returns treedefs that differ from this one: those of [`relatives`], and treedefs that differ in one bit.
pub(super) fn others(def: TreeDef<'_>) -> Vec<Vec<u8>> {
    let bytes = def.as_bytes();
    let mut others = relatives(def);
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

/// Returns a leaf, `None`, the treedef in a list, its children in a tuple and in a list, also with one more child or one
/// fewer, and the treedef with a leaf or `None` in the place of one of its first children, except those that equal the
/// treedef.
fn relatives(def: TreeDef<'_>) -> Vec<Vec<u8>> {
    let mut relatives = vec![TreeDef::LEAF.as_bytes().to_vec(), TreeDef::NONE.as_bytes().to_vec()];
    relatives.extend(list(def, 1));
    let children: Vec<_> = def.children().collect();
    let with = |more| children.iter().copied().chain([more]).collect::<Vec<_>>();
    let mut groups = vec![children.clone(), with(TreeDef::NONE)];
    if let Some((last, fewer)) = children.split_last() {
        groups.extend([fewer.to_vec(), with(*last)]);
    }
    for children in &groups {
        relatives
            .extend([Kind::Tuple, Kind::List].iter().filter_map(|kind| group(*kind, children)));
    }
    for found in (0..MOST_CHILDREN).map_while(|index| def.find_at([index])) {
        let replaced = [TreeDef::LEAF, TreeDef::NONE].map(|child| def.replace([(found, child)]));
        relatives.extend(replaced.iter().flatten().filter_map(|other| described(other).ok()));
    }
    relatives.retain(|other| other != def.as_bytes());
    relatives
}

/// Returns trees of the type whose structure is one of [`relatives`]. Their leaves are those of `leaves` again and again.
pub(super) fn built<L, T>(def: TreeDef<'_>, leaves: &[L]) -> Vec<T>
where
    L: Leaf + Clone,
    T: TreeBuild<L>,
{
    let tree = |bytes: Vec<u8>| {
        let def = TreeDef::from_bytes(&bytes).ok()?;
        let leaves = leaves.iter().cycle().take(def.num_leaves()).cloned();
        unflatten_from(def, leaves).ok()
    };
    relatives(def).into_iter().filter_map(tree).collect()
}

/// Returns the children in a tuple or a list.
fn group(kind: Kind, children: &[TreeDef<'_>]) -> Option<Vec<u8>> {
    let mut bytes =
        vec![0; 16 + 2 * children.iter().map(|child| child.as_bytes().len()).sum::<usize>()];
    let mut out = Writer::new(&mut bytes);
    let node = match kind {
        Kind::List => out.begin_list(children.len()),
        _ => out.begin_tuple(children.len()),
    };
    children.iter().for_each(|child| out.subtree(*child));
    out.end(node);
    out.finish().ok().map(|def| def.as_bytes().to_vec())
}

/// Encodes a list of `count` copies of `def`.
pub(super) fn list(def: TreeDef<'_>, count: usize) -> Result<Vec<u8>, TestCaseError> {
    let mut bytes = vec![0; 16 + 2 * def.as_bytes().len()];
    let mut out = Writer::new(&mut bytes);
    let node = out.begin_list(count);
    (0..count).for_each(|_| out.subtree(def));
    out.end(node);
    let written = out.finish().map(|def| def.as_bytes().to_vec());
    done("a treedef fits into a list", "Writer", written)
}
