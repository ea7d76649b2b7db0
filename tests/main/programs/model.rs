//! Trees of vectors, with each operation as it is defined: by recursion, with copies, however slow.

use crate::support::algebra::same_node;
use crate::support::def::Def;

/// A tree with its leaves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// A leaf.
    Leaf(u32),
    /// A node: what it is, with leaves for children, and its children. `None` is one without children.
    Node(Def, Vec<Tree>),
}

/// The indices of the children on the way to a node.
pub(super) type Path = Vec<usize>;

/// Which places are differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// All where two nodes are not the same.
    Equal,
    /// Those where the first tree has no leaf.
    Prefix,
    /// Those where neither tree has a leaf.
    Common,
}

use Tree::{Leaf, Node};

impl Tree {
    pub(super) const NONE: Self = Node(Def::None, Vec::new());

    /// A structure with these leaves.
    pub(super) fn unflatten(def: &Def, leaves: &mut impl Iterator<Item = u32>) -> Self {
        if *def == Def::Leaf {
            return Leaf(leaves.next().unwrap());
        }
        let children = def.children().iter().map(|child| Self::unflatten(child, leaves)).collect();
        Self::node(def, children)
    }

    /// A node of the kind of `def`.
    fn node(def: &Def, children: Vec<Self>) -> Self {
        Node(def.clone().with_children(vec![Def::Leaf; children.len()]), children)
    }

    /// The structure.
    pub(super) fn def(&self) -> Def {
        match self {
            Leaf(_) => Def::Leaf,
            Node(head, children) => {
                head.clone().with_children(children.iter().map(Self::def).collect())
            }
        }
    }

    /// The leaves, in order.
    pub(super) fn leaves(&self) -> Vec<u32> {
        match self {
            Leaf(leaf) => vec![*leaf],
            Node(_, children) => children.iter().flat_map(Self::leaves).collect(),
        }
    }

    pub(super) fn children(&self) -> &[Self] {
        match self {
            Leaf(_) => &[],
            Node(_, children) => children,
        }
    }

    pub(super) fn is_leaf(&self) -> bool {
        matches!(self, Leaf(_))
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// The paths of all nodes, in preorder.
    pub(super) fn paths(&self) -> Vec<Path> {
        let below = self.children().iter().enumerate();
        let below = below.flat_map(|(index, child)| {
            child.paths().into_iter().map(move |path| [vec![index], path].concat())
        });
        std::iter::once(Vec::new()).chain(below).collect()
    }

    /// The node at the end of a path.
    pub(super) fn at(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, index| tree.children().get(*index))
    }

    /// The index of a node in preorder.
    pub(super) fn index_of(&self, path: &[usize]) -> u32 {
        self.paths().iter().position(|other| other == path).unwrap() as u32
    }

    /// The tree with what `change` makes of each node; below what it makes it is not asked again.
    pub(super) fn change(&self, change: &mut impl FnMut(&Self, &[usize]) -> Option<Self>) -> Self {
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
    pub(super) fn change_heads(&self, head: &impl Fn(&Def) -> Def) -> Self {
        match self {
            Leaf(leaf) => Leaf(*leaf),
            Node(old, children) => {
                Node(head(old), children.iter().map(|child| child.change_heads(head)).collect())
            }
        }
    }

    /// The tree with what `with` makes of each leaf.
    pub(super) fn map(&self, with: &mut impl FnMut(u32) -> Self) -> Self {
        self.change(&mut |node, _| if let Leaf(leaf) = node { Some(with(*leaf)) } else { None })
    }

    /// The tree with another one in the place of each leaf.
    pub(super) fn compose(&self, inner: &Self) -> Self {
        self.map(&mut |_| inner.clone())
    }

    /// The tree with other trees at the ends of these paths; `None` where one is inside another.
    pub(super) fn replace(&self, targets: &[(Path, Self)]) -> Option<Self> {
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
    pub(super) fn cut(&self, is_leaf: &impl Fn(&Self) -> bool) -> (Self, Vec<Self>) {
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
            (Node(one, _), Node(two, _)) => same_node(one, two),
            _ => false,
        }
    }

    /// The paths at which two trees differ, from left to right, and none below another.
    pub(super) fn differences(&self, other: &Self, relation: Relation) -> Vec<Path> {
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

    /// The parts of `full` in the place of the leaves; `None` unless this tree is a prefix of `full`.
    pub(super) fn flatten_up_to(&self, full: &Self) -> Option<Vec<Self>> {
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
    pub(super) fn broadcast(&self, full: &Self) -> Option<Self> {
        let mut parts = self.flatten_up_to(full)?.into_iter();
        Some(self.map(&mut |leaf| parts.next().unwrap().map(&mut |_| Leaf(leaf))))
    }

    /// The smallest tree of which both are prefixes, with the leaves of the first and with those of the second.
    pub(super) fn common_suffix(&self, other: &Self) -> Option<(Self, Self)> {
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
    pub(super) fn transpose(&self, inner: &Self, leaves: &[u32]) -> Self {
        let columns = inner.leaves().len();
        let mut column = 0..columns;
        inner.map(&mut |_| {
            let first = column.next().unwrap();
            let mut row = leaves[first..].iter().step_by(columns);
            self.map(&mut |_| Leaf(*row.next().unwrap()))
        })
    }
}
