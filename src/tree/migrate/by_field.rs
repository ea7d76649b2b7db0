//! Aliases at the fields of a type: they give a field what is stored for its node under another path.

use crate::format::entry::KeyEntry;
use crate::tree::migrate::aliases::{self, Cursors, Pattern, find};
use crate::tree::migrate::node::{OpenFields, Pairs, Step, StoredNode};

/// Whether a field, with this name, has something that is stored: under its name, which is the last argument, or by an alias of the load.
type IsGiven<'l, 'd, N> = dyn Fn(&OpenFields<'_, 'd, N>, KeyEntry<'d>, Option<N>) -> bool + 'l;

/// What is done with a part that is lost, or of which only parts are: as [`Lose`](super::by_alias::Lose), with the step to it.
type LosePart<'l, 'd, N> = dyn FnMut(N, &Step<'_, 'd>, bool) + 'l;

/// Calls the function with a node that has no place, as `ByAlias` does, but for the parts that these aliases give to fields.
type Lose<'d, N> =
    fn(N, &OpenFields<'_, 'd, N>, &Step<'_, 'd>, &IsGiven<'_, 'd, N>, &mut LosePart<'_, 'd, N>);

/// What such aliases do. It is called through this table, so that a program whose types have none does not link it.
pub(crate) struct ByField<'d, N: StoredNode<'d>> {
    /// What is stored for the field of this name, by the first alias that leads to something.
    pub(crate) find: fn(N, Pairs, &str) -> Option<N>,
    pub(crate) lose: Lose<'d, N>,
}

impl<'d, N: StoredNode<'d> + 'd> ByField<'d, N> {
    /// Those of a walk without reports.
    pub(crate) const UNREPORTED: &'d Self = &Self { lose: |_, _, _, _, _| {}, ..*Self::ALL };

    pub(crate) const ALL: &'d Self =
        &Self { find: |around, pairs, field| Some(renamed(around, pairs, field)?.1), lose };
}

/// The first alias of a field that leads to a stored node, and the node.
fn renamed<'d, N: StoredNode<'d>>(
    around: N,
    pairs: Pairs,
    field: &str,
) -> Option<(&'static str, N)> {
    let mut own = pairs.iter().filter(|(_, name)| *name == field);
    own.find_map(|(old, _)| Some((*old, find(old.as_bytes(), around, &[], &Cursors::new())?)))
}

/// What is left of a path in a struct after the part that leads to a node.
fn after<'t, 'd, N: StoredNode<'d>>(
    mut path: Pattern<'t>,
    mut around: N,
    node: N,
) -> Option<Pattern<'t>> {
    while around != node {
        (around, path) = aliases::step(path, around, &mut &[][..], &Cursors::new())?;
    }
    Some(path)
}

fn lose<'d, N: StoredNode<'d>>(
    node: N,
    fields: &OpenFields<'_, 'd, N>,
    step: &Step<'_, 'd>,
    is_given: &IsGiven<'_, 'd, N>,
    lost: &mut LosePart<'_, 'd, N>,
) {
    let (around, pairs, mut is_around) = (fields.stored, fields.own.aliases, false);
    for (old, field) in pairs {
        let Some(rest) = after(old.as_bytes(), around, node) else { continue };
        // A field that has something needs no alias, and another one has the first that leads to something.
        let name = KeyEntry::Attr(field);
        if (fields.own.has)(name)
            && !is_given(fields, name, N::find(&mut around.open(), name, false))
            && renamed(around, pairs, field).is_some_and(|(by, _)| by == *old)
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
            lose(child, fields, &step.to(name), is_given, lost);
        }
    }
}
