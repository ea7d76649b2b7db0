//! Places that moved, in a record: what aliases lead to.

use crate::format::entry::Entries;
use crate::format::head::Kind;
use crate::record::older::place::{ByPath, OfRecord, Place};
use crate::record::older::stored::{At, Children};
use crate::tree::migrate::aliases::PathNode;
use crate::tree::migrate::walk::is_renamed;

impl<'v> PathNode<'v> for At<'v> {
    type Open = Children<'v>;

    fn open(self) -> Option<Children<'v>> {
        At::open(self)
    }

    fn what(open: &Children<'v>) -> (Kind, Option<&'v str>) {
        (open.node.kind, open.node.type_name())
    }

    fn names(open: &Children<'v>) -> Entries<'v> {
        open.node.entries()
    }

    fn child(open: &mut Children<'v>, index: u32) -> Option<Self> {
        open.child(index as usize)
    }
}

pub(super) static BY_PATH: ByPath = ByPath {
    about: |aliases, step| aliases.about(step),
    stored: |aliases, place| aliases.stored(&place.step, place.stored).0,
    is_around: |aliases, step| aliases.below(step).is_some(),
    old_index: |aliases, stored, fields, name| {
        let (old, mut found) = (stored.type_name().unwrap_or_default(), None);
        aliases.any_name([old, fields.name], name, |from| {
            if !fields.fields.contains(&from) {
                found = stored.head.position(from);
            }
            found.is_some()
        });
        found
    },
    is_renamed: |aliases, names| aliases.any(None, &mut |from, to| is_renamed(names, [from, to])),
    goes: |aliases, step| aliases.goes(step),
    has_left,
};

fn has_left<'v>(aliases: &OfRecord<'v, '_>, place: &Place<'_, 'v>) -> bool {
    let Some(at) = place.stored else { return false };
    // What an alias gave the place was not there before.
    let mut has_left = at.pass().is_some_and(|end| end.leaves != at.leaves)
        && aliases.stored(&place.step, None).0.is_none();
    if has_left {
        aliases.lose(at, &place.step, &mut |_, is_whole| has_left &= !is_whole);
    }
    has_left
}
