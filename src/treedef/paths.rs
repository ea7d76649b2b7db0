//! Iterates over the paths of all leaves, in one walk.

use core::iter::FusedIterator;

use crate::format::head::Kind;
use crate::treedef::nodes::{Here, Nodes};
use crate::treedef::path::Path;
use crate::treedef::scan::count_nodes;
use crate::treedef::treedef::TreeDef;

/// The paths of all leaves; see [`TreeDef::paths`].
///
/// If the walk has no room for the levels below a node, it steps over the node as a whole. The paths of the leaves in
/// it then remember only steps to the node.
#[derive(Clone)]
struct Paths<'a> {
    nodes: Nodes<'a>,
    /// The index of the next leaf from the front.
    next: u32,
    /// The index of the leaf after the next one from the back.
    end: u32,
    /// The number of leaves to come in a node that was stepped over.
    inside: u32,
}

impl<'a> TreeDef<'a> {
    /// The paths of all leaves in order, as optree's `PyTreeSpec.paths`, at any depth.
    ///
    /// One walk in preorder. Each path remembers the eight steps that would be most expensive to find again, so reading
    /// all entries of all paths of a usual model is linear in the bytes and the entries. In a path of more than eight
    /// levels, the other steps are found by scans of their nodes, up to the child that leads on. More than 64 levels
    /// below the root no step is remembered, and entries are found as in a path from [`TreeDef::path`].
    ///
    /// `nth` steps over copies together. `count` and `last` cost nothing. Paths from the back are as from
    /// [`TreeDef::path`]. The iterator takes 3 kB, and a path about 200 bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": (*, *)}]);
    /// let texts = def.paths().map(|path| path.to_string());
    /// assert!(texts.eq(["[0]", "[1]['a'][0]", "[1]['a'][1]"]));
    /// assert_eq!(def.paths().nth(2).and_then(|path| path.as_leaf()), Some(2));
    /// ```
    #[must_use]
    pub fn paths(
        &self,
    ) -> impl ExactSizeIterator<Item = Path<'a>> + DoubleEndedIterator + FusedIterator + Clone + use<'a>
    {
        Paths { nodes: self.nodes(), next: 0, end: self.leaves(), inside: 0 }
    }
}

/// The number of leaves of a leaf, or of a node for whose children there is no room and which it steps over; 0 for
/// other nodes.
fn leaves<'a>(nodes: &mut Nodes<'a>, here: &Here<'a>) -> u32 {
    if here.head.kind() == Kind::Leaf {
        1
    } else if nodes.is_full() {
        let inside = count_nodes(nodes.last_node()).saturating_sub(1);
        nodes.skip(&here.head, inside)
    } else {
        0
    }
}

impl<'a> Iterator for Paths<'a> {
    type Item = Path<'a>;

    fn next(&mut self) -> Option<Path<'a>> {
        let leaf = self.next;
        if leaf >= self.end {
            return None;
        }
        self.next = leaf.saturating_add(1);
        while self.inside == 0 {
            let here = self.nodes.read()?.ok()?;
            if here.head.kind() == Kind::Leaf {
                return self.nodes.path();
            }
            // This path is taken before the node is stepped over.
            self.inside = leaves(&mut self.nodes, &here);
        }
        self.inside = self.inside.saturating_sub(1);
        let steps = self.nodes.steps();
        Some(Path::of_leaf(self.nodes.def(), leaf as usize).with_steps(steps))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.next) as usize;
        (left, Some(left))
    }

    fn nth(&mut self, n: usize) -> Option<Path<'a>> {
        if n >= self.len() {
            self.next = self.end;
            return None;
        }
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        self.next = self.next.saturating_add(n);
        let passed = n.min(self.inside);
        self.inside = self.inside.saturating_sub(passed);
        let rest = n.saturating_sub(passed) as usize;
        let done = self.nodes.pass(rest, |nodes, here| leaves(nodes, here) as usize);
        if let Some(inside) = done.checked_sub(rest).filter(|inside| *inside > 0) {
            self.inside = u32::try_from(inside).unwrap_or(u32::MAX);
        }
        self.next()
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<Path<'a>> {
        self.next_back()
    }
}

impl<'a> DoubleEndedIterator for Paths<'a> {
    fn next_back(&mut self) -> Option<Path<'a>> {
        self.nth_back(0)
    }

    fn nth_back(&mut self, n: usize) -> Option<Path<'a>> {
        let left = self.len().checked_sub(n).and_then(|left| left.checked_sub(1));
        self.end =
            self.next.saturating_add(left.and_then(|left| u32::try_from(left).ok()).unwrap_or(0));
        left.map(|_| Path::of_leaf(self.nodes.def(), self.end as usize))
    }
}

impl ExactSizeIterator for Paths<'_> {}

impl FusedIterator for Paths<'_> {}
