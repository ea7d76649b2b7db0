//! A walk through a stored value and its defaults: from a place to the places in it, and what is found on the way.
//!
//! It knows no leaves. What is found is counted, and goes to [`Reports`]. Of what is stored for a place and is not in the value:
//!
//! - [`Walk::lose`] counts what has no place, but for the parts that aliases give to places;
//! - [`Walk::replaced`] counts a place that has its default, because its node could not be made: [`Walk::refused_or_moved_away`], or
//!   [`Walk::refused`] where aliases can have given nothing; [`Walk::refused_leaf`] a leaf that its type does not take;
//! - [`Walk::drop_element`] counts an element of a list or a map that has no default either.

use crate::base::error::Error;
use crate::encode::depth::MAX_DEPTH;
use crate::encode::schema::{Fields, Schema};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_alias::{ByAlias, Task};
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::change::{Matching, Migrated};
use crate::tree::migrate::children::number;
use crate::tree::migrate::node::{Both, OpenFields, Own, Place, Step, StoredNode, is_container};
use crate::tree::migrate::reports::{Event, Meta, Reports};

/// The error that a stored node is none that the type can have.
pub(crate) const MISMATCH: Error = Error::Mismatch { node: 0 };

/// A walk: what was found so far.
pub(crate) struct Walk<'m, 'v, N: StoredNode<'v>, R> {
    pub(crate) task: Task<'m, 'v, N>,
    pub(crate) reports: R,
    pub(crate) counts: Migrated,
    /// The number of meta fields in nodes that are lost as a whole, modulo 2^32 or 2^64: [`Walk::keep_lost`] can take some away before
    /// they are counted. `counts` has the other ones.
    pub(crate) meta_in_lost: usize,
    /// The first error since the last one that a default mended.
    pub(crate) error: Option<Error>,
}

impl<'m, 'v, N: StoredNode<'v>, R: Reports<'v, N>> Walk<'m, 'v, N, R> {
    pub(crate) fn new(
        matching: Matching<'m>,
        [stored, defaults]: [N; 2],
        schema: Option<&'m Schema>,
        (by_alias, by_field): (Option<&'m ByAlias<'v, N>>, Option<&'m ByField<'v, N>>),
        cursors: &'m Cursors<'v, N>,
        reports: R,
    ) -> Self {
        let Matching { aliases, in_any_kind, lengths_of_defaults, keep_places, .. } = matching;
        let task = Task {
            pairs: aliases,
            in_any_kind,
            lengths_of_defaults,
            keep_places,
            stored,
            top: stored,
            defaults,
            cursors,
            schema,
            by_alias,
            by_field,
        };
        Self { task, reports, counts: Migrated::default(), meta_in_lost: 0, error: None }
    }

    /// Whether nodes of different kinds match.
    // Always in line, so that what is done for them is no part of a program that only loads records.
    #[inline(always)]
    pub(crate) const fn in_any_kind(&self) -> bool {
        N::HAS_KINDS && self.task.in_any_kind
    }

    /// The place of the whole value. Reports the aliases that have no place in its type.
    pub(crate) fn whole(&mut self) -> Place<'m, 'v, N> {
        self.reports.unused(&self.task, None);
        let (stored, default) = (Some(self.task.stored), Some(self.task.defaults));
        let mut place = Place { stored, default, counts_new: true, step: Step::ROOT, fields: None };
        self.find_moved(&mut place);
        self.task.top = place.stored.unwrap_or(self.task.top);
        place
    }

