//! The paths of the leaves of a treedef, in order, in one pass over it.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::dynamic::fold::fold_len;
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::treedef::key_path::KeyPath;
use crate::treedef::preorder::{Event, Keys, Preorder};
use crate::treedef::treedef::TreeDef;

/// The number of levels in a [`KeyPaths`].
const LEVELS: usize = MAX_DEPTH as usize;

/// Iterates over the paths of the leaves of a treedef. Holds 64 bytes for each level.
pub(crate) struct KeyPaths<'a> {
    nodes: Preorder<'a, Keys, LEVELS>,
    /// For each open node the entry of the child that was read last. A node that was just opened has none.
    path: Levels<KeyEntry<'a>, LEVELS>,
}

impl<'a> KeyPaths<'a> {
    /// Starts before the first leaf.
    ///
    /// # Errors
    ///
    /// [`Error::TooDeep`] if a node is more than [`LEVELS`] levels below the root. A walk finds out, which reads repeats
    /// once.
    pub(crate) fn new(def: TreeDef<'a>) -> Result<Self, Error> {
        fold_len(def)?;
        Ok(Self { nodes: Preorder::new(def), path: levels::empty() })
    }

    /// Returns the path of the next leaf. The path is empty for a bare leaf, and after the last leaf.
    pub(crate) fn next(&mut self) -> KeyPath<'_, 'a> {
        while let Some(event) = self.nodes.next() {
            self.path.truncate(self.nodes.depth().saturating_sub(1));
            if let Event::Leave(_) = event {
                continue;
            }
            if let Some(entry) = self.nodes.entry() {
                let _ = self.path.push(entry);
            }
            match event {
                Event::Enter(Head::LEAF) => break,
                Event::Enter(head) if head.arity() > 0 => {
                    let _ = self.nodes.open(&head, self.nodes.keys(&head));
                }
                _ => {}
            }
        }
        KeyPath::new(&self.path)
    }
}
