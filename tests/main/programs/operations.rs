//! Every operation, done with the library and with the model.

use treedef::algebra::{Change, broadcast_common, replace_nones, transpose};
use treedef::dynamic::Flatten;
use treedef::encode::{Level, structure_bound};
use treedef::head::DictKind;
use treedef::tree::Structure;
use treedef::{
    Arena, Error, Head, Kind, TreeDef, View, broadcast_prefix, head, matches, structure_into,
};

use super::questions;
use crate::bridge::with_heading;
use crate::reference_exhaustive::EACH_KIND;
use crate::support::algebra::{Relation, Tree};
use crate::support::def::Def;
use crate::support::node_of;

/// What a step does with two trees of the pool.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// Makes a node of trees.
    Node,
    /// Adds a child of the first.
    Child,
    Compose,
    Transform,
    NonesAsLeaves,
    LeavesToNone,
    /// Puts the second tree in the place of some nodes of the first.
    Replace,
    /// Puts leaves in the place of some nodes, so that the result is a prefix.
    Cut,
    CommonSuffix,
    Transpose,
    FlattenUpTo,
    /// Leaves selected by a prefix.
    Partition,
    Differences,
    /// Nodes, children and arrays.
    Nodes,
    Paths,
    /// Values rebuilt from leaves.
    Rebuild,
    /// Objects of which some count as leaves.
    IsLeaf,
    /// The structure written and compared by all encoders.
    Encode,
}

use Operation::*;

/// All operations; those that are here twice come more often.
pub(crate) const OPERATIONS: &[Operation] = &[
    Node,
    Node,
    Node,
    Child,
    Compose,
    Transform,
    NonesAsLeaves,
    LeavesToNone,
    Replace,
    Replace,
    Cut,
    Cut,
    CommonSuffix,
    Transpose,
    FlattenUpTo,
    Partition,
    Differences,
    Nodes,
    Paths,
    Rebuild,
    IsLeaf,
    Encode,
];

/// Does every operation with trees of which the first two are those that it takes, and compares the library with the
/// model.
pub(crate) fn compare(trees: &[&Tree], choice: u32) {
    let entries: Vec<_> =
        (0..).zip(trees).map(|(i, tree)| Entry::new(tree.numbered(i * 1_000_000))).collect();
    let (entries, mut choices) = (entries.iter().collect::<Vec<_>>(), Choices(choice));
    for operation in OPERATIONS {
        operation.run(&entries, &mut choices);
    }
}

impl Operation {
    /// Does the operation with the first two of some trees, compares the library with the model, and gives what the
    /// model makes.
    pub(super) fn run(self, trees: &[&Entry], choices: &mut Choices) -> Vec<Tree> {
        let (first, second, mut made) = (trees[0], trees[1], Vec::new());
        match self {
            Node => made.extend(make_node(trees, choices)),
            Child => made.extend(child(first, choices)),
            Compose => made.push(compose(first, second)),
            Transform => made.push(transform(first, second, choices.below(4))),
            NonesAsLeaves => made.push(nones_as_leaves(first)),
            LeavesToNone => {
                let kept: Vec<_> = first.leaves.iter().map(|_| choices.below(3) > 0).collect();
                made.push(leaves_to_none(first, &kept));
            }
            Replace => {
                replace::<0>(first, trees, choices);
                made.extend(replace::<1>(first, trees, choices));
                made.extend(replace::<2>(first, trees, choices));
                made.extend(replace::<3>(first, trees, choices));
            }
            Cut => made.extend(replace::<3>(first, &[&Entry::new(Tree::Leaf(9))], choices)),
            CommonSuffix => made.extend(common_suffix(first, second).into_iter().flatten()),
            Transpose => made.extend(transpose_twice(first, second)),
            FlattenUpTo => questions::flatten_up_to_agrees(first, second),
            Partition => questions::partition_agrees(first, second, choices),
            Differences => questions::differences_agree(first, second),
            Nodes => questions::nodes_agree(first),
            Paths => questions::paths_agree(first, choices),
            Rebuild => questions::rebuilt_agree(first),
            IsLeaf => made.push(is_leaf(first, choices)),
            Encode => questions::encoders_agree(first, second),
        }
        made
    }
}

/// A tree as the model has it, and as the library reads it.
pub(super) struct Entry {
    pub(super) tree: Tree,
    pub(super) bytes: Vec<u8>,
    pub(super) leaves: Vec<u32>,
}

