//! Makes structs and variants: their meta fields and their fields.

use crate::base::bytes::small;
use crate::encode::read::Around;
use crate::encode::schema::{Fields, is_constant};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::record::leaf::LeafBytes;
use crate::record::older::making::{Both, Making, NONE};
use crate::record::older::place::Place;
use crate::record::older::stored::{At, Node};
use crate::tree::migrate::making::inner;
use crate::tree::migrate::question::{About, Receivers};

impl<'v> Making<'_, 'v, '_, '_> {
    /// Whether a node has a type name, or had it.
    fn has_name(&self, node: &Node<'_>, fields: &Fields) -> bool {
        let Some(name) = node.type_name() else { return false };
        let by_path = || {
            self.task
                .by_path
                .is_some_and(|by| (by.is_renamed)(&self.task.aliases, [name, fields.name]))
        };
        fields.is_called(name) || by_path()
    }

    /// Makes a value of an enum: the variant whose name the node has.
    #[inline(never)]
    pub(super) fn variant(
        &mut self,
        of: &Around<'_>,
        variants: &'static [Fields],
        place: &Place<'_, 'v>,
    ) -> Option<()> {
        let node = place.node()?;
        let (mut fields, mut meta) = (0u32, 0u32);
        for (variant, index) in variants.iter().zip(0..usize::MAX) {
            if self.has_name(&node, variant) {
                if variants.len() > 1 {
                    self.choices.number(index);
                }
                return self.record(of, variant, [fields, meta], place);
            }
            fields = fields.wrapping_add(small(variant.fields.len()));
            meta = meta.wrapping_add(small(variant.meta.len()));
        }
        None
    }

    /// Makes a struct, or a variant whose first field and meta field have these indices.
    pub(super) fn record(
        &mut self,
        of: &Around<'_>,
        fields: &'static Fields,
        [first, first_meta]: [u32; 2],
        place: &Place<'_, 'v>,
    ) -> Option<()> {
        let mut both = self.begin_record(fields, first_meta, place)?;
        let children = fields.fields.iter().zip(fields.children.as_slice());
        for ((name, schema), index) in children.zip(0..usize::MAX) {
            let child = self.next_field(fields, index, name, place, &mut both);
            self.field(&inner(of, schema), first.wrapping_add(small(index)), &child)?;
        }
        self.end_record(fields, place, &mut both);
        Some(())
    }

    // Not inlined, as the other parts that come before or after the children of a node: what they keep is no part of each frame of the
    // recursion.
    #[inline(never)]
    fn begin_record(
        &mut self,
        fields: &'static Fields,
        first_meta: u32,
        place: &Place<'_, 'v>,
    ) -> Option<Both<'v>> {
        let mut both = self.begin(Kind::Struct, place)?;
        // Another variant of an enum has no defaults for this one.
        both.default = both.default.filter(|own| own.node.type_name() == Some(fields.name));
        let is_own = both.stored.is_none_or(|own| self.has_name(&own.node, fields));
        if !is_own || both.stored.is_none() && both.default.is_none() && !place.is_here {
            return None;
        }
        self.meta(fields, first_meta, &both)?;
        Some(both)
    }

    /// The place of a field.
    #[inline(never)]
    fn next_field<'p>(
        &mut self,
        fields: &'static Fields,
        index: usize,
        name: &'static str,
        place: &'p Place<'p, 'v>,
        both: &mut Both<'v>,
    ) -> Place<'p, 'v> {
        let node = both.stored.as_ref().map(|own| &own.node);
        let named = node.and_then(|node| node.head.position(name));
        let renamed = match (node, self.task.by_path) {
            (Some(node), Some(by)) if named.is_none() => {
                (by.old_index)(&self.task.aliases, node, fields, name)
            }
            _ => None,
        };
        let indices = [named.or(renamed).map_or(NONE, |index| index as usize), index];
        let mut child = self.next(place, both, KeyEntry::Attr(name), indices);
        if renamed.is_some() {
            return child;
        }
        self.find_moved(&mut child);
        if let (None, Some(by_field)) = (child.stored, self.task.own_type.by_field) {
            child.stored = place.stored.and_then(|at| by_field(at, fields.aliases, name));
        }
        self.found(&mut child);
        child
    }

    /// Counts the meta fields of the stored children that are no fields, and are none by aliases.
    #[inline(never)]
    fn end_record(&mut self, fields: &'static Fields, place: &Place<'_, 'v>, both: &mut Both<'v>) {
        let (Some(children), Some(around)) = (&mut both.stored, place.stored) else { return };
        let node = children.node;
        for (name, index) in node.head.fields().zip(0..u32::MAX) {
            let stored = children.child(index as usize);
            if fields.fields.contains(&name) || !stored.is_some_and(At::has_meta) {
                continue;
            }
            let (task, mut missing) = (&self.task, fields.fields.iter());
            let is_renamed = task.by_path.is_some_and(|by| {
                missing.any(|field| {
                    node.head.position(field).is_none()
                        && (by.old_index)(&task.aliases, &node, fields, field) == Some(index)
                })
            });
            if is_renamed {
                continue;
            }
            let by_field = task.own_type.by_field;
            let has_place = |at: At<'v>| {
                let mut aliases = fields.aliases.iter();
                aliases.any(|(_, field)| {
                    // Those without a field are names of the type.
                    let is_missing = !field.is_empty() && node.head.position(field).is_none();
                    let find = by_field.filter(|_| is_missing);
                    find.and_then(|find| find(around, fields.aliases, field)) == Some(at)
                })
            };
            self.lose(stored, &place.step.to(KeyEntry::Attr(name)), &has_place);
        }
    }

    /// Writes the meta fields of a struct: each as it is stored, or as the default has it. Counts those that are lost: of the stored
    /// ones, the first 32 are looked at.
    #[inline(never)]
    fn meta(&mut self, fields: &'static Fields, first: u32, both: &Both<'v>) -> Option<()> {
        let [stored, default] = [&both.stored, &both.default].map(|own| Some(&own.as_ref()?.node));
        let ask = self.task.own_type.ask;
        let mut taken = 0u32;
        for ((name, constant), index) in fields.meta.iter().zip(first..u32::MAX) {
            let mut is_taken = |value: Option<Value<'_>>| match value {
                Some(value) if is_constant(constant) => value == *constant,
                value => {
                    let choices = &mut *self.choices;
                    let give = &mut |own: &Value<'_>| choices.value(own);
                    ask(&self.way, About::Value(index, value, give))
                }
            };
            // The own name goes before older ones, and what is stored before the default.
            let mut is_made = false;
            for (node, is_own) in [(stored, true), (stored, false), (default, true)] {
                let Some(node) = node.filter(|_| !is_made) else { continue };
                for ((found, value), at) in node.meta_fields().zip(0..u32::MAX) {
                    let is_it = match is_own {
                        true => found == *name,
                        false => fields.aliases.contains(&(found, name)),
                    };
                    if is_it && !is_made && is_taken(Some(value)) {
                        is_made = true;
                        let is_stored = stored.is_some_and(|own| core::ptr::eq(own, node));
                        taken |= u32::from(is_stored).unbounded_shl(at);
                    }
                }
            }
            if !is_made && !is_constant(constant) && !is_taken(None) {
                return None;
            }
        }
        let Some(stored) = stored else { return Some(()) };
        for (_, at) in stored.meta_fields().zip(0u32..32) {
            let is_lost = taken.unbounded_shr(at) & 1 == 0;
            self.counts.lost_meta = self.counts.lost_meta.saturating_add(is_lost.into());
        }
        Some(())
    }

    /// Makes a field, which can have a default of its own.
    pub(super) fn field(
        &mut self,
        of: &Around<'_>,
        index: u32,
        place: &Place<'_, 'v>,
    ) -> Option<()> {
        let start = self.position();
        let is_missing = place.is_missing() && !place.is_here;
        let ask = self.task.own_type.ask;
        if !is_missing || !ask(&self.way, About::Default(index, None)) {
            self.enter(index)?;
            if self.tree(of, place).is_some() {
                self.way.pop();
                return Some(());
            }
            self.go_back(&start);
            // A part of the defaults that does not fit is an error.
            let is_usable = place.stored.is_some() || place.default.is_none();
            if is_missing || !is_usable || !ask(&self.way, About::Default(index, None)) {
                return None;
            }
            self.error = None;
            self.counts.replaced = self.counts.replaced.saturating_add(1);
        } else {
            self.counts.new = self.counts.new.saturating_add(1);
        }
        let (choices, leaves) = (&mut *self.choices, &mut *self.leaves);
        let receivers: Receivers<'_, _> =
            (&mut |byte| choices.push(byte), &mut |leaf: LeafBytes| {
                leaves.push(leaf.as_slice(), None)
            });
        ask(&self.way, About::Default(index, Some(receivers))).then_some(())
    }
}
