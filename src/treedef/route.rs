//! What a walk remembers of the way to where it is, so that paths to there are read without scans.
//!
//! To find an entry of a path again, somebody has to pass over the children before the one that leads on, and over their
//! keys. A walk comes past all of them anyway: its [`Route`] keeps for each node on the way where the child begins and
//! where its key is. In `{"a": [*, *], "b": (*, {"c": *})}`, at the last leaf:
//!
//! - depth 0: the child with no sibling after it, `"b"`, begins at byte 9, after 2 leaves;
//! - depth 1: the child with no sibling after it, the dict, begins at byte 11, after 3 leaves;
//! - depth 2: the child with no sibling after it is a leaf, after 3 leaves.
//!
//! When the walk comes to the tuple, the first step is as above and nothing is below it: [`Route::pass`] forgets what is
//! below the node that it is about. When it goes on to the next child of a node, the keys are read from the last one on,
//! so each key is read once.

use crate::base::levels::{self, Levels};
use crate::format::head::Head;

/// The steps that a walk remembers, of the outermost nodes on the way: 20 bytes each.
pub(crate) const MAX_ROUTE: usize = 64;

/// From a node to a child: what a scan of the node would find.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    /// The siblings after the child.
    pub(crate) after: u32,
    /// The bytes at the end of the head from the key of the child on; [`Route::pass`] finds it.
    pub(crate) keys: u32,
    /// Where the child begins; 0 for a leaf. A copy begins where the child begins that it copies.
    pub(crate) child: u32,
    /// The leaves before the child.
    pub(crate) leaf: u32,
    /// The nodes after the last of those leaves and before the child.
    pub(crate) rank: u32,
}

/// The way from the root to where a walk is: a step for each node that is open.
#[derive(Clone)]
pub(crate) struct Route(Levels<Step, MAX_ROUTE>);

impl Route {
    pub(crate) fn new() -> Self {
        Self(levels::empty())
    }

    /// Goes to a child of the node that is `depth` levels below the root, to which the route leads; `bytes` are those
    /// of the whole treedef, and `step` is all about the child but its keys.
    ///
    /// The children of a node come in order, but some may be left out.
    pub(crate) fn pass(&mut self, bytes: &[u8], depth: usize, mut step: Step) {
        let parent = match depth.checked_sub(1) {
            None => 0,
            Some(above) => match self.0.get(above) {
                Some(above) => above.child,
                // The node is too deep.
                None => return,
            },
        };
        let before = self.0.get(depth).copied();
        self.0.truncate(depth);
        if self.0.is_full() {
            return;
        }
        if before.is_none_or(|before| before.keys > 0) {
            let head = Head::trusted(bytes.get(parent as usize..).unwrap_or(&[]));
            let index = |after: u32| head.arity().saturating_sub(after).saturating_sub(1);
            let (mut entries, passed) = match before {
                None => (head.entries(), index(step.after)),
                Some(before) => {
                    let entries = head.entries_at(index(before.after), before.keys);
                    (entries, before.after.saturating_sub(step.after))
                }
            };
            if let Some(last) = passed.checked_sub(1) {
                entries.nth(last as usize);
            }
            step.keys = entries.rest();
        }
        let _ = self.0.push(step);
    }

    /// The steps to keep in a path to where the walk is.
    pub(crate) fn steps(&self) -> Steps {
        let (mut steps, mut costs, mut parent) = (Steps::NONE, [0; Steps::ROOM], 0u32);
        for (depth, step) in (0..).zip(&self.0) {
            // The bytes from the head of the node to the child, without the keys that are not passed. A step to a leaf
            // is the last one, and is always kept.
            let passed = step.child.checked_sub(parent);
            let cost = passed.map_or(u32::MAX, |passed| passed.saturating_sub(step.keys));
            steps.keep(depth, step, cost, &mut costs);
            parent = step.child;
        }
        steps
    }
}

/// Some of the steps on the way to a node, from the root on: 168 bytes.
///
/// Those that are most expensive to find again, where there are more than there is room for. Models are rarely that
/// deep.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// How many levels below the root each step begins; [`Steps::FREE`] where there is none.
    depths: [u8; Self::ROOM],
    steps: [Step; Self::ROOM],
}

impl Steps {
    pub(crate) const ROOM: usize = 8;

    const FREE: u8 = u8::MAX;

    pub(crate) const NONE: Self = Self {
        depths: [Self::FREE; Self::ROOM],
        steps: [const { Step { after: 0, keys: 0, child: 0, leaf: 0, rank: 0 } }; Self::ROOM],
    };

    /// The step from the node that is `depth` levels below the root.
    pub(crate) fn at(&self, depth: u32) -> Option<Step> {
        let mut steps = self.depths.iter().zip(&self.steps);
        let is_here = |own: u8| own != Self::FREE && u32::from(own) == depth;
        steps.find(|(own, _)| is_here(**own)).map(|(_, step)| *step)
    }

    /// Adds the step below all others, which has this cost, if there is room for it or a step that costs less; `costs`
    /// are those of the steps.
    fn keep(&mut self, depth: u8, step: &Step, cost: u32, costs: &mut [u32; Self::ROOM]) {
        let mut slot = self.depths.iter().position(|depth| *depth == Self::FREE);
        if slot.is_none()
            && let Some((least, _)) = costs.iter().enumerate().min_by_key(|(_, cost)| **cost)
            && costs.get(least).is_some_and(|least| *least < cost)
            && let Some(costs) = costs.get_mut(least..)
            && let Some(depths) = self.depths.get_mut(least..)
            && let Some(steps) = self.steps.get_mut(least..)
        {
            costs.rotate_left(1);
            depths.rotate_left(1);
            steps.rotate_left(1);
            slot = Self::ROOM.checked_sub(1);
        }
        if let Some(slot) = slot
            && let Some(costs) = costs.get_mut(slot)
            && let Some(own) = self.depths.get_mut(slot)
            && let Some(steps) = self.steps.get_mut(slot)
        {
            (*costs, *own, *steps) = (cost, depth, *step);
        }
    }
}