impl Entry {
    pub(super) fn new(tree: Tree) -> Self {
        Self { bytes: tree.encode(), leaves: tree.leaves(), tree }
    }

    pub(super) fn def(&self) -> TreeDef<'_> {
        TreeDef::from_bytes(&self.bytes).unwrap()
    }

    pub(super) fn view(&self) -> View<'_, u32> {
        View::new(self.def(), &self.leaves).unwrap()
    }
}

/// Numbers that a step chooses, the same whenever it runs.
pub(super) struct Choices(pub(super) u32);

impl Choices {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end.max(1)
    }
}

/// Reads a treedef of any depth: a composition is as deep as both of its parts together.
pub(crate) fn read(bytes: &[u8]) -> TreeDef<'_> {
    TreeDef::from_bytes_with(bytes, &mut vec![Level::default(); 1000]).unwrap()
}

/// The bytes of a structure, written into exactly what its bound says.
pub(crate) fn write(structure: &impl Structure) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0xA5; structure_bound(structure)?];
    let def = structure_into(structure, &mut bytes)?;
    assert_eq!(structure.num_leaves(), Ok(def.num_leaves()));
    assert_eq!(matches(structure, def), Ok(()));
    let whole = read(def.as_bytes());
    assert_eq!((whole, whole.num_nodes()), (def, def.num_nodes()));
    let len = def.as_bytes().len();
    let room = len - 1;
    assert_eq!(structure_into(structure, &mut vec![0xA5; room]).err(), Some(Error::Full { room }));
    bytes.truncate(len);
    Ok(bytes)
}

/// Asserts that a structure is that of the model's tree.
fn same(structure: &impl Structure, tree: &Tree) {
    assert_eq!(write(structure), Ok(tree.encode()), "{tree:?}");
}

/// A node of any kind of some of the trees.
fn make_node(trees: &[&Entry], choices: &mut Choices) -> Option<Tree> {
    let (a, b) = (trees[0], trees[1]);
    let tuple = Def::Tuple([a, b].map(|entry| entry.tree.def()).into());
    assert_eq!(write(&(a.def(), b.def())), Ok(tuple.encode()));
    let list = Def::List([a, a, b].map(|entry| entry.tree.def()).into());
    assert_eq!(write(&[a.def(), a.def(), b.def()]), Ok(list.encode()));
    let none = Tree::none();
    let mut child = &none;
    let children = (0..choices.below(5)).map(|_| {
        // Every other child is a copy of the one before.
        if choices.below(2) == 0 || child.is_none() {
            child = &trees[choices.below(trees.len())].tree;
        }
        child.def()
    });
    let children = children.collect();
    let def = EACH_KIND[choices.below(EACH_KIND.len())](children)?;
    let encoded: Vec<_> = def.children().iter().map(Def::encode).collect();
    let children: Vec<_> =
        encoded.iter().map(|bytes| TreeDef::from_bytes(bytes).unwrap()).collect();
    let bytes = with_heading!(&def, heading => node_of(heading, &children)).unwrap();
    assert_eq!(bytes, def.encode());
    Some(Tree::of(&def))
}

/// One of the children.
fn child(entry: &Entry, choices: &mut Choices) -> Option<Tree> {
    let children: Vec<_> = entry.view().children().collect();
    assert_eq!(children.len(), entry.tree.children().len());
    let index = choices.below(children.len());
    let expected = entry.tree.children().get(index)?;
    let child = entry.view().child(index).unwrap();
    assert_eq!((child, Some(child.treedef())), (children[index], entry.def().child(index)));
    assert_eq!(child.treedef().as_bytes(), expected.encode());
    assert_eq!(child.leaves(), expected.leaves());
    Some(expected.clone())
}

/// The second tree in the place of each leaf.
fn compose(first: &Entry, second: &Entry) -> Tree {
    let (tree, inner) = (first.tree.compose(&second.tree), second.def());
    let change = |head: Head<'_>| match head.kind() {
        Kind::Leaf => Ok(Change::Subtree(inner)),
        _ => Ok(Change::Keep),
    };
    let composed = write(&first.def().compose(inner));
    assert_eq!(write(&first.def().transform(change)), composed);
    assert_eq!(composed, Ok(tree.encode()));
    tree
}

