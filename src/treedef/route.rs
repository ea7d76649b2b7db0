//! What a walk remembers of the way to where it is, so that paths to there are read without scans.
//!
//! To find an entry of a path again, somebody has to pass over the children before the one that leads on, and over their
//! keys. A walk comes past all of them anyway: its [`Route`] keeps for each node on the way where the child begins and
//! where its key is. At the leaf `"c"` of `{"a": [*, *], "b": (*, {"c": *}), "d": *}`:
//!
//! - depth 0: the child `"b"`, which has 1 sibling after it, begins at byte 10, after 2 leaves; its key and those after
//!   it are the last 4 bytes of the head;
//! - depth 1: the child is a dict with no sibling after it, and begins at byte 12, after 3 leaves;
//! - depth 2: the child is the leaf, the first of its siblings.
//!
//! Where the walk was at the tuple before, depth 0 was as above and nothing was below it: [`Route::pass`] forgets what is
//! below the node that it is about. Where it goes on to the next child of a node, the keys are read from the last one on,
//! so that each key is read once.

use crate::base::levels::{self, Levels};
use crate::format::head::Head;
use crate::treedef::cursor::Siblings;
use crate::treedef::spot::Spot;

/// The levels from the root on of which a walk remembers steps: 24 bytes each.
const MAX_ROUTE: usize = 64;

/// From a node to a child: what a scan of the node would find.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The siblings after the child.
    pub(crate) after: u32,
    /// The bytes at the end of the head from the key of the child on.
    pub(crate) keys: u32,
    /// Where the child begins; 0 for a leaf. A copy begins where the child begins that it copies.
    pub(crate) child: u32,
    /// Where the child is.
    pub(crate) spot: Spot,
}

impl Step {
    /// The step to the child of `list` that was read last, all but its keys.
    pub(crate) fn to_last(list: &Siblings, is_leaf: bool, spot: Spot) -> Self {
        let after = u32::try_from(list.left()).unwrap_or(0);
        Self { after, keys: 0, child: if is_leaf { 0 } else { list.unit() }, spot }
    }
}

/// How far a scan of a node reads to find the child of a step.
#[derive(Clone, Copy)]
enum Reach {
    /// Nowhere: it is the first child.
    First,
    /// To the node that the path leads to.
    Target,
    /// To this byte: there begins the last child, or there ends the repeat of a copy.
    To(u32),
}

/// The way from the root to where a walk is: a step for each node that is open.
#[derive(Clone)]
pub(crate) struct Route(Levels<(Step, Reach), MAX_ROUTE>);

impl Route {
    pub(crate) fn new() -> Self {
        Self(levels::empty())
    }

    /// Goes to a child of the node that is `depth` levels below the root, to which the route leads; `bytes` are those
    /// of the whole treedef, `step` is [to the child](Step::to_last) and `list` the list that it is in.
    ///
    /// The children of a node come in order, but some may be left out.
    pub(crate) fn pass(&mut self, bytes: &[u8], depth: usize, mut step: Step, list: &Siblings) {
        let parent = match depth.checked_sub(1) {
            None => 0,
            Some(above) => match self.0.get(above) {
                Some((above, _)) => above.child,
                // The node is too deep.
                None => return,
            },
        };
        let before = self.0.get(depth).map(|(before, _)| *before);
        self.0.truncate(depth);
        if self.0.is_full() {
            return;
        }
        let mut reach = match list.resume() {
            None if step.after == 0 && step.child > 0 => Reach::To(step.child),
            None => Reach::Target,
            Some(end) => Reach::To(end),
        };
        // A node whose children have no keys need not be read again.
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
            if index(step.after) == 0 {
                reach = Reach::First;
            }
            step.keys = entries.rest();
        }
        let _ = self.0.push((step, reach));
    }

    /// What a path keeps that leads to where the walk is, which is at the byte `target`.
    pub(crate) fn steps(&self, target: u32) -> Steps {
        let (mut steps, mut costs, mut parent) = (Steps::NONE, [0; Steps::ROOM], 0u32);
        for (depth, (step, reach)) in (0..=u8::MAX).zip(&self.0) {
            let reached = match reach {
                Reach::First => {
                    steps.first |= 1u64.wrapping_shl(u32::from(depth));
                    0
                }
                Reach::Target => target,
                Reach::To(end) => *end,
            };
            // The bytes that a scan of the node would read, without the keys that it would not.
            let cost = reached.saturating_sub(parent).saturating_sub(step.keys);
            steps.keep(depth, *step, cost, &mut costs);
            parent = step.child;
        }
        steps
    }
}

