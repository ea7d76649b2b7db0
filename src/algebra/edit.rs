//! Describes an edited copy of a treedef: a recursion over its nodes, in preorder.
//!
//! A function is called at each node and at each run of leaves, and decides what becomes of it. For example,
//! `[(*, *), (*, *), {'a': *}]` is encoded as a list of 3, a tuple of 2, a run of 2 leaves, a repeat of 1 copy, and a dict
//! with a leaf. With a call for each copy ([`EACH`]), the calls are:
//!
//! ```text
//! list            Keep       begins the list
//! tuple           Keep       begins the tuple
//! leaf, leaf      Keep       the tuple ends
//! tuple           Subtree    the bytes of the tuple are read once more, and passed over
//! dict            Keep       begins the dict
//! leaf            Keep       the dict and the list end
//! ```
//!
//! Without such calls ([`TOGETHER`]), the repeat is described as a repeat.

use crate::base::error::Error;
use crate::base::show::debug_enum;
use crate::encode::writer::Writer;
use crate::format::head::{Head, Item, Kind, read_item};
use crate::treedef::scan::skip;
use crate::treedef::treedef::TreeDef;

/// What [`TreeDef::transform`] makes of a node.
///
/// # Examples
///
/// ```
/// use treedef::algebra::Change;
/// use treedef::{Kind, TreeDef, matches, treedef};
///
/// let cut = treedef!([(*, *), *]).transform(|head| match head.kind() {
///     Kind::Tuple => Ok(Change::Subtree(TreeDef::LEAF)),
///     _ => Ok(Change::Keep),
/// });
/// assert_eq!(matches(&cut, treedef!([*, *])), Ok(()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change<'a> {
    /// The node stays as it is.
    Keep,
    /// The node gets another head with the same number of children.
    Head(Head<'a>),
    /// The node and all below it become this treedef.
    Subtree(TreeDef<'a>),
}

debug_enum!(Change<'_> { Keep, Head(head), Subtree(def) });

/// One call for all leaves of a run, and none for copies.
pub(crate) const TOGETHER: bool = false;

/// A call for each leaf and each copy.
pub(crate) const EACH: bool = true;

/// Describes a copy of `def` that `change` edits.
pub(crate) fn edit<'a, const ALONE: bool>(
    def: TreeDef<'a>,
    out: &mut Writer<'_>,
    mut change: impl FnMut(Head<'a>) -> Result<Change<'a>, Error>,
) {
    let left = out.left_after_one();
    children::<ALONE>(def.as_bytes(), left, out, &mut change);
}

/// Describes the nodes at the front of `rest` until the open node lacks `left` children, and returns the bytes after them.
fn children<'a, const ALONE: bool>(
    mut rest: &'a [u8],
    left: u32,
    out: &mut Writer<'_>,
    change: &mut impl FnMut(Head<'a>) -> Result<Change<'a>, Error>,
) -> &'a [u8] {
    let mut unit = rest;
    while out.left() > left
        && let Some((item, after)) = read_item(rest)
    {
        match item {
            Item::Leaves(count) if ALONE => each(count, out, |out| leaves(1, out, change)),
            Item::Leaves(count) => leaves(count, out, change),
            Item::Same { copies, .. } if ALONE => each(copies, out, |out| {
                node::<ALONE>(unit, out, change);
            }),
            Item::Same { copies, .. } => out.repeat(copies as usize),
            Item::Node(_) => {
                (unit, rest) = (rest, node::<ALONE>(rest, out, change));
                continue;
            }
        }
        rest = after;
    }
    rest
}

/// Calls `child` for each of `count` children, up to the first error.
fn each(count: u32, out: &mut Writer<'_>, mut child: impl FnMut(&mut Writer<'_>)) {
    for _ in 0..count {
        if !out.is_well() {
            return;
        }
        child(out);
    }
}

/// Describes the node at the front of `bytes`, and returns the bytes after it.
fn node<'a, const ALONE: bool>(
    bytes: &'a [u8],
    out: &mut Writer<'_>,
    change: &mut impl FnMut(Head<'a>) -> Result<Change<'a>, Error>,
) -> &'a [u8] {
    let Some((Item::Node(head), rest)) = read_item(bytes) else { return &[] };
    let (expected, kept) = match change(head) {
        Ok(Change::Subtree(def)) => {
            out.subtree(def);
            return skip(bytes).map_or(&[], |node| node.rest);
        }
        Ok(Change::Keep) => (head.num_children(), head),
        Ok(Change::Head(new)) => (head.num_children(), new),
        Err(error) => {
            out.fail(error);
            return &[];
        }
    };
    let mut after = rest;
    keep(&kept, expected, out, |out| after = children::<ALONE>(rest, 0, out, change));
    after
}

/// Describes `count` leaves.
fn leaves<'a>(
    count: u32,
    out: &mut Writer<'_>,
    change: &mut impl FnMut(Head<'a>) -> Result<Change<'a>, Error>,
) {
    match change(Head::LEAF) {
        Ok(Change::Keep) => return out.leaves(count as usize),
        Ok(Change::Subtree(def)) => out.subtree(def),
        Ok(Change::Head(head)) => keep(&head, 0, out, |_| {}),
        Err(error) => return out.fail(error),
    }
    out.repeat(count.saturating_sub(1) as usize);
}

/// Describes a node with this head, which has to have `expected` children.
pub(crate) fn keep(
    head: &Head<'_>,
    expected: usize,
    out: &mut Writer<'_>,
    children: impl FnOnce(&mut Writer<'_>),
) {
    let found = head.num_children();
    match head.kind() {
        _ if expected != found => out.fail(Error::Arity { expected, found }),
        Kind::Leaf => out.leaves(1),
        Kind::None => out.none(),
        _ => {
            let node = out.begin_head(head);
            if node.is_open() {
                children(out);
                out.end(node);
            }
        }
    }
}
