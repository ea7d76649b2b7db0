//! The nodes of treedefs: finds the children of a node by their names, one after the other.

use crate::base::error::Error;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Item, Kind, read_item};
use crate::format::value::Value;
use crate::format::varint::unzigzag;
use crate::tree::migrate::node::{Step, StoredNode};
use crate::tree::walk_path::LEVELS;
use crate::treedef::find::Found;
use crate::treedef::names::{is_before, is_sorted, text};
use crate::treedef::path::UNKNOWN;
use crate::treedef::runs::Runs;
use crate::treedef::segment::Segment;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node of a treedef.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    spot: Spot,
    /// The bytes from the node on; other nodes may follow it.
    bytes: &'d [u8],
}

/// No two nodes of a treedef have one spot. What is stored and the defaults are two treedefs, which lie at two places: comparing the bytes
/// would read all that follow, for each element of a list.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.spot == other.spot && core::ptr::eq(self.bytes, other.bytes)
    }
}

impl<'d> Node<'d> {
    pub(crate) const fn root(def: TreeDef<'d>) -> Self {
        Self { bytes: def.as_bytes(), spot: Spot::ROOT }
    }

    pub(crate) const fn head(&self) -> Head<'d> {
        Head::trusted(self.bytes)
    }

    /// The index of the leaf, if the node is one.
    pub(crate) fn as_leaf(&self) -> Option<u32> {
        (self.head().kind() == Kind::Leaf).then_some(self.spot.leaf)
    }

    /// The node in all `Some`s that are here.
    pub(crate) fn inside_some(self) -> Self {
        let mut node = self;
        while node.head().kind() == Kind::Some
            && let Some(inner) = Children::of(node).child(0)
        {
            node = inner;
        }
        node
    }

    pub(crate) fn found(&self, root: TreeDef<'d>) -> Found<'d> {
        let def = if self.as_leaf().is_some() { TreeDef::LEAF } else { TreeDef::front(self.bytes) };
        Found::at(root, def, self.spot, UNKNOWN)
    }
}

/// The children of a node. They are found in any order, and fastest in their own.
#[derive(Clone)]
pub(crate) struct Children<'d> {
    pub(crate) node: Node<'d>,
    pub(crate) head: Head<'d>,
    /// The names after that of the child that was found last.
    names: Entries<'d>,
    /// The name before these.
    last: Option<KeyEntry<'d>>,
    runs: Runs<'d>,
}

impl<'d> Children<'d> {
    pub(crate) fn of(node: Node<'d>) -> Self {
        let head = node.head();
        let runs = Runs::of(node.bytes, &head, node.spot);
        Self { node, head, names: head.entries(), last: None, runs }
    }

    /// The node as the only child of a `Some`.
    pub(crate) fn only(node: Node<'d>) -> Self {
        let (head, runs) = (Head::SOME, Runs::only(node.bytes, node.spot));
        Self { node, head, names: head.entries(), last: None, runs }
    }

    /// The child with this index.
    pub(crate) fn child(&mut self, index: u32) -> Option<Node<'d>> {
        if index >= self.head.arity() {
            return None;
        }
        if index < self.index() {
            *self = Self { names: self.names.clone(), last: self.last, ..Self::of(self.node) };
        }
        self.runs.seek(index.checked_sub(self.index())?, Spot::END)?;
        Some(Node { bytes: self.runs.bytes, spot: self.runs.spot })
    }

    /// The index of the next child.
    const fn index(&self) -> u32 {
        self.head.arity().saturating_sub(self.runs.left)
    }
}