/// What a path remembers of the way: 176 bytes.
///
/// The steps that would be most expensive to find again, where there are more than there is room for; and which other
/// steps lead to first children, which are not looked for. Models are rarely that deep.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// The levels from the root at which steps to first children begin, as bits.
    first: u64,
    /// The levels from the root at which the steps that are remembered begin; [`Steps::FREE`] where there is none.
    depths: [u8; Self::ROOM],
    steps: [Step; Self::ROOM],
}

/// What a path remembers of one step.
pub(crate) enum Known {
    Step(Step),
    /// The step leads to the first child.
    First,
    Nothing,
}

impl Steps {
    const ROOM: usize = 8;

    const FREE: u8 = u8::MAX;

    pub(crate) const NONE: Self = Self {
        first: 0,
        depths: [Self::FREE; Self::ROOM],
        steps: [const { Step { after: 0, keys: 0, child: 0, spot: Spot::ROOT } }; Self::ROOM],
    };

    /// The step from the node that is `depth` levels below the root.
    pub(crate) fn at(&self, depth: u32) -> Known {
        let Some(bit) = 1u64.checked_shl(depth) else { return Known::Nothing };
        if self.first & bit != 0 {
            return Known::First;
        }
        let mut steps = self.depths.iter().zip(&self.steps);
        match steps.find(|(own, _)| u32::from(**own) == depth) {
            Some((_, step)) => Known::Step(*step),
            None => Known::Nothing,
        }
    }

    /// Keeps a step that has this cost in a free place or in that of the step that costs least, if that is less;
    /// `costs` are those of the steps that are kept.
    fn keep(&mut self, depth: u8, step: Step, cost: u32, costs: &mut [u32; Self::ROOM]) {
        // A free place costs nothing, and a step is never for nothing.
        let places = costs.iter_mut().zip(&mut self.depths).zip(&mut self.steps);
        if let Some(((least, own), place)) = places.min_by_key(|((cost, _), _)| **cost)
            && *least < cost
        {
            (*least, *own, *place) = (cost, depth, step);
        }
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
        let here = core::iter::from_fn(|| nodes.read()).flatten().nth(7).unwrap();
        assert_eq!((here.head, here.spot.leaf), (Head::LEAF, 3));
        let steps = nodes.steps();
        let found = [0, 1, 2, 3].map(|depth| match steps.at(depth) {
            Known::Step(step) => {
                Some([step.after, step.keys, step.child, step.spot.leaf, step.spot.rank])
            }
            Known::First => Some([0; 5]),
            Known::Nothing => None,
        });
        assert_eq!(found, [Some([1, 4, 10, 2, 0]), Some([0, 0, 12, 3, 0]), Some([0; 5]), None]);
    }

    #[test]
    fn the_most_expensive_steps_are_kept() {
        let (mut steps, mut costs) = (Steps::NONE, [0; Steps::ROOM]);
        for (depth, cost) in (0..).zip([5, 0, 9, 1, 7, 2, 8, 3, 6, 4, 10, 2]) {
            steps.keep(depth, Step { child: cost, ..Steps::NONE.steps[0] }, cost, &mut costs);
        }
        let kept = (0..12).filter(|depth| matches!(steps.at(*depth), Known::Step(_)));
        assert!(kept.eq([0, 2, 4, 6, 7, 8, 9, 10]));
        assert!(matches!(steps.at(10), Known::Step(step) if step.child == 10));
        assert!(matches!(steps.at(255), Known::Nothing));
    }
}
