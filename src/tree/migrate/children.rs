//! Finds the children of a node by their names, one after the other.

use crate::base::attempt::attempt;
use crate::base::levels::Levels;
use crate::format::entry::{Entries, KeyEntry};
use crate::format::head::{Head, Item, Kind, LEAF_BYTES, read_item};
use crate::format::value::Value;
use crate::treedef::difference::front;
use crate::treedef::find::{Found, counted};
use crate::treedef::names::{is_before, is_sorted, text};
use crate::treedef::path::UNKNOWN;
use crate::treedef::scan::skip;
use crate::treedef::spot::Spot;
use crate::treedef::treedef::TreeDef;

/// A node of a treedef.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    /// The bytes from the node on; other nodes may follow it.
    bytes: &'d [u8],
    spot: Spot,
}

impl<'d> Node<'d> {
    pub(crate) const fn root(def: TreeDef<'d>) -> Self {
        Self { bytes: def.as_bytes(), spot: Spot::ROOT }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.spot == Spot::ROOT
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

    /// Puts the path from a node around this one into `path`; `None` if there is no room.
    pub(crate) fn path_from<const D: usize>(
        &self,
        root: Self,
        path: &mut Levels<KeyEntry<'d>, D>,
    ) -> Option<()> {
        let mut node = root;
        while node.spot != self.spot {
            let (name, child) = Children::of(node).around(self.spot)?;
            path.push(name).ok()?;
            node = child;
        }
        Some(())
    }

    pub(crate) fn found(&self, root: TreeDef<'d>) -> Found<'d> {
        let def = if self.as_leaf().is_some() { TreeDef::LEAF } else { front(self.bytes) };
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
    /// Whether the names are sorted.
    is_sorted: bool,
    /// The next child. It is the first of `same` equal ones, each with `leaves` leaves and `tail` nodes after the last of them.
    next: Node<'d>,
    index: u32,
    same: u32,
    leaves: u32,
    tail: u32,
    /// The bytes after these.
    rest: &'d [u8],
}

impl<'d> Children<'d> {
    pub(crate) fn of(node: Node<'d>) -> Self {
        let head = node.head();
        let rest = node.bytes.get(head.as_bytes().len()..).unwrap_or(&[]);
        let next = Node { bytes: rest, spot: node.spot.after_head() };
        let names = head.entries();
        let (last, is_sorted) = (None, is_sorted(&head));
        Self {
            node,
            head,
            names,
            last,
            is_sorted,
            next,
            index: 0,
            same: 0,
            leaves: 0,
            tail: 0,
            rest,
        }
    }

    /// The node as the only child of a `Some`.
    pub(crate) fn only(node: Node<'d>) -> Self {
        let (head, names, last) = (Head::SOME, Head::SOME.entries(), None);
        Self {
            node,
            head,
            names,
            last,
            is_sorted: false,
            next: node,
            index: 0,
            same: 1,
            leaves: 0,
            tail: 0,
            rest: &[],
        }
    }

    /// Goes back to the first child.
    pub(crate) fn restart(&mut self) {
        *self = Self::of(self.node);
    }

    /// The child with this name. If `in_any_kind`, a position, a number and the text of a number are one name, and so are a
    /// field and a key.
    pub(crate) fn find(&mut self, name: KeyEntry<'_>, in_any_kind: bool) -> Option<Node<'d>> {
        let (mut names, mut found) = (self.names.clone(), None);
        // Sorted names that are searched in their order are found in one pass.
        loop {
            let before = names.clone();
            let next = names.next();
            if next == Some(name) {
                found = next;
            } else if self.is_sorted && next.is_some_and(|next| is_before(next, name)) {
                self.last = next;
                continue;
            } else {
                self.names = before;
            }
            break;
        }
        if found.is_none() {
            let is_missing = self.last.is_none_or(|last| is_before(last, name));
            if self.is_sorted && is_missing && !in_any_kind {
                return None;
            }
            let index = index_of(&self.head, name, in_any_kind)?;
            names = self.head.entries();
            found = names.nth(index as usize);
        }
        (self.names, self.last) = (names, found);
        self.child(self.names.index().checked_sub(1)?)
    }

    /// The child with this index.
    pub(crate) fn child(&mut self, index: u32) -> Option<Node<'d>> {
        if index >= self.head.arity() {
            return None;
        }
        if index < self.index {
            *self = Self { names: self.names.clone(), last: self.last, ..Self::of(self.node) };
        }
        loop {
            self.pass(self.same.min(index.wrapping_sub(self.index)));
            if self.same > 0 {
                return Some(self.next);
            }
            self.read_next()?;
        }
    }

    /// The child in which another node is, or which is that node, and its name. No child was read before.
    fn around(mut self, goal: Spot) -> Option<(KeyEntry<'d>, Node<'d>)> {
        loop {
            let (next, same) = (self.next.spot, self.same);
            let is_last = same == 1 && self.index.wrapping_add(1) == self.head.arity();
            let is_here = is_last || goal.is_before(next.after(same, self.leaves, self.tail));
            self.pass(match is_here && self.leaves > 0 {
                _ if is_last => 0,
                true => next.count_before(goal, same, self.leaves, self.tail),
                false if is_here => 0,
                false => same,
            });
            if self.same > 0 {
                return Some((self.names.nth(self.index as usize)?, self.next));
            }
            self.read_next()?;
        }
    }

    /// Passes the next of the equal children.
    fn pass(&mut self, count: u32) {
        if count > 0 {
            self.next.spot = self.next.spot.after(count, self.leaves, self.tail);
            self.index = self.index.wrapping_add(count);
            self.same = self.same.wrapping_sub(count);
        }
    }

    /// Reads the next run of equal children.
    fn read_next(&mut self) -> Option<()> {
        let (item, after) = read_item(self.rest)?;
        (self.next.bytes, self.rest, self.same) = match item {
            Item::Leaves(count) => {
                (self.leaves, self.tail) = (1, 0);
                (LEAF_BYTES, after, count)
            }
            Item::Same { copies, .. } => (self.next.bytes, after, copies),
            // The last child ends with its parent, so the levels of a chain are not scanned for their ends.
            Item::Node(_) if self.index.wrapping_add(1) == self.head.arity() => {
                (self.rest, &[][..], 1)
            }
            Item::Node(_) => {
                let node = attempt!(skip(self.rest));
                (self.leaves, self.tail) = (node.leaves, node.tail);
                (self.rest, node.rest, 1)
            }
        };
        Some(())
    }
}

/// The index of the child with this name, as [`Children::find`].
pub(crate) fn index_of(head: &Head<'_>, name: KeyEntry<'_>, in_any_kind: bool) -> Option<u32> {
    let index = head.index_of(name);
    if index.is_some() || !in_any_kind {
        return index;
    }
    if counted(head) {
        return number(name).filter(|index| *index < head.arity());
    }
    let is_same = |other: KeyEntry<'_>| match (text(name), text(other)) {
        (Some(text), Some(other)) => text == other,
        _ => number(name).is_some_and(|index| number(other) == Some(index)),
    };
    (0..head.arity()).zip(head.entries()).find(|(_, other)| is_same(*other)).map(|(index, _)| index)
}

/// The number that a name is, or its text.
pub(crate) fn number(name: KeyEntry<'_>) -> Option<u32> {
    match name {
        KeyEntry::Index(index) | KeyEntry::FlatIndex(index) => Some(index),
        KeyEntry::Key(Value::Int(key)) => u32::try_from(key).ok(),
        name => decimal(text(name)?.as_bytes()),
    }
}

/// The number that a text is, as Python prints it.
pub(crate) fn decimal(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 1 && text.starts_with(b"0") {
        return None;
    }
    text.iter().try_fold(0u32, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u32::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the path of each node with the names on the way to it, and returns the number of nodes.
    fn compare<'d>(root: Node<'d>, node: Node<'d>, way: &mut Levels<KeyEntry<'d>, 8>) -> usize {
        let mut path = Levels::new();
        assert_eq!((node.path_from(root, &mut path), &path), (Some(()), &*way));
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
        assert_eq!(compare(Node::root(def), Node::root(def), &mut Levels::new()), def.num_nodes());
    }
}
