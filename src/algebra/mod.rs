//! Structures made from other structures, and leaves moved from one structure to another.
//!
//! The operations that make a treedef are lazy: [`TreeDef::compose`](crate::TreeDef::compose),
//! [`transform`](crate::TreeDef::transform), [`replace`](crate::TreeDef::replace),
//! [`leaves_to_none`](crate::TreeDef::leaves_to_none) and [`common_suffix`](crate::TreeDef::common_suffix) return a small
//! value. It implements [`Structure`](crate::tree::Structure), so
//! [`structure_into`](crate::structure_into) writes it, [`structure_bound`](crate::encode::structure_bound) bounds its
//! bytes, [`matches()`](crate::matches) compares it, and an [`Arena`](crate::Arena) keeps it.
//!
//! The functions of this module that move leaves write them to slices of the caller and return their number.

// - `edit`: describes one treedef with changes;
// - `compose`, `transform`, `nones`, `replace`: the changes;
// - `prefix`, `suffix`, `transpose`, `partition`: move leaves to another structure; `migrate`: to a newer one;
//   `migrate_typed`: loads a stored tree under a newer version of its type;
// - `stack`: a list of typed trees to a tree of lists, and back.

mod compose;
mod edit;
pub(crate) mod migrate;
mod migrate_typed;
mod nones;
mod partition;
pub(crate) mod prefix;
mod replace;
#[cfg(feature = "alloc")]
mod stack;
mod suffix;
mod transform;
mod transpose;

pub use compose::Compose;
pub use edit::Change;
pub use migrate::{migrate, migrate_with};
#[cfg(feature = "alloc")]
pub use migrate_typed::migrate_typed;
pub use migrate_typed::migrate_typed_with;
pub use nones::{LeavesToNone, replace_nones};
pub use partition::{combine, combine_in_place, filter, partition, partition_in_place};
pub use prefix::FlattenUpTo;
pub use replace::Replace;
#[cfg(feature = "alloc")]
pub use stack::{stack, stack_with, try_stack_with, unstack};
pub use suffix::{CommonSuffix, broadcast_common};
pub use transform::Transform;
pub use transpose::{transpose, transpose_map};

pub use crate::tree::migrate::change::{LeafPlace, Matching, Migrated, Migration, Why};
pub use crate::tree::migrate::checked::aliases;
