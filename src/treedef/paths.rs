//! Iterates over the paths of all leaves, in one walk.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::format::head::Kind;
use crate::treedef::key_path::KeyPath;
use crate::treedef::nodes::Nodes;
use crate::treedef::path::Path;
use crate::treedef::treedef::TreeDef;

/// The paths of all leaves; see [`TreeDef::paths`].
///
/// If the walk has no room for the levels below a node, it ends there, and the paths of the remaining leaves remember no
/// steps.
#[derive(Clone)]
struct Paths<'a> {
    nodes: Nodes<'a>,
    /// The leaves whose paths remain.
    leaves: Range<u32>,
}

impl<'a> TreeDef<'a> {
    /// The path of the leaf with this index; `None` if there are fewer leaves.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::{KeyEntry, TreeDef, Value};
    ///
    /// // [*, {'a': (*, *)}]
    /// let def = TreeDef::from_bytes(&[0x42, 0x00, 0x61, 2, 1, b'a', 0x22, 0x01])?;
    /// let path = def.path(2).into_iter().flat_map(|path| path.entries());
    /// assert!(path.eq([KeyEntry::Index(1), KeyEntry::Key(Value::Str("a")), KeyEntry::Index(1)]));
    /// # Ok::<(), treedef::DecodeError>(())
    /// ```
    #[must_use]
    pub fn path(&self, leaf: usize) -> Option<KeyPath<'a, 'a>> {
        (leaf < self.num_leaves()).then(|| KeyPath::of_node(Path::of_leaf(*self, leaf)))
    }

    /// The paths of all leaves in order, as optree's `PyTreeSpec.paths`, at any depth.
    ///
    /// One walk in preorder. Each path remembers its first 12 steps, so reading all entries of all paths of a usual model is
    /// linear in the bytes and the entries. In a path of more than 12 levels, the other steps are found by scans of their
    /// nodes, up to the child that the path leads to. The iterator stops to remember steps at a node that has more than
    /// [`MAX_PENDING`](crate::format::MAX_PENDING) levels pending below it; entries are then found as in a path from
    /// [`TreeDef::path`].
    ///
    /// `nth` steps over copies together. `count` and `last` cost nothing. Paths from the back cost as much as from
    /// [`TreeDef::path`]. The iterator takes 2 kB, and a path about 200 bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treedef::treedef;
    ///
    /// let def = treedef!([*, {"a": (*, *)}]);
    /// let texts = def.paths().map(|path| path.to_string());
    /// assert!(texts.eq(["[0]", "[1]['a'][0]", "[1]['a'][1]"]));
    /// assert_eq!(def.paths().nth(2), def.path(2));
    /// ```
    #[must_use]
    #[doc(alias("tree_paths", "accessors", "tree_accessors"))]
    pub fn paths(
        &self,
    ) -> impl ExactSizeIterator<Item = KeyPath<'a, 'a>>
    + DoubleEndedIterator
    + FusedIterator
    + Clone
    + use<'a> {
        Paths { nodes: self.nodes(), leaves: 0..self.leaf_count() }
    }
}

impl<'a> Iterator for Paths<'a> {
    type Item = KeyPath<'a, 'a>;

    fn next(&mut self) -> Option<KeyPath<'a, 'a>> {
        self.nth(0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.leaves.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<KeyPath<'a, 'a>> {
        let leaf = self.leaves.nth(n)?;
        // After an error the remaining paths are found without the walk.
        let _ = self.nodes.seek(leaf, |(_, leaves)| leaves);
        while let Some(Ok(node)) = self.nodes.next() {
            if node.head.kind() == Kind::Leaf {
                return self.nodes.path();
            }
        }
        Some(KeyPath::of_node(Path::of_leaf(self.nodes.def(), leaf as usize)))
    }

    fn count(self) -> usize {
        self.leaves.len()
    }

    fn last(mut self) -> Option<KeyPath<'a, 'a>> {
        self.next_back()
    }
}

impl<'a> DoubleEndedIterator for Paths<'a> {
    fn next_back(&mut self) -> Option<KeyPath<'a, 'a>> {
        self.nth_back(0)
    }

    fn nth_back(&mut self, n: usize) -> Option<KeyPath<'a, 'a>> {
        let leaf = self.leaves.nth_back(n)?;
        Some(KeyPath::of_node(Path::of_leaf(self.nodes.def(), leaf as usize)))
    }
}

impl ExactSizeIterator for Paths<'_> {}

impl FusedIterator for Paths<'_> {}
