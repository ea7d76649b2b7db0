//! Structures made of structures, and leaves under a structure they did not come from.
//!
//! Operations that make a treedef are lazy: a small `Copy` value that is a [`Structure`](crate::tree::Structure), so
//! [`structure_into`](crate::structure_into) writes it, [`structure_bound`](crate::encode::structure_bound) says how
//! many bytes are enough, [`matches()`](crate::matches) compares it and an [`Arena`](crate::Arena) keeps it.

// - `edit`: one treedef described with changes; `common`: what two of them have in common;
// - `compose`, `transform`, `nones`, `replace`: the changes;
// - `assemble`, `from_paths`: a node made of treedefs, a treedef made of paths;
// - `prefix`, `suffix`, `transpose`, `partition`: leaves under another structure.
//
// Imports from `base`, `format`, `treedef`, `encode`, `text`, `tree` and `dynamic`.

mod assemble;
mod common;
mod compose;
mod edit;
mod from_paths;
mod nones;
mod partition;
pub(crate) mod prefix;
mod replace;
mod suffix;
mod transform;
mod transpose;

pub use assemble::NodeOf;
pub use compose::Compose;
pub use from_paths::{FromPaths, from_paths};
pub use nones::{LeavesToNone, replace_nones};
pub use partition::{combine, filter, partition};
pub use prefix::FlattenUpTo;
pub use replace::Replace;
pub use suffix::{CommonSuffix, broadcast_common};
pub use transform::{Change, Transform};
pub use transpose::{transpose, transpose_map};
