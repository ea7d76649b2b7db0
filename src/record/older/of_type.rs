//! The type of a value that is made of a record, and the leaves of that value: their bytes.

use crate::encode::schema::Schema;
use crate::format::value::Value;
use crate::record::bytes::RecordWriter;
use crate::record::kind::Conversion;
use crate::record::leaf::RecordLeaves;
use crate::record::older::stored::{At, Stored, StoredLeaf};
use crate::record::older::written::Written;
use crate::tree::migrate::by_alias::ByAlias;
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::making::OfType;
use crate::tree::migrate::node::{Place, StoredNode};
use crate::tree::migrate::question::{About, Ask, OfDefault};
use crate::tree::migrate::reports::{Event, Reports};
use crate::tree::migrate::walk::Walk;

/// What is known of the type of the value.
pub(super) struct OwnType {
    pub(super) schema: &'static Schema,
    pub(super) key: u64,
    /// What is done with the aliases at fields, if the type has any.
    pub(super) by_field: Option<ByFieldOfRecords>,
    pub(super) ask: Ask<RecordLeaves>,
}

/// What is done with aliases in a record. The argument only gives the table its lifetime.
pub(super) type ByAliasOfRecords = for<'v> fn(&'v Stored<'v>) -> &'v ByAlias<'v, At<'v>>;

/// The same for those at fields.
pub(super) type ByFieldOfRecords = for<'v> fn(&'v Stored<'v>) -> &'v ByField<'v, At<'v>>;

/// The leaves of the value.
pub(super) struct LeavesOf<'b, F, C> {
    pub(super) ask: Ask<RecordLeaves>,
    pub(super) written: Written<'b>,
    /// The stored leaf, or one of the defaults, which the flag says.
    pub(super) leaf: F,
    /// Converts the leaf of a place, of the first type, to the second one, and returns how many bytes were written.
    pub(super) convert: C,
}

impl<'v, N, R, F, C> OfType<'v, N, R> for LeavesOf<'_, F, C>
where
    N: StoredNode<'v>,
    R: Reports<'v, N>,
    F: Fn(N::Leaf, bool) -> Option<StoredLeaf<'v>>,
    C: FnMut(&Place<'_, 'v, N>, [&str; 2], &[u8], RecordWriter<'_>) -> usize,
{
    fn len(&self) -> usize {
        self.written.count()
    }

    fn truncate(&mut self, len: usize) {
        self.written.truncate(len);
    }

    fn take(
        &mut self,
        walk: &mut Walk<'_, 'v, N, R>,
        way: &[u32],
        place: &Place<'_, 'v, N>,
        leaf: N::Leaf,
        to: &'static str,
    ) -> bool {
        let Some(StoredLeaf { index, of, bytes }) = (self.leaf)(leaf, false) else { return false };
        let (types, ask, at) = ([of, to], self.ask, Some(index));
        let is_own = |written: &mut Written<'_>, len: usize| {
            written.next(len).is_none_or(|leaf| ask(way, About::Stored(leaf)))
        };
        let mut out = self.written.writer();
        let conversion = Conversion::of(of.as_bytes(), to.as_bytes());
        let mut len = conversion.and_then(|to| to.write(bytes, &mut out)).map(|()| out.leaves);
        len = len.filter(|len| is_own(&mut self.written, *len));
        if len.is_none() {
            let converted = (self.convert)(place, types, bytes, self.written.writer());
            len = Some(converted).filter(|len| *len > 0 && is_own(&mut self.written, *len));
        }
        if let Some(len) = len {
            self.written.keep(len, at);
            if let (Some(node), true) = (place.stored, R::REPORTS && of != to) {
                walk.reports.report(&walk.task, &place.step, Event::Converted(node, types));
            }
            return true;
        }
        walk.refused_leaf(place, R::leaf_type(types));
        false
    }

    fn take_default(&mut self, _: &[u32], _: &Place<'_, 'v, N>, leaf: N::Leaf) -> bool {
        let leaf = (self.leaf)(leaf, true);
        leaf.is_some_and(|leaf| {
            self.written.push(leaf.bytes, None);
            true
        })
    }

    fn takes_value(
        &mut self,
        way: &[u32],
        index: u32,
        value: Option<Value<'_>>,
        give: &mut dyn FnMut(&Value<'_>),
    ) -> bool {
        (self.ask)(way, About::Value(index, value, give))
    }

    fn has_default(&mut self, way: &[u32], index: u32, choice: Option<&mut dyn FnMut(u8)>) -> bool {
        let Some(choice) = choice else { return (self.ask)(way, About::Default(index, None)) };
        let take = &mut |part: OfDefault<'_, RecordLeaves>| match part {
            OfDefault::Choice(byte) => choice(byte),
            OfDefault::Leaf(leaf) => {
                let mut out = self.written.writer();
                leaf.save(&mut out);
                let len = out.leaves;
                self.written.keep(len, None);
            }
        };
        (self.ask)(way, About::Default(index, Some(take)))
    }
}
