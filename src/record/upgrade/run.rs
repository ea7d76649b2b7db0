//! Follows a plan: makes the leaves and the choices of a value from those of a stored one and of its defaults.
//!
//! What it does at each place is what `tree/migrate/making` does there, without names.

use crate::base::levels::Levels;
use crate::record::bytes::RecordWriter;
use crate::record::kind::{Conversion, Convert, take_leaf};
use crate::record::leaf::RecordLeaves;
use crate::record::upgrade::shape::{self, Part, Passed};
use crate::record::upgrade::steps::{
    ANY, FROM_HERE, FROM_ROOT, HAS_MOVED, KIND, LEVELS, MAY_REFUSE, NEVER, NOWHERE,
    PLAN_DEFAULT_OPTION, PLAN_ENUM, PLAN_FIELDS, PLAN_INSIDE, PLAN_LEAF, PLAN_LEAF_INSIDE,
    PLAN_LIST, PLAN_MAP, PLAN_OPTION, PLAN_OTHER, PLAN_OTHER_LEAF, PLAN_SAME,
};
use crate::tree::migrate::change::Migrated;
use crate::tree::migrate::question::Ask;
use crate::tree::migrate::room::ChoiceBytes;

/// A value that is made. `ASKS` says whether the type is asked, or one of the types has keys or meta fields that are choices; a program
/// that needs neither does not link how that is done.
pub(super) struct Run<'m, 'r, 'c, 'w, const ASKS: bool> {
    /// Asks the type, if the plan needs that.
    pub(super) ask: Option<Ask<RecordLeaves>>,
    /// Converts leaves, likewise.
    pub(super) convert: Option<Convert>,
    /// The whole stored value.
    pub(super) root: Part<'r, ASKS>,
    pub(super) way: Levels<u32, LEVELS>,
    pub(super) choices: &'m mut ChoiceBytes<'c>,
    pub(super) leaves: RecordWriter<'w>,
    pub(super) counts: Counts,
}

/// What was made and found so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) migrated: Migrated,
    /// The number of stored meta fields of which it is known what becomes of them.
    pub(super) known_meta: usize,
}

/// A position in the value that is made.
#[derive(Clone, Copy)]
struct Position {
    choices: usize,
    leaves: usize,
    way: usize,
    counts: Counts,
}

/// What is stored for a place, and its default; and whether what is in it and not stored is new.
#[derive(Clone, Copy)]
pub(super) struct Place<'r, const ASKS: bool> {
    pub(super) stored: Option<Part<'r, ASKS>>,
    pub(super) default: Option<Part<'r, ASKS>>,
    pub(super) counts_new: bool,
}

/// The children of a node, found one after the other.
#[derive(Clone, Copy)]
pub(super) struct Children<'r, const ASKS: bool> {
    pub(super) first: Part<'r, ASKS>,
    next: Part<'r, ASKS>,
    index: usize,
    pub(super) count: usize,
    /// Whether all have the shape of the first one.
    is_list: bool,
}

impl<'r, const ASKS: bool> Children<'r, ASKS> {
    const fn of(first: Part<'r, ASKS>, count: usize, is_list: bool) -> Self {
        Self { first, next: first, index: 0, count, is_list }
    }

    /// The child with this index.
    #[inline(never)]
    pub(super) fn get(&mut self, index: usize) -> Option<Part<'r, ASKS>> {
        if index >= self.count {
            return None;
        }
        if index < self.index {
            (self.next, self.index) = (self.first, 0);
        }
        while self.index < index {
            self.next.skip(&mut Passed::default())?;
            if self.is_list {
                self.next.shape = self.first.shape;
            }
            self.index = self.index.wrapping_add(1);
        }
        Some(self.next)
    }
}

/// Takes a number of two bytes from the front.
pub(super) fn number(plan: &mut &[u8]) -> Option<usize> {
    let (bytes, rest) = plan.split_first_chunk()?;
    *plan = rest;
    Some(u16::from_le_bytes(*bytes).into())
}

