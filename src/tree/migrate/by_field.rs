//! Aliases at the fields of a type: they give a field what is stored for its node under another path.

use crate::format::entry::KeyEntry;
use crate::tree::migrate::aliases::{self, Cursors, PathNode, Pattern, Step};
use crate::tree::migrate::by_alias::Lose;
use crate::tree::migrate::children::{Children, Node};
use crate::treedef::pattern::after;

/// The aliases at a type, as [`Fields`](crate::encode::schema::Fields) has them: what is stored, and the name of the field.
pub(crate) type Pairs = &'static [(&'static str, &'static str)];

/// What such aliases do. It is called through this table, so that a program whose types have none does not link it.
pub(crate) struct ByField {
    /// What is stored for the field of this name, by the first alias that leads to something.
    pub(crate) find: for<'d> fn(Node<'d>, Pairs, &str) -> Option<Node<'d>>,
    /// Which of the first 64 aliases give a field something, as bits.
    pub(crate) used: fn(Node<'_>, Pairs) -> u64,
    /// Calls the function with a child of a node that is no field of the type, as `ByAlias` does, but for the parts that these aliases give to
    /// fields.
    pub(crate) lose: for<'d> fn(Node<'d>, Pairs, u64, KeyEntry<'d>, &mut Lose<'_, Node<'d>>),
}

pub(crate) static BY_FIELD: ByField = ByField {
    find: |around, pairs, field| find(around, pairs, field),
    used: |around, pairs| {
        let bits = pairs.iter().zip(0..64u32);
        bits.fold(0, |used, ((old, field), bit)| {
            // A field that is stored needs no alias, and one that is not has the first that leads to something.
            let is_stored = Children::of(around).find(KeyEntry::Attr(field), false).is_some();
            let is_used = !field.is_empty()
                && !is_stored
                && renamed(around, pairs, field).is_some_and(|(by, _)| by == *old);
            used | u64::from(is_used).unbounded_shl(bit)
        })
    },
    lose: |node, pairs, used, name, lost| {
        lose(node, pairs, used, &Step { name, ..Step::ROOT }, lost)
    },
};

/// The stored node that the first alias of a field leads to which leads to any.
pub(crate) fn find<'d, N: PathNode<'d>>(around: N, pairs: Pairs, field: &str) -> Option<N> {
    Some(renamed(around, pairs, field)?.1)
}

/// The first alias of a field that leads to a stored node, and the node.
fn renamed<'d, N: PathNode<'d>>(around: N, pairs: Pairs, field: &str) -> Option<(&'static str, N)> {
    let mut own = pairs.iter().filter(|(_, name)| *name == field);
    own.find_map(|(old, _)| {
        Some((*old, aliases::find(old.as_bytes(), around, &[], &Cursors::new())?))
    })
}

/// What is left of a path that begins with these steps.
fn rest<'t>(path: Pattern<'t>, step: &Step<'_, '_>) -> Option<Pattern<'t>> {
    let path = step.up.map_or(Some(path), |up| rest(path, up))?;
    match step.name {
        KeyEntry::Some => Some(path),
        name => after(path, name),
    }
}

/// Calls the function with the node that these steps lead to, but for the parts that aliases give to fields.
fn lose<'d>(
    node: Node<'d>,
    pairs: Pairs,
    used: u64,
    step: &Step<'_, 'd>,
    lost: &mut Lose<'_, Node<'d>>,
) {
    let mut is_around = false;
    for ((old, _), bit) in pairs.iter().zip(0..64u32) {
        if used.unbounded_shr(bit) & 1 == 1
            && let Some(rest) = rest(old.as_bytes(), step)
        {
            if rest.is_empty() {
                return;
            }
            is_around = true;
        }
    }
    lost(node, !is_around);
    if !is_around {
        return;
    }
    let mut children = Children::of(node);
    let names = children.head.entries();
    for (index, name) in (0..children.head.arity()).zip(names) {
        if let Some(child) = children.child(index) {
            lose(child, pairs, used, &step.to(name), lost);
        }
    }
}
