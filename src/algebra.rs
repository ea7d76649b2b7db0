//! Structures made of structures, and leaves under a structure they did not come from.
//!
//! Operations that make a treedef are lazy: a small `Copy` value that is a [`Structure`](crate::Structure), so
//! [`structure_into`](crate::structure_into) writes it, [`structure_len`](crate::structure_len) measures it,
//! [`matches()`](crate::matches) compares it and an [`Arena`](crate::Arena) keeps it.

mod rewrite;

mod compose;

mod transform;

mod assemble;

pub use assemble::{NodeOf, OneLevel};
pub use compose::Compose;
pub use transform::{Change, Transform};