/// Lists become tuples and tuples lists, dicts ordered dicts, `None`s or pairs other trees.
fn transform(first: &Entry, second: &Entry, choice: usize) -> Tree {
    same(&first.def().transform(|_| Ok(Change::Keep)), &first.tree);
    let (mut room, other) = (vec![0; 1 << 14], second.def());
    let arena = Arena::new(&mut room);
    let change = |head: Head<'_>| {
        let count = head.num_children();
        Ok(match (choice, head.kind()) {
            (0, Kind::List) => Change::Head(arena.head(&head::Tuple(count))?),
            (0, Kind::Tuple) => Change::Head(arena.head(&head::List(count))?),
            (1, Kind::Dict) => {
                Change::Head(arena.head(&head::Dict::new(DictKind::Ordered, head.keys()))?)
            }
            (2, Kind::None) => Change::Subtree(other),
            (3, Kind::Tuple | Kind::List) if count == 2 => Change::Subtree(other),
            _ => Change::Keep,
        })
    };
    let tree = match choice {
        0 => first.tree.change_heads(&|head| match head {
            Def::List(children) => Def::Tuple(children.clone()),
            Def::Tuple(children) => Def::List(children.clone()),
            other => other.clone(),
        }),
        1 => first.tree.change_heads(&|head| match head.clone() {
            Def::Dict { keys, children } => Def::OrderedDict { keys, children },
            other => other,
        }),
        2 => first.tree.change(&mut |node, _| node.is_none().then(|| second.tree.clone())),
        _ => first.tree.change(&mut |node, _| {
            let Tree::Node(head, children) = node else { return None };
            let is_pair = matches!(**head, Def::Tuple(_) | Def::List(_)) && children.len() == 2;
            is_pair.then(|| second.tree.clone())
        }),
    };
    // The function has to answer the same each time, but heads need not lie at one place.
    same(&first.def().transform(change), &tree);
    tree
}

/// A leaf in the place of each `None`.
fn nones_as_leaves(entry: &Entry) -> Tree {
    let tree = entry.tree.change(&mut |node, _| node.is_none().then_some(Tree::Leaf(u32::MAX)));
    same(&entry.def().nones_as_leaves(), &tree);
    let mut leaves = vec![0; tree.leaves().len()];
    assert_eq!(replace_nones(entry.view(), &u32::MAX, &mut leaves), Ok(leaves.len()));
    assert_eq!(leaves, tree.leaves());
    tree
}

/// `None` in the place of the leaves that are not kept.
pub(super) fn leaves_to_none(entry: &Entry, kept: &[bool]) -> Tree {
    let tree = entry.tree.leaves_to_none(kept);
    same(&entry.def().leaves_to_none(kept), &tree);
    tree
}

/// Some of the trees in the place of `N` nodes, or the error that one of these is inside another.
fn replace<const N: usize>(entry: &Entry, trees: &[&Entry], choices: &mut Choices) -> Option<Tree> {
    let (def, paths) = (entry.def(), entry.tree.paths());
    let targets =
        [(); N].map(|()| (&paths[choices.below(paths.len())], trees[choices.below(trees.len())]));
    let found =
        targets.map(|(path, with)| (def.find_at(path.iter().copied()).unwrap(), with.view()));
    let replace = def.replace(found.map(|(found, with)| (found, with.treedef())));
    let targets = targets.map(|(path, with)| (path.clone(), with.tree.clone()));
    let Some(tree) = entry.tree.replace(&targets) else {
        let Err(Error::Overlap { node }) = replace else { panic!("no overlap: {targets:?}") };
        assert!(found.iter().any(|(found, _)| found.node() == node as usize), "{targets:?}");
        return None;
    };
    let replace = replace.unwrap();
    same(&replace, &tree);
    let (needed, mut bytes) = (tree.leaves().len(), vec![0; structure_bound(&replace).unwrap()]);
    let mut leaves = vec![0; needed];
    let view = entry.view().replace_into(found, &mut bytes, &mut leaves).unwrap();
    assert_eq!((view.treedef(), view.leaves()), (read(&tree.encode()), &*tree.leaves()));
    assert_eq!(matches(&replace, def).is_ok(), def == view.treedef());
    if let Some(room) = needed.checked_sub(1) {
        let short = entry.view().replace_into(found, &mut bytes, &mut leaves[..room]);
        assert_eq!(short, Err(Error::LeavesFull { needed, room }));
    }
    Some(tree)
}

