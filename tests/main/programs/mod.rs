//! Random programs of operations on treedefs and views, beside the same operations on trees of vectors.
//!
//! A program works on a pool of trees. Each step takes trees from it, does one operation with the library and with the
//! model, compares both, and may add the result to the pool. A program that fails is made as short as it goes on
//! failing. `PROPTEST_CASES` says how many programs run.

mod model;
mod questions;

use std::fmt;

use proptest::prelude::*;
use treedef::algebra::{Change, broadcast_common, replace_nones, transpose};
use treedef::dynamic::Flatten;
use treedef::encode::structure_bound;
use treedef::head::DictKind;
use treedef::tree::Structure;
use treedef::{Arena, Error, Head, Kind, TreeDef, View, head, matches, structure_into};

use crate::bridge::with_heading;
use crate::reference_exhaustive::EACH_KIND;
use crate::support::def::Def;
use crate::support::node_of;
use model::{Relation, Tree};

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

/// One step of a program: what it does, with which trees, counted from the last one, and a number for all other
/// choices.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) operation: Operation,
    pub(crate) trees: [usize; 2],
    pub(crate) choice: u32,
}

/// On one line.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, trees: [first, second], choice } = self;
        write!(f, "{operation:?} of the trees {first} and {second} from the end, by {choice}")
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let tree = || prop_oneof![3 => 0usize..4, 1 => 0usize..40];
    let step = (prop::sample::select(OPERATIONS), tree(), tree(), any::<u32>());
    let step = step.prop_map(|(operation, first, second, choice)| Step {
        operation,
        trees: [first, second],
        choice,
    });
    prop::collection::vec(step, 0..100)
}

/// Larger results are not added to the pool.
const MOST_NODES: u64 = 300;
const MOST_LEVELS: usize = 40;

/// A tree as the model has it, and as the library wrote it.
#[derive(Clone)]
struct Entry {
    tree: Tree,
    bytes: Vec<u8>,
    leaves: Vec<u32>,
}

impl Entry {
    fn def(&self) -> TreeDef<'_> {
        TreeDef::from_bytes(&self.bytes).unwrap()
    }

    fn view(&self) -> View<'_, u32> {
        View::new(self.def(), &self.leaves).unwrap()
    }
}

/// Numbers that a step chooses, the same whenever it runs.
struct Choices(u32);

impl Choices {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end.max(1)
    }
}

/// The bytes of a structure, written into what its bound says.
fn write(structure: &impl Structure) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0xA5; structure_bound(structure)?];
    let def = structure_into(structure, &mut bytes)?;
    assert_eq!(structure.num_leaves(), Ok(def.num_leaves()));
    assert_eq!(matches(structure, def), Ok(()));
    let len = def.as_bytes().len();
    bytes.truncate(len);
    Ok(bytes)
}

/// The pool of a program that runs.
pub(crate) struct Program {
    pool: Vec<Entry>,
    /// The next leaf that is not in the pool.
    fresh: u32,
}

impl Program {
    pub(crate) fn new() -> Self {
        let leaf = Entry { tree: Tree::Leaf(0), bytes: vec![0x00], leaves: vec![0] };
        let none = Entry { tree: Tree::NONE, bytes: vec![0xC0], leaves: Vec::new() };
        Self { pool: vec![none, leaf], fresh: 1 }
    }

    /// Compares a result with that of the model, and adds it to the pool.
    fn add(&mut self, tree: Tree, bytes: Vec<u8>, leaves: Vec<u32>) {
        assert_eq!((&bytes, &leaves), (&tree.def().encode(), &tree.leaves()), "{tree:?}");
        let levels = tree.paths().iter().map(Vec::len).max().unwrap();
        if tree.def().nodes() <= MOST_NODES && levels <= MOST_LEVELS {
            self.pool.push(Entry { tree, bytes, leaves });
        }
    }

    /// Adds a structure whose leaves are counted on from those that are there.
    fn add_structure(&mut self, tree: &Tree, bytes: Vec<u8>) {
        let first = self.fresh;
        self.fresh += tree.leaves().len() as u32;
        let mut leaves = first..self.fresh;
        let tree = tree.map(&mut |_| Tree::Leaf(leaves.next().unwrap()));
        self.add(tree, bytes, (first..self.fresh).collect());
    }

