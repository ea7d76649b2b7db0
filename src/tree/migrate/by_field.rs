//! Aliases at the fields of a type: they give a field what is stored for its node under another path.

use crate::format::entry::KeyEntry;
use crate::tree::migrate::aliases::{self, Cursors, Pattern};
use crate::tree::migrate::node::{OpenFields, Pairs, Step, StoredNode};
use crate::treedef::pattern::after;

/// What is done with a part that is lost, or of which only parts are: as [`Lose`](super::by_alias::Lose), with the step to it.
type LosePart<'l, 'd, N> = dyn FnMut(N, &Step<'_, 'd>, bool) + 'l;

/// What such aliases do. It is called through this table, so that a program whose types have none does not link it.
pub(crate) struct ByField<'d, N: StoredNode<'d>> {
    /// What is stored for the field of this name, by the first alias that leads to something.
    pub(crate) find: fn(N, Pairs, &str) -> Option<N>,
    /// Which of the first 64 aliases give a field something, as bits. An alias of the load gives some fields theirs.
    pub(crate) used: fn(N, Pairs, is_given: &dyn Fn(&'static str) -> bool) -> u64,
    /// Calls the function with a node that has no place, as `ByAlias` does, but for the parts that these aliases give to fields.
    pub(crate) lose: fn(N, &OpenFields<'_>, &Step<'_, 'd>, &mut LosePart<'_, 'd, N>),
}

impl<'d, N: StoredNode<'d> + 'd> ByField<'d, N> {
    /// Those of a walk without reports.
    pub(crate) const UNREPORTED: &'d Self =
        &Self { used: |_, _, _| 0, lose: |_, _, _, _| {}, ..*Self::ALL };

    pub(crate) const ALL: &'d Self =
        &Self { find: |around, pairs, field| Some(renamed(around, pairs, field)?.1), used, lose };
}

fn used<'d, N: StoredNode<'d>>(
    around: N,
    pairs: Pairs,
    is_given: &dyn Fn(&'static str) -> bool,
) -> u64 {
    let bits = pairs.iter().zip(0..64u32);
    bits.fold(0, |used, ((old, field), bit)| {
        // A field that is stored needs no alias, and one that is not has the first that leads to something.
        let name = KeyEntry::Attr(field);
        let is_stored = N::find(&mut around.open(), name, false).is_some();
        let is_used = !field.is_empty()
            && !is_stored
            && !is_given(field)
            && renamed(around, pairs, field).is_some_and(|(by, _)| by == *old);
        used | u64::from(is_used).unbounded_shl(bit)
    })
}

/// The first alias of a field that leads to a stored node, and the node.
fn renamed<'d, N: StoredNode<'d>>(
    around: N,
    pairs: Pairs,
    field: &str,
) -> Option<(&'static str, N)> {
    let mut own = pairs.iter().filter(|(_, name)| *name == field);
    own.find_map(|(old, _)| {
        Some((*old, aliases::find(old.as_bytes(), around, &[], &Cursors::new())?))
    })
}

/// What is left of a path that begins with these steps, after the first ones, of this number.
fn rest<'t>(path: Pattern<'t>, step: &Step<'_, '_>, before: u32) -> Option<Pattern<'t>> {
    let Some(up) = step.up.filter(|_| step.len > before) else { return Some(path) };
    let path = rest(path, up, before)?;
    match step.name {
        KeyEntry::Some => Some(path),
        name => after(path, name),
    }
}

/// Calls the function with the node that these steps lead to, but for the parts that aliases give to fields.
fn lose<'d, N: StoredNode<'d>>(
    node: N,
    fields: &OpenFields<'_>,
    step: &Step<'_, 'd>,
    lost: &mut LosePart<'_, 'd, N>,
) {
    let mut is_around = false;
    for ((old, _), bit) in fields.pairs.iter().zip(0..64u32) {
        if fields.used.unbounded_shr(bit) & 1 == 1
            && let Some(rest) = rest(old.as_bytes(), step, fields.len)
        {
            if rest.is_empty() {
                return;
            }
            is_around = true;
        }
    }
    lost(node, step, !is_around);
    if !is_around {
        return;
    }
    let mut open = node.open();
    for (name, index) in N::names(&open).zip(0..u32::MAX) {
        if let Some(child) = N::child(&mut open, index) {
            lose(child, fields, &step.to(name), lost);
        }
    }
}
