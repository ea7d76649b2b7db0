//! Finds the first node at which two nodes differ, in one walk over both.

use crate::format::head::Head;
use crate::format::validate::MAX_PENDING;
use crate::treedef::preorder::{Event, Preorder};
use crate::treedef::treedef::TreeDef;

/// Number of leading nodes that the nodes at the front of `one` and `other` share, in preorder with repeats written out.
///
/// If more than [`MAX_PENDING`] lists are open, it returns the number of nodes up to there.
#[cold]
#[inline(never)]
pub(crate) fn nodes_in_common(one: &[u8], other: &[u8]) -> u32 {
    let [mut one, mut other] =
        [one, other].map(|bytes| Preorder::<(), MAX_PENDING>::new(TreeDef::trusted(bytes, 0)));
    let mut nodes = 0u32;
    while let (Some(mine), Some(theirs)) = (next(&mut one), next(&mut other))
        && mine == theirs
    {
        nodes = nodes.wrapping_add(1);
    }
    nodes
}

/// The head of the next node, which is opened.
fn next<'a>(walk: &mut Preorder<'a, (), MAX_PENDING>) -> Option<Head<'a>> {
    loop {
        if let Event::Enter(head) = walk.next()? {
            if head.arity() > 0 {
                walk.open_last(&head, ()).ok()?;
            }
            return Some(head);
        }
    }
}