    pub(crate) fn run(&mut self, step: &Step) {
        let [first, second] =
            step.trees.map(|back| self.pool[self.pool.len() - 1 - back % self.pool.len()].clone());
        let mut choices = Choices(step.choice);
        let (tree, other) = (&first.tree, &second.tree);
        match step.operation {
            Node => self.make_node(&mut choices),
            Child => {
                let children: Vec<_> = first.view().children().collect();
                assert_eq!(children.len(), tree.children().len());
                if let Some(index) =
                    children.len().checked_sub(1).map(|last| choices.below(last + 1))
                {
                    let child = first.view().child(index).unwrap();
                    assert_eq!(
                        (child, Some(child.treedef())),
                        (children[index], first.def().child(index))
                    );
                    let (bytes, leaves) = (child.treedef().as_bytes(), child.leaves());
                    self.add(tree.children()[index].clone(), bytes.to_vec(), leaves.to_vec());
                }
            }
            Compose if tree.leaves().len() * other.paths().len() < 1000 => {
                let bytes = write(&first.def().compose(second.def())).unwrap();
                self.add_structure(&tree.compose(other), bytes);
            }
            Compose => {}
            Transform => self.transform(&first, &second, choices.below(4)),
            NonesAsLeaves => {
                let bytes = write(&first.def().nones_as_leaves()).unwrap();
                let mut leaves = vec![0; first.def().nones_as_leaves().num_leaves().unwrap()];
                replace_nones(first.view(), &7, &mut leaves).unwrap();
                let filled = tree.change(&mut |node, _| node.is_none().then_some(Tree::Leaf(7)));
                self.add(filled, bytes, leaves);
            }
            LeavesToNone => {
                let kept: Vec<_> = first.leaves.iter().map(|_| choices.below(3) > 0).collect();
                let bytes = write(&first.def().leaves_to_none(&kept)).unwrap();
                let mut marks = kept.iter();
                let masked = tree.map(&mut |leaf| {
                    if *marks.next().unwrap() { Tree::Leaf(leaf) } else { Tree::NONE }
                });
                let leaves = first.leaves.iter().zip(&kept).filter(|(_, kept)| **kept);
                self.add(masked, bytes, leaves.map(|(leaf, _)| *leaf).collect());
            }
            Replace => self.replace(&first, [&second; 2], &mut choices),
            Cut => {
                let leaf = Entry { tree: Tree::Leaf(9), bytes: vec![0x00], leaves: vec![9] };
                self.replace(&first, [&leaf; 3], &mut choices);
            }
            CommonSuffix => self.common_suffix(&first, &second),
            Transpose if tree.leaves().len() * other.paths().len() < 1000 => {
                self.transpose(&first, &second)
            }
            Transpose => {}
            FlattenUpTo => questions::flatten_up_to_agrees(&first, &second),
            Partition => questions::partition_agrees(&first, &second, &mut choices),
            Differences => questions::differences_agree(&first, &second),
            Nodes => questions::nodes_agree(&first),
            Paths => questions::paths_agree(&first, &mut choices),
            Rebuild => questions::rebuilt_agree(&first),
            IsLeaf => self.is_leaf(&first, &mut choices),
            Encode => questions::encoders_agree(&first, &second),
        }
    }

    /// A node of any kind of trees from the pool.
    fn make_node(&mut self, choices: &mut Choices) {
        let count = choices.below(5);
        let mut child = Tree::NONE;
        let children = (0..count).map(|_| {
            // Every other child is a copy of the one before.
            if choices.below(2) == 0 || child.is_none() {
                child = self.pool[self.pool.len() - 1 - choices.below(self.pool.len().min(6))]
                    .tree
                    .clone();
            }
            child.def()
        });
        let children = children.collect();
        let Some(def) = EACH_KIND[choices.below(EACH_KIND.len())](children) else { return };
        let encoded: Vec<_> = def.children().iter().map(Def::encode).collect();
        let children: Vec<_> =
            encoded.iter().map(|bytes| TreeDef::from_bytes(bytes).unwrap()).collect();
        let bytes = with_heading!(&def, heading => node_of(heading, &children)).unwrap();
        self.add_structure(&Tree::unflatten(&def, &mut std::iter::repeat(0)), bytes);
    }