/// Takes a field from the front of a plan: where it is stored, the way to it, and its plan.
#[inline(never)]
fn next_field<'p>(plan: &mut &'p [u8]) -> Option<(u8, &'p [u8], &'p [u8])> {
    let from = *plan.split_off_first()?;
    let mut way: &[u8] = &[];
    if let FROM_ROOT | FROM_HERE = from {
        let len = usize::from(*plan.split_off_first()?);
        way = plan.split_off(..len)?;
    }
    let len = number(plan)?;
    Some((from, way, plan.split_off(..len)?))
}

/// What is in an option.
#[inline(never)]
fn inside<const ASKS: bool>(mut option: Part<'_, ASKS>) -> Option<Option<Part<'_, ASKS>>> {
    let (_, _, inside) = option.head()?;
    option.shape = inside;
    Some((option.choice()? > 0).then_some(option))
}

/// The children of a struct or a tuple, with the values of its meta fields, and the number of all of these.
#[inline(never)]
fn open_fields<const ASKS: bool>(
    mut part: Part<'_, ASKS>,
) -> Option<(Children<'_, ASKS>, &[u8], usize)> {
    let (_, count, inside) = part.head()?;
    let [open, all] = part.meta(inside)?;
    let values = part.choices;
    part.values(open)?;
    Some((Children::of(part, count, false), values, all))
}

/// The elements of a list or a map, and its keys with what follows.
#[inline(never)]
pub(super) fn open_list<const ASKS: bool>(
    mut part: Part<'_, ASKS>,
) -> Option<(Children<'_, ASKS>, &[u8])> {
    let (tag, number, inside) = part.head()?;
    let mut keys = part;
    let count = part.count(tag, number)?;
    if tag != shape::ARRAY {
        keys.choice()?;
    }
    part.shape = inside;
    Some((Children::of(part, count, true), keys.choices))
}

impl<'r, const ASKS: bool> Run<'_, 'r, '_, '_, ASKS> {
    fn position(&self) -> Position {
        let (choices, leaves, way) = (self.choices.len(), self.leaves.leaves, self.way.len());
        Position { choices, leaves, way, counts: self.counts }
    }

    /// Takes back what was made after a position.
    #[inline(never)]
    fn go_back(&mut self, position: &Position) {
        self.choices.truncate(position.choices);
        self.leaves.leaves = position.leaves;
        self.way.truncate(position.way);
        self.counts = position.counts;
    }

    /// Makes a place, from its default alone if it cannot be made from what is stored.
    #[inline(never)]
    pub(super) fn tree(&mut self, plan: &[u8], place: &Place<'r, ASKS>) -> Option<()> {
        let start = self.position();
        if self.node(plan, place).is_some() {
            return Some(());
        }
        self.go_back(&start);
        if place.default.is_none() || place.stored.is_none() && !place.counts_new {
            return None;
        }
        if self.node(plan, &Place { stored: None, counts_new: false, ..*place }).is_none() {
            self.go_back(&start);
            return None;
        }
        self.refused(place);
        Some(())
    }

    const fn count_new(&mut self) {
        self.counts.migrated.new = self.counts.migrated.new.saturating_add(1);
    }

    /// Counts that a place has its default.
    fn refused(&mut self, place: &Place<'r, ASKS>) {
        self.counts.migrated.replaced = self.counts.migrated.replaced.saturating_add(1);
        self.know_meta(place);
    }

    /// Counts that it is known what becomes of the meta fields of what is stored for a place.
    fn know_meta(&mut self, place: &Place<'r, ASKS>) {
        let mut passed = Passed::default();
        if let Some(mut stored) = place.stored {
            let _ = stored.skip(&mut passed);
        }
        self.counts.known_meta = self.counts.known_meta.wrapping_add(passed.meta);
    }

    /// Makes a place from what is stored or from its default alone.
    #[inline(never)]
    pub(super) fn node(&mut self, plan: &[u8], place: &Place<'r, ASKS>) -> Option<()> {
        let (&first, plan) = plan.split_first()?;
        let (kind, has_moved) = (first & KIND, first & HAS_MOVED != 0);
        match (kind, place.stored) {
            (PLAN_OPTION, Some(_)) => self.option(plan, place),
            (PLAN_OPTION, None) if has_moved => self.option(plan, place),
            (PLAN_FIELDS, Some(_)) => self.fields(plan, place),
            (PLAN_FIELDS, None) if has_moved => self.fields(plan, place),
            (PLAN_INSIDE, None) if has_moved => self.node(plan, place),
            (PLAN_OTHER, None) => self.node(plan, place),
            (PLAN_OTHER, Some(_)) => None,
            (PLAN_INSIDE | PLAN_LEAF_INSIDE, Some(stored)) => match inside(stored)? {
                None if kind == PLAN_LEAF_INSIDE => self.other_leaf(place),
                None => None,
                stored => self.node(plan, &Place { stored, ..*place }),
            },
            (PLAN_OTHER_LEAF, Some(_)) => self.other_leaf(place),
            (PLAN_LEAF, Some(stored)) => self.leaf(*plan.first()?, stored, place),
            (PLAN_ENUM, Some(stored)) => self.variant(plan, stored, place),
            (PLAN_SAME, Some(stored)) => self.copy(stored, true),
            (PLAN_LIST, Some(stored)) => self.list(plan, stored, place),
            (PLAN_MAP, Some(stored)) if ASKS => self.map(plan, stored, place),
            _ => match place.default {
                Some(default) => self.copy(default, false),
                None if matches!(kind, PLAN_OPTION | PLAN_DEFAULT_OPTION) && !place.counts_new => {
                    self.count_new();
                    self.choices.number(0);
                    Some(())
                }
                None => None,
            },
        }
    }

    /// Copies a part of a value.
    #[inline(never)]
    pub(super) fn copy(&mut self, part: Part<'r, ASKS>, is_stored: bool) -> Option<()> {
        let (mut rest, mut passed) = (part, Passed::default());
        rest.skip(&mut passed)?;
        let leaves = part.leaves.len().wrapping_sub(rest.leaves.len());
        self.leaves.all(part.leaves.get(..leaves)?);
        let choices = part.choices.len().wrapping_sub(rest.choices.len());
        part.choices.get(..choices)?.iter().for_each(|byte| self.choices.push(*byte));
        if is_stored {
            let Counts { migrated, known_meta, .. } = &mut self.counts;
            migrated.moved = migrated.moved.wrapping_add(passed.leaves);
            *known_meta = known_meta.wrapping_add(passed.meta);
        }
        Some(())
    }

    #[inline(never)]
    fn leaf(&mut self, how: u8, mut stored: Part<'r, ASKS>, place: &Place<'r, ASKS>) -> Option<()> {
        let len = *stored.shape.first()?;
        let (bytes, start) = (take_leaf(len, &mut stored.leaves)?, self.leaves.leaves);
        if how != NEVER {
            let conversion = Conversion(how & !MAY_REFUSE);
            let is_written = match self.convert {
                Some(convert) if conversion != Conversion::COPY => {
                    convert(conversion, bytes, &mut self.leaves).is_some()
                }
                _ => {
                    self.leaves.all(bytes);
                    true
                }
            };
            if is_written && (how & MAY_REFUSE == 0 || self.takes_leaf(start)) {
                self.counts.migrated.moved = self.counts.migrated.moved.wrapping_add(1);
                return Some(());
            }
            self.leaves.leaves = start;
        }
        self.counts.migrated.replaced = self.counts.migrated.replaced.saturating_add(1);
        self.copy(place.default?, false)
    }

    /// Makes a leaf where what is stored is none.
    fn other_leaf(&mut self, place: &Place<'r, ASKS>) -> Option<()> {
        self.copy(place.default?, false)?;
        self.refused(place);
        Some(())
    }

    /// Makes an option. One that is neither stored nor in the defaults is `None`.
    #[inline(never)]
    fn option(&mut self, plan: &[u8], place: &Place<'r, ASKS>) -> Option<()> {
        let (&is_option, plan) = plan.split_first()?;
        let stored = match place.stored {
            Some(stored) if is_option == 1 => Some(inside(stored)?),
            stored => stored.map(Some),
        };
        let default = match place.default {
            Some(default) => Some(inside(default)?),
            None => None,
        };
        let is_none = match (stored, default) {
            (Some(stored), _) => stored.is_none(),
            _ if place.counts_new => false,
            (None, Some(default)) => default.is_none(),
            (None, None) => {
                self.count_new();
                true
            }
        };
        self.choices.number((!is_none).into());
        if is_none {
            return Some(());
        }
        let (stored, default) = (stored.flatten(), default.flatten());
        self.tree(plan, &Place { stored, default, ..*place })
    }

    /// Makes a value of an enum: the variant that is stored.
    #[inline(never)]
    fn variant(
        &mut self,
        plan: &[u8],
        mut stored: Part<'r, ASKS>,
        place: &Place<'r, ASKS>,
    ) -> Option<()> {
        let variant_of = |part: &mut Part<'r, ASKS>| {
            let (_, number, inside) = part.head()?;
            part.variant(number, inside)
        };
        let index = variant_of(&mut stored)?;
        let (&has_choice, mut rest) = plan.split_first()?;
        let mut new = NOWHERE;
        let mut plan: &[u8] = &[];
        for _ in 0..=index {
            new = *rest.split_off_first()?;
            let len = number(&mut rest)?;
            plan = rest.split_off(..len)?;
        }
        if new == NOWHERE {
            return None;
        }
        if has_choice == 1 {
            self.choices.number(new.into());
        }
        // Another variant has no defaults for this one.
        let default = place.default.and_then(|mut default| {
            let own = variant_of(&mut default)?;
            (own == usize::from(new)).then_some(default)
        });
        self.node(plan, &Place { stored: Some(stored), default, ..*place })
    }

    /// Makes a list or an array.
    #[inline(never)]
    fn list(
        &mut self,
        mut plan: &[u8],
        stored: Part<'r, ASKS>,
        place: &Place<'r, ASKS>,
    ) -> Option<()> {
        let (fixed, room) = (number(&mut plan)?, number(&mut plan)?);
        let (missing, plan) = plan.split_at_checked(1)?;
        let (mut stored, _) = open_list(stored)?;
        let mut default = place.default.and_then(open_list).map(|(elements, _)| elements);
        let count = if fixed == ANY { stored.count } else { fixed };
        let (start, mut made) = (self.choices.len(), 0usize);
        if fixed == ANY {
            self.choices.number(count);
        }
        for index in 0..count {
            let own = default.as_mut().and_then(|default| default.get(index));
            let first = default.filter(|all| fixed == ANY && all.count > 0);
            let default = own.or(first.map(|all| all.first));
            let mut child = Place { stored: stored.get(index), default, ..*place };
            if fixed == ANY {
                made = made.wrapping_add(self.element(plan, &child).into());
                if made > room && room < ANY {
                    return None;
                }
            } else {
                let plan = if child.stored.is_some() { plan } else { missing };
                self.note_new(plan, &mut child);
                self.tree(plan, &child)?;
            }
        }
        if fixed == ANY {
            self.choices.change_number(start, made);
        }
        Some(())
    }

    /// Makes the next element of a list or a map; `false` if it cannot be made and was dropped.
    #[inline(never)]
    pub(super) fn element(&mut self, plan: &[u8], place: &Place<'r, ASKS>) -> bool {
        let start = self.position();
        if self.node(plan, place).is_some() {
            return true;
        }
        self.go_back(&start);
        self.dropped(place);
        false
    }

    pub(super) fn dropped(&mut self, place: &Place<'r, ASKS>) {
        self.counts.migrated.dropped = self.counts.migrated.dropped.saturating_add(1);
        self.know_meta(place);
    }

    /// Makes a struct or a tuple.
    #[inline(never)]
    fn fields(&mut self, plan: &[u8], place: &Place<'r, ASKS>) -> Option<()> {
        let (&[first, count, open, lost], mut plan) = plan.split_first_chunk()?;
        if place.stored.is_none() && place.default.is_none() && !place.counts_new {
            return None;
        }
        let mut stored = match place.stored {
            Some(stored) => Some(open_fields(stored)?),
            None => None,
        };
        if let Some((_, _, all)) = stored {
            let Counts { migrated, known_meta, .. } = &mut self.counts;
            migrated.lost_meta = migrated.lost_meta.wrapping_add(lost.into());
            *known_meta = known_meta.wrapping_add(all);
        }
        let mut default = match place.default {
            Some(default) => Some(open_fields(default)?),
            None => None,
        };
        if ASKS {
            let values = [&stored, &default].map(|node| Some(node.as_ref()?.1));
            self.meta(plan.split_off(..usize::from(open).wrapping_mul(2))?, values)?;
        }
        for index in 0..count {
            let (from, way, child) = next_field(&mut plan)?;
            let stored = match from {
                NOWHERE => None,
                FROM_ROOT => found(self.root, way),
                FROM_HERE => place.stored.and_then(|here| found(here, way)),
                index => stored.as_mut().and_then(|(children, ..)| children.get(index.into())),
            };
            let default = default.as_mut().and_then(|(children, ..)| children.get(index.into()));
            let mut place = Place { stored, default, counts_new: place.counts_new };
            self.note_new(child, &mut place);
            self.field(child, u32::from(first).wrapping_add(index.into()), &place)?;
        }
        Some(())
    }

    /// Counts a place as new if nothing is stored for it or for a part of it.
    fn note_new(&mut self, plan: &[u8], place: &mut Place<'r, ASKS>) {
        let is_new = place.counts_new && place.stored.is_none() && !self.below(plan);
        place.counts_new &= !is_new;
        if is_new && place.default.is_some() {
            self.count_new();
        }
    }

    /// Whether an alias gives something to a part of a place for which nothing is stored.
    fn below(&self, plan: &[u8]) -> bool {
        let Some((first, mut plan)) = plan.split_first() else { return false };
        if first & HAS_MOVED == 0 {
            return false;
        }
        let inner = match first & KIND {
            PLAN_FIELDS => {
                let open = plan.get(2).copied().unwrap_or(0);
                let meta = usize::from(open).wrapping_mul(2);
                plan = plan.get(meta.wrapping_add(4)..).unwrap_or_default();
                while let Some((from, way, child)) = next_field(&mut plan) {
                    if from == FROM_ROOT && found(self.root, way).is_some_and(is_there)
                        || self.below(child)
                    {
                        return true;
                    }
                }
                return false;
            }
            PLAN_INSIDE | PLAN_OTHER => plan,
            _ => plan.get(1..).unwrap_or_default(),
        };
        self.below(inner)
    }

    /// Makes a field, which can have a default of its own.
    #[inline(never)]
    fn field(&mut self, plan: &[u8], index: u32, place: &Place<'r, ASKS>) -> Option<()> {
        let start = self.position();
        let is_missing = place.stored.is_none() && place.default.is_none() && !place.counts_new;
        if !is_missing || !self.has_default(index) {
            if ASKS {
                self.way.push(index).ok()?;
            }
            if self.tree(plan, place).is_some() {
                self.way.pop();
                return Some(());
            }
            self.go_back(&start);
            // A part of the defaults that does not fit is an error.
            if is_missing || place.stored.is_none() && place.default.is_some() {
                return None;
            }
            let has_default = self.has_default(index);
            // An option needs none.
            let is_option = plan.first().is_some_and(|first| first & KIND == PLAN_OPTION);
            let is_made = has_default || is_option && place.default.is_none();
            if !is_made {
                return None;
            }
            self.refused(place);
            if !has_default {
                self.choices.number(0);
                return Some(());
            }
        } else {
            self.count_new();
        }
        self.take_default(index)
    }
}

/// The part of a value that a way leads to.
fn found<'r, const ASKS: bool>(mut part: Part<'r, ASKS>, way: &[u8]) -> Option<Part<'r, ASKS>> {
    for index in way {
        while part.shape.first() == Some(&shape::OPTION) {
            part = inside(part)??;
        }
        let (mut children, ..) = open_fields(part)?;
        part = children.get((*index).into())?;
    }
    Some(part)
}

/// Whether a part is no `None`.
fn is_there<const ASKS: bool>(part: Part<'_, ASKS>) -> bool {
    part.shape.first() != Some(&shape::OPTION)
        || inside(part).is_some_and(|inside| inside.is_some())
}
