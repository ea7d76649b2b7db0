//! Reads a treedef in preorder and tells it to a out, each node as it is or changed.
//!
//! Repeats stay repeats: a unit is told once and its copies after it.

use crate::base::error::Error;
use crate::base::levels::{self, Levels};
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

/// The levels that the rewriting operations have room for where the caller gives no number.
pub(crate) const DEPTH: usize = crate::encode::depth::MAX_DEPTH as usize;

/// A level: children that are left behind the open one, and the frame of the node they belong to.
type Level<F> = (u32, F);

/// Tells `def` to `out`, each node and each run of leaves as `change` says.
///
/// One pass over the bytes; `D` levels are held on the stack, chains of only or last children take none.
pub(crate) fn rewrite<'a, E: Encode, const D: usize>(
    def: TreeDef<'a>,
    out: &mut Describe<'_, E>,
    mut change: impl FnMut(Head<'a>) -> Result<Rewritten<'a>, Error>,
) -> Result<(), Error> {
    let limit = u32::try_from(D).unwrap_or(u32::MAX);
    out.allow(limit);
    let mut levels: Levels<Level<OpenNode<E>>, D> = levels::empty();
    let (mut rest, mut left) = (def.as_bytes(), 1u32);
    while let Ok((item, after)) = read_item(rest) {
        let here = rest;
        rest = after;
        match item {
            Item::Leaves(count) => {
                left = left.saturating_sub(count);
                leaves(out, change(Head::LEAF)?, count)?;
            }
            Item::Same { copies, .. } => {
                left = left.saturating_sub(copies);
                out.repeat(copies as usize)?;
            }
            Item::Node(head) => {
                left = left.saturating_sub(1);
                let new = match change(head)? {
                    Rewritten::Keep => head,
                    Rewritten::Head(new) if new.arity() == head.arity() => new,
                    Rewritten::Head(new) => {
                        let (expected, found) = (head.num_children(), new.num_children());
                        return Err(Error::Arity { expected, found });
                    }
                    Rewritten::Subtree(def) => {
                        rest = skip(here).map_or(&[], |node| node.rest);
                        out.subtree(def)?;
                        continue_up(out, &mut levels, &mut left)?;
                        continue;
                    }
                };
                if new.arity() == 0 {
                    childless(out, &new)?;
                } else {
                    let last = left == 0 && !levels.is_empty();
                    let frame = if last { out.begin_last(&new)? } else { Some(out.begin(&new)?) };
                    if let Some(frame) = frame {
                        levels.push((left, frame)).map_err(|_| Error::TooDeep { limit })?;
                    }
                    left = new.arity();
                }
            }
        }
        continue_up(out, &mut levels, &mut left)?;
    }
    Ok(())
}

/// Ends the nodes whose last child was told.
fn continue_up<E: Encode, const D: usize>(
    out: &mut Describe<'_, E>,
    levels: &mut Levels<Level<OpenNode<E>>, D>,
    left: &mut u32,
) -> Result<(), Error> {
    while *left == 0
        && let Some((siblings, frame)) = levels.pop()
    {
        out.end(frame)?;
        *left = siblings;
    }
    Ok(())
}

/// Tells a run of leaves, or what each of them becomes.
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

/// Tells a node without children.
pub(crate) fn childless<E: Encode>(
    out: &mut Describe<'_, E>,
    head: &Head<'_>,
) -> Result<(), Error> {
    match head.kind() {
        Kind::Leaf => out.leaves(1),
        Kind::None => out.none(),
        _ => {
            let frame = out.begin(head)?;
            out.end(frame)
        }
    }
}
