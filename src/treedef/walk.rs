//! Visits a treedef in preorder together with the keys, for texts.
//!
//! One stack frame has room for [`SEGMENT`] open nodes. For deeper nodes the walk calls itself, down to
//! [`MAX_TEXT_DEPTH`], so the stack grows with the depth of the tree and is bounded.

use core::fmt;

use crate::format::entry::Entries;
use crate::format::head::Head;
use crate::treedef::preorder::{Event, Keys, Preorder};
use crate::treedef::treedef::TreeDef;

/// Texts of treedefs are exact down to this depth; a node with children below it is written `…`.
///
/// JAX itself cannot flatten trees that are nested deeper than about 1000.
pub const MAX_TEXT_DEPTH: usize = 1024;

/// The number of open nodes in one stack frame, of 24 bytes each.
const SEGMENT: usize = 32;

/// The place of a visited node.
pub(crate) struct Place<'a> {
    /// The head of the parent; `None` at the root.
    pub(crate) parent: Option<Head<'a>>,
    /// The key entries of the parent's children, from this one on.
    pub(crate) entries: Entries<'a>,
    /// The index among the parent's children.
    pub(crate) index: u32,
    /// The number of adjacent equal children that this visit is about.
    pub(crate) count: u32,
    /// Whether no sibling follows.
    pub(crate) last: bool,
    /// The number of levels from the root.
    pub(crate) depth: usize,
}

/// Is called with each node of a treedef.
pub(crate) trait Visitor<'a> {
    /// Whether adjacent equal siblings are visited once, with their number, or one by one.
    fn keep_runs(&self) -> bool;

    /// Called before the children of a node.
    fn enter(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result;

    /// Called after the children of a node.
    fn leave(&mut self, head: &Head<'a>) -> fmt::Result;

    /// Called instead of both for a node with children below [`MAX_TEXT_DEPTH`].
    fn cut(&mut self, place: &Place<'a>, head: &Head<'a>) -> fmt::Result;
}

/// Visits all nodes of `def`.
///
/// The cost of a child is constant in addition to its bytes, however many keys precede its own.
pub(crate) fn walk<'a>(def: TreeDef<'a>, visitor: &mut dyn Visitor<'a>) -> fmt::Result {
    segment(&mut Preorder::new(def), visitor, 0)
}

type Nodes<'a> = Preorder<'a, Keys, SEGMENT>;

/// What a segment of the walk does next.
enum Step<'a> {
    Next,
    /// Visit what is inside this node in a new segment, because there is no room here.
    Inside(Head<'a>, Keys),
    End,
}

/// Visits all nodes of the walk `nodes`, which begins `depth` levels below the root.
fn segment<'a>(nodes: &mut Nodes<'a>, visitor: &mut dyn Visitor<'a>, depth: usize) -> fmt::Result {
    loop {
        match step(nodes, visitor, depth)? {
            Step::Next => {}
            Step::Inside(head, keys) => {
                let mut inner = nodes.inside(&head, keys);
                segment(&mut inner, visitor, depth.saturating_add(SEGMENT))?;
                nodes.after(&inner);
            }
            Step::End => return Ok(()),
        }
    }
}

/// Visits the next node, or leaves the innermost open one.
#[inline(never)]
fn step<'a>(
    nodes: &mut Nodes<'a>,
    visitor: &mut dyn Visitor<'a>,
    depth: usize,
) -> Result<Step<'a>, fmt::Error> {
    let next =
        if visitor.keep_runs() { nodes.next_run() } else { nodes.next().map(|event| (event, 1)) };
    let (head, count) = match next {
        None => return Ok(Step::End),
        Some((Event::Leave(keys), _)) => {
            visitor.leave(&nodes.head(keys))?;
            return Ok(Step::Next);
        }
        Some((Event::Leaf, count)) => (Head::LEAF, count),
        Some((Event::Enter(head), count)) => (head, count),
    };
    let depth = depth.saturating_add(nodes.depth());
    let (parent, index, entries) = match nodes.child(count) {
        Some(child) => (Some(child.parent), child.index, child.entries),
        None => (None, 0, Head::LEAF.entries()),
    };
    let last = nodes.list().left() == 0;
    let place = Place { parent, entries, index, count, last, depth };
    if head.num_children() == 0 {
        visitor.enter(&place, &head)?;
        visitor.leave(&head)?;
        return Ok(Step::Next);
    }
    if depth >= MAX_TEXT_DEPTH {
        visitor.cut(&place, &head)?;
        nodes.skip(&head);
        return Ok(Step::Next);
    }
    visitor.enter(&place, &head)?;
    let keys = nodes.keys(&head);
    Ok(if nodes.open(&head, keys).is_ok() { Step::Next } else { Step::Inside(head, keys) })
}
