//! Remembers the way to the current node of a walk, so that paths to it are read without scans.
//!
//! To find an entry of a path, a scan has to pass over the children before the one that leads on, and over their keys.
//! A walk passes them anyway, so its [`Route`] keeps for each node on the way where the child and its key begin. At the
//! leaf `"c"` of `{"a": [*, *], "b": (*, {"c": *}), "d": *}`:
//!
//! - depth 0: the child `"b"`, which has 1 sibling after it, begins at byte 10, after 2 leaves; its key and those after
//!   it are the last 4 bytes of the head;
//! - depth 1: the child is a dict with no sibling after it, and begins at byte 12, after 3 leaves;
//! - depth 2: the child is the leaf, the first of its siblings.
//!
//! When the walk was at the tuple, the route had depth 0 only: [`Route::pass`] removes the steps below the child that
//! it goes to. For the next child of a node, the keys are read from the last one on, so each key is read once.

use crate::base::levels::{self, Levels};
use crate::format::head::Head;
use crate::treedef::cursor::Siblings;
use crate::treedef::spot::Spot;

/// The number of levels, from the root on, for which a walk remembers steps, of 24 bytes each.
const MAX_ROUTE: usize = 64;

/// A step from a node to a child: what a scan of the node would find.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The number of siblings after the child.
    pub(crate) after: u32,
    /// The number of bytes at the end of the head from the key of the child on.
    pub(crate) keys: u32,
    /// Where the bytes of the child begin; 0 for a leaf. A copy has the bytes of the child that it copies.
    pub(crate) child: u32,
    /// The spot of the child.
    pub(crate) spot: Spot,
}

impl Step {
    /// The step to the child of `list` that was read last, without its keys.
    pub(crate) fn to_last(list: &Siblings, is_leaf: bool, spot: Spot) -> Self {
        let after = u32::try_from(list.left()).unwrap_or(0);
        Self { after, keys: 0, child: if is_leaf { 0 } else { list.unit() }, spot }
    }
}

/// How far a scan of a node reads to find the child of a step.
#[derive(Clone, Copy)]
enum Reach {
    /// It reads nothing: the child is the first one.
    First,
    /// To the node that the path leads to.
    Target,
    /// To this byte, where the last child begins, or where the repeat ends if the child is a copy.
    To(u32),
}

/// The way from the root to the current node of a walk: a step for each open node.
#[derive(Clone)]
pub(crate) struct Route(Levels<(Step, Reach), MAX_ROUTE>);

impl Route {
    pub(crate) fn new() -> Self {
        Self(levels::empty())
    }

    /// Goes to a child of the node that is `depth` levels below the root on this route. `bytes` are those of the whole
    /// treedef, `step` is the [step to the child](Step::to_last), and `list` contains the child.
    ///
    /// The children of a node have to be passed in order, but some may be left out.
    pub(crate) fn pass(&mut self, bytes: &[u8], depth: usize, mut step: Step, list: &Siblings) {
        let parent = match depth.checked_sub(1) {
            None => 0,
            Some(above) => match self.0.get(above) {
                Some((above, _)) => above.child,
                // The route does not reach this depth.
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
        // If the children have no keys, the head need not be read again.
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

    /// The steps that a path to the current node keeps. `target` is the position of the walk in the bytes.
    pub(crate) fn steps(&self, target: u32) -> Steps {
        let (mut steps, mut costs, mut parent) = (Steps::NONE, [0; Steps::ROOM], 0u32);
        let mut free = 0;
        for (depth, (step, reach)) in (0..=u8::MAX).zip(&self.0) {
            let reached = match reach {
                Reach::First => {
                    steps.first |= 1u64.wrapping_shl(u32::from(depth));
                    0
                }
                Reach::Target => target,
                Reach::To(end) => *end,
            };
            // The number of bytes that a scan of the node would read. It would not read the keys from that of the child
            // on.
            let cost = reached.saturating_sub(parent).saturating_sub(step.keys);
            steps.keep(depth, *step, cost, &mut costs, &mut free);
            parent = step.child;
        }
        steps
    }
}

/// The steps that a path remembers, in 176 bytes.
///
/// If there is not room for all steps, it has those that would be most expensive to find again. It also knows which of
/// the other steps lead to first children, which need no scan.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// A bit for each level from the root: whether the step from there leads to a first child.
    first: u64,
    /// For each remembered step the level from the root at which it begins; [`Steps::FREE`] if there is none.
    depths: [u8; Self::ROOM],
    steps: [Step; Self::ROOM],
}

/// What a path knows of one step.
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

    /// Keeps a step with this cost in the place `free`, or in place of the cheapest step if no place is free and that
    /// costs less. `costs` are those of the kept steps.
    fn keep(
        &mut self,
        depth: u8,
        step: Step,
        cost: u32,
        costs: &mut [u32; Self::ROOM],
        free: &mut usize,
    ) {
        let mut places = costs.iter_mut().zip(&mut self.depths).zip(&mut self.steps);
        let place = match *free < Self::ROOM {
            true => places.nth(*free),
            false => places.min_by_key(|((cost, _), _)| **cost),
        };
        // A free place has the cost 0. A step that costs nothing is not kept.
        if let Some(((least, own), place)) = place
            && *least < cost
        {
            (*least, *own, *place) = (cost, depth, step);
            *free = free.wrapping_add(1);
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
        let (mut steps, mut costs, mut free) = (Steps::NONE, [0; Steps::ROOM], 0);
        for (depth, cost) in (0..).zip([5, 0, 9, 1, 7, 2, 8, 3, 6, 4, 10, 2]) {
            steps.keep(
                depth,
                Step { child: cost, ..Steps::NONE.steps[0] },
                cost,
                &mut costs,
                &mut free,
            );
        }
        let kept = (0..12).filter(|depth| matches!(steps.at(*depth), Known::Step(_)));
        assert!(kept.eq([0, 2, 4, 6, 7, 8, 9, 10]));
        assert!(matches!(steps.at(10), Known::Step(step) if step.child == 10));
        assert!(matches!(steps.at(255), Known::Nothing));
    }
}
