//! Remembers the first steps of the way to the current node of a walk, so that a path to it is read without scans.
//!
//! To find an entry of a path, a scan has to pass over the children before the one that leads on, and over their keys.
//! A walk passes them anyway, so it keeps for each node on the way where the child and its key begin. At the leaf `"c"`
//! of `{"a": [*, *], "b": (*, {"c": *}), "d": *}`:
//!
//! - step 0: the child `"b"`, which has 1 sibling after it, begins at byte 10; its key and those after it are the last 4
//!   bytes of the head;
//! - step 1: the child is a dict with no sibling after it, and begins at byte 12;
//! - step 2: the child is the leaf.
//!
//! When the walk was at the tuple, there was step 0 only: [`FirstSteps::pass`] removes the steps below the child that it goes
//! to. For the next child of a node, reading continues after the last key, so each key is read once.

use crate::format::head::Head;
use crate::treedef::cursor::Siblings;
use crate::treedef::spot::Spot;

/// A step from a node to a child: what a scan of the node would find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of siblings after the child.
    pub(crate) after: u32,
    /// The number of bytes from the key of the child to the end of the head.
    pub(crate) keys: u32,
    /// Where the bytes of the child begin; 0 for a leaf. A copy has the bytes of the child that it copies.
    pub(crate) child: u32,
}

/// The first steps of the way from the root to a node: 156 bytes.
#[derive(Clone, Copy)]
pub(crate) struct FirstSteps {
    steps: [Step; Self::ROOM],
    /// The number of steps that are known.
    known: u32,
    /// The spot of the node that they lead to.
    end: Spot,
}

impl FirstSteps {
    const ROOM: usize = 12;

    /// No step is known.
    pub(crate) const NONE: Self = Self {
        steps: [Step { after: 0, keys: 0, child: 0 }; Self::ROOM],
        known: 0,
        end: Spot::ROOT,
    };

    /// The step from the node that is `depth` levels below the root, if it is known.
    pub(crate) fn get(&self, depth: u32) -> Option<Step> {
        if depth < self.known { self.steps.get(depth as usize).copied() } else { None }
    }

    /// The number of steps that are known, and the spot of the node that they lead to.
    pub(crate) const fn end(&self) -> (u32, Spot) {
        (self.known, self.end)
    }

    /// Goes to the child of `list` that was read last, which is at `spot`. Its parent is `depth` levels below the root on
    /// this way; `bytes` are those of the whole treedef.
    ///
    /// The children of a node have to be passed in order, but some may be left out.
    pub(crate) fn pass(
        &mut self,
        bytes: &[u8],
        depth: u32,
        list: &Siblings,
        is_leaf: bool,
        spot: Spot,
    ) {
        let before = self.get(depth);
        let parent = match depth.checked_sub(1) {
            Some(above) => self.get(above).map(|step| step.child),
            None => Some(0),
        };
        let (Some(parent), Some(step)) = (parent, self.steps.get_mut(depth as usize)) else {
            return;
        };
        let after = u32::try_from(list.left()).unwrap_or(0);
        let mut keys = 0;
        // If the children have no keys, the head need not be read again.
        if before.is_none_or(|before| before.keys > 0) {
            let head = Head::trusted(bytes.get(parent as usize..).unwrap_or(&[]));
            let index = |after: u32| head.arity().saturating_sub(after).saturating_sub(1);
            let (mut entries, passed) = match before {
                None => (head.entries(), index(after)),
                Some(before) => {
                    let entries = head.entries_at(index(before.after), before.keys);
                    (entries, before.after.saturating_sub(after))
                }
            };
            if let Some(last) = passed.checked_sub(1) {
                entries.nth(last as usize);
            }
            keys = entries.rest();
        }
        *step = Step { after, keys, child: if is_leaf { 0 } else { list.unit() } };
        (self.known, self.end) = (depth.wrapping_add(1), spot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treedef::treedef::TreeDef;

    #[test]
    fn the_steps_to_a_leaf_are_those_of_the_example() {
        let dict = [0x63, 6, 1, b'a', 1, b'b', 1, b'd'];
        let children = [0x42, 0x01, 0x22, 0x00, 0x61, 2, 1, b'c', 0x00, 0x00];
        let bytes = [&dict[..], &children].concat();
        let mut nodes = TreeDef::from_bytes(&bytes).unwrap().nodes();
        let node = nodes.nth(7).unwrap().unwrap();
        assert_eq!((node.head, node.leaf), (Head::LEAF, 3));
        let steps = nodes.steps();
        let found = [0, 1, 2, 3].map(|depth| steps.get(depth));
        let step = |after, keys, child| Some(Step { after, keys, child });
        assert_eq!(found, [step(1, 4, 10), step(0, 0, 12), step(0, 2, 0), None]);
        assert_eq!(steps.end(), (3, Spot { leaf: 3, rank: 1 }));
    }
}
