//! Trees with their leaves, with each operation as it is defined: by recursion, with copies, however slow.

use super::def::Def;
use std::rc::Rc;

/// A tree with its leaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A leaf.
    Leaf(u32),
    /// A node: what it is, with leaves for children, and its children. `None` is one without children.
    Node(Rc<Def>, Vec<Tree>),
}

/// The indices of the children on the way to a node.
pub type Path = Vec<usize>;

/// Which places are differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// All where two nodes are not the same.
    Equal,
    /// Those where the first tree has no leaf.
    Prefix,
    /// Those where neither tree has a leaf.
    Common,
}

use Tree::{Leaf, Node};

impl Tree {
    /// `None`, which has no leaves.
    pub fn none() -> Self {
        Self::of(&Def::None)
    }

    /// A tree of this structure, all leaves of which are 0.
    pub fn of(def: &Def) -> Self {
        match def {
            Def::Leaf => Leaf(0),
            _ => Self::node(def.clone(), def.children().iter().map(Self::of).collect()),
        }
    }

    /// A node of the kind of `def` with these children.
    pub fn node(def: Def, children: Vec<Self>) -> Self {
        Node(Rc::new(def.with_children(vec![Def::Leaf; children.len()])), children)
    }

    /// The tree with its leaves counted from `first`.
    pub fn numbered(&self, first: u32) -> Self {
        let mut leaves = first..;
        self.map(&mut |_| Leaf(leaves.next().unwrap()))
    }

    /// The structure.
    pub fn def(&self) -> Def {
        match self {
            Leaf(_) => Def::Leaf,
            Node(head, children) => {
                let children = children.iter().map(Self::def).collect();
                Def::clone(head).with_children(children)
            }
        }
    }

    /// The bytes of the structure.
    pub fn encode(&self) -> Vec<u8> {
        self.def().encode()
    }

    /// The leaves, in order.
    pub fn leaves(&self) -> Vec<u32> {
        match self {
            Leaf(leaf) => vec![*leaf],
            Node(_, children) => children.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// The children, from left to right.
    pub fn children(&self) -> &[Self] {
        match self {
            Leaf(_) => &[],
            Node(_, children) => children,
        }
    }

    /// How many nodes it has, leaves and itself included.
    pub fn nodes(&self) -> usize {
        1 + self.children().iter().map(Self::nodes).sum::<usize>()
    }

    /// Whether it is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Leaf(_))
    }

    /// Whether it is `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Node(head, _) if **head == Def::None)
    }

    /// The paths of all nodes, in preorder.
    pub fn paths(&self) -> Vec<Path> {
        let below = self.children().iter().enumerate();
        let below = below.flat_map(|(index, child)| {
            child.paths().into_iter().map(move |path| [vec![index], path].concat())
        });
        std::iter::once(Vec::new()).chain(below).collect()
    }

