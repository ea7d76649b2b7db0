//! The paths of the leaves of a treedef, in order, in one pass over it.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
use crate::encode::depth::MAX_DEPTH;
use crate::format::entry::KeyEntry;
use crate::treedef::key_path::KeyPath;
use crate::treedef::lists::depth;
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
    /// [`Error::TooDeep`] if a node is more than [`LEVELS`] levels below the root. One scan finds out, which reads repeats
    /// once.
    pub(crate) fn new(def: TreeDef<'a>) -> Result<Self, Error> {
        let bytes = def.as_bytes();
        // Every level takes at least a byte, and the innermost node another.
        if bytes.len() > LEVELS && depth(bytes, MAX_DEPTH) > MAX_DEPTH {
            return Err(Error::TooDeep { limit: MAX_DEPTH });
        }
        Ok(Self { nodes: Preorder::new(def), path: levels::empty() })
    }

    /// Returns the path of the next leaf. The path is empty for a bare leaf, and after the last leaf.
    #[inline]
    pub(crate) fn next(&mut self) -> KeyPath<'_, 'a> {
        if !self.path.last_mut().is_some_and(|last| self.nodes.next_of_run(last)) {
            self.go_on();
        }
        KeyPath::new(&self.path)
    }

    /// Goes on to the next leaf.
    #[inline(never)]
    fn go_on(&mut self) {
        while let Some(event) = self.nodes.next() {
            self.path.truncate(self.nodes.depth().saturating_sub(1));
            if let Event::Leave(_) = event {
                continue;
            }
            if let Some(entry) = self.nodes.entry() {
                let _ = self.path.push(entry);
            }
            match event {
                Event::Enter(head) if head.arity() > 0 => {
                    let _ = self.nodes.open(&head, self.nodes.keys(&head));
                }
                Event::Leaf => return,
                _ => {}
            }
        }
    }
}