    /// Keeps an error, unless an earlier one is kept.
    #[cold]
    pub(crate) fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.error.get_or_insert(error);
        None
    }

    /// Keeps an error about a stored node, or about a meta field that its type needs or does not take, unless an earlier one is kept.
    #[cold]
    pub(crate) fn fail_at<T>(
        &mut self,
        stored: Option<N>,
        meta: Option<Meta<'v>>,
        error: Error,
    ) -> Option<T> {
        if self.error.is_none() {
            self.reports.failed(stored, meta);
        }
        self.fail(error)
    }

    /// Keeps the error that the stored node of a place is none that the type can have, unless an earlier one is kept.
    // By a call with few arguments, because many places can fail so.
    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch<T>(&mut self, place: &Place<'_, 'v, N>) -> Option<T> {
        self.fail_at(place.stored, None, MISMATCH)
    }

    /// Why a place could not be made.
    pub(crate) fn why(&mut self, place: &Place<'_, 'v, N>) -> R::Why<'v> {
        // Before its default is made, which notes what it has.
        if !R::REPORTS {
            self.lose_given(place, None);
        }
        let error = self.error.take();
        self.reports.why(error, place)
    }

    /// Checks that a place has no more levels around it than there are at most.
    pub(crate) fn check_levels(&mut self, place: &Place<'_, 'v, N>) -> Option<()> {
        match place.step.len > MAX_DEPTH {
            true => self.fail(Error::TooDeep { limit: MAX_DEPTH }),
            false => Some(()),
        }
    }

    /// Begins a node of this kind at a place. If another one is stored there, or none at all, an error is kept.
    // It is put into a slot, because each copy of it would be in the frame of each level.
    #[inline(never)]
    pub(crate) fn begin<'b>(
        &mut self,
        kind: Kind,
        place: &Place<'_, 'v, N>,
        slot: &'b mut Option<Both<'v, N>>,
    ) -> Option<&'b mut Both<'v, N>> {
        self.check_levels(place)?;
        let in_any_kind = self.in_any_kind();
        let fits = |node: Option<N>, in_any_kind: bool| {
            Some(node?.open()).filter(|open| match (in_any_kind, N::what(open).0) {
                (true, own) => is_container(own) && (kind != Kind::Dict || own == kind),
                (false, own) => own == kind,
            })
        };
        let (stored, default) = (fits(place.stored, in_any_kind), fits(place.default, false));
        if stored.is_none() && (place.stored.is_some() || default.is_none() && !place.counts_new) {
            return self.mismatch(place);
        }
        // A struct can still have another name.
        if let (Some(open), Kind::Dict, false) = (&stored, kind, R::REPORTS) {
            N::note(open);
        }
        // Only a struct has a place for them.
        if in_any_kind
            && kind != Kind::Struct
            && let (Some(node), Some(open)) = (place.stored, &stored)
        {
            self.lose_meta_of(node, open);
        }
        Some(slot.insert(Both { stored, default, has_first: false, index: None }))
    }

    /// Begins a struct or a variant: the stored node has its type name, or had it.
    // Not inlined, as the other parts that come before or after the children of a node: what they keep is no part of each frame of the
    // recursion.
    #[inline(never)]
    pub(crate) fn begin_fields<'b>(
        &mut self,
        fields: &'static Fields,
        place: &Place<'_, 'v, N>,
        slot: &'b mut Option<Both<'v, N>>,
    ) -> Option<&'b mut Both<'v, N>> {
        let both = self.begin(Kind::Struct, place, slot)?;
        // Another variant of an enum has no defaults for this one.
        if both.default.as_ref().is_some_and(|own| N::what(own).1 != Some(fields.name)) {
            both.default = None;
        }
        let has_name = |name| self.task.has_name(name, fields);
        let is_own = |open: &N::Open| self.in_any_kind() || N::what(open).1.is_some_and(has_name);
        let is_nowhere = both.stored.is_none() && both.default.is_none() && !place.counts_new;
        if !both.stored.as_ref().is_none_or(is_own) || is_nowhere {
            return self.mismatch(place);
        }
        if let (Some(open), false) = (&both.stored, R::REPORTS) {
            N::note(open);
        }
        self.reports.compare(&self.task, place, fields);
        Some(both)
    }

    /// The place of a child of this name. `own` is for a node whose type has names.
    #[inline(never)]
    pub(crate) fn next<'p>(
        &mut self,
        up: &'p Place<'p, 'v, N>,
        both: &mut Both<'v, N>,
        name: KeyEntry<'v>,
        own: Option<&Own<'_>>,
    ) -> Place<'p, 'v, N> {
        let in_any_kind = self.in_any_kind();
        let step = up.step.to(name);
        let mut place = Place { stored: None, default: None, step, ..*up };
        let Both { stored, default, index, has_first } = both;
        let mut child = |open: &mut Option<N::Open>| {
            let open = open.as_mut()?;
            match index.take() {
                Some(index) => N::child(open, index),
                None => N::find(open, name, in_any_kind),
            }
        };
        place.stored = child(stored);
        place.default = child(default);
        if let (None, true, Some(open)) = (place.default, *has_first && stored.is_some(), default) {
            place.default = first_child::<N>(open);
        }
        let mut renamed = None;
        if let (None, Some(open), Some(by), Some(own)) =
            (place.stored, stored, self.task.by_alias, own)
        {
            let index = (by.old_index)(&self.task, open, own, name);
            renamed = index.and_then(|index| N::child(open, index));
        }
        if renamed.is_none() {
            self.find_moved(&mut place);
        }
        if let (None, Some(by), Some(around), Some(own), KeyEntry::Attr(name)) =
            (place.stored, self.task.by_field, up.stored, own, name)
            && renamed.is_none()
        {
            renamed = (by.find)(around, own.aliases, name);
        }
        if let Some(node) = renamed {
            self.reports.report(&self.task, &step, Event::Moved(node));
            (place.stored, place.step.is_moved) = (renamed, true);
        }
        self.note_new(up, &mut place);
        place
    }

    /// Finds what is stored for a place by aliases.
    fn find_moved(&mut self, place: &mut Place<'_, 'v, N>) {
        let Some(by) = self.task.by_alias.filter(|_| place.step.aliases != 0) else { return };
        place.step.aliases = (by.about)(&self.task, &place.step);
        if place.step.aliases == 0 {
            return;
        }
        let by_name = place.stored;
        let (stored, is_moved) = (by.stored)(&self.task, &place.step, by_name);
        place.stored = stored;
        if let (Some(node), true) = (stored, is_moved) {
            self.reports.report(&self.task, &place.step, Event::Moved(node));
            if R::REPORTS && node.count_meta() > 0 && (by.is_apart)(&self.task, &place.step) {
                self.keep_lost(by, node, &place.step);
            }
            // The rest of what was here is lost. For the root, `finish` counts that.
            let is_around = |other: &N| *other != node && *other != self.task.stored;
            if let Some(around) = by_name.filter(is_around) {
                self.lose(around, place.fields, &place.step, false);
            }
            place.step.is_moved = true;
        }
    }

    /// Takes back the meta fields of a node that is counted as lost, before this or later: the place that gets it is one of a default that
    /// replaces what is stored.
    fn keep_lost(&mut self, by: &ByAlias<'v, N>, node: N, step: &Step<'_, 'v>) {
        let (whole, count) = (&mut self.meta_in_lost, &mut self.counts.lost_meta);
        let step = &Step { is_moved: true, ..*step };
        (by.lose)(&self.task, node, step, &mut |part, is_whole| match is_whole {
            true => *whole = whole.wrapping_sub(part.count_meta()),
            false => N::meta_fields(&part.open()).for_each(|_| *count = count.wrapping_sub(1)),
        });
    }

    /// Counts a place as new if nothing is stored for it, and no alias gives anything to a part of it.
    pub(crate) fn note_new(&mut self, up: &Place<'_, 'v, N>, place: &mut Place<'_, 'v, N>) {
        let is_new =
            place.counts_new && place.stored.is_none() && self.below(&place.step).is_none();
        place.counts_new &= !is_new;
        if place.is_missing() {
            if let Some(around) = up.stored {
                self.reports.missing(around, place.step.name);
            }
        } else if is_new {
            self.count_new(&place.step);
        }
    }

    /// A stored node that an alias gives a place below this one.
    fn below(&self, step: &Step<'_, 'v>) -> Option<N> {
        let by = self.task.by_alias.filter(|_| step.aliases != 0)?;
        (by.below)(&self.task, step)
    }

    /// Counts as lost the meta fields of what aliases gave to parts of a place which this default, which it has instead, lacks. Without a
    /// default, all parts are lacking: the place was dropped.
    fn lose_given(&mut self, place: &Place<'_, 'v, N>, default: Option<N>) {
        let Some(by) = self.task.by_alias.filter(|_| place.step.aliases != 0) else { return };
        let mut count = 0usize;
        (by.without_place)(&self.task, &place.step, default, &mut |node| match R::REPORTS {
            true => count = count.wrapping_add(node.count_meta()),
            // A walk that failed can have noted them.
            false => node.forget_all(),
        });
        self.counts.lost_meta = self.counts.lost_meta.wrapping_add(count);
    }

    /// Goes on after a place that is neither stored nor in the defaults: it needs neither.
    pub(crate) fn take_missing(&mut self, step: &Step<'_, 'v>) {
        self.reports.clear_missing();
        self.count_new(step);
    }

    pub(crate) fn count_new(&mut self, step: &Step<'_, 'v>) {
        self.counts.new = self.counts.new.saturating_add(1);
        self.reports.report(&self.task, step, Event::New);
    }

    /// Ends a node of `count` children that have positions: what is stored after them is lost.
    #[inline(never)]
    pub(crate) fn end(&mut self, place: &Place<'_, 'v, N>, both: &mut Both<'v, N>, count: usize) {
        let Some(open) = both.stored.as_mut().filter(|_| R::REPORTS) else { return };
        let (names, count) = (N::names(open), u32::try_from(count).unwrap_or(u32::MAX));
        let first = if names.are_positions() { count } else { 0 };
        for (name, index) in names.skip(first as usize).zip(first..u32::MAX) {
            let is_there = N::HAS_KINDS && number(name).is_some_and(|number| number < count);
            if let Some(node) = N::child(open, index).filter(|_| !is_there) {
                self.lose(node, place.fields, &place.step.to(name), false);
            }
        }
    }

    /// Ends a node whose type has names: what is stored under other ones is lost.
    #[inline(never)]
    pub(crate) fn end_names(
        &mut self,
        place: &Place<'_, 'v, N>,
        both: &mut Both<'v, N>,
        own: &Own<'_>,
        others: &mut dyn Iterator<Item = KeyEntry<'v>>,
    ) {
        let Some(open) = &mut both.stored else { return };
        for name in others {
            let is_renamed = |by: &ByAlias<'v, N>| (by.is_renamed)(&self.task, open, own, name);
            if self.task.by_alias.is_some_and(is_renamed) {
                continue;
            }
            if let Some(node) = N::find(open, name, false) {
                self.lose(node, place.fields, &place.step.to(name), false);
            }
        }
    }

    /// Counts a leaf that was moved.
    pub(crate) fn count_moved(&mut self) {
        self.counts.moved = self.counts.moved.saturating_add(1);
    }

    /// Counts what is in a stored node that has no place, but for the parts that aliases give one. The fields are those of the place that
    /// it would have, or of the place around it, and the step is that to its own. If the node `is_reported`, its parts are not.
    fn lose(
        &mut self,
        node: N,
        fields: Option<&OpenFields<'_, 'v, N>>,
        step: &Step<'_, 'v>,
        is_reported: bool,
    ) {
        // Without reports, what is lost is what is not in the value.
        if !R::REPORTS {
            return;
        }
        let task = self.task;
        if let (Some(fields), Some(by)) = (fields, task.by_field) {
            let is_given = &|around: &OpenFields<'_, 'v, N>, name, by_name: Option<N>| {
                let Some(by) = task.by_alias else { return by_name.is_some() };
                let is_renamed =
                    || (by.old_index)(&task, &around.stored.open(), around.own, name).is_some();
                by_name.is_none() && is_renamed()
                    || (by.stored)(&task, &around.step.to(name), by_name).0.is_some()
            };
            return (by.lose)(node, fields, step, is_given, &mut |node, step, is_whole| {
                match is_whole {
                    true => self.lose(node, fields.up, step, is_reported),
                    false if is_reported => {}
                    false => self.lose_around(node),
                }
            });
        }
        let Some(by) = self.task.by_alias else { return self.lose_whole(node, is_reported) };
        let step = &self.stored_step(step);
        (by.lose)(&task, node, step, &mut |node, is_whole| match is_whole {
            false if is_reported => {}
            false => self.lose_around(node),
            true => self.lose_whole(node, is_reported),
        });
    }

    /// The step to a place as one to what is stored for it: names of another kind are other paths.
    fn stored_step<'s>(&self, step: &Step<'s, 'v>) -> Step<'s, 'v> {
        Step { is_moved: step.is_moved || self.in_any_kind(), ..*step }
    }

    /// As [`Walk::lose`], of a node of which nothing has a place.
    fn lose_whole(&mut self, node: N, is_reported: bool) {
        self.counts.lost = self.counts.lost.saturating_add(node.num_leaves());
        if !is_reported {
            self.meta_in_lost = self.meta_in_lost.wrapping_add(node.count_meta());
            self.reports.report(&self.task, &Step::ROOT, Event::Lost(node));
        }
    }

    /// Counts a stored node itself of which parts have a place: its meta fields, and the keys of a map without leaves.
    fn lose_around(&mut self, node: N) {
        let open = node.open();
        let is_map = N::what(&open).0 == Kind::Dict && node.num_leaves() == 0;
        let keys = if is_map { N::names(&open).len() } else { 0 };
        self.counts.lost_meta = self.counts.lost_meta.wrapping_add(keys);
        self.lose_meta_of(node, &open);
    }

    /// Counts the meta fields of a stored node itself.
    fn lose_meta_of(&mut self, node: N, open: &N::Open) {
        for field in N::meta_fields(open) {
            self.lose_meta(node, field);
        }
    }

    /// Counts a meta field of a stored node that the value does not have.
    pub(crate) fn lose_meta(&mut self, node: N, field: (&'v str, Value<'v>)) {
        self.counts.lost_meta = self.counts.lost_meta.wrapping_add(1);
        self.reports.report(&self.task, &Step::ROOT, Event::LostMeta(node, field));
    }

    /// Counts that what is stored for a place, an element, is not in the value.
    pub(crate) fn drop_element(&mut self, place: &Place<'_, 'v, N>, why: R::Why<'v>) {
        self.counts.dropped = self.counts.dropped.saturating_add(1);
        let Some(node) = place.stored else { return };
        if !R::REPORTS {
            return node.note_all();
        }
        self.lose_given(place, None);
        if !self.reports.was_refused(&place.step) {
            self.reports.report(&self.task, &place.step, Event::Dropped(node, why));
        }
        self.lose(node, place.fields, &place.step, true);
    }

    /// Counts that a place has its default, unless it is that of a leaf whose refusal was reported. With `parts`, aliases can have given
    /// some: the number of leaves that they gave, and of all that are there.
    #[inline(never)]
    pub(crate) fn replaced(
        &mut self,
        place: &Place<'_, 'v, N>,
        why: R::Why<'v>,
        parts: Option<[usize; 2]>,
    ) {
        if self.reports.was_refused(&place.step) {
            self.counts.replaced = self.counts.replaced.saturating_add(1);
            return;
        }
        let Some([given, all]) = parts else { return self.refused(place, why) };
        if self.refused_or_moved_away(place, why) && (given == 0 || given < all) {
            self.count_new(&place.step);
        }
    }

    /// Counts that the stored leaf of a place was refused. If it has no default, what is around it gets one.
    pub(crate) fn refused_leaf(&mut self, place: &Place<'_, 'v, N>, why: R::Why<'_>) {
        self.refused(place, why);
        if R::REPORTS
            && let (Some(node), None) = (place.stored, place.default.and_then(N::leaf))
        {
            self.reports.refused_leaf(node, &place.step);
        }
    }

    /// Counts that a place has its default. If aliases moved all leaves away that are stored under its path, nothing but meta fields is lost,
    /// and it is not replaced: then the answer is `true`, and the caller counts the place as new.
    pub(crate) fn refused_or_moved_away(
        &mut self,
        place: &Place<'_, 'v, N>,
        why: R::Why<'v>,
    ) -> bool {
        let task = self.task;
        if let (Some(by), Some(node)) = (task.by_alias, place.stored)
            && !place.step.is_moved
        {
            let mut is_lost = node.num_leaves() == 0;
            let step = &self.stored_step(&place.step);
            (by.lose)(&task, node, step, &mut |_, is_whole| is_lost |= is_whole);
            if !is_lost {
                if R::REPORTS {
                    self.lose_given(place, place.default);
                }
                (by.lose)(&task, node, step, &mut |around, _| {
                    let open = around.open();
                    // A walk that failed can have noted it.
                    N::note(&open);
                    self.lose_meta_of(around, &open);
                });
                return true;
            }
        }
        self.refused(place, why);
        false
    }

    /// Counts that a place has its default.
    pub(crate) fn refused(&mut self, place: &Place<'_, 'v, N>, why: R::Why<'_>) {
        self.counts.replaced = self.counts.replaced.saturating_add(1);
        if !R::REPORTS {
            return place.stored.into_iter().for_each(N::note_all);
        }
        self.lose_given(place, place.default);
        // What an alias gave a part of a default that is a whole is replaced.
        let Some(node) = place.stored.or_else(|| self.below(&place.step)) else { return };
        self.reports.report(&self.task, &place.step, Event::Replaced(node, why));
        // Without aliases no leaf is moved twice, so those that are lost need no count. A node that an alias gave this place can
        // have others.
        if place.stored.is_some() && self.task.by_alias.is_some() && !place.step.is_moved {
            self.lose(node, place.fields, &place.step, true);
        }
    }

    /// Ends the walk: what is stored around the part that was loaded is lost. Returns the counts, if the value was made. A value that has
    /// a default and was not made is none of the type.
    pub(crate) fn finish(
        &mut self,
        whole: &Place<'_, 'v, N>,
        made: Option<()>,
    ) -> Result<Migrated, Error> {
        made.ok_or(self.error.unwrap_or(MISMATCH))?;
        let root = self.task.stored;
        if whole.stored != Some(root) {
            self.lose(root, whole.fields, &Step::ROOT, false);
        }
        let mut counts = self.counts;
        if R::REPORTS {
            // A leaf that aliases give several places was counted at each; of children of one name, only one can be reported.
            let all = root.num_leaves();
            counts.lost = counts.lost.max(all.saturating_sub(counts.moved)).min(all);
            counts.moved = all.saturating_sub(counts.lost);
            // What was taken away was not counted if it was in what was replaced, too.
            let counted = |count: usize| if count > usize::MAX / 2 { 0 } else { count };
            counts.lost_meta = counted(counts.lost_meta).saturating_add(counted(self.meta_in_lost));
        }
        Ok(counts)
    }
}

/// The first child of a node. The child that was found last stays so.
pub(crate) fn first_child<'v, N: StoredNode<'v>>(open: &N::Open) -> Option<N> {
    N::child(&mut open.clone(), 0)
}