    /// The node at the end of a path.
    pub fn at(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, index| tree.children().get(*index))
    }

    /// The numbers of nodes and of leaves before the node at the end of a path, in preorder.
    pub fn before(&self, path: &[usize]) -> (usize, usize) {
        let Some((child, rest)) = path.split_first() else { return (0, 0) };
        let (nodes, leaves) = self.children()[*child].before(rest);
        let siblings = &self.children()[..*child];
        let sum = |of: fn(&Self) -> usize| siblings.iter().map(of).sum::<usize>();
        (1 + nodes + sum(Self::nodes), leaves + sum(|tree| tree.leaves().len()))
    }

    /// The tree with what `change` makes of each node; below what it makes it is not asked again.
    pub fn change(&self, change: &mut impl FnMut(&Self, &[usize]) -> Option<Self>) -> Self {
        self.change_below(&[], change)
    }

    fn change_below(
        &self,
        path: &[usize],
        change: &mut impl FnMut(&Self, &[usize]) -> Option<Self>,
    ) -> Self {
        match (change(self, path), self) {
            (Some(new), _) => new,
            (None, Leaf(leaf)) => Leaf(*leaf),
            (None, Node(head, children)) => {
                let each = children.iter().enumerate();
                let children = each
                    .map(|(index, child)| child.change_below(&[path, &[index]].concat(), change));
                Node(head.clone(), children.collect())
            }
        }
    }

    /// The tree with what `head` makes of the head of each node; it keeps the number of children.
    pub fn change_heads(&self, head: &impl Fn(&Def) -> Def) -> Self {
        match self {
            Leaf(leaf) => Leaf(*leaf),
            Node(old, children) => Self::node(
                head(old),
                children.iter().map(|child| child.change_heads(head)).collect(),
            ),
        }
    }

    /// The tree with what `with` makes of each leaf.
    pub fn map(&self, with: &mut impl FnMut(u32) -> Self) -> Self {
        self.change(&mut |node, _| if let Leaf(leaf) = node { Some(with(*leaf)) } else { None })
    }

    /// The tree with another one in the place of each leaf.
    pub fn compose(&self, inner: &Self) -> Self {
        self.map(&mut |_| inner.clone())
    }

    /// The tree with `None` in the place of each leaf that is not kept.
    pub fn leaves_to_none(&self, kept: &[bool]) -> Self {
        let mut kept = kept.iter();
        self.map(&mut |leaf| if *kept.next().unwrap() { Leaf(leaf) } else { Self::none() })
    }

    /// The tree with other trees at the ends of these paths; `None` where one is inside another.
    pub fn replace(&self, targets: &[(Path, Self)]) -> Option<Self> {
        let inside = |(i, (path, _)): (usize, &(Path, Self))| {
            let mut others = targets.iter().enumerate().filter(|(j, _)| i != *j);
            others.any(|(_, (other, _))| path.starts_with(other))
        };
        if targets.iter().enumerate().any(inside) {
            return None;
        }
        Some(self.change(&mut |_, path| {
            targets.iter().find(|(target, _)| target == path).map(|(_, new)| new.clone())
        }))
    }

    /// The tree with a leaf in place of each node for which `is_leaf` holds, and these nodes and the leaves, in order.
    pub fn cut(&self, is_leaf: &impl Fn(&Self) -> bool) -> (Self, Vec<Self>) {
        let mut leaves = Vec::new();
        let tree = self.change(&mut |node, _| {
            (node.is_leaf() || is_leaf(node)).then(|| {
                leaves.push(node.clone());
                Leaf(leaves.len() as u32 - 1)
            })
        });
        (tree, leaves)
    }

    /// Whether two nodes differ in nothing but what is below them.
    fn same_node(&self, other: &Self) -> bool {
        match (self, other) {
            (Leaf(_), Leaf(_)) => true,
            (Node(one, _), Node(two, _)) => one == two,
            _ => false,
        }
    }

    /// The paths at which two trees differ, from left to right, and none below another.
    pub fn differences(&self, other: &Self, relation: Relation) -> Vec<Path> {
        let matches_any = match relation {
            Relation::Equal => false,
            Relation::Prefix => self.is_leaf(),
            Relation::Common => self.is_leaf() || other.is_leaf(),
        };
        if matches_any {
            return Vec::new();
        }
        if !self.same_node(other) {
            return vec![Vec::new()];
        }
        let pairs = self.children().iter().zip(other.children()).enumerate();
        let below = pairs.flat_map(|(index, (one, two))| {
            let paths = one.differences(two, relation);
            paths.into_iter().map(move |path| [vec![index], path].concat())
        });
        below.collect()
    }

    /// The index in preorder of the first node at which two trees differ.
    pub fn first_difference(&self, other: &Self, relation: Relation) -> Option<u32> {
        self.differences(other, relation).first().map(|path| self.before(path).0 as u32)
    }

    /// The parts of `full` in the place of the leaves; `None` unless this tree is a prefix of `full`.
    pub fn flatten_up_to(&self, full: &Self) -> Option<Vec<Self>> {
        if self.is_leaf() {
            return Some(vec![full.clone()]);
        }
        if !self.same_node(full) {
            return None;
        }
        let pairs = self.children().iter().zip(full.children());
        let parts = pairs.map(|(prefix, full)| prefix.flatten_up_to(full));
        Some(parts.collect::<Option<Vec<_>>>()?.concat())
    }

    /// The tree with the structure of `full` whose leaves are those of this prefix, one for each leaf below.
    pub fn broadcast(&self, full: &Self) -> Option<Self> {
        let mut parts = self.flatten_up_to(full)?.into_iter();
        Some(self.map(&mut |leaf| parts.next().unwrap().map(&mut |_| Leaf(leaf))))
    }

    /// The smallest tree of which both are prefixes, with the leaves of the first and with those of the second.
    pub fn common_suffix(&self, other: &Self) -> Option<(Self, Self)> {
        match (self, other) {
            (Leaf(leaf), _) => Some((other.map(&mut |_| Leaf(*leaf)), other.clone())),
            (_, Leaf(leaf)) => Some((self.clone(), self.map(&mut |_| Leaf(*leaf)))),
            (Node(head, _), _) if self.same_node(other) => {
                let pairs = self.children().iter().zip(other.children());
                let pairs = pairs.map(|(one, two)| one.common_suffix(two));
                let (ours, theirs) = pairs.collect::<Option<Vec<_>>>()?.into_iter().unzip();
                Some((Node(head.clone(), ours), Node(head.clone(), theirs)))
            }
            _ => None,
        }
    }

    /// `inner` of trees of this structure, from this structure of `inner`s with these leaves.
    pub fn transpose(&self, inner: &Self, leaves: &[u32]) -> Self {
        let columns = inner.leaves().len();
        let mut column = 0..columns;
        inner.map(&mut |_| {
            let first = column.next().unwrap();
            let mut row = leaves[first..].iter().step_by(columns);
            self.map(&mut |_| Leaf(*row.next().unwrap()))
        })
    }
}
