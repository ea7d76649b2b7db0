//! What a file holds: structures, with what the file says about the leaves.

use std::collections::BTreeMap;

use treedef::TreeDefBox;

use crate::leaf::Leaf;
use crate::model::Sizes;
use crate::names::{self, Named};
use crate::progress;

/// What a file holds.
#[derive(Default)]
pub(crate) struct Source {
    /// The format, in a word.
    pub(crate) format: &'static str,
    /// The trees: one of most files, two of an exported function, and as many as a call has arguments of a call key.
    pub(crate) parts: Vec<TreeOf>,
    /// What the file says beside the trees: a name and a text each.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// The texts by key of a safetensors file.
    pub(crate) metadata: BTreeMap<String, String>,
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

impl TreeOf {
    /// Returns the sizes of all leaves, and those by dtype, that with the most bytes first.
    pub(crate) fn sizes(&self) -> (Sizes, Vec<(&str, Sizes)>) {
        let mut sum = Sizes::default();
        let mut dtypes: BTreeMap<&str, Sizes> = BTreeMap::new();
        for leaf in self.leaves.iter().flatten() {
            let sizes = Sizes::of(leaf);
            sum.add_child(sizes);
            dtypes.entry(&leaf.kind.dtype).or_default().add_child(sizes);
        }
        sum.leaves = self.def.as_treedef().num_leaves() as u64;
        let mut dtypes: Vec<_> = dtypes.into_iter().collect();
        dtypes.sort_by_key(|(_, sizes)| std::cmp::Reverse((sizes.bytes, sizes.leaves)));
        (sum, dtypes)
    }
}

impl Source {
    pub(crate) fn new(format: &'static str, def: TreeDefBox, leaves: Option<Vec<Leaf>>) -> Self {
        let part = TreeOf { title: String::new(), def, leaves };
        Self { format, parts: vec![part], ..Self::default() }
    }

    /// Makes the source of a file that only names its leaves.
    pub(crate) fn named(format: &'static str, names: Vec<Named>) -> Result<Self, String> {
        progress::step("building the tree");
        let known = names.iter().any(|(_, leaf)| leaf.kind.is_known());
        let (def, leaves) = names::flatten(names)?;
        Ok(Self { is_named: true, ..Self::new(format, def, known.then_some(leaves)) })
    }
}