    /// Lists become tuples and tuples lists, dicts ordered dicts, `None`s or pairs other trees.
    fn transform(&mut self, first: &Entry, second: &Entry, choice: usize) {
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
        // The function has to answer the same each time, but heads need not lie at one place.
        let bytes = write(&first.def().transform(change)).unwrap();
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
            _ => first.tree.change(&mut |node, _| match node {
                Tree::Node(Def::Tuple(children) | Def::List(children), _)
                    if children.len() == 2 =>
                {
                    Some(second.tree.clone())
                }
                _ => None,
            }),
        };
        self.add_structure(&tree, bytes);
    }

    /// Other trees in the place of nodes, or the error that one of them is inside another.
    fn replace<const N: usize>(&mut self, entry: &Entry, with: [&Entry; N], choices: &mut Choices) {
        let paths = entry.tree.paths();
        let targets = with.map(|with| (paths[choices.below(paths.len())].clone(), with));
        let def = entry.def();
        let found = targets.clone().map(|(path, with)| (def.find_at(path).unwrap(), with.view()));
        let structure = def.replace(found.map(|(found, with)| (found, with.treedef())));
        let targets = targets.map(|(path, with)| (path, with.tree.clone()));
        let Some(tree) = entry.tree.replace(&targets) else {
            assert!(matches!(structure, Err(Error::Overlap { .. })), "{targets:?}");
            return;
        };
        let bytes = write(structure.as_ref().unwrap()).unwrap();
        let (mut room, mut leaves) = (
            vec![0; structure_bound(structure.as_ref().unwrap()).unwrap()],
            vec![0; tree.leaves().len()],
        );
        let view = entry.view().replace_into(found, &mut room, &mut leaves);
        let view = view.unwrap();
        assert_eq!(view.treedef().as_bytes(), bytes);
        let leaves = view.leaves().to_vec();
        self.add(tree, bytes, leaves);
    }

    /// The least upper bound of two trees, or the node that keeps them from having one.
    fn common_suffix(&mut self, first: &Entry, second: &Entry) {
        let structure = write(&first.def().common_suffix(second.def()));
        let places = first.tree.differences(&second.tree, Relation::Common);
        let Some((ours, theirs)) = first.tree.common_suffix(&second.tree) else {
            let node = first.tree.index_of(&places[0]);
            assert_eq!(structure, Err(Error::NoCommonSuffix { node }));
            return;
        };
        assert!(places.is_empty());
        let bytes = structure.unwrap();
        let mut leaves = [ours.leaves(), theirs.leaves()].map(|leaves| vec![0; leaves.len()]);
        let [one, two] = &mut leaves;
        broadcast_common(first.view(), second.view(), one, two).unwrap();
        let [one, two] = leaves;
        self.add(ours, bytes.clone(), one);
        self.add(theirs, bytes, two);
    }

    /// The leaves of a tree of trees, column by column.
    fn transpose(&mut self, outer: &Entry, inner: &Entry) {
        let both = write(&outer.def().compose(inner.def())).unwrap();
        let def = TreeDef::from_bytes(&both).unwrap();
        let leaves: Vec<u32> = (self.fresh..).take(def.num_leaves()).collect();
        let view = View::new(def, &leaves).unwrap();
        let mut turned = vec![0; leaves.len()];
        let result = transpose(outer.def(), inner.def(), view, &mut turned);
        if outer.leaves.is_empty() && !inner.leaves.is_empty() {
            assert!(matches!(result, Err(Error::TooFewLeaves { .. })), "{result:?}");
            return;
        }
        let bytes = write(&result.unwrap()).unwrap();
        self.add(outer.tree.transpose(&inner.tree, &leaves), bytes, turned);
    }

    /// What is left of an object where all nodes of a kind are leaves.
    fn is_leaf(&mut self, entry: &Entry, choices: &mut Choices) {
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
            vec![entry.view(); entry.tree.paths().len()],
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
        assert_eq!(count, parts.len());
        for (ours, part) in leaves.iter().zip(&parts) {
            assert_eq!(ours.treedef().as_bytes(), part.def().encode());
            assert_eq!(ours.leaves(), part.leaves());
        }
        let bytes = def.as_bytes().to_vec();
        self.add_structure(&tree, bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_do_with_treedefs_what_they_do_with_trees_of_vectors(steps in steps()) {
        let mut program = Program::new();
        for step in &steps {
            program.run(step);
        }
    }
}
