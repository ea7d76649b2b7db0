//! What becomes of what a migration finds out: nothing but counts, or reports of each place that differs.

use crate::base::error::Error;
use crate::base::levels;
use crate::encode::schema::{Fields, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Head;
use crate::format::value::Value;
use crate::tree::migrate::by_alias::Task;
use crate::tree::migrate::change::{Migration, Why};
use crate::tree::migrate::children::Node;
use crate::tree::migrate::node::{Place, Step, StoredNode};
use crate::tree::walk_path::PathLevels;
use crate::treedef::key_path::KeyPath;
use crate::treedef::names::{same_data, same_type};
use crate::treedef::treedef::TreeDef;

/// A meta field, and what is stored for it.
pub(crate) type Meta<'v> = (&'static str, Option<Value<'v>>);

/// What a walk finds at a place: of a [`Migration`], all but the path of the place. `Y` is why a place could not be made as it is stored.
pub(crate) enum Event<'v, N, Y> {
    New,
    Moved(N),
    Lost(N),
    LostMeta(N, (&'v str, Value<'v>)),
    Replaced(N, Y),
    Dropped(N, Y),
    Changed(N, Head<'v>),
    Converted(N, [&'v str; 2]),
}

/// What receives what a walk finds. By default it ignores all.
pub(crate) trait Reports<'v, N: StoredNode<'v>> {
    /// Why a place could not be made as it is stored.
    type Why<'w>: Copy;

    /// Whether anything is reported. Then the leaves of nodes that are lost are counted on the way; otherwise they are those that are not
    /// in the value.
    const REPORTS: bool;
    /// Why a place could not be made that was left with this error. What was kept about it is taken.
    fn why(&mut self, error: Option<Error>, place: &Place<'_, 'v, N>) -> Self::Why<'v>;

    /// What is kept of a reason that is known at once.
    fn because(why: Why<'v>) -> Self::Why<'v>;

    fn report(&mut self, _: &Task<'_, 'v, N>, _: &Step<'_, 'v>, _: Event<'v, N, Self::Why<'_>>) {}

    /// Reports how the stored node of a place differs in type and data from a struct.
    fn compare(&mut self, _: &Task<'_, 'v, N>, _: &Place<'_, 'v, N>, _: &'static Fields) {}

    /// Reports the aliases that lead nowhere: those that have no place in the type, or with a step those to that place.
    fn unused(&mut self, _: &Task<'_, 'v, N>, _: Option<&Step<'_, 'v>>) {}

    /// Keeps what the first error is about: a stored node, and a meta field of it.
    fn failed(&mut self, _stored: Option<N>, _: Option<Meta<'v>>) {}

    /// Keeps what the type has at the innermost place that could not be made.
    fn not_made(&mut self, _: &'static Schema) {}

    /// Keeps that a child of a stored node is neither stored nor in the defaults.
    fn missing(&mut self, _around: N, _name: KeyEntry<'v>) {}

    fn clear_missing(&mut self) {}

    /// Keeps that a leaf was refused, which is reported, and that its place has no default of its own.
    fn refused_leaf(&mut self, _: N, _: &Step<'_, 'v>) {}

    /// Whether the leaf of this place is that.
    fn was_refused(&mut self, _: &Step<'_, 'v>) -> bool {
        false
    }
}

/// No reports.
pub(crate) struct Unreported;

impl<'v, N: StoredNode<'v>> Reports<'v, N> for Unreported {
    type Why<'w> = ();

    const REPORTS: bool = false;

    fn why(&mut self, _: Option<Error>, _: &Place<'_, 'v, N>) {}

    fn because(_: Why<'v>) {}
}

/// Reports of what is stored as a treedef.
pub(crate) struct Reported<'v, 'w> {
    /// The stored structure.
    pub(crate) def: TreeDef<'v>,
    report: &'w mut dyn FnMut(Migration<'_>),
    /// Room for a path, which only the last report has.
    path: PathLevels<'v>,
    /// The stored node that the error is about, and the meta field.
    part: Option<Node<'v>>,
    meta: Option<Meta<'v>>,
    /// What the type has where that node is stored.
    schema: Option<&'static Schema>,
    /// The last child that is not stored and has no default, with the node that it is missing in; or the last leaf that was refused and
    /// has none.
    missing: Option<(Node<'v>, Option<KeyEntry<'v>>)>,
    /// The length of the path of the last leaf that was refused and has no default. It is reported.
    refused: Option<u32>,
}

impl<'v, 'w> Reported<'v, 'w> {
    pub(crate) fn new(def: TreeDef<'v>, report: &'w mut dyn FnMut(Migration<'_>)) -> Self {
        Self {
            def,
            report,
            path: levels::empty(),
            part: None,
            meta: None,
            schema: None,
            missing: None,
            refused: None,
        }
    }

    /// The path of a place.
    pub(crate) fn path_of(&mut self, step: &Step<'_, 'v>) -> KeyPath<'_, 'v> {
        self.path.clear();
        step.path(&mut self.path);
        KeyPath::new(&self.path)
    }

    /// Reports how a stored node differs in type from what is there now, and in data if it `has_data`.
    pub(crate) fn compare_heads(
        &mut self,
        task: &Task<'_, 'v, Node<'v>>,
        (node, step): (Node<'v>, &Step<'_, 'v>),
        now: Head<'v>,
        has_data: bool,
    ) {
        let old = node.inside_some().head();
        if old.kind() == now.kind()
            && (!same_type(&old, &now) || has_data && !same_data(&old, &now))
        {
            self.report(task, step, Event::Changed(node, now));
        }
    }
}

impl<'v> Reports<'v, Node<'v>> for Reported<'v, '_> {
    type Why<'w> = Why<'w>;

    const REPORTS: bool = true;

    fn why(&mut self, error: Option<Error>, place: &Place<'_, 'v, Node<'v>>) -> Why<'v> {
        let (part, meta, missing) = (self.part.take(), self.meta.take(), self.missing.take());
        let schema = self.schema.take().unwrap_or(&Schema::Unknown);
        if let (Some(node), Some((name, value)), None) = (part, meta, missing) {
            return Why::Meta { stored: node.inside_some().found(self.def), name, value };
        }
        let part = part.filter(|part| place.stored != Some(*part));
        let part = part.map(|node| node.found(self.def));
        let room = match error {
            Some(Error::Capacity { room, .. }) => Some(room),
            _ => None,
        };
        match (room, missing, part) {
            (Some(room), _, None) => Why::Room(room),
            (None, Some((node, child)), _) => Why::Missing { stored: node.found(self.def), child },
            (room, _, Some(stored)) => Why::Part { stored, room, schema },
            _ if place.stored.is_none() => Why::OtherPart,
            _ => Why::Type(schema),
        }
    }

    fn because(why: Why<'v>) -> Why<'v> {
        why
    }

    fn report(
        &mut self,
        task: &Task<'_, 'v, Node<'v>>,
        step: &Step<'_, 'v>,
        event: Event<'v, Node<'v>, Why<'_>>,
    ) {
        self.path_of(step);
        let (at, found) = (KeyPath::new(&self.path), |node: Node<'v>| node.found(self.def));
        let is_default = matches!(event, Event::New | Event::Replaced(..));
        (self.report)(match event {
            Event::New => Migration::New(at),
            Event::Moved(node) => Migration::Moved { stored: found(node), at },
            Event::Lost(node) => Migration::Lost(found(node)),
            // Options around a node have none.
            Event::LostMeta(node, (name, value)) => {
                Migration::LostMeta { stored: found(node.inside_some()), name, value }
            }
            Event::Replaced(node, why) => Migration::Replaced { stored: found(node), at, why },
            Event::Dropped(node, why) => Migration::Dropped { stored: found(node), at, why },
            Event::Changed(node, now) => Migration::Changed { stored: found(node), at, now },
            Event::Converted(node, types) => {
                Migration::Converted { stored: found(node), at, types }
            }
        });
        if is_default {
            self.unused(task, Some(step));
        }
    }

    fn compare(
        &mut self,
        task: &Task<'_, 'v, Node<'v>>,
        place: &Place<'_, 'v, Node<'v>>,
        fields: &'static Fields,
    ) {
        let Some(stored) = place.stored else { return };
        let [old, default] =
            [Some(stored), place.default].map(|node| node.map(|node| node.inside_some().head()));
        let has_data = fields.constants().is_some();
        // A head with the constants is one that is there.
        let is_own = |head: &Head<'_>| match has_data {
            true => fields.has(head),
            false => {
                head.type_name() == Some(fields.name)
                    && head.fields().eq(fields.fields.iter().copied())
            }
        };
        let is_there = || [default, old].into_iter().flatten().find(is_own);
        let known = fields.head.filter(|_| fields.meta.is_empty() || !has_data);
        let now = known.or_else(is_there);
        // Where no head is there that has the constants, nothing is said of them: each that is lost has its own report.
        let has_data = has_data && now.is_some();
        if let Some(now) = now.or(fields.head) {
            self.compare_heads(task, (stored, &place.step), now, has_data);
        }
    }

    fn unused(&mut self, task: &Task<'_, 'v, Node<'v>>, step: Option<&Step<'_, 'v>>) {
        let Some(by) = task.by_alias else { return };
        for &(from, to) in task.pairs {
            if (by.is_unused)(task, (from, to), step) {
                (self.report)(Migration::Unused { from, to });
            }
        }
    }

    fn failed(&mut self, stored: Option<Node<'v>>, meta: Option<Meta<'v>>) {
        (self.part, self.meta) = (stored, meta);
        // What is wrong with a node that is stored came after what is missing around it.
        self.missing = self.missing.filter(|_| stored.is_none());
    }

    fn not_made(&mut self, schema: &'static Schema) {
        self.schema.get_or_insert(schema);
    }

    fn missing(&mut self, around: Node<'v>, name: KeyEntry<'v>) {
        self.missing = Some((around.inside_some(), Some(name)));
    }

    fn clear_missing(&mut self) {
        self.missing = None;
    }

    fn refused_leaf(&mut self, node: Node<'v>, step: &Step<'_, 'v>) {
        (self.missing, self.refused) = (Some((node, None)), Some(step.len));
    }

    fn was_refused(&mut self, step: &Step<'_, 'v>) -> bool {
        self.refused.take() == Some(step.len)
    }
}
