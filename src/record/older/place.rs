//! A place of a value that is made of a record, and what is known before it is made.

use crate::encode::schema::{Fields, Schema};
use crate::record::bytes::RecordWriter;
use crate::record::leaf::RecordLeaves;
use crate::record::older::stored::{At, Node};
use crate::tree::migrate::aliases::Step;
use crate::tree::migrate::by_alias::Aliases;
use crate::tree::migrate::by_field::Pairs;
use crate::tree::migrate::question::About;

/// A place of the new value: what is stored for it, its default, and its path.
#[derive(Clone, Copy)]
pub(super) struct Place<'p, 'v> {
    pub(super) stored: Option<At<'v>>,
    pub(super) default: Option<At<'v>>,
    /// Whether what is below it and not stored is new.
    pub(super) is_here: bool,
    /// The step to it from the place around it.
    pub(super) step: Step<'p, 'v>,
}

impl<'v> Place<'_, 'v> {
    /// The default alone. What is new in it was counted.
    pub(super) const fn default_alone(&self) -> Self {
        Self { stored: None, is_here: false, ..*self }
    }

    pub(super) const fn is_missing(&self) -> bool {
        self.stored.is_none() && self.default.is_none()
    }

    /// The stored node, or that of the default.
    pub(super) fn node(&self) -> Option<Node<'v>> {
        Some(self.stored.or(self.default)?.open()?.node)
    }
}

/// What is known before the value is made.
pub(super) struct Task<'m, 'v> {
    pub(super) own_type: &'m OwnType,
    pub(super) aliases: OfRecord<'v, 'm>,
    pub(super) lengths_of_defaults: bool,
    pub(super) keep_places: bool,
    /// What is done with aliases, if there are any.
    pub(super) by_path: Option<&'static ByPath>,
}

/// The aliases of a load.
pub(super) type OfRecord<'v, 'm> = Aliases<'v, 'm, At<'v>>;

/// Finds what is stored for a field by the aliases at a type: the node that the first one of the field leads to.
pub(super) type ByField = for<'v> fn(At<'v>, Pairs, &str) -> Option<At<'v>>;

/// What aliases do. It is called through this table, so that a program without aliases does not link it.
pub(super) struct ByPath {
    /// Which of the aliases of the place are about it or a part of it.
    pub(super) about: for<'v> fn(&OfRecord<'v, '_>, &Step<'_, 'v>) -> u32,
    /// What is stored for a place: by an alias, otherwise by its name, unless an alias gives that to another place.
    pub(super) stored: for<'v> fn(&OfRecord<'v, '_>, &Place<'_, 'v>) -> Option<At<'v>>,
    /// Whether an alias gives something to a part of the place.
    pub(super) is_around: for<'v> fn(&OfRecord<'v, '_>, &Step<'_, 'v>) -> bool,
    /// The index of the child that the field of this name was.
    pub(super) old_index: fn(&OfRecord<'_, '_>, &Node<'_>, &Fields, &str) -> Option<u32>,
    /// Whether a node of this type name was one of the new name.
    pub(super) is_renamed: fn(&OfRecord<'_, '_>, [&str; 2]) -> bool,
    /// Whether an alias gives the stored node with this path another place.
    pub(super) goes: for<'v> fn(&OfRecord<'v, '_>, &Step<'_, 'v>) -> bool,
    /// Whether all parts of the stored node have another place.
    pub(super) has_left: for<'v> fn(&OfRecord<'v, '_>, &Place<'_, 'v>) -> bool,
}

/// What is known of the type of the value.
pub(super) struct OwnType {
    pub(super) schema: &'static Schema,
    pub(super) key: u64,
    /// What is done with the aliases at fields, if the type has any.
    pub(super) by_field: Option<ByField>,
    /// Asks the part with a way.
    pub(super) ask: AskPart,
}

/// Asks the part of a type with a way.
pub(super) type AskPart = for<'q> fn(&'q [u32], About<'q, RecordLeaves>) -> bool;

/// Converts the leaf of a place, and returns how many bytes were written.
pub(super) type ConvertLeaf<'c> = dyn for<'v> FnMut(
        &Task<'_, 'v>,
        &Place<'_, 'v>,
        At<'v>,
        [&str; 2],
        &[u8],
        RecordWriter<'_>,
    ) -> usize
    + 'c;
