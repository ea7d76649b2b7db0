//! What a file holds: structures, with what the file says about the leaves.

use std::collections::BTreeMap;

use treedef::TreeDefBox;

use crate::leaf::{Leaf, Type};
use crate::tree::Tree;

/// What a file holds.
pub(crate) struct Source {
    /// The format, in a word.
    pub(crate) format: &'static str,
    /// The trees: one of most files, two of an exported function, and as many as a call has arguments of a call key.
    pub(crate) parts: Vec<TreeOf>,
    /// What the file says beside the trees: a name and a text each.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// Whether the file only names its leaves, so that its dicts are made of parts of names.
    pub(crate) is_named: bool,
}

/// A tree of a file.
pub(crate) struct TreeOf {
    /// What the tree is in the file; empty if the file holds only this one.
    pub(crate) title: String,
    pub(crate) def: TreeDefBox,
    /// The leaves, or `None` if the file has only a structure.
    pub(crate) leaves: Option<Vec<Leaf>>,
}

impl TreeOf {
    /// Whether something is known of every leaf.
    pub(crate) fn is_typed(&self) -> bool {
        let known = |leaf: &Leaf| leaf.kind.is_known();
        self.leaves.as_ref().is_some_and(|leaves| leaves.iter().all(known))
    }
}

impl Source {
    pub(crate) fn new(format: &'static str, def: TreeDefBox, leaves: Option<Vec<Leaf>>) -> Self {
        let part = TreeOf { title: String::new(), def, leaves };
        Self { format, parts: vec![part], facts: Vec::new(), is_named: false }
    }

    /// Makes the source of a file that only names its leaves; `None` for leaves of which nothing is known.
    pub(crate) fn named(
        format: &'static str,
        names: BTreeMap<String, Option<Type>>,
        separator: char,
    ) -> Result<Self, String> {
        let known = names.values().any(Option::is_some);
        let leaf = |kind: Option<Type>| Leaf::from(kind.unwrap_or_else(Type::unknown));
        let names = names.into_iter().map(|(name, kind)| (name, leaf(kind))).collect();
        let (def, leaves) = Tree::of_names(names, separator)?.flatten()?;
        Ok(Self { is_named: true, ..Self::new(format, def, known.then_some(leaves)) })
    }
}
