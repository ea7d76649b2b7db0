//! Makes treedefs that are similar to another one, and trees of them.

use proptest::test_runner::TestCaseError;
use treedef::head::{Custom, Dict, DictKind, HeadSpec, List, Tuple, head_len};
use treedef::tree::{LeafTypes, TreeBuild, mixed};
use treedef::{Kind, TreeDef, Writer};

use super::observe::described;

/// The largest number of children that are replaced.
const MOST_CHILDREN: usize = 16;

/// The largest number of bytes that are changed from a place on.
const MOST_BYTES: usize = 64;

/// Returns treedefs that differ from this one: those of [`relatives`], and treedefs that differ in one bit.
pub(super) fn others(def: TreeDef<'_>) -> Vec<Vec<u8>> {
    let bytes = def.as_bytes();
    let mut others = relatives(def);
    // The first bytes have the heads that matter most. The last bytes of the first head are meta fields or keys.
    let (start, head) = (bytes.len().min(MOST_BYTES), def.head().as_bytes().len());
    for at in (0..start).chain(head.saturating_sub(MOST_BYTES).max(start)..head) {
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
/// fewer, the treedef [`shortened`], and the treedef with a leaf, `None` or the child shortened in the place of one of its
/// first children, except those that equal the treedef.
fn relatives(def: TreeDef<'_>) -> Vec<Vec<u8>> {
    let mut relatives = vec![TreeDef::LEAF.as_bytes().to_vec(), TreeDef::NONE.as_bytes().to_vec()];
    relatives.extend(group(&List(1), &[def]));
    let children: Vec<_> = def.children().collect();
    let with = |more| children.iter().copied().chain([more]).collect::<Vec<_>>();
    let mut groups = vec![children.clone(), with(TreeDef::NONE)];
    relatives.extend(shortened(def));
    if let Some((last, fewer)) = children.split_last() {
        groups.extend([fewer.to_vec(), with(*last)]);
    }
    for children in &groups {
        relatives.extend(group(&Tuple(children.len()), children));
        relatives.extend(group(&List(children.len()), children));
    }
    for found in (0..MOST_CHILDREN).map_while(|index| def.find_at([index])) {
        let fewer = shortened(found.treedef());
        let fewer = fewer.as_deref().and_then(|bytes| TreeDef::from_bytes(bytes).ok());
        for child in [TreeDef::LEAF, TreeDef::NONE].into_iter().chain(fewer) {
            let replaced = def.replace([(found, child)]);
            relatives.extend(replaced.ok().and_then(|other| described(&other).ok()));
        }
    }
    relatives.retain(|other| other != def.as_bytes());
    relatives
}

/// Returns the treedef without its last child, if it is a list, a dictionary or a custom node.
fn shortened(def: TreeDef<'_>) -> Option<Vec<u8>> {
    let (head, children) = (def.head(), def.children().collect::<Vec<_>>());
    let (_, fewer) = children.split_last()?;
    let count = fewer.len();
    let kind = match head.kind() {
        Kind::List => return group(&List(count), fewer),
        Kind::Custom => {
            let (name, aux) = (head.type_name()?, head.aux()?);
            return group(&Custom { name, aux, children: count, child_keys: None }, fewer);
        }
        Kind::Dict => DictKind::Sorted,
        Kind::OrderedDict => DictKind::Ordered,
        Kind::DefaultDict => DictKind::Default(head.factory()?),
        _ => return None,
    };
    group(&Dict::new(kind, head.keys().take(count)), fewer)
}

/// Returns trees of the type whose structure is one of [`others`], with that structure. Their leaves are those of `leaves`
/// again and again. Structures of many more leaves are left out.
pub(super) fn built<K, T>(
    def: TreeDef<'_>,
    leaves: &[K::Owned],
) -> impl Iterator<Item = (Vec<u8>, T)>
where
    K: LeafTypes<Owned: Clone>,
    T: TreeBuild<K>,
{
    others(def).into_iter().filter_map(|bytes| {
        let other = TreeDef::from_bytes(&bytes).ok()?;
        let count = other.num_leaves();
        if count > 2 * leaves.len() + 1 {
            return None;
        }
        let leaves: Vec<_> = leaves.iter().cycle().take(count).cloned().collect();
        let tree = mixed::unflatten_from::<K, T>(other, leaves).ok()?;
        Some((bytes, tree))
    })
}

/// Returns the children in a node with this head.
fn group(head: &impl HeadSpec, children: &[TreeDef<'_>]) -> Option<Vec<u8>> {
    let room = 2 * children.iter().map(|child| child.as_bytes().len()).sum::<usize>();
    let mut bytes = vec![0; head_len(head) + room];
    let mut out = Writer::new(&mut bytes);
    out.node(head, |out| children.iter().for_each(|child| out.subtree(*child)));
    out.finish().ok().map(|def| def.as_bytes().to_vec())
}

/// Encodes a list of treedefs.
pub(super) fn list(children: &[TreeDef<'_>]) -> Result<Vec<u8>, TestCaseError> {
    let listed = group(&List(children.len()), children);
    listed.ok_or_else(|| TestCaseError::fail("a treedef fits into a list"))
}
