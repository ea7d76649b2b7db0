//! Structures made of structures, and leaves under a structure they did not come from.
//!
//! Operations that make a treedef are lazy: a small `Copy` value that is a [`Structure`](crate::Structure), so
//! [`structure_into`](crate::structure_into) writes it, [`structure_len`](crate::structure_len) measures it,
//! [`matches()`](crate::matches) compares it and an [`Arena`](crate::Arena) keeps it.

mod rewrite;

mod tell;

mod compose;

mod transform;

mod assemble;

mod prefix;

mod suffix;

mod transpose;

mod nones;

mod partition;

mod replace;

mod from_paths;

pub use assemble::{NodeOf, OneLevel};
pub use compose::Compose;
pub use from_paths::{FromPaths, from_paths};
pub use nones::{Masked, replace_nones};
pub use partition::{combine, filter, partition};
pub use prefix::{UpTo, broadcast_prefix, flatten_up_to, up_to};
pub use replace::Replace;
pub use suffix::{CommonSuffix, broadcast_common};
pub use transform::{Change, Transform};
pub use transpose::{transpose, transpose_map};