impl<'d> StoredNode<'d> for Node<'d> {
    type Open = Children<'d>;
    type Leaf = u32;

    const HAS_KINDS: bool = true;

    fn open(self) -> Children<'d> {
        Children::of(self.inside_some())
    }

    fn what(open: &Children<'d>) -> (Kind, Option<&'d str>) {
        (open.head.kind(), open.head.type_name())
    }

    fn names(open: &Children<'d>) -> Entries<'d> {
        open.head.entries()
    }

    fn meta_fields(open: &Children<'d>) -> impl Iterator<Item = (&'d str, Value<'d>)> {
        open.head.meta_fields()
    }

    fn child(open: &mut Children<'d>, index: u32) -> Option<Self> {
        open.child(index)
    }

    fn find(open: &mut Children<'d>, name: KeyEntry<'_>, in_any_kind: bool) -> Option<Self> {
        let (mut names, is_sorted) = (open.names.clone(), is_sorted(&open.head));
        let mut next = names.next();
        // Sorted names that are searched in their order are found in one pass.
        while is_sorted && next.is_some_and(|next| next != name && is_before(next, name)) {
            (open.last, open.names) = (next, names.clone());
            next = names.next();
        }
        let mut found = next.filter(|next| *next == name);
        if found.is_none() {
            let is_missing = open.last.is_none_or(|last| is_before(last, name));
            if is_sorted && is_missing && !in_any_kind {
                return None;
            }
            let index = index_of(&open.head, name, in_any_kind)?;
            names = open.head.entries();
            found = names.nth(index as usize);
        }
        (open.names, open.last) = (names, found);
        open.child(open.names.index().checked_sub(1)?)
    }

    fn inside(self, is_nested: bool) -> Option<Self> {
        match self.head().kind() {
            Kind::None => None,
            Kind::Some if is_nested => Children::of(self).child(0),
            _ => Some(self),
        }
    }

    fn leaf(self) -> Option<u32> {
        self.inside_some().as_leaf()
    }

    fn wrong_leaf(leaf: u32) -> Error {
        Error::WrongLeaf { leaf }
    }

    fn num_leaves(self) -> usize {
        TreeDef::front(self.bytes).num_leaves()
    }

    /// Those of a node and of its copies count once.
    fn count_meta(self) -> usize {
        let keys = |node: &[u8], head: &Head<'_>| match head.kind() {
            Kind::Dict if TreeDef::front(node).num_leaves() == 0 => head.arity() as usize,
            _ => 0,
        };
        let (mut rest, mut left, mut count) = (self.bytes, 1u32, 0usize);
        while left > 0
            && let Some((item, after)) = read_item(rest)
        {
            let node = rest;
            rest = after;
            left = match item {
                Item::Leaves(leaves) => left.saturating_sub(leaves),
                Item::Same { copies, .. } => left.saturating_sub(copies),
                Item::Node(head) => {
                    count = count.saturating_add(keys(node, &head));
                    head.meta_fields().for_each(|_| count = count.saturating_add(1));
                    left.saturating_sub(1).saturating_add(head.arity())
                }
            };
        }
        count
    }

    fn at_path(self, root: Self, _: &Step<'_, 'd>, then: &mut dyn FnMut(&Step<'_, 'd>)) {
        let path = self.found(TreeDef::front(root.bytes)).path().entries();
        // A deeper node has no place.
        if path.clone().nth(LEVELS).is_none() {
            Step::ROOT.along(&mut { path }, then);
        }
    }
}

/// The index of the child with this name, as [`Children::find`].
pub(crate) fn index_of(head: &Head<'_>, name: KeyEntry<'_>, in_any_kind: bool) -> Option<u32> {
    let index = head.index_of(name);
    if index.is_some() || !in_any_kind {
        return index;
    }
    if head.has_positions() {
        return number(name).filter(|index| *index < head.arity());
    }
    let mut names = (0..head.arity()).zip(head.entries());
    names.find(|(_, other)| is_same(name, *other)).map(|(index, _)| index)
}

/// Whether two names are one if kinds do not matter.
pub(crate) fn is_same(name: KeyEntry<'_>, other: KeyEntry<'_>) -> bool {
    match (text(name), text(other)) {
        (Some(text), Some(other)) => text == other,
        _ => number(name).is_some_and(|index| number(other) == Some(index)),
    }
}

/// The number that a name is, or its text.
pub(crate) fn number(name: KeyEntry<'_>) -> Option<u32> {
    match name {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => Some(index),
        KeyEntry::Key(Value::Int(key)) => u32::try_from(key).ok(),
        name => u32::try_from(integer(text(name)?)?).ok(),
    }
}

/// The integer that Python prints as this text.
pub(crate) fn integer(text: &str) -> Option<i64> {
    // Core's `parse` can panic with overflow checks.
    let (number, rest) = Segment::open(text.as_bytes(), true)?.number()?;
    (rest.is_empty() && !text.starts_with(['.', '/', '['])).then_some(unzigzag(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::levels::Levels;

    /// Compares the path of each node with the names on the way to it, and returns the number of nodes.
    fn compare<'d>(root: TreeDef<'d>, node: Node<'d>, way: &mut Levels<KeyEntry<'d>, 8>) -> usize {
        assert!(node.found(root).path().entries().eq(way.iter().copied()));
        let mut children = Children::of(node);
        let entries = children.head.entries();
        let mut nodes = 1;
        for (index, name) in (0..children.head.arity()).zip(entries) {
            way.push(name).unwrap();
            nodes += compare(root, children.child(index).unwrap(), way);
            way.pop();
        }
        nodes
    }

    #[test]
    fn the_path_of_a_node_is_that_of_the_way_to_it() {
        let def = crate::treedef!([
            None, [*, None], [*, None], [*, None], (None, {"a": *, "b": [*, *, *]}, ()), [None, None], *
        ]);
        assert_eq!(compare(def, Node::root(def), &mut Levels::new()), def.num_nodes());
    }
}
