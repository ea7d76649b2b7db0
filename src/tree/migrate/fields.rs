//! Makes structs and variants: their meta fields and their fields.

use crate::base::bytes::small;
use crate::encode::schema::{Around, Fields, Schema, is_literal};
use crate::format::entry::KeyEntry;
use crate::format::head::Kind;
use crate::format::value::Value;
use crate::tree::migrate::children::is_same;
use crate::tree::migrate::making::{Making, OfType, inner};
use crate::tree::migrate::node::{Both, OpenFields, Own, Place, StoredNode, is_container};
use crate::tree::migrate::reports::Reports;
use crate::tree::migrate::walk::MISMATCH;

impl<'v, N: StoredNode<'v>, R: Reports<'v, N>, T: OfType<'v, N, R> + ?Sized>
    Making<'_, 'v, '_, N, R, T>
{
    /// Makes a value of an enum: the variant whose name the node has.
    ///
    /// A node without such a name can be a variant in a format of fewer kinds. Then it is that of the default, or the first one.
    #[inline(never)]
    pub(super) fn variant(
        &mut self,
        of: &Around<'_>,
        variants: &'static [Fields],
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let (walk, in_any_kind) = (&self.walk, self.walk.in_any_kind());
        let what = |node: Option<N>| Some(N::what(&node?.open()));
        let named = |node: Option<N>| {
            let (_, name) = what(node).filter(|(kind, _)| in_any_kind || *kind == Kind::Struct)?;
            walk.task.named(name?, variants)
        };
        let first = place.stored.or(place.default);
        let mut found = named(first);
        if in_any_kind && found.is_none() && what(first).is_some_and(|(kind, _)| is_container(kind))
        {
            // Those without meta fields go first.
            let all = || variants.iter().zip(0..usize::MAX);
            let without_meta = || all().find(|(variant, _)| variant.meta.is_empty());
            found = named(place.default).or_else(without_meta).or_else(|| all().next());
        }
        let Some((variant, index)) = found else {
            return self.walk.mismatch(place);
        };
        if variants.len() > 1 {
            self.choices.number(index);
        }
        let (mut fields, mut meta) = (0u32, 0u32);
        for before in variants.iter().take(index) {
            fields = fields.wrapping_add(small(before.fields.len()));
            meta = meta.wrapping_add(small(before.meta.len()));
        }
        self.fields(of, variant, [fields, meta], place)
    }

    /// Makes a struct, or a variant whose first field and meta field have these indices.
    pub(super) fn fields(
        &mut self,
        of: &Around<'_>,
        fields: &'static Fields,
        [first, first_meta]: [u32; 2],
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let slot = &mut None;
        let both = self.walk.begin_fields(fields, place, slot)?;
        self.meta(fields, first_meta, place, both)?;
        let has = &|name: KeyEntry<'_>| matches!(name, KeyEntry::Attr(name) if fields.fields.contains(&name));
        let own = Own { type_name: fields.name, has, aliases: fields.aliases };
        let (open, inside);
        let mut place = place;
        if R::REPORTS
            && let (Some(stored), false) = (place.stored, own.aliases.is_empty())
        {
            open = OpenFields { stored, own: &own, step: &place.step, up: place.fields };
            inside = Place { fields: Some(&open), ..*place };
            place = &inside;
        }
        let children = fields.fields.iter().zip(fields.children.as_slice());
        for ((name, schema), index) in children.zip(0..u32::MAX) {
            let child = self.walk.next(place, both, KeyEntry::Attr(name), Some(&own));
            self.field(&inner(of, schema), first.wrapping_add(index), &child)?;
        }
        self.end_fields(fields, &own, place, both);
        Some(())
    }

    /// Ends a struct: what is stored and is no field is lost.
    #[inline(never)]
    fn end_fields(
        &mut self,
        fields: &Fields,
        own: &Own<'_>,
        place: &Place<'_, 'v, N>,
        both: &mut Both<'v, N>,
    ) {
        let Some(open) = both.stored.as_ref().filter(|_| R::REPORTS) else { return };
        let in_any_kind = self.walk.in_any_kind();
        let is_like = |name| fields.fields.iter().any(|own| is_same(KeyEntry::Attr(own), name));
        let is_own = |name| (own.has)(name) || N::HAS_KINDS && in_any_kind && is_like(name);
        let mut others = N::names(open).filter(|name| !is_own(*name));
        self.walk.end_names(place, both, own, &mut others);
    }

    /// Writes the meta fields of a struct: each as it is stored, or as the default has it. Counts those that are lost: of the stored
    /// ones, the first 32 are looked at.
    #[inline(never)]
    fn meta(
        &mut self,
        fields: &'static Fields,
        first: u32,
        place: &Place<'_, 'v, N>,
        both: &Both<'v, N>,
    ) -> Option<()> {
        let mut taken = 0u32;
        for ((name, constant), index) in fields.meta.iter().zip(first..u32::MAX) {
            let mut is_taken = |value: Option<Value<'_>>| match value {
                Some(value) if is_literal(constant) => value == *constant,
                value => {
                    let choices = &mut *self.choices;
                    let give = &mut |own: &Value<'_>| choices.value(own);
                    self.of_type.takes_value(&self.way, index, value, give)
                }
            };
            // The own name goes before older ones, and what is stored before the default.
            let (mut is_made, mut refused) = (false, None);
            let stored = both.stored.as_ref();
            for (node, is_own, is_stored) in
                [(stored, true, true), (stored, false, true), (both.default.as_ref(), true, false)]
            {
                let Some(open) = node.filter(|_| !is_made) else { continue };
                for ((found, value), at) in N::meta_fields(open).zip(0..u32::MAX) {
                    let is_it = match is_own {
                        true => found == *name,
                        false => fields.aliases.contains(&(found, name)),
                    };
                    if !is_it || is_made {
                        continue;
                    }
                    is_made = is_taken(Some(value));
                    if is_made && is_stored {
                        taken |= 1u32.unbounded_shl(at);
                    } else if !is_made && refused.is_none() {
                        refused = Some(value);
                    }
                }
            }
            if !is_made && !is_literal(constant) && !is_taken(None) {
                return self.walk.fail_at(place.stored, Some((name, refused)), MISMATCH);
            }
        }
        let (Some(node), Some(open)) = (place.stored, &both.stored) else { return Some(()) };
        for (field, at) in N::meta_fields(open).zip(0u32..32) {
            if taken.unbounded_shr(at) & 1 == 0 {
                self.walk.lose_meta(node, field);
            }
        }
        Some(())
    }

    /// Makes a field, which can have a default of its own.
    pub(super) fn field(
        &mut self,
        of: &Around<'_>,
        index: u32,
        place: &Place<'_, 'v, N>,
    ) -> Option<()> {
        let start = self.position();
        let is_missing = place.is_missing() && !place.counts_new;
        if !is_missing || !self.of_type.has_default(&self.way, index, None) {
            // A deeper way is refused before it is asked for.
            let _ = self.way.push(index);
            if self.tree(of, place).is_some() {
                self.way.pop();
                return Some(());
            }
            self.go_back(&start);
            // A part of the defaults that does not fit is an error.
            let is_usable = place.stored.is_some() || place.default.is_none();
            if is_missing || !is_usable {
                return None;
            }
            let has_default = self.of_type.has_default(&self.way, index, None);
            // An option needs none.
            let is_optional = matches!(of.schema, Schema::Optional(_)) && place.default.is_none();
            if !has_default && !is_optional {
                return None;
            }
            let why = self.walk.why(place);
            let parts = if has_default { None } else { Some([0, 0]) };
            self.walk.replaced(place, why, parts);
            if !has_default {
                self.choices.number(0);
                return Some(());
            }
        } else {
            self.walk.take_missing(&place.step);
        }
        let choices = &mut *self.choices;
        self.of_type
            .has_default(&self.way, index, Some(&mut |byte| choices.push(byte)))
            .then_some(())
    }
}
