//! The parts of a run for which the type is asked: leaves that it may refuse, keys and meta fields, defaults of fields.

use crate::format::reader::Input;
use crate::format::value::Value;
use crate::record::leaf::RecordLeaves;
use crate::record::upgrade::run::{Place, Run, number, open_list};
use crate::record::upgrade::shape::{Part, Passed};
use crate::record::upgrade::steps::{ANY, NOWHERE};
use crate::tree::migrate::question::{About, Ask, OfDefault};

/// Asks the part of the type with a way.
fn asks<'q>(
    ask: Option<Ask<RecordLeaves>>,
    way: &'q [u32],
    about: About<'q, RecordLeaves>,
) -> bool {
    ask.is_some_and(|ask| ask(way, about))
}

impl<'r, const ASKS: bool> Run<'_, 'r, '_, '_, ASKS> {
    /// Whether the type takes the last leaf, which begins here.
    pub(super) fn takes_leaf(&self, start: usize) -> bool {
        // Without room, the leaf is only counted.
        let leaf = self.leaves.written(start).filter(|_| ASKS);
        leaf.is_none_or(|leaf| asks(self.ask, &self.way, About::Stored(leaf)))
    }

    /// Whether the field with this index has a default of its own.
    pub(super) fn has_default(&self, index: u32) -> bool {
        ASKS && asks(self.ask, &self.way, About::Default(index, None))
    }

    /// Makes that default.
    pub(super) fn take_default(&mut self, index: u32) -> Option<()> {
        let Self { ask, way, choices, leaves, .. } = self;
        let take = &mut |part: OfDefault<'_, RecordLeaves>| match part {
            OfDefault::Choice(byte) => choices.push(byte),
            OfDefault::Leaf(leaf) => leaf.save(leaves),
        };
        (ASKS && asks(*ask, way, About::Default(index, Some(take)))).then_some(())
    }

    /// Whether the type takes the value of the meta field with this index, or a key. The function receives it as the type has it.
    fn takes_value(
        &mut self,
        index: u32,
        value: Option<Value<'_>>,
        mut is: impl FnMut(&Value<'_>),
    ) -> bool {
        let Self { ask, way, choices, .. } = self;
        let give = &mut |own: &Value<'_>| {
            is(own);
            choices.value(own);
        };
        asks(*ask, way, About::Value(index, value, give))
    }

    /// Makes a map: the keys come before all elements.
    #[inline(never)]
    pub(super) fn map(
        &mut self,
        mut plan: &[u8],
        stored: Part<'r, ASKS>,
        place: &Place<'r, ASKS>,
    ) -> Option<()> {
        let (mut whole, mut passed) = (stored, Passed::default());
        whole.skip(&mut passed)?;
        let (room, (mut stored, keys)) = (number(&mut plan)?, open_list(stored)?);
        if passed.leaves == 0 {
            self.counts.known_meta = self.counts.known_meta.wrapping_add(stored.count);
        }
        let mut default = place.default.and_then(open_list);
        // The key of the defaults that is compared next, after the one that was found last: in both values keys are in order.
        let (mut at, mut left) = (usize::MAX, Input::new(&[]));
        let (start, mut made) = (self.choices.len(), 0usize);
        self.choices.number(stored.count);
        let (first_key, mut is_changed) = (self.choices.len(), false);
        let mut rest = Input::new(keys);
        for _ in 0..stored.count {
            let key = Value::take(&mut rest)?;
            self.takes_value(0, Some(key), |own| is_changed |= *own != key);
        }
        let keys_end = self.choices.len();
        let (mut next_key, mut kept_end, mut rest) = (first_key, first_key, Input::new(keys));
        for index in 0..stored.count {
            let key = Value::take(&mut rest)?;
            let default = default.as_mut().and_then(|(elements, keys)| {
                let is_same = (0..elements.count).any(|_| {
                    if at >= elements.count {
                        (at, left) = (0, Input::new(keys));
                    }
                    at = at.wrapping_add(1);
                    Value::take(&mut left) == Some(key)
                });
                match is_same {
                    true => elements.get(at.wrapping_sub(1)),
                    // Not by its index: the next one that is found would be searched from the start.
                    false => (elements.count > 0).then_some(elements.first),
                }
            });
            let child = Place { stored: stored.get(index), default, ..*place };
            if !asks(self.ask, &self.way, About::Value(0, Some(key), &mut |_| {})) {
                self.dropped(&child);
                continue;
            }
            let slots = next_key..self.choices.after_value(next_key);
            next_key = slots.end;
            self.way.push(0).ok()?;
            let is_made = self.element(plan, &child);
            self.way.pop();
            if is_made {
                kept_end = self.choices.move_front(slots, kept_end);
                made = made.wrapping_add(1);
            }
            if made > room && room < ANY {
                return None;
            }
        }
        self.choices.remove(kept_end, keys_end.saturating_sub(kept_end));
        // Keys that are as they are stored differ.
        if is_changed && self.choices.doubled(first_key, u32::try_from(made).ok()?).is_some() {
            return None;
        }
        self.choices.change_number(start, made);
        Some(())
    }

    /// Writes the meta fields of a struct: each as it is stored, or as the default has it. The values begin with those that are stored, and
    /// with those of the default.
    #[inline(never)]
    pub(super) fn meta(&mut self, plan: &[u8], values: [Option<&'r [u8]>; 2]) -> Option<()> {
        let [stored, default] = values;
        let nth = |values: Option<&'r [u8]>, index: usize| {
            let mut input = Input::new(values?);
            (0..index).try_for_each(|_| Value::take(&mut input).map(|_| ()))?;
            Value::take(&mut input)
        };
        let (pairs, _) = plan.as_chunks();
        for (&[index, from], at) in pairs.iter().zip(0..) {
            let value = if from == NOWHERE { None } else { nth(stored, from.into()) };
            let (own, index) = (nth(default, at), u32::from(index));
            let mut takes = |value| self.takes_value(index, value, |_| {});
            if value.is_some() && takes(value) {
                continue;
            }
            let is_made = own.is_some() && takes(own) || takes(None);
            if !is_made {
                return None;
            }
            if value.is_some() {
                self.counts.migrated.lost_meta = self.counts.migrated.lost_meta.wrapping_add(1);
            }
        }
        Some(())
    }
}
