//! Aliases at the fields of a type: they give a field what is stored for its node under another path.

use crate::format::entry::KeyEntry;
use crate::tree::migrate::aliases::{self, Cursors, Pattern, find};
use crate::tree::migrate::by_alias::{ByAlias, Task};
use crate::tree::migrate::node::{OpenFields, Pairs, Step, StoredNode};

/// What is done with a part that is lost, or of which only parts are: as [`Lose`](super::by_alias::Lose), with the step to it.
type LosePart<'l, 'd, N> = dyn FnMut(N, &Step<'_, 'd>, bool) + 'l;

/// What such aliases do. It is called through this table, so that a program whose types have none does not link it.
pub(crate) struct ByField<'d, N: StoredNode<'d>> {
    /// What is stored for the field of this name, by the first alias that leads to something.
    pub(crate) find: fn(N, Pairs, &str) -> Option<N>,
    /// Calls the function with a node that has no place, as `ByAlias` does, but for the parts that these aliases give to fields.
    pub(crate) lose: Lose<'d, N>,
}

type Lose<'d, N> =
    fn(&Task<'_, 'd, N>, N, &OpenFields<'_, 'd, N>, &Step<'_, 'd>, &mut LosePart<'_, 'd, N>);

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

impl<'d, N: StoredNode<'d>> OpenFields<'_, 'd, N> {
    /// Whether an alias gives a field what it leads to: nothing else does.
    fn is_used(&self, task: &Task<'_, 'd, N>, (old, field): (&str, &'static str)) -> bool {
        let (name, mut open) = (KeyEntry::Attr(field), self.stored.open());
        let by_name = N::find(&mut open, name, false);
        let is_given = |by: &ByAlias<'d, N>| {
            by_name.is_none() && (by.old_index)(task, &open, self.own, name).is_some()
                || (by.stored)(task, &self.step.to(name), by_name).0.is_some()
        };
        // A field that is stored needs no alias, and one that is not has the first that leads to something.
        !field.is_empty()
            && !task.by_alias.map_or(by_name.is_some(), is_given)
            && renamed(self.stored, self.own.aliases, field).is_some_and(|(by, _)| by == old)
    }

    /// What is left of a path in the struct after the part that leads to a node.
    fn after<'t>(&self, mut path: Pattern<'t>, node: N) -> Option<Pattern<'t>> {
        let (mut at, cursors) = (self.stored, &Cursors::new());
        while at != node {
            (at, path) = aliases::step(path, at, &mut &[][..], cursors)?;
        }
        Some(path)
    }
}

fn lose<'d, N: StoredNode<'d>>(
    task: &Task<'_, 'd, N>,
    node: N,
    fields: &OpenFields<'_, 'd, N>,
    step: &Step<'_, 'd>,
    lost: &mut LosePart<'_, 'd, N>,
) {
    let mut is_around = false;
    for alias in fields.own.aliases {
        if let Some(rest) = fields.after(alias.0.as_bytes(), node)
            && fields.is_used(task, *alias)
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
            lose(task, child, fields, &step.to(name), lost);
        }
    }
}
