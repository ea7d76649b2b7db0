//! What a migration goes by: what is stored, the defaults, how places are matched, and what is done with aliases.

use crate::encode::schema::Schema;
use crate::tree::migrate::aliases::Cursors;
use crate::tree::migrate::by_alias::{Aliases, ByAlias};
use crate::tree::migrate::by_field::ByField;
use crate::tree::migrate::change::Matching;
use crate::tree::migrate::node::StoredNode;

/// What a walk goes by.
pub(crate) struct Task<'m, 'v, N: StoredNode<'v>> {
    pub(crate) aliases: Aliases<'v, 'm, N>,
    pub(crate) matching: Matching<'m>,
    /// What is done with aliases, if there are any.
    pub(crate) by_alias: Option<&'m ByAlias<'v, N>>,
    /// What is done with the aliases at the fields of the type, if it has any.
    pub(crate) by_field: Option<&'m ByField<'v, N>>,
}

impl<'m, 'v, N: StoredNode<'v>> Task<'m, 'v, N> {
    pub(crate) fn new(
        [stored, defaults]: [N; 2],
        schema: Option<&'m Schema>,
        matching: Matching<'m>,
        (by_alias, by_field): (Option<&'m ByAlias<'v, N>>, Option<&'m ByField<'v, N>>),
        cursors: &'m Cursors<'v, N>,
    ) -> Self {
        let pairs = matching.aliases;
        let aliases = Aliases { pairs, stored, top: stored, defaults, cursors, schema };
        Self { aliases, matching, by_alias, by_field }
    }
}
