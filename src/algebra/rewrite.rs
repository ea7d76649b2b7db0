//! Reads a treedef in preorder and describes it, each node as it is or changed.
//!
//! Repeats stay repeats: a unit is described once and its copies after it.

use crate::base::error::Error;
use crate::base::levels::Rows;
use crate::encode::describe::{Describe, OpenNode};
use crate::encode::encoder::Encode;
use crate::format::head::{Head, Item, Kind, read_item};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// What becomes of a node.
#[derive(Clone, Copy)]
pub(crate) enum Rewritten<'a> {
    /// It stays.
    Keep,
    /// It gets this head and keeps its children.
    Head(Head<'a>),
    /// It and all below it become this treedef.
    Subtree(TreeDef<'a>),
}

/// The levels of a row: an open node.
const LEVELS: usize = 2;

/// Describes `def` to `out`, each node and each run of leaves as `change` says.
///
/// One pass over the bytes; two levels for each level of depth, chains of only or last children take none.
pub(crate) fn rewrite<'a, E: Encode>(
    def: TreeDef<'a>,
    out: &mut Describe<'_, E>,
    change: impl FnMut(Head<'a>) -> Result<Rewritten<'a>, Error>,
) -> Result<(), Error> {
    out.with_levels(|out, rows| rewrite_on(rows, def, out, change))
}

fn rewrite_on<'a, E: Encode>(
    mut rows: Rows<'_, LEVELS>,
    def: TreeDef<'a>,
    out: &mut Describe<'_, E>,
    mut change: impl FnMut(Head<'a>) -> Result<Rewritten<'a>, Error>,
) -> Result<(), Error> {
    let (mut rest, mut depth) = (def.as_bytes(), 0);
    while let Ok((item, after)) = read_item(rest) {
        let here = rest;
        rest = after;
        match item {
            Item::Leaves(count) => leaves(out, change(Head::LEAF)?, count)?,
            Item::Same { copies, .. } => out.repeat(copies as usize)?,
            Item::Node(head) => {
                let new = match change(head)? {
                    Rewritten::Keep => Some(head),
                    Rewritten::Head(new) if new.arity() == head.arity() => Some(new),
                    Rewritten::Head(new) => {
                        let (expected, found) = (head.num_children(), new.num_children());
                        return Err(Error::Arity { expected, found });
                    }
                    Rewritten::Subtree(def) => {
                        rest = skip(here).map_or(&[], |node| node.rest);
                        out.subtree(def)?;
                        None
                    }
                };
                if let Some(new) = new {
                    open(out, &mut rows, &mut depth, &new)?;
                }
            }
        }
        close(out, &mut rows, &mut depth)?;
    }
    Ok(())
}

/// Begins a node, in the first two levels of the next row; one without children also ends.
pub(crate) fn open<E: Encode, const K: usize>(
    out: &mut Describe<'_, E>,
    rows: &mut Rows<'_, K>,
    depth: &mut usize,
    head: &Head<'_>,
) -> Result<(), Error> {
    if head.arity() == 0 {
        return childless(out, head);
    }
    let Some(node) = out.begin_inside(head, *depth > 0)? else { return Ok(()) };
    match rows.put(*depth, node.pack([0; 2])) {
        Some(()) => *depth = depth.saturating_add(1),
        None => return Err(rows.too_deep()),
    }
    Ok(())
}

/// Ends the nodes whose last child was described.
pub(crate) fn close<E: Encode, const K: usize>(
    out: &mut Describe<'_, E>,
    rows: &mut Rows<'_, K>,
    depth: &mut usize,
) -> Result<(), Error> {
    while out.left() == 0
        && let Some(outer) = depth.checked_sub(1)
        && let Some(levels) = rows.row(outer).and_then(|row| row.first_chunk())
    {
        out.end(OpenNode::unpack(levels).0)?;
        *depth = outer;
    }
    Ok(())
}

/// Describes a run of leaves, or what each of them becomes.
fn leaves<E: Encode>(
    out: &mut Describe<'_, E>,
    change: Rewritten<'_>,
    count: u32,
) -> Result<(), Error> {
    match change {
        Rewritten::Keep => return out.leaves(count as usize),
        Rewritten::Head(head) if head.kind() == Kind::Leaf => return out.leaves(count as usize),
        Rewritten::Head(head) if head.arity() == 0 => childless(out, &head)?,
        Rewritten::Head(head) => {
            return Err(Error::Arity { expected: 0, found: head.num_children() });
        }
        Rewritten::Subtree(def) => out.subtree(def)?,
    }
    out.repeat(count.saturating_sub(1) as usize)
}

/// Describes a node without children.
// Not inlined: the caller's frame holds all rows, and need not hold a node without children as well.
#[inline(never)]
fn childless<E: Encode>(out: &mut Describe<'_, E>, head: &Head<'_>) -> Result<(), Error> {
    match head.kind() {
        Kind::Leaf => out.leaves(1),
        Kind::None => out.none(),
        _ => {
            let frame = out.begin(head)?;
            out.end(frame)
        }
    }
}