/// The least upper bound of two trees, or the node that keeps them from having one.
fn common_suffix(first: &Entry, second: &Entry) -> Option<[Tree; 2]> {
    let structure = first.def().common_suffix(second.def());
    let node = first.tree.first_difference(&second.tree, Relation::Common);
    let Some((ours, theirs)) = first.tree.common_suffix(&second.tree) else {
        let node = node.unwrap();
        assert_eq!(write(&structure), Err(Error::NoCommonSuffix { node }));
        return None;
    };
    assert_eq!(node, None);
    same(&structure, &ours);
    let (views, bytes) = ((first.view(), second.view()), ours.encode());
    let (count, grown) = (ours.leaves().len(), (ours.leaves(), theirs.leaves()));
    let (mut one, mut two) = (vec![0; count], vec![0; count]);
    assert_eq!(broadcast_common(views.0, views.1, &mut one, &mut two), Ok(count));
    assert_eq!((&one, &two), (&grown.0, &grown.1));
    if let Some(room) = count.checked_sub(1) {
        let short = broadcast_common(views.0, views.1, &mut one[..room], &mut two);
        assert_eq!(short, Err(Error::LeavesFull { needed: count, room }));
    }
    for (view, grown) in [(views.0, grown.0), (views.1, grown.1)] {
        let mut leaves = vec![0; count];
        assert_eq!(broadcast_prefix(view, read(&bytes), &mut leaves), Ok(count));
        assert_eq!(leaves, grown);
    }
    Some([ours, theirs])
}

/// Larger compositions are not turned, which would take long.
const MOST_TURNED: usize = 2000;

/// A tree of trees turned inside out, and back again.
fn transpose_twice(outer: &Entry, inner: &Entry) -> Option<Tree> {
    if outer.leaves.len() * inner.tree.nodes() > MOST_TURNED {
        return None;
    }
    let both = Entry::new(outer.tree.compose(&inner.tree).numbered(0));
    let turned = Entry::new(transpose_once(outer, inner, &both)?);
    if let Some(back) = transpose_once(inner, outer, &turned) {
        assert_eq!(back, both.tree);
    }
    Some(turned.tree)
}

/// The leaves of a tree of trees, column by column.
fn transpose_once(outer: &Entry, inner: &Entry, both: &Entry) -> Option<Tree> {
    // A composition can have too many levels to be read.
    let view = View::new(TreeDef::from_bytes(&both.bytes).ok()?, &both.leaves).unwrap();
    let mut turned = vec![0; both.leaves.len()];
    let result = transpose(outer.def(), inner.def(), view, &mut turned);
    if outer.leaves.is_empty() && !inner.leaves.is_empty() {
        let expected = inner.leaves.len();
        assert_eq!(result.err(), Some(Error::TooFewLeaves { expected, found: 0 }));
        return None;
    }
    let tree = outer.tree.transpose(&inner.tree, &both.leaves);
    same(&result.unwrap(), &tree);
    assert_eq!(turned, tree.leaves());
    Some(tree)
}

/// What is left of an object where all nodes of a kind are leaves.
fn is_leaf(entry: &Entry, choices: &mut Choices) -> Tree {
    type IsKind = fn(&Def) -> bool;
    const KINDS: [(Kind, IsKind); 4] = [
        (Kind::Tuple, |head| matches!(head, Def::Tuple(_))),
        (Kind::List, |head| matches!(head, Def::List(_))),
        (Kind::Dict, |head| matches!(head, Def::Dict { .. })),
        (Kind::Custom, |head| matches!(head, Def::Custom { .. })),
    ];
    let ((kind, is_kind), nones) = (KINDS[choices.below(KINDS.len())], choices.below(2) == 0);
    let (mut bytes, mut leaves) = (
        vec![0xA5; Flatten::new().structure_bound(entry.view()).unwrap()],
        vec![entry.view(); entry.tree.nodes()],
    );
    let options = Flatten::new().is_leaf(|view: View<'_, u32>| view.kind() == kind);
    let written = match nones {
        true => options.none_is_leaf().flatten_into(entry.view(), &mut bytes, &mut leaves),
        false => options.flatten_into(entry.view(), &mut bytes, &mut leaves),
    };
    let (def, count) = written.unwrap();
    let is_leaf = |node: &Tree| match node {
        Tree::Leaf(_) => true,
        Tree::Node(head, _) => nones && node.is_none() || is_kind(head),
    };
    let (tree, parts) = entry.tree.cut(&is_leaf);
    assert_eq!((def.as_bytes(), count), (tree.encode().as_slice(), parts.len()));
    for (ours, part) in leaves.iter().zip(&parts) {
        assert_eq!(ours.treedef().as_bytes(), part.encode());
        assert_eq!(ours.leaves(), part.leaves());
    }
    tree
}
