//! Loads a tree that was stored under an older version of its type.
//!
//! - `migrating`: a rebuild that takes what is stored, and otherwise the defaults;
//! - `walk`: what is found on the way, and what is reported; `places`: where a container is in both structures; `children`: the
//!   children of a node by their names;
//! - `aliases`: paths of places that moved; `by_alias`: what they do in a walk;
//! - `change`: what is reported, and what the caller asks for.

pub(super) mod aliases;
mod by_alias;
pub(crate) mod change;
mod children;
pub(crate) mod migrating;
pub(crate) mod places;
pub(crate) mod walk;
